//! The evaluation that training games are played with: quick to bring up to date.
//!
//! A [`PatternModel`](crate::patterns::PatternModel) draws a table for every disc count, which pays
//! when it is kept. Here the weights change many times a second, so there is only a table for every
//! pair of neighbouring knots, with both weights side by side; the line between them is drawn when a
//! position is evaluated.

use super::weights::Weights;
use crate::Board;
use crate::bits::Squares;
use crate::engine::{Evaluation, Unit};
use crate::patterns::{Indices, PatternSet, STEPS_PER_DISC};
use rayon::prelude::*;

/// The weights of an instance at two neighbouring knots, in steps.
type Pair = [i16; 2];
/// Every 16-bit instance lies within a table, so that looking needs no check.
const LONG: usize = 1 << 16;

/// Weights, ready for games.
pub struct Live {
    set: PatternSet,
    /// For each pair of neighbouring knots, or the only knot, a table for each pattern and that over
    /// the numbers of moves.
    segments: Vec<Vec<Vec<Pair>>>,
    /// For each disc count its segment and the share of the second knot.
    places: [(usize, f32); 65],
}

impl Live {
    /// From weights.
    pub fn new(weights: &Weights) -> Live {
        let (set, phases) = (weights.set(), weights.phases());
        let segments = phases.len().max(2) - 1;
        let long = || vec![[0, 0]; LONG];
        let tables = || -> Vec<Vec<Pair>> {
            set.patterns().iter().map(|_| long()).chain(set.has_mobility().then(long)).collect()
        };
        let mut places = [(0, 0.0); 65];
        for (discs, place) in places.iter_mut().enumerate() {
            let (knot, share) = phases.place(discs as u32);
            *place = if knot >= segments { (segments - 1, 1.0) } else { (knot, share) };
        }
        if phases.len() == 1 {
            places = [(0, 0.0); 65];
        }
        let mut live =
            Live { set: set.clone(), segments: (0..segments).map(|_| tables()).collect(), places };
        live.refresh(weights);
        live
    }

    /// Takes the weights as they are now.
    pub fn refresh(&mut self, weights: &Weights) {
        let set = weights.set();
        let (cells, knots) = (set.cells(), weights.phases().len());
        let rounded = |weight: f32| (weight * STEPS_PER_DISC).round() as i16;
        self.segments.par_iter_mut().enumerate().for_each(|(segment, tables)| {
            let before = &weights.cells[segment * cells..][..cells];
            let next = (segment + 1).min(knots - 1);
            let after = &weights.cells[next * cells..][..cells];
            let pair = |cell: usize| [rounded(before[cell]), rounded(after[cell])];
            let mut first = 0;
            let starts: Vec<usize> = set
                .patterns()
                .iter()
                .map(|pattern| {
                    first += pattern.instances();
                    first - pattern.instances()
                })
                .collect();
            tables.par_iter_mut().enumerate().for_each(|(number, table)| {
                match set.patterns().get(number) {
                    Some(pattern) => {
                        let cell_of = &set.cell_of_instances()[starts[number]..];
                        let table = &mut table[..pattern.instances()];
                        for (place, &cell) in table.iter_mut().zip(cell_of) {
                            *place = pair(cell as usize);
                        }
                    }
                    None => {
                        let first = cells - PatternSet::mobility_cells();
                        let table = &mut table[..PatternSet::mobility_cells()];
                        for (at, place) in table.iter_mut().enumerate() {
                            *place = pair(first + at);
                        }
                    }
                }
            });
        });
    }

    #[inline(always)]
    fn hundredths(&self, board: Board, state: &Indices, mobility: impl FnOnce() -> usize) -> i32 {
        let (segment, share) = self.places[board.discs() as usize & 127];
        let tables = &self.segments[segment];
        let (mut before, mut after) = (0, 0);
        let mut lanes = state.0.as_slice();
        for (&images, table) in self.set.images().iter().zip(tables) {
            let table: &[Pair; LONG] = table.as_slice().try_into().expect("as long as that");
            let (these, rest) = lanes.split_at(images.min(lanes.len()));
            lanes = rest;
            for &index in these {
                let [a, b] = table[usize::from(index)];
                before += i32::from(a);
                after += i32::from(b);
            }
        }
        if self.set.has_mobility() {
            let [a, b] = tables[tables.len() - 1][mobility()];
            before += i32::from(a);
            after += i32::from(b);
        }
        let steps = before as f32 + share * (after - before) as f32;
        ((steps * (100.0 / STEPS_PER_DISC)) as i32).clamp(-6400, 6400)
    }
}

impl Evaluation for Live {
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

    #[inline]
    fn value(&self, board: Board, state: &Indices) -> i32 {
        self.hundredths(board, state, || PatternSet::mobility_place(board))
    }

    #[inline(always)]
    fn value_knowing(
        &self,
        board: Board,
        state: &Indices,
        moves: Squares,
        replies: Squares,
    ) -> i32 {
        self.hundredths(board, state, || PatternSet::mobility_place_of(board, moves, replies))
    }
}

#[cfg(test)]
mod tests {
    use super::super::game::opening;
    use super::*;
    use crate::patterns::Phases;
    use zug_core::rng;

    #[test]
    fn values_are_those_of_the_model_but_for_rounding() {
        for knots in [vec![8, 20, 60], vec![12, 16], vec![30]] {
            for list in [vec!["edge", "corner3x3", "mobility"], vec!["diagonal5", "row2"]] {
                let set = PatternSet::parse(&list).unwrap();
                let phases = Phases::new(&knots).unwrap();
                let mut weights = Weights::new(set, phases, 0.9, 7);
                let mut live = Live::new(&weights);
                for round in 0..2 {
                    let model = weights.model();
                    for stream in 0..60 {
                        let board = opening(1 + (stream % 44) as u32, &mut rng(3, stream));
                        let (one, two) = (
                            live.value(board, &live.state(board)),
                            model.value(board, &model.state(board)),
                        );
                        // Each lane may be off by half a step of 1/256 disc.
                        assert!((one - two).abs() <= 8, "{one} {two} round {round}");
                    }
                    weights.cells.iter_mut().for_each(|w| *w *= -0.7);
                    live.refresh(&weights);
                }
            }
        }
    }
}
