//! Syntax to a game: definitions are taken in their order, so that nothing can be used before it is there.

use std::collections::{HashMap, HashSet};
use std::hash::Hash;

use regulus_automaton::{Looks, Origin};

use super::ast::{self, Body, Call, Definition, Expression, Name, Placed, Sentence, Statement};
use super::game::{
    Condition, Content, Effect, Game, Letter, Operation, Outcome, Pattern, PieceInfo, Post, Rule,
    Step, Test, Value,
};
use super::{Externals, MAX_SQUARES, lint};
use crate::diagnostics::{Code, Diagnostic, Sink, counted};
use crate::regular::{MAX_LETTERS, MAX_STATES, Regular, TooLarge};
use crate::source::Span;
use crate::suggest::nearest;

/// How many parts of expressions all expansions may have together.
const MAX_WORK: usize = 500_000;
/// How deep sentences, values and effects may become by calls.
const MAX_DEPTH: usize = 500;
/// The most variables.
const MAX_VARIABLES: usize = 10_000;

/// The names with a meaning of their own.
const PREDEFINED: [&str; 8] =
    ["Empty", "Opponent", "True", "False", "current", "stuck", "count", "Board"];

/// Where squares are.
const COUNTED: &str = "columns and rows are counted from 0 at the lower left";
/// What else can be done about a condition or effect that the text leaves out.
const REGISTER: &str = "register it from a program with the crate regulus-abg";

pub(super) fn check(
    definitions: &[Placed<Definition>],
    externals: &Externals,
    sink: &mut Sink,
) -> Option<Game> {
    let names = definitions.iter().filter_map(|definition| defined(&definition.value));
    let later = names.map(|name| (name.value.clone(), name.span)).collect();
    // Letters without an effect move the piece.
    let effects = vec![Effect::Steps(vec![Step::Move])];
    let mut checker = Checker {
        game: Game {
            players: Vec::new(),
            pieces: Vec::new(),
            empty: None,
            variables: Vec::new(),
            tests: Vec::new(),
            effects: effects.clone(),
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
        sink,
    };
    for definition in definitions {
        checker.definition(definition);
    }
    checker.missing(definitions.last().map_or(Span::default(), |last| last.span));
    Some(checker.game)
}

/// The name that a definition gives a meaning to.
fn defined(definition: &Definition) -> Option<&Name> {
    match definition {
        Definition::Variable(name, _)
        | Definition::Macro(name, ..)
        | Definition::Function(name, ..)
        | Definition::Effect(name, ..) => Some(name),
        _ => None,
    }
}

/// What a name means.
#[derive(Clone)]
enum Meaning {
    Player(usize),
    Piece(usize),
    Variable(usize),
    Macro(Vec<Name>, Placed<Sentence>),
    Function(Vec<Name>, Body),
    Effect(Vec<Name>, Vec<Statement>),
    /// Something faulty, which was reported.
    Broken,
}

impl Meaning {
    fn kind(&self) -> &'static str {
        match self {
            Meaning::Player(_) => "a player",
            Meaning::Piece(_) => "a piece",
            Meaning::Variable(_) => "a variable",
            Meaning::Macro(..) => "a macro",
            Meaning::Function(..) => "a function",
            Meaning::Effect(..) => "an effect",
            Meaning::Broken => "something faulty",
        }
    }
}

/// What parameters stand for.
type Arguments = HashMap<String, Value>;

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
    /// Of the tests and effects of the game.
    tests: Numbers<Test>,
    effects: Numbers<Effect>,
    work: usize,
    /// How many parts of what stars repeat may still be looked at.
    star_looks: usize,
    /// Of what is being expanded.
    depth: usize,
    sink: &'a mut Sink,
}

impl Checker<'_> {
    fn error(&mut self, code: Code, span: Span, message: impl Into<String>, help: &str) {
        self.sink.push(Diagnostic::error(code, span, message).help(help));
    }

    fn warning(&mut self, code: Code, span: Span, message: impl Into<String>, help: &str) {
        self.sink.push(Diagnostic::warning(code, span, message).help(help));
    }

    /// What is only looked for should have letters: without any it is always found.
    fn looked_for(&mut self, expression: &Regular<Letter>, span: Span, consequence: &str) {
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

    /// A sentence as often as one likes.
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

    /// Remembers that a section is there; says whether it is the first.
    fn first(&mut self, section: &'static str, span: Span) -> bool {
        if let Some(before) = self.seen.insert(section, span) {
            let message = format!("`{section}` is there twice");
            let diagnostic = Diagnostic::error(Code::AbgDuplicateName, span, message);
            self.sink.push(diagnostic.also(before, "the first is here"));
            return false;
        }
        true
    }

    /// Makes sure that a section came before.
    fn needs(&mut self, section: &'static str, what: &str, span: Span) -> bool {
        let there = self.seen.contains_key(section);
        if !there && self.missed.insert(section) {
            let message = format!("`{section}` must come before {what}");
            let help = "the order is: players, pieces, variables, macros, functions, effects, conditions, rules, posts, board_size, board";
            self.error(Code::AbgOrder, span, message, help);
        }
        there
    }

    fn missing(&mut self, end: Span) {
        let missing: Vec<String> = ["players", "pieces", "board_size", "board"]
            .iter()
            .filter(|section| {
                !self.seen.contains_key(**section) && !self.missed.contains(**section)
            })
            .map(|section| format!("`{section}`"))
            .collect();
        if !missing.is_empty() {
            let message = format!("the game lacks {}", missing.join(", "));
            self.error(
                Code::AbgMissingSection,
                end,
                message,
                "every game has players, pieces, board_size and board",
            );
        }
    }

    fn define(&mut self, name: &Name, meaning: Meaning) {
        // Conditions and effects of the language may be given another meaning.
        let fixed =
            ["current", "stuck", "count", "Board", "this", "from"].contains(&name.value.as_str());
        if fixed {
            let message = format!("`{}` has a meaning of its own", name.value);
            self.error(Code::AbgDuplicateName, name.span, message, "choose another name");
        } else if let Some((before, span)) = self.names.get(&name.value) {
            let message = format!("`{}` is {} already", name.value, before.kind());
            let diagnostic = Diagnostic::error(Code::AbgDuplicateName, name.span, message);
            self.sink.push(diagnostic.also(*span, "defined here"));
        } else {
            self.names.insert(name.value.clone(), (meaning, name.span));
        }
    }

    fn definition(&mut self, definition: &Placed<Definition>) {
        let span = definition.span;
        match &definition.value {
            Definition::Players(players) => {
                if self.first("players", span) {
                    for name in players {
                        self.define(name, Meaning::Player(self.game.players.len()));
                        self.game.players.push(name.value.clone());
                    }
                }
            }
            Definition::Pieces(pieces) => {
                self.needs("players", "the pieces, which name their owners", span);
                if self.first("pieces", span) {
                    pieces.iter().for_each(|(name, owners)| self.piece(name, owners));
                }
            }
            Definition::Variable(name, value) => {
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
            Definition::Macro(name, parameters, sentence) => {
                self.parameters(parameters);
                let meaning = Meaning::Macro(parameters.clone(), sentence.clone());
                self.trial(name, parameters, meaning, |checker, arguments| {
                    checker.sentence(sentence, arguments, true);
                });
            }
            Definition::Function(name, parameters, body) => {
                self.parameters(parameters);
                let meaning = Meaning::Function(parameters.clone(), body.clone());
                self.trial(name, parameters, meaning, |checker, arguments| {
                    checker.body(body, arguments, name.span);
                });
            }
            Definition::Effect(name, parameters, statements) => {
                self.parameters(parameters);
                let meaning = Meaning::Effect(parameters.clone(), statements.clone());
                self.trial(name, parameters, meaning, |checker, arguments| {
                    for statement in statements {
                        checker.statement(statement, arguments, &mut Vec::new());
                    }
                });
            }
            Definition::Condition(outcome, value) => {
                let outcome = self.outcome(outcome);
                let when = self.value(value, &Arguments::new());
                if let (Some(outcome), Some(when)) = (outcome, when) {
                    self.without_square(&when, value.span);
                    let origin = origin(span.to(value.span));
                    self.game.conditions.push(Condition { outcome, when, origin, reason: None });
                }
            }
            Definition::Rule(piece, sentence) => self.rule(piece, sentence, span),
            Definition::Post(player, piece, sentence) => {
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
            Definition::BoardSize(width, height) => {
                if self.first("board_size", span) {
                    self.size(width, height);
                }
            }
            Definition::Board(pieces) => self.board(pieces, span),
        }
    }

    /// Checks what a definition calls before it is defined itself, so that nothing can call itself; what it makes is forgotten.
    fn trial(
        &mut self,
        name: &Name,
        parameters: &[Name],
        meaning: Meaning,
        check: impl FnOnce(&mut Self, &Arguments),
    ) {
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

    /// Conditions of games are looked at from nowhere.
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

    fn parameters(&mut self, parameters: &[Name]) {
        for (index, name) in parameters.iter().enumerate() {
            if parameters[..index].iter().any(|other| other.value == name.value) {
                let message = format!("two parameters are called `{}`", name.value);
                self.error(Code::AbgDuplicateName, name.span, message, "choose another name");
            }
        }
    }

    fn piece(&mut self, name: &Name, owners: &[Name]) {
        let number = self.game.pieces.len();
        if number == 255 {
            self.error(Code::AbgTooMany, name.span, "a game has at most 255 pieces", "use fewer");
            return;
        }
        self.define(name, Meaning::Piece(number));
        let owners: Vec<usize> = owners.iter().filter_map(|owner| self.player(owner)).collect();
        if name.value == "empty" {
            self.game.empty = Some(number);
        }
        self.game.pieces.push(PieceInfo { name: name.value.clone(), owners });
        self.game.rules.push(None);
    }

    fn player(&mut self, name: &Name) -> Option<usize> {
        match self.names.get(&name.value) {
            Some((Meaning::Player(player), _)) => Some(*player),
            _ => {
                let players = self.game.players.clone();
                self.unknown(name, "player", &players);
                None
            }
        }
    }

    fn piece_named(&mut self, name: &Name) -> Option<usize> {
        match self.names.get(&name.value) {
            Some((Meaning::Piece(piece), _)) => Some(*piece),
            _ => {
                let pieces: Vec<String> =
                    self.game.pieces.iter().map(|piece| piece.name.clone()).collect();
                self.unknown(name, "piece", &pieces);
                None
            }
        }
    }

    /// Reports a name that means nothing, or something else.
    fn unknown(&mut self, name: &Name, what: &str, known: &[String]) {
        self.unknown_unless(name, what, known, "");
    }

    /// The same for what a program may also provide; `remedy` says how it comes to be known.
    fn unknown_unless(&mut self, name: &Name, what: &str, known: &[String], remedy: &str) {
        let (word, span) = (&name.value, name.span);
        if let Some((meaning, place)) = self.names.get(word) {
            if matches!(meaning, Meaning::Broken) {
                return;
            }
            let message = format!("`{word}` is {}, not a {what}", meaning.kind());
            let diagnostic = Diagnostic::error(Code::AbgWrongKind, span, message);
            self.sink.push(diagnostic.also(*place, "defined here"));
            return;
        }
        if let Some(place) = self.later.get(word) {
            let message = format!("`{word}` is used before it is defined");
            let diagnostic = Diagnostic::error(Code::AbgOrder, span, message)
                .also(*place, "defined here")
                .help("definitions come before their uses, so nothing can call itself");
            self.sink.push(diagnostic);
            return;
        }
        let help = match nearest(word, known.iter().map(String::as_str)) {
            Some(like) => format!("did you mean `{like}`?"),
            None if known.is_empty() => format!("no {what} is known yet"),
            None => format!("{remedy}known are: {}", known.join(", ")),
        };
        let message = format!("there is no {what} `{word}`");
        self.error(Code::AbgUnknownName, span, message, &help);
    }

    /// Reports something registered where it cannot be a part of something else.
    fn stands_alone(&mut self, name: &Name, help: &str) {
        let message =
            format!("`{}` is registered by the program and stands for itself", name.value);
        self.error(Code::AbgWrongKind, name.span, message, help);
    }

    /// The names of some meaning, and others, in order.
    fn known<'b>(
        &self,
        means: impl Fn(&Meaning) -> bool,
        others: impl IntoIterator<Item = &'b str>,
    ) -> Vec<String> {
        let names = self.names.iter().filter(|(_, (meaning, _))| means(meaning));
        let mut known: Vec<String> = names.map(|(name, _)| name.clone()).collect();
        known.extend(others.into_iter().map(str::to_owned));
        known.sort_unstable();
        known.dedup();
        known
    }

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

    fn rule(&mut self, piece: &Name, sentence: &Placed<Sentence>, span: Span) {
        if !self.needs("pieces", "rules, which are given for pieces", span) {
            return;
        }
        let Some(number) = self.piece_named(piece) else { return };
        if self.game.pieces[number].owners.is_empty() {
            let message = format!("nobody owns `{}`, so it cannot move", piece.value);
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

    /// Whether a sentence has a word that is nothing but calls of functions.
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

    fn machines(&mut self, expression: Regular<Letter>, span: Span) -> Option<Rule> {
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

    fn size(&mut self, width: &Placed<i64>, height: &Placed<i64>) {
        let squares = width.value.saturating_mul(height.value);
        if width.value < 1 || height.value < 1 || squares > MAX_SQUARES {
            let message = format!(
                "a board of {} columns and {} rows is not possible",
                width.value, height.value
            );
            let help = format!("both are at least 1, and there are at most {MAX_SQUARES} squares");
            self.error(Code::AbgBoardSize, width.span.to(height.span), message, &help);
            return;
        }
        self.game.width = u32::try_from(width.value).unwrap_or(0);
        self.game.height = u32::try_from(height.value).unwrap_or(0);
    }

    fn board(&mut self, pieces: &[Name], span: Span) {
        let sized = self.needs("board_size", "the board", span);
        self.needs("pieces", "the board, which they stand on", span);
        if !self.first("board", span) {
            return;
        }
        let squares = self.game.width as usize * self.game.height as usize;
        if sized && squares > 0 && pieces.len() != squares {
            let message = format!(
                "the board has {}, {} columns and {} rows make {squares}",
                counted(pieces.len(), "square"),
                self.game.width,
                self.game.height
            );
            let place = pieces.last().map_or(span, |last| last.span);
            let diagnostic = Diagnostic::error(Code::AbgBoardSize, place, message)
                .label("the last square")
                .also(self.seen["board_size"], "the size is given here");
            self.sink.push(diagnostic);
        }
        self.game.board = pieces.iter().filter_map(|name| self.piece_named(name)).collect();
    }

    /// Counts work, and says so when there is too much.
    fn spend(&mut self, span: Span) -> Option<()> {
        let before = self.work;
        self.work += 1;
        if self.work >= MAX_WORK && before < MAX_WORK * 2 {
            // Said once; whatever comes later finds the work done.
            self.work = MAX_WORK * 2;
            let message = format!("macros and functions expand to more than {MAX_WORK} parts");
            self.error(Code::AbgTooMany, span, message, "use fewer calls in calls");
        }
        (self.work < MAX_WORK).then_some(())
    }

    /// Counts what is written once and stands twice as what it is.
    fn copied(&mut self, expression: &Regular<Letter>, span: Span) -> Option<()> {
        let size = usize::try_from(expression.size()).unwrap_or(MAX_WORK);
        if self.work < MAX_WORK {
            // No more than that, so that it is said.
            self.work = self.work.saturating_add(size).min(MAX_WORK);
        }
        self.spend(span)
    }

    /// Checks the number of arguments and gives them their names.
    fn arguments(
        &mut self,
        call: &Call,
        parameters: &[Name],
        outside: &Arguments,
    ) -> Option<Arguments> {
        if call.arguments.len() != parameters.len() {
            let place = self.names.get(&call.name.value).map(|(_, span)| *span);
            let message = format!(
                "`{}` takes {}, {} given",
                call.name.value,
                counted(parameters.len(), "argument"),
                if call.arguments.len() == 1 {
                    "1 is".to_owned()
                } else {
                    format!("{} are", call.arguments.len())
                },
            );
            let mut diagnostic = Diagnostic::error(Code::AbgArguments, call.name.span, message);
            if let Some(place) = place {
                diagnostic = diagnostic.also(place, "defined here");
            }
            self.sink.push(diagnostic);
            return None;
        }
        let values: Option<Vec<Value>> =
            call.arguments.iter().map(|argument| self.value(argument, outside)).collect();
        let values = values?;
        for value in &values {
            self.not_too_deep(value, call.name.span)?;
        }
        let names = parameters.iter().map(|name| name.value.clone());
        Some(names.zip(values).collect())
    }

    /// A sentence with its macros expanded; `acts` says whether its letters may have effects.
    fn sentence(
        &mut self,
        sentence: &Placed<Sentence>,
        arguments: &Arguments,
        acts: bool,
    ) -> Option<Regular<Letter>> {
        self.spend(sentence.span)?;
        self.deeper(sentence.span, |checker| checker.expanded(sentence, arguments, acts))
    }

    /// Goes one level down, unless that is too deep.
    fn deeper<T>(&mut self, span: Span, go: impl FnOnce(&mut Self) -> Option<T>) -> Option<T> {
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

    /// A function in a sentence is a test of the square where it stands; nothing is done there.
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

    /// A step of a letter: a number that is known beforehand.
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

    /// While moves are made nobody knows yet who has none.
    fn without_stuck(&mut self, value: &Value, span: Span) -> Option<()> {
        if !value.mentions_stuck() {
            return Some(());
        }
        let message = "whether a player is stuck depends on what letters allow";
        self.error(Code::AbgWrongKind, span, message, "use `stuck` in victory, draw and outcome");
        None
    }

    /// A piece alone means that it is there.
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

    /// The conditions that every game has: `Empty`, and one for each piece, with a capital.
    fn predicate(&self, name: &str) -> Option<Value> {
        let is_its = |piece: &PieceInfo| piece.condition() == name;
        match name {
            "True" | "true" => Some(Value::Number(1)),
            "False" | "false" => Some(Value::Number(0)),
            "Opponent" => Some(Value::Holds(Content::Opponent)),
            "Empty" if self.game.empty.is_some() => Some(Value::Holds(Content::Empty)),
            _ => {
                let piece = self.game.pieces.iter().position(is_its)?;
                Some(Value::Holds(Content::Piece(piece)))
            }
        }
    }

    fn default_effect(&mut self, span: Span) -> Option<usize> {
        let registered = self.externals.effects.contains("Default");
        if registered || self.names.contains_key("Default") {
            let name = Placed { value: "Default".to_owned(), span };
            return self.effect(&Call { name, arguments: Vec::new() }, &Arguments::new());
        }
        self.needs_empty(span)?;
        Some(0)
    }

    /// Moving leaves something behind.
    fn needs_empty(&mut self, span: Span) -> Option<()> {
        if self.is_trial {
            return Some(());
        }
        if self.game.empty.is_none() && !self.game.pieces.is_empty() {
            let message = "there is no piece `empty` to be left behind by a move";
            let help = "add `empty` to the pieces, or define `effect Default() { … };`";
            self.error(Code::AbgUnknownName, span, message, help);
        }
        self.game.empty.map(|_| ())
    }

    fn effect(&mut self, call: &Call, arguments: &Arguments) -> Option<usize> {
        let name = &call.name.value;
        if !self.names.contains_key(name) && self.externals.effects.contains(name) {
            return Some(
                self.effects.number(&mut self.game.effects, Effect::External(name.clone())),
            );
        }
        let steps = self.steps(call, arguments)?;
        Some(self.effects.number(&mut self.game.effects, Effect::Steps(steps)))
    }

    /// The steps of an effect; calls of effects in effects are written out.
    fn steps(&mut self, call: &Call, outside: &Arguments) -> Option<Vec<Step>> {
        let name = &call.name;
        let builtin = ["Move", "Default"].contains(&name.value.as_str());
        let (parameters, statements) = match self.names.get(&name.value).cloned() {
            Some((Meaning::Effect(parameters, statements), _)) => (parameters, statements),
            None if builtin
                && call.arguments.is_empty()
                && !self.externals.effects.contains(&name.value) =>
            {
                self.needs_empty(name.span)?;
                return Some(vec![Step::Move]);
            }
            None if self.externals.effects.contains(&name.value) => {
                self.stands_alone(name, "write it alone in a letter: `[0, 1, Empty]{name}`");
                return None;
            }
            _ => {
                let others = self.externals.effects.iter().map(String::as_str);
                let others = others.chain(["Move", "Default"]);
                let known = self.known(|meaning| matches!(meaning, Meaning::Effect(..)), others);
                let remedy = format!("define `effect {}() {{ … }};`, or {REGISTER}; ", name.value);
                self.unknown_unless(name, "effect", &known, &remedy);
                return None;
            }
        };
        let arguments = self.arguments(call, &parameters, outside)?;
        self.deeper(name.span, |checker| {
            let mut steps = Vec::new();
            for statement in &statements {
                checker.spend(name.span)?;
                checker.statement(statement, &arguments, &mut steps)?;
            }
            Some(steps)
        })
    }

    fn statement(
        &mut self,
        statement: &Statement,
        arguments: &Arguments,
        steps: &mut Vec<Step>,
    ) -> Option<()> {
        match statement {
            Statement::Call(call) => steps.extend(self.steps(call, arguments)?),
            Statement::Board(x, y, piece, span) => {
                let mut value = |part| self.value(part, arguments).map(|value| folded(&value));
                let (x, y, piece) = (value(x), value(y), value(piece));
                let (x, y, piece) = (x?, y?, piece?);
                if self.is_off_board(&x, &y) {
                    let message = "this square is not on the board";
                    self.error(Code::AbgOffBoard, *span, message, COUNTED);
                    return None;
                }
                for value in [&x, &y, &piece] {
                    self.without_stuck(value, *span)?;
                }
                if let Value::Number(number) = piece
                    && !self.is_trial
                    && !usize::try_from(number).is_ok_and(|number| number < self.game.pieces.len())
                {
                    let message = format!("{number} is no piece");
                    self.error(
                        Code::AbgWrongKind,
                        *span,
                        message,
                        "pieces are written by their names",
                    );
                    return None;
                }
                steps.push(Step::Board(x, y, piece, origin(*span)));
            }
            Statement::Assign(name, value) => {
                let value = folded(&self.value(value, arguments)?);
                self.without_stuck(&value, name.span)?;
                match self.names.get(&name.value) {
                    Some((Meaning::Variable(variable), _)) => {
                        steps.push(Step::Variable(*variable, value, origin(name.span)));
                    }
                    Some((Meaning::Player(player), _)) => {
                        steps.push(Step::Score(*player, value, origin(name.span)));
                    }
                    _ => {
                        let known: Vec<String> =
                            self.game.variables.iter().map(|(name, _)| name.clone()).collect();
                        self.unknown(name, "variable", &known);
                        return None;
                    }
                }
            }
        }
        Some(())
    }

    /// Whether a square is known to be off the board, whose size is known already or later.
    fn is_off_board(&self, x: &Value, y: &Value) -> bool {
        let (width, height) = self.size.unwrap_or((0, 0));
        let is_off = |value: &Value, size: i64| match value {
            Value::Number(number) => *number < 0 || size > 0 && *number >= size,
            _ => false,
        };
        // Arguments of a trial mean nothing.
        !self.is_trial && (is_off(x, width) || is_off(y, height))
    }

    /// An expression with its calls expanded; a piece or player is its number.
    fn value(&mut self, expression: &Placed<Expression>, arguments: &Arguments) -> Option<Value> {
        self.spend(expression.span)?;
        self.deeper(expression.span, |checker| checker.resolved(expression, arguments))
    }

    fn resolved(
        &mut self,
        expression: &Placed<Expression>,
        arguments: &Arguments,
    ) -> Option<Value> {
        let mut value = |part: &Placed<Expression>| self.value(part, arguments).map(Box::new);
        Some(match &expression.value {
            Expression::Number(number) => Value::Number(*number),
            Expression::Negate(part) => Value::Negate(value(part)?),
            Expression::Not(part) => Value::Not(value(part)?),
            Expression::Binary(operation, left, right) => {
                let (left, right) = (value(left), value(right));
                Value::Binary(*operation, left?, right?)
            }
            Expression::Choose(condition, yes, no) => {
                let (condition, yes, no) = (value(condition), value(yes), value(no));
                Value::Choose(condition?, yes?, no?)
            }
            Expression::Board(x, y) => {
                let (x, y) = (value(x), value(y));
                let (x, y) = (Box::new(folded(&*x?)), Box::new(folded(&*y?)));
                if self.is_off_board(&x, &y) {
                    let message = "this square is not on the board, so its value is always -1";
                    self.warning(Code::AbgOffBoard, expression.span, message, COUNTED);
                    return Some(Value::Number(-1));
                }
                Value::Board(x, y)
            }
            Expression::Field(name, field) => self.field(name, field)?,
            Expression::Call(call) => self.value_call(call, arguments)?,
        })
    }

    fn field(&mut self, name: &Name, field: &Name) -> Option<Value> {
        match (name.value.as_str(), field.value.as_str()) {
            ("this", "x") => Some(Value::ThisX),
            ("this", "y") => Some(Value::ThisY),
            ("from", "x") => Some(Value::FromX),
            ("from", "y") => Some(Value::FromY),
            (_, "score") => Some(Value::Score(self.player(name)?)),
            (object, field_name) => {
                let message = format!("`{object}` has no `{field_name}`");
                let help = "there are `this.x`, `this.y`, `from.x`, `from.y` and `white.score`";
                self.error(Code::AbgUnknownName, field.span, message, help);
                None
            }
        }
    }

    fn value_call(&mut self, call: &Call, outside: &Arguments) -> Option<Value> {
        let name = &call.name;
        if call.arguments.is_empty() {
            if let Some(value) = outside.get(&name.value) {
                // Written out it counts with all its parts.
                self.work += measure(value).0;
                self.spend(name.span)?;
                return Some(value.clone());
            }
            match name.value.as_str() {
                "current" => return Some(Value::Current),
                "stuck" => return Some(Value::Stuck),
                _ => {}
            }
        }
        if name.value == "count" {
            return self.count(call);
        }
        match self.names.get(&name.value).cloned() {
            Some((Meaning::Function(parameters, body), _)) => {
                let arguments = self.arguments(call, &parameters, outside)?;
                let value =
                    self.deeper(name.span, |checker| checker.body(&body, &arguments, name.span))?;
                self.not_too_deep(&value, name.span)?;
                Some(value)
            }
            Some((Meaning::Player(number) | Meaning::Piece(number), _))
                if call.arguments.is_empty() =>
            {
                Some(Value::Number(i64::try_from(number).unwrap_or(0)))
            }
            Some((Meaning::Variable(variable), _)) if call.arguments.is_empty() => {
                Some(Value::Variable(variable))
            }
            None if call.arguments.is_empty() && self.predicate(&name.value).is_some() => {
                self.predicate(&name.value)
            }
            None if self.externals.predicates.contains(&name.value) => {
                self.stands_alone(name, "write it alone in a letter: `[0, 1, Name]`");
                None
            }
            _ => {
                let conditions: Vec<String> =
                    self.game.pieces.iter().map(PieceInfo::condition).collect();
                let others = self.externals.predicates.iter().chain(&conditions);
                let is_value = |meaning: &Meaning| {
                    !matches!(meaning, Meaning::Macro(..) | Meaning::Effect(..) | Meaning::Broken)
                };
                let known = self.known(is_value, others.map(String::as_str).chain(PREDEFINED));
                let word = &name.value;
                let remedy = format!("define `function {word}() {{ return … }};`, or {REGISTER}; ");
                self.unknown_unless(name, "condition or value", &known, &remedy);
                None
            }
        }
    }

    fn not_too_deep(&mut self, value: &Value, span: Span) -> Option<()> {
        if measure(value).1 <= MAX_DEPTH {
            return Some(());
        }
        let message = format!("this value becomes deeper than {MAX_DEPTH} operations");
        self.error(Code::AbgNestingTooDeep, span, message, "make it simpler");
        None
    }

    fn count(&mut self, call: &Call) -> Option<Value> {
        if let [argument] = call.arguments.as_slice()
            && let Expression::Call(piece) = &argument.value
            && piece.arguments.is_empty()
        {
            return Some(Value::Count(self.piece_named(&piece.name)?));
        }
        let message = "`count` takes one piece";
        self.error(Code::AbgArguments, call.name.span, message, "write `count(wPawn)`");
        None
    }

    fn body(&mut self, body: &Body, arguments: &Arguments, span: Span) -> Option<Value> {
        match body {
            Body::Value(value) => self.value(value, arguments),
            Body::Sentence { from, sentence } => {
                let from: Vec<Option<usize>> =
                    from.iter().map(|piece| self.piece_named(piece)).collect();
                let from = from.into_iter().collect::<Option<Vec<usize>>>()?;
                let expression = self.sentence(sentence, arguments, false)?;
                let consequence = if from.is_empty() {
                    "it is always found"
                } else {
                    "the piece alone is enough"
                };
                self.looked_for(&expression, sentence.span, consequence);
                let known = self.game.patterns.iter().position(|pattern| {
                    pattern.from == from && pattern.rule.expression == expression
                });
                let number = match known {
                    Some(number) => number,
                    None => {
                        let rule = self.machines(expression, span)?;
                        self.game.patterns.push(Pattern { from, rule });
                        self.game.patterns.len() - 1
                    }
                };
                Some(Value::Match(number))
            }
        }
    }
}

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

/// How many parts a value has, and how deep it is; without going down into it, since it may be too deep for that.
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

/// The numbers of the items of a list without duplicates.
struct Numbers<T>(HashMap<T, usize>);

impl<T: Clone + Eq + Hash> Numbers<T> {
    fn of(list: &[T]) -> Numbers<T> {
        Numbers(list.iter().cloned().zip(0..).collect())
    }

    /// The number of an item in the list, to which it is added if it is new.
    fn number(&mut self, list: &mut Vec<T>, item: T) -> usize {
        *self.0.entry(item).or_insert_with_key(|item| {
            list.push(item.clone());
            list.len() - 1
        })
    }

    /// Takes the last items out of the list until it has the given length.
    fn truncate(&mut self, list: &mut Vec<T>, length: usize) {
        for item in list.drain(length..) {
            self.0.remove(&item);
        }
    }
}

/// The value with everything computed that is known beforehand.
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

fn origin(span: Span) -> Origin {
    Origin { start: span.start, end: span.end }
}
