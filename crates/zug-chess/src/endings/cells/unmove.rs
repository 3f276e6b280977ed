//! Moves taken back, whatever they were: quiet moves, captures, promotions, double steps.
//!
//! This is the general way, for endings in which both sides have pawns and for moves that change
//! the men on the board. Quiet moves have a faster one of their own ([`super::quiet`]).

use super::men::{Men, is_king};
use super::tables::{KIND, PAWN, PAWN_ATTACKS, PIECE, bit, sight, squares};

/// What was on the board before a move that is taken back, as far as the men go.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Change {
    /// The man that was captured: a plain kind.
    pub(super) captured: Option<u8>,
    /// Was the move a promotion, by the man of this kind?
    pub(super) promoted: Option<u8>,
}

/// Which squares are too far back for a pawn, by colour.
const BEHIND: [u64; 2] = [0xFF, 0xFF << 56];

fn back(color: usize, square: u64) -> u64 {
    if color == 0 { square >> 8 } else { square << 8 }
}

fn forward(color: usize, square: u64) -> u64 {
    back(1 - color, square)
}

/// Finds the placements from which a legal move of the other side leads to this one, which is
/// legal. `wanted` tells which changes of men are of interest; it is asked with kinds only.
pub(super) fn visit(
    men: &Men,
    wanted: &mut impl FnMut(Change) -> bool,
    found: &mut impl FnMut(&Men),
) {
    let mover = 1 - men.side;
    let occupied = men.occupied();
    if let Some(pawn) = men.passing() {
        // Nothing but its double step has led here.
        if wanted(Change { captured: None, promoted: None }) {
            let at = bit(men.square[pawn]);
            let from = back(mover, back(mover, at)).trailing_zeros() as u8;
            let mut before = *men;
            before.side = mover;
            before.kind[pawn] = Men::pawn_kind(mover);
            before.square[pawn] = from;
            tell(&before, found);
        }
        return;
    }
    let quiet = wanted(Change { captured: None, promoted: None });
    let captures: [bool; 5] = std::array::from_fn(|k| {
        wanted(Change { captured: Some(KIND[men.side][k]), promoted: None })
    });
    for i in (0..men.n).filter(|&i| men.color(i) == mover) {
        let (to, piece) = (men.square[i], men.piece(i));
        let pawn = piece == PAWN;
        let sources = if pawn { 0 } else { sight(piece, to, occupied) & !occupied };
        if quiet {
            let steps = if pawn { pawn_steps(men, i, occupied) } else { sources };
            for from in squares(steps) {
                tell(&moved_back(men, i, from, men.kind[i]), found);
            }
        }
        let beside = PAWN_ATTACKS[men.side][usize::from(to & 63)] & !occupied & !BEHIND[mover];
        for k in (0..5).filter(|&k| captures[k]) {
            for from in squares(if pawn { beside } else { sources }) {
                let before = moved_back(men, i, from, men.kind[i]);
                tell_with(before, KIND[men.side][k], to, found);
            }
        }
        if pawn && captures[4] {
            passing_captures(men, i, beside, occupied, found);
        }
        // On the last row an officer may be a pawn that was promoted.
        if is_king(piece) || pawn || bit(to) & BEHIND[1 - mover] == 0 {
            continue;
        }
        let promoted = Some(men.kind[i]);
        let kind = Men::pawn_kind(mover);
        let step = back(mover, bit(to)) & !occupied;
        if step != 0 && wanted(Change { captured: None, promoted }) {
            tell(&moved_back(men, i, step.trailing_zeros() as u8, kind), found);
        }
        for &captured in &KIND[men.side][..4] {
            if beside != 0 && wanted(Change { captured: Some(captured), promoted }) {
                for from in squares(beside) {
                    tell_with(moved_back(men, i, from, kind), captured, to, found);
                }
            }
        }
    }
}

fn moved_back(men: &Men, i: usize, from: u8, kind: u8) -> Men {
    let mut before = *men;
    before.side = 1 - men.side;
    before.square[i] = from;
    before.kind[i] = kind;
    before
}

/// Steps of a pawn backwards without a capture.
fn pawn_steps(men: &Men, i: usize, occupied: u64) -> u64 {
    let mover = 1 - men.side;
    let at = bit(men.square[i]);
    let one = back(mover, at) & !occupied & !BEHIND[mover];
    let two = back(mover, one) & !occupied & !BEHIND[mover];
    let start = forward(mover, BEHIND[mover]);
    if two & start == 0 {
        return one;
    }
    // After a double step that can be answered by a capture the pawn would be a passing one.
    let answered = men.has_pawns(men.side) && men.can_be_passing(i);
    if answered { one } else { one | two }
}

/// Captures *en passant* taken back.
fn passing_captures(men: &Men, i: usize, beside: u64, occupied: u64, found: &mut impl FnMut(&Men)) {
    let mover = 1 - men.side;
    let to = bit(men.square[i]);
    let (captured, start) = (back(mover, to), forward(mover, to));
    let sixth = if mover == 0 { 0xFF << 40 } else { 0xFF << 16 };
    if to & sixth == 0 || occupied & (captured | start) != 0 {
        return;
    }
    for from in squares(beside) {
        let mut before = moved_back(men, i, from, men.kind[i]);
        before.kind[men.n] = Men::passing_kind(men.side);
        before.square[men.n] = captured.trailing_zeros() as u8;
        before.n += 1;
        if !before.king_hangs() && before.can_be_passing(men.n) {
            found(&before);
        }
    }
}

fn tell_with(mut before: Men, captured: u8, at: u8, found: &mut impl FnMut(&Men)) {
    if PIECE[usize::from(captured)] == PAWN && bit(at) & super::moves::EDGE != 0 {
        return;
    }
    before.kind[before.n] = captured;
    before.square[before.n] = at;
    before.n += 1;
    tell(&before, found);
}

/// Passes on a placement if it is legal, and each that differs by a passing pawn.
fn tell(before: &Men, found: &mut impl FnMut(&Men)) {
    if before.king_hangs() {
        return;
    }
    found(before);
    let other = 1 - before.side;
    if !before.has_pawns(before.side) {
        return;
    }
    let row = crate::endings::layout::PASSING_FIELDS[other];
    for i in 0..before.n {
        if before.kind[i] == Men::pawn_kind(other)
            && bit(before.square[i]) & row != 0
            && before.can_be_passing(i)
        {
            let mut passing = *before;
            passing.kind[i] = Men::passing_kind(other);
            found(&passing);
        }
    }
}
