//! A game as the solver sees it: numbered cells, and moves between them.
//!
//! [`Cells`] is all that retrograde analysis needs. [`GameCells`] gives it for every game that has
//! [`Indexed`] and [`Retro`]; a game that must be solved fast implements it on its own bitboards.

use crate::index::{Index, Slot};
use crate::value::Value;
use std::ops::Range;
use zug_core::{Game, Indexed, Retro};

/// What a cell holds before anything is solved.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content {
    /// No position that the rules know.
    Illegal,
    /// The same position as a lower cell.
    Duplicate,
    /// The game has ended here: lost or won in 0 plies, or drawn.
    Ended(Value),
    /// The game goes on.
    Open,
}

/// Numbered positions with the moves between them.
///
/// The contract, for every two cells p (open) and q (neither illegal nor a duplicate): q names p
/// among its [`predecessors`](Cells::predecessors) as often as p names q among its
/// [`successors`](Cells::successors). An open cell has at least one successor.
pub trait Cells: Sync {
    /// Working memory of a thread.
    type Scratch: Send;

    /// New working memory.
    fn scratch(&self) -> Self::Scratch;

    /// The number of cells.
    fn size(&self) -> u64;

    /// What a cell holds.
    fn content(&self, cell: u64, scratch: &mut Self::Scratch) -> Content;

    /// Tells the content of all cells of a range, in ascending order. The default asks for one
    /// after the other; going through neighbours together may be faster.
    fn survey(
        &self,
        range: Range<u64>,
        scratch: &mut Self::Scratch,
        tell: &mut impl FnMut(u64, Content),
    ) where
        Self: Sized,
    {
        for cell in range {
            let content = self.content(cell, scratch);
            tell(cell, content);
        }
    }

    /// Appends the cells that an open cell's moves lead to.
    fn successors(&self, cell: u64, scratch: &mut Self::Scratch, out: &mut Vec<u64>);

    /// How many there are.
    fn count_successors(&self, cell: u64, scratch: &mut Self::Scratch) -> u32 {
        let mut out = Vec::new();
        self.successors(cell, scratch, &mut out);
        out.len() as u32
    }

    /// Appends the open cells inside `within` from which a move leads to this one.
    fn predecessors(
        &self,
        cell: u64,
        within: &Range<u64>,
        scratch: &mut Self::Scratch,
        out: &mut Vec<u64>,
    );

    /// Moves from a stage to lower ones that are better looked up than told backwards (a few cells
    /// can promote a pawn, but almost any position could come from a promotion): runs of cells
    /// that have such moves. None by default.
    fn ahead_within(&self, stage: &Range<u64>) -> Vec<Range<u64>> {
        let _ = stage;
        Vec::new()
    }

    /// Appends the targets of those moves of an open cell.
    fn ahead(&self, cell: u64, scratch: &mut Self::Scratch, out: &mut Vec<u64>) {
        let _ = (cell, scratch, out);
    }

    /// Do only such moves lead from this stage to that one?
    fn only_ahead(&self, stage: &Range<u64>, lower: &Range<u64>) -> bool {
        let _ = (stage, lower);
        false
    }

    /// The [`predecessors`](Cells::predecessors) of a cell of a lower stage, without those that
    /// find it [`ahead`](Cells::ahead).
    fn told(
        &self,
        cell: u64,
        within: &Range<u64>,
        scratch: &mut Self::Scratch,
        out: &mut Vec<u64>,
    ) {
        self.predecessors(cell, within, scratch, out);
    }
}

/// The cells of a game, by its general index and its moves backwards.
#[derive(Debug)]
pub struct GameCells<G: Indexed + Retro> {
    index: Index<G>,
    /// Can different positions have the same cell?
    symmetric: bool,
    /// For each part, which symmetries it has; see [`Space::symmetry_kinds`].
    kinds: Vec<Option<(u32, bool)>>,
}

/// Working memory for [`GameCells`].
#[derive(Debug)]
pub struct GameScratch<G: Game> {
    moves: Vec<G::Move>,
    before: Vec<G::Position>,
    cells: Vec<u64>,
    /// The last range asked for, and the different symmetries of its parts.
    within: Range<u64>,
    kinds: Vec<(u32, bool)>,
}

/// Must the board be turned to find all positions of a cell?
struct Turned(bool);

impl<G: Indexed + Retro> GameCells<G> {
    /// The cells of an index.
    #[must_use]
    pub fn new(index: Index<G>) -> GameCells<G> {
        let symmetric = index.space().has_symmetry();
        let kinds = index.space().symmetry_kinds();
        GameCells { index, symmetric, kinds }
    }

    /// Can a cell of these have fewer symmetries than this one, so that moves must be taken back
    /// from several positions of the cell: those that differ by colour swap, and those that differ
    /// by a turn of the board?
    fn varies(
        &self,
        cell: u64,
        within: &Range<u64>,
        scratch: &mut GameScratch<G>,
    ) -> Option<Turned> {
        let space = self.index.space();
        if scratch.within != *within {
            let parts = space.parts().iter().zip(&self.kinds);
            let here = parts.filter(|(p, _)| within.start < p.base() + p.size());
            let here = here.take_while(|(p, _)| p.base() < within.end);
            scratch.kinds = here.filter_map(|(_, kind)| *kind).collect();
            scratch.kinds.sort_unstable();
            scratch.kinds.dedup();
            scratch.within = within.clone();
        }
        if cell >= space.size() {
            return None;
        }
        let (group, mirrored) = self.kinds[space.part_of(cell)]?;
        let turned = scratch.kinds.iter().any(|kind| kind.0 != group);
        let swapped = scratch.kinds.iter().any(|kind| kind.1 != mirrored);
        (turned || swapped).then_some(Turned(turned))
    }

    /// What a cell holds; a duplicate only where symmetry can make one.
    fn slot(&self, cell: u64) -> Slot<G::Position> {
        if self.symmetric {
            return self.index.slot(cell);
        }
        self.index.position(cell).map_or(Slot::Illegal, Slot::Position)
    }

    /// The index.
    #[must_use]
    pub fn index(&self) -> &Index<G> {
        &self.index
    }
}

/// Sorts what was appended after `from` and leaves each number once: under symmetry several moves
/// can lead to one cell (§4.7).
fn distinct(out: &mut Vec<u64>, from: usize) {
    out[from..].sort_unstable();
    let mut kept = from;
    for i in from..out.len() {
        if i == from || out[i] != out[kept - 1] {
            out[kept] = out[i];
            kept += 1;
        }
    }
    out.truncate(kept);
}

impl<G: Indexed + Retro> Cells for GameCells<G> {
    type Scratch = GameScratch<G>;

    fn scratch(&self) -> GameScratch<G> {
        GameScratch {
            moves: Vec::new(),
            before: Vec::new(),
            cells: Vec::new(),
            within: 0..0,
            kinds: Vec::new(),
        }
    }

    fn size(&self) -> u64 {
        self.index.size()
    }

    fn content(&self, cell: u64, _: &mut GameScratch<G>) -> Content {
        let game = self.index.game();
        let position = match self.slot(cell) {
            Slot::Illegal => return Content::Illegal,
            Slot::Duplicate(_) => return Content::Duplicate,
            Slot::Position(position) => position,
        };
        match game.outcome(&position) {
            None => Content::Open,
            Some(outcome) => Content::Ended(match outcome.winner {
                None => Value::Draw,
                Some(winner) if winner == game.to_move(&position) => Value::Win(0),
                Some(_) => Value::Loss(0),
            }),
        }
    }

    fn successors(&self, cell: u64, scratch: &mut GameScratch<G>, out: &mut Vec<u64>) {
        let game = self.index.game();
        let Some(position) = self.index.position(cell) else { return };
        let from = out.len();
        scratch.moves.clear();
        game.moves(&position, &mut scratch.moves);
        for &mv in &scratch.moves {
            let mut next = position.clone();
            game.play(&mut next, mv);
            out.extend(self.index.index_of(&next));
        }
        distinct(out, from);
    }

    fn count_successors(&self, cell: u64, scratch: &mut GameScratch<G>) -> u32 {
        if self.symmetric {
            scratch.cells.clear();
            let mut cells = std::mem::take(&mut scratch.cells);
            self.successors(cell, scratch, &mut cells);
            let count = cells.len() as u32;
            scratch.cells = cells;
            return count;
        }
        // Different positions have different cells, so there is no need to number them.
        let game = self.index.game();
        let Some(position) = self.index.position(cell) else { return 0 };
        scratch.moves.clear();
        scratch.before.clear();
        game.moves(&position, &mut scratch.moves);
        for &mv in &scratch.moves {
            let mut next = position.clone();
            game.play(&mut next, mv);
            if !scratch.before.contains(&next) {
                scratch.before.push(next);
            }
        }
        scratch.before.len() as u32
    }

    fn predecessors(
        &self,
        cell: u64,
        within: &Range<u64>,
        scratch: &mut GameScratch<G>,
        out: &mut Vec<u64>,
    ) {
        let game = self.index.game();
        let from = out.len();
        let varies = self.varies(cell, within, scratch);
        scratch.before.clear();
        if let Some(Turned(turned)) = varies {
            self.index.space().equals(cell, turned, &mut |boards, side| {
                if let Some(position) = game.position_of(boards, side) {
                    game.predecessors(&position, &mut scratch.before);
                }
            });
        } else if let Some(position) = self.index.position(cell) {
            game.predecessors(&position, &mut scratch.before);
        }
        let before = scratch.before.iter().filter(|p| game.outcome(p).is_none());
        out.extend(before.filter_map(|p| self.index.index_of(p)).filter(|c| within.contains(c)));
        // A game names each predecessor once; symmetry can make two of them the same.
        if self.symmetric || varies.is_some() {
            distinct(out, from);
        }
    }
}
