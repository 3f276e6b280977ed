//! What can the same features do when they are learned as one would today?
//!
//! TD(λ) and TD-Leaf(λ) where the thesis has one step without a trace; both colours; random openings
//! and random moves now and then, since two players without chance play one game for ever; a rate
//! that falls; weights that are averaged; a slight decay, without which the redundant features keep
//! part of the random beginning for ever; and a gate that the polynomial must pass before the other
//! side plays with it.
//!
//! A side's value of a position is tanh(wᵀx / 2), between -1 (lost) and 1 (won), of features seen by
//! that side. The positions that a side's searches lead to (TD-Leaf) or that it is to move in (TD)
//! make a sequence that ends with its result. Depths are even, so that all of them are positions in
//! which the side itself is to move: unlike positions are never compared (chapter 6 of the thesis).

use super::evaluation::{Evaluation, dot};
use super::features::FeatureSet;
use super::search::{Order, Search, Tie};
use crate::Board;
use crate::bits;
use zug_core::Rng;
use zug_core::seed::RngExt;
use zug_learn::td::trace;

/// Which positions are learned from.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Positions {
    /// Those in which the side is to move.
    Played,
    /// The leaves that the side's searches expected.
    #[default]
    Leaves,
}

/// How it is learned.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Beyond {
    /// Which positions.
    pub positions: Positions,
    /// λ of the trace.
    pub lambda: f64,
    /// The rate of the first game.
    pub rate: f64,
    /// The rate of the last game: in between it falls by the same factor from game to game.
    pub rate_end: f64,
    /// Share of a weight that is lost at each update of rate 1.
    pub decay: f64,
    /// Plies of search in learning games.
    pub depth: u32,
    /// Games begin with up to so many random plies.
    pub opening: u32,
    /// The probability of a random move after that.
    pub explore: f64,
    /// Positions with more discs are not learned from.
    pub last_discs: u32,
    /// The share of all games over whose end the weights are averaged.
    pub average: f64,
    /// Games between two matches at the gate; 0 for no gate.
    pub gate_every: u64,
    /// Games of such a match (each opening with both colours).
    pub gate_games: u64,
    /// The share of points that opens the gate.
    pub gate_score: f64,
}

impl Default for Beyond {
    fn default() -> Beyond {
        Beyond {
            positions: Positions::Leaves,
            lambda: 0.7,
            rate: 0.05,
            rate_end: 0.002,
            decay: 0.001,
            depth: 2,
            opening: 12,
            explore: 0.02,
            last_discs: 60,
            average: 0.5,
            gate_every: 500,
            gate_games: 50,
            gate_score: 0.5,
        }
    }
}

/// What one side saw in a game.
#[derive(Clone, Debug, Default)]
struct Sequence {
    /// Features of the positions, one after the other.
    x: Vec<f64>,
    /// Values of the positions.
    values: Vec<f64>,
    /// Is the position learned from, and was the move after it a free choice?
    marks: Vec<(bool, bool)>,
}

/// A learner with its opponent.
#[derive(Clone)]
pub struct Learner {
    how: Beyond,
    set: FeatureSet,
    /// The weights that are changed.
    pub weights: Vec<f64>,
    /// Sum of the weights over the games that are averaged.
    sum: Vec<f64>,
    summed: u64,
    /// The weights of the opponent, who was let through the gate.
    pub incumbent: Vec<f64>,
    evaluation: Evaluation,
    opponent: Evaluation,
    search: Search,
    sequences: [Sequence; 2],
    x: Vec<f64>,
    errors: Vec<f64>,
}

/// A match at the gate.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Gate {
    /// Its games.
    pub games: u64,
    /// Points of the candidate: 1 for a win, 0.5 for a draw.
    pub points: f64,
    /// Was the candidate let through?
    pub opened: bool,
}

impl Gate {
    /// The candidate's share of the points.
    #[must_use]
    pub fn score(&self) -> f64 {
        self.points / self.games.max(1) as f64
    }
}

/// What a game did.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Lesson {
    /// The learner's result: 1, 0, -1.
    pub result: i32,
    /// Sum of the errors.
    pub error_sum: f64,
    /// The largest error.
    pub error_max: f64,
    /// Sum of all changes.
    pub change_sum: f64,
    /// The largest change.
    pub change_max: f64,
    /// The match at the gate that followed it.
    pub gate: Option<Gate>,
}

impl Learner {
    /// Begins with these weights.
    #[must_use]
    pub fn new(how: Beyond, weights: Vec<f64>) -> Learner {
        let set = FeatureSet::of_len(weights.len()).expect("as many weights as features");
        Learner {
            how,
            set,
            sum: vec![0.0; weights.len()],
            summed: 0,
            incumbent: weights.clone(),
            evaluation: Evaluation::new(&weights),
            opponent: Evaluation::new(&weights),
            search: Search::new(how.depth, Order::Rows, Tie::Random),
            sequences: Default::default(),
            x: Vec::new(),
            errors: Vec::new(),
            weights,
        }
    }

    /// Everything that the next game depends on.
    #[must_use]
    pub fn state(&self) -> Vec<f64> {
        let mut state = vec![self.summed as f64];
        for part in [&self.weights, &self.sum, &self.incumbent] {
            state.extend(part);
        }
        state
    }

    /// Takes up a state that was saved; `None` if it is none of this learner.
    pub fn restore(&mut self, state: &[f64]) -> Option<()> {
        let n = self.weights.len();
        if state.len() != 1 + 3 * n || state.iter().any(|v| !v.is_finite()) {
            return None;
        }
        self.summed = state[0] as u64;
        self.weights.copy_from_slice(&state[1..=n]);
        self.sum.copy_from_slice(&state[1 + n..1 + 2 * n]);
        self.incumbent.copy_from_slice(&state[1 + 2 * n..]);
        self.evaluation.set_weights(&self.weights);
        self.opponent.set_weights(&self.incumbent);
        Some(())
    }

    /// The polynomial: the averaged weights, scaled so that the largest is 1 as in the thesis.
    #[must_use]
    pub fn polynomial(&self) -> Vec<f64> {
        let mut weights = if self.summed == 0 {
            self.weights.clone()
        } else {
            self.sum.iter().map(|s| s / self.summed as f64).collect()
        };
        let largest = weights.iter().fold(0.0f64, |m, w| m.max(w.abs()));
        if largest > 0.0 {
            weights.iter_mut().for_each(|w| *w /= largest);
        }
        weights
    }

    /// Plays game `game` (from 1) of `games` and learns from it.
    pub fn lesson(&mut self, game: u64, games: u64, rng: &mut Rng) -> Lesson {
        let progress = (game - 1) as f64 / games.max(1) as f64;
        let rate = self.how.rate * (self.how.rate_end / self.how.rate).powf(progress);
        // Half of the games against oneself, half against the incumbent, black and white by turns.
        let (learner_black, learner_white) = match game % 4 {
            0 | 1 => (true, true),
            2 => (true, false),
            _ => (false, true),
        };
        let black_result = self.play([learner_black, learner_white], rng);
        let mut lesson = Lesson {
            result: if learner_black { black_result } else { -black_result },
            error_max: f64::MIN,
            ..Lesson::default()
        };
        for (side, learns) in [learner_black, learner_white].into_iter().enumerate() {
            if learns {
                let result = if side == 0 { black_result } else { -black_result };
                self.learn(side, f64::from(result), rate, &mut lesson);
            }
        }
        if lesson.error_max == f64::MIN {
            lesson.error_max = 0.0;
        }
        self.evaluation.set_weights(&self.weights);
        if progress >= 1.0 - self.how.average {
            self.sum.iter_mut().zip(&self.weights).for_each(|(s, w)| *s += w);
            self.summed += 1;
        }
        if self.how.gate_every > 0 && game.is_multiple_of(self.how.gate_every) {
            lesson.gate = Some(self.gate(rng));
        }
        lesson
    }

    /// Plays one game and keeps what the learning sides saw. Tells black's result.
    fn play(&mut self, learns: [bool; 2], rng: &mut Rng) -> i32 {
        for sequence in &mut self.sequences {
            sequence.x.clear();
            sequence.values.clear();
            sequence.marks.clear();
        }
        let opening = rng.random_range(0..=self.how.opening);
        let mut board = Board::START;
        let (mut side, mut plies) = (0, 0);
        loop {
            let moves = board.moves();
            if moves == 0 {
                if board.replies() == 0 {
                    break;
                }
                board = board.passed();
                side = 1 - side;
                continue;
            }
            let any = |rng: &mut Rng| {
                let skip = rng.random_range(0..moves.count_ones()) as usize;
                bits::each(moves).nth(skip).unwrap_or(0)
            };
            let square = if plies < opening {
                any(rng)
            } else {
                self.search.shuffle(rng);
                let evaluation = if learns[side] { &self.evaluation } else { &self.opponent };
                let leaf = self.search.best(evaluation, board);
                let free = rng.random::<f64>() >= self.how.explore;
                if learns[side] {
                    let (own, opponent) = match self.how.positions {
                        Positions::Leaves => (leaf.own, leaf.opponent),
                        Positions::Played => (board.own, board.other),
                    };
                    let over = leaf.over && self.how.positions == Positions::Leaves;
                    let sequence = &mut self.sequences[side];
                    self.set.write(own, opponent, &mut self.x);
                    let value = if over {
                        f64::from(leaf.value.signum())
                    } else {
                        (dot(&self.weights, &self.x) / 2.0).tanh()
                    };
                    sequence.x.extend(&self.x);
                    sequence.values.push(value);
                    let discs = (own | opponent).count_ones();
                    sequence.marks.push((!over && discs <= self.how.last_discs, free));
                }
                if free { leaf.square.unwrap_or_else(|| any(rng)) } else { any(rng) }
            };
            board = board.after(square);
            side = 1 - side;
            plies += 1;
        }
        let lead = board.own.count_ones() as i32 - board.other.count_ones() as i32;
        if side == 0 { lead.signum() } else { -lead.signum() }
    }

    /// Learns from what one side saw. A move that was not its own choice ends the trace: what came
    /// of it says nothing about the position before.
    fn learn(&mut self, side: usize, result: f64, rate: f64, lesson: &mut Lesson) {
        let n = self.set.len();
        let sequence = &mut self.sequences[side];
        sequence.values.push(result);
        let count = sequence.marks.len();
        let mut begin = 0;
        while begin < count {
            let end = (begin..count).find(|&t| !sequence.marks[t].1).map_or(count, |t| t);
            trace::errors(&sequence.values[begin..=end], self.how.lambda, &mut self.errors);
            for (i, &error) in self.errors.iter().enumerate() {
                let t = begin + i;
                if !sequence.marks[t].0 {
                    continue;
                }
                lesson.error_sum += error;
                lesson.error_max = lesson.error_max.max(error);
                let x = &sequence.x[t * n..(t + 1) * n];
                for (w, x) in self.weights.iter_mut().zip(x) {
                    let step = rate * (error * x - self.how.decay * *w);
                    *w += step;
                    lesson.change_sum += step.abs();
                    lesson.change_max = lesson.change_max.max(step.abs());
                }
            }
            begin = end + 1;
        }
    }

    /// A match of the averaged weights against the incumbent; who passes becomes the incumbent.
    fn gate(&mut self, rng: &mut Rng) -> Gate {
        let candidate = self.polynomial();
        let player = Evaluation::new(&candidate);
        let mut points = 0.0;
        let pairs = self.how.gate_games.div_ceil(2);
        for _ in 0..pairs {
            let opening = random_opening(self.how.opening, rng);
            for candidate_moves in [true, false] {
                let players = if candidate_moves {
                    [&player, &self.opponent]
                } else {
                    [&self.opponent, &player]
                };
                let result = finish(opening, players, &mut self.search, rng);
                let result = if candidate_moves { result } else { -result };
                points += 0.5 + 0.5 * f64::from(result);
            }
        }
        let opened = points >= self.how.gate_score * 2.0 * pairs as f64;
        if opened {
            self.incumbent = candidate;
            self.opponent = player;
        }
        Gate { games: 2 * pairs, points, opened }
    }
}

/// A position after up to so many random plies, in which the game goes on.
pub fn random_opening(most: u32, rng: &mut Rng) -> Board {
    let plies = rng.random_range(0..=most);
    let mut board = Board::START;
    for _ in 0..plies {
        let moves = board.moves();
        if moves == 0 {
            break;
        }
        let skip = rng.random_range(0..moves.count_ones()) as usize;
        board = board.after(bits::each(moves).nth(skip).unwrap_or(0));
    }
    if board.is_over() { Board::START } else { board }
}

/// Plays on to the end; the first player is to move. Tells the first player's result.
pub fn finish(
    mut board: Board,
    players: [&Evaluation; 2],
    search: &mut Search,
    rng: &mut Rng,
) -> i32 {
    let mut side = 0;
    loop {
        if board.moves() == 0 {
            if board.replies() == 0 {
                break;
            }
            board = board.passed();
        } else {
            search.shuffle(rng);
            let leaf = search.best(players[side], board);
            board = board.after(leaf.square.unwrap_or_else(|| board.moves().trailing_zeros()));
        }
        side = 1 - side;
    }
    let lead = (board.own.count_ones() as i32 - board.other.count_ones() as i32).signum();
    if side == 0 { lead } else { -lead }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::othilie::players::draw_weights;

    fn learner(how: Beyond, seed: u64) -> (Learner, Rng) {
        let mut rng = zug_core::rng(seed, 0);
        let mut weights = vec![0.0; 42];
        draw_weights(&mut weights, &mut rng);
        (Learner::new(how, weights), rng)
    }

    #[test]
    fn one_sequence_is_learned_from_as_computed_by_hand() {
        let how = Beyond { lambda: 0.5, decay: 0.1, ..Beyond::default() };
        let mut learner = Learner::new(how, vec![1.0; 42]);
        // Two positions with one feature each, values 0.2 and 0.4, won in the end.
        let sequence = &mut learner.sequences[0];
        sequence.x = vec![0.0; 84];
        sequence.x[3] = 0.5;
        sequence.x[42 + 7] = 1.0;
        sequence.values = vec![0.2, 0.4];
        sequence.marks = vec![(true, true), (true, true)];
        let mut lesson = Lesson::default();
        learner.learn(0, 1.0, 0.01, &mut lesson);
        // Errors 0.2 + 0.5 * 0.6 and 0.6; all weights lose a thousandth at each of two updates.
        let kept = 1.0 - 0.01 * 0.1;
        let near = |a: f64, b: f64| assert!((a - b).abs() < 1e-12, "{a} {b}");
        near(learner.weights[3], (kept + 0.01 * 0.5 * 0.5) * kept);
        near(learner.weights[7], kept * kept + 0.01 * 0.6);
        near(learner.weights[0], kept * kept);
        near(lesson.error_sum, 1.1);
        near(lesson.error_max, 0.6);
    }

    #[test]
    fn a_random_move_ends_the_trace() {
        let how = Beyond { lambda: 1.0, decay: 0.0, ..Beyond::default() };
        let mut learner = Learner::new(how, vec![0.0; 42]);
        let sequence = &mut learner.sequences[1];
        sequence.x = (0..3 * 42).map(|i| f64::from(u8::from(i % 43 == 0))).collect();
        sequence.values = vec![0.0, 0.5, 0.25];
        // The move after the second position was not the side's own choice.
        sequence.marks = vec![(true, true), (true, false), (true, true)];
        learner.learn(1, -1.0, 1.0, &mut Lesson::default());
        assert_eq!(learner.weights[..3], [0.5, 0.0, -1.25]);
    }

    #[test]
    fn a_few_hundred_games_teach_that_corners_are_worth_most() {
        let how = Beyond { gate_every: 100, gate_games: 10, ..Beyond::default() };
        let (mut learner, mut rng) = learner(how, 4);
        for game in 1..=400 {
            learner.lesson(game, 400, &mut rng);
        }
        let polynomial = learner.polynomial();
        let classes = |from: usize| &polynomial[from..from + 16];
        assert!(classes(0).iter().all(|w| *w <= polynomial[0]), "{polynomial:?}");
        assert!(classes(16).iter().all(|w| *w >= polynomial[16]), "{polynomial:?}");
        let largest = polynomial.iter().fold(0.0f64, |m, w| m.max(w.abs()));
        assert!((largest - 1.0).abs() < 1e-12);
    }

    #[test]
    fn a_restored_learner_goes_on_as_if_nothing_had_happened() {
        let how = Beyond { gate_every: 5, gate_games: 2, average: 0.6, ..Beyond::default() };
        let (mut first, _) = learner(how, 9);
        for game in 1..=12 {
            first.lesson(game, 20, &mut zug_core::rng(1, game));
        }
        let (mut second, _) = learner(how, 10);
        assert_eq!(second.restore(&first.state()), Some(()));
        for game in 13..=20 {
            let ours = first.lesson(game, 20, &mut zug_core::rng(1, game));
            assert_eq!(ours, second.lesson(game, 20, &mut zug_core::rng(1, game)));
        }
        assert_eq!(first.state(), second.state());
        assert_eq!(second.restore(&[1.0; 7]), None);
    }
}
