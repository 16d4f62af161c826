//! The pieces of a drawing as SVG elements, and the space they take.

use std::fmt::{self, Write};

use crate::ids::{Node, Player};
use crate::palette::{self, Colours, FAINT, INK, PAPER};
use crate::sketch::{Actor, Arrow, ArrowRole};

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

    /// How far a node reaches along the drawing from its centre, at the offset `across` from its centre.
    pub(super) fn reach(self, node: Node, across: f64) -> f64 {
        let straight = half_width(node) - RADIUS;
        let round = |offset: f64| (RADIUS * RADIUS - offset * offset).max(0.0).sqrt();
        match self {
            Direction::Rightwards => straight + round(across),
            Direction::Downwards => round((across.abs() - straight).max(0.0)),
        }
    }
}

/// Half the width of a node, which holds its name.
pub(super) fn half_width(node: Node) -> f64 {
    RADIUS.max(text_width(&node.to_string()) / 2.0 + 6.0)
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
    lines: Vec<(&'a str, ArrowRole)>,
}

impl<'a> ArrowLabel<'a> {
    /// The label of these arrows, when there are any.
    pub(super) fn new(arrows: impl IntoIterator<Item = &'a Arrow>) -> Option<ArrowLabel<'a>> {
        let lines = |arrow: &'a Arrow| arrow.labels.iter().map(|text| (text.as_str(), arrow.role));
        let lines: Vec<(&str, ArrowRole)> = arrows.into_iter().flat_map(lines).collect();
        (!lines.is_empty()).then_some(ArrowLabel { lines })
    }

    /// Its width and height.
    pub(super) fn size(&self) -> (f64, f64) {
        let width = self.lines.iter().map(|(text, _)| text_width(text)).fold(0.0, f64::max);
        (width + 6.0, LINE_HEIGHT * self.lines.len() as f64)
    }

    /// The role of its first line.
    pub(super) fn role(&self) -> ArrowRole {
        self.lines.first().map_or(ArrowRole::Quiet, |(_, role)| *role)
    }
}

/// Writes centred lines of text on a ground that hides the arrow beneath.
pub(super) fn write_label(svg: &mut String, centre: Point, label: &ArrowLabel<'_>) -> fmt::Result {
    let (x, y) = centre;
    let (width, height) = label.size();
    let (left, top) = (x - width / 2.0, y - height / 2.0);
    writeln!(
        svg,
        r##"<rect x="{left:.1}" y="{top:.1}" width="{width:.1}" height="{height:.1}" rx="3" fill="{PAPER}"/>"##
    )?;
    write!(svg, r##"<text text-anchor="middle">"##)?;
    for (index, (text, role)) in label.lines.iter().enumerate() {
        let baseline = top + LINE_HEIGHT * (index as f64 + 0.76);
        let colour = palette::of_role(*role).line;
        let text = Escaped(text);
        write!(svg, r##"<tspan x="{x:.1}" y="{baseline:.1}" fill="{colour}">{text}</tspan>"##)?;
    }
    writeln!(svg, "</text>")
}

/// Writes a node with one or two outlines.
pub(super) fn write_node(
    svg: &mut String,
    node: Node,
    centre: Point,
    colours: Colours,
    rings: u8,
) -> fmt::Result {
    if rings > 1 {
        write_outline(svg, node, centre, RING, colours, "")?;
    }
    write_outline(svg, node, centre, 0.0, colours, "")?;
    write_name(svg, node, centre)
}

/// Writes what stands for a node that is drawn elsewhere, or not at all.
pub(super) fn write_stub(svg: &mut String, node: Node, centre: Point) -> fmt::Result {
    let colours = Colours { line: FAINT, fill: PAPER };
    write_outline(svg, node, centre, 0.0, colours, r#" stroke-dasharray="3 3""#)?;
    write_name(svg, node, centre)
}

/// Writes the outline of a node, larger than usual by `larger`.
fn write_outline(
    svg: &mut String,
    node: Node,
    centre: Point,
    larger: f64,
    colours: Colours,
    dashes: &str,
) -> fmt::Result {
    let (half, radius) = (half_width(node) + larger, RADIUS + larger);
    let (left, top) = (centre.0 - half, centre.1 - radius);
    let (width, height) = (2.0 * half, 2.0 * radius);
    let Colours { line, fill } = colours;
    writeln!(
        svg,
        r##"<rect x="{left:.1}" y="{top:.1}" width="{width:.1}" height="{height:.1}" rx="{radius}" fill="{fill}" stroke="{line}" stroke-width="1.5"{dashes}/>"##
    )
}

fn write_name(svg: &mut String, node: Node, (x, y): Point) -> fmt::Result {
    let baseline = y + 4.0;
    writeln!(
        svg,
        r##"<text x="{x:.1}" y="{baseline:.1}" text-anchor="middle" fill="{INK}">{node}</text>"##
    )
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
    for role in [ArrowRole::Quiet, ArrowRole::Write].into_iter().chain(control) {
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
            ArrowRole::Quiet => write!(f, "quiet"),
            ArrowRole::Write => write!(f, "write"),
            ArrowRole::Control(Actor::Keeper) => write!(f, "keeper"),
            ArrowRole::Control(Actor::Player(player)) => {
                write!(f, "player{}", player.0 % palette::PLAYER_COLOURS)
            }
        }
    }
}
