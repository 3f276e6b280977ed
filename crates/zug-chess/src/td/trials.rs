//! How strong is what was learned? Test games with frozen weights against fixed opponents.
//!
//! A trial is a number of pairs of games (one opening, both colours) between a model and a tester.
//! Its result is one small file; a file that does not belong to just this trial is not believed, and
//! its games are played again.

use super::config::{BEGINNING, Settings};
use super::game::{self, End, Seat};
use super::opponents::{Crew, Supply};
use crate::model::{Fast, Model};
use cozy_chess::Color;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::path::{Path, PathBuf};
use zug_arena::stats::{Rating, RatingInput, Tally, ratings};
use zug_core::files::{read_bounded, write_atomically};
use zug_core::seed::mix;
use zug_core::{Progress, StopFlag};
use zug_learn::face::TaskError;

/// Larger files are no results of ours.
const MAX_FILE: u64 = 1 << 20;

/// A test to be played.
pub struct Trial<'a> {
    /// The model that is tested.
    pub model: &'a Model,
    /// Against whom.
    pub tester: Tester<'a>,
    /// Games.
    pub games: u64,
    /// Positions a move of the tested.
    pub nodes: u64,
    /// Its search.
    pub search: &'a str,
    /// Plies after which a game is drawn.
    pub most_plies: usize,
    /// The seed of its openings and players.
    pub seed: u64,
    /// Where its result goes.
    pub path: PathBuf,
}

/// Whom a model is tested against.
#[derive(Clone)]
pub enum Tester<'a> {
    /// Another model with the same search.
    Model(&'a Model),
    /// A player, by its spec.
    Player(&'a str),
}

/// The result of a trial, as it is stored.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Outcome {
    /// Which trial this is.
    pub key: String,
    /// The results.
    pub tally: Tally,
    /// Games that were broken: they and the other games of their pairs are not among the results.
    pub broken: u64,
    /// Why the first of them was.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

impl Trial<'_> {
    /// What tells this trial from all others.
    fn key(&self) -> String {
        let mut hasher = blake3::Hasher::new();
        let mut model = |model: &Model| {
            hasher.update(model.scheme.word().as_bytes());
            for weight in &model.weights {
                hasher.update(&weight.to_le_bytes());
            }
        };
        model(self.model);
        let other = match &self.tester {
            Tester::Model(other) => {
                model(other);
                BEGINNING
            }
            Tester::Player(spec) => spec,
        };
        let rest = (self.games, self.nodes, self.search, self.most_plies, self.seed, other);
        hasher.update(format!("{rest:?}").as_bytes());
        hasher.finalize().to_hex()[..24].to_string()
    }

    /// The stored result, if it is there and is this trial's.
    #[must_use]
    pub fn stored(&self) -> Option<Outcome> {
        let own = read_outcome(&self.path).filter(|o| o.key == self.key());
        // Where broken games were counted as won or lost, the test is played again.
        own.filter(|o| o.tally.games() + o.broken <= self.games)
    }

    /// Plays the games, unless they have been played.
    pub fn play(
        &self,
        crew: &Crew<'_>,
        supply: &Supply,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Outcome, TaskError> {
        if let Some(outcome) = self.stored() {
            progress.advance(self.games);
            return Ok(outcome);
        }
        let tested = self.model.fast();
        let other = match &self.tester {
            Tester::Model(model) => Some(model.fast()),
            Tester::Player(_) => None,
        };
        let pairs: Result<Vec<Pair>, TaskError> = (0..self.games.div_ceil(2) as usize)
            .into_par_iter()
            .with_max_len(1)
            .map(|pair| {
                let pair = pair as u64;
                let games = if 2 * pair + 1 < self.games { 2 } else { 1 };
                let played = self.pair(pair, games, &tested, other.as_ref(), crew, supply, stop);
                progress.advance(games);
                played
            })
            .collect();
        let (mut tally, mut broken, mut why) = (Tally::default(), 0, None);
        for pair in pairs? {
            pair.half_points.iter().for_each(|&h| tally.add_game(h));
            if pair.half_points.len() == 2 {
                tally.add_pair(pair.half_points.iter().sum());
            }
            broken += pair.broken;
            why = why.or(pair.why);
        }
        let outcome = Outcome { key: self.key(), tally, broken, why };
        let text = serde_json::to_string_pretty(&outcome).map_err(TaskError::below)? + "\n";
        write_atomically(&self.path, text.as_bytes()).map_err(TaskError::below)?;
        Ok(outcome)
    }

    #[allow(clippy::too_many_arguments)]
    fn pair(
        &self,
        number: u64,
        games: u64,
        tested: &Fast,
        other: Option<&Fast>,
        crew: &Crew<'_>,
        supply: &Supply,
        stop: &StopFlag,
    ) -> Result<Pair, TaskError> {
        let opening = supply.line(mix(self.seed).wrapping_add(number));
        let mut pair = Pair { half_points: Vec::new(), broken: 0, why: None };
        for game in 0..games {
            let own = if game == 0 { Color::White } else { Color::Black };
            let engine = |fast: &Fast| {
                let engine = game::thinker(fast, self.search).map_err(TaskError::below)?;
                Ok::<_, TaskError>(Seat::Thinker(Box::new(engine), self.nodes))
            };
            let mut one = engine(tested)?;
            let mut two = match (&self.tester, other) {
                (Tester::Player(spec), _) => {
                    let seed = mix(self.seed ^ mix(2 * number + game));
                    let player = crew.take(spec, seed).map_err(TaskError::Unfit)?;
                    Seat::Player(player, self.nodes)
                }
                (Tester::Model(_), Some(fast)) => engine(fast)?,
                (Tester::Model(_), None) => unreachable!("a model is made ready before"),
            };
            let seats = match own {
                Color::White => [&mut one, &mut two],
                Color::Black => [&mut two, &mut one],
            };
            let played = game::play(opening.clone(), seats, self.most_plies, stop);
            match &played.end {
                End::Stopped => return Err(TaskError::Stopped { resumable: true }),
                End::Broken(..) => {
                    pair.broken += 1;
                    pair.why.get_or_insert_with(|| played.reason());
                }
                End::Over(_) | End::TooLong => {
                    if let (Tester::Player(spec), Seat::Player(player, _)) = (&self.tester, two) {
                        crew.give_back(spec, player);
                    }
                }
            }
            pair.half_points.push(played.half_points(own));
        }
        // A game that a player broke says nothing about strength, and the other one alone would
        // favour a colour.
        if pair.broken > 0 {
            pair.half_points.clear();
        }
        Ok(pair)
    }
}

struct Pair {
    half_points: Vec<usize>,
    broken: u64,
    why: Option<String>,
}

/// A stored result, whosever it is.
#[must_use]
pub fn read_outcome(path: &Path) -> Option<Outcome> {
    serde_json::from_slice(&read_bounded(path, MAX_FILE).ok()?).ok()
}

/// The file of a test in an experiment's folder.
#[must_use]
pub fn test_path(folder: &Path, point: u64, tester: usize) -> PathBuf {
    folder.join("tests").join(format!("{point:06}-{}.json", tester + 1))
}

/// Results of one variant at the points of its curve: for each point, for each tester.
#[derive(Clone, Debug, Default)]
pub struct Tested {
    /// After how many games.
    pub points: Vec<u64>,
    /// By point and tester; nothing where no test was played.
    pub tallies: Vec<Vec<Option<Tally>>>,
    /// Broken games by point; they are left out of the tallies.
    pub broken: Vec<u64>,
    /// Why the first of them was.
    pub why: Option<String>,
}

/// A point of a learning curve.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CurvePoint {
    /// After so many games.
    pub games: u64,
    /// Elo above the beginning.
    pub elo: f64,
    /// Half the width of the 95 % interval.
    pub error_95: f64,
    /// Won or lost everything, so that this is rather a bound.
    pub bounded: bool,
    /// Points by tester, as a share; nothing where no test was played.
    pub scores: Vec<Option<f64>>,
    /// Test games.
    pub test_games: u64,
    /// Test games that were broken; they are left out.
    pub broken: u64,
}

impl Tested {
    /// Reads what was played of an experiment's tests.
    #[must_use]
    pub fn gather(settings: &Settings, folder: &Path) -> Tested {
        let points = settings.points.clone();
        let (mut tallies, mut broken, mut why) = (Vec::new(), Vec::new(), None);
        for &point in &points {
            let found: Vec<Option<Outcome>> = (0..settings.testers.len())
                .map(|t| read_outcome(&test_path(folder, point, t)))
                .collect();
            broken.push(found.iter().flatten().map(|o| o.broken).sum());
            why = why.or_else(|| found.iter().flatten().find_map(|o| o.why.clone()));
            tallies.push(found.into_iter().map(|o| o.map(|o| o.tally)).collect());
        }
        Tested { points, tallies, broken, why }
    }

    /// The sum of the same tests of several experiments.
    #[must_use]
    pub fn plus(mut self, other: &Tested) -> Tested {
        for (mine, theirs) in self.tallies.iter_mut().zip(&other.tallies) {
            for (a, b) in mine.iter_mut().zip(theirs) {
                *a = match (*a, b) {
                    (Some(a), Some(b)) => Some(a.plus(b)),
                    (a, b) => a.or(*b),
                };
            }
        }
        self.broken.iter_mut().zip(&other.broken).for_each(|(a, b)| *a += b);
        self.why = self.why.or_else(|| other.why.clone());
        self
    }

    /// Elo at each point, on one scale with all testers; the beginning is 0.
    #[must_use]
    pub fn curve(&self, testers: &[String]) -> Vec<CurvePoint> {
        let n = self.points.len();
        let mut names: Vec<String> = self.points.iter().map(|p| format!("@{p}")).collect();
        let mut number = Vec::new();
        for tester in testers {
            if tester == BEGINNING {
                number.push(0);
            } else {
                number.push(names.len());
                names.push(tester.clone());
            }
        }
        let mut inputs = Vec::new();
        for (p, row) in self.tallies.iter().enumerate() {
            for (t, tally) in row.iter().enumerate() {
                if let Some(tally) = tally.filter(|t| t.games() > 0)
                    && number[t] != p
                {
                    inputs.push(RatingInput { players: (p, number[t]), tally });
                }
            }
        }
        if inputs.is_empty() {
            return Vec::new();
        }
        let found = ratings(&names, &inputs, Some((0, 0.0)));
        let of = |name: &str| -> Option<&Rating> { found.iter().find(|r| r.player == name) };
        (0..n)
            .filter_map(|p| {
                let rating = of(&names[p])?;
                let games: u64 = self.tallies[p].iter().flatten().map(Tally::games).sum();
                let met = games > 0 || p == 0;
                met.then(|| CurvePoint {
                    games: self.points[p],
                    elo: rating.rating,
                    error_95: rating.error_95,
                    // The beginning is at 0 by definition.
                    bounded: rating.bounded && p > 0,
                    scores: (self.tallies[p].iter())
                        .map(|t| t.as_ref().and_then(|t| t.summary().score))
                        .collect(),
                    test_games: games,
                    broken: self.broken.get(p).copied().unwrap_or(0),
                })
            })
            .collect()
    }
}

/// The mean of some numbers and half the width of its 95 % interval by Student's distribution; no
/// interval for a single one.
#[must_use]
pub fn mean_and_error(numbers: &[f64]) -> Option<(f64, Option<f64>)> {
    let n = numbers.len();
    if n == 0 {
        return None;
    }
    let mean = numbers.iter().sum::<f64>() / n as f64;
    if n == 1 {
        return Some((mean, None));
    }
    let variance = numbers.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / (n - 1) as f64;
    Some((mean, Some(student_95(n - 1) * (variance / n as f64).sqrt())))
}

/// The 97.5 % point of Student's distribution.
fn student_95(freedom: usize) -> f64 {
    const TABLE: [f64; 10] =
        [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365, 2.306, 2.262, 2.228];
    match freedom {
        0 => f64::INFINITY,
        1..=10 => TABLE[freedom - 1],
        // Within a hundredth of the true value from here on.
        _ => 1.96 + 2.45 / freedom as f64,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(wins: u64, draws: u64, losses: u64) -> Option<Tally> {
        Some(Tally { wins, draws, losses, ..Tally::default() })
    }

    #[test]
    fn a_curve_begins_at_nought_and_tells_its_errors() {
        let tested = Tested {
            points: vec![0, 50, 100],
            tallies: vec![
                vec![None, tally(10, 10, 80)],
                vec![tally(60, 20, 20), tally(30, 20, 50)],
                vec![tally(80, 10, 10), tally(50, 20, 30)],
            ],
            ..Tested::default()
        };
        let testers = ["start".to_string(), "hand".to_string()];
        let curve = tested.curve(&testers);
        assert_eq!(curve.len(), 3);
        assert_eq!((curve[0].elo, curve[0].games, curve[0].test_games), (0.0, 0, 100));
        assert!(curve[1].elo > 100.0 && curve[2].elo > curve[1].elo + 50.0, "{curve:?}");
        assert!(curve[2].error_95 > 20.0 && curve[2].error_95 < 120.0, "{curve:?}");
        assert_eq!(curve[1].scores, [Some(0.7), Some(0.4)]);
        let twice = tested.clone().plus(&tested).curve(&testers);
        assert!(twice[2].error_95 < curve[2].error_95);
        assert!((twice[2].elo - curve[2].elo).abs() < 1e-6);
        let none = Tested { points: vec![0], tallies: vec![vec![None]], ..Tested::default() };
        assert!(none.curve(&testers[..1]).is_empty());
    }

    #[test]
    fn the_mean_of_several_runs_has_the_error_of_student() {
        assert_eq!(mean_and_error(&[]), None);
        assert_eq!(mean_and_error(&[5.0]), Some((5.0, None)));
        let (mean, error) = mean_and_error(&[10.0, 20.0, 30.0, 40.0]).unwrap();
        assert_eq!(mean, 25.0);
        // Standard deviation 12.909944, of the mean 6.454972; 3 degrees of freedom.
        assert!((error.unwrap() - 3.182 * 6.454_972).abs() < 1e-3);
        assert!((student_95(30) - 2.042).abs() < 0.01);
    }
}
