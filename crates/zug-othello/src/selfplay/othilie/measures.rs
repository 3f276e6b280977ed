//! How much alike are the polynomials of a group, do their signs make sense, and for how long did
//! nothing come of the games? (Chapter 5, formulas 5.1 to 5.3.)

use super::features::FeatureSet;

/// The standard deviation of a few values (divided by their number, as in the thesis).
///
/// ```
/// use zug_othello::selfplay::othilie::measures::deviation;
/// assert!((deviation(&[82.7, 83.4, 82.6]) - 0.356).abs() < 0.001);
/// ```
#[must_use]
pub fn deviation(values: &[f64]) -> f64 {
    let mean = mean(values);
    mean_of(values.iter().map(|v| (v - mean) * (v - mean))).sqrt()
}

/// The mean; 0 of nothing.
#[must_use]
pub fn mean(values: &[f64]) -> f64 {
    mean_of(values.iter().copied())
}

fn mean_of(values: impl ExactSizeIterator<Item = f64>) -> f64 {
    let n = values.len().max(1) as f64;
    values.sum::<f64>() / n
}

/// Q: the sum over all features of the standard deviation of their weights. 0 is identical.
#[must_use]
pub fn similarity_of(polynomials: &[&[f64]]) -> f64 {
    let features = polynomials.first().map_or(0, |p| p.len());
    (0..features).map(|i| deviation_of(polynomials, i)).sum()
}

/// Q in proportion to the weights: divided by the mean sum of their absolute values. Small weights
/// are alike for being small; this tells likeness apart from that.
#[must_use]
pub fn relative_similarity(polynomials: &[&[f64]]) -> f64 {
    let sizes: Vec<f64> =
        polynomials.iter().map(|p| p.iter().map(|w| w.abs()).sum::<f64>()).collect();
    let size = mean(&sizes);
    if size > 0.0 { similarity_of(polynomials) / size } else { 0.0 }
}

/// The standard deviation of one feature's weights.
#[must_use]
pub fn deviation_of(polynomials: &[&[f64]], feature: usize) -> f64 {
    let weights: Vec<f64> = polynomials.iter().map(|p| p[feature]).collect();
    deviation(&weights)
}

/// Q*: the sum of Q over all games from `from` to the last.
#[must_use]
pub fn persistence(q: &[f64], from: usize) -> f64 {
    q.iter().skip(from).sum()
}

/// How many weights have the sign that one expects. Of the features of the thesis only: who knows
/// what to expect of the others?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Signs {
    /// Weights of own discs, above 0.
    pub own_positive: usize,
    /// Weights of the opponent's discs, below 0.
    pub opponent_negative: usize,
    /// Weights of each kind.
    pub of: usize,
}

impl Signs {
    /// Counted in one polynomial.
    #[must_use]
    pub fn of(weights: &[f64]) -> Signs {
        let mut signs = Signs { of: super::features::FEATURES / 2, ..Signs::default() };
        for (i, w) in weights.iter().enumerate().take(super::features::FEATURES) {
            if FeatureSet::is_own(i) {
                signs.own_positive += usize::from(*w > 0.0);
            } else {
                signs.opponent_negative += usize::from(*w < 0.0);
            }
        }
        signs
    }
}

/// Games in a row that Alpha did not win.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Stretch {
    /// The first of them, counted from 1.
    pub first: usize,
    /// The last of them.
    pub last: usize,
}

impl Stretch {
    /// How many games.
    #[must_use]
    pub fn len(&self) -> usize {
        (self.last + 1).saturating_sub(self.first)
    }

    /// Is it none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

/// The stretches of at least `least` games without a win, in order. `won` holds game 1 first.
#[must_use]
pub fn losing_stretches(won: impl IntoIterator<Item = bool>, least: usize) -> Vec<Stretch> {
    let mut found = Vec::new();
    let (mut begin, mut end) = (1, 0);
    let mut close = |begin: usize, end: usize| {
        if end + 1 >= begin + least.max(1) {
            found.push(Stretch { first: begin, last: end });
        }
    };
    for won in won {
        end += 1;
        if won {
            close(begin, end - 1);
            begin = end + 1;
        }
    }
    close(begin, end);
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identical_polynomials_have_similarity_0_and_others_the_sum_of_deviations() {
        let (a, b, c) = ([0.5, -1.0], [0.5, 1.0], [0.5, 0.0]);
        assert_eq!(similarity_of(&[&a, &a, &a]), 0.0);
        assert!((similarity_of(&[&a, &b, &c]) - (2.0f64 / 3.0).sqrt()).abs() < 1e-12);
        assert_eq!(similarity_of(&[]), 0.0);
        let half = relative_similarity(&[&[1.0, 0.5], &[0.0, 0.5]]);
        assert_eq!((half, relative_similarity(&[])), (0.5, 0.0));
        assert_eq!(persistence(&[1.0, 2.0, 4.0], 1), 6.0);
    }

    #[test]
    fn losing_stretches_are_found_at_the_beginning_inside_and_at_the_end() {
        let games = |text: &str| text.chars().map(|c| c == 'w').collect::<Vec<_>>();
        let found = losing_stretches(games("..w.w...w.."), 2);
        let bounds: Vec<_> = found.iter().map(|s| (s.first, s.last, s.len())).collect();
        assert_eq!(bounds, [(1, 2, 2), (6, 8, 3), (10, 11, 2)]);
        assert!(losing_stretches(games("www"), 1).is_empty());
        assert!(losing_stretches(games(""), 1).is_empty());
        assert_eq!(losing_stretches(games("..."), 3).len(), 1);
    }
}
