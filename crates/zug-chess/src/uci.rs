//! Moves as engines and this workbench write them: `e2e4`, `e7e8q`, `e1g1`.
//!
//! Castling is the king's move where king and rook stand on their usual squares, and otherwise (and
//! throughout a game of Chess960) "king takes rook": `f1h1`. Both are read wherever they are legal.

use crate::fen::quote;
use crate::position::Position;
use cozy_chess::{File, Move, Piece, Rank, Square};
use std::fmt::Write as _;
use zug_core::TextError;

/// Writes a legal move. In Chess960 castling is always "king takes rook".
#[must_use]
pub fn write(position: &Position, mv: Move, chess960: bool) -> String {
    let to = if chess960 { mv.to } else { target(position, mv) };
    let mut out = String::with_capacity(5);
    let _ = write!(out, "{}{to}", mv.from);
    if let Some(piece) = mv.promotion {
        out.push(char::from(piece));
    }
    out
}

/// The square to which a move goes on a drawn board: for usual castling where the king goes, else
/// the move's own target.
pub(crate) fn target(position: &Position, mv: Move) -> Square {
    if mv.from.file() != File::E || !position.is_castling(mv) {
        return mv.to;
    }
    match mv.to.file() {
        File::H => Square::new(File::G, mv.to.rank()),
        File::A => Square::new(File::C, mv.to.rank()),
        _ => mv.to,
    }
}

/// Reads a move and checks that it is legal.
///
/// ```
/// use zug_chess::{Position, uci};
/// let start = Position::start();
/// assert!(uci::parse(&start, "e2e4").is_ok());
/// assert!(uci::parse(&start, "e2e5").unwrap_err().to_string().contains("a legal move"));
/// ```
pub fn parse(position: &Position, text: &str) -> Result<Move, TextError> {
    let Some(mv) = shape(text) else {
        return Err(TextError::new(0, "a move such as e2e4 or e7e8q", quote(text)));
    };
    let mv = castling(position, mv).unwrap_or(mv);
    if position.board().is_legal(mv) {
        return Ok(mv);
    }
    let piece = position.board().piece_on(mv.from);
    let expected = match piece.filter(|_| position.board().colors(position.color()).has(mv.from)) {
        None => {
            format!("a legal move from a square with a piece of the side to move, not {}", mv.from)
        }
        Some(Piece::Pawn) if mv.promotion.is_none() && is_last_row(mv.to) => {
            "a legal move with the piece to promote to, such as e7e8q".to_string()
        }
        Some(_) => "a legal move".to_string(),
    };
    Err(TextError::new(0, expected, quote(text)))
}

/// Two squares and perhaps a piece, legal or not.
pub(crate) fn shape(text: &str) -> Option<Move> {
    let (from, to, promotion) = match text.as_bytes() {
        [a, b, c, d] => ([a, b], [c, d], None),
        [a, b, c, d, p @ (b'n' | b'b' | b'r' | b'q')] => ([a, b], [c, d], Some(*p)),
        _ => return None,
    };
    let square = |[file, rank]: [&u8; 2]| {
        let file = File::try_from(char::from(*file)).ok()?;
        Some(Square::new(file, Rank::try_from(char::from(*rank)).ok()?))
    };
    let promotion = promotion.and_then(|p| Piece::try_from(char::from(p)).ok());
    Some(Move { from: square(from)?, to: square(to)?, promotion })
}

/// The castling meant by a king's move of two or more squares to the c- or g-file.
fn castling(position: &Position, mv: Move) -> Option<Move> {
    let (board, color) = (position.board(), position.color());
    let distance = (mv.from.file() as i32 - mv.to.file() as i32).abs();
    if board.king(color) != mv.from
        || mv.from.rank() != mv.to.rank()
        || distance < 2
        || board.colors(color).has(mv.to)
    {
        return None;
    }
    let rights = board.castle_rights(color);
    let rook = match mv.to.file() {
        File::G => rights.short?,
        File::C => rights.long?,
        _ => return None,
    };
    Some(Move { to: Square::new(rook, mv.from.rank()), ..mv })
}

fn is_last_row(square: Square) -> bool {
    matches!(square.rank(), Rank::First | Rank::Eighth)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen;

    fn check(fen_text: &str, text: &str, written: &str) {
        let position = fen::parse(fen_text).unwrap();
        let mv = parse(&position, text).unwrap();
        assert_eq!(write(&position, mv, false), written, "{text} in {fen_text}");
    }

    #[test]
    fn castling_is_read_both_ways_and_written_as_the_position_needs() {
        let usual = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1";
        check(usual, "e1g1", "e1g1");
        check(usual, "e1h1", "e1g1");
        check(usual, "e1a1", "e1c1");
        check(usual, "e1f1", "e1f1");
        let shuffled = "1r3k1r/8/8/8/8/8/8/1R3K1R w KQkq - 0 1";
        check(shuffled, "f1h1", "f1h1");
        check(shuffled, "f1g1", "f1g1");
        check(shuffled, "f1c1", "f1b1");
        let p = fen::parse(usual).unwrap();
        assert_eq!(write(&p, parse(&p, "e1g1").unwrap(), true), "e1h1");
    }

    #[test]
    fn promotions_name_their_piece() {
        let p = "8/4P3/8/8/8/2k5/8/4K3 w - - 0 1";
        check(p, "e7e8n", "e7e8n");
        let p = fen::parse(p).unwrap();
        assert!(parse(&p, "e7e8").unwrap_err().expected.contains("promote"));
        assert!(parse(&p, "e7e8k").is_err());
        assert!(parse(&p, "e1e2q").is_err());
    }

    #[test]
    fn nonsense_is_refused() {
        let p = Position::start();
        for text in ["", "e2", "e2e9", "i2e4", "0000", "e2e4qq", "é2e4", "e2e2", "e4e5", "e7e5"] {
            assert!(parse(&p, text).is_err(), "{text}");
        }
    }
}
