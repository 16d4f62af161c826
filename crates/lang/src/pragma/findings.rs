//! What can be wrong with a pragma comment, as warnings.

use super::part::Part;
use super::reader::WORDS;
use crate::diagnostics::{Code, Diagnostic};
use crate::source::Span;
use crate::suggest::nearest;

/// The finding that a reason belongs to nothing; `what` should come after it.
pub(crate) fn without_end(span: Span, what: &str) -> Diagnostic {
    Diagnostic::warning(Code::PragmaIdle, span, format!("no {what} comes after this reason"))
        .label("it has no effect")
        .help(format!("write it on a line before the {what} where the game ends"))
}

/// The finding that there are two reasons for one end.
pub(crate) fn second_reason(span: Span, first: Span, what: &str) -> Diagnostic {
    repeated(span, first, format!("this {what} has two reasons"))
}

/// The finding that something is stated twice.
pub(super) fn repeated(span: Span, first: Span, message: String) -> Diagnostic {
    Diagnostic::warning(Code::PragmaRepeated, span, message)
        .label("this one has no effect")
        .also(first, "first here")
        .help("remove one of the two")
}

pub(super) fn unknown_word(head: Part<'_>, span: Span) -> Box<Diagnostic> {
    let help = format!("it should begin with one of: {}", WORDS.join(", "));
    let message = "this pragma comment begins with no word that has a meaning";
    let span = if head.text.is_empty() { span } else { head.span() };
    let diagnostic = Diagnostic::warning(Code::PragmaUnknown, span, message)
        .label("this comment has no effect")
        .help(help)
        .did_you_mean(nearest(head.text, WORDS));
    Box::new(diagnostic)
}

pub(super) fn unknown_value<'a>(
    part: Part<'_>,
    what: &str,
    words: impl Iterator<Item = &'a str> + Clone,
) -> Box<Diagnostic> {
    let similar = nearest(part.text, words.clone());
    let help = format!("one of: {}", words.collect::<Vec<_>>().join(", "));
    let diagnostic = bad_value(part, format!("`{}` is no {what}", shown(part.text))).help(help);
    Box::new(diagnostic.did_you_mean(similar))
}

pub(super) fn bad_value(part: Part<'_>, message: String) -> Diagnostic {
    Diagnostic::warning(Code::PragmaValue, part.span(), message).label("this comment has no effect")
}

/// The finding that a comment does not have the form that its first word asks for.
pub(super) fn bad_form(part: Part<'_>, word: &str) -> Box<Diagnostic> {
    let form = match word {
        "empty" => "empty: PIECE, PIECE",
        "owner" => "owner PLAYER: PIECE, PIECE",
        "kind" => "kind KIND: PIECE, PIECE",
        "name" => "name TEXT: PIECE, PIECE",
        "symbol" => "symbol SYMBOL: PIECE, PIECE",
        "colour" => "colour COLOUR: PLAYER, PLAYER",
        "player" => "player TEXT: PLAYER",
        "columns" => "columns: a, b, c",
        "rows" => "rows: 3, 2, 1",
        "hand" => "hand PIECE: VARIABLE",
        "counter" => "counter TEXT: VARIABLE",
        "side" => "side PLAYER: top, bottom",
        "surface" => "surface: lines",
        "history" => "history 3: PLAYER=50, PLAYER=50; ignoring VARIABLE",
        "stuck" => "stuck: TEXT | TEXT FOR A DRAW",
        _ => "end: TEXT | TEXT FOR A DRAW",
    };
    let diagnostic = Diagnostic::warning(
        Code::PragmaForm,
        part.span(),
        format!("this is not how `{word}` is stated"),
    )
    .label("this comment has no effect")
    .help(format!("write `{form}`"));
    Box::new(diagnostic)
}

/// A text shortened for a message.
pub(super) fn shown(text: &str) -> String {
    text.chars().take(20).collect()
}

pub(super) trait BoxedHelp {
    fn boxed_help(self, help: &str) -> Box<Diagnostic>;
}

impl BoxedHelp for Diagnostic {
    fn boxed_help(self, help: &str) -> Box<Diagnostic> {
        Box::new(self.help(help))
    }
}
