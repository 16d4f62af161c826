//! The `plan` engine plays as `walk` does.

use regulus_automaton::Automaton;
use regulus_engine::{Plan, Walk};

use crate::effort::{Effort, KeeperChoices};
use crate::exposure::Exposure;
use crate::lockstep::Lockstep;

/// On automata as lowered and as optimised, the two engines give the same moves, to the same states with the same
/// fingerprints. Games are also compared with a player in the keeper's place.
///
/// Returns the number of states that were compared.
///
/// # Panics
///
/// Panics if the law is broken.
pub fn plan_is_walk(text: &str, effort: &Effort) -> u64 {
    let mut compared = 0;
    for (title, automaton) in effort.load_both(text) {
        let exposure = Exposure::new(&automaton, effort.limits);
        if effort.keeper == KeeperChoices::Unknown {
            compared += compare(title, exposure.automaton(), None, effort);
            compared += compare(title, &automaton, Some(&exposure), effort);
        } else {
            compared += compare(title, &automaton, None, effort);
        }
    }
    compared
}

fn compare(title: &str, automaton: &Automaton, keeper: Option<&Exposure>, effort: &Effort) -> u64 {
    let walk = Walk::with_limits(automaton.clone(), effort.limits);
    match Plan::with_limits(automaton.clone(), effort.generous()) {
        Ok(plan) => Lockstep::new(&walk, &plan, keeper).compare(title, effort),
        Err(_) => 0,
    }
}
