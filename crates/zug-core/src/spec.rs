//! `NAME[:key=value,...]`: how players and games are written on the command line.
//!
//! Values may be quoted (`gtp:cmd="gnugo --mode gtp"`). A value may itself hold `=`; a comma must be
//! quoted. A bare word is a flag (`dodgem:4x4`).

use crate::TextError;
use crate::limits::parse_duration;
use std::str::FromStr;
use std::time::Duration;

/// A parsed name with options, in the order given.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Spec {
    /// What stands before the colon.
    pub name: String,
    /// Keys with values; a bare word has an empty key.
    pub options: Vec<(String, String)>,
}

impl Spec {
    /// Reads a spec.
    ///
    /// ```
    /// use zug_core::Spec;
    /// let s = Spec::parse("uci:cmd=\"my engine\",Threads=2")?;
    /// assert_eq!(s.name, "uci");
    /// assert_eq!(s.get("cmd"), Some("my engine"));
    /// # Ok::<(), zug_core::TextError>(())
    /// ```
    pub fn parse(text: &str) -> Result<Spec, TextError> {
        let (name, rest) = match text.split_once(':') {
            Some((name, rest)) => (name, Some(rest)),
            None => (text, None),
        };
        if name.is_empty() || !name.chars().all(|c| c.is_ascii_alphanumeric() || "-_".contains(c)) {
            return Err(TextError::new(0, "a name of letters, digits, - and _", quote(name)));
        }
        let mut spec = Spec { name: name.to_string(), options: Vec::new() };
        let Some(rest) = rest else { return Ok(spec) };
        let mut byte = name.len() + 1;
        for part in split_unquoted(rest).map_err(|at| {
            TextError::new(byte + at, "a closing quotation mark", "the end of the text")
        })? {
            let (key, value) = match part.find(['=', '"']) {
                Some(i) if part.as_bytes()[i] == b'=' => (&part[..i], &part[i + 1..]),
                _ => ("", part),
            };
            let value = value.replace('"', "");
            if key.is_empty() && value.is_empty() {
                return Err(TextError::new(byte, "key=value", quote(part)));
            }
            if !key.is_empty() && spec.get(key).is_some() {
                return Err(TextError::new(byte, format!("'{key}' only once"), quote(part)));
            }
            spec.options.push((key.to_string(), value));
            byte += part.len() + 1;
        }
        Ok(spec)
    }

    /// The last value of a key.
    #[must_use]
    pub fn get(&self, key: &str) -> Option<&str> {
        self.options.iter().rev().find(|(k, _)| k == key).map(|(_, v)| v.as_str())
    }

    /// The value of a key, read as a number or the like.
    pub fn parsed<T: FromStr>(&self, key: &str, expected: &str) -> Result<Option<T>, TextError> {
        self.get(key).map(|v| v.parse().map_err(|_| self.bad(key, expected, v))).transpose()
    }

    /// The value of a key, read as a duration.
    pub fn duration(&self, key: &str) -> Result<Option<Duration>, TextError> {
        let expected = "a duration such as 50ms, 2s or 1m";
        self.get(key)
            .map(|v| parse_duration(v).ok_or_else(|| self.bad(key, expected, v)))
            .transpose()
    }

    /// Fails if there is an option that is not among these.
    pub fn only(&self, allowed: &[&str]) -> Result<(), TextError> {
        match self.options.iter().find(|(k, _)| !allowed.contains(&k.as_str())) {
            None => Ok(()),
            Some((k, v)) => {
                let named: Vec<&str> = allowed.iter().copied().filter(|k| !k.is_empty()).collect();
                let found = if k.is_empty() { quote(v) } else { quote(k) };
                let expected = if named.is_empty() {
                    format!("no options after '{}'", self.name)
                } else {
                    format!("an option of '{}' ({})", self.name, named.join(", "))
                };
                Err(TextError::new(self.name.len() + 1, expected, found))
            }
        }
    }

    fn bad(&self, key: &str, expected: &str, value: &str) -> TextError {
        TextError::new(self.name.len() + 1, format!("{expected} for '{key}'"), quote(value))
    }
}

fn quote(text: &str) -> String {
    format!("'{text}'")
}

/// Splits at commas outside quotation marks; the error is the byte of an unclosed one.
fn split_unquoted(text: &str) -> Result<Vec<&str>, usize> {
    let (mut parts, mut begin, mut open) = (Vec::new(), 0, None);
    for (i, c) in text.char_indices() {
        match c {
            '"' => open = if open.is_some() { None } else { Some(i) },
            ',' if open.is_none() => {
                parts.push(&text[begin..i]);
                begin = i + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[begin..]);
    open.map_or(Ok(parts), Err)
}

/// Written so that it reads back the same; a quotation mark inside a value is dropped.
impl std::fmt::Display for Spec {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(&self.name)?;
        for (i, (key, value)) in self.options.iter().enumerate() {
            f.write_str(if i == 0 { ":" } else { "," })?;
            if !key.is_empty() {
                write!(f, "{key}=")?;
            }
            if value.contains(',') || (key.is_empty() && value.contains('=')) {
                write!(f, "\"{value}\"")?;
            } else {
                f.write_str(value)?;
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn specs_survive_being_written_and_read() {
        for text in [
            "zug",
            "zug:depth=8",
            "dodgem:4x4",
            "uci:cmd=/usr/games/stockfish,UCI_Elo=1350",
            "gtp:cmd=\"a, b\",x=1",
        ] {
            assert_eq!(Spec::parse(text).unwrap().to_string(), text);
        }
    }

    #[test]
    fn nonsense_is_refused_with_its_place() {
        assert_eq!(Spec::parse("").unwrap_err().byte, 0);
        assert_eq!(Spec::parse("a:b=1,,c").unwrap_err().byte, 6);
        assert_eq!(Spec::parse("a:b=1,b=2").unwrap_err().byte, 6);
        assert_eq!(Spec::parse("a:b=1,\"\",c").unwrap_err().byte, 6);
        assert!(Spec::parse("a:b=\"x").unwrap_err().expected.contains("quotation"));
        let bad = Spec::parse("zug:depth=many").unwrap();
        assert!(bad.parsed::<u32>("depth", "a number").is_err());
        assert!(bad.only(&["nodes"]).unwrap_err().found.contains("depth"));
    }
}
