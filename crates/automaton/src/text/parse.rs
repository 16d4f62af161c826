//! From a text to a draft, or to all its errors.
//!
//! Lines are first sorted into sections, so that sections may come in any order; then names are collected, and last
//! everything that uses names is read. An error ends its line, not the run.

use std::collections::BTreeMap;

use super::edge::{edge, node};
use super::error::{ErrorKind, TextError, TextErrors, TextPlace};
use super::lex::{Token, TokenKind, tokens};
use super::names::{SECTIONS, Vocabulary};
use super::people::{endings, looks, repetition};
use super::read::{Read, TokenReader};
use crate::board::{Board, Shape, SquareInfo};
use crate::draft::{Draft, Edge, PatternInfo, VariableInfo, WalkTable};
use crate::ids::{Direction, Id, IdVec, Node, Pattern, Piece, Square, Table};

/// The most neighbours, and the most rows of tables: both are products of two lengths, so that a short text could ask
/// for much memory.
const MAX_CELLS: usize = 1 << 24;

/// Reads a draft, which is not yet verified.
///
/// # Errors
///
/// All errors of the text, each with its line and column.
pub fn parse(text: &str) -> Result<Draft, TextErrors> {
    let mut errors = Errors { errors: Vec::new() };
    let sections = SectionLines::split(text, &mut errors);
    let mut draft = declarations(&sections, &mut errors);
    let names = Vocabulary::of(&draft);
    let squares = squares(&sections, &draft.board, &names, &mut errors);
    let shuffle = shuffle(&sections, &names, &mut errors);
    let tables = tables(&sections, &draft.board, &names, &mut errors);
    let patterns = patterns(&sections, &mut errors);
    let (start, nodes) = rules(&sections, &names, &mut errors);
    let looks = looks(&sections, &draft, &names, &mut errors);
    let endings = endings(&sections, &mut errors);
    let repetition = repetition(&sections, draft.players.len(), &names, &mut errors);
    draft.board.squares = squares;
    draft.shuffle = shuffle;
    draft.tables = tables;
    draft.patterns = patterns;
    draft.nodes = nodes;
    draft.start = start;
    draft.looks = looks;
    draft.endings = endings;
    draft.repetition = repetition;
    match TextErrors::from_unsorted(errors.errors) {
        None => Ok(draft),
        Some(errors) => Err(errors),
    }
}

pub(super) struct Errors {
    pub(super) errors: Vec<TextError>,
}

impl Errors {
    pub(super) fn push(&mut self, place: TextPlace, kind: ErrorKind) {
        self.errors.push(TextError::new(place, kind));
    }

    /// What was read, when it could be read.
    pub(super) fn keep<T>(&mut self, read: Read<T>) -> Option<T> {
        read.map_err(|error| self.errors.push(error)).ok()
    }
}

/// A line as tokens; the last is its end.
pub(super) type Line<'t> = Vec<Token<'t>>;

/// The lines of each section; the first one is what follows the keyword.
pub(super) struct SectionLines<'t> {
    lines: BTreeMap<&'static str, Vec<Line<'t>>>,
}

impl<'t> SectionLines<'t> {
    fn split(text: &'t str, errors: &mut Errors) -> SectionLines<'t> {
        let mut sections = SectionLines { lines: BTreeMap::new() };
        let mut current = None;
        for (number, text) in (1..).zip(text.split('\n')) {
            let mut line = tokens(text, number);
            if let Some(keyword) = section_keyword(&line) {
                let place = line.remove(0).place;
                if sections.lines.insert(keyword, vec![line]).is_some() {
                    errors.push(place, ErrorKind::Repeated(format!("the section `{keyword}`")));
                }
                current = Some(keyword);
            } else if let Some(lines) = current.and_then(|keyword| sections.lines.get_mut(keyword))
            {
                if line.len() > 1 {
                    lines.push(line);
                }
            } else if line.len() > 1 {
                let error = TokenReader::new(&line).expected("a section such as `players`");
                errors.errors.push(error);
            }
        }
        sections
    }

    /// What follows the keyword.
    pub(super) fn header(&self, keyword: &str) -> Option<TokenReader<'_, 't>> {
        self.lines.get(keyword).and_then(|lines| lines.first()).map(|line| TokenReader::new(line))
    }

    /// The lines after that of the keyword.
    pub(super) fn entries(&self, keyword: &str) -> &[Line<'t>] {
        self.lines.get(keyword).and_then(|lines| lines.get(1..)).unwrap_or_default()
    }

    /// Reads a section that is a list with commas, on one line or several.
    fn list<T>(
        &self,
        keyword: &str,
        errors: &mut Errors,
        mut item: impl FnMut(&mut TokenReader<'_, 't>) -> Read<T>,
    ) -> Vec<T> {
        let Some(lines) = self.lines.get(keyword) else {
            return Vec::new();
        };
        let mut tokens: Line<'_> = lines.concat();
        let end = tokens.pop();
        tokens.retain(|token| token.lexeme != TokenKind::End);
        if tokens.is_empty() {
            return Vec::new();
        }
        tokens.extend(end);
        tokens
            .split_inclusive(|token| token.lexeme == TokenKind::Symbol(","))
            .filter_map(|tokens| {
                let mut reader = TokenReader::new(tokens);
                let read = item(&mut reader).and_then(|item| reader.finish().map(|()| item));
                errors.keep(read)
            })
            .collect()
    }
}

fn section_keyword(line: &Line<'_>) -> Option<&'static str> {
    match line.first()?.lexeme {
        TokenKind::Word(word) => SECTIONS.into_iter().find(|keyword| *keyword == word),
        _ => None,
    }
}

/// A draft with all its names, but squares without content and no rules.
fn declarations(sections: &SectionLines<'_>, errors: &mut Errors) -> Draft {
    let players = sections.list("players", errors, variable);
    let variables = sections.list("variables", errors, variable);
    let pieces = sections.list("pieces", errors, |reader| name(reader, "the name of a piece"));
    let registers =
        sections.list("registers", errors, |reader| name(reader, "the name of a register"));
    let directions =
        sections.list("directions", errors, |reader| name(reader, "the name of a direction"));
    let shape = match sections.header("board") {
        Some(mut header) => errors.keep(shape(&mut header)),
        None => {
            errors.push(START, ErrorKind::Missing("the section `board`".to_owned()));
            None
        }
    };
    let squares = sections.entries("board").iter().map(|line| {
        let name = errors.keep(TokenReader::new(line).name("the name of a square"));
        SquareInfo {
            name: name.unwrap_or_default().to_owned(),
            piece: Piece(0),
            x: 0,
            y: 0,
            neighbours: IdVec::new(),
        }
    });
    let board = Board {
        shape: shape.unwrap_or(Shape::Square),
        directions: directions.into(),
        squares: squares.collect(),
    };
    let mut draft = Draft::new(players, variables, pieces, board);
    for register in registers {
        draft.registers.push(register);
    }
    draft
}

/// Where the absence of a section is reported.
const START: TextPlace = TextPlace { line: 1, column: 1 };

fn name(reader: &mut TokenReader<'_, '_>, expected: &str) -> Read<String> {
    reader.name(expected).map(str::to_owned)
}

fn variable(reader: &mut TokenReader<'_, '_>) -> Read<VariableInfo> {
    Ok(VariableInfo { name: name(reader, "a name and a bound")?, bound: reader.signed()? })
}

fn shape(reader: &mut TokenReader<'_, '_>) -> Read<Shape> {
    let shape = [Shape::Square, Shape::Hexagon, Shape::Point]
        .into_iter()
        .find(|shape| reader.eat_word(shape.word()))
        .ok_or_else(|| reader.expected("`square`, `hexagon` or `point`"))?;
    reader.finish().map(|()| shape)
}

fn squares(
    sections: &SectionLines<'_>,
    board: &Board,
    names: &Vocabulary<'_>,
    errors: &mut Errors,
) -> IdVec<Square, SquareInfo> {
    let lines = sections.entries("board");
    if board.directions.len().saturating_mul(lines.len()) > MAX_CELLS {
        errors.push(START, ErrorKind::Cells { what: "neighbours", limit: MAX_CELLS });
        return IdVec::new();
    }
    let read = |line| square(&mut TokenReader::new(line), board.directions.len(), names);
    lines
        .iter()
        // A line without a name has been reported when the names were collected.
        .filter(|line| TokenReader::new(line).name("").is_ok())
        .filter_map(|line| errors.keep(read(line)))
        .collect()
}

fn square(
    reader: &mut TokenReader<'_, '_>,
    directions: usize,
    names: &Vocabulary<'_>,
) -> Read<SquareInfo> {
    let name = name(reader, "the name of a square")?;
    let piece = reader.entity("piece", &names.pieces)?;
    reader.symbol("(", "`(` and coordinates")?;
    let x = reader.signed()?;
    reader.symbol(",", "`,` and the second coordinate")?;
    let y = reader.signed()?;
    reader.symbol(")", "`)`")?;
    let mut neighbours: IdVec<Direction, Option<Square>> = IdVec::filled(None, directions);
    while reader.at_entity() {
        let place = reader.place();
        let direction = reader.entity("direction", &names.directions)?;
        reader.symbol("=", "`=` and a square")?;
        let target = reader.entity("square", &names.squares)?;
        if !neighbours.contains(direction) {
            let kind = ErrorKind::Unknown { what: "direction", name: format!("?{}", direction.0) };
            return Err(TextError::new(place, kind));
        }
        if neighbours[direction].replace(target).is_some() {
            let direction = names.directions.spell(direction);
            let kind = ErrorKind::Repeated(format!("the direction {direction}"));
            return Err(TextError::new(place, kind));
        }
    }
    reader.finish()?;
    Ok(SquareInfo { name, piece, x, y, neighbours })
}

/// Reads lists of squares, one on each line.
fn shuffle(
    sections: &SectionLines<'_>,
    names: &Vocabulary<'_>,
    errors: &mut Errors,
) -> Vec<Vec<Square>> {
    if let Some(header) = sections.header("shuffle") {
        errors.keep(header.finish());
    }
    let lines = sections.entries("shuffle").iter();
    lines.filter_map(|line| errors.keep(row(&mut TokenReader::new(line), names))).collect()
}

fn tables(
    sections: &SectionLines<'_>,
    board: &Board,
    names: &Vocabulary<'_>,
    errors: &mut Errors,
) -> IdVec<Table, WalkTable> {
    if let Some(header) = sections.header("tables") {
        errors.keep(header.finish());
    }
    let mut tables = Numbered::new('t');
    for line in sections.entries("tables") {
        let mut reader = TokenReader::new(line);
        let begins =
            reader.peek_numbered('t').is_some() && *reader.peek_second() != TokenKind::Symbol(":");
        let read = if begins {
            table(&mut reader, &mut tables, board.squares.len(), names)
        } else {
            table_row(&mut reader, &mut tables, names)
        };
        errors.keep(read);
    }
    tables.finish(errors).into()
}

/// Reads `t0 everywhere: a1, a2`, or `t0 each`, after which rows follow.
fn table(
    reader: &mut TokenReader<'_, '_>,
    tables: &mut Numbered<WalkTable>,
    squares: usize,
    names: &Vocabulary<'_>,
) -> Read<()> {
    let place = reader.place();
    let number = reader.numbered('t', "a table such as `t0`")?;
    if reader.eat_word("everywhere") {
        reader.symbol(":", "`:` and squares")?;
        return tables.insert(number, place, WalkTable::Everywhere(row(reader, names)?));
    }
    if !reader.eat_word("each") {
        return Err(reader.expected("`everywhere` or `each`"));
    }
    reader.finish()?;
    if (tables.items.len() + 1).saturating_mul(squares) > MAX_CELLS {
        let kind = ErrorKind::Cells { what: "rows of tables", limit: MAX_CELLS };
        return Err(TextError::new(place, kind));
    }
    tables.insert(number, place, WalkTable::PerSquare(vec![Vec::new(); squares]))
}

/// Reads `a1: a2, a3` into the last table.
fn table_row(
    reader: &mut TokenReader<'_, '_>,
    tables: &mut Numbered<WalkTable>,
    names: &Vocabulary<'_>,
) -> Read<()> {
    let place = reader.place();
    let Some(WalkTable::PerSquare(rows)) = tables.last() else {
        return Err(reader.expected("a table such as `t0 each`"));
    };
    let from = reader.entity("square", &names.squares)?;
    reader.symbol(":", "`:` and squares")?;
    let targets = row(reader, names)?;
    let spelled = names.squares.spell(from).to_string();
    match rows.get_mut(from.index()) {
        None => Err(TextError::new(place, ErrorKind::Unknown { what: "square", name: spelled })),
        Some(row) if !row.is_empty() => {
            Err(TextError::new(place, ErrorKind::Repeated(format!("the row of {spelled}"))))
        }
        Some(row) => {
            *row = targets;
            Ok(())
        }
    }
}

fn row(reader: &mut TokenReader<'_, '_>, names: &Vocabulary<'_>) -> Read<Vec<Square>> {
    let mut row = Vec::new();
    if *reader.peek() == TokenKind::End {
        return Ok(row);
    }
    loop {
        row.push(reader.entity("square", &names.squares)?);
        if !reader.eat(",") {
            return reader.finish().map(|()| row);
        }
    }
}

fn patterns(sections: &SectionLines<'_>, errors: &mut Errors) -> IdVec<Pattern, PatternInfo> {
    if let Some(header) = sections.header("patterns") {
        errors.keep(header.finish());
    }
    let mut patterns = Numbered::new('k');
    for line in sections.entries("patterns") {
        errors.keep(pattern(&mut TokenReader::new(line), &mut patterns));
    }
    patterns.finish(errors).into()
}

/// Reads `k0 n4 -> n6`.
fn pattern(reader: &mut TokenReader<'_, '_>, patterns: &mut Numbered<PatternInfo>) -> Read<()> {
    let place = reader.place();
    let number = reader.numbered('k', "a pattern such as `k0`")?;
    let start = node(reader)?;
    reader.symbol("->", "`->` and a node")?;
    let accept = node(reader)?;
    reader.finish()?;
    patterns.insert(number, place, PatternInfo { start, accept })
}

/// The start and the edges of all nodes.
fn rules(
    sections: &SectionLines<'_>,
    names: &Vocabulary<'_>,
    errors: &mut Errors,
) -> (Node, IdVec<Node, Vec<Edge>>) {
    let start = match sections.header("rules") {
        Some(mut header) => {
            let read = node(&mut header).and_then(|node| header.finish().map(|()| node));
            errors.keep(read)
        }
        None => {
            errors.push(START, ErrorKind::Missing("the section `rules`".to_owned()));
            None
        }
    };
    let mut nodes = Numbered::new('n');
    for line in sections.entries("rules") {
        let mut reader = TokenReader::new(line);
        let begins =
            reader.peek_numbered('n').filter(|_| *reader.peek_second() == TokenKind::Symbol(":"));
        if let Some(number) = begins {
            errors.keep(nodes.insert(number, reader.place(), Vec::new()));
            reader.advance();
            reader.advance();
            if *reader.peek() == TokenKind::End {
                continue;
            }
        }
        match nodes.last() {
            Some(edges) => edges.extend(errors.keep(edge(&mut reader, names))),
            None => errors.errors.push(reader.expected("a node such as `n0:`")),
        }
    }
    (start.unwrap_or(Node(0)), nodes.finish(errors).into())
}

/// Entities that are declared by number, in any order but without gaps.
struct Numbered<T> {
    prefix: char,
    items: BTreeMap<u32, (TextPlace, T)>,
    last: Option<u32>,
}

impl<T> Numbered<T> {
    fn new(prefix: char) -> Numbered<T> {
        Numbered { prefix, items: BTreeMap::new(), last: None }
    }

    /// Adds an item, which becomes the last; an item of the same number is replaced.
    fn insert(&mut self, number: u32, place: TextPlace, item: T) -> Read<()> {
        self.last = Some(number);
        match self.items.insert(number, (place, item)) {
            None => Ok(()),
            Some(_) => {
                let kind = ErrorKind::Repeated(format!("{}{number}", self.prefix));
                Err(TextError::new(place, kind))
            }
        }
    }

    /// The item that was added last.
    fn last(&mut self) -> Option<&mut T> {
        self.items.get_mut(&self.last?).map(|(_, item)| item)
    }

    /// All items by number; each gap is an error at the item after it.
    fn finish(self, errors: &mut Errors) -> Vec<T> {
        let mut next = 0;
        let mut items = Vec::with_capacity(self.items.len());
        for (number, (place, item)) in self.items {
            if number != next {
                errors.push(place, ErrorKind::Missing(format!("{}{next}", self.prefix)));
            }
            next = number.saturating_add(1);
            items.push(item);
        }
        items
    }
}
