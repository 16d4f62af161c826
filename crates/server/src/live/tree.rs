//! The positions of a match: a tree, since moves can be taken back and others played instead.

use regulus_automaton::{Id as _, Player};
use regulus_engine::Move;
use serde_json::{Value, json};

/// The tree of a match. Node 0 is the first position.
#[derive(Clone, Debug)]
pub(crate) struct MatchTree {
    nodes: Vec<MatchNode>,
}

/// A position and the move that led to it.
#[derive(Clone, Debug)]
pub(crate) struct MatchNode {
    /// The node before it; its own number for the first one.
    pub(crate) parent: usize,
    /// `None` for the first position.
    pub(crate) arrival: Option<TreeMove>,
}

/// A move of the tree.
#[derive(Clone, Debug)]
pub(crate) struct TreeMove {
    pub(crate) player: Player,
    /// The steps; empty until they are needed, for moves that were read from the archive.
    pub(crate) steps: Move,
    /// As the language of the game writes it.
    pub(crate) name: String,
    /// What the player expected of it, if a computer played it.
    pub(crate) value: Option<f64>,
}

impl MatchTree {
    pub(crate) fn new() -> MatchTree {
        MatchTree { nodes: vec![MatchNode { parent: 0, arrival: None }] }
    }

    pub(crate) fn len(&self) -> usize {
        self.nodes.len()
    }

    pub(crate) fn get(&self, node: usize) -> Option<&MatchNode> {
        self.nodes.get(node)
    }

    /// The move that led to a node, to be completed; `None` for the first position.
    pub(crate) fn arrival_mut(&mut self, node: usize) -> Option<&mut TreeMove> {
        self.nodes.get_mut(node)?.arrival.as_mut()
    }

    /// The node that a move leads to; `None` if it was not played before.
    pub(crate) fn find(&self, parent: usize, name: &str) -> Option<usize> {
        // Nodes are fewer than a few thousand, and games go on at the end.
        self.nodes.iter().rposition(|node| {
            node.parent == parent
                && node.arrival.as_ref().is_some_and(|arrival| arrival.name == name)
        })
    }

    /// Adds a position; returns its number.
    pub(crate) fn add(&mut self, parent: usize, arrival: TreeMove) -> usize {
        self.nodes.push(MatchNode { parent, arrival: Some(arrival) });
        self.nodes.len() - 1
    }

    /// The nodes from the first position, without it, to a node.
    pub(crate) fn path(&self, node: usize) -> Vec<usize> {
        let mut path = Vec::new();
        let mut at = node;
        while at != 0 && path.len() < self.nodes.len() {
            path.push(at);
            at = self.nodes[at].parent;
        }
        path.reverse();
        path
    }

    /// The nodes from a number on, for the page.
    pub(crate) fn to_json(&self, from: usize) -> Vec<Value> {
        let nodes = self.nodes.iter().enumerate().skip(from);
        nodes
            .map(|(id, node)| match &node.arrival {
                None => {
                    json!({ "id": id, "parent": null, "move": null, "player": null, "value": null })
                }
                Some(arrival) => json!({
                    "id": id, "parent": node.parent, "move": arrival.name,
                    "player": arrival.player.index(), "value": arrival.value,
                }),
            })
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn variations_share_their_beginning() {
        let mut tree = MatchTree::new();
        let played = |name: &str| TreeMove {
            player: Player(0),
            steps: Move::default(),
            name: name.to_owned(),
            value: None,
        };
        let first = tree.add(0, played("a"));
        let second = tree.add(first, played("b"));
        let other = tree.add(first, played("c"));
        assert_eq!(tree.path(second), [first, second]);
        assert_eq!(tree.path(other), [first, other]);
        assert_eq!(tree.find(first, "c"), Some(other));
        assert_eq!(tree.find(second, "c"), None);
    }
}
