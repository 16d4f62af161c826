//! Values in one context, computed as far as that needs no automaton.

use super::Context;
use crate::abg::fold::folded;
use crate::abg::game::{Operation, Value};

/// A coordinate of a square.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Axis {
    X,
    Y,
}

/// Returns how far a coordinate is from that of the letter's square; `None` if that is not known beforehand.
pub(super) fn affine(value: &Value, axis: Axis) -> Option<i32> {
    match (value, axis) {
        (Value::ThisX, Axis::X) | (Value::ThisY, Axis::Y) => Some(0),
        (Value::Binary(operation, left, right), _) => {
            match (operation, left.as_ref(), right.as_ref()) {
                (Operation::Add, base, Value::Number(number))
                | (Operation::Add, Value::Number(number), base) => {
                    affine(base, axis)?.checked_add(i32::try_from(*number).ok()?)
                }
                (Operation::Subtract, base, Value::Number(number)) => {
                    affine(base, axis)?.checked_sub(i32::try_from(*number).ok()?)
                }
                _ => None,
            }
        }
        _ => None,
    }
    .filter(|distance| distance.abs() < 10_000)
}

/// Returns a value in a context: what depends on the turn and the letter is replaced by what it is there.
pub(super) fn specialised(value: &Value, context: Context) -> Value {
    let back = |value: Value, step: i32| match step {
        0 => value,
        _ => Value::Binary(
            Operation::Add,
            Box::new(value),
            Box::new(Value::Number(-i64::from(step))),
        ),
    };
    let known = [
        (Value::Current, Value::Number(context.current as i64)),
        (Value::Stuck, Value::Number(i64::from(context.stuck))),
        (Value::FromX, back(Value::ThisX, context.step.0)),
        (Value::FromY, back(Value::ThisY, context.step.1)),
    ];
    let mut value = value.clone();
    for (part, by) in known {
        value = replaced(&value, &part, &by);
    }
    folded(&value)
}

/// Returns a value with a part replaced in all places.
pub(super) fn replaced(value: &Value, part: &Value, by: &Value) -> Value {
    if value == part {
        return by.clone();
    }
    let inner = |value: &Value| Box::new(replaced(value, part, by));
    match value {
        Value::Board(x, y) => Value::Board(inner(x), inner(y)),
        Value::Negate(a) => Value::Negate(inner(a)),
        Value::Not(a) => Value::Not(inner(a)),
        Value::Binary(operation, a, b) => Value::Binary(*operation, inner(a), inner(b)),
        Value::Choose(a, b, c) => Value::Choose(inner(a), inner(b), inner(c)),
        other => other.clone(),
    }
}

/// Returns whether a value may be impossible to compute: it divides, or multiplies what may become too large.
pub(super) fn may_fail(value: &Value) -> bool {
    let mut risky = false;
    value.visit(&mut |part| {
        risky |= matches!(
            part,
            Value::Binary(Operation::Divide | Operation::Modulo | Operation::Multiply, ..)
        );
    });
    risky
}
