//! Moves: sequences of (modifier, square), the last of which hands over.

use std::fmt;

use regulus_automaton::{Modifier, Square};

/// One recorded action of a move: which write or control, and where the cursor was.
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
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Move(pub Vec<Step>);

impl From<&[Step]> for Move {
    fn from(steps: &[Step]) -> Move {
        Move(steps.to_vec())
    }
}

/// Moves in one flat memory, to be filled again and again without allocating.
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
    /// When there are not that many moves.
    #[must_use]
    #[inline]
    pub fn get(&self, index: usize) -> &[Step] {
        let start = if index == 0 { 0 } else { self.ends[index - 1] as usize };
        &self.steps[start..self.ends[index] as usize]
    }

    /// Puts the move that `pick` chooses into `steps`; says whether there was one to choose.
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
