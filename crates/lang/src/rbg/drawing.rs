//! Where squares lie when a board is drawn, found from their names.
//!
//! Generators name their squares by column and row, and the printed form of a board keeps the names, so one way of
//! reading them serves both. Other names are read as on a chess board, or else the labels of the edges say where the
//! neighbours lie, or else the squares are put in a ring.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};

use regulus_automaton::{Direction, Id, Shape, Square};

type Edge = (Square, Direction, Square);
type Places = Vec<(i32, i32)>;

/// The shape of the squares and a place of its own for each.
pub(crate) fn draw(names: &[&str], directions: &[String], edges: &[Edge]) -> (Shape, Places) {
    None.or_else(|| rectangle(names))
        .or_else(|| hexagon(names, edges))
        .or_else(|| cuboid(names))
        .or_else(|| chess(names))
        .or_else(|| compass(names.len(), directions, edges))
        .unwrap_or_else(|| (Shape::Point, ring(names.len())))
}

/// Numbers in names are at most this, so that places stay far from the ends of their type.
const GREATEST: i32 = 10_000;

/// The numbers after the given letters, when the whole name is made of them: `rx3y0` with `rx`, `y`.
fn numbers<const N: usize>(name: &str, letters: [&str; N]) -> Option<[i32; N]> {
    let mut rest = name;
    let mut numbers = [0; N];
    for (number, letter) in numbers.iter_mut().zip(letters) {
        rest = rest.strip_prefix(letter)?;
        let length = rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len());
        let digits;
        (digits, rest) = rest.split_at(length);
        *number = digits.parse().ok().filter(|number| *number <= GREATEST)?;
        // Two spellings of one number would be two squares in one place.
        (number.to_string() == digits).then_some(())?;
    }
    rest.is_empty().then_some(numbers)
}

fn rectangle(names: &[&str]) -> Option<(Shape, Places)> {
    let places = names.iter().map(|name| numbers(name, ["rx", "y"]).map(|[x, y]| (x, y)));
    Some((Shape::Square, places.collect::<Option<_>>()?))
}

/// Layers stand side by side with an empty column between them.
fn cuboid(names: &[&str]) -> Option<(Shape, Places)> {
    let cells: Vec<[i32; 3]> =
        names.iter().map(|name| numbers(name, ["cx", "y", "z"])).collect::<Option<_>>()?;
    let width = cells.iter().map(|[x, ..]| x + 1).max()?;
    let places = cells.iter().map(|[x, y, z]| (x + z * (width + 1), *y));
    Some((Shape::Square, places.collect()))
}

/// Lines are shifted by half a cell against the next; a longer line begins further to the left.
fn hexagon(names: &[&str], edges: &[Edge]) -> Option<(Shape, Places)> {
    let cells: Vec<[i32; 2]> =
        names.iter().map(|name| numbers(name, ["hx", "y"])).collect::<Option<_>>()?;
    let mut lengths: BTreeMap<i32, i32> = BTreeMap::new();
    for [x, y] in &cells {
        let length = lengths.entry(*y).or_default();
        *length = (*length).max(x + 1);
    }
    let shifts = shifts(&cells, edges);
    let mut offsets: BTreeMap<i32, i32> = BTreeMap::new();
    let mut before: Option<(i32, i32, i32)> = None;
    for (&row, &length) in &lengths {
        let offset = before.map_or(0, |(row_before, length_before, offset)| {
            let adjacent = (row_before + 1 == row).then(|| shifts.get(&row_before)).flatten();
            offset + adjacent.copied().unwrap_or(length_before - length)
        });
        offsets.insert(row, offset);
        before = Some((row, length, offset));
    }
    let mut places: Places = cells.iter().map(|[x, y]| (2 * x + offsets[y], *y)).collect();
    if let Some(lying) = laid_down(&places) {
        places = lying;
    }
    let least = places.iter().map(|(x, _)| *x).min()?;
    places.iter_mut().for_each(|(x, _)| *x -= least);
    Some((Shape::Hexagon, places))
}

/// The places of a board whose lines get longer and then shorter again by one, as boards of hex are written, turned so that
/// all lines have the same length; `None` if it is not such a board.
///
/// ```text
///    a            a b c
///   d b     ==>    d e f
///  g e c            g h i
///   h f
///    i
/// ```
fn laid_down(places: &Places) -> Option<Places> {
    let turned: Places = places.iter().map(|(x, y)| ((y + x), (y - x))).collect();
    let range = |place: fn(&(i32, i32)) -> i32| {
        let numbers = turned.iter().map(place);
        Some((numbers.clone().min()?, numbers.max()?))
    };
    let ((left, right), (top, bottom)) = (range(|place| place.0)?, range(|place| place.1)?);
    let (columns, rows) = ((right - left) / 2 + 1, (bottom - top) / 2 + 1);
    let is_even = turned.iter().all(|(x, y)| (x - left) % 2 == 0 && (y - top) % 2 == 0);
    // A single line stays as it is.
    if !is_even
        || columns < 2
        || rows < 2
        || i64::from(columns) * i64::from(rows) != turned.len() as i64
    {
        return None;
    }
    let lie = |&(x, y): &(i32, i32)| {
        let (column, row) = ((x - left) / 2, (y - top) / 2);
        (2 * column + row, row)
    };
    Some(turned.iter().map(lie).collect())
}

/// How far each line's successor is shifted to the right in half cells, where an edge between them tells.
///
/// Lengths alone do not: holes at the end of a line leave no trace in the names.
fn shifts(cells: &[[i32; 2]], edges: &[Edge]) -> HashMap<i32, i32> {
    let mut shifts = HashMap::new();
    for (from, _, to) in edges {
        let ([x, y], [below_x, below_y]) = (cells[from.index()], cells[to.index()]);
        if below_y == y + 1 && (below_x - x).abs() == 1 {
            shifts.insert(y, x - below_x);
        }
    }
    shifts
}

/// `a1`, `b7`: a letter for the column and the row counted from the bottom.
fn chess(names: &[&str]) -> Option<(Shape, Places)> {
    let cell = |name: &&str| {
        let letter = name.bytes().next().filter(u8::is_ascii_lowercase)?;
        let [rank] = numbers(&name[1..], [""])?;
        (rank > 0).then_some((i32::from(letter - b'a'), rank))
    };
    let cells: Places = names.iter().map(cell).collect::<Option<_>>()?;
    // One letter with numbers is a numbering, not a chess board.
    let columns: HashSet<i32> = cells.iter().map(|(x, _)| *x).collect();
    let top = cells.iter().map(|(_, rank)| *rank).max()?;
    let places = cells.iter().map(|(x, rank)| (*x, top - rank)).collect();
    (columns.len() > 1).then_some((Shape::Point, places))
}

/// Neighbours lie where the labels say; fails when two squares would share a place.
fn compass(count: usize, directions: &[String], edges: &[Edge]) -> Option<(Shape, Places)> {
    let steps: Vec<Option<(i32, i32)>> = directions.iter().map(|label| step(label)).collect();
    let mut neighbours: Vec<Vec<(usize, (i32, i32))>> = vec![Vec::new(); count];
    for (from, label, to) in edges {
        if let Some((dx, dy)) = steps[label.index()] {
            neighbours[from.index()].push((to.index(), (dx, dy)));
            neighbours[to.index()].push((from.index(), (-dx, -dy)));
        }
    }
    let mut places: Vec<Option<(i32, i32)>> = vec![None; count];
    let mut taken = HashSet::from([(0, 0)]);
    let mut queue = VecDeque::from([0]);
    *places.first_mut()? = Some((0, 0));
    while let Some(square) = queue.pop_front() {
        let (x, y) = places[square]?;
        for &(target, (dx, dy)) in &neighbours[square] {
            if places[target].is_none() {
                places[target] = Some((x + dx, y + dy));
                taken.insert((x + dx, y + dy)).then_some(())?;
                queue.push_back(target);
            }
        }
    }
    let places: Places = places.into_iter().collect::<Option<_>>()?;
    let (left, top) = (places.iter().map(|p| p.0).min()?, places.iter().map(|p| p.1).min()?);
    Some((Shape::Point, places.iter().map(|(x, y)| (x - left, y - top)).collect()))
}

/// The step a label such as `upLeft`, `north` or `SW` speaks of.
fn step(label: &str) -> Option<(i32, i32)> {
    let words = [
        ("north", (0, -1)),
        ("south", (0, 1)),
        ("west", (-1, 0)),
        ("east", (1, 0)),
        ("up", (0, -1)),
        ("down", (0, 1)),
        ("left", (-1, 0)),
        ("right", (1, 0)),
    ];
    let letters = [("n", (0, -1)), ("s", (0, 1)), ("w", (-1, 0)), ("e", (1, 0))];
    let label = label.to_ascii_lowercase();
    spelt(&label, &words).or_else(|| spelt(&label, &letters))
}

/// The sum of the steps whose words make up the label, at most one up or down and one left or right.
fn spelt(label: &str, words: &[(&str, (i32, i32))]) -> Option<(i32, i32)> {
    let (mut dx, mut dy, mut rest) = (0, 0, label);
    while !rest.is_empty() {
        let (word, (x, y)) = words.iter().find(|(word, _)| rest.starts_with(word))?;
        (dx, dy, rest) = (dx + x, dy + y, &rest[word.len()..]);
    }
    ((dx, dy) != (0, 0) && dx.abs() <= 1 && dy.abs() <= 1).then_some((dx, dy))
}

/// The squares one after the other around the edge of a large square.
fn ring(count: usize) -> Places {
    let side = i32::try_from(count.div_ceil(4).max(1)).expect("the number of squares is limited");
    let place = |number: i32| match (number / side, number % side) {
        (0, along) => (along, 0),
        (1, along) => (side, along),
        (2, along) => (side - along, side),
        (_, along) => (0, side - along),
    };
    (0..).map(place).take(count).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_generators_are_read() {
        assert_eq!(numbers("rx12y0", ["rx", "y"]), Some([12, 0]));
        assert_eq!(numbers("rx012y0", ["rx", "y"]), None);
        assert_eq!(numbers("rx1y", ["rx", "y"]), None);
        assert_eq!(numbers("rx1y2z", ["rx", "y"]), None);
        assert_eq!(numbers("rx1y99999999999", ["rx", "y"]), None);
    }

    #[test]
    fn chess_names_count_from_the_bottom() {
        let (shape, places) = chess(&["a1", "b3"]).expect("chess names");
        assert_eq!((shape, places), (Shape::Point, vec![(0, 2), (1, 0)]));
        assert!(chess(&["v1", "v2"]).is_none());
        assert!(chess(&["a0", "b1"]).is_none());
    }

    #[test]
    fn labels_are_steps() {
        assert_eq!(step("upRight"), Some((1, -1)));
        assert_eq!(step("SW"), Some((-1, 1)));
        assert_eq!(step("northEast"), Some((1, -1)));
        assert_eq!(step("clockwise"), None);
        assert_eq!(step("updown"), None);
    }

    #[test]
    fn a_standing_rhombus_is_laid_down() {
        let names = ["hx0y0", "hx0y1", "hx1y1", "hx0y2"];
        let (shape, places) = hexagon(&names, &[]).expect("names of hexagons");
        assert_eq!(shape, Shape::Hexagon);
        assert_eq!(places, [(0, 0), (1, 1), (2, 0), (3, 1)]);
        // A hexagon with sides of two stays as it is.
        let rows = [2, 3, 2];
        let names: Vec<String> =
            (0..3).flat_map(|y| (0..rows[y]).map(move |x| format!("hx{x}y{y}"))).collect();
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let (_, places) = hexagon(&names, &[]).expect("names of hexagons");
        assert_eq!(places, [(1, 0), (3, 0), (0, 1), (2, 1), (4, 1), (1, 2), (3, 2)]);
    }

    #[test]
    fn rings_have_no_double_places() {
        for count in 1..50 {
            let places: HashSet<(i32, i32)> = ring(count).into_iter().collect();
            assert_eq!(places.len(), count);
        }
    }

    #[test]
    fn layers_stand_side_by_side() {
        let (_, places) = cuboid(&["cx0y0z0", "cx1y0z0", "cx0y0z1"]).expect("cuboid names");
        assert_eq!(places, [(0, 0), (1, 0), (3, 0)]);
    }
}
