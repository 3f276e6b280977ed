use super::testing::{random_board, turned};
use super::twin;
use super::*;
use crate::fen;
use proptest::prelude::*;

fn counts(board: &Board) -> Vec<(u16, i16)> {
    let mut out = Vec::new();
    count(board, &mut out);
    out
}

fn check(text: &str, expected: &[(&str, i16)]) {
    let found = counts(fen::parse(text).unwrap().board());
    for &(word, n) in expected {
        let factor = find(word).unwrap_or_else(|| panic!("no factor {word}"));
        let there = found.iter().find(|&&(f, _)| usize::from(f) == factor).map_or(0, |c| c.1);
        assert_eq!(there, n, "{word} in {text}");
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(200))]
    #[test]
    fn exchanging_colours_changes_the_sign_of_every_count(seed: u64) {
        let board = random_board(seed);
        let other: Vec<_> = counts(&turned(&board)).into_iter().map(|(f, n)| (f, -n)).collect();
        prop_assert_eq!(counts(&board), other);
    }

    #[test]
    fn counts_rise_by_index_and_hold_no_zero(seed: u64) {
        let list = counts(&random_board(seed));
        prop_assert!(list.windows(2).all(|w| w[0].0 < w[1].0));
        prop_assert!(list.iter().all(|&(f, n)| n != 0 && usize::from(f) < FACTORS));
    }
}

fn covered(factor: usize) -> bool {
    twin::COVERED.contains(&group_of(factor).0.word)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(150))]
    #[test]
    fn the_slow_twin_counts_the_same(seed: u64) {
        let board = random_board(seed);
        let slow = twin::count(&board);
        let quick: std::collections::BTreeMap<String, i16> = counts(&board)
            .into_iter()
            .filter(|&(f, _)| covered(usize::from(f)))
            .map(|(f, n)| (name(usize::from(f)).to_string(), n))
            .collect();
        prop_assert_eq!(slow, quick, "{}", board);
    }
}

#[test]
fn factors_count_as_worked_out_by_hand() {
    // Passed pawns: a free one, a blocked one with a rook behind, and one that outruns the king.
    check(
        "8/P6k/8/8/4n3/4P3/4R3/4K3 w - - 0 1",
        &[
            ("passed-free-path/rank7", 1),
            ("passed-blocked/rank3", 1),
            ("rook-behind-passed/own", 1),
        ],
    );
    check("8/8/8/P6k/8/8/8/4K3 w - - 0 1", &[("unstoppable", 1)]);
    check("8/8/8/P3k3/8/8/8/4K3 b - - 0 1", &[("unstoppable", 0)]);
    check("8/8/8/P4k2/8/8/8/4K3 b - - 0 1", &[("unstoppable", 1)]);
    check("8/8/8/P2k4/8/8/8/4K3 w - - 0 1", &[("unstoppable", 0)]);
    // Castling, development and fianchetto.
    check(
        "rnbqk2r/pppppp1p/6p1/8/8/8/PPPPPPPP/RNBQ1RK1 w kq - 0 1",
        &[
            ("castled/short", 1),
            ("castling-right/short", -1),
            ("castling-right/long", -1),
            ("undeveloped", 0),
            ("bishop-pair", 0),
        ],
    );
    check(
        "rnbqk2r/ppppppbp/5np1/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        &[("fianchetto", -1), ("undeveloped", 2)],
    );
    check("rnbqkbnr/pppppppp/8/8/7Q/8/PPPPPPPP/RNB1KBNR w KQkq - 0 1", &[("early-queen", 1)]);
    // Rooks: open file, seventh row, doubled, shut in.
    check(
        "6k1/3R1ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1",
        &[("rook-open-file/d", 2), ("rook-seventh", 1), ("rooks-doubled", 2)],
    );
    check("6k1/5ppp/8/8/8/8/5PPP/5K1R w - - 0 1", &[("rook-trapped", 1)]);
    // Bishops: the long diagonal, shut in on a7.
    check("4k3/8/8/8/8/8/6B1/4K3 w - - 0 1", &[("long-diagonal", 1), ("open-diagonal", 1)]);
    check("4k3/B1p5/1p6/8/8/8/8/4K3 w - - 0 1", &[("bishop-trapped", 1)]);
    // Threats: a fork by a pawn, a guarded and a hanging piece.
    check(
        "4k3/8/8/2n1n3/3P4/8/8/4K3 w - - 0 1",
        &[
            ("pawn-attacks/knight", 2),
            ("hanging/knight", 2),
            ("hanging-to-move/knight", 2),
            ("hanging/pawn", 0),
        ],
    );
    check(
        "4k3/8/8/2n1r3/8/3P4/8/4K3 w - - 0 1",
        &[("pawn-push-attacks/knight", 1), ("pawn-push-attacks/rook", 1)],
    );
    check(
        "4k3/8/2p5/3b4/8/2N5/8/4K3 b - - 0 1",
        &[("knight-attacks/bishop", 1), ("hanging/bishop", 0), ("hanging-to-move/bishop", 0)],
    );
    // A queen that rooks aim at through a piece.
    check("3rk3/8/8/8/3N4/8/8/3QK3 w - - 0 1", &[("queen-pressure/rook", 1)]);
    // An assault: rook and queen beside the king, with safe checks.
    check(
        "6k1/5ppp/8/8/8/8/8/Q3K2R w - - 0 1",
        &[
            ("safe-checks/queen/more", 0),
            ("safe-checks/queen/one", 1),
            ("king-attackers/rook/one", 1),
        ],
    );
    // Mating a bare king.
    check(
        "7k/8/6K1/8/8/8/8/R7 w - - 0 1",
        &[("mate-kings/2", 1), ("mate-edge/6", 1), ("mate-corner/0", 0)],
    );
    check("7k/8/6K1/8/8/8/1B6/N7 b - - 0 1", &[("mate-corner/0", 1)]);
    check("7k/8/6K1/8/8/8/8/N1N5 w - - 0 1", &[("mate-edge/6", 0)]);
    // The turn.
    check("4k3/8/8/8/8/8/8/4K3 b - - 0 1", &[("tempo", -1)]);
}

#[test]
fn nearly_every_factor_occurs_in_some_position() {
    let mut seen = vec![false; FACTORS];
    let mut mark =
        |board: &Board| counts(board).iter().for_each(|&(f, _)| seen[usize::from(f)] = true);
    (0..6000).for_each(|seed| mark(&random_board(seed)));
    for text in [
        "7k/8/6K1/8/8/8/1B6/N7 b - - 0 1",
        "8/8/8/3k4/8/8/1B6/N6K w - - 0 1",
        "8/8/8/P6k/8/8/8/4K3 w - - 0 1",
    ] {
        mark(fen::parse(text).unwrap().board());
    }
    // No piece is worth "none", no pawn stands on the first or last row, and the king's material
    // is always balanced.
    let dead = |factor: usize| {
        let (group, place) = group_of(factor);
        let edge = group.word.starts_with("pawn-square") && !(8..56).contains(&place);
        edge || matches!(name(factor), "material/none" | "material/king")
    };
    let never: Vec<&str> = (0..FACTORS).filter(|&f| !seen[f] && !dead(f)).map(name).collect();
    assert!(never.len() < 60, "{} never occur: {never:?}", never.len());
    assert!((0..FACTORS).all(|f| !(seen[f] && dead(f))));
}
