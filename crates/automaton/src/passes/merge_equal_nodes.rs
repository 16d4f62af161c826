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

use crate::action::Action;
use crate::draft::{Draft, Edge};
use crate::ids::{Id, IdVec, Modifier, Node, Pattern};
use crate::passes::rename_nodes;
use crate::verify::{Region, regions};

/// How many edges may be looked at; beyond it the automaton is left as it is.
const WORK: usize = 2_000_000;

/// See the module's text.
pub fn merge_equal_nodes(draft: &mut Draft) -> bool {
    merge_patterns(draft) | merge_nodes(draft)
}

/// Case (1).
fn merge_patterns(draft: &mut Draft) -> bool {
    let Some(classes) = equivalence(draft, |_| 0) else { return false };
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

/// Case (2).
fn merge_nodes(draft: &mut Draft) -> bool {
    let regions = regions(draft);
    let region = |node: Node| match regions[node].as_slice() {
        [Region::Rules] => 1,
        [Region::Pattern(pattern)] => pattern.index() + 2,
        _ => 0,
    };
    let Some(classes) = equivalence(draft, |node| (region(node), draft.endings.at.get(&node)))
    else {
        return false;
    };
    let mut first = BTreeMap::new();
    let mut renamed: IdVec<Node, Node> = draft.nodes.keys().collect();
    let mut changed = false;
    // Nodes that nothing reaches are left to the pass that removes them.
    for node in draft.nodes.keys().filter(|&node| !regions[node].is_empty()) {
        renamed[node] = *first.entry(classes[node]).or_insert(node);
        if renamed[node] != node {
            draft.nodes[node].clear();
            changed = true;
        }
    }
    rename_nodes(draft, |node| renamed[node]);
    changed
}

/// A class for every node, equal for equivalent ones among those with the same `kind`; `None` if it would take too long.
///
/// Classes are split until all nodes of each have the same edges to the same classes. After a split only the nodes that lead
/// to those that were split off are looked at again.
fn equivalence<K: Ord>(draft: &Draft, kind: impl Fn(Node) -> K) -> Option<IdVec<Node, usize>> {
    let mut accepts = IdVec::<Node, bool>::filled(false, draft.nodes.len());
    for pattern in draft.patterns.values() {
        accepts[pattern.accept] = true;
    }
    let mut numbers = BTreeMap::new();
    let mut number = |node| {
        let next = numbers.len();
        *numbers.entry((kind(node), accepts[node])).or_insert(next)
    };
    let classes: IdVec<Node, usize> = draft.nodes.keys().map(&mut number).collect();
    let mut members: Vec<Vec<Node>> = vec![Vec::new(); numbers.len()];
    for (node, &class) in classes.iter() {
        members[class].push(node);
    }
    let (actions, users) = (number_actions(draft), users(draft));
    let mut partition = Partition { draft, actions, classes, members };
    let mut open: Vec<Node> = draft.nodes.keys().collect();
    let mut is_open = IdVec::<Node, bool>::filled(true, draft.nodes.len());
    let mut work = 0;
    while !open.is_empty() {
        work += open.iter().map(|&node| 1 + draft.nodes[node].len()).sum::<usize>();
        if work > WORK {
            return None;
        }
        let moved = partition.split(&open, &is_open);
        open.drain(..).for_each(|node| is_open[node] = false);
        for &user in moved.into_iter().flat_map(|node| &users[node]) {
            if !std::mem::replace(&mut is_open[user], true) {
                open.push(user);
            }
        }
    }
    Some(partition.classes)
}

/// What an edge does, in numbers: its action and modifier, its target's class, and those of its pattern.
type EdgeSignature = [usize; 4];

/// Nodes in classes.
struct Partition<'a> {
    draft: &'a Draft,
    actions: IdVec<Node, Vec<usize>>,
    classes: IdVec<Node, usize>,
    members: Vec<Vec<Node>>,
}

impl Partition<'_> {
    /// Splits the classes of some nodes, the only ones that may differ from others of their classes. Returns the nodes that
    /// are in a new class.
    fn split(&mut self, open: &[Node], is_open: &IdVec<Node, bool>) -> Vec<Node> {
        let mut found: Vec<(usize, Vec<EdgeSignature>, Node)> =
            open.iter().map(|&node| (self.classes[node], self.signature(node), node)).collect();
        found.sort_unstable();
        let mut moved = Vec::new();
        for class in found.chunk_by(|one, other| one.0 == other.0) {
            let number = class[0].0;
            // Those that are not looked at are alike, and stay; where there are none, the largest part does.
            let other = self.members[number].iter().find(|&&node| !is_open[node]);
            let staying = other.map(|&node| self.signature(node)).unwrap_or_else(|| {
                let parts = class.chunk_by(|one, other| one.1 == other.1);
                parts.max_by_key(|part| part.len()).map_or(Vec::new(), |part| part[0].1.clone())
            });
            let first = moved.len();
            for part in class.chunk_by(|one, other| one.1 == other.1) {
                if part[0].1 != staying {
                    let nodes: Vec<Node> = part.iter().map(|(_, _, node)| *node).collect();
                    moved.extend(&nodes);
                    nodes.iter().for_each(|&node| self.classes[node] = self.members.len());
                    self.members.push(nodes);
                }
            }
            if moved.len() > first {
                let Partition { classes, members, .. } = self;
                members[number].retain(|&node| classes[node] == number);
            }
        }
        moved
    }

    fn signature(&self, node: Node) -> Vec<EdgeSignature> {
        let edges = self.draft.nodes[node].iter().zip(&self.actions[node]);
        let mut signature: Vec<EdgeSignature> = edges
            .map(|(edge, &action)| {
                let [start, accept] = edge.action.pattern().map_or([0, 0], |pattern| {
                    let info = self.draft.patterns[pattern];
                    [self.classes[info.start], self.classes[info.accept]]
                });
                [action, self.classes[edge.target], start, accept]
            })
            .collect();
        signature.sort_unstable();
        signature.dedup();
        signature
    }
}

/// For each node the nodes with an edge to it, or with a check that begins or ends with it.
fn users(draft: &Draft) -> IdVec<Node, Vec<Node>> {
    let mut users = IdVec::<Node, Vec<Node>>::filled(Vec::new(), draft.nodes.len());
    for (node, edge) in draft.edges() {
        let info = edge.action.pattern().map(|pattern| draft.patterns[pattern]);
        let ends = info.into_iter().flat_map(|info| [info.start, info.accept]);
        ends.chain([edge.target]).for_each(|target| users[target].push(node));
    }
    users
}

/// A number for every action with its modifier, the same for equal ones; checks are told apart by their patterns' classes
/// instead.
fn number_actions<'d>(draft: &'d Draft) -> IdVec<Node, Vec<usize>> {
    let mut numbers: HashMap<(&Action, Option<Modifier>), usize> = HashMap::new();
    let mut number = |edge: &'d Edge| {
        let Edge { action, modifier, .. } = edge;
        let action = match action {
            Action::Check(_) => &Action::Check(Pattern(0)),
            Action::CheckNot(_) => &Action::CheckNot(Pattern(0)),
            other => other,
        };
        let next = numbers.len();
        *numbers.entry((action, *modifier)).or_insert(next)
    };
    draft.nodes.values().map(|edges| edges.iter().map(&mut number).collect()).collect()
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
