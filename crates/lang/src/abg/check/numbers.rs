//! Numbers for the items of lists without duplicates.

use std::collections::HashMap;
use std::hash::Hash;

/// The numbers of the items of a list without duplicates.
pub(super) struct Numbers<T>(HashMap<T, usize>);

impl<T: Clone + Eq + Hash> Numbers<T> {
    /// Returns the numbers of the items that a list begins with.
    pub(super) fn of(list: &[T]) -> Numbers<T> {
        Numbers(list.iter().cloned().zip(0..).collect())
    }

    /// Returns the number of an item in the list, to which it is added if it is new.
    pub(super) fn number(&mut self, list: &mut Vec<T>, item: T) -> usize {
        *self.0.entry(item).or_insert_with_key(|item| {
            list.push(item.clone());
            list.len() - 1
        })
    }

    /// Takes the last items out of the list until it has the given length.
    pub(super) fn truncate(&mut self, list: &mut Vec<T>, length: usize) {
        for item in list.drain(length..) {
            self.0.remove(&item);
        }
    }
}
