//! Perfect play: the general index of positions.
//!
//! A database of a solved game is a long row of values; the index says where in that row the value
//! of a position lies, and which position a place belongs to. It is general: a game describes its
//! board and its pieces ([`zug_core::indexed::Layout`]) and gets
//!
//! | module | idea | thesis |
//! |---|---|---|
//! | [`combination`] | a number for a set of fields | §4.4 |
//! | `part` | a number for a position with fixed piece counts | §4.5, §4.8 |
//! | `group` | boards that are the same but for a turn or a reflection | §4.7 |
//! | [`space`] | all piece counts, colour swap, symmetry, put together | §4.5–4.8 |
//! | [`Index`] | positions of a game to numbers and back | |
//! | [`checks`] | is a game's description sound? | |
//! | [`symmetry`] | which symmetries does a game really have? | §4.6 |
//! | [`thesis`] | the solver of the thesis, as printed | §3, §5 |
//!
//! Section numbers are those of Benjamin Bahnsen's diploma thesis on databases for perfect play
//! (Kiel 2005). Where its printed formulas are damaged we follow its prose and its examples; the
//! tests hold both against the published figures.
//!
//! ```
//! use zug_core::Side;
//! use zug_core::indexed::{Layout, maps};
//! use zug_solve::{Options, Space};
//!
//! // Dodgem 4×4: cars 0..3 on each side, colour swap on the rising diagonal.
//! let layout = Layout::new(16)
//!     .piece("car", Side::First, 0..=3)
//!     .piece("car", Side::Second, 0..=3)
//!     .admit(|counts, _| counts[0] + counts[1] > 0)
//!     .mirror(|_| Some(maps::rising_diagonal(4)));
//! assert_eq!(Space::new(&layout, Options::full())?.size(), 555_984);
//! let space = Space::new(&layout, Options::default())?;
//! assert_eq!(space.size(), 277_992);
//!
//! let start = [1 << 0 | 1 << 4 | 1 << 8, 1 << 13 | 1 << 14 | 1 << 15];
//! let index = space.index(&start, Side::First).unwrap();
//! let mut boards = [0; 2];
//! assert_eq!(space.boards(index, &mut boards), Some(Side::First));
//! assert_eq!(boards, start);
//! # Ok::<(), zug_solve::IndexError>(())
//! ```

mod cells;
pub mod checks;
pub mod combination;
mod database;
pub mod estimate;
pub mod face;
mod group;
mod index;
mod part;
pub mod perfect;
pub mod solve;
pub mod space;
pub mod stats;
pub mod store;
mod sweep;
pub mod symmetry;
pub mod thesis;
mod value;
pub mod verify;

pub use cells::{Cells, Content, GameCells};
pub use database::{DEFAULT_CACHE, Database, Histogram};
pub use face::{SolvableEntry, Solver};
pub use index::{Index, Slot};
pub use part::Part;
pub use solve::{
    DiskPlan, Figures, Metric, Settings, SolveError, Solved, Table, feeding, solve_all,
    solve_stage, solve_stage_on_disk,
};
pub use space::{IndexError, Options, Order, Reference, Space, StageParts, reserve_board};
pub use store::{Codes, FolderWriter, Manifest, Measure, Plan, StoreError};
pub use value::{Code, MOST_PLIES, Value};
