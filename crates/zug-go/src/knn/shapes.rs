//! What is a pattern, and how are many of them kept in little memory?
//!
//! A pattern is a run of 16-bit words: stage, ko and sides; the place that the sides tie the move to;
//! its stones, relative to the move, rising. That is its smallest form under the eight symmetries,
//! so two patterns are the same exactly when their words are. Turned forms are not kept: whoever
//! matches turns the board's steps instead.

use super::neighbours::LOOSE;
use super::offsets::{Code, step};

/// Patterns one after another.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Shapes {
    words: Vec<u16>,
    /// Where each begins, and where the last one ends.
    starts: Vec<u32>,
}

/// One pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shape<'a>(&'a [u16]);

/// Where a move may lie: columns and rows, first and last, in the frame of the pattern.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Room {
    /// First and last column.
    pub x: (u8, u8),
    /// First and last row.
    pub y: (u8, u8),
}

impl Room {
    /// Nowhere.
    pub const NONE: Room = Room { x: (u8::MAX, 0), y: (u8::MAX, 0) };

    /// Makes it hold a point.
    pub fn include(&mut self, x: usize, y: usize) {
        let (x, y) = (x as u8, y as u8);
        self.x = (self.x.0.min(x), self.x.1.max(x));
        self.y = (self.y.0.min(y), self.y.1.max(y));
    }

    /// Does it hold this point?
    #[must_use]
    pub fn contains(&self, x: usize, y: usize) -> bool {
        let (x, y) = (x as u8, y as u8);
        self.x.0 <= x && x <= self.x.1 && self.y.0 <= y && y <= self.y.1
    }
}

impl<'a> Shape<'a> {
    /// The words of a pattern: see [`canonical`](super::neighbours::canonical) for the form.
    pub(super) fn words(stage: usize, ko: bool, form: &[u16]) -> Vec<u16> {
        let head = stage as u16 | u16::from(ko) << 3 | form[1] << 4;
        let mut words = vec![head, form[0]];
        words.extend_from_slice(&form[2..]);
        words
    }

    /// The stage of the game, from 0.
    #[must_use]
    pub fn stage(self) -> usize {
        usize::from(self.0[0] & 7)
    }

    /// Is there a ko?
    #[must_use]
    pub fn ko(self) -> bool {
        self.0[0] & 8 != 0
    }

    /// The sides that were chosen.
    #[must_use]
    pub fn sides(self) -> u8 {
        (self.0[0] >> 4) as u8
    }

    /// The column that sides tie the move to.
    #[must_use]
    pub fn column(self) -> Option<usize> {
        Some(self.0[1] >> 8).filter(|&x| x != LOOSE).map(usize::from)
    }

    /// The row that sides tie the move to.
    #[must_use]
    pub fn row(self) -> Option<usize> {
        Some(self.0[1] & 0xFF).filter(|&y| y != LOOSE).map(usize::from)
    }

    /// The stones, near ones first.
    pub(super) fn stones(self) -> &'a [Code] {
        &self.0[2..]
    }

    /// Stones and sides.
    #[must_use]
    pub fn k(self) -> usize {
        self.stones().len() + self.sides().count_ones() as usize
    }

    /// Where the move may lie as far as the sides say, on a board of this size.
    #[must_use]
    pub fn room(self, size: usize) -> Room {
        let range = |tied: Option<usize>| match tied {
            Some(at) => (at as u8, at as u8),
            None => (0, size as u8 - 1),
        };
        Room { x: range(self.column()), y: range(self.row()) }
    }

    /// Is it a pattern of a board of this size with so many stages, in one of its forms?
    fn is_sound(self, size: usize, stages: usize) -> bool {
        let reach = size as i32 - 1;
        let near = |&code: &Code| {
            usize::from(code) < super::offsets::CODES && {
                let (dx, dy) = step(code);
                dx.abs() <= reach && dy.abs() <= reach
            }
        };
        let place = |at: Option<usize>| at.is_none_or(|at| at < size);
        self.0[0] >> 8 == 0
            && self.stage() < stages
            && place(self.column())
            && place(self.row())
            && !(self.column().is_none() && self.row().is_some())
            && self.stones().iter().all(near)
            && self.stones().windows(2).all(|pair| pair[0] / 2 < pair[1] / 2)
    }
}

impl Shapes {
    /// None yet.
    #[must_use]
    pub fn new() -> Shapes {
        Shapes { words: Vec::new(), starts: vec![0] }
    }

    /// From the words of all patterns and where each begins; `None` if they are not such.
    pub(super) fn of_parts(
        words: Vec<u16>,
        starts: Vec<u32>,
        size: usize,
        stages: usize,
    ) -> Option<Shapes> {
        let rising = starts.windows(2).all(|pair| pair[0] + 2 <= pair[1]);
        let whole =
            starts.first() == Some(&0) && starts.last().copied() == Some(words.len() as u32);
        let shapes = Shapes { words, starts };
        (rising && whole && shapes.iter().all(|shape| shape.is_sound(size, stages)))
            .then_some(shapes)
    }

    /// The words of all patterns, and where each begins.
    pub(super) fn parts(&self) -> (&[u16], &[u32]) {
        (&self.words, &self.starts)
    }

    /// How many.
    #[must_use]
    pub fn len(&self) -> usize {
        self.starts.len() - 1
    }

    /// None?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds one.
    pub(super) fn push(&mut self, words: &[u16]) {
        self.words.extend_from_slice(words);
        self.starts.push(self.words.len() as u32);
    }

    /// The pattern of a number.
    #[must_use]
    pub fn get(&self, number: usize) -> Shape<'_> {
        Shape(&self.words[self.starts[number] as usize..self.starts[number + 1] as usize])
    }

    /// All of them.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = Shape<'_>> {
        (0..self.len()).map(|i| self.get(i))
    }

    /// The words of a pattern.
    pub(super) fn words_of(&self, number: usize) -> &[u16] {
        self.get(number).0
    }

    /// Those of these numbers, in this order.
    pub(super) fn select(&self, numbers: &[u32]) -> Shapes {
        let length = numbers.iter().map(|&i| self.get(i as usize).0.len()).sum();
        let mut chosen = Shapes {
            words: Vec::with_capacity(length),
            starts: Vec::with_capacity(numbers.len() + 1),
        };
        chosen.starts.push(0);
        numbers.iter().for_each(|&i| chosen.push(self.get(i as usize).0));
        chosen
    }

    /// The numbers in the order of their patterns, and the first of each that are equal.
    pub(super) fn sorted(&self) -> Vec<u32> {
        let mut order: Vec<u32> = (0..self.len() as u32).collect();
        // Equal ones stay in the order in which they came.
        order.sort_by(|&a, &b| self.get(a as usize).0.cmp(self.get(b as usize).0));
        order.dedup_by(|b, a| self.get(*a as usize) == self.get(*b as usize));
        order
    }

    /// Bytes in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        2 * self.words.capacity() + 4 * self.starts.capacity()
    }
}
