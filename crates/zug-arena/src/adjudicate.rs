//! When is a game broken off, and with which result?

use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;
use zug_core::{AnyLine, Outcome, Score, Side};

/// Knows the outcome of some positions before the rules end the game (an endgame database, say).
pub type OracleHook = Arc<dyn Fn(&dyn AnyLine) -> Option<Outcome> + Send + Sync>;

/// The rules of breaking off. Scores are those that the players report about their own moves.
#[derive(Clone)]
pub struct Adjudication {
    /// A side that thinks it is lost has lost.
    pub resign: Option<ResignRule>,
    /// Two sides that think it is equal have drawn.
    pub draw: Option<DrawRule>,
    /// The game is drawn after this many plies from the start of the line.
    pub max_plies: u32,
    /// Asked after each move.
    pub oracle: Option<OracleHook>,
}

/// A side loses when its reported score is at most `-score` in each of its last `moves` moves; with
/// `both`, only if the opponent's score was at least `score` in as many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResignRule {
    /// In hundredths.
    pub score: i32,
    /// Moves in a row.
    pub moves: u32,
    /// Must the opponent agree?
    pub both: bool,
}

/// The game is drawn when both sides' scores lie within `±score` in each of their last `moves`
/// moves, at ply `after` or later.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct DrawRule {
    /// In hundredths.
    pub score: i32,
    /// Moves in a row, of each side.
    pub moves: u32,
    /// The first ply at which the rule holds.
    pub after: u32,
}

impl Default for Adjudication {
    fn default() -> Adjudication {
        Adjudication { resign: None, draw: None, max_plies: 2000, oracle: None }
    }
}

impl fmt::Debug for Adjudication {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Adjudication")
            .field("resign", &self.resign)
            .field("draw", &self.draw)
            .field("max_plies", &self.max_plies)
            .field("oracle", &self.oracle.is_some())
            .finish()
    }
}

/// Counts, during one game, for how many moves each rule has been met.
#[derive(Debug, Default)]
pub(crate) struct Verdicts {
    losing: [u32; 2],
    winning: [u32; 2],
    level: [u32; 2],
}

/// A game broken off.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Verdict {
    Lost(Side),
    Drawn,
}

impl Verdicts {
    /// A side has moved and reported this score (or none).
    pub(crate) fn note(
        &mut self,
        rules: &Adjudication,
        side: Side,
        score: Option<Score>,
        ply: usize,
    ) -> Option<Verdict> {
        let i = side.index();
        let count = |counter: &mut u32, met: bool| *counter = if met { *counter + 1 } else { 0 };
        if let Some(rule) = rules.resign {
            count(&mut self.losing[i], score.is_some_and(|s| s.0 <= -rule.score));
            count(&mut self.winning[i], score.is_some_and(|s| s.0 >= rule.score));
            for loser in Side::BOTH {
                let agreed = !rule.both || self.winning[loser.other().index()] >= rule.moves;
                if self.losing[loser.index()] >= rule.moves && agreed {
                    return Some(Verdict::Lost(loser));
                }
            }
        }
        if let Some(rule) = rules.draw {
            count(&mut self.level[i], score.is_some_and(|s| s.0.abs() <= rule.score));
            let long_enough = self.level.iter().all(|&n| n >= rule.moves);
            if long_enough && ply >= rule.after as usize {
                return Some(Verdict::Drawn);
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn play(rules: &Adjudication, scores: &[i32]) -> Option<(usize, Verdict)> {
        let mut verdicts = Verdicts::default();
        scores.iter().enumerate().find_map(|(ply, &s)| {
            let side = Side::BOTH[ply % 2];
            verdicts.note(rules, side, Some(Score(s)), ply + 1).map(|v| (ply + 1, v))
        })
    }

    fn resign(both: bool) -> Adjudication {
        let resign = Some(ResignRule { score: 500, moves: 2, both });
        Adjudication { resign, ..Adjudication::default() }
    }

    #[test]
    fn a_side_that_thinks_it_is_lost_twice_in_a_row_loses() {
        assert_eq!(play(&resign(false), &[-600, 0, -500]), Some((3, Verdict::Lost(Side::First))));
        assert_eq!(play(&resign(false), &[-600, 0, -499, 0, -600]), None);
        assert_eq!(
            play(&resign(false), &[0, -600, 0, -600]),
            Some((4, Verdict::Lost(Side::Second)))
        );
    }

    #[test]
    fn with_both_the_opponent_must_agree() {
        assert_eq!(play(&resign(true), &[-600, 0, -600, 0]), None);
        let agreed = [-600, 600, -600, 600];
        assert_eq!(play(&resign(true), &agreed), Some((4, Verdict::Lost(Side::First))));
    }

    #[test]
    fn level_scores_draw_only_after_the_given_ply() {
        let draw = Some(DrawRule { score: 10, moves: 2, after: 6 });
        let rules = Adjudication { draw, ..Adjudication::default() };
        assert_eq!(play(&rules, &[0, 5, -10, 10, 0, 0]), Some((6, Verdict::Drawn)));
        assert_eq!(play(&rules, &[0, 0, 0, 0, 0, 11, 0]), None);
    }

    #[test]
    fn a_missing_score_breaks_the_row() {
        let rules = resign(false);
        let mut verdicts = Verdicts::default();
        for score in [Some(Score(-900)), None, Some(Score(-900))] {
            assert_eq!(verdicts.note(&rules, Side::First, score, 1), None);
        }
    }
}
