//! Whole runs: the same bytes for any number of threads and after any interruption, and better than
//! the weights that they began with.

use super::game::opening;
use super::judge::encounter;
use super::options::Options;
use super::weights::Weights;
use crate::patterns::{PatternModel, PatternSet, Phases};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use zug_core::{Progress, Silent, StopFlag, rng};
use zug_learn::face::TaskError;
use zug_learn::td::face::TdOrder;

const TABLES: &str = "edge+corner3x3+diagonal8+mobility";

fn order(out: &Path, games: u64, more: &[(&str, &str)]) -> TdOrder {
    let small = [("patterns", TABLES), ("knots", "10-60:10"), ("exact", "6"), ("measure", "0")];
    let options = small.iter().filter(|s| more.iter().all(|m| m.0 != s.0)).chain(more);
    TdOrder {
        games: Some(games),
        seed: 5,
        threads: 2,
        out: out.to_path_buf(),
        options: options.map(|(k, v)| (k.to_string(), v.to_string())).collect(),
        command: "zug learn othello td".to_string(),
        ..TdOrder::default()
    }
}

fn learn(order: &TdOrder) -> Vec<u8> {
    super::learn(order, &Silent, &StopFlag::new()).unwrap();
    std::fs::read(order.out.join("model.zug")).unwrap()
}

/// Asks to stop after so many games.
struct StopAfter {
    games: AtomicU64,
    most: u64,
    stop: StopFlag,
}

impl Progress for StopAfter {
    fn set_length(&self, _: Option<u64>) {}
    fn advance(&self, units: u64) {
        if self.games.fetch_add(units, Ordering::Relaxed) + units >= self.most {
            self.stop.set();
        }
    }
    fn message(&self, _: &str) {}
    fn finish(&self) {}
}

#[test]
fn a_run_ends_with_the_same_bytes_on_any_number_of_threads() {
    let folder = tempfile::tempdir().unwrap();
    let with = |threads: usize, name: &str| {
        let order = order(&folder.path().join(name), 100, &[("batch", "33"), ("depth", "1")]);
        learn(&TdOrder { threads, ..order })
    };
    let one = with(1, "one");
    assert_eq!(one, with(3, "three"));
    let other = order(&folder.path().join("other"), 100, &[("batch", "33"), ("depth", "1")]);
    assert_ne!(one, learn(&TdOrder { seed: 6, ..other }));
}

#[test]
fn a_run_that_was_stopped_goes_on_to_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let few = [("batch", "20"), ("depth", "1"), ("measure", "40"), ("measure-pairs", "2")];
    let whole = order(&folder.path().join("whole"), 120, &few);
    let expected = learn(&whole);
    let mut parts = order(&folder.path().join("parts"), 120, &few);
    for most in [30, 70] {
        let stop = StopFlag::new();
        let games = AtomicU64::new(0);
        let progress = StopAfter { games, most, stop: stop.clone() };
        let ended = super::learn(&parts, &progress, &stop);
        assert!(matches!(ended, Err(TaskError::Stopped { resumable: true })));
        parts.resume = true;
        // Other threads change nothing.
        parts.threads = 1;
    }
    assert_eq!(learn(&parts), expected);
    let metrics = |order: &TdOrder| std::fs::read(order.out.join("metrics.jsonl")).unwrap();
    assert_eq!(metrics(&whole), metrics(&parts));
    assert!(super::report(&parts.out).unwrap().unwrap().html().contains("Learning curve"));
    // Other options are another run.
    parts.options.retain(|(key, _)| key != "depth");
    let error = super::learn(&parts, &Silent, &StopFlag::new()).unwrap_err().to_string();
    assert!(error.contains("depth"), "{error}");
}

#[test]
fn a_damaged_checkpoint_gives_way_to_the_one_before() {
    let folder = tempfile::tempdir().unwrap();
    let few = [("batch", "20"), ("depth", "1"), ("save", "20")];
    let mut parts = order(&folder.path().join("run"), 80, &few);
    let expected = learn(&parts);
    let newest = parts.out.join("checkpoints").join("000000000080.zug");
    let mut bytes = std::fs::read(&newest).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    std::fs::write(&newest, &bytes).unwrap();
    std::fs::remove_file(parts.out.join("model.zug")).unwrap();
    parts.resume = true;
    assert_eq!(learn(&parts), expected);
    assert!(newest.with_extension("damaged").exists());
}

#[test]
fn a_few_hundred_games_beat_the_weights_that_they_began_with() {
    let folder = tempfile::tempdir().unwrap();
    let order = order(folder.path(), 400, &[("batch", "25"), ("ridge", "5")]);
    super::learn(&order, &Silent, &StopFlag::new()).unwrap();
    let learned = PatternModel::open(&folder.path().join("model.zug")).unwrap();
    let options = Options::of(&order).unwrap();
    let set = PatternSet::parse(&options.patterns).unwrap();
    let phases = Phases::new(&options.knots).unwrap();
    let start = Weights::new(set, phases, options.noise, order.seed).model();
    let openings: Vec<_> = (0..40).map(|n| opening(6, &mut rng(8, n))).collect();
    let (score, error) = encounter(&learned, &start, &openings, 1, &StopFlag::new()).unwrap();
    assert!(score > 0.75, "{score} ± {error}");
}

#[test]
fn a_run_of_something_else_has_another_page() {
    use zug_core::run::{Run, RunConfig};
    let folder = tempfile::tempdir().unwrap();
    Run::create(folder.path(), RunConfig::new("td", "othello", 1)).unwrap();
    assert!(super::report(folder.path()).unwrap().is_none());
}
