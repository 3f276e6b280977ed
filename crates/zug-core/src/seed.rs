//! Randomness that can be repeated: every random choice comes from a seed and a stream number.

pub use rand::{Rng as RngCore, RngExt, SeedableRng};

/// The random generator of the workbench: fast, small, and the same on every machine.
pub type Rng = rand_xoshiro::Xoshiro256PlusPlus;

/// A generator for one stream of a seeded job. Different streams (a game of a match, a thread, a
/// phase) are independent, so the work can be divided in any way without changing the result.
///
/// ```
/// use zug_core::seed::{rng, RngExt};
/// let a: u64 = rng(1, 0).random();
/// let b: u64 = rng(1, 1).random();
/// assert_ne!(a, b);
/// assert_eq!(a, rng(1, 0).random::<u64>());
/// ```
#[must_use]
pub fn rng(seed: u64, stream: u64) -> Rng {
    Rng::seed_from_u64(mix(seed ^ mix(stream.wrapping_add(0x9E37_79B9_7F4A_7C15))))
}

/// A strong mixing of 64 bits (the finaliser of SplitMix64), for seeds and hash keys.
#[must_use]
pub const fn mix(mut x: u64) -> u64 {
    x = (x ^ (x >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    x = (x ^ (x >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
    x ^ (x >> 31)
}
