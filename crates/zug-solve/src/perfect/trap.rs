//! The player of traps: in drawn positions the best chance that the opponent errs, in lost ones the
//! best chance to escape.
//!
//! The chances are the fixpoint, over all positions that lead to each other, of our best move and
//! the moves of a model of the opponent ([`Opponent`]). For a database of moderate size it is computed once for all
//! positions, kept in memory and, where the database has a folder, in a file beside it; for a larger
//! one, around the position on the board before each move.

pub use super::graph::Belief;
use super::graph::Graph;
use super::lookup::{Ranked, Values};
use super::opponent::Opponent;
use crate::store::{Manifest, StoreError};
use crate::value::Value;
use std::path::{Path, PathBuf};
use zug_core::container::{Container, ContainerError, Expect, Header, Kind, Writer};
use zug_core::{Game, Indexed, PlayerError, Progress, StopFlag};

/// The layout of the file that keeps a table.
const LAYOUT: &str = "traps/1";
/// The note in its header that names the database by its digest.
const DATABASE: &str = "database";

/// The chances of a whole database.
#[derive(Clone, Debug)]
pub struct Traps {
    belief: Belief,
    /// For each slot: the chance when the opponent is to move there.
    chances: Vec<f32>,
}

impl Traps {
    /// Computes the chances of all positions.
    pub fn prepare<G: Indexed>(
        values: &dyn Values<G>,
        belief: &Belief,
        threads: usize,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Traps, PlayerError> {
        let (graph, numbers) = Graph::whole(values, belief, threads, progress, stop)?;
        progress.message("settling chances");
        let (settled, _) = graph.settle(belief, threads);
        let chance = |n: &u32| settled.get(*n as usize).copied().unwrap_or(0.0);
        let chances = numbers.iter().map(chance).collect();
        progress.finish();
        Ok(Traps { belief: *belief, chances })
    }

    /// The chances around some positions where the opponent is to move, in their order.
    pub fn around<G: Indexed>(
        values: &dyn Values<G>,
        belief: &Belief,
        positions: &[G::Position],
        most: usize,
    ) -> Result<Vec<f64>, PlayerError> {
        let (graph, numbers) = Graph::around(values, belief, positions, most)?;
        let (settled, _) = graph.settle(belief, 1);
        let number = |p| values.index().index_of(p).and_then(|slot| numbers.get(&slot));
        let chance = |p| number(p).map_or(0.0, |&n| f64::from(settled[n as usize]));
        Ok(positions.iter().map(chance).collect())
    }

    /// What is believed about the opponent.
    #[must_use]
    pub fn belief(&self) -> &Belief {
        &self.belief
    }

    /// The chance in a position where the opponent is to move and the game goes on.
    #[must_use]
    pub fn chance<G: Indexed>(&self, values: &dyn Values<G>, position: &G::Position) -> f64 {
        let slot = values.index().index_of(position);
        slot.and_then(|slot| self.chances.get(slot as usize)).map_or(0.0, |&c| f64::from(c))
    }

    /// The file that keeps the table of a belief, if the database has a folder.
    #[must_use]
    pub fn file<G: Indexed>(values: &dyn Values<G>, belief: &Belief) -> Option<PathBuf> {
        let Opponent { see, blur, heat, slip } = belief.opponent;
        let name =
            format!("trap-{see}-{blur}-{heat}-{slip}-{}-{}.zdb", belief.patience, belief.draw);
        values.folder().map(|folder| folder.join(name))
    }

    /// Reads a table that was kept; `None` if there is none that was computed from these values.
    #[must_use]
    pub fn load<G: Indexed>(values: &dyn Values<G>, belief: &Belief) -> Option<Traps> {
        let path = Traps::file(values, belief)?;
        let (size, digest) = (values.index().size(), values.digest()?);
        let read = || -> Result<Vec<f32>, StoreError> {
            open(&path, &values.index().game().spec(), &digest)?
                .section("chances")
                .and_then(|section| section.array(size))
                .map_err(StoreError::from)
        };
        // A file that is missing, damaged, or made from another database is computed anew.
        let chances = read().ok().filter(|c| c.len() as u64 == size)?;
        Some(Traps { belief: *belief, chances })
    }

    /// Keeps the table in a file beside the database.
    pub fn keep<G: Indexed>(&self, values: &dyn Values<G>) -> Result<(), ContainerError> {
        let (Some(path), Some(digest)) = (Traps::file(values, &self.belief), values.digest())
        else {
            return Ok(());
        };
        let mut header = Header::new(Kind::Database, values.index().game().spec(), LAYOUT);
        header.notes.insert(DATABASE.into(), digest);
        let mut writer = Writer::create(&path, &header)?;
        writer.array("chances", &self.chances)?;
        writer.commit()
    }
}

/// The tables of chances that are kept in the folder of a database, by name.
#[must_use]
pub fn kept(folder: &Path) -> Vec<PathBuf> {
    let ours = |path: &PathBuf| {
        let name = path.file_name().map(|name| name.to_string_lossy());
        name.is_some_and(|name| name.starts_with("trap-") && name.ends_with(".zdb"))
    };
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let mut found: Vec<PathBuf> = entries.map(|entry| entry.path()).filter(ours).collect();
    found.sort();
    found
}

/// Opens a table that was computed from the database with this digest.
fn open(path: &Path, game: &str, digest: &str) -> Result<Container, StoreError> {
    let container = Container::open(path, &Expect::database(game).layout(LAYOUT))?;
    match container.header().notes.get(DATABASE) {
        Some(found) if found == digest => Ok(container),
        _ => Err(StoreError::refused(
            path,
            "this table of traps was computed from another database, or by an older program; \
             it may be deleted, and is made anew when it is next needed",
        )),
    }
}

/// Checks that all tables which are kept in the folder of a database were computed from it, and
/// compares their checksums.
pub fn verify_kept(folder: &Path, manifest: &Manifest) -> Result<(), StoreError> {
    let digest = manifest.digest();
    let check = |path: &PathBuf| Ok(open(path, &manifest.game, &digest)?.verify()?);
    kept(folder).iter().try_for_each(check)
}

/// The moves among which the player of traps chooses: those that keep a draw, all of a lost
/// position; `None` where the plain player knows best.
#[must_use]
pub fn candidates<G: Game>(moves: &[Ranked<G>]) -> Option<Vec<usize>> {
    let best = moves.iter().map(|m| m.value).max()?;
    let places: Vec<usize> = match best {
        Value::Win(_) => return None,
        Value::Draw => (0..moves.len()).filter(|&i| moves[i].value == Value::Draw).collect(),
        Value::Loss(_) => (0..moves.len()).collect(),
    };
    (places.len() > 1).then_some(places)
}
