//! A board whose moves are made and taken back, on any way to find attacks.
//!
//! It is there to hold one way against another, so it takes the straight road: moves that may
//! leave the king in check are made, looked at, and taken back.

use super::Sliders;
use crate::position::Position;
use cozy_chess::{
    BitBoard, Color, File, Move, Piece, Rank, Square, get_king_moves, get_knight_moves,
    get_pawn_attacks,
};

/// A position for counting.
#[derive(Clone, Debug)]
pub struct Plain<S> {
    pieces: [BitBoard; 6],
    colors: [BitBoard; 2],
    sliders: S,
    side: Color,
    /// The rooks with which a colour may still castle: to the king's side, to the queen's side.
    rooks: [[Option<Square>; 2]; 2],
    en_passant: Option<Square>,
}

/// What a move cannot be taken back without.
#[derive(Clone, Copy)]
struct Undo {
    captured: Option<(Piece, Square)>,
    moved: Piece,
    rooks: [[Option<Square>; 2]; 2],
    en_passant: Option<Square>,
    castled: Option<(Square, Square, Square)>,
}

impl<S: Sliders> Plain<S> {
    /// The same position.
    #[must_use]
    pub fn new(position: &Position) -> Plain<S> {
        let board = position.board();
        let mut sliders = S::default();
        for square in board.occupied() {
            sliders.toggle(square);
        }
        let rooks = Color::ALL.map(|color| {
            let (rights, row) = (board.castle_rights(color), Rank::First.relative_to(color));
            [rights.short, rights.long].map(|file| file.map(|file| Square::new(file, row)))
        });
        Plain {
            pieces: Piece::ALL.map(|piece| board.pieces(piece)),
            colors: Color::ALL.map(|color| board.colors(color)),
            sliders,
            side: board.side_to_move(),
            rooks,
            en_passant: position.en_passant(),
        }
    }

    /// Counts the legal move sequences of `depth` plies.
    pub fn perft(&mut self, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut moves = Vec::with_capacity(64);
        self.moves(&mut moves);
        let mut leaves = 0;
        for mv in moves {
            let undo = self.play(mv);
            if !self.attacked(self.king(!self.side), self.side) {
                leaves += self.perft(depth - 1);
            }
            self.take_back(mv, undo);
        }
        leaves
    }

    fn of(&self, color: Color, piece: Piece) -> BitBoard {
        self.pieces[piece as usize] & self.colors[color as usize]
    }

    fn king(&self, color: Color) -> Square {
        self.of(color, Piece::King).next_square().expect("each side has a king")
    }

    fn occupied(&self) -> BitBoard {
        self.colors[0] | self.colors[1]
    }

    /// Does a colour attack this square?
    fn attacked(&self, square: Square, by: Color) -> bool {
        let queens = self.of(by, Piece::Queen);
        let lines = self.of(by, Piece::Rook) | queens;
        let diagonals = self.of(by, Piece::Bishop) | queens;
        let near = (get_knight_moves(square) & self.of(by, Piece::Knight))
            | (get_king_moves(square) & self.of(by, Piece::King))
            | (get_pawn_attacks(square, !by) & self.of(by, Piece::Pawn));
        !(near.is_empty()
            && (self.sliders.rook(square) & lines).is_empty()
            && (self.sliders.bishop(square) & diagonals).is_empty())
    }

    /// All moves that the pieces can make, also those that leave the king in check.
    fn moves(&self, out: &mut Vec<Move>) {
        let own = self.colors[self.side as usize];
        for piece in Piece::ALL {
            for from in self.of(self.side, piece) {
                let to = match piece {
                    Piece::Pawn => {
                        self.pawn_moves(from, out);
                        continue;
                    }
                    Piece::Knight => get_knight_moves(from),
                    Piece::Bishop => self.sliders.bishop(from),
                    Piece::Rook => self.sliders.rook(from),
                    Piece::Queen => self.sliders.bishop(from) | self.sliders.rook(from),
                    Piece::King => get_king_moves(from),
                };
                out.extend((to - own).iter().map(|to| Move { from, to, promotion: None }));
            }
        }
        self.castling(out);
    }

    fn pawn_moves(&self, from: Square, out: &mut Vec<Move>) {
        let (occupied, forward) = (self.occupied(), if self.side == Color::White { 1 } else { -1 });
        let mut targets = self.colors[!self.side as usize];
        targets |= self.en_passant.map_or(BitBoard::EMPTY, Square::bitboard);
        let mut to = get_pawn_attacks(from, self.side) & targets;
        if let Some(one) = from.try_offset(0, forward).filter(|&s| !occupied.has(s)) {
            to |= one.bitboard();
            let home = from.rank() == Rank::Second.relative_to(self.side);
            let two = one.try_offset(0, forward).filter(|&s| home && !occupied.has(s));
            to |= two.map_or(BitBoard::EMPTY, Square::bitboard);
        }
        for to in to {
            if to.rank() == Rank::Eighth.relative_to(self.side) {
                for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
                    out.push(Move { from, to, promotion: Some(piece) });
                }
            } else {
                out.push(Move { from, to, promotion: None });
            }
        }
    }

    /// Where king and rook go; also in Chess960.
    fn castled(&self, long: bool) -> (Square, Square) {
        let row = Rank::First.relative_to(self.side);
        let (king, rook) = if long { (File::C, File::D) } else { (File::G, File::F) };
        (Square::new(king, row), Square::new(rook, row))
    }

    fn castling(&self, out: &mut Vec<Move>) {
        let king = self.king(self.side);
        for (i, rook) in self.rooks[self.side as usize].into_iter().enumerate() {
            let Some(rook) = rook else { continue };
            let (king_to, rook_to) = self.castled(i == 1);
            let path = |a, b| cozy_chess::get_between_rays(a, b) | Square::bitboard(b);
            let way =
                (path(king, king_to) | path(rook, rook_to)) - king.bitboard() - rook.bitboard();
            let walk = path(king, king_to) | king.bitboard();
            let free = (way & self.occupied()).is_empty();
            if free && walk.iter().all(|square| !self.attacked(square, !self.side)) {
                out.push(Move { from: king, to: rook, promotion: None });
            }
        }
    }

    fn toggle(&mut self, color: Color, piece: Piece, square: Square) {
        self.pieces[piece as usize] ^= square.bitboard();
        self.colors[color as usize] ^= square.bitboard();
        self.sliders.toggle(square);
    }

    fn piece_on(&self, square: Square) -> Option<Piece> {
        Piece::ALL.into_iter().find(|&piece| self.pieces[piece as usize].has(square))
    }

    fn play(&mut self, mv: Move) -> Undo {
        let us = self.side;
        let moved = self.piece_on(mv.from).expect("a piece that can move");
        let mut undo = Undo {
            captured: None,
            moved,
            rooks: self.rooks,
            en_passant: self.en_passant,
            castled: None,
        };
        if self.colors[us as usize].has(mv.to) {
            let long = self.rooks[us as usize][1] == Some(mv.to);
            let (king_to, rook_to) = self.castled(long);
            undo.castled = Some((mv.to, king_to, rook_to));
            self.toggle(us, Piece::King, mv.from);
            self.toggle(us, Piece::Rook, mv.to);
            self.toggle(us, Piece::King, king_to);
            self.toggle(us, Piece::Rook, rook_to);
        } else {
            let passing = moved == Piece::Pawn && self.en_passant == Some(mv.to);
            let victim = if passing { Square::new(mv.to.file(), mv.from.rank()) } else { mv.to };
            undo.captured = self.piece_on(victim).map(|piece| (piece, victim));
            if let Some((piece, victim)) = undo.captured {
                self.toggle(!us, piece, victim);
            }
            self.toggle(us, moved, mv.from);
            self.toggle(us, mv.promotion.unwrap_or(moved), mv.to);
        }
        if moved == Piece::King {
            self.rooks[us as usize] = [None; 2];
        }
        for rook in self.rooks.iter_mut().flatten() {
            *rook = rook.filter(|&rook| rook != mv.from && rook != mv.to);
        }
        let double = moved == Piece::Pawn && (mv.from as i32 - mv.to as i32).abs() == 16;
        let passed = Square::new(mv.from.file(), Rank::Third.relative_to(us));
        self.en_passant = double.then_some(passed);
        self.side = !us;
        undo
    }

    fn take_back(&mut self, mv: Move, undo: Undo) {
        self.side = !self.side;
        let us = self.side;
        (self.rooks, self.en_passant) = (undo.rooks, undo.en_passant);
        if let Some((rook, king_to, rook_to)) = undo.castled {
            self.toggle(us, Piece::Rook, rook_to);
            self.toggle(us, Piece::King, king_to);
            self.toggle(us, Piece::Rook, rook);
            self.toggle(us, Piece::King, mv.from);
            return;
        }
        self.toggle(us, mv.promotion.unwrap_or(undo.moved), mv.to);
        self.toggle(us, undo.moved, mv.from);
        if let Some((piece, square)) = undo.captured {
            self.toggle(!us, piece, square);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::Rotated;
    use super::*;
    use crate::fen;

    #[test]
    fn a_move_taken_back_leaves_nothing_behind() {
        for text in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/8/8/8/k2pP2R/8/8/4K3 b - e3 0 1",
            "n1n5/PPPk4/8/8/8/8/4Kppp/5N1N b - - 0 1",
        ] {
            let before = Plain::<Rotated>::new(&fen::parse(text).unwrap());
            let mut board = before.clone();
            let mut moves = Vec::new();
            board.moves(&mut moves);
            assert!(!moves.is_empty());
            for mv in moves {
                let undo = board.play(mv);
                board.take_back(mv, undo);
                assert_eq!(format!("{board:?}"), format!("{before:?}"), "{mv} in {text}");
            }
        }
    }
}
