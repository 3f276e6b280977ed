//! The solved values of a stage, one or two bytes each.

use super::SolveError;
use super::disk::{Scratch, trouble};
use super::words::{Scheme, UNKNOWN, Word, duplicate, illegal};
use crate::value::{Code, Value};
use std::fs::File;
use std::ops::Range;
use std::os::unix::fs::FileExt;
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
    /// Cells that stay in the files of the solver.
    pub(crate) fn files(scratch: Scratch, count: usize, width: u8) -> Result<Words, SolveError> {
        let open = |r| {
            let path = scratch.cells(r);
            File::open(&path).map_err(|e| trouble(&path, &e))
        };
        let files = (0..count).map(open).collect::<Result<Vec<File>, SolveError>>()?;
        let cache = (0..CACHED).map(|_| Mutex::default()).collect();
        Ok(Words::Files(Files { files, width, cache, broken: OnceLock::new(), _scratch: scratch }))
    }
}

/// Bytes of a file that are read together, and how many such pieces are kept.
const PIECE: usize = 1 << 17;
const CACHED: usize = 64;

/// The number of a piece, and its bytes.
type Piece = (u64, Vec<u8>);

/// Cells in files, read piece by piece.
#[derive(Debug)]
pub(crate) struct Files {
    files: Vec<File>,
    width: u8,
    /// Pieces that were read last, each in the place that its number gives.
    cache: Vec<Mutex<Option<Piece>>>,
    /// The first thing that went wrong.
    broken: OnceLock<SolveError>,
    _scratch: Scratch,
}

impl Files {
    fn word(&self, region: usize, offset: usize) -> u32 {
        let width = usize::from(self.width);
        let (piece, at) = (offset * width / PIECE, offset * width % PIECE);
        let number = (region as u64) << 32 | piece as u64;
        let mixed = number.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 58;
        let mut kept = self.cache[mixed as usize].lock().expect("no thread panics");
        if kept.as_ref().is_none_or(|(n, _)| *n != number) {
            let mut bytes = vec![0; PIECE];
            match read_at(&self.files[region], &mut bytes, (piece * PIECE) as u64) {
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
            let word = match code.value() {
                None if code == Code::ILLEGAL => u32::from(u16::MAX),
                None => u32::from(u16::MAX) - 1,
                Some(Value::Draw) => UNKNOWN,
                Some(Value::Loss(n)) => Scheme::Both.word(false, u32::from(n)),
                Some(Value::Win(n)) => Scheme::Both.word(true, u32::from(n)),
            };
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
        Table { first, cells, region_bits: 63, scheme: Scheme::Both, top, words }
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
            Words::Files(files) if files.width == 1 => {
                self.decode::<u8>(files.word(region, offset))
            }
            Words::Files(files) => self.decode::<u16>(files.word(region, offset)),
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
        self.cells * u64::from(self.width())
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
