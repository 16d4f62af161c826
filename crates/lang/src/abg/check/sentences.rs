//! Sentences with their macros expanded: regular expressions over letters, and their machines.

use super::names::Meaning;
use super::{Arguments, Checker, origin};
use crate::abg::ast::{Call, Expression, Placed, Sentence};
use crate::abg::fold::folded;
use crate::abg::game::{Content, Effect, Letter, Rule, Test, Value};
use crate::abg::lint;
use crate::diagnostics::Code;
use crate::regular::{MAX_LETTERS, MAX_STATES, Regular, TooLarge};
use crate::source::Span;

impl Checker<'_> {
    /// Returns a sentence with its macros expanded; `acts` says whether its letters may have effects.
    pub(super) fn sentence(
        &mut self,
        sentence: &Placed<Sentence>,
        arguments: &Arguments,
        acts: bool,
    ) -> Option<Regular<Letter>> {
        self.spend(sentence.span)?;
        self.deeper(sentence.span, |checker| checker.expanded(sentence, arguments, acts))
    }

    /// The same without a look at the limits.
    fn expanded(
        &mut self,
        sentence: &Placed<Sentence>,
        arguments: &Arguments,
        acts: bool,
    ) -> Option<Regular<Letter>> {
        let mut all = |parts: &[Placed<Sentence>]| {
            // All of them, so that everything wrong is found.
            let parts: Vec<_> =
                parts.iter().map(|part| self.sentence(part, arguments, acts)).collect();
            parts.into_iter().collect::<Option<Vec<_>>>()
        };
        Some(match &sentence.value {
            Sentence::Sum(parts) => Regular::Sum(all(parts)?),
            Sentence::Chain(parts) => Regular::Chain(all(parts)?),
            Sentence::Star(body) => {
                let body = self.sentence(body, arguments, acts)?;
                self.star(body, sentence.span)
            }
            Sentence::Maybe(body) => {
                Regular::Sum(vec![self.sentence(body, arguments, acts)?, Regular::Empty])
            }
            Sentence::Plus(body) => {
                let body = self.sentence(body, arguments, acts)?;
                self.copied(&body, sentence.span)?;
                Regular::Chain(vec![body.clone(), self.star(body, sentence.span)])
            }
            Sentence::Letter { x, y, test, effect } => {
                let (x, y) = (self.constant(x, arguments), self.constant(y, arguments));
                let test = self.test(test, arguments);
                let effect = match effect {
                    Some(call) if !acts => {
                        let message = "an effect has no place in what is only looked for";
                        self.error(Code::AbgWrongKind, call.name.span, message, "leave it out");
                        None
                    }
                    Some(call) => Some(self.effect(call, arguments)?),
                    None if acts => Some(self.default_effect(sentence.span)?),
                    None => None,
                };
                Regular::Letter(Letter { x: x?, y: y?, test: test?, effect })
            }
            Sentence::RuleOf(piece) => {
                let number = self.piece_named(piece)?;
                let Some(rule) = &self.game.rules[number] else {
                    let message = format!("`{}` has no rule yet", piece.value);
                    self.error(Code::AbgOrder, piece.span, message, "put its rule before this one");
                    return None;
                };
                let expression = rule.expression.clone();
                self.copied(&expression, sentence.span)?;
                if acts { expression } else { without_effects(expression) }
            }
            Sentence::Call(call) => self.sentence_call(call, arguments, acts)?,
        })
    }

    /// Returns what a call in a sentence stands for.
    fn sentence_call(
        &mut self,
        call: &Call,
        outside: &Arguments,
        acts: bool,
    ) -> Option<Regular<Letter>> {
        let name = &call.name;
        let (parameters, sentence) = match self.names.get(&name.value).cloned() {
            Some((Meaning::Macro(parameters, sentence), _)) => (parameters, sentence),
            Some((Meaning::Function(..), _)) => return self.function_word(call, outside, acts),
            _ => {
                let is_word = |meaning: &Meaning| {
                    matches!(meaning, Meaning::Macro(..) | Meaning::Function(..))
                };
                let known = self.known(is_word, []);
                self.unknown(name, "macro or function", &known);
                return None;
            }
        };
        let arguments = self.arguments(call, &parameters, outside)?;
        self.deeper(name.span, |checker| checker.sentence(&sentence, &arguments, acts))
    }

    /// Returns a function in a sentence, which is a test of the square where it stands, without an effect.
    fn function_word(
        &mut self,
        call: &Call,
        outside: &Arguments,
        acts: bool,
    ) -> Option<Regular<Letter>> {
        let value = folded(&self.value_call(call, outside)?);
        self.without_stuck(&value, call.name.span)?;
        let test = self.tests.number(&mut self.game.tests, Test::Value(value));
        let nothing = Effect::Steps(Vec::new());
        let effect = acts.then(|| self.effects.number(&mut self.game.effects, nothing));
        Some(Regular::Letter(Letter { x: 0, y: 0, test, effect }))
    }

    /// Returns a step of a letter: a number that is known beforehand.
    fn constant(&mut self, expression: &Placed<Expression>, arguments: &Arguments) -> Option<i32> {
        let value = self.value(expression, arguments)?;
        match folded(&value) {
            Value::Number(number) if number.unsigned_abs() < 10_000 => i32::try_from(number).ok(),
            Value::Number(_) => {
                let message = "no board is that large";
                self.error(Code::AbgTooMany, expression.span, message, "steps are below 10,000");
                None
            }
            _ => {
                let message = "a step must be a number that is known beforehand";
                let help = "use numbers and parameters of macros";
                self.error(Code::AbgNotConstant, expression.span, message, help);
                None
            }
        }
    }

    /// Returns the number of a letter's condition.
    fn test(&mut self, expression: &Placed<Expression>, arguments: &Arguments) -> Option<usize> {
        let external = match &expression.value {
            Expression::Call(call) if call.arguments.is_empty() => {
                let name = &call.name.value;
                let known = self.names.contains_key(name) || self.predicate(name).is_some();
                (!known && self.externals.predicates.contains(name)).then(|| name.clone())
            }
            _ => None,
        };
        let test = match external {
            Some(name) => Test::External(name),
            None => Test::Value(folded(&self.test_value(expression, arguments)?)),
        };
        if let Test::Value(value) = &test {
            self.without_stuck(value, expression.span)?;
        }
        Some(self.tests.number(&mut self.game.tests, test))
    }

    /// Returns the value of a letter's condition, where a piece alone means that it is there.
    fn test_value(
        &mut self,
        expression: &Placed<Expression>,
        arguments: &Arguments,
    ) -> Option<Value> {
        if let Expression::Call(call) = &expression.value
            && call.arguments.is_empty()
            && let Some((Meaning::Piece(piece), _)) = self.names.get(&call.name.value)
        {
            return Some(Value::Holds(Content::Piece(*piece)));
        }
        self.value(expression, arguments)
    }

    /// Returns a repeated sentence; reports what makes repeating it pointless.
    fn star(&mut self, body: Regular<Letter>, span: Span) -> Regular<Letter> {
        // Arguments of a trial mean nothing.
        if !self.is_trial
            && let Some(finding) =
                lint::star(&self.game, &body, self.size, &mut self.star_looks, span)
        {
            self.sink.push(finding);
        }
        Regular::Star(Box::new(body))
    }

    /// Reports a sentence that is only looked for and may have no letters, so that it is always found.
    pub(super) fn looked_for(
        &mut self,
        expression: &Regular<Letter>,
        span: Span,
        consequence: &str,
    ) {
        if expression.may_be_empty() && !self.is_trial {
            let message = format!("this allows the word without letters, so {consequence}");
            self.warning(
                Code::AbgEmptyWord,
                span,
                message,
                "ask for at least one letter: `+` for `*`",
            );
        }
    }

    /// Returns a sentence with the machines that read it; reports it if they would be too large.
    pub(super) fn machines(&mut self, expression: Regular<Letter>, span: Span) -> Option<Rule> {
        match expression.machines() {
            Ok(machines) => Some(Rule { expression, machines, origin: origin(span) }),
            Err(reason) => {
                let message = match reason {
                    TooLarge::Letters => {
                        format!(
                            "this sentence has {} letters; at most {MAX_LETTERS} are allowed",
                            expression.size()
                        )
                    }
                    TooLarge::States => {
                        format!(
                            "this sentence needs more than {MAX_STATES} states to be read letter by letter"
                        )
                    }
                };
                self.error(Code::AbgTooMany, span, message, "make it simpler");
                None
            }
        }
    }
}

/// Returns a sentence whose letters do nothing.
fn without_effects(expression: Regular<Letter>) -> Regular<Letter> {
    let all = |parts: Vec<Regular<Letter>>| parts.into_iter().map(without_effects).collect();
    match expression {
        Regular::Empty => Regular::Empty,
        Regular::Letter(letter) => Regular::Letter(Letter { effect: None, ..letter }),
        Regular::Sum(parts) => Regular::Sum(all(parts)),
        Regular::Chain(parts) => Regular::Chain(all(parts)),
        Regular::Star(body) => Regular::Star(Box::new(without_effects(*body))),
        Regular::Power(body, count) => Regular::Power(Box::new(without_effects(*body)), count),
    }
}
