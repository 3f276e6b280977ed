//! Whole runs: learned, stopped, resumed, damaged; and what becomes of broken models.

use super::games::{Each, FourLose, Sticks};
use crate::face::TaskError;
use crate::td::attach::SelfPlayOf;
use crate::td::face::{AnySelfPlay, TdOrder};
use crate::td::features::SharedFeatures;
use crate::td::linear::{Linear, Squash};
use proptest::prelude::*;
use std::fs;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use zug_core::container::{Container, Expect, Writer};
use zug_core::{Evaluator, Progress, Silent, StopFlag};

const STICKS: u8 = 21;

fn each(name: &'static str, most: u8) -> SharedFeatures<Sticks> {
    Arc::new(Each { name, most })
}

fn learner() -> SelfPlayOf<Sticks> {
    SelfPlayOf::new(&Sticks(STICKS), vec![each("each", STICKS)])
        .with_truth(Arc::new(|_: &Sticks, _: &StopFlag| Some(Box::new(FourLose))))
}

fn order(out: &Path, set: &[(&str, &str)]) -> TdOrder {
    let set = set.iter().map(|(k, v)| (k.to_string(), v.to_string()));
    let small = [("rounds", "5"), ("gate-games", "20"), ("test-games", "20"), ("sample", "50")];
    let small = small.iter().map(|(k, v)| (k.to_string(), v.to_string()));
    TdOrder {
        games: Some(1500),
        seed: 3,
        threads: 1,
        out: out.to_path_buf(),
        options: small.chain(set).collect(),
        command: "zug learn sticks td".to_string(),
        ..TdOrder::default()
    }
}

fn learn(order: &TdOrder) -> f64 {
    let account = learner().learn(order, &Silent, &StopFlag::new()).unwrap();
    crate::markup::check(&account.page).unwrap();
    account.figures["optimal"].as_f64().unwrap()
}

/// Sets the flag after so many games: a Ctrl-C.
struct Interrupt {
    after: u64,
    done: AtomicU64,
    stop: StopFlag,
}

impl Progress for Interrupt {
    fn set_length(&self, _: Option<u64>) {}
    fn advance(&self, units: u64) {
        if self.done.fetch_add(units, Ordering::Relaxed) + units >= self.after {
            self.stop.set();
        }
    }
    fn message(&self, _: &str) {}
    fn finish(&self) {}
}

fn interrupted(order: &TdOrder, after: u64) {
    let stop = StopFlag::new();
    let progress = Interrupt { after, done: AtomicU64::new(0), stop: stop.clone() };
    let error = learner().learn(order, &progress, &stop).err().unwrap();
    assert!(matches!(error, TaskError::Stopped { resumable: true }), "{error}");
}

fn files(out: &Path) -> [Vec<u8>; 2] {
    ["model.zug", "metrics.jsonl"].map(|name| fs::read(out.join(name)).unwrap())
}

#[test]
fn every_way_of_learning_finds_the_perfect_play_of_a_small_game() {
    let ways: &[(&str, &[(&str, &str)])] = &[
        ("td", &[]),
        ("td", &[("update", "moves"), ("lambda", "0.5")]),
        ("td", &[("own", "coherence"), ("squash", "none"), ("rate", "0.5")]),
        ("td", &[("own", "adagrad"), ("explore", "softmax"), ("epsilon", "0.3")]),
        ("td", &[("opponent", "pool"), ("keep", "average"), ("init", "0.1")]),
        ("td", &[("opponent", "champion"), ("gate-score", "0.3"), ("keep", "champion")]),
        ("td", &[("follow", "own"), ("schedule", "harmonic"), ("batch", "1")]),
        ("td-leaf", &[]),
        ("td-leaf", &[("follow", "own"), ("depth", "3"), ("schedule", "constant")]),
    ];
    for (method, set) in ways {
        let dir = tempfile::tempdir().unwrap();
        let mut order = order(&dir.path().join("run"), set);
        order.method = Some((*method).to_string());
        let optimal = learn(&order);
        assert!(optimal > 0.97, "{method} {set:?}: {optimal}");
        let first = fs::read_to_string(order.out.join("metrics.jsonl")).unwrap();
        let before: serde_json::Value =
            serde_json::from_str(first.lines().next().unwrap()).unwrap();
        assert!(before["optimal"].as_f64().unwrap() < optimal);
    }
}

#[test]
fn the_number_of_threads_and_interruptions_leave_no_trace() {
    for set in [
        &[("opponent", "pool"), ("keep", "average"), ("own", "coherence")][..],
        &[("update", "moves"), ("init", "0.1")],
    ] {
        let dir = tempfile::tempdir().unwrap();
        let whole = order(&dir.path().join("whole"), set);
        learn(&whole);
        let mut threads = order(&dir.path().join("threads"), set);
        threads.threads = 3;
        learn(&threads);
        assert!(files(&threads.out) == files(&whole.out), "{set:?}: threads");

        let mut parts = order(&dir.path().join("parts"), set);
        interrupted(&parts, 100);
        parts.resume = true;
        interrupted(&parts, 700);
        // Further from the last good checkpoint than the newest one: that is as if it had been
        // killed before it could save.
        let newest = newest(&parts.out);
        fs::remove_file(newest).unwrap();
        learn(&parts);
        assert!(files(&parts.out) == files(&whole.out), "{set:?}: interrupted");
        // Resuming what has ended changes nothing.
        learn(&parts);
        assert!(files(&parts.out) == files(&whole.out), "{set:?}: resumed once more");
    }
}

fn newest(out: &Path) -> std::path::PathBuf {
    let mut all: Vec<_> =
        fs::read_dir(out.join("checkpoints")).unwrap().map(|e| e.unwrap().path()).collect();
    all.retain(|path| path.extension().is_some_and(|e| e == "zug"));
    all.sort();
    all.pop().unwrap()
}

#[test]
fn a_damaged_checkpoint_falls_back_to_the_one_before() {
    let dir = tempfile::tempdir().unwrap();
    let whole = order(&dir.path().join("whole"), &[]);
    learn(&whole);
    let mut parts = order(&dir.path().join("parts"), &[]);
    interrupted(&parts, 800);
    let path = newest(&parts.out);
    let mut bytes = fs::read(&path).unwrap();
    let middle = bytes.len() / 2;
    bytes[middle] ^= 0x40;
    fs::write(&path, bytes).unwrap();
    parts.resume = true;
    let account = learner().learn(&parts, &Silent, &StopFlag::new()).unwrap();
    assert!(account.text.contains("a damaged checkpoint is set aside"), "{}", account.text);
    assert!(files(&parts.out) == files(&whole.out));
}

#[test]
fn other_options_other_sets_and_other_seeds_are_refused_on_resuming() {
    let dir = tempfile::tempdir().unwrap();
    let mut run = order(&dir.path().join("run"), &[]);
    interrupted(&run, 300);
    run.resume = true;
    let told = |change: &dyn Fn(&mut TdOrder)| {
        let mut changed = run.clone();
        change(&mut changed);
        learner().learn(&changed, &Silent, &StopFlag::new()).err().unwrap().to_string()
    };
    assert!(told(&|o| o.seed = 4).contains("seed"));
    assert!(told(&|o| o.options.push(("lambda".into(), "0.1".into()))).contains("lambda"));
    assert!(told(&|o| o.features = Some("none".into())).contains("known are: each"));
    assert!(told(&|o| o.group = Some("A".into())).contains("group"));
    assert!(told(&|o| o.experiments = Some(2)).contains("--seed"));
    assert!(told(&|o| o.resume = false).contains("already holds a run"));
}

#[test]
fn weights_that_run_away_are_told_and_not_written() {
    let dir = tempfile::tempdir().unwrap();
    let set = [("rate", "1000000"), ("rate-end", "1000000"), ("squash", "none"), ("lambda", "0")];
    let run = order(&dir.path().join("run"), &set);
    let error = learner().learn(&run, &Silent, &StopFlag::new()).err().unwrap().to_string();
    assert!(error.contains("smaller 'rate'"), "{error}");
    assert!(!run.out.join("model.zug").exists());
}

fn model() -> Linear<Sticks> {
    let weights = (0..=STICKS).map(|i| if i % 4 == 0 { -1.5 } else { 0.25 }).collect();
    Linear::new(each("each", STICKS), weights, Squash::Tanh).unwrap()
}

fn bytes(model: &Linear<Sticks>) -> Vec<u8> {
    let mut writer = Writer::new(Vec::new(), &model.header(&Sticks(STICKS))).unwrap();
    model.write(&mut writer).unwrap();
    writer.finish().unwrap()
}

fn read(bytes: Vec<u8>, known: &[SharedFeatures<Sticks>]) -> Result<Linear<Sticks>, String> {
    let expect = Expect::model("sticks:21").layout("td-linear/1");
    let container = Container::from_bytes(bytes, &expect).map_err(|e| e.to_string())?;
    Linear::read(&container, known).map_err(|e| e.to_string())
}

#[test]
fn a_model_comes_back_as_it_was_and_not_for_other_games_or_features() {
    let (one, known) = (model(), [each("each", STICKS)]);
    let back = read(bytes(&one), &known).unwrap();
    assert_eq!(back.weights(), one.weights());
    let game = Sticks(STICKS);
    let four = super::games::Left(4, zug_core::Side::First);
    assert_eq!(back.evaluate(&game, &four), -1500);

    let told = |known: &[SharedFeatures<Sticks>]| read(bytes(&one), known).err().unwrap();
    assert!(told(&[each("other", STICKS)]).contains("known are: other"));
    assert!(told(&[each("each", 22)]).contains("other features"));
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("model.zug");
    fs::write(&path, bytes(&one)).unwrap();
    let error = Linear::open(&path, &Sticks(20), &[each("each", 20)]).err().unwrap().to_string();
    assert!(error.contains("'sticks:20'") && error.contains("model.zug"), "{error}");
    assert!(Linear::new(each("each", STICKS), vec![f32::NAN; 22], Squash::Tanh).is_none());
    assert!(Linear::new(each("each", STICKS), vec![0.0; 21], Squash::Tanh).is_none());
}

#[test]
fn sound_files_with_unsound_contents_are_refused_in_words() {
    let known = [each("each", STICKS)];
    let written = |change: &dyn Fn(&mut zug_core::container::Header), weights: &[f32]| {
        let mut header = model().header(&Sticks(STICKS));
        change(&mut header);
        let mut writer = Writer::new(Vec::new(), &header).unwrap();
        writer.array("weights", weights).unwrap();
        read(writer.finish().unwrap(), &known).err().unwrap()
    };
    let good = [0.0; 22];
    for note in ["features", "signature", "squash"] {
        let told = written(&|h| drop(h.notes.remove(note)), &good);
        assert!(told.contains(note), "{told}");
    }
    assert!(
        written(&|h| drop(h.notes.insert("squash".into(), "x".into())), &good).contains("tanh")
    );
    assert!(written(&|_| (), &good[1..]).contains("expected 22 finite weights, found 21"));
    assert!(written(&|_| (), &[f32::INFINITY; 22]).contains("not finite"));
    assert!(written(&|_| (), &[0.0; 23]).contains("more than the 22 allowed"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn broken_models_are_refused_and_never_make_the_reader_fail(
        changes in prop::collection::vec((any::<prop::sample::Index>(), 1u8..), 1..4),
        cut: prop::sample::Index,
        short: bool,
    ) {
        let mut broken = bytes(&model());
        if short {
            broken.truncate(cut.index(broken.len()));
        } else {
            for (at, change) in changes {
                let at = at.index(broken.len());
                broken[at] ^= change;
            }
        }
        let whole = broken == bytes(&model());
        prop_assert_eq!(read(broken, &[each("each", STICKS)]).is_ok(), whole);
    }
}

#[test]
fn weights_of_a_run_are_shown_at_each_checkpoint_that_is_kept() {
    use crate::td::face::Look;
    let dir = tempfile::tempdir().unwrap();
    let order = order(dir.path(), &[]);
    learn(&order);
    let look = |games: &[u64]| Look { games: games.to_vec(), ..Look::default() };
    let shown = learner().weights(dir.path(), &look(&[])).unwrap().unwrap();
    assert_eq!(shown.about, "after 1500 games");
    assert!(shown.boards.is_empty(), "these features know no fields");
    assert!(shown.lists[0].items.iter().any(|i| i.name == "8 left"), "{:?}", shown.lists);
    let moments = &shown.choices[0].options;
    assert!(moments.len() > 1, "{moments:?}");
    let earlier: u64 = moments[0].name.parse().unwrap();
    let before = learner().weights(dir.path(), &look(&[earlier])).unwrap().unwrap();
    assert_ne!(before.lists, shown.lists);
    fs::remove_file(dir.path().join("model.zug")).unwrap();
    let running = learner().weights(dir.path(), &look(&[])).unwrap().unwrap();
    assert_eq!(running.about, "after 1500 games");
    let error = learner().weights(dir.path(), &look(&[7])).unwrap_err().to_string();
    assert!(error.contains("no weights were kept after 7 games"), "{error}");
    let types = Look { types: vec!["x".into()], ..Look::default() };
    assert!(learner().weights(dir.path(), &types).is_err());
    fs::remove_dir_all(dir.path().join("checkpoints")).unwrap();
    assert!(learner().weights(dir.path(), &look(&[])).unwrap().is_none());
}
