//! Records of moves, read: native code writes them, and moves are listed and chosen from them.
//!
//! It relies on what native code has written into [`NativeMemory`]: the data of a record are its steps, then the set of
//! squares that its moves end on.

use regulus_automaton::{Modifier, Square};
use regulus_engine::{MoveList, Rules as _, Step};

use super::Jit;
use crate::compile::Shape;
use crate::context::{Record, step_word};
use crate::native::NativeMemory;

/// Up to this many records are searched one after the other.
const FEW_RECORDS: usize = 8;

/// A record of moves, read.
pub(super) struct RecordView<'a> {
    path: &'a [u64],
    pub(super) squares: &'a [u64],
    shape: Shape,
}

impl<'a> RecordView<'a> {
    #[inline]
    pub(super) fn new(jit: &'a Jit, memory: &'a NativeMemory, record: &Record) -> RecordView<'a> {
        let data = &memory.data[record.data as usize..];
        let (path, rest) = data.split_at(record.steps as usize);
        RecordView {
            path,
            squares: &rest[..jit.words],
            shape: jit.native.shapes[record.shape as usize],
        }
    }

    /// Gives the steps of the move that ends on a square.
    #[inline]
    pub(super) fn steps(&self, jit: &Jit, square: u32, mut give: impl FnMut(u64)) {
        self.path.iter().for_each(|&step| give(step));
        if let Some((first, distance)) = self.shape.first {
            give(step_word(first.0, (square as i32 - distance) as u32));
        }
        for modifier in &jit.plan.segments().finishes[self.shape.finish as usize] {
            give(step_word(modifier.0, square));
        }
    }
}

impl Jit {
    /// Writes the steps of a move of a record, as words, into memory and returns how many there are.
    #[inline]
    pub(super) fn steps_of(
        &self,
        memory: &NativeMemory,
        record: usize,
        square: u32,
        steps: &mut [u64],
    ) -> usize {
        let found = RecordView::new(self, memory, &memory.records[record]);
        let mut length = 0;
        found.steps(self, square, |step| {
            steps[length] = step;
            length += 1;
        });
        length
    }

    /// The move before which there are `before` others: its record and the square it ends on.
    #[inline]
    pub(super) fn find_nth(
        &self,
        memory: &NativeMemory,
        records: usize,
        before: u64,
    ) -> (usize, u32) {
        let records = &memory.records[..records];
        // PERF: which record it is cannot be guessed, so few of them are all looked at.
        let index = if records.len() <= FEW_RECORDS {
            records.iter().map(|record| usize::from(record.up_to <= before)).sum()
        } else {
            records.partition_point(|record| record.up_to <= before)
        };
        let earlier = if index == 0 { 0 } else { records[index - 1].up_to };
        let found = RecordView::new(self, memory, &records[index]);
        (index, self.native.nth(found.squares, before - earlier))
    }

    /// Puts the moves into a list; returns whether it is not longer than allowed.
    pub(super) fn list(&self, memory: &NativeMemory, records: usize, list: &mut MoveList) -> bool {
        let limit = self.limits().stored_steps;
        for record in &memory.records[..records] {
            let found = RecordView::new(self, memory, record);
            for square in squares(found.squares) {
                let steps = list.begin(&[]);
                found.steps(self, square, |word| steps.push(to_step(word)));
                list.end();
            }
            if list.step_count() > limit {
                return false;
            }
        }
        true
    }
}

/// Returns the step that a word holds.
#[inline]
pub(super) fn to_step(word: u64) -> Step {
    Step { modifier: Modifier(word as u32), square: Square((word >> 32) as u32) }
}

/// The members of a set in ascending order.
#[inline]
pub(super) fn squares(set: &[u64]) -> impl Iterator<Item = u32> {
    set.iter().enumerate().flat_map(|(at, &word)| {
        let mut word = word;
        std::iter::from_fn(move || {
            if word == 0 {
                return None;
            }
            let bit = word.trailing_zeros();
            word &= word - 1;
            Some(at as u32 * 64 + bit)
        })
    })
}
