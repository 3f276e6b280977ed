//! How many of a learner's moves are right?
//!
//! Where the true value of positions is known (from a database, or from a search to the end), a
//! move is right if it keeps that value: a win stays a win, a draw stays a draw. In a position where
//! every move is right nothing can go wrong; so those where something can are counted apart.

use super::leaf::Value;
use super::play::{choose, opening, shuffled};
use rayon::prelude::*;
use std::collections::HashSet;
use zug_core::seed::RngExt;
use zug_core::{Game, Line, StopFlag, rng};

/// Knows what moves are really worth.
pub trait Truth<G: Game>: Send + Sync {
    /// Where the knowledge comes from, in words.
    fn help(&self) -> String;

    /// The first ply of a game whose positions are known.
    fn first_ply(&self) -> usize {
        0
    }

    /// For each of the legal moves whether it wins (1), draws (0) or loses (-1) for whoever makes
    /// it; `None` where that is not known, and when asked to stop.
    fn judge(
        &self,
        game: &G,
        position: &G::Position,
        moves: &[G::Move],
        stop: &StopFlag,
    ) -> Option<Vec<i8>>;
}

/// A position with what its moves are worth.
#[derive(Clone, Debug)]
pub struct Question<G: Game> {
    line: Line<G>,
    moves: Vec<G::Move>,
    values: Vec<i8>,
}

impl<G: Game> Question<G> {
    fn ask(truth: &dyn Truth<G>, line: Line<G>, stop: &StopFlag) -> Option<Question<G>> {
        let moves = line.legal_moves();
        if moves.is_empty() || stop.is_set() {
            return None;
        }
        let values = truth.judge(line.game(), line.position(), &moves, stop)?;
        (values.len() == moves.len()).then_some(Question { line, moves, values })
    }

    /// Can something go wrong here?
    fn is_decisive(&self) -> bool {
        self.values.iter().any(|v| *v != self.values[0])
    }

    fn is_right(&self, mv: G::Move) -> bool {
        let best = self.values.iter().max();
        let chosen = self.moves.iter().position(|&m| m == mv);
        chosen.is_some_and(|i| Some(&self.values[i]) == best)
    }
}

/// How a learner did.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Marks {
    /// Positions.
    pub asked: u64,
    /// Moves that kept the value.
    pub right: u64,
    /// Positions where a move could have lost some of it.
    pub decisive: u64,
    /// Moves that kept the value there.
    pub decisive_right: u64,
}

impl Marks {
    /// The share of right moves.
    #[must_use]
    pub fn share(&self) -> Option<f64> {
        (self.asked > 0).then(|| self.right as f64 / self.asked as f64)
    }

    /// The share of right moves where something could go wrong.
    #[must_use]
    pub fn decisive_share(&self) -> Option<f64> {
        (self.decisive > 0).then(|| self.decisive_right as f64 / self.decisive as f64)
    }

    fn add(self, other: Marks) -> Marks {
        Marks {
            asked: self.asked + other.asked,
            right: self.right + other.right,
            decisive: self.decisive + other.decisive,
            decisive_right: self.decisive_right + other.decisive_right,
        }
    }
}

/// Positions to be asked.
pub struct Exam<G: Game> {
    /// The questions.
    pub questions: Vec<Question<G>>,
    /// Are these all positions of the game?
    pub complete: bool,
}

/// A game with no more positions than this is asked in all of them.
const ALL: usize = 20_000;
/// Random games are not followed further than this.
const LONGEST: usize = 400;

impl<G: Game> Exam<G> {
    /// All positions of the game where those are few; otherwise `count` positions of random games,
    /// one from each game. `None` when stopped.
    pub fn random(
        game: &G,
        truth: &dyn Truth<G>,
        count: usize,
        seed: u64,
        stop: &StopFlag,
    ) -> Option<Exam<G>> {
        if truth.first_ply() == 0
            && let Some(all) = reachable(game, ALL)
        {
            let line = |position: G::Position| Line::from_position(game.clone(), position);
            let questions =
                all.into_par_iter().filter_map(|p| Question::ask(truth, line(p), stop)).collect();
            return (!stop.is_set()).then_some(Exam { questions, complete: true });
        }
        let question = |number: usize| {
            let mut rng = rng(seed, number as u64);
            for _ in 0..50 {
                if stop.is_set() {
                    return None;
                }
                let mut line = Line::new(game.clone());
                while line.moves().len() < LONGEST {
                    let moves = line.legal_moves();
                    if moves.is_empty() {
                        break;
                    }
                    line.play(moves[rng.random_range(0..moves.len())]);
                }
                let (from, to) = (truth.first_ply(), line.moves().len());
                if to <= from {
                    continue;
                }
                let ply = rng.random_range(from..to);
                while line.moves().len() > ply {
                    line.undo();
                }
                if let Some(question) = Question::ask(truth, line, stop) {
                    return Some(question);
                }
            }
            None
        };
        let questions = (0..count).into_par_iter().filter_map(question).collect();
        (!stop.is_set()).then_some(Exam { questions, complete: false })
    }

    /// Positions of games that are played by `choose` after a few random moves, all of each game,
    /// until there are `count` of them. `None` when stopped.
    pub fn own(
        game: &G,
        truth: &dyn Truth<G>,
        choose: impl Fn(&Line<G>, &[G::Move]) -> G::Move + Sync,
        count: usize,
        seed: u64,
        stop: &StopFlag,
    ) -> Option<Exam<G>> {
        let play = |number: u64| {
            let mut rng = rng(seed, number);
            let mut line = opening(game, 4, &mut rng);
            let mut lines = Vec::new();
            while line.moves().len() < LONGEST {
                let moves = shuffled(&line, &mut rng);
                if moves.is_empty() || stop.is_set() {
                    break;
                }
                let mv = choose(&line, &moves);
                if line.moves().len() >= truth.first_ply() {
                    lines.push(line.clone());
                }
                line.play(mv);
            }
            lines
        };
        // Games until there are enough positions, always a whole number of batches.
        let (mut lines, mut next) = (Vec::new(), 0);
        while lines.len() < count && next < 64 * count as u64 && !stop.is_set() {
            let batch: Vec<Vec<Line<G>>> = (next..next + 16).into_par_iter().map(play).collect();
            lines.extend(batch.into_iter().flatten());
            next += 16;
        }
        lines.truncate(count);
        let questions =
            lines.into_par_iter().filter_map(|line| Question::ask(truth, line, stop)).collect();
        (!stop.is_set()).then_some(Exam { questions, complete: false })
    }

    /// Asks a learner, who looks so many plies ahead.
    pub fn mark<V: Value<G>>(&self, value: impl Fn() -> V + Sync, depth: u32, seed: u64) -> Marks {
        let answer = |(number, question): (usize, &Question<G>)| {
            let mut rng = rng(seed, number as u64);
            let moves = shuffled(&question.line, &mut rng);
            let found = choose(&question.line, &mut value(), &moves, depth);
            let right = u64::from(found.best.is_some_and(|mv| question.is_right(mv)));
            let decisive = u64::from(question.is_decisive());
            Marks { asked: 1, right, decisive, decisive_right: decisive * right }
        };
        self.questions.par_iter().enumerate().map(answer).reduce(Marks::default, Marks::add)
    }
}

/// All positions of a game that has no more than `most`, in a fixed order.
fn reachable<G: Game>(game: &G, most: usize) -> Option<Vec<G::Position>> {
    let mut seen = HashSet::from([game.start()]);
    let mut all = vec![game.start()];
    let (mut next, mut moves) = (0, Vec::new());
    while next < all.len() {
        moves.clear();
        game.moves(&all[next], &mut moves);
        for &mv in &moves {
            let mut child = all[next].clone();
            game.play(&mut child, mv);
            if seen.insert(child.clone()) {
                all.push(child);
            }
        }
        if all.len() > most {
            return None;
        }
        next += 1;
    }
    Some(all)
}
