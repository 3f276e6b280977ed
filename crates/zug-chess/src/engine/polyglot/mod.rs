//! Which moves does a book in the format of Polyglot advise?
//!
//! A file of entries of sixteen bytes, sorted by key: the key of a position, a move, its weight, and
//! four bytes for learning, which are not used. All numbers have their greatest byte first.
//!
//! ```text
//! bits of a move:  0-2 file and 3-5 row it goes to | 6-8 file and 9-11 row it comes from | 12-14 promotion
//! ```

mod numbers;

use crate::Position;
use cozy_chess::{Color, File, Move, Piece, Rank, Square, get_pawn_attacks};
use numbers::NUMBERS;
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

/// Bytes of an entry.
const ENTRY: usize = 16;
/// No book is larger: 64 million entries.
const MOST: u64 = 1 << 30;

/// A book.
#[derive(Debug)]
pub struct Polyglot {
    entries: Vec<Entry>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Entry {
    key: u64,
    mv: u16,
    weight: u16,
}

/// A book that cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum PolyglotError {
    /// The file cannot be read.
    #[error("{}: cannot be read ({error})", file.display())]
    File {
        /// The file.
        file: PathBuf,
        /// Why not.
        error: std::io::Error,
    },
    /// Its contents are not those of a book.
    #[error("{}: byte {byte}: expected {expected}", file.display())]
    Content {
        /// The file.
        file: PathBuf,
        /// Where.
        byte: u64,
        /// What should be there.
        expected: String,
    },
}

impl Polyglot {
    /// Reads a book.
    pub fn open(path: &Path) -> Result<Polyglot, PolyglotError> {
        let failed = |error| PolyglotError::File { file: path.to_path_buf(), error };
        let file = fs::File::open(path).map_err(failed)?;
        let mut bytes = Vec::new();
        file.take(MOST + 1).read_to_end(&mut bytes).map_err(failed)?;
        Polyglot::read(&bytes).map_err(|(byte, expected)| PolyglotError::Content {
            file: path.to_path_buf(),
            byte,
            expected,
        })
    }

    /// Reads the bytes of a book; the error says where and what was expected.
    pub fn read(bytes: &[u8]) -> Result<Polyglot, (u64, String)> {
        if bytes.is_empty() || bytes.len() as u64 > MOST {
            return Err((bytes.len().min(MOST as usize) as u64, format!("1 to {MOST} bytes")));
        }
        let whole = bytes.len() / ENTRY * ENTRY;
        if whole != bytes.len() {
            let rest = bytes.len() - whole;
            return Err((whole as u64, format!("entries of {ENTRY} bytes, found {rest} more")));
        }
        let mut entries: Vec<Entry> = Vec::with_capacity(bytes.len() / ENTRY);
        for (at, chunk) in bytes.chunks_exact(ENTRY).enumerate() {
            let key = u64::from_be_bytes(chunk[..8].try_into().expect("eight bytes"));
            let word = |from: usize| u16::from_be_bytes([chunk[from], chunk[from + 1]]);
            if entries.last().is_some_and(|last| last.key > key) {
                return Err(((at * ENTRY) as u64, "keys in rising order".to_string()));
            }
            entries.push(Entry { key, mv: word(8), weight: word(10) });
        }
        Ok(Polyglot { entries })
    }

    /// How many entries there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Is there nothing in it? Never, for a book that was read.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// The moves of a position with their weights, in the order of the file. What is not legal is
    /// left out: keys may agree by chance, and files may lie.
    #[must_use]
    pub fn moves(&self, position: &Position) -> Vec<(Move, u16)> {
        let key = key(position);
        let from = self.entries.partition_point(|entry| entry.key < key);
        let here = self.entries[from..].iter().take_while(|entry| entry.key == key);
        let mut moves: Vec<(Move, u16)> = Vec::new();
        for entry in here {
            if let Some(mv) = read_move(position, entry.mv)
                && !moves.iter().any(|(other, _)| *other == mv)
            {
                moves.push((mv, entry.weight));
            }
        }
        moves
    }

    /// Draws one of the moves by their weights; `lot` is any number.
    #[must_use]
    pub fn choose(&self, position: &Position, lot: u64) -> Option<Move> {
        let moves = self.moves(position);
        let all: u64 = moves.iter().map(|&(_, weight)| u64::from(weight)).sum();
        if all == 0 {
            return moves.first().map(|&(mv, _)| mv);
        }
        let mut left = lot % all;
        for (mv, weight) in moves {
            if left < u64::from(weight) {
                return Some(mv);
            }
            left -= u64::from(weight);
        }
        None
    }
}

/// A move of the format, if it is legal.
fn read_move(position: &Position, bits: u16) -> Option<Move> {
    let part = |at: u16| usize::from(bits >> at & 7);
    let square = |at: u16| Square::new(File::index(part(at)), Rank::index(part(at + 3)));
    let promotion = match part(12) {
        0 => None,
        1 => Some(Piece::Knight),
        2 => Some(Piece::Bishop),
        3 => Some(Piece::Rook),
        4 => Some(Piece::Queen),
        _ => return None,
    };
    let mv = Move { from: square(6), to: square(0), promotion };
    let board = position.board();
    if board.is_legal(mv) {
        return Some(mv);
    }
    // Castling is written as the king taking its rook; some books let it go two steps.
    let king = board.king(position.color());
    let steps = mv.to.file() as i32 - mv.from.file() as i32;
    if mv.from != king || steps.abs() != 2 || promotion.is_some() {
        return None;
    }
    let rights = board.castle_rights(position.color());
    let rook = if steps > 0 { rights.short } else { rights.long }?;
    let castling = Move { to: Square::new(rook, king.rank()), ..mv };
    board.is_legal(castling).then_some(castling)
}

/// The key of a position in the published scheme.
#[must_use]
pub fn key(position: &Position) -> u64 {
    let board = position.board();
    let mut key = 0;
    for color in Color::ALL {
        for piece in Piece::ALL {
            let kind = 2 * piece as usize + usize::from(color == Color::White);
            for square in board.colored_pieces(color, piece) {
                key ^= NUMBERS[64 * kind + square as usize];
            }
        }
        let rights = board.castle_rights(color);
        let at = 768 + 2 * color as usize;
        for (place, right) in [rights.short, rights.long].into_iter().enumerate() {
            if right.is_some() {
                key ^= NUMBERS[at + place];
            }
        }
    }
    let us = position.color();
    if let Some(file) = board.en_passant() {
        // It counts if a pawn stands beside, whether it may capture or not.
        let target = Square::new(file, Rank::Sixth.relative_to(us));
        let beside = get_pawn_attacks(target, !us) & board.colored_pieces(us, Piece::Pawn);
        if !beside.is_empty() {
            key ^= NUMBERS[772 + file as usize];
        }
    }
    if us == Color::White { key ^ NUMBERS[780] } else { key }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{fen, uci};
    use proptest::prelude::*;

    #[test]
    fn keys_are_those_that_the_format_gives_as_examples() {
        for (text, expected) in [
            (fen::START, 0x463B_9618_1691_FC9C),
            ("rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPPKPPP/RNBQ1BNR b kq - 0 3", 0x652A_607C_A3F2_42C1),
            (
                "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3",
                0x22A4_8B5A_8E47_FF78,
            ),
        ] {
            assert_eq!(key(&fen::parse(text).unwrap()), expected, "{text}");
        }
    }

    fn entry(position: &Position, mv: u16, weight: u16) -> Vec<u8> {
        let mut bytes = key(position).to_be_bytes().to_vec();
        bytes.extend(mv.to_be_bytes());
        bytes.extend(weight.to_be_bytes());
        bytes.extend([0; 4]);
        bytes
    }

    fn bits(text: &str, promotion: u16) -> u16 {
        let mv: Move = text.parse().unwrap();
        let square = |s: Square| s.file() as u16 | (s.rank() as u16) << 3;
        square(mv.to) | square(mv.from) << 6 | promotion << 12
    }

    #[test]
    fn moves_are_drawn_by_their_weight_and_illegal_ones_never() {
        let start = Position::start();
        let mut bytes = entry(&start, bits("e2e4", 0), 3);
        bytes.extend(entry(&start, bits("d2d4", 0), 1));
        bytes.extend(entry(&start, bits("e2e5", 0), 500));
        bytes.extend(entry(&start, bits("e2e4", 4), 500));
        let book = Polyglot::read(&bytes).unwrap();
        assert_eq!((book.len(), book.moves(&start).len()), (4, 2));
        let drawn = |lot| uci::write(&start, book.choose(&start, lot).unwrap(), false);
        let all: Vec<String> = (0..4).map(drawn).collect();
        assert_eq!(all, ["e2e4", "e2e4", "e2e4", "d2d4"]);
        let other = fen::parse("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1").unwrap();
        assert_eq!(book.choose(&other, 1), None);
    }

    #[test]
    fn castling_and_promotions_are_understood() {
        let castles = fen::parse("4k3/P7/8/8/8/8/8/4K2R w K - 0 1").unwrap();
        let as_rook = read_move(&castles, bits("e1h1", 0)).unwrap();
        assert_eq!(read_move(&castles, bits("e1g1", 0)), Some(as_rook));
        assert_eq!(uci::write(&castles, as_rook, false), "e1g1");
        let knight = read_move(&castles, bits("a7a8", 1)).unwrap();
        assert_eq!(knight.promotion, Some(Piece::Knight));
        assert_eq!(read_move(&castles, bits("e1c1", 0)), None);
    }

    #[test]
    fn what_is_no_book_is_refused_with_its_place() {
        let complain = |bytes: &[u8]| Polyglot::read(bytes).unwrap_err();
        assert_eq!(complain(&[]).0, 0);
        assert_eq!(complain(&[0; 20]), (16, "entries of 16 bytes, found 4 more".into()));
        let mut falling = vec![1u8; 16];
        falling.extend([0; 16]);
        assert_eq!(complain(&falling).0, 16);
        let missing = Polyglot::open(Path::new("no/such/book.bin")).unwrap_err().to_string();
        assert!(missing.contains("no/such/book.bin"), "{missing}");
    }

    proptest! {
        #[test]
        fn any_bytes_are_read_or_refused_and_advise_only_legal_moves(
            mut words in proptest::collection::vec(any::<(u16, u16)>(), 1..40),
            cut in 0..16usize,
        ) {
            let start = Position::start();
            words.sort_unstable();
            let mut bytes: Vec<u8> =
                words.iter().flat_map(|&(mv, weight)| entry(&start, mv, weight)).collect();
            bytes.truncate(bytes.len() - cut);
            if let Ok(book) = Polyglot::read(&bytes) {
                for (mv, _) in book.moves(&start) {
                    prop_assert!(start.board().is_legal(mv));
                }
            }
        }
    }
}
