//! What a server serves: games, engines to think with, folders that may be looked into.

use super::engines::Engines;
use super::error::Refusal;
use super::solved::{Opened, Workshop};
use super::study::Shelved;
use super::uploads::Uploads;
use std::collections::HashMap;
use std::hash::{BuildHasher, Hasher, RandomState};
use std::path::PathBuf;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use zug_core::GameEntry;

/// A family of games as it is listed.
#[derive(Clone, Debug)]
pub struct Family {
    /// The word before the colon.
    pub name: String,
    /// One line: what it is and which options it takes.
    pub help: String,
    /// Variants that are offered by name, the plain one first.
    pub specs: Vec<String>,
}

/// Opens a game by its spec; the error is in words for people.
pub type OpenGame = Box<dyn Fn(&str) -> Result<GameEntry, String> + Send + Sync>;

/// Where things are that a page may look at.
#[derive(Clone, Debug, Default)]
pub struct Folders {
    /// Learning runs.
    pub runs: Option<PathBuf>,
    /// Databases of solved games, one folder for each.
    pub databases: Option<PathBuf>,
    /// An index of game records, by the spec of the game (Go: of the family) that it belongs to.
    pub records: Vec<(String, PathBuf)>,
}

/// The games, engines and folders of a server.
pub struct Site {
    pub(crate) families: Vec<Family>,
    open: OpenGame,
    entries: Kept<GameEntry>,
    pub(crate) engines: Engines,
    pub(crate) folders: Folders,
    /// Books and databases that were asked before, by the spec of their game.
    pub(crate) books: Kept<Shelved>,
    pub(crate) databases: Kept<Opened>,
    /// Where small games are solved that have no database.
    pub(crate) workshop: Workshop,
    pub(crate) uploads: Uploads,
    /// Where the seeds of players come from.
    lots: AtomicU64,
}

/// Things that take a while to open, kept once they are.
pub(crate) struct Kept<T>(Mutex<HashMap<String, Arc<T>>>);

impl<T> Default for Kept<T> {
    fn default() -> Kept<T> {
        Kept(Mutex::default())
    }
}

impl<T> Kept<T> {
    /// What is kept under this name, or what `open` gives. Two who ask at once may both open it.
    pub(crate) fn get<E>(
        &self,
        name: &str,
        open: impl FnOnce() -> Result<T, E>,
    ) -> Result<Arc<T>, E> {
        let lock = || self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        if let Some(known) = lock().get(name) {
            return Ok(Arc::clone(known));
        }
        let opened = Arc::new(open()?);
        let mut all = lock();
        if all.len() >= MOST_OPEN {
            all.clear();
        }
        all.insert(name.to_string(), Arc::clone(&opened));
        Ok(opened)
    }
}

/// So many games are kept open; specs are made up by whoever asks.
const MOST_OPEN: usize = 64;
/// No spec is as long.
const MOST_SPEC: usize = 200;

impl Site {
    /// Of these games, with so many engines at work at once.
    #[must_use]
    pub fn new(families: Vec<Family>, open: OpenGame, folders: Folders, engines: usize) -> Site {
        let engines = Engines::new(engines);
        let (entries, books, databases, workshop, uploads) = Default::default();
        let lots = AtomicU64::new(RandomState::new().build_hasher().finish());
        Site {
            families,
            open,
            entries,
            engines,
            folders,
            books,
            databases,
            workshop,
            uploads,
            lots,
        }
    }

    /// Players draw the same lots again when they are asked the same in the same order.
    #[must_use]
    pub fn with_seed(self, seed: u64) -> Site {
        Site { lots: AtomicU64::new(zug_core::seed::mix(seed)), ..self }
    }

    /// A sender who pauses for longer within a body is not waited for.
    #[must_use]
    pub fn with_terms(self, terms: &super::Terms) -> Site {
        Site { uploads: self.uploads.with_patience(terms.body), ..self }
    }

    /// A seed for a player that lives for one move: always the same one would always choose alike.
    pub(crate) fn draw_seed(&self) -> u64 {
        // Some players read it as a number that other programs can hold, too.
        zug_core::seed::mix(self.lots.fetch_add(1, Ordering::Relaxed)) >> 16
    }

    /// Takes away what was put on the disk for the time of serving.
    pub fn close(&self) {
        self.workshop.clear();
    }

    /// A game by its spec.
    pub(crate) fn open(&self, spec: &str) -> Result<Arc<GameEntry>, Refusal> {
        if spec.len() > MOST_SPEC {
            return Err(
                Refusal::bad("expected the name of a game, found a very long one").at("game")
            );
        }
        self.entries.get(spec, || (self.open)(spec).map_err(|e| Refusal::missing(e).at("game")))
    }
}

/// How a game is drawn, and what its values mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq, serde::Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum Kind {
    Othello,
    Chess,
    Go,
    Grid,
}

impl Kind {
    /// By the word before the colon.
    pub(crate) fn of(spec: &str) -> Kind {
        match spec.split(':').next() {
            Some("othello") => Kind::Othello,
            Some("chess") => Kind::Chess,
            Some("go") => Kind::Go,
            _ => Kind::Grid,
        }
    }

    pub(crate) fn unit(self) -> &'static str {
        match self {
            Kind::Othello => "discs",
            Kind::Chess => "pawns",
            Kind::Go => "points",
            Kind::Grid => "plain",
        }
    }
}
