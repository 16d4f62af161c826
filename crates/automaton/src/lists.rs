//! Many lists in one piece of memory.

use std::ops::{Index, IndexMut, Range};

/// A list for each number from 0, all of them in one piece of memory.
///
/// # Examples
///
/// ```
/// use regulus_automaton::Lists;
///
/// let words = ["tea", "ant", "ten", "toe"];
/// let by_letter = words.iter().map(|word| ((word.as_bytes()[0] - b'a') as usize, *word));
/// let lists = Lists::grouped(26, by_letter);
/// assert_eq!(lists[0], ["ant"]);
/// assert_eq!(lists[19], ["tea", "ten", "toe"]);
/// assert!(lists[25].is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Lists<T> {
    /// Where each list ends, and the next one begins.
    ends: Vec<usize>,
    items: Vec<T>,
}

impl<T> Lists<T> {
    /// No lists.
    #[must_use]
    pub fn new() -> Lists<T> {
        Lists { ends: Vec::new(), items: Vec::new() }
    }

    /// How many lists there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Whether there are no lists.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Appends a list.
    pub fn push(&mut self, items: impl IntoIterator<Item = T>) {
        self.items.extend(items);
        self.ends.push(self.items.len());
    }

    fn range(&self, number: usize) -> Range<usize> {
        number.checked_sub(1).map_or(0, |before| self.ends[before])..self.ends[number]
    }
}

impl<T: Copy> Lists<T> {
    /// As many lists as `count` says, with the items of each in the order in which they come, each with the number of its list.
    /// The items are gone through twice.
    ///
    /// # Panics
    ///
    /// Panics if there is no list with the number of an item.
    #[must_use]
    pub fn grouped(count: usize, items: impl Iterator<Item = (usize, T)> + Clone) -> Lists<T> {
        let mut ends = vec![0; count];
        let mut all = Vec::new();
        for (list, item) in items.clone() {
            ends[list] += 1;
            all.push(item);
        }
        // First where each list begins, then, when it is filled, where it ends.
        let mut start = 0;
        for end in &mut ends {
            (*end, start) = (start, start + *end);
        }
        for (list, item) in items {
            all[ends[list]] = item;
            ends[list] += 1;
        }
        Lists { ends, items: all }
    }
}

impl<T> Index<usize> for Lists<T> {
    type Output = [T];

    #[inline]
    fn index(&self, number: usize) -> &[T] {
        &self.items[self.range(number)]
    }
}

impl<T> IndexMut<usize> for Lists<T> {
    fn index_mut(&mut self, number: usize) -> &mut [T] {
        let range = self.range(number);
        &mut self.items[range]
    }
}

impl<T, L: IntoIterator<Item = T>> FromIterator<L> for Lists<T> {
    fn from_iter<I: IntoIterator<Item = L>>(lists: I) -> Lists<T> {
        let mut all = Lists::new();
        lists.into_iter().for_each(|list| all.push(list));
        all
    }
}
