//! What is in a file that we wrote, how was it made, and is it whole?
//!
//! Models, databases, books and checkpoints share one container:
//!
//! ```text
//! ┌─ prelude ──────┬─ header ───┬─ blocks ───────────────┬─ table ──────────┬─ footer ───────┐
//! │ magic          │ TOML text: │ zstd frames, one after │ sections (name,  │ place of table │
//! │ format version │ kind, game,│ another without gaps   │ length, block    │ its checksum   │
//! │ header length  │ how it was │                        │ size); for each  │ own checksum   │
//! │ checksum       │ made       │                        │ block its place, │ end magic      │
//! │                │            │                        │ length, checksum │                │
//! └────────────────┴────────────┴────────────────────────┴──────────────────┴────────────────┘
//! ```
//!
//! All numbers are little-endian. Every byte is under a checksum (CRC-32; it finds accidents, it is
//! no seal against forgers), so damage is found at the latest when the damaged block is read. The
//! table stands at the end so that a file of any size can be written in one pass.
//!
//! A file holds named *sections*; a section is a byte string cut into blocks of equal size, so any
//! byte range is read by unpacking only the blocks it touches. Same sections, same header, same
//! bytes: nothing depends on the clock unless the header is given a date.
//!
//! Files are read by position (`pread`), not mapped into memory: to unpack a block of the default size
//! takes about thirty times as long as the call that fetches it (250 µs against 8 µs), and a file
//! that shrinks under a reader gives an error instead of a signal. Bytes compiled into the program
//! are read in place through the same [`Source`] trait.
//!
//! Hostile files cost no more than their size: blocks are at most [`MAX_BLOCK`] bytes unpacked, and
//! whoever asks for a whole section says how much memory it may take.
//!
//! ```
//! use zug_core::container::{Container, Expect, Header, Kind, Writer};
//! let mut header = Header::new(Kind::Model, "othello", "example/1");
//! header.made.seed = Some(1);
//! let mut writer = Writer::new(Vec::new(), &header)?;
//! writer.array("weights", &[0.5f32, -1.0])?;
//! let bytes = writer.finish()?;
//!
//! let file = Container::from_bytes(bytes, &Expect::model("othello").layout("example/1"))?;
//! assert_eq!(file.section("weights")?.array::<f32>(100)?, [0.5, -1.0]);
//! assert!(Container::from_bytes(vec![1, 2, 3], &Expect::model("othello")).is_err());
//! # Ok::<(), zug_core::container::ContainerError>(())
//! ```

mod array;
mod error;
mod header;
mod layout;
mod reader;
mod writer;

pub use array::Element;
pub use error::{ContainerError, Problem};
pub use header::{Expect, Header, Kind, Made};
pub use layout::{DEFAULT_BLOCK, FORMAT_VERSION, MAX_BLOCK, MAX_HEADER};
pub use reader::{Container, Section, Source};
pub use writer::{SectionWriter, Writer};

#[cfg(test)]
mod tests;
