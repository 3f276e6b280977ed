//! Pawns: what they attack, who is passed, who stands alone.

use super::parameters::*;
use cozy_chess::{BitBoard, Board, Color, File, Piece, Rank, Square};

/// All squares that these pawns attack.
pub fn attacks(pawns: BitBoard, color: Color) -> BitBoard {
    let west = BitBoard(pawns.0 & !File::A.bitboard().0);
    let east = BitBoard(pawns.0 & !File::H.bitboard().0);
    match color {
        Color::White => BitBoard(west.0 << 7 | east.0 << 9),
        Color::Black => BitBoard(west.0 >> 9 | east.0 >> 7),
    }
}

/// The rows in front of a square, for a colour.
const fn rows_before(square: Square, color: Color) -> BitBoard {
    let rank = square as u32 >> 3;
    BitBoard(match color {
        Color::White if rank == 7 => 0,
        Color::White => u64::MAX << (8 * (rank + 1)),
        Color::Black => (1 << (8 * rank)) - 1,
    })
}

/// The squares from which enemy pawns could come to attack a square.
pub fn chasers(square: Square, color: Color) -> BitBoard {
    rows_before(square, color) & square.file().adjacent()
}

/// Doubled, isolated, connected and passed pawns of a colour.
pub fn structure(board: &Board, color: Color) -> Tapered {
    let own = board.colored_pieces(color, Piece::Pawn);
    let enemy = board.colored_pieces(!color, Piece::Pawn);
    let guarded = attacks(own, color);
    let mut sum = Tapered::default();
    for pawn in own {
        let front = rows_before(pawn, color);
        let (file, beside) = (pawn.file().bitboard(), pawn.file().adjacent());
        let doubled = !(own & file & front).is_empty();
        if doubled {
            sum += DOUBLED;
        }
        if (own & beside).is_empty() {
            sum += ISOLATED;
        } else if guarded.has(pawn) || !(own & beside & pawn.rank().bitboard()).is_empty() {
            sum += CONNECTED;
        }
        if !doubled && (enemy & front & (file | beside)).is_empty() {
            sum += passed(board, pawn, color);
        }
    }
    sum
}

fn passed(board: &Board, pawn: Square, color: Color) -> Tapered {
    let row = pawn.rank().relative_to(color) as usize;
    let mut value = PASSED[row];
    let step = Rank::index((row + 1).min(7)).relative_to(color);
    let before = Square::new(pawn.file(), step);
    if board.occupied().has(before) {
        value = Tapered {
            middle: value.middle * BLOCKED_SHARE / 4,
            end: value.end * BLOCKED_SHARE / 4,
        };
    }
    let beyond = row as i32 - 2;
    if beyond > 0 {
        let king = |c| super::distance(board.king(c), before);
        value.end += PASSED_ESCORT * beyond * (king(!color) - king(color));
    }
    value
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen;

    fn pawns(text: &str, color: Color) -> Tapered {
        structure(fen::parse(text).unwrap().board(), color)
    }

    #[test]
    fn attacks_do_not_wrap_around_the_edge() {
        assert_eq!(attacks(Square::A4.bitboard(), Color::White), Square::B5.bitboard());
        assert_eq!(attacks(Square::H4.bitboard(), Color::Black), Square::G3.bitboard());
    }

    #[test]
    fn passed_pawns_grow_and_blocked_ones_shrink() {
        let near = pawns("4k3/8/P7/8/8/8/8/4K3 w - - 0 1", Color::White);
        let far = pawns("4k3/8/8/8/8/P7/8/4K3 w - - 0 1", Color::White);
        assert!(near.end > far.end && near.middle > far.middle);
        let blocked = pawns("4k3/n7/P7/8/8/8/8/4K3 w - - 0 1", Color::White);
        assert!(blocked.end < near.end);
    }

    #[test]
    fn doubled_and_isolated_pawns_are_weak() {
        let healthy = pawns("4k3/pp6/8/8/8/8/PP6/4K3 w - - 0 1", Color::White);
        let doubled = pawns("4k3/pp6/8/8/8/P7/P7/4K3 w - - 0 1", Color::White);
        assert!(doubled.middle < healthy.middle && doubled.end < healthy.end);
    }
}
