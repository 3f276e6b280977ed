//! Who plays? (`Player`, `ImprovingPlayer`, `LearningPlayer`, `RandomWeightsPlayer` and
//! `RandomPlayer` of the thesis, and its `PlayManager`.)

use super::evaluation::Evaluation;
use super::features::FEATURES;
use super::search::{Leaf, Order, Search, Tie};
use super::update::{Memory, Rule};
use crate::Board;
use crate::bits;
use zug_core::Rng;
use zug_core::seed::RngExt;

/// How every searching player looks ahead.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sight {
    /// Plies.
    pub depth: u32,
    /// Order of generation.
    pub order: Order,
    /// Which of equals is taken.
    pub tie: Tie,
}

impl Default for Sight {
    fn default() -> Sight {
        Sight { depth: 4, order: Order::Rows, tie: Tie::First }
    }
}

impl Sight {
    /// A search that looks like this.
    #[must_use]
    pub fn search(self) -> Search {
        Search::new(self.depth, self.order, self.tie)
    }
}

/// Something that chooses squares.
pub trait Mover {
    /// A new game begins.
    fn new_game(&mut self) {}

    /// The square to play; the side to move of `board` has a legal one.
    fn choose(&mut self, board: Board, rng: &mut Rng) -> u32;
}

/// Plays with a polynomial that it never changes by itself. With [`Fixed::set_weights`] it is the
/// improving player: Beta, which is handed Alpha's weights from time to time.
#[derive(Clone)]
pub struct Fixed {
    evaluation: Evaluation,
    search: Search,
}

impl Fixed {
    /// Plays with these weights.
    #[must_use]
    pub fn new(weights: &[f64], sight: Sight) -> Fixed {
        Fixed { evaluation: Evaluation::new(weights), search: sight.search() }
    }

    /// Plays with these weights from now on.
    pub fn set_weights(&mut self, weights: &[f64]) {
        self.evaluation.set_weights(weights);
    }

    /// The leaf that decides.
    pub fn best(&mut self, board: Board, rng: &mut Rng) -> Leaf {
        self.search.shuffle(rng);
        self.search.best(&self.evaluation, board)
    }

    /// The evaluation that it plays with.
    #[must_use]
    pub fn evaluation(&self) -> &Evaluation {
        &self.evaluation
    }
}

impl Mover for Fixed {
    fn choose(&mut self, board: Board, rng: &mut Rng) -> u32 {
        square_of(&self.best(board, rng), board)
    }
}

/// The answer of a search from a position with a legal move.
fn square_of(leaf: &Leaf, board: Board) -> u32 {
    leaf.square.unwrap_or_else(|| board.moves().trailing_zeros())
}

/// Changes its weights after every move: Alpha.
#[derive(Clone)]
pub struct Learning {
    player: Fixed,
    rule: Rule,
    weights: Vec<f64>,
    /// What the current game has done.
    pub memory: Memory,
}

impl Learning {
    /// Learns by this rule, from these weights on.
    #[must_use]
    pub fn new(weights: Vec<f64>, rule: Rule, sight: Sight) -> Learning {
        let player = Fixed::new(&weights, sight);
        Learning { player, rule, weights, memory: Memory::default() }
    }

    /// The weights as they stand.
    #[must_use]
    pub fn weights(&self) -> &[f64] {
        &self.weights
    }
}

impl Mover for Learning {
    fn new_game(&mut self) {
        self.memory.new_game();
    }

    fn choose(&mut self, board: Board, rng: &mut Rng) -> u32 {
        let leaf = self.player.best(board, rng);
        if self.memory.learn(&self.rule, &mut self.weights, board, &leaf).is_some() {
            self.player.set_weights(&self.weights);
        }
        square_of(&leaf, board)
    }
}

/// Searches with new random weights at every move.
#[derive(Clone)]
pub struct RandomWeights(Fixed);

impl RandomWeights {
    /// Looks ahead like this.
    #[must_use]
    pub fn new(sight: Sight) -> RandomWeights {
        RandomWeights(Fixed::new(&[0.0; FEATURES], sight))
    }
}

impl Mover for RandomWeights {
    fn choose(&mut self, board: Board, rng: &mut Rng) -> u32 {
        let mut weights = [0.0; FEATURES];
        draw_weights(&mut weights, rng);
        self.0.set_weights(&weights);
        self.0.choose(board, rng)
    }
}

/// Independent values, as likely anywhere between -1 and 1.
pub fn draw_weights(weights: &mut [f64], rng: &mut Rng) {
    weights.iter_mut().for_each(|w| *w = rng.random_range(-1.0..=1.0));
}

/// Plays any legal move.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomMover;

impl Mover for RandomMover {
    fn choose(&mut self, board: Board, rng: &mut Rng) -> u32 {
        let moves = board.moves();
        let skip = rng.random_range(0..moves.count_ones().max(1)) as usize;
        bits::each(moves).nth(skip).unwrap_or(0)
    }
}

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Ended {
    /// Black's discs.
    pub black: u32,
    /// White's discs.
    pub white: u32,
}

impl Ended {
    /// 1 when white has won, -1 when black has, 0 at a draw.
    #[must_use]
    pub fn for_white(self) -> i32 {
        (self.white as i32 - self.black as i32).signum()
    }
}

/// One game from the start position by the rules (`playOneGame`): a side without a move is skipped.
pub fn play(black: &mut impl Mover, white: &mut impl Mover, rng: &mut Rng) -> Ended {
    black.new_game();
    white.new_game();
    let mut board = Board::START;
    let mut black_moves = true;
    loop {
        if board.moves() == 0 {
            if board.replies() == 0 {
                break;
            }
            board = board.passed();
        } else {
            let square =
                if black_moves { black.choose(board, rng) } else { white.choose(board, rng) };
            board = board.after(square);
        }
        black_moves = !black_moves;
    }
    let (own, other) = (board.own.count_ones(), board.other.count_ones());
    if black_moves {
        Ended { black: own, white: other }
    } else {
        Ended { black: other, white: own }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::selfplay::othilie::printed::printed;

    #[test]
    fn fixed_players_repeat_their_game() {
        let sight = Sight { depth: 2, ..Sight::default() };
        let mut rng = zug_core::rng(1, 0);
        let mut game = || {
            let mut black = Fixed::new(&printed("B1").unwrap().weights, sight);
            let mut white = Fixed::new(&printed("F2").unwrap().weights, sight);
            play(&mut black, &mut white, &mut rng)
        };
        let first = game();
        assert_eq!(first, game());
        assert!(first.black + first.white <= 64);
    }

    #[test]
    fn searching_with_the_weights_of_f2_beats_random_moves_more_often_than_not() {
        let mut white =
            Fixed::new(&printed("F2").unwrap().weights, Sight { depth: 2, ..Sight::default() });
        let won = (0..60)
            .filter(|&g| {
                play(&mut RandomMover, &mut white, &mut zug_core::rng(7, g)).for_white() > 0
            })
            .count();
        assert!(won > 38, "{won} of 60");
    }

    #[test]
    fn a_ring_s_weight_and_the_mean_of_its_classes_come_together_and_never_part() {
        let mut rng = zug_core::rng(3, 0);
        let mut weights = vec![0.0; 42];
        draw_weights(&mut weights, &mut rng);
        let sight = Sight { depth: 2, ..Sight::default() };
        let mut beta = Fixed::new(&weights, sight);
        let rule = Rule { alpha: 1.0, ..Rule::default() };
        let gaps = |w: &[f64]| {
            let mean = |of: &[usize], side: usize| {
                of.iter().map(|c| w[16 * side + c]).sum::<f64>() / of.len() as f64
            };
            let mut gaps = Vec::new();
            for side in 0..2 {
                gaps.push((w[32 + side] - mean(&[0, 1, 2, 3, 4, 8, 12], side)).abs());
                gaps.push((w[34 + side] - mean(&[5, 6, 7, 9, 13], side)).abs());
                gaps.push((w[36 + side] - mean(&[10, 11, 14], side)).abs());
            }
            gaps
        };
        let mut alpha = Learning::new(weights, rule, sight);
        let start = gaps(alpha.weights());
        let mut before = start.clone();
        for _ in 0..60 {
            play(&mut beta, &mut alpha, &mut rng);
            let now = gaps(alpha.weights());
            assert!(now.iter().zip(&before).all(|(n, b)| *n <= b + 1e-12), "{now:?} {before:?}");
            before = now;
        }
        assert!(before.iter().sum::<f64>() < start.iter().sum::<f64>());
    }
}
