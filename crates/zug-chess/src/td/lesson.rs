//! By how much was each own position of a game misjudged, and what does that say about the weights?
//!
//! TD-Leaf(λ) of Baxter, Tridgell and Weaver as the thesis uses it (its sections 2.2.5 and 4.1). A
//! game is the sequence of the learner's *own* positions x₁ … x₍N₋₁₎, each with the value
//! `v` that the search found for it; the result stands for x_N. The weights stay fixed during the
//! game. With `d[t] = v[t+1] - v[t]` the weights are moved by
//!
//! ```text
//! α · Σ_t  ∇v[t] · Σ_{j ≥ t} λ^(j-t) d[j]
//! ```
//!
//! where `∇v[t]` is taken at the quiet leaf of the principal variation and hence touches the weights
//! of one position type alone; TD-Leaf-ComplexEval(λ) gives every type its own α (see
//! [`rates`](super::rates)). The differences run on across a change of type.
//!
//! The same sum comes out of an eligibility trace (`c := λ c + ∇v[t]`, then `d[t] · c` is added),
//! which is how KnightCap computes it. Both forms are here, and tested to agree.

use std::collections::BTreeMap;

/// A gradient with respect to the weights: (index of the weight, derivative), no index twice.
pub type Gradient = Vec<(u32, f64)>;

/// Sums of many gradients, by weight.
pub type Sums = BTreeMap<u32, f64>;

/// The value of a pawn in the unit of scores.
pub const PAWN: f64 = 100.0;

/// The scale on which values are compared with each other and with the result.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Squash {
    /// Scores as they are; a win is worth `reward` hundredths of a pawn. (The thesis's code; how
    /// large its reward was, it does not say.)
    Raw {
        /// What a win counts.
        reward: f64,
    },
    /// tanh(β · score), a win is 1. (KnightCap.)
    Tanh {
        /// β, for scores in hundredths of a pawn.
        beta: f64,
    },
}

impl Squash {
    /// tanh with the β at which one pawn is worth so much: 0.25 in KnightCap.
    #[must_use]
    pub fn tanh(worth_of_pawn: f64) -> Squash {
        Squash::Tanh { beta: worth_of_pawn.atanh() / PAWN }
    }

    /// A score on this scale.
    #[must_use]
    pub fn value(self, score: Value) -> f64 {
        match (self, score) {
            (Squash::Raw { .. }, Value::Estimate(score)) => score,
            (Squash::Raw { reward }, Value::Proven(result)) => reward * result,
            (Squash::Tanh { beta }, Value::Estimate(score)) => (beta * score).tanh(),
            (Squash::Tanh { .. }, Value::Proven(result)) => result,
        }
    }

    /// The derivative of a value with respect to the score that it was made from.
    #[must_use]
    pub fn slope(self, value: f64) -> f64 {
        match self {
            Squash::Raw { .. } => 1.0,
            Squash::Tanh { beta } => beta * (1.0 - value * value),
        }
    }

    /// What a weight is moved by at a step of 1: the unit of rates. KnightCap's rate is so many
    /// times 1/β in units of scores; raw values are in that unit already.
    #[must_use]
    pub fn unit(self) -> f64 {
        match self {
            Squash::Raw { .. } => 1.0,
            Squash::Tanh { beta } => 1.0 / beta,
        }
    }
}

/// What a search said of a position, from the learner's view.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Value {
    /// Hundredths of a pawn.
    Estimate(f64),
    /// A proven result: 1 won, 0 drawn, -1 lost. No weight had a part in it.
    Proven(f64),
}

/// What is done about differences that speak well of the learner: they may be no more than a blunder
/// of the opponent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blunders {
    /// Positive differences are multiplied by this: 0 drops them, 1 keeps them. (KnightCap's ramp
    /// factor.)
    pub ramp: f64,
    /// Does that hold for the last difference, that to the result, too? As printed it does, so
    /// that a win which nobody foresaw teaches nothing.
    pub last: bool,
    /// Do they count in full where the opponent played the reply that was expected?
    pub spare_predicted: bool,
    /// And where it had no other move?
    pub spare_forced: bool,
}

impl Blunders {
    /// As the thesis prints it, with the exceptions that its text names.
    pub const THESIS: Blunders =
        Blunders { ramp: 0.0, last: true, spare_predicted: true, spare_forced: true };

    /// Everything counts.
    pub const KEPT: Blunders =
        Blunders { ramp: 1.0, last: false, spare_predicted: true, spare_forced: true };
}

/// How differences are made.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rule {
    /// The scale of values.
    pub squash: Squash,
    /// How far later differences reach back.
    pub lambda: f64,
    /// What is done about differences that speak well of the learner.
    pub blunders: Blunders,
    /// What a draw is worth, in hundredths of a pawn.
    pub draw: f64,
    /// A game that was lost on time or given up says nothing about its last position: is the last
    /// difference nothing then?
    pub trust_last: bool,
}

impl Rule {
    /// KnightCap's figures with the thesis's λ.
    #[must_use]
    pub fn knightcap() -> Rule {
        Rule {
            squash: Squash::tanh(0.25),
            lambda: 0.7,
            blunders: Blunders::THESIS,
            draw: -10.0,
            trust_last: true,
        }
    }
}

/// How a game ended for the learner.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Finish {
    /// Won, by mate or because the opponent gave up.
    Won,
    /// Drawn.
    Drawn,
    /// Lost by mate.
    Lost,
    /// Lost on time, or given up.
    GivenUp,
}

impl Finish {
    /// 1, 0 or -1, as the log has it.
    #[must_use]
    pub const fn sign(self) -> i32 {
        match self {
            Finish::Won => 1,
            Finish::Drawn => 0,
            Finish::Lost | Finish::GivenUp => -1,
        }
    }
}

/// One own position.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Step {
    /// What the search said.
    pub value: Value,
    /// The opponent answered as the principal variation foretold.
    pub predicted: bool,
    /// The opponent had a single move.
    pub forced: bool,
}

/// The differences of a game. All lists are as long as there are own positions.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Course {
    /// v: the values, squashed.
    pub values: Vec<f64>,
    /// d: the differences as they are.
    pub raw: Vec<f64>,
    /// d after the rule about blunders.
    pub differences: Vec<f64>,
    /// Δ: what each position was misjudged by.
    pub errors: Vec<f64>,
}

impl Rule {
    /// The differences of a game.
    #[must_use]
    pub fn course(&self, steps: &[Step], finish: Finish) -> Course {
        let values: Vec<f64> = steps.iter().map(|s| self.squash.value(s.value)).collect();
        let result = match finish {
            Finish::Drawn => self.squash.value(Value::Estimate(self.draw)),
            decided => self.squash.value(Value::Proven(f64::from(decided.sign()))),
        };
        let next = values.iter().skip(1).copied().chain([result]);
        let raw: Vec<f64> = values.iter().zip(next).map(|(now, next)| next - now).collect();
        let last = raw.len().saturating_sub(1);
        let differences: Vec<f64> = (raw.iter().zip(steps).enumerate())
            .map(|(t, (&d, step))| {
                if t == last && finish == Finish::GivenUp && self.trust_last {
                    return 0.0;
                }
                let spared = t != last
                    && (step.predicted && self.blunders.spare_predicted
                        || step.forced && self.blunders.spare_forced);
                let ramped = d > 0.0 && !spared && (t != last || self.blunders.last);
                if ramped { d * self.blunders.ramp } else { d }
            })
            .collect();
        let mut later = 0.0;
        let mut errors: Vec<f64> = (differences.iter().rev())
            .map(|d| {
                later = d + self.lambda * later;
                later
            })
            .collect();
        errors.reverse();
        Course { values, raw, differences, errors }
    }

    /// The sum over the game, as the formula of the thesis has it: every position's gradient times
    /// its error. `gradients` are those of the scores, one a position.
    #[must_use]
    pub fn double_sum(&self, course: &Course, gradients: &[Gradient]) -> Sums {
        let mut sums = Sums::new();
        for ((gradient, &v), &error) in gradients.iter().zip(&course.values).zip(&course.errors) {
            let factor = self.squash.slope(v) * error;
            for &(weight, count) in gradient {
                *sums.entry(weight).or_default() += factor * count;
            }
        }
        sums.retain(|_, sum| *sum != 0.0);
        sums
    }

    /// The same by an eligibility trace, as KnightCap computes it.
    #[must_use]
    pub fn by_traces(&self, course: &Course, gradients: &[Gradient]) -> Sums {
        let (mut trace, mut sums) = (Sums::new(), Sums::new());
        for ((gradient, &v), &d) in gradients.iter().zip(&course.values).zip(&course.differences) {
            trace.values_mut().for_each(|c| *c *= self.lambda);
            let slope = self.squash.slope(v);
            for &(weight, count) in gradient {
                *trace.entry(weight).or_default() += slope * count;
            }
            if d != 0.0 {
                for (&weight, c) in &trace {
                    *sums.entry(weight).or_default() += d * c;
                }
            }
        }
        sums.retain(|_, sum| *sum != 0.0);
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn steps(scores: &[f64]) -> Vec<Step> {
        let step = |&s: &f64| Step { value: Value::Estimate(s), predicted: false, forced: false };
        scores.iter().map(step).collect()
    }

    fn printed(value: f64, digits: usize) -> String {
        format!("{value:.digits$}")
    }

    /// The worked example: four own positions, the game lost, no reply predicted.
    #[test]
    fn the_worked_example_comes_out_to_all_its_digits_in_both_forms() {
        let rule = Rule::knightcap();
        let Squash::Tanh { beta } = rule.squash else { panic!() };
        assert_eq!(printed(beta, 9), "0.002554128");
        let course = rule.course(&steps(&[20.0, 35.0, -10.0, -60.0]), Finish::Lost);
        let rows = [
            ("0.051038", "0.038119", "0.000000", "-0.433125"),
            ("0.089157", "-0.114693", "-0.114693", "-0.618750"),
            ("-0.025536", "-0.126523", "-0.126523", "-0.720082"),
            ("-0.152059", "-0.847941", "-0.847941", "-0.847941"),
        ];
        for (t, (v, raw, d, error)) in rows.into_iter().enumerate() {
            assert_eq!(printed(course.values[t], 6), v);
            assert_eq!(printed(course.raw[t], 6), raw);
            assert_eq!(printed(course.differences[t], 6), d);
            assert_eq!(printed(course.errors[t], 6), error);
        }
        // One weight in the blocks of types 23 and 24; counts 1, 0, 2, -1 at the leaves.
        let gradients =
            [vec![(23, 1.0)], vec![(23, 0.0)], vec![(24, 2.0)], vec![(24, -1.0)]].to_vec();
        for sums in [rule.double_sum(&course, &gradients), rule.by_traces(&course, &gradients)] {
            assert_eq!(printed(sums[&23], 8), "-0.00110338");
            assert_eq!(printed(sums[&24], 8), "-0.00156029");
            assert_eq!(sums.len(), 2);
        }
    }

    #[test]
    fn positive_differences_are_dropped_unless_the_reply_was_foreseen_or_forced() {
        let rule = Rule::knightcap();
        let mut game = steps(&[0.0, 50.0, 100.0, 150.0]);
        game[1].predicted = true;
        game[2].forced = true;
        let course = rule.course(&game, Finish::Won);
        assert_eq!(course.differences[0], 0.0);
        assert_eq!(course.differences[1], course.raw[1]);
        assert_eq!(course.differences[2], course.raw[2]);
        assert_eq!(course.differences[3], 0.0, "the last one is dropped too");
        let mut kept = rule;
        kept.blunders.last = false;
        let course = kept.course(&game, Finish::Won);
        assert_eq!(course.differences[3], course.raw[3]);
        let strict = Blunders { spare_predicted: false, spare_forced: false, ..rule.blunders };
        let course = Rule { blunders: strict, ..rule }.course(&game, Finish::Won);
        assert_eq!(course.differences, [0.0; 4]);
        let ramped = Blunders { ramp: 0.5, ..strict };
        let course = Rule { blunders: ramped, ..rule }.course(&game, Finish::Won);
        for (d, raw) in course.differences.iter().zip(&course.raw) {
            assert_eq!(*d, raw / 2.0);
        }
    }

    #[test]
    fn a_game_that_was_given_up_trusts_its_last_position() {
        let rule = Rule::knightcap();
        let game = steps(&[10.0, 5.0]);
        let course = rule.course(&game, Finish::GivenUp);
        assert_eq!(course.differences[1], 0.0);
        assert!(course.differences[0] < 0.0);
        let distrust = Rule { trust_last: false, ..rule };
        assert_eq!(distrust.course(&game, Finish::GivenUp), rule.course(&game, Finish::Lost));
    }

    #[test]
    fn draws_have_a_value_of_their_own() {
        let course = Rule::knightcap().course(&steps(&[0.0]), Finish::Drawn);
        assert_eq!(printed(course.raw[0], 6), printed((-10.0 * 0.002_554_128_1f64).tanh(), 6));
        let raw = Rule { squash: Squash::Raw { reward: 300.0 }, ..Rule::knightcap() };
        assert_eq!(raw.course(&steps(&[25.0]), Finish::Drawn).raw, [-35.0]);
        assert_eq!(raw.course(&steps(&[25.0]), Finish::Lost).raw, [-325.0]);
        assert_eq!(raw.squash.slope(200.0), 1.0);
    }

    #[test]
    fn a_proven_value_has_no_slope_on_the_scale_of_wins() {
        let squash = Squash::tanh(0.25);
        assert_eq!(squash.slope(squash.value(Value::Proven(-1.0))), 0.0);
        assert_eq!(printed(squash.value(Value::Estimate(PAWN)), 9), "0.250000000");
    }

    #[test]
    fn an_empty_game_teaches_nothing() {
        let rule = Rule::knightcap();
        let course = rule.course(&[], Finish::Lost);
        assert!(course.errors.is_empty());
        assert!(rule.double_sum(&course, &[]).is_empty());
    }

    fn finishes() -> impl Strategy<Value = Finish> {
        prop::sample::select(vec![Finish::Won, Finish::Drawn, Finish::Lost, Finish::GivenUp])
    }

    proptest! {
        #[test]
        fn the_trace_gives_the_same_as_the_double_sum(
            game in prop::collection::vec(
                (-400.0..400.0f64, any::<bool>(), any::<bool>(),
                 prop::collection::btree_map(0u32..12, -3..4i32, 0..6)),
                0..40,
            ),
            lambda in 0.0..=1.0f64,
            ramp in 0.0..=1.0f64,
            tanh in any::<bool>(),
            finish in finishes(),
        ) {
            let squash = if tanh { Squash::tanh(0.25) } else { Squash::Raw { reward: 500.0 } };
            let blunders = Blunders { ramp, ..Blunders::THESIS };
            let rule = Rule { squash, lambda, blunders, ..Rule::knightcap() };
            let steps: Vec<Step> = (game.iter())
                .map(|&(s, predicted, forced, _)| {
                    Step { value: Value::Estimate(s), predicted, forced }
                })
                .collect();
            let gradients: Vec<Gradient> = (game.iter())
                .map(|(_, _, _, g)| g.iter().map(|(&w, &c)| (w, f64::from(c))).collect())
                .collect();
            let course = rule.course(&steps, finish);
            let (a, b) =
                (rule.double_sum(&course, &gradients), rule.by_traces(&course, &gradients));
            let scale = course.raw.iter().map(|d| d.abs()).sum::<f64>() * 40.0 + 1e-9;
            for weight in 0..12u32 {
                let of = |s: &Sums| s.get(&weight).copied().unwrap_or(0.0);
                prop_assert!((of(&a) - of(&b)).abs() <= 1e-9 * scale);
            }
            // And the errors are what their definition says.
            for (t, error) in course.errors.iter().enumerate() {
                let sum: f64 = (t..course.differences.len())
                    .map(|j| lambda.powi((j - t) as i32) * course.differences[j])
                    .sum();
                prop_assert!((error - sum).abs() < 1e-9 * scale);
            }
        }
    }
}
