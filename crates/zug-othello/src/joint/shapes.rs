//! Which sets of squares could be patterns? Connected ones, grown square by square.
//!
//! Half of the sets are grown in mirror images, since a pattern with a mirror axis has four images
//! on the board and others eight: it takes half of the lanes.

use crate::bits::{self, Squares};
use crate::patterns::{MOST_SQUARES, Pattern};
use zug_core::seed::{Rng, RngExt};

/// Where sets begin to grow: corners, their neighbours, edges, and the centre. The symmetries bring
/// the rest.
const SEEDS: [u32; 10] = [0, 0, 1, 9, 2, 3, 10, 18, 19, 27];

/// Mirrors left and right; exchanges rows and columns.
const MIRRORS: [usize; 2] = [1, 4];

/// The smallest image of a set: the same for all sets that are the same pattern.
#[must_use]
pub fn canonical(squares: Squares) -> Squares {
    (0..8).map(|s| bits::symmetric_image(s, 8, squares)).min().unwrap_or(squares)
}

/// The squares of a pattern.
#[must_use]
pub fn squares_of(pattern: &Pattern) -> Squares {
    pattern.placements()[0].iter().fold(0, |set, &square| set | 1 << square)
}

/// The text of a pattern with these squares.
#[must_use]
pub fn text_of(squares: Squares) -> String {
    let name = |square: u32| format!("{}{}", (b'a' + (square % 8) as u8) as char, square / 8 + 1);
    bits::each(squares).map(name).collect::<Vec<_>>().join(",")
}

/// A random set of `size` squares at most that grew from a seed, with a mirror axis or without one.
/// A seed and its mirror image may stay apart: see [`is_connected`].
#[must_use]
pub fn grown(rng: &mut Rng, size: usize) -> Squares {
    let size = size.clamp(1, MOST_SQUARES) as u32;
    let mirror = match rng.random_range(0..4) {
        0 => Some(MIRRORS[0]),
        1 => Some(MIRRORS[1]),
        _ => None,
    };
    let with_image = |square: u32| {
        let set = 1u64 << square;
        set | mirror.map_or(0, |m| bits::symmetric_image(m, 8, set))
    };
    let mut set = with_image(SEEDS[rng.random_range(0..SEEDS.len())]);
    loop {
        let border = neighbours(set) & !set;
        let fitting: Vec<u64> = bits::each(border)
            .map(with_image)
            .filter(|&more| (set | more).count_ones() <= size)
            .collect();
        if fitting.is_empty() || set.count_ones() >= size {
            return set;
        }
        // Of two that are drawn, the one that touches more of the set: compact sets see more.
        let mut draw = || fitting[rng.random_range(0..fitting.len())];
        let (one, other) = (draw(), draw());
        let touched = |more: u64| (neighbours(more) & set).count_ones();
        set |= if touched(one) >= touched(other) { one } else { other };
    }
}

/// Squares next to a set, in all eight directions, and the set itself.
fn neighbours(set: Squares) -> Squares {
    let not_a = !0x0101_0101_0101_0101u64;
    let not_h = !0x8080_8080_8080_8080u64;
    let row = set | (set << 1 & not_a) | (set >> 1 & not_h);
    row | row << 8 | row >> 8
}

/// Does every square touch another of the set, so that one can walk through all?
#[must_use]
pub fn is_connected(set: Squares) -> bool {
    let mut reached = set & set.wrapping_neg();
    loop {
        let next = neighbours(reached) & set;
        if next == reached {
            return reached == set;
        }
        reached = next;
    }
}

/// So many different connected patterns of five to ten squares, none of those known already.
#[must_use]
pub fn candidates(rng: &mut Rng, count: usize, known: &[Squares]) -> Vec<Squares> {
    let mut found: Vec<Squares> = Vec::new();
    // A bound on the tries: a game of chance need not end.
    for _ in 0..100 * count {
        if found.len() == count {
            break;
        }
        let size = [8, 8, 9, 10, 10, 10][rng.random_range(0..6)];
        let set = canonical(grown(rng, size));
        let is_new = !found.contains(&set) && !known.contains(&set);
        if set.count_ones() >= 5 && is_connected(set) && is_new {
            found.push(set);
        }
    }
    found
}

/// Lanes that the pattern of a set takes.
#[must_use]
pub fn lanes(set: Squares) -> usize {
    let mut images: Vec<Squares> = (0..8).map(|s| bits::symmetric_image(s, 8, set)).collect();
    images.sort_unstable();
    images.dedup();
    images.len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::rng;

    #[test]
    fn candidates_are_connected_new_and_the_same_for_the_same_seed() {
        let corner = squares_of(&Pattern::parse("corner3x3").unwrap());
        let found = candidates(&mut rng(5, 0), 60, &[canonical(corner)]);
        assert_eq!(found.len(), 60);
        let mut four = 0;
        for &set in &found {
            assert!(is_connected(set) && set.count_ones() <= 10 && set != canonical(corner));
            let pattern = Pattern::parse(&text_of(set)).unwrap();
            assert_eq!(squares_of(&pattern), set);
            assert_eq!(pattern.placements().len(), lanes(set));
            assert_eq!(found.iter().filter(|&&s| canonical(s) == canonical(set)).count(), 1);
            four += usize::from(lanes(set) <= 4);
        }
        assert!(four > 5 && four < 55, "{four}");
        assert_eq!(found, candidates(&mut rng(5, 0), 60, &[canonical(corner)]));
        assert_ne!(found, candidates(&mut rng(6, 0), 60, &[canonical(corner)]));
    }

    #[test]
    fn what_lies_apart_is_not_connected() {
        assert!(is_connected(0b11));
        assert!(is_connected(1 | 1 << 9));
        assert!(!is_connected(0b101));
        // The last square of a row and the first of the next are not neighbours.
        assert!(!is_connected(1 << 7 | 1 << 8));
    }
}
