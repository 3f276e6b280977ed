//! Values in a file that is larger than memory: the two-level cache of chapter 5.
//!
//! ```text
//! single values   direct-mapped words of 64 bits: | value 16 | cell 48 |
//!       │ a word in the way is moved down
//! blocks          direct-mapped blocks of 32 KB
//!       │ a block in the way is written, the wanted one read
//! file            cell n at offset n, or 2n with two bytes a cell
//! ```
//!
//! A read asks the single values, then the blocks, then the file. A write goes to the single
//! values and comes down when another cell needs its place. There is no account of age or use; the
//! thesis found it to make little difference.

use super::store::{Store, Traffic, read, write};
use std::fs::{self, File, OpenOptions};
use std::io::{Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};
use zug_core::files::FileError;

/// Bytes of a block: about a track of a disk of the time.
pub const BLOCK: usize = 32 * 1024;
/// The bits of a word that hold the cell.
const CELL_BITS: u32 = 48;
/// A word that holds nothing; no row is long enough for such a cell.
const NOTHING: u64 = u64::MAX;

/// How much memory a cache takes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CacheSize {
    /// Single values of 8 bytes; rounded down to a power of two, 0 for none.
    pub values: usize,
    /// Blocks of 32 KB; at least one.
    pub blocks: usize,
}

impl CacheSize {
    /// The smallest: one block.
    pub const LEAST: CacheSize = CacheSize { values: 0, blocks: 1 };

    /// A share of the file of so many cells, as in Table 2 of the thesis: an eighth of it for single
    /// values, the rest for blocks. With 100 % and more, all blocks fit.
    #[must_use]
    pub fn percent(cells: u64, width: u8, percent: f64) -> CacheSize {
        let bytes = cells.saturating_mul(u64::from(width));
        let all = bytes.div_ceil(BLOCK as u64);
        let share = (percent / 100.0).clamp(0.0, 1.0);
        let blocks = if share < 1.0 { (all as f64 * share * 0.875) as u64 } else { all };
        let values = (bytes as f64 * share / 64.0) as usize;
        CacheSize { values, blocks: blocks.max(1) as usize }
    }

    /// Bytes of memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        entries(self.values) * 8 + self.blocks.max(1) * BLOCK
    }
}

fn entries(values: usize) -> usize {
    if values == 0 { 0 } else { 1 << values.ilog2() }
}

/// A block in memory.
#[derive(Debug)]
struct Block {
    number: u64,
    changed: bool,
    bytes: Box<[u8]>,
}

/// Values in a file, with a cache in front. The file is removed when this is dropped, unless it is
/// to be kept.
#[derive(Debug)]
pub struct CachedFile {
    path: PathBuf,
    file: File,
    cells: u64,
    width: u8,
    keep: bool,
    words: Vec<u64>,
    blocks: Vec<Option<Block>>,
    traffic: Traffic,
}

impl CachedFile {
    /// A new file of so many cells of 1 or 2 bytes, all 0. A file that is already there is not
    /// touched.
    pub fn create(
        path: &Path,
        cells: u64,
        width: u8,
        cache: CacheSize,
    ) -> Result<CachedFile, FileError> {
        let width = width.clamp(1, 2);
        let file = new_file(path, cells, width)?;
        let mut blocks = Vec::new();
        let most = cells.saturating_mul(u64::from(width)).div_ceil(BLOCK as u64).max(1);
        blocks.resize_with((cache.blocks.max(1) as u64).min(most) as usize, || None);
        Ok(CachedFile {
            path: path.to_path_buf(),
            file,
            cells,
            width,
            keep: false,
            words: vec![NOTHING; entries(cache.values)],
            blocks,
            traffic: Traffic::default(),
        })
    }

    /// Leaves the file behind: one number a cell, in the code of §3.5.
    #[must_use]
    pub fn keep(mut self) -> CachedFile {
        self.keep = true;
        self
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    fn cells_in_block(&self) -> u64 {
        (BLOCK / usize::from(self.width)) as u64
    }

    /// Where a block lies in the file, and how long it is: the last one may be shorter.
    fn extent(&self, number: u64) -> (u64, usize) {
        let start = number * BLOCK as u64;
        let end = self.cells * u64::from(self.width);
        (start, (end - start).min(BLOCK as u64) as usize)
    }

    /// Makes room and reads a block, unless it is there already.
    fn block(&mut self, number: u64) -> Result<&mut Block, FileError> {
        let place = (number % self.blocks.len() as u64) as usize;
        if self.blocks[place].as_ref().is_none_or(|block| block.number != number) {
            self.write_block(place)?;
            let old = self.blocks[place].take();
            let mut bytes =
                old.map_or_else(|| vec![0; BLOCK].into_boxed_slice(), |block| block.bytes);
            let (start, length) = self.extent(number);
            self.file
                .seek(SeekFrom::Start(start))
                .and_then(|_| self.file.read_exact(&mut bytes[..length]))
                .map_err(FileError::io("read", &self.path))?;
            self.traffic.blocks_read += 1;
            self.blocks[place] = Some(Block { number, changed: false, bytes });
        }
        Ok(self.blocks[place].as_mut().expect("it was just put there"))
    }

    /// Writes the block at a place of the cache to the file, if it has changed.
    fn write_block(&mut self, place: usize) -> Result<(), FileError> {
        let Some(number) = self.blocks[place].as_ref().filter(|b| b.changed).map(|b| b.number)
        else {
            return Ok(());
        };
        let (start, length) = self.extent(number);
        let block = self.blocks[place].as_mut().expect("it was just looked at");
        self.file
            .seek(SeekFrom::Start(start))
            .and_then(|_| self.file.write_all(&block.bytes[..length]))
            .map_err(FileError::io("write", &self.path))?;
        block.changed = false;
        self.traffic.blocks_written += 1;
        Ok(())
    }

    fn set_in_block(&mut self, cell: u64, value: u16) -> Result<(), FileError> {
        let (each, width) = (self.cells_in_block(), self.width);
        let block = self.block(cell / each)?;
        write(&mut block.bytes, (cell % each) as usize, width, value);
        block.changed = true;
        Ok(())
    }

    /// Brings all single values down to their blocks, in the order of their cells, so that each
    /// block is visited once.
    fn empty_words(&mut self) -> Result<(), FileError> {
        let mut waiting: Vec<u64> = self.words.iter().copied().filter(|&w| w != NOTHING).collect();
        waiting.sort_unstable_by_key(|&word| cell_of(word));
        for word in waiting {
            self.set_in_block(cell_of(word), value_of(word))?;
        }
        self.words.fill(NOTHING);
        Ok(())
    }
}

fn cell_of(word: u64) -> u64 {
    word & ((1 << CELL_BITS) - 1)
}

fn value_of(word: u64) -> u16 {
    (word >> CELL_BITS) as u16
}

fn new_file(path: &Path, cells: u64, width: u8) -> Result<File, FileError> {
    if cells >= 1 << CELL_BITS {
        let why = format!("{cells} cells are more than 48 bits can count");
        return Err(FileError::io("create", path)(std::io::Error::other(why)));
    }
    let file = OpenOptions::new().read(true).write(true).create_new(true).open(path);
    let file = file.map_err(FileError::io("create", path))?;
    let long = file.set_len(cells * u64::from(width));
    long.map_err(|e| {
        let _ = fs::remove_file(path);
        FileError::io("lengthen", path)(e)
    })?;
    Ok(file)
}

impl Store for CachedFile {
    fn get(&mut self, cell: u64) -> Result<u16, FileError> {
        self.traffic.reads += 1;
        if !self.words.is_empty() {
            let word = self.words[cell as usize & (self.words.len() - 1)];
            if word != NOTHING && cell_of(word) == cell {
                return Ok(value_of(word));
            }
        }
        self.traffic.value_misses += 1;
        let (each, width) = (self.cells_in_block(), self.width);
        let block = self.block(cell / each)?;
        Ok(read(&block.bytes, (cell % each) as usize, width))
    }

    fn set(&mut self, cell: u64, value: u16) -> Result<(), FileError> {
        self.traffic.writes += 1;
        if self.words.is_empty() {
            self.traffic.value_misses += 1;
            return self.set_in_block(cell, value);
        }
        let place = cell as usize & (self.words.len() - 1);
        let old = self.words[place];
        if old == NOTHING || cell_of(old) != cell {
            self.traffic.value_misses += 1;
            if old != NOTHING {
                self.set_in_block(cell_of(old), value_of(old))?;
            }
        }
        self.words[place] = u64::from(value) << CELL_BITS | cell;
        Ok(())
    }

    fn len(&self) -> u64 {
        self.cells
    }

    fn width(&self) -> u8 {
        self.width
    }

    /// Goes through the file once and writes the wider one beside it. The memory stays the same,
    /// so blocks hold half as many cells.
    fn widen(&mut self, map: &dyn Fn(u16) -> u16) -> Result<(), FileError> {
        if self.width == 2 {
            return Ok(());
        }
        self.flush()?;
        let mut beside = self.path.clone().into_os_string();
        beside.push(".wide");
        let beside = PathBuf::from(beside);
        let mut wide = new_file(&beside, self.cells, 2)?;
        let copied = copy_wide(&mut self.file, &mut wide, self.cells, map);
        let renamed = copied.map_err(FileError::io("write", &beside)).and_then(|()| {
            fs::rename(&beside, &self.path).map_err(FileError::io("rename", &beside))
        });
        if let Err(e) = renamed {
            let _ = fs::remove_file(&beside);
            return Err(e);
        }
        self.file = wide;
        self.width = 2;
        self.blocks.iter_mut().for_each(|block| *block = None);
        Ok(())
    }

    fn flush(&mut self) -> Result<(), FileError> {
        self.empty_words()?;
        (0..self.blocks.len()).try_for_each(|place| self.write_block(place))?;
        if self.keep {
            self.file.sync_all().map_err(FileError::io("write", &self.path))?;
        }
        Ok(())
    }

    fn traffic(&self) -> Traffic {
        self.traffic
    }
}

fn copy_wide(
    from: &mut File,
    to: &mut File,
    cells: u64,
    map: &dyn Fn(u16) -> u16,
) -> std::io::Result<()> {
    from.seek(SeekFrom::Start(0))?;
    let mut left = cells;
    let (mut narrow, mut wide) = (vec![0; BLOCK], Vec::with_capacity(2 * BLOCK));
    while left > 0 {
        let some = left.min(BLOCK as u64) as usize;
        from.read_exact(&mut narrow[..some])?;
        wide.clear();
        wide.extend(narrow[..some].iter().flat_map(|&n| map(u16::from(n)).to_le_bytes()));
        to.write_all(&wide)?;
        left -= some as u64;
    }
    Ok(())
}

impl Drop for CachedFile {
    fn drop(&mut self) {
        if !self.keep {
            // Nobody is left to hear of a failure; the file is only in the way.
            let _ = fs::remove_file(&self.path);
        }
    }
}
