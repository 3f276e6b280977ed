//! A block of examples as bytes.
//!
//! ```text
//! own: 8 planes │ other: 8 planes │ score │ source │ fold │ count: 4 planes
//! ```
//!
//! A plane is one byte of every example of the block, the highest byte of a number first. Sorted
//! boards share their high bytes, and scores of neighbours are alike, so planes pack to two thirds
//! of what whole records pack to.

use super::{Example, FOLDS, MIXED, Source};
use crate::Board;

/// Bytes of an example.
pub(super) const BYTES: usize = 23;

/// Adds the bytes of examples.
pub(super) fn encode(examples: &[Example], out: &mut Vec<u8>) {
    let count = examples.len();
    let base = out.len();
    out.resize(base + BYTES * count, 0);
    let planes = &mut out[base..];
    for (i, example) in examples.iter().enumerate() {
        let record = to_record(example);
        for (plane, byte) in record.into_iter().enumerate() {
            planes[plane * count + i] = byte;
        }
    }
}

fn to_record(example: &Example) -> [u8; BYTES] {
    let mut record = [0; BYTES];
    record[..8].copy_from_slice(&example.board.own.to_be_bytes());
    record[8..16].copy_from_slice(&example.board.other.to_be_bytes());
    record[16] = example.score as u8;
    record[17] = example.source as u8;
    record[18] = example.fold;
    record[19..].copy_from_slice(&example.count.to_be_bytes());
    record
}

/// Takes the example at `index` of a block of `count` apart. The error says what is wrong with it.
pub(super) fn decode(planes: &[u8], count: usize, index: usize) -> Result<Example, String> {
    let mut record = [0; BYTES];
    for (plane, byte) in record.iter_mut().enumerate() {
        *byte = planes[plane * count + index];
    }
    let word = |at: usize| u64::from_be_bytes(record[at..at + 8].try_into().expect("eight bytes"));
    let board = Board { own: word(0), other: word(8) };
    let source = *Source::ALL
        .get(usize::from(record[17]))
        .ok_or_else(|| format!("expected a source from 0 to 3, found {}", record[17]))?;
    let example = Example {
        board,
        score: record[16] as i8,
        source,
        fold: record[18],
        count: u32::from_be_bytes(record[19..].try_into().expect("four bytes")),
    };
    check(&example)?;
    Ok(example)
}

/// What no file may hold.
pub(super) fn check(example: &Example) -> Result<(), String> {
    let Board { own, other } = example.board;
    if own & other != 0 {
        return Err("two discs lie on one square".into());
    }
    if !(-64..=64).contains(&example.score) {
        return Err(format!("expected a score from -64 to 64, found {}", example.score));
    }
    if example.fold >= FOLDS && example.fold != MIXED {
        return Err(format!("expected a fold below {FOLDS} or {MIXED}, found {}", example.fold));
    }
    if example.count == 0 {
        return Err("expected to be met at least once, found 0 times".into());
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::super::testing::examples;
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn examples_survive_being_encoded(examples in examples(0..50)) {
            let mut bytes = vec![7];
            encode(&examples, &mut bytes);
            prop_assert_eq!(bytes.len(), 1 + BYTES * examples.len());
            let again: Result<Vec<Example>, String> =
                (0..examples.len()).map(|i| decode(&bytes[1..], examples.len(), i)).collect();
            prop_assert_eq!(again, Ok(examples));
        }

        #[test]
        fn any_bytes_are_an_example_or_an_error(record in prop::array::uniform23(any::<u8>())) {
            if let Ok(example) = decode(&record, 1, 0) {
                prop_assert_eq!(to_record(&example), record);
            }
        }
    }

    #[test]
    fn what_is_no_example_is_told() {
        let good =
            Example { board: Board::START, score: 2, source: Source::Tree, fold: 3, count: 1 };
        let wrong = |change: fn(&mut [u8; BYTES])| {
            let mut record = to_record(&good);
            change(&mut record);
            decode(&record, 1, 0).unwrap_err()
        };
        assert!(wrong(|r| r.copy_within(0..8, 8)).contains("one square"));
        assert!(wrong(|r| r[16] = 65).contains("found 65"));
        assert!(wrong(|r| r[16] = 0x80).contains("found -128"));
        assert!(wrong(|r| r[17] = 4).contains("source"));
        assert!(wrong(|r| r[18] = FOLDS).contains("fold"));
        assert!(wrong(|r| r[22] = 0).contains("0 times"));
    }
}
