//! The lines of protocols, on both sides: what a GUI says to us, and what an engine says to us.
//!
//! The `…-lines` targets feed the parsers alone. The `…-session` targets feed whole sessions to the
//! engine side, with a player that answers at once.

use super::check;
use super::{chess, go, othello};
use crate::Target;
use std::sync::LazyLock;
use zug_core::{Choice, Game, GameEntry, Limits, Player, PlayerError, PlayerKind, Spec, Watch};
use zug_serve::{gtp, nboard, uci};

/// Plays the first legal move at once: sessions are about the protocol.
struct First;

impl Player for First {
    fn name(&self) -> String {
        "first".into()
    }
    fn choose(
        &mut self,
        line: &dyn zug_core::AnyLine,
        _: &Limits,
        _: &mut Watch<'_>,
    ) -> Result<Choice, PlayerError> {
        let moves = line.legal_moves();
        let mv = moves.first().ok_or_else(|| PlayerError::Unsupported("no move".into()))?;
        Ok(Choice::of(mv.clone()))
    }
    fn set_option(&mut self, _: &str, _: &str) -> Result<(), PlayerError> {
        Ok(())
    }
}

fn with_first(entry: GameEntry) -> GameEntry {
    entry.with_player(PlayerKind {
        name: "first",
        help: String::new(),
        make: Box::new(|_| Ok(Box::new(First))),
    })
}

fn entry<G: Game>(game: G) -> GameEntry {
    with_first(GameEntry::new(game))
}

static FIRST: LazyLock<Spec> = LazyLock::new(|| Spec::parse("first").expect("a name"));

/// Long sessions are cut: a thousand moves would only repeat what ten do.
fn cut(input: &[u8]) -> &[u8] {
    &input[..input.len().min(2000)]
}

pub const UCI_LINES: Target = Target {
    name: "uci-lines",
    words: UCI_WORDS,
    run: |input| {
        for line in check::text(input).lines() {
            if let Err(error) = uci::command::parse(line) {
                check::error_is_short(&error.to_string());
            }
        }
    },
};

pub const UCI_SESSION: Target = Target {
    name: "uci-session",
    words: UCI_WORDS,
    run: |input| {
        let mut output = Vec::new();
        let open = |_: &str| Ok(entry(chess::CHESS.clone()));
        uci::run(entry(chess::CHESS.clone()), &FIRST, &open, cut(input), &mut output)
            .expect("reading from and writing to memory");
        answers_are_lines(&output);
    },
};

const UCI_WORDS: &[&str] = &[
    "uci\n", "isready\n", "ucinewgame\n", "position startpos", " moves e2e4 e7e5", "position fen ",
    "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1", "go depth 3\n", "go infinite\n", "go ponder\n", "go movetime 1\n",
    "go wtime 1000 btime 1000", " searchmoves e2e4", "stop\n", "ponderhit\n", "setoption name ", " value ",
    "MultiPV", "UCI_Chess960", "Hash", "Clear Hash", "debug on\n", "d\n", "quit\n", "go perft 1\n", "mate 1",
];

pub const GTP_LINES: Target = Target {
    name: "gtp-lines",
    words: GTP_WORDS,
    run: |input| {
        for line in check::text(input).lines() {
            if let Some(command) = gtp::command::parse(line) {
                let written = format!(
                    "{} {} {}",
                    command.id,
                    command.name,
                    command.arguments.join(" ")
                );
                assert_eq!(gtp::command::parse(&written).as_ref(), Some(&command), "{written}");
            }
        }
    },
};

pub const GTP_SESSION: Target = Target {
    name: "gtp-session",
    words: GTP_WORDS,
    run: |input| {
        let open = |text: &str| open_any(text);
        let mut output = Vec::new();
        gtp::run(entry(go::NINE.clone()), &FIRST, &open, cut(input), &mut output)
            .expect("reading from and writing to memory");
        answers_are_lines(&output);
    },
};

/// Games that a GTP client may ask for.
fn open_any(text: &str) -> Result<GameEntry, String> {
    let spec = Spec::parse(text).map_err(|e| e.to_string())?;
    match spec.name.as_str() {
        "go" => zug_go::Go::open(text).map(entry).map_err(|e| e.to_string()),
        "othello" => Ok(entry(*othello::OTHELLO)),
        "chess" => Ok(entry(chess::CHESS.clone())),
        _ => match zug_games::open(&spec) {
            Some(entry) => entry.map(with_first).map_err(|e| e.to_string()),
            None => Err("no such game".into()),
        },
    }
}

const GTP_WORDS: &[&str] = &[
    "boardsize 9\n", "clear_board\n", "komi 7.5\n", "play b D4\n", "play w pass\n", "genmove b\n", "undo\n",
    "list_commands\n", "known_command play\n", "time_settings 60 10 5\n", "time_left b 10 1\n", "loadsgf ",
    "final_score\n", "showboard\n", "fixed_handicap 2\n", "place_free_handicap 3\n", "set_free_handicap D4 E5\n",
    "zug-game dodgem:4x4\n", "analyze b 10\n", "lz-analyze b interval 10\n", "kgs-time_settings", "# remark",
    "1 ", "quit\n", "reg_genmove w\n", "final_status_list dead\n", "printsgf\n", "-1", "nan", "1e400",
];

pub const NBOARD_LINES: Target = Target {
    name: "nboard-lines",
    words: NBOARD_WORDS,
    run: |input| {
        for line in check::text(input).lines() {
            if let Err(error) = nboard::command::parse(line) {
                check::error_is_short(&error.to_string());
            }
        }
    },
};

pub const NBOARD_SESSION: Target = Target {
    name: "nboard-session",
    words: NBOARD_WORDS,
    run: |input| {
        let open = |text: &str| open_any(text);
        let make = || {
            entry(*othello::OTHELLO)
                .with_format(zug_othello::records::ggf::Ggf { game: *othello::OTHELLO })
        };
        let mut output = Vec::new();
        nboard::run(make(), &FIRST, &open, cut(input), &mut output)
            .expect("reading from and writing to memory");
        answers_are_lines(&output);
    },
};

const NBOARD_WORDS: &[&str] = &[
    "nboard 2\n", "set depth 3\n", "set game (;GM[Othello]PB[a]PW[b]TY[8]BO[8 ", "set contempt 0\n",
    "set time 1s\n", "move F5/1.2/3\n", "move PASS\n", "move d6\n", "hint 3\n", "go\n", "ping 1\n", "learn\n",
    "analyze\n", "quit\n", "B[F5]", "W[d6//1]", ";)\n",
];

/// What we answer is text, in whole lines, without stray control characters.
fn answers_are_lines(output: &[u8]) {
    let text = std::str::from_utf8(output).expect("answers are UTF-8");
    assert!(text.is_empty() || text.ends_with('\n'), "the last line has no end: {text:?}");
    let stray = text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t'));
    assert_eq!(stray, None, "in an answer: {text:?}");
}
