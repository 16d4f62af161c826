//! Registers and coordinates in RBG, which has neither: a register becomes two variables, for column and row.
//!
//! The column and the row of the cursor are found by cases: one for each column and each row of the board.

use std::collections::BTreeMap;

use regulus_automaton::{Expression, Register, Relation, Square, Variable, VariableInfo};

use super::names::{letters, unused};
use super::{NOWHERE, NotRaised, Raising};
use crate::rbg::checked::{Leaf, Step, Value};
use crate::rbg::paths::PathExpression;

impl Raising<'_> {
    /// The variables that hold the column and the row of a register.
    pub(super) fn coordinates(&mut self, register: Register) -> Result<[Variable; 2], NotRaised> {
        if let Some(variables) = self.registers.get(&register) {
            return Ok(*variables);
        }
        let squares = self.automaton.board.squares.values();
        let greatest = squares.clone().map(|square| [square.x, square.y]);
        let greatest = greatest.reduce(|[x, y], [a, b]| [x.max(a), y.max(b)]).unwrap_or([0, 0]);
        if squares.clone().any(|square| square.x < 0 || square.y < 0) {
            return Err(NotRaised::Coordinates);
        }
        let name = &self.automaton.registers[register];
        let mut variable = |what: &str, bound: i32| {
            let name = unused(&mut self.names, &format!("{}{what}", letters(name)));
            self.game.variables.push(VariableInfo { name, bound })
        };
        let variables = [variable("Column", greatest[0]), variable("Row", greatest[1])];
        self.registers.insert(register, variables);
        Ok(variables)
    }

    /// An action for the column that the cursor is in (axis 0), or for the row (1).
    fn on_line(&mut self, axis: usize, act: impl Fn(i32) -> Leaf) -> PathExpression {
        let mut lines: BTreeMap<i32, Vec<Square>> = BTreeMap::new();
        for (square, info) in self.automaton.board.squares.iter() {
            lines.entry([info.x, info.y][axis]).or_default().push(square);
        }
        let mut any = PathExpression::NEVER;
        for (number, squares) in lines {
            let within =
                PathExpression::from(Step::Leaf(Leaf::Shift(self.squares(squares)), NOWHERE));
            let act = PathExpression::from(Step::Leaf(act(number), NOWHERE));
            let line = self.ways.then(&within, &act);
            any = self.ways.or(&any, &line);
        }
        any
    }

    /// An action for the column that the cursor is in, and then one for the row.
    fn on_lines(&mut self, act: impl Fn(usize, i32) -> Leaf) -> PathExpression {
        let [column, row] = [0, 1].map(|axis| self.on_line(axis, |number| act(axis, number)));
        self.ways.then(&column, &row)
    }

    pub(super) fn assign(
        &mut self,
        variable: Variable,
        value: &Expression,
    ) -> Result<PathExpression, NotRaised> {
        let raised = self.value(value)?;
        if !value.mentions_cursor() {
            return Ok(PathExpression::from(Step::Leaf(Leaf::Assign(variable, raised), NOWHERE)));
        }
        let mut axes = [false; 2];
        value.visit(&mut |part| match part {
            Expression::Column(Register::CURSOR) => axes[0] = true,
            Expression::Row(Register::CURSOR) => axes[1] = true,
            _ => {}
        });
        let axis = match axes {
            [true, true] => return Err(NotRaised::Coordinates),
            [column, _] => usize::from(!column),
        };
        let cursor = self.coordinates(Register::CURSOR)?[axis];
        let assign = |number| Leaf::Assign(variable, with_number(&raised, cursor, number));
        Ok(self.on_line(axis, assign))
    }

    pub(super) fn save(&mut self, register: Register) -> Result<PathExpression, NotRaised> {
        let variables = self.coordinates(register)?;
        Ok(self.on_lines(|axis, number| Leaf::Assign(variables[axis], Value::Number(number))))
    }

    pub(super) fn recall(&mut self, register: Register) -> Result<PathExpression, NotRaised> {
        let variables = self.coordinates(register)?;
        let here = self.on_lines(|axis, number| {
            Leaf::Compare(Value::Variable(variables[axis]), Relation::Equal, Value::Number(number))
        });
        let anywhere = self.anywhere();
        Ok(self.ways.then(&anywhere, &here))
    }

    pub(super) fn put_held(&mut self, register: Register) -> Result<PathExpression, NotRaised> {
        let (recall, mut any) = (self.recall(register)?, PathExpression::NEVER);
        for piece in self.automaton.pieces.keys() {
            let held = Leaf::On(std::iter::once(piece).collect());
            let held = self.ways.then(&recall, &PathExpression::from(Step::Leaf(held, NOWHERE)));
            let held = self.ways.look(true, &held);
            let put = PathExpression::from(Step::Leaf(Leaf::Off(piece), NOWHERE));
            let put = self.ways.then(&held, &put);
            any = self.ways.or(&any, &put);
        }
        Ok(any)
    }

    pub(super) fn jump(
        &mut self,
        column: &Expression,
        row: &Expression,
    ) -> Result<PathExpression, NotRaised> {
        if column.mentions_cursor() || row.mentions_cursor() {
            return Err(NotRaised::Coordinates);
        }
        let mut way = self.anywhere();
        let cursor = self.coordinates(Register::CURSOR)?;
        for (variable, wanted) in cursor.into_iter().zip([column, row]) {
            let wanted = self.value(wanted)?;
            let equal = Leaf::Compare(Value::Variable(variable), Relation::Equal, wanted);
            let there = self.with_cursor(equal)?;
            way = self.ways.then(&way, &there);
        }
        Ok(way)
    }

    /// A test that asks for the coordinates of the cursor.
    pub(super) fn with_cursor(&mut self, test: Leaf) -> Result<PathExpression, NotRaised> {
        let save = self.save(Register::CURSOR)?;
        let test = self.ways.then(&save, &PathExpression::from(Step::Leaf(test, NOWHERE)));
        Ok(self.ways.look(true, &test))
    }
}

/// A value in which a number takes the place of a variable.
fn with_number(value: &Value, variable: Variable, number: i32) -> Value {
    match value {
        Value::Variable(known) if *known == variable => Value::Number(number),
        Value::Chain(operator, operands) => Value::Chain(
            *operator,
            operands.iter().map(|operand| with_number(operand, variable, number)).collect(),
        ),
        other => other.clone(),
    }
}
