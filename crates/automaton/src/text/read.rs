//! Reading tokens one after another: the phrases that all sections share.

use super::error::{ErrorKind, TextError, TextPlace};
use super::lex::{Token, TokenKind};
use super::names::EntityNames;
use crate::ids::Id;
use crate::verify::MAX_SQUARES;

/// What a phrase yields, or the error that ends its line.
pub(super) type Read<T> = Result<T, TextError>;

/// The greatest number that may be written instead of a name, so that no set grows without bound.
const MAX_NUMBER: i64 = MAX_SQUARES as i64;

/// A position within some tokens, the last of which is never passed.
pub(super) struct TokenReader<'r, 't> {
    tokens: &'r [Token<'t>],
    next: usize,
}

impl<'r, 't> TokenReader<'r, 't> {
    /// A reader at the first of these tokens, of which there must be one.
    pub(super) fn new(tokens: &'r [Token<'t>]) -> TokenReader<'r, 't> {
        debug_assert!(!tokens.is_empty(), "every line ends with a token");
        TokenReader { tokens, next: 0 }
    }

    /// The token to be read next.
    pub(super) fn peek(&self) -> &'r TokenKind<'t> {
        &self.tokens[self.next].lexeme
    }

    /// The token after it.
    pub(super) fn peek_second(&self) -> &'r TokenKind<'t> {
        &self.tokens[(self.next + 1).min(self.tokens.len() - 1)].lexeme
    }

    /// Where the token to be read next stands.
    pub(super) fn place(&self) -> TextPlace {
        self.tokens[self.next].place
    }

    /// Goes on to the next token.
    pub(super) fn advance(&mut self) {
        self.next = (self.next + 1).min(self.tokens.len() - 1);
    }

    /// Reads this symbol when it is there.
    pub(super) fn eat(&mut self, symbol: &str) -> bool {
        let found = matches!(self.peek(), TokenKind::Symbol(next) if *next == symbol);
        if found {
            self.advance();
        }
        found
    }

    /// Reads this word when it is there.
    pub(super) fn eat_word(&mut self, word: &str) -> bool {
        let found = matches!(self.peek(), TokenKind::Word(next) if *next == word);
        if found {
            self.advance();
        }
        found
    }

    /// Reads this symbol, which `expected` describes.
    pub(super) fn symbol(&mut self, symbol: &str, expected: &str) -> Read<()> {
        if self.eat(symbol) { Ok(()) } else { Err(self.expected(expected)) }
    }

    /// Makes sure that nothing follows but the end of the line or the comma that ends an item.
    pub(super) fn finish(&self) -> Read<()> {
        match self.peek() {
            TokenKind::End => Ok(()),
            TokenKind::Symbol(",") if self.next + 1 == self.tokens.len() => Ok(()),
            _ => Err(self.expected("the end of the line")),
        }
    }

    /// The error that something else should stand here.
    pub(super) fn expected(&self, expected: &str) -> TextError {
        let kind = match self.peek() {
            TokenKind::Invalid(kind) => kind.clone(),
            found => {
                ErrorKind::Expected { expected: expected.to_owned(), found: found.to_string() }
            }
        };
        TextError::new(self.place(), kind)
    }

    /// Reads a name, which `expected` describes.
    pub(super) fn name(&mut self, expected: &str) -> Read<&'r str> {
        let name = match self.peek() {
            TokenKind::Word(name) => name,
            TokenKind::Quoted(name) => name.as_str(),
            _ => return Err(self.expected(expected)),
        };
        self.advance();
        Ok(name)
    }

    /// Whether an entity that has a name could stand here.
    pub(super) fn at_entity(&self) -> bool {
        matches!(self.peek(), TokenKind::Word(_) | TokenKind::Quoted(_) | TokenKind::Symbol("?"))
    }

    /// Reads an entity by its name, or by number after `?`.
    pub(super) fn entity<K: Id>(
        &mut self,
        what: &'static str,
        names: &EntityNames<'_, K>,
    ) -> Read<K> {
        if self.eat("?") {
            let number = self.integer(0, MAX_NUMBER)?;
            return Ok(K::from_index(usize::try_from(number).unwrap_or(0)));
        }
        let (place, found) = (self.place(), self.peek());
        let name = self.name(&format!("a {what}"))?;
        let unknown = || ErrorKind::Unknown { what, name: found.to_string() };
        names.find(name).ok_or_else(|| TextError::new(place, unknown()))
    }

    /// The number of an entity such as `n4` when one stands here.
    pub(super) fn peek_numbered(&self, prefix: char) -> Option<u32> {
        let TokenKind::Word(word) = self.peek() else {
            return None;
        };
        let digits = word.strip_prefix(prefix)?;
        let canonical = digits == "0" || !digits.starts_with('0');
        digits.parse().ok().filter(|_| canonical)
    }

    /// Reads an entity such as `n4`.
    pub(super) fn numbered(&mut self, prefix: char, expected: &str) -> Read<u32> {
        let number = self.peek_numbered(prefix).ok_or_else(|| self.expected(expected))?;
        self.advance();
        Ok(number)
    }

    /// Reads an integer within these limits; its sign is allowed when negative numbers are.
    pub(super) fn integer(&mut self, least: i64, greatest: i64) -> Read<i64> {
        let place = self.place();
        let sign = if least < 0 && self.eat("-") { "-" } else { "" };
        let TokenKind::Number(digits) = self.peek() else {
            return Err(self.expected("a number"));
        };
        self.advance();
        let text = format!("{sign}{digits}");
        match text.parse() {
            Ok(number) if (least..=greatest).contains(&number) => Ok(number),
            _ => Err(TextError::new(place, ErrorKind::Number { text, least, greatest })),
        }
    }

    /// Reads a number of 32 bits with sign.
    pub(super) fn signed(&mut self) -> Read<i32> {
        let number = self.integer(i32::MIN.into(), i32::MAX.into())?;
        Ok(i32::try_from(number).unwrap_or(0))
    }

    /// Reads a number of 32 bits without sign.
    pub(super) fn unsigned(&mut self) -> Read<u32> {
        let number = self.integer(0, u32::MAX.into())?;
        Ok(u32::try_from(number).unwrap_or(0))
    }
}
