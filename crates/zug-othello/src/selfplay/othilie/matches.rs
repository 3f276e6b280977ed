//! How strong is a polynomial? The three tests of the thesis (sections 3.2, 4.3.3, 4.3.4 and 5.7).
//!
//! | test | white | black | games |
//! |---|---|---|---|
//! | first | P_0, then P_End | a search with new random weights for every move | 3 × 1000 each |
//! | second | P_1 to P_End | P_0 | one each, since it would repeat |
//! | third | P_0, then P_End | random moves | 3 × 1000 each |
//!
//! Between P_0 and P_End a learning curve can be asked for: the first test for polynomials at half,
//! a quarter, an eighth of the way and so on, with fewer games.
//!
//! The games are played in pieces, each a small file of letters (`w`, `d`, `l` for white) and a
//! checksum; a piece that is there and whole is not played again.

use super::experiment::{Experiment, History};
use super::measures::{deviation, mean};
use super::players::{Fixed, RandomMover, RandomWeights, play};
use std::path::PathBuf;
use zug_core::{Progress, StopFlag, files};
use zug_learn::face::TaskError;

/// Games of the second test in one piece.
const PIECE: usize = 500;
/// Games of a point of the learning curve.
pub const CURVE_GAMES: usize = 500;

/// The word before a checksum.
const CHECKSUM: &str = "blake3";

/// Which test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Test {
    /// Against random weights.
    First,
    /// Against P_0.
    Second,
    /// Against random moves.
    Third,
    /// The first test on the way.
    Curve,
}

impl Test {
    /// The word for files.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Test::First => "first",
            Test::Second => "second",
            Test::Third => "third",
            Test::Curve => "curve",
        }
    }
}

/// Some games of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Piece {
    test: Test,
    /// P_End rather than P_0 (first and third test).
    end: bool,
    /// Which run (first and third test), or the place of the (first) polynomial.
    at: usize,
    games: usize,
}

impl Piece {
    /// How many games.
    #[must_use]
    pub fn games(&self) -> u64 {
        self.games as u64
    }

    fn file(&self, experiment: &Experiment<'_>) -> PathBuf {
        let name = match self.test {
            Test::Second | Test::Curve => format!("{}-{:06}.txt", self.test.name(), self.at),
            _ => {
                let which = if self.end { "end" } else { "start" };
                format!("{}-{which}-{}.txt", self.test.name(), self.at + 1)
            }
        };
        experiment.folder.join("tests").join(name)
    }

    /// What shows that these are the letters that were written for this piece: of the run's seed,
    /// the experiment and the name of the file too, so that no other file can stand in for it.
    fn checksum(&self, experiment: &Experiment<'_>, letters: &str) -> String {
        let file = self.file(experiment);
        let file = file.file_name().unwrap_or_default().to_string_lossy();
        let said = format!("{} {} {file} {letters}", experiment.seed, experiment.name());
        blake3::hash(said.as_bytes()).to_hex()[..16].to_string()
    }

    /// The results that were played before.
    fn stored(&self, experiment: &Experiment<'_>) -> Stored {
        let path = self.file(experiment);
        if !path.exists() {
            return Stored::Missing;
        }
        let Ok(text) = files::read_text(&path, 1 << 22) else { return Stored::Damaged };
        let (letters, rest) = text.split_once('\n').unwrap_or((&text, ""));
        let results: Option<Vec<i32>> = letters
            .chars()
            .map(|c| match c {
                'w' => Some(1),
                'd' => Some(0),
                'l' => Some(-1),
                _ => None,
            })
            .collect();
        match results.filter(|r| r.len() == self.games) {
            None => Stored::Damaged,
            Some(results) if rest.is_empty() => Stored::Unproven(results),
            Some(results) => {
                let sum = self.checksum(experiment, letters);
                let whole = rest == format!("{CHECKSUM} {sum}\n");
                if whole { Stored::Whole(results) } else { Stored::Damaged }
            }
        }
    }

    /// Plays the games, unless that was done before. Tells if those of an earlier time could not be
    /// trusted.
    pub fn play(
        &self,
        experiment: &Experiment<'_>,
        history: &History,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Option<String>, TaskError> {
        let path = self.file(experiment);
        let note = match self.stored(experiment) {
            Stored::Whole(_) => {
                progress.advance(self.games());
                return Ok(None);
            }
            Stored::Missing => None,
            Stored::Damaged => Some("its checksum does not fit its letters"),
            Stored::Unproven(_) => Some("it has no checksum"),
        };
        let note =
            note.map(|why| format!("{}: {why}; its games were played again", path.display()));
        let sight = experiment.settings.sight;
        let start = history.row(0).weights;
        let tested = match (self.test, self.end) {
            (Test::Curve, _) => self.at,
            (_, true) => history.len() - 1,
            (_, false) => 0,
        };
        let mut white = Fixed::new(history.row(tested).weights, sight);
        let mut start_player = Fixed::new(start, sight);
        let mut random_weights = RandomWeights::new(sight);
        let mut letters = String::with_capacity(self.games + 1);
        for game in 0..self.games {
            if stop.is_set() {
                return Err(TaskError::Stopped { resumable: true });
            }
            let purpose = [self.test.name(), if self.end { "-end" } else { "-start" }].concat();
            let mut rng = experiment.rng(&purpose, self.at as u64, game as u64);
            let ended = match self.test {
                Test::First | Test::Curve => play(&mut random_weights, &mut white, &mut rng),
                Test::Third => play(&mut RandomMover, &mut white, &mut rng),
                Test::Second => {
                    white.set_weights(history.row(self.at + game).weights);
                    play(&mut start_player, &mut white, &mut rng)
                }
            };
            letters.push(match ended.for_white() {
                1 => 'w',
                0 => 'd',
                _ => 'l',
            });
            progress.advance(1);
        }
        let sum = self.checksum(experiment, &letters);
        let text = format!("{letters}\n{CHECKSUM} {sum}\n");
        files::write_atomically(&path, text.as_bytes()).map_err(TaskError::below)?;
        Ok(note)
    }
}

/// What a piece's file holds.
enum Stored {
    /// Results, as they were written.
    Whole(Vec<i32>),
    /// Results without a checksum, as earlier versions wrote them.
    Unproven(Vec<i32>),
    /// Something else.
    Damaged,
    /// There is none.
    Missing,
}

/// All pieces of an experiment's tests. `polynomials` is how many there are, P_0 among them.
#[must_use]
pub fn pieces(experiment: &Experiment<'_>, polynomials: usize) -> Vec<Piece> {
    let s = experiment.settings;
    let mut pieces = Vec::new();
    let mut tests = vec![Test::First];
    tests.extend(s.third.then_some(Test::Third));
    for test in tests {
        for end in [false, true] {
            pieces.extend((0..s.test_runs as usize).map(|at| Piece {
                test,
                end,
                at,
                games: s.test_games as usize,
            }));
        }
    }
    if s.second {
        pieces.extend((1..polynomials).step_by(PIECE).map(|at| Piece {
            test: Test::Second,
            end: false,
            at,
            games: PIECE.min(polynomials - at),
        }));
    }
    pieces.extend(curve_places(s.curve, polynomials).into_iter().map(|at| Piece {
        test: Test::Curve,
        end: false,
        at,
        games: CURVE_GAMES,
    }));
    pieces
}

/// Which polynomials lie on the learning curve: the last, that of half the games, and so on.
fn curve_places(points: u32, polynomials: usize) -> Vec<usize> {
    let mut places: Vec<usize> =
        (0..points.min(63)).map(|k| polynomials.saturating_sub(1) >> k).collect();
    places.retain(|place| *place > 0);
    places.reverse();
    places
}

/// The runs of one polynomial in the first or third test.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strength {
    /// Share of won games of each run, percent.
    pub runs: Vec<f64>,
    /// Share of draws over all runs, percent.
    pub draws: f64,
}

impl Strength {
    /// Play strength: the mean of the runs.
    #[must_use]
    pub fn mean(&self) -> f64 {
        mean(&self.runs)
    }

    /// The standard deviation of the runs.
    #[must_use]
    pub fn deviation(&self) -> f64 {
        deviation(&self.runs)
    }

    /// Does `later` lie outside twice the standard deviation? The thesis's rule.
    #[must_use]
    pub fn verdict(&self, later: &Strength) -> &'static str {
        let (change, margin) = (later.mean() - self.mean(), 2.0 * self.deviation());
        if change > margin {
            "stronger"
        } else if change < -margin {
            "weaker"
        } else {
            "no significant change"
        }
    }
}

/// What the tests of an experiment found; nothing where they were not (all) played.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Tested {
    /// First test of P_0 and P_End.
    pub first: [Option<Strength>; 2],
    /// Results of P_1, P_2, … against P_0, as far as they were played.
    pub second: Vec<i32>,
    /// Third test of P_0 and P_End.
    pub third: [Option<Strength>; 2],
    /// The learning curve: place of the polynomial, percent of games won.
    pub curve: Vec<(usize, f64)>,
    /// Files whose results are left out since they are damaged.
    pub damaged: usize,
    /// Files whose results are used though they have no checksum.
    pub unproven: usize,
}

impl Tested {
    /// Gathers what is there.
    #[must_use]
    pub fn gather(experiment: &Experiment<'_>, polynomials: usize) -> Tested {
        let mut tested = Tested::default();
        let (mut damaged, mut unproven) = (0, 0);
        let all: Vec<(Piece, Option<Vec<i32>>)> = pieces(experiment, polynomials)
            .into_iter()
            .map(|piece| {
                let results = match piece.stored(experiment) {
                    Stored::Whole(results) => Some(results),
                    Stored::Unproven(results) => {
                        unproven += 1;
                        Some(results)
                    }
                    Stored::Damaged => {
                        damaged += 1;
                        None
                    }
                    Stored::Missing => None,
                };
                (piece, results)
            })
            .collect();
        (tested.damaged, tested.unproven) = (damaged, unproven);
        let second = all.iter().filter(|(p, _)| p.test == Test::Second);
        for results in second.map_while(|(_, results)| results.as_ref()) {
            tested.second.extend(results);
        }
        for (piece, results) in all.iter().filter(|(p, _)| p.test == Test::Curve) {
            if let Some(results) = results {
                let won = results.iter().filter(|r| **r > 0).count();
                tested.curve.push((piece.at, 100.0 * won as f64 / results.len() as f64));
            }
        }
        for (test, slots) in [(Test::First, &mut tested.first), (Test::Third, &mut tested.third)] {
            for (end, slot) in [false, true].into_iter().zip(slots) {
                let runs: Option<Vec<&Vec<i32>>> = all
                    .iter()
                    .filter(|(p, _)| p.test == test && p.end == end)
                    .map(|(_, results)| results.as_ref())
                    .collect();
                *slot = runs.filter(|r| !r.is_empty()).map(|runs| {
                    let share = |run: &[i32], of: i32| {
                        let n = run.iter().filter(|r| **r == of).count();
                        100.0 * n as f64 / run.len().max(1) as f64
                    };
                    let draws: Vec<f64> = runs.iter().map(|r| share(r, 0)).collect();
                    Strength {
                        runs: runs.iter().map(|r| share(r, 1)).collect(),
                        draws: mean(&draws),
                    }
                });
            }
        }
        tested
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_learning_curve_goes_by_halves_to_the_last_polynomial() {
        assert_eq!(curve_places(4, 101), [12, 25, 50, 100]);
        assert_eq!(curve_places(9, 4), [1, 3]);
        assert!(curve_places(0, 100).is_empty());
        assert!(curve_places(5, 1).is_empty());
    }

    #[test]
    fn a_change_within_two_standard_deviations_is_not_significant() {
        let of = |runs: [f64; 3]| Strength { runs: runs.to_vec(), draws: 0.0 };
        // A2 and B2 of the thesis.
        let (start, end) = (of([47.2, 43.2, 47.0]), of([43.7, 44.3, 45.3]));
        assert_eq!(start.verdict(&end), "no significant change");
        let (start, end) = (of([62.9, 67.0, 63.1]), of([43.0, 43.4, 41.1]));
        assert_eq!((start.verdict(&end), end.verdict(&start)), ("weaker", "stronger"));
        assert_eq!(format!("{:.1} {:.2}", start.mean(), start.deviation()), "64.3 1.89");
    }
}
