//! How the Monte-Carlo search finishes a game that its tree does not reach.

use zug_core::seed::RngExt;
use zug_core::{Game, Outcome, Rng, Side};

/// How a simulated game is played to its end.
pub trait Rollout<G: Game>: Send + Sync {
    /// Plays from `position` to the end (or to a sensible stop) and tells the outcome.
    fn rollout(&self, game: &G, position: &G::Position, rng: &mut Rng) -> Outcome;

    /// Moves that the tree should not even try here (filling one's own eye in Go). By default all
    /// are tried.
    fn prune(&self, game: &G, position: &G::Position, moves: &mut Vec<G::Move>) {
        let _ = (game, position, moves);
    }

    /// The same as [`rollout`](Rollout::rollout), and appends the moves with the side that made
    /// them, for the all-moves-as-first statistics. By default it tells nothing, and those
    /// statistics are made from the moves in the tree alone.
    fn traced_rollout(
        &self,
        game: &G,
        position: &G::Position,
        rng: &mut Rng,
        trace: &mut Vec<(Side, G::Move)>,
    ) -> Outcome {
        let _ = trace;
        self.rollout(game, position, rng)
    }

    /// How many playouts the all-moves-as-first statistics ("RAVE") are worth in this game. Only in
    /// games where a move means much the same early and late (placing a stone, not moving a piece)
    /// are they worth anything; 0, the default, does without them.
    fn rave(&self) -> f64 {
        0.0
    }
}

/// Uniformly random moves to the end; a draw after `max_plies`.
#[derive(Clone, Copy, Debug)]
pub struct RandomRollout {
    /// Where endless games are broken off.
    pub max_plies: u32,
}

impl RandomRollout {
    fn play<G: Game>(
        self,
        game: &G,
        position: &G::Position,
        rng: &mut Rng,
        mut tell: impl FnMut(Side, G::Move),
    ) -> Outcome {
        let mut position = position.clone();
        let mut moves = Vec::new();
        for _ in 0..self.max_plies {
            moves.clear();
            game.moves(&position, &mut moves);
            if moves.is_empty() {
                break;
            }
            let mv = moves[rng.random_range(0..moves.len())];
            tell(game.to_move(&position), mv);
            game.play(&mut position, mv);
        }
        game.outcome(&position).unwrap_or(Outcome::draw("broken off"))
    }
}

impl<G: Game> Rollout<G> for RandomRollout {
    fn rollout(&self, game: &G, position: &G::Position, rng: &mut Rng) -> Outcome {
        self.play(game, position, rng, |_, _| {})
    }

    fn traced_rollout(
        &self,
        game: &G,
        position: &G::Position,
        rng: &mut Rng,
        trace: &mut Vec<(Side, G::Move)>,
    ) -> Outcome {
        self.play(game, position, rng, |side, mv| trace.push((side, mv)))
    }
}
