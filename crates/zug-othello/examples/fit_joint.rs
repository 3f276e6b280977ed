//! Fits a model of pattern tables to files of examples, with every knob as an option.
//!
//! ```text
//! cargo run --release -p zug-othello --example fit_joint -- \
//!     --data examples.zug --out model.zug --knots 8:4:60 --ridge 1 --smooth 1
//! ```

use std::io::Write;
use std::path::PathBuf;
use std::sync::Mutex;
use std::time::Instant;
use zug_core::{Progress, StopFlag};
use zug_learn::joint::Loss;
use zug_othello::examples::ExampleFile;
use zug_othello::joint::{self, JointOptions, SearchOptions};
use zug_othello::patterns::PatternModel;

const HELP: &str = "\
fit_joint --data FILE... --out MODEL [options]
  --data FILE          examples; may be given more than once
  --out FILE           the model
  --report FILE        all figures, as JSON
  --patterns LIST      names or squares, with spaces between them
  --knots A:STEP:B     disc counts with weights of their own; or a list: 8,16,24
  --loss LOSS          squared or logistic
  --ridge X            draws weights to 0, in examples
  --smooth X           draws neighbouring knots together, in examples
  --rarest X           cells with less weight of examples than this are 0
  --iterations N       the most iterations
  --inner N            the most steps in an iteration of the logistic loss
  --tolerance X        ends when the gradient has become so small
  --patience N         ends when the validation error has not fallen for so many iterations
  --folds LIST         folds of games to judge by: 0,1; 'none' for none
  --count-power X      an example met n times counts n to this power
  --count-most X       but no more than this
  --sources G,T,S,E    factors for labels from games, trees, searches, exact ones
  --clip X             labels beyond so many discs count as this many
  --discs A-B          the disc counts of examples that are used
  --sample X           the share of the examples that is used
  --seed N             chooses the sample
  --threads N          threads; all cores if 0
  --checkpoints DIR    where the state is saved, to go on after an interruption
  --search N           looks for better patterns in N rounds instead of writing a model
  --generate N         new sets of squares that are tried in each round of the search";

type Failure = Box<dyn std::error::Error + Send + Sync>;

struct Order {
    options: JointOptions,
    data: Vec<PathBuf>,
    out: Option<PathBuf>,
    report: Option<PathBuf>,
    threads: usize,
    rounds: u32,
    generated: usize,
}

fn main() -> Result<(), Failure> {
    let Some(order) = read(std::env::args().skip(1))? else {
        println!("{HELP}");
        return Ok(());
    };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(order.threads).build()?;
    pool.install(|| run(&order))
}

fn run(order: &Order) -> Result<(), Failure> {
    let mut files = Vec::new();
    for path in &order.data {
        files.push(ExampleFile::open(path)?);
    }
    let begin = Instant::now();
    let lines = Lines(Mutex::new(begin));
    if order.rounds > 0 {
        let search = SearchOptions {
            joint: order.options.clone(),
            rounds: order.rounds,
            generated: order.generated,
            seed: order.options.seed,
            ..SearchOptions::default()
        };
        println!("{}", joint::search(&files, &search, &lines, &StopFlag::new())?);
        return Ok(());
    }
    let (model, report) = joint::fit(&files, &order.options, &lines, &StopFlag::new())?;
    println!("{report}");
    println!("{:.1} s in all", begin.elapsed().as_secs_f64());
    if let Some(path) = &order.report {
        std::fs::write(path, serde_json::to_vec_pretty(&report)?)?;
    }
    if let Some(path) = &order.out {
        let mut header = PatternModel::header();
        header.made.command = Some(std::env::args().collect::<Vec<_>>().join(" "));
        header.made.seed = Some(order.options.seed);
        let digests: Result<Vec<String>, _> = files.iter().map(ExampleFile::digest).collect();
        header.made.data = Some(digests?.join(" "));
        let all = &report.all;
        header.notes.insert("examples".into(), report.training.to_string());
        header.notes.insert("validation-mae".into(), format!("{:.4}", all.mean_absolute));
        header.notes.insert("validation-rmse".into(), format!("{:.4}", all.root_mean_square));
        model.write(path, &header)?;
    }
    Ok(())
}

/// Writes each message on a line, with the time since the last.
struct Lines(Mutex<Instant>);

impl Progress for Lines {
    fn set_length(&self, _: Option<u64>) {}
    fn advance(&self, _: u64) {}
    fn message(&self, text: &str) {
        let mut last = self.0.lock().unwrap_or_else(|e| e.into_inner());
        let seconds = last.elapsed().as_secs_f64();
        *last = Instant::now();
        let _ = writeln!(std::io::stderr(), "{seconds:7.2} s  {text}");
    }
    fn finish(&self) {}
}

fn read(mut args: impl Iterator<Item = String>) -> Result<Option<Order>, Failure> {
    let options = JointOptions::default();
    let mut order = Order {
        options,
        data: Vec::new(),
        out: None,
        report: None,
        threads: 0,
        rounds: 0,
        generated: 20,
    };
    while let Some(flag) = args.next() {
        if flag == "--help" || flag == "-h" {
            return Ok(None);
        }
        let value = args.next().ok_or_else(|| format!("{flag} needs a value"))?;
        put(&mut order, &flag, &value).map_err(|e| format!("{flag} {value}: {e}"))?;
    }
    if order.data.is_empty() {
        return Err("no examples: give --data FILE".into());
    }
    Ok(Some(order))
}

fn put(order: &mut Order, flag: &str, value: &str) -> Result<(), Failure> {
    let o = &mut order.options;
    match flag {
        "--data" => order.data.push(value.into()),
        "--out" => order.out = Some(value.into()),
        "--report" => order.report = Some(value.into()),
        "--search" => order.rounds = value.parse()?,
        "--generate" => order.generated = value.parse()?,
        "--threads" => order.threads = value.parse()?,
        "--patterns" => o.patterns = value.split_whitespace().map(str::to_string).collect(),
        "--knots" => o.knots = knots(value)?,
        "--loss" => {
            o.fit.loss = match value {
                "squared" => Loss::Squared,
                "logistic" => Loss::Logistic,
                _ => return Err("expected squared or logistic".into()),
            }
        }
        "--ridge" => o.fit.ridge = value.parse()?,
        "--smooth" => o.fit.smooth = value.parse()?,
        "--rarest" => o.fit.rarest = value.parse()?,
        "--iterations" => o.fit.iterations = value.parse()?,
        "--inner" => o.fit.inner = value.parse()?,
        "--tolerance" => o.fit.tolerance = value.parse()?,
        "--patience" => o.fit.patience = value.parse()?,
        "--folds" if value == "none" => o.validation_folds.clear(),
        "--folds" => o.validation_folds = list(value)?,
        "--count-power" => o.weighting.count_power = value.parse()?,
        "--count-most" => o.weighting.most = value.parse()?,
        "--sources" => {
            let factors: Vec<f64> = list(value)?;
            o.weighting.sources = factors.try_into().map_err(|_| "expected four numbers")?;
        }
        "--clip" => o.clip = value.parse()?,
        "--discs" => {
            let (first, last) = value.split_once('-').ok_or("expected a range such as 8-60")?;
            (o.first_discs, o.last_discs) = (first.parse()?, last.parse()?);
        }
        "--sample" => o.sample = value.parse()?,
        "--seed" => o.seed = value.parse()?,
        "--checkpoints" => o.checkpoints = Some(value.into()),
        _ => return Err("there is no such option; see --help".into()),
    }
    Ok(())
}

fn list<T: std::str::FromStr>(text: &str) -> Result<Vec<T>, Failure>
where
    T::Err: Into<Failure>,
{
    text.split(',').map(|part| part.trim().parse().map_err(Into::into)).collect()
}

fn knots(text: &str) -> Result<Vec<u8>, Failure> {
    match text.split(':').collect::<Vec<_>>()[..] {
        [first, step, last] => {
            let (first, last): (u8, u8) = (first.parse()?, last.parse()?);
            Ok((first..=last).step_by(step.parse::<usize>()?.max(1)).collect())
        }
        _ => list(text),
    }
}
