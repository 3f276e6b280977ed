//! The tables of a run as boards: of its checkpoints while it learns, of its model in the end.

use super::train::{LAYOUT, MODEL};
use crate::patterns::{PatternModel, PatternSet, Phases, STEPS_PER_DISC, shown};
use std::path::Path;
use zug_core::checkpoint;
use zug_core::container::{Container, Expect};
use zug_core::run::inspect;
use zug_learn::face::TaskError;
use zug_learn::td::face::Look;
use zug_learn::weights::{Part, Weights, after, moment, moments};

/// The weights of a run; nothing if it is none of these, or has kept none yet.
pub fn weights(folder: &Path, look: &Look) -> Result<Option<Weights>, TaskError> {
    let summary = inspect(folder).map_err(TaskError::below)?;
    let option = |name: &str| summary.config.options.get(name).map(String::as_str);
    if option("features") != Some(super::super::PATTERNS) {
        return Ok(None);
    }
    let saved = checkpoint::list(&folder.join("checkpoints")).unwrap_or_default();
    let mut kept: Vec<u64> = saved.iter().map(|(step, _)| *step).collect();
    let (path, end) = (folder.join(MODEL), summary.status.step);
    if path.is_file() && !kept.contains(&end) {
        kept.push(end);
        kept.sort_unstable();
    }
    let Some(games) = moment(&kept, look)? else { return Ok(None) };
    let about = after(games);
    let mut shown = if let Some((_, path)) = saved.iter().find(|(step, _)| *step == games) {
        let list: Vec<&str> = option("patterns").unwrap_or_default().split('+').collect();
        let set = PatternSet::parse(&list).map_err(TaskError::below)?;
        let knots = option("knots").unwrap_or_default().split('+').map(str::parse);
        let knots: Result<Vec<u8>, _> = knots.collect();
        let phases = knots.ok().and_then(|k| Phases::new(&k)).ok_or_else(|| {
            TaskError::Unfit("the run's knots are no rising numbers of discs".to_string())
        })?;
        let expect = Expect::checkpoint("othello").layout(LAYOUT);
        let container = Container::open(path, &expect).map_err(TaskError::below)?;
        let count = (set.cells() * phases.len()) as u64;
        let read = |name| {
            container.section(name).and_then(|s| s.array::<f32>(count)).map_err(TaskError::below)
        };
        let (mut cells, visits) = (read("weights")?, read("visits")?);
        // What was never seen is still as it was drawn at random.
        for (cell, visits) in cells.iter_mut().zip(visits) {
            if visits == 0.0 {
                *cell = 0.0;
            }
        }
        shown::weights(&about, &set, &phases, &cells, look)?
    } else {
        of_model(&about, &path, look)?
    };
    shown.offer(Part::Games, "Moment", games.to_string(), moments(&kept, games));
    Ok(Some(shown))
}

/// The weights of a model in a file.
pub(crate) fn of_model(about: &str, path: &Path, look: &Look) -> Result<Weights, TaskError> {
    let model = PatternModel::open(path).map_err(TaskError::below)?;
    let discs: Vec<f32> = model.weights().iter().map(|&w| f32::from(w) / STEPS_PER_DISC).collect();
    shown::weights(about, model.set(), model.phases(), &discs, look)
}
