//! Which positions are measured? Those that occur in real search trees at the depth where a cut is
//! tried: a few plies below positions of games.
//!
//! The thesis follows move sequences of six plies. Wholly random ones lead to positions that an
//! ordered search hardly ever looks at, since a side that plays badly is refuted at once; most of
//! its nodes lie behind moves from the head of the list. So the default takes the best move by the
//! evaluation with probability 1/2, the second with 1/4, and so on.

use crate::bits::each;
use crate::engine::Evaluation;
use crate::examples::import::PlayedGame;
use crate::examples::openings;
use crate::{Board, Move};
use std::collections::BTreeSet;
use zug_core::seed::RngExt;
use zug_core::{Rng, StopFlag, rng};

/// Plies between the position of a game and the one that is measured.
pub const PLIES_BELOW: u32 = 6;
/// The fewest discs of a measured position: the start of the game and the plies below it.
pub const FIRST_DISCS: u32 = 4 + PLIES_BELOW;
/// The most: with fewer empty squares there is nothing left to foretell.
pub const LAST_DISCS: u32 = 61;
/// A stream of dice for each purpose.
const KEEPING: u64 = 1 << 32;
const BELOW: u64 = 2 << 32;
const OWN_GAMES: u64 = 3 << 32;

/// How the plies below a position of a game are played.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Below {
    /// The better a move looks the likelier: each half as likely as the one before it.
    #[default]
    Ranked,
    /// All moves alike.
    Random,
}

impl Below {
    /// The word for it.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Below::Ranked => "ranked",
            Below::Random => "random",
        }
    }
}

/// Positions of games, so many of each disc count: an even choice from all that were seen.
#[derive(Clone, Debug)]
pub struct Games {
    most: usize,
    kept: Vec<Vec<Board>>,
    seen: Vec<u64>,
    dice: Vec<Rng>,
    games: u64,
}

impl Games {
    /// Keeps `most` positions of each disc count.
    #[must_use]
    pub fn new(most: usize, seed: u64) -> Games {
        Games {
            most: most.max(1),
            kept: vec![Vec::new(); 65],
            seen: vec![0; 65],
            dice: (0..65).map(|discs| rng(seed, KEEPING + discs)).collect(),
            games: 0,
        }
    }

    /// Takes in a game.
    pub fn add(&mut self, game: &PlayedGame) {
        self.games += 1;
        let mut board = game.start;
        self.meet(board);
        for &mv in &game.moves {
            board = board.after_move(mv);
            self.meet(board);
        }
    }

    fn meet(&mut self, board: Board) {
        if board.moves() == 0 {
            return;
        }
        let discs = board.discs() as usize;
        self.seen[discs] += 1;
        if self.kept[discs].len() < self.most {
            self.kept[discs].push(board);
        } else {
            let place = self.dice[discs].random_range(0..self.seen[discs]) as usize;
            if place < self.most {
                self.kept[discs][place] = board;
            }
        }
    }

    /// The positions with so many discs, in the order of their choice.
    #[must_use]
    pub fn with_discs(&self, discs: u32) -> &[Board] {
        self.kept.get(discs as usize).map_or(&[], Vec::as_slice)
    }

    /// How many games were taken in.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.games
    }

    /// From games of its own: see `own_game`.
    #[must_use]
    pub fn own<E: Evaluation>(
        evaluation: &E,
        count: usize,
        most: usize,
        seed: u64,
        stop: &StopFlag,
    ) -> Games {
        let mut games = Games::new(most, seed);
        for number in (0..count as u64).take_while(|_| !stop.is_set()) {
            games.add(&own_game(evaluation, number, seed));
        }
        games
    }
}

/// A game of the program's own: a random opening of some plies, then what the evaluation likes best
/// one ply ahead, with a random move now and then.
pub fn own_game<E: Evaluation>(evaluation: &E, number: u64, seed: u64) -> PlayedGame {
    let mut dice = rng(seed, OWN_GAMES + number);
    let plies = dice.random_range(2..=12);
    let mut moves = openings::random(plies, &mut dice);
    let mut board = moves.iter().fold(Board::START, |b, &mv| b.after_move(mv));
    while !board.is_over() {
        let next = if board.moves() == 0 {
            Move::PASS
        } else {
            let ranked = ranked(evaluation, board);
            let is_random = dice.random_bool(0.1);
            let place = if is_random { dice.random_range(0..ranked.len()) } else { 0 };
            Move::to_square(ranked[place]).expect("a square of the board")
        };
        moves.push(next);
        board = board.after_move(next);
    }
    PlayedGame { start: Board::START, moves, is_finished: true, is_result_other: false }
}

/// Positions to measure, of each disc count.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Sample {
    /// The positions, by disc count and in the order of their choice.
    pub boards: Vec<Board>,
}

impl Sample {
    /// So many positions with `discs` discs, each some plies below one of a game; fewer where the
    /// games do not give as many that differ.
    #[must_use]
    pub fn with_discs<E: Evaluation>(
        evaluation: &E,
        games: &Games,
        discs: u32,
        count: usize,
        below: Below,
        seed: u64,
        stop: &StopFlag,
    ) -> Vec<Board> {
        let roots = games.with_discs(discs.saturating_sub(PLIES_BELOW));
        if roots.is_empty() {
            return Vec::new();
        }
        let mut dice = rng(seed, BELOW + u64::from(discs));
        let (mut met, mut found) = (BTreeSet::new(), Vec::new());
        // A root may be used again, with other moves below it; but not for ever.
        for attempt in 0..8 * count.max(roots.len()) {
            if found.len() == count || stop.is_set() {
                break;
            }
            let root = roots[attempt % roots.len()];
            let Some(board) = descend(evaluation, root, discs, below, &mut dice) else { continue };
            if met.insert(board.canonical()) {
                found.push(board);
            }
        }
        found
    }
}

/// Plays on to so many discs; none where the game ends before, or the mover has to pass there.
fn descend<E: Evaluation>(
    evaluation: &E,
    mut board: Board,
    discs: u32,
    below: Below,
    dice: &mut Rng,
) -> Option<Board> {
    while board.discs() < discs {
        if board.moves() == 0 {
            if board.replies() == 0 {
                return None;
            }
            board = board.passed();
            continue;
        }
        let moves = match below {
            Below::Ranked => ranked(evaluation, board),
            Below::Random => each(board.moves()).collect(),
        };
        let place = match below {
            Below::Ranked => (dice.random::<u64>().trailing_zeros() as usize).min(moves.len() - 1),
            Below::Random => dice.random_range(0..moves.len()),
        };
        board = board.after(moves[place]);
    }
    (board.moves() != 0).then_some(board)
}

/// The moves, the best first by the evaluation of what they lead to.
fn ranked<E: Evaluation>(evaluation: &E, board: Board) -> Vec<u32> {
    let state = evaluation.state(board);
    let mut moves: Vec<(i32, u32)> = each(board.moves())
        .map(|square| {
            let flips = board.flips(square);
            let after = board.played(square, flips);
            let value = if after.is_over() {
                // Larger than any evaluation, and of the right sign.
                1_000_000 * after.final_score()
            } else if after.moves() == 0 {
                let passed = evaluation.passed(&evaluation.played(&state, square, flips));
                -evaluation.value(after.passed(), &passed)
            } else {
                evaluation.value(after, &evaluation.played(&state, square, flips))
            };
            (value, square)
        })
        .collect();
    moves.sort_unstable();
    moves.into_iter().map(|(_, square)| square).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::thesis::Hand;

    #[test]
    fn positions_have_their_discs_a_move_and_differ() {
        let hand = Hand::default();
        let go = StopFlag::new();
        let games = Games::own(&hand, 30, 40, 7, &StopFlag::new());
        assert_eq!(games.count(), 30);
        for below in [Below::Ranked, Below::Random] {
            for discs in [10, 11, 28, 44, 58] {
                let boards = Sample::with_discs(&hand, &games, discs, 25, below, 7, &go);
                assert_eq!(boards.len(), 25, "{discs} discs");
                assert!(boards.iter().all(|b| b.discs() == discs && b.moves() != 0));
                let distinct: BTreeSet<Board> = boards.iter().map(|b| b.canonical()).collect();
                assert_eq!(distinct.len(), 25);
                assert_eq!(boards, Sample::with_discs(&hand, &games, discs, 25, below, 7, &go));
                assert_ne!(boards, Sample::with_discs(&hand, &games, discs, 25, below, 8, &go));
            }
        }
    }

    #[test]
    fn better_moves_are_likelier_below_and_the_rest_still_occurs() {
        let hand = Hand::default();
        let board = Board::START.after(19).after(18);
        let best = ranked(&hand, board);
        assert!(best.len() >= 3);
        let mut dice = rng(1, 0);
        let mut counts = vec![0; best.len()];
        for _ in 0..4000 {
            let after = descend(&hand, board, 7, Below::Ranked, &mut dice).unwrap();
            counts[best.iter().position(|&s| board.after(s) == after).unwrap()] += 1;
        }
        assert!(
            (1850..2150).contains(&counts[0]) && (880..1120).contains(&counts[1]),
            "{counts:?}"
        );
        assert!(counts.iter().all(|&c| c > 0), "{counts:?}");
    }

    #[test]
    fn all_positions_of_games_are_as_likely_to_be_kept() {
        let hand = Hand::default();
        let mut first = 0;
        for seed in 0..40 {
            let games = Games::own(&hand, 20, 5, seed, &StopFlag::new());
            let all = Games::own(&hand, 20, 100, seed, &StopFlag::new());
            assert_eq!(games.kept[30].len(), 5);
            first += all.kept[30][..10].iter().filter(|b| games.kept[30].contains(b)).count();
        }
        // Half of the two hundred that are kept come from the first half of the games.
        assert!((70..130).contains(&first), "{first}");
    }
}
