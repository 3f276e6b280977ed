//! A run of cells with one owner: values, frontier, and how messages change them.

use super::seeds::{Ahead, Ends, Fact};
use super::words::{
    Scheme, UNKNOWN, Word, aside, counter, duplicate, ended_draw, illegal, widened,
};
use crate::cells::{Cells, Content};
use crate::value::Value;
use std::collections::HashMap;
use zug_core::usage::thread_seconds;

/// A message to a cell: its offset in the region, and in the lowest bit whether the successor that
/// speaks is won (for its side to move, the opponent).
pub(crate) type Message = u32;

/// Cells of a region at most: an offset and a bit must fit a message.
pub(crate) const MOST_BITS: u32 = 30;

/// What a level is about.
#[derive(Clone, Copy)]
pub(crate) struct Level {
    pub scheme: Scheme,
    /// The distance of the cells that speak.
    pub plies: u32,
}

/// What a survey saw.
#[derive(Clone, Copy, Default)]
pub(crate) struct Seen {
    pub illegal: u64,
    pub duplicates: u64,
    pub lost: u64,
    pub won: u64,
}

impl Seen {
    pub fn add(&mut self, other: Seen) {
        self.illegal += other.illegal;
        self.duplicates += other.duplicates;
        self.lost += other.lost;
        self.won += other.won;
    }

    /// Which kinds of ends there are, here and in what comes from lower stages.
    pub fn scheme(&self, told: Ends) -> Scheme {
        Scheme::of(self.lost > 0 || told.losses_even, self.won > 0 || told.wins_even)
    }
}

/// A set of cells of a region.
#[derive(Default)]
pub(crate) struct Marked {
    pub words: Vec<u64>,
    pub count: u64,
}

impl Marked {
    fn new(cells: usize) -> Marked {
        Marked { words: vec![0; cells.div_ceil(64)], count: 0 }
    }

    #[inline]
    fn set(&mut self, offset: usize) {
        self.words[offset / 64] |= 1 << (offset % 64);
        self.count += 1;
    }

    /// The offsets, ascending.
    pub fn iter(&self) -> impl Iterator<Item = usize> + '_ {
        self.words.iter().enumerate().filter(|(_, word)| **word != 0).flat_map(|(w, &word)| {
            let mut rest = word;
            std::iter::from_fn(move || {
                let offset = (rest != 0).then(|| w * 64 + rest.trailing_zeros() as usize)?;
                rest &= rest - 1;
                Some(offset)
            })
        })
    }

    fn clear(&mut self) {
        if self.count > 0 {
            self.words.fill(0);
            self.count = 0;
        }
    }
}

/// What a region remembers besides its cells while these lie in a file.
#[derive(Default)]
pub(crate) struct Kept {
    aside: HashMap<u32, u32>,
    pub most: u32,
}

/// A region.
pub(crate) struct Region<W> {
    pub first: u64,
    pub cells: Vec<W>,
    /// The cells that speak on this level, and those that got their value on it.
    pub current: Marked,
    pub next: Marked,
    /// Counters that are too large for their words.
    aside: HashMap<u32, u32>,
    /// The largest counter in a word.
    pub most: u32,
}

impl<W: Word> Region<W> {
    pub fn new(first: u64, cells: usize) -> Region<W> {
        Region {
            first,
            cells: vec![W::pack(UNKNOWN); cells],
            current: Marked::new(cells),
            next: Marked::new(cells),
            aside: HashMap::new(),
            most: 0,
        }
    }

    /// What must be remembered to [`restore`](Region::restore) the region from its cells.
    pub fn kept(&self) -> Kept {
        Kept { aside: self.aside.clone(), most: self.most }
    }

    /// A region whose cells come from a file; nobody speaks.
    pub fn restore(first: u64, cells: Vec<W>, kept: Kept) -> Region<W> {
        let (current, next) = (Marked::default(), Marked::new(cells.len()));
        Region { first, cells, current, next, aside: kept.aside, most: kept.most }
    }

    /// Finds out what the cells hold before anything is solved. Ends of the game form the first
    /// frontier.
    pub fn survey<C: Cells>(&mut self, game: &C, scratch: &mut C::Scratch) -> Seen {
        let mut seen = Seen::default();
        let first = self.first;
        let Region { cells, current, .. } = self;
        game.survey(first..first + cells.len() as u64, scratch, &mut |slot, content| {
            let offset = (slot - first) as usize;
            let word = match content {
                Content::Open => return,
                Content::Illegal => {
                    seen.illegal += 1;
                    illegal::<W>()
                }
                Content::Duplicate => {
                    seen.duplicates += 1;
                    duplicate::<W>()
                }
                Content::Ended(Value::Draw) => ended_draw::<W>(),
                Content::Ended(Value::Loss(_)) => {
                    seen.lost += 1;
                    current.set(offset);
                    Scheme::Both.word(false, 0)
                }
                Content::Ended(Value::Win(_)) => {
                    seen.won += 1;
                    current.set(offset);
                    Scheme::Both.word(true, 0)
                }
            };
            cells[offset] = W::pack(word);
        });
        seen
    }

    /// Looks up what the moves of open cells to lower stages are worth.
    pub fn look_ahead<C: Cells>(
        &self,
        ahead: &Ahead<'_>,
        game: &C,
        scratch: &mut C::Scratch,
        note: &mut impl FnMut(usize, Fact),
    ) {
        let range = self.first..self.first + self.cells.len() as u64;
        let is_open = |slot: u64| self.cells[(slot - self.first) as usize].unpack() == UNKNOWN;
        ahead.look(range, is_open, game, scratch, note);
    }

    /// Takes messages in. An error names the cell whose successors were miscounted.
    pub fn apply<C: Cells>(
        &mut self,
        messages: &[Message],
        level: Level,
        game: &C,
        scratch: &mut C::Scratch,
    ) -> Result<(), u64> {
        let Level { scheme, plies } = level;
        let top = scheme.top(plies + 1);
        let won = scheme.word(true, plies + 1);
        let lost = scheme.word(false, plies + 1);
        for &message in messages {
            let offset = (message >> 1) as usize;
            let word = self.cells[offset].unpack();
            let open = word == UNKNOWN || word > top && word <= aside::<W>();
            if !open {
                continue;
            }
            if message & 1 == 0 {
                // A move to a lost position wins.
                if word == aside::<W>() {
                    self.aside.remove(&(offset as u32));
                }
                self.cells[offset] = W::pack(won);
                self.next.set(offset);
                continue;
            }
            let slot = self.first + offset as u64;
            let left = if word == UNKNOWN {
                game.count_successors(slot, scratch)
            } else if word == aside::<W>() {
                self.aside.remove(&(offset as u32)).unwrap_or(0)
            } else {
                aside::<W>() - word
            };
            let Some(left) = left.checked_sub(1) else { return Err(slot) };
            if left == 0 {
                self.cells[offset] = W::pack(lost);
                self.next.set(offset);
            } else if left < W::MAX - 3 && counter::<W>(left) > top {
                self.most = self.most.max(left);
                self.cells[offset] = W::pack(counter::<W>(left));
            } else {
                self.aside.insert(offset as u32, left);
                self.cells[offset] = W::pack(aside::<W>());
            }
        }
        Ok(())
    }

    /// The next level begins.
    pub fn turn(&mut self) {
        self.current.clear();
        std::mem::swap(&mut self.current, &mut self.next);
    }

    /// The same region in wider words; `top` is the largest word that is a distance.
    pub fn widen<B: Word>(self, top: u32) -> Region<B> {
        let mut most = self.most;
        let mut cells: Vec<B> = self
            .cells
            .into_iter()
            .map(|word| B::pack(widened::<W, B>(word.unpack(), top)))
            .collect();
        let mut aside = self.aside;
        aside.retain(|&offset, &mut left| {
            let fits = left < B::MAX / 2;
            if fits {
                most = most.max(left);
                cells[offset as usize] = B::pack(counter::<B>(left));
            }
            !fits
        });
        Region { first: self.first, cells, current: self.current, next: self.next, aside, most }
    }
}

/// Processor seconds to take a message in, where the region is in the cache: measured.
pub(crate) fn seconds_to_deliver<C: Cells>(game: &C, scratch: &mut C::Scratch) -> f64 {
    const CELLS: usize = 1 << 16;
    let mut region: Region<u8> = Region::new(0, CELLS);
    // Every cell waits for so many successors that none of these messages decides it.
    region.cells.fill(counter::<u8>(200) as u8);
    // Odd steps meet each cell once, in no order.
    let messages: Vec<Message> =
        (0..CELLS).map(|i| ((i * 40_503 % CELLS) << 1 | 1) as Message).collect();
    let level = Level { scheme: Scheme::LossEven, plies: 0 };
    let begun = thread_seconds();
    let taken = (0..4).try_for_each(|_| region.apply(&messages, level, game, scratch));
    debug_assert_eq!(taken, Ok(()));
    (thread_seconds() - begun) / (4 * CELLS) as f64
}
