//! `zug db stats`: the statistics report of the thesis, reduced and full side by side.

use super::{Opened, bytes, insist_on_whole, open, span};
use crate::cli::DbStatsArgs;
use crate::progress::progress;
use crate::stop;
use anyhow::Result;
use serde_json::{Value as Json, json};
use std::fmt::Write as _;
use std::io::Write;
use std::process::ExitCode;
use zug_core::Side;
use zug_core::checks::thousands;
use zug_solve::Measure;
use zug_solve::face::{Statistics, stage_reports};
use zug_solve::stats::{BySide, Counts, Tally};

pub fn run(args: &DbStatsArgs) -> Result<ExitCode> {
    let opened = open(&args.dir)?;
    insist_on_whole(&args.dir, opened.database.as_ref())?;
    let flag = stop::on_interrupt();
    let bar = progress("counting");
    let found = opened.database.statistics(super::threads(None), bar.as_ref(), &flag);
    drop(bar);
    let found = found?;
    if flag.is_set() {
        tell!("zug: stopped before everything was counted");
        return Ok(ExitCode::from(130));
    }
    let mut out = std::io::stdout().lock();
    if args.csv {
        write!(out, "{}", as_csv(&opened, args, &found.total))?;
    } else if args.json {
        writeln!(out, "{:#}", as_json(&opened, args, &found)?)?;
    } else {
        write!(out, "{}", as_text(&opened, args, &found)?)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn has_distances(opened: &Opened) -> bool {
    opened.database.manifest().metric != Measure::Wdl
}

fn as_csv(opened: &Opened, args: &DbStatsArgs, tally: &Tally) -> String {
    let counts = match (args.full, args.reduced) {
        (true, _) => &tally.full,
        (_, true) => &tally.reduced,
        _ => &tally.stored,
    };
    let mut text = "outcome_for_side_to_move,plies,white_to_move,black_to_move\n".to_string();
    if has_distances(opened) {
        for row in counts.rows() {
            let what = if row.won { "won" } else { "lost" };
            let [white, black] = row.counts;
            let _ = writeln!(text, "{what},{},{white},{black}", row.plies);
        }
    }
    for (what, [white, black]) in [
        ("won_total", counts.all_won()),
        ("lost_total", counts.all_lost()),
        ("drawn_total", counts.drawn),
    ] {
        let _ = writeln!(text, "{what},,{white},{black}");
    }
    text
}

fn json_counts(counts: &Counts, distances: bool) -> Json {
    let row = |row: zug_solve::stats::Row| {
        json!({
            "outcome": if row.won { "won" } else { "lost" },
            "plies": row.plies,
            "white_to_move": row.counts[0],
            "black_to_move": row.counts[1],
        })
    };
    let rows: Vec<Json> = if distances { counts.rows().map(row).collect() } else { Vec::new() };
    json!({
        "won": counts.all_won(), "lost": counts.all_lost(), "drawn": counts.drawn,
        "used": counts.used(), "rows": rows,
    })
}

fn as_json(opened: &Opened, args: &DbStatsArgs, found: &Statistics) -> Result<Json> {
    let distances = has_distances(opened);
    let one = |name: &str, tally: &Tally| {
        json!({
            "stage": name, "slots": tally.slots, "illegal": tally.illegal,
            "duplicates": tally.duplicates, "used": tally.used(),
            "reduced": json_counts(&tally.reduced, distances),
            "full": json_counts(&tally.full, distances),
        })
    };
    let mut all = one("all", &found.total);
    let reports = stage_reports(&args.dir)?;
    all["game"] = opened.database.manifest().game.clone().into();
    all["full_slots"] = found.full_slots.into();
    all["one_side_stored"] = found.mirrored.into();
    all["reduced_stored"] = found.stored_reduced.into();
    all["seconds"] = reports.iter().map(|r| r.seconds).sum::<f64>().into();
    all["stored_bytes"] = stored(opened).into();
    if let Some((why, tally)) = &found.unreached {
        all["unreached"] = one("unreached", tally);
        all["unreached"]["why"] = (*why).into();
    }
    if args.stages {
        all["stages"] = found.stages.iter().map(|(name, tally)| one(name, tally)).collect();
    }
    Ok(all)
}

fn stored(opened: &Opened) -> u64 {
    opened.database.manifest().stages.iter().map(|s| s.bytes).sum()
}

fn percent(part: u64, of: u64) -> String {
    format!("{:.2} %", 100.0 * part as f64 / of.max(1) as f64)
}

fn both(sides: BySide) -> u64 {
    sides[0] + sides[1]
}

/// A sum over a distribution.
type Total = fn(&Counts) -> BySide;

/// The columns of a distribution: whether full or reduced, and their heading.
type Columns<'a> = Vec<(&'static str, &'a Counts)>;

fn as_text(opened: &Opened, args: &DbStatsArgs, found: &Statistics) -> Result<String> {
    let manifest = opened.database.manifest();
    let tally = &found.total;
    let mut columns: Columns<'_> = Vec::new();
    if !args.reduced {
        columns.push(("full", &tally.full));
    }
    if !args.full {
        columns.push(("reduced", &tally.reduced));
    }
    let mut text = format!("{}: {}\n\n", manifest.game, super::metric(opened));
    slots(&mut text, args, found);
    if !found.stored_reduced {
        text.push_str(
            "\nThis database also stores positions that differ by a symmetry or a swap of colours \
             only; the reduced counts below have each of them once.\n",
        );
    }
    if found.mirrored {
        text.push_str(
            "\nOne of two positions that differ by a swap of colours is stored: the reduced \
             columns have one side to move where the other is its mirror image.\n",
        );
    }
    text.push('\n');
    distribution(&mut text, opened, &columns);
    if args.stages {
        text.push('\n');
        stages(&mut text, found);
    }
    if let Some((why, tally)) = &found.unreached {
        let _ = writeln!(text, "\n{}", unreached(args, found, why, tally));
    }
    let reports = stage_reports(&args.dir)?;
    let raw: u64 = opened.database.sizes().iter().map(|part| part.raw).sum();
    let stored = bytes(stored(opened));
    let _ = write!(text, "\nSize {stored} ({} unpacked)", bytes(raw));
    if !reports.is_empty() {
        let sum = |f: fn(&zug_solve::face::StageReport) -> f64| reports.iter().map(f).sum::<f64>();
        let (wall, cpu) = (sum(|r| r.seconds), sum(|r| r.cpu_seconds));
        let _ = write!(text, ", solved in {} ({} of processor time)", span(wall), span(cpu));
    }
    text.push_str(".\n");
    Ok(text)
}

/// How the slots are filled.
fn slots(text: &mut String, args: &DbStatsArgs, found: &Statistics) {
    let tally = &found.total;
    let full_used = both(tally.full.used());
    let full = found.full_slots.unwrap_or(full_used);
    let share = |part: u64, of: u64| format!("{:>15} {:>9}", thousands(part), percent(part, of));
    let none = format!("{:>15} {:>9}", "-", "");
    let rows = [
        (
            "slots",
            format!("{:>15} {:>9}", thousands(full), ""),
            format!("{:>15}", thousands(tally.slots)),
        ),
        ("illegal", share(full - full_used.min(full), full), share(tally.illegal, tally.slots)),
        ("duplicates", none, share(tally.duplicates, tally.slots)),
        ("used", share(full_used, full), share(tally.used(), tally.slots)),
    ];
    let pick = |full: &str, reduced: &str| match (args.full, args.reduced) {
        (true, _) => full.to_string(),
        (_, true) => reduced.to_string(),
        _ => format!("{full} {reduced}"),
    };
    let own = if found.stored_reduced { "reduced" } else { "stored" };
    let heading = pick(&format!("{:>15} {:>9}", "full", ""), &format!("{own:>15}"));
    let _ = writeln!(text, "{:<12}{}", "", heading.trim_end());
    for (name, full, reduced) in rows {
        let _ = writeln!(text, "{name:<12}{}", pick(&full, &reduced).trim_end());
    }
}

/// What is counted although no game comes to it.
fn unreached(args: &DbStatsArgs, found: &Statistics, why: &str, tally: &Tally) -> String {
    let outcomes = |counts: &Counts| {
        let totals: [(&str, u64); 3] = [
            ("won", both(counts.all_won())),
            ("lost", both(counts.all_lost())),
            ("drawn", both(counts.drawn)),
        ];
        let some = totals.iter().filter(|(_, n)| *n > 0);
        some.map(|(word, n)| format!("{} {word}", thousands(*n))).collect::<Vec<_>>().join(", ")
    };
    let own = if found.stored_reduced { &tally.reduced } else { &tally.stored };
    let counted = match (args.full, args.reduced) {
        (true, _) => outcomes(&tally.full),
        (_, true) => outcomes(own),
        _ => format!("{} (full), {} (as stored)", outcomes(&tally.full), outcomes(own)),
    };
    format!("Counted above although no game comes to them, {counted}: {why}.")
}

/// Which sides to move a column has: one that has no position of its own is left out.
fn sides(counts: &Counts) -> impl Iterator<Item = usize> {
    let used = counts.used();
    (0..2).filter(move |&side| used[side] > 0 || used == [0, 0])
}

fn distribution(text: &mut String, opened: &Opened, columns: &Columns<'_>) {
    let names = Side::BOTH.map(|side| opened.entry.game.side_name(side));
    // Numbers take 14 letters and their shares 10; headings stand over the numbers.
    let _ = write!(text, "{:<12}", "");
    for (heading, counts) in columns {
        let width = 24 * sides(counts).count();
        let _ = write!(text, "{heading:>14}{:>1$}", "", width - 14);
    }
    end_line(text);
    let _ = write!(text, "{:<12}", "to move:");
    for (_, counts) in columns {
        for side in sides(counts) {
            let _ = write!(text, "{:>14}{:>10}", names[side], "");
        }
    }
    end_line(text);
    if has_distances(opened) {
        let longest = columns.iter().map(|(_, c)| c.longest()).max().unwrap_or(0);
        for plies in 0..=longest {
            for won in [false, true] {
                let cell = |counts: &Counts| {
                    let rows = if won { &counts.won } else { &counts.lost };
                    rows.get(plies).copied().unwrap_or_default()
                };
                if columns.iter().all(|(_, counts)| cell(counts) == [0, 0]) {
                    continue;
                }
                let what = if won { "won" } else { "lost" };
                let _ = write!(text, "{:<12}", format!("{what} in {plies}"));
                for (_, counts) in columns {
                    for side in sides(counts) {
                        let _ = write!(text, "{:>14}{:>10}", thousands(cell(counts)[side]), "");
                    }
                }
                end_line(text);
            }
        }
    }
    let totals: [(&str, Total); 3] =
        [("won", Counts::all_won), ("lost", Counts::all_lost), ("drawn", |c| c.drawn)];
    for (name, total) in totals {
        let _ = write!(text, "{name:<12}");
        for (_, counts) in columns {
            let (sum, used) = (total(counts), counts.used());
            for side in sides(counts) {
                let share = percent(sum[side], used[side]);
                let _ = write!(text, "{:>14}{share:>10}", thousands(sum[side]));
            }
        }
        text.push('\n');
    }
    for (name, total) in totals {
        let _ = write!(text, "{:<12}", format!("all {name}"));
        for (_, counts) in columns {
            let (sum, used) = (both(total(counts)), both(counts.used()));
            let width = 24 * sides(counts).count();
            let share = percent(sum, used);
            let _ = write!(text, "{:>14}{share:>10}{:>2$}", thousands(sum), "", width - 24);
        }
        end_line(text);
    }
}

fn end_line(text: &mut String) {
    text.truncate(text.trim_end_matches(' ').len());
    text.push('\n');
}

fn stages(text: &mut String, found: &Statistics) {
    let width = found.stages.iter().map(|(name, _)| name.len()).max().unwrap_or(0).max(5);
    let _ = writeln!(
        text,
        "{:<width$}{:>15}{:>15}{:>15}{:>15}{:>15}{:>15}{:>9}",
        "stage", "slots", "illegal", "duplicates", "won", "lost", "drawn", "longest"
    );
    for (name, tally) in &found.stages {
        let counts = &tally.stored;
        let numbers = [
            tally.slots,
            tally.illegal,
            tally.duplicates,
            both(counts.all_won()),
            both(counts.all_lost()),
            both(counts.drawn),
        ];
        let _ = write!(text, "{name:<width$}");
        for number in numbers {
            let _ = write!(text, "{:>15}", thousands(number));
        }
        let _ = writeln!(text, "{:>9}", counts.longest());
    }
}
