//! Joins nodes from which the same can happen: the coarsest partition in which equivalent nodes have the same actions
//! to equivalent nodes (as in minimising a deterministic automaton).
//!
//! 1. Patterns with equivalent starts become one pattern; macros produce many such twins.
//! 2. Equivalent nodes of the rules, or of one pattern, become one node. Nodes of different patterns stay apart, so
//!    that a node always belongs to one region.
//!
//! The reason why games end in a node is part of what it is: nodes with different reasons, or one of which has none, are
//! not equivalent. The origin of an edge is not compared: of two equal edges the first is kept.

use std::collections::BTreeMap;

use crate::action::Action;
use crate::draft::Draft;
use crate::ids::{Id, IdVec, Node, Pattern};
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

/// A class for every node, equal for equivalent ones among those with the same `kind`; nothing when it would take too
/// long.
fn equivalence<K: Ord>(draft: &Draft, kind: impl Fn(Node) -> K) -> Option<IdVec<Node, usize>> {
    let mut accepts = IdVec::<Node, bool>::filled(false, draft.nodes.len());
    for pattern in draft.patterns.values() {
        accepts[pattern.accept] = true;
    }
    let actions = number_actions(draft);
    let mut classes: IdVec<Node, usize> = IdVec::filled(0, draft.nodes.len());
    let mut count = 0;
    let mut work = 0;
    loop {
        let mut numbers = BTreeMap::new();
        let refined: IdVec<Node, usize> = draft
            .nodes
            .iter()
            .map(|(node, edges)| {
                let mut signature: Vec<_> = edges
                    .iter()
                    .zip(&actions[node])
                    .map(|(edge, &action)| {
                        let pattern = edge.action.pattern().map(|pattern| {
                            let info = draft.patterns[pattern];
                            (classes[info.start], classes[info.accept])
                        });
                        (action, pattern, edge.modifier, classes[edge.target])
                    })
                    .collect();
                signature.sort_unstable();
                signature.dedup();
                let next = numbers.len();
                *numbers
                    .entry((kind(node), accepts[node], classes[node], signature))
                    .or_insert(next)
            })
            .collect();
        classes = refined;
        work += draft.edge_count() + draft.nodes.len();
        if numbers.len() == count {
            return Some(classes);
        }
        if work > WORK {
            return None;
        }
        count = numbers.len();
    }
}

/// A number for every action, the same for equal ones; checks are told apart by their patterns' classes instead.
fn number_actions(draft: &Draft) -> IdVec<Node, Vec<usize>> {
    let mut numbers: BTreeMap<Action, usize> = BTreeMap::new();
    draft
        .nodes
        .values()
        .map(|edges| {
            edges
                .iter()
                .map(|edge| {
                    let action = match &edge.action {
                        Action::Check(_) => Action::Check(Pattern(0)),
                        Action::CheckNot(_) => Action::CheckNot(Pattern(0)),
                        other => other.clone(),
                    };
                    let next = numbers.len();
                    *numbers.entry(action).or_insert(next)
                })
                .collect()
        })
        .collect()
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
