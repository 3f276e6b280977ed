//! The men on the board, and what they attack.

use super::tables::{
    COLOR, KIND, KING, PARTNER, PASSING, PAWN, PAWN_ATTACKS, PIECE, bishop, bit, rook, sight,
};

/// Kings included, at most this many men are handled (the seventh place is for a captured one).
pub(super) const MOST: usize = 8;

/// A placement with side to move: kinds of the layout and their squares.
#[derive(Clone, Copy, Debug)]
pub(super) struct Men {
    pub(super) n: usize,
    /// 0 White, 1 Black.
    pub(super) side: usize,
    pub(super) kind: [u8; MOST],
    pub(super) square: [u8; MOST],
}

impl Men {
    pub(super) fn piece(&self, i: usize) -> u8 {
        PIECE[usize::from(self.kind[i])]
    }

    pub(super) fn color(&self, i: usize) -> usize {
        usize::from(COLOR[usize::from(self.kind[i])])
    }

    pub(super) fn occupied(&self) -> u64 {
        self.square[..self.n].iter().fold(0, |board, &s| board | bit(s))
    }

    /// The squares of one colour.
    pub(super) fn of(&self, color: usize) -> u64 {
        let own = (0..self.n).filter(|&i| self.color(i) == color);
        own.fold(0, |board, i| board | bit(self.square[i]))
    }

    /// The king's square.
    pub(super) fn king(&self, color: usize) -> u8 {
        let king = (0..self.n).find(|&i| usize::from(self.kind[i]) == color);
        king.map_or(0, |i| self.square[i])
    }

    pub(super) fn has_pawns(&self, color: usize) -> bool {
        (0..self.n).any(|i| self.color(i) == color && self.piece(i) == PAWN)
    }

    /// How many men there are of each kind; a passing pawn is a pawn.
    pub(super) fn census(&self) -> [u8; 14] {
        let mut census = [0; 14];
        for &kind in &self.kind[..self.n] {
            census[usize::from(if kind >= PASSING { kind - 2 } else { kind })] += 1;
        }
        census
    }

    /// A census with colours swapped.
    pub(super) fn swapped(census: &[u8; 14]) -> [u8; 14] {
        std::array::from_fn(|kind| census[usize::from(PARTNER[kind])])
    }

    /// The number of the passing pawn, if there is one.
    pub(super) fn passing(&self) -> Option<usize> {
        (0..self.n).find(|&i| self.kind[i] >= PASSING)
    }

    /// The men of a colour that attack a square.
    pub(super) fn attackers(&self, target: u8, by: usize, occupied: u64) -> u64 {
        let (lines, diagonals) = (rook(target, occupied), bishop(target, occupied));
        let mut found = 0;
        for i in 0..self.n {
            if self.color(i) != by {
                continue;
            }
            let here = bit(self.square[i]);
            found |= here
                & match self.piece(i) {
                    1 => lines | diagonals,
                    2 => lines,
                    3 => diagonals,
                    PAWN => PAWN_ATTACKS[1 - by][usize::from(target & 63)],
                    piece => sight(piece, target, 0),
                };
        }
        found
    }

    /// All squares that the men of a colour attack.
    pub(super) fn attacks(&self, by: usize, occupied: u64) -> u64 {
        let own = (0..self.n).filter(|&i| self.color(i) == by);
        own.fold(0, |board, i| {
            let from = self.square[i];
            board
                | match self.piece(i) {
                    PAWN => PAWN_ATTACKS[by][usize::from(from & 63)],
                    piece => sight(piece, from, occupied),
                }
        })
    }

    /// Can the side to move take the king?
    pub(super) fn king_hangs(&self) -> bool {
        let king = self.king(1 - self.side);
        self.attackers(king, self.side, self.occupied()) != 0
    }

    /// Has this pawn of the side that is not to move just made a double step, and can it be
    /// captured *en passant*?
    pub(super) fn can_be_passing(&self, pawn: usize) -> bool {
        let (at, side) = (self.square[pawn], self.side);
        let (from, over) = if side == 1 { (at - 16, at - 8) } else { (at + 16, at + 8) };
        let occupied = self.occupied();
        if occupied & (bit(from) | bit(over)) != 0 {
            return false;
        }
        // A check that neither the pawn gives nor its step has opened was there before.
        let king = self.king(side);
        let old = self.attackers(king, 1 - side, occupied | bit(from)) & !bit(at);
        old == 0 && (0..self.n).any(|i| self.can_capture_passing(i, pawn))
    }

    /// Can this man capture that pawn *en passant*?
    pub(super) fn can_capture_passing(&self, man: usize, pawn: usize) -> bool {
        let side = self.side;
        let at = self.square[pawn];
        let over = if side == 1 { at - 8 } else { at + 8 };
        let from = self.square[man];
        if self.piece(man) != PAWN
            || self.color(man) != side
            || PAWN_ATTACKS[side][usize::from(from & 63)] & bit(over) == 0
        {
            return false;
        }
        let occupied = self.occupied() & !bit(at) & !bit(from) | bit(over);
        let king = self.king(side);
        self.attackers(king, 1 - side, occupied) & !bit(at) == 0
    }

    /// The kind of a plain pawn of a colour.
    pub(super) fn pawn_kind(color: usize) -> u8 {
        KIND[color][4]
    }

    /// The kind of a passing pawn of a colour.
    pub(super) fn passing_kind(color: usize) -> u8 {
        PASSING + color as u8
    }
}

/// Is it the king?
pub(super) fn is_king(piece: u8) -> bool {
    piece == KING
}
