//! `zug data chess`: labelled positions, from games of others and from games against oneself.

use super::generate::{remove, stopped};
use super::threads;
use crate::cli::{GenerateArgs, LabelArgs};
use crate::commands::places::{claim_one, insist_on_apart};
use crate::progress::progress;
use crate::stop;
use anyhow::{Context, Result, bail};
use serde_json::json;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Instant;
use zug_chess::HandMade;
use zug_chess::engine::{Evaluation, Eye};
use zug_chess::models::{self, AnyModel};
use zug_chess::texel::generate::{GenerateOrder, Generated, Rules, generate as play};
use zug_chess::texel::import::{self, Choice, Tally};
use zug_chess::texel::stats::survey;
use zug_chess::texel::{ExampleError, ExampleFile, ExampleWriter, ZERO, open_weights};
use zug_core::checks::thousands;
use zug_core::packed::{self, Stream};
use zug_core::{Progress, StopFlag};

/// Opens the evaluation of a name: that of hand, a model of weights, or `zero`.
fn open(name: Option<&str>) -> Result<AnyModel> {
    match name {
        Some(ZERO) => Ok(AnyModel::Factors(open_weights(ZERO)?)),
        name => Ok(models::open_model(name.unwrap_or(models::default_name()))?),
    }
}

/// The file of a model, unless it is one that comes with the program.
fn model_file(name: Option<&str>) -> Option<&Path> {
    name.filter(|name| *name != ZERO && !models::names().contains(name)).map(Path::new)
}

/// `zug data chess generate`.
pub fn generate(args: &GenerateArgs) -> Result<ExitCode> {
    if args.openings.is_some() {
        bail!(
            "chess has too many openings to play all of them; --random-plies says how games begin"
        );
    }
    let (playing, chess) = (&args.playing, &args.chess);
    let given = [
        ("--depth", playing.depth.is_some()),
        ("--exact-from", playing.exact_from.is_some()),
        ("--hash", playing.hash.is_some()),
        ("--player", args.player.is_some()),
    ];
    insist_on_none(&given, "in chess both sides look at --nodes positions for each move")?;
    insist_on_zug(&args.out)?;
    insist_on_apart([args.out.as_path()], model_file(playing.model.as_deref()))?;
    let claimed = claim_one(&args.out, args.overwrite)?;
    let model = open(playing.model.as_deref())?;
    let default = Rules::default();
    let rules = Rules {
        nodes: chess.nodes.unwrap_or(default.nodes),
        random_plies: args.random_plies.unwrap_or(default.random_plies),
        balance: chess.balance.unwrap_or(default.balance),
        shake: chess.shake.unwrap_or(default.shake),
        noise: args.noise,
        win_score: chess.win_score.unwrap_or(default.win_score),
        draw_plies: chess.draw_plies.unwrap_or(default.draw_plies),
        most_plies: chess.most_plies.unwrap_or(default.most_plies),
        // The games are short of positions, not of memory.
        hash: default.hash,
        ..default
    };
    let digest = match playing.model.as_deref() {
        Some(ZERO) => ZERO.to_string(),
        name => models::digest(name).context("cannot read the model")?,
    };
    let command = command(args, &rules, &digest);
    let journal = claimed.unfinished("games", playing.resume)?;
    let order = GenerateOrder {
        games: u64::from(args.games),
        rules,
        seed: args.seed,
        threads: threads(playing.threads),
        time: chess.time,
        journal: &journal,
        command: &command,
        notes: &[("model", digest)],
    };
    let (begun, flag) = (Instant::now(), stop::on_interrupt());
    let bar = progress("generate");
    let result = match model {
        AnyModel::Hand => play(&order, &Arc::new(HandMade), &args.out, bar.as_ref(), &flag),
        AnyModel::Factors(model) => {
            play(&order, &Arc::new(model.fast()), &args.out, bar.as_ref(), &flag)
        }
    };
    drop(bar);
    let sum = match result {
        Err(ExampleError::Stopped) => return Ok(stopped()),
        sum => sum?,
    };
    remove(&journal)?;
    tell(&args.out, &sum, begun.elapsed().as_secs_f64(), playing.json)?;
    Ok(ExitCode::SUCCESS)
}

/// Refuses words that mean something in Othello alone, rather than to do without a word what was
/// not asked for.
fn insist_on_none(words: &[(&str, bool)], instead: &str) -> Result<()> {
    match words.iter().find(|(_, is_given)| *is_given) {
        Some((word, _)) => bail!("{word} is for Othello; {instead}"),
        None => Ok(()),
    }
}

/// Files of examples end in `.zug`, so that they are known again.
fn insist_on_zug(path: &Path) -> Result<()> {
    if path.extension().is_none_or(|e| !e.eq_ignore_ascii_case("zug")) {
        bail!("{}: examples of chess are written to a file that ends in .zug", path.display());
    }
    Ok(())
}

/// The command line without what does not change the games.
fn command(args: &GenerateArgs, rules: &Rules, digest: &str) -> String {
    let model = args.playing.model.as_deref().unwrap_or(models::default_name());
    let model = Path::new(model).file_name().unwrap_or_default().to_string_lossy();
    format!(
        "zug data chess generate --games {} --nodes {} --random-plies {} --balance {} --shake {} \
         --noise {} --win-score {} --draw-plies {} --most-plies {} --seed {} --model {model} \
         (model {digest})",
        args.games,
        rules.nodes,
        rules.random_plies,
        rules.balance,
        rules.shake,
        rules.noise,
        rules.win_score,
        rules.draw_plies,
        rules.most_plies,
        args.seed,
    )
}

fn tell(file: &Path, sum: &Generated, seconds: f64, as_json: bool) -> Result<()> {
    let mut out = std::io::stdout().lock();
    let [lost, drawn, won] = sum.results;
    if as_json {
        let all = json!({
            "file": file.display().to_string(),
            "games": sum.games,
            "examples": sum.examples,
            "plies": sum.plies,
            "white": {"won": won, "drawn": drawn, "lost": lost},
            "seconds": seconds,
        });
        writeln!(out, "{all:#}")?;
    } else {
        writeln!(
            out,
            "{} examples of {} games (White won {won}, drew {drawn}, lost {lost}) written to {} in \
             {seconds:.1} s.",
            thousands(sum.examples),
            thousands(sum.games),
            file.display()
        )?;
    }
    Ok(())
}

/// `zug data chess label`.
pub fn label(args: &LabelArgs) -> Result<ExitCode> {
    let given = [
        ("--exact-from", args.exact_from.is_some()),
        ("--search-depth", args.search_depth.is_some()),
        ("--unfinished", args.unfinished.is_some()),
        ("--memory", args.memory.is_some()),
        ("--hash", args.hash.is_some()),
        ("--threads", args.threads.is_some()),
        ("--resume", args.resume),
    ];
    insist_on_none(&given, "positions of chess get the results of their games, in one go")?;
    insist_on_zug(&args.out)?;
    insist_on_apart([args.out.as_path()], args.files.iter().map(PathBuf::as_path))?;
    let _claimed = claim_one(&args.out, args.overwrite)?;
    let default = Choice::default();
    let choice = Choice {
        skip: args.skip.unwrap_or(default.skip),
        share: args.share.unwrap_or(default.share),
        seed: args.seed,
    };
    let (flag, bar) = (stop::on_interrupt(), progress("label"));
    let begun = Instant::now();
    let result = match open(args.model.as_deref().or(Some(models::HAND)))? {
        AnyModel::Hand => label_with(args, &choice, &mut HandMade.eye(), bar.as_ref(), &flag),
        AnyModel::Factors(model) => {
            label_with(args, &choice, &mut model.fast().eye(), bar.as_ref(), &flag)
        }
    };
    drop(bar);
    let (tally, examples) = match result {
        Err(ExampleError::Stopped) => {
            tell!("zug: stopped; nothing was written");
            return Ok(ExitCode::from(130));
        }
        result => result?,
    };
    let seconds = begun.elapsed().as_secs_f64();
    let mut out = std::io::stdout().lock();
    if args.json {
        let all = json!({
            "file": args.out.display().to_string(),
            "read": tally.read,
            "broken": tally.broken_count,
            "without_result": tally.without_result,
            "not_quiet": tally.loud,
            "examples": examples,
            "reasons": tally.broken,
            "seconds": seconds,
        });
        writeln!(out, "{all:#}")?;
    } else {
        for reason in tally.broken.iter().take(10) {
            writeln!(out, "{reason}")?;
        }
        if tally.broken_count > 10 {
            writeln!(out, "… and {} more (--json lists them)", tally.broken_count - 10)?;
        }
        writeln!(
            out,
            "{} read, {} broken, {} without a result; {} positions were not quiet; {} examples \
             written to {} in {seconds:.1} s.",
            thousands(tally.read),
            thousands(tally.broken_count),
            thousands(tally.without_result),
            thousands(tally.loud),
            thousands(examples),
            args.out.display()
        )?;
    }
    Ok(ExitCode::SUCCESS)
}

fn label_with(
    args: &LabelArgs,
    choice: &Choice,
    eye: &mut impl Eye,
    progress: &dyn Progress,
    stop: &StopFlag,
) -> Result<(Tally, u64), ExampleError> {
    let mut header = ExampleFile::new_header();
    let names: Vec<String> = args
        .files
        .iter()
        .map(|f| f.file_name().unwrap_or_default().to_string_lossy().into_owned())
        .collect();
    header.made.command = Some(format!(
        "zug data chess label {} --skip {} --share {} --seed {} --model {}",
        names.join(" "),
        choice.skip,
        choice.share,
        choice.seed,
        args.model.as_deref().unwrap_or(models::HAND),
    ));
    header.made.seed = Some(choice.seed);
    let mut writer = ExampleWriter::create(&args.out, &header)?;
    let (mut tally, mut number) = (Tally::default(), 0);
    for path in &args.files {
        let name = path.display().to_string();
        let (input, is_pgn) =
            open_stream(path).map_err(|e| ExampleError::Other(format!("{e:#}")))?;
        let mut sink = |example: &zug_chess::texel::Example| {
            if stop.is_set() {
                return Err(ExampleError::Stopped);
            }
            progress.advance(1);
            writer.push(example)
        };
        number = match is_pgn {
            true => import::games(&name, input, choice, number, eye, &mut tally, &mut sink)?,
            false => import::positions(&name, input, number, eye, &mut tally, &mut sink)?,
        };
    }
    if writer.written() == 0 {
        return Err(ExampleError::Other(tally.nothing()));
    }
    let examples = writer.commit()?;
    Ok((tally, examples))
}

/// A file of games (`.pgn`) or of positions (`.epd`), compressed or not.
fn open_stream(path: &Path) -> Result<(Stream, bool)> {
    let cannot = || format!("cannot read {}", path.display());
    let input = packed::open(path).with_context(cannot)?;
    let is_pgn = match packed::inner_ending(path).as_str() {
        "pgn" => true,
        "epd" | "fen" | "txt" => false,
        _ => bail!(
            "{}: games of chess end in .pgn and positions in .epd (or one of these and .zst)",
            path.display()
        ),
    };
    Ok((input, is_pgn))
}

/// `zug data chess stats` of a file of examples.
pub fn stats(path: &Path, as_json: bool) -> Result<ExitCode> {
    let file = ExampleFile::open(path)?;
    let found = survey(&file)?;
    let mut out = std::io::stdout().lock();
    if as_json {
        let men: Vec<_> = (2..=32).map(|m| found.men[m]).collect();
        let [lost, drawn, won] = found.results;
        let all = json!({
            "game": "chess",
            "file": path.display().to_string(),
            "bytes": file.file_length(),
            "digest": file.digest()?,
            "made": file.header().made.command,
            "examples": found.examples,
            "games": found.games,
            "white": {"won": won, "drawn": drawn, "lost": lost},
            "scored": found.scored,
            "mean_score": found.mean_score,
            "black_to_move": found.black_to_move,
            "by_men_from_2": men,
            "folds": found.folds,
        });
        writeln!(out, "{all:#}")?;
        return Ok(ExitCode::SUCCESS);
    }
    let percent = |n: u64| 100.0 * n as f64 / found.examples.max(1) as f64;
    let [lost, drawn, won] = found.results;
    writeln!(
        out,
        "{} examples of {} games; {:.1} bytes each",
        thousands(found.examples),
        thousands(found.games),
        file.file_length() as f64 / found.examples.max(1) as f64
    )?;
    writeln!(
        out,
        "  White won {:.1} %, drew {:.1} %, lost {:.1} %; Black is to move in {:.1} %",
        percent(won),
        percent(drawn),
        percent(lost),
        percent(found.black_to_move)
    )?;
    writeln!(out, "  {:.1} % have the score of a search", percent(found.scored))?;
    for from in (2..=32).step_by(4) {
        let n: u64 = (from..(from + 4).min(33)).map(|m| found.men[m]).sum();
        writeln!(out, "  {from:>2} to {:>2} men  {:>5.1} %", (from + 3).min(32), percent(n))?;
    }
    Ok(ExitCode::SUCCESS)
}
