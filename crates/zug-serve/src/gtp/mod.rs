//! GTP 2: how a Go GUI, a server or a tournament manager talks to us; with the same commands, any
//! game.
//!
//! Every command gets exactly one response. Commands run one after the other on the calling
//! thread; only an analysis (`lz-analyze`, `kata-analyze`) thinks on a thread of its own and is
//! ended by the next line of input, as its clients expect.
//!
//! A board size, komi or handicap opens the game again under a changed spec. What is special to
//! Go goes by what a game can do, not by its name: a colour may move twice in a row where the other
//! may pass in between, play may go on after both have passed, and a game can be scored early where
//! both may pass.
//!
//! Commands of our own, for every game: `zug-game [SPEC]`, `zug-position`, `zug-set_position TEXT`,
//! `zug-legal_moves`, `zug-outcome`, `zug-load FILE [MOVE]` and `zug-print [FORMAT]` for records in the
//! formats of the game. `list_games` and `set_game` are what GUIs of other games ask.

pub mod command;

mod analysis;
mod board;
mod colour;
mod records;
mod setup;
mod time;

use crate::Open;
use crate::lines::{Input, read_line};
use crate::output::Output;
use crate::seat::Seat;
use analysis::{Analysis, Dialect};
use board::Board;
use command::{Command, parse, response};
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::thread::Scope;
use std::time::{Duration, Instant};
use time::Time;
use zug_core::{GameEntry, Info, Limits, Side, Spec, Watch};

/// Speaks GTP until `quit` or the end of the input. `entry` is the game, `player` who plays it, and
/// `open` opens a game by its spec when a command changes the rules.
pub fn run(
    entry: GameEntry,
    player: &Spec,
    open: &Open<'_>,
    input: impl BufRead,
    output: impl Write + Send,
) -> io::Result<()> {
    let bad = |e: zug_core::TextError| io::Error::new(io::ErrorKind::InvalidInput, e.to_string());
    let seat = Seat::new(&entry, player).map_err(bad)?;
    let base = Spec::parse(&entry.game.spec()).map_err(bad)?;
    let output = Output::new(output);
    std::thread::scope(|scope| {
        let mut session = Session {
            board: Board::new(entry),
            base,
            seat,
            open,
            output: &output,
            scope,
            time: Time::default(),
            thought: Duration::ZERO,
            analysis: None,
        };
        session.serve(input)
    })?;
    output.finish()
}

struct Session<'scope, 'env, W> {
    board: Board,
    /// The game without what `fixed_handicap` added: what `clear_board` goes back to.
    base: Spec,
    seat: Seat,
    open: &'env Open<'env>,
    output: &'env Output<W>,
    scope: &'scope Scope<'scope, 'env>,
    time: Time,
    /// Time spent on moves, for `cputime`.
    thought: Duration,
    analysis: Option<Analysis<'scope>>,
}

/// The text of a response, or the reason why there is none.
type Answer = Result<String, String>;

/// Every command, in the order in which it is listed.
pub const COMMANDS: &[&str] = &[
    "boardsize",
    "clear_board",
    "cputime",
    "final_score",
    "final_status_list",
    "fixed_handicap",
    "genmove",
    "get_komi",
    "gogui-analyze_commands",
    "gogui-play_sequence",
    "kata-analyze",
    "kata-genmove_analyze",
    "kgs-genmove_cleanup",
    "kgs-time_settings",
    "known_command",
    "komi",
    "list_commands",
    "list_games",
    "loadsgf",
    "lz-analyze",
    "lz-genmove_analyze",
    "name",
    "place_free_handicap",
    "play",
    "printsgf",
    "protocol_version",
    "quit",
    "reg_genmove",
    "set_free_handicap",
    "set_game",
    "set_position",
    "showboard",
    "time_left",
    "time_settings",
    "undo",
    "version",
    "zug-game",
    "zug-legal_moves",
    "zug-load",
    "zug-outcome",
    "zug-position",
    "zug-print",
    "zug-set_position",
];

/// What GoGui offers in its menu of analysis commands.
const GOGUI_COMMANDS: [&str; 5] = [
    "string/Final score/final_score",
    "plist/Alive stones/final_status_list alive",
    "string/Legal moves/zug-legal_moves",
    "string/Outcome/zug-outcome",
    "string/Position/zug-position",
];

impl<W: Write + Send> Session<'_, '_, W> {
    fn serve(&mut self, mut input: impl BufRead) -> io::Result<()> {
        while !self.output.is_broken() {
            let line = read_line(&mut input);
            self.end_analysis();
            match line? {
                None => break,
                Some(Input::TooLong) => {
                    self.output.send(&response("", Err("syntax error: this line is too long")));
                }
                Some(Input::Line(line)) => {
                    let Some(command) = parse(&line) else { continue };
                    self.answer(&command);
                    if command.name == "quit" {
                        break;
                    }
                }
            }
        }
        Ok(())
    }

    fn answer(&mut self, command: &Command) {
        let streams = match command.name.as_str() {
            "lz-analyze" => Some((Dialect::Leela, false)),
            "lz-genmove_analyze" => Some((Dialect::Leela, true)),
            "kata-analyze" => Some((Dialect::Kata, false)),
            "kata-genmove_analyze" => Some((Dialect::Kata, true)),
            _ => None,
        };
        let answer = match streams {
            // A stream that has begun writes its response by itself.
            Some((dialect, plays)) => match self.analyse(command, dialect, plays) {
                Ok(()) => return,
                Err(e) => Err(e),
            },
            None => self.execute(&command.name, &command.arguments),
        };
        let text = response(&command.id, answer.as_deref().map_err(String::as_str));
        self.output.send(&text);
    }

    fn execute(&mut self, name: &str, arguments: &[String]) -> Answer {
        match name {
            "protocol_version" => Ok("2".into()),
            "name" => Ok("Zug".into()),
            "version" => Ok(env!("CARGO_PKG_VERSION").into()),
            "known_command" => {
                let known = arguments.first().is_some_and(|n| COMMANDS.contains(&n.as_str()));
                Ok(known.to_string())
            }
            "list_commands" => Ok(COMMANDS.join("\n")),
            "gogui-analyze_commands" => Ok(GOGUI_COMMANDS.join("\n")),
            "quit" => done(Ok(())),
            "boardsize" => done(self.board_size(arguments)),
            "clear_board" => done(self.clear_board()),
            "komi" => done(self.set_komi(arguments)),
            "get_komi" => self.komi().ok_or_else(|| "this game has no komi".into()),
            "fixed_handicap" => self.fixed_handicap(arguments),
            "place_free_handicap" => self.place_free_handicap(arguments),
            "set_free_handicap" => done(self.set_free_handicap(arguments)),
            "set_position" => done(self.set_position(arguments)),
            "play" => done(self.play(arguments)),
            "gogui-play_sequence" => done(self.play_sequence(arguments)),
            "genmove" | "kgs-genmove_cleanup" => self.generate(arguments, true),
            "reg_genmove" => self.generate(arguments, false),
            "undo" => done(self.board.undo()),
            "showboard" => Ok(self.board.drawing()),
            "time_settings" => done(self.time_settings(time::time_settings(arguments))),
            "kgs-time_settings" => done(self.time_settings(time::kgs_time_settings(arguments))),
            "time_left" => done(self.time_left(arguments)),
            "cputime" => Ok(format!("{:.3}", self.thought.as_secs_f64())),
            "final_score" => self.board.score_text(),
            "final_status_list" => self.status_list(arguments),
            "loadsgf" => done(self.load_sgf(arguments)),
            "printsgf" => self.print_sgf(),
            "zug-load" => done(self.load_record(arguments)),
            "zug-print" => self.print_record(arguments),
            "list_games" => Ok(self.board.entry.game.title()),
            "set_game" => done(self.set_game(arguments)),
            "zug-game" => self.game(arguments),
            "zug-position" => Ok(self.board.line.position_text()),
            "zug-set_position" => done(self.zug_set_position(arguments)),
            "zug-legal_moves" => Ok(self.board.line.legal_moves().join(" ")),
            "zug-outcome" => Ok(self.outcome()),
            "" => Err("syntax error: a number without a command".into()),
            _ => Err("unknown command".into()),
        }
    }

    fn colour(&self, text: Option<&String>) -> Result<Side, String> {
        match text {
            Some(text) => self.board.colours().read(text),
            None => Err("syntax error: expected a colour".into()),
        }
    }

    /// A move of any game follows its colour; it may hold spaces.
    fn play(&mut self, arguments: &[String]) -> Result<(), String> {
        let side = self.colour(arguments.first())?;
        let mv = arguments[1..].join(" ");
        if mv.is_empty() {
            return Err("syntax error: expected a move".into());
        }
        self.board.play(side, &mv).map(drop)
    }

    /// All moves or none.
    fn play_sequence(&mut self, arguments: &[String]) -> Result<(), String> {
        for (done, pair) in arguments.chunks(2).enumerate() {
            if let Err(e) = self.play(pair) {
                (0..done).try_for_each(|_| self.board.undo())?;
                return Err(e);
            }
        }
        Ok(())
    }

    fn generate(&mut self, arguments: &[String], plays: bool) -> Answer {
        let side = self.colour(arguments.first())?;
        if let Some(outcome) = self.board.ended_for_good() {
            // Where both may pass, one more pass changes nothing.
            return if self.board.passes_freely() {
                Ok("pass".into())
            } else {
                Err(format!("the game has ended: {}", outcome.reason))
            };
        }
        let line = self.board.line_for(side)?;
        let limits = self.limits();
        let begin = Instant::now();
        let mut ignore = |_: &Info| {};
        let mut watch = Watch::new(Arc::default(), &mut ignore);
        let choice = self.seat.choose(&self.board.entry, &*line, &limits, &mut watch)?;
        self.spent(side, begin.elapsed(), plays);
        if choice.resigns {
            return Ok("resign".into());
        }
        if plays { self.board.play(side, &choice.mv) } else { Ok(choice.mv) }
    }

    /// How long to think about a move.
    fn limits(&self) -> Limits {
        self.seat.bounded(self.time.limits())
    }

    fn spent(&mut self, side: Side, time: Duration, on_the_clock: bool) {
        self.thought += time;
        if on_the_clock {
            self.time.spend(side, time);
        }
    }

    fn time_settings(&mut self, system: Result<time::System, String>) -> Result<(), String> {
        self.time.set(system?);
        Ok(())
    }

    fn time_left(&mut self, arguments: &[String]) -> Result<(), String> {
        let side = self.colour(arguments.first())?;
        let [_, left, stones] = arguments else {
            return Err("syntax error: expected a colour, a time and stones".into());
        };
        let stones = stones.parse().map_err(|_| "stones not an integer")?;
        self.time.tell(side, time::seconds(left)?, stones);
        Ok(())
    }

    /// Without a judgement of life and death every stone counts as it lies.
    fn status_list(&self, arguments: &[String]) -> Answer {
        if !self.board.passes_freely() {
            return Err("this game has no stones to judge".into());
        }
        let list = |dead| {
            let chains = self.board.chains(dead);
            chains.iter().map(|c| c.join(" ")).collect::<Vec<_>>().join("\n")
        };
        match arguments.first().map(String::as_str) {
            Some("alive") => Ok(list(false)),
            Some("dead") => Ok(list(true)),
            // Playouts tell dead from alive; what lives only together counts as alive.
            Some("seki") => Ok(String::new()),
            _ => Err("syntax error: expected 'alive', 'dead' or 'seki'".into()),
        }
    }

    fn outcome(&self) -> String {
        match self.board.line.outcome() {
            None => "none".into(),
            Some(outcome) => {
                let score = self.board.score_text().unwrap_or_default();
                format!("{score} {}", outcome.reason)
            }
        }
    }

    fn end_analysis(&mut self) {
        if let Some(analysis) = self.analysis.take() {
            let (player, thought) = analysis.end();
            self.seat.put(player);
            self.thought += thought;
            self.output.send("\n");
        }
    }
}

fn done(result: Result<(), String>) -> Answer {
    result.map(|()| String::new())
}
