//! What the automaton keeps besides the board: the scores, the variables of the game, and the scores that effects assign.

use regulus_automaton::{Variable, VariableInfo};

use super::{WIN, steps};
use crate::abg::game::{Effect, Game, Step, Test, Value};

/// How far variables may go, when not only known numbers are assigned to them.
const REACH: i64 = 1_000_000;

/// Where the values of a game are among the variables of its automaton.
pub(super) struct Variables {
    /// The variables before those of the game: the scores at the end.
    players: usize,
    /// What is added to each variable of the game so that it is never negative.
    offsets: Vec<i64>,
    /// Whether there are variables for scores that effects assign, behind those of the game.
    is_scored: bool,
}

impl Variables {
    /// Returns the variables of a game, and what the automaton is told about those behind the scores.
    pub(super) fn declare(game: &Game) -> (Variables, Vec<VariableInfo>) {
        let (mut infos, mut offsets) = (Vec::new(), Vec::new());
        for (index, (name, initial)) in game.variables.iter().enumerate() {
            let (low, high) = range(game, index, *initial);
            offsets.push(-low);
            // The automaton's variables begin at 0; the name says what is added to this one.
            let name = if low < 0 { format!("{name}+{}", -low) } else { name.clone() };
            infos.push(VariableInfo { name, bound: (high - low) as i32 });
        }
        let is_scored = steps(game).any(|step| matches!(step, Step::Score(..)));
        if is_scored {
            let names = game.players.iter().map(|player| format!("{player}.score"));
            infos.extend(names.map(|name| VariableInfo { name, bound: WIN as i32 }));
        }
        (Variables { players: game.players.len(), offsets, is_scored }, infos)
    }

    /// Returns a variable of the game.
    pub(super) fn variable(&self, index: usize) -> Variable {
        Variable((self.players + index) as u32)
    }

    /// Returns what is added to a variable of the game so that it is never negative.
    pub(super) fn offset(&self, index: usize) -> i64 {
        self.offsets[index]
    }

    /// Returns the variable of the score that effects assign to a player; `None` if no effect assigns scores.
    pub(super) fn score(&self, player: usize) -> Option<Variable> {
        self.is_scored.then(|| self.variable(self.offsets.len() + player))
    }
}

/// Returns the least and the greatest value of a variable.
pub(in crate::abg) fn range(game: &Game, variable: usize, initial: i64) -> (i64, i64) {
    let (mut low, mut high) = (initial.min(0), initial.max(0));
    for effect in &game.effects {
        let Effect::Steps(steps) = effect else { continue };
        for step in steps {
            match step {
                Step::Variable(number, Value::Number(value), _) if *number == variable => {
                    (low, high) = (low.min(*value), high.max(*value));
                }
                Step::Variable(number, ..) if *number == variable => {
                    high = high.max(REACH);
                }
                _ => {}
            }
        }
    }
    // At least one value besides the first, so that the variable is one.
    (low, high.max(low + 1))
}

/// Returns whether a post condition may read variables; one with a pattern in it counts as if it did.
pub(super) fn posts_read_variables(game: &Game) -> bool {
    let mut reads = false;
    for post in &game.posts {
        post.rule.expression.visit_letters(&mut |letter| {
            if let Test::Value(value) = &game.tests[letter.test] {
                value.visit(&mut |part| {
                    reads |= matches!(part, Value::Variable(_) | Value::Score(_) | Value::Match(_));
                });
            }
        });
    }
    reads
}
