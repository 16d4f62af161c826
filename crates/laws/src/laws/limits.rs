//! Limits hold in every engine alike.

use std::collections::BTreeSet;
use std::fmt::Debug;

use rand::RngExt as _;
use regulus_automaton::Automaton;
use regulus_engine::{
    Fault, History, Limits, Move, MoveList, Perft, Plan, Rules, State, Walk, generator,
};
use regulus_jit::Jit;

use super::jit::compiled;
use crate::effort::{Effort, KeeperChoices};
use crate::exposure::Exposure;

/// Along random games, under whatever limits:
///
/// 1. what `walk` answers, `plan` and `jit` answer too, and the same;
/// 2. where they fail, `walk` fails with the same message at the same place;
/// 3. where only `walk` fails, it was its effort, not the number of moves; and no move that the others find has more writes
///    than allowed, nor are there more moves than allowed.
///
/// Games are also looked at with a player in the keeper's place.
///
/// Returns the number of answers that were compared.
///
/// # Panics
///
/// Panics if the law is broken.
pub fn limits_hold_alike(text: &str, seed: u64, effort: &Effort) -> u64 {
    let Some(automaton) = effort.load(text) else { return 0 };
    let exposure = Exposure::new(&automaton, effort.limits);
    let mut compared = 0;
    if effort.keeper == KeeperChoices::Unknown {
        compared += compare(exposure.automaton(), None, seed, effort);
    }
    compared + compare(&automaton, Some(&exposure), seed, effort)
}

fn compare(automaton: &Automaton, keeper: Option<&Exposure>, seed: u64, effort: &Effort) -> u64 {
    let limits = effort.limits;
    let walk = Walk::with_limits(automaton.clone(), limits);
    let plan = Plan::with_limits(automaton.clone(), limits).ok();
    let by_plan =
        plan.map_or(0, |plan| EnginePair::new("plan", &walk, &plan, seed).play(keeper, effort));
    let jit = compiled("as lowered", automaton.clone(), limits);
    let by_jit = jit.map_or(0, |jit| {
        let mut pair = EnginePair::new("jit", &walk, &jit, seed);
        pair.count = Some(Jit::count);
        pair.play(keeper, effort)
    });
    by_plan + by_jit
}

/// Counts the tree below a state, unless a limit is reached.
type Count<R> = fn(&R, &State, &History, u32, &mut <R as Rules>::Scratch) -> Option<Perft>;

/// `walk` and another engine.
struct EnginePair<'a, R: Rules> {
    name: &'static str,
    walk: &'a Walk,
    other: &'a R,
    scratch: (<Walk as Rules>::Scratch, R::Scratch),
    seed: u64,
    count: Option<Count<R>>,
    compared: u64,
}

impl<'a, R: Rules> EnginePair<'a, R> {
    fn new(name: &'static str, walk: &'a Walk, other: &'a R, seed: u64) -> EnginePair<'a, R> {
        let scratch = (walk.scratch(), other.scratch());
        EnginePair { name, walk, other, scratch, seed, count: None, compared: 0 }
    }

    /// Plays a game; returns the number of answers that were compared.
    fn play(&mut self, keeper: Option<&Exposure>, effort: &Effort) -> u64 {
        let mut generator = generator(self.seed);
        let Ok(mut state) = self.walk.initial(&mut self.scratch.0) else { return 0 };
        let mut settled = keeper.map(Exposure::initial);
        let mut history = self.walk.history(&state);
        for _ in 0..effort.states {
            // From here on the keeper's choices may matter.
            if settled == Some(None) || self.walk.player(&state).is_none() {
                break;
            }
            let moves = self.compare_moves(&state);
            self.compare_counts(&state, &history);
            let Some(chosen) = moves.map(Vec::from_iter).filter(|moves| !moves.is_empty()) else {
                break;
            };
            let chosen = &chosen[generator.random_range(0..chosen.len())];
            let mut has_choice = false;
            settled = match (keeper, settled.flatten()) {
                (Some(exposure), Some(before)) => {
                    let after = exposure.after_noting_choices(&before, &chosen.0);
                    Some(after.map(|(after, choice)| {
                        has_choice = choice;
                        after
                    }))
                }
                _ => None,
            };
            let mut next = (state.clone(), history.clone());
            let mut other = next.clone();
            let (scratch, other_scratch) = &mut self.scratch;
            let applied = self.walk.apply(&mut next.0, &mut next.1, &chosen.0, scratch);
            let other_applied =
                self.other.apply(&mut other.0, &mut other.1, &chosen.0, other_scratch);
            // Of several ways of the keeper to one end some may be longer than others.
            let both = applied.is_ok() && other_applied.is_ok();
            if settled != Some(None) && (both || !has_choice) {
                let after = applied.clone().map(|()| &next.0);
                self.same("the state after a move", &after, &other_applied.map(|()| &other.0));
            }
            if applied.is_err() {
                break;
            }
            (state, history) = next;
        }
        self.compared
    }

    /// The moves that at least one of the two has found.
    fn compare_moves(&mut self, state: &State) -> Option<BTreeSet<Move>> {
        let (mut list, mut other_list) = (MoveList::new(), MoveList::new());
        let found = self.walk.moves(state, &mut self.scratch.0, &mut list);
        let other_found = self.other.moves(state, &mut self.scratch.1, &mut other_list);
        let set = |list: &MoveList| list.iter().map(Move::from).collect::<BTreeSet<Move>>();
        let found = found.map(|()| set(&list));
        let other_found = other_found.map(|()| set(&other_list));
        self.same("the moves", &found, &other_found);
        let moves = other_found.ok()?;
        let Limits { writes, moves: most, stored_steps, .. } = self.walk.limits();
        let longest = moves.iter().map(|one| one.0.len() - 1).max().unwrap_or(0);
        assert!(longest <= writes, "{}: a move of {longest} writes", self.name);
        assert!(moves.len() as u64 <= most, "{}: {} moves", self.name, moves.len());
        assert!(other_list.step_count() <= stored_steps, "{}: a long list", self.name);
        Some(moves)
    }

    fn compare_counts(&mut self, state: &State, history: &History) {
        let count = self.walk.move_count(state, &mut self.scratch.0);
        let other_count = self.other.move_count(state, &mut self.scratch.1);
        self.same("the number of moves", &count, &other_count);
        if let Some(counter) = self.count
            && let Some(perft) = counter(self.other, state, history, 1, &mut self.scratch.1)
        {
            self.same("the tree of one move", &count, &Ok(perft.leaves));
        }
    }

    fn same<T: PartialEq + Debug>(
        &mut self,
        what: &str,
        walk: &Result<T, Fault>,
        other: &Result<T, Fault>,
    ) {
        let holds = match (walk, other) {
            (Ok(_), Err(_)) => false,
            (Err(fault), Ok(_)) => {
                let effort = ["run-endless-search", "run-too-large-search", "run-endless-move"];
                effort.contains(&fault.id())
            }
            (walk, other) => walk == other,
        };
        if !holds {
            let (name, limits) = (self.name, self.walk.limits());
            let automaton = self.walk.automaton();
            panic!("{what}: {walk:?}, but {name} {other:?}\n{limits:?}\n\n{automaton}");
        }
        self.compared += 1;
    }
}
