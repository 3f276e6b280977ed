//! Reading a container: the whole table at once, blocks when they are asked for.

use super::layout::{self, FOOTER, PRELUDE, SectionEntry};
use super::{ContainerError, Element, Expect, Header, Problem};
use crate::files::FileError;
use std::cell::RefCell;
use std::fs::File;
use std::io;
use std::ops::Range;
use std::path::Path;

/// Bytes that can be read by position, by several threads at once.
pub trait Source: Send + Sync {
    /// How many there are.
    fn length(&self) -> u64;
    /// Fills the buffer from a position on.
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()>;
}

struct FileSource {
    file: File,
    length: u64,
}

impl Source for FileSource {
    fn length(&self) -> u64 {
        self.length
    }
    #[cfg(unix)]
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        std::os::unix::fs::FileExt::read_exact_at(&self.file, buffer, offset)
    }
    #[cfg(windows)]
    fn read_at(&self, mut buffer: &mut [u8], mut offset: u64) -> io::Result<()> {
        while !buffer.is_empty() {
            let n = std::os::windows::fs::FileExt::seek_read(&self.file, buffer, offset)?;
            if n == 0 {
                return Err(io::ErrorKind::UnexpectedEof.into());
            }
            buffer = &mut buffer[n..];
            offset += n as u64;
        }
        Ok(())
    }
}

impl<T: AsRef<[u8]> + Send + Sync> Source for T {
    fn length(&self) -> u64 {
        self.as_ref().len() as u64
    }
    fn read_at(&self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let begin = usize::try_from(offset).map_err(|_| io::ErrorKind::UnexpectedEof)?;
        let from = begin
            .checked_add(buffer.len())
            .and_then(|end| self.as_ref().get(begin..end))
            .ok_or(io::ErrorKind::UnexpectedEof)?;
        buffer.copy_from_slice(from);
        Ok(())
    }
}

/// An open container. Cheap to share: reading takes `&self`.
pub struct Container {
    file: String,
    source: Box<dyn Source>,
    header: Header,
    header_text: String,
    sections: Vec<SectionEntry>,
}

impl std::fmt::Debug for Container {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Container")
            .field("file", &self.file)
            .field("header", &self.header)
            .finish_non_exhaustive()
    }
}

impl Container {
    /// Opens a file, checks header and table, and refuses what was not asked for.
    pub fn open(path: &Path, expect: &Expect) -> Result<Container, ContainerError> {
        let name = path.display().to_string();
        let open = || -> Result<FileSource, FileError> {
            let file = File::open(path).map_err(FileError::io("open", path))?;
            let length = file.metadata().map_err(FileError::io("read", path))?.len();
            Ok(FileSource { file, length })
        };
        let source = open().map_err(|e| Problem::from(e).in_file(&name))?;
        Container::from_source(name, Box::new(source), expect)
    }

    /// Reads a container in memory, such as one compiled into the program.
    pub fn from_bytes(
        bytes: impl AsRef<[u8]> + Send + Sync + 'static,
        expect: &Expect,
    ) -> Result<Container, ContainerError> {
        Container::from_source("container in memory".into(), Box::new(bytes), expect)
    }

    /// Reads a container from anywhere; `file` is its name in messages.
    pub fn from_source(
        file: String,
        source: Box<dyn Source>,
        expect: &Expect,
    ) -> Result<Container, ContainerError> {
        match read_parts(&*source, expect) {
            Ok((header, header_text, sections)) => {
                Ok(Container { file, source, header, header_text, sections })
            }
            Err(problem) => Err(problem.in_file(&file)),
        }
    }

    /// Refuses what was not asked for, when that is known only after opening.
    pub fn check(&self, expect: &Expect) -> Result<(), ContainerError> {
        expect.check(&self.header).map_err(|p| self.error(p))
    }

    /// What it is and how it was made.
    #[must_use]
    pub fn header(&self) -> &Header {
        &self.header
    }

    /// The header as it stands in the file.
    #[must_use]
    pub fn header_text(&self) -> &str {
        self.header_text.trim_start()
    }

    /// The name for messages.
    #[must_use]
    pub fn file(&self) -> &str {
        &self.file
    }

    /// The size of the file.
    #[must_use]
    pub fn file_length(&self) -> u64 {
        self.source.length()
    }

    /// All sections, in the order they were written.
    pub fn sections(&self) -> impl Iterator<Item = Section<'_>> {
        self.sections.iter().map(|entry| Section { container: self, entry })
    }

    /// A section by name.
    pub fn section(&self, name: &str) -> Result<Section<'_>, ContainerError> {
        self.sections().find(|s| s.name() == name).ok_or_else(|| {
            let names: Vec<&str> = self.sections().map(|s| s.entry.name.as_str()).collect();
            self.error(Problem::NoSection { name: name.to_string(), present: names.join(", ") })
        })
    }

    /// Reads and checks every block; memory for one at a time.
    pub fn verify(&self) -> Result<(), ContainerError> {
        let mut buffer = Vec::new();
        for section in self.sections() {
            for block in 0..section.blocks() {
                section.read_block(block, &mut buffer)?;
            }
        }
        Ok(())
    }

    /// The BLAKE3 digest of all bytes: the name by which a result can say which model it used.
    pub fn digest(&self) -> Result<String, ContainerError> {
        let mut hasher = blake3::Hasher::new();
        let mut buffer = vec![0; 1 << 16];
        let (mut at, length) = (0, self.source.length());
        while at < length {
            let piece = (length - at).min(buffer.len() as u64) as usize;
            self.source.read_at(&mut buffer[..piece], at).map_err(|e| self.error(e.into()))?;
            hasher.update(&buffer[..piece]);
            at += piece as u64;
        }
        Ok(hasher.finalize().to_hex().to_string())
    }

    fn error(&self, problem: Problem) -> ContainerError {
        problem.in_file(&self.file)
    }
}

fn read_parts(
    source: &dyn Source,
    expect: &Expect,
) -> Result<(Header, String, Vec<SectionEntry>), Problem> {
    let length = source.length();
    let mut prelude = [0; PRELUDE];
    // A file shorter than a prelude may be the beginning of one, or something else altogether.
    let there = length.min(PRELUDE as u64) as usize;
    source.read_at(&mut prelude[..there], 0)?;
    let magic = there.min(layout::MAGIC.len());
    if there == 0 || prelude[..magic] != layout::MAGIC[..magic] {
        return Err(Problem::NotAContainer);
    }
    if there < PRELUDE {
        return Err(Problem::Truncated);
    }
    let header_length = layout::header_length(&prelude)?;
    let blocks_at = (PRELUDE + header_length) as u64;
    if length < blocks_at + FOOTER as u64 {
        return Err(Problem::Truncated);
    }
    let mut header = vec![0; header_length];
    source.read_at(&mut header, PRELUDE as u64)?;
    let header_text = layout::check_header(&prelude, header)?;
    let header = Header::from_toml(&header_text).map_err(|message| {
        Problem::damaged(PRELUDE as u64, format!("the header cannot be read: {message}"))
    })?;
    expect.check(&header)?;

    let mut footer = [0; FOOTER];
    source.read_at(&mut footer, length - FOOTER as u64)?;
    let place = layout::read_footer(&footer, blocks_at, length)?;
    let mut table = vec![0; place.length as usize];
    source.read_at(&mut table, place.offset)?;
    if crc32fast::hash(&table) != place.checksum {
        return Err(Problem::damaged(place.offset, "the checksum of the block table does not fit"));
    }
    let sections = layout::read_table(&table, blocks_at, place.offset)?;
    Ok((header, header_text, sections))
}

/// A named part of an open container.
#[derive(Clone, Copy, Debug)]
pub struct Section<'a> {
    container: &'a Container,
    entry: &'a SectionEntry,
}

thread_local! {
    // A context of zstd is a hundred kilobytes; a probe should not allocate one.
    static UNPACKER: RefCell<Option<zstd::bulk::Decompressor<'static>>> =
        const { RefCell::new(None) };
}

impl<'a> Section<'a> {
    #[cfg(test)]
    pub(super) fn entry(&self) -> &'a SectionEntry {
        self.entry
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &'a str {
        &self.entry.name
    }

    /// Unpacked bytes.
    #[must_use]
    pub fn length(&self) -> u64 {
        self.entry.length
    }

    /// Bytes in the file.
    #[must_use]
    pub fn packed_length(&self) -> u64 {
        self.entry.blocks.iter().map(|b| u64::from(b.length)).sum()
    }

    /// Number of blocks.
    #[must_use]
    pub fn blocks(&self) -> usize {
        self.entry.blocks.len()
    }

    /// Unpacked bytes of a block; the last may be shorter.
    #[must_use]
    pub fn block_size(&self) -> usize {
        self.entry.block_size as usize
    }

    /// Unpacks a block into `out`, which is cleared first. For callers that keep blocks.
    pub fn read_block(&self, block: usize, out: &mut Vec<u8>) -> Result<(), ContainerError> {
        out.clear();
        let Some(&place) = self.entry.blocks.get(block) else {
            let size = u64::from(self.entry.block_size);
            let begin = size.saturating_mul(block as u64);
            return Err(self.out_of_range(begin..begin.saturating_add(size)));
        };
        let error = |p: Problem| self.container.error(p);
        let damaged = |what| {
            let (number, of, name) = (block + 1, self.blocks(), self.name());
            let what = format!("{what} (block {number} of {of} in section '{name}')");
            error(Problem::damaged(place.offset, what))
        };
        let mut packed = vec![0; place.length as usize];
        self.container.source.read_at(&mut packed, place.offset).map_err(|e| error(e.into()))?;
        if crc32fast::hash(&packed) != place.checksum {
            return Err(damaged("the checksum of a block does not fit"));
        }
        let length = self.entry.block_length(block);
        out.reserve_exact(length);
        let unpacked = UNPACKER.with_borrow_mut(|slot| -> io::Result<usize> {
            let unpacker = match slot {
                Some(unpacker) => unpacker,
                None => slot.insert(zstd::bulk::Decompressor::new()?),
            };
            // Never writes past the capacity, whatever the frame claims.
            unpacker.decompress_to_buffer(&packed, out)
        });
        match unpacked {
            Ok(n) if n == length => Ok(()),
            _ => {
                out.clear();
                Err(damaged("a block cannot be unpacked to its stated length"))
            }
        }
    }

    /// Reads a range of bytes, unpacking only the blocks that it touches. The memory is the
    /// caller's choice, as it chooses the range.
    pub fn read(&self, range: Range<u64>) -> Result<Vec<u8>, ContainerError> {
        if range.start > range.end || range.end > self.entry.length {
            return Err(self.out_of_range(range));
        }
        let (mut out, mut block) = (Vec::new(), Vec::new());
        let size = u64::from(self.entry.block_size);
        let mut at = range.start;
        while at < range.end {
            let number = at / size;
            self.read_block(number as usize, &mut block)?;
            let begin = (at - number * size) as usize;
            let end = (range.end - number * size).min(block.len() as u64) as usize;
            out.extend_from_slice(&block[begin..end]);
            at = number * size + end as u64;
        }
        Ok(out)
    }

    /// Reads the whole section, if it has at most `most` bytes.
    pub fn bytes(&self, most: u64) -> Result<Vec<u8>, ContainerError> {
        if self.entry.length > most {
            let what = format!("section '{}'", self.entry.name);
            return Err(self.container.error(Problem::TooLarge {
                what,
                length: self.entry.length,
                most,
            }));
        }
        self.read(0..self.entry.length)
    }

    /// How many numbers of a type it holds.
    pub fn count<T: Element>(&self) -> Result<u64, ContainerError> {
        let size = T::SIZE as u64;
        if !self.entry.length.is_multiple_of(size) {
            let at = self.entry.blocks.first().map_or(0, |b| b.offset);
            let what = format!("section '{}' is no array of {size}-byte numbers", self.entry.name);
            return Err(self.container.error(Problem::damaged(at, what)));
        }
        Ok(self.entry.length / size)
    }

    /// Reads all numbers, if there are at most `most`.
    pub fn array<T: Element>(&self, most: u64) -> Result<Vec<T>, ContainerError> {
        let count = self.count::<T>()?;
        if count > most {
            let what = format!("section '{}' (in numbers)", self.entry.name);
            return Err(self.container.error(Problem::TooLarge { what, length: count, most }));
        }
        self.array_part(0..count)
    }

    /// Reads the numbers with these indices.
    pub fn array_part<T: Element>(&self, range: Range<u64>) -> Result<Vec<T>, ContainerError> {
        let size = T::SIZE as u64;
        let bytes = match (range.start.checked_mul(size), range.end.checked_mul(size)) {
            (Some(begin), Some(end)) => self.read(begin..end)?,
            _ => return Err(self.out_of_range(range)),
        };
        Ok(bytes.chunks_exact(T::SIZE).map(T::get).collect())
    }

    fn out_of_range(&self, range: Range<u64>) -> ContainerError {
        self.container.error(Problem::OutOfRange {
            section: self.entry.name.clone(),
            begin: range.start,
            end: range.end,
            length: self.entry.length,
        })
    }
}
