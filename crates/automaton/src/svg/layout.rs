//! The layered layout of a graph: ranks, then layers with labels and bends, their order, and the places of everything.
//!
//! Nodes of one rank share a layer. Between two such layers lies one for labels, so that every label has a place of its
//! own; a longer arrow bends in each layer it passes. Everything is near-linear in nodes and arrows: arrows so long that
//! their bends would outnumber the rest become stubs.
//!
//! The layout knows no direction: *along* is where arrows point, *across* is the other axis.

use super::graph::{ArrowId, ArrowRoute, Extent, GraphLayer, Item, LayeredGraph};
use super::order::{self, Neighbours};
use super::place::{self, LayoutItem};
use super::rank::{self, Ranks};
use crate::ids::{Id, IdVec};

/// The space between layers, at least and at most; steep lines need more.
const LEAST_GAP: f64 = 20.0;
const GREATEST_GAP: f64 = 110.0;
/// How much of a step across is added to the gap.
const STEEPNESS: f64 = 0.12;

/// A graph with a place for everything.
pub(super) struct GraphLayout {
    pub(super) items: IdVec<Item, Spot>,
    pub(super) ways: IdVec<ArrowId, ArrowRoute>,
    /// The size of the whole.
    pub(super) along: f64,
    pub(super) across: f64,
}

/// The place of an item: its centre, and from where to where its layer reaches.
#[derive(Clone, Copy, Debug)]
pub(super) struct Spot {
    pub(super) along: f64,
    pub(super) across: f64,
    pub(super) layer_start: f64,
    pub(super) layer_end: f64,
}

/// Lays a graph out; a stub takes as much space as given.
pub(super) fn layout(graph: &LayeredGraph, stub: Extent) -> GraphLayout {
    let ranks = rank::rank(graph);
    let stubs = too_long(graph, &ranks);
    let mut builder = LayoutBuilder::new(graph, &ranks);
    let ways: IdVec<ArrowId, ArrowRoute> =
        graph.arrows.keys().map(|arrow| builder.way(arrow, stubs[arrow].then_some(stub))).collect();
    let LayoutBuilder { items, mut layers, neighbours, .. } = builder;
    order::order(&mut layers, &neighbours);
    let mut places = place::places(&layers, &items, &neighbours);
    let across = from_zero(&items, &mut places);
    let (items, along) = spots(&layers, &items, &neighbours, &places);
    GraphLayout { items, ways, along, across }
}

/// The arrows that would need more bends than there are for all; short ones are served first.
fn too_long(graph: &LayeredGraph, ranks: &Ranks) -> IdVec<ArrowId, bool> {
    let mut bends_left = 2_000 + 8 * (graph.nodes.len() + graph.arrows.len());
    let span = |arrow: ArrowId| {
        let ends = graph.arrows[arrow];
        ranks.rank[ends.from].abs_diff(ranks.rank[ends.to]) as usize
    };
    let mut by_span: Vec<ArrowId> = graph.arrows.keys().collect();
    by_span.sort_by_key(|&arrow| span(arrow));
    let mut too_long = IdVec::filled(false, graph.arrows.len());
    for arrow in by_span {
        match bends_left.checked_sub(2 * span(arrow)) {
            Some(left) => bends_left = left,
            None => too_long[arrow] = true,
        }
    }
    too_long
}

struct LayoutBuilder<'a> {
    graph: &'a LayeredGraph,
    ranks: &'a Ranks,
    items: IdVec<Item, LayoutItem>,
    layers: IdVec<GraphLayer, Vec<Item>>,
    neighbours: IdVec<Item, Neighbours>,
}

impl<'a> LayoutBuilder<'a> {
    fn new(graph: &'a LayeredGraph, ranks: &'a Ranks) -> LayoutBuilder<'a> {
        let items =
            graph.nodes.values().map(|&extent| LayoutItem { extent, is_node: true }).collect();
        let last = ranks.rank.values().max().copied().unwrap_or(0);
        // A stub may stand one rank behind the last node.
        let layers = GraphLayer::of_rank(last + 1).index() + 1;
        let mut builder = LayoutBuilder {
            graph,
            ranks,
            items,
            layers: IdVec::filled(Vec::new(), layers),
            neighbours: IdVec::filled(Neighbours::default(), graph.nodes.len()),
        };
        for node in graph.nodes.keys() {
            builder.layers[GraphLayer::of_rank(ranks.rank[node])].push(node);
        }
        builder
    }

    fn add(&mut self, layer: GraphLayer, placed: LayoutItem) -> Item {
        self.layers[layer].push(Item::from_index(self.items.len()));
        self.neighbours.push(Neighbours::default());
        self.items.push(placed)
    }

    /// Adds the label and the bends of an arrow, or its label and a stub.
    fn way(&mut self, arrow: ArrowId, stub: Option<Extent>) -> ArrowRoute {
        let ends = self.graph.arrows[arrow];
        let from_rank = self.ranks.rank[ends.from];
        let from = GraphLayer::of_rank(from_rank);
        let (end, to, backwards) = match stub {
            Some(extent) => {
                let to = GraphLayer::of_rank(from_rank + 1);
                (self.add(to, LayoutItem { extent, is_node: true }), to, false)
            }
            None => {
                let to = GraphLayer::of_rank(self.ranks.rank[ends.to]);
                (ends.to, to, self.ranks.backwards[arrow])
            }
        };
        let passed: Vec<GraphLayer> = if backwards {
            GraphLayer::between(to, from).rev().collect()
        } else {
            GraphLayer::between(from, to).collect()
        };
        let bend = Extent { along: 0.0, before: 0.0, after: 0.0 };
        // The label comes first: what can be done is read where one stands.
        let extents = std::iter::once(ends.label).chain(std::iter::repeat(bend));
        let items: Vec<Item> = passed
            .into_iter()
            .zip(extents)
            .map(|(layer, extent)| self.add(layer, LayoutItem { extent, is_node: false }))
            .collect();
        self.join(ends.from, &items, end, backwards);
        ArrowRoute { items, end, backwards }
    }

    fn join(&mut self, from: Item, items: &[Item], end: Item, backwards: bool) {
        let mut previous = from;
        for &item in items.iter().chain([&end]) {
            let (before, after) = if backwards { (item, previous) } else { (previous, item) };
            self.neighbours[before].after.push(after);
            self.neighbours[after].before.push(before);
            previous = item;
        }
    }
}

/// Moves everything so that it begins at 0; returns where it ends.
fn from_zero(items: &IdVec<Item, LayoutItem>, places: &mut IdVec<Item, f64>) -> f64 {
    let least = items.iter().map(|(item, placed)| places[item] - placed.extent.before);
    let least = least.reduce(f64::min).unwrap_or(0.0);
    places.values_mut().for_each(|place| *place -= least);
    let greatest = items.iter().map(|(item, placed)| places[item] + placed.extent.after);
    greatest.reduce(f64::max).unwrap_or(0.0)
}

/// The spots of all items when their places across are known; and where the last layer ends.
fn spots(
    layers: &IdVec<GraphLayer, Vec<Item>>,
    items: &IdVec<Item, LayoutItem>,
    neighbours: &IdVec<Item, Neighbours>,
    places: &IdVec<Item, f64>,
) -> (IdVec<Item, Spot>, f64) {
    let nowhere = Spot { along: 0.0, across: 0.0, layer_start: 0.0, layer_end: 0.0 };
    let mut spots = IdVec::filled(nowhere, items.len());
    let mut layer_start = 0.0;
    let mut layer_end = 0.0;
    for layer in layers.values().filter(|layer| !layer.is_empty()) {
        let thickness = layer.iter().map(|&item| items[item].extent.along).fold(0.0, f64::max);
        layer_end = layer_start + thickness;
        let along = layer_start + thickness / 2.0;
        let mut steepest = 0.0_f64;
        for &item in layer {
            let across = places[item];
            spots[item] = Spot { along, across, layer_start, layer_end };
            for &next in &neighbours[item].after {
                steepest = steepest.max((places[next] - across).abs());
            }
        }
        layer_start = layer_end + (LEAST_GAP + STEEPNESS * steepest).min(GREATEST_GAP);
    }
    (spots, layer_end)
}
