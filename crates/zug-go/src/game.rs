//! The rules of Go in the words of the workbench.

use crate::board::Board;
use crate::colour::Colour;
use crate::point::{Move, Point, column_letter, quote, read_move};
use crate::position::{Position, side_word};
use crate::rules::{Ko, Rules, Scoring, handicap_points, star_points};
use crate::score;
use zug_core::seed::mix;
use zug_core::{
    Cell, Game, Outcome, Owner, Picture, Repetition, Settlement, Side, Spec, Symmetric, TextError,
};

/// Go. Black is the first side, White the second; with handicap White makes the first move.
///
/// The game ends after two passes, or at the [move limit](Rules::move_limit), and is counted as
/// the board lies: all stones are alive. (For play that stops earlier see
/// [`lead_without`](score::lead_without) and [`dead_stones`](crate::status::dead_stones).)
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Go {
    rules: Rules,
}

impl Go {
    /// Go under these rules.
    #[must_use]
    pub const fn new(rules: Rules) -> Go {
        Go { rules }
    }

    /// Opens a spec such as `go:9x9,komi=7`.
    pub fn open(spec: &str) -> Result<Go, TextError> {
        Ok(Go::new(Rules::from_spec(&Spec::parse(spec)?)?))
    }

    /// The options.
    #[must_use]
    pub const fn rules(&self) -> &Rules {
        &self.rules
    }

    fn is_over(&self, position: &Position) -> bool {
        position.passes >= 2 || position.moves >= self.rules.move_limit()
    }
}

impl Game for Go {
    type Position = Position;
    type Move = Move;

    fn spec(&self) -> String {
        self.rules.to_string()
    }

    fn title(&self) -> String {
        let size = self.rules.size();
        format!("Go {size}×{size}")
    }

    fn start(&self) -> Position {
        let size = self.rules.size();
        let mut position = Position::new(size);
        if let Some(points) = handicap_points(size, self.rules.handicap()) {
            for p in points {
                position.board.play(p, Side::First);
            }
            position.to_move = Side::Second;
        }
        position
    }

    fn to_move(&self, position: &Position) -> Side {
        position.to_move
    }

    fn outcome(&self, position: &Position) -> Option<Outcome> {
        if !self.is_over(position) {
            return None;
        }
        let reason = if position.passes >= 2 { "two passes" } else { "move limit" };
        Some(Outcome::by_points(score::lead(&position.board, &self.rules), reason))
    }

    fn moves(&self, position: &Position, out: &mut Vec<Move>) {
        if self.is_over(position) {
            return;
        }
        let (board, side) = (&position.board, position.to_move);
        out.extend(
            board
                .points()
                .filter(|&p| {
                    board.at(p) == Colour::Empty && board.check(p, side, self.rules.suicide).is_ok()
                })
                .map(Move::Play),
        );
        out.push(Move::Pass);
    }

    fn play(&self, position: &mut Position, mv: Move) {
        position.play(mv);
    }

    fn write_move(&self, _: &Position, mv: Move) -> String {
        match mv {
            Move::Play(p) if p.y() < self.rules.size() => p.name(self.rules.size()),
            _ => "pass".to_string(),
        }
    }

    fn read_move(&self, position: &Position, text: &str) -> Result<Move, TextError> {
        let mv = read_move(text, self.rules.size())?;
        if self.is_over(position) {
            return Err(TextError::new(0, "no move, the game has ended", quote(text)));
        }
        if let Move::Play(p) = mv {
            position.board.check(p, position.to_move, self.rules.suicide).map_err(|why| {
                let expected = format!("a legal move of {}", side_word(position.to_move));
                TextError::new(0, expected, format!("'{text}': {}", why.words()))
            })?;
        }
        Ok(mv)
    }

    fn write_position(&self, position: &Position) -> String {
        position.to_text()
    }

    fn read_position(&self, text: &str) -> Result<Position, TextError> {
        Position::from_text(text, self.rules.size())
    }

    fn picture(&self, position: &Position) -> Picture {
        let (board, size) = (&position.board, self.rules.size());
        let stars = star_points(size);
        let cells = board
            .points()
            .map(|p| match board.at(p).side() {
                Some(side) => Cell::disc(side),
                None if stars.contains(&p) => Cell { owner: Owner::Empty, glyph: '+', letter: '+' },
                None => Cell::empty(),
            })
            .collect();
        let mut picture = Picture::grid(size, size, cells, false);
        picture.column_labels = (0..size).map(|x| column_letter(x).to_string()).collect();
        let [black, white] = Side::BOTH.map(|s| board.captures(s));
        picture.notes.push(format!("captured: black {black}, white {white}"));
        if let Some(ko) = board.ko() {
            picture.notes.push(format!("ko at {}", ko.name(size)));
        }
        if position.passes > 0 {
            let passed = side_word(position.to_move.other());
            let both = position.passes == 2;
            picture.notes.push(if both {
                "both passed".into()
            } else {
                format!("{passed} passed")
            });
        }
        picture
    }

    fn move_cells(&self, _: &Position, mv: Move) -> Vec<usize> {
        match mv {
            Move::Play(p) => vec![p.y() * self.rules.size() + p.x()],
            Move::Pass => Vec::new(),
        }
    }

    fn settle(&self, position: &Position, seed: u64) -> Option<Settlement> {
        let dead = crate::status::dead_stones(self, &position.board, seed);
        let lead = score::lead_without(&position.board, &self.rules, &dead);
        let rest = score::without(&position.board, &dead);
        let owners = score::owners(&rest);
        let territory = |side| {
            let cells = rest.points().zip(&owners).enumerate();
            let owned = cells
                .filter(|(_, (p, owner))| **owner == Some(side) && rest.at(*p) == Colour::Empty);
            owned.map(|(cell, _)| cell).collect()
        };
        Some(Settlement {
            outcome: Outcome::by_points(lead, "counting"),
            dead: dead.into_iter().map(|p| p.y() * self.rules.size() + p.x()).collect(),
            territory: Side::BOTH.map(territory),
        })
    }

    /// The opponent has not passed: two passes in a row are not one nearer.
    fn hand_over(&self, position: &Position) -> Option<(Move, Position)> {
        let mut next = position.clone();
        next.play(Move::Pass);
        next.passes = 0;
        Some((Move::Pass, next))
    }

    fn key(&self, position: &Position) -> u64 {
        let board = &position.board;
        let mut key = board.key() ^ PASSES[usize::from(position.passes)];
        if position.to_move == Side::Second {
            key ^= WHITE_TO_MOVE;
        }
        if let Some(ko) = board.ko() {
            key ^= mix(KO ^ u64::from(ko.0));
        }
        if self.rules.scoring == Scoring::Territory {
            let [black, white] = Side::BOTH.map(|s| board.captures(s) as u64);
            key ^= mix(CAPTURES ^ black.wrapping_sub(white));
        }
        key
    }

    fn side_name(&self, side: Side) -> &'static str {
        side_word(side)
    }

    fn option(&self, name: &str) -> Option<String> {
        match name {
            "komi" => Some(self.rules.komi().to_string()),
            "handicap" => Some(self.rules.handicap().to_string()),
            "ko" => Some(if self.rules.ko == Ko::Super { "superko" } else { "simple" }.to_string()),
            "suicide" => Some(if self.rules.suicide { "yes" } else { "no" }.to_string()),
            "scoring" => Some(match self.rules.scoring {
                Scoring::Area => "area".to_string(),
                Scoring::Territory => "territory".to_string(),
            }),
            _ => None,
        }
    }

    fn repetition(&self) -> Repetition {
        match self.rules.ko {
            Ko::Simple => Repetition::Allowed,
            Ko::Super => Repetition::Forbidden,
        }
    }

    /// The stones alone: positional superko does not ask who is to move.
    fn repetition_key(&self, position: &Position) -> u64 {
        position.board.key()
    }
}

const PASSES: [u64; 3] = [0, mix(0x0060_9A55_0001), mix(0x0060_9A55_0002)];
const WHITE_TO_MOVE: u64 = mix(0x0060_5EC0_4D00);
const KO: u64 = 0x0060_C0C0_0000;
const CAPTURES: u64 = 0x0060_CA97_0000_0000;

/// The eight symmetries of the square: bit 0 mirrors left and right, bit 1 top and bottom, bit 2
/// exchanges rows and columns (last).
fn map_point(symmetry: usize, size: usize, p: Point) -> Point {
    let (mut x, mut y) = (p.x(), p.y());
    if symmetry & 1 != 0 {
        x = size - 1 - x;
    }
    if symmetry & 2 != 0 {
        y = size - 1 - y;
    }
    if symmetry & 4 != 0 { Point::at(y, x) } else { Point::at(x, y) }
}

impl Symmetric for Go {
    fn symmetries(&self) -> usize {
        8
    }

    fn map_position(&self, symmetry: usize, position: &Position) -> Position {
        let size = self.rules.size();
        let board = &position.board;
        let stones = board
            .points()
            .filter_map(|p| Some((map_point(symmetry, size, p), board.at(p).side()?)));
        let mut image = Position {
            board: Board::with_stones(size, stones)
                .expect("the image of a chain with a liberty has one"),
            to_move: position.to_move,
            passes: position.passes,
            moves: position.moves,
        };
        image.board.set_captures(Side::BOTH.map(|s| board.captures(s) as u16));
        if let Some(ko) = board.ko() {
            image.board.set_ko(map_point(symmetry, size, ko), position.to_move);
        }
        image
    }

    fn map_move(&self, symmetry: usize, mv: Move) -> Move {
        match mv {
            Move::Play(p) => Move::Play(map_point(symmetry, self.rules.size(), p)),
            Move::Pass => Move::Pass,
        }
    }
}
