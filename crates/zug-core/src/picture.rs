//! A board as a grid of cells, for the terminal and for the generic web board.

use crate::Side;

/// Whose piece stands on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Owner {
    /// An empty cell of the board.
    Empty,
    /// A piece of this side.
    Piece(Side),
    /// No cell of the board (the gaps of a morris board); only drawn.
    Outside,
}

/// One cell.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// Whose piece.
    pub owner: Owner,
    /// What to draw: "♞", "●", or "·" and "─" for what is empty.
    pub glyph: char,
    /// A plain letter for terminals without Unicode, and for tests: 'X', 'O', 'n', '.'.
    pub letter: char,
}

/// A drawn position: rows from top to bottom, cells from left to right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Picture {
    /// Cells in a row.
    pub width: usize,
    /// Rows.
    pub height: usize,
    /// `width * height` cells, row by row from the top left.
    pub cells: Vec<Cell>,
    /// Labels under the columns ("a", "b", …); empty for none.
    pub column_labels: Vec<String>,
    /// Labels beside the rows, from the top; empty for none.
    pub row_labels: Vec<String>,
    /// Alternating light and dark squares, as for chess?
    pub chequered: bool,
    /// Lines shown below: captured stones, pieces in hand.
    pub notes: Vec<String>,
}

impl Cell {
    /// An empty cell drawn as a dot.
    #[must_use]
    pub const fn empty() -> Cell {
        Cell { owner: Owner::Empty, glyph: '·', letter: '.' }
    }

    /// A round piece: ● for the first side, ○ for the second.
    #[must_use]
    pub const fn disc(side: Side) -> Cell {
        match side {
            Side::First => Cell { owner: Owner::Piece(side), glyph: '●', letter: 'X' },
            Side::Second => Cell { owner: Owner::Piece(side), glyph: '○', letter: 'O' },
        }
    }
}

impl Picture {
    /// A grid with columns a, b, c … and rows numbered from 1 at the top (`from_top`) or bottom.
    #[must_use]
    pub fn grid(width: usize, height: usize, cells: Vec<Cell>, from_top: bool) -> Picture {
        assert_eq!(cells.len(), width * height, "a picture needs a cell for every square");
        let column_labels =
            (0..width).map(|c| char::from(b'a' + (c % 26) as u8).to_string()).collect();
        let row_labels =
            (0..height).map(|r| if from_top { r + 1 } else { height - r }.to_string()).collect();
        Picture {
            width,
            height,
            cells,
            column_labels,
            row_labels,
            chequered: false,
            notes: Vec::new(),
        }
    }

    /// The plain letters, row by row, separated by newlines.
    #[must_use]
    pub fn letters(&self) -> String {
        let rows: Vec<String> = self
            .cells
            .chunks(self.width)
            .map(|row| row.iter().map(|c| c.letter).collect())
            .collect();
        rows.join("\n")
    }
}
