use super::*;
use crate::files::read_journal;
use crate::seed::{RngExt, rng};
use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::Duration;

const LAYOUT: &str = "count/1";

fn config() -> RunConfig {
    let mut config = RunConfig::new("count", "othello", u64::MAX);
    config.options.insert("depth".into(), "3".into());
    config
}

#[derive(Serialize)]
struct Figures {
    total: u64,
}

/// The work of the tests: a chain of numbers of which each needs the one before. A checkpoint every
/// seventh step; `after_step` may pause or stop it.
fn work(
    run: &mut Run,
    from: Option<Checkpoint>,
    steps: u64,
    mut after_step: impl FnMut(u64),
) -> u64 {
    let (mut step, mut total) = match from {
        None => (0, 0),
        Some(c) => (c.step, c.container.section("total").unwrap().array::<u64>(1).unwrap()[0]),
    };
    while step < steps {
        step += 1;
        total = total.rotate_left(5) ^ rng(run.config().seed, step).random::<u64>();
        run.record(step, &Figures { total }).unwrap();
        if step % 7 == 0 {
            run.checkpoint(step, LAYOUT, |w| w.array("total", &[total])).unwrap();
        }
        after_step(step);
    }
    run.set_state(State::Finished, "").unwrap();
    total
}

fn metrics(folder: &Path) -> Vec<u64> {
    let read = read_journal::<serde_json::Value>(&folder.join(METRICS)).unwrap();
    assert_eq!(read.note, None);
    for (i, line) in read.entries.iter().enumerate() {
        assert_eq!(line["step"], i as u64 + 1, "each step once, in order");
    }
    read.entries.iter().map(|line| line["total"].as_u64().unwrap()).collect()
}

const CHILD_FOLDER: &str = "ZUG_TEST_RUN_FOLDER";
const STEPS: u64 = 60;

/// Not a test by itself: what the next test starts as a process of its own and kills.
#[test]
fn the_process_that_is_killed() {
    let Some(folder) = std::env::var_os(CHILD_FOLDER) else { return };
    let folder = Path::new(&folder);
    let (mut run, from) = if folder.join(CONFIG).exists() {
        Run::resume(folder, Some(&config()), LAYOUT).unwrap()
    } else {
        (Run::create(folder, config()).unwrap(), None)
    };
    work(&mut run, from, STEPS, |step| eprintln!("step {step}"));
    eprintln!("done");
}

/// Starts the process above and kills it when it has told of so many steps; true if it came to its
/// end before that.
fn run_and_kill(folder: &Path, after_steps: usize) -> bool {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "run::tests::the_process_that_is_killed", "--nocapture"])
        .env(CHILD_FOLDER, folder)
        .stdout(Stdio::null())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let done = lines
        .map(|l| l.unwrap())
        .filter(|l| l.starts_with("step") || l == "done")
        .take(after_steps)
        .any(|l| l == "done");
    child.kill().unwrap();
    child.wait().unwrap();
    done
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_like_one_that_was_not() {
    let dir = tempfile::tempdir().unwrap();
    let (plain, killed) = (dir.path().join("plain"), dir.path().join("killed"));
    let total = work(&mut Run::create(&plain, config()).unwrap(), None, STEPS, |_| {});

    assert!(!run_and_kill(&killed, 3), "killed before the first checkpoint");
    assert_eq!(inspect(&killed).unwrap().status.state, State::Interrupted);
    let mut kills = 1;
    while !run_and_kill(&killed, 9 + kills) {
        kills += 1;
        assert!(kills < 20, "every process gets at least one checkpoint further");
    }
    assert!(kills >= 3);
    assert_eq!(metrics(&killed), metrics(&plain));
    assert_eq!(metrics(&killed).last(), Some(&total));
    let summary = inspect(&killed).unwrap();
    assert_eq!((summary.status.state, summary.status.step), (State::Finished, 56));
}

#[test]
fn resuming_goes_back_to_the_checkpoint_and_drops_later_figures() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("r");
    let mut run = Run::create(&folder, config()).unwrap();
    work(&mut run, None, 17, |_| {});
    drop(run);
    assert_eq!(metrics(&folder).len(), 17);
    let torn = OpenOptions::new().append(true).open(folder.join(METRICS)).unwrap();
    (&torn).write_all(b"{\"step\":18,\"to").unwrap();

    let (run, from) = Run::resume(&folder, None, LAYOUT).unwrap();
    assert_eq!(from.unwrap().step, 14);
    assert_eq!(metrics(&folder).len(), 14);
    assert_eq!(run.notes().len(), 2, "{:?}", run.notes());
    assert!(run.notes()[1].contains("3 metrics"), "{:?}", run.notes());
}

#[test]
fn resuming_with_other_options_is_refused_and_names_them() {
    let dir = tempfile::tempdir().unwrap();
    drop(Run::create(dir.path(), config()).unwrap());
    let mut other = config();
    other.seed = 2;
    other.options.insert("depth".into(), "4".into());
    other.options.insert("lambda".into(), "0.7".into());
    other.command = vec!["zug".into(), "learn".into()];
    let error = Run::resume(dir.path(), Some(&other), LAYOUT).unwrap_err();
    let message = error.to_string();
    assert!(message.contains("option depth: the run has '3', now '4'"), "{message}");
    assert!(message.contains("option lambda: the run has nothing, now '0.7'"), "{message}");
    assert!(message.contains("seed"), "{message}");
    assert!(!message.contains("command"), "{message}");
    assert!(Run::resume(dir.path(), Some(&config()), LAYOUT).is_ok());
}

#[test]
fn a_run_is_begun_once_and_worked_on_by_one() {
    let dir = tempfile::tempdir().unwrap();
    let run = Run::create(dir.path(), config()).unwrap();
    assert_eq!(inspect(dir.path()).unwrap().status.state, State::Running);
    let refused = Run::resume(dir.path(), None, LAYOUT).unwrap_err().to_string();
    assert!(refused.contains(&format!("process {}", std::process::id())), "{refused}");
    drop(run);
    assert!(matches!(Run::create(dir.path(), config()), Err(RunError::Exists(_))));
    let empty = dir.path().join("checkpoints");
    assert!(matches!(Run::resume(&empty, None, LAYOUT), Err(RunError::NotARun(_))));
}

#[test]
fn a_run_without_a_good_checkpoint_begins_again_only_when_asked() {
    let dir = tempfile::tempdir().unwrap();
    let folder = dir.path().join("r");
    work(&mut Run::create(&folder, config()).unwrap(), None, 30, |_| {});
    let saved = crate::checkpoint::list(&folder.join(CHECKPOINTS)).unwrap();
    let damage = |path: &Path| fs::write(path, b"damaged").unwrap();
    damage(&saved.last().unwrap().1);
    let (run, from) = Run::resume(&folder, None, LAYOUT).unwrap();
    assert!(from.unwrap().step < 28);
    assert!(run.notes()[0].contains("set aside"), "{:?}", run.notes());
    assert!(run.notes()[1].contains("goes on from the checkpoint"), "{:?}", run.notes());
    drop(run);
    assert!(restart(&folder).unwrap().is_empty());
    assert!(Run::resume(&folder, None, LAYOUT).unwrap().1.is_some());

    saved.iter().filter(|(_, path)| path.exists()).for_each(|(_, path)| damage(path));
    for _ in 0..2 {
        let refused = Run::resume(&folder, None, LAYOUT).unwrap_err().to_string();
        assert!(refused.contains("--restart") && refused.contains(".damaged"), "{refused}");
    }
    assert!(!metrics(&folder).is_empty(), "nothing is lost by asking");
    assert_eq!(restart(&folder).unwrap().len(), 3);
    assert!(Run::resume(&folder, None, LAYOUT).unwrap().1.is_none());

    let gone = dir.path().join("gone");
    work(&mut Run::create(&gone, config()).unwrap(), None, 30, |_| {});
    fs::remove_dir_all(gone.join(CHECKPOINTS)).unwrap();
    let refused = Run::resume(&gone, None, LAYOUT).unwrap_err().to_string();
    assert!(refused.contains("are gone") && refused.contains("--restart"), "{refused}");
    restart(&gone).unwrap();
    assert!(Run::resume(&gone, None, LAYOUT).is_ok());
}

#[test]
fn runs_are_listed_by_name_and_a_broken_one_is_told() {
    let dir = tempfile::tempdir().unwrap();
    for name in ["b", "a", "c"] {
        let mut run = Run::create(&dir.path().join(name), config()).unwrap();
        run.set_state(State::Stopped, "asked to").unwrap();
    }
    fs::create_dir(dir.path().join("no run")).unwrap();
    fs::write(dir.path().join("c").join(CONFIG), "seed = 1\n").unwrap();
    let runs = list_runs(dir.path()).unwrap();
    assert_eq!(runs.len(), 3);
    let first = runs[0].as_ref().unwrap();
    assert!(first.folder.ends_with("a"));
    assert_eq!(first.config.seed, u64::MAX);
    assert_eq!(first.status.state, State::Stopped);
    assert_eq!(first.status.message, "asked to");
    assert!(runs[2].as_ref().unwrap_err().to_string().contains("run.toml"));
}

#[test]
fn figures_without_names_are_refused() {
    let dir = tempfile::tempdir().unwrap();
    let mut run = Run::create(dir.path(), config()).unwrap();
    assert!(run.record(1, &3).is_err());
    run.record(1, &BTreeMap::from([("loss", 0.5)])).unwrap();
    let text = fs::read_to_string(dir.path().join(METRICS)).unwrap();
    assert_eq!(text, "{\"step\":1,\"loss\":0.5}\n");
}

#[test]
fn moments_are_written_in_the_common_calendar() {
    let at = |s| utc_text(SystemTime::UNIX_EPOCH + Duration::from_secs(s));
    assert_eq!(at(0), "1970-01-01T00:00:00Z");
    assert_eq!(at(86_399), "1970-01-01T23:59:59Z");
    assert_eq!(at(1_709_251_199), "2024-02-29T23:59:59Z");
    assert_eq!(at(1_709_251_200), "2024-03-01T00:00:00Z");
    assert_eq!(at(4_107_542_400), "2100-03-01T00:00:00Z");
}
