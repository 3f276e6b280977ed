//! How a cell is written while it is being solved.
//!
//! ```text
//! 0                 nothing known yet; in the end: draw
//! 1 …               a distance, and who wins (see [`Scheme`])
//! … MAX−4           MAX−3−x: x successors are not yet known to be won for the opponent
//! MAX−3             the same, but the counter is too large for the word and kept elsewhere
//! MAX−2             the game has ended here and is drawn
//! MAX−1             the same position as a lower cell
//! MAX               no position
//! ```
//!
//! Distances grow upwards, counters downwards (§3.5 of the thesis, after Gasser); before they meet,
//! cells are made wider.

/// A word that holds a cell.
pub(crate) trait Word: Copy + Send + Sync + 'static {
    /// The largest.
    const MAX: u32;
    /// Of these words.
    const BYTES: u8;
    fn pack(word: u32) -> Self;
    fn unpack(self) -> u32;
    /// Appends words as bytes of a file, and such bytes as words.
    fn write(words: &[Self], out: &mut Vec<u8>);
    fn read(bytes: &[u8], out: &mut Vec<Self>);
}

impl Word for u8 {
    const MAX: u32 = u8::MAX as u32;
    const BYTES: u8 = 1;
    fn pack(word: u32) -> u8 {
        word as u8
    }
    fn unpack(self) -> u32 {
        u32::from(self)
    }
    fn write(words: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(words);
    }
    fn read(bytes: &[u8], out: &mut Vec<u8>) {
        out.extend_from_slice(bytes);
    }
}

impl Word for u16 {
    const MAX: u32 = u16::MAX as u32;
    const BYTES: u8 = 2;
    fn pack(word: u32) -> u16 {
        word as u16
    }
    fn unpack(self) -> u32 {
        u32::from(self)
    }
    fn write(words: &[u16], out: &mut Vec<u8>) {
        out.extend(words.iter().flat_map(|w| w.to_le_bytes()));
    }
    fn read(bytes: &[u8], out: &mut Vec<u16>) {
        let (words, _) = bytes.as_chunks::<2>();
        out.extend(words.iter().map(|w| u16::from_le_bytes(*w)));
    }
}

pub(crate) const UNKNOWN: u32 = 0;

pub(crate) const fn illegal<W: Word>() -> u32 {
    W::MAX
}
pub(crate) const fn duplicate<W: Word>() -> u32 {
    W::MAX - 1
}
pub(crate) const fn ended_draw<W: Word>() -> u32 {
    W::MAX - 2
}
pub(crate) const fn aside<W: Word>() -> u32 {
    W::MAX - 3
}
/// A running counter; x ≥ 1.
pub(crate) const fn counter<W: Word>(x: u32) -> u32 {
    W::MAX - 3 - x
}

/// How distance and winner share a number. In most games the last mover always wins or always
/// loses, and then the parity of the distance tells who.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Scheme {
    /// Games end with a loss for the side to move: losses are even, wins odd.
    LossEven,
    /// Games end with a win for the side to move: wins are even, losses odd.
    WinEven,
    /// Both happen.
    Both,
}

impl Scheme {
    /// From which kinds of ends there are.
    pub(crate) fn of(losses_even: bool, wins_even: bool) -> Scheme {
        match (losses_even, wins_even) {
            (_, false) => Scheme::LossEven,
            (false, true) => Scheme::WinEven,
            (true, true) => Scheme::Both,
        }
    }

    /// All schemes write distance 0 alike: 1 for lost, 2 for won.
    pub(crate) fn word(self, won: bool, plies: u32) -> u32 {
        match self {
            Scheme::LossEven => 1 + plies,
            Scheme::WinEven => 2 + plies,
            Scheme::Both => 1 + 2 * plies + u32::from(won),
        }
    }

    /// Won, and in how many plies?
    pub(crate) fn read(self, word: u32) -> (bool, u32) {
        match self {
            Scheme::LossEven => (word.is_multiple_of(2), word - 1),
            Scheme::WinEven => (word.is_multiple_of(2), word.saturating_sub(2)),
            Scheme::Both => (word.is_multiple_of(2), (word - 1) / 2),
        }
    }

    /// The largest word of a distance.
    pub(crate) fn top(self, plies: u32) -> u32 {
        self.word(true, plies)
    }
}

/// The same cell in wider words.
pub(crate) fn widened<A: Word, B: Word>(word: u32, top: u32) -> u32 {
    if word <= top { word } else { B::MAX - (A::MAX - word) }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn distances_and_winners_survive(plies in 0u32..30_000, won: bool) {
            let schemes = [(Scheme::LossEven, won == (plies % 2 == 1)),
                (Scheme::WinEven, won == (plies % 2 == 0)), (Scheme::Both, true)];
            for (scheme, fits) in schemes {
                if fits {
                    let word = scheme.word(won, plies);
                    prop_assert_eq!(scheme.read(word), (won, plies));
                    prop_assert!(word > UNKNOWN && word <= scheme.top(plies));
                }
            }
        }

        #[test]
        fn counters_and_marks_keep_their_meaning_in_wider_words(x in 1u32..100) {
            let narrow = [counter::<u8>(x), aside::<u8>(), illegal::<u8>(), duplicate::<u8>()];
            let wide = [counter::<u16>(x), aside::<u16>(), illegal::<u16>(), duplicate::<u16>()];
            prop_assert_eq!(narrow.map(|w| widened::<u8, u16>(w, 100)), wide);
            prop_assert_eq!(widened::<u8, u16>(77, 100), 77);
        }
    }
}
