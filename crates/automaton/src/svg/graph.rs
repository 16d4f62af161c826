//! What a layered drawing is made of, before and after it is laid out.

use crate::ids::{Id, IdVec};

/// Something with a place in the drawing. The nodes come first, in their given order; layout adds labels, bends and
/// stubs.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Item(u32);

/// An arrow of the graph.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct ArrowId(u32);

/// A layer of the drawing: nodes stand in the even ones, labels in the odd ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct GraphLayer(u32);

macro_rules! id {
    ($($name:ident)*) => {$(
        impl Id for $name {
            fn index(self) -> usize {
                self.0 as usize
            }

            fn from_index(index: usize) -> Self {
                $name(u32::try_from(index).expect("a drawing is limited"))
            }
        }
    )*};
}

id! { Item ArrowId GraphLayer }

impl GraphLayer {
    /// The layer of nodes of this rank.
    pub(super) fn of_rank(rank: u32) -> GraphLayer {
        GraphLayer(2 * rank)
    }

    /// The layers strictly between two others.
    pub(super) fn between(
        first: GraphLayer,
        last: GraphLayer,
    ) -> impl DoubleEndedIterator<Item = GraphLayer> {
        (first.0 + 1..last.0).map(GraphLayer)
    }

    /// The next layer.
    pub(super) fn next(self) -> GraphLayer {
        GraphLayer(self.0 + 1)
    }
}

/// The space an item needs: along the direction of the drawing, and across it on both sides of the centre.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Extent {
    pub(super) along: f64,
    pub(super) before: f64,
    pub(super) after: f64,
}

/// An arrow between different nodes, with the space its label needs.
#[derive(Clone, Copy, Debug)]
pub(super) struct ArrowBox {
    pub(super) from: Item,
    pub(super) to: Item,
    pub(super) label: Extent,
}

/// What is to be laid out; the first node is the one to begin with.
#[derive(Debug, Default)]
pub(super) struct LayeredGraph {
    pub(super) nodes: IdVec<Item, Extent>,
    pub(super) arrows: IdVec<ArrowId, ArrowBox>,
}

/// The way of an arrow from its source to its target.
#[derive(Clone, Debug)]
pub(super) struct ArrowRoute {
    /// The items it passes, without source and target; the first of them is its label.
    pub(super) items: Vec<Item>,
    /// The item it ends at: its target, or a stub that stands for a target too far away.
    pub(super) end: Item,
    /// Whether it runs against the direction of the drawing.
    pub(super) backwards: bool,
}
