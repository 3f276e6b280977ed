//! `zug play`: a board in the terminal. It reads lines, so it also works in a pipe.

use super::db::Adviser;
use crate::cli::{Overwrite, PlayArgs};
use crate::registry;
use crate::terminal::{Marks, Style, draw, thought};
use anyhow::{Context, Result, bail};
use std::io::{BufRead, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::time::Duration;
use zug_book::review::foreign_unit;
use zug_core::error::shorten;
use zug_core::player::choose_quietly;
use zug_core::{
    AnyLine, Choice, GameEntry, Limits, Outcome, Player, Record, RecordResult, Side, Spec,
};

const HELP: &str = "\
  e4, f5, ...     play a move (as the hints write it)
  moves           list the legal moves
  undo            take back your last move
  hint            what would Zug play?    values        what is each move worth? (zug db play)
  eval            what is the position worth?
  save FILE       write the record        load FILE     read one and go on from its end
  position        print the position      board         draw it again
  new             begin again             resign        give up
  help            this                    quit          leave";

/// Somebody at the board.
pub(super) enum Seat {
    Person,
    Machine(Box<dyn Player>),
}

/// A board with two seats.
pub(super) struct Table {
    pub(super) entry: GameEntry,
    pub(super) line: Box<dyn AnyLine>,
    pub(super) seats: [Seat; 2],
    pub(super) names: [String; 2],
    pub(super) limits: Limits,
    pub(super) style: Style,
    pub(super) hints: bool,
    pub(super) seed: u64,
    pub(super) resigned: Option<Side>,
    /// Knows the value of every position.
    pub(super) adviser: Option<Adviser>,
    /// Where the record of this game was written.
    pub(super) saved: Option<PathBuf>,
}

pub fn run(args: PlayArgs) -> Result<ExitCode> {
    let entry = registry::open(&args.game)?;
    let (entry, line) = match &args.load {
        Some(path) => super::load_line(entry, path)?,
        None => {
            let line = super::line_at(&entry, args.position.as_deref())?;
            (entry, line)
        }
    };
    let specs = seats(&entry, &args)?;
    let mut table = Table {
        seats: [sit(&entry, &specs[0], args.seed)?, sit(&entry, &specs[1], args.seed)?],
        names: specs,
        line,
        limits: args.limits.limits(Duration::from_secs(1)),
        style: Style::of_stdout(args.ascii),
        hints: !args.no_hints,
        seed: args.seed,
        resigned: None,
        adviser: None,
        saved: None,
        entry,
    };
    if let Some(path) = &args.save {
        // Found out now rather than after the game.
        super::record_files::format_for(&table.entry, path)?;
    }
    let _claimed = super::places::claim(args.save.as_deref(), args.overwrite)?;
    let finished = table.play()?;
    if let Some(path) = &args.save {
        table.save(path)?;
        say(&format!("Record written to {}.", path.display()))?;
    }
    Ok(if finished { ExitCode::SUCCESS } else { ExitCode::from(1) })
}

/// Who sits where: by colour, by order of moving, or a person against Zug.
fn seats(entry: &GameEntry, args: &PlayArgs) -> Result<[String; 2]> {
    let mut seats = [args.first.clone(), args.second.clone()];
    for (colour, player) in [("black", &args.black), ("white", &args.white)] {
        let Some(player) = player else { continue };
        let side = Side::BOTH.into_iter().find(|&s| entry.game.side_name(s) == colour);
        let Some(side) = side else {
            bail!("{} has no {colour} side; use --first and --second", entry.game.spec());
        };
        seats[side.index()] = Some(player.clone());
    }
    let person = |s: &Option<String>| s.as_deref() == Some("human");
    Ok(match seats {
        [Some(a), Some(b)] => [a, b],
        [Some(a), None] => {
            let b = if person(&Some(a.clone())) { "zug" } else { "human" };
            [a, b.to_string()]
        }
        [None, Some(b)] => {
            let a = if person(&Some(b.clone())) { "zug" } else { "human" };
            [a.to_string(), b]
        }
        [None, None] => ["human".to_string(), "zug".to_string()],
    })
}

fn sit(entry: &GameEntry, spec: &str, seed: u64) -> Result<Seat> {
    if spec == "human" {
        return Ok(Seat::Person);
    }
    let parsed = Spec::parse(spec).with_context(|| format!("in the player '{spec}'"))?;
    let factory =
        zug_arena::player(entry, &parsed).with_context(|| format!("in the player '{spec}'"))?;
    let player = factory.make(seed).with_context(|| format!("the player '{spec}'"))?;
    Ok(Seat::Machine(player))
}

fn say(text: &str) -> Result<()> {
    writeln!(anstream::stdout().lock(), "{text}")?;
    Ok(())
}

/// The longest line that is read as one; what a person types is far shorter.
const LONGEST_LINE: u64 = 64 << 10;

/// A line as it was typed, whatever bytes it holds; `None` at the end of the input.
fn read_line(input: &mut impl BufRead) -> Result<Option<String>> {
    let mut bytes = Vec::new();
    let read = input.by_ref().take(LONGEST_LINE).read_until(b'\n', &mut bytes);
    let read = read.context("cannot read your move")?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&bytes).into_owned()))
}

/// What a person typed led to.
enum Step {
    /// Ask again.
    Stay,
    /// The position changed.
    Moved,
    /// Leave.
    Quit,
}

impl Table {
    /// Plays to the end; false when somebody left before.
    pub(super) fn play(&mut self) -> Result<bool> {
        self.new_game()?;
        let game = self.entry.game.clone();
        say(&format!(
            "{}: {} ({}) against {} ({}). Type 'help' for help.",
            game.title(),
            self.names[0],
            game.side_name(Side::First),
            self.names[1],
            game.side_name(Side::Second),
        ))?;
        self.show()?;
        let stdin = std::io::stdin();
        let mut input = stdin.lock();
        loop {
            if let Some(text) = self.result() {
                say(&text)?;
                self.farewell();
                return Ok(true);
            }
            let side = self.line.to_move();
            match self.seats[side.index()] {
                Seat::Machine(_) => {
                    self.machine_move(side)?;
                    self.show()?;
                }
                Seat::Person => match self.ask(&mut input)? {
                    Step::Stay => {}
                    Step::Moved => self.show()?,
                    Step::Quit => return Ok(false),
                },
            }
        }
    }

    fn new_game(&mut self) -> Result<()> {
        self.resigned = None;
        for seat in &mut self.seats {
            if let Seat::Machine(player) = seat {
                player.new_game(self.line.as_ref())?;
            }
        }
        Ok(())
    }

    /// Tells the machines how the game ended: learners listen.
    fn farewell(&mut self) {
        let by_resignation = self.resigned.map(|side| Outcome::win(side.other(), "resignation"));
        let outcome = by_resignation.or_else(|| self.line.outcome());
        for seat in &mut self.seats {
            if let Seat::Machine(player) = seat {
                player.game_over(self.line.as_ref(), outcome.as_ref());
            }
        }
    }

    fn show(&self) -> Result<()> {
        let mut marks = Marks { last: self.line.last_move_cells(), hints: Vec::new() };
        let side = self.line.to_move();
        if self.hints && matches!(self.seats[side.index()], Seat::Person) {
            for mv in self.line.legal_moves() {
                marks.hints.extend(self.line.move_cells(&mv)?.last());
            }
        }
        let game = self.entry.game.as_ref();
        say(&format!("\n{}", draw(game, &self.line.picture(), &marks, self.style)))?;
        match self.adviser.as_ref().and_then(|a| a.remark(self.line.as_ref())) {
            Some(remark) => say(&remark),
            None => Ok(()),
        }
    }

    fn result(&self) -> Option<String> {
        let game = &self.entry.game;
        if let Some(side) = self.resigned {
            let winner = game.side_name(side.other());
            return Some(format!("{} resigns; {winner} wins.", game.side_name(side)));
        }
        let outcome = self.line.outcome()?;
        let by = outcome.margin.map_or(String::new(), |m| format!(" by {m}"));
        Some(match outcome.winner {
            Some(side) => format!("{} wins{by} ({}).", game.side_name(side), outcome.reason),
            None => format!("A draw ({}).", outcome.reason),
        })
    }

    fn machine_move(&mut self, side: Side) -> Result<()> {
        let Seat::Machine(player) = &mut self.seats[side.index()] else { return Ok(()) };
        let choice = choose_quietly(player.as_mut(), self.line.as_ref(), &self.limits)
            .with_context(|| self.names[side.index()].clone())?;
        if choice.resigns {
            self.resigned = Some(side);
            return Ok(());
        }
        let unit = foreign_unit(&self.entry, player.as_ref());
        let info = choice.info.as_ref().map(|info| thought(info, self.line.as_ref(), unit));
        self.line.play(&choice.mv).with_context(|| {
            format!("{} played the illegal move '{}'", self.names[side.index()], choice.mv)
        })?;
        let what = self.entry.game.side_name(side);
        say(&format!("{what} plays {}   {}", choice.mv, info.unwrap_or_default()))
    }

    fn ask(&mut self, input: &mut impl BufRead) -> Result<Step> {
        let side = self.line.to_move();
        let moves = self.line.legal_moves();
        if let [only] = moves.as_slice()
            && only == "pass"
        {
            self.line.play(only)?;
            say(&format!("{} must pass.", self.entry.game.side_name(side)))?;
            return Ok(Step::Moved);
        }
        let mut out = anstream::stdout().lock();
        write!(out, "{} to move> ", self.entry.game.side_name(side))?;
        out.flush()?;
        drop(out);
        let Some(text) = read_line(input)? else {
            say("")?;
            return Ok(Step::Quit);
        };
        if !std::io::stdin().is_terminal() {
            say(&shorten(text.trim_end()))?;
        }
        let text = text.trim();
        let (word, rest) = text.split_once(char::is_whitespace).unwrap_or((text, ""));
        match self.command(word, rest.trim(), side) {
            Ok(step) => Ok(step),
            Err(error) => {
                say(&format!("{error:#}"))?;
                Ok(Step::Stay)
            }
        }
    }

    fn command(&mut self, word: &str, rest: &str, side: Side) -> Result<Step> {
        match word {
            "" => return Ok(Step::Stay),
            "help" | "?" => say(HELP)?,
            "quit" | "exit" => return Ok(Step::Quit),
            "moves" => say(&self.line.legal_moves().join(" "))?,
            "board" => self.show()?,
            "position" => say(&self.line.position_text())?,
            "resign" => {
                self.resigned = Some(side);
                return Ok(Step::Moved);
            }
            "new" => {
                let start = self.line.start_text();
                self.line = match self.line.starts_at_start() {
                    true => self.entry.game.new_line(),
                    false => self.entry.game.line_from(&start)?,
                };
                self.new_game()?;
                return Ok(Step::Moved);
            }
            "undo" => return self.undo(side),
            "values" | "hint" if self.adviser.is_some() => {
                let adviser = self.adviser.as_ref().context("nobody knows the values here")?;
                say(&adviser.values(self.line.as_ref())?)?;
            }
            "eval" if self.adviser.is_some() => {
                let adviser = self.adviser.as_ref().context("nobody knows the values here")?;
                say(&adviser.value(self.line.as_ref())?)?;
            }
            "hint" => {
                let (choice, info) = self.ask_zug()?;
                say(&format!("Zug would play {}   {}", choice.mv, info.unwrap_or_default()))?;
            }
            "eval" => {
                let info = self.ask_zug()?.1.context("Zug has no opinion here")?;
                say(&format!("{info} (for {})", self.entry.game.side_name(side)))?;
            }
            "save" if !rest.is_empty() => {
                let path = Path::new(rest);
                // The record of this game may be written again as it grows, nothing else.
                let force = self.saved.as_deref() == Some(path);
                let _claimed = super::places::claim_one(path, Overwrite { force })?;
                self.save(path)?;
                self.saved = Some(path.to_path_buf());
                say(&format!("Record written to {rest}."))?;
            }
            "load" if self.adviser.is_some() => bail!("a record cannot be loaded here"),
            "load" if !rest.is_empty() => {
                self.load(Path::new(rest))?;
                return Ok(Step::Moved);
            }
            "save" | "load" => bail!("say which file: {word} FILE"),
            _ => {
                self.line.play(format!("{word} {rest}").trim()).with_context(|| {
                    let word = shorten(word);
                    format!("'{word}' is neither a command (type 'help') nor a legal move here")
                })?;
                return Ok(Step::Moved);
            }
        }
        Ok(Step::Stay)
    }

    /// Back to the last time this person was to move.
    fn undo(&mut self, side: Side) -> Result<Step> {
        if !self.line.undo() {
            bail!("there is nothing to take back");
        }
        while self.line.to_move() != side && self.line.undo() {}
        Ok(Step::Moved)
    }

    /// The built-in player's opinion, whoever is playing: its move, and what it thinks.
    fn ask_zug(&self) -> Result<(Choice, Option<String>)> {
        let mut zug = self.entry.player(&Spec::parse("zug")?)?;
        let line = self.line.as_ref();
        zug.new_game(line)?;
        let choice = choose_quietly(zug.as_mut(), line, &self.limits)?;
        let unit = foreign_unit(&self.entry, zug.as_ref());
        let info = choice.info.as_ref().map(|info| thought(info, line, unit));
        Ok((choice, info))
    }

    /// Goes on from the end of a record of this game, with the same players.
    fn load(&mut self, path: &Path) -> Result<()> {
        let spec = self.entry.game.spec();
        let (entry, line) = super::load_line(registry::open(&spec)?, path)?;
        let seats =
            [sit(&entry, &self.names[0], self.seed)?, sit(&entry, &self.names[1], self.seed)?];
        (self.entry, self.line, self.seats) = (entry, line, seats);
        self.new_game()
    }

    fn save(&self, path: &Path) -> Result<()> {
        let format = super::record_files::format_for(&self.entry, path)?;
        let mut record = Record::of_line(self.line.as_ref());
        for side in Side::BOTH {
            let tag = match self.entry.game.side_name(side) {
                "black" => "Black",
                "white" => "White",
                _ if side == Side::First => "First",
                _ => "Second",
            };
            record.set_tag(tag, self.names[side.index()].clone());
        }
        if let Some(side) = self.resigned {
            record.result = RecordResult::Known { winner: Some(side.other()), margin: None };
        }
        let bytes = format.write(&[record])?;
        super::record_files::write(path, bytes)
    }
}
