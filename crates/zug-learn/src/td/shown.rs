//! The weights of a run of self-play, as they are shown: boards where the features know fields, and
//! the largest weights by name. While a run learns, those of its checkpoints.

use super::face::Look;
use super::features::SharedFeatures;
use super::learner::MODEL;
use super::linear::Linear;
use super::state::LAYOUT;
use crate::face::{Named, TaskError};
use crate::weights::{List, Part, Weights, after, moment, moments, named};
use std::path::{Path, PathBuf};
use zug_core::Game;
use zug_core::checkpoint;
use zug_core::container::{Container, Expect};
use zug_core::run::inspect;

/// How many of the largest weights are listed.
const LISTED: usize = 24;

/// What the numbers mean.
const UNIT: &str = "the weighted sum (before it is squashed)";

/// The weights of a run: of its model, or of a checkpoint.
pub(crate) fn weights<G: Game>(
    game: &G,
    known: &[SharedFeatures<G>],
    folder: &Path,
    look: &Look,
) -> Result<Option<Weights>, TaskError> {
    let run = inspect(folder).map_err(TaskError::below)?;
    let saved: Vec<(u64, PathBuf)> =
        checkpoint::list(&folder.join("checkpoints")).unwrap_or_default();
    let model = folder.join(MODEL);
    let mut kept: Vec<u64> = saved.iter().map(|(step, _)| *step).collect();
    if model.is_file() && !kept.contains(&run.status.step) {
        kept.push(run.status.step);
        kept.sort_unstable();
    }
    let Some(games) = moment(&kept, look)? else { return Ok(None) };
    let last = kept.last() == Some(&games) && model.is_file();
    let (features, weights) = if last {
        let model = Linear::open(&model, game, known).map_err(TaskError::below)?;
        (model.features().clone(), model.weights().to_vec())
    } else {
        let signature = run.config.options.get("features");
        let features = known.iter().find(|f| Some(&f.signature()) == signature);
        let features = features.ok_or_else(|| {
            TaskError::Unfit("it was learned with features that are no longer here".to_string())
        })?;
        let Some((_, path)) = saved.iter().find(|(step, _)| *step == games) else {
            return Ok(None);
        };
        let expect = Expect::checkpoint(&run.config.game).layout(LAYOUT);
        let container = Container::open(path, &expect).map_err(TaskError::below)?;
        let section = container.section("weights").map_err(TaskError::below)?;
        let weights: Vec<f32> = section.array(features.count() as u64).map_err(TaskError::below)?;
        if weights.len() != features.count() || weights.iter().any(|w| !w.is_finite()) {
            let message = "expected one finite weight for each feature";
            return Err(TaskError::Unfit(format!("{}: {message}", path.display())));
        }
        (features.clone(), weights)
    };
    let sets = features.boards(game, &weights);
    let names: Vec<String> = sets.iter().map(|(name, _)| name.clone()).collect();
    let mut shown = Weights::new(after(games), UNIT);
    shown.offer(Part::Games, "Moment", games.to_string(), moments(&kept, games));
    match named("type", &names, look.types.first())? {
        Some((place, name)) => {
            let options = names.iter().map(|n| Named::new(n.as_str(), n.as_str()));
            shown.offer(Part::Type, "Weights of", name.as_str(), options);
            shown.boards = sets[place].1.clone();
        }
        None if !look.types.is_empty() => {
            return Err(TaskError::Unfit("these weights have no types".to_string()));
        }
        None => {}
    }
    shown.lists.push(largest(&features, &weights));
    Ok(Some(shown))
}

/// The weights of a model, once for each side that has its own.
pub(crate) fn every_type<G: Game>(game: &G, model: &Linear<G>) -> Vec<Weights> {
    let (features, weights) = (model.features(), model.weights());
    let mut all: Vec<Weights> = Vec::new();
    for (name, boards) in features.boards(game, weights) {
        all.push(Weights { boards, ..Weights::new(format!("weights of {name}"), UNIT) });
    }
    let lists = vec![largest(features, weights)];
    all.push(Weights { lists, ..Weights::new("the largest of all", UNIT) });
    all
}

fn largest<G: Game>(features: &SharedFeatures<G>, weights: &[f32]) -> List {
    let mut order: Vec<usize> = (0..weights.len()).filter(|&i| weights[i] != 0.0).collect();
    order.sort_by(|&a, &b| weights[b].abs().total_cmp(&weights[a].abs()).then(a.cmp(&b)));
    order.truncate(LISTED);
    let items = order.into_iter().map(|i| (features.describe(i), f64::from(weights[i])));
    List::new("Largest weights", items).about("for the side to move")
}
