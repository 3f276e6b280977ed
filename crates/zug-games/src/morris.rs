//! Nine men's morris: three in a line make a mill, and a mill takes a man.
//!
//! ```text
//! 7  ●───────────●───────────●       fields by ring and place:
//! 6  │   ●───────●───────●   │        0 ── 1 ── 2
//! 5  │   │   ●───●───●   │   │        │         │
//! 4  ●───●───●       ●───●───●        7         3
//! 3  │   │   ●───●───●   │   │        │         │
//! 2  │   ●───────●───────●   │        6 ── 5 ── 4
//! 1  ●───────────●───────────●
//!    a   b   c   d   e   f   g       field = 8 · ring + place, the outer ring is 0
//! ```
//!
//! * First both sides place their men in turn, then they move them along the lines. A side with
//!   three men left may fly to any free field (`flying=no` forbids it).
//! * Whoever closes a mill must take a man of the opponent, but none that stands in a mill itself,
//!   unless all do. Closing two mills with one man takes one man. Where the opponent has no man on
//!   the board, nothing is taken.
//! * A side with fewer than three men (those in hand count), or without a move, has lost. A
//!   position that comes back a third time is a draw.
//!
//! Moves are written `a1` (place), `a1-a4` (move), with `xd7` for the man that is taken. A position
//! is the 24 fields from the top left, row by row (`X`, `O`, `.`), a slash after each row of the
//! board, then the side to move and the men in hand: `.../.../.../....../.../.../... x 9 9`.

mod board;

use self::board::{BOARD, in_mill, name, takeable};
use crate::grid::{bits, map_board};
use crate::learning::{solved, suited};
use crate::wiring::{bad_option, entry, find_move, repetition, switch};
use std::sync::Arc;
use zug_book::Places;
use zug_core::indexed::Layout;
use zug_core::{
    Cell, Evaluator, Game, GameEntry, Guide, Indexed, Outcome, Owner, Picture, Repetition, Retro,
    Side, Spec, Symmetric, TextError,
};
use zug_learn::td::tuples::picture_maps;
use zug_learn::td::{Board, SelfPlayOf};
use zug_solve::SolvableEntry;
use zug_solve::reserve_board;

const ALL: u64 = 0xFF_FFFF;
/// No field: the source of a man that is placed, the man that is not taken.
const NONE: u8 = 24;

/// The rules.
#[derive(Clone, Debug)]
pub struct Morris {
    men: u8,
    flying: bool,
    repetition: Repetition,
}

/// Men on the board and in hand, and who is to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    men: [u64; 2],
    hand: [u8; 2],
    side: Side,
}

/// A man is placed or moved, and perhaps another is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Move {
    from: u8,
    to: u8,
    takes: u8,
}

impl Morris {
    /// The game with this many men a side, 3 to 9.
    #[must_use]
    pub fn new(men: u8) -> Option<Morris> {
        let game = Morris { men, flying: true, repetition: Repetition::Draw(3) };
        (3..=9).contains(&men).then_some(game)
    }

    pub(crate) fn open(spec: &Spec) -> Result<GameEntry, TextError> {
        spec.only(&["men", "flying", "repetition"])?;
        let men = spec.parsed("men", "a number from 3 to 9")?.unwrap_or(9);
        let mut game = Morris::new(men)
            .ok_or_else(|| bad_option(spec, "men from 3 to 9", &men.to_string()))?;
        game.flying = !switch(spec, "flying", ["yes", "no"])?;
        game.repetition = repetition(spec)?;
        let entry = entry(&game, Mills, 40, game.learner())
            .symmetric(&game)
            .with_extension(Places::symmetric(&game));
        Ok(entry.solvable(&game))
    }

    /// Tables over groups of fields, for each phase of the game.
    fn learner(&self) -> SelfPlayOf<Morris> {
        let phase = |game: &Morris, position: &Position| {
            let own = position.side.index();
            let placing = position.hand[own] > 0;
            u8::from(!placing) + u8::from(!placing && game.flies(position.men[own]))
        };
        let board =
            Board::pictured(self).shared().mapped(picture_maps(self)).beside("phase", phase);
        let tuples = board.suitable();
        let learner = SelfPlayOf::new(self, vec![Arc::new(board.tuples("tuples", &tuples))]);
        suited(learner, 10, false).with_truth(solved())
    }

    fn total(position: &Position, side: Side) -> u32 {
        let i = side.index();
        position.men[i].count_ones() + u32::from(position.hand[i])
    }

    /// May this many men, with none in hand, go anywhere?
    fn flies(&self, men: u64) -> bool {
        self.flying && men.count_ones() <= 3
    }

    /// Calls `f` with every source (or [`NONE`]) and target of the side to move.
    fn steps(&self, position: &Position, mut f: impl FnMut(u8, usize)) {
        let i = position.side.index();
        let free = ALL & !(position.men[0] | position.men[1]);
        if position.hand[i] > 0 {
            bits(free).for_each(|to| f(NONE, to));
            return;
        }
        let own = position.men[i];
        for from in bits(own) {
            let reach = if self.flies(own) { free } else { free & BOARD.neighbours[from] };
            bits(reach).for_each(|to| f(from as u8, to));
        }
    }

    fn can_move(&self, position: &Position) -> bool {
        let i = position.side.index();
        let free = ALL & !(position.men[0] | position.men[1]);
        let own = position.men[i];
        position.hand[i] > 0
            || (self.flies(own) && own != 0 && free != 0)
            || bits(own).any(|from| BOARD.neighbours[from] & free != 0)
    }

    /// What is wrong with a position, if anything: men are placed in turn, no side has more than
    /// it began with, and only the side to move can have fallen below three.
    fn fault(&self, position: &Position) -> Option<String> {
        let [first, second] = position.hand;
        let in_turn = match position.side {
            Side::First => first == second,
            Side::Second => second == first + 1 || (first, second) == (0, 0),
        };
        let most = u32::from(self.men);
        let totals = Side::BOTH.map(|side| Self::total(position, side));
        let own = totals[position.side.index()];
        let other = totals[position.side.other().index()];
        if first > self.men || second > self.men || !in_turn {
            Some("as many men in hand as placing in turn leaves".to_string())
        } else if totals.iter().any(|&total| total > most) {
            Some(format!("at most {most} men a side"))
        } else if own < 2 || other < 3 {
            let expected = "three men of the side that has moved, and two of the other";
            Some(expected.to_string())
        } else {
            None
        }
    }
}

impl Game for Morris {
    type Position = Position;
    type Move = Move;

    fn spec(&self) -> String {
        let mut options = Vec::new();
        if self.men != 9 {
            options.push(format!("men={}", self.men));
        }
        if !self.flying {
            options.push("flying=no".to_string());
        }
        if self.repetition == Repetition::Allowed {
            options.push("repetition=allowed".to_string());
        }
        if options.is_empty() { "morris".into() } else { format!("morris:{}", options.join(",")) }
    }

    fn title(&self) -> String {
        match self.men {
            9 => "Nine men's morris".to_string(),
            men => format!("Morris with {men} men"),
        }
    }

    fn start(&self) -> Position {
        Position { men: [0; 2], hand: [self.men; 2], side: Side::First }
    }

    fn to_move(&self, position: &Position) -> Side {
        position.side
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        let winner = position.side.other();
        if Self::total(position, position.side) < 3 {
            Some(Outcome::win(winner, "fewer than three men"))
        } else if !self.can_move(position) {
            Some(Outcome::win(winner, "no man can move"))
        } else {
            None
        }
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        if self.outcome(position).is_some() {
            return;
        }
        let i = position.side.index();
        let victims = takeable(position.men[1 - i]);
        self.steps(position, |from, to| {
            let own = position.men[i] & !(1 << from);
            if in_mill(own, to) && victims != 0 {
                let to = to as u8;
                out.extend(bits(victims).map(|f| Move { from, to, takes: f as u8 }));
            } else {
                out.push(Move { from, to: to as u8, takes: NONE });
            }
        });
    }

    fn play(&self, position: &mut Position, mv: Move) {
        let i = position.side.index();
        if mv.from >= NONE {
            position.hand[i] = position.hand[i].saturating_sub(1);
        } else {
            position.men[i] &= !(1 << mv.from);
        }
        position.men[i] |= 1 << mv.to.min(23);
        if mv.takes < NONE {
            position.men[1 - i] &= !(1 << mv.takes);
        }
        position.side = position.side.other();
    }

    fn write_move(&self, _: &Position, mv: Move) -> String {
        let field = |f: u8| name(usize::from(f.min(23)));
        let mut text = field(mv.to);
        if mv.from < NONE {
            text = format!("{}-{text}", field(mv.from));
        }
        if mv.takes < NONE {
            text = format!("{text}x{}", field(mv.takes));
        }
        text
    }

    fn read_move(&self, position: &Position, text: &str) -> Result<Move, TextError> {
        find_move(self, position, text)
    }

    fn write_position(&self, position: &Position) -> String {
        let mut out = String::new();
        let mut row = 0;
        for field in BOARD.reading {
            if BOARD.places[field].1 != row {
                row = BOARD.places[field].1;
                out.push('/');
            }
            let owner = position.men.iter().position(|m| m >> field & 1 == 1);
            out.push(owner.map_or('.', |i| ['X', 'O'][i]));
        }
        let side = ["x", "o"][position.side.index()];
        format!("{out} {side} {} {}", position.hand[0], position.hand[1])
    }

    fn read_position(&self, text: &str) -> Result<Position, TextError> {
        let mut words = text.split_whitespace();
        let board = words.next().unwrap_or("");
        let mut men = [0u64; 2];
        let mut fields = BOARD.reading.iter();
        for (byte, c) in board.char_indices().filter(|(_, c)| *c != '/') {
            let Some(&field) = fields.next() else {
                return Err(TextError::new(byte, "24 fields", "more of them"));
            };
            match c.to_ascii_uppercase() {
                'X' => men[0] |= 1 << field,
                'O' => men[1] |= 1 << field,
                '.' => {}
                _ => return Err(TextError::new(byte, "X, O, '.' or '/'", format!("'{c}'"))),
            }
        }
        if fields.next().is_some() {
            return Err(TextError::new(board.len(), "24 fields", "fewer of them"));
        }
        let side = match words.next() {
            Some("x") => Side::First,
            Some("o") => Side::Second,
            other => {
                let found = format!("'{}'", other.unwrap_or(""));
                return Err(TextError::new(board.len(), "x or o as the side to move", found));
            }
        };
        let mut hand = [0; 2];
        for men in &mut hand {
            let word = words.next().unwrap_or("");
            *men = word.parse().map_err(|_| {
                TextError::new(board.len() + 2, "the men in hand of both", format!("'{word}'"))
            })?;
        }
        if let Some(more) = words.next() {
            return Err(TextError::new(board.len() + 2, "nothing more", format!("'{more}'")));
        }
        let position = Position { men, hand, side };
        // Guards the sums in `fault`.
        if hand.iter().any(|&h| h > 9) {
            return Err(TextError::new(board.len() + 2, "at most nine men in hand", "more"));
        }
        match self.fault(&position) {
            Some(expected) => Err(TextError::new(0, expected, format!("'{text}'"))),
            None => Ok(position),
        }
    }

    fn picture(&self, position: &Position) -> Picture {
        let line = |glyph| Cell { owner: Owner::Outside, glyph, letter: ' ' };
        let mut cells = vec![line(' '); 49];
        for i in 0..7 {
            // The lines between the fields, ring by ring; fields are drawn over them.
            for ring in 0..3usize {
                if (ring..7 - ring).contains(&i) {
                    for edge in [ring, 6 - ring] {
                        cells[edge * 7 + i] = line('─');
                        cells[i * 7 + edge] = line('│');
                    }
                }
            }
        }
        for (field, &(column, row)) in BOARD.places.iter().enumerate() {
            let owner = Side::BOTH.into_iter().find(|s| position.men[s.index()] >> field & 1 == 1);
            cells[row * 7 + column] = owner.map_or(Cell::empty(), Cell::disc);
        }
        let mut picture = Picture::grid(7, 7, cells, false);
        if position.hand != [0, 0] {
            let [first, second] = position.hand;
            picture.notes.push(format!("in hand: white {first}, black {second}"));
        }
        picture
    }

    fn move_cells(&self, _: &Position, mv: Move) -> Vec<usize> {
        let cell = |f: u8| {
            let (column, row) = BOARD.places[usize::from(f)];
            row * 7 + column
        };
        // The target comes last, so the man that is taken stands before it.
        [mv.from, mv.takes, mv.to].into_iter().filter(|&f| f < NONE).map(cell).collect()
    }

    fn repetition(&self) -> Repetition {
        self.repetition
    }

    /// While men are placed, nothing comes back.
    fn reversible_plies(&self, position: &Position) -> usize {
        if position.hand == [0, 0] { usize::MAX } else { 0 }
    }
}

impl Symmetric for Morris {
    fn symmetries(&self) -> usize {
        BOARD.symmetries.len()
    }

    fn map_position(&self, symmetry: usize, position: &Position) -> Position {
        let map = &BOARD.symmetries[symmetry];
        Position { men: position.men.map(|men| map_board(map, men)), ..position.clone() }
    }

    fn map_move(&self, symmetry: usize, mv: Move) -> Move {
        let map = |f: u8| BOARD.symmetries[symmetry].get(usize::from(f)).copied().unwrap_or(NONE);
        Move { from: map(mv.from), to: map(mv.to), takes: map(mv.takes) }
    }
}

impl Indexed for Morris {
    fn layout(&self) -> Layout {
        let men = u32::from(self.men);
        let game = self.clone();
        Layout::new(24)
            .piece("man", Side::First, 0..=men)
            .piece("man", Side::Second, 0..=men)
            .reserve("in hand", Some(Side::First), 0..=men)
            .reserve("in hand", Some(Side::Second), 0..=men)
            .admit(move |counts, side| {
                // Which fields the men stand on does not matter here.
                let men = [0, 1].map(|i| reserve_board(counts[i]));
                let hand = [2, 3].map(|i| counts[i] as u8);
                game.fault(&Position { men, hand, side }).is_none()
            })
            // Once all men are placed, colours are alike; before, the first side is a man ahead.
            .mirror(|counts| (counts[2..] == [0, 0]).then(|| (0..24).collect()))
            .axes(|_| BOARD.symmetries.clone())
            .stages(stage)
            .feeds(feeds)
    }

    fn boards(&self, position: &Position, boards: &mut [u64]) {
        boards[..2].copy_from_slice(&position.men);
        boards[2] = reserve_board(u32::from(position.hand[0]));
        boards[3] = reserve_board(u32::from(position.hand[1]));
    }

    fn position_of(&self, boards: &[u64], side: Side) -> Option<Position> {
        let hand = [boards[2], boards[3]].map(|board| board.count_ones() as u8);
        Some(Position { men: [boards[0], boards[1]], hand, side })
    }
}

/// While men are placed, every move takes one from a hand. Thereafter men only become fewer, and
/// the colour swap makes one of both colours.
fn stage(counts: &[u32]) -> (u32, String) {
    let [first, second, in_hand @ ..] = counts else { return Default::default() };
    let hands: u32 = in_hand.iter().sum();
    // More than the men that can be on the board.
    let rank = hands * 32 + first + second;
    if hands == 0 {
        return (rank, format!("{}-{}", first.max(second), first.min(second)));
    }
    (rank, format!("{first}-{second}-hand-{}-{}", in_hand[0], in_hand[1]))
}

fn feeds(from: &[u32], to: &[u32]) -> bool {
    let sorted = |a: u32, b: u32| (a.min(b), a.max(b));
    let (hands, later) = (from[2] + from[3], to[2] + to[3]);
    if hands == 0 {
        let [a, b] = [from[0], from[1]];
        let fewer = [(a.wrapping_sub(1), b), (a, b.wrapping_sub(1))];
        return later == 0 && fewer.iter().any(|&(a, b)| sorted(a, b) == sorted(to[0], to[1]));
    }
    // Men are placed in turn, so the hands tell whose turn it is: the first side's when they are
    // equal, else that of the fuller one.
    let mover = usize::from(from[2] < from[3]);
    let mut placed = [from[0], from[1], from[2], from[3]];
    placed[mover] += 1;
    placed[2 + mover] -= 1;
    let mut taken = placed;
    taken[1 - mover] = taken[1 - mover].wrapping_sub(1);
    let same = |after: [u32; 4]| {
        after[2..] == to[2..]
            && match later {
                0 => sorted(after[0], after[1]) == sorted(to[0], to[1]),
                _ => after[..2] == to[..2],
            }
    };
    same(placed) || same(taken)
}

impl Retro for Morris {
    fn predecessors(&self, position: &Position, out: &mut Vec<Position>) {
        let mover = position.side.other();
        let i = mover.index();
        let (own, other) = (position.men[i], position.men[1 - i]);
        let free = ALL & !(own | other);
        for to in bits(own) {
            let rest = own & !(1 << to);
            let mut sources = Vec::new();
            if position.hand[i] == 0 {
                // What could have flown here or walked here.
                let reach = if self.flies(own) { free } else { free & BOARD.neighbours[to] };
                sources.extend(bits(reach).map(|from| (rest | 1 << from, 0)));
            }
            sources.push((rest, 1));
            for (men, placed) in sources {
                let mut before = Position { side: mover, ..position.clone() };
                before.men[i] = men;
                before.hand[i] += placed;
                // A closed mill has taken a man from a field that is free now and was not the
                // source; where the opponent had none, it has taken nothing.
                if in_mill(rest, to) {
                    for field in bits(free & !men) {
                        let more = other | 1 << field;
                        if takeable(more) >> field & 1 == 1 {
                            let mut taken = before.clone();
                            taken.men[1 - i] = more;
                            self.push_if_legal(taken, out);
                        }
                    }
                    if other != 0 {
                        continue;
                    }
                }
                self.push_if_legal(before, out);
            }
        }
    }
}

impl Morris {
    fn push_if_legal(&self, position: Position, out: &mut Vec<Position>) {
        if self.fault(&position).is_none() && self.outcome(&position).is_none() {
            out.push(position);
        }
    }
}

/// Men, freedom of movement, and mills with their beginnings.
pub struct Mills;

impl Evaluator<Morris> for Mills {
    fn evaluate(&self, game: &Morris, position: &Position) -> i32 {
        let free = ALL & !(position.men[0] | position.men[1]);
        let worth = |side: Side| -> i32 {
            let own = position.men[side.index()];
            let placing = position.hand[side.index()] > 0;
            let reach = if !placing && game.flies(own) {
                12
            } else {
                bits(own).map(|f| (BOARD.neighbours[f] & free).count_ones()).sum::<u32>() as i32
            };
            let ready = bits(free).filter(|&f| in_mill(own, f)).count() as i32;
            let closed = bits(own).filter(|&f| in_mill(own, f)).count() as i32;
            100 * Morris::total(position, side) as i32 + 6 * reach + 25 * ready + 5 * closed
        };
        worth(position.side) - worth(position.side.other()) + 10
    }
}

impl Guide<Morris> for Mills {
    fn promise(&self, _: &Morris, _: &Position, mv: Move) -> i32 {
        let taking = if mv.takes < NONE { 100 } else { 0 };
        taking + BOARD.neighbours[usize::from(mv.to)].count_ones() as i32
    }

    fn forcing(&self, game: &Morris, position: &Position, out: &mut Vec<Move>) {
        let mut moves = Vec::new();
        game.moves(position, &mut moves);
        out.extend(moves.into_iter().filter(|mv| mv.takes < NONE));
    }
}

#[cfg(test)]
mod tests;
