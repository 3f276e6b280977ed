//! The symmetries that a machine finds are those that the games declare.

use zug_core::Indexed;
use zug_games::{Dodgem, Hexapawn, KInARow, Morris};
use zug_solve::symmetry::symmetries;

/// How many board symmetries and colour swaps hold; none is declared wrongly or forgotten.
fn count<G: Indexed>(game: &G) -> (usize, usize) {
    let report = symmetries(game, 1).unwrap();
    assert_eq!(report.wrong, [], "{}", game.title());
    assert_eq!(report.missing, [], "{}", game.title());
    let swaps = report.holding.iter().filter(|found| found.swaps).count();
    (report.holding.len() - swaps, swaps)
}

#[test]
fn boards_have_the_symmetries_that_are_declared() {
    assert_eq!(count(&KInARow::new(3, 3, 3, false).unwrap()), (8, 0));
    assert_eq!(count(&KInARow::new(4, 4, 3, true).unwrap()), (8, 0));
    assert_eq!(count(&KInARow::new(5, 4, 4, false).unwrap()), (4, 0));
    assert_eq!(count(&Dodgem::new(4).unwrap()), (1, 1), "only the swap on the rising diagonal");
    assert_eq!(count(&Hexapawn::new(4, 4).unwrap()), (2, 2));
}

#[test]
fn a_board_that_is_no_grid_gets_its_symmetries_from_its_lines() {
    // Eight of the square, times inner and outer ring. The colour swap holds only once all men are
    // placed, so it is none of the whole game.
    assert_eq!(count(&Morris::new(4).unwrap()), (16, 0));
}
