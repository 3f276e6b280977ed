//! Quiet moves taken back, fast: the bulk of the work of a solver.

use super::men::Men;
use super::plan::Plan;
use super::unmove::Change;
use super::{EndingCells, halve};
use std::ops::Range;

impl EndingCells {
    /// Appends the predecessors by quiet moves, for endings in which one side has no pawns.
    pub(super) fn quiet_unmoves(
        &self,
        plan: &Plan,
        men: &Men,
        within: &Range<u64>,
        out: &mut Vec<u64>,
    ) {
        let from = out.len();
        let quiet = |change: Change| change.captured.is_none() && change.promoted.is_none();
        super::unmove::visit(men, &mut |c| quiet(c), &mut |before| self.emit(before, within, out));
        if plan.is_symmetric(men) {
            halve(out, from);
        }
    }
}
