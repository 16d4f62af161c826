//! An optimised automaton is the same game, whichever passes are left out.

use regulus_automaton::Automaton;
use regulus_automaton::passes::{Config, PASSES, Pass, optimise};
use regulus_engine::Walk;

use crate::effort::{Effort, KeeperChoices};
use crate::exposure::Exposure;
use crate::lockstep::Lockstep;

/// Every pass alone, all passes, and all but any one of them keep the game: the same moves, exactly, lead to the same
/// states and scores. A pass says whether it changed anything, and what it makes is well-formed.
///
/// Games are also compared with a player in the keeper's place, so that nothing is hidden by what the keeper chooses.
///
/// Returns the number of states that were compared.
///
/// # Panics
///
/// Panics if the law is broken.
pub fn passes_keep_the_game(text: &str, effort: &Effort) -> u64 {
    let Some(automaton) = effort.load(text) else { return 0 };
    let exposure = Exposure::new(&automaton, effort.limits);
    for pass in PASSES {
        pass_is_honest(pass, &automaton);
    }
    let comparison = PassComparison::new(automaton, Some(&exposure), effort);
    let without_keeper = PassComparison::new(exposure.automaton().clone(), None, effort);
    let mut compared = 0;
    for without in selections() {
        compared += comparison.run(&without);
        if effort.keeper == KeeperChoices::Unknown {
            compared += without_keeper.run(&without);
        }
    }
    compared
}

/// The passes to leave out: none, any one, all but any one.
fn selections() -> Vec<Vec<String>> {
    let names = || PASSES.iter().map(|pass| pass.name.to_owned());
    let one = names().map(|name| vec![name]);
    let others = names().map(|name| names().filter(|other| *other != name).collect());
    std::iter::once(Vec::new()).chain(one).chain(others).collect()
}

/// Runs a pass on an automaton until it changes nothing.
fn pass_is_honest(pass: &Pass, automaton: &Automaton) {
    let name = pass.name;
    let mut draft = automaton.clone().into_draft();
    for _ in 0..8 {
        let before = draft.clone();
        let changed = (pass.run)(&mut draft);
        assert_eq!(
            changed,
            draft != before,
            "{name} does not say whether it changed\n{before}\nwhich is now\n{draft}"
        );
        if let Err(violations) = draft.clone().verify() {
            panic!("after {name}: {violations}\n{before}\nbecame\n{draft}");
        }
        if !changed {
            return;
        }
    }
}

/// A game to be compared with what passes make of it.
struct PassComparison<'a> {
    automaton: Automaton,
    walk: Walk,
    keeper: Option<&'a Exposure>,
    effort: &'a Effort,
}

impl<'a> PassComparison<'a> {
    fn new(automaton: Automaton, keeper: Option<&'a Exposure>, effort: &'a Effort) -> Self {
        let walk = Walk::with_limits(automaton.clone(), effort.limits);
        let keeper = keeper.filter(|_| effort.keeper == KeeperChoices::Unknown);
        PassComparison { automaton, walk, keeper, effort }
    }

    fn run(&self, without: &[String]) -> u64 {
        let optimised = optimise(self.automaton.clone(), &Config { without: without.to_vec() });
        let optimised = Walk::with_limits(optimised, self.effort.generous());
        let title = format!("optimised without [{}]", without.join(", "));
        Lockstep::new(&self.walk, &optimised, self.keeper).compare(&title, self.effort)
    }
}
