//! Which lines of the board are looked up, and what do the moves along one of them count?
//!
//! A *ray* is a row, a column or a diagonal of at least three squares: 38 in all. Whether a disc may
//! be placed on a square so that it turns over others *within the ray* depends on the ray alone, so
//! each way to fill a ray has a number of local moves for either side, found once and kept in a
//! table (section 2.1 of the thesis). Summed over the rays this approximates mobility: a move that
//! turns over discs on several rays is counted once on each.
//!
//! Fillings are the instances of a [`Pattern`](crate::patterns::Pattern): numbers in base 3 with the
//! empty square as the middle digit, so that exchanging the sides turns the number `i` of `n` squares
//! into `3ⁿ - 1 - i`. They are followed move by move by a [`PatternSet`] whose first 38 lanes are the
//! rays.

use crate::patterns::{Indices, PatternSet};
use std::sync::LazyLock;

/// The number of rays.
pub const RAYS: usize = 38;

/// The patterns whose images are the rays: rows and columns, then diagonals. The four edges are the
/// first images of all.
pub const RAY_PATTERNS: [&str; 10] = [
    "edge",
    "row2",
    "row3",
    "row4",
    "diagonal8",
    "diagonal7",
    "diagonal6",
    "diagonal5",
    "diagonal4",
    "diagonal3",
];

/// How many squares each of [`RAY_PATTERNS`] has, and how many images.
const SHAPES: [(usize, usize); 10] =
    [(8, 4), (8, 4), (8, 4), (8, 4), (8, 2), (7, 4), (6, 4), (5, 4), (4, 4), (3, 4)];

/// The rays that lie along the rim of the board.
const EDGES: usize = 4;

/// Rays and corner blocks: the 46 lanes of the players of the thesis.
#[must_use]
pub fn lanes() -> &'static PatternSet {
    static LANES: LazyLock<PatternSet> = LazyLock::new(|| {
        let list: Vec<&str> = RAY_PATTERNS.into_iter().chain(["corner2x4"]).collect();
        PatternSet::parse(&list).expect("patterns with a name")
    });
    &LANES
}

/// What a ray that is filled in some way contributes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Local {
    /// Own moves minus the other side's, turning over discs on this ray alone.
    pub moves: i8,
    /// Empty squares beside a disc of the other side where the other side has no local move, minus
    /// the same with the sides exchanged (section 2.2). Not yet set to 0 for edges.
    pub potential: i8,
    /// The same, but an empty square between two such discs counts twice.
    pub potential_twice: i8,
}

/// How squares beside a disc of the other side on both sides are counted in potential mobility. The
/// text of the thesis allows both.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TwoSided {
    /// As one square.
    Once,
    /// As two pairs of neighbours, as in the exact measure that is approximated.
    Twice,
}

/// Both approximations by look-up, in tables of two bytes an entry.
#[derive(Debug)]
pub struct RayTables {
    /// Where the table of each ray begins.
    starts: [u16; RAYS],
    /// Local moves and local potential moves.
    cells: Vec<[i8; 2]>,
}

impl RayTables {
    /// The tables for this way of counting.
    #[must_use]
    pub fn get(two_sided: TwoSided) -> &'static RayTables {
        static ONCE: LazyLock<RayTables> = LazyLock::new(|| RayTables::new(TwoSided::Once));
        static TWICE: LazyLock<RayTables> = LazyLock::new(|| RayTables::new(TwoSided::Twice));
        match two_sided {
            TwoSided::Once => &ONCE,
            TwoSided::Twice => &TWICE,
        }
    }

    fn new(two_sided: TwoSided) -> RayTables {
        let mut cells = Vec::new();
        let mut starts_of = [0; 9];
        for (length, start) in starts_of.iter_mut().enumerate().skip(3) {
            *start = cells.len() as u16;
            cells.extend((0..3usize.pow(length as u32)).map(|instance| {
                let local = local(instance, length);
                match two_sided {
                    TwoSided::Once => [local.moves, local.potential],
                    TwoSided::Twice => [local.moves, local.potential_twice],
                }
            }));
        }
        let mut starts = [0; RAYS];
        let lengths = SHAPES.iter().flat_map(|&(squares, images)| vec![squares; images]);
        for (start, length) in starts.iter_mut().zip(lengths) {
            *start = starts_of[length];
        }
        RayTables { starts, cells }
    }

    /// What one ray contributes when it is filled in this way: local moves and potential moves.
    ///
    /// Edges have no potential: a chain on an edge cannot be broken by a move on another ray.
    #[inline(always)]
    #[must_use]
    pub fn cell(&self, ray: usize, instance: u16) -> [i8; 2] {
        let [moves, potential] = self.cells[usize::from(self.starts[ray] + instance)];
        [moves, if ray < EDGES { 0 } else { potential }]
    }

    /// Approximate mobility: own local moves minus the other side's, over all rays.
    #[inline]
    #[must_use]
    pub fn mobility(&self, indices: &Indices) -> i32 {
        (0..RAYS).map(|ray| i32::from(self.cell(ray, indices.0[ray])[0])).sum()
    }

    /// Approximate mobility and approximate potential mobility.
    #[inline]
    #[must_use]
    pub fn both(&self, indices: &Indices) -> (i32, i32) {
        let (mut moves, mut potential) = (0, 0);
        for ray in 0..RAYS {
            let cell = self.cell(ray, indices.0[ray]);
            moves += i32::from(cell[0]);
            potential += i32::from(cell[1]);
        }
        (moves, potential)
    }
}

/// What a ray of so many squares contributes when it is filled in this way.
#[must_use]
pub fn local(instance: usize, squares: usize) -> Local {
    let digit = |k: usize| (instance / 3usize.pow(k as u32) % 3) as i8 - 1;
    local_of(&(0..squares).map(digit).collect::<Vec<i8>>())
}

fn local_of(line: &[i8]) -> Local {
    let mut sum = Local::default();
    for side in [1, -1] {
        for square in (0..line.len()).filter(|&i| line[i] == 0) {
            sum.moves += side * i8::from(can_play(line, square, side));
            if !can_play(line, square, -side) {
                let beside = [square.checked_sub(1), Some(square + 1)];
                let hostile = beside
                    .into_iter()
                    .flatten()
                    .filter(|&i| line.get(i).is_some_and(|&d| d == -side))
                    .count() as i8;
                sum.potential += side * hostile.min(1);
                sum.potential_twice += side * hostile;
            }
        }
    }
    sum
}

/// Would a disc of `side` on this square turn over others of the line?
fn can_play(line: &[i8], square: usize, side: i8) -> bool {
    let encloses = |along: &mut dyn Iterator<Item = &i8>| {
        let mut turned = 0;
        for &digit in along {
            if digit == -side {
                turned += 1;
            } else {
                return digit == side && turned > 0;
            }
        }
        false
    };
    encloses(&mut line[square + 1..].iter()) || encloses(&mut line[..square].iter().rev())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::naive;
    use crate::records::testing::random_game;
    use crate::{Board, Move, Othello};
    use proptest::prelude::*;

    fn squares_of(text: &str) -> u64 {
        let pattern = crate::patterns::Pattern::parse(text).unwrap();
        pattern.placements()[0].iter().fold(0, |set, &s| set | 1 << s)
    }

    #[test]
    fn the_rays_are_those_of_the_thesis_and_none_else() {
        let mut expected: Vec<u64> = "a2-g8 b1-h7 a7-g1 b8-h2 a3-f8 c1-h6 a6-f1 c8-h3 a4-e8 d1-h5 \
            a5-e1 d8-h4 a5-d8 e1-h4 a4-d1 e8-h5 a6-c8 f1-h3 a3-c1 f8-h6 a1-h8 a8-h1"
            .split_whitespace()
            .map(squares_of)
            .collect();
        for k in 0..8u8 {
            expected.push(0xFF << (8 * k));
            expected.push(0x0101_0101_0101_0101 << k);
        }
        expected.sort_unstable();
        let patterns = &lanes().patterns()[..RAY_PATTERNS.len()];
        let mut found: Vec<u64> = patterns
            .iter()
            .flat_map(|p| p.placements())
            .map(|squares| squares.iter().fold(0, |set, &s| set | 1 << s))
            .collect();
        let rim = 0xFF81_8181_8181_81FF;
        assert!(found.iter().enumerate().all(|(ray, set)| (set & !rim == 0) == (ray < EDGES)));
        found.sort_unstable();
        assert_eq!((found.len(), &found), (RAYS, &expected));
        assert_eq!(lanes().lanes(), RAYS + 8);
        let shape = |p: &crate::patterns::Pattern| (p.len(), p.placements().len());
        assert_eq!(patterns.iter().map(shape).collect::<Vec<_>>(), SHAPES);
    }

    #[test]
    fn the_corner_blocks_are_those_of_the_thesis() {
        let block = &lanes().patterns()[RAY_PATTERNS.len()];
        let mut found: Vec<Vec<u8>> = block.placements().to_vec();
        found.sort();
        let mut expected: Vec<Vec<u8>> = [
            "a1 b1 c1 d1 a2 b2 c2 d2",
            "a1 a2 a3 a4 b1 b2 b3 b4",
            "h1 g1 f1 e1 h2 g2 f2 e2",
            "h1 h2 h3 h4 g1 g2 g3 g4",
            "a8 b8 c8 d8 a7 b7 c7 d7",
            "a8 a7 a6 a5 b8 b7 b6 b5",
            "h8 g8 f8 e8 h7 g7 f7 e7",
            "h8 h7 h6 h5 g8 g7 g6 g5",
        ]
        .iter()
        .map(|text| {
            let square = |s: &str| Move::from_ascii(s.as_bytes()[0], s.as_bytes()[1], 8)?.square();
            text.split(' ').map(|s| square(s).unwrap() as u8).collect()
        })
        .collect();
        expected.sort();
        assert_eq!(found, expected);
    }

    /// A line written with `X` for own discs, `O` for the other side's and `-`.
    fn line(text: &str) -> Local {
        let digit = |b| "O-X".find(char::from(b)).expect("a disc or an empty square");
        local(text.bytes().rev().fold(0, |index, b| 3 * index + digit(b)), text.len())
    }

    #[test]
    fn local_moves_and_potential_moves_of_lines_counted_by_hand() {
        assert_eq!(line("XO------"), Local { moves: 1, potential: 1, potential_twice: 1 });
        // Own moves at both ends; the other side's in the gap counts once though it turns over discs
        // on both sides.
        assert_eq!(line("-OX-XO--").moves, 2 - 1);
        assert_eq!(line("XO-OX---").moves, 1 - 1);
        // An empty square between two hostile discs where the other side cannot move.
        assert_eq!(line("---O-O--"), Local { moves: 0, potential: 3, potential_twice: 4 });
        // The third square is a move of the other side's, so it is no potential move of ours, but
        // the one beyond is; ours cannot move to the third, so it is a potential move of theirs.
        assert_eq!(line("OX-O----"), Local { moves: -1, potential: 1 - 1, potential_twice: 1 - 1 });
        assert_eq!(line("OX-").moves, -1);
        assert_eq!(line("OX-").potential, -1);
        assert_eq!(line("XO-").potential, 1);
        assert_eq!(line("-X-").potential, -2);
        assert_eq!(line("XXXXXXXX"), Local::default());
    }

    #[test]
    fn exchanging_the_sides_negates_and_turning_the_ray_round_keeps_every_entry() {
        for squares in 3..=8 {
            let instances = 3usize.pow(squares as u32);
            for instance in 0..instances {
                let entry = local(instance, squares);
                let swapped = local(instances - 1 - instance, squares);
                assert_eq!(swapped.moves, -entry.moves);
                assert_eq!(swapped.potential, -entry.potential);
                assert_eq!(swapped.potential_twice, -entry.potential_twice);
                let turned = (0..squares as u32)
                    .fold(0, |turned, k| 3 * turned + instance / 3usize.pow(k) % 3);
                assert_eq!(local(turned, squares), entry);
            }
        }
    }

    /// Local moves counted on the whole board: for each empty square and side, the number of the
    /// four axes along which discs are turned over.
    fn axes_with_flips(board: Board) -> i32 {
        let mut sum = 0;
        for square in crate::bits::each(board.empty()) {
            for (sign, own, other) in [(1, board.own, board.other), (-1, board.other, board.own)] {
                for axis in [(0i32, 1i32), (1, 0), (1, 1), (1, -1)] {
                    let flips = naive::flips(8, square, own, other);
                    let (row, column) = (square as i32 / 8, square as i32 % 8);
                    let on_axis = |s: u32| {
                        let (r, c) = (s as i32 / 8 - row, s as i32 % 8 - column);
                        r * axis.1 == c * axis.0
                    };
                    sum += sign * i32::from(crate::bits::each(flips).any(on_axis));
                }
            }
        }
        sum
    }

    proptest! {
        #[test]
        fn look_ups_count_each_move_once_on_every_ray_where_it_turns_over_discs(seed: u64) {
            let mut board = Board::START;
            let mut indices = lanes().indices(board);
            for mv in random_game(&Othello::default(), seed, usize::MAX) {
                indices = match mv.square() {
                    Some(square) => lanes().played(&indices, square, board.flips(square)),
                    None => lanes().passed(&indices),
                };
                board = board.after_move(mv);
                prop_assert_eq!(indices, lanes().indices(board));
                let tables = RayTables::get(TwoSided::Once);
                let mobility = tables.mobility(&indices);
                prop_assert_eq!(mobility, axes_with_flips(board));
                prop_assert_eq!(mobility, tables.both(&indices).0);
                let passed = tables.both(&lanes().passed(&indices));
                prop_assert_eq!((-passed.0, -passed.1), tables.both(&indices));
            }
        }
    }
}
