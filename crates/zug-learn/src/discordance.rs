//! How well does one number rank positions? The discordance of the thesis (chapter 2): among all
//! pairs in which the number says that the first is at least as good as the second, the share in
//! which the first is in truth worse. 0 is perfect; a number that says nothing has about ¼ where
//! wins and losses are equally many.
//!
//! Pairs are counted exactly, in O(n log n): sorted by value, each example meets the class counts
//! of all examples that are not above it.

use serde::Serialize;

use crate::LearnError;
use crate::rows::Class;

/// A value, the class of its position, and how often the example counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Ranked {
    /// The value of the feature.
    pub value: f64,
    /// The true class.
    pub class: Class,
    /// Number of equal examples that this one stands for.
    pub count: u64,
}

/// Counts of pairs, with what follows from them.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Discordance {
    /// Ordered pairs whose first member has no smaller value, but the worse class.
    pub wrong: u128,
    /// Ordered pairs whose first member has no smaller value (each example with itself included).
    pub all: u128,
    /// Pairs of different classes where the better one has the larger value.
    pub right_order: u128,
    /// Pairs of different classes with equal values.
    pub tied: u128,
    /// Pairs of different classes.
    pub differing: u128,
    /// Standard error of the discordance, as if the examples were independent.
    pub error: f64,
}

impl Discordance {
    /// The discordance, from 0 (perfect) to 1.
    #[must_use]
    pub fn value(&self) -> f64 {
        self.wrong as f64 / self.all as f64
    }

    /// The probability that of two positions of different classes the better has the larger value,
    /// ties counting half: without draws the area under the ROC curve. `None` where all positions
    /// have the same class.
    #[must_use]
    pub fn concordance(&self) -> Option<f64> {
        (self.differing > 0)
            .then(|| (self.right_order as f64 + self.tied as f64 / 2.0) / self.differing as f64)
    }
}

/// Class counts: loss, draw, win.
type Counts = [u64; 3];

/// The discordance of the examples; their order is lost.
///
/// # Errors
/// Refuses no examples, a value that is not a number (its row is named), and more than 2^63 examples.
pub fn discordance(examples: &mut [Ranked]) -> Result<Discordance, LearnError> {
    if let Some(at) = examples.iter().position(|e| e.value.is_nan()) {
        return Err(LearnError::NotFinite {
            row: at as u64 + 1,
            feature: "value".into(),
            value: f64::NAN,
        });
    }
    let total: u128 = examples.iter().map(|e| u128::from(e.count)).sum();
    if total == 0 {
        return Err(LearnError::NoExamples);
    }
    if total > 1 << 63 {
        return Err(LearnError::Argument(format!("{total} examples are too many to count pairs")));
    }
    examples.sort_unstable_by(|a, b| a.value.total_cmp(&b.value));
    let mut levels: Vec<Counts> = Vec::new();
    // Equal by ==, so that -0 and 0 are one value; the sort keeps them adjacent.
    for level in examples.chunk_by(|a, b| a.value == b.value) {
        let mut counts = [0; 3];
        level.iter().for_each(|e| counts[e.class as usize] += e.count);
        levels.push(counts);
    }
    Ok(count_pairs(&levels, total))
}

fn count_pairs(levels: &[Counts], total: u128) -> Discordance {
    let wide = |c: Counts| c.map(u128::from);
    let mut whole = [0u128; 3];
    for &level in levels {
        let level = wide(level);
        (0..3).for_each(|k| whole[k] += level[k]);
    }
    let mut d = Discordance { wrong: 0, all: 0, right_order: 0, tied: 0, differing: 0, error: 0.0 };
    d.differing = whole[0] * (whole[1] + whole[2]) + whole[1] * whole[2];
    let mut below = [0u128; 3];
    for &level in levels {
        let [n0, n1, n2] = wide(level);
        let [b0, b1, _] = below;
        d.right_order += n1 * b0 + n2 * (b0 + b1);
        d.tied += n0 * (n1 + n2) + n1 * n2;
        below = [b0 + n0, b1 + n1, below[2] + n2];
        let [c0, c1, c2] = below;
        d.wrong += n0 * (c1 + c2) + n1 * c2;
        d.all += (n0 + n1 + n2) * (c0 + c1 + c2);
    }
    d.error = standard_error(levels, whole, total, &d);
    d
}

/// The discordance is a ratio of two averages over pairs. To first order it varies like the mean
/// over examples of (wrong pairs of the example - discordance × all pairs of the example).
fn standard_error(levels: &[Counts], whole: [u128; 3], total: u128, d: &Discordance) -> f64 {
    let n = total as f64;
    let value = d.value();
    let mut below = [0u128; 3];
    let (mut sum, mut squares) = (0.0, 0.0);
    for &level in levels {
        let level = level.map(u128::from);
        let not_below: [u128; 3] = std::array::from_fn(|k| whole[k] - below[k]);
        (0..3).for_each(|k| below[k] += level[k]);
        let pairs = (below.iter().sum::<u128>() + not_below.iter().sum::<u128>()) as f64;
        for class in (0..3).filter(|&k| level[k] > 0) {
            let as_first: u128 = below[class + 1..].iter().sum();
            let as_second: u128 = not_below[..class].iter().sum();
            let part = ((as_first + as_second) as f64 - value * pairs) / (2.0 * n);
            sum += part * level[class] as f64;
            squares += part * part * level[class] as f64;
        }
    }
    let variance = (squares / n - (sum / n).powi(2)).max(0.0);
    let share = d.all as f64 / (n * n);
    2.0 / share * (variance / n).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::normal;
    use proptest::prelude::*;
    use zug_core::seed::{RngExt, rng};

    const CLASSES: [Class; 3] = [Class::Loss, Class::Draw, Class::Win];

    /// The definition, pair by pair.
    fn by_definition(examples: &[Ranked]) -> [u128; 5] {
        let mut found = [0; 5];
        for a in examples {
            for b in examples {
                let pairs = u128::from(a.count) * u128::from(b.count);
                if a.value >= b.value {
                    found[1] += pairs;
                    found[0] += if a.class < b.class { pairs } else { 0 };
                }
                if a.class > b.class {
                    found[2] += if a.value > b.value { pairs } else { 0 };
                    found[3] += if a.value == b.value { pairs } else { 0 };
                    found[4] += pairs;
                }
            }
        }
        found
    }

    proptest! {
        #[test]
        fn the_count_is_that_of_the_definition(
            raw in proptest::collection::vec((-6i32..6, 0usize..3, 0u64..4), 1..60),
        ) {
            let mut examples: Vec<Ranked> = raw
                .iter()
                .map(|&(v, k, count)| Ranked { value: f64::from(v) / 2.0, class: CLASSES[k], count })
                .collect();
            let expected = by_definition(&examples);
            match discordance(&mut examples) {
                Ok(d) => prop_assert_eq!([d.wrong, d.all, d.right_order, d.tied, d.differing], expected),
                Err(_) => prop_assert_eq!(expected[1], 0),
            }
        }

        #[test]
        fn a_count_is_so_many_copies(raw in proptest::collection::vec((-3i32..3, 0usize..3, 1u64..4), 2..30)) {
            let mut counted: Vec<Ranked> = raw
                .iter()
                .map(|&(v, k, count)| Ranked { value: f64::from(v), class: CLASSES[k], count })
                .collect();
            let mut copied: Vec<Ranked> = counted
                .iter()
                .flat_map(|e| (0..e.count).map(|_| Ranked { count: 1, ..*e }))
                .collect();
            let (a, b) = (discordance(&mut counted).unwrap(), discordance(&mut copied).unwrap());
            prop_assert_eq!(a.wrong, b.wrong);
            prop_assert!((a.error - b.error).abs() < 1e-12);
        }
    }

    fn half_and_half(n: u64, value: impl Fn(u64, Class) -> f64) -> Vec<Ranked> {
        (0..n)
            .map(|i| {
                let class = if i % 2 == 0 { Class::Loss } else { Class::Win };
                Ranked { value: value(i, class), class, count: 1 }
            })
            .collect()
    }

    #[test]
    fn perfect_silent_and_inverted_features_have_known_discordances() {
        let of = |mut e: Vec<Ranked>| discordance(&mut e).unwrap();
        let perfect = of(half_and_half(1000, |i, k| k.points() * 1e6 + i as f64));
        assert_eq!((perfect.value(), perfect.concordance()), (0.0, Some(1.0)));
        let constant = of(half_and_half(1000, |_, _| 7.0));
        assert_eq!((constant.value(), constant.concordance()), (0.25, Some(0.5)));
        let inverted = of(half_and_half(1000, |i, k| k.points() * -1e6 + i as f64));
        assert!((inverted.value() - 0.5).abs() < 1e-3);
        assert_eq!(inverted.concordance(), Some(0.0));
        let mut one_class = vec![Ranked { value: 0.0, class: Class::Win, count: 2 }];
        assert_eq!(discordance(&mut one_class).unwrap().concordance(), None);
    }

    #[test]
    fn the_standard_error_is_that_of_a_bootstrap() {
        let mut r = rng(1, 0);
        let mut examples: Vec<Ranked> = (0..400)
            .map(|i| {
                let class = CLASSES[usize::from(i % 5 != 0) + usize::from(i % 5 > 2)];
                let value = (class.points() * 1.5 + normal(&mut r)) * 4.0;
                Ranked { value: value.round(), class, count: 1 }
            })
            .collect();
        let error = discordance(&mut examples).unwrap().error;
        let rounds = 1000;
        let values: Vec<f64> = (0..rounds)
            .map(|_| {
                let mut again: Vec<Ranked> =
                    (0..400).map(|_| examples[r.random_range(0..400usize)]).collect();
                discordance(&mut again).unwrap().value()
            })
            .collect();
        let mean = values.iter().sum::<f64>() / f64::from(rounds);
        let variance = values.iter().map(|v| (v - mean).powi(2)).sum::<f64>() / f64::from(rounds);
        assert!((error / variance.sqrt() - 1.0).abs() < 0.12, "{error} {}", variance.sqrt());
    }

    #[test]
    fn values_that_are_no_numbers_are_refused() {
        let mut e = half_and_half(4, |i, _| if i == 2 { f64::NAN } else { 0.0 });
        assert!(discordance(&mut e).unwrap_err().to_string().starts_with("row 3"));
        assert!(matches!(discordance(&mut []), Err(LearnError::NoExamples)));
        let huge = Ranked { value: 0.0, class: Class::Win, count: u64::MAX };
        assert!(discordance(&mut [huge]).is_err());
        // Below that limit nothing overflows.
        let half = Ranked { count: 1 << 62, ..huge };
        let loss = Ranked { class: Class::Loss, ..half };
        assert_eq!(discordance(&mut [half, loss]).unwrap().value(), 0.25);
    }
}
