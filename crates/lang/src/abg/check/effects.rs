//! Effects of letters, with their calls expanded: lists of steps.

use super::names::Meaning;
use super::{Arguments, COUNTED, Checker, REGISTER, origin};
use crate::abg::ast::{Call, Placed, Statement};
use crate::abg::fold::folded;
use crate::abg::game::{Effect, Step, Value};
use crate::diagnostics::Code;
use crate::source::Span;

impl Checker<'_> {
    /// Returns the number of the effect that a letter calls.
    pub(super) fn effect(&mut self, call: &Call, arguments: &Arguments) -> Option<usize> {
        let name = &call.name.value;
        if !self.names.contains_key(name) && self.externals.effects.contains(name) {
            return Some(
                self.effects.number(&mut self.game.effects, Effect::External(name.clone())),
            );
        }
        let steps = self.steps(call, arguments)?;
        Some(self.effects.number(&mut self.game.effects, Effect::Steps(steps)))
    }

    /// Returns the number of the effect of letters without one: a move, unless `Default` means something else.
    pub(super) fn default_effect(&mut self, span: Span) -> Option<usize> {
        let registered = self.externals.effects.contains("Default");
        if registered || self.names.contains_key("Default") {
            let name = Placed { value: "Default".to_owned(), span };
            return self.effect(&Call { name, arguments: Vec::new() }, &Arguments::new());
        }
        self.needs_empty(span)?;
        Some(0)
    }

    /// Reports a move in a game without the piece that moves leave behind.
    fn needs_empty(&mut self, span: Span) -> Option<()> {
        if self.is_trial {
            return Some(());
        }
        if self.game.empty.is_none() && !self.game.pieces.is_empty() {
            let message = "there is no piece `empty` to be left behind by a move";
            let help = "add `empty` to the pieces, or define `effect Default() { … };`";
            self.error(Code::AbgUnknownName, span, message, help);
        }
        self.game.empty.map(|_| ())
    }

    /// Returns the steps of an effect; calls of effects in effects are written out.
    fn steps(&mut self, call: &Call, outside: &Arguments) -> Option<Vec<Step>> {
        let name = &call.name;
        let builtin = ["Move", "Default"].contains(&name.value.as_str());
        let (parameters, statements) = match self.names.get(&name.value).cloned() {
            Some((Meaning::Effect(parameters, statements), _)) => (parameters, statements),
            None if builtin
                && call.arguments.is_empty()
                && !self.externals.effects.contains(&name.value) =>
            {
                self.needs_empty(name.span)?;
                return Some(vec![Step::Move]);
            }
            None if self.externals.effects.contains(&name.value) => {
                self.stands_alone(name, "write it alone in a letter: `[0, 1, Empty]{name}`");
                return None;
            }
            _ => {
                let others = self.externals.effects.iter().map(String::as_str);
                let others = others.chain(["Move", "Default"]);
                let known = self.known(|meaning| matches!(meaning, Meaning::Effect(..)), others);
                let remedy = format!("define `effect {}() {{ … }};`, or {REGISTER}; ", name.value);
                self.unknown_unless(name, "effect", &known, &remedy);
                return None;
            }
        };
        let arguments = self.arguments(call, &parameters, outside)?;
        self.deeper(name.span, |checker| {
            let mut steps = Vec::new();
            for statement in &statements {
                checker.spend(name.span)?;
                checker.statement(statement, &arguments, &mut steps)?;
            }
            Some(steps)
        })
    }

    /// Appends the steps of a statement.
    pub(super) fn statement(
        &mut self,
        statement: &Statement,
        arguments: &Arguments,
        steps: &mut Vec<Step>,
    ) -> Option<()> {
        match statement {
            Statement::Call(call) => steps.extend(self.steps(call, arguments)?),
            Statement::Board(x, y, piece, span) => {
                let mut value = |part| self.value(part, arguments).map(|value| folded(&value));
                let (x, y, piece) = (value(x), value(y), value(piece));
                let (x, y, piece) = (x?, y?, piece?);
                if self.is_off_board(&x, &y) {
                    let message = "this square is not on the board";
                    self.error(Code::AbgOffBoard, *span, message, COUNTED);
                    return None;
                }
                for value in [&x, &y, &piece] {
                    self.without_stuck(value, *span)?;
                }
                if let Value::Number(number) = piece
                    && !self.is_trial
                    && !usize::try_from(number).is_ok_and(|number| number < self.game.pieces.len())
                {
                    let message = format!("{number} is no piece");
                    self.error(
                        Code::AbgWrongKind,
                        *span,
                        message,
                        "pieces are written by their names",
                    );
                    return None;
                }
                steps.push(Step::Board(x, y, piece, origin(*span)));
            }
            Statement::Assign(name, value) => {
                let value = folded(&self.value(value, arguments)?);
                self.without_stuck(&value, name.span)?;
                match self.names.get(&name.value) {
                    Some((Meaning::Variable(variable), _)) => {
                        steps.push(Step::Variable(*variable, value, origin(name.span)));
                    }
                    Some((Meaning::Player(player), _)) => {
                        steps.push(Step::Score(*player, value, origin(name.span)));
                    }
                    _ => {
                        let known: Vec<String> =
                            self.game.variables.iter().map(|(name, _)| name.clone()).collect();
                        self.unknown(name, "variable", &known);
                        return None;
                    }
                }
            }
        }
        Some(())
    }
}
