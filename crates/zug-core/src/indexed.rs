//! What a game author declares so that every position gets a number: the fields, the kinds of
//! pieces, how many of each there may be, and which symmetries hold.
//!
//! The number itself is computed by the general index of the `zug-solve` crate; the game only
//! describes itself here, with a [`Layout`], and translates positions to and from bitboards.
//!
//! ```
//! use zug_core::Side;
//! use zug_core::indexed::{Layout, maps};
//!
//! // Dodgem 4×4: up to three cars a side; swapping colours and reflecting the board on the rising
//! // diagonal gives the same position for the other side.
//! let layout = Layout::new(16)
//!     .piece("car", Side::First, 0..=3)
//!     .piece("car", Side::Second, 0..=3)
//!     .admit(|counts, _| counts[0] + counts[1] > 0)
//!     .mirror(|_| Some(maps::rising_diagonal(4)));
//! assert_eq!(layout.partner(0), 1);
//! ```

use crate::{Game, Side};
use std::fmt;
use std::ops::RangeInclusive;
use std::sync::Arc;

/// Where each field goes: field `f` becomes `map[f]`.
pub type FieldMap = Vec<u8>;

/// Where the pieces of a kind can be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// On these fields (the movement bitboard: every field that a piece of this kind can ever
    /// stand on).
    Fields(u64),
    /// Beside the board: only their number matters (men in hand, matches in a heap). The bitboard
    /// of such a kind has its lowest *n* bits set for *n* pieces.
    Reserve,
}

/// A kind of piece. Colour is part of the kind.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceKind {
    /// "king", "car". Kinds of both sides that swap with the colours have the same name.
    pub name: &'static str,
    /// Whose it is; `None` for pieces that belong to nobody.
    pub owner: Option<Side>,
    /// Where it can be.
    pub place: Place,
    /// Fewest and most pieces of this kind.
    pub counts: RangeInclusive<u32>,
}

type Admit = Arc<dyn Fn(&[u32], Side) -> bool + Send + Sync>;
type Mirror = Arc<dyn Fn(&[u32]) -> Option<FieldMap> + Send + Sync>;
type Axes = Arc<dyn Fn(&[u32]) -> Vec<FieldMap> + Send + Sync>;
type Within = Arc<dyn Fn(&[u32]) -> u64 + Send + Sync>;
type Stages = Arc<dyn Fn(&[u32]) -> Stage + Send + Sync>;
type Feeds = Arc<dyn Fn(&[u32], &[u32]) -> bool + Send + Sync>;
type Unreached = (&'static str, Admit);

/// A step of the way from the last positions of a game to the first: positions that can be solved
/// together once all stages of lower rank are.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Stage {
    /// No move leads to a higher rank, and one that leads to another stage of the same rank does
    /// not exist either.
    pub rank: u32,
    /// What to call it: letters, digits, `-` and `_`; part of a file name.
    pub name: String,
}

/// The description from which the general index is built.
#[derive(Clone)]
pub struct Layout {
    fields: u32,
    kinds: Vec<PieceKind>,
    totals: [u32; 2],
    admit: Admit,
    mirror: Mirror,
    axes: Axes,
    within: Within,
    stages: Stages,
    feeds: Feeds,
    unreached: Option<Unreached>,
}

impl Layout {
    /// A board of so many fields (at most 64), numbered from 0, without pieces.
    ///
    /// # Panics
    /// With more than 64 fields.
    #[must_use]
    pub fn new(fields: u32) -> Layout {
        assert!(fields <= 64, "a bitboard holds 64 fields");
        Layout {
            fields,
            kinds: Vec::new(),
            totals: [u32::MAX; 2],
            admit: Arc::new(|_, _| true),
            mirror: Arc::new(|_| None),
            axes: Arc::new(|_| Vec::new()),
            within: Arc::new(|_| u64::MAX),
            stages: Arc::new(|_| Stage { rank: 0, name: "all".to_string() }),
            feeds: Arc::new(|_, _| true),
            unreached: None,
        }
    }

    /// Adds a kind that can stand on every field.
    #[must_use]
    pub fn piece(self, name: &'static str, owner: Side, counts: RangeInclusive<u32>) -> Layout {
        let everywhere = self.all_fields();
        self.piece_on(name, owner, counts, everywhere)
    }

    /// Adds a kind that can stand on some fields only (a pawn).
    #[must_use]
    pub fn piece_on(
        mut self,
        name: &'static str,
        owner: Side,
        counts: RangeInclusive<u32>,
        fields: u64,
    ) -> Layout {
        let place = Place::Fields(fields & self.all_fields());
        self.kinds.push(PieceKind { name, owner: Some(owner), place, counts });
        self
    }

    /// Adds a kind that waits beside the board.
    #[must_use]
    pub fn reserve(
        mut self,
        name: &'static str,
        owner: Option<Side>,
        counts: RangeInclusive<u32>,
    ) -> Layout {
        self.kinds.push(PieceKind { name, owner, place: Place::Reserve, counts });
        self
    }

    /// Limits the number of pieces of a side, all kinds together.
    #[must_use]
    pub fn at_most(mut self, side: Side, pieces: u32) -> Layout {
        self.totals[side.index()] = pieces;
        self
    }

    /// Which combinations of counts (in the order of the kinds) with this side to move exist?
    #[must_use]
    pub fn admit(mut self, rule: impl Fn(&[u32], Side) -> bool + Send + Sync + 'static) -> Layout {
        self.admit = Arc::new(rule);
        self
    }

    /// Does a position of these counts keep its value when the colours are swapped, the fields
    /// are permuted by this map, and the move is handed to the other side? The map must be its own
    /// inverse.
    #[must_use]
    pub fn mirror(
        mut self,
        rule: impl Fn(&[u32]) -> Option<FieldMap> + Send + Sync + 'static,
    ) -> Layout {
        self.mirror = Arc::new(rule);
        self
    }

    /// The board symmetries that hold for these counts, as maps that generate the group; the
    /// identity need not be among them.
    #[must_use]
    pub fn axes(
        mut self,
        rule: impl Fn(&[u32]) -> Vec<FieldMap> + Send + Sync + 'static,
    ) -> Layout {
        self.axes = Arc::new(rule);
        self
    }

    /// Which fields can be taken at all with these counts? Where pieces pile up, the height of each
    /// pile can be a kind in [`reserve`](Layout::reserve), and the fields of a position the places
    /// in the piles that these heights leave; so no number is spent on pieces in the air.
    #[must_use]
    pub fn within(mut self, rule: impl Fn(&[u32]) -> u64 + Send + Sync + 'static) -> Layout {
        self.within = Arc::new(rule);
        self
    }

    /// Which stage do the positions with these counts belong to? Without this rule everything is
    /// one stage, which is always right but needs the most memory. Combinations that are each
    /// other's mirror must be in one stage.
    #[must_use]
    pub fn stages(
        mut self,
        rule: impl Fn(&[u32]) -> (u32, String) + Send + Sync + 'static,
    ) -> Layout {
        self.stages = Arc::new(move |counts| {
            let (rank, name) = rule(counts);
            Stage { rank, name }
        });
        self
    }

    /// Can a move lead from a position with the counts `from` to one with the counts `to`, in
    /// another stage? Saying yes too often only costs time.
    #[must_use]
    pub fn feeds(
        mut self,
        rule: impl Fn(&[u32], &[u32]) -> bool + Send + Sync + 'static,
    ) -> Layout {
        self.feeds = Arc::new(rule);
        self
    }

    /// Which admissible combinations of counts have numbers and values although no game comes to
    /// them, and why are they there? Statistics say how many there are.
    #[must_use]
    pub fn unreached(
        mut self,
        why: &'static str,
        rule: impl Fn(&[u32], Side) -> bool + Send + Sync + 'static,
    ) -> Layout {
        self.unreached = Some((why, Arc::new(rule)));
        self
    }

    /// Why these counts are there although no game comes to them; `None` if games do. See
    /// [`unreached`](Layout::unreached).
    #[must_use]
    pub fn why_unreached(&self, counts: &[u32], side: Side) -> Option<&'static str> {
        let (why, rule) = self.unreached.as_ref()?;
        rule(counts, side).then_some(*why)
    }

    /// See [`within`](Layout::within).
    #[must_use]
    pub fn fields_within(&self, counts: &[u32]) -> u64 {
        (self.within)(counts) & self.all_fields()
    }

    /// See [`stages`](Layout::stages).
    #[must_use]
    pub fn stage_of(&self, counts: &[u32]) -> Stage {
        (self.stages)(counts)
    }

    /// See [`feeds`](Layout::feeds).
    #[must_use]
    pub fn may_lead(&self, from: &[u32], to: &[u32]) -> bool {
        (self.feeds)(from, to)
    }

    /// The number of fields.
    #[must_use]
    pub fn fields(&self) -> u32 {
        self.fields
    }

    /// A bitboard of all fields.
    #[must_use]
    pub fn all_fields(&self) -> u64 {
        if self.fields == 64 { u64::MAX } else { (1 << self.fields) - 1 }
    }

    /// The kinds.
    #[must_use]
    pub fn kinds(&self) -> &[PieceKind] {
        &self.kinds
    }

    /// The kind that takes the place of this one when colours are swapped: the same name on the
    /// other side, or itself.
    #[must_use]
    pub fn partner(&self, kind: usize) -> usize {
        let this = &self.kinds[kind];
        let Some(owner) = this.owner else { return kind };
        let found =
            self.kinds.iter().position(|k| k.name == this.name && k.owner == Some(owner.other()));
        found.unwrap_or(kind)
    }

    /// Is this combination admissible: every count within its limits, the totals too, and no veto?
    #[must_use]
    pub fn is_admissible(&self, counts: &[u32], side: Side) -> bool {
        counts.len() == self.kinds.len()
            && self.kinds.iter().zip(counts).all(|(kind, n)| kind.counts.contains(n))
            && Side::BOTH.iter().all(|&s| {
                let own = self.kinds.iter().zip(counts).filter(|(kind, _)| kind.owner == Some(s));
                own.map(|(_, &n)| u64::from(n)).sum::<u64>() <= u64::from(self.totals[s.index()])
            })
            && (self.admit)(counts, side)
    }

    /// See [`mirror`](Layout::mirror).
    #[must_use]
    pub fn mirror_of(&self, counts: &[u32]) -> Option<FieldMap> {
        (self.mirror)(counts)
    }

    /// See [`axes`](Layout::axes).
    #[must_use]
    pub fn axes_of(&self, counts: &[u32]) -> Vec<FieldMap> {
        (self.axes)(counts)
    }
}

impl fmt::Debug for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Layout")
            .field("fields", &self.fields)
            .field("kinds", &self.kinds)
            .field("totals", &self.totals)
            .finish_non_exhaustive()
    }
}

/// A game whose positions can be numbered.
pub trait Indexed: Game {
    /// The board and the pieces.
    fn layout(&self) -> Layout;

    /// Writes a position as one bitboard for each kind of the layout, in their order.
    fn boards(&self, position: &Self::Position, boards: &mut [u64]);

    /// The position with these pieces and this side to move, or `None` if the rules do not know
    /// such a position. The pieces are admissible and stand on different fields.
    fn position_of(&self, boards: &[u64], side: Side) -> Option<Self::Position>;
}

/// Maps of rectangular boards whose fields are numbered row by row from the top left.
pub mod maps {
    use super::FieldMap;

    fn map(width: usize, height: usize, f: impl Fn(usize, usize) -> (usize, usize)) -> FieldMap {
        assert!(width * height <= 64, "a bitboard holds 64 fields");
        (0..width * height)
            .map(|field| {
                let (row, column) = f(field / width, field % width);
                (row * width + column) as u8
            })
            .collect()
    }

    /// Left becomes right.
    #[must_use]
    pub fn left_right(width: usize, height: usize) -> FieldMap {
        map(width, height, |r, c| (r, width - 1 - c))
    }

    /// Top becomes bottom.
    #[must_use]
    pub fn up_down(width: usize, height: usize) -> FieldMap {
        map(width, height, |r, c| (height - 1 - r, c))
    }

    /// Reflection of a square board on the diagonal from the top left to the bottom right.
    #[must_use]
    pub fn falling_diagonal(size: usize) -> FieldMap {
        map(size, size, |r, c| (c, r))
    }

    /// Reflection of a square board on the diagonal from the bottom left to the top right.
    #[must_use]
    pub fn rising_diagonal(size: usize) -> FieldMap {
        map(size, size, |r, c| (size - 1 - c, size - 1 - r))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_rising_diagonal_of_4x4_swaps_the_pairs_of_dodgem() {
        let map = maps::rising_diagonal(4);
        for (a, b) in
            [(0, 15), (1, 11), (2, 7), (3, 3), (4, 14), (5, 10), (6, 6), (8, 13), (9, 9), (12, 12)]
        {
            assert_eq!((map[a], map[b]), (b as u8, a as u8));
        }
    }

    #[test]
    fn every_reflection_is_its_own_inverse() {
        for map in [
            maps::left_right(7, 3),
            maps::up_down(5, 8),
            maps::falling_diagonal(8),
            maps::rising_diagonal(5),
        ] {
            for f in 0..map.len() {
                assert_eq!(usize::from(map[usize::from(map[f])]), f);
            }
        }
    }

    #[test]
    fn totals_limits_and_the_veto_decide_about_a_combination() {
        let layout = Layout::new(64)
            .piece("king", Side::First, 1..=1)
            .piece("rook", Side::First, 0..=2)
            .piece("king", Side::Second, 1..=1)
            .at_most(Side::First, 2)
            .admit(|counts, side| side == Side::First || counts[1] > 0);
        assert!(layout.is_admissible(&[1, 1, 1], Side::Second));
        assert!(!layout.is_admissible(&[1, 2, 1], Side::First), "three white pieces");
        assert!(!layout.is_admissible(&[0, 1, 1], Side::First), "no king");
        assert!(!layout.is_admissible(&[1, 0, 1], Side::Second), "vetoed");
        assert!(!layout.is_admissible(&[1, 1], Side::First), "a count is missing");
        assert_eq!([0, 1, 2].map(|k| layout.partner(k)), [2, 1, 0]);
    }
}
