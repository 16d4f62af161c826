//! The one renderer of diagnostics: a picture of the source lines with the labels under them.

use std::fmt::Write;
use std::ops::Range;

use ariadne::{Color, Config, IndexType, Label as Mark, Report, ReportKind};

use crate::diagnostics::{Diagnostic, Label, Severity};
use crate::source::{Source, Span};

/// Lines longer than this are not drawn: the mark would not be seen, and a hostile text could ask for gigabytes.
const LONGEST_LINE: usize = 400;

/// The diagnostics as text for people, with colour codes or without.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, compile, render};
///
/// let source = Source::new("game.rbg", "#players = white(0)");
/// let text = render(&compile(&source).diagnostics, &source, false);
/// assert!(text.contains("[rbg-zero-bound] Error"));
/// ```
#[must_use]
pub fn render(diagnostics: &[Diagnostic], source: &Source, colour: bool) -> String {
    let config = Config::new().with_index_type(IndexType::Byte).with_color(colour);
    let name = visible(source.name());
    let cache = (name.as_str(), ariadne::Source::from(visible(source.text())));
    let mut canvas = SourceExcerpt { source, name: &name, config, cache, text: String::new() };
    for diagnostic in diagnostics {
        canvas.draw(diagnostic);
    }
    canvas.text
}

struct SourceExcerpt<'a> {
    source: &'a Source,
    name: &'a str,
    config: Config,
    cache: (&'a str, ariadne::Source<String>),
    text: String,
}

impl SourceExcerpt<'_> {
    fn draw(&mut self, diagnostic: &Diagnostic) {
        let mut labels: Vec<&Label> =
            std::iter::once(&diagnostic.primary).chain(&diagnostic.secondary).collect();
        // In the order of the text all labels fit into one picture.
        labels.sort_by_key(|label| label.span);
        let drawable = diagnostic.severity != Severity::Note
            && labels.iter().all(|label| self.is_drawable(label.span));
        if !drawable {
            return self.draw_plainly(diagnostic);
        }
        let place = (self.name, self.range(diagnostic.primary.span));
        let mut report = Report::build(kind(diagnostic.severity), place)
            .with_config(self.config)
            .with_code(diagnostic.code.id())
            .with_message(visible(&diagnostic.message));
        for label in labels {
            let mut mark = Mark::new((self.name, self.range(label.span)));
            if *label == diagnostic.primary {
                mark = mark.with_color(mark_colour(diagnostic.severity));
            }
            // A mark without words would not be drawn at all.
            let words = if label.text.is_empty() { "here" } else { &label.text };
            report.add_label(mark.with_message(visible(words)));
        }
        if let Some(help) = &diagnostic.help {
            report.set_help(visible(help));
        }
        let mut bytes = Vec::new();
        match report.finish().write(&mut self.cache, &mut bytes) {
            Ok(()) => self.text.push_str(&String::from_utf8_lossy(&bytes)),
            Err(_) => self.draw_plainly(diagnostic),
        }
    }

    /// One line without a picture.
    fn draw_plainly(&mut self, diagnostic: &Diagnostic) {
        let position = self.source.position(diagnostic.primary.span.start);
        let word = match diagnostic.severity {
            Severity::Error => "Error",
            Severity::Warning => "Warning",
            Severity::Note => "Note",
        };
        let (id, message) = (diagnostic.code.id(), visible(&diagnostic.message));
        let (name, line, column) = (self.name, position.line, position.column);
        // Writing to a string cannot fail.
        let _ = writeln!(self.text, "[{id}] {word}: {message} ({name}:{line}:{column})");
        if let Some(help) = &diagnostic.help {
            let _ = writeln!(self.text, "  Help: {}", visible(help));
        }
    }

    fn is_drawable(&self, span: Span) -> bool {
        self.source.line_length(span.start) <= LONGEST_LINE
    }

    /// The part of the span on its first line; one line is enough to see what is meant.
    ///
    /// The result lies inside the text and between characters, whatever the span.
    fn range(&self, span: Span) -> Range<usize> {
        let text = self.source.text();
        let start = text.floor_char_boundary(span.start as usize);
        let end = text.ceil_char_boundary(span.end as usize).max(start);
        let length = text[start..end].find('\n').unwrap_or(end - start);
        start..start + length
    }
}

/// The colour under the primary place; without colours it is not used.
fn mark_colour(severity: Severity) -> Color {
    match severity {
        Severity::Error => Color::Red,
        Severity::Warning => Color::Yellow,
        Severity::Note => Color::Blue,
    }
}

fn kind(severity: Severity) -> ReportKind<'static> {
    match severity {
        Severity::Error => ReportKind::Error,
        Severity::Warning => ReportKind::Warning,
        Severity::Note => ReportKind::Advice,
    }
}

/// The text with everything that could confuse a terminal or the count of lines replaced, byte for byte.
fn visible(text: &str) -> String {
    let mut result = String::with_capacity(text.len());
    let mut characters = text.chars().peekable();
    while let Some(c) = characters.next() {
        let kept = match c {
            '\n' | '\t' => true,
            '\r' => characters.peek() == Some(&'\n'),
            _ => !c.is_control() && !is_invisible(c),
        };
        if kept {
            result.push(c);
        } else {
            result.extend(std::iter::repeat_n('?', c.len_utf8()));
        }
    }
    result
}

/// Line separators, and marks that change the direction of writing.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}'..='\u{200F}' | '\u{2028}'..='\u{202E}' | '\u{2066}'..='\u{2069}')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::diagnostics::Code;

    fn unknown(source: &Source, word: &str) -> Diagnostic {
        let start = source.text().find(word).expect("the word stands in the text");
        Diagnostic::error(Code::UnknownName, Span::new(start, start + word.len()), "unknown name")
            .label("not declared")
            .help("did you mean `up`?")
    }

    #[test]
    fn marks_stand_under_the_word_after_other_alphabets() {
        let source = Source::new("game.rbg", "// größe ≥ 3\n/* ß */ upp");
        let text = render(&[unknown(&source, "upp")], &source, false);
        assert!(text.contains("game.rbg:2:9"), "{text}");
        let lines: Vec<&str> = text.lines().collect();
        let row = lines.iter().position(|line| line.contains("ß */")).expect("the line is drawn");
        let column = |line: &str, c| line.chars().position(|other| other == c);
        assert_eq!(column(lines[row], 'u'), column(lines[row + 1], '─').or(Some(0)), "{text}");
        assert!(text.contains("did you mean `up`?"));
        assert!(!text.contains('\u{1b}'));
    }

    #[test]
    fn colours_only_when_asked() {
        let source = Source::new("game.rbg", "upp");
        assert!(render(&[unknown(&source, "upp")], &source, true).contains('\u{1b}'));
    }

    #[test]
    fn control_characters_do_not_reach_the_terminal() {
        let source = Source::new("a\u{1b}.rbg", "\u{1b}[31m \u{2028} \u{202e} upp\r\r\n");
        let text = render(&[unknown(&source, "upp")], &source, false);
        assert!(!text.contains(['\u{1b}', '\u{2028}', '\u{202e}']), "{text}");
        assert!(text.contains("upp"), "{text}");
    }

    #[test]
    fn places_without_words_are_marked_too() {
        let source = Source::new("game.rbg", "up upp");
        let diagnostic = Diagnostic::error(Code::UnknownName, Span::new(3, 6), "unknown name");
        let text = render(&[diagnostic], &source, false);
        assert!(text.contains("─┬─"), "{text}");
        assert!(text.contains("╰── here") || text.contains("╰─── here"), "{text}");
    }

    #[test]
    fn all_places_are_in_one_picture_in_the_order_of_the_text() {
        let source = Source::new("game.rbg", "[e, w]\n[e, e]\n[e]\n");
        let short = Diagnostic::error(Code::LineLength, Span::new(14, 17), "too short")
            .also(Span::new(0, 6), "compared with this");
        let text = render(&[short], &source, false);
        assert_eq!(text.matches("game.rbg").count(), 1, "{text}");
        assert!(text.find("compared with this") < text.find("here"), "{text}");
    }

    #[test]
    fn long_lines_are_told_not_drawn() {
        let source = Source::new("game.rbg", " ".repeat(1_000_000) + "upp");
        let text = render(&[unknown(&source, "upp")], &source, false);
        assert!(text.starts_with("[rbg-unknown-name] Error: unknown name (game.rbg:1:1000001)"));
        assert!(text.len() < 200);
    }

    #[test]
    fn spans_at_the_end_and_beyond_do_not_panic() {
        let source = Source::new("game.rbg", "é\nup");
        for (start, end) in [(0, 0), (1, 2), (5, 5), (5, 9), (90, 99), (3, 2)] {
            let diagnostic = Diagnostic::error(Code::EmptyFile, Span::new(start, end), "x");
            assert!(render(&[diagnostic], &source, false).contains('x'));
        }
    }
}
