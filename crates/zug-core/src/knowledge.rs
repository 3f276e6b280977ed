//! The three kinds of knowledge about a game, and the hints that help a search.

use crate::{Game, Score};

/// The unit of an evaluation.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// Hundredths of a pawn.
    Pawns,
    /// Hundredths of a disc.
    Discs,
    /// Hundredths of a point.
    Points,
    /// Hundredths without a natural unit.
    Plain,
    /// Thousandths of the logarithm of the odds to win.
    LogOdds,
    /// Hundredths of a percent above an even chance to win.
    Percent,
    /// Hundredths of a percent of the way from even to won.
    Share,
}

impl Scale {
    /// What a score that is written with two decimals counts.
    #[must_use]
    pub fn unit(self) -> &'static str {
        match self {
            Scale::Pawns => "pawns",
            Scale::Discs => "discs",
            Scale::Points => "points",
            Scale::Plain => "points of the evaluation",
            Scale::LogOdds => "tenths of log-odds",
            Scale::Percent => "percent above an even chance",
            Scale::Share => "percent of a win",
        }
    }

    /// An advantage of this many hundredths makes the odds to win one to e: a rough figure, for the
    /// eye and to weigh mistakes. `None` where the scale speaks of chances itself.
    fn steepness(self) -> Option<f64> {
        match self {
            Scale::Pawns => Some(170.0),
            Scale::Discs => Some(600.0),
            Scale::Points => Some(900.0),
            Scale::Plain => Some(300.0),
            Scale::LogOdds => Some(1000.0),
            Scale::Percent | Scale::Share => None,
        }
    }

    /// A percent of the chance in hundredths of the scale, where it speaks of chances.
    fn percent(self) -> f64 {
        if self == Scale::Share { 200.0 } else { 100.0 }
    }

    /// The chance to win, 0 to 1, that goes with a score. A draw is half a win.
    ///
    /// ```
    /// use zug_core::{Scale, Score};
    /// assert_eq!(Scale::Pawns.chance(Score::DRAW), 0.5);
    /// assert_eq!(Scale::Percent.chance(Score::estimate(2500)), 0.75);
    /// assert_eq!(Scale::Discs.chance(Score::won_by(2.0)), 1.0);
    /// ```
    #[must_use]
    pub fn chance(self, score: Score) -> f64 {
        if score.is_proven() {
            return f64::from(u8::from(score > Score::DRAW));
        }
        let hundredths = f64::from(score.0);
        let chance = match self.steepness() {
            Some(steepness) => 1.0 / (1.0 + (-hundredths / steepness).exp()),
            None => 0.5 + hundredths / (100.0 * self.percent()),
        };
        chance.clamp(0.0, 1.0)
    }

    /// The estimate that goes with a chance to win: the inverse of [`chance`](Scale::chance), as far
    /// as there is one.
    #[must_use]
    pub fn score_at(self, chance: f64) -> Score {
        let hundredths = match self.steepness() {
            Some(steepness) => {
                let chance = chance.clamp(0.0005, 0.9995);
                steepness * (chance / (1.0 - chance)).ln()
            }
            None => (chance.clamp(0.0, 1.0) - 0.5) * 100.0 * self.percent(),
        };
        Score::estimate(hundredths.round() as i32)
    }
}

/// Estimates the value of a position.
pub trait Evaluator<G: Game>: Send + Sync {
    /// The unit.
    fn scale(&self) -> Scale {
        Scale::Plain
    }
    /// The value for the side to move, in hundredths of the unit. Never asked for finished games.
    fn evaluate(&self, game: &G, position: &G::Position) -> i32;
}

/// Knows the exact value of some positions.
pub trait Oracle<G: Game>: Send + Sync {
    /// The value for the side to move, if known.
    fn probe(&self, game: &G, position: &G::Position) -> Option<Score>;
}

/// Ranks moves without search.
pub trait Policy<G: Game>: Send + Sync {
    /// A probability for each of the legal `moves`, in their order; they add up to 1.
    fn rank(&self, game: &G, position: &G::Position, moves: &[G::Move]) -> Vec<f32>;
}

/// An evaluator that also guides a search. Every method has a correct default; each one that is
/// given makes the search of this game better.
pub trait Guide<G: Game>: Evaluator<G> {
    /// How promising a move looks, before search: the larger the earlier.
    fn promise(&self, game: &G, position: &G::Position, mv: G::Move) -> i32 {
        let _ = (game, position, mv);
        0
    }
    /// The same for all of `moves` at once, in their order, for guides that judge a position as a
    /// whole. `path` are the moves that led here, as far as they are known: what was played last says
    /// where the fight is. (A turn that the search skipped is not in it.)
    fn promises(
        &self,
        game: &G,
        position: &G::Position,
        path: &[G::Move],
        moves: &[G::Move],
        out: &mut Vec<i32>,
    ) {
        let _ = path;
        out.clear();
        out.extend(moves.iter().map(|&mv| self.promise(game, position, mv)));
    }
    /// How many moves of a position are worth a search, the most promising first; `None` for all. A
    /// search that leaves moves out is never certain of what it found.
    fn width(&self) -> Option<usize> {
        None
    }
    /// Appends the moves that must be looked at before a position may be evaluated (captures in
    /// chess, say). None by default: every position is quiet. Each is a legal move.
    fn forcing(&self, game: &G, position: &G::Position, out: &mut Vec<G::Move>) {
        let _ = (game, position, out);
    }
    /// Is the side to move under a threat that forbids standing still (check in chess)? The search
    /// then looks one ply deeper and at all moves.
    fn pressed(&self, game: &G, position: &G::Position) -> bool {
        let _ = (game, position);
        false
    }
    /// May this move be reduced when it comes late in the order? False for captures, promotions,
    /// checks and their like in other games. By default no move is reduced.
    fn reducible(&self, game: &G, position: &G::Position, mv: G::Move) -> bool {
        let _ = (game, position, mv);
        false
    }
    /// How much a quiet move usually changes the estimate, in hundredths of the unit. A search may
    /// leave out quiet moves near its horizon ([`reducible`](Guide::reducible) ones) that would
    /// have to change it by more. By default known for pawns only, where it is about one;
    /// `None` leaves nothing out.
    fn swing(&self) -> Option<i32> {
        match self.scale() {
            Scale::Pawns => Some(120),
            _ => None,
        }
    }
    /// The position with the turn handed over, where doing nothing is nearly always worse than the
    /// best move (no zugzwang); enables null-move pruning.
    fn skip_turn(&self, game: &G, position: &G::Position) -> Option<G::Position> {
        let _ = (game, position);
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_and_scores_belong_together_on_every_scale() {
        use Scale::*;
        for scale in [Pawns, Discs, Points, Plain, LogOdds, Percent, Share] {
            assert_eq!(scale.chance(Score::DRAW), 0.5, "{scale:?}");
            for percent in [1, 10, 40, 60, 99] {
                let chance = f64::from(percent) / 100.0;
                let back = scale.chance(scale.score_at(chance));
                assert!((back - chance).abs() < 0.002, "{scale:?} {chance} {back}");
            }
            assert_eq!(scale.chance(Score::won_in(3)), 1.0);
            assert_eq!(scale.chance(-Score::won_by(3.0)), 0.0);
        }
    }
}
