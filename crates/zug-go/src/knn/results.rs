//! What a run has found, as it is kept in its figures, and what that comes to over several draws.

use super::measure::{Accuracy, Places, Speed};
use super::plan::Experiment;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// What one way of learning found on the games of one draw.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Unit {
    /// The draw, from 1.
    pub draw: u64,
    /// The way of learning.
    pub arm: String,
    /// Games learned from.
    pub training_games: usize,
    /// Examples learned from.
    pub training_examples: usize,
    /// Games that patterns were gathered from.
    pub acquisition_games: usize,
    /// Games tested on.
    pub test_games: usize,
    /// Examples tested on.
    pub test_examples: usize,
    /// Patterns before filtering, by number of stones and sides from 0 on.
    pub gathered: Vec<usize>,
    /// Patterns after filtering.
    pub kept: Vec<usize>,
    /// Bytes of patterns and tree in memory.
    pub bytes: usize,
    /// Where the played moves stood.
    pub accuracy: Accuracy,
}

/// What GNU Go found in some positions.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Asked {
    /// Positions.
    pub gnugo_asked: usize,
    /// Moves that were those of the record.
    pub gnugo_found: usize,
}

/// A line of the figures.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(untagged)]
pub enum Line {
    /// Of a draw.
    Unit(Box<Unit>),
    /// Of GNU Go.
    Asked(Asked),
}

/// What depends on the clock, and hence is no part of the figures.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub struct Timing {
    /// For each way of learning.
    pub speed: BTreeMap<String, Speed>,
}

/// Mean and standard deviation of draws.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Mean {
    /// The mean.
    pub mean: f64,
    /// The standard deviation; 0 for one draw.
    pub spread: f64,
    /// Draws.
    pub draws: usize,
}

impl Mean {
    /// Of these values.
    #[must_use]
    pub fn of(values: impl IntoIterator<Item = f64>) -> Mean {
        let values: Vec<f64> = values.into_iter().collect();
        let n = values.len() as f64;
        let mean = if values.is_empty() { 0.0 } else { values.iter().sum::<f64>() / n };
        let squares: f64 = values.iter().map(|v| (v - mean).powi(2)).sum();
        let spread = if values.len() > 1 { (squares / (n - 1.0)).sqrt() } else { 0.0 };
        Mean { mean, spread, draws: values.len() }
    }

    /// With so many decimals, after scaling.
    #[must_use]
    pub fn text(&self, scale: f64, decimals: usize) -> String {
        let number = |value: f64| grouped(value * scale, decimals);
        match self.draws {
            0 | 1 => number(self.mean),
            _ => format!("{} ± {}", number(self.mean), number(self.spread)),
        }
    }
}

/// A number with commas between thousands.
fn grouped(value: f64, decimals: usize) -> String {
    let text = format!("{value:.decimals$}");
    let digits = text.find('.').unwrap_or(text.len());
    let mut out = String::new();
    for (i, c) in text.chars().enumerate() {
        if i > 0 && i < digits && (digits - i).is_multiple_of(3) && !out.ends_with('-') {
            out.push(',');
        }
        out.push(c);
    }
    out
}

/// All that a run has found.
#[derive(Clone, Debug, Default)]
pub struct Results {
    /// Draw by draw, and in each way by way.
    pub units: Vec<Unit>,
    /// GNU Go, all questions together.
    pub asked: Asked,
    /// Speeds.
    pub timing: Timing,
}

impl Results {
    /// Adds a line of the figures.
    pub fn add(&mut self, line: Line) {
        match line {
            Line::Unit(unit) => self.units.push(*unit),
            Line::Asked(asked) => {
                self.asked.gnugo_asked += asked.gnugo_asked;
                self.asked.gnugo_found += asked.gnugo_found;
            }
        }
    }

    /// The ways of learning, in order.
    #[must_use]
    pub fn arms(&self) -> Vec<&str> {
        let mut arms: Vec<&str> = Vec::new();
        for unit in &self.units {
            if !arms.contains(&unit.arm.as_str()) {
                arms.push(&unit.arm);
            }
        }
        arms
    }

    /// A figure of a way of learning, over all draws.
    #[must_use]
    pub fn mean(&self, arm: &str, of: impl Fn(&Unit) -> f64) -> Mean {
        Mean::of(self.units.iter().filter(|u| u.arm == arm).map(of))
    }

    /// The share of positions in which GNU Go found the move.
    #[must_use]
    pub fn gnugo(&self) -> Option<f64> {
        let Asked { gnugo_asked, gnugo_found } = self.asked;
        (gnugo_asked > 0).then(|| gnugo_found as f64 / gnugo_asked as f64)
    }

    /// The fewest guesses with which a way of learning finds more than GNU Go with one.
    #[must_use]
    pub fn passes_gnugo_at(&self, arm: &str) -> Option<usize> {
        let gnugo = self.gnugo()?;
        let longest = self.longest();
        (1..=longest).find(|&m| self.accuracy(arm, m).mean > gnugo)
    }

    /// The share found with `m` guesses.
    #[must_use]
    pub fn accuracy(&self, arm: &str, m: usize) -> Mean {
        self.mean(arm, |u| u.accuracy.all.accuracy(m))
    }

    /// The longest list in which a move was found.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.units.iter().map(|u| u.accuracy.all.longest()).max().unwrap_or(0)
    }

    /// What is told in tables: the figure, and its value for each way of learning.
    #[must_use]
    pub fn rows(&self, experiment: &Experiment) -> Vec<(String, Vec<String>)> {
        let arms = self.arms();
        let row = |name: &str, scale: f64, decimals: usize, of: &dyn Fn(&Unit) -> f64| {
            let cells = arms.iter().map(|arm| self.mean(arm, of).text(scale, decimals)).collect();
            (name.to_string(), cells)
        };
        let sum = |counts: &[usize]| counts.iter().sum::<usize>() as f64;
        let mut rows = vec![
            row("training games", 1.0, 0, &|u| u.training_games as f64),
            row("of them for patterns", 1.0, 0, &|u| u.acquisition_games as f64),
            row("training examples", 1.0, 0, &|u| u.training_examples as f64),
            row("test games", 1.0, 0, &|u| u.test_games as f64),
            row("test examples", 1.0, 0, &|u| u.test_examples as f64),
            row("patterns gathered", 1.0, 0, &|u| sum(&u.gathered)),
            row("patterns kept", 1.0, 0, &|u| sum(&u.kept)),
        ];
        for m in SHOWN {
            let guesses = if m == 1 { "guess" } else { "guesses" };
            rows.push(row(&format!("accuracy, {m} {guesses}, %"), 100.0, 2, &|u| {
                u.accuracy.all.accuracy(m)
            }));
        }
        rows.push(row("moves ever proposed, %", 100.0, 2, &|u| u.accuracy.all.limit()));
        rows.push(row("mean place, of moves proposed", 1.0, 2, &|u| u.accuracy.all.mean_found()));
        rows.push(row("mean place, others counted last", 1.0, 2, &|u| {
            u.accuracy.all.mean_with_missed()
        }));
        rows.push(row("a random guess, %", 100.0, 2, &|u| u.accuracy.all.random(1)));
        rows.push(row("memory, MB", 1e-6, 2, &|u| u.bytes as f64));
        rows.push(row("bytes a pattern", 1.0, 1, &|u| u.bytes as f64 / sum(&u.kept).max(1.0)));
        if let Some(gnugo) = self.gnugo() {
            let Asked { gnugo_asked, .. } = self.asked;
            let name = format!("GNU Go, {gnugo_asked} positions, %");
            rows.push((name, arms.iter().map(|_| grouped(100.0 * gnugo, 1)).collect()));
            let passes = |arm: &&str| match self.passes_gnugo_at(arm) {
                None => "never".to_string(),
                Some(1) => "1 guess".to_string(),
                Some(m) => format!("{m} guesses"),
            };
            rows.push(("GNU Go passed at".to_string(), arms.iter().map(passes).collect()));
        }
        if !self.timing.speed.is_empty() {
            let most = experiment.most;
            let cells = |of: fn(&Speed) -> f64| -> Vec<String> {
                let cell = |arm: &&str| {
                    self.timing.speed.get(*arm).map_or(String::new(), |s| grouped(of(s), 0))
                };
                arms.iter().map(cell).collect()
            };
            rows.push((format!("guesses a second, {most} moves, tree"), cells(|s| s.tree)));
            rows.push((format!("guesses a second, {most} moves, list"), cells(|s| s.list)));
        }
        rows
    }

    /// Accuracy by stage for a way of learning: examples and figures.
    #[must_use]
    pub fn stages(&self, arm: &str) -> Vec<Vec<String>> {
        let count = self.units.iter().map(|u| u.accuracy.stages.len()).max().unwrap_or(0);
        let mean = |stage: usize, of: &dyn Fn(&Places) -> f64| {
            let none = Places::default();
            self.mean(arm, |u| of(u.accuracy.stages.get(stage).unwrap_or(&none)))
        };
        (0..count)
            .map(|stage| {
                let percent = |m: usize| mean(stage, &|p| p.accuracy(m)).text(100.0, 1);
                vec![
                    mean(stage, &|p| p.examples() as f64).text(1.0, 0),
                    percent(1),
                    percent(5),
                    percent(20),
                    mean(stage, &Places::limit).text(100.0, 1),
                    mean(stage, &Places::mean_found).text(1.0, 1),
                ]
            })
            .collect()
    }
}

/// Numbers of guesses that tables show; the plot has all.
const SHOWN: [usize; 8] = [1, 2, 3, 5, 10, 20, 37, 50];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_grouped_and_draws_have_a_spread() {
        assert_eq!(grouped(1_234_567.0, 0), "1,234,567");
        assert_eq!(grouped(-1234.5, 1), "-1,234.5");
        assert_eq!(grouped(999.0, 0), "999");
        assert_eq!(Mean::of([1.0, 3.0]).text(1.0, 1), "2.0 ± 1.4");
        assert_eq!(Mean::of([0.5]).text(100.0, 0), "50");
    }

    #[test]
    fn lines_of_both_kinds_are_told_apart() {
        let asked: Line =
            serde_json::from_str(r#"{"step":3,"gnugo_asked":25,"gnugo_found":5}"#).unwrap();
        let mut results = Results::default();
        results.add(asked.clone());
        results.add(asked);
        assert_eq!((results.gnugo(), results.asked.gnugo_asked), (Some(0.2), 50));
    }
}
