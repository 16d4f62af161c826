//! SplitMix64, published by Steele, Lea and Flood: numbers near each other become numbers far apart.
//!
//! The keys of [`Zobrist`](crate::Zobrist) and of positions are made with it, native code computes the same, and
//! `arena` makes seeds with it. It relies on nothing. The seeds of
//! contests depend on the results, so these must never change.

/// The step between two states of the generator: odd, and without a pattern in its bits.
pub const STEP: u64 = 0x9e37_79b9_7f4a_7c15;

/// The factors of [`finalise`], in order.
pub const FACTORS: [u64; 2] = [0xbf58_476d_1ce4_e5b9, 0x94d0_49bb_1331_11eb];

/// Returns the number that the generator gives in the state after `x`.
///
/// # Examples
///
/// ```
/// use regulus_engine::splitmix::mix;
///
/// // The first number of the generator with seed 0.
/// assert_eq!(mix(0), 0xe220_a839_7b1d_cdaf);
/// ```
#[must_use]
#[inline]
pub fn mix(x: u64) -> u64 {
    finalise(x.wrapping_add(STEP))
}

/// Returns a number every bit of which depends on all bits of `x`; different numbers stay different.
///
/// # Examples
///
/// ```
/// use regulus_engine::splitmix::{STEP, finalise, mix};
///
/// assert_eq!(finalise(0), 0);
/// assert_eq!(finalise(STEP), mix(0));
/// ```
#[must_use]
#[inline]
pub fn finalise(x: u64) -> u64 {
    let x = (x ^ x >> 30).wrapping_mul(FACTORS[0]);
    let x = (x ^ x >> 27).wrapping_mul(FACTORS[1]);
    x ^ x >> 31
}
