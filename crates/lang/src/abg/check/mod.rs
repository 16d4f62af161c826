//! Syntax to a game: definitions are taken in their order, so that no name can be used before it is defined.
//!
//! ```text
//! Definition ─┬─ sections ───────────────▶ players, pieces, board
//!             ├─ definitions ─┬─ names ──▶ what macros, functions and effects mean, after a trial
//!             │               └──────────▶ variables, rules, posts, conditions
//!             └─ sentences, effects, values: expanded where they are used, within limits
//! ```
//!
//! - [`sections`]: the parts that every game has once
//! - [`definitions`]: everything else that a text defines
//! - [`names`]: what names mean, and what is said about unknown ones
//! - [`sentences`]: regular expressions over letters
//! - [`effects`]: what letters do
//! - [`values`]: numbers and conditions
//! - [`limits`]: how much may be expanded, and how deep
//! - [`numbers`]: lists without duplicates

mod definitions;
mod effects;
mod limits;
mod names;
mod numbers;
mod sections;
mod sentences;
mod values;

use std::collections::{HashMap, HashSet};

use regulus_automaton::{Looks, Origin};

use super::ast::{Definition, Name, Placed};
use super::game::{Effect, Game, Step, Test, Value};
use super::{Externals, lint};
use crate::diagnostics::{Code, Diagnostic, Sink};
use crate::source::Span;
use names::Meaning;
use numbers::Numbers;

/// Where squares are.
const COUNTED: &str = "columns and rows are counted from 0 at the lower left";

/// What else can be done about a condition or effect that the text leaves out.
const REGISTER: &str = "register it from a program with the crate regulus-abg";

/// Returns the game that the definitions make; it is whole when no finding is an error.
pub(super) fn check(
    definitions: &[Placed<Definition>],
    externals: &Externals,
    sink: &mut Sink,
) -> Game {
    let mut checker = Checker::new(definitions, externals, sink);
    for definition in definitions {
        checker.definition(definition);
    }
    checker.missing(definitions.last().map_or(Span::default(), |last| last.span));
    checker.game
}

/// Returns the name that a definition gives a meaning to; `None` if there is no name of its own.
fn defined(definition: &Definition) -> Option<&Name> {
    match definition {
        Definition::Variable(name, _)
        | Definition::Macro(name, ..)
        | Definition::Function(name, ..)
        | Definition::Effect(name, ..) => Some(name),
        _ => None,
    }
}

/// What parameters stand for.
type Arguments = HashMap<String, Value>;

/// A game while it grows, and what is known about the text.
struct Checker<'a> {
    game: Game,
    names: HashMap<String, (Meaning, Span)>,
    /// The sections that were there, by keyword.
    seen: HashMap<&'static str, Span>,
    /// The sections that were missed, which is said once.
    missed: HashSet<&'static str>,
    /// What is defined somewhere in the text.
    later: HashMap<String, Span>,
    /// Columns and rows, wherever they are given.
    size: Option<(i64, i64)>,
    /// Whether a definition is only tried, with arguments that mean nothing.
    is_trial: bool,
    externals: &'a Externals,
    /// The numbers of the tests of the game.
    tests: Numbers<Test>,
    /// The numbers of the effects of the game.
    effects: Numbers<Effect>,
    /// The number of parts that were expanded.
    work: usize,
    /// The number of parts of repeated sentences that may still be looked at.
    star_looks: usize,
    /// The nesting of what is being expanded.
    depth: usize,
    sink: &'a mut Sink,
}

impl<'a> Checker<'a> {
    /// Returns a game without anything in it but the usual effect.
    fn new(
        definitions: &[Placed<Definition>],
        externals: &'a Externals,
        sink: &'a mut Sink,
    ) -> Checker<'a> {
        let names = definitions.iter().filter_map(|definition| defined(&definition.value));
        let later = names.map(|name| (name.value.clone(), name.span)).collect();
        // Letters without an effect move the piece.
        let effects = vec![Effect::Steps(vec![Step::Move])];
        Checker {
            names: HashMap::new(),
            seen: HashMap::new(),
            missed: HashSet::new(),
            later,
            size: definitions.iter().find_map(|definition| match &definition.value {
                Definition::BoardSize(width, height) => Some((width.value, height.value)),
                _ => None,
            }),
            is_trial: false,
            externals,
            tests: Numbers::of(&[]),
            effects: Numbers::of(&effects),
            work: 0,
            star_looks: lint::MAX_LOOKS,
            depth: 0,
            game: Game {
                players: Vec::new(),
                pieces: Vec::new(),
                empty: None,
                variables: Vec::new(),
                tests: Vec::new(),
                effects,
                patterns: Vec::new(),
                rules: Vec::new(),
                posts: Vec::new(),
                conditions: Vec::new(),
                width: 0,
                height: 0,
                board: Vec::new(),
                looks: Looks::default(),
                stuck: None,
                history: None,
            },
            sink,
        }
    }

    /// Adds to the game what one definition says.
    fn definition(&mut self, definition: &Placed<Definition>) {
        let span = definition.span;
        match &definition.value {
            Definition::Players(players) => self.players(players, span),
            Definition::Pieces(pieces) => self.pieces(pieces, span),
            Definition::Variable(name, value) => self.variable(name, value),
            Definition::Macro(name, parameters, sentence) => {
                self.define_macro(name, parameters, sentence);
            }
            Definition::Function(name, parameters, body) => {
                self.define_function(name, parameters, body);
            }
            Definition::Effect(name, parameters, statements) => {
                self.define_effect(name, parameters, statements);
            }
            Definition::Condition(outcome, value) => self.condition(outcome, value, span),
            Definition::Rule(piece, sentence) => self.rule(piece, sentence, span),
            Definition::Post(player, piece, sentence) => self.post(player, piece, sentence, span),
            Definition::BoardSize(width, height) => self.board_size(width, height, span),
            Definition::Board(pieces) => self.board(pieces, span),
        }
    }

    /// Reports an error.
    fn error(&mut self, code: Code, span: Span, message: impl Into<String>, help: &str) {
        self.sink.push(Diagnostic::error(code, span, message).help(help));
    }

    /// Reports a warning.
    fn warning(&mut self, code: Code, span: Span, message: impl Into<String>, help: &str) {
        self.sink.push(Diagnostic::warning(code, span, message).help(help));
    }
}

/// Returns the place of a span as the automaton knows it.
fn origin(span: Span) -> Origin {
    Origin { start: span.start, end: span.end }
}
