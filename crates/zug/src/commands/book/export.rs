//! `zug book export` and `zug book copy`.

use super::show::{in_json, standing_word};
use super::{SHIPPED, open};
use crate::cli::{BookCopyArgs, BookExportArgs};
use crate::commands::places::{claim_one, insist_on_apart};
use crate::commands::record_files;
use anyhow::Result;
use serde_json::{Value, json};
use std::collections::HashSet;
use std::io::Write;
use std::path::Path;
use std::process::ExitCode;
use zug_book::{Book, Draws, Node, Places, Values, every_move};
use zug_core::{GameEntry, Record, RecordResult};

pub fn run(args: &BookExportArgs) -> Result<ExitCode> {
    let inputs = [Path::new(&args.book)].into_iter().filter(|_| args.book != SHIPPED);
    insist_on_apart([args.out.as_path()], inputs)?;
    let _claimed = claim_one(&args.out, args.overwrite)?;
    let (entry, places, book) = open(&args.book, &args.game)?;
    let mut nodes: Vec<&Node> = book.nodes().collect();
    nodes.sort_unstable_by_key(|node| (node.ply, node.key));
    let is_json = args.out.extension().is_some_and(|e| e == "jsonl");
    let written = if is_json {
        let bytes = positions(&entry, &places, &book, &nodes)?;
        zug_core::files::write_atomically(&args.out, &bytes)?;
        format!("{} positions", nodes.len())
    } else {
        let format = record_files::format_for(&entry, &args.out)?;
        let records = lines(&entry, &places, &book, &nodes);
        let count = records.len();
        record_files::write(&args.out, format.write(&records)?)?;
        format!("{count} lines")
    };
    writeln!(std::io::stdout().lock(), "{written} written to {}", args.out.display())?;
    Ok(ExitCode::SUCCESS)
}

/// Every position on a line of its own.
fn positions(entry: &GameEntry, places: &Places, book: &Book, nodes: &[&Node]) -> Result<Vec<u8>> {
    let values = Values::of(book, Draws::Neutral);
    let mut bytes = Vec::new();
    for node in nodes {
        let Some(line) = book.line_to(&*entry.game, places, node.key) else { continue };
        // Successors by the same keys as the positions, with a move as it is written on this board.
        let mut seen = HashSet::new();
        let edges: Vec<Value> = every_move(book, &values, places, &*line)
            .into_iter()
            .filter(|m| node.children().iter().any(|e| e.key == m.key) && seen.insert(m.key))
            .map(|m| json!({ "move": m.mv, "key": format!("{:016x}", m.key), "games": m.games }))
            .collect();
        let told = json!({
            "key": format!("{:016x}", node.key),
            "position": line.position_text(),
            "moves": line.moves().join(" "),
            "name": book.names.get(node.key),
            "games": node.games, "wins": node.wins, "draws": node.draws, "losses": node.losses(),
            "unknown": node.unknown,
            "result": node.result().map(|r| json!({ "value": r.value, "exact": r.exact })),
            "tree": values.tree(node.key),
            "standing": values.standing(node.key).map(standing_word),
            "chance": values.chance(node.key).map(in_json),
            "alternative": node.alternative().map(|a| json!({
                "move": a.mv, "value": in_json(a.value), "depth": a.depth,
            })),
            "edges": edges,
        });
        serde_json::to_writer(&mut bytes, &told)?;
        bytes.push(b'\n');
    }
    Ok(bytes)
}

/// One record for each position where stored games end.
fn lines(entry: &GameEntry, places: &Places, book: &Book, nodes: &[&Node]) -> Vec<Record> {
    let ends = nodes.iter().filter(|node| node.is_leaf());
    ends.filter_map(|node| {
        let line = book.line_to(&*entry.game, places, node.key)?;
        let mut record = Record::of_line(&*line);
        if let (RecordResult::Unknown, Some(result)) = (record.result, node.result()) {
            let winner = match result.value.signum() {
                0 => None,
                1 => Some(line.to_move()),
                _ => Some(line.to_move().other()),
            };
            record.result = RecordResult::Known { winner, margin: None };
        }
        if let Some(name) = book.names.name_of(places, &*line) {
            record.set_tag("Opening", name);
        }
        Some(record)
    })
    .collect()
}

pub fn copy(args: &BookCopyArgs) -> Result<ExitCode> {
    let inputs = [Path::new(&args.from)].into_iter().filter(|_| args.from != SHIPPED);
    insist_on_apart([args.to.as_path()], inputs)?;
    let _claimed = claim_one(&args.to, args.overwrite)?;
    let (_, _, book) = open(&args.from, &args.game)?;
    book.save(&args.to)?;
    writeln!(std::io::stdout().lock(), "{} positions copied to {}", book.len(), args.to.display())?;
    Ok(ExitCode::SUCCESS)
}
