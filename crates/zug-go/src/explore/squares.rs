//! Where does a symmetry take a point, and which key has a position?
//!
//! Eight keys are kept while a game is played through, one for each way to look at the board. The
//! smallest names the position whichever way it lies. Eight more keys see one corner each: every
//! symmetry takes exactly one corner to the top left, and two symmetries the same, so a corner has two
//! keys, of which the smaller names it.

use crate::board::Board;
use crate::corpus::map_code;
use crate::point::Point;
use zug_core::Side;
use zug_core::seed::mix;

/// The symmetries of the square.
pub const SYMMETRIES: usize = 8;

/// The tables of one board size.
#[derive(Clone, Debug)]
pub struct Squares {
    /// Points along an edge.
    pub size: usize,
    /// Points along an edge of a corner: half of the board, with the line in the middle.
    pub half: usize,
    images: [Vec<u16>; SYMMETRIES],
    inverse: [usize; SYMMETRIES],
    /// The corner that each symmetry takes to the top left: bit 0 is right, bit 1 is bottom.
    corner: [usize; SYMMETRIES],
    zobrist: Vec<[u64; 2]>,
}

/// The code of a point.
#[must_use]
pub fn code_of(p: Point, size: usize) -> u16 {
    (p.x() + size * p.y()) as u16
}

/// The point of a code.
#[must_use]
pub fn point_of(code: u16, size: usize) -> Point {
    Point::at(usize::from(code) % size, usize::from(code) / size)
}

impl Squares {
    /// The tables of a size from 2 to 19.
    #[must_use]
    pub fn new(size: usize) -> Squares {
        let points = (size * size) as u16;
        let images: [Vec<u16>; SYMMETRIES] = std::array::from_fn(|s| {
            (0..points).map(|code| map_code(s, size as u16, code)).collect()
        });
        let undoes = |s: usize, t: usize| {
            (0..points).all(|c| images[t][usize::from(images[s][usize::from(c)])] == c)
        };
        let inverse = std::array::from_fn(|s| {
            (0..SYMMETRIES).find(|&t| undoes(s, t)).expect("a symmetry can be undone")
        });
        let corner = std::array::from_fn(|s| {
            let home = images[inverse[s]][0];
            let (x, y) = (usize::from(home) % size, usize::from(home) / size);
            usize::from(x > 0) + 2 * usize::from(y > 0)
        });
        let salt = mix(0x00E7_910E ^ size as u64);
        let zobrist = (0..u64::from(points))
            .map(|c| [mix(salt ^ mix(2 * c + 1)), mix(salt ^ mix(2 * c + 2))])
            .collect();
        Squares { size, half: size.div_ceil(2), images, inverse, corner, zobrist }
    }

    /// How many points there are.
    #[must_use]
    pub fn points(&self) -> usize {
        self.size * self.size
    }

    /// Where a symmetry takes a point.
    #[must_use]
    pub fn image(&self, symmetry: usize, code: u16) -> u16 {
        self.images[symmetry][usize::from(code)]
    }

    /// The symmetry that undoes another.
    #[must_use]
    pub fn inverse(&self, symmetry: usize) -> usize {
        self.inverse[symmetry]
    }

    /// The two symmetries that take a corner to the top left.
    pub fn symmetries_of(&self, corner: usize) -> impl Iterator<Item = usize> + '_ {
        (0..SYMMETRIES).filter(move |&s| self.corner[s] == corner)
    }

    /// Does a point lie in the corner at the top left?
    #[must_use]
    pub fn in_corner(&self, code: u16) -> bool {
        let (x, y) = (usize::from(code) % self.size, usize::from(code) / self.size);
        x < self.half && y < self.half
    }

    /// Does a point lie in this corner?
    #[must_use]
    pub fn lies_in(&self, corner: usize, code: u16) -> bool {
        let (x, y) = (usize::from(code) % self.size, usize::from(code) / self.size);
        let far = self.size - self.half;
        let across = if corner & 1 == 0 { x < self.half } else { x >= far };
        let down = if corner & 2 == 0 { y < self.half } else { y >= far };
        across && down
    }
}

/// The keys of a position, from every side.
#[derive(Clone, Debug)]
pub struct Keys<'a> {
    squares: &'a Squares,
    whole: [u64; SYMMETRIES],
    corners: [u64; SYMMETRIES],
    /// Stones on the board.
    pub stones: u16,
    /// Stones in each corner.
    pub in_corner: [u16; 4],
}

/// A key, and the symmetries under which it is the smallest: several where the position is symmetric
/// itself.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Canonical {
    /// The same for all images.
    pub key: u64,
    /// A bit for each symmetry.
    pub symmetries: u8,
}

impl Canonical {
    fn of(
        keys: &[u64; SYMMETRIES],
        among: impl Iterator<Item = usize> + Clone,
        salt: u64,
    ) -> Canonical {
        let least = among.clone().map(|s| keys[s]).min().unwrap_or(0);
        let symmetries = among.filter(|&s| keys[s] == least).fold(0, |bits, s| bits | 1 << s);
        Canonical { key: mix(least ^ salt), symmetries }
    }

    /// The smallest image of a point under these symmetries.
    #[must_use]
    pub fn image(self, squares: &Squares, code: u16) -> u16 {
        self.each().map(|s| squares.image(s, code)).min().unwrap_or(code)
    }

    /// One of the points that have this image.
    #[must_use]
    pub fn original(self, squares: &Squares, image: u16) -> u16 {
        self.each().map(|s| squares.image(squares.inverse(s), image)).next().unwrap_or(image)
    }

    fn each(self) -> impl Iterator<Item = usize> {
        (0..SYMMETRIES).filter(move |s| self.symmetries >> s & 1 == 1)
    }
}

impl<'a> Keys<'a> {
    /// The keys of the empty board.
    #[must_use]
    pub fn new(squares: &'a Squares) -> Keys<'a> {
        Keys {
            squares,
            whole: [0; SYMMETRIES],
            corners: [0; SYMMETRIES],
            stones: 0,
            in_corner: [0; 4],
        }
    }

    /// A stone comes (`by` is 1) or goes (−1).
    pub fn change(&mut self, code: u16, side: Side, by: i16) {
        let colour = side.index();
        self.stones = self.stones.wrapping_add_signed(by);
        for s in 0..SYMMETRIES {
            let image = self.squares.image(s, code);
            let key = self.squares.zobrist[usize::from(image)][colour];
            self.whole[s] ^= key;
            if self.squares.in_corner(image) {
                self.corners[s] ^= key;
            }
        }
        for corner in 0..4 {
            if self.squares.lies_in(corner, code) {
                self.in_corner[corner] = self.in_corner[corner].wrapping_add_signed(by);
            }
        }
    }

    /// The key of the whole board with a side to move.
    #[must_use]
    pub fn whole(&self, to_move: Side) -> Canonical {
        const SALTS: [u64; 2] = [mix(0x00B1_AC00), mix(0x0037_17E0)];
        Canonical::of(&self.whole, 0..SYMMETRIES, SALTS[to_move.index()])
    }

    /// The key of a corner; it does not say who is to move.
    #[must_use]
    pub fn corner(&self, corner: usize) -> Canonical {
        const SALT: u64 = mix(0x0C0_4E40);
        let squares = self.squares;
        let among = (0..SYMMETRIES).filter(move |&s| squares.corner[s] == corner);
        Canonical::of(&self.corners, among, SALT)
    }
}

/// Plays a move that is known to be legal, and tells which stones come and go.
pub fn play(board: &mut Board, p: Point, side: Side, tell: &mut dyn FnMut(Point, Side, bool)) {
    let enemy = side.other();
    let mut seen: Vec<Point> = Vec::new();
    for q in p.neighbours() {
        if board.at(q).side() == Some(enemy)
            && !seen.contains(&q)
            && board.last_liberty(q) == Some(p)
        {
            for stone in board.chain_stones(q) {
                seen.push(stone);
                tell(stone, enemy, false);
            }
        }
    }
    tell(p, side, true);
    board.play(p, side);
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn every_corner_has_two_symmetries_that_bring_it_home() {
        for size in [2, 5, 9, 13, 18, 19] {
            let squares = Squares::new(size);
            for corner in 0..4 {
                assert_eq!(squares.symmetries_of(corner).count(), 2);
                for s in squares.symmetries_of(corner) {
                    for code in 0..squares.points() as u16 {
                        let inside = squares.in_corner(squares.image(s, code));
                        assert_eq!(inside, squares.lies_in(corner, code), "{size} {corner} {code}");
                    }
                }
            }
        }
    }

    #[test]
    fn captures_are_told() {
        let position = crate::Position::from_text("1XO1/XO1O/1XO1/4 black", 4).unwrap();
        let mut board = position.board().clone();
        let mut told = Vec::new();
        play(&mut board, Point::at(2, 1), Side::First, &mut |p, side, comes| {
            told.push((p, side, comes));
        });
        assert_eq!(
            told,
            [(Point::at(1, 1), Side::Second, false), (Point::at(2, 1), Side::First, true)]
        );
    }

    proptest! {
        #[test]
        fn images_have_the_same_keys_and_moves_go_with_them(
            stones in prop::collection::btree_map(0u16..81, any::<bool>(), 0..20),
            symmetry in 0usize..8,
            mv in 0u16..81,
        ) {
            let squares = Squares::new(9);
            let (mut here, mut there) = (Keys::new(&squares), Keys::new(&squares));
            for (&code, &black) in &stones {
                let side = if black { Side::First } else { Side::Second };
                here.change(code, side, 1);
                there.change(squares.image(symmetry, code), side, 1);
            }
            let (a, b) = (here.whole(Side::First), there.whole(Side::First));
            prop_assert_eq!(a.key, b.key);
            prop_assert_ne!(a.key, here.whole(Side::Second).key);
            prop_assert_eq!(a.image(&squares, mv), b.image(&squares, squares.image(symmetry, mv)));
            // What comes back is the move or one that the position cannot tell from it.
            let back = a.original(&squares, a.image(&squares, mv));
            prop_assert_eq!(a.image(&squares, back), a.image(&squares, mv));
            let mut corners: Vec<u64> = (0..4).map(|c| here.corner(c).key).collect();
            let mut images: Vec<u64> = (0..4).map(|c| there.corner(c).key).collect();
            corners.sort_unstable();
            images.sort_unstable();
            prop_assert_eq!(corners, images);
        }
    }
}
