//! Ctrl-C: every verb that may take long ends soon after it, says so by its exit code, and leaves
//! nothing half-written.

#![cfg(target_os = "linux")]

use rustix::process::{Pid, Signal, kill_process};
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Nobody waits for the end of this.
const EARLY: &str = "------------------OXX-----OXXX-----OOOX---XXX------------------- X";

/// How long a verb may take to end: people are promised two seconds on a machine of their own; this
/// one may be busy.
const PATIENCE: Duration = Duration::from_secs(20);

/// Verbs that would run for hours or days, and how much processor time shows that they have begun.
const LONG: &[(&str, f64)] = &[
    ("perft othello --depth 20", 0.3),
    ("match mcts:playouts=200000 mcts:playouts=200000 --games 9000 --journal m.j --out m.txt", 0.5),
    ("match zug:depth=30 zug:depth=30 --game chess --games 9000 --concurrency 4 --out m.pgn", 0.5),
    ("match zug:depth=60 zug:depth=60 --game go:9x9 --games 9000 --out m.sgf", 0.5),
    ("solve othello early.obf --hash 1 --out s.jsonl", 0.5),
    ("solve othello early.obf --hash 64 --threads 4 --every-move", 0.5),
    ("analyse othello start --movetime 600s", 0.5),
    ("analyse othello f5d6c3d3c4f4f6 --movetime 600s --report a.html", 0.5),
    ("analyse chess start --depth 90", 0.5),
    ("analyse go:9x9 start --movetime 600s", 0.5),
    ("data othello generate --random-plies 8 --games 900000 --depth 9 --out g.txt", 0.5),
    ("data othello generate --openings 9 --depth 30 --exact-from 10 --out g2.txt", 0.5),
    ("data othello correct games.txt --depth 40 --exact-from 10 --out c.txt", 0.5),
    ("data othello label games.txt --exact-from 10 --out l.zug", 0.5),
    ("data othello label games.txt --search-depth 40 --out l2.zug", 0.5),
    ("data othello openings --plies 9 --count 200000 --depth 14 --out o.txt", 0.5),
    ("data chess generate --games 900000 --nodes 900000000 --out g.zug", 0.5),
    ("db build chess:KRPvKR --out db1", 0.5),
    ("db build chess:KRPvKR --out db2 --memory 64M", 0.5),
    ("db build losing-ttt:4x4 --out db3 --method basic", 0.5),
    ("db verify krk", 0.05),
    ("db estimate chess:KRPvKR --seconds 600", 0.3),
    (
        "learn othello examples --method joint --data x.zug --features edge,mobility --set iterations=100000000 --set tolerance=0 --set patience=100000000 --run r --out j.zug",
        0.5,
    ),
    ("learn othello pattern-search --data x.zug --set rounds=900 --report p.html", 0.5),
    ("learn othello probcut --positions 90000 --depth 20 --out p.zug", 0.5),
    ("learn othello td --group F --experiments 16 --games 200000 --threads 16 --out t1", 1.0),
    (
        "learn othello td --method td-leaf --features patterns --games 200000 --threads 16 --out t2",
        1.0,
    ),
    (
        "learn chess td --experiment knightcap1 --experiments 16 --games 200000 --threads 16 --out t3",
        1.0,
    ),
    ("learn connect-four td --games 90000000 --threads 16 --out t4", 1.0),
    ("learn tic-tac-toe td --games 90000000 --out t5", 0.5),
    ("bench othello --experiment probcut --games 90000 --movetime 1s", 0.5),
    ("bench othello --experiment scaling --games 90000", 0.5),
    ("bench othello --seconds 600", 0.3),
    ("book build othello games.txt --depth 40 --exact 0 --out b1.zug", 0.5),
    ("book build connect4 --self-play 90000 --depth 40 --exact 0 --out b2.zug", 0.5),
    ("book add b3.zug games.txt --game othello --depth 40 --exact 0", 0.5),
    ("book reevaluate b4.zug --depth 60 --exact 0", 0.5),
    ("book tend b5.zug --games 0 --earlier 8 --exact 16 --force", 0.3),
];

fn command(folder: &Path, words: &str) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_zug"));
    command.args(words.split(' ')).current_dir(folder).stdin(Stdio::null());
    command
}

fn good(folder: &Path, words: &str) {
    let output = command(folder, words).output().expect("zug runs");
    assert!(output.status.success(), "{words}: {}", String::from_utf8_lossy(&output.stderr));
}

/// Processor time that a process has used; Linux counts it in hundredths of a second.
fn cpu_seconds(child: &Child) -> Option<f64> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    let fields: Vec<&str> = stat.rsplit(')').next()?.split_whitespace().collect();
    let ticks: f64 = fields.get(11)?.parse::<f64>().ok()? + fields.get(12)?.parse::<f64>().ok()?;
    Some(ticks / 100.0)
}

/// Files that no ended process should leave: temporaries and locks.
fn litter(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            found.extend(litter(&path));
        }
        let name = path.file_name().unwrap().to_string_lossy().into_owned();
        if name.ends_with(".tmp") || name.ends_with(".lock") {
            found.push(path.display().to_string());
        }
    }
    found
}

#[test]
fn every_long_verb_ends_soon_after_ctrl_c_and_leaves_nothing_half_written() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("early.obf"), format!("{EARLY}\n")).unwrap();
    good(at, "data othello generate --openings 4 --player fast --out games.txt");
    good(at, "data othello label games.txt --out x.zug --exact-from 58");
    good(at, "db build chess:KRvK --out krk");
    good(at, "book build othello games.txt --plies 4 --depth 1 --exact 0 --out b4.zug");
    good(at, "book build othello games.txt --depth 1 --exact 16 --out b5.zug");
    let before = fs::read(at.join("b4.zug")).unwrap();
    let mut faults = Vec::new();
    for &(words, begun) in LONG {
        let mut child = command(at, words)
            .stdout(Stdio::null())
            .stderr(fs::File::create(at.join("stderr")).unwrap())
            .spawn()
            .expect("zug starts");
        let said = || fs::read_to_string(at.join("stderr")).unwrap_or_default();
        let since = Instant::now();
        while cpu_seconds(&child).is_some_and(|cpu| cpu < begun) {
            if child.try_wait().unwrap().is_some() {
                break;
            }
            assert!(since.elapsed() < Duration::from_secs(300), "{words}: it does not begin");
            std::thread::sleep(Duration::from_millis(5));
        }
        if let Some(status) = child.try_wait().unwrap() {
            faults.push(format!("{words}: ended by itself ({status}): {}", said()));
            continue;
        }
        let asked = Instant::now();
        kill_process(Pid::from_child(&child), Signal::INT).unwrap();
        let status = loop {
            if let Some(status) = child.try_wait().unwrap() {
                break status;
            }
            if asked.elapsed() > PATIENCE {
                child.kill().unwrap();
                child.wait().unwrap();
                break std::process::ExitStatus::default();
            }
            std::thread::sleep(Duration::from_millis(5));
        };
        println!("{:6.2} s  {words}", asked.elapsed().as_secs_f64());
        if asked.elapsed() > PATIENCE {
            faults.push(format!("{words}: it goes on for more than {PATIENCE:?}"));
        }
        // A shell says 130 of both.
        if status.code() != Some(130) && status.signal() != Some(2) {
            faults.push(format!("{words}: {status}: {}", said()));
        }
        let litter = litter(at);
        if !litter.is_empty() {
            faults.push(format!("{words}: it leaves {litter:?}"));
            litter.iter().for_each(|path| fs::remove_file(path).unwrap());
        }
        // Records are written as they come, and each of them whole, a report tells what was found
        // until then; all else appears when it is done.
        let mut words = words.split(' ').skip_while(|word| *word != "--out" && *word != "--report");
        let path = at.join(words.nth(1).unwrap_or("no such file"));
        if path.is_file() {
            let name = path.file_name().unwrap().to_string_lossy();
            let end: &[u8] = match &*name {
                "a.html" => b"</html>\n",
                "m.txt" | "m.pgn" | "m.sgf" | "s.jsonl" => b"\n",
                _ => b"nothing",
            };
            if !fs::read(&path).unwrap().ends_with(end) {
                faults.push(format!("{name} is half written"));
            }
        }
    }
    assert!(faults.is_empty(), "{faults:#?}");
    assert!(fs::read(at.join("b4.zug")).unwrap() == before, "a stopped book is as it was");
}
