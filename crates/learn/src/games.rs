//! Games of an iteration on several threads, so that what comes out does not depend on them.

use std::sync::atomic::{AtomicU64, Ordering};

use regulus_agents::{AgentError, Stop};

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
    let next = AtomicU64::new(0);
    let work = || {
        let mut found = Vec::new();
        let mut player = begin()?;
        loop {
            let number = next.fetch_add(1, Ordering::Relaxed);
            if number >= count || stop.is_stopped() {
                return Ok(found);
            }
            found.push((number, play(&mut player, number)?));
        }
    };
    let results: Vec<Result<Vec<(u64, T)>, AgentError>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads.max(1)).map(|_| scope.spawn(work)).collect();
        let failed = |_| Err(AgentError::Forfeit("a thread of self-play failed".to_owned()));
        threads.into_iter().map(|thread| thread.join().unwrap_or_else(failed)).collect()
    });
    let mut games = Vec::new();
    for result in results {
        games.extend(result?);
    }
    games.sort_by_key(|(number, _)| *number);
    Ok(games.into_iter().map(|(_, game)| game).collect())
}
