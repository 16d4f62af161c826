//! Games of an iteration on several threads, so that what comes out does not depend on them.

use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};

use regulus_agents::{AgentError, Stop};

use crate::config::TrainConfig;
use crate::progress::{TrainProgress, Watch};

/// The seed of something, made of the seed of a run and of its number.
pub(crate) fn seed_of(run: u64, iteration: u64, number: u64) -> u64 {
    let mixed = run
        ^ iteration.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ number.wrapping_mul(0xd1b5_4a32_d192_ed03);
    (mixed ^ (mixed >> 29)).wrapping_mul(0xbf58_476d_1ce4_e5b9)
}

/// How many games and positions there were, and how games ended.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct GameCount {
    pub(crate) games: u64,
    pub(crate) moves: u64,
    /// Points of the first player.
    pub(crate) first: f64,
}

impl GameCount {
    pub(crate) fn add(&mut self, other: GameCount) {
        self.games += other.games;
        self.moves += other.moves;
        self.first += other.first;
    }
}

/// Plays games by their numbers, each thread with a player of its own; what they give is in the order of the numbers. Fewer are
/// played if it was stopped.
pub(crate) fn in_order<P, T: Send>(
    threads: usize,
    count: u64,
    stop: &Stop,
    begin: &(impl Fn() -> Result<P, AgentError> + Sync),
    play: &(impl Fn(&mut P, u64) -> Result<T, AgentError> + Sync),
) -> Result<Vec<T>, AgentError> {
    let numbers: Vec<u64> = (0..count).collect();
    play_numbers(threads, &numbers, stop, begin, play, &mut |_| ())
}

/// Plays those games of an iteration that belong to this shard, in the order of their numbers; `None` if it was stopped.
pub(crate) fn play_own<P, T: Send>(
    config: &TrainConfig,
    stop: &Stop,
    watch: &mut Watch<'_>,
    begin: &(impl Fn() -> Result<P, AgentError> + Sync),
    play: &(impl Fn(&mut P, u64) -> Result<T, AgentError> + Sync),
) -> Result<Option<Vec<T>>, AgentError> {
    let numbers: Vec<u64> = (0..config.games).filter(|game| config.shard.has(*game)).collect();
    let all = numbers.len() as u64;
    let mut tell = |done| watch(TrainProgress::Playing { done, all });
    let games = play_numbers(config.threads, &numbers, stop, begin, play, &mut tell)?;
    Ok((games.len() == numbers.len()).then_some(games))
}

/// Plays games with any numbers as [`in_order`] does; `tell` is told how many are over.
pub(crate) fn play_numbers<P, T: Send>(
    threads: usize,
    numbers: &[u64],
    stop: &Stop,
    begin: &(impl Fn() -> Result<P, AgentError> + Sync),
    play: &(impl Fn(&mut P, u64) -> Result<T, AgentError> + Sync),
    tell: &mut (dyn FnMut(u64) + Send),
) -> Result<Vec<T>, AgentError> {
    let (next, has_failed) = (AtomicUsize::new(0), AtomicBool::new(false));
    let told = Mutex::new((0, tell));
    let play_on = |found: &mut Vec<(usize, T)>| -> Result<(), AgentError> {
        let mut player = begin()?;
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(&number) = numbers.get(index) else { return Ok(()) };
            if stop.is_stopped() || has_failed.load(Ordering::Relaxed) {
                return Ok(());
            }
            found.push((index, play(&mut player, number)?));
            let mut told = told.lock().unwrap_or_else(PoisonError::into_inner);
            told.0 += 1;
            let (done, tell) = &mut *told;
            tell(*done);
        }
    };
    let work = || {
        let mut found = Vec::new();
        let played = play_on(&mut found);
        has_failed.fetch_or(played.is_err(), Ordering::Relaxed);
        played.map(|()| found)
    };
    let threads = threads.clamp(1, numbers.len().max(1));
    let results: Vec<Result<Vec<(usize, T)>, AgentError>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let failed = |_| Err(AgentError::Forfeit("a thread that plays games failed".to_owned()));
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(failed)).collect()
    });
    let mut games = Vec::new();
    for result in results {
        games.extend(result?);
    }
    games.sort_by_key(|(index, _)| *index);
    Ok(games.into_iter().map(|(_, game)| game).collect())
}
