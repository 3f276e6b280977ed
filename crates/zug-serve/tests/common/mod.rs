//! A GUI for tests: it speaks to an engine that runs on another thread, through channels.
#![allow(dead_code, reason = "each test file uses a part of this")]

use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread::JoinHandle;
use std::time::Duration;
use zug_core::{GameEntry, Spec};

/// A protocol's `run`, with the types of these tests.
pub type Run = fn(GameEntry, &Spec, &zug_serve::Open<'_>, Feed, Wire) -> io::Result<()>;

/// Opens every game that the tests use.
pub fn open(text: &str) -> Result<GameEntry, String> {
    let spec = Spec::parse(text).map_err(|e| e.to_string())?;
    let entry = match spec.name.as_str() {
        "chess" => zug_chess::open(&spec),
        "go" => zug_go::open(&spec),
        "othello" => zug_othello::open(&spec),
        _ => zug_games::open(&spec).ok_or_else(|| format!("there is no game '{text}'"))?,
    };
    entry.map_err(|e| e.to_string())
}

/// What an engine says to all of the input at once.
pub fn say(run: Run, game: &str, player: &str, input: impl Into<Vec<u8>>) -> String {
    let (to, from) = channel();
    to.send(input.into()).unwrap();
    drop(to);
    let (output, heard) = channel();
    let player = Spec::parse(player).unwrap();
    run(open(game).unwrap(), &player, &open, Feed::of(from), Wire(output)).unwrap();
    String::from_utf8(heard.try_iter().collect()).expect("an engine writes UTF-8")
}

/// Long enough for a slow machine; only a hang takes it.
const PATIENCE: Duration = Duration::from_secs(120);

/// The GUI's side of a conversation.
pub struct Client {
    to: Option<Sender<Vec<u8>>>,
    from: Receiver<u8>,
    engine: Option<JoinHandle<io::Result<()>>>,
    /// Every line heard so far.
    pub heard: Vec<String>,
}

impl Client {
    pub fn start(run: Run, game: &str, player: &str) -> Client {
        Client::start_with(run, open(game).unwrap(), player)
    }

    pub fn start_with(run: Run, entry: GameEntry, player: &str) -> Client {
        let (to, input) = channel();
        let (output, from) = channel();
        let player = Spec::parse(player).unwrap();
        let engine =
            std::thread::spawn(move || run(entry, &player, &open, Feed::of(input), Wire(output)));
        Client { to: Some(to), from, engine: Some(engine), heard: Vec::new() }
    }

    pub fn send(&mut self, line: &str) {
        self.to
            .as_ref()
            .unwrap()
            .send(format!("{line}\n").into_bytes())
            .expect("the engine listens");
    }

    /// The next line.
    pub fn line(&mut self) -> String {
        let mut bytes = Vec::new();
        loop {
            match self.from.recv_timeout(PATIENCE) {
                Ok(b'\n') => break,
                Ok(byte) => bytes.push(byte),
                Err(e) => panic!("the engine says nothing more ({e}); heard: {:#?}", self.heard),
            }
        }
        let line = String::from_utf8(bytes).expect("an engine writes UTF-8");
        self.heard.push(line.clone());
        line
    }

    /// Reads until a line begins like this.
    pub fn wait_for(&mut self, start: &str) -> String {
        loop {
            let line = self.line();
            if line.starts_with(start) {
                return line;
            }
        }
    }

    /// Sends, and reads until a line begins like this.
    pub fn ask(&mut self, line: &str, start: &str) -> String {
        self.send(line);
        self.wait_for(start)
    }

    /// Has a line like this been heard?
    pub fn has_heard(&self, start: &str) -> bool {
        self.heard.iter().any(|l| l.starts_with(start))
    }

    /// Closes the input, and waits for the engine to end; gives back all it said.
    pub fn close(mut self) -> Vec<String> {
        self.to = None;
        self.engine.take().unwrap().join().expect("no panic").expect("no error");
        let rest: Vec<u8> = self.from.try_iter().collect();
        let mut heard = std::mem::take(&mut self.heard);
        heard.extend(String::from_utf8(rest).unwrap().lines().map(String::from));
        heard
    }
}

/// The engine's input: bytes as they arrive.
pub struct Feed {
    from: Receiver<Vec<u8>>,
    buffer: Vec<u8>,
    used: usize,
}

impl Feed {
    fn of(from: Receiver<Vec<u8>>) -> Feed {
        Feed { from, buffer: Vec::new(), used: 0 }
    }
}

impl BufRead for Feed {
    fn fill_buf(&mut self) -> io::Result<&[u8]> {
        if self.used == self.buffer.len() {
            // A sender that is gone is the end of the input.
            self.buffer = self.from.recv().unwrap_or_default();
            self.used = 0;
        }
        Ok(&self.buffer[self.used..])
    }
    fn consume(&mut self, amount: usize) {
        self.used += amount;
    }
}

impl Read for Feed {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let read = self.fill_buf()?.read(out)?;
        self.consume(read);
        Ok(read)
    }
}

/// The engine's output; it breaks when the client is gone.
pub struct Wire(Sender<u8>);

impl Write for Wire {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for &byte in bytes {
            self.0.send(byte).map_err(|_| io::ErrorKind::BrokenPipe)?;
        }
        Ok(bytes.len())
    }
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
