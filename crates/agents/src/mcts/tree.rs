//! The tree of `mcts`: positions, and parts of moves where there are a great many.

use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};
use std::ops::Range;

use regulus_automaton::Player;
use regulus_engine::{MoveList, Step};

use crate::move_key::move_key;

/// The most parts that a move is divided into.
const MOST_DIVISIONS: u32 = 8;

/// The number of positions of what cannot be proven any more.
pub(super) const NEVER: f32 = 1e12;

/// Stands for a position that is not in the tree.
pub(super) const NONE: u32 = u32::MAX;

/// A tree in three lists: positions, the choices there, and the steps of moves. A position that can be reached in several ways is
/// there once.
#[derive(Clone, Debug, Default)]
pub(super) struct Tree {
    pub(super) nodes: Vec<Node>,
    pub(super) branches: Vec<Branch>,
    steps: Vec<Step>,
    /// Whole positions by their fingerprints.
    known: HashMap<u64, u32, BuildHasherDefault<AsItIs>>,
}

/// A hash of what is a hash already.
#[derive(Clone, Copy, Debug, Default)]
struct AsItIs(u64);

impl Hasher for AsItIs {
    fn finish(&self) -> u64 {
        self.0
    }

    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = self.0.rotate_left(8) ^ u64::from(byte);
        }
    }

    fn write_u64(&mut self, number: u64) {
        self.0 = number;
    }
}

/// A position where a player chooses a move, or the part of a move.
#[derive(Clone, Debug)]
pub(super) struct Node {
    pub(super) player: Player,
    /// Whether only a part of a move is chosen here, after another part.
    pub(super) is_within: bool,
    pub(super) visits: u32,
    /// How many whole moves can be made from here.
    pub(super) moves: u32,
    first: u32,
    count: u32,
    /// What the position is worth to the player by itself and by what is below, from 0 to 1.
    pub(super) backed: f32,
    /// The result for the player if it is proven.
    pub(super) proven: Proven,
    /// How many positions must still be proven to show that the player to move wins, and that the other one wins.
    pub(super) proof: [f32; 2],
    /// The fingerprint of a whole position.
    pub(super) fingerprint: u64,
}

/// A choice.
#[derive(Clone, Debug)]
pub(super) struct Branch {
    /// Who chooses.
    pub(super) player: Player,
    /// A number for the move, the same wherever it can be made.
    pub(super) key: u32,
    first: u32,
    count: u32,
    /// Where it leads; [`NONE`] if that is not in the tree.
    pub(super) child: u32,
    pub(super) visits: u32,
    /// The sum of what the player who chooses it got.
    pub(super) sum: f32,
    /// How often it was made later in an iteration that went through here, and the sum of the results.
    pub(super) later: u32,
    pub(super) later_sum: f32,
    /// What is thought of it before it is tried, from 0 to 1.
    pub(super) prior: f32,
    /// What is backed up from below, for the player who chooses; the same as the prior at first.
    pub(super) backed: f32,
    /// The result for the player who chooses it if it is proven.
    pub(super) proven: Proven,
}

/// A result that is certain, in 254ths; 255 if none is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Proven(u8);

impl Proven {
    pub(super) const NO: Proven = Proven(255);
    pub(super) const WON: Proven = Proven(254);

    pub(super) fn result(result: f64) -> Proven {
        Proven((result.clamp(0.0, 1.0) * 254.0).round() as u8)
    }

    pub(super) fn value(self) -> Option<f64> {
        (self != Proven::NO).then(|| f64::from(self.0) / 254.0)
    }

    pub(super) fn is_lost(self) -> bool {
        self.0 == 0
    }

    /// The result for the other of two players.
    pub(super) fn turned(self) -> Proven {
        if self == Proven::NO { self } else { Proven(254 - self.0) }
    }

    /// The better of two results that are certain.
    pub(super) fn max(self, other: Proven) -> Proven {
        Proven(self.0.max(other.0))
    }
}

impl Node {
    /// Where its choices are.
    pub(super) fn range(&self) -> Range<usize> {
        self.first as usize..(self.first + self.count) as usize
    }
}

impl Tree {
    /// How much memory it takes.
    pub(super) fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.branches.capacity() * size_of::<Branch>()
            + self.steps.capacity() * size_of::<Step>()
            + self.known.capacity() * size_of::<(u64, u32)>()
    }

    pub(super) fn branches(&self, node: u32) -> Range<usize> {
        self.nodes[node as usize].range()
    }

    /// The steps that a choice adds to the move.
    pub(super) fn steps(&self, branch: usize) -> &[Step] {
        let Branch { first, count, .. } = self.branches[branch];
        &self.steps[first as usize..(first + count) as usize]
    }

    /// The whole position with a fingerprint; `None` if it is not in the tree.
    pub(super) fn known(&self, fingerprint: u64) -> Option<u32> {
        self.known.get(&fingerprint).copied()
    }

    /// How many positions must still be proven after a choice, to show that the player who chooses wins, and that the other one does.
    pub(super) fn proof(&self, branch: usize) -> [f32; 2] {
        let Branch { child, player, proven, .. } = self.branches[branch];
        if proven != Proven::NO {
            return [proven == Proven::WON, proven.is_lost()]
                .map(|is_won| if is_won { 0.0 } else { NEVER });
        }
        if child == NONE {
            return [1.0, 1.0];
        }
        let below = &self.nodes[child as usize];
        let [one, other] = below.proof;
        if below.player == player { [one, other] } else { [other, one] }
    }

    /// Computes how many positions must still be proven at a position from its choices.
    pub(super) fn update_proof(&mut self, node: u32) {
        let (mut least, mut sum) = (NEVER, 0.0f32);
        for branch in self.branches(node) {
            let [own, other] = self.proof(branch);
            least = least.min(own);
            sum += other;
        }
        self.nodes[node as usize].proof = [least, sum.min(NEVER)];
    }

    /// Adds a position with its moves; with more than `wide` of them, they are chosen step by step. `rate` says what is thought
    /// of a move.
    pub(super) fn add(
        &mut self,
        player: Player,
        moves: &MoveList,
        wide: usize,
        rate: &mut dyn FnMut(&[Step]) -> f32,
        fingerprint: Option<u64>,
    ) -> u32 {
        let number = self.add_part(player, moves, wide, rate, (0..moves.len(), 0, 0));
        if let Some(fingerprint) = fingerprint {
            self.nodes[number as usize].fingerprint = fingerprint;
            self.known.insert(fingerprint, number);
        }
        number
    }

    fn add_part(
        &mut self,
        player: Player,
        moves: &MoveList,
        wide: usize,
        rate: &mut dyn FnMut(&[Step]) -> f32,
        (range, known, divisions): (Range<usize>, usize, u32),
    ) -> u32 {
        // The moves that begin with the same step stand together.
        let mut parts: Vec<(Range<usize>, usize)> = Vec::new();
        let is_wide = range.len() > wide && divisions < MOST_DIVISIONS;
        let mut start = range.start;
        while start < range.end {
            let first = moves.get(start);
            let (mut end, mut common) = (start + 1, first.len());
            while is_wide && end < range.end {
                let other = moves.get(end);
                let alike = first.iter().zip(other).take_while(|(one, two)| one == two).count();
                if alike <= known {
                    break;
                }
                (end, common) = (end + 1, common.min(alike));
            }
            parts.push((start..end, common));
            start = end;
        }
        let number = self.nodes.len() as u32;
        let first = self.branches.len() as u32;
        self.nodes.push(Node {
            player,
            is_within: divisions > 0,
            visits: 0,
            moves: range.len() as u32,
            first,
            count: parts.len() as u32,
            backed: 0.5,
            proven: Proven::NO,
            proof: [1.0, parts.len() as f32],
            fingerprint: 0,
        });
        for (part, common) in &parts {
            let steps = moves.get(part.start);
            let prior = if part.len() == 1 { rate(steps) } else { 0.5 };
            let begin = self.steps.len() as u32;
            self.steps.extend_from_slice(&steps[known..*common]);
            self.branches.push(Branch {
                player,
                key: move_key(&steps[..*common]),
                first: begin,
                count: (*common - known) as u32,
                child: NONE,
                visits: 0,
                sum: 0.0,
                later: 0,
                later_sum: 0.0,
                prior,
                backed: prior,
                proven: Proven::NO,
            });
        }
        for (index, (part, common)) in parts.into_iter().enumerate() {
            if part.len() > 1 {
                let below = (part, common, divisions + 1);
                let child = self.add_part(player, moves, wide, rate, below);
                let best = self.branches(child).map(|each| self.branches[each].prior);
                let best = best.fold(0.0, f32::max);
                let branch = &mut self.branches[first as usize + index];
                (branch.child, branch.prior, branch.backed) = (child, best, best);
                self.nodes[child as usize].backed = best;
            }
        }
        number
    }

    /// In how many choices the game ends after one that is proven, as far as the tree knows: who wins hurries, who does not win
    /// takes as long as possible. `known` has what was found before.
    pub(super) fn length(&self, branch: usize, known: &mut HashMap<u32, u32>) -> u32 {
        let Branch { child, .. } = self.branches[branch];
        if child == NONE {
            return 1;
        }
        if let Some(length) = known.get(&child) {
            return *length;
        }
        // Positions may come again.
        known.insert(child, 1);
        let has_won = self.nodes[child as usize].proven == Proven::WON;
        let proven = self.branches(child).filter(|&each| {
            let Branch { proven, .. } = self.branches[each];
            if has_won { proven == Proven::WON } else { proven != Proven::NO }
        });
        let lengths = proven.map(|each| self.length(each, known));
        let below = if has_won { lengths.min() } else { lengths.max() };
        let length = below.unwrap_or(0).saturating_add(1);
        known.insert(child, length);
        length
    }

    /// The position that a move leads to; `None` if it is not in the tree.
    pub(super) fn after(&self, node: u32, steps: &[Step]) -> Option<u32> {
        let (mut node, mut left) = (node, steps);
        loop {
            let branch = self.branches(node).find(|&branch| {
                left.starts_with(self.steps(branch))
                    && (left.len() == self.steps(branch).len() || self.is_divided(branch))
            })?;
            left = &left[self.steps(branch).len()..];
            node = self.branches[branch].child;
            if node == NONE {
                return None;
            }
            if left.is_empty() {
                return Some(node);
            }
        }
    }

    /// Whether a choice is only a part of a move.
    pub(super) fn is_divided(&self, branch: usize) -> bool {
        let child = self.branches[branch].child;
        child != NONE && self.nodes[child as usize].is_within
    }

    /// The part of the tree below a position, as a tree.
    pub(super) fn below(&self, node: u32) -> Tree {
        let mut tree = Tree::default();
        let mut open = vec![(node, NONE)];
        let mut numbers: HashMap<u32, u32> = HashMap::new();
        while let Some((node, parent)) = open.pop() {
            let number = tree.nodes.len() as u32;
            let known = *numbers.entry(node).or_insert(number);
            if parent != NONE {
                tree.branches[parent as usize].child = known;
            }
            if known != number {
                continue;
            }
            let first = tree.branches.len() as u32;
            let at = Node { first, ..self.nodes[node as usize].clone() };
            if at.fingerprint != 0 {
                tree.known.insert(at.fingerprint, number);
            }
            tree.nodes.push(at);
            for branch in self.branches(node) {
                let begin = tree.steps.len() as u32;
                tree.steps.extend_from_slice(self.steps(branch));
                let own = tree.branches.len() as u32;
                tree.branches.push(Branch {
                    first: begin,
                    child: NONE,
                    ..self.branches[branch].clone()
                });
                let child = self.branches[branch].child;
                if child != NONE {
                    open.push((child, own));
                }
            }
        }
        tree
    }
}
