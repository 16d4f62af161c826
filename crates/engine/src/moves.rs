//! Moves: sequences of (modifier, square), the last of which hands over.

use std::fmt;

use regulus_automaton::{Modifier, Square};

/// One recorded action of a move: which write or control, and where the cursor was.
///
/// # Examples
///
/// ```
/// use regulus_automaton::{Modifier, Square};
/// use regulus_engine::Step;
///
/// let step = Step { modifier: Modifier(2), square: Square(48) };
/// assert!(step < Step { modifier: Modifier(3), ..step });
/// ```
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Step {
    /// Which write or control.
    pub modifier: Modifier,
    /// The cursor at that moment.
    pub square: Square,
}

impl fmt::Debug for Step {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", self.square, self.modifier)
    }
}

/// A move by itself. Two moves are the same exactly when their steps are.
///
/// # Examples
///
/// ```
/// use regulus_automaton::{Modifier, Square};
/// use regulus_engine::{Move, Step};
///
/// let steps = [Step { modifier: Modifier(2), square: Square(48) }];
/// assert_eq!(Move::from(&steps[..]), Move(steps.to_vec()));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub Vec<Step>);

impl From<&[Step]> for Move {
    fn from(steps: &[Step]) -> Move {
        Move(steps.to_vec())
    }
}

/// Moves in one flat memory, to be filled again and again without allocating.
///
/// # Examples
///
/// ```
/// use regulus_automaton::{Modifier, Square};
/// use regulus_engine::{MoveList, Step};
///
/// let step = |square| Step { modifier: Modifier(1), square: Square(square) };
/// let mut list = MoveList::new();
/// list.push(&[step(3), step(4)]);
/// list.push(&[step(2)]);
/// list.sort();
/// assert_eq!(list.get(0), [step(2)]);
/// assert_eq!(list.find(&[step(3), step(4)]), Some(1));
/// assert_eq!((list.len(), list.step_count()), (2, 3));
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MoveList {
    steps: Vec<Step>,
    ends: Vec<u32>,
}

impl MoveList {
    /// No moves.
    #[must_use]
    pub fn new() -> MoveList {
        MoveList::default()
    }

    /// Forgets all moves.
    pub fn clear(&mut self) {
        self.steps.clear();
        self.ends.clear();
    }

    /// Adds a move.
    pub fn push(&mut self, steps: &[Step]) {
        self.steps.extend_from_slice(steps);
        self.ends.push(self.steps.len() as u32);
    }

    /// Begins a move with some steps; the rest are to be added.
    #[inline]
    pub fn begin(&mut self, steps: &[Step]) -> &mut Vec<Step> {
        self.steps.extend_from_slice(steps);
        &mut self.steps
    }

    /// Ends the move begun last.
    #[inline]
    pub fn end(&mut self) {
        self.ends.push(self.steps.len() as u32);
    }

    /// How many moves there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Puts the moves into their canonical order: lexicographic by steps, which are compared by modifier, then by square.
    pub fn sort(&mut self) {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_unstable_by(|&one, &other| self.get(one).cmp(self.get(other)));
        let mut sorted = MoveList::new();
        sorted.steps.reserve(self.steps.len());
        sorted.ends.reserve(self.ends.len());
        order.into_iter().for_each(|index| sorted.push(self.get(index)));
        *self = sorted;
    }

    /// The place of a move in a list that is sorted; `None` if it is not in it.
    #[must_use]
    pub fn find(&self, steps: &[Step]) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = (low + high) / 2;
            match self.get(middle).cmp(steps) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Equal => return Some(middle),
                std::cmp::Ordering::Greater => high = middle,
            }
        }
        None
    }

    /// Whether there are no moves.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// How many steps all moves together have.
    #[must_use]
    pub fn step_count(&self) -> usize {
        self.steps.len()
    }

    /// The steps of a move.
    ///
    /// # Panics
    ///
    /// Panics if there are not that many moves.
    #[must_use]
    #[inline]
    pub fn get(&self, index: usize) -> &[Step] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.steps[start..self.ends[index] as usize]
    }

    /// Puts the move that `pick` chooses into `steps`; returns whether there was one to choose.
    pub(crate) fn choose(&self, pick: &mut dyn FnMut(u64) -> u64, steps: &mut Vec<Step>) -> bool {
        steps.clear();
        if !self.is_empty() {
            steps.extend_from_slice(self.get(pick(self.len() as u64) as usize));
        }
        !self.is_empty()
    }

    /// All moves in order.
    pub fn iter(&self) -> impl ExactSizeIterator<Item = &[Step]> {
        (0..self.len()).map(|index| self.get(index))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moves_are_sorted_and_found() {
        let step = |modifier, square| Step { modifier: Modifier(modifier), square: Square(square) };
        let moves = [
            vec![step(2, 0)],
            vec![step(1, 5), step(3, 0)],
            vec![step(1, 5)],
            vec![step(1, 4), step(9, 9)],
        ];
        let mut list = MoveList::new();
        moves.iter().for_each(|steps| list.push(steps));
        list.sort();
        let sorted: Vec<&[Step]> = list.iter().collect();
        assert_eq!(sorted, [&moves[3][..], &moves[2], &moves[1], &moves[0]]);
        assert_eq!(list.find(&moves[1]), Some(2));
        assert_eq!(list.find(&[step(1, 6)]), None);
    }
}
