//! Where does one game of a stream end and the next begin? Cuts a stream into pieces that hold
//! whole games, in bounded memory.
//!
//! The cut is before a line that begins with `[` after moves have been seen, outside a comment. A
//! comment that is never closed would swallow the rest of the file, so a line `[Event …` after an
//! empty line is a beginning even there.

use std::io::{self, BufRead};

/// The longest text of one game; what is longer is reported and skipped.
pub const LONGEST_GAME: usize = 8 << 20;

/// A piece of a stream.
pub struct Piece {
    /// The text, or nothing if it was too long.
    pub bytes: Option<Vec<u8>>,
    /// The number of its first line, from 1.
    pub line: usize,
}

/// Cuts a stream.
pub struct Splitter<R> {
    input: R,
    /// Lines read so far.
    lines: usize,
    /// A line that was read and belongs to the next piece.
    pending: Option<Vec<u8>>,
}

impl<R: BufRead> Splitter<R> {
    pub fn new(input: R) -> Splitter<R> {
        Splitter { input, lines: 0, pending: None }
    }

    /// The next piece; `None` at the end of the stream.
    pub fn next_piece(&mut self) -> io::Result<Option<Piece>> {
        let mut piece = Vec::new();
        let mut first_line = self.lines.max(1);
        let (mut too_long, mut moves_seen, mut in_comment, mut after_empty) =
            (false, false, false, false);
        let mut line = match self.pending.take() {
            Some(line) => line,
            None => {
                first_line = self.lines + 1;
                Vec::new()
            }
        };
        loop {
            if line.is_empty() && self.read_line(&mut line)? == 0 {
                break;
            }
            let is_tag = line.starts_with(b"[");
            let is_event = line.starts_with(b"[Event ");
            if (is_tag && moves_seen && !in_comment) || (is_event && after_empty && moves_seen) {
                self.pending = Some(line);
                return Ok(Some(Piece { bytes: (!too_long).then_some(piece), line: first_line }));
            }
            after_empty = line.trim_ascii().is_empty();
            let is_aside = !in_comment && (is_tag || line.starts_with(b"%"));
            if !after_empty && !is_aside {
                moves_seen = true;
                in_comment = comment_open_after(&line, in_comment);
            }
            if piece.len() + line.len() > LONGEST_GAME {
                too_long = true;
                // From here on only a line that looks like a new game ends the piece.
                (moves_seen, in_comment) = (true, false);
                piece = Vec::new();
            }
            if !too_long {
                piece.extend_from_slice(&line);
            }
            line.clear();
        }
        let empty = piece.is_empty() && !too_long;
        let bytes = (!too_long).then_some(piece);
        Ok((!empty).then_some(Piece { bytes, line: first_line }))
    }

    /// Reads a line with its end. Of a line that is too long, only one byte too many is kept.
    fn read_line(&mut self, line: &mut Vec<u8>) -> io::Result<usize> {
        loop {
            let buffer = match self.input.fill_buf() {
                Ok(buffer) => buffer,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => return Err(e),
            };
            let end = buffer.iter().position(|&b| b == b'\n').map(|i| i + 1);
            let used = end.unwrap_or(buffer.len());
            let room = (LONGEST_GAME + 1).saturating_sub(line.len());
            line.extend_from_slice(&buffer[..used.min(room)]);
            self.input.consume(used);
            if end.is_some() || used == 0 {
                if !line.is_empty() {
                    self.lines += 1;
                }
                return Ok(line.len());
            }
        }
    }
}

/// Is a `{` comment open at the end of a line?
fn comment_open_after(line: &[u8], mut open: bool) -> bool {
    for &byte in line {
        match byte {
            b'{' => open = true,
            b'}' => open = false,
            b';' if !open => return false,
            _ => {}
        }
    }
    open
}

#[cfg(test)]
mod tests {
    use super::*;

    fn pieces(text: &[u8]) -> Vec<(usize, String)> {
        let mut splitter = Splitter::new(text);
        let mut all = Vec::new();
        while let Some(piece) = splitter.next_piece().unwrap() {
            let text = piece.bytes.map_or("too long".into(), |b| String::from_utf8(b).unwrap());
            all.push((piece.line, text));
        }
        all
    }

    #[test]
    fn pieces_begin_at_tags_and_know_their_lines() {
        let text = b"[Event \"a\"]\n\n1. e4 *\n\n[Event \"b\"]\n[Site \"c\"]\n\n1. d4 {\n[Not \"x\"]\n} *\n";
        let found = pieces(text);
        assert_eq!(found.len(), 2);
        assert_eq!((found[0].0, found[1].0), (1, 5));
        assert_eq!(found.iter().map(|f| f.1.as_str()).collect::<String>().as_bytes(), text);
        assert_eq!(pieces(b""), []);
    }

    #[test]
    fn a_comment_without_an_end_costs_one_game_only() {
        let found = pieces(b"[Event \"a\"]\n\n1. e4 {oh\n\n[Event \"b\"]\n\n1. d4 *\n");
        assert_eq!(found.len(), 2);
        assert_eq!(found[1].0, 5);
    }

    #[test]
    fn what_is_too_long_is_dropped_in_bounded_memory() {
        let mut text = b"[Event \"a\"]\n\n1. e4 {".to_vec();
        text.resize(text.len() + LONGEST_GAME + 10, b'x');
        text.extend_from_slice(b"\nmore\n[Event \"b\"]\n\n1. d4 *\n");
        let found = pieces(&text);
        assert_eq!(found.len(), 2);
        assert_eq!(found[0], (1, "too long".into()));
        assert_eq!(found[1].0, 5);
    }
}
