//! How strong is the opponent? Steps that mean something: ratings where they are measured, else plies
//! looked ahead or games played out; and time.

use serde::Serialize;
use zug_core::{EloRange, GameEntry};

/// Between two ratings.
const ELO_STEP: u32 = 200;

/// One step of the slider.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Level {
    /// Its number, from 0 on.
    pub name: String,
    /// "3 plies".
    pub label: String,
    /// The player as it is written.
    pub player: String,
    /// What it does, in a sentence.
    pub about: String,
}

/// All levels of a game, the weakest first. One that is solved has players that never err on top.
pub fn levels(entry: &GameEntry, solved: bool) -> Vec<Level> {
    let mut all = Vec::new();
    let mut add = |label: String, player: String, about: String| {
        all.push(Level { name: all.len().to_string(), label, player, about });
    };
    let has = |name: &str| entry.players.iter().any(|p| p.name == name);
    if has("random") {
        add("any move".into(), "random".into(), "plays any legal move".into());
    }
    let Some(first) = entry.players.first().filter(|p| p.name != "random") else { return all };
    let name = first.name;
    if let Some(&EloRange { least, most }) = entry.extension() {
        for elo in (least.next_multiple_of(ELO_STEP)..=most).step_by(ELO_STEP as usize) {
            add(
                format!("{elo} Elo"),
                format!("{name}:elo={elo}"),
                format!("plays like somebody with a rating of {elo}"),
            );
        }
    } else if first.help.contains("playouts=") && !first.help.contains("depth=") {
        for playouts in [20, 100, 500, 2000, 8000] {
            add(
                format!("{playouts} playouts"),
                format!("{name}:playouts={playouts}"),
                format!("plays {playouts} games to the end in its mind before each move"),
            );
        }
    } else {
        for depth in [1, 2, 3, 4, 6, 8] {
            add(
                format!("{depth} {}", if depth == 1 { "ply" } else { "plies" }),
                format!("{name}:depth={depth}"),
                format!("looks {depth} {} ahead", if depth == 1 { "ply" } else { "plies" }),
            );
        }
    }
    for seconds in [1, 3, 10] {
        add(
            format!("{seconds} s"),
            format!("{name}:movetime={seconds}s"),
            format!("thinks for {seconds} s before each move"),
        );
    }
    if solved && has("perfect") {
        add(
            "perfect".into(),
            "perfect".into(),
            "never gives anything away: it knows the value of every position".into(),
        );
        add(
            "perfect, sets traps".into(),
            "perfect:style=trap".into(),
            "never errs, and where several moves are as good takes the one after which people err most"
                .into(),
        );
    }
    all
}
