//! Where a parser stands in its tokens, whatever the language.

/// A token and its place.
pub(crate) trait Lexeme {
    /// What tokens of the language can be.
    type Kind;
    /// What says where they stand.
    type Place: Copy;

    /// What it is.
    fn kind(&self) -> &Self::Kind;

    /// Where it stands.
    fn place(&self) -> Self::Place;
}

/// A place between two tokens of a list.
#[derive(Clone, Debug)]
pub(crate) struct Cursor<'a, T: Lexeme> {
    tokens: &'a [T],
    at: usize,
    /// What an empty list is reported at.
    start: T::Place,
}

impl<'a, T: Lexeme> Cursor<'a, T> {
    /// Stands before the first token. `start` is the place of an empty list.
    pub(crate) fn new(tokens: &'a [T], start: T::Place) -> Cursor<'a, T> {
        Cursor { tokens, at: 0, start }
    }

    /// The next token; `None` at the end.
    pub(crate) fn token(&self) -> Option<&'a T> {
        self.tokens.get(self.at)
    }

    /// What the next token is; `None` at the end.
    pub(crate) fn peek(&self) -> Option<&'a T::Kind> {
        self.token().map(Lexeme::kind)
    }

    /// What comes after the next token.
    pub(crate) fn peek_second(&self) -> Option<&'a T::Kind> {
        self.tokens.get(self.at + 1).map(Lexeme::kind)
    }

    /// What the token before is.
    pub(crate) fn passed(&self) -> Option<&'a T::Kind> {
        self.token_before().map(Lexeme::kind)
    }

    /// Whether no token is left.
    pub(crate) fn at_end(&self) -> bool {
        self.at == self.tokens.len()
    }

    /// The place of the next token, or of the last one at the end.
    pub(crate) fn place(&self) -> T::Place {
        self.token().or_else(|| self.tokens.last()).map_or(self.start, Lexeme::place)
    }

    /// The place of the token before.
    pub(crate) fn before(&self) -> T::Place {
        self.token_before().map_or(self.start, Lexeme::place)
    }

    /// Steps over the next token and returns its place.
    pub(crate) fn advance(&mut self) -> T::Place {
        let place = self.place();
        self.at += usize::from(!self.at_end());
        place
    }

    /// Steps over all that is left.
    pub(crate) fn finish(&mut self) {
        self.at = self.tokens.len();
    }

    fn token_before(&self) -> Option<&'a T> {
        self.at.checked_sub(1).and_then(|at| self.tokens.get(at))
    }
}
