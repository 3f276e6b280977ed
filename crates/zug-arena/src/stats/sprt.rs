//! The sequential probability ratio test: stop as soon as it is clear enough whether a player is
//! at least `elo1` better or no more than `elo0`.
//!
//! The likelihood ratio is the generalised one for a multinomial distribution of pair results:
//! under each hypothesis about the mean, the distribution that fits the counts best is taken. For
//! a mean s that is pᵢ = p̂ᵢ / (1 + θ(xᵢ - s)), with θ such that the mean comes out right.

use super::elo::{EloModel, Pentanomial, score_of_elo};
use serde::{Deserialize, Serialize};
use zug_core::{Spec, TextError};

/// What is tested, and how sure it has to be.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Sprt {
    /// Null hypothesis: the difference is at most this.
    pub elo0: f64,
    /// Alternative: at least this.
    pub elo1: f64,
    /// Chance of accepting the alternative when the null hypothesis holds.
    pub alpha: f64,
    /// Chance of the opposite mistake.
    pub beta: f64,
    /// The scale of `elo0` and `elo1`.
    pub model: EloModel,
}

/// The answer so far.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum SprtDecision {
    /// Not yet clear.
    Continue,
    /// The difference is at most `elo0`.
    AcceptH0,
    /// The difference is at least `elo1`.
    AcceptH1,
}

/// A test in progress.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct SprtState {
    /// The test.
    #[serde(flatten)]
    pub test: Sprt,
    /// Logarithm of the likelihood ratio.
    pub llr: f64,
    /// At or below this, H0 is accepted.
    pub lower: f64,
    /// At or above this, H1 is accepted.
    pub upper: f64,
    /// What follows.
    pub decision: SprtDecision,
}

impl Sprt {
    /// Reads `ELO0,ELO1[,ALPHA[,BETA]][,model=logistic|normalized]`; the numbers may be named
    /// (`alpha=0.05`).
    ///
    /// ```
    /// use zug_arena::Sprt;
    /// let test = Sprt::parse("0,5,alpha=0.1")?;
    /// assert_eq!((test.elo0, test.elo1, test.alpha, test.beta), (0.0, 5.0, 0.1, 0.05));
    /// # Ok::<(), zug_core::TextError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Sprt, TextError> {
        let spec = Spec::parse(&format!("sprt:{text}"))?;
        spec.only(&["", "elo0", "elo1", "alpha", "beta", "model"])?;
        let expected = "ELO0,ELO1[,alpha=0.05][,beta=0.05][,model=logistic]";
        let bad = || TextError::new(0, expected, format!("'{text}'"));
        let mut bare = spec.options.iter().filter(|(k, _)| k.is_empty()).map(|(_, v)| v);
        // Bare numbers stand for what is not named, in this order.
        let mut number = |key| match spec.get(key).or_else(|| bare.next().map(String::as_str)) {
            Some(text) => text.parse::<f64>().map(Some).map_err(|_| bad()),
            None => Ok(None),
        };
        let elo = |number: Option<f64>| number.filter(|e| e.abs() < 2000.0).ok_or_else(bad);
        let (elo0, elo1) = (elo(number("elo0")?)?, elo(number("elo1")?)?);
        let chance = |number: Option<f64>| match number.unwrap_or(0.05) {
            p if p > 0.0 && p < 0.5 => Ok(p),
            _ => {
                let expected = "chances of a mistake between 0 and 0.5 (alpha, beta)";
                Err(TextError::new(0, expected, format!("'{text}'")))
            }
        };
        let (alpha, beta) = (chance(number("alpha")?)?, chance(number("beta")?)?);
        let model = match spec.get("model") {
            None | Some("logistic") => EloModel::Logistic,
            Some("normalized" | "normalised") => EloModel::Normalized,
            Some(_) => return Err(bad()),
        };
        let test = Sprt { elo0, elo1, alpha, beta, model };
        if elo0 >= elo1 || bare.next().is_some() { Err(bad()) } else { Ok(test) }
    }

    /// The bounds of the logarithm of the likelihood ratio (Wald's).
    #[must_use]
    pub fn bounds(&self) -> (f64, f64) {
        let lower = (self.beta / (1.0 - self.alpha)).ln();
        let upper = ((1.0 - self.beta) / self.alpha).ln();
        (lower, upper)
    }

    /// The logarithm of the likelihood ratio after these pairs.
    #[must_use]
    pub fn llr(&self, pairs: &Pentanomial) -> f64 {
        let n = pairs.pairs();
        let Some((_, variance)) = pairs.mean_and_variance() else { return 0.0 };
        // A result that has not occurred yet may still occur.
        let counts = pairs.0.map(|c| (c as f64).max(1e-3));
        let total: f64 = counts.iter().sum();
        let observed = counts.map(|c| c / total);
        let mean = |elo: f64| match self.model {
            EloModel::Logistic => score_of_elo(elo),
            EloModel::Normalized => {
                let deviation = (2.0 * variance).max(1e-6).sqrt();
                let mean = 0.5 + elo * std::f64::consts::LN_10 / 800.0 * deviation;
                mean.clamp(1e-3, 1.0 - 1e-3)
            }
        };
        let p0 = best_fit(&observed, mean(self.elo0));
        let p1 = best_fit(&observed, mean(self.elo1));
        let ratio: f64 =
            observed.iter().zip(p0.iter().zip(p1)).map(|(o, (p0, p1))| o * (p1 / p0).ln()).sum();
        n as f64 * ratio
    }

    /// How the test stands after these pairs.
    #[must_use]
    pub fn state(&self, pairs: &Pentanomial) -> SprtState {
        let (lower, upper) = self.bounds();
        let llr = self.llr(pairs);
        let decision = if llr >= upper {
            SprtDecision::AcceptH1
        } else if llr <= lower {
            SprtDecision::AcceptH0
        } else {
            SprtDecision::Continue
        };
        SprtState { test: *self, llr, lower, upper, decision }
    }
}

/// The distribution on 0, ¼, ½, ¾, 1 with this mean under which the observed one is likeliest.
fn best_fit(observed: &[f64; 5], mean: f64) -> [f64; 5] {
    let x = |i: usize| i as f64 / 4.0 - mean;
    // The condition falls monotonically in θ between the poles at which some pᵢ would be infinite.
    let (mut low, mut high) = (-1.0 / x(4), -1.0 / x(0));
    for _ in 0..100 {
        let theta = (low + high) / 2.0;
        let slope: f64 =
            observed.iter().enumerate().map(|(i, o)| o * x(i) / (1.0 + theta * x(i))).sum();
        if slope > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
    }
    let theta = (low + high) / 2.0;
    std::array::from_fn(|i| observed[i] / (1.0 + theta * x(i)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::rng;
    use zug_core::seed::RngExt;

    #[test]
    fn the_bounds_are_walds() {
        let (lower, upper) = Sprt::parse("0,5").unwrap().bounds();
        assert!((upper - 19f64.ln()).abs() < 1e-12);
        assert!((lower + 19f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn the_fitted_distribution_has_the_wanted_mean_and_adds_up() {
        let observed = [0.1, 0.2, 0.4, 0.2, 0.1];
        for mean in [0.3, 0.5, 0.61] {
            let p = best_fit(&observed, mean);
            assert!((p.iter().sum::<f64>() - 1.0).abs() < 1e-9);
            let m: f64 = p.iter().enumerate().map(|(i, p)| p * i as f64 / 4.0).sum();
            assert!((m - mean).abs() < 1e-9, "{m}");
        }
        // At the observed mean, the observed distribution fits best.
        let same = best_fit(&observed, 0.5);
        assert!(same.iter().zip(observed).all(|(a, b)| (a - b).abs() < 1e-9));
    }

    #[test]
    fn the_ratio_agrees_with_its_normal_approximation() {
        // For many pairs near equality: LLR ≈ N (s1 - s0)(2s̄ - s0 - s1) / (2σ²).
        let pairs = Pentanomial([100, 900, 2000, 1050, 120]);
        let test = Sprt::parse("0,5").unwrap();
        let (mean, variance) = pairs.mean_and_variance().unwrap();
        let (s0, s1) = (score_of_elo(0.0), score_of_elo(5.0));
        let approximate =
            pairs.pairs() as f64 * (s1 - s0) * (2.0 * mean - s0 - s1) / (2.0 * variance);
        assert!((test.llr(&pairs) - approximate).abs() < 0.03, "{approximate}");
    }

    #[test]
    fn tests_are_read_and_nonsense_is_refused() {
        let t = Sprt::parse("elo0=-3,elo1=1,beta=0.1,model=normalized").unwrap();
        assert_eq!((t.elo0, t.elo1, t.beta, t.model), (-3.0, 1.0, 0.1, EloModel::Normalized));
        let t = Sprt::parse("0,5,0.1,0.2").unwrap();
        assert_eq!((t.elo0, t.elo1, t.alpha, t.beta), (0.0, 5.0, 0.1, 0.2));
        let t = Sprt::parse("0,5,0.1").unwrap();
        assert_eq!((t.alpha, t.beta), (0.1, 0.05));
        let t = Sprt::parse("0,5,alpha=0.2,0.1").unwrap();
        assert_eq!((t.alpha, t.beta), (0.2, 0.1));
        for bad in ["0,5,0.1,0.1,0.1", "0,5,0.1,x", "0,5,0.1,0.5", "0,nan", "0,5,nan"] {
            assert!(Sprt::parse(bad).is_err(), "{bad}");
        }
        for bad in ["", "5", "5,0", "0,0", "0,5,alpha=0.7", "0,5,9", "0,x", "0,5,model=odd"] {
            assert!(Sprt::parse(bad).is_err(), "{bad}");
        }
    }

    /// Plays simulated pairs until the test decides; true for H1.
    fn decide(test: &Sprt, elo: f64, draws: f64, rng: &mut zug_core::Rng) -> bool {
        let p = score_of_elo(elo);
        let mut pairs = Pentanomial::default();
        loop {
            let mut points = 0;
            for _ in 0..2 {
                let roll: f64 = rng.random();
                points += if roll < p - draws / 2.0 {
                    2
                } else if roll < p + draws / 2.0 {
                    1
                } else {
                    0
                };
            }
            pairs.0[points] += 1;
            match test.state(&pairs).decision {
                SprtDecision::Continue => {}
                decision => return decision == SprtDecision::AcceptH1,
            }
        }
    }

    #[test]
    fn the_error_rates_are_those_asked_for() {
        let test = Sprt::parse("0,40").unwrap();
        let runs = 600;
        let mut rng = rng(3, 0);
        let wrong1 = (0..runs).filter(|_| decide(&test, 0.0, 0.4, &mut rng)).count();
        let wrong0 = (0..runs).filter(|_| !decide(&test, 40.0, 0.4, &mut rng)).count();
        // 5 % of 600 is 30, with a standard deviation of 5.3; overshoot makes the test a little
        // stricter than asked.
        for wrong in [wrong0, wrong1] {
            assert!((8..=46).contains(&wrong), "{wrong0} and {wrong1} of {runs}");
        }
    }

    #[test]
    fn normalised_hypotheses_decide_too() {
        let test = Sprt::parse("0,60,model=normalized").unwrap();
        let mut rng = rng(4, 0);
        let right = (0..60).filter(|_| decide(&test, 60.0, 0.2, &mut rng)).count();
        assert!(right >= 50, "{right}");
    }
}
