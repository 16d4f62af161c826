//! Bytes to tokens, the first stage: white space and comments go, words are interned.
//!
//! What belongs to no token is reported once per run and skipped; a run inside a word stays part of the word, so that
//! `w_pawn` is one faulty name and not two good ones.

use crate::diagnostics::{Code, Diagnostic};
use crate::source::{Source, Span};

use super::token::{CallId, Keyword, MAX_NAME, ParseContext, Place, Symbol, Token, TokenKind};

/// How a comment begins that states something about the game.
const PRAGMA: &str = "//!";

/// The tokens of a text; pragma comments and the places of switches go to the context.
pub(crate) fn lex(source: &Source, context: &mut ParseContext) -> Vec<Token> {
    let mut lexer = Lexer { text: source.text(), at: 0, context, tokens: Vec::new() };
    while let Some(c) = lexer.peek() {
        lexer.token(c);
    }
    let tokens = lexer.tokens;
    if !context.comments.all.is_empty() {
        let is_switch = |token: &&Token| {
            matches!(token.kind, TokenKind::Symbol(Symbol::Arrow | Symbol::KeeperArrow))
        };
        context.switches = tokens.iter().filter(is_switch).map(|t| t.place.span.start).collect();
    }
    tokens
}

struct Lexer<'a> {
    text: &'a str,
    at: usize,
    context: &'a mut ParseContext,
    tokens: Vec<Token>,
}

impl Lexer<'_> {
    fn token(&mut self, c: char) {
        match c {
            ' ' | '\t' | '\r' | '\n' | '\x0B' | '\x0C' => self.at += 1,
            '/' if self.text[self.at..].starts_with("//") => self.line_comment(),
            '/' if self.text[self.at..].starts_with("/*") => self.block_comment(),
            '0'..='9' => self.number(),
            '"' => self.string(),
            _ if is_word_start(c) => self.word(),
            _ => self.symbol(),
        }
    }

    fn peek(&self) -> Option<char> {
        self.text[self.at..].chars().next()
    }

    fn skip_while(&mut self, accepts: impl Fn(char) -> bool) {
        let rest = &self.text[self.at..];
        self.at += rest.find(|c| !accepts(c)).unwrap_or(rest.len());
    }

    fn push(&mut self, start: usize, kind: TokenKind) {
        let place = Place { span: Span::new(start, self.at), call: CallId::default() };
        self.tokens.push(Token { kind, place });
    }

    fn error(&mut self, code: Code, start: usize, message: &str, help: &str) {
        let span = Span::new(start, self.at);
        self.context.sink.push(Diagnostic::error(code, span, message).help(help));
    }

    fn line_comment(&mut self) {
        let start = self.at;
        self.skip_while(|c| c != '\n');
        if self.text[start..].starts_with(PRAGMA) {
            self.context.comments.push(self.text, start, self.at, PRAGMA);
        }
    }

    fn block_comment(&mut self) {
        let start = self.at;
        match self.text[start + 2..].find("*/") {
            Some(length) => self.at = start + 2 + length + 2,
            None => {
                self.at = start + 2;
                let message = "this comment never ends, so the rest of the file belongs to it";
                self.error(Code::UnterminatedComment, start, message, "close it with `*/`");
                self.at = self.text.len();
            }
        }
    }

    fn number(&mut self) {
        let start = self.at;
        self.skip_while(|c| c.is_ascii_digit());
        let digits = &self.text[start..self.at];
        match digits.parse() {
            Ok(number) => self.push(start, TokenKind::Number(number)),
            Err(_) => {
                let message = "this number is too large";
                let help = format!("numbers go up to {}", u32::MAX);
                self.error(Code::NumberTooLarge, start, message, &help);
                self.push(start, TokenKind::Poison);
            }
        }
    }

    /// The language has a token for texts in quotes but no use for it.
    fn string(&mut self) {
        let start = self.at;
        self.at += 1;
        self.skip_while(|c| c != '"' && c != '\n');
        if self.peek() == Some('"') {
            self.at += 1;
        }
        let message = "texts in quotes have no meaning here";
        self.error(Code::StrayCharacter, start, message, "remove it, or make it a comment");
    }

    fn word(&mut self) {
        let start = self.at;
        self.skip_while(is_word_part);
        let text = &self.text[start..self.at];
        if let Some(position) = text.find(|c: char| !c.is_ascii_alphanumeric()) {
            let end = text[position..].find(|c: char| c.is_ascii_alphanumeric());
            let span = Span::new(
                start + position,
                end.map_or(self.at, |length| start + position + length),
            );
            let message = format!("`{}` cannot be part of a name", self.text_of(span));
            self.context.sink.push(Diagnostic::error(Code::StrayCharacter, span, message).help(
                "names begin with a letter and go on with letters and digits, a-z, A-Z, 0-9",
            ));
        }
        let kind = match Keyword::from_text(text) {
            Some(keyword) => TokenKind::Keyword(keyword),
            None if text.len() > MAX_NAME => {
                let message = format!("this name has {} letters", text.len());
                let help = format!("names have at most {MAX_NAME} letters");
                self.error(Code::NameTooLong, start, &message, &help);
                TokenKind::Poison
            }
            None => TokenKind::Word(self.context.names.intern(text)),
        };
        self.push(start, kind);
    }

    fn symbol(&mut self) {
        let start = self.at;
        // The longest spelling wins; all symbols are ASCII.
        for length in (1..=3).rev() {
            let text = self.text.get(start..start + length);
            if let Some(symbol) = text.and_then(Symbol::from_text) {
                self.at = start + length;
                return self.push(start, TokenKind::Symbol(symbol));
            }
        }
        self.skip_while(is_stray);
        let text = self.text_of(Span::new(start, self.at));
        let message = format!("`{text}` is not part of the language");
        self.error(Code::StrayCharacter, start, &message, "remove it");
    }

    /// The text of a span, shortened for a message.
    fn text_of(&self, span: Span) -> String {
        let text = &self.text[span.start as usize..span.end as usize];
        text.chars().take(20).collect()
    }
}

/// Besides the letters of the language also those that people take for letters; they are reported.
fn is_word_start(c: char) -> bool {
    c.is_ascii_alphabetic() || c == '_' || (!c.is_ascii() && c.is_alphabetic())
}

fn is_word_part(c: char) -> bool {
    is_word_start(c) || c.is_ascii_digit()
}

fn is_stray(c: char) -> bool {
    let space = matches!(c, ' ' | '\t' | '\r' | '\n' | '\x0B' | '\x0C');
    let mut bytes = [0; 4];
    !space && !is_word_part(c) && c != '"' && Symbol::from_text(c.encode_utf8(&mut bytes)).is_none()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spell(text: &str) -> (Vec<String>, Vec<&'static str>) {
        let mut context = ParseContext::default();
        let tokens = lex(&Source::new("t", text), &mut context);
        let words = tokens.iter().map(|token| context.describe(token.kind)).collect();
        (words, context.sink.finish().iter().map(|diagnostic| diagnostic.code.id()).collect())
    }

    #[test]
    fn the_longest_token_wins() {
        let (words, findings) = spell("->a{w}[$e]up->>b{?{! ?12ab<=>= ==");
        let expected = "`->` `a` `{` `w` `}` `[$` `e` `]` `up` `->>` `b` `{?` `{!` `?` `12` `ab` `<=` `>=` `==`";
        assert_eq!(words.join(" "), expected);
        assert!(findings.is_empty());
    }

    #[test]
    fn comments_and_spaces_separate() {
        let (words, findings) = spell("a//#x /*\r\nb/* # ** */c /* /* */ */");
        assert_eq!(words.join(" "), "`a` `b` `c` `*` `/`");
        assert!(findings.is_empty());
    }

    #[test]
    fn strays_are_reported_once_per_run() {
        let (words, findings) = spell("w_pawn @%& up _ größe");
        assert_eq!(words.join(" "), "`w_pawn` `up` `_` `größe`");
        assert_eq!(findings, ["rbg-stray-character"; 4]);
    }

    #[test]
    fn numbers_have_values() {
        let (words, findings) = spell("007 4294967295 4294967296");
        assert_eq!(words.join(" "), "`7` `4294967295` something faulty");
        assert_eq!(findings, ["rbg-number-too-large"]);
    }

    #[test]
    fn unterminated_comments_swallow_the_rest() {
        let (words, findings) = spell("a /* b");
        assert_eq!(words.join(" "), "`a`");
        assert_eq!(findings, ["rbg-unterminated-comment"]);
    }
}
