//! The syntax of a text: its definitions in their order, with places.

pub(super) use crate::source::Placed;
use crate::source::Span;

pub(super) type Name = Placed<String>;

/// One definition.
#[derive(Clone, Debug)]
pub(super) enum Definition {
    Players(Vec<Name>),
    Pieces(Vec<(Name, Vec<Name>)>),
    Variable(Name, Placed<Expression>),
    Macro(Name, Vec<Name>, Placed<Sentence>),
    Function(Name, Vec<Name>, Body),
    Effect(Name, Vec<Name>, Vec<Statement>),
    /// `victory`, `draw` or `outcome`.
    Condition(Outcome, Placed<Expression>),
    Rule(Name, Placed<Sentence>),
    Post(Name, Name, Placed<Sentence>),
    BoardSize(Placed<i64>, Placed<i64>),
    Board(Vec<Name>),
}

/// What a function computes.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "there are few of them")]
pub(super) enum Body {
    Value(Placed<Expression>),
    /// Whether a sentence matches: from here, or from any square with one of these pieces.
    Sentence {
        from: Vec<Name>,
        sentence: Placed<Sentence>,
    },
}

/// How a game ends.
#[derive(Clone, Debug)]
pub(super) enum Outcome {
    Victory(Name),
    Draw,
    Scores(Vec<(Name, Placed<i64>)>),
}

/// A regular expression.
#[derive(Clone, Debug)]
#[expect(clippy::large_enum_variant, reason = "most parts are letters")]
pub(super) enum Sentence {
    Sum(Vec<Placed<Sentence>>),
    Chain(Vec<Placed<Sentence>>),
    Star(Box<Placed<Sentence>>),
    Maybe(Box<Placed<Sentence>>),
    Plus(Box<Placed<Sentence>>),
    Letter {
        x: Placed<Expression>,
        y: Placed<Expression>,
        test: Placed<Expression>,
        effect: Option<Call>,
    },
    /// A macro or function.
    Call(Call),
    /// The rule of a piece.
    RuleOf(Name),
}

/// A name with arguments; a name alone has none.
#[derive(Clone, Debug)]
pub(super) struct Call {
    pub(super) name: Name,
    pub(super) arguments: Vec<Placed<Expression>>,
}

/// A step of an effect.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    Board(Placed<Expression>, Placed<Expression>, Placed<Expression>, Span),
    /// A variable, or a player's score.
    Assign(Name, Placed<Expression>),
    Call(Call),
}

#[derive(Clone, Debug)]
pub(super) enum Expression {
    Number(i64),
    /// A variable, parameter, piece, player, or a function without arguments.
    Call(Call),
    /// `this.x`, `white.score`.
    Field(Name, Name),
    Board(Box<Placed<Expression>>, Box<Placed<Expression>>),
    Negate(Box<Placed<Expression>>),
    Not(Box<Placed<Expression>>),
    Binary(Operation, Box<Placed<Expression>>, Box<Placed<Expression>>),
    Choose(Box<Placed<Expression>>, Box<Placed<Expression>>, Box<Placed<Expression>>),
}

/// The operations on integers.
///
/// # Examples
///
/// ```
/// use regulus_lang::abg::{Condition, Externals, Operation, Value, check};
/// use regulus_lang::Source;
///
/// let text = "
/// #     players = white, black;
/// #     pieces = empty, wPawn(white), bPawn(black);
///     draw { return count(wPawn) < 2 };
/// #     rule wPawn = [0, 1, Empty];
/// #     rule bPawn = [0, -1, Empty];
/// #     board_size = 1, 4;
/// #     board = bPawn, empty, empty, wPawn;
/// ";
/// let (game, _) = check(&Source::new("march.abg", text), &Externals::default());
/// let Condition { when, .. } = &game.expect("no errors").conditions[0];
/// assert!(matches!(when, Value::Binary(Operation::Less, ..)));
/// assert_eq!(Operation::Less.apply(1, 2), Some(1));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Operation {
    /// `+`
    Add,
    /// `-`
    Subtract,
    /// `*`
    Multiply,
    /// `/` and `//`: towards zero
    Divide,
    /// `%`: the rest of that
    Modulo,
    /// `and`, `&&`
    And,
    /// `or`, `||`
    Or,
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
