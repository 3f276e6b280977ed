//! Which weights of a run, of a player that learns, or of a model are looked at? Finds them; [`crate::model::look`] shows
//! them.

use super::experiment::WEIGHTS;
use super::session;
use super::sessions::Folder;
use crate::model::Model;
use crate::model::look::{Subject, account};
use crate::model::shown;
use crate::models;
use std::fs;
use std::path::{Path, PathBuf};
use zug_core::files::FileError;
use zug_learn::face::{Account, Named, TaskError};
use zug_learn::td::face::Look;
use zug_learn::weights::{Part, Weights, after, moment, moments, named};

/// Shows the weights of a run or of a model; nothing where no weights were kept.
pub fn look(path: &Path, look: &Look) -> Result<Option<Account>, TaskError> {
    let against = match &look.against {
        Some(name) => Some(Subject { name: name.clone(), model: super::open_model(name)? }),
        None => None,
    };
    let name = path.display().to_string();
    let known = !path.exists() && models::names().contains(&name.as_str());
    if path.is_file() || known {
        if !look.games.is_empty() || look.experiment.is_some() {
            let message = "--games and --experiment are for runs; this is a model";
            return Err(TaskError::Unfit(format!("{}: {message}", path.display())));
        }
        let subject = Subject { model: super::open_model(&name)?, name: format!("of {name}") };
        return account(&subject, against.as_ref(), against.is_some(), look).map(Some);
    }
    if !path.exists() {
        return Ok(None);
    }
    if session::is_session(path) {
        if look.experiment.is_some() {
            let message = "--experiment is for runs; this is the folder of a player";
            return Err(TaskError::Unfit(format!("{}: {message}", path.display())));
        }
        let folder = Folder::open(path)?;
        let mut account =
            point(&folder.kept(), &|games| folder.at(games), against, look)?.unwrap_or_default();
        let (text, figures) = folder.told()?;
        if !look.is_particular() {
            account.text = format!("{text}\n{}", account.text);
        }
        account.figures.extend(figures);
        account.figures.insert("kept".into(), folder.kept().into());
        return Ok(Some(account));
    }
    let experiments = experiments(path)?;
    let Some(first) = experiments.first() else { return Ok(None) };
    let named = |f: &&PathBuf| look.experiment.as_ref().is_some_and(|name| name_of(f) == *name);
    let folder = match &look.experiment {
        None => first,
        Some(name) => experiments.iter().find(named).ok_or_else(|| {
            let known: Vec<String> = experiments.iter().map(|f| name_of(f)).collect();
            TaskError::unknown("experiment", name, known.iter().map(String::as_str))
        })?,
    };
    let kept = kept(folder)?;
    let open = |games: u64| {
        let path = folder.join(WEIGHTS).join(format!("{games:06}.zug"));
        Model::open(&path).map_err(TaskError::below)
    };
    let Some(mut account) = point(&kept, &open, against, look)? else { return Ok(None) };
    let names: Vec<String> = experiments.iter().map(|f| name_of(f)).collect();
    account.text = format!("{}: {}", name_of(folder), account.text);
    if names.len() > 1 {
        account.text += &format!("experiments of this run: {}\n", names.join(", "));
    }
    account.figures.insert("experiment".into(), name_of(folder).into());
    account.figures.insert("experiments".into(), names.into());
    account.figures.insert("kept".into(), kept.into());
    Ok(Some(account))
}

/// The weights of a run as a page draws them; nothing where none were kept yet.
pub fn weights(path: &Path, look: &Look) -> Result<Option<Weights>, TaskError> {
    let experiments = experiments(path)?;
    let names: Vec<String> = experiments.iter().map(|f| name_of(f)).collect();
    let Some((number, name)) = named("experiment", &names, look.experiment.as_ref())? else {
        return Ok(None);
    };
    let folder = &experiments[number];
    let kept = kept(folder)?;
    let Some(games) = moment(&kept, look)? else { return Ok(None) };
    let open = |games: u64| {
        let path = folder.join(WEIGHTS).join(format!("{games:06}.zug"));
        Model::open(&path).map_err(TaskError::below)
    };
    let first = kept.first().filter(|first| **first < games).map(|first| open(*first));
    let first = first.transpose()?;
    let mut shown = shown::weights(&after(games), &open(games)?, first.as_ref(), look)?;
    let options = names.iter().map(|n| Named::new(n.as_str(), n.as_str()));
    shown.offer(Part::Experiment, "Experiment", name.as_str(), options);
    shown.offer(Part::Games, "Moment", games.to_string(), moments(&kept, games));
    Ok(Some(shown))
}

/// Shows the weights at a point of learning, or between two; nothing where none were kept.
fn point(
    kept: &[u64],
    open: &dyn Fn(u64) -> Result<Model, TaskError>,
    against: Option<Subject>,
    look: &Look,
) -> Result<Option<Account>, TaskError> {
    let ([earliest, ..], Some(&last)) = (kept, kept.last()) else { return Ok(None) };
    let at = |games: u64| {
        if !kept.contains(&games) {
            let list: Vec<String> = kept.iter().map(u64::to_string).collect();
            let message = format!("no weights were kept after {games} games, but after");
            return Err(TaskError::Unfit(format!("{message} {}", list.join(", "))));
        }
        let name = if games == 0 {
            "at the beginning".to_string()
        } else {
            format!("after {games} game{}", if games == 1 { "" } else { "s" })
        };
        Ok(Subject { name, model: open(games)? })
    };
    let from = |games: u64| -> Result<Subject, TaskError> {
        let subject = at(games)?;
        Ok(if games == 0 { Subject { name: "the beginning".into(), ..subject } } else { subject })
    };
    let (subject, other, compared) = match (&look.games[..], against) {
        ([], Some(against)) => (at(last)?, Some(against), true),
        ([one], Some(against)) => (at(*one)?, Some(against), true),
        ([], None) => (at(last)?, (last > *earliest).then(|| from(*earliest)).transpose()?, false),
        ([one], None) => (at(*one)?, (one > earliest).then(|| from(*earliest)).transpose()?, false),
        ([a, b], None) => (at(*b)?, Some(from(*a)?), true),
        ([_, _], Some(_)) => {
            let message = "two points of the run and another model at once: give one of them";
            return Err(TaskError::Unfit(message.to_string()));
        }
        _ => return Err(TaskError::Unfit("--games wants one number, or two".to_string())),
    };
    account(&subject, other.as_ref(), compared, look).map(Some)
}

fn name_of(folder: &Path) -> String {
    folder.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

/// The folders of a run that hold weights, by name.
fn experiments(run: &Path) -> Result<Vec<PathBuf>, TaskError> {
    let mut all = Vec::new();
    let failed = |error| TaskError::below(FileError::io("list", run)(error));
    for entry in fs::read_dir(run).map_err(failed)? {
        let path = entry.map_err(failed)?.path();
        if path.join(WEIGHTS).is_dir() {
            all.push(path);
        }
    }
    all.sort();
    Ok(all)
}

/// After how many games weights were kept.
pub fn kept(folder: &Path) -> Result<Vec<u64>, TaskError> {
    let folder = folder.join(WEIGHTS);
    let failed = |error| TaskError::below(FileError::io("list", &folder)(error));
    let mut all = Vec::new();
    for entry in fs::read_dir(&folder).map_err(failed)? {
        let name = entry.map_err(failed)?.file_name();
        let name = name.to_string_lossy();
        let number: Option<u64> = name.strip_suffix(".zug").and_then(|n| n.parse().ok());
        all.extend(number);
    }
    all.sort_unstable();
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Start;
    use crate::types::Scheme;
    use zug_core::files::create_folder;

    #[test]
    fn points_of_a_run_are_found_and_compared() {
        let folder = tempfile::tempdir().unwrap();
        let run = folder.path();
        assert!(look(run, &Look::default()).unwrap().is_none());
        for (name, games) in [("a-1", 3.0), ("b-1", 5.0_f32)] {
            let weights = run.join(name).join(WEIGHTS);
            create_folder(&weights).unwrap();
            for (at, factor) in [(0, 0.0), (2, 1.0), (4, 2.0)] {
                let mut model = Model::start(Scheme::Phases, Start::KnightCap1);
                model.weights[40] = factor * games;
                model.write(&weights.join(format!("{at:06}.zug")), &Model::header()).unwrap();
            }
        }
        let told = |l: Look| look(run, &l).map(Option::unwrap);
        let boards = weights(run, &Look::default()).unwrap().unwrap();
        assert_eq!((boards.about.as_str(), boards.boards.len()), ("after 4 games", 6));
        let parts: Vec<Part> = boards.choices.iter().map(|c| c.name).collect();
        assert!(parts.contains(&Part::Experiment) && parts.contains(&Part::Games), "{parts:?}");
        let elsewhere = Look { experiment: Some("../a".into()), ..Look::default() };
        assert!(weights(run, &elsewhere).unwrap_err().to_string().contains("known are"));
        let whole = told(Look::default()).unwrap();
        assert!(whole.text.starts_with("a-1: weights after 4 games"), "{}", whole.text);
        assert_eq!(whole.figures["largest"][0]["change"], 6.0);
        assert_eq!(whole.figures["experiments"].as_array().unwrap().len(), 2);
        let b = Some("b-1".to_string());
        let part = told(Look { experiment: b, games: vec![2, 4], ..Look::default() }).unwrap();
        assert_eq!(part.figures["values"]["pawn-square/a2"], 5.0);
        assert_eq!(part.figures["minus"], "after 2 games");
        let known = Some("knightcap1".to_string());
        let error = told(Look { against: known, ..Look::default() }).err().unwrap().to_string();
        assert!(error.contains("cannot be compared"), "{error}");
        let error = told(Look { games: vec![3], ..Look::default() }).err().unwrap().to_string();
        assert!(error.contains("but after 0, 2, 4"), "{error}");
        let no = Some("c-1".to_string());
        let error = told(Look { experiment: no, ..Look::default() }).err().unwrap().to_string();
        assert!(error.contains("a-1, b-1"), "{error}");
        let learned = look(Path::new("learned"), &Look::default()).unwrap().unwrap();
        assert!(learned.text.starts_with("weights of learned: 6 columns"), "{}", learned.text);
        assert!(look(Path::new("no-such-model"), &Look::default()).unwrap().is_none());
        let file = run.join("a-1/weights/000002.zug");
        let model = look(&file, &Look::default()).unwrap().unwrap();
        assert!(model.text.contains("2 columns of 1706 factors (phases)"), "{}", model.text);
        let error = look(&file, &Look { games: vec![2], ..Look::default() }).err().unwrap();
        assert!(error.to_string().contains("for runs"), "{error}");
    }
}
