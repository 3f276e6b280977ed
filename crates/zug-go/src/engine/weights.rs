//! How likely is a move in a playout, by the eight cells around it and by what it answers?
//!
//! A [`PlayoutModel`] is what is learned and kept in a file: a logarithm for each kind of surroundings
//! (equal up to turning and mirroring, seen by the side to move) and for each kind of answer.
//! [`Weights`] is the same as a table that a [`Field`](super::field::Field) asks at every move.

use super::field::{CODE_BITS, CROSS};
use crate::point::Point;
use std::sync::LazyLock;

/// What a move has to do with the last one. The order is that of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Answer {
    /// Next to the last stone.
    Beside,
    /// Across a corner from it.
    Corner,
    /// Two points away in a line.
    Jump,
    /// Takes the chain of the last stone.
    Takes,
    /// Leads a chain out that the last stone left one liberty.
    Escapes,
    /// Lengthens such a chain in vain.
    Runs,
    /// Takes a chain beside such a chain.
    Rescues,
    /// A liberty of a chain that the last stone left two liberties.
    Defends,
    /// A liberty of the last stone's chain, which has two.
    Attacks,
    /// Leaves a single stone with one liberty.
    ThrowsIn,
    /// Leaves a chain of two stones or more with one liberty.
    GivesUp,
}

/// How many kinds of [`Answer`] there are.
pub const ANSWERS: usize = 11;

/// Names of the answers, for files.
pub const ANSWER_NAMES: [&str; ANSWERS] = [
    "beside",
    "corner",
    "jump",
    "takes",
    "escapes",
    "runs",
    "rescues",
    "defends",
    "attacks",
    "throws-in",
    "gives-up",
];

/// The surroundings that can be on a board, and which are the same.
pub struct Surroundings {
    /// Possible codes, each with its class.
    codes: Vec<(u32, u16)>,
    /// The smallest code of each class.
    pub classes: Vec<u32>,
    lookup: Vec<u16>,
}

/// No class: the code of no board.
const NO_CLASS: u16 = u16::MAX;

impl Surroundings {
    /// The class of a code, seen by Black; `None` where no board has it.
    #[inline]
    #[must_use]
    pub fn class(&self, code: u32) -> Option<usize> {
        let class = self.lookup[code as usize & ((1 << CODE_BITS) - 1)];
        (class != NO_CLASS).then_some(usize::from(class))
    }
}

/// The surroundings, counted once.
pub static SURROUNDINGS: LazyLock<Surroundings> = LazyLock::new(|| {
    let mut codes = Vec::new();
    // Bits of `sides`: up, left, right, down are beyond the board.
    for sides in 0..16u32 {
        fill(&mut codes, sides, 0, 0);
    }
    let mut classes: Vec<u32> =
        codes.iter().filter(|&&c| smallest_image(c) == c).copied().collect();
    classes.sort_unstable();
    classes.dedup();
    let mut lookup = vec![NO_CLASS; 1 << CODE_BITS];
    let codes: Vec<(u32, u16)> = codes
        .into_iter()
        .map(|code| {
            let class = classes.binary_search(&smallest_image(code)).expect("an image is a code");
            lookup[code as usize] = class as u16;
            (code, class as u16)
        })
        .collect();
    Surroundings { codes, classes, lookup }
});

/// Adds every way to fill the cells from the `cell`-th on.
fn fill(codes: &mut Vec<u32>, sides: u32, cell: usize, code: u32) {
    if cell == 8 {
        codes.push(code);
        return;
    }
    const BEYOND: [u32; 8] = [0b0011, 0b0001, 0b0101, 0b0010, 0b0100, 0b1010, 0b1000, 0b1100];
    if sides & BEYOND[cell] != 0 {
        return fill(codes, sides, cell + 1, code | 3 << (2 * cell));
    }
    let cross = CROSS.iter().position(|&i| i == cell);
    for colour in 0..3 {
        let code = code | colour << (2 * cell);
        fill(codes, sides, cell + 1, code);
        if let (Some(bit), 1..) = (cross, colour) {
            fill(codes, sides, cell + 1, code | 1 << (16 + bit));
        }
    }
}

fn smallest_image(code: u32) -> u32 {
    (0..8).map(|symmetry| image(code, symmetry)).min().expect("eight images")
}

/// A code seen in a mirror: bit 0 left and right, bit 1 up and down, bit 2 exchanges both.
fn image(code: u32, symmetry: u32) -> u32 {
    let mut out = 0;
    for i in 0..8 {
        // The middle is left out.
        let at = i + usize::from(i >= 4);
        let (mut x, mut y) = (at % 3, at / 3);
        if symmetry & 1 != 0 {
            x = 2 - x;
        }
        if symmetry & 2 != 0 {
            y = 2 - y;
        }
        if symmetry & 4 != 0 {
            (x, y) = (y, x);
        }
        let to = 3 * y + x;
        let to = to - usize::from(to > 4);
        out |= (code >> (2 * i) & 3) << (2 * to);
        if let (Some(from), Some(to)) =
            (CROSS.iter().position(|&c| c == i), CROSS.iter().position(|&c| c == to))
        {
            out |= (code >> (16 + from) & 1) << (16 + to);
        }
    }
    out
}

/// The code with the colours exchanged.
pub(crate) const fn exchanged(code: u32) -> u32 {
    let low = code & 0x5555;
    let high = code >> 1 & 0x5555;
    // Border (11) and empty (00) stay.
    code & 0xF_0000 | low << 1 | high
}

/// May Black not play where a point has this code: suicide, or an own eye?
pub(crate) fn is_barred(code: u32) -> bool {
    let (mut empty, mut breathes, mut own) = (false, false, true);
    for (bit, &i) in CROSS.iter().enumerate() {
        let atari = code >> (16 + bit) & 1 != 0;
        match code >> (2 * i) & 3 {
            0 => empty = true,
            1 => breathes |= !atari,
            2 => {
                breathes |= atari;
                own = false;
            }
            _ => {}
        }
    }
    if empty {
        return false;
    }
    if !breathes {
        return true;
    }
    let corners = [0, 2, 5, 7].map(|i| code >> (2 * i) & 3);
    let hostile = corners.iter().filter(|&&c| c == 2).count();
    own && hostile + usize::from(corners.contains(&3)) < 2
}

/// Lines from the edge that are told apart.
const EDGE: usize = 10;
/// Places on the board that are told apart: the distances from the nearer edges in both directions,
/// for the opening and for later.
pub const LINES: usize = EDGE * (EDGE + 1);
/// Distances from an earlier move that are told apart; the last stands for all beyond, and for no
/// earlier move.
pub const DISTANCES: usize = 17;

/// What was learned: see the [module](self). Playouts use only surroundings and answers.
#[derive(Clone, Debug, PartialEq)]
pub struct PlayoutModel {
    /// For each class of [`SURROUNDINGS`].
    pub around: Vec<f32>,
    /// For each [`Answer`].
    pub answers: [f32; ANSWERS],
    /// For each place on the board.
    pub lines: [f32; LINES],
    /// For each distance from the last move and from the one before it.
    pub near: [[f32; DISTANCES]; 2],
}

impl PlayoutModel {
    /// Nothing is more likely than anything else.
    #[must_use]
    pub fn plain() -> PlayoutModel {
        PlayoutModel {
            around: vec![0.0; SURROUNDINGS.classes.len()],
            answers: [0.0; ANSWERS],
            lines: [0.0; LINES],
            near: [[0.0; DISTANCES]; 2],
        }
    }
}

/// The number of a place on the board; see [`LINES`].
#[must_use]
pub(crate) fn place_of(p: u16, size: usize, opening: bool) -> usize {
    let p = Point(p);
    let from_edge = |at: usize| at.min(size - 1 - at).min(EDGE - 1);
    let (x, y) = (from_edge(p.x()), from_edge(p.y()));
    let (near, far) = (x.min(y), x.max(y));
    far * (far + 1) / 2 + near + if opening { 0 } else { LINES / 2 }
}

/// How far two points are from each other: |dx| + |dy| + max(|dx|, |dy|), from 2 on, less 2.
#[must_use]
pub(crate) fn distance(p: u16, q: u16) -> usize {
    if p == 0 || q == 0 {
        return DISTANCES - 1;
    }
    let (p, q) = (Point(p), Point(q));
    let (dx, dy) = (p.x().abs_diff(q.x()), p.y().abs_diff(q.y()));
    (dx + dy + dx.max(dy)).saturating_sub(2).min(DISTANCES - 1)
}

/// A weight of 1 in the table.
const ONE: f32 = 100.0;

/// A model as a table: see the [module](self).
pub struct Weights {
    table: Box<[[u16; 2]]>,
    /// Factors of the answers.
    pub(crate) answers: [f32; ANSWERS],
}

impl Weights {
    /// The table of a model, with all logarithms divided by `temperature`, and those of answers
    /// multiplied by `locality`.
    #[must_use]
    pub fn new(model: &PlayoutModel, temperature: f32, locality: f32) -> Weights {
        let mut table = vec![[0; 2]; 1 << CODE_BITS].into_boxed_slice();
        for &(code, class) in &SURROUNDINGS.codes {
            if is_barred(code) {
                continue;
            }
            let log = model.around.get(usize::from(class)).copied().unwrap_or(0.0) / temperature;
            let weight = (ONE * log.exp()).round().clamp(1.0, f32::from(u16::MAX)) as u16;
            table[code as usize][0] = weight;
            table[exchanged(code) as usize][1] = weight;
        }
        let mut answers = model.answers.map(|log| (log / temperature).exp().clamp(1e-4, 1e4));
        for (i, factor) in answers.iter_mut().enumerate() {
            if i < Answer::ThrowsIn as usize {
                *factor = factor.powf(locality).clamp(1e-4, 1e5);
            }
        }
        Weights { table, answers }
    }

    /// Every move is as likely as any other.
    #[must_use]
    pub fn plain() -> Weights {
        Weights::new(&PlayoutModel::plain(), 1.0, 1.0)
    }

    /// The weights of Black and White.
    #[inline]
    pub(crate) fn of(&self, code: u32) -> [u16; 2] {
        self.table[code as usize & ((1 << CODE_BITS) - 1)]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn images_have_one_class_and_exchanging_twice_changes_nothing() {
        let all = &*SURROUNDINGS;
        assert!(all.codes.len() > 50_000 && all.classes.len() < 10_000);
        for &(code, class) in &all.codes {
            assert_eq!(exchanged(exchanged(code)), code);
            assert!(all.class(exchanged(code)).is_some());
            for symmetry in 0..8 {
                assert_eq!(all.class(image(code, symmetry)), Some(usize::from(class)));
            }
        }
    }
}
