//! A small game for the tests, players of it, and the fake engine.
#![allow(dead_code)] // Every test file uses its own part.

use zug_arena::{Participant, participants};
use zug_core::seed::RngExt;
use zug_core::{
    AnyLine, Choice, Game, GameEntry, Info, Limits, Outcome, Picture, Player, PlayerError,
    PlayerKind, Rng, Score, Side, Spec, TextError, Watch, rng,
};

/// Sticks: take 1, 2 or 3 from the pile; who takes the last one wins. A position is `21 first`.
/// Some protocols know one game only; for their sake it can go by another name.
#[derive(Clone, Debug)]
pub struct Sticks(&'static str);

impl Game for Sticks {
    type Position = (u32, Side);
    type Move = u32;
    fn spec(&self) -> String {
        self.0.into()
    }
    fn title(&self) -> String {
        "Sticks".into()
    }
    fn start(&self) -> (u32, Side) {
        (21, Side::First)
    }
    fn to_move(&self, p: &(u32, Side)) -> Side {
        p.1
    }
    fn outcome(&self, p: &(u32, Side)) -> Option<Outcome> {
        (p.0 == 0).then(|| Outcome::win(p.1.other(), "took the last one"))
    }
    fn moves(&self, p: &(u32, Side), out: &mut Vec<u32>) {
        out.extend(1..=p.0.min(3));
    }
    fn play(&self, p: &mut (u32, Side), mv: u32) {
        *p = (p.0 - mv.min(p.0), p.1.other());
    }
    fn write_move(&self, _: &(u32, Side), mv: u32) -> String {
        mv.to_string()
    }
    fn read_move(&self, p: &(u32, Side), text: &str) -> Result<u32, TextError> {
        let expected = format!("a number from 1 to {}", p.0.min(3));
        let bad = || TextError::new(0, expected, format!("'{text}'"));
        text.parse().ok().filter(|mv| (1..=p.0.min(3)).contains(mv)).ok_or_else(bad)
    }
    fn write_position(&self, p: &(u32, Side)) -> String {
        format!("{} {}", p.0, p.1)
    }
    fn read_position(&self, text: &str) -> Result<(u32, Side), TextError> {
        let bad = || TextError::new(0, "a pile such as '21 first'", format!("'{text}'"));
        let (pile, side) = text.split_once(' ').ok_or_else(bad)?;
        let side = Side::BOTH.into_iter().find(|s| s.to_string() == side).ok_or_else(bad)?;
        Ok((pile.parse().ok().filter(|n| *n <= 1000).ok_or_else(bad)?, side))
    }
    fn picture(&self, _: &(u32, Side)) -> Picture {
        Picture::grid(0, 0, Vec::new(), true)
    }
}

/// How a test player behaves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Manner {
    Random,
    Perfect,
    Panics,
    Illegal,
    /// Thinks until it is stopped.
    Endless,
    /// Takes its time when it moves first, so that the second game of a pair is over before.
    Slow,
}

pub struct TestPlayer {
    manner: Manner,
    rng: Rng,
}

impl Player for TestPlayer {
    fn name(&self) -> String {
        format!("{:?}", self.manner)
    }
    fn choose(
        &mut self,
        line: &dyn AnyLine,
        _: &Limits,
        watch: &mut Watch<'_>,
    ) -> Result<Choice, PlayerError> {
        let moves = line.legal_moves();
        let pile: usize = line.position_text().split(' ').next().unwrap().parse().unwrap();
        let mv = match self.manner {
            Manner::Random => moves[self.rng.random_range(0..moves.len())].clone(),
            Manner::Perfect => (pile % 4).max(1).to_string(),
            Manner::Panics => panic!("out of ideas"),
            Manner::Illegal => "7".to_string(),
            Manner::Endless => {
                while !watch.stopped() {
                    std::thread::sleep(std::time::Duration::from_millis(1));
                }
                moves[0].clone()
            }
            Manner::Slow => {
                if line.to_move() == Side::First {
                    std::thread::sleep(std::time::Duration::from_millis(5));
                }
                moves[0].clone()
            }
        };
        let score = if pile.is_multiple_of(4) { -900 } else { 900 };
        let info = Info { depth: 1, score: Some(Score(score)), ..Info::default() };
        Ok(Choice { info: Some(info), ..Choice::of(mv) })
    }
}

fn kind(name: &'static str, manner: Manner) -> PlayerKind {
    let make = move |spec: &Spec| {
        // Only the random one takes a seed, as among real players.
        spec.only(if manner == Manner::Random { &["seed"] } else { &[] })?;
        let seed = spec.parsed("seed", "a number")?.unwrap_or(0);
        Ok(Box::new(TestPlayer { manner, rng: rng(seed, 0) }) as Box<dyn Player>)
    };
    PlayerKind { name, help: String::new(), make: Box::new(make) }
}

/// The game with its players.
pub fn sticks() -> GameEntry {
    sticks_called("sticks")
}

/// The same under a name with which engines of every protocol but NBoard's can be asked.
pub fn sticks_for_engines() -> GameEntry {
    sticks_called("chess:sticks")
}

fn sticks_called(spec: &'static str) -> GameEntry {
    GameEntry::new(Sticks(spec))
        .with_player(kind("random", Manner::Random))
        .with_player(kind("perfect", Manner::Perfect))
        .with_player(kind("panics", Manner::Panics))
        .with_player(kind("illegal", Manner::Illegal))
        .with_player(kind("endless", Manner::Endless))
        .with_player(kind("slow", Manner::Slow))
}

/// Participants by their specs.
pub fn players<'a>(entry: &'a GameEntry, specs: &[&str]) -> Vec<Participant<'a>> {
    let specs: Vec<Spec> = specs.iter().map(|s| Spec::parse(s).unwrap()).collect();
    participants(entry, &specs).unwrap()
}

/// The spec of a fake engine.
pub fn fake(protocol: &str, behaviour: &str, options: &str) -> String {
    let program = env!("CARGO_BIN_EXE_zug-fake-engine");
    format!("{protocol}:cmd=\"'{program}' {protocol} {behaviour}\"{options}")
}
