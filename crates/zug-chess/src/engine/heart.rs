//! Does it still search? Signs of life between two iterations, for people who watch.

use super::evaluation::Evaluation;
use super::root::RootMove;
use super::syzygy::Standing;
use super::value::{Value, to_score};
use super::worker::Worker;
use super::{Beat, FoundLine, by_tables};
use cozy_chess::Move;
use std::time::{Duration, Instant};
use zug_core::Bound;

/// The longest silence.
const SILENCE: Duration = Duration::from_millis(900);
/// From then on each move of the position itself is told, and what is known of the best one while
/// it is searched again. Before, all that would pass too quickly to be read.
const LONG: Duration = Duration::from_secs(1);

/// What tells that a search goes on. It looks at the clock and never at what is found, so that it
/// changes nothing.
pub(super) struct Heart<'a> {
    beat: &'a mut dyn FnMut(&Beat),
    verdict: Option<Standing>,
    /// When something was last told.
    told: Instant,
    current: Option<(Move, usize)>,
    /// Was a bound the last that was told of the best line?
    pub told_bound: bool,
}

impl<'a> Heart<'a> {
    pub fn new(beat: &'a mut dyn FnMut(&Beat), verdict: Option<Standing>) -> Heart<'a> {
        Heart { beat, verdict, told: Instant::now(), current: None, told_bound: false }
    }

    /// An iteration was reported.
    pub fn reported(&mut self) {
        self.told = Instant::now();
        self.told_bound = false;
    }
}

impl<E: Evaluation> Worker<'_, E> {
    /// Says that the search goes on where it has been silent for long.
    pub fn show_life(&mut self) {
        if self.heart.as_ref().is_some_and(|heart| heart.told.elapsed() >= SILENCE) {
            self.beat(Vec::new());
        }
    }

    /// A move of the position itself is looked at.
    pub fn look_at(&mut self, mv: Move, number: usize) {
        let Some(heart) = &mut self.heart else { return };
        heart.current = Some((mv, number));
        if self.shared.budget.elapsed() >= LONG {
            self.publish();
            self.beat(Vec::new());
        }
    }

    /// The best move is worth at least or at most this, and is searched again.
    pub fn missed(&mut self, root: &RootMove, value: Value, bound: Bound) {
        let Some(heart) = &mut self.heart else { return };
        if self.shared.budget.elapsed() < LONG {
            return;
        }
        // What was promised is a move without its line.
        let length = if bound == Bound::AtLeast { 1 } else { root.line.len() };
        let moves = root.line[..length].to_vec();
        let score = to_score(by_tables(heart.verdict, value));
        heart.told_bound = true;
        self.publish();
        self.beat(vec![FoundLine { moves, score, bound }]);
    }

    fn beat(&mut self, lines: Vec<FoundLine>) {
        let Some(heart) = &mut self.heart else { return };
        let progress = self.shared.progress(self.root_depth, self.deepest);
        let current = heart.current.filter(|_| lines.is_empty());
        heart.told = Instant::now();
        (heart.beat)(&Beat { thought: super::Thought { lines, ..progress }, current });
    }
}
