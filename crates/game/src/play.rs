//! One play of a game.

use std::cell::{OnceCell, RefCell};
use std::sync::Arc;

use rand::RngExt as _;
use regulus_automaton::{Piece, Player, Square};
use regulus_engine::notation::{exact, parse_exact};
use regulus_engine::{
    Beginning, Generator, History, Move, MoveList, Rules as _, State, Step, UndoStack, generator,
};
use regulus_jit::Scratch;
use regulus_lang::metagame::{self, Side};
use regulus_lang::nearest;

use crate::error::Error;
use crate::game::Game;
use crate::outcome::{Outcome, Over};
use crate::picture::{self, Theme};
use crate::terminal::{self, Paint, TextStyle};
use crate::{planes, position};

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
    scratch: RefCell<Scratch>,
    first: State,
    line: Vec<Ply>,
    undone: Vec<Ply>,
    /// The positions before the moves of the line, and how long the history was.
    before: UndoStack,
    lengths: Vec<usize>,
}

/// A move that was made.
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

    /// The names of the legal moves, in the order of [`Match::moves`]; each is unique.
    ///
    /// # Errors
    ///
    /// As for [`Match::moves`].
    pub fn names(&self) -> Result<&[String], Error> {
        let moves = self.moves()?;
        if let Some(names) = self.names.get() {
            return Ok(names);
        }
        let mut names = self.game.notation().name_moves(moves);
        // Where squares do not tell moves apart, the language of the game may have words for them.
        for (index, name) in names.iter_mut().enumerate().filter(|(_, name)| name.starts_with('('))
        {
            if let Some(spelling) = self.spelling(index)? {
                *name = spelling;
            }
        }
        Ok(self.names.get_or_init(|| names))
    }

    /// A legal move as the language of the game writes it; `None` if the language has no notation of its own.
    ///
    /// # Errors
    ///
    /// If the moves cannot be found.
    ///
    /// # Panics
    ///
    /// If there is no move of this number.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Match};
    ///
    /// let play = Match::new(&Game::load("american_checkers", &Config::default())?)?;
    /// assert_eq!(play.names()?[0], "a3-b4");
    /// assert_eq!(play.spelling(0)?.as_deref(), Some("white man (1,3) -> (2,4)."));
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    pub fn spelling(&self, index: usize) -> Result<Option<String>, Error> {
        let moves = self.moves()?;
        let (Some(deeds), Some(player)) = (self.game.deeds(), self.player()) else {
            return Ok(None);
        };
        let side = if player.0 == 0 { Side::White } else { Side::Black };
        let steps = moves.get(index).iter().map(|step| (step.modifier, step.square));
        Ok(Some(deeds.spell(side, |square| self.state.piece(square), steps)))
    }

    /// A legal move as it is written in records: as the language of the game writes it, else by its short name, or exactly
    /// where there are too many moves to name.
    ///
    /// # Errors
    ///
    /// If the steps are not a legal move.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Match};
    ///
    /// let play = Match::new(&Game::load("breakthrough", &Config::default())?)?;
    /// let steps = play.moves()?.get(0);
    /// assert_eq!(play.written(steps)?, play.names()?[0]);
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    pub fn written(&self, steps: &[Step]) -> Result<String, Error> {
        if self.moves.get().is_none() {
            let (rules, mut list) = (self.game.rules(), MoveList::new());
            let scratch = &mut self.scratch.borrow_mut();
            let listed = rules.moves_up_to(&self.state, scratch, LISTED_AT_ONCE, &mut list);
            if !listed.map_err(|fault| self.game.blame(&fault))? {
                return Ok(exact(steps));
            }
        }
        let moves = self.moves()?;
        let index = moves.find(steps);
        let index = index.ok_or_else(|| Error::bad_input("these steps are not a legal move"))?;
        match self.spelling(index)? {
            Some(spelling) => Ok(spelling),
            None => Ok(self.names()?[index].clone()),
        }
    }

    /// The number of the legal move with this name: short, exact or as the language of the game writes it.
    ///
    /// # Errors
    ///
    /// When there is none; the message says which moves are like it.
    pub fn find(&self, name: &str) -> Result<usize, Error> {
        let wanted = name.trim();
        let (moves, names) = (self.moves()?, self.names()?);
        if let Some(index) = names.iter().position(|name| name == wanted) {
            return Ok(index);
        }
        if let Some(exact) = parse_exact(wanted.trim_matches(['(', ')']))
            && let Some(index) = moves.find(&exact.0)
        {
            return Ok(index);
        }
        if self.game.deeds().is_some() && (wanted.contains("->") || wanted.contains(';')) {
            return self.find_spelled(wanted);
        }
        let begins: Vec<&str> =
            names.iter().map(String::as_str).filter(|name| name.starts_with(wanted)).collect();
        let advice = match begins.as_slice() {
            _ if moves.is_empty() => "the game is over".to_owned(),
            [] => match nearest(wanted, names.iter().map(String::as_str)) {
                Some(near) => format!("did you mean `{near}`?"),
                None if names.len() == 1 => format!("the only legal move is `{}`", names[0]),
                None => format!("there are {} legal moves, such as `{}`", names.len(), names[0]),
            },
            names => {
                let more = if names.len() > 8 { ", …" } else { "" };
                let some = names[..names.len().min(8)].join(", ");
                format!("legal moves that begin so: {some}{more}")
            }
        };
        Err(Error::bad_input(format!("`{wanted}` is not a legal move; {advice}")))
    }

    /// The number of the legal move that the language of the game writes so.
    fn find_spelled(&self, text: &str) -> Result<usize, Error> {
        let wanted = metagame::canonical(text)
            .map_err(|reason| Error::bad_input(format!("`{text}` is not a move: {reason}")))?;
        let mut like: Option<(usize, String)> = None;
        let count = self.moves()?.len();
        for index in 0..count {
            let Some(spelled) = self.spelling(index)? else { continue };
            if spelled == wanted {
                return Ok(index);
            }
            // What has most in common from the beginning.
            let common = wanted.bytes().zip(spelled.bytes()).take_while(|(a, b)| a == b).count();
            if like.as_ref().is_none_or(|(most, _)| common > *most) {
                like = Some((common, spelled));
            }
        }
        let advice = match like {
            None => "the game is over".to_owned(),
            Some((_, like)) if count == 1 => format!("the only legal move is `{like}`"),
            Some((_, like)) => {
                format!("there are {count} legal moves; the most like it is `{like}`")
            }
        };
        Err(Error::bad_input(format!("`{wanted}` is not legal; {advice}")))
    }

    /// Plays the legal move with this name.
    ///
    /// # Errors
    ///
    /// When there is none, or the rules fault; the play is then as it was.
    pub fn play_named(&mut self, name: &str) -> Result<(), Error> {
        let index = self.find(name)?;
        self.play_index(index)
    }

    /// Plays the legal move with this number in [`Match::moves`].
    ///
    /// # Errors
    ///
    /// When there are not that many, or the rules fault; the play is then as it was.
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
    pub fn play_random(&mut self, generator: &mut Generator) -> Result<bool, Error> {
        let count = self.moves()?.len();
        if count > 0 {
            self.play_index(generator.random_range(0..count))?;
        }
        Ok(count > 0)
    }

    /// Takes back the last move; says whether there was one. [`Match::redo`] plays it again.
    pub fn undo(&mut self) -> bool {
        let (Some(ply), Some(length)) = (self.line.pop(), self.lengths.pop()) else { return false };
        self.before.undo(&mut self.state);
        self.history.truncate(length);
        self.outcome = Outcome::ongoing(&self.game, ply.player);
        self.undone.push(ply);
        self.moves = OnceCell::new();
        self.names = OnceCell::new();
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
    pub fn restart(&mut self) -> Result<(), Error> {
        *self = Match { seed: self.seed, ..Match::from_state(&self.game, self.first.clone())? };
        Ok(())
    }

    /// The names of the moves made so far.
    ///
    /// # Errors
    ///
    /// When the rules fault.
    pub fn line_names(&self) -> Result<Vec<String>, Error> {
        let mut play = Match::from_state(&self.game, self.first.clone())?;
        let mut names = Vec::with_capacity(self.line.len());
        for ply in &self.line {
            let name =
                play.moves()?.find(&ply.steps.0).and_then(|at| play.names().ok()?.get(at).cloned());
            names.extend(name);
            play.advance(ply.steps.clone())?;
        }
        Ok(names)
    }

    /// The position as one line of text, which [`Match::from_position`] reads.
    #[must_use]
    pub fn position(&self) -> String {
        position::write(&self.game, &self.state)
    }

    /// The position in FEN; `None` if the game is not chess.
    #[must_use]
    pub fn fen(&self) -> Option<String> {
        crate::fen::write(&self.game, &self.state)
    }

    /// The board as text, with the names of rows and columns.
    #[must_use]
    pub fn board(&self) -> String {
        self.draw(TextStyle::default(), &mut |_, text| text.to_owned())
    }

    /// The board as text; `paint` gives the symbols their colours.
    #[must_use]
    pub fn draw(&self, style: TextStyle, paint: &mut dyn FnMut(Paint, &str) -> String) -> String {
        terminal::board(&self.game, &self.state, &self.last_squares(), style, paint)
    }

    /// The board as a picture, an SVG document. The squares of the last move are marked.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Config, Game, Match, Theme};
    ///
    /// let game = Game::load("hex", &Config::default())?;
    /// let svg = Match::new(&game)?.svg(Theme::Light);
    /// assert!(svg.starts_with("<svg"));
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    #[must_use]
    pub fn svg(&self, theme: Theme) -> String {
        picture::svg(&self.game, &self.state, &self.last_squares(), theme)
    }

    /// The pieces that a player holds beside the board, with their numbers.
    #[must_use]
    pub fn hand(&self, player: Player) -> Vec<(Piece, i32)> {
        terminal::hand(&self.game, &self.state, player)
    }

    /// The squares that the last move went over, each once.
    #[must_use]
    pub fn last_squares(&self) -> Vec<Square> {
        let steps = self.line.last().map_or(&[][..], |ply| &ply.steps.0);
        let mut squares: Vec<Square> = steps.iter().map(|step| step.square).collect();
        squares.sort_unstable();
        squares.dedup();
        squares
    }

    /// Writes the position as planes of numbers ([`Game::plane_shape`]), row by row, without allocating.
    ///
    /// # Panics
    ///
    /// When the memory has not exactly the length of the shape.
    pub fn planes(&self, planes: &mut [f32]) {
        planes::write(&self.game, &self.state, &self.history, planes);
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
        Ok(())
    }
}

impl Clone for Match {
    fn clone(&self) -> Match {
        Match {
            game: Arc::clone(&self.game),
            seed: self.seed,
            state: self.state.clone(),
            history: self.history.clone(),
            outcome: self.outcome.clone(),
            moves: self.moves.clone(),
            names: self.names.clone(),
            scratch: RefCell::new(self.game.rules().scratch()),
            first: self.first.clone(),
            line: self.line.clone(),
            undone: self.undone.clone(),
            before: self.before.clone(),
            lengths: self.lengths.clone(),
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
