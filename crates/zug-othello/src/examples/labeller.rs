//! Who says what a position is worth, and how are millions of them asked about, so that a killed
//! process loses seconds of work and not days?

use super::ExampleError;
use super::tree::{Level, continuations};
use crate::Board;
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};
use zug_core::files::{Journal, read_journal};
use zug_core::{Progress, StopFlag};

/// Says what positions are worth. Each thread has its own.
pub trait Labeller: Send {
    /// The score of a position in which a side can move, for its mover; the answer must not depend
    /// on what was asked before. `after` holds what is known of the positions with one disc more.
    /// `None` only when asked to stop.
    fn label(&mut self, board: Board, after: &Level, stop: &StopFlag) -> Option<i8>;
}

/// Makes a labeller for a thread.
pub type NewLabeller<'a> = dyn Fn() -> Box<dyn Labeller> + Sync + 'a;

/// A search to the end of the game, as far as labels need it.
pub trait ExactSearch: Send {
    /// The score for the mover where it lies between the bounds; else a bound on the same side.
    /// `None` when asked to stop.
    fn search(&mut self, board: Board, alpha: i32, beta: i32, stop: &StopFlag) -> Option<i32>;
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
/// What is done is written down so often.
const SAVE_EVERY: Duration = Duration::from_secs(1);

/// A chunk number with its scores, two hexadecimal digits each.
type Entry = (usize, String);

/// What the threads share.
struct Desk<'a> {
    scores: Vec<Option<Vec<i8>>>,
    journal: Option<Journal>,
    /// Done, not yet written down.
    unsaved: Vec<Entry>,
    saved: Instant,
    error: Option<ExampleError>,
    progress: &'a dyn Progress,
}

impl Desk<'_> {
    fn take_in(&mut self, chunk: usize, scores: Vec<i8>) {
        self.progress.advance(scores.len() as u64);
        if self.journal.is_some() {
            self.unsaved.push((chunk, to_hex(&scores)));
        }
        self.scores[chunk] = Some(scores);
        if self.saved.elapsed() >= SAVE_EVERY {
            self.save();
        }
    }

    fn save(&mut self) {
        self.saved = Instant::now();
        if let Some(journal) = self.journal.as_mut().filter(|_| !self.unsaved.is_empty()) {
            match journal.append(&self.unsaved) {
                Ok(()) => self.unsaved.clear(),
                Err(error) => self.error = Some(error.into()),
            }
        }
    }
}

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
    let chunks = boards.len().div_ceil(CHUNK);
    let mut desk = Desk {
        scores: vec![None; chunks],
        journal: None,
        unsaved: Vec::new(),
        saved: Instant::now(),
        error: None,
        progress,
    };
    if let Some(path) = journal {
        // Opened first: that cuts off a torn line.
        desk.journal = Some(Journal::open(path)?);
        for (chunk, text) in read_journal::<Vec<Entry>>(path)?.entries.into_iter().flatten() {
            let length = boards.chunks(CHUNK).nth(chunk).map(<[Board]>::len);
            let scores = from_hex(&text).filter(|s| Some(s.len()) == length).ok_or_else(|| {
                let path = path.display();
                ExampleError::Other(format!("{path}: chunk {chunk} does not fit the positions"))
            })?;
            progress.advance(scores.len() as u64);
            desk.scores[chunk] = Some(scores);
        }
    }
    let open: Vec<usize> = (0..chunks).filter(|&c| desk.scores[c].is_none()).collect();
    let (next, desk) = (AtomicUsize::new(0), Mutex::new(desk));
    std::thread::scope(|scope| {
        for _ in 0..threads.clamp(1, open.len().max(1)) {
            scope.spawn(|| {
                let mut labeller = new_labeller();
                while let Some(&chunk) = open.get(next.fetch_add(1, Ordering::Relaxed)) {
                    let boards = boards.chunks(CHUNK).nth(chunk).expect("a chunk of the boards");
                    let label = |&board| match stop.is_set() {
                        true => None,
                        false => labeller.label(board, after, stop),
                    };
                    let Some(scores) = boards.iter().map(label).collect() else { return };
                    let mut desk = desk.lock().expect("no thread panicked");
                    desk.take_in(chunk, scores);
                    if desk.error.is_some() {
                        return;
                    }
                }
            });
        }
    });
    let mut desk = desk.into_inner().expect("no thread panicked");
    desk.save();
    if let Some(error) = desk.error {
        return Err(error);
    }
    let all: Option<Vec<Vec<i8>>> = desk.scores.into_iter().collect();
    Ok(all.ok_or(ExampleError::Stopped)?.concat())
}

fn to_hex(scores: &[i8]) -> String {
    scores.iter().map(|&s| format!("{:02x}", s as u8)).collect()
}

fn from_hex(text: &str) -> Option<Vec<i8>> {
    if !text.is_ascii() || text.len() % 2 != 0 {
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
    fn stopped_work_goes_on_from_its_journal() {
        struct StopsAfter(AtomicUsize);
        struct Counting<'a>(&'a StopsAfter, ExactLabeller<Plain>);
        impl Labeller for Counting<'_> {
            fn label(&mut self, board: Board, after: &Level, stop: &StopFlag) -> Option<i8> {
                if self.0.0.fetch_sub(1, Ordering::Relaxed) == 1 {
                    stop.set();
                }
                self.1.label(board, after, stop)
            }
        }
        static LEFT: StopsAfter = StopsAfter(AtomicUsize::new(150));
        let folder = tempfile::tempdir().unwrap();
        let journal = folder.path().join("solved.jsonl");
        let boards = late_boards(300, 4);
        assert!(boards.len() > 200);
        let new: &NewLabeller = &|| Box::new(Counting(&LEFT, ExactLabeller::new(Plain)));
        let none = Level::default();
        let stop = StopFlag::new();
        let stopped = label_all(&boards, &none, new, 1, Some(&journal), &Silent, &stop);
        assert!(matches!(stopped, Err(ExampleError::Stopped)));
        let kept: usize = read_journal::<Vec<Entry>>(&journal).unwrap().entries.concat().len();
        assert_eq!(kept, 2, "two chunks of 64 were done");
        // A torn line, as a crash leaves it.
        let text = std::fs::read_to_string(&journal).unwrap();
        std::fs::write(&journal, format!("{text}[[7,\"00")).unwrap();
        assert_eq!(run(&boards, &none, 2, Some(&journal)), run(&boards, &none, 1, None));
        std::fs::write(&journal, "[[0,\"00\"]]\n").unwrap();
        let wrong = label_all(&boards, &none, new, 1, Some(&journal), &Silent, &StopFlag::new());
        assert!(wrong.unwrap_err().to_string().contains("chunk 0"));
    }
}
