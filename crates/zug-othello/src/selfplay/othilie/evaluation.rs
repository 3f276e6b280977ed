//! How is a polynomial evaluated quickly, and always the same?
//!
//! Rings and totals are folded into one value a square and side. Values are whole numbers (units of
//! 2⁻²⁴ of wᵀx), so that sums do not depend on their order: a position that differs from another by
//! a symmetry of the classes has exactly the same value, and a value kept up to date move by move is
//! exactly that computed anew.
//!
//! A running value is one word: the sum in the low 40 bits, the lead in discs above them. A table
//! with the value of each row of discs that change sides makes an update eight look-ups.

use super::features::{self, FEATURES, FeatureSet, RINGS, class_of};
use crate::bits::Squares;

/// Fixed point: one in wᵀx.
const ONE: f64 = (1u32 << 24) as f64;
/// Where the lead in discs begins in a running value.
const LEAD: u32 = 40;

/// A polynomial made ready for search.
#[derive(Clone)]
pub struct Evaluation {
    /// For every square the change when an own (0) or an opponent's (1) disc is added.
    added: [[i64; 64]; 2],
    /// For the four kinds of rows and every set of columns: discs that become own.
    turned: [[i64; 256]; 4],
    /// Added when nobody, the own side or the opponent is ahead.
    ahead: [i32; 3],
    /// Weight of one unit and largest count, for the added features.
    extra: Vec<(i32, u32)>,
    set: FeatureSet,
    /// The value of a won game.
    win: i32,
}

impl Evaluation {
    /// The evaluation function with these weights; their number tells the features. Weights beyond
    /// ±1 are scaled down all together, which changes no choice between running games.
    ///
    /// # Panics
    /// If there is no set of that many features.
    #[must_use]
    pub fn new(weights: &[f64]) -> Evaluation {
        let set = FeatureSet::of_len(weights.len()).expect("as many weights as features");
        let mut evaluation = Evaluation {
            added: [[0; 64]; 2],
            turned: [[0; 256]; 4],
            ahead: [0; 3],
            extra: Vec::new(),
            set,
            win: (set.len() as f64 * ONE) as i32,
        };
        evaluation.set_weights(weights);
        evaluation
    }

    /// Takes other weights for the same features.
    pub fn set_weights(&mut self, weights: &[f64]) {
        let largest = weights.iter().fold(1.0f64, |m, w| m.max(w.abs()));
        let unit = ONE / largest;
        let fixed = |w: f64| (w * unit).round() as i32;
        let mut turned = [[0i64; 8]; 4];
        for square in 0..64u32 {
            let row = (square / 8).min(7 - square / 8) as usize;
            let mut value = [0i64; 2];
            for (side, value) in value.iter_mut().enumerate() {
                let mut w = weights[16 * side + class_of(square)] / 4.0 + weights[38 + side] / 64.0;
                for (ring, squares) in RINGS.into_iter().enumerate() {
                    if squares >> square & 1 == 1 {
                        w += weights[32 + 2 * ring + side] / f64::from(squares.count_ones());
                    }
                }
                *value = i64::from(fixed(w));
                let lead = if side == 0 { 1i64 } else { -1 };
                self.added[side][square as usize] = *value + (lead << LEAD);
            }
            turned[row][(square % 8) as usize] = value[0] - value[1] + (2 << LEAD);
        }
        for (row, values) in turned.iter().enumerate() {
            for set in 1..256usize {
                let lowest = set.trailing_zeros() as usize;
                self.turned[row][set] = self.turned[row][set & (set - 1)] + values[lowest];
            }
        }
        self.ahead = [0, fixed(weights[40]), fixed(weights[41])];
        self.extra.clear();
        if weights.len() > FEATURES {
            let units = self.set.unit_weights(weights);
            self.extra.extend(units.into_iter().map(|(w, most)| (fixed(w), most)));
        }
    }

    /// The features.
    #[must_use]
    pub fn set(&self) -> FeatureSet {
        self.set
    }

    /// A position's running value for the side that owns `own`.
    #[must_use]
    pub fn running(&self, own: Squares, opponent: Squares) -> i64 {
        crate::bits::each(own).map(|s| self.added[0][s as usize]).sum::<i64>()
            + crate::bits::each(opponent).map(|s| self.added[1][s as usize]).sum::<i64>()
    }

    /// The running value after the own side (0) or the opponent (1) has played on a square.
    #[inline(always)]
    pub(super) fn after(&self, running: i64, mover: usize, square: u32, flips: Squares) -> i64 {
        let rows = flips.to_le_bytes();
        let mut turned = 0;
        let mut row = 0;
        while row < 4 {
            turned +=
                self.turned[row][rows[row] as usize] + self.turned[row][rows[7 - row] as usize];
            row += 1;
        }
        let added = self.added[mover][(square & 63) as usize];
        running + added + if mover == 0 { turned } else { -turned }
    }

    /// The value of a running game for the own side.
    #[inline(always)]
    pub(super) fn value(&self, running: i64, own: Squares, opponent: Squares) -> i32 {
        let sum = (running << (64 - LEAD)) >> (64 - LEAD);
        let lead = (running - sum) >> LEAD;
        let ahead = self.ahead[if lead > 0 {
            1
        } else if lead < 0 {
            2
        } else {
            0
        }];
        let value = sum as i32 + ahead;
        if self.extra.is_empty() { value } else { value + self.extra_value(own, opponent) }
    }

    #[inline(never)]
    fn extra_value(&self, own: Squares, opponent: Squares) -> i32 {
        let mut counts = [0; features::MOBILITY + features::CORNER];
        let mut n = 0;
        if self.set.mobility {
            counts[..features::MOBILITY].copy_from_slice(&features::mobility_counts(own, opponent));
            n = features::MOBILITY;
        }
        if self.set.corners {
            let corner = features::corner_counts(own, opponent);
            counts[n..n + features::CORNER].copy_from_slice(&corner);
        }
        self.extra.iter().zip(counts).map(|(&(w, most), c)| w * c.min(most) as i32).sum()
    }

    /// The value of a finished game for the own side.
    #[inline(always)]
    pub(super) fn finished(&self, running: i64) -> i32 {
        let sum = (running << (64 - LEAD)) >> (64 - LEAD);
        let lead = (running - sum) >> LEAD;
        self.win * lead.signum() as i32
    }

    /// A value between -1 and 1: what was searched with, divided by the number of features.
    #[must_use]
    pub fn normal(&self, value: i32) -> f64 {
        f64::from(value) / f64::from(self.win)
    }
}

/// The evaluation of the thesis (Listing 4.1): -1, 0 or 1 for a finished game, otherwise wᵀx divided
/// by the number of features.
#[must_use]
pub fn score(weights: &[f64], own: Squares, opponent: Squares) -> f64 {
    if (crate::Board { own, other: opponent }).is_over() {
        return f64::from((own.count_ones() as i32 - opponent.count_ones() as i32).signum());
    }
    running_score(weights, own, opponent)
}

/// The evaluation without asking whether the game is over.
#[must_use]
pub fn running_score(weights: &[f64], own: Squares, opponent: Squares) -> f64 {
    if weights.len() == FEATURES {
        return dot(weights, &features::features(own, opponent)) / FEATURES as f64;
    }
    let set = FeatureSet::of_len(weights.len()).expect("as many weights as features");
    let mut x = Vec::with_capacity(weights.len());
    set.write(own, opponent, &mut x);
    dot(weights, &x) / weights.len() as f64
}

/// The scalar product, in the order of the features.
#[must_use]
pub fn dot(weights: &[f64], x: &[f64]) -> f64 {
    weights.iter().zip(x).map(|(w, x)| w * x).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::tests::discs;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn the_quick_value_is_the_scalar_product(
            (_, own, opponent) in discs(),
            weights in prop_oneof![
                proptest::collection::vec(-1.0f64..1.0, 42),
                proptest::collection::vec(-1.0f64..1.0, 52),
            ],
        ) {
            let evaluation = Evaluation::new(&weights);
            let running = evaluation.running(own, opponent);
            let quick = evaluation.normal(evaluation.value(running, own, opponent));
            prop_assert!((quick - running_score(&weights, own, opponent)).abs() < 1e-6);
            prop_assert!(quick.abs() <= 1.0 + 1e-6);
        }

        #[test]
        fn a_value_kept_up_to_date_is_the_value_computed_anew(
            (_, own, opponent) in discs(), weights in proptest::collection::vec(-1.0f64..1.0, 42),
        ) {
            let evaluation = Evaluation::new(&weights);
            let running = evaluation.running(own, opponent);
            let empty = !(own | opponent);
            for square in crate::bits::each(crate::bits::moves(own, opponent, empty)) {
                let flips = crate::bits::flips(square, own, opponent);
                prop_assert_eq!(
                    evaluation.after(running, 0, square, flips),
                    evaluation.running(own | flips | 1 << square, opponent & !flips)
                );
            }
            for square in crate::bits::each(crate::bits::moves(opponent, own, empty)) {
                let flips = crate::bits::flips(square, opponent, own);
                prop_assert_eq!(
                    evaluation.after(running, 1, square, flips),
                    evaluation.running(own & !flips, opponent | flips | 1 << square)
                );
            }
        }
    }
}
