//! `tablebases`: do our endings of chess agree with the published tables?
//!
//! | module | answers |
//! |---|---|
//! | [`placements`] | which positions are there? (without our index) |
//! | [`ours`] | what do we say? |
//! | [`winners`] | who wins: every position beside Syzygy |
//! | [`conversions`] | how far is the next capture: beside Syzygy's distances |
//! | [`mates`] | how far is mate: beside Gaviota, and files of positions |
//! | [`sizes`] | how many bytes? |
//!
//! The tables are not part of the repository.

mod conversions;
mod mates;
mod ours;
mod placements;
mod sizes;
mod syzygy;
mod winners;

use crate::stop;
use anyhow::{Context, Result, bail};
use ours::Ours;
use placements::Men;
use std::path::PathBuf;
use std::time::Instant;
use syzygy::Syzygy;
use winners::Tally;
use zug_chess::endings::{Material, Scope};
use zug_core::StopFlag;
use zug_solve::{Measure, Metric};

/// Where the tables are, and what to compare.
#[derive(clap::Args)]
pub struct Options {
    /// The folder with Syzygy's tables
    #[arg(long, value_name = "DIR", default_value = "../shared/data/chess/tablebases/syzygy-3-4")]
    syzygy: PathBuf,
    /// The folder with Gaviota's tables of three men (read by python-chess)
    #[arg(long, value_name = "DIR")]
    gaviota: Option<PathBuf>,
    /// A file of positions with mates (`dm`), results (`wdl`) or distances (`dtz`)
    #[arg(long, value_name = "FILE")]
    epd: Vec<PathBuf>,
    /// A database of chess endings; without one, all are solved in memory
    #[arg(long, value_name = "DIR")]
    db: Vec<PathBuf>,
    /// Endings of up to so many men
    #[arg(long, value_name = "N", default_value_t = 4)]
    men: u32,
    /// Only these endings (KRvKN)
    #[arg(long, value_name = "NAME", value_delimiter = ',')]
    only: Vec<String>,
    /// Every placement of both colours, and not one for all that are the same by symmetry
    #[arg(long)]
    whole: bool,
    /// Compare distances to conversion, too: every Nth position of endings without pawns
    #[arg(long, value_name = "N", num_args = 0..=1, default_missing_value = "1")]
    distances: Option<u64>,
    /// Threads
    #[arg(long, value_name = "N")]
    threads: Option<usize>,
    /// The Python that has python-chess
    #[arg(long, value_name = "PROGRAM", default_value = "python3")]
    python: String,
}

/// Compares; the result is a line that sums up.
pub fn run(options: &Options) -> Result<String> {
    let stop = stop::on_interrupt()?;
    let began = Instant::now();
    let cores = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let threads = options.threads.unwrap_or(cores).max(1);
    let syzygy = Syzygy::open(&options.syzygy)?;
    if options.men > syzygy.most_men() {
        bail!("the Syzygy tables have up to {} men", syzygy.most_men());
    }
    let mut run = Run { options, syzygy, threads, stop, compared: 0, different: 0 };
    for folder in &options.db {
        run.judge(&Ours::open(folder)?)?;
    }
    if options.db.is_empty() {
        let scope = match &options.only[..] {
            [one] => Scope::Material(Material::parse(one)?),
            _ => Scope::men(options.men).context("endings have 3 to 6 men (--men N)")?,
        };
        run.judge(&Ours::solve(scope, Metric::Mate, threads, &run.stop)?)?;
        if options.distances.is_some() {
            run.judge(&Ours::solve(scope, Metric::Conversion, threads, &run.stop)?)?;
        }
    } else {
        let endings = Ours::open(&options.db[0])?.endings();
        sizes::print(&endings, &options.db, &options.syzygy, options.gaviota.as_deref())?;
    }
    let summary = format!("{} comparisons in {:.1?}", run.compared, began.elapsed());
    if run.different > 0 {
        bail!("{summary}: {} differ", run.different);
    }
    Ok(format!("{summary}: all agree"))
}

/// A run of comparisons.
struct Run<'a> {
    options: &'a Options,
    syzygy: Syzygy,
    threads: usize,
    stop: StopFlag,
    compared: u64,
    different: u64,
}

impl Run<'_> {
    fn judge(&mut self, ours: &Ours) -> Result<()> {
        println!("\n{}", ours.name());
        let mut endings = ours.endings();
        for name in &self.options.only {
            if !endings.contains(name) {
                bail!("there is no ending {name} among {}", endings.join(", "));
            }
        }
        if !self.options.only.is_empty() {
            endings.retain(|name| self.options.only.contains(name));
        }
        self.winners(ours, &endings)?;
        for file in &self.options.epd {
            let found = mates::epd_file(file, ours)?;
            println!(
                "{}: {} statements compared, {} differ",
                file.display(),
                found.positions,
                found.different
            );
            self.note(found.positions, found.different);
        }
        match ours.measure() {
            Measure::Wdl => {}
            Measure::Dtm => self.mates(ours)?,
            Measure::Dtc => self.conversions(ours, &endings)?,
        }
        Ok(())
    }

    fn note(&mut self, compared: u64, different: u64) {
        self.compared += compared;
        self.different += different;
    }

    fn winners(&mut self, ours: &Ours, endings: &[String]) -> Result<()> {
        let began = Instant::now();
        println!(
            "{:8} {:>11} {:>11} | {:>33} | {:>33} | {:>7} {:>7} {:>6} {:>9}",
            "ending",
            "positions",
            "looked up",
            "White to move: won, drawn, lost",
            "Black to move: won, drawn, lost",
            "passing",
            "longest",
            "cursed",
            "different"
        );
        let mut all = Tally::default();
        for name in endings {
            let men = Men::parse(name)?;
            let (whole, threads) = (self.options.whole, self.threads);
            let mut tally = winners::compare(&men, whole, ours, &self.syzygy, threads, &self.stop)?;
            print_tally(name, &tally);
            if whole && men != men.swapped() {
                // The counts are those of the other side; only what differs is of interest.
                let men = men.swapped();
                let swapped =
                    winners::compare(&men, whole, ours, &self.syzygy, threads, &self.stop)?;
                let [white, black] = tally.results;
                if swapped.results != [black, white] {
                    bail!("{name} has other results with colours swapped: {swapped:?}");
                }
                tally.add(swapped);
            }
            for line in &tally.shown {
                println!("  {line}");
            }
            all.add(tally);
        }
        print_tally("all", &all);
        println!("{} looked up in {:.1?}", all.compared, began.elapsed());
        if ours.measure() == Measure::Dtm {
            println!(
                "the farthest mate is {} plies away; the fifty-move rule allows 100",
                all.longest
            );
        }
        self.note(all.compared, all.different);
        Ok(())
    }

    fn mates(&mut self, ours: &Ours) -> Result<()> {
        let Some(folder) = &self.options.gaviota else { return Ok(()) };
        if !["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"]
            .iter()
            .all(|e| ours.endings().iter().any(|o| o == e))
        {
            println!("Gaviota: left out, since not all endings of three men are here");
            return Ok(());
        }
        let began = Instant::now();
        let found = mates::gaviota(folder, &self.options.python, ours).context("Gaviota")?;
        println!(
            "Gaviota, three men: {} mate distances compared, {} differ ({:.1?})",
            found.positions,
            found.different,
            began.elapsed()
        );
        self.note(found.positions, found.different);
        Ok(())
    }

    fn conversions(&mut self, ours: &Ours, endings: &[String]) -> Result<()> {
        let every = self.options.distances.unwrap_or(1).max(1);
        println!(
            "{:8} {:>11} {:>8} {:>11} {:>9}",
            "ending", "looked up", "longest", "one ply off", "different"
        );
        for name in endings {
            let men = Men::parse(name)?;
            if men.has_pawns() {
                continue;
            }
            let found = conversions::compare(&men, every, ours, &self.syzygy)?;
            println!(
                "{name:8} {:>11} {:>8} {:>11} {:>9}",
                found.compared, found.longest, found.rounded, found.different
            );
            self.note(found.compared, found.different);
            if self.stop.is_set() {
                bail!("stopped");
            }
        }
        Ok(())
    }
}

fn print_tally(name: &str, tally: &Tally) {
    let [[ww, wd, wl], [bw, bd, bl]] = tally.results;
    println!(
        "{name:8} {:>11} {:>11} | {ww:>11} {wd:>10} {wl:>10} | {bw:>11} {bd:>10} {bl:>10} \
         | {:>7} {:>7} {:>6} {:>9}",
        tally.positions(),
        tally.compared,
        tally.passing,
        tally.longest,
        tally.cursed,
        tally.different
    );
}
