//! The solved values of a stage, one or two bytes each.

use super::SolveError;
use super::disk::{Scratch, trouble};
use super::words::{Scheme, UNKNOWN, Word, duplicate, illegal};
use crate::value::{Code, Value};
use std::fs::File;
use std::io::{BufWriter, Write};
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::Path;
use std::sync::{Mutex, OnceLock};

/// The values of a run of slots.
#[derive(Debug)]
pub struct Table {
    first: u64,
    cells: u64,
    region_bits: u32,
    scheme: Scheme,
    /// The largest word that is a distance.
    top: u32,
    words: Words,
}

#[derive(Debug)]
pub(crate) enum Words {
    Narrow(Vec<Vec<u8>>),
    Wide(Vec<Vec<u16>>),
    Files(Files),
}

impl Words {
    /// The cells of the solver's files, one region after the other in one file. The files are gone
    /// then.
    pub(crate) fn gathered(
        scratch: &Scratch,
        count: usize,
        width: u8,
    ) -> Result<Words, SolveError> {
        let path = scratch.path("cells");
        Ok(Words::Files(Files::write(&path, width, |out| {
            for r in 0..count {
                let region = scratch.cells(r);
                std::io::copy(&mut File::open(&region)?, out)?;
                std::fs::remove_file(&region)?;
            }
            Ok(())
        })?))
    }
}

/// Bytes of a file that are read together, and how many such pieces are kept. Small pieces, since
/// many cells are asked for in another order than that of the file.
const PIECE: usize = 1 << 12;
const CACHED: usize = 1 << 6;

/// The number of a piece, and its bytes.
type Piece = (u64, Vec<u8>);

/// Cells in a file, read piece by piece.
#[derive(Debug)]
pub(crate) struct Files {
    file: File,
    width: u8,
    /// Pieces that were read last, each in the place that its number gives.
    cache: Vec<Mutex<Option<Piece>>>,
    /// The first thing that went wrong.
    broken: OnceLock<SolveError>,
}

impl Files {
    /// Cells as they are written by this. The file has no name any more, and its room is free again
    /// when nobody reads it.
    fn write(
        path: &Path,
        width: u8,
        write: impl FnOnce(&mut BufWriter<&File>) -> std::io::Result<()>,
    ) -> Result<Files, SolveError> {
        let fill = || {
            let mut options = File::options();
            let file = options.read(true).write(true).create(true).truncate(true).open(path)?;
            let mut out = BufWriter::with_capacity(PIECE, &file);
            write(&mut out)?;
            out.flush()?;
            drop(out);
            std::fs::remove_file(path)?;
            Ok(file)
        };
        let file = fill().map_err(|e| trouble(path, &e))?;
        let cache = (0..CACHED).map(|_| Mutex::default()).collect();
        Ok(Files { file, width, cache, broken: OnceLock::new() })
    }

    fn word(&self, offset: usize) -> u32 {
        let width = usize::from(self.width);
        let (piece, at) = (offset * width / PIECE, offset * width % PIECE);
        let number = piece as u64;
        let mixed = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> (64 - CACHED.ilog2());
        let mut kept = self.cache[mixed as usize].lock().expect("no thread panics");
        if kept.as_ref().is_none_or(|(n, _)| *n != number) {
            let mut bytes = kept.take().map_or_else(|| vec![0; PIECE], |(_, bytes)| bytes);
            match read_at(&self.file, &mut bytes, (piece * PIECE) as u64) {
                Ok(()) => *kept = Some((number, bytes)),
                Err(e) => {
                    let what = e.to_string();
                    let _ =
                        self.broken.set(SolveError::File { file: "a file of cells".into(), what });
                    return UNKNOWN;
                }
            }
        }
        match (&*kept, self.width) {
            (Some((_, bytes)), 1) => u32::from(bytes[at]),
            (Some((_, bytes)), _) => u32::from(u16::from_le_bytes([bytes[at], bytes[at + 1]])),
            (None, _) => UNKNOWN,
        }
    }
}

/// Fills the buffer as far as the file goes.
fn read_at(file: &File, buffer: &mut [u8], mut at: u64) -> std::io::Result<()> {
    let mut filled = 0;
    while filled < buffer.len() {
        match file.read_at(&mut buffer[filled..], at)? {
            0 => break,
            n => {
                filled += n;
                at += n as u64;
            }
        }
    }
    Ok(())
}

impl Table {
    pub(crate) fn new(
        slots: Range<u64>,
        region_bits: u32,
        scheme: Scheme,
        top: u32,
        words: Words,
    ) -> Table {
        Table {
            first: slots.start,
            cells: slots.end - slots.start,
            region_bits,
            scheme,
            top,
            words,
        }
    }

    /// A table of given codes: what was read from a file.
    #[must_use]
    pub fn from_codes(first: u64, codes: impl ExactSizeIterator<Item = Code>) -> Table {
        let cells = codes.len() as u64;
        let mut wide = Vec::with_capacity(codes.len());
        let mut narrow = Vec::new();
        // Narrow as long as it goes: most databases fit.
        let mut top = 0;
        for code in codes {
            let word = wide_word(code);
            if word < u32::from(u16::MAX) - 1 {
                top = top.max(word);
            }
            if wide.is_empty() && top <= u32::from(u8::MAX) - 2 {
                narrow.push(if word > top { (word & 0xFF) as u8 } else { word as u8 });
                continue;
            }
            if wide.is_empty() {
                wide = narrow.drain(..).map(|w: u8| spread(w)).collect();
            }
            wide.push(word as u16);
        }
        let words =
            if wide.is_empty() { Words::Narrow(vec![narrow]) } else { Words::Wide(vec![wide]) };
        Table { first, cells, region_bits: Table::UNDIVIDED, scheme: Scheme::Both, top, words }
    }

    /// A table of given codes in a file, which has no name any more when this returns.
    pub(crate) fn filed<E: From<SolveError>>(
        slots: Range<u64>,
        path: &Path,
        fill: impl FnOnce(&mut dyn FnMut(Code) -> Result<(), E>) -> Result<(), E>,
    ) -> Result<Table, E> {
        let mut failure = None;
        let files = Files::write(path, 2, |out| {
            let mut put = |code: Code| -> Result<(), E> {
                let word = wide_word(code) as u16;
                out.write_all(&word.to_le_bytes()).map_err(|e| trouble(path, &e).into())
            };
            failure = fill(&mut put).err();
            Ok(())
        })?;
        if let Some(failure) = failure {
            return Err(failure);
        }
        let (scheme, top) = (Scheme::Both, u32::from(u16::MAX) - 2);
        Ok(Table::new(slots, Table::UNDIVIDED, scheme, top, Words::Files(files)))
    }

    /// Lets go of what was read from a file and can be read again.
    pub(crate) fn forget(&self) {
        if let Words::Files(files) = &self.words {
            files.cache.iter().for_each(|piece| *piece.lock().expect("no thread panics") = None);
        }
    }

    /// The region bits of a table that is in one piece.
    pub(crate) const UNDIVIDED: u32 = 63;

    /// The same table with its cells in a file, where they are not yet.
    pub(crate) fn spill(self, path: &Path) -> Result<Table, SolveError> {
        let width = self.width();
        let files = match self.words {
            Words::Files(files) => files,
            // Each region is let go of as soon as it is written.
            Words::Narrow(regions) => Files::write(path, width, |out| {
                regions.into_iter().try_for_each(|region| out.write_all(&region))
            })?,
            Words::Wide(regions) => Files::write(path, width, |out| {
                let words = regions.into_iter().flatten();
                words.into_iter().try_for_each(|word| out.write_all(&word.to_le_bytes()))
            })?,
        };
        Ok(Table { region_bits: Table::UNDIVIDED, words: Words::Files(files), ..self })
    }

    /// The slots.
    #[must_use]
    pub fn range(&self) -> Range<u64> {
        self.first..self.first + self.cells
    }

    /// What a slot holds.
    ///
    /// # Panics
    /// Outside of the [`range`](Table::range).
    #[must_use]
    pub fn code(&self, slot: u64) -> Code {
        let cell = slot - self.first;
        let (region, offset) = (cell >> self.region_bits, cell & ((1 << self.region_bits) - 1));
        let (region, offset) = (region as usize, offset as usize);
        match &self.words {
            Words::Narrow(words) => self.decode::<u8>(words[region][offset].unpack()),
            Words::Wide(words) => self.decode::<u16>(words[region][offset].unpack()),
            Words::Files(files) if files.width == 1 => self.decode::<u8>(files.word(offset)),
            Words::Files(files) => self.decode::<u16>(files.word(offset)),
        }
    }

    fn decode<W: Word>(&self, word: u32) -> Code {
        if word == illegal::<W>() {
            Code::ILLEGAL
        } else if word == duplicate::<W>() {
            Code::DUPLICATE
        } else if word == UNKNOWN || word > self.top {
            Code::DRAW
        } else {
            let (won, plies) = self.scheme.read(word);
            let plies = plies as u16;
            Code::from(if won { Value::Win(plies) } else { Value::Loss(plies) })
        }
    }

    /// Bytes in memory.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        match &self.words {
            Words::Files(files) => (files.cache.len() * PIECE) as u64,
            _ => self.cells * u64::from(self.width()),
        }
    }

    /// Bytes a cell.
    #[must_use]
    pub fn width(&self) -> u8 {
        match self.words {
            Words::Narrow(_) => 1,
            Words::Wide(_) => 2,
            Words::Files(ref files) => files.width,
        }
    }

    /// Could all cells be read that were asked for? Cells in files can fail; what
    /// [`code`](Table::code) gave is worthless then.
    pub fn check(&self) -> Result<(), SolveError> {
        match &self.words {
            Words::Files(files) => files.broken.get().cloned().map_or(Ok(()), Err),
            _ => Ok(()),
        }
    }
}

/// A code as a cell of two bytes.
fn wide_word(code: Code) -> u32 {
    match code.value() {
        None if code == Code::ILLEGAL => illegal::<u16>(),
        None => duplicate::<u16>(),
        Some(Value::Draw) => UNKNOWN,
        Some(Value::Loss(n)) => Scheme::Both.word(false, u32::from(n)),
        Some(Value::Win(n)) => Scheme::Both.word(true, u32::from(n)),
    }
}

/// Marks keep their distance from the largest word; distances stay.
fn spread(word: u8) -> u16 {
    if word >= u8::MAX - 1 { u16::MAX - u16::from(u8::MAX - word) } else { u16::from(word) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::MOST_PLIES;
    use proptest::prelude::*;

    fn codes(most: u16) -> impl Strategy<Value = Vec<Code>> {
        let code = prop_oneof![
            Just(Code::ILLEGAL),
            Just(Code::DUPLICATE),
            Just(Code::DRAW),
            (0..=most).prop_map(|n| Value::Loss(n).into()),
            (0..=most).prop_map(|n| Value::Win(n).into()),
        ];
        proptest::collection::vec(code, 0..200)
    }

    proptest! {
        #[test]
        fn given_codes_are_found_again(narrow in codes(60), wide in codes(MOST_PLIES - 5)) {
            for codes in [narrow, wide] {
                let table = Table::from_codes(1000, codes.iter().copied());
                prop_assert_eq!(table.range(), 1000..1000 + codes.len() as u64);
                let found: Vec<Code> = table.range().map(|slot| table.code(slot)).collect();
                prop_assert_eq!(found, codes);
            }
        }
    }
}
