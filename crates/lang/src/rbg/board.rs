//! Boards: generators are worked out and graphs linked; every square gets its neighbours and its place in a drawing.

use std::collections::HashMap;

use regulus_automaton::verify::MAX_SQUARES;
use regulus_automaton::{Board, Direction, Id, IdVec, Piece, Square, SquareInfo};

use crate::diagnostics::{Code, Diagnostic, counted};

use super::ast::{BoardLayout, Generator, Grid, Layer, Line, Vertex, Word};
use super::check::Checker;
use super::drawing;
use super::token::{Name, Place};

/// The board; `None` if it has errors, which are reported.
pub(crate) fn build(layout: &BoardLayout, checker: &mut Checker<'_>) -> Option<Board> {
    let squares = match layout {
        BoardLayout::Grid(grid) => generated(grid, checker),
        BoardLayout::Graph(vertices) => graph(vertices, checker),
    };
    // With errors in the directions the numbers in the squares need not fit them.
    squares
        .filter(|_| !checker.context.sink.has_errors())
        .map(|squares| drawn(squares, checker.direction_names()))
}

fn generated(grid: &Grid, checker: &mut Checker<'_>) -> Option<Vec<Linked>> {
    let lines = &grid.layers.first()?.lines;
    let fits = match grid.generator {
        Generator::Rectangle | Generator::Cuboid => equally_large(&grid.layers, checker),
        Generator::Hexagon => lines_form_a_hexagon(lines, checker),
    };
    let cells = cells(grid, checker)?;
    fits.then(|| match grid.generator {
        Generator::Rectangle => link(&cells, rectangle_step),
        Generator::Hexagon => link(&cells, |cell, number| hexagon_step(lines, cell, number)),
        Generator::Cuboid => link(&cells, cuboid_step),
    })
}

/// A cell of a grid.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct GridCell {
    column: i32,
    row: i32,
    layer: i32,
}

impl GridCell {
    fn name(self, generator: Generator) -> String {
        let GridCell { column, row, layer } = self;
        match generator {
            Generator::Rectangle => format!("rx{column}y{row}"),
            Generator::Hexagon => format!("hx{column}y{row}"),
            Generator::Cuboid => format!("cx{column}y{row}z{layer}"),
        }
    }

    fn step(self, columns: i32, rows: i32) -> GridCell {
        GridCell { column: self.column + columns, row: self.row + rows, ..self }
    }
}

/// A square before it is drawn: its name, piece and neighbours by direction.
struct Linked {
    name: String,
    piece: Piece,
    neighbours: Vec<(Direction, Square)>,
}

/// The cells that are no holes, in their order.
fn cells(grid: &Grid, checker: &mut Checker<'_>) -> Option<Vec<(GridCell, String, Piece)>> {
    let all = grid.layers.iter().flat_map(|layer| &layer.lines).flat_map(|line| &line.cells);
    let count = all.filter(|cell| cell.is_some()).count();
    if !count_is_allowed(count, grid.place, checker) {
        return None;
    }
    let mut cells = Vec::with_capacity(count);
    let mut good = true;
    for (layer, lines) in (0..).zip(&grid.layers) {
        for (row, line) in (0..).zip(&lines.lines) {
            for (column, content) in (0..).zip(&line.cells) {
                let Some(word) = content else { continue };
                let cell = GridCell { column, row, layer };
                match checker.piece(*word) {
                    Some(piece) => cells.push((cell, cell.name(grid.generator), piece)),
                    None => good = false,
                }
            }
        }
    }
    good.then_some(cells)
}

fn count_is_allowed(count: usize, place: Place, checker: &mut Checker<'_>) -> bool {
    if count == 0 {
        let message = "the board has no squares".to_owned();
        checker.error(place, Code::NothingDeclared, message, "a cell with a piece is a square");
    }
    if count > MAX_SQUARES {
        checker.too_many(place, "squares", count, MAX_SQUARES);
    }
    (1..=MAX_SQUARES).contains(&count)
}

/// Squares with the neighbours that a step in each direction leads to.
fn link(
    cells: &[(GridCell, String, Piece)],
    step: impl Fn(GridCell, usize) -> Option<GridCell>,
) -> Vec<Linked> {
    let squares: HashMap<GridCell, Square> = cells
        .iter()
        .enumerate()
        .map(|(number, (cell, ..))| (*cell, Square::from_index(number)))
        .collect();
    let neighbour = |cell: GridCell, number: usize| {
        let target = squares.get(&step(cell, number)?)?;
        Some((Direction::from_index(number), *target))
    };
    cells
        .iter()
        .map(|(cell, name, piece)| Linked {
            name: name.clone(),
            piece: *piece,
            neighbours: (0..6).filter_map(|number| neighbour(*cell, number)).collect(),
        })
        .collect()
}

/// `rectangle(up, down, left, right, ...)`
fn rectangle_step(cell: GridCell, direction: usize) -> Option<GridCell> {
    match direction {
        0 => Some(cell.step(0, -1)),
        1 => Some(cell.step(0, 1)),
        2 => Some(cell.step(-1, 0)),
        3 => Some(cell.step(1, 0)),
        _ => None,
    }
}

/// `cuboid(up, down, left, right, next, previous, ...)`
fn cuboid_step(cell: GridCell, direction: usize) -> Option<GridCell> {
    match direction {
        4 => Some(GridCell { layer: cell.layer + 1, ..cell }),
        5 => Some(GridCell { layer: cell.layer - 1, ..cell }),
        flat => rectangle_step(cell, flat),
    }
}

/// `hexagon(north-west, north-east, east, south-east, south-west, west, ...)`
fn hexagon_step(lines: &[Line], cell: GridCell, direction: usize) -> Option<GridCell> {
    let length = |row: i32| Some(lines.get(usize::try_from(row).ok()?)?.cells.len());
    // The lines touch the next line in the gaps, so a longer line begins half a cell further to the west.
    let west_in = |row: i32| Some(if length(row)? > length(cell.row)? { 0 } else { -1 });
    Some(match direction {
        0 => cell.step(west_in(cell.row - 1)?, -1),
        1 => cell.step(west_in(cell.row - 1)? + 1, -1),
        2 => cell.step(1, 0),
        3 => cell.step(west_in(cell.row + 1)? + 1, 1),
        4 => cell.step(west_in(cell.row + 1)?, 1),
        5 => cell.step(-1, 0),
        _ => return None,
    })
}

fn equally_long(layer: &Layer, checker: &mut Checker<'_>) -> bool {
    let first = &layer.lines[0];
    let mut good = true;
    for line in &layer.lines {
        let (length, expected) = (line.cells.len(), first.cells.len());
        if length != expected {
            let message =
                format!("this line has {}, but the first has {expected}", counted(length, "cell"));
            wrong_size(line.place, first.place, "all lines must be equally long", message, checker);
            good = false;
        }
    }
    good
}

fn equally_large(layers: &[Layer], checker: &mut Checker<'_>) -> bool {
    let first = &layers[0];
    let uneven = layers.iter().filter(|layer| !equally_long(layer, checker)).count();
    let mut good = uneven == 0;
    let size = |layer: &Layer| (layer.lines.len(), layer.lines[0].cells.len());
    for layer in layers {
        let ((lines, cells), (expected, width)) = (size(layer), size(first));
        if (lines, cells) != (expected, width) {
            let message = format!(
                "this layer has {} of {}, but the first has {expected} of {width}",
                counted(lines, "line"),
                counted(cells, "cell"),
            );
            let rule = "all layers must be equally large";
            wrong_size(layer.place, first.place, rule, message, checker);
            good = false;
        }
    }
    good
}

fn lines_form_a_hexagon(lines: &[Line], checker: &mut Checker<'_>) -> bool {
    let rule = "lines grow by one cell, each longer than the one before, and then shrink by one";
    if lines[0].cells.is_empty() {
        let message = "this line is empty".to_owned();
        wrong_size(lines[0].place, lines[0].place, rule, message, checker);
        return false;
    }
    let mut shrinking = false;
    for pair in lines.windows(2) {
        let (before, after) = (pair[0].cells.len(), pair[1].cells.len());
        let grows = after == before + 1 && !shrinking;
        let shrinks = after + 1 == before && after > 0;
        if !grows && !shrinks {
            let message =
                format!("a line of {} cannot follow one of {before} here", counted(after, "cell"));
            wrong_size(pair[1].place, pair[0].place, rule, message, checker);
            return false;
        }
        shrinking = shrinks;
    }
    true
}

fn wrong_size(place: Place, other: Place, rule: &str, message: String, checker: &mut Checker<'_>) {
    let mut diagnostic = Diagnostic::error(Code::LineLength, place.span, message).help(rule);
    if other != place {
        diagnostic = diagnostic.also(other.span, "compared with this");
    }
    checker.context.report(place, diagnostic);
}

fn graph(vertices: &[Vertex], checker: &mut Checker<'_>) -> Option<Vec<Linked>> {
    let place = vertices.first().map_or(Place::default(), |vertex| vertex.name.place);
    if !count_is_allowed(vertices.len(), place, checker) {
        return None;
    }
    let mut squares: HashMap<Name, (Square, Place)> = HashMap::new();
    let mut good = true;
    for (number, vertex) in vertices.iter().enumerate() {
        let Some(name) = vertex.name.name else { continue };
        let entry = (Square::from_index(number), vertex.name.place);
        if let Some((_, first)) = squares.insert(name, entry) {
            duplicate_square(vertex.name, first, checker);
            good = false;
        }
    }
    let mut linked = Vec::with_capacity(vertices.len());
    for vertex in vertices {
        linked.push(link_vertex(vertex, vertices, &squares, checker));
    }
    linked.into_iter().collect::<Option<_>>().filter(|_| good)
}

fn duplicate_square(name: Word, first: Place, checker: &mut Checker<'_>) {
    let message = format!("the square `{}` is written twice", checker.text(name));
    let diagnostic = Diagnostic::error(Code::DuplicateSquare, name.place.span, message)
        .label("again here")
        .also(first.span, "first here")
        .help("give each square its own name");
    checker.context.report(name.place, diagnostic);
}

fn link_vertex(
    vertex: &Vertex,
    vertices: &[Vertex],
    squares: &HashMap<Name, (Square, Place)>,
    checker: &mut Checker<'_>,
) -> Option<Linked> {
    let piece = checker.piece(vertex.piece);
    let mut good = true;
    let mut neighbours: HashMap<Direction, Square> = HashMap::new();
    for (label, target) in &vertex.edges {
        let direction = checker.declared_direction(*label);
        let square = target.name.and_then(|name| squares.get(&name)).map(|(square, _)| *square);
        if square.is_none() && target.name.is_some() {
            let names = vertices.iter().map(|vertex| checker.text(vertex.name));
            let diagnostic = checker.unknown_name(*target, "square", names);
            checker.context.report(target.place, diagnostic);
        }
        let before = direction.zip(square).and_then(|(at, to)| neighbours.insert(at, to));
        if before.is_some() {
            let text = checker.text(*label);
            let message = format!("`{text}` leads from this square to two neighbours");
            let help = "a direction leads to one neighbour; use another direction for the second";
            checker.error(label.place, Code::DuplicateName, message, help);
        }
        good &= direction.is_some() && square.is_some() && before.is_none();
    }
    let mut neighbours: Vec<(Direction, Square)> = neighbours.into_iter().collect();
    neighbours.sort_unstable();
    let name = checker.text(vertex.name).to_owned();
    piece.filter(|_| good).map(|piece| Linked { name, piece, neighbours })
}

/// Finds the squares' places in a drawing.
fn drawn(squares: Vec<Linked>, directions: Vec<String>) -> Board {
    let names: Vec<&str> = squares.iter().map(|square| square.name.as_str()).collect();
    let edges: Vec<(Square, Direction, Square)> = (0..)
        .zip(&squares)
        .flat_map(|(number, square)| {
            square.neighbours.iter().map(move |&(label, to)| (Square(number), label, to))
        })
        .collect();
    let (shape, places) = drawing::draw(&names, &directions, &edges);
    let count = directions.len();
    let squares = squares
        .into_iter()
        .zip(places)
        .map(|(square, (x, y))| {
            let mut neighbours = IdVec::filled(None, count);
            for (direction, target) in square.neighbours {
                neighbours[direction] = Some(target);
            }
            SquareInfo { name: square.name, piece: square.piece, x, y, neighbours }
        })
        .collect();
    Board { shape, directions: directions.into(), squares }
}
