//! Score, Elo difference and error bars of one player against another.

use super::{Z95, normal_cdf};
use serde::{Deserialize, Serialize};

/// The scale on which a difference in strength is stated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum EloModel {
    /// The usual one: a score of 1/(1 + 10^(-elo/400)).
    #[default]
    Logistic,
    /// Distance from equality in standard deviations of a game, on a similar scale; it does not
    /// depend on how drawish the openings are.
    Normalized,
}

/// The Elo difference that makes this score; `None` for 0 and 1, which no finite difference makes.
///
/// ```
/// use zug_arena::stats::elo_of_score;
/// assert_eq!(elo_of_score(0.5), Some(0.0));
/// assert!((elo_of_score(0.75).unwrap() - 190.85).abs() < 0.01);
/// ```
#[must_use]
pub fn elo_of_score(score: f64) -> Option<f64> {
    (score > 0.0 && score < 1.0).then(|| {
        let elo = -400.0 * (1.0 / score - 1.0).log10();
        // No -0.0 in reports.
        elo + 0.0
    })
}

/// The score expected at an Elo difference.
#[must_use]
pub fn score_of_elo(elo: f64) -> f64 {
    1.0 / (1.0 + 10f64.powf(-elo / 400.0))
}

/// How many pairs brought 0, ½, 1, 1½ and 2 points.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Pentanomial(pub [u64; 5]);

impl Pentanomial {
    /// Number of pairs.
    #[must_use]
    pub fn pairs(&self) -> u64 {
        self.0.iter().sum()
    }

    /// Mean score of a game and variance of the mean score of a pair.
    #[must_use]
    pub fn mean_and_variance(&self) -> Option<(f64, f64)> {
        mean_and_variance(&self.0)
    }
}

/// Of equidistant results from 0 to 1 with these counts.
fn mean_and_variance(counts: &[u64]) -> Option<(f64, f64)> {
    let n: u64 = counts.iter().sum();
    if n == 0 {
        return None;
    }
    let last = (counts.len() - 1) as f64;
    let moment = |f: &dyn Fn(f64) -> f64| {
        let sum: f64 = counts.iter().enumerate().map(|(i, &c)| c as f64 * f(i as f64 / last)).sum();
        sum / n as f64
    };
    let mean = moment(&|x| x);
    Some((mean, moment(&|x| (x - mean) * (x - mean))))
}

/// Results of one player against others, as they come in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Complete pairs.
    pub pairs: Pentanomial,
}

impl Tally {
    /// Counts a game by its half points: 0, 1 or 2.
    pub fn add_game(&mut self, half_points: usize) {
        match half_points {
            0 => self.losses += 1,
            1 => self.draws += 1,
            _ => self.wins += 1,
        }
    }

    /// Counts a pair by the half points of both games. (The games are counted by
    /// [`add_game`](Tally::add_game).)
    pub fn add_pair(&mut self, half_points: usize) {
        self.pairs.0[half_points.min(4)] += 1;
    }

    /// The sum of two tallies.
    #[must_use]
    pub fn plus(mut self, other: &Tally) -> Tally {
        self.wins += other.wins;
        self.draws += other.draws;
        self.losses += other.losses;
        for (a, b) in self.pairs.0.iter_mut().zip(other.pairs.0) {
            *a += b;
        }
        self
    }

    /// The same from the opponent's chair.
    #[must_use]
    pub fn reversed(mut self) -> Tally {
        std::mem::swap(&mut self.wins, &mut self.losses);
        self.pairs.0.reverse();
        self
    }

    /// Number of games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses
    }

    /// All that can be said.
    #[must_use]
    pub fn summary(&self) -> Summary {
        Summary::of(self)
    }

    /// Score, variance of the mean and number of independent observations: of pairs where there
    /// are any, else of games.
    fn estimate(&self) -> Option<Estimate> {
        let trinomial = [self.losses, self.draws, self.wins];
        let (score, game_variance) = mean_and_variance(&trinomial)?;
        let pairs = self.pairs.pairs();
        let (variance, n, games_each) = match self.pairs.mean_and_variance() {
            Some((_, variance)) => (variance, pairs as f64, 2.0),
            None => (game_variance, self.games() as f64, 1.0),
        };
        // A few results may happen to be all alike, which says little about their variance. One
        // imagined observation, half a clean win and half a clean loss, keeps the error bar
        // honest there and fades away as observations come in.
        let imagined = 0.5 * score * score + 0.5 * (1.0 - score) * (1.0 - score);
        let variance = (variance * n + imagined) / (n + 1.0);
        // Games without a partner count for the score; let them count for its error as well.
        let observations = self.games() as f64 / games_each;
        Some(Estimate { score, variance, observations, games_each })
    }
}

struct Estimate {
    score: f64,
    /// Of one observation.
    variance: f64,
    observations: f64,
    /// Games in one observation.
    games_each: f64,
}

impl Estimate {
    fn error(&self) -> f64 {
        (self.variance / self.observations).sqrt()
    }

    /// The 95 % interval of the score. Where every game was won (or lost), the bound that keeps a
    /// 2.5 % chance of that (Wilson's) stands in.
    fn interval(&self) -> (f64, f64) {
        let wilson = self.observations / (self.observations + Z95 * Z95);
        if self.score >= 1.0 {
            (wilson, 1.0)
        } else if self.score <= 0.0 {
            (0.0, 1.0 - wilson)
        } else {
            let reach = Z95 * self.error();
            ((self.score - reach).max(0.0), (self.score + reach).min(1.0))
        }
    }
}

/// Points of normalised Elo for each standard deviation.
const NORMALIZED: f64 = 800.0 / std::f64::consts::LN_10;

/// Results of one player against another, with what follows from them. Fields are absent (null)
/// where the games do not determine them: no finite Elo makes a clean score.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// Games.
    pub games: u64,
    /// Won.
    pub wins: u64,
    /// Drawn.
    pub draws: u64,
    /// Lost.
    pub losses: u64,
    /// Points divided by games.
    pub score: Option<f64>,
    /// The 95 % interval of the score.
    pub score_interval_95: Option<[f64; 2]>,
    /// Share of drawn games.
    pub draw_ratio: Option<f64>,
    /// Elo difference to the opponents.
    pub elo: Option<f64>,
    /// Half the width of the 95 % interval.
    pub elo_error_95: Option<f64>,
    /// Lower end of the 95 % interval.
    pub elo_low: Option<f64>,
    /// Upper end of the 95 % interval.
    pub elo_high: Option<f64>,
    /// Normalised Elo difference.
    pub normalized_elo: Option<f64>,
    /// Half the width of its 95 % interval.
    pub normalized_elo_error_95: Option<f64>,
    /// Likelihood of superiority: how probable it is that the player is the better one.
    pub los: Option<f64>,
    /// Complete pairs by points: 0, ½, 1, 1½, 2.
    pub pentanomial: Pentanomial,
    /// Complete pairs.
    pub pairs: u64,
    /// The score that would show superiority by the conservative test (5 %), for so many pairs.
    pub critical_score: Option<f64>,
}

impl Summary {
    /// What a tally says.
    #[must_use]
    pub fn of(tally: &Tally) -> Summary {
        let pairs = tally.pairs.pairs();
        let mut summary = Summary {
            games: tally.games(),
            wins: tally.wins,
            draws: tally.draws,
            losses: tally.losses,
            pentanomial: tally.pairs,
            pairs,
            critical_score: super::critical_rate(pairs as usize).filter(|c| *c <= 1.0),
            ..Summary::default()
        };
        let Some(estimate) = tally.estimate() else { return summary };
        let (low, high) = estimate.interval();
        summary.score = Some(estimate.score);
        summary.score_interval_95 = Some([low, high]);
        summary.draw_ratio = Some(tally.draws as f64 / tally.games() as f64);
        summary.elo = elo_of_score(estimate.score);
        summary.elo_low = elo_of_score(low);
        summary.elo_high = elo_of_score(high);
        summary.elo_error_95 = match (summary.elo, summary.elo_low, summary.elo_high) {
            (Some(_), Some(low), Some(high)) => Some((high - low) / 2.0),
            _ => None,
        };
        let deviations = (estimate.score - 0.5) / (estimate.games_each * estimate.variance).sqrt();
        summary.normalized_elo = Some(deviations * NORMALIZED);
        summary.normalized_elo_error_95 = Some(Z95 * NORMALIZED / (tally.games() as f64).sqrt());
        summary.los = Some(normal_cdf((estimate.score - 0.5) / estimate.error()));
        summary
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::rng;
    use zug_core::seed::RngExt;

    fn close(a: Option<f64>, b: f64, tolerance: f64) {
        let a = a.expect("a value");
        assert!((a - b).abs() < tolerance, "{a} is not {b}");
    }

    fn tally(pairs: [u64; 5]) -> Tally {
        // Pairs of 1 point are counted as two draws.
        let [ll, ld, dd, wd, ww] = pairs;
        Tally {
            wins: 2 * ww + wd,
            draws: wd + 2 * dd + ld,
            losses: 2 * ll + ld,
            pairs: Pentanomial(pairs),
        }
    }

    #[test]
    fn elo_and_score_are_inverse() {
        for elo in [-700.0, -100.0, 0.0, 3.5, 400.0] {
            close(elo_of_score(score_of_elo(elo)), elo, 1e-9);
        }
        close(elo_of_score(10.0 / 11.0), 400.0, 1e-9);
        assert_eq!(elo_of_score(1.0), None);
    }

    #[test]
    fn a_large_match_has_the_figures_of_the_formula() {
        // Mean and variance of the pair score by hand: counts 10, 40, 100, 60, 20 of 230.
        let s = tally([10, 40, 100, 60, 20]).summary();
        let mean = (10.0 + 50.0 + 45.0 + 20.0) / 230.0;
        close(s.score, mean, 1e-12);
        let square = (40.0 / 16.0 + 25.0 + 60.0 * 9.0 / 16.0 + 20.0) / 230.0;
        let variance = square - mean * mean;
        let imagined = 0.5 * mean * mean + 0.5 * (1.0 - mean) * (1.0 - mean);
        let error = ((variance * 230.0 + imagined) / 231.0 / 230.0).sqrt();
        close(s.elo, 30.2883, 0.0001);
        let half = (elo_of_score(mean + Z95 * error).unwrap()
            - elo_of_score(mean - Z95 * error).unwrap())
            / 2.0;
        close(s.elo_error_95, half, 1e-9);
        close(s.los, normal_cdf((mean - 0.5) / error), 1e-9);
        assert!(s.los.unwrap() > 0.99);
    }

    #[test]
    fn a_clean_score_has_a_bound_but_no_estimate() {
        let s = tally([0, 0, 0, 0, 10]).summary();
        assert_eq!(
            (s.games, s.wins, s.elo, s.elo_high, s.elo_error_95),
            (20, 20, None, None, None)
        );
        close(s.score, 1.0, 1e-12);
        close(s.elo_low, elo_of_score(10.0 / (10.0 + Z95 * Z95)).unwrap(), 1e-9);
        let t = tally([10, 0, 0, 0, 0]).summary();
        assert_eq!(t.elo_low, None);
        close(t.elo_high, -s.elo_low.unwrap(), 1e-9);
    }

    #[test]
    fn a_few_like_results_do_not_pretend_to_certainty() {
        let s = tally([0, 0, 2, 0, 0]).summary();
        close(s.elo, 0.0, 1e-12);
        assert!(s.elo_error_95.unwrap() > 100.0, "{s:?}");
        close(s.los, 0.5, 1e-6);
    }

    #[test]
    fn single_games_are_used_where_there_are_no_pairs() {
        let s = Tally { wins: 60, draws: 20, losses: 20, pairs: Pentanomial::default() }.summary();
        close(s.score, 0.7, 1e-12);
        close(s.elo, 147.19, 0.01);
        // Trinomial variance: 0.6·0.09 + 0.2·0.04 + 0.2·0.49 = 0.16.
        let error = ((16.0 + 0.29) / 101.0 / 100.0f64).sqrt();
        close(s.score_interval_95.map(|i| i[0]), 0.7 - Z95 * error, 1e-9);
    }

    #[test]
    fn nothing_is_said_of_no_games() {
        let s = Tally::default().summary();
        assert_eq!((s.games, s.score, s.elo, s.los), (0, None, None, None));
    }

    #[test]
    fn the_opponents_figures_are_the_mirror_image() {
        let t = tally([3, 9, 20, 14, 4]);
        let (a, b) = (t.summary(), t.reversed().summary());
        close(a.elo, -b.elo.unwrap(), 1e-9);
        close(a.los, 1.0 - b.los.unwrap(), 1e-6);
        assert_eq!(a.wins, b.losses);
        assert_eq!(t.plus(&t.reversed()).summary().score, Some(0.5));
    }

    /// Simulated pairs in which the opening favours one side, so that games of a pair hang
    /// together.
    fn simulate(rng: &mut zug_core::Rng, elo: f64, bias: f64, draws: f64, pairs: usize) -> Tally {
        let mut tally = Tally::default();
        for _ in 0..pairs {
            let opening = bias * (2.0 * rng.random::<f64>() - 1.0);
            let mut points = 0;
            for sign in [1.0, -1.0] {
                let p = score_of_elo(elo + sign * opening);
                let d = draws * 2.0 * p.min(1.0 - p);
                let roll: f64 = rng.random();
                let half = if roll < p - d / 2.0 {
                    2
                } else if roll < p + d / 2.0 {
                    1
                } else {
                    0
                };
                tally.add_game(half);
                points += half;
            }
            tally.add_pair(points);
        }
        tally
    }

    /// The true score of the simulation, by integration over the opening.
    fn true_score(elo: f64, bias: f64) -> f64 {
        let steps = 2000;
        let mean = |f: &dyn Fn(f64) -> f64| {
            (0..steps).map(|i| f(2.0 * (f64::from(i) + 0.5) / f64::from(steps) - 1.0)).sum::<f64>()
                / f64::from(steps)
        };
        mean(&|u| (score_of_elo(elo + bias * u) + score_of_elo(elo - bias * u)) / 2.0)
    }

    #[test]
    fn the_interval_covers_the_truth_in_about_95_of_100_matches() {
        let mut stream = 0;
        for (elo, bias, draws) in
            [(0.0, 0.0, 0.0), (30.0, 200.0, 0.5), (-80.0, 400.0, 0.3), (150.0, 0.0, 0.8)]
        {
            for pairs in [50, 200] {
                stream += 1;
                let mut rng = rng(7, stream);
                let truth = true_score(elo, bias);
                let matches = 3000;
                let covered = (0..matches)
                    .filter(|_| {
                        let s = simulate(&mut rng, elo, bias, draws, pairs).summary();
                        let [low, high] = s.score_interval_95.unwrap();
                        low <= truth && truth <= high
                    })
                    .count();
                let share = covered as f64 / f64::from(matches);
                assert!((0.93..=0.97).contains(&share), "{elo} {bias} {draws} {pairs}: {share}");
            }
        }
    }

    #[test]
    fn normalised_elo_does_not_depend_on_draws_and_its_bar_covers() {
        let mut rng = rng(8, 0);
        // Half of the games drawn: σ of a game shrinks, and so does the distance from ½.
        let s = simulate(&mut rng, 40.0, 0.0, 0.0, 20_000).summary();
        // By hand: p = 0.5573, σ = √(p(1-p)) = 0.4967, (p - ½)/σ · 347.4 = 40.1.
        close(s.normalized_elo, 40.1, 3.0 * s.normalized_elo_error_95.unwrap() / Z95);
        close(s.normalized_elo_error_95, Z95 * NORMALIZED / 200.0, 1e-9);
    }
}
