//! Playing on the scratch's state: the keeper's part, and whole games.

use regulus_automaton::{Player, Square};

use super::Scratch;
use super::search::PlanSearch;
use super::sink::{First, Nth, nth};
use crate::fault::GaveUp;
use crate::history::History;
use crate::moves::Step;
use crate::segment::{Segments, Slot};

/// Where a playout gave up.
pub(super) enum Halt {
    /// No move of the player in control was found; the state is the one before it.
    Choosing,
    /// The keeper, who has made some moves, did not come to an end.
    Keeper {
        /// How many.
        made: u64,
    },
}

impl<const W: usize> PlanSearch<'_, W> {
    /// Plays chosen moves until the game is over or `moves` have been made; returns how many were made, and why it stopped if
    /// it gave up. If asked to, shows each move before it is made.
    pub(super) fn playout<const FINGERPRINTED: bool, const NOTES: bool>(
        &mut self,
        history: &mut History,
        pick: &mut dyn FnMut(u64) -> u64,
        moves: u64,
        note: &mut dyn FnMut(Player, &[Step]),
    ) -> (u64, Option<Halt>) {
        let mut steps = Vec::new();
        for made in 0..moves {
            let Some(player) = self.scratch.state.mover(&self.referee.layout) else {
                return (made, None);
            };
            let mut note = |steps: &[Step]| {
                if NOTES {
                    note(player, steps);
                }
            };
            match self.play::<FINGERPRINTED, NOTES>(pick, &mut steps, &mut note) {
                Ok(true) => {}
                Ok(false) => return (made, None),
                Err(GaveUp) => return (made, Some(Halt::Choosing)),
            }
            if let Err(keeper) = self.run_keeper::<FINGERPRINTED>(0) {
                return (made, Some(Halt::Keeper { made: keeper }));
            }
            self.referee.remember(&mut self.scratch.state, history);
        }
        (moves, None)
    }

    /// Makes one of the legal moves; returns whether there was one. The steps are free memory.
    #[inline]
    fn play<const FINGERPRINTED: bool, const NOTES: bool>(
        &mut self,
        pick: &mut dyn FnMut(u64) -> u64,
        steps: &mut Vec<Step>,
        note: &mut impl FnMut(&[Step]),
    ) -> Result<bool, GaveUp> {
        // PERF: where all moves end on the squares of the first stage, they need not be recorded.
        if let Some((stage, cursor)) = self.begin()
            && let Some(ends) = &self.code.ends[stage as usize]
        {
            self.scratch.tries = self.referee.limits.tries;
            let chosen = self.choose_end(stage, ends, cursor, pick);
            if chosen.is_err() {
                // Within a check something was written.
                self.undo_to(0);
            }
            let Some((finish, square)) = chosen? else { return Ok(false) };
            if NOTES {
                steps.clear();
                steps.extend(ending(self.segments, finish, square));
                note(steps);
            }
            self.finish::<FINGERPRINTED>(finish, square);
            return Ok(true);
        }
        let found = self.choose(pick, steps)?;
        if found {
            note(steps);
            self.execute::<FINGERPRINTED>(steps);
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
    ) -> Result<Option<(u32, u32)>, GaveUp> {
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

    /// Puts one of the legal moves into `steps`; returns whether there was one.
    pub(super) fn choose(
        &mut self,
        pick: &mut dyn FnMut(u64) -> u64,
        steps: &mut Vec<Step>,
    ) -> Result<bool, GaveUp> {
        let mut records = std::mem::take(&mut self.scratch.records);
        records.clear(&self.referee.limits);
        self.scratch.tries = self.referee.limits.tries;
        let searched = self.moves(&mut records);
        let chosen = match (searched, records.unrecorded()) {
            (Ok(_), _) if records.are_too_many() => Err(GaveUp),
            (Ok(_), None) => Ok(records.choose(self.segments, W, pick, steps)),
            (Ok(_), Some(count)) => {
                steps.clear();
                self.scratch.tries = self.referee.limits.tries;
                let nth = &mut Nth { segments: self.segments, before: pick(count), steps };
                self.moves(nth)
            }
            (Err(GaveUp), _) => Err(GaveUp),
        };
        self.scratch.records = records;
        chosen
    }

    /// Lets the keeper, who has made some moves already, move until a player is in control or the keeper is stuck. If it does
    /// not come to an end, returns how many moves it has made.
    pub(super) fn run_keeper<const FINGERPRINTED: bool>(&mut self, made: u64) -> Result<(), u64> {
        self.scratch.tries = self.referee.limits.tries;
        let referee = self.referee;
        let done = referee.watch_keeper(
            self,
            made,
            |search| &search.scratch.state,
            |search| search.advance_keeper::<FINGERPRINTED>(),
        );
        done.map_err(|unfinished| unfinished.made)
    }

    /// Makes a move of the keeper; returns whether there was one.
    fn advance_keeper<const FINGERPRINTED: bool>(&mut self) -> Result<bool, GaveUp> {
        // PERF: most moves of the keeper are writes where it is, then the first of what a stage leads to.
        let Some((mut stage, cursor)) = self.begin() else { return Ok(false) };
        if !FINGERPRINTED
            && self.code.writes_and_ends[stage as usize]
            && let Some(exit) = self.only_exit(stage)
        {
            match self.write_on(exit, cursor, false) {
                Ok(Some(next)) => stage = next,
                Ok(None) => return Ok(false),
                Err(GaveUp) => {
                    self.undo_to(0);
                    return Err(GaveUp);
                }
            }
        }
        if let Some(ends) = &self.code.ends[stage as usize] {
            return match self.first_end(stage, ends, cursor) {
                Ok(Some((finish, square))) => {
                    self.finish::<FINGERPRINTED>(finish, square);
                    Ok(true)
                }
                none => {
                    self.undo_to(0);
                    none.map(|_| false)
                }
            };
        }
        let mut steps = std::mem::take(&mut self.scratch.keeper_steps);
        steps.clear();
        let first =
            &mut First { segments: self.segments, steps: &mut steps, takes_path: FINGERPRINTED };
        // PERF: without a fingerprint, what the search has written on the way to the first move can stay.
        let found = if FINGERPRINTED { self.moves(first) } else { self.moves_until_stopped(first) };
        if let Ok(true) = found {
            self.execute::<FINGERPRINTED>(&steps);
        }
        self.scratch.keeper_steps = steps;
        found
    }

    /// The first of the ends of moves from a stage.
    fn first_end(
        &mut self,
        stage: u32,
        ends: &[u32],
        cursor: Square,
    ) -> Result<Option<(u32, u32)>, GaveUp> {
        let code = self.code;
        let block = &code.stages[stage as usize];
        self.compute(block, cursor.0, 0)?;
        let mut ends = ends.iter().zip(&block.results);
        Ok(ends.find_map(|(&finish, &slot)| Some((finish, self.load(0, slot).each().next()?))))
    }

    /// Does what ends a move on a square.
    fn finish<const FINGERPRINTED: bool>(&mut self, finish: u32, square: u32) {
        self.do_steps::<FINGERPRINTED>(ending(self.segments, finish, square));
    }

    fn execute<const FINGERPRINTED: bool>(&mut self, steps: &[Step]) {
        self.do_steps::<FINGERPRINTED>(steps.iter().copied());
    }

    #[inline]
    fn do_steps<const FINGERPRINTED: bool>(&mut self, steps: impl Iterator<Item = Step>) {
        self.scratch.changes += 1;
        let Scratch { state, sets, .. } = &mut *self.scratch;
        let done =
            self.referee.execute_noting::<FINGERPRINTED>(state, steps, |square, old, new| {
                self.tables.replace(sets, square, old, new);
            });
        debug_assert!(done.is_ok(), "what a search finds is a move");
    }
}

/// The steps that end a move on a square.
fn ending(segments: &Segments, finish: u32, square: u32) -> impl Iterator<Item = Step> {
    let modifiers = segments.finishes[finish as usize].iter();
    modifiers.map(move |&modifier| Step { modifier, square: Square(square) })
}
