//! Syntax to a checked game: names are resolved, declarations compared, lists of writes taken apart.
//!
//! All of the game is looked at even after errors. Where a section could not be understood, names that might have been
//! declared in it are not called unknown.

use std::collections::{BTreeMap, HashMap};

use regulus_automaton::verify::{MAX_PIECES, MAX_PLAYERS};
use regulus_automaton::{
    Direction, Id, IdVec, Operator, Origin, Piece, PieceSet, Player, Variable, VariableInfo,
};

use crate::diagnostics::{Code, Diagnostic};
use crate::looks;
use crate::suggest::nearest;

use super::ast::{self, Assignment, Ast, BoardLayout, Bounded, Rule, RuleKind, Section, Word};
use super::board;
use super::checked::{Checked, Leaf, MAX_SIZE, Step, Value};
use super::lint;
use super::pragmas;
use super::token::{Name, Names, ParseContext, Place};
use super::turns::report_missing_turns;
use super::unused::report_unused;

/// The most variables besides the scores.
const MAX_VARIABLES: usize = 10_000;
/// The most directions a board may have; every square keeps a place for each.
const MAX_DIRECTIONS: usize = 255;

/// The game, when it has no errors.
pub(crate) fn check(ast: &Ast, context: &mut ParseContext) -> Option<Checked> {
    let mut checker = Checker::new(ast, context);
    checker.declare_all(ast);
    let board = ast.board.as_ref().and_then(|layout| board::build(layout, &mut checker));
    let rules = ast.rules.as_ref().and_then(|rule| checker.rule(rule));
    let (board, rules) = (board?, rules?);
    let sized = checker.size_is_allowed(&rules, ast.rules.as_ref()?.place);
    if checker.context.sink.has_errors() || !sized {
        return None;
    }
    let text = |word: &Word| word.name.map_or("", |name| ast.names.text(name)).to_owned();
    let info = |item: &Bounded| VariableInfo { name: text(&item.word), bound: item.bound };
    let players: IdVec<Player, VariableInfo> = ast.players.items.iter().map(info).collect();
    let pieces: IdVec<Piece, String> = ast.pieces.items.iter().map(text).collect();
    let looks = looks::guess(
        players.values().map(|player| player.name.as_str()),
        pieces.values().map(String::as_str),
    );
    let mut game = Checked {
        players,
        variables: ast.players.items.iter().chain(&ast.variables.items).map(info).collect(),
        pieces,
        board,
        rules,
        looks,
        ends: BTreeMap::new(),
        stuck: None,
        history: None,
    };
    pragmas::apply(&mut game, context);
    lint::lint(&game, &mut context.sink);
    report_unused(ast, &game, context);
    report_missing_turns(ast, &game, context);
    Some(game)
}

pub(crate) struct Checker<'a> {
    pub(crate) names: &'a Names,
    pub(crate) context: &'a mut ParseContext,
    /// What each name stands for and where it is declared.
    meanings: HashMap<Name, (NameMeaning, Place)>,
    /// The same in the order of declaration.
    declared: Vec<(Name, NameMeaning)>,
    directions: usize,
    /// Whether every declaration is known.
    complete: bool,
    look_aheads: usize,
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum NameMeaning {
    Player(Player),
    Variable(Variable),
    Piece(Piece),
    Direction(Direction),
}

impl NameMeaning {
    fn kind(self) -> &'static str {
        match self {
            NameMeaning::Player(_) => "player",
            NameMeaning::Variable(_) => "variable",
            NameMeaning::Piece(_) => "piece",
            NameMeaning::Direction(_) => "direction",
        }
    }
}

impl<'a> Checker<'a> {
    fn new(ast: &'a Ast, context: &'a mut ParseContext) -> Checker<'a> {
        let lists = ast.players.complete && ast.pieces.complete && ast.variables.complete;
        Checker {
            names: &ast.names,
            context,
            meanings: HashMap::new(),
            declared: Vec::new(),
            directions: 0,
            complete: lists && ast.board.is_some(),
            look_aheads: 0,
        }
    }

    pub(crate) fn text(&self, word: Word) -> &'a str {
        word.name.map_or("", |name| self.names.text(name))
    }

    pub(crate) fn error(&mut self, place: Place, code: Code, message: String, help: &str) {
        let diagnostic = Diagnostic::error(code, place.span, message).help(help);
        self.context.report(place, diagnostic);
    }

    fn declare_all(&mut self, ast: &Ast) {
        let players = ast.players.items.len();
        self.count("players", &ast.players, 1, MAX_PLAYERS);
        self.count("pieces", &ast.pieces, 1, MAX_PIECES);
        self.count("variables", &ast.variables, 0, MAX_VARIABLES);
        for (number, item) in ast.players.items.iter().enumerate() {
            self.declare(item.word, NameMeaning::Player(Player::from_index(number)));
        }
        for (number, piece) in ast.pieces.items.iter().enumerate() {
            self.declare(*piece, NameMeaning::Piece(Piece::from_index(number)));
        }
        for (number, item) in ast.variables.items.iter().enumerate() {
            self.declare(item.word, NameMeaning::Variable(Variable::from_index(players + number)));
        }
        match &ast.board {
            Some(BoardLayout::Grid(grid)) => {
                grid.labels.iter().for_each(|label| self.declare_direction(*label));
            }
            Some(BoardLayout::Graph(vertices)) => {
                for (label, _) in vertices.iter().flat_map(|vertex| &vertex.edges) {
                    if self.declared_direction(*label).is_none() {
                        self.declare_direction(*label);
                    }
                }
            }
            None => {}
        }
    }

    fn count<T>(&mut self, what: &str, section: &Section<T>, least: usize, most: usize) {
        let (place, count) = (section.place, section.items.len());
        if count < least && section.complete {
            let message = format!("the game has no {what}");
            self.error(place, Code::NothingDeclared, message, "declare at least one");
        }
        if count > most {
            self.too_many(place, what, count, most);
        }
    }

    pub(crate) fn too_many(&mut self, place: Place, what: &str, count: usize, most: usize) {
        let message = format!("the game has {count} {what}; at most {most} are allowed");
        let diagnostic = Diagnostic::error(Code::TooMany, place.span, message);
        self.context.report(place, diagnostic);
    }

    /// The direction of this name; `None` if it is not a direction, without reporting that.
    pub(crate) fn declared_direction(&self, label: Word) -> Option<Direction> {
        match self.meanings.get(&label.name?) {
            Some((NameMeaning::Direction(direction), _)) => Some(*direction),
            _ => None,
        }
    }

    fn declare_direction(&mut self, label: Word) {
        self.declare(label, NameMeaning::Direction(Direction::from_index(self.directions)));
        self.directions += 1;
        if self.directions == MAX_DIRECTIONS + 1 {
            self.too_many(label.place, "directions", self.directions, MAX_DIRECTIONS);
        }
    }

    fn declare(&mut self, word: Word, meaning: NameMeaning) {
        let Some(name) = word.name else {
            return;
        };
        let Some(&(old, first)) = self.meanings.get(&name) else {
            self.meanings.insert(name, (meaning, word.place));
            self.declared.push((name, meaning));
            return;
        };
        let text = self.names.text(name);
        let (code, message) = if old.kind() == meaning.kind() {
            let message = format!("the {} `{text}` is declared twice", meaning.kind());
            (Code::DuplicateName, message)
        } else {
            let message = format!("`{text}` is both a {} and a {}", old.kind(), meaning.kind());
            (Code::NameClash, message)
        };
        let diagnostic = Diagnostic::error(code, word.place.span, message)
            .label("again here")
            .also(first.span, "first here")
            .help("every name stands for one thing; choose another");
        self.context.report(word.place, diagnostic);
    }

    /// The thing a name stands for, when it is of the wanted kind; reported otherwise.
    fn lookup<T>(
        &mut self,
        word: Word,
        wanted: &str,
        pick: impl Fn(NameMeaning) -> Option<T>,
    ) -> Option<T> {
        let name = word.name?;
        match self.meanings.get(&name).map(|(meaning, _)| *meaning) {
            None => self.unknown(word, wanted, |meaning| pick(meaning).is_some()),
            Some(meaning) => {
                let found = pick(meaning);
                if found.is_none() {
                    self.wrong_kind(word, wanted, meaning);
                }
                return found;
            }
        }
        None
    }

    fn unknown(&mut self, word: Word, wanted: &str, fits: impl Fn(NameMeaning) -> bool) {
        if !self.complete {
            return;
        }
        let text = self.text(word);
        let candidates = self.declared.iter().filter(|(_, meaning)| fits(*meaning));
        let candidates = candidates.map(|(name, _)| self.names.text(*name));
        let mut diagnostic = self.unknown_name(word, wanted, candidates);
        if let Some(&span) = word.name.and_then(|name| self.context.macros.get(&name)) {
            diagnostic = diagnostic.also(span, "defined only here").help(format!(
                "the macro `{text}` is visible only after its definition; move it up"
            ));
        }
        self.context.report(word.place, diagnostic);
    }

    /// The finding that a name is not declared, with the nearest candidate as help.
    pub(crate) fn unknown_name<'n>(
        &self,
        word: Word,
        wanted: &str,
        candidates: impl Iterator<Item = &'n str>,
    ) -> Diagnostic {
        let text = self.text(word);
        // Comparing with all candidates is too much work for a finding that is not shown.
        let shown = !self.context.sink.is_full();
        let near = shown.then(|| nearest(text, candidates)).flatten();
        Diagnostic::error(
            Code::UnknownName,
            word.place.span,
            format!("there is no {wanted} `{text}`"),
        )
        .label("not declared")
        .did_you_mean(near)
    }

    fn wrong_kind(&mut self, word: Word, wanted: &str, meaning: NameMeaning) {
        let (text, kind) = (self.text(word), meaning.kind());
        let message = format!("`{text}` is a {kind}, but a {wanted} is needed here");
        let help = match (wanted, meaning) {
            ("direction", NameMeaning::Piece(_)) => {
                Some(format!("write `{{{text}}}` to test for the piece, `[{text}]` to put it"))
            }
            ("direction", NameMeaning::Player(_)) => {
                Some(format!("write `->{text}` to give the turn to the player"))
            }
            ("direction", NameMeaning::Variable(_)) => {
                Some(format!("write `{{$ {text} == 1}}` to test it, `[$ {text} = 1]` to set it"))
            }
            _ => None,
        };
        let diagnostic =
            Diagnostic::error(Code::WrongKind, word.place.span, message).maybe_help(help);
        self.context.report(word.place, diagnostic);
    }

    pub(crate) fn piece(&mut self, word: Word) -> Option<Piece> {
        self.lookup(word, "piece", |meaning| match meaning {
            NameMeaning::Piece(piece) => Some(piece),
            _ => None,
        })
    }

    fn direction(&mut self, word: Word) -> Option<Direction> {
        self.lookup(word, "direction", |meaning| match meaning {
            NameMeaning::Direction(direction) => Some(direction),
            _ => None,
        })
    }

    fn player(&mut self, word: Word) -> Option<Player> {
        self.lookup(word, "player", |meaning| match meaning {
            NameMeaning::Player(player) => Some(player),
            _ => None,
        })
    }

    /// A variable that can be assigned; the scores can.
    fn variable(&mut self, word: Word) -> Option<Variable> {
        self.lookup(word, "variable", |meaning| match meaning {
            NameMeaning::Variable(variable) => Some(variable),
            NameMeaning::Player(player) => Some(player.score()),
            _ => None,
        })
    }

    /// The names of all directions in their order.
    pub(crate) fn direction_names(&self) -> Vec<String> {
        let directions = self
            .declared
            .iter()
            .filter(|(_, meaning)| matches!(meaning, NameMeaning::Direction(_)));
        directions.map(|(name, _)| self.names.text(*name).to_owned()).collect()
    }

    fn rule(&mut self, rule: &Rule) -> Option<Step> {
        let origin = origin(rule.place);
        let leaf = |leaf| Step::Leaf(leaf, origin);
        match &rule.kind {
            RuleKind::Sum(parts) => self.rules(parts).map(Step::sum),
            RuleKind::Chain(parts) => self.rules(parts).map(Step::chain),
            RuleKind::Star(body) => Some(Step::Star(Box::new(self.rule(body)?), origin)),
            RuleKind::Power(body, count) => Some(Step::power(self.rule(body)?, *count)),
            RuleKind::Shift(word) => self.direction(*word).map(Leaf::Shift).map(leaf),
            RuleKind::On(pieces) => self.piece_set(pieces).map(Leaf::On).map(leaf),
            RuleKind::Off(pieces) => self.off(pieces, rule.place),
            RuleKind::Assign(assignments) => self.assignments(assignments),
            RuleKind::Compare(left, relation, right) => {
                let (left, right) = (self.value(left), self.value(right));
                Some(leaf(Leaf::Compare(left?, *relation, right?)))
            }
            RuleKind::Look { succeeds, body } => {
                self.look_aheads += 1;
                let body = self.rule(body);
                self.look_aheads -= 1;
                Some(Step::Look { succeeds: *succeeds, body: Box::new(body?), origin })
            }
            RuleKind::Turn(player) => {
                self.switch(rule.place);
                self.player(*player).map(Leaf::Turn).map(leaf)
            }
            RuleKind::Keeper => {
                self.switch(rule.place);
                Some(leaf(Leaf::Keeper))
            }
            RuleKind::Dot => Some(leaf(Leaf::Dot)),
            RuleKind::Faulty => None,
        }
    }

    fn rules(&mut self, rules: &[Rule]) -> Option<Vec<Step>> {
        let steps: Vec<Option<Step>> = rules.iter().map(|rule| self.rule(rule)).collect();
        steps.into_iter().collect()
    }

    fn switch(&mut self, place: Place) {
        if self.look_aheads > 0 {
            let message = "a look-ahead cannot end the move".to_owned();
            let help = "take the switch out of `{? }` and `{! }`";
            self.error(place, Code::SwitchInLookAhead, message, help);
        }
    }

    fn piece_set(&mut self, words: &[Word]) -> Option<PieceSet> {
        let pieces: Vec<Option<Piece>> = words.iter().map(|word| self.piece(*word)).collect();
        pieces.into_iter().collect()
    }

    /// `[p, q]` is `([p] + [q])`.
    fn off(&mut self, words: &[Word], whole: Place) -> Option<Step> {
        let mut first: BTreeMap<Piece, Place> = BTreeMap::new();
        let mut puts = Vec::new();
        for word in words {
            let piece = self.piece(*word);
            if let Some(before) = piece.and_then(|piece| first.insert(piece, word.place)) {
                self.twice(*word, before);
            }
            let place = if words.len() == 1 { whole } else { word.place };
            puts.push(piece.map(|piece| Step::Leaf(Leaf::Off(piece), origin(place))));
        }
        puts.into_iter().collect::<Option<_>>().map(Step::sum)
    }

    fn twice(&mut self, word: Word, before: Place) {
        let message = format!("`{}` is listed twice, which makes two equal moves", self.text(word));
        let diagnostic = Diagnostic::warning(Code::DuplicateAlternative, word.place.span, message)
            .label("again here")
            .also(before.span, "first here")
            .help("list it once");
        self.context.report(word.place, diagnostic);
    }

    /// `[$ x = 1, y = 2]` is `[$ x = 1] [$ y = 2]`.
    fn assignments(&mut self, assignments: &[Assignment]) -> Option<Step> {
        let mut steps = Vec::new();
        for Assignment { variable, value, place } in assignments {
            let (variable, value) = (self.variable(*variable), self.value(value));
            let leaf = variable.zip(value).map(|(variable, value)| Leaf::Assign(variable, value));
            steps.push(leaf.map(|leaf| Step::Leaf(leaf, origin(*place))));
        }
        steps.into_iter().collect::<Option<_>>().map(Step::chain)
    }

    fn value(&mut self, value: &ast::Value) -> Option<Value> {
        match value {
            ast::Value::Number(number) => Some(Value::Number(*number)),
            ast::Value::Word(word) => {
                self.lookup(*word, "variable, player or piece", |meaning| match meaning {
                    NameMeaning::Player(player) => Some(Value::Variable(player.score())),
                    NameMeaning::Variable(variable) => Some(Value::Variable(variable)),
                    NameMeaning::Piece(piece) => Some(Value::Count(piece)),
                    NameMeaning::Direction(_) => None,
                })
            }
            ast::Value::Chain(operator, operands) => {
                let operands: Vec<Option<Value>> =
                    operands.iter().map(|operand| self.value(operand)).collect();
                let operands = operands.into_iter().collect::<Option<Vec<Value>>>()?;
                Some(Value::Chain(*operator, flattened(*operator, operands)))
            }
        }
    }

    fn size_is_allowed(&mut self, rules: &Step, place: Place) -> bool {
        let size = rules.size();
        if size > MAX_SIZE {
            let message = format!(
                "the rules have {size} actions and operands when powers are written out; at most {MAX_SIZE} are allowed"
            );
            let help = "use smaller powers; `*` often says the same";
            self.error(place, Code::RulesTooLarge, message, help);
        }
        size <= MAX_SIZE
    }
}

fn origin(place: Place) -> Origin {
    Origin { start: place.span.start, end: place.span.end }
}

/// Sums in sums and products in products are written without brackets.
fn flattened(operator: Operator, operands: Vec<Value>) -> Vec<Value> {
    let opens = matches!(operator, Operator::Add | Operator::Multiply);
    let mut flat = Vec::with_capacity(operands.len());
    for operand in operands {
        match operand {
            Value::Chain(inner, operands) if opens && inner == operator => flat.extend(operands),
            other => flat.push(other),
        }
    }
    flat
}
