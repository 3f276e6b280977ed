//! What have other nodes taught about a move?

use super::checks::Checks;
use super::evaluation::Evaluation;
use super::history::moved;
use super::parameters::history_bonus;
use super::picker::{Order, Picker, is_quiet};
use super::search::Node;
use super::worker::Worker;
use cozy_chess::{Board, Move};

impl<E: Evaluation> Worker<'_, E> {
    /// The next move of a node.
    pub fn pick(
        &mut self,
        picker: &mut Picker,
        board: &Board,
        before: [Option<usize>; 2],
        checks: Option<&Checks>,
    ) -> Option<Move> {
        let order = Order {
            board,
            histories: &self.mind.histories,
            techniques: &self.shared.techniques,
            before,
            checks,
        };
        picker.next(&mut self.mind.lists, &order)
    }

    /// Quiet moves to try early: what cut off at this ply, and what answered the last move.
    pub fn killers(&self, ply: usize, before: [Option<usize>; 2]) -> [Option<Move>; 3] {
        let techniques = &self.shared.techniques;
        let [first, second] = if techniques.killers { self.mind.killers[ply] } else { [None; 2] };
        let counter = match techniques.counter_moves {
            true => self.mind.histories.counter(before[0]),
            false => None,
        };
        [first, second, counter]
    }

    /// How well a move did elsewhere.
    pub fn history(&self, board: &Board, mv: Move, quiet: bool, before: [Option<usize>; 2]) -> i32 {
        let (histories, techniques) = (&self.mind.histories, &self.shared.techniques);
        if !quiet {
            return if techniques.capture_history { histories.capture(board, mv) } else { 0 };
        }
        let mut sum = 0;
        if techniques.history {
            sum += histories.quiet(board.side_to_move(), mv);
        }
        if techniques.continuation {
            let now = moved(board, mv);
            sum += histories.continuation(before[0], now);
            sum += histories.continuation(before[1], now);
        }
        sum
    }

    /// A move cut off: remember it, and that those before it did not.
    #[allow(clippy::too_many_arguments)]
    pub fn learn(
        &mut self,
        board: &Board,
        mv: Move,
        depth: i32,
        node: &Node,
        before: [Option<usize>; 2],
        quiets: &[Move],
        captures: &[Move],
    ) {
        let histories = &mut self.mind.histories;
        let bonus = history_bonus(depth);
        if is_quiet(board, mv) {
            let killers = &mut self.mind.killers[node.ply];
            if killers[0] != Some(mv) {
                *killers = [Some(mv), killers[0]];
            }
            histories.reward_quiet(board, before, mv, quiets, depth);
        } else {
            histories.change_capture(board, mv, bonus);
        }
        for &other in captures {
            histories.change_capture(board, other, -bonus);
        }
    }
}
