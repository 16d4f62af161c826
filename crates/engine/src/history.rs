//! The positions of a play so far, for games in which a position that comes again may end the game.
//!
//! Only games that declare it ([`regulus_automaton::Repetition`]) keep a history; for all others it stays empty and costs
//! nothing.

/// The positions in which a player was in control, in order, each as a 64-bit key, and how often each occurred.
///
/// An engine adds to it when it plays a move ([`crate::Rules::apply`]). To take moves back, keep the length from before and
/// return to it with [`History::truncate`].
///
/// # Examples
///
/// ```
/// use regulus_engine::History;
///
/// let mut history = History::new();
/// assert_eq!([history.push(7), history.push(8), history.push(7)], [1, 1, 2]);
/// history.truncate(2);
/// assert_eq!([history.count(7), history.count(9)], [1, 0]);
/// assert_eq!(history.push(7), 2);
/// ```
#[derive(Clone, Debug, Default)]
pub struct History {
    keys: Vec<u64>,
    /// Keys with their counts, by open addressing; the length is zero or a power of two. An entry with count 0 is free, or
    /// was taken back.
    table: Vec<(u64, u32)>,
    /// How many entries of the table were ever used.
    used: usize,
    /// How many keys occur at least once, twice and so on.
    at_least: Vec<u32>,
}

impl History {
    /// No positions.
    #[must_use]
    pub fn new() -> History {
        History::default()
    }

    /// How many positions there are, counting those that came again.
    #[must_use]
    pub fn len(&self) -> usize {
        self.keys.len()
    }

    /// Whether there are no positions.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.keys.is_empty()
    }

    /// The keys of the positions in order.
    #[must_use]
    pub fn keys(&self) -> &[u64] {
        &self.keys
    }

    /// How often the position occurred that occurred most often.
    #[must_use]
    pub fn most(&self) -> u32 {
        self.at_least.len() as u32
    }

    /// How often a position occurred.
    #[must_use]
    pub fn count(&self, key: u64) -> u32 {
        if self.table.is_empty() { 0 } else { self.table[self.place(key.max(1))].1 }
    }

    /// Adds a position and returns how often it has occurred, this time included.
    pub fn push(&mut self, key: u64) -> u32 {
        // Zero marks what is free in the table.
        let key = key.max(1);
        if (self.used + 1) * 2 > self.table.len() {
            self.grow();
        }
        let place = self.place(key);
        let entry = &mut self.table[place];
        if *entry == FREE {
            self.used += 1;
        }
        *entry = (key, entry.1 + 1);
        let count = entry.1;
        match self.at_least.get_mut(count as usize - 1) {
            Some(keys) => *keys += 1,
            None => self.at_least.push(1),
        }
        self.keys.push(key);
        count
    }

    /// Takes back all but the first `len` positions.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        if self.keys.len() > len {
            self.take_back(len);
        }
    }

    fn take_back(&mut self, len: usize) {
        while self.keys.len() > len
            && let Some(key) = self.keys.pop()
        {
            let place = self.place(key);
            let count = &mut self.table[place].1;
            let keys = &mut self.at_least[*count as usize - 1];
            *count -= 1;
            *keys -= 1;
            if *keys == 0 {
                self.at_least.pop();
            }
        }
    }

    /// Where a key is in the table, or would be.
    fn place(&self, key: u64) -> usize {
        let mask = self.table.len() - 1;
        let mut place = key as usize & mask;
        // A key that was taken back keeps its place, so that the keys behind it are still found.
        while self.table[place].0 != key && self.table[place] != FREE {
            place = (place + 1) & mask;
        }
        place
    }

    /// Makes the table larger, without the entries that were taken back.
    fn grow(&mut self) {
        let kept = self.table.iter().filter(|(_, count)| *count > 0).count();
        let size = ((kept + 1) * 4).next_power_of_two().max(64);
        let old = std::mem::replace(&mut self.table, vec![FREE; size]);
        self.used = kept;
        for entry in old.into_iter().filter(|(_, count)| *count > 0) {
            let place = self.place(entry.0);
            self.table[place] = entry;
        }
    }
}

/// Equal histories hold the same positions in the same order.
impl PartialEq for History {
    fn eq(&self, other: &History) -> bool {
        self.keys == other.keys
    }
}

impl Eq for History {}

/// An entry of the table that was never used.
const FREE: (u64, u32) = (0, 0);

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    #[test]
    fn counts_are_those_of_a_plain_map() {
        let mut random = 1u64;
        let mut history = History::new();
        let mut keys: Vec<u64> = Vec::new();
        for _ in 0..if cfg!(miri) { 200 } else { 20_000 } {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
            if random >> 60 == 0 {
                let len = (random >> 33) as usize % (keys.len() + 1);
                history.truncate(len);
                keys.truncate(len);
            } else {
                // Few different keys, which collide in the table.
                let key = ((random >> 40) % 50 + 1) << 32;
                keys.push(key);
                let count = keys.iter().filter(|&&other| other == key).count();
                assert_eq!(history.push(key) as usize, count);
                assert_eq!(history.count(key) as usize, count);
            }
            let mut counts: HashMap<u64, u32> = HashMap::new();
            if keys.len() < 200 {
                keys.iter().for_each(|&key| *counts.entry(key).or_default() += 1);
                assert_eq!(history.most(), counts.values().copied().max().unwrap_or(0));
            }
            assert_eq!(history.keys(), keys);
        }
    }
}
