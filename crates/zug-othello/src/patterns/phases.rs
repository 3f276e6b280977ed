//! How do weights change over the game? They are given at a few disc counts, the knots, and drawn in
//! straight lines between them.

use std::fmt;

/// The disc counts at which weights are given, rising.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Phases {
    knots: Vec<u8>,
}

impl Phases {
    /// With these knots; `None` unless there is one at least, they rise, and lie on the board.
    #[must_use]
    pub fn new(knots: &[u8]) -> Option<Phases> {
        let fits = knots.windows(2).all(|w| w[0] < w[1]) && knots.last().is_some_and(|&k| k <= 64);
        fits.then(|| Phases { knots: knots.to_vec() })
    }

    /// Knots from `first` to `last` at equal distance.
    #[must_use]
    pub fn every(first: u8, step: u8, last: u8) -> Option<Phases> {
        let knots: Vec<u8> = (first..=last).step_by(usize::from(step.max(1))).collect();
        Phases::new(&knots)
    }

    /// The knots.
    #[must_use]
    pub fn knots(&self) -> &[u8] {
        &self.knots
    }

    /// How many knots.
    #[must_use]
    #[allow(clippy::len_without_is_empty)] // There is always one.
    pub fn len(&self) -> usize {
        self.knots.len()
    }

    /// Where a disc count lies: the knot before it, and the share of the next knot (0 at the last).
    #[must_use]
    pub fn place(&self, discs: u32) -> (usize, f32) {
        let after = self.knots.partition_point(|&k| u32::from(k) <= discs);
        if after == 0 {
            return (0, 0.0);
        }
        let Some(&next) = self.knots.get(after) else { return (after - 1, 0.0) };
        let knot = self.knots[after - 1];
        (after - 1, (discs - u32::from(knot)) as f32 / f32::from(next - knot))
    }
}

impl fmt::Display for Phases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let knots: Vec<String> = self.knots.iter().map(u8::to_string).collect();
        f.write_str(&knots.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn disc_counts_lie_between_their_knots() {
        let phases = Phases::every(12, 4, 60).unwrap();
        assert_eq!(phases.len(), 13);
        assert_eq!(phases.place(4), (0, 0.0));
        assert_eq!(phases.place(12), (0, 0.0));
        assert_eq!(phases.place(15), (0, 0.75));
        assert_eq!(phases.place(16), (1, 0.0));
        assert_eq!(phases.place(60), (12, 0.0));
        assert_eq!(phases.place(64), (12, 0.0));
        assert_eq!(Phases::new(&[]), None);
        assert_eq!(Phases::new(&[12, 12]), None);
        assert_eq!(Phases::new(&[12, 65]), None);
    }
}
