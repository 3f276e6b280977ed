//! Whole games: which of a file, what each move cost, and how that is told.

use super::account::{Account, accounts, exact_from, word};
use super::page;
use crate::cli::AnalyseArgs;
use crate::commands::{entry_of, places, record_files};
use crate::progress::progress;
use crate::stop;
use anyhow::{Context, Result, anyhow, bail};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use std::time::Duration;
use zug_book::review::{Grading, Judged, Reviewer, Step, Sure, Worth, scale_of};
use zug_core::exact::Settings;
use zug_core::{AnyLine, GameEntry, Limits, PlayerError, Progress, Record, RecordError};
use zug_core::{Scale, Side, Spec, StopFlag};

/// The time for a position when nothing is said: up to a minute for a game of Othello.
const USUAL_TIME: Duration = Duration::from_millis(500);
/// Memory of the search to the end.
const HASH_MIB: usize = 64;
/// More games than this are for a script with several calls.
const MOST_GAMES: usize = 1000;

/// Games to analyse, in order, with their numbers in the file.
pub struct Games {
    entry: GameEntry,
    records: Vec<(usize, Record)>,
    /// Where they come from, for messages.
    name: String,
    /// What the user should know about the choice.
    note: Option<String>,
}

/// What all games of one command share.
pub struct Setting {
    pub title: String,
    pub player: String,
    pub limits: String,
    /// What values count.
    pub scale: Scale,
    pub sides: [&'static str; 2],
    /// What losses count, and from where on they are errors.
    pub grading: Grading,
    /// More lines at an error.
    pub lines: usize,
}

impl Setting {
    /// The unit of losses.
    pub fn unit(&self) -> &'static str {
        self.grading.unit.name()
    }

    /// A value of a side as people read it.
    pub fn text(&self, worth: Worth, side: Side) -> String {
        worth.text([self.sides[side.index()], self.sides[side.other().index()]])
    }

    /// What a win without points is worth in drawings.
    pub fn most(&self) -> f64 {
        match self.scale {
            Scale::Discs => 64.0,
            Scale::Pawns => 10.0,
            Scale::Percent => 50.0,
            _ => 100.0,
        }
    }
}

/// An analysed game.
pub struct Analysed {
    pub number: usize,
    pub tags: Vec<(String, String)>,
    pub result: String,
    pub last: Option<Judged>,
    pub steps: Vec<Step>,
    pub accounts: [Account; 2],
    pub start_ply: usize,
    pub end_ply: usize,
    line: Box<dyn AnyLine>,
}

impl Analysed {
    /// "Ada – Grace", or the number of the game.
    pub fn heading(&self) -> String {
        let tag = |name: &str| self.tags.iter().find(|(k, _)| k == name).map(|(_, v)| v.as_str());
        match (tag("Black"), tag("White")) {
            // A number stands for a name that is not known.
            (Some(black), Some(white)) if !black.is_empty() && !black.starts_with('#') => {
                format!("{black} – {white}")
            }
            _ => format!("game {}", self.number),
        }
    }

    /// From which number of moves on every value is exact.
    pub fn exact_from(&self) -> Option<usize> {
        exact_from(self.last.as_ref()?, &self.steps)
    }

    /// The line up to a ply.
    pub fn before(&self, ply: usize) -> Box<dyn AnyLine> {
        let mut line = self.line.boxed_clone();
        while line.ply() > ply && line.undo() {}
        line
    }
}

/// A number as people write it: whole numbers without decimals.
pub fn points(value: f64) -> String {
    let hundredths = (value * 100.0).round() / 100.0;
    if hundredths.fract() == 0.0 { format!("{hundredths:.0}") } else { format!("{hundredths:.2}") }
}

/// "1 error", "2 errors".
fn counted(number: u32, word: &str) -> String {
    format!("{number} {word}{}", if number == 1 { "" } else { "s" })
}

/// The first and last game of `--game N`, `--game A-B`.
fn chosen(args: &AnalyseArgs) -> Result<(usize, usize)> {
    let Some(text) = &args.games else { return Ok((1, 1)) };
    let wrong = || anyhow!("--game: expected a number from 1, or two such as 3-7, found '{text}'");
    let (first, last) = text.split_once('-').unwrap_or((text, text));
    let number = |t: &str| t.trim().parse().ok().filter(|&n: &usize| n > 0).ok_or_else(wrong);
    let (first, last) = (number(first)?, number(last)?);
    if first > last {
        return Err(wrong());
    }
    if last - first >= MOST_GAMES {
        bail!("--game {text}: at most {MOST_GAMES} games at once");
    }
    Ok((first, last))
}

/// The games of a file that were asked for.
pub fn of_file(entry: GameEntry, path: &Path, args: &AnalyseArgs) -> Result<Games> {
    let (first, last) = chosen(args)?;
    let name = path.display().to_string();
    let mut records = Vec::new();
    let mut count = 0;
    let mut broken = None;
    {
        let (format, mut input) = record_files::open(&entry, path)?;
        let read = format.stream(&mut input, &mut |record| {
            count += 1;
            if (first..=last).contains(&count) {
                match record {
                    Ok(record) => records.push((count, record)),
                    Err(error) => {
                        broken.get_or_insert((count, error));
                    }
                }
            }
            true
        });
        read.with_context(|| format!("cannot read {name}"))?;
        if let Some((number, error)) = broken {
            return Err(anyhow!(error).context(format!("{name}, game {number}")));
        }
        let mut bare: Vec<Record> = records.iter().map(|(_, r)| r.clone()).collect();
        record_files::put_names(format, path, &mut bare)?;
        for ((_, record), named) in records.iter_mut().zip(bare) {
            *record = named;
        }
    }
    let note = match count {
        0 => bail!("{name}: no record in this file"),
        n if records.is_empty() => {
            bail!(
                "{name}: there {} only {}",
                if n == 1 { "is" } else { "are" },
                counted(n as u32, "game")
            )
        }
        n if n > 1 && args.games.is_none() => {
            Some(format!("the first of {n} games; --game N or --game A-B chooses others"))
        }
        _ => None,
    };
    Ok(Games { entry, records, name, note })
}

/// A game written out on the command line, in any of the game's formats.
pub fn of_text(entry: &GameEntry, text: &str) -> Option<Result<Record>> {
    let mut errors = Vec::new();
    for format in &entry.formats {
        match format.read(text.as_bytes()).into_iter().next() {
            Some(Ok(record)) if !record.moves.is_empty() => return Some(Ok(record)),
            Some(Err(error)) => errors.push(error),
            _ => {}
        }
    }
    // The format that was meant is the one whose reader came furthest.
    let at_once = |e: &RecordError| matches!(e, RecordError::Text(e) if e.byte == 0);
    let furthest = errors.iter().position(|e| !at_once(e)).unwrap_or(0);
    errors.into_iter().nth(furthest).map(|error| Err(anyhow!(error)))
}

/// A single game that is no file.
pub fn of_record(entry: GameEntry, record: Record) -> Games {
    Games { entry, records: vec![(1, record)], name: "the game".into(), note: None }
}

/// Analyses games and tells about them.
pub fn run(games: Games, args: &AnalyseArgs) -> Result<ExitCode> {
    let Games { entry, records, name, note } = games;
    let stop = stop::on_interrupt();
    if let Some(note) = note {
        tell!("zug: {note}");
    }
    if let Some(report) = &args.report {
        places::insist_on_apart([report.as_path()], [Path::new(&args.position)])?;
    }
    let _claimed = places::claim(args.report.as_deref(), args.overwrite)?;
    let spec =
        Spec::parse(&args.player).with_context(|| format!("in the player '{}'", args.player))?;
    let lines = usize::from(args.lines.unwrap_or(1));
    let limits = Limits { lines, ..args.limits.limits(USUAL_TIME) };
    let mut analysed: Vec<Analysed> = Vec::new();
    let mut out = std::io::stdout().lock();
    let mut current = entry;
    // Kept from game to game: its tables are large.
    let mut kept: Option<(String, Reviewer)> = None;
    let mut setting = None;
    for (number, record) in records {
        current = entry_of(current, &record).with_context(|| name.clone())?;
        let line = record
            .replay(current.game.as_ref())
            .map_err(|(ply, e)| anyhow!("{name}, game {number}: move {}: {e}", ply + 1))?;
        let mut reviewer = match kept.take() {
            Some((game, reviewer)) if game == record.game => reviewer,
            _ => reviewer(&current, &spec, &limits, args)?,
        };
        let setting = &*setting.get_or_insert_with(|| about(&current, args, &limits, &reviewer));
        let bar = progress(&format!("game {number}"));
        let (last, steps) = walk(&mut reviewer, &*line, &stop, &*bar)?;
        drop(bar);
        kept = Some((record.game.clone(), reviewer));
        let game = Analysed {
            number,
            tags: record.tags.clone(),
            result: result(&current, &*line),
            accounts: accounts(&steps),
            start_ply: 0,
            end_ply: line.ply(),
            last,
            steps,
            line,
        };
        if !args.json {
            table(&mut out, setting, &game)?;
        }
        analysed.push(game);
        if stop.is_set() {
            break;
        }
    }
    let Some(setting) = setting else { bail!("{name}: no record in this file") };
    if let Some(path) = &args.report {
        let page = page::html(&setting, &analysed);
        zug_core::files::write_atomically(path, page.as_bytes())?;
        tell!("zug: wrote {}", path.display());
    }
    if args.json {
        let document = json!({
            "game": current.game.spec(),
            "player": args.player,
            "limits": setting.limits,
            "unit": setting.grading.unit.key(),
            "value_unit": setting.scale.unit(),
            "error_from": setting.grading.error,
            "blunder_from": setting.grading.blunder,
            "stopped": stop.is_set(),
            "games": analysed.iter().map(|g| game_json(&setting, g)).collect::<Vec<_>>(),
        });
        writeln!(out, "{document:#}")?;
    }
    out.flush()?;
    if stop.is_set() {
        tell!("zug: stopped");
        return Ok(ExitCode::from(130));
    }
    Ok(ExitCode::SUCCESS)
}

/// The judge of a game: the player, and a search to the end with as many threads where there is one.
fn reviewer(
    entry: &GameEntry,
    spec: &Spec,
    limits: &Limits,
    args: &AnalyseArgs,
) -> Result<Reviewer> {
    let player = zug_arena::player(entry, spec)
        .with_context(|| format!("in the player '{}'", args.player))?
        .make(args.seed)?;
    let grading = grading(args, scale_of(entry, &*player))?;
    let threads = spec.get("threads").and_then(|t| t.parse().ok()).unwrap_or(1);
    let settings = Settings { hash_mib: HASH_MIB, threads, model: None };
    let reviewer = Reviewer::new(entry, player, limits.clone()).graded(grading);
    reviewer.to_the_end(entry, &settings).map_err(|e| anyhow!(e))
}

/// All moves of a line, in the order in which they were played, and the value of the end. Only the
/// last moves when stopped.
fn walk(
    reviewer: &mut Reviewer,
    end: &dyn AnyLine,
    stop: &StopFlag,
    progress: &dyn Progress,
) -> Result<(Option<Judged>, Vec<Step>), PlayerError> {
    progress.set_length(Some(end.ply() as u64 + 1));
    let mut steps = BTreeMap::new();
    let mut last = reviewer.begin(end, stop)?;
    progress.advance(1);
    while let Some(told) = reviewer.step(stop)? {
        last = told.end.or(last);
        steps.extend(told.again.into_iter().chain([told.step]).map(|step| (step.ply, step)));
        progress.advance(1);
    }
    progress.finish();
    Ok((last, steps.into_values().collect()))
}

/// From which loss on a move is an error, in the unit that losses have.
fn grading(args: &AnalyseArgs, scale: Scale) -> Result<Grading> {
    let usual = Grading::usual(scale);
    let error = args.error.unwrap_or(usual.error);
    let blunder = args.blunder.unwrap_or(f64::max(usual.blunder, error));
    let most = usual.unit.most();
    if !(error > 0.0 && blunder >= error && blunder <= most) {
        bail!(
            "--error and --blunder are in {unit} here: expected more than 0 for --error, at least as \
             much for --blunder, and at most {most}; found {error} and {blunder}",
            unit = usual.unit.name()
        );
    }
    Ok(Grading { error, blunder, ..usual })
}

/// What all games of the command share.
fn about(entry: &GameEntry, args: &AnalyseArgs, limits: &Limits, reviewer: &Reviewer) -> Setting {
    let mut said = Vec::new();
    said.extend(limits.movetime.map(|t| format!("{} ms a position", t.as_millis())));
    said.extend(limits.depth.map(|d| format!("depth {d}")));
    said.extend(limits.nodes.map(|n| format!("{n} nodes a position")));
    Setting {
        title: entry.game.title(),
        player: args.player.clone(),
        limits: said.join(", "),
        scale: reviewer.scale(),
        sides: Side::BOTH.map(|side| entry.game.side_name(side)),
        grading: reviewer.grading(),
        lines: usize::from(args.lines.unwrap_or(1)).saturating_sub(1),
    }
}

fn result(entry: &GameEntry, line: &dyn AnyLine) -> String {
    match line.outcome() {
        None => "not finished".into(),
        Some(outcome) => match (outcome.winner, outcome.margin) {
            (None, _) => format!("a draw ({})", outcome.reason),
            (Some(side), Some(margin)) => {
                format!("{} wins by {margin}", entry.game.side_name(side))
            }
            (Some(side), None) => {
                format!("{} wins ({})", entry.game.side_name(side), outcome.reason)
            }
        },
    }
}

fn table(out: &mut impl Write, setting: &Setting, game: &Analysed) -> Result<()> {
    let moves = counted(game.end_ply as u32, "move");
    writeln!(out, "{}: {moves}, {}", game.heading(), game.result)?;
    writeln!(out, "values in {}, losses in {}", setting.scale.unit(), setting.unit())?;
    writeln!(
        out,
        "{:>4} {:6} {:>7} {:>9} {:>7} {:>9} {:>7}",
        "move", "side", "played", "value", "best", "value", "lost"
    )?;
    for step in &game.steps {
        let (best, value) = if step.mv == step.best() {
            ("", String::new())
        } else {
            (step.best(), setting.text(step.before.worth, step.side))
        };
        let mut remark = word(step).unwrap_or("").to_string();
        if let Some(thrown) = step.thrown {
            remark.push_str(&format!(" throws {} away", thrown.word()));
        }
        let row = format!(
            "{:>4} {:6} {:>7} {:>9} {best:>7} {value:>9} {:>7}  {}",
            step.ply + 1,
            setting.sides[step.side.index()],
            step.mv,
            setting.text(step.played, step.side),
            if step.loss > 0.0 { points(step.loss) } else { String::new() },
            remark.trim(),
        );
        writeln!(out, "{}", row.trim_end())?;
    }
    match game.exact_from() {
        Some(ply) => writeln!(out, "exact from move {} to the end", ply + 1)?,
        None => writeln!(out, "no value is exact")?,
    }
    for (side, account) in setting.sides.iter().zip(&game.accounts) {
        let accuracy = account.accuracy().map_or(String::new(), |a| format!(", accuracy {a:.0} %"));
        writeln!(
            out,
            "{side}: {} {} lost in {} with a choice, {}, {}{accuracy}",
            points(account.lost),
            setting.unit(),
            counted(account.moves, "move"),
            counted(account.errors, "error"),
            counted(account.blunders, "blunder"),
        )?;
    }
    Ok(())
}

/// A value for the side that moves. Where only the winner is proven there is no number.
fn worth_json(setting: &Setting, worth: Worth, side: Side) -> Value {
    let number = match worth.sure {
        Sure::Winner => Value::Null,
        _ => worth.points(setting.most()).into(),
    };
    let winner = if worth.score > zug_core::Score::DRAW { side } else { side.other() };
    json!({
        "value": number,
        "exact": worth.sure == Sure::Exact,
        "chance": worth.chance,
        "proven_winner": (worth.sure == Sure::Winner).then(|| setting.sides[winner.index()]),
    })
}

fn game_json(setting: &Setting, game: &Analysed) -> Value {
    let tags: serde_json::Map<String, Value> =
        game.tags.iter().map(|(k, v)| (k.clone(), v.as_str().into())).collect();
    let plies = game.steps.iter().map(|step| {
        let worth = |w: Worth| worth_json(setting, w, step.side);
        let others = step.before.others.iter().map(|(w, line)| {
            let mut other = worth(*w);
            other["line"] = line.as_slice().into();
            other
        });
        let own = |worth| setting.grading.unit.of_worth(worth);
        let dropped = own(step.before.worth) - own(step.played);
        json!({
            "ply": step.ply + 1,
            "side": setting.sides[step.side.index()],
            "position": game.before(step.ply).position_text(),
            "move": step.mv,
            "played": worth(step.played),
            "best": step.best(),
            "best_value": worth(step.before.worth),
            "line": step.before.line,
            "others": others.collect::<Vec<_>>(),
            "depth": step.before.depth,
            "choice": step.choice,
            "lost": step.loss,
            "exact": step.is_exact(),
            // What the value fell by without a fault that could be found in this move.
            "unexplained": (dropped - step.loss).max(0.0),
            "mark": word(step),
            "threw_away": step.thrown.map(zug_book::review::Thrown::word),
        })
    });
    let accounts: serde_json::Map<String, Value> = setting
        .sides
        .iter()
        .zip(&game.accounts)
        .map(|(side, a)| {
            let account = json!({
                "moves": a.moves,
                "lost": a.lost,
                "lost_exactly": a.lost_exactly,
                "errors": a.errors,
                "blunders": a.blunders,
                "accuracy": a.accuracy(),
            });
            (side.to_string(), account)
        })
        .collect();
    json!({
        "number": game.number,
        "tags": tags,
        "result": game.result,
        "plies": game.end_ply,
        "exact_from": game.exact_from().map(|ply| ply + 1),
        "sides": accounts,
        "moves": plies.collect::<Vec<_>>(),
    })
}

#[cfg(test)]
mod tests {
    use super::points;

    #[test]
    fn whole_numbers_have_no_decimals() {
        assert_eq!(points(6.0), "6");
        assert_eq!(points(1.254), "1.25");
        assert_eq!(points(0.0), "0");
    }
}
