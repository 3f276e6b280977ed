//! Which part of a sub-database is won for the side to move? (The number s of §7.3.3.)

use super::lookup::Values;
use crate::value::Value;
use std::collections::HashMap;
use zug_core::{Indexed, PlayerError, Side};

/// Slots that are looked at in a large sub-database; spread evenly over it.
const SAMPLE: u64 = 1 << 21;

/// The shares of sub-databases, counted when first asked for.
///
/// Every slot counts once; where the index leaves out positions that are the same by symmetry, those
/// are left out here too.
#[derive(Clone, Debug, Default)]
pub struct Shares {
    known: HashMap<usize, f64>,
}

impl Shares {
    /// The share of the sub-database with these counts and this side to move; `None` if there is
    /// none.
    pub fn of_counts<G: Indexed>(
        &mut self,
        values: &dyn Values<G>,
        counts: &[u32],
        side: Side,
    ) -> Result<Option<f64>, PlayerError> {
        let space = values.index().space();
        let layout = values.index().game().layout();
        let swapped: Vec<u32> = (0..counts.len()).map(|k| counts[layout.partner(k)]).collect();
        let part = space.parts().iter().position(|part| {
            (part.counts() == counts && part.side() == side)
                || (part.counts() == swapped && part.side() == side.other())
        });
        part.map(|part| self.of_part(values, part)).transpose()
    }

    /// The share of the sub-database that a position belongs to.
    pub fn of_position<G: Indexed>(
        &mut self,
        values: &dyn Values<G>,
        position: &G::Position,
    ) -> Result<Option<f64>, PlayerError> {
        let Some(slot) = values.index().index_of(position) else { return Ok(None) };
        let parts = values.index().space().parts();
        let part = parts.partition_point(|part| part.base() <= slot) - 1;
        self.of_part(values, part).map(Some)
    }

    fn of_part<G: Indexed>(
        &mut self,
        values: &dyn Values<G>,
        number: usize,
    ) -> Result<f64, PlayerError> {
        if let Some(&share) = self.known.get(&number) {
            return Ok(share);
        }
        let part = &values.index().space().parts()[number];
        let step = part.size().div_ceil(SAMPLE).max(1);
        let (mut won, mut all) = (0u64, 0u64);
        for slot in (part.base()..part.base() + part.size()).step_by(step as usize) {
            if let Some(value) = values.code(slot)?.value() {
                all += 1;
                won += u64::from(matches!(value, Value::Win(_)));
            }
        }
        let share = if all == 0 { 0.0 } else { won as f64 / all as f64 };
        self.known.insert(number, share);
        Ok(share)
    }
}

/// How many pieces of each kind a position has.
pub(crate) fn counts<G: Indexed>(values: &dyn Values<G>, position: &G::Position) -> Vec<u32> {
    let mut boards = vec![0; values.index().space().kinds()];
    values.index().game().boards(position, &mut boards);
    boards.iter().map(|b| b.count_ones()).collect()
}
