//! The section `#board`: a generator with its lines, or a list of squares.

use crate::rbg::ast::{Grid, Layer, Layout, Line, Vertex, Word};
use crate::rbg::token::{Keyword, Symbol, TokenKind};

use super::{Faulty, Parsed, Parser};

/// A whole board; nothing when it could not be understood.
pub(crate) fn board(mut parser: Parser<'_>) -> Option<Layout> {
    let layout = match parser.peek() {
        Some(TokenKind::Keyword(Keyword::Rectangle)) => {
            parser.grid(4, Parser::flat).map(Layout::Rectangle)
        }
        Some(TokenKind::Keyword(Keyword::Hexagon)) => {
            parser.grid(6, Parser::flat).map(Layout::Hexagon)
        }
        Some(TokenKind::Keyword(Keyword::Cuboid)) => {
            parser.grid(6, Parser::layers).map(Layout::Cuboid)
        }
        Some(TokenKind::Word(_) | TokenKind::Poison) => Ok(Layout::Graph(parser.graph())),
        _ => Err(parser.unexpected("rectangle, hexagon, cuboid or a list of squares")),
    };
    let layout = layout.ok()?;
    if !parser.at_end() {
        parser.unexpected("the end of the board");
    }
    (!parser.failed).then_some(layout)
}

impl Parser<'_> {
    fn grid(
        &mut self,
        labels: usize,
        layers: impl Fn(&mut Self) -> Parsed<Vec<Layer>>,
    ) -> Parsed<Grid> {
        let place = self.place();
        self.advance();
        self.expect(Symbol::OpenRound, "`(`")?;
        let labels = (0..labels).map(|number| self.label(number, labels)).collect::<Parsed<_>>()?;
        let layers = layers(self)?;
        self.expect(Symbol::CloseRound, "a line of the board or `)`")?;
        Ok(Grid { place, labels, layers })
    }

    fn label(&mut self, number: usize, count: usize) -> Parsed<Word> {
        let word = self.word(&format!("a direction ({} of {count})", number + 1))?;
        let next = if number + 1 == count { "`,` and the lines of the board" } else { "`,`" };
        self.expect(Symbol::Comma, next)?;
        Ok(word)
    }

    fn flat(&mut self) -> Parsed<Vec<Layer>> {
        Ok(vec![self.lines()?])
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

    fn graph(&mut self) -> Vec<Vertex> {
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
        vertices
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
