//! Simplified Boardgames (SBG): chess-like games of two players on a rectangle, whose pieces move by the words of regular
//! expressions.
//!
//! ```text
//! lex ─▶ parse ─▶ check ─▶ lower ─▶ automaton
//!          Ast      Game ─▶ print (the same language), translate (RBG)
//! ```
//!
//! Where the language's definition is silent, `docs/languages/sbg.md` says what was decided.

mod ast;
mod check;
mod game;
mod lex;
mod lower;
mod parse;
mod print;
mod translate;

use regulus_automaton::Automaton;

use crate::diagnostics::{Diagnostic, Sink};
use crate::source::Source;
use crate::{lowered, too_large};

pub use crate::side::Side;
pub use game::{Game, Goal, Kind, Letter, On, PieceType, Rule};
pub use lower::lower;
pub use print::to_sbg;
pub use translate::to_rbg;

/// Compiles a text to an automaton, which is there when no finding is an error.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, sbg};
///
/// let text = "<<Duel>> <BOARD> 2 3 |kk| |..| |KK|
///     <PIECES> K (0,1,e) + (0,1,p) & <GOALS> 20 & @K 0 2, 1 2 & @k 0 0, 1 0 &";
/// let (automaton, findings) = sbg::compile(&Source::new("duel.sbg", text));
/// assert_eq!(automaton.expect("no errors").board.squares.len(), 6);
/// assert!(findings.is_empty());
/// ```
#[must_use]
pub fn compile(source: &Source) -> (Option<Automaton>, Vec<Diagnostic>) {
    let (game, diagnostics) = check(source);
    lowered(game.as_ref().map(lower), diagnostics)
}

/// Reads and checks a text; the game is `None` if a finding is an error.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, sbg};
///
/// # let text = "<<Duel>> <BOARD> 2 3 |kk| |..| |KK|
/// #     <PIECES> K (0,1,e) + (0,1,p) & <GOALS> 20 & @K 0 2, 1 2 & @k 0 0, 1 0 &";
/// let (game, _) = sbg::check(&Source::new("duel.sbg", text));
/// let game = game.expect("no errors");
/// assert_eq!((game.width, game.height, game.turn_limit), (2, 3, 20));
/// ```
#[must_use]
pub fn check(source: &Source) -> (Option<Game>, Vec<Diagnostic>) {
    let mut sink = Sink::default();
    if let Some(diagnostic) = too_large(source) {
        sink.push(diagnostic);
        return (None, sink.finish());
    }
    let (tokens, comments) = lex::lex(source, &mut sink);
    let ast = parse::parse(&tokens, &mut sink);
    let game = check::check(&ast, &comments, &mut sink).filter(|_| !sink.has_errors());
    (game, sink.finish())
}
