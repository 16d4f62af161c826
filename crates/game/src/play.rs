//! One play of a game: how it begins, goes on and is taken back.
//!
//! [`names`] names its moves, [`typed`] reads those that people type, [`view`] shows its position.

mod names;
mod typed;
mod view;

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use rand::RngExt as _;
use regulus_automaton::Player;
use regulus_engine::{
    Beginning, Generator, History, Move, MoveList, Rules as _, State, Step, UndoStack, generator,
};
use regulus_jit::Scratch;

use crate::error::Error;
use crate::game::Game;
use crate::outcome::{Outcome, Over};
use crate::position;

pub use typed::TypedMove;

/// Up to this number, moves are listed as soon as a position is reached; beyond it only when they are asked for.
const LISTED_AT_ONCE: usize = 20_000;

/// One play of a game: the state, its legal moves, how it came about and the way back.
///
/// Moves are listed in one order, lexicographic by steps, whatever engine runs the game.
///
/// # Examples
///
/// ```
/// use regulus_game::{Config, Game, Match};
///
/// let game = Game::load("tic_tac_toe", &Config::default())?;
/// let mut play = Match::new(&game)?;
/// for name in ["a1", "b1", "a2", "b2", "a3"] {
///     play.play_named(name)?;
/// }
/// let over = play.outcome().over().expect("three in a column");
/// assert_eq!(over.results, [1.0, 0.0]);
/// play.undo();
/// assert_eq!(play.moves()?.len(), 5);
/// # Ok::<(), regulus_game::Error>(())
/// ```
#[derive(Debug)]
pub struct Match {
    game: Arc<Game>,
    /// What chance arranged the pieces by.
    seed: Option<u64>,
    state: State,
    history: History,
    outcome: Outcome,
    /// Sorted; empty until it is asked for if there are very many.
    moves: OnceCell<MoveList>,
    names: OnceCell<Vec<String>>,
    /// Whether the moves are few enough to be named.
    is_named: OnceCell<bool>,
    scratch: RefCell<Scratch>,
    first: State,
    line: Vec<Ply>,
    undone: Vec<Ply>,
    /// The positions before the moves of the line, and how long the history was.
    before: UndoStack,
    lengths: Vec<usize>,
}

/// A move that was made.
///
/// # Examples
///
/// ```
/// use regulus_automaton::Player;
/// use regulus_game::{Config, Game, Match, Ply};
///
/// let mut play = Match::new(&Game::load("tic_tac_toe", &Config::default())?)?;
/// play.play_named("b2")?;
/// let Ply { player, steps } = &play.line()[0];
/// assert_eq!(*player, Player(0));
/// assert!(!steps.0.is_empty());
/// # Ok::<(), regulus_game::Error>(())
/// ```
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ply {
    /// The player who made it.
    pub player: Player,
    /// The move.
    pub steps: Move,
}

/// What there is in a position that was just reached.
struct Arrival {
    outcome: Outcome,
    moves: OnceCell<MoveList>,
}

impl Match {
    /// A play from the beginning. Where chance arranges the pieces, they stand as the game's text lists them.
    ///
    /// # Errors
    ///
    /// When the rules fault.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Match};
    ///
    /// let play = Match::new(&Game::load("chess", &Config::default())?)?;
    /// assert_eq!(play.moves()?.len(), 20);
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    pub fn new(game: &Arc<Game>) -> Result<Match, Error> {
        let mut scratch = game.rules().scratch();
        let state = game.rules().initial(&mut scratch).map_err(|fault| game.blame(&fault))?;
        Match::from_state(game, state)
    }

    /// A play from the beginning, in which a seed says how chance arranges the pieces. For games without chance it is as
    /// [`Match::new`].
    ///
    /// # Errors
    ///
    /// When the rules fault.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Match};
    /// use regulus_lang::Source;
    ///
    /// let text = "GAME lots GOALS STALEMATE opponent BOARD_SIZE 4 BY 4 BOARD_TYPE planar PROMOTE_RANK 4
    ///     SETUP DECISION random ASSIGNS {ant bee} TO {(1,1) (2,1) (3,1) (4,1)} END DECISION
    ///     DEFINE ant MOVING MOVEMENT LEAP <0,1> SYMMETRY {} END MOVEMENT END MOVING END DEFINE
    ///     DEFINE bee MOVING MOVEMENT LEAP <1,1> SYMMETRY {side} END MOVEMENT END MOVING END DEFINE
    ///     END GAME.";
    /// let game = Game::new(Source::new("lots.game", text), &Config::default())?;
    /// assert!(game.has_chance());
    /// let (one, other) = (Match::seeded(&game, 1)?, Match::seeded(&game, 2)?);
    /// assert_ne!(one.position(), other.position());
    /// assert_eq!(one.seed(), Some(1));
    /// assert_eq!(Match::seeded(&game, 1)?.position(), one.position());
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    pub fn seeded(game: &Arc<Game>, seed: u64) -> Result<Match, Error> {
        if !game.has_chance() {
            return Match::new(game);
        }
        let (rules, mut generator) = (game.rules(), generator(seed));
        let state = rules.initial_shuffled(&mut generator, &mut rules.scratch());
        let play = Match::from_state(game, state.map_err(|fault| game.blame(&fault))?)?;
        Ok(Match { seed: Some(seed), ..play })
    }

    /// A play from a position that [`Match::position`] has written. FEN is understood for games that are chess.
    ///
    /// # Errors
    ///
    /// When the text is not a position of this game; the message says where it goes wrong.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Match};
    ///
    /// let game = Game::load("chess", &Config::default())?;
    /// let fen = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";
    /// let play = Match::from_position(&game, fen)?;
    /// assert_eq!(play.moves()?.len(), 48);
    /// assert_eq!(Match::from_position(&game, &play.position())?.state(), play.state());
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    pub fn from_position(game: &Arc<Game>, text: &str) -> Result<Match, Error> {
        let state = position::read(game, text)?;
        Match::from_state(game, state)
    }

    /// A play from a state of this game. The history begins with it.
    ///
    /// # Errors
    ///
    /// When the state is of another game, or the rules fault.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Match};
    ///
    /// let game = Game::load("tic_tac_toe", &Config::default())?;
    /// let mut play = Match::new(&game)?;
    /// play.play_named("b2")?;
    /// let later = Match::from_state(&game, play.state().clone())?;
    /// assert!(later.line().is_empty());
    /// assert_eq!(later.moves()?, play.moves()?);
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    pub fn from_state(game: &Arc<Game>, state: State) -> Result<Match, Error> {
        let rules = game.rules();
        if state.shape() != rules.layout().shape() {
            return Err(Error::bad_input("the state is of another game"));
        }
        let mut scratch = rules.scratch();
        let Arrival { outcome, moves } = arrive(game, &state, &mut scratch)?;
        Ok(Match {
            seed: None,
            history: rules.history(&state),
            outcome,
            moves,
            names: OnceCell::new(),
            is_named: OnceCell::new(),
            scratch: RefCell::new(scratch),
            first: state.clone(),
            state,
            line: Vec::new(),
            undone: Vec::new(),
            before: UndoStack::new(),
            lengths: Vec::new(),
            game: Arc::clone(game),
        })
    }

    /// A play that goes on from the position here. What was played before counts where positions may not come again, but is no
    /// part of its line: so this is quick in long games, where a clone is not.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Match};
    ///
    /// let mut play = Match::new(&Game::load("tic_tac_toe", &Config::default())?)?;
    /// play.play_named("b2")?;
    /// let mut ahead = play.from_here();
    /// ahead.play_named("a1")?;
    /// assert_eq!((play.line().len(), ahead.line().len()), (1, 1));
    /// assert!(ahead.undo() && !ahead.undo());
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    #[must_use]
    pub fn from_here(&self) -> Match {
        Match {
            game: Arc::clone(&self.game),
            seed: self.seed,
            state: self.state.clone(),
            history: self.history.clone(),
            outcome: self.outcome.clone(),
            moves: self.moves.clone(),
            names: self.names.clone(),
            is_named: self.is_named.clone(),
            scratch: RefCell::new(self.game.rules().scratch()),
            first: self.state.clone(),
            line: Vec::new(),
            undone: Vec::new(),
            before: UndoStack::new(),
            lengths: Vec::new(),
        }
    }

    /// The game.
    #[must_use]
    pub fn game(&self) -> &Arc<Game> {
        &self.game
    }

    /// The seed by which chance has arranged the pieces; `None` if it has not.
    #[must_use]
    pub fn seed(&self) -> Option<u64> {
        self.seed
    }

    /// The state, for searches; [`Game::rules`] says what can be done with it.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The state that the play began with.
    #[must_use]
    pub fn first_state(&self) -> &State {
        &self.first
    }

    /// The positions so far, for searches; empty if the game does not end by repetition.
    #[must_use]
    pub fn history(&self) -> &History {
        &self.history
    }

    /// Who is to move, or how the game has ended.
    #[must_use]
    pub fn outcome(&self) -> &Outcome {
        &self.outcome
    }

    /// The player to move; `None` if the game is over.
    #[must_use]
    pub fn player(&self) -> Option<Player> {
        self.outcome.player()
    }

    /// The moves made so far, without those that were taken back.
    #[must_use]
    pub fn line(&self) -> &[Ply] {
        &self.line
    }

    /// The legal moves in their canonical order; none if the game is over.
    ///
    /// # Errors
    ///
    /// When there are more than the game's limits allow to list.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Match};
    ///
    /// let play = Match::new(&Game::load("tic_tac_toe", &Config::default())?)?;
    /// let moves = play.moves()?;
    /// assert_eq!(moves.len(), 9);
    /// assert!(moves.get(0) < moves.get(1));
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    pub fn moves(&self) -> Result<&MoveList, Error> {
        if let Some(moves) = self.moves.get() {
            return Ok(moves);
        }
        let mut list = MoveList::new();
        let rules = self.game.rules();
        let listed = rules.moves(&self.state, &mut self.scratch.borrow_mut(), &mut list);
        listed.map_err(|fault| self.game.blame(&fault))?;
        list.sort();
        Ok(self.moves.get_or_init(|| list))
    }

    /// Plays the legal move with this name.
    ///
    /// # Errors
    ///
    /// When there is none, or the rules fault; the play is then as it was.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Match};
    ///
    /// let mut play = Match::new(&Game::load("breakthrough", &Config::default())?)?;
    /// play.play_named("a2-a3")?;
    /// let error = play.play_named("a3-a4").expect_err("black is to move");
    /// assert!(error.to_string().contains("not a legal move"));
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    pub fn play_named(&mut self, name: &str) -> Result<(), Error> {
        let index = self.find(name)?;
        self.play_index(index)
    }

    /// Plays the legal move with this number in [`Match::moves`].
    ///
    /// # Errors
    ///
    /// When there are not that many, or the rules fault; the play is then as it was.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Match};
    ///
    /// let mut play = Match::new(&Game::load("tic_tac_toe", &Config::default())?)?;
    /// play.play_index(8)?;
    /// assert!(play.play_index(8).is_err()); // eight moves are left, 0 to 7
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    pub fn play_index(&mut self, index: usize) -> Result<(), Error> {
        let moves = self.moves()?;
        if index >= moves.len() {
            let count = moves.len();
            return Err(Error::bad_input(format!("there is no move {index}; there are {count}")));
        }
        let steps = Move::from(moves.get(index));
        self.make(steps)
    }

    /// Plays a move given by its steps.
    ///
    /// # Errors
    ///
    /// When it is not legal, or the rules fault; the play is then as it was.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Match};
    ///
    /// let mut play = Match::new(&Game::load("tic_tac_toe", &Config::default())?)?;
    /// let steps = play.moves()?.get(4).to_vec();
    /// play.play(&steps)?;
    /// assert!(play.play(&steps).is_err()); // the square is taken
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    pub fn play(&mut self, steps: &[Step]) -> Result<(), Error> {
        let is_legal = match self.moves.get() {
            Some(moves) => moves.find(steps).is_some(),
            None => {
                let (mut scratch, mut next) = (self.game.take_scratch(), Vec::new());
                let walk = self.game.walk();
                let found = walk.next_steps(&self.state, steps, &mut scratch, &mut next);
                self.game.give_back(scratch);
                found.map_err(|fault| self.game.blame(&fault))? == Beginning::IsComplete
            }
        };
        if !is_legal {
            return Err(Error::bad_input("these steps are not a legal move"));
        }
        self.make(Move::from(steps))
    }

    /// Plays a legal move that a generator chooses, each with the same probability; says whether there was one. One seed gives
    /// one game whatever the engine.
    ///
    /// # Errors
    ///
    /// When there are too many moves to list, or the rules fault; the play is then as it was.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Match};
    ///
    /// let mut play = Match::new(&Game::load("reversi", &Config::default())?)?;
    /// let mut generator = regulus_engine::generator(7);
    /// while play.play_random(&mut generator)? {}
    /// assert!(play.outcome().over().is_some());
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    pub fn play_random(&mut self, generator: &mut Generator) -> Result<bool, Error> {
        let count = self.moves()?.len();
        if count > 0 {
            self.play_index(generator.random_range(0..count))?;
        }
        Ok(count > 0)
    }

    /// Takes back the last move; says whether there was one. [`Match::redo`] plays it again.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Match};
    ///
    /// let mut play = Match::new(&Game::load("tic_tac_toe", &Config::default())?)?;
    /// assert!(!play.undo());
    /// play.play_named("b2")?;
    /// assert!(play.undo());
    /// assert!(play.redo()?);
    /// assert_eq!(play.line_names()?, ["b2"]);
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    pub fn undo(&mut self) -> bool {
        let (Some(ply), Some(length)) = (self.line.pop(), self.lengths.pop()) else { return false };
        self.before.undo(&mut self.state);
        self.history.truncate(length);
        self.outcome = Outcome::ongoing(&self.game, ply.player);
        self.undone.push(ply);
        self.moves = OnceCell::new();
        self.names = OnceCell::new();
        self.is_named = OnceCell::new();
        true
    }

    /// Plays the move again that was taken back last; says whether there was one. Playing another move forgets it.
    ///
    /// # Errors
    ///
    /// When the rules fault; the play is then as it was.
    pub fn redo(&mut self) -> Result<bool, Error> {
        let Some(ply) = self.undone.last() else { return Ok(false) };
        self.advance(ply.steps.clone())?;
        self.undone.pop();
        Ok(true)
    }

    /// Goes back to the first position of this play and forgets all moves.
    ///
    /// # Errors
    ///
    /// When the rules fault; the play is then as it was.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Match};
    ///
    /// let mut play = Match::new(&Game::load("tic_tac_toe", &Config::default())?)?;
    /// play.play_named("b2")?;
    /// play.restart()?;
    /// assert_eq!(play.state(), play.first_state());
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    pub fn restart(&mut self) -> Result<(), Error> {
        *self = Match { seed: self.seed, ..Match::from_state(&self.game, self.first.clone())? };
        Ok(())
    }

    /// Plays a legal move.
    fn make(&mut self, steps: Move) -> Result<(), Error> {
        self.advance(steps)?;
        self.undone.clear();
        Ok(())
    }

    fn advance(&mut self, steps: Move) -> Result<(), Error> {
        let Some(player) = self.player() else {
            return Err(Error::bad_input("the game is over"));
        };
        let (rules, length) = (self.game.rules(), self.history.len());
        let scratch = self.scratch.get_mut();
        let mut next = self.state.clone();
        let applied = rules.apply(&mut next, &mut self.history, &steps.0, scratch);
        let arrival = applied
            .map_err(|fault| self.game.blame(&fault))
            .and_then(|()| arrive(&self.game, &next, scratch));
        let Arrival { outcome, moves } = match arrival {
            Ok(arrival) => arrival,
            Err(error) => {
                self.history.truncate(length);
                return Err(error);
            }
        };
        self.before.save(&self.state);
        self.lengths.push(length);
        self.state = next;
        self.line.push(Ply { player, steps });
        self.outcome = outcome;
        self.moves = moves;
        self.names = OnceCell::new();
        self.is_named = OnceCell::new();
        Ok(())
    }
}

impl Clone for Match {
    fn clone(&self) -> Match {
        Match {
            first: self.first.clone(),
            line: self.line.clone(),
            undone: self.undone.clone(),
            before: self.before.clone(),
            lengths: self.lengths.clone(),
            ..self.from_here()
        }
    }
}

/// Looks at a position: one search says whether the game is over and what the moves are.
fn arrive(game: &Game, state: &State, scratch: &mut Scratch) -> Result<Arrival, Error> {
    let rules = game.rules();
    let mut list = MoveList::new();
    let player = rules.player(state);
    let is_listed = match player {
        Some(_) => rules.moves_up_to(state, scratch, LISTED_AT_ONCE, &mut list),
        None => Ok(true),
    };
    let is_listed = is_listed.map_err(|fault| game.blame(&fault))?;
    let outcome = match player {
        Some(player) if !is_listed || !list.is_empty() => Outcome::ongoing(game, player),
        _ => Outcome::Over(Over::new(game, state)),
    };
    let moves = OnceCell::new();
    if is_listed {
        list.sort();
        moves.get_or_init(|| list);
    }
    Ok(Arrival { outcome, moves })
}
