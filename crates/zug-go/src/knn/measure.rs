//! How often is the professional's move among the first m guesses?

use super::database::{Database, Proposal};
use super::guess::Model;
use super::scan::Scan;
use super::settings::stage_of;
use crate::corpus::GoRecord;
use crate::guess::place::Place;
use crate::point::Move;
use crate::policy::{Guesser, Scene};
use crate::position::Position;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use zug_core::StopFlag;

/// At which place of the list the played moves stood. Moves of equal value share their places, as
/// everywhere: see [`Place`].
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Places {
    /// How many stood at the first place, the second, …, in parts of an example (`PARTS` are one):
    /// whole numbers, so that sums do not depend on their order.
    pub parts: Vec<u64>,
    /// How many were never proposed.
    pub missed: u64,
    /// The sum of the last places (all legal moves) where the move was never proposed.
    pub missed_last: u64,
    /// How many examples had so many legal moves, from 0 on.
    pub legal: Vec<u64>,
}

/// An example is so many parts, to be shared among the places of equal moves.
const PARTS: u64 = 1_000_000_000;

fn raise(counts: &mut Vec<u64>, at: usize, by: u64) {
    if counts.len() <= at {
        counts.resize(at + 1, 0);
    }
    counts[at] += by;
}

impl Places {
    fn add(&mut self, place: Option<Place>, legal: usize) {
        raise(&mut self.legal, legal, 1);
        match place {
            Some(Place { better, equal, .. }) => {
                let upto = |place: usize| PARTS * place as u64 / equal as u64;
                (0..equal).for_each(|i| raise(&mut self.parts, better + i, upto(i + 1) - upto(i)));
            }
            None => {
                self.missed += 1;
                self.missed_last += legal as u64;
            }
        }
    }

    fn join(&mut self, other: &Places) {
        other.parts.iter().enumerate().for_each(|(i, &n)| raise(&mut self.parts, i, n));
        other.legal.iter().enumerate().for_each(|(i, &n)| raise(&mut self.legal, i, n));
        self.missed += other.missed;
        self.missed_last += other.missed_last;
    }

    /// Examples.
    #[must_use]
    pub fn examples(&self) -> u64 {
        self.legal.iter().sum()
    }

    /// The share of examples whose move is among the first `m`.
    #[must_use]
    pub fn accuracy(&self, m: usize) -> f64 {
        share(examples(self.parts.iter().take(m).sum()), self.examples())
    }

    /// The share of examples whose move is proposed at all.
    #[must_use]
    pub fn limit(&self) -> f64 {
        share((self.examples() - self.missed) as f64, self.examples())
    }

    /// The longest list in which a move was found.
    #[must_use]
    pub fn longest(&self) -> usize {
        self.parts.len()
    }

    fn sum_of_places(&self) -> f64 {
        self.parts.iter().zip(1u32..).map(|(&n, place)| examples(n) * f64::from(place)).sum()
    }

    /// The mean place, of moves that were proposed.
    #[must_use]
    pub fn mean_found(&self) -> f64 {
        share(self.sum_of_places(), self.examples() - self.missed)
    }

    /// The mean place where a move that was never proposed counts as the last of all legal ones.
    #[must_use]
    pub fn mean_with_missed(&self) -> f64 {
        share(self.sum_of_places() + self.missed_last as f64, self.examples())
    }

    /// What `m` guesses at random would find: the mean of m / legal moves, at most 1.
    #[must_use]
    pub fn random(&self, m: usize) -> f64 {
        let one = |(legal, &n): (usize, &u64)| match legal {
            0 => 0.0,
            legal => n as f64 * (m.min(legal) as f64 / legal as f64),
        };
        share(self.legal.iter().enumerate().map(one).sum(), self.examples())
    }
}

fn examples(parts: u64) -> f64 {
    parts as f64 / PARTS as f64
}

fn share(part: f64, whole: u64) -> f64 {
    if whole > 0 { part / whole as f64 } else { 0.0 }
}

/// Places of all examples, and of each stage of the game.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Accuracy {
    /// All.
    pub all: Places,
    /// By stage.
    pub stages: Vec<Places>,
}

/// A game to test on, and how many of its examples.
#[derive(Clone, Copy, Debug)]
pub struct TestGame<'a> {
    /// The game.
    pub game: &'a GoRecord,
    /// The first so many examples.
    pub examples: usize,
}

impl TestGame<'_> {
    /// The positions with the moves that were made in them.
    pub fn visit(&self, mut visit: impl FnMut(&Position, crate::point::Point)) {
        let (mut position, mut left) = (Position::new(self.game.size()), self.examples);
        for mv in self.game.moves() {
            if left == 0 {
                return;
            }
            if let Some(point) = mv {
                visit(&position, point);
                left -= 1;
            }
            position.play(mv.map_or(Move::Pass, Move::Play));
        }
    }
}

/// Guesses every move of every game; `stages` are the borders by which results are told apart. `None` when
/// asked to stop.
#[must_use]
pub fn measure(
    model: &Model,
    tests: &[TestGame<'_>],
    stages: &[u32],
    stop: &StopFlag,
) -> Option<Accuracy> {
    let of_game = |test: &TestGame<'_>| {
        let mut accuracy =
            Accuracy { all: Places::default(), stages: vec![Places::default(); stages.len() + 1] };
        if stop.is_set() {
            return accuracy;
        }
        let (mut finder, mut guesses) = (model.finder(), Vec::new());
        test.visit(|position, played| {
            let (board, side) = (position.board(), position.to_move());
            let legal =
                board.empty_points().filter(|&p| board.check(p, side, false).is_ok()).count();
            finder.guess(Scene::bare(position), &mut guesses);
            let proposed = guesses.iter().any(|g| g.point == played);
            let place = Place::of(&guesses, played, position).filter(|_| proposed);
            accuracy.all.add(place, legal);
            let stage = stage_of(stages, position.moves_played() + 1);
            accuracy.stages[stage].add(place, legal);
        });
        accuracy
    };
    let join = |mut a: Accuracy, b: Accuracy| {
        a.all.join(&b.all);
        a.stages.resize(a.stages.len().max(b.stages.len()), Places::default());
        a.stages.iter_mut().zip(&b.stages).for_each(|(a, b)| a.join(b));
        a
    };
    let accuracy = tests.par_iter().map(of_game).reduce(Accuracy::default, join);
    (!stop.is_set()).then_some(accuracy)
}

/// How fast moves are guessed on one thread.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub struct Speed {
    /// Moves that were asked for.
    pub most: usize,
    /// Positions a second by the tree.
    pub tree: f64,
    /// Positions a second by going through the list, as the thesis does.
    pub list: f64,
    /// Bytes of the list's bit boards.
    pub list_bytes: usize,
}

/// Measures the speed of both guessers on the same positions, for a second of work each; they must find
/// the same moves.
#[must_use]
pub fn speed(model: &Model, positions: &[Position], most: usize) -> Option<Speed> {
    let database = model.database();
    match super::bits::words(database.size()) {
        2 => speed_with(model, Scan::<2>::new(database)?, positions, most),
        6 => speed_with(model, Scan::<6>::new(database)?, positions, most),
        _ => None,
    }
}

fn speed_with<const W: usize>(
    model: &Model,
    scan: Scan<W>,
    positions: &[Position],
    most: usize,
) -> Option<Speed> {
    let database: &Database = model.database();
    let mut finder = model.finder();
    let list = rate(positions, &mut |p| scan.guess(database, p, most).len());
    let tree = rate(positions, &mut |p| finder.best(p, most).len());
    let same = positions.iter().take(200).all(|p| {
        let listed: Vec<Proposal> = scan.guess(database, p, most);
        listed == finder.best(p, most)
    });
    same.then_some(Speed { most, tree, list, list_bytes: scan.bytes() })
}

/// Guesses a second, of the time that the thread itself has used: others may be at work on the machine.
fn rate(positions: &[Position], guess: &mut dyn FnMut(&Position) -> usize) -> f64 {
    const ENOUGH: f64 = 1.0;
    // At even distances, so that all stages of games have their share however far it gets.
    let order = [7, 3, 5, 1, 6, 2, 4, 0]
        .into_iter()
        .flat_map(|first| positions.iter().skip(first).step_by(8));
    let order: Vec<&Position> = order.collect();
    let (began, mut done) = (own_time(), 0u32);
    while !positions.is_empty() && own_time() - began < ENOUGH {
        for position in &order {
            std::hint::black_box(guess(position));
            done += 1;
            // The clock is slower than the quickest guess.
            if done.is_multiple_of(64) && own_time() - began >= ENOUGH {
                break;
            }
        }
    }
    f64::from(done) / (own_time() - began)
}

/// Seconds that this thread has been at work.
#[must_use]
pub fn own_time() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 + 1e-9 * time.tv_nsec as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_add_up_to_the_figures_of_the_thesis() {
        let mut places = Places::default();
        let at = |better, equal| Some(Place { better, equal, probability: 0.1, named: true });
        // Two at the first place, one at the third, one never; 10, 10, 20 and 40 legal moves.
        places.add(at(0, 1), 10);
        places.add(at(0, 1), 10);
        places.add(at(2, 1), 20);
        places.add(None, 40);
        assert_eq!((places.accuracy(1), places.accuracy(2), places.accuracy(3)), (0.5, 0.5, 0.75));
        assert_eq!((places.limit(), places.longest()), (0.75, 3));
        assert!((places.mean_found() - 5.0 / 3.0).abs() < 1e-12);
        assert_eq!(places.mean_with_missed(), 45.0 / 4.0);
        assert!((places.random(1) - (0.1 + 0.1 + 0.05 + 0.025) / 4.0).abs() < 1e-12);
        assert!((places.random(15) - (1.0 + 1.0 + 0.75 + 0.375) / 4.0).abs() < 1e-12);
        let mut twice = places.clone();
        twice.join(&places);
        assert_eq!((twice.examples(), twice.limit()), (8, 0.75));
        // Four moves that are worth the same: one guess in four finds the right one.
        let mut tied = Places::default();
        tied.add(at(0, 4), 10);
        assert_eq!((tied.accuracy(1), tied.accuracy(3), tied.mean_found()), (0.25, 0.75, 2.5));
    }
}
