//! What is chosen by `--set KEY=VALUE`, and what is said when it cannot be?

use crate::face::{Order, TaskError};
use std::collections::BTreeMap;
use std::fmt::Display;
use std::ops::RangeInclusive;
use std::str::FromStr;
use zug_core::error::shorten;

/// The choices that only one method knows, each used once.
///
/// ```
/// use zug_learn::{choices::Choices, face::Order};
/// let options = vec![("steps".to_string(), "7".to_string())];
/// let mut choices = Choices::new(&Order { options, ..Order::default() })?;
/// assert_eq!(choices.number("steps", 30, 1..=100)?, 7);
/// assert_eq!(choices.number("rate", 0.5, 0.0..=1.0)?, 0.5);
/// choices.finish()?;
/// # Ok::<(), zug_learn::face::TaskError>(())
/// ```
pub struct Choices {
    given: BTreeMap<String, String>,
    known: Vec<&'static str>,
}

impl Choices {
    /// Those of an order.
    pub fn new(order: &Order) -> Result<Choices, TaskError> {
        let mut given = BTreeMap::new();
        for (key, value) in &order.options {
            if given.insert(key.clone(), value.clone()).is_some() {
                return Err(TaskError::Unfit(format!("--set {key} is given twice")));
            }
        }
        Ok(Choices { given, known: Vec::new() })
    }

    /// The text of a choice.
    pub fn take(&mut self, key: &'static str) -> Option<String> {
        self.known.push(key);
        self.given.remove(key)
    }

    /// A number of any size, or what it is by default.
    pub fn value<T: FromStr>(&mut self, key: &'static str, default: T) -> Result<T, TaskError> {
        match self.take(key) {
            None => Ok(default),
            Some(text) => text.parse().map_err(|_| unfit(key, &text, "a number")),
        }
    }

    /// A number between two others, or what it is by default.
    pub fn number<T: FromStr + PartialOrd + Display>(
        &mut self,
        key: &'static str,
        default: T,
        range: RangeInclusive<T>,
    ) -> Result<T, TaskError> {
        let Some(text) = self.take(key) else { return Ok(default) };
        let value = text.parse().ok().filter(|value| range.contains(value));
        value.ok_or_else(|| unfit(key, &text, &between(&range)))
    }

    /// One of some words, or the first of them.
    pub fn word<T: Copy>(
        &mut self,
        key: &'static str,
        words: &[(&str, T)],
    ) -> Result<T, TaskError> {
        let Some(text) = self.take(key) else { return Ok(words[0].1) };
        words.iter().find(|(w, _)| *w == text).map(|(_, value)| *value).ok_or_else(|| {
            let known: Vec<&str> = words.iter().map(|(w, _)| *w).collect();
            unfit(key, &text, &format!("one of {}", known.join(", ")))
        })
    }

    /// Complains about choices that nobody asked for.
    pub fn finish(self) -> Result<(), TaskError> {
        match self.given.keys().next() {
            None => Ok(()),
            Some(key) => Err(TaskError::unknown("option", key, self.known)),
        }
    }
}

fn unfit(key: &str, text: &str, expected: &str) -> TaskError {
    TaskError::Unfit(format!("--set {key}={}: expected {expected}", shorten(text)))
}

fn between<T: Display>(range: &RangeInclusive<T>) -> String {
    format!("a number from {} to {}", range.start(), range.end())
}

/// A value that does not fit: the error of the readers below, for readers of one's own.
#[must_use]
pub fn bad(key: &str, value: &str, expected: &str) -> TaskError {
    TaskError::Unfit(format!("{key}: expected {expected}, found '{}'", shorten(value)))
}

/// Reads a number between two others.
pub fn number<T: FromStr + PartialOrd + Display>(
    key: &str,
    value: &str,
    range: RangeInclusive<T>,
) -> Result<T, TaskError> {
    let number = value.parse().ok().filter(|n| range.contains(n));
    number.ok_or_else(|| bad(key, value, &between(&range)))
}

/// Reads one of some words.
pub fn word<T: Copy>(key: &str, value: &str, known: &[(&str, T)]) -> Result<T, TaskError> {
    let found = known.iter().find(|(name, _)| *name == value);
    let names: Vec<&str> = known.iter().map(|(name, _)| *name).collect();
    found.map(|(_, t)| *t).ok_or_else(|| bad(key, value, &names.join(", ")))
}

/// Reads yes or no.
pub fn yes(key: &str, value: &str) -> Result<bool, TaskError> {
    word(key, value, &[("yes", true), ("no", false), ("on", true), ("off", false)])
}

/// Runs work on so many threads.
pub fn on_threads<T: Send>(
    threads: usize,
    work: impl FnOnce() -> Result<T, TaskError> + Send,
) -> Result<T, TaskError> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads.max(1)).build();
    pool.map_err(TaskError::below)?.install(work)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(given: &[(&str, &str)]) -> Result<Choices, TaskError> {
        let options = given.iter().map(|(k, v)| (k.to_string(), v.to_string())).collect();
        Choices::new(&Order { options, ..Order::default() })
    }

    #[test]
    fn choices_are_taken_once_and_leftovers_are_told_with_what_is_known() {
        let mut choices = of(&[("steps", "7"), ("kind", "b"), ("stepz", "1")]).unwrap();
        assert_eq!(choices.value("steps", 0).unwrap(), 7);
        assert_eq!(choices.word("kind", &[("a", 1), ("b", 2)]).unwrap(), 2);
        assert_eq!(choices.word("other", &[("a", 1), ("b", 2)]).unwrap(), 1);
        let told = choices.finish().unwrap_err().to_string();
        assert_eq!(told, "there is no option 'stepz'; known are: steps, kind, other");
        let Err(told) = of(&[("a", "1"), ("a", "2")]) else { panic!("given twice") };
        assert_eq!(told.to_string(), "--set a is given twice");
    }

    #[test]
    fn what_does_not_fit_is_told_with_what_was_expected() {
        let told = |result: Result<i32, TaskError>| result.unwrap_err().to_string();
        let mut choices = of(&[("n", "11"), ("v", "x"), ("w", "c")]).unwrap();
        assert_eq!(
            told(choices.number("n", 5, 1..=10)),
            "--set n=11: expected a number from 1 to 10"
        );
        assert_eq!(told(choices.value("v", 5)), "--set v=x: expected a number");
        assert_eq!(
            told(choices.word("w", &[("a", 1), ("b", 2)])),
            "--set w=c: expected one of a, b"
        );
        assert_eq!(told(number("n", "0", 1..=10)), "n: expected a number from 1 to 10, found '0'");
        assert_eq!(
            told(yes("y", "maybe").map(i32::from)),
            "y: expected yes, no, on, off, found 'maybe'"
        );
        assert!(yes("y", "on").unwrap());
    }
}
