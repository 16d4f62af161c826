//! Takes an action that several alternatives begin with only once.
//!
//! ```text
//! a: x -> b             a: x -> b
//!    x -> c     ==>     b: … and the edges c had
//! b: …
//! c: …
//! ```
//!
//! 1. The two edges have the same action and the same modifier.
//! 2. b and c are the same node, or nothing else leads to b or to c; so nothing is copied.
//!
//! No move ends in b or c if they are different, because edges that end moves have a modifier, and those of one modifier
//! lead to one node; so reasons why games end are where they were.
//!
//! Taking the action in a is the determinising that pays: it never makes the automaton larger.

use std::collections::{BTreeMap, BTreeSet};

use crate::draft::{Draft, Edge};
use crate::ids::Node;
use crate::passes::in_degrees;

/// See the module's text.
pub fn share_prefixes(draft: &mut Draft) -> bool {
    let mut changed = false;
    let mut work: Vec<Node> = draft.nodes.keys().collect();
    let degrees = in_degrees(draft);
    while let Some(node) = work.pop() {
        let mut kept: Vec<Edge> = Vec::with_capacity(draft.nodes[node].len());
        let mut first = BTreeMap::new();
        let mut grown = BTreeSet::new();
        for edge in std::mem::take(&mut draft.nodes[node]) {
            let key = (edge.action.clone(), edge.modifier);
            let Some(&at) = first.get(&key) else {
                first.insert(key, kept.len());
                kept.push(edge);
                continue;
            };
            let shared = kept[at].target;
            if shared == edge.target {
                changed = true;
            } else if degrees[shared] == 1
                && degrees[edge.target] == 1
                && ![shared, edge.target].contains(&node)
            {
                let moved = std::mem::take(&mut draft.nodes[edge.target]);
                draft.nodes[shared].extend(moved);
                grown.insert(shared);
                changed = true;
            } else {
                kept.push(edge);
            }
        }
        draft.nodes[node] = kept;
        work.extend(grown);
    }
    changed
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::check;

    #[test]
    fn a_common_beginning_is_taken_once_all_the_way() {
        check(
            share_prefixes,
            "rules n0
               n0: shift left -> n1
                   shift left -> n2
               n1: on {w} -> n3
               n2: on {w} -> n4
               n3: keeper #1 -> n0
               n4: turn white #2 -> n0",
            "rules n0
               n0: shift left -> n1
               n1: on {w} -> n3
               n2:
               n3: keeper #1 -> n0
                   turn white #2 -> n0
               n4:",
        );
    }

    #[test]
    fn different_writes_are_different_moves() {
        let rules = "rules n0
               n0: put e #1 -> n1
                   put e #2 -> n2
               n1: keeper #3 -> n0
               n2: keeper #4 -> n0";
        check(share_prefixes, rules, rules);
    }

    #[test]
    fn nothing_is_copied_for_a_node_with_other_ways_in() {
        let rules = "rules n0
               n0: shift left -> n1
                   shift left -> n2
                   on {e} -> n2
               n1: keeper #1 -> n0
               n2: keeper #2 -> n0";
        check(share_prefixes, rules, rules);
    }

    #[test]
    fn the_same_edge_twice_is_once() {
        check(
            share_prefixes,
            "rules n0
               n0: on {e} -> n1
                   on {e} -> n1
               n1: keeper #1 -> n0",
            "rules n0
               n0: on {e} -> n1
               n1: keeper #1 -> n0",
        );
    }

    #[test]
    fn where_repetition_leads_is_not_shared() {
        let rules = "rules n0
               n0: shift left -> n1
                   shift left -> n2
               n1: keeper #1 -> n0
               n2:
             repetition 3 over n2: white 50, black 50";
        check(share_prefixes, rules, rules);
    }
}
