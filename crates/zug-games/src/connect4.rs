//! Connect Four: discs fall to the lowest free field of a column; four in a line win.
//!
//! Bits go up the columns, with one spare bit on top of each, so that lines never run from one
//! column into the next. On 7×6:
//!
//! ```text
//!   6 13 20 27 34 41 48     spare, always 0
//!  ---------------------
//!   5 12 19 26 33 40 47
//!   4 11 18 25 32 39 46
//!   3 10 17 24 31 38 45
//!   2  9 16 23 30 37 44
//!   1  8 15 22 29 36 43
//!   0  7 14 21 28 35 42
//!   a  b  c  d  e  f  g
//! ```
//!
//! * Adding the bottom bit of a column to the taken fields carries into its lowest free field:
//!   `taken + bottom` has exactly the fields where a disc can land, spare bits meaning "full".
//! * A line in direction `d` (1 up, `height+1` to the right, `height` and `height+2` on the
//!   diagonals) is found with shifts: `b & b>>d & b>>2d & b>>3d`.
//! * The discs of the side to move plus the taken fields are a number that no other position has:
//!   the highest set bit of each column marks its height.

pub mod exact;

use crate::grid::{Grid, bits};
use crate::learning::{solved, suited};
use crate::wiring::{bad_option, entry, find_move, size, words};
use std::sync::Arc;
use zug_book::Places;
use zug_core::indexed::Layout;
use zug_core::seed::mix;
use zug_core::{
    Cell, Evaluator, Game, GameEntry, Guide, Indexed, Outcome, Picture, Retro, Side, Spec,
    StopFlag, Symmetric, TextError,
};
use zug_learn::td::tuples::picture_maps;
use zug_learn::td::{Board, SelfPlayOf};
use zug_solve::SolvableEntry;
use zug_solve::reserve_board;

const LETTERS: [char; 2] = ['X', 'O'];
/// Every combination of column heights is a part of the index; beyond so many combinations, with
/// the number of discs and the side to move, it is not offered.
const LARGEST_INDEX: u64 = 1 << 20;

/// The rules.
#[derive(Clone, Debug)]
pub struct Connect4 {
    width: usize,
    height: usize,
    k: usize,
    /// The bottom field of every column.
    bottom: u64,
    /// Every line of k fields; for the evaluation.
    lines: Arc<[u64]>,
}

/// The discs of both sides; who is to move follows from their number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    discs: [u64; 2],
}

/// A column.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(u8);

impl Connect4 {
    /// A board whose columns, with their spare bits, fit 64 bits, and on which a line of k fits.
    #[must_use]
    pub fn new(width: usize, height: usize, k: usize) -> Option<Connect4> {
        let sizes = 1..=32;
        let fits = sizes.contains(&width)
            && sizes.contains(&height)
            && width <= 26
            && width * (height + 1) <= 64
            && (2..=width.max(height)).contains(&k);
        if !fits {
            return None;
        }
        let bottom = (0..width).fold(0, |mask, column| mask | 1 << (column * (height + 1)));
        let mut game = Connect4 { width, height, k, bottom, lines: Arc::new([]) };
        let fields: Vec<u64> = (0..width * height).map(|f| 1 << game.bit(f)).collect();
        let board = fields.iter().fold(0u64, |mask, f| mask | f);
        let mut lines = Vec::new();
        for distance in game.distances() {
            for &field in &fields {
                let span = field.trailing_zeros() as usize + (k - 1) * distance;
                let line = (0..k).fold(0u128, |line, i| line | u128::from(field) << (i * distance));
                if span < 64 && line as u64 & board == line as u64 {
                    lines.push(line as u64);
                }
            }
        }
        game.lines = lines.into();
        Some(game)
    }

    pub(crate) fn open(spec: &Spec) -> Result<GameEntry, TextError> {
        spec.only(&["", "k"])?;
        let mut board = (7, 6);
        for word in words(spec) {
            board = size(word).ok_or_else(|| bad_option(spec, "a size such as 7x6", word))?;
        }
        let k = spec.parsed("k", "a number")?.unwrap_or(4);
        let game = Connect4::new(board.0, board.1, k).ok_or_else(|| {
            let found = format!("{}x{}, k={k}", board.0, board.1);
            let expected = "a board with width × (height + 1) at most 64 and room for k in a line";
            bad_option(spec, expected, &found)
        })?;
        let moves = (game.width * game.height / 2) as u32;
        let entry = entry(&game, OpenLines, moves, game.learner())
            .symmetric(&game)
            .with_extension(Places::symmetric(&game));
        Ok(if game.combinations() <= LARGEST_INDEX {
            entry.solvable(&game)
        } else {
            entry.retro(&game)
        })
    }

    /// Tables over groups of fields, or over the lines alone. An empty field is told apart by
    /// whether a disc can fall on it now; and each side has its own tables, since a threat is worth
    /// more or less by the row it is in, and which rows those are depends on the side.
    fn learner(&self) -> SelfPlayOf<Connect4> {
        let read = |game: &Connect4, position: &Position, out: &mut [u8]| {
            let own = Self::side(position).index();
            let (mine, theirs) = (position.discs[own], position.discs[1 - own]);
            let landings = game.landings(position);
            for (field, content) in out[..game.width * game.height].iter_mut().enumerate() {
                let at = |board: u64| (board >> game.bit(field) & 1) as u8;
                *content = at(mine) + 2 * at(theirs) + 3 * at(landings);
            }
        };
        let board = Board::pictured(self)
            .reading(4, Arc::new(read))
            .called(&[".", "own", "other", "next"])
            .mapped(picture_maps(self));
        let field = |bit: usize| (0..self.grid().fields()).find(|&f| self.bit(f) == bit);
        let lines: Vec<Vec<u16>> = self
            .lines
            .iter()
            .map(|&line| bits(line).filter_map(field).map(|f| f as u16).collect())
            .collect();
        let tuples = board.walks((self.width * self.height * 3 / 2).clamp(8, 64), 7);
        let lines = board.clone().tuples("lines", &lines);
        let learner =
            SelfPlayOf::new(self, vec![Arc::new(board.tuples("tuples", &tuples)), Arc::new(lines)]);
        let truth = solved();
        suited(learner, 8, false).with_truth(Arc::new(move |game: &Connect4, stop: &StopFlag| {
            let small = (game.combinations() <= LARGEST_INDEX).then(|| truth(game, stop)).flatten();
            small.or_else(|| Some(Box::new(exact::Late::new(game)?)))
        }))
    }

    /// Up, right, and the two diagonals.
    fn distances(&self) -> [usize; 4] {
        [1, self.height + 1, self.height, self.height + 2]
    }

    fn has_line(&self, discs: u64) -> bool {
        // On very flat boards two directions differ by less than a column; the spare bits keep
        // them apart all the same.
        self.distances().into_iter().any(|distance| {
            let line = (0..self.k).fold(u64::MAX, |line, i| {
                line & discs.checked_shr((i * distance) as u32).unwrap_or(0)
            });
            line != 0
        })
    }

    fn side(position: &Position) -> Side {
        let [x, o] = position.discs.map(u64::count_ones);
        if x == o { Side::First } else { Side::Second }
    }

    /// The fields, without spare bits, of all columns.
    fn board(&self) -> u64 {
        self.bottom * ((1 << self.height) - 1)
    }

    /// Where a disc would land in each column that is not full.
    fn landings(&self, position: &Position) -> u64 {
        let taken = position.discs[0] | position.discs[1];
        (taken + self.bottom) & self.board()
    }

    fn column_of(&self, bit: usize) -> usize {
        bit / (self.height + 1)
    }

    /// The bit of a field of the picture, which is numbered row by row from the top left.
    fn bit(&self, field: usize) -> usize {
        let (row, column) = (field / self.width, field % self.width);
        column * (self.height + 1) + self.height - 1 - row
    }

    fn grid(&self) -> Grid {
        Grid { width: self.width, height: self.height }
    }

    /// Heights of all columns × discs of the first side × side to move.
    fn combinations(&self) -> u64 {
        let heights = (self.height as u64 + 1).saturating_pow(self.width as u32);
        heights.saturating_mul((self.width * self.height).div_ceil(2) as u64 + 1).saturating_mul(2)
    }

    /// The heights of the columns.
    fn heights(&self, position: &Position) -> impl Iterator<Item = u32> {
        let taken = position.discs[0] | position.discs[1];
        let (stride, full) = (self.height + 1, (1u64 << self.height) - 1);
        (0..self.width).map(move |column| (taken >> (column * stride) & full).count_ones())
    }

    fn drop_disc(&self, position: &Position, landing: u64) -> Position {
        let mut next = position.clone();
        next.discs[Self::side(position).index()] |= landing;
        next
    }
}

impl Game for Connect4 {
    type Position = Position;
    type Move = Move;

    fn spec(&self) -> String {
        match (self.width, self.height, self.k) {
            (7, 6, 4) => "connect4".to_string(),
            (width, height, 4) => format!("connect4:{width}x{height}"),
            (width, height, k) => format!("connect4:{width}x{height},k={k}"),
        }
    }

    fn title(&self) -> String {
        match (self.width, self.height, self.k) {
            (7, 6, 4) => "Connect Four".to_string(),
            (width, height, k) => format!("Connect {k} on {width}×{height}"),
        }
    }

    fn start(&self) -> Position {
        Position { discs: [0; 2] }
    }

    fn to_move(&self, position: &Position) -> Side {
        Self::side(position)
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        match Side::BOTH.into_iter().find(|s| self.has_line(position.discs[s.index()])) {
            Some(side) => Some(Outcome::win(side, "a line")),
            None => (self.landings(position) == 0).then_some(Outcome::draw("the board is full")),
        }
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        if self.outcome(position).is_none() {
            out.extend(bits(self.landings(position)).map(|b| Move(self.column_of(b) as u8)));
        }
    }

    fn play(&self, position: &mut Position, mv: Move) {
        let column =
            ((1 << self.height) - 1) << (usize::from(mv.0) % self.width * (self.height + 1));
        *position = self.drop_disc(position, self.landings(position) & column);
    }

    fn write_move(&self, _: &Position, mv: Move) -> String {
        char::from(b'a' + mv.0).to_string()
    }

    /// Columns are letters; numbers from 1 are understood, too.
    fn read_move(&self, position: &Position, text: &str) -> Result<Move, TextError> {
        match text.trim().parse::<u8>() {
            Ok(n @ 1..=26) => {
                let letter = char::from(b'a' + n - 1).to_string();
                find_move(self, position, &letter)
            }
            _ => find_move(self, position, text),
        }
    }

    fn write_position(&self, position: &Position) -> String {
        let boards = position.discs.map(|discs| {
            let fields = 0..self.grid().fields();
            fields.filter(|&f| discs >> self.bit(f) & 1 == 1).fold(0, |b, f| b | 1 << f)
        });
        self.grid().write(boards, Self::side(position), LETTERS)
    }

    fn read_position(&self, text: &str) -> Result<Position, TextError> {
        let (boards, side) = self.grid().read(text, LETTERS)?;
        let discs = boards.map(|board| bits(board).fold(0, |d, f| d | 1 << self.bit(f)));
        let [x, o] = discs.map(u64::count_ones);
        if x != o + side.index() as u32 {
            let expected = "as many X as O with x to move, or one more with o to move";
            return Err(TextError::new(0, expected, format!("{x} X, {o} O")));
        }
        // Below every disc there is another, or the bottom.
        let taken = discs[0] | discs[1];
        if taken & !(taken << 1 | self.bottom) != 0 {
            return Err(TextError::new(0, "no disc in the air", format!("'{text}'")));
        }
        if self.has_line(discs[side.index()]) {
            return Err(TextError::new(0, "no line of the side to move", format!("'{text}'")));
        }
        Ok(Position { discs })
    }

    fn picture(&self, position: &Position) -> Picture {
        let cell = |field: usize| {
            let bit = self.bit(field);
            let owner = Side::BOTH.into_iter().find(|s| position.discs[s.index()] >> bit & 1 == 1);
            owner.map_or(Cell::empty(), Cell::disc)
        };
        let cells = (0..self.grid().fields()).map(cell).collect();
        Picture::grid(self.width, self.height, cells, false)
    }

    fn move_cells(&self, position: &Position, mv: Move) -> Vec<usize> {
        let bit = bits(self.landings(position)).find(|&b| self.column_of(b) == usize::from(mv.0));
        let cell = |bit| (0..self.grid().fields()).find(|&field| self.bit(field) == bit);
        bit.and_then(cell).into_iter().collect()
    }

    fn key(&self, position: &Position) -> u64 {
        let taken = position.discs[0] | position.discs[1];
        mix(position.discs[Self::side(position).index()] + taken + self.bottom)
    }

    fn side_name(&self, side: Side) -> &'static str {
        ["red", "yellow"][side.index()]
    }

    /// Discs never leave the board.
    fn reversible_plies(&self, _: &Position) -> usize {
        0
    }

    fn perft(&self, position: &Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        if self.outcome(position).is_some() {
            return 0;
        }
        let landings = self.landings(position);
        if depth == 1 {
            return u64::from(landings.count_ones());
        }
        bits(landings).map(|b| self.perft(&self.drop_disc(position, 1 << b), depth - 1)).sum()
    }
}

impl Symmetric for Connect4 {
    fn symmetries(&self) -> usize {
        if self.width == 1 { 1 } else { 2 }
    }

    fn map_position(&self, symmetry: usize, position: &Position) -> Position {
        if symmetry == 0 {
            return position.clone();
        }
        let stride = self.height + 1;
        let map = |discs: u64| {
            bits(discs).fold(0, |image, bit| {
                let column = self.width - 1 - self.column_of(bit);
                image | 1 << (column * stride + bit % stride)
            })
        };
        Position { discs: position.discs.map(map) }
    }

    fn map_move(&self, symmetry: usize, mv: Move) -> Move {
        if symmetry == 0 { mv } else { Move((self.width - 1) as u8 - mv.0) }
    }
}

/// Gravity leaves few of the ways to put discs on fields. So the heights of the columns are kinds
/// of their own, and a disc has no field but a place in the row of all discs, column by column from
/// the bottom. Where the first side's discs are among them says everything, and every number is a
/// position that gravity allows.
impl Indexed for Connect4 {
    fn layout(&self) -> Layout {
        const NAMES: [&str; 26] = [
            "a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k", "l", "m", "n", "o", "p", "q",
            "r", "s", "t", "u", "v", "w", "x", "y", "z",
        ];
        let (width, fields) = (self.width, (self.width * self.height) as u32);
        NAMES[..width]
            .iter()
            .fold(Layout::new(fields), |layout, name| {
                layout.reserve(name, None, 0..=self.height as u32)
            })
            .piece("disc", Side::First, 0..=fields.div_ceil(2))
            .admit(move |counts, side| {
                let discs: u32 = counts[..width].iter().sum();
                counts[width] == discs.div_ceil(2) && discs as usize % 2 == side.index()
            })
            .within(move |counts| reserve_board(counts[..width].iter().sum()))
            .stages(move |counts| {
                let discs: u32 = counts[..width].iter().sum();
                (fields - discs, format!("{discs:02}-discs"))
            })
            .feeds(move |from, to| {
                let higher = from[..width].iter().zip(to).filter(|(a, b)| **a + 1 == **b).count();
                let same = from[..width].iter().zip(to).filter(|(a, b)| a == b).count();
                (higher, same) == (1, width - 1)
            })
    }

    fn boards(&self, position: &Position, boards: &mut [u64]) {
        let (mut below, mut row) = (0, 0);
        for (column, height) in self.heights(position).enumerate() {
            let first = position.discs[0] >> (column * (self.height + 1));
            let own = reserve_board(height);
            boards[column] = own;
            row |= (first & own) << below;
            below += height;
        }
        boards[self.width] = row;
    }

    fn position_of(&self, boards: &[u64], side: Side) -> Option<Position> {
        let (mut row, mut discs) = (boards[self.width], [0; 2]);
        for (column, &own) in boards[..self.width].iter().enumerate() {
            let at = column * (self.height + 1);
            discs[0] |= (row & own) << at;
            discs[1] |= (!row & own) << at;
            row >>= own.count_ones();
        }
        let position = Position { discs };
        // The side to move cannot have a line: the game would have ended.
        (!self.has_line(discs[side.index()])).then_some(position)
    }
}

impl Retro for Connect4 {
    fn predecessors(&self, position: &Position, out: &mut Vec<Position>) {
        let mover = Self::side(position).other().index();
        if self.has_line(position.discs[1 - mover]) {
            return;
        }
        let taken = position.discs[0] | position.discs[1];
        // Top discs: nothing taken above.
        for bit in bits(position.discs[mover] & !(taken >> 1)) {
            let mut before = position.clone();
            before.discs[mover] &= !(1 << bit);
            if !self.has_line(before.discs[mover]) {
                out.push(before);
            }
        }
    }
}

/// Lines that one side alone can still fill, weighted by the discs in them.
pub struct OpenLines;

impl Evaluator<Connect4> for OpenLines {
    fn evaluate(&self, game: &Connect4, position: &Position) -> i32 {
        let own = game.to_move(position).index();
        let (mine, theirs) = (position.discs[own], position.discs[1 - own]);
        let worth = |discs: u64| 1 << (2 * discs.count_ones().min(6));
        let balance: i32 = game
            .lines
            .iter()
            .map(|line| match (line & mine, line & theirs) {
                (0, 0) => 0,
                (a, 0) => worth(a),
                (0, b) => -worth(b),
                _ => 0,
            })
            .sum();
        5 * balance
    }
}

impl Guide<Connect4> for OpenLines {
    /// Columns in the middle first.
    fn promise(&self, game: &Connect4, _: &Position, mv: Move) -> i32 {
        -(2 * i32::from(mv.0) - (game.width as i32 - 1)).abs()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn connect4() -> Connect4 {
        Connect4::new(7, 6, 4).unwrap()
    }

    #[test]
    fn the_move_tree_has_the_known_counts() {
        let game = connect4();
        let counts: Vec<u64> = (1..=8).map(|d| game.perft(&game.start(), d)).collect();
        assert_eq!(counts, [7, 49, 343, 2_401, 16_807, 117_649, 823_536, 5_673_234]);
    }

    #[test]
    fn lines_agree_with_a_look_at_every_field() {
        for (width, height, k) in
            [(7, 6, 4), (4, 4, 3), (1, 8, 4), (8, 1, 3), (12, 2, 2), (8, 7, 4)]
        {
            let game = Connect4::new(width, height, k).unwrap();
            let mut lines = Vec::new();
            for field in 0..width * height {
                for (right, down) in [(1i32, 0i32), (0, 1), (1, 1), (-1, 1)] {
                    let line: Option<u64> = (0..k as i32).try_fold(0, |line, i| {
                        let column = (field % width) as i32 + i * right;
                        let row = (field / width) as i32 + i * down;
                        let inside = (0..width as i32).contains(&column) && row < height as i32;
                        let bit = || game.bit(row as usize * width + column as usize);
                        inside.then(|| line | 1 << bit())
                    });
                    lines.extend(line);
                }
            }
            let mut known = game.lines.to_vec();
            known.sort_unstable();
            lines.sort_unstable();
            assert_eq!(known, lines, "{width}x{height}");
            for &line in &lines {
                assert!(game.has_line(line));
                assert!(!bits(line).any(|b| game.has_line(line & !(1 << b))));
            }
            let most = lines.iter().fold(0, |all, line| all | line);
            assert_eq!(most & !game.board(), 0);
        }
    }

    #[test]
    fn discs_fall_and_full_columns_are_no_moves() {
        let game = connect4();
        let entry = Connect4::open(&Spec::parse("connect4").unwrap()).unwrap();
        let mut line = entry.game.new_line();
        for _ in 0..3 {
            line.play("d").unwrap();
            line.play("4").unwrap();
        }
        assert_eq!(line.position_text(), "3O3/3X3/3O3/3X3/3O3/3X3 x");
        assert_eq!(line.legal_moves(), ["a", "b", "c", "e", "f", "g"]);
        assert!(line.play("d").is_err());
        assert!(game.read_position("7/7/7/7/3X3/7 o").is_err(), "a disc in the air");
        assert!(game.read_position("7/7/7/7/OOO4/XXXX3 x").is_err(), "one disc too many");
        assert!(game.read_position("7/7/7/7/XXX4/OOOO3 o").is_err(), "no such turn");
    }

    #[test]
    fn boards_that_do_not_fit_are_refused() {
        for spec in
            ["connect4:8x8", "connect4:30x1", "connect4:3x3", "connect4:7x6,k=1", "connect4:0x4"]
        {
            assert!(Connect4::open(&Spec::parse(spec).unwrap()).is_err(), "{spec}");
        }
        assert!(Connect4::new(8, 7, 4).is_some(), "all 64 bits in use");
    }
}
