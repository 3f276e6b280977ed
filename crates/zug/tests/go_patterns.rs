//! `zug learn go patterns --method knn`, as a user would run it: on games made here, with bad ones among
//! them; interrupted, gone on with, reported, refused.

#[path = "support/go_games.rs"]
mod go_games;
mod support;
#[path = "support/talk.rs"]
mod talk;

use go_games::games;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use talk::{Folder, complaint, json, zug};

fn words<'a>(experiment: &'a str, data: &'a str, out: &'a str) -> Vec<&'a str> {
    let mut words = vec!["learn", "go", "patterns", "--method", "knn", "--experiment", experiment];
    words.extend(["--data", data, "--out", out, "--set", "gnugo=off", "--set", "speed=no"]);
    words
}

#[test]
fn nine_by_nine_is_learned_tested_and_reported() {
    let folder = Folder::new();
    let (data, out) = (games(&folder, 12, 9, 40), folder.path("run"));
    for (name, text) in [
        ("bad.sgf", "(;SZ[9];B[aa];W[aa])"),
        ("broken.sgf", "(;SZ[9];B[aa"),
        ("chess.sgf", "(;GM[3];B[aa])"),
        ("thirteen.sgf", "(;SZ[13];B[aa];W[bb])"),
    ] {
        fs::write(Path::new(&data).join(name), text).unwrap();
    }
    let mut line = words("9x9", &data, &out);
    line.truncate(line.len() - 2);
    line.extend(["--set", "draws=2", "--json"]);
    let told = json(&zug(&line));
    let figures = &told["figures"];
    assert_eq!(figures["experiment"], "9x9");
    let taken = figures["taken"].as_str().unwrap();
    assert!(taken.contains("1 illegal-occupied") && taken.contains("12 all games"), "{taken}");
    let arm = &figures["arms"][0];
    assert_eq!(arm["patterns"]["draws"], 2);
    let number = |v: &serde_json::Value| v["mean"].as_f64().unwrap();
    assert_eq!(number(&arm["training_games"]) + number(&arm["test_games"]), 12.0);
    assert!(number(&arm["patterns"]) < number(&arm["patterns_gathered"]));
    assert!(number(&arm["limit"]) >= number(&arm["accuracy_at_20"]));
    assert!(number(&arm["accuracy_at_20"]) > 0.0);
    let random = arm["random"].as_array().unwrap();
    assert!(random.windows(2).all(|pair| pair[0].as_f64() <= pair[1].as_f64()));
    assert!(arm["speed"]["tree"].as_f64().unwrap() > 0.0);

    let page = folder.path("page.html");
    zug(&["runs", "report", &out, "--out", &page]);
    let page = fs::read_to_string(page).unwrap();
    assert_eq!(page, fs::read_to_string(Path::new(&out).join("report.html")).unwrap());
    for part in ["Moves found", "random moves", "30,293", "Patterns by size", "mean place"] {
        assert!(page.contains(part), "{part}");
    }
    let shown = zug(&["runs", "show", &out]);
    assert!(shown.contains("patterns of go") && shown.contains("finished"), "{shown}");
}

#[test]
fn every_experiment_runs_on_its_board() {
    let folder = Folder::new();
    for (experiment, size, arms) in
        [("19x19", 19, 1), ("opening", 19, 1), ("stages", 9, 2), ("filtering", 9, 2), ("k", 9, 5)]
    {
        let inner = Folder::new();
        let (data, out) = (games(&inner, 9, size, 35), folder.path(experiment));
        let mut line = words(experiment, &data, &out);
        line.push("--json");
        let figures = &json(&zug(&line))["figures"];
        let told = figures["arms"].as_array().unwrap();
        assert_eq!(told.len(), arms, "{experiment}");
        let patterns = |i: usize| told[i]["patterns"]["mean"].as_f64().unwrap();
        assert!(patterns(0) > 0.0);
        if experiment == "filtering" {
            assert!(patterns(1) > patterns(0));
            assert_eq!(patterns(1), told[1]["patterns_gathered"]["mean"].as_f64().unwrap());
        }
        if experiment == "opening" {
            let examples = told[0]["training_examples"]["mean"].as_f64().unwrap();
            let training = told[0]["training_games"]["mean"].as_f64().unwrap();
            assert_eq!(examples, 30.0 * training);
        }
    }
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let folder = Folder::new();
    let data = games(&folder, 10, 9, 40);
    let run = |threads: &str| {
        let out = folder.path(&format!("run{threads}"));
        let mut line = words("9x9", &data, &out);
        line.extend(["--threads", threads]);
        zug(&line);
        ["model.zug", "metrics.jsonl"].map(|name| fs::read(Path::new(&out).join(name)).unwrap())
    };
    assert!(run("1") == run("3"));
}

#[test]
fn a_run_that_was_killed_ends_with_the_same_bytes() {
    let folder = Folder::new();
    let data = games(&folder, 40, 9, 60);
    let (whole, killed) = (folder.path("whole"), folder.path("killed"));
    let line = |out| {
        let mut line = words("k", &data, out);
        line.extend(["--set", "draws=3"]);
        line
    };
    zug(&line(&whole));
    for lines in [1, 4, 9] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_zug"))
            .args(line(&killed))
            .arg("--resume")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let metrics = Path::new(&killed).join("metrics.jsonl");
        let recorded = || fs::read_to_string(&metrics).map_or(0, |text| text.lines().count());
        while recorded() < lines && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(2));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let mut again = line(&killed);
    again.push("--resume");
    zug(&again);
    for name in ["model.zug", "metrics.jsonl"] {
        let read = |run: &str| fs::read(Path::new(run).join(name)).unwrap();
        assert!(read(&whole) == read(&killed), "{name}");
    }
    // With other options it is another run.
    again.extend(["--set", "support=7"]);
    assert!(complaint(&again).contains("option support"));
}

#[test]
fn what_cannot_be_learned_from_is_refused_in_words() {
    let folder = Folder::new();
    let (data, out) = (games(&folder, 3, 9, 20), folder.path("run"));
    let with = |more: &[&str]| {
        let mut line = words("9x9", &data, &out);
        line.extend(more);
        complaint(&line)
    };
    for (more, told) in [
        (&["--set", "k-max=99"][..], "k-max: expected a number from 1 to 16"),
        (&["--set", "k-min=8", "--set", "k-max=5"], "k-min=8 is more than k-max=5"),
        (&["--set", "luck=1"], "there is no option 'luck'; known are: metric"),
        (&["--set", "support=1", "--set", "support=2"], "--set support is given twice"),
        (&["--set", "rank=strong"], "a rank as in 5k"),
        (&["--from", "2000", "--until", "1990"], "no year is from 2000 on and until 1990"),
        (&["--from", "2020"], "no game is left of 3 files"),
        (&["--set", "rank=5k"], "3 rank"),
    ] {
        let said = with(more);
        assert!(said.contains(told), "{said}");
        assert!(!Path::new(&out).exists(), "{told}");
    }
    let other = |words: &[&str]| complaint(&[&["learn"], words].concat());
    let said = other(&["chess", "patterns", "--data", &data, "--out", &out]);
    assert!(said.contains("chess does not learn from records yet; these games do: go"), "{said}");
    let base = ["go", "patterns", "--out", &out, "--data"];
    let said = other(&[&base[..], &[&data, "--method", "magic"]].concat());
    assert!(said.contains("there is no method 'magic'"), "{said}");
    let said = other(&[&base[..], &[&data, "--experiment", "13x13"]].concat());
    assert!(said.contains("there is no experiment '13x13'"), "{said}");
    let said = other(&[&base[..], &["/no/such/games"]].concat());
    assert!(said.contains("/no/such/games: there is no such file or folder"), "{said}");
    let empty = folder.path("empty");
    fs::create_dir(&empty).unwrap();
    let said = other(&[&base[..], &[&empty]].concat());
    assert!(said.contains("no game is left of 0 files"), "{said}");
    // A folder of something else is left alone.
    let said = complaint(&words("9x9", &data, &data));
    assert!(said.contains("holds no run"), "{said}");
}

#[test]
fn a_missing_gnu_go_is_told_and_the_rest_is_done() {
    let folder = Folder::new();
    let (data, out) = (games(&folder, 6, 9, 30), folder.path("run"));
    let told = zug(&[
        "learn",
        "go",
        "patterns",
        "--method",
        "knn",
        "--data",
        &data,
        "--out",
        &out,
        "--set",
        "gnugo=no-such-program-of-ours --mode gtp",
    ]);
    assert!(told.contains("no GNU Go to compare with"), "{told}");
    assert!(told.contains("moves ever proposed"), "{told}");
}

#[test]
fn methods_list_what_can_be_chosen() {
    let told = json(&zug(&["learn", "go", "methods", "--json"]));
    let names: Vec<&str> =
        told["patterns"].as_array().unwrap().iter().map(|m| m["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["bt", "knn"]);
    let knn = &told["patterns"][1];
    assert_eq!(knn["experiments"].as_array().unwrap().len(), 6);
    assert!(knn["options"].as_array().unwrap().len() > 20);
    let text = zug(&["learn", "go", "methods"]);
    assert!(text.contains("Experiments of knn") && text.contains("gnugo-examples"), "{text}");
}
