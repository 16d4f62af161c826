//! The moves of a piece as a picture: a small board with the piece in the middle and a mark wherever it can go.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::{self, Write};

use regulus_automaton::svg::Escaped;
use regulus_lang::sbg::{Game, Kind, Letter, On};

use crate::piece_words;

/// The side of a square.
const CELL: i32 = 26;
/// How far the picture reaches at least and at most.
const REACH: (i32, i32) = (2, 4);
/// The most words that are drawn.
const MAX_WORDS: usize = 5_000;

/// A square, seen from the piece: columns to the right and rows forward.
pub(crate) type Offset = (i32, i32);

/// A picture of a piece's moves.
#[derive(Clone, Debug)]
pub struct Diagram {
    /// The picture as an SVG document.
    pub svg: String,
    /// Its width, which is its height.
    pub side: u32,
}

/// What can happen on a square, over pieces and without.
#[derive(Clone, Copy, Debug, Default)]
struct Mark {
    freely: LandingKinds,
    hopping: LandingKinds,
    /// Whether a piece is taken from here by a move that ends elsewhere.
    taken: bool,
}

/// What a move may find where it ends.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct LandingKinds {
    moves: bool,
    captures: bool,
    captures_own: bool,
}

/// The picture of a type of piece; `None` if it does not move or its moves are too many.
#[must_use]
pub fn diagram(game: &Game, kind: Kind) -> Option<Diagram> {
    of_words(&piece_words(game, kind).ok()?, &game.pieces[kind].letter.to_string())
}

/// The picture of the piece with these words.
pub(crate) fn of_words(words: &[Vec<Letter>], symbol: &str) -> Option<Diagram> {
    with_taken(words, &[], symbol)
}

/// The same, with squares from which pieces are taken without landing there.
pub(crate) fn with_taken(words: &[Vec<Letter>], taken: &[Offset], symbol: &str) -> Option<Diagram> {
    if words.is_empty() || words.len() > MAX_WORDS {
        return None;
    }
    let mut picture = Picture::default();
    words.iter().for_each(|word| picture.add(word));
    taken.iter().for_each(|place| picture.marks.entry(*place).or_default().taken = true);
    let mut svg = String::new();
    // Writing to a string does not fail.
    let _ = picture.write(&mut svg, symbol);
    Some(Diagram { svg, side: picture.side() as u32 })
}

#[derive(Default)]
struct Picture {
    marks: BTreeMap<Offset, Mark>,
    /// The steps of ways of several steps: from, to, and whether a piece is hopped over on the way.
    lines: BTreeSet<(Offset, Offset, bool)>,
    /// How far single steps reach.
    reach: i32,
}

impl Picture {
    fn add(&mut self, word: &[Letter]) {
        let Some((last, path)) = word.split_last() else { return };
        let mut at = (0, 0);
        let hops = path.iter().any(|letter| letter.on != On::Empty);
        for letter in word {
            let next = (at.0 + letter.x, at.1 + letter.y);
            if !path.is_empty() {
                self.lines.insert((at, next, hops));
            }
            at = next;
        }
        let (x, y): (i32, i32) = at;
        let far = x.abs().max(y.abs());
        let ridden =
            path.iter().all(|letter| (letter.x, letter.y) == (last.x, last.y)) && !path.is_empty();
        // Rides show their kind within a few squares.
        self.reach = self.reach.max(if ridden { far.min(3) } else { far });
        let mark = self.marks.entry(at).or_default();
        let ends = if hops { &mut mark.hopping } else { &mut mark.freely };
        match last.on {
            On::Empty => ends.moves = true,
            On::Opponent => ends.captures = true,
            On::Own => ends.captures_own = true,
        }
    }

    /// How far the picture reaches from its middle.
    fn reach(&self) -> i32 {
        self.reach.clamp(REACH.0, REACH.1)
    }

    fn side(&self) -> i32 {
        (2 * self.reach() + 1) * CELL
    }

    fn write(&self, svg: &mut String, symbol: &str) -> fmt::Result {
        let (reach, side) = (self.reach(), self.side());
        writeln!(
            svg,
            r#"<svg xmlns="http://www.w3.org/2000/svg" width="{side}" height="{side}" viewBox="0 0 {side} {side}" font-family="sans-serif">"#
        )?;
        for row in 0..=2 * reach {
            for column in 0..=2 * reach {
                let fill = if (row + column) % 2 == 0 { "#f4efe4" } else { "#e3d9c4" };
                let (x, y) = (column * CELL, row * CELL);
                writeln!(
                    svg,
                    r#"<rect x="{x}" y="{y}" width="{CELL}" height="{CELL}" fill="{fill}"/>"#
                )?;
            }
        }
        let centre =
            |(x, y): (i32, i32)| ((x + reach) * CELL + CELL / 2, (reach - y) * CELL + CELL / 2);
        for (from, to, hops) in &self.lines {
            let ((x, y), (to_x, to_y)) = (centre(*from), centre(*to));
            let dashes = if *hops { r#" stroke-dasharray="3 3""# } else { "" };
            writeln!(
                svg,
                r##"<line x1="{x}" y1="{y}" x2="{to_x}" y2="{to_y}" stroke="#8d99a8" stroke-width="2"{dashes}/>"##
            )?;
        }
        for (place, mark) in &self.marks {
            if *place != (0, 0) && place.0.abs() <= reach && place.1.abs() <= reach {
                write_mark(svg, centre(*place), *mark)?;
            }
        }
        let (x, y) = centre((0, 0));
        let outline = if self.marks.contains_key(&(0, 0)) { "#2f6db5" } else { "#33363b" };
        writeln!(
            svg,
            r##"<circle cx="{x}" cy="{y}" r="11" fill="#ffffff" stroke="{outline}" stroke-width="2"/>"##
        )?;
        writeln!(
            svg,
            r##"<text x="{x}" y="{}" text-anchor="middle" font-size="14" font-weight="bold" fill="#33363b">{}</text>"##,
            y + 5,
            Escaped(symbol)
        )?;
        writeln!(svg, "</svg>")
    }
}

/// Moving is a ring, capturing a cross, both a disc; a square around it means own pieces; over pieces it is a triangle.
fn write_mark(svg: &mut String, (x, y): Offset, mark: Mark) -> fmt::Result {
    let nothing = LandingKinds::default();
    // What the way without hopping allows already is not said again.
    let hops_only = LandingKinds {
        moves: mark.hopping.moves && !mark.freely.moves,
        captures: mark.hopping.captures && !mark.freely.captures,
        captures_own: mark.hopping.captures_own && !mark.freely.captures_own,
    };
    let apart = if mark.freely != nothing && hops_only != nothing { 4 } else { 0 };
    if mark.freely.captures_own || mark.hopping.captures_own {
        let (left, top) = (x - 11, y - 11);
        writeln!(
            svg,
            r##"<rect x="{left}" y="{top}" width="22" height="22" fill="none" stroke="#7a4fb0" stroke-width="2"/>"##
        )?;
    }
    if mark.taken {
        let (left, right, top, bottom) = (x - 9, x + 9, y - 9, y + 9);
        writeln!(
            svg,
            r##"<path d="M{x} {top}L{right} {y}L{x} {bottom}L{left} {y}Z" fill="none" stroke="#b3263a" stroke-width="2"/>"##
        )?;
    }
    write_free(svg, (x - apart, y - apart), 6 - apart / 4, mark.freely)?;
    write_hop(svg, (x + apart, y + apart), 7 - apart / 2, hops_only)
}

fn colour(ends: LandingKinds) -> &'static str {
    match (ends.moves, ends.captures) {
        (true, true) => "#2f6db5",
        (true, false) => "#348046",
        (false, _) => "#b3263a",
    }
}

fn write_free(svg: &mut String, (x, y): Offset, size: i32, ends: LandingKinds) -> fmt::Result {
    let colour = colour(ends);
    match (ends.moves, ends.captures) {
        (false, false) => Ok(()),
        (true, true) => writeln!(svg, r#"<circle cx="{x}" cy="{y}" r="{size}" fill="{colour}"/>"#),
        (true, false) => writeln!(
            svg,
            r#"<circle cx="{x}" cy="{y}" r="{size}" fill="none" stroke="{colour}" stroke-width="2"/>"#
        ),
        (false, true) => {
            let (left, right, top, bottom) = (x - size, x + size, y - size, y + size);
            writeln!(
                svg,
                r#"<path d="M{left} {top}L{right} {bottom}M{left} {bottom}L{right} {top}" stroke="{colour}" stroke-width="3"/>"#
            )
        }
    }
}

fn write_hop(svg: &mut String, (x, y): Offset, size: i32, ends: LandingKinds) -> fmt::Result {
    if !ends.moves && !ends.captures {
        return Ok(());
    }
    let colour = colour(ends);
    let fill = if ends.moves && !ends.captures { "none" } else { colour };
    let (left, right, top, bottom) = (x - size, x + size, y - size, y + size - 1);
    writeln!(
        svg,
        r#"<path d="M{x} {top}L{right} {bottom}L{left} {bottom}Z" fill="{fill}" stroke="{colour}" stroke-width="2"/>"#
    )
}

/// Several pictures side by side in one document, each with its title above, and what the marks mean.
#[must_use]
pub fn sheet(pictures: &[(String, Diagram)]) -> String {
    const COLUMNS: usize = 4;
    const SPACE: u32 = 20;
    const TITLE: u32 = 24;
    let mut body = String::new();
    let (mut width, mut y) = (760, SPACE / 2);
    for row in pictures.chunks(COLUMNS) {
        let mut x = SPACE / 2;
        for (title, picture) in row {
            let (text, side) = (Escaped(title), picture.side);
            // Documents may stand within documents.
            body += &format!(
                "<g transform=\"translate({x} {y})\">\n<text y=\"14\" font-size=\"14\" font-weight=\"bold\" fill=\"#33363b\">{text}</text>\n<g transform=\"translate(0 {TITLE})\">\n{}</g>\n</g>\n",
                picture.svg
            );
            x += side.max(9 * title.chars().count() as u32) + SPACE;
        }
        width = width.max(x);
        y += row.iter().map(|(_, picture)| picture.side).max().unwrap_or(0) + TITLE + SPACE;
    }
    let ends = |moves, captures| LandingKinds { moves, captures, captures_own: false };
    let marks = [
        ("move or capture", Mark { freely: ends(true, true), ..Mark::default() }),
        ("move only", Mark { freely: ends(true, false), ..Mark::default() }),
        ("capture only", Mark { freely: ends(false, true), ..Mark::default() }),
        (
            "own piece",
            Mark {
                freely: LandingKinds { captures_own: true, ..LandingKinds::default() },
                ..Mark::default()
            },
        ),
        ("taken from there", Mark { taken: true, ..Mark::default() }),
        ("by hopping", Mark { hopping: ends(true, true), ..Mark::default() }),
    ];
    let mut x = 20;
    for (text, mark) in marks {
        // Writing to a string does not fail.
        let _ = write_mark(&mut body, (x, y as i32 + 8), mark);
        body += &format!(
            "<text x=\"{}\" y=\"{}\" font-size=\"12\" fill=\"#33363b\">{text}</text>\n",
            x + 16,
            y + 12
        );
        x += 40 + 7 * text.len() as i32;
    }
    let height = y + 30;
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\">\n<rect width=\"100%\" height=\"100%\" fill=\"#fcfcfa\"/>\n{body}</svg>\n"
    )
}
