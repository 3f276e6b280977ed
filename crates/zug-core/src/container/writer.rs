//! Writing a container in one pass.

use super::layout::{self, Block, SectionEntry};
use super::{ContainerError, DEFAULT_BLOCK, Element, Header, MAX_BLOCK, MAX_HEADER, Problem};
use crate::files::AtomicFile;
use std::io::{self, Write};
use std::path::Path;

/// Fast to pack, and close to the best in size for our arrays.
const LEVEL: i32 = 9;

/// Writes a container: header first, then section after section, then [`finish`](Writer::finish).
/// A writer that is dropped before leaves no file.
pub struct Writer<W: Write> {
    out: W,
    file: String,
    at: u64,
    sections: Vec<SectionEntry>,
    packer: zstd::bulk::Compressor<'static>,
}

impl Writer<AtomicFile> {
    /// Begins a file. It appears under its name when [`commit`](Writer::commit) is called.
    pub fn create(path: &Path, header: &Header) -> Result<Writer<AtomicFile>, ContainerError> {
        let file = path.display().to_string();
        let out = AtomicFile::create(path).map_err(|e| Problem::from(e).in_file(&file))?;
        Writer::with_name(out, file, header)
    }

    /// Ends the file and gives it its name.
    pub fn commit(self) -> Result<(), ContainerError> {
        let file = self.file.clone();
        self.finish()?.commit().map_err(|e| Problem::from(e).in_file(&file))
    }
}

impl<W: Write> Writer<W> {
    /// Begins a container in some other place.
    pub fn new(out: W, header: &Header) -> Result<Writer<W>, ContainerError> {
        Writer::with_name(out, "container".into(), header)
    }

    fn with_name(out: W, file: String, header: &Header) -> Result<Writer<W>, ContainerError> {
        let named = |p: Problem| p.in_file(&file);
        let text = header.to_text().map_err(named)?;
        if text.len() > MAX_HEADER {
            let (length, most) = (text.len() as u64, MAX_HEADER as u64);
            return Err(named(Problem::TooLarge { what: "the header".into(), length, most }));
        }
        let packer = zstd::bulk::Compressor::new(LEVEL).map_err(|e| named(Problem::from(e)))?;
        let mut writer = Writer { out, file, at: 0, sections: Vec::new(), packer };
        writer.put(&layout::write_prelude(&text))?;
        writer.put(text.as_bytes())?;
        Ok(writer)
    }

    fn error(&self, problem: Problem) -> ContainerError {
        problem.in_file(&self.file)
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), ContainerError> {
        self.out.write_all(bytes).map_err(|e| self.error(e.into()))?;
        self.at += bytes.len() as u64;
        Ok(())
    }

    fn begin(&mut self, name: &str, block_size: usize) -> Result<(), ContainerError> {
        let problem = if name.is_empty() || name.len() > layout::MAX_NAME {
            format!("the name of a section has 1 to {} bytes, not {}", layout::MAX_NAME, name.len())
        } else if self.sections.iter().any(|s| s.name == name) {
            format!("there is already a section '{name}'")
        } else if block_size == 0 || block_size > MAX_BLOCK {
            format!("a block has 1 to {MAX_BLOCK} bytes, not {block_size}")
        } else if self.sections.len() == layout::MAX_SECTIONS {
            format!("there are already {} sections", layout::MAX_SECTIONS)
        } else {
            self.sections.push(SectionEntry {
                name: name.to_string(),
                length: 0,
                block_size: block_size as u32,
                blocks: Vec::new(),
            });
            return Ok(());
        };
        Err(self.error(Problem::Unwritable(problem)))
    }

    /// Packs and writes a block of the section that was begun last.
    fn put_block(&mut self, bytes: &[u8]) -> Result<(), ContainerError> {
        let packed = self.packer.compress(bytes).map_err(|e| self.error(e.into()))?;
        let block = Block {
            offset: self.at,
            length: packed.len() as u32,
            checksum: crc32fast::hash(&packed),
        };
        self.put(&packed)?;
        let section = self.sections.last_mut().expect("a block belongs to a section");
        section.length += bytes.len() as u64;
        section.blocks.push(block);
        Ok(())
    }

    /// Begins a section that is written piece by piece. Small blocks make reading one value cheap,
    /// large ones pack better.
    pub fn section(
        &mut self,
        name: &str,
        block_size: usize,
    ) -> Result<SectionWriter<'_, W>, ContainerError> {
        self.begin(name, block_size)?;
        Ok(SectionWriter { writer: self, pending: Vec::new(), block_size })
    }

    /// Writes a section of bytes.
    pub fn bytes(&mut self, name: &str, bytes: &[u8]) -> Result<(), ContainerError> {
        let mut section = self.section(name, DEFAULT_BLOCK)?;
        section.push(bytes)?;
        section.end()
    }

    /// Writes a section of numbers.
    pub fn array<T: Element>(&mut self, name: &str, values: &[T]) -> Result<(), ContainerError> {
        let mut section = self.section(name, DEFAULT_BLOCK)?;
        section.push_array(values)?;
        section.end()
    }

    /// Writes table and footer, and gives back what was written to.
    pub fn finish(mut self) -> Result<W, ContainerError> {
        let (table_at, table) = (self.at, layout::write_table(&self.sections));
        if table.len() as u64 > layout::MAX_TABLE {
            let (length, most) = (table.len() as u64, layout::MAX_TABLE);
            return Err(self.error(Problem::TooLarge {
                what: "the block table".into(),
                length,
                most,
            }));
        }
        self.put(&table)?;
        self.put(&layout::write_footer(table_at, &table))?;
        self.out.flush().map_err(|e| self.error(e.into()))?;
        Ok(self.out)
    }
}

/// A section in the making. It is a [`Write`]; [`end`](SectionWriter::end) must be called.
#[must_use = "a section is complete only when it is ended"]
pub struct SectionWriter<'a, W: Write> {
    writer: &'a mut Writer<W>,
    pending: Vec<u8>,
    block_size: usize,
}

impl<W: Write> SectionWriter<'_, W> {
    /// Adds bytes.
    pub fn push(&mut self, mut bytes: &[u8]) -> Result<(), ContainerError> {
        while !bytes.is_empty() {
            let room = self.block_size - self.pending.len();
            let (now, later) = bytes.split_at(room.min(bytes.len()));
            self.pending.extend_from_slice(now);
            bytes = later;
            if self.pending.len() == self.block_size {
                self.writer.put_block(&self.pending)?;
                self.pending.clear();
            }
        }
        Ok(())
    }

    /// Adds numbers.
    pub fn push_array<T: Element>(&mut self, values: &[T]) -> Result<(), ContainerError> {
        let mut bytes = Vec::with_capacity(4096);
        for part in values.chunks(4096 / T::SIZE) {
            bytes.clear();
            part.iter().for_each(|&v| v.put(&mut bytes));
            self.push(&bytes)?;
        }
        Ok(())
    }

    /// Writes what is left.
    pub fn end(self) -> Result<(), ContainerError> {
        if self.pending.is_empty() { Ok(()) } else { self.writer.put_block(&self.pending) }
    }
}

impl<W: Write> Write for SectionWriter<'_, W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.push(bytes).map_err(io::Error::other)?;
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
