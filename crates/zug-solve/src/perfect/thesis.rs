//! The improved perfect player of chapter 7: among drawing moves, the one with the largest "win
//! probability" against a person, estimated from the database alone.
//!
//! ```text
//! G(after our move) = (Π a_i)^(1/n)  over the n answers: A(q) for an answer q that loses,
//!                                    the largest G of our next moves for one that keeps the draw
//! A(q)              = v · z · f      the chance that a person plays the losing move q
//! v                 = (1 - s) · d(x) s: share of wins in the relevant sub-database, x: plies to the loss
//! d(x)              = ½ ^ ((w1/x)^r1), so that d(w1) = ½ and d(w2) = 0.9
//! z                 = c ^ √(Π h(g))  c: share of replies that win, h(g): losing answers refuted by the reply g
//! f                 = 1 - |D - mean of the last D|,  D = 1 when a move changes the piece counts
//! ```
//!
//! The printed text is ambiguous in places and damaged in others; every reading is a field of
//! [`Thesis`]. The default leaves z and f out and takes s from the sub-database right after the
//! losing move: of all readings we know it is the one that moves as the thesis reports (the lower
//! car, a2-b2, in the start position of Dodgem 4×4, with 0.498 where the thesis says 46 %). With z
//! switched on, no reading of c and root prefers that move; f was switched off in the thesis' own
//! experiments.

use super::lookup::{Ranked, Values, survey_all};
use super::shares::{Shares, counts};
use crate::value::Value;
use std::collections::HashMap;
use zug_core::{Game, Indexed, PlayerError};

/// What z raises to a power (§7.3.3 b).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Base {
    /// c, the share of winning replies: as printed.
    Share,
    /// 1 - c: what the reasons given in the text ask for.
    Rest,
}

/// The exponent of z, with P the product of all h(g).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Root {
    /// √P.
    Square,
    /// The |W|-th root of P, W being the winning replies.
    Count,
    /// 1/√P.
    Inverse,
}

/// Where s is taken from (§7.3.3 a).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Share {
    /// Nowhere: s = 0.
    Ignored,
    /// The sub-database right after the losing move, reading (i).
    After,
    /// The first sub-database with other pieces on the optimal winning line, with the winner to
    /// move, reading (ii).
    Line,
}

/// What the leaf rule divides the losing answers by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Leaf {
    /// All answers: what the example computes.
    All,
    /// The answers that keep the draw: what the prose says. Never more than 1.
    Correct,
}

/// All that can be chosen about the thesis' player.
#[derive(Clone, Debug, PartialEq)]
pub struct Thesis {
    /// A loss so many plies away is overlooked by half of the opponents.
    pub w1: f64,
    /// A loss so many plies away is overlooked by nine of ten.
    pub w2: f64,
    /// Where s is taken from.
    pub share: Share,
    /// Does z count?
    pub variance: bool,
    /// The base of z.
    pub base: Base,
    /// The exponent of z.
    pub root: Root,
    /// The moves that f looks back at; `None`: f does not count. The thesis says 5.
    pub window: Option<u32>,
    /// Answers of the opponent that are looked at in full, one after the other; two plies each.
    pub levels: u32,
    /// The rule where the search ends.
    pub leaf: Leaf,
}

impl Default for Thesis {
    fn default() -> Thesis {
        Thesis {
            w1: 7.0,
            w2: 12.0,
            share: Share::After,
            variance: false,
            base: Base::Rest,
            root: Root::Square,
            window: None,
            levels: 3,
            leaf: Leaf::All,
        }
    }
}

/// The longest window of f: its history is kept as bits.
pub const MOST_WINDOW: u32 = 32;

impl Thesis {
    /// The exponent r1 of the loss distance.
    #[must_use]
    pub fn r1(&self) -> f64 {
        (0.5f64.ln() / 0.9f64.ln()).ln() / (self.w2 / self.w1).ln()
    }

    /// d(x): which part of all opponents overlooks a loss in x plies?
    #[must_use]
    pub fn overlooked(&self, x: u16) -> f64 {
        if x == 0 { 0.0 } else { 0.5f64.powf((self.w1 / f64::from(x)).powf(self.r1())) }
    }

    /// z of a losing move: `share` is c, `refuted` holds h(g) for each winning reply.
    #[must_use]
    pub fn variance_of(&self, share: f64, refuted: &[u32]) -> f64 {
        let base = match self.base {
            Base::Share => share,
            Base::Rest => 1.0 - share,
        };
        // Logarithms, since the product of many h overflows.
        let logarithm: f64 = refuted.iter().map(|&h| f64::from(h).ln()).sum();
        let exponent = match self.root {
            Root::Square => (logarithm / 2.0).exp(),
            Root::Count => (logarithm / refuted.len().max(1) as f64).exp(),
            Root::Inverse => (-logarithm / 2.0).exp(),
        };
        base.powf(exponent)
    }

    /// f of a move: does it change the pieces, and which of the moves before did (the lowest bit is
    /// the last one)?
    #[must_use]
    pub fn change_of(&self, changes: bool, history: u32) -> f64 {
        let Some(window) = self.window.filter(|w| *w > 0) else { return 1.0 };
        let kept = history & mask(window);
        let mean = f64::from(kept.count_ones()) / f64::from(window);
        1.0 - (f64::from(u8::from(changes)) - mean).abs()
    }

    /// The leaf rule: losing answers and all answers.
    #[must_use]
    pub fn leaf_of(&self, losing: usize, all: usize) -> f64 {
        let whole = match self.leaf {
            Leaf::All => all,
            Leaf::Correct => all - losing,
        };
        if whole == 0 { 0.0 } else { (losing as f64 / whole as f64).min(1.0) / 2.0 }
    }
}

fn mask(window: u32) -> u32 {
    if window >= MOST_WINDOW { u32::MAX } else { (1 << window) - 1 }
}

/// Estimates win probabilities, and remembers them: they depend on position, levels and, with f, the
/// last moves alone.
pub struct Estimator<G: Indexed> {
    thesis: Thesis,
    shares: Shares,
    known: HashMap<(G::Position, u32, u32), f64>,
}

/// Estimates that are remembered; beyond that the memory is emptied.
const MOST_KNOWN: usize = 1 << 21;

impl<G: Indexed> Estimator<G> {
    /// An estimator of this kind.
    #[must_use]
    pub fn new(thesis: Thesis) -> Estimator<G> {
        Estimator { thesis, shares: Shares::default(), known: HashMap::new() }
    }

    /// G of the move that led to `position`, where the opponent is to move in a drawn position.
    /// `history` tells which of the last moves changed the pieces.
    pub fn after_move(
        &mut self,
        values: &dyn Values<G>,
        position: &G::Position,
        history: u32,
    ) -> Result<f64, PlayerError> {
        let levels = self.thesis.levels;
        self.answers(values, position, levels, history)
    }

    /// Gmove of §7.3.4.
    fn answers(
        &mut self,
        values: &dyn Values<G>,
        position: &G::Position,
        levels: u32,
        history: u32,
    ) -> Result<f64, PlayerError> {
        let history = history & self.thesis.window.map_or(0, mask);
        let key = (position.clone(), levels, history);
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let moves = survey_all(values, position)?;
        let losing = moves.iter().filter(|m| matches!(m.value, Value::Loss(_))).count();
        let found = if moves.is_empty() {
            0.0
        } else if levels == 0 {
            self.thesis.leaf_of(losing, moves.len())
        } else {
            self.mean(values, position, &moves, levels, history)?
        };
        if self.known.len() >= MOST_KNOWN {
            self.known.clear();
        }
        self.known.insert(key, found);
        Ok(found)
    }

    fn mean(
        &mut self,
        values: &dyn Values<G>,
        position: &G::Position,
        moves: &[Ranked<G>],
        levels: u32,
        history: u32,
    ) -> Result<f64, PlayerError> {
        let variance = if self.thesis.variance { Some(Replies::of(values, moves)?) } else { None };
        let before = counts(values, position);
        let mut logarithm = 0.0;
        for (i, answer) in moves.iter().enumerate() {
            let changes = counts(values, &answer.next) != before;
            let factor = match answer.value {
                Value::Loss(plies) => {
                    let z = variance.as_ref().map_or(1.0, |replies| {
                        let (share, refuted) = replies.of_answer(i);
                        self.thesis.variance_of(share, &refuted)
                    });
                    // The loss is counted from the position after the losing move.
                    let d = self.thesis.overlooked(plies.saturating_sub(1));
                    let s = self.share(values, answer)?;
                    (1.0 - s) * d * z * self.thesis.change_of(changes, history)
                }
                _ if answer.ends => 0.0,
                _ => {
                    let history = history << 1 | u32::from(changes);
                    self.best_reply(values, &answer.next, levels - 1, history)?
                }
            };
            if factor <= 0.0 {
                return Ok(0.0);
            }
            logarithm += factor.ln();
        }
        Ok((logarithm / moves.len() as f64).exp())
    }

    /// Gnode of §7.3.4: our move, in a drawn position.
    fn best_reply(
        &mut self,
        values: &dyn Values<G>,
        position: &G::Position,
        levels: u32,
        history: u32,
    ) -> Result<f64, PlayerError> {
        let before = counts(values, position);
        let mut best = 0.0f64;
        for mv in survey_all(values, position)? {
            if mv.value == Value::Draw && !mv.ends {
                let changes = counts(values, &mv.next) != before;
                let history = history << 1 | u32::from(changes);
                best = best.max(self.answers(values, &mv.next, levels, history)?);
            }
        }
        Ok(best)
    }

    /// s of a losing answer.
    fn share(&mut self, values: &dyn Values<G>, answer: &Ranked<G>) -> Result<f64, PlayerError> {
        let share = match self.thesis.share {
            Share::Ignored => None,
            Share::After => self.shares.of_position(values, &answer.next)?,
            Share::Line => {
                let winner = values.index().game().to_move(&answer.next);
                let counts = first_change(values, &answer.next)?;
                self.shares.of_counts(values, &counts, winner)?
            }
        };
        Ok(share.unwrap_or(0.0))
    }
}

/// The piece counts after the first change of them on the optimal line, or those of its end. Of
/// several optimal moves the first in the game's order is followed.
fn first_change<G: Indexed>(
    values: &dyn Values<G>,
    position: &G::Position,
) -> Result<Vec<u32>, PlayerError> {
    let before = counts(values, position);
    let mut position = position.clone();
    loop {
        let moves = survey_all(values, &position)?;
        // The last of several largest is taken, hence backwards.
        let best = moves.into_iter().rev().max_by_key(|m| m.value);
        let Some(best) = best.filter(|best| !best.ends) else { return Ok(before) };
        let after = counts(values, &best.next);
        if after != before {
            return Ok(after);
        }
        position = best.next;
    }
}

/// For each losing answer of a node, the replies that win, and how many there are in all.
struct Replies<M> {
    winning: Vec<Vec<M>>,
    all: Vec<usize>,
}

impl<M: Copy + Eq> Replies<M> {
    fn of<G: Indexed + Game<Move = M>>(
        values: &dyn Values<G>,
        answers: &[Ranked<G>],
    ) -> Result<Replies<M>, PlayerError> {
        let (mut winning, mut all) = (Vec::new(), Vec::new());
        for answer in answers {
            let losing = matches!(answer.value, Value::Loss(_)) && !answer.ends;
            let replies = if losing { survey_all(values, &answer.next)? } else { Vec::new() };
            let wins = replies.iter().filter(|r| matches!(r.value, Value::Win(_)));
            winning.push(wins.map(|r| r.mv).collect());
            all.push(replies.len());
        }
        Ok(Replies { winning, all })
    }

    /// c, and h(g) for each winning reply g.
    fn of_answer(&self, answer: usize) -> (f64, Vec<u32>) {
        let own = &self.winning[answer];
        let refutes = |g: &M| self.winning.iter().filter(|w| w.contains(g)).count() as u32;
        (own.len() as f64 / self.all[answer].max(1) as f64, own.iter().map(refutes).collect())
    }
}

/// Which of the last moves of a line changed the pieces; the lowest bit is the last one.
pub fn history<G: Indexed>(values: &dyn Values<G>, positions: &[G::Position]) -> u32 {
    let from = positions.len().saturating_sub(MOST_WINDOW as usize + 1);
    positions[from..].windows(2).fold(0, |bits, two| {
        bits << 1 | u32::from(counts(values, &two[0]) != counts(values, &two[1]))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_loss_distance_has_the_printed_table() {
        let thesis = Thesis::default();
        assert!((thesis.r1() - 3.495_114).abs() < 5e-7);
        assert!((thesis.w1.powf(thesis.r1()) - 898.906).abs() < 1e-3);
        for (x, d) in [
            (4, 0.0074),
            (5, 0.1057),
            (6, 0.3048),
            (7, 0.5),
            (8, 0.6475),
            (9, 0.7498),
            (10, 0.8193),
            (11, 0.8669),
            (12, 0.9),
            (13, 0.9234),
            (15, 0.9528),
            (17, 0.9693),
            (21, 0.9852),
            (31, 0.9962),
        ] {
            assert!((thesis.overlooked(x) - d).abs() < 5e-5, "d({x}) = {}", thesis.overlooked(x));
        }
        assert!((thesis.overlooked(1) / 2.5e-271 - 1.0).abs() < 0.05);
        assert!((thesis.overlooked(3) - 2e-6).abs() < 5e-7);
    }

    #[test]
    fn the_printed_example_of_the_variance_comes_out_and_the_readings_differ() {
        let example =
            |base, root, c| Thesis { base, root, ..Thesis::default() }.variance_of(c, &[2, 1]);
        for base in [Base::Share, Base::Rest] {
            assert!((example(base, Root::Square, 0.5) - 0.375).abs() < 5e-4);
            assert!((example(base, Root::Count, 0.5) - 0.375).abs() < 5e-4, "two replies");
        }
        assert!((example(Base::Share, Root::Inverse, 0.5) - 0.6125).abs() < 5e-4);
        assert!(example(Base::Share, Root::Square, 0.9) > example(Base::Rest, Root::Square, 0.9));
        // Three replies tell the roots apart.
        let three = |root| Thesis { root, ..Thesis::default() }.variance_of(0.5, &[2, 2, 2]);
        assert!((three(Root::Square) - 0.5f64.powf(8f64.sqrt())).abs() < 1e-12);
        assert!((three(Root::Count) - 0.25).abs() < 1e-12);
    }

    #[test]
    fn two_losing_of_four_answers_make_a_leaf_of_a_quarter() {
        let thesis = Thesis::default();
        assert_eq!(thesis.leaf_of(2, 4), 0.25);
        assert_eq!(Thesis { leaf: Leaf::Correct, ..thesis.clone() }.leaf_of(2, 4), 0.5);
        assert_eq!(Thesis { leaf: Leaf::Correct, ..thesis.clone() }.leaf_of(3, 4), 0.5);
        assert_eq!((thesis.leaf_of(0, 3), thesis.leaf_of(0, 0)), (0.0, 0.0));
    }

    #[test]
    fn a_lone_capture_after_five_quiet_moves_is_never_overlooked() {
        let thesis = Thesis { window: Some(5), ..Thesis::default() };
        assert_eq!(thesis.change_of(true, 0), 0.0);
        assert_eq!(thesis.change_of(false, 0), 1.0);
        assert_eq!(thesis.change_of(true, 0b11111), 1.0);
        assert_eq!(thesis.change_of(true, 0b1_00000), 0.0, "six moves ago is forgotten");
        assert!((thesis.change_of(true, 0b00101) - 0.4).abs() < 1e-12);
        assert_eq!(Thesis::default().change_of(true, 0), 1.0, "switched off");
    }
}
