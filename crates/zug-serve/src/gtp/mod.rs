//! GTP 2: how a Go GUI, a server or a tournament manager talks to us; with the same commands, any
//! game.
//!
//! Every command gets exactly one response. The calling thread reads; commands run one after the
//! other on a second one, so that the comment `# interrupt` can break off a search. An analysis
//! (`lz-analyze`, `kata-analyze`) thinks on a thread of its own and is ended by the next line of
//! input, as its clients expect.
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
mod interrupt;
mod records;
mod rules;
mod setup;
mod time;

use crate::Open;
use crate::lines::{Input, read_line};
use crate::output::Output;
use crate::seat::Seat;
use analysis::{Analysis, Dialect};
use board::Board;
use command::{Command, parse, response};
use interrupt::{Interrupts, is_interrupt};
use std::io::{self, BufRead, Write};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::Scope;
use std::time::{Duration, Instant};
use time::Time;
use zug_core::{AnyLine, Choice, GameEntry, Info, Limits, Side, Spec, Watch};

/// Speaks GTP until `quit` or the end of the input. `entry` is the game, `player` who plays it, and
/// `open` opens a game by its spec when a command changes the rules.
pub fn run(
    entry: GameEntry,
    player: &Spec,
    open: &Open<'_>,
    mut input: impl BufRead,
    output: impl Write + Send,
) -> io::Result<()> {
    let bad = |e: zug_core::TextError| io::Error::new(io::ErrorKind::InvalidInput, e.to_string());
    let seat = Seat::new(&entry, player).map_err(bad)?;
    let base = Spec::parse(&entry.game.spec()).map_err(bad)?;
    let output = Output::new(output);
    let interrupts = Interrupts::default();
    let read = std::thread::scope(|scope| {
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
            interrupts: &interrupts,
            line: 0,
        };
        let (lines, heard) = sync_channel(MOST_WAITING);
        let serving = scope.spawn(move || session.serve(&heard));
        let read = listen(&mut input, &lines, &interrupts);
        drop(lines);
        match serving.join() {
            Ok(()) => read,
            Err(panic) => std::panic::resume_unwind(panic),
        }
    });
    read?;
    output.finish()
}

/// Lines that wait while a command runs; more are not read before their turn comes.
const MOST_WAITING: usize = 1024;

/// Reads lines until the end, `quit`, or until nobody takes them any more.
fn listen(
    input: &mut impl BufRead,
    lines: &SyncSender<(u64, Input)>,
    interrupts: &Interrupts,
) -> io::Result<()> {
    for number in 1.. {
        let Some(line) = read_line(input)? else { break };
        let mut last = false;
        if let Input::Line(text) = &line {
            if is_interrupt(text) {
                interrupts.interrupt(number);
            }
            last = parse(text).is_some_and(|command| command.name == "quit");
        }
        if lines.send((number, line)).is_err() || last {
            break;
        }
    }
    Ok(())
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
    interrupts: &'env Interrupts,
    /// The number of the line that is answered.
    line: u64,
}

/// What a move is found for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Wanted {
    /// To be played.
    Move,
    /// To be played, when the game has ended and dead stones are taken off.
    Cleanup,
    /// To be told.
    Opinion,
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
    "gogui-interrupt",
    "gogui-play_sequence",
    "kata-analyze",
    "kata-genmove_analyze",
    "kata-get-rules",
    "kata-set-rule",
    "kata-set-rules",
    "kgs-game_over",
    "kgs-genmove_cleanup",
    "kgs-rules",
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
const GOGUI_COMMANDS: [&str; 9] = [
    "string/Final score/final_score",
    "plist/Alive stones/final_status_list alive",
    "plist/Dead stones/final_status_list dead",
    "plist/Black territory/final_status_list black_territory",
    "plist/White territory/final_status_list white_territory",
    "string/Rules/kata-get-rules",
    "string/Legal moves/zug-legal_moves",
    "string/Outcome/zug-outcome",
    "string/Position/zug-position",
];

impl<W: Write + Send> Session<'_, '_, W> {
    fn serve(&mut self, lines: &Receiver<(u64, Input)>) {
        while !self.output.is_broken() {
            let line = lines.recv();
            self.end_analysis();
            let Ok((number, line)) = line else { break };
            self.line = number;
            match line {
                Input::TooLong => {
                    self.output.send(&response("", Err("syntax error: this line is too long")));
                }
                Input::Line(line) => {
                    let Some(command) = parse(&line) else { continue };
                    self.answer(&command);
                    if command.name == "quit" {
                        break;
                    }
                }
            }
        }
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
            "genmove" => self.generate(arguments, Wanted::Move),
            "kgs-genmove_cleanup" => self.generate(arguments, Wanted::Cleanup),
            "reg_genmove" => self.generate(arguments, Wanted::Opinion),
            "gogui-interrupt" => done(Ok(())),
            "kata-get-rules" => self.rules(),
            "kata-set-rules" => done(self.set_rules(arguments)),
            "kata-set-rule" => done(self.set_rule(arguments)),
            "kgs-rules" => done(self.set_kgs_rules(arguments)),
            "kgs-game_over" => done(self.game_over()),
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

    fn game_over(&mut self) -> Result<(), String> {
        let line = &*self.board.line;
        self.seat.game_over(&self.board.entry, line, line.outcome().as_ref())
    }

    fn generate(&mut self, arguments: &[String], wanted: Wanted) -> Answer {
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
        let begin = Instant::now();
        let choice = match wanted {
            Wanted::Cleanup => self.clean_up(&*line)?,
            Wanted::Move | Wanted::Opinion => self.think(&*line, Vec::new())?,
        };
        self.spent(side, begin.elapsed(), wanted != Wanted::Opinion);
        if choice.resigns {
            return Ok("resign".into());
        }
        if wanted == Wanted::Opinion { Ok(choice.mv) } else { self.board.play(side, &choice.mv) }
    }

    /// Thinks about the end of a line, where only these moves may be chosen if there are any.
    fn think(&mut self, line: &dyn AnyLine, only: Vec<String>) -> Result<Choice, String> {
        let limits = Limits { only, ..self.limits() };
        let control = self.interrupts.begin(self.line);
        let mut ignore = |_: &Info| {};
        let mut watch = Watch::new(Arc::clone(&control.stop), &mut ignore);
        let choice = self.seat.choose(&self.board.entry, line, &limits, &mut watch);
        self.interrupts.end();
        choice
    }

    /// A move that takes dead stones, or leads to it, while there are any: a pass would leave them
    /// on the board, where they count. Not one by which stones of its own die.
    fn clean_up(&mut self, line: &dyn AnyLine) -> Result<Choice, String> {
        let side = line.to_move();
        let before = Board::dead_stones(line, side);
        let mut lists = Board::cleaning_moves(line);
        // The last list is all moves: the first move of it is made whatever it costs.
        let rest = lists.pop();
        for only in lists {
            let choice = self.think(line, only)?;
            let mut after = line.boxed_clone();
            let harmless =
                after.play(&choice.mv).is_ok() && Board::dead_stones(&*after, side) <= before;
            if harmless {
                return Ok(Choice { resigns: false, ..choice });
            }
        }
        self.think(line, rest.unwrap_or_default())
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
            Some("black_territory" | "white_territory") => {
                let colour = arguments[0].split('_').next().unwrap_or_default();
                Ok(self.board.territory(self.board.colours().read(colour)?).join(" "))
            }
            _ => Err("syntax error: expected 'alive', 'dead', 'seki', 'black_territory' or \
                      'white_territory'"
                .into()),
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
