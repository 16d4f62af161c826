//! The syntax of a text, as much of it as could be understood, with places.

use super::game::{Amount, Assigner, Effect, Inversion, Symmetries, Who};
pub(super) use crate::source::Placed;
use crate::source::Span;

pub(super) type Name = Placed<String>;
pub(super) type Square = Placed<(u32, u32)>;

/// A text; what is missing or cannot be read at all is absent.
#[derive(Debug, Default)]
pub(super) struct Ast {
    pub(super) name: Option<Name>,
    /// The place of the word `GOALS`.
    pub(super) goals_span: Option<Span>,
    pub(super) goals: Vec<Goal>,
    pub(super) board: Option<Board>,
    pub(super) setup: Option<Setup>,
    pub(super) must_capture: Option<Span>,
    pub(super) pieces: Vec<Piece>,
    /// Whether all goals could be read, so that a game without any has none.
    pub(super) has_all_goals: bool,
}

#[derive(Debug)]
pub(super) struct Goal {
    pub(super) kind: GoalKind,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) enum GoalKind {
    Arrive(Description, Vec<Square>),
    Eradicate(Description),
    Stalemate(Who),
}

#[derive(Debug)]
pub(super) struct Description {
    pub(super) owner: Option<Who>,
    pub(super) kinds: Names,
}

#[derive(Debug)]
pub(super) enum Names {
    All,
    These(Vec<Name>),
}

#[derive(Debug)]
pub(super) struct Board {
    pub(super) width: Placed<u32>,
    pub(super) height: Placed<u32>,
    pub(super) is_cylinder: bool,
    pub(super) inversion: Inversion,
    pub(super) promote_rank: Placed<u32>,
}

#[derive(Debug)]
pub(super) enum Setup {
    Fixed(Vec<(Name, Vec<Square>)>),
    Assigned { by: Assigner, pieces: Names, squares: Vec<Square>, span: Span },
}

#[derive(Debug)]
pub(super) struct Piece {
    pub(super) name: Name,
    pub(super) moving: Vec<Movement>,
    pub(super) capturing: Vec<Capture>,
    pub(super) promoting: Option<Promotion>,
    pub(super) must_capture: Option<Span>,
    pub(super) continue_captures: Option<Span>,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) struct Movement {
    pub(super) kind: MovementKind,
    pub(super) vector: Placed<(u32, u32)>,
    pub(super) symmetries: Symmetries,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) enum MovementKind {
    Leap,
    Ride { min: Option<Placed<u32>>, max: Option<Placed<u32>>, longest: Option<Span> },
    Hop { before: Amount, over: Amount, after: Amount, what: Description },
}

#[derive(Debug)]
pub(super) struct Capture {
    pub(super) retrieve: bool,
    pub(super) clobber: bool,
    pub(super) hop: Option<Span>,
    pub(super) what: Description,
    pub(super) effect: Effect,
    pub(super) movements: Vec<Movement>,
    /// From `CAPTURE` to the methods.
    pub(super) head: Span,
    pub(super) span: Span,
}

#[derive(Debug)]
pub(super) enum Promotion {
    To(Name),
    Choice(Who, Description),
}
