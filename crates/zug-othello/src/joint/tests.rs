//! Fits of games that the tests play themselves.

use super::compare::discordances;
use super::data::{BoardRows, Examples};
use super::errors::{all, calibration, errors};
use super::search::SearchOptions;
use super::*;
use crate::Board;
use crate::Othello;
use crate::examples::{Example, ExampleFile, ExampleWriter, FOLDS, MIXED, Source};
use crate::patterns::{PatternSet, Phases};
use crate::records::testing::random_game;
use proptest::prelude::*;
use std::collections::BTreeMap;
use std::sync::OnceLock;
use zug_core::{Silent, StopFlag};
use zug_learn::joint::{Loss, TableExamples, TableFit};

/// The positions of random games with their results, as a file.
fn games(count: u64) -> ExampleFile {
    let mut all: BTreeMap<(u32, Board), Example> = BTreeMap::new();
    for seed in 0..count {
        let mut boards = vec![Board::START];
        for mv in random_game(&Othello::default(), seed, usize::MAX) {
            boards.push(boards[boards.len() - 1].after_move(mv));
        }
        let last = boards.pop().unwrap();
        let mut score = last.final_score() as i8;
        for board in boards.into_iter().rev() {
            score = -score;
            let example = Example {
                board: board.canonical(),
                score,
                source: Source::Game,
                fold: (seed % u64::from(FOLDS)) as u8,
                count: 1,
            };
            all.entry(example.key()).and_modify(|e| e.absorb(&example)).or_insert(example);
        }
    }
    let mut writer = ExampleWriter::new(Vec::new(), &ExampleFile::new_header()).unwrap();
    all.into_values().for_each(|e| writer.push(e).unwrap());
    ExampleFile::from_bytes(writer.finish().unwrap()).unwrap()
}

fn played() -> &'static ExampleFile {
    static FILE: OnceLock<ExampleFile> = OnceLock::new();
    FILE.get_or_init(|| games(300))
}

fn small() -> JointOptions {
    JointOptions {
        patterns: ["edge", "diagonal8", "mobility"].map(str::to_string).to_vec(),
        knots: vec![20, 40, 60],
        fit: TableFit { ridge: 10.0, smooth: 1.0, iterations: 8, ..TableFit::default() },
        validation_folds: vec![3, 7],
        ..JointOptions::default()
    }
}

fn fitted(options: &JointOptions) -> (crate::patterns::PatternModel, JointReport) {
    let files = [ExampleFile::from_bytes(bytes()).unwrap()];
    fit(&files, options, &Silent, &StopFlag::new()).unwrap()
}

/// The bytes of the file of [`played`] games.
fn bytes() -> Vec<u8> {
    let mut writer = ExampleWriter::new(Vec::new(), &ExampleFile::new_header()).unwrap();
    played().for_each(0..=64, |e| writer.push(e).unwrap()).unwrap();
    writer.finish().unwrap()
}

#[test]
fn a_fit_explains_games_that_it_has_not_seen() {
    let (model, report) = fitted(&small());
    let late = |d: u32| report.by_discs.iter().find(|e| e.discs == Some(d)).unwrap();
    assert!(late(60).root_mean_square < 0.75 * late(60).labels, "{report}");
    assert!(report.all.root_mean_square < report.all.labels, "{report}");
    // The error told by the last iterations is that of the final model, but for rounding: the
    // weights of single positions are the same here in all but the first moves.
    let told = report.iterations[report.best as usize].validation.unwrap();
    assert!((told - report.all.root_mean_square).abs() < 0.5, "{told} {report}");
    assert_eq!(report.compared, ["model", "moves", "discs"]);
    let ranked = report.discordance.iter().find(|r| r.discs == 58).unwrap();
    assert!(ranked.values[0] < ranked.values[1], "{ranked:?}");
    assert_eq!(report.tables.len(), 3);
    let shares: f64 = report.tables.iter().map(|t| t.share).sum();
    assert!((shares - 1.0).abs() < 1e-9);
    assert!(report.tables.iter().all(|t| t.seen > 0 && t.seen <= t.cells));
    assert!(report.win.iter().any(|c| c.slope > 0.01 && c.chance(30.0) > 0.6), "{report}");
    assert_eq!(model.set().list(), small().patterns);
    let text = serde_json::to_string(&report).unwrap();
    assert!(text.contains("\"by_discs\""));
    assert!(report.to_string().contains("d(model) d(moves)"));
}

#[test]
fn the_same_fit_gives_the_same_model_with_any_number_of_threads() {
    let run = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| fitted(&small()))
    };
    let (one, two) = (run(1), run(2));
    assert_eq!(one.0.weights(), two.0.weights());
    assert_eq!(one.1, two.1);
}

#[test]
fn a_fit_of_chances_gives_values_in_discs() {
    let mut options = small();
    options.fit.loss = Loss::Logistic;
    let (_, report) = fitted(&options);
    let late = report.by_discs.iter().find(|e| e.discs == Some(60)).unwrap();
    assert!(late.root_mean_square < 0.9 * late.labels, "{report}");
}

#[test]
fn a_fit_that_was_stopped_goes_on_to_the_same_model() {
    let whole = fitted(&small());
    let folder = tempfile::tempdir().unwrap();
    let mut options = small();
    options.checkpoints = Some(folder.path().to_path_buf());
    options.fit.iterations = 3;
    fitted(&options);
    options.fit.iterations = 8;
    let (model, report) = fitted(&options);
    assert_eq!(model.weights(), whole.0.weights());
    assert_eq!(report.iterations, whole.1.iterations);
    options.clip = 10.0;
    let files = [ExampleFile::from_bytes(bytes()).unwrap()];
    let error = fit(&files, &options, &Silent, &StopFlag::new()).err().unwrap().to_string();
    assert!(error.contains("another fit"), "{error}");
}

#[test]
fn games_are_divided_by_their_folds() {
    let split = Split::read(std::slice::from_ref(played()), &small()).unwrap();
    let mut expected = [0, 0];
    played()
        .for_each(5..=63, |e| {
            let is_held_out = [3, 7].contains(&e.fold);
            expected[usize::from(is_held_out)] += 1;
            assert!(e.fold < FOLDS || e.fold == MIXED);
        })
        .unwrap();
    assert_eq!([split.training.len(), split.validation.len()], expected);
    let part = JointOptions { sample: 0.25, first_discs: 30, last_discs: 40, ..small() };
    let sampled = Split::read(std::slice::from_ref(played()), &part).unwrap();
    assert_eq!(sampled, Split::read(std::slice::from_ref(played()), &part).unwrap());
    let range = split.training.groups.iter().filter(|g| (30..=40).contains(&g.discs));
    let there: usize = range.map(|g| g.boards.len()).sum();
    let share = sampled.training.len() as f64 / there as f64;
    assert!((share - 0.25).abs() < 0.05, "{share}");
    assert!(sampled.training.groups.iter().all(|g| (30..=40).contains(&g.discs)));
}

#[test]
fn positions_that_one_file_holds_out_and_another_teaches_are_not_judged_by() {
    let one = |fold: u8| {
        let mut writer = ExampleWriter::new(Vec::new(), &ExampleFile::new_header()).unwrap();
        let mut number = 0;
        let write = |e: Example| {
            number += 1;
            // A third of the boards stands in the second file alone, another in both.
            if fold == 3 || number % 3 != 0 {
                let fold = if number % 3 == 1 { 1 } else { fold };
                writer.push(Example { fold, count: 4, ..e }).unwrap();
            }
        };
        played().for_each(20..=40, write).unwrap();
        ExampleFile::from_bytes(writer.finish().unwrap()).unwrap()
    };
    let split = Split::read(&[one(2), one(3)], &small()).unwrap();
    let alone = Split::read(&[one(3)], &small()).unwrap();
    assert!(!split.validation.is_empty() && split.validation.len() < alone.validation.len());
    for group in &split.validation.groups {
        assert_eq!([group.scores.len(), group.weights.len()], [group.boards.len(); 2]);
        let taught = split.training.groups.iter().find(|g| g.discs == group.discs).unwrap();
        assert!(group.boards.iter().all(|board| !taught.boards.contains(board)));
    }
}

#[test]
fn examples_count_as_often_as_the_weighting_says() {
    let example =
        Example { board: Board::START, score: 2, source: Source::Exact, fold: 0, count: 16 };
    let weighting = Weighting { count_power: 0.5, most: 3.0, sources: [1.0, 1.0, 1.0, 2.0] };
    assert_eq!(weighting.of(&example), 6.0);
    assert_eq!(Weighting { most: 100.0, ..weighting }.of(&example), 8.0);
    let bad = JointOptions {
        weighting: Weighting { count_power: f64::NAN, ..Weighting::default() },
        ..small()
    };
    let error = Split::read(&[], &bad).unwrap_err().to_string();
    assert!(error.starts_with("the weighting is power NaN of the count"), "{error}");
}

#[test]
fn what_cannot_be_fitted_is_named() {
    let message = |change: &dyn Fn(&mut JointOptions)| {
        let mut options = small();
        change(&mut options);
        let files = [ExampleFile::from_bytes(bytes()).unwrap()];
        fit(&files, &options, &Silent, &StopFlag::new()).err().unwrap().to_string()
    };
    assert!(message(&|o| o.patterns = vec!["edgy".into()]).starts_with("in the patterns"));
    assert!(message(&|o| o.knots = vec![30, 20]).contains("[30, 20]"));
    assert!(message(&|o| o.clip = f32::NAN).starts_with("the clip is NaN"));
    assert!(message(&|o| o.sample = 0.0).starts_with("the sample is 0"));
    assert!(message(&|o| o.fit.smooth = -1.0).starts_with("smooth is -1"));
    let text = message(&|o| o.last_discs = 3);
    assert!(text.contains("no training examples") && text.contains("5 to 3 discs"), "{text}");
    let text = message(&|o| o.validation_folds = vec![FOLDS]);
    assert!(text.contains("no validation examples"), "{text}");
    let text = fit(&[], &small(), &Silent, &StopFlag::new()).err().unwrap().to_string();
    assert!(text.contains("in no files"), "{text}");
}

#[test]
fn errors_and_calibration_of_known_values() {
    let mut split = Split::read(std::slice::from_ref(played()), &small()).unwrap();
    for group in &mut split.validation.groups {
        for (board, score) in group.boards.iter().zip(&mut group.scores) {
            *score = board.moves().count_ones() as i8;
        }
    }
    let label = |b: Board| f64::from(b.moves().count_ones());
    let exact = all(&errors(&split.validation, label));
    assert_eq!((exact.mean_absolute, exact.root_mean_square, exact.bias), (0.0, 0.0, 0.0));
    let off = all(&errors(&split.validation, |b| label(b) + 2.0));
    assert!((off.bias - 2.0).abs() < 1e-9 && (off.root_mean_square - 2.0).abs() < 1e-9);
    assert_eq!(off.count as usize, split.validation.len());
    for bin in calibration(&split.validation, label) {
        assert!((bin.value - bin.label).abs() < 1e-9 && bin.from <= bin.value);
    }
    let rows = discordances(
        &split.validation,
        &[Compared::new("label", label), Compared::new("nothing", |_| 0.0)],
    );
    assert!(rows.iter().all(|r| r.values[0] == 0.0 && r.values[1] >= 0.0));
}

#[test]
fn a_search_finds_the_pattern_that_the_labels_are_made_of() {
    // The labels ask of each edge whether its two corners have the same owner: only patterns that
    // hold both can tell.
    let mut split = Split::read(std::slice::from_ref(played()), &small()).unwrap();
    let label = |board: Board| {
        let owner = |s: u32| (board.own >> s & 1) as i8 - (board.other >> s & 1) as i8;
        let edges = [(0, 7), (0, 56), (7, 63), (56, 63)];
        10 * edges.iter().map(|&(a, b)| owner(a) * owner(b)).sum::<i8>()
    };
    for groups in [&mut split.training.groups, &mut split.validation.groups] {
        for group in groups {
            for (board, score) in group.boards.iter().zip(&mut group.scores) {
                *score = label(*board);
            }
        }
    }
    let mut joint = small();
    joint.patterns = vec!["diagonal5".into(), "row4".into()];
    joint.fit.ridge = 0.1;
    let options =
        SearchOptions { joint, rounds: 1, generated: 2, seed: 2, ..SearchOptions::default() };
    let found = search_split(&split, &options, &Silent, &StopFlag::new()).unwrap();
    assert!(found.error < found.trials[0].error - 0.5, "{found}");
    let taken = found.trials.iter().rfind(|t| t.taken).unwrap();
    assert!(taken.with.as_ref().is_some_and(|w| w.starts_with("edge")), "{found}");
    assert_eq!(found, search_split(&split, &options, &Silent, &StopFlag::new()).unwrap());
    assert_eq!(found.trials.iter().filter(|t| t.round == 1 && t.with.is_none()).count(), 2);
    assert!(found.to_string().contains("+edge"));
    let stop = StopFlag::new();
    stop.set();
    assert!(search_split(&split, &options, &Silent, &stop).is_err());
    split.validation = Examples::default();
    let error = search_split(&split, &options, &Silent, &StopFlag::new()).unwrap_err();
    assert_eq!(error.to_string(), "there are no validation examples");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(8))]
    #[test]
    fn rows_hold_the_cells_targets_and_weights_of_their_boards(seed in 0u64..1000, power in 0.0..1.0f64) {
        let file = games(3 + seed % 5);
        let mut options = small();
        options.validation_folds.clear();
        options.weighting.count_power = power;
        let split = Split::read(std::slice::from_ref(&file), &options).unwrap();
        let set = PatternSet::parse(&options.patterns).unwrap();
        let phases = Phases::new(&options.knots).unwrap();
        for (loss, clip) in [(Loss::Squared, 20.0), (Loss::Logistic, 64.0)] {
            let rows = BoardRows::new(&split.training, &set, &phases, loss, clip);
            let mut seen = 0;
            let mut list = Vec::new();
            for chunk in 0..rows.chunks() {
                let group = &split.training.groups[chunk]; // All are shorter than a chunk.
                let (knot, share) = phases.place(group.discs);
                prop_assert_eq!((rows.place(chunk).knot, rows.place(chunk).share as f32), (knot, share));
                let mut at = 0;
                rows.visit(chunk, &mut |batch| {
                    for (i, cells) in batch.cells.chunks_exact(rows.width()).enumerate() {
                        set.cells_of(group.boards[at], &mut list);
                        assert_eq!(cells, list);
                        let score = f32::from(group.scores[at]);
                        let target = match loss {
                            Loss::Squared => score.clamp(-20.0, 20.0),
                            Loss::Logistic => 0.5 + 0.5 * score.clamp(-1.0, 1.0),
                        };
                        assert_eq!(batch.targets[i], target);
                        assert_eq!(batch.weights[i], group.weight(at));
                        at += 1;
                    }
                }).unwrap();
                prop_assert_eq!(at, rows.rows(chunk));
                seen += at;
            }
            prop_assert_eq!(seen, split.training.len());
        }
    }
}
