//! Values with everything computed that is known beforehand.

use super::game::{Operation, Value};

/// Returns the value with everything computed that is known beforehand.
pub(super) fn folded(value: &Value) -> Value {
    let part = |value: &Value| Box::new(folded(value));
    match value {
        Value::Negate(inner) => match *part(inner) {
            Value::Number(number) => Value::Number(number.saturating_neg()),
            inner => Value::Negate(Box::new(inner)),
        },
        Value::Not(inner) => match *part(inner) {
            Value::Number(number) => Value::Number(i64::from(number == 0)),
            inner => Value::Not(Box::new(inner)),
        },
        Value::Board(x, y) => Value::Board(part(x), part(y)),
        Value::Choose(condition, yes, no) => match *part(condition) {
            Value::Number(0) => folded(no),
            Value::Number(_) => folded(yes),
            condition => Value::Choose(Box::new(condition), part(yes), part(no)),
        },
        Value::Binary(operation, left, right) => {
            fold_binary(*operation, folded(left), folded(right))
        }
        other => other.clone(),
    }
}

fn fold_binary(operation: Operation, left: Value, right: Value) -> Value {
    match (operation, &left, &right) {
        (Operation::And, Value::Number(0), _) | (Operation::And, _, Value::Number(0)) => {
            return Value::Number(0);
        }
        (Operation::Or, Value::Number(number), _) | (Operation::Or, _, Value::Number(number))
            if *number != 0 =>
        {
            return Value::Number(1);
        }
        (_, Value::Number(a), Value::Number(b)) => {
            if let Some(number) = operation.apply(*a, *b) {
                return Value::Number(number);
            }
        }
        _ => {}
    }
    Value::Binary(operation, Box::new(left), Box::new(right))
}
