//! Progress for people: a bar on a terminal; nothing in a pipe, or a plain line now and then for work
//! that takes long.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};
use std::io::{IsTerminal, Write};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};
use zug_core::{Progress, Silent};

/// A bar on stderr if a person looks at it; silence otherwise.
pub fn progress(title: &str) -> Box<dyn Progress> {
    if std::io::stderr().is_terminal() { Box::new(Bar::new(title)) } else { Box::new(Silent) }
}

/// For work that may take hours: a bar, or plain lines where nobody looks at a terminal.
pub fn long_progress(title: &'static str) -> Box<dyn Progress> {
    if std::io::stderr().is_terminal() {
        Box::new(Bar::new(title))
    } else {
        Box::new(Lines::new(title, |line| tell!("zug: {line}")))
    }
}

/// Work that nobody asked for in so many words: a line that says so, and a bar for a person.
pub fn announced(what: &str) -> Box<dyn Progress> {
    tell!("zug: {what}");
    progress("traps")
}

/// The bars that are on the screen.
static SHOWN: Mutex<Vec<ProgressBar>> = Mutex::new(Vec::new());

/// Writes a whole line to stderr: above the bars where there are any, which come back below it.
pub fn write_above(line: &[u8]) -> std::io::Result<()> {
    let shown = SHOWN.lock().unwrap_or_else(PoisonError::into_inner).clone();
    above(&shown, || std::io::stderr().lock().write_all(line))
}

/// Does something while none of these bars is on the screen.
fn above<T>(bars: &[ProgressBar], work: impl FnOnce() -> T) -> T {
    match bars.split_first() {
        Some((bar, others)) => bar.suspend(|| above(others, work)),
        None => work(),
    }
}

/// Where the log goes.
pub struct Log;

impl Write for Log {
    fn write(&mut self, line: &[u8]) -> std::io::Result<usize> {
        write_above(line).map(|()| line.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

/// A bar with a title, or a spinner while the length is not known.
struct Bar(ProgressBar);

impl Bar {
    fn new(title: &str) -> Bar {
        // Ten times a second is enough for an eye, and costs the workers nothing.
        let bar = ProgressBar::with_draw_target(None, ProgressDrawTarget::stderr_with_hz(10));
        bar.set_style(style("{prefix} {spinner} {human_pos} {elapsed} {msg}"));
        bar.set_prefix(title.to_string());
        bar.enable_steady_tick(Duration::from_millis(200));
        SHOWN.lock().unwrap_or_else(PoisonError::into_inner).push(bar.clone());
        Bar(bar)
    }
}

fn style(template: &str) -> ProgressStyle {
    ProgressStyle::with_template(template)
        .expect("the template is a constant")
        .progress_chars("█▉▊▋▌▍▎▏ ")
}

impl Progress for Bar {
    fn set_length(&self, units: Option<u64>) {
        match units {
            Some(units) => {
                self.0.set_length(units);
                self.0.set_style(style(
                    "{prefix} [{bar:30}] {human_pos}/{human_len} {elapsed} (left: {eta}) {msg}",
                ));
            }
            None => {
                self.0.unset_length();
                self.0.set_style(style("{prefix} {spinner} {human_pos} {elapsed} {msg}"));
            }
        }
    }
    fn advance(&self, units: u64) {
        self.0.inc(units);
    }
    fn begin(&self, units: Option<u64>) {
        self.0.set_position(0);
        self.0.reset_eta();
        self.set_length(units);
    }
    fn message(&self, text: &str) {
        self.0.set_message(text.to_string());
    }
    fn finish(&self) {
        self.0.finish_and_clear();
    }
}

/// An error or a Ctrl-C must not leave half a bar on the screen.
impl Drop for Bar {
    fn drop(&mut self) {
        self.0.finish_and_clear();
        // Bars that have ended are in nobody's way.
        SHOWN.lock().unwrap_or_else(PoisonError::into_inner).retain(|bar| !bar.is_finished());
    }
}

/// Lines for a log: what is being done, and at most twice a minute how far it is.
struct Lines {
    title: &'static str,
    print: fn(&str),
    state: Mutex<Counted>,
}

struct Counted {
    done: u64,
    length: Option<u64>,
    told: Instant,
}

/// How often a line is worth reading.
const OFTEN: Duration = Duration::from_secs(30);

impl Lines {
    fn new(title: &'static str, print: fn(&str)) -> Lines {
        let state = Counted { done: 0, length: None, told: Instant::now() };
        Lines { title, print, state: Mutex::new(state) }
    }

    fn line(&self, state: &Counted) -> String {
        match state.length.filter(|&length| length > 0) {
            Some(length) => {
                let percent = 100.0 * state.done as f64 / length as f64;
                format!("{} of {length} {} ({percent:.0} %)", state.done, self.title)
            }
            None => format!("{} {}", state.done, self.title),
        }
    }
}

impl Progress for Lines {
    fn set_length(&self, units: Option<u64>) {
        self.state.lock().unwrap_or_else(PoisonError::into_inner).length = units;
    }
    fn advance(&self, units: u64) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        state.done += units;
        if state.told.elapsed() >= OFTEN {
            state.told = Instant::now();
            (self.print)(&self.line(&state));
        }
    }
    fn begin(&self, units: Option<u64>) {
        let mut state = self.state.lock().unwrap_or_else(PoisonError::into_inner);
        (state.done, state.length) = (0, units);
    }
    fn message(&self, text: &str) {
        (self.print)(text);
    }
    fn finish(&self) {}
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_tell_what_is_done_and_how_far_it_is() {
        let lines = Lines::new("games", |_| {});
        lines.advance(2);
        assert_eq!(lines.line(&lines.state.lock().unwrap()), "2 games");
        lines.set_length(Some(8));
        lines.advance(2);
        assert_eq!(lines.line(&lines.state.lock().unwrap()), "4 of 8 games (50 %)");
        lines.begin(Some(300));
        lines.advance(3);
        assert_eq!(lines.line(&lines.state.lock().unwrap()), "3 of 300 games (1 %)");
    }

    #[test]
    fn the_bar_counts_with_and_without_a_length() {
        let bar = Bar::new("test");
        bar.advance(2);
        bar.set_length(Some(10));
        bar.advance(3);
        bar.message("half way");
        assert_eq!((bar.0.position(), bar.0.length()), (5, Some(10)));
        bar.begin(Some(7));
        bar.advance(1);
        assert_eq!((bar.0.position(), bar.0.length()), (1, Some(7)));
        bar.set_length(None);
        assert_eq!(bar.0.length(), None);
        bar.finish();
        assert!(bar.0.is_finished());
    }
}
