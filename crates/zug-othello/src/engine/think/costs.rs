//! What will a search to the end cost?
//!
//! Its positions grow with the number of empty squares like a power. Where the power begins is
//! learned from the searches that were made: the next ones of a game are much like them.

use super::super::Confidence;
use std::time::Duration;

/// The logarithm (base 2) of the growth with each empty square.
const GROWTH: f32 = 1.25;
/// The logarithm of the positions of an exact score with twenty empty squares.
const TWENTY: f32 = 21.5;
/// The logarithm of what a search for the outcome costs less than one for the score.
const OUTCOME: f32 = 1.5;
/// The logarithm of what a selective search costs less, at one deviation.
const SELECTIVE: f32 = 3.0;
/// Seconds a position, before any was measured.
const SECONDS: f32 = 30e-9;
/// No search teaches more than this at once, as a logarithm.
const LESSON: f32 = 2.0;

/// What former searches cost, compared with what was expected.
#[derive(Clone, Debug)]
pub(super) struct Costs {
    /// By kind: the logarithm of how much more it was.
    more: [f32; 4],
    seconds: f32,
}

impl Default for Costs {
    fn default() -> Costs {
        Costs { more: [0.0; 4], seconds: SECONDS }
    }
}

/// A search to the end.
#[derive(Clone, Copy, Debug)]
pub(super) struct Plan {
    pub empties: u32,
    /// For the outcome alone.
    pub outcome: bool,
    pub confidence: Confidence,
    /// Less certain searches have been made before.
    pub prepared: bool,
}

impl Plan {
    fn kind(self) -> usize {
        2 * usize::from(self.outcome) + usize::from(self.confidence != Confidence::FULL)
    }

    /// The logarithm of the positions, before anything was learned.
    fn guess(self) -> f32 {
        let mut log = TWENTY + GROWTH * (self.empties as f32 - 20.0);
        if self.outcome {
            log -= OUTCOME;
        }
        if self.confidence != Confidence::FULL {
            // Three deviations cost nearly what the exact search costs.
            log -= SELECTIVE * (1.0 - (self.confidence.percentile() - 1.0) / 3.0).clamp(0.1, 1.0);
        }
        log.max(4.0)
    }
}

impl Costs {
    /// Everything costs this much more, as a logarithm.
    #[cfg(test)]
    pub fn dear(log: f32) -> Costs {
        Costs { more: [log; 4], ..Costs::default() }
    }

    /// The positions that a search will probably visit.
    pub fn nodes(&self, plan: Plan) -> f64 {
        f64::from(plan.guess() + self.more[plan.kind()]).exp2()
    }

    /// The time that it will probably take.
    pub fn time(&self, plan: Plan) -> Duration {
        let seconds = self.nodes(plan) * f64::from(self.seconds);
        Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX / 4)
    }

    /// A search visited so many positions in this time.
    pub fn learn(&mut self, plan: Plan, nodes: u64, time: Duration) {
        let log = (nodes.max(1) as f32).log2();
        let kind = plan.kind();
        let error = (log - plan.guess() - self.more[kind]).clamp(-LESSON, LESSON);
        self.more[kind] += error / 2.0;
        if nodes > 100_000 {
            let seconds = time.as_secs_f32() / nodes as f32;
            self.seconds = (0.5 * (self.seconds + seconds)).clamp(1e-9, 1e-6);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_grow_with_the_empty_squares_and_with_what_is_asked() {
        let costs = Costs::default();
        let selective = Confidence::deviations(1.5).unwrap();
        let nodes = |empties, outcome, confidence| {
            costs.nodes(Plan { empties, outcome, confidence, prepared: false })
        };
        for empties in 10..30 {
            let exact = nodes(empties, false, Confidence::FULL);
            assert!(nodes(empties + 1, false, Confidence::FULL) > 2.0 * exact);
            assert!(nodes(empties, true, Confidence::FULL) < exact);
            assert!(nodes(empties, false, selective) < exact);
        }
    }

    #[test]
    fn what_searches_cost_is_learned_for_their_kind() {
        let mut costs = Costs::default();
        let confidence = Confidence::FULL;
        let plan = Plan { empties: 22, outcome: false, confidence, prepared: false };
        let other = Plan { outcome: true, ..plan };
        let before = (costs.nodes(plan), costs.nodes(other));
        for _ in 0..20 {
            costs.learn(plan, 1 << 20, Duration::from_millis(100));
        }
        assert!((costs.nodes(plan).log2() - 20.0).abs() < 0.1 && before.0 > (1 << 23) as f64);
        assert_eq!(costs.nodes(other), before.1);
        let expected = 0.1 * costs.nodes(plan) / f64::from(1 << 20);
        assert!((costs.time(plan).as_secs_f64() / expected - 1.0).abs() < 0.05);
        // What no clock can show is only very long.
        assert!(costs.time(Plan { empties: 60, ..plan }) > Duration::from_secs(1_000_000));
    }
}
