//! The `jit` engine answers as `plan` does.

use std::fmt::Debug;
use std::ops::ControlFlow;

use rand::RngExt as _;
use regulus_automaton::Automaton;
use regulus_engine::{
    Counting, Fault, Generator, MoveList, Plan, Rules, State, Step, generator, notation, perft,
};
use regulus_jit::Jit;

use super::consistency::impostor;
use crate::effort::{Effort, Keeper};
use crate::exposure::Exposure;

/// On automata as lowered and as optimised, along random games, native code gives the same as `plan`: the first state,
/// moves in the same order, whether the game is over, the move for a choice, and states to the last bit, with
/// fingerprints that are those computed anew, and the sizes of small trees. A keeper that has a choice makes the same
/// one. Steps that are no legal move are played or refused alike. Where `plan` says that a limit is reached, native code
/// says the same.
///
/// One difference is allowed: native code counts fewer tries. Where `plan` has tried too often nothing is compared.
///
/// Games are also compared with a player in the keeper's place.
///
/// # Panics
///
/// When the law is broken.
pub fn jit_is_plan(text: &str, effort: &Effort) {
    for (title, automaton) in effort.load_both(text) {
        if effort.keeper == Keeper::Unknown {
            let exposed = Exposure::new(&automaton, effort.limits).automaton().clone();
            compare(&format!("{title}, a player for the keeper"), exposed, false, effort);
        }
        // Code that counts trees is compiled apart, so that is left out where there would be little to see.
        compare(title, automaton, title == "as optimised", effort);
    }
}

fn compare(title: &str, automaton: Automaton, counts: bool, effort: &Effort) {
    let Some(plan) = Plan::with_limits(automaton.clone(), effort.limits) else { return };
    let Some(jit) = Jit::with_limits(automaton, effort.limits) else { return };
    let scratch = (plan.scratch(), jit.scratch());
    let (plan, jit) = (&plan, &jit);
    let (line, seen, generator) = (Vec::new(), Vec::new(), generator(effort.states as u64));
    let mut twins = Twins { title, plan, jit, scratch, generator, counts, line, seen };
    let mut states = effort.states;
    for _ in 0..GAMES {
        twins.play(&mut states);
        // Long playouts keep no fingerprints on the way, short ones do.
        twins.playout(effort.states.max(40) as u64);
        twins.playout(5);
    }
}

/// How many games are played at most.
const GAMES: usize = 4;

/// From fewer moves than this trees are counted.
const FEW: usize = 20;

/// A game played by both engines.
struct Twins<'a> {
    title: &'a str,
    plan: &'a Plan,
    jit: &'a Jit,
    scratch: (<Plan as Rules>::Scratch, <Jit as Rules>::Scratch),
    generator: Generator,
    /// Whether trees are counted.
    counts: bool,
    /// The moves so far.
    line: Vec<String>,
    /// States of all games.
    seen: Vec<State>,
}

impl Twins<'_> {
    /// One game, or its beginning while there are states left.
    fn play(&mut self, states: &mut usize) {
        self.line.clear();
        let first = self.plan.initial(&mut self.scratch.0);
        let other = self.jit.initial(&mut self.scratch.1);
        let mut next = self.same("the first state", first, &other);
        while let Some(state) = next
            && *states > 0
        {
            *states -= 1;
            self.check_fingerprint(&state);
            next = self.compare_in(&state);
            self.seen.push(state);
            // Nothing that an engine remembers of one state is used for another.
            let any = self.generator.random_range(0..self.seen.len());
            self.compare_moves(&self.seen[any].clone());
        }
    }

    /// Moves chosen in a row, from a state of any game.
    fn playout(&mut self, moves: u64) {
        if self.seen.is_empty() {
            return;
        }
        self.line.clear();
        let seed: u64 = self.generator.random();
        let mut after = self.seen[self.generator.random_range(0..self.seen.len())].clone();
        let mut other = after.clone();
        let pick = || {
            let mut generator = generator(seed);
            move |count: u64| generator.random_range(0..count)
        };
        let made = self.plan.playout(&mut after, &mut self.scratch.0, &mut pick(), moves);
        let other_made = self.jit.playout(&mut other, &mut self.scratch.1, &mut pick(), moves);
        let made = made.map(|made| (made, after));
        let other_made = other_made.map(|made| (made, other));
        if let Some((_, state)) = self.same("the state after a playout", made, &other_made) {
            self.check_fingerprint(&state);
        }
    }

    fn check_fingerprint(&self, state: &State) {
        let fresh = self.plan.referee().zobrist.fresh_hash(state, self.plan.layout());
        if state.fingerprint() != fresh {
            self.broken(&format!("the fingerprint is {}, not {fresh}", state.fingerprint()));
        }
    }

    /// Compares all answers about a state; returns one that follows.
    fn compare_in(&mut self, state: &State) -> Option<State> {
        let over = self.plan.is_over(state, &mut self.scratch.0);
        let other = self.jit.is_over(state, &mut self.scratch.1);
        self.same("whether the game is over", over, &other);
        let moves = self.compare_moves(state);
        let count = self.plan.move_count(state, &mut self.scratch.0);
        let other = self.jit.move_count(state, &mut self.scratch.1);
        self.same("how many moves there are", count, &other);
        self.compare_visits(state);
        if self.counts && moves.is_some_and(|moves| moves.len() < FEW) {
            self.compare_trees(state);
        }
        self.compare_choice(state, &mut |_| 0);
        self.compare_choice(state, &mut |count| count - 1);
        let choice: u64 = self.generator.random();
        let (steps, next) = self.compare_choice(state, &mut |count| choice % count)?;
        self.line.push(notation::exact(&steps));
        Some(next)
    }

    fn compare_moves(&mut self, state: &State) -> Option<MoveList> {
        let mut moves = MoveList::new();
        let mut others = MoveList::new();
        let found = self.plan.moves(state, &mut self.scratch.0, &mut moves);
        let found_others = self.jit.moves(state, &mut self.scratch.1, &mut others);
        self.same("the moves", found.map(|()| moves), &found_others.map(|()| others))
    }

    /// Counts what a few moves lead to. Native code says nothing where a limit is reached; but it stores no moves.
    fn compare_trees(&mut self, state: &State) {
        for depth in 1..=2 {
            let Some(other) = self.jit.count(state, depth, &mut self.scratch.1) else { continue };
            let tree = perft(self.plan, state, depth, Counting::Each, &mut |_, _| {});
            if tree.as_ref().is_err_and(|fault| fault.id() == "run-too-many-moves") {
                continue;
            }
            self.same(&format!("the tree of {depth} moves"), tree, &Ok(other));
        }
    }

    /// Shows moves, and stops somewhere.
    fn compare_visits(&mut self, state: &State) {
        let most = self.generator.random_range(1..20);
        let mut lists = [MoveList::new(), MoveList::new()];
        let [moves, others] = &mut lists;
        let until = |list: &MoveList| match list.len() >= most {
            true => ControlFlow::Break(()),
            false => ControlFlow::Continue(()),
        };
        let shown = self.plan.visit_moves(state, &mut self.scratch.0, &mut |steps| {
            moves.push(steps);
            until(moves)
        });
        let shown_others = self.jit.visit_moves(state, &mut self.scratch.1, &mut |steps| {
            others.push(steps);
            until(others)
        });
        let [moves, others] = &lists;
        self.same("the moves shown", shown.map(|()| moves), &shown_others.map(|()| others));
    }

    /// Chooses and plays one of the moves, and steps that are a little different; returns the move and the state after
    /// it.
    fn compare_choice(
        &mut self,
        state: &State,
        pick: &mut dyn FnMut(u64) -> u64,
    ) -> Option<(Vec<Step>, State)> {
        let (mut steps, mut other_steps) = (Vec::new(), Vec::new());
        let chosen = self.plan.choose(state, &mut self.scratch.0, pick, &mut steps);
        let other_chosen = self.jit.choose(state, &mut self.scratch.1, pick, &mut other_steps);
        let chosen = chosen.map(|chosen| chosen.then_some(steps));
        let other_chosen = other_chosen.map(|chosen| chosen.then_some(other_steps));
        let steps = self.same("the choice", chosen, &other_chosen)?;
        let (mut after, mut other) = (state.clone(), state.clone());
        let played = self.plan.play_chosen(&mut after, &mut self.scratch.0, pick);
        let other_played = self.jit.play_chosen(&mut other, &mut self.scratch.1, pick);
        let played = played.map(|played| (played, after));
        let other_played = other_played.map(|played| (played, other));
        let next = self.same("the state after a choice", played, &other_played);
        let steps = steps?;
        self.compare_apply(state, &steps);
        let impostor = impostor(self.plan.automaton(), &steps, &mut self.generator);
        self.compare_apply(state, &impostor);
        next.map(|(_, state)| (steps, state))
    }

    fn compare_apply(&mut self, state: &State, steps: &[Step]) {
        let (mut after, mut other) = (state.clone(), state.clone());
        let done = self.plan.apply(&mut after, steps, &mut self.scratch.0);
        let other_done = self.jit.apply(&mut other, steps, &mut self.scratch.1);
        let what = format!("the state after {steps:?}");
        self.same(&what, done.map(|()| after), &other_done.map(|()| other));
    }

    /// What both answer; panics when that is not the same.
    fn same<T: PartialEq + Debug>(
        &self,
        what: &str,
        plan: Result<T, Fault>,
        jit: &Result<T, Fault>,
    ) -> Option<T> {
        if plan.as_ref().is_err_and(|fault| fault.id() == "run-endless-search") {
            return None;
        }
        let differ = match (&plan, jit) {
            (Err(plan), Err(jit)) => !alike(plan, jit),
            _ => plan != *jit,
        };
        if differ {
            self.broken(&format!("{what}: {plan:?}, but {jit:?}"));
        }
        plan.ok()
    }

    fn broken(&self, problem: &str) -> ! {
        let limits = self.plan.limits();
        let (title, line) = (self.title, self.line.join(", "));
        panic!("{title}: after [{line}] {problem}\n{limits:?}\n\n{}", self.plan.automaton())
    }
}

/// Whether faults are the same. A keeper that comes back for ever may be caught anywhere on its round, or because of its
/// many moves.
fn alike(plan: &Fault, jit: &Fault) -> bool {
    match plan.id() {
        "run-endless-keeper" => {
            jit.id() == plan.id() && jit.origin().is_some() == plan.origin().is_some()
        }
        _ => jit == plan,
    }
}
