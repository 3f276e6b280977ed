//! Who wins more games?

use super::leaf::Value;
use super::play::{choose, opening, shuffled};
use rayon::prelude::*;
use zug_core::seed::RngExt;
use zug_core::{Game, Rng, Side, StopFlag, rng};

/// Something that chooses moves in a match.
pub enum Contestant<'a, G: Game> {
    /// By look-ahead over an evaluation; each thread makes its own.
    Judging(Box<dyn Fn() -> Box<dyn Value<G> + 'a> + Sync + 'a>, u32),
    /// Any legal move.
    Random,
}

impl<'a, G: Game> Contestant<'a, G> {
    /// By look-ahead of so many plies.
    pub fn judging<V: Value<G> + 'a>(make: impl Fn() -> V + Sync + 'a, depth: u32) -> Self {
        Contestant::Judging(Box::new(move || Box::new(make())), depth)
    }
}

/// How a match is played.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Games; each opening is played twice, with sides changed.
    pub games: u32,
    /// Up to so many random moves begin a game.
    pub opening: u32,
    /// Longer games are drawn.
    pub max_plies: u32,
    /// The seed of openings and of moves that look alike.
    pub seed: u64,
}

/// The share of the points that the first contestant wins; `None` without games and when stopped.
pub fn score<'a, G: Game>(
    game: &G,
    one: &Contestant<'a, G>,
    other: &Contestant<'a, G>,
    terms: Terms,
    stop: &StopFlag,
) -> Option<f64> {
    let play = |number: u32| {
        let mut line = opening(game, terms.opening, &mut rng(terms.seed, u64::from(number / 2)));
        let mut rng: Rng = rng(terms.seed ^ 0x5EED, u64::from(number));
        let ours = Side::BOTH[(number % 2) as usize];
        let mut judges = [one, other].map(|c| match c {
            Contestant::Judging(make, depth) => Some((make(), *depth)),
            Contestant::Random => None,
        });
        while !stop.is_set() && line.moves().len() < terms.max_plies as usize {
            let moves = shuffled(&line, &mut rng);
            if moves.is_empty() {
                break;
            }
            let judge = &mut judges[usize::from(line.to_move() != ours)];
            let mv = match judge {
                Some((value, depth)) => {
                    choose(&line, &mut **value, &moves, *depth).best.expect("there is a move")
                }
                None => moves[rng.random_range(0..moves.len())],
            };
            line.play(mv);
        }
        line.outcome().map_or(0.5, |outcome| outcome.points(ours))
    };
    let points: Vec<f64> = (0..terms.games).into_par_iter().map(play).collect();
    (!points.is_empty() && !stop.is_set()).then(|| points.iter().sum::<f64>() / points.len() as f64)
}
