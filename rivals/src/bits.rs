//! Sets of squares as words.

const ONES: u64 = 0x0101_0101_0101_0101;
const HIGH: u64 = ONES << 7;

/// The members of a set, each as a set of its own.
pub(crate) fn each(mut set: u64) -> impl Iterator<Item = u64> {
    std::iter::from_fn(move || {
        let lowest = set & set.wrapping_neg();
        set ^= lowest;
        (lowest != 0).then_some(lowest)
    })
}

/// Returns the member with `before` others below it, as a set; the set must have more than `before` members.
pub(crate) fn nth(set: u64, before: u64) -> u64 {
    let pairs = set - (set >> 1 & 0x5555_5555_5555_5555);
    let fours = (pairs & 0x3333_3333_3333_3333) + (pairs >> 2 & 0x3333_3333_3333_3333);
    let bytes = (fours + (fours >> 4)) & 0x0f0f_0f0f_0f0f_0f0f;
    // In each byte, how many members there are up to its end; then the high bits of those that end too early.
    let up_to = bytes.wrapping_mul(ONES);
    let early = ((before * ONES) | HIGH).wrapping_sub(up_to) & HIGH;
    let shift = early.count_ones() * 8;
    let before = before - (up_to << 8 >> shift & 0xff);
    let mut rest = set >> shift << shift;
    for _ in 0..before {
        rest &= rest - 1;
    }
    rest & rest.wrapping_neg()
}

#[test]
fn the_nth_is_the_one_after_n_others() {
    for set in [1, u64::MAX, 0x8000_0000_0000_0001, 0x00f0_1234_5678_9abc] {
        for (before, member) in each(set).enumerate() {
            assert_eq!(nth(set, before as u64), member);
        }
    }
}
