//! What every cell holds, a run at a time.
//!
//! In a run of neighbouring cells all men but one, the *runner*, stand still. What makes a cell
//! illegal, a duplicate, or surely open is then a set of squares for the runner, found once for
//! the whole run; only the cells that are left, mates and stalemates among them, are looked at one
//! by one.

use super::men::Men;
use super::plan::{Dead, Plan};
use super::tables::{
    DIAGONAL, KING, KING_STEPS, MAP, PAWN, PAWN_ATTACKS, between, bit, sight, squares,
};
use super::{EndingCells, EndingScratch};
use std::cmp::Ordering;
use std::ops::Range;
use zug_solve::{Cells, Content, Value};

/// Squares above the diagonal from a1 to h8, whose reflections have lower numbers.
static ABOVE: u64 = {
    let (mut board, mut square) = (0, 0);
    while square < 64 {
        if MAP[DIAGONAL][square] < square as u8 {
            board |= 1 << square;
        }
        square += 1;
    }
    board
};

/// What is known about the squares of a runner.
struct Run {
    illegal: u64,
    duplicate: u64,
    open: u64,
}

impl EndingCells {
    /// Tells the content of all cells of a range, in ascending order.
    pub(super) fn survey_runs(
        &self,
        range: Range<u64>,
        scratch: &mut EndingScratch,
        tell: &mut impl FnMut(u64, Content),
    ) {
        let mut cell = range.start;
        while cell < range.end {
            let plan = self.part(cell, scratch);
            let end = range.end.min(plan.base + plan.size);
            let mut men = match plan.place(cell - plan.base) {
                Ok(men) => men,
                Err(next) => {
                    let next = (plan.base + next).min(end);
                    (cell..next).for_each(|cell| tell(cell, Content::Illegal));
                    cell = next;
                    continue;
                }
            };
            let (runner, low, below) = plan.runner(&men);
            let last_kind_alone = plan.runs_alone();
            let may_be_duplicate = plan.may_be_duplicate(&men);
            if men.passing().is_some()
                || (self.dead_ends && plan.dead == Dead::OneColour)
                || (may_be_duplicate && !last_kind_alone && plan.reflected(&men) == Ordering::Equal)
            {
                let content = self.content(cell, scratch);
                tell(cell, content);
                cell += 1;
                continue;
            }
            let here = bit(men.square[runner]);
            let still = men.occupied() ^ here;
            let run = look(plan, &men, runner, still);
            let room = up_to(below) & !(here - 1) & !(bit(low) - 1) & !still;
            let dead = self.dead_ends && plan.dead == Dead::Always;
            for square in squares(room) {
                if cell == end {
                    break;
                }
                let at = bit(square);
                let content = if run.illegal & at != 0 {
                    Content::Illegal
                } else if run.duplicate & at != 0 {
                    Content::Duplicate
                } else if dead {
                    Content::Ended(Value::Draw)
                } else if run.open & at != 0 {
                    Content::Open
                } else {
                    men.square[runner] = square;
                    self.judge_legal(plan, &men)
                };
                tell(cell, content);
                cell += 1;
            }
        }
    }
}

/// All squares below this number.
fn up_to(square: u8) -> u64 {
    if square >= 64 { u64::MAX } else { bit(square) - 1 }
}

/// All squares that a king reaches from some square of a set.
fn around(board: u64) -> u64 {
    let (not_a, not_h) = (!0x0101_0101_0101_0101, !0x8080_8080_8080_8080);
    let sides = (board & not_h) << 1 | (board & not_a) >> 1;
    let row = board | sides;
    row << 8 | row >> 8 | sides
}

/// The squares from which a man sees a target.
fn seen_from(piece: u8, color: usize, target: u8, occupied: u64) -> u64 {
    match piece {
        PAWN => PAWN_ATTACKS[1 - color][usize::from(target & 63)],
        piece => sight(piece, target, occupied),
    }
}

fn look(plan: &Plan, men: &Men, runner: usize, still: u64) -> Run {
    let (side, foe) = (men.side, 1 - men.side);
    let (piece, color) = (men.piece(runner), men.color(runner));
    // The others; the runner is the last man or the first of the last kind.
    let mut others = *men;
    others.n -= 1;
    others.kind[runner] = men.kind[others.n];
    others.square[runner] = men.square[others.n];

    let (own_king, their_king) = (others.king(side), others.king(foe));
    let (runs_own_king, runs_their_king) =
        (piece == KING && color == side, piece == KING && color == foe);
    let illegal = if runs_their_king {
        others.attacks(side, still)
    } else {
        let hanging = others.attackers(their_king, side, still);
        let blocked = match hanging.count_ones() {
            0 => 0,
            1 => !between(their_king, hanging.trailing_zeros() as u8),
            _ => u64::MAX,
        };
        let seen = if color == side { seen_from(piece, color, their_king, still) } else { 0 };
        blocked | seen
    };
    let duplicate = if plan.may_be_duplicate(men) {
        match plan.reflected(men) {
            Ordering::Less => u64::MAX,
            Ordering::Equal => ABOVE,
            Ordering::Greater => 0,
        }
    } else {
        0
    };
    let own = others.of(side);
    let open = if runs_own_king {
        around(!own & !others.attacks(foe, still))
    } else {
        let seeing = still ^ bit(own_king);
        let escapes = KING_STEPS[usize::from(own_king & 63)] & !own & !others.attacks(foe, seeing);
        if escapes == 0 {
            0
        } else if color == side {
            // The runner can stand on a single escape, but not on two.
            if escapes & (escapes - 1) == 0 { !escapes } else { u64::MAX }
        } else {
            let guard = |closed, escape| closed & seen_from(piece, color, escape, seeing);
            !squares(escapes).fold(u64::MAX, guard)
        }
    };
    Run { illegal, duplicate, open }
}
