//! Text to tokens.

use crate::cursor::Lexeme;
use crate::diagnostics::{Code, Diagnostic, Sink};
use crate::pragma::Comments;
use crate::source::{Source, Span};

/// A token with its place.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    Word(String),
    Number(i64),
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
const SYMBOLS: [&str; 29] = [
    "==", "!=", "<=", ">=", "&&", "||", "//", "=", ",", ";", "(", ")", "[", "]", "{", "}", "|",
    "*", "?", "+", ".", "-", "/", "%", "!", "<", ">", ":", "&",
];

/// How a comment begins that states something about the game.
const PRAGMA: &str = "#!";

/// The tokens and the pragma comments of a text.
pub(super) fn lex(source: &Source, sink: &mut Sink) -> (Vec<Token>, Comments) {
    let text = source.text();
    let mut tokens = Vec::new();
    let mut comments = Comments::default();
    let mut at = 0;
    while let Some(first) = text[at..].chars().next() {
        let start = at;
        let rest = &text[at..];
        if first.is_whitespace() {
            at += first.len_utf8();
        } else if first == '#' {
            at += rest.find('\n').unwrap_or(rest.len());
            if rest.starts_with(PRAGMA) {
                comments.push(text, start, at, PRAGMA);
            }
        } else if let Some(comment) = rest.strip_prefix("/*") {
            at += match comment.find("*/") {
                Some(length) => length + 4,
                None => {
                    let message = "this comment never ends, so the rest of the file belongs to it";
                    let span = Span::new(start, start + 2);
                    let diagnostic = Diagnostic::error(Code::AbgUnterminatedComment, span, message);
                    sink.push(diagnostic.help("close it with `*/`"));
                    rest.len()
                }
            };
        } else if first.is_ascii_digit() {
            at += rest.bytes().take_while(u8::is_ascii_digit).count();
            let number = text[start..at].parse::<i64>().ok().filter(|n| i32::try_from(*n).is_ok());
            let span = Span::new(start, at);
            if number.is_none() {
                let diagnostic =
                    Diagnostic::error(Code::AbgNumberTooLarge, span, "this number is too large");
                sink.push(diagnostic.help(format!("numbers go up to {}", i32::MAX)));
            }
            let kind = number.map_or(TokenKind::Poison, TokenKind::Number);
            tokens.push(Token { kind, span });
        } else if first.is_ascii_alphabetic() || first == '_' {
            let word = |b: &u8| b.is_ascii_alphanumeric() || *b == b'_';
            at += rest.bytes().take_while(word).count();
            let kind = TokenKind::Word(text[start..at].to_owned());
            tokens.push(Token { kind, span: Span::new(start, at) });
        } else if let Some(symbol) = SYMBOLS.iter().find(|symbol| rest.starts_with(**symbol)) {
            at += symbol.len();
            tokens.push(Token { kind: TokenKind::Symbol(symbol), span: Span::new(start, at) });
        } else {
            at += first.len_utf8();
            let message = format!("`{first}` is not part of the language");
            let help = "remove it; comments are `# to the end of the line` and `/* … */`";
            let span = Span::new(start, at);
            sink.push(Diagnostic::error(Code::AbgStrayCharacter, span, message).help(help));
        }
    }
    (tokens, comments)
}
