//! The games that this binary knows. A new game is one file in its crate and one line here.

use anyhow::{Context, Result, anyhow};
use zug_book::{RecordExplorer, ShippedBook, with_books};
use zug_core::{GameEntry, Spec, TextError};
use zug_learn::explore::Explorer;

/// Books that are part of the program, by the spec of their game: `zug:book=shipped`.
const SHIPPED_BOOKS: &[(&str, &[u8])] =
    &[("othello", include_bytes!("../../../models/othello-book.zug"))];

/// A family of games that differ by options: `othello`, `othello:6x6`.
pub struct Family {
    /// The word before the colon.
    pub name: &'static str,
    /// One line: what it is and which options it takes.
    pub help: &'static str,
    open: fn(&Spec) -> Result<GameEntry, TextError>,
}

/// All families, in the order in which they are listed.
pub fn families() -> Vec<Family> {
    let mut all = vec![
        Family {
            name: "othello",
            help: "also on smaller boards: othello:6x6, othello:4x4",
            open: zug_othello::open,
        },
        Family {
            name: "chess",
            help: "orthodox chess; Chess960 by the number of the start: 960=N (0 to 959)",
            open: zug_chess::open,
        },
        Family {
            name: "go",
            help: "go:9x9,komi=7.5,ko=simple|superko,suicide=yes|no,scoring=area|territory,handicap=N",
            open: zug_go::open,
        },
    ];
    all.extend(zug_games::NAMES.iter().map(|&(name, help)| Family {
        name,
        help,
        open: open_small,
    }));
    all
}

/// Other words for families: alias and name.
const ALIASES: &[(&str, &str)] = &[("connect-four", "connect4"), ("tic-tac-toe", "tictactoe")];

/// What of a family can have a database although the family's own game cannot: in a word, in a
/// sentence, and an example.
pub fn numbered_part(family: &str) -> Option<(&'static str, &'static str, &'static str)> {
    match family {
        "chess" => Some(("endings", "chess endings", "chess:KRvKN")),
        "connect4" => {
            Some(("small", "connect4 on boards up to 4x10, 5x6, 6x4 or 7x3", "connect4:5x4"))
        }
        _ => None,
    }
}

fn open_small(spec: &Spec) -> Result<GameEntry, TextError> {
    zug_games::open(spec).expect("a name from zug_games::NAMES is known to zug_games::open")
}

/// Opens a game by its spec.
pub fn open(text: &str) -> Result<GameEntry> {
    let mut spec = Spec::parse(text).with_context(|| format!("in the game '{text}'"))?;
    if let Some((_, name)) = ALIASES.iter().find(|(alias, _)| *alias == spec.name) {
        spec.name = (*name).to_string();
    }
    let families = families();
    let family = families.iter().find(|f| f.name == spec.name).ok_or_else(|| {
        let names: Vec<&str> = families.iter().map(|f| f.name).collect();
        anyhow!("there is no game '{}'; known are {}", spec.name, names.join(", "))
    })?;
    let entry =
        (family.open)(&spec).with_context(|| format!("in the game '{text}' ({})", family.help))?;
    let game = entry.game.spec();
    let entry = match SHIPPED_BOOKS.iter().find(|(name, _)| *name == game) {
        Some((_, bytes)) => entry.with_extension(ShippedBook(bytes)),
        None => entry,
    };
    let entry = with_records(with_books(entry));
    tracing::debug!("opened {} as {}", text, entry.game.spec());
    Ok(entry)
}

/// Every game that can be written down can look positions up in records; Go has ways of its own.
fn with_records(entry: GameEntry) -> GameEntry {
    if entry.extension::<Explorer>().is_some() {
        return entry;
    }
    let spec = entry.game.spec();
    let again = move || open(&spec).map_err(|e| format!("{e:#}"));
    entry.with_extension(Explorer::new(RecordExplorer::new(again)))
}
