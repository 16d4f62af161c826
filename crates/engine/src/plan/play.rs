//! Playing on the scratch's state: the keeper's part, and whole games.

use super::Scratch;
use super::search::Search;
use super::sink::First;
use crate::fault::Fault;
use crate::moves::Step;

impl<const W: usize> Search<'_, W> {
    /// Plays chosen moves until the game is over or so many have been made; says how many were.
    pub(super) fn playout<const FINGERPRINTED: bool>(
        &mut self,
        pick: &mut dyn FnMut(u64) -> u64,
        moves: u64,
    ) -> Result<u64, Fault> {
        let mut steps = Vec::new();
        for made in 0..moves {
            if self.scratch.state.mover(&self.referee.layout).is_none()
                || !self.choose(pick, &mut steps)?
            {
                return Ok(made);
            }
            self.execute::<FINGERPRINTED>(&steps)?;
            self.run_keeper::<FINGERPRINTED>(0)?;
        }
        Ok(moves)
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
        let mut steps = std::mem::take(&mut self.scratch.keeper_steps);
        let referee = self.referee;
        let done = referee.watch_keeper_on(
            self,
            made,
            |search| &search.scratch.state,
            |search| search.advance_keeper::<FINGERPRINTED>(&mut steps),
        );
        let done = done.map_err(|fault| referee.place_fault(fault, &steps));
        self.scratch.keeper_steps = steps;
        done
    }

    /// Makes a move of the keeper; says whether there was one.
    fn advance_keeper<const FINGERPRINTED: bool>(
        &mut self,
        steps: &mut Vec<Step>,
    ) -> Result<bool, Fault> {
        steps.clear();
        let first = &mut First { segments: self.segments, steps, takes_path: FINGERPRINTED };
        // PERF: without a fingerprint, what the search has written on the way to the first move can stay.
        let found =
            if FINGERPRINTED { self.moves(first)? } else { self.moves_until_stopped(first)? };
        if found {
            self.execute::<FINGERPRINTED>(steps)?;
        }
        Ok(found)
    }

    fn execute<const FINGERPRINTED: bool>(&mut self, steps: &[Step]) -> Result<(), Fault> {
        let Scratch { state, sets, .. } = &mut *self.scratch;
        self.referee.execute_noting::<FINGERPRINTED>(state, steps, |square, old, new| {
            self.tables.replace(sets, square, old, new);
        })
    }
}
