//! Where among the guesses does a move stand?
//!
//! Guesses that are equally likely share their places: none of them comes before the other, and what
//! is counted is what drawing lots would give on average. Moves that a policy leaves out are all
//! equally likely, after those that it names.

use crate::point::Point;
use crate::policy::Guess;
use crate::position::Position;

/// A move that a policy gives no chance at all counts as this likely.
pub const LEAST: f64 = 1e-6;

/// The place of a move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// Moves that are more likely.
    pub better: usize,
    /// Moves that are as likely, itself among them.
    pub equal: usize,
    /// How likely it is; at least [`LEAST`].
    pub probability: f64,
    /// Was it given a chance?
    pub named: bool,
}

impl Place {
    /// The place of a legal move; `None` for one that cannot be played.
    #[must_use]
    pub fn of(guesses: &[Guess], played: Point, position: &Position) -> Option<Place> {
        let Some(own) = guesses.iter().find(|g| g.point == played) else {
            return Place::left_out(guesses, played, position);
        };
        let better = guesses.iter().filter(|g| g.probability > own.probability).count();
        let equal = guesses.iter().filter(|g| g.probability == own.probability).count();
        let probability = f64::from(own.probability).max(LEAST);
        Some(Place { better, equal, probability, named: own.probability > 0.0 })
    }

    fn left_out(guesses: &[Guess], played: Point, position: &Position) -> Option<Place> {
        let (board, side) = (position.board(), position.to_move());
        board.check(played, side, false).ok()?;
        let legal = board.empty_points().filter(|&p| board.check(p, side, false).is_ok()).count();
        let equal = legal.saturating_sub(guesses.len()).max(1);
        let rest = 1.0 - guesses.iter().map(|g| f64::from(g.probability)).sum::<f64>();
        let probability = (rest / equal as f64).max(LEAST);
        Some(Place { better: guesses.len(), equal, probability, named: false })
    }

    /// Its rank, from 1 on; the middle of the ranks that it shares.
    #[must_use]
    pub fn rank(&self) -> f64 {
        self.better as f64 + (self.equal + 1) as f64 / 2.0
    }

    /// How probable it is to be among the first so many, when lots are drawn among equals.
    #[must_use]
    pub fn among(&self, first: usize) -> f64 {
        (first.saturating_sub(self.better) as f64 / self.equal as f64).min(1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::policy::{Policy, Scene, Uniform};

    #[test]
    fn equal_guesses_share_their_places() {
        let position = Position::from_text("4/4/4/4 black", 4).unwrap();
        let mut guesses = Vec::new();
        Uniform.guesser().guess(Scene::bare(&position), &mut guesses);
        let place = Place::of(&guesses, Point::at(1, 1), &position).unwrap();
        assert_eq!((place.better, place.equal), (0, 16));
        assert!((place.rank() - 8.5).abs() < 1e-12);
        assert!((place.among(4) - 0.25).abs() < 1e-12);
        assert!((place.among(50) - 1.0).abs() < 1e-12);
        assert!((place.probability - 1.0 / 16.0).abs() < 1e-6);
    }

    #[test]
    fn moves_that_were_left_out_come_last_and_share_the_rest() {
        let position = Position::from_text("X3/4/4/4 white", 4).unwrap();
        let guess = |x, probability| Guess { point: Point::at(x, 1), probability };
        let guesses = [guess(0, 0.5), guess(1, 0.22)];
        let place = Place::of(&guesses, Point::at(3, 3), &position).unwrap();
        assert_eq!((place.better, place.equal, place.named), (2, 13, false));
        assert!((place.probability - 0.28 / 13.0).abs() < 1e-6);
        assert!(Place::of(&guesses, Point::at(0, 0), &position).is_none());
        let second = Place::of(&guesses, Point::at(1, 1), &position).unwrap();
        assert!((second.rank() - 2.0).abs() < 1e-12 && second.among(1) == 0.0);
        let sure = [guess(0, 1.0)];
        let place = Place::of(&sure, Point::at(3, 3), &position).unwrap();
        assert!((place.probability - LEAST).abs() < 1e-12);
    }
}
