//! Which positions are known exactly, by databases of solved endings?

use super::evaluation::Evaluation;
use super::search::Aim;
use super::value::{Value, from_score};
use super::worker::Worker;
use crate::oracle::Endings;
use crate::{Chess, Position};
use cozy_chess::Board;
use std::path::Path;
use std::sync::Arc;
use zug_core::Oracle;

/// What the engine knows exactly.
#[derive(Clone, Default)]
pub struct Oracles {
    endings: Vec<Arc<Endings>>,
}

impl Oracles {
    /// Adds one of our own databases, by its folder. The error says why not.
    pub fn add_database(&mut self, folder: &Path) -> Result<(), String> {
        self.endings.push(Arc::new(Endings::open(folder)?));
        Ok(())
    }

    /// The most men of a position that is known.
    #[must_use]
    pub fn men(&self) -> u32 {
        self.endings.iter().map(|endings| endings.men()).max().unwrap_or(0)
    }

    fn value(&self, board: &Board, ply: usize) -> Option<Value> {
        let position = Position::from(board.clone());
        let chess = Chess::new();
        let score = self.endings.iter().find_map(|endings| endings.probe(&chess, &position))?;
        Some(from_score(score, ply))
    }
}

impl<E: Evaluation> Worker<'_, E> {
    /// The value of a position that an oracle knows.
    pub(super) fn ask_oracle<const PV: bool>(
        &mut self,
        board: &Board,
        _: Aim,
        ply: usize,
    ) -> Option<Value> {
        let oracles = self.shared.oracles;
        if self.shared.oracle_men == 0 || board.occupied().len() > self.shared.oracle_men {
            return None;
        }
        oracles.value(board, ply)
    }
}
