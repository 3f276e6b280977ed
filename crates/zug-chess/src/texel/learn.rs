//! The fit as it is ordered: options, files, a folder that can be resumed, a model, an account.

use super::fit::{self, Aim, Fitted, Losses, Problem, Progressed, Settings};
use super::options::Data;
use super::record::{FOLDS, fold_of};
use super::rows::{self, Chunk};
use super::{Example, ExampleError, compare, options, page, saved, worth};
use crate::factors::FACTORS;
use crate::model::Model;
use crate::types::clusters::{Answers, MOST, Mixture};
use crate::types::{Clusters, Scheme};
use cozy_chess::Board;
use serde_json::{Map, Value, json};
use std::sync::Arc;
use std::time::Instant;
use tracing::warn;
use zug_core::{Progress, StopFlag};
use zug_learn::choices::{Choices, on_threads};
use zug_learn::face::{Account, FitOrder, Named, Order, TaskError};

/// The name of the fit.
pub const TEXEL: &str = "texel";
/// The name of the search for clusters.
pub const CLUSTERS: &str = "clusters";

/// Boards on which the unit is measured.
const UNIT_BOARDS: usize = 20_000;
/// Examples that clusters are found from.
const CLUSTER_BOARDS: u64 = 300_000;

/// What can be asked for, for lists of methods.
#[must_use]
pub fn methods() -> Vec<Named> {
    vec![
        Named::new(
            TEXEL,
            "logistic regression of all factors on results and scores, from zero (--set scheme, \
             target, scale, ridge, tie, steps, patience, tolerance, start, clusters, k, soft, \
             compare, held-out)",
        ),
        Named::new(
            CLUSTERS,
            "types of positions by expectation maximisation, as a model whose weights are zero \
             (--set k, soft, em-steps)",
        ),
    ]
}

pub(super) fn wrapped(error: ExampleError) -> TaskError {
    match error {
        ExampleError::Stopped => TaskError::Stopped { resumable: false },
        error => TaskError::below(error),
    }
}

/// Does what is ordered, if it is one of [`methods`].
pub fn learn(
    order: &FitOrder,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Option<Result<Account, TaskError>> {
    match order.method.as_str() {
        TEXEL => Some(on_threads(order.order.threads, || texel(order, progress, stop))),
        CLUSTERS => Some(on_threads(order.order.threads, || clusters(order, progress, stop))),
        _ => None,
    }
}

/// What the words of an order ask for.
struct Wanted {
    settings: Settings,
    aim: Aim,
    scale: Option<f64>,
    start: Option<Model>,
    compare: Vec<String>,
}

fn held_out(order: &Order, options: &mut Choices) -> Result<Option<u8>, TaskError> {
    let fold = match (order.fold, options.take("held-out").as_deref()) {
        (Some(_), Some(_)) => {
            let message = "--fold and --set held-out=… say the same; give one of them";
            return Err(TaskError::Unfit(message.into()));
        }
        (Some(fold), None) => Some(fold),
        (None, None) => Some(0),
        (None, Some("none")) => None,
        (None, Some(text)) => Some(text.parse().unwrap_or(FOLDS)),
    };
    match fold {
        Some(fold) if fold >= FOLDS => {
            Err(TaskError::Unfit(format!("expected a fold from 0 to {} or none", FOLDS - 1)))
        }
        fold => Ok(fold),
    }
}

fn wanted(order: &Order, options: &mut Choices) -> Result<Wanted, TaskError> {
    let default = Settings::default();
    let settings = Settings {
        ridge: options.number("ridge", default.ridge, 0.0..=1e9)?,
        tie: options.number("tie", default.tie, 0.0..=1e9)?,
        steps: options.number("steps", default.steps, 1..=100_000)?,
        patience: options.number("patience", default.patience, 1..=100_000)?,
        tolerance: options.number("tolerance", default.tolerance, 0.0..=1.0)?,
        fold: held_out(order, options)?,
    };
    let aim = match options.take("target") {
        None => Aim::RESULT,
        Some(text) => Aim::parse(&text).ok_or_else(|| {
            let text = zug_core::error::shorten(&text);
            let expected =
                "expected result, score, or mix:SHARE with a share of the results from 0 to 1";
            TaskError::Unfit(format!("--set target={text}: {expected}"))
        })?,
    };
    let scale = match options.number("scale", 0.0, 0.0..=1e5)? {
        0.0 => None,
        scale => Some(scale),
    };
    let start = match options.take("start") {
        None => None,
        Some(name) => Some(options::open_weights(&name)?),
    };
    let compare = options.take("compare").unwrap_or_default();
    let compare = compare.split('+').filter(|n| !n.is_empty()).map(str::to_string).collect();
    Ok(Wanted { settings, aim, scale, start, compare })
}

fn texel(order: &FitOrder, progress: &dyn Progress, stop: &StopFlag) -> Result<Account, TaskError> {
    let began = Instant::now();
    let FitOrder { out, order, .. } = order;
    let mut options = Choices::new(order)?;
    let wanted = wanted(order, &mut options)?;
    let scheme_word = options.take("scheme").unwrap_or_else(|| "phases".into());
    let cluster_file = options.take("clusters");
    let count = options.number("k", 33, 1..=MOST)?;
    let soft = options.number("soft", 0, 0..=1)? == 1;
    options.finish()?;
    let others = compare::models(&wanted.compare)?;
    let data = Data::open(order)?;
    let scheme = match (scheme_word.as_str(), cluster_file) {
        ("clusters", Some(file)) => options::open_weights(&file)?.scheme,
        ("clusters", None) => {
            let (clusters, _) = find_clusters(&data, count, 40, order.seed, progress, stop)?;
            Scheme::Clusters(Arc::new(Clusters { soft, ..clusters }))
        }
        (word, _) => Scheme::parse(word).map_err(TaskError::Unfit)?,
    };
    let start = start_weights(&wanted, &scheme)?;
    progress.message("counting factors");
    let mut chunks =
        rows::load(&data.files, &scheme, order.memory, progress, stop).map_err(wrapped)?;
    let scale = wanted.scale.or_else(|| fit::fit_scale(&chunks, |row| row.score.map(f64::from)));
    let Aim::Mix(share) = wanted.aim;
    if share < 1.0 && scale.is_none() {
        let message = "the examples have no scores of searches; --set target=result does without";
        return Err(TaskError::Unfit(message.into()));
    }
    fit::set_targets(&mut chunks, wanted.aim, scale);
    insist_on_fold(&chunks, wanted.settings.fold)?;
    let mut folder = saved::Folder::open(order, &data.digest, &scheme)?;
    let before = folder.take_before();
    let problem = Problem::new(&chunks, FACTORS, scheme.columns(), &wanted.settings);
    let fitted =
        fit::fit(problem, start, before, progress, stop, &mut |now: &Progressed| folder.save(now));
    let fitted = match fitted {
        Ok(fitted) => fitted,
        Err(error) => return Err(folder.ended(error)),
    };
    let (begun, kept) = (fitted.curve[0].held_out, fitted.curve[fitted.best as usize].held_out);
    if kept > begun {
        warn!(
            "on games not learned from the loss is {kept:.5}, above the {begun:.5} of the weights \
             that the fit began with: there are too few games"
        );
    }
    let boards = sample_boards(&data, UNIT_BOARDS)?;
    let Some((model, unit)) = worth::in_pawns(scheme, &fitted.weights, &boards) else {
        return Err(TaskError::Unfit("the fit has led to weights that are no numbers".into()));
    };
    progress.message("comparing");
    let compared = compare::compare(&data, wanted.settings.fold, &model, others, stop)?;
    if let Some(warning) = compare::beaten(&compared) {
        warn!("{warning}");
    }
    let story = Story {
        fitted: &fitted,
        model: &model,
        unit,
        scale,
        men: worth::of_men(&model, &boards),
        rows: chunks.iter().map(|c| c.len() as u64).sum(),
        entries: chunks.iter().map(|c| c.bytes() as u64).sum(),
        compared: &compared,
        command: &order.command,
        seconds: began.elapsed().as_secs_f64(),
    };
    write(&story, out, order, &data)?;
    folder.finish()?;
    Ok(Account { text: story.text(), figures: story.figures(&data), page: page::page(&story) })
}

fn start_weights(wanted: &Wanted, scheme: &Scheme) -> Result<Vec<f64>, TaskError> {
    let size = FACTORS * scheme.columns();
    let Some(start) = &wanted.start else { return Ok(vec![0.0; size]) };
    // One column can be the beginning of every type.
    let weights = match start.scheme.columns() {
        1 => start.weights.repeat(scheme.columns()),
        _ => start.weights.clone(),
    };
    if weights.len() != size {
        return Err(TaskError::Unfit(format!(
            "the model to start from has {} columns of weights, the scheme {}",
            start.scheme.columns(),
            scheme.columns()
        )));
    }
    // Some scale is needed between hundredths of a pawn and log-odds; the fit corrects it.
    Ok(weights.iter().map(|&w| f64::from(w) / 150.0).collect())
}

/// Complains unless there is something to learn from, and to judge by.
fn insist_on_fold(chunks: &[Chunk], fold: Option<u8>) -> Result<(), TaskError> {
    let rows = || chunks.iter().flat_map(Chunk::rows);
    if let Some(fold) = fold {
        if rows().all(|row| row.fold != fold) {
            return Err(TaskError::Unfit(format!(
                "no example belongs to the fold {fold} that is to be held out; --fold chooses \
                 another, and --set held-out=none learns from all"
            )));
        }
        if rows().all(|row| row.fold == fold) {
            let message = "all examples belong to the fold that is held out";
            return Err(TaskError::Unfit(message.into()));
        }
    }
    Ok(())
}

/// Boards from all over the files.
fn sample_boards(data: &Data, most: usize) -> Result<Vec<Board>, TaskError> {
    let step = (data.len() / most as u64).max(1);
    let (mut boards, mut number) = (Vec::new(), 0_u64);
    for file in &data.files {
        file.for_each(|example: Example| {
            if number % step == 0 {
                boards.push(example.board);
            }
            number += 1;
        })
        .map_err(wrapped)?;
    }
    Ok(boards)
}

/// What there is to tell about a fit.
pub(super) struct Story<'a> {
    pub fitted: &'a Fitted,
    pub model: &'a Model,
    /// Log-odds of a pawn.
    pub unit: f64,
    /// Hundredths of a pawn that are one unit of log-odds, of the scores in the data.
    pub scale: Option<f64>,
    /// What men are worth.
    pub men: [f64; 5],
    pub rows: u64,
    /// Bytes of the rows.
    pub entries: u64,
    pub compared: &'a [compare::Compared],
    pub command: &'a str,
    pub seconds: f64,
}

/// The words of the men.
pub(crate) const MEN: [&str; 5] = ["pawn", "knight", "bishop", "rook", "queen"];

impl Story<'_> {
    /// The losses of the weights that were kept.
    pub fn losses(&self) -> Losses {
        self.fitted.curve[self.fitted.best as usize]
    }

    fn text(&self) -> String {
        use std::fmt::Write as _;
        let mut text = String::new();
        let (losses, begin) = (self.losses(), self.fitted.curve[0]);
        let _ = writeln!(
            text,
            "{} positions, {} steps ({}); loss {:.5} (begun with {:.5}), {}",
            self.rows,
            self.fitted.curve.len() - 1,
            self.fitted.ended,
            losses.training,
            begin.training,
            match losses.judged().zip(begin.judged()) {
                Some((now, then)) => format!("on games not learned from {now:.5} ({then:.5})"),
                None => "no games were kept from learning".to_string(),
            }
        );
        let men = MEN.iter().zip(self.men).map(|(name, worth)| format!("{name} {worth:.0}"));
        let _ = writeln!(text, "A man is worth: {}", men.collect::<Vec<_>>().join(", "));
        for other in self.compared {
            let _ = writeln!(
                text,
                "  {:<24} loss {:.5} on results of games {}learned from",
                other.name,
                other.loss,
                if losses.judged().is_some() { "not " } else { "" }
            );
        }
        text
    }

    fn figures(&self, data: &Data) -> Map<String, Value> {
        let losses = self.losses();
        let curve: Vec<Value> =
            self.fitted.curve.iter().map(|l| json!([l.training, l.judged()])).collect();
        let men: Map<String, Value> = MEN
            .iter()
            .zip(self.men)
            .map(|(name, worth)| ((*name).to_string(), json!(worth)))
            .collect();
        let compared: Vec<Value> = self
            .compared
            .iter()
            .map(|c| json!({"model": c.name, "loss": c.loss, "scale": c.scale, "examples": c.examples}))
            .collect();
        let all = json!({
            "data": data.digest,
            "examples": self.rows,
            "row_bytes": self.entries,
            "fit": {
                "steps": self.fitted.curve.len() - 1,
                "best_step": self.fitted.best,
                "ended": self.fitted.ended,
                "training_loss": losses.training,
                "held_out_loss": losses.judged(),
                "pawn_log_odds": self.unit,
                "score_scale": self.scale,
                "scheme": self.model.scheme.word(),
                "curve": curve,
            },
            "worth": men,
            "compared": compared,
        });
        match all {
            Value::Object(all) => all,
            _ => unreachable!("an object was written"),
        }
    }
}

fn write(
    story: &Story<'_>,
    out: &std::path::Path,
    order: &Order,
    data: &Data,
) -> Result<(), TaskError> {
    let mut header = Model::header();
    header.made.command = Some(order.command.clone());
    header.made.seed = Some(order.seed);
    header.made.data = Some(data.digest.clone());
    for (name, value) in [
        ("method", TEXEL.to_string()),
        ("examples", story.rows.to_string()),
        ("held-out-loss", story.losses().told()),
        // The scale on which a pawn is 100: expected points are σ(value / 100 · this).
        ("pawn-log-odds", format!("{:.5}", story.unit)),
    ] {
        header.notes.insert(name.into(), value);
    }
    story.model.write(out, &header).map_err(TaskError::below)?;
    match &order.run {
        Some(folder) => story.model.write(&folder.join(saved::MODEL), &header),
        None => Ok(()),
    }
    .map_err(TaskError::below)
}

/// Clusters of the positions of some files, and the likelihoods on the way.
fn find_clusters(
    data: &Data,
    count: usize,
    steps: usize,
    seed: u64,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<(Clusters, Vec<f64>), TaskError> {
    progress.message("describing positions");
    let step = (data.len() / CLUSTER_BOARDS).max(1);
    let (mut boards, mut number) = (Vec::new(), 0_u64);
    for file in &data.files {
        file.for_each(|example: Example| {
            // Games are taken in part, but never only their beginnings.
            if step == 1 || (number + u64::from(fold_of(example.game))) % step == 0 {
                boards.push(Answers::of(&example.board));
            }
            number += 1;
        })
        .map_err(wrapped)?;
    }
    if boards.len() < count {
        let message = format!("{} positions are too few for {count} clusters", boards.len());
        return Err(TaskError::Unfit(message));
    }
    progress.set_length(Some(steps as u64));
    let mut mixture = Mixture::begin(&boards, count, seed);
    let mut curve: Vec<f64> = Vec::new();
    for _ in 0..steps {
        if stop.is_set() {
            return Err(TaskError::Stopped { resumable: false });
        }
        let likelihood = mixture.step(&boards) / boards.len() as f64;
        progress.message(&format!("log-likelihood {likelihood:.4} a position"));
        progress.advance(1);
        let gained = curve.last().is_none_or(|last| likelihood - last > 1e-6 * last.abs());
        curve.push(likelihood);
        if !gained {
            break;
        }
    }
    Ok((mixture.finish(), curve))
}

fn clusters(
    order: &FitOrder,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<Account, TaskError> {
    let FitOrder { out, order, .. } = order;
    let mut options = Choices::new(order)?;
    let count = options.number("k", 33, 1..=MOST)?;
    let soft = options.number("soft", 0, 0..=1)? == 1;
    let steps = options.number("em-steps", 100, 1..=10_000)?;
    options.finish()?;
    let data = Data::open(order)?;
    let (found, curve) = find_clusters(&data, count, steps, order.seed, progress, stop)?;
    let found = Clusters { soft, ..found };
    let boards = sample_boards(&data, UNIT_BOARDS)?;
    let mut shares = vec![0_u64; count];
    boards.iter().for_each(|board| shares[found.of(board)] += 1);
    let scheme = Scheme::Clusters(Arc::new(found.clone()));
    let model = Model::new(scheme, vec![0.0; count * FACTORS])
        .ok_or_else(|| TaskError::Unfit("the clusters are no numbers".into()))?;
    let mut header = Model::header();
    header.made.command = Some(order.command.clone());
    header.made.seed = Some(order.seed);
    header.made.data = Some(data.digest.clone());
    header.notes.insert("method".into(), CLUSTERS.into());
    model.write(out, &header).map_err(TaskError::below)?;
    Ok(page::clusters(&found, &shares, &curve, &data.digest, &order.command))
}
