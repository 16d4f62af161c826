//! What always holds in Regulus: random games, and laws to try to break with them.
//!
//! ```text
//! bytes ─▶ game, automaton, nearly one ─▶ text ─▶ a law ─▶ how much it compared, or a panic that shows how it was broken
//! ```
//!
//! The tests of this crate and the fuzz targets use the same laws. A law takes any text: one that means nothing to it, or a
//! game that asks for more than its [`Effort`] allows, keeps it trivially. So every law returns how many comparisons it made,
//! 0 on such a text, and tests insist on a least number of them.
//!
//! | law | says |
//! | --- | --- |
//! | [`any_text_compiles_or_is_refused`] | no text is too bad for the front-ends, and every complaint has its place |
//! | [`macros_mean_their_text`] | a game is the text in which its macros are replaced, by an implementation of its own |
//! | [`lowering_keeps_the_game`] | low-level text is the same game, and its own low-level text |
//! | [`automaton_text_comes_back`] | reading what was printed gives what was printed |
//! | [`any_automaton_can_be_drawn`] | pictures come out of every automaton |
//! | [`passes_keep_the_game`] | an optimised automaton is the same game, whichever passes are left out |
//! | [`engines_are_consistent`] | moves, play, undo and fingerprints of an engine agree with each other |
//! | [`walk_is_the_definition`] | the `walk` engine plays as the definition of RBG says, by an implementation of its own |
//! | [`plan_is_walk`] | the `plan` engine plays as `walk` does |
//! | [`plays_are_consistent`] | a play is the same with every engine, comes back from its text, and can be put together |
//! | [`sbg_is_definition`] | Simplified Boardgames is played as it is defined, by an implementation of its own |
//! | [`sbg_trees_are_as_defined`] | and their trees have the same number of leaves |
//! | [`sbg_translation_keeps_the_game`] | translated into RBG they are the same games |
//! | [`metagame_is_definition`] | METAGAME is played as it is defined, by an implementation of its own |
//! | [`raising_keeps_the_game`] | automata of other languages are the same games when written in RBG |
//! | [`jit_is_plan`] | the `jit` engine answers as `plan` does: moves in the same order, states, choices |
//! | [`limits_hold_alike`] | engines refuse the same, with the same words; a faster one may answer where `walk` gives up |
//! | [`repetition_ends_games`] | positions that come again end games as a plain list of positions says |
//! | [`steps_are_moves`] | the steps that may follow a beginning of a move lead to the legal moves |
//!
//! Nothing of Regulus uses this crate.
//!
//! # Examples
//!
//! ```
//! use regulus_laws::{Effort, bytes, game, walk_is_the_definition};
//!
//! let text = game(&bytes(7));
//! assert!(text.contains("#rules = "));
//! walk_is_the_definition(&text, &Effort::default());
//! ```

mod automata;
mod choices;
mod definition;
mod effort;
mod expansion;
mod exposure;
mod games;
mod laws;
mod lockstep;
pub mod metagame_definition;
mod mistakes;
mod sbg_definition;
mod sbg_view;

pub use automata::{automaton, large_automaton};
pub use choices::Choices;
pub use effort::{Effort, KeeperChoices};
pub use games::{
    abg_game, any_game, game, large_game, metagame_game, nasty, nasty_abg_game, nasty_game,
    nasty_metagame_game, nasty_sbg_game, sbg_game,
};
pub use laws::{
    MetagameComparison, NativeAnswers, Repetitions, any_automaton_can_be_drawn,
    any_text_compiles_or_is_refused, automaton_text_comes_back, engines_are_consistent,
    jit_is_plan, limits_hold_alike, lowering_keeps_the_game, macros_mean_their_text,
    metagame_is_definition, passes_keep_the_game, plan_is_walk, plays_are_consistent,
    raising_keeps_the_game, repetition_ends_games, sbg_is_definition, sbg_perft,
    sbg_translation_keeps_the_game, sbg_trees_are_as_defined, steps_are_moves,
    walk_is_the_definition,
};
pub use mistakes::{
    nearly_a_game, nearly_a_metagame_game, nearly_an_abg_game, nearly_an_automaton,
    nearly_an_sbg_game,
};

use rand::Rng as _;
use regulus_automaton::{Automaton, Draft};
use regulus_lang::{Source, compile};

/// Some bytes, the same for the same seed, for generators to make decisions from.
#[must_use]
pub fn bytes(seed: u64) -> Vec<u8> {
    let mut generator = regulus_engine::generator(seed);
    let mut bytes = vec![0; 600];
    generator.fill_bytes(&mut bytes);
    bytes
}

/// The automaton of a game in any language, or of its own text form.
fn load(text: &str) -> Option<Automaton> {
    let compiled = |name| compile(&Source::new(name, text)).automaton;
    compiled("game.rbg")
        .or_else(|| compiled("game.sbg"))
        .or_else(|| compiled("game.abg"))
        .or_else(|| compiled("game.mg"))
        .or_else(|| text.parse::<Draft>().ok()?.verify().ok())
}
