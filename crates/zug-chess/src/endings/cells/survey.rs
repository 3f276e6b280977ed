//! What every cell holds, run by run.

use super::{EndingCells, EndingScratch};
use std::ops::Range;
use zug_solve::{Cells, Content};

impl EndingCells {
    /// Tells the content of all cells of a range, in ascending order.
    pub(super) fn survey_runs(
        &self,
        range: Range<u64>,
        scratch: &mut EndingScratch,
        tell: &mut impl FnMut(u64, Content),
    ) {
        for cell in range {
            let content = self.content(cell, scratch);
            tell(cell, content);
        }
    }
}
