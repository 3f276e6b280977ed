//! How does a move stand beside the best one, where one of the values is certain or both are estimates?
//!
//! Proven scores and estimates are compared in the game's unit: in the order that searches use, a
//! proven win by 2 is more than an estimate of 30, and a proven loss by 2 less than one of -30.

use super::judge::{Judged, Worth};

/// Is the one at least as good as the other, for people? How far away a win is counts only among
/// wins.
fn as_good(one: Worth, other: Worth, most: f64) -> bool {
    let (a, b) = (one.points(most), other.points(most));
    let distances = one.score.is_distance() && other.score.is_distance();
    a > b || a == b && (!distances || one.score >= other.score)
}

/// A move beside the exact value of the position before it.
pub fn beside_exact(before: Judged, came: Judged, is_best: bool, most: f64) -> (Judged, Worth) {
    let worth = before.worth;
    let good = as_good(came.worth, worth, most);
    if is_best {
        return (before, worth);
    }
    match (came.worth.exact, good) {
        // Of moves that are equally good the one that was played is shown.
        (true, true) => (Judged { line: came.line, ..before }, worth),
        (true, false) => (before, came.worth),
        // An estimate does not overrule what is certain.
        (false, true) => (before, Worth { exact: false, ..worth }),
        (false, false) => (before, came.worth),
    }
}

/// A move beside an estimate of the position before it: the position is worth at least what came of
/// the move, whatever the estimate says.
pub fn beside_estimate(before: Judged, came: Judged, is_best: bool, most: f64) -> (Judged, Worth) {
    let played = came.worth;
    if !is_best && !as_good(played, before.worth, most) {
        return (before, played);
    }
    // Other moves may be better still.
    let worth = Worth { exact: false, ..played };
    (Judged { worth, others: before.others, ..came }, played)
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::Score;

    /// Every pair of values, exact or not, leaves a best move that is at least as good as the one
    /// that was played: a proven loss by 12 is less than an estimate of -4, and more than one of -16.
    #[test]
    fn the_best_move_is_never_worse_than_the_one_that_was_played() {
        let most = 64.0;
        let mut worths = Vec::new();
        for discs in [-40, -16, -12, -4, 0, 4, 12, 16, 40_i32] {
            let size = Score::won_by(discs.unsigned_abs() as f32);
            let score = [-size, Score::DRAW, size][(discs.signum() + 1) as usize];
            worths.push(Worth { score, exact: true });
            worths.push(Worth { score: Score::estimate(discs * 100 - 45), exact: false });
        }
        for plies in [3, 6] {
            worths.push(Worth { score: Score::won_in(plies), exact: true });
            worths.push(Worth { score: Score::lost_in(plies), exact: true });
        }
        let judged = |worth, mv: &str| Judged {
            worth,
            line: vec![mv.to_string()],
            depth: 1,
            others: Vec::new(),
        };
        for &best in &worths {
            for &came in &worths {
                for (is_best, first) in [(true, "a1"), (false, "b1")] {
                    let (before, came) = (judged(best, first), judged(came, "a1"));
                    let (better, known) =
                        (came.worth.points(most) >= best.points(most), came.worth);
                    let (after, played) = if best.exact {
                        beside_exact(before, came, is_best, most)
                    } else {
                        beside_estimate(before, came, is_best, most)
                    };
                    let loss = after.worth.points(most) - played.points(most);
                    assert!(loss >= 0.0, "{best:?} {known:?}");
                    let is_best = after.line[0] == "a1";
                    assert!(!is_best || loss == 0.0, "{best:?} {known:?}");
                    if best.exact {
                        assert_eq!(after.worth, best);
                    } else if better {
                        assert!(is_best && played == known, "{best:?} {known:?}");
                    }
                }
            }
        }
    }
}
