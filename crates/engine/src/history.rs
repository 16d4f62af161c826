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
    /// What is known of each position.
    visits: Vec<Occurrence>,
    /// The last visit of each key, as its number plus one, by open addressing; the length is zero or a power of two. Visits
    /// leave it in reverse order, so that what was placed behind another is gone before it.
    table: Vec<u32>,
}

/// One occurrence of a position.
#[derive(Clone, Copy, Debug)]
struct Occurrence {
    /// Where its key is in the table.
    place: u32,
    /// What was in the table before.
    before: u32,
    /// How often the position had occurred then, this time included.
    count: u32,
    /// How often that position had occurred which had occurred most often.
    most: u32,
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
        self.visits.last().map_or(0, |visit| visit.most)
    }

    /// How often a position occurred.
    #[must_use]
    pub fn count(&self, key: u64) -> u32 {
        if self.table.is_empty() {
            return 0;
        }
        let last = self.table[self.place(key)].checked_sub(1);
        last.map_or(0, |last| self.visits[last as usize].count)
    }

    /// Adds a position and returns how often it has occurred, this time included.
    #[inline]
    pub fn push(&mut self, key: u64) -> u32 {
        if (self.keys.len() + 1) * 2 > self.table.len() {
            self.grow();
        }
        let place = self.place(key);
        let before = self.table[place];
        let count = match before.checked_sub(1) {
            Some(last) => self.visits[last as usize].count + 1,
            None => 1,
        };
        let most = self.most().max(count);
        self.keys.push(key);
        self.visits.push(Occurrence { place: place as u32, before, count, most });
        self.table[place] = self.keys.len() as u32;
        count
    }

    /// Takes back all but the first `len` positions.
    #[inline]
    pub fn truncate(&mut self, len: usize) {
        while self.visits.len() > len
            && let Some(visit) = self.visits.pop()
        {
            self.table[visit.place as usize] = visit.before;
        }
        self.keys.truncate(len);
    }

    /// Where a key is in the table, or would be.
    #[inline]
    fn place(&self, key: u64) -> usize {
        let mask = self.table.len() - 1;
        let mut place = key as usize & mask;
        while let Some(last) = self.table[place].checked_sub(1)
            && self.keys[last as usize] != key
        {
            place = (place + 1) & mask;
        }
        place
    }

    /// Makes the table larger.
    #[cold]
    fn grow(&mut self) {
        let size = ((self.keys.len() + 1) * 8).next_power_of_two().max(64);
        self.table = vec![0; size];
        for index in 0..self.keys.len() {
            let place = self.place(self.keys[index]);
            self.visits[index].place = place as u32;
            self.visits[index].before = self.table[place];
            self.table[place] = index as u32 + 1;
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
