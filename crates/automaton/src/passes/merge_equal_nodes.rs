//! Joins nodes from which the same can happen: the coarsest partition in which equivalent nodes have the same actions
//! to equivalent nodes (as in minimising a deterministic automaton).
//!
//! 1. Patterns with equivalent starts become one pattern; macros produce many such twins.
//! 2. Equivalent nodes of the rules, or of one pattern, become one node. Nodes of different patterns stay apart, so
//!    that a node always belongs to one region.
//!
//! The reason why games end in a node is part of what it is: nodes with different reasons, or one of which has none, are
//! not equivalent. The origin of an edge is not compared: of two equal edges the first is kept.

use std::collections::{BTreeMap, HashMap};
use std::ops::Range;

use crate::action::Action;
use crate::draft::{Draft, Edge};
use crate::ids::{Id, IdVec, Modifier, Node, Pattern};
use crate::lists::Lists;
use crate::passes::rename_nodes;
use crate::verify::{Region, Regions, regions};

/// How many edges may be looked at; beyond it the automaton is left as it is.
const WORK: usize = 2_000_000;

/// See the module's text.
pub fn merge_equal_nodes(draft: &mut Draft) -> bool {
    // Which actions are equal does not depend on which patterns are.
    let actions = number_actions(draft);
    merge_patterns(draft, &actions) | merge_nodes(draft, &actions)
}

/// Case (1).
fn merge_patterns(draft: &mut Draft, actions: &Lists<u32>) -> bool {
    if draft.patterns.len() < 2 {
        return false;
    }
    let Some(classes) = equivalence(draft, actions, pattern_nodes(draft), |_| 0) else {
        return false;
    };
    let mut first = BTreeMap::new();
    let renamed: IdVec<Pattern, Pattern> = draft
        .patterns
        .iter()
        .map(|(pattern, info)| {
            *first.entry((classes[info.start], classes[info.accept])).or_insert(pattern)
        })
        .collect();
    let mut changed = false;
    for edge in draft.nodes.values_mut().flatten() {
        if let Action::Check(pattern) | Action::CheckNot(pattern) = &mut edge.action {
            changed |= renamed[*pattern] != *pattern;
            *pattern = renamed[*pattern];
        }
    }
    changed
}

/// The nodes of all patterns.
fn pattern_nodes(draft: &Draft) -> Vec<Node> {
    let mut is_found = IdVec::<Node, bool>::filled(false, draft.nodes.len());
    let mut nodes = Vec::new();
    let mut open: Vec<Node> =
        draft.patterns.values().flat_map(|info| [info.start, info.accept]).collect();
    while let Some(node) = open.pop() {
        if !std::mem::replace(&mut is_found[node], true) {
            nodes.push(node);
            open.extend(draft.nodes[node].iter().map(|edge| edge.target));
        }
    }
    nodes
}

/// Case (2).
fn merge_nodes(draft: &mut Draft, actions: &Lists<u32>) -> bool {
    let regions = regions(draft);
    let region = |node: Node| match regions[node] {
        Regions::One(Region::Rules) => 1,
        Regions::One(Region::Pattern(pattern)) => pattern.index() + 2,
        Regions::None | Regions::Two(..) => 0,
    };
    let kind = |node| (region(node), draft.endings.at.get(&node));
    let nodes = draft.nodes.keys().collect();
    let Some(classes) = equivalence(draft, actions, nodes, kind) else { return false };
    let mut first = BTreeMap::new();
    let mut renamed: IdVec<Node, Node> = draft.nodes.keys().collect();
    let mut changed = false;
    // Nodes that nothing reaches are left to the pass that removes them.
    for node in draft.nodes.keys().filter(|&node| regions[node] != Regions::None) {
        renamed[node] = *first.entry(classes[node]).or_insert(node);
        if renamed[node] != node {
            draft.nodes[node].clear();
            changed = true;
        }
    }
    rename_nodes(draft, |node| renamed[node]);
    changed
}

/// A class for each of the nodes, equal for equivalent ones among those with the same `kind`; `None` if it would take too long.
/// No edge leads from them to others.
///
/// Classes are split until all nodes of each have the same edges to the same classes. After a split only the nodes that lead
/// to those that were split off are looked at again.
fn equivalence<K: Ord>(
    draft: &Draft,
    actions: &Lists<u32>,
    nodes: Vec<Node>,
    kind: impl Fn(Node) -> K,
) -> Option<IdVec<Node, u32>> {
    let mut accepts = IdVec::<Node, bool>::filled(false, draft.nodes.len());
    for pattern in draft.patterns.values() {
        accepts[pattern.accept] = true;
    }
    let mut numbers = BTreeMap::new();
    let mut classes = IdVec::<Node, u32>::filled(0, draft.nodes.len());
    let mut members: Vec<Vec<Node>> = Vec::new();
    for &node in &nodes {
        let class = *numbers.entry((kind(node), accepts[node])).or_insert(members.len());
        if class == members.len() {
            members.push(Vec::new());
        }
        classes[node] = class as u32;
        members[class].push(node);
    }
    let users = users(draft, &nodes);
    let mut partition = NodePartition { draft, actions, classes, members };
    let mut open = nodes;
    let mut is_open = IdVec::<Node, bool>::filled(false, draft.nodes.len());
    open.iter().for_each(|&node| is_open[node] = true);
    let mut work = 0;
    while !open.is_empty() {
        work += open.iter().map(|&node| 1 + draft.nodes[node].len()).sum::<usize>();
        if work > WORK {
            return None;
        }
        let moved = partition.split(&open, &is_open);
        open.drain(..).for_each(|node| is_open[node] = false);
        for &user in moved.into_iter().flat_map(|node| &users[node.index()]) {
            let is_alone = partition.members[partition.classes[user] as usize].len() == 1;
            if !is_alone && !std::mem::replace(&mut is_open[user], true) {
                open.push(user);
            }
        }
    }
    Some(partition.classes)
}

/// What an edge does, in numbers: its action and modifier, its target's class, and those of its pattern.
type EdgeSignature = [u32; 4];

/// A node whose class may have to be split, and where its signature is in a list of those of many nodes.
struct SplitCandidate {
    class: u32,
    signature: Range<usize>,
    node: Node,
}

/// Nodes in classes.
struct NodePartition<'a> {
    draft: &'a Draft,
    /// For each node the numbers of its edges' actions.
    actions: &'a Lists<u32>,
    classes: IdVec<Node, u32>,
    members: Vec<Vec<Node>>,
}

impl NodePartition<'_> {
    /// Splits the classes of some nodes, the only ones that may differ from others of their classes. Returns the nodes that
    /// are in a new class.
    fn split(&mut self, open: &[Node], is_open: &IdVec<Node, bool>) -> Vec<Node> {
        let mut signatures = Vec::new();
        let mut found: Vec<SplitCandidate> = Vec::with_capacity(open.len());
        for &node in open {
            let signature = self.add_signature(node, &mut signatures);
            found.push(SplitCandidate { class: self.classes[node], signature, node });
        }
        let key = |candidate: &SplitCandidate| {
            let SplitCandidate { class, signature, node } = candidate;
            (*class, &signatures[signature.clone()], *node)
        };
        found.sort_unstable_by(|one, other| key(one).cmp(&key(other)));
        let mut moved = Vec::new();
        for class in found.chunk_by(|one, other| one.class == other.class) {
            let number = class[0].class;
            // Those that are not looked at are alike, and stay; where there are none, the largest part does.
            let rest = self.members[number as usize].iter().find(|&&node| !is_open[node]);
            let rest = rest.map(|&node| self.add_signature(node, &mut signatures));
            let edges = |signature: &Range<usize>| &signatures[signature.clone()];
            let alike = |one: &SplitCandidate, other: &SplitCandidate| {
                edges(&one.signature) == edges(&other.signature)
            };
            let staying = rest.unwrap_or_else(|| {
                let largest = class.chunk_by(alike).max_by_key(|part| part.len());
                largest.map_or(0..0, |part| part[0].signature.clone())
            });
            let first = moved.len();
            for part in class.chunk_by(alike) {
                if edges(&part[0].signature) != edges(&staying) {
                    let nodes: Vec<Node> = part.iter().map(|candidate| candidate.node).collect();
                    moved.extend(&nodes);
                    let next = self.members.len() as u32;
                    nodes.iter().for_each(|&node| self.classes[node] = next);
                    self.members.push(nodes);
                }
            }
            if moved.len() > first {
                let NodePartition { classes, members, .. } = self;
                members[number as usize].retain(|&node| classes[node] == number);
            }
        }
        moved
    }

    /// Adds what the edges of a node do to a list, each once and in order. Returns where they are.
    fn add_signature(&self, node: Node, signatures: &mut Vec<EdgeSignature>) -> Range<usize> {
        let first = signatures.len();
        let edges = self.draft.nodes[node].iter().zip(&self.actions[node.index()]);
        signatures.extend(edges.map(|(edge, &action)| {
            let [start, accept] = edge.action.pattern().map_or([0, 0], |pattern| {
                let info = self.draft.patterns[pattern];
                [self.classes[info.start], self.classes[info.accept]]
            });
            [action, self.classes[edge.target], start, accept]
        }));
        signatures[first..].sort_unstable();
        let mut end = first;
        for index in first..signatures.len() {
            if index == first || signatures[index] != signatures[end - 1] {
                signatures[end] = signatures[index];
                end += 1;
            }
        }
        signatures.truncate(end);
        first..end
    }
}

/// For each node those of the given nodes that have an edge to it, or a check that begins or ends with it, and may be named
/// several times.
fn users(draft: &Draft, nodes: &[Node]) -> Lists<Node> {
    let uses = nodes.iter().flat_map(|&node| {
        draft.nodes[node].iter().flat_map(move |edge| {
            let info = edge.action.pattern().map(|pattern| draft.patterns[pattern]);
            let ends = info.into_iter().flat_map(|info| [info.start, info.accept]);
            ends.chain([edge.target]).map(move |target| (target.index(), node))
        })
    });
    Lists::grouped(draft.nodes.len(), uses)
}

/// For the edges of each node a number of the action with its modifier, the same for equal ones; checks are told apart by
/// their patterns' classes instead.
fn number_actions(draft: &Draft) -> Lists<u32> {
    let mut numbers: HashMap<(&Action, Option<Modifier>), u32> = HashMap::new();
    let mut lists = Lists::new();
    for edges in draft.nodes.values() {
        lists.push(edges.iter().map(|Edge { action, modifier, .. }| {
            let action = match action {
                Action::Check(_) => &Action::Check(Pattern(0)),
                Action::CheckNot(_) => &Action::CheckNot(Pattern(0)),
                other => other,
            };
            let next = numbers.len() as u32;
            *numbers.entry((action, *modifier)).or_insert(next)
        }));
    }
    lists
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::check;

    #[test]
    fn equal_continuations_are_one() {
        check(
            merge_equal_nodes,
            "rules n0
               n0: shift left -> n1
                   shift right -> n2
               n1: on {e} -> n3
               n2: on {e} -> n3
               n3: keeper #1 -> n0",
            "rules n0
               n0: shift left -> n1
                   shift right -> n1
               n1: on {e} -> n3
               n2:
               n3: keeper #1 -> n0",
        );
    }

    #[test]
    fn equal_loops_are_one() {
        check(
            merge_equal_nodes,
            "rules n0
               n0: on {w} -> n1
                   on {b} -> n2
               n1: shift left -> n1
                   on {e} -> n3
               n2: shift left -> n2
                   on {e} -> n3
               n3: keeper #1 -> n0",
            "rules n0
               n0: on {w} -> n1
                   on {b} -> n1
               n1: shift left -> n1
                   on {e} -> n3
               n2:
               n3: keeper #1 -> n0",
        );
    }

    #[test]
    fn different_modifiers_keep_nodes_apart() {
        let rules = "rules n0
               n0: shift left -> n1
                   shift right -> n2
               n1: put e #1 -> n3
               n2: put e #2 -> n3
               n3: keeper #3 -> n0";
        check(merge_equal_nodes, rules, rules);
    }

    #[test]
    fn twin_patterns_become_one_and_different_ones_share_no_node() {
        check(
            merge_equal_nodes,
            "patterns
               k0 n2 -> n3
               k1 n4 -> n5
               k2 n6 -> n8
             rules n0
               n0: check k0 -> n1
                   check not k1 -> n1
                   check k2 -> n1
               n1: keeper #1 -> n0
               n2: on {w} -> n3
               n3:
               n4: on {w} -> n5
               n5:
               n6: shift left -> n7
               n7: on {w} -> n8
               n8:",
            "patterns
               k0 n2 -> n3
               k1 n4 -> n5
               k2 n6 -> n8
             rules n0
               n0: check k0 -> n1
                   check not k0 -> n1
                   check k2 -> n1
               n1: keeper #1 -> n0
               n2: on {w} -> n3
               n3:
               n4: on {w} -> n5
               n5:
               n6: shift left -> n7
               n7: on {w} -> n8
               n8:",
        );
    }

    #[test]
    fn nodes_with_different_reasons_stay_apart() {
        check(
            merge_equal_nodes,
            "rules n0
               n0: keeper #1 -> n1
                   keeper #2 -> n2
                   keeper #3 -> n3
                   keeper #4 -> n4
                   keeper #5 -> n5
               n1:
               n2:
               n3:
               n4:
               n5:
             endings
               n2: \"white won\"
               n3: \"black won\"
               n4: \"white won\"
             repetition 3 over n5: white 50, black 50",
            "rules n0
               n0: keeper #1 -> n1
                   keeper #2 -> n2
                   keeper #3 -> n3
                   keeper #4 -> n2
                   keeper #5 -> n1
               n1:
               n2:
               n3:
               n4:
               n5:
             endings
               n2: \"white won\"
               n3: \"black won\"
             repetition 3 over n1: white 50, black 50",
        );
    }
}
