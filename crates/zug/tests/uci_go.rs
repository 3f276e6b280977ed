//! What a GUI gets for its `go`, from the real program: a move in every case, and an analysis where
//! it asks for one.

mod support;

use support::zug_with;

/// What the engine says, line after line.
fn said(player: &str, script: &str) -> Vec<String> {
    let output = zug_with(&["engine", "uci", "--player", player], script);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).lines().map(str::to_string).collect()
}

fn has(lines: &[String], start: &str) -> bool {
    lines.iter().any(|line| line.starts_with(start))
}

/// A Polyglot book that plays 1. a3, which no search would.
fn polyglot(folder: &std::path::Path) -> String {
    let mut bytes = 0x463B_9618_1691_FC9C_u64.to_be_bytes().to_vec();
    bytes.extend((8_u16 << 6 | 16).to_be_bytes());
    bytes.extend([0, 1, 0, 0, 0, 0]);
    let file = folder.join("a3.bin");
    std::fs::write(&file, bytes).unwrap();
    file.to_str().unwrap().to_string()
}

/// The moves in which the engine answered, and whether each was told to be from a book.
fn answers(lines: &[String]) -> Vec<(String, bool)> {
    let mut told = false;
    let mut answers = Vec::new();
    for line in lines {
        told |= line.starts_with("info string book move ");
        if let Some(rest) = line.strip_prefix("bestmove ") {
            answers.push((rest.split(' ').next().unwrap().to_string(), told));
            told = false;
        }
    }
    answers
}

/// A game's move comes from the book and is told so; an analysis, before or after it, does not.
fn asks_the_book_in_games_only(player: &str, options: &str, mv: &str) {
    let script = format!(
        "{options}go depth 3\nsetoption name MultiPV value 2\ngo depth 3\n\
         setoption name MultiPV value 1\ngo mate 1\ngo depth 3\ngo infinite\n"
    );
    let lines = said(player, &script);
    assert!(!lines.iter().any(|line| line.contains("error")), "{lines:#?}");
    let book = (mv.to_string(), true);
    let answers = answers(&lines);
    assert_eq!(answers.len(), 5, "{lines:#?}");
    assert_eq!((&answers[0], &answers[3]), (&book, &book), "{lines:#?}");
    for searched in [&answers[1], &answers[2], &answers[4]] {
        assert!(!searched.1, "{lines:#?}");
    }
    assert!(has(&lines, &format!("info string book move {mv}")), "{lines:#?}");
    // After an analysis the book is there again.
    let lines = said(player, &format!("{options}go infinite\nstop\ngo depth 3\n"));
    let last = lines.last().unwrap();
    assert!(last.starts_with(&format!("bestmove {mv}")), "{lines:#?}");
    let searched = &lines[..lines.iter().position(|line| line.starts_with("bestmove")).unwrap()];
    assert!(!has(searched, "info string book move"), "{lines:#?}");
}

#[test]
fn an_analysis_asks_no_book_of_polyglot() {
    let folder = tempfile::tempdir().unwrap();
    let file = polyglot(folder.path());
    asks_the_book_in_games_only(&format!("zug:polyglot={file}"), "", "a2a3");
    let option = format!("setoption name PolyglotBook value {file}\n");
    asks_the_book_in_games_only("zug", &option, "a2a3");
}

#[test]
fn an_analysis_asks_no_book_of_ours() {
    let folder = tempfile::tempdir().unwrap();
    let book = folder.path().join("a3.zug").to_str().unwrap().to_string();
    // A game that White wins after 1. a3.
    let game = "a2a3 f7f6 e2e4 g7g5 d1h5";
    let output = zug_with(&["book", "add", &book, game, "--game", "chess", "--depth", "1"], "");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    asks_the_book_in_games_only(&format!("zug:book={book}"), "", "a2a3");
    asks_the_book_in_games_only("zug", &format!("setoption name Book value {book}\n"), "a2a3");
    let learns = format!("setoption name Book value {book}\nsetoption name Learn value true\n");
    asks_the_book_in_games_only("zug", &learns, "a2a3");
}

#[test]
fn a_broken_go_is_answered_with_a_move() {
    for go in ["go foo nodes 100", "go depth 1 foo bar", "go depth abc", "go searchmoves e2e5"] {
        // The command after it waits for its end, so that it must have one.
        let lines = said("zug", &format!("{go}\ngo depth 1\n"));
        assert_eq!(answers(&lines).len(), 2, "{go}: {lines:#?}");
        assert!(has(&lines, "info string "), "{go}: {lines:#?}");
        assert!(!lines.iter().any(|line| line.contains("not while searching")), "{lines:#?}");
    }
    assert_eq!(said("zug", "joho isready\nquit\n"), ["readyok"]);
}

#[test]
fn a_gui_may_ask_for_as_large_a_table_as_the_player_takes() {
    let output = zug_with(&["engine", "uci", "--player", "zug:hash=99999999"], "");
    let refused = String::from_utf8_lossy(&output.stderr).into_owned();
    let most = refused.split("from 1 to ").nth(1).and_then(|rest| rest.split(' ').next());
    let most = most.unwrap_or_else(|| panic!("no size in: {refused}"));
    let lines = said("zug", "uci\nquit\n");
    let declared = format!("option name Hash type spin default 64 min 1 max {most}");
    assert!(lines.contains(&declared), "{declared}: {lines:#?}");
}
