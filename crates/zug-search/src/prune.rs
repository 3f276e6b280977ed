//! What the alpha-beta search leaves out because a game's guide says that it hardly matters. Off the
//! principal variation only, and never when the side to move is pressed.
//!
//! * *Skipping a turn* ("null move"): a position that is good enough even if the opponent moves
//!   twice is good enough. Needs [`Guide::skip_turn`].
//! * *Futility*: near the horizon, an estimate far above the window stays above it, and quiet moves
//!   cannot lift one that is far below; nor is the twentieth quiet move the one that matters. Needs
//!   [`Guide::swing`] and [`Guide::reducible`].

use crate::node::Node;
use crate::parameters::{
    FUTILITY_DEPTH, LATE_MOVES_DEPTH, NULL_MOVE_DEPTH, NULL_MOVE_VERIFIED_DEPTH,
    late_moves_searched, null_move_reduction,
};
use crate::worker::{Value, Worker};
use zug_core::{Game, Guide, Score};

impl<G: Game, V: Guide<G>> Worker<'_, G, V> {
    /// The value of a node without its moves, if it is clear enough. Otherwise notes what quiet
    /// moves can reach.
    pub fn shortcut(&mut self, node: &mut Node<'_, G>, may_skip: bool) -> Option<Value> {
        let (game, guide, options) = (self.shared.game, self.shared.guide, self.shared.options);
        let (depth, beta) = (node.depth, node.window.beta);
        if node.pressed || !node.window.is_empty() || beta.is_proven() {
            return None;
        }
        let swing = self.swing().filter(|_| depth <= FUTILITY_DEPTH);
        let null_move = may_skip && options.null_move && depth >= NULL_MOVE_DEPTH;
        if swing.is_none() && !null_move {
            return None;
        }
        let estimate = self.evaluate(node.position);
        if let Some(swing) = swing {
            let sure = estimate.0 - swing * depth >= beta.0;
            if sure && guide.skip_turn(game, node.position).is_some() {
                return Some(Value::guessed(estimate));
            }
            node.ceiling = Some(Score(estimate.0 + swing * (depth + 1)));
        }
        if null_move && estimate >= beta { self.skip_turn(node) } else { None }
    }

    /// Would the position be good enough even if the opponent moved twice?
    fn skip_turn(&mut self, node: &Node<'_, G>) -> Option<Value> {
        let (game, guide) = (self.shared.game, self.shared.guide);
        let &Node { position, depth, window, ply, .. } = node;
        let skipped = guide.skip_turn(game, position)?;
        if game.to_move(&skipped) == game.to_move(position) {
            return None;
        }
        let reduced = depth - null_move_reduction(depth);
        self.keys.push(self.repetition_key(&skipped));
        let value = -self.search(&skipped, reduced, window.swapped(), ply + 1, false);
        self.keys.pop();
        if self.aborted || value.score < window.beta {
            return None;
        }
        if depth >= NULL_MOVE_VERIFIED_DEPTH {
            let check = self.search(position, reduced, window, ply, false);
            if self.aborted || check.score < window.beta {
                return None;
            }
        }
        Some(Value::guessed(window.beta))
    }

    fn swing(&self) -> Option<i32> {
        self.shared.options.futility.then(|| self.shared.guide.swing()).flatten()
    }

    /// May this move be left out? Not as long as every move so far loses.
    pub fn is_futile(
        &self,
        node: &Node<'_, G>,
        mv: G::Move,
        place: usize,
        best: Score,
        alpha: Score,
    ) -> bool {
        let Some(ceiling) = node.ceiling else { return false };
        let too_low = ceiling <= alpha;
        let too_late = node.depth <= LATE_MOVES_DEPTH && place >= late_moves_searched(node.depth);
        (too_low || too_late)
            && !(best.is_proven() && best < Score::DRAW)
            && self.shared.guide.reducible(self.shared.game, node.position, mv)
    }
}
