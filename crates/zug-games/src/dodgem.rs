//! Dodgem: two squads of cars want to leave the board on opposite sides of a corner.
//!
//! On an n×n board each side has n−1 cars. White starts on the left column and drives right, up or
//! down; black starts on the bottom row and drives up, left or right. The corner between them stays
//! empty. A car leaves the board over the far edge; the first side without cars wins. There are no
//! captures, and nobody drives backwards.
//!
//! ```text
//! 4  W . . .
//! 3  W . . .      white leaves to the right,
//! 2  W . . .      black at the top
//! 1  . B B B
//!    a b c d
//! ```
//!
//! A side that cannot move passes (`blocked=pass`, the rule of Bahnsen's thesis) or wins
//! (`blocked=wins`, the older rule, which makes blocking the opponent a mistake). Play can go round
//! in circles; a position that comes back a third time is a draw unless `repetition=allowed`.

use crate::grid::{Grid, bits};
use crate::learning::{solved, suited};
use crate::wiring::{bad_option, entry, find_move, repetition, size, switch, words};
use std::sync::Arc;
use zug_book::Places;
use zug_core::indexed::{Layout, maps};
use zug_core::{
    Evaluator, Game, GameEntry, Guide, Indexed, Outcome, Picture, Repetition, Retro, Side, Spec,
    TextError,
};
use zug_learn::td::{Board, SelfPlayOf};
use zug_solve::SolvableEntry;

const LETTERS: [char; 2] = ['W', 'B'];

/// The rules.
#[derive(Clone, Debug)]
pub struct Dodgem {
    size: usize,
    blocked_wins: bool,
    repetition: Repetition,
    /// The columns at the edges.
    left: u64,
    right: u64,
}

/// Where the cars are, and who drives.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    cars: [u64; 2],
    side: Side,
}

/// A car drives.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Move {
    /// From a field to the next.
    Drive(u8, u8),
    /// Off the board.
    Leave(u8),
    /// No car can drive.
    Pass,
}

impl Dodgem {
    /// The thesis' game on a board of this size, 3 to 8.
    #[must_use]
    pub fn new(size: usize) -> Option<Dodgem> {
        if !(3..=8).contains(&size) {
            return None;
        }
        let left = (0..size).fold(0, |fields, row| fields | 1 << (row * size));
        let (right, repetition) = (left << (size - 1), Repetition::Draw(3));
        Some(Dodgem { size, blocked_wins: false, repetition, left, right })
    }

    /// The same game with the older rule: a side that is blocked wins.
    #[must_use]
    pub fn blocked_wins(mut self) -> Dodgem {
        self.blocked_wins = true;
        self
    }

    pub(crate) fn open(spec: &Spec) -> Result<GameEntry, TextError> {
        spec.only(&["", "blocked", "repetition"])?;
        let mut game = Dodgem::new(4).expect("4 is a size");
        for word in words(spec) {
            let side = size(word).filter(|(w, h)| w == h).map(|(w, _)| w);
            game = side
                .and_then(Dodgem::new)
                .ok_or_else(|| bad_option(spec, "a square board from 3x3 to 8x8", word))?;
        }
        game.blocked_wins = switch(spec, "blocked", ["pass", "wins"])?;
        game.repetition = repetition(spec)?;
        let guide = Distance;
        Ok(entry(&game, guide, 30, game.learner())
            .with_extension(Places::plain(&game))
            .solvable(&game))
    }

    /// Tables over groups of fields, turned so that the side to move always drives right.
    fn learner(&self) -> SelfPlayOf<Dodgem> {
        let n = self.size;
        let read = move |_: &Dodgem, position: &Position, out: &mut [u8]| {
            let own = position.side.index();
            let (mine, theirs) = (position.cars[own], position.cars[1 - own]);
            for (field, content) in out[..n * n].iter_mut().enumerate() {
                *content = (mine >> field & 1 | (theirs >> field & 1) << 1) as u8;
            }
        };
        let turn = maps::rising_diagonal(n).into_iter().map(u16::from).collect();
        let board = Board::pictured(self).reading(3, Arc::new(read)).turned(turn);
        let tuples = if n == 3 { board.suitable() } else { board.walks(n * n * 3 / 2, 10) };
        let learner = SelfPlayOf::new(self, vec![Arc::new(board.tuples("tuples", &tuples))]);
        suited(learner, if n == 3 { 10 } else { 30 }, n == 3).with_truth(solved())
    }

    fn grid(&self) -> Grid {
        Grid { width: self.size, height: self.size }
    }

    /// All cars one step on: forward, then the two sideways steps. Cars that would leave the board
    /// are lost.
    fn step(&self, side: Side, direction: usize, cars: u64) -> u64 {
        let n = self.size;
        match (side, direction) {
            (Side::First, 0) | (Side::Second, 2) => cars << 1 & !self.left & self.grid().all(),
            (Side::First, 1) | (Side::Second, 0) => cars >> n,
            (Side::First, _) => cars << n & self.grid().all(),
            (Side::Second, _) => (cars & !self.left) >> 1,
        }
    }

    /// All cars one step back: undoes [`step`](Dodgem::step).
    fn step_back(&self, side: Side, direction: usize, cars: u64) -> u64 {
        let n = self.size;
        match (side, direction) {
            (Side::First, 0) | (Side::Second, 2) => (cars & !self.left) >> 1,
            (Side::First, 1) | (Side::Second, 0) => cars << n & self.grid().all(),
            (Side::First, _) => cars >> n,
            (Side::Second, _) => cars << 1 & !self.left & self.grid().all(),
        }
    }

    /// The fields from which a car can leave the board.
    fn exits(&self, side: Side) -> u64 {
        match side {
            Side::First => self.right,
            Side::Second => (1 << self.size) - 1,
        }
    }

    /// Where a step forward leads from a field.
    fn ahead(&self, side: Side, field: usize) -> Option<usize> {
        let to = self.step(side, 0, 1 << field);
        (to != 0).then(|| to.trailing_zeros() as usize)
    }

    /// The cars that can take a step in a direction; leaving the board is a step forward.
    fn movable(&self, position: &Position, direction: usize) -> u64 {
        let side = position.side;
        let free = self.grid().all() & !(position.cars[0] | position.cars[1]);
        let can_drive = self.step_back(side, direction, free);
        let can_leave = if direction == 0 { self.exits(side) } else { 0 };
        position.cars[side.index()] & (can_drive | can_leave)
    }

    fn is_blocked(&self, position: &Position) -> bool {
        (0..3).all(|direction| self.movable(position, direction) == 0)
    }
}

impl Game for Dodgem {
    type Position = Position;
    type Move = Move;

    fn spec(&self) -> String {
        let mut spec = format!("dodgem:{0}x{0}", self.size);
        if self.blocked_wins {
            spec.push_str(",blocked=wins");
        }
        if self.repetition == Repetition::Allowed {
            spec.push_str(",repetition=allowed");
        }
        spec
    }

    fn title(&self) -> String {
        format!("Dodgem {0}×{0}", self.size)
    }

    fn start(&self) -> Position {
        let n = self.size;
        let white = (0..n - 1).fold(0, |cars, row| cars | 1 << (row * n));
        let black = (1..n).fold(0, |cars, column| cars | 1 << ((n - 1) * n + column));
        Position { cars: [white, black], side: Side::First }
    }

    fn to_move(&self, position: &Position) -> Side {
        position.side
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        let [own, other] = [position.side, position.side.other()];
        if position.cars[own.index()] == 0 {
            // No game comes here: it has ended before. The thesis has such slots in its index and
            // counts them as drawn.
            return Some(Outcome::draw("the side to move has no car"));
        }
        if position.cars[other.index()] == 0 {
            return Some(Outcome::win(other, "all cars have left"));
        }
        let blocked = self.blocked_wins && self.is_blocked(position);
        blocked.then_some(Outcome::win(position.side, "all cars are blocked"))
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        if position.cars.contains(&0) {
            return;
        }
        let (before, side) = (out.len(), position.side);
        for direction in 0..3 {
            for field in bits(self.movable(position, direction)) {
                let to = self.step(side, direction, 1 << field);
                out.push(match to {
                    0 => Move::Leave(field as u8),
                    _ => Move::Drive(field as u8, to.trailing_zeros() as u8),
                });
            }
        }
        if out.len() == before && !self.blocked_wins {
            out.push(Move::Pass);
        }
    }

    fn play(&self, position: &mut Position, mv: Move) {
        let cars = &mut position.cars[position.side.index()];
        match mv {
            Move::Drive(from, to) => *cars = *cars & !(1 << (from & 63)) | 1 << (to & 63),
            Move::Leave(from) => *cars &= !(1 << (from & 63)),
            Move::Pass => {}
        }
        position.side = position.side.other();
    }

    fn write_move(&self, _: &Position, mv: Move) -> String {
        let name = |field: u8| self.grid().name(usize::from(field));
        match mv {
            Move::Drive(from, to) => format!("{}-{}", name(from), name(to)),
            Move::Leave(from) => format!("{}-off", name(from)),
            Move::Pass => "pass".to_string(),
        }
    }

    fn read_move(&self, position: &Position, text: &str) -> Result<Move, TextError> {
        find_move(self, position, text)
    }

    fn write_position(&self, position: &Position) -> String {
        self.grid().write(position.cars, position.side, LETTERS)
    }

    fn read_position(&self, text: &str) -> Result<Position, TextError> {
        let (cars, side) = self.grid().read(text, LETTERS)?;
        let position = Position { cars, side };
        for side in Side::BOTH {
            let count = cars[side.index()].count_ones() as usize;
            if count >= self.size {
                let expected = format!("at most {} {} cars", self.size - 1, self.side_name(side));
                return Err(TextError::new(0, expected, count.to_string()));
            }
        }
        if cars == [0; 2] {
            return Err(TextError::new(0, "a car", format!("'{text}'")));
        }
        Ok(position)
    }

    fn picture(&self, position: &Position) -> Picture {
        let mut picture = self.grid().picture(position.cars, ['▶', '▲'], LETTERS);
        picture.notes.push("white ▶ leaves to the right, black ▲ at the top".to_string());
        picture
    }

    fn move_cells(&self, _: &Position, mv: Move) -> Vec<usize> {
        match mv {
            Move::Drive(from, to) => vec![usize::from(from), usize::from(to)],
            Move::Leave(from) => vec![usize::from(from)],
            Move::Pass => Vec::new(),
        }
    }

    fn repetition(&self) -> Repetition {
        self.repetition
    }
}

impl Indexed for Dodgem {
    fn layout(&self) -> Layout {
        let n = self.size;
        Layout::new((n * n) as u32)
            .piece("car", Side::First, 0..=n as u32 - 1)
            .piece("car", Side::Second, 0..=n as u32 - 1)
            .admit(|counts, _| counts[0] + counts[1] > 0)
            .unreached(
                "the side to move has no car left, and a game ends before that. By the rules that \
                 side has won; they are counted as draws because the thesis numbers them, gives them \
                 no value, and so has them among its draws",
                |counts, side| counts[side.index()] == 0,
            )
            .mirror(move |_| Some(maps::rising_diagonal(n)))
            // Cars leave and never come back. Which colour has how many does not matter: the
            // colour swap makes one of both.
            .stages(|counts| {
                let [few, many] = sorted(counts);
                (few + many, format!("{many}-{few}"))
            })
            .feeds(|from, to| {
                let one_less = |[a, b]: [u32; 2]| sorted(&[a, b]) == sorted(to);
                let (a, b) = (from[0], from[1]);
                a > 0 && one_less([a - 1, b]) || b > 0 && one_less([a, b - 1])
            })
    }

    fn boards(&self, position: &Position, boards: &mut [u64]) {
        boards.copy_from_slice(&position.cars);
    }

    fn position_of(&self, boards: &[u64], side: Side) -> Option<Position> {
        Some(Position { cars: [boards[0], boards[1]], side })
    }
}

fn sorted(counts: &[u32]) -> [u32; 2] {
    [counts[0].min(counts[1]), counts[0].max(counts[1])]
}

impl Retro for Dodgem {
    fn predecessors(&self, position: &Position, out: &mut Vec<Position>) {
        let driver = position.side.other();
        let (own, other) = (position.cars[driver.index()], position.cars[position.side.index()]);
        if other == 0 {
            return;
        }
        let n = self.size;
        let before = |cars: u64| {
            let mut before = Position { cars: position.cars, side: driver };
            before.cars[driver.index()] = cars;
            before
        };
        let free = self.grid().all() & !(own | other);
        for direction in 0..3 {
            for from in bits(self.step_back(driver, direction, own) & free) {
                let to = self.step(driver, direction, 1 << from);
                out.push(before(own & !to | 1 << from));
            }
        }
        if (own.count_ones() as usize) < n - 1 {
            out.extend(bits(free & self.exits(driver)).map(|from| before(own | 1 << from)));
        }
        let same = before(own);
        if own != 0 && !self.blocked_wins && self.is_blocked(&same) {
            out.push(same);
        }
    }
}

/// Steps that the opponent still has to drive, less one's own; cars that cannot go forward count as
/// half a step more.
pub struct Distance;

impl Evaluator<Dodgem> for Distance {
    fn evaluate(&self, game: &Dodgem, position: &Position) -> i32 {
        let n = game.size;
        let taken = position.cars[0] | position.cars[1];
        let to_go = |side: Side| -> i32 {
            bits(position.cars[side.index()])
                .map(|field| {
                    let way = if side == Side::First { n - field % n } else { field / n + 1 };
                    let ahead = game.ahead(side, field);
                    let stuck = ahead.is_some_and(|to| taken >> to & 1 == 1);
                    100 * way as i32 + if stuck { 50 } else { 0 }
                })
                .sum()
        };
        // Having the move is worth half a step.
        to_go(position.side.other()) - to_go(position.side) + 50
    }
}

impl Guide<Dodgem> for Distance {
    fn promise(&self, _: &Dodgem, _: &Position, mv: Move) -> i32 {
        match mv {
            Move::Leave(_) => 2,
            Move::Drive(from, to) if from.abs_diff(to) == 1 => 1,
            _ => 0,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn game(spec: &str) -> GameEntry {
        Dodgem::open(&Spec::parse(spec).unwrap()).unwrap()
    }

    #[test]
    fn the_start_is_that_of_the_thesis() {
        let dodgem = Dodgem::new(4).unwrap();
        let start = dodgem.start();
        assert_eq!(start.cars, [1 | 1 << 4 | 1 << 8, 1 << 13 | 1 << 14 | 1 << 15]);
        assert_eq!(dodgem.write_position(&start), "W3/W3/W3/1BBB w");
        let line = game("dodgem").game.new_line();
        assert_eq!(line.legal_moves(), ["a4-b4", "a3-b3", "a2-b2", "a2-a1"]);
    }

    #[test]
    fn cars_leave_over_their_own_edge_only_and_the_last_one_wins() {
        let entry = game("dodgem:3x3");
        let mut line = entry.game.line_from("2W/3/1B1 w").unwrap();
        assert_eq!(line.legal_moves(), ["c3-off", "c3-c2"]);
        line.play("C3OFF").unwrap();
        assert_eq!(line.outcome().unwrap().winner, Some(Side::First));
        let line = entry.game.line_from("B2/3/W2 b").unwrap();
        assert_eq!(line.legal_moves(), ["a3-off", "a3-b3"]);
    }

    #[test]
    fn a_blocked_side_passes_or_wins() {
        let corner = game("dodgem:4x4").game.line_from("3W/3B/4/4 w").unwrap();
        assert_eq!(corner.legal_moves(), ["d4-off"], "leaving is a move");
        // Black ahead of the white car and below it.
        let mut line = game("dodgem:4x4").game.line_from("2WB/2B1/4/4 w").unwrap();
        assert_eq!(line.legal_moves(), ["pass"]);
        line.play("pass").unwrap();
        assert_eq!(line.to_move(), Side::Second);
        let line = game("dodgem:4x4,blocked=wins").game.line_from("2WB/2B1/4/4 w").unwrap();
        assert_eq!(line.outcome().unwrap().winner, Some(Side::First));
    }

    #[test]
    fn a_side_without_cars_is_never_to_move_but_if_it_is_the_game_is_drawn() {
        let dodgem = Dodgem::new(3).unwrap();
        for text in ["3/3/1B1 w", "W2/3/3 b"] {
            let position = dodgem.read_position(text).unwrap();
            assert_eq!(dodgem.write_position(&position), text);
            assert_eq!(dodgem.outcome(&position).unwrap().winner, None);
            let mut before = Vec::new();
            dodgem.predecessors(&position, &mut before);
            assert_eq!(before, []);
        }
    }

    #[test]
    fn going_in_circles_is_a_draw_unless_it_is_allowed() {
        let circle = ["a1-a2", "d1-c1", "a2-a1", "c1-d1"];
        for (spec, drawn) in [("dodgem", true), ("dodgem:repetition=allowed", false)] {
            let mut line = game(spec).game.line_from("4/4/4/W2B w").unwrap();
            for mv in circle.iter().cycle().take(8) {
                line.play(mv).unwrap();
            }
            assert_eq!(line.outcome().is_some(), drawn, "{spec}");
        }
    }

    #[test]
    fn impossible_positions_and_boards_are_refused() {
        let dodgem = Dodgem::new(3).unwrap();
        for text in ["WWW/3/B2 w", "3/3/3 w", "W2/3/B2", "WB/3/3 w"] {
            assert!(dodgem.read_position(text).is_err(), "{text}");
        }
        for spec in ["dodgem:2x2", "dodgem:9x9", "dodgem:3x4", "dodgem:x", "dodgem:blocked=no"] {
            assert!(Dodgem::open(&Spec::parse(spec).unwrap()).is_err(), "{spec}");
        }
    }
}
