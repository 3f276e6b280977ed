//! Small games: Dodgem, k-in-a-row, Connect Four, Hexapawn, nine men's morris, matchsticks.
//!
//! One file a game, and one line in [`NAMES`] and [`open`]. Each file has the rules, the notation
//! and, where the game allows it, moves backwards, symmetries, the description for the index, and a
//! small hand-made evaluation so that search plays sensibly.
//!
//! ```
//! use zug_core::Spec;
//!
//! let spec = Spec::parse("kinarow:4x4,k=3,lose")?;
//! let entry = zug_games::open(&spec).expect("a game of this crate")?;
//! let mut line = entry.game.new_line();
//! line.play("a1")?;
//! assert_eq!(line.legal_moves().len(), 15);
//! # Ok::<(), zug_core::TextError>(())
//! ```

pub mod connect4;
pub mod dodgem;
mod grid;
pub mod hexapawn;
pub mod kinarow;
mod learning;
pub mod morris;
pub mod nim;
mod wiring;

pub use connect4::Connect4;
pub use dodgem::Dodgem;
pub use hexapawn::Hexapawn;
pub use kinarow::KInARow;
pub use morris::Morris;
pub use nim::Nim;

use zug_core::{GameEntry, Spec, TextError};

/// The names of the games here, each with a line of help.
pub const NAMES: &[(&str, &str)] = &[
    (
        "dodgem",
        "cars that want to leave the board: NxN (3x3 to 8x8, default 4x4), blocked=pass|wins, \
         repetition=draw|allowed",
    ),
    ("tictactoe", "noughts and crosses: three in a row on 3x3"),
    (
        "kinarow",
        "stones in a row on any board: WxH (up to 8x8), k=3, lose (whoever makes a row \
         loses); 5x5,k=4 if nothing is said",
    ),
    ("losing-ttt", "whoever makes three in a row loses: WxH (3x3 to 8x8, default 4x4)"),
    ("connect4", "four in a row with gravity: WxH (default 7x6), k=4"),
    ("hexapawn", "pawns alone: WxH (2x3 to 8x8, default 3x3)"),
    ("morris", "nine men's morris: men=9 (3 to 9), flying=yes|no, repetition=draw|allowed"),
    ("matches", "take one or two, whoever takes the last match loses: n=16 (up to 60), take=2"),
    ("nim", "heaps of matches: 3-4-5 (up to 8 heaps of up to 60), misere, take=N"),
];

/// Opens one of these games; `None` if the name is not among them.
#[must_use]
pub fn open(spec: &Spec) -> Option<Result<GameEntry, TextError>> {
    match spec.name.as_str() {
        "dodgem" => Some(Dodgem::open(spec)),
        "tictactoe" | "kinarow" | "losing-ttt" => Some(KInARow::open(spec)),
        "connect4" => Some(Connect4::open(spec)),
        "hexapawn" => Some(Hexapawn::open(spec)),
        "morris" => Some(Morris::open(spec)),
        "matches" | "nim" => Some(Nim::open(spec)),
        _ => None,
    }
}
