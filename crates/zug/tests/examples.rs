//! `zug data othello label|generate|correct|openings|stats`, run as a user would, killed as a machine would.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;
use tempfile::TempDir;
use zug_core::tasks::TaskJournal;

/// Runs `zug data` in a folder; its exit code, output and complaints.
fn run(folder: &Path, words: &[&str]) -> (Option<i32>, String, String) {
    let output = command(folder, words).output().expect("zug starts");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    (output.status.code(), text(&output.stdout), text(&output.stderr))
}

fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zug"));
    command.arg("data").args(words).current_dir(folder).stdin(Stdio::null());
    command
}

/// Runs `zug data` with `--json`, expects success, gives what it printed.
fn json(folder: &Path, words: &[&str]) -> serde_json::Value {
    let (code, out, err) = run(folder, &[words, &["--json"]].concat());
    assert_eq!(code, Some(0), "zug data {words:?}: {err}\n{out}");
    serde_json::from_str(&out).unwrap_or_else(|e| panic!("{e}: {out}"))
}

/// Kills a child as soon as a file is there, unless it has ended before.
fn kill_at(child: &mut Child, path: &Path) {
    while !path.exists() && child.try_wait().expect("a child").is_none() {
        std::thread::sleep(Duration::from_millis(1));
    }
    // It may just have ended.
    let _ = child.kill();
    child.wait().expect("it ends");
}

/// Expects failure; gives the complaint.
fn refused(folder: &Path, words: &[&str]) -> String {
    let (code, out, err) = run(folder, words);
    assert!(code.is_some_and(|c| c != 0), "zug data {words:?} succeeded: {out}");
    assert!(!err.contains("panicked"), "{err}");
    err
}

/// A folder with 14 games of every opening of three plies, played badly but to the end.
fn games() -> TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let words =
        ["othello", "generate", "--openings", "3", "--player", "fast", "--exact-from", "58"];
    let made = json(folder.path(), &[&words[..], &["--out", "games.txt"]].concat());
    assert_eq!(made["games"], 14);
    folder
}

#[test]
fn games_become_examples_and_their_figures_add_up() {
    let folder = games();
    let at = folder.path();
    let words = ["othello", "label", "games.txt", "--out", "e.zug", "--exact-from", "56"];
    let made = json(at, &words);
    assert_eq!((made["games"].as_u64(), made["complete"].as_u64()), (Some(14), Some(14)));
    let found = json(at, &["othello", "stats", "e.zug"]);
    assert_eq!(found["total"]["examples"], made["examples"]);
    assert_eq!(found["total"]["met"], made["met"]);
    let levels = found["by_discs"].as_array().unwrap();
    assert_eq!((levels[0]["discs"].as_u64(), levels[0]["met"].as_u64()), (Some(4), Some(14)));
    for level in levels {
        let count = |name: &str| level[name].as_u64().unwrap();
        assert_eq!(count("wins") + count("draws") + count("losses"), count("examples"));
        assert_eq!(count("met"), count("examples") + count("merged"));
        if count("discs") >= 56 {
            assert_eq!(level["exact_share"], 1.0);
        }
    }
    assert!(found["made"]["command"].as_str().unwrap().contains("--exact-from 56"));
    let (code, out, _) = run(at, &["othello", "stats", "e.zug"]);
    assert!(code == Some(0) && out.contains("discs") && out.contains("Made by"), "{out}");

    // The same bytes again, whatever the memory and the threads.
    let again = [&words[..3], &["--out", "f.zug", "--exact-from", "56", "--memory", "1M"]].concat();
    json(at, &[&again[..], &["--threads", "3"]].concat());
    assert!(fs::read(at.join("e.zug")).unwrap() == fs::read(at.join("f.zug")).unwrap());
}

#[test]
fn a_killed_labelling_goes_on_and_ends_with_the_same_bytes() {
    let folder = games();
    let at = folder.path();
    let words = ["othello", "label", "games.txt", "--exact-from", "47", "--threads", "1"];
    let to = |out| [&words[..], &["--out", out]].concat();
    json(at, &to("whole.zug"));
    let work = at.join("killed.zug.work");
    // Each time it comes further; where it is too quick to be killed there, it is killed later or
    // not at all.
    for stage in ["plan.json", "nodes.zug", "level-60.zug", "level-53.zug", "level-48.zug"] {
        let mut child = command(at, &[&to("killed.zug")[..], &["--resume"]].concat())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .expect("zug starts");
        kill_at(&mut child, &work.join(stage));
    }
    if !at.join("killed.zug").exists() && work.join("plan.json").exists() {
        let refusal = refused(at, &to("killed.zug"));
        assert!(refusal.contains("--resume"), "{refusal}");
    }
    if !at.join("killed.zug").exists() {
        json(at, &[&to("killed.zug")[..], &["--resume"]].concat());
    }
    assert!(fs::read(at.join("whole.zug")).unwrap() == fs::read(at.join("killed.zug")).unwrap());
    assert!(!work.exists());
}

#[test]
fn generated_games_come_from_the_seed_and_go_on_after_a_kill() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let words = ["othello", "generate", "--random-plies", "8", "--games", "60", "--noise", "0.1"];
    let to = |out| [&words[..], &["--depth", "2", "--exact-from", "52", "--out", out]].concat();
    json(at, &[&to("one.txt")[..], &["--threads", "1"]].concat());
    let mut child = command(at, &to("two.txt")).stdout(Stdio::null()).spawn().expect("zug starts");
    kill_at(&mut child, &at.join("two.txt.games.part"));
    if !at.join("two.txt").exists() {
        json(at, &[&to("two.txt")[..], &["--resume", "--threads", "3"]].concat());
    }
    let read = |name: &str| fs::read_to_string(at.join(name)).unwrap();
    assert_eq!(read("one.txt"), read("two.txt"));
    assert_eq!(read("one.txt").lines().count(), 60);
    assert!(!at.join("two.txt.games.part").exists());
    json(at, &[&to("three.txt")[..], &["--seed", "2"]].concat());
    assert_ne!(read("one.txt"), read("three.txt"));
    let found = json(at, &["othello", "stats", "one.txt"]);
    assert_eq!((found["complete"].as_u64(), found["unfinished"].as_u64()), (Some(60), Some(0)));
}

#[test]
fn corrections_are_new_games_that_label_together_with_the_old_ones() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // Random to the end: full of mistakes.
    let random = ["othello", "generate", "--random-plies", "60", "--games", "30", "--out", "g.txt"];
    json(at, &random);
    let words = ["othello", "correct", "g.txt", "--out", "c.txt", "--from", "54", "--to", "62"];
    let found = json(at, &[&words[..], &["--exact-from", "54", "--model", "hand"]].concat());
    let new_games = found["new_games"].as_u64().unwrap();
    assert!(new_games > 5 && found["mistakes"].as_u64().unwrap() >= new_games, "{found}");
    assert_eq!(json(at, &["othello", "stats", "c.txt"])["complete"].as_u64(), Some(new_games));
    let made = json(at, &["othello", "label", "g.txt", "c.txt", "--out", "e.zug"]);
    assert_eq!(made["complete"].as_u64(), Some(30 + new_games));
}

#[test]
fn archives_folders_and_packed_files_are_read_and_unfinished_games_are_no_failure() {
    let folder = games();
    let at = folder.path();
    let text = fs::read_to_string(at.join("games.txt")).unwrap();
    let (whole, cut) = (text.lines().next().unwrap(), &text[..40]);
    fs::create_dir(at.join("in")).unwrap();
    fs::write(at.join("in/a.txt"), format!("{whole}\n{cut}\n")).unwrap();
    fs::write(at.join("in/b.txt.zst"), zstd::encode_all(whole.as_bytes(), 0).unwrap()).unwrap();
    fs::write(at.join("in/notes.md"), "no games").unwrap();
    let mut archive = tar::Builder::new(Vec::new());
    for (name, bytes) in [("x/c.txt", text.as_bytes()), ("x/readme", b"no games")] {
        let mut header = tar::Header::new_gnu();
        header.set_size(bytes.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, name, bytes).unwrap();
    }
    let packed = zstd::encode_all(&archive.into_inner().unwrap()[..], 0).unwrap();
    fs::write(at.join("in/c.tar.zst"), packed).unwrap();
    let found = json(at, &["othello", "stats", "in"]);
    assert_eq!((found["files"].as_u64(), found["complete"].as_u64()), (Some(3), Some(16)));
    assert_eq!((found["unfinished"].as_u64(), found["illegal"].as_u64()), (Some(1), Some(0)));
    let made = json(at, &["othello", "label", "in", "--out", "e.zug"]);
    assert_eq!((made["complete"].as_u64(), made["unfinished"].as_u64()), (Some(16), Some(1)));
    let more = ["othello", "label", "in", "--out", "f.zug", "--unfinished", "solve"];
    let more = json(at, &more);
    assert!(more["distinct"].as_u64() >= made["distinct"].as_u64());

    fs::write(at.join("in/bad.txt"), "f5d6\nf5a8\nhello\n").unwrap();
    let (code, out, _) = run(at, &["othello", "stats", "in", "--json"]);
    let found: serde_json::Value = serde_json::from_str(&out).unwrap();
    assert_eq!(code, Some(1), "illegal moves and lines that are no games are a failure");
    assert_eq!((found["illegal"].as_u64(), found["unreadable"].as_u64()), (Some(1), Some(1)));
    let made = json(at, &["othello", "label", "in", "--out", "g.zug"]);
    assert_eq!((made["illegal"].as_u64(), made["unreadable"].as_u64()), (Some(1), Some(1)));
}

#[test]
fn what_cannot_be_done_is_said_plainly() {
    let folder = games();
    let at = folder.path();
    let label = |game: &'static str, file: &'static str| {
        refused(at, &[game, "label", file, "--out", "e.zug"])
    };
    assert!(label("othello:6x6", "games.txt").contains("8x8"));
    assert!(label("go", "games.txt").contains("othello"));
    assert!(label("othello", "none.txt").contains("none.txt"));
    fs::write(at.join("broken.tar.zst"), "no archive").unwrap();
    assert!(label("othello", "broken.tar.zst").contains("broken.tar.zst"));
    fs::write(at.join("empty.zug"), "").unwrap();
    assert!(refused(at, &["othello", "stats", "empty.zug"]).contains("no Zug file"));
    json(at, &["othello", "label", "games.txt", "--out", "e.zug"]);
    let mut bytes = fs::read(at.join("e.zug")).unwrap();
    fs::write(at.join("cut.zug"), &bytes[..bytes.len() - 9]).unwrap();
    assert!(refused(at, &["othello", "stats", "cut.zug"]).contains("cut off"));
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(at.join("bad.zug"), &bytes).unwrap();
    assert!(refused(at, &["othello", "stats", "bad.zug"]).contains("damaged"));
    let generate = ["othello", "generate", "--out", "g.odd", "--openings", "1"];
    assert!(refused(at, &generate).contains("g.odd"));
    let model = ["othello", "generate", "--out", "g.txt", "--openings", "1", "--model", "dreams"];
    assert!(refused(at, &model).contains("dreams"));
    assert!(refused(at, &["othello", "generate", "--out", "g.txt"]).contains("--random-plies"));
}

#[test]
fn fair_openings_are_found_written_and_played_from() {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let words = ["othello", "openings", "--plies", "5", "--count", "12", "--depth", "3"];
    let find = |more: &[&str]| json(at, &[&words[..], &["--model", "hand"], more].concat());
    let made = find(&["--threads", "1", "--out", "one.txt"]);
    assert_eq!(made["openings"], 12);
    find(&["--threads", "3", "--out", "three.txt"]);
    let lines = fs::read_to_string(at.join("one.txt")).unwrap();
    assert_eq!(lines, fs::read_to_string(at.join("three.txt")).unwrap());
    assert_eq!(lines.lines().count(), 12);
    assert!(lines.lines().all(|line| line.len() == 10), "{lines}");
    find(&["--seed", "2", "--out", "other.txt"]);
    assert_ne!(lines, fs::read_to_string(at.join("other.txt")).unwrap());
    find(&["--out", "one.ggf"]);
    assert_eq!(json(at, &["othello", "stats", "one.ggf"])["plies"], 60);

    let played = Command::new(env!("CARGO_BIN_EXE_zug"))
        .args(["match", "random", "random", "--game", "othello", "--games", "4"])
        .args(["--openings", "one.txt"])
        .current_dir(at)
        .output()
        .unwrap();
    assert!(played.status.success(), "{played:?}");

    let refuse = |more: &[&str]| refused(at, &[&words[..], more].concat());
    assert!(refuse(&["--within", "0", "--model", "hand", "--out", "no.txt"]).contains("only "));
    assert!(!at.join("no.txt").exists());
    assert!(refuse(&["--within", "-1", "--out", "no.txt"]).contains("--within"));
    assert!(refuse(&["--out", "no.png"]).contains("end in"));
    assert!(refuse(&["--model", "lost.zug", "--out", "no.txt"]).contains("lost.zug"));
    assert!(refused(at, &["chess", "openings", "--out", "no.txt"]).contains("othello"));
}

#[test]
fn no_verb_writes_over_what_it_reads() {
    let folder = games();
    let at = folder.path();
    let before = fs::read(at.join("games.txt")).unwrap();
    fs::create_dir(at.join("in")).unwrap();
    fs::copy(at.join("games.txt"), at.join("in/games.txt")).unwrap();
    let checks: [&[&str]; 5] = [
        &["othello", "label", "games.txt", "--out", "games.txt"],
        &["othello", "label", "in", "--out", "in/../in/games.txt"],
        &["othello", "correct", "games.txt", "--out", "in/../games.txt"],
        &["othello", "correct", "in", "--out", "in/games.txt"],
        &["othello", "convert", "games.txt", "in/../games.txt"],
    ];
    for words in checks {
        let said = refused(at, words);
        assert!(said.contains("this file is read"), "{words:?}: {said}");
    }
    assert_eq!(fs::read(at.join("games.txt")).unwrap(), before);
    assert_eq!(fs::read(at.join("in/games.txt")).unwrap(), before);
    // The games and the folder: nothing else is left.
    assert_eq!(fs::read_dir(at).unwrap().count(), 2);
}

#[test]
fn labelling_without_an_example_fails_and_leaves_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("none.txt"), "").unwrap();
    fs::write(at.join("early.txt"), "f5d6c3\n").unwrap();
    fs::write(at.join("wrong.txt"), "f5f5f5\n").unwrap();
    for (file, words) in [
        ("none.txt", "no example"),
        ("early.txt", "1 stop early"),
        ("wrong.txt", "no example"),
        ("missing.txt", "missing.txt"),
        ("games.xyz", "games.xyz"),
    ] {
        let said = refused(at, &["othello", "label", file, "--out", "e.zug"]);
        assert!(said.contains(words), "{said}");
        assert_eq!(fs::read_dir(at).unwrap().count(), 3, "{file}");
    }
    let said = refused(at, &["othello", "label", "early.txt", "--out", "no/e.zug"]);
    assert!(said.contains("there is no folder"), "{said}");
}

#[test]
fn work_goes_on_only_with_the_same_model_and_the_same_games() {
    let folder = games();
    let at = folder.path();
    let models = concat!(env!("CARGO_MANIFEST_DIR"), "/../../models/");
    let put = |name: &str| fs::copy(format!("{models}{name}"), at.join("m.zug")).unwrap();
    put("othello.zug");
    let words = ["--model", "m.zug", "--depth", "1", "--exact-from", "56", "--hash", "2M"];
    let plays = [&["othello", "generate", "--random-plies", "8", "--games", "4"], &words[..]];
    let generate = [&plays.concat()[..], &["--out", "new.txt", "--resume"]].concat();
    let correct =
        [&["othello", "correct", "games.txt", "--out", "c.txt", "--resume"], &words[..]].concat();
    // Journals of begun work, as a killed process leaves them: the plan alone.
    let plan = |words: &[&str], name: &str| {
        // One that is dropped with nothing in it would go away.
        let keep =
            |plan: &str| std::mem::forget(TaskJournal::open(&at.join(name), plan, 4).unwrap());
        keep("something else");
        let said = refused(at, words);
        let now = said.rsplit("not '").next().unwrap().rsplit_once('\'').unwrap().0.to_string();
        fs::remove_file(at.join(name)).unwrap();
        keep(&now);
    };
    plan(&generate, "new.txt.games.part");
    put("othello-logistic.zug");
    assert!(refused(at, &generate).contains("another command"));
    put("othello.zug");
    json(at, &generate);

    plan(&correct, "c.txt.mistakes.part");
    let games = fs::read_to_string(at.join("games.txt")).unwrap();
    let turned: Vec<&str> = games.lines().rev().collect();
    fs::write(at.join("games.txt"), turned.join("\n")).unwrap();
    assert!(refused(at, &correct).contains("another command"));
    fs::write(at.join("games.txt"), &games).unwrap();
    put("othello-logistic.zug");
    assert!(refused(at, &correct).contains("another command"));
    put("othello.zug");
    json(at, &correct);

    let label = ["othello", "label", "games.txt", "--out", "e.zug", "--search-depth", "1"];
    let label = [&label[..], &["--model", "m.zug", "--hash", "2M", "--resume"]].concat();
    json(at, &label);
    let made = json(at, &["othello", "stats", "e.zug"]);
    let digest = made["notes"]["model digest"].as_str().unwrap_or_default().to_string();
    assert_eq!(digest.len(), 64, "{made}");
}
