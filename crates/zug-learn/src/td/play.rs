//! One game of self-play: how are its moves chosen, and which chains are learned from?

use super::chain::{Chain, Growing, Sample};
use super::features::Features;
use super::leaf::{Found, look_ahead, result};
use super::linear::Sight;
use super::rates::Weights;
use super::settings::{Explore, Follow, Method, Settings};
use zug_core::seed::RngExt;
use zug_core::{Game, Line, Outcome, Repetition, Rng, Side};

/// What a game needs to know.
pub struct Table<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// What is seen.
    pub features: &'a dyn Features<G>,
    /// The choices.
    pub settings: &'a Settings,
    /// The share of random moves, or the temperature.
    pub exploration: f64,
    /// An opponent who does not learn, and the side that it plays.
    pub opponent: Option<(&'a [f32], Side)>,
}

/// How a game went.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Course {
    /// Plies, those of the opening included.
    pub plies: u32,
    /// Moves that were tried out.
    pub explored: u32,
    /// The result for the first side: 1, 0 or -1.
    pub result: f64,
}

/// Whoever learns from a game while it is played.
trait Pupil {
    /// The weights by which moves are chosen.
    fn weights(&self) -> &[f32];
    /// The game came through a position where this side was to move.
    fn visit(&mut self, side: Side, sample: Sample);
    /// What follows has nothing to do with what was before; that led to this value.
    fn end(&mut self, goal: f64);
}

/// Collects chains.
struct Collecting<'a> {
    weights: &'a [f32],
    apart: bool,
    open: [Chain; 2],
    done: Vec<Chain>,
}

impl Pupil for Collecting<'_> {
    fn weights(&self) -> &[f32] {
        self.weights
    }

    fn visit(&mut self, side: Side, sample: Sample) {
        let chain = if self.apart { side.index() } else { 0 };
        self.open[chain].samples.push(sample);
    }

    fn end(&mut self, goal: f64) {
        for chain in &mut self.open {
            if !chain.samples.is_empty() {
                self.done.push(Chain { goal, ..std::mem::take(chain) });
            }
        }
    }
}

/// Learns at once.
struct Learning<'a> {
    weights: &'a mut Weights,
    chain: Growing,
    errors: f64,
}

impl Pupil for Learning<'_> {
    fn weights(&self) -> &[f32] {
        &self.weights.now
    }

    fn visit(&mut self, _: Side, sample: Sample) {
        self.errors += self.chain.visit(self.weights, sample);
    }

    fn end(&mut self, goal: f64) {
        self.errors += self.chain.end(self.weights, goal);
    }
}

impl<G: Game> Table<'_, G> {
    /// Plays a game with fixed weights; gives back the chains to learn from.
    pub fn play(&self, weights: &[f32], rng: &mut Rng) -> (Course, Vec<Chain>) {
        let apart = self.settings.follow == Follow::Own;
        let mut pupil = Collecting { weights, apart, open: Default::default(), done: Vec::new() };
        let course = self.play_with(&mut pupil, rng);
        (course, pupil.done)
    }

    /// Plays a game and learns after every move; tells the sum of squared errors.
    pub fn play_and_learn(&self, weights: &mut Weights, rate: f64, rng: &mut Rng) -> (Course, f64) {
        let chain = Growing::new(self.settings.lesson(), rate);
        let mut pupil = Learning { weights, chain, errors: 0.0 };
        let course = self.play_with(&mut pupil, rng);
        (course, pupil.errors)
    }

    fn play_with(&self, pupil: &mut impl Pupil, rng: &mut Rng) -> Course {
        let settings = self.settings;
        let mut line = opening(self.game, settings.opening, rng);
        let mut course = Course::default();
        loop {
            if let Some(end) = self.end_of(&line) {
                course.plies = line.moves().len() as u32;
                course.result = end;
                pupil.end(self.worth(end));
                return course;
            }
            let side = line.to_move();
            let moves = shuffled(&line, rng);
            let foreign = self.opponent.filter(|&(_, plays)| plays == side);
            let mut sight = Sight::new(
                self.features,
                foreign.map_or_else(|| pupil.weights(), |(weights, _)| weights),
                settings.squash,
            );
            let found = choose(&line, &mut sight, &moves, settings.depth);
            let best = found.best.expect("a game that goes on has a move");
            let (mv, tried) = self.explore(&line, &moves, best, &mut sight, rng);
            course.explored += u32::from(tried);
            if foreign.is_none() {
                let (sample, ahead) = self.sample(&line, side, &found, &mut sight);
                pupil.visit(side, sample);
                if tried && settings.cut {
                    // As if the best move had been played, which it was not.
                    pupil.end(ahead);
                }
            }
            line.play(mv);
        }
    }

    /// The position as it is learned from, and what the best move promises: both for the first
    /// side.
    fn sample(
        &self,
        line: &Line<G>,
        side: Side,
        found: &Found<G>,
        sight: &mut Sight<'_, G>,
    ) -> (Sample, f64) {
        use super::leaf::Value;
        let sign = |side: Side| if side == Side::First { 1.0 } else { -1.0 };
        let leaf = &found.leaf;
        let ahead = if leaf.ended {
            // Without the little that a later win is worth less.
            let end = self.game.outcome(&leaf.position).map_or(0.0, |o| result(&o, Side::First));
            self.worth(end)
        } else {
            sign(side) * found.value
        };
        let (position, ended) = match self.settings.method {
            Method::Td => (line.position(), false),
            Method::TdLeaf => (&leaf.position, leaf.ended),
        };
        if ended {
            return (Sample { features: Vec::new(), view: 1.0, value: ahead }, ahead);
        }
        let value = sight.value(self.game, position);
        let view = sign(self.game.to_move(position));
        (Sample { features: sight.seen().to_vec(), view, value: view * value }, ahead)
    }

    fn explore(
        &self,
        line: &Line<G>,
        moves: &[G::Move],
        best: G::Move,
        sight: &mut Sight<'_, G>,
        rng: &mut Rng,
    ) -> (G::Move, bool) {
        if moves.len() < 2 || self.exploration <= 0.0 {
            return (best, false);
        }
        let mv = match self.settings.explore {
            Explore::Epsilon => match rng.random::<f64>() < self.exploration {
                true => moves[rng.random_range(0..moves.len())],
                false => best,
            },
            Explore::Softmax => {
                let depth = self.settings.depth;
                let mut value = |mv| choose(line, sight, std::slice::from_ref(mv), depth).value;
                let values: Vec<f64> = moves.iter().map(&mut value).collect();
                let most = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
                let shares: Vec<f64> =
                    values.iter().map(|v| ((v - most) / self.exploration).exp()).collect();
                let mut left = rng.random::<f64>() * shares.iter().sum::<f64>();
                let drawn = shares.iter().position(|share| {
                    left -= share;
                    left < 0.0
                });
                drawn.map_or(best, |i| moves[i])
            }
        };
        (mv, mv != best)
    }

    /// The result for the first side, if the game has ended or lasted too long.
    fn end_of(&self, line: &Line<G>) -> Option<f64> {
        let too_long = line.moves().len() >= self.settings.max_plies as usize;
        let outcome = line.outcome().or_else(|| too_long.then(|| Outcome::draw("too long")));
        outcome.map(|o| result(&o, Side::First))
    }

    /// What a result is worth to the first side.
    fn worth(&self, result: f64) -> f64 {
        if result == 0.0 { self.settings.draw } else { result }
    }
}

/// A game after up to so many random moves; always one that goes on.
pub(crate) fn opening<G: Game>(game: &G, most: u32, rng: &mut Rng) -> Line<G> {
    let mut line = Line::new(game.clone());
    let plies = if most == 0 { 0 } else { rng.random_range(0..=most) };
    for _ in 0..plies {
        let moves = line.legal_moves();
        if moves.is_empty() {
            break;
        }
        line.play(moves[rng.random_range(0..moves.len())]);
    }
    if line.outcome().is_some() {
        line.undo();
    }
    line
}

/// The legal moves in random order, so that no move is preferred where all look alike.
pub(crate) fn shuffled<G: Game>(line: &Line<G>, rng: &mut Rng) -> Vec<G::Move> {
    let mut moves = line.legal_moves();
    for i in (1..moves.len()).rev() {
        moves.swap(i, rng.random_range(0..=i));
    }
    moves
}

/// Looks ahead from the present position of a line, repetitions at the first ply included.
pub(crate) fn choose<G: Game, V: super::leaf::Value<G> + ?Sized>(
    line: &Line<G>,
    value: &mut V,
    moves: &[G::Move],
    depth: u32,
) -> Found<G> {
    let game = line.game();
    let drawn = |mv: G::Move| {
        let Repetition::Draw(times) = game.repetition() else { return false };
        let mut next = line.position().clone();
        game.play(&mut next, mv);
        let back = game.reversible_plies(&next).min(line.keys().len());
        if back == 0 {
            return false;
        }
        let key = game.repetition_key(&next);
        let before = line.keys().iter().rev().take(back).filter(|&&k| k == key).count();
        before as u32 + 1 >= times && game.outcome(&next).is_none()
    };
    look_ahead(game, value, line.position(), moves, depth, drawn)
}
