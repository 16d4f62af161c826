//! What all engines share: the states of a game, and what a move does to them.
//!
//! An engine finds moves; the referee plays them, lets the keeper have its turn, and keeps fingerprints.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use rand::RngExt as _;
use regulus_automaton::analyses::{live_cursor, shortest_round};
use regulus_automaton::{
    Action, ActionKind, Automaton, Expression, Id, IdVec, Modifier, Node, Origin, Piece, Player,
    Register, Square, Variable,
};

use crate::fault::{Fault, Limits};
use crate::history::History;
use crate::moves::Step;
use crate::playout::Generator;
use crate::splitmix;
use crate::state::{Layout, State};
use crate::zobrist::Zobrist;

/// What a state consists of.
///
/// # Examples
///
/// ```
/// use regulus_automaton::{Piece, Square};
/// use regulus_engine::{Rules as _, Walk};
/// # use regulus_lang::{Source, compile};
///
/// # let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
/// #     #rules = ->one right* {e} [x] ->> {}
/// # ";
/// # let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let rules = Walk::new(automaton);
/// let state = rules.initial(&mut rules.scratch())?;
/// let mut parts = rules.referee().parts(&state);
/// parts.pieces[Square(2)] = Piece(1);
/// let other = rules.referee().compose(&parts).expect("a piece of the game");
/// assert_eq!(rules.move_count(&other, &mut rules.scratch())?, 2);
/// parts.pieces[Square(2)] = Piece(7);
/// assert!(rules.referee().compose(&parts).is_err());
/// # Ok::<(), regulus_engine::Fault>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Parts {
    /// The piece on each square.
    pub pieces: IdVec<Square, Piece>,
    /// The value of each variable.
    pub variables: IdVec<Variable, i32>,
    /// The square that each register remembers; the first is the cursor.
    pub registers: IdVec<Register, Square>,
    /// Where in the rules the position is.
    pub node: Node,
    /// The player in control; `None` if it is the keeper.
    pub mover: Option<Player>,
}

/// Parts that are not those of a state.
///
/// # Examples
///
/// ```
/// use regulus_automaton::{Piece, Square};
/// use regulus_engine::{OutOfBounds, Rules as _, Walk};
/// # use regulus_lang::{Source, compile};
///
/// # let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
/// #     #rules = ->one right* {e} [x] ->> {}
/// # ";
/// # let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let rules = Walk::new(automaton);
/// let mut parts = rules.referee().parts(&rules.initial(&mut rules.scratch())?);
/// parts.pieces[Square(0)] = Piece(7); // there are two
/// let refused = rules.referee().compose(&parts).expect_err("no such piece");
/// assert_eq!(refused, OutOfBounds { what: "pieces" });
/// assert_eq!(refused.to_string(), "the pieces are not those of the game");
/// # Ok::<(), regulus_engine::Fault>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OutOfBounds {
    /// What is missing or out of bounds.
    pub what: &'static str,
}

impl std::fmt::Display for OutOfBounds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "the {} are not those of the game", self.what)
    }
}

impl std::error::Error for OutOfBounds {}

/// A keeper that has not come to an end.
#[derive(Clone, Debug)]
pub(crate) struct Unfinished<E> {
    /// How many moves it has made.
    pub(crate) made: u64,
    /// Why its next move was not found; `None` if it has come back to where it was, or has made as many moves as it may.
    pub(crate) error: Option<E>,
}

/// A game's states and what moves do to them.
///
/// # Examples
///
/// ```
/// use regulus_engine::{Limits, Referee};
/// # use regulus_lang::{Source, compile};
///
/// # let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
/// #     #rules = ->one right* {e} [x] ->> {}
/// # ";
/// # let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let referee = Referee::new(automaton.into(), Limits::default());
/// let state = referee.before_start();
/// assert_eq!(state.shape(), referee.layout.shape());
/// assert!(!referee.keeps_history());
/// ```
#[derive(Debug)]
pub struct Referee {
    /// The rules.
    pub automaton: Arc<Automaton>,
    /// How states are laid out.
    pub layout: Layout,
    /// The keys of fingerprints.
    pub zobrist: Zobrist,
    /// What one request may do at most.
    pub limits: Limits,
    /// Whether what follows a node where a player or the keeper takes over depends on the cursor.
    pub live_cursor: IdVec<Node, bool>,
    /// What each modifier does, and where it leads.
    pub modifiers: IdVec<Modifier, Option<(Action, Node)>>,
    /// Whether positions that come again end the game.
    keeps_history: bool,
    /// The words of a state that count for that, in order, two by two; empty if repetition does not matter.
    position_words: Box<[PositionWords]>,
    /// How many moves lie at least between two occurrences of one position, where that ends the game.
    shortest_round: u32,
    /// A number that no other has, which the memory of its engine has too.
    owner: u64,
}

/// How two words of a state count for [`Referee::position_key`].
#[derive(Debug)]
struct PositionWords {
    /// Which of their bits count.
    mask: [u64; 2],
    /// Numbers without pattern, others for each two.
    keys: [u64; 2],
}

/// The product of two words, its halves joined.
#[inline]
fn folded(one: u64, other: u64) -> u64 {
    let product = u128::from(one) * u128::from(other);
    (product >> 64) as u64 ^ product as u64
}

/// How a state's words count when positions are compared; empty if they never are.
fn position_words(automaton: &Automaton) -> Box<[PositionWords]> {
    let Some(rule) = &automaton.repetition else { return Box::default() };
    let layout = Layout::new(automaton);
    let mut bytes = vec![0xff_u8; layout.position_words() * 8];
    // Behind the last word come sets of squares, which do not matter.
    bytes.resize(bytes.len().next_multiple_of(16), 0);
    for &variable in &rule.ignored {
        bytes[layout.variable_at(variable)..][..4].fill(0);
    }
    let word = |bytes: &[u8]| u64::from_ne_bytes(bytes.try_into().expect("eight bytes"));
    let pairs = bytes.chunks_exact(16).zip(0u64..).map(|(bytes, number)| PositionWords {
        mask: [word(&bytes[..8]), word(&bytes[8..])],
        keys: [splitmix::mix(2 * number), splitmix::mix(2 * number + 1)],
    });
    pairs.collect()
}

/// The next number of an owner.
static NEXT_OWNER: AtomicU64 = AtomicU64::new(1);

impl Referee {
    /// Prepares a game.
    #[must_use]
    pub fn new(automaton: Arc<Automaton>, limits: Limits) -> Referee {
        let count = automaton.edges().filter_map(|(_, edge)| edge.modifier).max();
        let mut modifiers = IdVec::filled(None, count.map_or(0, |modifier| modifier.index() + 1));
        for (_, edge) in automaton.edges() {
            if let Some(modifier) = edge.modifier {
                modifiers[modifier] = Some((edge.action.clone(), edge.target));
            }
        }
        Referee {
            layout: Layout::new(&automaton),
            zobrist: Zobrist::new(&automaton),
            limits,
            live_cursor: live_cursor(&automaton),
            modifiers,
            keeps_history: automaton.repetition.is_some(),
            position_words: position_words(&automaton),
            shortest_round: automaton.repetition.as_ref().map_or(1, |_| shortest_round(&automaton)),
            owner: NEXT_OWNER.fetch_add(1, Ordering::Relaxed),
            automaton,
        }
    }

    /// The number for memory that an engine of this game works in.
    pub(crate) fn owner(&self) -> u64 {
        self.owner
    }

    /// Makes sure that a state is one of this game, as [`Referee::must_own`] does, and memory that of its engine.
    #[inline]
    pub(crate) fn must_own_both(&self, state: &State, owner: u64) {
        self.must_own(state);
        assert_eq!(owner, self.owner, "memory for another game");
    }

    /// Makes sure that a state is one of this game, or of a game whose states have the same shape. Whatever changes a state
    /// asks first, so that no state ever leaves the bounds of its shape.
    ///
    /// # Panics
    ///
    /// Panics if it is not.
    #[inline]
    pub fn must_own(&self, state: &State) {
        assert_eq!(state.shape(), self.layout.shape(), "a state of another game");
    }

    /// Whether positions that come again end the game, so that plays keep a [`History`].
    #[must_use]
    #[inline]
    pub fn keeps_history(&self) -> bool {
        self.keeps_history
    }

    /// The history of a play that begins with this state.
    #[must_use]
    pub fn history(&self, state: &State) -> History {
        let mut history = History::new();
        if self.keeps_history() && state.mover(&self.layout).is_some() {
            history.push(self.position_key(state));
        }
        history
    }

    /// A key for the state without the variables that do not count for repetition. It does not depend on the fingerprint.
    // PERF: nothing needs to keep fingerprints for it, and a few words are mixed faster than that.
    #[must_use]
    pub fn position_key(&self, state: &State) -> u64 {
        let words = state.words()[..2 * self.position_words.len()].chunks_exact(2);
        // PERF: no product waits for another.
        words.zip(&*self.position_words).fold(0, |key, (words, PositionWords { mask, keys })| {
            key ^ folded(keys[0] ^ (words[0] & mask[0]), keys[1] ^ (words[1] & mask[1]))
        })
    }

    /// To be called after each move, when the keeper is done: adds the position to the history, and ends the game if it has
    /// occurred as often as the game allows.
    #[inline]
    pub fn remember(&self, state: &mut State, history: &mut History) {
        if self.keeps_history() {
            self.remember_position(state, history);
        }
    }

    fn remember_position(&self, state: &mut State, history: &mut History) {
        let Some(rule) = &self.automaton.repetition else { return };
        self.must_own(state);
        if state.mover(&self.layout).is_none()
            || history.push(self.position_key(state)) < rule.times
        {
            return;
        }
        for (player, &score) in rule.scores.iter() {
            self.set_variable::<true>(state, player.score(), score);
        }
        let cursor = state.register(&self.layout, Register::CURSOR);
        self.hand_over::<true>(state, rule.over, None, cursor);
    }

    /// Whether no position within the next `moves` moves can end the game by repetition.
    #[must_use]
    pub fn cannot_repeat(&self, history: &History, moves: u32) -> bool {
        let Some(rule) = &self.automaton.repetition else { return true };
        // Between two occurrences there are at least as many moves as the shortest round has.
        history.most().saturating_add(moves.div_ceil(self.shortest_round)) < rule.times
    }

    /// The position before the keeper's first step.
    #[must_use]
    pub fn before_start(&self) -> State {
        State::before_start(&self.automaton, &self.layout, &self.zobrist)
    }

    /// The position before the keeper's first step, after chance has exchanged the pieces of the squares that the game
    /// shuffles: each arrangement of the lists is as likely as any other.
    #[must_use]
    pub fn shuffled(&self, generator: &mut Generator) -> State {
        let (mut state, lists) = (self.before_start(), &self.automaton.shuffle);
        if lists.is_empty() {
            return state;
        }
        let mut order: Vec<usize> = (0..lists.len()).collect();
        for last in (1..order.len()).rev() {
            order.swap(last, generator.random_range(0..=last));
        }
        for (squares, &from) in lists.iter().zip(&order) {
            for (&square, &from) in squares.iter().zip(&lists[from]) {
                state.set_piece(&self.layout, square, self.automaton.board.squares[from].piece);
            }
        }
        self.refresh(&mut state);
        state
    }

    /// A state made of its parts, with its fingerprint. Whether play can reach it is another question.
    ///
    /// # Errors
    ///
    /// Returns an error if something is missing or out of bounds.
    pub fn compose(&self, parts: &Parts) -> Result<State, OutOfBounds> {
        let Parts { pieces, variables, registers, node, mover } = parts;
        let automaton = &self.automaton;
        let bounds = |what, holds| if holds { Ok(()) } else { Err(OutOfBounds { what }) };
        let squares = &automaton.board.squares;
        bounds("squares", pieces.len() == squares.len())?;
        bounds("pieces", pieces.values().all(|&piece| automaton.pieces.contains(piece)))?;
        bounds("variables", variables.len() == automaton.variables.len())?;
        let fits = |(variable, value): (Variable, &i32)| {
            (0..=automaton.variables[variable].bound).contains(value)
        };
        bounds("values", variables.iter().all(fits))?;
        bounds("registers", registers.len() == automaton.registers.len())?;
        bounds("remembered squares", registers.values().all(|&square| squares.contains(square)))?;
        bounds("node", automaton.nodes.contains(*node))?;
        bounds("player", mover.is_none_or(|player| automaton.players.contains(player)))?;
        let (mut state, layout) = (self.before_start(), &self.layout);
        for (square, &piece) in pieces.iter() {
            state.set_piece(layout, square, piece);
        }
        for (variable, &value) in variables.iter() {
            state.set_variable(layout, variable, value);
        }
        for (register, &square) in registers.iter() {
            state.set_register(layout, register, square);
        }
        state.set_node(layout, *node);
        state.set_mover(layout, *mover);
        self.refresh(&mut state);
        Ok(state)
    }

    /// The parts of a state.
    #[must_use]
    pub fn parts(&self, state: &State) -> Parts {
        let (automaton, layout) = (&self.automaton, &self.layout);
        let variables = automaton.variables.keys();
        let registers = automaton.registers.keys();
        Parts {
            pieces: automaton.board.squares.keys().map(|square| state.piece(square)).collect(),
            variables: variables.map(|variable| state.variable(layout, variable)).collect(),
            registers: registers.map(|register| state.register(layout, register)).collect(),
            node: state.node(layout),
            mover: state.mover(layout),
        }
    }

    /// Lets the keeper, who has made some moves already, move until a player is in control or it is stuck. `work` is something
    /// of which the state is a part; `advance` makes a move of the keeper, if there is one, and says whether there was.
    #[inline]
    pub(crate) fn watch_keeper<T, E>(
        &self,
        work: &mut T,
        made: u64,
        state: impl Fn(&T) -> &State,
        mut advance: impl FnMut(&mut T) -> Result<bool, E>,
    ) -> Result<(), Unfinished<E>> {
        // A position that comes back would come back for ever. It is compared with one that is renewed at ever longer
        // intervals (Brent's method), so any cycle is noticed within three times its length.
        let mut earlier = None;
        let mut renew_at = made.max(16);
        for made in made.. {
            if state(work).mover(&self.layout).is_some() {
                break;
            }
            if made >= self.limits.keeper_moves {
                return Err(Unfinished { made, error: None });
            }
            match advance(work) {
                Ok(true) => {}
                Ok(false) => break,
                Err(error) => return Err(Unfinished { made, error: Some(error) }),
            }
            if made == renew_at {
                renew_at *= 2;
                earlier = Some(state(work).clone());
            } else if earlier.as_ref().is_some_and(|earlier| earlier == state(work)) {
                return Err(Unfinished { made: made + 1, error: None });
            }
        }
        Ok(())
    }

    /// Where in the source the last of some steps is.
    pub(crate) fn origin_of(&self, steps: &[Step]) -> Option<Origin> {
        let last = steps.last()?.modifier;
        let mut edges = self.automaton.edges();
        let (_, edge) = edges.find(|(_, edge)| edge.modifier == Some(last))?;
        edge.origin
    }

    /// Makes sure that steps are on the board, have a meaning, and end with a hand-over and not before.
    ///
    /// # Errors
    ///
    /// Returns an error if they do not.
    pub fn must_be_steps(&self, steps: &[Step]) -> Result<(), Fault> {
        let ends = |step: &Step| match self.modifiers.get(step.modifier) {
            Some(Some((action, _))) if self.automaton.board.squares.contains(step.square) => {
                Some(action.kind() == ActionKind::Control)
            }
            _ => None,
        };
        match steps.split_last() {
            Some((last, others))
                if ends(last) == Some(true)
                    && others.iter().all(|step| ends(step) == Some(false)) =>
            {
                Ok(())
            }
            _ => Err(Fault::not_a_move()),
        }
    }

    /// Performs the steps of one move, without what the keeper does after it.
    ///
    /// # Errors
    ///
    /// Returns an error if they are no move of this game at all.
    ///
    /// # Panics
    ///
    /// Panics if the state is one of another game.
    pub fn execute(&self, state: &mut State, steps: &[Step]) -> Result<(), Fault> {
        self.must_own(state);
        self.execute_noting::<true>(state, steps.iter().copied(), |_, _, _| {})
    }

    /// The same; says on which squares which pieces are replaced by which, and keeps the fingerprint only if asked to.
    #[inline]
    pub(crate) fn execute_noting<const FINGERPRINTED: bool>(
        &self,
        state: &mut State,
        steps: impl Iterator<Item = Step>,
        mut note: impl FnMut(Square, Piece, Piece),
    ) -> Result<(), Fault> {
        let not_a_move = Fault::not_a_move;
        let mut ended = false;
        for step in steps {
            let on_board = self.automaton.board.squares.contains(step.square);
            let meaning = self.modifiers.get(step.modifier).and_then(Option::as_ref);
            let (action, target) = meaning.filter(|_| on_board && !ended).ok_or_else(not_a_move)?;
            match action {
                Action::Turn(player) => {
                    self.hand_over::<FINGERPRINTED>(state, *target, Some(*player), step.square);
                    ended = true;
                }
                Action::Keeper => {
                    self.hand_over::<FINGERPRINTED>(state, *target, None, step.square);
                    ended = true;
                }
                write => {
                    self.write::<FINGERPRINTED>(state, write, step.square, &mut note)
                        .ok_or_else(not_a_move)?;
                }
            }
        }
        if ended { Ok(()) } else { Err(not_a_move()) }
    }

    #[inline]
    fn write<const FINGERPRINTED: bool>(
        &self,
        state: &mut State,
        action: &Action,
        square: Square,
        note: &mut impl FnMut(Square, Piece, Piece),
    ) -> Option<()> {
        let (layout, zobrist) = (&self.layout, &self.zobrist);
        match action {
            Action::Put(_) | Action::PutHeld(_) => {
                let old = state.piece(square);
                let new = match action {
                    Action::PutHeld(register) => state.piece(state.register(layout, *register)),
                    Action::Put(piece) => *piece,
                    _ => return None,
                };
                state.set_piece(layout, square, new);
                note(square, old, new);
                if FINGERPRINTED {
                    state.change_hash(zobrist.piece(square, old) ^ zobrist.piece(square, new));
                }
            }
            Action::Assign(variable, value) => {
                let new = self.fit(*variable, self.value(value, state, square))?;
                self.set_variable::<FINGERPRINTED>(state, *variable, new);
            }
            Action::Save(register) => {
                let old = state.register(layout, *register);
                state.set_register(layout, *register, square);
                if FINGERPRINTED {
                    let difference = zobrist.register(*register, old);
                    state.change_hash(difference ^ zobrist.register(*register, square));
                }
            }
            _ => return None,
        }
        Some(())
    }

    #[inline]
    fn set_variable<const FINGERPRINTED: bool>(
        &self,
        state: &mut State,
        variable: Variable,
        new: i32,
    ) {
        let old = state.variable(&self.layout, variable);
        state.set_variable(&self.layout, variable, new);
        if FINGERPRINTED {
            let difference = self.zobrist.variable(variable, old);
            state.change_hash(difference ^ self.zobrist.variable(variable, new));
        }
    }

    #[inline]
    fn hand_over<const FINGERPRINTED: bool>(
        &self,
        state: &mut State,
        node: Node,
        mover: Option<Player>,
        square: Square,
    ) {
        let (layout, zobrist) = (&self.layout, &self.zobrist);
        // Where the cursor no longer matters it is forgotten, so that equal positions have equal bytes.
        let cursor = if self.live_cursor[node] { square } else { Square(0) };
        if FINGERPRINTED {
            let old_cursor = state.register(layout, Register::CURSOR);
            let difference = zobrist.register(Register::CURSOR, old_cursor)
                ^ zobrist.register(Register::CURSOR, cursor)
                ^ zobrist.place(state.node(layout), state.mover(layout))
                ^ zobrist.place(node, mover);
            state.change_hash(difference);
        }
        state.set_register(layout, Register::CURSOR, cursor);
        state.set_node(layout, node);
        state.set_mover(layout, mover);
    }

    /// Computes the fingerprint anew.
    pub fn refresh(&self, state: &mut State) {
        state.set_fingerprint(self.zobrist.fresh_hash(state, &self.layout));
    }

    /// The value of an expression; `None` if it divides by zero or overflows 64 bits.
    #[must_use]
    #[inline]
    pub fn value(&self, expression: &Expression, state: &State, cursor: Square) -> Option<i64> {
        match expression {
            Expression::Constant(value) => Some(i64::from(*value)),
            Expression::Variable(variable) => {
                Some(i64::from(state.variable(&self.layout, *variable)))
            }
            _ => self.computed(expression, state, cursor),
        }
    }

    fn computed(&self, expression: &Expression, state: &State, cursor: Square) -> Option<i64> {
        let layout = &self.layout;
        let place = |register: Register| {
            let square = if register == Register::CURSOR {
                cursor
            } else {
                state.register(layout, register)
            };
            &self.automaton.board.squares[square]
        };
        Some(match expression {
            Expression::Constant(value) => i64::from(*value),
            Expression::Variable(variable) => i64::from(state.variable(layout, *variable)),
            Expression::Count(piece) => i64::from(state.count(layout, *piece)),
            Expression::Column(register) => i64::from(place(*register).x),
            Expression::Row(register) => i64::from(place(*register).y),
            Expression::Binary(operator, left, right) => {
                let left = self.value(left, state, cursor)?;
                operator.apply(left, self.value(right, state, cursor)?)?
            }
        })
    }

    /// The value as the variable can hold it; `None` if it is out of bounds.
    #[must_use]
    #[inline]
    pub fn fit(&self, variable: Variable, value: Option<i64>) -> Option<i32> {
        let bound = self.automaton.variables[variable].bound;
        i32::try_from(value?).ok().filter(|value| (0..=bound).contains(value))
    }
}
