//! Every check passes a sound game and finds the fault that is planted for it.

use super::play::plain_tree;
use super::*;
use crate::{Cell, GameEntry, Outcome, Picture, Side, TextError};
use std::cell::Cell as Shared;
use std::hash::{Hash, Hasher};
use std::sync::Arc;
use std::sync::atomic::{AtomicU8, Ordering};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Bug {
    None,
    MovesAfterTheEnd,
    MoveTwice,
    UnstableOrder,
    ClearsTheList,
    SharedState,
    Panics,
    ForgetsTheSide,
    SameTextTwice,
    ReadsIllegalMoves,
    ReadsBrokenPositions,
    KeyOfThePath,
    ConstantKey,
    WrongPerft,
    TooFewReversible,
    NoRepetitionKey,
    /// No fault, but another rule.
    Superko,
    CellOutside,
    NoIdentity,
    SameSymmetryTwice,
    WrongMoveMap,
    MissingPredecessor,
    FalsePredecessor,
    DoublePredecessor,
}

/// Two stones a side walk on a ring of eight fields, one step forward or back; whoever has them
/// opposite each other wins. There is much repetition in it, on purpose.
#[derive(Clone)]
struct Ring(Bug);

#[derive(Clone, Debug)]
struct At {
    stones: [u8; 2],
    side: Side,
    path: u64,
    shared: Arc<AtomicU8>,
}

impl PartialEq for At {
    fn eq(&self, other: &At) -> bool {
        (self.stones, self.side) == (other.stones, other.side)
    }
}
impl Eq for At {}
impl Hash for At {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (self.stones, self.side).hash(state);
    }
}

thread_local!(static CALLS: Shared<u32> = const { Shared::new(0) });

impl Ring {
    fn make(stones: [u8; 2], side: Side) -> At {
        At { stones, side, path: 0, shared: Arc::default() }
    }

    fn steps(at: &At) -> Vec<(u8, u8)> {
        let taken = at.stones[0] | at.stones[1];
        let own = at.stones[at.side.index()];
        let pairs = (0..8).flat_map(|f| [(f, (f + 1) % 8), (f, (f + 7) % 8)]);
        pairs.filter(|&(f, t)| own & (1 << f) != 0 && taken & (1 << t) == 0).collect()
    }
}

impl Game for Ring {
    type Position = At;
    type Move = (u8, u8);

    fn spec(&self) -> String {
        "ring".into()
    }
    fn title(&self) -> String {
        "Ring".into()
    }
    fn start(&self) -> At {
        Ring::make([0b0000_0011, 0b0011_0000], Side::First)
    }
    fn to_move(&self, at: &At) -> Side {
        at.side
    }
    fn outcome(&self, at: &At) -> Option<Outcome> {
        let winner =
            Side::BOTH.into_iter().find(|s| at.stones[s.index()] & 15 == at.stones[s.index()] >> 4);
        match winner {
            Some(side) => Some(Outcome::win(side, "goal")),
            None => Ring::steps(at).is_empty().then_some(Outcome::draw("blocked")),
        }
    }
    fn moves(&self, at: &At, out: &mut Vec<(u8, u8)>) {
        if self.outcome(at).is_some() && self.0 != Bug::MovesAfterTheEnd {
            return;
        }
        if self.0 == Bug::ClearsTheList {
            out.clear();
        }
        let mut steps = Ring::steps(at);
        let calls = CALLS.get() + 1;
        CALLS.set(calls);
        if self.0 == Bug::UnstableOrder && calls.is_multiple_of(2) {
            steps.reverse();
        }
        if self.0 == Bug::MoveTwice {
            steps.push(steps[0]);
        }
        out.extend(steps);
    }
    fn play(&self, at: &mut At, (from, to): (u8, u8)) {
        assert!(self.0 != Bug::Panics, "planted");
        at.stones[at.side.index()] ^= (1 << from) | (1 << to);
        at.side = at.side.other();
        at.path = at.path.wrapping_mul(131).wrapping_add(u64::from(from * 8 + to + 1));
        if self.0 == Bug::SharedState {
            at.shared.fetch_add(1, Ordering::Relaxed);
        }
    }
    fn write_move(&self, _: &At, (from, to): (u8, u8)) -> String {
        if self.0 == Bug::SameTextTwice { from.to_string() } else { format!("{from}{to}") }
    }
    fn read_move(&self, at: &At, text: &str) -> Result<(u8, u8), TextError> {
        let error = || TextError::new(0, "two digits", text);
        let digits: Vec<u8> = text.bytes().map(|b| b.wrapping_sub(b'0')).collect();
        match (&digits[..], self.0) {
            (&[from], Bug::SameTextTwice) => {
                Ring::steps(at).into_iter().find(|s| s.0 == from).ok_or_else(error)
            }
            (&[from, to], bug) => {
                let legal = Ring::steps(at).contains(&(from, to));
                let legal = legal || (bug == Bug::ReadsIllegalMoves && from < 8 && to < 8);
                legal.then_some((from, to)).ok_or_else(error)
            }
            _ => Err(error()),
        }
    }
    fn write_position(&self, at: &At) -> String {
        let letter = |f: u8| match (at.stones[0] >> f & 1, at.stones[1] >> f & 1) {
            (1, _) => 'x',
            (_, 1) => 'o',
            _ => '.',
        };
        let board: String = (0..8).map(letter).collect();
        let shared = at.shared.load(Ordering::Relaxed);
        let side = if at.side == Side::First { "x" } else { "o" };
        match self.0 {
            Bug::SharedState => format!("{board} {side} {shared}"),
            Bug::ForgetsTheSide => format!("{board} x"),
            _ => format!("{board} {side}"),
        }
    }
    fn read_position(&self, text: &str) -> Result<At, TextError> {
        let error = || TextError::new(0, "eight fields and a side", text);
        let (board, side) = text.split_once(' ').ok_or_else(error)?;
        let mask = |c: char| board.bytes().enumerate().filter(move |&(_, b)| b == c as u8);
        let bits = |c: char| mask(c).fold(0u8, |m, (i, _)| m | 1u8.wrapping_shl(i as u32));
        let side = match side.get(..1) {
            Some("x") => Side::First,
            Some("o") => Side::Second,
            _ => return Err(error()),
        };
        let stones = [bits('x'), bits('o')];
        let whole = board.len() == 8
            && board.bytes().all(|b| b"xo.".contains(&b))
            && stones.iter().all(|s| s.count_ones() == 2);
        if !whole && self.0 != Bug::ReadsBrokenPositions {
            return Err(error());
        }
        Ok(Ring::make(stones, side))
    }
    fn picture(&self, at: &At) -> Picture {
        let cell = |f: u8| match Side::BOTH.into_iter().find(|s| at.stones[s.index()] >> f & 1 == 1)
        {
            Some(side) => Cell::disc(side),
            None => Cell::empty(),
        };
        Picture::grid(8, 1, (0..8).map(cell).collect(), true)
    }
    fn move_cells(&self, _: &At, (from, to): (u8, u8)) -> Vec<usize> {
        let beyond = if self.0 == Bug::CellOutside { 5 } else { 0 };
        vec![usize::from(from), usize::from(to) + beyond]
    }
    fn key(&self, at: &At) -> u64 {
        match self.0 {
            Bug::KeyOfThePath => at.path,
            Bug::ConstantKey => 42,
            _ => {
                let [a, b] = at.stones.map(u64::from);
                a | b << 8 | (at.side.index() as u64) << 16
            }
        }
    }
    fn repetition(&self) -> Repetition {
        if self.0 == Bug::Superko { Repetition::Forbidden } else { Repetition::Draw(4) }
    }
    fn repetition_key(&self, at: &At) -> u64 {
        if self.0 == Bug::NoRepetitionKey { 1 } else { self.key(at) }
    }
    fn reversible_plies(&self, _: &At) -> usize {
        if self.0 == Bug::TooFewReversible { 3 } else { usize::MAX }
    }
    fn perft(&self, at: &At, depth: u32) -> u64 {
        // One field too many once the tree is three plies deep.
        let extra = u64::from(self.0 == Bug::WrongPerft && depth == 3);
        plain_tree(self, at, depth) + extra
    }
}

impl Ring {
    /// A half turn of the ring, and a reflection.
    fn field(s: usize, f: u8) -> u8 {
        let f = if s & 1 == 1 { (f + 4) % 8 } else { f };
        if s & 2 == 2 { (8 - f) % 8 } else { f }
    }
}

impl Symmetric for Ring {
    fn symmetries(&self) -> usize {
        if self.0 == Bug::SameSymmetryTwice { 5 } else { 4 }
    }
    fn map_position(&self, s: usize, at: &At) -> At {
        let s = if self.0 == Bug::NoIdentity { (s + 1) % 4 } else { s };
        let map = |stones: u8| {
            (0..8).filter(|f| stones >> f & 1 == 1).fold(0, |m, f| m | 1 << Ring::field(s, f))
        };
        Ring::make(at.stones.map(map), at.side)
    }
    fn map_move(&self, s: usize, (from, to): (u8, u8)) -> (u8, u8) {
        if self.0 == Bug::WrongMoveMap {
            return (from, to);
        }
        (Ring::field(s, from), Ring::field(s, to))
    }
}

impl Retro for Ring {
    fn predecessors(&self, at: &At, out: &mut Vec<At>) {
        let mut back = At { side: at.side.other(), ..at.clone() };
        for (from, to) in Ring::steps(&back.clone()) {
            back.stones = at.stones;
            back.stones[back.side.index()] ^= (1 << from) | (1 << to);
            if self.outcome(&back).is_none() || self.0 == Bug::FalsePredecessor {
                out.push(back.clone());
            }
        }
        match self.0 {
            Bug::MissingPredecessor => drop(out.pop()),
            Bug::DoublePredecessor => out.extend(out.first().cloned()),
            _ => {}
        }
    }
}

fn findings(bug: Bug) -> Vec<(&'static str, Result<String, String>)> {
    let game = Ring(bug);
    let entry = GameEntry::new(game.clone()).symmetric(&game).retro(&game);
    entry.run_checks(1)
}

#[test]
fn a_sound_game_passes_every_check_and_tells_what_was_counted() {
    let found = findings(Bug::None);
    let names: Vec<&str> = found.iter().map(|(name, _)| *name).collect();
    let all = ["random play", "notation", "garbage", "keys", "perft", "repetition", "picture"];
    assert_eq!(names[..7], all);
    assert_eq!(names[7..], ["symmetry", "un-move"]);
    for (name, result) in found {
        let text = result.unwrap_or_else(|e| panic!("{name}: {e}"));
        assert!(text.chars().any(|c| c.is_ascii_digit()), "{name} counted nothing: {text}");
    }
}

#[test]
fn a_game_that_forbids_repetition_is_held_against_its_history() {
    let found = findings(Bug::Superko);
    // A side may have no move left but those that bring a position back: this toy has no pass.
    let (_, result) = found.iter().find(|(name, _)| *name == "repetition").unwrap();
    let text = result.as_ref().unwrap();
    assert!(text.starts_with("forbidden") && !text.contains("(0 moves"), "{text}");
    assert!(text.contains("; 0 repetitions"), "{text}");
    let (_, result) = found.iter().find(|(name, _)| *name == "random play").unwrap();
    assert!(result.as_ref().unwrap_err().contains("no move and no outcome"));
}

#[test]
fn the_same_seed_gives_the_same_report() {
    assert_eq!(findings(Bug::None), findings(Bug::None));
}

#[test]
fn each_check_finds_the_fault_planted_for_it() {
    for (bug, check, words) in [
        (Bug::MovesAfterTheEnd, "random play", "moves but goal"),
        (Bug::MoveTwice, "random play", "generated twice"),
        (Bug::UnstableOrder, "random play", "order of moves"),
        (Bug::ClearsTheList, "random play", "append"),
        (Bug::SharedState, "random play", "changes the original"),
        (Bug::Panics, "random play", "planted"),
        (Bug::ForgetsTheSide, "notation", "another position"),
        (Bug::SameTextTwice, "notation", "is read as another"),
        (Bug::ReadsIllegalMoves, "garbage", "illegal move"),
        (Bug::ReadsBrokenPositions, "garbage", "accepted, but written"),
        (Bug::KeyOfThePath, "keys", "different keys"),
        (Bug::ConstantKey, "keys", "one key"),
        (Bug::WrongPerft, "perft", "the tree has"),
        (Bug::TooFewReversible, "repetition", "reversible"),
        (Bug::NoRepetitionKey, "repetition", "different moves"),
        (Bug::CellOutside, "picture", "touches cell"),
        (Bug::NoIdentity, "symmetry", "not the identity"),
        (Bug::SameSymmetryTwice, "symmetry", "are the same"),
        (Bug::WrongMoveMap, "symmetry", "images of the moves"),
        (Bug::MissingPredecessor, "un-move", "cannot be taken back"),
        (Bug::FalsePredecessor, "un-move", "no move leads"),
        (Bug::DoublePredecessor, "un-move", "listed twice"),
    ] {
        let found = findings(bug);
        let (_, result) = found.iter().find(|(name, _)| *name == check).unwrap();
        let error = result.as_ref().expect_err(&format!("{bug:?} was not found"));
        assert!(error.contains(words), "{bug:?}: {error}");
    }
}

#[test]
fn large_numbers_are_grouped() {
    assert_eq!(
        [0u64, 999, 1000, 13_412, 1_349_657].map(thousands),
        ["0", "999", "1,000", "13,412", "1,349,657"]
    );
}
