//! The tree of a search: positions with their moves, and how the moves did. Any number of threads grow it at once.
//!
//! Where a position has a great many moves, a move is chosen step by step: the moves that begin alike share a branch, with a fork
//! behind it that is reached within the move. What is learned of one of them then helps to judge the others, and the search does
//! not have to try each of thousands once before it can look at any of them again.

use std::ops::Range;
use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

use regulus_automaton::Player;
use regulus_engine::{MoveList, Step};

/// What a result of 1 adds to [`Branch::sum`].
const ONE: f64 = (1u64 << 24) as f64;

/// What the allocator adds to each piece of memory, about.
const OVERHEAD: usize = 16;

/// How often a move is divided at most.
const MOST_DIVISIONS: u32 = 4;

/// A tree from one position.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// The way to the first position, which no one chose.
    pub(super) root: Branch,
    bytes: AtomicUsize,
}

/// A move or the beginning of several, and how it did for the player who chooses it.
#[derive(Debug, Default)]
pub(super) struct Branch {
    /// How often it was chosen; those that are still being tried count as lost.
    visits: AtomicU32,
    /// Where its steps end in those of the fork.
    end: u32,
    /// The results, as parts of [`ONE`].
    sum: AtomicU64,
    /// The position behind it once its moves are known, or the ways to complete the move.
    below: OnceLock<Box<Fork>>,
}

/// A position with its legal moves, or the ways to complete one; none if the game is over.
#[derive(Debug)]
pub(super) struct Fork {
    /// The player who chooses.
    pub(super) player: Player,
    /// Whether it is reached within a move.
    pub(super) is_within: bool,
    branches: Box<[Branch]>,
    steps: Box<[Step]>,
    /// How many branches were tried, in the order of [`Fork::untried`].
    tried: AtomicU32,
    /// Where that order begins, and in what strides it goes around.
    first: u32,
    stride: u32,
}

impl Tree {
    /// How much memory it takes, without what threads have not counted yet.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Counts memory by which it has grown.
    pub(super) fn count(&self, bytes: usize) {
        self.bytes.fetch_add(bytes, Ordering::Relaxed);
    }

    /// The tree behind one of the moves of the first position; empty if nothing is known of it. The rest is dropped.
    pub(super) fn descend(mut self, steps: &[Step]) -> Tree {
        let mut tree = Tree::default();
        if let Some(branch) = self.root.below.get_mut().and_then(|fork| fork.find(steps)) {
            tree.root = std::mem::take(branch);
        }
        // What is kept is counted anew.
        if let Some(fork) = tree.root.below() {
            tree.count(fork.all_bytes());
        }
        tree
    }
}

impl Drop for Tree {
    /// Trees may be deep, so they are not taken apart by recursion.
    fn drop(&mut self) {
        let mut open: Vec<Box<Fork>> = self.root.below.take().into_iter().collect();
        while let Some(mut fork) = open.pop() {
            open.extend(fork.branches.iter_mut().filter_map(|branch| branch.below.take()));
        }
    }
}

impl Branch {
    /// How often it was chosen.
    #[inline]
    pub(super) fn visits(&self) -> u32 {
        self.visits.load(Ordering::Relaxed)
    }

    /// What the player who chooses it can expect.
    pub(super) fn value(&self) -> f64 {
        let visits = self.visits();
        if visits == 0 {
            return 0.5;
        }
        self.sum.load(Ordering::Relaxed) as f64 / ONE / f64::from(visits)
    }

    /// The position behind it, or the ways to complete the move; `None` if the moves there are not known.
    #[inline]
    pub(super) fn below(&self) -> Option<&Fork> {
        self.below.get().map(|fork| &**fork)
    }

    /// Adds the position behind it with its moves; returns how much memory that takes. Two threads may do so at once; the
    /// first wins, and the other one adds nothing.
    pub(super) fn grow(&self, new: NewFork<'_>) -> (&Fork, usize) {
        let mut bytes = 0;
        let fork = self.below.get_or_init(|| {
            let fork = Box::new(new.build(0..new.moves.len(), 0, 0));
            bytes = fork.all_bytes();
            fork
        });
        (fork, bytes)
    }

    /// The ways to complete the move; `None` if no step is missing.
    #[inline]
    pub(super) fn rest(&self) -> Option<&Fork> {
        self.below().filter(|fork| fork.is_within)
    }

    /// Notes that it is tried `times` times; returns how often it was before.
    #[inline]
    pub(super) fn enter(&self, times: u32) -> u32 {
        self.visits.fetch_add(times, Ordering::Relaxed)
    }

    /// Takes back `times` of the times it was entered.
    pub(super) fn leave(&self, times: u32) {
        self.visits.fetch_sub(times, Ordering::Relaxed);
    }

    /// Notes how it did when it was tried: the result, or the sum of several.
    #[inline]
    pub(super) fn add(&self, result: f64) {
        self.sum.fetch_add((result * ONE) as u64, Ordering::Relaxed);
    }
}

/// What a fork is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct NewFork<'a> {
    /// The player to move.
    pub(super) player: Player,
    /// The legal moves.
    pub(super) moves: &'a MoveList,
    /// More moves than this are chosen step by step.
    pub(super) wide: usize,
    /// In which order moves are tried first: any number.
    pub(super) order: u64,
}

impl NewFork<'_> {
    /// Makes the fork for a range of the moves, whose first `known` steps are behind it.
    fn build(&self, range: Range<usize>, known: usize, divisions: u32) -> Fork {
        let mut fork = Fork {
            player: self.player,
            is_within: divisions > 0,
            branches: Box::default(),
            steps: Box::default(),
            tried: AtomicU32::new(0),
            first: 0,
            stride: 1,
        };
        let (mut branches, mut steps) = (Vec::new(), Vec::new());
        let is_wide = range.len() > self.wide && divisions < MOST_DIVISIONS;
        let mut start = range.start;
        while start < range.end {
            let first = self.moves.get(start);
            // The moves that begin with the same step stand together, and share what they have in common.
            let (mut end, mut common) = (start + 1, first.len());
            while is_wide && end < range.end {
                let alike = first
                    .iter()
                    .zip(self.moves.get(end))
                    .take_while(|(one, other)| one == other)
                    .count();
                if alike <= known {
                    break;
                }
                (end, common) = (end + 1, common.min(alike));
            }
            steps.extend_from_slice(&first[known..common]);
            let branch = Branch { end: steps.len() as u32, ..Branch::default() };
            if end > start + 1 {
                let below = self.build(start..end, common, divisions + 1);
                let _ = branch.below.set(Box::new(below));
            }
            branches.push(branch);
            start = end;
        }
        let count = branches.len().max(1) as u32;
        fork.first = self.order as u32 % count;
        fork.stride = 1 + (self.order >> 32) as u32 % count;
        while common_divisor(fork.stride, count) != 1 {
            fork.stride = 1 + fork.stride % count;
        }
        fork.branches = branches.into();
        fork.steps = steps.into();
        fork
    }
}

impl Fork {
    fn bytes(&self) -> usize {
        size_of::<Fork>() + size_of_val(&*self.branches) + size_of_val(&*self.steps) + 3 * OVERHEAD
    }

    /// How much memory it takes with all below it.
    fn all_bytes(&self) -> usize {
        let mut open = vec![self];
        let mut bytes = 0;
        while let Some(fork) = open.pop() {
            bytes += fork.bytes();
            open.extend(fork.branches.iter().filter_map(Branch::below));
        }
        bytes
    }

    /// The moves or their beginnings, and how they did.
    pub(super) fn branches(&self) -> &[Branch] {
        &self.branches
    }

    /// Calls `visit` with all moves that go through here. `steps` are those that lead here, and are left as they are.
    pub(super) fn for_each_move(
        &self,
        steps: &mut Vec<Step>,
        visit: &mut dyn FnMut(&[Step], &Branch),
    ) {
        let known = steps.len();
        for (index, branch) in self.branches.iter().enumerate() {
            steps.extend_from_slice(self.steps(index));
            match branch.rest() {
                Some(rest) => rest.for_each_move(steps, visit),
                None => visit(steps, branch),
            }
            steps.truncate(known);
        }
    }

    /// The branch that completes a move; `None` if there is no such move.
    fn find(&mut self, steps: &[Step]) -> Option<&mut Branch> {
        let mut start = 0;
        self.branches.iter_mut().find_map(|branch| {
            let own = &self.steps[start..branch.end as usize];
            start = branch.end as usize;
            let rest = steps.strip_prefix(own)?;
            if branch.rest().is_none() {
                rest.is_empty().then_some(branch)
            } else {
                branch.below.get_mut()?.find(rest)
            }
        })
    }

    /// The most visited move from here with the branch that completes it; `None` if no move was tried.
    pub(super) fn best_move(&self) -> Option<(Vec<Step>, &Branch)> {
        let mut steps = Vec::new();
        let mut fork = self;
        loop {
            let best = fork.best()?;
            steps.extend_from_slice(fork.steps(best));
            let branch = &fork.branches[best];
            match branch.rest() {
                Some(rest) => fork = rest,
                None => return Some((steps, branch)),
            }
        }
    }

    /// The steps of a move.
    #[inline]
    pub(super) fn steps(&self, index: usize) -> &[Step] {
        let start = index.checked_sub(1).map_or(0, |before| self.branches[before].end);
        &self.steps[start as usize..self.branches[index].end as usize]
    }

    /// The number of the move to try: each once, then the one with the highest upper bound (UCB1). `visits` is how often the
    /// position was reached. `None` if the game is over here.
    #[inline]
    pub(super) fn choose(&self, visits: u32, exploration: f32) -> Option<usize> {
        let count = self.branches.len() as u32;
        if self.tried.load(Ordering::Relaxed) < count {
            let tried = self.tried.fetch_add(1, Ordering::Relaxed);
            if tried < count {
                return Some(self.untried(tried));
            }
        }
        self.highest(visits, exploration)
    }

    /// As [`Fork::choose`], but only a branch that was chosen `often` or more often, and only if all were tried; `None` if
    /// it would be another one.
    #[inline]
    pub(super) fn choose_again(&self, visits: u32, exploration: f32, often: u32) -> Option<usize> {
        if self.tried.load(Ordering::Relaxed) < self.branches.len() as u32 {
            return None;
        }
        let index = self.highest(visits, exploration)?;
        (self.branches[index].visits() >= often).then_some(index)
    }

    /// The number of the branch with the highest upper bound; `None` if there are none.
    #[inline]
    fn highest(&self, visits: u32, exploration: f32) -> Option<usize> {
        let spread = exploration * (visits.max(1) as f32).ln().sqrt();
        let mut best = None;
        let mut most = f32::NEG_INFINITY;
        for (index, branch) in self.branches.iter().enumerate() {
            let visits = branch.visits().max(1) as f32;
            let mean = branch.sum.load(Ordering::Relaxed) as f32 / (visits * ONE as f32);
            let bound = mean + spread / visits.sqrt();
            if bound > most {
                most = bound;
                best = Some(index);
            }
        }
        best
    }

    /// The n-th move to be tried first.
    #[inline]
    fn untried(&self, number: u32) -> usize {
        let count = self.branches.len() as u64;
        ((u64::from(self.first) + u64::from(number) * u64::from(self.stride)) % count) as usize
    }

    /// The number of the move that was tried most often, the better of two; `None` if none was.
    pub(super) fn best(&self) -> Option<usize> {
        let tried = (0..self.branches.len()).filter(|&index| self.branches[index].visits() > 0);
        tried.max_by(|&one, &other| {
            let (one, other) = (&self.branches[one], &self.branches[other]);
            one.visits().cmp(&other.visits()).then(one.value().total_cmp(&other.value()))
        })
    }
}

fn common_divisor(one: u32, other: u32) -> u32 {
    if other == 0 { one } else { common_divisor(other, one % other) }
}
