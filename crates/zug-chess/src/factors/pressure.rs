//! Factors that need to know what both sides attack: threats, checks, the assault on the king, the
//! way of passed pawns, space.

use super::bits::*;
use super::half::*;
use super::layout::*;
use super::pieces::{Maps, ring};
use super::sink::Sink;

/// Counts what one side does to the other. `own` and `enemy` are on the board turned its way.
#[inline(always)]
pub fn count<S: Sink>(half: &Half, own: &Maps, enemy: &Maps, passed: u64, sink: &mut S) {
    small_things(half, sink);
    threats(half, own, enemy, sink);
    assault(half, own, enemy, sink);
    for s in squares(passed) {
        way(half, own, enemy, s, sink);
    }
    space(half, enemy, sink);
    material(half, sink);
    if half.enemy_all == half.enemy[KING] {
        mate(half, sink);
    }
}

/// The turn, castling and development.
#[inline(always)]
fn small_things<S: Sink>(half: &Half, sink: &mut S) {
    if half.to_move {
        sink.add(TEMPO);
    }
    for (i, right) in half.rights.into_iter().enumerate() {
        if right {
            sink.add(CASTLING_RIGHT + i);
        }
    }
    let king = half.own_king;
    let corner_rooks = half.own[ROOK] & row(0);
    if (king == 6 || king == 7) && corner_rooks & (0xc0 & !(1 << king)) == 0 {
        sink.add(CASTLED);
    }
    if king <= 2 && corner_rooks & (0x07 & !(1 << king)) == 0 {
        sink.add(CASTLED + 1);
    }
    let home = half.own[KNIGHT] & 0x42 | half.own[BISHOP] & 0x24;
    if home != 0 {
        sink.times(UNDEVELOPED, len(home));
        if len(home) >= 3 && half.own[QUEEN] != 0 && half.own[QUEEN] & 1 << 3 == 0 {
            sink.add(EARLY_QUEEN);
        }
    }
}

/// Once for each square of a set.
#[inline(always)]
fn times<S: Sink>(sink: &mut S, factor: usize, set: u64) {
    if set != 0 {
        sink.times(factor, len(set));
    }
}

#[inline(always)]
fn threats<S: Sink>(half: &Half, own: &Maps, enemy: &Maps, sink: &mut S) {
    let attacked = half.enemy_all & own.all;
    let firmly = enemy.by[PAWN] | enemy.twice & !own.twice;
    if attacked != 0 {
        let weak = attacked & !firmly;
        for kind in KNIGHT..=QUEEN {
            times(sink, PAWN_THREAT + kind - 1, half.enemy[kind] & own.by[PAWN]);
        }
        // Dearer men are threatened although they are guarded.
        for (attacker, first) in [
            (KNIGHT, KNIGHT_THREAT),
            (BISHOP, BISHOP_THREAT),
            (ROOK, ROOK_THREAT),
            (QUEEN, QUEEN_THREAT),
        ] {
            let hit = own.by[attacker] & attacked;
            if hit == 0 {
                continue;
            }
            for kind in PAWN..=QUEEN {
                let dearer = match attacker {
                    KNIGHT => kind >= BISHOP,
                    BISHOP => kind == KNIGHT || kind >= ROOK,
                    ROOK => kind == QUEEN,
                    _ => false,
                };
                let set = half.enemy[kind] & hit;
                times(sink, first + kind, if dearer { set } else { set & weak });
            }
        }
        if own.by[KING] & weak != 0 {
            for kind in PAWN..=ROOK {
                times(sink, KING_THREAT + kind, half.enemy[kind] & own.by[KING] & weak);
            }
        }
        let hanging = attacked & !enemy.all;
        if hanging != 0 {
            for kind in PAWN..=QUEEN {
                let set = half.enemy[kind] & hanging;
                times(sink, HANGING + kind, set);
                if half.to_move {
                    times(sink, HANGING_NOW + kind, set);
                }
            }
        }
    }
    if own.pinned != 0 {
        for kind in PAWN..=QUEEN {
            times(sink, PINNED + kind, half.own[kind] & own.pinned);
        }
    }
    let empty = !half.occupied;
    let one = north(half.own[PAWN]) & empty;
    let two = north(one & row(2)) & empty;
    let safe = (one | two) & !enemy.by[PAWN] & (own.all | !enemy.all);
    let push = attacks_up(safe) & !own.by[PAWN];
    if push & half.enemy_all != 0 {
        for kind in KNIGHT..=QUEEN {
            times(sink, PUSH_THREAT + kind - 1, half.enemy[kind] & push);
        }
    }
    times(sink, RESTRICTED, own.all & enemy.all & !firmly);
    let pieces = half.own_all & !half.own[PAWN] & !half.own[KING];
    times(sink, LOOSE, pieces & !own.all);
    times(sink, CAMP, own.twice & (row(4) | row(5) | row(6) | row(7)));
}

#[inline(always)]
fn assault<S: Sink>(half: &Half, own: &Maps, enemy: &Maps, sink: &mut S) {
    // The own king first: how it stands.
    let own_moves = king(half.own_king);
    sink.add(KING_MOBILITY + len(own_moves & !half.own_all & !enemy.all));
    let mut near = own_moves | half.own[KING];
    near |= sideways(near);
    near |= north(near) | south(near);
    let guards = half.own_all & !half.own[PAWN] & !half.own[KING] & near;
    sink.add(DEFENDERS + len(guards).min(5));
    let own_camp = row(0) | row(1) | row(2) | row(3);
    let defence = len(own.all & wing(half.own_king) & own_camp);
    if defence > 0 {
        sink.times(FLANK_DEFENCE, defence);
    }

    let target = half.enemy_king;
    let attack = len(own.all & wing(target) & own_camp.swap_bytes());
    if attack > 0 {
        sink.times(FLANK_ATTACK, attack);
    }
    for (i, &n) in own.attackers.iter().enumerate() {
        if n > 0 {
            sink.add(RING + 2 * i + usize::from(n > 1));
        }
    }
    if own.hits > 0 {
        sink.times(KING_HITS, own.hits as usize);
    }
    // Squares that the enemy holds with king or queen at most.
    let weak = own.all & !enemy.twice & (!enemy.all | enemy.by[QUEEN] | enemy.by[KING]);
    let weak_ring = len(weak & ring(target));
    sink.add(WEAK_RING + weak_ring.min(8));

    let (straight, slanting) = {
        let through = half.occupied & !half.enemy[QUEEN];
        (rook(target, through), bishop(target, through))
    };
    let safe = !half.own_all & (!enemy.all | weak & own.twice);
    let knights = own.by[KNIGHT] & knight(target);
    let bishops = own.by[BISHOP] & slanting;
    let rooks = own.by[ROOK] & straight;
    let queens = own.by[QUEEN] & (straight | slanting);
    let mut safe_kinds = 0;
    for (i, (checks, good)) in [
        (knights, knights & safe),
        (bishops, bishops & safe),
        (rooks, rooks & safe),
        // A queen does not go where a queen can take it.
        (queens, queens & safe & !enemy.by[QUEEN]),
    ]
    .into_iter()
    .enumerate()
    {
        if good != 0 {
            safe_kinds += 1;
            sink.add(SAFE_CHECK + 2 * i + usize::from(len(good) > 1));
        } else if checks & !half.own_all != 0 {
            sink.add(UNSAFE_CHECK + i);
        }
    }
    let strength = strength(own, weak_ring, safe_kinds);
    sink.add(if half.own[QUEEN] != 0 { ASSAULT } else { ASSAULT_QUEENLESS } + strength);
}

/// How strong an assault is, 0 to 31. A sum cannot say that two attackers together are worth more
/// than twice one; a factor for each strength can, since each has a weight of its own.
#[inline(always)]
fn strength(own: &Maps, weak_ring: usize, safe_kinds: usize) -> usize {
    const UNITS: [usize; 4] = [2, 2, 3, 4];
    let mut units = 0;
    for (&n, each) in own.attackers.iter().zip(UNITS) {
        units += usize::from(n) * each;
    }
    let all = 2 * units + own.hits as usize + 2 * weak_ring + 4 * safe_kinds;
    (all / 2).min(31)
}

/// The way before a passed pawn.
#[inline(always)]
fn way<S: Sink>(half: &Half, own: &Maps, enemy: &Maps, s: usize, sink: &mut S) {
    let rank = s >> 3;
    let next = 1u64 << (s + 8);
    let path = above(s) & file_of(s);
    if half.occupied & next != 0 {
        sink.add(PASSED_BLOCKED + rank - 1);
    } else if enemy.all & next == 0 {
        sink.add(PASSED_STEP + rank - 1);
    }
    if path & (half.enemy_all | enemy.all & !own.twice) == 0 {
        sink.add(PASSED_FREE + rank - 1);
    }
    let behind = file_of(s) & !above(s) & !(1 << s);
    let heavy = [half.own[ROOK], half.enemy[ROOK]];
    if (heavy[0] | heavy[1]) & behind != 0 {
        let seen = rook(s, half.occupied) & behind;
        for (i, rooks) in heavy.into_iter().enumerate() {
            if rooks & seen != 0 {
                sink.add(ROOK_BEHIND + i);
            }
        }
    }
    // The rule of the square.
    if half.enemy_all == half.enemy[KING] | half.enemy[PAWN] && path & half.occupied == 0 {
        let moves = (7 - rank).min(5);
        let goal = 56 + (s & 7);
        let king = steps(half.enemy_king, goal) - usize::from(!half.to_move);
        if king > moves {
            sink.add(UNSTOPPABLE);
        }
    }
}

#[inline(always)]
fn space<S: Sink>(half: &Half, enemy: &Maps, sink: &mut S) {
    let guarded = attacks_up(half.own[PAWN]);
    for (i, square) in [27, 28, 35, 36].into_iter().enumerate() {
        if guarded >> square & 1 != 0 {
            sink.add(CENTRE + i);
        }
    }
    let safe = MIDDLE_FILES & (row(1) | row(2) | row(3)) & !half.own[PAWN] & !enemy.by[PAWN];
    let behind = fill_down(south(half.own[PAWN])) & safe & !enemy.all;
    let squares = len(safe) + len(behind);
    if squares > 0 {
        let pieces = len(half.own_all & !half.own[PAWN] & !half.own[KING]);
        let group = match pieces {
            0..=2 => 0,
            3..=4 => 1,
            5..=6 => 2,
            _ => 3,
        };
        sink.times(SPACE + group, squares);
    }
}

#[inline(always)]
fn material<S: Sink>(half: &Half, sink: &mut S) {
    let there = |kind: usize| half.own[kind] != 0;
    for (i, together) in [
        len(half.own[KNIGHT]) >= 2,
        len(half.own[ROOK]) >= 2,
        there(QUEEN) && there(KNIGHT),
        there(QUEEN) && there(BISHOP),
    ]
    .into_iter()
    .enumerate()
    {
        if together {
            sink.add(TOGETHER + i);
        }
    }
    let minors = len(half.enemy[KNIGHT] | half.enemy[BISHOP]);
    if minors > 0 {
        for (i, kind) in [PAWN, ROOK, QUEEN].into_iter().enumerate() {
            let n = len(half.own[kind]) * minors;
            if n > 0 {
                sink.times(AGAINST_MINORS + i, n);
            }
        }
    }
}

/// Driving a bare king to where it can be mated.
#[inline(always)]
fn mate<S: Sink>(half: &Half, sink: &mut S) {
    let [_, knights, bishops, rooks, queens, _] = half.own.map(len);
    if rooks + queens == 0 && (knights + bishops < 2 || bishops == 0) {
        return;
    }
    let target = half.enemy_king;
    sink.add(MATE_KINGS + steps(half.own_king, target).max(2) - 2);
    let off = |x: usize| if x < 4 { 3 - x } else { x - 4 };
    sink.add(MATE_EDGE + off(target & 7) + off(target >> 3));
    if half.own_all.count_ones() == 3 && knights == 1 && bishops == 1 {
        let corners = if half.own[BISHOP] & DARK != 0 { [0, 63] } else { [7, 56] };
        let far = corners.map(|corner| steps(corner, target));
        sink.add(MATE_CORNER + far[0].min(far[1]));
    }
}
