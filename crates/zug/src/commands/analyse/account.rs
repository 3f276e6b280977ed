//! What did the moves of a side cost together, and from where on is that certain?

use super::judge::{Judged, Step};

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

/// From which loss on a move is an error, and a blunder.
#[derive(Clone, Copy, Debug)]
pub struct Thresholds {
    pub error: f64,
    pub blunder: f64,
}

impl Thresholds {
    /// The word for a loss.
    pub fn word(&self, loss: f64) -> Option<&'static str> {
        match loss {
            l if l >= self.blunder => Some("blunder"),
            l if l >= self.error => Some("error"),
            _ => None,
        }
    }

    /// The accounts of both sides.
    pub fn accounts(&self, steps: &[Step]) -> [Account; 2] {
        let mut accounts = [Account::default(); 2];
        for step in steps.iter().filter(|s| s.choice) {
            let account = &mut accounts[step.side.index()];
            account.moves += 1;
            account.lost += step.loss;
            account.lost_exactly += if step.is_exact() { step.loss } else { 0.0 };
            match self.word(step.loss) {
                Some("blunder") => account.blunders += 1,
                Some(_) => account.errors += 1,
                None => {}
            }
        }
        accounts
    }
}

/// The number of moves before the part of the game where every value is exact; `None` where the
/// last one is not.
pub fn exact_from(last: &Judged, steps: &[Step]) -> Option<usize> {
    if !last.worth.exact {
        return None;
    }
    let inexact = steps.iter().rposition(|step| !step.before.worth.exact);
    Some(match inexact {
        Some(index) => steps[index].ply + 1,
        None => steps.first().map_or(0, |s| s.ply),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn losses_are_errors_and_blunders_by_their_size() {
        let thresholds = Thresholds { error: 2.0, blunder: 6.0 };
        assert_eq!(thresholds.word(1.9), None);
        assert_eq!(thresholds.word(2.0), Some("error"));
        assert_eq!(thresholds.word(6.0), Some("blunder"));
    }
}
