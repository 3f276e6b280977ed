//! What a game author writes: the rules, the notation, a picture. Everything else follows.

use crate::{Outcome, Picture, Side, TextError};
use std::fmt::Debug;
use std::hash::{Hash, Hasher};

/// The rules and the notation of a game. A value of this type holds the options (board size, komi,
/// rule variants); positions are plain data that hold no history.
///
/// Contract, tested by `zug games check`:
/// * [`moves`](Game::moves) is empty exactly when [`outcome`](Game::outcome) is `Some`. A side
///   that must skip its turn has one move, the pass.
/// * the order of `moves` depends on the position alone (search stores a move as its rank in it);
/// * positions and moves survive being written and read.
pub trait Game: Clone + Send + Sync + 'static {
    /// All that the rules need to go on, side to move included, history excluded.
    type Position: Clone + Eq + Hash + Debug + Send + Sync + 'static;
    /// A move.
    type Move: Copy + Eq + Hash + Debug + Send + Sync + 'static;

    /// The name under which this game with these options is opened again: `othello`, `dodgem:4x4`.
    fn spec(&self) -> String;

    /// The name for people: "Othello", "Dodgem 4×4".
    fn title(&self) -> String;

    /// The start position.
    fn start(&self) -> Self::Position;

    /// The side to move.
    fn to_move(&self, position: &Self::Position) -> Side;

    /// Has the game ended here, by this position alone? (Repetition is judged by
    /// [`Line`](crate::Line).)
    fn outcome(&self, position: &Self::Position) -> Option<Outcome>;

    /// Appends all legal moves; none when the game has ended.
    fn moves(&self, position: &Self::Position, out: &mut Vec<Self::Move>);

    /// Plays a legal move. (What happens with others is unspecified, but is no undefined
    /// behaviour.)
    fn play(&self, position: &mut Self::Position, mv: Self::Move);

    /// Writes a move that is legal in `position`.
    fn write_move(&self, position: &Self::Position, mv: Self::Move) -> String;

    /// The same as people like to read it ("Nf3", where programs write "g1f3"). Need not be read
    /// back.
    fn show_move(&self, position: &Self::Position, mv: Self::Move) -> String {
        self.write_move(position, mv)
    }

    /// Reads a move and checks that it is legal.
    fn read_move(&self, position: &Self::Position, text: &str) -> Result<Self::Move, TextError>;

    /// Writes a position on one line.
    fn write_position(&self, position: &Self::Position) -> String;

    /// Reads a position and checks that it can be played on.
    fn read_position(&self, text: &str) -> Result<Self::Position, TextError>;

    /// Draws a position.
    fn picture(&self, position: &Self::Position) -> Picture;

    /// The cells of the [`picture`](Game::picture) that a move touches, source first where it has
    /// one, target last: for highlighting, and for clicking moves together.
    fn move_cells(&self, position: &Self::Position, mv: Self::Move) -> Vec<usize> {
        let _ = (position, mv);
        Vec::new()
    }

    /// A 64-bit key of a position: equal positions have equal keys. Games that are searched fast
    /// override this with an incremental key.
    fn key(&self, position: &Self::Position) -> u64 {
        let mut hasher = KeyHasher(0);
        position.hash(&mut hasher);
        hasher.finish()
    }

    /// What people call a side.
    fn side_name(&self, side: Side) -> &'static str {
        match side {
            Side::First => "white",
            Side::Second => "black",
        }
    }

    /// The value of one of the game's options by its name in the spec, also where it is the default
    /// and [`spec`](Game::spec) leaves it out: what a protocol must tell an engine (`komi`).
    fn option(&self, name: &str) -> Option<String> {
        let _ = name;
        None
    }

    /// What the rules say about positions that come back.
    fn repetition(&self) -> Repetition {
        Repetition::Allowed
    }

    /// The key by which positions are compared for [`repetition`](Game::repetition).
    fn repetition_key(&self, position: &Self::Position) -> u64 {
        self.key(position)
    }

    /// How many plies back an equal position can lie: the number of moves since the last one that
    /// cannot be undone. Only a speed-up.
    fn reversible_plies(&self, position: &Self::Position) -> usize {
        let _ = position;
        usize::MAX
    }

    /// What a game that ended earlier adds to [`perft`](Game::perft): nothing, as chess players
    /// count, unless the published counts of a game do otherwise.
    fn finished_leaves(&self) -> u64 {
        0
    }

    /// How people would count this position if both sides stopped here, for games where that is a
    /// matter of judgement (dead stones in Go); `None` where the rules alone decide. The judgement
    /// may throw dice, hence the seed.
    fn settle(&self, position: &Self::Position, seed: u64) -> Option<Settlement> {
        let _ = (position, seed);
        None
    }

    /// How the side to move gives its turn away without moving, as protocols want it that let one
    /// side move twice in a row: the move that stands for it in a record, and the position after
    /// it, in which no rule takes it for a move. `None` where the rules leave no room for it.
    fn hand_over(&self, position: &Self::Position) -> Option<(Self::Move, Self::Position)> {
        let _ = position;
        None
    }

    /// Counts the leaves of the move tree at a depth (a finished game above that depth counts
    /// [`finished_leaves`](Game::finished_leaves)). Games override it to count faster.
    fn perft(&self, position: &Self::Position, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut moves = Vec::new();
        self.moves(position, &mut moves);
        if moves.is_empty() {
            return self.finished_leaves();
        }
        if depth == 1 {
            return moves.len() as u64;
        }
        moves
            .into_iter()
            .map(|mv| {
                let mut next = position.clone();
                self.play(&mut next, mv);
                self.perft(&next, depth - 1)
            })
            .sum()
    }
}

/// How a position would be counted if both sides stopped playing.
#[derive(Clone, Debug, PartialEq)]
pub struct Settlement {
    /// Who would have won.
    pub outcome: Outcome,
    /// Cells of the [`picture`](Game::picture) whose pieces would be taken off as captured.
    pub dead: Vec<usize>,
    /// Cells of the picture that would belong to each side without a piece of its own on them, those
    /// of captured pieces included.
    pub territory: [Vec<usize>; 2],
}

/// What happens when a position comes back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Repetition {
    /// Nothing.
    Allowed,
    /// The game is drawn when a position occurs this many times.
    Draw(u32),
    /// A move that would bring a position back is illegal (superko). A pass never counts.
    Forbidden,
}

/// Symmetries of the board that keep colours and side to move.
pub trait Symmetric: Game {
    /// How many, the identity included (number 0).
    fn symmetries(&self) -> usize;
    /// The image of a position.
    fn map_position(&self, symmetry: usize, position: &Self::Position) -> Self::Position;
    /// The image of a move.
    fn map_move(&self, symmetry: usize, mv: Self::Move) -> Self::Move;
}

/// Moves backwards.
pub trait Retro: Game {
    /// Appends every position from which one legal move leads here, each once.
    fn predecessors(&self, position: &Self::Position, out: &mut Vec<Self::Position>);
}

/// A plain multiplicative hasher for default keys: the same on every run and machine.
struct KeyHasher(u64);

impl Hasher for KeyHasher {
    fn finish(&self) -> u64 {
        crate::seed::mix(self.0)
    }
    fn write(&mut self, bytes: &[u8]) {
        for chunk in bytes.chunks(8) {
            let mut word = [0; 8];
            word[..chunk.len()].copy_from_slice(chunk);
            self.write_u64(u64::from_le_bytes(word));
        }
    }
    fn write_u8(&mut self, i: u8) {
        self.write_u64(u64::from(i));
    }
    fn write_u16(&mut self, i: u16) {
        self.write_u64(u64::from(i));
    }
    fn write_u32(&mut self, i: u32) {
        self.write_u64(u64::from(i));
    }
    fn write_u64(&mut self, i: u64) {
        self.0 = crate::seed::mix(self.0.rotate_left(23) ^ i ^ 0x517C_C1B7_2722_0A95);
    }
    fn write_usize(&mut self, i: usize) {
        self.write_u64(i as u64);
    }
}
