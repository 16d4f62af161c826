//! Finding the n-th member of a set.

/// The member of a set that has exactly `before` members below it; the set must have more than `before`.
#[inline]
pub(crate) fn nth(words: &[u64], before: u64, nth_bit: impl Fn(u64, u64) -> u32) -> u32 {
    let mut before = before;
    let last = words.len() - 1;
    for (at, &word) in words[..last].iter().enumerate() {
        let here = u64::from(word.count_ones());
        if before < here {
            return at as u32 * 64 + nth_bit(word, before);
        }
        before -= here;
    }
    last as u32 * 64 + nth_bit(words[last], before)
}

/// The index of the bit that has exactly `before` other bits below it.
///
/// PERF: without branches, since which bit it is cannot be guessed: all bytes are counted at once, the sums are compared
/// with what is wanted to find the byte, and a table knows the rest.
#[inline]
pub(crate) fn nth_bit(word: u64, before: u64) -> u32 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let pairs = word - (word >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    // In each byte, how many bits there are up to it.
    let up_to = bytes.wrapping_mul(ONES);
    let not_more = ((before.wrapping_mul(ONES) | ONES << 7).wrapping_sub(up_to) & ONES << 7) >> 7;
    let place = (not_more.wrapping_mul(ONES) >> 56 & 7) * 8;
    let rest = before.wrapping_sub((up_to << 8) >> place & 0xff) & 7;
    let byte = word >> place & 0xff;
    place as u32 + u32::from(IN_BYTE[(byte * 8 + rest) as usize])
}

/// For each byte the places of its bits, in order.
static IN_BYTE: [u8; 2048] = {
    let mut table = [0; 2048];
    let mut byte = 0;
    while byte < 256 {
        let (mut bit, mut found) = (0, 0);
        while bit < 8 {
            if byte >> bit & 1 == 1 {
                table[byte * 8 + found] = bit as u8;
                found += 1;
            }
            bit += 1;
        }
        byte += 1;
    }
    table
};

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_counted_across_words() {
        let words = [1 << 3 | 1 << 60, 0, 1 | 1 << 63];
        assert_eq!([0, 1, 2, 3].map(|before| nth(&words, before, nth_bit)), [3, 60, 128, 191]);
        for word in [u64::MAX, 0x8000_0000_0000_0001, 0xdead_beef_1234_5678] {
            let members = (0..64).filter(|bit| word >> bit & 1 == 1);
            for (before, member) in members.enumerate() {
                assert_eq!(nth_bit(word, before as u64), member);
            }
        }
    }
}
