//! Regular expressions for the paths of a graph.
//!
//! The expression of a graph follows its dominator tree: what begins at a node is written once, behind all ways that lead to
//! it. So what stands on an edge is repeated only if other ways lead around it and come back, and tails never are.

use std::collections::BTreeMap;
use std::rc::Rc;

use regulus_automaton::{Origin, Relation};

use super::checked::{Leaf, MAX_SIZE, Step, Value};

/// How deep brackets may lie in each other; texts may have a few more.
const MAX_DEPTH: u32 = 150;

/// How many parts of expressions may be looked at to join them. All of them may be kept, at 32 bytes each.
const MAX_WORK: u64 = 16_000_000;

/// An expression. Parts are shared, so that copies cost nothing; their sizes are those when they are written out.
#[derive(Clone, Debug)]
pub(super) struct PathExpression {
    shape: PathShape,
    size: u64,
    depth: u32,
}

#[derive(Clone, Debug)]
enum PathShape {
    /// No path.
    Never,
    /// The path without steps.
    Here,
    Leaf(Rc<Step>),
    Look(bool, Rc<PathExpression>),
    Star(Rc<PathExpression>),
    Sum(Rc<Vec<PathExpression>>),
    Chain(Rc<Vec<PathExpression>>),
}

impl PathExpression {
    /// No path.
    pub(super) const NEVER: PathExpression =
        PathExpression { shape: PathShape::Never, size: 0, depth: 0 };
    /// The path without steps.
    pub(super) const HERE: PathExpression =
        PathExpression { shape: PathShape::Here, size: 0, depth: 0 };

    fn is_never(&self) -> bool {
        matches!(self.shape, PathShape::Never)
    }

    fn is_here(&self) -> bool {
        matches!(self.shape, PathShape::Here)
    }

    /// The expression as a step of rules; `{}` for none, and a comparison that always holds for the path without steps.
    pub(super) fn to_step(&self) -> Step {
        let origin = Origin { start: 0, end: 0 };
        match &self.shape {
            PathShape::Never => Step::Leaf(Leaf::On(std::iter::empty().collect()), origin),
            PathShape::Here => {
                let zero = || Value::Number(0);
                Step::Leaf(Leaf::Compare(zero(), Relation::Equal, zero()), origin)
            }
            PathShape::Leaf(step) => Step::clone(step),
            PathShape::Look(succeeds, body) => {
                Step::Look { succeeds: *succeeds, body: Box::new(body.to_step()), origin }
            }
            PathShape::Star(body) => Step::Star(Box::new(body.to_step()), origin),
            PathShape::Sum(parts) => Step::sum(parts.iter().map(PathExpression::to_step).collect()),
            PathShape::Chain(parts) => {
                Step::chain(parts.iter().map(PathExpression::to_step).collect())
            }
        }
    }
}

impl From<Step> for PathExpression {
    /// A single action as an expression.
    fn from(step: Step) -> PathExpression {
        let size = step.size();
        PathExpression { shape: PathShape::Leaf(Rc::new(step)), size, depth: 0 }
    }
}

/// Joins expressions, and notices when they become too large or too much work; what comes then is thrown away.
#[derive(Debug, Default)]
pub(super) struct PathJoiner {
    is_too_large: bool,
    work: u64,
}

impl PathJoiner {
    /// Whether an expression was too large, or took too much work.
    pub(super) fn is_too_large(&self) -> bool {
        self.is_too_large
    }

    /// Notes that something else is too large.
    pub(super) fn give_up(&mut self) {
        self.is_too_large = true;
    }

    /// Notes that this many parts are looked at.
    fn spend(&mut self, work: usize) {
        self.work += work as u64;
        self.is_too_large |= self.work > MAX_WORK;
    }

    fn checked(&mut self, shape: PathShape, size: u64, depth: u32) -> PathExpression {
        self.is_too_large |= size > MAX_SIZE || depth > MAX_DEPTH;
        if self.is_too_large { PathExpression::HERE } else { PathExpression { shape, size, depth } }
    }

    /// One and then the other.
    pub(super) fn then(
        &mut self,
        first: &PathExpression,
        second: &PathExpression,
    ) -> PathExpression {
        if first.is_never() || second.is_never() {
            return PathExpression::NEVER;
        }
        if first.is_here() {
            return second.clone();
        }
        if second.is_here() {
            return first.clone();
        }
        let mut parts = Vec::new();
        for way in [first, second] {
            match &way.shape {
                PathShape::Chain(inner) => parts.extend(inner.iter().cloned()),
                _ => parts.push(way.clone()),
            }
        }
        self.spend(parts.len());
        let (size, depth) = (first.size + second.size, deepest(&parts));
        self.checked(PathShape::Chain(Rc::new(parts)), size, depth)
    }

    /// One or the other.
    pub(super) fn or(&mut self, one: &PathExpression, other: &PathExpression) -> PathExpression {
        if one.is_never() {
            return other.clone();
        }
        if other.is_never() || (one.is_here() && other.is_here()) {
            return one.clone();
        }
        let mut parts = Vec::new();
        for way in [one, other] {
            match &way.shape {
                PathShape::Sum(inner) => parts.extend(inner.iter().cloned()),
                _ => parts.push(way.clone()),
            }
        }
        self.spend(parts.len());
        let (size, depth) = (one.size + other.size, deepest(&parts));
        self.checked(PathShape::Sum(Rc::new(parts)), size, depth + 1)
    }

    /// Any number of times.
    pub(super) fn star(&mut self, way: &PathExpression) -> PathExpression {
        if way.is_never() || way.is_here() {
            return PathExpression::HERE;
        }
        self.checked(PathShape::Star(Rc::new(way.clone())), way.size, way.depth + 1)
    }

    /// A look-ahead.
    pub(super) fn look(&mut self, succeeds: bool, way: &PathExpression) -> PathExpression {
        match (&way.shape, succeeds) {
            (PathShape::Never, true) | (PathShape::Here, false) => PathExpression::NEVER,
            (PathShape::Never, false) | (PathShape::Here, true) => PathExpression::HERE,
            _ => {
                let shape = PathShape::Look(succeeds, Rc::new(way.clone()));
                self.checked(shape, way.size + 1, way.depth + 1)
            }
        }
    }
}

/// How deep brackets lie in each other in the deepest of the parts.
fn deepest(parts: &[PathExpression]) -> u32 {
    parts.iter().map(|part| part.depth).max().unwrap_or(0)
}

/// A graph whose edges carry expressions. A path ends with the tail of a node.
#[derive(Debug)]
pub(super) struct PathGraph {
    /// The edges of each node.
    pub(super) edges: Vec<Vec<(usize, PathExpression)>>,
    /// What ends paths at each node.
    pub(super) tails: Vec<PathExpression>,
}

impl PathGraph {
    /// A graph without edges.
    pub(super) fn new(nodes: usize) -> PathGraph {
        PathGraph { edges: vec![Vec::new(); nodes], tails: vec![PathExpression::NEVER; nodes] }
    }

    /// Adds a way to end a path at a node.
    pub(super) fn add_tail(&mut self, node: usize, tail: &PathExpression, ways: &mut PathJoiner) {
        self.tails[node] = ways.or(&self.tails[node], tail);
    }

    /// All paths from a node to a tail.
    pub(super) fn paths(&self, root: usize, ways: &mut PathJoiner) -> PathExpression {
        let order = self.order(root);
        let tree = DominatorTree::new(self, &order);
        let mut solved = Solved {
            loops: vec![PathExpression::HERE; order.len()],
            entries: vec![PathExpression::NEVER; order.len()],
            tails: vec![PathExpression::NEVER; order.len()],
        };
        // Children come behind their parents in the order.
        for at in (0..order.len()).rev() {
            solved.node(self, &tree, &order, at, ways);
            if ways.is_too_large() {
                return PathExpression::NEVER;
            }
        }
        solved.tails[0].clone()
    }

    /// The nodes that can be reached, each in front of those that come behind it but for rounds (reverse postorder).
    fn order(&self, root: usize) -> Vec<usize> {
        let mut seen = vec![false; self.edges.len()];
        let mut work = vec![(root, 0)];
        let mut order = Vec::new();
        seen[root] = true;
        while let Some((node, next)) = work.last_mut() {
            match self.edges[*node].get(*next) {
                Some(&(to, _)) => {
                    *next += 1;
                    if !std::mem::replace(&mut seen[to], true) {
                        work.push((to, 0));
                    }
                }
                None => {
                    order.push(*node);
                    work.pop();
                }
            }
        }
        order.reverse();
        order
    }
}

/// The dominator tree; nodes are numbered in their order.
struct DominatorTree {
    /// The immediate dominator of each node; the root's is itself.
    parent: Vec<usize>,
    depth: Vec<usize>,
    children: Vec<Vec<usize>>,
    /// The edges that are dealt with at each node: those to its children and back to itself, from anywhere below it.
    edges: Vec<Vec<(usize, usize, usize)>>,
}

impl DominatorTree {
    fn new(graph: &PathGraph, order: &[usize]) -> DominatorTree {
        let mut position = vec![usize::MAX; graph.edges.len()];
        order.iter().enumerate().for_each(|(at, &node)| position[node] = at);
        let mut sources: Vec<Vec<usize>> = vec![Vec::new(); order.len()];
        for (at, &node) in order.iter().enumerate() {
            graph.edges[node].iter().for_each(|&(to, _)| sources[position[to]].push(at));
        }
        // Cooper, Harvey and Kennedy: repeated until nothing changes.
        let mut parent = vec![usize::MAX; order.len()];
        parent[0] = 0;
        let mut changed = true;
        while changed {
            changed = false;
            for at in 1..order.len() {
                let known = sources[at].iter().copied().filter(|&from| parent[from] != usize::MAX);
                let common = known.reduce(|mut one, mut other| {
                    while one != other {
                        if one > other {
                            one = parent[one];
                        } else {
                            other = parent[other];
                        }
                    }
                    one
                });
                if let Some(common) = common.filter(|&common| parent[at] != common) {
                    parent[at] = common;
                    changed = true;
                }
            }
        }
        let (mut depth, mut children) = (vec![0; order.len()], vec![Vec::new(); order.len()]);
        for at in 1..order.len() {
            depth[at] = depth[parent[at]] + 1;
            children[parent[at]].push(at);
        }
        let mut tree =
            DominatorTree { parent, depth, children, edges: vec![Vec::new(); order.len()] };
        for (at, &node) in order.iter().enumerate() {
            for (number, &(to, _)) in graph.edges[node].iter().enumerate() {
                let to = position[to];
                let place = if tree.dominates(to, at) { to } else { tree.parent[to] };
                tree.edges[place].push((at, number, to));
            }
        }
        tree
    }

    fn dominates(&self, above: usize, mut below: usize) -> bool {
        while self.depth[below] > self.depth[above] {
            below = self.parent[below];
        }
        above == below
    }
}

/// What is known of the nodes that were dealt with.
struct Solved {
    /// From a node back to itself, any number of times, through nodes below it.
    loops: Vec<PathExpression>,
    /// From the parent of a node to the node, not through the parent.
    entries: Vec<PathExpression>,
    /// From a node to a tail, through nodes below it.
    tails: Vec<PathExpression>,
}

impl Solved {
    fn node(
        &mut self,
        graph: &PathGraph,
        tree: &DominatorTree,
        order: &[usize],
        at: usize,
        ways: &mut PathJoiner,
    ) {
        let children = &tree.children[at];
        let number: BTreeMap<usize, usize> =
            children.iter().enumerate().map(|(number, &child)| (child, number)).collect();
        let mut first = vec![PathExpression::NEVER; children.len()];
        let mut between: Vec<BTreeMap<usize, PathExpression>> =
            vec![BTreeMap::new(); children.len()];
        let mut back = vec![PathExpression::NEVER; children.len()];
        let mut round = PathExpression::NEVER;
        for &(from, edge, to) in &tree.edges[at] {
            let step = &graph.edges[order[from]][edge].1;
            let target = number.get(&to).copied();
            if from == at {
                match target {
                    Some(target) => first[target] = ways.or(&first[target], step),
                    None => round = ways.or(&round, step),
                }
                continue;
            }
            let (child, inner) = self.down(tree, at, from, ways);
            let step = ways.then(&inner, step);
            let child = number[&child];
            match target {
                Some(target) => {
                    let known = between[child].entry(target).or_insert(PathExpression::NEVER);
                    *known = ways.or(known, &step);
                }
                None => back[child] = ways.or(&back[child], &step),
            }
        }
        self.eliminate(&mut first, &mut between, ways);
        for (entry, back) in first.iter().zip(&back) {
            let returns = ways.then(entry, back);
            round = ways.or(&round, &returns);
        }
        let mut tail = graph.tails[order[at]].clone();
        for (entry, &child) in first.into_iter().zip(children) {
            let through = ways.then(&entry, &self.tails[child]);
            tail = ways.or(&tail, &through);
            self.entries[child] = entry;
        }
        self.loops[at] = ways.star(&round);
        self.tails[at] = ways.then(&self.loops[at], &tail);
    }

    /// The child of a node above another, and all paths from the child to that other.
    fn down(
        &self,
        tree: &DominatorTree,
        above: usize,
        below: usize,
        ways: &mut PathJoiner,
    ) -> (usize, PathExpression) {
        let (mut at, mut way) = (below, self.loops[below].clone());
        while tree.parent[at] != above {
            way = ways.then(&self.entries[at], &way);
            at = tree.parent[at];
            way = ways.then(&self.loops[at], &way);
        }
        (at, way)
    }

    /// Replaces the direct ways to children by all ways, also through other children.
    fn eliminate(
        &self,
        first: &mut [PathExpression],
        between: &mut [BTreeMap<usize, PathExpression>],
        ways: &mut PathJoiner,
    ) {
        let count = first.len();
        for at in 0..count {
            ways.spend(count - at);
            if ways.is_too_large() {
                return;
            }
            let row = std::mem::take(&mut between[at]);
            let round = row.get(&at).map_or(PathExpression::HERE, |way| ways.star(way));
            let arrive = ways.then(&first[at], &round);
            let later = || row.range(at + 1..);
            for (&to, way) in later() {
                let through = ways.then(&arrive, way);
                first[to] = ways.or(&first[to], &through);
            }
            for other in &mut between[at + 1..] {
                let Some(way) = other.get(&at).cloned() else { continue };
                let way = ways.then(&way, &round);
                for (&to, onwards) in later() {
                    let through = ways.then(&way, onwards);
                    let known = other.entry(to).or_insert(PathExpression::NEVER);
                    *known = ways.or(known, &through);
                }
            }
            between[at] = row;
        }
        for at in (0..count).rev() {
            ways.spend(count - at);
            if ways.is_too_large() {
                return;
            }
            let mut arrive = first[at].clone();
            for from in at + 1..count {
                if let Some(way) = between[from].get(&at).cloned() {
                    let through = ways.then(&first[from], &way);
                    arrive = ways.or(&arrive, &through);
                }
            }
            let round =
                between[at].get(&at).cloned().map_or(PathExpression::HERE, |way| ways.star(&way));
            first[at] = ways.then(&arrive, &round);
        }
    }
}
