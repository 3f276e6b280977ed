//! `zug learn othello probcut` and the experiments of `zug bench othello`, run as a user or a script
//! would, with sizes that take a second.

mod support;
#[path = "support/talk.rs"]
mod talk;

use std::fs;
use support::zug_with;
use talk::{Folder, complaint, json, zug};

/// The words of a fit that takes a second.
fn learn<'a>(out: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut words = vec!["learn", "othello", "probcut", "--positions", "14", "--depth", "4"];
    words.extend(["--end", "8", "--deep-positions", "13", "--deep-depth", "5", "--every", "6"]);
    words.extend(["--hash", "1M", "--out", out]);
    words.extend(more);
    words
}

#[test]
fn cuts_are_learned_reported_and_used_by_a_player() {
    let folder = Folder::new();
    let (one, two, page) = (folder.path("one.zug"), folder.path("two.zug"), folder.path("p.html"));
    let told = json(&zug(&learn(&one, &["--threads", "1", "--report", &page, "--json"])));
    let figures = &told["figures"];
    assert_eq!(figures["unit"], "discs");
    assert!(figures["positions"].as_u64() > Some(100));
    let fits = figures["midgame"].as_array().expect("a list");
    assert!(fits.iter().any(|f| f["deep"] == 5 && f["shallow"] == 3 && f["n"] == 13));
    assert!(fits.iter().all(|f| f["sigma"].as_f64() >= Some(0.0)));
    assert!(!figures["end"].as_array().expect("a list").is_empty());
    let html = fs::read_to_string(&page).expect("written");
    assert!(html.contains("Chosen cuts") && html.contains("<svg"));
    assert!(!html.contains("http://") || html.contains("www.w3.org"));

    // The same bytes on other threads, and no journal left behind.
    zug(&learn(&two, &["--threads", "3"]));
    assert_eq!(fs::read(&one).expect("read"), fs::read(&two).expect("read"));
    let names: Vec<String> = fs::read_dir(folder.0.path())
        .expect("the folder is there")
        .map(|f| f.expect("an entry").file_name().to_string_lossy().into_owned())
        .collect();
    assert_eq!(names.iter().filter(|n| n.contains("jsonl")).count(), 0, "{names:?}");

    let selective = format!("zug:nodes=500,selectivity=1.5,cuts={one}");
    let words =
        ["match", &selective, "zug:nodes=500,selectivity=off", "--game", "othello", "--games", "2"];
    let report = json(&zug(&[&words[..], &["--json"]].concat()));
    assert_eq!(report["games"], 2);
    assert_eq!((&report["illegal"], &report["crashes"]), (&0.into(), &0.into()));
}

#[test]
fn cuts_are_learned_in_log_odds_from_games_of_a_file() {
    let folder = Folder::new();
    let (games, out) = (folder.path("games.txt"), folder.path("cuts.zug"));
    zug(&[
        "data",
        "othello",
        "generate",
        "--random-plies",
        "10",
        "--games",
        "20",
        "--player",
        "fast",
        "--out",
        &games,
    ]);
    let told = json(&zug(&learn(&out, &["--model", "logistic-plus", "--games", &games, "--json"])));
    assert_eq!(told["games"], 20);
    assert_eq!(told["figures"]["unit"], "log-odds");
    assert_eq!(told["figures"]["model"], "logistic-plus");
    let header = fs::read(&out).expect("read");
    let header = String::from_utf8_lossy(&header[..1200.min(header.len())]).into_owned();
    assert!(header.contains("othello-probcut/1") && header.contains("--games games.txt"));
}

#[test]
fn what_cannot_be_learned_is_refused_before_the_work() {
    let folder = Folder::new();
    let out = folder.path("cuts.zug");
    for (words, told) in [
        (vec!["learn", "chess", "probcut", "--out", &out], "chess"),
        (learn(&out, &["--games", "no-such.txt"]), "no-such.txt"),
        (learn(&out, &["--model", "dreams"]), "dreams"),
        (learn("no/such/folder.zug", &[]), "no folder"),
        (
            vec!["learn", "othello", "probcut", "--positions", "4", "--depth", "3", "--out", &out],
            "more positions",
        ),
    ] {
        let said = complaint(&words);
        assert!(said.contains(told), "{said}");
    }
    assert!(!fs::exists(&out).expect("asked"));
    let damaged = folder.path("damaged.zug");
    fs::write(&damaged, "nothing of ours").expect("written");
    let player = format!("zug:cuts={damaged}");
    let said = complaint(&["match", &player, "random", "--game", "othello", "--games", "1"]);
    assert!(said.contains("damaged.zug") || said.contains("no Zug file"), "{said}");
}

#[test]
fn selective_search_is_played_against_full_width() {
    for experiment in ["probcut", "percentile"] {
        let words = ["bench", "othello", "--experiment", experiment, "--quick", "--by", "nodes"];
        let told = json(&zug(&[&words[..], &["--nodes", "200", "--json"]].concat()));
        assert_eq!(told["experiment"], experiment);
        let points = told["points"].as_array().expect("a list");
        assert!(points.len() >= 2);
        assert!(points.iter().all(|p| p["games"] == 2 && p["players"][1].is_string()));
        assert!(points.iter().any(|p| p["thesis_score"].is_number()));
    }
}

#[test]
fn decision_searches_are_compared_on_critical_positions_which_are_kept() {
    let folder = Folder::new();
    let file = folder.path("critical.txt");
    let words = ["bench", "othello", "--experiment", "endcut", "--quick", "--json"];
    let told = json(&zug(&[&words[..], &["--positions", &file]].concat()));
    let rows = told["rows"].as_array().expect("a list");
    let named = |name: &str| rows.iter().find(|r| r["name"] == name).expect("a row").clone();
    for exact in ["thesis: exact", "ours: exact"] {
        assert_eq!(named(exact)["wrong"], 0);
        assert_eq!(named(exact)["nodes"]["mean_ratio"], 1.0);
    }
    assert!(named("thesis: EndCut 2.1")["thesis"]["wrong_of_35"] == 6);
    let lines = fs::read_to_string(&file).expect("written");
    assert_eq!(lines.lines().count(), told["positions"].as_array().expect("a list").len());
    // Read again, the positions are the same, and so are the nodes.
    let again = json(&zug(&[&words[..], &["--positions", &file]].concat()));
    assert_eq!(again["positions"], told["positions"]);
    assert_eq!(again["rows"][1]["nodes"], told["rows"][1]["nodes"]);
    fs::write(&file, "nonsense\n").expect("written");
    let said = complaint(&[&words[..], &["--positions", &file]].concat());
    assert!(said.contains("critical.txt, line 1"), "{said}");
}

#[test]
fn depths_and_costs_are_told_for_every_position() {
    let quick = |experiment| {
        let words = ["bench", "othello", "--experiment", experiment, "--quick", "--json"];
        json(&zug(&words))
    };
    let depth = quick("depth");
    let positions = depth["positions"].as_array().expect("a list");
    assert_eq!((positions.len(), &positions[0]["position"]), (3, &"start".into()));
    assert!(positions.iter().all(|p| p["depth"].as_u64() >= Some(1)));
    let scaling = quick("scaling");
    let rows = scaling["rows"].as_array().expect("a list");
    assert_eq!(rows.len(), 4);
    // The same positions are solved the same way again; only times differ.
    let nodes = |told: &serde_json::Value| -> Vec<Option<f64>> {
        let rows = told["rows"].as_array().expect("a list");
        rows.iter().map(|row| row["mean_nodes"].as_f64()).collect()
    };
    assert!(nodes(&scaling).iter().all(|n| *n > Some(1.0)));
    assert_eq!(nodes(&scaling), nodes(&quick("scaling")));
    assert!(scaling["branching_factor"]["mean"].as_f64() > Some(1.0));
}

#[test]
fn experiments_are_those_of_othello() {
    for words in [
        &["bench", "--experiment", "probcut"][..],
        &["bench", "chess", "--experiment", "probcut"][..],
        &["bench", "othello", "--experiment", "probcut", "--only", "dreams"][..],
        &["bench", "othello", "--only", "dreams"][..],
    ] {
        let out = zug_with(words, "");
        assert!(!out.status.success());
        let said = String::from_utf8_lossy(&out.stderr);
        assert!(said.contains("othello") || said.contains("dreams"), "{said}");
    }
}
