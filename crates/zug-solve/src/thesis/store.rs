//! Where are the values of all cells kept while they are computed?

use zug_core::files::FileError;

/// What a store has done so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Traffic {
    /// Values asked for.
    pub reads: u64,
    /// Values written.
    pub writes: u64,
    /// Accesses that the single-value cache could not answer.
    pub value_misses: u64,
    /// Blocks that had to be read from the file.
    pub blocks_read: u64,
    /// Blocks that had to be written to the file.
    pub blocks_written: u64,
}

impl Traffic {
    /// Reads and writes.
    #[must_use]
    pub fn accesses(&self) -> u64 {
        self.reads + self.writes
    }
}

/// A row of small numbers, one for each cell.
pub trait Store {
    /// The number of a cell. Reading may move things about in a cache.
    fn get(&mut self, cell: u64) -> Result<u16, FileError>;

    /// Sets the number of a cell. With one byte a cell, only numbers below 256 are kept whole.
    fn set(&mut self, cell: u64, value: u16) -> Result<(), FileError>;

    /// How many cells.
    fn len(&self) -> u64;

    /// Are there none?
    fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Bytes a cell: 1 or 2.
    fn width(&self) -> u8;

    /// Goes from one byte a cell to two, replacing each number by what `map` makes of it.
    fn widen(&mut self, map: &dyn Fn(u16) -> u16) -> Result<(), FileError>;

    /// Brings everything to where it will stay; for a file, to the disk.
    fn flush(&mut self) -> Result<(), FileError> {
        Ok(())
    }

    /// What has been done so far.
    fn traffic(&self) -> Traffic;
}

/// All values in memory.
#[derive(Debug)]
pub struct MemoryStore {
    bytes: Vec<u8>,
    width: u8,
    traffic: Traffic,
}

impl MemoryStore {
    /// Room for so many cells of 1 or 2 bytes, all 0.
    #[must_use]
    pub fn new(cells: u64, width: u8) -> MemoryStore {
        let width = width.clamp(1, 2);
        let bytes = vec![0; cells as usize * usize::from(width)];
        MemoryStore { bytes, width, traffic: Traffic::default() }
    }
}

/// Reads a number of `width` bytes.
pub(super) fn read(bytes: &[u8], at: usize, width: u8) -> u16 {
    match width {
        1 => u16::from(bytes[at]),
        _ => u16::from_le_bytes([bytes[2 * at], bytes[2 * at + 1]]),
    }
}

/// Writes a number of `width` bytes.
pub(super) fn write(bytes: &mut [u8], at: usize, width: u8, value: u16) {
    match width {
        1 => bytes[at] = value as u8,
        _ => bytes[2 * at..2 * at + 2].copy_from_slice(&value.to_le_bytes()),
    }
}

impl Store for MemoryStore {
    fn get(&mut self, cell: u64) -> Result<u16, FileError> {
        self.traffic.reads += 1;
        Ok(read(&self.bytes, cell as usize, self.width))
    }

    fn set(&mut self, cell: u64, value: u16) -> Result<(), FileError> {
        self.traffic.writes += 1;
        write(&mut self.bytes, cell as usize, self.width, value);
        Ok(())
    }

    fn len(&self) -> u64 {
        self.bytes.len() as u64 / u64::from(self.width)
    }

    fn width(&self) -> u8 {
        self.width
    }

    fn widen(&mut self, map: &dyn Fn(u16) -> u16) -> Result<(), FileError> {
        if self.width == 1 {
            let wide = self.bytes.iter().flat_map(|&byte| map(u16::from(byte)).to_le_bytes());
            self.bytes = wide.collect();
            self.width = 2;
        }
        Ok(())
    }

    fn traffic(&self) -> Traffic {
        self.traffic
    }
}
