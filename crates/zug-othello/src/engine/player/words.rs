//! How is a thought told to the outer world?

use super::super::{Confidence, Thought, Unit, Value};
use crate::Othello;
use zug_core::{Bound, Info, Line, Score};
use zug_search::players::write_line;

/// One report for each line of a thought, best first.
pub(super) fn infos(line: &Line<Othello>, thought: &Thought, unit: Unit) -> Vec<Info> {
    let each = thought.lines.iter().enumerate();
    each.map(|(place, found)| {
        let (score, bound, proven) = score(found.value, found.confidence, unit);
        let win_rate = match (unit, found.value) {
            (Unit::LogOdds, Value::Estimate(value)) => {
                Some((1.0 / (1.0 + (-f64::from(value) / 10_000.0).exp())) as f32)
            }
            _ => None,
        };
        Info {
            rank: place + 1,
            depth: thought.depth,
            deepest: thought.depth,
            score: Some(score),
            bound,
            proven,
            win_rate,
            nodes: thought.nodes,
            elapsed: thought.elapsed,
            hash_full: thought.hash_full,
            line: write_line(line, &found.line),
            ..Info::default()
        }
    })
    .collect()
}

/// A value as the workbench writes it. A score to the end that was found selectively is likely, not
/// proven, and so it is an estimate.
fn score(value: Value, confidence: Confidence, unit: Unit) -> (Score, Bound, bool) {
    let (discs, bound) = match value {
        Value::Estimate(value) => {
            // Thousandths of log-odds: enough to tell moves apart, and small enough for a score.
            let value = if unit == Unit::LogOdds { value / 10 } else { value };
            return (Score::estimate(value), Bound::Exact, false);
        }
        Value::Exact(discs) => (discs, Bound::Exact),
        Value::AtLeast(discs) => (discs, Bound::AtLeast),
        Value::AtMost(discs) => (discs, Bound::AtMost),
    };
    if confidence != Confidence::FULL {
        return (Score::estimate(100 * discs), bound, false);
    }
    let size = Score::won_by(discs.unsigned_abs() as f32);
    let score = match discs.signum() {
        0 => Score::DRAW,
        1 => size,
        _ => -size,
    };
    (score, bound, true)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_full_searches_prove_anything() {
        let sure = |value| score(value, Confidence::FULL, Unit::Discs);
        let likely = Confidence::deviations(2.0).unwrap();
        assert_eq!(sure(Value::Exact(4)), (Score::won_by(4.0), Bound::Exact, true));
        assert_eq!(sure(Value::Exact(0)), (Score::DRAW, Bound::Exact, true));
        assert_eq!(sure(Value::AtMost(-2)), (-Score::won_by(2.0), Bound::AtMost, true));
        assert_eq!(sure(Value::Estimate(150)), (Score::estimate(150), Bound::Exact, false));
        assert_eq!(
            score(Value::Exact(4), likely, Unit::Discs),
            (Score::estimate(400), Bound::Exact, false)
        );
        assert_eq!(
            score(Value::Estimate(12_340), likely, Unit::LogOdds),
            (Score::estimate(1234), Bound::Exact, false)
        );
    }
}
