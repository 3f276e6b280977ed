//! How are examples kept, so that millions need little memory?
//!
//! A file of examples is a [container](zug_core::container) of layout [`LAYOUT`]. The examples
//! stand in the order in which they were found, those of a game together, in sections `part-0`,
//! `part-1`, … of [`PART`] examples each (the last may be shorter), packed in blocks of [`BLOCK`].
//! Readers take any range, from several threads at once.

use super::ExampleError;
use super::record::{self, BYTES, Example};
use std::ops::Range;
use std::path::Path;
use zug_core::container::{Container, Expect, Header, Kind, Writer};
use zug_core::files::AtomicFile;

/// The game of the files.
pub const GAME: &str = "chess";
/// The layout of the files.
pub const LAYOUT: &str = "chess-examples/1";
/// Examples in a section.
pub const PART: u64 = 1 << 16;
/// Examples in a block.
pub const BLOCK: u64 = 1 << 12;

/// An open file of examples. Cheap to share: reading takes `&self`.
pub struct ExampleFile {
    container: Container,
    length: u64,
}

impl std::fmt::Debug for ExampleFile {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("ExampleFile").field("file", &self.name()).finish_non_exhaustive()
    }
}

impl ExampleFile {
    /// A header for a new file, to be filled in with how it was made.
    #[must_use]
    pub fn new_header() -> Header {
        Header::new(Kind::Examples, GAME, LAYOUT)
    }

    fn expect() -> Expect {
        Expect::kind(Kind::Examples).game(GAME).layout(LAYOUT)
    }

    /// Opens a file. Its blocks are checked when they are read.
    pub fn open(path: &Path) -> Result<ExampleFile, ExampleError> {
        ExampleFile::from_container(Container::open(path, &ExampleFile::expect())?)
    }

    /// Reads a file in memory.
    pub fn from_bytes(
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
    ) -> Result<ExampleFile, ExampleError> {
        ExampleFile::from_container(Container::from_bytes(bytes, &ExampleFile::expect())?)
    }

    fn from_container(container: Container) -> Result<ExampleFile, ExampleError> {
        let mut length = 0;
        for (place, section) in container.sections().enumerate() {
            let wrong = |what: &str| ExampleError::Section {
                file: container.file().to_string(),
                section: section.name().chars().take(40).collect(),
                what: what.to_string(),
            };
            if section.name() != format!("part-{place}") {
                return Err(wrong(&format!("expected the section 'part-{place}'")));
            }
            if section.block_size() != BLOCK as usize * BYTES {
                return Err(wrong("expected blocks of 4096 examples"));
            }
            if length != place as u64 * PART {
                return Err(wrong("the section before it is not full"));
            }
            let count = section.length() / BYTES as u64;
            if section.length() != count * BYTES as u64 || count == 0 || count > PART {
                return Err(wrong("expected 1 to 65536 examples of 32 bytes"));
            }
            length += count;
        }
        Ok(ExampleFile { container, length })
    }

    /// The name of the file, for messages.
    #[must_use]
    pub fn name(&self) -> &str {
        self.container.file()
    }

    /// How the file was made.
    #[must_use]
    pub fn header(&self) -> &Header {
        self.container.header()
    }

    /// The bytes of the file.
    #[must_use]
    pub fn file_length(&self) -> u64 {
        self.container.file_length()
    }

    /// The BLAKE3 digest of the file, by which a model can say what it was learned from.
    pub fn digest(&self) -> Result<String, ExampleError> {
        Ok(self.container.digest()?)
    }

    /// All examples.
    #[must_use]
    pub fn len(&self) -> u64 {
        self.length
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.length == 0
    }

    /// The number of blocks: the unit in which readers share the work.
    #[must_use]
    pub fn blocks(&self) -> u64 {
        self.length.div_ceil(BLOCK)
    }

    /// The examples of a block, the last of which may be shorter.
    pub fn block(&self, block: u64) -> Result<Vec<Example>, ExampleError> {
        let mut bytes = Vec::new();
        let (place, inside) = (block / (PART / BLOCK), block % (PART / BLOCK));
        let Some(section) = self.container.sections().nth(place as usize) else {
            return Err(ExampleError::Content {
                file: self.name().to_string(),
                index: block.saturating_mul(BLOCK),
                what: format!("there are {} examples", self.length),
            });
        };
        section.read_block(inside as usize, &mut bytes)?;
        let first = block * BLOCK;
        let (records, _) = bytes.as_chunks::<BYTES>();
        let decoded = records.iter().enumerate().map(|(i, record)| {
            record::decode(record).map_err(|what| ExampleError::Content {
                file: self.name().to_string(),
                index: first + i as u64,
                what,
            })
        });
        decoded.collect()
    }

    /// The examples with these numbers (from 0).
    pub fn range(&self, range: Range<u64>) -> Result<Vec<Example>, ExampleError> {
        let end = range.end.min(self.length);
        let mut out = Vec::new();
        let mut at = range.start;
        while at < end {
            let block = at / BLOCK;
            let last = (end - block * BLOCK).min(BLOCK) as usize;
            out.extend_from_slice(&self.block(block)?[(at % BLOCK) as usize..last]);
            at = (block + 1) * BLOCK;
        }
        Ok(out)
    }

    /// Hands over all examples in order; one block at a time is in memory.
    pub fn for_each(&self, mut sink: impl FnMut(Example)) -> Result<(), ExampleError> {
        for block in 0..self.blocks() {
            self.block(block)?.into_iter().for_each(&mut sink);
        }
        Ok(())
    }
}

/// Writes a file of examples. It appears under its name when [`commit`](ExampleWriter::commit) is
/// called.
pub struct ExampleWriter<W: std::io::Write = AtomicFile> {
    writer: Writer<W>,
    /// At most [`PART`] examples.
    pending: Vec<u8>,
    parts: usize,
    written: u64,
}

impl ExampleWriter<AtomicFile> {
    /// Begins a file.
    pub fn create(path: &Path, header: &Header) -> Result<ExampleWriter, ExampleError> {
        Ok(ExampleWriter::with(Writer::create(path, header)?))
    }

    /// Ends the file and gives it its name. Tells how many examples it holds.
    pub fn commit(mut self) -> Result<u64, ExampleError> {
        self.flush()?;
        self.writer.commit()?;
        Ok(self.written)
    }
}

impl<W: std::io::Write> ExampleWriter<W> {
    /// Begins a file in some other place.
    pub fn new(out: W, header: &Header) -> Result<ExampleWriter<W>, ExampleError> {
        Ok(ExampleWriter::with(Writer::new(out, header)?))
    }

    fn with(writer: Writer<W>) -> ExampleWriter<W> {
        ExampleWriter { writer, pending: Vec::new(), parts: 0, written: 0 }
    }

    /// Adds an example.
    pub fn push(&mut self, example: &Example) -> Result<(), ExampleError> {
        self.push_record(&record::encode(example))
    }

    /// Adds an example that was encoded before.
    pub fn push_record(&mut self, record: &[u8; BYTES]) -> Result<(), ExampleError> {
        self.pending.extend_from_slice(record);
        self.written += 1;
        if self.pending.len() == PART as usize * BYTES { self.flush() } else { Ok(()) }
    }

    /// Examples so far.
    #[must_use]
    pub fn written(&self) -> u64 {
        self.written
    }

    fn flush(&mut self) -> Result<(), ExampleError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let name = format!("part-{}", self.parts);
        let mut section = self.writer.section(&name, BLOCK as usize * BYTES)?;
        section.push(&self.pending)?;
        section.end()?;
        self.pending.clear();
        self.parts += 1;
        Ok(())
    }

    /// Ends the file and gives back what was written to.
    pub fn finish(mut self) -> Result<W, ExampleError> {
        self.flush()?;
        Ok(self.writer.finish()?)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::texel::record::GameResult;
    use cozy_chess::Board;

    fn examples(count: u32) -> impl Iterator<Item = Example> {
        (0..count).map(|i| Example {
            board: Board::chess960_startpos(i % 960),
            result: GameResult::ALL[i as usize % 3],
            score: (i % 2 == 0).then_some(i as i16),
            game: i / 10,
        })
    }

    fn file(count: u32) -> Vec<u8> {
        let mut writer = ExampleWriter::new(Vec::new(), &ExampleFile::new_header()).unwrap();
        examples(count).for_each(|e| writer.push(&e).unwrap());
        writer.finish().unwrap()
    }

    #[test]
    fn what_is_written_is_read_in_order_also_across_sections() {
        for count in [0, 1, 4096, 70_000] {
            let file = ExampleFile::from_bytes(file(count)).unwrap();
            assert_eq!(file.len(), u64::from(count));
            let (mut read, mut wanted) = (0, examples(count));
            file.for_each(|e| {
                assert_eq!(Some(e), wanted.next());
                read += 1;
            })
            .unwrap();
            assert_eq!(read, count);
        }
        let file = ExampleFile::from_bytes(file(70_000)).unwrap();
        let across: Vec<Example> = examples(70_000).skip(65_530).take(20).collect();
        assert_eq!(file.range(65_530..65_550).unwrap(), across);
        assert_eq!(file.range(69_999..99_999).unwrap().len(), 1);
        assert!(file.block(18).is_err());
    }

    #[test]
    fn damage_is_named_with_its_place() {
        let bytes = file(10);
        let mut writer = Writer::new(Vec::new(), &ExampleFile::new_header()).unwrap();
        let mut section = writer.section("part-0", BLOCK as usize * BYTES).unwrap();
        let mut two = record::encode(&examples(1).next().unwrap()).to_vec();
        two.extend([0; BYTES]);
        section.push(&two).unwrap();
        section.end().unwrap();
        let file = ExampleFile::from_bytes(writer.finish().unwrap()).unwrap();
        let error = file.block(0).unwrap_err().to_string();
        assert!(error.contains("example 1: expected 2 to 32 men, found 0"), "{error}");
        let cut = bytes[..bytes.len() - 9].to_vec();
        assert!(ExampleFile::from_bytes(cut).is_err());
        let other = Header::new(Kind::Examples, "othello", LAYOUT);
        let bytes = Writer::new(Vec::new(), &other).unwrap().finish().unwrap();
        assert!(ExampleFile::from_bytes(bytes).unwrap_err().to_string().contains("othello"));
    }
}
