//! The laws, one file each.

mod compiling;
mod consistency;
mod definition_of_walk;
mod drawing;
mod expanding;
mod jit;
mod limits;
mod lowering;
mod metagame;
mod passes;
mod plan;
mod plays;
mod printing;
mod raising;
mod repetition;
mod sbg;
mod steps;

pub use compiling::any_text_compiles_or_is_refused;
pub use consistency::engines_are_consistent;
pub use definition_of_walk::walk_is_the_definition;
pub use drawing::any_automaton_can_be_drawn;
pub use expanding::macros_mean_their_text;
pub use jit::{NativeAnswers, jit_is_plan};
pub use limits::limits_hold_alike;
pub use lowering::lowering_keeps_the_game;
pub use metagame::{MetagameComparison, metagame_is_definition};
pub use passes::passes_keep_the_game;
pub use plan::plan_is_walk;
pub use plays::plays_are_consistent;
pub use printing::automaton_text_comes_back;
pub use raising::raising_keeps_the_game;
pub use repetition::{Repetitions, repetition_ends_games};
pub use sbg::{
    sbg_is_definition, sbg_perft, sbg_translation_keeps_the_game, sbg_trees_are_as_defined,
};
pub use steps::steps_are_moves;
