//! What does a game's picture tell about its board: what cells are called, which of them touch, and
//! which turns and reflections leave the game as it is?

use zug_core::seed::RngExt;
use zug_core::{Game, Owner, Picture, Symmetric, rng};

/// What a picture calls a cell.
pub(super) fn name(picture: &Picture, cell: usize) -> String {
    let label = |labels: &[String], i: usize| labels.get(i).cloned().unwrap_or_default();
    let column = label(&picture.column_labels, cell % picture.width);
    let row = label(&picture.row_labels, cell / picture.width);
    if column.is_empty() && row.is_empty() { cell.to_string() } else { format!("{column}{row}") }
}

/// For each cell inside the board the next one in each of the eight directions, gaps left out.
pub(super) fn neighbours(picture: &Picture, inside: &[usize]) -> Vec<Vec<u16>> {
    let (width, height) = (picture.width as i32, picture.height as i32);
    let number = |cell: usize| inside.iter().position(|&i| i == cell).map(|i| i as u16);
    let steps = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (1, -1), (-1, -1)];
    let next = |cell: usize, (right, down): (i32, i32)| {
        let (mut column, mut row) = (cell as i32 % width + right, cell as i32 / width + down);
        while (0..width).contains(&column) && (0..height).contains(&row) {
            if let Some(found) = number((row * width + column) as usize) {
                return Some(found);
            }
            (column, row) = (column + right, row + down);
        }
        None
    };
    inside.iter().map(|&cell| steps.iter().filter_map(|&step| next(cell, step)).collect()).collect()
}

/// The maps of a picture's cells that a game's symmetries are: of the eight turns and reflections
/// of the picture those that agree with the symmetries on random positions. Symmetries that are
/// none of these (turning a morris board inside out) are left out.
#[must_use]
pub fn picture_maps<G: Symmetric>(game: &G) -> Vec<Vec<u16>> {
    let picture = game.picture(&game.start());
    let (width, height) = (picture.width, picture.height);
    let inside: Vec<usize> =
        (0..picture.cells.len()).filter(|&c| picture.cells[c].owner != Owner::Outside).collect();
    let samples = samples(game, 60);
    let mut found = Vec::new();
    for turn in 0..8 {
        if turn & 4 != 0 && width != height {
            continue;
        }
        let image = |cell: usize| {
            let (mut column, mut row) = (cell % width, cell / width);
            if turn & 1 != 0 {
                column = width - 1 - column;
            }
            if turn & 2 != 0 {
                row = height - 1 - row;
            }
            if turn & 4 != 0 {
                (column, row) = (row, column);
            }
            row * width + column
        };
        let agrees = (0..game.symmetries()).any(|symmetry| {
            samples.iter().all(|position| {
                let mapped = game.picture(&game.map_position(symmetry, position));
                let plain = game.picture(position);
                (0..plain.cells.len()).all(|c| plain.cells[c].owner == mapped.cells[image(c)].owner)
            })
        });
        let map: Option<Vec<u16>> = inside
            .iter()
            .map(|&cell| inside.iter().position(|&i| i == image(cell)).map(|i| i as u16))
            .collect();
        found.extend(map.filter(|_| agrees));
    }
    found
}

/// Positions of random games.
fn samples<G: Game>(game: &G, count: usize) -> Vec<G::Position> {
    let mut rng = rng(0x7079, 1);
    let (mut found, mut position, mut moves) = (Vec::new(), game.start(), Vec::new());
    while found.len() < count {
        found.push(position.clone());
        moves.clear();
        game.moves(&position, &mut moves);
        match moves.len() {
            0 => position = game.start(),
            n => game.play(&mut position, moves[rng.random_range(0..n)]),
        }
    }
    found
}
