//! Compiling in the background, on a thread that has an owner.

use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, OnceLock, PoisonError, Weak};
use std::thread::JoinHandle;

use regulus_engine::Plan;

use crate::jit::Jit;
use crate::not_compiled::NotCompiled;

/// How much stack the thread has. The compiler's use of it grows with the size of functions, which is bounded.
const STACK: usize = 16 << 20;

/// A thread that compiles games one after the other while they are already played.
///
/// Clones stand for the same thread. It starts with the first game and ends when the last clone, and the last game that
/// is compiled by it, are dropped. A game that is dropped before its turn is not compiled, and one that is dropped while it
/// is compiled stops that.
///
/// # Examples
///
/// ```
/// use regulus_jit::CompileThread;
///
/// let thread = CompileThread::new();
/// let same_thread = thread.clone();
/// ```
#[derive(Clone, Debug, Default)]
pub struct CompileThread {
    owner: Arc<Owner>,
}

/// What all clones share; the thread ends with it.
#[derive(Debug, Default)]
struct Owner {
    shared: Arc<Shared>,
    thread: Mutex<Option<JoinHandle<()>>>,
}

/// What the thread and those who ask it share.
#[derive(Debug, Default)]
struct Shared {
    queue: Mutex<Queue>,
    changed: Condvar,
}

#[derive(Debug, Default)]
struct Queue {
    jobs: VecDeque<Weak<CompileJob>>,
    is_closed: bool,
}

/// A game to be compiled.
#[derive(Debug)]
pub(crate) struct CompileJob {
    pub(crate) plan: Arc<Plan>,
    /// Set when there is no use for the code any more.
    pub(crate) stop: AtomicBool,
    /// Empty until it is done.
    pub(crate) done: OnceLock<Result<Jit, NotCompiled>>,
}

impl CompileThread {
    /// A thread that starts when the first game is to be compiled.
    #[must_use]
    pub fn new() -> CompileThread {
        CompileThread::default()
    }

    /// Compiles a plan as soon as those before it are done.
    pub(crate) fn compile(&self, plan: Arc<Plan>) -> Arc<CompileJob> {
        let job =
            Arc::new(CompileJob { plan, stop: AtomicBool::new(false), done: OnceLock::new() });
        if let Err(reason) = self.owner.start() {
            // Where there can be no thread there is no native code.
            job.done.get_or_init(|| Err(reason));
            return job;
        }
        self.owner.shared.lock().jobs.push_back(Arc::downgrade(&job));
        self.owner.shared.changed.notify_one();
        job
    }
}

impl Owner {
    fn start(&self) -> Result<(), NotCompiled> {
        let mut thread = self.thread.lock().unwrap_or_else(PoisonError::into_inner);
        if thread.is_none() {
            let shared = Arc::clone(&self.shared);
            let builder = std::thread::Builder::new().name("compile".to_owned()).stack_size(STACK);
            *thread = Some(builder.spawn(move || shared.work()).map_err(NotCompiled::machine)?);
        }
        Ok(())
    }
}

impl Drop for Owner {
    fn drop(&mut self) {
        self.shared.lock().is_closed = true;
        self.shared.changed.notify_one();
        let thread = self.thread.get_mut().unwrap_or_else(PoisonError::into_inner).take();
        if let Some(thread) = thread {
            // It has nothing to do but to end: every game that asked it holds a clone and is gone. It catches panics.
            let _ = thread.join();
        }
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Compiles until there is nothing to come.
    fn work(&self) {
        while let Some(job) = self.next() {
            // The game may have been dropped since.
            if let Some(job) = job.upgrade() {
                job.run();
            }
        }
    }

    fn next(&self) -> Option<Weak<CompileJob>> {
        let mut queue = self.lock();
        loop {
            if queue.is_closed {
                return None;
            }
            if let Some(job) = queue.jobs.pop_front() {
                return Some(job);
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }
}

impl CompileJob {
    fn run(&self) {
        let compile = || Jit::from_plan_unless(Arc::clone(&self.plan), &self.stop);
        // Code that waits for the answer gets one, whatever happens.
        let made = catch_unwind(AssertUnwindSafe(compile)).unwrap_or(Err(NotCompiled::Failed));
        self.done.get_or_init(|| made);
    }

    /// Tells the thread that the code is not needed.
    pub(crate) fn stop(&self) {
        self.stop.store(true, Ordering::Relaxed);
    }
}
