//! How do the values of a solved game lie on the disk, small, safe, and quick to ask?
//!
//! A database is a folder:
//!
//! | file | holds |
//! |---|---|
//! | `database.toml` | the game, the index, the metric, the finished stages with sizes and digests ([`Manifest`]) |
//! | `NAME.zdb` | one stage: a container with the values of its parts ([`StageFile`]) |
//!
//! [`FolderWriter`] adds stages; [`Database`](crate::Database) answers questions.
//!
//! | module | idea |
//! |---|---|
//! | [`manifest`] | the list of what is finished |
//! | `folder` | adding stages so that a crash loses at most the one in work |
//! | `stage` | the file of a stage: parts, their codings, their blocks |
//! | `pack` | writing it, with little memory |
//! | `mixed`, `model`, `walk`, `range_coder` | values predicted by their neighbours, and what is left coded |
//! | `cache` | unpacked blocks that many threads share |
//! | `error` | why a database was refused |

mod cache;
mod error;
pub(crate) mod folder;
pub mod manifest;
mod mixed;
mod model;
mod pack;
mod range_coder;
mod stage;
mod walk;

pub(crate) use cache::Cache;
pub use error::StoreError;
pub use folder::{FolderWriter, Plan};
pub use manifest::{Counts, Manifest, Measure, StageEntry};
pub use stage::{Coding, PartSize, StageFile};

use crate::value::Code;
use std::ops::Range;

/// The finished values of a stage, as its solver leaves them.
pub trait Codes: Sync {
    /// The slots of the stage.
    fn range(&self) -> Range<u64>;
    /// The code of a slot in that range.
    fn code(&self, slot: u64) -> Code;
}

impl Codes for crate::solve::Table {
    fn range(&self) -> Range<u64> {
        crate::solve::Table::range(self)
    }
    fn code(&self, slot: u64) -> Code {
        crate::solve::Table::code(self, slot)
    }
}

/// Codes that lie in a row.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlainCodes {
    /// The slot of the first.
    pub first: u64,
    /// The codes.
    pub codes: Vec<Code>,
}

impl Codes for PlainCodes {
    fn range(&self) -> Range<u64> {
        self.first..self.first + self.codes.len() as u64
    }
    fn code(&self, slot: u64) -> Code {
        self.codes[(slot - self.first) as usize]
    }
}

#[cfg(test)]
mod tests;
