//! From good inputs to bad ones.

use zug_core::Rng;
use zug_core::seed::RngExt;

/// Inputs are not made longer than this, but for a rare giant.
const USUAL_LENGTH: usize = 4 << 10;
const GIANT_LENGTH: usize = 256 << 10;

/// Numbers at which parsers break, as text.
const NUMBERS: [&str; 14] = [
    "0",
    "-1",
    "1",
    "-0",
    "127",
    "128",
    "255",
    "256",
    "65536",
    "2147483648",
    "4294967296",
    "-9223372036854775808",
    "18446744073709551616",
    "1e999",
];

/// Makes an input: one of the corpus, changed a few times over.
pub fn mutate(rng: &mut Rng, corpus: &[Vec<u8>], words: &[&str]) -> Vec<u8> {
    let mut bytes = pick(rng, corpus).cloned().unwrap_or_default();
    // Mostly few changes, so that the input still gets far into the parser.
    let changes = 1 + rng.random_range(0..8u32).min(rng.random_range(0..8));
    for _ in 0..changes {
        change(rng, &mut bytes, corpus, words);
    }
    bytes.truncate(USUAL_LENGTH);
    if rng.random_range(0..4096) == 0 {
        grow_giant(rng, &mut bytes);
    }
    bytes
}

fn pick<'a, T>(rng: &mut Rng, from: &'a [T]) -> Option<&'a T> {
    (!from.is_empty()).then(|| &from[rng.random_range(0..from.len())])
}

/// A place between bytes.
fn place(rng: &mut Rng, bytes: &[u8]) -> usize {
    rng.random_range(0..=bytes.len())
}

/// A short range of bytes, anywhere.
fn range(rng: &mut Rng, bytes: &[u8]) -> std::ops::Range<usize> {
    let begin = place(rng, bytes);
    let most = (bytes.len() - begin).min(1 << rng.random_range(0..9u32));
    begin..begin + rng.random_range(0..=most)
}

fn replace(bytes: &mut Vec<u8>, range: std::ops::Range<usize>, by: &[u8]) {
    bytes.splice(range, by.iter().copied());
}

fn change(rng: &mut Rng, bytes: &mut Vec<u8>, corpus: &[Vec<u8>], words: &[&str]) {
    match rng.random_range(0..14u32) {
        0 => {
            if let Some(at) = (!bytes.is_empty()).then(|| rng.random_range(0..bytes.len())) {
                bytes[at] ^= 1 << rng.random_range(0..8u32);
            }
        }
        1 => {
            if let Some(at) = (!bytes.is_empty()).then(|| rng.random_range(0..bytes.len())) {
                bytes[at] = rng.random();
            }
        }
        // A byte that text formats give a meaning to.
        2 => {
            let at = place(rng, bytes);
            let byte = *pick(rng, b" \t\r\n\0()[]{}<>\"'\\/:;,.=+-*#$%!?_0123456789abhAEX\x80\xff")
                .expect("there are some");
            bytes.insert(at, byte);
        }
        3 => {
            let (at, byte) = (place(rng, bytes), rng.random());
            bytes.insert(at, byte);
        }
        4 => {
            let range = range(rng, bytes);
            bytes.drain(range);
        }
        // Repeats: nesting and long lists.
        5 => {
            let range = range(rng, bytes);
            let piece = bytes[range.clone()].repeat(1 << rng.random_range(0..6u32));
            replace(bytes, range.end..range.end, &piece);
        }
        6 => {
            let length = place(rng, bytes);
            bytes.truncate(length);
        }
        7 | 8 => {
            if let Some(word) = pick(rng, words) {
                let at = if rng.random() {
                    range(rng, bytes)
                } else {
                    let at = place(rng, bytes);
                    at..at
                };
                replace(bytes, at, word.as_bytes());
            }
        }
        9 => replace_number(rng, bytes),
        // Splices: a piece of another input, or its whole tail.
        10 => {
            if let Some(other) = pick(rng, corpus) {
                let (to, from) = (range(rng, bytes), range(rng, other));
                replace(bytes, to, &other[from]);
            }
        }
        11 => {
            if let Some(other) = pick(rng, corpus) {
                let (keep, from) = (place(rng, bytes), place(rng, other));
                bytes.truncate(keep);
                bytes.extend_from_slice(&other[from..]);
            }
        }
        12 => swap_lines(rng, bytes),
        // An extreme number in binary, for formats that are no text.
        _ => {
            let at = range(rng, bytes).start;
            let value: u64 = match rng.random_range(0..4u32) {
                0 => 0,
                1 => u64::MAX,
                2 => 1 << rng.random_range(0..64u32),
                _ => rng.random_range(0..300),
            };
            let width = (1 << rng.random_range(0..4u32)).min(bytes.len() - at);
            bytes[at..at + width].copy_from_slice(&value.to_le_bytes()[..width]);
        }
    }
}

fn replace_number(rng: &mut Rng, bytes: &mut Vec<u8>) {
    let starts: Vec<usize> = (0..bytes.len())
        .filter(|&i| bytes[i].is_ascii_digit() && (i == 0 || !bytes[i - 1].is_ascii_digit()))
        .collect();
    let Some(&begin) = pick(rng, &starts) else { return };
    let digits = bytes[begin..].iter().take_while(|b| b.is_ascii_digit()).count();
    let number = pick(rng, &NUMBERS).expect("there are some");
    replace(bytes, begin..begin + digits, number.as_bytes());
}

fn swap_lines(rng: &mut Rng, bytes: &mut Vec<u8>) {
    let mut lines: Vec<&[u8]> = bytes.split_inclusive(|&b| b == b'\n').collect();
    if lines.len() < 2 {
        return;
    }
    let (a, b) = (rng.random_range(0..lines.len()), rng.random_range(0..lines.len()));
    lines.swap(a, b);
    *bytes = lines.concat();
}

/// Repeats some piece until the input is very long: the cost of an input must grow with its length
/// and no faster.
fn grow_giant(rng: &mut Rng, bytes: &mut Vec<u8>) {
    let piece = bytes[range(rng, bytes)].to_vec();
    if piece.is_empty() {
        return;
    }
    let at = place(rng, bytes);
    let times = (GIANT_LENGTH - bytes.len()) / piece.len();
    replace(bytes, at..at, &piece.repeat(times));
}

#[cfg(test)]
mod tests {
    use super::*;
    use zug_core::rng;

    fn some(seed: u64) -> Vec<Vec<u8>> {
        let corpus = [b"one 12 two\nthree\n".to_vec(), b"(;B[aa])".to_vec(), Vec::new()];
        let mut rng = rng(seed, 0);
        (0..20_000).map(|_| mutate(&mut rng, &corpus, &["word"])).collect()
    }

    #[test]
    fn a_seed_always_gives_the_same_inputs_and_they_differ_from_each_other() {
        let inputs = some(1);
        assert_eq!(inputs, some(1));
        assert_ne!(inputs, some(2));
        let different: std::collections::HashSet<&Vec<u8>> = inputs.iter().collect();
        assert!(different.len() > 10_000, "{}", different.len());
    }

    #[test]
    fn inputs_are_usually_short_and_sometimes_giants() {
        let inputs = some(3);
        let giants = inputs.iter().filter(|i| i.len() > USUAL_LENGTH).count();
        assert!((1..40).contains(&giants), "{giants}");
        assert!(inputs.iter().all(|i| i.len() <= GIANT_LENGTH));
        assert!(inputs.iter().any(|i| i.windows(4).any(|w| w == b"word")));
    }

    #[test]
    fn an_empty_corpus_is_enough_to_begin_with() {
        let mut rng = rng(1, 0);
        assert!((0..1000).any(|_| !mutate(&mut rng, &[], &["a"]).is_empty()));
    }
}
