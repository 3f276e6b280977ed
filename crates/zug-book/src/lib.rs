//! Books that learn from the games they were used in.

pub mod build;
pub mod chance;
pub mod check;
pub mod choose;
pub mod file;
pub mod graph;
pub mod judge;
pub mod lines;
pub mod names;
mod open;
pub mod places;
#[cfg(test)]
mod testing;
pub mod player;
pub mod shelf;
pub mod team;
pub mod tend;
pub mod values;

pub use chance::{Chance, End};
pub use check::{Fault, Report, check};
pub use choose::{Advice, BookMove, MoveInfo, Origin, advise, choose, every_move};
pub use file::BookError;
pub use graph::{Added, Alternative, Book, Edge, Leaf, Node, Root, Visited};
pub use lines::{unplayed, visited};
pub use names::{NameError, Names};
pub use places::{AnyPlaces, Places, Step};
pub use player::{ShippedBook, with_books};
pub use values::{Draws, Standing, Values};
