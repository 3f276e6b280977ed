//! Against whom is played, and where do games begin?
//!
//! The learner needs wins and losses (thesis 2.2.6), so of a pool of opponents it mostly meets those
//! against whom it scores about half. Players of our own are made anew for each game, with a seed
//! for that game; foreign engines are started once for each game that is played at the same time,
//! and used again.

use crate::engine::{Engine, Root, Settings, Wish};
use crate::eval::HandMade;
use crate::position::Position;
use crate::rules::Chess;
use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use zug_arena::{Opening, PlayerFactory, read_openings};
use zug_core::erased::downcast;
use zug_core::seed::{RngExt, mix};
use zug_core::{GameEntry, Line, Player, Score, Spec, StopFlag, rng};
use zug_learn::face::TaskError;

/// All players that a run needs, by their specs.
pub struct Crew<'a> {
    kinds: BTreeMap<String, Kind<'a>>,
}

struct Kind<'a> {
    factory: PlayerFactory<'a>,
    idle: Mutex<Vec<Box<dyn Player>>>,
}

impl<'a> Crew<'a> {
    /// Makes every player once, and starts every foreign program, so that a wrong name or a missing
    /// program is told before a game is played. A foreign engine is given up when it has not moved
    /// for `patience`, unless it has a `timeout` of its own.
    pub fn new(
        entry: &'a GameEntry,
        specs: impl IntoIterator<Item = String>,
        patience: Duration,
    ) -> Result<Crew<'a>, TaskError> {
        let mut kinds = BTreeMap::new();
        for text in specs {
            if kinds.contains_key(&text) {
                continue;
            }
            let told = |e: &dyn std::fmt::Display| TaskError::Unfit(format!("player {text}: {e}"));
            let mut spec = Spec::parse(&text).map_err(|e| told(&e))?;
            let mut factory = zug_arena::player(entry, &spec).map_err(|e| told(&e))?;
            let foreign = factory.is_reused();
            if foreign && spec.get("timeout").is_none() {
                let patience = format!("{}s", patience.as_secs().max(1));
                spec.options.push(("timeout".to_string(), patience));
                factory = zug_arena::player(entry, &spec).map_err(|e| told(&e))?;
            }
            let mut first = factory.make(0).map_err(|e| told(&e))?;
            let mut idle = Vec::new();
            if foreign {
                first.new_game(&Line::new(Chess::new())).map_err(|e| told(&e))?;
                idle.push(first);
            }
            kinds.insert(text.clone(), Kind { factory, idle: Mutex::new(idle) });
        }
        Ok(Crew { kinds })
    }

    /// Is this the spec of a player? Foreign programs are not started, ours are made.
    pub fn check(entry: &GameEntry, text: &str) -> Result<(), TaskError> {
        let told = |e: &dyn std::fmt::Display| TaskError::Unfit(format!("player {text}: {e}"));
        let spec = Spec::parse(text).map_err(|e| told(&e))?;
        let factory = zug_arena::player(entry, &spec).map_err(|e| told(&e))?;
        if !factory.is_reused() {
            factory.make(0).map_err(|e| told(&e))?;
        }
        Ok(())
    }

    /// Nobody: for looking at a run.
    #[must_use]
    pub fn new_empty() -> Crew<'a> {
        Crew { kinds: BTreeMap::new() }
    }

    /// A player, for one game.
    pub fn take(&self, spec: &str, seed: u64) -> Result<Box<dyn Player>, String> {
        let kind = self.kinds.get(spec).ok_or_else(|| format!("there is no player {spec}"))?;
        let idle = kind.idle.lock().unwrap_or_else(PoisonError::into_inner).pop();
        match idle {
            Some(player) => Ok(player),
            None => kind.factory.make(seed).map_err(|e| e.to_string()),
        }
    }

    /// Gives a player back after a game that went well; one that can be used again is kept.
    pub fn give_back(&self, spec: &str, player: Box<dyn Player>) {
        if let Some(kind) = self.kinds.get(spec).filter(|k| k.factory.is_reused()) {
            kind.idle.lock().unwrap_or_else(PoisonError::into_inner).push(player);
        }
    }
}

/// Broken games in a row, for each opponent: one that never plays to the end teaches nothing, however
/// many games are begun.
#[derive(Clone, Debug, Default)]
pub struct Breaks {
    in_a_row: BTreeMap<String, u64>,
}

impl Breaks {
    /// Counts a game; with why it was broken, if it was. An error when these were so many in a row
    /// that one gives up (never for 0).
    pub fn count(
        &mut self,
        spec: &str,
        broken: Option<&str>,
        give_up: u64,
    ) -> Result<(), TaskError> {
        let Some(reason) = broken else {
            self.in_a_row.remove(spec);
            return Ok(());
        };
        let number = self.in_a_row.entry(spec.to_string()).or_default();
        *number += 1;
        if give_up == 0 || *number < give_up {
            return Ok(());
        }
        let mut told =
            format!("against {spec}: {number} broken in a row, the last one by {reason}");
        if !spec.contains("movetime=") && (spec.starts_with("uci:") || spec.starts_with("cecp:")) {
            told.push_str(
                "; engines of the CECP protocol, and those of UCI that do not keep to 'go nodes', \
                 need a time instead: try ",
            );
            told.push_str(&format!("{spec},movetime=10ms"));
        }
        told.push_str(
            "; everything is kept: --resume goes on (--set give-up=0: however many are broken)",
        );
        Err(TaskError::Unfit(told))
    }
}

/// How much the last game counts in the estimate of a score.
const FRESH: f64 = 0.15;

/// Chooses an opponent: the nearer the learner's score against it is to one half, the likelier.
#[must_use]
pub fn matched(scores: &[f64], random: f64) -> usize {
    let weight = |score: &f64| (-((score - 0.5) / 0.15).powi(2)).exp() + 0.01;
    let total: f64 = scores.iter().map(weight).sum();
    let mut left = random * total;
    for (i, score) in scores.iter().enumerate() {
        left -= weight(score);
        if left < 0.0 {
            return i;
        }
    }
    scores.len().saturating_sub(1)
}

/// The estimate of a score after one more game of so many half points.
#[must_use]
pub fn estimate(score: f64, half_points: usize) -> f64 {
    score + FRESH * (half_points as f64 / 2.0 - score)
}

/// Where games begin.
pub enum Supply {
    /// At the start position.
    Start,
    /// After random plies.
    Random {
        /// So many.
        plies: u32,
        /// The seed.
        seed: u64,
    },
    /// With those of a file, in their order, over and over.
    List(Vec<Line<Chess>>),
}

/// Positions that are searched to see whether an opening is balanced.
const GLANCE: u64 = 400;
/// By how many hundredths of a pawn it may be off.
const BALANCED: i32 = 60;
/// Openings that are tried; then the best of them is taken.
const TRIES: u64 = 40;
/// Plies after which the games of a file are openings no more.
const BOOK_PLIES: u32 = 16;

impl Supply {
    /// Openings of a file.
    pub fn file(entry: &GameEntry, path: &Path) -> Result<Supply, TaskError> {
        let openings: Vec<Opening> =
            read_openings(entry, path, Some(BOOK_PLIES)).map_err(TaskError::below)?;
        let mut lines = Vec::with_capacity(openings.len());
        for opening in openings {
            let line = opening.line(entry.game.as_ref()).map_err(TaskError::below)?;
            lines.extend(downcast::<Chess>(line.as_ref()).cloned());
        }
        if lines.is_empty() {
            return Err(TaskError::Unfit(format!("{}: no openings", path.display())));
        }
        Ok(Supply::List(lines))
    }

    /// The opening of this number.
    #[must_use]
    pub fn line(&self, number: u64) -> Line<Chess> {
        match self {
            Supply::Start => Line::new(Chess::new()),
            Supply::List(lines) => lines[(number % lines.len() as u64) as usize].clone(),
            Supply::Random { plies, seed } => balanced(*plies, mix(*seed ^ mix(number))),
        }
    }
}

/// Random plies that a short search by the hand-made evaluation finds balanced.
fn balanced(plies: u32, seed: u64) -> Line<Chess> {
    let mut best: Option<(i32, Line<Chess>)> = None;
    for attempt in 0..TRIES {
        let mut rng = rng(seed, attempt);
        let mut line = Line::new(Chess::new());
        for _ in 0..plies {
            let moves = line.legal_moves();
            if moves.is_empty() {
                break;
            }
            line.play(moves[rng.random_range(0..moves.len())]);
        }
        if line.outcome().is_some() {
            continue;
        }
        let off = glance(line.position());
        if best.as_ref().is_none_or(|(least, _)| off < *least) {
            best = Some((off, line));
        }
        if off <= BALANCED {
            break;
        }
    }
    best.map_or_else(|| Line::new(Chess::new()), |(_, line)| line)
}

/// How far from balanced a position looks.
fn glance(position: &Position) -> i32 {
    let settings = Settings { hash: 1 << 16, ..Settings::default() };
    let Ok(mut engine) = Engine::new(Arc::new(HandMade), settings) else { return 0 };
    let wish = Wish { nodes: Some(GLANCE), ..Wish::default() };
    let root = Root::new(position.clone());
    let thought = engine.search(&root, &wish, &StopFlag::new(), &mut |_| {});
    thought.score().map_or(0, |Score(score)| score.abs())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_balanced_differ_and_can_be_had_again() {
        let supply = Supply::Random { plies: 8, seed: 1 };
        let mut seen = std::collections::HashSet::new();
        for number in 0..6 {
            let line = supply.line(number);
            assert_eq!(line.moves(), supply.line(number).moves());
            assert_eq!(line.moves().len(), 8);
            assert!(glance(line.position()) <= BALANCED);
            seen.insert(line.position().key());
        }
        assert_eq!(seen.len(), 6);
        let other = Supply::Random { plies: 8, seed: 2 };
        assert_ne!(other.line(0).moves(), supply.line(0).moves());
    }

    #[test]
    fn opponents_near_in_strength_are_met_most() {
        let scores = [0.02, 0.45, 0.98];
        let mut met = [0; 3];
        for i in 0..1000 {
            met[matched(&scores, f64::from(i) / 1000.0)] += 1;
        }
        assert!(met[1] > 900 && met[0] > 0 && met[2] > 0, "{met:?}");
        assert_eq!(estimate(0.5, 2), 0.575);
        assert_eq!(matched(&[0.5], 0.999_999), 0);
    }

    #[test]
    fn an_opponent_that_breaks_every_game_is_given_up() {
        let mut breaks = Breaks::default();
        let spec = "cecp:cmd=gnuchess";
        for _ in 0..2 {
            breaks.count(spec, Some("white: no answer"), 3).unwrap();
            breaks.count("random", None, 3).unwrap();
        }
        let told = breaks.clone().count(spec, Some("white: no answer"), 3).unwrap_err().to_string();
        for part in [spec, "3 broken in a row", "white: no answer", "gnuchess,movetime=10ms"] {
            assert!(told.contains(part), "{part}: {told}");
        }
        breaks.clone().count(spec, Some("white: no answer"), 0).unwrap();
        breaks.count(spec, None, 3).unwrap();
        breaks.count(spec, Some("black: no answer"), 3).unwrap();
        // One that has a time already is not told to take one.
        let timed = "uci:cmd=x,movetime=5ms";
        let told = breaks.count(timed, Some("crashed"), 1).unwrap_err().to_string();
        assert!(!told.contains("10ms"), "{told}");
    }

    #[test]
    fn a_wrong_player_is_told_before_any_game() {
        let entry = crate::open(&Spec::parse("chess").unwrap()).unwrap();
        let crew =
            |spec: &str| Crew::new(&entry, [spec.to_string()], Duration::from_secs(30)).map(|_| ());
        assert!(crew("random").is_ok());
        let message = crew("wizard:level=9").unwrap_err().to_string();
        assert!(message.contains("wizard"), "{message}");
        let message = crew("uci:cmd=no-such-program-anywhere").unwrap_err().to_string();
        assert!(message.contains("no-such-program-anywhere"), "{message}");
    }
}
