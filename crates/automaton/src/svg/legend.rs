//! The lines above all drawings: what is drawn, what is left out, and what shapes, colours and names mean.

use std::fmt::{self, Write};

use super::shapes::{self, Escaped, LINE_HEIGHT, text_width};
use crate::palette::{GROUND, INK, NOTE};
use crate::sketch::{ArrowRole, LegendEntry, LegendSample};

/// The height of the title, of a note and of a row of entries.
const TITLE: f64 = 26.0;
const ROW: f64 = 24.0;
/// The space within the frame of the legend, below it, and between entries.
const PADDING: f64 = 12.0;
const BELOW: f64 = 18.0;
const GAP: f64 = 26.0;
/// The space between a sample and its meaning.
const SPACE: f64 = 8.0;

/// What stands above all drawings.
pub(super) struct Heading<'a> {
    title: String,
    note: Option<&'a str>,
    entries: Vec<(f64, f64, &'a LegendEntry)>,
    pub(super) width: f64,
    pub(super) height: f64,
}

impl<'a> Heading<'a> {
    /// A heading in rows that are not wider than this, if no entry is.
    pub(super) fn new(
        title: String,
        note: Option<&'a str>,
        legend: &'a [LegendEntry],
        widest: f64,
    ) -> Heading<'a> {
        let top = TITLE + if note.is_some() { ROW } else { 0.0 };
        let (mut x, mut y, mut right) = (PADDING, top + PADDING + ROW / 2.0, 0.0_f64);
        let mut entries: Vec<(f64, f64, &LegendEntry)> = Vec::new();
        for entry in legend {
            let width = width(entry);
            let is_new =
                entries.last().is_some_and(|(_, _, last)| last.sample.row() != entry.sample.row());
            if x > PADDING && (is_new || x + width + PADDING > widest) {
                (x, y) = (PADDING, y + ROW);
            }
            entries.push((x, y, entry));
            x += width + GAP;
            right = right.max(x - GAP + PADDING);
        }
        let width = right.max(1.3 * text_width(&title)).max(note.map_or(0.0, text_width));
        let height = if legend.is_empty() { top } else { y + ROW / 2.0 + PADDING + BELOW };
        Heading { title, note, entries, width, height }
    }

    pub(super) fn write(&self, svg: &mut String) -> fmt::Result {
        writeln!(
            svg,
            r##"<text y="14" font-size="14" font-weight="bold" fill="{INK}">{}</text>"##,
            Escaped(&self.title)
        )?;
        let mut top = TITLE;
        if let Some(note) = self.note {
            let baseline = TITLE + 14.0;
            writeln!(
                svg,
                r##"<text y="{baseline}" font-weight="bold" fill="{NOTE}">{}</text>"##,
                Escaped(note)
            )?;
            top += ROW;
        }
        if self.entries.is_empty() {
            return Ok(());
        }
        let (width, height) = (self.width, self.height - top - BELOW);
        writeln!(
            svg,
            r##"<rect y="{top}" width="{width:.1}" height="{height:.1}" rx="8" fill="{GROUND}"/>"##
        )?;
        self.entries.iter().try_for_each(|(x, y, entry)| write_entry(svg, *x, *y, entry))
    }
}

/// The width of a sample.
fn sample_width(sample: &LegendSample) -> f64 {
    match sample {
        LegendSample::Name(name) => text_width(name) + SPACE,
        LegendSample::Arrow(_) => 36.0,
        _ => 30.0,
    }
}

fn width(entry: &LegendEntry) -> f64 {
    sample_width(&entry.sample) + SPACE + text_width(&entry.meaning.shown)
}

fn write_entry(svg: &mut String, x: f64, y: f64, entry: &LegendEntry) -> fmt::Result {
    if let Some(whole) = &entry.meaning.whole {
        write!(svg, "<g><title>{}</title>", Escaped(whole))?;
    }
    write_sample(svg, x, y, &entry.sample)?;
    let x = x + sample_width(&entry.sample) + SPACE;
    let (baseline, text) = (y + 4.0, Escaped(&entry.meaning.shown));
    write!(svg, r##"<text x="{x:.1}" y="{baseline:.1}" fill="{INK}">{text}</text>"##)?;
    writeln!(svg, "{}", if entry.meaning.whole.is_some() { "</g>" } else { "" })
}

fn write_sample(svg: &mut String, x: f64, y: f64, sample: &LegendSample) -> fmt::Result {
    let width = sample_width(sample);
    let centre = (x + width / 2.0, y);
    let line = |from: f64| format!("M{:.1} {y:.1}L{:.1} {y:.1}", x + from, x + width);
    match sample {
        LegendSample::Start => {
            writeln!(svg, r##"<circle cx="{:.1}" cy="{y:.1}" r="3" fill="{INK}"/>"##, x + 6.0)?;
            shapes::write_path(svg, &line(6.0), ArrowRole::Test)
        }
        LegendSample::Arrow(role) => shapes::write_path(svg, &line(0.0), *role),
        LegendSample::Name(name) => {
            let baseline = y + LINE_HEIGHT * 0.28;
            let name = Escaped(name);
            writeln!(
                svg,
                r##"<text x="{x:.1}" y="{baseline:.1}" font-weight="bold" fill="{INK}">{name}</text>"##
            )
        }
        LegendSample::Acts(_)
        | LegendSample::Inner
        | LegendSample::Accept
        | LegendSample::Over
        | LegendSample::Folded(_)
        | LegendSample::Stub => shapes::write_sample_node(svg, sample, centre),
    }
}
