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

/// Syzygy tables of these names in a folder; `None` where the data for tests is not there.
fn tables(folder: &std::path::Path, names: &[&str]) -> Option<String> {
    let data =
        concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data/chess/tablebases/syzygy-3-4");
    std::fs::create_dir_all(folder).unwrap();
    for name in names {
        for ending in ["rtbw", "rtbz"] {
            let file = format!("{name}.{ending}");
            std::fs::copy(format!("{data}/{file}"), folder.join(file)).ok()?;
        }
    }
    Some(folder.to_str().unwrap().to_string())
}

#[test]
fn syzygy_tables_can_be_changed_while_the_engine_runs() {
    let folder = tempfile::tempdir().unwrap();
    let (one, other) = (folder.path().join("one"), folder.path().join("other"));
    let (Some(one), Some(other)) = (tables(&one, &["KQvK"]), tables(&other, &["KRvK"])) else {
        println!("passed over: no Syzygy tables here");
        return;
    };
    let queen = "position fen 8/8/8/8/3k4/8/8/K6Q w - - 0 1\ngo depth 2\n";
    let rook = "position fen 8/8/8/3k4/8/8/8/K6R w - - 0 1\ngo depth 2\n";
    let set = |path: &str| format!("setoption name SyzygyPath value {path}\n");
    let script = [
        &set(&one),
        queen,
        rook,
        &set(&other),
        queen,
        rook,
        &set("no/such/folder"),
        queen,
        rook,
        &set("<empty>"),
        queen,
        rook,
        &set(&one),
        queen,
        rook,
        "setoption name SyzygyPath value\n",
        queen,
    ]
    .concat();
    let lines = said(&[], &script);
    let mut hits = Vec::new();
    let mut last = None;
    for line in &lines {
        let told = line.split(" tbhits ").nth(1).and_then(|rest| rest.split(' ').next());
        last = told.map(|n| n != "0").or(last);
        if line.starts_with("bestmove") {
            hits.push(last.take());
        }
    }
    let (yes, no, none) = (Some(true), Some(false), None);
    let expected = [yes, no, no, yes, no, yes, none, none, yes, no, none];
    assert_eq!(hits, expected, "{lines:#?}");
    let errors: Vec<&String> = lines.iter().filter(|line| line.contains("error")).collect();
    assert!(errors.len() == 1 && errors[0].contains("no/such/folder"), "{errors:?}");
}

#[test]
fn syzygy_tables_are_asked_as_deep_and_by_the_rules_that_are_set() {
    let folder = tempfile::tempdir().unwrap();
    let Some(path) = tables(folder.path(), &["KBNvK", "KBvK", "KNvK"]) else {
        println!("passed over: no Syzygy tables here");
        return;
    };
    let begin = format!("setoption name SyzygyPath value {path}\n");
    // Five men, of which a capture leaves four.
    let go = "position fen 8/8/7p/3k4/8/8/1N6/K1B5 w - - 0 1\ngo depth 6\n";
    let hits = |script: String| {
        let lines = said(&[], &script);
        let line = lines.iter().rfind(|line| line.contains(" tbhits ")).expect("tables").clone();
        line.split(" tbhits ").nth(1).unwrap().split(' ').next().unwrap().parse::<u64>().unwrap()
    };
    assert!(hits(format!("{begin}{go}")) > 0);
    assert_eq!(hits(format!("{begin}setoption name SyzygyProbeDepth value 20\n{go}")), 0);
    // A mate by bishop and knight that comes too late for a clock at 60.
    let late = "position fen 8/8/8/3k4/8/8/8/KBN5 w - - 60 80\ngo depth 4\n";
    let score = |option: &str| last_score(&said(&[], &format!("{begin}{option}{late}")));
    assert_eq!(score(""), "cp 0");
    assert_ne!(score("setoption name Syzygy50MoveRule value false\n"), "cp 0");
}

#[test]
fn chances_strength_and_analysis_are_the_guis_choice() {
    let lines = said(&[], &format!("{GO}setoption name UCI_ShowWDL value true\n{GO}quit\n"));
    let with: Vec<&String> = lines.iter().filter(|line| line.contains(" wdl ")).collect();
    assert!(!with.is_empty() && !lines[0].contains(" wdl "), "{lines:?}");
    for line in with {
        let words: Vec<u32> = line
            .split(" wdl ")
            .nth(1)
            .unwrap()
            .split(' ')
            .take(3)
            .map(|word| word.parse().unwrap())
            .collect();
        assert_eq!(words.iter().sum::<u32>(), 1000, "{line}");
    }
    let nodes = |script: &str| {
        let lines = said(&[], &format!("{script}position startpos\ngo nodes 30000\n"));
        let line = lines.iter().rfind(|line| line.contains(" nodes ")).unwrap().clone();
        line.split(" nodes ").nth(1).unwrap().split(' ').next().unwrap().parse::<u64>().unwrap()
    };
    let weak = "setoption name UCI_Elo value 1000\nsetoption name UCI_LimitStrength value true\n";
    assert!(nodes("") > 10_000);
    assert!(nodes(weak) < 5000);
    assert!(nodes(&format!("{weak}setoption name UCI_AnalyseMode value true\n")) > 10_000);
    assert!(nodes(&format!("{weak}setoption name UCI_LimitStrength value false\n")) > 10_000);
    // Options come in any order, and others of the session stay.
    let swapped = weak.lines().rev().collect::<Vec<_>>().join("\n") + "\n";
    assert!(nodes(&swapped) < 5000);
}

#[test]
fn the_model_of_the_session_is_shown_by_eval() {
    let lines = said(&[], "eval\nsetoption name Model value hand\neval\nquit\n");
    let told: Vec<&String> = lines.iter().filter(|line| line.contains("to move: ")).collect();
    assert!(told.len() == 2 && told[0] != told[1], "{lines:#?}");
    let shown = zug_with(&["eval", "chess", "start"], "");
    let shown = String::from_utf8_lossy(&shown.stdout).into_owned();
    assert!(shown.lines().any(|line| line == told[0]), "{shown} {told:?}");
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
