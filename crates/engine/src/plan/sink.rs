//! Where moves go when they are found: many at a time.

use std::ops::ControlFlow;

use regulus_automaton::{Modifier, Square};

use crate::bits::Bits;
use crate::fault::{GaveUp, Limits};
use crate::moves::{MoveList, Step};
use crate::segment::{Segments, Spread};
use crate::walk::Visitor;

/// Takes moves in bulk.
pub(super) trait MoveSink<const W: usize> {
    /// One move for each square: the path, then the modifiers of `finish` on that square.
    fn squares(&mut self, path: &[Step], finish: u32, squares: Bits<W>) -> ControlFlow<()>;

    /// One move for each square: the path, `first` on the square from which the spread leads here, then the spread's
    /// modifiers on the square.
    fn pairs(
        &mut self,
        path: &[Step],
        first: Modifier,
        spread: &Spread,
        squares: Bits<W>,
    ) -> ControlFlow<()>;

    /// Whether what is written on the way to the move that stops the search stays.
    fn keeps_writes(&self) -> bool {
        false
    }
}

/// The sink of patterns, within which no moves are found.
pub(super) struct NoMoves;

impl<const W: usize> MoveSink<W> for NoMoves {
    fn squares(&mut self, _: &[Step], _: u32, _: Bits<W>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }

    fn pairs(&mut self, _: &[Step], _: Modifier, _: &Spread, _: Bits<W>) -> ControlFlow<()> {
        ControlFlow::Continue(())
    }
}

/// Shows the moves one by one.
pub(super) struct OneByOne<'a, 'v> {
    pub(super) segments: &'a Segments,
    pub(super) visitor: &'a mut Visitor<'v>,
    pub(super) steps: Vec<Step>,
    /// How many have been shown, and how many may be.
    pub(super) shown: u64,
    pub(super) most: u64,
}

impl OneByOne<'_, '_> {
    #[inline]
    fn show(&mut self) -> ControlFlow<()> {
        self.shown += 1;
        if self.shown > self.most {
            return ControlFlow::Break(());
        }
        (self.visitor)(&self.steps)
    }
}

impl<const W: usize> MoveSink<W> for OneByOne<'_, '_> {
    fn squares(&mut self, path: &[Step], finish: u32, squares: Bits<W>) -> ControlFlow<()> {
        for square in squares.each() {
            self.steps.clear();
            self.steps.extend_from_slice(path);
            finish_on(self.segments, finish, square, &mut self.steps);
            self.show()?;
        }
        ControlFlow::Continue(())
    }

    fn pairs(
        &mut self,
        path: &[Step],
        first: Modifier,
        spread: &Spread,
        squares: Bits<W>,
    ) -> ControlFlow<()> {
        for square in squares.each() {
            self.steps.clear();
            self.steps.extend_from_slice(path);
            self.steps.push(first_of_pair(first, spread.distance, square));
            finish_on(self.segments, spread.finish, square, &mut self.steps);
            self.show()?;
        }
        ControlFlow::Continue(())
    }
}

/// Takes the first move; the keeper has no choice.
pub(super) struct First<'a> {
    pub(super) segments: &'a Segments,
    pub(super) steps: &'a mut Vec<Step>,
    /// Whether what leads to the end of the move is taken with it, or only the end.
    pub(super) takes_path: bool,
}

impl<const W: usize> MoveSink<W> for First<'_> {
    fn keeps_writes(&self) -> bool {
        !self.takes_path
    }

    fn squares(&mut self, path: &[Step], finish: u32, squares: Bits<W>) -> ControlFlow<()> {
        if self.takes_path {
            self.steps.extend_from_slice(path);
        }
        for square in squares.each().take(1) {
            finish_on(self.segments, finish, square, self.steps);
        }
        ControlFlow::Break(())
    }

    fn pairs(
        &mut self,
        path: &[Step],
        first: Modifier,
        spread: &Spread,
        squares: Bits<W>,
    ) -> ControlFlow<()> {
        if self.takes_path {
            self.steps.extend_from_slice(path);
        }
        for square in squares.each().take(1) {
            self.steps.push(first_of_pair(first, spread.distance, square));
            finish_on(self.segments, spread.finish, square, self.steps);
        }
        ControlFlow::Break(())
    }
}

/// Puts the moves into a list, until it is too long.
pub(super) struct IntoList<'a> {
    pub(super) segments: &'a Segments,
    pub(super) list: &'a mut MoveList,
    pub(super) limit: usize,
}

impl IntoList<'_> {
    fn flow(&self) -> ControlFlow<()> {
        if self.is_full() { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    }

    fn is_full(&self) -> bool {
        self.list.step_count() > self.limit
    }

    /// Whether everything has found a place.
    pub(super) fn finish(self) -> Result<(), GaveUp> {
        if self.is_full() { Err(GaveUp) } else { Ok(()) }
    }
}

impl<const W: usize> MoveSink<W> for IntoList<'_> {
    fn squares(&mut self, path: &[Step], finish: u32, squares: Bits<W>) -> ControlFlow<()> {
        for square in squares.each() {
            let steps = self.list.begin(path);
            finish_on(self.segments, finish, square, steps);
            self.list.end();
        }
        self.flow()
    }

    fn pairs(
        &mut self,
        path: &[Step],
        first: Modifier,
        spread: &Spread,
        squares: Bits<W>,
    ) -> ControlFlow<()> {
        for square in squares.each() {
            let steps = self.list.begin(path);
            steps.push(first_of_pair(first, spread.distance, square));
            finish_on(self.segments, spread.finish, square, steps);
            self.list.end();
        }
        self.flow()
    }
}

/// How many records of moves are kept. Where there are more, the move that is wanted is looked for again.
const MAX_RECORDS: usize = 1 << 18;

/// Remembers the moves as they come, to count them and take one.
#[derive(Debug, Default)]
pub(super) struct MoveBatches {
    records: Vec<MoveBatch>,
    steps: Vec<Step>,
    sets: Vec<u64>,
    count: u64,
    /// How many moves there may be.
    most: u64,
    /// How many steps are kept; where moves are long, there is no room for as many records as otherwise.
    most_steps: usize,
}

/// Takes the move before which there are a certain number of others.
pub(super) struct Nth<'a> {
    pub(super) segments: &'a Segments,
    pub(super) before: u64,
    pub(super) steps: &'a mut Vec<Step>,
}

impl<const W: usize> MoveSink<W> for Nth<'_> {
    fn squares(&mut self, path: &[Step], finish: u32, squares: Bits<W>) -> ControlFlow<()> {
        self.take(squares, |nth, square| {
            nth.steps.extend_from_slice(path);
            finish_on(nth.segments, finish, square, nth.steps);
        })
    }

    fn pairs(
        &mut self,
        path: &[Step],
        first: Modifier,
        spread: &Spread,
        squares: Bits<W>,
    ) -> ControlFlow<()> {
        self.take(squares, |nth, square| {
            nth.steps.extend_from_slice(path);
            nth.steps.push(first_of_pair(first, spread.distance, square));
            finish_on(nth.segments, spread.finish, square, nth.steps);
        })
    }
}

impl Nth<'_> {
    fn take<const W: usize>(
        &mut self,
        squares: Bits<W>,
        take: impl FnOnce(&mut Self, u32),
    ) -> ControlFlow<()> {
        let here = u64::from(squares.count());
        if self.before >= here {
            self.before -= here;
            return ControlFlow::Continue(());
        }
        take(self, nth(&squares.0, self.before));
        ControlFlow::Break(())
    }
}

/// Moves that came together.
#[derive(Clone, Copy, Debug)]
struct MoveBatch {
    /// How many moves there are up to and with these.
    up_to: u64,
    /// Where the path ends among the steps.
    path_end: u32,
    finish: u32,
    /// The modifier of the first square of a pair, and how far it is from there to the second.
    first: Option<(Modifier, i32)>,
}

impl MoveBatches {
    /// Forgets everything; from now on these limits hold.
    pub(super) fn clear(&mut self, limits: &Limits) {
        self.records.clear();
        self.steps.clear();
        self.sets.clear();
        self.count = 0;
        self.most = limits.moves;
        self.most_steps = limits.stored_steps;
    }

    /// How many moves there are, if not all of them are recorded.
    pub(super) fn unrecorded(&self) -> Option<u64> {
        let recorded = self.records.last().map_or(0, |last| last.up_to);
        (self.count > recorded).then_some(self.count)
    }

    /// Whether there are more moves than allowed.
    pub(super) fn are_too_many(&self) -> bool {
        self.count > self.most
    }

    /// Puts the move that `pick` chooses into `steps`; returns whether there was one to choose.
    pub(super) fn choose(
        &self,
        segments: &Segments,
        words: usize,
        pick: &mut dyn FnMut(u64) -> u64,
        steps: &mut Vec<Step>,
    ) -> bool {
        steps.clear();
        if self.count == 0 {
            return false;
        }
        let picked = pick(self.count);
        let index = self.records.partition_point(|record| record.up_to <= picked);
        let record = self.records[index];
        let before = if index == 0 { None } else { Some(self.records[index - 1]) };
        let path_start = before.map_or(0, |record| record.path_end as usize);
        steps.extend_from_slice(&self.steps[path_start..record.path_end as usize]);
        let set = &self.sets[index * words..(index + 1) * words];
        let square = nth(set, picked - before.map_or(0, |record| record.up_to));
        if let Some((first, distance)) = record.first {
            steps.push(first_of_pair(first, distance, square));
        }
        finish_on(segments, record.finish, square, steps);
        true
    }

    fn add<const W: usize>(
        &mut self,
        path: &[Step],
        first: Option<(Modifier, i32)>,
        finish: u32,
        squares: Bits<W>,
    ) -> ControlFlow<()> {
        self.count += u64::from(squares.count());
        // What is full stays so: nothing is forgotten before the end.
        if self.records.len() == MAX_RECORDS || self.steps.len() > self.most_steps {
            let enough = self.are_too_many();
            return if enough { ControlFlow::Break(()) } else { ControlFlow::Continue(()) };
        }
        // PERF: copying nothing would be a call.
        if !path.is_empty() {
            self.steps.extend_from_slice(path);
        }
        self.sets.extend_from_slice(&squares.0);
        let path_end = self.steps.len() as u32;
        self.records.push(MoveBatch { up_to: self.count, path_end, finish, first });
        ControlFlow::Continue(())
    }
}

impl<const W: usize> MoveSink<W> for MoveBatches {
    fn squares(&mut self, path: &[Step], finish: u32, squares: Bits<W>) -> ControlFlow<()> {
        self.add(path, None, finish, squares)
    }

    fn pairs(
        &mut self,
        path: &[Step],
        first: Modifier,
        spread: &Spread,
        squares: Bits<W>,
    ) -> ControlFlow<()> {
        self.add(path, Some((first, spread.distance)), spread.finish, squares)
    }
}

#[inline]
fn first_of_pair(first: Modifier, distance: i32, square: u32) -> Step {
    Step { modifier: first, square: Square((square as i32 - distance) as u32) }
}

#[inline]
fn finish_on(segments: &Segments, finish: u32, square: u32, steps: &mut Vec<Step>) {
    let square = Square(square);
    steps.extend(
        segments.finishes[finish as usize].iter().map(|&modifier| Step { modifier, square }),
    );
}

/// The n-th member of a set, counted from zero.
pub(super) fn nth(words: &[u64], mut before: u64) -> u32 {
    for (at, &word) in words.iter().enumerate() {
        let here = u64::from(word.count_ones());
        if before < here {
            let mut word = word;
            for _ in 0..before {
                word &= word - 1;
            }
            return at as u32 * 64 + word.trailing_zeros();
        }
        before -= here;
    }
    0
}

#[cfg(test)]
mod tests {
    use regulus_lang::{Source, compile};

    use super::*;
    use crate::plan::{Plan, Scratch};
    use crate::rules::Rules as _;

    #[test]
    fn moves_that_are_too_long_to_be_kept_can_be_chosen() {
        let text = "#players = white(1)
            #pieces = e, w
            #variables =
            #board = rectangle(u, d, l, r, [e, e])
            #rules = ->white ([w] + [e])^7 ([w] + {e}) ->> {}";
        let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
        let limits = Limits { stored_steps: 100, ..Limits::default() };
        let plan = Plan::with_limits(automaton, limits).expect("a small game");
        let mut scratch = plan.scratch();
        let state = plan.initial(&mut scratch).expect("it begins");
        let mut all = Vec::new();
        plan.visit_moves(&state, &mut scratch, &mut |steps| {
            all.push(steps.to_vec());
            ControlFlow::Continue(())
        })
        .expect("there are few");
        assert!(all.iter().flatten().count() > 10 * limits.stored_steps, "{}", all.len());
        for (number, expected) in all.iter().enumerate() {
            let mut chosen = Vec::new();
            let mut pick = |count| {
                assert_eq!(count, all.len() as u64);
                number as u64
            };
            assert_eq!(plan.choose(&state, &mut scratch, &mut pick, &mut chosen), Ok(true));
            assert_eq!(&chosen, expected);
            // Only so many steps and one more path are kept.
            let Scratch { records, .. } = &scratch;
            assert!(records.steps.len() <= limits.stored_steps + 8, "{}", records.steps.len());
        }
    }

    #[test]
    fn members_are_counted_across_words() {
        let words = [1 << 3 | 1 << 60, 0, 1 | 1 << 63];
        assert_eq!([0, 1, 2, 3].map(|before| nth(&words, before)), [3, 60, 128, 191]);
    }
}
