//! `zug guess`: which moves would a good player look at?

use super::learn::failed;
use super::places::{claim, insist_on_apart};
use crate::cli::GuessArgs;
use crate::progress::progress;
use crate::registry::{self, families};
use crate::stop;
use anyhow::{Context, Result, bail};
use serde_json::{Map, Value, json};
use std::io::{Read, Write};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use zug_core::packed;
use zug_core::{GameEntry, files};
use zug_learn::guess::{AnnotateOrder, GuessOrder, Guesses, MeasureOrder, Question};

/// A larger record, or more lines, would not fit in memory when taken apart.
const MOST_BYTES: u64 = 64 << 20;

pub fn run(args: &GuessArgs) -> Result<ExitCode> {
    let entry = registry::open(&args.game)?;
    let guesses = guesser(&entry)?;
    let game = entry.game.spec();
    if args.models {
        return models(&guesses, args.json);
    }
    if !args.test.is_empty() {
        return test(&game, &guesses, args);
    }
    let question = match (&args.file, &args.position, &args.gtp) {
        (Some(file), _, _) => {
            let (name, bytes) = (file.display().to_string(), read(file)?);
            if let Some(out) = &args.annotate {
                insist_on_apart([out.as_path()], [file.as_path()])?;
                return annotate(&game, &guesses, name, bytes, out, args);
            }
            Question::Record { name, bytes }
        }
        (_, Some(text), _) => Question::Position(text.clone()),
        (_, _, Some(path)) => commands(path)?,
        _ => bail!(
            "what is asked about? Expected a record, --position TEXT, --gtp FILE or --test FILES"
        ),
    };
    let outputs = || args.svg.iter().chain(&args.png).map(PathBuf::as_path);
    insist_on_apart(outputs(), args.file.as_deref())?;
    let _claimed = claim(outputs(), args.overwrite)?;
    let order = GuessOrder {
        question,
        game: args.record,
        at: args.at,
        top: usize::from(args.top),
        model: args.model.clone(),
        colours: true,
        svg: args.svg.is_some(),
        png: args.png.is_some(),
    };
    let guessed = match guesses.guess(&order) {
        Ok(guessed) => guessed,
        Err(error) => return failed(error),
    };
    let mut written = Vec::new();
    for (path, bytes) in [
        (&args.svg, guessed.svg.as_ref().map(|svg| svg.as_bytes())),
        (&args.png, guessed.png.as_deref()),
    ] {
        if let (Some(path), Some(bytes)) = (path, bytes) {
            files::write_atomically(path, bytes)?;
            written.push(path.display().to_string());
        }
    }
    let mut out = anstream::stdout().lock();
    if args.json {
        let mut report = with_game(&game, guessed.figures);
        report["written"] = json!(written);
        writeln!(out, "{report:#}")?;
        return Ok(ExitCode::SUCCESS);
    }
    write!(out, "{}", guessed.text)?;
    for path in &written {
        writeln!(out, "{path} written")?;
    }
    Ok(ExitCode::SUCCESS)
}

fn with_game(game: &str, figures: Map<String, Value>) -> Value {
    let mut report = json!({"game": game});
    for (key, value) in figures {
        report[key] = value;
    }
    report
}

/// What a game can guess, or which games can.
fn guesser(entry: &GameEntry) -> Result<Guesses> {
    if let Some(guesses) = entry.extension::<Guesses>() {
        return Ok(guesses.clone());
    }
    let with: Vec<&str> = families()
        .iter()
        .filter(|f| registry::open(f.name).is_ok_and(|e| e.extension::<Guesses>().is_some()))
        .map(|f| f.name)
        .collect();
    bail!("{} does not guess moves yet; these games do: {}", entry.game.spec(), with.join(", "))
}

fn models(guesses: &Guesses, json: bool) -> Result<ExitCode> {
    let mut out = std::io::stdout().lock();
    let names = guesses.models();
    if json {
        writeln!(out, "{:#}", json!({"models": names}))?;
    } else {
        for model in names {
            writeln!(out, "{:12} {}", model.name, model.help)?;
        }
    }
    Ok(ExitCode::SUCCESS)
}

fn read(path: &Path) -> Result<Vec<u8>> {
    if path.is_dir() {
        bail!("{}: this is a folder; expected a record (folders go after --test)", path.display());
    }
    let read = packed::open(path).and_then(|input| packed::read_all(input, MOST_BYTES));
    read.with_context(|| format!("cannot read {}", path.display()))
}

fn commands(path: &Path) -> Result<Question> {
    let (name, bytes) = if path == Path::new("-") {
        let mut bytes = Vec::new();
        std::io::stdin().lock().take(MOST_BYTES).read_to_end(&mut bytes)?;
        ("standard input".to_string(), bytes)
    } else {
        (path.display().to_string(), files::read_bounded(path, MOST_BYTES)?)
    };
    let text = String::from_utf8(bytes)
        .map_err(|e| anyhow::anyhow!("{name}: no text at byte {}", e.utf8_error().valid_up_to()))?;
    Ok(Question::Commands { name, text })
}

fn annotate(
    game: &str,
    guesses: &Guesses,
    name: String,
    bytes: Vec<u8>,
    to: &Path,
    args: &GuessArgs,
) -> Result<ExitCode> {
    let _claimed = claim([to], args.overwrite)?;
    let order =
        AnnotateOrder { name, bytes, top: usize::from(args.top), model: args.model.clone() };
    let annotated = match guesses.annotate(&order) {
        Ok(annotated) => annotated,
        Err(error) => return failed(error),
    };
    files::write_atomically(to, &annotated.bytes)?;
    let mut out = std::io::stdout().lock();
    if args.json {
        let mut report = with_game(game, annotated.account.figures);
        report["written"] = json!([to.display().to_string()]);
        writeln!(out, "{report:#}")?;
    } else {
        write!(out, "{}", annotated.account.text)?;
        writeln!(out, "{} written", to.display())?;
    }
    Ok(ExitCode::SUCCESS)
}

fn test(game: &str, guesses: &Guesses, args: &GuessArgs) -> Result<ExitCode> {
    let order = MeasureOrder {
        data: args.test.clone(),
        model: args.model.clone(),
        baseline: args.baseline.clone(),
        size: args.size,
        from: args.from,
        until: args.until,
        games: args.games.map(|n| n as usize),
        seed: args.seed,
        stage: args.stage,
        every: args.every,
        threads: usize::from(args.threads),
    };
    let (flag, bar) = (stop::on_interrupt(), progress("games"));
    let result = guesses.measure(&order, bar.as_ref(), &flag);
    drop(bar);
    let account = match result {
        Ok(account) => account,
        Err(error) => return failed(error),
    };
    let mut out = std::io::stdout().lock();
    if args.json {
        writeln!(out, "{:#}", with_game(game, account.figures))?;
    } else {
        write!(out, "{}", account.text)?;
    }
    Ok(ExitCode::SUCCESS)
}
