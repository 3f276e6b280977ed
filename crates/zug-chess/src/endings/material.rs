//! Which men are on the board, and what can become of them by captures and promotions?

use cozy_chess::{Board, Color, Piece};
use std::fmt;
use zug_core::TextError;

/// The men beside the kings, in the order in which they are written.
pub(crate) const OFFICERS_AND_PAWN: [Piece; 5] =
    [Piece::Queen, Piece::Rook, Piece::Bishop, Piece::Knight, Piece::Pawn];
/// Where the pawns are in that order.
pub(crate) const PAWN: usize = 4;
/// Kings included, more men than this have more positions than any machine can hold.
const MOST_MEN: u32 = 6;

/// The men of both sides, kings understood: `KRPvKR`.
///
/// ```
/// use zug_chess::endings::Material;
/// let material = Material::parse("krpkr")?;
/// assert_eq!(material.to_string(), "KRPvKR");
/// assert_eq!(material.men(), 5);
/// # Ok::<(), zug_core::TextError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Material {
    /// Queens, rooks, bishops, knights and pawns of White and of Black.
    pub(crate) counts: [[u8; 5]; 2],
}

impl Material {
    /// Reads `KRvKN`; `KR-KN`, `KRKN` and small letters are understood, too.
    pub fn parse(text: &str) -> Result<Material, TextError> {
        let mut material = Material { counts: [[0; 5]; 2] };
        let (mut kings, mut men, mut parted) = ([0, 0], 0, false);
        for (at, c) in text.char_indices() {
            let fail = |expected: &str| Err(TextError::new(at, expected, format!("'{c}'")));
            let piece = Piece::try_from(c.to_ascii_lowercase()).ok();
            let side = usize::from(parted || (kings[0] == 1 && piece == Some(Piece::King)));
            match piece {
                None if matches!(c, 'v' | 'V' | '-') && !parted => {
                    if kings[0] == 0 {
                        return fail("a white king (K) before the men of Black");
                    }
                    parted = true;
                    continue;
                }
                None => return fail("K, Q, R, B, N or P, or one 'v' between the sides"),
                Some(Piece::King) if kings[side] == 1 => return fail("one king a side"),
                Some(Piece::King) => {
                    kings[side] += 1;
                    parted = side == 1;
                }
                Some(piece) => {
                    let kind = OFFICERS_AND_PAWN.iter().position(|&p| p == piece);
                    material.counts[side][kind.unwrap_or(PAWN)] += 1;
                }
            }
            men += 1;
            if men > MOST_MEN {
                let expected = "at most 5 men, or 6 on a larger machine";
                return Err(TextError::new(at, expected, "more"));
            }
        }
        for (side, name) in ["white", "black"].iter().enumerate() {
            if kings[side] == 0 {
                let expected = format!("a {name} king (K), as in KRvKN");
                return Err(TextError::new(text.len(), expected, format!("'{text}'")));
            }
        }
        Ok(material)
    }

    /// What stands on a board.
    #[must_use]
    pub fn of(board: &Board) -> Material {
        let count = |color, piece| board.colored_pieces(color, piece).len() as u8;
        let counts = Color::ALL.map(|color| OFFICERS_AND_PAWN.map(|piece| count(color, piece)));
        Material { counts }
    }

    /// The number of men, kings included.
    #[must_use]
    pub fn men(&self) -> u32 {
        2 + self.counts.iter().flatten().map(|&n| u32::from(n)).sum::<u32>()
    }

    /// The number of pawns of a side.
    pub(crate) fn pawns(&self, side: usize) -> u8 {
        self.counts[side][PAWN]
    }

    /// The same with colours swapped.
    #[must_use]
    pub fn swapped(&self) -> Material {
        Material { counts: [self.counts[1], self.counts[0]] }
    }

    /// The same or its swap, whichever has the stronger side first: the more men, then the
    /// stronger ones.
    #[must_use]
    pub fn stronger_first(&self) -> Material {
        let strength = |side: [u8; 5]| (side.iter().sum::<u8>(), side);
        if strength(self.counts[0]) >= strength(self.counts[1]) { *self } else { self.swapped() }
    }

    /// Can captures and promotions lead from here to there?
    #[must_use]
    pub fn can_become(&self, other: &Material) -> bool {
        (0..2).all(|side| {
            let (from, to) = (self.counts[side], other.counts[side]);
            let promoted: u8 = (0..PAWN).map(|k| to[k].saturating_sub(from[k])).sum();
            to[PAWN].saturating_add(promoted) <= from[PAWN]
        })
    }

    /// Can one move lead from here to there: a capture, a promotion, or both at once?
    #[must_use]
    pub fn leads_to(&self, other: &Material) -> bool {
        let total = |side: [u8; 5]| side.iter().sum::<u8>();
        (0..2).any(|mover| {
            let (own, own_after) = (self.counts[mover], other.counts[mover]);
            let (foe, foe_after) = (self.counts[1 - mover], other.counts[1 - mover]);
            let captures = foe != foe_after;
            let taken = (0..5).all(|k| foe_after[k] <= foe[k])
                && total(foe) == total(foe_after) + u8::from(captures);
            let promotes = own != own_after;
            let promoted = total(own) == total(own_after)
                && own[PAWN] == own_after[PAWN] + u8::from(promotes)
                && (0..PAWN).all(|k| own_after[k] >= own[k]);
            (captures || promotes) && taken && (!promotes || promoted)
        })
    }
}

/// With the stronger men first on each side: `KRPvKR`.
impl fmt::Display for Material {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (side, counts) in self.counts.iter().enumerate() {
            f.write_str(if side == 0 { "K" } else { "vK" })?;
            for (&piece, &n) in OFFICERS_AND_PAWN.iter().zip(counts) {
                (0..n).try_for_each(|_| write!(f, "{}", crate::fen::letter(piece)))?;
            }
        }
        Ok(())
    }
}

/// Which endings a game is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Scope {
    /// This one, and what captures and promotions make of it.
    Material(Material),
    /// All with up to so many men.
    Men(u32),
}

impl Scope {
    /// All endings with up to so many men, 3 to 6.
    #[must_use]
    pub fn men(men: u32) -> Option<Scope> {
        (3..=MOST_MEN).contains(&men).then_some(Scope::Men(men))
    }

    /// Does an ending belong to this?
    #[must_use]
    pub fn contains(&self, material: &Material) -> bool {
        match self {
            Scope::Material(whole) => whole.can_become(material),
            Scope::Men(men) => material.men() <= *men,
        }
    }

    /// The most men of each kind that can stand on the board: queens to pawns of each side.
    pub(crate) fn most(&self) -> [[u8; 5]; 2] {
        match self {
            Scope::Material(whole) => whole.counts.map(|side| {
                std::array::from_fn(|k| if k == PAWN { side[k] } else { side[k] + side[PAWN] })
            }),
            Scope::Men(men) => [[*men as u8 - 2; 5]; 2],
        }
    }

    /// The ending that a game of this scope starts with: the largest, with pawns where it is not
    /// given.
    pub(crate) fn first(&self) -> Material {
        match self {
            Scope::Material(whole) => *whole,
            Scope::Men(men) => {
                let pawns = *men as u8 - 2;
                let side = |n| [0, 0, 0, 0, n];
                Material { counts: [side(pawns.div_ceil(2)), side(pawns / 2)] }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn material(text: &str) -> Material {
        Material::parse(text).unwrap()
    }

    #[test]
    fn an_ending_has_one_name_however_it_is_written() {
        for text in ["KRvKN", "KRKN", "KR-KN", "krvkn", "krkn", "RKvNK"] {
            assert_eq!(material(text).to_string(), "KRvKN", "{text}");
        }
        assert_eq!(material("KvK").men(), 2);
        assert_eq!(material("KPBNvK").to_string(), "KBNPvK");
        assert_eq!(material("KNvKR").to_string(), "KNvKR");
        assert_eq!(material("KNvKR").stronger_first().to_string(), "KRvKN");
        assert_eq!(material("KQvKNN").stronger_first().to_string(), "KNNvKQ");
    }

    #[test]
    fn what_is_no_ending_is_refused_with_its_place() {
        for (text, byte, word) in [
            ("", 0, "white king"),
            ("KR", 2, "black king"),
            ("KRvN", 4, "black king"),
            ("RvKN", 1, "white king"),
            ("KRvKXN", 4, "K, Q, R"),
            ("KRvvKN", 3, "K, Q, R"),
            ("KKvK", 2, "K, Q, R"),
            ("KRvKK", 4, "one king"),
            ("KRRRvKNN", 7, "larger machine"),
        ] {
            let e = Material::parse(text).expect_err(text);
            assert_eq!(e.byte, byte, "{text}: {e}");
            assert!(e.expected.contains(word), "{text}: {e}");
        }
    }

    #[test]
    fn captures_and_promotions_lead_down() {
        for (from, to, one_move, ever) in [
            ("KRvKN", "KRvK", true, true),
            ("KRvKN", "KvKN", true, true),
            ("KRvKN", "KvK", false, true),
            ("KRvKN", "KRvKN", false, true),
            ("KRvK", "KRvKN", false, false),
            ("KPvK", "KQvK", true, true),
            ("KPvK", "KvK", true, true),
            ("KPvKR", "KNvK", true, true),
            ("KPvKR", "KvKR", true, true),
            ("KPPvK", "KQRvK", false, true),
            ("KPPvK", "KQPvK", true, true),
            ("KPvKP", "KQvKP", true, true),
            ("KPvKP", "KQvKQ", false, true),
            ("KPvK", "KQRvK", false, false),
            ("KQvK", "KRvK", false, false),
        ] {
            assert_eq!(material(from).leads_to(&material(to)), one_move, "{from} to {to}");
            assert_eq!(material(from).can_become(&material(to)), ever, "{from} to {to}");
        }
    }
}
