//! How is a board turned and mirrored, with the three reflections that the thesis allows itself?
//!
//! Columns `x` from the left, rows `y` from the top, both from 0:
//!
//! ```text
//! H  at the horizontal     (x, N−1−y)
//! V  at the vertical       (N−1−x, y)
//! A  at the anti-diagonal  (N−1−y, N−1−x)     from lower left to upper right
//! ```
//!
//! All eight symmetries are products of them, always in the order A, then H, then V: that is the order
//! which brings a move home from any of the eight triangles. H, then A, then V would be A alone.

/// One of the eight symmetries: bit 0 for A, bit 1 for H, bit 2 for V, done in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Symmetry(u8);

impl Symmetry {
    /// All eight, the one that changes nothing first.
    pub const ALL: [Symmetry; 8] = {
        let mut all = [Symmetry(0); 8];
        let mut i = 0;
        while i < 8 {
            all[i] = Symmetry(i as u8);
            i += 1;
        }
        all
    };

    /// Its number, from 0 to 7.
    #[must_use]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Where a step to the right and down goes.
    #[must_use]
    pub const fn turn(self, dx: i32, dy: i32) -> (i32, i32) {
        let (mut x, mut y) = (dx, dy);
        if self.0 & 1 != 0 {
            (x, y) = (-y, -x);
        }
        if self.0 & 2 != 0 {
            y = -y;
        }
        if self.0 & 4 != 0 {
            x = -x;
        }
        (x, y)
    }

    /// Where a point goes on a board of this size.
    #[must_use]
    pub const fn map(self, size: usize, x: usize, y: usize) -> (usize, usize) {
        let last = size as i32 - 1;
        // Around the middle of the board, in half steps.
        let (a, b) = self.turn(2 * x as i32 - last, 2 * y as i32 - last);
        (((a + last) / 2) as usize, ((b + last) / 2) as usize)
    }

    /// The symmetry that undoes it.
    #[must_use]
    pub const fn inverse(self) -> Symmetry {
        let mut i = 0;
        while i < 7 {
            let (x, y) = Symmetry(i).turn(1, 2);
            if let (1, 2) = self.turn(x, y) {
                return Symmetry(i);
            }
            i += 1;
        }
        Symmetry(7)
    }

    /// Where the sides go; see [`LEFT`].
    #[must_use]
    pub fn sides(self, sides: u8) -> u8 {
        let mut mapped = 0;
        for (side, (dx, dy)) in SIDES {
            if sides & side != 0 {
                let there = self.turn(dx, dy);
                mapped |= SIDES.iter().find(|s| s.1 == there).map_or(0, |s| s.0);
            }
        }
        mapped
    }
}

/// The left side, as a bit of a set of sides.
pub const LEFT: u8 = 1;
/// The right side.
pub const RIGHT: u8 = 2;
/// The upper side.
pub const TOP: u8 = 4;
/// The lower side.
pub const BOTTOM: u8 = 8;
/// The sides, and the ways to them.
pub(super) const SIDES: [(u8, (i32, i32)); 4] =
    [(LEFT, (-1, 0)), (RIGHT, (1, 0)), (TOP, (0, -1)), (BOTTOM, (0, 1))];

/// Is the point in the triangle that moves are brought to: upper right, at least as near to the right
/// side as to the upper one? By custom the first move of a game is played there.
#[must_use]
pub const fn is_home(size: usize, x: usize, y: usize) -> bool {
    let last = size - 1;
    2 * x >= last && 2 * y <= last && last - x <= y
}

#[cfg(test)]
mod tests {
    use super::*;

    const N: usize = 19;

    fn h((x, y): (usize, usize)) -> (usize, usize) {
        (x, N - 1 - y)
    }
    fn v((x, y): (usize, usize)) -> (usize, usize) {
        (N - 1 - x, y)
    }
    fn a((x, y): (usize, usize)) -> (usize, usize) {
        (N - 1 - y, N - 1 - x)
    }

    #[test]
    fn reflections_are_done_in_the_order_a_h_v() {
        for (x, y) in [(3, 5), (0, 18), (9, 9), (12, 1)] {
            for s in Symmetry::ALL {
                let mut p = (x, y);
                for (bit, reflect) in [(1, a as fn(_) -> _), (2, h), (4, v)] {
                    if s.index() & bit != 0 {
                        p = reflect(p);
                    }
                }
                assert_eq!(s.map(N, x, y), p, "{s:?}");
                assert_eq!(s.inverse().map(N, p.0, p.1), (x, y), "{s:?}");
            }
            // The warning of the thesis: in this order the main diagonal is the mirror …
            assert_eq!(v(h(a((x, y)))), (y, x));
            // … and in the other one nothing is gained over A alone.
            assert_eq!(v(a(h((x, y)))), a((x, y)));
        }
    }

    #[test]
    fn every_point_has_a_way_home_and_inner_ones_have_one_way() {
        for size in [9, 19] {
            let middle = (size - 1) / 2;
            for x in 0..size {
                for y in 0..size {
                    let ways = Symmetry::ALL
                        .iter()
                        .filter(|s| {
                            let (x, y) = s.map(size, x, y);
                            is_home(size, x, y)
                        })
                        .count();
                    let axes = [x == middle, y == middle, x == y, x + y == size - 1];
                    let expected = match axes.iter().filter(|&&on| on).count() {
                        0 => 1,
                        1 => 2,
                        _ => 8,
                    };
                    assert_eq!(ways, expected, "{x},{y}");
                }
            }
        }
    }

    #[test]
    fn sides_go_where_points_beside_them_go() {
        for s in Symmetry::ALL {
            assert_eq!(s.sides(15), 15);
            for (side, (dx, dy)) in SIDES {
                let there = s.turn(dx, dy);
                assert_eq!(SIDES.iter().find(|t| t.0 == s.sides(side)).unwrap().1, there);
            }
        }
    }
}
