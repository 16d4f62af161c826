//! Code for arithmetic.
//!
//! Values are 64 bits wide. From the bounds of variables it is known what an expression can reach; a game where that is
//! more than 64 bits is not compiled.

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::I64;
use cranelift_codegen::ir::{InstBuilder, Value};
use regulus_automaton::{Expression, Operator, Register, Relation};
use regulus_engine::segment::Pair;

use super::body::Body;
use super::sets::{Set, bytes, constants};

/// A value, its least and its greatest, and a word that is not zero when there is no value at all.
#[derive(Clone, Copy)]
pub(super) struct Number {
    pub(super) value: Value,
    pub(super) least: i64,
    pub(super) greatest: i64,
    pub(super) fails: Option<Value>,
}

impl Body<'_, '_, '_> {
    /// Whether a comparison holds, as one or zero.
    pub(super) fn holds(&mut self, pair: u32, cursor: Option<Value>) -> Option<Value> {
        let Pair { left, relation, right } = &self.segments().pairs[pair as usize];
        let left = self.number(left, cursor)?;
        let right = self.number(right, cursor)?;
        let condition = match relation {
            Relation::Equal => IntCC::Equal,
            Relation::NotEqual => IntCC::NotEqual,
            Relation::Less => IntCC::SignedLessThan,
            Relation::LessOrEqual => IntCC::SignedLessThanOrEqual,
            Relation::Greater => IntCC::SignedGreaterThan,
            Relation::GreaterOrEqual => IntCC::SignedGreaterThanOrEqual,
        };
        let holds = self.sets.b.ins().icmp(condition, left.value, right.value);
        let mut holds = self.sets.b.ins().uextend(I64, holds);
        for fails in [left.fails, right.fails].into_iter().flatten() {
            let succeeds = self.sets.b.ins().icmp_imm_s(IntCC::Equal, fails, 0);
            let succeeds = self.sets.b.ins().uextend(I64, succeeds);
            holds = self.sets.b.ins().band(holds, succeeds);
        }
        Some(holds)
    }

    /// The square with computed coordinates, if there is one, as a set.
    pub(super) fn jump(&mut self, pair: u32, cursor: Value) -> Option<Set> {
        let Pair { left, right, .. } = &self.segments().pairs[pair as usize];
        let (jumps, table) = self.compiler.tables.jumps()?;
        let x = self.number(left, Some(cursor))?;
        let y = self.number(right, Some(cursor))?;
        // Modulo 2^64, what is left of the first column is far beyond the last.
        let column = self.sets.b.ins().iadd_imm_s(x.value, -i64::from(jumps.first_column));
        let row = self.sets.b.ins().iadd_imm_s(y.value, -i64::from(jumps.first_row));
        let columns = i64::from(jumps.columns);
        let in_columns = self.sets.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, column, columns);
        let in_rows =
            self.sets.b.ins().icmp_imm_s(IntCC::UnsignedLessThan, row, i64::from(jumps.rows));
        let inside = self.sets.b.ins().band(in_columns, in_rows);
        let at = self.sets.b.ins().imul_imm_s(row, columns);
        let at = self.sets.b.ins().iadd(at, column);
        // Outside, the first place is read and forgotten.
        let zero = self.sets.number(0);
        let at = self.sets.b.ins().select(inside, at, zero);
        let at = self.sets.b.ins().ishl_imm_s(at, 3);
        let table = self.sets.number(table);
        let at = self.sets.b.ins().iadd(table, at);
        let square = self.sets.b.ins().load(I64, constants(), at, 0);
        let is_there = self.sets.b.ins().icmp_imm_s(IntCC::SignedGreaterThanOrEqual, square, 0);
        let inside = self.sets.b.ins().band(inside, is_there);
        let mut inside = self.sets.b.ins().uextend(I64, inside);
        for fails in [x.fails, y.fails].into_iter().flatten() {
            let succeeds = self.sets.b.ins().icmp_imm_s(IntCC::Equal, fails, 0);
            let succeeds = self.sets.b.ins().uextend(I64, succeeds);
            inside = self.sets.b.ins().band(inside, succeeds);
        }
        let single = self.sets.single(square);
        let condition = self.sets.ones_if(inside);
        Some(self.sets.when(&single, condition))
    }

    /// The value of an expression; `None` if it cannot be compiled.
    pub(super) fn number(
        &mut self,
        expression: &Expression,
        cursor: Option<Value>,
    ) -> Option<Number> {
        let squares = &self.automaton().board.squares;
        Some(match expression {
            Expression::Constant(constant) => {
                let (value, constant) =
                    (self.sets.number(i64::from(*constant)), i64::from(*constant));
                Number { value, least: constant, greatest: constant, fails: None }
            }
            Expression::Variable(variable) => {
                let at = self.layout().variable_at(*variable) as i32;
                let value = self.sets.b.ins().sload32(bytes(), self.state, at);
                let greatest = i64::from(self.automaton().variables[*variable].bound);
                Number { value, least: 0, greatest, fails: None }
            }
            Expression::Count(piece) => {
                let set = self.squares_of(*piece);
                let value = self.sets.count(&set);
                Number { value, least: 0, greatest: squares.len() as i64, fails: None }
            }
            Expression::Column(register) => {
                let table = self.compiler.tables.columns();
                self.coordinate(table, *register, cursor)?
            }
            Expression::Row(register) => {
                let table = self.compiler.tables.rows();
                self.coordinate(table, *register, cursor)?
            }
            Expression::Binary(operator, left, right) => {
                let left = self.number(left, cursor)?;
                let right = self.number(right, cursor)?;
                self.combine(*operator, left, right)?
            }
        })
    }

    fn coordinate(
        &mut self,
        table: i64,
        register: Register,
        cursor: Option<Value>,
    ) -> Option<Number> {
        let square = if register == Register::CURSOR { cursor? } else { self.register(register) };
        let at = self.sets.b.ins().ishl_imm_s(square, 3);
        let table = self.sets.number(table);
        let at = self.sets.b.ins().iadd(table, at);
        let value = self.sets.b.ins().load(I64, constants(), at, 0);
        let (least, greatest) = (i64::from(i32::MIN), i64::from(i32::MAX));
        Some(Number { value, least, greatest, fails: None })
    }

    fn combine(&mut self, operator: Operator, left: Number, right: Number) -> Option<Number> {
        let mut fails = match (left.fails, right.fails) {
            (Some(left), Some(right)) => Some(self.sets.b.ins().bor(left, right)),
            (one, other) => one.or(other),
        };
        let corners = [left.least, left.greatest]
            .map(|l| [right.least, right.greatest].map(|r| (i128::from(l), i128::from(r))));
        let corners = corners.as_flattened().iter();
        let (value, reached): (Value, Vec<i128>) = match operator {
            Operator::Add => (
                self.sets.b.ins().iadd(left.value, right.value),
                corners.map(|(l, r)| l + r).collect(),
            ),
            Operator::Subtract => (
                self.sets.b.ins().isub(left.value, right.value),
                corners.map(|(l, r)| l - r).collect(),
            ),
            Operator::Multiply => (
                self.sets.b.ins().imul(left.value, right.value),
                corners.map(|(l, r)| l * r).collect(),
            ),
            Operator::Divide => {
                if left.least == i64::MIN {
                    return None;
                }
                let is_zero = self.sets.b.ins().icmp_imm_s(IntCC::Equal, right.value, 0);
                let one = self.sets.number(1);
                let divisor = self.sets.b.ins().select(is_zero, one, right.value);
                let is_zero = self.sets.b.ins().uextend(I64, is_zero);
                fails = Some(match fails {
                    Some(fails) => self.sets.b.ins().bor(fails, is_zero),
                    None => is_zero,
                });
                let most = i128::from(left.least).abs().max(i128::from(left.greatest).abs());
                (self.sets.b.ins().sdiv(left.value, divisor), vec![-most, most])
            }
        };
        let least = i64::try_from(*reached.iter().min()?).ok()?;
        let greatest = i64::try_from(*reached.iter().max()?).ok()?;
        Some(Number { value, least, greatest, fails })
    }
}
