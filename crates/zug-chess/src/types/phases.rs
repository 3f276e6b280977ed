//! How much of the middlegame is left, and which ending is coming?

use super::WHOLE;
use crate::position::DARK_SQUARES;
use cozy_chess::{Board, Color, Piece};

/// Material besides pawns, 0 to [`WHOLE`]: knights and bishops 1, rooks 2, queens 4. The start
/// position has all of it; what promotions add does not count.
#[must_use]
#[inline(always)]
pub fn phase(board: &Board) -> i32 {
    let minors = (board.pieces(Piece::Knight) | board.pieces(Piece::Bishop)).len();
    let sum = minors + 2 * board.pieces(Piece::Rook).len() + 4 * board.pieces(Piece::Queen).len();
    (sum as i32).min(WHOLE)
}

/// The endings that `phases-plus` tells apart.
pub const ENDINGS: [&str; 5] = [
    "ending",
    "ending of opposite bishops",
    "opposite bishops with other pieces",
    "ending of pawns",
    "ending without pawns on a side",
];

/// Which of the [`ENDINGS`] the material leads to. Opposite bishops and sides without pawns win
/// less often than their lead says: weights of their own can say so, where a sum over both sides
/// cannot.
#[must_use]
pub fn ending(board: &Board) -> usize {
    let pawns = board.pieces(Piece::Pawn);
    let bishops = board.pieces(Piece::Bishop);
    let others =
        board.pieces(Piece::Knight) | board.pieces(Piece::Rook) | board.pieces(Piece::Queen);
    if (bishops | others).is_empty() {
        return 3;
    }
    if bishops.len() == 2 && (bishops & DARK_SQUARES).len() == 1 {
        let white = bishops & board.colors(Color::White);
        if white.len() == 1 {
            return if others.is_empty() { 1 } else { 2 };
        }
    }
    if Color::ALL.into_iter().any(|color| (pawns & board.colors(color)).is_empty()) {
        return 4;
    }
    0
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen;

    #[test]
    fn phases_go_from_all_pieces_to_none() {
        for (text, expected) in [
            (fen::START, 24),
            ("4k3/pppp4/8/8/8/8/PPPP4/4K3 w - - 0 1", 0),
            ("r3k3/8/8/8/8/8/8/3QK1N1 w - - 0 1", 7),
            ("qqqqkqqq/8/8/8/8/8/8/4K3 w - - 0 1", 24),
        ] {
            assert_eq!(phase(fen::parse(text).unwrap().board()), expected, "{text}");
        }
    }

    #[test]
    fn endings_are_told_apart() {
        for (text, expected) in [
            (fen::START, 0),
            ("4k1b1/pp6/8/8/8/8/PP6/4K1B1 w - - 0 1", 1),
            ("4k1br/pp6/8/8/8/8/PP6/4K1BR w - - 0 1", 2),
            ("4kb2/pp6/8/8/8/8/PP6/4K1B1 w - - 0 1", 0),
            ("2b1k1b1/pp6/8/8/8/8/PP6/4K3 w - - 0 1", 0),
            ("4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1", 3),
            ("4k3/pp6/8/8/8/8/8/R3K3 w - - 0 1", 4),
        ] {
            assert_eq!(ending(fen::parse(text).unwrap().board()), expected, "{text}");
        }
    }
}
