//! Our values: solved here and now in memory, or read from a database folder.

use anyhow::{Context, Result};
use std::path::Path;
use std::time::Instant;
use zug_chess::endings::{EndingCells, Scope};
use zug_chess::{Chess, Position};
use zug_core::{Game, Indexed, Silent, StopFlag};
use zug_solve::{Database, Index, Manifest, Measure, Metric, Settings, Table, Value};

/// Memory for the unpacked blocks of a database.
const CACHE: usize = 256 << 20;

/// Where values come from.
pub enum Ours {
    /// Solved in memory.
    Solved(Box<Solved>),
    /// Opened.
    Stored(Box<Database<Chess>>),
}

/// Solved in memory.
pub struct Solved {
    index: Index<Chess>,
    /// By ascending slot.
    tables: Vec<Table>,
    metric: Metric,
}

impl Ours {
    /// Solves these endings.
    pub fn solve(scope: Scope, metric: Metric, threads: usize, stop: &StopFlag) -> Result<Ours> {
        let game = Chess::ending(scope);
        let layout = game.layout();
        let index = Index::new(&game, zug_solve::Options::default())?;
        let space = index.space();
        let cells = EndingCells::new(&game, space).context("no fast cells for this index")?;
        let settings = Settings { threads, metric, ..Settings::default() };
        let (mut tables, began): (Vec<Table>, _) = (Vec::new(), Instant::now());
        for (number, stage) in space.stages().iter().enumerate() {
            let feeding = zug_solve::feeding(&layout, space, number);
            let sources: Vec<&Table> = feeding.into_iter().map(|s| &tables[s]).collect();
            let slots = stage.slots.clone();
            let solved = zug_solve::solve_stage(&cells, slots, &sources, &settings, &Silent, stop)?;
            eprintln!(
                "solved {:6} {:>10} slots in {:6.2} s, {:6.2} s of processors",
                stage.stage.name,
                solved.figures.cells,
                solved.figures.seconds,
                solved.figures.cpu_seconds
            );
            tables.push(solved.table);
        }
        let slots = space.size();
        println!("solved {slots} slots with {threads} threads in {:.1?}", began.elapsed());
        Ok(Ours::Solved(Box::new(Solved { index, tables, metric })))
    }

    /// Opens a folder.
    pub fn open(folder: &Path) -> Result<Ours> {
        let manifest = Manifest::read(folder)?;
        let spec = zug_core::Spec::parse(&manifest.game)?;
        let game = Chess::from_spec(&spec)
            .with_context(|| format!("{} is not of chess", folder.display()))?;
        Ok(Ours::Stored(Box::new(Database::open_with(folder, &game, CACHE)?)))
    }

    /// What distances mean.
    pub fn measure(&self) -> Measure {
        match self {
            Ours::Solved(solved) => match solved.metric {
                Metric::Mate => Measure::Dtm,
                Metric::Conversion => Measure::Dtc,
            },
            Ours::Stored(database) => database.metric(),
        }
    }

    /// In words.
    pub fn name(&self) -> String {
        match self {
            Ours::Solved(_) => format!("solved in memory, {}", self.measure()),
            Ours::Stored(database) => {
                format!("{}, {}", database.folder().display(), database.metric())
            }
        }
    }

    fn index(&self) -> &Index<Chess> {
        match self {
            Ours::Solved(solved) => &solved.index,
            Ours::Stored(database) => database.index(),
        }
    }

    /// The endings, but for bare kings.
    pub fn endings(&self) -> Vec<String> {
        let stages = self.index().space().stages().iter();
        stages.map(|s| s.stage.name.clone()).filter(|name| name != "KvK").collect()
    }

    /// Does this position belong here?
    pub fn covers(&self, position: &Position) -> bool {
        let game = self.index().game();
        game.read_position(&game.write_position(position)).is_ok()
    }

    /// The value of a position, if there is one.
    pub fn value(&self, position: &Position) -> Result<Option<Value>> {
        match self {
            Ours::Solved(solved) => {
                let Some(slot) = solved.index.index_of(position) else { return Ok(None) };
                let stage = solved.tables.partition_point(|table| table.range().end <= slot);
                Ok(solved.tables[stage].code(slot).value())
            }
            Ours::Stored(database) => Ok(database.value(position)?),
        }
    }
}
