//! Who says what a position is worth, and how are millions of them asked about?

use super::ExampleError;
use super::journalled::{Tasks, do_all};
use super::tree::{Level, continuations};
use crate::Board;
use crate::engine::Evaluation;
use crate::solve::Solver;
use std::path::Path;
use std::sync::{Arc, Mutex};
use zug_core::{Progress, StopFlag};

/// Says what positions are worth. Each thread has its own.
pub trait Labeller: Send {
    /// A chunk of positions begins: the answers must not depend on what was asked before it.
    fn begin(&mut self) {}

    /// The score of a position in which a side can move, for its mover. `after` holds what is known of the positions with one disc more.
    /// `None` only when asked to stop.
    fn label(&mut self, board: Board, after: &Level, stop: &StopFlag) -> Option<i8>;
}

/// Makes a labeller for a thread.
pub type NewLabeller<'a> = dyn Fn() -> Box<dyn Labeller> + Sync + 'a;

/// Labellers that are used again: their tables take longer to make than some disc counts to label.
#[derive(Clone, Default)]
pub struct Pool {
    free: Arc<Mutex<Vec<Box<dyn Labeller>>>>,
}

impl Pool {
    /// One that is free, or a new one; it comes back when it is dropped.
    pub fn take(&self, new: &NewLabeller) -> Box<dyn Labeller> {
        let free = self.free.lock().expect("no thread panicked").pop();
        Box::new(Pooled { labeller: Some(free.unwrap_or_else(new)), pool: self.clone() })
    }
}

struct Pooled {
    labeller: Option<Box<dyn Labeller>>,
    pool: Pool,
}

impl Labeller for Pooled {
    fn begin(&mut self) {
        self.labeller.iter_mut().for_each(|labeller| labeller.begin());
    }

    fn label(&mut self, board: Board, after: &Level, stop: &StopFlag) -> Option<i8> {
        self.labeller.as_mut()?.label(board, after, stop)
    }
}

impl Drop for Pooled {
    fn drop(&mut self) {
        if let (Some(labeller), Ok(mut free)) = (self.labeller.take(), self.pool.free.lock()) {
            free.push(labeller);
        }
    }
}

/// A search to the end of the game, as far as labels need it.
pub trait ExactSearch: Send {
    /// The score for the mover where it lies between the bounds; else a bound on the same side.
    /// `None` when asked to stop.
    fn search(&mut self, board: Board, alpha: i32, beta: i32, stop: &StopFlag) -> Option<i32>;
}

impl<E: Evaluation> ExactSearch for Solver<E> {
    fn search(&mut self, board: Board, alpha: i32, beta: i32, stop: &StopFlag) -> Option<i32> {
        self.solve(board, alpha, beta, stop).map(|solved| solved.score)
    }
}

/// Labels exactly. Continuations that are known are known exactly, so it remains to show that no
/// other move is better; mostly none is, and a search that asks just that is several times as fast
/// as one for the score.
pub struct ExactLabeller<S> {
    search: S,
}

impl<S: ExactSearch> ExactLabeller<S> {
    /// Labels by this search.
    pub fn new(search: S) -> ExactLabeller<S> {
        ExactLabeller { search }
    }
}

impl<S: ExactSearch> Labeller for ExactLabeller<S> {
    fn label(&mut self, board: Board, after: &Level, stop: &StopFlag) -> Option<i8> {
        let found = continuations(board, after);
        let Some(best) = found.best else {
            return self.search.search(board, -64, 64, stop).map(|score| score as i8);
        };
        let mut best = i32::from(best);
        let mut unknown: Vec<Board> = Vec::new();
        let mut moves = found.unknown;
        while moves != 0 {
            unknown.push(board.after(moves.trailing_zeros()));
            moves &= moves - 1;
        }
        // Where the opponent has few moves is where a better score is found most easily.
        unknown.sort_by_key(|child| child.moves().count_ones());
        for child in unknown {
            if best >= 64 {
                break;
            }
            let is_better = -self.search.search(child, -(best + 1), -best, stop)? > best;
            if is_better {
                best = -self.search.search(child, -64, -best, stop)?;
            }
        }
        Some(best as i8)
    }
}

/// Positions of a chunk, the unit in which work is dealt out and kept.
const CHUNK: usize = 64;

/// Asks about all of these positions, in which a side can move. What is done is kept in a journal at
/// `journal`; what stands there already is not asked again. The answers are in the order of the
/// boards, whatever the number of threads.
pub fn label_all(
    boards: &[Board],
    after: &Level,
    new_labeller: &NewLabeller,
    threads: usize,
    journal: Option<&Path>,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Vec<i8>, ExampleError> {
    let chunk = |number: usize| boards.chunks(CHUNK).nth(number).expect("a chunk of the boards");
    let plan = format!("the labels of {} positions", boards.len());
    let tasks = Tasks {
        count: boards.len().div_ceil(CHUNK),
        plan: &plan,
        journal,
        threads,
        units: &|task| chunk(task).len() as u64,
    };
    let work = |labeller: &mut Box<dyn Labeller>, task: usize| {
        labeller.begin();
        let label = |&board| match stop.is_set() {
            true => None,
            false => labeller.label(board, after, stop),
        };
        let scores: Option<Vec<i8>> = chunk(task).iter().map(label).collect();
        scores.map(|scores| to_hex(&scores))
    };
    let texts = do_all(&tasks, new_labeller, &work, progress, stop)?;
    let mut scores = Vec::with_capacity(boards.len());
    for (task, text) in texts.iter().enumerate() {
        let part = from_hex(text).filter(|part| part.len() == chunk(task).len());
        scores.extend(part.ok_or_else(|| {
            let path = journal.unwrap_or(Path::new("the journal")).display();
            ExampleError::Other(format!("{path}: chunk {task} does not fit its positions"))
        })?);
    }
    Ok(scores)
}

fn to_hex(scores: &[i8]) -> String {
    scores.iter().map(|&s| format!("{:02x}", s as u8)).collect()
}

fn from_hex(text: &str) -> Option<Vec<i8>> {
    if !text.is_ascii() || !text.len().is_multiple_of(2) {
        return None;
    }
    let byte = |i: usize| u8::from_str_radix(text.get(i..i + 2)?, 16).ok();
    let scores = (0..text.len()).step_by(2).map(|i| byte(i).map(|b| b as i8));
    scores.map(|s| s.filter(|s| (-64..=64).contains(s))).collect()
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use crate::Othello;
    use crate::records::testing::random_game;
    use zug_core::Silent;
    use zug_core::tasks::TaskJournal;

    /// NegaMax as in the book, for a few empty squares.
    pub struct Plain;

    pub fn plain(board: Board) -> i32 {
        if board.moves() == 0 {
            return if board.replies() == 0 { board.final_score() } else { -plain(board.passed()) };
        }
        let squares = (0..64).filter(|s| board.moves() >> s & 1 != 0);
        squares.map(|s| -plain(board.after(s))).max().expect("there is a move")
    }

    impl ExactSearch for Plain {
        fn search(&mut self, board: Board, alpha: i32, beta: i32, _: &StopFlag) -> Option<i32> {
            assert!(alpha < beta);
            // As little as the contract allows: outside the bounds, the bound itself.
            Some(plain(board).clamp(alpha, beta))
        }
    }

    pub fn late_boards(count: u64, empties: u32) -> Vec<Board> {
        let game = Othello::default();
        let mut boards = std::collections::BTreeSet::new();
        for seed in 0..count {
            let mut board = Board::START;
            for mv in random_game(&game, seed, usize::MAX) {
                if board.empties() == empties && board.moves() != 0 {
                    boards.insert(board.canonical());
                }
                board = board.after_move(mv);
            }
        }
        boards.into_iter().collect()
    }

    fn run(boards: &[Board], after: &Level, threads: usize, journal: Option<&Path>) -> Vec<i8> {
        let new: &NewLabeller = &|| Box::new(ExactLabeller::new(Plain));
        label_all(boards, after, new, threads, journal, &Silent, &StopFlag::new()).unwrap()
    }

    #[test]
    fn exact_labels_are_exact_whatever_is_known_already() {
        let (boards, later) = (late_boards(200, 6), late_boards(200, 5));
        let mut after = Level::default();
        let labels = run(&later, &Level::default(), 1, None);
        for (&board, &score) in later.iter().zip(&labels) {
            assert_eq!(i32::from(score), plain(board));
            after.push(board, score, crate::examples::Source::Exact);
        }
        let wanted: Vec<i8> = boards.iter().map(|&b| plain(b) as i8).collect();
        assert_eq!(run(&boards, &Level::default(), 1, None), wanted);
        assert_eq!(run(&boards, &after, 3, None), wanted);
    }

    #[test]
    fn a_labeller_that_is_dropped_is_used_again() {
        let made = std::sync::atomic::AtomicUsize::new(0);
        let new: &NewLabeller = &|| {
            made.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
            Box::new(ExactLabeller::new(Plain))
        };
        let (pool, none, stop) = (Pool::default(), Level::default(), StopFlag::new());
        let board = late_boards(1, 4)[0];
        for _ in 0..3 {
            let mut two = [pool.take(new), pool.take(new)];
            two.iter_mut().for_each(|labeller| labeller.begin());
            assert_eq!(two[1].label(board, &none, &stop), Some(plain(board) as i8));
        }
        assert_eq!(made.into_inner(), 2);
    }

    #[test]
    fn a_journal_of_other_positions_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("solved.part");
        let boards = late_boards(40, 4);
        let wanted = run(&boards, &Level::default(), 1, None);
        // As a process leaves it that was killed when all was done.
        let keep = |first: &[i8]| {
            let plan = format!("the labels of {} positions", boards.len());
            let _ = std::fs::remove_file(&journal);
            let mut kept =
                TaskJournal::open(&journal, &plan, boards.len().div_ceil(CHUNK)).unwrap();
            for (task, chunk) in wanted.chunks(CHUNK).enumerate() {
                let scores = if task == 0 { first } else { chunk };
                kept.append(task, to_hex(scores).as_bytes()).unwrap();
            }
        };
        let first = &wanted[..CHUNK.min(wanted.len())];
        keep(first);
        let asks_nobody: &NewLabeller = &|| panic!("all is known");
        let (none, stop) = (Level::default(), StopFlag::new());
        let again = label_all(&boards, &none, asks_nobody, 2, Some(&journal), &Silent, &stop);
        assert_eq!(again.unwrap(), wanted);
        let label = |boards: &[Board]| {
            let new: &NewLabeller = &|| Box::new(ExactLabeller::new(Plain));
            let (none, stop) = (Level::default(), StopFlag::new());
            label_all(boards, &none, new, 1, Some(&journal), &Silent, &stop)
        };
        assert!(label(&boards[1..]).is_err());
        keep(&first[1..]);
        assert!(label(&boards).unwrap_err().to_string().contains("chunk 0"), "one is missing");
        keep(&[&[127], &first[1..]].concat());
        assert!(label(&boards).is_err(), "no score");
        keep(first);
        let mut bytes = std::fs::read(&journal).unwrap();
        *bytes.last_mut().unwrap() ^= 1;
        std::fs::write(&journal, bytes).unwrap();
        let told = label(&boards).unwrap_err().to_string();
        assert!(told.contains("not as it was written"), "{told}");
    }
}
