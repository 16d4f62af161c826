//! The `jit` engine answers as `plan` does.

use std::cell::Cell;
use std::fmt::Debug;
use std::ops::ControlFlow;

use rand::RngExt as _;
use regulus_automaton::{Automaton, Player};
use regulus_engine::{
    Counting, Fault, Generator, History, Limits, MoveList, Plan, Rules, State, Step, generator,
    notation, perft,
};
use regulus_jit::{Jit, NotCompiled};

use super::consistency::impostor;
use crate::effort::{Effort, KeeperChoices};
use crate::exposure::Exposure;

/// On automata as lowered and as optimised, along random games, native code gives the same as `plan`: the first state,
/// moves in the same order, whether the game is over, the move for a choice, and states to the last bit, with
/// fingerprints that are those computed anew, and the sizes of small trees. A keeper that has a choice makes the same
/// one. Steps that are no legal move are played or refused alike. Playouts note the moves that they make, and making them one by one leads to the same state.
///
/// Where `plan` gives up, so that `walk` answers for it, nothing is compared; [`super::limits_hold_alike`] does that.
///
/// Games are also compared with a player in the keeper's place.
///
/// # Panics
///
/// Panics if the law is broken; also when native code cannot be made or placed on an x86-64 machine.
pub fn jit_is_plan(text: &str, effort: &Effort) -> NativeAnswers {
    let mut answers = NativeAnswers::default();
    for (title, automaton) in effort.load_both(text) {
        if effort.keeper == KeeperChoices::Unknown {
            let exposed = Exposure::new(&automaton, effort.limits).automaton().clone();
            answers +=
                compare(&format!("{title}, a player for the keeper"), exposed, false, effort);
        }
        // Code that counts trees is compiled apart, so that is left out where there would be little to see.
        answers += compare(title, automaton, title == "as optimised", effort);
    }
    answers
}

/// What was compared by [`jit_is_plan`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NativeAnswers {
    /// Automata that can be planned.
    pub planned: u64,
    /// Those of them that were compiled.
    pub compiled: u64,
    /// Answers of native code that were compared.
    pub comparisons: u64,
}

impl std::ops::AddAssign for NativeAnswers {
    fn add_assign(&mut self, other: NativeAnswers) {
        self.planned += other.planned;
        self.compiled += other.compiled;
        self.comparisons += other.comparisons;
    }
}

fn compare(title: &str, automaton: Automaton, counts: bool, effort: &Effort) -> NativeAnswers {
    let Ok(plan) = Plan::with_limits(automaton.clone(), effort.limits) else {
        return NativeAnswers::default();
    };
    let not_compiled = NativeAnswers { planned: 1, ..NativeAnswers::default() };
    let Some(jit) = compiled(title, automaton, effort.limits) else { return not_compiled };
    let scratch = (plan.scratch(), jit.scratch());
    let (plan, jit) = (&plan, &jit);
    let generator = generator(effort.states as u64);
    let mut twins = Twins {
        title,
        plan,
        jit,
        scratch,
        generator,
        counts,
        line: Vec::new(),
        seen: Vec::new(),
        compared: Cell::new(0),
        given_up: Cell::new(0),
    };
    let mut states = effort.states;
    for _ in 0..GAMES {
        twins.play(&mut states);
        // Long playouts keep no fingerprints on the way, short ones do.
        twins.playout(effort.states.max(40) as u64);
        twins.playout(5);
    }
    NativeAnswers { planned: 1, compiled: 1, comparisons: twins.compared.get() }
}

/// An automaton as native code; `None` if its rules cannot be compiled.
///
/// # Panics
///
/// Panics if native code cannot be made or placed on an x86-64 machine.
pub(super) fn compiled(title: &str, automaton: Automaton, limits: Limits) -> Option<Jit> {
    match Jit::with_limits(automaton, limits) {
        Ok(jit) => Some(jit),
        Err(
            NotCompiled::Rules
            | NotCompiled::NotPlanned(_)
            | NotCompiled::TooLarge { .. }
            | NotCompiled::TooSlow { .. }
            | NotCompiled::TooDeep { .. },
        ) => None,
        Err(_) if !cfg!(target_arch = "x86_64") => None,
        Err(reason) => panic!("{title}: {reason}"),
    }
}

/// How many games are played at most.
const GAMES: usize = 4;

/// From fewer moves than this trees are counted.
const FEW: usize = 20;

/// A move that a playout has noted, with the player who makes it.
type Noted = (Player, Vec<Step>);

/// How many moves a playout has made, and what it leads to.
type Made = (u64, (State, History));

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
    /// States of all games, with what came before.
    seen: Vec<(State, History)>,
    /// How many answers were compared.
    compared: Cell<u64>,
    /// How often `plan` had given up before the last comparison.
    given_up: Cell<u64>,
}

impl Twins<'_> {
    /// One game, or its beginning while there are states left.
    fn play(&mut self, states: &mut usize) {
        self.line.clear();
        let first = self.plan.initial(&mut self.scratch.0);
        let other = self.jit.initial(&mut self.scratch.1);
        let first = self.same("the first state", first, &other);
        let mut next = first.map(|state| {
            let history = self.plan.history(&state);
            (state, history)
        });
        while let Some((state, history)) = next
            && *states > 0
        {
            *states -= 1;
            self.check_fingerprint(&state);
            next = self.compare_in(&state, &history);
            self.seen.push((state, history));
            // Nothing that an engine remembers of one state is used for another.
            let any = self.generator.random_range(0..self.seen.len());
            self.compare_moves(&self.seen[any].0.clone());
        }
    }

    /// Moves chosen in a row, from a state of any game.
    fn playout(&mut self, moves: u64) {
        if self.seen.is_empty() {
            return;
        }
        self.line.clear();
        let seed: u64 = self.generator.random();
        let from = self.seen[self.generator.random_range(0..self.seen.len())].clone();
        let pick = || {
            let mut generator = generator(seed);
            move |count: u64| generator.random_range(0..count)
        };
        let given_up = self.scratch.0.times_given_up();
        let (mut after, mut other) = (from.clone(), from.clone());
        let (plan, jit, (scratch, other_scratch)) = (self.plan, self.jit, &mut self.scratch);
        let made = plan.playout(&mut after.0, &mut after.1, scratch, &mut pick(), moves);
        let other_made = jit.playout(&mut other.0, &mut other.1, other_scratch, &mut pick(), moves);
        let made = made.map(|made| (made, after));
        let other_made = other_made.map(|made| (made, other));
        let after = self.same("the state after a playout", made, &other_made);
        if let Some((_, (state, _))) = &after {
            self.check_fingerprint(state);
        }
        let noted = self.noted_playout(&from, &mut pick(), &mut pick(), moves);
        // Where `walk` has answered, a keeper that has a choice may have made another.
        if let (Some(after), Some((noted, made))) = (after, noted)
            && self.scratch.0.times_given_up() == given_up
        {
            self.must_be(&after, &made, "the state after a playout that notes moves");
            self.replay(from, &noted, &after.1);
        }
    }

    /// A playout that notes moves: these, how many there were, and the state after them.
    fn noted_playout(
        &mut self,
        from: &(State, History),
        pick: &mut dyn FnMut(u64) -> u64,
        other_pick: &mut dyn FnMut(u64) -> u64,
        moves: u64,
    ) -> Option<(Vec<Noted>, Made)> {
        let (mut after, mut other) = (from.clone(), from.clone());
        let (mut noted, mut other_noted) = (Vec::new(), Vec::new());
        let (plan, jit, (scratch, other_scratch)) = (self.plan, self.jit, &mut self.scratch);
        let mut note = |player, steps: &[Step]| noted.push((player, steps.to_vec()));
        let made = plan.playout_noting(&mut after.0, &mut after.1, scratch, pick, moves, &mut note);
        let (state, history) = &mut other;
        let mut note = |player, steps: &[Step]| other_noted.push((player, steps.to_vec()));
        let other_made =
            jit.playout_noting(state, history, other_scratch, other_pick, moves, &mut note);
        let made = made.map(|made| (noted, (made, after)));
        let other_made = other_made.map(|made| (other_noted, (made, other)));
        self.same("a playout that notes moves", made, &other_made)
    }

    /// Makes noted moves one by one.
    fn replay(&mut self, from: (State, History), noted: &[Noted], after: &(State, History)) {
        let mut states = (from.clone(), from);
        for (player, steps) in noted {
            let (ours, theirs) = (&mut states.0, &mut states.1);
            self.must_be(&Some(*player), &self.plan.player(&ours.0), "who makes a noted move");
            let given_up = self.scratch.0.times_given_up();
            let done = self.plan.apply(&mut ours.0, &mut ours.1, steps, &mut self.scratch.0);
            let other_done =
                self.jit.apply(&mut theirs.0, &mut theirs.1, steps, &mut self.scratch.1);
            if self.scratch.0.times_given_up() != given_up {
                return;
            }
            self.must_be(&Ok(()), &done, "making a noted move");
            self.must_be(&done, &other_done, "making a noted move");
        }
        self.must_be(after, &states.0, "the state after the noted moves");
        self.must_be(after, &states.1, "the state after the noted moves");
    }

    fn check_fingerprint(&self, state: &State) {
        let fresh = self.plan.referee().zobrist.fresh_hash(state, self.plan.layout());
        if state.fingerprint() != fresh {
            self.broken(&format!("the fingerprint is {}, not {fresh}", state.fingerprint()));
        }
    }

    /// Compares all answers about a state; returns one that follows, with its history.
    fn compare_in(&mut self, state: &State, history: &History) -> Option<(State, History)> {
        let over = self.plan.is_over(state, &mut self.scratch.0);
        let other = self.jit.is_over(state, &mut self.scratch.1);
        self.same("whether the game is over", over, &other);
        let moves = self.compare_moves(state);
        let count = self.plan.move_count(state, &mut self.scratch.0);
        let other = self.jit.move_count(state, &mut self.scratch.1);
        self.same("how many moves there are", count, &other);
        self.compare_visits(state);
        if self.counts && moves.is_some_and(|moves| moves.len() < FEW) {
            self.compare_trees(state, history);
        }
        self.compare_choice(state, history, &mut |_| 0);
        self.compare_choice(state, history, &mut |count| count - 1);
        let choice: u64 = self.generator.random();
        let (steps, next) = self.compare_choice(state, history, &mut |count| choice % count)?;
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

    /// Compares the counts of small trees. Native code returns `None` where a limit is reached.
    fn compare_trees(&mut self, state: &State, history: &History) {
        for depth in 1..=2 {
            let Some(other) = self.jit.count(state, history, depth, &mut self.scratch.1) else {
                continue;
            };
            let tree = perft(self.plan, state, history, depth, Counting::Each, &mut |_, _| {});
            // It stores no moves, and its effort is another.
            let differs = ["run-too-long-list", "run-endless-search", "run-endless-move"];
            if tree.as_ref().is_err_and(|fault| differs.contains(&fault.id())) {
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
        history: &History,
        pick: &mut dyn FnMut(u64) -> u64,
    ) -> Option<(Vec<Step>, (State, History))> {
        let (mut steps, mut other_steps) = (Vec::new(), Vec::new());
        let chosen = self.plan.choose(state, &mut self.scratch.0, pick, &mut steps);
        let other_chosen = self.jit.choose(state, &mut self.scratch.1, pick, &mut other_steps);
        let chosen = chosen.map(|chosen| chosen.then_some(steps));
        let other_chosen = other_chosen.map(|chosen| chosen.then_some(other_steps));
        let steps = self.same("the choice", chosen, &other_chosen)?;
        let mut after = (state.clone(), history.clone());
        let mut other = after.clone();
        let (plan, jit, (scratch, other_scratch)) = (self.plan, self.jit, &mut self.scratch);
        let played = plan.play_chosen(&mut after.0, &mut after.1, scratch, pick);
        let other_played = jit.play_chosen(&mut other.0, &mut other.1, other_scratch, pick);
        let played = played.map(|played| (played, after));
        let other_played = other_played.map(|played| (played, other));
        let next = self.same("the state after a choice", played, &other_played);
        let steps = steps?;
        self.compare_apply(state, history, &steps);
        let impostor = impostor(self.plan.automaton(), &steps, &mut self.generator);
        self.compare_apply(state, history, &impostor);
        next.map(|(_, next)| (steps, next))
    }

    fn compare_apply(&mut self, state: &State, history: &History, steps: &[Step]) {
        let mut after = (state.clone(), history.clone());
        let mut other = after.clone();
        let done = self.plan.apply(&mut after.0, &mut after.1, steps, &mut self.scratch.0);
        let other_done = self.jit.apply(&mut other.0, &mut other.1, steps, &mut self.scratch.1);
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
        // Where `walk` has answered, moves may come in another order.
        if self.given_up.replace(self.scratch.0.times_given_up()) != self.given_up.get() {
            return plan.ok();
        }
        if plan != *jit {
            self.broken(&format!("{what}: {plan:?}, but {jit:?}"));
        }
        self.compared.set(self.compared.get() + 1);
        plan.ok()
    }

    fn must_be<T: PartialEq + Debug>(&self, wanted: &T, found: &T, what: &str) {
        if wanted != found {
            self.broken(&format!("{what}: {wanted:?}, but {found:?}"));
        }
        self.compared.set(self.compared.get() + 1);
    }

    fn broken(&self, problem: &str) -> ! {
        let limits = self.plan.limits();
        let (title, line) = (self.title, self.line.join(", "));
        panic!("{title}: after [{line}] {problem}\n{limits:?}\n\n{}", self.plan.automaton())
    }
}
