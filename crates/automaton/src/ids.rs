//! Typed indices, and the vectors and sets keyed by them.
//!
//! Every entity of a game is named by a 32-bit index of its own type, so that a square can never be used where a
//! piece was meant. The invariants of an index (that it is in range) are the verifier's business.

use std::fmt;
use std::marker::PhantomData;
use std::ops::{Index, IndexMut};

/// What every index type can do; implemented only by the types of this module.
pub trait Id: Copy + Eq + Ord + fmt::Debug {
    /// The index as a number.
    fn index(self) -> usize;
    /// The entity with this number.
    ///
    /// # Panics
    ///
    /// Panics if the number does not fit 32 bits, which the limits on every front-end exclude.
    fn from_index(index: usize) -> Self;
}

macro_rules! id {
    ($(#[doc = $doc:literal] $name:ident $prefix:literal;)*) => {$(
        #[doc = $doc]
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub struct $name(pub u32);

        impl Id for $name {
            #[inline]
            fn index(self) -> usize {
                self.0 as usize
            }

            #[inline]
            fn from_index(index: usize) -> Self {
                $name(u32::try_from(index).expect("an index fits 32 bits"))
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                write!(f, concat!($prefix, "{}"), self.0)
            }
        }

        impl fmt::Debug for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                fmt::Display::fmt(self, f)
            }
        }
    )*};
}

id! {
    /// A place on the board that holds exactly one piece.
    Square "square";
    /// A label of board edges.
    Direction "direction";
    /// What may stand on a square; "empty" is a piece like any other.
    Piece "piece";
    /// A player: chooses moves and has a score.
    Player "player";
    /// A bounded integer of the state.
    Variable "variable";
    /// A place of the state that remembers a square.
    Register "register";
    /// A position in the rules.
    Node "n";
    /// A precomputed walk.
    Table "t";
    /// A sub-automaton used by a check.
    Pattern "k";
    /// The identity of a write within a move.
    Modifier "#";
}

impl Register {
    /// The cursor: the square the automaton stands on.
    pub const CURSOR: Register = Register(0);
}

impl Player {
    /// The variable that holds this player's score.
    #[must_use]
    pub fn score(self) -> Variable {
        Variable(self.0)
    }
}

/// A vector keyed by an index type.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct IdVec<K, V> {
    items: Vec<V>,
    key: PhantomData<K>,
}

impl<K: Id, V> IdVec<K, V> {
    /// An empty vector.
    #[must_use]
    pub fn new() -> Self {
        IdVec { items: Vec::new(), key: PhantomData }
    }

    /// How many items there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.items.len()
    }

    /// Whether there are no items.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.items.is_empty()
    }

    /// Appends an item and returns its index.
    pub fn push(&mut self, item: V) -> K {
        self.items.push(item);
        K::from_index(self.items.len() - 1)
    }

    /// The item, when the index is in range.
    #[must_use]
    pub fn get(&self, key: K) -> Option<&V> {
        self.items.get(key.index())
    }

    /// Whether the index is in range.
    #[must_use]
    pub fn contains(&self, key: K) -> bool {
        key.index() < self.items.len()
    }

    /// All indices in order.
    pub fn keys(&self) -> impl DoubleEndedIterator<Item = K> + ExactSizeIterator + use<K, V> {
        (0..self.items.len()).map(K::from_index)
    }

    /// All items in order.
    pub fn values(&self) -> std::slice::Iter<'_, V> {
        self.items.iter()
    }

    /// All items in order, to be changed.
    pub fn values_mut(&mut self) -> std::slice::IterMut<'_, V> {
        self.items.iter_mut()
    }

    /// All items in order, taken out.
    pub fn into_values(self) -> std::vec::IntoIter<V> {
        self.items.into_iter()
    }

    /// All pairs of index and item in order.
    pub fn iter(&self) -> impl DoubleEndedIterator<Item = (K, &V)> + ExactSizeIterator + Clone {
        self.items.iter().enumerate().map(|(index, item)| (K::from_index(index), item))
    }

    /// The items as a slice.
    #[must_use]
    pub fn as_slice(&self) -> &[V] {
        &self.items
    }
}

impl<K: Id, V: Clone> IdVec<K, V> {
    /// `len` copies of one item.
    #[must_use]
    pub fn filled(item: V, len: usize) -> Self {
        IdVec { items: vec![item; len], key: PhantomData }
    }
}

impl<K: Id, V> Default for IdVec<K, V> {
    fn default() -> Self {
        IdVec::new()
    }
}

impl<K: Id, V> From<Vec<V>> for IdVec<K, V> {
    fn from(items: Vec<V>) -> Self {
        IdVec { items, key: PhantomData }
    }
}

impl<K: Id, V> FromIterator<V> for IdVec<K, V> {
    fn from_iter<I: IntoIterator<Item = V>>(items: I) -> Self {
        IdVec { items: items.into_iter().collect(), key: PhantomData }
    }
}

impl<K: Id, V> Index<K> for IdVec<K, V> {
    type Output = V;

    #[inline]
    fn index(&self, key: K) -> &V {
        &self.items[key.index()]
    }
}

impl<K: Id, V> IndexMut<K> for IdVec<K, V> {
    #[inline]
    fn index_mut(&mut self, key: K) -> &mut V {
        &mut self.items[key.index()]
    }
}

impl<K: Id, V: fmt::Debug> fmt::Debug for IdVec<K, V> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_map().entries(self.iter()).finish()
    }
}

/// A set of indices as bits; two sets of the same members are equal whatever was removed before.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct IdSet<K> {
    words: Vec<u64>,
    key: PhantomData<K>,
}

/// A set of pieces.
pub type PieceSet = IdSet<Piece>;
/// A set of squares.
pub type SquareSet = IdSet<Square>;

impl<K: Id> IdSet<K> {
    /// The empty set.
    #[must_use]
    pub fn new() -> Self {
        IdSet { words: Vec::new(), key: PhantomData }
    }

    /// Adds a member; returns whether it is new.
    pub fn insert(&mut self, key: K) -> bool {
        let (word, bit) = (key.index() / 64, 1 << (key.index() % 64));
        if word >= self.words.len() {
            self.words.resize(word + 1, 0);
        }
        let new = self.words[word] & bit == 0;
        self.words[word] |= bit;
        new
    }

    /// Whether the set holds this member.
    #[must_use]
    pub fn contains(&self, key: K) -> bool {
        self.words.get(key.index() / 64).is_some_and(|word| word >> (key.index() % 64) & 1 == 1)
    }

    /// How many members there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.words.iter().map(|word| word.count_ones() as usize).sum()
    }

    /// Whether there are no members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        // The last word is never zero: members are added one by one and removed together.
        self.words.is_empty()
    }

    /// The members in ascending order.
    pub fn iter(&self) -> impl Iterator<Item = K> + '_ {
        self.words.iter().enumerate().flat_map(|(index, &word)| {
            // Each step takes away the lowest bit.
            let next = |rest: u64| (rest != 0).then_some(rest);
            std::iter::successors(next(word), move |&rest| next(rest & (rest - 1)))
                .map(move |rest| K::from_index(index * 64 + rest.trailing_zeros() as usize))
        })
    }

    /// Adds all members of another set.
    pub fn extend_from(&mut self, other: &Self) {
        if other.words.len() > self.words.len() {
            self.words.resize(other.words.len(), 0);
        }
        for (word, &other) in self.words.iter_mut().zip(&other.words) {
            *word |= other;
        }
    }

    /// Removes all members; the memory is kept.
    pub fn clear(&mut self) {
        self.words.clear();
    }
}

impl<K: Id> Default for IdSet<K> {
    fn default() -> Self {
        IdSet::new()
    }
}

impl<K: Id> FromIterator<K> for IdSet<K> {
    fn from_iter<I: IntoIterator<Item = K>>(keys: I) -> Self {
        let mut set = IdSet::new();
        for key in keys {
            set.insert(key);
        }
        set
    }
}

impl<K: Id> fmt::Debug for IdSet<K> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.iter()).finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_hold_what_was_inserted() {
        let mut set = PieceSet::new();
        assert!(set.is_empty());
        assert!(set.insert(Piece(3)));
        assert!(set.insert(Piece(130)));
        assert!(!set.insert(Piece(3)));
        assert_eq!(set.iter().collect::<Vec<_>>(), [Piece(3), Piece(130)]);
        assert_eq!(set.len(), 2);
        assert!(!set.contains(Piece(64)) && !set.contains(Piece(9999)));
        assert_eq!(set, [Piece(130), Piece(3)].into_iter().collect());
    }

    #[test]
    fn ids_print_as_in_the_text_form() {
        assert_eq!(format!("{} {:?} {}", Node(4), Table(0), Modifier(12)), "n4 t0 #12");
    }
}
