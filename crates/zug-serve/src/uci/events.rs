//! What happens next? A command arrives, or a search ends.
//!
//! Reading has a thread of its own, so that a command which has to wait for a search (see
//! [`Waiting`]) does not keep the next line from being heard.

use super::command::{Command, parse};
use crate::lines::{Input, MAX_LINE, read_line};
use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::mpsc::{SyncSender, TrySendError};

/// Lines that are read ahead.
pub(super) const AHEAD: usize = 4;

/// Something that the session has to look at.
pub(super) enum Event {
    /// A command, and how many bytes it took.
    Heard(Command, usize),
    /// A line that is no command, and why.
    Nonsense(String),
    /// A search has answered.
    Searched,
    /// Nothing more will be heard; with the error, if it was one.
    End(Option<io::Error>),
}

/// Reads commands until `quit`, the end, or until nobody listens.
pub(super) fn read(mut input: impl BufRead, events: &SyncSender<Event>) {
    loop {
        let event = match read_line(&mut input) {
            Ok(Some(Input::Line(line))) => match parse(&line) {
                Ok(command) => Event::Heard(command, line.len()),
                Err(e) => Event::Nonsense(e.to_string()),
            },
            Ok(Some(Input::TooLong)) => Event::Nonsense("this line is too long".to_string()),
            Ok(None) => Event::End(None),
            Err(e) => Event::End(Some(e)),
        };
        let last = matches!(event, Event::End(_) | Event::Heard(Command::Quit, _));
        if events.send(event).is_err() || last {
            break;
        }
    }
}

/// Tells the session that a search has answered. Where other events are in its way it is not
/// needed, since the session looks for the end of a search after every event.
pub(super) fn tell_searched(events: &SyncSender<Event>) {
    match events.try_send(Event::Searched) {
        Ok(()) | Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {}
    }
}

/// Commands that wait for a search to end, in their order.
#[derive(Default)]
pub(super) struct Waiting {
    commands: VecDeque<Held>,
    bytes: usize,
}

/// A command that waits.
pub(super) struct Held {
    pub(super) command: Command,
    bytes: usize,
    /// A `stop` came after it: if it is a search, it is stopped as soon as it begins.
    pub(super) stopped: bool,
}

impl Waiting {
    pub(super) fn is_empty(&self) -> bool {
        self.commands.is_empty()
    }

    /// Is there as much as may be kept?
    pub(super) fn is_full(&self) -> bool {
        self.bytes > MAX_LINE
    }

    pub(super) fn push(&mut self, command: Command, bytes: usize) {
        // The shortest command takes some room as well.
        let bytes = bytes + size_of::<Held>();
        self.bytes += bytes;
        self.commands.push_back(Held { command, bytes, stopped: false });
    }

    pub(super) fn next(&self) -> Option<&Command> {
        self.commands.front().map(|held| &held.command)
    }

    pub(super) fn pop(&mut self) -> Option<Held> {
        let held = self.commands.pop_front()?;
        self.bytes -= held.bytes;
        Some(held)
    }

    pub(super) fn stop(&mut self) {
        self.commands.iter_mut().for_each(|held| held.stopped = true);
    }

    /// Does a search wait that nobody has stopped?
    pub(super) fn has_search(&self) -> bool {
        self.commands.iter().any(|held| !held.stopped && held.command.is_search())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::sync_channel;

    #[test]
    fn reading_ends_at_quit_or_with_the_input_or_when_nobody_listens() {
        let heard = |input: &[u8]| {
            let (events, session) = sync_channel(10);
            read(input, &events);
            drop(events);
            session.iter().collect::<Vec<_>>()
        };
        let quit = heard(b"isready\nwhat\nquit\nisready\n");
        assert!(matches!(
            quit[..],
            [Event::Heard(Command::IsReady, 7), Event::Nonsense(_), Event::Heard(Command::Quit, 4)]
        ));
        let end = heard(b"isready");
        assert!(matches!(end[..], [Event::Heard(Command::IsReady, 7), Event::End(None)]));
        let (events, session) = sync_channel(0);
        drop(session);
        let mut input = &b"isready\nisready\n"[..];
        read(&mut input, &events);
        assert_eq!(input, b"isready\n");
    }

    #[test]
    fn what_waits_is_counted_and_comes_out_in_order() {
        let mut waiting = Waiting::default();
        waiting.push(Command::NewGame, MAX_LINE);
        assert!(waiting.is_full() && !waiting.has_search());
        waiting.push(Command::Go(Box::default()), 2);
        assert!(waiting.has_search());
        waiting.stop();
        assert!(!waiting.has_search());
        waiting.push(Command::Display, 1);
        assert_eq!(waiting.pop().map(|h| (h.command, h.stopped)), Some((Command::NewGame, true)));
        assert!(!waiting.is_full());
        assert!(waiting.pop().is_some_and(|held| held.stopped));
        assert_eq!(waiting.next(), Some(&Command::Display));
        assert!(waiting.pop().is_some_and(|held| !held.stopped));
        assert_eq!((waiting.is_empty(), waiting.bytes), (true, 0));
    }
}
