//! The parts together: symmetry, learning, stopping and going on.

use super::features::{Extractor, Moves};
use super::file;
use super::harvest::{harvest, replay};
use super::learn::{Job, LearnError, learn};
use super::model::{Packed, PatternModel};
use super::trainer::{Settings, Trainer};
use super::view::{OWN, View, cell};
use super::weights::Work;
use crate::board::Board;
use crate::corpus::GoRecord;
use crate::game::Go;
use crate::heavy::Heavy;
use crate::playout::play_out_telling;
use crate::point::{Move, Point};
use crate::policy::{Guess, Policy, Scene};
use crate::position::Position;
use crate::rules::Rules;
use crate::sgf::Sgf;
use proptest::prelude::*;
use std::collections::HashMap;
use std::path::Path;
use zug_core::progress::Silent;
use zug_core::{Game, Line, Record, RecordFormat, Side, StopFlag, Symmetric, rng};

/// The first moves of a game of playouts.
fn moves_of(size: usize, seed: u64, most: usize) -> Vec<Point> {
    let rules = Rules::new(size).unwrap();
    let mut moves = Vec::new();
    let tell = |_, p| moves.push(p);
    let (mut board, mut random) = (Board::new(size), rng(seed, 0));
    play_out_telling(&Heavy, &mut board, Side::First, 0, &rules, &mut random, tell);
    moves.truncate(most);
    moves
}

fn games(count: u64, size: usize) -> Vec<GoRecord> {
    (0..count)
        .map(|seed| {
            let moves: Vec<Option<Point>> =
                moves_of(size, seed, size * size / 2).into_iter().map(Some).collect();
            GoRecord::of_moves(size, &moves)
        })
        .collect()
}

fn settings() -> Settings {
    Settings { rows: 4000, rates: [0.2, 0.1, 0.003], thin: 2, passes: 4, batch: 1, hide: 0.2 }
}

fn small_model(size: usize) -> (Trainer, Vec<u64>) {
    let games = games(40, size);
    let found = harvest(&games, 3, &Silent, &StopFlag::new()).unwrap();
    let settings = settings();
    let mut trainer = Trainer::new(&found.keys, &settings, 1);
    for pass in 0..settings.passes {
        trainer.pass(&games, &settings, pass, 1, &StopFlag::new(), &|_| {}).unwrap();
    }
    (trainer, found.keys)
}

fn by_point(guesses: &[Guess]) -> HashMap<Point, f32> {
    guesses.iter().map(|g| (g.point, g.probability)).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn liberties_are_those_of_the_board(seed in 0u64..1000, length in 0usize..120) {
        let mut position = Position::new(9);
        for p in moves_of(9, seed, length) {
            position.play(Move::Play(p));
        }
        let (board, side) = (position.board(), position.to_move());
        let mut view = View::new();
        view.look(board, side);
        for p in board.points().filter(|&p| board.at(p).side().is_some()) {
            let chain = &view.chains[usize::from(view.chain[cell(p.x(), p.y())])];
            prop_assert_eq!(usize::from(chain.liberties), board.liberties(p, 99).len());
            prop_assert_eq!(usize::from(chain.stones), board.chain_size(p));
            prop_assert_eq!(chain.owner == OWN, board.at(p).side() == Some(side));
        }
    }

    #[test]
    fn mirror_images_have_the_same_features(seed in 0u64..1000, length in 2usize..200, symmetry in 0usize..8) {
        let game = Go::open("go:13x13").unwrap();
        let (mut here, mut there) = (Line::new(game.clone()), Line::new(game.clone()));
        for p in moves_of(13, seed, length) {
            here.play(Move::Play(p));
            there.play(game.map_move(symmetry, Move::Play(p)));
        }
        let (mut extractor, mut a, mut b) = (Extractor::default(), Moves::default(), Moves::default());
        // Half of a key stands for its number.
        let number = |key: u64| Some((key >> 32) as u32);
        extractor.extract(Scene::of_line(&here), usize::MAX, &number, &mut a);
        extractor.extract(Scene::of_line(&there), usize::MAX, &number, &mut b);
        prop_assert_eq!(a.len(), b.len());
        prop_assume!(extractor.given_up() == 0);
        for i in 0..a.len() {
            let image = game.map_move(symmetry, Move::Play(a.points[i]));
            let j = b.points.iter().position(|&p| Move::Play(p) == image).unwrap();
            prop_assert_eq!(a.plain[i], b.plain[j]);
            prop_assert_eq!(a.patterns(i), b.patterns(j));
        }
    }

    #[test]
    fn colours_do_not_matter(seed in 0u64..1000, length in 2usize..80) {
        let swap = |position: &Position| {
            let board = position.board();
            let stones = board.points().filter_map(|p| Some((p, board.at(p).side()?.other())));
            let mut other = Position::from_board(
                Board::with_stones(9, stones).unwrap(),
                position.to_move().other(),
            );
            other.moves = position.moves;
            other
        };
        let mut position = Position::new(9);
        for p in moves_of(9, seed, length) {
            position.play(Move::Play(p));
        }
        prop_assume!(position.board().ko().is_none());
        let swapped = swap(&position);
        let number = |key: u64| Some(key as u32);
        let (mut extractor, mut a, mut b) = (Extractor::default(), Moves::default(), Moves::default());
        extractor.extract(Scene::bare(&position), usize::MAX, &number, &mut a);
        extractor.extract(Scene::bare(&swapped), usize::MAX, &number, &mut b);
        prop_assert_eq!(&a.points, &b.points);
        prop_assert_eq!(&a.plain, &b.plain);
        for i in 0..a.len() {
            prop_assert_eq!(a.patterns(i), b.patterns(i));
        }
    }
}

#[test]
fn wider_discs_are_asked_for_only_where_the_narrower_is_known() {
    let (trainer, _) = small_model(9);
    let dictionary = &trainer.weights.dictionary;
    let (mut extractor, mut moves) = (Extractor::default(), Moves::default());
    for game in games(4, 9) {
        replay(
            &game,
            |ply| ply % 7 == 0,
            |scene, played, _| {
                let mut all = Vec::new();
                extractor.patterns_of(scene, played, |_, key| {
                    all.extend(dictionary.get(key));
                    true
                });
                extractor.extract(scene, usize::MAX, dictionary, &mut moves);
                let i = moves.points.iter().position(|&p| p == played).unwrap();
                let mut quick = moves.patterns(i).to_vec();
                all.sort_unstable();
                quick.sort_unstable();
                assert_eq!(quick, all);
            },
        );
    }
}

#[test]
fn learning_makes_played_moves_likelier() {
    let games = games(40, 9);
    let found = harvest(&games, 3, &Silent, &StopFlag::new()).unwrap();
    for rows in [0, 4000] {
        let settings = Settings { rows, ..settings() };
        let mut trainer = Trainer::new(&found.keys, &settings, 1);
        let told: Vec<f64> = (0..settings.passes)
            .map(|pass| {
                let told = trainer.pass(&games, &settings, pass, 1, &StopFlag::new(), &|_| {});
                let told = told.unwrap();
                told.nats / told.positions as f64
            })
            .collect();
        assert!(told[3] < told[0] - 0.3, "{rows} rows: {told:?}");
        assert!(told[3] < 3.85, "better than chance among some seventy moves: {told:?}");
    }
}

#[test]
fn threads_do_not_change_what_is_learned() {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let (trainer, keys) = small_model(7);
            Packed::new(&trainer.weights, &keys)
        })
    };
    assert_eq!(run(1), run(3));
}

#[test]
fn a_packed_model_guesses_as_the_weights_do() {
    let (trainer, keys) = small_model(9);
    let packed = Packed::new(&trainer.weights, &keys);
    let model = PatternModel::new("test".into(), vec![9], packed);
    let (mut guesser, mut guesses) = (model.guesser(), Vec::new());
    let (mut extractor, mut work) = (Extractor::default(), Work::default());
    let mut worst = 0f32;
    for game in games(3, 9) {
        replay(
            &game,
            |_| true,
            |scene, _, _| {
                guesser.guess(scene, &mut guesses);
                let sum: f32 = guesses.iter().map(|g| g.probability).sum();
                assert!((sum - 1.0).abs() < 1e-4);
                let dictionary = &trainer.weights.dictionary;
                extractor.extract(scene, usize::MAX, dictionary, &mut work.moves);
                trainer.weights.evaluate(&mut work);
                let exact = by_point(&guesses);
                for (p, probability) in work.moves.points.iter().zip(&work.probabilities) {
                    worst = worst.max((exact[p] - probability).abs());
                }
            },
        );
    }
    assert!(worst < 0.05, "{worst}");
}

fn write_games(folder: &Path, count: u64) {
    for seed in 0..count {
        let game = Go::open("go:9x9").unwrap();
        let mut line = Line::new(game.clone());
        for p in moves_of(9, seed, 30) {
            line.play(Move::Play(p));
        }
        let mut record = Record::of_line(&line);
        record.set_tag("Date", format!("{}-01-01", 2000 + seed % 10));
        let bytes = Sgf.write(&[record]).unwrap();
        std::fs::write(folder.join(format!("{seed:03}.sgf")), bytes).unwrap();
    }
}

fn job(data: &Path, out: &Path) -> Job {
    Job {
        data: vec![data.to_path_buf()],
        size: 9,
        from: None,
        until: Some(2007),
        games: usize::MAX,
        tests: usize::MAX,
        least: 2,
        settings: settings(),
        seed: 7,
        out: out.to_path_buf(),
        resume: false,
        command: "zug learn".into(),
    }
}

#[test]
fn a_stopped_run_goes_on_to_the_same_model() {
    let dir = tempfile::tempdir().unwrap();
    let data = dir.path().join("games");
    std::fs::create_dir(&data).unwrap();
    write_games(&data, 40);
    let (whole, parts) = (dir.path().join("whole.zug"), dir.path().join("parts.zug"));
    let learned = learn(&job(&data, &whole), &Silent, &StopFlag::new()).unwrap();
    assert_eq!((learned.games, learned.test.unwrap().games), (32, 8));
    assert!(!dir.path().join("whole.zug.parts").exists());

    // Stops when so many games have been passed over while learning.
    struct StopAfter(StopFlag, std::sync::atomic::AtomicU64);
    impl zug_core::Progress for StopAfter {
        fn set_length(&self, _: Option<u64>) {}
        fn advance(&self, units: u64) {
            let before = self.1.fetch_add(units, std::sync::atomic::Ordering::Relaxed);
            // Forty files are read and 32 games counted twice; then come passes of 32 games.
            if before + units > 40 + 64 + 70 {
                self.0.set();
            }
        }
        fn message(&self, _: &str) {}
        fn finish(&self) {}
    }
    let stop = StopFlag::new();
    let watch = StopAfter(stop.clone(), 0.into());
    let stopped = learn(&job(&data, &parts), &watch, &stop);
    assert!(matches!(stopped, Err(LearnError::Stopped)));
    assert!(!parts.exists() && dir.path().join("parts.zug.parts").exists());
    let again = learn(&job(&data, &parts), &Silent, &StopFlag::new());
    assert!(again.unwrap_err().to_string().contains("--resume"));
    let other = Job { seed: 8, resume: true, ..job(&data, &parts) };
    let other = learn(&other, &Silent, &StopFlag::new());
    assert!(other.unwrap_err().to_string().contains("other settings"));
    let resumed = Job { resume: true, ..job(&data, &parts) };
    learn(&resumed, &Silent, &StopFlag::new()).unwrap();
    assert_eq!(std::fs::read(&whole).unwrap(), std::fs::read(&parts).unwrap());
}

#[test]
fn files_are_read_again_and_damage_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let (trainer, keys) = small_model(7);
    let packed = Packed::new(&trainer.weights, &keys);
    let path = dir.path().join("model.zug");
    file::write(&path, &file::header(&[7]), &packed).unwrap();
    let (read, made) =
        (file::read(&path).unwrap(), PatternModel::new(String::new(), vec![7], packed));
    assert!(read.knows_size(7) && !read.knows_size(19));
    let position = Go::open("go:7x7").unwrap().start();
    let (mut a, mut b) = (Vec::new(), Vec::new());
    read.guesser().guess(Scene::bare(&position), &mut a);
    made.guesser().guess(Scene::bare(&position), &mut b);
    assert_eq!(a, b);
    let mut bytes = std::fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&path, &bytes).unwrap();
    assert!(file::read(&path).is_err());
    bytes.truncate(middle);
    std::fs::write(&path, &bytes).unwrap();
    assert!(file::read(&path).is_err());
}

#[test]
fn nothing_to_learn_from_is_an_error() {
    let dir = tempfile::tempdir().unwrap();
    write_games(dir.path(), 2);
    let out = dir.path().join("m.zug");
    let early = Job { until: Some(1990), ..job(dir.path(), &out) };
    let error = learn(&early, &Silent, &StopFlag::new()).unwrap_err().to_string();
    assert!(error.contains("none of 2 games"), "{error}");
    let other = Job { size: 13, ..job(dir.path(), &out) };
    assert!(learn(&other, &Silent, &StopFlag::new()).is_err());
    assert!(!out.exists());
}
