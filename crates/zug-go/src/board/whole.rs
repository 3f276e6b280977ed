//! Boards as wholes: made from stones, compared, shown.

use super::{Board, Cell, ZOBRIST};
use crate::colour::{Colour, letter};
use crate::point::Point;
use std::hash::{Hash, Hasher};
use zug_core::Side;

impl Board {
    /// A board with these stones, if every chain has a liberty; the error is a stone that has none.
    pub fn with_stones(
        size: usize,
        stones: impl IntoIterator<Item = (Point, Side)>,
    ) -> Result<Board, Point> {
        let mut board = Board::new(size);
        let mut placed = Vec::new();
        for (p, side) in stones {
            if board.at(p) != Colour::Empty {
                return Err(p);
            }
            // Stones go down without capturing; whether all can breathe is asked at the end.
            board.put(p, side);
            for q in p.neighbours() {
                let Cell { colour, head, .. } = board.cells[q.index()];
                if let Some(owner) = colour.side() {
                    board.cells[usize::from(head)].liberties -= 1;
                    if owner == side {
                        board.join(p, q);
                    }
                }
            }
            placed.push(p);
        }
        match placed.into_iter().find(|&p| board.cells[usize::from(board.chain(p))].liberties == 0)
        {
            Some(stone) => Err(stone),
            None => Ok(board),
        }
    }

    /// Becomes like another board of the same size, without asking for memory.
    pub(crate) fn copy_from(&mut self, other: &Board) {
        debug_assert_eq!(self.size, other.size);
        self.cells.copy_from_slice(&other.cells);
        self.empty.clear();
        self.empty.extend_from_slice(&other.empty);
        self.key = other.key;
        self.ko = other.ko;
        self.captures = other.captures;
        self.stone_difference = other.stone_difference;
    }

    pub(crate) fn set_captures(&mut self, captures: [u16; 2]) {
        self.captures = captures;
    }

    /// Sets the ko, if a ko can have been taken so that `side` may not retake at `p`.
    pub(crate) fn set_ko(&mut self, p: Point, side: Side) -> bool {
        if self.at(p) != Colour::Empty || self.around(p, side.other()) != 4 {
            return false;
        }
        let mut after = self.clone();
        if after.play(p, side) == 1 && after.ko().is_some() {
            self.ko = p;
            return true;
        }
        false
    }

    /// The key computed anew from the stones.
    #[must_use]
    pub fn key_from_stones(&self) -> u64 {
        self.points().fold(0, |key, p| match self.at(p).side() {
            Some(side) => key ^ ZOBRIST[p.index()][side.index()],
            None => key,
        })
    }
}

impl PartialEq for Board {
    fn eq(&self, other: &Board) -> bool {
        self.key == other.key
            && self.size == other.size
            && self.ko == other.ko
            && self.captures == other.captures
            && self.cells.iter().zip(&other.cells).all(|(a, b)| a.colour == b.colour)
    }
}

impl Eq for Board {}

impl Hash for Board {
    fn hash<H: Hasher>(&self, state: &mut H) {
        state.write_u64(self.key);
        state.write_u16(self.ko.0);
        state.write_u8(self.size);
        self.captures.hash(state);
    }
}

impl std::fmt::Debug for Board {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let size = self.size();
        let rows: Vec<String> = (0..size)
            .map(|y| (0..size).map(|x| letter(self.at(Point::at(x, y)))).collect())
            .collect();
        write!(f, "{} ko={:?} captures={:?}", rows.join("/"), self.ko(), self.captures)
    }
}
