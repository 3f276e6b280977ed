//! Can a chain with two liberties be chased to its end?
//!
//! The attacker plays on one of the two liberties, the defender runs or takes a chain that has but
//! one liberty, and so on until the chain has three liberties (free) or none (caught). What is
//! not settled within a bound counts as free.

use crate::board::Board;
use crate::colour::Colour;
use crate::point::Point;
use zug_core::Side;

/// Reads ladders; keeps boards so that nothing is allocated.
#[derive(Default)]
pub struct Reader {
    boards: Vec<Board>,
    left: u32,
    /// Ladders that were given up.
    given_up: u64,
}

/// Moves that are tried before a ladder is given up.
const MOST_MOVES: u32 = 120;
/// How deep a chase goes.
const DEEPEST: usize = 60;

impl Reader {
    /// Is the chain of the stone at `target` caught when its attacker plays at `first`?
    pub fn catches(&mut self, board: &Board, target: Point, first: Point) -> bool {
        self.left = MOST_MOVES;
        let Some(owner) = board.at(target).side() else { return false };
        self.prepare(0, board);
        let caught = self.attack(0, target, first, owner);
        self.given_up += u64::from(self.left == 0);
        caught
    }

    /// Does the chain of the stone at `target`, which has one liberty, get away when it moves first?
    pub fn escapes(&mut self, board: &Board, target: Point) -> bool {
        self.left = MOST_MOVES;
        let Some(owner) = board.at(target).side() else { return false };
        self.prepare(0, board);
        let caught = self.is_caught_to_move(0, target, owner);
        self.given_up += u64::from(self.left == 0);
        !caught
    }

    /// How many ladders were too long to be read. What is said of them depends on which way was tried
    /// first, so mirror images may differ there.
    #[must_use]
    pub fn given_up(&self) -> u64 {
        self.given_up
    }

    fn prepare(&mut self, depth: usize, board: &Board) {
        match self.boards.get_mut(depth) {
            Some(own) if own.size() == board.size() => own.copy_from(board),
            Some(own) => *own = board.clone(),
            None => self.boards.push(board.clone()),
        }
    }

    /// A copy of the board at `depth`, one deeper.
    fn descend(&mut self, depth: usize) {
        if self.boards.len() == depth + 1 {
            let copy = self.boards[depth].clone();
            self.boards.push(copy);
            return;
        }
        let (above, below) = self.boards.split_at_mut(depth + 1);
        if below[0].size() == above[depth].size() {
            below[0].copy_from(&above[depth]);
        } else {
            below[0] = above[depth].clone();
        }
    }

    /// The attacker plays `at` on the board at `depth`.
    fn attack(&mut self, depth: usize, target: Point, at: Point, owner: Side) -> bool {
        if depth >= DEEPEST || self.left == 0 {
            return false;
        }
        self.left -= 1;
        let attacker = owner.other();
        if self.boards[depth].check(at, attacker, false).is_err() {
            return false;
        }
        self.descend(depth);
        let board = &mut self.boards[depth + 1];
        board.play(at, attacker);
        if board.at(target) == Colour::Empty {
            return true;
        }
        self.is_caught_to_move(depth + 1, target, owner)
    }

    /// The chain has one liberty and its owner is to move.
    fn is_caught_to_move(&mut self, depth: usize, target: Point, owner: Side) -> bool {
        let board = &self.boards[depth];
        let Some(run) = board.last_liberty(target) else { return false };
        // Taking one of the chasers: at most a few are looked at.
        let mut takes = [run; 4];
        let mut len = 1;
        for stone in board.chain_stones(target) {
            for q in stone.neighbours() {
                if board.at(q) == Colour::of(owner.other())
                    && let Some(p) = board.last_liberty(q)
                    && len < takes.len()
                    && !takes[..len].contains(&p)
                {
                    takes[len] = p;
                    len += 1;
                }
            }
        }
        for &mv in &takes[..len] {
            if self.left == 0 || depth >= DEEPEST {
                return false;
            }
            self.left -= 1;
            if self.boards[depth].check(mv, owner, false).is_err() {
                continue;
            }
            self.descend(depth);
            let board = &mut self.boards[depth + 1];
            board.play(mv, owner);
            let liberties = board.few_liberties(target);
            let caught = match liberties.1 {
                0 | 1 => true,
                2 => {
                    let [a, b] = liberties.0;
                    self.attack(depth + 1, target, a, owner)
                        || self.attack(depth + 1, target, b, owner)
                }
                _ => false,
            };
            if !caught {
                return false;
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Position;

    fn board(text: &str, size: usize) -> Board {
        Position::from_text(text, size).unwrap().board().clone()
    }

    #[test]
    fn a_ladder_runs_to_the_edge_and_a_stone_in_its_way_breaks_it() {
        // The white stone at C7 has the liberties D7 and C6; Black chases it from D7 or C6.
        let ladder = "9/2X6/1XO6/1X7/9/9/9/9/9 black";
        let mut reader = Reader::default();
        let (stone, right, below) = (Point::at(2, 2), Point::at(3, 2), Point::at(2, 3));
        let b = board(ladder, 9);
        assert_eq!(b.few_liberties(stone).1, 2);
        assert!(reader.catches(&b, stone, right));
        assert!(!reader.catches(&b, stone, below));
        let broken = board("9/2X6/1XO6/1X7/9/9/6O2/9/9 black", 9);
        assert!(!reader.catches(&broken, stone, right));
        assert!(!reader.catches(&broken, stone, below));
    }

    #[test]
    fn taking_a_chaser_is_a_way_out() {
        let b = board("9/2X6/1XOX5/1X7/9/9/9/9/9 white", 9);
        let mut reader = Reader::default();
        assert!(!reader.escapes(&b, Point::at(2, 2)));
        let b = board("9/2XO5/1XOX5/1X1O5/9/9/9/9/9 white", 9);
        assert!(reader.escapes(&b, Point::at(2, 2)));
    }
}
