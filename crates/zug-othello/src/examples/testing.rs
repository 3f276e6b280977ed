//! Examples that the tests make for themselves.

use super::{Example, FOLDS, MIXED, Source};
use crate::Board;
use proptest::prelude::*;
use std::ops::Range;

/// An example on any board.
pub fn example() -> impl Strategy<Value = Example> {
    let board = (any::<u64>(), any::<u64>(), any::<u64>())
        .prop_map(|(own, other, empty)| Board { own: own & !empty, other: other & !own & !empty });
    let fold = prop_oneof![0..FOLDS, Just(MIXED)];
    let source = prop::sample::select(Source::ALL.to_vec());
    (board, -64i8..=64, source, fold, 1u32..1000).prop_map(|(board, score, source, fold, count)| {
        Example { board: board.canonical(), score, source, fold, count }
    })
}

/// Several.
pub fn examples(many: Range<usize>) -> impl Strategy<Value = Vec<Example>> {
    prop::collection::vec(example(), many)
}

/// In order, each position once.
pub fn merged(examples: &[Example]) -> Vec<Example> {
    let mut map = std::collections::BTreeMap::<_, Example>::new();
    for example in examples {
        map.entry(example.key()).and_modify(|e| e.absorb(example)).or_insert(*example);
    }
    map.into_values().collect()
}
