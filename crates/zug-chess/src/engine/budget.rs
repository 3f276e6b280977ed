//! How long may a search take?

use super::Wish;
use super::parameters::TIME_STABLE;
use std::time::{Duration, Instant};

/// A reserve for the way from the last look at the clock to the answer: this much at most, and of
/// little time the eighth part.
const RESERVE: Duration = Duration::from_millis(10);
const RESERVE_PART: u32 = 8;

/// The limits of one search, with the clock started.
pub(super) struct Budget {
    began: Instant,
    aim: Option<Duration>,
    most: Option<Duration>,
    pub nodes: Option<u64>,
}

/// What the iterations so far say about the next.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Doubt {
    /// Iterations in a row with the same best move.
    pub same: u32,
    /// By how much the score fell since the last iteration, in hundredths.
    pub fell: i32,
    /// The share of positions below the best move, 0 to 1.
    pub effort: f64,
}

impl Budget {
    pub fn start(wish: &Wish) -> Budget {
        let most = wish.most.map(|most| most - (most / RESERVE_PART).min(RESERVE));
        Budget { began: Instant::now(), aim: wish.aim, most, nodes: wish.nodes }
    }

    pub fn elapsed(&self) -> Duration {
        self.began.elapsed()
    }

    /// Must the search stop at once?
    pub fn time_is_up(&self) -> bool {
        self.most.is_some_and(|most| self.elapsed() >= most)
    }

    /// Does unused time remain for later moves?
    pub fn saves(&self) -> bool {
        self.aim.is_some()
    }

    /// Is another iteration not worth its time?
    pub fn is_enough(&self, doubt: Doubt) -> bool {
        self.aim.is_some_and(|aim| self.elapsed() >= aim.mul_f64(factor(doubt)))
    }
}

/// What part of the aim to use: little for a move that was best all along, more when the choice or
/// the score changes.
fn factor(doubt: Doubt) -> f64 {
    let stable = TIME_STABLE + 0.7 / (1.0 + f64::from(doubt.same));
    let falling = 1.0 + (f64::from(doubt.fell.clamp(-20, 60)) / 60.0);
    let easy = 1.5 - doubt.effort.clamp(0.0, 1.0);
    (stable * falling * easy).clamp(0.15, 3.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_stable_choice_takes_less_time_and_a_falling_score_more() {
        let calm = Doubt { same: 8, fell: 0, effort: 0.9 };
        assert!(factor(calm) < 0.5);
        assert!(factor(Doubt { same: 0, ..calm }) > factor(calm));
        assert!(factor(Doubt { fell: 50, ..calm }) > factor(calm));
        assert!(factor(Doubt { effort: 0.2, ..calm }) > factor(calm));
    }

    #[test]
    fn the_reserve_grows_with_the_time_and_leaves_most_of_it() {
        for (millis, left) in [(0, 0), (8, 7), (40, 35), (80, 70), (1000, 990)] {
            let wish = Wish { most: Some(Duration::from_millis(millis)), ..Wish::default() };
            assert_eq!(Budget::start(&wish).most, Some(Duration::from_millis(left)));
        }
    }

    #[test]
    fn only_an_aim_ends_a_search_between_iterations() {
        let none = Budget::start(&Wish::default());
        assert!(!none.saves() && !none.time_is_up() && !none.is_enough(Doubt::default()));
        let now = Wish { aim: Some(Duration::ZERO), ..Wish::default() };
        assert!(Budget::start(&now).is_enough(Doubt::default()));
        let most = Wish { most: Some(Duration::ZERO), ..Wish::default() };
        assert!(Budget::start(&most).time_is_up());
    }
}
