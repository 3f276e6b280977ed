//! Search for every game.
//!
//! | player | function | for |
//! |---|---|---|
//! | alpha-beta | [`pvs_player`] | games with an evaluation, and small games that can be searched to the end |
//! | Monte Carlo | [`mcts_player`] | games without an evaluation, Go |
//! | random | [`random_player`] | a baseline |

use std::sync::Arc;
use zug_core::seed::RngExt;
use zug_core::{Game, Guide, Outcome, PlayerKind, Rng};

/// How a simulated game is played to its end.
pub trait Rollout<G: Game>: Send + Sync {
    /// Plays from `position` to the end (or to a sensible stop) and tells the outcome.
    fn rollout(&self, game: &G, position: &G::Position, rng: &mut Rng) -> Outcome;

    /// Moves that the tree should not even try here (filling one's own eye in Go). By default all
    /// are tried.
    fn prune(&self, game: &G, position: &G::Position, moves: &mut Vec<G::Move>) {
        let _ = (game, position, moves);
    }
}

/// Uniformly random moves to the end; a draw after `max_plies`.
#[derive(Clone, Copy, Debug)]
pub struct RandomRollout {
    /// Where endless games are broken off.
    pub max_plies: u32,
}

impl<G: Game> Rollout<G> for RandomRollout {
    fn rollout(&self, game: &G, position: &G::Position, rng: &mut Rng) -> Outcome {
        let mut position = position.clone();
        let mut moves = Vec::new();
        for _ in 0..self.max_plies {
            moves.clear();
            game.moves(&position, &mut moves);
            if moves.is_empty() {
                break;
            }
            let mv = moves[rng.random_range(0..moves.len())];
            game.play(&mut position, mv);
        }
        game.outcome(&position).unwrap_or(Outcome::draw("broken off"))
    }
}

/// What a player does when neither its spec nor the match sets a limit.
#[derive(Clone, Copy, Debug)]
pub struct Defaults {
    /// A guess at the moves that a game lasts for one side, for the clock.
    pub moves_in_game: u32,
}

/// The alpha-beta player under a name (`zug`, `pvs`).
pub fn pvs_player<G: Game, V: Guide<G> + 'static>(
    name: &'static str,
    game: &G,
    guide: Arc<V>,
    defaults: Defaults,
) -> PlayerKind {
    let _ = (game, guide, defaults);
    PlayerKind { name, help: String::new(), make: Box::new(|_| unimplemented!()) }
}

/// The Monte-Carlo player under a name (`zug`, `mcts`).
pub fn mcts_player<G: Game, R: Rollout<G> + 'static>(
    name: &'static str,
    game: &G,
    rollout: Arc<R>,
    defaults: Defaults,
) -> PlayerKind {
    let _ = (game, rollout, defaults);
    PlayerKind { name, help: String::new(), make: Box::new(|_| unimplemented!()) }
}

/// The player that moves at random (`random:seed=1`).
pub fn random_player<G: Game>(game: &G) -> PlayerKind {
    let _ = game;
    PlayerKind { name: "random", help: String::new(), make: Box::new(|_| unimplemented!()) }
}
