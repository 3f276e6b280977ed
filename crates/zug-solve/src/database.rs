//! What is this position worth, and which moves keep it so? Asking a finished database.
//!
//! A [`Database`] maps nothing and writes nothing; it reads blocks when they are needed, checks
//! their checksums, keeps them unpacked for a while, and answers from many threads at once.

use crate::cells::{Cells, Content};
use crate::index::{Index, Slot};
use crate::solve::{SolveError, Table};
use crate::store::folder::{check_digest, open_stage};
use crate::store::{Cache, Manifest, Measure, PartSize, StageFile, StoreError};
use crate::value::{Code, Value};
use std::fmt;
use std::path::{Path, PathBuf};
use zug_core::{Game, Indexed, Oracle, Score, StopFlag};

/// Memory for unpacked blocks, unless the caller chooses.
pub const DEFAULT_CACHE: usize = 64 << 20;

/// Slots that are unpacked together where memory is no matter.
const READ_TOGETHER: u64 = 1 << 24;
/// Slots between two looks at the stop flag.
const PIECE: u64 = 1 << 12;

/// Moves with what each is worth for whoever makes it.
pub type Valued<G> = Vec<(<G as Game>::Move, Value)>;

/// The values of a solved game.
pub struct Database<G: Indexed> {
    index: Index<G>,
    folder: PathBuf,
    manifest: Manifest,
    /// For each stage of the space its file, once it is finished.
    stages: Vec<Option<StageFile>>,
    /// The stage of each part.
    stage_of: Vec<u32>,
    cache: Cache,
}

impl<G: Indexed> fmt::Debug for Database<G> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Database").field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl<G: Indexed> Database<G> {
    /// Opens a database of a game. Stages that are not finished are not missed until they are
    /// asked for.
    pub fn open(folder: &Path, game: &G) -> Result<Database<G>, StoreError> {
        Database::open_with(folder, game, DEFAULT_CACHE)
    }

    /// Opens a database with so many bytes for unpacked blocks.
    pub fn open_with(
        folder: &Path,
        game: &G,
        cache_bytes: usize,
    ) -> Result<Database<G>, StoreError> {
        let manifest = Manifest::read(folder)?;
        let path = folder.join(crate::store::manifest::MANIFEST);
        if manifest.game != game.spec() {
            let (asked, found) = (game.spec(), zug_core::error::shorten(&manifest.game));
            let what = format!("expected a database of '{asked}', found one of '{found}'");
            return Err(StoreError::refused(&path, what));
        }
        let options = manifest.index.options().map_err(|what| StoreError::refused(&path, what))?;
        let index = Index::new(game, options)?;
        if index.size() != manifest.index.slots {
            let what = format!(
                "the database has {} slots, and the game's index {}: it was made by other rules",
                manifest.index.slots,
                index.size()
            );
            return Err(StoreError::refused(&path, what));
        }
        let space = index.space();
        let mut stages = Vec::new();
        let mut stage_of = vec![0; space.parts().len()];
        for (number, stage) in space.stages().iter().enumerate() {
            stage_of[stage.parts.clone()].fill(number as u32);
            let listed = manifest.stage(stage.stage.rank, &stage.stage.name).is_some();
            stages.push(match listed {
                true => Some(open_stage(folder, &manifest, space, stage)?),
                false => None,
            });
        }
        if stages.iter().flatten().count() != manifest.stages.len() {
            let what = "it lists stages that the game does not have";
            return Err(StoreError::refused(&path, what));
        }
        let cache = Cache::new(cache_bytes);
        Ok(Database { index, folder: folder.to_path_buf(), manifest, stages, stage_of, cache })
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &G {
        self.index.game()
    }

    /// The index.
    #[must_use]
    pub fn index(&self) -> &Index<G> {
        &self.index
    }

    /// The list of what it holds and how it was made.
    #[must_use]
    pub fn manifest(&self) -> &Manifest {
        &self.manifest
    }

    /// What the values tell.
    #[must_use]
    pub fn metric(&self) -> Measure {
        self.manifest.metric
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Are all stages there?
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.stages.iter().all(Option::is_some)
    }

    /// The value of a position for its side to move; `None` for a position that the index does not
    /// have. In a database of [`Measure::Wdl`] all distances are 0.
    pub fn value(&self, position: &G::Position) -> Result<Option<Value>, StoreError> {
        match self.index.index_of(position) {
            None => Ok(None),
            Some(slot) => self.value_at(slot, position).map(Some),
        }
    }

    /// What a slot holds.
    pub fn code(&self, slot: u64) -> Result<Code, StoreError> {
        match self.index.slot(slot) {
            Slot::Illegal => Ok(Code::ILLEGAL),
            Slot::Duplicate(_) => Ok(Code::DUPLICATE),
            Slot::Position(position) => self.value_at(slot, &position).map(Code::from),
        }
    }

    /// The code for a slot of a real position; for any other slot it may be anything.
    pub(crate) fn stored(&self, slot: u64) -> Result<Code, StoreError> {
        match self.look_up(slot)? {
            Some(code) => Ok(code),
            None => match self.index.position(slot) {
                None => Ok(Code::ILLEGAL),
                Some(position) => self.search(slot, &position).map(Code::from),
            },
        }
    }

    /// The code in the file; `None` if it is left to a search.
    fn look_up(&self, slot: u64) -> Result<Option<Code>, StoreError> {
        let part_number = self.index.space().part_of(slot);
        let part = &self.index.space().parts()[part_number];
        let stage = self.stage_of[part_number] as usize;
        let Some(file) = &self.stages[stage] else { return Err(self.missing(stage)) };
        if file.is_dropped(part_number) {
            return Ok(None);
        }
        let space = self.index.space();
        let Some((block, offset)) = file.locate(space, part_number, slot - part.base()) else {
            return Ok(Some(Code::ILLEGAL));
        };
        let key = (part_number as u64) << 40 | block;
        if let Some(code) = self.cache.code(key, offset) {
            return Ok(Some(Code(code)));
        }
        let codes = file.block(part_number, block)?;
        let code = codes.get(offset).copied();
        self.cache.insert(key, codes);
        match code {
            Some(code) => Ok(Some(Code(code))),
            None => Err(StoreError::refused(file.path(), "a block is shorter than its slots")),
        }
    }

    fn value_at(&self, slot: u64, position: &G::Position) -> Result<Value, StoreError> {
        let Some(code) = self.look_up(slot)? else { return self.search(slot, position) };
        code.value().ok_or_else(|| self.contradiction(position, "has no value"))
    }

    /// The value of a position whose side to move is not stored: the best of its moves.
    fn search(&self, slot: u64, position: &G::Position) -> Result<Value, StoreError> {
        if let Some(outcome) = self.game().outcome(position) {
            return Ok(match outcome.winner {
                None => Value::Draw,
                Some(winner) if winner == self.game().to_move(position) => Value::Win(0),
                Some(_) => Value::Loss(0),
            });
        }
        let mut best = None;
        self.each_move(slot, position, |_, value| best = best.max(Some(value)))?;
        best.ok_or_else(|| self.contradiction(position, "has no moves"))
    }

    fn contradiction(&self, position: &G::Position, what: &str) -> StoreError {
        let position = self.game().write_position(position);
        StoreError::refused(&self.folder, format!("the position {position} {what} in it"))
    }

    fn missing(&self, stage: usize) -> StoreError {
        let name = self.index.space().stages()[stage].stage.name.clone();
        StoreError::Missing { folder: self.folder.clone(), stage: name }
    }

    /// Tells every move and what it is worth for whoever makes it.
    fn each_move(
        &self,
        slot: u64,
        position: &G::Position,
        mut tell: impl FnMut(G::Move, Value),
    ) -> Result<(), StoreError> {
        let space = self.index.space();
        let part = space.part_of(slot);
        let stage = self.stage_of[part];
        let dropped = self.stages[stage as usize].as_ref().is_some_and(|f| f.is_dropped(part));
        let mut moves = Vec::new();
        self.game().moves(position, &mut moves);
        for mv in moves {
            let mut next = position.clone();
            self.game().play(&mut next, mv);
            let Some(to) = self.index.index_of(&next) else {
                let mv = self.game().write_move(position, mv);
                let what = format!("leads by {mv} to a position that is not");
                return Err(self.contradiction(position, &what));
            };
            let to_part = space.part_of(to);
            let converts = self.stage_of[to_part] != stage;
            // Every search must lead to a stored side or to a lower stage, or it might not end.
            if dropped && !converts && self.look_up(to)?.is_none() {
                return Err(self.contradiction(position, "and its moves are both left out"));
            }
            let value = self.value_at(to, &next)?;
            tell(mv, self.metric().for_mover(value, converts));
        }
        Ok(())
    }

    /// All moves with what each is worth for the side that makes it, in the order of the game.
    /// `None` for a position that the index does not have.
    pub fn moves(&self, position: &G::Position) -> Result<Option<Valued<G>>, StoreError> {
        let Some(slot) = self.index.index_of(position) else { return Ok(None) };
        let mut moves = Vec::new();
        self.each_move(slot, position, |mv, value| moves.push((mv, value)))?;
        Ok(Some(moves))
    }

    /// The moves of perfect play (§2.5 of the thesis): the fastest wins, else every move that keeps
    /// the draw, else the longest resistance. Empty when the game has ended.
    pub fn best_moves(&self, position: &G::Position) -> Result<Option<Valued<G>>, StoreError> {
        let Some(mut moves) = self.moves(position)? else { return Ok(None) };
        if let Some(best) = moves.iter().map(|&(_, value)| value).max() {
            moves.retain(|&(_, value)| value == best);
        }
        Ok(Some(moves))
    }

    /// All values of a finished stage in memory. `cells` must be those of the same index.
    pub(crate) fn table<C: Cells>(
        &self,
        cells: &C,
        stage: usize,
        stop: &StopFlag,
    ) -> Result<Table, StoreError> {
        let slots = &self.index.space().stages()[stage].slots;
        let mut codes = Vec::with_capacity((slots.end - slots.start) as usize);
        self.codes(cells, stage, READ_TOGETHER, stop, &mut |code| {
            codes.push(code);
            Ok(())
        })?;
        Ok(Table::from_codes(slots.start, codes.into_iter()))
    }

    /// All values of a finished stage in a file without a name, with about so much memory.
    pub(crate) fn table_in_file<C: Cells>(
        &self,
        cells: &C,
        stage: usize,
        path: &Path,
        memory: u64,
        stop: &StopFlag,
    ) -> Result<Table, StoreError> {
        let slots = self.index.space().stages()[stage].slots.clone();
        // Two bytes a slot, and what a survey says of it.
        Table::filed(slots, path, |put| self.codes(cells, stage, memory / 4, stop, put))
    }

    /// Tells the codes of all slots of a finished stage in their order, unpacked a run of so many
    /// slots at a time.
    fn codes<C: Cells>(
        &self,
        cells: &C,
        stage: usize,
        run: u64,
        stop: &StopFlag,
        tell: &mut dyn FnMut(Code) -> Result<(), StoreError>,
    ) -> Result<(), StoreError> {
        let space = self.index.space();
        let Some(file) = &self.stages[stage] else { return Err(self.missing(stage)) };
        let (mut scratch, mut codes) = (cells.scratch(), Vec::new());
        for number in space.stages()[stage].parts.clone() {
            let part = &space.parts()[number];
            for first in (0..part.size()).step_by(run.max(1) as usize) {
                let slots = first..(first + run.max(1)).min(part.size());
                codes.clear();
                codes.resize((slots.end - slots.start) as usize, Code::ILLEGAL.0);
                let dropped = file.is_dropped(number);
                if !dropped {
                    file.fill(space, number, &slots, stop, &mut codes)?;
                }
                let mut done = Ok(());
                let first = part.base() + slots.start;
                let all = first..part.base() + slots.end;
                // What is no position may be stored as anything.
                cells.survey(all, &mut scratch, &mut |slot, content| {
                    if done.is_err() {
                        return;
                    }
                    if slot.is_multiple_of(PIECE) && stop.is_set() {
                        done = Err(SolveError::Stopped.into());
                        return;
                    }
                    let code = match content {
                        Content::Illegal => Ok(Code::ILLEGAL),
                        Content::Duplicate => Ok(Code::DUPLICATE),
                        Content::Ended(value) => Ok(value.into()),
                        Content::Open if dropped => self.stored(slot),
                        Content::Open => Ok(Code(codes[(slot - first) as usize])),
                    };
                    done = code.and_then(&mut *tell);
                });
                done?;
            }
        }
        Ok(())
    }

    /// Reads everything and compares all checksums and digests.
    pub fn verify_files(&self) -> Result<(), StoreError> {
        for (stage, file) in self.index.space().stages().iter().zip(&self.stages) {
            let Some(file) = file else { continue };
            let entry = self.manifest.stage(stage.stage.rank, &stage.stage.name);
            check_digest(file, entry.expect("an open stage is listed"))?;
        }
        Ok(())
    }

    /// How many slots of each part have which code, without reading a value: for each part of the
    /// finished stages, in the order of [`Space::parts`](crate::Space::parts).
    pub fn histograms(&self) -> impl Iterator<Item = Histogram> + '_ {
        let parts = (0..self.stage_of.len()).zip(&self.stage_of);
        parts.filter_map(|(part, &stage)| {
            let entry = self.stages[stage as usize].as_ref()?.entry(part);
            let codes = entry.codes.iter().map(|&code| Code(code));
            Some(Histogram { part, counts: codes.zip(entry.occur.iter().copied()).collect() })
        })
    }

    /// The sizes of all parts of the finished stages.
    pub fn sizes(&self) -> impl Iterator<Item = PartSize> + '_ {
        self.stages.iter().flatten().flat_map(StageFile::sizes)
    }
}

/// How many slots of a part have which code.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Histogram {
    /// The part, as a place in [`Space::parts`](crate::Space::parts).
    pub part: usize,
    /// Codes in ascending order, each with its number of slots.
    pub counts: Vec<(Code, u64)>,
}

/// A position that is not covered, or that cannot be read because of a damaged file, is unknown.
/// (Ask [`Database::value`] to learn why.)
impl<G: Indexed> Oracle<G> for Database<G> {
    fn probe(&self, _: &G, position: &G::Position) -> Option<Score> {
        let value = self.value(position).ok().flatten()?;
        Some(self.metric().score(value))
    }
}
