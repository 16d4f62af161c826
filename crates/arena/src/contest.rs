//! Many games between the same players: every opening from every seat, on several threads.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use regulus_agents::{Agent, AgentError, Budget, Stop};
use regulus_game::{Error, Game};

use crate::contestant::Contestant;
use crate::record::GameRecord;
use crate::table::{Conditions, play_game};

/// Games between contestants. What happens in a game depends on its number alone, not on the thread that plays it or on
/// which games were played before, for players limited by iterations.
#[derive(Debug)]
pub struct Contest {
    game: Arc<Game>,
    contestants: Vec<Contestant>,
    conditions: Conditions,
    seed: u64,
    stop: Stop,
}

impl Contest {
    /// Games between as many contestants as the game has players.
    #[must_use]
    pub fn new(
        game: &Arc<Game>,
        contestants: Vec<Contestant>,
        conditions: Conditions,
        seed: u64,
    ) -> Contest {
        Contest { game: Arc::clone(game), contestants, conditions, seed, stop: Stop::new() }
    }

    /// Who sits where in the game with this number: contestants move on by one seat from game to game.
    #[must_use]
    pub fn seating(&self, number: u64) -> Vec<usize> {
        let count = self.contestants.len().max(1);
        let shift = number as usize % count;
        (0..self.contestants.len()).map(|seat| (seat + shift) % count).collect()
    }

    /// What the opening of the game with this number is drawn from: the same until all have had every seat.
    #[must_use]
    pub fn opening_seed(&self, number: u64) -> u64 {
        mix(self.seed, number / self.contestants.len().max(1) as u64)
    }

    /// Plays one game.
    ///
    /// # Errors
    ///
    /// If the game cannot begin.
    pub fn play_number(&self, number: u64) -> Result<GameRecord, Error> {
        let players = self.seating(number);
        let seed = self.opening_seed(number);
        let budget = |player: &usize| self.contestants[*player].budget_or(self.conditions.budget);
        let budgets: Vec<Budget> = players.iter().map(budget).collect();
        let mut agents: Vec<Box<dyn Agent>> = Vec::with_capacity(players.len());
        for (seat, &player) in players.iter().enumerate() {
            let seed = mix(mix(self.seed, !number), seat as u64);
            let agent = self.contestants[player].create(&self.game, seed);
            agents.push(agent.unwrap_or_else(|error| Box::new(Absent(error))));
        }
        let game = &self.game;
        let mut record =
            play_game(game, &mut agents, &budgets, &self.conditions, seed, &self.stop)?;
        record.number = number;
        record.players = players;
        Ok(record)
    }

    /// Plays the games with the numbers from 0 to `games` on some threads. Each record is shown when its game is over; `false`
    /// ends the contest after the games under way. Returns the records by number.
    ///
    /// # Errors
    ///
    /// If the game cannot begin.
    pub fn play(
        &self,
        games: u64,
        threads: usize,
        show: &mut (dyn FnMut(&GameRecord) -> bool + Send),
    ) -> Result<Vec<GameRecord>, Error> {
        self.play_those(&(0..games).collect::<Vec<u64>>(), threads, show)
    }

    /// The same for the games with certain numbers.
    ///
    /// # Errors
    ///
    /// If the game cannot begin.
    pub fn play_those(
        &self,
        numbers: &[u64],
        threads: usize,
        show: &mut (dyn FnMut(&GameRecord) -> bool + Send),
    ) -> Result<Vec<GameRecord>, Error> {
        // Native code is compiled before anyone's time runs.
        self.game.rules().wait();
        let next = AtomicU64::new(0);
        let is_over = AtomicBool::new(false);
        let done: Mutex<(Vec<GameRecord>, &mut (dyn FnMut(&GameRecord) -> bool + Send))> =
            Mutex::new((Vec::new(), show));
        let work = || -> Result<(), Error> {
            while !is_over.load(Ordering::Relaxed) {
                let at = next.fetch_add(1, Ordering::Relaxed) as usize;
                let Some(&number) = numbers.get(at) else { return Ok(()) };
                let record = self.play_number(number).inspect_err(|_| {
                    is_over.store(true, Ordering::Relaxed);
                })?;
                let mut done = done.lock().unwrap_or_else(PoisonError::into_inner);
                let (records, show) = &mut *done;
                if !show(&record) {
                    is_over.store(true, Ordering::Relaxed);
                }
                records.push(record);
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|worker| match worker.join() {
                Ok(worked) => worked,
                Err(panic) => std::panic::resume_unwind(panic),
            })
        })?;
        let (mut records, _) = done.into_inner().unwrap_or_else(PoisonError::into_inner);
        records.sort_by_key(|record| record.number);
        Ok(records)
    }

    /// A switch that ends all thinking at once.
    #[must_use]
    pub fn stop(&self) -> &Stop {
        &self.stop
    }
}

/// A player that could not be started, and loses.
#[derive(Debug)]
struct Absent(AgentError);

impl Agent for Absent {
    fn think(
        &mut self,
        _: &regulus_game::Match,
        _: &mut regulus_agents::Task<'_>,
    ) -> Result<regulus_agents::Thought, AgentError> {
        Err(AgentError::Forfeit(format!("cannot be started: {}", self.0)))
    }
}

/// Mixes two numbers so that neighbours are far apart (SplitMix64).
pub(crate) fn mix(seed: u64, number: u64) -> u64 {
    let mut z = seed ^ number.wrapping_add(1).wrapping_mul(0x9e37_79b9_7f4a_7c15);
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
