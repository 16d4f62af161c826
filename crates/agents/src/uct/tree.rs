//! The tree of a search: positions with their moves, and how the moves did. Any number of threads grow it at once.

use std::sync::OnceLock;
use std::sync::atomic::{AtomicU32, AtomicU64, AtomicUsize, Ordering};

use regulus_automaton::Player;
use regulus_engine::{MoveList, Step};

/// What a result of 1 adds to [`Branch::sum`].
const ONE: f64 = (1u64 << 24) as f64;

/// What the allocator adds to each piece of memory, about.
const OVERHEAD: usize = 16;

/// A tree from one position.
#[derive(Debug, Default)]
pub(super) struct Tree {
    /// The way to the first position, which no one chose.
    pub(super) root: Branch,
    bytes: AtomicUsize,
    forks: AtomicUsize,
    branches: AtomicUsize,
}

/// A move, and how it did for the player who chooses it.
#[derive(Debug, Default)]
pub(super) struct Branch {
    /// How often it was chosen; those that are still being tried count as lost.
    visits: AtomicU32,
    /// Where its steps end in those of the fork.
    end: u32,
    /// The results, as parts of [`ONE`].
    sum: AtomicU64,
    /// The position behind it, once its moves are known.
    below: OnceLock<Box<Fork>>,
}

/// A position with its legal moves; none if the game is over.
#[derive(Debug)]
pub(super) struct Fork {
    /// The player who chooses.
    pub(super) player: Player,
    branches: Box<[Branch]>,
    steps: Box<[Step]>,
    /// How many branches were tried, in the order of [`Fork::untried`].
    tried: AtomicU32,
    /// Where that order begins, and in what strides it goes around.
    first: u32,
    stride: u32,
}

impl Tree {
    /// How much memory it takes.
    pub(super) fn bytes(&self) -> usize {
        self.bytes.load(Ordering::Relaxed)
    }

    /// Adds the position behind a branch with its moves. Two threads may do so at once; the first wins. `order` says in
    /// which order moves are tried first.
    pub(super) fn grow<'a>(
        &self,
        branch: &'a Branch,
        player: Player,
        moves: &MoveList,
        order: u64,
    ) -> &'a Fork {
        let mut is_new = false;
        let fork = branch.below.get_or_init(|| {
            is_new = true;
            Box::new(Fork::new(player, moves, order))
        });
        if is_new {
            self.count(fork, Ordering::Relaxed);
        }
        fork
    }

    fn count(&self, fork: &Fork, ordering: Ordering) {
        self.bytes.fetch_add(fork.bytes(), ordering);
        self.forks.fetch_add(1, ordering);
        self.branches.fetch_add(fork.branches.len(), ordering);
    }

    /// The tree behind one of the moves of the first position; empty if nothing is known of it. The rest is dropped.
    pub(super) fn descend(mut self, steps: &[Step]) -> Tree {
        let mut tree = Tree::default();
        if let Some(mut fork) = self.root.below.take() {
            let index = (0..fork.branches.len()).find(|&index| fork.steps(index) == steps);
            if let Some(branch) = index.map(|index| &mut fork.branches[index]) {
                tree.root = std::mem::take(branch);
            }
            self.root.below = OnceLock::from(fork);
        }
        // What is kept is counted anew.
        let mut open: Vec<&Fork> = tree.root.below().into_iter().collect();
        while let Some(fork) = open.pop() {
            tree.count(fork, Ordering::Relaxed);
            open.extend(fork.branches.iter().filter_map(Branch::below));
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

    /// The position behind it; `None` if its moves are not known.
    #[inline]
    pub(super) fn below(&self) -> Option<&Fork> {
        self.below.get().map(|fork| &**fork)
    }

    /// Notes that it is tried; returns how often it was before.
    #[inline]
    pub(super) fn enter(&self) -> u32 {
        self.visits.fetch_add(1, Ordering::Relaxed)
    }

    /// Notes how it did when it was tried.
    #[inline]
    pub(super) fn add(&self, result: f64) {
        self.sum.fetch_add((result * ONE) as u64, Ordering::Relaxed);
    }
}

impl Fork {
    fn new(player: Player, moves: &MoveList, order: u64) -> Fork {
        let mut steps = Vec::new();
        let mut branches = Vec::with_capacity(moves.len());
        for one in moves.iter() {
            steps.extend_from_slice(one);
            branches.push(Branch { end: steps.len() as u32, ..Branch::default() });
        }
        let count = branches.len().max(1) as u32;
        let mut stride = 1 + (order >> 32) as u32 % count;
        while common_divisor(stride, count) != 1 {
            stride = 1 + stride % count;
        }
        Fork {
            player,
            branches: branches.into(),
            steps: steps.into(),
            tried: AtomicU32::new(0),
            first: order as u32 % count,
            stride,
        }
    }

    fn bytes(&self) -> usize {
        size_of::<Fork>() + size_of_val(&*self.branches) + size_of_val(&*self.steps) + 3 * OVERHEAD
    }

    /// The moves, and how they did.
    pub(super) fn branches(&self) -> &[Branch] {
        &self.branches
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
