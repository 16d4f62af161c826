//! Intervals of integers, by which linters bound the values of expressions.

/// All numbers from `least` to `greatest`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) least: i64,
    pub(crate) greatest: i64,
}

impl Interval {
    /// The truth values 0 and 1.
    pub(crate) const TRUTH: Interval = Interval { least: 0, greatest: 1 };

    /// The indices of `count` things.
    pub(crate) fn below(count: usize) -> Interval {
        Interval { least: 0, greatest: count as i64 - 1 }
    }

    /// One number alone.
    pub(crate) const fn only(number: i64) -> Interval {
        Interval { least: number, greatest: number }
    }

    /// The smallest interval that contains both.
    pub(crate) fn or(self, other: Interval) -> Interval {
        let (least, greatest) = (self.least.min(other.least), self.greatest.max(other.greatest));
        Interval { least, greatest }
    }
}
