//! An engine for tests that plays the game of sticks (take 1, 2 or 3; the last one wins) over any of
//! the four protocols, well or badly on purpose.
//!
//! `zug-fake-engine PROTOCOL BEHAVIOUR [NUMBER] [PIDFILE]`
//!
//! | behaviour | what it does |
//! |---|---|
//! | `good` | plays well |
//! | `silent` | says nothing, ever |
//! | `mute` | greets, then never moves |
//! | `crash` | ends after NUMBER moves, with last words |
//! | `illegal` | makes an illegal move after NUMBER moves |
//! | `garbage` | writes megabytes of nonsense before every move |
//! | `flood` | writes nonsense without end instead of moving |
//! | `slow` | moves after NUMBER milliseconds |
//! | `stubborn` | plays well, but neither quits nor ends with its input |
//! | `resign` | gives up after NUMBER moves |
//! | `empty` | answers a request for a move with nothing in it |
//! | `shallow` | knows no limit on depth |
//! | `drowsy` | says nothing before NUMBER lines have come, then works them all off |
//! | `deaf` | greets, then does not read, but writes moves without end |

use std::io::{BufRead, Write};
use std::time::Duration;

struct Fake {
    behaviour: String,
    number: u64,
    moves: u64,
    /// What the pile was at the start and what has been taken.
    start: u64,
    taken: Vec<u64>,
    force: bool,
}

fn main() {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let get = |i: usize| arguments.get(i).cloned().unwrap_or_default();
    if !get(3).is_empty() {
        let _ = std::fs::write(get(3), std::process::id().to_string());
    }
    let mut fake = Fake {
        behaviour: get(1),
        number: get(2).parse().unwrap_or(0),
        moves: 0,
        start: 21,
        taken: Vec::new(),
        force: false,
    };
    let mut waiting = Vec::new();
    for line in std::io::stdin().lock().lines() {
        let Ok(line) = line else { break };
        waiting.push(line);
        let asleep = fake.behaviour == "drowsy" && (waiting.len() as u64) < fake.number;
        if asleep || fake.behaviour == "silent" {
            continue;
        }
        if fake.behaviour == "drowsy" {
            fake.number = 0;
        }
        for line in waiting.drain(..) {
            let go_on = match get(0).as_str() {
                "uci" => fake.uci(&line),
                "cecp" => fake.cecp(&line),
                "gtp" => fake.gtp(&line),
                _ => fake.nboard(&line),
            };
            if !go_on && fake.behaviour != "stubborn" {
                return;
            }
        }
    }
    if fake.behaviour == "stubborn" || fake.behaviour == "silent" {
        loop {
            std::thread::sleep(Duration::from_secs(3600));
        }
    }
}

fn say(text: &str) {
    let mut out = std::io::stdout().lock();
    if writeln!(out, "{text}").and_then(|()| out.flush()).is_err() {
        std::process::exit(0);
    }
}

impl Fake {
    fn left(&self) -> u64 {
        self.start.saturating_sub(self.taken.iter().sum())
    }

    /// The move, after whatever the behaviour asks for; none if it keeps silent.
    fn think(&mut self, answer: impl Fn(&str) -> String) -> Option<String> {
        let due = self.moves >= self.number;
        self.moves += 1;
        let best = match self.left() % 4 {
            0 => 1,
            n => n,
        };
        match self.behaviour.as_str() {
            "mute" => return None,
            "crash" if due => {
                eprintln!("some words");
                eprintln!("assertion failed: everything is fine");
                std::process::exit(3);
            }
            "illegal" if due => return Some("99".to_string()),
            "resign" if due => return Some("resign".to_string()),
            "empty" => return Some(String::new()),
            "garbage" => garbage(4 << 20),
            "flood" => garbage(u64::MAX),
            "slow" => std::thread::sleep(Duration::from_millis(self.number)),
            "deaf" => loop {
                say(&answer(&best.to_string()));
            },
            _ => {}
        }
        self.taken.push(best);
        Some(best.to_string())
    }

    fn uci(&mut self, line: &str) -> bool {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first().copied().unwrap_or_default() {
            "uci" => {
                say("id name Fake");
                say("option name Level type spin default 1 min 1 max 9");
                say("option name UCI_Chess960 type check default true");
                say("uciok");
            }
            "isready" => say("readyok"),
            "position" => {
                let moves = words.iter().position(|&w| w == "moves").unwrap_or(words.len());
                self.start = if words[1] == "fen" { words[2].parse().unwrap_or(0) } else { 21 };
                self.taken = words[moves..].iter().filter_map(|w| w.parse().ok()).collect();
            }
            "go" => {
                say("info depth 3 score cp 25 nodes 100 time 1 pv 1 2");
                if let Some(mv) = self.think(|mv| format!("bestmove {mv}")) {
                    say(&format!("bestmove {mv}"));
                }
            }
            "quit" => return false,
            _ => {}
        }
        true
    }

    fn cecp(&mut self, line: &str) -> bool {
        let words: Vec<&str> = line.split_whitespace().collect();
        let mut thinks = false;
        match words.first().copied().unwrap_or_default() {
            "protover" => {
                say("feature ping=1 setboard=1 usermove=1 myname=\"Fake 1\" san=1");
                say("feature option=\"Level -spin 1 1 9\" colors=0 done=1");
            }
            "ping" => say(&format!("pong {}", words[1])),
            "new" => (self.start, self.taken, self.force) = (21, Vec::new(), false),
            "sd" | "depth" if self.behaviour == "shallow" => {
                say(&format!("Error (unknown command): {}", words[0]));
            }
            "force" => self.force = true,
            "setboard" => self.start = words[1].parse().unwrap_or(0),
            "usermove" => {
                self.taken.extend(words[1].parse::<u64>());
                thinks = !self.force;
            }
            "go" => {
                self.force = false;
                thinks = true;
            }
            "quit" => return false,
            _ => {}
        }
        if thinks {
            say("3 25 1 100 1 2");
            match self.think(|mv| format!("move {mv}")).as_deref() {
                Some("resign") => say("resign"),
                Some(mv) => say(&format!("move {mv}")),
                None => {}
            }
        }
        true
    }

    fn gtp(&mut self, line: &str) -> bool {
        let words: Vec<&str> = line.split_whitespace().collect();
        let id = words.first().copied().unwrap_or_default();
        let text = match words.get(1).copied().unwrap_or_default() {
            "list_commands" => {
                "list_commands\nname\nplay\ngenmove\nclear_board\nzug-game\nzug-set_position\ntime_settings\nlevel"
                    .to_string()
            }
            "name" => "Fake".to_string(),
            "clear_board" => {
                (self.start, self.taken) = (21, Vec::new());
                String::new()
            }
            "zug-set_position" => {
                self.start = words[2].parse().unwrap_or(0);
                String::new()
            }
            "play" => {
                self.taken.extend(words[3].parse::<u64>());
                String::new()
            }
            "level" if words[2] != "5" => {
                say(&format!("?{id} no such level\n"));
                return true;
            }
            "genmove" => match self.think(|mv| format!("={id} {mv}\n")) {
                Some(mv) => mv,
                None => return true,
            },
            "quit" => {
                say(&format!("={id}\n"));
                return false;
            }
            _ => String::new(),
        };
        say(&format!("={id} {text}\n"));
        true
    }

    /// Sticks is no Othello; it knows two first moves of Black and an answer.
    fn nboard(&mut self, line: &str) -> bool {
        let words: Vec<&str> = line.split_whitespace().collect();
        match words.first().copied().unwrap_or_default() {
            "nboard" => say("set myname Fake"),
            "ping" => say(&format!("pong {}", words[1])),
            "set" => {
                let moves = line.split("BO[").nth(1).unwrap_or_default();
                self.taken = vec![0; moves.matches("B[").count() + moves.matches("W[").count()];
            }
            "go" => {
                let known = ["F5", "D6", "C3"].get(self.taken.len()).copied().unwrap_or("PA");
                say("status thinking");
                say("search F5D6 1.50 0 4");
                match self.think(|_| format!("=== {known}")).as_deref() {
                    Some("99") => say("=== A1"),
                    Some("") => say("==="),
                    Some(_) => say(&format!("=== {known}/1.25/0.5")),
                    None => {}
                }
            }
            "quit" => return false,
            _ => {}
        }
        true
    }
}

/// Long lines, binary, and lines that begin like answers.
fn garbage(mut bytes: u64) {
    let mut out = std::io::stdout().lock();
    let long = [b'x'; 100_000];
    while bytes > 0 {
        let pieces: [&[u8]; 6] =
            [&long, b"\n\xff\xfe\x00\n", b"info depth\n", b"move\n", b"=0\n", b"1 2 3\n"];
        for piece in pieces {
            if out.write_all(piece).is_err() {
                std::process::exit(0);
            }
            bytes = bytes.saturating_sub(piece.len() as u64);
        }
    }
}
