//! How are examples kept, so that a hundred million need little memory?
//!
//! A file of examples is a [container](zug_core::container) of layout [`LAYOUT`]. The examples are
//! sorted by disc count, then by canonical board, each once. Those of one disc count stand in
//! sections `discs-12.0`, `discs-12.1`, … of [`PART`] examples each, the last of which may be
//! shorter; a section is cut into blocks of [`BLOCK`] examples that are unpacked one at a time.
//!
//! Readers take any range of any disc count, from several threads at once.

use super::codec::{self, BYTES};
use super::{Example, ExampleError};
use std::ops::{Range, RangeInclusive};
use std::path::Path;
use zug_core::container::{Container, Expect, Header, Kind, Writer};
use zug_core::files::AtomicFile;

/// The game of the files.
pub const GAME: &str = "othello";
/// The layout of the files.
pub const LAYOUT: &str = "othello-examples/1";
/// Examples in a section.
pub const PART: u64 = 1 << 16;
/// Examples in a block.
pub const BLOCK: u64 = 1 << 12;
/// Bytes of a block.
pub const BLOCK_BYTES: usize = BLOCK as usize * BYTES;

/// The disc counts of boards.
const DISCS: usize = 65;

/// An open file of examples. Cheap to share: reading takes `&self`.
pub struct ExampleFile {
    container: Container,
    /// For each disc count its sections, by their place in the container.
    parts: Vec<Vec<usize>>,
    counts: [u64; DISCS],
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

    /// What a container must say it is.
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
        let mut parts = vec![Vec::new(); DISCS];
        let mut counts = [0; DISCS];
        let mut highest = 0;
        for (place, section) in container.sections().enumerate() {
            let wrong = |what: &str| ExampleError::Section {
                file: container.file().to_string(),
                section: section.name().chars().take(40).collect(),
                what: what.to_string(),
            };
            let (discs, part) = parse_name(section.name())
                .ok_or_else(|| wrong("expected a name such as 'discs-12.0'"))?;
            if part != parts[discs].len() || discs < highest {
                return Err(wrong("it does not follow the section before it"));
            }
            highest = discs;
            if section.block_size() != BLOCK_BYTES {
                return Err(wrong("expected blocks of 4096 examples"));
            }
            let count = section.length() / BYTES as u64;
            if section.length() != count * BYTES as u64 || count == 0 || count > PART {
                return Err(wrong("expected 1 to 65536 examples of 23 bytes"));
            }
            if counts[discs] % PART != 0 {
                return Err(wrong("the section before it is not full"));
            }
            parts[discs].push(place);
            counts[discs] += count;
        }
        Ok(ExampleFile { container, parts, counts })
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
        self.counts.iter().sum()
    }

    /// Is there none?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Examples with so many discs on the board.
    #[must_use]
    pub fn count(&self, discs: u32) -> u64 {
        self.counts.get(discs as usize).copied().unwrap_or(0)
    }

    /// The lowest and the highest disc count that has examples.
    #[must_use]
    pub fn discs(&self) -> Option<RangeInclusive<u32>> {
        let low = self.counts.iter().position(|&c| c > 0)?;
        let high = self.counts.iter().rposition(|&c| c > 0)?;
        Some(low as u32..=high as u32)
    }

    /// The examples of a disc count with these numbers (from 0). The memory is the caller's
    /// choice, as it chooses the range; whole blocks are the cheapest, see
    /// [`chunks`](ExampleFile::chunks).
    pub fn chunk(&self, discs: u32, range: Range<u64>) -> Result<Vec<Example>, ExampleError> {
        let count = self.count(discs);
        if range.start > range.end || range.end > count {
            let file = self.name().to_string();
            let Range { start: begin, end } = range;
            return Err(ExampleError::OutOfRange { file, discs, begin, end, count });
        }
        let mut out = Vec::with_capacity((range.end - range.start) as usize);
        let mut bytes = Vec::new();
        let mut at = range.start;
        while at < range.end {
            let begin = at / BLOCK * BLOCK;
            self.read_block(discs, begin, &mut bytes)?;
            let there = bytes.len() / BYTES;
            let last = (range.end - begin).min(there as u64);
            for index in at - begin..last {
                let wrong = |what: String| {
                    let (file, index) = (self.name().to_string(), begin + index);
                    ExampleError::Content { file, discs, index, what }
                };
                let example = codec::decode(&bytes, there, index as usize).map_err(wrong)?;
                if example.board.discs() != discs {
                    return Err(wrong(format!("it has {} of them", example.board.discs())));
                }
                if out.last().is_some_and(|before: &Example| before.board >= example.board) {
                    return Err(wrong("it is not in order after the one before it".into()));
                }
                out.push(example);
            }
            at = begin + last;
        }
        Ok(out)
    }

    /// Unpacks the block that begins with this example.
    fn read_block(&self, discs: u32, begin: u64, out: &mut Vec<u8>) -> Result<(), ExampleError> {
        let place = self.parts[discs as usize][(begin / PART) as usize];
        let section = self.container.sections().nth(place).expect("a section that was seen");
        Ok(section.read_block((begin % PART / BLOCK) as usize, out)?)
    }

    /// Ranges of at most `size` examples that together are all of a disc count; rounded up to whole
    /// blocks, so that no block is unpacked twice. For parallel readers: the same for any number of
    /// threads.
    pub fn chunks(&self, discs: u32, size: u64) -> impl Iterator<Item = Range<u64>> + use<> {
        let count = self.count(discs);
        let step = size.clamp(1, count.max(1)).div_ceil(BLOCK) * BLOCK;
        (0..count.div_ceil(step)).map(move |i| i * step..((i + 1) * step).min(count))
    }

    /// Hands over the examples with these disc counts, in order; one block at a time is in memory.
    pub fn for_each(
        &self,
        discs: RangeInclusive<u32>,
        mut sink: impl FnMut(Example),
    ) -> Result<(), ExampleError> {
        for discs in *discs.start()..=(*discs.end()).min(DISCS as u32 - 1) {
            let mut last = None;
            for range in self.chunks(discs, BLOCK) {
                let index = range.start;
                let chunk = self.chunk(discs, range)?;
                if last >= chunk.first().map(|e| e.board) {
                    let what = "it is not in order after the one before it".into();
                    let file = self.name().to_string();
                    return Err(ExampleError::Content { file, discs, index, what });
                }
                last = chunk.last().map(|e| e.board);
                chunk.into_iter().for_each(&mut sink);
            }
        }
        Ok(())
    }

    /// Reads everything, and checks also what readers take for granted: that every board is in its
    /// canonical image.
    pub fn verify(&self) -> Result<(), ExampleError> {
        for discs in 0..DISCS as u32 {
            let (mut index, mut wrong) = (0, None);
            self.for_each(discs..=discs, |example| {
                if example.board.canonical() != example.board {
                    wrong.get_or_insert(index);
                }
                index += 1;
            })?;
            if let Some(index) = wrong {
                let what = "its board is not in its canonical image".into();
                let file = self.name().to_string();
                return Err(ExampleError::Content { file, discs, index, what });
            }
        }
        Ok(())
    }
}

/// The disc count and the number of a section.
fn parse_name(name: &str) -> Option<(usize, usize)> {
    let (discs, part) = name.strip_prefix("discs-")?.split_once('.')?;
    let number = |text: &str| -> Option<usize> {
        let value: usize = text.parse().ok()?;
        // One name for one section: no sign, no leading zeros.
        (value.to_string() == text).then_some(value)
    };
    Some((number(discs).filter(|&d| d < DISCS)?, number(part)?))
}

/// Writes a file of examples, which must come in order. It appears under its name when
/// [`commit`](ExampleWriter::commit) is called.
pub struct ExampleWriter<W: std::io::Write = AtomicFile> {
    writer: Writer<W>,
    /// Of one disc count, at most [`PART`].
    pending: Vec<Example>,
    /// Of the disc count at hand.
    parts: usize,
    last: Option<(u32, crate::Board)>,
    written: u64,
}

impl ExampleWriter<AtomicFile> {
    /// Begins a file.
    pub fn create(path: &Path, header: &Header) -> Result<ExampleWriter, ExampleError> {
        Ok(ExampleWriter::with_writer(Writer::create(path, header)?))
    }

    /// Ends the file and gives it its name; tells how many examples it holds.
    pub fn commit(mut self) -> Result<u64, ExampleError> {
        self.flush()?;
        self.writer.commit()?;
        Ok(self.written)
    }
}

impl<W: std::io::Write> ExampleWriter<W> {
    /// Begins a file in some other place.
    pub fn new(out: W, header: &Header) -> Result<ExampleWriter<W>, ExampleError> {
        Ok(ExampleWriter::with_writer(Writer::new(out, header)?))
    }

    fn with_writer(writer: Writer<W>) -> ExampleWriter<W> {
        ExampleWriter { writer, pending: Vec::new(), parts: 0, last: None, written: 0 }
    }

    /// Adds the next example: by disc count, then by board, each once.
    pub fn push(&mut self, example: Example) -> Result<(), ExampleError> {
        codec::check(&example).map_err(ExampleError::Unwritable)?;
        let key = example.key();
        if self.last.is_some_and(|last| last >= key) {
            return Err(ExampleError::Unsorted(format!("{:?}", example.board)));
        }
        let is_new_count = self.last.is_some_and(|(discs, _)| discs != key.0);
        if is_new_count || self.pending.len() as u64 == PART {
            self.flush()?;
        }
        if is_new_count {
            self.parts = 0;
        }
        self.last = Some(key);
        self.written += 1;
        self.pending.push(example);
        Ok(())
    }

    fn flush(&mut self) -> Result<(), ExampleError> {
        let Some((discs, _)) = self.last.filter(|_| !self.pending.is_empty()) else {
            return Ok(());
        };
        let name = format!("discs-{discs}.{}", self.parts);
        let mut section = self.writer.section(&name, BLOCK_BYTES)?;
        let mut bytes = Vec::new();
        for block in self.pending.chunks(BLOCK as usize) {
            bytes.clear();
            codec::encode(block, &mut bytes);
            section.push(&bytes)?;
        }
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
    use super::super::testing::{examples, merged};
    use super::super::{MIXED, Source};
    use super::*;
    use crate::Board;
    use proptest::prelude::*;

    fn write(examples: &[Example]) -> Result<Vec<u8>, ExampleError> {
        let mut writer = ExampleWriter::new(Vec::new(), &ExampleFile::new_header())?;
        for &example in examples {
            writer.push(example)?;
        }
        writer.finish()
    }

    fn read(file: &ExampleFile) -> Vec<Example> {
        let mut read = Vec::new();
        file.for_each(0..=64, |e| read.push(e)).unwrap();
        read
    }

    /// So many boards of 32 discs, sorted; far from canonical, which the file does not ask for.
    fn many(count: u64) -> Vec<Example> {
        (0..count)
            .map(|i| Example {
                board: Board { own: i, other: !i & 0xFFFF_FFFF },
                score: (i % 65) as i8,
                source: Source::Search,
                fold: MIXED,
                count: 1 + i as u32,
            })
            .collect()
    }

    proptest! {
        #[test]
        fn examples_survive_being_written_and_read(given in examples(0..60)) {
            let sorted = merged(&given);
            let file = ExampleFile::from_bytes(write(&sorted).unwrap()).unwrap();
            prop_assert_eq!(file.len(), sorted.len() as u64);
            prop_assert_eq!(read(&file), sorted);
            prop_assert!(file.verify().is_ok());
        }

        #[test]
        fn a_changed_byte_is_an_error_and_never_another_example(at: prop::sample::Index, to: u8) {
            let given = many(300);
            let mut bytes = write(&given).unwrap();
            let at = at.index(bytes.len());
            prop_assume!(bytes[at] != to);
            bytes[at] = to;
            let again = ExampleFile::from_bytes(bytes).and_then(|file| file.chunk(32, 0..300));
            prop_assert!(again.is_err());
        }
    }

    #[test]
    fn any_range_is_read_across_blocks_and_sections() {
        let count = PART + BLOCK + 7;
        let given = many(count);
        let file = ExampleFile::from_bytes(write(&given).unwrap()).unwrap();
        assert_eq!((file.count(32), file.count(31), file.count(99)), (count, 0, 0));
        assert_eq!(file.discs(), Some(32..=32));
        for range in [0..0, 0..1, 4095..4097, 65_530..65_540, count - 9..count, 0..count] {
            let wanted = &given[range.start as usize..range.end as usize];
            assert_eq!(file.chunk(32, range).unwrap(), wanted);
        }
        for size in [1, 5000, u64::MAX] {
            let ranges: Vec<_> = file.chunks(32, size).collect();
            assert_eq!(ranges.first().map(|r| r.start), Some(0));
            assert!(ranges.windows(2).all(|w| w[0].end == w[1].start));
            assert_eq!(ranges.last().map(|r| r.end), Some(count));
        }
        assert_eq!(read(&file), given);
        let beyond = file.chunk(32, 0..count + 1).unwrap_err().to_string();
        assert!(beyond.contains(&count.to_string()), "{beyond}");
        assert!(file.verify().is_err());
    }

    #[test]
    fn examples_out_of_order_or_impossible_are_not_written() {
        let given = many(3);
        assert!(matches!(write(&[given[1], given[0]]), Err(ExampleError::Unsorted(_))));
        assert!(matches!(write(&[given[1], given[1]]), Err(ExampleError::Unsorted(_))));
        let bad = Example { score: 65, ..given[0] };
        assert!(matches!(write(&[bad]), Err(ExampleError::Unwritable(_))));
    }

    #[test]
    fn files_that_are_cut_or_of_another_kind_are_refused() {
        let bytes = write(&many(10)).unwrap();
        let refused = |bytes: Vec<u8>| ExampleFile::from_bytes(bytes).unwrap_err().to_string();
        assert!(refused(bytes[..bytes.len() - 1].to_vec()).contains("the end of the file"));
        assert!(refused(b"f5d6c3".to_vec()).contains("no Zug file"));
        for (header, said) in [
            (Header::new(Kind::Model, GAME, LAYOUT), "found a model"),
            (Header::new(Kind::Examples, "chess", LAYOUT), "'chess'"),
            (Header::new(Kind::Examples, GAME, "othello-examples/9"), "layout"),
        ] {
            let bytes = Writer::new(Vec::new(), &header).unwrap().finish().unwrap();
            let message = refused(bytes);
            assert!(message.contains(said), "{message}");
        }
    }

    /// A file with sound checksums and these sections.
    fn forged(sections: &[(&str, &[u8], usize)]) -> Result<ExampleFile, ExampleError> {
        let mut writer = Writer::new(Vec::new(), &ExampleFile::new_header()).unwrap();
        for &(name, bytes, block) in sections {
            let mut section = writer.section(name, block).unwrap();
            section.push(bytes).unwrap();
            section.end().unwrap();
        }
        ExampleFile::from_bytes(writer.finish().unwrap())
    }

    #[test]
    fn sections_that_no_writer_makes_are_refused() {
        let block = BLOCK_BYTES;
        let mut good = Vec::new();
        codec::encode(&many(2), &mut good);
        assert_eq!(forged(&[("discs-32.0", &good, block)]).unwrap().count(32), 2);
        for sections in [
            &[("weights", &good[..], block)][..],
            &[("discs-65.0", &good, block)],
            &[("discs-032.0", &good, block)],
            &[("discs-32.1", &good, block)],
            &[("discs-32.0", &good, block), ("discs-31.0", &good, block)],
            &[("discs-32.0", &good, block), ("discs-32.1", &good, block)],
            &[("discs-32.0", &good, 46)],
            &[("discs-32.0", &good[..45], block)],
            &[("discs-32.0", &[], block)],
        ] {
            let names: Vec<&str> = sections.iter().map(|s| s.0).collect();
            let refused = forged(sections);
            assert!(matches!(refused, Err(ExampleError::Section { .. })), "{names:?}");
        }
        let wrong_count = forged(&[("discs-31.0", &good, block)]).unwrap().chunk(31, 0..2);
        let message = wrong_count.unwrap_err().to_string();
        assert!(message.contains("example 0 with 31 discs: it has 32"), "{message}");
        let mut swapped = Vec::new();
        codec::encode(&[many(2)[1], many(2)[0]], &mut swapped);
        let message = forged(&[("discs-32.0", &swapped, block)]).unwrap().chunk(32, 0..2);
        assert!(message.unwrap_err().to_string().contains("not in order"));
    }
}
