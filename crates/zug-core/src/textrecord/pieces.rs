//! Where does one record of a stream end and the next begin? Cuts a stream into pieces that hold whole records, in
//! bounded memory.
//!
//! A record begins with a line `[Game …`, wherever that stands, or with the tags right before it.

use super::MARK;
use crate::TextError;
use std::io::{self, BufRead};

/// The longest text of one record; what is longer is reported and skipped.
const LONGEST: usize = 8 << 20;

/// A piece of a stream.
pub struct Piece {
    /// The text, unless it was too long.
    pub text: Result<Vec<u8>, TextError>,
    /// The number of its first line, from 1.
    pub line: usize,
}

/// Cuts a stream.
pub struct Pieces<'a> {
    input: &'a mut dyn BufRead,
    /// The text of the present piece, of which the next one may begin at `tags`.
    text: Vec<u8>,
    line: usize,
    too_long: bool,
    /// Where the tags begin that the text ends with, and is a `Game` among them?
    tags: Option<(usize, bool)>,
    ended: bool,
}

impl<'a> Pieces<'a> {
    pub fn new(input: &'a mut dyn BufRead) -> Pieces<'a> {
        Pieces { input, text: Vec::new(), line: 1, too_long: false, tags: None, ended: false }
    }

    /// The next piece; `None` at the end of the stream.
    pub fn next(&mut self) -> io::Result<Option<Piece>> {
        let mut line = Vec::new();
        let mut lines = 0;
        while !self.ended {
            line.clear();
            if !read_line(self.input, &mut line)? {
                self.ended = true;
                break;
            }
            let begins = line.starts_with(b"[Game ");
            let is_tag = line.starts_with(b"[");
            let end = self.text.len();
            // Of one record too many tags are none of the next.
            let begin = self.tags.filter(|(_, named)| !named).map_or(end, |(begin, _)| begin);
            let piece = (begins && (begin > 0 || self.too_long)).then(|| self.cut(begin, lines));
            lines += 1;
            let blank = line.trim_ascii().is_empty() || line.starts_with(b"%");
            match (is_tag, self.tags) {
                (true, None) => self.tags = Some((self.text.len(), begins)),
                (true, Some((at, named))) => self.tags = Some((at, named || begins)),
                (false, _) if !blank => self.tags = None,
                _ => {}
            }
            if self.text.len() + line.len() > LONGEST {
                (self.too_long, self.tags) = (true, None);
                self.text = Vec::new();
            }
            if !self.too_long {
                self.text.extend_from_slice(line.strip_prefix(MARK).unwrap_or(&line));
            }
            if piece.is_some() {
                return Ok(piece);
            }
        }
        let is_some = self.too_long || !self.text.is_empty();
        Ok(is_some.then(|| self.cut(self.text.len(), lines)))
    }

    /// The text up to here as a piece, of so many lines read since the last; the rest stays.
    fn cut(&mut self, at: usize, lines: usize) -> Piece {
        let rest = self.text.split_off(at);
        let text = std::mem::replace(&mut self.text, rest);
        let text = match std::mem::take(&mut self.too_long) {
            true => {
                let expected = format!("a record of at most {LONGEST} bytes");
                Err(TextError::new(0, expected, "a longer one"))
            }
            false => Ok(text),
        };
        let line = self.line;
        let kept = self.text.iter().filter(|&&b| b == b'\n').count();
        self.line += match &text {
            Ok(text) => text.iter().filter(|&&b| b == b'\n').count(),
            Err(_) => lines - kept,
        };
        self.tags = self.tags.filter(|_| !self.text.is_empty()).map(|(_, named)| (0, named));
        Piece { text, line }
    }
}

/// Reads a line with its end; of one that is too long, only a little too much is kept. False at the end.
fn read_line(input: &mut dyn BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    loop {
        let buffer = match input.fill_buf() {
            Ok(buffer) => buffer,
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        let end = buffer.iter().position(|&b| b == b'\n').map(|i| i + 1);
        let used = end.unwrap_or(buffer.len());
        let room = (LONGEST + 1).saturating_sub(line.len());
        line.extend_from_slice(&buffer[..used.min(room)]);
        input.consume(used);
        if end.is_some() || used == 0 {
            return Ok(!line.is_empty());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(mut text: &[u8]) -> Vec<(usize, String)> {
        let mut pieces = Pieces::new(&mut text);
        let mut all = Vec::new();
        while let Some(piece) = pieces.next().unwrap() {
            let text = piece.text.map_or("too long".into(), |b| String::from_utf8(b).unwrap());
            all.push((piece.line, text));
        }
        all
    }

    #[test]
    fn a_record_begins_with_the_tags_before_its_game() {
        let text = b"\n[Game \"a\"]\n1. x {\n[Not \"y\"]\n} *\n\n[White \"w\"]\n\n[Game \"b\"]\n[Game \"c\"]\n2. z\n";
        let found = pieces(text);
        let lines: Vec<usize> = found.iter().map(|f| f.0).collect();
        assert_eq!(lines, [1, 2, 7, 10], "{found:?}");
        assert_eq!(found.iter().map(|f| f.1.as_str()).collect::<String>().as_bytes(), text);
        assert!(found[2].1.starts_with("[White"));
        assert_eq!(pieces(b""), []);
    }

    #[test]
    fn what_is_too_long_is_dropped_and_lines_are_counted_on() {
        let mut text = b"[Game \"a\"]\n".to_vec();
        text.resize(text.len() + LONGEST, b'x');
        text.extend_from_slice(b"\ny\n[Game \"b\"]\n1. x *\n");
        let found = pieces(&text);
        assert_eq!(found[0], (1, "too long".to_string()));
        assert_eq!(found[1], (4, "[Game \"b\"]\n1. x *\n".to_string()));
    }
}
