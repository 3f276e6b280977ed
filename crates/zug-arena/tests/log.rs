//! What a match tells the log. A file of its own: the log belongs to the whole process.

mod support;

use std::io::Write;
use std::sync::Mutex;
use support::{fake, players, sticks_for_engines};
use zug_arena::{MatchConfig, run_match};

static LOG: Mutex<Vec<u8>> = Mutex::new(Vec::new());

struct Log;

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        LOG.lock().unwrap().extend_from_slice(bytes);
        Ok(bytes.len())
    }
    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn the_log_has_the_match_its_games_the_engines_and_every_line_they_exchange() {
    tracing_subscriber::fmt()
        .with_max_level(tracing::Level::DEBUG)
        .with_ansi(false)
        .with_writer(|| Log)
        .init();
    let entry = sticks_for_engines();
    let engine = fake("uci", "crash 1", ",name=shaky");
    let who = players(&entry, &[&engine, "random"]);
    run_match(&entry, &who, &MatchConfig::default(), &mut |_| {}).unwrap();
    let log = String::from_utf8(LOG.lock().unwrap().clone()).unwrap();
    for (level, words) in [
        ("INFO", "match of 2 games, 0 of them finished earlier: shaky, random"),
        ("INFO", "engine shaky starts command="),
        ("DEBUG", "shaky > uci"),
        ("DEBUG", "shaky < uciok"),
        ("DEBUG", "shaky < bestmove "),
        ("INFO", "engine shaky fails and is ended: "),
        ("INFO", "game 1: shaky - random 0-1: "),
        ("INFO", "engine shaky starts again, restart 1"),
        ("INFO", "game 2: random - shaky 1-0: "),
        ("INFO", "match over: +0 =0 -2"),
    ] {
        let found = log.lines().any(|line| line.contains(level) && line.contains(words));
        assert!(found, "{level} {words}\n{log}");
    }
}
