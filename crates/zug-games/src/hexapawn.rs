//! Hexapawn: pawns alone, which step forward and capture aslant. Whoever reaches the far row or
//! leaves the opponent without a move wins. (Martin Gardner, 1962.)
//!
//! This is the game of the guide `docs/write-your-own-game.md`: one file, one line of registration.

use crate::grid::{Grid, bits};
use crate::learning::{solved, suited};
use crate::wiring::{bad_option, entry, find_move, size, words};
use std::sync::Arc;
use zug_book::Places;
use zug_core::indexed::{Layout, maps};
use zug_core::{
    Evaluator, Game, GameEntry, Guide, Indexed, Outcome, Picture, Retro, Side, Spec, TextError,
};
use zug_learn::td::{Board, SelfPlayOf};
use zug_solve::SolvableEntry;

const LETTERS: [char; 2] = ['W', 'B'];

/// The rules: all that varies is the board.
#[derive(Clone, Debug)]
pub struct Hexapawn(Grid);

/// One bitboard a side, and who is to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pawns: [u64; 2],
    side: Side,
}

/// From a field to a field.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move(u8, u8);

impl Hexapawn {
    /// A board from 2×3 to 8×8, or `None`.
    #[must_use]
    pub fn new(width: usize, height: usize) -> Option<Hexapawn> {
        let fits = (2..=8).contains(&width) && (3..=8).contains(&height);
        fits.then_some(Hexapawn(Grid { width, height }))
    }

    pub(crate) fn open(spec: &Spec) -> Result<GameEntry, TextError> {
        spec.only(&[""])?;
        let mut game = Hexapawn::new(3, 3).expect("3x3 is a size");
        for word in words(spec) {
            game = size(word)
                .and_then(|(width, height)| Hexapawn::new(width, height))
                .ok_or_else(|| bad_option(spec, "a board from 2x3 to 8x8", word))?;
        }
        let moves = (game.0.width * game.0.height / 2) as u32;
        Ok(entry(&game, Pawns, moves, game.learner())
            .with_extension(Places::plain(&game))
            .solvable(&game))
    }

    /// Tables over groups of fields, turned so that the side to move goes up the board.
    fn learner(&self) -> SelfPlayOf<Hexapawn> {
        let Grid { width, height } = self.0;
        let wide = |map: Vec<u8>| map.into_iter().map(u16::from).collect::<Vec<u16>>();
        let board = Board::pictured(self)
            .turned(wide(maps::up_down(width, height)))
            .mapped([wide(maps::left_right(width, height))]);
        let tuples = board.suitable();
        let learner = SelfPlayOf::new(self, vec![Arc::new(board.tuples("tuples", &tuples))]);
        suited(learner, 4, self.0.fields() <= 9).with_truth(solved())
    }

    /// The row of a side, counted from its own end of the board: 0 is where it starts.
    fn row(&self, side: Side, field: usize) -> usize {
        let from_top = field / self.0.width;
        if side == Side::First { self.0.height - 1 - from_top } else { from_top }
    }

    /// The fields straight ahead and aslant, for white up the board and for black down it.
    fn steps(&self, side: Side, field: usize) -> (u64, u64) {
        let Grid { width, height } = self.0;
        if self.row(side, field) + 1 == height {
            return (0, 0);
        }
        let ahead = if side == Side::First { field - width } else { field + width };
        let left = if ahead % width > 0 { 1 << (ahead - 1) } else { 0 };
        let right = if ahead % width + 1 < width { 1 << (ahead + 1) } else { 0 };
        (1 << ahead, left | right)
    }

    fn has_arrived(&self, position: &Position, side: Side) -> bool {
        bits(position.pawns[side.index()]).any(|f| self.row(side, f) + 1 == self.0.height)
    }

    fn pawn_moves(&self, position: &Position) -> impl Iterator<Item = Move> {
        let (side, [white, black]) = (position.side, position.pawns);
        let (own, other) = (position.pawns[side.index()], position.pawns[side.other().index()]);
        bits(own).flat_map(move |from| {
            let (ahead, aslant) = self.steps(side, from);
            bits(ahead & !(white | black) | aslant & other)
                .map(move |to| Move(from as u8, to as u8))
        })
    }
}

impl Game for Hexapawn {
    type Position = Position;
    type Move = Move;

    fn spec(&self) -> String {
        format!("hexapawn:{}x{}", self.0.width, self.0.height)
    }

    fn title(&self) -> String {
        format!("Hexapawn {}×{}", self.0.width, self.0.height)
    }

    fn start(&self) -> Position {
        let row = (1u64 << self.0.width) - 1;
        let white = row << (self.0.width * (self.0.height - 1));
        Position { pawns: [white, row], side: Side::First }
    }

    fn to_move(&self, position: &Position) -> Side {
        position.side
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        let last = position.side.other();
        if self.has_arrived(position, last) {
            return Some(Outcome::win(last, "a pawn has arrived"));
        }
        let stuck = self.pawn_moves(position).next().is_none();
        stuck.then_some(Outcome::win(last, "the opponent cannot move"))
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        if self.outcome(position).is_none() {
            out.extend(self.pawn_moves(position));
        }
    }

    fn play(&self, position: &mut Position, Move(from, to): Move) {
        let own = position.side.index();
        position.pawns[own] = position.pawns[own] & !(1 << (from & 63)) | 1 << (to & 63);
        position.pawns[1 - own] &= !(1 << (to & 63));
        position.side = position.side.other();
    }

    fn write_move(&self, _: &Position, mv: Move) -> String {
        format!("{}-{}", self.0.name(mv.0.into()), self.0.name(mv.1.into()))
    }

    fn read_move(&self, position: &Position, text: &str) -> Result<Move, TextError> {
        find_move(self, position, text)
    }

    fn write_position(&self, position: &Position) -> String {
        self.0.write(position.pawns, position.side, LETTERS)
    }

    fn read_position(&self, text: &str) -> Result<Position, TextError> {
        let (pawns, side) = self.0.read(text, LETTERS)?;
        let wrong = |expected: &str| TextError::new(0, expected, format!("'{text}'"));
        if pawns.iter().any(|p| p.count_ones() as usize > self.0.width) {
            return Err(wrong("no more pawns than there were"));
        }
        self.position_of(&pawns, side).ok_or_else(|| wrong("no pawn of the mover at its goal"))
    }

    fn picture(&self, position: &Position) -> Picture {
        self.0.picture(position.pawns, ['♙', '♟'], LETTERS)
    }

    fn move_cells(&self, _: &Position, mv: Move) -> Vec<usize> {
        vec![mv.0.into(), mv.1.into()]
    }

    /// Pawns never go back.
    fn reversible_plies(&self, _: &Position) -> usize {
        0
    }
}

impl Indexed for Hexapawn {
    fn layout(&self) -> Layout {
        let Grid { width, height } = self.0;
        Layout::new((width * height) as u32)
            .piece("pawn", Side::First, 0..=width as u32)
            .piece("pawn", Side::Second, 0..=width as u32)
            .mirror(move |_| Some(maps::up_down(width, height)))
            .axes(move |_| vec![maps::left_right(width, height)])
            // A capture takes a pawn away, and none comes back.
            .stages(|counts| {
                let (few, many) = (counts[0].min(counts[1]), counts[0].max(counts[1]));
                (few + many, format!("{many}-{few}"))
            })
    }

    fn boards(&self, position: &Position, boards: &mut [u64]) {
        boards.copy_from_slice(&position.pawns);
    }

    fn position_of(&self, boards: &[u64], side: Side) -> Option<Position> {
        let position = Position { pawns: [boards[0], boards[1]], side };
        // The side to move cannot have arrived: the game would have ended.
        (!self.has_arrived(&position, side)).then_some(position)
    }
}

impl Retro for Hexapawn {
    fn predecessors(&self, position: &Position, out: &mut Vec<Position>) {
        let mover = position.side.other();
        let (own, other) = (mover.index(), position.side.index());
        let taken = position.pawns[0] | position.pawns[1];
        let can_have_lost_one = (position.pawns[other].count_ones() as usize) < self.0.width;
        for to in bits(position.pawns[own]) {
            for from in bits(self.0.all() & !taken) {
                let (ahead, aslant) = self.steps(mover, from);
                let captured = aslant >> to & 1 == 1;
                if ahead >> to & 1 == 0 && !(captured && can_have_lost_one) {
                    continue;
                }
                let mut before = Position { pawns: position.pawns, side: mover };
                before.pawns[own] ^= 1 << to | 1 << from;
                before.pawns[other] |= u64::from(captured) << to;
                let legal = self.position_of(&before.pawns, mover).is_some();
                if legal && self.outcome(&before).is_none() {
                    out.push(before);
                }
            }
        }
    }
}

/// Pawns, and how far they have come.
pub struct Pawns;

impl Evaluator<Hexapawn> for Pawns {
    fn evaluate(&self, game: &Hexapawn, position: &Position) -> i32 {
        let worth = |side: Side| -> i32 {
            bits(position.pawns[side.index()]).map(|f| 100 + 10 * game.row(side, f) as i32).sum()
        };
        worth(position.side) - worth(position.side.other())
    }
}

impl Guide<Hexapawn> for Pawns {
    fn promise(&self, _: &Hexapawn, position: &Position, mv: Move) -> i32 {
        i32::from(position.pawns[position.side.other().index()] >> mv.1 & 1 == 1)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_start_has_the_moves_of_the_magazine() {
        let line = Hexapawn::open(&Spec::parse("hexapawn").unwrap()).unwrap().game.new_line();
        assert_eq!(line.position_text(), "BBB/3/WWW w");
        assert_eq!(line.legal_moves(), ["a1-a2", "b1-b2", "c1-c2"]);
    }

    #[test]
    fn whoever_arrives_or_blocks_wins() {
        let game = Hexapawn::new(3, 3).unwrap();
        for (text, winner) in [
            ("W2/2B/3 b", Some(Side::First)),
            ("3/B2/W2 w", Some(Side::Second)),
            ("3/BB1/W2 w", None),
            ("B2/3/2W w", None),
        ] {
            let position = game.read_position(text).unwrap();
            assert_eq!(game.outcome(&position).and_then(|o| o.winner), winner, "{text}");
        }
        for text in ["W2/3/2B b", "BBB/B2/WWW w"] {
            let known = game.read_position(text).ok().and_then(|p| game.outcome(&p));
            assert_eq!(known.map(|o| o.winner), None, "{text}");
        }
    }
}
