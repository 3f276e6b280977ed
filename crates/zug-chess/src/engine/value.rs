//! Which numbers does the search compare?
//!
//! Two bytes a value, so that a table entry is sixteen bytes:
//!
//! ```text
//! -32000 ─ mated in n plies ─ -31000 ─ lost by a table ─ -30500 ─ -30000 ─ estimates ─ 30000 ─ ... ─ 32000
//! ```
//!
//! Estimates are hundredths of a pawn, cut off at three hundred pawns.

use zug_core::Score;

/// A value for the side to move.
pub(super) type Value = i32;

/// Greater than every value.
pub(super) const INFINITE: Value = 32_001;
/// Mate now; mate in n plies is n less.
pub(super) const MATE: Value = 32_000;
/// From here on: mates.
pub(super) const MATES: Value = 31_000;
/// A tablebase says won, not how soon; n plies from the root it is n less.
pub(super) const TABLE_WIN: Value = 30_900;
/// From here on: proven by whatever means.
pub(super) const PROVEN: Value = 30_500;
/// The largest estimate.
pub(super) const LARGEST: Value = 30_000;
/// No value: in places where there may be none.
pub(super) const NONE: Value = -32_768;

/// Mate in so many plies from the root.
pub(super) const fn mate_in(ply: usize) -> Value {
    MATE - ply as Value
}

/// Mated in so many plies from the root.
pub(super) const fn mated_in(ply: usize) -> Value {
    ply as Value - MATE
}

/// Does the value depend on the distance from the root?
pub(super) const fn is_proven(value: Value) -> bool {
    value.abs() >= PROVEN
}

/// Cuts an estimate to the range of estimates.
pub(super) fn estimate(hundredths: i32) -> Value {
    hundredths.clamp(-LARGEST, LARGEST)
}

/// As stored: distances are counted from the node.
pub(super) const fn to_table(value: Value, ply: usize) -> Value {
    if value >= PROVEN {
        value + ply as Value
    } else if value <= -PROVEN {
        value - ply as Value
    } else {
        value
    }
}

/// As used: distances are counted from the root.
pub(super) const fn from_table(value: Value, ply: usize) -> Value {
    if value >= PROVEN {
        value - ply as Value
    } else if value <= -PROVEN {
        value + ply as Value
    } else {
        value
    }
}

/// As the workbench writes it.
pub(super) fn to_score(value: Value) -> Score {
    if value >= MATES {
        Score::won_in((MATE - value).max(0) as u32)
    } else if value <= -MATES {
        Score::lost_in((MATE + value).max(0) as u32)
    } else {
        Score::estimate(value)
    }
}

/// From an oracle's score, `ply` plies from the root.
pub(super) fn from_score(score: Score, ply: usize) -> Value {
    match score.verdict() {
        zug_core::Verdict::WonIn(plies) => {
            (MATE - plies.min(10_000) as Value - ply as Value).max(MATES)
        }
        zug_core::Verdict::LostIn(plies) => {
            (plies.min(10_000) as Value + ply as Value - MATE).min(-MATES)
        }
        zug_core::Verdict::Estimate(value) => estimate(value),
        zug_core::Verdict::WonBy(_) => TABLE_WIN - ply as Value,
        zug_core::Verdict::LostBy(_) => ply as Value - TABLE_WIN,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distances_are_stored_from_the_node_and_come_back_as_they_were() {
        for value in [0, 17, -LARGEST, LARGEST, mate_in(7), mated_in(12), TABLE_WIN - 9] {
            for ply in [0, 5, 7] {
                assert_eq!(from_table(to_table(value, ply), ply), value);
                assert!(to_table(value, ply).abs() <= i32::from(i16::MAX));
            }
        }
        assert_eq!(from_table(to_table(mate_in(7), 5), 1), mate_in(3));
    }

    #[test]
    fn scores_of_the_workbench_say_the_same() {
        assert_eq!(to_score(mate_in(3)), Score::won_in(3));
        assert_eq!(to_score(mated_in(4)), Score::lost_in(4));
        assert_eq!(to_score(-15), Score::estimate(-15));
        assert_eq!(from_score(Score::won_in(3), 2), mate_in(5));
        assert_eq!(from_score(Score::lost_in(0), 2), mated_in(2));
        assert_eq!(from_score(Score::DRAW, 9), 0);
    }
}
