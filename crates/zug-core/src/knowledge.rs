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
