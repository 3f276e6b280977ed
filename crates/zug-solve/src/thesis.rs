//! Bahnsen's solver as printed: how did one solve a game on the home computer of 2005?
//!
//! The whole index is one row of small numbers ([`Store`]), in memory or in a file behind a
//! two-level cache ([`CachedFile`], chapter 5). A value is a byte, and two where one is not enough
//! (§3.5). Two algorithms fill it, always with the same result:
//!
//! * [`Algorithm::Basic`] (§3.2) scans the row once for each distance. Whatever can move to a lost
//!   position is won; of whatever can move to a won one, all successors are looked up again.
//! * [`Algorithm::Counters`] (§3.3) notes in the cell of a candidate how many successors are still
//!   to be proven won, and marks the predecessors of a new loss at once: half the scans, no second
//!   look at successors.
//!
//! Three things differ from the print. Where its pseudo-code scans for the wrong distance and leaves
//! running counters untouched, we do what its prose says. A game may end both ways, lost and won
//! for the side to move, in different positions; values then carry the side that wins in a bit of
//! their own ([`Ends`]). And when distances and counters meet in one byte, the row is widened to two
//! bytes and the work goes on; [`Settings::no_widening`] brings the printed abort back.
//!
//! This is the reference against which the fast engine is held, and the way to solve in a very
//! small memory. All stages of a game are solved together.
//!
//! ```
//! use zug_core::{Silent, StopFlag};
//! use zug_solve::thesis::{MemoryStore, Settings, solve};
//! # use zug_solve::{Cells, Content, Value};
//! # struct Three;
//! # impl Cells for Three {
//! #     type Scratch = ();
//! #     fn scratch(&self) {}
//! #     fn size(&self) -> u64 { 3 }
//! #     fn content(&self, cell: u64, _: &mut ()) -> Content {
//! #         if cell == 0 { Content::Ended(Value::Loss(0)) } else { Content::Open }
//! #     }
//! #     fn successors(&self, cell: u64, _: &mut (), out: &mut Vec<u64>) { out.push(cell - 1); }
//! #     fn predecessors(&self, cell: u64, within: &std::ops::Range<u64>, _: &mut (), out: &mut Vec<u64>) {
//! #         out.extend(Some(cell + 1).filter(|c| *c < 3 && within.contains(c)));
//! #     }
//! # }
//! # let cells = Three; // a chain: 2 → 1 → 0, and 0 is lost
//! let store = MemoryStore::new(cells.size(), 1);
//! let solved = solve(&cells, store, &Settings::default(), &Silent, &StopFlag::new())?;
//! let values: Vec<_> = solved.codes()?.iter().map(|code| code.value().unwrap()).collect();
//! assert_eq!(values, [Value::Loss(0), Value::Win(1), Value::Loss(2)]);
//! # Ok::<(), zug_solve::thesis::ThesisError>(())
//! ```

mod cached;
mod coding;
mod solver;
mod store;

pub use cached::{BLOCK, CacheSize, CachedFile};
pub use coding::Ends;
pub use solver::{Algorithm, Figures, Settings, Solved, ThesisError, solve};
pub use store::{MemoryStore, Store, Traffic};

#[cfg(test)]
mod tests;
