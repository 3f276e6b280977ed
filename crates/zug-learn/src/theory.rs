//! Why positions at the leaves of a search are mostly won for the side to move (thesis section
//! 3.6a): whoever made the last move in an arbitrary line probably made the last mistake.
//!
//! The model: a tree of uniform branching `w` without ends, where in every won position exactly
//! `l` of the moves lose, so that `c = w - l` win. A position at depth d is lost for its mover when
//! it is reached by a winning move: L_d = c·W_(d-1) and W_d = w^d - L_d.

use crate::LearnError;

/// The tree of the model.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct UniformTree {
    branching: u32,
    losing: u32,
    root_won: bool,
}

impl UniformTree {
    /// A tree where `losing` of `branching` moves lose in each won position.
    ///
    /// # Errors
    /// A won position has a winning move, hence `losing` must be smaller than `branching`.
    pub fn new(branching: u32, losing: u32, root_won: bool) -> Result<UniformTree, LearnError> {
        if losing >= branching {
            return Err(LearnError::Argument(format!(
                "{losing} losing moves of {branching}: a won position needs a winning move"
            )));
        }
        Ok(UniformTree { branching, losing, root_won })
    }

    fn winning(self) -> u32 {
        self.branching - self.losing
    }

    /// The number of positions at this depth that are won for their mover, by recursion; `None`
    /// beyond 128 bits.
    #[must_use]
    pub fn won(self, depth: u32) -> Option<u128> {
        let mut positions = 1u128;
        let mut won = u128::from(self.root_won);
        for _ in 0..depth {
            positions = positions.checked_mul(u128::from(self.branching))?;
            won = positions.checked_sub(u128::from(self.winning()).checked_mul(won)?)?;
        }
        Some(won)
    }

    /// The same by the closed form (w^(d+1) - (-c)^(d+1)) / (c+w) - (-c)^d (1 - W_0).
    #[must_use]
    pub fn won_by_formula(self, depth: u32) -> Option<u128> {
        let (w, c) = (i128::from(self.branching), i128::from(self.winning()));
        let start = w.checked_pow(depth + 1)?.checked_sub((-c).checked_pow(depth + 1)?)?;
        let correction = (-c).checked_pow(depth)? * i128::from(!self.root_won);
        u128::try_from(start / (c + w) - correction).ok()
    }

    /// The share of positions at this depth that are won for their mover:
    /// w/(c+w) + (W_0 - w/(c+w)) (-c/w)^d.
    #[must_use]
    pub fn share(self, depth: u32) -> f64 {
        let limit = self.limit();
        let ratio = f64::from(self.winning()) / f64::from(self.branching);
        let sign = if depth.is_multiple_of(2) { 1.0 } else { -1.0 };
        limit + (f64::from(u8::from(self.root_won)) - limit) * sign * ratio.powf(f64::from(depth))
    }

    /// The share far from the root: 1 / (2 - l/w), more than a half. (With no losing move the
    /// shares alternate and the value is only their mean.)
    #[must_use]
    pub fn limit(self) -> f64 {
        f64::from(self.branching) / f64::from(self.winning() + self.branching)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn recursion_and_formula_give_the_printed_numbers() {
        let printed = [
            (
                false,
                [1.000000, 0.694444, 0.787809, 0.759281, 0.767998, 0.765334, 0.766148, 0.765899],
            ),
            (
                true,
                [0.694444, 0.787809, 0.759281, 0.767998, 0.765334, 0.766148, 0.765899, 0.765975],
            ),
        ];
        for (root_won, shares) in printed {
            let tree = UniformTree::new(36, 25, root_won).unwrap();
            assert_eq!(format!("{:.6}", tree.limit()), "0.765957");
            for (depth, share) in (1..).zip(shares) {
                let counted = tree.won(depth).unwrap() as f64 / 36f64.powi(depth as i32);
                assert_eq!(format!("{counted:.6}"), format!("{share:.6}"));
                assert_eq!(format!("{:.6}", tree.share(depth)), format!("{share:.6}"));
            }
        }
    }

    #[test]
    fn a_tree_without_a_winning_move_is_refused() {
        assert!(UniformTree::new(3, 3, true).is_err());
        assert!(UniformTree::new(0, 0, true).is_err());
    }

    proptest! {
        #[test]
        fn recursion_and_formula_agree(w in 1u32..40, part in 0.0f64..1.0, won: bool, depth in 0u32..60) {
            let tree = UniformTree::new(w, (part * f64::from(w)) as u32, won).unwrap();
            if let (Some(a), Some(b)) = (tree.won(depth), tree.won_by_formula(depth)) {
                prop_assert_eq!(a, b);
                let share = a as f64 / f64::from(w).powi(depth as i32);
                prop_assert!((tree.share(depth) - share).abs() < 1e-9);
            }
        }
    }
}
