//! The strongly connected components of a graph over nodes, in linear time and without recursion.

use crate::ids::{Id as _, IdVec, Node};
use crate::lists::Lists;

/// The number of each node's component: nodes that can reach each other share one, and a component has a greater
/// number than those it leads to.
#[must_use]
pub fn components(successors: &Lists<Node>) -> IdVec<Node, u32> {
    let mut search = ComponentSearch {
        successors,
        entered: IdVec::filled(None, successors.len()),
        lowest: IdVec::filled(0, successors.len()),
        component: IdVec::filled(None, successors.len()),
        open: Vec::new(),
        entered_count: 0,
        component_count: 0,
    };
    for root in 0..successors.len() {
        search.from(Node::from_index(root));
    }
    // Every node was a root or was entered from one, and left in a component.
    search.component.values().map(|component| component.unwrap_or(0)).collect()
}

/// Tarjan's algorithm with its own stack of calls.
struct ComponentSearch<'a> {
    successors: &'a Lists<Node>,
    /// When the node was entered.
    entered: IdVec<Node, Option<u32>>,
    /// The earliest open node known to be reachable.
    lowest: IdVec<Node, u32>,
    component: IdVec<Node, Option<u32>>,
    /// The nodes entered but not yet in a component.
    open: Vec<Node>,
    entered_count: u32,
    component_count: u32,
}

impl ComponentSearch<'_> {
    fn from(&mut self, root: Node) {
        let mut calls = Vec::new();
        if self.entered[root].is_none() {
            self.enter(root, &mut calls);
        }
        while let Some((node, next)) = calls.last_mut() {
            let node = *node;
            if let Some(&successor) = self.successors[node.index()].get(*next) {
                *next += 1;
                match self.entered[successor] {
                    None => self.enter(successor, &mut calls),
                    Some(entered) if self.component[successor].is_none() => {
                        self.lowest[node] = self.lowest[node].min(entered);
                    }
                    Some(_) => {}
                }
            } else {
                calls.pop();
                if let Some((parent, _)) = calls.last() {
                    self.lowest[*parent] = self.lowest[*parent].min(self.lowest[node]);
                }
                self.leave(node);
            }
        }
    }

    fn enter(&mut self, node: Node, calls: &mut Vec<(Node, usize)>) {
        self.entered[node] = Some(self.entered_count);
        self.lowest[node] = self.entered_count;
        self.entered_count += 1;
        self.open.push(node);
        calls.push((node, 0));
    }

    /// Closes the component of a node when it is the first of it.
    fn leave(&mut self, node: Node) {
        if self.entered[node] != Some(self.lowest[node]) {
            return;
        }
        while let Some(member) = self.open.pop() {
            self.component[member] = Some(self.component_count);
            if member == node {
                break;
            }
        }
        self.component_count += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn cycles_are_components_and_order_is_backwards() {
        let successors = [vec![1], vec![2], vec![1, 3], vec![], vec![4, 0]];
        let successors: Lists<Node> =
            successors.iter().map(|targets| targets.iter().map(|&n| Node(n))).collect();
        assert_eq!(components(&successors).as_slice(), [2, 1, 1, 0, 3]);
    }
}
