//! Random choices that are the same on every machine and with every version of the crates below.
//!
//! The numbers come from xoshiro256++ with a state filled by SplitMix64, as published by Blackman and Vigna; what is made
//! of them is written out here, since `rand` may change its own ways with a new version. A test pins both.

use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// Draws numbers from one seed.
#[derive(Debug)]
pub(crate) struct Dice {
    generator: Xoshiro256PlusPlus,
    /// What was drawn for each parameter: 0 or 1 for a chance, the number for a range, the place for a distribution.
    #[cfg(test)]
    pub(crate) log: Vec<(&'static str, f64)>,
}

impl Dice {
    pub(crate) fn new(seed: u64) -> Self {
        Dice {
            generator: Xoshiro256PlusPlus::seed_from_u64(seed),
            #[cfg(test)]
            log: Vec::new(),
        }
    }

    /// A number in `0.0..1.0`, from the upper 53 bits.
    pub(crate) fn unit(&mut self) -> f64 {
        const STEP: f64 = 1.0 / (1_u64 << 53) as f64;
        (self.generator.next_u64() >> 11) as f64 * STEP
    }

    /// A number below `count`, which is not 0. The probabilities of the numbers differ by at most 2^-64.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        let product = u128::from(self.generator.next_u64()) * count as u128;
        (product >> 64) as usize
    }

    /// A whole number from `low` to `high`.
    pub(crate) fn between(&mut self, low: u32, high: u32) -> u32 {
        low + self.below((high - low) as usize + 1) as u32
    }

    /// An element of a list that is not empty.
    pub(crate) fn pick<T: Copy>(&mut self, list: &[T]) -> T {
        list[self.below(list.len())]
    }

    /// Takes an element out of a list that is not empty.
    pub(crate) fn take<T>(&mut self, list: &mut Vec<T>) -> T {
        list.remove(self.below(list.len()))
    }

    /// Notes what was drawn for a parameter, for tests of frequencies.
    #[cfg_attr(
        not(test),
        expect(unused_variables, clippy::unused_self, reason = "only tests read notes")
    )]
    pub(crate) fn note(&mut self, key: &'static str, outcome: f64) {
        #[cfg(test)]
        self.log.push((key, outcome));
    }
}

/// The finaliser of SplitMix64: a bijection that spreads every bit over all others.
///
/// `regulus_engine::splitmix` has the same. This crate keeps its own, since it knows no other crate: what a seed gives must
/// not change with them.
pub(crate) fn mix(value: u64) -> u64 {
    let value = (value ^ (value >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ (value >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ (value >> 31)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_never_change() {
        let mut dice = Dice::new(0);
        let first: Vec<u64> = (0..3).map(|_| dice.generator.next_u64()).collect();
        assert_eq!(first, PINNED);
        let mut dice = Dice::new(1);
        let numbers: Vec<usize> = (0..8).map(|_| dice.below(100)).collect();
        assert_eq!(numbers, BELOW);
    }

    /// What a program written from the published algorithm gives.
    const PINNED: [u64; 3] = [0x5317_5d61_490b_23df, 0x61da_6f3d_c380_d507, 0x5c0f_df91_ec9a_7bfc];
    const BELOW: [usize; 8] = [81, 74, 10, 74, 18, 59, 98, 52];

    #[test]
    fn ranges_have_both_ends() {
        let mut dice = Dice::new(7);
        let mut seen = [0; 4];
        for _ in 0..4000 {
            seen[dice.between(3, 6) as usize - 3] += 1;
            assert!((0.0..1.0).contains(&dice.unit()));
        }
        assert!(seen.iter().all(|count| (900..1100).contains(count)), "{seen:?}");
    }
}
