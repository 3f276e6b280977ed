//! Does the engine search as it did? A fixed search, whose number of positions is its signature.

use crate::fen;
use zug_core::bench::Bench;

/// What `bench` searches. Whoever changes the search, the evaluation or the model changes the
/// signature; if that was meant, the new one belongs here.
pub const BENCH: Bench = Bench { positions: POSITIONS, depth: 9, signature: 419_587 };

/// Positions of our own making, of all phases of the game.
pub(super) const POSITIONS: &[&str] = &[
    fen::START,
    "r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3",
    "r2q1rk1/1b2bppp/p1n1pn2/1pp5/3P4/1BN1PN2/PP2QPPP/R1BR2K1 w - - 0 12",
    "r1b2rk1/pp1nqppp/2pbpn2/3p4/2PP4/2NBPN2/PPQ2PPP/R1B2RK1 w - - 4 10",
    "2r3k1/1q3pp1/p3p2p/1p1pP3/3P1P2/1P1Q3P/P5P1/2R3K1 b - - 1 27",
    "8/5pk1/4p1p1/3pP2p/p2P3P/P4PP1/5K2/8 w - - 0 41",
    "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
    "8/8/4k3/3n4/8/2B1K3/5P2/8 w - - 12 60",
    "3r2k1/pp3p1p/2p3p1/4n3/4P1q1/2NQ2P1/PPP2P1P/4R1K1 w - - 2 22",
    "r3k2r/pb1q1ppp/1p1bpn2/2pp4/3P1B2/2PBPN2/PP1N1PPP/R2Q1RK1 b kq - 5 10",
    "r1b2rk1/p1pn1ppp/5n2/1Pq1p3/1b6/1PNP2N1/1BPQ1PPP/R3KB1R b KQ - 9 11",
    "1r2n1k1/p1p2ppp/3r4/2q1p1PP/1b2P3/1PN2P2/1BP5/2KRQ2R b - - 0 21",
    "8/8/2k1p3/2RpP3/PK1P4/7r/8/8 b - - 10 44",
    "r2q1rk1/pbppbp1p/np4p1/3pP3/3N4/PP1B4/1BPP1PPP/R2QK2R b KQ - 1 11",
    "1r3r1k/7p/p2p2p1/1bp5/3p3q/3PR1N1/1B1P3P/R1Q3K1 b - - 3 31",
    "2r3k1/1pr2p1p/6p1/8/P2Q1P2/P2P1Bq1/4P3/1K1R2R1 b - - 1 31",
    "1r3r2/p1k1q3/p1p1bn2/2b1p1B1/P3P1pP/1PN3P1/2P1N2K/R2Q1R2 b - - 6 21",
    "7r/4R2P/pk6/p7/P3P1K1/8/8/8 b - - 0 59",
    "r1br2k1/pp3ppp/2p2n2/2b1p3/4P3/2NP2P1/PPP1BP1P/R1B1K2R b KQ - 0 11",
    "1R6/p4ppk/2pB3p/8/P1P1b3/2b2PP1/2r4P/1K1R4 b - - 10 31",
];

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use zug_core::Spec;

    #[test]
    fn the_search_does_what_it_did() {
        let entry = crate::open(&Spec::parse("chess").unwrap()).unwrap();
        let mut zug = entry.player(&Spec::parse("zug").unwrap()).unwrap();
        let run = BENCH.run(&*entry.game, &mut *zug, BENCH.depth, &Arc::default(), &mut |_, _| {});
        let nodes = run.unwrap().expect("nobody stops it").nodes;
        assert_eq!(nodes, BENCH.signature, "if the search was meant to change: the first number");
    }
}
