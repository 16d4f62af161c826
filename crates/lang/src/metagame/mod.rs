//! METAGAME: symmetric chess-like games of two players on a rectangle or a cylinder.
//!
//! ```text
//! lex ─▶ parse ─▶ check ─▶ lower ─▶ automaton
//!          Ast      Game
//! ```
//!
//! Where the language's definition is silent, `docs/languages/metagame.md` says what was decided.

mod ast;
mod check;
mod game;
mod lex;
mod lower;
mod notation;
mod parse;

use regulus_automaton::Automaton;

use crate::diagnostics::{Code, Diagnostic, Sink};
use crate::source::{Source, Span};
use crate::too_large;

pub use game::{
    Amount, Assigner, BoardRules, Capture, Description, Effect, Game, Goal, Inversion, Kind,
    Movement, PieceType, Place, Promotion, Setup, Side, StepKind, Symmetries, Who,
};

pub use lower::{NotLowered, lower};
pub use notation::{Deed, Deeds, LandingKind, canonical};

/// Compiles a text to an automaton and the notation of its moves, which are there when no finding is an error.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, metagame};
///
/// let text = "GAME walk GOALS STALEMATE opponent BOARD_SIZE 3 BY 4 BOARD_TYPE planar PROMOTE_RANK 4
///     SETUP ant AT {(1,1) (2,1)}
///     DEFINE ant MOVING MOVEMENT LEAP <0,1> SYMMETRY {} END MOVEMENT END MOVING END DEFINE END GAME.";
/// let (lowered, _) = metagame::compile(&Source::new("walk.game", text));
/// let (automaton, _notation) = lowered.expect("no errors");
/// assert_eq!(automaton.board.squares.len(), 12);
/// ```
#[must_use]
pub fn compile(source: &Source) -> (Option<(Automaton, Deeds)>, Vec<Diagnostic>) {
    let (game, mut diagnostics) = check(source);
    match game.as_ref().map(lower) {
        Some(Ok(lowered)) => (Some(lowered), diagnostics),
        Some(Err(reason)) => {
            let code = match reason {
                NotLowered::Internal(_) => Code::Internal,
                NotLowered::TooLarge => Code::MetagameTooMany,
            };
            let diagnostic = Diagnostic::error(code, Span::default(), reason.to_string());
            // It is about the whole text, so it comes first.
            diagnostics.insert(0, diagnostic.help("use fewer and shorter movements"));
            (None, diagnostics)
        }
        None => (None, diagnostics),
    }
}

/// Reads and checks a text; the game is `None` if a finding is an error.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, metagame};
///
/// # let text = "GAME walk GOALS STALEMATE opponent BOARD_SIZE 3 BY 4 BOARD_TYPE planar PROMOTE_RANK 4
/// #     SETUP ant AT {(1,1) (2,1)}
/// #     DEFINE ant MOVING MOVEMENT LEAP <0,1> SYMMETRY {} END MOVEMENT END MOVING END DEFINE END GAME.";
/// let (game, _) = metagame::check(&Source::new("walk.game", text));
/// let game = game.expect("no errors");
/// assert_eq!(game.name, "walk");
/// ```
#[must_use]
pub fn check(source: &Source) -> (Option<Game>, Vec<Diagnostic>) {
    let mut sink = Sink::default();
    if let Some(diagnostic) = too_large(source) {
        sink.push(diagnostic);
        return (None, sink.finish());
    }
    let tokens = lex::lex(source, &mut sink);
    let ast = parse::parse(&tokens, &mut sink);
    let game = check::check(&ast, &mut sink).filter(|_| !sink.has_errors());
    (game, sink.finish())
}
