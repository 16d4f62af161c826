//! Limits of what calls expand to, which may be much larger than the text.

use super::Checker;
use crate::abg::game::{Letter, Value};
use crate::diagnostics::Code;
use crate::regular::Regular;
use crate::source::Span;

/// The most parts of expressions that all expansions may have together.
const MAX_WORK: usize = 500_000;

/// The deepest that sentences, values and effects may become by calls.
const MAX_DEPTH: usize = 500;

impl Checker<'_> {
    /// Counts one part; reports it once when there are too many, from where on it returns `None`.
    pub(super) fn spend(&mut self, span: Span) -> Option<()> {
        let before = self.work;
        self.work += 1;
        if self.work >= MAX_WORK && before < MAX_WORK * 2 {
            // Said once: later parts find that twice the work is done.
            self.work = MAX_WORK * 2;
            let message = format!("macros and functions expand to more than {MAX_WORK} parts");
            self.error(Code::AbgTooMany, span, message, "use fewer calls in calls");
        }
        (self.work < MAX_WORK).then_some(())
    }

    /// Counts the letters of a sentence that is written once and expanded again.
    pub(super) fn copied(&mut self, expression: &Regular<Letter>, span: Span) -> Option<()> {
        let size = usize::try_from(expression.size()).unwrap_or(MAX_WORK);
        if self.work < MAX_WORK {
            // No more than that, so that it is said.
            self.work = self.work.saturating_add(size).min(MAX_WORK);
        }
        self.spend(span)
    }

    /// Goes one level down, unless that is too deep.
    pub(super) fn deeper<T>(
        &mut self,
        span: Span,
        go: impl FnOnce(&mut Self) -> Option<T>,
    ) -> Option<T> {
        if self.depth == MAX_DEPTH {
            let message = format!("with what it calls this is nested deeper than {MAX_DEPTH}");
            self.error(Code::AbgNestingTooDeep, span, message, "make it simpler");
            return None;
        }
        self.depth += 1;
        let result = go(self);
        self.depth -= 1;
        result
    }

    /// Counts the parts of a value that is written once and expanded again.
    pub(super) fn spend_value(&mut self, value: &Value, span: Span) -> Option<()> {
        self.work += measure(value).0;
        self.spend(span)
    }

    /// Reports a value that is too deep.
    pub(super) fn not_too_deep(&mut self, value: &Value, span: Span) -> Option<()> {
        if measure(value).1 <= MAX_DEPTH {
            return Some(());
        }
        let message = format!("this value becomes deeper than {MAX_DEPTH} operations");
        self.error(Code::AbgNestingTooDeep, span, message, "make it simpler");
        None
    }
}

/// Returns the number of parts of a value, and its depth; without recursion, since it may be too deep for that.
fn measure(value: &Value) -> (usize, usize) {
    let mut work = vec![(value, 1)];
    let (mut size, mut depth) = (0, 0);
    while let Some((value, level)) = work.pop() {
        size += 1;
        depth = depth.max(level);
        match value {
            Value::Board(a, b) | Value::Binary(_, a, b) => {
                work.extend([(a.as_ref(), level + 1), (b.as_ref(), level + 1)]);
            }
            Value::Negate(a) | Value::Not(a) => work.push((a, level + 1)),
            Value::Choose(a, b, c) => {
                work.extend([a, b, c].map(|part| (part.as_ref(), level + 1)));
            }
            _ => {}
        }
    }
    (size, depth)
}
