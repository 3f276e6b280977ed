//! What is there to say about each legal move?
//!
//! [`Extractor`] looks once at the board and then at each legal move, and gives the answers to the
//! [`fields`](super::fields): numbers of features where answers are few, keys where they are
//! patterns.

use super::dictionary::Numbers;
use super::fields::{COUNT, KEYS};
use super::surroundings::Surroundings;
use super::tactics::Tactics;
use super::view::View;
use crate::point::Point;
use crate::policy::Scene;

/// The legal moves of a position with their features.
#[derive(Default)]
pub struct Moves {
    /// The moves.
    pub points: Vec<Point>,
    /// For each the features of the fields that have few answers.
    pub plain: Vec<[u16; COUNT]>,
    /// For each the numbers of its known patterns; the first `lengths` of them.
    patterns: Vec<[u32; KEYS]>,
    lengths: Vec<u8>,
}

impl Moves {
    /// The numbers of the known patterns of a move.
    #[inline]
    #[must_use]
    pub fn patterns(&self, candidate: usize) -> &[u32] {
        &self.patterns[candidate][..usize::from(self.lengths[candidate])]
    }

    /// The numbers of all features of a move.
    #[inline]
    pub fn features(&self, candidate: usize) -> impl Iterator<Item = u32> + '_ {
        let plain = self.plain[candidate].iter().map(|&f| u32::from(f));
        plain.chain(self.patterns(candidate).iter().copied())
    }

    /// How many moves there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.points.len()
    }

    /// Is there no legal move?
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.points.is_empty()
    }
}

/// Finds features; keeps its tables so that nothing is allocated.
#[derive(Default)]
pub struct Extractor {
    view: View,
    tactics: Tactics,
    surroundings: Surroundings,
    points: Vec<Point>,
}

impl Extractor {
    /// How many ladders were too long to be read so far.
    #[must_use]
    pub fn given_up(&self) -> u64 {
        self.tactics.given_up()
    }

    /// All legal moves (simple ko, no suicide) with their features. `known` tells the number of a
    /// pattern by its key; discs wider than `widest` are not looked up.
    pub fn extract<K: Numbers>(
        &mut self,
        scene: Scene<'_>,
        widest: usize,
        known: &K,
        moves: &mut Moves,
    ) {
        let (board, side) = (scene.position.board(), scene.position.to_move());
        self.view.look(board, side);
        moves.points.clear();
        moves.points.extend(board.points().filter(|&p| board.check(p, side, false).is_ok()));
        self.tactics.answer(&self.view, &scene, &moves.points, &mut moves.plain);
        moves.patterns.clear();
        moves.patterns.resize(moves.points.len(), [0; KEYS]);
        moves.lengths.clear();
        moves.lengths.resize(moves.points.len(), 0);
        let Moves { points, patterns, lengths, .. } = moves;
        let mut glances = Vec::new();
        self.surroundings.meet(&self.view, &scene, points, widest, |_, met| {
            glances.clear();
            glances.extend(met.iter().map(|&(_, key)| known.glance(key)));
            let mut seen = glances.iter();
            met.retain(|&(i, key)| {
                let glance = *seen.next().expect("a glance for each key");
                let number = known.number(key, glance);
                if let Some(number) = number {
                    let (patterns, length) =
                        (&mut patterns[usize::from(i)], &mut lengths[usize::from(i)]);
                    patterns[usize::from(*length)] = number;
                    *length += 1;
                }
                number.is_some()
            });
        });
    }

    /// Tells the field and the key of every pattern around one move; wider ones where `meet` says
    /// that it knows the narrower.
    pub fn patterns_of(
        &mut self,
        scene: Scene<'_>,
        point: Point,
        mut meet: impl FnMut(usize, u64) -> bool,
    ) {
        self.view.look(scene.position.board(), scene.position.to_move());
        self.points.clear();
        self.points.push(point);
        let Extractor { view, surroundings, points, .. } = self;
        surroundings.meet(view, &scene, points, usize::MAX, |field, met| {
            met.retain(|&(_, key)| meet(field, key));
        });
    }
}
