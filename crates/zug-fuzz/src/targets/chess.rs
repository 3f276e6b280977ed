//! The parsers of chess: positions, moves in two notations, test positions, games.

use super::check;
use crate::Target;
use std::sync::LazyLock;
use zug_chess::pgn::Pgn;
use zug_chess::td::log::GameLog;
use zug_chess::{Chess, epd, fen, san, suite, uci};
use zug_core::{Game, Line};

pub static CHESS: LazyLock<Chess> = LazyLock::new(Chess::new);

pub const POSITIONS: Target = Target {
    name: "chess",
    words: &["e2e4\n", "O-O\n", "e8=Q+\n", "KQkq", " w ", " - ", "e3", "8/", "/pppppppp/", "HAha"],
    run: |input| check::position_and_moves(&*CHESS, input),
};

pub const FEN: Target = Target {
    name: "fen",
    words: &["KQkq", "AHah", " w ", " b ", " - ", "e3", "8/", "/pppppppp/", "k", "K", "0 1", "99"],
    run: |input| match fen::parse(&check::text(input)) {
        Ok(position) => {
            let written = fen::write(&position);
            let again = fen::parse(&written);
            assert_eq!(again.as_ref(), Ok(&position), "{written}");
            assert_eq!(fen::write(&position), written);
            let mut moves = Vec::new();
            CHESS.moves(&position, &mut moves);
            for mv in moves {
                let text = uci::write(&position, mv, true);
                assert_eq!(uci::parse(&position, &text), Ok(mv), "{text} in {written}");
                let text = san::write(&position, mv);
                assert_eq!(san::parse(&position, &text), Ok(mv), "{text} in {written}");
            }
        }
        Err(error) => check::error_is_short(&error.to_string()),
    },
};

/// The first line is a position (empty: the start), each other one a move in SAN.
pub const SAN: Target = Target {
    name: "san",
    words: &[
        "e4\n",
        "Nf3\n",
        "O-O\n",
        "0-0-0\n",
        "exd8=Q#\n",
        "R1e2\n",
        "Qa1xb2+\n",
        "bxc3 e.p.\n",
    ],
    run: |input| {
        let text = check::text(input);
        let mut lines = text.lines();
        let start = match lines.next() {
            None | Some("") => CHESS.start(),
            Some(text) => match fen::parse(text) {
                Ok(position) => position,
                Err(_) => return,
            },
        };
        let mut line = Line::from_position(CHESS.clone(), start);
        for text in lines.take(100) {
            let position = line.position().clone();
            match san::parse(&position, text) {
                Ok(mv) => {
                    let written = san::write(&position, mv);
                    assert_eq!(san::parse(&position, &written), Ok(mv), "'{text}', '{written}'");
                    line.play(mv);
                }
                Err(error) => check::error_is_short(&error.to_string()),
            }
        }
    },
};

pub const EPD: Target = Target {
    name: "epd",
    words: &[
        "bm Nf3;",
        "am e4;",
        "id \"x\";",
        "hmvc 9;",
        "fmvn 3;",
        ";D1 20",
        "pv e4 e5;",
        "c0 \"",
        "dm 1;",
        "c8 \"10 2\";",
        "c9 \"e2e4 d2d4\";",
        "c0 \"e4=10, d4=2\";",
    ],
    run: |input| {
        match suite::read(&check::text(input)) {
            Ok(problems) => {
                for problem in problems {
                    for &mv in problem.best.iter().chain(&problem.avoid) {
                        let best = !problem.avoid.contains(&mv);
                        assert_eq!(problem.is_solved_by(mv), best, "{}", problem.expected());
                    }
                    assert!(problem.points.iter().all(|p| p.1 <= problem.most_points()));
                }
            }
            Err(error) => check::error_is_short(&error.to_string()),
        }
        for epd in epd::parse_all(&check::text(input)) {
            match epd {
                Ok(epd) => {
                    let written = epd.to_string();
                    let again = epd::parse(&written).expect("what was written is read");
                    assert_eq!(again.position, epd.position, "{written}");
                    // The clocks of a line with all fields of a FEN become operations.
                    assert_eq!(again.to_string(), written);
                    for opcode in ["bm", "am", "pv"] {
                        let _ = (epd.moves(opcode), epd.line(opcode), epd.number(opcode));
                    }
                }
                Err(error) => check::error_is_short(&error.to_string()),
            }
        }
    },
};

pub const PGN: Target = Target {
    name: "pgn",
    words: &[
        "[Event \"?\"]\n",
        "[FEN \"",
        "[SetUp \"1\"]\n",
        "[Result \"1-0\"]\n",
        "1.",
        "1...",
        "e4",
        "Nf3",
        "O-O",
        "{",
        "}",
        "(",
        ")",
        "$1",
        "!?",
        ";",
        "\n%",
        "1-0",
        "1/2-1/2",
        "*",
        "--",
        "Z0",
        "[%clk 0:01:00]",
        "[%csl Gd4,Re5]",
        "[%nag 14,2]",
        "$146",
        "[Variant \"Chess960\"]\n",
        "e.p.",
        "\n\n",
    ],
    run: |input| check::record_format(&Pgn, input),
};

/// A log of the learner, for an evaluation of two factors.
pub const LEARNER_LOG: Target = Target {
    name: "learner-log",
    words: &[
        "weiss\n",
        "schwarz\n",
        " leer\n",
        "0,7\n",
        "// start ",
        "//",
        "e2e4 ",
        " 0 0 0 ",
        "-1\n",
        "1\n",
    ],
    run: |input| match GameLog::read(&check::text(input), 2) {
        Ok(log) => {
            let written = log.write();
            assert_eq!(GameLog::read(&written, 2).as_ref(), Ok(&log), "{written}");
        }
        Err(error) => check::error_is_short(&error.to_string()),
    },
};
