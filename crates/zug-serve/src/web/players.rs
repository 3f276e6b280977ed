//! Which players may a page ask for? Those of the game, with options that cost a bounded amount of
//! memory and open no files of the asker's choice.

use super::error::Refusal;
use super::site::Site;
use std::sync::Arc;
use zug_core::{GameEntry, Player, Spec};

/// Options that a page may set.
const OPTIONS: &[&str] = &[
    "depth",
    "nodes",
    "playouts",
    "movetime",
    "elo",
    "seed",
    "noise",
    "style",
    "c",
    "rave",
    "margin",
    "patterns",
    "model",
    "book",
    "width",
    "null",
    "lmr",
    "futility",
    "quiesce",
    "extend",
    "aspiration",
    "history",
    "resign",
    "expand",
];
/// Of these the value must be the name of something that comes with the program.
const NAMES: &[&str] = &["model", "book"];
/// The player that needs a database.
const PERFECT: &str = "perfect";
/// Memory for one thinking player, in MiB: many think side by side.
const HASH_MIB: usize = 4;

/// Makes a player for a page, with a seed where it takes one and names none. One that asks a database gets that
/// of its game.
pub async fn make(
    site: &Arc<Site>,
    entry: &Arc<GameEntry>,
    text: &str,
    seed: u64,
) -> Result<Box<dyn Player>, Refusal> {
    let mut spec = Spec::parse(text).map_err(|e| Refusal::bad(e).at("player"))?;
    for (key, value) in &spec.options {
        if !OPTIONS.contains(&key.as_str()) {
            let message = format!("expected an option among {}, found '{key}'", OPTIONS.join(", "));
            return Err(Refusal::bad(message).at("player"));
        }
        let plain = value.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c));
        if NAMES.contains(&key.as_str()) && !plain {
            let message = format!("expected a {key} that comes with the program, found a file");
            return Err(Refusal::bad(message).at("player"));
        }
    }
    let kind = entry.players.iter().find(|k| k.name == spec.name);
    if kind.is_some_and(|k| k.help.contains("hash=")) {
        spec.options.push(("hash".to_string(), HASH_MIB.to_string()));
    }
    if kind.is_some_and(|k| k.help.contains("db=")) && spec.name == PERFECT {
        let folder = site.database_folder(entry).await.map_err(|r| r.at("player"))?;
        spec.options.push(("db".to_string(), folder.display().to_string()));
    }
    // Not every player draws lots.
    if spec.get("seed").is_none() {
        let mut seeded = spec.clone();
        seeded.options.push(("seed".to_string(), seed.to_string()));
        if let Ok(player) = entry.player(&seeded) {
            return Ok(player);
        }
    }
    entry.player(&spec).map_err(|e| Refusal::bad(e).at("player"))
}

/// The player that analyses when nobody says which.
pub fn usual(entry: &GameEntry) -> String {
    entry.players.first().map_or_else(|| "random".to_string(), |k| k.name.to_string())
}
