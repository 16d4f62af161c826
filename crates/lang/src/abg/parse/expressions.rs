//! Expressions: values computed from numbers, names and calls.

use super::Parser;
use crate::abg::ast::{Expression, Operation, Placed};
use crate::abg::lex::TokenKind;
use crate::diagnostics::{Code, Diagnostic};

/// How many operations an expression may have: as deep it may become.
const MAX_OPERATIONS: usize = 400;

/// The operations by how strongly they bind, weakest first.
const LEVELS: [&[(&str, Operation)]; 6] = [
    &[("or", Operation::Or), ("||", Operation::Or)],
    &[("and", Operation::And), ("&&", Operation::And)],
    &[("==", Operation::Equal), ("!=", Operation::NotEqual)],
    &[
        ("<", Operation::Less),
        ("<=", Operation::LessOrEqual),
        (">", Operation::Greater),
        (">=", Operation::GreaterOrEqual),
    ],
    &[("+", Operation::Add), ("-", Operation::Subtract)],
    &[
        ("*", Operation::Multiply),
        ("/", Operation::Divide),
        ("//", Operation::Divide),
        ("%", Operation::Modulo),
    ],
];

impl Parser<'_> {
    /// `a ? b : c` binds weakest.
    pub(super) fn expression(&mut self) -> Option<Placed<Expression>> {
        if self.depth == 0 {
            self.operations = 0;
        }
        let start = self.cursor.place();
        let condition = self.deeper(|p| p.binary(0))?;
        if self.take("?").is_none() {
            return Some(condition);
        }
        let yes = self.deeper(Parser::expression)?;
        self.expect(":", "a choice is `condition ? one : other`")?;
        let no = self.deeper(Parser::expression)?;
        let value = Expression::Choose(Box::new(condition), Box::new(yes), Box::new(no));
        Some(Placed { value, span: start.to(self.cursor.before()) })
    }

    fn binary(&mut self, level: usize) -> Option<Placed<Expression>> {
        if level == LEVELS.len() {
            return self.unary();
        }
        let start = self.cursor.place();
        let mut left = self.binary(level + 1)?;
        while let Some(operation) = self.operation(level) {
            self.cursor.advance();
            self.operations += 1;
            if self.operations > MAX_OPERATIONS {
                let message = format!("this expression has more than {MAX_OPERATIONS} operations");
                self.sink.push(Diagnostic::error(
                    Code::AbgNestingTooDeep,
                    self.cursor.place(),
                    message,
                ));
                return None;
            }
            let right = self.binary(level + 1)?;
            let value = Expression::Binary(operation, Box::new(left), Box::new(right));
            left = Placed { value, span: start.to(self.cursor.before()) };
        }
        Some(left)
    }

    fn operation(&self, level: usize) -> Option<Operation> {
        let text = match self.cursor.peek()? {
            TokenKind::Symbol(symbol) => symbol,
            TokenKind::Word(word) => word.as_str(),
            _ => return None,
        };
        LEVELS[level]
            .iter()
            .find(|(spelling, _)| *spelling == text)
            .map(|(_, operation)| *operation)
    }

    fn unary(&mut self) -> Option<Placed<Expression>> {
        let start = self.cursor.place();
        let wrap = if self.is("-") {
            Expression::Negate
        } else if self.is("!") || self.is_word("not") {
            Expression::Not
        } else {
            return self.primary();
        };
        self.cursor.advance();
        let inner = self.deeper(Parser::unary)?;
        Some(Placed { value: wrap(Box::new(inner)), span: start.to(self.cursor.before()) })
    }

    fn primary(&mut self) -> Option<Placed<Expression>> {
        let start = self.cursor.place();
        if self.take("(").is_some() {
            let inner = self.deeper(Parser::expression)?;
            self.expect(")", "close the bracket")?;
            return Some(inner);
        }
        if let Some(TokenKind::Number(number)) = self.cursor.peek() {
            return Some(Placed {
                value: Expression::Number(*number),
                span: self.cursor.advance(),
            });
        }
        let name = self.name(
            "a value",
            "values are numbers, variables, `Board[x][y]`, `this.x`, and what is made of them",
        )?;
        let value = if name.value == "Board" {
            Expression::Board(Box::new(self.index()?), Box::new(self.index()?))
        } else if self.take(".").is_some() {
            Expression::Field(
                name,
                self.name("a field", "there are `this.x`, `this.y` and `white.score`")?,
            )
        } else {
            Expression::Call(self.call(name)?)
        };
        Some(Placed { value, span: start.to(self.cursor.before()) })
    }
}
