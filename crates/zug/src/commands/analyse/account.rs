//! What did the moves of a side cost together, and from where on is that certain?

use zug_book::review::{Judged, Step, Sure};
use zug_core::Mark;

/// What a side did well and badly.
#[derive(Clone, Copy, Debug, Default)]
pub struct Account {
    /// Moves where there was a choice.
    pub moves: u32,
    /// The sum of all losses.
    pub lost: f64,
    /// Of which this much is certain.
    pub lost_exactly: f64,
    pub errors: u32,
    pub blunders: u32,
}

impl Account {
    /// The share of moves, where there was a choice, that were no errors.
    pub fn accuracy(&self) -> Option<f64> {
        (self.moves > 0).then(|| {
            100.0 * f64::from(self.moves - self.errors - self.blunders) / f64::from(self.moves)
        })
    }
}

/// The word for a move that cost much.
pub fn word(step: &Step) -> Option<&'static str> {
    match step.mark? {
        Mark::Blunder => Some("blunder"),
        Mark::Mistake => Some("error"),
        _ => None,
    }
}

/// The accounts of both sides.
pub fn accounts(steps: &[Step]) -> [Account; 2] {
    let mut accounts = [Account::default(); 2];
    for step in steps.iter().filter(|s| s.choice) {
        let account = &mut accounts[step.side.index()];
        account.moves += 1;
        account.lost += step.loss;
        account.lost_exactly += if step.is_exact() { step.loss } else { 0.0 };
        match step.mark {
            Some(Mark::Blunder) => account.blunders += 1,
            Some(Mark::Mistake) => account.errors += 1,
            _ => {}
        }
    }
    accounts
}

/// The number of moves before the part of the game where every value is exact; `None` where the
/// last one is not.
pub fn exact_from(last: &Judged, steps: &[Step]) -> Option<usize> {
    if last.worth.sure != Sure::Exact {
        return None;
    }
    let inexact = steps.iter().rposition(|step| step.before.worth.sure != Sure::Exact);
    Some(match inexact {
        Some(index) => steps[index].ply + 1,
        None => steps.first().map_or(0, |s| s.ply),
    })
}
