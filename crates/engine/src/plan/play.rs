//! Playing on the scratch's state: the keeper's part, and whole games.

use regulus_automaton::{Player, Square};

use super::Scratch;
use super::search::Search;
use super::sink::{First, nth};
use crate::fault::Fault;
use crate::history::History;
use crate::moves::Step;
use crate::segment::{Segments, Slot};

impl<const W: usize> Search<'_, W> {
    /// Plays chosen moves until the game is over or `moves` have been made; returns how many were made. If asked to, shows each
    /// move before it is made.
    pub(super) fn playout<const FINGERPRINTED: bool, const NOTES: bool>(
        &mut self,
        history: &mut History,
        pick: &mut dyn FnMut(u64) -> u64,
        moves: u64,
        note: &mut dyn FnMut(Player, &[Step]),
    ) -> Result<u64, Fault> {
        let mut steps = Vec::new();
        for made in 0..moves {
            let Some(player) = self.scratch.state.mover(&self.referee.layout) else {
                return Ok(made);
            };
            let mut note = |steps: &[Step]| {
                if NOTES {
                    note(player, steps);
                }
            };
            if !self.play::<FINGERPRINTED, NOTES>(pick, &mut steps, &mut note)? {
                return Ok(made);
            }
            self.run_keeper::<FINGERPRINTED>(0)?;
            self.referee.remember(&mut self.scratch.state, history);
        }
        Ok(moves)
    }

    /// Makes one of the legal moves; says whether there was one. The steps are free memory.
    #[inline]
    fn play<const FINGERPRINTED: bool, const NOTES: bool>(
        &mut self,
        pick: &mut dyn FnMut(u64) -> u64,
        steps: &mut Vec<Step>,
        note: &mut impl FnMut(&[Step]),
    ) -> Result<bool, Fault> {
        // PERF: where all moves end on the squares of the first stage, they need not be recorded.
        if let Some((stage, cursor)) = self.begin()
            && let Some(ends) = &self.code.ends[stage as usize]
        {
            self.scratch.tries = self.referee.limits.tries;
            let Some((finish, square)) = self.choose_end(stage, ends, cursor, pick)? else {
                return Ok(false);
            };
            if NOTES {
                steps.clear();
                steps.extend(ending(self.segments, finish, square));
                note(steps);
            }
            self.finish::<FINGERPRINTED>(finish, square)?;
            return Ok(true);
        }
        let found = self.choose(pick, steps)?;
        if found {
            note(steps);
            self.execute::<FINGERPRINTED>(steps)?;
        }
        Ok(found)
    }

    /// One of the ends of moves from a stage, as `pick` chooses.
    fn choose_end(
        &mut self,
        stage: u32,
        ends: &[u32],
        cursor: Square,
        pick: &mut dyn FnMut(u64) -> u64,
    ) -> Result<Option<(u32, u32)>, Fault> {
        let code = self.code;
        let block = &code.stages[stage as usize];
        self.compute(block, cursor.0, 0)?;
        let count = |slot: Slot| u64::from(self.load(0, slot).count());
        let total = block.results.iter().map(|&slot| count(slot)).sum();
        if total == 0 {
            return Ok(None);
        }
        let mut before = pick(total);
        for (&finish, &slot) in ends.iter().zip(&block.results) {
            let here = count(slot);
            if before < here {
                return Ok(Some((finish, nth(&self.load(0, slot).0, before))));
            }
            before -= here;
        }
        Ok(None)
    }

    /// Puts one of the legal moves into `steps`; says whether there was one.
    pub(super) fn choose(
        &mut self,
        pick: &mut dyn FnMut(u64) -> u64,
        steps: &mut Vec<Step>,
    ) -> Result<bool, Fault> {
        let mut records = std::mem::take(&mut self.scratch.records);
        records.clear();
        self.scratch.tries = self.referee.limits.tries;
        let searched = self.moves(&mut records);
        let chosen = searched.map(|_| records.choose(self.segments, W, pick, steps));
        self.scratch.records = records;
        chosen
    }

    /// Lets the keeper, who has made some moves already, move until a player is in control or the keeper is stuck.
    pub(super) fn run_keeper<const FINGERPRINTED: bool>(&mut self, made: u64) -> Result<(), Fault> {
        self.scratch.tries = self.referee.limits.tries;
        let mut last = None;
        let referee = self.referee;
        let done = referee.watch_keeper_on(
            self,
            made,
            |search| &search.scratch.state,
            |search| search.advance_keeper::<FINGERPRINTED>(&mut last),
        );
        done.map_err(|fault| referee.place_fault(fault, last.as_slice()))
    }

    /// Makes a move of the keeper; says whether there was one, and what its last step is.
    fn advance_keeper<const FINGERPRINTED: bool>(
        &mut self,
        last: &mut Option<Step>,
    ) -> Result<bool, Fault> {
        *last = None;
        // PERF: most moves of the keeper are writes where it is, then the first of what a stage leads to.
        let Some((mut stage, cursor)) = self.begin() else { return Ok(false) };
        if !FINGERPRINTED
            && self.code.writes_and_ends[stage as usize]
            && let Some(exit) = self.only_exit(stage)
        {
            match self.write_on(exit, cursor, false)? {
                Some(next) => stage = next,
                None => return Ok(false),
            }
        }
        if let Some(ends) = &self.code.ends[stage as usize] {
            let Some((finish, square)) = self.first_end(stage, ends, cursor)? else {
                self.undo_to(0);
                return Ok(false);
            };
            *last = self.last_of(finish, square);
            self.finish::<FINGERPRINTED>(finish, square)?;
            return Ok(true);
        }
        let mut steps = std::mem::take(&mut self.scratch.keeper_steps);
        steps.clear();
        let first =
            &mut First { segments: self.segments, steps: &mut steps, takes_path: FINGERPRINTED };
        // PERF: without a fingerprint, what the search has written on the way to the first move can stay.
        let found = if FINGERPRINTED { self.moves(first) } else { self.moves_until_stopped(first) };
        *last = steps.last().copied();
        let done = match found {
            Ok(true) => self.execute::<FINGERPRINTED>(&steps).map(|()| true),
            _ => found,
        };
        self.scratch.keeper_steps = steps;
        done
    }

    /// The first of the ends of moves from a stage.
    fn first_end(
        &mut self,
        stage: u32,
        ends: &[u32],
        cursor: Square,
    ) -> Result<Option<(u32, u32)>, Fault> {
        let code = self.code;
        let block = &code.stages[stage as usize];
        self.compute(block, cursor.0, 0)?;
        let mut ends = ends.iter().zip(&block.results);
        Ok(ends.find_map(|(&finish, &slot)| Some((finish, self.load(0, slot).each().next()?))))
    }

    fn last_of(&self, finish: u32, square: u32) -> Option<Step> {
        ending(self.segments, finish, square).last()
    }

    /// Does what ends a move on a square.
    fn finish<const FINGERPRINTED: bool>(&mut self, finish: u32, square: u32) -> Result<(), Fault> {
        self.do_steps::<FINGERPRINTED>(ending(self.segments, finish, square))
    }

    fn execute<const FINGERPRINTED: bool>(&mut self, steps: &[Step]) -> Result<(), Fault> {
        self.do_steps::<FINGERPRINTED>(steps.iter().copied())
    }

    #[inline]
    fn do_steps<const FINGERPRINTED: bool>(
        &mut self,
        steps: impl Iterator<Item = Step>,
    ) -> Result<(), Fault> {
        self.scratch.changes += 1;
        let Scratch { state, sets, .. } = &mut *self.scratch;
        self.referee.execute_noting::<FINGERPRINTED>(state, steps, |square, old, new| {
            self.tables.replace(sets, square, old, new);
        })
    }
}

/// The steps that end a move on a square.
fn ending(segments: &Segments, finish: u32, square: u32) -> impl Iterator<Item = Step> {
    let modifiers = segments.finishes[finish as usize].iter();
    modifiers.map(move |&modifier| Step { modifier, square: Square(square) })
}
