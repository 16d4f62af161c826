//! The player `uct`: Monte-Carlo tree search with the UCB1 rule.
//!
//! Each iteration goes down the tree, at every position to the move with the highest upper bound; where a position is reached
//! for the second time, its moves are added to the tree; from there a random game is played, and its results are added to all
//! moves on the way. The tree below the moves that are really played is kept for the next move.

mod tree;

use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use rand::RngExt as _;
use regulus_automaton::{Id as _, Player};
use regulus_engine::{Move, MoveList, State};
use regulus_game::{Error, Match, Ply};

use crate::agent::{Agent, AgentError, Task, Thought, choices};
use crate::budget::Clock;
use crate::playouts::Trial;
use crate::report::{Candidate, Report};
use tree::{Branch, Tree};

/// How often reports are made.
const BETWEEN_REPORTS: Duration = Duration::from_millis(100);

/// After how many iterations a thread looks whether a report is due.
const ITERATIONS_BETWEEN_REPORTS: u64 = 64;

/// How long the line of a report can be.
const LONGEST_LINE: usize = 40;

/// What can be set.
#[derive(Clone, Copy, Debug)]
pub(crate) struct UctOptions {
    pub(crate) exploration: f32,
    pub(crate) threads: usize,
    /// How much memory the tree may take.
    pub(crate) bytes: usize,
}

#[derive(Debug)]
pub(crate) struct Uct {
    options: UctOptions,
    seed: u64,
    memory: Option<Memory>,
}

/// The tree of the position that was last thought about.
#[derive(Debug)]
struct Memory {
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
            iterations: AtomicU64::new(0),
            deepest: AtomicU64::new(0),
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
        let best = report.candidates.first().filter(|candidate| candidate.visits > 0);
        let steps = best.map_or_else(|| Move::from(moves.get(0)), |best| best.steps.clone());
        let (first, line) = (play.first_state().clone(), play.line().to_vec());
        self.memory = Some(Memory { first, line, tree });
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
    /// How many iterations were begun.
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
        let mut worker = Worker { search: self, trial, list: MoveList::new(), path: Vec::new() };
        for own in 1.. {
            let number = self.iterations.fetch_add(1, Ordering::Relaxed);
            if self.clock.is_over(number) {
                self.iterations.fetch_sub(1, Ordering::Relaxed);
                break;
            }
            worker.iterate()?;
            if u64::is_multiple_of(own, ITERATIONS_BETWEEN_REPORTS) {
                tick(self.clock.elapsed());
            }
        }
        Ok(())
    }

    fn report(&self) -> Report {
        let mut report = Report {
            depth: self.deepest.load(Ordering::Relaxed) as u32,
            iterations: self.iterations.load(Ordering::Relaxed),
            time: self.clock.elapsed(),
            ..Report::default()
        };
        let Some(fork) = self.tree.root.below() else { return report };
        let candidate = |(index, branch): (usize, &Branch)| Candidate {
            steps: Move::from(fork.steps(index)),
            visits: u64::from(branch.visits()),
            value: branch.value(),
        };
        report.candidates = fork.branches().iter().enumerate().map(candidate).collect();
        report.candidates.sort_by(|one, other| {
            other.visits.cmp(&one.visits).then(other.value.total_cmp(&one.value))
        });
        // The value of the move to be played, shared among the others where only their sum is known.
        if let Some(best) = fork.best().map(|best| &fork.branches()[best]) {
            let others = (self.players.max(2) - 1) as f64;
            report.values = vec![(1.0 - best.value()) / others; self.players];
            report.values[fork.player.index()] = best.value();
        }
        let mut at = Some(fork);
        while let Some((fork, best)) = at.and_then(|fork| Some((fork, fork.best()?)))
            && report.line.len() < LONGEST_LINE
        {
            report.line.push(Move::from(fork.steps(best)));
            at = fork.branches()[best].below();
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
}

impl<'s> Worker<'s, '_> {
    /// Goes down the tree, plays a random game from there, and notes how it did.
    fn iterate(&mut self) -> Result<(), Error> {
        let tree = self.search.tree;
        let exploration = self.search.options.exploration;
        self.trial.restart();
        self.path.clear();
        let mut branch: &'s Branch = &tree.root;
        let mut visits = branch.enter();
        loop {
            let fork = match branch.below() {
                Some(fork) => fork,
                None if visits > 0 && tree.bytes() < self.search.options.bytes
                    || self.path.is_empty() =>
                {
                    self.trial.moves(&mut self.list)?;
                    let player = self.trial.player().unwrap_or(Player(0));
                    tree.grow(branch, player, &self.list, self.trial.generator.random())
                }
                None => {
                    self.trial.playout()?;
                    break;
                }
            };
            let Some(index) = fork.choose(visits, exploration) else {
                self.trial.end();
                break;
            };
            branch = &fork.branches()[index];
            visits = branch.enter();
            self.trial.apply(fork.steps(index))?;
            self.path.push((branch, fork.player));
        }
        for (branch, player) in &self.path {
            branch.add(self.trial.results[player.index()]);
        }
        self.search.deepest.fetch_max(self.path.len() as u64, Ordering::Relaxed);
        Ok(())
    }
}
