//! Products of many sums with the weights of all units: where a net spends most of its time.
//!
//! Sums and weights lie in pairs, which processors multiply and add up at once. All numbers are whole, so the result is the same with
//! whatever instructions.

#[cfg(target_arch = "x86_64")]
use pulp::x86::{V3, V4};
#[cfg(target_arch = "x86_64")]
use pulp::{cast, i16x16, i16x32, i32x8, i32x16};

use super::{SMALL, SUM_UNIT};

/// For two sums that follow each other, the weights of each unit.
pub(super) type PairWeights = [[i16; 2]; SMALL];

/// A set of instructions to add up products with.
pub(super) trait Dots: Copy {
    /// Adds to the dot product of each unit what pairs of sums add.
    fn add_pairs(self, dots: &mut [i32; SMALL], sums: &[[i16; 2]], weights: &[PairWeights]);

    /// Adds to the dot product of each unit what the sums of a player add, within their bounds. If there is an odd number of sums, the last
    /// one is alone.
    #[inline(always)]
    fn add(self, dots: &mut [i32; SMALL], sums: &[i16], weights: &[PairWeights]) {
        let (pairs, rest) = sums.as_chunks::<2>();
        self.add_pairs(dots, pairs, weights);
        if let ([sum], Some(weights)) = (rest, weights.get(pairs.len()..)) {
            self.add_pairs(dots, &[[*sum, 0]], weights);
        }
    }
}

/// A pair of sums within their bounds.
#[inline(always)]
fn clip(pair: [i16; 2]) -> [i16; 2] {
    pair.map(|sum| sum.clamp(0, SUM_UNIT as i16))
}

/// What every machine has.
#[derive(Clone, Copy, Debug)]
pub(super) struct Portable;

impl Dots for Portable {
    #[inline(always)]
    fn add_pairs(self, dots: &mut [i32; SMALL], sums: &[[i16; 2]], weights: &[PairWeights]) {
        for (pair, weights) in sums.iter().zip(weights) {
            let [first, second] = clip(*pair).map(i32::from);
            for (dot, weights) in dots.iter_mut().zip(weights) {
                let pair = i32::from(weights[0]) * first + i32::from(weights[1]) * second;
                *dot = dot.wrapping_add(pair);
            }
        }
    }
}

#[cfg(target_arch = "x86_64")]
impl Dots for V3 {
    #[inline(always)]
    fn add_pairs(self, dots: &mut [i32; SMALL], sums: &[[i16; 2]], weights: &[PairWeights]) {
        let mut both: [i32x8; 2] = cast(*dots);
        for (pair, weights) in sums.iter().zip(weights) {
            let pair: i16x16 = cast(self.splat_i32x8(cast(clip(*pair))));
            let weights: [i16x16; 2] = cast(*weights);
            for (dots, weights) in both.iter_mut().zip(weights) {
                let more = self.multiply_wrapping_add_adjacent_i16x16(pair, weights);
                *dots = cast(self.wrapping_add_u32x8(cast(*dots), cast(more)));
            }
        }
        *dots = cast(both);
    }
}

#[cfg(target_arch = "x86_64")]
impl Dots for V4 {
    #[inline(always)]
    fn add_pairs(self, dots: &mut [i32; SMALL], sums: &[[i16; 2]], weights: &[PairWeights]) {
        let mut all: i32x16 = cast(*dots);
        for (pair, weights) in sums.iter().zip(weights) {
            let pair: i16x32 = cast(self.splat_i32x16(cast(clip(*pair))));
            let more = self.multiply_wrapping_add_adjacent_i16x32(pair, cast(*weights));
            all = cast(self.wrapping_add_u32x16(cast(all), cast(more)));
        }
        *dots = cast(all);
    }
}

/// The weights of all units for each pair of sums, those of the player to move first; given unit by unit.
pub(super) fn in_pairs(hidden: &[i16], sums: usize) -> Vec<PairWeights> {
    let weight = |unit: usize, player: usize, sum: usize| match sum < sums {
        true => hidden[(2 * unit + player) * sums + sum],
        false => 0,
    };
    let pairs = (0..2).flat_map(|player| (0..sums).step_by(2).map(move |sum| (player, sum)));
    let both = |(player, sum)| {
        std::array::from_fn(|unit| [0, 1].map(|offset| weight(unit, player, sum + offset)))
    };
    pairs.map(both).collect()
}

#[cfg(test)]
mod tests {
    use pulp::Arch;
    use rand::RngExt as _;
    use regulus_engine::generator;

    use super::*;

    /// Compares what instructions find with the plain sum of products.
    fn check(way: impl Dots) {
        let mut random = generator(1);
        for sums in [1, 2, 7, 24, 128] {
            let hidden: Vec<i16> =
                (0..SMALL * 2 * sums).map(|_| random.random_range(-1024..=1024)).collect();
            let both: Vec<i16> = (0..2 * sums).map(|_| random.random_range(-400..400)).collect();
            let pairs = in_pairs(&hidden, sums);
            let (of_own, of_other) = pairs.split_at(sums.div_ceil(2));
            let mut dots = [0; SMALL];
            way.add(&mut dots, &both[..sums], of_own);
            way.add(&mut dots, &both[sums..], of_other);
            for (dot, row) in dots.into_iter().zip(hidden.chunks_exact(2 * sums)) {
                let product = |(weight, sum): (&i16, &i16)| {
                    i32::from(*weight) * i32::from((*sum).clamp(0, 255))
                };
                assert_eq!(dot, row.iter().zip(&both).map(product).sum::<i32>(), "{sums} sums");
            }
        }
    }

    #[test]
    fn all_instructions_find_the_same() {
        check(Portable);
        match Arch::new() {
            #[cfg(target_arch = "x86_64")]
            Arch::V4(simd) => check(simd),
            #[cfg(target_arch = "x86_64")]
            Arch::V3(simd) => check(simd),
            _ => {}
        }
        #[cfg(target_arch = "x86_64")]
        if let Some(simd) = V3::try_new() {
            check(simd);
        }
    }
}
