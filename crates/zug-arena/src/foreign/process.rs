//! A running program with lines going in and out, none of which can make us wait or fill memory.
//!
//! Three threads for each program: one writes (a program that does not read must not block us), one
//! reads lines of bounded length into a bounded queue (a program that writes without end blocks
//! itself), one keeps the last words of its error output. Ending is certain: a request to quit, a
//! short wait, then a kill of the whole process group, and the remains are collected.

use std::io::{BufRead, BufReader, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tracing::debug;
use zug_core::PlayerError;
use zug_core::error::shorten;

/// The rest of a longer line is dropped.
const MAX_LINE: usize = 16 << 10;
/// Lines that wait to be read by us.
const QUEUE: usize = 256;
/// What is remembered of the error output.
const LAST_WORDS: usize = 2048;
/// How long a program may take to quit by itself.
const FAREWELL: Duration = Duration::from_millis(500);
/// How often a stop flag is looked at while waiting.
const TICK: Duration = Duration::from_millis(10);

pub(crate) struct Process {
    /// What the program is called in the log.
    name: String,
    /// `None` for a script instead of a program.
    program: Option<Program>,
    input: Option<SyncSender<String>>,
    output: Receiver<String>,
    last_words: Arc<Mutex<Vec<u8>>>,
    condemned: bool,
}

struct Program {
    child: Child,
    /// Ends when the program's error output is closed.
    listener: JoinHandle<()>,
}

/// What came while waiting.
pub(crate) enum Heard {
    Line(String),
    /// The deadline has passed.
    Nothing,
    /// The caller's condition became true.
    Interrupted,
}

impl Process {
    pub(crate) fn start(
        argv: &[String],
        dir: Option<&Path>,
        name: String,
    ) -> Result<Process, PlayerError> {
        let mut command = Command::new(&argv[0]);
        command.args(&argv[1..]);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        if let Some(dir) = dir {
            command.current_dir(dir);
        }
        // A group of its own: Ctrl-C in the terminal reaches the match, which then ends its
        // engines in order, and a kill reaches what a wrapper script has started.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = command
            .spawn()
            .map_err(|e| PlayerError::Start(format!("'{}': {e}", shorten(&argv[0]))))?;
        let stdin = child.stdin.take().expect("stdin is piped");
        let stdout = child.stdout.take().expect("stdout is piped");
        let stderr = child.stderr.take().expect("stderr is piped");
        let last_words = Arc::new(Mutex::new(Vec::new()));
        let (input, to_write) = sync_channel(QUEUE);
        let (read, output) = sync_channel(QUEUE);
        std::thread::spawn(move || write_lines(stdin, &to_write));
        std::thread::spawn(move || read_lines(stdout, &read));
        let words = last_words.clone();
        let listener = std::thread::spawn(move || keep_last_words(stderr, &words));
        let program = Some(Program { child, listener });
        Ok(Process { name, program, input: Some(input), output, last_words, condemned: false })
    }

    /// What a program would be that says all this at once, listens to nothing, and ends: drivers
    /// are fed with arbitrary bytes in this way, a million times and without a million programs.
    pub(crate) fn scripted(said: &[u8]) -> Process {
        let lines = said.iter().filter(|&&b| b == b'\n').count() + 1;
        let (read, output) = sync_channel(lines);
        read_lines(said, &read);
        let last_words = Arc::default();
        let name = "script".to_string();
        Process { name, program: None, input: None, output, last_words, condemned: false }
    }

    /// Sends a line.
    pub(crate) fn send(&mut self, line: &str) -> Result<(), PlayerError> {
        use std::sync::mpsc::TrySendError;
        if self.program.is_none() {
            return Ok(());
        }
        let Some(input) = &self.input else { return Err(self.crashed()) };
        debug!("{} > {line}", self.name);
        match input.try_send(format!("{line}\n")) {
            Ok(()) => Ok(()),
            Err(TrySendError::Full(_)) => {
                Err(PlayerError::Protocol("it does not read its input".to_string()))
            }
            Err(TrySendError::Disconnected(_)) => Err(self.crashed()),
        }
    }

    /// The next line before the deadline; an error if the program has ended.
    pub(crate) fn hear(&mut self, deadline: Instant) -> Result<Option<String>, PlayerError> {
        match self.hear_or(deadline, || false)? {
            Heard::Line(line) => Ok(Some(line)),
            _ => Ok(None),
        }
    }

    /// The same, but gives up when `interrupt` becomes true.
    pub(crate) fn hear_or(
        &mut self,
        deadline: Instant,
        interrupt: impl Fn() -> bool,
    ) -> Result<Heard, PlayerError> {
        loop {
            if interrupt() {
                return Ok(Heard::Interrupted);
            }
            // Checked on every line: a program that talks without end does not gain time by it.
            let left = deadline.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(Heard::Nothing);
            }
            match self.output.recv_timeout(left.min(TICK)) {
                Ok(line) => {
                    debug!("{} < {line}", self.name);
                    return Ok(Heard::Line(line));
                }
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Err(self.crashed()),
            }
        }
    }

    /// Forgets what has been said so far.
    pub(crate) fn drain(&mut self) {
        // A script has said everything beforehand.
        let said = if self.program.is_some() { QUEUE } else { 0 };
        for _ in 0..said {
            match self.output.try_recv() {
                Ok(line) => debug!("{} < {line} (ignored)", self.name),
                Err(_) => break,
            }
        }
    }

    /// The program has closed its output: why?
    fn crashed(&mut self) -> PlayerError {
        let until = Instant::now() + Duration::from_millis(500);
        let mut status = None;
        while let Some(program) = &mut self.program
            && (status.is_none() || !program.listener.is_finished())
            && Instant::now() < until
        {
            status = program.child.try_wait().ok().flatten();
            std::thread::sleep(Duration::from_millis(2));
        }
        let how = status.map_or("it closed its output".to_string(), |s| s.to_string());
        let words = self.last_words.lock().unwrap_or_else(PoisonError::into_inner);
        let words = String::from_utf8_lossy(&words);
        match words.lines().rev().find(|line| !line.trim().is_empty()) {
            Some(line) => PlayerError::Crashed(format!("{how}; it said: {}", shorten(line))),
            None => PlayerError::Crashed(how),
        }
    }

    /// Tells a time-out in a greeting as what it is.
    pub(crate) fn explain(&self, error: PlayerError, patience: Duration) -> PlayerError {
        match error {
            PlayerError::TimedOut(_) => PlayerError::TimedOut(patience),
            other => other,
        }
    }

    /// It has failed: no farewell.
    pub(crate) fn condemn(&mut self) {
        self.condemned = true;
    }

    fn wait(&mut self, how_long: Duration) -> bool {
        let Some(program) = &mut self.program else { return true };
        let until = Instant::now() + how_long;
        loop {
            match program.child.try_wait() {
                Ok(None) if Instant::now() < until => std::thread::sleep(Duration::from_millis(2)),
                Ok(None) => return false,
                Ok(Some(_)) | Err(_) => return true,
            }
        }
    }

    fn kill(&mut self) {
        let Some(program) = &mut self.program else { return };
        #[cfg(unix)]
        if let Some(group) = rustix::process::Pid::from_raw(program.child.id() as i32) {
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = program.child.kill();
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.condemned {
            let _ = self.send("quit");
        }
        // Closes the program's input as soon as all is written.
        self.input = None;
        if self.condemned || !self.wait(FAREWELL) {
            self.kill();
            // Killed programs end at once; a wait without end would trust the kernel with ours.
            self.wait(Duration::from_secs(5));
        }
    }
}

fn write_lines(mut stdin: impl Write, lines: &Receiver<String>) {
    while let Ok(line) = lines.recv() {
        if stdin.write_all(line.as_bytes()).and_then(|()| stdin.flush()).is_err() {
            break;
        }
    }
}

fn read_lines(stdout: impl Read, lines: &SyncSender<String>) {
    let mut reader = BufReader::new(stdout);
    let mut line = Vec::new();
    while let Ok(true) = read_line(&mut reader, &mut line) {
        let text = String::from_utf8_lossy(&line).trim_end().to_string();
        if lines.send(text).is_err() {
            break;
        }
    }
}

/// Reads a line into `line`, keeping its first [`MAX_LINE`] bytes. False at the end.
fn read_line(reader: &mut impl BufRead, line: &mut Vec<u8>) -> std::io::Result<bool> {
    line.clear();
    let mut any = false;
    loop {
        let buffer = match reader.fill_buf() {
            Err(e) if e.kind() == std::io::ErrorKind::Interrupted => continue,
            other => other?,
        };
        if buffer.is_empty() {
            return Ok(any);
        }
        any = true;
        let end = buffer.iter().position(|&b| b == b'\n');
        let piece = &buffer[..end.unwrap_or(buffer.len())];
        let room = MAX_LINE - line.len();
        line.extend_from_slice(&piece[..piece.len().min(room)]);
        let used = end.map_or(buffer.len(), |i| i + 1);
        reader.consume(used);
        if end.is_some() {
            return Ok(true);
        }
    }
}

fn keep_last_words(mut stderr: impl Read, words: &Mutex<Vec<u8>>) {
    let mut buffer = [0; 1024];
    while let Ok(n) = stderr.read(&mut buffer) {
        if n == 0 {
            break;
        }
        let mut words = words.lock().unwrap_or_else(PoisonError::into_inner);
        words.extend_from_slice(&buffer[..n]);
        let surplus = words.len().saturating_sub(LAST_WORDS);
        words.drain(..surplus);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_lines_are_cut_and_the_next_line_is_whole() {
        let mut text = vec![b'x'; 3 * MAX_LINE];
        text.extend_from_slice(b"\nshort\nlast");
        let mut reader = BufReader::new(&text[..]);
        let mut line = Vec::new();
        assert!(read_line(&mut reader, &mut line).unwrap());
        assert_eq!(line.len(), MAX_LINE);
        assert!(read_line(&mut reader, &mut line).unwrap());
        assert_eq!(line, b"short");
        assert!(read_line(&mut reader, &mut line).unwrap());
        assert_eq!(line, b"last");
        assert!(!read_line(&mut reader, &mut line).unwrap());
    }

    #[test]
    fn a_missing_program_is_an_error_with_its_name() {
        let error =
            Process::start(&["/no/such/engine".to_string()], None, "e".into()).err().unwrap();
        assert!(error.to_string().contains("/no/such/engine"), "{error}");
    }
}
