//! Playouts and move pruning for the Monte-Carlo search.

use crate::game::Go;
use crate::playout::{MoveChooser, is_eye, play_out, play_out_telling};
use crate::point::Move;
use crate::position::Position;
use crate::score;
use zug_core::{Outcome, Rng, Side};
use zug_search::Rollout;

/// Finishes games with playouts of some kind ([`Light`](crate::playout::Light),
/// [`Heavy`](crate::heavy::Heavy)).
#[derive(Clone, Copy, Debug, Default)]
pub struct Playouts<C>(pub C);

impl<C: MoveChooser + Send + Sync> Rollout<Go> for Playouts<C> {
    fn rollout(&self, game: &Go, position: &Position, rng: &mut Rng) -> Outcome {
        let mut board = position.board.clone();
        let passes = position.passes();
        let end = play_out(&self.0, &mut board, position.to_move, passes, game.rules(), rng);
        Outcome::by_points(end.lead, "playout")
    }

    fn traced_rollout(
        &self,
        game: &Go,
        position: &Position,
        rng: &mut Rng,
        trace: &mut Vec<(Side, Move)>,
    ) -> Outcome {
        let mut board = position.board.clone();
        let (side, passes) = (position.to_move, position.passes());
        let tell = |side, p| trace.push((side, Move::Play(p)));
        let end = play_out_telling(&self.0, &mut board, side, passes, game.rules(), rng, tell);
        Outcome::by_points(end.lead, "playout")
    }

    /// Own eyes are not filled. A pass that wins at once is the only move worth trying; other
    /// passes wait until at most a third of the board is left to play on, so that a seki can be
    /// left alone.
    fn prune(&self, game: &Go, position: &Position, moves: &mut Vec<Move>) {
        let side = position.to_move;
        let board = &position.board;
        if position.passes == 1 {
            let outcome = Outcome::by_points(score::lead(board, game.rules()), "two passes");
            if outcome.winner == Some(side) && moves.contains(&Move::Pass) {
                moves.clear();
                moves.push(Move::Pass);
                return;
            }
        }
        moves.retain(|&mv| match mv {
            Move::Play(p) => !is_eye(board, p, side),
            Move::Pass => true,
        });
        let points = board.size() * board.size();
        if moves.len() > 1 + points / 3 {
            moves.retain(|&mv| mv != Move::Pass);
        }
    }

    fn rave(&self) -> f64 {
        1000.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout::Light;
    use zug_core::{Game, rng};

    fn pruned(game: &Go, text: &str) -> Vec<String> {
        let position = game.read_position(text).unwrap();
        let mut moves = Vec::new();
        game.moves(&position, &mut moves);
        Playouts(Light).prune(game, &position, &mut moves);
        moves.into_iter().map(|mv| game.write_move(&position, mv)).collect()
    }

    #[test]
    fn eyes_are_left_alone_and_passing_comes_last() {
        let game = Go::open("go:5x5,komi=0.5").unwrap();
        let late = pruned(&game, "1X1XO/XXXXO/XXXOO/OOO2/5 black");
        assert!(!late.contains(&"A5".to_string()) && !late.contains(&"C5".to_string()));
        assert!(late.contains(&"pass".to_string()));
        let early = pruned(&game, "5/5/5/5/5 black");
        assert_eq!(early.len(), 25);
    }

    #[test]
    fn a_pass_that_wins_is_the_only_move() {
        let game = Go::open("go:5x5,komi=12.5").unwrap();
        let text = "1X1X1/XXXXX/5/5/4O black passes=1";
        assert!(pruned(&game, text).len() > 1, "the open area belongs to nobody, White wins");
        let text = "1X1X1/XXXXX/5/5/5 black passes=1";
        assert_eq!(pruned(&game, text), ["pass"]);
        let text = "1X1X1/XXXXX/5/5/5 white passes=1";
        assert!(pruned(&game, text).len() > 1);
    }

    #[test]
    fn a_traced_playout_is_the_same_playout() {
        let game = Go::open("go:7x7").unwrap();
        let position = game.start();
        let plain = Playouts(Light).rollout(&game, &position, &mut rng(3, 0));
        let mut trace = Vec::new();
        let traced = Playouts(Light).traced_rollout(&game, &position, &mut rng(3, 0), &mut trace);
        assert_eq!(plain, traced);
        assert!(trace.len() > 20);
        assert_eq!(trace[0].0, Side::First);
    }
}
