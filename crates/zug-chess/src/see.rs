//! What does a capture win when both sides take back on that square for as long as it pays?
//!
//! The swap algorithm: the cheapest attacker takes first; pieces behind it join when it has left.
//! Pins are overlooked.

use crate::eval::parameters::EXCHANGE;
use crate::position::Position;
use cozy_chess::{
    BitBoard, Board, Color, Move, Piece, Rank, Square, get_bishop_moves, get_king_moves,
    get_knight_moves, get_pawn_attacks, get_rook_moves,
};

/// The material won (or lost, if negative) by a legal move, in hundredths of a pawn.
#[must_use]
pub fn exchange(position: &Position, mv: Move) -> i32 {
    let board = position.board();
    if position.is_castling(mv) {
        return 0;
    }
    let Some(mover) = board.piece_on(mv.from) else { return 0 };
    let mut occupied = board.occupied() - mv.from.bitboard();
    let mut color = board.side_to_move();
    let mut gain = [0; 32];
    gain[0] = board.piece_on(mv.to).map_or(0, worth);
    if position.is_en_passant(mv) {
        gain[0] = worth(Piece::Pawn);
        occupied -= Square::new(mv.to.file(), Rank::Fifth.relative_to(color)).bitboard();
    }
    let mut victim = worth(mover);
    if let Some(piece) = mv.promotion {
        gain[0] += worth(piece) - worth(Piece::Pawn);
        victim = worth(piece);
    }
    let mut attackers = attackers(board, mv.to, occupied);
    let mut depth = 0;
    loop {
        color = !color;
        attackers &= occupied;
        let Some((piece, from)) = cheapest(board, attackers, color) else { break };
        let others = attackers & board.colors(!color);
        if piece == Piece::King && !others.is_empty() {
            break;
        }
        depth += 1;
        gain[depth] = victim - gain[depth - 1];
        // Neither side can do better from here on.
        if gain[depth].max(-gain[depth - 1]) < 0 || depth == gain.len() - 1 {
            break;
        }
        victim = worth(piece);
        occupied -= from.bitboard();
        attackers |= sliders(board, mv.to, occupied);
    }
    while depth > 0 {
        gain[depth - 1] = -gain[depth].max(-gain[depth - 1]);
        depth -= 1;
    }
    gain[0]
}

/// Does the capture at least not lose anything? Quicker than [`exchange`], since taking something
/// dearer is never wrong.
#[must_use]
pub fn is_sound(position: &Position, mv: Move) -> bool {
    let board = position.board();
    let of = |square| board.piece_on(square).map_or(0, worth);
    (mv.promotion.is_none() && of(mv.to) >= of(mv.from)) || exchange(position, mv) >= 0
}

/// Does a legal move win at least so much by exchange? The same as comparing with [`exchange`], but
/// it ends as soon as the answer is known.
#[must_use]
pub fn at_least(board: &Board, mv: Move, threshold: i32) -> bool {
    let us = board.side_to_move();
    if board.colors(us).has(mv.to) {
        // Castling.
        return threshold <= 0;
    }
    let Some(mover) = board.piece_on(mv.from) else { return threshold <= 0 };
    let mut occupied = board.occupied() - mv.from.bitboard() - mv.to.bitboard();
    let mut gain = board.piece_on(mv.to).map_or(0, worth);
    if mover == Piece::Pawn && gain == 0 && mv.from.file() != mv.to.file() {
        gain = worth(Piece::Pawn);
        occupied -= Square::new(mv.to.file(), Rank::Fifth.relative_to(us)).bitboard();
    }
    let mut standing = worth(mover);
    if let Some(piece) = mv.promotion {
        gain += worth(piece) - worth(Piece::Pawn);
        standing = worth(piece);
    }
    // What we have beyond the threshold if nothing takes back, and if something does.
    let mut balance = gain - threshold;
    if balance < 0 {
        return false;
    }
    balance -= standing;
    if balance >= 0 {
        return true;
    }
    let mut attackers = attackers(board, mv.to, occupied);
    let mut color = us;
    loop {
        color = !color;
        attackers &= occupied;
        let Some((piece, from)) = cheapest(board, attackers, color) else { break };
        if piece == Piece::King && !(attackers & board.colors(!color)).is_empty() {
            // It may not take what is guarded.
            break;
        }
        balance = -balance - 1 - worth(piece);
        occupied -= from.bitboard();
        if balance >= 0 {
            // Even if this one is lost too, its side has enough. The other cannot take on.
            color = !color;
            break;
        }
        if piece != Piece::Knight && piece != Piece::King {
            attackers |= sliders(board, mv.to, occupied);
        }
    }
    // Who cannot go on has lost the argument.
    color != us
}

fn worth(piece: Piece) -> i32 {
    EXCHANGE[piece as usize]
}

fn cheapest(board: &Board, attackers: BitBoard, color: Color) -> Option<(Piece, Square)> {
    let own = attackers & board.colors(color);
    if own.is_empty() {
        return None;
    }
    // `Piece::ALL` goes from pawn to king.
    Piece::ALL.into_iter().find_map(|p| Some((p, (own & board.pieces(p)).next_square()?)))
}

fn attackers(board: &Board, to: Square, occupied: BitBoard) -> BitBoard {
    let pawns =
        |color: Color| get_pawn_attacks(to, !color) & board.colored_pieces(color, Piece::Pawn);
    pawns(Color::White)
        | pawns(Color::Black)
        | get_knight_moves(to) & board.pieces(Piece::Knight)
        | get_king_moves(to) & board.pieces(Piece::King)
        | sliders(board, to, occupied)
}

fn sliders(board: &Board, to: Square, occupied: BitBoard) -> BitBoard {
    let queens = board.pieces(Piece::Queen);
    get_bishop_moves(to, occupied) & (board.pieces(Piece::Bishop) | queens)
        | get_rook_moves(to, occupied) & (board.pieces(Piece::Rook) | queens)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{fen, uci};

    fn check(position: &str, mv: &str, expected: i32) {
        let p = fen::parse(position).unwrap();
        let mv = uci::parse(&p, mv).unwrap();
        assert_eq!(exchange(&p, mv), expected, "{position}");
        assert_eq!(is_sound(&p, mv), expected >= 0, "{position}");
        for threshold in expected - 120..=expected + 120 {
            assert_eq!(at_least(p.board(), mv, threshold), expected >= threshold, "{position}");
        }
    }

    #[test]
    fn exchanges_count_as_worked_out_by_hand() {
        // Nothing takes back.
        check("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100);
        // Pawn guards pawn.
        check("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1", "d1d5", 100 - 500);
        // Rook behind rook takes back, but the pawn has won the first.
        check("4k3/8/4p3/3p4/8/8/3R4/3RK3 w - - 0 1", "d2d5", 100 - 500 + 100);
        // Knight takes pawn, knight takes back.
        check("4k3/8/5n2/3p4/8/4N3/8/4K3 w - - 0 1", "e3d5", 100 - 320);
        // The same with a bishop looking through the queen: taking back is refused.
        check("4k3/8/5q2/3p4/8/4N3/8/B3K3 w - - 0 1", "e3d5", 100);
        // En passant, and a pawn takes back.
        check("4k3/2p5/8/3pP3/8/8/8/4K3 w - d6 0 1", "e5d6", 0);
        // Promotion that is taken at once, and one that is not.
        check("3rk3/4P3/8/8/8/8/8/4K3 w - - 0 1", "e7d8q", 500 + 850 - 950);
        check("8/4P3/8/k7/8/8/8/4K3 w - - 0 1", "e7e8q", 850);
        // A king may not take what is guarded.
        check("8/8/8/3k4/4p3/8/4R3/4RK2 w - - 0 1", "e2e4", 100);
        // Quiet moves can lose the piece too.
        check("4k3/8/4p3/8/8/8/8/3RK3 w - - 0 1", "d1d5", -500);
        check("4k3/8/8/8/8/8/8/4K2R w K - 0 1", "e1g1", 0);
    }
}
