//! How are the positions of endings numbered?
//!
//! Fields are squares, a1 first, row by row. There is a kind for each man and colour, and one more
//! for each colour: the pawn that has just moved two squares and can be captured *en passant*. It
//! exists only while there is a pawn that can legally capture it; any other double step leads to
//! the plain position, as [`Position`] has it.
//!
//! Without pawns the board has eight symmetries, with pawns left and right are the same. Swapping
//! colours turns the board upside down; only games whose material is the same for both sides use
//! that, so KRvKN stores kings alone for both sides to move.

use super::material::{Material, OFFICERS_AND_PAWN, PAWN, Scope};
use crate::position::{Position, side_of};
use crate::rules::Chess;
use cozy_chess::{BoardBuilder, Color, Piece, Rank, Square, get_king_moves};
use zug_core::indexed::{Layout, maps};
use zug_core::{Indexed, Side};

/// Kinds of men, in the order of the layout. Kings come first: the white one carries the symmetry.
pub(crate) const KINDS: [(&str, Color, Piece); 14] = [
    ("king", Color::White, Piece::King),
    ("king", Color::Black, Piece::King),
    ("queen", Color::White, Piece::Queen),
    ("rook", Color::White, Piece::Rook),
    ("bishop", Color::White, Piece::Bishop),
    ("knight", Color::White, Piece::Knight),
    ("queen", Color::Black, Piece::Queen),
    ("rook", Color::Black, Piece::Rook),
    ("bishop", Color::Black, Piece::Bishop),
    ("knight", Color::Black, Piece::Knight),
    ("pawn", Color::White, Piece::Pawn),
    ("pawn", Color::Black, Piece::Pawn),
    (PASSING, Color::White, Piece::Pawn),
    (PASSING, Color::Black, Piece::Pawn),
];
/// The name of a pawn that has just moved two squares.
const PASSING: &str = "passing pawn";
/// The kinds of a passing pawn, by colour.
pub(crate) const PASSING_KIND: [usize; 2] = [12, 13];
/// The kinds of a pawn, by colour.
pub(crate) const PAWN_KIND: [usize; 2] = [10, 11];
/// Squares that a pawn can stand on.
pub(crate) const PAWN_FIELDS: u64 = 0x00FF_FFFF_FFFF_FF00;
/// Squares that a pawn reaches with a double step, by colour.
pub(crate) const PASSING_FIELDS: [u64; 2] = [0xFF00_0000, 0xFF_0000_0000];

/// The men that these counts stand for.
pub(crate) fn material_of(counts: &[u32]) -> Material {
    let mut material = Material { counts: [[0; 5]; 2] };
    for (&(_, color, piece), &n) in KINDS.iter().zip(counts) {
        if let Some(k) = OFFICERS_AND_PAWN.iter().position(|&p| p == piece) {
            material.counts[color as usize][k] += n as u8;
        }
    }
    material
}

/// A passing pawn is there only if the other side is to move and has a pawn.
fn passing_fits(counts: &[u32], side: Side) -> bool {
    let fits = |color: usize| {
        let passing = counts[PASSING_KIND[color]];
        passing == 0 || (passing == 1 && side.index() != color && counts[PAWN_KIND[1 - color]] > 0)
    };
    fits(0) && fits(1)
}

fn layout_of(scope: Scope) -> Layout {
    let most = scope.most();
    // Either all endings have their swaps beside them or none is merged with its own: what leads
    // to one of two merged positions must itself be merged with what leads to the other.
    let symmetric = match scope {
        Scope::Material(whole) => whole == whole.swapped(),
        Scope::Men(_) => true,
    };
    let both_have_pawns = most.iter().all(|side| side[PAWN] > 0);
    let mut layout = Layout::new(64);
    for (name, color, piece) in KINDS {
        let side = side_of(color);
        let kind = OFFICERS_AND_PAWN.iter().position(|&p| p == piece);
        let n = kind.map_or(1, |k| u32::from(most[color as usize][k]));
        layout = match (piece, name) {
            (Piece::King, _) => layout.piece(name, side, 1..=1),
            (_, PASSING) => {
                let fields = PASSING_FIELDS[color as usize];
                layout.piece_on(name, side, 0..=u32::from(both_have_pawns), fields)
            }
            (Piece::Pawn, _) => layout.piece_on(name, side, 0..=n, PAWN_FIELDS),
            _ => layout.piece(name, side, 0..=n),
        };
    }
    layout
        .admit(move |counts, side| {
            passing_fits(counts, side) && scope.contains(&material_of(counts))
        })
        .mirror(move |_| symmetric.then(|| maps::up_down(8, 8)))
        .axes(|counts| {
            let material = material_of(counts);
            if material.pawns(0) + material.pawns(1) > 0 {
                vec![maps::left_right(8, 8)]
            } else {
                vec![maps::left_right(8, 8), maps::up_down(8, 8), maps::falling_diagonal(8)]
            }
        })
        .stages(|counts| {
            let material = material_of(counts);
            let pawns = u32::from(material.pawns(0) + material.pawns(1));
            (material.men() * 8 + pawns, material.stronger_first().to_string())
        })
        .feeds(|from, to| material_of(from).leads_to(&material_of(to)))
}

impl Indexed for Chess {
    /// Of an ending. The whole game has more combinations of men than an index can hold.
    fn layout(&self) -> Layout {
        layout_of(self.scope().unwrap_or(Scope::Men(32)))
    }

    fn boards(&self, position: &Position, boards: &mut [u64]) {
        let board = position.board();
        for (out, &(_, color, piece)) in boards.iter_mut().zip(&KINDS[..PASSING_KIND[0]]) {
            *out = board.colored_pieces(color, piece).0;
        }
        boards[PASSING_KIND[0]..].fill(0);
        if let Some(target) = position.en_passant() {
            let passing = !position.color();
            let square = Square::new(target.file(), Rank::Fourth.relative_to(passing));
            boards[PAWN_KIND[passing as usize]] &= !square.bitboard().0;
            boards[PASSING_KIND[passing as usize]] = square.bitboard().0;
        }
    }

    /// Illegal are: kings that touch, a king that can be taken, a passing pawn that cannot be
    /// captured, or that has not just made its double step (something stands behind it, or there
    /// is a check that was there before).
    fn position_of(&self, boards: &[u64], side: Side) -> Option<Position> {
        let mut builder = BoardBuilder::empty();
        builder.side_to_move = if side == Side::First { Color::White } else { Color::Black };
        let mut passing = None;
        for (kind, (&board, &(name, color, piece))) in boards.iter().zip(&KINDS).enumerate() {
            for square in cozy_chess::BitBoard(board) {
                *builder.square_mut(square) = Some((piece, color));
                if name == PASSING {
                    debug_assert_eq!(kind, PASSING_KIND[color as usize]);
                    let target = Square::new(square.file(), Rank::Third.relative_to(color));
                    passing = Some(target);
                }
            }
        }
        builder.en_passant = passing;
        let king = |color: usize| Square::index(boards[color].trailing_zeros() as usize % 64);
        if get_king_moves(king(0)).has(king(1)) {
            return None;
        }
        let position = Position::from(builder.build().ok()?).without_clocks();
        (position.en_passant() == passing).then_some(position)
    }
}
