//! Writing the file of a stage: each part coded in the way that suits it, with little memory.
//!
//! Bytes go to a file without a name first ([`Spool`]): in a stage file the lengths of all blocks
//! stand before the blocks, and which side is left out is known only when both have been packed.

use super::manifest::Counts;
use super::mixed;
use super::stage::{Belongs, Coding, Description, PartEntry};
use super::{Codes, Measure, StoreError};
use crate::part::Part;
use crate::solve::SolveError;
use crate::space::{MOST_KINDS, Space, StageParts};
use crate::value::Code;
use std::collections::BTreeMap;
use std::fs::File;
use std::io::Write;
use std::ops::Range;
use std::os::unix::fs::FileExt;
use std::path::{Path, PathBuf};
use zug_core::container::{DEFAULT_BLOCK, Writer};
use zug_core::files::FileError;
use zug_core::{Side, StopFlag};

/// Slots between two looks at the stop flag.
const PIECE: u64 = 1 << 16;
/// A part with fewer slots is smaller without a model.
const FEW_SLOTS: u64 = 2048;
/// Bytes of a block of the container that holds coded blocks.
const MIXED_BLOCK: usize = 16 << 10;

/// How to code a stage.
pub(crate) struct Coder<'a> {
    /// Leave out the parts of one side to move, those that would take more room.
    pub(crate) one_side: bool,
    pub(crate) threads: usize,
    pub(crate) stop: &'a StopFlag,
}

impl Coder<'_> {
    fn heed(&self) -> Result<(), SolveError> {
        if self.stop.is_set() { Err(SolveError::Stopped) } else { Ok(()) }
    }
}

/// Writes the file of a stage and gives back how many slots hold what.
pub(crate) fn write_stage(
    path: &Path,
    belongs: &Belongs<'_>,
    space: &Space,
    stage: &StageParts,
    table: &dyn Codes,
    with: &Coder<'_>,
) -> Result<Counts, StoreError> {
    let mut packed = Vec::new();
    let mut spool = Spool::beside(path)?;
    for part in &space.parts()[stage.parts.clone()] {
        let code = |slot: u64| reduce(table.code(part.base() + slot), belongs.metric);
        let mut occur: BTreeMap<u16, u64> = BTreeMap::new();
        for slot in 0..part.size() {
            if slot.is_multiple_of(PIECE) {
                with.heed()?;
            }
            *occur.entry(code(slot).0).or_default() += 1;
        }
        let entry = PartEntry {
            slots: part.size(),
            coding: match part.last_step() {
                Some(_) if part.size() >= FEW_SLOTS => Coding::Mixed,
                _ => Coding::Plain,
            },
            codes: occur.keys().copied().collect(),
            occur: occur.values().copied().collect(),
            block: 0,
            width: 0,
            order: Vec::new(),
        };
        packed.push(match entry.coding {
            Coding::Mixed => pack_mixed(part, space, entry, with, &mut spool, &code)?,
            _ => pack_plain(entry, &mut spool, &code)?,
        });
    }
    let sides = space.parts()[stage.parts.clone()].iter().map(|part| part.side());
    if with.one_side
        && let Some(side) = larger(sides.clone().zip(&packed))
    {
        for (_, dropped) in sides.zip(&mut packed).filter(|(s, _)| *s == side) {
            dropped.sections.clear();
            dropped.entry = PartEntry {
                coding: Coding::Dropped,
                block: 0,
                width: 0,
                order: Vec::new(),
                ..dropped.entry.clone()
            };
        }
    }
    let mut writer = Writer::create(path, &belongs.header(stage))?;
    for (number, part) in packed.iter().enumerate() {
        for (name, block, bytes) in &part.sections {
            let mut section = writer.section(&format!("{number}.{name}"), *block)?;
            spool.read(bytes.clone(), |bytes| Ok(section.push(bytes)?))?;
            section.end()?;
        }
    }
    let entries: Vec<PartEntry> = packed.into_iter().map(|p| p.entry).collect();
    let counts = count(&entries);
    let text = toml::to_string(&Description { parts: entries })
        .map_err(|e| StoreError::refused(path, format!("cannot describe the parts: {e}")))?;
    writer.bytes("parts", text.as_bytes())?;
    writer.commit()?;
    Ok(counts)
}

/// Bytes that wait in a file without a name until it is their turn: what comes first in a stage file
/// is often known last.
struct Spool {
    path: PathBuf,
    file: File,
    /// Bytes that are not in the file yet.
    pending: Vec<u8>,
    end: u64,
}

impl Spool {
    /// Bytes that are written and read at a time.
    const PIECE: usize = 1 << 16;

    fn beside(path: &Path) -> Result<Spool, StoreError> {
        let folder = path.parent().unwrap_or(Path::new("."));
        let file = tempfile::tempfile_in(folder).map_err(FileError::io("write to", folder))?;
        Ok(Spool { path: path.to_path_buf(), file, pending: Vec::new(), end: 0 })
    }

    fn put(&mut self, bytes: &[u8]) -> Result<(), StoreError> {
        self.pending.extend_from_slice(bytes);
        self.end += bytes.len() as u64;
        if self.pending.len() >= Spool::PIECE { self.flush() } else { Ok(()) }
    }

    fn flush(&mut self) -> Result<(), StoreError> {
        let written = self.file.write_all(&self.pending);
        written.map_err(FileError::io("write", &self.path))?;
        self.pending.clear();
        Ok(())
    }

    /// The bytes that were put since the end was here.
    fn since(&self, begin: u64) -> Range<u64> {
        begin..self.end
    }

    fn read(
        &mut self,
        range: Range<u64>,
        mut tell: impl FnMut(&[u8]) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        self.flush()?;
        let (mut at, mut bytes) = (range.start, vec![0; Spool::PIECE]);
        while at < range.end {
            let piece = &mut bytes[..(range.end - at).min(Spool::PIECE as u64) as usize];
            let read = self.file.read_exact_at(piece, at);
            read.map_err(FileError::io("read", &self.path))?;
            tell(piece)?;
            at += piece.len() as u64;
        }
        Ok(())
    }
}

/// A part, ready to be written: sections with their name, block size and bytes in the spool.
struct Packed {
    entry: PartEntry,
    sections: Vec<(&'static str, usize, Range<u64>)>,
}

/// The side whose parts take more room, if both sides have any.
fn larger<'a>(parts: impl Iterator<Item = (Side, &'a Packed)>) -> Option<Side> {
    let mut bytes: [Option<u64>; 2] = [None; 2];
    for (side, part) in parts {
        let own: u64 = part.sections.iter().map(|(_, _, bytes)| bytes.end - bytes.start).sum();
        *bytes[side.index()].get_or_insert(0) += own;
    }
    let [first, second] = bytes;
    Some(if first? >= second? { Side::First } else { Side::Second })
}

fn pack_plain(
    entry: PartEntry,
    spool: &mut Spool,
    code: &dyn Fn(u64) -> Code,
) -> Result<Packed, StoreError> {
    let (width, begin) = (entry.bytes(), spool.end);
    for slot in 0..entry.slots {
        let symbol = entry.codes.binary_search(&code(slot).0).unwrap_or(0) as u16;
        spool.put(&symbol.to_le_bytes()[..width])?;
    }
    let cells = ("cells", super::stage::PLAIN_BLOCK as usize * width, spool.since(begin));
    Ok(Packed { entry, sections: vec![cells] })
}

fn pack_mixed(
    part: &Part,
    space: &Space,
    mut entry: PartEntry,
    with: &Coder<'_>,
    spool: &mut Spool,
    code: &(dyn Fn(u64) -> Code + Sync),
) -> Result<Packed, StoreError> {
    entry.width = mixed::width(space.fields()) as u64;
    let (codes, shape) = entry.shape();
    let mut symbols = vec![mixed::FREE; usize::from(*codes.iter().max().unwrap_or(&0)) + 1];
    for (symbol, &code) in codes.iter().enumerate() {
        symbols[usize::from(code)] = symbol as u16;
    }
    // What has no position has no symbol: it is free. So is a slot of the other order whose
    // position is asked for at another slot.
    let symbol_in = |own: &Part, slot: u64| {
        let mut boards = [0; MOST_KINDS];
        let boards = &mut boards[..space.kinds()];
        if !own.fill(slot, boards) || own.slot(boards) != slot {
            return mixed::FREE;
        }
        let code = code(part.slot(boards));
        symbols.get(usize::from(code.0)).copied().unwrap_or(mixed::FREE)
    };
    let (kinds, first_stays) = part.placed();
    let tried = mixed::orders(kinds, first_stays).into_iter().filter_map(|order| {
        with.heed().ok()?;
        let own = part.reordered(&order).filter(|own| own.size() <= part.size() / 8 * 9)?;
        let cost = mixed::judge(&own, &shape, &|slot| symbol_in(&own, slot))?;
        Some((cost, order, own))
    });
    let best = tried.min_by(|a, b| a.0.total_cmp(&b.0));
    let (order, own) = best.map_or_else(
        || {
            let natural: Vec<u8> = (0..kinds as u8).collect();
            let own = part.reordered(&natural).expect("the natural order is one");
            (natural, own)
        },
        |(_, order, own)| (order, own),
    );
    entry.block = mixed::block_slots(&own).unwrap_or(1);
    entry.order = order;
    let symbol = |slot: u64| symbol_in(&own, slot);
    let model = mixed::fit(&own, entry.block, &shape, &symbol, || with.heed())?;
    let begin = spool.end;
    spool.put(&mixed::bytes_of(&model))?;
    let (model_bytes, begin) = (spool.since(begin), spool.end);
    let mut lengths: Vec<u8> = Vec::new();
    mixed::encode_all(&own, entry.block, &shape, &model, with.threads, &symbol, |bytes| {
        with.heed()?;
        lengths.extend((bytes.len() as u32).to_le_bytes());
        spool.put(bytes)
    })?;
    let (cells, begin) = (spool.since(begin), spool.end);
    spool.put(&lengths)?;
    let sections = vec![
        ("model", DEFAULT_BLOCK, model_bytes),
        ("lengths", DEFAULT_BLOCK, spool.since(begin)),
        ("cells", MIXED_BLOCK, cells),
    ];
    Ok(Packed { entry, sections })
}

/// Forgets the distance where the metric has none.
fn reduce(code: Code, metric: Measure) -> Code {
    match metric {
        Measure::Wdl if code.0 > 2 => Code(4 - code.0 % 2),
        _ => code,
    }
}

fn count(entries: &[PartEntry]) -> Counts {
    let mut counts = Counts::default();
    for entry in entries {
        for (&code, &n) in entry.codes.iter().zip(&entry.occur) {
            match code {
                0 => counts.illegal += n,
                1 => counts.duplicate += n,
                2 => counts.drawn += n,
                code if code % 2 == 1 => counts.lost += n,
                _ => counts.won += n,
            }
            let plies = Code(code).value().and_then(|v| v.plies()).unwrap_or(0);
            counts.longest = counts.longest.max(plies);
        }
    }
    counts
}
