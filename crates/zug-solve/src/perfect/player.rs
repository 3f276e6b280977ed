//! The perfect players as players: moves as text, randomness from a seed, tables shared between
//! all players of a match.

use super::lookup::{self, Ranked, Values, survey};
use super::options::{HELP, NAMES, Settings, Style};
use super::plain;
use super::report;
use super::thesis::{self, Estimator};
use super::trap::{self, Belief, Traps};
use super::{distances, limited};
use crate::store::Measure;
use crate::value::Value;
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, Weak};
use zug_core::error::shorten;
use zug_core::seed::RngExt;
use zug_core::{
    AnyLine, Choice, Indexed, Info, Limits, Line, Player, PlayerError, PlayerKind, Repetition, Rng,
    Spec, StopFlag, TextError, Watch, erased, rng,
};

/// A database with the tables of chances that were computed from it, shared by players.
pub struct Loaded<G: Indexed> {
    values: Arc<dyn Values<G>>,
    traps: Mutex<Vec<Arc<Traps>>>,
}

impl<G: Indexed> Loaded<G> {
    /// A database without tables.
    #[must_use]
    pub fn new(values: Arc<dyn Values<G>>) -> Loaded<G> {
        Loaded { values, traps: Mutex::default() }
    }

    /// The chances under a belief: those in memory, those in the file, or new ones. Whoever asks
    /// while another computes waits, so that nothing is computed twice.
    fn traps(
        &self,
        belief: &Belief,
        settings: &Settings,
        stop: &StopFlag,
    ) -> Result<Arc<Traps>, PlayerError> {
        let poisoned = |_| PlayerError::Crashed("another player failed".to_string());
        let mut known = self.traps.lock().map_err(poisoned)?;
        if let Some(found) = known.iter().find(|t| t.belief() == belief) {
            return Ok(found.clone());
        }
        let values = &*self.values;
        let kept = if settings.keep { Traps::load(values, belief) } else { None };
        let traps = match kept {
            Some(traps) => traps,
            None => {
                let progress = report::begin(&announce(values, belief, settings.keep));
                let traps = Traps::prepare(values, belief, settings.threads, &*progress, stop)?;
                drop(progress);
                if settings.keep {
                    // A folder that cannot be written to costs time at the next start, no more.
                    let _ = traps.keep(values);
                }
                traps
            }
        };
        known.push(Arc::new(traps));
        Ok(known[known.len() - 1].clone())
    }
}

/// What a player does before its first move, in words.
fn announce<G: Indexed>(values: &dyn Values<G>, belief: &Belief, keep: bool) -> String {
    let what = format!("computing the trap table of {}", values.index().game().spec());
    match Traps::file(values, belief).filter(|_| keep) {
        Some(file) if file.exists() => {
            format!("{} is damaged or of another database; {what} anew", file.display())
        }
        Some(file) => format!("{what}, kept in {} for the next time", file.display()),
        None => what,
    }
}

/// A player that looks its moves up.
pub struct PerfectPlayer<G: Indexed> {
    name: String,
    settings: Settings,
    loaded: Arc<Loaded<G>>,
    rng: Rng,
    estimator: Estimator<G>,
}

impl<G: Indexed> PerfectPlayer<G> {
    /// A player with these settings.
    #[must_use]
    pub fn new(name: String, loaded: Arc<Loaded<G>>, settings: Settings) -> PerfectPlayer<G> {
        let estimator = Estimator::new(settings.thesis.clone());
        PerfectPlayer { name, rng: rng(settings.seed, 0), loaded, estimator, settings }
    }

    /// The place of the chosen move, and the chance that is believed in.
    fn pick(
        &mut self,
        line: &Line<G>,
        moves: &[Ranked<G>],
        stop: &StopFlag,
    ) -> Result<(usize, Option<f64>), PlayerError> {
        if self.settings.noise > 0.0 && self.rng.random::<f64>() < self.settings.noise {
            return Ok((self.rng.random_range(0..moves.len()), None));
        }
        let (places, chance) = match self.settings.style {
            Style::Plain => (plain::best(moves), None),
            Style::Limited => (limited::best(moves, self.settings.depth), None),
            Style::Thesis => self.by_thesis(line, moves)?,
            Style::Trap => self.by_traps(line, moves, stop)?,
        };
        let nothing = || PlayerError::Unsupported("there is no legal move".to_string());
        Ok((plain::any(&places, &mut self.rng).ok_or_else(nothing)?, chance))
    }

    /// Where the database knows outcomes alone: finds out how far it is to the next conversion, so
    /// that a win comes nearer with every move and a loss is put off.
    fn put_distances(
        &self,
        position: &G::Position,
        moves: &mut [Ranked<G>],
        stop: &StopFlag,
    ) -> Result<(), PlayerError> {
        let values = &*self.loaded.values;
        let best = moves.iter().map(|mv| mv.value).max();
        if values.measure() != Measure::Wdl || best.is_none_or(|best| best == Value::Draw) {
            return Ok(());
        }
        let Settings { whole, nodes, threads, .. } = self.settings;
        let Some(stage) = lookup::stage_of(values, position) else { return Ok(()) };
        if let Some(table) = values.conversions(stage, whole, threads, stop)? {
            return distances::by_table(values, &table, moves);
        }
        // Any move of a lost position is as good as the outcome says.
        if matches!(best, Some(Value::Loss(_)))
            || distances::look_ahead(values, moves, nodes, stop)?
        {
            return Ok(());
        }
        let stage = &values.index().space().stages()[stage].stage.name;
        Err(PlayerError::Unsupported(format!(
            "this position of {stage} is won, but the database has outcomes alone (--metric wdl), and \
             the {nodes} positions nearest to it (nodes=N) show no forced way to the end of the game \
             or to a lower stage; computing distances in the whole stage takes more than the {whole} \
             slots that are allowed (whole=N). Allow more of either, or build with --metric dtm"
        )))
    }

    fn by_thesis(
        &mut self,
        line: &Line<G>,
        moves: &[Ranked<G>],
    ) -> Result<(Vec<usize>, Option<f64>), PlayerError> {
        let places = plain::best(moves);
        if places.len() <= 1 || moves[places[0]].value != Value::Draw {
            return Ok((places, None));
        }
        let values = &*self.loaded.values;
        let mut scores = Vec::new();
        for &place in &places {
            let mv = &moves[place];
            let after = [line.positions(), std::slice::from_ref(&mv.next)].concat();
            let history = thesis::history(values, &after);
            let score =
                if mv.ends { 0.0 } else { self.estimator.after_move(values, &mv.next, history)? };
            scores.push(score);
        }
        let most = scores.iter().copied().fold(0.0, f64::max);
        Ok((plain::largest(&places, &scores, 0.0), Some(most)))
    }

    fn by_traps(
        &mut self,
        line: &Line<G>,
        moves: &[Ranked<G>],
        stop: &StopFlag,
    ) -> Result<(Vec<usize>, Option<f64>), PlayerError> {
        let Some(places) = trap::candidates(moves) else { return Ok((plain::best(moves), None)) };
        let drawn = moves[places[0]].value == Value::Draw;
        let belief = self.settings.belief;
        let next: Vec<G::Position> = places.iter().map(|&p| moves[p].next.clone()).collect();
        let mut scores = self.chances(&belief, &next, stop)?;
        for ((score, &place), next) in scores.iter_mut().zip(&places).zip(&next) {
            let ended = if drawn { 0.0 } else { belief.draw };
            match Comes::back(line, next) {
                _ if moves[place].ends => *score = 0.0,
                Comes::Drawn => *score = ended,
                Comes::Again if drawn => *score *= AGAIN,
                _ => {}
            }
        }
        let most = scores.iter().copied().fold(0.0, f64::max);
        Ok((plain::largest(&places, &scores, 1e-6), Some(most)))
    }

    fn chances(
        &self,
        belief: &Belief,
        next: &[G::Position],
        stop: &StopFlag,
    ) -> Result<Vec<f64>, PlayerError> {
        let values = &*self.loaded.values;
        if values.index().size() > self.settings.whole {
            return Traps::around(values, belief, next, self.settings.nodes);
        }
        let traps = self.loaded.traps(belief, &self.settings, stop)?;
        Ok(next.iter().map(|p| traps.chance(values, p)).collect())
    }
}

/// What is left of a chance when a move brings a position back: the opponent has already answered
/// it once, and the next time is a draw.
const AGAIN: f64 = 0.5;

/// Does a move bring back a position of the line?
enum Comes {
    New,
    Again,
    /// … so often that the game is drawn.
    Drawn,
}

impl Comes {
    fn back<G: Indexed>(line: &Line<G>, next: &G::Position) -> Comes {
        let key = line.game().repetition_key(next);
        let times = line.keys().iter().filter(|k| **k == key).count() as u32;
        match line.game().repetition() {
            Repetition::Draw(limit) if times + 1 >= limit => Comes::Drawn,
            _ if times > 0 => Comes::Again,
            _ => Comes::New,
        }
    }
}

impl<G: Indexed> Player for PerfectPlayer<G> {
    fn name(&self) -> String {
        self.name.clone()
    }

    fn choose(
        &mut self,
        line: &dyn AnyLine,
        limits: &Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Choice, PlayerError> {
        let line = erased::downcast::<G>(line)
            .ok_or_else(|| PlayerError::Unsupported(format!("a line of {}", line.spec())))?;
        let moves = allowed(line, limits)?;
        self.settings.style.suits(self.loaded.values.measure()).map_err(PlayerError::Option)?;
        let mut ranked = survey(&*self.loaded.values, line.position(), &moves)?;
        let stop = StopFlag::from(watch.stop.clone());
        self.put_distances(line.position(), &mut ranked, &stop)?;
        let (place, chance) = self.pick(line, &ranked, &stop)?;
        let text = line.game().write_move(line.position(), ranked[place].mv);
        let info = Info {
            rank: 1,
            depth: 1,
            score: Some(self.loaded.values.measure().score(ranked[place].value)),
            proven: true,
            win_rate: chance.map(|c| c as f32),
            nodes: ranked.len() as u64,
            line: vec![text.clone()],
            ..Info::default()
        };
        Ok(Choice { mv: text, resigns: false, info: Some(info), expects: None })
    }

    fn set_option(&mut self, name: &str, value: &str) -> Result<(), PlayerError> {
        let small = name.to_ascii_lowercase();
        if small == "db" || !NAMES.contains(&small.as_str()) {
            let known = NAMES[1..].join(", ");
            let name = shorten(name);
            return Err(PlayerError::Option(format!(
                "{} has no option '{name}' ({known})",
                self.name
            )));
        }
        let mut settings = self.settings.clone();
        settings.set(&small, value)?;
        if small == "seed" {
            self.rng = rng(settings.seed, 0);
        }
        if settings.thesis != self.settings.thesis {
            self.estimator = Estimator::new(settings.thesis.clone());
        }
        self.settings = settings;
        Ok(())
    }
}

/// The moves that may be chosen: legal, and among those that were asked for. Never none.
fn allowed<G: Indexed>(line: &Line<G>, limits: &Limits) -> Result<Vec<G::Move>, PlayerError> {
    let mut moves = line.legal_moves();
    if moves.is_empty() {
        return Err(PlayerError::Unsupported("the game has ended".to_string()));
    }
    if !limits.only.is_empty() {
        let read = |text: &String| line.game().read_move(line.position(), text);
        let only: Result<Vec<G::Move>, TextError> = limits.only.iter().map(read).collect();
        let only = only.map_err(|e| PlayerError::Illegal(e.to_string()))?;
        moves.retain(|mv| only.contains(mv));
        if moves.is_empty() {
            let asked = limits.only.join(" ");
            return Err(PlayerError::Illegal(format!("none of '{asked}' is legal here")));
        }
    }
    Ok(moves)
}

/// The player under the name `perfect`. Opening a database is left to the caller; players that name
/// the same folder share it.
pub fn perfect_player<G: Indexed>(
    game: &G,
    open: impl Fn(&Path, &G) -> Result<Arc<dyn Values<G>>, String> + Send + Sync + 'static,
) -> PlayerKind {
    let game = game.clone();
    let known: Mutex<HashMap<PathBuf, Weak<Loaded<G>>>> = Mutex::default();
    let make = move |spec: &Spec| -> Result<Box<dyn Player>, TextError> {
        let settings = Settings::read(spec)?;
        let wrong = |expected: &str, found: String| {
            TextError::new(spec.name.len() + 1, expected.to_string(), found)
        };
        let folder = spec.get("db").map(PathBuf::from);
        let folder = folder.ok_or_else(|| {
            wrong("db=DIR, the folder of a finished database", "no 'db'".to_string())
        })?;
        let mut known = known.lock().map_err(|_| wrong("a database", "a failure".to_string()))?;
        let loaded = match known.get(&folder).and_then(Weak::upgrade) {
            Some(loaded) => loaded,
            None => {
                // The whole of it: the end of a message names the fault, and it is our own.
                let values = open(&folder, &game).map_err(|why| TextError {
                    found: why,
                    ..wrong("a database of this game", String::new())
                })?;
                let loaded = Arc::new(Loaded::new(values));
                known.insert(folder, Arc::downgrade(&loaded));
                loaded
            }
        };
        settings.style.suits(loaded.values.measure()).map_err(|why| TextError {
            found: why,
            ..wrong("a style that the database has values for", String::new())
        })?;
        Ok(Box::new(PerfectPlayer::new(spec.to_string(), loaded, settings)))
    };
    PlayerKind { name: "perfect", help: HELP.to_string(), make: Box::new(make) }
}
