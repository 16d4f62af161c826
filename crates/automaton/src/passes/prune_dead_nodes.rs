//! Removes nodes that no move and no check can use, edges to them, patterns and tables that no edge mentions, and
//! numbers what is left densely in the old order.
//!
//! A node of the rules is of use when it can be reached from the start and some path from it ends a move; one of a
//! pattern, when it can be reached from the pattern's start and leads to its acceptance. Where a move ends is kept even
//! if nothing follows: that is how games end. The start, the ends of patterns and where repetition leads are kept too.
//! The reason why games end in a node goes with it.

use crate::action::{Action, ActionKind};
use crate::draft::{Draft, Edge};
use crate::ids::{Id, IdVec, Node, Pattern, Table};
use crate::lists::Lists;
use crate::passes::rename_nodes;

/// See the module's text.
pub fn prune_dead_nodes(draft: &mut Draft) -> bool {
    let before = (draft.nodes.len(), draft.edge_count(), draft.patterns.len(), draft.tables.len());
    let useful = useful(draft);
    for edges in draft.nodes.values_mut() {
        edges.retain(|edge| edge.action.kind() == ActionKind::Control || useful[edge.target]);
    }
    let reached = reached(draft);
    drop_patterns(draft, &reached.patterns);
    drop_tables(draft, &reached);
    drop_nodes(draft, &reached.nodes);
    before != (draft.nodes.len(), draft.edge_count(), draft.patterns.len(), draft.tables.len())
}

/// The nodes from which a move or a pattern can be completed.
fn useful(draft: &Draft) -> IdVec<Node, bool> {
    let is_control = |edge: &Edge| edge.action.kind() == ActionKind::Control;
    let within = draft.edges().filter(|(_, edge)| !is_control(edge));
    let within = within.map(|(from, edge)| (edge.target.index(), from));
    let sources = Lists::grouped(draft.nodes.len(), within);
    let mut work: Vec<Node> = draft.patterns.values().map(|pattern| pattern.accept).collect();
    work.extend(draft.edges().filter(|(_, edge)| is_control(edge)).map(|(from, _)| from));
    let mut useful = IdVec::filled(false, draft.nodes.len());
    while let Some(node) = work.pop() {
        if !std::mem::replace(&mut useful[node], true) {
            work.extend_from_slice(&sources[node.index()]);
        }
    }
    useful
}

struct Reached {
    nodes: IdVec<Node, bool>,
    patterns: IdVec<Pattern, bool>,
    tables: IdVec<Table, bool>,
}

fn reached(draft: &Draft) -> Reached {
    let mut reached = Reached {
        nodes: IdVec::filled(false, draft.nodes.len()),
        patterns: IdVec::filled(false, draft.patterns.len()),
        tables: IdVec::filled(false, draft.tables.len()),
    };
    let mut work = vec![draft.start];
    work.extend(draft.repetition.iter().map(|repetition| repetition.over));
    while let Some(node) = work.pop() {
        if std::mem::replace(&mut reached.nodes[node], true) {
            continue;
        }
        for edge in &draft.nodes[node] {
            work.push(edge.target);
            if let Some(pattern) = edge.action.pattern() {
                reached.patterns[pattern] = true;
                work.extend([draft.patterns[pattern].start, draft.patterns[pattern].accept]);
            }
            if let Action::Walk(table) = edge.action {
                reached.tables[table] = true;
            }
        }
    }
    reached
}

fn drop_patterns(draft: &mut Draft, keep: &IdVec<Pattern, bool>) {
    let renamed = dense(keep);
    retain(&mut draft.patterns, keep);
    for edge in draft.nodes.values_mut().flatten() {
        if let Action::Check(pattern) | Action::CheckNot(pattern) = &mut edge.action
            && keep[*pattern]
        {
            *pattern = renamed[*pattern];
        }
    }
}

fn drop_tables(draft: &mut Draft, reached: &Reached) {
    let renamed = dense(&reached.tables);
    retain(&mut draft.tables, &reached.tables);
    for edge in draft.nodes.values_mut().flatten() {
        if let Action::Walk(table) = &mut edge.action
            && reached.tables[*table]
        {
            *table = renamed[*table];
        }
    }
}

fn drop_nodes(draft: &mut Draft, keep: &IdVec<Node, bool>) {
    let renamed = dense(keep);
    retain(&mut draft.nodes, keep);
    draft.endings.at.retain(|node, _| keep[*node]);
    rename_nodes(draft, |node| renamed[node]);
}

/// The new numbers of what is kept.
fn dense<K: Id>(keep: &IdVec<K, bool>) -> IdVec<K, K> {
    let mut next = 0;
    keep.values()
        .map(|&keep| {
            let id = K::from_index(next);
            next += usize::from(keep);
            id
        })
        .collect()
}

fn retain<K: Id, V>(items: &mut IdVec<K, V>, keep: &IdVec<K, bool>) {
    let old = std::mem::take(items);
    *items = old
        .into_values()
        .zip(keep.values())
        .filter(|(_, keep)| **keep)
        .map(|(item, _)| item)
        .collect();
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::passes::testing::check;

    #[test]
    fn what_cannot_end_a_move_goes_and_where_games_end_stays() {
        check(
            prune_dead_nodes,
            "rules n0
               n0: on {w} -> n1
                   on {e} -> n2
               n1: shift left -> n1
               n2: keeper #1 -> n4
               n3: keeper #2 -> n0
               n4:",
            "rules n0
               n0: on {e} -> n1
               n1: keeper #1 -> n2
               n2:",
        );
    }

    #[test]
    fn unused_patterns_and_tables_are_removed() {
        check(
            prune_dead_nodes,
            "tables
               t0 everywhere: p
               t1 everywhere: q
             patterns
               k0 n2 -> n3
               k1 n4 -> n5
             rules n0
               n0: check k1 -> n1
               n1: keeper #1 -> n0
               n2: walk t0 -> n3
               n3:
               n4: walk t1 -> n5
                   shift left -> n6
               n5:
               n6: on {w} -> n6",
            "tables
               t0 everywhere: q
             patterns
               k0 n2 -> n3
             rules n0
               n0: check k0 -> n1
               n1: keeper #1 -> n0
               n2: walk t0 -> n3
               n3:",
        );
    }

    #[test]
    fn reasons_go_with_their_nodes_and_where_repetition_leads_stays() {
        check(
            prune_dead_nodes,
            "rules n0
               n0: keeper #1 -> n2
               n1:
               n2:
               n3:
               n4:
             endings
               n1: \"never\"
               n2: \"at once\"
               n4: \"again\" drawn \"and again\"
               stuck: \"{stuck} has no move\"
             repetition 3 over n4: white 50, black 50 ignoring turn",
            "rules n0
               n0: keeper #1 -> n1
               n1:
               n2:
             endings
               n1: \"at once\"
               n2: \"again\" drawn \"and again\"
               stuck: \"{stuck} has no move\"
             repetition 3 over n2: white 50, black 50 ignoring turn",
        );
    }
}
