//! The conservative test of a match used in Buro's thesis (section 3.6).
//!
//! Each pair of games gives a score rate X in {0, ¼, ½, ¾, 1}. "The first player is stronger" is
//! accepted at the 5 % level when the mean over N pairs reaches c = ½ + 1.65·σ/√N. The variance of
//! X is at most ¼ whatever the players are, so σ = ½ is always safe.

/// The critical score rate for so many pairs; `None` for none.
#[must_use]
pub fn critical_rate(pairs: usize) -> Option<f64> {
    (pairs > 0).then(|| 0.5 + 1.65 * 0.5 / (pairs as f64).sqrt())
}

/// The table of the thesis: pairs and critical rates.
pub const CRITICAL_TABLE: [(usize, f64); 5] =
    [(20, 0.685), (35, 0.640), (50, 0.617), (100, 0.583), (200, 0.558)];

/// Does this score rate over so many pairs show superiority by the conservative test?
#[must_use]
pub fn is_significant(pairs: usize, rate: f64) -> bool {
    critical_rate(pairs).is_some_and(|c| rate >= c)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_formula_gives_the_published_table() {
        for (pairs, rate) in CRITICAL_TABLE {
            let c = critical_rate(pairs).unwrap();
            // The table rounds, some entries up and some down.
            assert!((c - rate).abs() < 0.001, "{pairs}: {c} against {rate}");
        }
    }

    #[test]
    fn significance_needs_the_critical_rate() {
        assert!(is_significant(100, 0.583));
        assert!(!is_significant(100, 0.582));
        assert!(!is_significant(0, 1.0));
    }
}
