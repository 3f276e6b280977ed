//! Which stones and sides are near a move?
//!
//! Candidates are all stones on the board and its four sides; the k nearest make the pattern. The
//! thesis states neither the measure nor the distance of a side nor the order of what is equally near:
//! all three are choices here.

use super::example::Example;
use super::offsets::{Code, by_angle, code};
use super::symmetry::{SIDES, Symmetry};
use std::cmp::Ordering;

/// How far is it?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metric {
    /// dx² + dy².
    #[default]
    Euclid,
    /// |dx| + |dy|.
    Manhattan,
    /// The larger of |dx| and |dy|.
    Chebyshev,
    /// |dx| + |dy| + the larger of them, as in Stern, Herbrich and Graepel's patterns.
    Gridcular,
}

impl Metric {
    /// The measures and their names, the default first.
    pub const NAMES: [(&'static str, Metric); 4] = [
        ("euclid", Metric::Euclid),
        ("manhattan", Metric::Manhattan),
        ("chebyshev", Metric::Chebyshev),
        ("gridcular", Metric::Gridcular),
    ];

    /// The length of a step.
    #[must_use]
    pub fn length(self, dx: i32, dy: i32) -> i32 {
        let (x, y) = (dx.abs(), dy.abs());
        match self {
            Metric::Euclid => x * x + y * y,
            Metric::Manhattan => x + y,
            Metric::Chebyshev => x.max(y),
            Metric::Gridcular => x + y + x.max(y),
        }
    }
}

/// What is taken of several that are equally near?
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Ties {
    /// Sides before stones, then clockwise from straight up.
    #[default]
    Sides,
    /// Stones before sides, then clockwise from straight up.
    Stones,
    /// All that are as near as the last one.
    All,
}

impl Ties {
    /// The orders and their names, the default first.
    pub const NAMES: [(&'static str, Ties); 3] =
        [("sides", Ties::Sides), ("stones", Ties::Stones), ("all", Ties::All)];
}

/// How neighbours are chosen.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Nearness {
    /// The measure.
    pub metric: Metric,
    /// How far the side is from a move on the first line: 1 where it is imagined one step outside.
    pub side: i32,
    /// What is equally near.
    pub ties: Ties,
}

impl Default for Nearness {
    fn default() -> Nearness {
        Nearness { metric: Metric::Euclid, side: 1, ties: Ties::Sides }
    }
}

#[derive(Clone, Copy)]
enum Kind {
    Side(u8),
    Stone(Code),
}

/// The stones and sides around a move, from near to far.
pub struct Neighbours {
    found: Vec<(i32, Kind)>,
    all: bool,
}

impl Neighbours {
    /// Those of an example as it stands; it should be in its normal form.
    #[must_use]
    pub fn of(example: &Example, nearness: Nearness) -> Neighbours {
        let (size, (x, y)) = (example.size as i32, (example.at.0 as i32, example.at.1 as i32));
        let mut found: Vec<(i32, (i32, i32), Kind)> = Vec::with_capacity(64);
        for ((side, (dx, dy)), room) in SIDES.into_iter().zip([x, size - 1 - x, y, size - 1 - y]) {
            let away = room + nearness.side;
            found.push((nearness.metric.length(away, 0), (dx, dy), Kind::Side(side)));
        }
        for (i, &cell) in example.cells.iter().enumerate().filter(|(_, c)| **c != 0) {
            let (dx, dy) = (i as i32 % size - x, i as i32 / size - y);
            let kind = Kind::Stone(code(dx, dy, cell == 2));
            found.push((nearness.metric.length(dx, dy), (dx, dy), kind));
        }
        let stone_first = nearness.ties == Ties::Stones;
        let late = |kind: &Kind| matches!(kind, Kind::Stone(_)) != stone_first;
        found.sort_by(|a, b| -> Ordering {
            let nearer = a.0.cmp(&b.0).then_with(|| late(&a.2).cmp(&late(&b.2)));
            // On one ray, in measures that call both equally long, the shorter comes first.
            let short = |s: (i32, i32)| s.0 * s.0 + s.1 * s.1;
            nearer.then_with(|| by_angle(a.1, b.1)).then_with(|| short(a.1).cmp(&short(b.1)))
        });
        let found = found.into_iter().map(|(away, _, kind)| (away, kind)).collect();
        Neighbours { found, all: nearness.ties == Ties::All }
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.found.len()
    }

    /// The sides and stones among the `k` nearest.
    #[must_use]
    pub fn nearest(&self, k: usize) -> (u8, Vec<Code>) {
        let last = self.found[..k.min(self.found.len())].last().map(|n| n.0);
        let (mut sides, mut stones) = (0, Vec::with_capacity(k));
        for (i, &(away, kind)) in self.found.iter().enumerate() {
            if i >= k && !(self.all && Some(away) == last) {
                break;
            }
            match kind {
                Kind::Side(side) => sides |= side,
                Kind::Stone(code) => stones.push(code),
            }
        }
        (sides, stones)
    }
}

/// The smallest form of a pattern: what equals it but for turning and mirroring has the same.
///
/// The first word holds the column of the move where the left or right side was chosen and its row
/// where the upper or lower side was, the second the sides; the rest are the stones, rising. A side
/// does not become part of the map: it ties the move to its line. Smallest means that a pattern with
/// sides along one axis has them left and right, since a column that is not tied counts as large.
#[must_use]
pub(super) fn canonical(size: usize, at: (usize, usize), sides: u8, stones: &[Code]) -> Vec<u16> {
    let form = |s: Symmetry| {
        let (x, y) = s.map(size, at.0, at.1);
        let sides = s.sides(sides);
        let mut words = Vec::with_capacity(2 + stones.len());
        words.push(tied(sides, x, y));
        words.push(u16::from(sides));
        words.extend(stones.iter().map(|&c| super::offsets::turned(s, c)));
        words[2..].sort_unstable();
        words
    };
    Symmetry::ALL.into_iter().map(form).min().unwrap_or_default()
}

/// A coordinate that no side ties.
pub(super) const LOOSE: u16 = 0xFF;

fn tied(sides: u8, x: usize, y: usize) -> u16 {
    use super::symmetry::{BOTTOM, LEFT, RIGHT, TOP};
    let coordinate = |sides_of, at| if sides & sides_of != 0 { at as u16 } else { LOOSE };
    coordinate(LEFT | RIGHT, x) << 8 | coordinate(TOP | BOTTOM, y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Board;
    use crate::point::Point;
    use zug_core::Side;

    fn example(size: usize, stones: &[(usize, usize, Side)], at: (usize, usize)) -> Example {
        let mut board = Board::new(size);
        for &(x, y, side) in stones {
            board.play(Point::at(x, y), side);
        }
        Example::of(&board, Side::First, Point::at(at.0, at.1), 1 + stones.len() as u32)
    }

    fn counts(example: &Example, k: usize) -> (usize, u32) {
        let (sides, stones) = Neighbours::of(example, Nearness::default()).nearest(k);
        (stones.len(), sides.count_ones())
    }

    #[test]
    fn an_early_opening_is_seen_whole() {
        // As in the thesis: with k = 9 an early position gives five stones and all four sides.
        use Side::{First, Second};
        let stones =
            [(15, 3, First), (3, 3, Second), (15, 15, First), (3, 15, Second), (16, 9, First)];
        assert_eq!(counts(&example(19, &stones, (13, 2)), 9), (5, 4));
        // A move in the corner sees two sides, and a crowded place sees stones alone.
        let near =
            [(14, 2, First), (14, 3, Second), (15, 4, First), (13, 4, Second), (12, 2, First)];
        assert_eq!(counts(&example(19, &near, (15, 2)), 7), (5, 2));
        let crowd: Vec<(usize, usize, Side)> = (8..12)
            .flat_map(|x| (8..12).map(move |y| (x, y, if x % 2 == 0 { First } else { Second })))
            .filter(|&(x, y, _)| (x, y) != (9, 9))
            .collect();
        assert_eq!(counts(&example(19, &crowd, (9, 9)), 9), (9, 0));
    }

    #[test]
    fn what_is_equally_near_is_ordered_or_taken_whole() {
        // A stone two steps away and a side two steps away, and four stones around.
        let stones = [(3, 1, Side::First)];
        let here = example(9, &stones, (1, 1));
        let nearest = |ties, k| {
            let (sides, stones) =
                Neighbours::of(&here, Nearness { ties, ..Nearness::default() }).nearest(k);
            (sides.count_ones(), stones.len())
        };
        assert_eq!(nearest(Ties::Sides, 2), (2, 0));
        assert_eq!(nearest(Ties::Stones, 2), (1, 1));
        assert_eq!(nearest(Ties::All, 1), (2, 1));
        let inside = Nearness { side: 0, ..Nearness::default() };
        let (sides, _) = Neighbours::of(&here, inside).nearest(2);
        assert_eq!(sides.count_ones(), 2);
        for (name, metric) in Metric::NAMES {
            let expected = match name {
                "euclid" => 13,
                "manhattan" => 5,
                "chebyshev" => 3,
                _ => 8,
            };
            assert_eq!(metric.length(-3, 2), expected);
        }
    }

    #[test]
    fn a_shape_has_one_form_wherever_and_however_it_lies() {
        let a = [code(1, 0, false), code(0, -2, true)];
        let loose = canonical(19, (5, 7), 0, &a);
        assert_eq!(loose[0], LOOSE << 8 | LOOSE);
        for s in Symmetry::ALL {
            let turned: Vec<Code> =
                a.iter().map(|&c| super::super::offsets::turned(s, c)).collect();
            assert_eq!(canonical(19, (11, 3), 0, &turned), loose);
            // One side: always the left one, at the same distance.
            let (x, y) = s.map(19, 2, 7);
            let sided = canonical(19, (x, y), s.sides(1), &turned);
            assert_eq!((sided[0], sided[1]), (2 << 8 | LOOSE, 1));
            assert_eq!(sided, canonical(19, (2, 12), 1, &a));
        }
    }
}
