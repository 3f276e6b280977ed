//! The file of one stage: the values of its parts, each coded in the way that suits it.
//!
//! ```text
//! section parts    TOML: for each part its slots, coding, codes in use, how often each occurs
//! section N.cells  plain: one symbol a slot (one byte, or two), packed by the container
//!                  mixed: the blocks, one after the other
//! section N.model  mixed: the numbers of the model
//! section N.lengths  mixed: the length of each block
//! ```
//!
//! A symbol is the place of a code in the list of codes that the part uses, by ascending value. A
//! mixed part says nothing about slots without a position.

use super::StoreError;
use super::folder::belongs;
use super::manifest::{IndexEntry, Manifest, Measure};
use super::mixed;
use super::model::{Model, Shape};
use crate::part::Part;
use crate::solve::SolveError;
use crate::space::{MOST_KINDS, Space, StageParts};
use crate::value::{Code, Value};
use serde::{Deserialize, Serialize};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use zug_core::StopFlag;
use zug_core::container::{Container, Expect, Header, Kind};

/// The arrangement of the sections.
const LAYOUT: &str = "solved-stage/1";
/// The longest description of parts that is read.
const MOST_DESCRIPTION: u64 = 64 << 20;
/// Slots of a block of a plain part.
pub(super) const PLAIN_BLOCK: u64 = 4096;

/// How the values of a part are stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Coding {
    /// One symbol a slot.
    Plain,
    /// Neighbours predict each other.
    Mixed,
    /// Left out: one ply of search gives the values.
    Dropped,
}

/// A part as the file describes it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct PartEntry {
    pub(crate) slots: u64,
    pub(crate) coding: Coding,
    /// The codes that its slots have, and how many slots have each.
    pub(crate) codes: Vec<u16>,
    pub(crate) occur: Vec<u64>,
    /// Mixed: slots of a block, and the width of the board.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) block: u64,
    #[serde(default, skip_serializing_if = "is_zero")]
    pub(crate) width: u64,
    /// Mixed: the order of kinds, as places in that of the index.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(crate) order: Vec<u8>,
}

#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks so")]
fn is_zero(n: &u64) -> bool {
    *n == 0
}

#[derive(Serialize, Deserialize)]
pub(super) struct Description {
    #[serde(default, rename = "part")]
    pub(super) parts: Vec<PartEntry>,
}

/// The size of a part in the file.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct PartSize {
    /// The part, as a place in [`Space::parts`].
    pub part: usize,
    /// Slots.
    pub slots: u64,
    /// How it is coded.
    pub coding: Coding,
    /// One byte a slot, or two where the codes need it.
    pub raw: u64,
    /// Bytes in the file.
    pub stored: u64,
}

/// What a stage file must say of itself to belong to a database.
#[derive(Clone, Debug)]
pub(crate) struct Belongs<'a> {
    pub(crate) game: &'a str,
    pub(crate) index: &'a IndexEntry,
    pub(crate) metric: Measure,
    pub(crate) command: Option<&'a str>,
}

impl Belongs<'_> {
    pub(super) fn header(&self, stage: &StageParts) -> Header {
        let mut header = Header::new(Kind::Database, self.game, LAYOUT);
        header.made.command = self.command.map(str::to_string);
        header.notes.insert("index".into(), self.index.to_string());
        header.notes.insert("metric".into(), self.metric.to_string());
        header.notes.insert("stage".into(), stage_text(stage));
        header
    }
}

fn stage_text(stage: &StageParts) -> String {
    format!("{} (rank {}), {} slots", stage.stage.name, stage.stage.rank, slots(&stage.slots))
}

fn slots(range: &Range<u64>) -> u64 {
    range.end - range.start
}

impl PartEntry {
    /// Bytes of a symbol of a plain part.
    pub(super) fn bytes(&self) -> usize {
        if self.codes.len() <= 256 { 1 } else { 2 }
    }

    /// The codes of positions by ascending value, and what a model must know of them.
    pub(super) fn shape(&self) -> (Vec<u16>, Shape) {
        let mut valued: Vec<(Value, u16)> =
            self.codes.iter().filter_map(|&c| Some((Code(c).value()?, c))).collect();
        valued.sort();
        if valued.is_empty() {
            valued.push((Value::Draw, Code::DRAW.0));
        }
        let class = |value: Value| match value {
            Value::Loss(_) => 0,
            Value::Draw => 1,
            Value::Win(_) => 2,
        };
        let classes = valued.iter().map(|&(value, _)| class(value)).collect();
        let shape = Shape::new((self.width as usize).clamp(1, 64), classes);
        (valued.into_iter().map(|(_, code)| code).collect(), shape)
    }
}

/// An open file of a stage.
#[derive(Debug)]
pub struct StageFile {
    path: PathBuf,
    container: Container,
    first_part: usize,
    entries: Vec<PartEntry>,
    coded: Vec<Option<Coded>>,
}

/// What a mixed part needs to be read.
struct Coded {
    /// The part with its kinds in the order of the file.
    own: Part,
    codes: Vec<u16>,
    shape: Shape,
    model: Model,
    /// Where each block begins, and where the last ends.
    begins: Vec<u64>,
}

impl std::fmt::Debug for Coded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Coded").field("blocks", &self.begins.len()).finish_non_exhaustive()
    }
}

impl StageFile {
    /// Opens the file and refuses it if it is damaged or does not belong to the database.
    pub(crate) fn open(
        path: &Path,
        belongs: &Belongs<'_>,
        space: &Space,
        stage: &StageParts,
    ) -> Result<StageFile, StoreError> {
        let container = Container::open(path, &Expect::database(belongs.game).layout(LAYOUT))?;
        StageFile::new(path, container, belongs, space, stage)
    }

    /// Reads a stage file in memory; `name` stands for it in messages.
    pub fn from_bytes(
        name: &str,
        bytes: Vec<u8>,
        manifest: &Manifest,
        space: &Space,
        stage: &StageParts,
    ) -> Result<StageFile, StoreError> {
        let expect = Expect::database(&*manifest.game).layout(LAYOUT);
        let container = Container::from_source(name.to_string(), Box::new(bytes), &expect)?;
        StageFile::new(Path::new(name), container, &belongs(manifest), space, stage)
    }

    /// The bytes of a model, unpacked.
    #[must_use]
    pub fn model_bytes() -> usize {
        super::model::SIZE
    }

    /// The header that a stage file of a database must have.
    #[must_use]
    pub fn header(manifest: &Manifest, stage: &StageParts) -> Header {
        belongs(manifest).header(stage)
    }

    /// Reads the description in an open container.
    pub(crate) fn new(
        path: &Path,
        container: Container,
        belongs: &Belongs<'_>,
        space: &Space,
        stage: &StageParts,
    ) -> Result<StageFile, StoreError> {
        let refused = |what: String| StoreError::refused(path, what);
        let wanted = belongs.header(stage);
        for (key, want) in &wanted.notes {
            let found = container.header().notes.get(key).map_or("nothing", String::as_str);
            if found != want {
                let found = zug_core::error::shorten(found);
                return Err(refused(format!("expected the {key} '{want}', found '{found}'")));
            }
        }
        let text = container.section("parts")?.bytes(MOST_DESCRIPTION)?;
        let text = String::from_utf8(text).map_err(|_| refused("the parts are no text".into()))?;
        let Description { parts } = toml::from_str(&text).map_err(|e| {
            refused(format!("the parts: {}", zug_core::error::shorten(e.message())))
        })?;
        let sizes = space.parts()[stage.parts.clone()].iter().map(|part| part.size());
        if !parts.iter().map(|p| p.slots).eq(sizes) {
            return Err(refused("its parts are not those of the game's index".into()));
        }
        let mut file = StageFile {
            path: path.to_path_buf(),
            container,
            first_part: stage.parts.start,
            entries: parts,
            coded: Vec::new(),
        };
        for (number, part) in space.parts()[stage.parts.clone()].iter().enumerate() {
            let coded = file.check(number, part)?;
            file.coded.push(coded);
        }
        Ok(file)
    }

    /// Do the description and the sections of a part fit together?
    fn check(&self, number: usize, part: &Part) -> Result<Option<Coded>, StoreError> {
        let entry = &self.entries[number];
        let wrong = |what: &str| StoreError::refused(&self.path, format!("part {number}: {what}"));
        if entry.codes.len() != entry.occur.len() || !entry.codes.is_sorted_by(|a, b| a < b) {
            return Err(wrong("the list of codes is out of order"));
        }
        let total = entry.occur.iter().try_fold(0u64, |sum, &n| sum.checked_add(n));
        if total != Some(entry.slots) {
            return Err(wrong("the codes do not add up to the slots"));
        }
        match entry.coding {
            Coding::Plain => {
                let section = self.section(number, "cells")?;
                let width = entry.bytes() as u64;
                if section.length() != entry.slots * width
                    || section.block_size() as u64 != PLAIN_BLOCK * width
                {
                    return Err(wrong("the cells are not as many as the slots"));
                }
                Ok(None)
            }
            Coding::Dropped => {
                let other = self.entries.iter().any(|e| e.coding != Coding::Dropped);
                if other { Ok(None) } else { Err(wrong("all parts are left out")) }
            }
            Coding::Mixed => {
                let own = part
                    .reordered(&entry.order)
                    .ok_or_else(|| wrong("the order of kinds is none of the part"))?;
                let ways = own.last_step().map_or(0, |last| last.ways);
                if ways == 0 || entry.block == 0 || !entry.block.is_multiple_of(ways) {
                    return Err(wrong("the blocks do not fit the part"));
                }
                if entry.block > mixed::MOST_BLOCK || !(1..=64).contains(&entry.width) {
                    return Err(wrong("blocks or board are too large"));
                }
                let (codes, shape) = entry.shape();
                let numbers = self.section(number, "model")?.bytes(mixed::MOST_MODEL)?;
                let model = mixed::model_of(&numbers)
                    .ok_or_else(|| wrong("the model has not as many numbers as it should"))?;
                let blocks = own.size().div_ceil(entry.block);
                let lengths: Vec<u32> = self.section(number, "lengths")?.array(blocks)?;
                let mut begins = Vec::with_capacity(lengths.len() + 1);
                let mut end = 0;
                for &length in &lengths {
                    begins.push(end);
                    end += u64::from(length);
                }
                begins.push(end);
                if lengths.len() as u64 != blocks || end != self.section(number, "cells")?.length()
                {
                    return Err(wrong("the blocks do not add up"));
                }
                Ok(Some(Coded { own, codes, shape, model, begins }))
            }
        }
    }

    fn section(
        &self,
        number: usize,
        name: &str,
    ) -> Result<zug_core::container::Section<'_>, StoreError> {
        Ok(self.container.section(&format!("{number}.{name}"))?)
    }

    /// The file.
    #[must_use]
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Are the values of this part left to a search?
    pub(crate) fn is_dropped(&self, part: usize) -> bool {
        self.entry(part).coding == Coding::Dropped
    }

    pub(crate) fn entry(&self, part: usize) -> &PartEntry {
        &self.entries[part - self.first_part]
    }

    /// The block that holds a slot of a part, and where in it; `None` for a slot that stands for no
    /// placement.
    pub(crate) fn locate(&self, space: &Space, part: usize, slot: u64) -> Option<(u64, usize)> {
        let number = part - self.first_part;
        let (slot, size) = match &self.coded[number] {
            None => (slot, PLAIN_BLOCK),
            Some(coded) => {
                let mut boards = [0; MOST_KINDS];
                let boards = &mut boards[..space.kinds()];
                if !space.parts()[part].fill(slot, boards) {
                    return None;
                }
                (coded.own.slot(boards), self.entries[number].block)
            }
        };
        Some((slot / size, (slot % size) as usize))
    }

    /// Unpacks a block.
    pub(crate) fn block(&self, part: usize, block: u64) -> Result<Arc<[u16]>, StoreError> {
        let number = part - self.first_part;
        let entry = &self.entries[number];
        let unknown = || StoreError::refused(&self.path, "a block holds an unknown symbol");
        match &self.coded[number] {
            None => {
                let mut bytes = Vec::new();
                self.section(number, "cells")?.read_block(block as usize, &mut bytes)?;
                let symbols = bytes.chunks_exact(entry.bytes()).map(|b| {
                    usize::from(b[0]) | b.get(1).map_or(0, |&high| usize::from(high) << 8)
                });
                symbols.map(|s| entry.codes.get(s).copied().ok_or_else(unknown)).collect()
            }
            Some(coded) => {
                let at = block as usize;
                let (Some(&begin), Some(&end)) = (coded.begins.get(at), coded.begins.get(at + 1))
                else {
                    return Err(StoreError::refused(&self.path, "a block is not there"));
                };
                let bytes = self.section(number, "cells")?.read(begin..end)?;
                let own = &coded.own;
                let slots = block * entry.block..((block + 1) * entry.block).min(own.size());
                let symbols = mixed::decode(own, slots, &coded.shape, &coded.model, &bytes);
                symbols
                    .into_iter()
                    .map(|s| coded.codes.get(usize::from(s)).copied().ok_or_else(unknown))
                    .collect()
            }
        }
    }

    /// Unpacks the codes of a run of slots of a part whose values are in the file, one block after
    /// the other. Slots without a position may get anything.
    pub(crate) fn fill(
        &self,
        space: &Space,
        part: usize,
        slots: &Range<u64>,
        stop: &StopFlag,
        codes: &mut [u16],
    ) -> Result<(), StoreError> {
        let heed = || if stop.is_set() { Err(SolveError::Stopped) } else { Ok(()) };
        let number = part - self.first_part;
        let entry = &self.entries[number];
        let Some(coded) = &self.coded[number] else {
            for block in slots.start / PLAIN_BLOCK..slots.end.div_ceil(PLAIN_BLOCK) {
                heed()?;
                let first = block * PLAIN_BLOCK;
                for (slot, &code) in (first..).zip(self.block(part, block)?.iter()) {
                    if slots.contains(&slot) {
                        codes[(slot - slots.start) as usize] = code;
                    }
                }
            }
            return Ok(());
        };
        // In the order of the index only some blocks have anything to do with the run.
        let same_order = entry.order.is_sorted();
        let blocks = match same_order {
            true => slots.start / entry.block..slots.end.div_ceil(entry.block),
            false => 0..coded.own.size().div_ceil(entry.block),
        };
        let mut boards = [0; MOST_KINDS];
        let boards = &mut boards[..space.kinds()];
        for block in blocks {
            heed()?;
            let first = block * entry.block;
            let mut unpacked = None;
            for own in first..(first + entry.block).min(coded.own.size()) {
                let slot = match same_order {
                    true => own,
                    false if !coded.own.fill(own, boards) => continue,
                    false => space.parts()[part].slot(boards),
                };
                if !slots.contains(&slot) {
                    continue;
                }
                if unpacked.is_none() {
                    unpacked = Some(self.block(part, block)?);
                }
                let code = unpacked.as_ref().and_then(|block| block.get((own - first) as usize));
                codes[(slot - slots.start) as usize] = code.copied().unwrap_or(Code::ILLEGAL.0);
            }
        }
        Ok(())
    }

    /// Unpacks all codes of a part, a place in [`Space::parts`]; empty if they are left to a
    /// search. Slots without a position may hold anything.
    pub fn codes(&self, space: &Space, part: usize) -> Result<Vec<Code>, StoreError> {
        if self.is_dropped(part) {
            return Ok(Vec::new());
        }
        let slots = self.entry(part).slots;
        let mut codes = vec![Code::ILLEGAL.0; slots as usize];
        self.fill(space, part, &(0..slots), &StopFlag::new(), &mut codes)?;
        Ok(codes.into_iter().map(Code).collect())
    }

    /// Reads every block; the digest is the caller's to compare.
    pub fn verify(&self) -> Result<String, StoreError> {
        self.container.verify()?;
        Ok(self.container.digest()?)
    }

    /// The size of the file.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.container.file_length()
    }

    /// The size of each part.
    pub fn sizes(&self) -> impl Iterator<Item = PartSize> + '_ {
        self.entries.iter().enumerate().map(|(number, entry)| {
            let prefix = format!("{number}.");
            let own = self.container.sections().filter(|s| s.name().starts_with(&prefix));
            PartSize {
                part: self.first_part + number,
                slots: entry.slots,
                coding: entry.coding,
                raw: entry.slots * entry.bytes() as u64,
                stored: own.map(|s| s.packed_length()).sum(),
            }
        })
    }
}
