//! Finds the games of a GGF stream and their properties, and finds its way again after a game that
//! is broken.

use super::super::{StreamError, from_latin1};
use std::io::{self, BufRead};
use zug_core::TextError;

/// The longest game that is kept; real ones have a few thousand bytes.
const LONGEST: usize = 1 << 16;

/// The text of one game.
pub(super) struct RawGame {
    /// The line on which it begins, from 1.
    pub line: usize,
    /// The byte in that line, just behind `(;`.
    byte: usize,
    /// What stands between `(;` and `;)`.
    text: Vec<u8>,
    /// Is all of it UTF-8?
    utf8: bool,
    /// Which of how many games played at the same time.
    pub pair: Option<(u8, u8)>,
}

/// A property and its place in the text of the game.
pub(super) struct Property<'a> {
    pub name: &'a [u8],
    pub value: &'a [u8],
    pub at: usize,
}

impl RawGame {
    /// An error at a byte of the text, with its place in the file.
    pub fn place(&self, at: usize, error: TextError) -> TextError {
        let before = &self.text[..at.min(self.text.len())];
        let breaks = before.iter().filter(|&&b| b == b'\n').count();
        let column = match before.iter().rposition(|&b| b == b'\n') {
            Some(last) => before.len() - last - 1,
            None => self.byte + before.len(),
        };
        TextError { byte: column, ..error }.on_line(self.line + breaks)
    }

    /// UTF-8 where the game is written in it, or else Latin-1.
    pub fn decode(&self, value: &[u8]) -> String {
        if self.utf8 { String::from_utf8_lossy(value).into_owned() } else { from_latin1(value) }
    }

    /// Takes the text apart. A name may have several values.
    pub fn properties(&self) -> Result<Vec<Property<'_>>, TextError> {
        let mut found: Vec<Property<'_>> = Vec::new();
        let mut at = 0;
        let is_break = |b: &u8| b.is_ascii_whitespace() || *b == b';';
        loop {
            at += self.text[at..].iter().take_while(|b| is_break(b)).count();
            let rest = &self.text[at..];
            if rest.is_empty() {
                return Ok(found);
            }
            let letters = rest.iter().take_while(|b| b.is_ascii_alphabetic()).count();
            let name = match (letters, found.last()) {
                (0, Some(last)) if rest[0] == b'[' => last.name,
                _ => &rest[..letters],
            };
            if name.is_empty() || rest.get(letters) != Some(&b'[') {
                let shown = String::from_utf8_lossy(&rest[..rest.len().min(8)]);
                let error = TextError::new(0, "a property such as PB[name]", format!("'{shown}'"));
                return Err(self.place(at, error));
            }
            let Some(length) = rest[letters..].iter().position(|&b| b == b']') else {
                let error = TextError::new(0, "a value that ends with ]", "the end of the game");
                return Err(self.place(at, error));
            };
            let value = &rest[letters + 1..letters + length];
            found.push(Property { name, value, at });
            at += letters + length + 1;
        }
    }
}

/// Where the scanner is in the stream.
pub(super) struct Scanner<R> {
    input: R,
    line: usize,
    byte: usize,
    /// What of the next game was read while looking for the end of the last one.
    begun: Option<Vec<u8>>,
    /// The number before a game, and how many of its games were met.
    count: u8,
    met: u8,
    /// Was there anything at all but blanks, and was there a game?
    anything: bool,
    any_game: bool,
    ended: bool,
}

impl<R: BufRead> Scanner<R> {
    pub fn new(input: R) -> Scanner<R> {
        Scanner {
            input,
            line: 1,
            byte: 0,
            begun: None,
            count: 0,
            met: 0,
            anything: false,
            any_game: false,
            ended: false,
        }
    }

    fn next_byte(&mut self) -> io::Result<Option<u8>> {
        let byte = loop {
            match self.input.fill_buf() {
                Ok(chunk) => break chunk.first().copied(),
                Err(e) if e.kind() == io::ErrorKind::Interrupted => {}
                Err(e) => return Err(e),
            }
        };
        if let Some(b) = byte {
            self.input.consume(1);
            self.byte += 1;
            if b == b'\n' {
                self.line += 1;
                self.byte = 0;
            }
        }
        Ok(byte)
    }

    /// Moves behind the next `(;`; false at the end of the stream.
    fn find_game(&mut self) -> io::Result<bool> {
        let mut last = 0;
        while let Some(b) = self.next_byte()? {
            self.anything |= !b.is_ascii_whitespace();
            if last == b'(' && b == b';' {
                return Ok(true);
            }
            if b.is_ascii_digit() {
                let number = if last.is_ascii_digit() { self.count } else { 0 };
                self.count = number.saturating_mul(10).saturating_add(b - b'0');
                self.met = 0;
            } else if !b.is_ascii_whitespace() && b != b'(' {
                self.count = 0;
            }
            last = b;
        }
        Ok(false)
    }

    /// Reads up to `;)`.
    fn read_game(&mut self) -> Result<RawGame, StreamError> {
        self.met = self.met.saturating_add(1);
        let pair = (self.count == 2 && self.met <= 2).then_some((self.met, self.count));
        let text = self.begun.take().unwrap_or_default();
        let mut inside = text.contains(&b'[');
        let byte = self.byte - text.len().min(self.byte);
        let mut raw = RawGame { line: self.line, byte, text, utf8: false, pair };
        let broken = |raw: &RawGame, expected: &str, found: &str| {
            raw.place(raw.text.len(), TextError::new(0, expected, found)).into()
        };
        loop {
            let Some(b) = self.next_byte()? else {
                return Err(broken(&raw, ";) to end the game", "the end of the file"));
            };
            raw.text.push(b);
            if inside {
                // A value that was never closed swallows the rest of its game, but not the next.
                if b == b'[' && raw.text.ends_with(b"(;GM[") {
                    raw.text.truncate(raw.text.len() - 5);
                    self.begun = Some(b"GM[".to_vec());
                    return Err(broken(&raw, "a value that ends with ]", "the next game"));
                }
                inside = b != b']';
            } else if raw.text.ends_with(b";)") {
                raw.text.truncate(raw.text.len() - 2);
                raw.utf8 = std::str::from_utf8(&raw.text).is_ok();
                return Ok(raw);
            } else if raw.text.ends_with(b"(;") {
                raw.text.truncate(raw.text.len() - 2);
                self.begun = Some(Vec::new());
                return Err(broken(&raw, ";) to end the game", "the next game"));
            } else {
                inside = b == b'[';
            }
            if raw.text.len() > LONGEST {
                return Err(broken(&raw, "a game of at most 64 KiB", "more of it"));
            }
        }
    }

    pub fn next(&mut self) -> Option<Result<RawGame, StreamError>> {
        if self.ended {
            return None;
        }
        let found = if self.begun.is_some() { Ok(true) } else { self.find_game() };
        match found {
            Ok(true) => {
                self.any_game = true;
                let game = self.read_game();
                self.ended = matches!(game, Err(StreamError::Io(_)));
                Some(game)
            }
            Ok(false) => {
                self.ended = true;
                let expected = "(; to begin a game";
                (self.anything && !self.any_game)
                    .then(|| Err(TextError::new(0, expected, "other text").into()))
            }
            Err(error) => {
                self.ended = true;
                Some(Err(error.into()))
            }
        }
    }
}
