//! `zug data label`: games into a file of examples.

use super::generate::{model_digest, model_file};
use super::sources::{self, Inputs};
use super::threads;
use crate::cli::{LabelArgs, UnfinishedGames};
use crate::commands::places::{claim_one, insist_on_apart};
use crate::progress::progress;
use crate::stop;
use anyhow::{Result, bail};
use serde_json::json;
use std::io::Write;
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Instant;
use zug_core::GameEntry;
use zug_core::checks::thousands;
use zug_othello::engine::Unit;
use zug_othello::examples::ExampleError;
use zug_othello::examples::label::{GameFile, LabelOrder, Labelled, Methods, Unfinished, label};
use zug_othello::examples::labeller::{ExactLabeller, NewLabeller};
use zug_othello::examples::player::{Judge, SearchLabeller};
use zug_othello::solve::Solver;

/// So many reasons why games cannot be used are shown.
const SHOWN: u64 = 10;

pub fn run(entry: &GameEntry, args: &LabelArgs) -> Result<ExitCode> {
    if args.skip.is_some() || args.share.is_some() {
        bail!("--skip and --share are for chess");
    }
    if args.model.is_some() && args.search_depth.is_none() {
        bail!("--model is the evaluation of --search-depth; give both");
    }
    let inputs = sources::files(entry, &args.files)?;
    let inputs = inputs.iter().map(PathBuf::as_path).chain(model_file(args.model.as_deref()));
    insist_on_apart([args.out.as_path()], inputs)?;
    let _claimed = claim_one(&args.out, args.overwrite)?;
    let order = LabelOrder {
        out: args.out.clone(),
        exact_from: args.exact_from,
        unfinished: match args.unfinished() {
            UnfinishedGames::Skip => Unfinished::Skip,
            UnfinishedGames::Solve => Unfinished::Solve,
        },
        seed: args.seed,
        memory: args.memory(),
        threads: threads(args.threads),
        resume: args.resume,
        replace: args.overwrite.force,
        command: command(args),
        model: match args.search_depth {
            Some(_) => Some(model_digest(args.model.as_deref())?),
            None => None,
        },
    };
    let hash = (args.hash() >> 20).max(1) as usize;
    let exact: &NewLabeller = &move || Box::new(ExactLabeller::new(Solver::new(hash)));
    let judge = Judge::open(args.model.as_deref())?;
    let depth = args.search_depth.unwrap_or(0);
    let search: &NewLabeller =
        &|| Box::new(SearchLabeller::new(&judge, depth, hash).expect("the unit was looked at"));
    if args.search_depth.is_some() && judge.unit() != Unit::Discs {
        bail!("--search-depth needs a model that counts discs; this one knows only chances to win");
    }
    let methods = Methods { exact, search: args.search_depth.map(|_| search) };
    let mut games = Inputs::new(entry, &args.files).map(|input| match input {
        Ok(input) => Ok(GameFile { name: input.name, format: input.format, input: input.input }),
        Err(error) => Err(ExampleError::Other(format!("{error:#}"))),
    });
    let mut unused = 0;
    let mut complain = |file: &str, why: &str| {
        unused += 1;
        if unused <= SHOWN {
            tracing::warn!("{file}: {why}");
        }
    };
    let begun = Instant::now();
    let flag = stop::on_interrupt();
    let bar = progress("label");
    let made = label(&order, methods, &mut games, &mut complain, bar.as_ref(), &flag);
    drop(bar);
    let made = match made {
        Err(ExampleError::Stopped) => {
            return Ok(super::generate::stopped());
        }
        made => made?,
    };
    let seconds = begun.elapsed().as_secs_f64();
    let mut out = std::io::stdout().lock();
    if args.json {
        let report = json!({
            "file": args.out.display().to_string(), "seconds": seconds,
            "files": made.import.files, "games": made.import.games,
            "complete": made.import.complete, "unfinished": made.import.unfinished,
            "illegal": made.import.illegal, "other_result": made.import.other_result,
            "unreadable": made.import.broken, "plies": made.import.plies,
            "met": made.met, "distinct": made.distinct, "unlabelled": made.unlabelled,
            "examples": made.examples,
        });
        writeln!(out, "{report:#}")?;
    } else {
        write!(out, "{}", as_text(args, &made, seconds))?;
    }
    Ok(ExitCode::SUCCESS)
}

/// The command line without what does not change the result: where, how fast, in how many goes.
fn command(args: &LabelArgs) -> String {
    let mut text = "zug data othello label".to_string();
    for file in &args.files {
        // The folder is somebody's own affair; the digest says what the games were.
        let name = file.file_name().unwrap_or(file.as_os_str());
        text.push_str(&format!(" {}", name.to_string_lossy()));
    }
    if let Some(discs) = args.exact_from {
        text.push_str(&format!(" --exact-from {discs}"));
    }
    if let Some(depth) = args.search_depth {
        let model = args.model.as_ref().map_or(String::new(), |model| format!(" --model {model}"));
        text.push_str(&format!(" --search-depth {depth}{model}"));
    }
    if args.unfinished() == UnfinishedGames::Solve {
        text.push_str(" --unfinished solve");
    }
    text.push_str(&format!(" --seed {}", args.seed));
    text
}

fn as_text(args: &LabelArgs, made: &Labelled, seconds: f64) -> String {
    let import = &made.import;
    let mut text = format!(
        "{} games in {} file{}: {} complete, {} stop early, {} with illegal moves; {} unreadable.\n",
        thousands(import.games),
        import.files,
        if import.files == 1 { "" } else { "s" },
        thousands(import.complete),
        thousands(import.unfinished),
        thousands(import.illegal),
        thousands(import.broken),
    );
    if import.other_result > 0 {
        text.push_str(&format!(
            "{} complete games state another result than their last position has; the position \
             counts.\n",
            thousands(import.other_result)
        ));
    }
    text.push_str(&format!(
        "{} positions met, {} different ones, {} of them without a label.\n",
        thousands(made.met),
        thousands(made.distinct),
        thousands(made.unlabelled)
    ));
    text.push_str(&format!(
        "{} examples written to {} in {seconds:.1} s.\n",
        thousands(made.examples),
        args.out.display()
    ));
    text
}
