//! Low-level text is the same game, and its own low-level text.

use std::collections::BTreeSet;

use regulus_engine::{Counting, Rules as _, Walk, perft};
use regulus_lang::rbg::{Checked, Leaf, Step, Value, check, lower_to_text};
use regulus_lang::{Severity, Source, render};

use crate::effort::Effort;
use crate::lockstep::Lockstep;

/// The low-level text of a game compiles; lowering it gives the same bytes; it has the same actions in the same order, so
/// the same modifiers; and the same moves lead to the same states, in the same numbers.
///
/// Returns the number of states and trees that were compared.
///
/// # Panics
///
/// Panics if the law is broken.
pub fn lowering_keeps_the_game(text: &str, effort: &Effort) -> u64 {
    let (Some(game), _) = check(&Source::new("high.rbg", text)) else { return 0 };
    let low = Source::new("low.rbg", lower_to_text(&game));
    let (lowered, findings) = check(&low);
    let errors: Vec<_> =
        findings.into_iter().filter(|finding| finding.severity == Severity::Error).collect();
    let Some(lowered) = lowered.filter(|_| errors.is_empty()) else {
        panic!("low-level text is refused:\n{}\n{}", render(&errors, &low, false), low.text());
    };
    assert_eq!(lower_to_text(&lowered), low.text(), "lowering twice is not lowering once");
    compare_actions(&game, &lowered);
    let (Some(high), Some(low)) = (effort.load(text), effort.load(low.text())) else { return 0 };
    let high = Walk::with_limits(high, effort.limits);
    let low = Walk::with_limits(low, effort.generous());
    let states = Lockstep::new(&high, &low, None).compare("low-level text", effort);
    states + compare_perft(&high, &low, effort)
}

/// Both texts consist of the same actions in the same order.
fn compare_actions(game: &Checked, lowered: &Checked) {
    let (mut high, mut low) = (Vec::new(), Vec::new());
    Speller { game }.actions(&game.rules, &mut high);
    Speller { game: lowered }.actions(&lowered.rules, &mut low);
    assert_eq!(high, low, "the actions of the rules");
}

/// Spells actions so that equal texts mean equal actions, whatever the numbers of the names.
struct Speller<'a> {
    game: &'a Checked,
}

impl Speller<'_> {
    /// All actions with powers written out.
    fn actions(&self, step: &Step, list: &mut Vec<String>) {
        match step {
            Step::Sum(parts) | Step::Chain(parts) => {
                parts.iter().for_each(|part| self.actions(part, list));
            }
            Step::Star(body, _) | Step::Look { body, .. } => self.actions(body, list),
            Step::Power(body, count) => (0..*count).for_each(|_| self.actions(body, list)),
            Step::Leaf(leaf, _) => list.push(self.action(leaf)),
        }
    }

    fn action(&self, leaf: &Leaf) -> String {
        let Checked { players, variables, pieces, board, .. } = self.game;
        match leaf {
            Leaf::Shift(direction) => {
                let mut squares = board.squares.values();
                let leads = squares.any(|square| square.neighbours[*direction].is_some());
                // Low-level text cannot name a direction that leads nowhere; it says that the step fails.
                if leads { board.directions[*direction].clone() } else { "on []".to_owned() }
            }
            Leaf::On(set) => {
                let names: BTreeSet<&str> = set.iter().map(|piece| &*pieces[piece]).collect();
                format!("on {:?}", Vec::from_iter(names))
            }
            Leaf::Off(piece) => format!("off {}", pieces[*piece]),
            Leaf::Assign(variable, value) => {
                format!("{} = {}", variables[*variable].name, self.value(value))
            }
            Leaf::Compare(left, relation, right) => {
                format!("{} {} {}", self.value(left), relation.symbol(), self.value(right))
            }
            Leaf::Turn(player) => format!("turn {}", players[*player].name),
            Leaf::Keeper => "keeper".to_owned(),
            Leaf::Dot => ".".to_owned(),
        }
    }

    /// With all brackets.
    fn value(&self, value: &Value) -> String {
        match value {
            Value::Number(number) => number.to_string(),
            Value::Variable(variable) => self.game.variables[*variable].name.clone(),
            Value::Count(piece) => format!("count({})", self.game.pieces[*piece]),
            Value::Chain(operator, operands) => {
                let operands: Vec<String> = operands.iter().map(|part| self.value(part)).collect();
                format!("({})", operands.join(operator.symbol()))
            }
        }
    }
}

/// Returns the number of trees that were compared.
fn compare_perft(high: &Walk, low: &Walk, effort: &Effort) -> u64 {
    for depth in 0..=effort.depth {
        let count = |walk: &Walk| {
            let state = walk.initial(&mut walk.scratch())?;
            perft(walk, &state, &walk.history(&state), depth, Counting::Each, &mut |_, _| {})
        };
        let Ok(counted) = count(high) else { return depth.into() };
        assert_eq!(count(low), Ok(counted), "perft to depth {depth}");
        if counted.states > effort.states as u64 {
            return u64::from(depth) + 1;
        }
    }
    u64::from(effort.depth) + 1
}
