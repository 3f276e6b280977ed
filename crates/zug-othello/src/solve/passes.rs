//! Which searches come before the exact one?
//!
//! Searches of limited depth, two plies deeper each; then searches to the end that leave out what is
//! certain enough, with growing confidence. Each leaves its best moves in the tables, so that the next
//! tries the right ones first, and tells about what score to expect, so that the next needs only a
//! narrow window around it.

use super::Solver;
use super::crew::{self, Crew};
use super::high;
use super::level::at_level;
use super::search::{Found, Search};
use crate::Board;
use crate::engine::mid::{self, INFINITE, Mid, MidTable};
use crate::engine::{Confidence, Evaluation, hundredths_of_discs};
use std::sync::atomic::Ordering::Relaxed;
use std::thread::Builder;
use zug_core::StopFlag;

/// With fewer empty squares the exact search is quicker alone.
pub(super) const PREPARE_FROM: u32 = 18;
/// Searches of limited depth stop so many plies before the end.
const PLIES_LEFT: u32 = 8;
/// And go no deeper than this.
const DEEPEST: u32 = 24;
/// Less deep where they leave nothing out.
const DEEPEST_WITHOUT_CUTS: u32 = 6;
/// How certain the preliminary searches to the end are, in deviations.
const PASSES: [f32; 2] = [1.1, 2.0];
/// With fewer empty squares, threads cost more than they save.
const SHARE_FROM: u32 = 16;
/// The size of the table for searches of limited depth.
const MID_MIB: usize = 16;

/// What a search found.
#[derive(Clone, Copy, Debug)]
pub(super) struct Outcome {
    pub found: Found,
    pub nodes: u64,
    /// How certain it is: more than was asked for when nothing was left out.
    pub confidence: Confidence,
}

impl<E: Evaluation> Solver<E> {
    /// Makes the table for searches of limited depth. Without the memory for it, there are none.
    pub(super) fn make_ready(&mut self) {
        if self.guided && self.mid.is_none() {
            self.mid = MidTable::new(MID_MIB).ok();
        }
    }

    /// The exact score in a window, with the searches before it that pay.
    pub(super) fn prepared(
        &self,
        board: Board,
        window: (i32, i32),
        stop: &StopFlag,
    ) -> Option<Outcome> {
        let Some(table) = self.mid.as_ref().filter(|_| board.empties() >= PREPARE_FROM) else {
            return self.search(board, window, Confidence::FULL, stop);
        };
        let (mut expected, mut nodes) = self.look_ahead(table, board, stop)?;
        self.note(|known| known.expected = Some(expected));
        for deviations in self.cuts.iter().flat_map(|_| PASSES) {
            let confidence = Confidence::deviations(deviations)?;
            let outcome = self.aspired(board, window, expected, confidence, stop)?;
            expected = outcome.found.score;
            nodes += outcome.nodes;
            self.note(|known| known.expected = Some(expected));
            if outcome.confidence == Confidence::FULL {
                return Some(Outcome { nodes, ..outcome });
            }
        }
        let outcome = self.aspired(board, window, expected, Confidence::FULL, stop)?;
        Some(Outcome { nodes: nodes + outcome.nodes, ..outcome })
    }

    /// A search to the end with narrow windows around the expected score.
    fn aspired(
        &self,
        board: Board,
        (alpha, beta): (i32, i32),
        expected: i32,
        confidence: Confidence,
        stop: &StopFlag,
    ) -> Option<Outcome> {
        let (mut lowest, mut highest) = (alpha, beta);
        let mut nodes = 0;
        // Scores are even.
        let mut middle = expected & !1;
        let mut width = 1;
        loop {
            let low = (middle - width).clamp(lowest, highest - 1);
            let high = (middle + width).clamp(low + 1, highest);
            let outcome = self.search(board, (low, high), confidence, stop)?;
            nodes += outcome.nodes;
            middle = outcome.found.score;
            let is_certain = outcome.confidence == Confidence::FULL;
            if middle <= low && low > alpha {
                highest = low + 1;
                self.note(|known| known.at_most(middle, is_certain));
            } else if middle >= high && high < beta {
                lowest = high - 1;
                self.note(|known| known.at_least(middle, is_certain));
            } else {
                return Some(Outcome { nodes, ..outcome });
            }
            width += 1;
            if lowest + 1 >= highest {
                // Searches that leave things out may contradict each other.
                (lowest, highest) = (alpha, beta);
            }
        }
    }

    /// Searches of growing depth; tells the score that they expect, and their nodes.
    fn look_ahead(&self, table: &MidTable, board: Board, stop: &StopFlag) -> Option<(i32, u64)> {
        let most = if self.cuts.is_some() { DEEPEST } else { DEEPEST_WITHOUT_CUTS };
        let deepest = (board.empties() - PLIES_LEFT).min(most);
        let confidence = Confidence::deviations(1.1)?;
        let mut mid = Mid::new(&self.guide, table, self.cuts.as_deref(), confidence, stop);
        let state = self.guide.state(board);
        mid.most_nodes = self.left.load(Relaxed);
        let mut value = 0;
        // In twos: values depend on the parity of the depth.
        for depth in (2 - deepest % 2..=deepest).step_by(2) {
            value = at_level!(self.machine, level => {
                mid::principal(level, &mut mid, board, &state, depth, (-INFINITE, INFINITE))
            });
            if mid.stopped {
                return None;
            }
        }
        self.spend(mid.nodes);
        let disc = hundredths_of_discs(self.guide.unit(), 100);
        Some(((value + disc / 2).div_euclid(disc).clamp(-64, 64), mid.nodes))
    }

    /// Takes visited positions off those that are left.
    fn spend(&self, nodes: u64) {
        self.left.fetch_update(Relaxed, Relaxed, |left| Some(left.saturating_sub(nodes))).ok();
    }

    /// One search to the end.
    pub(super) fn search(
        &self,
        board: Board,
        window: (i32, i32),
        confidence: Confidence,
        stop: &StopFlag,
    ) -> Option<Outcome> {
        let crew = Crew::default();
        let is_shared = self.threads > 1 && board.empties() >= SHARE_FROM;
        let most_nodes = self.left.load(Relaxed);
        let new = || Search {
            tables: Some([&self.near, &self.table]),
            guided: self.guided,
            high_from: self.high_from,
            mid: self
                .mid
                .as_ref()
                .map(|table| Mid::new(&self.guide, table, None, Confidence::FULL, stop)),
            cuts: self.cuts.as_deref(),
            confidence,
            most_nodes,
            crew: is_shared.then_some(&crew),
            ..Search::new(&self.guide, stop)
        };
        let state = self.guide.state(board);
        let mut search = new();
        let mut run = || {
            at_level!(self.machine, level => {
                high::principal(level, &mut search, board, &state, window)
            })
        };
        let found = if is_shared {
            let help = || {
                let mut search = new();
                at_level!(self.machine, level => crew::help(level, &mut search, &crew));
            };
            crew.lead(self.threads - 1, |_| Ok(Builder::new()), help, run)
        } else {
            run()
        };
        self.spend(search.nodes);
        let certain = search.doubts == 0;
        let confidence = if certain { Confidence::FULL } else { confidence };
        // The position itself is the first.
        (!search.stopped).then_some(Outcome { found, nodes: search.nodes + 1, confidence })
    }
}
