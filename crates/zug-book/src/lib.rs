//! Books that learn from the games they were used in.
//!
//! A searching program that loses a game loses it again, move for move, as often as its opponent
//! likes. The book of LOGISTELLO (Buro's thesis, chapter 5) ends that with three strategies: repeat
//! what won; play the opponent's winning lines with colours reversed; and where no win is known,
//! deviate at the most promising point of the line, which may come later. All that they need are the
//! stored games, and for each of their positions the best move not yet played, searched beforehand.
//!
//! | question | module |
//! |---|---|
//! | when are two positions the same? | [`places`] |
//! | what has been played? | [`graph`], [`lines`] |
//! | what do the games say about a position? | [`values`], [`chance`] |
//! | which move does the book play? | [`choose`](mod@choose) |
//! | how is it stored, and is it sound? | [`file`](mod@file), [`check`](mod@check) |
//! | what is the opening called? | [`names`] |
//! | which move would be the best deviation? | [`judge`] |
//! | how is a book made, and kept right? | [`build`], [`tend`] |
//! | what was played in records, and by whom? | [`records`] |
//! | what was each move of a game worth? | [`review`] |
//! | which moves are one by symmetry? | [`twins`] |
//! | how do players use it? | [`player`], [`shelf`], [`team`] |
//!
//! It works for every game of the workbench, through the erased face of the core: moves are text, and
//! positions are known by their keys. It differs from the thesis where that speaks of a tree:
//! positions that other orders of moves or a turned board lead to are one, and repetitions leave no
//! circle.
//!
//! # Example
//!
//! Two players take one to three of nine beans in turn, and who takes the last one wins.
//!
//! ```
//! use zug_book::{Advice, Book, Draws, Leaf, Places, Values, advise, choose};
//! use zug_core::GameEntry;
//! # use zug_core::{Cell, Game, Outcome, Picture, Side, TextError};
//! # #[derive(Clone)]
//! # struct Beans;
//! # #[derive(Clone, Debug, PartialEq, Eq, Hash)]
//! # struct Left { beans: u8, side: Side }
//! # impl Game for Beans {
//! #     type Position = Left;
//! #     type Move = u8;
//! #     fn spec(&self) -> String { "beans".to_string() }
//! #     fn title(&self) -> String { "Beans".to_string() }
//! #     fn start(&self) -> Left { Left { beans: 9, side: Side::First } }
//! #     fn to_move(&self, at: &Left) -> Side { at.side }
//! #     fn outcome(&self, at: &Left) -> Option<Outcome> {
//! #         (at.beans == 0).then(|| Outcome::win(at.side.other(), "took the last bean"))
//! #     }
//! #     fn moves(&self, at: &Left, out: &mut Vec<u8>) { out.extend(1..=at.beans.min(3)) }
//! #     fn play(&self, at: &mut Left, taken: u8) {
//! #         *at = Left { beans: at.beans.saturating_sub(taken), side: at.side.other() };
//! #     }
//! #     fn write_move(&self, _: &Left, taken: u8) -> String { taken.to_string() }
//! #     fn read_move(&self, at: &Left, text: &str) -> Result<u8, TextError> {
//! #         let taken = text.parse().ok().filter(|n| (1..=at.beans.min(3)).contains(n));
//! #         taken.ok_or_else(|| TextError::new(0, "a number of beans from 1 to 3", text))
//! #     }
//! #     fn write_position(&self, at: &Left) -> String { format!("{} {}", at.beans, at.side) }
//! #     fn read_position(&self, text: &str) -> Result<Left, TextError> {
//! #         Err(TextError::new(0, "no position", text))
//! #     }
//! #     fn picture(&self, _: &Left) -> Picture { Picture::grid(1, 1, vec![Cell::empty()], true) }
//! # }
//! let entry = GameEntry::new(Beans);
//! let places = Places::of(&entry);
//! let mut book = Book::new("beans");
//!
//! // The first side wins a game.
//! let mut game = entry.game.new_line();
//! for mv in ["1", "2", "2", "1", "3"] {
//!     game.play(mv)?;
//! }
//! let outcome = game.outcome().expect("no bean is left");
//! book.add_line(&places, &*game, usize::MAX, Leaf::of_outcome(&outcome, game.to_move(), true));
//!
//! // In the next game it begins in the same way, and the second side looks for something else.
//! let values = Values::of(&book, Draws::Neutral);
//! let mut line = entry.game.new_line();
//! let first = choose(&book, &values, &places, &*line).expect("a move of the book");
//! assert_eq!((first.mv.as_str(), first.games), ("1", 1));
//! line.play(&first.mv)?;
//! let second = advise(&book, &values, &places, &*line);
//! assert_eq!(second, Advice::Search(vec!["1".to_string(), "3".to_string()]));
//! # Ok::<(), zug_core::TextError>(())
//! ```

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
pub mod player;
pub mod records;
pub mod review;
pub mod shelf;
pub mod team;
pub mod tend;
#[cfg(test)]
mod testing;
pub mod twins;
pub mod values;

pub use chance::{Chance, End};
pub use check::{Fault, Report, check};
pub use choose::{Advice, BookMove, MoveInfo, Origin, advise, choose, draw_by_weight, every_move};
pub use file::BookError;
pub use graph::{Added, Alternative, Book, Edge, Leaf, Node, Root, Visited};
pub use lines::{unplayed, visited};
pub use names::{NameError, Names};
pub use places::{AnyPlaces, Places, Step};
pub use player::{ShippedBook, with_books};
pub use records::RecordExplorer;
pub use values::{Draws, Standing, Values};
