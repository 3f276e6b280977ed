//! What PGN files of the world contain.

use zug_chess::pgn::{PgnError, PgnGame, Reader};
use zug_chess::{Chess, Pgn, fen};
use zug_core::{Record, RecordError, RecordFormat, RecordResult, Side};

fn read(text: &str) -> Vec<Result<PgnGame, PgnError>> {
    Reader::new(text.as_bytes()).collect()
}

fn one(text: &str) -> PgnGame {
    let mut games = read(text);
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0).unwrap_or_else(|e| panic!("{e} in {text}"))
}

const RICH: &str = "%this line is for some program\n\
[Event \"Club \\\"A\\\"\"]\n\
[White \"O\"Neil\"]\n\
[Result \"0-1\"]\n\
[SetUp \"1\"]\n\
[FEN \"4k3/8/8/8/8/8/4P3/4K3 w - - 0 1\"]\n\
\n\
{before} 1.e4 {[%clk 0:00:10]} $1 (1. e3! Kd7 (1... Kf7 {so}) 2. Ke2) ; to the end }\n\
% hidden 99. Qh8\n\
1... Ke7?! 2 e5 ! (2.Kd2) Ke6 {two\n lines} 0-1\n";

#[test]
fn everything_in_a_rich_game_is_kept() {
    let game = one(RICH);
    assert_eq!(game.tag("Event"), Some("Club \"A\""));
    assert_eq!(game.tag("White"), Some("O\"Neil"));
    assert_eq!(game.result, RecordResult::Known { winner: Some(Side::Second), margin: None });
    let main = &game.main;
    assert_eq!(main.comments, ["before"]);
    assert_eq!(main.moves.len(), 4);
    assert_eq!(main.moves[0].comments, ["[%clk 0:00:10]", "to the end }"]);
    assert_eq!(main.moves[0].command("clk"), Some("0:00:10"));
    assert_eq!(main.moves[0].command("eval"), None);
    assert_eq!(main.moves[0].nags, [1]);
    let inner = &main.moves[0].variations[0];
    assert_eq!(inner.moves.len(), 3);
    assert_eq!(inner.moves[0].nags, [1]);
    assert_eq!(inner.moves[1].variations[0].moves[0].comments, ["so"]);
    assert_eq!(main.moves[1].nags, [6]);
    assert_eq!(main.moves[2].variations.len(), 1);
    assert_eq!(main.moves[3].comments, ["two lines"]);
    // And written, it reads back the same.
    let mut again = one(&game.to_string());
    again.tags.retain(|(k, _)| game.tag(k).is_some());
    assert_eq!(again, game);
}

#[test]
fn a_record_has_the_main_line_only() {
    let record = Pgn.read(RICH.as_bytes()).remove(0).unwrap();
    let texts: Vec<&str> = record.moves.iter().map(|m| m.text.as_str()).collect();
    assert_eq!(texts, ["e2e4", "e8e7", "e4e5", "e7e6"]);
    assert_eq!(record.start.as_deref(), Some("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"));
    assert_eq!(record.moves[3].comment.as_deref(), Some("two lines"));
}

#[test]
fn a_broken_game_is_reported_with_its_line_and_the_next_is_read() {
    let text = "[Event \"1\"]\n\n1. e4 e5 2. Ke3 *\n\n[Event \"2\"]\n\n1. d4 {never closed\n\n\
        [Event \"3\"]\n\n1. c4 (1. c3 *\n\n[Event \"4\n\n1. b4 *\n\n[Event \"5\"]\n\n1. a4 *\n";
    let games = read(text);
    let texts: Vec<String> = games
        .iter()
        .map(|g| g.as_ref().map_or_else(ToString::to_string, |g| g.tags[0].1.clone()))
        .collect();
    assert_eq!(texts.len(), 5, "{texts:#?}");
    assert!(
        texts[0].starts_with("game 1, ply 2: line 3, byte 12: expected a legal move"),
        "{texts:#?}"
    );
    assert!(texts[1].starts_with("line 7, byte 6: expected '}'"), "{texts:#?}");
    assert!(texts[2].starts_with("line 11") && texts[2].contains("')'"), "{texts:#?}");
    assert!(texts[3].starts_with("line 13, byte 0: expected a tag"), "{texts:#?}");
    assert_eq!(texts[4], "5");
}

#[test]
fn games_without_tags_and_games_on_one_line_are_read() {
    assert_eq!(read("1. e4 e5 1-0 1. d4 d5 0-1\n1. c4 *").len(), 3);
    let line = "[Event \"a\"][Site \"b\"] 1. e4 e5 1-0 [Event \"c\"] 1. d4 *";
    let games: Vec<PgnGame> = read(line).into_iter().map(Result::unwrap).collect();
    assert_eq!(games.len(), 2);
    assert_eq!(games[0].tag("Site"), Some("b"));
    assert_eq!(games[1].main.moves.len(), 1);
}

#[test]
fn files_without_games_have_none() {
    for text in ["", "\n\n", "% only this\n", "{ a comment }\n", "; another\n", "\u{feff}"] {
        assert_eq!(read(text).len(), 0, "{text:?}");
    }
    // Tags alone are a game that was not played.
    assert_eq!(one("[Event \"x\"]\n[Result \"1-0\"]\n").main.moves.len(), 0);
}

#[test]
fn castling_with_zeros_results_and_strange_numbers_are_understood() {
    let game = one(
        "1. e4 1... e5 2.Nf3 2...Nc6 3 Bc4 Bc5 4.0-0 Nf6 5. d4 exd4 6. e5 d5 7. exd6 e.p. 0-0 1/2",
    );
    assert_eq!(game.main.moves.len(), 14);
    assert_eq!(game.result, RecordResult::Known { winner: None, margin: None });
}

#[test]
fn the_result_tag_speaks_where_the_moves_do_not() {
    let game = one("[Result \"1-0\"]\n\n1. e4 *\n");
    assert_eq!(game.result, RecordResult::Known { winner: Some(Side::First), margin: None });
}

#[test]
fn latin_1_is_understood_where_utf_8_is_not() {
    let games: Vec<_> = Reader::new(&b"[White \"M\xFCller\"]\n\n1. e4 *\n"[..]).collect();
    assert_eq!(games[0].as_ref().unwrap().tag("White"), Some("Müller"));
    let games: Vec<_> =
        Reader::new("\u{feff}[White \"Müller\"]\r\n\r\n1. e4 *\r\n".as_bytes()).collect();
    assert_eq!(games[0].as_ref().unwrap().tag("White"), Some("Müller"));
}

#[test]
fn other_variants_and_null_moves_are_refused_with_the_reason() {
    let text = |r: Result<PgnGame, PgnError>| r.unwrap_err().to_string();
    let e = text(read("[Variant \"Atomic\"]\n\n1. e4 *\n").remove(0));
    assert!(e.contains("a variant that is chess") && e.contains("Atomic"), "{e}");
    assert!(read("[Variant \"Fischerandom\"]\n\n1. e4 *\n").remove(0).is_ok());
    let e = text(read("1. e4 -- *").remove(0));
    assert!(e.contains("null move"), "{e}");
    let e = text(read("[FEN \"8/8/8/8/8/8/8/8 w - - 0 1\"]\n\n1. e4 *\n").remove(0));
    assert!(e.contains("one white king in the FEN tag"), "{e}");
}

#[test]
fn variations_without_end_do_not_overflow_the_stack() {
    let deep = format!("1. e4 {}", "(1. d4 ".repeat(100_000));
    let mut games = read(&deep);
    assert_eq!(games.len(), 1);
    assert!(games.remove(0).unwrap_err().to_string().contains("200 deep"));
    assert!(Pgn.read(deep.as_bytes()).remove(0).is_err());
}

#[test]
fn games_that_went_on_after_a_draw_say_so() {
    let shuffle = "1. Nf3 Nf6 2. Ng1 Ng8 3. Nf3 Nf6 4. Ng1 Ng8 5. e4 *";
    let record = Pgn.read(shuffle.as_bytes()).remove(0).unwrap();
    assert_eq!(record.game, "chess:draws=claimed");
    let entry = zug_chess::open(&zug_core::Spec::parse(&record.game).unwrap()).unwrap();
    assert_eq!(record.replay(&*entry.game).unwrap().ply(), 9);
    assert_eq!(record.replay(&Chess::new()).map(|_| ()).unwrap_err().0, 8);
    let usual = Pgn.read(b"1. e4 e5 *").remove(0).unwrap();
    assert_eq!(usual.game, "chess");
}

#[test]
fn only_games_of_chess_are_written() {
    let go = Record { game: "go:9x9".into(), ..Record::default() };
    assert!(matches!(Pgn.write(&[go]), Err(RecordError::Unsupported(_))));
    let mut bad = Record { game: "chess".into(), ..Record::default() };
    bad.moves = vec![zug_core::RecordMove { text: "e2e5".into(), comment: None }];
    assert!(matches!(Pgn.write(&[bad]), Err(RecordError::Move { game: 1, ply: 0, .. })));
    let chess960 = Record { game: "chess:960=0".into(), ..Record::default() };
    let text = String::from_utf8(Pgn.write(&[chess960]).unwrap()).unwrap();
    assert!(text.contains("[FEN \"bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/BBQNNRKR w KQkq - 0 1\"]"));
    assert!(fen::parse(fen::START).is_ok());
}
