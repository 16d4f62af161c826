//! Expanded tokens to syntax: recursive descent, one function per grammar rule, never stopping at the first error.
//!
//! This file holds what the sections share: stepping over the tokens and the reporting. A function that finds a
//! mistake reports it and answers [`Faulty`]; the nearest list or bracket around it then skips to where it can go on.
//! Next to tokens that are already known to be faulty nothing is reported.

mod board;
mod lists;
mod rules;

use crate::cursor::Cursor;
use crate::diagnostics::{Code, Diagnostic};

use super::ast::Word;
use super::token::{ParseContext, Place, Symbol, Token, TokenKind};

pub(crate) use board::board;
pub(crate) use lists::{bounded, pieces};
pub(crate) use rules::rules;

/// The tokens of one section.
pub(crate) struct Parser<'a> {
    cursor: Cursor<'a, Token>,
    /// The keyword of the section, for messages about its end.
    head: Place,
    /// Whether a mistake was found.
    failed: bool,
    context: &'a mut ParseContext,
}

/// A mistake that was already reported.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Faulty;

type Parsed<T> = Result<T, Faulty>;

impl<'a> Parser<'a> {
    pub(crate) fn new(
        tokens: &'a [Token],
        head: Place,
        context: &'a mut ParseContext,
    ) -> Parser<'a> {
        let failed = tokens.iter().any(|token| token.kind == TokenKind::Poison);
        Parser { cursor: Cursor::new(tokens, head), head, failed, context }
    }

    fn peek(&self) -> Option<TokenKind> {
        self.cursor.peek().copied()
    }

    fn at(&self, symbol: Symbol) -> bool {
        self.peek() == Some(TokenKind::Symbol(symbol))
    }

    /// Whether this symbol comes after the next token.
    fn next_is(&self, symbol: Symbol) -> bool {
        self.cursor.peek_second() == Some(&TokenKind::Symbol(symbol))
    }

    fn at_end(&self) -> bool {
        self.cursor.at_end()
    }

    fn advance(&mut self) {
        self.cursor.advance();
    }

    fn eat(&mut self, symbol: Symbol) -> bool {
        let found = self.at(symbol);
        if found {
            self.advance();
        }
        found
    }

    /// The place of the next token; at the end that of the last one.
    fn place(&self) -> Place {
        self.cursor.place()
    }

    /// The place of the token just read.
    fn last_place(&self) -> Place {
        self.cursor.before()
    }

    fn expect(&mut self, symbol: Symbol, expected: &str) -> Parsed<()> {
        if self.eat(symbol) { Ok(()) } else { Err(self.unexpected(expected)) }
    }

    /// A name; a faulty token counts as one.
    fn word(&mut self, expected: &str) -> Parsed<Word> {
        let place = self.place();
        let name = match self.peek() {
            Some(TokenKind::Word(name)) => Some(name),
            Some(TokenKind::Poison) => None,
            _ => return Err(self.unexpected(expected)),
        };
        self.advance();
        Ok(Word { name, place })
    }

    /// Reports that the next token is not what the grammar asks for.
    fn unexpected(&mut self, expected: &str) -> Faulty {
        let (message, label, help) = match self.peek() {
            Some(kind) => {
                let help = matches!(kind, TokenKind::Keyword(_))
                    .then(|| "keywords cannot be names; choose another word".to_owned());
                let found = self.context.describe(kind);
                (format!("expected {expected}, found {found}"), "not allowed here", help)
            }
            None => {
                let message = format!("expected {expected}, but the section ends");
                (message, "the section ends after this", None)
            }
        };
        let place = self.place();
        let diagnostic = Diagnostic::error(Code::UnexpectedToken, place.span, message)
            .label(label)
            .maybe_help(help);
        self.error(place, diagnostic)
    }

    /// Reports a mistake, unless it is only the consequence of an earlier one.
    fn error(&mut self, place: Place, diagnostic: Diagnostic) -> Faulty {
        let beside = [self.cursor.passed(), self.cursor.peek()];
        if !beside.contains(&Some(&TokenKind::Poison)) {
            self.context.report(place, diagnostic);
        }
        self.failed = true;
        Faulty
    }

    /// Skips tokens up to the first that is accepted.
    fn skip_until(&mut self, accepts: impl Fn(Symbol) -> bool) {
        while let Some(kind) = self.peek() {
            if matches!(kind, TokenKind::Symbol(symbol) if accepts(symbol)) {
                break;
            }
            self.advance();
        }
    }
}
