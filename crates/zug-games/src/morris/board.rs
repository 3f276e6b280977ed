//! The board of nine men's morris: which fields are neighbours, which make a mill, how they are
//! called. The numbering is drawn in the parent module.

use crate::grid::bits;
use std::sync::LazyLock;
use zug_core::indexed::FieldMap;

/// The lines of the board, worked out once.
pub(super) struct Board {
    /// The free neighbours of each field.
    pub(super) neighbours: [u64; 24],
    /// The other two fields of the two mills through each field.
    pub(super) mills: [[u64; 2]; 24],
    /// Column and row (from the top) of each field in the picture.
    pub(super) places: [(usize, usize); 24],
    /// Fields in the order of writing: row by row from the top left.
    pub(super) reading: [usize; 24],
    pub(super) symmetries: Vec<FieldMap>,
}

pub(super) static BOARD: LazyLock<Board> = LazyLock::new(|| {
    let field = |ring: usize, place: usize| ring * 8 + place % 8;
    let mut mills: Vec<u64> = Vec::new();
    for ring in 0..3 {
        for corner in [0, 2, 4, 6] {
            let side = [0, 1, 2].map(|i| field(ring, corner + i));
            mills.push(side.iter().fold(0, |m, f| m | 1 << f));
        }
    }
    for place in [1, 3, 5, 7] {
        mills.push((0..3).fold(0, |m, ring| m | 1 << field(ring, place)));
    }
    let through = |f: usize| {
        let mut own = mills.iter().filter(|m| *m >> f & 1 == 1).map(|m| m & !(1 << f));
        [0; 2].map(|_| own.next().expect("two mills meet in every field"))
    };
    let neighbours = |f: usize| {
        let (ring, place) = (f / 8, f % 8);
        let around = 1 << field(ring, place + 1) | 1 << field(ring, place + 7);
        let inwards = if place % 2 == 1 && ring < 2 { 1 << (f + 8) } else { 0 };
        let outwards = if place % 2 == 1 && ring > 0 { 1 << (f - 8) } else { 0 };
        around | inwards | outwards
    };
    let place = |f: usize| {
        let reach = 3 - f / 8;
        let (right, down) =
            [(-1, -1), (0, -1), (1, -1), (1, 0), (1, 1), (0, 1), (-1, 1), (-1, 0)][f % 8];
        let at = |direction: i32| (3 + direction * reach as i32) as usize;
        (at(right), at(down))
    };
    let places: [(usize, usize); 24] = std::array::from_fn(place);
    let mut reading: [usize; 24] = std::array::from_fn(|f| f);
    reading.sort_by_key(|&f| (places[f].1, places[f].0));
    let mut symmetries = Vec::new();
    for inside_out in [false, true] {
        for reflected in [false, true] {
            for turn in [0, 2, 4, 6] {
                let map = (0..24).map(|f| {
                    let (ring, place) = (f / 8, f % 8);
                    let ring = if inside_out { 2 - ring } else { ring };
                    let place = if reflected { 8 - place } else { place };
                    field(ring, place + turn) as u8
                });
                symmetries.push(map.collect());
            }
        }
    }
    let mills = std::array::from_fn(through);
    Board { neighbours: std::array::from_fn(neighbours), mills, places, reading, symmetries }
});

/// Does a man of this side on this field stand in a mill?
pub(super) fn in_mill(men: u64, field: usize) -> bool {
    let [a, b] = BOARD.mills[field];
    men & a == a || men & b == b
}

/// The men of a side that may be taken: those outside mills, or all if there are no others.
pub(super) fn takeable(men: u64) -> u64 {
    let open = bits(men).filter(|&f| !in_mill(men, f)).fold(0, |m, f| m | 1 << f);
    if open == 0 { men } else { open }
}

pub(super) fn name(field: usize) -> String {
    let (column, row) = BOARD.places[field];
    format!("{}{}", char::from(b'a' + column as u8), 7 - row)
}
