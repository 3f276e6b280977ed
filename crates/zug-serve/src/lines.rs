//! What did the other side say? Lines of a bounded length, whatever the bytes.
//!
//! A protocol is spoken by programs that we do not control, so a line may be a gigabyte long, hold
//! bytes that are no UTF-8, end in `\r\n`, or not end at all. None of that may cost more memory
//! than [`MAX_LINE`] or stop the reading of the lines that follow.
//!
//! Every line is logged at the level `debug`, here as it comes in and in `output` as it goes out.

use std::io::{self, BufRead, Read};

/// The longest line that is kept: a game of many thousand moves fits.
pub const MAX_LINE: usize = 1 << 20;

/// One line of input, without its end.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Input {
    /// A line; bytes that are no UTF-8 are replaced by U+FFFD.
    Line(String),
    /// A line of more than [`MAX_LINE`] bytes; it was skipped.
    TooLong,
}

/// Reads the next line; `None` at the end of the input. A last line without an end counts.
///
/// ```
/// use zug_serve::lines::{Input, read_line};
/// let mut input = &b"uci\r\nisready"[..];
/// assert_eq!(read_line(&mut input)?, Some(Input::Line("uci".into())));
/// assert_eq!(read_line(&mut input)?, Some(Input::Line("isready".into())));
/// assert_eq!(read_line(&mut input)?, None);
/// # Ok::<(), std::io::Error>(())
/// ```
pub fn read_line(input: &mut impl BufRead) -> io::Result<Option<Input>> {
    let read = read_bounded(input);
    match &read {
        Ok(Some(Input::Line(line))) => tracing::debug!("received: {line}"),
        Ok(Some(Input::TooLong)) => tracing::debug!("received a line that is too long"),
        Ok(None) => tracing::debug!("received the end of the input"),
        Err(e) => tracing::debug!("cannot receive: {e}"),
    }
    read
}

fn read_bounded(input: &mut impl BufRead) -> io::Result<Option<Input>> {
    let mut bytes = Vec::new();
    let read = input.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(None);
    }
    if bytes.last() == Some(&b'\n') {
        bytes.pop();
    } else if bytes.len() > MAX_LINE {
        skip_line(input)?;
        return Ok(Some(Input::TooLong));
    }
    while bytes.last() == Some(&b'\r') {
        bytes.pop();
    }
    Ok(Some(Input::Line(String::from_utf8_lossy(&bytes).into_owned())))
}

fn skip_line(input: &mut impl BufRead) -> io::Result<()> {
    loop {
        let (used, ended) = match input.fill_buf() {
            Ok([]) => return Ok(()),
            Ok(buffer) => match buffer.iter().position(|&b| b == b'\n') {
                Some(at) => (at + 1, true),
                None => (buffer.len(), false),
            },
            Err(e) if e.kind() == io::ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        input.consume(used);
        if ended {
            return Ok(());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn all(mut input: &[u8]) -> Vec<Input> {
        std::iter::from_fn(|| read_line(&mut input).unwrap()).collect()
    }

    #[test]
    fn lines_end_in_newline_or_carriage_return_newline_or_with_the_input() {
        let texts = ["a", "b", "", "c"].map(|t| Input::Line(t.to_string()));
        assert_eq!(all(b"a\nb\r\n\nc"), texts);
        assert_eq!(all(b""), []);
    }

    #[test]
    fn a_line_that_is_too_long_is_skipped_and_the_next_is_read() {
        let mut bytes = vec![b'x'; 3 * MAX_LINE];
        bytes.extend(b"\nnext\n");
        assert_eq!(all(&bytes), [Input::TooLong, Input::Line("next".into())]);
        let longest = vec![b'x'; MAX_LINE];
        assert_eq!(all(&[&longest[..], b"\ny"].concat()).len(), 2);
        assert!(matches!(&all(&longest)[..], [Input::Line(l)] if l.len() == MAX_LINE));
    }

    #[test]
    fn bytes_that_are_no_text_are_replaced() {
        assert_eq!(all(b"a\xffb\n"), [Input::Line("a\u{fffd}b".into())]);
    }

    proptest! {
        #[test]
        fn there_is_one_line_for_every_newline(bytes: Vec<u8>) {
            let newlines = bytes.iter().filter(|&&b| b == b'\n').count();
            let rest = usize::from(bytes.last().is_some_and(|&b| b != b'\n'));
            prop_assert_eq!(all(&bytes).len(), newlines + rest);
        }
    }
}
