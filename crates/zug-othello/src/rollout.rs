//! Random play to the end on bitboards, for Monte-Carlo search.

use crate::{Move, Othello, Position, bits};
use zug_core::seed::RngExt;
use zug_core::{Game, Outcome, Rng};
use zug_search::Rollout;

/// Uniformly random moves to the end of the game.
#[derive(Clone, Copy, Debug, Default)]
pub struct RandomPlay;

impl Rollout<Othello> for RandomPlay {
    fn rollout(&self, game: &Othello, position: &Position, rng: &mut Rng) -> Outcome {
        let mut at = *position;
        let mut passed = false;
        loop {
            let mut placements = game.placements(&at);
            let mv = match placements.count_ones() {
                0 if passed => break,
                0 => Move::PASS,
                count => {
                    for _ in 0..rng.random_range(0..count) {
                        placements &= placements - 1;
                    }
                    bits::each(placements).next().and_then(Move::to_square).unwrap_or(Move::PASS)
                }
            };
            passed = mv.is_pass();
            at.play(mv);
        }
        game.outcome(&at).expect("neither side could move")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn play_ends_and_is_repeatable_and_fair_to_both_sides() {
        let game = Othello::default();
        let mut wins = [0; 2];
        for stream in 0..500 {
            let play = || RandomPlay.rollout(&game, &game.start(), &mut zug_core::rng(1, stream));
            let outcome = play();
            assert_eq!(outcome, play());
            if let Some(side) = outcome.winner {
                wins[side.index()] += 1;
            }
        }
        // Black wins 46 % and white 50 % of random games.
        assert!(wins.iter().all(|&w| (190..290).contains(&w)), "{wins:?}");
    }
}
