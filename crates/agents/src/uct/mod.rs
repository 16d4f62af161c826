//! The player `uct`: Monte-Carlo tree search with the UCB1 rule.
//!
//! Each iteration goes down the tree, at every position to the move with the highest upper bound; where a position is reached
//! for the second time, its moves are added to the tree; from there a random game is played, and its results are added to all
//! moves on the way. The tree below the moves that are really played is kept for the next move. Where there are a great many
//! moves, one is chosen step by step.

mod tree;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rand::RngExt as _;
use regulus_automaton::{Id as _, Player};
use regulus_engine::{Move, MoveList, State, Step};
use regulus_game::{Error, Match, Ply};

use crate::agent::{Agent, AgentError, Task, Thought, choices};
use crate::budget::Clock;
use crate::playouts::Trial;
use crate::report::{BETWEEN_REPORTS, Candidate, Report, shared};
use tree::{Branch, Fork, NewFork, Tree};

/// How many iterations a thread makes in a row behind the moves that were chosen often.
const BATCH: u32 = 16;

/// A move that was chosen this often is chosen for a whole batch of iterations, which changes its numbers by little.
const OFTEN: u32 = 64 * BATCH;

/// How long the line of a report can be.
const LONGEST_LINE: usize = 40;

/// What can be set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UctOptions {
    pub(crate) exploration: f32,
    pub(crate) threads: usize,
    /// More moves than this are chosen step by step.
    pub(crate) wide: usize,
    /// How much memory the tree may take.
    pub(crate) bytes: usize,
}

#[derive(Debug)]
pub(crate) struct Uct {
    options: UctOptions,
    seed: u64,
    memory: Option<TreeMemory>,
}

/// The tree of the position that was last thought about.
#[derive(Debug)]
struct TreeMemory {
    /// What the play began with, and its moves.
    first: State,
    line: Vec<Ply>,
    tree: Tree,
}

impl Uct {
    pub(crate) fn new(options: UctOptions, seed: u64) -> Uct {
        Uct { options, seed, memory: None }
    }

    /// What is known of the position of a play.
    fn recall(&mut self, play: &Match) -> Tree {
        let Some(memory) = self.memory.take() else { return Tree::default() };
        let later = play.line().strip_prefix(memory.line.as_slice());
        match later.filter(|_| memory.first == *play.first_state()) {
            Some(later) => later.iter().fold(memory.tree, |tree, ply| tree.descend(&ply.steps.0)),
            None => Tree::default(),
        }
    }
}

impl Agent for Uct {
    fn think(&mut self, play: &Match, task: &mut Task<'_>) -> Result<Thought, AgentError> {
        // It takes time to drop what is not needed of the last tree, too.
        let clock = Clock::start(task.budget, task.stop.clone());
        let (_, moves) = choices(play)?;
        let tree = self.recall(play);
        let search = Search {
            options: self.options,
            players: play.game().player_count(),
            clock,
            tree: &tree,
            progress: SearchProgress::default(),
        };
        if moves.len() > 1 || task.is_analysis {
            let trial = |thread: u64| Trial::new(play, self.seed ^ (thread << 48));
            let others = (1..self.options.threads as u64).map(trial).collect();
            search.run(trial(0), others, &mut |report| {
                if let Some(watch) = &mut task.watch {
                    watch(report);
                }
            })?;
        }
        self.seed = self.seed.wrapping_add(1);
        let report = search.report();
        let steps = report.line.first().cloned().unwrap_or_else(|| Move::from(moves.get(0)));
        let (first, line) = (play.first_state().clone(), play.line().to_vec());
        self.memory = Some(TreeMemory { first, line, tree });
        Ok(Thought { steps, report })
    }

    fn forget(&mut self) {
        self.memory = None;
    }
}

/// A search under way, shared by its threads.
struct Search<'a> {
    options: UctOptions,
    players: usize,
    clock: Clock,
    tree: &'a Tree,
    progress: SearchProgress,
}

/// How far a search is. Written by all threads, so it has its own cache lines.
#[derive(Debug, Default)]
#[repr(align(128))]
struct SearchProgress {
    /// How many iterations were begun, or are about to be.
    iterations: AtomicU64,
    deepest: AtomicU64,
}

impl Search<'_> {
    /// Thinks until the budget is used up: on this thread, which makes reports, and on one for each of the others.
    fn run(
        &self,
        own: Trial,
        others: Vec<Trial>,
        watch: &mut dyn FnMut(&Report),
    ) -> Result<(), Error> {
        std::thread::scope(|scope| {
            let others: Vec<_> = others
                .into_iter()
                .map(|trial| scope.spawn(|| self.work(trial, &mut |_| {})))
                .collect();
            let mut last = Duration::ZERO;
            let own = self.work(own, &mut |now| {
                if now >= last + BETWEEN_REPORTS {
                    last = now;
                    watch(&self.report());
                }
            });
            if own.is_err() {
                self.clock.stop();
            }
            for other in others {
                match other.join() {
                    Ok(worked) => worked?,
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            own
        })
    }

    /// One thread's part. `tick` is told the time now and then.
    fn work(&self, trial: Trial, tick: &mut dyn FnMut(Duration)) -> Result<(), Error> {
        let results = vec![0.0; self.players];
        let mut worker = Worker {
            search: self,
            trial,
            list: MoveList::new(),
            path: Vec::new(),
            steps: Vec::new(),
            begun: Vec::new(),
            results,
            room: 0,
            grown: 0,
            deepest: 0,
        };
        loop {
            let first = self.progress.iterations.fetch_add(u64::from(BATCH), Ordering::Relaxed);
            let made = worker.iterate(first)?;
            if made < BATCH {
                self.progress.iterations.fetch_sub(u64::from(BATCH - made), Ordering::Relaxed);
                return Ok(());
            }
            tick(self.clock.elapsed());
        }
    }

    fn report(&self) -> Report {
        let mut report = Report {
            depth: self.progress.deepest.load(Ordering::Relaxed) as u32,
            iterations: self.progress.iterations.load(Ordering::Relaxed),
            time: self.clock.elapsed(),
            ..Report::default()
        };
        let Some(fork) = self.tree.root.below() else { return report };
        fork.for_each_move(&mut Vec::new(), &mut |steps, branch| {
            let visits = u64::from(branch.visits());
            report.candidates.push(Candidate {
                is_bound: false,
                steps: Move::from(steps),
                visits,
                value: branch.value(),
            });
        });
        let best = fork.best_move();
        let is_best = |candidate: &Candidate| {
            best.as_ref().is_some_and(|(steps, _)| candidate.steps.0 == *steps)
        };
        report.candidates.sort_by(|one, other| {
            let by_visits = other.visits.cmp(&one.visits);
            by_visits.then(other.value.total_cmp(&one.value))
        });
        // Chosen step by step, the move to be played need not be the one that was tried most often.
        if let Some(place) = report.candidates.iter().position(is_best) {
            report.candidates[..=place].rotate_right(1);
        }
        if let Some((_, branch)) = best {
            report.values = shared(branch.value(), fork.player, self.players);
        }
        let mut at = Some(fork);
        while let Some((steps, branch)) = at.and_then(Fork::best_move)
            && report.line.len() < LONGEST_LINE
        {
            report.line.push(Move::from(&*steps));
            at = branch.below();
        }
        report
    }
}

/// One thread of a search.
struct Worker<'s, 'a> {
    search: &'s Search<'a>,
    trial: Trial,
    list: MoveList,
    /// The moves on the way down, with the players who chose them.
    path: Vec<(&'s Branch, Player)>,
    /// The steps of the move that is being chosen.
    steps: Vec<Step>,
    /// Those of its steps that were chosen for a whole batch.
    begun: Vec<Step>,
    /// What each player got in the iterations of a batch.
    results: Vec<f64>,
    /// By how many bytes the tree may grow in a batch, and by how many it has.
    room: usize,
    grown: usize,
    deepest: u64,
}

/// A place in the tree on the way down.
#[derive(Clone, Copy)]
struct Descent<'s> {
    branch: &'s Branch,
    /// How often the branch was entered before.
    visits: u32,
    /// How many moves lead here.
    depth: u64,
}

impl<'s> Worker<'s, '_> {
    /// Makes a batch of iterations, numbered from `first` on; returns how many were made before the time was over.
    ///
    /// All of them begin with the same moves as long as those were chosen often. This takes less time, and threads seldom
    /// write to the numbers at the top of the tree, which all of them use.
    fn iterate(&mut self, first: u64) -> Result<u32, Error> {
        let tree = self.search.tree;
        let root = &tree.root;
        self.trial.restart();
        self.path.clear();
        self.steps.clear();
        self.results.fill(0.0);
        self.room = self.search.options.bytes.saturating_sub(tree.bytes());
        self.grown = 0;
        let mut top = Descent { branch: root, visits: root.enter(BATCH), depth: 0 };
        let exploration = self.search.options.exploration;
        while let Some(fork) = top.branch.below()
            && let Some(index) = fork.choose_again(top.visits, exploration, OFTEN)
        {
            top = self.descend(fork, index, top.depth, BATCH)?;
        }
        self.begun.clone_from(&self.steps);
        self.trial.mark();
        let mut made = 0;
        while made < BATCH && !self.search.clock.is_over(first + u64::from(made)) {
            let visits = top.visits + made;
            self.try_once(Descent { visits, ..top })?;
            made += 1;
        }
        tree.count(self.grown);
        root.leave(BATCH - made);
        for (branch, player) in &self.path {
            branch.leave(BATCH - made);
            branch.add(self.results[player.index()]);
        }
        Ok(made)
    }

    /// Goes down the tree from the marked position, plays a random game from there, and notes how it did.
    fn try_once(&mut self, top: Descent<'s>) -> Result<(), Error> {
        let known = self.path.len();
        self.steps.clone_from(&self.begun);
        self.trial.return_to_mark();
        let mut at = top;
        loop {
            let fork = match at.branch.below() {
                Some(fork) => fork,
                None if at.visits > 0 && self.grown < self.room || at.depth == 0 => {
                    self.trial.moves(&mut self.list)?;
                    let player = self.trial.player().unwrap_or(Player(0));
                    let order = self.trial.generator.random();
                    let (moves, wide) = (&self.list, self.search.options.wide);
                    let (fork, bytes) = at.branch.grow(NewFork { player, moves, wide, order });
                    self.grown += bytes;
                    fork
                }
                None => {
                    self.trial.playout(&self.search.clock)?;
                    break;
                }
            };
            let Some(index) = fork.choose(at.visits, self.search.options.exploration) else {
                self.trial.end();
                break;
            };
            at = self.descend(fork, index, at.depth, 1)?;
        }
        for (branch, player) in self.path.drain(known..) {
            branch.add(self.trial.results[player.index()]);
        }
        for (sum, result) in self.results.iter_mut().zip(&self.trial.results) {
            *sum += result;
        }
        if at.depth > self.deepest {
            self.deepest = at.depth;
            self.search.progress.deepest.fetch_max(self.deepest, Ordering::Relaxed);
        }
        Ok(())
    }

    /// Chooses a move, or a part of one, `times` times and makes it. `depth` moves lead to the fork.
    #[inline]
    fn descend(
        &mut self,
        fork: &'s Fork,
        index: usize,
        depth: u64,
        times: u32,
    ) -> Result<Descent<'s>, Error> {
        let branch = &fork.branches()[index];
        let mut next = Descent { branch, visits: branch.enter(times), depth };
        self.path.push((branch, fork.player));
        self.steps.extend_from_slice(fork.steps(index));
        if branch.rest().is_none() {
            self.trial.apply(&self.steps)?;
            self.steps.clear();
            next.depth += 1;
        }
        Ok(next)
    }
}
