//! Which boards are the same but for a turn or a reflection?
//!
//! [`Group`] closes the axes that a game names into a group of field permutations. [`Orbits`] is
//! the symmetry table of §4.7 of Bahnsen's thesis: the boards of one kind of piece in ascending
//! order, of which only the first of each class of equivalent boards is entered. For one king on
//! the chess board it holds the fields 0, 1, 2, 3, 9, 10, 11, 18, 19, 27.

use crate::combination::{binomial, rank, unrank};
use std::collections::HashMap;
use zug_core::indexed::FieldMap;

/// More symmetries than any board has; a game that claims more is in error.
const MOST_ELEMENTS: usize = 1024;

/// All products of some field permutations. Element 0 is the identity.
#[derive(Debug)]
pub(crate) struct Group {
    maps: Vec<[u8; 64]>,
    inverse: Vec<u16>,
    /// `product[a][b]`: first b, then a.
    product: Vec<Vec<u16>>,
}

impl Group {
    /// The group that the axes generate; the error says which axis is no permutation, or that
    /// there are too many elements.
    pub(crate) fn generate(fields: u32, axes: &[FieldMap]) -> Result<Group, String> {
        let mut generators = Vec::new();
        for (i, axis) in axes.iter().enumerate() {
            generators.push(permutation(fields, axis).ok_or(format!("axis {i}"))?);
        }
        let identity = std::array::from_fn(|f| f as u8);
        let mut maps: Vec<[u8; 64]> = vec![identity];
        let mut number: HashMap<[u8; 64], u16> = HashMap::from([(identity, 0)]);
        let mut next = 0;
        while next < maps.len() {
            for generator in &generators {
                let map = compose(generator, &maps[next]);
                if maps.len() > MOST_ELEMENTS {
                    return Err(format!("more than {MOST_ELEMENTS} symmetries"));
                }
                number.entry(map).or_insert_with(|| {
                    maps.push(map);
                    maps.len() as u16 - 1
                });
            }
            next += 1;
        }
        let product: Vec<Vec<u16>> =
            maps.iter().map(|a| maps.iter().map(|b| number[&compose(a, b)]).collect()).collect();
        let inverse = product
            .iter()
            .map(|row| row.iter().position(|&p| p == 0).expect("a group has inverses") as u16)
            .collect();
        Ok(Group { maps, inverse, product })
    }

    pub(crate) fn len(&self) -> usize {
        self.maps.len()
    }

    /// The image of a board.
    pub(crate) fn apply(&self, element: u16, board: u64) -> u64 {
        if element == 0 { board } else { apply(&self.maps[usize::from(element)], board) }
    }
}

/// Checks that a map is a permutation of the fields and extends it to 64.
pub(crate) fn permutation(fields: u32, map: &[u8]) -> Option<[u8; 64]> {
    let mut hit = 0u64;
    for &to in map {
        if u32::from(to) >= fields || hit >> to & 1 == 1 {
            return None;
        }
        hit |= 1 << to;
    }
    let whole = map.len() == fields as usize;
    whole.then(|| std::array::from_fn(|f| map.get(f).copied().unwrap_or(f as u8)))
}

/// First `b`, then `a`.
fn compose(a: &[u8; 64], b: &[u8; 64]) -> [u8; 64] {
    std::array::from_fn(|f| a[usize::from(b[f])])
}

/// The image of a board under a field map.
pub(crate) fn apply(map: &[u8; 64], board: u64) -> u64 {
    let (mut rest, mut out) = (board, 0);
    while rest != 0 {
        out |= 1 << map[rest.trailing_zeros() as usize];
        rest &= rest - 1;
    }
    out
}

/// Where a board lies in the table of representatives.
#[derive(Clone, Copy, Debug)]
struct Entry {
    class: u32,
    /// An element that takes the board to the representative of its class.
    element: u16,
}

/// The classes of equivalent boards with a number of pieces on some fields.
#[derive(Debug)]
pub(crate) struct Orbits {
    fields: u64,
    /// The lowest board of each class, ascending.
    representatives: Vec<u64>,
    /// By class: which of the `stabilisers` leaves the representative as it is.
    stabiliser: Vec<u16>,
    /// The different sets of elements that leave a board as it is.
    stabilisers: Vec<Vec<u16>>,
    entries: Vec<Entry>,
}

impl Orbits {
    /// Goes through all boards in ascending order and strikes the images of each new one. The
    /// group must map `fields` to itself.
    pub(crate) fn new(group: &Group, fields: u64, pieces: u32) -> Orbits {
        const STRUCK: u32 = u32::MAX;
        let boards = binomial(fields.count_ones(), pieces);
        let mut entries = vec![Entry { class: STRUCK, element: 0 }; boards as usize];
        let (mut representatives, mut stabiliser) = (Vec::new(), Vec::new());
        let mut stabilisers: Vec<Vec<u16>> = Vec::new();
        for number in 0..boards {
            if entries[number as usize].class != STRUCK {
                continue;
            }
            let board = unrank(number, pieces, fields).expect("the number is in range");
            let mut fixing = Vec::new();
            for element in 0..group.len() as u16 {
                let image = group.apply(element, board);
                if image == board {
                    fixing.push(element);
                }
                let entry = &mut entries[rank(image, fields) as usize];
                if entry.class == STRUCK {
                    let element = group.inverse[usize::from(element)];
                    *entry = Entry { class: representatives.len() as u32, element };
                }
            }
            let known = stabilisers.iter().position(|s| *s == fixing).unwrap_or_else(|| {
                stabilisers.push(fixing);
                stabilisers.len() - 1
            });
            stabiliser.push(known as u16);
            representatives.push(board);
        }
        Orbits { fields, representatives, stabiliser, stabilisers, entries }
    }

    pub(crate) fn classes(&self) -> u64 {
        self.representatives.len() as u64
    }

    pub(crate) fn representative(&self, class: u64) -> u64 {
        self.representatives[class as usize]
    }

    /// The elements that leave the representative of a class as it is.
    pub(crate) fn fixing(&self, class: u64) -> &[u16] {
        &self.stabilisers[usize::from(self.stabiliser[class as usize])]
    }

    /// The class of a board, and every element that takes it to the representative.
    pub(crate) fn locate<'a>(
        &'a self,
        group: &'a Group,
        board: u64,
    ) -> (u64, impl Iterator<Item = u16> + 'a) {
        let entry = self.entries[rank(board, self.fields) as usize];
        let stabiliser = usize::from(self.stabiliser[entry.class as usize]);
        let elements = self.stabilisers[stabiliser]
            .iter()
            .map(move |&s| group.product[usize::from(s)][usize::from(entry.element)]);
        (u64::from(entry.class), elements)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::indexed::maps;

    fn chess_group() -> Group {
        let axes = [maps::left_right(8, 8), maps::up_down(8, 8), maps::falling_diagonal(8)];
        Group::generate(64, &axes).unwrap()
    }

    #[test]
    fn the_board_has_eight_symmetries_whatever_axes_are_named() {
        assert_eq!(chess_group().len(), 8);
        let all = [
            maps::left_right(8, 8),
            maps::up_down(8, 8),
            maps::falling_diagonal(8),
            maps::rising_diagonal(8),
        ];
        assert_eq!(Group::generate(64, &all).unwrap().len(), 8);
        assert_eq!(Group::generate(64, &all[..1]).unwrap().len(), 2);
        assert_eq!(Group::generate(64, &[]).unwrap().len(), 1);
    }

    #[test]
    fn maps_that_are_no_permutations_are_refused() {
        assert!(Group::generate(4, &[vec![0, 1, 2]]).is_err(), "too short");
        assert!(Group::generate(4, &[vec![0, 1, 2, 2]]).is_err(), "not one to one");
        assert!(Group::generate(4, &[vec![0, 1, 2, 4]]).is_err(), "off the board");
    }

    #[test]
    fn the_table_of_one_king_holds_ten_fields() {
        let group = chess_group();
        let orbits = Orbits::new(&group, u64::MAX, 1);
        let fields: Vec<u32> =
            orbits.representatives.iter().map(|board| board.trailing_zeros()).collect();
        assert_eq!(fields, [0, 1, 2, 3, 9, 10, 11, 18, 19, 27]);
    }

    #[test]
    fn every_element_given_for_a_board_takes_it_to_the_representative() {
        let group = chess_group();
        let orbits = Orbits::new(&group, u64::MAX, 2);
        let mut members = vec![0; orbits.classes() as usize];
        for number in 0..binomial(64, 2) {
            let board = unrank(number, 2, u64::MAX).unwrap();
            let (class, elements) = orbits.locate(&group, board);
            members[class as usize] += 1;
            let elements: Vec<u16> = elements.collect();
            let all = (0..8).filter(|&e| group.apply(e, board) == orbits.representative(class));
            let mut sorted = elements.clone();
            sorted.sort_unstable();
            assert_eq!(sorted, all.collect::<Vec<u16>>());
        }
        // The size of an orbit times the size of the stabiliser is the size of the group.
        for (class, &size) in members.iter().enumerate() {
            let stabiliser = &orbits.stabilisers[usize::from(orbits.stabiliser[class])];
            assert_eq!(size * stabiliser.len(), 8);
        }
    }
}
