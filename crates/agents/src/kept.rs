//! What was found out about games, kept in memory.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

/// A value that is there, or is being found.
type Slot<T> = Arc<OnceLock<T>>;

/// Values by the fingerprint of a game and how much was learnt, each found once, also when several threads want it at a time.
#[derive(Debug)]
pub(crate) struct Kept<T> {
    slots: Mutex<BTreeMap<(u64, u32), Slot<T>>>,
    /// When there are this many, all are forgotten.
    most: usize,
}

impl<T: Clone> Kept<T> {
    /// Keeps at most `most` values.
    pub(crate) const fn new(most: usize) -> Kept<T> {
        Kept { slots: Mutex::new(BTreeMap::new()), most }
    }

    /// The value of a key, if it was found before.
    pub(crate) fn known(&self, key: (u64, u32)) -> Option<T> {
        let slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
        slots.get(&key)?.get().cloned()
    }

    /// The value of a key; found by `find` if it is not there.
    pub(crate) fn get(&self, key: (u64, u32), find: impl FnOnce() -> T) -> T {
        let slot = {
            let mut slots = self.slots.lock().unwrap_or_else(PoisonError::into_inner);
            if slots.len() >= self.most && !slots.contains_key(&key) {
                slots.clear();
            }
            Arc::clone(slots.entry(key).or_default())
        };
        slot.get_or_init(find).clone()
    }
}
