//! From bytes to characters, and from the text of a value to what it means.
//!
//! A file is decoded as a whole before it is taken apart, since in some charsets the second byte
//! of a character can look like a bracket. The charset is the one that `CA` names; without it, or
//! with a name nobody knows, UTF-8 where the bytes are valid UTF-8, else Latin-1 (as its superset
//! windows-1252), the default of the format.

use encoding_rs::{Encoding, UTF_8, WINDOWS_1252};
use std::borrow::Cow;

/// A decoded file that can tell where a character stood in the bytes.
#[derive(Debug)]
pub struct Decoded<'a> {
    /// The text.
    pub text: Cow<'a, str>,
    /// How it was encoded.
    pub charset: &'static Encoding,
    /// Bytes of a byte order mark before the text.
    mark: usize,
}

/// Decodes a file.
#[must_use]
pub fn decode(bytes: &[u8]) -> Decoded<'_> {
    if let Some((charset, mark)) = Encoding::for_bom(bytes) {
        let (text, _) = charset.decode_without_bom_handling(&bytes[mark..]);
        return Decoded { text, charset, mark };
    }
    if let Some(charset) = named_charset(bytes).filter(|&c| c != UTF_8) {
        let (text, _) = charset.decode_without_bom_handling(bytes);
        return Decoded { text, charset, mark: 0 };
    }
    match std::str::from_utf8(bytes) {
        Ok(text) => Decoded { text: Cow::Borrowed(text), charset: UTF_8, mark: 0 },
        Err(_) => {
            let (text, _) = WINDOWS_1252.decode_without_bom_handling(bytes);
            Decoded { text, charset: WINDOWS_1252, mark: 0 }
        }
    }
}

/// The charset of the first `CA` in the file. Only charsets in which ASCII is ASCII are found in
/// this way; the others have a byte order mark. What looks like a `CA` inside a value is none.
fn named_charset(bytes: &[u8]) -> Option<&'static Encoding> {
    let (mut in_value, mut name_at) = (false, 0);
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        match byte {
            b'\\' if in_value => at += 1,
            b']' if in_value => (in_value, name_at) = (false, at + 1),
            b'[' if !in_value && &bytes[name_at..at] == b"CA" => {
                let rest = &bytes[at + 1..bytes.len().min(at + 41)];
                let end = rest.iter().position(|&b| b == b']')?;
                return Encoding::for_label(&rest[..end]).filter(|c| c.is_ascii_compatible());
            }
            b'[' => in_value = true,
            _ if !in_value && !byte.is_ascii_alphabetic() => name_at = at + 1,
            _ => {}
        }
        at += 1;
    }
    None
}

/// Finds places of a decoded text in the bytes, in rising order.
pub struct Places<'a> {
    decoded: &'a Decoded<'a>,
    text_at: usize,
    bytes_at: usize,
}

impl<'a> Places<'a> {
    /// Begins at the beginning.
    #[must_use]
    pub fn new(decoded: &'a Decoded<'a>) -> Places<'a> {
        Places { decoded, text_at: 0, bytes_at: decoded.mark }
    }

    /// The byte of the file where this byte of the text stood. (Where the file is not valid in its
    /// charset, nearly.)
    pub fn byte(&mut self, at: usize) -> usize {
        let at = self.decoded.text.floor_char_boundary(at);
        if at < self.text_at {
            return self.bytes_at;
        }
        let between = &self.decoded.text[self.text_at..at];
        self.bytes_at += if self.decoded.charset == UTF_8 {
            between.len()
        } else {
            self.decoded.charset.encode(between).0.len()
        };
        self.text_at = at;
        self.bytes_at
    }
}

/// Escapes text for a value.
#[must_use]
pub fn escape(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if matches!(c, ']' | '\\') {
            out.push('\\');
        }
        out.push(c);
    }
    out
}

/// The meaning of a value of text: escapes resolved, escaped line breaks removed, other white space
/// a blank, every line break a newline.
#[must_use]
pub fn text(value: &str) -> String {
    let mut out = String::with_capacity(value.len());
    let mut chars = value.chars().peekable();
    let mut escaped = false;
    while let Some(c) = chars.next() {
        match c {
            '\\' if !escaped => {
                escaped = true;
                continue;
            }
            '\n' | '\r' => {
                // Two different characters in a row are one line break.
                if chars.peek().is_some_and(|&n| n != c && matches!(n, '\n' | '\r')) {
                    chars.next();
                }
                if !escaped {
                    out.push('\n');
                }
            }
            '\t' | '\u{b}' | '\u{c}' => out.push(' '),
            c => out.push(c),
        }
        escaped = false;
    }
    out
}

/// The meaning of a value of simple text: as [`text`], on one line.
#[must_use]
pub fn simple_text(value: &str) -> String {
    text(value).replace('\n', " ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_and_line_breaks_mean_what_the_format_says() {
        assert_eq!(text(r"a\]b\\c\:d\xe"), r"a]b\c:dxe");
        assert_eq!(
            text("one\\\ntwo\nthree\r\nfour\\\r\nfive\rsix"),
            "onetwo\nthree\nfourfive\nsix"
        );
        assert_eq!(text("a\n\nb"), "a\n\nb");
        assert_eq!(text("tab\there\\\tthere"), "tab here there");
        assert_eq!(simple_text("a\nb"), "a b");
        assert_eq!(text("end\\"), "end");
    }

    #[test]
    fn charsets_are_taken_from_the_file() {
        assert_eq!(decode("(;C[é])".as_bytes()).text, "(;C[é])");
        assert_eq!(decode(b"(;C[\xe9])").text, "(;C[é])");
        assert_eq!(decode(b"(;CA[ISO-8859-1]C[\xe9])").text, "(;CA[ISO-8859-1]C[é])");
        // In Shift_JIS the second byte of this character is that of a backslash.
        assert_eq!(decode(b"(;CA[Shift_JIS]C[\x95\x5c])").text, "(;CA[Shift_JIS]C[表])");
        assert_eq!(decode(b"(;CA[GB18030]C[\xce\xa7\xc6\xe5])").text, "(;CA[GB18030]C[围棋])");
        assert_eq!(decode(b"\xef\xbb\xbf(;C[\xc3\xa9])").text, "(;C[é])");
        assert_eq!(decode(b"\xff\xfe(\0;\0)\0").text, "(;)");
        assert_eq!(decode(b"(;CA[nonsense]C[\xe9])").text, "(;CA[nonsense]C[é])");
        for text in
            ["(;XCA[Shift_JIS]C[é])", "(;C[CA[Shift_JIS]C[é])", "(;C[\\];CA[Shift_JIS]C[é])"]
        {
            assert_eq!(decode(text.as_bytes()).text, text);
        }
    }

    #[test]
    fn places_are_found_in_the_bytes() {
        let bytes = b"(;CA[Shift_JIS]C[\x95\x5c]x)";
        let decoded = decode(bytes);
        let at = decoded.text.find('x').unwrap();
        assert_eq!(at, 21);
        assert_eq!(Places::new(&decoded).byte(at), 20);
        let decoded = decode(b"\xef\xbb\xbf(;");
        assert_eq!(Places::new(&decoded).byte(1), 4);
    }
}
