//! The parts against each other and against the slowest possible twins.

use super::database::{Counts, Database, Proposal};
use super::example::{Example, replay};
use super::guess::Model;
use super::learn::{Counting, Gathered};
use super::neighbours::{Neighbours, canonical};
use super::offsets::{is_theirs, step, turned};
use super::scan::Scan;
use super::settings::{Count, Settings, Translations, Value};
use super::shapes::{Room, Shape};
use super::symmetry::Symmetry;
use super::trie::Forms;
use crate::board::Board;
use crate::colour::Colour;
use crate::corpus::{Corpus, Filter, GoRecord};
use crate::point::{Move, Point};
use crate::policy::{Policy, Scene};
use crate::position::Position;
use proptest::prelude::*;
use std::collections::BTreeMap;
use zug_core::container::{Container, Expect, Header, Kind, Writer};
use zug_core::progress::Silent;
use zug_core::seed::{RngExt, rng};
use zug_core::{Side, StopFlag};

/// A game of random moves, mostly near each other so that shapes come again.
pub(crate) fn random_game(size: usize, moves: usize, seed: u64) -> GoRecord {
    let (mut board, mut side, mut rng) = (Board::new(size), Side::First, rng(seed, 0));
    let mut played: Vec<Option<Point>> = Vec::new();
    for _ in 0..moves {
        let legal: Vec<Point> =
            board.points().filter(|&p| board.check(p, side, false).is_ok()).collect();
        let last = played.last().copied().flatten();
        let near =
            |p: &&Point| last.is_some_and(|l| l.x().abs_diff(p.x()) + l.y().abs_diff(p.y()) <= 2);
        let close: Vec<&Point> = legal.iter().filter(near).collect();
        let choice = match (rng.random_range(0..12u32), close.len(), legal.len()) {
            (0, ..) | (_, _, 0) => None,
            (1..8, 1.., _) => Some(*close[rng.random_range(0..close.len())]),
            _ => Some(legal[rng.random_range(0..legal.len())]),
        };
        match choice {
            Some(p) => {
                board.play(p, side);
            }
            None => board.pass(),
        }
        played.push(choice);
        side = side.other();
    }
    GoRecord::of_moves(size, &played)
}

fn positions(game: &GoRecord) -> Vec<Position> {
    let mut position = Position::new(game.size());
    let mut all = vec![position.clone()];
    for mv in game.moves() {
        position.play(mv.map_or(Move::Pass, Move::Play));
        all.push(position.clone());
    }
    all
}

fn learned(settings: &Settings, games: &[GoRecord], acquisition: usize) -> Database {
    let games: Vec<&GoRecord> = games.iter().collect();
    let gathered = Gathered::from(&games[..acquisition], settings);
    let mut counting = Counting::new(settings, &gathered, &games);
    while counting.advance(&games, 2, &Silent, &StopFlag::new()).unwrap() {}
    counting.database()
}

/// Does a pattern match with its move here, in some form? On an array, stone by stone.
fn matches(shape: Shape<'_>, room: Room, board: &Board, side: Side, p: Point) -> bool {
    let size = board.size();
    board.at(p) == Colour::Empty
        && Symmetry::ALL.into_iter().any(|s| {
            let (x, y) = s.inverse().map(size, p.x(), p.y());
            room.contains(x, y)
                && shape.stones().iter().all(|&code| {
                    let (dx, dy) = step(turned(s, code));
                    let (x, y) = (p.x() as i32 + dx, p.y() as i32 + dy);
                    let owner = if is_theirs(code) { side.other() } else { side };
                    let inside = |at: i32| (0..size as i32).contains(&at);
                    inside(x)
                        && inside(y)
                        && board.at(Point::at(x as usize, y as usize)) == Colour::of(owner)
                })
        })
}

/// The guesser without any cleverness.
fn naive(database: &Database, position: &Position, most: usize) -> Vec<Proposal> {
    let (board, side) = (position.board(), position.to_move());
    let stage = database.stage(position.moves_played() + 1);
    let ko = database.knows_ko() && board.ko().is_some();
    let mut found: Vec<Proposal> = Vec::new();
    for i in database.stage_range(stage) {
        let shape = database.shapes().get(i);
        for point in board.points() {
            if shape.ko() == ko
                && board.check(point, side, false).is_ok()
                && found.iter().all(|f| f.point != point)
                && matches(shape, database.room(i), board, side, point)
            {
                found.push(Proposal { point, pattern: i as u32 });
            }
        }
    }
    found.truncate(most);
    found
}

fn scan(database: &Database, position: &Position, most: usize) -> Vec<Proposal> {
    fn with<const W: usize>(d: &Database, p: &Position, most: usize) -> Vec<Proposal> {
        Scan::<W>::new(d).expect("as many words as the board needs").guess(d, p, most)
    }
    match super::bits::words(database.size()) {
        1 => with::<1>(database, position, most),
        2 => with::<2>(database, position, most),
        3 => with::<3>(database, position, most),
        _ => with::<6>(database, position, most),
    }
}

fn settings_of(size: usize, variant: u64) -> Settings {
    let mut settings = Settings::of_size(size);
    settings.support = (variant % 3) as u32;
    settings.confidence = [0.0, 0.01, 0.1][(variant / 3 % 3) as usize];
    settings.stages = [vec![], vec![10, 25]][(variant / 9 % 2) as usize].clone();
    settings.translations =
        [Translations::Observed, Translations::Anywhere][(variant / 18 % 2) as usize];
    settings.count = [Count::Placements, Count::Examples][(variant / 36 % 2) as usize];
    settings.value = [Value::Share, Value::Lower, Value::LeaveOut][(variant / 72 % 3) as usize];
    settings.ko = (variant / 216).is_multiple_of(2);
    settings.k_min = 1 + (variant / 432 % 4) as usize;
    settings
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn tree_scan_and_array_guess_the_same_moves(
        size in prop_oneof![Just(4usize), Just(7), Just(9), Just(13), Just(19)],
        variant in 0u64..1728,
        seed in any::<u64>(),
        most in prop_oneof![Just(1usize), Just(3), Just(20), Just(400)],
    ) {
        let moves = (size * size / 2).min(60);
        let games: Vec<GoRecord> = (0..3).map(|i| random_game(size, moves, seed ^ i)).collect();
        let database = learned(&settings_of(size, variant), &games, 2);
        let small = Model::with("small", database.clone(), Forms::One);
        let model = Model::with("large", database, Forms::Eight);
        // The same finders for all: what they remember must not matter.
        let (mut large, mut little) = (model.finder(), small.finder());
        let other = random_game(size, moves, !seed);
        for position in positions(&games[0]).iter().chain(&positions(&other)).step_by(17) {
            let expected = naive(model.database(), position, most);
            prop_assert_eq!(large.best(position, most).to_vec(), expected.clone());
            prop_assert_eq!(little.best(position, most).to_vec(), expected.clone());
            prop_assert_eq!(scan(model.database(), position, most), expected);
        }
    }

    #[test]
    fn a_finder_that_follows_games_finds_what_one_without_memory_finds(
        size in prop_oneof![Just(4usize), Just(7), Just(9), Just(19)],
        variant in 0u64..1728,
        seed in any::<u64>(),
        mosts in proptest::collection::vec(prop_oneof![Just(1usize), 2usize..30, Just(400)], 1..4),
        jumps in proptest::collection::vec(0usize..40, 12),
    ) {
        let moves = (size * size).min(90);
        let games: Vec<GoRecord> = (0..3).map(|i| random_game(size, moves, seed ^ i)).collect();
        let database = learned(&settings_of(size, variant), &games, 2);
        let small = Model::with("small", database.clone(), Forms::One);
        let model = Model::with("large", database, Forms::Eight);
        let (mut large, mut little) = (model.finder(), small.finder());
        let other = positions(&random_game(size, moves, !seed));
        let learned_from = positions(&games[0]);
        // A game from its beginning, one that is played backwards, and one with leaps: stones come and
        // go, stages and sides change, and so does the number of moves that are asked for.
        let mut at = 0;
        let leaps = jumps.iter().map(|jump| { at += jump; &learned_from[at % learned_from.len()] });
        let asked = other.iter().chain(learned_from.iter().rev()).chain(leaps.collect::<Vec<_>>());
        for (i, position) in asked.enumerate() {
            let most = mosts[i % mosts.len()];
            let expected = model.finder().best(position, most).to_vec();
            prop_assert_eq!(large.best(position, most), &expected[..], "position {}", i);
            prop_assert_eq!(little.best(position, most), &expected[..], "position {}", i);
            if i % 23 == 0 {
                prop_assert_eq!(&naive(model.database(), position, most), &expected);
            }
        }
    }

    #[test]
    fn counts_are_those_of_comparing_everything_with_everything(
        size in prop_oneof![Just(5usize), Just(9)],
        variant in 0u64..1728,
        seed in any::<u64>(),
    ) {
        let games: Vec<GoRecord> = (0..3).map(|i| random_game(size, 24, seed ^ i)).collect();
        let mut settings = settings_of(size, variant);
        (settings.support, settings.confidence) = (0, 0.0);
        let database = learned(&settings, &games, 2);
        prop_assert!(!database.is_empty());
        let refs: Vec<&GoRecord> = games.iter().collect();
        let gathered = Gathered::from(&refs[..2], &settings);
        prop_assert_eq!(gathered.len(), database.len());
        for i in 0..database.len() {
            let shape = database.shapes().get(i);
            let origin = (0..gathered.len())
                .find(|&g| gathered.shapes.get(g) == shape)
                .map(|g| gathered.origins[g] as usize);
            let expected = count_one(&settings, shape, origin, &games);
            prop_assert_eq!((database.room(i), database.counts(i)), expected, "{:?}", shape);
        }
    }

    #[test]
    fn what_is_written_is_read_and_what_is_damaged_is_refused(
        variant in 0u64..1728,
        seed in any::<u64>(),
        at in any::<prop::sample::Index>(),
    ) {
        let database = learned(&settings_of(7, variant), &[random_game(7, 30, seed)], 1);
        let bytes = file_of(&database);
        let expect = Expect::model("go").layout(super::LAYOUT);
        let file = Container::from_bytes(bytes.clone(), &expect).unwrap();
        prop_assert_eq!(&Database::read(&file).unwrap(), &database);
        prop_assert!(crate::models::of_container(&file, "a").unwrap().knows_size(7));
        let mut broken = bytes.clone();
        let at = at.index(broken.len());
        broken[at] ^= 0x10;
        let read = Container::from_bytes(broken, &expect)
            .map_err(|e| e.to_string())
            .and_then(|file| Database::read(&file).map_err(|e| e.to_string()));
        prop_assert!(read.is_err());
        prop_assert!(Container::from_bytes(bytes[..at].to_vec(), &expect).is_err());
    }
}

fn file_of(database: &Database) -> Vec<u8> {
    let mut writer =
        Writer::new(Vec::new(), &Header::new(Kind::Model, "go", super::LAYOUT)).unwrap();
    database.write(&mut writer).unwrap();
    writer.finish().unwrap()
}

/// Room and counts of one pattern, example by example and point by point.
fn count_one(
    settings: &Settings,
    shape: Shape<'_>,
    origin: Option<usize>,
    games: &[GoRecord],
) -> (Room, Counts) {
    let fits = |board: &Board, number: u32| {
        settings.stage(number) == shape.stage()
            && (settings.ko && board.ko().is_some()) == shape.ko()
    };
    let mut room = shape.room(settings.size);
    if settings.translations == Translations::Observed && shape.sides() == 0 {
        let whole = room;
        room = Room::NONE;
        for game in games {
            replay(game, |board, side, p, number| {
                for s in Symmetry::ALL {
                    let (x, y) = s.inverse().map(settings.size, p.x(), p.y());
                    let here = Room { x: (x as u8, x as u8), y: (y as u8, y as u8) };
                    // A room of one point matches in this form or in one that lies the same way.
                    if fits(board, number) && matches(shape, here, board, side, p) {
                        assert!(whole.contains(x, y));
                        room.include(x, y);
                    }
                }
                true
            });
        }
    }
    let mut counts = Counts::default();
    for (i, game) in games.iter().enumerate() {
        if settings.value == Value::LeaveOut && Some(i) == origin {
            continue;
        }
        replay(game, |board, side, played, number| {
            if fits(board, number) {
                let here: Vec<Point> = board
                    .points()
                    .filter(|&p| board.check(p, side, false).is_ok())
                    .filter(|&p| matches(shape, room, board, side, p))
                    .collect();
                counts.matched += match settings.count {
                    Count::Placements => here.len() as u32,
                    Count::Examples => u32::from(!here.is_empty()),
                };
                counts.played += u32::from(here.contains(&played));
            }
            true
        });
    }
    (room, counts)
}

#[test]
fn every_example_gives_a_pattern_for_every_k_and_duplicates_are_dropped() {
    let game = random_game(9, 40, 5);
    let settings = Settings::of_size(9);
    let gathered = Gathered::from(&[&game], &settings);
    let mut expected: BTreeMap<Vec<u16>, usize> = BTreeMap::new();
    replay(&game, |board, side, p, number| {
        let example = Example::of(board, side, p, number).normal();
        let neighbours = Neighbours::of(&example, settings.nearness);
        for k in (4..=9).filter(|&k| k <= neighbours.count()) {
            let (sides, stones) = neighbours.nearest(k);
            assert_eq!(stones.len() + sides.count_ones() as usize, k);
            let form = canonical(9, example.at, sides, &stones);
            let words = Shape::words(settings.stage(number), example.ko, &form);
            *expected.entry(words).or_default() += 1;
        }
        true
    });
    assert_eq!(gathered.len(), expected.len());
    assert_eq!(Gathered::from(&[&game, &game], &settings).len(), expected.len());
    let words: Vec<&[u16]> = (0..gathered.len()).map(|i| gathered.shapes.words_of(i)).collect();
    assert_eq!(words, expected.keys().map(Vec::as_slice).collect::<Vec<_>>());
}

#[test]
fn images_of_games_teach_the_same_patterns() {
    let game = random_game(9, 50, 8);
    let settings = Settings::of_size(9);
    let expected = Gathered::from(&[&game], &settings);
    for s in Symmetry::ALL {
        let moves: Vec<Option<Point>> = game
            .moves()
            .map(|mv| {
                mv.and_then(|p| {
                    let (x, y) = s.map(9, p.x(), p.y());
                    Point::new(x, y)
                })
            })
            .collect();
        let image = GoRecord::of_moves(9, &moves);
        assert_eq!(Gathered::from(&[&image], &settings).shapes, expected.shapes, "{s:?}");
    }
}

#[test]
fn a_stage_may_hold_more_patterns_than_fit_in_two_bytes() {
    let games: Vec<GoRecord> = (0..330).map(|seed| random_game(9, 60, seed)).collect();
    let mut settings = Settings::of_size(9);
    (settings.support, settings.confidence, settings.stages) = (0, 0.0, vec![]);
    let database = learned(&settings, &games, games.len());
    assert!(database.len() > 1 << 16, "{} patterns", database.len());
    let model = Model::new("large", database);
    let mut finder = model.finder();
    for position in positions(&random_game(9, 50, 1000)).iter().step_by(7) {
        let found = finder.best(position, 81).to_vec();
        assert_eq!(found, scan(model.database(), position, 81));
    }
}

#[test]
fn any_number_of_threads_learns_and_guesses_the_same() {
    let games: Vec<GoRecord> = (0..7).map(|i| random_game(9, 40, i)).collect();
    let at = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let database = learned(&Settings::of_size(9), &games, 5);
            let bytes = file_of(&database);
            let asked: Vec<Position> = positions(&games[6]);
            (bytes, Model::new("test", database).guess_all(&asked, 20))
        })
    };
    let one = at(1);
    assert!(one.1.iter().any(|guesses| guesses.len() > 5));
    for threads in [2, 3, 5] {
        assert!(at(threads) == one, "{threads} threads");
    }
}

#[test]
fn counting_goes_on_where_it_was_left() {
    let games: Vec<GoRecord> = (0..5).map(|i| random_game(9, 30, i)).collect();
    let refs: Vec<&GoRecord> = games.iter().collect();
    let settings = Settings::of_size(9);
    let gathered = Gathered::from(&refs, &settings);
    let mut half = Counting::new(&settings, &gathered, &refs);
    assert!(half.advance(&refs, 3, &Silent, &StopFlag::new()).unwrap());
    let (matched, played) = half.counted();
    let mut rest = Counting::new(&settings, &gathered, &refs);
    assert!(rest.go_on(half.games, &matched, &played) && !rest.go_on(3, &[1], &[1]));
    while rest.advance(&refs, 1, &Silent, &StopFlag::new()).unwrap() {}
    assert_eq!(rest.database(), learned(&settings, &games, 5));
    let stop = StopFlag::new();
    stop.set();
    assert!(Counting::new(&settings, &gathered, &refs).advance(&refs, 9, &Silent, &stop).is_err());
}

#[test]
fn a_model_is_a_policy_whose_probabilities_add_up_to_one() {
    let games: Vec<GoRecord> = (0..4).map(|i| random_game(9, 40, i)).collect();
    let model = Model::new("knn", learned(&Settings::of_size(9), &games, 4));
    assert!(model.knows_size(9) && !model.knows_size(19));
    let mut guesses = Vec::new();
    let position = &positions(&games[0])[20];
    model.guesser().guess(Scene::bare(position), &mut guesses);
    let sum: f32 = guesses.iter().map(|g| g.probability).sum();
    assert!(guesses.len() > 3 && (sum - 1.0).abs() < 1e-5, "{guesses:?}");
    assert!(model.finder().best(&Position::new(19), 5).is_empty());
}

/// The game of the thesis's appendix: Miyamoto Naoki, Black, against Go Seigen, 1968.
const APPENDIX: &str = include_str!("appendix.sgf");

#[test]
fn the_game_of_the_appendix_replays_as_the_thesis_says() {
    let corpus = Corpus::of_files([("appendix.sgf", APPENDIX.as_bytes())], &Filter::of_size(9));
    let game = &corpus.games[0];
    let (mut board, mut side) = (Board::new(9), Side::First);
    let (mut captures, mut kos) = (Vec::new(), Vec::new());
    let sgf =
        |p: Point| [p.x(), p.y()].iter().map(|&i| char::from(b'a' + i as u8)).collect::<String>();
    let first: Vec<String> = game.moves().take(2).flatten().map(sgf).collect();
    assert_eq!(first, ["de", "fe"]);
    for (number, mv) in (1..).zip(game.moves()) {
        let captured = board.play(mv.unwrap(), side);
        if captured > 0 {
            captures.push((number, captured));
        }
        kos.extend(board.ko().map(|p| (number, sgf(p))));
        side = side.other();
    }
    let expected = [
        (18, 2),
        (26, 2),
        (47, 1),
        (48, 1),
        (57, 1),
        (66, 1),
        (69, 1),
        (72, 1),
        (74, 1),
        (75, 1),
        (77, 2),
        (78, 1),
    ];
    assert_eq!(captures, expected);
    let expected = [(66, "ah"), (69, "ai"), (72, "ah"), (75, "ai"), (78, "ah")];
    assert_eq!(kos, expected.map(|(n, p)| (n, p.to_string())));
    assert_eq!(Side::BOTH.map(|s| board.captures(s)), [6, 9]);
    let stones = |colour| board.points().filter(|&p| board.at(p) == colour).count();
    assert_eq!((stones(Colour::Black), stones(Colour::White)), (31, 34));
    // Every move gives six patterns, but for the first ones with few stones, and those with a ko are
    // patterns of their own.
    let gathered = Gathered::from(&[game], &Settings::of_size(9));
    assert!(gathered.shapes.iter().any(Shape::ko));
    assert_eq!(gathered.histogram().len(), 10);
}
