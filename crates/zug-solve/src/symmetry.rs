//! Which symmetries does a game really have? The thesis judged it too dear to find them by machine
//! (§4.6); on boards of today's games it takes a moment.
//!
//! Candidates are permutations of the fields: all symmetries of a rectangle, and the automorphisms
//! of the *reach* of single pieces: which field a piece can go to from which, as seen in sampled
//! moves. Each is tried on sampled positions, with colours as they are (a board symmetry) and
//! swapped (a mirror): the image must be a position, end alike, and go on alike. What survives is
//! compared with what the layout declares.

use crate::checks::{Placement, counts_of, placement, successors};
use crate::group::{apply, permutation};
use crate::{Index, IndexError, Options};
use std::collections::{BTreeMap, BTreeSet, HashSet};
use zug_core::checks::{check, sample, thousands};
use zug_core::indexed::{FieldMap, Layout, Place};
use zug_core::seed::RngExt;
use zug_core::{Check, Indexed, Side, rng};

/// Positions on which a candidate is tried.
const SAMPLES: usize = 200;
/// Candidates that are tried at most.
const MOST_CANDIDATES: usize = 256;
/// How often a move must have been seen to count. Where pieces can also fly everywhere, the lines
/// of the board show only in what is seen more often than by chance.
const SEEN_OFTEN: [u32; 5] = [1, 3, 6, 12, 24];
/// Steps of the search for automorphisms.
const MOST_STEPS: usize = 200_000;

/// A symmetry of a game.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Found {
    /// Where each field goes.
    pub map: FieldMap,
    /// Do the colours change, and with them the side to move?
    pub swaps: bool,
}

/// What was found, for all combinations of piece counts together and beside what is declared.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Permutations of the fields that were tried.
    pub candidates: usize,
    /// Symmetries that hold in every sampled position, the identity among them.
    pub holding: Vec<Found>,
    /// Those of them that are declared for no sampled counts though they hold.
    pub missing: Vec<Found>,
    /// Declared symmetries that do not hold, with a position that shows it.
    pub wrong: Vec<(Found, String)>,
}

/// Finds the symmetries of a game that hold for all piece counts, and compares them with those
/// that its layout declares. Sampled positions are from play and, where there is room for an index,
/// from anywhere in it.
pub fn symmetries<G: Indexed>(game: &G, seed: u64) -> Result<Report, IndexError> {
    let layout = game.layout();
    let fields = layout.fields() as usize;
    let mut rng = rng(seed, 24);
    let mut positions = sample(game, &mut rng, SAMPLES);
    let index = Index::new(game, Options::full())?;
    for part in index.space().parts().iter().step_by(index.space().parts().len().div_ceil(SAMPLES))
    {
        let slot = part.base() + rng.random_range(0..part.size());
        positions.extend(index.position(slot));
    }
    let mut candidates = BTreeSet::from([identity(fields)]);
    candidates.extend(grid_maps(fields));
    let moves = moves_seen(game, &layout, &positions);
    for often in SEEN_OFTEN {
        candidates.extend(automorphisms(&reach(&moves, often)));
    }
    candidates.truncate_to(MOST_CANDIDATES);
    let declared = declared(game, &layout, &positions);
    candidates.extend(declared.keys().map(|found| found.map.clone()));
    let mut report = Report { candidates: candidates.len(), ..Report::default() };
    for map in candidates {
        for swaps in [false, true] {
            let found = Found { map: map.clone(), swaps };
            if swaps && !swaps_colours(&layout) {
                continue;
            }
            let Some(table) = permutation(layout.fields(), &found.map) else { continue };
            let fault = positions.iter().find(|p| !holds(game, &layout, p, &table, swaps));
            // A symmetry that is declared for some counts need only hold for those.
            let partly = declared.get(&found).and_then(|counts| {
                let with = |p: &&G::Position| {
                    counts.contains(&counts_of(&placement(game, layout.kinds().len(), p)))
                };
                positions.iter().filter(with).find(|p| !holds(game, &layout, p, &table, swaps))
            });
            if let Some(position) = partly {
                report.wrong.push((found.clone(), game.write_position(position)));
            }
            if fault.is_none() {
                if !declared.contains_key(&found) {
                    report.missing.push(found.clone());
                }
                report.holding.push(found);
            }
        }
    }
    Ok(report)
}

/// The check for `zug games check`: what is declared holds. Symmetries that hold but are not
/// declared only cost space, so they are told and not held against the game.
#[must_use]
pub fn detected<G: Indexed>(game: &G) -> Check {
    check("symmetries found", game, |game, seed| {
        let report = match symmetries(game, seed) {
            Ok(report) => report,
            Err(e) => return Ok(format!("not looked for: {e}")),
        };
        if let Some((found, text)) = report.wrong.first() {
            let how = if found.swaps { " with colours swapped" } else { "" };
            return Err(format!("{:?}{how} is declared but does not hold at '{text}'", found.map));
        }
        let swaps = report.holding.iter().filter(|found| found.swaps).count();
        let unused = match report.missing.len() {
            0 => "all declared".to_string(),
            n => format!("{} not declared, such as {:?}", thousands(n), report.missing[0]),
        };
        Ok(format!(
            "{} candidates; {} board symmetries and {} colour swaps hold, {unused}",
            thousands(report.candidates),
            thousands(report.holding.len() - swaps),
            thousands(swaps)
        ))
    })
}

trait Truncate {
    fn truncate_to(&mut self, most: usize);
}

impl Truncate for BTreeSet<FieldMap> {
    fn truncate_to(&mut self, most: usize) {
        while self.len() > most {
            self.pop_last();
        }
    }
}

fn identity(fields: usize) -> FieldMap {
    (0..fields as u8).collect()
}

/// Is there a kind that changes sides?
fn swaps_colours(layout: &Layout) -> bool {
    let kinds = layout.kinds();
    (0..kinds.len()).all(|k| kinds[k].owner.is_none() || layout.partner(k) != k)
}

/// The symmetries of every rectangle with so many fields.
fn grid_maps(fields: usize) -> Vec<FieldMap> {
    let mut maps = Vec::new();
    for width in (1..=fields).filter(|w| fields.is_multiple_of(*w)) {
        let height = fields / width;
        for (flip_rows, flip_columns, turn) in
            (0..8).map(|i| (i & 1 == 1, i & 2 == 2, i & 4 == 4)).filter(|t| !t.2 || width == height)
        {
            let to = |field: usize| {
                let (row, column) = (field / width, field % width);
                let row = if flip_rows { height - 1 - row } else { row };
                let column = if flip_columns { width - 1 - column } else { column };
                (if turn { column * width + row } else { row * width + column }) as u8
            };
            maps.push((0..fields).map(to).collect());
        }
    }
    maps
}

/// What the layout declares, closed under composition, with the counts it is declared for.
fn declared<G: Indexed>(
    game: &G,
    layout: &Layout,
    positions: &[G::Position],
) -> BTreeMap<Found, HashSet<Vec<u32>>> {
    let mut known: BTreeMap<Found, HashSet<Vec<u32>>> = BTreeMap::new();
    let kinds = layout.kinds().len();
    let all: HashSet<Vec<u32>> =
        positions.iter().map(|p| counts_of(&placement(game, kinds, p))).collect();
    for counts in all {
        let mut maps = vec![identity(layout.fields() as usize)];
        let (axes, mut next) = (layout.axes_of(&counts), 0);
        while next < maps.len() && maps.len() <= MOST_CANDIDATES {
            for axis in axes.iter().filter(|axis| permutation(layout.fields(), axis).is_some()) {
                let map: FieldMap = maps[next].iter().map(|&f| axis[usize::from(f)]).collect();
                if !maps.contains(&map) {
                    maps.push(map);
                }
            }
            next += 1;
        }
        let swap = layout.mirror_of(&counts);
        for map in maps {
            if let Some(swap) = &swap {
                let swapped = map.iter().map(|&f| swap[usize::from(f)]).collect();
                let found = Found { map: swapped, swaps: true };
                known.entry(found).or_default().insert(counts.clone());
            }
            known.entry(Found { map, swaps: false }).or_default().insert(counts.clone());
        }
    }
    known
}

/// Does a permutation keep what happens at a position?
fn holds<G: Indexed>(
    game: &G,
    layout: &Layout,
    position: &G::Position,
    map: &[u8; 64],
    swaps: bool,
) -> bool {
    let kinds = layout.kinds().len();
    let image = |(boards, side): &Placement| -> Placement {
        let source = |k: usize| if swaps { layout.partner(k) } else { k };
        let moved = |k: usize| match layout.kinds()[k].place {
            Place::Reserve => boards[source(k)],
            Place::Fields(_) => apply(map, boards[source(k)]),
        };
        ((0..kinds).map(moved).collect(), if swaps { side.other() } else { *side })
    };
    let (boards, side) = image(&placement(game, kinds, position));
    let on_board = layout.kinds().iter().zip(&boards).all(|(kind, board)| match kind.place {
        Place::Reserve => true,
        Place::Fields(fields) => board & !fields == 0,
    });
    let counts: Vec<u32> = boards.iter().map(|b| b.count_ones()).collect();
    if !on_board || !layout.is_admissible(&counts, side) {
        return false;
    }
    let Some(there) = game.position_of(&boards, side) else { return false };
    let winner = |p: &G::Position| game.outcome(p).map(|o| o.winner);
    let expected = winner(position).map(|w| if swaps { w.map(Side::other) } else { w });
    if winner(&there) != expected {
        return false;
    }
    let after = |p: &G::Position| successors(game, p);
    let mapped: HashSet<Placement> =
        after(position).iter().map(|p| image(&placement(game, kinds, p))).collect();
    let found: HashSet<Placement> =
        after(&there).iter().map(|p| placement(game, kinds, p)).collect();
    mapped == found
}

/// How often a single piece was seen to go from a field to another, either way, in moves that
/// change one piece of one kind; pieces that are put on the board tell nothing.
fn moves_seen<G: Indexed>(game: &G, layout: &Layout, positions: &[G::Position]) -> Vec<Vec<u32>> {
    let (kinds, fields) = (layout.kinds().len(), layout.fields() as usize);
    let mut seen = vec![vec![0; fields]; fields];
    for position in positions {
        let (before, _) = placement(game, kinds, position);
        for next in successors(game, position) {
            let (after, _) = placement(game, kinds, &next);
            for k in (0..kinds).filter(|&k| layout.kinds()[k].place != Place::Reserve) {
                let (gone, come) = (before[k] & !after[k], after[k] & !before[k]);
                if gone.count_ones() == 1 && come.count_ones() == 1 {
                    // Neighbourhood is mutual: the colour swap may turn the direction round.
                    let (from, to) = (gone.trailing_zeros(), come.trailing_zeros());
                    seen[from as usize][to as usize] += 1;
                    seen[to as usize][from as usize] += 1;
                }
            }
        }
    }
    seen
}

/// Which fields are neighbours, if a move must have been seen so often?
fn reach(seen: &[Vec<u32>], often: u32) -> Vec<u64> {
    let row = |row: &Vec<u32>| {
        row.iter().enumerate().filter(|(_, n)| **n >= often).fold(0, |set, (f, _)| set | 1 << f)
    };
    seen.iter().map(row).collect()
}

/// The permutations that keep a neighbourhood, by trying images field by field, where only fields
/// of the same refined class are tried. Gives up on graphs with very many.
fn automorphisms(reach: &[u64]) -> Vec<FieldMap> {
    let fields = reach.len();
    if reach.iter().all(|&r| r == 0) {
        return Vec::new();
    }
    let classes = refine(reach);
    let mut found = Vec::new();
    let mut steps = 0;
    extend(reach, &classes, &mut Vec::with_capacity(fields), 0, &mut found, &mut steps);
    found
}

/// Colour refinement: fields are of one class if they have as many neighbours of each class.
fn refine(reach: &[u64]) -> Vec<usize> {
    let mut classes = vec![0; reach.len()];
    loop {
        let signature = |f: usize| {
            let mut around: Vec<usize> =
                (0..reach.len()).filter(|n| reach[f] >> n & 1 == 1).map(|n| classes[n]).collect();
            around.sort_unstable();
            (classes[f], around)
        };
        let signatures: Vec<_> = (0..reach.len()).map(signature).collect();
        let mut names = signatures.clone();
        names.sort();
        names.dedup();
        let next: Vec<usize> = signatures
            .iter()
            .map(|s| names.binary_search(s).expect("every signature has a name"))
            .collect();
        if next == classes {
            return classes;
        }
        classes = next;
    }
}

fn extend(
    reach: &[u64],
    classes: &[usize],
    map: &mut FieldMap,
    used: u64,
    found: &mut Vec<FieldMap>,
    steps: &mut usize,
) {
    let field = map.len();
    if field == reach.len() {
        found.push(map.clone());
        return;
    }
    for to in 0..reach.len() {
        *steps += 1;
        if *steps > MOST_STEPS || found.len() >= MOST_CANDIDATES {
            return;
        }
        let fits = used >> to & 1 == 0
            && classes[to] == classes[field]
            && (0..field).all(|f| reach[field] >> f & 1 == reach[to] >> map[f] & 1);
        if fits {
            map.push(to as u8);
            extend(reach, classes, map, used | 1 << to, found, steps);
            map.pop();
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rectangles_have_four_symmetries_and_squares_eight() {
        let distinct = |fields| grid_maps(fields).into_iter().collect::<BTreeSet<_>>().len();
        // 6 fields: 1×6 and 6×1 have two, 2×3 and 3×2 four each, the half turn is common to all.
        assert_eq!(distinct(6), 2 + 4 + 4 - 4);
        let square: BTreeSet<FieldMap> = grid_maps(9).into_iter().collect();
        assert_eq!(square.len(), 8);
        assert!(square.iter().all(|map| permutation(9, map).is_some()));
    }

    #[test]
    fn a_cycle_has_its_turns_and_reflections_and_a_path_one() {
        let cycle: Vec<u64> = (0..6).map(|f| 1 << ((f + 1) % 6) | 1 << ((f + 5) % 6)).collect();
        assert_eq!(automorphisms(&cycle).len(), 12);
        let path: Vec<u64> = vec![0b10, 0b101, 0b1010, 0b100];
        assert_eq!(automorphisms(&path), [vec![0, 1, 2, 3], vec![3, 2, 1, 0]]);
        assert_eq!(automorphisms(&[0; 5]), Vec::<FieldMap>::new());
    }
}
