//! Lines of a stream, one at a time and never longer than a bound.

use std::io::{self, BufRead};

/// The longest line that is kept; no game or position comes near it.
pub(super) const LONGEST: usize = 1 << 16;

/// A line, or the beginning of one that was too long.
pub(super) struct Line {
    /// Its number, from 1.
    pub number: usize,
    /// Without the end of line.
    pub bytes: Vec<u8>,
    /// Was something cut off?
    pub cut: bool,
}

/// Reads lines.
pub(super) struct Lines<R> {
    input: R,
    number: usize,
}

impl<R: BufRead> Lines<R> {
    pub fn new(input: R) -> Lines<R> {
        Lines { input, number: 0 }
    }
}

impl<R: BufRead> Iterator for Lines<R> {
    type Item = io::Result<Line>;

    fn next(&mut self) -> Option<io::Result<Line>> {
        let mut line = Line { number: self.number + 1, bytes: Vec::new(), cut: false };
        let mut any = false;
        loop {
            let chunk = match self.input.fill_buf() {
                Ok(chunk) => chunk,
                Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
                Err(e) => return Some(Err(e)),
            };
            if chunk.is_empty() {
                break;
            }
            any = true;
            let end = chunk.iter().position(|&b| b == b'\n');
            let part = &chunk[..end.unwrap_or(chunk.len())];
            let room = LONGEST - line.bytes.len();
            line.cut |= part.len() > room;
            line.bytes.extend_from_slice(&part[..part.len().min(room)]);
            let used = end.map_or(chunk.len(), |e| e + 1);
            self.input.consume(used);
            if end.is_some() {
                break;
            }
        }
        if !any {
            return None;
        }
        self.number += 1;
        if line.bytes.last() == Some(&b'\r') {
            line.bytes.pop();
        }
        Some(Ok(line))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &[u8]) -> Vec<(usize, usize, bool)> {
        Lines::new(text).map(|l| l.unwrap()).map(|l| (l.number, l.bytes.len(), l.cut)).collect()
    }

    #[test]
    fn lines_are_counted_and_bounded() {
        assert_eq!(read(b""), []);
        assert_eq!(read(b"a\r\n\nbcd"), [(1, 1, false), (2, 0, false), (3, 3, false)]);
        let mut long = vec![b'x'; 3 * LONGEST];
        long.extend_from_slice(b"\nlast\n");
        assert_eq!(read(&long), [(1, LONGEST, true), (2, 4, false)]);
    }
}
