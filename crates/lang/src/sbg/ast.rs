//! The syntax of a text, as much of it as could be understood, with places.

pub(super) use crate::source::Placed;
use crate::source::Span;

/// A text; a section is absent when it is missing or cannot be read at all.
#[derive(Debug, Default)]
pub(super) struct Ast {
    pub(super) name: Option<Placed<String>>,
    pub(super) board: Option<Board>,
    pub(super) pieces: Vec<PieceRule>,
    pub(super) goals: Option<Goals>,
}

#[derive(Debug)]
pub(super) struct Board {
    pub(super) width: Placed<u32>,
    pub(super) height: Placed<u32>,
    pub(super) rows: Vec<Row>,
}

/// A row; empty squares are dots.
#[derive(Debug)]
pub(super) struct Row {
    pub(super) cells: Vec<Placed<char>>,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) struct PieceRule {
    pub(super) letter: Placed<char>,
    /// Absent when it cannot be read.
    pub(super) rule: Option<Placed<Expression>>,
}

#[derive(Debug)]
pub(super) enum Expression {
    Letter { x: Placed<i32>, y: Placed<i32>, on: Placed<char> },
    Sum(Vec<Placed<Expression>>),
    Chain(Vec<Placed<Expression>>),
    Star(Box<Placed<Expression>>),
    Power(Box<Placed<Expression>>, u32),
}

#[derive(Debug)]
pub(super) struct Goals {
    pub(super) limit: Option<Placed<u32>>,
    pub(super) goals: Vec<Goal>,
}

#[derive(Debug)]
pub(super) struct Goal {
    pub(super) letter: Placed<char>,
    pub(super) kind: GoalKind,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) enum GoalKind {
    Count(Placed<u32>),
    Reach(Vec<Placed<(u32, u32)>>),
}
