//! How does an interrupted fit go on?
//!
//! The state after an iteration is saved whole: an interrupted fit that goes on makes the same
//! steps, bit for bit, as one that was not interrupted.

use super::{Iteration, TableError, TableExamples, TableFit};
use std::time::{Duration, Instant};
use zug_core::checkpoint::Checkpoints;
use zug_core::container::{Container, Expect, Header, Kind};

const LAYOUT: &str = "table-fit/1";
const MOST_FIGURES: u64 = 1 << 22;

/// Where a fit saves its state.
#[derive(Clone, Copy, Debug)]
pub struct Saving<'a> {
    /// The folder.
    pub checkpoints: &'a Checkpoints,
    /// The game, for the header.
    pub game: &'a str,
    /// What the examples are, a digest say: a fit does not go on with others.
    pub data: &'a str,
    /// How often. The result does not depend on it.
    pub every: Duration,
}

/// Where a fit stands.
#[derive(Clone, Debug, PartialEq)]
pub struct State {
    /// The weights at which the loss was taken for a parabola.
    pub base: Vec<f64>,
    /// Loss and penalty there.
    pub base_value: f64,
    /// How far conjugate gradients have come from there.
    pub step_taken: Vec<f64>,
    /// What they have gained.
    pub gained: f64,
    /// Minus the gradient.
    pub residual: Vec<f64>,
    /// Where the next step goes.
    pub direction: Vec<f64>,
    /// The gradient, squared, as the preconditioner measures it.
    pub squared_gradient: f64,
    /// The same at the first base.
    pub first_gradient: f64,
    /// The weights with the smallest validation error.
    pub best: Vec<f64>,
    /// That error.
    pub best_error: f64,
    /// And when it was met.
    pub best_step: u64,
    /// The figures so far.
    pub iterations: Vec<Iteration>,
}

impl State {
    /// Nothing done yet.
    pub fn at(base: Vec<f64>) -> State {
        State {
            base_value: 0.0,
            step_taken: vec![0.0; base.len()],
            gained: 0.0,
            residual: Vec::new(),
            direction: Vec::new(),
            squared_gradient: 0.0,
            first_gradient: 0.0,
            best: Vec::new(),
            best_error: f64::INFINITY,
            best_step: 0,
            iterations: Vec::new(),
            base,
        }
    }

    /// The number of the last iteration.
    pub fn step(&self) -> u64 {
        self.iterations.last().map_or(0, |i| i.step)
    }

    /// Its figures.
    pub fn last(&self) -> &Iteration {
        self.iterations.last().expect("a state is judged when it is made")
    }
}

/// Saves and loads states.
pub struct Saver<'a> {
    saving: Option<&'a Saving<'a>>,
    weights: usize,
    /// Everything that the steps depend on.
    identity: String,
    saved: Instant,
    saved_step: Option<u64>,
}

impl<'a> Saver<'a> {
    pub fn new(
        saving: Option<&'a Saving<'a>>,
        data: &dyn TableExamples,
        options: &TableFit,
    ) -> Saver<'a> {
        // Neither patience nor the number of iterations changes the steps: a fit may go on longer.
        let TableFit { loss, ridge, smooth, rarest, inner, .. } = options;
        let identity = format!(
            "{} cells, {} knots, loss {loss:?}, ridge {ridge}, smooth {smooth}, rarest {rarest}, \
             inner {inner}, examples {}",
            data.cells(),
            data.knots(),
            saving.map_or("", |s| s.data),
        );
        let weights = data.cells() * data.knots();
        Saver { saving, weights, identity, saved: Instant::now(), saved_step: None }
    }

    pub fn load(&mut self) -> Result<Option<State>, TableError> {
        let Some(saving) = self.saving else { return Ok(None) };
        let expect = Expect::checkpoint(saving.game).layout(LAYOUT);
        let found = saving.checkpoints.latest(&expect, &mut Vec::new())?;
        let Some(checkpoint) = found else { return Ok(None) };
        let state = self.read(&checkpoint.container)?;
        self.saved_step = Some(state.step());
        Ok(Some(state))
    }

    fn read(&self, file: &Container) -> Result<State, TableError> {
        let other = |what: String| TableError::OtherFit { file: file.file().to_string(), what };
        let stored = file.header().notes.get("fit").map_or("nothing", String::as_str);
        if stored != self.identity {
            return Err(other(format!("it has {stored}; now {}", self.identity)));
        }
        let most = self.weights as u64;
        let vector = |name: &str| -> Result<Vec<f64>, TableError> {
            let values = file.section(name)?.array::<f64>(most)?;
            if values.len() == self.weights || name == "best" && values.is_empty() {
                return Ok(values);
            }
            Err(other(format!("{} numbers in '{name}', not {most}", values.len())))
        };
        let numbers = file.section("numbers")?.array::<f64>(6)?;
        let &[base_value, gained, squared_gradient, first_gradient, best_error] = &numbers[..]
        else {
            return Err(other(format!("{} single numbers, not 5", numbers.len())));
        };
        let figures = file.section("iterations")?.array::<f64>(MOST_FIGURES)?;
        let iterations: Vec<Iteration> =
            figures.chunks_exact(3).enumerate().map(|(step, f)| read_figures(step, f)).collect();
        let best_step = file.section("best-step")?.array::<u64>(1)?;
        let (Some(&best_step), false) = (best_step.first(), iterations.is_empty()) else {
            return Err(other("no iterations".into()));
        };
        Ok(State {
            base: vector("base")?,
            base_value,
            step_taken: vector("step")?,
            gained,
            residual: vector("residual")?,
            direction: vector("direction")?,
            squared_gradient,
            first_gradient,
            best: vector("best")?,
            best_error,
            best_step,
            iterations,
        })
    }

    pub fn save_if_due(&mut self, state: &State) -> Result<(), TableError> {
        if self.saving.is_some_and(|s| self.saved.elapsed() >= s.every) {
            self.save(state)?;
        }
        Ok(())
    }

    pub fn save(&mut self, state: &State) -> Result<(), TableError> {
        let Some(saving) = self.saving else { return Ok(()) };
        if self.saved_step == Some(state.step()) {
            return Ok(());
        }
        let mut header = Header::new(Kind::Checkpoint, saving.game, LAYOUT);
        header.notes.insert("fit".into(), self.identity.clone());
        let figures: Vec<f64> = state.iterations.iter().flat_map(write_figures).collect();
        let numbers = [
            state.base_value,
            state.gained,
            state.squared_gradient,
            state.first_gradient,
            state.best_error,
        ];
        saving.checkpoints.save(state.step(), &header, |writer| {
            writer.array("base", &state.base)?;
            writer.array("step", &state.step_taken)?;
            writer.array("residual", &state.residual)?;
            writer.array("direction", &state.direction)?;
            writer.array("best", &state.best)?;
            writer.array("numbers", &numbers)?;
            writer.array("best-step", &[state.best_step])?;
            writer.array("iterations", &figures)
        })?;
        (self.saved, self.saved_step) = (Instant::now(), Some(state.step()));
        Ok(())
    }
}

/// No number stands for no validation error.
fn write_figures(at: &Iteration) -> [f64; 3] {
    [at.training, at.validation.unwrap_or(f64::NAN), at.gradient]
}

fn read_figures(step: usize, figures: &[f64]) -> Iteration {
    let validation = Some(figures[1]).filter(|v| !v.is_nan());
    Iteration { step: step as u64, training: figures[0], validation, gradient: figures[2] }
}
