//! The `plan` engine plays as `walk` does.

use regulus_automaton::Automaton;
use regulus_engine::{Plan, Walk};

use crate::effort::{Effort, Keeper};
use crate::exposure::Exposure;
use crate::lockstep::Lockstep;

/// On automata as lowered and as optimised, the two engines give the same moves, to the same states with the same
/// fingerprints. Games are also compared with a player in the keeper's place.
///
/// # Panics
///
/// When the law is broken.
pub fn plan_is_walk(text: &str, effort: &Effort) {
    for (title, automaton) in effort.load_both(text) {
        let exposure = Exposure::new(&automaton, effort.limits);
        if effort.keeper == Keeper::Unknown {
            compare(title, exposure.automaton(), None, effort);
            compare(title, &automaton, Some(&exposure), effort);
        } else {
            compare(title, &automaton, None, effort);
        }
    }
}

fn compare(title: &str, automaton: &Automaton, keeper: Option<&Exposure>, effort: &Effort) {
    let walk = Walk::with_limits(automaton.clone(), effort.limits);
    if let Some(plan) = Plan::with_limits(automaton.clone(), effort.generous()) {
        Lockstep::new(&walk, &plan, keeper).compare(title, effort);
    }
}
