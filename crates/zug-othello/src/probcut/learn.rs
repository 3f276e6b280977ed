//! The whole way, from games to a file of cuts.
//!
//! Every position is a task of its own, so the result is the same for any number of threads, and
//! work that was interrupted goes on from a journal.

use super::file::CutsFile;
use super::fit::{CutsFit, fit};
use super::measure::{Measured, Reach};
use super::sample::{Below, FIRST_DISCS, Games, LAST_DISCS, Sample};
use crate::Board;
use crate::engine::Unit;
use crate::examples::ExampleError;
use crate::examples::journalled::{Tasks, do_all};
use crate::examples::player::Judge;
use std::path::Path;
use zug_core::{Progress, StopFlag};

/// What to learn.
#[derive(Clone)]
pub struct LearnOrder<'a> {
    /// The evaluation.
    pub judge: &'a Judge,
    /// Its name or file.
    pub model: &'a str,
    /// The digest of its file.
    pub model_digest: &'a str,
    /// Positions of each disc count.
    pub positions: usize,
    /// How far all of them are searched.
    pub reach: Reach,
    /// So many of each disc count are searched farther.
    pub deep_positions: usize,
    /// How far these are.
    pub deep_reach: Reach,
    /// Only every so many disc counts.
    pub every: u32,
    /// How the plies below positions of games are played.
    pub below: Below,
    /// The seed of everything random.
    pub seed: u64,
    /// Threads.
    pub threads: usize,
    /// Memory of each search, in MiB.
    pub hash_mib: usize,
    /// Where to keep what is done.
    pub journal: Option<&'a Path>,
    /// The command line without what does not change the result.
    pub command: &'a str,
}

/// What was learned.
#[derive(Clone, Debug)]
pub struct Learned {
    /// The measured values, by disc count.
    pub measured: Vec<Measured>,
    /// What follows from them.
    pub fit: CutsFit,
    /// The file.
    pub file: CutsFile,
    /// The digest of the measured positions.
    pub digest: String,
}

/// Why nothing was learned.
#[derive(Debug, thiserror::Error)]
pub enum LearnError {
    /// Asked to stop; what is done is saved.
    #[error("stopped")]
    Stopped,
    /// The journal.
    #[error(transparent)]
    Journal(ExampleError),
    /// Too little to learn from.
    #[error("{0}")]
    TooLittle(String),
}

impl From<ExampleError> for LearnError {
    fn from(error: ExampleError) -> LearnError {
        match error {
            ExampleError::Stopped => LearnError::Stopped,
            error => LearnError::Journal(error),
        }
    }
}

/// A position to measure, and how far.
struct Task {
    board: Board,
    reach: Reach,
}

/// Measures positions below those of games, and fits cuts to their values. Without games it plays its
/// own.
pub fn learn(
    order: &LearnOrder<'_>,
    games: Option<&Games>,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Learned, LearnError> {
    let tasks = tasks(order, games, stop);
    if stop.is_set() {
        return Err(LearnError::Stopped);
    }
    if tasks.is_empty() {
        let message = "the games have no positions to begin from";
        return Err(LearnError::TooLittle(message.to_string()));
    }
    let mut hasher = blake3::Hasher::new();
    for task in &tasks {
        hasher.update(&task.board.own.to_le_bytes()).update(&task.board.other.to_le_bytes());
    }
    let digest = hasher.finalize().to_hex().to_string();
    progress.set_length(Some(tasks.len() as u64));
    // The games stand behind the positions; without them a journal could go with other games.
    let plan = format!("{} (positions {digest})", order.command);
    let work = Tasks {
        count: tasks.len(),
        plan: &plan,
        journal: order.journal,
        threads: order.threads,
        units: &|_| 1,
    };
    let texts = do_all(
        &work,
        &|| order.judge.engine(order.hash_mib),
        &|engine, number| {
            let task = &tasks[number];
            let measured = Measured::of(engine.as_mut(), task.board, task.reach, stop)?;
            Some(measured.to_text())
        },
        progress,
        stop,
    )?;
    let mut measured = Vec::with_capacity(texts.len());
    for (text, task) in texts.iter().zip(&tasks) {
        let found = Measured::from_text(text).filter(|m| m.discs == task.board.discs());
        measured.push(found.ok_or_else(|| {
            let text: String = text.chars().take(60).collect();
            LearnError::TooLittle(format!("the journal holds values that are none: '{text}'"))
        })?);
    }
    measured.sort_by_key(|m| m.discs);
    let fit = fit(order.judge.unit(), &measured).map_err(LearnError::TooLittle)?;
    let mut file = CutsFile::new(&fit, order.model, order.model_digest);
    file.measured_with(order.judge.tempo());
    Ok(Learned { measured, fit, file, digest })
}

/// All positions, those that take longest first so that no thread is left with one at the end.
fn tasks(order: &LearnOrder<'_>, games: Option<&Games>, stop: &StopFlag) -> Vec<Task> {
    let own;
    let games = match games {
        Some(games) => games,
        None => {
            own = own_games(order, stop);
            &own
        }
    };
    let mut tasks = Vec::new();
    for discs in (FIRST_DISCS..=LAST_DISCS).step_by(order.every.max(1) as usize) {
        let boards = match order.judge {
            Judge::Hand(e) => sample(order, &**e, games, discs, stop),
            Judge::Patterns(e) => sample(order, &**e, games, discs, stop),
            Judge::Thesis(e) => sample(order, &**e, games, discs, stop),
        };
        for (number, board) in boards.into_iter().enumerate() {
            let is_deep = number < order.deep_positions;
            let reach = if is_deep { order.deep_reach } else { order.reach };
            tasks.push((!is_deep, number, Task { board, reach }));
        }
    }
    tasks.sort_by_key(|&(is_shallow, number, _)| (is_shallow, number));
    tasks.into_iter().map(|(_, _, task)| task).collect()
}

fn own_games(order: &LearnOrder<'_>, stop: &StopFlag) -> Games {
    let count = order.positions.clamp(20, 5000);
    match order.judge {
        Judge::Hand(e) => Games::own(e, count, order.positions, order.seed, stop),
        Judge::Patterns(e) => Games::own(e, count, order.positions, order.seed, stop),
        Judge::Thesis(e) => Games::own(e, count, order.positions, order.seed, stop),
    }
}

fn sample<E: crate::engine::Evaluation>(
    order: &LearnOrder<'_>,
    evaluation: &E,
    games: &Games,
    discs: u32,
    stop: &StopFlag,
) -> Vec<Board> {
    Sample::with_discs(evaluation, games, discs, order.positions, order.below, order.seed, stop)
}

impl Learned {
    /// The measured pairs of values at one stage, for drawings.
    #[must_use]
    pub fn pairs(&self, discs: u32, deep: u32, shallow: u32) -> Vec<(f64, f64)> {
        let unit: Unit = self.fit.unit;
        self.measured
            .iter()
            .filter(|m| m.discs == discs)
            .filter_map(|m| Some((m.value(shallow, unit)?, m.value(deep, unit)?)))
            .collect()
    }

    /// The measured pairs of searches to the end, the scores in hundredths of a disc.
    #[must_use]
    pub fn end_pairs(&self, discs: u32, shallow: u32) -> Vec<(f64, f64)> {
        let unit: Unit = self.fit.unit;
        self.measured
            .iter()
            .filter(|m| m.discs == discs)
            .filter_map(|m| Some((m.value(shallow, unit)?, 100.0 * f64::from(m.end?.0))))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::Silent;

    fn order<'a>(judge: &'a Judge, threads: usize, journal: Option<&'a Path>) -> LearnOrder<'a> {
        LearnOrder {
            judge,
            model: "hand",
            model_digest: "none",
            positions: 14,
            reach: Reach { depth: 3, end: 6 },
            deep_positions: 13,
            deep_reach: Reach { depth: 4, end: 8 },
            every: 6,
            below: Below::Ranked,
            seed: 3,
            threads,
            hash_mib: 1,
            journal,
            command: "test",
        }
    }

    #[test]
    fn the_same_seed_gives_the_same_bytes_on_any_number_of_threads_and_after_a_stop() {
        let judge = Judge::hand();
        let bytes = |learned: &Learned| learned.file.to_bytes(&learned.file.header()).unwrap();
        let one = learn(&order(&judge, 1, None), None, &Silent, &StopFlag::new()).unwrap();
        let three = learn(&order(&judge, 3, None), None, &Silent, &StopFlag::new()).unwrap();
        assert_eq!(bytes(&one), bytes(&three));
        assert_eq!(one.digest, three.digest);

        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("probcut.part");
        let (stop, seen) = (StopFlag::new(), Stopper::default());
        *seen.0.lock().unwrap() = Some((40, stop.clone()));
        let order = order(&judge, 2, Some(&journal));
        assert!(matches!(learn(&order, None, &seen, &stop), Err(LearnError::Stopped)));
        let resumed = learn(&order, None, &Silent, &StopFlag::new()).unwrap();
        assert_eq!(bytes(&resumed), bytes(&one));
        let other = LearnOrder { seed: 4, ..order };
        let refused = learn(&other, None, &Silent, &StopFlag::new()).unwrap_err().to_string();
        assert!(refused.contains("another command"), "{refused}");
    }

    /// Asks to stop after so many units.
    #[derive(Default)]
    struct Stopper(std::sync::Mutex<Option<(u64, StopFlag)>>);

    impl Progress for Stopper {
        fn set_length(&self, _: Option<u64>) {}
        fn advance(&self, units: u64) {
            if let Some((left, stop)) = self.0.lock().unwrap().as_mut() {
                *left = left.saturating_sub(units);
                if *left == 0 {
                    stop.set();
                }
            }
        }
        fn message(&self, _: &str) {}
        fn finish(&self) {}
    }
}
