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

#[cfg(test)]
mod tests {
    use super::super::weights::Weights;
    use super::*;
    use crate::patterns::{PatternSet, Phases};
    use crate::solve::level::Portable;
    use zug_core::rng;

    fn weights() -> Weights {
        let set = PatternSet::parse(&["a1,b1,a2", "mobility"]).unwrap();
        Weights::new(set, Phases::new(&[8, 60]).unwrap(), 0.5, 3)
    }

    fn with(options: Options, then: impl FnOnce(Play<'_, Portable>)) {
        let (model, stop) = (Live::new(&weights()), StopFlag::new());
        then(Play { level: Portable, model: &model, options: &options, stop: &stop });
    }

    /// Two positions of a game, the side that began to move first, worth 2 and 5 to it by searches
    /// and 1 and 7 by the evaluation, with leaves where the side that began is to move.
    fn steps() -> [Step; 2] {
        let boards = [opening(5, &mut rng(1, 0)), opening(6, &mut rng(1, 1))];
        let leaves = [opening(7, &mut rng(1, 2)), opening(8, &mut rng(1, 3))];
        let step = |at: usize, view: f64, value: f64, searched: f64| {
            let leaf = Leaf { board: leaves[at], turned: at == 1, over: false };
            Step { board: boards[at], view, value, searched, leaf }
        };
        [step(0, 1.0, 1.0, 2.0), step(1, -1.0, 7.0, 5.0)]
    }

    fn learned(options: Options) -> Vec<(Board, f32)> {
        let mut out = Vec::new();
        with(options, |play| play.learn(&steps(), 9.0, &mut Scratch::default(), &mut out));
        out.iter().map(|s| (s.board, s.error)).collect()
    }

    #[test]
    fn errors_are_those_of_lambda_from_the_view_of_who_is_to_move() {
        let [first, second] = steps();
        let half = Options { lambda: 0.5, ..Options::default() };
        // By searches: steps of 3 and 4, so errors of 3 + 4/2 and 4.
        let leaf = learned(Options { update: Update::Leaf, ..half.clone() });
        assert_eq!(leaf, [(first.leaf.board, 5.0), (second.leaf.board, 4.0)]);
        // Towards 2 + 5 from 1, and towards 5 + 4 from 7, seen by the other side.
        let root = learned(Options { update: Update::Root, ..half.clone() });
        assert_eq!(root, [(first.board, 6.0), (second.board, -2.0)]);
        let both = learned(Options { update: Update::Both, ..half.clone() });
        assert_eq!(both, [leaf[0], root[0], leaf[1], root[1]]);
        // By the evaluation: steps of 6 and 2.
        let td = learned(Options { method: Method::Td, ..half.clone() });
        assert_eq!(td, [(first.board, 7.0), (second.board, -2.0)]);
        let clipped = learned(Options { method: Method::Td, clip: 3.0, ..half });
        assert_eq!(clipped, [(first.board, 3.0), (second.board, -2.0)]);
    }

    #[test]
    fn what_follows_a_random_move_does_not_count_for_what_was_before() {
        let options = Options { lambda: 1.0, update: Update::Both, ..Options::default() };
        let [first, second] = steps();
        with(options, |play| {
            let (mut list, mut out) = (steps().to_vec(), Vec::new());
            play.cut(&mut list, &mut Scratch::default(), &mut out);
            assert!(list.is_empty());
            let found: Vec<_> = out.iter().map(|s| (s.board, s.error)).collect();
            // The last position learns from its own search, the one before from its value.
            let expected = [(second.board, 2.0), (first.leaf.board, 3.0), (first.board, 4.0)];
            assert_eq!(found, expected);
        });
    }

    #[test]
    fn the_leaf_of_a_finished_game_teaches_nothing() {
        let options = Options { update: Update::Leaf, ..Options::default() };
        with(options, |play| {
            let mut list = steps();
            list[0].leaf.over = true;
            let mut out = Vec::new();
            play.learn(&list, 9.0, &mut Scratch::default(), &mut out);
            assert_eq!(out.len(), 1);
        });
    }

    #[test]
    fn games_are_played_out_or_solved_and_teach_positions_with_moves() {
        for (exact, method) in [(0, Method::TdLeaf), (8, Method::TdLeaf), (8, Method::Td)] {
            let options = Options { exact, method, explore: 0.2, ..Options::default() };
            with(options, |play| {
                let mut solver = Solver::new(0);
                for game in 0..6 {
                    let mut out = Vec::new();
                    play.game(&mut solver, &mut rng(9, game), &mut out).unwrap();
                    assert!(out.len() > 20);
                    assert!(out.iter().all(|s| s.board.moves() != 0 && s.error.is_finite()));
                    let mut again = Vec::new();
                    play.game(&mut solver, &mut rng(9, game), &mut again).unwrap();
                    assert_eq!(out, again);
                }
            });
        }
    }

    #[test]
    fn solved_positions_learn_their_exact_values() {
        let options = Options { exact: 6, ..Options::default() };
        with(options, |play| {
            let mut out = Vec::new();
            play.game(&mut Solver::new(0), &mut rng(4, 2), &mut out).unwrap();
            let late: Vec<&Sample> = out.iter().filter(|s| s.board.empties() <= 6).collect();
            assert!(late.len() >= 3);
            // The searches before may have leaves there: those come first.
            let solved = late.iter().filter(|s| {
                let exact = crate::solve::score(s.board) as f32;
                let value = play.model.value(s.board, &play.model.state(s.board)) as f32 / 100.0;
                (s.error - (exact - value)).abs() < 1e-3
            });
            assert!(solved.count() >= 3);
        });
    }
}
