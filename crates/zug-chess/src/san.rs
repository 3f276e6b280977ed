//! Moves as people write them: `Nf3`, `exd5`, `R1e2`, `e8=Q+`, `O-O-O#`.
//!
//! Written strictly: the least that tells two pieces apart (file, else row, else both), `x`, `=`,
//! `+` and `#`. Read kindly: check and praise marks, `e.p.`, zeros for castling, a promotion with
//! or without `=`, long forms such as `Ng1-f3` and figurines are all understood; a mark that is
//! missing or wrong is overlooked. A move is refused if no piece or more than one can make it.

use crate::fen::{letter, quote};
use crate::position::Position;
use cozy_chess::{
    BitBoard, File, Move, Piece, Rank, Square, get_bishop_moves, get_king_moves, get_knight_moves,
    get_pawn_attacks, get_rook_moves,
};
use zug_core::TextError;

/// Writes a legal move.
///
/// ```
/// use zug_chess::{Position, san, uci};
/// let start = Position::start();
/// assert_eq!(san::write(&start, uci::parse(&start, "g1f3")?), "Nf3");
/// # Ok::<(), zug_core::TextError>(())
/// ```
#[must_use]
pub fn write(position: &Position, mv: Move) -> String {
    let mut out = write_bare(position, mv);
    let mut after = position.clone();
    after.play(mv);
    if after.in_check() {
        out.push(if after.has_moves() { '+' } else { '#' });
    }
    out
}

/// The move without a mark for check.
fn write_bare(position: &Position, mv: Move) -> String {
    let mut out = String::with_capacity(8);
    if position.is_castling(mv) {
        out.push_str(if mv.to.file() > mv.from.file() { "O-O" } else { "O-O-O" });
        return out;
    }
    let board = position.board();
    let piece = board.piece_on(mv.from).unwrap_or(Piece::Pawn);
    let captures = position.is_capture(mv);
    let (mut by_file, mut by_rank) = (piece == Piece::Pawn && captures, false);
    if piece != Piece::Pawn {
        out.push(letter(piece));
        let rivals: BitBoard = (sources(position, piece, mv.to) - mv.from.bitboard())
            .iter()
            .filter(|&from| board.is_legal(Move { from, ..mv }))
            .collect();
        if !rivals.is_empty() {
            let file_tells = (rivals & mv.from.file().bitboard()).is_empty();
            let rank_tells = (rivals & mv.from.rank().bitboard()).is_empty();
            by_file = file_tells || !rank_tells;
            by_rank = !file_tells;
        }
    }
    if by_file {
        out.push(char::from(mv.from.file()));
    }
    if by_rank {
        out.push(char::from(mv.from.rank()));
    }
    if captures {
        out.push('x');
    }
    out.push(char::from(mv.to.file()));
    out.push(char::from(mv.to.rank()));
    if let Some(promotion) = mv.promotion {
        out.push('=');
        out.push(letter(promotion));
    }
    out
}

/// What a move text says, before a position is asked.
struct Wish {
    piece: Piece,
    file: Option<File>,
    rank: Option<Rank>,
    to: Square,
    captures: bool,
    promotion: Option<Piece>,
}

/// Reads a move and checks that it is legal.
///
/// ```
/// use zug_chess::{Position, san};
/// let start = Position::start();
/// assert!(san::parse(&start, "Nf3!?").is_ok());
/// assert!(san::parse(&start, "Nf4").unwrap_err().to_string().contains("no knight can go to f4"));
/// ```
pub fn parse(position: &Position, text: &str) -> Result<Move, TextError> {
    let core = strip_marks(text);
    if matches!(core, "--" | "Z0" | "0000" | "@@@@" | "null" | "pass") {
        return Err(TextError::new(0, "a move; chess has no null move", quote(text)));
    }
    if let Some(short) = castling_side(core) {
        return castle(position, short, text);
    }
    match wish(core) {
        Ok(wish) => fulfil(position, &wish, text),
        Err(byte) => {
            Err(TextError::new(byte, "a move such as e4, Nf3, exd5, e8=Q or O-O", quote(text)))
        }
    }
}

/// The text without what may follow a move: `+`, `#`, `!`, `?`, `e.p.`.
fn strip_marks(text: &str) -> &str {
    let marks = |c: char| "+#!?".contains(c) || c.is_ascii_whitespace();
    let mut core = text.trim_ascii_start().trim_end_matches(marks);
    for ending in ["e.p.", "(ep)", "ep"] {
        if let Some(front) = core.strip_suffix(ending) {
            core = front.trim_end_matches(marks);
            break;
        }
    }
    core
}

fn castling_side(core: &str) -> Option<bool> {
    match core {
        "O-O" | "0-0" | "o-o" | "OO" => Some(true),
        "O-O-O" | "0-0-0" | "o-o-o" | "OOO" => Some(false),
        _ => None,
    }
}

fn castle(position: &Position, short: bool, text: &str) -> Result<Move, TextError> {
    let (board, color) = (position.board(), position.color());
    let rights = board.castle_rights(color);
    let from = board.king(color);
    let rook = if short { rights.short } else { rights.long };
    let mv = rook.map(|file| Move { from, to: Square::new(file, from.rank()), promotion: None });
    match mv {
        Some(mv) if board.is_legal(mv) => Ok(mv),
        Some(_) => {
            Err(TextError::new(0, "a legal move; castling is not possible now", quote(text)))
        }
        None => Err(TextError::new(0, "a legal move; the right to castle is lost", quote(text))),
    }
}

/// Takes a move text apart, from behind; the error is the byte that does not fit.
fn wish(core: &str) -> Result<Wish, usize> {
    let mut rest: Vec<(usize, char)> = core.char_indices().take(12).collect();
    let end = core.len();
    let at = |rest: &[(usize, char)]| rest.last().map_or(end, |&(i, _)| i);

    let (mut promotion, mut promotion_at) = (None, end);
    if rest.last().is_some_and(|&(_, c)| c == ')') {
        rest.pop();
    }
    // A file letter b at the end cannot be: a square ends with its row.
    if let Some(piece) = rest.last().and_then(|&(_, c)| piece_of(c.to_ascii_uppercase())) {
        promotion_at = at(&rest);
        promotion = Some(piece);
        rest.pop();
        if rest.last().is_some_and(|&(_, c)| matches!(c, '=' | '/' | '(')) {
            rest.pop();
        }
    }
    if matches!(promotion, Some(Piece::King | Piece::Pawn)) {
        return Err(promotion_at);
    }
    let rank = rest.last().and_then(|&(_, c)| Rank::try_from(c).ok()).ok_or(at(&rest))?;
    rest.pop();
    let file = rest.last().and_then(|&(_, c)| File::try_from(c).ok()).ok_or(at(&rest))?;
    rest.pop();
    let to = Square::new(file, rank);
    let mut captures = false;
    if let Some(&(_, c @ ('x' | 'X' | ':' | '-' | '×'))) = rest.last() {
        captures = c != '-';
        rest.pop();
    }
    let rank = rest.last().and_then(|&(_, c)| Rank::try_from(c).ok());
    if rank.is_some() {
        rest.pop();
    }
    let file = rest.last().and_then(|&(_, c)| File::try_from(c).ok());
    if file.is_some() {
        rest.pop();
    }
    let piece = match rest.pop() {
        None => Piece::Pawn,
        Some((byte, c)) => piece_of(c).ok_or(byte)?,
    };
    match rest.last() {
        Some(&(byte, _)) => Err(byte),
        None if promotion.is_some() && piece != Piece::Pawn => Err(promotion_at),
        None => Ok(Wish { piece, file, rank, to, captures, promotion }),
    }
}

/// The piece of a capital letter or a figurine.
fn piece_of(c: char) -> Option<Piece> {
    Some(match c {
        'P' | '♙' | '♟' => Piece::Pawn,
        'N' | '♘' | '♞' => Piece::Knight,
        'B' | '♗' | '♝' => Piece::Bishop,
        'R' | '♖' | '♜' => Piece::Rook,
        'Q' | '♕' | '♛' => Piece::Queen,
        'K' | '♔' | '♚' => Piece::King,
        _ => return None,
    })
}

/// The squares from which a piece of this kind of the side to move looks at `to`.
fn sources(position: &Position, piece: Piece, to: Square) -> BitBoard {
    let (board, color) = (position.board(), position.color());
    let occupied = board.occupied();
    let reach = match piece {
        Piece::Pawn => to.file().bitboard() | get_pawn_attacks(to, !color),
        Piece::Knight => get_knight_moves(to),
        Piece::Bishop => get_bishop_moves(to, occupied),
        Piece::Rook => get_rook_moves(to, occupied),
        Piece::Queen => get_bishop_moves(to, occupied) | get_rook_moves(to, occupied),
        Piece::King => get_king_moves(to),
    };
    reach & board.colored_pieces(color, piece)
}

fn fulfil(position: &Position, wish: &Wish, text: &str) -> Result<Move, TextError> {
    let board = position.board();
    let mut from = sources(position, wish.piece, wish.to);
    if let Some(file) = wish.file {
        from &= file.bitboard();
    }
    if let Some(rank) = wish.rank {
        from &= rank.bitboard();
    }
    if wish.piece == Piece::Pawn && wish.file.is_none() {
        // "e4" is never a capture; "xe4" always is.
        let own_file = wish.to.file().bitboard();
        from = if wish.captures { from - own_file } else { from & own_file };
    }
    // A king's "move" onto its rook is castling, which has its own text.
    let fits = |from| {
        let mv = Move { from, to: wish.to, promotion: wish.promotion };
        board.is_legal(mv) && !position.is_castling(mv)
    };
    let mut able = from.iter().filter(|&square| fits(square));
    let (first, second) = (able.next(), able.next());
    let (name, to) = (name_of(wish.piece), wish.to);
    let expected = match (first, second) {
        (Some(from), None) => return Ok(Move { from, to, promotion: wish.promotion }),
        (Some(a), Some(b)) => {
            format!("a legal move that says which {name} goes to {to} ({a} or {b})")
        }
        (None, _) if needs_promotion(position, wish) => {
            format!("a legal move with the piece to promote to, such as {to}=Q")
        }
        (None, _) => format!("a legal move (no {name} can go to {to} like that)"),
    };
    Err(TextError::new(0, expected, quote(text)))
}

fn needs_promotion(position: &Position, wish: &Wish) -> bool {
    wish.piece == Piece::Pawn
        && wish.promotion.is_none()
        && wish.to.rank() == Rank::Eighth.relative_to(position.color())
}

fn name_of(piece: Piece) -> &'static str {
    match piece {
        Piece::Pawn => "pawn",
        Piece::Knight => "knight",
        Piece::Bishop => "bishop",
        Piece::Rook => "rook",
        Piece::Queen => "queen",
        Piece::King => "king",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{fen, uci};

    fn check(position: &str, uci_text: &str, san_text: &str) {
        let p = fen::parse(position).unwrap();
        let mv = uci::parse(&p, uci_text).unwrap();
        assert_eq!(write(&p, mv), san_text, "{uci_text} in {position}");
        assert_eq!(parse(&p, san_text), Ok(mv), "{san_text} in {position}");
    }

    #[test]
    fn two_pieces_are_told_apart_by_the_least_that_does() {
        check("4k3/8/8/8/8/8/4K3/N3N3 w - - 0 1", "a1c2", "Nac2");
        check("4k3/8/8/2N5/8/8/4K3/N7 w - - 0 1", "a1b3", "Nab3");
    }

    #[test]
    fn a_row_or_both_are_written_where_the_file_is_not_enough() {
        check("4k3/R7/8/8/8/8/4K3/R7 w - - 0 1", "a1a3", "R1a3");
        check("2k5/8/8/8/Q6Q/8/4K3/Q7 w - - 0 1", "a4d4", "Qa4d4");
    }

    #[test]
    fn a_pinned_rival_needs_no_telling_apart() {
        check("4k3/4r3/8/8/8/4N3/8/N3K3 w - - 0 1", "a1c2", "Nc2");
    }

    #[test]
    fn pawns_promotions_checks_and_castling_are_written_strictly() {
        check("3k4/6P1/8/8/8/8/8/4K3 w - - 0 1", "g7g8q", "g8=Q+");
        check("3k1r2/6P1/8/8/8/8/8/4K3 w - - 0 1", "g7f8n", "gxf8=N");
        check("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", "e5d6", "exd6");
        check("5k2/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", "O-O+");
        check("r3k3/8/8/8/8/8/8/4K3 b q - 0 1", "e8c8", "O-O-O");
        check("6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1", "a1a8", "Ra8#");
    }

    #[test]
    fn castling_of_chess960_needs_no_other_text() {
        check("1r3k1r/8/8/8/8/8/8/1R3K1R w KQkq - 0 1", "f1h1", "O-O+");
        check("1r3k1r/8/8/8/8/8/8/1R3K1R w KQkq - 0 1", "f1b1", "O-O-O");
        check("1r3k1r/8/8/8/8/8/8/1R3K1R w KQkq - 0 1", "f1g1", "Kg1");
    }

    #[test]
    fn kind_reading_understands_what_people_write() {
        let pawns = fen::parse("r3k2r/1P6/8/3pP3/8/5n2/3B2P1/R2K3R w kq d6 0 9").unwrap();
        let kings = fen::parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 9").unwrap();
        for (text, expected) in [
            ("gxf3+", "g2f3"),
            ("g2xf3", "g2f3"),
            ("gf3", "g2f3"),
            ("xf3", "g2f3"),
            ("g:f3!!", "g2f3"),
            ("exd6 e.p.", "e5d6"),
            ("exd6e.p.+", "e5d6"),
            ("e5xd6ep", "e5d6"),
            ("b8=Q+", "b7b8q"),
            ("b8Q", "b7b8q"),
            ("b8q", "b7b8q"),
            ("b8(Q)", "b7b8q"),
            ("bxa8=N", "b7a8n"),
            ("bxa8b", "b7a8b"),
            ("b7-b8=R", "b7b8r"),
            ("Ke1-e2", "e1e2"),
            ("♔e2", "e1e2"),
            ("Pe6", "e5e6"),
        ] {
            let p = if text.contains(['K', '♔']) { &kings } else { &pawns };
            let mv = parse(p, text).unwrap_or_else(|e| panic!("{text}: {e}"));
            assert_eq!(uci::write(p, mv, false), expected, "{text}");
        }
    }

    #[test]
    fn castling_is_read_in_every_spelling() {
        let p = fen::parse("r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1").unwrap();
        for text in ["O-O", "0-0", "o-o", "O-O!", "O-O+"] {
            assert_eq!(uci::write(&p, parse(&p, text).unwrap(), false), "e1g1");
        }
        assert_eq!(uci::write(&p, parse(&p, "0-0-0").unwrap(), false), "e1c1");
        assert!(parse(&p, "Kh1").is_err());
    }

    #[test]
    fn refusals_name_the_reason() {
        let p = Position::start();
        for (text, word) in [
            ("--", "null move"),
            ("Z0", "null move"),
            ("", "such as"),
            ("N", "such as"),
            ("Nf9", "such as"),
            ("Yf3", "such as"),
            ("Nf3=Q", "such as"),
            ("NNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNNf3", "such as"),
            ("e5", "no pawn can go to e5"),
            ("O-O-O", "not possible now"),
            ("e4é", "such as"),
        ] {
            let e = parse(&p, text).expect_err(text);
            assert!(e.expected.contains(word), "{text}: {e}");
        }
        let two = fen::parse("4k3/8/8/8/8/8/4K3/N3N3 w - - 0 1").unwrap();
        assert!(parse(&two, "Nc2").unwrap_err().expected.contains("a1 or e1"));
        let last = fen::parse("3k4/6P1/8/8/8/8/8/4K3 w - - 0 1").unwrap();
        assert!(parse(&last, "g8").unwrap_err().expected.contains("promote"));
    }
}
