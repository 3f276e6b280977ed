//! The words of `zug solve`.

use clap::{Args, ValueEnum};
use std::path::PathBuf;

#[derive(Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SolveMode {
    /// The exact score
    Score,
    /// Won, drawn or lost only; far quicker
    Outcome,
}

#[derive(Args)]
#[command(
    after_help = "Scores are for the side to move, both sides playing as well as possible: in Othello the final disc difference, the empty squares given to the winner.
A file has one position a line; in OBF files the values of moves may follow. Where the file states values, each answer is compared with them: the score must be that of the best listed move, and where all legal moves are listed, the move found must be one of the best. A wrong answer makes the exit code 1. A file may be compressed (.obf.zst). Standard input is '-', and is answered line by line; a file is read to its end first, so that a broken line is found at once.
Ctrl-C prints what was solved so far, and what is known of the position that was not (exit code 130). With --out, answers are kept as they are found, and the same command goes on where it was stopped.

With --json, one object: game, mode, unit, threads, hash_mib, positions (a list), unfinished (null, or what was being solved when stopped: number, position, at_least, at_most, expected), asked (the number of positions, null for standard input), and totals. A position has number (in the file, from 1), line, position, to_move, empties, score (null with --mode outcome), outcome (won, drawn, lost), move (null when the game is over), moves (the line), every_move (objects with move and score, best first; with --every-move), nodes, seconds, cpu_seconds, nodes_per_second, stated (the score in the file, or null), and right (null where nothing is stated). Totals: positions, right, wrong, nodes, seconds, cpu_seconds, nodes_per_second, stopped.

Examples:
  zug solve othello fforum-40-59.obf --threads 2
  zug solve othello fforum-40-59.obf --first 1 --last 10 --json
  zug solve othello hard-25.obf --mode outcome --out hard-25.jsonl
  zug solve othello 'XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X' --every-move"
)]
pub struct SolveArgs {
    /// The game
    pub game: String,
    /// A position in the game's notation, a file of positions, or '-'
    #[arg(allow_hyphen_values = true)]
    pub position: String,
    /// Threads that search together
    #[arg(long, default_value_t = 1, value_parser = clap::value_parser!(u16).range(1..=256))]
    pub threads: u16,
    /// Memory of the table: 256M, 4G; a bare number counts mebibytes
    #[arg(long, value_name = "SIZE", value_parser = mebibytes, default_value = "256M")]
    pub hash: usize,
    /// What to find
    #[arg(long, value_enum, default_value = "score")]
    pub mode: SolveMode,
    /// Also the exact score of every legal move
    #[arg(long)]
    pub every_move: bool,
    /// Of a file: begin with this position (from 1)
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub first: Option<u64>,
    /// Of a file: end with this position
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub last: Option<u64>,
    /// Play each line through: it must be legal and end with the score
    #[arg(long)]
    pub check: bool,
    /// The evaluation that orders moves, by name or file, or 'none'; scores do not depend on it
    #[arg(long, value_name = "MODEL")]
    pub model: Option<String>,
    /// Keep answers here (JSON lines); the same command goes on where it was stopped
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The largest table: one tebibyte.
const MOST_MIB: u64 = 1 << 20;

/// `256M`, `4G`, `256`: in mebibytes.
pub(super) fn mebibytes(text: &str) -> Result<usize, String> {
    let bare = text.trim().chars().all(|c| c.is_ascii_digit());
    let bytes = super::db::size(&if bare { format!("{}M", text.trim()) } else { text.into() })?;
    let mib = bytes >> 20;
    if (1..=MOST_MIB).contains(&mib) {
        Ok(mib as usize)
    } else {
        Err("expected a size from 1M to 1T".into())
    }
}

#[cfg(test)]
mod tests {
    use super::mebibytes;

    #[test]
    fn a_bare_size_counts_mebibytes() {
        assert_eq!(mebibytes("256"), Ok(256));
        assert_eq!(mebibytes("256M"), Ok(256));
        assert_eq!(mebibytes("1.5GiB"), Ok(1536));
        for bad in ["", "0", "1k", "2T", "-1", "99999999999999999999", "much"] {
            assert!(mebibytes(bad).is_err(), "{bad}");
        }
    }
}
