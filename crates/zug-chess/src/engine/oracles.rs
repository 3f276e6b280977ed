//! Which positions are known exactly, by databases of solved endings or by Syzygy tables?

use super::evaluation::Evaluation;
use super::syzygy::{Standing, Syzygy, SyzygyError};
use super::value::{TABLE_WIN, Value, from_score};
use super::worker::Worker;
use crate::oracle::Endings;
use crate::{Chess, Position};
use cozy_chess::{Board, Move};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::Ordering::Relaxed;
use zug_core::Oracle;

/// What the engine knows exactly.
#[derive(Clone, Default)]
pub struct Oracles {
    endings: Vec<Arc<Endings>>,
    syzygy: Option<Arc<Syzygy>>,
    /// How Syzygy tables are asked.
    pub probing: Probing,
}

/// How Syzygy tables are asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Probing {
    /// Positions with as many men as the largest tables are asked about where at least this many
    /// plies are left to search: with tables on a slow disk more would cost more than it tells.
    pub depth: u32,
    /// Is a win that takes more than fifty moves without capture and pawn's move a draw?
    pub fifty: bool,
}

impl Default for Probing {
    fn default() -> Probing {
        Probing { depth: 0, fifty: true }
    }
}

impl Oracles {
    /// Nothing that is known yet; tables will be asked in this way.
    #[must_use]
    pub fn asked_by(probing: Probing) -> Oracles {
        Oracles { probing, ..Oracles::default() }
    }

    /// Adds one of our own databases, by its folder. The error says why not.
    pub fn add_database(&mut self, folder: &Path) -> Result<(), String> {
        self.endings.push(Arc::new(Endings::open(folder)?));
        Ok(())
    }

    /// Opens Syzygy tables in one or several folders, with `:` between them.
    pub fn add_syzygy(&mut self, folders: &str) -> Result<(), SyzygyError> {
        self.syzygy = None;
        self.syzygy = Some(Syzygy::open(folders)?);
        Ok(())
    }

    /// Lets go of Syzygy tables.
    pub fn close_syzygy(&mut self) {
        self.syzygy = None;
    }

    /// The most men of a position that is known.
    #[must_use]
    pub fn men(&self) -> u32 {
        let endings = self.endings.iter().map(|endings| endings.men());
        let tables = self.syzygy.as_ref().map(|syzygy| syzygy.men());
        endings.chain(tables).max().unwrap_or(0)
    }

    /// The value of a position, so many plies from the root, with so many left to search.
    pub(super) fn value(
        &self,
        board: &Board,
        ply: usize,
        depth: i32,
        draw: Value,
    ) -> Option<Value> {
        if !self.endings.is_empty() {
            let (chess, position) = (Chess::new(), Position::from(board.clone()));
            let score = self.endings.iter().find_map(|endings| endings.probe(&chess, &position));
            if let Some(score) = score {
                let value = from_score(score, ply);
                return Some(if value == 0 { draw } else { value });
            }
        }
        let (syzygy, Probing { depth: least, fifty }) = (self.syzygy.as_ref()?, self.probing);
        if board.occupied().len() == syzygy.men() && i64::from(depth) < i64::from(least) {
            return None;
        }
        Some(match syzygy.standing(board, fifty)? {
            Standing::Won => TABLE_WIN - ply as Value,
            Standing::Drawn => draw,
            Standing::Lost => ply as Value - TABLE_WIN,
        })
    }

    /// The moves that keep the result and make progress, where tables know the position itself, and
    /// that result.
    pub(super) fn best_moves(&self, board: &Board) -> Option<(Standing, Vec<Move>)> {
        self.syzygy.as_ref()?.best_moves(board, self.probing.fifty)
    }
}

impl<E: Evaluation> Worker<'_, E> {
    /// The value of a position that an oracle knows.
    pub(super) fn ask_oracle(&self, board: &Board, ply: usize, depth: i32) -> Option<Value> {
        if board.occupied().len() > self.shared.oracle_men {
            return None;
        }
        let value = self.shared.oracles.value(board, ply, depth, self.draw(ply))?;
        self.shared.hits.fetch_add(1, Relaxed);
        Some(value)
    }
}
