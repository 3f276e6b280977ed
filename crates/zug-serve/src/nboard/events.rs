//! What happens next? A command arrives, or a thought ends.
//!
//! Reading has a thread of its own, so that `ping` and `quit` are heard at once, however many
//! commands wait for a thought to end.

use super::command::{Command, parse};
use crate::lines::{Input, MAX_LINE, read_line};
use std::collections::VecDeque;
use std::io::{self, BufRead};
use std::sync::mpsc::{SyncSender, TrySendError};

/// Lines that are read ahead.
pub(super) const AHEAD: usize = 4;

/// Something that the session has to look at.
pub(super) enum Event {
    /// A command, or why a line is none, and how many bytes it took.
    Heard(Result<Command, String>, usize),
    /// A thought has ended.
    Thought,
    /// Nothing more will be heard; with the error, if it was one.
    End(Option<io::Error>),
}

/// Reads commands until `quit`, the end, or until nobody listens.
pub(super) fn read(mut input: impl BufRead, events: &SyncSender<Event>) {
    loop {
        let event = match read_line(&mut input) {
            Ok(Some(Input::Line(line))) => {
                Event::Heard(parse(&line).map_err(|e| e.to_string()), line.len())
            }
            Ok(Some(Input::TooLong)) => Event::Heard(Err("this line is too long".to_string()), 0),
            Ok(None) => Event::End(None),
            Err(e) => Event::End(Some(e)),
        };
        let last = matches!(event, Event::End(_) | Event::Heard(Ok(Command::Quit), _));
        if events.send(event).is_err() || last {
            break;
        }
    }
}

/// Tells the session that a thought has ended. Where other events are in its way it is not needed,
/// since the session looks for the end of a thought after every event.
pub(super) fn tell_thought(events: &SyncSender<Event>) {
    match events.try_send(Event::Thought) {
        Ok(()) | Err(TrySendError::Full(_) | TrySendError::Disconnected(_)) => {}
    }
}

/// Commands, and complaints about lines that are none, that wait for a thought to end.
#[derive(Default)]
pub(super) struct Waiting {
    lines: VecDeque<(Result<Command, String>, usize)>,
    bytes: usize,
}

impl Waiting {
    pub(super) fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// Is there as much as may be kept?
    pub(super) fn is_full(&self) -> bool {
        self.bytes > MAX_LINE
    }

    pub(super) fn push(&mut self, line: Result<Command, String>, bytes: usize) {
        // The shortest line takes some room as well.
        let bytes = bytes + size_of::<(Result<Command, String>, usize)>();
        self.bytes += bytes;
        self.lines.push_back((line, bytes));
    }

    pub(super) fn pop(&mut self) -> Option<Result<Command, String>> {
        let (line, bytes) = self.lines.pop_front()?;
        self.bytes -= bytes;
        Some(line)
    }

    /// Does one wait after which an earlier thought is of no use?
    pub(super) fn supersedes(&self) -> bool {
        self.lines.iter().any(|(line, _)| line.as_ref().is_ok_and(Command::supersedes))
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
        let quit = heard(b"go\nwhat\nquit\ngo\n");
        assert!(matches!(
            quit[..],
            [
                Event::Heard(Ok(Command::Go), 2),
                Event::Heard(Err(_), 4),
                Event::Heard(Ok(Command::Quit), 4)
            ]
        ));
        assert!(matches!(heard(b"go")[..], [Event::Heard(Ok(Command::Go), 2), Event::End(None)]));
        let (events, session) = sync_channel(0);
        drop(session);
        let mut input = &b"go\ngo\n"[..];
        read(&mut input, &events);
        assert_eq!(input, b"go\n");
    }

    #[test]
    fn what_waits_is_counted_and_comes_out_in_order() {
        let mut waiting = Waiting::default();
        waiting.push(Ok(Command::Learn), MAX_LINE);
        waiting.push(Err("what".to_string()), 4);
        assert!(waiting.is_full() && !waiting.supersedes());
        waiting.push(Ok(Command::Go), 2);
        assert!(waiting.supersedes());
        assert_eq!(waiting.pop(), Some(Ok(Command::Learn)));
        assert!(!waiting.is_full());
        assert_eq!(waiting.pop(), Some(Err("what".to_string())));
        assert_eq!(waiting.pop(), Some(Ok(Command::Go)));
        assert_eq!((waiting.is_empty(), waiting.bytes), (true, 0));
    }
}
