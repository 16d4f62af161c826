//! A game to an automaton, from the minimal automata of its sentences.
//!
//! ```text
//! initial values ─▶ turn of white ─▶ turn of black ─▶ turn of white
//!
//! stuck scores ─ ->white ─ any square ─ {wRook} ─▶ [empty] ─ walk and test ─▶ [wRook] ─ {! post} ─ ->> ─ conditions
//! ```
//!
//! Before a player is in control the scores are what they will be if there is no legal move.
//!
//! - [`variables`]: what the automaton keeps besides the board
//! - [`turns`]: a player's turn, from control to the next player
//! - [`words`]: the moves of one piece, with the piece lifted while it only walks
//! - [`effects`]: what letters do to the board and to variables
//! - [`branches`]: conditions as branches
//! - [`cases`]: values that depend on the board, as arithmetic in each of their cases
//! - [`patterns`]: what is only looked for
//! - [`endings`]: how games end, and the scores
//! - [`values`]: values in one context, without the automaton

mod branches;
mod cases;
mod effects;
mod endings;
mod patterns;
mod turns;
mod values;
mod variables;
mod words;

use std::collections::{BTreeMap, HashMap};

use regulus_automaton::{
    Action, Automaton, Board, Draft, Edge, Expression, Modifier, Node, Origin, Pattern, Piece,
    Reason, Register, Table, VariableInfo, WalkTable,
};

use super::game::{Effect, Game, Letter, Step, Test, Value};
use crate::{pragma, rectangle};
use values::{Axis, affine, specialised};
use variables::{Variables, posts_read_variables};

pub(super) use variables::range;

/// What the winner gets.
const WIN: i64 = 100;

/// The most nodes of an automaton.
const MAX_NODES: usize = 200_000;

/// Why a game has no automaton.
///
/// # Examples
///
/// ```
/// use regulus_lang::abg::{Externals, NotLowered, check, lower};
/// use regulus_lang::Source;
///
/// let text = "
/// #     players = white, black;
/// #     pieces = empty, wPawn(white), bPawn(black);
/// #     victory white { return stuck and current == black };
/// #     victory black { return stuck and current == white };
///     rule wPawn = [0, 1, Lucky];
/// #     rule bPawn = [0, -1, Empty];
/// #     board_size = 1, 4;
/// #     board = bPawn, empty, empty, wPawn;
/// ";
/// // A program says what `Lucky` means, so there is nothing to compile.
/// let predicates = ["Lucky".to_owned()].into();
/// let (game, _) = check(&Source::new("march.abg", text), &Externals { predicates, ..Externals::default() });
/// assert_eq!(lower(&game.expect("no errors")), Err(NotLowered::External));
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NotLowered {
    /// It uses conditions or effects that programs provide.
    External,
    /// The automaton would have too many nodes.
    TooLarge,
    /// The lowering broke the automaton's rules; a bug.
    Internal(String),
}

impl std::fmt::Display for NotLowered {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotLowered::External => {
                f.write_str("conditions and effects that programs provide cannot be compiled")
            }
            NotLowered::TooLarge => write!(f, "the rules need more than {MAX_NODES} steps"),
            NotLowered::Internal(message) => f.write_str(message),
        }
    }
}

impl std::error::Error for NotLowered {}

/// Returns the game as a verified automaton.
///
/// # Errors
///
/// Says why the game has none.
///
/// # Examples
///
/// ```
/// use regulus_lang::abg::{Externals, check, lower};
/// use regulus_lang::Source;
///
/// # let text = "
/// #     players = white, black;
/// #     pieces = empty, wPawn(white), bPawn(black);
/// #     victory white { return stuck and current == black };
/// #     victory black { return stuck and current == white };
/// #     rule wPawn = [0, 1, Empty];
/// #     rule bPawn = [0, -1, Empty];
/// #     board_size = 1, 4;
/// #     board = bPawn, empty, empty, wPawn;
/// # ";
/// let (game, _) = check(&Source::new("march.abg", text), &Externals::default());
/// let automaton = lower(&game.expect("no errors")).expect("a small game");
/// assert_eq!((automaton.players.len(), automaton.board.squares.len()), (2, 4));
/// ```
pub fn lower(game: &Game) -> Result<Automaton, NotLowered> {
    if is_external(game) {
        return Err(NotLowered::External);
    }
    let mut lowering = Lowering::new(game);
    let ready = lowering.initial_values();
    lowering.turns(ready);
    if lowering.is_too_large {
        return Err(NotLowered::TooLarge);
    }
    let mut draft = lowering.draft;
    if let Some(history) = &game.history {
        pragma::add_history(&mut draft, history);
    }
    draft.verify().map_err(|violations| NotLowered::Internal(violations.to_string()))
}

/// Returns whether a game uses conditions or effects that programs provide.
fn is_external(game: &Game) -> bool {
    game.tests.iter().any(|test| matches!(test, Test::External(_)))
        || game.effects.iter().any(|effect| matches!(effect, Effect::External(_)))
}

/// The turn in which a value is computed, and the step that led to its square.
#[derive(Clone, Copy)]
struct Context {
    current: usize,
    stuck: bool,
    /// The step of the letter, if there is one.
    step: (i32, i32),
}

/// The automaton of a game while it grows.
struct Lowering<'a> {
    game: &'a Game,
    draft: Draft,
    /// The number of modifiers given so far.
    modifiers: u32,
    /// Whether edges belong to a pattern, where they have no modifiers.
    in_pattern: bool,
    /// The walk from any square to any square.
    anywhere: Table,
    variables: Variables,
    /// Remembers the square of a letter while an effect is elsewhere.
    register: Option<Register>,
    /// The patterns of the game, by their number and the player whose turn it is.
    patterns: HashMap<(usize, usize), Pattern>,
    /// Where the game is over, by the reason.
    over: BTreeMap<Reason, Node>,
    posts_read_variables: bool,
    /// Whether a limit was reached; no more edges are added then.
    is_too_large: bool,
}

impl<'a> Lowering<'a> {
    /// Returns an automaton with the board, the pieces and the variables, but no edges.
    fn new(game: &'a Game) -> Lowering<'a> {
        let players = game.players.iter();
        let players =
            players.map(|name| VariableInfo { name: name.clone(), bound: WIN as i32 }).collect();
        let (variables, infos) = Variables::declare(game);
        let pieces = game.pieces.iter().map(|piece| piece.name.clone()).collect();
        let mut draft = Draft::new(players, infos, pieces, board(game));
        let squares = draft.board.squares.keys().collect();
        let anywhere = draft.tables.push(WalkTable::Everywhere(squares));
        draft.looks = game.looks.clone();
        draft.endings.stuck.clone_from(&game.stuck);
        let register =
            steps(game).any(is_elsewhere).then(|| draft.registers.push("square".to_owned()));
        Lowering {
            game,
            draft,
            modifiers: 0,
            in_pattern: false,
            anywhere,
            variables,
            register,
            patterns: HashMap::new(),
            over: BTreeMap::new(),
            posts_read_variables: posts_read_variables(game),
            is_too_large: false,
        }
    }

    /// Assigns what the variables begin with; returns the node behind that.
    fn initial_values(&mut self) -> Node {
        let mut at = self.draft.start;
        for (index, (_, initial)) in self.game.variables.iter().enumerate() {
            let value = initial + self.variables.offset(index);
            if value != 0 {
                let variable = self.variables.variable(index);
                at = self.then(at, Action::Assign(variable, constant(value)), None);
            }
        }
        at
    }

    /// Returns the piece with a number of the game.
    fn piece(&self, number: usize) -> Piece {
        Piece(number as u32)
    }

    /// Returns what moved pieces leave behind.
    fn empty(&self) -> Piece {
        self.piece(self.game.empty.unwrap_or(0))
    }

    /// Adds an edge; a write outside patterns gets a modifier of its own.
    fn edge(&mut self, from: Node, action: Action, target: Node, origin: Option<Origin>) {
        if self.is_full() {
            return;
        }
        let modifier = (action.is_modifier() && !self.in_pattern).then(|| {
            self.modifiers += 1;
            Modifier(self.modifiers)
        });
        self.draft.add_edge(from, Edge { action, modifier, target, origin });
    }

    /// Returns whether the automaton has reached its greatest size, from which on no edge is added.
    fn is_full(&mut self) -> bool {
        self.is_too_large |= self.draft.nodes.len() > MAX_NODES;
        self.is_too_large
    }

    /// Adds an edge to a new node, and returns that.
    fn then(&mut self, from: Node, action: Action, origin: Option<Origin>) -> Node {
        let target = self.draft.add_node();
        self.edge(from, action, target, origin);
        target
    }

    /// Walks the given columns and rows; returns the node behind that.
    fn shift(&mut self, from: Node, (x, y): (i32, i32), origin: Option<Origin>) -> Node {
        let ways = rectangle::way(x, y);
        ways.fold(from, |at, direction| self.then(at, Action::Shift(direction), origin))
    }

    /// Returns the context of a letter in the turn of a player.
    fn context(&self, current: usize, letter: &Letter) -> Context {
        Context { current, stuck: false, step: (letter.x, letter.y) }
    }

    /// Returns the condition of a letter in the turn of a player.
    fn test(&self, letter: &Letter, context: Context) -> Value {
        match &self.game.tests[letter.test] {
            Test::Value(value) => specialised(value, context),
            Test::External(_) => Value::Number(0),
        }
    }
}

/// Returns the steps of all effects of a game.
fn steps(game: &Game) -> impl Iterator<Item = &Step> {
    let effects = game.effects.iter().filter_map(|effect| match effect {
        Effect::Steps(steps) => Some(steps.iter()),
        Effect::External(_) => None,
    });
    effects.flatten()
}

/// Returns whether a step writes to a square whose distance from that of the letter is not known beforehand.
fn is_elsewhere(step: &Step) -> bool {
    match step {
        Step::Board(x, y, ..) => affine(x, Axis::X).is_none() || affine(y, Axis::Y).is_none(),
        _ => false,
    }
}

fn constant(number: i64) -> Expression {
    Expression::Constant(i32::try_from(number).unwrap_or(i32::MAX))
}

fn board(game: &Game) -> Board {
    let pieces = game.board.iter().map(|piece| Piece(*piece as u32));
    rectangle::board(game.width, game.height, rectangle::Edges::Plane, pieces)
}
