//! Words for sets of squares: whole rows and columns, or the squares themselves.

use std::collections::{BTreeMap, BTreeSet};

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
    /// All squares of lines: `row 8`, `columns a–c`, `rows 1–3, columns b–d`.
    Lines(String),
    /// These squares, and all of them when there are too many.
    Squares(String, Option<String>),
}

/// The rows or the columns of a board.
struct LineIndex {
    /// The line of each square.
    of: IdVec<Square, usize>,
    /// The names of the lines, in their order.
    lines: Vec<String>,
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
        if let Some(lines) = self.lines(set) {
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

    /// The rows and columns whose common squares make up a set: `row 8`, `columns a–c`, `rows 1–3, columns a, h`; `None` if there
    /// are none, or naming the squares is simpler.
    fn lines(&self, set: &SquareSet) -> Option<String> {
        let (rows, columns) = (self.rows.as_ref()?, self.columns.as_ref()?);
        let (in_rows, in_columns) = (rows.touched(set)?, columns.touched(set)?);
        let is_common =
            |&square: &Square| in_rows[rows.of[square]] && in_columns[columns.of[square]];
        if self.names.keys().filter(is_common).count() != set.len() {
            return None;
        }
        let is_whole = |lines: &[bool]| lines.iter().all(|&is_in| is_in);
        let (all_rows, all_columns) = (is_whole(&in_rows), is_whole(&in_columns));
        if set.len() == 1 || (!all_rows && !all_columns && set.len() <= MAX_NAMED + 1) {
            return None;
        }
        let rows = (!all_rows).then(|| rows.text(&in_rows, "row"));
        let columns = (!all_columns).then(|| columns.text(&in_columns, "column"));
        Some(rows.into_iter().chain(columns).collect::<Vec<String>>().join(", "))
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
        // Shorter names come first, so that 9 comes before 10.
        let ordered: BTreeSet<(usize, &String)> =
            names.values().map(|name| (name.len(), name)).collect();
        let numbers: BTreeMap<&String, usize> =
            ordered.iter().enumerate().map(|(number, (_, name))| (*name, number)).collect();
        let of = names.values().map(|name| numbers[name]).collect();
        LineIndex { of, lines: ordered.into_iter().map(|(_, name)| name.clone()).collect() }
    }

    /// For each line whether it holds a square of a set; `None` if a square of the set is on no line.
    fn touched(&self, set: &SquareSet) -> Option<Vec<bool>> {
        let mut touched = vec![false; self.lines.len()];
        for square in set.iter() {
            touched[*self.of.get(square)?] = true;
        }
        Some(touched)
    }

    /// Some of the lines in words. Neighbouring lines are joined: `rows 1–3, 7`.
    fn text(&self, is_in: &[bool], noun: &str) -> String {
        let members: Vec<usize> = (0..is_in.len()).filter(|&line| is_in[line]).collect();
        let runs = members.chunk_by(|first, second| first + 1 == *second);
        let words: Vec<String> = runs.flat_map(|run| self.run(run)).collect();
        let plural = if members.len() == 1 { "" } else { "s" };
        format!("{noun}{plural} {}", words.join(", "))
    }

    /// The name of lines that follow each other.
    fn run(&self, run: &[usize]) -> Vec<String> {
        let name = |line: &usize| self.lines[*line].clone();
        match run {
            [first, _, .., last] => vec![format!("{}–{}", name(first), name(last))],
            _ => run.iter().map(name).collect(),
        }
    }
}
