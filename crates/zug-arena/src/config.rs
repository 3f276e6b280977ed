//! What is to be played, and what can go wrong with that.

use crate::adjudicate::Adjudication;
use crate::control::TimeControl;
use crate::openings::Openings;
use crate::report::{GameResult, MatchReport};
use crate::stats::Sprt;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Duration;
use zug_core::PlayerError;

/// Who meets whom.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Schedule {
    /// Everyone against everyone; with two players, simply a match.
    #[default]
    RoundRobin,
    /// The first player against each of the others.
    Gauntlet,
}

impl Schedule {
    /// The encounters of so many players: pairs of numbers of participants.
    #[must_use]
    pub fn encounters(self, players: usize) -> Vec<(usize, usize)> {
        let rows = match self {
            Schedule::RoundRobin => players,
            Schedule::Gauntlet => players.min(1),
        };
        (0..rows).flat_map(|a| (a + 1..players).map(move |b| (a, b))).collect()
    }
}

/// A match, but for its players and its game.
#[derive(Clone, Debug)]
pub struct MatchConfig {
    /// What the match is called in records.
    pub event: String,
    /// The date for records, `YYYY.MM.DD`; none is written when absent.
    pub date: Option<String>,
    /// Who meets whom.
    pub schedule: Schedule,
    /// Games between each two players. Two games make a pair: the same opening, colours swapped.
    pub games: usize,
    /// Where games begin.
    pub openings: Openings,
    /// The limits of each move. A limit in a player's own options comes first; without either,
    /// players are given [`USUAL_MOVETIME`](crate::control::USUAL_MOVETIME), and nobody loses by it.
    pub limit: TimeControl,
    /// What a player may overstep its time by.
    pub time_margin: Duration,
    /// When games are broken off.
    pub adjudication: Adjudication,
    /// All that is random follows from this.
    pub seed: u64,
    /// Games at once.
    pub concurrency: usize,
    /// Stop early once it is clear enough who is better; two players only.
    pub sprt: Option<Sprt>,
    /// A player whose rating is given: its name and rating. Without one, ratings average 0.
    pub anchor: Option<(String, f64)>,
    /// A file of finished games (JSON lines), from which a broken-off match goes on.
    pub journal: Option<PathBuf>,
    /// A file to which the games are added in their order, in the format of its ending, which must be
    /// one of the game's; in the game's usual format if the name has no ending. Without a journal
    /// it must not hold anything yet.
    pub records: Option<PathBuf>,
    /// Give up the journal and the records that are there, and begin again.
    pub replace: bool,
    /// Set by someone to stop: games in progress are dropped, finished ones are kept.
    pub stop: Arc<AtomicBool>,
}

impl Default for MatchConfig {
    fn default() -> MatchConfig {
        MatchConfig {
            event: "Zug match".to_string(),
            date: None,
            schedule: Schedule::RoundRobin,
            games: 2,
            openings: Openings::Random { plies: 4 },
            limit: TimeControl::default(),
            time_margin: Duration::from_millis(200),
            adjudication: Adjudication::default(),
            seed: 1,
            concurrency: 1,
            sprt: None,
            anchor: None,
            journal: None,
            records: None,
            replace: false,
            stop: Arc::default(),
        }
    }
}

/// Told after each finished game.
#[derive(Clone, Copy, Debug)]
pub struct Progress<'a> {
    /// The game.
    pub game: &'a GameResult,
    /// Games finished so far, those of earlier sittings included.
    pub done: usize,
    /// Games planned.
    pub total: usize,
    /// How things stand.
    pub report: &'a MatchReport,
}

/// Why a match could not be played or kept. (What players do wrong in games is no error: it loses
/// the game and is in the report.)
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// The order of the match makes no sense.
    #[error("{0}")]
    Config(String),
    /// A player cannot be started, or cannot play this match.
    #[error("player {name}: {error}")]
    Player {
        /// Which one.
        name: String,
        /// Why.
        error: PlayerError,
    },
    /// The openings cannot be used.
    #[error("openings: {0}")]
    Openings(String),
    /// The journal is broken or belongs to another match.
    #[error("journal {}: {reason}", path.display())]
    Journal {
        /// The file.
        path: PathBuf,
        /// What is wrong.
        reason: String,
    },
    /// A file cannot be written or read.
    #[error("{}: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system says.
        error: String,
    },
}
