use super::testing::{random_board, turned};
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
