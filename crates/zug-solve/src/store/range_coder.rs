//! Binary arithmetic coding: a decision whose probability is known costs −log₂ of it.
//!
//! ```text
//! low ├────────── 1 ──────────┼──── 0 ────┤ high      split in proportion; the decision taken
//!                            mid                      becomes the new interval
//! ```
//!
//! Leading bytes that low and high share are written and shifted out. At the end the fewest bytes
//! that lie in the interval are written; the decoder reads zeros beyond the end.

/// Writes decisions.
pub(super) struct Encoder {
    low: u32,
    high: u32,
    out: Vec<u8>,
}

impl Encoder {
    pub(super) fn new() -> Encoder {
        Encoder { low: 0, high: u32::MAX, out: Vec::new() }
    }

    /// Writes a decision that is true with this probability, in 65536ths (1 to 65535).
    #[inline]
    pub(super) fn put(&mut self, bit: bool, probability: u32) {
        let middle = middle(self.low, self.high, probability);
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
        while (self.low ^ self.high) >> 24 == 0 {
            self.out.push((self.high >> 24) as u8);
            self.low <<= 8;
            self.high = self.high << 8 | 0xFF;
        }
    }

    /// The bytes.
    pub(super) fn finish(mut self) -> Vec<u8> {
        // The shortest row of bytes that, followed by zeros, lies in the interval.
        for bytes in 0..4 {
            let keep = if bytes == 0 { 0 } else { u32::MAX << (32 - 8 * bytes) };
            let candidate = self.low.wrapping_add(!keep) & keep;
            if candidate >= self.low && candidate <= self.high {
                self.out.extend_from_slice(&candidate.to_be_bytes()[..bytes]);
                break;
            }
            if bytes == 3 {
                self.out.extend_from_slice(&self.high.to_be_bytes());
            }
        }
        while self.out.last() == Some(&0) {
            self.out.pop();
        }
        self.out
    }
}

/// Reads decisions.
pub(super) struct Decoder<'a> {
    low: u32,
    high: u32,
    code: u32,
    rest: std::slice::Iter<'a, u8>,
}

impl<'a> Decoder<'a> {
    pub(super) fn new(bytes: &'a [u8]) -> Decoder<'a> {
        let mut rest = bytes.iter();
        let code = (0..4).fold(0, |code, _| code << 8 | u32::from(*rest.next().unwrap_or(&0)));
        Decoder { low: 0, high: u32::MAX, code, rest }
    }

    /// Reads a decision that is true with this probability.
    #[inline]
    pub(super) fn get(&mut self, probability: u32) -> bool {
        let middle = middle(self.low, self.high, probability);
        let bit = self.code <= middle;
        if bit {
            self.high = middle;
        } else {
            self.low = middle + 1;
        }
        while (self.low ^ self.high) >> 24 == 0 {
            self.low <<= 8;
            self.high = self.high << 8 | 0xFF;
            self.code = self.code << 8 | u32::from(*self.rest.next().unwrap_or(&0));
        }
        bit
    }
}

#[inline]
fn middle(low: u32, high: u32, probability: u32) -> u32 {
    low + ((u64::from(high - low) * u64::from(probability)) >> 16) as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    const ONE: u32 = 1 << 16;

    proptest! {
        #[test]
        fn what_is_put_is_got(decisions in proptest::collection::vec((any::<bool>(), 1..ONE), 0..500)) {
            let mut encoder = Encoder::new();
            for &(bit, probability) in &decisions {
                encoder.put(bit, probability);
            }
            let bytes = encoder.finish();
            let mut decoder = Decoder::new(&bytes);
            for &(bit, probability) in &decisions {
                prop_assert_eq!(decoder.get(probability), bit);
            }
        }
    }

    #[test]
    fn what_is_expected_costs_next_to_nothing() {
        let mut encoder = Encoder::new();
        (0..10_000).for_each(|_| encoder.put(true, ONE - 8));
        assert!(encoder.finish().len() <= 4);
    }
}
