//! A number for every way to place the pieces: all sub-databases one after the other.
//!
//! This is the general index of chapter 4 of Bahnsen's thesis, built from a [`Layout`] alone:
//! combinations of piece counts (§4.5), colour swap (§4.6), board symmetries (§4.7), fields that a
//! kind can never reach (§4.8). [`Index`](crate::Index) adds the positions of a game.

use crate::group::{Group, Orbits, apply, permutation};
use crate::part::{Part, Placed, Symmetry, low_bits};
use std::collections::HashMap;
use std::ops::Range;
use std::sync::Arc;
use zug_core::Side;
use zug_core::indexed::{FieldMap, Layout, Place, Stage};

/// Kinds of pieces that a layout may have.
pub const MOST_KINDS: usize = 32;
/// So many kinds are common.
pub(crate) const FEW_KINDS: usize = 4;
/// Combinations of counts that are tried.
const MOST_COMBINATIONS: u64 = 1 << 24;
/// Entries of the table that finds the part of an index.
const MOST_SIGNPOSTS: u64 = 1 << 12;
/// Restricted sets of fields in one layout: the reserve formula goes through their subsets.
const MOST_FIELD_SETS: usize = 16;

/// Which kind carries the symmetry table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Reference {
    /// The one with the fewest pieces that is present: a small table.
    #[default]
    Fewest,
    /// The one with the most pieces: a larger table, but often fewer slots.
    Most,
}

/// In which order the kinds are placed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Order {
    /// Kinds with few fields first, so that later kinds waste none.
    #[default]
    Ascending,
    /// As the layout lists them.
    AsDeclared,
}

/// How the index is built.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// Store only one of two positions that differ by a colour swap.
    pub mirror: bool,
    /// Store only one of all positions that differ by a board symmetry.
    pub symmetry: bool,
    /// The kind that carries the symmetry table.
    pub reference: Reference,
    /// The order of the kinds.
    pub order: Order,
    /// Boards that a symmetry table may hold (8 bytes each).
    pub largest_table: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            mirror: true,
            symmetry: true,
            reference: Reference::Fewest,
            order: Order::Ascending,
            largest_table: 1 << 25,
        }
    }
}

impl Options {
    /// Every placement counted, no symmetry used.
    #[must_use]
    pub fn full() -> Options {
        Options { mirror: false, symmetry: false, ..Options::default() }
    }
}

/// A layout that cannot be indexed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum IndexError {
    /// Too many kinds of pieces, combinations or sets of fields.
    #[error("the layout has more than {limit} {what}")]
    TooMany {
        /// Of what.
        what: &'static str,
        /// The limit.
        limit: u64,
    },
    /// A symmetry that is none.
    #[error("the symmetry of {counts:?} is not one of the board: {why}")]
    Symmetry {
        /// The combination of counts for which it was declared.
        counts: Vec<u32>,
        /// What is wrong.
        why: String,
    },
    /// A symmetry table beyond [`Options::largest_table`].
    #[error("a symmetry table of {boards} boards is larger than the limit of {limit}")]
    Table {
        /// Boards that it would hold.
        boards: u64,
        /// The limit.
        limit: u64,
    },
    /// More slots than 64 bits can count.
    #[error("the index has more than 2^64 slots")]
    Overflow,
}

/// Where a combination is found: a part, seen through mirror number `mirror` − 1 if that is not 0.
#[derive(Clone, Copy, Debug)]
struct Located {
    part: u32,
    mirror: u16,
}

const NOWHERE: Located = Located { part: u32::MAX, mirror: 0 };

/// The index of all placements of a layout.
#[derive(Debug)]
pub struct Space {
    fields: u32,
    places: Vec<Place>,
    least: Vec<u32>,
    /// The weight of each kind's count in the key of a combination.
    radix: Vec<u64>,
    ranges: Vec<u32>,
    partner: Vec<usize>,
    located: Vec<Located>,
    mirrors: Vec<[u8; 64]>,
    parts: Vec<Part>,
    stages: Vec<StageParts>,
    size: u64,
    /// Where to look for the part of an index: the part of each multiple of 2^`shift`.
    signposts: Vec<u32>,
    shift: u32,
}

/// The parts that are solved together.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StageParts {
    /// Rank and name.
    pub stage: Stage,
    /// Its parts, as places in [`Space::parts`].
    pub parts: Range<usize>,
    /// Its slots.
    pub slots: Range<u64>,
}

impl Space {
    /// Builds the index of a layout.
    pub fn new(layout: &Layout, options: Options) -> Result<Space, IndexError> {
        let kinds = layout.kinds();
        if kinds.len() > MOST_KINDS {
            return Err(IndexError::TooMany { what: "kinds", limit: MOST_KINDS as u64 });
        }
        let mut sets: Vec<u64> = kinds.iter().filter_map(|k| fields_of(k.place)).collect();
        sets.sort_unstable();
        sets.dedup();
        if sets.len() > MOST_FIELD_SETS {
            let limit = MOST_FIELD_SETS as u64;
            return Err(IndexError::TooMany { what: "different sets of fields", limit });
        }
        let most = |k: &zug_core::indexed::PieceKind| {
            let room = fields_of(k.place).map_or(64, u64::count_ones);
            (*k.counts.end()).min(room)
        };
        let least: Vec<u32> = kinds.iter().map(|k| *k.counts.start()).collect();
        let ranges: Vec<u32> =
            kinds.iter().map(|k| (most(k) + 1).saturating_sub(*k.counts.start())).collect();
        let (mut radix, mut combinations) = (Vec::new(), 2u64);
        for &range in &ranges {
            radix.push(combinations);
            combinations = combinations.saturating_mul(u64::from(range));
        }
        if combinations > MOST_COMBINATIONS {
            let what = "combinations of piece counts";
            return Err(IndexError::TooMany { what, limit: MOST_COMBINATIONS });
        }
        let mut space = Space {
            fields: layout.fields(),
            places: kinds.iter().map(|k| k.place).collect(),
            least,
            radix,
            ranges,
            partner: (0..kinds.len()).map(|k| layout.partner(k)).collect(),
            located: vec![NOWHERE; combinations as usize],
            mirrors: Vec::new(),
            parts: Vec::new(),
            stages: Vec::new(),
            size: 0,
            signposts: Vec::new(),
            shift: 0,
        };
        Builder { layout, options, groups: HashMap::new(), orbits: HashMap::new() }
            .add_parts(&mut space, combinations)?;
        space.put_signposts();
        Ok(space)
    }

    /// The number of slots.
    #[must_use]
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The sub-databases, by ascending index.
    #[must_use]
    pub fn parts(&self) -> &[Part] {
        &self.parts
    }

    /// The stages, by ascending rank: each is a run of parts and of slots.
    #[must_use]
    pub fn stages(&self) -> &[StageParts] {
        &self.stages
    }

    /// Notes that the part which is about to be added belongs to this stage and ends the slots.
    fn note_stage(&mut self, stage: Stage) {
        let (part, end) = (self.parts.len(), self.size);
        match self.stages.last_mut() {
            Some(last) if last.stage == stage => {
                last.parts.end = part + 1;
                last.slots.end = end;
            }
            last => {
                let start = last.map_or(0, |last| last.slots.end);
                self.stages.push(StageParts { stage, parts: part..part + 1, slots: start..end });
            }
        }
    }

    /// The number of fields of the board.
    #[must_use]
    pub fn fields(&self) -> u32 {
        self.fields
    }

    /// The number of kinds, and so of boards.
    #[must_use]
    pub fn kinds(&self) -> usize {
        self.places.len()
    }

    /// The key of a combination with side to move, if every count is within its limits.
    fn key(&self, counts: impl Iterator<Item = u32>, side: Side) -> Option<usize> {
        let mut key = side.index() as u64;
        for (kind, count) in counts.enumerate() {
            let above = count.checked_sub(self.least[kind])?;
            if above >= self.ranges[kind] {
                return None;
            }
            key += u64::from(above) * self.radix[kind];
        }
        Some(key as usize)
    }

    /// The index of a placement: one board for each kind. `None` for what the layout does not
    /// admit. Equivalent placements have the same index.
    #[must_use]
    pub fn index(&self, boards: &[u64], side: Side) -> Option<u64> {
        if boards.len() != self.places.len() {
            return None;
        }
        let mut taken = 0;
        for (&board, place) in boards.iter().zip(&self.places) {
            match place {
                Place::Fields(fields) => {
                    if board & (!fields | taken) != 0 {
                        return None;
                    }
                    taken |= board;
                }
                Place::Reserve => {
                    if board & board.wrapping_add(1) != 0 {
                        return None;
                    }
                }
            }
        }
        let key = self.key(boards.iter().map(|b| b.count_ones()), side)?;
        let Located { part, mirror } = self.located[key];
        let part = self.parts.get(part as usize)?;
        if mirror == 0 {
            return part.holds(taken).then(|| part.base + part.slot(boards));
        }
        let map = &self.mirrors[usize::from(mirror) - 1];
        if boards.len() <= FEW_KINDS {
            self.index_swapped(part, map, boards, &mut [0; FEW_KINDS])
        } else {
            self.index_swapped(part, map, boards, &mut [0; MOST_KINDS])
        }
    }

    fn index_swapped(
        &self,
        part: &Part,
        map: &[u8; 64],
        boards: &[u64],
        swapped: &mut [u64],
    ) -> Option<u64> {
        let swapped = &mut swapped[..boards.len()];
        self.swap_colours(map, boards, swapped);
        let swapped = &*swapped;
        let taken = self.places.iter().zip(swapped).fold(0, |taken, (place, board)| match place {
            Place::Fields(_) => taken | board,
            Place::Reserve => taken,
        });
        part.holds(taken).then(|| part.base + part.slot(swapped))
    }

    fn swap_colours(&self, map: &[u8; 64], boards: &[u64], out: &mut [u64]) {
        for (kind, place) in self.places.iter().enumerate() {
            let board = boards[self.partner[kind]];
            out[kind] = if *place == Place::Reserve { board } else { apply(map, board) };
        }
    }

    /// The place in [`parts`](Space::parts) of the part that holds an index below the
    /// [`size`](Space::size).
    #[must_use]
    pub fn part_of(&self, index: u64) -> usize {
        let (from, to) = match self.signposts.get((index >> self.shift) as usize..) {
            Some([from, to, ..]) => (*from as usize, *to as usize + 1),
            Some([from]) => (*from as usize, self.parts.len()),
            _ => (0, self.parts.len()),
        };
        let up_to = self.parts[from..to].partition_point(|p| p.base <= index);
        (from + up_to).saturating_sub(1)
    }

    /// The place in [`stages`](Space::stages) of the stage that holds an index below the
    /// [`size`](Space::size).
    #[must_use]
    pub fn stage_of(&self, index: u64) -> usize {
        self.stages.partition_point(|stage| stage.slots.end <= index)
    }

    fn put_signposts(&mut self) {
        self.shift = (self.size >> MOST_SIGNPOSTS.ilog2()).checked_ilog2().map_or(0, |n| n + 1);
        let mut part = 0;
        for post in 0..=self.size.saturating_sub(1) >> self.shift {
            while self.parts.get(part + 1).is_some_and(|p| p.base <= post << self.shift) {
                part += 1;
            }
            self.signposts.push(part as u32);
        }
    }

    /// Can several slots hold positions that are the same by a board symmetry?
    #[must_use]
    pub fn has_symmetry(&self) -> bool {
        self.parts.iter().any(|part| part.symmetries() > 1)
    }

    /// How many placements without symmetry the one in this slot stands for, its colour swap not
    /// counted: so many slots of an index [without symmetry](Options::full) have the same value.
    #[must_use]
    pub fn images(&self, index: u64) -> u64 {
        if index >= self.size {
            return 0;
        }
        let mut boards = [0; MOST_KINDS];
        let part = &self.parts[self.part_of(index)];
        part.images(index - part.base, &mut boards[..self.places.len()])
    }

    /// For each part its symmetries: a number that tells groups of board symmetries apart, and
    /// whether it also stands for its colour swap. `None` for parts without a piece on the board,
    /// which look the same from every side.
    ///
    /// Where a move leads to a position with more symmetries than the one it came from (the last
    /// pawn has gone), un-moving one of several equal positions does not find every position
    /// before.
    #[must_use]
    pub fn symmetry_kinds(&self) -> Vec<Option<(u32, bool)>> {
        let mut known = Vec::new();
        let kind = |(part, mirrored): (&Part, bool)| {
            let pieces = self.places.iter().zip(part.counts());
            if pieces.filter(|(place, _)| **place != Place::Reserve).all(|(_, &n)| n == 0) {
                return None;
            }
            let group = part.group().map(Arc::as_ptr);
            let place = known.iter().position(|k| *k == group).unwrap_or_else(|| {
                known.push(group);
                known.len() - 1
            });
            Some((place as u32, mirrored))
        };
        self.parts.iter().zip(self.mirrored_parts()).map(kind).collect()
    }

    /// Tells the placements with this index: all that are the same by board symmetry (or only one of
    /// them, if not `turned`) and by colour swap, some of them perhaps more than once.
    pub fn equals(&self, index: u64, turned: bool, tell: &mut dyn FnMut(&[u64], Side)) {
        let kinds = self.places.len();
        let (mut boards, mut image, mut swapped) =
            ([0; MOST_KINDS], [0; MOST_KINDS], [0; MOST_KINDS]);
        let Some(side) = self.boards(index, &mut boards[..kinds]) else { return };
        let number = self.part_of(index);
        let swaps = self.located.iter().find(|l| l.part as usize == number && l.mirror != 0);
        let group = self.parts[number].group().filter(|_| turned);
        for element in 0..group.map_or(1, |group| group.len()) as u16 {
            for (kind, place) in self.places.iter().enumerate() {
                image[kind] = match (group, place) {
                    (Some(group), Place::Fields(_)) => group.apply(element, boards[kind]),
                    _ => boards[kind],
                };
            }
            tell(&image[..kinds], side);
            if let Some(located) = swaps {
                let map = &self.mirrors[usize::from(located.mirror) - 1];
                self.swap_colours(map, &image[..kinds], &mut swapped[..kinds]);
                tell(&swapped[..kinds], side.other());
            }
        }
    }

    /// For each part: does it also stand for its colour swap, with the other side to move?
    #[must_use]
    pub fn mirrored_parts(&self) -> Vec<bool> {
        let mut mirrored = vec![false; self.parts.len()];
        for located in self.located.iter().filter(|l| l.mirror != 0) {
            mirrored[located.part as usize] = true;
        }
        mirrored
    }

    /// Fills in the boards of an index and gives back the side to move. `None` beyond the last
    /// index, and for slots that stand for no placement because a field they need does not exist.
    #[must_use]
    pub fn boards(&self, index: u64, boards: &mut [u64]) -> Option<Side> {
        if index >= self.size || boards.len() != self.places.len() {
            return None;
        }
        let part = &self.parts[self.part_of(index)];
        part.fill(index - part.base, boards).then_some(part.side)
    }
}

fn fields_of(place: Place) -> Option<u64> {
    match place {
        Place::Fields(fields) => Some(fields),
        Place::Reserve => None,
    }
}

/// Builds the parts and shares groups and symmetry tables between them.
struct Builder<'a> {
    layout: &'a Layout,
    options: Options,
    groups: HashMap<Vec<FieldMap>, (usize, Arc<Group>)>,
    orbits: HashMap<(usize, u64, u32), Arc<Orbits>>,
}

impl Builder<'_> {
    fn add_parts(&mut self, space: &mut Space, combinations: u64) -> Result<(), IndexError> {
        // Stage by stage, so that a stage is one run of slots with everything that it needs below.
        // Within a stage all combinations with the first side to move come first; so it is the
        // second side's that the mirror can spare.
        let mut order: Vec<(Stage, Side, u64, Vec<u32>)> = Vec::new();
        for key in 0..combinations {
            let side = Side::BOTH[key as usize % 2];
            let counts: Vec<u32> = (0..space.kinds())
                .map(|k| space.least[k] + (key / space.radix[k]) as u32 % space.ranges[k].max(1))
                .collect();
            if self.layout.is_admissible(&counts, side) {
                order.push((self.layout.stage_of(&counts), side, key, counts));
            }
        }
        order.sort();
        for (stage, side, key, counts) in order {
            let mirrored = self.mirrored(space, &counts, side)?;
            space.located[key as usize] = match mirrored {
                Some(located) => located,
                None => {
                    let Some(mut part) = self.part(counts, side)? else { continue };
                    part.base = space.size;
                    let end = space.size.checked_add(part.size());
                    space.size = end.ok_or(IndexError::Overflow)?;
                    space.note_stage(stage);
                    space.parts.push(part);
                    Located { part: space.parts.len() as u32 - 1, mirror: 0 }
                }
            };
        }
        Ok(())
    }

    /// The part that holds this combination with colours swapped, if it exists already.
    fn mirrored(
        &self,
        space: &mut Space,
        counts: &[u32],
        side: Side,
    ) -> Result<Option<Located>, IndexError> {
        if !self.options.mirror {
            return Ok(None);
        }
        let Some(map) = self.layout.mirror_of(counts) else { return Ok(None) };
        let wrong = |why: &str| IndexError::Symmetry {
            counts: counts.to_vec(),
            why: format!("the colour swap {why}"),
        };
        let map = permutation(self.layout.fields(), &map)
            .ok_or_else(|| wrong("is not a permutation of the fields"))?;
        if map.iter().enumerate().any(|(f, &to)| usize::from(map[usize::from(to)]) != f) {
            return Err(wrong("is not its own inverse"));
        }
        for (kind, place) in space.places.iter().enumerate() {
            let other = space.places[space.partner[kind]];
            let image = fields_of(*place).map(|fields| apply(&map, fields));
            if image != fields_of(other) {
                return Err(wrong("takes a kind to fields that its partner cannot reach"));
            }
        }
        let swapped = space.partner.iter().map(|&p| counts[p]);
        let key = space.key(swapped, side.other()).map(|key| space.located[key]);
        let Some(Located { part, mirror: 0 }) = key else { return Ok(None) };
        if part == NOWHERE.part {
            return Ok(None);
        }
        let known = space.mirrors.iter().position(|m| *m == map).unwrap_or_else(|| {
            space.mirrors.push(map);
            space.mirrors.len() - 1
        });
        let mirror = u16::try_from(known + 1).map_err(|_| wrong("has too many maps"))?;
        Ok(Some(Located { part, mirror }))
    }

    /// Lays out a part; `None` if no placement is possible.
    fn part(&mut self, counts: Vec<u32>, side: Side) -> Result<Option<Part>, IndexError> {
        let within = self.layout.fields_within(&counts);
        let mut order: Vec<Placed> = self
            .layout
            .kinds()
            .iter()
            .enumerate()
            .filter_map(|(kind, k)| {
                let fields = fields_of(k.place)? & within;
                Some(Placed { kind, fields, pieces: counts[kind] })
            })
            .filter(|placed| placed.pieces > 0)
            .collect();
        if self.options.order == Order::Ascending {
            order.sort_by_key(|placed| placed.fields.count_ones());
        }
        let symmetry = self.symmetry(&counts, &mut order)?;
        let part = Part::new(counts, side, within, &order, symmetry).ok_or(IndexError::Overflow)?;
        Ok((part.size() > 0).then_some(part))
    }

    /// The group and the table of the reference kind, which is moved to the front.
    fn symmetry(
        &mut self,
        counts: &[u32],
        order: &mut Vec<Placed>,
    ) -> Result<Option<Symmetry>, IndexError> {
        if !self.options.symmetry || order.is_empty() {
            return Ok(None);
        }
        let axes = self.layout.axes_of(counts);
        let wrong = |why: String| IndexError::Symmetry { counts: counts.to_vec(), why };
        let (number, group) = match self.groups.get(&axes) {
            Some(known) => known.clone(),
            None => {
                let group = Group::generate(self.layout.fields(), &axes).map_err(wrong)?;
                let made = (self.groups.len(), Arc::new(group));
                self.groups.insert(axes, made.clone());
                made
            }
        };
        if group.len() == 1 {
            return Ok(None);
        }
        for placed in order.iter() {
            if (0..group.len() as u16).any(|e| group.apply(e, placed.fields) != placed.fields) {
                let name = self.layout.kinds()[placed.kind].name;
                return Err(wrong(format!("it takes a {name} to fields that it cannot reach")));
            }
        }
        // Of equals the first: the one with the fewest fields.
        let reference = match self.options.reference {
            Reference::Fewest => order.iter().enumerate().min_by_key(|(_, p)| p.pieces),
            Reference::Most => order.iter().enumerate().rev().max_by_key(|(_, p)| p.pieces),
        };
        let at = reference.map_or(0, |(at, _)| at);
        let first = order.remove(at);
        order.insert(0, first);
        let boards = crate::combination::binomial(first.fields.count_ones(), first.pieces);
        if boards > self.options.largest_table {
            return Err(IndexError::Table { boards, limit: self.options.largest_table });
        }
        let orbits = self
            .orbits
            .entry((number, first.fields, first.pieces))
            .or_insert_with(|| Arc::new(Orbits::new(&group, first.fields, first.pieces)));
        Ok(Some((group, orbits.clone())))
    }
}

/// The board of a kind in reserve with n pieces, for [`Indexed::boards`](zug_core::Indexed::boards).
#[must_use]
pub fn reserve_board(pieces: u32) -> u64 {
    low_bits(pieces)
}

#[cfg(test)]
mod tests;
