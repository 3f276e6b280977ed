//! By how much was each position of a game misjudged, seen from what came after it?
//!
//! With the values `v` of a game's positions from one side's view, the result last, and their steps
//! `d[t] = v[t + 1] - v[t]`, the error of TD(λ) at `t` is the sum of `λ^(j - t) d[j]` over all later
//! steps `j`. λ = 0 looks one step ahead; λ = 1 looks at the result alone.

/// The errors of all positions but the last, into `out` (cleared first).
///
/// ```
/// let mut errors = Vec::new();
/// zug_learn::td::trace::errors(&[0.0, 0.5, 1.0], 0.5, &mut errors);
/// assert_eq!(errors, [0.75, 0.5]);
/// ```
pub fn errors(values: &[f64], lambda: f64, out: &mut Vec<f64>) {
    out.clear();
    let mut later = 0.0;
    for pair in values.windows(2).rev() {
        later = pair[1] - pair[0] + lambda * later;
        out.push(later);
    }
    out.reverse();
}

#[cfg(test)]
mod tests {
    use super::errors;
    use proptest::prelude::*;

    fn of(values: &[f64], lambda: f64) -> Vec<f64> {
        let mut out = vec![f64::NAN];
        errors(values, lambda, &mut out);
        out
    }

    #[test]
    fn nothing_can_be_learned_from_less_than_two_values() {
        assert!(of(&[], 0.7).is_empty());
        assert!(of(&[0.3], 0.7).is_empty());
    }

    proptest! {
        #[test]
        fn errors_are_the_weighted_sums_of_later_steps(
            values in prop::collection::vec(-1.0..1.0_f64, 0..40),
            lambda in 0.0..=1.0_f64,
        ) {
            let found = of(&values, lambda);
            prop_assert_eq!(found.len(), values.len().saturating_sub(1));
            for (t, error) in found.iter().enumerate() {
                let sum: f64 = (t..values.len() - 1)
                    .map(|j| lambda.powi((j - t) as i32) * (values[j + 1] - values[j]))
                    .sum();
                prop_assert!((error - sum).abs() < 1e-9);
            }
        }

        #[test]
        fn at_one_only_the_result_counts_and_at_nought_only_the_next_value(
            values in prop::collection::vec(-1.0..1.0_f64, 2..40),
        ) {
            let result = values[values.len() - 1];
            for (t, (far, near)) in of(&values, 1.0).iter().zip(of(&values, 0.0)).enumerate() {
                prop_assert!((far - (result - values[t])).abs() < 1e-9);
                prop_assert_eq!(near, values[t + 1] - values[t]);
            }
        }
    }
}
