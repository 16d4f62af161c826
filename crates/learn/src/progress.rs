//! What a run tells while it works, and work on several threads that can be stopped and watched.

use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use regulus_agents::{AgentError, Stop};

/// What is done at present in an iteration.
#[derive(Clone, Debug, PartialEq)]
pub enum TrainProgress {
    /// Games against itself are played.
    Playing {
        /// How many are over.
        done: u64,
        /// How many are played here.
        all: u64,
    },
    /// The net learns from them.
    Learning,
    /// Games against opponents are played.
    Measuring {
        /// How many are over.
        done: u64,
        /// How many there are.
        all: u64,
    },
    /// Nothing is done here until other machines have finished their parts.
    Waiting {
        /// The shards that are waited for.
        missing: Vec<u64>,
        /// How long that has lasted.
        time: Duration,
    },
}

/// Is told what is done.
pub type Watch<'a> = dyn FnMut(TrainProgress) + Send + 'a;

/// Does a piece of work for each number, on some threads that each begin with `begin`; the results are in the order of the numbers.
/// `None` if it was stopped before all was done. `tell` is told how many pieces are done.
pub(crate) fn in_parallel<W, T: Send>(
    threads: usize,
    numbers: &[u64],
    stop: &Stop,
    begin: impl Fn() -> Result<W, AgentError> + Sync,
    each: impl Fn(&mut W, u64) -> Result<T, AgentError> + Sync,
    tell: &mut (dyn FnMut(u64) + Send),
) -> Result<Option<Vec<T>>, AgentError> {
    let (next, done, has_failed) = (AtomicUsize::new(0), AtomicU64::new(0), AtomicBool::new(false));
    let tell = Mutex::new(tell);
    let work_on = |found: &mut Vec<(usize, T)>| -> Result<(), AgentError> {
        let mut worker = begin()?;
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(&number) = numbers.get(index) else { return Ok(()) };
            if stop.is_stopped() || has_failed.load(Ordering::Relaxed) {
                return Ok(());
            }
            found.push((index, each(&mut worker, number)?));
            let mut tell = tell.lock().unwrap_or_else(PoisonError::into_inner);
            tell(done.fetch_add(1, Ordering::Relaxed) + 1);
        }
    };
    let work = || {
        let mut found = Vec::new();
        let worked = work_on(&mut found);
        has_failed.fetch_or(worked.is_err(), Ordering::Relaxed);
        worked.map(|()| found)
    };
    let threads = threads.clamp(1, numbers.len().max(1));
    let results: Vec<Result<Vec<(usize, T)>, AgentError>> = std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let failed = |_| Err(AgentError::Forfeit("a thread that plays games failed".to_owned()));
        workers.into_iter().map(|worker| worker.join().unwrap_or_else(failed)).collect()
    });
    let mut all = Vec::with_capacity(numbers.len());
    for result in results {
        all.extend(result?);
    }
    all.sort_by_key(|(index, _)| *index);
    let is_whole = all.len() == numbers.len();
    Ok(is_whole.then(|| all.into_iter().map(|(_, result)| result).collect()))
}
