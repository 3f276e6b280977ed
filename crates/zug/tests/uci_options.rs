//! What a GUI can choose over UCI: the model, the search, a database.

mod support;

use support::zug_with;

/// What the engine says, line after line.
fn said(words: &[&str], script: &str) -> Vec<String> {
    let output = zug_with(&[&["engine", "uci"], words].concat(), script);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_string).collect()
}

fn last_score(lines: &[String]) -> String {
    let line = lines.iter().rfind(|line| line.contains(" score ")).expect("a score");
    let words: Vec<&str> = line.split(' ').collect();
    let at = words.iter().position(|word| *word == "score").expect("a score");
    words[at + 1..at + 3].join(" ")
}

const GO: &str =
    "position fen r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3\ngo depth 3\n";

#[test]
fn a_model_and_a_search_chosen_in_the_gui_are_those_of_the_command_line() {
    for (option, player) in [
        ("Model value hand", "zug:model=hand"),
        ("model value knightcap1", "zug:model=knightcap1"),
        ("Search value thesis", "zug:search=thesis"),
    ] {
        let chosen = said(&[], &format!("setoption name {option}\n{GO}quit\n"));
        let given = said(&["--player", player], &format!("{GO}quit\n"));
        assert!(!chosen.iter().any(|line| line.contains("error")), "{chosen:?}");
        assert_eq!(last_score(&chosen), last_score(&given), "{option}");
    }
    let plain = last_score(&said(&[], &format!("{GO}quit\n")));
    let script = format!(
        "setoption name Model value hand\n{GO}setoption name Model value <empty>\n{GO}quit\n"
    );
    let both = said(&[], &script);
    assert_eq!(last_score(&both), plain);
    let first = both.iter().position(|line| line.starts_with("bestmove")).expect("a move");
    assert_ne!(last_score(&both[..first]), plain);
}

#[test]
fn the_choices_are_declared_as_the_player_has_them() {
    let lines = said(&[], "uci\nquit\n");
    let search = "option name Search type combo default modern var modern var thesis";
    assert!(lines.iter().any(|line| line == search), "{lines:?}");
    assert!(lines.iter().any(|line| line == "option name Model type string default <empty>"));
    let lines = said(&["--player", "zug:search=thesis"], "uci\nquit\n");
    assert!(lines.contains(&search.replace("default modern", "default thesis")), "{lines:?}");
}

#[test]
fn wrong_choices_are_answered_in_words_and_the_session_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let broken = folder.path().join("broken.zug");
    std::fs::write(&broken, "no model").unwrap();
    let broken = broken.to_str().unwrap();
    for (option, expected) in [
        ("Model value dreams".to_string(), "no model of that name comes with the program"),
        (format!("Model value {broken}"), "broken.zug"),
        ("Database value no/such/folder".to_string(), "no/such/folder"),
        ("Search value deep".to_string(), "expected 'modern' or 'thesis', found 'deep'"),
        ("Search".to_string(), "expected 'modern' or 'thesis', found ''"),
    ] {
        let lines = said(&[], &format!("setoption name {option}\n{GO}quit\n"));
        let errors: Vec<&String> =
            lines.iter().filter(|line| line.starts_with("info string error: ")).collect();
        assert!(errors.len() == 1 && errors[0].contains(expected), "{option}: {lines:?}");
        assert!(lines.last().is_some_and(|line| line.starts_with("bestmove ")), "{lines:?}");
    }
    // A player without models takes a GUI's default for it, and says what it cannot do.
    let script = format!("setoption name Model value <empty>\n{GO}quit\n");
    let lines = said(&["--player", "pvs"], &script);
    assert!(!lines.iter().any(|line| line.contains("error")), "{lines:?}");
    let lines = said(&["--player", "pvs"], "setoption name Model value hand\nisready\nquit\n");
    assert!(lines[0].contains("has no option 'model'") && lines[1] == "readyok", "{lines:?}");
}

#[test]
fn a_database_chosen_in_the_gui_is_asked_until_it_is_closed() {
    let folder = tempfile::tempdir().unwrap();
    let base = folder.path().join("krk");
    let base = base.to_str().unwrap();
    let built = zug_with(&["db", "build", "chess:KRvK", "--out", base], "");
    assert!(built.status.success(), "{}", String::from_utf8_lossy(&built.stderr));
    let go = "position fen 8/8/8/3k4/8/8/8/K6R w - - 0 1\ngo depth 1\n";
    let script = format!(
        "setoption name Database value {base}\n{go}setoption name Database value <empty>\n{go}quit\n"
    );
    let lines = said(&[], &script);
    let moves = lines.iter().filter(|line| line.starts_with("bestmove ")).count();
    let first = lines.iter().position(|line| line.starts_with("bestmove ")).expect("a move");
    let (asked, closed) = lines.split_at(first);
    assert!(moves == 2 && last_score(asked).starts_with("mate "), "{asked:?}");
    assert!(last_score(closed).starts_with("cp "), "{closed:?}");
}
