//! What a match leaves in files: it is known before the first game whether they can be written, and
//! they do not depend on time or on how many games are played at once.

mod support;

use std::path::{Path, PathBuf};
use support::{players, sticks};
use zug_arena::{MatchConfig, Openings, run_match};
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
    assert!(error.ends_with("x.zgr: exists; name another file or remove it"), "{error}");
    assert_eq!(std::fs::read(&path).unwrap(), b"mine");
}
