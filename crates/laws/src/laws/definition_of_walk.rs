//! The `walk` engine plays as the definition of RBG says.

use std::collections::BTreeSet;

use regulus_automaton::passes::{Config, optimise};
use regulus_automaton::{Id as _, Modifier, Square, Variable};
use regulus_engine::{History, MoveList, Rules, State, Step, Walk, notation};
use regulus_lang::Source;
use regulus_lang::rbg::{check, lower};

use crate::definition::{RbgDefinition, RbgPosition, TooMuchWork};
use crate::effort::Effort;

/// On games in the RBG language, as lowered and as optimised, the engine gives the legal moves and the positions after
/// them that an implementation of the definition gives which knows nothing of automata.
///
/// Returns the number of states that were compared.
///
/// # Panics
///
/// Panics if the law is broken.
pub fn walk_is_the_definition(text: &str, effort: &Effort) -> u64 {
    let (Some(game), _) = check(&Source::new("game.rbg", text)) else { return 0 };
    if game.rules.size() > 1000 {
        return 0;
    }
    let lowered = lower(&game).expect("a checked game can be lowered");
    let optimised = optimise(lowered.clone(), &Config::default());
    let mut compared = 0;
    for automaton in [lowered, optimised] {
        let walk = Walk::with_limits(automaton, effort.limits);
        let definition = RbgDefinition::new(&game);
        let scratch = walk.scratch();
        let mut comparison = WalkComparison {
            walk: &walk,
            definition: &definition,
            scratch,
            states_left: 0,
            compared: 0,
        };
        comparison.run(effort);
        compared += comparison.compared;
    }
    compared
}

struct WalkComparison<'a> {
    walk: &'a Walk,
    definition: &'a RbgDefinition<'a>,
    scratch: <Walk as Rules>::Scratch,
    states_left: usize,
    compared: u64,
}

impl WalkComparison<'_> {
    fn run(&mut self, effort: &Effort) {
        let Ok(state) = self.walk.initial(&mut self.scratch) else { return };
        let Ok(position) = self.settle(self.definition.initial()) else { return };
        self.states_left = effort.states;
        self.compare(&state, &position, effort.depth, &mut Vec::new());
    }

    /// The position when the keeper has done its part. Which of several moves it takes the definition leaves open, so
    /// they must lead to the same.
    fn settle(&self, position: RbgPosition) -> Result<RbgPosition, TooMuchWork> {
        self.settle_within(position, &mut KEEPER_MOVES.clone())
    }

    fn settle_within(
        &self,
        position: RbgPosition,
        moves_left: &mut usize,
    ) -> Result<RbgPosition, TooMuchWork> {
        if position.player.is_some() {
            return Ok(position);
        }
        let moves = self.definition.moves(&position)?;
        *moves_left = moves_left.checked_sub(moves.len()).ok_or(TooMuchWork)?;
        let mut end = None;
        for next in moves.into_values() {
            let settled = self.settle_within(next, moves_left)?;
            if *end.get_or_insert_with(|| settled.clone()) != settled {
                return Err(TooMuchWork);
            }
        }
        Ok(end.unwrap_or(position))
    }

    fn compare(
        &mut self,
        state: &State,
        position: &RbgPosition,
        depth: u32,
        line: &mut Vec<String>,
    ) {
        self.states_left = self.states_left.saturating_sub(1);
        self.compare_positions(state, position, line);
        self.compared += 1;
        if position.player.is_none() {
            return;
        }
        let Ok(expected) = self.definition.moves(position) else { return };
        let mut found = MoveList::new();
        if self.walk.moves(state, &mut self.scratch, &mut found).is_err() {
            return;
        }
        let on_paper: BTreeSet<String> = expected.keys().map(|pairs| spelled(pairs)).collect();
        let by_engine: BTreeSet<String> = found.iter().map(notation::exact).collect();
        let moves = line.join(", ");
        assert_eq!(on_paper, by_engine, "moves as defined and as found, after [{moves}]");
        for (pairs, next) in expected {
            if depth == 0 || self.states_left == 0 {
                return;
            }
            let mut after = state.clone();
            // Positions that come again do not matter in this language.
            let history = &mut History::new();
            let applied = self.walk.apply(&mut after, history, &steps(&pairs), &mut self.scratch);
            if let (Ok(()), Ok(next)) = (applied, self.settle(next)) {
                line.push(spelled(&pairs));
                self.compare(&after, &next, depth - 1, line);
                line.pop();
            }
        }
    }

    fn compare_positions(&self, state: &State, position: &RbgPosition, line: &[String]) {
        let line = line.join(", ");
        let squares = self.walk.automaton().board.squares.keys();
        let pieces: Vec<_> = squares.map(|square| state.piece(square)).collect();
        assert_eq!(position.player, self.walk.player(state), "who is in control after [{line}]");
        assert_eq!(position.pieces, pieces, "the board after [{line}]");
        let variables: Vec<i64> = (0..position.variables.len())
            .map(|index| i64::from(self.walk.variable(state, Variable::from_index(index))))
            .collect();
        assert_eq!(position.variables, variables, "the variables after [{line}]");
    }
}

/// How many moves the keeper may have on the way to the next player.
const KEEPER_MOVES: usize = 20;

fn steps(pairs: &[(u32, Square)]) -> Vec<Step> {
    pairs.iter().map(|&(number, square)| Step { modifier: Modifier(number), square }).collect()
}

fn spelled(pairs: &[(u32, Square)]) -> String {
    notation::exact(&steps(pairs))
}
