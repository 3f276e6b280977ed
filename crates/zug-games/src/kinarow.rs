//! k stones in a row on a board without gravity: noughts and crosses and its relatives, in normal
//! play (a row wins) and in losing play (a row loses).
//!
//! A row is k adjacent fields in a line, diagonals included. Whoever completes one of their own
//! ends the game; a full board without a row is a draw. *Losing Tic Tac Toe* of Bahnsen's thesis is
//! `kinarow:4x4,k=3,lose`, or `losing-ttt` for short.
//!
//! Rows are found with shifts: a row that goes in direction `d` (1 to the right, `width` down,
//! `width ± 1` on the diagonals) begins at a field `f` if bits `f`, `f+d`, … `f+(k−1)d` are all set.
//! Shifting also finds rows that wrap around the edge, so each direction has a mask of the fields
//! where a row fits.

use crate::grid::{Grid, bits, map_board};
use crate::learning::{solved, suited};
use crate::wiring::{bad_option, entry, find_move, size, words};
use std::sync::Arc;
use zug_book::Places;
use zug_core::indexed::{FieldMap, Layout, maps};
use zug_core::{
    Evaluator, Game, GameEntry, Guide, Indexed, Outcome, Picture, Retro, Side, Spec, Symmetric,
    TextError,
};
use zug_learn::td::{Board, SelfPlayOf};
use zug_solve::SolvableEntry;

const LETTERS: [char; 2] = ['X', 'O'];
/// Beyond this many fields the placements cannot be counted with 64 bits.
const LARGEST_INDEX: usize = 39;

/// The rules.
#[derive(Clone, Debug)]
pub struct KInARow {
    grid: Grid,
    k: usize,
    lose: bool,
    /// (distance, fields where a row can begin) for each direction.
    directions: [(usize, u64); 4],
    symmetries: Arc<[FieldMap]>,
    /// Every row, as a bitboard; for the evaluation.
    rows: Arc<[u64]>,
}

/// The stones of both sides; who is to move follows from their number.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    stones: [u64; 2],
}

/// The field of a new stone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(u8);

impl KInARow {
    /// A board up to 8×8 on which a row of k fits, or `None`.
    #[must_use]
    pub fn new(width: usize, height: usize, k: usize, lose: bool) -> Option<KInARow> {
        let sizes = 1..=8;
        if !sizes.contains(&width)
            || !sizes.contains(&height)
            || !(2..=width.max(height)).contains(&k)
        {
            return None;
        }
        let grid = Grid { width, height };
        // Steps to the right and down for each direction.
        let steps = [(1i32, 0i32), (0, 1), (1, 1), (-1, 1)];
        let begins = |(right, down): (i32, i32)| -> u64 {
            let fits = |field: &usize| {
                let column = (field % width) as i32 + right * (k as i32 - 1);
                let row = (field / width) as i32 + down * (k as i32 - 1);
                (0..width as i32).contains(&column) && row < height as i32
            };
            (0..grid.fields()).filter(fits).fold(0, |mask, field| mask | 1 << field)
        };
        let directions = steps
            .map(|(right, down)| ((down * width as i32 + right) as usize, begins((right, down))));
        let rows = directions
            .iter()
            .flat_map(|&(distance, begins)| {
                bits(begins).map(move |f| (0..k).fold(0, |row, i| row | 1 << (f + i * distance)))
            })
            .collect();
        let symmetries = symmetries(grid).into();
        Some(KInARow { grid, k, lose, directions, symmetries, rows })
    }

    pub(crate) fn open(spec: &Spec) -> Result<GameEntry, TextError> {
        let (mut board, mut k, mut lose) = ((3, 3), None, false);
        if spec.name == "tictactoe" {
            spec.only(&[])?;
        } else if spec.name == "losing-ttt" {
            spec.only(&[""])?;
            (board, lose) = ((4, 4), true);
            for word in words(spec) {
                board = size(word).ok_or_else(|| bad_option(spec, "a size such as 4x4", word))?;
            }
        } else {
            spec.only(&["", "k"])?;
            if spec.options.is_empty() {
                // Three on 3x3 has a name of its own; this is the smallest that is a fight.
                (board, k) = ((5, 5), Some(4));
            }
            for word in words(spec) {
                match size(word) {
                    Some(found) => board = found,
                    None if word == "lose" => lose = true,
                    None => return Err(bad_option(spec, "a size such as 4x4, or lose", word)),
                }
            }
            k = spec.parsed("k", "a number")?.or(k);
        }
        let k = k.unwrap_or(3);
        let game = KInARow::new(board.0, board.1, k, lose).ok_or_else(|| {
            let found = format!("{}x{}, k={k}", board.0, board.1);
            bad_option(spec, "a board up to 8x8 with room for k in a row, k at least 2", &found)
        })?;
        let moves = game.grid.fields() as u32 / 2;
        let entry = entry(&game, OpenRows, moves, game.learner())
            .symmetric(&game)
            .with_extension(Places::symmetric(&game));
        Ok(if game.grid.fields() <= LARGEST_INDEX {
            entry.solvable(&game)
        } else {
            entry.retro(&game)
        })
    }

    /// Tables over groups of fields, or over the rows alone.
    fn learner(&self) -> SelfPlayOf<KInARow> {
        let read = |game: &KInARow, position: &Position, out: &mut [u8]| {
            let own = Self::side(position).index();
            let (mine, theirs) = (position.stones[own], position.stones[1 - own]);
            for (field, content) in out[..game.grid.fields()].iter_mut().enumerate() {
                *content = (mine >> field & 1 | (theirs >> field & 1) << 1) as u8;
            }
        };
        let wide = |map: &FieldMap| map.iter().map(|&f| u16::from(f)).collect();
        let board = Board::pictured(self)
            .reading(3, Arc::new(read))
            .shared()
            .mapped(self.symmetries.iter().map(wide));
        let fields = |row: &u64| bits(*row).map(|field| field as u16).collect();
        let rows: Vec<Vec<u16>> = self.rows.iter().map(fields).collect();
        let tuples = board.suitable();
        let lines = board.clone().tuples("lines", &rows);
        let learner =
            SelfPlayOf::new(self, vec![Arc::new(board.tuples("tuples", &tuples)), Arc::new(lines)]);
        let fields = self.grid.fields();
        let learner = suited(learner, fields / 2 + 1, fields <= 9);
        if fields <= LARGEST_INDEX { learner.with_truth(solved()) } else { learner }
    }

    fn has_row(&self, stones: u64) -> bool {
        self.directions.iter().any(|&(distance, begins)| {
            let row = (0..self.k).fold(begins, |rows, i| rows & (stones >> (i * distance)));
            row != 0
        })
    }

    fn side(position: &Position) -> Side {
        let [x, o] = position.stones.map(u64::count_ones);
        if x == o { Side::First } else { Side::Second }
    }

    fn free(&self, position: &Position) -> u64 {
        self.grid.all() & !(position.stones[0] | position.stones[1])
    }

    /// The side to move cannot have a row: it would have ended the game when it made it.
    fn is_legal(&self, position: &Position) -> bool {
        !self.has_row(position.stones[Self::side(position).index()])
    }
}

/// The maps of a rectangle, the identity first, each once.
fn symmetries(grid: Grid) -> Vec<FieldMap> {
    let Grid { width, height } = grid;
    let mut found: Vec<FieldMap> = vec![(0..grid.fields() as u8).collect()];
    let mut next = 0;
    while next < found.len() {
        for axis in axes(width, height) {
            let map: FieldMap = found[next].iter().map(|&f| axis[usize::from(f)]).collect();
            if !found.contains(&map) {
                found.push(map);
            }
        }
        next += 1;
    }
    found
}

fn axes(width: usize, height: usize) -> Vec<FieldMap> {
    let mut axes = vec![maps::left_right(width, height), maps::up_down(width, height)];
    if width == height {
        axes.push(maps::falling_diagonal(width));
    }
    axes
}

impl Game for KInARow {
    type Position = Position;
    type Move = Move;

    fn spec(&self) -> String {
        let Grid { width, height } = self.grid;
        if (width, height, self.k, self.lose) == (3, 3, 3, false) {
            return "tictactoe".to_string();
        }
        let lose = if self.lose { ",lose" } else { "" };
        format!("kinarow:{width}x{height},k={}{lose}", self.k)
    }

    fn title(&self) -> String {
        let Grid { width, height } = self.grid;
        if (width, height, self.k, self.lose) == (3, 3, 3, false) {
            return "Tic-tac-toe".to_string();
        }
        let lose = if self.lose { ", a row loses" } else { "" };
        format!("{} in a row on {width}×{height}{lose}", self.k)
    }

    fn start(&self) -> Position {
        Position { stones: [0; 2] }
    }

    fn to_move(&self, position: &Position) -> Side {
        Self::side(position)
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        let owner = Side::BOTH.into_iter().find(|s| self.has_row(position.stones[s.index()]));
        match owner {
            Some(side) if self.lose => Some(Outcome::win(side.other(), "the opponent made a row")),
            Some(side) => Some(Outcome::win(side, "a row")),
            None => (self.free(position) == 0).then_some(Outcome::draw("the board is full")),
        }
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        if self.outcome(position).is_none() {
            out.extend(bits(self.free(position)).map(|field| Move(field as u8)));
        }
    }

    fn play(&self, position: &mut Position, mv: Move) {
        position.stones[Self::side(position).index()] |= 1 << (mv.0 & 63);
    }

    fn write_move(&self, _: &Position, mv: Move) -> String {
        self.grid.name(usize::from(mv.0))
    }

    fn read_move(&self, position: &Position, text: &str) -> Result<Move, TextError> {
        find_move(self, position, text)
    }

    fn write_position(&self, position: &Position) -> String {
        self.grid.write(position.stones, Self::side(position), LETTERS)
    }

    fn read_position(&self, text: &str) -> Result<Position, TextError> {
        let (stones, side) = self.grid.read(text, LETTERS)?;
        let position = Position { stones };
        let [x, o] = stones.map(u64::count_ones);
        if x != o + side.index() as u32 {
            let expected = "as many X as O with x to move, or one more with o to move";
            return Err(TextError::new(0, expected, format!("{x} X, {o} O")));
        }
        if !self.is_legal(&position) {
            let expected = "no row of the side to move";
            return Err(TextError::new(0, expected, format!("'{text}'")));
        }
        Ok(position)
    }

    fn picture(&self, position: &Position) -> Picture {
        self.grid.picture(position.stones, ['✕', '○'], LETTERS)
    }

    fn move_cells(&self, _: &Position, mv: Move) -> Vec<usize> {
        vec![usize::from(mv.0)]
    }

    fn side_name(&self, side: Side) -> &'static str {
        ["X", "O"][side.index()]
    }

    /// Stones never leave the board.
    fn reversible_plies(&self, _: &Position) -> usize {
        0
    }
}

impl Symmetric for KInARow {
    fn symmetries(&self) -> usize {
        self.symmetries.len()
    }

    fn map_position(&self, symmetry: usize, position: &Position) -> Position {
        Position { stones: position.stones.map(|b| map_board(&self.symmetries[symmetry], b)) }
    }

    fn map_move(&self, symmetry: usize, mv: Move) -> Move {
        Move(self.symmetries[symmetry][usize::from(mv.0)])
    }
}

impl Indexed for KInARow {
    fn layout(&self) -> Layout {
        let Grid { width, height } = self.grid;
        let fields = self.grid.fields() as u32;
        Layout::new(fields)
            .piece("stone", Side::First, 0..=fields.div_ceil(2))
            .piece("stone", Side::Second, 0..=fields / 2)
            .admit(|counts, side| counts[0] == counts[1] + side.index() as u32)
            .axes(move |_| axes(width, height))
            .stages(move |counts| {
                let stones = counts[0] + counts[1];
                (fields - stones, format!("{stones:02}-stones"))
            })
            .feeds(|from, to| to[0] + to[1] == from[0] + from[1] + 1)
    }

    fn boards(&self, position: &Position, boards: &mut [u64]) {
        boards.copy_from_slice(&position.stones);
    }

    fn position_of(&self, boards: &[u64], _: Side) -> Option<Position> {
        let position = Position { stones: [boards[0], boards[1]] };
        self.is_legal(&position).then_some(position)
    }
}

impl Retro for KInARow {
    fn predecessors(&self, position: &Position, out: &mut Vec<Position>) {
        let mover = Self::side(position).other().index();
        // Nothing but the stone that is taken away can have made a row.
        if self.has_row(position.stones[1 - mover]) {
            return;
        }
        for field in bits(position.stones[mover]) {
            let mut before = position.clone();
            before.stones[mover] &= !(1 << field);
            if !self.has_row(before.stones[mover]) {
                out.push(before);
            }
        }
    }
}

/// Rows that one side alone can still fill, weighted by the stones in them; turned around in losing
/// play.
pub struct OpenRows;

impl Evaluator<KInARow> for OpenRows {
    fn evaluate(&self, game: &KInARow, position: &Position) -> i32 {
        let own = game.to_move(position).index();
        let (mine, theirs) = (position.stones[own], position.stones[1 - own]);
        let worth = |stones: u64| 1 << (2 * stones.count_ones().min(6));
        let balance: i32 = game
            .rows
            .iter()
            .map(|row| match (row & mine, row & theirs) {
                (0, 0) => 0,
                (a, 0) => worth(a),
                (0, b) => -worth(b),
                _ => 0,
            })
            .sum();
        10 * if game.lose { -balance } else { balance }
    }
}

impl Guide<KInARow> for OpenRows {
    /// Fields with many rows first; in losing play last.
    fn promise(&self, game: &KInARow, _: &Position, mv: Move) -> i32 {
        let rows = game.rows.iter().filter(|&row| row >> mv.0 & 1 == 1).count() as i32;
        if game.lose { -rows } else { rows }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    fn tictactoe() -> KInARow {
        KInARow::new(3, 3, 3, false).unwrap()
    }

    #[test]
    fn tictactoe_has_255_168_games_and_5_478_positions() {
        fn walk(game: &KInARow, at: &Position, seen: &mut HashSet<Position>) -> [u64; 3] {
            seen.insert(at.clone());
            if let Some(outcome) = game.outcome(at) {
                let result = outcome.winner.map_or(2, Side::index);
                return std::array::from_fn(|i| u64::from(i == result));
            }
            let mut moves = Vec::new();
            game.moves(at, &mut moves);
            moves.into_iter().fold([0; 3], |sum, mv| {
                let mut next = at.clone();
                game.play(&mut next, mv);
                let more = walk(game, &next, seen);
                std::array::from_fn(|i| sum[i] + more[i])
            })
        }
        let (game, mut seen) = (tictactoe(), HashSet::new());
        let games = walk(&game, &game.start(), &mut seen);
        assert_eq!(games, [131_184, 77_904, 46_080]);
        assert_eq!(games.iter().sum::<u64>(), 255_168);
        assert_eq!(seen.len(), 5_478);
    }

    #[test]
    fn the_move_tree_of_tictactoe_has_the_known_counts() {
        let game = tictactoe();
        let counts: Vec<u64> = (1..=9).map(|d| game.perft(&game.start(), d)).collect();
        assert_eq!(counts, [9, 72, 504, 3_024, 15_120, 54_720, 148_176, 200_448, 127_872]);
    }

    #[test]
    fn rows_do_not_wrap_around_the_edge() {
        for (width, height, k) in [(3, 3, 3), (4, 4, 3), (8, 8, 5), (7, 2, 4), (1, 8, 3)] {
            let game = KInARow::new(width, height, k, false).unwrap();
            let mut lines = HashSet::new();
            for field in 0..width * height {
                for (right, down) in [(1i32, 0i32), (0, 1), (1, 1), (-1, 1)] {
                    let cells: Option<u64> = (0..k as i32).try_fold(0, |row, i| {
                        let column = (field % width) as i32 + i * right;
                        let line = (field / width) as i32 + i * down;
                        let inside = (0..width as i32).contains(&column) && line < height as i32;
                        inside.then(|| row | 1 << (line as usize * width + column as usize))
                    });
                    lines.extend(cells);
                }
            }
            assert_eq!(game.rows.iter().copied().collect::<HashSet<u64>>(), lines);
            for &line in &lines {
                assert!(game.has_row(line));
                assert!(!bits(line).any(|f| game.has_row(line & !(1 << f))));
            }
        }
        assert_eq!(KInARow::new(4, 4, 3, true).unwrap().rows.len(), 24);
    }

    #[test]
    fn a_row_wins_in_normal_play_and_loses_in_losing_play() {
        for (lose, winner) in [(false, Side::First), (true, Side::Second)] {
            let game = KInARow::new(4, 4, 3, lose).unwrap();
            let position = game.read_position("XXX1/OO2/4/4 o").unwrap();
            assert_eq!(game.outcome(&position).unwrap().winner, Some(winner));
        }
    }

    #[test]
    fn impossible_positions_and_boards_are_refused() {
        let game = tictactoe();
        for text in ["XX1/3/3 x", "3/3/3 o", "OOO/XXX/3 x", "XO1/3/3 o", "3/3 x", "X2/3/3"] {
            assert!(game.read_position(text).is_err(), "{text}");
        }
        for spec in
            ["kinarow:9x9", "kinarow:3x3,k=4", "kinarow:k=1", "kinarow:win", "tictactoe:3x3"]
        {
            assert!(KInARow::open(&Spec::parse(spec).unwrap()).is_err(), "{spec}");
        }
    }
}
