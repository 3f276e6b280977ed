//! `zug learn chess td` as a user would run it: learned, killed, resumed, reported; and a player
//! that learns from the games of a match and of a UCI session. Noughts and crosses as the small check.

mod support;
#[path = "support/talk.rs"]
mod talk;

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;
use support::zug_with;
use talk::{Folder, complaint, json, zug};

fn words<'a>(games: &'a str, out: &'a str) -> Vec<&'a str> {
    let mut words = vec!["learn", "chess", "td", "--experiment", "knightcap1", "--games", games];
    for option in [
        "nodes=50",
        "opponents=zug:model=hand,depth=1,hash=1M;random",
        "testers=start;random",
        "test-games=2",
        "tests-at=1",
        "most-plies=120",
    ] {
        words.extend(["--set", option]);
    }
    words.extend(["--seed", "1", "--out", out]);
    words
}

#[test]
fn a_run_of_chess_that_was_killed_ends_with_the_same_bytes() {
    let folder = Folder::new();
    let (whole, killed) = (folder.path("whole"), folder.path("killed"));
    let told = complaint(&[&words("12", &killed)[..], &["--resume"]].concat());
    assert!(told.contains("no run to resume"), "{told}");
    let told = json(&zug(&[&words("12", &whole)[..], &["--json"]].concat()));
    let variant = &told["figures"]["variants"]["knightcap1"];
    assert_eq!(variant["games"], 12);
    assert_eq!(variant["curve"].as_array().unwrap().len(), 2);
    for games in [2, 7] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_zug"))
            .args(words("12", &killed))
            .args(["--threads", "2"])
            .args((games > 2).then_some("--resume"))
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let journal = Path::new(&killed).join("knightcap1-1/games.jsonl");
        let lines = || fs::read_to_string(&journal).map_or(0, |text| text.lines().count());
        while lines() < games && child.try_wait().unwrap().is_none() {
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    zug(&[&words("12", &killed)[..], &["--resume"]].concat());
    for name in [
        "knightcap1-1/model.zug",
        "knightcap1-1/games.pgn",
        "knightcap1-1/games.jsonl",
        "knightcap1-1/tests/000012-1.json",
        "metrics.jsonl",
        "results.json",
    ] {
        let read = |run: &str| fs::read(Path::new(run).join(name)).unwrap();
        assert!(read(&whole) == read(&killed), "{name}");
    }
    let page = folder.path("page.html");
    zug(&["runs", "report", &whole, "--out", &page]);
    let page = fs::read_to_string(page).unwrap();
    for part in ["Learning curve", "1650 to 2150", "Games of knightcap1-1"] {
        assert!(page.contains(part), "{part}");
    }
    let shown = json(&zug(&["runs", "show", &whole, "--games", "0,12", "--json"]));
    assert_eq!(shown["weights"]["minus"], "the beginning");
    assert_eq!(shown["weights"]["kept"].as_array().unwrap().len(), 13);
    assert!(!shown["weights"]["largest"].as_array().unwrap().is_empty());
    let text = zug(&["runs", "show", &whole, "--types", "opening,ending"]);
    assert!(text.contains("opening minus ending") && text.contains("knight-square"), "{text}");
    let model = format!("{whole}/knightcap1-1/model.zug");
    let text = zug(&["runs", "show", &model, "--against", "knightcap1", "--groups", "tempo"]);
    assert!(text.contains("minus knightcap1") && text.contains("\ntempo: "), "{text}");
    let page = folder.path("model.html");
    zug(&["runs", "report", &model, "--against", "knightcap1", "--out", &page]);
    assert!(fs::read_to_string(page).unwrap().contains("the same type before"));
    let text = zug(&["runs", "show", "learned", "--groups", "tempo"]);
    assert!(text.contains("weights of learned") && text.contains("\ntempo: "), "{text}");
    let told = complaint(&["runs", "show", "no-such-thing"]);
    assert!(told.contains("no-such-thing"), "{told}");
    assert!(complaint(&["runs", "report", &model]).contains("--out"));
    let model = format!("zug:model={whole}/knightcap1-1/model.zug,nodes=50");
    json(&zug(&["match", &model, "random", "--game", "chess", "--games", "2", "--json"]));
}

#[test]
fn experiments_and_options_of_chess_are_listed_and_wrong_ones_refused() {
    let told = json(&zug(&["learn", "chess", "methods", "--json"]));
    let td = &told["td"];
    let groups = td["groups"].to_string();
    for name in ["fusc", "knightcap1", "knightcap2", "knightcap3", "types", "controls", "trex"] {
        assert!(groups.contains(&format!("\"{name}\"")), "{name}");
    }
    assert_eq!(td["methods"][0]["name"], "td-leaf");
    let folder = Folder::new();
    let out = folder.path("run");
    let told = complaint(&["learn", "chess", "td", "--experiment", "fuscc", "--out", &out]);
    assert!(told.contains("knightcap2"), "{told}");
    let mut line = words("2", &out);
    line.extend(["--set", "lambda=7"]);
    assert!(complaint(&line).contains("0 to 1"));
    let mut line = words("2", &out);
    line.extend(["--set", "start=no-such.zug"]);
    let told = complaint(&line);
    assert!(told.contains("there is no file 'no-such.zug'"), "{told}");
    for (option, part) in
        [("types=nope", "there is no scheme of types 'nope'"), ("testers=zug:model=nope", "'nope'")]
    {
        let line = ["learn", "chess", "td", "--experiment", "knightcap1", "--games", "2"];
        let none = ["--set", "test-games=0", "--set", option, "--out", &out];
        let told = complaint(&[&line[..], &none[..]].concat());
        assert!(told.contains(part) && !told.contains("expected there"), "{told}");
    }
    for option in ["opponents=uci:cmd=no-such-engine", "testers=uci:cmd=no-such-engine"] {
        let line = ["learn", "chess", "td", "--experiment", "knightcap1", "--games", "2"];
        let told = complaint(&[&line[..], &["--set", option, "--out", &out][..]].concat());
        assert!(told.contains("cannot start: 'no-such-engine'"), "{told}");
    }
    assert!(!Path::new(&out).exists());
}

#[test]
fn a_player_learns_from_a_match_and_from_a_uci_session() {
    let folder = Folder::new();
    let learner = folder.path("learner");
    let player = format!("zug:nodes=50,hash=1M,td={learner}");
    let limit = ["--game", "chess", "--games", "4", "--json"];
    json(&zug(&[&["match", &player, "zug:model=hand,depth=2"][..], &limit].concat()));
    let archived = fs::read_dir(Path::new(&learner).join("archive")).map_or(0, |d| d.count());
    assert!(archived >= 1, "no game was learned from");
    let text = zug(&["runs", "show", &learner]);
    let learned_from = format!("learned from {archived} game");
    assert!(text.contains(&learned_from) && text.contains("positions in"), "{text}");
    let shown = json(&zug(&["runs", "show", &learner, "--json"]));
    assert_eq!(shown["types"].as_array().unwrap().len(), 33);
    zug(&["runs", "report", &learner]);
    let page = fs::read_to_string(Path::new(&learner).join("report.html")).unwrap();
    // Each game that was learned from can be stepped through.
    let first = fs::read_to_string(Path::new(&learner).join("archive/000001.rl"));
    assert!(first.is_ok() && page.contains("<script") && page.contains("foretold"), "no replay");
    let before = fs::read(Path::new(&learner).join("model.zug")).unwrap();
    let script = "position startpos moves f2f3 e7e5\ngo nodes 50\n\
                  ucinewgame\nposition startpos\ngo nodes 50\nquit\n";
    let output = zug_with(&["engine", "uci", "--player", &player], script);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8_lossy(&output.stdout).to_string();
    assert_eq!(said.matches("bestmove").count(), 2, "{said}");
    // Two plies are no game.
    assert_eq!(fs::read(Path::new(&learner).join("model.zug")).unwrap(), before);
    let log = fs::read_to_string(Path::new(&learner).join("rllastgame.rl")).unwrap();
    assert!(log.contains("\nweiss\n1\n"), "the game in progress is logged");
}

#[test]
fn noughts_and_crosses_are_learned_to_a_player_that_does_not_lose() {
    let folder = Folder::new();
    let out = folder.path("run");
    zug(&["learn", "tic-tac-toe", "td", "--games", "6000", "--seed", "1", "--out", &out]);
    let player = format!("learned:model={out}/model.zug");
    for opponent in ["random", "pvs:depth=9"] {
        let told = json(&zug(&[
            "match",
            &player,
            opponent,
            "--game",
            "tictactoe",
            "--games",
            "60",
            "--opening-plies",
            "0",
            "--json",
        ]));
        let lost = told["losses"].as_u64();
        assert_eq!(lost, Some(0), "{opponent}: {told}");
    }
}
