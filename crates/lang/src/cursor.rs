//! Where a parser stands in its tokens.

use crate::source::Span;

/// A token with its place, whatever the language.
pub(crate) trait Lexeme {
    /// What tokens of the language can be.
    type Kind;

    /// What it is.
    fn kind(&self) -> &Self::Kind;

    /// Its place in the text.
    fn span(&self) -> Span;
}

/// A place between two tokens of a list.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a, T> {
    tokens: &'a [T],
    at: usize,
    /// What an empty list is reported at.
    start: Span,
}

impl<'a, T: Lexeme> Cursor<'a, T> {
    /// Stands before the first token. `start` is the place of an empty list.
    pub(crate) fn new(tokens: &'a [T], start: Span) -> Cursor<'a, T> {
        Cursor { tokens, at: 0, start }
    }

    /// What the next token is; `None` at the end.
    pub(crate) fn peek(&self) -> Option<&'a T::Kind> {
        self.tokens.get(self.at).map(Lexeme::kind)
    }

    /// The place of the next token, or of the last one at the end.
    pub(crate) fn span(&self) -> Span {
        let token = self.tokens.get(self.at).or_else(|| self.tokens.last());
        token.map_or(self.start, Lexeme::span)
    }

    /// The place of the token before.
    pub(crate) fn before(&self) -> Span {
        let token = self.at.checked_sub(1).and_then(|at| self.tokens.get(at));
        token.map_or(self.start, Lexeme::span)
    }

    /// Steps over the next token and returns its place.
    pub(crate) fn advance(&mut self) -> Span {
        let span = self.span();
        self.at = (self.at + 1).min(self.tokens.len());
        span
    }
}
