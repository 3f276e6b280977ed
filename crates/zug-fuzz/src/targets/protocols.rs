//! The lines of protocols, on both sides: what a GUI says to us, and what an engine says to us.
//!
//! The `…-lines` targets feed the parsers alone. The `…-session` targets feed whole sessions to the
//! engine side, with a player that answers at once. The `…-driver` targets are the other way round:
//! the input is all that a foreign engine says, and our driver plays with it.

use super::check;
use super::{chess, go, othello};
use crate::Target;
use std::sync::LazyLock;
use zug_chess::Chess;
use zug_core::{
    AnyLine, Choice, Game, GameEntry, Limits, Line, Player, PlayerError, PlayerKind, Spec,
    TextError, Watch,
};
use zug_serve::{cecp, gtp, nboard, uci};

/// Plays the first legal move at once: sessions are about the protocol.
struct First;

impl Player for First {
    fn name(&self) -> String {
        "first".into()
    }
    fn choose(
        &mut self,
        line: &dyn AnyLine,
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

/// Long sessions are cut, since a thousand moves would only repeat what ten do, and each ends with
/// `stop` and `quit`: at the mere end of the input, or at a `quit` with more searches to come, an
/// engine finishes what it was asked, however deep.
fn session(input: &[u8]) -> impl std::io::BufRead {
    let quits = |line: &[u8]| line.trim_ascii_start().starts_with(b"quit");
    let lines = input[..input.len().min(2000)].split_inclusive(|&b| b == b'\n');
    let mut session: Vec<u8> = lines.filter(|line| !quits(line)).flatten().copied().collect();
    session.extend_from_slice(b"\nstop\nquit\n");
    std::io::Cursor::new(session)
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
        uci::run(entry(chess::CHESS.clone()), &FIRST, &open, session(input), &mut output)
            .expect("reading from and writing to memory");
        answers_are_lines(&output);
    },
};

pub const CECP_SESSION: Target = Target {
    name: "cecp-session",
    words: CECP_WORDS,
    run: |input| {
        let mut output = Vec::new();
        let open = |_: &str| Ok(entry(chess::CHESS.clone()));
        cecp::run(entry(chess::CHESS.clone()), &FIRST, &open, session(input), &mut output)
            .expect("reading from and writing to memory");
        answers_are_lines(&output);
    },
};

const CECP_WORDS: &[&str] = &[
    "xboard\nprotover 2\n",
    "new\n",
    "force\n",
    "go\n",
    "playother\n",
    "usermove ",
    "e2e4\n",
    "O-O\n",
    "setboard ",
    "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1\n",
    "level 40 5 0\n",
    "level 0 0:02 0.1\n",
    "st 1\n",
    "sd 3\n",
    "nps 100\n",
    "time 100\n",
    "otim -1\n",
    "ping 7\n",
    "analyze\n",
    "exit\n",
    ".\n",
    "?\n",
    "undo\n",
    "remove\n",
    "hint\n",
    "bk\n",
    "draw\n",
    "result 1-0 {x}\n",
    "option MultiPV=2\n",
    "memory 20\n",
    "cores 2\n",
    "egtpath syzygy /x\n",
    "variant fischerandom\n",
    "post\nhard\n",
    "quit\n",
];

const UCI_WORDS: &[&str] = &[
    "uci\n",
    "isready\n",
    "ucinewgame\n",
    "position startpos",
    " moves e2e4 e7e5",
    "position fen ",
    "8/8/8/8/8/4k3/4p3/4K3 w - - 0 1",
    "go depth 3\n",
    "go infinite\n",
    "go ponder\n",
    "go movetime 1\n",
    "go wtime 1000 btime 1000",
    " searchmoves e2e4",
    "stop\n",
    "ponderhit\n",
    "setoption name ",
    " value ",
    "MultiPV",
    "UCI_Chess960",
    "Hash",
    "Clear Hash",
    "debug on\n",
    "d\n",
    "quit\n",
    "go perft 1\n",
    "mate 1",
];

pub const GTP_LINES: Target = Target {
    name: "gtp-lines",
    words: GTP_WORDS,
    run: |input| {
        for line in check::text(input).lines() {
            if let Some(command) = gtp::command::parse(line) {
                let written =
                    format!("{} {} {}", command.id, command.name, command.arguments.join(" "));
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
        gtp::run(entry(go::NINE.clone()), &FIRST, &open, session(input), &mut output)
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

/// Without scoring: it plays thousands of moves to find dead stones, and has tests of its own.
const GTP_WORDS: &[&str] = &[
    "boardsize 9\n",
    "clear_board\n",
    "komi 7.5\n",
    "play b D4\n",
    "play w pass\n",
    "genmove b\n",
    "undo\n",
    "list_commands\n",
    "known_command play\n",
    "time_settings 60 10 5\n",
    "time_left b 10 1\n",
    "loadsgf ",
    "showboard\n",
    "fixed_handicap 2\n",
    "place_free_handicap 3\n",
    "set_free_handicap D4 E5\n",
    "zug-game dodgem:4x4\n",
    "analyze b 10\n",
    "lz-analyze b interval 10\n",
    "kgs-time_settings",
    "# remark",
    "1 ",
    "quit\n",
    "reg_genmove w\n",
    "printsgf\n",
    "-1",
    "nan",
    "1e400",
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
        nboard::run(make(), &FIRST, &open, session(input), &mut output)
            .expect("reading from and writing to memory");
        answers_are_lines(&output);
    },
};

const NBOARD_WORDS: &[&str] = &[
    "nboard 2\n",
    "set depth 3\n",
    "set game (;GM[Othello]PB[a]PW[b]TY[8]BO[8 ",
    "TI[0:01/0:01]",
    "TI[5:00//2:00]",
    "W[d6/1/1e300]",
    "set contempt 0\n",
    "set time 1s\n",
    "move F5/1.2/3\n",
    "move PASS\n",
    "move d6\n",
    "F5/1/1\n",
    "PA\n",
    "hint 3\n",
    "go\n",
    "ping 1\n",
    "learn\n",
    "analyze\n",
    "quit\n",
    "B[F5]",
    "W[d6//1]",
    ";)\n",
];

/// Lets a driver play with an engine that says `input`.
fn drive(spec: &str, line: &dyn AnyLine, input: &[u8]) {
    let spec = Spec::parse(spec).expect("a spec");
    match zug_arena::foreign::listen(&spec, input, line) {
        Ok(choice) => {
            if let Some(info) = choice.info {
                // The arena does sums with these.
                let _ = (info.nodes_per_second(), info.score.map(|s| s.to_string()));
            }
        }
        Err(error) => check::error_is_short(&error.to_string()),
    }
}

/// A chess game that has begun: drivers must tell moves as well as take them.
static CHESS_LINE: LazyLock<Line<Chess>> =
    LazyLock::new(|| begun(chess::CHESS.clone(), &["e2e4", "e7e5", "g1f3"]));

fn begun<G: Game>(game: G, moves: &[&str]) -> Line<G> {
    let mut line = Line::new(game);
    for mv in moves {
        line.play_text(mv).expect("a legal move");
    }
    line
}

pub const UCI_DRIVER: Target = Target {
    name: "uci-driver",
    words: &[
        "uciok\n",
        "readyok\n",
        "id name X\n",
        "option name Hash type spin default 16 min 1 max 33\n",
        "option name Style type combo default a var a var b\n",
        "info depth 3 seldepth 9",
        " score cp 12",
        " score mate -3",
        " lowerbound",
        " nodes 100 nps 5 time 7",
        " multipv 2",
        " hashfull 9",
        " pv e2e4",
        "info string x\n",
        "bestmove e2e4",
        " ponder e7e5\n",
        "bestmove (none)\n",
        "bestmove 0000\n",
    ],
    run: |input| {
        drive("uci:cmd=x,Hash=16,Style=b", &*CHESS_LINE, input);
        drive("uci:cmd=x,movetime=1ms", &*CHESS_LINE, input);
    },
};

pub const CECP_DRIVER: Target = Target {
    name: "cecp-driver",
    words: &[
        "feature ping=1 setboard=1 done=1\n",
        "feature myname=\"X 1\"\n",
        "feature done=0\n",
        "pong 1\n",
        "usermove=1",
        "san=1",
        "time=0",
        "colors=0",
        "option=\"Skill -spin 3 0 20\"",
        "move b8c6\n",
        "Nc6\n",
        "1 ... b8c6\n",
        "resign\n",
        "1-0 {mate}\n",
        "Illegal move: e4\n",
        "Error (x): y\n",
        "9 156 1084 48000 Nf3 Nc6\n",
        "tellics ",
        "offer draw\n",
        "reuse=0",
        "sigint=0",
        "pong 2\n",
    ],
    run: |input| {
        drive("cecp:cmd=x", &*CHESS_LINE, input);
        drive("cecp:cmd=x,depth=3", &*CHESS_LINE, input);
    },
};

pub const GTP_DRIVER: Target = Target {
    name: "gtp-driver",
    words: &[
        "=\n\n",
        "=1\n\n",
        "=2 X\n\n",
        "? unknown command\n\n",
        "= D4\n\n",
        "= pass\n\n",
        "= resign\n\n",
        "?9 no\n\n",
        "genmove\n",
        "set_game\n",
        "play\n",
        "boardsize\n",
        "time_settings\n",
        "\n",
        "=4294967296 ",
    ],
    run: |input| {
        static LINE: LazyLock<Line<zug_go::Go>> =
            LazyLock::new(|| begun(go::NINE.clone(), &["D4", "E5", "pass"]));
        drive("gtp:cmd=x", &*LINE, input);
        drive("gtp:cmd=x,level=3,movetime=1s", &*LINE, input);
        static OTHELLO: LazyLock<Line<zug_othello::Othello>> =
            LazyLock::new(|| begun(*othello::OTHELLO, &["f5"]));
        drive("gtp:cmd=x", &*OTHELLO, input);
    },
};

pub const NBOARD_DRIVER: Target = Target {
    name: "nboard-driver",
    words: &[
        "pong 1\n",
        "pong 2\n",
        "set myname X\n",
        "status x\n",
        "nodestats 12 0.5\n",
        "search D6C4 1.25 0 12\n",
        "search D6-C4 1.00,2.00 0 100%\n",
        "search D6 -2 0 100%W\n",
        "=== d6 -1.00 0.0\n",
        "book d6 0 1 4\n",
        "=== D6/1.25/0.5\n",
        "=== PASS\n",
        "=== pa//\n",
        "nan",
    ],
    run: |input| {
        static LINE: LazyLock<Line<zug_othello::Othello>> =
            LazyLock::new(|| begun(*othello::OTHELLO, &["f5"]));
        drive("nboard:cmd=x", &*LINE, input);
    },
};

/// What stands after `--time`, `--sprt` and `--openings`, and the command of a foreign engine.
pub const MATCH_OPTIONS: Target = Target {
    name: "match-options",
    words: &[
        "40/60",
        "+0.1",
        "depth=",
        "nodes=",
        "movetime=",
        "random:plies=",
        "start",
        "0,10",
        "alpha=",
        ":",
    ],
    run: |input| {
        let text = check::text(input);
        let told = [
            zug_arena::TimeControl::parse(&text).err(),
            zug_arena::Sprt::parse(&text).err(),
            zug_arena::Openings::parse(&text).err(),
            Spec::parse(&format!("uci:cmd=\"{text}\"")).and_then(|s| foreign(&s)).err(),
        ];
        told.iter().flatten().for_each(|error| check::error_is_short(&error.to_string()));
    },
};

fn foreign(spec: &Spec) -> Result<(), TextError> {
    zug_arena::foreign_player(spec).map(drop)
}

/// What we answer is text, in whole lines, without stray control characters.
fn answers_are_lines(output: &[u8]) {
    let text = std::str::from_utf8(output).expect("answers are UTF-8");
    assert!(text.is_empty() || text.ends_with('\n'), "the last line has no end: {text:?}");
    let stray = text.chars().find(|c| c.is_control() && !matches!(c, '\n' | '\t'));
    assert_eq!(stray, None, "in an answer: {text:?}");
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus;

    /// If the corpus did not get as far as a move, its mutations would not either.
    #[test]
    fn the_engines_of_the_corpus_make_a_move() {
        let othello = begun(*othello::OTHELLO, &["f5"]);
        let go = begun(go::NINE.clone(), &["D4", "E5", "pass"]);
        let lines: [(&str, &dyn AnyLine, &str); 4] = [
            ("uci", &*CHESS_LINE, "b8c6"),
            ("cecp", &*CHESS_LINE, "b8c6"),
            ("gtp", &go, "C3"),
            ("nboard", &othello, "d6"),
        ];
        for (protocol, line, mv) in lines {
            let path = corpus::fuzz_folder().join(format!("corpus/{protocol}-driver/game"));
            let said = std::fs::read(path).unwrap();
            let spec = Spec::parse(&format!("{protocol}:cmd=x")).unwrap();
            let choice = zug_arena::foreign::listen(&spec, &said, line);
            assert_eq!(choice.map(|c| c.mv).as_deref(), Ok(mv), "{protocol}");
        }
    }
}
