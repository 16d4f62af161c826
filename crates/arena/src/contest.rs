//! Many games between the same contestants, on several threads.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use regulus_agents::{Agent, AgentError, Budget, Stop, Task, Thought};
use regulus_engine::splitmix;
use regulus_game::{Error, Game, Match};

use crate::contestant::Contestant;
use crate::record::GameRecord;
use crate::schedule::Fixture;
use crate::table::{Conditions, play_game};

/// Games, contestants and the conditions under which they play.
#[derive(Debug)]
pub struct Contest {
    games: Vec<Arc<Game>>,
    contestants: Vec<Contestant>,
    conditions: Conditions,
    stop: Stop,
}

/// Decides whether a fixture is played, and takes the record of its game.
pub trait Keeper: Send {
    /// Whether to play this game now; others may have it already.
    ///
    /// # Errors
    ///
    /// If it cannot be found out; the contest ends then.
    fn claim(&mut self, fixture: &Fixture) -> Result<bool, Error>;

    /// Takes the record of a game. `false` ends the contest after the games that are under way.
    ///
    /// # Errors
    ///
    /// If it cannot be kept; the contest ends then.
    fn keep(&mut self, record: GameRecord) -> Result<bool, Error>;
}

impl Contest {
    /// Contestants who are to play some games.
    #[must_use]
    pub fn new(
        games: Vec<Arc<Game>>,
        contestants: Vec<Contestant>,
        conditions: Conditions,
    ) -> Contest {
        Contest { games, contestants, conditions, stop: Stop::new() }
    }

    /// The games.
    #[must_use]
    pub fn games(&self) -> &[Arc<Game>] {
        &self.games
    }

    /// The names of the contestants.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        self.contestants.iter().map(ToString::to_string).collect()
    }

    /// Plays one game.
    ///
    /// # Errors
    ///
    /// If the game cannot begin.
    ///
    /// # Panics
    ///
    /// If the fixture names games or contestants that do not exist.
    pub fn play_one(&self, fixture: &Fixture) -> Result<GameRecord, Error> {
        let game = &self.games[fixture.game];
        let budget = |player: &usize| self.contestants[*player].budget_or(self.conditions.budget);
        let budgets: Vec<Budget> = fixture.players.iter().map(budget).collect();
        let mut agents: Vec<Box<dyn Agent>> = Vec::with_capacity(fixture.players.len());
        for (seat, &player) in fixture.players.iter().enumerate() {
            let agent = self.contestants[player].create(game, mix(fixture.seed, seat as u64));
            agents.push(agent.unwrap_or_else(|error| Box::new(Absent(error))));
        }
        let (conditions, opening) = (&self.conditions, fixture.opening);
        let mut record = play_game(game, &mut agents, &budgets, conditions, opening, &self.stop)?;
        record.number = fixture.number;
        record.players.clone_from(&fixture.players);
        Ok(record)
    }

    /// Plays games on some threads, in their order as far as threads allow, until all are played or the keeper has enough.
    ///
    /// # Errors
    ///
    /// If a game cannot begin, or its record cannot be kept.
    pub fn play(
        &self,
        fixtures: &[Fixture],
        threads: usize,
        keeper: &mut dyn Keeper,
    ) -> Result<(), Error> {
        // Native code is compiled before anyone's time runs.
        self.games.iter().for_each(|game| game.rules().wait());
        let (next, is_over, keeper) =
            (AtomicUsize::new(0), AtomicBool::new(false), Mutex::new(keeper));
        let lock = || keeper.lock().unwrap_or_else(PoisonError::into_inner);
        let one = |fixture: &Fixture| -> Result<bool, Error> {
            if !lock().claim(fixture)? {
                return Ok(true);
            }
            let record = self.play_one(fixture)?;
            lock().keep(record)
        };
        let work = || -> Result<(), Error> {
            while !is_over.load(Ordering::Relaxed)
                && let Some(fixture) = fixtures.get(next.fetch_add(1, Ordering::Relaxed))
            {
                let goes_on = one(fixture);
                if !matches!(goes_on, Ok(true)) {
                    is_over.store(true, Ordering::Relaxed);
                }
                goes_on?;
            }
            Ok(())
        };
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
            workers.into_iter().try_for_each(|worker| match worker.join() {
                Ok(worked) => worked,
                Err(panic) => std::panic::resume_unwind(panic),
            })
        })
    }

    /// A switch that ends all thinking at once.
    #[must_use]
    pub fn stop(&self) -> &Stop {
        &self.stop
    }
}

/// Keeps records in memory.
impl Keeper for Vec<GameRecord> {
    fn claim(&mut self, _: &Fixture) -> Result<bool, Error> {
        Ok(true)
    }

    fn keep(&mut self, record: GameRecord) -> Result<bool, Error> {
        self.push(record);
        Ok(true)
    }
}

/// A player that could not be started, and loses.
#[derive(Debug)]
struct Absent(AgentError);

impl Agent for Absent {
    fn think(&mut self, _: &Match, _: &mut Task<'_>) -> Result<Thought, AgentError> {
        Err(self.0.clone())
    }
}

/// Mixes two numbers so that neighbours are far apart.
pub(crate) fn mix(seed: u64, number: u64) -> u64 {
    splitmix::finalise(seed ^ number.wrapping_add(1).wrapping_mul(splitmix::STEP))
}
