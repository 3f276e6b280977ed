//! Everything that a run must remember to go on: weights, champions, sums; and its checkpoint.

use super::learner::Figures;
use super::rates::{Own, Weights};
use crate::face::TaskError;
use zug_core::container::{Container, ContainerError, Writer};

/// How checkpoints are to be understood.
pub(crate) const LAYOUT: &str = "td-state/1";

/// Sums over the games of a round.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Round {
    pub games: f64,
    pub plies: f64,
    pub explored: f64,
    pub first: f64,
    pub drawn: f64,
    pub positions: f64,
    pub errors: f64,
}

/// The state of a run.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct State {
    /// Games played.
    pub game: u64,
    pub weights: Weights,
    /// Champions, the present one last.
    pub pool: Vec<Vec<f32>>,
    pub round: Round,
    sum: Vec<f64>,
    summed: u64,
}

impl State {
    pub fn new(weights: Weights) -> State {
        State {
            game: 0,
            weights,
            pool: Vec::new(),
            round: Round::default(),
            sum: Vec::new(),
            summed: 0,
        }
    }

    pub fn add_to_average(&mut self) {
        self.sum.resize(self.weights.now.len(), 0.0);
        for (sum, now) in self.sum.iter_mut().zip(&self.weights.now) {
            *sum += f64::from(*now);
        }
        self.summed += 1;
    }

    /// The mean of all weights that were added, or the present ones if none were.
    pub fn average(&self) -> Vec<f32> {
        if self.summed == 0 {
            return self.weights.now.clone();
        }
        self.sum.iter().map(|sum| (sum / self.summed as f64) as f32).collect()
    }

    pub fn clear_round(&mut self) {
        self.round = Round::default();
    }

    pub fn round_figures(&self, rate: f64) -> Figures {
        let Round { games, plies, explored, first, drawn, positions, errors } = self.round;
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { 0.0 };
        Figures {
            error: share(errors, positions).sqrt(),
            plies: share(plies, games),
            first_points: share(first, games),
            drawn: share(drawn, games),
            explored: share(explored, plies),
            rate,
            ..Figures::default()
        }
    }

    pub fn write<W: std::io::Write>(&self, writer: &mut Writer<W>) -> Result<(), ContainerError> {
        let Round { games, plies, explored, first, drawn, positions, errors } = self.round;
        writer.array("counts", &[self.game, self.pool.len() as u64, self.summed])?;
        writer.array("round", &[games, plies, explored, first, drawn, positions, errors])?;
        writer.array("weights", &self.weights.now)?;
        writer.array("net", &self.weights.net)?;
        writer.array("size", &self.weights.size)?;
        writer.array("pool", &self.pool.concat())?;
        writer.array("sum", &self.sum)
    }

    pub fn read(saved: &Container, features: usize, own: Own) -> Result<State, TaskError> {
        let unfit = |what: &str| TaskError::Unfit(format!("{}: {what}", saved.file()));
        let read = |name: &str, most: u64| -> Result<Vec<f32>, TaskError> {
            saved.section(name).and_then(|s| s.array(most)).map_err(TaskError::below)
        };
        let all = features as u64;
        let counts: Vec<u64> =
            saved.section("counts").and_then(|s| s.array(3)).map_err(TaskError::below)?;
        let &[game, champions, summed] = counts.as_slice() else {
            return Err(unfit("expected three counts"));
        };
        let round: Vec<f64> =
            saved.section("round").and_then(|s| s.array(7)).map_err(TaskError::below)?;
        let &[games, plies, explored, first, drawn, positions, errors] = round.as_slice() else {
            return Err(unfit("expected seven sums of the round"));
        };
        let sum: Vec<f64> =
            saved.section("sum").and_then(|s| s.array(all)).map_err(TaskError::below)?;
        if champions > 64 {
            return Err(unfit("expected at most 64 champions"));
        }
        let pool = read("pool", all * champions)?;
        let weights =
            Weights::with_memory(read("weights", all)?, own, read("net", all)?, read("size", all)?)
                .filter(|w| w.now.len() == features)
                .ok_or_else(|| unfit("expected one weight for each feature"))?;
        let whole = pool.len() as u64 == all * champions
            && sum.len() == if summed > 0 { features } else { 0 };
        if !whole {
            return Err(unfit("the number of its weights does not fit its counts"));
        }
        let pool = pool.chunks(features.max(1)).map(<[f32]>::to_vec).collect();
        let round = Round { games, plies, explored, first, drawn, positions, errors };
        Ok(State { game, weights, pool, round, sum, summed })
    }
}
