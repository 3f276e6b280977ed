//! What went wrong while reading text, in words that help the writer of that text.

use std::fmt;

/// Text that could not be read: where, what was expected, what stood there instead.
///
/// ```
/// use zug_core::TextError;
/// let e = TextError::new(3, "a row number from 1 to 8", "'9'").on_line(2);
/// assert_eq!(e.to_string(), "line 2, byte 3: expected a row number from 1 to 8, found '9'");
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextError {
    /// Line, counted from 1, where the text has several.
    pub line: Option<usize>,
    /// Byte, counted from 0, within the text (within the line where `line` is set).
    pub byte: usize,
    /// What would have been right.
    pub expected: String,
    /// What stood there (shortened where it is long).
    pub found: String,
}

impl TextError {
    /// An error at a byte of a one-line text.
    #[must_use]
    pub fn new(byte: usize, expected: impl Into<String>, found: impl AsRef<str>) -> TextError {
        TextError { line: None, byte, expected: expected.into(), found: shorten(found.as_ref()) }
    }

    /// The same error, placed on a line of a larger text.
    #[must_use]
    pub fn on_line(mut self, line: usize) -> TextError {
        self.line = Some(line);
        self
    }
}

/// Cuts what is quoted in a message to 60 characters and replaces control characters: input may be
/// a megabyte of binary.
#[must_use]
pub fn shorten(text: &str) -> String {
    let mut out: String =
        text.chars().take(60).map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
    if text.chars().nth(60).is_some() {
        out.push('…');
    }
    out
}

impl fmt::Display for TextError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(line) = self.line {
            write!(f, "line {line}, ")?;
        }
        write!(f, "byte {}: expected {}, found {}", self.byte, self.expected, self.found)
    }
}

impl std::error::Error for TextError {}
