//! From characters to tokens, line by line.
//!
//! Every line ends with a [`TokenKind::End`], so that a reader of tokens always has one to point at.

use std::fmt;

use super::error::{ErrorKind, TextPlace};

/// A token with its place.
#[derive(Clone, Debug)]
pub(super) struct Token<'t> {
    pub(super) place: TextPlace,
    pub(super) lexeme: TokenKind<'t>,
}

/// What a token is.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenKind<'t> {
    /// A keyword, a numbered entity such as `n4`, or a name.
    Word(&'t str),
    /// A name that is not a word.
    Quoted(String),
    /// Decimal digits.
    Number(&'t str),
    /// Punctuation.
    Symbol(&'static str),
    /// Something that no token begins with; an error as soon as it is read.
    Invalid(ErrorKind),
    /// The end of the line.
    End,
}

/// All punctuation; what begins like something longer comes after it.
const SYMBOLS: [&str; 22] = [
    "->", "==", "!=", "<=", ">=", "..", ",", ":", "=", "{", "}", "(", ")", "#", "@", "?", "+", "-",
    "*", "/", "<", ">",
];

impl fmt::Display for TokenKind<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TokenKind::Word(text) | TokenKind::Number(text) => write!(f, "`{text}`"),
            TokenKind::Symbol(text) => write!(f, "`{text}`"),
            TokenKind::Quoted(name) => write!(f, "{name:?}"),
            TokenKind::Invalid(kind) => write!(f, "an error: {kind}"),
            TokenKind::End => write!(f, "the end of the line"),
        }
    }
}

/// Whether a character may stand in a word.
pub(super) fn is_word_character(character: char) -> bool {
    character.is_alphanumeric() || character == '_'
}

/// The tokens of one line, the last of which is its end.
pub(super) fn tokens(text: &str, line: u32) -> Vec<Token<'_>> {
    let mut lexer = Lexer { rest: text, place: TextPlace { line, column: 1 } };
    let mut tokens = Vec::new();
    loop {
        lexer.skip_blanks();
        let place = lexer.place;
        let lexeme = lexer.lexeme();
        let ends = lexeme == TokenKind::End;
        tokens.push(Token { place, lexeme });
        if ends {
            return tokens;
        }
    }
}

struct Lexer<'t> {
    rest: &'t str,
    place: TextPlace,
}

impl<'t> Lexer<'t> {
    /// Takes this many bytes, which must end at a border of characters.
    fn take(&mut self, bytes: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at(bytes);
        self.rest = rest;
        let characters = u32::try_from(taken.chars().count()).unwrap_or(u32::MAX);
        self.place.column = self.place.column.saturating_add(characters);
        taken
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> &'t str {
        let end = self.rest.find(|character| !belongs(character)).unwrap_or(self.rest.len());
        self.take(end)
    }

    fn skip_blanks(&mut self) {
        self.take_while(char::is_whitespace);
        if self.rest.starts_with("//") {
            self.take(self.rest.len());
        }
    }

    fn lexeme(&mut self) -> TokenKind<'t> {
        let Some(first) = self.rest.chars().next() else {
            return TokenKind::End;
        };
        if is_word_character(first) {
            let text = self.take_while(is_word_character);
            let is_number = text.bytes().all(|byte| byte.is_ascii_digit());
            return if is_number { TokenKind::Number(text) } else { TokenKind::Word(text) };
        }
        if first == '"' {
            return self.quoted();
        }
        if let Some(symbol) = SYMBOLS.into_iter().find(|symbol| self.rest.starts_with(symbol)) {
            self.take(symbol.len());
            return TokenKind::Symbol(symbol);
        }
        self.take(first.len_utf8());
        TokenKind::Invalid(ErrorKind::Character(first))
    }

    fn quoted(&mut self) -> TokenKind<'t> {
        self.take(1);
        let mut name = String::new();
        loop {
            name.push_str(self.take_while(|character| character != '"' && character != '\\'));
            if self.rest.is_empty() {
                return TokenKind::Invalid(ErrorKind::OpenQuote);
            }
            if self.take(1) == "\"" {
                return TokenKind::Quoted(name);
            }
            match self.escaped() {
                Some(character) => name.push(character),
                None => {
                    // What follows cannot be trusted to be outside the quotes.
                    self.take(self.rest.len());
                    return TokenKind::Invalid(ErrorKind::Escape);
                }
            }
        }
    }

    /// The character written after a backslash.
    fn escaped(&mut self) -> Option<char> {
        let first = self.rest.chars().next()?;
        self.take(first.len_utf8());
        match first {
            '"' | '\\' => Some(first),
            'u' => {
                let digits = self.rest.strip_prefix('{')?.split_once('}')?.0;
                let character = char::from_u32(u32::from_str_radix(digits, 16).ok()?)?;
                self.take(digits.len() + 2);
                Some(character)
            }
            _ => None,
        }
    }
}
