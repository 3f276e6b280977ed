//! Where do the captures from a position lead? A plain quiescence search that keeps its line.
//!
//! The engine's own searches end in quiet leaves, so the learner needs this only for variations of
//! logs, which end at the nominal horizon (thesis 6.1, step 4), and to measure gradients by finite
//! differences. Plain on purpose: stand-pat, captures and promotions by victim and attacker, every
//! move out of check, alpha-beta.

use crate::position::Position;
use cozy_chess::{Board, Color, Move, Piece};

/// No deeper than this.
const DEEPEST: u32 = 24;
/// Positions after which a search is content with what it has.
const MOST: u32 = 4000;

/// What a quiescence search found.
#[derive(Clone, Debug)]
pub struct Quiet {
    /// The moves to the quiet position.
    pub line: Vec<Move>,
    /// The quiet position.
    pub leaf: Board,
    /// Its value, from White's view.
    pub value: f64,
    /// Did the line end in mate, so that no evaluation was asked?
    pub mate: bool,
}

/// What mate is worth here: more than any evaluation.
const MATE: f64 = 1e7;

/// Plays captures out from a position; `value` is an evaluation from White's view.
pub fn resolve(position: &Position, value: &mut dyn FnMut(&Board) -> f64) -> Quiet {
    let board = position.board().clone();
    let mut search = Search { value, nodes: 0 };
    let (found, line) = search.search(&board, -f64::INFINITY, f64::INFINITY, 0);
    let mut leaf = board.clone();
    for &mv in &line {
        leaf.play_unchecked(mv);
    }
    let white = if board.side_to_move() == Color::White { found } else { -found };
    Quiet { line, leaf, value: white, mate: found.abs() > MATE / 2.0 }
}

struct Search<'a> {
    value: &'a mut dyn FnMut(&Board) -> f64,
    nodes: u32,
}

impl Search<'_> {
    fn search(&mut self, board: &Board, mut alpha: f64, beta: f64, ply: u32) -> (f64, Vec<Move>) {
        self.nodes += 1;
        let in_check = !board.checkers().is_empty();
        let sign = if board.side_to_move() == Color::White { 1.0 } else { -1.0 };
        let (mut best, mut line) = (-f64::INFINITY, Vec::new());
        let exhausted = ply >= DEEPEST || self.nodes >= MOST;
        if !in_check || exhausted {
            best = sign * (self.value)(board);
            if best >= beta || exhausted {
                return (best, line);
            }
            alpha = alpha.max(best);
        }
        let mut moves = Vec::new();
        let them = board.colors(!board.side_to_move());
        board.generate_moves(|mut some| {
            if !in_check && some.piece != Piece::Pawn {
                some.to &= them;
            }
            moves.extend(some);
            false
        });
        if in_check && moves.is_empty() {
            return (f64::from(ply) - MATE, line);
        }
        if !in_check {
            moves.retain(|mv| is_lively(board, *mv));
        }
        moves.sort_by_key(|mv| order(board, *mv));
        for mv in moves {
            let mut next = board.clone();
            next.play_unchecked(mv);
            let (value, below) = self.search(&next, -beta, -alpha, ply + 1);
            if -value > best {
                best = -value;
                line.clear();
                line.push(mv);
                line.extend(below);
            }
            alpha = alpha.max(best);
            if alpha >= beta {
                break;
            }
        }
        (best, line)
    }
}

fn is_lively(board: &Board, mv: Move) -> bool {
    let captures = board.colors(!board.side_to_move()).has(mv.to);
    let pawn = board.piece_on(mv.from) == Some(Piece::Pawn);
    // A pawn that leaves its file without a man on the target captures en passant.
    captures || mv.promotion == Some(Piece::Queen) || pawn && mv.from.file() != mv.to.file()
}

/// The most valuable victim first, then the least valuable attacker; then by squares, so that the
/// order is always the same.
fn order(board: &Board, mv: Move) -> (i32, i32, u8, u8) {
    let victim = board.piece_on(mv.to).map_or(0, |p| p as i32 + 1);
    let promoted = if mv.promotion == Some(Piece::Queen) { 5 } else { 0 };
    let attacker = board.piece_on(mv.from).map_or(0, |p| p as i32);
    (-victim - promoted, attacker, mv.from as u8, mv.to as u8)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen;

    fn material(board: &Board) -> f64 {
        let worth = [100.0, 300.0, 300.0, 500.0, 900.0, 0.0];
        let of = |color| -> f64 {
            Piece::ALL
                .into_iter()
                .map(|p| worth[p as usize] * f64::from(board.colored_pieces(color, p).len()))
                .sum()
        };
        of(Color::White) - of(Color::Black)
    }

    fn found(text: &str) -> (f64, usize, bool) {
        let quiet = resolve(&fen::parse(text).unwrap(), &mut material);
        assert!(quiet.mate || quiet.value == material(&quiet.leaf));
        (quiet.value, quiet.line.len(), quiet.mate)
    }

    #[test]
    fn captures_are_played_out_and_bad_ones_left_alone() {
        assert_eq!(found("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1"), (500.0, 1, false));
        assert_eq!(found("4k3/8/4p3/3p4/8/8/8/3RK3 w - - 0 1"), (300.0, 0, false));
        // Taking back would not change the balance.
        assert_eq!(found("4k3/8/5n2/3n4/8/4N3/8/3RK3 w - - 0 1"), (500.0, 1, false));
        // En passant, and a promotion.
        assert_eq!(found("4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"), (100.0, 1, false));
        assert_eq!(found("8/4P3/8/8/8/7k/8/4K3 w - - 0 1"), (900.0, 1, false));
    }

    #[test]
    fn every_move_out_of_check_is_tried_and_mate_is_seen() {
        assert_eq!(found("4k3/8/8/8/8/8/4r3/4K2R w - - 0 1"), (500.0, 1, false));
        let (value, _, mate) = found("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1");
        assert!(mate && value > 1e6);
    }
}
