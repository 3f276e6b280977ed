//! Is a position quiet, so that its evaluation says what it is worth?
//!
//! A position is quiet if its side to move is not in check and no sequence of captures and
//! promotions gains anything over standing pat, by a given evaluation.

use crate::engine::Eye;
use cozy_chess::{Board, Move, Piece};

/// Captures in a row that are looked at.
const DEEPEST: u32 = 12;
/// Positions that one question may look at; what is wilder is not quiet.
const MOST: u32 = 2000;

/// Is this position quiet?
pub fn is_quiet(board: &Board, eye: &mut impl Eye) -> bool {
    if !board.checkers().is_empty() {
        return false;
    }
    let stand = eye.evaluate(board);
    let mut left = MOST;
    // Nothing gains a point: a window above the evaluation that nothing reaches.
    quiesce(board, stand, stand + 1, DEEPEST, &mut left, eye) <= stand && left > 0
}

/// The value of a position after captures, within a window; a lower bound above it.
fn quiesce(
    board: &Board,
    mut alpha: i32,
    beta: i32,
    depth: u32,
    left: &mut u32,
    eye: &mut impl Eye,
) -> i32 {
    let stand = eye.evaluate(board);
    if stand >= beta || depth == 0 || *left == 0 {
        return stand;
    }
    alpha = alpha.max(stand);
    let mut best = stand;
    for (_, mv) in captures(board) {
        *left = left.saturating_sub(1);
        let mut next = board.clone();
        next.play_unchecked(mv);
        let value = -quiesce(&next, -beta, -alpha, depth - 1, left, eye);
        best = best.max(value);
        alpha = alpha.max(value);
        if alpha >= beta {
            break;
        }
    }
    best
}

/// Captures and promotions to queens, the most valuable victims first.
fn captures(board: &Board) -> Vec<(i32, Move)> {
    let enemy = board.colors(!board.side_to_move());
    let mut found = Vec::new();
    board.generate_moves(|set| {
        let en_passant = match set.piece {
            Piece::Pawn => board.en_passant().map_or(cozy_chess::BitBoard::EMPTY, |file| {
                let rank = cozy_chess::Rank::Sixth.relative_to(board.side_to_move());
                cozy_chess::Square::new(file, rank).bitboard()
            }),
            _ => cozy_chess::BitBoard::EMPTY,
        };
        for mv in set {
            let victim = board.piece_on(mv.to).filter(|_| enemy.has(mv.to));
            let queens = mv.promotion == Some(Piece::Queen);
            let captures = mv.promotion.is_none() && (victim.is_some() || en_passant.has(mv.to));
            if queens || captures {
                let victim = victim.map_or(0, |v| v as i32 + 1) + 6 * i32::from(queens);
                found.push((8 * victim - set.piece as i32, mv));
            }
        }
        false
    });
    found.sort_by_key(|(value, mv)| (-value, mv.from as u8, mv.to as u8));
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::HandMade;

    fn quiet(text: &str) -> bool {
        is_quiet(crate::fen::parse(text).unwrap().board(), &mut HandMade)
    }

    #[test]
    fn hanging_men_checks_and_promotions_are_not_quiet() {
        assert!(quiet("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"));
        assert!(!quiet("4k3/8/8/3q4/4P3/8/8/4K3 w - - 0 1"), "a queen hangs");
        assert!(!quiet("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1"), "a pawn falls en passant");
        assert!(quiet("4k3/8/2p5/3p4/8/1B6/8/4K3 w - - 0 1"), "the pawn is guarded");
        assert!(!quiet("8/P6k/8/8/8/8/8/4K3 w - - 0 1"), "a pawn becomes a queen");
        assert!(!quiet("4k3/8/8/8/4r3/8/8/4K3 w - - 0 1"), "check");
    }
}
