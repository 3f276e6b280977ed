//! Long checks: `cargo run --release -p zug-chess --features chores --example chores -- DIR [NODES]`
//! where `DIR` holds `perft`, `suites`, `books`, `pgn` and `eco`.

use std::path::PathBuf;
use zug_chess::chores;

fn main() -> std::io::Result<()> {
    let mut args = std::env::args().skip(1);
    let dir = PathBuf::from(args.next().unwrap_or_else(|| ".".into()));
    let max_nodes = args.next().and_then(|n| n.parse().ok()).unwrap_or(1_000_000);
    let mut out = std::io::stdout();
    let games = dir.join("pgn").join("fusc_thesis_games.pgn");
    let types = chores::thesis_types(&games, &mut out)?;
    let wrong = chores::read_data(&dir, &mut out)?;
    let perft = chores::perft_files(&dir.join("perft"), max_nodes, &mut out)?;
    println!(
        "{} counts, {} skipped, {} nodes, {:.0} M nodes/s; {} mismatches, {} files and {} types differ",
        perft.counted,
        perft.skipped,
        perft.nodes,
        perft.nodes as f64 / perft.elapsed.as_secs_f64() / 1e6,
        perft.mismatches.len(),
        wrong.len(),
        types.len()
    );
    Ok(())
}
