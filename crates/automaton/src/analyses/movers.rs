//! Who may be in control at a node.

use crate::action::Action;
use crate::draft::Draft;
use crate::ids::{IdVec, Node};

/// Who may be in control at a node of the rules; neither at nodes of patterns and at unreachable ones.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Movers {
    /// The keeper may be.
    pub keeper: bool,
    /// Some player may be.
    pub player: bool,
}

/// For each node, who may be in control there.
#[must_use]
pub fn movers(draft: &Draft) -> IdVec<Node, Movers> {
    let mut movers = IdVec::filled(Movers::default(), draft.nodes.len());
    let mut work = vec![(draft.start, false)];
    while let Some((node, player)) = work.pop() {
        let seen = if player { &mut movers[node].player } else { &mut movers[node].keeper };
        if std::mem::replace(seen, true) {
            continue;
        }
        for edge in &draft.nodes[node] {
            let player = match edge.action {
                Action::Turn(_) => true,
                Action::Keeper => false,
                _ => player,
            };
            work.push((edge.target, player));
        }
    }
    movers
}
