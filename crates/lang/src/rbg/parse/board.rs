//! The section `#board`: a generator with its lines, or a list of squares.

use crate::rbg::ast::{BoardLayout, Generator, Grid, Layer, Line, Vertex, Word};
use crate::rbg::token::{Keyword, Symbol, TokenKind};

use super::{Faulty, Parsed, Parser};

/// A whole board; `None` if not even its directions are known.
pub(crate) fn board(mut parser: Parser<'_>) -> Option<BoardLayout> {
    let layout = match parser.peek() {
        Some(TokenKind::Keyword(Keyword::Rectangle)) => parser.grid(Generator::Rectangle),
        Some(TokenKind::Keyword(Keyword::Hexagon)) => parser.grid(Generator::Hexagon),
        Some(TokenKind::Keyword(Keyword::Cuboid)) => parser.grid(Generator::Cuboid),
        Some(TokenKind::Word(_) | TokenKind::Poison) => parser.graph(),
        _ => Err(parser.unexpected("rectangle, hexagon, cuboid or a list of squares")),
    };
    layout.ok()
}

impl Parser<'_> {
    fn grid(&mut self, generator: Generator) -> Parsed<BoardLayout> {
        let place = self.place();
        self.advance();
        self.expect(Symbol::OpenRound, "`(`")?;
        let count = generator.labels();
        let labels = (0..count).map(|number| self.label(number, count)).collect::<Parsed<_>>()?;
        let layers = self.rest_of_grid(generator).unwrap_or_default();
        Ok(BoardLayout::Grid(Grid { generator, place, labels, layers }))
    }

    /// The layers, when there is no mistake in them or after them.
    fn rest_of_grid(&mut self, generator: Generator) -> Parsed<Vec<Layer>> {
        let layers = match generator {
            Generator::Rectangle | Generator::Hexagon => vec![self.lines()?],
            Generator::Cuboid => self.layers()?,
        };
        self.expect(Symbol::CloseRound, "a line of the board or `)`")?;
        if !self.at_end() {
            return Err(self.unexpected("the end of the board"));
        }
        if self.failed { Err(Faulty) } else { Ok(layers) }
    }

    fn label(&mut self, number: usize, count: usize) -> Parsed<Word> {
        let word = self.word(&format!("a direction ({} of {count})", number + 1))?;
        let next = if number + 1 == count { "`,` and the lines of the board" } else { "`,`" };
        self.expect(Symbol::Comma, next)?;
        Ok(word)
    }

    fn layers(&mut self) -> Parsed<Vec<Layer>> {
        let mut layers = Vec::new();
        while layers.is_empty() || !self.at(Symbol::CloseRound) {
            self.expect(Symbol::OpenSquare, "`[` and a layer of the board")?;
            layers.push(self.lines()?);
            self.expect(Symbol::CloseSquare, "a line of the board or `]`")?;
        }
        Ok(layers)
    }

    /// One line or more.
    fn lines(&mut self) -> Parsed<Layer> {
        let place = self.place();
        let mut lines = Vec::new();
        while lines.is_empty() || self.at(Symbol::OpenSquare) {
            lines.push(self.line()?);
        }
        Ok(Layer { place: place.to(self.last_place()), lines })
    }

    fn line(&mut self) -> Parsed<Line> {
        let place = self.place();
        self.expect(Symbol::OpenSquare, "`[` and a line of the board")?;
        let mut cells = Vec::new();
        if !self.at(Symbol::CloseSquare) {
            cells.push(self.cell());
        }
        while !self.eat(Symbol::CloseSquare) {
            if self.expect(Symbol::Comma, "`,` or `]`").is_ok() {
                cells.push(self.cell());
            } else if !self.skip_to_cell() {
                return Err(Faulty);
            }
        }
        Ok(Line { place: place.to(self.last_place()), cells })
    }

    /// After a missing comma or a foreign token: to the end of the cell, when the line has one.
    fn skip_to_cell(&mut self) -> bool {
        use Symbol::{CloseRound, CloseSquare, Comma, OpenSquare};
        self.skip_until(|symbol| matches!(symbol, Comma | CloseSquare | OpenSquare | CloseRound));
        self.at(Comma) || self.at(CloseSquare)
    }

    fn cell(&mut self) -> Option<Word> {
        matches!(self.peek(), Some(TokenKind::Word(_) | TokenKind::Poison))
            .then(|| self.word("a piece").ok())
            .flatten()
    }

    fn graph(&mut self) -> Parsed<BoardLayout> {
        let mut vertices = Vec::new();
        while !self.at_end() {
            match self.vertex() {
                Ok(vertex) => vertices.push(vertex),
                Err(_) => {
                    self.skip_until(|symbol| symbol == Symbol::CloseCurly);
                    self.advance();
                }
            }
        }
        if self.failed { Err(Faulty) } else { Ok(BoardLayout::Graph(vertices)) }
    }

    /// `name[piece]{label: name, label: name}`
    fn vertex(&mut self) -> Parsed<Vertex> {
        let name = self.word("the name of a square")?;
        self.expect(Symbol::OpenSquare, "`[` and the piece on the square")?;
        let piece = self.word("the piece on the square")?;
        self.expect(Symbol::CloseSquare, "`]`")?;
        self.expect(Symbol::OpenCurly, "`{` and the neighbours of the square")?;
        let mut edges = Vec::new();
        while !self.at(Symbol::CloseCurly) {
            if !edges.is_empty() {
                self.expect(Symbol::Comma, "`,` or `}`")?;
            }
            let label = self.word("a direction")?;
            self.expect(Symbol::Colon, "`:` and the neighbour in this direction")?;
            edges.push((label, self.word("the name of the neighbour")?));
        }
        self.advance();
        Ok(Vertex { name, piece, edges })
    }
}
