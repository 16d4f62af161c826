//! Threads that think for computers, in fair shares: every job works for a moment and then waits for the others.

use std::collections::VecDeque;
use std::fmt;
use std::sync::{Arc, Condvar, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use crate::limits;

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

/// What jobs are for. Each line has its turns, so that those who wait for a move get theirs however much is analysed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ThinkLine {
    /// Moves that someone waits for.
    Moves,
    Analyses,
    Series,
}

/// How many lines there are.
const LINES: usize = 3;

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
    lines: [JobLine; LINES],
    /// The line whose turn it is.
    turn: usize,
    is_closed: bool,
}

/// The jobs of a line.
#[derive(Default)]
struct JobLine {
    /// Those that have not begun, and take no memory.
    new: VecDeque<Job>,
    begun: VecDeque<Job>,
    /// How many have begun and are not done.
    open: usize,
    /// Whether one of those that have begun is next.
    goes_on: bool,
}

impl JobLine {
    /// The next job: one that has begun and one that is new in turn, as far as there are such.
    fn take(&mut self) -> Option<Job> {
        let may_begin = self.open < limits::THINKING_AT_A_TIME && !self.new.is_empty();
        if may_begin && (!self.goes_on || self.begun.is_empty()) {
            self.goes_on = true;
            self.open += 1;
            return self.new.pop_front();
        }
        self.goes_on = false;
        self.begun.pop_front()
    }
}

impl Jobs {
    /// The next job and its line.
    fn take(&mut self) -> Option<(usize, Job)> {
        for offset in 0..LINES {
            let line = (self.turn + offset) % LINES;
            if let Some(job) = self.lines[line].take() {
                self.turn = line + 1;
                return Some((line, job));
            }
        }
        None
    }
}

impl fmt::Debug for ThinkQueue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ThinkQueue").finish_non_exhaustive()
    }
}

impl ThinkPool {
    /// Starts some threads.
    pub(crate) fn new(name: &str, threads: usize) -> std::io::Result<ThinkPool> {
        let queue = Arc::new(ThinkQueue::default());
        for number in 0..threads.max(1) {
            let queue = Arc::clone(&queue);
            thread::Builder::new().name(format!("{name} {number}")).spawn(move || queue.work())?;
        }
        Ok(ThinkPool { queue })
    }

    /// Adds a job. It is called again and again until it is done.
    pub(crate) fn add(&self, line: ThinkLine, job: impl FnMut() -> JobProgress + Send + 'static) {
        let mut jobs = self.queue.jobs();
        if !jobs.is_closed {
            jobs.lines[line as usize].new.push_back(Box::new(job));
            self.queue.arrived.notify_one();
        }
    }

    /// Lets the threads end after their slices, and drops all jobs.
    pub(crate) fn close(&self) {
        let mut jobs = self.queue.jobs();
        jobs.is_closed = true;
        jobs.lines = Default::default();
        self.queue.arrived.notify_all();
    }
}

impl ThinkQueue {
    fn jobs(&self) -> std::sync::MutexGuard<'_, Jobs> {
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn work(&self) {
        let_others_go_first();
        while let Some((line, mut job)) = self.next() {
            let progress = job();
            let mut jobs = self.jobs();
            if jobs.is_closed {
                return;
            }
            match progress {
                JobProgress::Again => jobs.lines[line].begun.push_back(job),
                JobProgress::Done => jobs.lines[line].open -= 1,
            }
            self.arrived.notify_one();
        }
    }

    /// Waits for a job; `None` when the pool is closed.
    fn next(&self) -> Option<(usize, Job)> {
        let mut jobs = self.jobs();
        loop {
            if jobs.is_closed {
                return None;
            }
            match jobs.take() {
                Some(job) => return Some(job),
                None => jobs = self.arrived.wait(jobs).unwrap_or_else(PoisonError::into_inner),
            }
        }
    }
}

/// Gives this thread a low priority, where the system can do that: what takes long shall not keep short requests waiting.
pub(crate) fn let_others_go_first() {
    #[cfg(target_os = "linux")]
    {
        /// As by the command `nice`.
        const NICENESS: i32 = 5;
        // If it is not allowed, it works as before.
        let _ = rustix::process::setpriority_process(Some(rustix::thread::gettid()), NICENESS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc;

    #[test]
    fn jobs_take_turns() {
        let pool = ThinkPool::new("think", 1).expect("a thread");
        let (sender, order) = mpsc::channel();
        let (start, wait) = mpsc::channel::<()>();
        pool.add(ThinkLine::Moves, move || {
            // Until both others wait.
            let _ = wait.recv();
            JobProgress::Done
        });
        for name in ["one", "two"] {
            let (sender, mut left) = (sender.clone(), 3);
            pool.add(ThinkLine::Moves, move || {
                left -= 1;
                sender.send(name).expect("the test waits");
                if left == 0 { JobProgress::Done } else { JobProgress::Again }
            });
        }
        drop(sender);
        start.send(()).expect("the first job waits");
        let order: Vec<&str> = order.iter().collect();
        // One that has begun and one that is new in turn, and then those that have begun.
        assert_eq!(order, ["one", "one", "two", "one", "two", "two"]);
    }

    /// However many jobs one line has, another gets every other turn; and only so many jobs begin at a time.
    #[test]
    fn lines_take_turns_and_are_bounded() {
        let mut jobs = Jobs::default();
        let job = || -> Job { Box::new(|| JobProgress::Again) };
        for _ in 0..3 * limits::THINKING_AT_A_TIME {
            jobs.lines[ThinkLine::Analyses as usize].new.push_back(job());
        }
        jobs.lines[ThinkLine::Moves as usize].new.push_back(job());
        let mut order = Vec::new();
        for _ in 0..8 * limits::THINKING_AT_A_TIME {
            let (line, job) = jobs.take().expect("there are jobs");
            order.push(line);
            jobs.lines[line].begun.push_back(job);
        }
        let moves = order.iter().filter(|line| **line == ThinkLine::Moves as usize).count();
        assert_eq!(moves, order.len() / 2);
        assert_eq!(jobs.lines[ThinkLine::Analyses as usize].open, limits::THINKING_AT_A_TIME);
        // One is done, and another begins.
        jobs.lines[ThinkLine::Analyses as usize].open -= 1;
        jobs.lines[ThinkLine::Analyses as usize].begun.pop_front();
        let before = jobs.lines[ThinkLine::Analyses as usize].new.len();
        for _ in 0..4 {
            let (line, job) = jobs.take().expect("there are jobs");
            jobs.lines[line].begun.push_back(job);
        }
        assert_eq!(jobs.lines[ThinkLine::Analyses as usize].new.len(), before - 1);
    }
}
