//! Items by number, each once: the sets of pieces and squares and the ends of moves that many stages share.

use std::collections::BTreeMap;

/// Items by number, each once.
pub(super) struct Interned<T> {
    pub(super) items: Vec<T>,
    numbers: BTreeMap<T, u32>,
}

impl<T> Default for Interned<T> {
    fn default() -> Self {
        Interned { items: Vec::new(), numbers: BTreeMap::new() }
    }
}

impl<T: Ord + Clone> Interned<T> {
    /// Returns the number of an item, which is given one if it has none yet.
    pub(super) fn number(&mut self, item: &T) -> u32 {
        if let Some(&number) = self.numbers.get(item) {
            return number;
        }
        let number = self.items.len() as u32;
        self.numbers.insert(item.clone(), number);
        self.items.push(item.clone());
        number
    }
}
