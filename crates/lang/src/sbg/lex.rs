//! Text to tokens; comments are kept apart, since they may say what pieces are called.

use crate::cursor::Lexeme;
use crate::diagnostics::{Code, Diagnostic, Sink};
use crate::source::{Source, Span};

/// A token with its place.
#[derive(Clone, Debug)]
pub(super) struct Token {
    pub(super) kind: TokenKind,
    pub(super) span: Span,
    /// Whether a line ends between the token before and this one.
    pub(super) after_line_end: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum TokenKind {
    /// `<<…>>` with what stands between.
    Name(String),
    Section(SectionKind),
    /// One letter: even where several stand together, each is a piece.
    Letter(char),
    Natural(u32),
    /// A number with a minus sign: its absolute value.
    Negative(u32),
    /// A character that stands for itself.
    Symbol(char),
    /// What was reported already.
    Poison,
}

/// The parts of a text after its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum SectionKind {
    Board,
    Pieces,
    Goals,
}

impl SectionKind {
    pub(super) const ALL: [SectionKind; 3] =
        [SectionKind::Board, SectionKind::Pieces, SectionKind::Goals];

    pub(super) fn text(self) -> &'static str {
        match self {
            SectionKind::Board => "<BOARD>",
            SectionKind::Pieces => "<PIECES>",
            SectionKind::Goals => "<GOALS>",
        }
    }
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
            TokenKind::Name(name) => format!("`<<{name}>>`"),
            TokenKind::Section(section) => format!("`{}`", section.text()),
            TokenKind::Letter(letter) => format!("`{letter}`"),
            TokenKind::Natural(number) => format!("`{number}`"),
            TokenKind::Negative(number) => format!("`-{number}`"),
            TokenKind::Symbol(symbol) => format!("`{symbol}`"),
            TokenKind::Poison => "something faulty".to_owned(),
        }
    }
}

/// The tokens of a text, and the places of its comments.
pub(super) fn lex(source: &Source, sink: &mut Sink) -> (Vec<Token>, Vec<String>) {
    let mut lexer = Lexer {
        text: source.text(),
        at: 0,
        line_ended: false,
        tokens: Vec::new(),
        comments: Vec::new(),
        sink,
    };
    while lexer.at < lexer.text.len() {
        lexer.next();
    }
    (lexer.tokens, lexer.comments)
}

struct Lexer<'a, 'b> {
    text: &'a str,
    at: usize,
    line_ended: bool,
    tokens: Vec<Token>,
    comments: Vec<String>,
    sink: &'b mut Sink,
}

impl Lexer<'_, '_> {
    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    fn next(&mut self) {
        let Some(first) = self.rest().chars().next() else { return };
        let start = self.at;
        match first {
            '\n' => {
                self.line_ended = true;
                self.at += 1;
            }
            _ if first.is_whitespace() => self.at += first.len_utf8(),
            _ if self.skip_comment() => {}
            '<' => self.tag(),
            '0'..='9' => self.number(false),
            '-' if self.rest()[1..].starts_with(|c: char| c.is_ascii_digit()) => self.number(true),
            'a'..='z' | 'A'..='Z' => {
                self.at += 1;
                self.push(start, TokenKind::Letter(first));
            }
            '(' | ')' | ',' | '+' | '^' | '*' | '&' | '#' | '@' | '|' | '.' => {
                self.at += 1;
                self.push(start, TokenKind::Symbol(first));
            }
            _ => self.stray(),
        }
    }

    fn push(&mut self, start: usize, kind: TokenKind) {
        let span = Span::new(start, self.at);
        let after_line_end = std::mem::take(&mut self.line_ended);
        self.tokens.push(Token { kind, span, after_line_end });
    }

    fn error(&mut self, code: Code, span: Span, message: impl Into<String>, help: &str) {
        self.sink.push(Diagnostic::error(code, span, message).help(help));
    }

    /// Steps over a comment, if one stands here.
    fn skip_comment(&mut self) -> bool {
        let start = self.at;
        if self.rest().starts_with("//") {
            self.at += self.rest().find('\n').unwrap_or(self.rest().len());
            self.comments.push(self.text[start + 2..self.at].to_owned());
        } else if self.rest().starts_with("/*") {
            match self.text[start + 2..].find("*/") {
                Some(length) => {
                    let inside = &self.text[start + 2..start + 2 + length];
                    self.comments.push(inside.to_owned());
                    self.line_ended |= inside.contains('\n');
                    self.at = start + 2 + length + 2;
                }
                None => {
                    let span = Span::new(start, start + 2);
                    let message = "this comment never ends, so the rest of the file belongs to it";
                    self.error(Code::SbgUnterminatedComment, span, message, "close it with `*/`");
                    self.at = self.text.len();
                }
            }
        } else {
            return false;
        }
        true
    }

    fn tag(&mut self) {
        let start = self.at;
        if self.rest().starts_with("<<") {
            return self.name();
        }
        if let Some(section) =
            SectionKind::ALL.into_iter().find(|section| self.rest().starts_with(section.text()))
        {
            self.at += section.text().len();
            return self.push(start, TokenKind::Section(section));
        }
        let word = self.rest()[1..].chars().take_while(char::is_ascii_alphabetic).count();
        self.at += 1 + word;
        if word > 0 && self.rest().starts_with('>') {
            self.at += 1;
        }
        let span = Span::new(start, self.at);
        let message = format!("`{}` is not a section", &self.text[start..self.at]);
        let help = "the sections are `<BOARD>`, `<PIECES>` and `<GOALS>`, in capitals";
        self.error(Code::SbgUnexpectedToken, span, message, help);
        self.push(start, TokenKind::Poison);
    }

    /// A name goes from `<<` to `>>`, comments left out.
    fn name(&mut self) {
        let start = self.at;
        self.at += 2;
        let mut name = String::new();
        let mut stray: Option<(Span, char)> = None;
        loop {
            if self.rest().starts_with(">>") {
                self.at += 2;
                break;
            }
            let before = self.at;
            let Some(c) = self.rest().chars().next().filter(|c| *c != '<') else {
                let span = Span::new(start, start + 2);
                let help = "write it as `<<My Game>>`";
                self.error(Code::SbgBadName, span, "the name of the game never ends", help);
                return self.push(start, TokenKind::Poison);
            };
            if self.skip_comment() {
                continue;
            }
            self.at += c.len_utf8();
            if c.is_alphanumeric() || c == ' ' {
                name.push(c);
            } else if stray.is_none() && !c.is_whitespace() {
                stray = Some((Span::new(before, self.at), c));
            } else if c.is_whitespace() {
                name.push(' ');
            }
        }
        if let Some((span, c)) = stray {
            let message = format!("`{c}` cannot be part of the name of a game");
            self.error(
                Code::SbgBadName,
                span,
                message,
                "names consist of letters, digits and spaces",
            );
        }
        let name = name.split_whitespace().collect::<Vec<_>>().join(" ");
        self.push(start, TokenKind::Name(name));
    }

    fn number(&mut self, negative: bool) {
        let start = self.at;
        self.at += usize::from(negative);
        let digits = self.rest().bytes().take_while(u8::is_ascii_digit).count();
        let number =
            self.rest()[..digits].parse::<u32>().ok().filter(|n| i32::try_from(*n).is_ok());
        self.at += digits;
        match number {
            Some(number) if negative => self.push(start, TokenKind::Negative(number)),
            Some(number) => self.push(start, TokenKind::Natural(number)),
            None => {
                let help = format!("numbers go up to {}", i32::MAX);
                let span = Span::new(start, self.at);
                self.error(Code::SbgNumberTooLarge, span, "this number is too large", &help);
                self.push(start, TokenKind::Poison);
            }
        }
    }

    fn stray(&mut self) {
        let start = self.at;
        if self.rest().starts_with("~*") {
            // So the language's definition prints it; what is meant is clear.
            self.at += 2;
            let span = Span::new(start, self.at);
            let help = "any number of times is written `^*`";
            let message = "`~*` is not part of the language";
            self.error(Code::SbgStrayCharacter, span, message, help);
            self.push(start, TokenKind::Symbol('^'));
            return self.push(start, TokenKind::Symbol('*'));
        }
        let is_stray = |c: &char| {
            !c.is_whitespace() && !c.is_ascii_alphanumeric() && !"<-(),+^*&#@|./".contains(*c)
        };
        let length: usize = self.rest().chars().take_while(is_stray).map(char::len_utf8).sum();
        // A minus or a slash alone is stray as well.
        self.at += length.max(1);
        let span = Span::new(start, self.at);
        let text: String = self.text[start..self.at].chars().take(20).collect();
        let message = format!("`{text}` is not part of the language");
        self.error(Code::SbgStrayCharacter, span, message, "remove it, or make it a comment");
    }
}
