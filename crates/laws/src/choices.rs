//! Decisions read from bytes: what a fuzzer or a random generator supplies becomes a game or a text.
//!
//! The same bytes make the same decisions. When they are used up every decision is the first one, so generators put
//! what ends them first and always come to an end.

/// A supply of decisions.
#[derive(Clone, Debug)]
pub struct Choices<'a> {
    bytes: &'a [u8],
}

impl<'a> Choices<'a> {
    /// Decisions from these bytes.
    #[must_use]
    pub fn new(bytes: &'a [u8]) -> Choices<'a> {
        Choices { bytes }
    }

    /// Whether the bytes are used up.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    /// A number below `count`; 0 if the bytes are used up. Takes one byte, so numbers from 256 on never occur.
    pub fn below(&mut self, count: usize) -> usize {
        let Some((first, rest)) = self.bytes.split_first() else { return 0 };
        self.bytes = rest;
        usize::from(*first) % count.max(1)
    }

    /// A number from `least` to `most`, both possible.
    pub fn between(&mut self, least: usize, most: usize) -> usize {
        least + self.below(most + 1 - least)
    }

    /// True with probability 1 in `times`; false if the bytes are used up.
    pub fn one_in(&mut self, times: usize) -> bool {
        self.below(times) + 1 == times
    }

    /// One of the items.
    ///
    /// # Panics
    ///
    /// Panics if there are none.
    pub fn pick<'i, T>(&mut self, items: &'i [T]) -> &'i T {
        &items[self.below(items.len())]
    }

    /// An index into the weights, each as likely as its weight says.
    pub fn weighted(&mut self, weights: &[usize]) -> usize {
        let mut at = self.below(weights.iter().sum());
        for (index, &weight) in weights.iter().enumerate() {
            if at < weight {
                return index;
            }
            at -= weight;
        }
        0
    }

    /// A place in a text of this length, the end included; takes two bytes.
    pub fn place(&mut self, length: usize) -> usize {
        let place = self.below(256) * 256 + self.below(256);
        place * (length + 1) / (1 << 16)
    }
}
