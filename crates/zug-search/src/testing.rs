//! Small games for the tests of this crate.

use zug_core::seed::mix;
use zug_core::{
    Cell, Evaluator, Game, Guide, Limits, Outcome, Picture, Repetition, Side, TextError, Watch,
};

/// A guide that knows nothing.
pub(crate) struct Blind;

impl<G: Game> Evaluator<G> for Blind {
    fn evaluate(&self, _: &G, _: &G::Position) -> i32 {
        0
    }
}

impl<G: Game> Guide<G> for Blind {}

/// A depth and no other limit.
pub(crate) fn to_depth(depth: u32) -> Limits {
    Limits { depth: Some(depth), ..Limits::default() }
}

/// So many nodes and no other limit.
pub(crate) fn to_nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

/// Calls `f` with a watch that nobody looks at.
pub(crate) fn unwatched<T>(f: impl FnOnce(&mut Watch<'_>) -> T) -> T {
    let mut ignore = |_: &zug_core::Info| {};
    f(&mut Watch::new(Default::default(), &mut ignore))
}

fn read_legal<G: Game>(game: &G, position: &G::Position, text: &str) -> Result<G::Move, TextError> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    moves
        .into_iter()
        .find(|&mv| game.write_move(position, mv) == text)
        .ok_or_else(|| TextError::new(0, "a legal move", text))
}

fn one_cell() -> Picture {
    Picture::grid(1, 1, vec![Cell::empty()], true)
}

/// Three in a row.
#[derive(Clone, Debug)]
pub(crate) struct TicTacToe;

/// Stones of both sides as bits, and the side to move.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Stones(pub [u16; 2], pub Side);

const ROWS: [u16; 8] = [0o007, 0o070, 0o700, 0o111, 0o222, 0o444, 0o421, 0o124];

impl Game for TicTacToe {
    type Position = Stones;
    type Move = u8;

    fn spec(&self) -> String {
        "tic-tac-toe".to_string()
    }
    fn title(&self) -> String {
        "Tic-tac-toe".to_string()
    }
    fn start(&self) -> Stones {
        Stones([0, 0], Side::First)
    }
    fn to_move(&self, p: &Stones) -> Side {
        p.1
    }
    fn outcome(&self, p: &Stones) -> Option<Outcome> {
        for side in Side::BOTH {
            if ROWS.iter().any(|&row| p.0[side.index()] & row == row) {
                return Some(Outcome::win(side, "three in a row"));
            }
        }
        (p.0[0] | p.0[1] == 0o777).then_some(Outcome::draw("full board"))
    }
    fn moves(&self, p: &Stones, out: &mut Vec<u8>) {
        if self.outcome(p).is_none() {
            out.extend((0..9).filter(|&i| (p.0[0] | p.0[1]) >> i & 1 == 0));
        }
    }
    fn play(&self, p: &mut Stones, mv: u8) {
        p.0[p.1.index()] |= 1 << mv;
        p.1 = p.1.other();
    }
    fn write_move(&self, _: &Stones, mv: u8) -> String {
        format!("{}{}", char::from(b'a' + mv % 3), mv / 3 + 1)
    }
    fn read_move(&self, p: &Stones, text: &str) -> Result<u8, TextError> {
        read_legal(self, p, text)
    }
    fn write_position(&self, p: &Stones) -> String {
        format!("{:o}/{:o}", p.0[0], p.0[1])
    }
    fn read_position(&self, text: &str) -> Result<Stones, TextError> {
        Err(TextError::new(0, "nothing: tests do not read positions", text))
    }
    fn picture(&self, _: &Stones) -> Picture {
        one_cell()
    }
}

/// Counts the rows that are still open, and gives every hint there is.
pub(crate) struct OpenRows;

impl Evaluator<TicTacToe> for OpenRows {
    fn evaluate(&self, _: &TicTacToe, p: &Stones) -> i32 {
        let open = |side: Side| {
            ROWS.iter().filter(|&row| p.0[side.other().index()] & row == 0).count() as i32
        };
        50 * (open(p.1) - open(p.1.other()))
    }
}

impl Guide<TicTacToe> for OpenRows {
    fn promise(&self, _: &TicTacToe, _: &Stones, mv: u8) -> i32 {
        ROWS.iter().filter(|&row| row >> mv & 1 == 1).count() as i32
    }
    fn forcing(&self, game: &TicTacToe, p: &Stones, out: &mut Vec<u8>) {
        game.moves(p, out);
        out.retain(|&mv| threatens(p.0[p.1.index()] | 1 << mv, p.0[p.1.other().index()]));
    }
    fn pressed(&self, _: &TicTacToe, p: &Stones) -> bool {
        threatens(p.0[p.1.other().index()], p.0[p.1.index()])
    }
    fn reducible(&self, _: &TicTacToe, p: &Stones, mv: u8) -> bool {
        let (own, other) = (p.0[p.1.index()], p.0[p.1.other().index()]);
        !threatens(own | 1 << mv, other) && !threatens(other | 1 << mv, own)
    }
    fn swing(&self) -> Option<i32> {
        Some(100)
    }
    fn skip_turn(&self, _: &TicTacToe, p: &Stones) -> Option<Stones> {
        Some(Stones(p.0, p.1.other()))
    }
}

/// Two in a row with the third cell free?
fn threatens(own: u16, other: u16) -> bool {
    ROWS.iter().any(|&row| (own & row).count_ones() >= 2 && other & row == 0)
}

/// A pile of matches; each side takes one or two; who takes the last one loses. So the side to move
/// loses when one more than a multiple of three lie there.
#[derive(Clone, Debug)]
pub(crate) struct Matches(pub u8);

impl Game for Matches {
    type Position = (u8, Side);
    type Move = u8;

    fn spec(&self) -> String {
        format!("matches:{}", self.0)
    }
    fn title(&self) -> String {
        "Matches".to_string()
    }
    fn start(&self) -> (u8, Side) {
        (self.0, Side::First)
    }
    fn to_move(&self, p: &(u8, Side)) -> Side {
        p.1
    }
    fn outcome(&self, p: &(u8, Side)) -> Option<Outcome> {
        (p.0 == 0).then_some(Outcome::win(p.1, "the last match"))
    }
    fn moves(&self, p: &(u8, Side), out: &mut Vec<u8>) {
        out.extend(1..=p.0.min(2));
    }
    fn play(&self, p: &mut (u8, Side), mv: u8) {
        *p = (p.0 - mv, p.1.other());
    }
    fn write_move(&self, _: &(u8, Side), mv: u8) -> String {
        mv.to_string()
    }
    fn read_move(&self, p: &(u8, Side), text: &str) -> Result<u8, TextError> {
        read_legal(self, p, text)
    }
    fn write_position(&self, p: &(u8, Side)) -> String {
        format!("{} {}", p.0, p.1)
    }
    fn read_position(&self, text: &str) -> Result<(u8, Side), TextError> {
        Err(TextError::new(0, "nothing: tests do not read positions", text))
    }
    fn picture(&self, _: &(u8, Side)) -> Picture {
        one_cell()
    }
}

/// A game made of chance: where a move leads, who moves there, whether it is the end and who has
/// won is decided by a hash of the seed. Positions are numbered within their ply.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Maze {
    pub seed: u64,
    /// Moves of a position: at most so many.
    pub width: u8,
    /// Plies of the longest game.
    pub height: u8,
    /// Positions on a ply: a small number makes paths meet, a large one makes a tree.
    pub rooms: u64,
    /// Does the game count points?
    pub points: bool,
    /// May a side move twice in a row?
    pub irregular: bool,
    /// Go back to the first ply from the last one, instead of ending: a graph with cycles.
    pub cycles: bool,
    /// What the rules say of positions that come back.
    pub repetition: Repetition,
}

impl Default for Maze {
    fn default() -> Maze {
        Maze {
            seed: 0,
            width: 4,
            height: 6,
            rooms: u64::MAX,
            points: false,
            irregular: false,
            cycles: false,
            repetition: Repetition::Allowed,
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Room {
    pub ply: u8,
    pub number: u64,
    pub side: Side,
}

impl Maze {
    fn chance(&self, room: &Room, stream: u64) -> u64 {
        let place = mix(room.number ^ mix(u64::from(room.ply) << 8 | room.side.index() as u64));
        mix(self.seed ^ mix(place ^ mix(stream)))
    }
}

impl Game for Maze {
    type Position = Room;
    type Move = u8;

    fn spec(&self) -> String {
        "maze".to_string()
    }
    fn title(&self) -> String {
        "Maze".to_string()
    }
    fn start(&self) -> Room {
        Room { ply: 0, number: 0, side: Side::First }
    }
    fn to_move(&self, p: &Room) -> Side {
        p.side
    }
    fn outcome(&self, p: &Room) -> Option<Outcome> {
        let early = p.ply > 0 && self.chance(p, 100).is_multiple_of(8);
        if !early && (p.ply < self.height || self.cycles) {
            return None;
        }
        let chance = self.chance(p, 101) % 13;
        if self.points {
            return Some(Outcome::by_points(chance as f32 / 2.0 - 3.0, "the end"));
        }
        Some(match chance {
            0..5 => Outcome::win(Side::First, "the end"),
            5..10 => Outcome::win(Side::Second, "the end"),
            _ => Outcome::draw("the end"),
        })
    }
    fn moves(&self, p: &Room, out: &mut Vec<u8>) {
        if self.outcome(p).is_none() {
            out.extend(0..=(self.chance(p, 102) % u64::from(self.width)) as u8);
        }
    }
    fn play(&self, p: &mut Room, mv: u8) {
        let chance = self.chance(p, u64::from(mv));
        let again = self.irregular && chance >> 60 < 4;
        let ply = if self.cycles { (p.ply + 1) % self.height } else { p.ply + 1 };
        let side = if again { p.side } else { p.side.other() };
        *p = Room { ply, number: chance % self.rooms, side };
    }
    fn write_move(&self, _: &Room, mv: u8) -> String {
        mv.to_string()
    }
    fn read_move(&self, p: &Room, text: &str) -> Result<u8, TextError> {
        read_legal(self, p, text)
    }
    fn write_position(&self, p: &Room) -> String {
        format!("{p:?}")
    }
    fn read_position(&self, text: &str) -> Result<Room, TextError> {
        Err(TextError::new(0, "nothing: tests do not read positions", text))
    }
    fn picture(&self, _: &Room) -> Picture {
        one_cell()
    }
    fn repetition(&self) -> Repetition {
        self.repetition
    }
    /// The room alone, whoever is to move: so a move may be a pass.
    fn repetition_key(&self, p: &Room) -> u64 {
        mix(p.number ^ mix(u64::from(p.ply)))
    }
}

/// Estimates made of chance, with many ties.
pub(crate) struct MazeGuide;

/// The same, with forcing moves and pressed sides.
pub(crate) struct RestlessGuide;

impl Evaluator<Maze> for RestlessGuide {
    fn evaluate(&self, maze: &Maze, p: &Room) -> i32 {
        MazeGuide.evaluate(maze, p)
    }
}

impl Guide<Maze> for RestlessGuide {
    fn forcing(&self, maze: &Maze, p: &Room, out: &mut Vec<u8>) {
        maze.moves(p, out);
        out.retain(|&mv| maze.chance(p, 300 + u64::from(mv)).is_multiple_of(2));
    }
    fn pressed(&self, maze: &Maze, p: &Room) -> bool {
        maze.chance(p, 104).is_multiple_of(5)
    }
}

impl Evaluator<Maze> for MazeGuide {
    fn evaluate(&self, maze: &Maze, p: &Room) -> i32 {
        (maze.chance(p, 103) % 41) as i32 * 10 - 200
    }
}

impl Guide<Maze> for MazeGuide {
    fn promise(&self, maze: &Maze, p: &Room, mv: u8) -> i32 {
        (maze.chance(p, 200 + u64::from(mv)) % 300) as i32
    }
}
