//! Two engines side by side: they must show the same game, move for move.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Debug;

use regulus_automaton::{Automaton, Variable};
use regulus_engine::{Fault, History, MoveList, Rules, State, Step, notation};

use crate::effort::Effort;
use crate::exposure::{Exposure, SettledState};

/// Two engines that should run the same game. Pieces and variables may be numbered differently, but not named.
#[derive(Debug)]
pub(crate) struct Lockstep<'a, L: Rules, R: Rules> {
    left: &'a L,
    right: &'a R,
    /// The keeper of the left one, when it is not known that its choices do not matter.
    keeper: Option<&'a Exposure>,
    variables: Vec<(Variable, Variable)>,
    scratch: (L::Scratch, R::Scratch),
    /// Whether both run the same automaton, so that states must be equal to the last bit.
    same_automaton: bool,
    title: String,
    states_left: usize,
    /// How many states were compared.
    compared: u64,
}

/// The same state three times, with what came before.
struct ComparedState {
    left: State,
    right: State,
    histories: (History, History),
    keeper: Option<SettledState>,
}

impl<'a, L: Rules, R: Rules> Lockstep<'a, L, R> {
    pub(crate) fn new(
        left: &'a L,
        right: &'a R,
        keeper: Option<&'a Exposure>,
    ) -> Lockstep<'a, L, R> {
        let variables = variables(left.automaton(), right.automaton());
        let same_automaton = left.automaton() == right.automaton();
        let scratch = (left.scratch(), right.scratch());
        Lockstep {
            left,
            right,
            keeper,
            variables,
            scratch,
            same_automaton,
            title: String::new(),
            states_left: 0,
            compared: 0,
        }
    }

    /// Compares the trees from the first state on; panics where they differ. Where the left engine gives up, or its
    /// keeper has a choice that matters, nothing is compared. Returns the number of states that were compared.
    pub(crate) fn compare(&mut self, title: &str, effort: &Effort) -> u64 {
        self.title = title.to_owned();
        self.compared = 0;
        let Ok(left) = self.left.initial(&mut self.scratch.0) else { return 0 };
        let keeper = self.keeper.map(Exposure::initial);
        if keeper == Some(None) {
            return 0;
        }
        let right = self.right.initial(&mut self.scratch.1);
        let Some(right) = self.answered(right, &[]) else { return 0 };
        self.states_left = effort.states;
        let histories = (self.left.history(&left), self.right.history(&right));
        let situation = ComparedState { left, right, histories, keeper: keeper.flatten() };
        self.compare_from(&situation, effort.depth, &mut Vec::new());
        self.compared
    }

    fn compare_from(&mut self, situation: &ComparedState, depth: u32, line: &mut Vec<String>) {
        self.states_left = self.states_left.saturating_sub(1);
        self.compared += 1;
        self.compare_states(situation, line);
        if self.left.player(&situation.left).is_none() {
            return;
        }
        let mut moves = MoveList::new();
        if self.left.moves(&situation.left, &mut self.scratch.0, &mut moves).is_err() {
            return;
        }
        self.compare_moves(situation, &moves, line);
        // Where there are too many, some from everywhere in the list.
        let each = moves.len() / 8 + 1;
        let each = if depth < 2 || moves.len() < self.states_left { 1 } else { each };
        for steps in moves.iter().step_by(each) {
            if depth == 0 || self.states_left == 0 {
                return;
            }
            line.push(notation::exact(steps));
            if let Some(next) = self.after(situation, steps, line) {
                self.compare_from(&next, depth - 1, line);
            }
            line.pop();
        }
    }

    fn after(
        &mut self,
        before: &ComparedState,
        steps: &[Step],
        line: &[String],
    ) -> Option<ComparedState> {
        let (mut left, mut right) = (before.left.clone(), before.right.clone());
        let mut histories = before.histories.clone();
        self.left.apply(&mut left, &mut histories.0, steps, &mut self.scratch.0).ok()?;
        let keeper = match (&before.keeper, self.keeper) {
            (Some(settled), Some(exposure)) => Some(exposure.after(settled, steps)?),
            _ => None,
        };
        let applied = self.right.apply(&mut right, &mut histories.1, steps, &mut self.scratch.1);
        self.answered(applied, line)?;
        Some(ComparedState { left, right, histories, keeper })
    }

    fn compare_moves(&mut self, situation: &ComparedState, left: &MoveList, line: &[String]) {
        let mut right = MoveList::new();
        let found = self.right.moves(&situation.right, &mut self.scratch.1, &mut right);
        if self.answered(found, line).is_none() {
            return;
        }
        let set = |list: &MoveList| list.iter().map(notation::exact).collect::<BTreeSet<String>>();
        self.same("the moves", &set(left), &set(&right), line);
    }

    fn compare_states(&self, situation: &ComparedState, line: &[String]) {
        let (left, right) = (&situation.left, &situation.right);
        let player = (self.left.player(left), self.right.player(right));
        self.same("the player in control", &player.0, &player.1, line);
        let boards = (board(self.left.automaton(), left), board(self.right.automaton(), right));
        self.same("the board", &boards.0, &boards.1, line);
        for &(on_left, on_right) in &self.variables {
            let values = (self.left.variable(left, on_left), self.right.variable(right, on_right));
            self.same(&on_left.to_string(), &values.0, &values.1, line);
        }
        let scores = (self.left.scores(left), self.right.scores(right));
        self.same("the scores", &scores.0, &scores.1, line);
        if self.same_automaton {
            self.same("the state", left, right, line);
        }
    }

    fn same<T: PartialEq + Debug>(&self, what: &str, left: &T, right: &T, line: &[String]) {
        if left != right {
            self.broken(&format!("{what}: {left:?}, but {right:?}"), line);
        }
    }

    /// The right engine's answer to what the left one has answered.
    ///
    /// It may give up where a look-ahead writes without end: edges have no order, so one engine may find what it looks
    /// for at once and another go astray before.
    fn answered<T>(&self, answer: Result<T, Fault>, line: &[String]) -> Option<T> {
        let astray =
            |fault: &Fault| ["run-endless-move", "run-endless-search"].contains(&fault.id());
        match answer {
            Ok(answer) => Some(answer),
            Err(fault) if astray(&fault) => None,
            Err(fault) => self.broken(&format!("a fault on one side only: {fault}"), line),
        }
    }

    fn broken(&self, problem: &str, line: &[String]) -> ! {
        panic!(
            "{}: after [{}] {problem}\n\n{}\nagainst\n\n{}",
            self.title,
            line.join(", "),
            self.left.automaton(),
            self.right.automaton(),
        )
    }
}

/// The names of the pieces on the board.
fn board<'a>(automaton: &'a Automaton, state: &State) -> Vec<&'a String> {
    automaton.board.squares.keys().map(|square| &automaton.pieces[state.piece(square)]).collect()
}

/// The variables of the same name.
fn variables(left: &Automaton, right: &Automaton) -> Vec<(Variable, Variable)> {
    let right: BTreeMap<&str, Variable> =
        right.variables.iter().map(|(variable, info)| (info.name.as_str(), variable)).collect();
    assert_eq!(left.variables.len(), right.len(), "the number of variables");
    left.variables
        .iter()
        .map(|(variable, info)| match right.get(info.name.as_str()) {
            Some(&same) => (variable, same),
            None => panic!("one side has no variable {}", info.name),
        })
        .collect()
}
