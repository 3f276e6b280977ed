//! How does a run of self-play go, stop, and go on?
//!
//! A run is cut into rounds. In a round batches of games are played, all games of a batch with the
//! same weights and each with random numbers of its own; then the weights learn from them in order.
//! So the result does not depend on the number of threads. After each round the learner is measured
//! and plays its champion; everything is saved, and a run that goes on from there ends with the same
//! bytes as one that was never stopped.

use super::contest::{Contestant, Terms, score};
use super::features::SharedFeatures;
use super::judge::{Exam, Marks, Truth};
use super::linear::{Handmade, Linear, Sight};
use super::play::{Course, Table, choose};
use super::rates::Weights;
use super::settings::{Keep, Opponent, Settings, Update};
use super::state::State;
use crate::face::TaskError;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use std::time::{Duration, Instant};
use zug_core::container::Writer;
use zug_core::files::read_journal;
use zug_core::run::Run;
use zug_core::seed::{RngExt, mix};
use zug_core::{Evaluator, Game, Progress, Side, StopFlag, rng};

/// The name of the model in the folder of a run.
pub const MODEL: &str = "model.zug";
/// Between rounds a checkpoint is saved when this much work would be lost.
const PATIENCE: Duration = Duration::from_secs(20);

/// What a learner needs.
pub struct Learner<'a, G: Game> {
    /// The rules.
    pub game: &'a G,
    /// What is seen.
    pub features: SharedFeatures<G>,
    /// The choices.
    pub settings: &'a Settings,
    /// The seed of everything random.
    pub seed: u64,
    /// Who knows what moves are really worth.
    pub truth: Option<&'a dyn Truth<G>>,
    /// A hand-made evaluation to compare with.
    pub reference: Option<&'a dyn Evaluator<G>>,
}

/// What was measured after a round: a line of `metrics.jsonl`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Figures {
    /// The share of right moves in positions of random games, or in all positions.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optimal: Option<f64>,
    /// … where something could go wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optimal_decisive: Option<f64>,
    /// The share of right moves in positions of the learner's own games.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optimal_own: Option<f64>,
    /// … where something could go wrong.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub optimal_own_decisive: Option<f64>,
    /// Positions that were judged.
    #[serde(default)]
    pub judged: u64,
    /// Were these all positions of the game?
    #[serde(default)]
    pub judged_all: bool,
    /// The share of points against random moves.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against_random: Option<f64>,
    /// … against the hand-made evaluation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against_reference: Option<f64>,
    /// … against the champion.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub against_champion: Option<f64>,
    /// Has the learner become the champion?
    #[serde(default)]
    pub new_champion: bool,
    /// The root of the mean squared error of a position of this round.
    #[serde(default)]
    pub error: f64,
    /// Mean plies of a game of this round.
    #[serde(default)]
    pub plies: f64,
    /// Share of the points that the first side won in this round.
    #[serde(default)]
    pub first_points: f64,
    /// Share of drawn games of this round.
    #[serde(default)]
    pub drawn: f64,
    /// Share of moves that were tried out.
    #[serde(default)]
    pub explored: f64,
    /// The rate at the end of the round.
    #[serde(default)]
    pub rate: f64,
}

/// What a run came to.
pub struct Finished<G: Game> {
    /// The evaluation.
    pub model: Linear<G>,
    /// The last figures.
    pub figures: Figures,
}

impl<G: Game> Learner<'_, G> {
    fn stream(&self, what: &str, number: u64) -> u64 {
        let name = what.bytes().fold(self.seed, |hash, b| mix(hash ^ u64::from(b)));
        mix(name ^ mix(number))
    }

    fn start(&self) -> State {
        let mut rng = rng(self.stream("init", 0), 0);
        let size = self.settings.init;
        let weight = |_| ((2.0 * rng.random::<f64>() - 1.0) * size) as f32;
        let now: Vec<f32> = match size {
            0.0 => vec![0.0; self.features.count()],
            _ => (0..self.features.count()).map(weight).collect(),
        };
        State::new(Weights::new(now, self.settings.own))
    }

    /// Goes on with a run (its newest checkpoint, if there is one) to its end.
    pub fn run(
        &self,
        run: &mut Run,
        saved: Option<&zug_core::container::Container>,
        progress: &dyn Progress,
        stop: &StopFlag,
    ) -> Result<Finished<G>, TaskError> {
        let settings = self.settings;
        progress.set_length(Some(settings.games));
        let fresh = saved.is_none();
        let mut state = match saved {
            Some(saved) => State::read(saved, self.features.count(), settings.own)?,
            None => self.start(),
        };
        progress.advance(state.game);
        let stopped = || TaskError::Stopped { resumable: true };
        let exam = match self.truth {
            Some(truth) => {
                progress.message("looking up what is right");
                let seed = self.stream("exam", 0);
                let exam = Exam::random(self.game, truth, settings.sample as usize, seed, stop);
                Some(exam.ok_or_else(stopped)?)
            }
            None => None,
        };
        let mut figures = last_figures(run)?;
        if fresh {
            figures = self.measure(&mut state, exam.as_ref(), stop).ok_or_else(stopped)?;
            self.record(run, &state, &figures)?;
        }
        let mut saved_at = Instant::now();
        while state.game < settings.games {
            let end = self.round_end(state.game);
            while state.game < end {
                if stop.is_set() {
                    self.save(run, &state)?;
                    return Err(stopped());
                }
                let done = self.batch(&mut state, end);
                progress.advance(done);
                if state.game < end && saved_at.elapsed() > PATIENCE {
                    self.save(run, &state)?;
                    saved_at = Instant::now();
                }
            }
            let Some(found) = self.measure(&mut state, exam.as_ref(), stop) else {
                // The round is not whole without its figures; it is played again.
                return Err(stopped());
            };
            figures = found;
            self.record(run, &state, &figures)?;
            progress.message(&summary(&figures));
            saved_at = Instant::now();
        }
        let model = self.model(&state)?;
        self.write_model(run, &model)?;
        Ok(Finished { model, figures })
    }

    /// The game after which the round of this one ends.
    fn round_end(&self, game: u64) -> u64 {
        let (games, rounds) = (self.settings.games, u64::from(self.settings.rounds));
        let boundary = |k: u64| (u128::from(games) * u128::from(k) / u128::from(rounds)) as u64;
        (1..=rounds).map(boundary).find(|&b| b > game).unwrap_or(games)
    }

    /// Plays and learns a batch that does not go beyond `end`; tells how many games.
    fn batch(&self, state: &mut State, end: u64) -> u64 {
        let settings = self.settings;
        let rate = settings.rates().at(state.game, settings.games);
        let first = state.game;
        if settings.update == Update::Moves {
            let nothing = Weights::new(Vec::new(), settings.own);
            let mut weights = std::mem::replace(&mut state.weights, nothing);
            let (table, mut rng) = self.table(&state.pool, first);
            let (course, errors) = table.play_and_learn(&mut weights, rate, &mut rng);
            state.weights = weights;
            tally(state, course, course.plies as usize, errors);
            state.game += 1;
            return 1;
        }
        let last = (first + u64::from(settings.batch)).min(end);
        let played: Vec<_> = {
            let state = &*state;
            (first..last)
                .into_par_iter()
                .map(|game| {
                    let (table, mut rng) = self.table(&state.pool, game);
                    table.play(&state.weights.now, &mut rng)
                })
                .collect()
        };
        let lesson = settings.lesson();
        for (course, chains) in played {
            let positions = chains.iter().map(|c| c.samples.len()).sum();
            let errors =
                chains.iter().map(|chain| lesson.learn(&mut state.weights, chain, rate)).sum();
            tally(state, course, positions, errors);
        }
        state.game = last;
        last - first
    }

    /// A game with its opponent and its random numbers.
    fn table<'t>(&'t self, pool: &'t [Vec<f32>], game: u64) -> (Table<'t, G>, zug_core::Rng) {
        let settings = self.settings;
        let mut rng = rng(self.stream("game", 0), game);
        let others = match settings.opponent {
            Opponent::Itself => &[][..],
            Opponent::Champion => &pool[pool.len().saturating_sub(1)..],
            Opponent::Pool => pool,
        };
        let foreign = !others.is_empty() && rng.random::<f64>() < settings.opponent_share;
        let opponent = foreign.then(|| {
            let weights = &others[rng.random_range(0..others.len())];
            (&weights[..], Side::BOTH[(game % 2) as usize])
        });
        let table = Table {
            game: self.game,
            features: &*self.features,
            settings,
            exploration: settings.exploration(game),
            opponent,
        };
        (table, rng)
    }

    fn sight<'t>(&'t self, weights: &'t [f32]) -> Sight<'t, G> {
        Sight::new(&*self.features, weights, self.settings.squash)
    }

    /// Measures the learner and lets it play for the championship; `None` when stopped.
    fn measure(
        &self,
        state: &mut State,
        exam: Option<&Exam<G>>,
        stop: &StopFlag,
    ) -> Option<Figures> {
        let settings = self.settings;
        if 2 * state.game > settings.games {
            state.add_to_average();
        }
        let mut figures = state.round_figures(settings.rates().at(state.game, settings.games));
        if state.pool.is_empty() && settings.gate_games > 0 {
            state.pool.push(state.weights.now.clone());
        }
        let weights = &state.weights.now;
        let depth = settings.depth;
        if let (Some(truth), Some(exam)) = (self.truth, exam) {
            let marks = exam.mark(|| self.sight(weights), depth, self.stream("mark", state.game));
            (figures.optimal, figures.optimal_decisive) = (marks.share(), marks.decisive_share());
            (figures.judged, figures.judged_all) = (marks.asked, exam.complete);
            let pick = |line: &zug_core::Line<G>, moves: &[G::Move]| {
                let found = choose(line, &mut self.sight(weights), moves, depth);
                found.best.expect("there is a move")
            };
            let (count, seed) = (settings.sample as usize, self.stream("own", state.game));
            let own = Exam::own(self.game, truth, pick, count, seed, stop)?;
            let marks: Marks = own.mark(|| self.sight(weights), depth, seed);
            (figures.optimal_own, figures.optimal_own_decisive) =
                (marks.share(), marks.decisive_share());
        }
        let me = Contestant::judging(|| self.sight(weights), depth);
        let terms = |what: &str, games: u32| Terms {
            games,
            opening: settings.opening.max(2),
            max_plies: settings.max_plies,
            seed: self.stream(what, state.game),
        };
        let tests = settings.test_games;
        figures.against_random =
            score(self.game, &me, &Contestant::Random, terms("random", tests), stop);
        if let Some(reference) = self.reference {
            let other = Contestant::judging(|| Handmade(reference), settings.reference_depth);
            figures.against_reference =
                score(self.game, &me, &other, terms("reference", tests), stop);
        }
        if let Some(champion) = state.pool.last().filter(|_| state.game > 0) {
            let other = Contestant::judging(|| self.sight(champion), depth);
            figures.against_champion =
                score(self.game, &me, &other, terms("gate", settings.gate_games), stop);
        }
        if stop.is_set() {
            return None;
        }
        drop(me);
        if figures.against_champion.is_some_and(|score| score >= settings.gate_score) {
            figures.new_champion = true;
            state.pool.push(state.weights.now.clone());
            let surplus = state.pool.len().saturating_sub(settings.pool as usize);
            state.pool.drain(..surplus);
        }
        state.clear_round();
        Some(figures)
    }

    fn record(&self, run: &mut Run, state: &State, figures: &Figures) -> Result<(), TaskError> {
        run.record(state.game, figures).map_err(TaskError::below)?;
        self.save(run, state)
    }

    fn save(&self, run: &mut Run, state: &State) -> Result<(), TaskError> {
        run.checkpoint(state.game, super::state::LAYOUT, |writer| state.write(writer))
            .map_err(TaskError::below)
    }

    fn model(&self, state: &State) -> Result<Linear<G>, TaskError> {
        let weights = match self.settings.keep {
            Keep::Last => state.weights.now.clone(),
            Keep::Average => state.average(),
            Keep::Champion => state.pool.last().cloned().unwrap_or_default(),
        };
        Linear::new(self.features.clone(), weights, self.settings.squash).ok_or_else(|| {
            let what = "the weights have grown without bounds; try a smaller 'rate'";
            TaskError::Unfit(what.to_string())
        })
    }

    fn write_model(&self, run: &Run, model: &Linear<G>) -> Result<(), TaskError> {
        let mut header = model.header(self.game);
        header.made.command = Some(run.config().command.join(" "));
        header.made.seed = Some(self.seed);
        header.notes.insert("games".into(), self.settings.games.to_string());
        let write = || {
            let mut writer = Writer::create(&run.folder().join(MODEL), &header)?;
            model.write(&mut writer)?;
            writer.commit()
        };
        write().map_err(TaskError::below)
    }
}

/// What an earlier process measured last.
fn last_figures(run: &Run) -> Result<Figures, TaskError> {
    let recorded = read_journal(&run.folder().join("metrics.jsonl")).map_err(TaskError::below)?;
    Ok(recorded.entries.into_iter().next_back().unwrap_or_default())
}

fn tally(state: &mut State, course: Course, positions: usize, errors: f64) {
    let t = &mut state.round;
    t.games += 1.0;
    t.plies += f64::from(course.plies);
    t.explored += f64::from(course.explored);
    t.first += (1.0 + course.result) / 2.0;
    t.drawn += f64::from(u8::from(course.result == 0.0));
    t.positions += positions as f64;
    t.errors += errors;
}

/// The figures in a few words.
pub(crate) fn summary(figures: &Figures) -> String {
    let mut parts = Vec::new();
    let mut add = |name: &str, share: Option<f64>| {
        parts.extend(share.map(|s| format!("{name} {:.1} %", 100.0 * s)));
    };
    add("optimal", figures.optimal);
    add("own", figures.optimal_own);
    add("random", figures.against_random);
    add("reference", figures.against_reference);
    parts.join(", ")
}
