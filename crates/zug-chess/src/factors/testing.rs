//! Positions for tests.

use cozy_chess::{Board, BoardBuilder, Color, Move, Square};
use zug_core::seed::RngExt;

/// A position after a random number of random moves, or one with few pieces.
pub fn random_board(seed: u64) -> Board {
    let mut rng = zug_core::rng(seed, 0);
    let mut board = Board::startpos();
    for _ in 0..rng.random_range(0..160) {
        let mut moves: Vec<Move> = Vec::new();
        board.generate_moves(|list| {
            moves.extend(list);
            false
        });
        if moves.is_empty() || board.halfmove_clock() >= 99 {
            break;
        }
        // Captures are preferred, so that endings occur.
        let captures: Vec<Move> = moves
            .iter()
            .copied()
            .filter(|mv| board.colors(!board.side_to_move()).has(mv.to))
            .collect();
        let from =
            if !captures.is_empty() && rng.random_range(0..2) == 0 { &captures } else { &moves };
        board.play_unchecked(from[rng.random_range(0..from.len())]);
    }
    board
}

/// The position with colours exchanged and rows mirrored.
pub fn turned(board: &Board) -> Board {
    let mut builder = BoardBuilder::empty();
    for square in Square::ALL {
        if let (Some(piece), Some(color)) = (board.piece_on(square), board.color_on(square)) {
            *builder.square_mut(square.flip_rank()) = Some((piece, !color));
        }
    }
    for color in Color::ALL {
        *builder.castle_rights_mut(!color) = *board.castle_rights(color);
    }
    builder.side_to_move = !board.side_to_move();
    builder.build().expect("a mirrored position is a position")
}
