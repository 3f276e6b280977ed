//! Which weights make the moves of good players likely?
//!
//! For every position of the games, the probability of a move is its weight's share among all moves that
//! a playout could make; its logarithm, summed over the games, is made as large as can be by
//! stochastic gradient ascent (a step for each position, shorter for what has been moved often). The
//! games go by in an order drawn from the seed; the same games and seed give the same model.

use super::answers::{answers, self_atari};
use super::field::{Field, Work};
use super::weights::{
    ANSWERS, DISTANCES, LINES, PlayoutModel, SURROUNDINGS, Weights, distance, exchanged, place_of,
};
use crate::corpus::{Corpus, GoRecord};
use crate::position::Position;
use zug_core::seed::RngExt;
use zug_core::{Progress, StopFlag, rng};

/// How the weights are learned.
#[derive(Clone, Debug, PartialEq)]
pub struct LearnOptions {
    /// How often all games are gone through.
    pub epochs: u32,
    /// The length of the first steps.
    pub rate: f32,
    /// Pulls weights towards zero.
    pub decay: f32,
    /// Learn distances from the edge and from earlier moves too: for a policy, not for playouts.
    pub whole: bool,
    /// Every so manieth game is not learned from but tested on.
    pub hold_out: usize,
    /// Where the order of the games comes from.
    pub seed: u64,
}

impl Default for LearnOptions {
    fn default() -> LearnOptions {
        LearnOptions { epochs: 3, rate: 0.15, decay: 1e-6, whole: false, hold_out: 20, seed: 1 }
    }
}

/// How well moves were foretold.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Accuracy {
    /// Positions.
    pub positions: u64,
    /// How often the move played was the likeliest, from 0 to 1.
    pub first: f64,
    /// The mean logarithm of its probability.
    pub log_likelihood: f64,
}

/// What was learned, and how good it is on games that were held out.
#[derive(Clone, Debug, PartialEq)]
pub struct Learned {
    /// The weights.
    pub model: PlayoutModel,
    /// On games that it did not learn from.
    pub accuracy: Accuracy,
    /// Was it stopped early?
    pub stopped: bool,
}

/// Features of a move: its class, then those that have a number of their own behind the classes.
struct Candidate {
    point: u16,
    features: [u32; 12],
    count: usize,
}

impl Candidate {
    fn push(&mut self, feature: usize) {
        if self.count < self.features.len() {
            self.features[self.count] = feature as u32;
            self.count += 1;
        }
    }
}

struct Learner {
    weights: Vec<f32>,
    moved: Vec<f32>,
    plain: Weights,
    work: Work,
    candidates: Vec<Candidate>,
    chances: Vec<f32>,
    whole: bool,
}

fn classes() -> usize {
    SURROUNDINGS.classes.len()
}

impl Learner {
    fn new(whole: bool) -> Learner {
        let count = classes() + ANSWERS + LINES + 2 * DISTANCES;
        Learner {
            weights: vec![0.0; count],
            moved: vec![1e-3; count],
            plain: Weights::plain(),
            work: Work::default(),
            candidates: Vec::new(),
            chances: Vec::new(),
            whole,
        }
    }

    /// Goes through a game, and through each position where a stone is played.
    fn replay(&mut self, game: &GoRecord, mut visit: impl FnMut(&mut Learner, usize)) {
        let mut field = Field::new(&Position::new(game.size()), &self.plain);
        let mut recent = [0u16; 2];
        for (ply, mv) in game.moves().enumerate() {
            let side = ply % 2;
            match mv {
                None => field.pass(&self.plain),
                Some(p) => {
                    self.look(&field, side, recent);
                    let played = self.candidates.iter().position(|c| c.point == p.0);
                    if let Some(played) = played.filter(|_| self.candidates.len() > 1) {
                        self.judge();
                        visit(self, played);
                    }
                    field.play(p.0, side, &self.plain, &mut self.work);
                }
            }
            recent = [mv.map_or(0, |p| p.0), recent[0]];
        }
    }

    /// The moves that a playout could make, with their features.
    fn look(&mut self, field: &Field, side: usize, recent: [u16; 2]) {
        self.candidates.clear();
        let mut place = [u16::MAX; 512];
        let opening = field.is_opening();
        for p in field.points().filter(|&p| field.at(p) == 0 && field.weight(p, side) > 0) {
            let code = field.code(p);
            let code = if side == 0 { code } else { exchanged(code) };
            let Some(class) = SURROUNDINGS.class(code) else { continue };
            let mut candidate = Candidate { point: p, features: [0; 12], count: 0 };
            candidate.push(class);
            if let Some((kind, _)) = self_atari(field, p, side) {
                candidate.push(classes() + kind as usize);
            }
            if self.whole {
                let after = classes() + ANSWERS;
                candidate.push(after + place_of(p, field.size(), opening));
                candidate.push(after + LINES + distance(p, recent[0]));
                candidate.push(after + LINES + DISTANCES + distance(p, recent[1]));
            }
            place[usize::from(p)] = self.candidates.len() as u16;
            self.candidates.push(candidate);
        }
        answers(field, side, recent[0], |p, kind| {
            let at = usize::from(place[usize::from(p) & 511]);
            if let Some(candidate) = self.candidates.get_mut(at) {
                candidate.push(classes() + kind as usize);
            }
        });
    }

    /// The probabilities of the candidates.
    fn judge(&mut self) {
        let weights = &self.weights;
        self.chances.clear();
        self.chances.extend(
            self.candidates
                .iter()
                .map(|c| c.features[..c.count].iter().map(|&f| weights[f as usize]).sum::<f32>()),
        );
        let most = self.chances.iter().copied().fold(f32::MIN, f32::max);
        self.chances.iter_mut().for_each(|c| *c = (*c - most).exp());
        let sum: f32 = self.chances.iter().sum();
        self.chances.iter_mut().for_each(|c| *c /= sum);
    }

    fn step(&mut self, played: usize, rate: f32, decay: f32) {
        for (i, candidate) in self.candidates.iter().enumerate() {
            let pull = f32::from(u8::from(i == played)) - self.chances[i];
            if pull.abs() < 1e-5 {
                continue;
            }
            for &feature in &candidate.features[..candidate.count] {
                let feature = feature as usize;
                let slope = pull - decay * self.weights[feature];
                self.moved[feature] += slope * slope;
                self.weights[feature] += rate * slope / self.moved[feature].sqrt();
            }
        }
    }

    fn model(&self) -> PlayoutModel {
        let mut model = PlayoutModel::plain();
        let (around, rest) = self.weights.split_at(classes());
        let (answers, rest) = rest.split_at(ANSWERS);
        let (lines, near) = rest.split_at(LINES);
        model.around.copy_from_slice(around);
        model.answers.copy_from_slice(answers);
        model.lines.copy_from_slice(lines);
        model.near[0].copy_from_slice(&near[..DISTANCES]);
        model.near[1].copy_from_slice(&near[DISTANCES..]);
        model
    }
}

/// Learns from all games of a corpus, which should be of one board size.
pub fn learn(
    corpus: &Corpus,
    options: &LearnOptions,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Learned {
    let mut learner = Learner::new(options.whole);
    let is_test = |i: usize| options.hold_out > 0 && i % options.hold_out == options.hold_out - 1;
    let mut order: Vec<usize> = (0..corpus.games.len()).filter(|&i| !is_test(i)).collect();
    progress.message("learning weights of playouts");
    progress.begin(Some(order.len() as u64 * u64::from(options.epochs)));
    let mut rng = rng(options.seed, 0x91A7);
    for _ in 0..options.epochs {
        for i in (1..order.len()).rev() {
            order.swap(i, rng.random_range(0..=i));
        }
        for &i in &order {
            if stop.is_set() {
                break;
            }
            learner.replay(&corpus.games[i], |learner, played| {
                learner.step(played, options.rate, options.decay);
            });
            progress.advance(1);
        }
    }
    let mut accuracy = Accuracy::default();
    for (_, game) in corpus.games.iter().enumerate().filter(|(i, _)| is_test(*i)) {
        learner.replay(game, |learner, played| {
            let chance = learner.chances[played];
            accuracy.positions += 1;
            accuracy.log_likelihood += f64::from(chance.max(1e-9).ln());
            // Where several are likeliest, one of them is guessed.
            if learner.chances.iter().all(|&c| c <= chance) {
                let equal = learner.chances.iter().filter(|&&c| c == chance).count();
                accuracy.first += 1.0 / equal as f64;
            }
        });
    }
    let count = accuracy.positions.max(1) as f64;
    accuracy.first /= count;
    accuracy.log_likelihood /= count;
    progress.finish();
    Learned { model: learner.model(), accuracy, stopped: stop.is_set() }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::corpus::Filter;
    use zug_core::progress::Silent;

    #[test]
    fn what_is_always_played_becomes_likely_and_the_seed_decides_all() {
        // Both sides always play beside the last stone.
        let snake: &[u8] = b"(;SZ[9];B[ee];W[ed];B[dd];W[cd];B[ce];W[be];B[bf];W[af];B[ag];W[bg])";
        let other: &[u8] = b"(;SZ[9];B[cc];W[dc];B[dd];W[de];B[ee];W[fe];B[ff];W[gf];B[gg];W[hg])";
        let corpus = Corpus::of_files([("a.sgf", snake), ("b.sgf", other)], &Filter::of_size(9));
        assert_eq!(corpus.games.len(), 2);
        let options = LearnOptions { epochs: 20, hold_out: 0, ..LearnOptions::default() };
        let stop = StopFlag::new();
        let learned = learn(&corpus, &options, &Silent, &stop);
        let model = &learned.model;
        assert!(model.answers[0] > 1.0, "beside: {:?}", model.answers);
        assert!(model.answers[0] > model.answers[1] + 1.0);
        assert!(model.lines.iter().all(|&w| w == 0.0), "playouts have no lines");
        assert_eq!(learn(&corpus, &options, &Silent, &stop), learned);
    }
}
