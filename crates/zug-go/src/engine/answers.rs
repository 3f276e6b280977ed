//! Which moves answer the last one, and in which way? And which moves put their own stones at risk?

use super::field::{AROUND, CROSS, Field, neighbours};
use super::weights::Answer;

const EMPTY: u8 = 0;
const BORDER: u8 = 3;
const CORNERS: [usize; 4] = [0, 2, 5, 7];

/// Tells every move of `side` that answers the stone at `last` (0 for none), once for each way in
/// which it does. Moves that must not be played may be among them.
#[inline]
pub fn answers(field: &Field, side: usize, last: u16, mut tell: impl FnMut(u16, Answer)) {
    let (me, other) = (side as u8 + 1, 2 - side as u8);
    if last == 0 || field.at(last) != other {
        return;
    }
    for i in CROSS {
        let step = AROUND[i];
        let q = last.wrapping_add(step);
        let far = q.wrapping_add(step);
        if field.at(q) == EMPTY {
            tell(q, Answer::Beside);
        }
        if field.at(q) != BORDER && field.at(far) == EMPTY {
            tell(far, Answer::Jump);
        }
    }
    for i in CORNERS {
        let q = last.wrapping_add(AROUND[i]);
        if field.at(q) == EMPTY {
            tell(q, Answer::Corner);
        }
    }
    let liberty = field.last_liberty(last);
    if liberty != 0 {
        tell(liberty, Answer::Takes);
    } else if let Some(two) = two_liberties(field, last) {
        two.into_iter().for_each(|p| tell(p, Answer::Attacks));
    }
    let mut seen = [0; 4];
    for (n, q) in neighbours(last).into_iter().enumerate() {
        if field.at(q) != me || seen.contains(&field.head(q)) {
            continue;
        }
        seen[n] = field.head(q);
        let liberty = field.last_liberty(q);
        if liberty == 0 {
            if let Some(two) = two_liberties(field, q) {
                two.into_iter().for_each(|p| tell(p, Answer::Defends));
            }
            continue;
        }
        let escapes = liberties_after(field, liberty, side) >= 2;
        tell(liberty, if escapes { Answer::Escapes } else { Answer::Runs });
        rescues(field, q, other, liberty, &mut tell);
    }
}

/// Tells the moves of `side` that take the chain of the stone at `last`, lead a chain out that it
/// left one liberty, or take a chain beside such a chain. All are legal but for ko.
#[inline]
pub(crate) fn fights(field: &Field, side: usize, last: u16, mut tell: impl FnMut(u16)) {
    let (me, other) = (side as u8 + 1, 2 - side as u8);
    if field.at(last) != other {
        return;
    }
    let liberty = field.last_liberty(last);
    if liberty != 0 {
        tell(liberty);
    }
    let mut seen = [0; 4];
    for (n, q) in neighbours(last).into_iter().enumerate() {
        if field.at(q) != me || seen.contains(&field.head(q)) {
            continue;
        }
        seen[n] = field.head(q);
        let liberty = field.last_liberty(q);
        if liberty == 0 {
            continue;
        }
        if liberties_after(field, liberty, side) >= 2 {
            tell(liberty);
        }
        rescues(field, q, other, liberty, &mut |p, _| tell(p));
    }
}

/// Chains beside a chain that can be taken.
fn rescues(field: &Field, chain: u16, other: u8, but: u16, tell: &mut impl FnMut(u16, Answer)) {
    let mut told = [0u16; 4];
    let mut count = 0;
    let mut stone = chain;
    loop {
        for q in neighbours(stone) {
            if field.at(q) != other {
                continue;
            }
            let liberty = field.last_liberty(q);
            if liberty != 0 && liberty != but && count < 4 && !told.contains(&liberty) {
                told[count] = liberty;
                count += 1;
                tell(liberty, Answer::Rescues);
            }
        }
        stone = field.next(stone);
        if stone == chain {
            return;
        }
    }
}

/// The liberties of a chain that has exactly two.
fn two_liberties(field: &Field, chain: u16) -> Option<[u16; 2]> {
    // One point touches at most four stones of a chain.
    if field.liberty_count(chain) > 8 {
        return None;
    }
    let mut found = [0; 2];
    let mut stone = chain;
    loop {
        for q in neighbours(stone) {
            if field.at(q) != EMPTY || found.contains(&q) {
                continue;
            }
            match found {
                [0, _] => found[0] = q,
                [_, 0] => found[1] = q,
                _ => return None,
            }
        }
        stone = field.next(stone);
        if stone == chain {
            break;
        }
    }
    (found[1] != 0).then_some(found)
}

/// The liberties of the chain of a stone put down at the empty point `p`: 0, 1, or 2 for more.
/// Of captured stones only those next to the stone are counted.
pub(crate) fn liberties_after(field: &Field, p: u16, side: usize) -> usize {
    let me = side as u8 + 1;
    let mut first = 0;
    let mut chains = [0; 4];
    let around = neighbours(p);
    for q in around {
        let colour = field.at(q);
        let free = colour == EMPTY || colour == 3 - me && field.last_liberty(q) == p;
        if free {
            if first != 0 {
                return 2;
            }
            first = q;
        }
    }
    for (n, q) in around.into_iter().enumerate() {
        if field.at(q) != me || chains.contains(&field.head(q)) || field.last_liberty(q) != 0 {
            continue;
        }
        // More than eight touches are three points or more, of which one is filled.
        if field.liberty_count(q) > 8 {
            return 2;
        }
        chains[n] = field.head(q);
        let mut stone = q;
        loop {
            for l in neighbours(stone) {
                if field.at(l) == EMPTY && l != p && l != first {
                    if first != 0 {
                        return 2;
                    }
                    first = l;
                }
            }
            stone = field.next(stone);
            if stone == q {
                break;
            }
        }
    }
    usize::from(first != 0)
}

/// Does a move leave its own chain with one liberty without taking anything? And how many stones?
#[inline]
pub(crate) fn self_atari(field: &Field, p: u16, side: usize) -> Option<(Answer, u32)> {
    let me = side as u8 + 1;
    let around = neighbours(p);
    let mut empty = 0;
    for q in around {
        let colour = field.at(q);
        empty += u32::from(colour == EMPTY);
        if empty >= 2 || colour == 3 - me && field.last_liberty(q) == p {
            return None;
        }
    }
    if liberties_after(field, p, side) >= 2 {
        return None;
    }
    let mut stones = 1;
    let mut chains = [0; 4];
    for (n, q) in around.into_iter().enumerate() {
        if field.at(q) == me && !chains.contains(&field.head(q)) {
            chains[n] = field.head(q);
            stones += u32::from(field.chain_size(q));
        }
    }
    Some((if stones == 1 { Answer::ThrowsIn } else { Answer::GivesUp }, stones))
}

/// Does a move leave a chain of the opponent with one liberty?
pub(crate) fn threatens(field: &Field, p: u16, side: usize) -> bool {
    let other = 2 - side as u8;
    neighbours(p).into_iter().any(|q| {
        field.at(q) == other && two_liberties(field, q).is_some_and(|two| two.contains(&p))
    })
}

#[cfg(test)]
mod tests {
    use super::super::weights::Weights;
    use super::*;
    use crate::Position;
    use crate::point::Point;

    fn field(text: &str) -> Field {
        Field::new(&Position::from_text(text, 5).unwrap(), &Weights::plain())
    }

    fn told(text: &str, side: usize, last: Point) -> Vec<(Point, Answer)> {
        let mut out = Vec::new();
        answers(&field(text), side, last.0, |p, a| out.push((Point(p), a)));
        out.retain(|(_, a)| !matches!(a, Answer::Beside | Answer::Corner | Answer::Jump));
        out
    }

    #[test]
    fn stones_in_atari_are_saved_or_taken() {
        let p = Point::at;
        // Black has just played B2, and the white stone at B3 has one liberty at C3.
        let saved = told("5/1X3/XO3/1X3/5 white", 1, p(1, 3));
        assert!(saved.contains(&(p(2, 2), Answer::Escapes)));
        // Running along the edge does not help.
        let lost = told("1OX2/1X3/5/5/5 white", 1, p(2, 0));
        assert!(lost.contains(&(p(0, 0), Answer::Runs)));
        // White has just played A5, which has one liberty.
        assert!(told("O4/X4/5/5/5 black", 0, p(0, 0)).contains(&(p(1, 0), Answer::Takes)));
        // The black stone in the middle of three can run, or take the white stone at A4.
        let rescued = told("1O3/OXO2/X4/5/5 black", 0, p(1, 0));
        assert!(rescued.contains(&(p(1, 2), Answer::Escapes)));
        assert!(rescued.contains(&(p(0, 0), Answer::Rescues)));
    }

    #[test]
    fn a_move_that_leaves_one_liberty_is_known() {
        let f = field("1OX2/OX3/5/5/5 white");
        let corner = Point::at(0, 0).0;
        assert_eq!(self_atari(&f, corner, 1), Some((Answer::GivesUp, 3)));
        assert_eq!(liberties_after(&f, corner, 1), 1);
        let f = field("2X2/OX3/X4/5/5 white");
        assert_eq!(self_atari(&f, corner, 1), Some((Answer::GivesUp, 2)));
        let f = field("2X2/1X3/X4/5/5 white");
        assert_eq!(self_atari(&f, corner, 1), None);
        let f = field("1X3/5/5/5/5 white");
        assert_eq!(self_atari(&f, corner, 1), Some((Answer::ThrowsIn, 1)));
    }
}
