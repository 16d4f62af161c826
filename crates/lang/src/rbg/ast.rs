//! The abstract syntax of a game after macro expansion: what is written, with names not yet looked up.
//!
//! The parser bounds the depth of every tree here, so code may follow it recursively.

use regulus_automaton::{Operator, Relation};

use super::token::{Name, Names, Place};

/// A game as written.
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
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Word {
    /// The name; `None` where a mistake was already reported.
    pub name: Option<Name>,
    /// Where it stands.
    pub place: Place,
}

/// A player or variable with its bound.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Bounded {
    /// Its name.
    pub word: Word,
    /// Its greatest value.
    pub bound: i32,
}

/// A board as written.
#[derive(Clone, Debug)]
pub enum BoardLayout {
    /// A generator with its lines.
    Grid(Grid),
    /// Squares one by one.
    Graph(Vec<Vertex>),
}

/// What a generator is given.
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
#[derive(Clone, Debug)]
pub struct Layer {
    /// Where it stands.
    pub place: Place,
    /// The lines from the top.
    pub lines: Vec<Line>,
}

/// A line of cells.
#[derive(Clone, Debug)]
pub struct Line {
    /// Where it stands.
    pub place: Place,
    /// The cells from the left: a piece, or `None` where the board has a hole.
    pub cells: Vec<Option<Word>>,
}

/// A square of an explicit graph.
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
#[derive(Clone, Debug)]
pub struct Rule {
    /// What it is.
    pub kind: RuleKind,
    /// Where it stands.
    pub place: Place,
}

/// What a part of the rules is.
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
#[derive(Clone, Debug)]
pub enum Value {
    /// A number.
    Number(i32),
    /// A variable, a player's score or the number of squares with a piece.
    Word(Word),
    /// Two or more operands joined by one operator, from the left.
    Chain(Operator, Vec<Value>),
}
