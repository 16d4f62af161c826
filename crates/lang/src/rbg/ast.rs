//! The abstract syntax of a game after macro expansion: what is written, with names not yet looked up.
//!
//! The parser bounds the depth of every tree here, so code may follow it recursively.

use regulus_automaton::{Operator, Relation};

use super::token::{Name, Names, Place};

/// A game as written.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, rbg};
///
/// let text = "
///     #players = one(1)
///     #pieces = e, x
///     #variables =
///     #board = rectangle(up, down, left, right, [e, e])
///     #everywhere = right*
///     #rules = ->one everywhere {e} [x] ->> {}
/// ";
/// let ast = rbg::parse(&Source::new("solo.rbg", text)).0.expect("no errors");
/// assert_eq!((ast.players.items.len(), ast.pieces.items.len(), ast.variables.items.len()), (1, 2, 0));
/// assert!(ast.board.is_some() && ast.rules.is_some() && ast.unused_macros.is_empty());
/// ```
#[derive(Clone, Debug)]
pub struct Ast {
    /// The spelling of all names.
    pub names: Names,
    /// `#players`
    pub players: Section<Bounded>,
    /// `#pieces`
    pub pieces: Section<Word>,
    /// `#variables`
    pub variables: Section<Bounded>,
    /// `#board`; `None` if it could not be understood.
    pub board: Option<BoardLayout>,
    /// `#rules`; `None` if they are missing.
    pub rules: Option<Rule>,
    /// The keyword of `#rules`.
    pub rules_place: Place,
    /// The macros that no section needs, where they are defined.
    pub unused_macros: Vec<Word>,
}

/// A list of declarations.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, rbg};
///
/// let text = "
/// #     #players = one(9)
///     #pieces = empty, stone
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, x])
/// #     #rules = ->one right* {e} [x] ->> {}
/// ";
/// let source = Source::new("solo.rbg", text);
/// let pieces = rbg::parse(&source).0.expect("no errors").pieces;
/// assert!(pieces.complete);
/// assert_eq!(source.slice(pieces.place.span), "pieces");
/// let spelled: Vec<&str> = pieces.items.iter().map(|word| source.slice(word.place.span)).collect();
/// assert_eq!(spelled, ["empty", "stone"]);
/// ```
#[derive(Clone, Debug)]
pub struct Section<T> {
    /// The keyword of the section.
    pub place: Place,
    /// The items in their order.
    pub items: Vec<T>,
    /// Whether all of the section was understood.
    pub complete: bool,
}

/// A name where it is used.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, rbg};
///
/// let text = "
/// #     #players = one(9)
///     #pieces = empty, stone
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, x])
/// #     #rules = ->one right* {e} [x] ->> {}
/// ";
/// let source = Source::new("solo.rbg", text);
/// let ast = rbg::parse(&source).0.expect("no errors");
/// let word = ast.pieces.items[1];
/// assert_eq!(word.name.map(|name| ast.names.text(name)), Some("stone"));
/// assert_eq!(source.slice(word.place.span), "stone");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The name; `None` where a mistake was already reported.
    pub name: Option<Name>,
    /// Where it stands.
    pub place: Place,
}

/// A player or variable with its bound.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, rbg};
///
/// let text = "
/// #     #players = one(9)
/// #     #pieces = e, x
///     #variables = rounds(30)
/// #     #board = rectangle(up, down, left, right, [e, x])
/// #     #rules = ->one right* {e} [x] ->> {}
/// ";
/// let ast = rbg::parse(&Source::new("solo.rbg", text)).0.expect("no errors");
/// let variable = ast.variables.items[0];
/// assert_eq!(variable.word.name.map(|name| ast.names.text(name)), Some("rounds"));
/// assert_eq!(variable.bound, 30);
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounded {
    /// Its name.
    pub word: Word,
    /// Its greatest value.
    pub bound: i32,
}

/// A board as written.
///
/// # Examples
///
/// ```
/// use regulus_lang::rbg::ast::BoardLayout;
/// use regulus_lang::{Source, rbg};
///
/// let text = "
/// #     #players = one(9)
/// #     #pieces = e, x
/// #     #variables = n(9)
///     #board = shore[x]{ahead: island} island[e]{back: shore}
/// #     #rules = ->one right* {e} [x] ->> {}
/// ";
/// let board = rbg::parse(&Source::new("solo.rbg", text)).0.expect("no errors").board;
/// assert!(matches!(board, Some(BoardLayout::Graph(squares)) if squares.len() == 2));
/// ```
#[derive(Clone, Debug)]
pub enum BoardLayout {
    /// A generator with its lines.
    Grid(Grid),
    /// Squares one by one.
    Graph(Vec<Vertex>),
}

/// What a generator is given.
///
/// # Examples
///
/// ```
/// use regulus_lang::rbg::ast::{BoardLayout, Generator};
/// use regulus_lang::{Source, rbg};
///
/// let text = "
/// #     #players = one(9)
/// #     #pieces = e, x
/// #     #variables = n(9)
///     #board = rectangle(up, down, left, right, [e, x, e] [x, e, x])
/// #     #rules = ->one right* {e} [x] ->> {}
/// ";
/// let board = rbg::parse(&Source::new("solo.rbg", text)).0.expect("no errors").board;
/// let Some(BoardLayout::Grid(grid)) = board else { panic!("rectangles are grids") };
/// assert_eq!((grid.generator, grid.labels.len()), (Generator::Rectangle, 4));
/// assert_eq!((grid.layers.len(), grid.layers[0].lines.len()), (1, 2));
/// ```
#[derive(Clone, Debug)]
pub struct Grid {
    /// Which generator it is.
    pub generator: Generator,
    /// Where the generator stands.
    pub place: Place,
    /// The labels in the order of the generator.
    pub labels: Vec<Word>,
    /// The layers; flat boards have one. Empty if they could not be understood.
    pub layers: Vec<Layer>,
}

/// The built-in kinds of board.
///
/// # Examples
///
/// ```
/// use regulus_lang::rbg::ast::{BoardLayout, Generator};
/// use regulus_lang::{Source, rbg};
///
/// let text = "
/// #     #players = one(9)
/// #     #pieces = e, x
/// #     #variables = n(9)
///     #board = hexagon(nw, ne, east, se, sw, west, [e, e] [e, x, e] [e, e])
/// #     #rules = ->one right* {e} [x] ->> {}
/// ";
/// let board = rbg::parse(&Source::new("solo.rbg", text)).0.expect("no errors").board;
/// let Some(BoardLayout::Grid(grid)) = board else { panic!("hexagons are grids") };
/// assert_eq!(grid.generator, Generator::Hexagon);
/// assert_eq!(grid.labels.len(), Generator::Hexagon.labels());
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Generator {
    /// `rectangle(up, down, left, right, line...)`
    Rectangle,
    /// `hexagon(north-west, north-east, east, south-east, south-west, west, line...)`
    Hexagon,
    /// `cuboid(up, down, left, right, next, previous, layer...)`
    Cuboid,
}

impl Generator {
    /// How many labels it takes.
    #[must_use]
    pub fn labels(self) -> usize {
        match self {
            Generator::Rectangle => 4,
            Generator::Hexagon | Generator::Cuboid => 6,
        }
    }
}

/// A layer of a cuboid, or all lines of a flat board.
///
/// # Examples
///
/// ```
/// use regulus_lang::rbg::ast::BoardLayout;
/// use regulus_lang::{Source, rbg};
///
/// let text = "
/// #     #players = one(9)
/// #     #pieces = e, x
/// #     #variables = n(9)
///     #board = cuboid(up, down, left, right, next, back, [[e, x] [x, e]] [[e, e] [e, e]])
/// #     #rules = ->one right* {e} [x] ->> {}
/// ";
/// let source = Source::new("solo.rbg", text);
/// let board = rbg::parse(&source).0.expect("no errors").board;
/// let Some(BoardLayout::Grid(grid)) = board else { panic!("cuboids are grids") };
/// let second = &grid.layers[1];
/// assert_eq!(second.lines.len(), 2);
/// assert_eq!(source.slice(second.lines[0].place.span), "[e, e]");
/// ```
#[derive(Clone, Debug)]
pub struct Layer {
    /// Where it stands.
    pub place: Place,
    /// The lines from the top.
    pub lines: Vec<Line>,
}

/// A line of cells.
///
/// # Examples
///
/// ```
/// use regulus_lang::rbg::ast::BoardLayout;
/// use regulus_lang::{Source, rbg};
///
/// let text = "
/// #     #players = one(9)
/// #     #pieces = e, x
/// #     #variables = n(9)
///     #board = rectangle(up, down, left, right, [e, , x])
/// #     #rules = ->one right* {e} [x] ->> {}
/// ";
/// let board = rbg::parse(&Source::new("solo.rbg", text)).0.expect("no errors").board;
/// let Some(BoardLayout::Grid(grid)) = board else { panic!("rectangles are grids") };
/// let holes: Vec<bool> = grid.layers[0].lines[0].cells.iter().map(Option::is_none).collect();
/// assert_eq!(holes, [false, true, false]);
/// ```
#[derive(Clone, Debug)]
pub struct Line {
    /// Where it stands.
    pub place: Place,
    /// The cells from the left: a piece, or `None` where the board has a hole.
    pub cells: Vec<Option<Word>>,
}

/// A square of an explicit graph.
///
/// # Examples
///
/// ```
/// use regulus_lang::rbg::ast::BoardLayout;
/// use regulus_lang::{Source, rbg};
///
/// let text = "
/// #     #players = one(9)
/// #     #pieces = e, x
/// #     #variables = n(9)
///     #board = shore[x]{ahead: island, around: shore} island[e]{}
/// #     #rules = ->one right* {e} [x] ->> {}
/// ";
/// let source = Source::new("solo.rbg", text);
/// let board = rbg::parse(&source).0.expect("no errors").board;
/// let Some(BoardLayout::Graph(squares)) = board else { panic!("squares are given one by one") };
/// let (label, target) = squares[0].edges[1];
/// assert_eq!((source.slice(label.place.span), source.slice(target.place.span)), ("around", "shore"));
/// assert!(squares[1].edges.is_empty());
/// ```
#[derive(Clone, Debug)]
pub struct Vertex {
    /// Its name.
    pub name: Word,
    /// The piece it holds at the beginning.
    pub piece: Word,
    /// Label and target of its outgoing edges.
    pub edges: Vec<(Word, Word)>,
}

/// A part of the rules.
///
/// # Examples
///
/// ```
/// use regulus_lang::rbg::ast::RuleKind;
/// use regulus_lang::{Source, rbg};
///
/// let text = "
/// #     #players = one(9)
/// #     #pieces = e, x
/// #     #variables = n(9)
/// #     #board = rectangle(up, down, left, right, [e, x])
///     #rules = ->one (left* + right*) {e} [x] ->> {}
/// ";
/// let source = Source::new("solo.rbg", text);
/// let rule = rbg::parse(&source).0.expect("no errors").rules.expect("there are rules");
/// let RuleKind::Chain(parts) = rule.kind else { panic!("the rules are several actions") };
/// assert_eq!(source.slice(parts[1].place.span), "(left* + right*)");
/// ```
#[derive(Clone, Debug)]
pub struct Rule {
    /// What it is.
    pub kind: RuleKind,
    /// Where it stands.
    pub place: Place,
}

/// What a part of the rules is.
///
/// # Examples
///
/// ```
/// use regulus_lang::rbg::ast::RuleKind;
/// use regulus_lang::{Source, rbg};
///
/// let text = "
/// #     #players = one(9)
/// #     #pieces = e, x
/// #     #variables = n(9)
/// #     #board = rectangle(up, down, left, right, [e, x])
///     #rules = ->one right* {e} [x] ->> {! left}
/// ";
/// let rule = rbg::parse(&Source::new("solo.rbg", text)).0.expect("no errors").rules.expect("there are rules");
/// let RuleKind::Chain(parts) = rule.kind else { panic!("the rules are several actions") };
/// assert!(matches!(parts[0].kind, RuleKind::Turn(_)));
/// assert!(matches!(&parts[1].kind, RuleKind::Star(body) if matches!(body.kind, RuleKind::Shift(_))));
/// assert!(matches!(parts[5].kind, RuleKind::Look { succeeds: false, .. }));
/// ```
#[derive(Clone, Debug)]
pub enum RuleKind {
    /// `a + b`; two or more.
    Sum(Vec<Rule>),
    /// `a b`; two or more.
    Chain(Vec<Rule>),
    /// `a*`
    Star(Box<Rule>),
    /// `a^n`, from 1.
    Power(Box<Rule>, u32),
    /// `up`
    Shift(Word),
    /// `{p, q}`
    On(Vec<Word>),
    /// `[p, q]`; one or more.
    Off(Vec<Word>),
    /// `[$ x = 1, y = x]`; one or more.
    Assign(Vec<Assignment>),
    /// `{$ x < y}`
    Compare(Value, Relation, Value),
    /// `{? a}` when it must succeed, `{! a}` when it must fail.
    Look {
        /// Whether the content must succeed.
        succeeds: bool,
        /// The content.
        body: Box<Rule>,
    },
    /// `->p`
    Turn(Word),
    /// `->>`
    Keeper,
    /// `.`
    Dot,
    /// A part that could not be understood, which was reported.
    Faulty,
}

/// An assignment of a list.
///
/// # Examples
///
/// ```
/// use regulus_lang::rbg::ast::RuleKind;
/// use regulus_lang::{Source, rbg};
///
/// let text = "
/// #     #players = one(9)
/// #     #pieces = e, x
/// #     #variables = n(9)
/// #     #board = rectangle(up, down, left, right, [e, x])
///     #rules = [$ n = n + 1, one = 9]
/// ";
/// let source = Source::new("solo.rbg", text);
/// let rule = rbg::parse(&source).0.expect("no errors").rules.expect("there are rules");
/// let RuleKind::Assign(list) = rule.kind else { panic!("the only action assigns") };
/// let written: Vec<&str> = list.iter().map(|item| source.slice(item.place.span)).collect();
/// assert_eq!(written, ["n = n + 1", "one = 9"]);
/// ```
#[derive(Clone, Debug)]
pub struct Assignment {
    /// The variable or player.
    pub variable: Word,
    /// The new value.
    pub value: Value,
    /// Where it stands.
    pub place: Place,
}

/// An arithmetic expression.
///
/// # Examples
///
/// ```
/// use regulus_automaton::Operator;
/// use regulus_lang::rbg::ast::{RuleKind, Value};
/// use regulus_lang::{Source, rbg};
///
/// let text = "
/// #     #players = one(9)
/// #     #pieces = e, x
/// #     #variables = n(9)
/// #     #board = rectangle(up, down, left, right, [e, x])
///     #rules = {$ n + x + 1 < 9}
/// ";
/// let rule = rbg::parse(&Source::new("solo.rbg", text)).0.expect("no errors").rules.expect("there are rules");
/// let RuleKind::Compare(left, _, right) = rule.kind else { panic!("the only action compares") };
/// assert!(matches!(left, Value::Chain(Operator::Add, operands) if operands.len() == 3));
/// assert!(matches!(right, Value::Number(9)));
/// ```
#[derive(Clone, Debug)]
pub enum Value {
    /// A number.
    Number(i32),
    /// A variable, a player's score or the number of squares with a piece.
    Word(Word),
    /// Two or more operands joined by one operator, from the left.
    Chain(Operator, Vec<Value>),
}
