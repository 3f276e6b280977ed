//! Checks that take minutes or need files: published counts, suites, books and games.

mod types;

pub use types::thesis_types;

use crate::attacks::Attacks;
use crate::pgn::{PgnError, Reader};
use crate::{epd, fen, perft, san};
use std::fmt::Write as _;
use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::path::Path;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

/// Threads that count.
const THREADS: usize = 2;

/// Counts of at most so many leaves are also made on the plain board, with every way to find
/// attacks; it is slower.
const MOST_BY_BOTH: u64 = 1_000_000;

/// What [`perft_files`] found.
#[derive(Clone, Debug, Default)]
pub struct PerftReport {
    /// Positions read.
    pub positions: usize,
    /// Counts that were made and compared.
    pub counted: usize,
    /// Counts that were larger than the budget.
    pub skipped: usize,
    /// Leaves counted.
    pub nodes: u64,
    /// Time that it took.
    pub elapsed: Duration,
    /// What does not agree.
    pub mismatches: Vec<String>,
}

/// A published count.
struct Count {
    fen: String,
    depth: u32,
    nodes: u64,
}

/// Makes all published counts of at most `max_nodes` leaves in the files of a folder
/// (`perft_suite.epd`, `tricky.perft`, `random.perft.zst`, `chess960.perft.zst`) and reports.
pub fn perft_files(dir: &Path, max_nodes: u64, out: &mut dyn Write) -> io::Result<PerftReport> {
    let mut total = PerftReport::default();
    for name in ["perft_suite.epd", "tricky.perft", "random.perft.zst", "chess960.perft.zst"] {
        let text = read_text(&dir.join(name))?;
        let counts = if name.ends_with(".epd") { epd_counts(&text) } else { perft_counts(&text) };
        let report = run_counts(&counts, max_nodes);
        writeln!(
            out,
            "{name}: {} positions, {} counts agree, {} differ, {} above {max_nodes} skipped, {} nodes in {:.1?}",
            report.positions,
            report.counted - report.mismatches.len(),
            report.mismatches.len(),
            report.skipped,
            report.nodes,
            report.elapsed
        )?;
        for mismatch in &report.mismatches {
            writeln!(out, "  {mismatch}")?;
        }
        total.positions += report.positions;
        total.counted += report.counted;
        total.skipped += report.skipped;
        total.nodes += report.nodes;
        total.elapsed += report.elapsed;
        total.mismatches.extend(report.mismatches);
    }
    Ok(total)
}

fn run_counts(counts: &[Count], max_nodes: u64) -> PerftReport {
    let begin = Instant::now();
    let next = AtomicUsize::new(0);
    let report = Mutex::new(PerftReport::default());
    std::thread::scope(|scope| {
        for _ in 0..THREADS {
            scope.spawn(|| {
                let mut own = PerftReport::default();
                while let Some(count) = counts.get(next.fetch_add(1, Ordering::Relaxed)) {
                    if count.nodes > max_nodes {
                        own.skipped += 1;
                        continue;
                    }
                    own.counted += 1;
                    match fen::parse(&count.fen) {
                        Err(e) => own.mismatches.push(format!("{}: {e}", count.fen)),
                        Ok(position) => {
                            let nodes = perft::count(position.board(), count.depth);
                            own.nodes += nodes;
                            let mut compare = |way: &str, nodes: u64| {
                                if nodes != count.nodes {
                                    own.mismatches.push(format!(
                                        "{} depth {}: counted {nodes}{way}, published {}",
                                        count.fen, count.depth, count.nodes
                                    ));
                                }
                            };
                            compare("", nodes);
                            if count.nodes <= MOST_BY_BOTH {
                                for attacks in Attacks::ALL {
                                    let way = format!(" by {} attacks", attacks.name());
                                    compare(&way, attacks.perft(&position, count.depth));
                                }
                            }
                        }
                    }
                }
                let mut all = report.lock().unwrap_or_else(|e| e.into_inner());
                all.counted += own.counted;
                all.skipped += own.skipped;
                all.nodes += own.nodes;
                all.mismatches.extend(own.mismatches);
            });
        }
    });
    let mut report = report.into_inner().unwrap_or_else(|e| e.into_inner());
    let mut fens: Vec<&str> = counts.iter().map(|c| c.fen.as_str()).collect();
    fens.dedup();
    report.positions = fens.len();
    report.elapsed = begin.elapsed();
    report
}

/// `FEN ;D1 n ;D2 n …` on every line.
fn epd_counts(text: &str) -> Vec<Count> {
    let mut counts = Vec::new();
    for line in text.lines().filter(|l| !l.trim().is_empty()) {
        let mut parts = line.split(';');
        let fen = parts.next().unwrap_or("").trim().to_string();
        for part in parts {
            let mut words = part.split_whitespace();
            let depth = words.next().and_then(|w| w.strip_prefix('D')?.parse().ok());
            let nodes = words.next().and_then(|w| w.parse().ok());
            if let (Some(depth), Some(nodes)) = (depth, nodes) {
                counts.push(Count { fen: fen.clone(), depth, nodes });
            }
        }
    }
    counts
}

/// Lines `epd FEN` and `perft DEPTH NODES`.
fn perft_counts(text: &str) -> Vec<Count> {
    let mut counts = Vec::new();
    let mut fen = String::new();
    for line in text.lines() {
        if let Some(rest) = line.strip_prefix("epd ") {
            fen = rest.trim().to_string();
        } else if let Some(rest) = line.strip_prefix("perft ") {
            let mut words = rest.split_whitespace();
            let depth = words.next().and_then(|w| w.parse().ok());
            let nodes = words.next().and_then(|w| w.parse().ok());
            if let (Some(depth), Some(nodes)) = (depth, nodes) {
                counts.push(Count { fen: fen.clone(), depth, nodes });
            }
        }
    }
    counts
}

/// Reads every suite, book and game collection of a folder and holds the numbers of entries against
/// what is known of them. Gives back what does not agree.
pub fn read_data(dir: &Path, out: &mut dyn Write) -> io::Result<Vec<String>> {
    let mut tally = Tally { out, wrong: Vec::new() };
    for (name, known) in [
        ("suites/wac.epd", 300),
        ("suites/arasan2024.epd", 200),
        ("suites/ecmgcp.epd", 183),
        ("suites/eet.epd", 100),
        ("suites/pet.epd", 48),
        ("suites/bt2630.epd", 30),
        ("suites/ecm.epd", 879),
        ("suites/zugzwang.epd", 30),
        ("suites/sts1-15_v3.epd", 1_500),
        ("suites/bratko-kopec.epd", 24),
        ("suites/hard-mates.epd", 24),
        ("perft/perft_suite.epd", 162),
        ("labelled/quiet_labeled_sample_1000.epd", 1_000),
        ("tablebases/endgame.epd", 200),
        ("books/2moves_v1.epd.zst", 40_457),
        ("books/noob_3moves.epd.zst", 150_932),
        ("books/popularpos_lichess_v3.epd.zst", 200_000),
        ("books/endgames.epd.zst", 157_846),
    ] {
        let (found, bad) = read_epd(&read_text(&dir.join(name))?);
        tally.note(name, found, known, bad)?;
    }
    for (name, known) in [
        ("books/8moves_v3.pgn.zst", 34_700),
        ("pgn/fusc_thesis_games.pgn", 11),
        ("pgn/kasparov-deep-blue-1997.pgn", 6),
        ("pgn/gm2600_pgnmentor.pgn.zst", 83_319),
    ] {
        let (found, plies, played_on, took, bad) = read_games(&dir.join(name))?;
        tally.note(name, found, known, bad)?;
        writeln!(tally.out, "  {plies} plies, {played_on} games go on after a draw, {took:.1?}")?;
    }
    for (letter, known) in [("a", 817), ("b", 769), ("c", 1_250), ("d", 614), ("e", 357)] {
        let name = format!("eco/{letter}.tsv");
        let (found, bad) = read_openings(&read_text(&dir.join(&name))?);
        tally.note(&name, found, known, bad)?;
    }
    Ok(tally.wrong)
}

/// Reports numbers and keeps those that are not as expected.
struct Tally<'a> {
    out: &'a mut dyn Write,
    wrong: Vec<String>,
}

impl Tally<'_> {
    fn note(&mut self, name: &str, found: usize, known: usize, bad: String) -> io::Result<()> {
        let text = format!("{name}: {found} of {known}{bad}");
        writeln!(self.out, "{text}")?;
        if found != known || !bad.is_empty() {
            self.wrong.push(text);
        }
        Ok(())
    }
}

fn read_epd(text: &str) -> (usize, String) {
    let (mut found, mut bad) = (0, String::new());
    for (i, entry) in epd::parse_all(text).enumerate() {
        let result = entry.and_then(|e| {
            e.moves("bm")?;
            e.moves("am")?;
            let again = epd::parse(&e.to_string())?;
            Ok(again.position == e.position && again.operations.starts_with(&e.operations))
        });
        match result {
            Ok(true) => found += 1,
            Ok(false) => push_few(&mut bad, &format!("entry {} changes when written", i + 1)),
            Err(e) => push_few(&mut bad, &e.to_string()),
        }
    }
    (found, bad)
}

type Games = (usize, usize, usize, Duration, String);

fn read_games(path: &Path) -> io::Result<Games> {
    let begin = Instant::now();
    let (mut found, mut plies, mut played_on, mut bad) = (0, 0, 0, String::new());
    for game in Reader::new(open(path)?) {
        match game {
            Ok(game) => {
                found += 1;
                plies += game.main.moves.len();
                played_on += usize::from(game.plays_on());
            }
            Err(PgnError::Io(e)) => return Err(e),
            Err(PgnError::Game(e)) => push_few(&mut bad, &e.to_string()),
        }
    }
    Ok((found, plies, played_on, begin.elapsed(), bad))
}

/// Lines of code, name and moves.
fn read_openings(text: &str) -> (usize, String) {
    let (mut found, mut bad) = (0, String::new());
    for line in text.lines().skip(1) {
        let moves = line.rsplit('\t').next().unwrap_or("");
        match Reader::new(moves.as_bytes()).next() {
            Some(Ok(game)) => {
                let mut position = game.start.clone();
                let texts = moves.split_whitespace().filter(|w| !w.ends_with('.'));
                let same = game.main.moves.iter().zip(texts).all(|(m, text)| {
                    let written = san::write(&position, m.mv);
                    position.play(m.mv);
                    written == text
                });
                if same { found += 1 } else { push_few(&mut bad, line) }
            }
            _ => push_few(&mut bad, line),
        }
    }
    (found, bad)
}

/// Collects the first few complaints.
fn push_few(out: &mut String, what: &str) {
    if out.len() < 2_000 {
        let _ = write!(out, "\n  {what}");
    }
}

fn open(path: &Path) -> io::Result<Box<dyn BufRead>> {
    let file = BufReader::with_capacity(1 << 16, File::open(path)?);
    Ok(if path.extension().is_some_and(|e| e == "zst") {
        Box::new(BufReader::with_capacity(1 << 16, zstd::Decoder::with_buffer(file)?))
    } else {
        Box::new(file)
    })
}

fn read_text(path: &Path) -> io::Result<String> {
    if path.extension().is_none_or(|e| e != "zst") {
        return fs::read_to_string(path);
    }
    let mut text = String::new();
    open(path)?.read_to_string(&mut text)?;
    Ok(text)
}
