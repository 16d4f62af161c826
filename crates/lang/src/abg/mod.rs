//! Abstract Boardgames (ABG): pieces move by regular expressions whose letters carry a condition and an effect.
//!
//! ```text
//! lex ─▶ parse ─▶ check ─▶ lower ─▶ automaton
//!      definitions  Game
//! ```
//!
//! docs/languages/abg.md is the guide, with the grammar and what was added to finish the language.

mod ast;
mod check;
mod fold;
mod game;
mod lex;
mod lint;
mod lower;
mod parse;
mod pragmas;

use std::collections::BTreeSet;

use regulus_automaton::Automaton;

use crate::diagnostics::{Code, Diagnostic, Sink};
use crate::source::{Source, Span};
use crate::too_large;

pub use game::{
    Condition, Content, Effect, Game, Letter, Operation, Outcome, Pattern, PieceInfo, Post, Rule,
    Step, Test, Value,
};
pub use lower::{NotLowered, lower};

/// The most squares of a board.
const MAX_SQUARES: i64 = 10_000;

/// The names of what a program provides.
///
/// # Examples
///
/// ```
/// use regulus_lang::abg::Externals;
///
/// // The program that plays the game knows what the condition `Lucky` means.
/// let predicates = ["Lucky".to_owned()].into();
/// let externals = Externals { predicates, ..Externals::default() };
/// assert!(externals.effects.is_empty());
/// ```
#[derive(Clone, Debug, Default)]
pub struct Externals {
    /// Conditions of letters.
    pub predicates: BTreeSet<String>,
    /// Effects of letters.
    pub effects: BTreeSet<String>,
    /// Ends of games.
    pub terminals: BTreeSet<String>,
}

/// Compiles a text to an automaton, which is there when no finding is an error.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, abg};
///
/// let text = "
///     players = white, black;
///     pieces = empty, wPawn(white), bPawn(black);
///     victory white { return stuck and current == black };
///     victory black { return stuck and current == white };
///     rule wPawn = [0, 1, Empty];
///     rule bPawn = [0, -1, Empty];
///     board_size = 1, 4;
///     board = bPawn, empty, empty, wPawn;
/// ";
/// let (automaton, _) = abg::compile(&Source::new("march.abg", text));
/// assert_eq!(automaton.expect("no errors").board.squares.len(), 4);
/// ```
#[must_use]
pub fn compile(source: &Source) -> (Option<Automaton>, Vec<Diagnostic>) {
    let (game, mut diagnostics) = check(source, &Externals::default());
    let automaton = match game.as_ref().map(lower) {
        Some(Err(reason)) => {
            let code = match reason {
                NotLowered::Internal(_) => Code::Internal,
                _ => Code::AbgTooMany,
            };
            let diagnostic = Diagnostic::error(code, Span::default(), reason.to_string());
            // It is about the whole text, so it comes first.
            let diagnostic = diagnostic.help("use simpler sentences and fewer squares in values");
            diagnostics.insert(0, diagnostic);
            None
        }
        Some(Ok(automaton)) => Some(automaton),
        None => None,
    };
    (automaton, diagnostics)
}

/// Reads and checks a text; the game is `None` if a finding is an error.
///
/// # Examples
///
/// ```
/// use regulus_lang::abg::{Externals, check};
/// use regulus_lang::Source;
///
/// # let text = "
/// #     players = white, black;
/// #     pieces = empty, wPawn(white), bPawn(black);
/// #     victory white { return stuck and current == black };
/// #     victory black { return stuck and current == white };
/// #     rule wPawn = [0, 1, Empty];
/// #     rule bPawn = [0, -1, Empty];
/// #     board_size = 1, 4;
/// #     board = bPawn, empty, empty, wPawn;
/// # ";
/// let (game, _) = check(&Source::new("march.abg", text), &Externals::default());
/// let game = game.expect("no errors");
/// assert_eq!(game.pieces.len(), 3);
/// ```
#[must_use]
pub fn check(source: &Source, externals: &Externals) -> (Option<Game>, Vec<Diagnostic>) {
    let mut sink = Sink::default();
    if let Some(diagnostic) = too_large(source) {
        sink.push(diagnostic);
        return (None, sink.finish());
    }
    let (tokens, comments) = lex::lex(source, &mut sink);
    let definitions = parse::parse(&tokens, &mut sink);
    let game = check::check(&definitions, externals, &mut sink);
    let mut game = (!sink.has_errors()).then_some(game);
    if let Some(game) = &mut game {
        pragmas::apply(game, &tokens, &comments, &mut sink);
        lint::lint(game, &definitions, externals, &mut sink);
    }
    (game, sink.finish())
}
