//! Is a game's description for the index sound? Checks for `zug games check`.

mod stages;

pub use stages::stages;

use crate::group::{Group, apply, permutation};
use crate::{Index, IndexError, Options, Slot};
use std::collections::{HashMap, HashSet};
use std::rc::Rc;
use zug_core::checks::{check, retro_holds, sample, thousands};
use zug_core::indexed::{Layout, Place};
use zug_core::seed::RngExt;
use zug_core::{Capability, Check, GameEntry, Indexed, Retro, Rng, Side, rng};

/// Positions from random play, and slots of the index, that a check looks at.
const SAMPLES: usize = 2_000;
/// Moves that a check looks at.
const MOVES: usize = 40_000;
/// A check must not take long; beyond this, symmetry tables are left out.
const LARGEST_TABLE: u64 = 1 << 20;

/// Adds the index to what an entry can do.
pub trait IndexedEntry {
    /// Notes that the positions can be numbered, and adds the checks of it.
    #[must_use]
    fn indexed<G: Indexed>(self, game: &G) -> Self;

    /// Notes that moves can be taken back, and adds the check of it on positions from the index
    /// as well as from play.
    #[must_use]
    fn retro_indexed<G: Indexed + Retro>(self, game: &G) -> Self;
}

impl IndexedEntry for GameEntry {
    fn indexed<G: Indexed>(self, game: &G) -> GameEntry {
        self.with_capability(Capability::Index)
            .with_check(index(game))
            .with_check(index_symmetry(game))
            .with_check(stages(game))
            .with_check(crate::symmetry::detected(game))
    }

    fn retro_indexed<G: Indexed + Retro>(self, game: &G) -> GameEntry {
        self.retro(game).with_check(retro_on_index(game))
    }
}

/// Every reachable position has an index, slots and positions survive the round trip, equivalent
/// positions share an index, others do not.
#[must_use]
pub fn index<G: Indexed>(game: &G) -> Check {
    check("index", game, index_holds)
}

/// The symmetries that a game declares for its index keep the rules.
#[must_use]
pub fn index_symmetry<G: Indexed>(game: &G) -> Check {
    check("index symmetry", game, symmetry_holds)
}

/// Un-moving is the inverse of moving on positions drawn from the index, reachable or not.
#[must_use]
pub fn retro_on_index<G: Indexed + Retro>(game: &G) -> Check {
    check("un-move on the index", game, |game, seed| {
        let (index, _) = build(game)?;
        let mut rng = rng(seed, 21);
        let slots = draw_slots(&index, &mut rng);
        let positions: Vec<G::Position> =
            slots.into_iter().filter_map(|slot| index.position(slot)).collect();
        retro_holds(game, &positions)
    })
}

fn build<G: Indexed>(game: &G) -> Result<(Index<G>, &'static str), String> {
    let options = Options { largest_table: LARGEST_TABLE, ..Options::default() };
    match Index::new(game, options) {
        Ok(index) => Ok((index, "")),
        Err(IndexError::Table { .. }) => {
            let full = Options { symmetry: false, ..options };
            let index = Index::new(game, full).map_err(|e| e.to_string())?;
            Ok((index, " (without board symmetry)"))
        }
        Err(e) => Err(e.to_string()),
    }
}

/// All slots of a small index, some of a large one.
fn draw_slots<G: Indexed>(index: &Index<G>, rng: &mut Rng) -> Vec<u64> {
    if index.size() <= SAMPLES as u64 {
        return (0..index.size()).collect();
    }
    // As many from every part, or the largest part would be all that is seen.
    let parts = index.space().parts();
    let each = (SAMPLES / parts.len()).max(1);
    let chosen = parts.iter().step_by(parts.len().div_ceil(SAMPLES));
    chosen
        .flat_map(|part| {
            let (base, size) = (part.base(), part.size());
            (0..each).map(|_| base + rng.random_range(0..size)).collect::<Vec<u64>>()
        })
        .collect()
}

/// A placement: boards and side to move.
pub(crate) type Placement = (Vec<u64>, Side);

pub(crate) fn placement<G: Indexed>(game: &G, kinds: usize, position: &G::Position) -> Placement {
    let mut boards = vec![0; kinds];
    game.boards(position, &mut boards);
    (boards, game.to_move(position))
}

/// A group, and the map of the colour swap where there is one.
type Maps = Rc<(Group, Option<[u8; 64]>)>;

/// The symmetries that a layout declares, worked out once for each combination of counts.
struct Declared {
    layout: Layout,
    known: HashMap<Vec<u32>, Maps>,
}

impl Declared {
    fn new<G: Indexed>(game: &G) -> Declared {
        Declared { layout: game.layout(), known: HashMap::new() }
    }

    fn symmetries(&mut self, counts: &[u32]) -> Result<Maps, String> {
        if let Some(known) = self.known.get(counts) {
            return Ok(known.clone());
        }
        let fields = self.layout.fields();
        let group = Group::generate(fields, &self.layout.axes_of(counts))
            .map_err(|why| format!("the symmetries of {counts:?} are wrong: {why}"))?;
        let mirror = match self.layout.mirror_of(counts) {
            None => None,
            Some(map) => Some(
                permutation(fields, &map)
                    .ok_or(format!("the colour swap of {counts:?} is no permutation"))?,
            ),
        };
        let found = Rc::new((group, mirror));
        self.known.insert(counts.to_vec(), found.clone());
        Ok(found)
    }

    /// The images of a placement under all symmetries that are declared for these counts, the
    /// identity first. The flag tells whether colours are swapped.
    fn images(
        &mut self,
        counts: &[u32],
        (boards, side): &Placement,
    ) -> Result<Vec<(Placement, bool)>, String> {
        let symmetries = self.symmetries(counts)?;
        let (group, mirror) = &*symmetries;
        let image = |kind: usize, board: u64, map: &dyn Fn(u64) -> u64| {
            if self.layout.kinds()[kind].place == Place::Reserve { board } else { map(board) }
        };
        let mut found = Vec::new();
        for element in 0..group.len() as u16 {
            let map = |board: u64| group.apply(element, board);
            let turned: Vec<u64> =
                boards.iter().enumerate().map(|(k, &board)| image(k, board, &map)).collect();
            found.push(((turned, *side), false));
        }
        if let Some(map) = mirror {
            for i in 0..group.len() {
                let turned = &found[i].0.0;
                let swapped: Vec<u64> = (0..turned.len())
                    .map(|k| image(k, turned[self.layout.partner(k)], &|b| apply(map, b)))
                    .collect();
                found.push(((swapped, side.other()), true));
            }
        }
        Ok(found)
    }
}

pub(crate) fn counts_of(placement: &Placement) -> Vec<u32> {
    placement.0.iter().map(|b| b.count_ones()).collect()
}

fn index_holds<G: Indexed>(game: &G, seed: u64) -> Result<String, String> {
    let (index, note) = build(game)?;
    let kinds = index.space().kinds();
    let mut rng = rng(seed, 20);
    let (mut legal, mut duplicates, mut illegal) = (0, 0, 0);
    let mut boards = vec![0; kinds];
    for number in draw_slots(&index, &mut rng) {
        match index.slot(number) {
            Slot::Illegal => illegal += 1,
            Slot::Position(position) => {
                legal += 1;
                index.space().boards(number, &mut boards).ok_or("a slot without boards")?;
                if placement(game, kinds, &position).0 != boards {
                    let text = game.write_position(&position);
                    return Err(format!("slot {number}: the boards of '{text}' are others"));
                }
                if index.index_of(&position) != Some(number) {
                    return Err(format!("slot {number} holds a position without an index"));
                }
            }
            Slot::Duplicate(lower) => {
                duplicates += 1;
                if lower > number || !matches!(index.slot(lower), Slot::Position(_)) {
                    return Err(format!(
                        "slot {number} refers to slot {lower}, which is no real one"
                    ));
                }
            }
        }
    }
    let mut declared = Declared::new(game);
    let mut reachable = 0;
    for position in sample(game, &mut rng, SAMPLES) {
        let text = || game.write_position(&position);
        let number =
            index.index_of(&position).ok_or_else(|| format!("'{}' has no index", text()))?;
        let found =
            index.position(number).ok_or_else(|| format!("the slot of '{}' is illegal", text()))?;
        let target = placement(game, kinds, &found);
        let here = placement(game, kinds, &position);
        let same = declared.images(&counts_of(&here), &here)?;
        if !same.iter().any(|(p, _)| *p == target) {
            let other = game.write_position(&found);
            return Err(format!("'{}' and '{other}' have one index", text()));
        }
        if note.is_empty() {
            for ((boards, side), _) in &same {
                if index.space().index(boards, *side) != Some(number) {
                    return Err(format!("an equivalent of '{}' has another index", text()));
                }
            }
        }
        reachable += 1;
    }
    Ok(format!(
        "{} slots in {} parts{note}; of those drawn {} legal, {} duplicates, {} illegal; \
         {} positions from play",
        thousands(index.size()),
        thousands(index.space().parts().len()),
        thousands(legal),
        thousands(duplicates),
        thousands(illegal),
        thousands(reachable)
    ))
}

fn symmetry_holds<G: Indexed>(game: &G, seed: u64) -> Result<String, String> {
    let mut declared = Declared::new(game);
    let kinds = declared.layout.kinds().len();
    let (mut positions, mut equals, mut seen, mut swaps) = (0, 0, 0, 0);
    for position in sample(game, &mut rng(seed, 22), SAMPLES) {
        let text = game.write_position(&position);
        let here = placement(game, kinds, &position);
        // Counts may change with a move, and with them the declared symmetries; those that hold
        // now are asked to map the successors, too.
        let counts = counts_of(&here);
        let same = declared.images(&counts, &here)?;
        let next = successors(game, &position);
        let next_images: Vec<Vec<(Placement, bool)>> = next
            .iter()
            .map(|p| declared.images(&counts, &placement(game, kinds, p)))
            .collect::<Result<_, String>>()?;
        for (i, ((boards, side), swapped)) in same.iter().enumerate() {
            let image = game
                .position_of(boards, *side)
                .ok_or_else(|| format!("an equivalent of '{text}' is illegal"))?;
            let winner = |p: &G::Position| game.outcome(p).map(|o| o.winner);
            let expected = winner(&position).map(|w| if *swapped { w.map(Side::other) } else { w });
            if winner(&image) != expected {
                let other = game.write_position(&image);
                return Err(format!("'{text}' and its equivalent '{other}' end differently"));
            }
            let there: HashSet<Placement> =
                successors(game, &image).iter().map(|p| placement(game, kinds, p)).collect();
            let mapped: HashSet<Placement> =
                next_images.iter().map(|list| list[i].0.clone()).collect();
            if there != mapped {
                let other = game.write_position(&image);
                return Err(format!("'{text}' and its equivalent '{other}' go on differently"));
            }
            equals += 1;
            swaps += usize::from(*swapped);
            seen += next.len() + 1;
        }
        positions += 1;
        if seen > MOVES {
            break;
        }
    }
    Ok(format!(
        "{} positions, {} equivalents ({} with colours swapped), {} moves",
        thousands(positions),
        thousands(equals),
        thousands(swaps),
        thousands(seen)
    ))
}

pub(crate) fn successors<G: Indexed>(game: &G, position: &G::Position) -> Vec<G::Position> {
    let mut moves = Vec::new();
    game.moves(position, &mut moves);
    let after = |mv| {
        let mut next = position.clone();
        game.play(&mut next, mv);
        next
    };
    moves.into_iter().map(after).collect()
}

#[cfg(test)]
mod tests;
