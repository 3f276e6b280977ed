//! Two small games to learn and to search.

use crate::td::features::{Features, Sparse};
use crate::td::judge::Truth;
use zug_core::seed::mix;
use zug_core::{Cell, Game, Outcome, Owner, Picture, Side, StopFlag, TextError};

/// Take one to three sticks; whoever takes the last one wins. A multiple of four is lost.
#[derive(Clone, Debug)]
pub struct Sticks(pub u8);

/// What is left, and who takes.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Left(pub u8, pub Side);

impl Game for Sticks {
    type Position = Left;
    type Move = u8;

    fn spec(&self) -> String {
        format!("sticks:{}", self.0)
    }
    fn title(&self) -> String {
        format!("{} sticks", self.0)
    }
    fn start(&self) -> Left {
        Left(self.0, Side::First)
    }
    fn to_move(&self, position: &Left) -> Side {
        position.1
    }
    fn outcome(&self, position: &Left) -> Option<Outcome> {
        (position.0 == 0).then(|| Outcome::win(position.1.other(), "took the last stick"))
    }
    fn moves(&self, position: &Left, out: &mut Vec<u8>) {
        out.extend(1..=position.0.min(3));
    }
    fn play(&self, position: &mut Left, mv: u8) {
        *position = Left(position.0.saturating_sub(mv), position.1.other());
    }
    fn write_move(&self, _: &Left, mv: u8) -> String {
        mv.to_string()
    }
    fn read_move(&self, _: &Left, text: &str) -> Result<u8, TextError> {
        text.parse().map_err(|_| TextError::new(0, "a number", text))
    }
    fn write_position(&self, position: &Left) -> String {
        format!("{} {}", position.0, position.1)
    }
    fn read_position(&self, text: &str) -> Result<Left, TextError> {
        Err(TextError::new(0, "nothing", text))
    }
    fn picture(&self, position: &Left) -> Picture {
        let cell = |i: u8| Cell {
            owner: if i < position.0 { Owner::Piece(Side::First) } else { Owner::Empty },
            glyph: '|',
            letter: '|',
        };
        Picture::grid(usize::from(self.0), 1, (0..self.0).map(cell).collect(), true)
    }
}

/// One feature for each number of sticks.
pub struct Each {
    pub name: &'static str,
    pub most: u8,
}

impl Features<Sticks> for Each {
    fn name(&self) -> &str {
        self.name
    }
    fn help(&self) -> String {
        "how many are left".to_string()
    }
    fn count(&self) -> usize {
        usize::from(self.most) + 1
    }
    fn extract(&self, _: &Sticks, position: &Left, out: &mut Sparse) {
        out.push((u32::from(position.0), 1.0));
    }
    fn describe(&self, feature: usize) -> String {
        format!("{feature} left")
    }
    fn signature(&self) -> String {
        format!("each/{}", self.most)
    }
}

/// Who wins is no secret.
pub struct FourLose;

impl Truth<Sticks> for FourLose {
    fn help(&self) -> String {
        "multiples of four are lost".to_string()
    }
    fn judge(&self, _: &Sticks, position: &Left, moves: &[u8], _: &StopFlag) -> Option<Vec<i8>> {
        Some(
            moves
                .iter()
                .map(|mv| if (position.0 - mv).is_multiple_of(4) { 1 } else { -1 })
                .collect(),
        )
    }
}

/// A game of chance moves: everything about a position follows from its number. Sides do not
/// always alternate.
#[derive(Clone, Debug)]
pub struct Thicket(pub u64);

/// A number, and how deep it lies.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Node(pub u64, pub u8);

impl Thicket {
    fn roll(&self, position: &Node, salt: u64, sides: u64) -> u64 {
        mix(position.0 ^ mix(self.0 ^ mix(salt))) % sides
    }

    /// A value strictly between -1 and 1.
    pub fn guess(&self, position: &Node) -> f64 {
        self.roll(position, 5, 19_999) as f64 / 10_000.0 - 0.9999
    }
}

impl Game for Thicket {
    type Position = Node;
    type Move = u8;

    fn spec(&self) -> String {
        "thicket".to_string()
    }
    fn title(&self) -> String {
        "Thicket".to_string()
    }
    fn start(&self) -> Node {
        Node(1, 0)
    }
    fn to_move(&self, position: &Node) -> Side {
        Side::BOTH[self.roll(position, 1, 2) as usize]
    }
    fn outcome(&self, position: &Node) -> Option<Outcome> {
        let ended = position.1 >= 12 || (position.1 > 0 && self.roll(position, 2, 6) == 0);
        ended.then(|| match self.roll(position, 3, 3) {
            0 => Outcome::draw("a draw"),
            winner => Outcome::win(Side::BOTH[winner as usize - 1], "a win"),
        })
    }
    fn moves(&self, position: &Node, out: &mut Vec<u8>) {
        if self.outcome(position).is_none() {
            out.extend(0..=self.roll(position, 4, 4) as u8);
        }
    }
    fn play(&self, position: &mut Node, mv: u8) {
        *position = Node(mix(position.0.wrapping_mul(31) ^ (u64::from(mv) + 1)), position.1 + 1);
    }
    fn write_move(&self, _: &Node, mv: u8) -> String {
        mv.to_string()
    }
    fn read_move(&self, _: &Node, text: &str) -> Result<u8, TextError> {
        text.parse().map_err(|_| TextError::new(0, "a number", text))
    }
    fn write_position(&self, position: &Node) -> String {
        format!("{} {}", position.0, position.1)
    }
    fn read_position(&self, text: &str) -> Result<Node, TextError> {
        Err(TextError::new(0, "nothing", text))
    }
    fn picture(&self, _: &Node) -> Picture {
        Picture::grid(1, 1, vec![Cell::empty()], true)
    }
}
