//! Pattern tables learned by self-play, as a user or a script would: learned, killed, resumed,
//! reported, played with, refused.

mod support;
#[path = "support/talk.rs"]
mod talk;

use std::fs;
use std::process::{Command, Stdio};
use std::time::Duration;
use talk::{Folder, complaint, json, zug};

/// A small run: small tables, few games, no measurements unless asked for.
fn words<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut words = vec![
        "learn",
        "othello",
        "td",
        "--method",
        "td-leaf",
        "--features",
        "patterns",
        "--games",
        "160",
        "--seed",
        "3",
        "--threads",
        "2",
        "--out",
        out,
        "--set",
        "patterns=edge+corner3x3+mobility",
        "--set",
        "knots=10+30+60",
        "--set",
        "exact=6",
        "--set",
        "batch=20",
    ];
    words.extend(more);
    words
}

#[test]
fn tables_are_learned_reported_and_played_with() {
    let folder = Folder::new();
    let run = folder.path("run");
    let measured = ["--set", "measure=80", "--set", "measure-pairs=4", "--json"];
    let told = json(&zug(&words(&run, &measured)));
    assert_eq!(told["figures"]["games"], 160);
    assert!(told["figures"]["score"].as_f64().is_some_and(|s| (0.0..=1.0).contains(&s)));
    let page = folder.path("page.html");
    zug(&["runs", "report", &run, "--out", &page]);
    let page = fs::read_to_string(&page).expect("a page");
    assert!(page.contains("pattern tables by self-play alone") && page.contains("<svg"));
    assert_eq!(
        fs::read_to_string(format!("{run}/metrics.jsonl")).expect("figures").lines().count(),
        3
    );
    let player = format!("zug:model={run}/model.zug,depth=1");
    let games = ["--game", "othello", "--games", "2", "--json"];
    let played = zug(&[&["match", &player, "random"], &games[..]].concat());
    assert_eq!(json(&played)["games"], 2);
    assert!(complaint(&words(&run, &[])).contains("already holds a run"));
}

#[test]
fn a_run_that_is_killed_again_and_again_ends_with_the_same_model() {
    let folder = Folder::new();
    let (whole, killed) = (folder.path("whole"), folder.path("killed"));
    let quiet = ["--set", "measure=0", "--set", "save=20"];
    zug(&words(&whole, &quiet));
    let mut kills = 0;
    for attempt in 0u64.. {
        let begun = fs::exists(format!("{killed}/run.toml")).expect("known");
        let more = [&quiet[..], if begun { &["--resume"] } else { &[] }].concat();
        let mut child = Command::new(env!("CARGO_BIN_EXE_zug"))
            .args(words(&killed, &more))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("zug starts");
        std::thread::sleep(Duration::from_millis(30 + attempt * 37 % 90 + 20 * attempt * attempt));
        let finished = child.try_wait().expect("a status");
        if finished.is_some_and(|status| status.success()) {
            break;
        }
        assert!(finished.is_none(), "the run failed: {finished:?}");
        child.kill().expect("killed");
        child.wait().expect("gone");
        kills += 1;
        assert!(kills < 100, "it never ends");
    }
    assert!(kills > 0, "nothing was ever interrupted");
    let model = |run: &str| fs::read(format!("{run}/model.zug")).expect("a model");
    assert_eq!(model(&whole), model(&killed));
}

#[test]
fn orders_that_make_no_sense_are_refused_in_plain_words() {
    let folder = Folder::new();
    let run = folder.path("run");
    let refused = |more: &[&str]| complaint(&words(&run, more));
    assert!(refused(&["--set", "lambda=2"]).contains("expected a number from 0 to 1"));
    assert!(refused(&["--set", "dream=1"]).contains("there is no option 'dream'"));
    assert!(refused(&["--set", "update=twig"]).contains("one of both, leaf, root"));
    assert!(refused(&["--set", "against=nobody"]).contains("nobody"));
    assert!(refused(&["--experiments", "2"]).contains("--seed"));
}
