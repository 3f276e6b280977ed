//! What can be on a point, and what can be wrong with a move there.

use zug_core::Side;

/// What is on a cell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Colour {
    /// No stone.
    Empty = 0,
    /// A stone of the first side.
    Black = 1,
    /// A stone of the second side.
    White = 2,
    /// Not a point of the board.
    Border = 3,
}

impl Colour {
    /// The colour of a side's stones.
    #[must_use]
    pub const fn of(side: Side) -> Colour {
        match side {
            Side::First => Colour::Black,
            Side::Second => Colour::White,
        }
    }

    /// The side whose stone this is.
    #[must_use]
    pub const fn side(self) -> Option<Side> {
        match self {
            Colour::Black => Some(Side::First),
            Colour::White => Some(Side::Second),
            _ => None,
        }
    }
}

/// X for Black, O for White, a dot for an empty point.
pub(crate) const fn letter(colour: Colour) -> char {
    match colour {
        Colour::Empty => '.',
        Colour::Black => 'X',
        Colour::White => 'O',
        Colour::Border => '#',
    }
}

/// Why a stone cannot be put down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Illegal {
    /// There is a stone.
    Occupied,
    /// It would retake a ko at once.
    Ko,
    /// The stone's chain would have no liberty.
    Suicide,
    /// The point is not on the board.
    Outside,
}

impl Illegal {
    /// In plain words.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Illegal::Occupied => "the point is occupied",
            Illegal::Ko => "the ko may not be retaken at once",
            Illegal::Suicide => "the stone would have no liberty",
            Illegal::Outside => "the point is not on the board",
        }
    }
}
