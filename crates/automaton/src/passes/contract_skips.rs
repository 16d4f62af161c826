//! Joins the two ends of an edge that does nothing.
//!
//! ```text
//! a: skip -> b          (1) nothing else leaves a:  whatever leads to a leads to b
//! a: skip -> b, …       (2) nothing else leads to b: its edges become a's
//! ```
//!
//! Where neither holds, joining would copy edges, and the skip stays. A pattern's accepting node is never given away
//! under (2), because reaching it is what counts. Under (1) neither a nor b may have a reason why games end there: a move
//! that ended in a would end in b, for another reason. Under (2) no move ends in b.

use crate::action::Action;
use crate::draft::Draft;
use crate::ids::{IdVec, Node};
use crate::passes::{in_degrees, rename_nodes};

/// See the module's text.
pub fn contract_skips(draft: &mut Draft) -> bool {
    let before = draft.edge_count();
    for (node, edges) in
        draft.nodes.keys().collect::<Vec<_>>().into_iter().zip(draft.nodes.values_mut())
    {
        edges.retain(|edge| edge.action != Action::Skip || edge.target != node);
    }
    pass_through(draft);
    absorb(draft);
    draft.edge_count() != before
}

/// Case (1).
fn pass_through(draft: &mut Draft) {
    let mut accepts = IdVec::<Node, bool>::filled(false, draft.nodes.len());
    for pattern in draft.patterns.values() {
        accepts[pattern.accept] = true;
    }
    let reasons = &draft.endings.at;
    let next: IdVec<Node, Option<Node>> = draft
        .nodes
        .iter()
        .map(|(node, edges)| match edges.as_slice() {
            [edge] if edge.action == Action::Skip && !accepts[node] => Some(edge.target)
                .filter(|target| !reasons.contains_key(&node) && !reasons.contains_key(target)),
            _ => None,
        })
        .collect();
    let renamed = ends_of_chains(&next);
    for node in draft.nodes.keys() {
        if renamed[node] != node {
            draft.nodes[node].clear();
        }
    }
    rename_nodes(draft, |node| renamed[node]);
}

/// For each node the end of the chain of skips that starts there; a cycle of skips ends in one of its nodes.
fn ends_of_chains(next: &IdVec<Node, Option<Node>>) -> IdVec<Node, Node> {
    let mut ends: IdVec<Node, Option<Node>> = IdVec::filled(None, next.len());
    let mut on_chain = IdVec::<Node, bool>::filled(false, next.len());
    for start in next.keys() {
        let mut chain = Vec::new();
        let mut node = start;
        let end = loop {
            if let Some(end) = ends[node] {
                break end;
            }
            match next[node] {
                Some(target) if !std::mem::replace(&mut on_chain[node], true) => {
                    chain.push(node);
                    node = target;
                }
                _ => break node,
            }
        };
        ends[node] = Some(end);
        for node in chain {
            ends[node] = Some(end);
        }
    }
    ends.values().zip(next.keys()).map(|(end, node)| end.unwrap_or(node)).collect()
}

/// Case (2).
fn absorb(draft: &mut Draft) {
    let degrees = in_degrees(draft);
    for node in draft.nodes.keys() {
        let mut index = 0;
        while let Some(edge) = draft.nodes[node].get(index) {
            let target = edge.target;
            if edge.action == Action::Skip && target != node && degrees[target] == 1 {
                let absorbed = std::mem::take(&mut draft.nodes[target]);
                draft.nodes[node].splice(index..=index, absorbed);
            } else {
                index += 1;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::check;

    #[test]
    fn a_lone_skip_is_passed_through() {
        check(
            contract_skips,
            "rules n0
               n0: on {w} -> n1
               n1: skip -> n2
               n2: keeper #1 -> n0",
            "rules n0
               n0: on {w} -> n2
               n1:
               n2: keeper #1 -> n0",
        );
    }

    #[test]
    fn a_node_reached_by_one_skip_only_is_absorbed() {
        check(
            contract_skips,
            "rules n0
               n0: skip -> n1
                   skip -> n2
               n1: on {w} -> n3
               n2: on {e} -> n3
               n3: keeper #1 -> n0",
            "rules n0
               n0: on {w} -> n3
                   on {e} -> n3
               n1:
               n2:
               n3: keeper #1 -> n0",
        );
    }

    #[test]
    fn a_skip_to_a_busy_node_stays() {
        let rules = "rules n0
               n0: skip -> n1
                   on {w} -> n1
               n1: keeper #1 -> n0";
        check(contract_skips, rules, rules);
    }

    #[test]
    fn cycles_of_skips_end() {
        check(
            contract_skips,
            "rules n0
               n0: on {w} -> n1
               n1: skip -> n2
               n2: skip -> n1",
            "rules n0
               n0: on {w} -> n1
               n1: skip -> n1
               n2:",
        );
    }

    #[test]
    fn an_accepting_node_is_never_given_away() {
        let rules = "patterns
               k0 n1 -> n2
             rules n0
               n0: check k0 -> n3
               n1: skip -> n2
                   on {w} -> n2
               n2:
               n3: keeper #1 -> n0";
        check(contract_skips, rules, rules);
    }

    #[test]
    fn a_node_with_a_reason_is_not_passed_through() {
        let rules = "rules n0
               n0: keeper #1 -> n1
                   keeper #2 -> n2
                   keeper #3 -> n4
               n1: skip -> n3
               n2: skip -> n1
               n3: on {w} -> n3
               n4: skip -> n3
             endings
               n1: \"white is tired\"";
        let after = "rules n0
               n0: keeper #1 -> n1
                   keeper #2 -> n2
                   keeper #3 -> n3
               n1: skip -> n3
               n2: skip -> n1
               n3: on {w} -> n3
               n4:
             endings
               n1: \"white is tired\"";
        check(contract_skips, rules, after);
    }

    #[test]
    fn where_repetition_leads_is_not_absorbed() {
        let rules = "rules n0
               n0: skip -> n1
                   keeper #1 -> n0
               n1:
             repetition 3 over n1: white 50, black 50";
        check(contract_skips, rules, rules);
    }
}
