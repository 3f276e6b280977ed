//! A board made for playouts: what can be played where, and how likely, without looking twice.
//!
//! Every point knows the eight cells around it and which of its four neighbours belong to chains
//! with a single liberty, as one number of twenty bits (its *code*). That number alone tells whether a
//! move there is legal (but for ko), whether it fills an eye, and how good it looks; so a table turns
//! it into a weight for each side, zero for what must not be played, and a move is drawn in
//! proportion to the weights. Codes and weights change only around a new stone, around captured
//! stones, and at last liberties.
//!
//! Liberties are counted as in [`Board`], once for each stone that touches them, along
//! with the sum of their numbers and of the squares: one liberty is left exactly when count × squares =
//! sum², and it is then sum / count.

use super::weights::Weights;
use crate::board::{Board, ZOBRIST};
use crate::colour::Colour;
use crate::point::{Point, STRIDE};
use crate::position::Position;
use zug_core::Side;

/// Cells, rounded up so that a mask keeps every number inside.
const ROOM: usize = 512;
const MASK: usize = ROOM - 1;

/// The cells around a point, in the order of its code: two bits each from the lowest.
pub(crate) const AROUND: [u16; 8] = {
    let s = STRIDE as u16;
    [
        0u16.wrapping_sub(s + 1),
        0u16.wrapping_sub(s),
        0u16.wrapping_sub(s - 1),
        0u16.wrapping_sub(1),
        1,
        s - 1,
        s,
        s + 1,
    ]
};
/// Which of them are neighbours; bit `16 + i` of a code belongs to the `i`-th.
pub(crate) const CROSS: [usize; 4] = [1, 3, 4, 6];
/// The four neighbours of a point, in the order of [`CROSS`].
#[inline(always)]
pub(crate) const fn neighbours(p: u16) -> [u16; 4] {
    let s = STRIDE as u16;
    [p.wrapping_sub(s), p.wrapping_sub(1), p.wrapping_add(1), p.wrapping_add(s)]
}

/// The bits of a code.
pub(crate) const CODE_BITS: u32 = 20;

const EMPTY: u8 = Colour::Empty as u8;
const BORDER: u8 = Colour::Border as u8;

#[derive(Clone, Copy, Default)]
struct Chain {
    /// Liberties, once for each stone that touches them.
    liberties: u16,
    stones: u16,
    /// The only liberty, or 0.
    last: u16,
    sum: u32,
    squares: u32,
}

impl Chain {
    fn gains(&mut self, p: u16) {
        self.liberties += 1;
        self.sum += u32::from(p);
        self.squares += u32::from(p) * u32::from(p);
    }
    fn loses(&mut self, p: u16) {
        self.liberties -= 1;
        self.sum -= u32::from(p);
        self.squares -= u32::from(p) * u32::from(p);
    }
    /// The only liberty, or 0.
    fn only(&self) -> u16 {
        // One point touches at most four stones of a chain.
        let n = u32::from(self.liberties);
        if n == 0 || n > 4 || n * self.squares != self.sum * self.sum {
            return 0;
        }
        (self.sum / n) as u16
    }
}

/// Lists that one move needs; kept outside so that a field is plain memory.
#[derive(Clone, Debug, Default)]
pub struct Work {
    /// Points whose surroundings changed.
    near: Vec<u16>,
    /// Points where chains with one liberty may have come or gone.
    stale: Vec<u16>,
    recheck: Vec<u16>,
}

/// See the [module](self).
#[derive(Clone)]
pub struct Field {
    colour: [u8; ROOM],
    head: [u16; ROOM],
    next: [u16; ROOM],
    chain: [Chain; ROOM],
    code: [u32; ROOM],
    weight: [[u16; 2]; ROOM],
    rows: [[u32; 2]; 32],
    total: [u32; 2],
    key: u64,
    ko: u16,
    size: u8,
    captures: [u16; 2],
    stone_difference: i32,
}

impl Field {
    /// The stones and the ko of a position.
    #[must_use]
    pub fn new(position: &Position, weights: &Weights) -> Field {
        let board = position.board();
        let mut field = Field {
            colour: [BORDER; ROOM],
            head: [0; ROOM],
            next: [0; ROOM],
            chain: [Chain::default(); ROOM],
            code: [0; ROOM],
            weight: [[0; 2]; ROOM],
            rows: [[0; 2]; 32],
            total: [0; 2],
            key: board.key(),
            ko: board.ko().map_or(0, |p| p.0),
            size: board.size() as u8,
            captures: Side::BOTH.map(|s| board.captures(s) as u16),
            stone_difference: board.stone_difference(),
        };
        for p in board.points() {
            field.colour[p.index()] = board.at(p) as u8;
        }
        for p in board.points() {
            field.take_chain(board, p);
        }
        for p in board.points() {
            let mut code = 0;
            for (i, q) in AROUND.into_iter().enumerate() {
                code |= u32::from(field.at(p.0.wrapping_add(q))) << (2 * i);
            }
            field.code[p.index()] = code;
        }
        for p in board.points() {
            field.renew(p.0, weights);
        }
        if field.ko != 0 {
            field.set_weight(field.ko, position.to_move().index(), 0);
        }
        field
    }

    fn take_chain(&mut self, board: &Board, p: Point) {
        if board.at(p).side().is_none() || self.head[p.index()] != 0 {
            return;
        }
        let mut chain = Chain::default();
        let mut previous = p.0;
        for stone in board.chain_stones(p) {
            chain.stones += 1;
            self.head[stone.index()] = p.0;
            self.next[usize::from(previous)] = stone.0;
            previous = stone.0;
            for q in stone.neighbours() {
                if self.at(q.0) == EMPTY {
                    chain.gains(q.0);
                }
            }
        }
        self.next[usize::from(previous)] = p.0;
        chain.last = chain.only();
        self.chain[p.index()] = chain;
    }

    #[inline]
    pub(crate) fn at(&self, p: u16) -> u8 {
        self.colour[usize::from(p) & MASK]
    }

    /// The code of an empty point.
    #[inline]
    pub(crate) fn code(&self, p: u16) -> u32 {
        self.code[usize::from(p) & MASK]
    }

    #[inline]
    fn chain_of(&self, p: u16) -> &Chain {
        &self.chain[usize::from(self.head[usize::from(p) & MASK]) & MASK]
    }

    /// A number that names the chain of a stone.
    #[inline]
    pub(crate) fn head(&self, p: u16) -> u16 {
        self.head[usize::from(p) & MASK]
    }

    /// The only liberty of the chain of a stone, or 0.
    #[inline]
    pub(crate) fn last_liberty(&self, p: u16) -> u16 {
        self.chain_of(p).last
    }

    /// The liberties of the chain of a stone, once for each stone that touches them.
    #[inline]
    pub(crate) fn liberty_count(&self, p: u16) -> u16 {
        self.chain_of(p).liberties
    }

    /// How many stones the chain of a stone has.
    #[inline]
    pub(crate) fn chain_size(&self, p: u16) -> u16 {
        self.chain_of(p).stones
    }

    /// The next stone of a chain; they lie in a circle.
    #[inline]
    pub(crate) fn next(&self, p: u16) -> u16 {
        self.next[usize::from(p) & MASK]
    }

    /// How likely a side is to play here, zero for what it must not.
    #[inline]
    pub(crate) fn weight(&self, p: u16, side: usize) -> u32 {
        u32::from(self.weight[usize::from(p) & MASK][side & 1])
    }

    /// The sum of all weights of a side.
    #[inline]
    pub(crate) fn total(&self, side: usize) -> u32 {
        self.total[side & 1]
    }

    /// Points along an edge.
    #[must_use]
    pub fn size(&self) -> usize {
        usize::from(self.size)
    }

    /// The key of the stones, as of [`Board::key`].
    #[must_use]
    pub fn key(&self) -> u64 {
        self.key
    }

    /// Black stones minus white stones.
    #[must_use]
    pub fn stone_difference(&self) -> i32 {
        self.stone_difference
    }

    /// Stones that the sides have captured.
    #[must_use]
    pub fn captures(&self) -> [u16; 2] {
        self.captures
    }

    /// All points, row by row.
    pub(crate) fn points(&self) -> impl Iterator<Item = u16> + use<> {
        let size = self.size();
        (0..size).flat_map(move |y| (0..size).map(move |x| Point::at(x, y).0))
    }

    /// Is less than a sixth of the board taken?
    pub(crate) fn is_opening(&self) -> bool {
        let stones = self.points().filter(|&p| self.at(p) != EMPTY).count();
        stones * 6 < self.size() * self.size()
    }

    /// Who owns a point at the end of a playout: 1 for Black, −1 for White, 0 for neither.
    #[inline]
    pub(crate) fn owner(&self, p: u16) -> i32 {
        match self.at(p) {
            1 => 1,
            2 => -1,
            _ => {
                let code = self.code(p);
                let of =
                    |colour: u32| CROSS.iter().all(|&i| code >> (2 * i) & 3 & colour == colour);
                i32::from(of(1)) - i32::from(of(2))
            }
        }
    }

    /// Black's area minus White's where only single empty points are left.
    #[must_use]
    pub fn area(&self) -> i32 {
        let empty = self.points().filter(|&p| self.at(p) == EMPTY);
        self.stone_difference + empty.map(|p| self.owner(p)).sum::<i32>()
    }

    #[inline]
    fn set_weight(&mut self, p: u16, side: usize, weight: u16) {
        let old = &mut self.weight[usize::from(p) & MASK][side];
        let change = u32::from(weight).wrapping_sub(u32::from(*old));
        *old = weight;
        let row = (usize::from(p) / STRIDE) & 31;
        self.rows[row][side] = self.rows[row][side].wrapping_add(change);
        self.total[side] = self.total[side].wrapping_add(change);
    }

    /// Brings the last liberties and the weights of a point up to date.
    #[inline(always)]
    fn renew(&mut self, p: u16, weights: &Weights) {
        if self.at(p) != EMPTY {
            return;
        }
        let mut code = self.code(p) & 0xFFFF;
        for (bit, q) in neighbours(p).into_iter().enumerate() {
            let colour = self.at(q);
            if (colour == 1 || colour == 2) && self.chain_of(q).last != 0 {
                code |= 1 << (16 + bit);
            }
        }
        self.code[usize::from(p) & MASK] = code;
        self.reweigh(p, weights);
    }

    /// Brings the weights of an empty point up to date, whose code is.
    #[inline(always)]
    fn reweigh(&mut self, p: u16, weights: &Weights) {
        let new = weights.of(self.code(p));
        let old = &mut self.weight[usize::from(p) & MASK];
        if *old == new {
            return;
        }
        let row = (usize::from(p) / STRIDE) & 31;
        for side in 0..2 {
            let change = u32::from(new[side]).wrapping_sub(u32::from(old[side]));
            self.rows[row][side] = self.rows[row][side].wrapping_add(change);
            self.total[side] = self.total[side].wrapping_add(change);
        }
        *old = new;
    }

    /// Turns a cell from one colour to another; one of them is empty.
    #[inline]
    fn recolour(&mut self, p: u16, side: usize, work: &mut Work) {
        let bits = side as u32 + 1;
        for (i, q) in AROUND.into_iter().enumerate() {
            let q = p.wrapping_add(q);
            self.code[usize::from(q) & MASK] ^= bits << (2 * (7 - i));
            work.near.push(q);
        }
        self.key ^= ZOBRIST[usize::from(p) % ZOBRIST.len()][side & 1];
    }

    /// Puts a stone down; the move must be legal, but for suicide, which takes the stone's own chain
    /// off. Returns how many stones were captured.
    pub fn play(&mut self, p: u16, side: usize, weights: &Weights, work: &mut Work) -> usize {
        let side = side & 1;
        work.near.clear();
        work.stale.clear();
        work.recheck.clear();
        let (me, other) = (side as u8 + 1, 2 - side as u8);
        if self.ko != 0 {
            work.stale.push(self.ko);
            self.ko = 0;
        }
        let hostile = self.code(p);
        let bits = u32::from(other);
        let in_ko_shape = CROSS.iter().all(|&i| hostile >> (2 * i) & bits == bits);

        self.set_weight(p, 0, 0);
        self.set_weight(p, 1, 0);
        self.colour[usize::from(p) & MASK] = me;
        self.recolour(p, side, work);
        self.stone_difference += 1 - 2 * side as i32;
        let mut own = Chain { stones: 1, ..Chain::default() };
        let neighbours = neighbours(p);
        for q in neighbours {
            if self.at(q) == EMPTY {
                own.gains(q);
            }
        }
        self.head[usize::from(p) & MASK] = p;
        self.next[usize::from(p) & MASK] = p;
        self.chain[usize::from(p) & MASK] = own;

        let (mut captured, mut taken) = (0, 0);
        for q in neighbours {
            let colour = self.at(q);
            if colour != 1 && colour != 2 {
                continue;
            }
            let head = self.head(q);
            let chain = &mut self.chain[usize::from(head) & MASK];
            chain.loses(p);
            if colour == me {
                self.join(p, q);
            } else if chain.liberties == 0 {
                captured += self.remove(q, 1 - side, work);
                taken = q;
            } else if chain.liberties <= 4 {
                work.recheck.push(head);
            }
        }
        self.captures[side] = self.captures[side].saturating_add(captured as u16);
        if captured == 0 && self.chain_of(p).liberties == 0 {
            let lost = self.remove(p, side, work);
            self.captures[1 - side] = self.captures[1 - side].saturating_add(lost as u16);
        } else {
            work.recheck.push(self.head(p));
        }
        for i in 0..work.recheck.len() {
            let head = usize::from(work.recheck[i]) & MASK;
            let last = self.chain[head].only();
            if last != self.chain[head].last {
                self.chain[head].last = last;
                work.stale.push(last);
            }
        }
        for i in 0..work.stale.len() {
            self.renew(work.stale[i], weights);
        }
        for i in 0..work.near.len() {
            let q = work.near[i];
            if self.at(q) == EMPTY {
                self.reweigh(q, weights);
            }
        }
        if captured == 1 && in_ko_shape {
            self.ko = taken;
            self.set_weight(taken, 1 - side, 0);
        }
        captured
    }

    /// Forgets the ko: somebody passes.
    pub fn pass(&mut self, weights: &Weights) {
        if self.ko != 0 {
            let p = self.ko;
            self.ko = 0;
            self.renew(p, weights);
        }
    }

    #[inline]
    fn join(&mut self, p: u16, q: u16) {
        let (mut large, mut small) = (self.head(p), self.head(q));
        if large == small {
            return;
        }
        if self.chain[usize::from(large) & MASK].stones
            < self.chain[usize::from(small) & MASK].stones
        {
            std::mem::swap(&mut large, &mut small);
        }
        let part = self.chain[usize::from(small) & MASK];
        let whole = &mut self.chain[usize::from(large) & MASK];
        whole.liberties += part.liberties;
        whole.stones += part.stones;
        whole.sum += part.sum;
        whole.squares += part.squares;
        // What was a last liberty is where the new stone lies.
        whole.last = 0;
        let mut stone = small;
        loop {
            self.head[usize::from(stone) & MASK] = large;
            let next = self.next(stone);
            if next == small {
                break;
            }
            stone = next;
        }
        self.next[usize::from(stone) & MASK] = self.next(large);
        self.next[usize::from(large) & MASK] = small;
    }

    /// Takes a chain of `side` off.
    fn remove(&mut self, p: u16, side: usize, work: &mut Work) -> usize {
        let mut count = 0;
        let mut stone = p;
        loop {
            count += 1;
            let next = self.next(stone);
            self.colour[usize::from(stone) & MASK] = EMPTY;
            self.recolour(stone, side, work);
            work.stale.push(stone);
            for q in neighbours(stone) {
                if self.at(q) == 2 - side as u8 {
                    let head = self.head(q);
                    let chain = &mut self.chain[usize::from(head) & MASK];
                    chain.gains(stone);
                    if chain.last != 0 {
                        work.stale.push(chain.last);
                        chain.last = 0;
                        work.recheck.push(head);
                    }
                }
            }
            if next == p {
                break;
            }
            stone = next;
        }
        self.stone_difference -= (1 - 2 * side as i32) * count;
        count as usize
    }

    /// A point of a side, drawn in proportion to the weights; `drawn` is below their sum.
    #[inline]
    pub(crate) fn draw(&self, side: usize, mut drawn: u32) -> u16 {
        let side = side & 1;
        let mut row = 1;
        while row <= self.size() {
            let sum = self.rows[row & 31][side];
            if drawn < sum {
                break;
            }
            drawn -= sum;
            row += 1;
        }
        let mut p = row * STRIDE + 1;
        loop {
            let weight = u32::from(self.weight[p & MASK][side]);
            if drawn < weight || p & MASK == MASK {
                return p as u16;
            }
            drawn -= weight;
            p += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::playout::is_eye;
    use crate::{Board, Move};
    use proptest::prelude::*;
    use zug_core::rng;
    use zug_core::seed::RngExt;

    /// Everything that a field keeps is what a new field of the same position has.
    fn compare(field: &Field, position: &Position, weights: &Weights) {
        let fresh = Field::new(position, weights);
        let board: &Board = position.board();
        assert_eq!(field.key, board.key());
        assert_eq!(field.ko, board.ko().map_or(0, |p| p.0));
        assert_eq!(field.captures, Side::BOTH.map(|s| board.captures(s) as u16));
        assert_eq!(field.stone_difference, board.stone_difference());
        assert_eq!(field.rows, fresh.rows);
        assert_eq!(field.total, fresh.total);
        for p in board.points() {
            assert_eq!(field.at(p.0), board.at(p) as u8);
            if board.at(p) == Colour::Empty {
                assert_eq!(field.code(p.0), fresh.code(p.0), "{p:?} {board:?}");
                assert_eq!(field.weight[p.index()], fresh.weight[p.index()]);
                let side = position.to_move();
                let may = board.check(p, side, false).is_ok() && !is_eye(board, p, side);
                assert_eq!(field.weight(p.0, side.index()) > 0, may, "{p:?} {board:?}");
            } else {
                assert_eq!(field.chain_size(p.0), board.chain_size(p) as u16);
                assert_eq!(field.last_liberty(p.0), board.last_liberty(p).map_or(0, |p| p.0));
            }
        }
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        fn a_field_follows_the_board_through_random_games(size in 2usize..=19, seed: u64) {
            let weights = Weights::plain();
            let mut rng = rng(seed, 0);
            let mut position = Position::new(size);
            let mut field = Field::new(&position, &weights);
            let mut work = Work::default();
            for ply in 0..size * size * 3 {
                let side = position.to_move();
                let total = field.total(side.index());
                if total == 0 || rng.random_range(0..40) == 0 {
                    field.pass(&weights);
                    position.play(Move::Pass);
                } else {
                    let p = field.draw(side.index(), rng.random_range(0..total));
                    prop_assert!(position.board().check(Point(p), side, false).is_ok());
                    field.play(p, side.index(), &weights, &mut work);
                    position.play(Move::Play(Point(p)));
                }
                if ply % 7 == 0 {
                    compare(&field, &position, &weights);
                }
            }
            compare(&field, &position, &weights);
        }
    }
}
