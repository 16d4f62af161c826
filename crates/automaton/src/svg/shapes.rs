//! The pieces of a drawing as SVG elements, and the space they take.

use std::fmt::{self, Write};

use crate::ids::Player;
use crate::palette::{self, Colours, FAINT, INK, PAPER};
use crate::sketch::{Actor, Arrow, ArrowRole, LegendSample, NodeSketch};
use crate::wording::Wording;

/// The height of letters; the font has fixed width, so that text can be measured here.
pub(super) const FONT_SIZE: f64 = 11.0;
/// The height of a line of text.
pub(super) const LINE_HEIGHT: f64 = 14.0;
/// The width of a letter: fixed-width fonts have 0.6 of the height.
const LETTER: f64 = 0.61 * FONT_SIZE;
/// Half the height of a node.
pub(super) const RADIUS: f64 = 13.0;

/// How far the second outline of a node lies outside the first.
pub(super) const RING: f64 = 3.0;

/// `x` and `y`.
pub(super) type Point = (f64, f64);

/// Where arrows point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Direction {
    Rightwards,
    Downwards,
}

impl Direction {
    /// The point with these coordinates along and across the drawing. The function is its own inverse: it also maps a
    /// point to these coordinates.
    pub(super) fn point(self, along: f64, across: f64) -> Point {
        match self {
            Direction::Rightwards => (along, across),
            Direction::Downwards => (across, along),
        }
    }

    /// How far a shape reaches along the drawing from its centre, at the offset `across` from its centre.
    pub(super) fn reach(self, shape: NodeShape, across: f64) -> f64 {
        let (along, sideways) = self.point(shape.half_width, shape.half_height);
        let corner = shape.corner;
        let beyond = (across.abs() - (sideways - corner)).clamp(0.0, corner);
        along - corner + (corner * corner - beyond * beyond).sqrt()
    }
}

/// The size of a node, which holds its lines of text, and how round its corners are.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NodeShape {
    pub(super) half_width: f64,
    pub(super) half_height: f64,
    corner: f64,
}

impl NodeShape {
    /// The shape of a node with these lines: round at both ends if it is one, else a box.
    pub(super) fn new(lines: &[String]) -> NodeShape {
        let text = lines.iter().map(|line| text_width(line)).fold(0.0, f64::max) / 2.0;
        if lines.len() <= 1 {
            let half_width = RADIUS.max(text + 6.0);
            return NodeShape { half_width, half_height: RADIUS, corner: RADIUS };
        }
        let half_height = LINE_HEIGHT * lines.len() as f64 / 2.0 + 6.0;
        NodeShape { half_width: text + 12.0, half_height, corner: 8.0 }
    }

    fn larger(self, by: f64) -> NodeShape {
        let NodeShape { half_width, half_height, corner } = self;
        NodeShape {
            half_width: half_width + by,
            half_height: half_height + by,
            corner: corner + by,
        }
    }
}

/// The width of a line of text.
pub(super) fn text_width(text: &str) -> f64 {
    // East Asian letters take two places in most fonts.
    text.chars().map(|letter| if letter < '\u{1100}' { LETTER } else { 2.0 * LETTER }).sum()
}

/// Text as XML and HTML write it: special characters are replaced by entities, and characters that XML forbids, control
/// characters among them, by U+FFFD.
///
/// # Examples
///
/// ```
/// use regulus_automaton::svg::Escaped;
///
/// assert_eq!(Escaped("a < \"b\" & c").to_string(), "a &lt; &quot;b&quot; &amp; c");
/// assert_eq!(Escaped("\0").to_string(), "\u{fffd}");
/// ```
#[derive(Clone, Copy, Debug)]
pub struct Escaped<'a>(pub &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for character in self.0.chars() {
            match character {
                '&' => f.write_str("&amp;")?,
                '<' => f.write_str("&lt;")?,
                '>' => f.write_str("&gt;")?,
                '"' => f.write_str("&quot;")?,
                '\n' => f.write_char('\n')?,
                '\u{fffe}' | '\u{ffff}' => f.write_char(char::REPLACEMENT_CHARACTER)?,
                _ if character.is_control() => f.write_char(char::REPLACEMENT_CHARACTER)?,
                _ => f.write_char(character)?,
            }
        }
        Ok(())
    }
}

/// The lines of text at one or more arrows, each with its colour; never empty.
pub(super) struct ArrowLabel<'a> {
    lines: Vec<(&'a Wording, ArrowRole)>,
}

impl<'a> ArrowLabel<'a> {
    /// The label of these arrows, when there are any.
    pub(super) fn new(arrows: impl IntoIterator<Item = &'a Arrow>) -> Option<ArrowLabel<'a>> {
        let lines = |arrow: &'a Arrow| arrow.labels.iter().map(|text| (text, arrow.role));
        let lines: Vec<(&Wording, ArrowRole)> = arrows.into_iter().flat_map(lines).collect();
        (!lines.is_empty()).then_some(ArrowLabel { lines })
    }

    /// Its width and height.
    pub(super) fn size(&self) -> (f64, f64) {
        let width = self.lines.iter().map(|(text, _)| text_width(&text.shown)).fold(0.0, f64::max);
        (width + 6.0, LINE_HEIGHT * self.lines.len() as f64)
    }

    /// The role of its first line.
    pub(super) fn role(&self) -> ArrowRole {
        self.lines.first().map_or(ArrowRole::Test, |(_, role)| *role)
    }
}

/// Writes centred lines of text on a ground that hides the arrow beneath; the whole text where it is shortened.
pub(super) fn write_label(svg: &mut String, centre: Point, label: &ArrowLabel<'_>) -> fmt::Result {
    let (x, y) = centre;
    let (width, height) = label.size();
    let (left, top) = (x - width / 2.0, y - height / 2.0);
    let is_whole = label.lines.iter().all(|(text, _)| text.whole.is_none());
    if !is_whole {
        let whole = |text: &Wording| text.whole.clone().unwrap_or_else(|| text.shown.clone());
        let lines: Vec<String> = label.lines.iter().map(|(text, _)| whole(text)).collect();
        write!(svg, "<g><title>{}</title>", Escaped(&lines.join("\n")))?;
    }
    writeln!(
        svg,
        r##"<rect x="{left:.1}" y="{top:.1}" width="{width:.1}" height="{height:.1}" rx="3" fill="{PAPER}"/>"##
    )?;
    write!(svg, r##"<text text-anchor="middle">"##)?;
    for (index, (text, role)) in label.lines.iter().enumerate() {
        let baseline = top + LINE_HEIGHT * (index as f64 + 0.76);
        let colour = palette::of_role(*role).line;
        let text = Escaped(&text.shown);
        write!(svg, r##"<tspan x="{x:.1}" y="{baseline:.1}" fill="{colour}">{text}</tspan>"##)?;
    }
    writeln!(svg, "</text>{}", if is_whole { "" } else { "</g>" })
}

/// Writes a node; one where something ends has two outlines, one where the game is over a thick one.
pub(super) fn write_node(
    svg: &mut String,
    node: &NodeSketch,
    centre: Point,
    is_accepting: bool,
) -> fmt::Result {
    let colours = palette::of_node(node.actor);
    let shape = NodeShape::new(&node.lines);
    if let Some(hint) = &node.hint {
        write!(svg, "<g><title>{}</title>", Escaped(hint))?;
    }
    if is_accepting {
        write_outline(svg, shape.larger(RING), centre, colours, THIN)?;
    }
    write_outline(svg, shape, centre, colours, if node.is_over { OVER } else { THIN })?;
    write_lines(svg, &node.lines, centre)?;
    writeln!(svg, "{}", if node.hint.is_some() { "</g>" } else { "" })
}

/// Writes what stands for a node that is drawn elsewhere, or not at all.
pub(super) fn write_stub(svg: &mut String, name: &str, centre: Point) -> fmt::Result {
    let colours = Colours { line: FAINT, fill: PAPER };
    let lines = [name.to_owned()];
    write_outline(svg, NodeShape::new(&lines), centre, colours, DASHED)?;
    write_lines(svg, &lines, centre)
}

/// Writes a node without a name for the legend.
pub(super) fn write_sample_node(
    svg: &mut String,
    sample: &LegendSample,
    centre: Point,
) -> fmt::Result {
    let circle = NodeShape { half_width: 7.0, half_height: 7.0, corner: 7.0 };
    let card = NodeShape { half_width: 13.0, half_height: 8.0, corner: 4.0 };
    let plain = palette::of_node(None);
    let (shape, colours, style) = match sample {
        LegendSample::Acts(actor) => (circle, palette::of_actor(*actor), THIN),
        LegendSample::Folded(actor) => (card, palette::of_node(*actor), THIN),
        LegendSample::Over => (circle, plain, OVER),
        LegendSample::Stub => (circle, Colours { line: FAINT, fill: PAPER }, DASHED),
        _ => (circle, plain, THIN),
    };
    if *sample == LegendSample::Accept {
        write_outline(svg, shape.larger(RING), centre, colours, THIN)?;
    }
    write_outline(svg, shape, centre, colours, style)
}

/// How outlines are drawn.
const THIN: &str = r#" stroke-width="1.5""#;
const OVER: &str = r#" stroke-width="4""#;
const DASHED: &str = r#" stroke-width="1.5" stroke-dasharray="3 3""#;

fn write_outline(
    svg: &mut String,
    shape: NodeShape,
    centre: Point,
    colours: Colours,
    style: &str,
) -> fmt::Result {
    let NodeShape { half_width, half_height, corner } = shape;
    let (left, top) = (centre.0 - half_width, centre.1 - half_height);
    let (width, height) = (2.0 * half_width, 2.0 * half_height);
    let Colours { line, fill } = colours;
    writeln!(
        svg,
        r##"<rect x="{left:.1}" y="{top:.1}" width="{width:.1}" height="{height:.1}" rx="{corner}" fill="{fill}" stroke="{line}"{style}/>"##
    )
}

/// Writes the lines of a node; the first of several is its title.
fn write_lines(svg: &mut String, lines: &[String], (x, y): Point) -> fmt::Result {
    let top = y - LINE_HEIGHT * lines.len() as f64 / 2.0;
    for (index, line) in lines.iter().enumerate() {
        let baseline = top + LINE_HEIGHT * (index as f64 + 0.78);
        let weight = if index == 0 && lines.len() > 1 { r#" font-weight="bold""# } else { "" };
        let text = Escaped(line);
        writeln!(
            svg,
            r##"<text x="{x:.1}" y="{baseline:.1}" text-anchor="middle" fill="{INK}"{weight}>{text}</text>"##
        )?;
    }
    Ok(())
}

/// Writes a path with an arrow head.
pub(super) fn write_path(svg: &mut String, path: &str, role: ArrowRole) -> fmt::Result {
    let colour = palette::of_role(role).line;
    let width = if matches!(role, ArrowRole::Control(_)) { 1.9 } else { 1.2 };
    let marker = Marker(role);
    writeln!(
        svg,
        r##"<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" marker-end="url(#{marker})"/>"##
    )
}

/// Defines the arrow heads, one for each colour.
pub(super) fn write_markers(svg: &mut String) -> fmt::Result {
    writeln!(svg, "<defs>")?;
    let players = (0..palette::PLAYER_COLOURS).map(|player| Actor::Player(Player(player)));
    let control = players.chain([Actor::Keeper]).map(ArrowRole::Control);
    for role in [ArrowRole::Test, ArrowRole::Walk, ArrowRole::Write].into_iter().chain(control) {
        let colour = palette::of_role(role).line;
        let marker = Marker(role);
        writeln!(
            svg,
            r##"<marker id="{marker}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0.6L8 4L0 7.4L2 4Z" fill="{colour}"/></marker>"##
        )?;
    }
    writeln!(svg, "</defs>")
}

/// The name of the arrow head for a role.
struct Marker(ArrowRole);

impl fmt::Display for Marker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            ArrowRole::Test => write!(f, "test"),
            ArrowRole::Walk => write!(f, "walk"),
            ArrowRole::Write => write!(f, "write"),
            ArrowRole::Control(Actor::Keeper) => write!(f, "keeper"),
            ArrowRole::Control(Actor::Player(player)) => {
                write!(f, "player{}", player.0 % palette::PLAYER_COLOURS)
            }
        }
    }
}
