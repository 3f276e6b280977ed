//! Which books does this process have open?
//!
//! All players that name the same file share one book: what one of them learns, the others know in
//! their next move. A file that another process has changed meanwhile is read again before
//! anything is added to it, and `FILE.lock` is held from then until it is written, so that no
//! game of several processes is lost.

use crate::{Book, BookError, Draws, Values};
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, SystemTime};
use zug_core::Side;
use zug_core::files::{FileError, FileLock};

/// A book in use.
pub struct OpenBook {
    path: Option<PathBuf>,
    game: String,
    state: Mutex<State>,
}

/// The book itself, with its values as far as somebody asked for them.
pub struct State {
    /// The positions.
    pub book: Book,
    values: Vec<Values>,
    stamp: Option<Stamp>,
    /// The last game that was added, and by whom: a game between two players of one book is one
    /// game.
    last: Option<(Vec<String>, Side, Moment)>,
}

/// A point in the course of this process.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Moment(u64);

impl Moment {
    /// Later than every one before.
    pub fn now() -> Moment {
        static COUNT: AtomicU64 = AtomicU64::new(0);
        Moment(COUNT.fetch_add(1, Ordering::Relaxed))
    }
}

/// When a file was written, how long it is, and which one it is.
type Stamp = (Option<SystemTime>, u64, u64);

fn stamp(path: &Path) -> Option<Stamp> {
    let about = fs::metadata(path).ok()?;
    // A book is replaced as a whole: two of one length and one tick of the clock are two files.
    #[cfg(unix)]
    let which = std::os::unix::fs::MetadataExt::ino(&about);
    #[cfg(not(unix))]
    let which = 0;
    Some((about.modified().ok(), about.len(), which))
}

/// The right to change the file of a book; other processes wait until it is dropped.
#[must_use]
pub struct Hold {
    _lock: FileLock,
}

/// Waits until nobody else changes a book: as long as it takes, or so long at most.
/// `waits` is called once when there is somebody to wait for.
pub fn hold(
    path: &Path,
    patience: Option<Duration>,
    waits: &mut dyn FnMut(&FileError),
) -> Result<Hold, BookError> {
    Ok(Hold { _lock: FileLock::wait_beside(&place(path), patience, waits)? })
}

/// Says in words why the file of a book could not be written, before a game and not after it.
pub fn insist_on_writable(path: &Path) -> Result<(), String> {
    let path = place(path);
    if path.is_dir() {
        return Err(format!("{}: this is a folder; the name of a file is needed", path.display()));
    }
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    let Ok(about) = fs::metadata(folder) else {
        return Err(format!("{}: there is no folder {}", path.display(), folder.display()));
    };
    if about.permissions().readonly() {
        return Err(format!("{}: {} cannot be written to", path.display(), folder.display()));
    }
    match FileLock::wait_beside(&path, Some(Duration::ZERO), &mut |_| {}) {
        // Who holds it now will have ended by then, or is waited for.
        Ok(_) | Err(FileError::Busy { .. }) => Ok(()),
        Err(error) => Err(error.to_string()),
    }
}

/// How many books stay open without anybody who uses them: players are made anew for each game.
const KEPT: usize = 8;

static SHELF: Mutex<Vec<Arc<OpenBook>>> = Mutex::new(Vec::new());

/// One name for a file, however it is spelled.
fn place(path: &Path) -> PathBuf {
    if let Ok(place) = path.canonicalize() {
        return place;
    }
    let folder = path.parent().filter(|f| !f.as_os_str().is_empty()).unwrap_or(Path::new("."));
    match (folder.canonicalize(), path.file_name()) {
        (Ok(folder), Some(name)) => folder.join(name),
        _ => path.to_path_buf(),
    }
}

/// Opens the book of a game, or finds it open. Where there is no file, an empty book begins, if
/// that is wanted; the file comes with the first game.
pub fn open(path: &Path, game: &str, create: bool) -> Result<Arc<OpenBook>, BookError> {
    let path = place(path);
    let mut shelf = SHELF.lock().unwrap_or_else(PoisonError::into_inner);
    let known = shelf.iter().position(|b| b.path.as_ref() == Some(&path) && b.game == game);
    if let Some(known) = known {
        let open = shelf.remove(known);
        shelf.push(open.clone());
        let exists = path.exists();
        let mut state = open.lock();
        if exists || create {
            if exists {
                state.refresh(&path, game)?;
            } else if state.stamp.is_some() {
                // The file was taken away: a new book begins.
                *state = State::new(Book::new(game), None);
            }
            drop(state);
            return Ok(open);
        }
        drop(state);
        shelf.pop();
    }
    let state = if create && !path.exists() {
        State::new(Book::new(game), None)
    } else {
        State::read(&path, game)?
    };
    let open =
        Arc::new(OpenBook { path: Some(path), game: game.to_string(), state: Mutex::new(state) });
    shelf.push(open.clone());
    if shelf.len() > KEPT {
        shelf.remove(0);
    }
    Ok(open)
}

impl OpenBook {
    /// A book that has no file and is never written: one that is part of the program.
    #[must_use]
    pub fn built_in(book: Book) -> Arc<OpenBook> {
        let game = book.spec().to_string();
        Arc::new(OpenBook { path: None, game, state: Mutex::new(State::new(book, None)) })
    }

    /// The file; `None` for a book that is part of the program.
    #[must_use]
    pub fn path(&self) -> Option<&Path> {
        self.path.as_deref()
    }

    /// The book, for oneself.
    pub fn lock(&self) -> MutexGuard<'_, State> {
        // Every change is made on the graph whole, so that a panic elsewhere leaves it good.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until no other process changes the file; `None` for a book that has none.
    pub fn hold(&self, patience: Option<Duration>) -> Result<Option<Hold>, BookError> {
        let Some(path) = &self.path else { return Ok(None) };
        let mut waits = |busy: &FileError| tracing::warn!("waiting: {busy}");
        hold(path, patience, &mut waits).map(Some)
    }

    /// Reads the file again if somebody else has written it.
    pub fn refresh(&self, state: &mut State) -> Result<(), BookError> {
        match &self.path {
            Some(path) if path.exists() => state.refresh(path, &self.game),
            _ => Ok(()),
        }
    }

    /// Writes the file.
    pub fn save(&self, state: &mut State) -> Result<(), BookError> {
        if let Some(path) = &self.path {
            state.book.save(path)?;
            state.stamp = stamp(path);
        }
        Ok(())
    }
}

impl State {
    fn new(book: Book, stamp: Option<Stamp>) -> State {
        State { book, values: Vec::new(), stamp, last: None }
    }

    fn read(path: &Path, game: &str) -> Result<State, BookError> {
        let stamp = stamp(path);
        let (book, note) = Book::open_or_last_good(path, Some(game))?;
        if let Some(note) = note {
            tracing::warn!("{note}");
        }
        Ok(State::new(book, stamp))
    }

    fn refresh(&mut self, path: &Path, game: &str) -> Result<(), BookError> {
        if stamp(path) != self.stamp {
            let last = self.last.take();
            *self = State { last, ..State::read(path, game)? };
        }
        Ok(())
    }

    /// The book with its values under a rule for draws.
    pub fn with_values(&mut self, draws: Draws) -> (&Book, &Values) {
        let at = match self.values.iter().position(|values| values.draws() == draws) {
            Some(at) => {
                self.values[at].update(&self.book);
                at
            }
            None => {
                self.values.push(Values::of(&self.book, draws));
                self.values.len() - 1
            }
        };
        (&self.book, &self.values[at])
    }

    /// Notes that a game is being added by a player of this side; false when the player of the
    /// other side has just added it. A game that began only after that is another, though it went
    /// the same way.
    pub fn take_note(&mut self, moves: Vec<String>, side: Side, begun: Moment) -> bool {
        let again = self
            .last
            .as_ref()
            .is_some_and(|(last, by, added)| *last == moves && *by != side && begun < *added);
        self.last = if again { None } else { Some((moves, side, Moment::now())) };
        !again
    }
}
