//! Words for sets of squares: whole rows and columns, or the squares themselves.

use std::collections::BTreeMap;

use super::{WordBudget, Wording, alternatives};
use crate::draft::Draft;
use crate::ids::{Id, IdVec, Square, SquareSet};
use crate::squares::SquareNames;

/// The most squares that are named where they are counted, and where they are not.
const MAX_NAMED: usize = 3;
/// The most squares of a text that is kept whole.
const MAX_LISTED: usize = 200;

/// The squares of a board as words know them.
pub(super) struct BoardPlaces {
    names: IdVec<Square, String>,
    rows: Option<LineIndex>,
    columns: Option<LineIndex>,
}

/// A set of squares in words.
pub(super) enum SquarePhrase {
    /// All squares.
    Everywhere,
    /// None.
    Nowhere,
    /// All squares of lines: `row 8`, `columns a–c`.
    Lines(String),
    /// These squares, and all of them when there are too many.
    Squares(String, Option<String>),
}

/// The rows or the columns of a board.
struct LineIndex {
    /// The line of each square.
    of: IdVec<Square, usize>,
    /// The lines in the order of their names, with the number of their squares.
    lines: Vec<(String, usize)>,
}

impl BoardPlaces {
    pub(super) fn of(draft: &Draft) -> BoardPlaces {
        let SquareNames { names, columns, rows } = SquareNames::of(draft);
        BoardPlaces {
            names,
            rows: rows.as_ref().map(LineIndex::new),
            columns: columns.as_ref().map(LineIndex::new),
        }
    }

    /// How many squares there are.
    pub(super) fn len(&self) -> usize {
        self.names.len()
    }

    /// The name of a square; its number if there is no such square.
    pub(super) fn name(&self, square: Square) -> String {
        self.names.get(square).cloned().unwrap_or_else(|| format!("?{}", square.index()))
    }

    /// The test whether the current square is in a set.
    pub(super) fn at(&self, set: &SquareSet, budget: &WordBudget) -> Wording {
        match self.describe(set, budget) {
            SquarePhrase::Everywhere => Wording::new("anywhere".to_owned()),
            SquarePhrase::Nowhere => Wording::new("nowhere".to_owned()),
            SquarePhrase::Lines(lines) => Wording::new(format!("in {lines}")),
            SquarePhrase::Squares(shown, whole) => worded("at", &shown, whole),
        }
    }

    /// The walk to each of these squares, from wherever it begins.
    pub(super) fn to_any(&self, set: &SquareSet, budget: &WordBudget) -> Wording {
        match self.describe(set, budget) {
            SquarePhrase::Everywhere => Wording::new("to any square".to_owned()),
            SquarePhrase::Nowhere => Wording::new("to no square".to_owned()),
            SquarePhrase::Lines(lines) => Wording::new(format!("to any square of {lines}")),
            SquarePhrase::Squares(shown, whole) => worded("to", &shown, whole),
        }
    }

    /// A set in words; by its squares when there is no time for better ones.
    pub(super) fn describe(&self, set: &SquareSet, budget: &WordBudget) -> SquarePhrase {
        if set.is_empty() {
            return SquarePhrase::Nowhere;
        }
        if !budget.work(self.names.len() + 1) {
            return self.list(set.iter(), set.len());
        }
        if set.len() == self.names.len() && self.names.keys().all(|square| set.contains(square)) {
            return SquarePhrase::Everywhere;
        }
        let whole = |lines: &Option<LineIndex>, one, many| lines.as_ref()?.whole(set, one, many);
        if set.len() > 1
            && let Some(lines) = whole(&self.rows, "row", "rows")
                .or_else(|| whole(&self.columns, "column", "columns"))
        {
            return SquarePhrase::Lines(lines);
        }
        let outside = || self.names.keys().filter(|&square| !set.contains(square));
        let others = outside().count();
        if others <= MAX_NAMED && others < set.len() {
            let names: Vec<String> = outside().map(|square| self.name(square)).collect();
            return SquarePhrase::Squares(format!("any square but {}", alternatives(&names)), None);
        }
        self.list(set.iter(), set.len())
    }

    fn list(&self, squares: impl Iterator<Item = Square>, count: usize) -> SquarePhrase {
        let names: Vec<String> = squares.take(MAX_LISTED).map(|square| self.name(square)).collect();
        if count <= MAX_NAMED + 1 {
            return SquarePhrase::Squares(alternatives(&names), None);
        }
        let more = if count > names.len() { ", …" } else { "" };
        let whole = format!("{count} squares: {}{more}", names.join(", "));
        let first = names[..MAX_NAMED.min(names.len())].join(", ");
        SquarePhrase::Squares(format!("{count} squares: {first}, …"), Some(whole))
    }
}

fn worded(word: &str, shown: &str, whole: Option<String>) -> Wording {
    let shown = format!("{word} {shown}");
    match whole {
        Some(whole) => Wording::with_whole(shown, format!("{word} {whole}")),
        None => Wording::new(shown),
    }
}

impl LineIndex {
    fn new(names: &IdVec<Square, String>) -> LineIndex {
        let mut sizes: BTreeMap<(usize, &String), usize> = BTreeMap::new();
        for name in names.values() {
            // Shorter names come first, so that 9 comes before 10.
            *sizes.entry((name.len(), name)).or_default() += 1;
        }
        let numbers: BTreeMap<&String, usize> =
            sizes.keys().enumerate().map(|(number, (_, name))| (*name, number)).collect();
        let of = names.values().map(|name| numbers[name]).collect();
        let lines = sizes.iter().map(|((_, name), size)| ((*name).clone(), *size)).collect();
        LineIndex { of, lines }
    }

    /// The lines that make up a set; `None` if it is no union of whole lines. Neighbouring lines are joined: `rows 1–3, 7`.
    fn whole(&self, set: &SquareSet, one: &str, many: &str) -> Option<String> {
        let mut found = vec![0; self.lines.len()];
        for square in set.iter() {
            found[*self.of.get(square)?] += 1;
        }
        let is_whole =
            |(&found, (_, size)): (&usize, &(String, usize))| found == 0 || found == *size;
        // A board of one line, or lines of one square, would be described by squares just as well.
        let is_useful = self.lines.len() > 1 && self.lines.len() < self.of.len();
        if !is_useful || !found.iter().zip(&self.lines).all(is_whole) {
            return None;
        }
        let members: Vec<usize> = (0..found.len()).filter(|&line| found[line] > 0).collect();
        let runs = members.chunk_by(|first, second| first + 1 == *second);
        let words: Vec<String> = runs.flat_map(|run| self.run(run)).collect();
        let noun = if members.len() == 1 { one } else { many };
        Some(format!("{noun} {}", words.join(", ")))
    }

    /// The name of lines that follow each other.
    fn run(&self, run: &[usize]) -> Vec<String> {
        let name = |line: &usize| self.lines[*line].0.clone();
        match run {
            [first, _, .., last] => vec![format!("{}–{}", name(first), name(last))],
            _ => run.iter().map(name).collect(),
        }
    }
}
