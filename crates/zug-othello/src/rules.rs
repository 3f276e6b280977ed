//! The rules of Othello for the workbench.

use crate::bits::{self, Squares};
use crate::mv::Move;
use crate::perft::perft;
use crate::position::Position;
use zug_core::seed::mix;
use zug_core::{Cell, Game, Outcome, Picture, Side, Symmetric, TextError};

/// Othello on a board of 8×8, 6×6 or 4×4 squares.
///
/// Black ([`Side::First`]) begins. A side that cannot turn over a disc passes, and passing is a
/// ply; when neither side can move, the game is over, and so it is when one side has no discs
/// left. The margin is the difference of discs, with the empty squares given to the winner, as in
/// tournaments; at equal discs the game is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Othello {
    size: u8,
}

impl Default for Othello {
    fn default() -> Othello {
        Othello { size: 8 }
    }
}

impl Othello {
    /// Othello on this many rows: 4, 6 or 8.
    #[must_use]
    pub const fn with_size(size: u8) -> Option<Othello> {
        match size {
            4 | 6 | 8 => Some(Othello { size }),
            _ => None,
        }
    }

    /// The number of rows.
    #[must_use]
    pub const fn size(&self) -> u8 {
        self.size
    }

    /// All squares of the board.
    #[inline]
    #[must_use]
    pub const fn board(&self) -> Squares {
        bits::board(self.size)
    }

    /// The empty squares.
    #[inline]
    #[must_use]
    pub const fn empty(&self, position: &Position) -> Squares {
        self.board() & !position.occupied()
    }

    /// Where the side to move can place a disc.
    #[inline]
    #[must_use]
    pub const fn placements(&self, position: &Position) -> Squares {
        bits::moves(position.own(), position.other(), self.empty(position))
    }

    /// Where the other side could place a disc if it were to move.
    #[inline]
    #[must_use]
    pub const fn other_placements(&self, position: &Position) -> Squares {
        bits::moves(position.other(), position.own(), self.empty(position))
    }

    /// Can neither side move?
    #[inline]
    #[must_use]
    pub const fn is_over(&self, position: &Position) -> bool {
        self.placements(position) == 0 && self.other_placements(position) == 0
    }

    /// Is this move legal?
    #[must_use]
    pub fn is_legal(&self, position: &Position, mv: Move) -> bool {
        let placements = self.placements(position);
        match mv.square() {
            Some(square) => placements >> square & 1 == 1,
            None => placements == 0 && self.other_placements(position) != 0,
        }
    }

    /// Black's lead in discs if the game ended here, the empty squares given to the winner.
    #[must_use]
    pub fn final_lead(&self, position: &Position) -> i32 {
        let lead = position.lead();
        lead + lead.signum() * self.empty(position).count_ones() as i32
    }

    /// Reads a move without asking whether it is legal.
    pub(crate) fn read_any_move(&self, text: &str) -> Result<Move, TextError> {
        let word = text.trim();
        if is_pass_word(word.as_bytes()) {
            return Ok(Move::PASS);
        }
        if let &[column, row] = word.as_bytes()
            && let Some(mv) = Move::from_ascii(column, row, self.size)
        {
            return Ok(mv);
        }
        let last = Move::at(self.size - 1, self.size - 1).expect("a corner is on the board");
        let expected = format!("a square from a1 to {last}, or pass");
        Err(TextError::new(0, expected, format!("'{text}'")))
    }
}

/// The ways of writing a pass.
pub(crate) fn is_pass_word(word: &[u8]) -> bool {
    ["pass", "pa", "ps", "--"].iter().any(|p| word.eq_ignore_ascii_case(p.as_bytes()))
}

impl Game for Othello {
    type Position = Position;
    type Move = Move;

    fn spec(&self) -> String {
        match self.size {
            8 => "othello".to_string(),
            n => format!("othello:{n}x{n}"),
        }
    }

    fn title(&self) -> String {
        match self.size {
            8 => "Othello".to_string(),
            n => format!("Othello {n}×{n}"),
        }
    }

    fn start(&self) -> Position {
        let (low, high) = (u32::from(self.size) / 2 - 1, u32::from(self.size) / 2);
        let at = |row: u32, column: u32| 1u64 << (8 * row + column);
        let black = at(low, high) | at(high, low);
        let white = at(low, low) | at(high, high);
        Position::new(black, white, Side::First).expect("the start squares differ")
    }

    fn to_move(&self, position: &Position) -> Side {
        position.to_move()
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        if !self.is_over(position) {
            return None;
        }
        let reason = if self.empty(position) == 0 {
            "the board is full"
        } else if position.own() == 0 || position.other() == 0 {
            "one side has no discs left"
        } else {
            "neither side can move"
        };
        Some(Outcome::by_points(self.final_lead(position) as f32, reason))
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        let placements = self.placements(position);
        if placements != 0 {
            out.extend(bits::each(placements).filter_map(Move::to_square));
        } else if self.other_placements(position) != 0 {
            out.push(Move::PASS);
        }
    }

    #[inline]
    fn play(&self, position: &mut Position, mv: Move) {
        position.play(mv);
    }

    fn write_move(&self, _: &Position, mv: Move) -> String {
        mv.to_string()
    }

    fn read_move(&self, position: &Position, text: &str) -> Result<Move, TextError> {
        let mv = self.read_any_move(text)?;
        if self.is_legal(position, mv) {
            return Ok(mv);
        }
        Err(TextError::new(0, self.expected_move(position), format!("'{text}'")))
    }

    fn write_position(&self, position: &Position) -> String {
        position.write(self.size)
    }

    /// Also takes a line of a problem file (`… X; f5:+2;`), of which it reads the position alone.
    fn read_position(&self, text: &str) -> Result<Position, TextError> {
        Position::read(self.size, text.split(';').next().unwrap_or(text))
    }

    fn picture(&self, position: &Position) -> Picture {
        let (black, white) = (position.discs(Side::First), position.discs(Side::Second));
        let cells = bits::each(self.board())
            .map(|s| match (black >> s & 1, white >> s & 1) {
                (1, _) => Cell::disc(Side::First),
                (_, 1) => Cell::disc(Side::Second),
                _ => Cell::empty(),
            })
            .collect();
        let size = usize::from(self.size);
        let mut picture = Picture::grid(size, size, cells, true);
        picture.notes.push(format!("black {}, white {}", black.count_ones(), white.count_ones()));
        picture
    }

    fn move_cells(&self, _: &Position, mv: Move) -> Vec<usize> {
        let size = usize::from(self.size);
        mv.square().map(|s| s as usize / 8 * size + s as usize % 8).into_iter().collect()
    }

    #[inline]
    fn key(&self, position: &Position) -> u64 {
        let side = match position.to_move() {
            Side::First => 0,
            Side::Second => 0xD1B5_4A32_D192_ED03,
        };
        let other = position.other().wrapping_mul(0x9E37_79B9_7F4A_7C15).rotate_left(32);
        mix(position.own() ^ other ^ side)
    }

    fn side_name(&self, side: Side) -> &'static str {
        match side {
            Side::First => "black",
            Side::Second => "white",
        }
    }

    // Every move but the pass adds a disc, and no two passes follow each other.
    fn reversible_plies(&self, _: &Position) -> usize {
        0
    }

    // This is how the published counts are made.
    fn finished_leaves(&self) -> u64 {
        1
    }

    fn perft(&self, position: &Position, depth: u32) -> u64 {
        perft(position.own(), position.other(), self.board(), depth)
    }
}

impl Othello {
    /// What could be played here, for messages.
    pub(crate) fn expected_move(&self, position: &Position) -> String {
        let mut legal = Vec::new();
        self.moves(position, &mut legal);
        let side = self.side_name(position.to_move());
        match legal.as_slice() {
            [] => "no move, the game is over".to_string(),
            [Move::PASS] => format!("pass ({side} has no other move)"),
            moves => {
                let texts: Vec<String> = moves.iter().map(Move::to_string).collect();
                format!("a move of {side} ({})", texts.join(", "))
            }
        }
    }
}

impl Symmetric for Othello {
    fn symmetries(&self) -> usize {
        8
    }

    fn map_position(&self, symmetry: usize, position: &Position) -> Position {
        position.symmetric_image(symmetry, self.size)
    }

    fn map_move(&self, symmetry: usize, mv: Move) -> Move {
        mv.square()
            .map(|s| bits::symmetric_image(symmetry, self.size, 1 << s).trailing_zeros())
            .and_then(Move::to_square)
            .unwrap_or(Move::PASS)
    }
}
