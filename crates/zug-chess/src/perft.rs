//! How many move sequences of a length are there? The measure of correct and fast rules.

use cozy_chess::Board;

/// Counts the legal move sequences of `depth` plies. The last ply is counted, not played.
#[must_use]
pub fn count(board: &Board, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut nodes = 0;
    board.generate_moves(|moves| {
        if depth == 1 {
            nodes += moves.len() as u64;
        } else {
            for mv in moves {
                let mut next = board.clone();
                next.play_unchecked(mv);
                nodes += count(&next, depth - 1);
            }
        }
        false
    });
    nodes
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fen;

    fn check(position: &str, counts: &[u64]) {
        let position = fen::parse(position).unwrap();
        for (i, &expected) in counts.iter().enumerate() {
            let depth = i as u32 + 1;
            assert_eq!(count(position.board(), depth), expected, "depth {depth} of {position:?}");
        }
    }

    #[test]
    fn the_start_position_counts_as_published() {
        check(fen::START, &[20, 400, 8_902, 197_281, 4_865_609]);
    }

    #[test]
    fn castling_pins_promotions_and_en_passant_count_as_published() {
        check(
            "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
            &[48, 2_039, 97_862, 4_085_603],
        );
        check("8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1", &[14, 191, 2_812, 43_238, 674_624]);
        check(
            "r3k2r/Pppp1ppp/1b3nbN/nP6/BBP1P3/q4N2/Pp1P2PP/R2Q1RK1 w kq - 0 1",
            &[6, 264, 9_467, 422_333],
        );
        check(
            "rnbq1k1r/pp1Pbppp/2p5/8/2B5/8/PPP1NnPP/RNBQK2R w KQ - 1 8",
            &[44, 1_486, 62_379, 2_103_487],
        );
        check(
            "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10",
            &[46, 2_079, 89_890],
        );
    }

    #[test]
    fn castling_in_chess960_counts_as_published() {
        check(
            "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
            &[21, 528, 12_189, 326_672],
        );
    }

    #[test]
    fn a_position_drawn_by_rule_is_still_counted() {
        check("4k3/8/8/8/8/8/8/4K3 w - - 100 90", &[5, 25]);
    }
}
