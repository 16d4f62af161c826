//! Stretches of a comment with their places in the text, and how they are cut.

use super::findings::bad_form;
use crate::diagnostics::Diagnostic;
use crate::source::Span;

/// A stretch of a comment with its place in the text.
#[derive(Clone, Copy)]
pub(super) struct Part<'a> {
    pub(super) text: &'a str,
    pub(super) at: usize,
}

impl<'a> Part<'a> {
    pub(super) fn span(self) -> Span {
        Span::new(self.at, self.at + self.text.len())
    }

    pub(super) fn trim(self) -> Part<'a> {
        let start = self.text.trim_start();
        Part { text: start.trim_end(), at: self.at + (self.text.len() - start.len()) }
    }

    /// The first bytes, and what follows after some more.
    pub(super) fn split_at(self, first: usize, skipped: usize) -> (Part<'a>, Part<'a>) {
        let (before, after) = (&self.text[..first], &self.text[first + skipped..]);
        (
            Part { text: before, ..self }.trim(),
            Part { text: after, at: self.at + first + skipped }.trim(),
        )
    }

    /// What stands before and after the first of these characters, if there is one.
    pub(super) fn split_once(self, separator: char) -> Option<(Part<'a>, Part<'a>)> {
        self.text.find(separator).map(|at| self.split_at(at, separator.len_utf8()))
    }

    /// The same with the last one.
    pub(super) fn rsplit_once(self, separator: char) -> Option<(Part<'a>, Part<'a>)> {
        self.text.rfind(separator).map(|at| self.split_at(at, separator.len_utf8()))
    }

    /// What stands between commas.
    pub(super) fn list(self) -> Vec<Part<'a>> {
        let mut parts = Vec::new();
        let mut rest = self;
        while let Some((first, after)) = rest.split_once(',') {
            parts.push(first);
            rest = after;
        }
        parts.push(rest);
        parts
    }
}

/// What a comment yields, or the finding because of which it has no effect.
pub(super) type Read<T> = Result<T, Box<Diagnostic>>;

/// What follows `word:`.
pub(super) fn colon<'a>(word: &str, rest: Part<'a>) -> Read<Part<'a>> {
    match rest.split_once(':') {
        Some((before, after)) if before.text.is_empty() => Ok(after),
        _ => Err(bad_form(rest, word)),
    }
}

/// What stands before and after the last colon, neither of which is empty.
pub(super) fn last_colon<'a>(word: &str, rest: Part<'a>) -> Read<(Part<'a>, Part<'a>)> {
    let parts = rest.rsplit_once(':');
    let complete =
        |(before, after): &(Part<'_>, Part<'_>)| !before.text.is_empty() && !after.text.is_empty();
    parts.filter(complete).ok_or_else(|| bad_form(rest, word))
}
