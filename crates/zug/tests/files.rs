//! What commands write: never two at a time, never over something else unasked, never believed when
//! it was changed, never begun again in silence.

use std::fs;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn command(folder: &Path, words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zug"));
    command.args(words).current_dir(folder).stdin(Stdio::null());
    command
}

/// The exit code and what was said on stderr.
fn run(folder: &Path, words: &[&str]) -> (Option<i32>, String) {
    let output = command(folder, words).output().expect("zug runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(!said.contains("panicked"), "{words:?}: {said}");
    (output.status.code(), said)
}

fn good(folder: &Path, words: &[&str]) -> String {
    let (code, said) = run(folder, words);
    assert_eq!(code, Some(0), "{words:?}: {said}");
    said
}

fn refused(folder: &Path, words: &[&str]) -> String {
    let (code, said) = run(folder, words);
    assert!(code.is_some_and(|c| c != 0), "{words:?} succeeded: {said}");
    said
}

/// Waits for something that another process will do.
fn wait_for(what: &str, mut done: impl FnMut() -> bool) {
    let begun = Instant::now();
    while !done() {
        assert!(begun.elapsed() < Duration::from_secs(120), "waited too long for {what}");
        std::thread::sleep(Duration::from_millis(2));
    }
}

fn start(folder: &Path, words: &[&str]) -> Child {
    command(folder, words).stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("zug starts")
}

/// Nobody waits for the end of this.
const EARLY: &str = "------------------OXX-----OXXX-----OOOX---XXX------------------- X";

/// Games of tic-tac-toe and Othello to begin with.
fn games() -> tempfile::TempDir {
    let folder = tempfile::tempdir().expect("a folder");
    let at = folder.path();
    let words = ["data", "othello", "generate", "--openings", "2", "--games-per-opening", "2"];
    good(at, &[&words[..], &["--player", "fast", "--out", "games.txt"]].concat());
    fs::write(at.join("early.obf"), format!("{EARLY}\n")).unwrap();
    folder
}

#[test]
fn a_second_process_is_refused_by_name_and_a_killed_one_blocks_nobody() {
    let folder = games();
    let at = folder.path();
    let long = |words: &str| words.split(' ').map(str::to_string).collect::<Vec<_>>();
    let all = [
        ("g.txt", "data othello generate --random-plies 8 --games 900000 --out g.txt"),
        ("g.zug", "data chess generate --games 900000 --nodes 200 --out g.zug"),
        ("c.txt", "data othello correct games.txt --depth 30 --exact-from 64 --out c.txt"),
        ("m.jsonl", "match mcts mcts --game othello --games 9000 --movetime 1s --journal m.jsonl"),
        ("m.txt", "match mcts mcts --game othello --games 9000 --movetime 1s --out m.txt"),
        ("s.jsonl", "solve othello early.obf --hash 1 --out s.jsonl"),
        ("b.zug", "book build othello --self-play 9000 --depth 30 --exact 0 --out b.zug"),
        ("p.zug", "learn othello probcut --positions 100000 --depth 20 --out p.zug"),
        ("run/run", "learn tic-tac-toe td --games 900000000 --out run"),
        ("db/", "db build chess:KRPvK --out db"),
    ];
    for (name, words) in all {
        let words = long(words);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        let lock = at.join(format!("{name}.lock"));
        let holder = |child: &Child| {
            fs::read_to_string(&lock).is_ok_and(|text| text.trim() == child.id().to_string())
        };
        let mut first = start(at, &words);
        wait_for(name, || holder(&first));
        let again = match name {
            "run/run" => [&words[..], &["--resume"]].concat(),
            _ => words.clone(),
        };
        // A run is one only after it has written what it is.
        wait_for(name, || name != "run/run" || at.join("run/run.toml").exists());
        let said = refused(at, &again);
        assert!(said.contains(&format!("is locked by process {}", first.id())), "{name}: {said}");
        assert!(said.contains(".lock"), "{name}: {said}");
        first.kill().unwrap();
        first.wait().unwrap();
        assert!(lock.exists(), "{name}: left by the killed process");
        let forced = match name {
            "db/" | "run/run" => [&words[..], &["--resume"]].concat(),
            "s.jsonl" => words.clone(),
            _ => [&words[..], &["--force"]].concat(),
        };
        let mut next = start(at, &forced);
        wait_for(name, || holder(&next) || next.try_wait().unwrap().is_some());
        assert!(holder(&next), "{name}: a killed process blocks it");
        next.kill().unwrap();
        next.wait().unwrap();
    }
}

#[test]
fn what_is_there_is_replaced_only_with_force() {
    let folder = games();
    let at = folder.path();
    fs::write(at.join("g.sgf"), "(;GM[1]SZ[9];B[ee];W[ec];B[ge])").unwrap();
    good(at, &["data", "othello", "label", "games.txt", "--out", "x.zug", "--exact-from", "60"]);
    let words = |text: &str| text.split(' ').map(str::to_string).collect::<Vec<_>>();
    let all = [
        ("a1.ggf", "data othello convert games.txt a1.ggf"),
        ("a2.txt", "data othello openings --plies 2 --count 1 --depth 1 --within 9 --out a2.txt"),
        ("a3.txt", "data othello generate --openings 1 --player fast --out a3.txt"),
        ("a4.zug", "data othello label games.txt --out a4.zug --exact-from 60"),
        ("a5.zug", "book build connect4 --self-play 1 --depth 1 --out a5.zug"),
        ("a6.jsonl", "book export shipped --out a6.jsonl"),
        ("a7.zug", "book copy shipped a7.zug"),
        ("a8.zug", "explore othello --data games.txt --build a8.zug"),
        ("a9.html", "analyse othello f5d6 --depth 1 --report a9.html"),
        ("b1.txt", "match random random --game tictactoe --games 2 --out b1.txt"),
        ("b2.svg", "guess go g.sgf --svg b2.svg"),
        ("b3.sgf", "guess go g.sgf --annotate b3.sgf"),
        (
            "b4.html",
            "learn othello discordance --data x.zug --feature mobility --set held-out=none --set measured-on=training --report b4.html",
        ),
        (
            "b5.zug",
            "learn othello examples --method joint --data x.zug --features edge --set iterations=1 --set held-out=none --set least-examples=1 --out b5.zug",
        ),
        ("b6.zug", "data chess generate --games 2 --nodes 20 --most-plies 10 --out b6.zug"),
        ("b7.zgr", "play tictactoe --first random --second random --save b7.zgr"),
    ];
    for (name, text) in all {
        let words = words(text);
        let words: Vec<&str> = words.iter().map(String::as_str).collect();
        good(at, &words);
        let path = at.join(name);
        fs::write(&path, "dear to somebody").unwrap();
        let said = refused(at, &words);
        assert!(said.contains("--force") && said.contains(name), "{name}: {said}");
        assert_eq!(fs::read_to_string(&path).unwrap(), "dear to somebody", "{name}");
        good(at, &[&words[..], &["--force"]].concat());
        assert_ne!(fs::read(&path).unwrap(), b"dear to somebody", "{name}");
    }
    let locks = fs::read_dir(at).unwrap().map(|e| e.unwrap().file_name().into_string().unwrap());
    let left: Vec<String> =
        locks.filter(|n| n.ends_with(".lock") || n.ends_with(".part")).collect();
    assert_eq!(left, Vec::<String>::new(), "locks go away with their holders");
}

#[test]
fn results_that_were_changed_by_hand_are_refused_with_file_and_line() {
    let folder = games();
    let at = folder.path();
    let play = ["match", "zug:depth=1", "random", "--game", "othello", "--games", "4", "--json"];
    let play = [&play[..], &["--journal", "m.jsonl", "--out", "m.ggf"]].concat();
    good(at, &play);
    let solve = ["solve", "othello", "late.obf", "--hash", "1", "--out", "s.jsonl"];
    let late = "OX-OOOOOOOOXXXXXOOXXXXXXOOOXXXXXOOXOXXXXOOOXOXXXOOOOOOXX-OOOOOXO X";
    fs::write(at.join("late.obf"), format!("{late}\n")).unwrap();
    good(at, &solve);
    for (file, words, from) in
        [("m.jsonl", &play[..], "\"winner\":"), ("s.jsonl", &solve[..], "\"score\":")]
    {
        let path = at.join(file);
        let whole = fs::read_to_string(&path).unwrap();
        let place = whole.find(from).expect("a result") + from.len();
        let line = whole[..place].matches('\n').count() + 1;
        let end = place + whole[place..].find(',').unwrap();
        let changed = format!("{}77{}", &whole[..place], &whole[end..]);
        fs::write(&path, &changed).unwrap();
        let said = refused(at, words);
        assert!(said.contains(file) && said.contains(&format!("line {line}")), "{said}");
        assert_eq!(fs::read_to_string(&path).unwrap(), changed, "left for a person to look at");
        fs::write(&path, &whole).unwrap();
        good(at, words);
    }
}

#[test]
fn records_that_a_kill_has_torn_are_made_whole_from_the_journal() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let play = ["match", "zug:depth=1", "random", "--game", "othello", "--games", "6"];
    let play = [&play[..], &["--journal", "m.jsonl", "--out", "m.ggf"]].concat();
    good(at, &play);
    let whole = fs::read(at.join("m.ggf")).unwrap();
    for cut in [whole.len() - 1, whole.len() / 2, 1, 0] {
        fs::write(at.join("m.ggf"), &whole[..cut]).unwrap();
        good(at, &play);
        assert_eq!(fs::read(at.join("m.ggf")).unwrap(), whole, "cut at {cut}");
    }
}

#[test]
fn what_killed_processes_left_beside_a_file_goes_away() {
    let folder = games();
    let at = folder.path();
    for name in [".a.ggf.4000000-3.tmp", ".mine.tmp"] {
        fs::write(at.join(name), "half").unwrap();
    }
    good(at, &["data", "othello", "convert", "games.txt", "a.ggf"]);
    assert!(!at.join(".a.ggf.4000000-3.tmp").exists());
    assert!(at.join(".mine.tmp").exists(), "not one of ours");
}

#[test]
fn one_bad_archive_in_a_folder_is_named_and_passed_over() {
    let folder = games();
    let at = folder.path();
    fs::create_dir(at.join("all")).unwrap();
    fs::rename(at.join("games.txt"), at.join("all/games.txt")).unwrap();
    fs::write(at.join("all/bad.tar.zst"), "no archive").unwrap();
    fs::write(at.join("all/bad.ggf.zst"), "not packed").unwrap();
    let output = command(at, &["data", "othello", "stats", "all", "--json"]).output().unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("bad.tar.zst") && said.contains("bad.ggf.zst"), "{said}");
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!(found["records"].as_u64().unwrap() > 0, "{found}");
    assert_eq!(found["passed_over"].as_array().unwrap().len(), 2, "{found}");
    let said = refused(at, &["data", "othello", "stats", "all/bad.tar.zst", "all"]);
    assert!(said.contains("cannot read all/bad.tar.zst"), "named, it is an error: {said}");
}

#[test]
fn a_run_whose_checkpoints_are_damaged_begins_again_only_when_asked() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let learn = ["learn", "tic-tac-toe", "td", "--games", "2000", "--out", "run", "--threads", "1"];
    good(at, &learn);
    let model = fs::read(at.join("run/model.zug")).unwrap();
    let resume = [&learn[..], &["--resume"]].concat();
    let saved = || {
        let mut all: Vec<_> = fs::read_dir(at.join("run/checkpoints"))
            .unwrap()
            .map(|e| e.unwrap().path())
            .filter(|p| p.extension().is_some_and(|e| e == "zug"))
            .collect();
        all.sort();
        all
    };
    let damage = |path: &Path| {
        let mut bytes = fs::read(path).unwrap();
        let middle = bytes.len() / 2;
        bytes[middle] ^= 1;
        fs::write(path, bytes).unwrap();
    };
    let all = saved();
    assert!(all.len() > 1, "{all:?}");
    damage(all.last().unwrap());
    let said = good(at, &resume);
    assert!(said.contains("set aside") && said.contains("goes on from the checkpoint"), "{said}");
    assert_eq!(fs::read(at.join("run/model.zug")).unwrap(), model);

    saved().iter().for_each(|path| damage(path));
    for _ in 0..2 {
        let said = refused(at, &resume);
        assert!(said.contains("--restart") && said.contains(".damaged"), "{said}");
    }
    let said = good(at, &[&resume[..], &["--restart"]].concat());
    assert!(said.contains("removed"), "{said}");
    assert_eq!(fs::read(at.join("run/model.zug")).unwrap(), model);
}

/// What a terminal shows: the bytes as they come.
#[cfg(target_os = "linux")]
mod terminal {
    use super::*;
    use std::io::{Read, Write};

    /// Runs zug on a terminal; presses Ctrl-C once this was seen.
    fn on_a_terminal(
        folder: &Path,
        words: &str,
        plain: bool,
        interrupt_at: Option<&str>,
    ) -> String {
        let line = format!("exec {} {words}", env!("CARGO_BIN_EXE_zug"));
        let mut command = Command::new("script");
        command.args(["-qec", &line, "/dev/null"]).current_dir(folder).env("TERM", "xterm");
        command.env_remove("NO_COLOR").stdin(Stdio::piped()).stdout(Stdio::piped());
        if plain {
            command.env("NO_COLOR", "1");
        }
        let mut child = command.spawn().expect("the program 'script' (util-linux) is there");
        let mut keys = child.stdin.take().unwrap();
        let mut screen = child.stdout.take().unwrap();
        let (mut seen, mut piece, mut pressed) = (Vec::new(), [0; 4096], false);
        while let Ok(n @ 1..) = screen.read(&mut piece) {
            seen.extend_from_slice(&piece[..n]);
            let text = String::from_utf8_lossy(&seen);
            if let Some(sign) = interrupt_at.filter(|sign| !pressed && text.contains(sign)) {
                assert!(!sign.is_empty());
                keys.write_all(b"\x03").unwrap();
                pressed = true;
            }
        }
        drop(keys);
        child.wait().unwrap();
        String::from_utf8_lossy(&seen).into_owned()
    }

    #[test]
    fn lines_stand_above_the_bar_and_not_in_it() {
        let folder = tempfile::tempdir().unwrap();
        let words = "data othello generate --random-plies 8 --games 900000 --out g.txt";
        let seen = on_a_terminal(folder.path(), words, true, Some("/900,000"));
        let (before, _) = seen.split_once("zug: stopping").expect("it said that it stops");
        // Since the line was last cleared or left, nothing that can be seen.
        let begin = ["\n", "\r", "\x1b[2K", "\x1b[K"]
            .iter()
            .filter_map(|end| before.rfind(end).map(|at| at + end.len()))
            .max()
            .expect("the bar was drawn");
        assert_eq!(before[begin..].trim(), "", "{seen:?}");
    }

    #[test]
    fn the_log_has_colours_unless_they_are_not_wanted() {
        let folder = tempfile::tempdir().unwrap();
        fs::create_dir(folder.path().join("all")).unwrap();
        fs::write(folder.path().join("all/bad.tar"), "no archive").unwrap();
        let words = "data othello stats all";
        let coloured = on_a_terminal(folder.path(), words, false, None);
        assert!(coloured.contains("passed over") && coloured.contains("\x1b[3"), "{coloured:?}");
        let plain = on_a_terminal(folder.path(), words, true, None);
        assert!(plain.contains("passed over") && !plain.contains("\x1b[3"), "{plain:?}");
    }
}
