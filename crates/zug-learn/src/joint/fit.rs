//! Which weights make loss and penalty smallest, and when is it enough?
//!
//! Both losses go the same way. At the weights at hand (the *base*) the loss is replaced by a
//! parabola, whose lowest point is looked for by conjugate gradients. With squared error the
//! parabola is the loss itself: one base, and every step of conjugate gradients is an iteration that
//! is judged on the validation examples. With logistic loss a few steps are made, the base moves
//! there, and each move is an iteration.

use super::passes::{Passes, Total};
use super::penalty::{Penalty, Preconditioner};
use super::state::{Saver, State};
use super::vectors::{add, dot, moved, turn};
use super::{Loss, Saving, TableError, TableExamples};
use serde::{Deserialize, Serialize};
use zug_core::{Progress, StopFlag};

/// How a fit is to be made.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TableFit {
    /// What is made small.
    pub loss: Loss,
    /// Draws weights towards 0, counted in examples.
    pub ridge: f64,
    /// Draws the weights of neighbouring knots towards each other, counted in examples.
    pub smooth: f64,
    /// Cells with less weight of examples than this, at all knots together, are held at 0.
    pub rarest: f64,
    /// The most iterations.
    pub iterations: u64,
    /// The most steps of conjugate gradients in one iteration of the logistic loss.
    pub inner: u64,
    /// Ends when the gradient (as the preconditioner measures it) is this fraction of the first one.
    pub tolerance: f64,
    /// Ends when the validation error has not become smaller for so many iterations.
    pub patience: u64,
}

impl Default for TableFit {
    fn default() -> TableFit {
        TableFit {
            loss: Loss::Squared,
            ridge: 1.0,
            smooth: 1.0,
            rarest: 0.0,
            iterations: 100,
            inner: 10,
            tolerance: 1e-6,
            patience: 5,
        }
    }
}

impl TableFit {
    fn check(&self) -> Result<(), TableError> {
        let expected = "a finite number of at least 0";
        let options = [
            ("ridge", self.ridge),
            ("smooth", self.smooth),
            ("rarest", self.rarest),
            ("tolerance", self.tolerance),
        ];
        for (name, value) in options {
            if !(value.is_finite() && value >= 0.0) {
                return Err(TableError::Option { name, value, expected });
            }
        }
        let counts =
            [("iterations", self.iterations), ("inner", self.inner), ("patience", self.patience)];
        match counts.into_iter().find(|&(_, count)| count == 0) {
            Some((name, _)) => Err(TableError::Option { name, value: 0.0, expected: "at least 1" }),
            None => Ok(()),
        }
    }
}

/// The figures of an iteration. Errors are the root of the mean squared error, or the mean
/// logarithmic loss.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Iteration {
    /// Its number, from 1; 0 are the figures before the first.
    pub step: u64,
    /// The error on the training examples, without the penalty.
    pub training: f64,
    /// The error on the validation examples, if there are any.
    pub validation: Option<f64>,
    /// The gradient against the first one.
    pub gradient: f64,
}

/// Why a fit ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ended {
    /// The gradient vanished.
    Converged,
    /// The validation error did not become smaller any more.
    Patience,
    /// All iterations are made.
    Iterations,
    /// It was asked to stop.
    Stopped,
}

/// What was found.
#[derive(Clone, Debug)]
pub struct Fitted {
    /// The weights of the best iteration, with the knots of a cell side by side.
    pub weights: Vec<f64>,
    /// The weight of the examples of each cell at each knot, in the same order.
    pub seen: Vec<f64>,
    /// The weight of all training examples.
    pub weight: f64,
    /// All iterations.
    pub iterations: Vec<Iteration>,
    /// The number of the best one.
    pub best: u64,
    /// Why it ended.
    pub ended: Ended,
}

impl Fitted {
    /// The weights knot by knot.
    #[must_use]
    pub fn by_knot(&self, knots: usize) -> Vec<f32> {
        let cells = self.weights.len() / knots.max(1);
        let places = (0..knots).flat_map(|k| (0..cells).map(move |c| c * knots + k));
        places.map(|place| self.weights[place] as f32).collect()
    }
}

/// Fits. With validation examples the weights of the iteration with the smallest validation error
/// are given back, otherwise those of the last. Works on the threads of the current rayon pool; the
/// result does not depend on their number.
pub fn fit(
    training: &dyn TableExamples,
    validation: Option<&dyn TableExamples>,
    options: &TableFit,
    saving: Option<&Saving<'_>>,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Fitted, TableError> {
    options.check()?;
    progress.set_length(Some(options.iterations));
    progress.message("looking at the examples");
    let mut work = Work::begin(training, validation, options, stop)?;
    let mut saver = Saver::new(saving, training, options);
    let mut state = match saver.load()? {
        Some(state) => state,
        None => work.first_state()?,
    };
    progress.advance(state.step());
    let ended = loop {
        if let Some(ended) = work.ended(&state) {
            break ended;
        }
        if stop.is_set() {
            break Ended::Stopped;
        }
        match work.iterate(&mut state) {
            Ok(()) => {}
            Err(TableError::Stopped) => break Ended::Stopped,
            Err(error) => return Err(error),
        }
        progress.advance(1);
        progress.message(&words(state.last()));
        saver.save_if_due(&state)?;
    };
    saver.save(&state)?;
    let last = state.step();
    let (weights, best) = match work.validation {
        Some(_) => (state.best, state.best_step),
        None => (moved(&state.base, 1.0, &state.step_taken), last),
    };
    let Work { seen, weight, .. } = work;
    Ok(Fitted { weights, seen, weight, iterations: state.iterations, best, ended })
}

fn words(at: &Iteration) -> String {
    let validation = at.validation.map_or(String::new(), |v| format!(", validation {v:.4}"));
    format!("iteration {}: training {:.4}{validation}", at.step, at.training)
}

/// The problem.
struct Work<'a> {
    options: &'a TableFit,
    stop: &'a StopFlag,
    training: Passes<'a>,
    validation: Option<Passes<'a>>,
    penalty: Penalty,
    /// Of the base at hand; made when first needed.
    preconditioner: Option<Preconditioner>,
    seen: Vec<f64>,
    weight: f64,
}

impl<'a> Work<'a> {
    fn begin(
        training: &'a dyn TableExamples,
        validation: Option<&'a dyn TableExamples>,
        options: &'a TableFit,
        stop: &'a StopFlag,
    ) -> Result<Work<'a>, TableError> {
        let shape = |t: &dyn TableExamples| {
            format!("{} cells, {} knots and {} cells a row", t.cells(), t.knots(), t.width())
        };
        if let Some(other) = validation.filter(|&v| shape(v) != shape(training)) {
            let (training, validation) = (shape(training), shape(other));
            return Err(TableError::Shapes { training, validation });
        }
        let sizes =
            [("cells", training.cells()), ("knots", training.knots()), ("width", training.width())];
        if let Some((name, _)) = sizes.into_iter().find(|&(_, size)| size == 0) {
            return Err(TableError::Option { name, value: 0.0, expected: "at least 1" });
        }
        let mut passes = Passes::new(training)?;
        let (Total { weight, .. }, seen) = passes.check(options.loss, stop)?;
        if weight <= 0.0 {
            return Err(TableError::NoExamples("training"));
        }
        let validation = validation.map(Passes::new).transpose()?;
        let validation = match validation {
            Some(mut passes) => {
                let (Total { weight, .. }, _) = passes.check(options.loss, stop)?;
                passes.forget();
                if weight <= 0.0 {
                    return Err(TableError::NoExamples("validation"));
                }
                Some(passes)
            }
            None => None,
        };
        let knots = training.knots();
        let held = seen
            .chunks_exact(knots)
            .map(|cell| cell.iter().sum::<f64>() < options.rarest)
            .collect();
        let penalty = Penalty { knots, ridge: options.ridge, smooth: options.smooth, held };
        Ok(Work {
            options,
            stop,
            training: passes,
            validation,
            penalty,
            preconditioner: None,
            seen,
            weight,
        })
    }

    fn first_state(&mut self) -> Result<State, TableError> {
        let base = vec![0.0; self.training.weights()];
        let mut state = State::at(base);
        self.settle(&mut state)?;
        let first = state.squared_gradient;
        state.first_gradient = first;
        let training = self.readable(state.base_value, &state.base);
        self.judge(&mut state, training)?;
        Ok(state)
    }

    fn ended(&self, state: &State) -> Option<Ended> {
        let bound = self.options.tolerance * self.options.tolerance * state.first_gradient;
        if state.squared_gradient <= bound {
            return Some(Ended::Converged);
        }
        let waits = state.step() - state.best_step >= self.options.patience;
        if self.validation.is_some() && waits {
            return Some(Ended::Patience);
        }
        (state.step() >= self.options.iterations).then_some(Ended::Iterations)
    }

    fn iterate(&mut self, state: &mut State) -> Result<(), TableError> {
        match self.options.loss {
            Loss::Squared => {
                self.conjugate_step(state)?;
                let value = state.base_value - state.gained;
                let weights = moved(&state.base, 1.0, &state.step_taken);
                let training = self.readable(value, &weights);
                self.judge_at(state, weights, training)
            }
            Loss::Logistic => {
                // What a stop leaves half done is done again, so that the state saved is that of
                // whole iterations.
                let mut next = state.clone();
                self.newton_step(&mut next)?;
                let training = self.readable(next.base_value, &next.base);
                self.judge(&mut next, training)?;
                *state = next;
                Ok(())
            }
        }
    }

    /// Loss and gradient at the base, from where conjugate gradients begin.
    fn settle(&mut self, state: &mut State) -> Result<(), TableError> {
        let (total, mut gradient) =
            self.training.gradient(self.options.loss, &state.base, self.stop)?;
        state.base_value = total.loss + self.penalty.value(&state.base);
        self.penalty.add_slope(&state.base, &mut gradient);
        gradient.iter_mut().for_each(|g| *g = -*g);
        state.residual = gradient;
        state.step_taken.fill(0.0);
        state.gained = 0.0;
        self.preconditioner = None;
        let z = self.preconditioner(&state.base)?.solve(&state.residual);
        state.squared_gradient = dot(&state.residual, &z);
        state.direction = z;
        finite(state.step(), "gradient", state.squared_gradient)
    }

    fn preconditioner(&mut self, base: &[f64]) -> Result<&Preconditioner, TableError> {
        if self.preconditioner.is_none() {
            let (own, between) = self.training.diagonal(self.options.loss, base, self.stop)?;
            self.preconditioner = Some(Preconditioner::new(own, between, &self.penalty));
        }
        Ok(self.preconditioner.as_ref().expect("made above"))
    }

    /// A step of conjugate gradients.
    fn conjugate_step(&mut self, state: &mut State) -> Result<(), TableError> {
        let loss = self.options.loss;
        let mut bent = self.training.curvature(loss, &state.base, &state.direction, self.stop)?;
        self.penalty.add_slope(&state.direction, &mut bent);
        let along = dot(&state.direction, &bent);
        finite(state.step(), "curvature", along)?;
        if along <= 0.0 {
            // No curvature is left in this direction: nothing to gain but rounding.
            state.squared_gradient = 0.0;
            return Ok(());
        }
        self.preconditioner(&state.base)?;
        let length = state.squared_gradient / along;
        add(&mut state.step_taken, length, &state.direction);
        add(&mut state.residual, -length, &bent);
        state.gained += 0.5 * length * state.squared_gradient;
        let z = self.preconditioner(&state.base)?.solve(&state.residual);
        let squared = dot(&state.residual, &z);
        finite(state.step(), "gradient", squared)?;
        turn(&mut state.direction, squared / state.squared_gradient, &z);
        state.squared_gradient = squared;
        Ok(())
    }

    /// Some steps on the parabola at the base, and the base goes there, or half of the way if the
    /// loss has become larger.
    fn newton_step(&mut self, state: &mut State) -> Result<(), TableError> {
        let begin = state.squared_gradient;
        // The nearer the end, the better the parabola, the more steps on it are worth while.
        let share = (begin / state.first_gradient).sqrt().sqrt().min(0.5);
        for _ in 0..self.options.inner {
            self.conjugate_step(state)?;
            if state.squared_gradient <= share * share * begin {
                break;
            }
        }
        let (base, value) = (state.base.clone(), state.base_value);
        let step = state.step_taken.clone();
        let mut length = 1.0;
        loop {
            state.base = moved(&base, length, &step);
            let total = self.training.loss(self.options.loss, &state.base, self.stop)?;
            let now = total.loss + self.penalty.value(&state.base);
            if now <= value {
                break;
            }
            length *= 0.5;
            if length < 1e-6 {
                // Only rounding is left.
                state.base = base;
                break;
            }
        }
        self.settle(state)?;
        if length < 1e-6 {
            state.squared_gradient = 0.0;
        }
        Ok(())
    }

    /// The training error that belongs to a value of loss and penalty.
    fn readable(&self, value: f64, weights: &[f64]) -> f64 {
        let loss = value - self.penalty.value(weights);
        self.options.loss.readable(loss / self.weight)
    }

    fn judge(&mut self, state: &mut State, training: f64) -> Result<(), TableError> {
        let weights = state.base.clone();
        self.judge_at(state, weights, training)
    }

    fn judge_at(
        &mut self,
        state: &mut State,
        weights: Vec<f64>,
        training: f64,
    ) -> Result<(), TableError> {
        let loss = self.options.loss;
        // An iteration that is made is judged, even if the wish to stop comes now.
        let validation = match &self.validation {
            Some(passes) => {
                let total = passes.loss(loss, &weights, &StopFlag::new())?;
                Some(loss.readable(total.loss / total.weight))
            }
            None => None,
        };
        let step = state.iterations.len() as u64;
        finite(step, "training error", training)?;
        if let Some(error) = validation {
            finite(step, "validation error", error)?;
            if step == 0 || error < state.best_error {
                (state.best, state.best_error, state.best_step) = (weights, error, step);
            }
        }
        let gradient =
            (state.squared_gradient / state.first_gradient.max(f64::MIN_POSITIVE)).sqrt();
        state.iterations.push(Iteration { step, training, validation, gradient });
        Ok(())
    }
}

fn finite(step: u64, what: &'static str, value: f64) -> Result<(), TableError> {
    if value.is_finite() { Ok(()) } else { Err(TableError::Diverged { step, what, value }) }
}
