//! Where do the points around a point lie, and what are their keys under the eight symmetries?
//!
//! Patterns are discs of points around a move, by the distance |dx| + |dy| + max(|dx|, |dy|). The key of
//! a pattern is the exclusive or of the keys of its stones. All eight mirror images are hashed at
//! the same time, in eight lanes that lie side by side; the smallest lane is the key of the shape.

use std::sync::LazyLock;
use zug_core::seed::mix;

/// Points around the board that count as border: the largest disc fits.
pub const MARGIN: usize = 9;
/// From a cell to the one below it.
pub const STRIDE: usize = 19 + 2 * MARGIN;
/// Cells of a board with its margins.
pub const CELLS: usize = STRIDE * STRIDE;
/// The largest distance of a point from the middle of a disc.
pub const WIDEST: usize = 16;

/// The eight images of a key.
pub type Lanes = [u64; 8];

/// The image of an offset: bit 0 mirrors left and right, bit 1 top and bottom, bit 2 exchanges rows
/// and columns, last.
const fn map(symmetry: usize, (mut x, mut y): (i32, i32)) -> (i32, i32) {
    if symmetry & 1 != 0 {
        x = -x;
    }
    if symmetry & 2 != 0 {
        y = -y;
    }
    if symmetry & 4 != 0 { (y, x) } else { (x, y) }
}

/// The distance of two points that differ by this.
#[inline]
#[must_use]
pub const fn distance(dx: i32, dy: i32) -> usize {
    let (x, y) = (dx.unsigned_abs(), dy.unsigned_abs());
    (x + y + if x > y { x } else { y }) as usize
}

/// What a cell of a pattern may hold, each with keys of its own.
pub const CONTENTS: usize = 16;

/// A point of the largest disc.
#[derive(Clone, Copy, Debug)]
pub struct Offset {
    /// From a cell to this one.
    pub step: i16,
    /// Across and down.
    pub at: (i8, i8),
}

/// Offsets in the order of their distance, and their keys.
pub struct Discs {
    /// The points, nearest first, without the middle.
    pub offsets: Vec<Offset>,
    /// How many offsets lie within a distance.
    pub within: [usize; WIDEST + 1],
    /// Keys of a content at an offset.
    keys: Vec<[Lanes; CONTENTS]>,
    /// The number of an offset, by `(dy + MARGIN) × 19 + dx + MARGIN`.
    number: Vec<u8>,
}

/// The one table of its kind.
pub static DISCS: LazyLock<Discs> = LazyLock::new(Discs::new);

const NO_OFFSET: u8 = u8::MAX;
const SPAN: i32 = 2 * MARGIN as i32 + 1;

/// The key of a content at a place of a plane: a number made from the numbers alone, so that files
/// mean the same on every machine.
fn raw_key(plane: u64, x: i32, y: i32) -> u64 {
    mix(mix(plane.wrapping_mul(0x9E37_79B9_7F4A_7C15)) ^ ((x + 64) as u64) << 32 ^ (y + 64) as u64)
}

impl Discs {
    fn new() -> Discs {
        let reach = MARGIN as i32;
        let mut all: Vec<(i32, i32)> = Vec::new();
        for y in -reach..=reach {
            for x in -reach..=reach {
                if (1..=WIDEST).contains(&distance(x, y)) {
                    all.push((x, y));
                }
            }
        }
        all.sort_by_key(|&(x, y)| (distance(x, y), y, x));
        let mut number = vec![NO_OFFSET; (SPAN * SPAN) as usize];
        for (i, &(x, y)) in all.iter().enumerate() {
            number[((y + reach) * SPAN + x + reach) as usize] = i as u8;
        }
        let mut within = [0; WIDEST + 1];
        for (limit, count) in within.iter_mut().enumerate() {
            *count = all.iter().filter(|&&(x, y)| distance(x, y) <= limit).count();
        }
        let key = |at: (i32, i32), content: usize| -> Lanes {
            std::array::from_fn(|symmetry| {
                let (x, y) = map(symmetry, at);
                raw_key(content as u64 + 1, x, y)
            })
        };
        Discs {
            offsets: all
                .iter()
                .map(|&(x, y)| Offset {
                    step: (y * STRIDE as i32 + x) as i16,
                    at: (x as i8, y as i8),
                })
                .collect(),
            within,
            keys: all.iter().map(|&at| std::array::from_fn(|c| key(at, c))).collect(),
            number,
        }
    }

    /// The keys of a content at an offset.
    #[inline]
    pub fn key(&self, offset: usize, content: usize) -> &Lanes {
        &self.keys[offset][content]
    }

    /// The number of the offset from one point to another, if it is in the largest disc.
    #[inline]
    pub fn number(&self, dx: i32, dy: i32) -> Option<usize> {
        let reach = MARGIN as i32;
        if dx.abs() > reach || dy.abs() > reach {
            return None;
        }
        let number = self.number[((dy + reach) * SPAN + dx + reach) as usize];
        (number != NO_OFFSET).then_some(usize::from(number))
    }
}

/// Adds (or takes away) keys.
#[inline]
pub fn add(lanes: &mut Lanes, key: &Lanes) {
    for (lane, key) in lanes.iter_mut().zip(key) {
        *lane ^= key;
    }
}

/// The key that all images share.
#[inline]
#[must_use]
pub fn smallest(lanes: &Lanes) -> u64 {
    let mut least = lanes[0];
    for &lane in &lanes[1..] {
        least = least.min(lane);
    }
    least
}

/// The key of a content at a place of a corner, and the same with rows and columns exchanged.
#[must_use]
pub fn corner_key(content: usize, x: usize, y: usize) -> [u64; 2] {
    let plane = 0x00C0_0000 + content as u64;
    [raw_key(plane, x as i32, y as i32), raw_key(plane, y as i32, x as i32)]
}

/// The key of a content at a place of the whole board, in all images.
#[must_use]
pub fn board_key(content: usize, x: usize, y: usize, size: usize) -> Lanes {
    let plane = 0x00B0_0000 + content as u64 + 16 * size as u64;
    // Twice the distance from the middle, so that symmetries are those of offsets.
    let middle = size as i32 - 1;
    let at = (2 * x as i32 - middle, 2 * y as i32 - middle);
    std::array::from_fn(|symmetry| {
        let (x, y) = map(symmetry, at);
        raw_key(plane, x, y)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn discs_grow_as_the_distance_does() {
        let discs = &*DISCS;
        assert_eq!(&discs.within[..9], [0, 0, 4, 8, 12, 20, 28, 36, 48]);
        assert_eq!(discs.within[WIDEST], discs.offsets.len());
        assert!(discs.offsets.len() < usize::from(NO_OFFSET));
        for (i, offset) in discs.offsets.iter().enumerate() {
            let (x, y) = (i32::from(offset.at.0), i32::from(offset.at.1));
            assert_eq!(discs.number(x, y), Some(i));
        }
        assert_eq!(discs.number(0, 0), None);
        assert_eq!(discs.number(9, 9), None);
    }

    #[test]
    fn images_of_a_pattern_have_one_key() {
        let discs = &*DISCS;
        let stones = [((1, 0), 1), ((2, -3), 2), ((-1, 4), 1)];
        let key = |symmetry: usize| {
            let mut lanes = [0; 8];
            for &(at, content) in &stones {
                let (x, y) = map(symmetry, at);
                add(&mut lanes, discs.key(discs.number(x, y).unwrap(), content));
            }
            smallest(&lanes)
        };
        for symmetry in 1..8 {
            assert_eq!(key(symmetry), key(0));
        }
    }
}
