//! Does every value of a database follow from the values of its successors?
//!
//! If it does, all are right: a win or loss rests on successors that are nearer to the end, and a
//! position called a draw that were truly won would have a successor that is truly lost, nearer to
//! the end and therefore rightly named. So a pass over all slots, forwards only and without the
//! solver's tricks, proves a database with distances. One of outcomes alone can only be shown not
//! to contradict itself: its wins could promise each other the win in turn.

use crate::cells::{Cells, Content};
use crate::sweep::sweep;
use crate::value::{Code, Value};
use std::ops::Range;
use zug_core::{Progress, StopFlag};

/// Wrong slots that are named.
pub const MOST_NAMED: usize = 10;

/// What the values of a database mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Meaning {
    /// Plies to the end of the game.
    Mate,
    /// Plies until the game ends or leaves the stage.
    Conversion,
    /// Won, drawn or lost; distances say nothing.
    Outcome,
}

/// A slot that does not hold what it should.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fault {
    /// Which.
    pub slot: u64,
    /// What it holds.
    pub found: Code,
    /// What follows from its successors and the rules.
    pub expected: Code,
}

/// What a check found.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Findings {
    /// Slots looked at.
    pub checked: u64,
    /// Slots that are wrong.
    pub wrong: u64,
    /// The first of them.
    pub first: Vec<Fault>,
}

impl Findings {
    /// Adds what was found elsewhere.
    pub fn merge(&mut self, other: Findings) {
        self.checked += other.checked;
        self.wrong += other.wrong;
        self.first.extend(other.first);
        self.first.sort_by_key(|fault| fault.slot);
        self.first.truncate(MOST_NAMED);
    }
}

/// What a position is worth by the moves that it has.
fn follows(
    meaning: Meaning,
    stage: &Range<u64>,
    successors: &[u64],
    values: &[Option<Value>],
) -> Option<Value> {
    let worth = |(slot, value): (&u64, &Option<Value>)| {
        let value = match ((*value)?, meaning) {
            (Value::Win(_), Meaning::Conversion) if !stage.contains(slot) => Value::Win(0),
            (Value::Loss(_), Meaning::Conversion) if !stage.contains(slot) => Value::Loss(0),
            (value, _) => value,
        };
        Some(value.for_mover())
    };
    let worths: Option<Vec<Value>> = successors.iter().zip(values).map(worth).collect();
    worths?.into_iter().max()
}

fn same(meaning: Meaning, a: Code, b: Code) -> bool {
    let kind = |code: Code| code.value().map(|value| value.cmp(&Value::Draw));
    match meaning {
        Meaning::Outcome => kind(a) == kind(b),
        _ => a == b,
    }
}

/// Checks the slots of a stage against the rules and their successors, whose codes `code` gives.
pub fn check_stage<C: Cells, E: Send>(
    cells: &C,
    stage: &Range<u64>,
    meaning: Meaning,
    threads: usize,
    progress: &dyn Progress,
    stop: &StopFlag,
    code: impl Fn(u64) -> Result<Code, E> + Sync,
) -> Result<Findings, E> {
    struct State<S> {
        scratch: S,
        contents: Vec<(u64, Content)>,
        successors: Vec<u64>,
        values: Vec<Option<Value>>,
        found: Findings,
    }
    let state = || State {
        scratch: cells.scratch(),
        contents: Vec::new(),
        successors: Vec::new(),
        values: Vec::new(),
        found: Findings::default(),
    };
    let work = |s: &mut State<C::Scratch>, piece: Range<u64>| {
        s.contents.clear();
        let contents = &mut s.contents;
        cells.survey(piece, &mut s.scratch, &mut |slot, content| contents.push((slot, content)));
        for &(slot, content) in &s.contents {
            s.found.checked += 1;
            let expected = match content {
                // Nobody asks such a slot, and a file may hold anything there.
                Content::Illegal | Content::Duplicate => continue,
                Content::Ended(value) => value.into(),
                Content::Open => {
                    s.successors.clear();
                    cells.successors(slot, &mut s.scratch, &mut s.successors);
                    s.values.clear();
                    for &next in &s.successors {
                        s.values.push(code(next)?.value());
                    }
                    // A successor without a value is a fault of its own slot too.
                    follows(meaning, stage, &s.successors, &s.values)
                        .map_or(Code::ILLEGAL, Code::from)
                }
            };
            let found = code(slot)?;
            if !same(meaning, found, expected) {
                s.found.wrong += 1;
                // A thread meets its slots in ascending order, so the first ones are the lowest.
                if s.found.first.len() < MOST_NAMED {
                    s.found.first.push(Fault { slot, found, expected });
                }
            }
        }
        Ok(())
    };
    let mut all = Findings::default();
    for state in sweep(stage.clone(), threads, progress, stop, state, work)? {
        all.merge(state.found);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::Silent;

    /// A path 5 → 4 → … → 0 whose last cell is lost; cell 6 is illegal, and 5 can also go to a
    /// drawn end 7.
    struct Path;

    impl Cells for Path {
        type Scratch = ();
        fn scratch(&self) {}
        fn size(&self) -> u64 {
            8
        }
        fn content(&self, cell: u64, (): &mut ()) -> Content {
            match cell {
                0 => Content::Ended(Value::Loss(0)),
                6 => Content::Illegal,
                7 => Content::Ended(Value::Draw),
                _ => Content::Open,
            }
        }
        fn successors(&self, cell: u64, (): &mut (), out: &mut Vec<u64>) {
            out.push(cell - 1);
            if cell == 5 {
                out.push(7);
            }
        }
        fn predecessors(&self, _: u64, _: &Range<u64>, (): &mut (), _: &mut Vec<u64>) {}
    }

    fn right() -> Vec<Code> {
        let values = [Value::Loss(0), Value::Win(1), Value::Loss(2), Value::Win(3), Value::Loss(4)];
        let mut codes: Vec<Code> = values.into_iter().map(Code::from).collect();
        codes.extend([Code::from(Value::Win(5)), Code::ILLEGAL, Code::DRAW]);
        codes
    }

    fn check(codes: &[Code], meaning: Meaning, stage: Range<u64>) -> Findings {
        let code = |slot: u64| Ok::<Code, ()>(codes[slot as usize]);
        check_stage(&Path, &stage, meaning, 2, &Silent, &StopFlag::new(), code).unwrap()
    }

    #[test]
    fn right_values_pass_and_every_change_is_found() {
        let clean = Findings { checked: 8, ..Findings::default() };
        assert_eq!(check(&right(), Meaning::Mate, 0..8), clean);
        for slot in (0..8u64).filter(|&slot| slot != 6) {
            for other in 0..16 {
                let mut codes = right();
                if codes[slot as usize] == Code(other) {
                    continue;
                }
                codes[slot as usize] = Code(other);
                let found = check(&codes, Meaning::Mate, 0..8);
                assert!(found.wrong > 0, "slot {slot} as {other} goes unnoticed");
                assert!(found.first.len() as u64 == found.wrong);
            }
        }
    }

    #[test]
    fn conversion_counts_to_the_end_of_the_stage_and_outcomes_do_not_count() {
        let mut codes = right();
        codes[3] = Value::Win(1).into();
        codes[4] = Value::Loss(2).into();
        codes[5] = Value::Win(3).into();
        assert_eq!(check(&codes, Meaning::Conversion, 3..8).wrong, 0);
        assert_eq!(check(&right(), Meaning::Conversion, 3..8).wrong, 1);
        assert_eq!(check(&codes, Meaning::Outcome, 0..8).wrong, 0);
        codes[2] = Code::DRAW;
        assert_eq!(check(&codes, Meaning::Outcome, 0..8).first[0].slot, 2);
    }
}
