//! Moves, play, undo and fingerprints of an engine agree with each other.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::ControlFlow;

use rand::RngExt as _;
use regulus_automaton::{Automaton, Modifier, Square};
use regulus_engine::{
    Generator, History, Move, MoveList, Notation, Plan, Rules, State, Step, UndoStack, Walk,
    Zobrist, generator, notation,
};

use super::jit::compiled;
use crate::effort::Effort;

/// With every engine, along random games:
///
/// 1. no move comes twice, a visitor may stop after any move, and there are moves unless the game is over;
/// 2. exactly the moves of the list can be played, and a move that cannot leaves the state as it was;
/// 3. undoing a move restores the state;
/// 4. the fingerprint kept from move to move is the one computed anew; states with the same bytes are equal and have
///    the same fingerprint, however they came about;
/// 5. the number of squares with a piece is what counting them gives;
/// 6. moves can be spelled, in short so that they differ, and exactly so that they come back.
///
/// The same holds after every request that a limit has cut short.
///
/// Returns the number of states in which each engine was checked: the least of the three; 0 if there is no `plan` or `jit`.
///
/// # Panics
///
/// Panics if the law is broken.
pub fn engines_are_consistent(text: &str, seed: u64, effort: &Effort) -> u64 {
    let Some(automaton) = effort.load(text) else { return 0 };
    let walk = Walk::with_limits(automaton.clone(), effort.limits);
    let by_walk = RandomGame::new(&walk, walk.zobrist(), seed).play_twice(effort);
    let plan = Plan::with_limits(automaton.clone(), effort.limits);
    let by_plan =
        plan.map_or(0, |plan| RandomGame::new(&plan, walk.zobrist(), seed).play_twice(effort));
    let jit = compiled("as lowered", automaton, effort.limits);
    let by_jit =
        jit.map_or(0, |jit| RandomGame::new(&jit, walk.zobrist(), seed).play_twice(effort));
    by_walk.min(by_plan).min(by_jit)
}

struct RandomGame<'a, R: Rules> {
    rules: &'a R,
    zobrist: &'a Zobrist,
    notation: Notation,
    scratch: R::Scratch,
    generator: Generator,
    /// The states so far.
    fingerprints: BTreeMap<Vec<u8>, State>,
}

impl<'a, R: Rules> RandomGame<'a, R> {
    fn new(rules: &'a R, zobrist: &'a Zobrist, seed: u64) -> RandomGame<'a, R> {
        RandomGame {
            rules,
            zobrist,
            notation: Notation::new(rules.automaton()),
            scratch: rules.scratch(),
            generator: generator(seed),
            fingerprints: BTreeMap::new(),
        }
    }

    fn play_twice(&mut self, effort: &Effort) -> u64 {
        self.play(effort) + self.play(effort)
    }

    /// Returns the number of states that were checked.
    fn play(&mut self, effort: &Effort) -> u64 {
        let Ok(mut state) = self.rules.initial(&mut self.scratch) else { return 0 };
        let mut history = self.rules.history(&state);
        let mut checked = 0;
        let mut undo = UndoStack::new();
        let mut line = Vec::new();
        while line.len() < effort.states {
            self.check_fingerprint(&state);
            self.check_counts(&state);
            let mut moves = MoveList::new();
            if self.rules.moves(&state, &mut self.scratch, &mut moves).is_err() {
                break;
            }
            self.check_list(&state, &moves);
            checked += 1;
            if self.rules.player(&state).is_none() || moves.is_empty() {
                break;
            }
            self.check_spelling(&moves);
            let chosen = moves.get(self.generator.random_range(0..moves.len()));
            self.check_impostors(&state, &history, &moves, chosen);
            let before = state.clone();
            if !self.check_play(&mut state, &mut history, chosen) {
                break;
            }
            undo.save(&before);
            line.push((before, state.clone()));
        }
        for (before, after) in line.iter().rev() {
            assert!(state == *after && undo.undo(&mut state), "undo has lost a state");
            self.check_restored(&state, before);
        }
        let first = self.rules.initial(&mut self.scratch);
        let same = first.is_ok_and(|first| line.first().is_none_or(|(start, _)| *start == first));
        assert!(same, "the first state is not always the same");
        checked
    }

    /// (4)
    fn check_fingerprint(&mut self, state: &State) {
        let fresh = self.zobrist.fresh_hash(state, self.rules.layout());
        assert_eq!(state.fingerprint(), fresh, "the fingerprint of {state:?}");
        let known = self.fingerprints.entry(state.bytes().to_vec()).or_insert(state.clone());
        assert!(known == state, "two states of the same bytes: {known:?}, {state:?}");
    }

    /// (5)
    fn check_counts(&self, state: &State) {
        let automaton = self.rules.automaton();
        for piece in automaton.pieces.keys() {
            let squares = automaton.board.squares.keys();
            let count = squares.filter(|&square| state.piece(square) == piece).count();
            let known = state.count(self.rules.layout(), piece);
            assert_eq!(known as usize, count, "the number of {piece}");
        }
    }

    /// (1)
    fn check_list(&mut self, state: &State, moves: &MoveList) {
        let set: BTreeSet<Move> = moves.iter().map(Move::from).collect();
        assert_eq!(set.len(), moves.len(), "a move comes twice: {}", spelled(moves));
        let over = self.rules.is_over(state, &mut self.scratch);
        let expected = moves.is_empty() || self.rules.player(state).is_none();
        assert_eq!(over, Ok(expected), "whether the game is over, with {} moves", moves.len());
        if moves.is_empty() {
            return;
        }
        let stop = self.generator.random_range(0..moves.len());
        let mut shown = MoveList::new();
        let visited = self.rules.visit_moves(state, &mut self.scratch, &mut |steps| {
            shown.push(steps);
            if shown.len() > stop { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert_eq!(visited, Ok(()), "stopping early");
        // Where one request was cut short by a limit and the other was not, moves come in another order.
        let shown_set: BTreeSet<Move> = shown.iter().map(Move::from).collect();
        let are_moves = shown_set.is_subset(&set) && shown_set.len() == stop + 1;
        assert!(are_moves, "stopped after {}: {}", stop + 1, spelled(&shown));
    }

    /// (6)
    fn check_spelling(&self, moves: &MoveList) {
        let names = self.notation.name_moves(moves);
        let different: BTreeSet<&String> = names.iter().collect();
        assert_eq!(different.len(), moves.len(), "moves of the same name: {names:?}");
        for steps in moves.iter() {
            let exact = notation::exact(steps);
            assert_eq!(notation::parse_exact(&exact), Some(Move::from(steps)), "reading {exact}");
        }
    }

    /// (2), and what is to be undone for (3); returns whether the game goes on.
    fn check_play(&mut self, state: &mut State, history: &mut History, steps: &[Step]) -> bool {
        let (before, before_history) = (state.clone(), history.clone());
        let (mut applied, mut extended) = (state.clone(), history.clone());
        let outcome = self.rules.apply(&mut applied, &mut extended, steps, &mut self.scratch);
        match self.rules.play(state, history, steps, &mut self.scratch) {
            Ok(()) => {
                assert_eq!(outcome, Ok(()), "play does what apply does not");
                assert!(*state == applied, "play and apply lead to different states");
                assert_eq!(*history, extended, "the history after play and apply");
                true
            }
            Err(fault) => {
                assert!(!fault.is_bad_move(), "a move of the list is refused: {steps:?}");
                assert!(outcome.is_err(), "apply does what play does not: {fault}");
                self.check_restored(state, &before);
                assert_eq!(*history, before_history, "the history after a fault");
                false
            }
        }
    }

    /// (2): moves like this one that are not in the list.
    fn check_impostors(
        &mut self,
        state: &State,
        history: &History,
        moves: &MoveList,
        steps: &[Step],
    ) {
        for _ in 0..3 {
            let impostor = impostor(self.rules.automaton(), steps, &mut self.generator);
            if moves.iter().any(|legal| legal == impostor) {
                continue;
            }
            let (mut played, mut after) = (state.clone(), history.clone());
            let refused = self.rules.play(&mut played, &mut after, &impostor, &mut self.scratch);
            let expected = refused.as_ref().is_err_and(regulus_engine::Fault::is_bad_move);
            assert!(expected, "{impostor:?} is no move but is played: {refused:?}");
            self.check_restored(&played, state);
            assert_eq!(after, *history, "the history after a refusal");
            // This need not be legal; it may do anything but panic.
            let _ = self.rules.apply(&mut played, &mut after, &impostor, &mut self.scratch);
        }
    }

    /// (3)
    fn check_restored(&self, state: &State, before: &State) {
        assert_eq!(state.bytes(), before.bytes(), "the state is not restored");
        assert_eq!(state.fingerprint(), before.fingerprint(), "the fingerprint is not restored");
        assert!(state == before, "equal bytes and fingerprints are not equal");
    }
}

fn spelled(moves: &MoveList) -> String {
    moves.iter().map(notation::exact).collect::<Vec<_>>().join(", ")
}

/// A move a little different from a given one.
pub(super) fn impostor(
    automaton: &Automaton,
    steps: &[Step],
    generator: &mut Generator,
) -> Vec<Step> {
    let mut steps = steps.to_vec();
    let at = generator.random_range(0..steps.len());
    let squares = automaton.board.squares.len() as u32;
    match generator.random_range(0..6) {
        0 => steps[at].square = Square(generator.random_range(0..squares + 2)),
        1 => steps[at].modifier = Modifier(steps[at].modifier.0.wrapping_add(1)),
        2 => steps[at].modifier = Modifier(generator.random_range(0..2 * at as u32 + 9)),
        3 => steps.insert(at, steps[at]),
        4 => steps[at] = Step { modifier: Modifier(u32::MAX), square: Square(u32::MAX) },
        _ => {
            steps.remove(at);
        }
    }
    steps
}
