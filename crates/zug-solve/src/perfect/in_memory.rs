//! A solved game in memory: for small games, and for tables that are asked often.

use super::lookup::{Values, ended};
use crate::index::{Index, Slot};
use crate::space::{IndexError, Options};
use crate::value::{Code, Value};
use zug_core::{Indexed, PlayerError, Retro, StopFlag};

/// One code for each slot of an index.
#[derive(Debug)]
pub struct InMemory<G: Indexed> {
    index: Index<G>,
    codes: Vec<Code>,
}

impl<G: Indexed> InMemory<G> {
    /// These codes, one for each slot in order; `None` if there are too few or too many.
    #[must_use]
    pub fn new(index: Index<G>, codes: Vec<Code>) -> Option<InMemory<G>> {
        (codes.len() as u64 == index.size()).then_some(InMemory { index, codes })
    }
}

/// Slots between two looks at the wish to stop.
const LOOK_EVERY: usize = 1 << 12;

impl<G: Indexed + Retro> InMemory<G> {
    /// Solves a game on one thread by the plainest retrograde analysis with counters: positions
    /// whose value is known tell their predecessors, in the order of their distance.
    pub fn solve(game: &G) -> Result<InMemory<G>, IndexError> {
        let solved = InMemory::solve_until(game, &StopFlag::new())?;
        Ok(solved.expect("nobody asks it to stop"))
    }

    /// The same; `None` when asked to stop.
    pub fn solve_until(game: &G, stop: &StopFlag) -> Result<Option<InMemory<G>>, IndexError> {
        let index = Index::new(game, Options::default())?;
        let size = index.size() as usize;
        let mut codes = vec![Code::DRAW; size];
        let mut unresolved = vec![0u16; size];
        let mut wave = Vec::new();
        let (mut moves, mut slots) = (Vec::new(), Vec::new());
        for slot in 0..size {
            if slot.is_multiple_of(LOOK_EVERY) && stop.is_set() {
                return Ok(None);
            }
            let position = match index.slot(slot as u64) {
                Slot::Position(position) => position,
                Slot::Duplicate(_) => {
                    codes[slot] = Code::DUPLICATE;
                    continue;
                }
                Slot::Illegal => {
                    codes[slot] = Code::ILLEGAL;
                    continue;
                }
            };
            if let Some(value) = ended(game, &position) {
                codes[slot] = value.into();
                if value != Value::Draw {
                    wave.push(slot);
                }
                continue;
            }
            moves.clear();
            slots.clear();
            game.moves(&position, &mut moves);
            for &mv in &moves {
                let mut next = position.clone();
                game.play(&mut next, mv);
                slots.extend(index.index_of(&next));
            }
            slots.sort_unstable();
            slots.dedup();
            unresolved[slot] = slots.len() as u16;
        }
        let mut before = Vec::new();
        while !wave.is_empty() {
            let mut next = Vec::new();
            for (number, slot) in wave.into_iter().enumerate() {
                if number.is_multiple_of(LOOK_EVERY) && stop.is_set() {
                    return Ok(None);
                }
                let Some(value) = codes[slot].value() else { continue };
                before.clear();
                slots.clear();
                let Some(position) = index.position(slot as u64) else { continue };
                game.predecessors(&position, &mut before);
                let open = before.iter().filter(|p| game.outcome(p).is_none());
                slots.extend(open.filter_map(|p| index.index_of(p)));
                slots.sort_unstable();
                slots.dedup();
                for earlier in slots.iter().map(|&s| s as usize) {
                    if codes[earlier] != Code::DRAW {
                        continue;
                    }
                    unresolved[earlier] -= 1;
                    if matches!(value, Value::Loss(_)) || unresolved[earlier] == 0 {
                        codes[earlier] = value.for_mover().into();
                        next.push(earlier);
                    }
                }
            }
            wave = next;
        }
        Ok(Some(InMemory { index, codes }))
    }
}

impl<G: Indexed> Values<G> for InMemory<G> {
    fn index(&self) -> &Index<G> {
        &self.index
    }

    fn code(&self, slot: u64) -> Result<Code, PlayerError> {
        let outside = || PlayerError::Unsupported(format!("there is no slot {slot}"));
        self.codes.get(slot as usize).copied().ok_or_else(outside)
    }
}
