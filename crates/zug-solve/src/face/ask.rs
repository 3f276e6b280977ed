//! Questions to a database in words: what is this position worth, what is in there, is it right?

use super::AnyDatabase;
use crate::cells::Cells;
use crate::database::Database;
use crate::estimate::Outline;
use crate::index::Slot;
use crate::perfect::trap::verify_kept;
use crate::space::{IndexError, MOST_KINDS, Options, Space};
use crate::stats::{Tally, reduce, tally_parts};
use crate::store::{Manifest, Measure, PartSize, StoreError};
use crate::value::Value;
use crate::verify::{Findings, Meaning, check_stage};
use std::marker::PhantomData;
use std::sync::Arc;
use zug_core::indexed::{Layout, Place};
use zug_core::seed::RngExt;
use zug_core::{Indexed, Progress, Side, StopFlag, TextError, rng};

/// Slots drawn at random before a search for positions of a value goes through them in order.
const MOST_DRAWS: usize = 200_000;
/// Slots that such a search then goes through.
const MOST_STEPS: u64 = 4 << 20;

/// What a database says of a position.
#[derive(Clone, Debug)]
pub struct Probe {
    /// The position, in the game's own way of writing it.
    pub position: String,
    /// The side to move.
    pub side: Side,
    /// The value for it.
    pub value: Value,
    /// Where it is kept.
    pub slot: u64,
    /// The stage that it belongs to.
    pub stage: String,
    /// Why the game has ended here, if it has.
    pub ended: Option<&'static str>,
    /// The moves, best first.
    pub moves: Vec<ProbedMove>,
}

/// A move and what it is worth.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ProbedMove {
    /// The move in notation.
    pub mv: String,
    /// What it is worth for the side that makes it.
    pub value: Value,
    /// Does it keep the value of the position?
    pub best: bool,
    /// The position that it leads to.
    pub leads_to: String,
}

/// How many positions of a database are worth what.
#[derive(Clone, Debug)]
pub struct Statistics {
    /// All finished stages together.
    pub total: Tally,
    /// Each finished stage.
    pub stages: Vec<(String, Tally)>,
    /// The slots that an index of the same stages without symmetries would have.
    pub full_slots: Option<u64>,
    /// Those of all these that no game comes to, and why they are there.
    pub unreached: Option<(&'static str, Tally)>,
    /// Is only one of two positions stored that differ by a colour swap?
    pub mirrored: bool,
    /// Is each class of equivalent positions stored once, so that the reduced counts are the stored
    /// ones?
    pub stored_reduced: bool,
}

/// A question that could not be answered.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// The position cannot be read.
    #[error(transparent)]
    Text(#[from] TextError),
    /// The position is none of this database's.
    #[error("{0}")]
    Outside(String),
    /// The files cannot be read.
    #[error(transparent)]
    Store(#[from] StoreError),
    /// The game cannot be numbered.
    #[error(transparent)]
    Index(#[from] IndexError),
}

/// A database with the way to make the game's cells, which only a check needs.
pub(super) struct Asked<G: Indexed, C, F> {
    database: Database<G>,
    cells: Arc<F>,
    kind: PhantomData<fn() -> C>,
}

impl<G: Indexed, C, F> Asked<G, C, F> {
    pub(super) fn new(database: Database<G>, cells: Arc<F>) -> Asked<G, C, F> {
        Asked { database, cells, kind: PhantomData }
    }

    fn space(&self) -> &Space {
        self.database.index().space()
    }

    /// The positions that no game comes to, if the game says that there are any.
    fn unreached(
        &self,
        layout: &Layout,
        threads: usize,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Option<(&'static str, Tally)>, StoreError> {
        let parts = self.space().parts();
        let why = |part: usize| layout.why_unreached(parts[part].counts(), parts[part].side());
        let Some(reason) = (0..parts.len()).find_map(why) else { return Ok(None) };
        let found = self.database.histograms().filter(|h| why(h.part).is_some());
        let found = found.map(|h| (h.part, h.counts));
        let database = &self.database;
        let code = |slot| database.code(slot);
        let tally = tally_parts(self.space(), found, threads, progress, stop, code)?;
        Ok(Some((reason, tally)))
    }

    /// Why a position that the game can read has no slot.
    fn outside(&self, position: &G::Position) -> AskError {
        let game = self.database.game();
        let layout = game.layout();
        let mut boards = [0; MOST_KINDS];
        let boards = &mut boards[..layout.kinds().len()];
        game.boards(position, boards);
        let owner = |side: Option<Side>| side.map_or("", |side| game.side_name(side));
        for (kind, &board) in layout.kinds().iter().zip(boards.iter()) {
            let name = format!("{} {}", owner(kind.owner), kind.name);
            let (name, pieces) = (name.trim(), board.count_ones());
            let (least, most) = (kind.counts.start(), kind.counts.end());
            if !kind.counts.contains(&pieces) {
                let range =
                    if least == most { format!("{most}") } else { format!("{least} to {most}") };
                return AskError::Outside(format!(
                    "wrong material: {pieces} of {name}, and this database of {} has {range}",
                    game.spec()
                ));
            }
            if let Place::Fields(fields) = kind.place
                && board & !fields != 0
            {
                return AskError::Outside(format!("a {name} stands where none can ever stand"));
            }
        }
        AskError::Outside(format!(
            "{} is not among the positions of this database of {}",
            game.write_position(position),
            game.spec()
        ))
    }
}

impl<G, C, F> AnyDatabase for Asked<G, C, F>
where
    G: Indexed,
    C: Cells + Send + 'static,
    F: Fn(&G, Options) -> Result<C, IndexError> + Send + Sync + 'static,
{
    fn manifest(&self) -> &Manifest {
        self.database.manifest()
    }

    fn outline(&self) -> Outline {
        Outline::new(&self.database.game().layout(), self.space())
    }

    fn is_complete(&self) -> bool {
        self.database.is_complete()
    }

    fn sizes(&self) -> Vec<PartSize> {
        self.database.sizes().collect()
    }

    fn statistics(
        &self,
        threads: usize,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Statistics, StoreError> {
        let space = self.space();
        let layout = self.database.game().layout();
        let smaller = Space::new(&layout, Options::default())?;
        let stored_reduced = space.size() <= smaller.size();
        let mut stages = Vec::new();
        let mut total = Tally::default();
        for stage in space.stages() {
            let mut parts =
                self.database.histograms().filter(|h| stage.parts.contains(&h.part)).peekable();
            if parts.peek().is_none() {
                continue;
            }
            let parts = parts.map(|h| (h.part, h.counts));
            let code = |slot| self.database.code(slot);
            let mut tally = tally_parts(space, parts, threads, progress, stop, code)?;
            if !stored_reduced {
                let slots = stage.slots.clone();
                tally.reduced = reduce(space, &smaller, slots, threads, progress, stop, code)?;
            }
            total.merge(&tally);
            stages.push((stage.stage.name.clone(), tally));
        }
        let unreached = self.unreached(&layout, threads, progress, stop)?;
        let full = Space::new(&layout, Options::full());
        let full_slots = match full {
            Ok(full) if self.is_complete() => Some(full.size()),
            _ => None,
        };
        let mirrored = space.mirrored_parts().contains(&true);
        Ok(Statistics { total, stages, full_slots, unreached, mirrored, stored_reduced })
    }

    fn probe(&self, text: &str) -> Result<Probe, AskError> {
        let (game, index) = (self.database.game(), self.database.index());
        let position = if text == "start" { game.start() } else { game.read_position(text)? };
        let slot = index.index_of(&position).ok_or_else(|| self.outside(&position))?;
        // A position that can be read but not reached has a slot without a value.
        if index.slot(slot) == Slot::Illegal {
            return Err(AskError::Outside(format!("no game can reach the position {text}")));
        }
        let value = self.database.value(&position)?.ok_or_else(|| self.outside(&position))?;
        let mut moves = self.database.moves(&position)?.unwrap_or_default();
        moves.sort_by_key(|&(_, value)| std::cmp::Reverse(value));
        let best = moves.first().map(|&(_, value)| value);
        let describe = |(mv, value): (G::Move, Value)| {
            let mut next = position.clone();
            game.play(&mut next, mv);
            ProbedMove {
                mv: game.write_move(&position, mv),
                value,
                best: Some(value) == best,
                leads_to: game.write_position(&next),
            }
        };
        let stage = self.space().stages().get(self.space().stage_of(slot));
        Ok(Probe {
            position: game.write_position(&position),
            side: game.to_move(&position),
            value,
            slot,
            stage: stage.map(|s| s.stage.name.clone()).unwrap_or_default(),
            ended: game.outcome(&position).map(|outcome| outcome.reason),
            moves: moves.into_iter().map(describe).collect(),
        })
    }

    fn sample(
        &self,
        wanted: &dyn Fn(Value) -> bool,
        count: usize,
        seed: u64,
    ) -> Result<Vec<String>, StoreError> {
        let size = self.space().size();
        let (mut found, mut rng) = (Vec::new(), rng(seed, 31));
        if size == 0 {
            return Ok(found);
        }
        let look = |slot: u64, found: &mut Vec<String>| -> Result<(), StoreError> {
            if self.database.code(slot)?.value().is_some_and(wanted)
                && let Some(position) = self.database.index().position(slot)
                && self.database.game().outcome(&position).is_none()
            {
                let text = self.database.game().write_position(&position);
                if !found.contains(&text) {
                    found.push(text);
                }
            }
            Ok(())
        };
        for _ in 0..MOST_DRAWS {
            if found.len() >= count {
                return Ok(found);
            }
            look(rng.random_range(0..size), &mut found)?;
        }
        let start = rng.random_range(0..size);
        for step in 0..size.min(MOST_STEPS) {
            if found.len() >= count {
                break;
            }
            look((start + step) % size, &mut found)?;
        }
        Ok(found)
    }

    fn verify_files(&self) -> Result<(), StoreError> {
        self.database.verify_files()?;
        verify_kept(self.database.folder(), self.manifest())
    }

    fn verify_values(
        &self,
        threads: usize,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Findings, AskError> {
        let index = self.manifest().index.options();
        let options = index.map_err(AskError::Outside)?;
        let cells = (self.cells)(self.database.game(), options)?;
        let meaning = match self.database.metric() {
            Measure::Dtm => Meaning::Mate,
            Measure::Dtc => Meaning::Conversion,
            Measure::Wdl => Meaning::Outcome,
        };
        let finished = |stage: &&crate::StageParts| {
            self.manifest().stage(stage.stage.rank, &stage.stage.name).is_some()
        };
        let stages: Vec<_> = self.space().stages().iter().filter(finished).collect();
        progress.set_length(Some(stages.iter().map(|s| s.slots.end - s.slots.start).sum()));
        let mut all = Findings::default();
        for stage in stages {
            progress.message(&stage.stage.name);
            let code = |slot| self.database.stored(slot);
            let slots = &stage.slots;
            all.merge(check_stage(&cells, slots, meaning, threads, progress, stop, code)?);
        }
        progress.finish();
        Ok(all)
    }

    fn position(&self, slot: u64) -> Option<String> {
        let position = self.database.index().position(slot)?;
        Some(self.database.game().write_position(&position))
    }
}
