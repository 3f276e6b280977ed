//! KnightCap's four types. The thesis names them without their borders; these are ours:
//!
//! * **mating**: a side has nothing but its king;
//! * **ending**: at most 8 of the 24 points of material besides pawns are left (knights and bishops
//!   1, rooks 2, queens 4);
//! * **opening**: at least 20 points are left, and at least four of the eight knights and bishops
//!   stand on their first squares;
//! * **middlegame**: everything else.

use super::phases::phase;
use cozy_chess::{BitBoard, Board, Color, Piece};

/// The types in order.
pub const KNIGHTCAP_TYPES: [&str; 4] = ["opening", "middlegame", "ending", "mating"];

/// The type of a position, an index of [`KNIGHTCAP_TYPES`].
#[must_use]
pub fn knightcap_type(board: &Board) -> usize {
    if Color::ALL.into_iter().any(|color| board.colors(color).len() == 1) {
        return 3;
    }
    let phase = phase(board);
    if phase <= 8 {
        return 2;
    }
    let home = |color: Color| {
        let row = if color == Color::White { 0 } else { 56 };
        let at_home = |piece, squares: u64| {
            (board.colored_pieces(color, piece) & BitBoard(squares << row)).len()
        };
        at_home(Piece::Knight, 0x42) + at_home(Piece::Bishop, 0x24)
    };
    usize::from(phase < 20 || home(Color::White) + home(Color::Black) < 4)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen;

    #[test]
    fn the_four_types_follow_each_other_in_a_game() {
        for (text, expected) in [
            (fen::START, 0),
            ("r1bqk2r/pppp1ppp/2n2n2/2b1p3/2B1P3/2N2N2/PPPP1PPP/R1BQK2R w KQkq - 0 5", 1),
            ("r3k2r/pppp1ppp/8/8/8/8/PPPP1PPP/R3K2R w KQkq - 0 5", 2),
            ("8/8/4k3/8/8/4K3/8/R7 w - - 0 1", 3),
            ("8/8/4k3/8/8/4K3/8/8 w - - 0 1", 3),
        ] {
            assert_eq!(knightcap_type(fen::parse(text).unwrap().board()), expected, "{text}");
        }
    }
}
