//! The model that is a sum of table cells: what is a position worth?

use super::{Indices, PatternSet, Phases};
use crate::Board;
use crate::bits::{self, Squares};
use crate::engine::{Evaluation, Unit};
use crate::tempo::Tempo;
use std::sync::OnceLock;

/// Weights are whole numbers of this fraction of a disc.
pub const STEPS_PER_DISC: f32 = 256.0;

/// No position is worth more than the whole board, in hundredths of a disc.
const MOST: i32 = 6400;

/// The discs of the start of the game, the one position that no model has learned from.
const START: Squares = Board::START.own | Board::START.other;

/// A weight for every cell of every table at every knot. The value of a position is the expected
/// final disc difference for the side to move.
pub struct PatternModel {
    set: PatternSet,
    phases: Phases,
    /// Knot by knot, cell by cell.
    weights: Vec<i16>,
    /// What is taken off each value.
    tempo: Tempo,
    /// The weights for each disc count. Made when first asked for.
    tables: Vec<OnceLock<Drawn>>,
}

/// The weights for one disc count, drawn between the knots, with those of equal cells repeated so
/// that an instance is found with one look.
struct Drawn {
    /// A table for each pattern. Every 16-bit instance lies within it, so that looking needs no
    /// check; what lies beyond the last instance is never touched and costs no memory.
    patterns: Vec<[i16; 1 << 16]>,
    /// The table over the numbers of moves, if there is one.
    mobility: Vec<i16>,
    /// What is taken off, in [steps](STEPS_PER_DISC).
    tempo: i32,
}

impl PatternModel {
    /// From weights in [steps](STEPS_PER_DISC), knot by knot; `None` if their number does not fit.
    #[must_use]
    pub fn new(set: PatternSet, phases: Phases, weights: Vec<i16>) -> Option<PatternModel> {
        let fits = weights.len() == set.cells() * phases.len();
        let tables = (0..=64).map(|_| OnceLock::new()).collect();
        fits.then_some(PatternModel { set, phases, weights, tempo: Tempo::NONE, tables })
    }

    /// The same model with this taken off each value, in place of what was taken off before.
    #[must_use]
    pub fn with_tempo(self, tempo: Tempo) -> PatternModel {
        let tables = (0..=64).map(|_| OnceLock::new()).collect();
        PatternModel { tempo, tables, ..self }
    }

    /// From weights in discs, rounded.
    #[must_use]
    pub fn from_discs(set: PatternSet, phases: Phases, weights: &[f32]) -> Option<PatternModel> {
        // A float too large for 16 bits becomes the largest number, which is what clamping does.
        let rounded = weights.iter().map(|w| (w * STEPS_PER_DISC).round() as i16).collect();
        PatternModel::new(set, phases, rounded)
    }

    /// The patterns.
    #[must_use]
    pub fn set(&self) -> &PatternSet {
        &self.set
    }

    /// The knots.
    #[must_use]
    pub fn phases(&self) -> &Phases {
        &self.phases
    }

    /// The weights in [steps](STEPS_PER_DISC), knot by knot.
    #[must_use]
    pub fn weights(&self) -> &[i16] {
        &self.weights
    }

    #[inline]
    fn table(&self, discs: u32) -> &Drawn {
        self.tables[discs.min(64) as usize].get_or_init(|| self.drawn(discs))
    }

    fn drawn(&self, discs: u32) -> Drawn {
        let (knot, share) = self.phases.place(discs);
        let cells = self.set.cells();
        let before = &self.weights[knot * cells..(knot + 1) * cells];
        let cell: Vec<i16> = if share == 0.0 {
            before.to_vec()
        } else {
            let after = &self.weights[(knot + 1) * cells..(knot + 2) * cells];
            let between = |(&a, &b): (&i16, &i16)| {
                (f32::from(a) * (1.0 - share) + f32::from(b) * share).round() as i16
            };
            before.iter().zip(after).map(between).collect()
        };
        let mut patterns = vec![[0; 1 << 16]; self.set.patterns().len()];
        let mut cell_of = self.set.cell_of_instances().iter();
        for (pattern, table) in self.set.patterns().iter().zip(&mut patterns) {
            for (weight, &c) in table[..pattern.instances()].iter_mut().zip(&mut cell_of) {
                *weight = cell[c as usize];
            }
        }
        let mobility = if self.set.has_mobility() { PatternSet::mobility_cells() } else { 0 };
        let tempo = (self.tempo.of(discs) as f32 * STEPS_PER_DISC / 100.0).round() as i32;
        Drawn { patterns, mobility: cell[cells - mobility..].to_vec(), tempo }
    }

    /// The value in [steps](STEPS_PER_DISC), not limited to the board.
    #[inline]
    fn sum(&self, board: Board, indices: &Indices) -> i32 {
        self.sum_with(board, indices, || PatternSet::mobility_place(board))
    }

    /// The same, with the place in the table over the numbers of moves.
    #[inline(always)]
    fn sum_with(&self, board: Board, indices: &Indices, place: impl FnOnce() -> usize) -> i32 {
        if board.own | board.other == START {
            return self.best_move(board);
        }
        let table = self.table(board.discs());
        let mut sum = -table.tempo;
        let mut lanes = indices.0.as_slice();
        for (&images, weights) in self.set.images().iter().zip(&table.patterns) {
            let weight = |index: u16| i32::from(weights[usize::from(index)]);
            let (these, rest) = lanes.split_at(images.min(lanes.len()));
            lanes = rest;
            // Most patterns have four images, or eight: sums that do not wait for each other.
            let (fours, few) = these.as_chunks::<4>();
            for &[a, b, c, d] in fours {
                sum += (weight(a) + weight(b)) + (weight(c) + weight(d));
            }
            for &index in few {
                sum += weight(index);
            }
        }
        if self.set.has_mobility() {
            sum += i32::from(table.mobility[place()]);
        }
        sum
    }

    /// What the best move is worth, in [steps](STEPS_PER_DISC).
    #[cold]
    fn best_move(&self, board: Board) -> i32 {
        let worth = |square| {
            let after = board.after(square);
            -self.sum(after, &self.set.indices(after))
        };
        bits::each(board.moves()).map(worth).max().unwrap_or(0)
    }

    /// The value of a position in discs, for the side to move.
    #[must_use]
    pub fn discs(&self, board: Board) -> f32 {
        let most = MOST as f32 / 100.0;
        let sum = self.sum(board, &self.set.indices(board));
        (sum as f32 / STEPS_PER_DISC).clamp(-most, most)
    }
}

/// Steps as hundredths of a disc, within the board.
#[inline(always)]
fn hundredths(steps: i32) -> i32 {
    (steps * 100 / STEPS_PER_DISC as i32).clamp(-MOST, MOST)
}

impl Evaluation for PatternModel {
    type State = Indices;

    fn unit(&self) -> Unit {
        Unit::Discs
    }

    fn state(&self, board: Board) -> Indices {
        self.set.indices(board)
    }

    #[inline]
    fn played(&self, state: &Indices, square: u32, flips: Squares) -> Indices {
        self.set.played(state, square, flips)
    }

    #[inline]
    fn passed(&self, state: &Indices) -> Indices {
        self.set.passed(state)
    }

    fn tempo(&self) -> &Tempo {
        &self.tempo
    }

    #[inline]
    fn value(&self, board: Board, state: &Indices) -> i32 {
        hundredths(self.sum(board, state))
    }

    #[inline(always)]
    fn value_knowing(
        &self,
        board: Board,
        state: &Indices,
        moves: Squares,
        replies: Squares,
    ) -> i32 {
        let place = || PatternSet::mobility_place_of(board, moves, replies);
        hundredths(self.sum_with(board, state, place))
    }
}

#[cfg(test)]
pub(super) mod tests {
    use super::*;
    use crate::Othello;
    use crate::records::testing::random_game;
    use zug_core::rng;
    use zug_core::seed::RngExt;

    pub fn random_model(seed: u64) -> PatternModel {
        let set = PatternSet::parse(&["edge", "corner3x3", "diagonal5", "mobility"]).unwrap();
        let phases = Phases::new(&[10, 30, 50]).unwrap();
        let mut rng = rng(seed, 0);
        let weights = (0..3 * set.cells()).map(|_| rng.random_range(-500i32..500) as i16).collect();
        PatternModel::new(set, phases, weights).unwrap()
    }

    #[test]
    fn the_value_is_the_sum_of_the_cells_between_the_knots() {
        let model = random_model(1);
        let cells = model.set.cells();
        let mut board = Board::START;
        let mut list = Vec::new();
        for mv in random_game(&Othello::default(), 5, usize::MAX) {
            if board == Board::START {
                let best = bits::each(board.moves()).map(|s| -model.discs(board.after(s)));
                assert_eq!(model.discs(board), best.fold(f32::MIN, f32::max));
                board = board.after_move(mv);
                continue;
            }
            let (knot, share) = model.phases.place(board.discs());
            model.set.cells_of(board, &mut list);
            assert_eq!(list.len(), 4 + 4 + 4 + 1);
            let weight = |knot: usize, cell: u32| {
                f32::from(model.weights.get(knot * cells + cell as usize).copied().unwrap_or(0))
            };
            let expected: f32 = list
                .iter()
                .map(|&c| weight(knot, c) * (1.0 - share) + weight(knot + 1, c) * share)
                .sum();
            let expected = (expected / STEPS_PER_DISC).clamp(-64.0, 64.0);
            assert!((model.discs(board) - expected).abs() < 0.03);
            let value = model.value(board, &model.state(board)) as f32 / 100.0;
            assert!((value - model.discs(board)).abs() < 0.011);
            let (state, replies) = (model.state(board), board.replies());
            let knowing = model.value_knowing(board, &state, board.moves(), replies);
            assert_eq!(knowing, model.value(board, &state));
            board = board.after_move(mv);
        }
    }

    #[test]
    fn symmetric_positions_have_the_same_value() {
        let model = random_model(2);
        let mut board = Board::START;
        for mv in random_game(&Othello::default(), 9, usize::MAX) {
            for symmetry in 1..8 {
                assert_eq!(model.discs(board), model.discs(board.image(symmetry)));
            }
            board = board.after_move(mv);
        }
    }

    #[test]
    fn what_favours_the_side_to_move_is_taken_off_by_disc_count() {
        let (plain, mut table) = (random_model(4), [0; 65]);
        for (k, value) in (0i16..).zip(&mut table) {
            *value = 3 * k - 70;
        }
        let tempo = Tempo::new(table);
        let model = random_model(4).with_tempo(tempo.clone());
        let mut board = Board::START;
        for mv in random_game(&Othello::default(), 9, usize::MAX).into_iter().take(40) {
            board = board.after_move(mv);
            let value = |model: &PatternModel| model.value(board, &model.state(board));
            let taken = value(&plain) - value(&model);
            let is_inside = value(&plain).abs() < 6000;
            assert!(!is_inside || (taken - tempo.of(board.discs())).abs() <= 1, "{taken}");
        }
    }

    #[test]
    fn weights_that_do_not_fit_are_refused() {
        let set = PatternSet::parse(&["edge"]).unwrap();
        let phases = Phases::new(&[10]).unwrap();
        assert!(PatternModel::new(set, phases, vec![0; 7]).is_none());
    }
}
