//! Every number of the evaluation, in hundredths of a pawn, and the principle behind it.
//!
//! Squares are worth what geometry says (reach on an empty board, distance from the centre, rows
//! gone forward), times a weight; nothing is looked up in anybody's tables.

use cozy_chess::{Piece, Square};
use std::ops::{Add, AddAssign, Mul, Neg, Sub, SubAssign};

/// A value in the middlegame and one in the endgame; the material left on the board mixes them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tapered {
    /// With all pieces on the board.
    pub middle: i32,
    /// With none but kings and pawns.
    pub end: i32,
}

/// Short for a pair of values.
pub const fn t(middle: i32, end: i32) -> Tapered {
    Tapered { middle, end }
}

/// What a piece is worth, by `Piece as usize`.
pub const MATERIAL: [Tapered; 6] =
    [t(90, 115), t(325, 305), t(335, 325), t(475, 540), t(970, 1000), t(0, 0)];

/// What a piece is worth in an exchange of captures.
pub const EXCHANGE: [i32; 6] = [100, 320, 330, 500, 950, 20_000];

/// How much each piece counts towards the middlegame.
pub const PHASE: [i32; 6] = [0, 1, 1, 2, 4, 0];
/// The sum over all pieces of the start position.
pub const FULL_PHASE: i32 = 24;

/// To be the one to move.
pub const TEMPO: i32 = 12;
/// Two bishops cover squares of both colours.
pub const BISHOP_PAIR: Tapered = t(28, 48);
/// A square more that a piece can go to safely, by piece, beyond [`USUAL_REACH`].
pub const REACH: [Tapered; 6] = [t(0, 0), t(5, 4), t(5, 5), t(3, 5), t(1, 3), t(0, 0)];
/// Squares that a piece usually reaches.
pub const USUAL_REACH: [i32; 6] = [0, 4, 6, 7, 13, 0];

/// A pawn with another of its colour before it on the same file.
pub const DOUBLED: Tapered = t(-8, -20);
/// A pawn without pawns of its colour on the files beside it.
pub const ISOLATED: Tapered = t(-13, -14);
/// A pawn beside another or guarded by one.
pub const CONNECTED: Tapered = t(9, 7);
/// A passed pawn by the rows it has gone: the road to the queen shortens, the value doubles every
/// two rows.
pub const PASSED: [Tapered; 8] =
    [t(0, 0), t(4, 12), t(6, 16), t(12, 28), t(24, 50), t(48, 92), t(85, 160), t(0, 0)];
/// A passed pawn with a piece before it keeps this share (of 4).
pub const BLOCKED_SHARE: i32 = 2;
/// For every square that the enemy king is farther than the own one from the square before a
/// passed pawn, times rows gone beyond the third.
pub const PASSED_ESCORT: i32 = 4;

/// A rook on a file without pawns.
pub const ROOK_OPEN: Tapered = t(26, 10);
/// A rook on a file without own pawns.
pub const ROOK_HALF_OPEN: Tapered = t(13, 8);
/// A rook that shuts the enemy king in on the last row or attacks pawns on the row before.
pub const ROOK_SEVENTH: Tapered = t(12, 26);
/// A knight guarded by a pawn where no enemy pawn can drive it away.
pub const OUTPOST: Tapered = t(22, 14);
/// A piece attacked by a pawn.
pub const PAWN_THREAT: Tapered = t(-26, -22);

/// A pawn right before the king, one square farther, or none; on each of the three files.
pub const SHIELD: [i32; 3] = [13, 6, -13];
/// No own pawn at all on one of the three files before the king.
pub const SHIELD_OPEN: i32 = -14;
/// Weight of an attacked square beside the king, by attacking piece.
pub const ASSAULT: [i32; 6] = [0, 2, 2, 3, 4, 0];
/// The danger is the square of the summed weights over this.
pub const ASSAULT_DIVISOR: i32 = 5;
/// No assault counts more.
pub const ASSAULT_MOST: i32 = 450;

/// A bare king is worth driving away from the centre, and the kings together.
pub const DRIVE: (i32, i32) = (9, 5);

/// What a square adds to a piece of White, by piece and square.
pub static SQUARES: [[Tapered; 64]; 6] = squares();

/// Distance from the centre: 0 on d4, d5, e4, e5, 6 in the corners.
pub const fn from_centre(square: Square) -> i32 {
    let (file, rank) = (square as i32 & 7, square as i32 >> 3);
    ((2 * file - 7).abs() + (2 * rank - 7).abs()) / 2 - 1
}

const fn squares() -> [[Tapered; 64]; 6] {
    let mut all = [[t(0, 0); 64]; 6];
    let mut i = 0;
    while i < 64 {
        let square = Square::index_const(i);
        all[Piece::Pawn as usize][i] = pawn(square);
        all[Piece::Knight as usize][i] = knight(square);
        all[Piece::Bishop as usize][i] = bishop(square);
        all[Piece::Rook as usize][i] = rook(square);
        all[Piece::Queen as usize][i] = queen(square);
        all[Piece::King as usize][i] = king(square);
        i += 1;
    }
    all
}

/// Steps from the middle files: 0 on d and e, 3 on a and h.
const fn from_middle_file(square: Square) -> i32 {
    let file = square as i32 & 7;
    if file < 4 { 3 - file } else { file - 4 }
}

/// Pawns take the centre first; every row forward counts, more so at the end.
const fn pawn(square: Square) -> Tapered {
    let rank = square as i32 >> 3;
    let wing = from_middle_file(square);
    let central = match (rank, wing) {
        (1, 0) => -14,
        (2, 0) => 4,
        (3, 0) => 20,
        (3, 1) => 8,
        (4, 0) => 24,
        (4, 1) => 10,
        _ => 0,
    };
    t(central + 3 * (rank - 1), 5 * (rank - 1) + wing)
}

/// Knights live by their leaps: eight from the centre, two from a corner.
const fn knight(square: Square) -> Tapered {
    let leaps = cozy_chess::get_knight_moves(square).len() as i32;
    let rank = square as i32 >> 3;
    let forward = if rank >= 3 && rank <= 5 { 4 * (rank - 2) } else { 0 };
    t(6 * leaps - 36 + forward, 5 * leaps - 30)
}

/// Bishops by the length of their diagonals; the first row is where they have not moved yet.
const fn bishop(square: Square) -> Tapered {
    let length = cozy_chess::get_bishop_rays(square).len() as i32;
    let home = if (square as i32) < 8 { -8 } else { 0 };
    t(4 * (length - 9) + home, 3 * (length - 9))
}

/// Rooks reach as far from anywhere; the middle files open first, the seventh row is best.
const fn rook(square: Square) -> Tapered {
    let rank = square as i32 >> 3;
    let seventh = if rank == 6 { 14 } else { 0 };
    t(5 - 3 * from_middle_file(square) + seventh, seventh)
}

/// The queen waits at first and rules the centre at the end.
const fn queen(square: Square) -> Tapered {
    let rank = square as i32 >> 3;
    let early = if rank >= 2 { -3 * (rank - 1) } else { 0 };
    t(early - from_centre(square), 14 - 6 * from_centre(square))
}

/// The king hides in a corner of its own first row, and walks to the centre at the end.
const fn king(square: Square) -> Tapered {
    let rank = square as i32 >> 3;
    let file = square as i32 & 7;
    // c1 and g1 are where castling leads; the corner itself is a little worse than g1.
    let hidden = match file {
        0 | 7 => 22,
        1 | 6 => 30,
        2 => 18,
        5 => -2,
        _ => -4,
    };
    t(hidden - 26 * rank, 24 - 12 * from_centre(square))
}

impl Add for Tapered {
    type Output = Tapered;
    fn add(self, other: Tapered) -> Tapered {
        t(self.middle + other.middle, self.end + other.end)
    }
}

impl Sub for Tapered {
    type Output = Tapered;
    fn sub(self, other: Tapered) -> Tapered {
        t(self.middle - other.middle, self.end - other.end)
    }
}

impl AddAssign for Tapered {
    fn add_assign(&mut self, other: Tapered) {
        *self = *self + other;
    }
}

impl SubAssign for Tapered {
    fn sub_assign(&mut self, other: Tapered) {
        *self = *self - other;
    }
}

impl Mul<i32> for Tapered {
    type Output = Tapered;
    fn mul(self, factor: i32) -> Tapered {
        t(self.middle * factor, self.end * factor)
    }
}

impl Neg for Tapered {
    type Output = Tapered;
    fn neg(self) -> Tapered {
        self * -1
    }
}
