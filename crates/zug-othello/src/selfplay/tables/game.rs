//! One game against oneself: what does it teach?
//!
//! A game begins with random plies, so that no two are alike, and goes on with the best moves of a
//! short search, now and then with a random one. Its last part is solved: the result is that of
//! perfect play. What comes out is a list of positions, each with how far its value was off.

use super::live::Live;
use super::options::{Method, Options, Update};
use super::search::{self, Leaf, random_move};
use crate::Board;
use crate::engine::Evaluation;
use crate::solve::Solver;
use crate::solve::level::Level;
use zug_core::seed::RngExt;
use zug_core::{Rng, StopFlag};
use zug_learn::td::trace;

/// A position and how much more it is worth than its evaluation says, in discs for its side to
/// move.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Sample {
    /// Its side to move can move.
    pub board: Board,
    /// In discs.
    pub error: f32,
}

/// A position of a game, with all values from the view of the side that began.
#[derive(Clone, Copy, Debug)]
struct Step {
    board: Board,
    /// 1 when the side that began is to move, -1 otherwise.
    view: f64,
    /// What the evaluation says.
    value: f64,
    /// What the search says.
    searched: f64,
    leaf: Leaf,
}

/// Plays games with an evaluation that does not change meanwhile.
pub struct Play<'a, L> {
    pub level: L,
    pub model: &'a Live,
    pub options: &'a Options,
    pub stop: &'a StopFlag,
}

impl<L: Level> Play<'_, L> {
    /// Plays a game and adds what it teaches; `None` when stopped.
    pub fn game(&self, solver: &mut Solver, rng: &mut Rng, out: &mut Vec<Sample>) -> Option<()> {
        let options = self.options;
        let mut board = opening(rng.random_range(options.opening.0..=options.opening.1), rng);
        let mut view = 1.0;
        // Since the last random move.
        let mut steps: Vec<Step> = Vec::with_capacity(60);
        let mut rest = Scratch::default();
        loop {
            if board.moves() == 0 {
                if board.replies() == 0 {
                    self.learn(&steps, view * f64::from(board.final_score()), &mut rest, out);
                    return Some(());
                }
                (board, view) = (board.passed(), -view);
            }
            if board.empties() <= options.exact {
                let (score, _) = solver.value(board, self.stop)?;
                self.learn(&steps, view * f64::from(score), &mut rest, out);
                return self.end(board, score, solver, rng, out);
            }
            let found = search::best(self.level, self.model, board, options.depth);
            let value = self.model.value(board, &self.model.state(board));
            steps.push(Step {
                board,
                view,
                value: view * f64::from(value) / 100.0,
                searched: view * f64::from(found.value) / 100.0,
                leaf: found.leaf,
            });
            let mut square = found.square;
            if options.explore > 0.0 && rng.random::<f64>() < options.explore {
                square = random_move(board, rng);
                // What follows a move at random says nothing about the positions before it.
                self.cut(&mut steps, &mut rest, out);
            }
            (board, view) = (board.after(square), -view);
        }
    }

    /// The end of the game, where every value is known: moves are as often random as they are good,
    /// so that the tables see what searches look at.
    fn end(
        &self,
        mut board: Board,
        mut score: i32,
        solver: &mut Solver,
        rng: &mut Rng,
        out: &mut Vec<Sample>,
    ) -> Option<()> {
        loop {
            let value = self.model.value(board, &self.model.state(board));
            self.add(board, f64::from(score) - f64::from(value) / 100.0, out);
            board = board.after(if rng.random() {
                random_move(board, rng)
            } else {
                search::best(self.level, self.model, board, 1).square
            });
            if board.moves() == 0 {
                if board.replies() == 0 {
                    return Some(());
                }
                board = board.passed();
            }
            (score, _) = solver.value(board, self.stop)?;
        }
    }

    /// A random move follows: the last position's own value is the best that is known about those
    /// before it.
    fn cut(&self, steps: &mut Vec<Step>, rest: &mut Scratch, out: &mut Vec<Sample>) {
        let Some(&last) = steps.last() else { return };
        let value = match self.options.method {
            Method::Td => last.value,
            Method::TdLeaf => last.searched,
        };
        if self.options.method == Method::TdLeaf && self.options.update != Update::Leaf {
            self.add(last.board, last.view * (value - last.value), out);
        }
        steps.pop();
        self.learn(steps, value, rest, out);
        steps.clear();
    }

    /// What positions teach that ended in a value.
    fn learn(&self, steps: &[Step], result: f64, rest: &mut Scratch, out: &mut Vec<Sample>) {
        let td = self.options.method == Method::Td;
        rest.values.clear();
        rest.values.extend(steps.iter().map(|s| if td { s.value } else { s.searched }));
        rest.values.push(result);
        trace::errors(&rest.values, self.options.lambda, &mut rest.errors);
        for (step, error) in steps.iter().zip(&rest.errors) {
            if td {
                self.add(step.board, step.view * error, out);
                continue;
            }
            if self.options.update != Update::Root && !step.leaf.over {
                let view = if step.leaf.turned { -step.view } else { step.view };
                self.add(step.leaf.board, view * error, out);
            }
            if self.options.update != Update::Leaf {
                self.add(step.board, step.view * (step.searched + error - step.value), out);
            }
        }
    }

    fn add(&self, board: Board, error: f64, out: &mut Vec<Sample>) {
        let most = self.options.clip;
        out.push(Sample { board, error: error.clamp(-most, most) as f32 });
    }
}

/// What is used again from one part of a game to the next.
#[derive(Default)]
struct Scratch {
    values: Vec<f64>,
    errors: Vec<f64>,
}

/// A position after so many random plies, in which the side to move can move.
pub fn opening(plies: u32, rng: &mut Rng) -> Board {
    'again: loop {
        let mut board = Board::START;
        for ply in 0..=plies {
            if board.moves() == 0 {
                board = board.passed();
                if board.moves() == 0 {
                    // A game may end after nine plies already.
                    continue 'again;
                }
            }
            if ply < plies {
                board = board.after(random_move(board, rng));
            }
        }
        return board;
    }
}
