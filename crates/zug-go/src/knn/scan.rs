//! The guesser of the thesis: a list of patterns, the best first, tried one after another.
//!
//! Each pattern is stored in its eight elementary forms as bits; where it may lie are shifts that are
//! made while guessing. The list ends as soon as enough moves are found, since no later pattern
//! is better. The [tree](super::trie) gives the same moves in a fraction of the time; this is what
//! it is held against.

use super::bits::{BitBoard, Bits};
use super::database::{Database, Proposal};
use super::offsets::{Code, is_theirs, step, turned};
use super::symmetry::Symmetry;
use crate::point::Point;
use crate::position::Position;

/// One turned form of a pattern, in the upper left corner of where it may lie.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Elementary<const W: usize> {
    own: Bits<W>,
    theirs: Bits<W>,
    mask: Bits<W>,
    /// Where the move is then.
    at: (u8, u8),
    /// How many columns and rows it may be shifted by.
    shifts: (u8, u8),
}

/// All patterns of a database, in all forms. `W` words hold a board.
#[derive(Clone, Debug)]
pub struct Scan<const W: usize> {
    size: usize,
    patterns: Vec<Vec<Elementary<W>>>,
}

impl<const W: usize> Scan<W> {
    /// Of a database whose boards need `W` words; `None` if they need another number.
    #[must_use]
    pub fn new(database: &Database) -> Option<Scan<W>> {
        if super::bits::words(database.size()) != W {
            return None;
        }
        let forms = |i: usize| {
            let mut forms: Vec<Elementary<W>> = Vec::new();
            for s in Symmetry::ALL {
                // A pattern that is its own image has fewer forms.
                if let Some(form) = elementary(database, i, s).filter(|f| !forms.contains(f)) {
                    forms.push(form);
                }
            }
            forms
        };
        Some(Scan { size: database.size(), patterns: (0..database.len()).map(forms).collect() })
    }

    /// The best `most` moves, better ones first.
    #[must_use]
    pub fn guess(&self, database: &Database, position: &Position, most: usize) -> Vec<Proposal> {
        let (board, side) = (position.board(), position.to_move());
        let bits = BitBoard::of(board, side);
        let stage = database.stage(position.moves_played() + 1);
        let ko = database.knows_ko() && board.ko().is_some();
        let (mut found, mut taken) = (Vec::new(), vec![false; self.size * self.size]);
        for i in database.stage_range(stage) {
            if found.len() >= most {
                break;
            }
            if database.shapes().get(i).ko() != ko {
                continue;
            }
            let mut moves: Vec<usize> = Vec::new();
            self.patterns[i].iter().for_each(|form| form.matches(self.size, &bits, &mut moves));
            moves.sort_unstable();
            for at in moves {
                let point = Point::at(at % self.size, at / self.size);
                if !taken[at] && board.check(point, side, false).is_ok() {
                    taken[at] = true;
                    found.push(Proposal { point, pattern: i as u32 });
                }
            }
        }
        found.truncate(most);
        found
    }

    /// Bytes in memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        let forms: usize = self.patterns.iter().map(Vec::capacity).sum();
        self.patterns.capacity() * size_of::<Vec<Elementary<W>>>()
            + forms * size_of::<Elementary<W>>()
    }
}

impl<const W: usize> Elementary<W> {
    /// Adds the moves of all shifts that match.
    fn matches(&self, size: usize, board: &BitBoard<W>, moves: &mut Vec<usize>) {
        for dy in 0..=usize::from(self.shifts.1) {
            for dx in 0..=usize::from(self.shifts.0) {
                let by = size * dy + dx;
                let mask = self.mask.shifted(by);
                if self.own.shifted(by).is_under(&mask, &board.own)
                    && self.theirs.shifted(by).is_under(&mask, &board.theirs)
                {
                    let (x, y) = (usize::from(self.at.0), usize::from(self.at.1));
                    moves.push(size * (y + dy) + x + dx);
                }
            }
        }
    }
}

/// The form of a pattern under a symmetry; `None` where there is no room for it.
fn elementary<const W: usize>(
    database: &Database,
    number: usize,
    symmetry: Symmetry,
) -> Option<Elementary<W>> {
    let size = database.size();
    let stones: Vec<Code> =
        database.shapes().get(number).stones().iter().map(|&c| turned(symmetry, c)).collect();
    let room = database.room(number);
    let corner = |x: u8, y: u8| symmetry.map(size, usize::from(x), usize::from(y));
    let ((ax, ay), (bx, by)) = (corner(room.x.0, room.y.0), corner(room.x.1, room.y.1));
    // No stone may leave the board.
    let clip = |low: usize, high: usize, of: fn((i32, i32)) -> i32| {
        let least = stones.iter().map(|&c| of(step(c))).min().unwrap_or(0).min(0);
        let most = stones.iter().map(|&c| of(step(c))).max().unwrap_or(0).max(0);
        let low = (low as i32).max(-least);
        let high = (high as i32).min(size as i32 - 1 - most);
        (low <= high).then_some((low, high))
    };
    let (left, right) = clip(ax.min(bx), ax.max(bx), |s| s.0)?;
    let (top, bottom) = clip(ay.min(by), ay.max(by), |s| s.1)?;
    let bit = |dx: i32, dy: i32| ((top + dy) * size as i32 + left + dx) as usize;
    let mut form = Elementary {
        own: Bits::default(),
        theirs: Bits::default(),
        mask: Bits::default(),
        at: (left as u8, top as u8),
        shifts: ((right - left) as u8, (bottom - top) as u8),
    };
    form.mask.set(bit(0, 0));
    for &code in &stones {
        let (dx, dy) = step(code);
        let colour = if is_theirs(code) { &mut form.theirs } else { &mut form.own };
        colour.set(bit(dx, dy));
        form.mask.set(bit(dx, dy));
    }
    Some(form)
}
