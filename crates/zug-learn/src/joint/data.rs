//! Where do the rows of a fit come from?

use super::SourceError;

/// Where in the game a chunk of examples lies: between a knot and the next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Place {
    /// The knot before.
    pub knot: usize,
    /// The share of the next knot, from 0 to below 1; 0 at the last knot.
    pub share: f64,
}

/// Some rows of a chunk. Every row has the same number of cells; a cell may stand in it more than
/// once.
#[derive(Clone, Copy, Debug)]
pub struct Rows<'a> {
    /// The cells, row after row.
    pub cells: &'a [u32],
    /// What each row should sum up to: a value, or for the logistic loss a chance from 0 to 1.
    pub targets: &'a [f32],
    /// How much each row counts, at least 0.
    pub weights: &'a [f32],
}

/// Examples as rows of table cells.
///
/// They come in chunks that never change, and all rows of a chunk lie at the same [`Place`], so that
/// the tables of that place are drawn once a chunk and one look a cell is enough. Rows may be made
/// anew from something smaller each time they are asked for.
pub trait TableExamples: Sync {
    /// Cells of all tables together.
    fn cells(&self) -> usize;
    /// Knots of the game.
    fn knots(&self) -> usize;
    /// Cells of a row.
    fn width(&self) -> usize;
    /// Chunks. Those of the same place should stand together.
    fn chunks(&self) -> usize;
    /// Rows of a chunk.
    fn rows(&self, chunk: usize) -> usize;
    /// The place of a chunk.
    fn place(&self, chunk: usize) -> Place;
    /// Hands over the rows of a chunk, in order, in batches of any size.
    fn visit(&self, chunk: usize, sink: &mut dyn FnMut(Rows<'_>)) -> Result<(), SourceError>;
}

/// A chunk of rows in memory.
#[derive(Clone, Debug)]
pub struct TableChunk {
    /// Their place.
    pub place: Place,
    /// The cells, row after row.
    pub cells: Vec<u32>,
    /// The targets.
    pub targets: Vec<f32>,
    /// The weights.
    pub weights: Vec<f32>,
}

/// Examples whose rows lie in memory as they are.
#[derive(Clone, Debug)]
pub struct TablesInMemory {
    /// Cells of all tables together.
    pub cells: usize,
    /// Knots of the game.
    pub knots: usize,
    /// Cells of a row.
    pub width: usize,
    /// The rows.
    pub chunks: Vec<TableChunk>,
}

impl TableExamples for TablesInMemory {
    fn cells(&self) -> usize {
        self.cells
    }
    fn knots(&self) -> usize {
        self.knots
    }
    fn width(&self) -> usize {
        self.width
    }
    fn chunks(&self) -> usize {
        self.chunks.len()
    }
    fn rows(&self, chunk: usize) -> usize {
        self.chunks[chunk].targets.len()
    }
    fn place(&self, chunk: usize) -> Place {
        self.chunks[chunk].place
    }
    fn visit(&self, chunk: usize, sink: &mut dyn FnMut(Rows<'_>)) -> Result<(), SourceError> {
        let TableChunk { cells, targets, weights, .. } = &self.chunks[chunk];
        sink(Rows { cells, targets, weights });
        Ok(())
    }
}
