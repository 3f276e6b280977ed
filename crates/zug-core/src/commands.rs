//! Commands for programs inside a comment: `[%clk 0:10:00]`, `[%csl Gd4,Re5]`.
//!
//! Chess programs write what PGN has no room for into comments, and so does this workbench for every
//! game: a comment is the one thing that all formats with variations keep. A [`Study`](crate::Study)
//! holds these besides its words; fields have the game's own names (`d4` in chess, `D16` in Go):
//!
//! | command | is |
//! |---|---|
//! | `[%csl Gd4,Re5]` | circles: a colour (G, R, Y, B: green, red, yellow, blue) and a field |
//! | `[%cal Ge2e4]`, `[%cal GD16-Q4]` | arrows: a colour and two fields |
//! | `[%lin D16-Q4]` | lines |
//! | `[%tri D16,Q4]`, `[%sqr D16]`, `[%crs D16]` | triangles, squares, crosses |
//! | `[%sel D16]`, `[%dim D16]` | fields that are selected, or dimmed |
//! | `[%lbl D16=A,Q4=12]` | labels, their texts [encoded](encode) |
//! | `[%nag 16,36]` | glyphs of PGN besides the [`Mark`](crate::Mark) |
//!
//! ```
//! use zug_core::commands;
//! let comment = "a plan [%cal Ge2e4] [%clk 0:10:00]";
//! assert_eq!(commands::value(comment, "clk"), Some("0:10:00"));
//! assert_eq!(commands::take(comment, |command| command.name == "cal"), "a plan [%clk 0:10:00]");
//! ```

use std::fmt::Display;

/// A piece of a comment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Part<'a> {
    /// For people, with the blanks around it.
    Words(&'a str),
    /// For programs.
    Command(Command<'a>),
}

impl<'a> Part<'a> {
    /// As it stands in the comment.
    #[must_use]
    pub fn text(self) -> &'a str {
        match self {
            Part::Words(text) => text,
            Part::Command(command) => command.text,
        }
    }
}

/// A command.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Command<'a> {
    /// As it stands in the comment, brackets included.
    pub text: &'a str,
    /// `clk`; may be empty.
    pub name: &'a str,
    /// What follows the name; may be empty.
    pub value: &'a str,
}

impl<'a> Command<'a> {
    fn new(text: &'a str) -> Command<'a> {
        let inner = text.strip_prefix("[%").and_then(|t| t.strip_suffix(']')).unwrap_or(text);
        let (name, value) = inner.split_once(char::is_whitespace).unwrap_or((inner, ""));
        Command { text, name, value: value.trim() }
    }

    /// The parts of a value that is a list.
    pub fn items(&self) -> impl Iterator<Item = &'a str> {
        self.value.split(',').map(str::trim)
    }

    /// The numbers of `[%nag 16,36]`; nothing where it is something else, or not all are numbers.
    #[must_use]
    pub fn glyphs(&self) -> Option<Vec<u8>> {
        if self.name != GLYPHS {
            return None;
        }
        let separated = self.value.split(|c: char| c == ',' || c.is_whitespace());
        let numbers = separated.filter(|number| !number.is_empty()).map(|n| n.parse().ok());
        let numbers: Vec<u8> = numbers.collect::<Option<_>>()?;
        (!numbers.is_empty()).then_some(numbers)
    }
}

/// The command that holds glyphs of PGN.
pub const GLYPHS: &str = "nag";

/// Takes a comment apart; the texts of the parts, one after the other, are the comment.
///
/// A command reaches from `[%` to the next `]`, and has no other `[%` inside: what was forgotten to be
/// closed does not swallow the command that somebody adds behind it.
pub fn parts(comment: &str) -> impl Iterator<Item = Part<'_>> {
    let (mut rest, mut found) = (comment, None);
    std::iter::from_fn(move || {
        if let Some(command) = found.take() {
            return Some(command);
        }
        if rest.is_empty() {
            return None;
        }
        let (words, command, after) = next_command(rest).unwrap_or((rest, "", ""));
        rest = after;
        found = (!command.is_empty()).then(|| Part::Command(Command::new(command)));
        if words.is_empty() { found.take() } else { Some(Part::Words(words)) }
    })
}

/// What stands before the first command, the command, and what follows.
fn next_command(text: &str) -> Option<(&str, &str, &str)> {
    let mut from = 0;
    while let Some(length) = text[from..].find(']') {
        let end = from + length + 1;
        if let Some(begin) = text[from..end].rfind("[%") {
            let begin = from + begin;
            return Some((&text[..begin], &text[begin..end], &text[end..]));
        }
        from = end;
    }
    None
}

/// The value of the first command of this name.
#[must_use]
pub fn value<'a>(comment: &'a str, name: &str) -> Option<&'a str> {
    parts(comment).find_map(|part| match part {
        Part::Command(command) if command.name == name => Some(command.value),
        _ => None,
    })
}

/// The comment without the commands for which `wanted` says so, and without the blank before each.
pub fn take(comment: &str, mut wanted: impl FnMut(&Command<'_>) -> bool) -> String {
    let mut kept = String::with_capacity(comment.len());
    let mut gap = false;
    for part in parts(comment) {
        if let Part::Command(command) = part
            && wanted(&command)
        {
            if kept.ends_with(' ') {
                kept.pop();
            }
            gap = true;
            continue;
        }
        let mut text = part.text();
        if std::mem::take(&mut gap) {
            if kept.is_empty() {
                text = text.strip_prefix(' ').unwrap_or(text);
            } else if !text.starts_with(char::is_whitespace) {
                // Words must not grow together, least of all to something with a meaning.
                kept.push(' ');
            }
        }
        kept.push_str(text);
    }
    kept
}

/// A command with a list as its value; nothing for an empty list.
pub fn write<T: Display>(name: &str, items: impl IntoIterator<Item = T>) -> Option<String> {
    let items: Vec<String> = items.into_iter().map(|item| item.to_string()).collect();
    (!items.is_empty()).then(|| format!("[%{name} {}]", items.join(",")))
}

/// The fields of an arrow or a line: `D16-Q4`, or `e2e4`.
#[must_use]
pub fn pair(text: &str) -> Option<(&str, &str)> {
    if let Some((from, to)) = text.split_once('-') {
        return Some((from.trim(), to.trim()));
    }
    let bytes = text.as_bytes();
    let begins = |i: &usize| bytes[*i].is_ascii_alphabetic() && bytes[*i - 1].is_ascii_digit();
    let second = (1..bytes.len()).find(begins)?;
    Some(text.split_at(second))
}

/// Text as an item of a list: what would end the item, or would be lost at its ends, as `%2C`.
#[must_use]
pub fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for (i, c) in text.char_indices() {
        let at_end = i == 0 || i + c.len_utf8() == text.len();
        // A bracket too: a percent sign follows it once the next character is encoded.
        let hard = matches!(c, ',' | ']' | '=' | '%' | '[')
            || c.is_control()
            || (c.is_whitespace() && (c != ' ' || at_end));
        if hard {
            for byte in c.encode_utf8(&mut [0; 4]).bytes() {
                out.push_str(&format!("%{byte:02X}"));
            }
        } else {
            out.push(c);
        }
    }
    out
}

/// What [`encode`] was given. A percent sign without two digits of base 16 is one.
#[must_use]
pub fn decode(text: &str) -> String {
    let digit = |byte: Option<&u8>| byte.and_then(|&b| char::from(b).to_digit(16));
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::with_capacity(bytes.len()), 0);
    while let Some(&byte) = bytes.get(at) {
        match (byte, digit(bytes.get(at + 1)), digit(bytes.get(at + 2))) {
            (b'%', Some(high), Some(low)) => {
                out.push((high * 16 + low) as u8);
                at += 3;
            }
            _ => {
                out.push(byte);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn split(comment: &str) -> (Vec<&str>, Vec<(&str, &str)>) {
        let (mut words, mut commands) = (Vec::new(), Vec::new());
        for part in parts(comment) {
            match part {
                Part::Words(text) => words.push(text),
                Part::Command(command) => commands.push((command.name, command.value)),
            }
        }
        (words, commands)
    }

    #[test]
    fn a_comment_is_words_and_commands() {
        let (words, commands) = split("a ] [%clk  0:10 ] plan[%csl\tGd4, Re5][%]");
        assert_eq!(words, ["a ] ", " plan"]);
        assert_eq!(commands, [("clk", "0:10"), ("csl", "Gd4, Re5"), ("", "")]);
        assert_eq!(value("x [%eval 1] [%eval 2]", "eval"), Some("1"));
        assert_eq!(value("x [%evaluation 1]", "eval"), None);
    }

    #[test]
    fn what_is_not_closed_is_words() {
        for text in ["", "[%", "a [%clk 0:10", "[clk 1]", "% ]", "[ %a]"] {
            assert_eq!(split(text).1, [], "{text}");
            assert_eq!(take(text, |_| true), text);
        }
        assert_eq!(split("[%clk 1 [%tri A1] ]"), (vec!["[%clk 1 ", " ]"], vec![("tri", "A1")]));
    }

    #[test]
    fn what_is_taken_out_leaves_no_gap() {
        for (comment, kept) in [
            ("a [%tri A1] b", "a b"),
            ("[%tri A1] b", "b"),
            ("a\n [%tri A1] [%tri A2]", "a\n"),
            ("[%tri A1] [%clk 1] [%tri A2]", "[%clk 1]"),
            ("a[%tri A1]b", "a b"),
            ("[[%tri A1]%clk 1]", "[ %clk 1]"),
            ("[%tri A1][%tri A2]", ""),
        ] {
            assert_eq!(take(comment, |command| command.name == "tri"), kept, "{comment}");
        }
    }

    #[test]
    fn glyphs_are_a_list_of_numbers() {
        let glyphs = |text: &str| match parts(text).next() {
            Some(Part::Command(command)) => command.glyphs(),
            _ => None,
        };
        assert_eq!(glyphs("[%nag 16, 36]"), Some(vec![16, 36]));
        for text in ["[%nag]", "[%nag 256]", "[%nag 1,x]", "[%nags 1]"] {
            assert_eq!(glyphs(text), None, "{text}");
        }
        assert_eq!(write(GLYPHS, [16, 36]).as_deref(), Some("[%nag 16,36]"));
        assert_eq!(write::<u8>(GLYPHS, []), None);
    }

    #[test]
    fn two_fields_are_told_apart_with_and_without_a_hyphen() {
        assert_eq!(pair("D16-Q4"), Some(("D16", "Q4")));
        assert_eq!(pair("D16Q4"), Some(("D16", "Q4")));
        assert_eq!(pair("e2e4"), Some(("e2", "e4")));
        for text in ["", "e2", "é", "e", "ee4"] {
            assert_eq!(pair(text), None, "{text}");
        }
    }

    #[test]
    fn labels_may_be_any_text() {
        assert_eq!(encode("A B, 50% = [x]"), "A B%2C 50%25 %3D %5Bx%5D");
        assert_eq!(encode(" \n"), "%20%0A");
        assert_eq!(decode("%2c%"), ",%");
        assert_eq!(decode("%zz%C3%A9%4"), "%zzé%4");
        assert_eq!(decode("%FF"), "\u{fffd}");
    }

    /// Text full of what matters here.
    fn comment() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            prop::sample::select(vec![
                "[%", "]", "[", "%", " ", "tri", "A1", "\n", "[%clk 1]", "é"
            ])
            .prop_map(String::from),
            any::<char>().prop_map(String::from),
        ];
        prop::collection::vec(piece, 0..24).prop_map(|pieces| pieces.concat())
    }

    proptest! {
        #[test]
        fn nothing_is_lost_by_taking_a_comment_apart(comment in comment(), any: String) {
            for comment in [comment, any] {
                let again: String = parts(&comment).map(Part::text).collect();
                prop_assert_eq!(&again, &comment);
                prop_assert_eq!(&take(&comment, |_| false), &comment);
                let (words, _) = split(&comment);
                for part in &words {
                    prop_assert_eq!(split(part).1, []);
                }
                let letters = |text: &str| text.split_whitespace().collect::<String>();
                prop_assert_eq!(letters(&take(&comment, |_| true)), letters(&words.concat()));
                let _ = pair(&comment);
            }
        }

        #[test]
        fn a_command_that_is_added_is_found_whatever_stands_before(
            comment in comment(),
            labels in prop::collection::vec(any::<String>(), 1..4),
        ) {
            let items = labels.iter().map(|label| format!("A1={}", encode(label)));
            let command = write("lbl", items).unwrap();
            let whole = format!("{comment} {command}");
            let Some(Part::Command(last)) = parts(&whole).last() else {
                return Err(TestCaseError::fail(whole));
            };
            let read: Vec<String> =
                last.items().filter_map(|i| Some(decode(i.split_once('=')?.1))).collect();
            prop_assert_eq!(read, labels);
        }
    }
}
