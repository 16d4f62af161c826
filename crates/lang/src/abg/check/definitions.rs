//! Definitions, each with what was defined before it.

use super::names::Meaning;
use super::{Arguments, Checker, origin};
use crate::abg::ast::{self, Body, Expression, Name, Placed, Sentence, Statement};
use crate::abg::fold::folded;
use crate::abg::game::{Condition, Outcome, Post, Value};
use crate::diagnostics::{Code, Diagnostic};
use crate::source::Span;

/// The most variables.
const MAX_VARIABLES: usize = 10_000;

impl Checker<'_> {
    /// A variable begins with a number.
    pub(super) fn variable(&mut self, name: &Name, value: &Placed<Expression>) {
        let value = self.value(value, &Arguments::new()).map(|value| folded(&value));
        match value {
            Some(Value::Number(_)) if self.game.variables.len() == MAX_VARIABLES => {
                let message = format!("a game has at most {MAX_VARIABLES} variables");
                self.error(Code::AbgTooMany, name.span, message, "use fewer");
                self.define(name, Meaning::Broken);
            }
            Some(Value::Number(number)) => {
                self.define(name, Meaning::Variable(self.game.variables.len()));
                self.game.variables.push((name.value.clone(), number));
            }
            Some(_) => {
                let message = "a variable begins with a number that is known beforehand";
                self.error(Code::AbgNotConstant, name.span, message, "write a number");
            }
            None => {}
        }
    }

    /// A macro stands for a sentence.
    pub(super) fn define_macro(
        &mut self,
        name: &Name,
        parameters: &[Name],
        sentence: &Placed<Sentence>,
    ) {
        let meaning = Meaning::Macro(parameters.to_vec(), sentence.clone());
        self.trial(name, parameters, meaning, |checker, arguments| {
            checker.sentence(sentence, arguments, true);
        });
    }

    /// A function stands for a value.
    pub(super) fn define_function(&mut self, name: &Name, parameters: &[Name], body: &Body) {
        let meaning = Meaning::Function(parameters.to_vec(), body.clone());
        self.trial(name, parameters, meaning, |checker, arguments| {
            checker.body(body, arguments, name.span);
        });
    }

    /// An effect stands for steps.
    pub(super) fn define_effect(
        &mut self,
        name: &Name,
        parameters: &[Name],
        statements: &[Statement],
    ) {
        let meaning = Meaning::Effect(parameters.to_vec(), statements.to_vec());
        self.trial(name, parameters, meaning, |checker, arguments| {
            for statement in statements {
                checker.statement(statement, arguments, &mut Vec::new());
            }
        });
    }

    /// A condition ends the game.
    pub(super) fn condition(
        &mut self,
        outcome: &ast::Outcome,
        value: &Placed<Expression>,
        span: Span,
    ) {
        let outcome = self.outcome(outcome);
        let when = self.value(value, &Arguments::new());
        if let (Some(outcome), Some(when)) = (outcome, when) {
            self.without_square(&when, value.span);
            let origin = origin(span.to(value.span));
            self.game.conditions.push(Condition { outcome, when, origin, reason: None });
        }
    }

    /// A post condition forbids moves of a player after which its sentence is found.
    pub(super) fn post(
        &mut self,
        player: &Name,
        piece: &Name,
        sentence: &Placed<Sentence>,
        span: Span,
    ) {
        self.needs("pieces", "post conditions, which are given for pieces", span);
        let (player, piece) = (self.player(player), self.piece_named(piece));
        let expression = self.sentence(sentence, &Arguments::new(), false);
        if let Some(expression) = &expression {
            let consequence = "it forbids every move after which the piece is there";
            self.looked_for(expression, sentence.span, consequence);
        }
        if let (Some(player), Some(piece), Some(expression)) = (player, piece, expression)
            && let Some(rule) = self.machines(expression, span)
        {
            self.game.posts.push(Post { player, piece, rule });
        }
    }

    /// Checks what a definition calls before it is defined itself, so that it cannot call itself; what it makes is forgotten.
    fn trial(
        &mut self,
        name: &Name,
        parameters: &[Name],
        meaning: Meaning,
        check: impl FnOnce(&mut Self, &Arguments),
    ) {
        self.parameters(parameters);
        let game = &self.game;
        let sizes = (game.tests.len(), game.effects.len(), game.patterns.len());
        let arguments =
            parameters.iter().map(|name| (name.value.clone(), Value::Number(0))).collect();
        let errors = self.sink.errors();
        self.is_trial = true;
        check(self, &arguments);
        self.is_trial = false;
        let is_good = self.sink.errors() == errors;
        self.tests.truncate(&mut self.game.tests, sizes.0);
        self.effects.truncate(&mut self.game.effects, sizes.1);
        self.game.patterns.truncate(sizes.2);
        self.define(name, if is_good { meaning } else { Meaning::Broken });
    }

    /// Reports a condition of the game that depends on a square: such conditions are looked at without one.
    fn without_square(&mut self, value: &Value, span: Span) {
        let mut here = false;
        value.visit(&mut |part| {
            here |= matches!(
                part,
                Value::ThisX | Value::ThisY | Value::FromX | Value::FromY | Value::Holds(_)
            );
            if let Value::Match(pattern) = part {
                here |= self.game.patterns[*pattern].from.is_empty();
            }
        });
        if here {
            let message = "there is no square here that this could be about";
            let help = "look from pieces: `function f() = from wPawn [0, 0, …];`";
            self.error(Code::AbgWrongKind, span, message, help);
        }
    }

    /// Reports parameters with the same name.
    fn parameters(&mut self, parameters: &[Name]) {
        for (index, name) in parameters.iter().enumerate() {
            if parameters[..index].iter().any(|other| other.value == name.value) {
                let message = format!("two parameters are called `{}`", name.value);
                self.error(Code::AbgDuplicateName, name.span, message, "choose another name");
            }
        }
    }

    /// Returns an outcome with its players; `None` if one is unknown.
    fn outcome(&mut self, outcome: &ast::Outcome) -> Option<Outcome> {
        Some(match outcome {
            ast::Outcome::Victory(player) => Outcome::Victory(self.player(player)?),
            ast::Outcome::Draw => Outcome::Draw,
            ast::Outcome::Scores(scores) => {
                let mut found = Vec::new();
                for (player, score) in scores {
                    if !(0..=100).contains(&score.value) {
                        let message = "scores go from 0 to 100";
                        self.error(Code::AbgScoreRange, score.span, message, "a win is 100");
                    }
                    found.push((self.player(player)?, score.value));
                }
                Outcome::Scores(found)
            }
        })
    }

    /// A rule says how a piece moves.
    pub(super) fn rule(&mut self, piece: &Name, sentence: &Placed<Sentence>, span: Span) {
        if !self.needs("pieces", "rules, which are given for pieces", span) {
            return;
        }
        let Some(number) = self.piece_named(piece) else { return };
        if self.game.pieces[number].owners.is_empty() {
            let message = format!("no player owns `{}`, so it cannot move", piece.value);
            let help = format!("give it an owner: `pieces = …, {}(white)`", piece.value);
            self.error(Code::AbgUnowned, piece.span, message, &help);
        }
        if let Some(before) = &self.game.rules[number] {
            let message = format!("`{}` has two rules", piece.value);
            let place = Span { start: before.origin.start, end: before.origin.end };
            let diagnostic = Diagnostic::error(Code::AbgDuplicateName, piece.span, message);
            self.sink.push(diagnostic.also(place, "the first is here").help("join them with `|`"));
            return;
        }
        if let Some(expression) = self.sentence(sentence, &Arguments::new(), true) {
            if expression.may_be_empty() {
                let message = format!("`{}` may stay where it is, and that is a move", piece.value);
                let help = "the rule allows the word without letters; write `+` for `*`, or if a \
                            move that changes nothing is meant, `| [0, 0, True]`";
                self.warning(Code::AbgEmptyWord, sentence.span, message, help);
            } else if self.is_only_functions(&sentence.value) {
                let message = format!("`{}` may stay where it is, and that is a move", piece.value);
                let help =
                    "a function in a sentence is only a test; a `macro` has letters to move by";
                self.warning(Code::AbgEmptyWord, sentence.span, message, help);
            }
            self.game.rules[number] = self.machines(expression, span.to(sentence.span));
        }
    }

    /// Returns whether a sentence has a word of calls of functions alone.
    fn is_only_functions(&self, sentence: &Sentence) -> bool {
        match sentence {
            Sentence::Sum(parts) => parts.iter().any(|part| self.is_only_functions(&part.value)),
            Sentence::Chain(parts) => parts.iter().all(|part| self.is_only_functions(&part.value)),
            Sentence::Star(_) | Sentence::Maybe(_) => true,
            Sentence::Plus(body) => self.is_only_functions(&body.value),
            Sentence::Call(call) => {
                matches!(self.names.get(&call.name.value), Some((Meaning::Function(..), _)))
            }
            Sentence::Letter { .. } | Sentence::RuleOf(_) => false,
        }
    }
}
