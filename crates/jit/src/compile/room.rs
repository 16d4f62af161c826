//! Room for code that is written in place of calls.

use super::body::Body;

/// How much code a function may still have in place of calls.
pub(super) struct Room {
    left: u32,
    is_enough: bool,
}

impl Room {
    /// Returns room for the given amount of code.
    pub(super) fn new(left: u32) -> Room {
        Room { left, is_enough: false }
    }

    /// Returns how much is left.
    pub(super) fn left(&self) -> u32 {
        self.left
    }

    /// Returns whether there is room for all that is written, so that no call may take its place.
    pub(super) fn is_enough(&self) -> bool {
        self.is_enough
    }

    /// Adds room.
    pub(super) fn add(&mut self, more: u32) {
        self.left += more;
    }

    /// Takes room for code of a size; returns whether there was enough.
    pub(super) fn take(&mut self, size: u32) -> bool {
        let fits = size <= self.left;
        if fits {
            self.left -= size;
        }
        fits
    }
}

impl Body<'_, '_, '_> {
    /// Writes code; if `is_enough`, there must be room for all of it, without calls. Returns what `write` does.
    pub(super) fn without_calls<T>(
        &mut self,
        is_enough: bool,
        write: impl FnOnce(&mut Self) -> T,
    ) -> T {
        self.scoped(|body| &mut body.room.is_enough, is_enough, write)
    }
}
