//! The numbers of the search, together, so that they can be tuned. Values are hundredths of a pawn,
//! depths are plies.

use super::value::Value;

/// The longest line, in plies. A node there is a leaf.
pub(super) const MAX_PLY: usize = 120;
/// The deepest iteration.
pub(super) const MAX_DEPTH: i32 = 100;

/// The window of the thesis about the last own score, on each side. The thesis gives the number 5
/// and no unit; its evaluation counts hundredths of a pawn, and so do we.
pub(super) const THESIS_WINDOW: Value = 5;
/// The first window about the last score, from this depth on, and by how much it widens.
pub(super) const WINDOW: Value = 14;
pub(super) const WINDOW_DEPTH: i32 = 4;
pub(super) const WINDOW_GROWTH: Value = 2;

/// Cutting off who stands far above: up to this depth, by this much a ply.
pub(super) const REVERSE_DEPTH: i32 = 8;
pub(super) const REVERSE_MARGIN: Value = 85;
/// From this depth on not where mate threatens.
pub(super) const REVERSE_THREATS: i32 = 2;

/// Going to quiescence when far below: up to this depth, by so much.
pub(super) const RAZOR_DEPTH: i32 = 3;
pub(super) const fn razor_margin(depth: i32) -> Value {
    250 + 150 * depth * depth
}

/// Null move: from this depth on; plies less, and one more for so many plies and so much above.
pub(super) const NULL_DEPTH: i32 = 3;
pub(super) const NULL_REDUCTION: i32 = 4;
pub(super) const NULL_DEPTH_STEP: i32 = 4;
pub(super) const NULL_VALUE_STEP: Value = 200;
pub(super) const NULL_MOST: i32 = 3;
/// From this depth on a cut-off is verified.
pub(super) const NULL_VERIFY: i32 = 12;
/// The thesis's reduction.
pub(super) const NULL_THESIS: i32 = 2;

/// Captures that win much: from this depth on, by this much more than the window.
pub(super) const PROBCUT_DEPTH: i32 = 5;
pub(super) const PROBCUT_MARGIN: Value = 180;
pub(super) const PROBCUT_LESS: i32 = 4;

/// One ply less without a table move, from this depth on.
pub(super) const INTERNAL_DEPTH: i32 = 4;

/// Late quiet moves are left out up to this depth, after this many.
pub(super) const LATE_DEPTH: i32 = 8;
pub(super) const fn late_count(depth: i32, improving: bool) -> i32 {
    (4 + depth * depth) / if improving { 1 } else { 2 }
}

/// Quiet moves that cannot reach the window, up to this depth, by this much and this much a ply.
pub(super) const FUTILITY_DEPTH: i32 = 8;
pub(super) const FUTILITY_BASE: Value = 140;
pub(super) const FUTILITY_MARGIN: Value = 100;

/// What a move may lose by exchange near the horizon.
pub(super) const EXCHANGE_DEPTH: i32 = 8;
pub(super) const EXCHANGE_QUIET: Value = -25;
pub(super) const EXCHANGE_CAPTURE: Value = -95;

/// Quiet moves with a history worse than this a ply are left out up to this depth.
pub(super) const HISTORY_DEPTH: i32 = 4;
pub(super) const HISTORY_LEAST: i32 = -3200;

/// Singular moves: from this depth on, if the table knows almost as much.
pub(super) const SINGULAR_DEPTH: i32 = 7;
pub(super) const SINGULAR_LESS: i32 = 3;
pub(super) const SINGULAR_MARGIN: Value = 2;
pub(super) const SINGULAR_TWICE: Value = 20;
/// Double extensions in one line.
pub(super) const SINGULAR_MOST: u8 = 6;

/// Reductions of late moves: from this depth and place on.
pub(super) const REDUCE_DEPTH: i32 = 3;
pub(super) const REDUCE_BASE: f64 = 0.4;
pub(super) const REDUCE_DIVISOR: f64 = 2.4;
/// One ply more or less for so much history.
pub(super) const REDUCE_HISTORY: i32 = 6000;

/// The clock is read when the number of positions has none of these bits.
pub(super) const CLOCK_MASK: u64 = 255;

/// After so many positions the first iteration plays out no more captures.
pub(super) const FIRST_MOST: u64 = 50_000;

/// A capture in quiescence must be able to come this near.
pub(super) const DELTA_MARGIN: Value = 180;

/// Histories stay below this.
pub(super) const HISTORY_MOST: i32 = 8192;
pub(super) const fn history_bonus(depth: i32) -> i32 {
    let bonus = 170 * depth - 100;
    if bonus > 1700 { 1700 } else { bonus }
}

/// Corrections of the evaluation: unit and limit.
pub(super) const CORRECTION_UNIT: i32 = 256;
pub(super) const CORRECTION_MOST: i32 = 64 * CORRECTION_UNIT;

/// Sixteenths of the aim that a move takes whose choice has been the same for long, and what each
/// recent change and each drop of the score adds.
pub(super) const TIME_STABLE: f64 = 0.55;
