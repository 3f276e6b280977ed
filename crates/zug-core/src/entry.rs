//! What the workbench knows about one game: its rules, who can play it, how it is written down,
//! and which of the optional traits it has.

use crate::erased::SharedGame;
use crate::textrecord::TextRecords;
use crate::{
    AnyLine, Game, Player, RecordFormat, Retro, Score, Spec, Symmetric, TextError, checks,
};
use std::any::Any;
use std::collections::BTreeSet;
use std::sync::Arc;

/// An optional ability of a game. Each unlocks something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Capability {
    /// Has an [`Evaluator`](crate::Evaluator): depth-limited search plays sensibly.
    Evaluation,
    /// Has a [`Policy`](crate::Policy): `zug guess`.
    Policy,
    /// Has [`Symmetric`]: positions can be reduced.
    Symmetry,
    /// Has a combinatorial index: `zug db`.
    Index,
    /// Has [`Retro`]: fast retrograde analysis.
    Retro,
}

/// Builds a player from its spec.
pub type MakePlayer = Box<dyn Fn(&Spec) -> Result<Box<dyn Player>, TextError> + Send + Sync>;

/// A kind of player of one game.
pub struct PlayerKind {
    /// The word before the colon: `zug`, `random`, `mcts`.
    pub name: &'static str,
    /// One line of help, with the options.
    pub help: String,
    /// Builds one.
    pub make: MakePlayer,
}

/// A check of a game's rules against themselves: a name, and a function that tells what it
/// counted or what is wrong.
pub struct Check {
    /// "notation", "symmetry", …
    pub name: &'static str,
    /// Runs it with a seed.
    pub run: Box<dyn Fn(u64) -> Result<String, String> + Send + Sync>,
}

/// How often positions that a search values like this are won, drawn and lost by the side to move,
/// in thousandths that add up to 1000. An extension of games that have measured it.
#[derive(Clone, Copy)]
pub struct Chances(pub fn(&dyn AnyLine, Score) -> [u16; 3]);

/// The ratings that the default player can be told to play like, by its option `elo`. An extension of
/// games that have measured it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EloRange {
    /// The weakest.
    pub least: u32,
    /// The strongest.
    pub most: u32,
}

/// Everything about one game, with its type forgotten.
pub struct GameEntry {
    /// The rules.
    pub game: SharedGame,
    /// What it can do.
    pub capabilities: BTreeSet<Capability>,
    /// Who can play it; the first is the default opponent.
    pub players: Vec<PlayerKind>,
    /// How it is written down; the first is the default.
    pub formats: Vec<Box<dyn RecordFormat>>,
    /// Self-checks.
    pub checks: Vec<Check>,
    /// What techniques that this crate does not know have added, each under its own type.
    extensions: Vec<Box<dyn Any + Send + Sync>>,
}

impl GameEntry {
    /// An entry with the rules, the plain text format, and the checks that every game gets.
    #[must_use]
    pub fn new<G: Game>(game: G) -> GameEntry {
        GameEntry {
            checks: checks::basic(&game),
            game: Arc::new(game),
            capabilities: BTreeSet::new(),
            players: Vec::new(),
            formats: vec![Box::new(TextRecords)],
            extensions: Vec::new(),
        }
    }

    /// Adds what a technique needs to work with this game (a solver, a learner), found again by
    /// its type.
    #[must_use]
    pub fn with_extension(mut self, extension: impl Any + Send + Sync) -> GameEntry {
        self.extensions.push(Box::new(extension));
        self
    }

    /// What was added under this type.
    #[must_use]
    pub fn extension<T: Any>(&self) -> Option<&T> {
        self.extensions.iter().find_map(|e| e.downcast_ref())
    }

    /// Adds a kind of player.
    #[must_use]
    pub fn with_player(mut self, kind: PlayerKind) -> GameEntry {
        self.players.push(kind);
        self
    }

    /// Adds a record format. The plain text format, which every game has, stays the last.
    #[must_use]
    pub fn with_format(mut self, format: impl RecordFormat + 'static) -> GameEntry {
        let before_text = self.formats.len().saturating_sub(1);
        self.formats.insert(before_text, Box::new(format));
        self
    }

    /// Adds a capability.
    #[must_use]
    pub fn with_capability(mut self, capability: Capability) -> GameEntry {
        self.capabilities.insert(capability);
        self
    }

    /// Adds a self-check.
    #[must_use]
    pub fn with_check(mut self, check: Check) -> GameEntry {
        self.checks.push(check);
        self
    }

    /// Notes that the game has symmetries, and adds their check.
    #[must_use]
    pub fn symmetric<G: Symmetric>(self, game: &G) -> GameEntry {
        self.with_capability(Capability::Symmetry).with_check(checks::symmetry(game))
    }

    /// Notes that moves can be taken back, and adds the check of it.
    #[must_use]
    pub fn retro<G: Retro>(self, game: &G) -> GameEntry {
        self.with_capability(Capability::Retro).with_check(checks::retro(game))
    }

    /// Runs every check: its name with what it counted or what is wrong.
    #[must_use]
    pub fn run_checks(&self, seed: u64) -> Vec<(&'static str, Result<String, String>)> {
        self.checks.iter().map(|check| (check.name, (check.run)(seed))).collect()
    }

    /// Builds a player of this game.
    pub fn player(&self, spec: &Spec) -> Result<Box<dyn Player>, TextError> {
        match self.players.iter().find(|k| k.name == spec.name) {
            Some(kind) => (kind.make)(spec),
            None => {
                let known: Vec<&str> = self.players.iter().map(|k| k.name).collect();
                let expected = format!("a player of {} ({})", self.game.spec(), known.join(", "));
                Err(TextError::new(0, expected, format!("'{}'", spec.name)))
            }
        }
    }
}
