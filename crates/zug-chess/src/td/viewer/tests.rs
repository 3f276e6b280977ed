use super::*;
use crate::fen;
use zug_learn::markup;

fn judged(ply: usize, reply: Option<&str>, came: bool, difference: f64, kept: f64) -> Judged {
    Judged {
        ply,
        score: 23,
        reply: reply.map(str::to_string),
        came,
        value: 0.0586,
        difference,
        kept,
        column: Some(22),
    }
}

fn replayed(start: &str, moves: &str, thoughts: Vec<Judged>) -> Replayed {
    let start = fen::parse(start).unwrap();
    let mut at = start.clone();
    let mut all = Vec::new();
    for text in moves.split(' ') {
        let mv = uci::parse(&at, text).unwrap();
        at.play(mv);
        all.push(mv);
    }
    let name = |c: usize| format!("{}: <queens>", c + 1);
    let thoughts = thoughts.into_iter().map(|j| Thought::new(j, name)).collect();
    let (title, info) = ("game 1: won".to_string(), "short".to_string());
    Replayed { title, info, start, moves: all, thoughts }
}

/// What the script does.
fn after(board: &str, change: &str) -> String {
    let mut letters: Vec<char> = board.chars().collect();
    let change: Vec<char> = change.chars().collect();
    for part in change.chunks(3) {
        let file = "abcdefgh".find(part[0]).unwrap();
        letters[file + 8 * (part[1].to_digit(10).unwrap() as usize - 1)] = part[2];
    }
    letters.into_iter().collect()
}

#[test]
fn boards_follow_from_the_changes_of_castling_en_passant_and_promotion() {
    for (start, moves) in [
        ("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1g1 e8c8 f1f8"),
        ("4k3/P7/8/8/1p6/8/2P5/4K3 w - - 0 1", "c2c4 b4c3 a7a8q"),
    ] {
        let game = replayed(start, moves, Vec::new());
        let data = game.data();
        let mut board = data["b"].as_str().unwrap().to_string();
        let positions = game.positions();
        for (mv, position) in data["m"].as_array().unwrap().iter().zip(&positions[1..]) {
            let (_, change) = mv.as_str().unwrap().split_once(' ').unwrap();
            board = after(&board, change);
            assert_eq!(board, letters(position), "{mv}");
        }
    }
}

#[test]
fn own_moves_tell_the_reply_foretold_and_what_was_dropped() {
    let thoughts = vec![
        judged(0, Some("e7e5"), true, 0.1, 0.1),
        judged(2, Some("g8f6"), false, 0.2, 0.0),
        judged(4, None, false, -0.3, -0.3),
    ];
    let game = replayed(fen::START, "e2e4 e7e5 g1f3 b8c6 f1b5", thoughts);
    let data = game.data();
    let told = |i: usize, at: usize| data["s"][i][at].as_str().unwrap().to_string();
    assert_eq!(data["s"][1][0], 2);
    assert_eq!((told(0, 1), told(0, 2)), ("+23".to_string(), "+0.059".to_string()));
    assert_eq!((told(0, 3), told(0, 4)), ("e5".to_string(), "e5, as foretold".to_string()));
    assert_eq!((told(0, 5), told(0, 6)), ("+0.100".to_string(), "whole".to_string()));
    assert_eq!((told(1, 3), told(1, 4)), ("Nf6".to_string(), "Nc6".to_string()));
    assert_eq!(told(1, 6), "dropped");
    assert_eq!((told(2, 3), told(2, 4)), ("none".to_string(), "the game is over".to_string()));
    let mut page = Page::new("x");
    add(&mut page, &[game], "v.");
    let html = page.html();
    markup::check(&html).unwrap();
    assert!(html.contains("<td>2. Nf3</td><td class=\"number\">+23</td>"), "{html}");
    assert!(html.contains("23: &lt;queens&gt;</td>"));
    for outside in ["src=", "@import", "url(", "http"] {
        assert!(!html.contains(outside), "{outside}");
    }
}

#[test]
fn rows_are_short_and_come_back() {
    let judged = judged(4, Some("e7e5"), true, 0.123_456, 0.0);
    let text = serde_json::to_string(&judged).unwrap();
    assert_eq!(text, "[4,23,\"e7e5\",true,0.0586,0.1235,0.0,22]");
    let back: Judged = serde_json::from_str(&text).unwrap();
    assert_eq!(back, Judged { difference: 0.1235, ..judged });
}

#[test]
fn a_run_that_kept_scores_alone_is_replayed_with_what_they_tell() {
    let row = json!({
        "game": 3, "opponent": "self", "own": "black", "half_points": 0, "plies": 4,
        "reason": "checkmate", "positions": 2, "proven": 1, "resolved": 0, "predicted": 0,
        "dropped": 0, "error": 0.0, "moved": 5, "visible": 1, "visible_columns": 1, "total": 2.0,
        "largest": 1.0, "columns": [[0, 2]],
    });
    let row: GameRow = serde_json::from_value(row).unwrap();
    let text = "1. e4 {+0.10} 1... f6 {+0.50} 2. d4 {+0.20} 2... g5 {won in 1} 3. Qh5# 1-0\n";
    let game = Reader::new(text.as_bytes()).next().unwrap().unwrap();
    let shown = of_row("a-1", &row, &game, &Rule::knightcap(), &|_| String::new());
    let positions = shown.positions();
    let told: Vec<[String; 7]> =
        shown.thoughts.iter().map(|t| cells(&shown, &positions, t)).collect();
    assert_eq!(told.len(), 2);
    assert_eq!(told[0][0], "-50");
    assert_eq!((told[1][0].as_str(), told[1][1].as_str()), ("lost in 1", "-1.000"));
    assert_eq!((told[0][2].as_str(), told[0][5].as_str()), ("not kept", "not kept"));
    assert_eq!(read_score("weather"), None);
    assert_eq!(read_score("+1e99"), None);
}

#[test]
fn the_newest_games_and_those_that_moved_most_are_chosen() {
    let row = |game: u64, total: f64| -> GameRow {
        serde_json::from_value(json!({
            "game": game, "opponent": "self", "own": "white", "half_points": 2, "plies": 4,
            "reason": "checkmate", "positions": u64::from(game != 6), "proven": 0, "resolved": 0,
            "predicted": 0, "dropped": 0, "error": 0.0, "moved": 5, "visible": 1,
            "visible_columns": 1, "total": total, "largest": 1.0, "columns": [],
        }))
        .unwrap()
    };
    let rows: Vec<GameRow> =
        [5.0, 9.0, 1.0, 2.0, 3.0, 99.0, 4.0].iter().zip(1..).map(|(&t, g)| row(g, t)).collect();
    assert_eq!(chosen(&rows, 4).into_iter().collect::<Vec<_>>(), [1, 2, 5, 7]);
    assert_eq!(chosen(&rows, 30).len(), 6);
}
