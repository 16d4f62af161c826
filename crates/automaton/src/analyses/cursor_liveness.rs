//! Whether the cursor matters at a node.
//!
//! Most turns begin with a walk from anywhere, so where the previous move left the cursor has no meaning. Engines
//! forget the cursor there, and positions that differ in nothing else become one.
//!
//! A player's move records the cursor with every write and with its end, so these read it; the keeper's moves are
//! not recorded.

use crate::action::Action;
use crate::analyses::movers::movers;
use crate::draft::{Draft, Edge, WalkTable};
use crate::ids::{IdVec, Node};

/// For each node, whether anything that follows may depend on the cursor.
#[must_use]
pub fn live_cursor(draft: &Draft) -> IdVec<Node, bool> {
    let movers = movers(draft);
    let mut live = IdVec::filled(false, draft.nodes.len());
    // Liveness only grows, so repeating until nothing changes ends; going backwards it takes few rounds.
    let mut changed = true;
    while changed {
        changed = false;
        for node in draft.nodes.keys().rev() {
            let now = live[node]
                || draft.nodes[node].iter().any(|edge| {
                    reads_cursor(draft, edge, movers[node].player, &live)
                        || (!sets_cursor(draft, &edge.action) && live[edge.target])
                });
            changed |= now != live[node];
            live[node] = now;
        }
    }
    live
}

fn reads_cursor(draft: &Draft, edge: &Edge, player: bool, live: &IdVec<Node, bool>) -> bool {
    match &edge.action {
        Action::Skip | Action::Recall(_) => false,
        Action::On(_) | Action::At(_) | Action::Shift(_) => true,
        Action::Put(_) | Action::PutHeld(_) | Action::Save(_) => true,
        Action::Walk(table) => matches!(draft.tables[*table], WalkTable::PerSquare(_)),
        Action::Compare(left, _, right) | Action::Jump(left, right) => {
            left.mentions_cursor() || right.mentions_cursor()
        }
        Action::Check(pattern) | Action::CheckNot(pattern) => live[draft.patterns[*pattern].start],
        Action::Assign(_, value) => player || value.mentions_cursor(),
        Action::Turn(_) | Action::Keeper => player,
    }
}

fn sets_cursor(draft: &Draft, action: &Action) -> bool {
    match action {
        Action::Walk(table) => matches!(draft.tables[*table], WalkTable::Everywhere(_)),
        Action::Recall(_) | Action::Jump(..) => true,
        _ => false,
    }
}
