//! What do tables over groups of cells say of a single cell? A weight belongs to what stands on all
//! cells of a group together; on a board stands how much the mean of those weights changes when
//! something is known to stand on one cell: the mean of the weights in use with it there, less the
//! mean of all in use, added up over all groups that look at the cell.

use super::picture;
use super::tuples::NTuples;
use crate::weights::Board;
use zug_core::{Game, Owner};

/// Sums of weights in use.
#[derive(Clone, Copy, Default)]
struct Mean {
    sum: f64,
    count: u64,
}

impl Mean {
    fn add(&mut self, weight: f32) {
        self.sum += f64::from(weight);
        self.count += 1;
    }

    fn value(self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

/// The boards of each side's tables, or of those of both.
pub(super) fn boards<G: Game>(
    tuples: &NTuples<G>,
    game: &G,
    weights: &[f32],
) -> Vec<(String, Vec<Board>)> {
    let sides: &[&str] = match tuples.board.apart {
        true => &["the first side to move", "the second side to move"],
        false => &["the side to move"],
    };
    let of_side = |(number, side): (usize, &&str)| {
        let own = weights.get(number * tuples.each..(number + 1) * tuples.each)?;
        let boards = (1..tuples.board.contents).filter_map(|c| board(tuples, game, own, c));
        Some(((*side).to_string(), boards.collect::<Vec<Board>>()))
    };
    let found = sides.iter().enumerate().filter_map(of_side);
    found.filter(|(_, boards)| !boards.is_empty()).collect()
}

/// The board of one thing that can stand on a cell.
fn board<G: Game>(tuples: &NTuples<G>, game: &G, weights: &[f32], content: usize) -> Option<Board> {
    let effects = effects(tuples, weights, content);
    let picture = game.picture(&game.start());
    let mut any = false;
    let cells = (0..picture.cells.len()).map(|cell| {
        if picture.cells[cell].owner == Owner::Outside {
            return None;
        }
        let name = picture::name(&picture, cell);
        let place = tuples.board.names.iter().position(|n| *n == name)?;
        any |= effects[place].is_some();
        effects[place]
    });
    let board = Board {
        columns: picture.column_labels.clone(),
        rows: picture.row_labels.clone(),
        ..Board::new(tuples.board.content(content), picture.width, cells.collect())
    };
    any.then(|| {
        board.about(
            "How much the mean of the weights changes when it stands there; fields as the side to \
             move sees them",
        )
    })
}

/// For each cell by how much the thing changes the mean weight there; nothing where it was never met.
fn effects<G: Game>(tuples: &NTuples<G>, weights: &[f32], content: usize) -> Vec<Option<f64>> {
    let radix = tuples.board.contents;
    let mut effects: Vec<Option<f64>> = vec![None; tuples.board.names.len()];
    for table in tuples.tables.iter().filter(|t| t.length > 0) {
        let size = radix.pow(table.length as u32);
        let own = &weights[table.offset as usize..][..size];
        let mut all = Mean::default();
        let mut with = vec![Mean::default(); table.length];
        for (place, &weight) in own.iter().enumerate().filter(|(_, w)| **w != 0.0) {
            all.add(weight);
            let mut rest = place;
            for mean in with.iter_mut().rev() {
                if rest % radix == content {
                    mean.add(weight);
                }
                rest /= radix;
            }
        }
        let Some(all) = all.value() else { continue };
        for image in table.cells.chunks_exact(table.length) {
            for (&cell, mean) in image.iter().zip(&with) {
                if let Some(mean) = mean.value() {
                    *effects[usize::from(cell)].get_or_insert(0.0) += mean - all;
                }
            }
        }
    }
    effects
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::td::features::Features;
    use crate::td::tests::games::Sticks;

    #[test]
    fn a_field_shows_the_mean_change_of_all_weights_in_use() {
        let game = Sticks(3);
        let tuples = NTuples::of(&game);
        // One table over three cells for each side: nothing, own or other on each.
        let mut weights = vec![0.0; tuples.count()];
        let first = tuples.tables[1].offset as usize;
        for place in 0..27 {
            let own_on_first = place / 9 == 1;
            weights[first + place] = if own_on_first { 3.0 } else { -1.5 };
        }
        let sets = tuples.boards(&game, &weights);
        assert_eq!(sets.len(), 1, "the second side has learned nothing");
        let (name, boards) = &sets[0];
        assert_eq!((name.as_str(), boards.len()), ("the first side to move", 2));
        assert_eq!((boards[0].title.as_str(), boards[0].width), ("own", 3));
        assert_eq!(boards[0].cells, [Some(3.0), Some(0.0), Some(0.0)]);
        assert_eq!(boards[1].cells, [Some(-1.5), Some(0.0), Some(0.0)]);
    }
}
