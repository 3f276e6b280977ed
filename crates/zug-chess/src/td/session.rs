//! A player that learns from the games it is given to play: `zug:td=FOLDER`.
//!
//! It works wherever a player does: in a match, and as a UCI engine under any program. In the folder
//! are the model that it plays with (`model.zug`, whose header tells how much of each type it has
//! seen), the one that it began with (`first.zug`), the log of the game in progress (`rllastgame.rl`), the games that it learned from
//! (`archive/`), and, if one likes, choices for the learner (`learner.txt`, a line `key = value` for
//! each, the keys of `zug learn chess td --set`).
//!
//! A game is learned from as soon as its result is told; where nobody tells it, when the next game
//! begins, with the result that [`validity`] infers. Then the model is replaced, whole or
//! not at all, and the next game is played with it. One player learns in a folder at a time.

use super::archive::{Archive, LAST_GAME, is_aside};
use super::config::{self, Settings};
use super::lesson::Finish;
use super::log::GameLog;
use super::notes::{GameNotes, Noted};
use super::rates::Seen;
use super::student::Student;
use super::validity::{self, Clues, Continuation, Rejected};
use crate::engine::Evaluation;
use crate::factors::FACTORS;
use crate::model::{Model, Start};
use crate::models::{self, AnyModel, OpenModelError};
use crate::rules::Chess;
use crate::types::{Scheme, Zones};
use crate::uci;
use cozy_chess::Color;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;
use tracing::{info, warn};
use zug_core::container::{Container, Expect, Header};
use zug_core::entry::{MakePlayer, PlayerKind};
use zug_core::error::shorten;
use zug_core::files::{FileError, FileLock, create_folder, read_text, remove_temporaries};
use zug_core::{
    AnyLine, Choice, Info, Limits, Line, Outcome, Player, PlayerError, Side, Spec, TextError, Watch,
};
use zug_search::players::parse_switch;

const MODEL: &str = "model.zug";
/// The model that it began with.
pub(super) const FIRST: &str = "first.zug";
const CHOICES: &str = "learner.txt";
const LOCK: &str = "learn.lock";
/// The option of the player.
const OPTION: &str = "td";
/// Options of the player inside that learning settles.
const FIXED: [&str; 2] = ["model", "endings"];

/// The same kind of player, which learns when it is asked to by `td=FOLDER`.
pub fn learning(kind: PlayerKind) -> PlayerKind {
    let make: Arc<MakePlayer> = Arc::new(kind.make);
    let help = format!("{}; td=FOLDER (learn from every game, by TD-Leaf)", kind.help);
    PlayerKind {
        name: kind.name,
        help,
        make: Box::new(move |spec| match spec.get(OPTION) {
            None => make(spec),
            Some(folder) => Session::open(make.clone(), spec, Path::new(folder))
                .map(|session| Box::new(session) as Box<dyn Player>),
        }),
    }
}

/// Why a folder cannot be learned in.
fn unfit(why: impl std::fmt::Display) -> TextError {
    TextError {
        line: None,
        byte: 0,
        expected: format!("a folder to learn in for '{OPTION}'"),
        found: why.to_string(),
    }
}

/// A player that learns.
struct Session {
    make: Arc<MakePlayer>,
    /// The spec of the player inside, without its model.
    spec: Spec,
    inner: Box<dyn Player>,
    /// Options that were changed while it ran.
    changed: Vec<(String, String)>,
    folder: PathBuf,
    settings: Settings,
    archive: Archive,
    game: Option<Following>,
    /// A new game was announced: whatever comes next is seen from its beginning.
    fresh: bool,
    /// Somebody wants to know about positions, which is no game to learn from.
    analyses: bool,
    /// Held as long as it lives, so that no two learn in one folder.
    _lock: FileLock,
}

/// The game in progress.
struct Following {
    start: String,
    moves: Vec<String>,
    notes: GameNotes,
    line: Line<Chess>,
    time_left: Option<u64>,
    valid: bool,
}

impl Session {
    fn open(make: Arc<MakePlayer>, spec: &Spec, folder: &Path) -> Result<Session, TextError> {
        own_folder(folder).map_err(unfit)?;
        let settings = choices(&folder.join(CHOICES)).map_err(unfit)?;
        create_folder(folder).map_err(unfit)?;
        let archive = Archive::open(folder).map_err(unfit)?;
        let mut plain = spec.clone();
        let model = plain.get("model").map(str::to_string);
        plain.options.retain(|(key, _)| key != OPTION && key != "model");
        let lock = lock(folder).map_err(unfit)?;
        for folder in [folder, &folder.join("archive")].into_iter().filter(|f| f.is_dir()) {
            remove_temporaries(folder).map_err(unfit)?;
        }
        if !folder.join(MODEL).exists() {
            let first = first_model(model.as_deref(), &settings)?;
            first.write(&folder.join(FIRST), &header(0, &[])).map_err(unfit)?;
            first.write(&folder.join(MODEL), &header(0, &[])).map_err(unfit)?;
        }
        // What is wrong with the player's own options is told as without a folder.
        let inner = make(&with_model(&plain, folder))?;
        let (folder, changed) = (folder.to_path_buf(), Vec::new());
        Ok(Session {
            make,
            spec: plain,
            inner,
            changed,
            folder,
            settings,
            archive,
            game: None,
            fresh: false,
            analyses: false,
            _lock: lock,
        })
    }

    /// Follows the game up to this line; concludes the one before where this is another one.
    fn follow(&mut self, line: &Line<Chess>) {
        let (start, moves) = (AnyLine::start_text(line), line.move_texts());
        let followed = self.game.as_ref().map(|g| (g.start.as_str(), g.moves.as_slice()));
        let known = if std::mem::take(&mut self.fresh) { usize::MAX } else { 1 };
        match (validity::continuation(followed, &start, &moves, known), &mut self.game) {
            (Continuation::Goes(_), Some(game)) => {
                game.moves = moves;
                game.line = line.clone();
            }
            (goes, _) => {
                self.conclude(None, false);
                let own = line.position().color();
                let notes = GameNotes::new(line.positions()[0].clone(), own);
                let valid = goes != Continuation::Broken
                    && (!self.settings.from_start || line.starts_at_start());
                let line = line.clone();
                self.game = Some(Following { start, moves, notes, line, time_left: None, valid });
            }
        }
    }

    /// Notes what was thought about the move that is about to be played.
    fn note(&mut self, info: Option<&Info>, mv: &str, limits: &Limits) {
        let Some(game) = &mut self.game else { return };
        let position = game.line.position().clone();
        let own = position.color();
        if game.notes.thoughts.is_empty() {
            game.notes.own = own;
        } else if game.notes.own != own {
            // It plays both sides: nobody's own positions.
            game.valid = false;
        }
        let milliseconds =
            |side: Side| limits.clock.map_or(0, |c| c.remaining[side.index()].as_millis() as u64);
        let clocks = [milliseconds(Side::First), milliseconds(Side::Second)];
        game.time_left = limits.clock.is_some().then(|| clocks[own as usize]);
        let Ok(first) = uci::parse(&position, mv) else { return };
        let (mut line, mut ahead) = (vec![first], position);
        ahead.play(first);
        let told = info.map_or(&[][..], |i| &i.line[..]);
        if told.first().is_some_and(|word| word == mv) {
            for word in &told[1..] {
                let Ok(next) = uci::parse(&ahead, word) else { break };
                ahead.play(next);
                line.push(next);
            }
        }
        let ply = game.line.moves().len();
        if let Some((score, info)) = info.and_then(|i| Some((i.score?, i))) {
            game.notes.thoughts.push(Noted { ply, score, line, depth: info.depth, clocks });
        }
        let mut after = game.line.clone();
        after.play(first);
        game.moves = after.move_texts();
        game.notes.moves = after.moves().to_vec();
        game.line = after;
        if let Err(error) = self.write_log() {
            warn!("{error}");
        }
    }

    fn write_log(&self) -> Result<(), String> {
        let Some(game) = &self.game else { return Ok(()) };
        let (model, student) = self.student()?;
        let rates = student.rates(&self.settings.teaching.rates);
        let weights = model.weights.iter().map(|w| f64::from(w.round())).collect();
        let lambda = self.settings.teaching.rule.lambda;
        let log = game.notes.log(student.learned, rates, lambda, weights, None);
        self.archive.write_last(&log).map_err(|e| e.to_string())
    }

    /// The game is over: learns from it, if it may be learned from.
    fn conclude(&mut self, told: Option<&Outcome>, broken: bool) {
        let Some(game) = self.game.take() else { return };
        let mut notes = game.notes;
        notes.moves = game.line.moves().to_vec();
        if notes.thoughts.is_empty() {
            return;
        }
        let last_score = notes.thoughts.last().map(|t| t.score);
        let clues = Clues { told, last_score, time_left: game.time_left };
        let finish = match (game.valid, broken) {
            (false, _) => Err(Rejected::NotFollowed),
            (_, true) => Err(Rejected::Broken),
            _ => validity::finish(&game.line, notes.own, clues),
        };
        let finish = match finish {
            Ok(Finish::Drawn) if !self.settings.draws => Err(Rejected::Drawn),
            other => other,
        };
        let done = match finish {
            Ok(finish) => self.learn(&notes, finish),
            Err(why) => {
                info!("a game is not learned from: {}", why.word());
                self.forget()
            }
        };
        if let Err(error) = done {
            warn!("nothing was learned: {error}");
        }
    }

    fn student(&self) -> Result<(Model, Student), String> {
        student(&self.folder, &self.settings).map_err(|e| e.to_string())
    }

    /// Moves the weights, saves model and log, and goes on with the new model.
    fn learn(&mut self, notes: &GameNotes, finish: Finish) -> Result<(), String> {
        let told = |e: &dyn std::fmt::Display| e.to_string();
        let (model, mut student) = self.student()?;
        let teaching = &self.settings.teaching;
        let rates = student.rates(&teaching.rates);
        let weights = model.weights.iter().map(|w| f64::from(w.round())).collect();
        let log = notes.log(student.learned, rates, teaching.rule.lambda, weights, Some(finish));
        let mut eye = model.fast().eye();
        let study = teaching.study(&student.scheme, &student.weights, &mut eye, notes, finish);
        let applied = student.apply(teaching, &study);
        self.archive.keep(student.learned, &log).map_err(|e| told(&e))?;
        let next = super::experiment::model_of(&student);
        let header = header(student.learned, &student.seen);
        next.write(&self.folder.join(MODEL), &header).map_err(|e| told(&e))?;
        self.forget()?;
        info!("game {}: {} weights moved", student.learned, applied.moved);
        self.inner = (self.make)(&with_model(&self.spec, &self.folder)).map_err(|e| told(&e))?;
        for (name, value) in &self.changed {
            let _ = self.inner.set_option(name, value);
        }
        Ok(())
    }

    /// Writes an empty game over the last one: there is nothing more to learn from it.
    fn forget(&self) -> Result<(), String> {
        let (model, student) = self.student()?;
        let rates = student.rates(&self.settings.teaching.rates);
        let weights = model.weights.iter().map(|w| f64::from(w.round())).collect();
        let empty = GameNotes::new(crate::Position::start(), Color::White);
        let lambda = self.settings.teaching.rule.lambda;
        let log = empty.log(student.learned, rates, lambda, weights, None);
        self.archive.write_last(&log).map_err(|e| e.to_string())
    }

    /// A game that a process before this one could not conclude. A log that cannot be learned from is
    /// set aside, so that the next game does not overwrite it.
    fn recover(&mut self) -> Result<(), PlayerError> {
        if self.game.is_some() {
            return Ok(());
        }
        let log = match self.archive.last(FACTORS) {
            Ok(Some(log)) if !log.plies.is_empty() => log,
            Ok(_) => return Ok(()),
            Err(error) => return self.set_aside(&error),
        };
        let (model, student) = self.student().map_err(PlayerError::Unsupported)?;
        if let Some(why) = stranger(&log, &model, student.learned) {
            return self.set_aside(&format!("{}: {why}", self.archive.last_path().display()));
        }
        let notes = GameNotes::of_log(&log);
        let mut line = Line::from_position(Chess::new(), log.start.clone());
        log.plies.iter().for_each(|p| line.play(p.mv));
        let last = log.plies.iter().rev().find_map(|p| p.thought.as_ref());
        let time_left = last.map(|t| t.clocks[log.own as usize]).filter(|&t| t > 0);
        let (start, moves) = (AnyLine::start_text(&line), line.move_texts());
        let valid = !self.settings.from_start || line.starts_at_start();
        self.game = Some(Following { start, moves, notes, line, time_left, valid });
        self.conclude(None, false);
        Ok(())
    }

    fn set_aside(&self, why: &dyn std::fmt::Display) -> Result<(), PlayerError> {
        let told = format!("the log of the last game is not learned from: {why}");
        match self.archive.set_aside() {
            Ok(path) => {
                warn!("{told}; it is kept as {}", path.display());
                Ok(())
            }
            // The next move would overwrite it.
            Err(error) => Err(PlayerError::Unsupported(format!("{told}; {error}"))),
        }
    }
}

/// Why a log does not belong to the model of the folder, if it does not: scores that other weights
/// have given say nothing about these.
fn stranger(log: &GameLog, model: &Model, learned: u64) -> Option<String> {
    let columns = model.scheme.columns();
    if log.rates.len() != columns {
        let found = log.rates.len();
        return Some(format!("a log of a model with {found} types, but {MODEL} has {columns}"));
    }
    let same = log.weights.iter().zip(&model.weights).all(|(a, b)| *a == f64::from(b.round()));
    (!same || log.learned != learned)
        .then(|| format!("its game was played with other weights than those of {MODEL}"))
}

impl Player for Session {
    fn name(&self) -> String {
        self.inner.name()
    }

    fn new_game(&mut self, line: &dyn AnyLine) -> Result<(), PlayerError> {
        self.recover()?;
        self.conclude(None, false);
        self.fresh = true;
        self.inner.new_game(line)
    }

    fn choose(
        &mut self,
        line: &dyn AnyLine,
        limits: &Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Choice, PlayerError> {
        let chess = zug_core::erased::downcast::<Chess>(line).cloned().filter(|_| !self.analyses);
        if let Some(chess) = &chess {
            self.recover()?;
            self.follow(chess);
        }
        let choice = self.inner.choose(line, limits, watch)?;
        if chess.is_some() && !choice.resigns {
            self.note(choice.info.as_ref(), &choice.mv, limits);
        }
        Ok(choice)
    }

    fn game_over(&mut self, line: &dyn AnyLine, outcome: Option<&Outcome>) {
        if let Some(line) = zug_core::erased::downcast::<Chess>(line)
            && let Some(game) = &mut self.game
        {
            game.line = line.clone();
        }
        self.inner.game_over(line, outcome);
        self.conclude(outcome, outcome.is_none());
    }

    fn learns(&self) -> bool {
        true
    }

    fn pace(&self) -> Option<u64> {
        self.inner.pace()
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), PlayerError> {
        // The model is the folder's, and every value must come from its weights.
        if name.eq_ignore_ascii_case("model") && value.is_empty() {
            return Ok(());
        }
        if let Some(option) = FIXED.iter().find(|option| name.eq_ignore_ascii_case(option)) {
            let why = format!("'{option}' cannot be changed while the player learns");
            return Err(PlayerError::Option(why));
        }
        self.inner.set_option(name, value)?;
        if name.eq_ignore_ascii_case("analyse") {
            self.analyses = parse_switch("analyse", value)?;
            // It is set before and after each analysis; the last word counts.
            self.changed.retain(|(earlier, _)| earlier != name);
        }
        self.changed.push((name.to_string(), value.to_string()));
        Ok(())
    }
}

/// What was learned in a folder so far.
pub(super) fn student(
    folder: &Path,
    settings: &Settings,
) -> Result<(Model, Student), OpenModelError> {
    let file = Container::open(&folder.join(MODEL), &Expect::model("chess"))?;
    let model = Model::read(&file)?;
    let weights = model.weights.iter().map(|&w| f64::from(w)).collect();
    let mut student = Student::new(model.scheme.clone(), weights, &settings.teaching.rates);
    let notes = &file.header().notes;
    student.learned = notes.get("learned").and_then(|n| n.parse().ok()).unwrap_or(0);
    if let Some(text) = notes.get("seen") {
        for (seen, pair) in student.seen.iter_mut().zip(text.split(' ')) {
            let (games, positions) = pair.split_once('/').unwrap_or(("0", "0"));
            *seen = Seen {
                games: games.parse().unwrap_or(0),
                positions: positions.parse().unwrap_or(0),
            };
        }
    }
    Ok((model, student))
}

/// Does a player learn in this folder?
pub(super) fn is_session(folder: &Path) -> bool {
    let has = |name: &str| folder.join(name).is_file();
    has(MODEL) && (has(LOCK) || has(LAST_GAME)) && !has("run.toml")
}

/// The choices of a folder.
pub(super) fn settings(folder: &Path) -> Result<Settings, String> {
    choices(&folder.join(CHOICES))
}

/// The spec of the player inside: with the model of the folder and nothing besides, so that every
/// value comes from its weights.
fn with_model(spec: &Spec, folder: &Path) -> Spec {
    let mut spec = spec.clone();
    spec.options.push(("model".to_string(), folder.join(MODEL).display().to_string()));
    spec.options.push(("endings".to_string(), "off".to_string()));
    spec
}

/// The model to begin with: the one that is named, else that of the choices.
fn first_model(name: Option<&str>, settings: &Settings) -> Result<Model, TextError> {
    let wrong = |found: String| TextError {
        line: None,
        byte: 0,
        expected: "a model with weights to learn for 'model'".to_string(),
        found,
    };
    match name.map(|name| (name, models::open_model(name))) {
        Some((_, Ok(AnyModel::Factors(model)))) => Ok(model),
        Some((name, Ok(AnyModel::Hand))) => {
            Err(wrong(format!("'{name}', the evaluation written by hand")))
        }
        Some((name, Err(error))) => Err(wrong(format!("'{}' ({error})", shorten(name)))),
        None => super::experiment::beginning(settings).map_err(unfit),
    }
}

/// Refuses a folder with files that no learner of this kind has put there.
fn own_folder(folder: &Path) -> Result<(), String> {
    // A learner's folder may hold more by now: a report, what people keep beside it.
    let begun = [MODEL, FIRST].iter().all(|name| folder.join(name).exists());
    if begun || !folder.exists() {
        return Ok(());
    }
    let told = |e: std::io::Error| format!("{}: {e}", folder.display());
    for entry in std::fs::read_dir(folder).map_err(told)? {
        let name = entry.map_err(told)?.file_name();
        let name = name.to_string_lossy();
        if ![MODEL, FIRST, CHOICES, LAST_GAME, "archive"].contains(&&*name) && !is_aside(&name) {
            return Err(format!(
                "{}, which holds something else ('{}'); name a new folder",
                folder.display(),
                shorten(&name)
            ));
        }
    }
    Ok(())
}

/// The thesis's learner, changed by the choices of a file.
fn choices(path: &Path) -> Result<Settings, String> {
    let mut settings = Settings::of_session(Scheme::Thesis(Zones::default()), Start::Thesis);
    if !path.exists() {
        return Ok(settings);
    }
    let text = read_text(path, 1 << 16).map_err(|e| e.to_string())?;
    for (number, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let told = |why: String| format!("{}: line {}: {why}", path.display(), number + 1);
        let (key, value) =
            line.split_once('=').ok_or_else(|| told("expected key = value".to_string()))?;
        config::set_option(&mut settings, key.trim(), value.trim())
            .map_err(|e| told(e.to_string()))?;
    }
    Ok(settings)
}

fn header(learned: u64, seen: &[Seen]) -> Header {
    let mut header = Model::header();
    header.notes.insert("learned".into(), learned.to_string());
    let seen: Vec<String> = seen.iter().map(|s| format!("{}/{}", s.games, s.positions)).collect();
    header.notes.insert("seen".into(), seen.join(" "));
    header
}

/// How long is waited for a process that is about to end.
const HAND_OVER: Duration = Duration::from_secs(2);

/// Takes the folder, unless another player learns in it.
fn lock(folder: &Path) -> Result<FileLock, FileError> {
    FileLock::wait(&folder.join(LOCK), Some(HAND_OVER), &mut |_| {})
}

#[cfg(test)]
mod tests;
