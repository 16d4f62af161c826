//! Sentences: regular expressions whose letters are steps with a condition and an effect.

use super::{KEYWORDS, Parser};
use crate::abg::ast::{Placed, Sentence};
use crate::abg::lex::TokenKind;
use crate::diagnostics::{Code, Diagnostic};

/// The most signs `*`, `?` and `+` after each other.
const MAX_SIGNS: usize = 8;

impl Parser<'_> {
    pub(super) fn sentence(&mut self) -> Option<Placed<Sentence>> {
        let start = self.cursor.place();
        let mut parts = vec![self.word()?];
        while self.take("|").is_some() {
            parts.push(self.word()?);
        }
        let span = start.to(self.cursor.before());
        Some(if parts.len() == 1 {
            parts.remove(0)
        } else {
            Placed { value: Sentence::Sum(parts), span }
        })
    }

    fn word(&mut self) -> Option<Placed<Sentence>> {
        let start = self.cursor.place();
        let mut parts = Vec::new();
        // A keyword begins the next definition: then a `;` was forgotten.
        let is_name = |kind: &TokenKind| match kind {
            TokenKind::Word(word) => !KEYWORDS.contains(&word.as_str()),
            _ => false,
        };
        while self.is("(") || self.is("[") || self.cursor.peek().is_some_and(is_name) {
            parts.push(self.repeated()?);
        }
        if parts.is_empty() {
            self.unexpected(
                "a letter",
                "letters are `[dx, dy, Condition]`, and alternatives are never empty",
            );
            return None;
        }
        let span = start.to(self.cursor.before());
        Some(if parts.len() == 1 {
            parts.remove(0)
        } else {
            Placed { value: Sentence::Chain(parts), span }
        })
    }

    fn repeated(&mut self) -> Option<Placed<Sentence>> {
        let start = self.cursor.place();
        let mut part = self.core()?;
        for _ in 0..=MAX_SIGNS {
            let wrap = match self.cursor.peek() {
                Some(TokenKind::Symbol("*")) => Sentence::Star,
                Some(TokenKind::Symbol("?")) => Sentence::Maybe,
                Some(TokenKind::Symbol("+")) => Sentence::Plus,
                _ => return Some(part),
            };
            self.cursor.advance();
            let span = start.to(self.cursor.before());
            part = Placed { value: wrap(Box::new(part)), span };
        }
        let message = format!("more than {MAX_SIGNS} signs `*`, `?` and `+` follow each other");
        let diagnostic = Diagnostic::error(Code::AbgNestingTooDeep, self.cursor.place(), message);
        self.sink.push(diagnostic.help("`**` says no more than `*`"));
        None
    }

    fn core(&mut self) -> Option<Placed<Sentence>> {
        let start = self.cursor.place();
        if self.take("(").is_some() {
            let inner = self.deeper(Parser::sentence)?;
            self.expect(")", "close the bracket")?;
            return Some(inner);
        }
        if self.is("[") {
            return self.letter();
        }
        let name = self.name("a letter", "letters are `[dx, dy, Condition]`")?;
        let value = if self.take(".").is_some() {
            let field = self.name("`regex`", "`wPawn.regex` is the rule of wPawn")?;
            if field.value != "regex" {
                let message = format!("`{}` is not part of a sentence", field.value);
                let diagnostic = Diagnostic::error(Code::AbgWrongKind, field.span, message);
                self.sink.push(diagnostic.help("`wPawn.regex` is the rule of wPawn"));
                return None;
            }
            Sentence::RuleOf(name)
        } else {
            Sentence::Call(self.call(name)?)
        };
        Some(Placed { value, span: start.to(self.cursor.before()) })
    }

    fn letter(&mut self) -> Option<Placed<Sentence>> {
        let help = "letters are `[dx, dy, Condition]` or `[dx, dy, Condition]{effect}`";
        let start = self.expect("[", help)?;
        let x = self.expression()?;
        self.expect(",", help)?;
        let y = self.expression()?;
        self.expect(",", help)?;
        let test = self.expression()?;
        self.expect("]", help)?;
        let mut effect = None;
        if self.take("{").is_some() {
            let name = self.name("an effect", help)?;
            effect = Some(self.call(name)?);
            self.expect("}", help)?;
        }
        let span = start.to(self.cursor.before());
        Some(Placed { value: Sentence::Letter { x, y, test, effect }, span })
    }
}
