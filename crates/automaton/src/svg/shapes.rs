//! The pieces of a drawing as SVG elements, and the space that text takes.

use std::fmt::{self, Write};

use crate::ids::Player;
use crate::palette::{self, PAPER};
use crate::sketch::{Actor, Role};

/// The height of letters; the font has fixed width, so that text can be measured here.
pub(super) const FONT_SIZE: f64 = 11.0;
/// The height of a line of text.
pub(super) const LINE_HEIGHT: f64 = 14.0;
/// The width of a letter: fixed-width fonts have 0.6 of the height.
const LETTER: f64 = 0.61 * FONT_SIZE;

/// The width of a line of text.
pub(super) fn text_width(text: &str) -> f64 {
    // East Asian letters take two places in most fonts.
    text.chars().map(|letter| if letter < '\u{1100}' { LETTER } else { 2.0 * LETTER }).sum()
}

/// Text as XML: special characters are replaced by entities, forbidden ones by a sign for them.
pub(super) struct Escaped<'a>(pub(super) &'a str);

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

/// A line of a label with the colour of its arrow.
pub(super) struct LabelLine<'a> {
    pub(super) text: &'a str,
    pub(super) role: Role,
}

/// Writes centred lines of text on a ground that hides the arrow beneath.
pub(super) fn write_label(
    svg: &mut String,
    x: f64,
    y: f64,
    lines: &[LabelLine<'_>],
) -> fmt::Result {
    let width = lines.iter().map(|line| text_width(line.text)).fold(0.0, f64::max) + 6.0;
    let height = LINE_HEIGHT * lines.len() as f64;
    let (left, top) = (x - width / 2.0, y - height / 2.0);
    writeln!(
        svg,
        r##"<rect x="{left:.1}" y="{top:.1}" width="{width:.1}" height="{height:.1}" rx="3" fill="{PAPER}"/>"##
    )?;
    write!(svg, r##"<text text-anchor="middle">"##)?;
    for (index, line) in lines.iter().enumerate() {
        let baseline = top + LINE_HEIGHT * (index as f64 + 0.76);
        let colour = palette::of_role(line.role).line;
        write!(
            svg,
            r##"<tspan x="{x:.1}" y="{baseline:.1}" fill="{colour}">{}</tspan>"##,
            Escaped(line.text)
        )?;
    }
    writeln!(svg, "</text>")
}

/// Defines the arrow heads, one for each colour.
pub(super) fn write_markers(svg: &mut String) -> fmt::Result {
    writeln!(svg, "<defs>")?;
    let players =
        (0..palette::PLAYER_COLOURS).map(|player| Role::Control(Actor::Player(Player(player))));
    let others = [Role::Quiet, Role::Write, Role::Control(Actor::Keeper)];
    for role in others.into_iter().chain(players) {
        let colour = palette::of_role(role).line;
        writeln!(
            svg,
            r##"<marker id="{}" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="8" markerHeight="8" markerUnits="userSpaceOnUse" orient="auto"><path d="M0 0.6L8 4L0 7.4L2 4Z" fill="{colour}"/></marker>"##,
            Marker(role)
        )?;
    }
    writeln!(svg, "</defs>")
}

/// The name of the arrow head for a role.
pub(super) struct Marker(pub(super) Role);

impl fmt::Display for Marker {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            Role::Quiet => write!(f, "quiet"),
            Role::Write => write!(f, "write"),
            Role::Control(Actor::Keeper) => write!(f, "keeper"),
            Role::Control(Actor::Player(player)) => {
                write!(f, "player{}", player.0 % palette::PLAYER_COLOURS)
            }
        }
    }
}

/// Writes a path with an arrow head.
pub(super) fn write_path(svg: &mut String, path: &str, role: Role) -> fmt::Result {
    let colour = palette::of_role(role).line;
    let width = if matches!(role, Role::Control(_)) { 1.9 } else { 1.2 };
    writeln!(
        svg,
        r##"<path d="{path}" fill="none" stroke="{colour}" stroke-width="{width}" marker-end="url(#{})"/>"##,
        Marker(role)
    )
}
