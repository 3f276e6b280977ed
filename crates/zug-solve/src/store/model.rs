//! How likely is it that a slot has the same value as one of its neighbours?
//!
//! A value is told by naming candidates, likely ones first, until one is right: the values of
//! *neighbours*, slots that differ by one step of one piece and are known already. Each answer, yes
//! or no, has a probability. It comes from an additive model: a number for the pattern of
//! neighbours that agree, a number for the distance between two pieces, and so on; the sum is the
//! logarithm of the odds. The numbers are fitted to the part (`fit`) and stored with it.
//!
//! Everything that decides about bits is done in whole numbers, so every machine reads the same.

use super::walk::Pieces;

/// Neighbours that are looked at.
pub(super) const NEIGHBOURS: usize = 12;
/// Contexts that add up.
pub(super) const CONTEXTS: usize = 16;
/// The numbers of the model are in 32nds of a nat.
pub(super) const UNIT: f32 = 32.0;

/// Candidates tried before this one that are told apart.
const TRIES: usize = 4;
const CLASSES: usize = 3;
const LEVELS: usize = 3;
const SYMBOLS: usize = 128;

const SHAPE: usize = TRIES * 64 * 32;
const FAR: usize = TRIES * 64 * 4;
const SYMBOL: usize = TRIES * SYMBOLS * LEVELS;
const COMPARE: usize = TRIES * 243;
const PAIR: usize = 256 * LEVELS * CLASSES;
const FIELD: usize = 64 * LEVELS * CLASSES;
const PAIRS: usize = 8;
const FIELDS: usize = 4;

/// Where the numbers of each context begin.
const OFFSETS: [usize; CONTEXTS + 1] = {
    let sizes = [
        SHAPE, FAR, SYMBOL, COMPARE, PAIR, PAIR, PAIR, PAIR, PAIR, PAIR, PAIR, PAIR, FIELD, FIELD,
        FIELD, FIELD,
    ];
    let mut offsets = [0; CONTEXTS + 1];
    let mut i = 0;
    while i < CONTEXTS {
        offsets[i + 1] = offsets[i] + sizes[i];
        i += 1;
    }
    offsets
};

/// The numbers of a model.
pub(super) const SIZE: usize = OFFSETS[CONTEXTS];

/// The pairs of pieces whose distance counts, counted from the end of the row.
const PAIRED: [(usize, usize); PAIRS] =
    [(0, 1), (0, 2), (0, 3), (1, 2), (1, 3), (2, 3), (0, 4), (1, 4)];

/// What a part's symbols and board look like.
#[derive(Clone, Debug)]
pub(super) struct Shape {
    /// Fields in a row of the board, as far as we can tell.
    pub(super) width: usize,
    /// Lost, drawn or won, for each symbol.
    pub(super) classes: Vec<u8>,
    /// The distance of two fields as one number.
    apart: Box<[[u8; 64]; 64]>,
}

impl Shape {
    pub(super) fn new(width: usize, classes: Vec<u8>) -> Shape {
        let mut apart = Box::new([[0; 64]; 64]);
        for (a, row) in apart.iter_mut().enumerate() {
            for (b, entry) in row.iter_mut().enumerate() {
                // A multiple of 16 more than 8, so that narrow and wide boards do not go below 0.
                let (dx, dy) = (a % width + 72 - b % width, a / width + 72 - b / width);
                *entry = ((dx & 15) << 4 | dy & 15) as u8;
            }
        }
        Shape { width, classes, apart }
    }
}

/// The values around the slot at hand.
///
/// `plane[g][f]` is the last value seen with the last piece on f and the one before it on g: for
/// slots of this walk over the plane that are behind us the value itself, for those ahead the value
/// when the third piece from the end stood where it stood before.
pub(super) struct Around {
    plane: Box<[[u16; 64]; 64]>,
}

/// What is known about a slot before its value.
pub(super) struct Situation {
    pub(super) near: [u16; NEIGHBOURS],
    changes: usize,
    bases: [u32; PAIRS + FIELDS],
}

impl Around {
    pub(super) fn new() -> Around {
        Around { plane: Box::new([[0; 64]; 64]) }
    }

    #[inline]
    pub(super) fn set(&mut self, pieces: &Pieces, symbol: u16) {
        self.plane[pieces.back_from_end(1) & 63][pieces.back_from_end(0) & 63] = symbol;
    }

    #[inline]
    pub(super) fn situation(&self, shape: &Shape, pieces: &Pieces) -> Situation {
        let w = shape.width;
        let (f, g) = (pieces.back_from_end(0) & 63, pieces.back_from_end(1) & 63);
        let line = &self.plane[g];
        let old = line[f];
        let left = f % w != 0;
        let up = f >= w;
        let west = match (left, up) {
            (true, _) => line[f - 1],
            (false, true) => line[f - w],
            _ => old,
        };
        let north = if up { line[f - w] } else { west };
        let north_east = if up && f % w + 1 < w { line[f - w + 1] } else { north };
        let north_west = if up && left { line[f - w - 1] } else { west };
        let west2 = if f % w >= 2 { line[f - 2] } else { west };
        let north2 = if f >= 2 * w { line[f - 2 * w] } else { north };
        let (gw, gn) = (g % w != 0, g >= w);
        let other_w = &self.plane[if gw {
            g - 1
        } else if gn {
            g - w
        } else {
            g
        }];
        let other_n = &self.plane[if gn {
            g - w
        } else if gw {
            g - 1
        } else {
            g
        }];
        let other_ne = &self.plane[if gn && g % w + 1 < w {
            g - w + 1
        } else if gn {
            g - w
        } else {
            g
        }];
        let (pw, pn) = (other_w[f], other_n[f]);
        let (before_f, above_f) = (
            if left {
                f - 1
            } else if up {
                f - w
            } else {
                f
            },
            if up {
                f - w
            } else if left {
                f - 1
            } else {
                f
            },
        );
        let top = shape.classes.len() as i32 - 1;
        let slope = |a: u16, b: u16, c: u16| {
            (i32::from(a) + i32::from(b) - i32::from(c)).clamp(0, top) as u16
        };
        let along_w = slope(west, pw, other_w[before_f]);
        let along_n = slope(north, pn, other_n[above_f]);
        let east_old = line[(f + 1) & 63];
        let changes = usize::from(pw == other_w[before_f])
            | usize::from(pn == other_n[before_f]) << 1
            | usize::from(pw == other_w[above_f]) << 2
            | usize::from(pn == other_n[above_f]) << 3
            | usize::from(old == east_old) << 4;
        let near = [
            west,
            north,
            pw,
            pn,
            old,
            along_w,
            north_east,
            north_west,
            west2,
            north2,
            other_ne[f],
            along_n,
        ];
        let mut bases = [0; PAIRS + FIELDS];
        for (base, (a, b)) in bases.iter_mut().zip(PAIRED) {
            if b < pieces.count() {
                let apart = shape.apart[pieces.back_from_end(a) & 63][pieces.back_from_end(b) & 63];
                *base = u32::from(apart) * (LEVELS * CLASSES) as u32;
            }
        }
        for (back, base) in bases[PAIRS..].iter_mut().enumerate() {
            *base = (pieces.back_from_end(back) & 63) as u32 * (LEVELS * CLASSES) as u32;
        }
        Situation { near, changes, bases }
    }
}

/// The places in the model of the numbers that add up for a candidate.
pub(super) type Places = [u32; CONTEXTS];

impl Situation {
    #[inline]
    pub(super) fn places(&self, shape: &Shape, candidate: u16, tried: usize) -> Places {
        let near = &self.near;
        let mut mask = 0;
        for (i, &n) in near.iter().enumerate() {
            mask |= usize::from(n == candidate) << i;
        }
        let tried = tried.min(TRIES - 1);
        let first = mask & 63;
        let agree = (first & 31).count_ones() as usize;
        let level = if agree >= 4 { 2 } else { usize::from(agree >= 2) };
        let class = usize::from(shape.classes[usize::from(candidate)]);
        let mut compare = 0;
        for &n in &near[..5] {
            let order = if n == candidate {
                0
            } else if n < candidate {
                1
            } else {
                2
            };
            compare = compare * 3 + order;
        }
        let symbol = usize::from(candidate).min(SYMBOLS - 1);
        let detail = (level * CLASSES + class) as u32;
        let mut places = [0; CONTEXTS];
        places[0] = ((tried * 64 + first) * 32 + self.changes) as u32;
        places[1] = (OFFSETS[1] + (tried * 64 + (mask >> 6)) * 4 + (mask & 3)) as u32;
        places[2] = (OFFSETS[2] + (tried * SYMBOLS + symbol) * LEVELS + level) as u32;
        places[3] = (OFFSETS[3] + tried * 243 + compare) as u32;
        for (i, &base) in self.bases.iter().enumerate() {
            places[4 + i] = OFFSETS[4 + i] as u32 + base + detail;
        }
        places
    }

    /// Tries candidates until one is right. `ask` is told where the numbers for a candidate are and
    /// what it is, and says whether it is right.
    #[inline]
    pub(super) fn tell(
        &self,
        shape: &Shape,
        mut ask: impl FnMut(&Places, u16) -> bool,
        rest: impl FnOnce() -> u16,
    ) -> u16 {
        let all = shape.classes.len();
        let mut tried = [0u16; NEIGHBOURS + 4];
        let mut count = 0;
        let first = self.near[0];
        let near = self.near.iter().copied();
        let beside = [1i32, -1, 2, -2]
            .into_iter()
            .map(|step| i32::from(first) + step)
            .filter(|&s| s >= 0 && (s as usize) < all)
            .map(|s| s as u16);
        for candidate in near.chain(beside) {
            if tried[..count].contains(&candidate) {
                continue;
            }
            if count + 1 == all {
                return candidate;
            }
            let places = self.places(shape, candidate, count);
            if ask(&places, candidate) {
                return candidate;
            }
            tried[count] = candidate;
            count += 1;
        }
        if count + 1 == all {
            // All but one were wrong.
            return (0..all as u16).find(|s| !tried[..count].contains(s)).unwrap_or(0);
        }
        rest()
    }
}

/// 65536 · 1/(1+e^(−x/32)), for x from −RANGE to RANGE; by multiplication alone, which every
/// processor does alike.
const RANGE: i32 = 352;

pub(super) fn odds_table() -> Box<[u32]> {
    const STEP: f64 = 1.031_743_407_499_102_7;
    let mut power = 1.0f64;
    let mut table = vec![0; 2 * RANGE as usize + 1];
    for x in 0..=RANGE as usize {
        let p = (65536.0 / (1.0 + 1.0 / power)) as u32;
        let p = p.clamp(1, 65535);
        table[RANGE as usize + x] = p;
        table[RANGE as usize - x] = 65536 - p;
        power *= STEP;
    }
    table.into()
}

/// A fitted model, ready to use.
pub(super) struct Model {
    numbers: Box<[i8]>,
    odds: Box<[u32]>,
}

impl Model {
    /// A model from its stored numbers.
    pub(super) fn new(numbers: Box<[i8]>) -> Option<Model> {
        (numbers.len() == SIZE).then(|| Model { numbers, odds: odds_table() })
    }

    /// The probability of yes.
    #[inline]
    pub(super) fn probability(&self, places: &Places) -> u32 {
        let sum: i32 = places.iter().map(|&p| i32::from(self.numbers[p as usize])).sum();
        self.odds[(sum.clamp(-RANGE, RANGE) + RANGE) as usize]
    }

    /// The numbers, to store.
    pub(super) fn numbers(&self) -> &[i8] {
        &self.numbers
    }
}
