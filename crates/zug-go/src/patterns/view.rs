//! A board as the features look at it: from the mover's side, with true liberties.

use super::geometry::{CELLS, MARGIN, STRIDE};
use crate::board::Board;
use crate::colour::Colour;
use crate::point::Point;
use zug_core::Side;

/// What is on a cell, seen by the mover.
pub const EMPTY: u8 = 0;
/// A stone of the mover.
pub const OWN: u8 = 1;
/// A stone of the opponent.
pub const OTHER: u8 = 2;
/// Not a point of the board.
pub const BORDER: u8 = 3;

/// A set of points, by column + size × row.
pub type Points = [u64; 6];

/// Puts a point into a set.
#[inline]
pub fn insert(points: &mut Points, index: usize) {
    points[index >> 6] |= 1 << (index & 63);
}

/// Is a point in a set?
#[inline]
#[must_use]
pub fn contains(points: &Points, index: usize) -> bool {
    points[index >> 6] >> (index & 63) & 1 != 0
}

/// How many points a set has.
#[inline]
#[must_use]
pub fn count(points: &Points) -> u32 {
    points.iter().map(|w| w.count_ones()).sum()
}

/// A chain of stones.
#[derive(Clone, Debug)]
pub struct Chain {
    /// [`OWN`] or [`OTHER`].
    pub owner: u8,
    /// One of its stones.
    pub stone: Point,
    /// Stones in it.
    pub stones: u16,
    /// Its liberties, each once.
    pub liberties: u16,
    /// The same as a set.
    pub around: Points,
}

/// No chain.
pub const NO_CHAIN: u16 = 0;

/// The board, laid out for features.
pub struct View {
    /// Points along an edge.
    pub size: usize,
    /// Who moves.
    pub side: Side,
    /// What is on each cell; wide margins are [`BORDER`].
    pub grid: Box<[u8; CELLS]>,
    /// The chain on each cell: a number in `chains`, [`NO_CHAIN`] for none.
    pub chain: Box<[u16; CELLS]>,
    /// The chains; the first is none.
    pub chains: Vec<Chain>,
    /// The cell of the last stone of each head, while chains are numbered.
    heads: Vec<u16>,
}

/// The cell of a point.
#[inline]
#[must_use]
pub const fn cell(x: usize, y: usize) -> usize {
    (y + MARGIN) * STRIDE + x + MARGIN
}

/// From a cell to its four neighbours.
pub const AROUND: [isize; 4] = [-(STRIDE as isize), -1, 1, STRIDE as isize];

impl View {
    /// A view of nothing.
    #[must_use]
    pub fn new() -> View {
        View {
            size: 0,
            side: Side::First,
            grid: Box::new([BORDER; CELLS]),
            chain: Box::new([NO_CHAIN; CELLS]),
            chains: Vec::new(),
            heads: vec![NO_CHAIN; crate::point::CELLS],
        }
    }

    /// Looks at a board with this side to move.
    pub fn look(&mut self, board: &Board, side: Side) {
        let size = board.size();
        if self.size != size {
            self.grid.fill(BORDER);
            self.size = size;
        }
        self.side = side;
        self.chains.clear();
        self.chains.push(Chain {
            owner: EMPTY,
            stone: Point::at(0, 0),
            stones: 0,
            liberties: 0,
            around: [0; 6],
        });
        self.heads.fill(NO_CHAIN);
        let me = Colour::of(side);
        for y in 0..size {
            for x in 0..size {
                let (p, at) = (Point::at(x, y), cell(x, y));
                let colour = board.at(p);
                let (content, chain) = if colour == Colour::Empty {
                    (EMPTY, NO_CHAIN)
                } else {
                    let owner = if colour == me { OWN } else { OTHER };
                    let head = &mut self.heads[usize::from(board.chain(p))];
                    if *head == NO_CHAIN {
                        *head = self.chains.len() as u16;
                        self.chains.push(Chain {
                            owner,
                            stone: p,
                            stones: 0,
                            liberties: 0,
                            around: [0; 6],
                        });
                    }
                    self.chains[usize::from(*head)].stones += 1;
                    (owner, *head)
                };
                self.grid[at] = content;
                self.chain[at] = chain;
            }
        }
        for y in 0..size {
            for x in 0..size {
                let at = cell(x, y);
                if self.grid[at] != EMPTY {
                    continue;
                }
                for step in AROUND {
                    let chain = self.chain[at.wrapping_add_signed(step)];
                    if chain != NO_CHAIN {
                        insert(&mut self.chains[usize::from(chain)].around, x + size * y);
                    }
                }
            }
        }
        for chain in &mut self.chains {
            chain.liberties = count(&chain.around) as u16;
        }
    }

    /// The number of a point in a set.
    #[inline]
    #[must_use]
    pub fn index(&self, x: usize, y: usize) -> usize {
        x + self.size * y
    }

    /// The different chains that touch a cell.
    #[inline]
    #[must_use]
    pub fn neighbours(&self, at: usize) -> ([u16; 4], usize) {
        let (mut found, mut len) = ([NO_CHAIN; 4], 0);
        for step in AROUND {
            let chain = self.chain[at.wrapping_add_signed(step)];
            if chain != NO_CHAIN && !found[..len].contains(&chain) {
                found[len] = chain;
                len += 1;
            }
        }
        (found, len)
    }

    /// The points of a set.
    pub fn points_of(&self, points: &Points) -> impl Iterator<Item = Point> + use<> {
        let (size, points) = (self.size, *points);
        (0..6).flat_map(move |w| {
            let mut rest = points[w];
            std::iter::from_fn(move || {
                (rest != 0).then(|| {
                    let i = w * 64 + rest.trailing_zeros() as usize;
                    rest &= rest - 1;
                    Point::at(i % size, i / size)
                })
            })
        })
    }
}

impl Default for View {
    fn default() -> View {
        View::new()
    }
}
