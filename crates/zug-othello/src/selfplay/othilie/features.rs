//! What does the evaluation function see? The 42 features of the thesis (section 3.4), and the sets
//! that go beyond them.
//!
//! ```text
//!       a b c d e f g h
//!    1  A B C D D C B A      Sixteen classes of four squares, the upper left quarter mirrored left
//!    2  E F G H H G F E      to right and top to bottom. Ring 0 is the border, ring 1 the squares
//!    3  I J K L L K J I      beside it, ring 2 those inside; the four squares of the centre are
//!    4  M N O P P O N M      class P and in no ring.
//!    5  M N O P P O N M
//!    6  I J K L L K J I      Features 1 to 16 are the own discs on a class, 17 to 32 the
//!    7  E F G H H G F E      opponent's, 33 to 38 the rings, 39 and 40 all discs, own and opponent
//!    8  A B C D D C B A      by turns, 41 and 42 tell who is ahead. All lie between 0 and 1.
//! ```
//!
//! "Own" is the side for which the position is evaluated, whoever is to move. Rings and totals are
//! means of classes, so that only 34 terms are independent; the evaluation makes use of that, the
//! learning keeps all 42 weights.

use crate::bits::{self, Squares};

/// The features of the thesis.
pub const FEATURES: usize = 42;

/// Corner squares.
const CORNERS: Squares = 0x8100_0000_0000_0081;

/// The squares of each class, A to P.
pub const CLASSES: [Squares; 16] = {
    let mut classes = [0; 16];
    let mut square = 0;
    while square < 64 {
        classes[class_of(square)] |= 1 << square;
        square += 1;
    }
    classes
};

/// The squares of the three rings, from the border inwards.
pub const RINGS: [Squares; 3] =
    [0xFF81_8181_8181_81FF, 0x007E_4242_4242_7E00, 0x0000_3C24_243C_0000];

/// The number of the class (0 for A to 15 for P) of a square.
#[must_use]
pub const fn class_of(square: u32) -> usize {
    let (row, column) = (square / 8, square % 8);
    let row = if row < 4 { row } else { 7 - row };
    let column = if column < 4 { column } else { 7 - column };
    (4 * row + column) as usize
}

/// The 42 features for the side that owns `own`.
///
/// ```
/// use zug_othello::selfplay::othilie::features::features;
/// use zug_othello::Board;
/// let x = features(Board::START.own, Board::START.other);
/// assert_eq!((x[15], x[31]), (0.5, 0.5)); // two discs each on class P
/// assert_eq!((x[38], x[40]), (2.0 / 64.0, 0.0)); // of 64 squares; nobody is ahead
/// ```
#[must_use]
pub fn features(own: Squares, opponent: Squares) -> [f64; FEATURES] {
    let share = |discs: Squares, squares: Squares| {
        f64::from((discs & squares).count_ones()) / f64::from(squares.count_ones())
    };
    let mut x = [0.0; FEATURES];
    for (i, class) in CLASSES.into_iter().enumerate() {
        x[i] = share(own, class);
        x[16 + i] = share(opponent, class);
    }
    for (i, squares) in RINGS.into_iter().chain([!0]).enumerate() {
        x[32 + 2 * i] = share(own, squares);
        x[33 + 2 * i] = share(opponent, squares);
    }
    let (mine, theirs) = (own.count_ones(), opponent.count_ones());
    x[40] = f64::from(u8::from(mine > theirs));
    x[41] = f64::from(u8::from(theirs > mine));
    x
}

/// Which features an evaluation has: the 42 of the thesis and what is added to them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct FeatureSet {
    /// Adds moves and possible moves of both sides.
    pub mobility: bool,
    /// Adds attacked corners, and discs on the C and X squares of empty corners.
    pub corners: bool,
}

/// The number of features that `mobility` adds.
pub const MOBILITY: usize = 4;
/// The number of features that `corners` adds.
pub const CORNER: usize = 6;

/// What the added features are counted against, to lie between 0 and 1.
const MOBILITY_FULL: [u32; MOBILITY] = [32, 32, 48, 48];
const CORNER_FULL: [u32; CORNER] = [4, 4, 8, 8, 4, 4];

const MOBILITY_NAMES: [&str; MOBILITY] =
    ["own moves", "opp moves", "own possible moves", "opp possible moves"];
const CORNER_NAMES: [&str; CORNER] = [
    "own attacked corners",
    "opp attacked corners",
    "own C squares",
    "opp C squares",
    "own X squares",
    "opp X squares",
];

impl FeatureSet {
    /// The 42 of the thesis alone.
    pub const THESIS: FeatureSet = FeatureSet { mobility: false, corners: false };

    /// How many features there are.
    #[must_use]
    pub const fn len(self) -> usize {
        FEATURES + if self.mobility { MOBILITY } else { 0 } + if self.corners { CORNER } else { 0 }
    }

    /// Never: the 42 are always there.
    #[must_use]
    pub const fn is_empty(self) -> bool {
        false
    }

    /// The set of this many features; several sets never have the same number.
    #[must_use]
    pub fn of_len(len: usize) -> Option<FeatureSet> {
        [(false, false), (true, false), (false, true), (true, true)]
            .into_iter()
            .map(|(mobility, corners)| FeatureSet { mobility, corners })
            .find(|set| set.len() == len)
    }

    /// The names of all features, in order.
    #[must_use]
    pub fn names(self) -> Vec<String> {
        let letter = |i: usize| char::from(b'A' + i as u8);
        let mut names: Vec<String> = (0..16).map(|i| format!("own {}", letter(i))).collect();
        names.extend((0..16).map(|i| format!("opp {}", letter(i))));
        for place in ["ring 0", "ring 1", "ring 2", "discs", "ahead"] {
            names.extend([format!("own {place}"), format!("opp {place}")]);
        }
        if self.mobility {
            names.extend(MOBILITY_NAMES.map(str::to_string));
        }
        if self.corners {
            names.extend(CORNER_NAMES.map(str::to_string));
        }
        names
    }

    /// Does this feature (counted from 0) speak of the own side?
    #[must_use]
    pub const fn is_own(feature: usize) -> bool {
        feature < 16 || feature >= 32 && feature.is_multiple_of(2)
    }

    /// The values of all features.
    pub fn write(self, own: Squares, opponent: Squares, out: &mut Vec<f64>) {
        out.clear();
        out.extend(features(own, opponent));
        let shares = |counts: &[u32], full: &[u32], out: &mut Vec<f64>| {
            out.extend(counts.iter().zip(full).map(|(&c, &f)| f64::from(c.min(f)) / f64::from(f)));
        };
        if self.mobility {
            shares(&mobility_counts(own, opponent), &MOBILITY_FULL, out);
        }
        if self.corners {
            shares(&corner_counts(own, opponent), &CORNER_FULL, out);
        }
    }

    /// The weight of one unit of each added count, with the largest count that still matters.
    pub(super) fn unit_weights(self, weights: &[f64]) -> Vec<(f64, u32)> {
        let mut full: Vec<u32> = Vec::new();
        if self.mobility {
            full.extend(MOBILITY_FULL);
        }
        if self.corners {
            full.extend(CORNER_FULL);
        }
        weights[FEATURES..].iter().zip(full).map(|(w, f)| (w / f64::from(f), f)).collect()
    }
}

/// Moves of both sides, and empty squares beside the discs that they could turn over.
pub(super) fn mobility_counts(own: Squares, opponent: Squares) -> [u32; MOBILITY] {
    let empty = !(own | opponent);
    [
        bits::moves(own, opponent, empty).count_ones(),
        bits::moves(opponent, own, empty).count_ones(),
        (bits::neighbours(opponent) & empty).count_ones(),
        (bits::neighbours(own) & empty).count_ones(),
    ]
}

/// Corners that could be taken at once, and discs on squares that give up an empty corner.
pub(super) fn corner_counts(own: Squares, opponent: Squares) -> [u32; CORNER] {
    let empty = !(own | opponent);
    let open = CORNERS & empty;
    let beside = bits::neighbours(open);
    let x_squares = beside & RINGS[1];
    let c_squares = beside & RINGS[0];
    [
        bits::moves(own, opponent, open).count_ones(),
        bits::moves(opponent, own, open).count_ones(),
        (own & c_squares).count_ones(),
        (opponent & c_squares).count_ones(),
        (own & x_squares).count_ones(),
        (opponent & x_squares).count_ones(),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::bits::tests::discs;
    use proptest::prelude::*;

    #[test]
    fn sixteen_classes_of_four_squares_and_three_rings_cover_the_board() {
        assert!(CLASSES.iter().all(|c| c.count_ones() == 4));
        assert_eq!(CLASSES.iter().fold(0, |all, c| all | c), !0);
        assert_eq!(RINGS.map(Squares::count_ones), [28, 20, 12]);
        assert_eq!(RINGS.iter().fold(CLASSES[15], |all, r| all | r), !0);
        // b1 is class B and a2 is class E: the quarter is not mirrored at its diagonal.
        assert_eq!((class_of(1), class_of(8), class_of(63), class_of(35)), (1, 4, 0, 15));
        assert_eq!(FeatureSet::THESIS.names().len(), FEATURES);
        assert_eq!(FeatureSet::THESIS.names()[41], "opp ahead");
    }

    #[test]
    fn the_number_of_weights_tells_the_set() {
        for len in [42, 46, 48, 52] {
            let set = FeatureSet::of_len(len).unwrap();
            assert_eq!((set.len(), set.names().len()), (len, len));
        }
        assert_eq!(FeatureSet::of_len(43), None);
    }

    #[test]
    fn a_lone_disc_on_an_x_square_is_seen_while_the_corner_is_empty() {
        let (b2, a1) = (1 << 9, 1);
        assert_eq!(corner_counts(b2, 0), [0, 0, 0, 0, 1, 0]);
        assert_eq!(corner_counts(b2, a1), [0; 6]);
        assert_eq!(corner_counts(1 << 18, b2), [1, 0, 0, 0, 0, 1]);
    }

    proptest! {
        #[test]
        fn features_lie_between_0_and_1_and_swap_with_the_sides((_, own, opponent) in discs()) {
            let set = FeatureSet { mobility: true, corners: true };
            let (mut x, mut y) = (Vec::new(), Vec::new());
            set.write(own, opponent, &mut x);
            set.write(opponent, own, &mut y);
            prop_assert!(x.iter().all(|v| (0.0..=1.0).contains(v)));
            prop_assert_eq!(&x[..16], &y[16..32]);
            prop_assert_eq!(&x[16..32], &y[..16]);
            for pair in 16..set.len() / 2 {
                prop_assert_eq!(x[2 * pair], y[2 * pair + 1]);
            }
        }

        #[test]
        fn rings_and_totals_are_means_of_classes((_, own, opponent) in discs()) {
            let x = features(own, opponent);
            let mean = |of: &[usize], side: usize| {
                of.iter().map(|c| x[16 * side + c]).sum::<f64>() / of.len() as f64
            };
            for side in 0..2 {
                for (feature, classes) in [
                    (32, &[0, 1, 2, 3, 4, 8, 12][..]),
                    (34, &[5, 6, 7, 9, 13]),
                    (36, &[10, 11, 14]),
                    (38, &[0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15]),
                ] {
                    prop_assert!((x[feature + side] - mean(classes, side)).abs() < 1e-12);
                }
            }
        }
    }
}
