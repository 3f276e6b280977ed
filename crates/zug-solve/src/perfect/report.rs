//! Who is told of the long work that a player begins by itself?
//!
//! A player is made deep inside a match or an engine, where nobody has a progress bar at hand; the
//! program says once, at its start, how such work is to be reported. Without a word it is silent.

use std::sync::OnceLock;
use zug_core::{Progress, Silent};

/// Begins a report on some work, told in a sentence.
pub type Reporter = fn(&str) -> Box<dyn Progress>;

static REPORTER: OnceLock<Reporter> = OnceLock::new();

/// Has long work reported like this from now on. The first call counts.
pub fn report_with(reporter: Reporter) {
    let _ = REPORTER.set(reporter);
}

pub(super) fn begin(what: &str) -> Box<dyn Progress> {
    match REPORTER.get() {
        Some(reporter) => reporter(what),
        None => Box::new(Silent),
    }
}
