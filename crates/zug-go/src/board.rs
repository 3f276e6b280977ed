//! Which stones lie where, which belong together, and what happens when another is put down?
//!
//! Stones of a chain are linked in a circle (`next`) and all know one of them, the head, whose cell
//! keeps what is counted for the whole chain. Liberties are counted once for each stone that
//! touches them (pseudo-liberties): adding and removing stones then changes plain counters, and a
//! chain is captured exactly when its counter is 0.
//!
//! Each cell also keeps how many of its four neighbours are empty, black and white, packed in one
//! number, with the border counted as both black and white: a point is surrounded by one colour
//! exactly when that colour's count is 4.

use crate::colour::{Colour, Illegal};
use crate::point::{CELLS, MAX_SIZE, MIN_SIZE, Point, STRIDE};
use zug_core::Side;
use zug_core::seed::mix;

mod whole;

/// Counts of neighbours, four bits each: empty, black or border, white or border.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Around(u16);

impl Around {
    const EMPTY: u16 = 1;
    const OF: [u16; 2] = [1 << 4, 1 << 8];

    const fn empty(self) -> u16 {
        self.0 & 15
    }
    const fn of(self, side: Side) -> u16 {
        self.0 >> (4 + 4 * side.index()) & 15
    }
    fn stone_comes(&mut self, side: Side) {
        self.0 = self.0.wrapping_add(Self::OF[side.index()]).wrapping_sub(Self::EMPTY);
    }
    fn stone_goes(&mut self, side: Side) {
        self.0 = self.0.wrapping_sub(Self::OF[side.index()]).wrapping_add(Self::EMPTY);
    }
}

#[derive(Clone, Copy)]
struct Cell {
    colour: Colour,
    around: Around,
    /// The head of the chain of the stone here.
    head: u16,
    /// The next stone of the chain.
    next: u16,
    /// Of the whole chain, kept at its head: pseudo-liberties.
    liberties: u16,
    /// Of the whole chain, kept at its head: stones.
    stones: u16,
    /// Where an empty point stands in the list of empty points.
    slot: u16,
}

/// No point: the number of a cell of the border.
const NOWHERE: Point = Point(0);

/// Stones, ko and captures. Has no side to move: see [`Position`](crate::Position).
///
/// Every chain on it has a liberty.
#[derive(Clone)]
pub struct Board {
    cells: Box<[Cell]>,
    empty: Vec<u16>,
    key: u64,
    ko: Point,
    size: u8,
    captures: [u16; 2],
    stone_difference: i32,
}

impl Board {
    /// An empty board. Sizes outside 2 to 19 are moved into that range.
    #[must_use]
    pub fn new(size: usize) -> Board {
        let size = size.clamp(MIN_SIZE, MAX_SIZE);
        let border = Cell {
            colour: Colour::Border,
            around: Around(0),
            head: 0,
            next: 0,
            liberties: 0,
            stones: 0,
            slot: 0,
        };
        let mut cells = vec![border; (size + 2) * STRIDE + 1].into_boxed_slice();
        let mut empty = Vec::with_capacity(size * size);
        for y in 0..size {
            for x in 0..size {
                let p = Point::at(x, y);
                let edges = [x == 0, x == size - 1, y == 0, y == size - 1];
                let edges = edges.iter().filter(|&&e| e).count() as u16;
                let cell = &mut cells[p.index()];
                cell.colour = Colour::Empty;
                cell.slot = empty.len() as u16;
                cell.around = Around(4 - edges + edges * (Around::OF[0] + Around::OF[1]));
                empty.push(p.0);
            }
        }
        Board {
            cells,
            empty,
            key: 0,
            ko: NOWHERE,
            size: size as u8,
            captures: [0; 2],
            stone_difference: 0,
        }
    }

    /// Points along an edge.
    #[must_use]
    pub fn size(&self) -> usize {
        usize::from(self.size)
    }

    /// All points, row by row from the top left.
    pub fn points(&self) -> impl DoubleEndedIterator<Item = Point> + use<> {
        let size = self.size();
        (0..size * size).map(move |i| Point::at(i % size, i / size))
    }

    /// What is on a point; [`Colour::Border`] beyond the board.
    #[inline]
    #[must_use]
    pub fn at(&self, p: Point) -> Colour {
        match self.cells.get(p.index()) {
            Some(cell) => cell.colour,
            None => Colour::Border,
        }
    }

    /// Is this a point of this board?
    #[must_use]
    pub fn contains(&self, p: Point) -> bool {
        self.at(p) != Colour::Border
    }

    /// The point that may not be taken back at once, after the capture of a ko.
    #[must_use]
    pub fn ko(&self) -> Option<Point> {
        (self.ko != NOWHERE).then_some(self.ko)
    }

    #[inline]
    pub(crate) fn is_ko(&self, p: Point) -> bool {
        p == self.ko
    }

    /// Stones that this side has captured.
    #[must_use]
    pub fn captures(&self, side: Side) -> usize {
        usize::from(self.captures[side.index()])
    }

    /// A key of the stones alone; 0 for the empty board.
    #[must_use]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// The empty points, in no particular order.
    pub fn empty_points(&self) -> impl ExactSizeIterator<Item = Point> {
        self.empty.iter().map(|&p| Point(p))
    }

    /// How many points are empty.
    #[must_use]
    pub fn empty_count(&self) -> usize {
        self.empty.len()
    }

    #[inline]
    pub(crate) fn empty_at(&self, slot: usize) -> Point {
        Point(self.empty[slot])
    }

    /// How many of a point's neighbours are empty.
    #[inline]
    pub(crate) fn empty_around(&self, p: Point) -> u16 {
        self.cells[p.index()].around.empty()
    }

    /// How many of a point's neighbours are this side's stones or border.
    #[inline]
    pub(crate) fn around(&self, p: Point, side: Side) -> u16 {
        self.cells[p.index()].around.of(side)
    }

    /// A number that names the chain of a stone; stones of the same chain have the same.
    #[inline]
    pub(crate) fn chain(&self, p: Point) -> u16 {
        self.cells[p.index()].head
    }

    /// The stones of a chain, given one of them. Nothing for an empty point.
    pub fn chain_stones(&self, p: Point) -> impl Iterator<Item = Point> + '_ {
        let begin = self.at(p).side().map(|_| p.0);
        let mut now = begin;
        std::iter::from_fn(move || {
            let here = now?;
            let next = self.cells[usize::from(here)].next;
            now = (Some(next) != begin).then_some(next);
            Some(Point(here))
        })
    }

    /// How many stones the chain of a stone has.
    #[must_use]
    pub fn chain_size(&self, p: Point) -> usize {
        match self.at(p).side() {
            Some(_) => usize::from(self.cells[usize::from(self.chain(p))].stones),
            None => 0,
        }
    }

    /// The liberties of the chain of a stone, each once, as far as `limit` of them.
    #[must_use]
    pub fn liberties(&self, p: Point, limit: usize) -> Vec<Point> {
        let mut found = Vec::new();
        for stone in self.chain_stones(p) {
            for q in stone.neighbours() {
                if self.cells[q.index()].colour == Colour::Empty && !found.contains(&q) {
                    if found.len() == limit {
                        return found;
                    }
                    found.push(q);
                }
            }
        }
        found
    }

    /// The last liberty of a stone's chain, if there is but one.
    #[must_use]
    pub fn last_liberty(&self, p: Point) -> Option<Point> {
        // One point touches at most four stones of a chain.
        if self.at(p).side().is_none() || self.cells[usize::from(self.chain(p))].liberties > 4 {
            return None;
        }
        let mut last = None;
        for stone in self.chain_stones(p) {
            for q in stone.neighbours() {
                if self.cells[q.index()].colour == Colour::Empty {
                    if last.is_some_and(|l| l != q) {
                        return None;
                    }
                    last = Some(q);
                }
            }
        }
        last
    }

    /// The liberties of a stone's chain: the first two, and how many there are, where 3 means three
    /// or more.
    pub(crate) fn few_liberties(&self, p: Point) -> ([Point; 2], usize) {
        let mut found = [NOWHERE; 2];
        let mut len = 0;
        for stone in self.chain_stones(p) {
            for q in stone.neighbours() {
                if self.cells[q.index()].colour == Colour::Empty && !found[..len].contains(&q) {
                    if len == 2 {
                        return (found, 3);
                    }
                    found[len] = q;
                    len += 1;
                }
            }
        }
        (found, len)
    }

    /// Black stones minus white stones.
    #[must_use]
    pub fn stone_difference(&self) -> i32 {
        self.stone_difference
    }

    /// Would a stone of `side` on the empty point `p` leave its chain without a liberty?
    #[inline]
    #[must_use]
    pub fn is_suicide(&self, p: Point, side: Side) -> bool {
        if self.cells[p.index()].around.empty() > 0 {
            return false;
        }
        let me = Colour::of(side);
        let [up, left, right, down] = p.neighbours();
        // Written out: a closure over the array is not inlined, and this is asked most of all.
        let neighbours = [
            self.cells[up.index()],
            self.cells[left.index()],
            self.cells[right.index()],
            self.cells[down.index()],
        ];
        for cell in neighbours {
            if cell.colour == Colour::Border {
                continue;
            }
            // The stone takes one pseudo-liberty from a chain for each of its stones it touches.
            let touching = neighbours
                .iter()
                .filter(|n| n.colour != Colour::Border && n.head == cell.head)
                .count() as u16;
            let left = self.cells[usize::from(cell.head)].liberties - touching;
            if (cell.colour == me) == (left > 0) {
                return false;
            }
        }
        true
    }

    /// May `side` put a stone here? With `suicide` a chain of at least two stones may take its own
    /// last liberty; a single stone may not, since that would leave the board as it was.
    pub fn check(&self, p: Point, side: Side, suicide: bool) -> Result<(), Illegal> {
        match self.at(p) {
            Colour::Border => return Err(Illegal::Outside),
            Colour::Empty => {}
            _ => return Err(Illegal::Occupied),
        }
        if p == self.ko {
            return Err(Illegal::Ko);
        }
        if self.is_suicide(p, side) && !(suicide && self.has_neighbour(p, side)) {
            return Err(Illegal::Suicide);
        }
        Ok(())
    }

    fn has_neighbour(&self, p: Point, side: Side) -> bool {
        p.neighbours().iter().any(|q| self.cells[q.index()].colour == Colour::of(side))
    }

    /// Puts a stone on an empty point and removes what has no liberty: the opponent's chains, then
    /// the stone's own. Returns how many of the opponent's stones were captured. Does nothing on
    /// a point that is not empty.
    #[inline]
    pub fn play(&mut self, p: Point, side: Side) -> usize {
        if self.at(p) != Colour::Empty {
            return 0;
        }
        let other = side.other();
        let in_ko_shape = self.around(p, other) == 4;
        self.ko = NOWHERE;
        self.put(p, side);
        let (mut captured, mut last) = (0, NOWHERE);
        for q in p.neighbours() {
            let Cell { colour, head, .. } = self.cells[q.index()];
            match colour.side() {
                None => {}
                Some(owner) => {
                    self.cells[usize::from(head)].liberties -= 1;
                    if owner == side {
                        self.join(p, q);
                    } else if self.cells[usize::from(head)].liberties == 0 {
                        captured += self.remove(q, other);
                        last = q;
                    }
                }
            }
        }
        self.count_captured(side, captured);
        if captured == 1 && in_ko_shape {
            self.ko = last;
        }
        if captured == 0 && self.cells[usize::from(self.chain(p))].liberties == 0 {
            let lost = self.remove(p, side);
            self.count_captured(other, lost);
        }
        captured
    }

    fn count_captured(&mut self, by: Side, stones: usize) {
        let captures = &mut self.captures[by.index()];
        *captures = captures.saturating_add(stones as u16);
    }

    /// Forgets the ko: the side to move passes.
    pub fn pass(&mut self) {
        self.ko = NOWHERE;
    }

    /// A stone as a chain of its own; the counters of its neighbours' chains are left alone.
    #[inline]
    fn put(&mut self, p: Point, side: Side) {
        let cell = &mut self.cells[p.index()];
        cell.colour = Colour::of(side);
        cell.head = p.0;
        cell.next = p.0;
        cell.stones = 1;
        cell.liberties = cell.around.empty();
        let slot = cell.slot;
        for q in p.neighbours() {
            self.cells[q.index()].around.stone_comes(side);
        }
        let last = self.empty.pop().expect("an empty point is in the list");
        if last != p.0 {
            self.empty[usize::from(slot)] = last;
            self.cells[usize::from(last)].slot = slot;
        }
        self.key ^= ZOBRIST[p.index()][side.index()];
        self.stone_difference += 1 - 2 * side.index() as i32;
    }

    /// Makes one chain of the chains of two stones.
    #[inline]
    fn join(&mut self, p: Point, q: Point) {
        let (mut large, mut small) = (self.chain(p), self.chain(q));
        if large == small {
            return;
        }
        if self.cells[usize::from(large)].stones < self.cells[usize::from(small)].stones {
            std::mem::swap(&mut large, &mut small);
        }
        let Cell { liberties, stones, .. } = self.cells[usize::from(small)];
        let head = &mut self.cells[usize::from(large)];
        head.liberties += liberties;
        head.stones += stones;
        let mut stone = small;
        loop {
            let cell = &mut self.cells[usize::from(stone)];
            cell.head = large;
            if cell.next == small {
                break;
            }
            stone = cell.next;
        }
        // Two circles become one when two links are exchanged.
        let after = self.cells[usize::from(large)].next;
        self.cells[usize::from(large)].next = small;
        self.cells[usize::from(stone)].next = after;
    }

    /// Takes a chain of `side` off the board.
    fn remove(&mut self, p: Point, side: Side) -> usize {
        let other = Colour::of(side.other());
        let (mut stone, mut count) = (p.0, 0);
        loop {
            count += 1;
            let slot = self.empty.len() as u16;
            let cell = &mut self.cells[usize::from(stone)];
            cell.colour = Colour::Empty;
            cell.slot = slot;
            let next = cell.next;
            self.empty.push(stone);
            self.key ^= ZOBRIST[usize::from(stone)][side.index()];
            for q in Point(stone).neighbours() {
                let cell = &mut self.cells[q.index()];
                cell.around.stone_goes(side);
                if cell.colour == other {
                    let head = usize::from(cell.head);
                    self.cells[head].liberties += 1;
                }
            }
            if next == p.0 {
                self.stone_difference -= (1 - 2 * side.index() as i32) * count as i32;
                return count;
            }
            stone = next;
        }
    }
}

/// A random number for every stone on every point.
pub(crate) static ZOBRIST: [[u64; 2]; CELLS] = {
    let mut table = [[0; 2]; CELLS];
    let mut i = 0;
    while i < CELLS {
        table[i][0] = mix(0x60_60 + 2 * i as u64);
        table[i][1] = mix(0x60_61 + 2 * i as u64);
        i += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    /// A board from rows of X, O and dots.
    fn board(rows: &[&str]) -> Board {
        let stones = rows.iter().enumerate().flat_map(|(y, row)| {
            row.chars().enumerate().filter_map(move |(x, c)| match c {
                'X' => Some((Point::at(x, y), Side::First)),
                'O' => Some((Point::at(x, y), Side::Second)),
                _ => None,
            })
        });
        Board::with_stones(rows.len(), stones).unwrap()
    }

    #[test]
    fn a_chain_without_liberties_is_captured() {
        let mut b = board(&["OOX.", "OX..", ".X..", "...."]);
        assert_eq!(b.last_liberty(Point::at(0, 0)), Some(Point::at(0, 2)));
        assert_eq!(b.play(Point::at(0, 2), Side::First), 3);
        assert_eq!(b.captures(Side::First), 3);
        assert_eq!(b.at(Point::at(0, 0)), Colour::Empty);
        assert_eq!(b.ko(), None);
        assert_eq!(b.chain_size(Point::at(1, 1)), 3);
    }

    #[test]
    fn a_ko_may_not_be_retaken_at_once() {
        let mut b = board(&[".XO.", "X.XO", ".XO.", "...."]);
        assert_eq!(b.check(Point::at(1, 1), Side::Second, false), Ok(()));
        assert_eq!(b.play(Point::at(1, 1), Side::Second), 1);
        assert_eq!(b.ko(), Some(Point::at(2, 1)));
        assert_eq!(b.check(Point::at(2, 1), Side::First, false), Err(Illegal::Ko));
        b.pass();
        assert_eq!(b.check(Point::at(2, 1), Side::First, false), Ok(()));
    }

    #[test]
    fn two_captured_stones_are_no_ko() {
        let mut b = board(&[".XO..", "X.XXO", ".XOO.", ".....", "....."]);
        // The two black stones have one liberty left, where White plays.
        let mut w = b.clone();
        assert_eq!(w.play(Point::at(1, 1), Side::Second), 0);
        assert_eq!(b.play(Point::at(3, 0), Side::Second), 0);
        assert_eq!(b.play(Point::at(1, 1), Side::Second), 2);
        assert_eq!(b.ko(), None);
    }

    #[test]
    fn suicide_is_known_and_a_single_stone_never_may() {
        let b = board(&[".O.", "O.O", ".O."]);
        let centre = Point::at(1, 1);
        assert_eq!(b.check(centre, Side::First, false), Err(Illegal::Suicide));
        assert_eq!(b.check(centre, Side::First, true), Err(Illegal::Suicide));
        assert_eq!(b.check(centre, Side::Second, false), Ok(()));
        let mut b = board(&["X.O.", "OO..", "....", "...."]);
        let p = Point::at(1, 0);
        assert_eq!(b.check(p, Side::First, false), Err(Illegal::Suicide));
        assert_eq!(b.check(p, Side::First, true), Ok(()));
        b.play(p, Side::First);
        assert_eq!(b.captures(Side::Second), 2);
        assert_eq!(b.at(Point::at(0, 0)), Colour::Empty);
    }

    #[test]
    fn stones_without_liberties_make_no_board() {
        let stones = [(0, 0), (1, 0), (0, 1), (1, 1)];
        let stones = stones.map(|(x, y)| (Point::at(x, y), Side::First));
        assert!(Board::with_stones(2, stones[..3].to_vec()).is_ok());
        assert!(Board::with_stones(2, stones).is_err());
        assert!(Board::with_stones(3, [stones[0], stones[0]]).is_err());
    }
}
