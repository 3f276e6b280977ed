//! Which openings are there? All of a length, those that differ by a symmetry once (S 3.3 of the
//! thesis), or random ones.

use crate::bits;
use crate::{Board, Move};
use std::collections::BTreeMap;
use zug_core::Rng;
use zug_core::seed::RngExt;

/// The longest openings that are enumerated: of 9 plies there are 434,029.
pub const MOST_PLIES: u32 = 9;

/// One way to each position after so many plies, in a fixed order; positions that differ by a
/// symmetry are one. A pass is a ply.
#[must_use]
pub fn all(plies: u32) -> Vec<Vec<Move>> {
    let mut level = BTreeMap::from([(Board::START.canonical(), (Board::START, Vec::new()))]);
    for _ in 0..plies {
        let mut next = BTreeMap::new();
        for (board, line) in level.into_values() {
            for mv in legal(board) {
                let after = board.after_move(mv);
                next.entry(after.canonical()).or_insert_with(|| {
                    let mut longer: Vec<Move> = line.clone();
                    longer.push(mv);
                    (after, longer)
                });
            }
        }
        level = next;
    }
    level.into_values().map(|(_, line)| line).collect()
}

/// A random opening: so many plies, each of the legal moves as likely as the others.
#[must_use]
pub fn random(plies: u32, rng: &mut Rng) -> Vec<Move> {
    let (mut board, mut line) = (Board::START, Vec::new());
    for _ in 0..plies {
        let moves = legal(board);
        if moves.is_empty() {
            break;
        }
        let mv = moves[rng.random_range(0..moves.len())];
        board = board.after_move(mv);
        line.push(mv);
    }
    line
}

/// The legal moves in the order of the squares, the pass where there is no other; none at the end.
#[must_use]
pub fn legal(board: Board) -> Vec<Move> {
    if board.moves() == 0 {
        return if board.replies() == 0 { Vec::new() } else { vec![Move::PASS] };
    }
    bits::each(board.moves()).map(|s| Move::to_square(s).expect("on the board")).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn openings_are_as_many_as_there_are_positions() {
        let counts: Vec<usize> = (0..8).map(|plies| all(plies).len()).collect();
        assert_eq!(counts, [1, 1, 3, 14, 60, 322, 1773, 10_649]);
    }

    #[test]
    fn openings_are_legal_and_different() {
        let mut seen = std::collections::BTreeSet::new();
        for line in all(4) {
            let mut board = Board::START;
            for mv in line {
                assert!(legal(board).contains(&mv));
                board = board.after_move(mv);
            }
            assert!(seen.insert(board.canonical()));
        }
        assert_eq!(seen.len(), 60);
    }

    #[test]
    fn random_openings_come_from_the_seed() {
        let mut rng = zug_core::rng(1, 2);
        let line = random(12, &mut rng);
        assert_eq!(line.len(), 12);
        assert_eq!(random(12, &mut zug_core::rng(1, 2)), line);
        assert_ne!(random(12, &mut zug_core::rng(1, 3)), line);
    }
}
