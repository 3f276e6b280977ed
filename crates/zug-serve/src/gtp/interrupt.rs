//! Is a search to be broken off? GoGui sends the comment `# interrupt` while a command runs.
//!
//! So lines are read while a search goes on. A comment breaks off what was sent before it, whether it
//! runs or still waits; what is sent after it is not its business.

use crate::control::Control;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// What the thread that reads tells the one that thinks.
#[derive(Default)]
pub(super) struct Interrupts(Mutex<State>);

#[derive(Default)]
struct State {
    /// Lines up to this one are interrupted.
    until: u64,
    /// The search that runs.
    search: Option<Arc<Control>>,
}

impl Interrupts {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Breaks off the lines up to this one.
    pub(super) fn interrupt(&self, line: u64) {
        let mut state = self.lock();
        state.until = line;
        if let Some(search) = &state.search {
            search.stop();
        }
    }

    /// A search for this line begins.
    pub(super) fn begin(&self, line: u64) -> Arc<Control> {
        let control = Control::new(false);
        let mut state = self.lock();
        if line <= state.until {
            control.stop();
        }
        state.search = Some(Arc::clone(&control));
        control
    }

    /// The search has ended.
    pub(super) fn end(&self) {
        self.lock().search = None;
    }
}

/// Is this line the comment?
pub(super) fn is_interrupt(line: &str) -> bool {
    line.trim().strip_prefix('#').is_some_and(|rest| rest.trim() == "interrupt")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_interrupt_stops_what_was_sent_before_it_and_nothing_else() {
        let interrupts = Interrupts::default();
        let running = interrupts.begin(3);
        assert!(!running.is_stopped());
        interrupts.interrupt(4);
        assert!(running.is_stopped());
        interrupts.end();
        assert!(interrupts.begin(4).is_stopped(), "it was waiting when the comment came");
        assert!(!interrupts.begin(5).is_stopped());
        assert!(is_interrupt("# interrupt\r") && is_interrupt("#interrupt"));
        assert!(!is_interrupt("interrupt") && !is_interrupt("# interrupted"));
    }
}
