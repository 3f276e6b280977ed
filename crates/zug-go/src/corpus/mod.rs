//! Game records to learn from: which files hold which games, and which of them are taken?
//!
//! Sources are files, folders of files, and tar archives, each compressed with zstd or not. What
//! cannot be used is counted by its reason and named; it never stops the reading. Games come in the
//! order of their names, whatever the number of threads.
//!
//! ```
//! use zug_go::corpus::{Corpus, Filter};
//! let files = [("a.sgf", &b"(;SZ[9]DT[2001];B[ee];W[cc])"[..]), ("b.sgf", b"(;SZ[9];B[ee];W[ee])")];
//! let corpus = Corpus::of_files(files, &Filter::of_size(9));
//! assert_eq!(corpus.games.len(), 1);
//! assert_eq!(corpus.games[0].year, Some(2001));
//! assert_eq!(corpus.skipped.to_string(), "1 illegal-occupied");
//! ```

mod filter;
mod read;
mod record;
mod reject;

pub use filter::{Ending, Filter};
pub use read::{Corpus, CorpusError, Skipped};
pub use record::{GoRecord, PASS, Rank, decode, map_code};
pub use reject::{Reject, check};
