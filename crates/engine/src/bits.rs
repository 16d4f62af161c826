//! Sets of squares as bits, of a size known when compiling: one word for boards of up to 64 squares, then two, four,
//! eight.

/// A set of squares; square `s` is bit `s % 64` of word `s / 64`.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Bits<const W: usize>(pub(crate) [u64; W]);

impl<const W: usize> Bits<W> {
    pub(crate) const EMPTY: Self = Bits([0; W]);

    /// The set in the first words of a slice.
    #[inline]
    pub(crate) fn load(words: &[u64]) -> Self {
        Bits(words[..W].try_into().expect("the slice has at least `W` words"))
    }

    #[inline]
    pub(crate) fn store(self, words: &mut [u64]) {
        words[..W].copy_from_slice(&self.0);
    }

    #[inline]
    pub(crate) fn single(square: u32) -> Self {
        let mut words = [0; W];
        words[square as usize / 64] = 1 << (square % 64);
        Bits(words)
    }

    #[inline]
    pub(crate) fn is_empty(self) -> bool {
        self.0.iter().fold(0, |all, word| all | word) == 0
    }

    #[inline]
    pub(crate) fn count(self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether the set has at most `limit` members; stops counting beyond that.
    #[inline]
    pub(crate) fn is_at_most(self, limit: usize) -> bool {
        let mut count = 0;
        for mut word in self.0 {
            while word != 0 {
                count += 1;
                if count > limit {
                    return false;
                }
                word &= word - 1;
            }
        }
        true
    }

    #[inline]
    pub(crate) fn contains(self, square: u32) -> bool {
        self.0[square as usize / 64] >> (square % 64) & 1 == 1
    }

    #[inline]
    pub(crate) fn and(self, other: Self) -> Self {
        self.join(other, |a, b| a & b)
    }

    #[inline]
    pub(crate) fn or(self, other: Self) -> Self {
        self.join(other, |a, b| a | b)
    }

    #[inline]
    pub(crate) fn without(self, other: Self) -> Self {
        self.join(other, |a, b| a & !b)
    }

    #[inline]
    fn join(self, other: Self, join: impl Fn(u64, u64) -> u64) -> Self {
        let mut words = self.0;
        for (word, other) in words.iter_mut().zip(other.0) {
            *word = join(*word, other);
        }
        Bits(words)
    }

    /// Every square moved by `by` places; the caller knows that none leaves the words.
    #[inline]
    pub(crate) fn moved(self, by: i32) -> Self {
        // PERF: on small boards going round the end needs no decisions.
        let mut words = self.0;
        match words.as_mut_slice() {
            [word] => *word = word.rotate_left(by as u32 & 63),
            [low, high] => {
                let both =
                    (u128::from(*high) << 64 | u128::from(*low)).rotate_left(by as u32 & 127);
                (*low, *high) = (both as u64, (both >> 64) as u64);
            }
            _ => return self.shifted(by),
        }
        Bits(words)
    }

    /// Every square moved by `by` places: towards higher numbers, or towards lower ones if negative. Squares that
    /// leave the words are lost.
    #[inline]
    pub(crate) fn shifted(self, by: i32) -> Self {
        let (words, bits) = (by.unsigned_abs() as usize / 64, by.unsigned_abs() % 64);
        let mut result = [0; W];
        // PERF: almost all steps are shorter than a word.
        if words == 0 && bits > 0 {
            let mut carried = 0;
            if by > 0 {
                for (result, word) in result.iter_mut().zip(self.0) {
                    *result = word << bits | carried;
                    carried = word >> (64 - bits);
                }
            } else {
                for (result, word) in result.iter_mut().zip(self.0).rev() {
                    *result = word >> bits | carried;
                    carried = word << (64 - bits);
                }
            }
        } else if by >= 0 {
            for (at, word) in result.iter_mut().enumerate().skip(words) {
                let from = at - words;
                let low = if bits > 0 && from > 0 { self.0[from - 1] >> (64 - bits) } else { 0 };
                *word = self.0[from] << bits | low;
            }
        } else {
            for (at, word) in result.iter_mut().enumerate().take(W.saturating_sub(words)) {
                let next = at + words + 1;
                let high = if bits > 0 && next < W { self.0[next] << (64 - bits) } else { 0 };
                *word = self.0[at + words] >> bits | high;
            }
        }
        Bits(result)
    }

    /// The members up to and including the lowest of `stops`; all members if `stops` is empty.
    #[inline]
    pub(crate) fn up_to_lowest(self, stops: Self) -> Self {
        // Taking one away changes the lowest bit and those below it, across words.
        let mut words = self.0;
        let mut borrowed = true;
        for (word, stop) in words.iter_mut().zip(stops.0) {
            *word &= stop ^ stop.wrapping_sub(u64::from(borrowed));
            borrowed &= stop == 0;
        }
        Bits(words)
    }

    /// The members down to and including the highest of `stops`; all members if `stops` is empty.
    #[inline]
    pub(crate) fn down_to_highest(self, stops: Self) -> Self {
        let mut words = self.0;
        let mut kept = u64::MAX;
        for (word, stop) in words.iter_mut().zip(stops.0).rev() {
            // Without a stop, as if it were the lowest bit.
            *word &= u64::MAX << (63 - (stop | 1).leading_zeros()) & kept;
            kept = if stop == 0 { kept } else { 0 };
        }
        Bits(words)
    }

    /// The members in ascending order.
    #[inline]
    pub(crate) fn each(self) -> Members<W> {
        Members { left: self, at: 0 }
    }
}

/// The members of a set, one after the other.
#[derive(Clone, Debug)]
pub(crate) struct Members<const W: usize> {
    left: Bits<W>,
    /// The first word that may have members left.
    at: usize,
}

impl<const W: usize> Iterator for Members<W> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        while let Some(word) = self.left.0.get_mut(self.at) {
            if *word != 0 {
                let bit = word.trailing_zeros();
                *word &= *word - 1;
                return Some(self.at as u32 * 64 + bit);
            }
            self.at += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn bits(squares: &[u32]) -> Bits<4> {
        squares.iter().fold(Bits::EMPTY, |set, &square| set.or(Bits::single(square)))
    }

    proptest! {
        #[test]
        fn sets_are_sets(mut squares in prop::collection::vec(0u32..256, 0..20), by in -255i32..256) {
            let set = bits(&squares);
            squares.sort_unstable();
            squares.dedup();
            prop_assert_eq!(set.each().collect::<Vec<_>>(), squares.clone());
            let moved: Vec<u32> = squares
                .iter()
                .filter_map(|&square| u32::try_from(square as i32 + by).ok().filter(|&s| s < 256))
                .collect();
            prop_assert_eq!(set.shifted(by).each().collect::<Vec<_>>(), moved);
        }

        #[test]
        fn moving_is_shifting_where_none_leaves(squares in prop::collection::vec(0u32..128, 0..20), by in -127i32..128) {
            let stays = |square: &u32| (0..128).contains(&(*square as i32 + by));
            let squares: Vec<u32> = squares.into_iter().filter(stays).collect();
            let set: Bits<2> = squares.iter().fold(Bits::EMPTY, |set, &square| set.or(Bits::single(square)));
            prop_assert_eq!(set.moved(by).0, set.shifted(by).0);
        }

        #[test]
        fn stopping_keeps_the_stop(path in prop::collection::vec(0u32..256, 0..20), stops in prop::collection::vec(0u32..256, 0..4)) {
            let set = bits(&path);
            let lowest = stops.iter().copied().min();
            let up: Vec<u32> = set.each().filter(|&s| lowest.is_none_or(|stop| s <= stop)).collect();
            prop_assert_eq!(set.up_to_lowest(bits(&stops)).each().collect::<Vec<_>>(), up);
            let highest = stops.iter().copied().max();
            let down: Vec<u32> = set.each().filter(|&s| highest.is_none_or(|stop| s >= stop)).collect();
            prop_assert_eq!(set.down_to_highest(bits(&stops)).each().collect::<Vec<_>>(), down);
        }
    }
}
