//! The instances of many patterns at once, and how a move changes them.
//!
//! Every image of every pattern has a lane, a 16-bit number. An own disc on a square adds a power of
//! three to the lanes whose images contain the square, a disc of the other side takes it away. So a
//! move is a sum of rows of a table with one row of lanes a square, and seeing the board from the
//! other side is one subtraction a lane. Compilers turn these loops over whole rows into vector
//! code.

use super::Pattern;
use crate::Board;
use crate::bits::{self, Squares};
use zug_core::TextError;

/// The most images of all patterns of a set together.
pub const LANES: usize = 64;

/// The word for the table over the numbers of moves of both sides and the parity of the empty
/// squares: who has the last move is worth a disc or two, which lines between knots cannot follow.
const MOBILITY: &str = "mobility";
/// More moves than this count as this many.
const MOST_MOVES: u32 = 23;
const MOBILITY_CELLS: usize = 2 * (MOST_MOVES as usize + 1) * (MOST_MOVES as usize + 1);

/// The instance on every lane, as the side to move sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C, align(64))]
pub struct Indices(pub [u16; LANES]);

/// Patterns that are used together.
#[derive(Clone, Debug)]
pub struct PatternSet {
    patterns: Vec<Pattern>,
    has_mobility: bool,
    /// How many lanes are in use.
    lanes: usize,
    /// For each lane its pattern.
    pattern_of: Vec<usize>,
    /// For each pattern how many images, and so lanes, it has.
    images: Vec<usize>,
    /// For each lane where the instances of its pattern begin, when those of all patterns lie one
    /// after another.
    starts: Vec<u32>,
    /// For each instance of each pattern its cell. Instances that a symmetry of their pattern
    /// exchanges share a cell.
    cell_of: Vec<u32>,
    cells: usize,
    /// What an own disc adds, by square.
    steps: Box<[Indices; 64]>,
    /// The same for eight squares of a row at once, by row and set.
    rows: Box<[[Indices; 256]; 8]>,
    /// The lanes of the empty board.
    empty: Indices,
    /// The last instance of every lane.
    last: Indices,
}

impl PatternSet {
    /// Reads a list: names of patterns, squares, and `mobility` for the table over the numbers of
    /// moves of both sides.
    pub fn parse<S: AsRef<str>>(list: &[S]) -> Result<PatternSet, TextError> {
        let mut patterns: Vec<Pattern> = Vec::new();
        let mut has_mobility = false;
        let mut lanes = 0;
        for text in list.iter().map(|t| t.as_ref().trim()) {
            if text == MOBILITY {
                has_mobility = true;
                continue;
            }
            let pattern = Pattern::parse(text)?;
            if patterns.iter().any(|p| p.placements() == pattern.placements()) {
                return Err(TextError::new(0, "each pattern once", format!("'{text}' again")));
            }
            lanes += pattern.placements().len();
            // Before the next is looked at: a list may be long.
            if lanes > LANES {
                let expected = format!("patterns with at most {LANES} images in all");
                return Err(TextError::new(0, expected, format!("{lanes} or more")));
            }
            patterns.push(pattern);
        }
        if lanes == 0 {
            return Err(TextError::new(0, "at least one pattern", "none"));
        }
        Ok(PatternSet::new(patterns, has_mobility))
    }

    fn new(patterns: Vec<Pattern>, has_mobility: bool) -> PatternSet {
        let zero = Indices([0; LANES]);
        let mut steps = Box::new([zero; 64]);
        let (mut empty, mut last) = (zero, zero);
        let (mut pattern_of, mut starts, mut cell_of) = (Vec::new(), Vec::new(), Vec::new());
        let mut cells = 0;
        for (number, pattern) in patterns.iter().enumerate() {
            for placement in pattern.placements() {
                let lane = starts.len();
                starts.push(cell_of.len() as u32);
                pattern_of.push(number);
                let mut power = 1;
                for &square in placement {
                    steps[usize::from(square)].0[lane] = power;
                    empty.0[lane] += power;
                    last.0[lane] += 2 * power;
                    power = power.wrapping_mul(3);
                }
            }
            let first = cell_of.len();
            for (instance, representative) in pattern.representatives().into_iter().enumerate() {
                if usize::from(representative) == instance {
                    cell_of.push(cells as u32);
                    cells += 1;
                } else {
                    cell_of.push(cell_of[first + usize::from(representative)]);
                }
            }
        }
        if has_mobility {
            cells += MOBILITY_CELLS;
        }
        let lanes = starts.len();
        let mut rows = Box::new([[zero; 256]; 8]);
        for (row, sums) in rows.iter_mut().enumerate() {
            for (set, sum) in sums.iter_mut().enumerate() {
                for column in bits::each(set as u64) {
                    add(sum, &steps[8 * row + column as usize]);
                }
            }
        }
        let images = patterns.iter().map(|p| p.placements().len()).collect();
        PatternSet {
            patterns,
            images,
            has_mobility,
            lanes,
            pattern_of,
            starts,
            cell_of,
            cells,
            steps,
            rows,
            empty,
            last,
        }
    }

    /// The patterns.
    #[must_use]
    pub fn patterns(&self) -> &[Pattern] {
        &self.patterns
    }

    /// As a list that [`parse`](PatternSet::parse) reads.
    #[must_use]
    pub fn list(&self) -> Vec<String> {
        let mobility = self.has_mobility.then(|| MOBILITY.to_string());
        self.patterns.iter().map(Pattern::to_string).chain(mobility).collect()
    }

    /// How many lanes are in use.
    #[must_use]
    pub fn lanes(&self) -> usize {
        self.lanes
    }

    /// How many lanes each pattern has.
    #[must_use]
    pub fn images(&self) -> &[usize] {
        &self.images
    }

    /// The pattern of a lane.
    #[must_use]
    pub fn pattern_of(&self, lane: usize) -> usize {
        self.pattern_of[lane]
    }

    /// How many cells all tables have together, those that symmetry makes equal counted once.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.cells
    }

    /// How many instances all patterns have together.
    #[must_use]
    pub fn instances(&self) -> usize {
        self.cell_of.len()
    }

    /// The cell of each instance of each pattern, one pattern after another.
    #[must_use]
    pub fn cell_of_instances(&self) -> &[u32] {
        &self.cell_of
    }

    /// Where the instances of each lane's pattern begin in
    /// [`cell_of_instances`](PatternSet::cell_of_instances).
    #[must_use]
    pub fn starts(&self) -> &[u32] {
        &self.starts
    }

    /// The names of the tables with the range of their cells.
    #[must_use]
    pub fn tables(&self) -> Vec<(String, std::ops::Range<usize>)> {
        let mut tables = Vec::new();
        let mut first = 0;
        let mut instances = 0;
        for pattern in &self.patterns {
            instances += pattern.instances();
            let end = self.cell_of[..instances].iter().max().map_or(0, |&c| c as usize + 1);
            tables.push((pattern.to_string(), first..end));
            first = end;
        }
        if self.has_mobility {
            tables.push((MOBILITY.to_string(), first..self.cells));
        }
        tables
    }

    /// Does the table over the numbers of moves belong to the set?
    #[must_use]
    pub fn has_mobility(&self) -> bool {
        self.has_mobility
    }

    /// The place of a board in the table over the numbers of moves, which follows all others.
    #[inline]
    #[must_use]
    pub fn mobility_place(board: Board) -> usize {
        PatternSet::mobility_place_of(board, board.moves(), board.replies())
    }

    /// The same, where the squares that both sides may play to are known.
    #[inline(always)]
    #[must_use]
    pub fn mobility_place_of(board: Board, moves: Squares, replies: Squares) -> usize {
        let moves = moves.count_ones().min(MOST_MOVES);
        let replies = replies.count_ones().min(MOST_MOVES);
        let parity = board.empties() % 2;
        ((parity * (MOST_MOVES + 1) + moves) * (MOST_MOVES + 1) + replies) as usize
    }

    /// How large the table over the numbers of moves is.
    #[must_use]
    pub const fn mobility_cells() -> usize {
        MOBILITY_CELLS
    }

    /// The cells of a board: one for each lane, and one of the table over the numbers of moves.
    pub fn cells_of(&self, board: Board, out: &mut Vec<u32>) {
        out.clear();
        let indices = self.indices(board);
        for (&start, &index) in self.starts.iter().zip(&indices.0) {
            out.push(self.cell_of[start as usize + usize::from(index)]);
        }
        if self.has_mobility {
            out.push((self.cells - MOBILITY_CELLS + PatternSet::mobility_place(board)) as u32);
        }
    }

    /// The lanes of a board.
    #[must_use]
    pub fn indices(&self, board: Board) -> Indices {
        let mut indices = self.empty;
        for (row, sums) in self.rows.iter().enumerate() {
            add(&mut indices, &sums[(board.own >> (8 * row) & 0xFF) as usize]);
            subtract(&mut indices, &sums[(board.other >> (8 * row) & 0xFF) as usize]);
        }
        indices
    }

    /// The lanes after a move of the side to move, seen by the other side.
    #[inline]
    #[must_use]
    pub fn played(&self, before: &Indices, square: u32, flips: Squares) -> Indices {
        let mut turned = Indices([0; LANES]);
        for flip in bits::each(flips) {
            add(&mut turned, &self.steps[flip as usize]);
        }
        let placed = &self.steps[square as usize & 63];
        let mut after = self.last;
        for lane in 0..LANES {
            let own = before.0[lane]
                .wrapping_add(placed.0[lane])
                .wrapping_add(turned.0[lane].wrapping_mul(2));
            after.0[lane] = after.0[lane].wrapping_sub(own);
        }
        after
    }

    /// The lanes as the other side sees them.
    #[inline]
    #[must_use]
    pub fn passed(&self, before: &Indices) -> Indices {
        let mut after = self.last;
        subtract(&mut after, before);
        after
    }
}

#[inline(always)]
fn add(sum: &mut Indices, more: &Indices) {
    for (a, b) in sum.0.iter_mut().zip(&more.0) {
        *a = a.wrapping_add(*b);
    }
}

#[inline(always)]
fn subtract(sum: &mut Indices, less: &Indices) {
    for (a, b) in sum.0.iter_mut().zip(&less.0) {
        *a = a.wrapping_sub(*b);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Othello;
    use crate::records::testing::random_game;
    use proptest::prelude::*;

    fn strong() -> PatternSet {
        let list = "edge2x corner3x3 corner2x5 row2 row3 row4 diagonal8 diagonal7 diagonal6 \
                    diagonal5 diagonal4 triangle mobility";
        PatternSet::parse(&list.split_whitespace().collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn cells_are_numbered_without_gaps_and_shared_by_symmetric_instances() {
        let set = strong();
        let mut used = vec![false; set.cells()];
        for &cell in set.cell_of_instances() {
            used[cell as usize] = true;
        }
        let mobility = PatternSet::mobility_cells();
        assert!(used[..set.cells() - mobility].iter().all(|&u| u));
        assert!(used[set.cells() - mobility..].iter().all(|&u| !u));
        // Half of the instances of a pattern with a mirror axis, and the symmetric ones, are left.
        let tables = set.tables();
        assert_eq!(tables[0], ("edge2x".to_string(), 0..(59049 + 243) / 2));
        assert_eq!(tables[1].1.len(), (19683 + 729) / 2);
        assert_eq!(tables[2].1.len(), 59049);
        assert_eq!(tables.last().unwrap().1.end, set.cells());
        assert_eq!(PatternSet::parse(&set.list()).unwrap().cells(), set.cells());
    }

    #[test]
    fn the_table_of_mobility_tells_moves_replies_and_the_last_move_apart() {
        let mut seen = std::collections::HashMap::new();
        for seed in 0..50 {
            let mut board = Board::START;
            for mv in random_game(&Othello::default(), seed, usize::MAX) {
                let place = PatternSet::mobility_place(board);
                assert!(place < PatternSet::mobility_cells());
                let few = |moves: Squares| moves.count_ones().min(MOST_MOVES);
                let what = (few(board.moves()), few(board.replies()), board.empties() % 2);
                assert_eq!(*seen.entry(place).or_insert(what), what);
                board = board.after_move(mv);
            }
        }
        assert!(seen.len() > 200);
    }

    #[test]
    fn sets_that_cannot_be_used_are_refused() {
        let bad = |list: &[&str]| PatternSet::parse(list).unwrap_err();
        assert_eq!(bad(&[]).found, "none");
        assert_eq!(bad(&["mobility"]).found, "none");
        assert_eq!(bad(&["edge", "a1-h1"]).found, "'a1-h1' again");
        let many: Vec<String> =
            (0..9).map(|k| format!("a1,b3,{}8", (b'a' + k % 8) as char)).collect();
        assert!(PatternSet::parse(&many).is_err());
    }

    proptest! {
        #[test]
        fn lanes_follow_every_move_and_pass(seed: u64) {
            let set = strong();
            let mut board = Board::START;
            let mut indices = set.indices(board);
            for mv in random_game(&Othello::default(), seed, usize::MAX) {
                indices = match mv.square() {
                    Some(square) => set.played(&indices, square, board.flips(square)),
                    None => set.passed(&indices),
                };
                board = board.after_move(mv);
                prop_assert_eq!(indices, set.indices(board));
                let mut lane = 0;
                for pattern in set.patterns() {
                    for placement in 0..pattern.placements().len() {
                        let expected = pattern.instance(board, placement);
                        prop_assert_eq!(usize::from(indices.0[lane]), expected);
                        lane += 1;
                    }
                }
            }
        }
    }
}
