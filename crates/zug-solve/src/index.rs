//! Positions of a game to numbers and back.

use crate::space::{FEW_KINDS, IndexError, MOST_KINDS, Options, Space};
use zug_core::Indexed;

/// The general index of a game.
#[derive(Debug)]
pub struct Index<G: Indexed> {
    game: G,
    space: Space,
}

/// What a slot of an index holds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Slot<P> {
    /// A position.
    Position(P),
    /// A position that is the same as that of a lower slot, by symmetry.
    Duplicate(u64),
    /// No position that the rules know.
    Illegal,
}

impl<G: Indexed> Index<G> {
    /// Builds the index of a game.
    pub fn new(game: &G, options: Options) -> Result<Index<G>, IndexError> {
        Ok(Index { game: game.clone(), space: Space::new(&game.layout(), options)? })
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &G {
        &self.game
    }

    /// The slots and sub-databases behind it.
    #[must_use]
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// The number of slots.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.space.size()
    }

    /// The index of a position; equivalent positions have the same, the lowest. `None` for
    /// positions outside the layout.
    #[must_use]
    pub fn index_of(&self, position: &G::Position) -> Option<u64> {
        // Most games have few kinds, and clearing room for many takes longer than the rest.
        if self.space.kinds() <= FEW_KINDS {
            self.index_in(position, &mut [0; FEW_KINDS])
        } else {
            self.index_in(position, &mut [0; MOST_KINDS])
        }
    }

    fn index_in(&self, position: &G::Position, boards: &mut [u64]) -> Option<u64> {
        let boards = &mut boards[..self.space.kinds()];
        self.game.boards(position, boards);
        self.space.index(boards, self.game.to_move(position))
    }

    /// The position of a slot, whether or not a lower slot holds its equal; `None` if the rules
    /// know no such position.
    #[must_use]
    pub fn position(&self, index: u64) -> Option<G::Position> {
        if self.space.kinds() <= FEW_KINDS {
            self.position_in(index, &mut [0; FEW_KINDS])
        } else {
            self.position_in(index, &mut [0; MOST_KINDS])
        }
    }

    fn position_in(&self, index: u64, boards: &mut [u64]) -> Option<G::Position> {
        let boards = &mut boards[..self.space.kinds()];
        let side = self.space.boards(index, boards)?;
        self.game.position_of(boards, side)
    }

    /// What a slot holds.
    #[must_use]
    pub fn slot(&self, index: u64) -> Slot<G::Position> {
        let Some(position) = self.position(index) else { return Slot::Illegal };
        match self.index_of(&position) {
            Some(lowest) if lowest != index => Slot::Duplicate(lowest),
            _ => Slot::Position(position),
        }
    }
}
