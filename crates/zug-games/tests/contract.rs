//! Successors and predecessors of cells name each other, also where symmetries come and go.

use std::collections::HashMap;
use zug_core::seed::RngExt;
use zug_core::{Indexed, Retro, rng};
use zug_games::{Hexapawn, KInARow, Morris};
use zug_solve::{Cells, Content, GameCells, Index, Options};

/// For some open cells p: every successor of p names p as often as p names it.
fn holds<G: Indexed + Retro>(game: &G) {
    let cells = GameCells::new(Index::new(game, Options::default()).unwrap());
    let (mut scratch, mut rng) = (cells.scratch(), rng(1, 0));
    let everything = 0..cells.size();
    let mut seen = 0;
    // As many from every part: the largest would be all that is seen.
    for part in cells.index().space().parts() {
        for _ in 0..30 {
            let p = part.base() + rng.random_range(0..part.size());
            if cells.content(p, &mut scratch) != Content::Open {
                continue;
            }
            seen += 1;
            let mut after = Vec::new();
            cells.successors(p, &mut scratch, &mut after);
            let mut named: HashMap<u64, usize> = HashMap::new();
            for q in after {
                *named.entry(q).or_default() += 1;
            }
            for (q, times) in named {
                let mut before = Vec::new();
                cells.predecessors(q, &everything, &mut scratch, &mut before);
                let back = before.iter().filter(|&&cell| cell == p).count();
                assert_eq!(back, times, "{}: {p} to {q}", game.title());
            }
        }
    }
    assert!(seen > 30, "{}: {seen}", game.title());
}

#[test]
fn cells_name_each_other() {
    holds(&Morris::new(3).unwrap());
    holds(&Hexapawn::new(4, 4).unwrap());
    holds(&KInARow::new(4, 4, 3, true).unwrap());
}
