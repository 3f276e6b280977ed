//! Factors of knights, bishops, rooks and queens, each piece for itself; on the way the squares that
//! a side attacks are gathered for what comes after.

use super::bits::*;
use super::half::*;
use super::layout::*;
use super::sink::{Sink, wings};

/// What a side attacks, on the board turned its way.
#[derive(Clone, Copy, Default)]
pub struct Maps {
    /// By kind, pawn to king.
    pub by: [u64; 6],
    /// By anything.
    pub all: u64,
    /// Twice or more.
    pub twice: u64,
    /// Own men that are pinned to the king.
    pub pinned: u64,
    /// Knights, bishops, rooks, queens that attack squares about the enemy king.
    pub attackers: [u8; 4],
    /// Their attacks on squares beside the enemy king, each counted.
    pub hits: u32,
}

impl Maps {
    /// The same, on the board turned the other way.
    #[inline(always)]
    pub fn turned(&self) -> Maps {
        Maps {
            by: turned(&self.by),
            all: self.all.swap_bytes(),
            twice: self.twice.swap_bytes(),
            pinned: self.pinned.swap_bytes(),
            ..*self
        }
    }

    /// The same for a piece that may attack the enemy king.
    #[inline(always)]
    fn join_piece(&mut self, kind: usize, attacks: u64, around: &Around) {
        self.join(kind, attacks);
        if attacks & around.ring != 0 {
            self.attackers[kind - 1] += 1;
            self.hits += (attacks & around.beside).count_ones();
        }
    }

    /// What is left of attacks if the piece is pinned.
    #[inline(always)]
    fn along_pin(&self, king: usize, s: usize, attacks: u64) -> u64 {
        if self.pinned >> s & 1 == 0 { attacks } else { attacks & line(king, s) }
    }

    #[inline(always)]
    fn join(&mut self, kind: usize, attacks: u64) {
        self.by[kind] |= attacks;
        self.twice |= self.all & attacks;
        self.all |= attacks;
    }
}

#[inline(always)]
fn turned(by: &[u64; 6]) -> [u64; 6] {
    let mut out = *by;
    for set in &mut out {
        *set = set.swap_bytes();
    }
    out
}

/// The squares about the enemy king: those of the assault, and those beside it.
struct Around {
    ring: u64,
    beside: u64,
}

/// The squares about a king on which an assault counts: three by three, moved off the edge.
#[inline(always)]
pub fn ring(king_square: usize) -> u64 {
    let file = (king_square & 7).clamp(1, 6);
    let rank = (king_square >> 3).clamp(1, 6);
    let middle = rank * 8 + file;
    king(middle) | 1 << middle
}

/// Men of `own` that stand alone between their king and an enemy slider.
#[inline(always)]
pub fn pinned(half: &Half) -> u64 {
    let k = half.own_king;
    let (straight, slanting) =
        (half.enemy[ROOK] | half.enemy[QUEEN], half.enemy[BISHOP] | half.enemy[QUEEN]);
    let snipers = rook(k, half.enemy_all) & straight | bishop(k, half.enemy_all) & slanting;
    let mut pinned = 0;
    for s in squares(snipers) {
        let blockers = between(k, s) & half.occupied;
        if blockers & (blockers.wrapping_sub(1)) == 0 {
            pinned |= blockers;
        }
    }
    pinned
}

/// Counts the pieces of one side.
#[inline(always)]
pub fn count<S: Sink>(half: &Half, sink: &mut S) -> Maps {
    let own_pawns = half.own[PAWN];
    let enemy_pawns = half.enemy[PAWN];
    let pawns = own_pawns | enemy_pawns;
    let occupied = half.occupied;
    let wings = wings(half.own_king, half.enemy_king);
    let number = len(own_pawns).min(8);

    let mut maps = Maps { pinned: pinned(half), ..Maps::default() };
    let pawn_attacks = attacks_up(own_pawns);
    maps.by[PAWN] = pawn_attacks;
    maps.all = pawn_attacks;
    maps.twice = (own_pawns & !FILE_A) << 7 & (own_pawns & !FILE_H) << 9;
    maps.join(KING, king(half.own_king));

    let blocked = own_pawns & south(occupied);
    let low = own_pawns & (row(1) | row(2));
    let free = !(half.own[KING] | half.own[QUEEN] | blocked | low | half.pawn_guarded());
    let chased = half.pawn_chased();
    let outposts = (row(3) | row(4) | row(5)) & pawn_attacks & !chased;
    let enemy_ring = ring(half.enemy_king);
    let enemy_beside = king(half.enemy_king);
    let around = Around { ring: enemy_ring, beside: enemy_beside };

    for s in squares(half.own[KNIGHT]) {
        sink.piece(KNIGHT, s, wings);
        let attacks = maps.along_pin(half.own_king, s, knight(s));
        maps.join_piece(KNIGHT, attacks, &around);
        sink.add(KNIGHT_MOBILITY + len(attacks & free));
        sink.add(KNIGHT_PAWNS + number);
        if outposts >> s & 1 != 0 {
            sink.add(KNIGHT_OUTPOST + s - 24);
        } else if attacks & outposts & !half.own_all != 0 {
            sink.add(REACHABLE_OUTPOST);
        }
        if s < 56 && pawns >> (s + 8) & 1 != 0 {
            sink.add(BEHIND_PAWN);
        }
    }

    let queens = half.own[QUEEN] | half.enemy[QUEEN];
    let bishops = half.own[BISHOP];
    if bishops != 0 {
        let blocked_centre = len(blocked & MIDDLE_FILES).min(4);
        for s in squares(bishops) {
            sink.piece(BISHOP, s, wings);
            let attacks = maps.along_pin(half.own_king, s, bishop(s, occupied & !queens));
            maps.join_piece(BISHOP, attacks, &around);
            sink.add(BISHOP_MOBILITY + len(attacks & free).min(13));
            let shade = if DARK >> s & 1 != 0 { DARK } else { !DARK };
            sink.add(BISHOP_PAWNS + len(own_pawns & shade).min(8));
            if blocked_centre > 0 {
                sink.add(BLOCKED_CENTRE + blocked_centre - 1);
            }
            if outposts >> s & 1 != 0 {
                sink.add(BISHOP_OUTPOST + s - 24);
            } else if attacks & outposts & !half.own_all != 0 {
                sink.add(REACHABLE_OUTPOST + 1);
            }
            if s < 56 && pawns >> (s + 8) & 1 != 0 {
                sink.add(BEHIND_PAWN + 1);
            }
            let past_pieces = bishop(s, pawns);
            if len((past_pieces | 1 << s) & CENTRE_SQUARES) >= 2 {
                sink.add(LONG_DIAGONAL);
            }
            if len(past_pieces) >= 9 {
                sink.add(OPEN_DIAGONAL);
            }
            let aims = len(bishop(s, 0) & enemy_pawns);
            if aims > 0 {
                sink.times(BISHOP_XRAY, aims);
            }
            if trapped_bishop(s, enemy_pawns) {
                sink.add(BISHOP_TRAPPED);
            }
        }
        if bishops & DARK != 0 && bishops & !DARK != 0 {
            sink.add(BISHOP_PAIR);
            sink.add(PAIR_PAWNS + number);
        }
        let home = (1 << 9 | 1 << 14) & bishops & south(own_pawns);
        if home != 0 {
            sink.times(FIANCHETTO, len(home));
        }
    }

    let rooks = half.own[ROOK];
    for s in squares(rooks) {
        sink.piece(ROOK, s, wings);
        let attacks = maps.along_pin(half.own_king, s, rook(s, occupied & !queens & !rooks));
        maps.join_piece(ROOK, attacks, &around);
        let mobility = len(attacks & free).min(14);
        sink.add(ROOK_MOBILITY + mobility);
        sink.add(ROOK_PAWNS + number);
        let (file, rank) = (s & 7, s >> 3);
        let on_file = file_of(s);
        if own_pawns & on_file == 0 {
            let open = enemy_pawns & on_file == 0;
            sink.add(if open { ROOK_OPEN } else { ROOK_HALF_OPEN } + file);
        } else if mobility <= 3 && half.own_king >> 3 == 0 && rank == 0 {
            let king_file = half.own_king & 7;
            if (king_file < 4) == (file < king_file) {
                sink.add(ROOK_TRAPPED);
            }
        }
        if rank == 6 && (half.enemy_king >> 3 == 7 || enemy_pawns & row(6) != 0) {
            sink.add(ROOK_SEVENTH);
        }
        let others = (rooks | half.own[QUEEN]) & !(1 << s);
        if others & on_file != 0 {
            sink.add(ROOKS_DOUBLED);
        }
        if attacks & rooks & row(rank) & !(1 << s) != 0 {
            sink.add(ROOKS_CONNECTED);
        }
        if queens & on_file != 0 {
            sink.add(ROOK_ON_QUEEN_FILE);
        }
    }

    for s in squares(half.own[QUEEN]) {
        sink.piece(QUEEN, s, wings);
        let attacks = maps.along_pin(half.own_king, s, bishop(s, occupied) | rook(s, occupied));
        maps.join_piece(QUEEN, attacks, &around);
        sink.add(QUEEN_MOBILITY + len(attacks & free).min(27));
        if s >= 32 && chased >> s & 1 == 0 {
            sink.add(QUEEN_INFILTRATION);
        }
        for (i, aimed) in [bishop(s, 0) & half.enemy[BISHOP], rook(s, 0) & half.enemy[ROOK]]
            .into_iter()
            .enumerate()
        {
            for from in squares(aimed) {
                if len(between(s, from) & occupied) == 1 {
                    sink.add(QUEEN_PRESSURE + i);
                }
            }
        }
    }

    maps
}

/// A bishop on a7 behind an enemy pawn on b6, or on a6 behind b5, and the same on the h-file.
#[inline(always)]
fn trapped_bishop(s: usize, enemy_pawns: u64) -> bool {
    let corner = (1u64 << 48 | 1 << 40 | 1 << 55 | 1 << 47) >> s & 1 != 0;
    corner && enemy_pawns & (sideways(1 << s) >> 8) != 0
}
