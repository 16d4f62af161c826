//! What the drawing of one part shows, and the graph of the space it needs.

use std::collections::BTreeMap;

use super::graph::{ArrowBox, ArrowId, Extent, Item, LayeredGraph};
use super::shapes::{ArrowLabel, Direction, NodeShape};
use crate::ids::{IdVec, Node};
use crate::sketch::{Arrow, Sketch, SketchPart};

/// The space between a node and what is around it.
const ROOM: f64 = 4.0;
/// How far a loop reaches from its node.
pub(super) const LOOP: f64 = 18.0;
/// The length of the arrow that points at a start.
pub(super) const START: f64 = 20.0;

/// What is drawn, and the graph of the space it needs.
pub(super) struct Scene<'a> {
    pub(super) sketch: &'a Sketch,
    pub(super) part: &'a SketchPart,
    pub(super) direction: Direction,
    pub(super) graph: LayeredGraph,
    /// The nodes of the part.
    items: BTreeMap<Node, Item>,
    /// What each node of the graph shows.
    pub(super) shown: IdVec<Item, SceneNode<'a>>,
    /// What each arrow of the graph shows.
    pub(super) arrows: IdVec<ArrowId, &'a Arrow>,
}

/// A node of the part, or a stub that stands for one outside.
pub(super) struct SceneNode<'a> {
    pub(super) node: Node,
    pub(super) is_stub: bool,
    /// The labels of the arrows from the node to itself.
    pub(super) loops: Option<ArrowLabel<'a>>,
}

impl<'a> Scene<'a> {
    pub(super) fn new(sketch: &'a Sketch, part: &'a SketchPart, direction: Direction) -> Scene<'a> {
        let mut scene = Scene {
            sketch,
            part,
            direction,
            graph: LayeredGraph::default(),
            items: BTreeMap::new(),
            shown: IdVec::new(),
            arrows: IdVec::new(),
        };
        for &node in &part.nodes {
            let loops = sketch.arrows[node].iter().filter(|arrow| arrow.target == node);
            let loops = ArrowLabel::new(loops);
            let item = scene.add(SceneNode { node, is_stub: false, loops });
            scene.items.insert(node, item);
        }
        for node in &part.nodes {
            for arrow in sketch.arrows[*node].iter().filter(|arrow| arrow.target != *node) {
                let stub = || SceneNode { node: arrow.target, is_stub: true, loops: None };
                let to = scene.items.get(&arrow.target).copied();
                let to = to.unwrap_or_else(|| scene.add(stub()));
                let label = scene.label_extent(arrow);
                scene.graph.arrows.push(ArrowBox { from: scene.items[node], to, label });
                scene.arrows.push(arrow);
            }
        }
        scene
    }

    fn add(&mut self, shown: SceneNode<'a>) -> Item {
        let mut extent = self.node_extent(self.shape(shown.node, shown.is_stub));
        if let Some(label) = &shown.loops {
            let (width, height) = label.size();
            match self.direction {
                Direction::Rightwards => {
                    extent.before += LOOP + height;
                    extent.along = extent.along.max(width);
                }
                Direction::Downwards => {
                    extent.after += LOOP + width;
                    extent.along = extent.along.max(height);
                }
            }
        }
        if !shown.is_stub && self.part.start == Some(shown.node) {
            extent.along += 2.0 * START;
        }
        self.shown.push(shown);
        self.graph.nodes.push(extent)
    }

    /// What a stub for a node is called: as the node itself if that is in this drawing too.
    pub(super) fn stub_name(&self, node: Node) -> String {
        match self.items.contains_key(&node) {
            true => self.sketch.nodes[node].lines.first().cloned().unwrap_or_default(),
            false => self.sketch.elsewhere(node),
        }
    }

    /// The shape of a node, or of what stands for it.
    pub(super) fn shape(&self, node: Node, is_stub: bool) -> NodeShape {
        match self.sketch.nodes.get(node).filter(|_| !is_stub) {
            Some(sketch) => NodeShape::new(&sketch.lines),
            None => NodeShape::new(&[self.stub_name(node)]),
        }
    }

    fn node_extent(&self, shape: NodeShape) -> Extent {
        let (width, height) = (shape.half_width + ROOM, shape.half_height + ROOM);
        let (along, across) = self.direction.point(width, height);
        Extent { along: 2.0 * along, before: across, after: across }
    }

    fn label_extent(&self, arrow: &'a Arrow) -> Extent {
        let (width, height) = ArrowLabel::new([arrow]).map_or((0.0, 0.0), |label| label.size());
        let (along, across) = self.direction.point(width, height);
        Extent { along, before: across / 2.0, after: across / 2.0 }
    }

    /// The space for a stub of any arrow.
    pub(super) fn stub_extent(&self) -> Extent {
        let names = self.arrows.values().map(|arrow| self.stub_name(arrow.target));
        let longest = names.max_by_key(|name| name.chars().count()).unwrap_or_default();
        self.node_extent(NodeShape::new(&[longest]))
    }
}
