//! How many positions are there in which every chain has a liberty?
//!
//! Counted without looking at each: the board is filled point by point, row by row, and all
//! fillings that look the same from the points to come are counted together (the method of Tromp
//! and Farnebäck, "Combinatorics of Go"). What matters is, for the last `size` points, whether each
//! is empty, a stone whose chain has a liberty, or a stone whose chain still needs one, and which
//! of the latter belong together.

use std::collections::HashMap;

/// The largest board that is counted.
pub const LARGEST: usize = 8;

const EMPTY: u8 = 0;
/// A black (white: + 1) stone whose chain has a liberty.
const SAFE: u8 = 1;
/// A black (white: + 1) stone of the first chain that needs one; + 2 for every further chain.
const NEEDY: u8 = 3;

/// What the points to come can see: the last point of each column.
type Edge = [u8; LARGEST];

/// Legal positions on a board of this size; `None` beyond 8×8.
///
/// ```
/// assert_eq!(zug_go::count::legal_positions(3), Some(12_675));
/// ```
#[must_use]
pub fn legal_positions(size: usize) -> Option<u128> {
    if !(1..=LARGEST).contains(&size) {
        return None;
    }
    let mut edges: HashMap<Edge, u128> = HashMap::from([([EMPTY; LARGEST], 1)]);
    for y in 0..size {
        for x in 0..size {
            let mut next = HashMap::with_capacity(2 * edges.len());
            for (edge, count) in &edges {
                for colour in 0..3 {
                    if let Some(edge) = add_point(*edge, size, x, y > 0, colour) {
                        *next.entry(edge).or_default() += count;
                    }
                }
            }
            edges = next;
        }
    }
    let all_breathe = |edge: &Edge| edge[..size].iter().all(|&c| c < NEEDY);
    Some(edges.into_iter().filter(|(edge, _)| all_breathe(edge)).map(|(_, n)| n).sum())
}

/// 0 for black, 1 for white.
fn colour_of(cell: u8) -> u8 {
    (cell + 1) % 2
}

/// Puts an empty point (0), a black (1) or a white stone (2) in column `x`; `None` if that leaves
/// a chain without hope.
fn add_point(mut edge: Edge, size: usize, x: usize, has_up: bool, kind: u8) -> Option<Edge> {
    let up = has_up.then(|| edge[x]);
    let left = (x > 0).then(|| edge[x - 1]);
    if kind == 0 {
        for neighbour in [up, left].into_iter().flatten() {
            relabel(&mut edge, neighbour, SAFE + colour_of(neighbour));
        }
        edge[x] = EMPTY;
        return Some(canonical(edge, size));
    }
    let colour = kind - 1;
    let breathes = up == Some(EMPTY) || left == Some(EMPTY);
    // A label that no chain has yet: there are at most `size` of them.
    let mut label = if breathes { SAFE + colour } else { NEEDY + 2 * size as u8 + colour };
    for neighbour in [up, left].into_iter().flatten() {
        if neighbour == EMPTY || colour_of(neighbour) != colour {
            continue;
        }
        // One chain from now on; it breathes if either part does.
        if neighbour < NEEDY || label < NEEDY {
            relabel(&mut edge, neighbour, SAFE + colour);
            relabel(&mut edge, label, SAFE + colour);
            label = SAFE + colour;
        } else {
            relabel(&mut edge, neighbour, label);
        }
    }
    let covered = std::mem::replace(&mut edge[x], label);
    let lost = has_up && covered >= NEEDY && !edge[..size].contains(&covered);
    // A chain that was renamed by joining lives on in the new stone.
    let joined = up.is_some_and(|u| u != EMPTY && colour_of(u) == colour);
    if lost && !joined { None } else { Some(canonical(edge, size)) }
}

fn relabel(edge: &mut Edge, from: u8, to: u8) {
    if from >= NEEDY {
        for cell in edge.iter_mut().filter(|c| **c == from) {
            *cell = to;
        }
    }
}

/// Chains that need a liberty numbered in the order of columns, so that equal edges look equal.
fn canonical(mut edge: Edge, size: usize) -> Edge {
    let mut seen: Vec<u8> = Vec::with_capacity(size);
    for cell in &mut edge[..size] {
        if *cell >= NEEDY {
            let number = seen.iter().position(|&s| s == *cell).unwrap_or_else(|| {
                seen.push(*cell);
                seen.len() - 1
            });
            *cell = NEEDY + 2 * number as u8 + colour_of(*cell);
        }
    }
    edge
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Board, Point};
    use zug_core::Side;

    #[test]
    fn the_published_numbers_of_positions() {
        let published = [
            1,
            57,
            12_675,
            24_318_165,
            414_295_148_741,
            62_567_386_502_084_877,
            83_677_847_847_984_287_628_595,
        ];
        for (size, count) in (1..).zip(published) {
            assert_eq!(legal_positions(size), Some(count), "{size}x{size}");
        }
        assert_eq!(legal_positions(0), None);
        assert_eq!(legal_positions(9), None);
    }

    #[test]
    fn the_board_accepts_as_many_positions() {
        for size in 2..=3 {
            let points = size * size;
            let accepted = (0..3usize.pow(points as u32))
                .filter(|&number| {
                    let stones = (0..points).filter_map(|i| {
                        let p = Point::at(i % size, i / size);
                        let kind = number / 3usize.pow(i as u32) % 3;
                        [None, Some((p, Side::First)), Some((p, Side::Second))][kind]
                    });
                    Board::with_stones(size, stones).is_ok()
                })
                .count();
            assert_eq!(legal_positions(size), Some(accepted as u128));
        }
    }
}
