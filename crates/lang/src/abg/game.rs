//! A checked game: macros are expanded, names resolved, every expression has its automata.

use regulus_automaton::{Looks, Origin, Reason};

pub use super::ast::Operation;
use crate::pragma::RepetitionRule;
use crate::regular::{Machines, Regular};

/// A game without errors. Players, pieces, variables, tests, effects and patterns are named by their numbers.
///
/// # Examples
///
/// ```
/// use regulus_lang::abg::{Externals, check};
/// use regulus_lang::Source;
///
/// let text = "
///     players = white, black;
///     pieces = empty, wPawn(white), bPawn(black);
///     victory white { return stuck and current == black };
///     victory black { return stuck and current == white };
///     rule wPawn = [0, 1, Empty];
///     rule bPawn = [0, -1, Empty];
///     board_size = 1, 4;
///     board = bPawn, empty, empty, wPawn;
/// ";
/// let (game, _) = check(&Source::new("march.abg", text), &Externals::default());
/// let game = game.expect("no errors");
/// assert_eq!(game.players, ["white", "black"]);
/// assert_eq!((game.width, game.height, game.board), (1, 4, vec![2, 0, 0, 1]));
/// assert_eq!((game.empty, game.conditions.len()), (Some(0), 2));
/// ```
#[derive(Clone, Debug)]
pub struct Game {
    /// The players in the order of their turns.
    pub players: Vec<String>,
    /// The pieces.
    pub pieces: Vec<PieceInfo>,
    /// The piece called `empty`, if there is one.
    pub empty: Option<usize>,
    /// The variables with their values at the beginning.
    pub variables: Vec<(String, i64)>,
    /// The conditions of letters.
    pub tests: Vec<Test>,
    /// The effects of letters; the first moves the piece.
    pub effects: Vec<Effect>,
    /// The sentences that functions look for.
    pub patterns: Vec<Pattern>,
    /// How each piece moves.
    pub rules: Vec<Option<Rule>>,
    /// What must not match after a player's move.
    pub posts: Vec<Post>,
    /// What ends the game, in the order of the text.
    pub conditions: Vec<Condition>,
    /// Columns.
    pub width: u32,
    /// Rows.
    pub height: u32,
    /// The piece on each square at the beginning: rows from the top, each from the left.
    pub board: Vec<usize>,
    /// What people are told about the game.
    pub looks: Looks,
    /// Why the game ends when the player in control has no move, if the text says so.
    pub stuck: Option<Reason>,
    /// Whether positions that come again end the game.
    pub history: Option<RepetitionRule>,
}

/// A piece.
///
/// # Examples
///
/// ```
/// use regulus_lang::abg::{Externals, check};
/// use regulus_lang::Source;
///
/// let text = "
/// #     players = white, black;
///     pieces = empty, wPawn(white), bPawn(black);
/// #     victory white { return stuck and current == black };
/// #     victory black { return stuck and current == white };
/// #     rule wPawn = [0, 1, Empty];
/// #     rule bPawn = [0, -1, Empty];
/// #     board_size = 1, 4;
/// #     board = bPawn, empty, empty, wPawn;
/// ";
/// let (game, _) = check(&Source::new("march.abg", text), &Externals::default());
/// let pawn = &game.expect("no errors").pieces[2];
/// assert_eq!((pawn.name.as_str(), &pawn.owners[..]), ("bPawn", &[1][..]));
/// assert_eq!(pawn.condition(), "BPawn");
/// ```
#[derive(Clone, Debug)]
pub struct PieceInfo {
    /// Its name.
    pub name: String,
    /// The players who may move it.
    pub owners: Vec<usize>,
}

impl PieceInfo {
    /// The condition that it is there: its name with a capital.
    #[must_use]
    pub fn condition(&self) -> String {
        let mut letters = self.name.chars();
        let first = letters.next().map(|letter| letter.to_ascii_uppercase());
        first.into_iter().chain(letters).collect()
    }
}

/// A sentence with its automata.
///
/// # Examples
///
/// ```
/// use regulus_lang::abg::{Externals, check};
/// use regulus_lang::regular::Regular;
/// use regulus_lang::Source;
///
/// let text = "
/// #     players = white, black;
/// #     pieces = empty, wPawn(white), bPawn(black);
/// #     victory white { return stuck and current == black };
/// #     victory black { return stuck and current == white };
///     rule wPawn = [0, 1, Empty] [0, 1, Empty]*;
/// #     rule bPawn = [0, -1, Empty];
/// #     board_size = 1, 4;
/// #     board = bPawn, empty, empty, wPawn;
/// ";
/// let (game, _) = check(&Source::new("march.abg", text), &Externals::default());
/// let game = game.expect("no errors");
/// let rule = game.rules[1].as_ref().expect("pawns have a rule");
/// assert!(matches!(&rule.expression, Regular::Chain(parts) if matches!(parts[1], Regular::Star(_))));
/// assert_eq!(rule.machines.minimal.len(), 2);
/// ```
#[derive(Clone, Debug)]
pub struct Rule {
    /// The sentence without macros.
    pub expression: Regular<Letter>,
    /// Its automata.
    pub machines: Machines<Letter>,
    /// The text it comes from.
    pub origin: Origin,
}

/// A sentence that is looked for.
///
/// # Examples
///
/// ```
/// use regulus_lang::abg::{Externals, check};
/// use regulus_lang::Source;
///
/// let text = "
/// #     players = white, black;
/// #     pieces = empty, wPawn(white), bPawn(black);
///     function close() = from wPawn, bPawn: [0, 1, BPawn];
///     draw { return close() };
/// #     rule wPawn = [0, 1, Empty];
/// #     rule bPawn = [0, -1, Empty];
/// #     board_size = 1, 4;
/// #     board = bPawn, empty, empty, wPawn;
/// ";
/// let (game, _) = check(&Source::new("march.abg", text), &Externals::default());
/// let game = game.expect("no errors");
/// assert_eq!(game.patterns.len(), 1);
/// assert_eq!(game.patterns[0].from, [1, 2]);
/// ```
#[derive(Clone, Debug)]
pub struct Pattern {
    /// The pieces from whose squares it is looked for; from the present square when there are none.
    pub from: Vec<usize>,
    /// The sentence; its letters have no effects.
    pub rule: Rule,
}

/// A sentence that must not match from any square with a piece, after a player has moved.
///
/// # Examples
///
/// ```
/// use regulus_lang::abg::{Externals, check};
/// use regulus_lang::Source;
///
/// let text = "
/// #     players = white, black;
/// #     pieces = empty, wPawn(white), bPawn(black);
/// #     victory white { return stuck and current == black };
/// #     victory black { return stuck and current == white };
/// #     rule wPawn = [0, 1, Empty];
/// #     rule bPawn = [0, -1, Empty];
///     post white wPawn = [0, 1, BPawn];
/// #     board_size = 1, 4;
/// #     board = bPawn, empty, empty, wPawn;
/// ";
/// let (game, _) = check(&Source::new("march.abg", text), &Externals::default());
/// let game = game.expect("no errors");
/// let post = &game.posts[0];
/// assert_eq!((&game.players[post.player][..], &game.pieces[post.piece].name[..]), ("white", "wPawn"));
/// ```
#[derive(Clone, Debug)]
pub struct Post {
    /// The player.
    pub player: usize,
    /// The piece.
    pub piece: usize,
    /// The sentence.
    pub rule: Rule,
}

/// What ends a game.
///
/// # Examples
///
/// ```
/// use regulus_lang::abg::{Externals, Outcome, check};
/// use regulus_lang::Source;
///
/// let text = "
/// #     players = white, black;
/// #     pieces = empty, wPawn(white), bPawn(black);
///     #! {winner} is alone
///     victory white { return count(bPawn) == 0 };
/// #     rule wPawn = [0, 1, Empty];
/// #     rule bPawn = [0, -1, Empty];
/// #     board_size = 1, 4;
/// #     board = bPawn, empty, empty, wPawn;
/// ";
/// let (game, _) = check(&Source::new("march.abg", text), &Externals::default());
/// let condition = &game.expect("no errors").conditions[0];
/// assert_eq!(condition.outcome, Outcome::Victory(0));
/// assert_eq!(condition.reason.as_ref().expect("a comment says it").text, "{winner} is alone");
/// ```
#[derive(Clone, Debug)]
pub struct Condition {
    /// How it ends.
    pub outcome: Outcome,
    /// When: this is not 0.
    pub when: Value,
    /// The text it comes from.
    pub origin: Origin,
    /// Why the game is over then, if the text says so.
    pub reason: Option<Reason>,
}

/// How a game ends.
///
/// # Examples
///
/// ```
/// use regulus_lang::abg::{Externals, Outcome, check};
/// use regulus_lang::Source;
///
/// let text = "
/// #     players = white, black;
/// #     pieces = empty, wPawn(white), bPawn(black);
///     draw { return stuck };
///     outcome white = 60, black = 40 { return count(bPawn) == 0 };
/// #     rule wPawn = [0, 1, Empty];
/// #     rule bPawn = [0, -1, Empty];
/// #     board_size = 1, 4;
/// #     board = bPawn, empty, empty, wPawn;
/// ";
/// let (game, _) = check(&Source::new("march.abg", text), &Externals::default());
/// let game = game.expect("no errors");
/// assert_eq!(game.conditions[0].outcome, Outcome::Draw);
/// assert_eq!(game.conditions[1].outcome, Outcome::Scores(vec![(0, 60), (1, 40)]));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// A player wins; who wins at the same time shares the win.
    Victory(usize),
    /// All get the same.
    Draw,
    /// Each player gets this score; players that are not named get 0.
    Scores(Vec<(usize, i64)>),
}

/// A step of a word: where to, on what condition, with what effect.
///
/// # Examples
///
/// ```
/// use regulus_lang::abg::{Externals, check};
/// use regulus_lang::regular::Regular;
/// use regulus_lang::Source;
///
/// let text = "
/// #     players = white, black;
/// #     pieces = empty, wPawn(white), bPawn(black);
/// #     victory white { return stuck and current == black };
/// #     victory black { return stuck and current == white };
///     rule wPawn = [0, 1, Empty];
/// #     rule bPawn = [0, -1, Empty];
/// #     board_size = 1, 4;
/// #     board = bPawn, empty, empty, wPawn;
/// ";
/// let (game, _) = check(&Source::new("march.abg", text), &Externals::default());
/// let game = game.expect("no errors");
/// let rule = game.rules[1].as_ref().expect("pawns have a rule");
/// let Regular::Letter(letter) = rule.expression else { panic!("the rule is one letter") };
/// assert_eq!((letter.x, letter.y, letter.effect), (0, 1, Some(0)));
/// assert_eq!(game.letter_text(&letter), "[0,1,Empty]");
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Letter {
    /// Columns to the right.
    pub x: i32,
    /// Rows up.
    pub y: i32,
    /// The number of its test.
    pub test: usize,
    /// The number of its effect; letters of patterns have none.
    pub effect: Option<usize>,
}

/// A condition of letters.
///
/// # Examples
///
/// ```
/// use regulus_lang::abg::{Content, Externals, Test, Value, check};
/// use regulus_lang::Source;
///
/// let text = "
/// #     players = white, black;
/// #     pieces = empty, wPawn(white), bPawn(black);
/// #     victory white { return stuck and current == black };
/// #     victory black { return stuck and current == white };
///     rule wPawn = [0, 1, Empty] | [0, 1, Lucky];
/// #     rule bPawn = [0, -1, Empty];
/// #     board_size = 1, 4;
/// #     board = bPawn, empty, empty, wPawn;
/// ";
/// let predicates = ["Lucky".to_owned()].into();
/// let (game, _) = check(&Source::new("march.abg", text), &Externals { predicates, ..Externals::default() });
/// let tests = game.expect("no errors").tests;
/// assert_eq!(tests[0], Test::Value(Value::Holds(Content::Empty)));
/// assert_eq!(tests[1], Test::External("Lucky".to_owned()));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Test {
    /// A value that is not 0.
    Value(Value),
    /// Something a program has registered under this name.
    External(String),
}

/// What happens when a letter is read.
///
/// # Examples
///
/// ```
/// use regulus_lang::abg::{Effect, Externals, Step, check};
/// use regulus_lang::Source;
///
/// let text = "
/// #     players = white, black;
/// #     pieces = empty, wPawn(white), bPawn(black);
///     variable steps = 0;
///     effect march() { Move(); steps = steps + 1; };
/// #     victory white { return stuck and current == black };
/// #     victory black { return stuck and current == white };
///     rule wPawn = [0, 1, Empty]{march};
/// #     rule bPawn = [0, -1, Empty];
/// #     board_size = 1, 4;
/// #     board = bPawn, empty, empty, wPawn;
/// ";
/// let (game, _) = check(&Source::new("march.abg", text), &Externals::default());
/// let effects = game.expect("no errors").effects;
/// assert_eq!(effects[0], Effect::Steps(vec![Step::Move]), "that of letters without one");
/// assert!(matches!(&effects[1], Effect::Steps(steps) if steps.len() == 2));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Effect {
    /// Assignments in their order.
    Steps(Vec<Step>),
    /// Something a program has registered under this name.
    External(String),
}

/// One assignment.
///
/// # Examples
///
/// ```
/// use regulus_lang::abg::{Effect, Externals, Step, Value, check};
/// use regulus_lang::Source;
///
/// let text = "
/// #     players = white, black;
/// #     pieces = empty, wPawn(white), bPawn(black);
///     effect rob() { white.score = 10; Board[this.x][0] = empty; };
/// #     victory white { return stuck and current == black };
/// #     victory black { return stuck and current == white };
///     rule wPawn = [0, 1, Empty]{rob};
/// #     rule bPawn = [0, -1, Empty];
/// #     board_size = 1, 4;
/// #     board = bPawn, empty, empty, wPawn;
/// ";
/// let (game, _) = check(&Source::new("march.abg", text), &Externals::default());
/// let effects = game.expect("no errors").effects;
/// let Effect::Steps(steps) = &effects[1] else { panic!("the text says what happens") };
/// assert!(matches!(steps[0], Step::Score(0, Value::Number(10), _)));
/// assert!(matches!(steps[1], Step::Board(Value::ThisX, ..)));
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// The piece of the rule goes from the square before the letter to the one behind it.
    Move,
    /// A piece, by its number, to the square in this column and row.
    Board(Value, Value, Value, Origin),
    /// A value to a variable.
    Variable(usize, Value, Origin),
    /// A value to a player's score.
    Score(usize, Value, Origin),
}

/// An integer.
///
/// # Examples
///
/// ```
/// use regulus_lang::abg::{Externals, Value, check};
/// use regulus_lang::Source;
///
/// let text = "
/// #     players = white, black;
/// #     pieces = empty, wPawn(white), bPawn(black);
///     victory white { return stuck and current == black };
/// #     rule wPawn = [0, 1, Empty];
/// #     rule bPawn = [0, -1, Empty];
/// #     board_size = 1, 4;
/// #     board = bPawn, empty, empty, wPawn;
/// ";
/// let (game, _) = check(&Source::new("march.abg", text), &Externals::default());
/// let when = &game.expect("no errors").conditions[0].when;
/// assert!(when.mentions_stuck());
/// let mut leaves = Vec::new();
/// when.visit(&mut |part| leaves.extend((!matches!(part, Value::Binary(..))).then(|| part.clone())));
/// assert_eq!(leaves, [Value::Stuck, Value::Current, Value::Number(1)]);
/// ```
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum Value {
    /// A number; pieces and players are their numbers.
    Number(i64),
    /// The value of a variable.
    Variable(usize),
    /// The score of a player.
    Score(usize),
    /// The column of the square a letter leads to.
    ThisX,
    /// Its row, from the bottom.
    ThisY,
    /// The column of the square a letter leads from.
    FromX,
    /// Its row, from the bottom.
    FromY,
    /// The number of the piece in this column and row; -1 outside the board.
    Board(Box<Value>, Box<Value>),
    /// How many squares hold this piece.
    Count(usize),
    /// Whether the square a letter leads to holds this.
    Holds(Content),
    /// The player whose turn it is.
    Current,
    /// Whether that player has no legal move.
    Stuck,
    /// The negative.
    Negate(Box<Value>),
    /// 1 for 0, else 0.
    Not(Box<Value>),
    /// Two values combined.
    Binary(Operation, Box<Value>, Box<Value>),
    /// The second where the first is not 0, else the third.
    Choose(Box<Value>, Box<Value>, Box<Value>),
    /// Whether a pattern matches.
    Match(usize),
}

/// What a square may hold.
///
/// # Examples
///
/// ```
/// use regulus_lang::abg::{Content, Externals, Test, Value, check};
/// use regulus_lang::Source;
///
/// let text = "
/// #     players = white, black;
/// #     pieces = empty, wPawn(white), bPawn(black);
/// #     victory white { return stuck and current == black };
/// #     victory black { return stuck and current == white };
///     rule wPawn = [0, 1, Empty] | [1, 1, Opponent] | [0, 2, BPawn];
/// #     rule bPawn = [0, -1, Empty];
/// #     board_size = 1, 4;
/// #     board = bPawn, empty, empty, wPawn;
/// ";
/// let (game, _) = check(&Source::new("march.abg", text), &Externals::default());
/// let holds = [Content::Empty, Content::Opponent, Content::Piece(2)].map(Value::Holds);
/// assert_eq!(game.expect("no errors").tests, holds.map(Test::Value));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Content {
    /// The piece `empty`.
    Empty,
    /// A piece of others, and not of the player whose turn it is.
    Opponent,
    /// This piece.
    Piece(usize),
}

impl Value {
    /// Calls the function on this value and on all its parts.
    pub fn visit(&self, function: &mut impl FnMut(&Value)) {
        function(self);
        match self {
            Value::Board(a, b) | Value::Binary(_, a, b) => {
                a.visit(function);
                b.visit(function);
            }
            Value::Negate(a) | Value::Not(a) => a.visit(function),
            Value::Choose(a, b, c) => [a, b, c].iter().for_each(|part| part.visit(function)),
            _ => {}
        }
    }

    /// Whether it depends on a player having no move.
    #[must_use]
    pub fn mentions_stuck(&self) -> bool {
        let mut found = false;
        self.visit(&mut |part| found |= *part == Value::Stuck);
        found
    }
}

impl Operation {
    /// Computes the value; `None` on division by zero or overflow.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_lang::abg::Operation;
    ///
    /// assert_eq!(Operation::Subtract.apply(3, 5), Some(-2));
    /// assert_eq!(Operation::Divide.apply(3, 0), None);
    /// ```
    #[must_use]
    pub fn apply(self, left: i64, right: i64) -> Option<i64> {
        let truth = |holds: bool| Some(i64::from(holds));
        match self {
            Operation::Add => left.checked_add(right),
            Operation::Subtract => left.checked_sub(right),
            Operation::Multiply => left.checked_mul(right),
            Operation::Divide => left.checked_div(right),
            Operation::Modulo => left.checked_rem(right),
            Operation::And => truth(left != 0 && right != 0),
            Operation::Or => truth(left != 0 || right != 0),
            Operation::Equal => truth(left == right),
            Operation::NotEqual => truth(left != right),
            Operation::Less => truth(left < right),
            Operation::LessOrEqual => truth(left <= right),
            Operation::Greater => truth(left > right),
            Operation::GreaterOrEqual => truth(left >= right),
        }
    }
}

impl Game {
    /// Why the game is over when a condition holds.
    #[must_use]
    pub(super) fn reason(&self, condition: &Condition) -> Reason {
        let text = match &condition.outcome {
            Outcome::Victory(player) => {
                format!("{} meets a condition of victory", self.players[*player])
            }
            Outcome::Draw => "a condition of a draw holds".to_owned(),
            Outcome::Scores(_) => "a condition of the end holds".to_owned(),
        };
        condition.reason.clone().unwrap_or(Reason { text, drawn: None })
    }

    /// A letter in short, for pictures: `[1, 0, Empty]`.
    #[must_use]
    pub fn letter_text(&self, letter: &Letter) -> String {
        let test = match &self.tests[letter.test] {
            Test::External(name) => name.clone(),
            Test::Value(Value::Holds(Content::Empty)) => "Empty".to_owned(),
            Test::Value(Value::Holds(Content::Opponent)) => "Opponent".to_owned(),
            Test::Value(Value::Holds(Content::Piece(piece))) => self.pieces[*piece].name.clone(),
            Test::Value(Value::Number(number)) => {
                if *number == 0 { "False" } else { "True" }.to_owned()
            }
            Test::Value(_) => format!("test {}", letter.test),
        };
        let effect = match letter.effect {
            None | Some(0) => String::new(),
            Some(effect) => format!("{{effect {effect}}}"),
        };
        format!("[{},{},{test}]{effect}", letter.x, letter.y)
    }
}
