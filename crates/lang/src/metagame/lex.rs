//! Text to tokens. Capitals do not matter: all words become lower case.

use crate::cursor::Lexeme;
use crate::diagnostics::{Code, Diagnostic, Sink};
use crate::source::{Source, Span};

/// A token with its place.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// A name or a word of the grammar, in lower case.
    Word(String),
    Number(u32),
    Symbol(&'static str),
    /// What was reported already.
    Poison,
}

impl Lexeme for Token {
    type Kind = TokenKind;
    type Place = Span;

    fn kind(&self) -> &TokenKind {
        &self.kind
    }

    fn place(&self) -> Span {
        self.span
    }
}

impl TokenKind {
    /// How a message calls it.
    pub(super) fn describe(&self) -> String {
        match self {
            TokenKind::Word(word) => format!("`{word}`"),
            TokenKind::Number(number) => format!("`{number}`"),
            TokenKind::Symbol(symbol) => format!("`{symbol}`"),
            TokenKind::Poison => "something faulty".to_owned(),
        }
    }
}

/// The longer ones first.
const SYMBOLS: [&str; 17] =
    ["->", ">=", "<=", "{", "}", "[", "]", "(", ")", "<", ">", ",", ".", ";", "=", "/", ":"];

/// The tokens of a text.
pub(super) fn lex(source: &Source, sink: &mut Sink) -> Vec<Token> {
    let text = source.text();
    let mut tokens = Vec::new();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let start = at;
        let rest = &text[at..];
        let kind = if first.is_whitespace() {
            at += first.len_utf8();
            continue;
        } else if first == '%' {
            at += rest.find('\n').unwrap_or(rest.len());
            continue;
        } else if first.is_ascii_digit() {
            at += rest.bytes().take_while(u8::is_ascii_digit).count();
            let number = text[start..at].parse::<u32>().ok().filter(|n| *n <= MAX_NUMBER);
            number.map_or_else(
                || {
                    let span = Span::new(start, at);
                    let message = "this number is too large";
                    let diagnostic = Diagnostic::error(Code::MetagameNumberTooLarge, span, message);
                    sink.push(diagnostic.help(format!("numbers go up to {MAX_NUMBER}")));
                    TokenKind::Poison
                },
                TokenKind::Number,
            )
        } else if is_letter(first) {
            let is_part = |c: &char| is_letter(*c) || c.is_ascii_digit();
            at += rest.chars().take_while(is_part).count();
            if at - start > MAX_NAME {
                let message = format!("this name has {} letters", at - start);
                let span = Span::new(start, at);
                let diagnostic = Diagnostic::error(Code::MetagameNameTooLong, span, message);
                sink.push(diagnostic.help(format!("names have at most {MAX_NAME} letters")));
                TokenKind::Poison
            } else {
                TokenKind::Word(text[start..at].to_ascii_lowercase())
            }
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            at += symbol.len();
            TokenKind::Symbol(symbol)
        } else {
            at += stray(rest);
            let shown: String = text[start..at].chars().take(20).collect();
            let message = format!("`{shown}` is not part of the language");
            let span = Span::new(start, at);
            let help = "remove it, or make it a comment with `%`";
            sink.push(Diagnostic::error(Code::MetagameStrayCharacter, span, message).help(help));
            continue;
        };
        tokens.push(Token { kind, span: Span::new(start, at) });
    }
    tokens
}

/// The longest name that is read.
const MAX_NAME: usize = 60;

/// The greatest number that is read.
const MAX_NUMBER: u32 = 1_000_000;

fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_'
}

/// How many bytes at the beginning belong to no token; at least one character.
fn stray(text: &str) -> usize {
    let mut characters = text.chars();
    let first = characters.next().map_or(0, char::len_utf8);
    let belongs = |c: char| {
        c.is_whitespace()
            || c == '%'
            || is_letter(c)
            || c.is_ascii_digit()
            || SYMBOLS.iter().any(|symbol| symbol.starts_with(c))
    };
    first + characters.take_while(|c| !belongs(*c)).map(char::len_utf8).sum::<usize>()
}
