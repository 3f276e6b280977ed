//! How is a match told to a program or a person?

use crate::config::Schedule;
use crate::stats::{Rating, SprtState, Summary};
use crate::table;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use zug_core::Side;

/// How a game came to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Termination {
    /// By the rules of the game.
    Rules,
    /// A player gave up.
    Resignation,
    /// A player thought for too long.
    Time,
    /// A player did not answer at all and was stopped.
    NoAnswer,
    /// A player chose a move that the rules do not allow.
    IllegalMove,
    /// A player's program ended, could not be started or wrote nonsense.
    Crash,
    /// Broken off: one side thought it was lost.
    AdjudicatedWin,
    /// Broken off: both sides thought it was level.
    AdjudicatedDraw,
    /// Broken off: too long.
    MaxPlies,
    /// Broken off: the outcome is known.
    Oracle,
}

impl Termination {
    /// The word in reports and records.
    #[must_use]
    pub const fn word(self) -> &'static str {
        match self {
            Termination::Rules => "rules",
            Termination::Resignation => "resignation",
            Termination::Time => "time",
            Termination::NoAnswer => "no_answer",
            Termination::IllegalMove => "illegal_move",
            Termination::Crash => "crash",
            Termination::AdjudicatedWin => "adjudicated_win",
            Termination::AdjudicatedDraw => "adjudicated_draw",
            Termination::MaxPlies => "max_plies",
            Termination::Oracle => "oracle",
        }
    }

    /// Is a player to blame?
    #[must_use]
    pub const fn is_fault(self) -> bool {
        use Termination::{Crash, IllegalMove, NoAnswer, Time};
        matches!(self, Crash | IllegalMove | NoAnswer | Time)
    }
}

/// A move of a played game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct PlayedMove {
    /// In the game's notation.
    #[serde(rename = "m")]
    pub text: String,
    /// What the player said of it: score, depth, time.
    #[serde(rename = "c", default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameResult {
    /// Its number in the match, from 0.
    pub index: usize,
    /// The participants: who moved first, who second.
    pub players: [usize; 2],
    /// The position where the line began, when it is not the game's own.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start: Option<String>,
    /// How many of the moves belong to the opening.
    pub opening_plies: usize,
    /// All moves from the start.
    pub moves: Vec<PlayedMove>,
    /// 0 when the first side won, 1 when the second did, nothing for a draw.
    pub winner: Option<usize>,
    /// Points, where the game counts them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub margin: Option<f32>,
    /// How it ended.
    pub termination: Termination,
    /// The same in words, with what was wrong where something was.
    pub reason: String,
}

impl GameResult {
    /// Half points of the first side: 2, 1 or 0.
    #[must_use]
    pub fn half_points_first(&self) -> usize {
        match self.winner {
            Some(0) => 2,
            None => 1,
            Some(_) => 0,
        }
    }

    /// The side that won.
    #[must_use]
    pub fn winning_side(&self) -> Option<Side> {
        self.winner.map(|w| Side::BOTH[w.min(1)])
    }
}

/// Something a player did wrong.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Incident {
    /// The game, counted from 1.
    pub game: usize,
    /// Who.
    pub player: String,
    /// What kind.
    pub termination: Termination,
    /// In words.
    pub detail: String,
}

/// One participant against one other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Encounter {
    /// The one whose results these are.
    pub player: String,
    /// The other.
    pub opponent: String,
    /// The results.
    #[serde(flatten)]
    pub summary: Summary,
}

/// What a participant did wrong, in numbers.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Faults {
    /// Illegal moves.
    pub illegal: u64,
    /// Crashes.
    pub crashes: u64,
    /// Losses on time, and answers that never came.
    pub time_losses: u64,
}

/// How things stand in a match. Nothing in it depends on how long the match took, so that two runs
/// of a match between players that always choose alike can be compared. The summary at the top is that of the first participant against
/// all others.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct MatchReport {
    /// The game's spec.
    pub game: String,
    /// The names of the participants.
    pub players: Vec<String>,
    /// Who met whom.
    pub schedule: Schedule,
    /// The time control.
    pub limit: String,
    /// What each participant was limited by: its own options, the time control, or the usual time for
    /// a move where neither says anything.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub limits: Vec<String>,
    /// The seed.
    pub seed: u64,
    /// Games that count.
    #[serde(flatten)]
    pub summary: Summary,
    /// Sequential test, when one was asked for.
    pub sprt: Option<SprtState>,
    /// Every two players that met.
    pub encounters: Vec<Encounter>,
    /// Ratings of all, the best first.
    pub ratings: Vec<Rating>,
    /// How games ended, and how often.
    pub terminations: BTreeMap<String, u64>,
    /// Why games ended, in words, and how often.
    pub reasons: BTreeMap<String, u64>,
    /// Illegal moves of anyone.
    pub illegal: u64,
    /// Crashes of anyone.
    pub crashes: u64,
    /// Losses on time of anyone.
    pub time_losses: u64,
    /// The same for each player.
    pub faults: BTreeMap<String, Faults>,
    /// What happened, the first hundred.
    pub incidents: Vec<Incident>,
    /// Games that were asked for.
    pub planned: usize,
    /// Games that were finished and count; after the decision of a sequential test none do.
    pub played: usize,
    /// Have all been played, or was it decided early?
    pub complete: bool,
    /// Plies of an average game, the opening included.
    pub mean_plies: f64,
    /// Players that learn from game to game; the games were then played one after the other.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub learners: Vec<String>,
    /// Where somebody learns: what the first participant scored, game after game, in half points.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub course: Vec<u8>,
}

impl MatchReport {
    /// For people: a table of several lines.
    #[must_use]
    pub fn to_table(&self) -> String {
        table::render(self)
    }

    /// For a progress bar: score and Elo of the first player.
    #[must_use]
    pub fn one_line(&self) -> String {
        table::one_line(&self.summary, self.learners.is_empty())
    }
}
