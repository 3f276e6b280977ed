//! How good are guesses on average, and how sure is that?
//!
//! Positions of one game are much alike, so the unit of chance is the game: every figure is a ratio of
//! two sums over games (what was gained, and positions), and its error is that of a ratio of means,
//! `Σ (gain − ratio × positions)² ` over games, linearised. With one position a game this is the usual
//! standard error of a mean.

use super::place::Place;
use serde_json::{Value, json};

/// Accuracies are told for the first 1, 2, … so many guesses.
pub const MOST: usize = 50;
/// The figures: accuracies, the mean rank, the log-likelihood.
const FIGURES: usize = MOST + 2;
const RANK: usize = MOST;
const LOG: usize = MOST + 1;

/// Sums over the positions of one game.
#[derive(Clone, Debug)]
pub struct OneGame {
    positions: u32,
    left_out: u32,
    gains: [f64; FIGURES],
}

impl Default for OneGame {
    fn default() -> OneGame {
        OneGame { positions: 0, left_out: 0, gains: [0.0; FIGURES] }
    }
}

impl OneGame {
    /// Adds a position.
    pub fn add(&mut self, place: &Place) {
        self.positions += 1;
        self.left_out += u32::from(!place.named);
        for (m, gain) in self.gains[..MOST].iter_mut().enumerate() {
            *gain += place.among(m + 1);
        }
        self.gains[RANK] += place.rank();
        self.gains[LOG] += place.probability.ln();
    }
}

/// Sums over games.
#[derive(Clone, Debug)]
pub struct Tally {
    /// Games with at least one position.
    pub games: u64,
    /// Positions.
    pub positions: u64,
    /// Positions whose move was given no chance.
    pub left_out: u64,
    squares: f64,
    sums: [[f64; 3]; FIGURES],
}

impl Default for Tally {
    fn default() -> Tally {
        Tally { games: 0, positions: 0, left_out: 0, squares: 0.0, sums: [[0.0; 3]; FIGURES] }
    }
}

/// A figure with the interval that holds the truth in 95 of 100 cases.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Figure {
    /// The best guess.
    pub value: f64,
    /// Half the width of the interval; `None` where there are not two games.
    pub error: Option<f64>,
}

impl Tally {
    /// Adds a game.
    pub fn add(&mut self, game: &OneGame) {
        if game.positions == 0 {
            return;
        }
        let n = f64::from(game.positions);
        self.games += 1;
        self.positions += u64::from(game.positions);
        self.left_out += u64::from(game.left_out);
        self.squares += n * n;
        for (sums, &gain) in self.sums.iter_mut().zip(&game.gains) {
            sums[0] += gain;
            sums[1] += gain * gain;
            sums[2] += gain * n;
        }
    }

    /// Adds what was counted elsewhere.
    pub fn join(&mut self, other: &Tally) {
        self.games += other.games;
        self.positions += other.positions;
        self.left_out += other.left_out;
        self.squares += other.squares;
        for (sums, more) in self.sums.iter_mut().zip(&other.sums) {
            for (sum, more) in sums.iter_mut().zip(more) {
                *sum += more;
            }
        }
    }

    fn figure(&self, which: usize) -> Figure {
        let [x, xx, xn] = self.sums[which];
        let (n, games) = (self.positions.max(1) as f64, self.games as f64);
        let value = x / n;
        let error = (self.games > 1).then(|| {
            let spread = (xx - 2.0 * value * xn + value * value * self.squares).max(0.0);
            1.96 * (games / (games - 1.0) * spread).sqrt() / n
        });
        Figure { value, error }
    }

    /// How often the move was among the first so many (1 to [`MOST`]).
    #[must_use]
    pub fn accuracy(&self, first: usize) -> Figure {
        self.figure(first.clamp(1, MOST) - 1)
    }

    /// The mean rank, from 1 on.
    #[must_use]
    pub fn mean_rank(&self) -> Figure {
        self.figure(RANK)
    }

    /// The mean of the natural logarithm of the probability.
    #[must_use]
    pub fn log_likelihood(&self) -> Figure {
        self.figure(LOG)
    }

    /// All of it, for scripts.
    #[must_use]
    pub fn json(&self) -> Value {
        let share = |f: Figure| {
            let low = f.error.map(|e| (f.value - e).max(0.0));
            let high = f.error.map(|e| (f.value + e).min(1.0));
            json!({"value": round(f.value), "low": low.map(round), "high": high.map(round)})
        };
        let plain = |f: Figure| {
            let (low, high) = (f.error.map(|e| f.value - e), f.error.map(|e| f.value + e));
            json!({"value": round(f.value), "low": low.map(round), "high": high.map(round)})
        };
        let accuracy = (1..=MOST).map(|m| {
            let mut figure = share(self.accuracy(m));
            figure["m"] = json!(m);
            figure
        });
        json!({
            "games": self.games,
            "positions": self.positions,
            "given_no_chance": self.left_out,
            "top1": share(self.accuracy(1)),
            "top5": share(self.accuracy(5)),
            "top10": share(self.accuracy(10)),
            "accuracy": accuracy.collect::<Vec<_>>(),
            "mean_rank": plain(self.mean_rank()),
            "log_likelihood": plain(self.log_likelihood()),
        })
    }

    /// One line of a table: see [`HEADLINE`].
    #[must_use]
    pub fn line(&self) -> String {
        if self.positions == 0 {
            return format!("{:>9}", 0);
        }
        let share = |m: usize| {
            let f = self.accuracy(m);
            match f.error {
                Some(e) => format!("{:5.1} ±{:<4.1}", 100.0 * f.value, 100.0 * e),
                None => format!("{:5.1}      ", 100.0 * f.value),
            }
        };
        let plain = |f: Figure| match f.error {
            Some(e) => format!("{:7.2} ±{e:<5.2}", f.value),
            None => format!("{:7.2}       ", f.value),
        };
        let shares: Vec<String> = [1, 2, 5, 10, 20, 50].into_iter().map(share).collect();
        format!(
            "{:>9}  {}  {}  {}",
            self.positions,
            shares.join("  "),
            plain(self.mean_rank()),
            plain(self.log_likelihood())
        )
    }
}

/// What the columns of [`Tally::line`] are.
pub const HEADLINE: &str = "positions  top 1, %     top 2, %     top 5, %     top 10, %    \
                            top 20, %    top 50, %    mean rank      log-likelihood";

/// Digits beyond are noise.
fn round(value: f64) -> f64 {
    (value * 1e6).round() / 1e6
}

#[cfg(test)]
mod tests {
    use super::*;

    fn place(better: usize, probability: f64) -> Place {
        Place { better, equal: 1, probability, named: true }
    }

    fn game(places: &[Place]) -> OneGame {
        let mut game = OneGame::default();
        places.iter().for_each(|p| game.add(p));
        game
    }

    #[test]
    fn one_position_a_game_gives_the_error_of_a_mean() {
        let mut tally = Tally::default();
        for i in 0..100 {
            tally.add(&game(&[place(usize::from(i % 4 == 0), 0.5)]));
        }
        let top = tally.accuracy(1);
        assert!((top.value - 0.75).abs() < 1e-12);
        let expected = 1.96 * (0.75 * 0.25 / 99.0f64).sqrt();
        assert!((top.error.unwrap() - expected).abs() < 1e-12);
        assert!((tally.accuracy(2).value - 1.0).abs() < 1e-12);
        assert!(tally.accuracy(2).error.unwrap() < 1e-12);
        assert!((tally.mean_rank().value - 1.25).abs() < 1e-12);
        assert!((tally.log_likelihood().value - 0.5f64.ln()).abs() < 1e-12);
    }

    #[test]
    fn positions_that_go_together_make_the_interval_wider() {
        let (good, bad) = ([place(0, 0.5); 10], [place(9, 0.01); 10]);
        let mut together = Tally::default();
        let mut apart = Tally::default();
        for i in 0..40 {
            together.add(&game(if i % 2 == 0 { &good } else { &bad }));
            let mixed: Vec<Place> = good[..5].iter().chain(&bad[..5]).copied().collect();
            apart.add(&game(&mixed));
        }
        assert_eq!(together.positions, apart.positions);
        assert!(together.accuracy(1).error.unwrap() > 0.1);
        assert!(apart.accuracy(1).error.unwrap() < 1e-9);
    }

    #[test]
    fn tallies_can_be_joined_and_empty_games_do_not_count() {
        let games = [game(&[place(0, 0.3)]), game(&[]), game(&[place(3, 0.1), place(60, 0.01)])];
        let mut whole = Tally::default();
        games.iter().for_each(|g| whole.add(g));
        let mut first = Tally::default();
        first.add(&games[0]);
        let mut rest = Tally::default();
        games[1..].iter().for_each(|g| rest.add(g));
        first.join(&rest);
        assert_eq!(first.json(), whole.json());
        assert_eq!((whole.games, whole.positions), (2, 3));
        let one = {
            let mut t = Tally::default();
            t.add(&games[0]);
            t
        };
        assert_eq!(one.accuracy(1).error, None);
        assert_eq!(one.json()["top1"]["low"], Value::Null);
    }
}
