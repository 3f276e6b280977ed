//! Moves and flips along four lines at once.
//!
//! Each of the four lanes of a vector holds one line. Flips along the four rays of rising bits
//! begin below the nearest own disc, those along the falling rays above it; they count if there are
//! only discs of the opponent in between.

use crate::bits::{RAYS, Squares};
use std::arch::x86_64::*;

/// Or of the four lanes.
#[inline]
#[target_feature(enable = "avx2")]
fn union(lanes: __m256i) -> Squares {
    let two = _mm_or_si128(_mm256_castsi256_si128(lanes), _mm256_extracti128_si256::<1>(lanes));
    let one = _mm_or_si128(two, _mm_unpackhi_epi64(two, two));
    _mm_cvtsi128_si64(one) as u64
}

/// The rays of a square: the rising four, then the falling four.
#[inline]
#[target_feature(enable = "avx2")]
fn rays_of(square: u32) -> [__m256i; 2] {
    let rays = RAYS[(square & 63) as usize].as_ptr().cast::<__m256i>();
    // SAFETY: a square has eight rays of eight bytes, which are two vectors. The loads need not be
    // aligned.
    unsafe { [_mm256_loadu_si256(rays), _mm256_loadu_si256(rays.add(1))] }
}

/// See [`crate::bits::moves`]; the empty squares are left to the caller.
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn moves_avx2(own: Squares, other: Squares) -> Squares {
    const INNER: i64 = 0x7E7E_7E7E_7E7E_7E7E;
    let step = _mm256_set_epi64x(7, 9, 8, 1);
    let twice = _mm256_set_epi64x(14, 18, 16, 2);
    let own = _mm256_set1_epi64x(own as i64);
    let other = _mm256_and_si256(
        _mm256_set1_epi64x(other as i64),
        _mm256_set_epi64x(INNER, INNER, -1, INNER),
    );
    let mut up = _mm256_and_si256(other, _mm256_sllv_epi64(own, step));
    let mut down = _mm256_and_si256(other, _mm256_srlv_epi64(own, step));
    up = _mm256_or_si256(up, _mm256_and_si256(other, _mm256_sllv_epi64(up, step)));
    down = _mm256_or_si256(down, _mm256_and_si256(other, _mm256_srlv_epi64(down, step)));
    let pairs_up = _mm256_and_si256(other, _mm256_sllv_epi64(other, step));
    let pairs_down = _mm256_srlv_epi64(pairs_up, step);
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, twice)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, twice)));
    up = _mm256_or_si256(up, _mm256_and_si256(pairs_up, _mm256_sllv_epi64(up, twice)));
    down = _mm256_or_si256(down, _mm256_and_si256(pairs_down, _mm256_srlv_epi64(down, twice)));
    union(_mm256_or_si256(_mm256_sllv_epi64(up, step), _mm256_srlv_epi64(down, step)))
}

/// See [`crate::bits::flips`].
#[inline]
#[target_feature(enable = "avx2")]
pub(super) fn flips_avx2(square: u32, own: Squares, other: Squares) -> Squares {
    let [rising, falling] = rays_of(square);
    let own = _mm256_set1_epi64x(own as i64);
    let other = _mm256_set1_epi64x(other as i64);
    let zero = _mm256_setzero_si256();
    let ones = _mm256_cmpeq_epi64(zero, zero);
    // Rising: one added to "opponent or not on the ray" carries to the end of the run.
    let open = _mm256_or_si256(other, _mm256_xor_si256(rising, ones));
    let end = _mm256_and_si256(_mm256_sub_epi64(open, ones), _mm256_and_si256(rising, own));
    let below = _mm256_and_si256(_mm256_add_epi64(end, ones), rising);
    let up = _mm256_andnot_si256(_mm256_cmpeq_epi64(end, zero), below);
    // Falling: everything from the first disc that is no opponent's on, spread along the ray. The
    // lanes are left, up-right, up, up-left.
    let step = _mm256_set_epi64x(9, 8, 7, 1);
    let twice = _mm256_set_epi64x(18, 16, 14, 2);
    let four_times = _mm256_set_epi64x(36, 32, 28, 4);
    let mut stop = _mm256_andnot_si256(other, falling);
    let first = stop;
    stop = _mm256_or_si256(stop, _mm256_srlv_epi64(stop, step));
    stop = _mm256_or_si256(stop, _mm256_srlv_epi64(stop, twice));
    stop = _mm256_or_si256(stop, _mm256_srlv_epi64(stop, four_times));
    let end = _mm256_andnot_si256(_mm256_srlv_epi64(stop, step), _mm256_and_si256(first, own));
    let above = _mm256_andnot_si256(stop, falling);
    let down = _mm256_andnot_si256(_mm256_cmpeq_epi64(end, zero), above);
    union(_mm256_or_si256(up, down))
}

/// See [`crate::bits::flips`].
#[inline]
#[target_feature(enable = "avx2,avx512f,avx512cd,avx512vl")]
pub(super) fn flips_avx512(square: u32, own: Squares, other: Squares) -> Squares {
    let [rising, falling] = rays_of(square);
    let own = _mm256_set1_epi64x(own as i64);
    let not_other = _mm256_set1_epi64x(!other as i64);
    let ones = _mm256_set1_epi64x(-1);
    // Rising: what lies below the lowest own disc of the ray.
    let near = _mm256_and_si256(rising, own);
    let below = _mm256_and_si256(_mm256_andnot_si256(near, _mm256_add_epi64(near, ones)), rising);
    let counts = _mm256_mask_testn_epi64_mask(_mm256_test_epi64_mask(near, near), below, not_other);
    let up = _mm256_maskz_mov_epi64(counts, below);
    // Falling: what lies above the highest.
    let near = _mm256_and_si256(falling, own);
    let from_there = _mm256_srlv_epi64(ones, _mm256_lzcnt_epi64(near));
    let above = _mm256_andnot_si256(from_there, falling);
    let counts = _mm256_mask_testn_epi64_mask(_mm256_test_epi64_mask(near, near), above, not_other);
    union(_mm256_mask_or_epi64(up, counts, up, above))
}

#[cfg(test)]
mod tests {
    use super::super::level::{Level, x86};
    use crate::bits;
    use crate::bits::tests::discs;
    use proptest::prelude::*;

    fn check(level: impl Level, own: u64, other: u64) -> Result<(), TestCaseError> {
        let empty = !(own | other);
        prop_assert_eq!(level.moves(own, other, empty), bits::moves(own, other, empty));
        for square in bits::each(empty) {
            prop_assert_eq!(level.flips(square, own, other), bits::flips(square, own, other));
        }
        Ok(())
    }

    proptest! {
        #[test]
        fn every_level_finds_the_same_moves_and_flips((_, own, other) in discs()) {
            if let Some(level) = x86::Avx2::detected() {
                check(level, own, other)?;
            }
            if let Some(level) = x86::Avx512::detected() {
                check(level, own, other)?;
            }
        }
    }
}
