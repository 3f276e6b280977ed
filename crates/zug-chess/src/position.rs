//! What is on the board, whose turn it is, and what else the rules must remember.
//!
//! The board itself (pieces, castling rights, checks, pins, legal moves) is that of the crate
//! `cozy-chess`. Two things are added. The clock of the fifty-move rule does not stop at 100, since
//! records of played games go beyond it. And a square on which nothing can be captured *en passant*
//! does not count: two positions that allow the same moves are the same position.

use crate::fen;
use cozy_chess::{BitBoard, Board, Color, Move, Piece, Rank, Square, get_pawn_attacks};
use std::fmt;
use std::hash::{Hash, Hasher};
use zug_core::Side;

/// A position of chess.
#[derive(Clone)]
pub struct Position {
    board: Board,
    clock: u16,
}

/// Plies without a capture or pawn move after which the game is drawn.
pub(crate) const FIFTY_MOVES: u16 = 100;

/// The squares of the colour of a1.
pub(crate) const DARK_SQUARES: BitBoard = BitBoard(0xAA55_AA55_AA55_AA55);

impl Position {
    /// The usual start position.
    #[must_use]
    pub fn start() -> Position {
        Position::from(Board::startpos())
    }

    /// A start position of Chess960 by its number, 0 to 959 (518 is the usual one).
    #[must_use]
    pub fn chess960(number: u32) -> Option<Position> {
        (number < 960).then(|| Position::from(Board::chess960_startpos(number)))
    }

    /// A board with clocks of its own; move 0, which some programs write, counts as 1.
    #[must_use]
    pub fn with_clocks(mut board: Board, clock: u16, move_number: u16) -> Position {
        board.set_halfmove_clock(clock.min(100) as u8);
        board.set_fullmove_number(move_number.max(1));
        Position { board, clock }
    }

    /// The board.
    #[must_use]
    pub fn board(&self) -> &Board {
        &self.board
    }

    /// Plies since the last capture or pawn move.
    #[must_use]
    pub fn clock(&self) -> u16 {
        self.clock
    }

    /// The number of the move, counted from 1 and up after each move of Black.
    #[must_use]
    pub fn move_number(&self) -> u16 {
        self.board.fullmove_number()
    }

    /// The colour to move.
    #[must_use]
    pub fn color(&self) -> Color {
        self.board.side_to_move()
    }

    /// Is the side to move in check?
    #[must_use]
    pub fn in_check(&self) -> bool {
        !self.board.checkers().is_empty()
    }

    /// Is there a legal move? (Draw rules do not count here.)
    #[must_use]
    pub fn has_moves(&self) -> bool {
        self.board.generate_moves(|_| true)
    }

    /// Plays a legal move.
    pub fn play(&mut self, mv: Move) {
        // Pawn moves and captures set the board's own clock to 0; every other move advances it,
        // up to 100.
        self.board.play_unchecked(mv);
        self.clock =
            if self.board.halfmove_clock() == 0 { 0 } else { self.clock.saturating_add(1) };
    }

    /// The square on which a pawn can be captured *en passant*, if there is a legal capture.
    #[must_use]
    pub fn en_passant(&self) -> Option<Square> {
        let file = self.board.en_passant()?;
        let color = self.color();
        let target = Square::new(file, Rank::Sixth.relative_to(color));
        let pawns =
            get_pawn_attacks(target, !color) & self.board.colored_pieces(color, Piece::Pawn);
        pawns
            .iter()
            .any(|from| self.board.is_legal(Move { from, to: target, promotion: None }))
            .then_some(target)
    }

    /// A 64-bit key of pieces, side to move, castling rights and a possible *en passant* capture:
    /// what the repetition rule compares. The clocks do not count, but for the point where the
    /// fifty-move rule takes the moves away: positions with the same key have the same moves.
    #[must_use]
    pub fn key(&self) -> u64 {
        let key = if self.board.en_passant().is_none() || self.en_passant().is_some() {
            self.board.hash()
        } else {
            self.board.hash_without_ep()
        };
        if self.clock >= FIFTY_MOVES { !key } else { key }
    }

    /// Can neither side mate any more, by any play: bare kings, one knight or bishop beside them,
    /// or bishops on squares of one colour only?
    #[must_use]
    pub fn is_dead(&self) -> bool {
        is_dead(&self.board)
    }

    /// The position with the turn handed over; `None` in check. The clock starts anew, since no
    /// position can come back across a turn that was never taken.
    #[must_use]
    pub fn pass(&self) -> Option<Position> {
        self.board.null_move().map(|board| Position { board, clock: 0 })
    }

    /// The same with clocks as at the start of a game.
    #[must_use]
    pub fn without_clocks(self) -> Position {
        Position::with_clocks(self.board, 0, 1)
    }

    /// Is this a castling move, king takes rook, in this position?
    #[must_use]
    pub fn is_castling(&self, mv: Move) -> bool {
        self.board.colors(self.color()).has(mv.to) && self.board.king(self.color()) == mv.from
    }

    /// Does this move capture something?
    #[must_use]
    pub fn is_capture(&self, mv: Move) -> bool {
        self.board.colors(!self.color()).has(mv.to) || self.is_en_passant(mv)
    }

    /// Is this an *en passant* capture?
    #[must_use]
    pub fn is_en_passant(&self, mv: Move) -> bool {
        self.board.en_passant() == Some(mv.to.file())
            && mv.from.file() != mv.to.file()
            && mv.to.rank() == Rank::Sixth.relative_to(self.color())
            && self.board.pieces(Piece::Pawn).has(mv.from)
    }
}

/// The same of a bare board.
pub(crate) fn is_dead(board: &Board) -> bool {
    let pieces = |p| board.pieces(p);
    let heavy = pieces(Piece::Pawn) | pieces(Piece::Rook) | pieces(Piece::Queen);
    if !heavy.is_empty() {
        return false;
    }
    let (knights, bishops) = (pieces(Piece::Knight), pieces(Piece::Bishop));
    if knights.is_empty() {
        return (bishops & DARK_SQUARES).is_empty() || (bishops - DARK_SQUARES).is_empty();
    }
    bishops.is_empty() && knights.len() == 1
}

/// The side of a colour: White moves first.
#[must_use]
pub const fn side_of(color: Color) -> Side {
    match color {
        Color::White => Side::First,
        Color::Black => Side::Second,
    }
}

impl From<Board> for Position {
    fn from(board: Board) -> Position {
        let clock = u16::from(board.halfmove_clock());
        Position { board, clock }
    }
}

/// Not by `Board::same_position`, which also counts an *en passant* square that some other piece
/// than a pawn can go to.
impl PartialEq for Position {
    fn eq(&self, other: &Position) -> bool {
        let (a, b) = (&self.board, &other.board);
        let rights = |board: &Board| Color::ALL.map(|color| *board.castle_rights(color));
        self.clock == other.clock
            && a.fullmove_number() == b.fullmove_number()
            && a.side_to_move() == b.side_to_move()
            && a.hash_without_ep() == b.hash_without_ep()
            && Color::ALL.into_iter().all(|color| a.colors(color) == b.colors(color))
            && Piece::ALL.into_iter().all(|piece| a.pieces(piece) == b.pieces(piece))
            && rights(a) == rights(b)
            && self.en_passant() == other.en_passant()
    }
}

impl Eq for Position {}

impl Hash for Position {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.board.hash_without_ep());
        state.write_u16(self.clock);
        state.write_u16(self.move_number());
    }
}

impl fmt::Debug for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&fen::write(self))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Position {
        fen::parse(text).unwrap()
    }

    #[test]
    fn an_en_passant_square_counts_only_where_a_capture_is_legal() {
        let written = read("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1");
        let silent = read("rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1");
        assert_eq!(written, silent);
        assert_eq!(written.key(), silent.key());

        let capturable = read("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1");
        let not = read("4k3/8/8/8/3pP3/8/8/4K3 b - - 0 1");
        assert_ne!(capturable, not);
        assert_ne!(capturable.key(), not.key());

        // A bishop can go to f6, but not capture en passant.
        let beside = read("4k3/8/8/4Bp2/8/8/8/4K3 w - f6 0 1");
        assert_eq!(beside, read("4k3/8/8/4Bp2/8/8/8/4K3 w - - 0 1"));

        // The capture would open the fourth row to the rook.
        let pinned = read("8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1");
        assert_eq!(pinned.en_passant(), None);
        assert_eq!(pinned.key(), read("8/8/8/8/k2pP2R/8/8/4K3 b - - 0 1").key());
    }

    #[test]
    fn material_that_cannot_mate_is_dead() {
        for (text, dead) in [
            ("8/8/4k3/8/8/3K4/8/8 w - - 0 1", true),
            ("8/8/4k3/8/8/3K1B2/8/8 w - - 0 1", true),
            ("8/8/4k3/5n2/8/3K4/8/8 w - - 0 1", true),
            ("8/8/4k3/5b2/8/3K1B2/8/8 w - - 0 1", true), // f5 and f3: both light
            ("8/8/4kb2/8/8/3K1B2/8/8 w - - 0 1", false),
            ("8/8/4k3/5n2/8/3K1B2/8/8 w - - 0 1", false),
            ("8/8/4k3/8/8/3KNN2/8/8 w - - 0 1", false),
            ("8/8/4k3/8/8/3K2P1/8/8 w - - 0 1", false),
            ("8/8/4k3/8/8/3K2R1/8/8 w - - 0 1", false),
        ] {
            assert_eq!(read(text).is_dead(), dead, "{text}");
        }
    }

    #[test]
    fn the_clock_goes_beyond_a_hundred_and_falls_back_to_zero() {
        let mut p = read("8/8/4k3/8/8/3K2R1/7P/8 w - - 99 80");
        for (text, clock) in [("g3g4", 100), ("e6e7", 101), ("h2h3", 0), ("e7e6", 1)] {
            p.play(crate::uci::parse(&p, text).unwrap());
            assert_eq!(p.clock(), clock);
        }
    }
}
