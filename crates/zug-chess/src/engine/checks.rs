//! Which moves give check? Told before they are played, for ordering and pruning.

use cozy_chess::{
    BitBoard, Board, Move, Piece, Square, get_between_rays, get_bishop_moves, get_bishop_rays,
    get_knight_moves, get_line_rays, get_pawn_attacks, get_rook_moves, get_rook_rays,
};

/// Where pieces would attack the enemy king, and what hides it from those behind.
pub(super) struct Checks {
    king: Square,
    squares: [BitBoard; 6],
    hiding: BitBoard,
}

impl Checks {
    pub fn of(board: &Board) -> Checks {
        let us = board.side_to_move();
        let king = board.king(!us);
        let occupied = board.occupied();
        let (straight, diagonal) =
            (get_rook_moves(king, occupied), get_bishop_moves(king, occupied));
        let mut squares = [BitBoard::EMPTY; 6];
        squares[Piece::Pawn as usize] = get_pawn_attacks(king, !us);
        squares[Piece::Knight as usize] = get_knight_moves(king);
        squares[Piece::Bishop as usize] = diagonal;
        squares[Piece::Rook as usize] = straight;
        squares[Piece::Queen as usize] = straight | diagonal;
        let queens = board.pieces(Piece::Queen);
        let far = board.colors(us)
            & (get_rook_rays(king) & (board.pieces(Piece::Rook) | queens)
                | get_bishop_rays(king) & (board.pieces(Piece::Bishop) | queens));
        let mut hiding = BitBoard::EMPTY;
        for square in far {
            let between = get_between_rays(square, king) & occupied;
            if between.len() == 1 {
                hiding |= between;
            }
        }
        Checks { king, squares, hiding: hiding & board.colors(us) }
    }

    /// Does this legal move give check? Castling and what an en passant capture uncovers are
    /// overlooked.
    pub fn gives(&self, board: &Board, mv: Move) -> bool {
        let piece = match mv.promotion {
            Some(piece) => Some(piece),
            None => board.piece_on(mv.from),
        };
        let direct = piece.is_some_and(|piece| self.squares[piece as usize].has(mv.to));
        direct || (self.hiding.has(mv.from) && !get_line_rays(self.king, mv.from).has(mv.to))
    }

    /// The squares from which a piece of this kind that stands on `from` gives check.
    pub fn targets(&self, piece: Piece, from: Square) -> BitBoard {
        let direct = self.squares[piece as usize];
        if self.hiding.has(from) { direct | !get_line_rays(self.king, from) } else { direct }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen;

    #[test]
    fn checks_are_foretold_as_they_come() {
        for text in [
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
            "4k3/8/8/4N3/8/8/4R3/4K3 w - - 0 1",
            "3k4/1P6/1N6/B7/3N4/8/3R4/4K3 w - - 0 1",
            "r3k3/8/8/8/8/8/6p1/R3K2B b - - 0 1",
        ] {
            let board = fen::parse(text).unwrap().board().clone();
            let checks = Checks::of(&board);
            board.generate_moves(|moves| {
                for mv in moves {
                    let mut child = board.clone();
                    child.play(mv);
                    let real = !child.checkers().is_empty();
                    assert_eq!(checks.gives(&board, mv), real, "{text} {mv}");
                    if mv.promotion.is_none() {
                        assert_eq!(checks.targets(moves.piece, mv.from).has(mv.to), real);
                    }
                }
                false
            });
        }
    }
}
