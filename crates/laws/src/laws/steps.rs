//! The steps that may follow the beginning of a move lead to legal moves, and to all of them.

use std::collections::BTreeSet;

use rand::RngExt as _;
use regulus_engine::{
    Beginning, Generator, History, Move, MoveList, Rules, State, Step, Walk, generator,
};

use super::consistency::impostor;
use crate::effort::Effort;

/// In the states of random games, of automata as lowered and as optimised, the tree of [`Walk::next_steps`] has exactly the
/// legal moves as its leaves: no step comes twice, each leads to a legal move, and none is missing. What is no beginning of
/// a move, and what is a whole one, is told apart. Where there are many moves only some of them are followed.
///
/// Returns the number of beginnings that were looked at.
///
/// # Panics
///
/// Panics if the law is broken.
pub fn steps_are_moves(text: &str, seed: u64, effort: &Effort) -> u64 {
    let mut compared = 0;
    for (title, automaton) in effort.load_both(text) {
        let walk = Walk::with_limits(automaton, effort.limits);
        let (scratch, generator) = (walk.scratch(), generator(seed));
        let mut game = StepComparison { title, walk: &walk, scratch, generator, compared: 0 };
        game.play(effort.states);
        compared += game.compared;
    }
    compared
}

/// With more moves than this not all are followed.
const ALL: usize = 300;
/// How many are followed then.
const SOME: usize = 6;
/// How many steps that are no move are tried in each state.
const IMPOSTORS: usize = 3;

struct StepComparison<'a> {
    title: &'a str,
    walk: &'a Walk,
    scratch: <Walk as Rules>::Scratch,
    generator: Generator,
    compared: u64,
}

impl StepComparison<'_> {
    fn play(&mut self, states: usize) {
        let Ok(mut state) = self.walk.initial(&mut self.scratch) else { return };
        let mut history = self.walk.history(&state);
        for _ in 0..states {
            let mut list = MoveList::new();
            if self.walk.moves(&state, &mut self.scratch, &mut list).is_err() {
                return;
            }
            let moves: BTreeSet<Move> = list.iter().map(Move::from).collect();
            self.check(&state, &moves, &list);
            if list.is_empty() || self.walk.player(&state).is_none() {
                return;
            }
            let steps = list.get(self.generator.random_range(0..list.len()));
            if !self.apply(&mut state, &mut history, steps) {
                return;
            }
        }
    }

    /// Makes a move; returns whether no limit was reached.
    fn apply(&mut self, state: &mut State, history: &mut History, steps: &[Step]) -> bool {
        self.walk.apply(state, history, steps, &mut self.scratch).is_ok()
    }

    fn check(&mut self, state: &State, moves: &BTreeSet<Move>, list: &MoveList) {
        if moves.len() <= ALL {
            let mut reached = BTreeSet::new();
            self.follow(state, moves, &mut Vec::new(), &mut reached);
            let missing = moves.difference(&reached).next();
            assert!(reached == *moves, "{}: no steps lead to {missing:?}", self.title);
        } else {
            for _ in 0..SOME {
                self.follow_one(state, moves);
            }
        }
        for _ in 0..IMPOSTORS.min(list.len()) {
            let steps = list.get(self.generator.random_range(0..list.len()));
            let other = impostor(self.walk.automaton(), steps, &mut self.generator);
            for length in 0..=other.len() {
                self.next(state, moves, &other[..length]);
            }
            self.next(state, moves, &[steps, &steps[..1]].concat());
        }
    }

    /// Follows all steps after a beginning and collects the moves that they lead to.
    fn follow(
        &mut self,
        state: &State,
        moves: &BTreeSet<Move>,
        beginning: &mut Vec<Step>,
        reached: &mut BTreeSet<Move>,
    ) {
        let (is, next) = self.next(state, moves, beginning);
        if is == Beginning::IsComplete {
            reached.insert(Move(beginning.clone()));
        }
        for step in next {
            beginning.push(step);
            self.follow(state, moves, beginning, reached);
            beginning.pop();
        }
    }

    /// Follows steps of which one is chosen each time; they end with a legal move.
    fn follow_one(&mut self, state: &State, moves: &BTreeSet<Move>) {
        let mut beginning = Vec::new();
        loop {
            let (is, next) = self.next(state, moves, &beginning);
            if is != Beginning::GoesOn {
                assert!(is == Beginning::IsComplete, "{}: {beginning:?} is {is:?}", self.title);
                return;
            }
            beginning.push(next[self.generator.random_range(0..next.len())]);
        }
    }

    /// The steps that may follow, which must be those of the legal moves.
    fn next(
        &mut self,
        state: &State,
        moves: &BTreeSet<Move>,
        beginning: &[Step],
    ) -> (Beginning, Vec<Step>) {
        let mut next = Vec::new();
        let is = self.walk.next_steps(state, beginning, &mut self.scratch, &mut next);
        let set: BTreeSet<Step> = next.iter().copied().collect();
        // Moves that begin so stand beside each other.
        let first = moves.range(Move(beginning.to_vec())..);
        let so = first.take_while(|steps| steps.0.starts_with(beginning));
        let expected: BTreeSet<Step> =
            so.filter_map(|steps| steps.0.get(beginning.len()).copied()).collect();
        let wanted = match moves.contains(&Move(beginning.to_vec())) {
            true => Beginning::IsComplete,
            false if expected.is_empty() => Beginning::IsNone,
            false => Beginning::GoesOn,
        };
        let (title, game) = (self.title, self.walk.automaton());
        assert!(is == Ok(wanted), "{title}: {beginning:?} is {is:?}, not {wanted:?}\n\n{game}");
        assert!(
            next.len() == set.len(),
            "{title}: after {beginning:?} twice in {next:?}\n\n{game}"
        );
        assert!(
            set == expected,
            "{title}: after {beginning:?} {set:?}, not {expected:?}\n\n{game}"
        );
        self.compared += 1;
        (wanted, next)
    }
}
