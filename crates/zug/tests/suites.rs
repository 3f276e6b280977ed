//! `zug bench chess --suite`, as a user would run it.

mod support;
#[path = "support/talk.rs"]
mod talk;

use talk::{Folder, complaint, json, zug};

/// Mates and won pieces that any search sees, and one line whose move is not legal.
const SUITE: &str = "\
# our own positions
6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; id \"mate.1\";
4k3/8/8/3q4/8/8/3R4/3K4 w - - bm Rxd5; id \"queen.1\"; c0 \"Rxd5=10, Ke1=1\";
4k3/8/8/8/3q4/8/8/3QK3 w - - am Ke2 Qc1; id \"queen.2\";
7k/8/8/8/8/8/r7/1r5K w - - bm Kg1; id \"none\";
";

#[test]
fn positions_are_solved_and_counted() {
    let folder = Folder::new();
    let path = folder.path("own.epd");
    std::fs::write(&path, SUITE.replace("7k/8/8/8/8/8/r7/1r5K w - - bm Kg1; id \"none\";\n", ""))
        .unwrap();
    let words = ["bench", "chess", "--suite", &path, "--nodes", "3000", "--json"];
    let report = json(&zug(&words));
    assert_eq!((&report["positions"], &report["solved"]), (&3.into(), &3.into()), "{report:#}");
    assert_eq!((&report["points"], &report["most_points"]), (&10.into(), &10.into()));
    assert_eq!((&report["planned"], &report["complete"]), (&3.into(), &true.into()));
    let first = &report["results"][0];
    assert_eq!((first["id"].as_str(), first["move"].as_str()), (Some("mate.1"), Some("Ra8#")));
    assert!(first["solved_nodes"].as_u64() <= first["nodes"].as_u64());
    // The same again, whatever the threads.
    let mut words = words.to_vec();
    words.extend(["--threads", "2"]);
    let again = json(&zug(&words));
    assert_eq!(again["nodes"], report["nodes"]);
    let text = zug(&["bench", "chess", "--suite", &path, "--depth", "2", "--only", "queen"]);
    assert!(text.contains("2 of 2 solved, 10 of 10 points"), "{text}");
}

#[test]
fn what_is_wrong_with_a_suite_is_told_with_file_and_line() {
    let folder = Folder::new();
    let path = folder.path("own.epd");
    std::fs::write(&path, SUITE).unwrap();
    let said = complaint(&["bench", "chess", "--suite", &path, "--nodes", "100"]);
    assert!(said.contains("own.epd") && said.contains("line 5"), "{said}");
    for (words, word) in [
        (&["bench", "chess", "--suite", "nowhere.epd"][..], "nowhere.epd"),
        (&["bench", "othello", "--suite", &path][..], "of chess"),
        (&["bench", "--suite", &path][..], "which game"),
        (&["bench", "chess", "--movetime", "1s"][..], "required"),
    ] {
        let said = complaint(words);
        assert!(said.contains(word), "{said}");
    }
}

#[test]
fn a_move_that_should_be_avoided_is_told_in_plain_words() {
    let folder = Folder::new();
    let path = folder.path("own.epd");
    // The only mate there is.
    std::fs::write(&path, "6k1/5ppp/8/8/8/8/8/R3K3 w - - am Ra8#; id \"mate.2\";\n").unwrap();
    let text = zug(&["bench", "chess", "--suite", &path, "--depth", "2"]);
    let words: Vec<&str> = text.lines().next().unwrap().split_whitespace().collect();
    assert_eq!(words[..5], ["mate.2", "Ra8#", "should", "be", "avoided"], "{text}");
    assert!(text.contains("0 of 1 solved, by"), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn a_suite_that_is_stopped_twice_at_once_tells_what_it_has() {
    use std::process::{Command, Stdio};
    let folder = Folder::new();
    let path = folder.path("own.epd");
    // Nothing here is proven before the signal comes.
    let long = "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R w KQkq - bm Bb5; id";
    std::fs::write(&path, ["1", "2", "3"].map(|id| format!("{long} \"{id}\";\n")).concat())
        .unwrap();
    let child = Command::new(env!("CARGO_BIN_EXE_zug"))
        .args(["bench", "chess", "--suite", &path, "--movetime", "10m", "--json"])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("zug starts");
    let id = child.id().to_string();
    // Signals are only sent when somebody listens: bit 14 of the mask is SIGTERM.
    let listens = || {
        let status = std::fs::read_to_string(format!("/proc/{id}/status")).expect("zug runs");
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:")).expect("a mask");
        u64::from_str_radix(mask.trim(), 16).expect("a number") & 1 << 14 != 0
    };
    while !listens() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let kill = "kill -TERM \"$0\"; kill -TERM \"$0\"";
    // The second may find nobody left.
    Command::new("sh").args(["-c", kill, &id]).stderr(Stdio::null()).status().expect("a shell");
    let output = child.wait_with_output().expect("zug ends");
    assert_eq!(output.status.code(), Some(130));
    let report = json(&talk::text(&output.stdout));
    assert_eq!((&report["planned"], &report["complete"]), (&3.into(), &false.into()), "{report:#}");
    assert_eq!(report["positions"], 0, "{report:#}");
}
