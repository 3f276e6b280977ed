//! Every number and switch of the searches, in one place.

use std::sync::LazyLock;

/// The deepest ply that a search reaches, extensions and quiescence included.
pub const MAX_PLY: usize = 250;

/// The deepest iteration.
pub const MAX_DEPTH: u32 = 200;

/// The clock and the stop flag are looked at after so many nodes.
pub(crate) const NODES_BETWEEN_CHECKS: u64 = 256;

/// The first iteration with an aspiration window, and the half-width of the window in hundredths.
pub(crate) const ASPIRATION_DEPTH: u32 = 4;
pub(crate) const ASPIRATION_WIDTH: i32 = 30;
/// A window that failed this often is opened wide.
pub(crate) const ASPIRATION_TRIES: u32 = 4;

/// How many plies of forcing moves are followed below the horizon, and in how many of them a
/// pressed side may try all its moves.
pub(crate) const QUIESCENCE_PLIES: u32 = 12;
pub(crate) const QUIESCENCE_PRESSED_PLIES: u32 = 4;

/// Handing over the turn is tried from this remaining depth on …
pub(crate) const NULL_MOVE_DEPTH: i32 = 3;
/// … and a cut-off is checked by a second search from this one on, because deep searches are where
/// a zugzwang costs most.
pub(crate) const NULL_MOVE_VERIFIED_DEPTH: i32 = 10;

/// Estimates far from the window are believed up to this remaining depth.
pub(crate) const FUTILITY_DEPTH: i32 = 5;

/// Late quiet moves are left out up to this remaining depth.
pub(crate) const LATE_MOVES_DEPTH: i32 = 3;

/// How many moves are tried before the quiet ones are left out.
pub(crate) fn late_moves_searched(depth: i32) -> usize {
    (4 + 3 * depth * depth).max(0) as usize
}

/// Late moves are reduced from this remaining depth and this place in the order on.
pub(crate) const REDUCTION_DEPTH: i32 = 3;
pub(crate) const REDUCTION_PLACE: usize = 3;

/// A move without a move from the table is looked for by a shallower search first, in the
/// principal variation from this depth on.
pub(crate) const INTERNAL_DEEPENING_DEPTH: i32 = 5;

/// The largest table and the most threads that an option may ask for.
pub const MAX_HASH_MIB: usize = 16_384;
/// See [`MAX_HASH_MIB`].
pub const MAX_THREADS: usize = 256;

/// How much shallower the position with the turn handed over is searched.
pub(crate) fn null_move_reduction(depth: i32) -> i32 {
    3 + depth / 4
}

/// How much shallower the move in this place of the order is searched.
pub(crate) fn late_move_reduction(depth: i32, place: usize) -> i32 {
    if depth < REDUCTION_DEPTH || place < REDUCTION_PLACE {
        return 0;
    }
    i32::from(REDUCTIONS[depth.min(63) as usize][place.min(63)])
}

/// Grows with the logarithms of depth and place: the tenth move of ten is hardly better than the
/// twentieth of twenty.
static REDUCTIONS: LazyLock<[[u8; 64]; 64]> = LazyLock::new(|| {
    std::array::from_fn(|depth| {
        std::array::from_fn(|place| {
            let (d, p) = (depth.max(1) as f64, place.max(1) as f64);
            (0.5 + d.ln() * p.ln() / 2.2).clamp(0.0, d - 1.0) as u8
        })
    })
});

/// How much less a move is reduced for what is known about it: a killer one ply less, a move with
/// the best possible history two plies less, with the worst two plies more.
pub(crate) fn adjusted_reduction(reduction: i32, depth: i32, killer: bool, history: i32) -> i32 {
    let plies = reduction - i32::from(killer) - history / (HISTORY_LIMIT / 2);
    plies.clamp(0, depth - 1)
}

/// History scores lie between this and its negative.
pub(crate) const HISTORY_LIMIT: i32 = 8192;

/// The switches and sizes of the alpha-beta search. All that is on by default is sound, or guided
/// by hints that the [`Guide`](zug_core::Guide) of a game gives on purpose.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Options {
    /// Size of the transposition table in MiB.
    pub hash: usize,
    /// Threads that search together.
    pub threads: usize,
    /// Where [`noise`](Options::noise) comes from.
    pub seed: u64,
    /// One of the moves at most this much worse than the best (in hundredths) is chosen at random;
    /// 0 for always the best.
    pub noise: i32,
    /// Remember positions?
    pub table: bool,
    /// Begin an iteration with a narrow window around the last value?
    pub aspiration: bool,
    /// Hand over the turn to see whether a position is too good to need a move?
    pub null_move: bool,
    /// Search late moves less deeply?
    pub reductions: bool,
    /// Leave out quiet moves near the horizon that can hardly matter?
    pub futility: bool,
    /// Follow forcing moves below the horizon?
    pub quiescence: bool,
    /// Look deeper when the side to move is pressed?
    pub extensions: bool,
    /// Try moves first that were good elsewhere?
    pub history: bool,
    /// A guess at how many moves a game asks of one side, for the clock.
    pub moves_in_game: u32,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            hash: 16,
            threads: 1,
            seed: 0,
            noise: 0,
            table: true,
            aspiration: true,
            null_move: true,
            reductions: true,
            futility: true,
            quiescence: true,
            extensions: true,
            history: true,
            moves_in_game: 40,
        }
    }
}

/// The switches and sizes of the Monte-Carlo search.
#[derive(Clone, Debug, PartialEq)]
pub struct MctsOptions {
    /// Memory for the tree in MiB.
    pub hash: usize,
    /// Trees that grow side by side.
    pub threads: usize,
    /// Where all chance comes from.
    pub seed: u64,
    /// The weight of exploration in UCB1. `None` for the usual one, which is small with RAVE:
    /// those statistics explore by themselves.
    pub exploration: Option<f64>,
    /// How many playouts the all-moves-as-first statistics of a move are worth; 0 does without
    /// them. `None` leaves it to the [`Rollout`](crate::Rollout).
    pub rave: Option<f64>,
    /// Carry the tree over to the next move of the game?
    pub reuse: bool,
    /// Give up when the probability to win falls below this; 0 for never.
    pub resign: f64,
    /// A guess at how many moves a game asks of one side, for the clock.
    pub moves_in_game: u32,
}

impl Default for MctsOptions {
    fn default() -> MctsOptions {
        MctsOptions {
            hash: 64,
            threads: 1,
            seed: 0,
            exploration: None,
            rave: None,
            reuse: true,
            resign: 0.0,
            moves_in_game: 40,
        }
    }
}

/// The usual weight of exploration, with RAVE and without.
pub(crate) fn usual_exploration(rave: f64) -> f64 {
    if rave > 0.0 { 0.2 } else { 1.0 }
}

/// A tree node gets children at its second visit; later when memory runs short.
pub(crate) fn visits_before_expansion(fullness: f64) -> u32 {
    match fullness {
        f if f < 0.5 => 1,
        f if f < 0.75 => 8,
        f if f < 0.9 => 32,
        _ => 128,
    }
}

/// Playouts for each ply of depth, where depth is the only limit that a caller gives to the
/// Monte-Carlo search.
pub const PLAYOUTS_PER_PLY: u64 = 1000;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reductions_grow_with_depth_and_place_and_leave_a_ply() {
        for depth in 1..60 {
            for place in 0..200 {
                let r = late_move_reduction(depth, place);
                assert!(r >= 0 && r < depth.max(1));
                assert!(late_move_reduction(depth, place + 1) >= r);
                assert!(late_move_reduction(depth + 1, place) >= r);
            }
        }
        assert_eq!(late_move_reduction(2, 50), 0);
        assert_eq!(late_move_reduction(20, 0), 0);
        assert!(late_move_reduction(12, 20) >= 3);
        assert_eq!(adjusted_reduction(3, 12, true, HISTORY_LIMIT), 0);
        assert_eq!(adjusted_reduction(3, 12, false, -HISTORY_LIMIT), 5);
        assert_eq!(adjusted_reduction(3, 4, false, -HISTORY_LIMIT), 3);
    }
}
