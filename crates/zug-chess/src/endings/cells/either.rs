//! The fast cells where they fit, the general ones where they do not.

use super::{EndingCells, EndingScratch};
use crate::rules::Chess;
use std::ops::Range;
use zug_solve::{Cells, Content, GameCells, Index, IndexError, Options};

/// The cells of an ending for any options of the index.
#[derive(Debug)]
pub enum ChessCells {
    /// On bitboards.
    Fast(EndingCells),
    /// By the general index and the rules, for symmetries that several men carry.
    General(GameCells<Chess>),
}

/// Working memory of [`ChessCells`].
#[derive(Debug)]
pub enum ChessScratch {
    /// For the fast cells.
    Fast(EndingScratch),
    /// For the general ones.
    General(<GameCells<Chess> as Cells>::Scratch),
}

impl ChessCells {
    /// The cells of a game, numbered as by its index with these options.
    pub fn new(game: &Chess, options: Options) -> Result<ChessCells, IndexError> {
        let index = Index::new(game, options)?;
        Ok(match EndingCells::new(game, index.space()) {
            Some(cells) => ChessCells::Fast(cells),
            None => ChessCells::General(GameCells::new(index)),
        })
    }
}

/// Hands a call on; scratch of the other kind cannot occur and is replaced.
macro_rules! hand_on {
    ($self:ident, $scratch:ident, $cells:ident, $inner:ident => $call:expr) => {
        match $self {
            ChessCells::Fast($cells) => {
                if !matches!($scratch, ChessScratch::Fast(_)) {
                    *$scratch = $self.scratch();
                }
                let ChessScratch::Fast($inner) = $scratch else { unreachable!() };
                $call
            }
            ChessCells::General($cells) => {
                if !matches!($scratch, ChessScratch::General(_)) {
                    *$scratch = $self.scratch();
                }
                let ChessScratch::General($inner) = $scratch else { unreachable!() };
                $call
            }
        }
    };
}

impl Cells for ChessCells {
    type Scratch = ChessScratch;

    fn scratch(&self) -> ChessScratch {
        match self {
            ChessCells::Fast(cells) => ChessScratch::Fast(cells.scratch()),
            ChessCells::General(cells) => ChessScratch::General(cells.scratch()),
        }
    }

    fn size(&self) -> u64 {
        match self {
            ChessCells::Fast(cells) => cells.size(),
            ChessCells::General(cells) => cells.size(),
        }
    }

    fn content(&self, cell: u64, scratch: &mut ChessScratch) -> Content {
        hand_on!(self, scratch, cells, inner => cells.content(cell, inner))
    }

    fn survey(
        &self,
        range: Range<u64>,
        scratch: &mut ChessScratch,
        tell: &mut impl FnMut(u64, Content),
    ) {
        hand_on!(self, scratch, cells, inner => cells.survey(range, inner, tell));
    }

    fn successors(&self, cell: u64, scratch: &mut ChessScratch, out: &mut Vec<u64>) {
        hand_on!(self, scratch, cells, inner => cells.successors(cell, inner, out));
    }

    fn count_successors(&self, cell: u64, scratch: &mut ChessScratch) -> u32 {
        hand_on!(self, scratch, cells, inner => cells.count_successors(cell, inner))
    }

    fn predecessors(
        &self,
        cell: u64,
        within: &Range<u64>,
        scratch: &mut ChessScratch,
        out: &mut Vec<u64>,
    ) {
        hand_on!(self, scratch, cells, inner => cells.predecessors(cell, within, inner, out));
    }
}
