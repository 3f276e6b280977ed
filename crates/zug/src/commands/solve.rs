//! `zug solve`: what a late position is worth exactly, or each position of a file.

mod journal;
mod report;

use crate::cli::{SolveArgs, SolveMode};
use crate::progress::progress;
use crate::registry::{self, families};
use crate::stop;
use anyhow::{Context, Result, anyhow, bail};
use journal::Journal;
use report::{Entry, Totals, Unfinished, Verdict};
use serde_json::json;
use std::io::{BufReader, Write};
use std::path::Path;
use std::process::ExitCode;
use std::time::Instant;
use zug_core::erased::SharedGame;
use zug_core::exact::{
    Answer, AnyError, ExactSearch, Problem, Problems, Question, Searcher, Settings,
};
use zug_core::packed;
use zug_core::usage::process_seconds;
use zug_core::{AnyGame, Capability, GameEntry, Side, StopFlag};

/// A table that so few positions have gone through is as good as empty.
const WORTH_CLEARING: u64 = 1 << 20;
/// So many positions of a file are read before the first is solved, and no more.
const MOST_POSITIONS: usize = 200_000;
/// With more empty cells than this, no search comes to the end of the game.
const MOST_EMPTY: u32 = 50;

pub fn run(args: &SolveArgs) -> Result<ExitCode> {
    let entry = registry::open(&args.game)?;
    let exact = exact_search(&entry)?;
    let question = match (args.mode, args.every_move) {
        (SolveMode::Outcome, true) => {
            bail!("--every-move finds scores; leave --mode outcome out")
        }
        (SolveMode::Outcome, false) => Question::Outcome,
        (SolveMode::Score, true) => Question::EveryMove,
        (SolveMode::Score, false) => Question::Score,
    };
    if let (Some(first), Some(last)) = (args.first, args.last)
        && first > last
    {
        bail!("--first {first} comes after --last {last}");
    }
    let (name, problems) = source(&entry, &exact, args)?;
    let (first, last) = (args.first.unwrap_or(1), args.last.unwrap_or(u64::MAX));
    let chosen = chosen(problems, entry.game.clone(), (first, last), &name);
    // Who writes to standard input may wait for an answer; a file is read to its end first, so that
    // what is wrong there is said before hours of work and not after.
    let (chosen, count): (Chosen<'_>, Option<usize>) = match args.position.as_str() {
        "-" => (chosen, None),
        _ => {
            let all = whole(chosen, &name)?;
            let count = all.len();
            (Box::new(all.into_iter().map(Ok)), Some(count))
        }
    };
    if let Some(out) = &args.out {
        super::places::insist_on_apart([out.as_path()], [Path::new(&args.position)])?;
    }
    let mut journal = match &args.out {
        Some(path) => Some(Journal::open(path, &entry.game.spec(), question)?),
        None => None,
    };
    let mut work = Work {
        game: entry.game.as_ref(),
        exact: exact.clone(),
        settings: Settings {
            hash_mib: args.hash,
            threads: usize::from(args.threads),
            model: args.model.clone(),
        },
        searcher: None,
        question,
        check: args.check,
        stop: stop::on_interrupt(),
        unclear: 0,
    };
    let (mut entries, mut totals) = (Vec::new(), Totals::default());
    let mut out = anstream::stdout().lock();
    let mut table = report::Table::new(question);
    let mut unfinished = None;
    for problem in chosen {
        let (number, problem) = problem?;
        let known = journal.as_ref().and_then(|j| j.answer(&problem));
        let position = problem.position.clone();
        let entry = match known {
            Some(entry) => work.judged(number, problem, entry),
            None => match work.solve(number, problem)? {
                Some(entry) => {
                    if let Some(journal) = &mut journal {
                        journal.add(&entry)?;
                    }
                    entry
                }
                None => {
                    totals.stopped = true;
                    let so_far = work.searcher.as_ref().and_then(|searcher| searcher.so_far());
                    unfinished = Some(Unfinished { number, position, so_far });
                    break;
                }
            },
        };
        totals.add(&entry);
        if args.json {
            entries.push(entry);
        } else {
            table.row(&mut out, &entry)?;
        }
    }
    if args.json {
        let document = json!({
            "game": entry.game.spec(),
            "mode": if question == Question::Outcome { "outcome" } else { "score" },
            "unit": exact.unit(),
            "threads": args.threads,
            "hash_mib": args.hash,
            "positions": entries.iter().map(|e| e.json(question)).collect::<Vec<_>>(),
            "unfinished": unfinished.as_ref().map(Unfinished::json),
            "asked": count,
            "totals": totals.json(),
        });
        writeln!(out, "{document:#}")?;
    } else {
        table.end(&mut out, &totals)?;
    }
    out.flush()?;
    Ok(match () {
        () if totals.stopped => {
            if let Some(unfinished) = &unfinished {
                let out = args.out.is_some();
                tell!("zug: stopped; {}", unfinished.told(totals.positions, count, out));
            }
            ExitCode::from(130)
        }
        () if totals.wrong > 0 => ExitCode::from(1),
        () => ExitCode::SUCCESS,
    })
}

/// The exact search of a game, or what to use instead.
fn exact_search(entry: &GameEntry) -> Result<ExactSearch> {
    if let Some(search) = entry.extension::<ExactSearch>() {
        return Ok(search.clone());
    }
    let spec = entry.game.spec();
    let with: Vec<&str> = families()
        .iter()
        .filter(|f| registry::open(f.name).is_ok_and(|e| e.extension::<ExactSearch>().is_some()))
        .map(|f| f.name)
        .collect();
    let with = with.join(", ");
    let family = spec.split(':').next().unwrap_or(&spec);
    if entry.capabilities.contains(&Capability::Index) {
        bail!(
            "{spec} is solved as a whole: 'zug db build {spec} --out DIR', then 'zug db probe DIR \
             POSITION'; single positions are solved by search in: {with}"
        );
    }
    if let Some((_, part, example)) = registry::numbered_part(family) {
        bail!(
            "single positions are solved by search in: {with}; for {part} there are databases: \
             'zug db build {example} --out DIR', then 'zug db probe DIR POSITION'"
        );
    }
    bail!(
        "positions of {spec} are not solved by search (only those of: {with}); 'zug analyse {spec} \
         POSITION' estimates them, and proves what it can"
    )
}

/// Positions with their numbers, or what is wrong.
type Chosen<'a> = Box<dyn Iterator<Item = Result<(u64, Problem)>> + 'a>;

/// The positions from a first number to a last. A broken line outside that part is no concern; that
/// there is nothing in it is an error.
fn chosen<'a>(
    problems: Problems<'a>,
    game: SharedGame,
    (first, last): (u64, u64),
    name: &'a str,
) -> Chosen<'a> {
    let mut problems = problems.zip(1..).take_while(move |&(_, number)| number <= last);
    let mut read = 0;
    let mut is_empty = true;
    Box::new(std::iter::from_fn(move || {
        loop {
            let Some((problem, number)) = problems.next() else {
                let nothing = std::mem::take(&mut is_empty);
                return nothing.then(|| match read {
                    0 => Err(anyhow!("{name}: no position in this file")),
                    1 => Err(anyhow!("{name}: there is only 1 position, and --first is {first}")),
                    n => {
                        Err(anyhow!("{name}: there are only {n} positions, and --first is {first}"))
                    }
                });
            };
            read = number;
            if number < first {
                continue;
            }
            is_empty = false;
            let problem = problem.map_err(|error| anyhow!(error).context(name.to_string()));
            return Some(problem.and_then(|problem| {
                insist_on_late(game.as_ref(), &problem, name)?;
                Ok((number, problem))
            }));
        }
    }))
}

/// All of them in memory, or the first thing that is wrong.
fn whole(chosen: Chosen<'_>, name: &str) -> Result<Vec<(u64, Problem)>> {
    let mut all = Vec::new();
    for problem in chosen {
        if all.len() == MOST_POSITIONS {
            bail!(
                "{name}: more than {MOST_POSITIONS} positions; --first and --last choose some of \
                 them"
            );
        }
        all.push(problem?);
    }
    Ok(all)
}

/// Refuses what would never come to an end.
fn insist_on_late(game: &dyn AnyGame, problem: &Problem, name: &str) -> Result<()> {
    let empties = problem.empties;
    if empties <= MOST_EMPTY || game.line_from(&problem.position)?.outcome().is_some() {
        return Ok(());
    }
    let place = problem.line.map_or(name.to_string(), |line| format!("{name}, line {line}"));
    bail!(
        "{place}: {empties} cells are empty, and a search to the end would take ages (at most \
         {MOST_EMPTY} are tried); 'zug analyse' estimates such positions"
    )
}

/// Where the positions come from: their name and the stream.
fn source<'a>(
    entry: &GameEntry,
    exact: &ExactSearch,
    args: &'a SolveArgs,
) -> Result<(String, Problems<'a>)> {
    let text = &args.position;
    if text == "-" {
        let input = BufReader::new(std::io::stdin());
        return Ok(("standard input".into(), exact.problems(Box::new(input))));
    }
    let path = Path::new(text);
    let is_packed = packed::is_compressed(path);
    if path.is_dir() {
        bail!("{text}: this is a folder; expected a position or a file of positions");
    }
    if path.is_file() {
        let input = packed::open(path).with_context(|| format!("cannot read {text}"))?;
        return Ok((text.clone(), exact.problems(input)));
    }
    let inner = if is_packed { path.with_extension("") } else { path.to_path_buf() };
    let has_ending = |e| inner.extension().is_some_and(|x| x.eq_ignore_ascii_case(e));
    if is_packed || ["obf", "txt", "epd"].into_iter().any(has_ending) {
        bail!("there is no file {text}");
    }
    let short = zug_core::error::shorten(text);
    let start = (text == "start").then(|| entry.game.new_line().position_text());
    let problem = exact
        .problem(start.as_ref().unwrap_or(text))
        .with_context(|| format!("'{short}' is neither a file nor a position"))?;
    let one = std::iter::once(Ok::<Problem, AnyError>(problem));
    Ok(("the position".into(), Box::new(one)))
}

/// What solves one position after the other.
struct Work<'a> {
    game: &'a dyn AnyGame,
    exact: ExactSearch,
    settings: Settings,
    /// Made for the first position that needs it: its table is large.
    searcher: Option<Box<dyn Searcher>>,
    question: Question,
    check: bool,
    stop: StopFlag,
    /// Positions that have gone through the table since it was empty.
    unclear: u64,
}

impl Work<'_> {
    /// `None` when stopped.
    fn solve(&mut self, number: u64, problem: Problem) -> Result<Option<Entry>> {
        let searcher = match &mut self.searcher {
            Some(searcher) => searcher,
            None => {
                let made = self.exact.searcher(&self.settings).map_err(|e| anyhow!(e))?;
                self.searcher.insert(made)
            }
        };
        if self.unclear > WORTH_CLEARING {
            searcher.clear();
            self.unclear = 0;
        }
        let bar = progress(&format!("position {number} ({} empty)", problem.empties));
        let (begin, cpu) = (Instant::now(), process_seconds());
        let answer = searcher.solve(&problem.position, self.question, &self.stop)?;
        let (seconds, cpu_seconds) = (begin.elapsed().as_secs_f64(), process_seconds() - cpu);
        drop(bar);
        let Some(answer) = answer else { return Ok(None) };
        self.unclear += answer.nodes;
        let verdict = self.verdict(&problem, &answer);
        Ok(Some(Entry { number, problem, answer, seconds, cpu_seconds, verdict }))
    }

    /// An answer from before, judged again: the file may state other values now.
    fn judged(&self, number: u64, problem: Problem, old: Entry) -> Entry {
        let verdict = self.verdict(&problem, &old.answer);
        Entry { number, problem, verdict, ..old }
    }

    /// Is the answer what the file says, and does it stand on its own?
    fn verdict(&self, problem: &Problem, answer: &Answer) -> Verdict {
        if self.check
            && let Err(why) = self.play_through(problem, answer)
        {
            return Verdict::Wrong(why);
        }
        let Some(stated) = problem.stated() else { return Verdict::Unknown };
        let same = |found: i32, stated: i32| match self.question {
            Question::Outcome => found.signum() == stated.signum(),
            Question::Score | Question::EveryMove => found == stated,
        };
        if !same(answer.score, stated) {
            return Verdict::Wrong(format!("the file says {stated:+}"));
        }
        let listed = |mv: &str| problem.listed.iter().find(|(m, _)| m == mv).map(|&(_, v)| v);
        for (mv, found) in &answer.moves {
            if let Some(stated) = listed(mv).filter(|stated| stated != found) {
                return Verdict::Wrong(format!("{mv} is {found:+}, the file says {stated:+}"));
            }
        }
        if let (true, Some(best)) = (problem.lists_all, &answer.best)
            && let Some(value) = listed(best).filter(|&value| !same(value, stated))
        {
            return Verdict::Wrong(format!("the file says {value:+} for {best}"));
        }
        Verdict::Right
    }

    /// Plays the line; what is wrong with it, in words. A line may stop early where the table has
    /// lost its end.
    fn play_through(&self, problem: &Problem, answer: &Answer) -> Result<(), String> {
        let mut line = self.game.line_from(&problem.position).map_err(|e| e.to_string())?;
        let mover = line.to_move();
        for mv in &answer.line {
            line.play(mv).map_err(|e| format!("the line has an illegal move {mv}: {e}"))?;
        }
        let Some(outcome) = line.outcome() else {
            return match self.question {
                Question::Outcome => Ok(()),
                _ if answer.line.is_empty() => Err("there is no line".to_string()),
                _ => Ok(()),
            };
        };
        let margin = outcome.margin.unwrap_or(0.0) as i32;
        let score = match outcome.winner {
            None => 0,
            Some(side) if side == mover => margin,
            Some(Side::First | Side::Second) => -margin,
        };
        let good = match self.question {
            Question::Outcome => score.signum() == answer.score.signum(),
            Question::Score | Question::EveryMove => score == answer.score,
        };
        if good { Ok(()) } else { Err(format!("the line ends with {score:+}")) }
    }
}
