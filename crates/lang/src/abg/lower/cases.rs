//! Values as expressions of the automaton.
//!
//! The automaton computes with numbers, variables and coordinates. What else a value depends on is decided by branches first:
//! in each case that part is a number, and the rest is arithmetic.

use regulus_automaton::{Expression, Node, Operator, Register};

use super::branches::BranchPoint;
use super::values::replaced;
use super::{Context, Lowering, constant};
use crate::abg::fold::folded;
use crate::abg::game::{Operation, Value};

impl Lowering<'_> {
    /// Branches until no part of a value depends on the board, and goes on with each of the values that remain.
    pub(super) fn cases(
        &mut self,
        value: &Value,
        context: Context,
        from: Node,
        function: &mut dyn FnMut(&mut Self, &Value, Node),
    ) {
        if self.is_full() {
            return;
        }
        match unknown_part(value) {
            None => function(self, value, from),
            Some(Value::Board(x, y)) => {
                let part = Value::Board(x.clone(), y.clone());
                for piece in -1..self.game.pieces.len() as i64 {
                    let known = Value::Number(piece);
                    let same = Value::Binary(
                        Operation::Equal,
                        Box::new(part.clone()),
                        Box::new(known.clone()),
                    );
                    let at = self.draft.add_node();
                    self.branch(&same, BranchPoint::only_if(context, from, at));
                    let value = folded(&replaced(value, &part, &known));
                    self.cases(&value, context, at, function);
                }
            }
            Some(Value::Choose(condition, first, second)) => {
                let part = Value::Choose(condition.clone(), first.clone(), second.clone());
                let (yes, no) = (self.draft.add_node(), self.draft.add_node());
                self.branch(&condition.clone(), BranchPoint::new(context, from, yes, no));
                for (chosen, at) in [(first.clone(), yes), (second.clone(), no)] {
                    let value = folded(&replaced(value, &part, &chosen));
                    self.cases(&value, context, at, function);
                }
            }
            Some(part) => {
                let part = part.clone();
                let (yes, no) = (self.draft.add_node(), self.draft.add_node());
                self.branch(&part, BranchPoint::new(context, from, yes, no));
                for (number, at) in [(1, yes), (0, no)] {
                    let value = folded(&replaced(value, &part, &Value::Number(number)));
                    self.cases(&value, context, at, function);
                }
            }
        }
    }

    /// Goes on with the coordinates of a square as expressions of the automaton, in each of their cases.
    pub(super) fn cases_of_place(
        &mut self,
        place: &Value,
        context: Context,
        from: Node,
        function: &mut dyn FnMut(&mut Self, Expression, Expression, Node),
    ) {
        let Value::Board(x, y) = place else { return };
        let (x, y) = (x.clone(), y.clone());
        self.cases(&x, context, from, &mut |lowering, x, at| {
            let x = x.clone();
            let y = y.clone();
            lowering.cases(&y, context, at, &mut |lowering, y, at| {
                if let (Some(x), Some(y)) =
                    (lowering.arithmetic(&x, context), lowering.arithmetic(y, context))
                {
                    // The automaton counts rows from the top.
                    let top = constant(i64::from(lowering.game.height) - 1);
                    let y = Expression::binary(Operator::Subtract, top, y);
                    function(lowering, x, y, at);
                }
            });
        });
    }

    /// Returns a value as an expression of the automaton; `None` if it depends on the board.
    pub(super) fn arithmetic(&self, value: &Value, context: Context) -> Option<Expression> {
        let column = || Expression::Column(Register::CURSOR);
        // Rows are counted from the bottom here.
        let row = || {
            let top = constant(i64::from(self.game.height) - 1);
            Expression::binary(Operator::Subtract, top, Expression::Row(Register::CURSOR))
        };
        let minus = |value: Expression, step: i32| {
            Expression::binary(Operator::Subtract, value, constant(i64::from(step)))
        };
        Some(match value {
            Value::Number(number) => Expression::Constant(i32::try_from(*number).ok()?),
            Value::Variable(variable) => {
                let read = Expression::Variable(self.variables.variable(*variable));
                match self.variables.offset(*variable) {
                    0 => read,
                    offset => Expression::binary(Operator::Subtract, read, constant(offset)),
                }
            }
            Value::Score(player) => match self.variables.score(*player) {
                Some(score) => Expression::Variable(score),
                None => Expression::Constant(0),
            },
            Value::ThisX => column(),
            Value::ThisY => row(),
            Value::FromX => minus(column(), context.step.0),
            Value::FromY => minus(row(), context.step.1),
            Value::Count(piece) => Expression::Count(self.piece(*piece)),
            Value::Negate(inner) => {
                let inner = self.arithmetic(inner, context)?;
                Expression::binary(Operator::Subtract, constant(0), inner)
            }
            Value::Binary(operation, left, right) => {
                let (left, right) =
                    (self.arithmetic(left, context)?, self.arithmetic(right, context)?);
                let operator = match operation {
                    Operation::Add => Operator::Add,
                    Operation::Subtract => Operator::Subtract,
                    Operation::Multiply => Operator::Multiply,
                    Operation::Divide => Operator::Divide,
                    Operation::Modulo => {
                        let whole =
                            Expression::binary(Operator::Divide, left.clone(), right.clone());
                        let whole = Expression::binary(Operator::Multiply, whole, right);
                        return Some(Expression::binary(Operator::Subtract, left, whole));
                    }
                    _ => return None,
                };
                Expression::binary(operator, left, right)
            }
            _ => return None,
        })
    }
}

/// Returns a part that only tests can decide.
fn unknown_part(value: &Value) -> Option<&Value> {
    match value {
        Value::Number(_)
        | Value::Variable(_)
        | Value::Score(_)
        | Value::ThisX
        | Value::ThisY
        | Value::FromX
        | Value::FromY
        | Value::Count(_) => None,
        Value::Negate(a) => unknown_part(a),
        Value::Board(x, y) => unknown_part(x).or_else(|| unknown_part(y)).or(Some(value)),
        Value::Binary(
            Operation::Add
            | Operation::Subtract
            | Operation::Multiply
            | Operation::Divide
            | Operation::Modulo,
            a,
            b,
        ) => unknown_part(a).or_else(|| unknown_part(b)),
        Value::Binary(Operation::And | Operation::Or, ..) => Some(value),
        Value::Binary(_, a, b) => unknown_part(a).or_else(|| unknown_part(b)).or(Some(value)),
        // Decided as a whole, since one side may be enough.
        Value::Choose(..) | Value::Not(_) => Some(value),
        Value::Holds(_) | Value::Current | Value::Stuck | Value::Match(_) => Some(value),
    }
}
