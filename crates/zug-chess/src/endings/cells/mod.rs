//! The cells of endings for the solver, on squares and bitboards.
//!
//! [`EndingCells`] numbers its cells exactly as the general index does and knows the same rules
//! as [`Chess`], but decides about a cell in nanoseconds. Successors and predecessors are listed
//! with multiplicity. A placement that is its own reflection has *twin* moves that lead to one
//! cell; how often a predecessor must be listed follows from counting moves between the classes
//! of equals of p and q: each un-move from q to p counts s(p)/s(q) times, where s is the number of
//! symmetries that leave a placement as it is, 1 or 2.
//!
//! | module | answers |
//! |---|---|
//! | `tables` | what does a man attack, where does a square go under a symmetry? |
//! | `men` | what stands where, and who attacks whom? |
//! | `plan` | which number does a placement have? |
//! | `moves` | where can the men go? |
//! | `unmove`, `quiet` | where can they have come from? |
//! | `survey` | what does each cell hold? |

mod men;
mod moves;
mod plan;
mod quiet;
mod survey;
mod tables;
#[cfg(test)]
mod tests;
mod unmove;

use crate::Draws;
use crate::rules::Chess;
use men::Men;
use plan::{Dead, Plan, Route, Symmetry, is_dead, key, swapped_key};
use std::ops::Range;
use tables::{COLOR, DIAGONAL, KIND, MAP, PAWN, PIECE, UP_DOWN, bit};
use unmove::Change;
use zug_core::Indexed;
use zug_solve::{Cells, Content, IndexError, Options, Space, Value};

/// The cells of an ending.
///
/// ```
/// use zug_chess::Chess;
/// use zug_chess::endings::{EndingCells, Material, Scope};
/// use zug_core::Indexed;
/// use zug_solve::{Cells, Content, Options, Space, Value};
///
/// let game = Chess::ending(Scope::Material(Material::parse("KRvK")?));
/// let space = Space::new(&game.layout(), Options::default())?;
/// let cells = EndingCells::new(&game, &space).expect("one man carries the symmetry");
/// let (mut mates, mut scratch) = (0, cells.scratch());
/// cells.survey(0..cells.size(), &mut scratch, &mut |_, content| {
///     mates += u32::from(content == Content::Ended(Value::Loss(0)));
/// });
/// assert_eq!(mates, 27);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
pub struct EndingCells {
    plans: Vec<Plan>,
    /// Parts by the key of their kinds and side to move, and whether colours must be swapped.
    targets: Vec<(u64, u32, bool)>,
    size: u64,
    dead_ends: bool,
}

/// Working memory: the part of the last cell, where the next one probably is.
#[derive(Debug, Default)]
pub struct EndingScratch {
    part: usize,
}

impl EndingCells {
    /// The cells of a game whose index is this space. `None` where several men carry the symmetry
    /// (`Reference::Most`), or for the whole game.
    #[must_use]
    pub fn new(game: &Chess, space: &Space) -> Option<EndingCells> {
        game.scope()?;
        let stages = space.stages().iter();
        let parts =
            stages.flat_map(|s| space.parts()[s.parts.clone()].iter().map(|p| (p, &s.slots)));
        let plans: Option<Vec<Plan>> = parts.map(|(part, stage)| Plan::new(part, stage)).collect();
        let mut cells = EndingCells {
            plans: plans?,
            targets: Vec::new(),
            size: space.size(),
            dead_ends: game.draws() == Draws::Automatic,
        };
        let stored = cells.plans.iter().enumerate();
        cells.targets = stored.map(|(i, plan)| (key(&plan.men), i as u32, false)).collect();
        let mut boards = vec![0; space.kinds()];
        for (i, plan) in cells.plans.iter().enumerate() {
            // The swap is where the space says it is, if anywhere.
            let swapped = swapped_key(&plan.men);
            let known = cells.plans.iter().any(|p| key(&p.men) == swapped);
            let first = (0..plan.size).find_map(|slot| plan.place(slot).ok());
            if let (false, Some(men)) = (known, first) {
                boards.fill(0);
                for man in 0..men.n {
                    boards[usize::from(tables::PARTNER[usize::from(men.kind[man])])] |=
                        bit(men.square[man] ^ 56);
                }
                let side = zug_core::Side::BOTH[1 - men.side];
                if space.index(&boards, side).is_some() {
                    cells.targets.push((swapped, i as u32, true));
                }
            }
        }
        cells.targets.sort_unstable();
        for i in 0..cells.plans.len() {
            let mut after = cells.plans[i].men;
            after.side = 1 - after.side;
            cells.plans[i].quiet = cells.route(&after);
        }
        Some(cells)
    }

    /// The cells of a game by its index with these options. Fails where several men carry the
    /// symmetry ([`Reference::Most`](zug_solve::Reference::Most)).
    pub fn open(game: &Chess, options: Options) -> Result<EndingCells, IndexError> {
        let space = Space::new(&game.layout(), options)?;
        let what = "man to carry the symmetry of an ending";
        EndingCells::new(game, &space).ok_or(IndexError::TooMany { what, limit: 1 })
    }

    /// The part that holds these kinds with this side to move.
    fn target(&self, key: u64) -> Option<(usize, bool)> {
        let at = self.targets.binary_search_by_key(&key, |&(key, _, _)| key).ok()?;
        let (_, part, flip) = self.targets[at];
        Some((part as usize, flip))
    }

    fn route(&self, men: &Men) -> Option<Route> {
        let (part, flip) = self.target(key(men))?;
        let from = self.plans[part].arrange(men, flip)?;
        let mut to = [0; men::MOST];
        (0..men.n).for_each(|i| to[usize::from(from[i] & 7)] = i as u8);
        Some(Route { part, flip, from, to })
    }

    /// The cell of a placement, and whether it is its own reflection.
    fn number(&self, men: &Men) -> Option<(u64, bool)> {
        let route = self.route(men)?;
        let plan = &self.plans[route.part];
        let squares = std::array::from_fn(|i| men.square[usize::from(route.from[i] & 7)]);
        let (slot, symmetric) = plan.number(&squares, route.flip);
        Some((plan.base + slot, symmetric))
    }

    fn part(&self, cell: u64, scratch: &mut EndingScratch) -> &Plan {
        let holds = |p: &Plan| cell.wrapping_sub(p.base) < p.size;
        if !holds(&self.plans[scratch.part]) {
            scratch.part = self.plans.partition_point(|p| p.base <= cell) - 1;
        }
        &self.plans[scratch.part]
    }

    /// What a placement holds that is no duplicate.
    fn judge(&self, plan: &Plan, men: &Men) -> Content {
        if men.king_hangs() || men.passing().is_some_and(|pawn| !men.can_be_passing(pawn)) {
            return Content::Illegal;
        }
        self.judge_legal(plan, men)
    }

    fn judge_legal(&self, plan: &Plan, men: &Men) -> Content {
        if !moves::any(men) {
            let king = men.king(men.side);
            let mated = men.attackers(king, 1 - men.side, men.occupied()) != 0;
            return Content::Ended(if mated { Value::Loss(0) } else { Value::Draw });
        }
        if self.is_dead(plan, men) { Content::Ended(Value::Draw) } else { Content::Open }
    }

    fn is_dead(&self, plan: &Plan, men: &Men) -> bool {
        self.dead_ends && plan.dead != Dead::Never && is_dead(plan.dead, men)
    }

    /// Appends a placement that is a predecessor, if it is open: twice if it is its own
    /// reflection, since then a second move does the same.
    fn emit(&self, men: &Men, within: &Range<u64>, out: &mut Vec<u64>) {
        let Some((cell, symmetric)) = self.number(men) else { return };
        if !within.contains(&cell) {
            return;
        }
        if self.dead_ends {
            let Some((part, _)) = self.target(key(men)) else { return };
            if self.is_dead(&self.plans[part], men) {
                return;
            }
        }
        out.push(cell);
        if symmetric {
            out.push(cell);
        }
    }

    /// The part that holds what was before a change of men, if some of it is wanted.
    fn before(&self, men: &Men, change: Change, within: &Range<u64>) -> Option<&Plan> {
        let mut before = *men;
        before.side = 1 - men.side;
        if let Some(kind) = change.promoted {
            let man = (0..men.n).find(|&i| men.kind[i] == kind)?;
            before.kind[man] = Men::pawn_kind(before.side);
        }
        if let Some(kind) = change.captured {
            before.kind[before.n] = kind;
            before.n += 1;
        }
        // A passing pawn is in the same stage, so the plain part speaks for it; but a range need
        // not be a stage.
        if let Some(pawn) = men.passing() {
            before.kind[pawn] = Men::pawn_kind(COLOR[usize::from(men.kind[pawn])].into());
        }
        let (part, _) = self.target(key(&before))?;
        let plan = &self.plans[part];
        let pawns = plan.both_have_pawns;
        let meets = plan.base < within.end && within.start < plan.base + plan.size;
        (meets || pawns).then_some(plan)
    }

    /// Predecessors the general way. Where the men before the move have fewer symmetries than
    /// those after it (a pawn was on the board), all ways to turn the board are looked at.
    fn unmoves(
        &self,
        plan: &Plan,
        men: &Men,
        within: &Range<u64>,
        quiet: bool,
        promotions: bool,
        out: &mut Vec<u64>,
    ) {
        let wanted = |change: Change, turned: bool| {
            let is_quiet = change.captured.is_none() && change.promoted.is_none();
            (quiet || !is_quiet)
                && (promotions || change.promoted.is_none())
                && self
                    .before(men, change, within)
                    .is_some_and(|before| (before.symmetry != plan.symmetry) == turned)
        };
        let from = out.len();
        let symmetric = plan.is_symmetric(men);
        unmove::visit(men, &mut |c| wanted(c, false), &mut |before| self.emit(before, within, out));
        if symmetric {
            halve(out, from);
        }
        if plan.symmetry != Symmetry::All {
            return;
        }
        for turn in [0, UP_DOWN, DIAGONAL, UP_DOWN | DIAGONAL] {
            if symmetric && turn & DIAGONAL != 0 {
                continue;
            }
            let mut turned = *men;
            turned.square = men.square.map(|s| MAP[turn][usize::from(s & 63)]);
            unmove::visit(&turned, &mut |c| wanted(c, true), &mut |before| {
                self.emit(before, within, out);
            });
        }
    }
}

/// Leaves half of what was appended after `from`: every cell is there an even number of times.
fn halve(out: &mut Vec<u64>, from: usize) {
    out[from..].sort_unstable();
    let kept = (out.len() - from) / 2;
    for i in 0..kept {
        out[from + i] = out[from + 2 * i];
    }
    out.truncate(from + kept);
}

impl Cells for EndingCells {
    type Scratch = EndingScratch;

    fn scratch(&self) -> EndingScratch {
        EndingScratch::default()
    }

    fn size(&self) -> u64 {
        self.size
    }

    fn content(&self, cell: u64, scratch: &mut EndingScratch) -> Content {
        let plan = self.part(cell, scratch);
        let slot = cell - plan.base;
        let Ok(men) = plan.place(slot) else { return Content::Illegal };
        match self.judge(plan, &men) {
            Content::Illegal => Content::Illegal,
            _ if plan.may_be_duplicate(&men) && plan.number(&men.square, false).0 != slot => {
                Content::Duplicate
            }
            content => content,
        }
    }

    fn survey(
        &self,
        range: Range<u64>,
        scratch: &mut EndingScratch,
        tell: &mut impl FnMut(u64, Content),
    ) {
        self.survey_runs(range, scratch, tell);
    }

    fn successors(&self, cell: u64, scratch: &mut EndingScratch, out: &mut Vec<u64>) {
        let plan = self.part(cell, scratch);
        let Ok(men) = plan.place(cell - plan.base) else { return };
        moves::visit(&men, |i, targets, en_passant| {
            for to in tables::squares(targets) {
                self.after(&men, i, to, en_passant, |after| {
                    out.extend(self.number(after).map(|(cell, _)| cell));
                });
            }
            false
        });
    }

    fn count_successors(&self, cell: u64, scratch: &mut EndingScratch) -> u32 {
        let plan = self.part(cell, scratch);
        plan.place(cell - plan.base).map_or(0, |men| moves::count(&men))
    }

    fn predecessors(
        &self,
        cell: u64,
        within: &Range<u64>,
        scratch: &mut EndingScratch,
        out: &mut Vec<u64>,
    ) {
        let plan = self.part(cell, scratch);
        let Ok(men) = plan.place(cell - plan.base) else { return };
        let stage = &plan.stage;
        let fast = !plan.both_have_pawns;
        if fast && within.start < stage.end && stage.start < within.end {
            self.quiet_unmoves(plan, &men, within, out);
        }
        // Captures and promotions lead from one stage to another.
        let inside = stage.start <= within.start && within.end <= stage.end;
        if !(fast && inside) {
            self.unmoves(plan, &men, within, !fast, true, out);
        }
    }

    fn ahead_within(&self, stage: &Range<u64>) -> Vec<Range<u64>> {
        let here = self.plans.iter().filter(|plan| stage.contains(&plan.base));
        here.flat_map(Plan::promoting).collect()
    }

    fn ahead(&self, cell: u64, scratch: &mut EndingScratch, out: &mut Vec<u64>) {
        let plan = self.part(cell, scratch);
        let Ok(men) = plan.place(cell - plan.base) else { return };
        moves::visit_promotions(&men, |i, targets| {
            for to in tables::squares(targets) {
                self.after(&men, i, to, false, |after| {
                    out.extend(self.number(after).map(|(cell, _)| cell));
                });
            }
        });
    }

    fn only_ahead(&self, stage: &Range<u64>, lower: &Range<u64>) -> bool {
        let parts = |range: &Range<u64>| {
            let base = range.clone();
            self.plans.iter().filter(move |plan| base.contains(&plan.base))
        };
        // A capture takes one man and changes no other.
        let captures = |from: &[u8; 14], to: &[u8; 14]| {
            let gone: Vec<i8> = from.iter().zip(to).map(|(&a, &b)| a as i8 - b as i8).collect();
            gone.iter().all(|&n| n >= 0) && gone.iter().sum::<i8>() == 1
        };
        let by_capture = parts(stage).any(|from| {
            parts(lower).any(|to| {
                let [from, to] = [from, to].map(|plan| plan.men.census());
                captures(&from, &to) || captures(&from, &Men::swapped(&to))
            })
        });
        !by_capture
    }

    fn told(
        &self,
        cell: u64,
        within: &Range<u64>,
        scratch: &mut EndingScratch,
        out: &mut Vec<u64>,
    ) {
        let plan = self.part(cell, scratch);
        let Ok(men) = plan.place(cell - plan.base) else { return };
        self.unmoves(plan, &men, within, false, false, out);
    }
}

impl EndingCells {
    /// The placements after a move: one, or four for a promotion.
    fn after(&self, men: &Men, i: usize, to: u8, en_passant: bool, mut found: impl FnMut(&Men)) {
        let (side, foe) = (men.side, 1 - men.side);
        let mut after = *men;
        after.side = foe;
        if let Some(pawn) = men.passing() {
            after.kind[pawn] = Men::pawn_kind(foe);
        }
        let from = men.square[i];
        after.square[i] = to;
        let hit = if en_passant { if side == 0 { to - 8 } else { to + 8 } } else { to };
        let captured = (0..men.n).find(|&j| men.color(j) == foe && men.square[j] == hit);
        let mut man = i;
        if let Some(j) = captured {
            after.n -= 1;
            after.kind[j] = after.kind[after.n];
            after.square[j] = after.square[after.n];
            if man == after.n {
                man = j;
            }
        }
        if PIECE[usize::from(after.kind[man])] == PAWN {
            if bit(to) & moves::EDGE != 0 {
                for kind in &KIND[side][..4] {
                    after.kind[man] = *kind;
                    found(&after);
                }
                return;
            }
            if from.abs_diff(to) == 16 && after.can_be_passing(man) {
                after.kind[man] = Men::passing_kind(side);
            }
        }
        found(&after);
    }
}
