//! Words for walks over tables: a table is compared with ways along the directions of the board.
//!
//! A way goes some steps in one direction, then some in another; a heading is a direction, or two at once, as `up-left`. The ways
//! that a table holds wherever they exist are found, and if these are all that it holds, they are its words. If not, it may be
//! so for some squares to begin with, or to end on.
//!
//! ```text
//! up                   1 or more diagonally                   2 up from row 2                   knight's leap
//! ```

use std::collections::BTreeMap;

use super::places::{BoardPlaces, SquarePhrase};
use super::{TableWords, WordBudget, Wording, alternatives, is_in};
use crate::board::Shape;
use crate::draft::{Draft, WalkTable};
use crate::ids::{Direction, Id, Square, SquareSet, Table};
use crate::text::names::Vocabulary;

/// The most directions that are put together.
const MAX_DIRECTIONS: usize = 8;
/// The longest way along one heading, and the longest leg of another.
const MAX_STEPS: u32 = 24;
const MAX_LEG: u32 = 9;
/// The most squares of all ways together.
const MAX_KNOWN: usize = 400_000;
/// The most ways of a table that is described by them.
const MAX_WAYS: usize = 120;
/// The most rows that are written down of a table that has no better words.
const MAX_ROWS: usize = 60;

/// The ways along the directions of a board.
pub(super) struct BoardWays {
    known: Vec<BoardWay>,
    headings: Vec<HeadingName>,
    shape: Shape,
}

/// What a heading is called.
struct HeadingName {
    name: String,
    /// Whether it is two directions at once.
    is_diagonal: bool,
    /// The most steps that can be taken along it.
    reach: u32,
}

/// A way with the square it leads to from each square.
struct BoardWay {
    course: Course,
    targets: Vec<Option<Square>>,
}

/// Which way to go.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
enum Course {
    Stay,
    /// The number of a heading, and how many steps are taken along it.
    Straight(usize, u32),
    /// The steps of the longer leg and of the shorter one, in two directions, and the words for both.
    Leap(u32, u32, String),
}

impl Course {
    fn len(&self) -> u32 {
        match self {
            Course::Stay => 0,
            Course::Straight(_, count) => *count,
            Course::Leap(far, near, _) => far + near,
        }
    }
}

/// Which squares a way is tried on.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Restriction {
    /// Only those from which the table leads anywhere.
    from: bool,
    /// Only those to which the table leads.
    to: bool,
}

impl BoardWays {
    pub(super) fn of(draft: &Draft, names: &Vocabulary<'_>) -> BoardWays {
        let mut ways =
            BoardWays { known: Vec::new(), headings: Vec::new(), shape: draft.board.shape };
        if draft.tables.is_empty() {
            return ways;
        }
        let stay: Vec<Option<Square>> = draft.board.squares.keys().map(Some).collect();
        let directions: Vec<Direction> =
            draft.board.directions.keys().take(MAX_DIRECTIONS).collect();
        let steps: BTreeMap<Direction, Vec<Option<Square>>> =
            directions.iter().map(|&direction| (direction, single(draft, direction))).collect();
        ways.add(Course::Stay, stay.clone());
        for &direction in &directions {
            let name = names.directions.spell(direction).to_string();
            ways.add_heading(name, false, &steps[&direction]);
        }
        for (first, second) in pairs(&directions, &steps) {
            let name = |direction| names.directions.spell(direction);
            let both = after(&steps[&first], &steps[&second]);
            ways.add_heading(format!("{}-{}", name(first), name(second)), true, &both);
        }
        for (first, second) in pairs(&directions, &steps) {
            ways.add_leaps([first, second], &steps, names, &stay);
        }
        // Short ways are found first: round a cylinder, five steps to the left may be one to the right.
        ways.known.sort_by_key(|way| way.course.len());
        ways
    }

    fn is_full(&self, squares: usize) -> bool {
        (self.known.len() + 1) * squares > MAX_KNOWN
    }

    fn add(&mut self, course: Course, targets: Vec<Option<Square>>) -> bool {
        let is_useful = !self.is_full(targets.len()) && targets.iter().any(Option::is_some);
        if is_useful {
            self.known.push(BoardWay { course, targets });
        }
        is_useful
    }

    fn add_heading(&mut self, name: String, is_diagonal: bool, step: &[Option<Square>]) {
        let heading = self.headings.len();
        let mut targets = step.to_vec();
        let mut reach = 0;
        let leads_back = |targets: &[Option<Square>]| {
            targets.iter().enumerate().all(|(at, target)| target.is_some_and(|to| to.index() == at))
        };
        while !leads_back(&targets)
            && reach < MAX_STEPS
            && self.add(Course::Straight(heading, reach + 1), targets.clone())
        {
            reach += 1;
            targets = after(&targets, step);
        }
        self.headings.push(HeadingName { name, is_diagonal, reach });
    }

    fn add_leaps(
        &mut self,
        pair: [Direction; 2],
        steps: &BTreeMap<Direction, Vec<Option<Square>>>,
        names: &Vocabulary<'_>,
        stay: &[Option<Square>],
    ) {
        for (long, short) in [(pair[0], pair[1]), (pair[1], pair[0])] {
            for (far, near) in (2..=MAX_LEG).flat_map(|far| (1..far).map(move |near| (far, near))) {
                let leg = |from, direction, count| {
                    (0..count).fold(from, |way: Vec<_>, _| after(&way, &steps[&direction]))
                };
                let targets = leg(leg(stay.to_vec(), long, far), short, near);
                let name = |direction| names.directions.spell(direction);
                let text = format!("{far} {} {near} {}", name(long), name(short));
                self.add(Course::Leap(far, near, text), targets);
            }
        }
    }

    /// The words for a walk over a table.
    pub(super) fn table(
        &self,
        table: Table,
        walk: &WalkTable,
        places: &BoardPlaces,
        budget: &WordBudget,
    ) -> TableWords {
        let rows = match walk {
            WalkTable::Everywhere(row) if row.iter().all(|&square| is_in(square, places.len())) => {
                let wording = places.to_any(&row.iter().copied().collect(), budget);
                return TableWords { wording, is_exact: true };
            }
            WalkTable::Everywhere(row) => std::slice::from_ref(row),
            WalkTable::PerSquare(rows) => rows,
        };
        let wording = self.along_ways(rows, places, budget);
        let is_exact = wording.is_some();
        let wording = wording.unwrap_or_else(|| counted(table, rows, places));
        TableWords { wording, is_exact }
    }

    /// The words for a table that holds ways; `None` if it holds others.
    fn along_ways(
        &self,
        rows: &[Vec<Square>],
        places: &BoardPlaces,
        budget: &WordBudget,
    ) -> Option<Wording> {
        let exists = |&square: &Square| is_in(square, places.len());
        if rows.len() != places.len() || !rows.iter().flatten().all(exists) {
            return None;
        }
        let (from, to) = ends(rows);
        if let Some(heading) = self.to_the_edge(rows, budget) {
            return Some(Wording::new(format!("{heading} to the edge")));
        }
        for (only_from, only_to) in [(false, false), (true, false), (false, true), (true, true)] {
            let restriction = Restriction { from: only_from, to: only_to };
            let Some(courses) = self.cover(rows, restriction, [&from, &to], budget) else {
                continue;
            };
            let mut text = self.phrase(&courses);
            if only_from {
                text = format!("{text} from {}", place(&from, places, budget));
            }
            if only_to {
                text = format!("{text} to {}", place(&to, places, budget));
            }
            return Some(Wording::new(text));
        }
        None
    }

    /// The courses of the ways that make up a table; `None` if they leave something of it.
    fn cover(
        &self,
        rows: &[Vec<Square>],
        restriction: Restriction,
        [from, to]: [&SquareSet; 2],
        budget: &WordBudget,
    ) -> Option<Vec<Course>> {
        let mut left: usize = rows.iter().map(Vec::len).sum();
        let mut covered: Vec<Vec<bool>> = rows.iter().map(|row| vec![false; row.len()]).collect();
        let mut courses = Vec::new();
        for way in &self.known {
            if left == 0 || courses.len() > MAX_WAYS {
                break;
            }
            let applies = |(square, target): &(usize, Square)| {
                (!restriction.from || from.contains(Square::from_index(*square)))
                    && (!restriction.to || to.contains(*target))
            };
            let targets = way.targets.iter().enumerate();
            let steps = targets.filter_map(|(square, target)| Some((square, (*target)?)));
            if !budget.work(rows.len()) {
                return None;
            }
            let found: Option<Vec<(usize, usize)>> = steps
                .filter(applies)
                .map(|(square, target)| Some((square, rows[square].binary_search(&target).ok()?)))
                .collect();
            let mut is_new = false;
            for (square, place) in found.unwrap_or_default() {
                if !std::mem::replace(&mut covered[square][place], true) {
                    left -= 1;
                    is_new = true;
                }
            }
            if is_new {
                courses.push(way.course.clone());
            }
        }
        (left == 0 && !courses.is_empty() && courses.len() <= MAX_WAYS).then_some(courses)
    }

    /// The heading at whose end each square's only target lies.
    fn to_the_edge(&self, rows: &[Vec<Square>], budget: &WordBudget) -> Option<&str> {
        if rows.iter().any(|row| row.len() != 1) || !budget.work(rows.len() * self.headings.len()) {
            return None;
        }
        let step = |heading| {
            let course = Course::Straight(heading, 1);
            self.known.iter().find(|way| way.course == course).map(|way| &way.targets)
        };
        let is_edge = |heading: usize| {
            step(heading).is_some_and(|step| {
                // The last square of a line leads to itself, and every other one to where the next one leads.
                (0..rows.len()).all(|square| match step[square] {
                    None => rows[square][0].index() == square,
                    Some(next) => rows[square] == rows[next.index()],
                })
            })
        };
        let heading = (0..self.headings.len()).find(|&heading| is_edge(heading))?;
        Some(&self.headings[heading].name)
    }

    /// Courses in words.
    fn phrase(&self, courses: &[Course]) -> String {
        let mut steps: BTreeMap<usize, Vec<u32>> = BTreeMap::new();
        let mut leaps: BTreeMap<(u32, u32), Vec<&str>> = BTreeMap::new();
        for course in courses {
            match course {
                Course::Stay => {}
                Course::Straight(heading, count) => steps.entry(*heading).or_default().push(*count),
                Course::Leap(far, near, text) => leaps.entry((*far, *near)).or_default().push(text),
            }
        }
        // Headings along which the same numbers of steps are possible are named together.
        let mut alike: BTreeMap<StepCounts, Vec<usize>> = BTreeMap::new();
        for (heading, counts) in steps {
            let counts = self.steps(heading, counts);
            alike.entry(counts).or_default().push(heading);
        }
        let mut stays = courses.contains(&Course::Stay);
        let is_run =
            alike.len() == 1 && leaps.is_empty() && alike.contains_key(&StepCounts::OneOrMore);
        let mut words = Vec::new();
        for (counts, headings) in &alike {
            let count = match counts {
                StepCounts::OneOrMore if stays && is_run => "0 or more ".to_owned(),
                StepCounts::OneOrMore => "1 or more ".to_owned(),
                StepCounts::Counts(counts) if counts == &[1] => String::new(),
                StepCounts::Counts(counts) => {
                    let counts: Vec<String> = counts.iter().map(u32::to_string).collect();
                    format!("{} ", alternatives(&counts))
                }
            };
            words.push(format!("{count}{}", self.named(headings, count.is_empty())));
        }
        stays &= !is_run;
        words.extend(leaps.iter().flat_map(|(&size, leaps)| self.leaps(size, leaps)));
        if stays {
            words.insert(0, "stay".to_owned());
        }
        alternatives(&words)
    }

    fn steps(&self, heading: usize, mut counts: Vec<u32>) -> StepCounts {
        counts.sort_unstable();
        let reach = self.headings[heading].reach;
        if reach > 1 && counts.iter().copied().eq(1..=reach) {
            return StepCounts::OneOrMore;
        }
        StepCounts::Counts(counts)
    }

    /// Headings in words; `alone` if no number stands before them.
    fn named(&self, headings: &[usize], alone: bool) -> String {
        let all = |is_diagonal: bool| {
            let mut kind = self
                .headings
                .iter()
                .enumerate()
                .filter(|(_, heading)| heading.is_diagonal == is_diagonal && heading.reach > 0);
            kind.clone().count() > 3 && kind.all(|(number, _)| headings.contains(&number))
        };
        let one = if alone { "1 " } else { "" };
        let is_square = self.shape == Shape::Square;
        match (all(false), all(true)) {
            (true, true) if is_square => format!("{one}in any direction"),
            (true, false) if is_square && headings.len() == 4 => format!("{one}orthogonally"),
            (false, true) if is_square && headings.len() == 4 => format!("{one}diagonally"),
            (true, false)
                if headings.iter().all(|&heading| !self.headings[heading].is_diagonal) =>
            {
                format!("{one}in any direction")
            }
            _ => {
                let names = headings.iter().map(|&heading| self.headings[heading].name.clone());
                alternatives(&names.collect::<Vec<String>>())
            }
        }
    }

    /// Leaps in words: all eight of a size together.
    fn leaps(&self, (far, near): (u32, u32), leaps: &[&str]) -> Vec<String> {
        match (self.shape, leaps.len(), far, near) {
            (Shape::Square, 8, 2, 1) => vec!["knight's leap".to_owned()],
            (Shape::Square, 8, ..) => vec![format!("leap of {near} and {far}")],
            _ => leaps.iter().map(|&leap| leap.to_owned()).collect(),
        }
    }
}

/// How many steps along a heading.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum StepCounts {
    /// As many as the board allows.
    OneOrMore,
    /// One of these numbers.
    Counts(Vec<u32>),
}

/// The neighbour of each square in a direction.
fn single(draft: &Draft, direction: Direction) -> Vec<Option<Square>> {
    let squares = &draft.board.squares;
    let exists = |square: &Square| is_in(*square, squares.len());
    squares
        .values()
        .map(|info| info.neighbours.get(direction).copied().flatten().filter(exists))
        .collect()
}

/// Where one way leads after another.
fn after(first: &[Option<Square>], second: &[Option<Square>]) -> Vec<Option<Square>> {
    first.iter().map(|target| second[(*target)?.index()]).collect()
}

/// The pairs of directions that lead to new squares when taken at once: neither back nor where a single one leads.
fn pairs(
    directions: &[Direction],
    steps: &BTreeMap<Direction, Vec<Option<Square>>>,
) -> Vec<(Direction, Direction)> {
    let leads_on = |first: Direction, second: Direction| {
        let both = after(&steps[&first], &steps[&second]);
        let mut found = both.iter().enumerate().filter_map(|(at, target)| Some((at, (*target)?)));
        found.next().is_some_and(|(at, target)| {
            target.index() != at && !steps.values().any(|step| step[at] == Some(target))
        })
    };
    let mut pairs = Vec::new();
    for (index, &first) in directions.iter().enumerate() {
        for &second in &directions[index + 1..] {
            if leads_on(first, second) {
                pairs.push((first, second));
            }
        }
    }
    pairs
}

/// The squares from which a table leads anywhere, and those it leads to.
fn ends(rows: &[Vec<Square>]) -> (SquareSet, SquareSet) {
    let from = rows.iter().enumerate().filter(|(_, row)| !row.is_empty());
    let from = from.map(|(square, _)| Square::from_index(square)).collect();
    (from, rows.iter().flatten().copied().collect())
}

fn place(set: &SquareSet, places: &BoardPlaces, budget: &WordBudget) -> String {
    match places.describe(set, budget) {
        SquarePhrase::Everywhere => "any square".to_owned(),
        SquarePhrase::Nowhere => "no square".to_owned(),
        SquarePhrase::Lines(lines) => lines,
        SquarePhrase::Squares(_, Some(whole)) => whole,
        SquarePhrase::Squares(shown, None) => shown,
    }
}

/// How many squares a table leads to; the whole text is the beginning of the table.
fn counted(table: Table, rows: &[Vec<Square>], places: &BoardPlaces) -> Wording {
    let sizes = || rows.iter().map(Vec::len).filter(|&size| size > 0);
    let (least, most) = (sizes().min().unwrap_or(0), sizes().max().unwrap_or(0));
    let count = if least == most { most.to_string() } else { format!("{least}–{most}") };
    let noun = if most == 1 { "square" } else { "squares" };
    let row = |(square, row): (usize, &Vec<Square>)| {
        let targets = row.iter().take(MAX_ROWS).map(|&target| places.name(target));
        let targets: Vec<String> = targets.collect();
        format!("from {} to {}", places.name(Square::from_index(square)), targets.join(", "))
    };
    let listed = rows.iter().enumerate().filter(|(_, row)| !row.is_empty()).map(row);
    let listed: Vec<String> = listed.take(MAX_ROWS).collect();
    Wording::with_whole(format!("to {count} {noun} ({table})"), listed.join("; "))
}

#[cfg(test)]
mod tests {
    use super::super::ActionWords;
    use crate::action::Action;
    use crate::draft::{Draft, WalkTable};
    use crate::ids::{Square, Table};

    /// A board of chess with a table of these steps right and down.
    fn board(steps: impl Fn(i32, i32) -> bool) -> Draft {
        let mut text =
            "players w 1\npieces e\ndirections up, down, left, right\nboard square\n".to_owned();
        for (x, y) in (0..8).flat_map(|y| (0..8).map(move |x| (x, y))) {
            text += &format!("s{x}{y} e ({x}, {y})");
            for (name, x, y) in
                [("up", x, y - 1), ("down", x, y + 1), ("left", x - 1, y), ("right", x + 1, y)]
            {
                if (0..8).contains(&x) && (0..8).contains(&y) {
                    text += &format!(" {name}=s{x}{y}");
                }
            }
            text.push('\n');
        }
        let mut draft: Draft = (text + "rules n0\nn0:").parse().expect("it can be read");
        let squares: Vec<(i32, i32)> =
            draft.board.squares.values().map(|info| (info.x, info.y)).collect();
        let row = |&(x, y): &(i32, i32)| {
            let ends = squares.iter().enumerate();
            let ends = ends.filter(|(_, end)| steps(end.0 - x, end.1 - y));
            ends.map(|(index, _)| Square(index as u32)).collect()
        };
        draft.tables.push(WalkTable::PerSquare(squares.iter().map(row).collect()));
        draft
    }

    fn words(draft: &Draft) -> String {
        ActionWords::of(draft).action(&Action::Walk(Table(0))).shown
    }

    #[test]
    fn steps_have_words() {
        type StepTest = fn(i32, i32) -> bool;
        let cases: [(StepTest, &str); 12] = [
            (|x, y| (x, y) == (0, -1), "up"),
            (|x, y| (x, y) == (0, -2), "2 up"),
            (|x, y| x.abs() == 1 && y == -1, "up-left or up-right"),
            (|x, y| x.abs() + y.abs() == 1, "1 orthogonally"),
            (|x, y| x.abs().max(y.abs()) == 1, "1 in any direction"),
            (|x, y| x.abs() == y.abs() && x != 0, "1 or more diagonally"),
            (|x, y| (x == 0) != (y == 0), "1 or more orthogonally"),
            (|x, y| x == 0 && y <= 0, "0 or more up"),
            (|x, y| x * x + y * y == 5, "knight's leap"),
            (|x, y| x * x + y * y == 10, "leap of 1 and 3"),
            (|x, y| (x.abs(), y) == (1, -2), "2 up 1 left or 2 up 1 right"),
            (|x, y| x == 0 && (y == 0 || y == 3), "stay or 3 down"),
        ];
        for (steps, expected) in cases {
            assert_eq!(words(&board(steps)), expected);
        }
    }

    #[test]
    fn steps_from_some_squares_have_words() {
        let mut draft = board(|x, y| (x, y) == (0, -2));
        let WalkTable::PerSquare(rows) = &mut draft.tables[Table(0)] else { unreachable!() };
        rows.iter_mut().enumerate().filter(|(at, _)| at / 8 != 6).for_each(|(_, row)| row.clear());
        assert_eq!(words(&draft), "2 up from row 2");
    }

    #[test]
    fn other_tables_are_counted() {
        let mut draft = board(|x, y| (x, y) == (0, -2));
        let WalkTable::PerSquare(rows) = &mut draft.tables[Table(0)] else { unreachable!() };
        rows[0] = vec![Square(17), Square(42)];
        assert_eq!(words(&draft), "to 1–2 squares (t0)");
        let words = ActionWords::of(&draft);
        let whole = words.inexact_table(Table(0));
        assert!(whole.expect("it is explained").starts_with("from a8 to b6, c3; from a6 to a8; "));
    }

    #[test]
    fn lines_have_ends() {
        let mut draft = board(|x, y| (x, y) == (0, -2));
        let ends = (0..64).map(|square| vec![Square(square % 8)]).collect();
        draft.tables[Table(0)] = WalkTable::PerSquare(ends);
        assert_eq!(words(&draft), "up to the edge");
    }
}
