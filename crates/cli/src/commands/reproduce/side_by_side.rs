//! Published figures beside those that were computed: as a table for people, as rows for programs.

use serde_json::{Map, Value, json};

use crate::output::wrapped;

/// How long the lines of notes are.
const WIDTH: usize = 100;

/// A table with its source and notes.
pub(super) struct SideBySide {
    /// Where the published figures come from.
    pub(super) source: &'static str,
    /// Parts with columns of their own.
    pub(super) parts: Vec<TablePart>,
    /// What has to be known to compare them.
    pub(super) notes: Vec<String>,
}

/// Rows with the same columns.
pub(super) struct TablePart {
    /// What the figures are.
    pub(super) title: &'static str,
    pub(super) columns: Vec<FigureColumn>,
    pub(super) rows: Vec<FigureRow>,
}

/// What the figures of a column are.
pub(super) struct FigureColumn {
    pub(super) origin: Origin,
    pub(super) name: &'static str,
    pub(super) spelling: Spelling,
}

/// Where the figures of a column come from.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Origin {
    /// They were printed.
    Published,
    /// They were computed now.
    Here,
    /// They compare the others.
    Compared,
}

/// How figures are written.
#[derive(Clone, Copy)]
pub(super) enum Spelling {
    /// As whole numbers, in groups of three digits.
    Grouped,
    /// With two decimals.
    Ratio,
    /// With the decimals they have.
    Plain,
    /// The same with a sign.
    Signed,
}

/// What is known of a game.
pub(super) struct FigureRow {
    pub(super) game: &'static str,
    /// A figure for each column; `None` if there is none.
    pub(super) figures: Vec<Option<f64>>,
    /// What is special about it.
    pub(super) note: Option<String>,
}

impl SideBySide {
    pub(super) fn text(&self) -> String {
        let mut text = format!("{}\n", wrapped(self.source, WIDTH));
        let mut notes = self.notes.clone();
        for part in &self.parts {
            text += &format!("\n{}\n{}", part.title, part.text());
            for row in &part.rows {
                let note = row.note.as_ref().map(|note| format!("{}: {note}", row.game));
                notes.extend(note.filter(|note| !notes.contains(note)));
            }
        }
        for note in notes {
            text += &format!("\n{}", wrapped(&note, WIDTH));
        }
        text
    }

    pub(super) fn json(&self, name: &str) -> Value {
        json!({
            "table": name,
            "source": self.source,
            "rows": self.parts.iter().flat_map(TablePart::json).collect::<Vec<Value>>(),
            "notes": self.notes,
        })
    }
}

impl TablePart {
    fn text(&self) -> String {
        let rows: Vec<Vec<String>> = self.rows.iter().map(|row| self.spelled(row)).collect();
        let names = self.rows.iter().map(|row| row.game.chars().count());
        let margin = names.max().unwrap_or_default();
        let widths: Vec<usize> = (0..self.columns.len())
            .map(|at| {
                let column = &self.columns[at];
                let cells = rows.iter().map(|cells| cells[at].chars().count());
                let heading = column.origin.word().len().max(column.name.chars().count());
                cells.max().unwrap_or_default().max(heading)
            })
            .collect();
        let line = |name: &str, cells: &[String]| {
            let cells = cells.iter().zip(&widths).map(|(cell, &width)| format!("  {cell:>width$}"));
            let line = format!("{name:margin$}{}", cells.collect::<String>());
            format!("{}\n", line.trim_end())
        };
        let heading = |word: &dyn Fn(&FigureColumn) -> &'static str| {
            let words: Vec<String> = self.columns.iter().map(|c| word(c).to_owned()).collect();
            line("", &words)
        };
        let mut text = heading(&|column| column.origin.word()) + &heading(&|column| column.name);
        for (row, cells) in self.rows.iter().zip(&rows) {
            text += &line(row.game, cells);
        }
        text
    }

    fn spelled(&self, row: &FigureRow) -> Vec<String> {
        let both = self.columns.iter().zip(&row.figures);
        let dash = || "-".to_owned();
        both.map(|(column, figure)| {
            figure.map_or_else(dash, |figure| column.spelling.spell(figure))
        })
        .collect()
    }

    fn json(&self) -> impl Iterator<Item = Value> {
        self.rows.iter().map(|row| {
            let of = |origin: Origin| {
                let both = self.columns.iter().zip(&row.figures);
                let those = both.filter(|(column, _)| column.origin == origin);
                let named = those.map(|(column, figure)| (column.name.to_owned(), json!(figure)));
                named.collect::<Map<String, Value>>()
            };
            json!({
                "figures": self.title,
                "game": row.game,
                "published": of(Origin::Published),
                "here": of(Origin::Here),
                "compared": of(Origin::Compared),
                "note": row.note,
            })
        })
    }
}

impl Origin {
    fn word(self) -> &'static str {
        match self {
            Origin::Published => "published",
            Origin::Here => "here",
            Origin::Compared => "compared",
        }
    }
}

impl Spelling {
    fn spell(self, figure: f64) -> String {
        match self {
            Spelling::Grouped => grouped(figure),
            Spelling::Ratio => format!("{figure:.2}"),
            Spelling::Plain => format!("{}", tenths(figure)),
            Spelling::Signed if tenths(figure) == 0.0 => "0".to_owned(),
            Spelling::Signed => format!("{:+}", tenths(figure)),
        }
    }
}

/// At most one decimal.
fn tenths(figure: f64) -> f64 {
    (figure * 10.0).round() / 10.0
}

/// A whole number in groups of three digits.
fn grouped(figure: f64) -> String {
    let digits = format!("{figure:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::Spelling;

    #[test]
    fn figures_are_spelled_for_people() {
        let grouped = [0.0, 999.4, 1000.0, 1_234_567.0].map(|f| Spelling::Grouped.spell(f));
        assert_eq!(grouped, ["0", "999", "1,000", "1,234,567"]);
        let signed = [0.0, 0.04, 0.5, -12.0].map(|f| Spelling::Signed.spell(f));
        assert_eq!(signed, ["0", "0", "+0.5", "-12"]);
        assert_eq!(Spelling::Plain.spell(376.5), "376.5");
        assert_eq!(Spelling::Ratio.spell(2.0), "2.00");
    }
}
