//! What was found about positions, in memory of a fixed size that threads share.

use std::sync::atomic::{AtomicU64, Ordering};

/// A table of positions by their fingerprints. What was found long ago, or with less depth, is overwritten.
///
/// An entry is two words; the first is the key mixed with the second, so that an entry which two threads have written half
/// each does not fit any key and is not found.
#[derive(Debug)]
pub(crate) struct PositionTable {
    entries: Vec<[AtomicU64; 2]>,
    mask: usize,
    /// Goes up with every search, so that entries of earlier ones are known.
    age: u8,
}

/// How a stored score relates to the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Bound {
    Exact,
    AtLeast,
    AtMost,
}

/// What was found about a position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Found {
    pub(crate) score: i32,
    pub(crate) depth: i32,
    pub(crate) bound: Bound,
    /// A part of the best move's key; 0 if it is not known.
    pub(crate) best: u16,
    /// Whether it was found in the present search.
    pub(crate) is_new: bool,
}

/// The part of a move's key that is kept; never 0.
#[inline]
pub(super) fn short(key: u32) -> u16 {
    ((key >> 16) as u16).max(1)
}

/// How many neighbouring entries a position may be in.
const BUCKET: usize = 4;

impl PositionTable {
    /// A table of about this many bytes.
    pub(crate) fn new(bytes: usize) -> PositionTable {
        let entries = (bytes / size_of::<[AtomicU64; 2]>()).max(2 * BUCKET);
        let count = 1 << entries.ilog2();
        let entries = bytemuck::zeroed_vec(count);
        PositionTable { entries, mask: count - 1, age: 0 }
    }

    /// Another search begins.
    pub(crate) fn grow_old(&mut self) {
        self.age = (self.age + 1) & 0x3f;
    }

    fn bucket(&self, key: u64) -> &[[AtomicU64; 2]] {
        let first = key as usize & self.mask & !(BUCKET - 1);
        &self.entries[first..first + BUCKET]
    }

    /// What is known about a position; `None` if nothing.
    #[inline]
    pub(crate) fn get(&self, key: u64) -> Option<Found> {
        self.bucket(key).iter().find_map(|entry| {
            let data = entry[1].load(Ordering::Relaxed);
            let is_it = entry[0].load(Ordering::Relaxed) ^ data == key && data != 0;
            is_it.then(|| Found { is_new: age_of(data) == self.age, ..unpack(data) })
        })
    }

    /// Notes what was found.
    #[inline]
    pub(crate) fn put(&self, key: u64, found: Found) {
        let mut worst = (i32::MAX, 0);
        let bucket = self.bucket(key);
        let mut best = found.best;
        for (place, entry) in bucket.iter().enumerate() {
            let data = entry[1].load(Ordering::Relaxed);
            if data == 0 || entry[0].load(Ordering::Relaxed) ^ data == key {
                worst = (i32::MIN, place);
                if data != 0 && best == 0 {
                    best = unpack(data).best;
                }
                break;
            }
            let age = i32::from(self.age.wrapping_sub(age_of(data)) & 0x3f);
            let worth = unpack(data).depth - 8 * age;
            if worth < worst.0 {
                worst = (worth, place);
            }
        }
        let data = pack(Found { best, ..found }, self.age);
        bucket[worst.1][1].store(data, Ordering::Relaxed);
        bucket[worst.1][0].store(key ^ data, Ordering::Relaxed);
    }
}

/// From the low end: score 32, depth 8, bound 2, age 6, best move 16.
fn pack(found: Found, age: u8) -> u64 {
    let depth = found.depth.clamp(-1, 254) + 1;
    let bound = match found.bound {
        Bound::Exact => 1,
        Bound::AtLeast => 2,
        Bound::AtMost => 3,
    };
    u64::from(found.score as u32)
        | (depth as u64) << 32
        | bound << 40
        | u64::from(age) << 42
        | u64::from(found.best) << 48
}

fn age_of(data: u64) -> u8 {
    (data >> 42) as u8 & 0x3f
}

fn unpack(data: u64) -> Found {
    Found {
        score: data as u32 as i32,
        depth: (data >> 32 & 0xff) as i32 - 1,
        bound: match data >> 40 & 3 {
            1 => Bound::Exact,
            2 => Bound::AtLeast,
            _ => Bound::AtMost,
        },
        best: (data >> 48) as u16,
        is_new: false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_put_is_found_until_it_is_overwritten() {
        let table = PositionTable::new(1024);
        let found =
            |score, depth| Found { score, depth, bound: Bound::AtLeast, best: 7, is_new: true };
        table.put(12, found(-900_000, 5));
        table.put(13, found(4, -1));
        let got = table.get(12).expect("it was put");
        assert_eq!((got.score, got.depth, got.bound, got.best), (-900_000, 5, Bound::AtLeast, 7));
        assert_eq!(table.get(13).map(|found| (found.score, found.depth)), Some((4, -1)));
        assert!(table.get(14).is_none());
        // A bucket has four places; the shallowest entry goes first.
        for number in 1..5 {
            table.put(12 + (number << 32), found(0, 3));
        }
        assert!(table.get(12).is_some() && table.get(13).is_none());
    }
}
