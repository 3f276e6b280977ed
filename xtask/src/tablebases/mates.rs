//! How far is mate? Ours beside Gaviota's tables, and beside files of positions.

use super::ours::Ours;
use super::placements::{Men, Placed};
use anyhow::{Context, Result, bail};
use std::fmt::Write as _;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use zug_chess::{Piece, epd, fen};
use zug_solve::{Measure, Value};

/// What was compared, and how many differ.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Positions.
    pub positions: u64,
    /// Those that differ.
    pub different: u64,
}

/// Compares every position of the endings of three men with Gaviota's tables, for both colours.
///
/// They are read by python-chess, in `tablebases.py`: it gets positions and values line by line.
pub fn gaviota(folder: &Path, python: &str, ours: &Ours) -> Result<Compared> {
    let script = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tablebases.py");
    let mut child = Command::new(python)
        .arg(script)
        .arg(folder)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .with_context(|| format!("cannot start {python} (--python PROGRAM)"))?;
    let mut stdin = child.stdin.take().context("no pipe")?;
    let mut sent = 0;
    for name in ["KQvK", "KRvK", "KBvK", "KNvK", "KPvK"] {
        let men = Men::parse(name)?;
        for men in [men.swapped(), men] {
            let mut lines = String::new();
            let mut trouble = None;
            for kings in men.kings(false) {
                men.visit(kings, &mut |placed| {
                    let Placed::Position(position) = placed else { return };
                    match ours.value(position) {
                        Ok(value) => {
                            sent += 1;
                            let value = value.map_or("nothing".into(), |v| v.to_string());
                            let _ = writeln!(lines, "{}\t{value}", fen::write(position));
                        }
                        Err(e) => trouble = Some(e),
                    }
                });
            }
            if let Some(e) = trouble {
                return Err(e);
            }
            // It ends early only with an error of its own, which is told below.
            let _ = stdin.write_all(lines.as_bytes());
        }
    }
    drop(stdin);
    let output = child.wait_with_output()?;
    let text = String::from_utf8_lossy(&output.stdout);
    if !output.status.success() {
        bail!("{python} could not read the tables in {}", folder.display());
    }
    let (shown, summary) = text.trim_end().rsplit_once('\n').unwrap_or(("", text.trim_end()));
    if !shown.is_empty() {
        println!("{shown}");
    }
    let numbers: Vec<u64> = summary.split(' ').filter_map(|n| n.parse().ok()).collect();
    match numbers[..] {
        [positions, different] if positions == sent => Ok(Compared { positions, different }),
        _ => bail!("of {sent} positions, {python} says: {summary}"),
    }
}

/// Compares positions of an EPD file: `dm` is a mate in so many moves (negative for the side to
/// move that is mated, 0 for a draw), `wdl` is 2 for a win, 0 for a draw, -2 for a loss, and `dtz`
/// counts plies to the next capture or pawn move (compared where there are no pawns).
pub fn epd_file(file: &Path, ours: &Ours) -> Result<Compared> {
    let text =
        std::fs::read_to_string(file).with_context(|| format!("cannot read {}", file.display()))?;
    let mut compared = Compared::default();
    for line in epd::parse_all(&text) {
        let line = line.with_context(|| file.display().to_string())?;
        let position = line.position.clone().without_clocks();
        if !ours.covers(&position) {
            continue;
        }
        let pawns = !position.board().pieces(Piece::Pawn).is_empty();
        let to_mate = ours.measure() == Measure::Dtm;
        let to_conversion = ours.measure() == Measure::Dtc && !pawns;
        for (opcode, known, fits) in [
            ("wdl", true, result_fits as Fits),
            ("dm", to_mate, mate_fits),
            ("dtz", to_conversion, distance_fits),
        ] {
            let Some(stated) = line.number(opcode).filter(|_| known) else { continue };
            compared.positions += 1;
            let value = ours.value(&position)?;
            if !value.is_some_and(|value| fits(value, stated)) {
                compared.different += 1;
                let fen = fen::write(&position);
                println!("{fen}: {opcode} {stated} in the file, ours {value:?}");
            }
        }
    }
    Ok(compared)
}

type Fits = fn(Value, i64) -> bool;

fn mate_fits(value: Value, moves: i64) -> bool {
    match value {
        Value::Win(plies) => moves > 0 && 2 * moves - 1 == i64::from(plies),
        Value::Draw => moves == 0,
        Value::Loss(plies) => moves <= 0 && -2 * moves == i64::from(plies),
    }
}

fn result_fits(value: Value, wdl: i64) -> bool {
    match value {
        Value::Win(_) => wdl > 0,
        Value::Draw => wdl == 0,
        Value::Loss(_) => wdl < 0,
    }
}

/// Syzygy's distances are plies, but for rounding; see [`super::conversions`].
fn distance_fits(value: Value, dtz: i64) -> bool {
    let plies = value.plies().map_or(0, i64::from);
    result_fits(value, dtz) && (plies - dtz.abs()).abs() <= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_to_mate_are_plies_seen_from_the_side_to_move() {
        for (value, moves) in [(Value::Win(1), 1), (Value::Win(31), 16), (Value::Loss(30), -15)] {
            assert!(mate_fits(value, moves), "{value}");
            assert!(!mate_fits(value, moves + 1) && !mate_fits(value, -moves), "{value}");
        }
        assert!(mate_fits(Value::Draw, 0) && !mate_fits(Value::Win(1), 0));
        assert!(mate_fits(Value::Loss(0), 0), "a king that is mated");
    }
}
