//! `zug perft`.

use crate::cli::{AttacksBy, PerftArgs};
use crate::registry;
use crate::terminal::count;
use anyhow::{Result, bail};
use std::io::Write;
use std::process::ExitCode;
use std::time::Instant;
use zug_chess::attacks::Attacks;
use zug_chess::fen;

pub fn run(args: &PerftArgs) -> Result<ExitCode> {
    let entry = registry::open(&args.game)?;
    let line = super::line_at(&entry, args.position.as_deref())?;
    let plain = match args.attacks {
        None => None,
        Some(_) if !entry.game.spec().starts_with("chess") => {
            bail!("--attacks is for chess, not for '{}'", entry.game.spec());
        }
        Some(AttacksBy::Magic) => Some(Attacks::Magic),
        Some(AttacksBy::Rotated) => Some(Attacks::Rotated),
    };
    let plain = match plain {
        Some(attacks) => Some((attacks, fen::parse(&line.position_text())?)),
        None => None,
    };
    let mut out = std::io::stdout().lock();
    let mut rows = Vec::new();
    let mut leaves = 1;
    for depth in 1..=args.depth {
        let begin = Instant::now();
        leaves = match &plain {
            Some((attacks, position)) => attacks.perft(position, depth),
            None => entry.game.perft(line.as_ref(), depth),
        };
        let seconds = begin.elapsed().as_secs_f64();
        let speed = (leaves as f64 / seconds.max(1e-9)) as u64;
        if args.json {
            rows.push(serde_json::json!({
                "depth": depth, "leaves": leaves, "seconds": seconds, "leaves_per_second": speed,
            }));
        } else {
            let speed = count(speed);
            writeln!(out, "depth {depth:>2}  {leaves:>16}  {seconds:>8.3} s  {speed:>9}/s")?;
        }
    }
    let divide = if args.divide && args.depth > 0 {
        entry.game.divide(line.as_ref(), args.depth)
    } else {
        Vec::new()
    };
    if args.json {
        let mut report = serde_json::json!({
            "game": entry.game.spec(),
            "position": line.position_text(),
            "depths": rows,
            "leaves": leaves,
        });
        if args.divide {
            report["moves"] = serde_json::Map::from_iter(
                divide.into_iter().map(|(mv, leaves)| (mv, leaves.into())),
            )
            .into();
        }
        writeln!(out, "{report:#}")?;
    } else {
        for (mv, n) in divide {
            writeln!(out, "{mv}: {n}")?;
        }
        writeln!(out, "{leaves}")?;
    }
    Ok(ExitCode::SUCCESS)
}
