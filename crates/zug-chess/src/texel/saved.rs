//! The folder of a fit: where it stands, so that it can go on, and its figures.

use super::ExampleError;
use super::fit::{Losses, Progressed};
use super::lbfgs::State;
use super::learn::wrapped;
use super::worth;
use crate::model::{Model, shown};
use crate::types::Scheme;
use serde_json::json;
use std::path::Path;
use std::time::{Duration, Instant};
use zug_core::checkpoint;
use zug_core::container::{Container, ContainerError, Expect};
use zug_core::run::{self, Run, RunConfig};
use zug_learn::face::{Named, Order, TaskError};
use zug_learn::td::face::Look;
use zug_learn::weights::{Part, Weights, moment};

const LAYOUT: &str = "chess-texel-fit/1";
/// The fitted weights, in the folder once the fit has ended.
pub(super) const MODEL: &str = "model.zug";
/// Where a fit stands is saved so often.
const SAVE_EVERY: Duration = Duration::from_secs(10);
/// More weights than any fit has.
const MOST: u64 = 1 << 27;

/// The folder, if there is one.
pub(super) struct Folder {
    run: Option<Run>,
    before: Option<Progressed>,
    saved: Instant,
}

impl Folder {
    /// Opens or begins the folder that an order names.
    pub fn open(order: &Order, digest: &str, scheme: &Scheme) -> Result<Folder, TaskError> {
        let nowhere = Folder { run: None, before: None, saved: Instant::now() };
        let Some(path) = &order.run else { return Ok(nowhere) };
        let mut config = RunConfig::new("texel", "chess", order.seed);
        config.command = order.command.split(' ').map(str::to_string).collect();
        // The result is the same for any number of threads.
        config.threads = 0;
        config.data = Some(digest.to_string());
        config.options = order.options.iter().cloned().collect();
        config.options.insert("scheme".into(), scheme.word());
        if !order.resume {
            let run = Run::create(path, config).map_err(TaskError::below)?;
            return Ok(Folder { run: Some(run), ..nowhere });
        }
        let (run, checkpoint) =
            Run::resume(path, Some(&config), LAYOUT).map_err(TaskError::below)?;
        let before = match checkpoint {
            Some(checkpoint) => Some(read(&checkpoint.container).map_err(TaskError::below)?),
            None => None,
        };
        Ok(Folder { run: Some(run), before, ..nowhere })
    }

    /// Where the work before has stopped.
    pub fn take_before(&mut self) -> Option<Progressed> {
        self.before.take()
    }

    /// Notes a step, and saves it now and then.
    pub fn save(&mut self, now: &Progressed) -> Result<(), ExampleError> {
        let Some(run) = &mut self.run else { return Ok(()) };
        let other = |e: run::RunError| ExampleError::Other(e.to_string());
        let losses = now.curve.last().copied().unwrap_or_default();
        let figures = json!({"loss": losses.training, "held_out_loss": losses.judged()});
        run.record(now.state.steps, &figures).map_err(other)?;
        if self.saved.elapsed() >= SAVE_EVERY {
            self.saved = Instant::now();
            run.checkpoint(now.state.steps, LAYOUT, |writer| write(now, writer)).map_err(other)?;
        }
        Ok(())
    }

    /// The end of work that has failed or was stopped.
    pub fn ended(mut self, error: ExampleError) -> TaskError {
        let Some(run) = &mut self.run else { return wrapped(error) };
        let stopped = matches!(error, ExampleError::Stopped);
        let state = if stopped { run::State::Stopped } else { run::State::Failed };
        match run.set_state(state, &error.to_string()) {
            Err(error) => TaskError::below(error),
            Ok(()) if stopped => TaskError::Stopped { resumable: true },
            Ok(()) => wrapped(error),
        }
    }

    /// The good end.
    pub fn finish(mut self) -> Result<(), TaskError> {
        match &mut self.run {
            Some(run) => run.set_state(run::State::Finished, "").map_err(TaskError::below),
            None => Ok(()),
        }
    }
}

/// The weights of a fit as far as it is: of its model once it has ended, else of a checkpoint.
pub fn weights(folder: &Path, look: &Look) -> Result<Option<Weights>, TaskError> {
    let summary = run::inspect(folder).map_err(TaskError::below)?;
    let saved = checkpoint::list(&folder.join("checkpoints")).unwrap_or_default();
    let path = folder.join(MODEL);
    let mut kept: Vec<u64> = saved.iter().map(|(step, _)| *step).collect();
    let end = u64::MAX;
    kept.extend(path.is_file().then_some(end));
    let Some(step) = moment(&kept, look)? else { return Ok(None) };
    let model = if step == end {
        Model::open(&path).map_err(TaskError::below)?
    } else {
        let Some((_, path)) = saved.iter().find(|(s, _)| *s == step) else { return Ok(None) };
        let word = summary.config.options.get("scheme").map_or("", String::as_str);
        let scheme = Scheme::parse(word).map_err(TaskError::Unfit)?;
        let expect = Expect::checkpoint("chess").layout(LAYOUT);
        let container = Container::open(path, &expect).map_err(TaskError::below)?;
        let best = read(&container).map_err(wrapped)?.best.0;
        let model = worth::in_pawns(scheme, &best, &worth::sample());
        model.ok_or_else(|| TaskError::Unfit("expected weights for each factor".into()))?.0
    };
    let name = |step: u64| match step {
        u64::MAX => "at the end".to_string(),
        step => format!("best until step {step}"),
    };
    let mut shown = shown::weights(&name(step), &model, None, look)?;
    let moments = kept.iter().map(|&s| Named::new(s.to_string(), name(s)));
    shown.offer(Part::Games, "Moment", step.to_string(), moments);
    Ok(Some(shown))
}

fn write<W: std::io::Write>(
    now: &Progressed,
    writer: &mut zug_core::container::Writer<W>,
) -> Result<(), ContainerError> {
    let state = &now.state;
    writer.array("point", &state.point)?;
    writer.array("gradient", &state.gradient)?;
    writer.array("inverse", &state.inverse)?;
    writer.array("value", &[state.value])?;
    writer.array("steps", &[state.steps, now.best.1, now.flat])?;
    writer.array("best", &now.best.0)?;
    let curve: Vec<f64> = now.curve.iter().flat_map(|l| [l.training, l.held_out]).collect();
    writer.array("curve", &curve)?;
    let pairs: Vec<f64> =
        state.pairs.iter().flat_map(|(s, y)| s.iter().chain(y)).copied().collect();
    writer.array("pairs", &pairs)
}

fn read(file: &Container) -> Result<Progressed, ExampleError> {
    let wrong = |what: &str| ExampleError::Other(format!("{}: {what}", file.file()));
    let numbers =
        |name: &str| -> Result<Vec<f64>, ContainerError> { file.section(name)?.array::<f64>(MOST) };
    let (point, gradient, inverse) = (numbers("point")?, numbers("gradient")?, numbers("inverse")?);
    let size = point.len();
    let best = numbers("best")?;
    let pairs = numbers("pairs")?;
    let fits = size > 0
        && [gradient.len(), inverse.len(), best.len()] == [size; 3]
        && pairs.len() % (2 * size) == 0;
    let curve: Vec<Losses> = numbers("curve")?
        .as_chunks::<2>()
        .0
        .iter()
        .map(|&[training, held_out]| Losses { training, held_out })
        .collect();
    let steps = file.section("steps")?.array::<u64>(3)?;
    let value = numbers("value")?;
    let (&[steps, best_step, flat], &[value]) = (steps.as_slice(), value.as_slice()) else {
        return Err(wrong("the numbers of a fit are missing"));
    };
    if !fits || curve.len() as u64 != steps + 1 || best_step > steps {
        return Err(wrong("the numbers of a fit do not belong together"));
    }
    let pairs = pairs.chunks(2 * size).map(|p| (p[..size].to_vec(), p[size..].to_vec())).collect();
    let state = State { point, gradient, value, steps, pairs, inverse };
    Ok(Progressed { state, curve, best: (best, best_step), flat })
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::container::{Header, Kind, Writer};

    fn sample() -> Progressed {
        let losses = |x| Losses { training: x, held_out: 2.0 * x };
        Progressed {
            state: State {
                point: vec![1.0, 2.0],
                gradient: vec![-1.0, 0.5],
                value: 7.5,
                steps: 2,
                pairs: vec![(vec![1.0, 3.0], vec![2.0, 4.0]), (vec![5.0, 7.0], vec![6.0, 8.0])],
                inverse: vec![0.1, 0.2],
            },
            curve: vec![losses(3.0), losses(2.0), losses(1.0)],
            best: (vec![9.0, 9.5], 1),
            flat: 2,
        }
    }

    fn container(now: &Progressed) -> Container {
        let header = Header::new(Kind::Checkpoint, "chess", LAYOUT);
        let mut writer = Writer::new(Vec::new(), &header).unwrap();
        write(now, &mut writer).unwrap();
        Container::from_bytes(writer.finish().unwrap(), &Expect::anything()).unwrap()
    }

    #[test]
    fn a_fit_comes_back_as_it_was_saved_and_what_does_not_fit_is_refused() {
        assert_eq!(read(&container(&sample())).unwrap(), sample());
        let mut short = sample();
        short.curve.pop();
        assert!(read(&container(&short)).is_err());
        let mut odd = sample();
        odd.state.gradient.pop();
        assert!(read(&container(&odd)).is_err());
    }
}
