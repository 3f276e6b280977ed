//! How many more moves will need time?

use crate::{Othello, Position};

/// From about so many empty squares on a position is solved, and the moves after it cost nothing.
const SOLVED: u32 = 22;
/// Moves near the solved stage that are worth more time than others: the decision falls there.
const DECISIVE: u32 = 3;

/// A guess at the number of moves of one side that the time left must last for.
pub(super) fn moves_left(position: &Position) -> u32 {
    let empties = Othello::default().empty(position).count_ones();
    match empties.saturating_sub(SOLVED) / 2 {
        0 => (empties / 8).max(1),
        before => before + DECISIVE,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::Game;

    #[test]
    fn time_is_kept_for_the_moves_before_the_position_is_solved() {
        let game = Othello::default();
        let late = "XXXOXXXXOXXXXXXXOOXXXXXXOOOXXXXXOOOXXOO-OOOOO---OOOOOOO-OOOOOOO- X";
        assert_eq!(moves_left(&game.start()), 22);
        assert_eq!(moves_left(&game.read_position(late).unwrap()), 1);
    }
}
