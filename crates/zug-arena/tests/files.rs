//! What a match leaves in files: it is known before the first game whether they can be written, and
//! they do not depend on time or on how many games are played at once.

mod support;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use support::{players, sticks};
use zug_arena::{Adjudication, MatchConfig, Openings, Sprt, TimeControl, run_match};
use zug_core::{GameEntry, Spec};

fn config(games: usize) -> MatchConfig {
    MatchConfig { games, openings: Openings::Random { plies: 2 }, ..MatchConfig::default() }
}

/// The error of a match that must not begin.
fn refusal(entry: &GameEntry, config: &MatchConfig) -> String {
    let mut played = 0;
    let who = players(entry, &["random", "random"]);
    let result = run_match(entry, &who, config, &mut |_| played += 1);
    assert_eq!(played, 0);
    result.expect_err("the match must be refused").to_string()
}

fn into(records: PathBuf) -> MatchConfig {
    MatchConfig { records: Some(records), ..config(2) }
}

fn contents(dir: &Path) -> Vec<String> {
    let names = std::fs::read_dir(dir).unwrap().map(|e| e.unwrap().file_name());
    names.map(|name| name.into_string().unwrap()).collect()
}

#[test]
fn an_ending_that_the_game_does_not_have_is_refused_with_those_it_has() {
    let dir = tempfile::tempdir().unwrap();
    let chess = zug_chess::open(&Spec::parse("chess").unwrap()).unwrap();
    let error = refusal(&chess, &into(dir.path().join("x.sgf")));
    assert!(error.contains("x.sgf: games of chess are not written as .sgf"), "{error}");
    assert!(error.contains(".pgn"), "{error}");
    assert_eq!(contents(dir.path()), [""; 0]);
    for name in ["x.PGN", "y"] {
        let path = dir.path().join(name);
        let who = players(&chess, &["random", "random"]);
        run_match(&chess, &who, &into(path.clone()), &mut |_| {}).unwrap();
        assert!(std::fs::read_to_string(path).unwrap().starts_with("[Event "));
    }
}

#[test]
fn a_format_that_must_be_written_as_a_whole_is_refused() {
    let dir = tempfile::tempdir().unwrap();
    let othello = zug_othello::open(&Spec::parse("othello").unwrap()).unwrap();
    let error = refusal(&othello, &into(dir.path().join("x.wtb")));
    assert!(error.contains("a WTHOR file is written as a whole"), "{error}");
    assert!(error.contains(".ggf") && !error.contains(".wtb;"), "{error}");
    assert_eq!(contents(dir.path()), [""; 0]);
}

#[test]
fn a_file_that_cannot_be_written_is_noticed_before_the_first_game() {
    let entry = sticks();
    let dir = tempfile::tempdir().unwrap();
    let missing = dir.path().join("no/such/folder/x.zgr");
    assert!(refusal(&entry, &into(missing.clone())).contains("no/such/folder/x.zgr: "));
    let journal = MatchConfig { journal: Some(missing), ..config(2) };
    assert!(refusal(&entry, &journal).contains("no/such/folder/x.zgr: "));
    let folder = dir.path().join("folder.zgr");
    std::fs::create_dir(&folder).unwrap();
    let with_journal = dir.path().join("j");
    let config = MatchConfig { journal: Some(with_journal.clone()), ..into(folder.clone()) };
    assert!(refusal(&entry, &config).contains("folder.zgr: "));
    assert!(!with_journal.exists());
    let config = MatchConfig { journal: Some(folder), ..config };
    assert!(refusal(&entry, &config).contains("the same file"));
}

#[test]
fn a_file_with_something_in_it_is_not_added_to_without_a_journal() {
    let entry = sticks();
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.zgr");
    std::fs::write(&path, "mine").unwrap();
    let error = refusal(&entry, &into(path.clone()));
    assert!(error.contains("x.zgr: is there already; --force replaces it"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), b"mine");
    let asked = MatchConfig { replace: true, ..into(path.clone()) };
    run_match(&entry, &players(&entry, &["random", "random"]), &asked, &mut |_| {}).unwrap();
    assert_ne!(std::fs::read(&path).unwrap(), b"mine");
}

/// The bytes that a match leaves: records, and the report for programs.
fn leaves(entry: &GameEntry, specs: &[&str], config: &MatchConfig) -> (String, String) {
    let dir = tempfile::tempdir().unwrap();
    let ending = entry.formats[0].extensions()[0];
    let records = dir.path().join(format!("games.{ending}"));
    let config = MatchConfig { records: Some(records.clone()), ..config.clone() };
    let report = run_match(entry, &players(entry, specs), &config, &mut |_| {}).unwrap();
    let json = serde_json::to_string_pretty(&report).unwrap();
    (std::fs::read_to_string(records).unwrap(), json)
}

/// Played in turn and two at once.
fn leaves_the_same(entry: &GameEntry, specs: &[&str], config: &MatchConfig) -> String {
    let (records, report) = leaves(entry, specs, config);
    for concurrency in [1, 2] {
        let config = MatchConfig { concurrency, ..config.clone() };
        assert_eq!(leaves(entry, specs, &config), (records.clone(), report.clone()));
    }
    records
}

#[test]
fn players_that_limit_themselves_leave_the_same_bytes_whenever_they_play() {
    let chess = zug_chess::open(&Spec::parse("chess").unwrap()).unwrap();
    let adjudication = Adjudication { max_plies: 14, ..Adjudication::default() };
    let specs = ["zug:depth=2", "zug:nodes=300"];
    for limit in ["none", "depth=1", "movetime=100"] {
        let limit = TimeControl::parse(limit).unwrap();
        let config = MatchConfig { limit, adjudication: adjudication.clone(), ..config(4) };
        let records = leaves_the_same(&chess, &specs, &config);
        let games = chess.formats[0].read(records.as_bytes());
        let rounds: Vec<_> = games.iter().map(|g| g.as_ref().unwrap().tag("Round")).collect();
        assert_eq!(rounds, [Some("1"), Some("2"), Some("3"), Some("4")]);
    }
}

#[test]
fn times_are_told_where_a_player_can_lose_by_them() {
    let entry = sticks();
    let told = |limit: &str| {
        let limit = TimeControl::parse(limit).unwrap();
        let (records, _) =
            leaves(&entry, &["random", "perfect"], &MatchConfig { limit, ..config(1) });
        records.contains("/1 0.0")
    };
    assert!(told("movetime=100") && told("100+1"));
    assert!(!told("none") && !told("depth=3"));
}

#[test]
fn games_are_written_in_their_order_though_later_ones_finish_first() {
    let entry = sticks();
    let records = leaves_the_same(&entry, &["slow", "random"], &config(8));
    let rounds: Vec<&str> = records.lines().filter(|l| l.starts_with("[Round ")).collect();
    let expected: Vec<String> = (1..=8).map(|n| format!("[Round \"{n}\"]")).collect();
    assert_eq!(rounds, expected);
    // After its decision a sequential test writes nothing, whatever was being played.
    let sprt = Some(Sprt::parse("0,300").unwrap());
    let records =
        leaves_the_same(&entry, &["slow", "perfect"], &MatchConfig { sprt, ..config(400) });
    assert!(records.matches("[Round ").count() < 100);
}

#[test]
fn a_match_stopped_with_a_gap_is_filled_in_order_when_it_goes_on() {
    let entry = sticks();
    let specs = ["slow", "random"];
    let (whole, _) = leaves(&entry, &specs, &config(8));
    let dir = tempfile::tempdir().unwrap();
    let records = dir.path().join("games.zgr");
    for sitting in 1..=8 {
        let stop = Arc::new(AtomicBool::new(false));
        let config = MatchConfig {
            concurrency: 2,
            journal: Some(dir.path().join("j")),
            records: Some(records.clone()),
            stop: stop.clone(),
            ..config(8)
        };
        let mut note = |_: &zug_arena::Progress<'_>| stop.store(true, Ordering::Relaxed);
        let report = run_match(&entry, &players(&entry, &specs), &config, &mut note).unwrap();
        let text = std::fs::read_to_string(&records).unwrap();
        assert_eq!(text.matches("[Game ").count(), report.played, "sitting {sitting}");
        if report.complete {
            break;
        }
    }
    assert_eq!(std::fs::read_to_string(&records).unwrap(), whole);
}

#[test]
fn a_journal_that_lost_a_game_says_what_to_do_with_the_records_that_have_it() {
    let entry = sticks();
    let dir = tempfile::tempdir().unwrap();
    let (journal, records) = (dir.path().join("j"), dir.path().join("r.zgr"));
    let config = MatchConfig { journal: Some(journal.clone()), ..into(records.clone()) };
    let play = || run_match(&entry, &players(&entry, &["random", "random"]), &config, &mut |_| {});
    play().unwrap();
    let whole = std::fs::read(&records).unwrap();
    let text = std::fs::read(&journal).unwrap();
    std::fs::write(&journal, &text[..text.len() - 9]).unwrap();
    let error = play().unwrap_err().to_string();
    assert!(error.contains("r.zgr: holds more than the games of the journal"), "{error}");
    assert!(error.contains("move it away to have them written again"), "{error}");
    std::fs::rename(&records, dir.path().join("away")).unwrap();
    play().unwrap();
    assert_eq!(std::fs::read(&records).unwrap(), whole);
}

#[test]
fn games_of_othello_are_written_as_transcripts() {
    let dir = tempfile::tempdir().unwrap();
    let path = dir.path().join("x.txt");
    let othello = zug_othello::open(&Spec::parse("othello").unwrap()).unwrap();
    let who = players(&othello, &["random", "random"]);
    // From the start, where no move has been played yet.
    let order = MatchConfig { openings: Openings::Random { plies: 0 }, ..into(path.clone()) };
    run_match(&othello, &who, &order, &mut |_| {}).unwrap();
    let text = std::fs::read_to_string(&path).unwrap();
    let format = othello.formats.iter().find(|f| f.extensions().contains(&"txt")).unwrap();
    let read: Vec<_> = format.read(text.as_bytes()).into_iter().map(|r| r.unwrap()).collect();
    assert_eq!(read.len(), 2, "{text}");
    assert!(read.iter().all(|r| r.replay(&*othello.game).unwrap().outcome().is_some()), "{text}");
}

#[test]
fn a_report_says_what_limited_each_player() {
    let othello = zug_othello::open(&Spec::parse("othello:4x4").unwrap()).unwrap();
    let limits = |control: &str| {
        let who = players(&othello, &["zug:depth=1", "random"]);
        let limit = TimeControl::parse(control).unwrap();
        let report = run_match(&othello, &who, &MatchConfig { limit, ..config(2) }, &mut |_| {});
        let report = report.unwrap();
        (report.limits.clone(), report.to_table())
    };
    let (said, table) = limits("none");
    assert_eq!(said, ["depth=1", "movetime=0.1 (the usual one, since none was given)"]);
    assert!(table.contains("limit of random: movetime=0.1 (the usual"), "{table}");
    let (said, table) = limits("nodes=50");
    assert_eq!(said, ["depth=1", "nodes=50"]);
    assert!(!table.contains("limit of"), "{table}");
}
