//! The rules outside patterns as a graph, and the places in it that the rules must remember.
//!
//! [`super`] makes an expression of what lies between these places. It relies on what the verifier says of modifiers: edges
//! with the same one do the same and lead to the same node.

use std::collections::BTreeMap;

use regulus_automaton::{Action, ActionKind, Automaton, Edge, Id as _, IdVec, Modifier, Node};

/// How many edges are looked at to find out which places need not be remembered.
const MAX_LOOKS: usize = 4_000_000;

/// The rules outside patterns as a graph.
pub(super) struct RulesGraph {
    /// The edges of each node, with what they do.
    pub(super) edges: Vec<Vec<(usize, RuleEdge)>>,
    /// How many edges lead to each node.
    degrees: Vec<usize>,
}

/// What an edge of the rules does.
#[derive(Clone)]
pub(super) enum RuleEdge {
    /// A test or a walk.
    Pure(Action),
    /// A write or a switch.
    Modifier(Action),
    /// No more than that the place is remembered: what follows is shared by several moves.
    Remember,
}

impl RulesGraph {
    /// Returns the graph of an automaton. Moves that end alike, and edges that are one step of moves, share a node.
    pub(super) fn new(automaton: &Automaton) -> RulesGraph {
        let nodes = automaton.nodes.len();
        let mut edges: Vec<Vec<(usize, RuleEdge)>> = vec![Vec::new(); nodes];
        let mut same: BTreeMap<Modifier, Vec<(Node, &Edge)>> = BTreeMap::new();
        for (from, edge) in reachable(automaton) {
            match edge.modifier {
                Some(modifier) => same.entry(modifier).or_default().push((from, edge)),
                None => {
                    let pure = RuleEdge::Pure(edge.action.clone());
                    edges[from.index()].push((edge.target.index(), pure));
                }
            }
        }
        let mut ends: BTreeMap<(Action, usize), Vec<usize>> = BTreeMap::new();
        for group in same.into_values() {
            let (mut from, edge) = (group[0].0.index(), group[0].1);
            if group.len() > 1 {
                // Edges with one modifier are one step: they meet in front of it.
                from = edges.len();
                edges.push(Vec::new());
                for (other, _) in &group {
                    edges[other.index()].push((from, RuleEdge::Pure(Action::Skip)));
                }
            }
            let (action, target) = (edge.action.clone(), edge.target.index());
            if action.kind() == ActionKind::Control && !automaton.nodes[edge.target].is_empty() {
                ends.entry((action, target)).or_default().push(from);
            } else {
                edges[from].push((target, RuleEdge::Modifier(action)));
            }
        }
        for ((action, target), sources) in ends {
            let mut last = sources[0];
            if sources.len() > 1 {
                last = edges.len();
                edges.push(Vec::new());
                for from in sources {
                    edges[from].push((last, RuleEdge::Remember));
                }
            }
            edges[last].push((target, RuleEdge::Modifier(action)));
        }
        let mut degrees = vec![0; edges.len()];
        edges.iter().flatten().for_each(|(to, _)| degrees[*to] += 1);
        RulesGraph { edges, degrees }
    }

    /// The places that are remembered, numbered from 0; the first is the start. They are the targets of writes and switches,
    /// except those that only one leads to and that share nothing with other places before the next write.
    pub(super) fn labels(&self, start: usize) -> BTreeMap<usize, usize> {
        let mut labels = BTreeMap::from([(start, 0)]);
        let mut looks = 0;
        for (to, edge) in self.edges.iter().flatten() {
            let is_entry = match edge {
                RuleEdge::Pure(_) => false,
                RuleEdge::Modifier(_) if self.edges[*to].is_empty() => false,
                RuleEdge::Modifier(_) => {
                    looks > MAX_LOOKS || self.degrees[*to] > 1 || !self.is_alone(*to, &mut looks)
                }
                RuleEdge::Remember => true,
            };
            if is_entry {
                let next = labels.len();
                labels.entry(*to).or_insert(next);
            }
        }
        labels
    }

    /// Whether tests and walks from a node lead only to nodes that nothing else leads to.
    fn is_alone(&self, node: usize, looks: &mut usize) -> bool {
        let mut found = BTreeMap::from([(node, 1)]);
        let mut work = vec![node];
        while let Some(at) = work.pop() {
            for (to, edge) in &self.edges[at] {
                *looks += 1;
                if matches!(edge, RuleEdge::Pure(_)) {
                    let times = found.entry(*to).or_insert_with(|| {
                        work.push(*to);
                        0
                    });
                    *times += 1;
                }
            }
        }
        found.into_iter().all(|(node, times)| times == self.degrees[node])
    }
}

/// Returns the edges that can be reached from the start, outside patterns.
fn reachable(automaton: &Automaton) -> Vec<(Node, &Edge)> {
    let mut seen = IdVec::<Node, bool>::filled(false, automaton.nodes.len());
    let (mut work, mut found) = (vec![automaton.start], Vec::new());
    seen[automaton.start] = true;
    while let Some(node) = work.pop() {
        for edge in &automaton.nodes[node] {
            found.push((node, edge));
            if !std::mem::replace(&mut seen[edge.target], true) {
                work.push(edge.target);
            }
        }
    }
    found
}
