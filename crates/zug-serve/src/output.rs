//! How do several threads answer on one channel? Whole lines at a time, each sent at once.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// The channel to the other side, shared by the thread that reads and the one that thinks.
pub(crate) struct Output<W> {
    inner: Mutex<Inner<W>>,
}

struct Inner<W> {
    writer: W,
    /// The first error; after it nothing is written any more.
    error: Option<io::Error>,
}

impl<W: Write> Output<W> {
    pub(crate) fn new(writer: W) -> Output<W> {
        Output { inner: Mutex::new(Inner { writer, error: None }) }
    }

    fn lock(&self) -> MutexGuard<'_, Inner<W>> {
        self.inner.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes text, which ends in a newline, and flushes it. False when the other side is gone.
    pub(crate) fn send(&self, text: &str) -> bool {
        let mut inner = self.lock();
        if inner.error.is_none() {
            text.lines().for_each(|line| tracing::debug!("sent: {line}"));
            let sent = inner.writer.write_all(text.as_bytes()).and_then(|()| inner.writer.flush());
            inner.error = sent.err();
        }
        inner.error.is_none()
    }

    /// Sends one line. Control characters in it (quoted from bad input) become U+FFFD, so that a
    /// line stays a line.
    pub(crate) fn line(&self, text: &str) -> bool {
        let mut clean: String =
            text.chars().map(|c| if c.is_control() { '\u{fffd}' } else { c }).collect();
        clean.push('\n');
        self.send(&clean)
    }

    /// Is the other side gone?
    pub(crate) fn is_broken(&self) -> bool {
        self.lock().error.is_some()
    }

    /// The first error, if there was one. That the other side hung up is none.
    pub(crate) fn finish(self) -> io::Result<()> {
        match self.inner.into_inner().unwrap_or_else(PoisonError::into_inner).error {
            Some(e) if e.kind() != io::ErrorKind::BrokenPipe => Err(e),
            _ => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Broken(io::ErrorKind);

    impl Write for Broken {
        fn write(&mut self, _: &[u8]) -> io::Result<usize> {
            Err(self.0.into())
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn a_hung_up_reader_is_noticed_but_is_no_error() {
        let output = Output::new(Broken(io::ErrorKind::BrokenPipe));
        assert!(!output.line("hello"));
        assert!(output.is_broken());
        assert!(output.finish().is_ok());
    }

    #[test]
    fn a_full_disk_is_an_error() {
        let output = Output::new(Broken(io::ErrorKind::StorageFull));
        assert!(!output.line("hello"));
        assert_eq!(output.finish().unwrap_err().kind(), io::ErrorKind::StorageFull);
    }

    /// A log that can be read.
    #[derive(Clone, Default)]
    struct Log(std::sync::Arc<Mutex<Vec<u8>>>);

    impl Write for Log {
        fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
            self.0.lock().unwrap().write(bytes)
        }
        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    #[test]
    fn lines_are_logged_as_they_come_in_and_go_out() {
        let log = Log::default();
        let writer = log.clone();
        let subscriber = tracing_subscriber::fmt()
            .with_max_level(tracing::Level::DEBUG)
            .with_writer(move || writer.clone())
            .with_ansi(false)
            .without_time()
            .finish();
        tracing::subscriber::with_default(subscriber, || {
            let mut input = &b"isready\r\n"[..];
            while crate::lines::read_line(&mut input).unwrap().is_some() {}
            Output::new(io::sink()).send("id name Zug\nuciok\n");
        });
        let log = String::from_utf8(log.0.lock().unwrap().clone()).unwrap();
        let said: Vec<&str> = log.lines().map(|l| l.split_once(": ").unwrap().1).collect();
        let expected = [
            "received: isready",
            "received the end of the input",
            "sent: id name Zug",
            "sent: uciok",
        ];
        assert_eq!(said, expected);
    }

    #[test]
    fn a_line_stays_a_line() {
        let mut bytes = Vec::new();
        let output = Output::new(&mut bytes);
        assert!(output.line("a\nb\rc"));
        drop(output);
        assert_eq!(bytes, "a\u{fffd}b\u{fffd}c\n".as_bytes());
    }
}
