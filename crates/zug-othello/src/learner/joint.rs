//! The joint fit of all tables: ordered, run in a folder that can be resumed, told about.

use super::data::{Data, held_out, labels};
use super::evaluate::{CURVES, Curve as WinCurve};
use super::thesis::beside;
use crate::examples::Source;
use crate::joint::{
    JointError, JointOptions, JointReport, SearchOptions, Split, Weighting, fit_split,
    plain_features, search,
};
use crate::patterns::{NAMED, PatternModel, PatternSet};
use crate::thesis::Curve;
use serde_json::{Map, Value, json};
use std::path::Path;
use zug_core::container::Header;
use zug_core::run::{Run, RunConfig, State};
use zug_core::{Progress, StopFlag};
use zug_learn::choices::{Choices, on_threads};
use zug_learn::face::{Account, FitOrder, Order, TaskError};
use zug_learn::joint::{Ended, Iteration, Loss, TableError, TableFit, most_sums};

/// The layout of the checkpoints that the fit leaves.
const CHECKPOINTS: &str = "table-fit/1";

fn wrapped(error: JointError) -> TaskError {
    match error {
        JointError::Fit(TableError::Stopped) => TaskError::Stopped { resumable: false },
        error => TaskError::below(error),
    }
}

/// What the words of an order ask for, and how many examples there must be.
fn options(order: &Order) -> Result<(JointOptions, usize), TaskError> {
    let mut settings = Choices::new(order)?;
    let options = settled(order, &mut settings)?;
    let least = settings.value("least-examples", LEAST_EXAMPLES)?;
    settings.finish()?;
    Ok((options, least))
}

/// From fewer training examples a fit of tens of thousands of weights is of no use.
const LEAST_EXAMPLES: usize = 1000;

fn insist_on_examples(split: &Split, least: usize) -> Result<(), TaskError> {
    let count = split.training.len();
    if count >= least {
        return Ok(());
    }
    Err(TaskError::Unfit(format!(
        "there are {count} examples to learn from, and at least {least} are asked for \
         (--set least-examples={count} allows it)"
    )))
}

/// The same, where more settings follow.
pub(super) fn settled(order: &Order, settings: &mut Choices) -> Result<JointOptions, TaskError> {
    let default = JointOptions::default();
    let fit = TableFit {
        loss: settings.word("loss", &[("squared", Loss::Squared), ("logistic", Loss::Logistic)])?,
        ridge: settings.value("ridge", default.fit.ridge)?,
        smooth: settings.value("smooth", default.fit.smooth)?,
        rarest: settings.value("rarest", default.fit.rarest)?,
        iterations: settings.value("iterations", default.fit.iterations)?,
        inner: settings.value("inner", default.fit.inner)?,
        tolerance: settings.value("tolerance", default.fit.tolerance)?,
        patience: settings.value("patience", default.fit.patience)?,
    };
    let least = labels(settings)?;
    let mut sources = default.weighting.sources;
    for (source, key) in
        Source::ALL.into_iter().zip(["weight-game", "weight-tree", "weight-search", "weight-exact"])
    {
        let weight = settings.value(key, sources[source as usize])?;
        sources[source as usize] = if source < least { 0.0 } else { weight };
    }
    Ok(JointOptions {
        patterns: patterns(order, &default.patterns)?,
        knots: knots(settings, &default.knots)?,
        fit,
        weighting: Weighting {
            count_power: settings.value("count-power", default.weighting.count_power)?,
            most: settings.value("most-count", default.weighting.most)?,
            sources,
        },
        clip: settings.value("clip", default.clip)?,
        validation_folds: held_out(order, settings)?,
        first_discs: settings.value("first-discs", default.first_discs)?,
        last_discs: settings.value("last-discs", default.last_discs)?,
        sample: settings.value("sample", default.sample)?,
        seed: order.seed,
        checkpoints: None,
    })
}

/// The patterns: those named in place of the default ones, and those given by their squares.
fn patterns(order: &Order, default: &[String]) -> Result<Vec<String>, TaskError> {
    let mut list =
        if order.features.is_empty() { default.to_vec() } else { order.features.clone() };
    list.extend(order.patterns.iter().cloned());
    PatternSet::parse(&list).map_err(|error| {
        let names: Vec<&str> = NAMED.iter().map(|(name, _)| *name).chain(["mobility"]).collect();
        TaskError::Unfit(format!("in the patterns: {error}; known are: {}", names.join(", ")))
    })?;
    Ok(list)
}

/// `8-60:4` is 8, 12, … 60; `10,20,40` are these.
fn knots(settings: &mut Choices, default: &[u8]) -> Result<Vec<u8>, TaskError> {
    let Some(text) = settings.take("knots") else { return Ok(default.to_vec()) };
    let wrong = || {
        TaskError::Unfit(format!(
            "--set knots={}: expected rising disc counts up to 64, such as 8-60:4 or 10,20,40",
            zug_core::error::shorten(&text)
        ))
    };
    let number = |text: &str| text.trim().parse::<u8>().map_err(|_| wrong());
    let list: Vec<u8> = match text.split_once('-') {
        Some((first, rest)) => {
            let (last, step) = rest.split_once(':').unwrap_or((rest, "1"));
            let step = usize::from(number(step)?);
            if step == 0 {
                return Err(wrong());
            }
            (number(first)?..=number(last)?).step_by(step).collect()
        }
        None => text.split([',', '+']).map(number).collect::<Result<_, _>>()?,
    };
    if crate::patterns::Phases::new(&list).is_none() {
        return Err(wrong());
    }
    Ok(list)
}

/// What a fit takes, roughly: boards, labels and weights; vectors as long as all weights; the sums
/// of all segments; and three tables for each thread.
fn memory_needed(examples: f64, threads: usize, options: &JointOptions) -> f64 {
    let cells = PatternSet::parse(&options.patterns).map_or(0, |set| set.cells());
    let weights = (cells * options.knots.len()) as f64;
    // Lists that grow by doubling may be half empty.
    let boards = 1.5 * 21.0 * examples * options.sample;
    let places = f64::from((options.last_discs + 1).saturating_sub(options.first_discs));
    let sums = most_sums((examples * options.sample) as u64, cells, places as u64) as f64;
    boards + 9.0 * 8.0 * weights + 8.0 * sums + 3.0 * 8.0 * (cells * threads.max(1)) as f64
}

/// Refuses what does not fit into the memory allowed.
pub(super) fn insist_on_memory(
    order: &Order,
    data: &Data,
    options: &JointOptions,
) -> Result<(), TaskError> {
    let Some(memory) = order.memory else { return Ok(()) };
    let needed = memory_needed(data.len() as f64, order.threads, options);
    if needed <= memory as f64 {
        return Ok(());
    }
    let mib = |bytes: f64| (bytes / f64::from(1 << 20)).ceil();
    Err(TaskError::Unfit(format!(
        "the fit would need about {} MiB, and {} MiB are allowed; give more (--memory) or use a part \
         of the examples (--set sample=0.5)",
        mib(needed),
        mib(memory as f64)
    )))
}

/// The model, once more in the folder of a run.
pub(super) const MODEL: &str = "model.zug";

/// Fits and writes a model.
pub(super) fn learn(
    order: &FitOrder,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Account, TaskError> {
    let FitOrder { out, order, .. } = order;
    let (mut options, least) = options(order)?;
    let data = Data::open(order)?;
    insist_on_memory(order, &data, &options)?;
    if !options.validation_folds.is_empty() {
        data.insist_on_folds(&options.validation_folds)?;
    }
    let mut folder = match &order.run {
        Some(path) => Some(Folder::open(path, order, &options, &data)?),
        None => None,
    };
    options.checkpoints = order.run.as_ref().map(|run| run.join("checkpoints"));
    let result = on_threads(order.threads, || {
        progress.message("reading the examples");
        let split = Split::read(&data.files, &options).map_err(wrapped)?;
        insist_on_examples(&split, least)?;
        let (model, report) =
            fit_split(&split, &data.digest, &options, plain_features(), progress, stop)
                .map_err(wrapped)?;
        let features = match report.ended {
            Ended::Stopped => Vec::new(),
            _ => beside(&data, &options.validation_folds, progress, stop)?,
        };
        Ok((model, report, features))
    });
    let (model, report, features) = match result {
        Ok(done) => done,
        Err(error) => {
            let Some(folder) = &mut folder else { return Err(error) };
            let is_stop = matches!(error, TaskError::Stopped { .. });
            let state = if is_stop { State::Stopped } else { State::Failed };
            folder.end(state, &error.to_string(), &[])?;
            return Err(if is_stop { TaskError::Stopped { resumable: true } } else { error });
        }
    };
    if report.ended == Ended::Stopped {
        if let Some(folder) = &mut folder {
            folder.end(State::Stopped, "", &report.iterations)?;
        }
        return Err(TaskError::Stopped { resumable: folder.is_some() });
    }
    write(&model, &report, out, order, &data)?;
    if let Some(folder) = &mut folder {
        folder.end(State::Finished, "", &report.iterations)?;
    }
    Ok(Account {
        text: report.to_string(),
        figures: figures(&report, &features, &data)?,
        page: super::pages::joint(&model, &report, &features, &data, &order.command),
    })
}

fn write(
    model: &PatternModel,
    report: &JointReport,
    out: &Path,
    order: &Order,
    data: &Data,
) -> Result<(), TaskError> {
    let mut header: Header = PatternModel::header();
    header.made.command = Some(order.command.clone());
    header.made.seed = Some(order.seed);
    header.made.data = Some(data.digest.clone());
    for (name, value) in [
        ("method", "joint".to_string()),
        ("examples", report.training.to_string()),
        ("validation-examples", report.validation.to_string()),
    ] {
        header.notes.insert(name.into(), value);
    }
    // Without held-out games the errors are those on what was learned from.
    let name = if report.validation > 0 { "validation-error" } else { "training-error" };
    header.notes.insert(name.into(), format!("{:.4}", report.all.mean_absolute));
    let curve = |c: &crate::joint::win::WinCurve| WinCurve {
        first_discs: c.first_discs,
        last_discs: c.last_discs,
        slope: c.slope,
        offset: c.offset,
    };
    let curves: Vec<WinCurve> = report.win.iter().map(curve).collect();
    header.notes.insert(CURVES.into(), WinCurve::write(&curves));
    model.write(out, &header).map_err(TaskError::below)?;
    match &order.run {
        Some(folder) => model.write(&folder.join(MODEL), &header),
        None => Ok(()),
    }
    .map_err(TaskError::below)
}

fn figures(
    report: &JointReport,
    features: &[Curve],
    data: &Data,
) -> Result<Map<String, Value>, TaskError> {
    let figures = json!({
        "data": data.digest,
        "examples": data.len(),
        "fit": serde_json::to_value(report).map_err(TaskError::below)?,
        "features": features,
    });
    match figures {
        Value::Object(figures) => Ok(figures),
        _ => unreachable!("an object was written"),
    }
}

/// Looks for better patterns, from those of the order on.
pub(super) fn look_for_patterns(
    order: &Order,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Account, TaskError> {
    let mut settings = Choices::new(order)?;
    let default = SearchOptions::default();
    let options = SearchOptions {
        joint: settled(order, &mut settings)?,
        rounds: settings.value("rounds", default.rounds)?,
        generated: settings.value("generated", default.generated)?,
        named: settings.word("named", &[("yes", true), ("no", false)])?,
        least_gain: settings.value("least-gain", default.least_gain)?,
        seed: order.seed,
    };
    settings.finish()?;
    if options.joint.validation_folds.is_empty() {
        let message = "a search needs games to judge by; held-out=none leaves none";
        return Err(TaskError::Unfit(message.into()));
    }
    let data = Data::open(order)?;
    insist_on_memory(order, &data, &options.joint)?;
    data.insist_on_folds(&options.joint.validation_folds)?;
    let found = on_threads(order.threads, || {
        search(&data.files, &options, progress, stop).map_err(wrapped)
    })?;
    let figures = json!({
        "data": data.digest,
        "examples": data.len(),
        "stopped": stop.is_set(),
        "search": serde_json::to_value(&found).map_err(TaskError::below)?,
    });
    let Value::Object(figures) = figures else { unreachable!("an object was written") };
    let page = super::pages::search(&found, &data, &order.command);
    Ok(Account { text: found.to_string(), figures, page })
}

/// The folder of a run: what it was begun with, where it stands, its figures.
struct Folder {
    run: Run,
    /// Figures up to this iteration are there already.
    recorded: Option<u64>,
}

impl Folder {
    fn open(
        path: &Path,
        order: &Order,
        options: &JointOptions,
        data: &Data,
    ) -> Result<Folder, TaskError> {
        let mut config = RunConfig::new("examples", "othello", order.seed);
        config.command = order.command.split(' ').map(str::to_string).collect();
        // The result is the same for any number of threads.
        config.threads = 0;
        config.data = Some(data.digest.clone());
        let described = serde_json::to_value(options).map_err(TaskError::below)?;
        if let Value::Object(fields) = described {
            config.options = fields
                .into_iter()
                .filter(|(key, _)| key != "checkpoints")
                .map(|(key, value)| (key, value.to_string()))
                .collect();
        }
        config.options.insert("method".into(), "joint".into());
        if !order.resume {
            let run = Run::create(path, config).map_err(TaskError::below)?;
            return Ok(Folder { run, recorded: None });
        }
        let (run, checkpoint) =
            Run::resume(path, Some(&config), CHECKPOINTS).map_err(TaskError::below)?;
        Ok(Folder { run, recorded: checkpoint.map(|c| c.step) })
    }

    fn end(
        &mut self,
        state: State,
        message: &str,
        iterations: &[Iteration],
    ) -> Result<(), TaskError> {
        for iteration in iterations {
            if self.recorded.is_none_or(|step| iteration.step > step) {
                self.run.record(iteration.step, iteration).map_err(TaskError::below)?;
            }
        }
        self.run.set_state(state, message).map_err(TaskError::below)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn with(options: &[(&str, &str)]) -> Result<JointOptions, TaskError> {
        let pair = |(k, v): &(&str, &str)| (k.to_string(), v.to_string());
        options_of(&Order { options: options.iter().map(pair).collect(), ..Order::default() })
    }

    fn options_of(order: &Order) -> Result<JointOptions, TaskError> {
        super::options(order).map(|(options, _)| options)
    }

    #[test]
    fn settings_are_read_and_unknown_ones_are_refused_with_the_known() {
        let options =
            with(&[("knots", "10-30:10"), ("loss", "logistic"), ("labels", "tree")]).unwrap();
        assert_eq!(options.knots, [10, 20, 30]);
        assert_eq!(options.fit.loss, Loss::Logistic);
        assert_eq!(options.weighting.sources, [0.0, 1.0, 1.0, 1.0]);
        assert_eq!(with(&[("knots", "4,60")]).unwrap().knots, [4, 60]);
        for (key, value, word) in [
            ("knots", "60-4", "rising"),
            ("knots", "4-60:0", "rising"),
            ("loss", "absolute", "squared, logistic"),
            ("ridge", "much", "a number"),
            ("dream", "1", "known are: loss, ridge"),
            ("held-out", "20", "no fold 20"),
        ] {
            let error = with(&[(key, value)]).expect_err("refused").to_string();
            assert!(error.contains(word), "{error}");
        }
    }

    #[test]
    fn the_sums_of_all_segments_and_the_tables_of_all_threads_count_as_memory() {
        let options = JointOptions::default();
        let cells = PatternSet::parse(&options.patterns).unwrap().cells() as f64;
        let few = memory_needed(1000.0, 1, &options);
        // Each disc count has sums of its own.
        assert!(few > 8.0 * cells * 57.0, "{few}");
        assert!(memory_needed(1000.0, 64, &options) >= few + 63.0 * 24.0 * cells);
        let many = memory_needed(50e6, 1, &options);
        assert!(many > 31.5 * 50e6 + 8.0 * cells * (50e6 / 131_072.0), "{many}");
    }

    #[test]
    fn patterns_named_replace_the_default_ones_and_those_given_by_squares_are_added() {
        let order = Order {
            features: vec!["edge".into(), "mobility".into()],
            patterns: vec!["a1-d1,a2-d2".into()],
            ..Order::default()
        };
        assert_eq!(options_of(&order).unwrap().patterns, ["edge", "mobility", "a1-d1,a2-d2"]);
        let order = Order { features: vec!["edges".into()], ..Order::default() };
        assert!(options_of(&order).err().unwrap().to_string().contains("known are: edge"));
    }
}
