//! Factors that depend on pawns and kings alone, and so seldom change: they can be remembered.

use super::bits::*;
use super::half::*;
use super::layout::*;
use super::sink::{Sink, wings};

/// Counts pawns, their structure and the king behind them; tells the passed pawns.
#[inline(always)]
pub fn count<S: Sink>(half: &Half, sink: &mut S) -> u64 {
    let (own, enemy) = (half.own[PAWN], half.enemy[PAWN]);
    let wings = wings(half.own_king, half.enemy_king);
    let enemy_attacks = attacks_down(enemy);
    sink.piece(KING, half.own_king, wings);
    let mut passed = 0;
    for s in squares(own) {
        sink.piece(PAWN, s, wings);
        let (file, rank) = (s & 7, s >> 3);
        let bit = 1u64 << s;
        let neighbours = beside(s);
        let before = above(s) & file_of(s);
        let doubled = own & before != 0;
        let open = enemy & before == 0;
        let isolated = own & neighbours == 0;
        let supporters = own & attacks_down(bit);
        if doubled {
            sink.add(DOUBLED + file);
        }
        if supporters != 0 {
            sink.add(SUPPORTED + rank - 2);
        }
        if own & sideways(bit) != 0 {
            sink.add(PHALANX + rank - 1);
        }
        if enemy & north(bit) != 0 {
            sink.add(RAMMED + file);
        }
        // Own pawns beside or behind, on the files at its sides, can still come to guard it.
        let helpers = own & neighbours & !above(s);
        if isolated {
            sink.add(ISOLATED + file);
            if open {
                sink.add(WEAK_OPEN);
            }
        } else if helpers == 0 && (enemy | enemy_attacks) & north(bit) != 0 {
            sink.add(BACKWARD + file);
            if open {
                sink.add(WEAK_OPEN + 1);
            }
        }
        let hinderers = enemy & above(s) & neighbours;
        if open && !doubled {
            if hinderers == 0 {
                passed |= bit;
                sink.add(PASSED + s - 8);
                if supporters != 0 {
                    sink.add(PASSED_PROTECTED + rank - 2);
                }
                if rank >= 3 {
                    let place = (rank - 3) * 8;
                    sink.add(PASSED_OWN_KING + place + steps(half.own_king, s + 8));
                    sink.add(PASSED_ENEMY_KING + place + steps(half.enemy_king, s + 8));
                }
            } else if len(helpers) >= len(hinderers) {
                sink.add(CANDIDATE + rank - 1);
            }
        }
    }
    for s in squares(passed) {
        let bit = 1u64 << s;
        let near = bit | north(bit) | south(bit);
        if passed & sideways(near) != 0 {
            sink.add(PASSED_CONNECTED + (s >> 3) - 1);
        }
    }
    let levers = len(attacks_up(own) & enemy);
    if levers > 0 {
        sink.times(LEVER, levers);
    }
    let files = fill_down(own) & 0xff;
    let islands = len(files & !(files << 1));
    if islands > 0 {
        sink.add(ISLANDS + islands - 1);
    }
    for (i, wing) in [0x0f0f_0f0f_0f0f_0f0f, 0xf0f0_f0f0_f0f0_f0f0].into_iter().enumerate() {
        if len(own & wing) > len(enemy & wing) {
            sink.add(MAJORITY + i);
        }
    }
    sink.add(PAWNS + len(own).min(8));
    shelter(half, sink);
    passed
}

#[inline(always)]
fn shelter<S: Sink>(half: &Half, sink: &mut S) {
    let (own, enemy) = (half.own[PAWN], half.enemy[PAWN]);
    let king = half.own_king;
    // Pawns beside the king count, those behind it do not.
    let rows = above(king) | row(king >> 3);
    let (own_before, enemy_before) = (own & rows, enemy & rows);
    let middle = (king & 7).clamp(1, 6);
    for file in middle - 1..=middle + 1 {
        let edge = file.min(7 - file);
        let on_file = file_of(file);
        let (shield, storm) =
            (lowest_row(own_before & on_file), lowest_row(enemy_before & on_file));
        sink.add(SHELTER + edge * 7 + shield);
        if shield > 0 && storm == shield + 1 {
            sink.add(STORM_BLOCKED + storm - 2);
        } else {
            sink.add(STORM + edge * 7 + storm);
        }
    }
    let file = file_of(king);
    match (own & file == 0, enemy & file == 0) {
        (true, true) => sink.add(KING_FILE),
        (true, false) => sink.add(KING_FILE + 1),
        (false, true) => sink.add(KING_FILE + 2),
        (false, false) => {}
    }
    if (own | enemy) & wing(king) == 0 {
        sink.add(PAWNLESS_WING);
    }
    sink.add(KING_TO_PAWN + nearest_steps(king, own | enemy));
}

/// The row of the lowest square of a set; 0 if it is empty.
#[inline(always)]
fn lowest_row(pawns: u64) -> usize {
    if pawns == 0 { 0 } else { (pawns.trailing_zeros() >> 3) as usize }
}

/// Steps to the nearest square of a set; 0 if it is empty.
#[inline(always)]
fn nearest_steps(king: usize, pawns: u64) -> usize {
    let mut reach = 1u64 << king;
    if pawns == 0 {
        return 0;
    }
    for steps in 1..8 {
        reach |= sideways(reach);
        reach |= north(reach) | south(reach);
        if reach & pawns != 0 {
            return steps;
        }
    }
    0
}
