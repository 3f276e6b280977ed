//! The moves of the side to move, as sets of target squares.

use super::men::{Men, is_king};
use super::tables::{
    BISHOP, KNIGHT, KNIGHT_STEPS, PAWN, PAWN_ATTACKS, QUEEN, ROOK, between, bishop, bit, rook,
    sight,
};

/// First and last row.
pub(super) const EDGE: u64 = 0xFF00_0000_0000_00FF;

/// What all men of a position need to know before they move.
struct View {
    occupied: u64,
    own: u64,
    king: u8,
    /// What the king sees along lines and diagonals.
    lines: u64,
    diagonals: u64,
    /// Men of the other side that move along lines, and along diagonals.
    line_sliders: u64,
    diagonal_sliders: u64,
    /// Where a man must go to end a check.
    evasions: u64,
}

impl View {
    fn of(men: &Men) -> View {
        let side = men.side;
        let (mut own, mut foe, mut king) = (0, 0, 0);
        let (mut line_sliders, mut diagonal_sliders) = (0, 0);
        let (mut knights, mut pawns) = (0, 0);
        for i in 0..men.n {
            let here = bit(men.square[i]);
            if men.color(i) == side {
                own |= here;
                if is_king(men.piece(i)) {
                    king = men.square[i];
                }
                continue;
            }
            foe |= here;
            match men.piece(i) {
                QUEEN => {
                    line_sliders |= here;
                    diagonal_sliders |= here;
                }
                ROOK => line_sliders |= here,
                BISHOP => diagonal_sliders |= here,
                KNIGHT => knights |= here,
                PAWN => pawns |= here,
                _ => {}
            }
        }
        let occupied = own | foe;
        let leapers = knights & KNIGHT_STEPS[usize::from(king & 63)]
            | pawns & PAWN_ATTACKS[side][usize::from(king & 63)];
        let lines = if line_sliders == 0 { 0 } else { rook(king, occupied) };
        let diagonals = if diagonal_sliders == 0 { 0 } else { bishop(king, occupied) };
        let checkers = lines & line_sliders | diagonals & diagonal_sliders | leapers;
        let evasions = if checkers == 0 {
            u64::MAX
        } else if checkers & (checkers - 1) == 0 {
            checkers | between(king, checkers.trailing_zeros() as u8)
        } else {
            0
        };
        View { occupied, own, king, lines, diagonals, line_sliders, diagonal_sliders, evasions }
    }

    /// Where the man on this square may go without uncovering its king.
    fn freedom(&self, from: u8) -> u64 {
        if (self.lines | self.diagonals) & bit(from) == 0 {
            return u64::MAX;
        }
        let without = self.occupied ^ bit(from);
        let mut pinning = 0;
        if self.lines & bit(from) != 0 {
            pinning |= rook(self.king, without) & !self.lines & self.line_sliders;
        }
        if self.diagonals & bit(from) != 0 {
            pinning |= bishop(self.king, without) & !self.diagonals & self.diagonal_sliders;
        }
        match pinning {
            0 => u64::MAX,
            // One man cannot uncover two lines that do not show a check already.
            pinning => pinning | between(self.king, pinning.trailing_zeros() as u8),
        }
    }
}

/// Where the king may go.
fn king_targets(men: &Men, view: &View) -> u64 {
    let steps = sight(super::tables::KING, view.king, 0) & !view.own;
    if steps == 0 {
        return 0;
    }
    // The king does not hide squares behind it.
    steps & !men.attacks(1 - men.side, view.occupied ^ bit(view.king))
}

/// Where a man other than the king may go; captures *en passant* are not among them.
fn targets(men: &Men, view: &View, i: usize) -> u64 {
    let from = men.square[i];
    let reach = match men.piece(i) {
        PAWN => {
            let side = men.side;
            let free = !view.occupied;
            let hit = PAWN_ATTACKS[side][usize::from(from & 63)] & view.occupied & !view.own;
            let step = if side == 0 { bit(from) << 8 } else { bit(from) >> 8 } & free;
            let second = if side == 0 { step << 8 & 0xFF00_0000 } else { step >> 8 & 0xFF << 32 };
            hit | step | second & free
        }
        piece => sight(piece, from, view.occupied) & !view.own,
    };
    let reach = reach & view.evasions;
    if reach == 0 { 0 } else { reach & view.freedom(from) }
}

/// Visits every man that can move with its targets, until the visitor says stop. The last word
/// tells whether the move is a capture *en passant*.
pub(super) fn visit(men: &Men, mut visitor: impl FnMut(usize, u64, bool) -> bool) -> bool {
    let view = View::of(men);
    for i in 0..men.n {
        if men.color(i) != men.side {
            continue;
        }
        let found =
            if is_king(men.piece(i)) { king_targets(men, &view) } else { targets(men, &view, i) };
        if found != 0 && visitor(i, found, false) {
            return true;
        }
    }
    if let Some(pawn) = men.passing() {
        let at = men.square[pawn];
        let over = if men.side == 1 { at - 8 } else { at + 8 };
        for i in 0..men.n {
            if men.can_capture_passing(i, pawn) && visitor(i, bit(over), true) {
                return true;
            }
        }
    }
    false
}

/// Visits every pawn that can promote with its targets.
pub(super) fn visit_promotions(men: &Men, mut visitor: impl FnMut(usize, u64)) {
    let row = if men.side == 0 { 0xFF << 48 } else { 0xFF << 8 };
    let ready = |i: &usize| {
        men.color(*i) == men.side && men.piece(*i) == PAWN && bit(men.square[*i]) & row != 0
    };
    if !(0..men.n).any(|i| ready(&i)) {
        return;
    }
    let view = View::of(men);
    for i in (0..men.n).filter(ready) {
        let found = targets(men, &view, i);
        if found != 0 {
            visitor(i, found);
        }
    }
}

/// Is there a move?
pub(super) fn any(men: &Men) -> bool {
    visit(men, |_, _, _| true)
}

/// How many moves are there?
pub(super) fn count(men: &Men) -> u32 {
    let mut moves = 0;
    visit(men, |i, targets, _| {
        moves += targets.count_ones();
        if men.piece(i) == PAWN {
            moves += 3 * (targets & EDGE).count_ones();
        }
        false
    });
    moves
}
