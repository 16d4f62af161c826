//! Macros mean the text they stand for.

use regulus_lang::rbg::{check, lower_to_text};
use regulus_lang::{Source, render};

use crate::expansion::expanded;

/// A game is the same as the text in which all macros are replaced by an implementation of its own. Pragma comments are
/// taken for plain ones, since that implementation knows no comments.
///
/// Returns 1 if there is such a text, otherwise 0.
///
/// # Panics
///
/// Panics if the law is broken.
pub fn macros_mean_their_text(text: &str) -> u64 {
    let text = &text.replace("//!", "// ");
    let (Some(game), _) = check(&Source::new("game.rbg", text.as_str())) else { return 0 };
    let Some(replaced) = expanded(text) else { return 0 };
    let source = Source::new("expanded.rbg", replaced);
    let (expanded, findings) = check(&source);
    let Some(expanded) = expanded else {
        panic!("refused once expanded:\n{}\n{}", render(&findings, &source, false), source.text());
    };
    assert_eq!(lower_to_text(&game), lower_to_text(&expanded), "expanded to\n{}", source.text());
    1
}
