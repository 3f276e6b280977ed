//! Nim: take matches from one heap; the last match wins (normal play) or loses (misère).
//!
//! `matches:n=16` is the game with one heap of which one or two may be taken and the last match
//! loses: with 4, 7, 10, 13, 16 … matches the second player wins. `nim:3-4-5` has several heaps and
//! takes any number.
//!
//! A move is the number taken, with the letter of the heap where there are several: `2`, `b3`. A
//! position is the heaps and the side to move: `3-4-5 first`.

use crate::learning::{solved, suited};
use crate::wiring::{bad_option, entry, find_move, words};
use std::sync::Arc;
use zug_book::Places;
use zug_core::indexed::Layout;
use zug_core::{
    Cell, Evaluator, Game, GameEntry, Guide, Indexed, Outcome, Owner, Picture, Retro, Side, Spec,
    TextError,
};
use zug_learn::td::{Board, SelfPlayOf};
use zug_solve::SolvableEntry;
use zug_solve::reserve_board;

const MOST_HEAPS: usize = 8;
const LARGEST_HEAP: u8 = 60;
/// Every combination of heaps is a part of the index; beyond this it is not offered.
const LARGEST_INDEX: u64 = 1 << 16;

/// The rules.
#[derive(Clone, Debug)]
pub struct Nim {
    heaps: Heaps,
    /// How many heaps there are.
    count: usize,
    /// The most that may be taken at once.
    take: u8,
    misere: bool,
}

type Heaps = [u8; MOST_HEAPS];

/// What is left, and who takes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    heaps: Heaps,
    side: Side,
}

/// So many from a heap.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    heap: u8,
    taken: u8,
}

impl Nim {
    /// Up to 8 heaps of 1 to 60 matches, of which 1 to `take` are taken at once.
    #[must_use]
    pub fn new(heaps: &[u8], take: u8, misere: bool) -> Option<Nim> {
        let sound = !heaps.is_empty()
            && heaps.len() <= MOST_HEAPS
            && heaps.iter().all(|heap| (1..=LARGEST_HEAP).contains(heap))
            && take > 0;
        if !sound {
            return None;
        }
        let mut all = [0; MOST_HEAPS];
        all[..heaps.len()].copy_from_slice(heaps);
        Some(Nim { heaps: all, count: heaps.len(), take: take.min(LARGEST_HEAP), misere })
    }

    pub(crate) fn open(spec: &Spec) -> Result<GameEntry, TextError> {
        let number = "a number from 1 to 60";
        let (heaps, misere, take) = if spec.name == "matches" {
            spec.only(&["n", "take"])?;
            (vec![spec.parsed("n", number)?.unwrap_or(16)], true, Some(2))
        } else {
            spec.only(&["", "take"])?;
            let (mut heaps, mut misere) = (vec![3, 4, 5], false);
            for word in words(spec) {
                if word == "misere" {
                    misere = true;
                } else {
                    heaps = read_heaps(word)
                        .ok_or_else(|| bad_option(spec, "heaps such as 3-4-5, or misere", word))?;
                }
            }
            (heaps, misere, None)
        };
        let take = spec.parsed("take", number)?.or(take).unwrap_or(LARGEST_HEAP);
        let game = Nim::new(&heaps, take, misere).ok_or_else(|| {
            let found = format!("{heaps:?}, take={take}");
            bad_option(spec, "1 to 8 heaps of 1 to 60 matches, take at least 1", &found)
        })?;
        let moves = game.heaps.iter().map(|&h| u32::from(h)).sum::<u32>() / 2 + 1;
        let entry =
            entry(&game, Theory, moves, game.learner()).with_extension(Places::plain(&game));
        Ok(if game.slots() <= LARGEST_INDEX { entry.solvable(&game) } else { entry.retro(&game) })
    }

    /// A table of all heaps together, or of every two.
    fn learner(&self) -> SelfPlayOf<Nim> {
        let count = self.count;
        let names = (0..count).map(|heap| format!("heap {}", heap + 1)).collect();
        let contents = usize::from(*self.heaps.iter().max().expect("there are heaps")) + 1;
        let read = move |_: &Nim, position: &Position, out: &mut [u8]| {
            out[..count].copy_from_slice(&position.heaps[..count]);
        };
        let board = Board::new(names, contents, Arc::new(read)).shared();
        let tuples = board.suitable();
        let learner = SelfPlayOf::new(self, vec![Arc::new(board.tuples("tuples", &tuples))]);
        let learner = suited(learner, 2, true);
        if self.slots() <= LARGEST_INDEX { learner.with_truth(solved()) } else { learner }
    }

    /// Combinations of heaps.
    fn slots(&self) -> u64 {
        self.heaps.iter().map(|&h| u64::from(h) + 1).product()
    }

    /// Does the side to move win against any defence?
    fn is_won(&self, heaps: &Heaps) -> bool {
        let worth = |&heap: &u8| match self.take {
            LARGEST_HEAP => heap,
            take => heap % (take + 1),
        };
        let sum = heaps.iter().map(worth).fold(0, |sum, worth| sum ^ worth);
        // Misère play only differs once no heap is worth more than one match.
        if self.misere && heaps.iter().all(|heap| worth(heap) <= 1) { sum == 0 } else { sum != 0 }
    }
}

fn read_heaps(text: &str) -> Option<Vec<u8>> {
    text.split('-').take(MOST_HEAPS + 1).map(|heap| heap.parse().ok()).collect()
}

impl Game for Nim {
    type Position = Position;
    type Move = Move;

    fn spec(&self) -> String {
        if self.count == 1 && self.misere && self.take < LARGEST_HEAP {
            let take = if self.take == 2 { String::new() } else { format!(",take={}", self.take) };
            return format!("matches:n={}{take}", self.heaps[0]);
        }
        let heaps: Vec<String> = self.heaps[..self.count].iter().map(u8::to_string).collect();
        let mut spec = format!("nim:{}", heaps.join("-"));
        if self.misere {
            spec.push_str(",misere");
        }
        if self.take < LARGEST_HEAP {
            spec.push_str(&format!(",take={}", self.take));
        }
        spec
    }

    fn title(&self) -> String {
        let heaps: Vec<String> = self.heaps[..self.count].iter().map(u8::to_string).collect();
        let last = if self.misere { "loses" } else { "wins" };
        format!("Nim {}, the last match {last}", heaps.join("-"))
    }

    fn start(&self) -> Position {
        Position { heaps: self.heaps, side: Side::First }
    }

    fn to_move(&self, position: &Position) -> Side {
        position.side
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        if position.heaps.iter().any(|&heap| heap > 0) {
            return None;
        }
        let last = position.side.other();
        Some(match self.misere {
            true => Outcome::win(last.other(), "the opponent took the last match"),
            false => Outcome::win(last, "took the last match"),
        })
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        for (heap, &left) in position.heaps.iter().enumerate() {
            let heap = heap as u8;
            out.extend((1..=left.min(self.take)).map(|taken| Move { heap, taken }));
        }
    }

    fn play(&self, position: &mut Position, mv: Move) {
        if let Some(heap) = position.heaps.get_mut(usize::from(mv.heap)) {
            *heap = heap.saturating_sub(mv.taken);
        }
        position.side = position.side.other();
    }

    fn write_move(&self, _: &Position, mv: Move) -> String {
        if self.count == 1 {
            return mv.taken.to_string();
        }
        format!("{}{}", char::from(b'a' + mv.heap), mv.taken)
    }

    fn read_move(&self, position: &Position, text: &str) -> Result<Move, TextError> {
        // Hyphens are ignored in other games' moves; here one would be a minus.
        if text.contains('-') {
            let expected = "a number of matches to take";
            return Err(TextError::new(0, expected, format!("'{text}'")));
        }
        find_move(self, position, text)
    }

    fn write_position(&self, position: &Position) -> String {
        let heaps: Vec<String> = position.heaps[..self.count].iter().map(u8::to_string).collect();
        format!("{} {}", heaps.join("-"), position.side)
    }

    fn read_position(&self, text: &str) -> Result<Position, TextError> {
        let (heaps, side) = text.trim().split_once(' ').unwrap_or((text.trim(), ""));
        let expected = || format!("{} heaps such as {:?}", self.count, &self.heaps[..self.count]);
        let found = read_heaps(heaps)
            .filter(|found| found.len() == self.count)
            .ok_or_else(|| TextError::new(0, expected(), format!("'{heaps}'")))?;
        if let Some(i) = (0..self.count).find(|&i| found[i] > self.heaps[i]) {
            let most = format!("at most {} in heap {}", self.heaps[i], i + 1);
            return Err(TextError::new(0, most, found[i].to_string()));
        }
        let side = match side.trim() {
            "first" => Side::First,
            "second" => Side::Second,
            other => {
                let expected = "first or second as the side to move";
                return Err(TextError::new(heaps.len() + 1, expected, format!("'{other}'")));
            }
        };
        let mut all = [0; MOST_HEAPS];
        all[..found.len()].copy_from_slice(&found);
        Ok(Position { heaps: all, side })
    }

    fn picture(&self, position: &Position) -> Picture {
        let width = usize::from(*self.heaps.iter().max().expect("there are heaps"));
        let cell = |left: bool| match left {
            true => Cell { owner: Owner::Empty, glyph: '│', letter: '|' },
            false => Cell { owner: Owner::Outside, glyph: ' ', letter: ' ' },
        };
        let cells = position.heaps[..self.count]
            .iter()
            .flat_map(|&heap| (0..width).map(move |i| cell(i < usize::from(heap))))
            .collect();
        let mut picture = Picture::grid(width, self.count, cells, true);
        picture.column_labels.clear();
        picture.row_labels =
            (0..self.count).map(|i| char::from(b'a' + i as u8).to_string()).collect();
        picture
    }

    fn move_cells(&self, position: &Position, mv: Move) -> Vec<usize> {
        let width = usize::from(*self.heaps.iter().max().expect("there are heaps"));
        let heap = usize::from(mv.heap);
        let left = usize::from(position.heaps[heap]);
        (left.saturating_sub(usize::from(mv.taken))..left).map(|i| heap * width + i).collect()
    }

    fn side_name(&self, side: Side) -> &'static str {
        ["first", "second"][side.index()]
    }

    /// Matches never come back.
    fn reversible_plies(&self, _: &Position) -> usize {
        0
    }
}

impl Indexed for Nim {
    fn layout(&self) -> Layout {
        let names = ["a", "b", "c", "d", "e", "f", "g", "h"];
        let heaps = self.heaps[..self.count].iter().zip(names);
        let take = u32::from(self.take);
        heaps
            .fold(Layout::new(0), |layout, (&heap, name)| {
                layout.reserve(name, None, 0..=u32::from(heap))
            })
            .mirror(|_| Some(Vec::new()))
            .stages(|counts| {
                let left = counts.iter().sum();
                (left, format!("{left:03}-left"))
            })
            .feeds(move |from, to| {
                let mut changed = from.iter().zip(to).filter(|(a, b)| a != b);
                let taken = changed.next().map_or(0, |(a, b)| a.saturating_sub(*b));
                (1..=take).contains(&taken) && changed.next().is_none()
            })
    }

    fn boards(&self, position: &Position, boards: &mut [u64]) {
        for (board, &heap) in boards.iter_mut().zip(&position.heaps) {
            *board = reserve_board(u32::from(heap));
        }
    }

    fn position_of(&self, boards: &[u64], side: Side) -> Option<Position> {
        let mut heaps = [0; MOST_HEAPS];
        for (heap, board) in heaps.iter_mut().zip(boards) {
            *heap = board.count_ones() as u8;
        }
        Some(Position { heaps, side })
    }
}

impl Retro for Nim {
    fn predecessors(&self, position: &Position, out: &mut Vec<Position>) {
        for heap in 0..self.count {
            let room = self.heaps[heap].saturating_sub(position.heaps[heap]).min(self.take);
            for more in 1..=room {
                let mut before = Position { side: position.side.other(), ..position.clone() };
                before.heaps[heap] += more;
                out.push(before);
            }
        }
    }
}

/// The theory of Nim: heaps modulo what can be taken, added without carrying.
pub struct Theory;

impl Evaluator<Nim> for Theory {
    fn evaluate(&self, game: &Nim, position: &Position) -> i32 {
        if game.is_won(&position.heaps) { 100 } else { -100 }
    }
}

impl Guide<Nim> for Theory {
    fn promise(&self, game: &Nim, position: &Position, mv: Move) -> i32 {
        let mut next = position.clone();
        game.play(&mut next, mv);
        i32::from(!game.is_won(&next.heaps))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashMap;

    /// Whether the side to move wins, by looking at everything.
    fn wins(game: &Nim, at: &Position, known: &mut HashMap<Position, bool>) -> bool {
        if let Some(&value) = known.get(at) {
            return value;
        }
        let value = match game.outcome(at) {
            Some(outcome) => outcome.winner == Some(at.side),
            None => {
                let mut moves = Vec::new();
                game.moves(at, &mut moves);
                moves.into_iter().any(|mv| {
                    let mut next = at.clone();
                    game.play(&mut next, mv);
                    !wins(game, &next, known)
                })
            }
        };
        known.insert(at.clone(), value);
        value
    }

    #[test]
    fn the_theory_agrees_with_looking_at_everything() {
        for heaps in [vec![16], vec![3, 4, 5], vec![1, 1, 2], vec![7, 6], vec![2, 2, 2, 3]] {
            for take in [1, 2, 3, LARGEST_HEAP] {
                for misere in [false, true] {
                    let game = Nim::new(&heaps, take, misere).unwrap();
                    let mut known = HashMap::new();
                    wins(&game, &game.start(), &mut known);
                    for (position, won) in known {
                        assert_eq!(
                            game.is_won(&position.heaps),
                            won,
                            "{} at {}",
                            game.spec(),
                            game.write_position(&position)
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn impossible_heaps_are_refused() {
        for spec in
            ["nim:0", "nim:61", "nim:1-2-3-4-5-6-7-8-9", "nim:a", "matches:n=0", "nim:take=0"]
        {
            assert!(Nim::open(&Spec::parse(spec).unwrap()).is_err(), "{spec}");
        }
        let game = Nim::new(&[3, 4], 2, false).unwrap();
        for text in ["3-5 first", "3 first", "3-4", "3-4 third", "3-4-5 first", ""] {
            assert!(game.read_position(text).is_err(), "{text}");
        }
    }
}
