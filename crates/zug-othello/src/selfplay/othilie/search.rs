//! Which move does a fixed depth call for, and which leaf speaks for it? (Section 4.2.2.)
//!
//! The thesis searches with alpha-beta, generates children row by row, evaluates leaves for the
//! player that searches, and hands the best leaf up to the root. A pass is a child of its own and
//! costs one ply; a finished game is a leaf.
//!
//! [`Search`] answers with exactly the leaf of that plain search, sooner: it looks at children in
//! the order of their static values and breaks ties by the rank that the square has in the asked
//! order of generation. A child that could win a tie is searched with a window that lets equality
//! through; all others must be strictly better. Since values are whole numbers, "at least" is "more
//! than one less".

use super::evaluation::Evaluation;
use crate::Board;
use crate::bits::{self, Squares};
use zug_core::Rng;
use zug_core::seed::RngExt;

/// In which order children are generated (section 17, item 7 of the ambiguities).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Row by row from the top, as Listing 4.3 has it.
    #[default]
    Rows,
    /// Column by column from the left.
    Columns,
}

/// Which of equally good children is taken.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Tie {
    /// The first.
    #[default]
    First,
    /// The last.
    Last,
    /// Any: the order is drawn anew for every search.
    Random,
}

/// The leaf that decides, as the root sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Leaf {
    /// The square to play; `None` where the root is a leaf itself or must pass.
    pub square: Option<u32>,
    /// The searching side's discs at the leaf.
    pub own: Squares,
    /// The other side's discs at the leaf.
    pub opponent: Squares,
    /// The value in the evaluation's whole units.
    pub value: i32,
    /// Is the game over there?
    pub over: bool,
}

impl Leaf {
    /// Discs on the board.
    #[must_use]
    pub fn discs(&self) -> u32 {
        (self.own | self.opponent).count_ones()
    }

    /// The score of the thesis, in full precision: the result of a finished game, otherwise the
    /// polynomial's value.
    #[must_use]
    pub fn score(&self, weights: &[f64]) -> f64 {
        if self.over {
            f64::from(self.value.signum())
        } else {
            super::evaluation::running_score(weights, self.own, self.opponent)
        }
    }
}

/// Values are within this.
const INFINITE: i32 = i32::MAX;

/// A search of fixed depth.
#[derive(Clone, Debug)]
pub struct Search {
    /// Preference among equals: less is better.
    rank: [u8; 64],
    depth: u32,
    tie: Tie,
    nodes: u64,
}

/// What a subtree is worth to its mover, and the leaf that says so (mover's discs first).
#[derive(Clone, Copy)]
struct Best {
    value: i32,
    own: Squares,
    other: Squares,
    over: bool,
}

impl Search {
    /// A search of this many plies.
    #[must_use]
    pub fn new(depth: u32, order: Order, tie: Tie) -> Search {
        let mut rank = [0; 64];
        for square in 0..64u8 {
            let place = match order {
                Order::Rows => square,
                Order::Columns => square % 8 * 8 + square / 8,
            };
            rank[usize::from(square)] = if tie == Tie::Last { 63 - place } else { place };
        }
        Search { rank, depth, tie, nodes: 0 }
    }

    /// Plies.
    #[must_use]
    pub fn depth(&self) -> u32 {
        self.depth
    }

    /// Positions looked at so far.
    #[must_use]
    pub fn nodes(&self) -> u64 {
        self.nodes
    }

    /// Draws the order among equals anew, where that was asked for.
    pub fn shuffle(&mut self, rng: &mut Rng) {
        if self.tie == Tie::Random {
            // From the same order every time, so that nothing but the generator matters.
            self.rank = std::array::from_fn(|square| square as u8);
            for i in (1..64).rev() {
                self.rank.swap(i, rng.random_range(0..=i));
            }
        }
    }

    /// Searches for the side to move of `board`.
    pub fn best(&mut self, evaluation: &Evaluation, board: Board) -> Leaf {
        let running = evaluation.running(board.own, board.other);
        let mut square = None;
        let mut visit = Visit { search: self, evaluation };
        let best = visit.node::<true>(
            board,
            0,
            running,
            visit.search.depth,
            (-INFINITE, INFINITE),
            &mut square,
        );
        Leaf { square, own: best.own, opponent: best.other, value: best.value, over: best.over }
    }
}

struct Visit<'a> {
    search: &'a mut Search,
    evaluation: &'a Evaluation,
}

/// A child in wait of being searched.
#[derive(Clone, Copy)]
struct Child {
    /// Static value for the mover.
    hope: i32,
    square: u8,
    board: Board,
    running: i64,
}

impl Visit<'_> {
    /// The value for the mover; exact with its leaf when it lies inside the window. `mover` is 0
    /// when the searching side moves. The root tells its move through `chosen`.
    fn node<const ROOT: bool>(
        &mut self,
        board: Board,
        mover: usize,
        running: i64,
        depth: u32,
        (alpha, beta): (i32, i32),
        chosen: &mut Option<u32>,
    ) -> Best {
        self.search.nodes += 1;
        let moves = board.moves();
        if moves == 0 && board.replies() == 0 {
            return self.leaf(board, mover, running, true);
        }
        if depth == 0 {
            return self.leaf(board, mover, running, false);
        }
        if moves == 0 {
            let window = (-beta, -alpha);
            let best =
                self.node::<false>(board.passed(), 1 - mover, running, depth - 1, window, chosen);
            return flipped(best);
        }
        if depth == 1 {
            return self.last_ply::<ROOT>(board, mover, running, moves, beta, chosen);
        }
        let mut children = arrayvec::ArrayVec::<Child, 34>::new();
        for square in bits::each(moves) {
            let flips = board.flips(square);
            let running = self.evaluation.after(running, mover, square, flips);
            let next = board.played(square, flips);
            let (own, opponent) =
                if mover == 0 { (next.other, next.own) } else { (next.own, next.other) };
            let value = self.evaluation.value(running, own, opponent);
            let hope = if mover == 0 { value } else { -value };
            let child = Child { hope, square: square as u8, board: next, running };
            if children.try_push(child).is_err() {
                break;
            }
        }
        if depth > 2 || children.len() > 3 {
            children.sort_unstable_by(|a, b| b.hope.cmp(&a.hope).then(a.square.cmp(&b.square)));
        }
        let mut best = Best { value: -INFINITE, own: 0, other: 0, over: false };
        let mut best_rank = u8::MAX;
        for child in &children {
            let rank = self.search.rank[usize::from(child.square)];
            let lower = alpha.max(best.value.saturating_sub(i32::from(rank < best_rank)));
            let window = (-beta, -lower.max(-INFINITE));
            let found = flipped(self.node::<false>(
                child.board,
                1 - mover,
                child.running,
                depth - 1,
                window,
                &mut None,
            ));
            if found.value > best.value || found.value == best.value && rank < best_rank {
                best = found;
                best_rank = rank;
                if ROOT {
                    *chosen = Some(u32::from(child.square));
                }
                if best.value >= beta {
                    break;
                }
            }
        }
        best
    }

    /// A node whose children are leaves.
    #[inline]
    fn last_ply<const ROOT: bool>(
        &mut self,
        board: Board,
        mover: usize,
        running: i64,
        moves: Squares,
        beta: i32,
        chosen: &mut Option<u32>,
    ) -> Best {
        let mut best = Best { value: -INFINITE, own: 0, other: 0, over: false };
        let mut best_rank = u8::MAX;
        for square in bits::each(moves) {
            self.search.nodes += 1;
            let flips = board.flips(square);
            let running = self.evaluation.after(running, mover, square, flips);
            let next = board.played(square, flips);
            let over = next.moves() == 0 && next.replies() == 0;
            let found = flipped(self.leaf(next, 1 - mover, running, over));
            let rank = self.search.rank[(square & 63) as usize];
            if found.value > best.value || found.value == best.value && rank < best_rank {
                best = found;
                best_rank = rank;
                if ROOT {
                    *chosen = Some(square);
                }
                if best.value >= beta {
                    break;
                }
            }
        }
        best
    }

    #[inline(always)]
    fn leaf(&self, board: Board, mover: usize, running: i64, over: bool) -> Best {
        let (own, opponent) =
            if mover == 0 { (board.own, board.other) } else { (board.other, board.own) };
        let value = if over {
            self.evaluation.finished(running)
        } else {
            self.evaluation.value(running, own, opponent)
        };
        let value = if mover == 0 { value } else { -value };
        Best { value, own: board.own, other: board.other, over }
    }
}

/// The same for the other side.
#[inline(always)]
fn flipped(best: Best) -> Best {
    Best { value: -best.value, own: best.other, other: best.own, over: best.over }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::selfplay::othilie::tree::{Node, alpha_beta, minimax};
    use proptest::prelude::*;

    /// The search node of the thesis, for the plain search.
    #[derive(Clone)]
    pub struct Plain<'a> {
        pub board: Board,
        pub mover: usize,
        pub evaluation: &'a Evaluation,
        pub order: Order,
        pub tie: Tie,
    }

    impl Node for Plain<'_> {
        type Move = Option<u32>;

        fn children(&self) -> Vec<(Option<u32>, Self)> {
            let turned = |board| Plain { board, mover: 1 - self.mover, ..self.clone() };
            let moves = self.board.moves();
            if moves == 0 {
                if self.board.replies() == 0 {
                    return Vec::new();
                }
                return vec![(None, turned(self.board.passed()))];
            }
            let mut squares: Vec<u32> = bits::each(moves).collect();
            if self.order == Order::Columns {
                squares.sort_by_key(|s| (s % 8, s / 8));
            }
            if self.tie == Tie::Last {
                squares.reverse();
            }
            squares.into_iter().map(|s| (Some(s), turned(self.board.after(s)))).collect()
        }

        fn score(&self) -> i64 {
            let Board { own, other } = self.board;
            let (own, opponent) = if self.mover == 0 { (own, other) } else { (other, own) };
            let running = self.evaluation.running(own, opponent);
            i64::from(if self.board.is_over() {
                self.evaluation.finished(running)
            } else {
                self.evaluation.value(running, own, opponent)
            })
        }
    }

    /// A position of a random game.
    pub fn position() -> impl Strategy<Value = Board> {
        (any::<u64>(), 0u32..60).prop_map(|(seed, plies)| {
            let mut rng = zug_core::rng(seed, 0);
            let mut board = Board::START;
            for _ in 0..plies {
                let moves: Vec<u32> = bits::each(board.moves()).collect();
                if moves.is_empty() {
                    if board.replies() == 0 {
                        break;
                    }
                    board = board.passed();
                } else {
                    board = board.after(moves[rng.random_range(0..moves.len())]);
                }
            }
            board
        })
    }

    /// Few different weights, so that many leaves are equal.
    fn coarse() -> impl Strategy<Value = Vec<f64>> {
        proptest::collection::vec(prop_oneof![Just(0.0), Just(0.5), -1.0f64..1.0], 42)
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(64))]
        #[test]
        fn the_quick_search_finds_the_leaf_of_the_plain_one(
            board in position(),
            weights in prop_oneof![coarse(), Just(vec![0.0; 42]), coarse().prop_map(|mut w| { w.resize(52, 0.25); w })],
            depth in 1u32..4,
            columns: bool, last: bool,
        ) {
            let evaluation = Evaluation::new(&weights);
            let order = if columns { Order::Columns } else { Order::Rows };
            let tie = if last { Tie::Last } else { Tie::First };
            let root = Plain { board, mover: 0, evaluation: &evaluation, order, tie };
            let plain = minimax(&root, depth);
            let pruned = alpha_beta(&root, depth);
            prop_assert_eq!(plain.score, pruned.score);
            prop_assert_eq!(plain.mv, pruned.mv);
            let quick = Search::new(depth, order, tie).best(&evaluation, board);
            prop_assert_eq!(i64::from(quick.value), plain.score);
            prop_assert_eq!(quick.square, plain.mv.flatten());
            let leaf = &plain.leaf;
            let (own, opponent) = if leaf.mover == 0 {
                (leaf.board.own, leaf.board.other)
            } else {
                (leaf.board.other, leaf.board.own)
            };
            prop_assert_eq!((quick.own, quick.opponent), (own, opponent));
            prop_assert_eq!(quick.over, leaf.board.is_over());
            let pruned = &pruned.leaf;
            prop_assert_eq!(pruned.board, leaf.board);
        }
    }

    #[test]
    fn a_random_order_among_equals_plays_different_games() {
        let evaluation = Evaluation::new(&[0.0; 42]);
        let mut search = Search::new(2, Order::Rows, Tie::Random);
        let mut rng = zug_core::rng(1, 0);
        let mut seen = std::collections::BTreeSet::new();
        for _ in 0..50 {
            search.shuffle(&mut rng);
            seen.insert(search.best(&evaluation, Board::START).square);
        }
        assert_eq!(seen.len(), 4);
    }
}
