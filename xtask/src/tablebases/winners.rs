//! Who wins? Every position of an ending, ours beside Syzygy's.
//!
//! Syzygy's tables obey the fifty-move rule and ours do not, so a *cursed* win counts as a win here
//! and a *blessed* loss as a loss. A mate in at most 100 plies can be neither: if ours says so, the
//! two differ after all.

use super::ours::Ours;
use super::placements::{Men, Placed};
use super::syzygy::{Syzygy, Verdict};
use anyhow::{Result, bail};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use zug_chess::{Position, fen};
use zug_core::StopFlag;
use zug_solve::{Measure, Value};

/// Differences that are kept word for word.
const SHOWN: usize = 20;
/// Plies that the fifty-move rule allows.
const FIFTY_MOVES: u16 = 100;

/// What was met in an ending. All but `compared` counts the whole board.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Positions that were looked up.
    pub compared: u64,
    /// Won, drawn and lost for the side to move, with White and with Black to move.
    pub results: [[u64; 3]; 2],
    /// Positions with a pawn that can be captured in passing.
    pub passing: u64,
    /// Cursed wins and blessed losses.
    pub cursed: u64,
    /// The longest win in plies.
    pub longest: u16,
    /// Positions about which the two differ, each looked-up one once.
    pub different: u64,
    /// The first of them, in words.
    pub shown: Vec<String>,
}

impl Tally {
    /// All positions.
    pub fn positions(&self) -> u64 {
        self.results.iter().flatten().sum()
    }

    /// Takes in what another thread, or another ending, has met.
    pub fn add(&mut self, other: Tally) {
        self.compared += other.compared;
        for (side, others) in self.results.iter_mut().zip(other.results) {
            for (count, n) in side.iter_mut().zip(others) {
                *count += n;
            }
        }
        self.passing += other.passing;
        self.cursed += other.cursed;
        self.longest = self.longest.max(other.longest);
        self.different += other.different;
        self.shown.extend(other.shown);
        self.shown.truncate(SHOWN);
    }

    fn differ(&mut self, what: String) {
        self.different += 1;
        if self.shown.len() < SHOWN {
            self.shown.push(what);
        }
    }

    fn see(
        &mut self,
        position: &Position,
        weight: u64,
        (value, to_mate): (Option<Value>, bool),
        verdict: Verdict,
    ) {
        self.compared += 1;
        let result = match verdict {
            Verdict::Win | Verdict::CursedWin => 0,
            Verdict::Draw => 1,
            Verdict::Loss | Verdict::BlessedLoss => 2,
        };
        self.results[position.color() as usize][result] += weight;
        if position.en_passant().is_some() {
            self.passing += weight;
        }
        let Some(value) = value else {
            return self.differ(format!("{}: no value, Syzygy {verdict:?}", fen::write(position)));
        };
        let (ours, plies) = match value {
            Value::Win(plies) => (0, plies),
            Value::Draw => (1, 0),
            Value::Loss(plies) => (2, plies),
        };
        self.longest = self.longest.max(plies);
        if ours != result {
            self.differ(format!("{}: {value}, Syzygy {verdict:?}", fen::write(position)));
        }
        if matches!(verdict, Verdict::CursedWin | Verdict::BlessedLoss) {
            self.cursed += weight;
            if to_mate && plies <= FIFTY_MOVES {
                self.differ(format!("{}: {value}, Syzygy {verdict:?}", fen::write(position)));
            }
        }
    }
}

/// Compares all positions of an ending.
pub fn compare(
    men: &Men,
    whole: bool,
    ours: &Ours,
    syzygy: &Syzygy,
    threads: usize,
    stop: &StopFlag,
) -> Result<Tally> {
    let kings = men.kings(whole);
    let next = AtomicUsize::new(0);
    let total = Mutex::new(Ok(Tally::default()));
    let to_mate = ours.measure() == Measure::Dtm;
    let work = || -> Result<Tally> {
        let mut tally = Tally::default();
        let mut trouble = None;
        while let Some(&kings) = kings.get(next.fetch_add(1, Ordering::Relaxed)) {
            if stop.is_set() {
                bail!("stopped");
            }
            men.visit(kings, &mut |placed| {
                let position = match placed {
                    Placed::Position(position) => position,
                    Placed::Refused(board) => {
                        return tally.differ(format!("refused by the rules: {board:?}"));
                    }
                };
                match ours.value(position).and_then(|v| Ok((v, syzygy.verdict(position)?))) {
                    Ok((value, verdict)) => {
                        tally.see(position, kings.weight, (value, to_mate), verdict);
                    }
                    Err(e) => trouble = Some(e),
                }
            });
            if let Some(e) = trouble.take() {
                return Err(e);
            }
        }
        Ok(tally)
    };
    std::thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                let found = work();
                let mut total = total.lock().expect("no thread panics");
                match (&mut *total, found) {
                    (Ok(sum), Ok(tally)) => sum.add(tally),
                    (Ok(_), Err(e)) => *total = Err(e),
                    (Err(_), _) => {}
                }
            });
        }
    });
    total.into_inner().expect("no thread panics")
}
