//! Which move is best, looking few plies ahead, and at which leaf was that found?
//!
//! The engine's searches do not tell the leaf that decided, and what their tables remember may
//! settle ties between moves. This search has no memory: the same question has the same answer,
//! whatever was asked before and on whichever thread.

use crate::bits::{Squares, each};
use crate::engine::Evaluation;
use crate::solve::level::Level;
use crate::{Board, bits};
use arrayvec::ArrayVec;

/// Larger than any value.
const INFINITE: i32 = 1 << 20;
/// More moves than any position has.
const MOST_MOVES: usize = 34;
/// The corners: a reply there counts more when moves are ordered.
const CORNERS: Squares = 0x8100_0000_0000_0081;

/// The end of the line that both sides are expected to play.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The position; its side to move can move unless the game is over.
    pub board: Board,
    /// Is its side to move the other one than at the root?
    pub turned: bool,
    /// Is the game over there? The value is then the result and nothing can be learned.
    pub over: bool,
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found {
    /// The move, as a square.
    pub square: u32,
    /// Its value for the side to move, in hundredths of a disc.
    pub value: i32,
    /// Where it was found.
    pub leaf: Leaf,
}

/// The best move of a position that has one, `depth` plies (at least one) ahead. The first of equal
/// moves in the order of their promise.
pub fn best<L: Level, E: Evaluation>(level: L, model: &E, board: Board, depth: u32) -> Found {
    let state = model.state(board);
    let moves = level.moves(board.own, board.other, board.empty());
    debug_assert_ne!(moves, 0);
    let mut children = Children::new(level, board, moves);
    if depth >= 2 {
        for child in &mut children.0 {
            let after = model.played(&state, child.square, child.flips);
            child.key = -horizon(level, model, child.board, &after, false).0;
        }
        children.0.sort_by_key(|c| -c.key);
    }
    let mut found: Option<Found> = None;
    for child in &children.0 {
        let after = model.played(&state, child.square, child.flips);
        let alpha = found.map_or(-INFINITE, |f| f.value);
        let (value, leaf) =
            visit(level, model, child.board, &after, depth.max(1) - 1, -INFINITE, -alpha, true);
        if -value > alpha {
            found = Some(Found { square: child.square, value: -value, leaf });
        }
    }
    found.expect("a move is worth more than nothing")
}

/// A move of a position.
#[derive(Clone, Copy)]
struct Child {
    board: Board,
    flips: Squares,
    square: u32,
    key: i32,
}

struct Children(ArrayVec<Child, MOST_MOVES>);

impl Children {
    fn new<L: Level>(level: L, board: Board, moves: Squares) -> Children {
        let child = |square| {
            let flips = level.flips(square, board.own, board.other);
            Child { board: board.played(square, flips), flips, square, key: 0 }
        };
        Children(each(moves).map(child).collect())
    }

    /// Those that leave the opponent the fewest replies first.
    fn order<L: Level>(&mut self, level: L) {
        for child in &mut self.0 {
            let b = child.board;
            let replies = level.moves(b.own, b.other, b.empty());
            child.key = (replies.count_ones() + 2 * (replies & CORNERS).count_ones()) as i32;
        }
        self.0.sort_by_key(|c| c.key);
    }
}

/// The value of a position within the window and the leaf behind it; beyond the window both are
/// bounds. `turned`: is the side to move another than at the root?
#[allow(clippy::too_many_arguments)] // Board, window and depth: what every search hands down.
fn visit<L: Level, E: Evaluation>(
    level: L,
    model: &E,
    board: Board,
    state: &E::State,
    depth: u32,
    alpha: i32,
    beta: i32,
    turned: bool,
) -> (i32, Leaf) {
    if depth == 0 {
        return horizon(level, model, board, state, turned);
    }
    let moves = level.moves(board.own, board.other, board.empty());
    if moves == 0 {
        let passed = board.passed();
        if level.moves(passed.own, passed.other, board.empty()) == 0 {
            return (100 * board.final_score(), Leaf { board, turned, over: true });
        }
        let state = model.passed(state);
        let (value, leaf) = visit(level, model, passed, &state, depth, -beta, -alpha, !turned);
        return (-value, leaf);
    }
    let mut children = Children::new(level, board, moves);
    if depth >= 2 {
        children.order(level);
    }
    let mut best = (-INFINITE, Leaf { board, turned, over: false });
    let mut alpha = alpha;
    for child in &children.0 {
        let after = model.played(state, child.square, child.flips);
        let (value, leaf) =
            visit(level, model, child.board, &after, depth - 1, -beta, -alpha, !turned);
        if -value > best.0 {
            best = (-value, leaf);
            if best.0 >= beta {
                break;
            }
            alpha = alpha.max(best.0);
        }
    }
    best
}

/// The value of a position that is not looked behind.
#[inline]
fn horizon<L: Level, E: Evaluation>(
    level: L,
    model: &E,
    board: Board,
    state: &E::State,
    turned: bool,
) -> (i32, Leaf) {
    let empty = board.empty();
    let moves = level.moves(board.own, board.other, empty);
    let replies = level.moves(board.other, board.own, empty);
    if moves != 0 {
        let value = model.value_knowing(board, state, moves, replies);
        return (value, Leaf { board, turned, over: false });
    }
    if replies == 0 {
        return (100 * board.final_score(), Leaf { board, turned, over: true });
    }
    let passed = board.passed();
    let value = model.value_knowing(passed, &model.passed(state), replies, moves);
    (-value, Leaf { board: passed, turned: !turned, over: false })
}

/// A random legal move of a position that has one.
pub fn random_move(board: Board, rng: &mut zug_core::Rng) -> u32 {
    use zug_core::seed::RngExt;
    let moves = board.moves();
    let which = rng.random_range(0..moves.count_ones() as usize);
    bits::each(moves).nth(which).expect("there are that many")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::patterns::{PatternModel, PatternSet, Phases};
    use crate::solve::level::{Machine, at_level};
    use zug_core::rng;
    use zug_core::seed::RngExt;

    fn model() -> PatternModel {
        let set = PatternSet::parse(&["edge", "corner3x3", "diagonal8", "mobility"]).unwrap();
        let mut rng = rng(5, 0);
        let weights = (0..2 * set.cells()).map(|_| rng.random_range(-900..900) as i16).collect();
        PatternModel::new(set, Phases::new(&[8, 60]).unwrap(), weights).unwrap()
    }

    /// Without any cut.
    fn plain(model: &PatternModel, board: Board, depth: u32) -> i32 {
        if board.is_over() {
            return 100 * board.final_score();
        }
        if board.moves() == 0 {
            return -plain(model, board.passed(), depth);
        }
        if depth == 0 {
            return model.value(board, &model.state(board));
        }
        each(board.moves()).map(|s| -plain(model, board.after(s), depth - 1)).max().unwrap()
    }

    #[test]
    fn the_value_is_that_of_looking_at_everything_and_of_the_leaf() {
        let model = model();
        let mut over = 0;
        for seed in 0..60 {
            let mut rng = rng(seed, 1);
            let mut board = Board::START;
            for _ in 0..seed {
                if board.moves() == 0 {
                    board = board.passed();
                }
                if board.moves() != 0 {
                    board = board.after(random_move(board, &mut rng));
                }
            }
            if board.moves() == 0 {
                continue;
            }
            for depth in 1..=3 {
                let found = at_level!(Machine::detected(), l => best(l, &model, board, depth));
                assert_eq!(found.value, plain(&model, board, depth), "seed {seed} depth {depth}");
                assert_eq!(found.value, -plain(&model, board.after(found.square), depth - 1));
                let leaf = found.leaf;
                let sign = if leaf.turned { -1 } else { 1 };
                let there = if leaf.over {
                    over += 1;
                    100 * leaf.board.final_score()
                } else {
                    model.value(leaf.board, &model.state(leaf.board))
                };
                assert_eq!(found.value, sign * there);
            }
        }
        assert!(over > 0, "some lines end the game");
    }
}
