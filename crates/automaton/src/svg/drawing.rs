//! The drawing of one part: it is laid out, then written as shapes.

use std::collections::BTreeMap;
use std::fmt::{self, Write};

use super::graph::{ArrowId, ArrowRoute, Item};
use super::layout::{GraphLayout, Spot, layout};
use super::scene::{LOOP, START, Scene, SceneNode};
use super::shapes::{
    ArrowLabel, Direction, NodeShape, Point, RING, write_label, write_node, write_path, write_stub,
};
use crate::ids::{IdVec, Node};
use crate::palette::INK;
use crate::sketch::{ArrowRole, Sketch, SketchPart};

/// How far apart arrows touch a node at most.
const PORT_STEP: f64 = 8.0;
/// The page that a drawing should fit best.
const PAGE: (f64, f64) = (1_200.0, 900.0);
/// The most nodes for which both directions are tried.
const MAX_BOTH: usize = 1_000;

/// A part as SVG elements, from the origin to its width and height.
pub(super) struct Drawing {
    pub(super) caption: String,
    pub(super) width: f64,
    pub(super) height: f64,
    pub(super) svg: String,
    /// Whether something in it stands for a node that is drawn elsewhere.
    pub(super) has_stubs: bool,
}

impl Drawing {
    /// Draws a part in the direction that fits a page better; a small one, or a very large one, to the right.
    pub(super) fn new(sketch: &Sketch, part: &SketchPart) -> Drawing {
        let rightwards = Artist::new(sketch, part, Direction::Rightwards);
        if rightwards.excess() <= 1.0 || part.nodes.len() > MAX_BOTH {
            return rightwards.drawing();
        }
        let downwards = Artist::new(sketch, part, Direction::Downwards);
        if rightwards.excess() <= downwards.excess() {
            rightwards.drawing()
        } else {
            downwards.drawing()
        }
    }
}

/// A scene with a place for everything.
struct Artist<'a> {
    scene: Scene<'a>,
    layout: GraphLayout,
}

impl<'a> Artist<'a> {
    fn new(sketch: &'a Sketch, part: &'a SketchPart, direction: Direction) -> Artist<'a> {
        let scene = Scene::new(sketch, part, direction);
        let layout = layout(&scene.graph, scene.stub_extent());
        Artist { scene, layout }
    }

    fn size(&self) -> Point {
        self.scene.direction.point(self.layout.along, self.layout.across)
    }

    /// By how much the drawing is larger than a page.
    fn excess(&self) -> f64 {
        let (width, height) = self.size();
        (width / PAGE.0).max(height / PAGE.1)
    }

    fn drawing(&self) -> Drawing {
        let (width, height) = self.size();
        let mut svg = String::new();
        // Writing to a string does not fail.
        let _ = self.write(&mut svg);
        let is_stub = |(id, way): (ArrowId, &ArrowRoute)| way.end != self.scene.graph.arrows[id].to;
        let has_stubs = self.scene.shown.values().any(|shown| shown.is_stub)
            || self.layout.ways.iter().any(is_stub);
        Drawing { caption: self.scene.part.caption.clone(), width, height, svg, has_stubs }
    }

    fn centre(&self, spot: Spot) -> Point {
        self.scene.direction.point(spot.along, spot.across)
    }

    /// Arrows lie under labels, labels under nodes.
    fn write(&self, svg: &mut String) -> fmt::Result {
        let ports = self.ports();
        for (id, arrow) in self.scene.arrows.iter() {
            write_path(svg, &self.path(id, ports[id]), arrow.role)?;
        }
        for (id, arrow) in self.scene.arrows.iter() {
            if let (Some(label), Some(&item)) =
                (ArrowLabel::new([*arrow]), self.layout.ways[id].items.first())
            {
                write_label(svg, self.centre(self.layout.items[item]), &label)?;
            }
        }
        for (item, shown) in self.scene.shown.iter() {
            self.write_shown(svg, shown, self.centre(self.layout.items[item]))?;
        }
        for (id, arrow) in self.scene.arrows.iter() {
            let end = self.layout.ways[id].end;
            if end != self.scene.graph.arrows[id].to {
                let name = self.scene.stub_name(arrow.target);
                write_stub(svg, &name, self.centre(self.layout.items[end]))?;
            }
        }
        Ok(())
    }

    fn write_shown(&self, svg: &mut String, shown: &SceneNode<'_>, centre: Point) -> fmt::Result {
        let node = shown.node;
        if shown.is_stub {
            return write_stub(svg, &self.scene.stub_name(node), centre);
        }
        if let Some(label) = &shown.loops {
            self.write_loop(svg, node, label, centre)?;
        }
        if self.scene.part.start == Some(node) {
            self.write_start(svg, node, centre)?;
        }
        let accepts = self.scene.part.accepts(node);
        write_node(svg, &self.scene.sketch.nodes[node], centre, accepts)
    }

    fn write_start(&self, svg: &mut String, node: Node, centre: Point) -> fmt::Result {
        let (along, across) = self.scene.direction.point(centre.0, centre.1);
        let end = along - self.reach(node, false, 0.0);
        let (x, y) = self.scene.direction.point(end - START, across);
        let (end_x, end_y) = self.scene.direction.point(end, across);
        writeln!(svg, r##"<circle cx="{x:.1}" cy="{y:.1}" r="3" fill="{INK}"/>"##)?;
        write_path(svg, &format!("M{x:.1} {y:.1}L{end_x:.1} {end_y:.1}"), ArrowRole::Test)
    }

    /// Writes one loop for all arrows from a node to itself: above the node when the drawing runs to the right, beside
    /// it when the drawing runs down.
    fn write_loop(
        &self,
        svg: &mut String,
        node: Node,
        label: &ArrowLabel<'_>,
        centre: Point,
    ) -> fmt::Result {
        let (x, y) = centre;
        let (width, height) = label.size();
        let shape = self.scene.shape(node, false);
        // The curve reaches three quarters of the distance of its control points.
        let far = LOOP / 0.75;
        let (path, place) = match self.scene.direction {
            Direction::Rightwards => {
                let base = y - shape.half_height;
                let path = format!(
                    "M{:.1} {base:.1}C{:.1} {top:.1} {:.1} {top:.1} {:.1} {base:.1}",
                    x - 6.0,
                    x - 18.0,
                    x + 18.0,
                    x + 6.0,
                    top = base - far,
                );
                (path, (x, base - LOOP - height / 2.0))
            }
            Direction::Downwards => {
                let base = x + shape.half_width - 1.0;
                let path = format!(
                    "M{base:.1} {:.1}C{side:.1} {:.1} {side:.1} {:.1} {base:.1} {:.1}",
                    y - 6.0,
                    y - 18.0,
                    y + 18.0,
                    y + 6.0,
                    side = base + far,
                );
                (path, (base + LOOP + width / 2.0, y))
            }
        };
        write_path(svg, &path, label.role())?;
        write_label(svg, place, label)
    }

    /// How far a node reaches along the drawing from its centre, at the offset `across` from its centre.
    fn reach(&self, node: Node, is_stub: bool, across: f64) -> f64 {
        let ring = if !is_stub && self.scene.part.accepts(node) { RING } else { 0.0 };
        self.scene.direction.reach(self.scene.shape(node, is_stub), across) + ring
    }

    /// The shape of an item that arrows touch.
    fn shape(&self, item: Item) -> NodeShape {
        match self.scene.shown.get(item) {
            Some(shown) => self.scene.shape(shown.node, shown.is_stub),
            None => NodeShape::new(&[]),
        }
    }

    /// Where arrows touch their source and their target: spread over the side of the node in the order of what comes
    /// next, so that arrow heads do not cover each other.
    fn ports(&self) -> IdVec<ArrowId, Ports> {
        let mut sides: BTreeMap<(Item, NodeSide), Vec<Touch>> = BTreeMap::new();
        for (arrow, ArrowRoute { items, end, backwards }) in self.layout.ways.iter() {
            let from = self.scene.graph.arrows[arrow].from;
            let (leaves, enters) = if *backwards {
                (NodeSide::Front, NodeSide::Back)
            } else {
                (NodeSide::Back, NodeSide::Front)
            };
            let place =
                |item: Option<&Item>| item.map_or(0.0, |&item| self.layout.items[item].across);
            let touch = Touch { arrow, is_source: true, towards: place(items.first()) };
            sides.entry((from, leaves)).or_default().push(touch);
            let touch = Touch { arrow, is_source: false, towards: place(items.last()) };
            sides.entry((*end, enters)).or_default().push(touch);
        }
        let mut ports = IdVec::filled(Ports { source: 0.0, target: 0.0 }, self.layout.ways.len());
        for ((item, _), mut touches) in sides {
            touches.sort_by(|a, b| a.towards.total_cmp(&b.towards));
            let steps = (touches.len() - 1) as f64;
            let shape = self.shape(item);
            let (_, side) = self.scene.direction.point(shape.half_width, shape.half_height);
            let step = PORT_STEP.min(1.3 * side / steps.max(1.0));
            for (index, touch) in touches.iter().enumerate() {
                let offset = step * (index as f64 - steps / 2.0);
                let port = &mut ports[touch.arrow];
                *(if touch.is_source { &mut port.source } else { &mut port.target }) = offset;
            }
        }
        ports
    }

    /// A path that runs straight through each layer and bends between layers.
    fn path(&self, arrow: ArrowId, ports: Ports) -> String {
        let way = &self.layout.ways[arrow];
        let from = self.scene.graph.arrows[arrow].from;
        let sign = if way.backwards { -1.0 } else { 1.0 };
        // The sides of a layer where an arrow comes in and where it goes out.
        let sides = |spot: Spot| {
            if way.backwards {
                (spot.layer_end, spot.layer_start)
            } else {
                (spot.layer_start, spot.layer_end)
            }
        };
        let (start, end) = (self.layout.items[from], self.layout.items[way.end]);
        let is_stub = self.scene.shown.get(way.end).is_none_or(|shown| shown.is_stub);
        let target = self.scene.arrows[arrow].target;
        let leaves =
            start.along + sign * self.reach(self.scene.shown[from].node, false, ports.source);
        let enters = end.along - sign * self.reach(target, is_stub, ports.target);

        let mut path = SvgPath::new(self.scene.direction, leaves, start.across + ports.source);
        path.line_to(sides(start).1);
        for &item in &way.items {
            let spot = self.layout.items[item];
            path.bend_to(sides(spot).0, spot.across);
            path.line_to(sides(spot).1);
        }
        path.bend_to(sides(end).0, end.across + ports.target);
        path.line_to(enters);
        path.text
    }
}

/// The places, relative to the centres of its nodes, at which an arrow leaves and enters.
#[derive(Clone, Copy)]
struct Ports {
    source: f64,
    target: f64,
}

/// A side of a node: where the drawing comes from, or where it goes.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum NodeSide {
    Front,
    Back,
}

/// An arrow at a side of a node, and the place it goes to or comes from.
struct Touch {
    arrow: ArrowId,
    is_source: bool,
    towards: f64,
}

/// A path under construction.
struct SvgPath {
    direction: Direction,
    text: String,
    along: f64,
    across: f64,
}

impl SvgPath {
    fn new(direction: Direction, along: f64, across: f64) -> SvgPath {
        let (x, y) = direction.point(along, across);
        SvgPath { direction, text: format!("M{x:.1} {y:.1}"), along, across }
    }

    /// Goes straight on.
    fn line_to(&mut self, along: f64) {
        let (x, y) = self.direction.point(along, self.across);
        // Writing to a string does not fail.
        let _ = write!(self.text, "L{x:.1} {y:.1}");
        self.along = along;
    }

    /// Goes on in a curve that begins and ends straight.
    fn bend_to(&mut self, along: f64, across: f64) {
        if (across - self.across).abs() < 0.05 {
            return self.line_to(along);
        }
        let middle = f64::midpoint(self.along, along);
        let (x1, y1) = self.direction.point(middle, self.across);
        let (x2, y2) = self.direction.point(middle, across);
        let (x, y) = self.direction.point(along, across);
        let _ = write!(self.text, "C{x1:.1} {y1:.1} {x2:.1} {y2:.1} {x:.1} {y:.1}");
        (self.along, self.across) = (along, across);
    }
}
