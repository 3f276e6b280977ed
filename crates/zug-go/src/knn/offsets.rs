//! How are stones beside a move numbered?
//!
//! A stone is its step from the move and its colour. Steps are numbered from near to far, so that a
//! pattern read in the order of its numbers begins with the stones that are likely to tell it from
//! others. The number of a stone is twice that of its step, plus one for the opponent's.

use super::symmetry::Symmetry;
use std::cmp::Ordering;
use std::sync::LazyLock;

/// The longest step along a line.
const REACH: i32 = 18;
/// Steps of a board of any size.
pub(super) const STEPS: usize = ((2 * REACH + 1) * (2 * REACH + 1) - 1) as usize;
/// Numbers of stones.
pub(super) const CODES: usize = 2 * STEPS;

/// A stone beside a move.
pub(super) type Code = u16;

struct Tables {
    steps: Vec<(i8, i8)>,
    /// By `(dy + REACH) × (2 × REACH + 1) + dx + REACH`.
    numbers: Vec<u16>,
    /// The image of each step under each symmetry.
    turned: [Vec<u16>; 8],
}

static TABLES: LazyLock<Tables> = LazyLock::new(|| {
    let mut steps: Vec<(i32, i32)> = (-REACH..=REACH)
        .flat_map(|dy| (-REACH..=REACH).map(move |dx| (dx, dy)))
        .filter(|&step| step != (0, 0))
        .collect();
    steps.sort_by(|&a, &b| {
        let length = |(x, y): (i32, i32)| x * x + y * y;
        length(a).cmp(&length(b)).then_with(|| by_angle(a, b))
    });
    let mut numbers = vec![u16::MAX; STEPS + 1];
    for (i, &(dx, dy)) in steps.iter().enumerate() {
        numbers[place(dx, dy)] = i as u16;
    }
    let turned = Symmetry::ALL.map(|s| {
        let number = |&(dx, dy): &(i32, i32)| {
            let (dx, dy) = s.turn(dx, dy);
            numbers[place(dx, dy)]
        };
        steps.iter().map(number).collect()
    });
    let steps = steps.into_iter().map(|(dx, dy)| (dx as i8, dy as i8)).collect();
    Tables { steps, numbers, turned }
});

const fn place(dx: i32, dy: i32) -> usize {
    ((dy + REACH) * (2 * REACH + 1) + dx + REACH) as usize
}

/// Clockwise from straight up.
pub(super) fn by_angle(a: (i32, i32), b: (i32, i32)) -> Ordering {
    let half = |(x, y): (i32, i32)| i32::from(x < 0 || x == 0 && y > 0);
    // Downwards is positive: of two steps in the same half the one further clockwise comes later.
    half(a).cmp(&half(b)).then_with(|| 0.cmp(&(a.0 * b.1 - a.1 * b.0)))
}

/// The number of a stone.
pub(super) fn code(dx: i32, dy: i32, theirs: bool) -> Code {
    TABLES.numbers[place(dx, dy)] * 2 + u16::from(theirs)
}

/// The step of a stone.
pub(super) fn step(code: Code) -> (i32, i32) {
    let (dx, dy) = TABLES.steps[usize::from(code / 2)];
    (i32::from(dx), i32::from(dy))
}

/// Is the stone the opponent's?
pub(super) const fn is_theirs(code: Code) -> bool {
    code & 1 != 0
}

/// The image of a stone.
pub(super) fn turned(symmetry: Symmetry, code: Code) -> Code {
    TABLES.turned[symmetry.index()][usize::from(code / 2)] * 2 + (code & 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_are_numbered_from_near_to_far_and_clockwise() {
        let first: Vec<(i32, i32)> = (0..9).map(|i| step(2 * i)).collect();
        let expected =
            [(0, -1), (1, 0), (0, 1), (-1, 0), (1, -1), (1, 1), (-1, 1), (-1, -1), (0, -2)];
        assert_eq!(first, expected);
    }

    #[test]
    fn every_stone_is_found_again_by_its_number() {
        for c in 0..CODES as Code {
            let (dx, dy) = step(c);
            assert_eq!(code(dx, dy, is_theirs(c)), c);
            for s in Symmetry::ALL {
                let image = turned(s, c);
                assert_eq!((step(image), is_theirs(image)), (s.turn(dx, dy), is_theirs(c)));
            }
        }
    }
}
