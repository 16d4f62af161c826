//! Source text: what every front-end reads and every diagnostic points into.

use crate::Language;

/// Some editors write it at the beginning of a file to say that the file is Unicode.
const BYTE_ORDER_MARK: char = '\u{FEFF}';

/// A text with the name it is shown under, usually a file name.
///
/// # Examples
///
/// ```
/// use regulus_lang::{LineColumn, Source, Span};
///
/// let source = Source::new("game.rbg", "#players =\n    white(100)\n");
/// assert_eq!(source.slice(Span::new(15, 20)), "white");
/// assert_eq!(source.position(15), LineColumn { line: 2, column: 5 });
/// assert_eq!(source.extension(), Some("rbg"));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    name: String,
    text: String,
    /// The byte offset at which each line begins; never empty.
    line_starts: Vec<usize>,
    /// The language, if it was said.
    language: Option<Language>,
}

/// A range of bytes of a source text.
///
/// # Examples
///
/// ```
/// use regulus_lang::Span;
///
/// assert_eq!(Span::new(3, 5).to(Span::new(8, 9)), Span { start: 3, end: 9 });
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Span {
    /// The first byte.
    pub start: u32,
    /// The byte after the last.
    pub end: u32,
}

/// A place in a text as people count: both numbers begin at 1, columns are characters.
///
/// # Examples
///
/// ```
/// use regulus_lang::Source;
///
/// let place = Source::new("game.rbg", "one\ntwo").position(5);
/// assert_eq!((place.line, place.column), (2, 2));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct LineColumn {
    /// The line.
    pub line: usize,
    /// The character within the line.
    pub column: usize,
}

impl Source {
    /// A source text; a byte order mark before it is no part of it.
    #[must_use]
    pub fn new(name: impl Into<String>, text: impl Into<String>) -> Source {
        let mut text = text.into();
        if text.starts_with(BYTE_ORDER_MARK) {
            text.remove(0);
        }
        let line_starts = std::iter::once(0)
            .chain(
                text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(at, _)| at + 1),
            )
            .collect();
        Source { name: name.into(), text, line_starts, language: None }
    }

    /// The same text, which is said to be in this language, whatever its name.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_lang::{Language, Source};
    ///
    /// let source = Source::new("notes.txt", "players = white;").in_language(Language::Abg);
    /// assert_eq!(Language::of(&source), Ok(Language::Abg));
    /// ```
    #[must_use]
    pub fn in_language(mut self, language: Language) -> Source {
        self.language = Some(language);
        self
    }

    /// The language that the text was said to be in; `None` if it was not said.
    #[must_use]
    pub fn language(&self) -> Option<Language> {
        self.language
    }

    /// The name it is shown under.
    #[must_use]
    pub fn name(&self) -> &str {
        &self.name
    }

    /// The text itself.
    #[must_use]
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What stands after the last dot of the name, when there is a dot.
    #[must_use]
    pub fn extension(&self) -> Option<&str> {
        let file = self.name.rsplit(['/', '\\']).next().unwrap_or(&self.name);
        file.rsplit_once('.').map(|(_, extension)| extension)
    }

    /// The text of a span; empty where the span does not fit the text.
    #[must_use]
    pub fn slice(&self, span: Span) -> &str {
        self.text.get(span.start as usize..span.end as usize).unwrap_or("")
    }

    /// The line and column of a byte offset; offsets past the end count as the end.
    #[must_use]
    pub fn position(&self, offset: u32) -> LineColumn {
        let mut offset = (offset as usize).min(self.text.len());
        while !self.text.is_char_boundary(offset) {
            offset -= 1;
        }
        let line = self.line_starts.partition_point(|&start| start <= offset);
        let start = self.line_starts[line - 1];
        LineColumn { line, column: self.text[start..offset].chars().count() + 1 }
    }

    /// How many bytes the line around an offset has, its end of line included.
    #[must_use]
    pub(crate) fn line_length(&self, offset: u32) -> usize {
        let line = self.line_starts.partition_point(|&start| start <= offset as usize);
        let end = self.line_starts.get(line).copied().unwrap_or(self.text.len());
        end.saturating_sub(self.line_starts[line - 1])
    }
}

/// Something with its place.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Placed<T> {
    pub(crate) value: T,
    pub(crate) span: Span,
}

impl Span {
    /// The span from one byte to before another.
    ///
    /// The text must be shorter than 4 GiB, which the limit on source texts ensures.
    #[must_use]
    pub fn new(start: usize, end: usize) -> Span {
        let byte = |offset| u32::try_from(offset).unwrap_or(u32::MAX);
        Span { start: byte(start), end: byte(end) }
    }

    /// From the beginning of this span to the end of a later one.
    #[must_use]
    pub fn to(self, end: Span) -> Span {
        Span { start: self.start, end: end.end.max(self.end) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_count_characters_from_one() {
        let source = Source::new("x.rbg", "aé\n\nz");
        let position = |offset| {
            let LineColumn { line, column } = source.position(offset);
            (line, column)
        };
        assert_eq!(position(0), (1, 1));
        assert_eq!(position(1), (1, 2));
        assert_eq!(position(2), (1, 2), "inside a character counts as the character");
        assert_eq!(position(3), (1, 3));
        assert_eq!(position(4), (2, 1));
        assert_eq!(position(5), (3, 1));
        assert_eq!(position(99), (3, 2));
    }

    #[test]
    fn byte_order_marks_are_not_counted() {
        let source = Source::new("x.rbg", "\u{FEFF}up\u{FEFF}");
        assert_eq!(source.text(), "up\u{FEFF}");
        assert_eq!(source.position(0), LineColumn { line: 1, column: 1 });
    }

    #[test]
    fn extensions_are_those_of_the_file_name() {
        let extension = |name: &str| Source::new(name, "").extension().map(str::to_owned);
        assert_eq!(extension("a/b.c/game"), None);
        assert_eq!(extension("a/chess.rbg").as_deref(), Some("rbg"));
        assert_eq!(extension("chess"), None);
    }
}
