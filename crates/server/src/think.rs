//! Threads that think for computers, in fair shares: every job works for a moment and then waits for the others.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

/// How long a job works until it is the turn of the next.
pub(crate) const SLICE: Duration = Duration::from_millis(150);

/// Whether a job has more to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobProgress {
    /// It wants another slice.
    Again,
    /// It is done.
    Done,
}

type Job = Box<dyn FnMut() -> JobProgress + Send>;

/// The threads and the jobs that wait for them.
#[derive(Clone, Debug)]
pub(crate) struct ThinkPool {
    queue: Arc<ThinkQueue>,
}

#[derive(Default)]
struct ThinkQueue {
    jobs: Mutex<Jobs>,
    arrived: Condvar,
}

#[derive(Default)]
struct Jobs {
    waiting: VecDeque<Job>,
    is_closed: bool,
}

impl fmt::Debug for ThinkQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ThinkQueue").finish_non_exhaustive()
    }
}

impl ThinkPool {
    /// Starts some threads.
    pub(crate) fn new(threads: usize) -> std::io::Result<ThinkPool> {
        let queue = Arc::new(ThinkQueue::default());
        for number in 0..threads.max(1) {
            let queue = Arc::clone(&queue);
            thread::Builder::new().name(format!("think {number}")).spawn(move || queue.work())?;
        }
        Ok(ThinkPool { queue })
    }

    /// Adds a job. It is called again and again until it is done.
    pub(crate) fn add(&self, job: impl FnMut() -> JobProgress + Send + 'static) {
        self.queue.push(Box::new(job));
    }

    /// Lets the threads end after their slices, and drops all jobs.
    pub(crate) fn close(&self) {
        let mut jobs = self.queue.jobs();
        jobs.is_closed = true;
        jobs.waiting.clear();
        self.queue.arrived.notify_all();
    }
}

impl ThinkQueue {
    fn jobs(&self) -> std::sync::MutexGuard<'_, Jobs> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn push(&self, job: Job) {
        let mut jobs = self.jobs();
        if !jobs.is_closed {
            jobs.waiting.push_back(job);
            self.arrived.notify_one();
        }
    }

    fn work(&self) {
        while let Some(mut job) = self.next() {
            if job() == JobProgress::Again {
                self.push(job);
            }
        }
    }

    /// Waits for a job; `None` when the pool is closed.
    fn next(&self) -> Option<Job> {
        let mut jobs = self.jobs();
        loop {
            if jobs.is_closed {
                return None;
            }
            match jobs.waiting.pop_front() {
                Some(job) => return Some(job),
                None => jobs = self.arrived.wait(jobs).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn jobs_take_turns() {
        let pool = ThinkPool::new(1).expect("a thread");
        let (sender, order) = mpsc::channel();
        let (start, wait) = mpsc::channel::<()>();
        pool.add(move || {
            // Until both others wait.
            let _ = wait.recv();
            JobProgress::Done
        });
        for name in ["one", "two"] {
            let (sender, mut left) = (sender.clone(), 3);
            pool.add(move || {
                left -= 1;
                sender.send(name).expect("the test waits");
                if left == 0 { JobProgress::Done } else { JobProgress::Again }
            });
        }
        drop(sender);
        start.send(()).expect("the first job waits");
        let order: Vec<&str> = order.iter().collect();
        assert_eq!(order, ["one", "two", "one", "two", "one", "two"]);
    }
}
