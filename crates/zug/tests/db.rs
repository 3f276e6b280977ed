//! `zug db`, run as a user or a script would: small databases are built, asked, damaged, killed.

#[path = "support/databases.rs"]
mod databases;
mod support;
#[path = "support/talk.rs"]
mod talk;

use databases::{build, files, forget_last_stage, same_files};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::LazyLock;
use std::time::Duration;
use support::zug_with;
use talk::{Folder, complaint, json, text, zug};

const ZUG: &str = env!("CARGO_BIN_EXE_zug");

/// Databases that several tests ask and none changes.
static SHARED: LazyLock<Shared> = LazyLock::new(|| {
    let folder = Folder::new();
    let krk = build(&folder, "krk", &["chess:KRvK"]);
    let dodgem = build(&folder, "dodgem", &["dodgem:4x4"]);
    Shared { krk, dodgem, _folder: folder }
});

struct Shared {
    krk: String,
    dodgem: String,
    _folder: Folder,
}

#[test]
fn king_and_rook_against_king_is_counted_as_published_reduced_and_full() {
    let reduced = include_str!("databases/krk_reduced.csv");
    let full = include_str!("databases/krk_full.csv");
    assert_eq!(zug(&["db", "stats", &SHARED.krk, "--csv"]), reduced);
    assert_eq!(zug(&["db", "stats", &SHARED.krk, "--csv", "--reduced"]), reduced);
    assert_eq!(zug(&["db", "stats", &SHARED.krk, "--csv", "--full"]), full);
    let stats = json(&zug(&["db", "stats", &SHARED.krk, "--json", "--stages"]));
    assert_eq!((&stats["slots"], &stats["full_slots"]), (&79_380.into(), &508_032.into()));
    assert_eq!((&stats["illegal"], &stats["duplicates"]), (&15_932.into(), &12_509.into()));
    assert_eq!(stats["used"], 50_939);
    let kings = &stats["stages"][0];
    assert_eq!((&kings["illegal"], &kings["duplicates"]), (&132.into(), &204.into()));
    let text = zug(&["db", "stats", &SHARED.krk]);
    for figure in ["97.98 %", "88.58 %", "20.02 %", "43.11 %", "101,696", "won in 31", "lost in 32"]
    {
        assert!(text.contains(figure), "no {figure} in {text}");
    }
}

#[test]
fn a_database_without_symmetry_holds_every_position_and_agrees_with_the_reduced_one() {
    let folder = Folder::new();
    let full = build(&folder, "full", &["chess:KRvK", "--no-symmetry"]);
    assert_eq!(zug(&["db", "stats", &full, "--csv"]), include_str!("databases/krk_full.csv"));
    // 27 mates, although 216 are stored.
    let reduced = zug(&["db", "stats", &full, "--csv", "--reduced"]);
    assert_eq!(reduced, include_str!("databases/krk_reduced.csv"));
    let stats = json(&zug(&["db", "stats", &full, "--json"]));
    assert_eq!(stats["reduced"]["rows"][0]["black_to_move"], 27);
    assert_eq!((&stats["reduced_stored"], &stats["used"]), (&false.into(), &406_336.into()));
    for position in ["8/8/8/4k3/8/8/R7/K7 w - - 0 1", "8/8/8/8/3k4/8/R7/K7 b - - 0 1"] {
        let probe = |dir: &str| {
            let mut found = json(&zug(&["db", "probe", dir, position, "--json"]));
            found["slot"].take();
            found["moves"]
                .as_array_mut()
                .expect("moves")
                .sort_by_key(|m| m["move"].as_str().expect("a move").to_string());
            found
        };
        assert_eq!(probe(&full), probe(&SHARED.krk));
    }
}

#[test]
fn dodgem_is_counted_as_recomputed_and_colours_are_alike() {
    let mut expected = include_str!("databases/dodgem4_reduced.csv").to_string();
    expected.push_str("won_total,,141161,0\nlost_total,,93161,0\ndrawn_total,,43670,0\n");
    assert_eq!(zug(&["db", "stats", &SHARED.dodgem, "--csv"]), expected);
    let stats = json(&zug(&["db", "stats", &SHARED.dodgem, "--json"]));
    assert_eq!(stats["full"]["won"], serde_json::json!([141_161, 141_161]));
    assert_eq!((&stats["slots"], &stats["full_slots"]), (&277_992.into(), &555_984.into()));
    assert_eq!(stats["one_side_stored"], true);
    // Every placement of one to three cars of the side that is not to move.
    let unreached = &stats["unreached"];
    assert_eq!(
        (&unreached["full"]["drawn"], &unreached["used"]),
        (&json("[696, 696]"), &696.into())
    );
    assert!(unreached["why"].as_str().is_some_and(|why| why.contains("no car left")));
    let text = zug(&["db", "stats", &SHARED.dodgem]);
    let words =
        "no game comes to them, 1,392 drawn (full), 696 drawn (as stored): the side to move";
    assert!(text.contains(words), "{text}");
    // As many columns as there are sides with positions, each name over its numbers.
    let text = zug(&["db", "stats", &SHARED.dodgem]);
    assert!(text.starts_with("dodgem:4x4: distance to the end of the game\n"), "{text}");
    let row = |word: &str| text.lines().find(|line| line.starts_with(word)).expect("a row");
    let ends = |line: &str| -> Vec<usize> {
        let words = line.split_inclusive(' ').scan(0, |at, word| {
            *at += word.len();
            Some((*at - usize::from(word.ends_with(' ')), word.trim().len()))
        });
        words.filter(|&(end, length)| length > 0 && end > 12).map(|(end, _)| end).collect()
    };
    assert_eq!(ends(row("to move:")), ends(row("lost in 0")), "{text}");
    assert_eq!(ends(row("to move:")).len(), 3, "{text}");
}

#[test]
fn a_database_that_keeps_colour_swaps_is_reduced_when_it_is_counted() {
    let folder = Folder::new();
    let both = build(&folder, "both", &["dodgem:3x3", "--no-mirror"]);
    let one = build(&folder, "one", &["dodgem:3x3"]);
    let count = |dir: &str, column: &str| zug(&["db", "stats", dir, "--csv", column]);
    assert_eq!(count(&both, "--reduced"), count(&one, "--reduced"));
    assert_eq!(count(&both, "--full"), count(&one, "--full"));
    assert_ne!(count(&both, "--reduced"), count(&both, "--full"));
}

#[test]
fn the_command_that_goes_on_with_a_database_names_all_that_makes_it_this_one() {
    let folder = Folder::new();
    let words = ["--no-symmetry", "--no-mirror", "--one-side", "--metric", "wdl"];
    let dir =
        build(&folder, "in parts", &[&["chess:KRvK", "--reference", "most"], &words[..]].concat());
    let whole = files(&dir);
    forget_last_stage(&dir);
    let command = format!(
        "zug db build chess:KRvK --no-symmetry --no-mirror --reference most --one-side \
         --metric wdl --out '{dir}' --resume"
    );
    for verb in ["stats", "verify"] {
        let said = complaint(&["db", verb, &dir]);
        assert!(said.contains(&command), "{said}");
    }
    assert!(zug(&["db", "info", &dir]).contains(&command));
    let words = command.replace(&format!("'{dir}'"), "DIR");
    let words = words.split(' ').skip(1).map(|w| if w == "DIR" { dir.as_str() } else { w });
    zug(&words.collect::<Vec<_>>());
    assert!(files(&dir) == whole);
}

#[test]
fn a_table_of_traps_is_announced_kept_listed_checked_and_mended() {
    let folder = Folder::new();
    let dir = build(&folder, "d", &["dodgem:3x3"]);
    let player = format!("perfect:db={dir},style=trap");
    let play = || {
        let output =
            zug_with(&["match", &player, "random", "--game", "dodgem:3x3", "--games", "2"], "");
        assert!(output.status.success(), "{}", text(&output.stderr));
        text(&output.stderr)
    };
    let first = play();
    assert!(first.contains("computing the trap table of dodgem:3x3, kept in"), "{first}");
    assert!(!play().contains("trap table"), "computed twice");
    assert!(zug(&["db", "info", &dir]).contains("trap-"));
    zug(&["db", "verify", &dir, "--files"]);
    let name = files(&dir).into_keys().find(|name| name.starts_with("trap-")).expect("a table");
    let path = Path::new(&dir).join(&name);
    let mut bytes = fs::read(&path).expect("a file");
    let middle = bytes.len() / 2;
    bytes[middle] ^= 1;
    fs::write(&path, bytes).expect("written");
    let said = complaint(&["db", "verify", &dir, "--files"]);
    assert!(said.contains(&name), "{said}");
    assert!(play().contains("is damaged"));
    zug(&["db", "verify", &dir, "--files"]);
    // As many slots and the same game, but other files: the table says nothing about them.
    let other = build(&folder, "other", &["dodgem:3x3", "--one-side"]);
    fs::copy(&path, Path::new(&other).join(&name)).expect("copied");
    let said = complaint(&["db", "verify", &other, "--files"]);
    assert!(said.contains("computed from another database"), "{said}");
    let player = format!("perfect:db={other},style=trap");
    let words = ["match", &player, "random", "--game", "dodgem:3x3", "--games", "2"];
    assert!(text(&zug_with(&words, "").stderr).contains("of another database"));
    zug(&["db", "verify", &other, "--files"]);
}

#[test]
fn a_probe_tells_value_distance_and_every_move_best_first() {
    let position = "k7/8/1K6/8/8/8/8/7R w - - 0 1";
    let probe = json(&zug(&["db", "probe", &SHARED.krk, position, "--json"]));
    assert_eq!((&probe["value"], &probe["distance"]), (&"won".into(), &1.into()));
    assert_eq!(probe["moves"][0]["move"], "h1h8");
    assert_eq!(probe["moves"][0]["best"], true);
    let moves = probe["moves"].as_array().expect("moves");
    assert_eq!(moves.len(), 20, "{probe:#}");
    let rank = |m: &serde_json::Value| match m["value"].as_str() {
        Some("won") => -1_000 + m["distance"].as_i64().expect("a distance"),
        Some("drawn") => 0,
        _ => 1_000 - m["distance"].as_i64().expect("a distance"),
    };
    assert!(moves.is_sorted_by_key(rank), "{probe:#}");
    let text = zug(&["db", "probe", &SHARED.krk, position]);
    assert!(text.contains("white to move: won in 1"), "{text}");
    assert!(text.contains("* h1h8"), "{text}");
    let start = json(&zug(&["db", "probe", &SHARED.dodgem, "start", "--json"]));
    assert_eq!((&start["value"], &start["distance"]), (&"drawn".into(), &serde_json::Value::Null));
    assert_eq!(start["moves"].as_array().expect("moves").len(), 4);
    let mated =
        json(&zug(&["db", "probe", &SHARED.krk, "k6R/8/1K6/8/8/8/8/8 b - - 0 1", "--json"]));
    assert_eq!((&mated["value"], &mated["distance"]), (&"lost".into(), &0.into()));
    assert_eq!(mated["moves"].as_array().expect("moves").len(), 0);
}

#[test]
fn positions_that_are_none_or_not_in_the_database_are_refused_by_name() {
    let refused = |position: &str| complaint(&["db", "probe", &SHARED.krk, position]);
    assert!(refused("8/8/8/8/8/8/8/8 w - - 0 1").contains("8/8"), "no kings");
    assert!(refused("nonsense").contains("nonsense"));
    let queen = refused("8/8/8/4k3/8/8/Q7/K7 w - - 0 1");
    assert!(queen.contains("KRvK") && queen.contains("KQvK"), "{queen}");
    // The side that has just moved cannot have left its king in check.
    refused("8/8/8/R3k3/8/8/8/K7 w - - 0 1");
    refused("8/8/8/8/8/8/kK6/7R w - - 0 1");
    let cars = complaint(&["db", "probe", &SHARED.dodgem, "WWWW/4/4/BBB1 w"]);
    assert!(cars.contains("at most 3"), "{cars}");
    let dodgem = complaint(&["db", "probe", &SHARED.dodgem, "8/8/8/4k3/8/8/R7/K7 w - - 0 1"]);
    assert!(dodgem.contains("byte"), "{dodgem}");
}

#[test]
fn verification_proves_a_database_and_info_describes_it() {
    for dir in [&SHARED.krk, &SHARED.dodgem] {
        let report = json(&zug(&["db", "verify", dir, "--json"]));
        assert_eq!((&report["ok"], &report["wrong"]), (&true.into(), &0.into()), "{report:#}");
        let info = json(&zug(&["db", "info", dir, "--json"]));
        assert_eq!(report["checked"], info["slots"]);
        assert_eq!(info["complete"], true);
        assert_eq!(info["digest"].as_str().expect("a digest").len(), 64);
        let sum: u64 = ["won", "drawn", "lost", "illegal", "duplicates"]
            .iter()
            .flat_map(|what| info["stages"].as_array().expect("stages").iter().map(|s| &s[*what]))
            .map(|n| n.as_u64().expect("a number"))
            .sum();
        assert_eq!(info["slots"], sum);
        assert!(zug(&["db", "info", dir]).contains("bytes a position"));
    }
    assert!(zug(&["db", "verify", &SHARED.krk]).contains("every value follows"));
}

/// Copies a database.
fn copy(from: &str, to: &str) {
    fs::create_dir(to).expect("a new folder");
    for (name, bytes) in files(from) {
        fs::write(Path::new(to).join(name), bytes).expect("written");
    }
}

#[test]
fn flipped_bits_and_cut_files_are_found_and_nothing_wrong_is_served() {
    let folder = Folder::new();
    let position = "8/8/8/4k3/8/8/R7/K7 w - - 0 1";
    let right = zug(&["db", "probe", &SHARED.krk, position]);
    let mut number = 0;
    for (name, bytes) in files(&SHARED.krk) {
        let places = (0..6).map(|i| (bytes.len() - 1) * i / 5);
        let flips = places.map(|at| {
            let mut bytes = bytes.clone();
            bytes[at] ^= 0x10;
            bytes
        });
        // The line end at the end of the list is no loss.
        let almost = bytes.len() - if name.ends_with(".toml") { 2 } else { 1 };
        let cuts = [0, 1, bytes.len() / 2, almost].map(|n| bytes[..n].to_vec());
        let longer = [&bytes[..], b"x"].concat();
        for damaged in flips.chain(cuts).chain([longer]) {
            number += 1;
            let dir = folder.path(&number.to_string());
            copy(&SHARED.krk, &dir);
            fs::write(Path::new(&dir).join(&name), damaged).expect("written");
            let output = zug_with(&["db", "verify", &dir], "");
            let said = text(&output.stdout) + &text(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{name}, case {number}: {said}");
            assert!(said.contains("WRONG"), "{name}, case {number}: {said}");
            let probe = zug_with(&["db", "probe", &dir, position], "");
            let (out, err) = (text(&probe.stdout), text(&probe.stderr));
            assert!(!err.contains("panicked"), "{err}");
            assert!(!probe.status.success() || out == right, "{name}, case {number}: {out}");
        }
    }
    let dir = folder.path("missing");
    copy(&SHARED.krk, &dir);
    fs::remove_file(Path::new(&dir).join("KRvK.zdb")).expect("removed");
    assert!(complaint(&["db", "verify", &dir]).contains("KRvK.zdb"));
}

#[test]
fn files_that_were_exchanged_are_noticed() {
    let folder = Folder::new();
    let other = build(&folder, "wdl", &["chess:KRvK", "--metric", "wdl"]);
    let dir = folder.path("mixed");
    copy(&SHARED.krk, &dir);
    fs::copy(Path::new(&other).join("KRvK.zdb"), Path::new(&dir).join("KRvK.zdb")).expect("copied");
    assert!(complaint(&["db", "verify", &dir]).contains("WRONG"));
    complaint(&["db", "probe", &dir, "8/8/8/4k3/8/8/R7/K7 w - - 0 1"]);
}

#[test]
fn a_build_that_is_killed_again_and_again_ends_with_the_same_bytes() {
    let folder = Folder::new();
    let dir = folder.path("killed");
    let words = ["db", "build", "dodgem:4x4", "--out", &dir, "--resume"];
    // Later and later, so that it ends, and at no special moments.
    let mut kills = 0;
    for attempt in 0u64.. {
        let mut child =
            Command::new(ZUG).args(words).stdout(Stdio::null()).spawn().expect("zug starts");
        std::thread::sleep(Duration::from_millis(5 + attempt * 37 % 90 + 5 * attempt * attempt));
        let finished = child.try_wait().expect("a status");
        if finished.is_some_and(|status| status.success()) {
            break;
        }
        assert!(finished.is_none(), "the build failed: {finished:?}");
        child.kill().expect("killed");
        child.wait().expect("gone");
        kills += 1;
        assert!(kills < 200, "it never ends");
    }
    assert!(kills > 0, "nothing was ever interrupted");
    same_files(&dir, &SHARED.dodgem);
    zug(&["db", "verify", &dir]);
}

#[test]
fn an_interrupt_leaves_a_folder_that_can_be_resumed() {
    let folder = Folder::new();
    let dir = folder.path("stopped");
    let child = Command::new(ZUG)
        .args(["db", "build", "dodgem:4x4", "--out", &dir])
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("zug starts");
    // Not before it has begun: until then a signal simply ends it.
    let manifest = PathBuf::from(&dir).join("database.toml");
    while !manifest.exists() {
        std::thread::sleep(Duration::from_millis(1));
    }
    let pid = child.id().to_string();
    Command::new("kill").args(["-INT", &pid]).status().expect("a signal is sent");
    let output = child.wait_with_output().expect("zug ends");
    let err = text(&output.stderr);
    match output.status.code() {
        Some(0) => {} // It was done before the signal came.
        Some(130) => {
            assert!(err.contains("--resume"), "{err}");
            let again = complaint(&["db", "build", "dodgem:4x4", "--out", &dir]);
            assert!(again.contains("--resume"), "{again}");
            let stats = complaint(&["db", "stats", &dir]);
            assert!(stats.contains("stages are built"), "{stats}");
        }
        code => panic!("exit code {code:?}: {err}"),
    }
    zug(&["db", "build", "dodgem:4x4", "--out", &dir, "--resume"]);
    same_files(&dir, &SHARED.dodgem);
}

#[test]
fn every_method_any_number_of_threads_and_little_memory_give_the_same_bytes() {
    let folder = Folder::new();
    for game in ["dodgem:3x3", "tictactoe"] {
        let fast = build(&folder, &format!("{game}-fast"), &[game]);
        let ways: [(&str, &[&str]); 6] = [
            ("one", &["--threads", "1"]),
            ("three", &["--threads", "3"]),
            ("basic", &["--method", "basic"]),
            ("counters", &["--method", "counters"]),
            ("cached", &["--method", "counters", "--cache", "2.5%"]),
            ("small", &["--memory", "1K"]),
        ];
        for (name, options) in ways {
            let words = [&[game], options].concat();
            same_files(&build(&folder, &format!("{game}-{name}"), &words), &fast);
        }
    }
    let small = build(&folder, "small-krk", &["chess:KRvK", "--memory", "64K"]);
    same_files(&small, &SHARED.krk);
}

#[test]
fn other_metrics_are_built_verified_and_probed() {
    let folder = Folder::new();
    let position = "8/8/8/4k3/8/8/R7/K7 w - - 0 1";
    for (metric, distance) in [("wdl", false), ("dtc", true)] {
        let dir = build(&folder, metric, &["chess:KRvK", "--metric", metric]);
        let report = json(&zug(&["db", "verify", &dir, "--json"]));
        assert_eq!(report["ok"], true, "{report:#}");
        let probe = json(&zug(&["db", "probe", &dir, position, "--json"]));
        assert_eq!((&probe["value"], &probe["metric"]), (&"won".into(), &metric.into()));
        assert_eq!(probe["distance"].is_null(), !distance, "{probe:#}");
        let csv = zug(&["db", "stats", &dir, "--csv"]);
        assert!(csv.contains("won_total,,21959,0"), "{csv}");
    }
    let dir = folder.path("basic");
    let refused = complaint(&[
        "db",
        "build",
        "dodgem:3x3",
        "--out",
        &dir,
        "--metric",
        "dtc",
        "--method",
        "basic",
    ]);
    assert!(
        refused.contains("the basic algorithm of the thesis knows the distance to the end"),
        "{refused}"
    );
}

#[test]
fn one_side_to_move_is_enough_and_the_other_is_found_by_looking_ahead() {
    let folder = Folder::new();
    let half = build(&folder, "half", &["chess:KRvK", "--one-side"]);
    let size = |dir: &str| json(&zug(&["db", "info", dir, "--json"]))["stored_bytes"].as_u64();
    assert!(size(&half) < size(&SHARED.krk));
    assert_eq!(zug(&["db", "stats", &half, "--csv"]), include_str!("databases/krk_reduced.csv"));
    for side in ["w", "b"] {
        let position = format!("8/8/8/4k3/8/8/R7/K7 {side} - - 0 1");
        let probe = |dir: &str| zug(&["db", "probe", dir, &position]);
        assert_eq!(probe(&half), probe(&SHARED.krk));
    }
    zug(&["db", "verify", &half]);
    let refused = complaint(&["db", "build", "chess:KRvK", "--out", &half, "--resume"]);
    assert!(refused.contains("side"), "{refused}");
}

#[test]
fn small_games_are_solved_as_everybody_knows() {
    let folder = Folder::new();
    let ttt = build(&folder, "ttt", &["tictactoe"]);
    let probe = json(&zug(&["db", "probe", &ttt, "start", "--json"]));
    assert_eq!(probe["value"], "drawn");
    let dodgem = build(&folder, "dodgem", &["dodgem:3x3"]);
    let probe = json(&zug(&["db", "probe", &dodgem, "start", "--json"]));
    assert_eq!((&probe["value"], &probe["distance"]), (&"won".into(), &19.into()));
    let stats = json(&zug(&["db", "stats", &dodgem, "--json"]));
    assert_eq!(stats["reduced"]["won"][0], 803);
    assert_eq!(stats["reduced"]["lost"][0], 574);
    let losing = build(&folder, "losing", &["losing-ttt:3x3"]);
    let probe = json(&zug(&["db", "probe", &losing, "start", "--json"]));
    assert_eq!(probe["value"], "drawn");
    zug(&["db", "verify", &losing]);
}

#[test]
fn an_estimate_builds_nothing_and_knows_the_published_sizes() {
    let words = ["db", "estimate", "morris", "--reference", "most", "--placed", "--min-men", "3"];
    let words = [&words[..], &["--seconds", "0.1", "--json"]].concat();
    let morris = json(&zug(&words));
    assert_eq!(morris["slots"], 9_074_932_579u64);
    assert!(morris["memory_bytes_estimate"].as_u64().expect("a size") > 1 << 30);
    let krk = ["db", "estimate", "chess:KRvK", "--seconds", "0.1", "--memory", "1K", "--json"];
    let krk = json(&zug(&krk));
    assert_eq!((&krk["slots"], &krk["fits"]), (&79_380.into(), &false.into()));
    let fill = krk["fill_estimate"].as_f64().expect("a share");
    assert!((0.4..0.9).contains(&fill), "{fill}");
    let text = zug(&["db", "estimate", "chess:KRvK", "--seconds", "0.1"]);
    for word in ["KRvK", "memory", "disk", "time", "about", "exactly"] {
        assert!(text.contains(word), "no '{word}' in {text}");
    }
    let parts = zug(&["db", "estimate", "dodgem:3x3", "--parts", "--seconds", "0.1"]);
    assert!(parts.contains("mirror image"), "{parts}");
}

#[test]
fn orders_that_cannot_be_carried_out_are_refused_in_plain_words() {
    let folder = Folder::new();
    let out = folder.path("out");
    let build = |words: &[&str]| {
        let all = [&["db", "build"], words, &["--out", &out]].concat();
        let said = complaint(&all);
        assert!(!Path::new(&out).exists(), "{words:?} left a folder");
        said
    };
    assert!(build(&["halma"]).contains("no game 'halma'"));
    let othello = build(&["othello"]);
    assert!(othello.contains("dodgem") && othello.contains("chess:KRvKN"), "{othello}");
    assert!(othello.contains("connect4:5x4"), "{othello}");
    assert!(build(&["connect4"]).contains("boards up to"));
    assert!(build(&["chess"]).contains("--men"));
    assert!(build(&["chess:KXvK"]).contains("KXvK"));
    assert!(build(&["dodgem:4x4", "--men", "4"]).contains("--men"));
    assert!(build(&["chess", "--men", "99"]).contains("99"));
    assert!(build(&["dodgem:4x4", "--memory", "much"]).contains("256M"));
    assert!(build(&["dodgem:4x4", "--cache", "2%"]).contains("--method"));
    assert!(build(&["dodgem:4x4", "--metric", "dtx"]).contains("dtx"));
    assert!(build(&["dodgem:4x4", "--threads", "0"]).contains('0'));
    // Folders with something in them.
    let other = folder.path("other");
    fs::create_dir(&other).expect("a folder");
    fs::write(Path::new(&other).join("letter.txt"), "dear").expect("written");
    let here = |words: &[&str]| {
        complaint(&[&["db", "build", "dodgem:3x3", "--out", &other], words].concat())
    };
    assert!(here(&[]).contains("not empty"));
    assert!(here(&["--resume"]).contains("no database"));
    assert_eq!(files(&other).len(), 1, "nothing was added");
    let file = folder.path("other/letter.txt");
    assert!(complaint(&["db", "build", "dodgem:3x3", "--out", &file]).contains("is a file"));
    assert!(complaint(&["db", "info", &file]).contains("is a file"));
    let below = complaint(&["db", "build", "dodgem:3x3", "--out", &format!("{file}/below")]);
    assert_eq!(below.matches("os error").count(), 1, "{below}");
    // Databases of something else.
    let built = databases::build(&folder, "d3", &["dodgem:3x3"]);
    assert!(complaint(&["db", "build", "dodgem:3x3", "--out", &built]).contains("--resume"));
    let resume = |words: &[&str]| {
        complaint(&[&["db", "build", "--out", &built, "--resume"], words].concat())
    };
    assert!(resume(&["tictactoe"]).contains("dodgem:3x3"));
    assert!(resume(&["dodgem:3x3", "--no-mirror"]).contains("index"));
    assert!(resume(&["dodgem:3x3", "--metric", "wdl"]).contains("metric"));
    zug(&["db", "build", "dodgem:3x3", "--out", &built, "--resume"]);
    // A player of another game, told to the end; a list that was changed.
    let player = format!("perfect:db={built}");
    let said = complaint(&["match", &player, "random", "--game", "tictactoe", "--games", "2"]);
    assert!(said.contains("dodgem:3x3") && !said.contains('…'), "{said}");
    let list = Path::new(&built).join("database.toml");
    fs::write(&list, "[[stage").expect("written");
    let said = complaint(&["db", "info", &built]);
    assert!(said.contains("database.toml: the file is damaged"), "{said}");
    // Folders without a database.
    let nowhere = folder.path("nowhere");
    for verb in ["stats", "info", "verify", "play"] {
        assert!(complaint(&["db", verb, &nowhere]).contains("nowhere"), "{verb}");
        assert!(complaint(&["db", verb, &other]).contains("no database"), "{verb}");
    }
    assert!(complaint(&["db", "probe", &other, "start"]).contains("no database"));
}

#[test]
fn a_person_plays_against_the_database_and_sees_values() {
    let script = "values\nmoves\neval\nnonsense\nquit\n";
    let words = ["db", "play", &SHARED.dodgem, "--ascii"];
    let output = zug_with(&words, script);
    let out = text(&output.stdout);
    assert!(out.contains("white to move: a draw"), "{out}");
    assert!(out.contains("* a"), "{out}");
    assert!(out.contains("neither a command"), "{out}");
    let position = "8/8/8/4k3/8/8/R7/K7 w - - 0 1";
    let both = zug(&["db", "play", &SHARED.krk, "--both", "--ascii", "--position", position]);
    assert!(both.contains("white wins (checkmate)"), "{both}");
    let distance =
        json(&zug(&["db", "probe", &SHARED.krk, position, "--json"]))["distance"].clone();
    let played = both.lines().filter(|line| line.contains(" plays ")).count();
    assert_eq!(distance, played, "the game takes as long as foretold");
    let drawn = zug(&["db", "play", &SHARED.krk, "--both", "--random", "lost", "--seed", "5"]);
    assert!(drawn.contains("white wins (checkmate)"), "{drawn}");
    let wrong =
        complaint(&["db", "play", &SHARED.krk, "--position", "8/8/8/4k3/8/8/Q7/K7 w - - 0 1"]);
    assert!(wrong.contains("KRvK"), "{wrong}");
}

#[test]
fn perfect_players_meet_in_the_arena() {
    let player = format!("perfect:db={}", SHARED.dodgem);
    let words = ["match", &player, "random", "--game", "dodgem:4x4", "--games", "4", "--json"];
    let report = json(&zug(&words));
    assert_eq!((&report["games"], &report["crashes"]), (&4.into(), &0.into()), "{report:#}");
    assert_eq!(report["losses"], 0, "{report:#}");
}

#[test]
fn search_and_analysis_ask_a_database_in_the_midst_of_the_tree() {
    let value = |game: &str, position: &str, dir: &str| {
        let player = format!("zug:db={dir},depth=1");
        let words = ["analyse", game, position, "--player", &player, "--lines", "1", "--json"];
        json(&zug(&words))["lines"][0]["value"].clone()
    };
    let position = "8/8/8/4k3/8/8/R7/K7 w - - 0 1";
    let probe = json(&zug(&["db", "probe", &SHARED.krk, position, "--json"]));
    assert_eq!(value("chess", position, &SHARED.krk)["won_in"], probe["distance"]);
    assert_eq!(value("chess:KRvK", position, &SHARED.krk)["won_in"], probe["distance"]);
    // A knight more than the database knows, until it is taken.
    let knight = "7n/7R/8/8/8/2k5/8/K7 w - - 0 1";
    assert!(value("chess", knight, &SHARED.krk)["won_in"].is_u64());
    assert_eq!(value("dodgem:4x4", "start", &SHARED.dodgem)["draw"], true);
    let player = format!("zug:db={}", SHARED.dodgem);
    let wrong = complaint(&["analyse", "chess", "start", "--player", &player, "--depth", "1"]);
    assert!(wrong.contains("dodgem:4x4"), "{wrong}");
}
