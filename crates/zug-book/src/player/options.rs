//! Which book, and may it learn?

use super::{About, Shared};
use crate::shelf::{self, OpenBook};
use crate::{Book, BookError};
use std::path::{Path, PathBuf};
use zug_core::error::shorten;
use zug_core::{Spec, TextError};

/// The options that the wrapper takes; all others belong to the player inside.
pub(super) const KEYS: [&str; 4] = ["book", "learn", "draws", "vary"];

/// The word for the book that is part of the program, and the one for none.
const SHIPPED: &str = "shipped";
const NONE: &str = "none";

#[derive(Clone, Default)]
pub(super) struct Options {
    pub(super) book: Option<Shared>,
    /// A book that is not there and begins when learning is switched on.
    missing: Option<PathBuf>,
    learn: bool,
    pub(super) avoids_draws: bool,
    /// Lots are drawn between the moves of the book: with this seed.
    pub(super) vary: Option<u64>,
    seed: u64,
}

impl Options {
    pub(super) fn of_spec(spec: &Spec, about: &About) -> Result<Options, TextError> {
        let seed = spec.parsed::<u64>("seed", "a number")?.unwrap_or(0);
        let mut options = Options { seed, ..Options::default() };
        // `learn` first: it says whether a book that is not there may begin.
        for key in ["learn", "draws", "vary", "book"] {
            let Some(value) = spec.get(key) else { continue };
            options.set(key, value, about).map_err(|why| TextError {
                line: None,
                byte: spec.name.len() + 1,
                expected: expected(key),
                found: why,
            })?;
        }
        if let Some(path) = &options.missing {
            return Err(TextError {
                line: None,
                byte: spec.name.len() + 1,
                expected: format!("{} (or learn=on, to begin one)", expected("book")),
                found: format!("no file {}", path.display()),
            });
        }
        if options.learn && options.book.is_none() {
            return Err(TextError {
                line: None,
                byte: spec.name.len() + 1,
                expected: "book=FILE with learn=on".into(),
                found: "no book to learn into".into(),
            });
        }
        Ok(options)
    }

    /// Does a game change the book?
    pub(super) fn learns(&self) -> bool {
        self.learn && self.book.as_ref().is_some_and(|book| book.path().is_some())
    }

    /// Sets an option; the error is in words.
    pub(super) fn set(&mut self, key: &str, value: &str, about: &About) -> Result<(), String> {
        match key {
            "book" => {
                let path = Path::new(value);
                let is_file = ![NONE, "", SHIPPED].contains(&value);
                // Options come one by one in a protocol, in any order.
                if is_file && !self.learn && !path.exists() {
                    (self.book, self.missing) = (None, Some(path.to_path_buf()));
                } else {
                    (self.book, self.missing) = (self.open(value, about)?, None);
                }
            }
            "learn" => {
                let learn = switch(value)?;
                if learn && self.book.as_ref().is_some_and(|book| book.path().is_none()) {
                    return Err(CANNOT_LEARN.into());
                }
                if learn && let Some(path) = self.book.as_ref().and_then(|book| book.path()) {
                    shelf::insist_on_writable(path)?;
                }
                if learn && let Some(path) = &self.missing {
                    self.book = Some(begin(path, about)?);
                    self.missing = None;
                }
                self.learn = learn;
            }
            "draws" => {
                self.avoids_draws = match value.to_ascii_lowercase().as_str() {
                    "neutral" => false,
                    "avoid" => true,
                    _ => return Err(format!("'{}'", shorten(value))),
                };
            }
            "vary" => self.vary = switch(value)?.then_some(self.seed),
            // How much a draw is disliked. In a book only whether it is can matter.
            _ => {
                let contempt: f64 = value
                    .parse()
                    .map_err(|_| format!("contempt is a number, not '{}'", shorten(value)))?;
                if self.book.is_none() && self.missing.is_none() {
                    return Err("contempt matters in a book only, and there is none".into());
                }
                self.avoids_draws = contempt > 0.0;
            }
        }
        Ok(())
    }

    fn open(&self, value: &str, about: &About) -> Result<Option<Shared>, String> {
        match value {
            NONE | "" => Ok(None),
            SHIPPED => {
                let Some(shipped) = about.shipped else {
                    return Err(format!("no book of {} is part of the program", about.spec));
                };
                if self.learn {
                    return Err(CANNOT_LEARN.into());
                }
                shipped_book(shipped.0, &about.spec).map(Some).map_err(|e| e.to_string())
            }
            file if self.learn => begin(Path::new(file), about).map(Some),
            file => shelf::open(Path::new(file), &about.spec, false)
                .map(Some)
                .map_err(|e| e.to_string()),
        }
    }
}

/// Opens a book that is to learn.
fn begin(path: &Path, about: &About) -> Result<Shared, String> {
    shelf::insist_on_writable(path)?;
    shelf::open(path, &about.spec, true).map_err(|e| e.to_string())
}

const CANNOT_LEARN: &str =
    "the shipped book is part of the program and cannot learn; 'zug book copy' makes a file of it";

fn expected(key: &str) -> String {
    match key {
        "book" => "a book of this game for 'book'",
        "learn" => "on or off for 'learn'",
        "vary" => "on or off for 'vary'",
        _ => "neutral or avoid for 'draws'",
    }
    .to_string()
}

pub(super) fn switch(value: &str) -> Result<bool, String> {
    match value.to_ascii_lowercase().as_str() {
        "on" | "true" | "yes" | "1" => Ok(true),
        "off" | "false" | "no" | "0" => Ok(false),
        _ => Err(format!("'{}'", shorten(value))),
    }
}

/// The shipped book is unpacked once; players are made for every game.
fn shipped_book(bytes: &'static [u8], game: &str) -> Result<Shared, BookError> {
    use std::sync::{Mutex, PoisonError};
    static OPEN: Mutex<Vec<(String, Shared)>> = Mutex::new(Vec::new());
    let mut open = OPEN.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some((_, book)) = open.iter().find(|(known, _)| known == game) {
        return Ok(book.clone());
    }
    let book = OpenBook::built_in(Book::from_bytes(bytes, Some(game))?);
    open.push((game.to_string(), book.clone()));
    Ok(book)
}
