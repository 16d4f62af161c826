//! The section `#rules`: a regular expression over actions.
//!
//! Every function answers the height of the tree it has built beside the tree, and refuses to build higher ones than
//! [`MAX_NESTING`], so that all later stages may follow trees recursively on a small stack.

use regulus_automaton::{Operator, Relation};

use crate::diagnostics::{Code, Diagnostic};
use crate::rbg::ast::{Assignment, Rule, RuleKind, Value, Word};
use crate::rbg::token::{Place, Symbol, TokenKind};

use super::{Faulty, Parsed, Parser};

/// How deep brackets and suffixes may be nested.
pub(crate) const MAX_NESTING: usize = 200;
/// How many numbers and names an arithmetic expression may have.
pub(crate) const MAX_OPERANDS: usize = 200;

/// The whole rules; `None` if there are none.
pub(crate) fn rules(parser: Parser<'_>) -> Option<Rule> {
    let mut reader = RuleReader { parser, open: Vec::new(), operands: 0 };
    reader.whole().map(|tree| tree.rule)
}

struct RuleReader<'a> {
    parser: Parser<'a>,
    /// The brackets around the next token that hold rules.
    open: Vec<Open>,
    /// How many operands the current arithmetic expression has.
    operands: usize,
}

#[derive(Clone, Copy)]
struct Open {
    place: Place,
    closes: Symbol,
}

/// A rule and the height of its tree.
struct RuleTree {
    rule: Rule,
    height: usize,
}

impl RuleTree {
    fn leaf(kind: RuleKind, place: Place) -> RuleTree {
        RuleTree { rule: Rule { kind, place }, height: 0 }
    }

    /// One tree from one or more.
    fn join(mut trees: Vec<RuleTree>, kind: impl Fn(Vec<Rule>) -> RuleKind) -> RuleTree {
        if trees.len() == 1 {
            return trees.remove(0);
        }
        let height = trees.iter().map(|tree| tree.height).max().unwrap_or(0);
        let rules: Vec<Rule> = trees.into_iter().map(|tree| tree.rule).collect();
        let place = rules[0].place.to(rules[rules.len() - 1].place);
        RuleTree { rule: Rule { kind: kind(rules), place }, height }
    }
}

impl RuleReader<'_> {
    fn whole(&mut self) -> Option<RuleTree> {
        if self.parser.at_end() {
            let place = self.parser.head;
            let message = "the rules are empty";
            let diagnostic = Diagnostic::error(Code::EmptyExpression, place.span, message)
                .help("write at least one action, such as `->player`");
            self.parser.error(place, diagnostic);
            return None;
        }
        let mut trees = vec![self.sum()];
        // What ends the sum too early can only be a bracket that closes nothing.
        while !self.parser.at_end() {
            if self.starts_item() {
                trees.push(self.sum());
                continue;
            }
            if self.ends_chain() && !self.parser.at(Symbol::Plus) {
                self.unmatched();
            }
            self.parser.advance();
        }
        Some(RuleTree::join(trees, RuleKind::Chain))
    }

    fn unmatched(&mut self) {
        let place = self.parser.place();
        let found = self.parser.peek().map(|kind| self.parser.context.describe(kind));
        let message = format!("{} closes nothing", found.unwrap_or_default());
        let diagnostic = Diagnostic::error(Code::UnmatchedBracket, place.span, message)
            .help("remove it, or add the bracket that opens it");
        self.parser.error(place, diagnostic);
    }

    fn sum(&mut self) -> RuleTree {
        let mut alternatives = vec![self.chain()];
        while self.parser.eat(Symbol::Plus) {
            alternatives.push(self.chain());
        }
        RuleTree::join(alternatives, RuleKind::Sum)
    }

    /// One item or more side by side.
    fn chain(&mut self) -> RuleTree {
        let mut items = Vec::new();
        loop {
            let place = self.parser.place();
            if self.starts_item() {
                items.push(self.item());
            } else if !self.ends_chain() {
                self.parser.unexpected("an action");
                self.skip_foreign();
                items.push(RuleTree::leaf(RuleKind::Faulty, place));
            } else if items.is_empty() {
                self.empty();
                items.push(RuleTree::leaf(RuleKind::Faulty, place));
            } else {
                return RuleTree::join(items, RuleKind::Chain);
            }
        }
    }

    fn starts_item(&self) -> bool {
        match self.parser.peek() {
            Some(TokenKind::Word(_) | TokenKind::Poison) => true,
            Some(TokenKind::Symbol(symbol)) => starts_item(symbol),
            _ => false,
        }
    }

    fn ends_chain(&self) -> bool {
        let closer =
            |symbol| matches!(symbol, Symbol::Plus | Symbol::CloseRound | Symbol::CloseCurly);
        match self.parser.peek() {
            Some(TokenKind::Symbol(symbol)) => closer(symbol),
            kind => kind.is_none(),
        }
    }

    /// Skips tokens that cannot be part of rules.
    fn skip_foreign(&mut self) {
        while !self.starts_item() && !self.ends_chain() {
            self.parser.advance();
        }
    }

    fn empty(&mut self) {
        let place = self.parser.place();
        let message = if self.parser.at_end() {
            "an action is missing at the end of the rules".to_owned()
        } else {
            let next = self.parser.peek().map(|kind| self.parser.context.describe(kind));
            format!("an action is missing before {}", next.unwrap_or_default())
        };
        let diagnostic = Diagnostic::error(Code::EmptyExpression, place.span, message)
            .help("write `.` for an action that does nothing");
        self.parser.error(place, diagnostic);
    }

    /// A base with any number of suffixes.
    fn item(&mut self) -> RuleTree {
        let place = self.parser.place();
        let mut tree = self.base().unwrap_or_else(|_| RuleTree::leaf(RuleKind::Faulty, place));
        loop {
            let count = if self.parser.eat(Symbol::Star) {
                None
            } else if self.parser.eat(Symbol::Power) {
                Some(self.power().unwrap_or(1))
            } else {
                return tree;
            };
            let RuleTree { rule, height } = self.higher(tree);
            let place = rule.place.to(self.parser.last_place());
            let body = Box::new(rule);
            let kind = match count {
                None => RuleKind::Star(body),
                Some(count) => RuleKind::Power(body, count),
            };
            tree = RuleTree { rule: Rule { kind, place }, height };
        }
    }

    /// The tree counted as one level higher, unless that is too high.
    fn higher(&mut self, tree: RuleTree) -> RuleTree {
        if tree.height >= MAX_NESTING {
            let place = tree.rule.place;
            self.too_deep(place);
            return RuleTree::leaf(RuleKind::Faulty, place);
        }
        RuleTree { height: tree.height + 1, ..tree }
    }

    fn too_deep(&mut self, place: Place) -> Faulty {
        let message = format!("the rules are nested more than {MAX_NESTING} deep");
        let diagnostic = Diagnostic::error(Code::NestingTooDeep, place.span, message)
            .help("use fewer brackets inside each other");
        let faulty = self.parser.error(place, diagnostic);
        // What follows would only be a heap of unclosed brackets.
        self.parser.cursor.finish();
        self.open.clear();
        faulty
    }

    fn power(&mut self) -> Parsed<u32> {
        let place = self.parser.place();
        let count = match self.parser.peek() {
            Some(TokenKind::Number(count)) => count,
            Some(TokenKind::Poison) => 1,
            _ => {
                let faulty = self.parser.unexpected("a number after `^`");
                if matches!(self.parser.peek(), Some(TokenKind::Word(_))) {
                    self.parser.advance();
                }
                return Err(faulty);
            }
        };
        self.parser.advance();
        if count == 0 {
            let message = "a power must be at least 1";
            let diagnostic = Diagnostic::error(Code::ZeroPower, place.span, message)
                .help("leave out what is to happen no times");
            return Err(self.parser.error(place, diagnostic));
        }
        Ok(count)
    }

    fn base(&mut self) -> Parsed<RuleTree> {
        let place = self.parser.place();
        let Some(TokenKind::Symbol(symbol)) = self.parser.peek() else {
            let word = self.parser.word("an action")?;
            return Ok(RuleTree::leaf(RuleKind::Shift(word), place));
        };
        self.parser.advance();
        let kind = match symbol {
            Symbol::OpenRound => return self.nested(place, Symbol::CloseRound),
            Symbol::OpenIf => return self.look(place, true),
            Symbol::OpenIfNot => return self.look(place, false),
            Symbol::Arrow => RuleKind::Turn(self.parser.word("the name of a player after `->`")?),
            Symbol::KeeperArrow => RuleKind::Keeper,
            Symbol::Dot => RuleKind::Dot,
            Symbol::OpenCurly => {
                self.bracket(place, Symbol::CloseCurly, |reader| reader.pieces().map(RuleKind::On))?
            }
            Symbol::OpenSquare => self.bracket(place, Symbol::CloseSquare, |reader| {
                let pieces = reader.pieces()?;
                if pieces.is_empty() {
                    Err(reader.empty_off(place))
                } else {
                    Ok(RuleKind::Off(pieces))
                }
            })?,
            Symbol::OpenAssign => self.bracket(place, Symbol::CloseSquare, |reader| {
                reader.assignments().map(RuleKind::Assign)
            })?,
            _ => self.bracket(place, Symbol::CloseCurly, RuleReader::comparison)?,
        };
        Ok(RuleTree::leaf(kind, place.to(self.parser.last_place())))
    }

    /// Rules in brackets that are already open.
    fn nested(&mut self, place: Place, closes: Symbol) -> Parsed<RuleTree> {
        if self.open.len() >= MAX_NESTING {
            return Err(self.too_deep(place));
        }
        self.open.push(Open { place, closes });
        let tree = self.sum();
        self.close_nested(closes);
        let tree = self.higher(tree);
        let place = place.to(self.parser.last_place());
        Ok(RuleTree { rule: Rule { kind: tree.rule.kind, place }, ..tree })
    }

    fn look(&mut self, place: Place, succeeds: bool) -> Parsed<RuleTree> {
        let RuleTree { rule, height } = self.nested(place, Symbol::CloseCurly)?;
        let place = rule.place;
        Ok(RuleTree {
            rule: Rule { kind: RuleKind::Look { succeeds, body: Box::new(rule) }, place },
            height,
        })
    }

    /// Reads the bracket that closes the innermost open one.
    fn close_nested(&mut self, closes: Symbol) {
        let Some(open) = self.open.pop() else {
            return;
        };
        if self.parser.eat(closes) {
            return;
        }
        let awaited = self.open.iter().any(|outer| self.parser.at(outer.closes));
        if !awaited && self.parser.next_is(closes) {
            self.unmatched();
            self.parser.advance();
            self.parser.advance();
            return;
        }
        self.unclosed(open.place, closes);
        // A wrong bracket that closes no other group is taken for the right one.
        if !awaited {
            self.parser.advance();
        }
    }

    fn unclosed(&mut self, place: Place, closes: Symbol) {
        let found = match self.parser.peek() {
            Some(kind) => self.parser.context.describe(kind),
            None => "the end of the rules".to_owned(),
        };
        let message = format!("this bracket is not closed before {found}");
        let diagnostic = Diagnostic::error(Code::UnclosedBracket, place.span, message)
            .help(format!("close it with `{}`", closes.text()));
        self.parser.error(place, diagnostic);
        if self.parser.at_end() {
            // One missing bracket leaves all outer ones unclosed too.
            self.open.clear();
        }
    }

    /// The content of a bracket that holds no rules, and its end; after a mistake whatever is left of it is skipped.
    fn bracket(
        &mut self,
        place: Place,
        closes: Symbol,
        content: impl FnOnce(&mut Self) -> Parsed<RuleKind>,
    ) -> Parsed<RuleKind> {
        let kind = content(self);
        if self.parser.eat(closes) {
            return kind;
        }
        if kind.is_ok() {
            let starts_another = self.starts_item() && !self.parser_at_word();
            if self.parser.at_end() || starts_another {
                self.unclosed(place, closes);
            } else {
                self.parser.unexpected(&format!("`{}`", closes.text()));
            }
        }
        self.parser.skip_until(|symbol| {
            let round = matches!(symbol, Symbol::OpenRound | Symbol::Dot);
            symbol == closes || symbol == Symbol::CloseCurly || (starts_item(symbol) && !round)
        });
        self.parser.eat(closes);
        Err(Faulty)
    }

    fn parser_at_word(&self) -> bool {
        matches!(self.parser.peek(), Some(TokenKind::Word(_) | TokenKind::Poison))
            || self.parser.at(Symbol::OpenRound)
    }

    /// Piece names separated by commas, possibly none.
    fn pieces(&mut self) -> Parsed<Vec<Word>> {
        let mut pieces = Vec::new();
        if self.parser.at(Symbol::CloseCurly) || self.parser.at(Symbol::CloseSquare) {
            return Ok(pieces);
        }
        pieces.push(self.parser.word("the name of a piece")?);
        while self.parser.eat(Symbol::Comma) {
            pieces.push(self.parser.word("the name of a piece")?);
        }
        Ok(pieces)
    }

    fn empty_off(&mut self, place: Place) -> Faulty {
        let message = "`[]` puts no piece";
        let diagnostic = Diagnostic::error(Code::EmptyOff, place.span, message)
            .help("name the piece to put; for an action that always fails write `{}`");
        self.parser.error(place, diagnostic)
    }

    /// `x = 1, y = x`
    fn assignments(&mut self) -> Parsed<Vec<Assignment>> {
        let mut assignments = Vec::new();
        loop {
            let variable = self.parser.word("the name of a variable or player")?;
            self.parser.expect(Symbol::Assign, "`=`")?;
            let value = self.value()?;
            let place = variable.place.to(self.parser.last_place());
            assignments.push(Assignment { variable, value, place });
            if !self.parser.eat(Symbol::Comma) {
                return Ok(assignments);
            }
        }
    }

    /// `x < y`
    fn comparison(&mut self) -> Parsed<RuleKind> {
        let left = self.value()?;
        let relation = match self.parser.peek() {
            Some(TokenKind::Symbol(symbol)) => relation(symbol),
            _ => None,
        };
        let Some(relation) = relation else {
            return Err(self.parser.unexpected("one of `==`, `!=`, `<`, `<=`, `>`, `>=`"));
        };
        self.parser.advance();
        Ok(RuleKind::Compare(left, relation, self.value()?))
    }

    fn value(&mut self) -> Parsed<Value> {
        self.operands = 0;
        self.operation(&OPERATORS, 0)
    }

    /// Operands joined by the first operator, which binds loosest; each is made with the other operators.
    ///
    /// The language gives every operator a level of its own, so `a*b/c` is `a*(b/c)`.
    fn operation(&mut self, operators: &[(Symbol, Operator)], depth: usize) -> Parsed<Value> {
        let Some(((symbol, operator), tighter)) = operators.split_first() else {
            return self.operand(depth);
        };
        let first = self.operation(tighter, depth)?;
        if !self.parser.at(*symbol) {
            return Ok(first);
        }
        let mut operands = vec![first];
        while self.parser.eat(*symbol) {
            operands.push(self.operation(tighter, depth)?);
        }
        Ok(Value::Chain(*operator, operands))
    }

    fn operand(&mut self, depth: usize) -> Parsed<Value> {
        let place = self.parser.place();
        self.operands += 1;
        if self.operands > MAX_OPERANDS {
            let message = format!("this expression has more than {MAX_OPERANDS} operands");
            let diagnostic = Diagnostic::error(Code::ExpressionTooLong, place.span, message)
                .help("compute it in several assignments");
            return Err(self.parser.error(place, diagnostic));
        }
        if self.parser.eat(Symbol::OpenRound) {
            if self.open.len() + depth >= MAX_NESTING {
                return Err(self.too_deep(place));
            }
            let value = self.operation(&OPERATORS, depth + 1)?;
            self.parser.expect(Symbol::CloseRound, "`)`")?;
            return Ok(value);
        }
        let signed = self.parser.eat(Symbol::Plus);
        match self.parser.peek() {
            Some(TokenKind::Number(number)) => {
                self.parser.advance();
                Ok(Value::Number(self.parser.small(number, place)))
            }
            _ if signed => Err(self.parser.unexpected("a number after `+`")),
            _ if self.parser.at(Symbol::Minus) => Err(self.minus()),
            _ => self.parser.word("a number or a name").map(Value::Word),
        }
    }

    fn minus(&mut self) -> Faulty {
        let place = self.parser.place();
        let message = "there are no negative numbers";
        let diagnostic = Diagnostic::error(Code::UnexpectedToken, place.span, message)
            .help("write a difference, such as `0-1`");
        self.parser.error(place, diagnostic)
    }
}

/// The operators from the loosest to the tightest.
const OPERATORS: [(Symbol, Operator); 4] = [
    (Symbol::Plus, Operator::Add),
    (Symbol::Minus, Operator::Subtract),
    (Symbol::Star, Operator::Multiply),
    (Symbol::Slash, Operator::Divide),
];

fn relation(symbol: Symbol) -> Option<Relation> {
    Some(match symbol {
        Symbol::Equal => Relation::Equal,
        Symbol::NotEqual => Relation::NotEqual,
        Symbol::Less => Relation::Less,
        Symbol::LessOrEqual => Relation::LessOrEqual,
        Symbol::Greater => Relation::Greater,
        Symbol::GreaterOrEqual => Relation::GreaterOrEqual,
        _ => return None,
    })
}

fn starts_item(symbol: Symbol) -> bool {
    use Symbol::{
        Arrow, Dot, KeeperArrow, OpenAssign, OpenCompare, OpenCurly, OpenIf, OpenIfNot, OpenRound,
        OpenSquare,
    };
    matches!(
        symbol,
        Arrow
            | Dot
            | KeeperArrow
            | OpenAssign
            | OpenCompare
            | OpenCurly
            | OpenIf
            | OpenIfNot
            | OpenRound
            | OpenSquare
    )
}
