//! The sections that are lists: `#players`, `#variables` and `#pieces`.

use crate::diagnostics::{Code, Diagnostic};
use crate::rbg::ast::{Bounded, Section, Word};
use crate::rbg::token::{Place, Symbol, TokenKind};

use super::{Parsed, Parser};

/// `name(bound), name(bound)`; commas may stand anywhere between items.
pub(crate) fn bounded(parser: Parser<'_>) -> Section<Bounded> {
    list(parser, |parser| parser.bounded())
}

/// `name, name`; commas may stand anywhere between items.
pub(crate) fn pieces(parser: Parser<'_>) -> Section<Word> {
    list(parser, |parser| parser.word("the name of a piece"))
}

fn list<T>(mut parser: Parser<'_>, item: impl Fn(&mut Parser<'_>) -> Parsed<T>) -> Section<T> {
    let mut items = Vec::new();
    loop {
        while parser.eat(Symbol::Comma) {}
        if parser.at_end() {
            break;
        }
        match item(&mut parser) {
            Ok(item) => items.push(item),
            Err(_) => parser.skip_until(|symbol| symbol == Symbol::Comma),
        }
        if !parser.at_end() && !parser.at(Symbol::Comma) {
            parser.unexpected("`,`");
            parser.skip_until(|symbol| symbol == Symbol::Comma);
        }
    }
    Section { place: parser.head, items, complete: !parser.failed }
}

impl Parser<'_> {
    fn bounded(&mut self) -> Parsed<Bounded> {
        let word = self.word("a name")?;
        // A faulty token may stand for the whole item.
        if word.name.is_none() && !self.at(Symbol::OpenRound) {
            return Ok(Bounded { word, bound: i32::MAX });
        }
        self.expect(Symbol::OpenRound, "`(` and the greatest value")?;
        let bound = self.bound()?;
        self.expect(Symbol::CloseRound, "`)`")?;
        Ok(Bounded { word, bound })
    }

    fn bound(&mut self) -> Parsed<i32> {
        let place = self.place();
        let number = match self.peek() {
            Some(TokenKind::Number(number)) => number,
            Some(TokenKind::Poison) => 1,
            _ => return Err(self.unexpected("the greatest value, a number")),
        };
        self.advance();
        if number == 0 {
            let message = "the greatest value must be at least 1";
            let diagnostic = Diagnostic::error(Code::ZeroBound, place.span, message)
                .help("a value that is always 0 needs no variable");
            self.error(place, diagnostic);
        }
        Ok(self.small(number, place))
    }

    /// The number, when it fits the values of the language; reported and replaced otherwise.
    pub(super) fn small(&mut self, number: u32, place: Place) -> i32 {
        i32::try_from(number).unwrap_or_else(|_| {
            let message = format!("{number} is too large for a value");
            let diagnostic = Diagnostic::error(Code::NumberTooLarge, place.span, message)
                .help(format!("values go up to {}", i32::MAX));
            self.error(place, diagnostic);
            i32::MAX
        })
    }
}
