//! What an edge of the automaton does: the alphabet of the rules.
//!
//! An action is executed by a cursor standing on a square. It fails, and the path with it, or it yields the next
//! situation. Tests and walks change nothing but the cursor; writes change the state and, outside patterns, are
//! recorded in the move; control hands over and ends the move.

use crate::ids::{
    Direction, Pattern, Piece, PieceSet, Player, Register, SquareSet, Table, Variable,
};

/// The action an edge carries.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Action {
    /// Succeeds and does nothing.
    Skip,
    /// Test: the piece under the cursor is in the set.
    On(PieceSet),
    /// Test: the cursor is in the set.
    At(SquareSet),
    /// Test: the relation holds.
    Compare(Expression, Relation, Expression),
    /// Test: some path through the pattern succeeds from here; whatever it does is undone.
    Check(Pattern),
    /// Test: no path through the pattern succeeds from here.
    CheckNot(Pattern),
    /// Walk: to the neighbour in this direction; fails where there is none.
    Shift(Direction),
    /// Walk: to each of the squares that the table lists for the cursor, as alternatives.
    Walk(Table),
    /// Walk: to the square remembered by a register.
    Recall(Register),
    /// Walk: to the square with these coordinates; fails where there is none.
    Jump(Expression, Expression),
    /// Write: this piece under the cursor.
    Put(Piece),
    /// Write: under the cursor, the piece now standing on the square a register remembers.
    PutHeld(Register),
    /// Write: the value to the variable; fails outside 0 and the variable's bound.
    Assign(Variable, Expression),
    /// Write: the cursor to a register. Registers are part of the state, so remembering is a write.
    Save(Register),
    /// Control: the move ends and this player chooses the next.
    Turn(Player),
    /// Control: the move ends and the rules go on by themselves.
    Keeper,
}

/// What kinds of action there are; every action is of exactly one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// Changes nothing.
    Test,
    /// Changes only the cursor.
    Walk,
    /// Changes the board, a variable or a register.
    Write,
    /// Ends the move.
    Control,
}

impl Action {
    /// The kind of this action.
    #[must_use]
    pub fn kind(&self) -> ActionKind {
        match self {
            Action::Skip
            | Action::On(_)
            | Action::At(_)
            | Action::Compare(..)
            | Action::Check(_)
            | Action::CheckNot(_) => ActionKind::Test,
            Action::Shift(_) | Action::Walk(_) | Action::Recall(_) | Action::Jump(..) => {
                ActionKind::Walk
            }
            Action::Put(_) | Action::PutHeld(_) | Action::Assign(..) | Action::Save(_) => {
                ActionKind::Write
            }
            Action::Turn(_) | Action::Keeper => ActionKind::Control,
        }
    }

    /// Whether the action is recorded in a move: writes and control are.
    #[must_use]
    pub fn is_modifier(&self) -> bool {
        matches!(self.kind(), ActionKind::Write | ActionKind::Control)
    }

    /// The pattern a check evaluates.
    #[must_use]
    pub fn pattern(&self) -> Option<Pattern> {
        match self {
            Action::Check(pattern) | Action::CheckNot(pattern) => Some(*pattern),
            _ => None,
        }
    }
}

/// An integer expression over the state. Division truncates; dividing by zero or leaving 64 bits makes the action
/// that asked fail.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Expression {
    /// A number.
    Constant(i32),
    /// The value of a variable.
    Variable(Variable),
    /// How many squares hold this piece.
    Count(Piece),
    /// The `x` coordinate of the square a register remembers.
    Column(Register),
    /// The `y` coordinate of the square a register remembers.
    Row(Register),
    /// Two expressions combined.
    Binary(Operator, Box<Expression>, Box<Expression>),
}

impl Expression {
    /// Two expressions combined.
    #[must_use]
    pub fn binary(operator: Operator, left: Expression, right: Expression) -> Expression {
        Expression::Binary(operator, Box::new(left), Box::new(right))
    }

    /// Whether the value depends on where the cursor is.
    #[must_use]
    pub fn mentions_cursor(&self) -> bool {
        let mut mentioned = false;
        self.visit(&mut |part| {
            mentioned |= matches!(
                part,
                Expression::Column(Register::CURSOR) | Expression::Row(Register::CURSOR)
            );
        });
        mentioned
    }

    /// Calls the function on this expression and on all its parts.
    pub fn visit(&self, function: &mut impl FnMut(&Expression)) {
        function(self);
        if let Expression::Binary(_, left, right) = self {
            left.visit(function);
            right.visit(function);
        }
    }
}

/// The operations of arithmetic.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operator {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/`
    Divide,
}

impl Operator {
    /// Computes the value; `None` on division by zero or overflow of 64 bits.
    #[must_use]
    #[inline]
    pub fn apply(self, left: i64, right: i64) -> Option<i64> {
        match self {
            Operator::Add => left.checked_add(right),
            Operator::Subtract => left.checked_sub(right),
            Operator::Multiply => left.checked_mul(right),
            Operator::Divide => left.checked_div(right),
        }
    }

    /// The sign it is written with.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Operator::Add => "+",
            Operator::Subtract => "-",
            Operator::Multiply => "*",
            Operator::Divide => "/",
        }
    }
}

/// The relations of a comparison.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Relation {
    /// `==`
    Equal,
    /// `!=`
    NotEqual,
    /// `<`
    Less,
    /// `<=`
    LessOrEqual,
    /// `>`
    Greater,
    /// `>=`
    GreaterOrEqual,
}

impl Relation {
    /// Whether the relation holds.
    #[must_use]
    #[inline]
    pub fn holds(self, left: i64, right: i64) -> bool {
        match self {
            Relation::Equal => left == right,
            Relation::NotEqual => left != right,
            Relation::Less => left < right,
            Relation::LessOrEqual => left <= right,
            Relation::Greater => left > right,
            Relation::GreaterOrEqual => left >= right,
        }
    }

    /// The sign it is written with.
    #[must_use]
    pub fn symbol(self) -> &'static str {
        match self {
            Relation::Equal => "==",
            Relation::NotEqual => "!=",
            Relation::Less => "<",
            Relation::LessOrEqual => "<=",
            Relation::Greater => ">",
            Relation::GreaterOrEqual => ">=",
        }
    }
}
