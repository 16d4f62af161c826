//! A move that is put together step by step.

use std::cell::OnceCell;
use std::sync::Arc;

use regulus_automaton::{Action, IdVec, Piece, Register, Square};
use regulus_engine::{Beginning, Rules as _, Step, walk};

use crate::actions::ActionNumber;
use crate::error::Error;
use crate::game::Game;
use crate::play::Match;

/// A move under construction. Only steps with which some legal move goes on are offered; steps that are forced are taken by
/// themselves. The moves are never listed, so this is fast also where there are millions of them.
///
/// # Examples
///
/// ```
/// use regulus_game::{Building, Config, Game, Match};
///
/// let game = Game::load("amazons", &Config::default())?;
/// let mut play = Match::new(&game)?;
/// let mut building = Building::new(&play)?;
/// assert_eq!(building.choices().len(), 4); // white has four amazons
/// while !building.is_complete() {
///     building.choose(building.choices()[0].action)?;
/// }
/// let steps = building.into_steps();
/// play.play(&steps)?;
/// # Ok::<(), regulus_game::Error>(())
/// ```
#[derive(Debug)]
pub struct Building<'a> {
    play: &'a Match,
    memory: ScratchLoan,
    steps: Vec<Step>,
    choices: Vec<Choice>,
    is_complete: bool,
    /// The board after the steps, once it has been asked for.
    board: OnceCell<IdVec<Square, Piece>>,
    /// How many steps there were before each choice.
    chosen: Vec<usize>,
}

/// A choice that a move can go on with.
///
/// # Examples
///
/// ```
/// use regulus_game::{Building, Config, Game, Match};
///
/// let game = Game::load("breakthrough", &Config::default())?;
/// let play = Match::new(&game)?;
/// let building = Building::new(&play)?;
/// // The squares of the pawns that can move.
/// let names: Vec<&str> =
///     building.choices().iter().map(|choice| game.notation().square(choice.square())).collect();
/// assert!(names.contains(&"a2") && !names.contains(&"a8"));
/// # Ok::<(), regulus_game::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Choice {
    /// Its number.
    pub action: ActionNumber,
    /// The step it stands for.
    pub step: Step,
}

impl Choice {
    /// The square where it happens.
    #[must_use]
    pub fn square(&self) -> Square {
        self.step.square
    }
}

impl<'a> Building<'a> {
    /// Begins a move. If the game is over there are no choices.
    ///
    /// # Errors
    ///
    /// When the rules fault.
    pub fn new(play: &'a Match) -> Result<Building<'a>, Error> {
        let game = Arc::clone(play.game());
        let memory = ScratchLoan { scratch: Some(game.take_scratch()), game };
        let (steps, choices, chosen) = (Vec::new(), Vec::new(), Vec::new());
        let (is_complete, board) = (false, OnceCell::new());
        let mut building = Building { play, memory, steps, choices, is_complete, board, chosen };
        if play.player().is_some() {
            building.look()?;
        }
        Ok(building)
    }

    /// What the move can go on with; no two have the same number.
    #[must_use]
    pub fn choices(&self) -> &[Choice] {
        &self.choices
    }

    /// The steps so far, those that were forced included.
    #[must_use]
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// Whether the steps are a legal move.
    #[must_use]
    pub fn is_complete(&self) -> bool {
        self.is_complete
    }

    /// The steps.
    #[must_use]
    pub fn into_steps(self) -> Vec<Step> {
        self.steps
    }

    /// Goes on with a choice.
    ///
    /// # Errors
    ///
    /// When it is none of [`Building::choices`], or the rules fault; the move is then as it was.
    pub fn choose(&mut self, action: ActionNumber) -> Result<(), Error> {
        let Some(choice) = self.choices.iter().find(|choice| choice.action == action) else {
            return Err(Error::bad_input(format!(
                "the move cannot go on with action {}",
                action.0
            )));
        };
        let step = choice.step;
        self.chosen.push(self.steps.len());
        self.steps.push(step);
        self.look().inspect_err(|_| {
            self.back_to_last_choice();
        })
    }

    /// Takes back the last choice; says whether there was one.
    ///
    /// # Errors
    ///
    /// When the rules fault.
    pub fn back(&mut self) -> Result<bool, Error> {
        if !self.back_to_last_choice() {
            return Ok(false);
        }
        self.look()?;
        Ok(true)
    }

    /// The board as it is after the steps so far: the piece on each square.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Building, Config, Game, Match};
    ///
    /// let game = Game::load("amazons", &Config::default())?;
    /// let play = Match::new(&game)?;
    /// let mut building = Building::new(&play)?;
    /// let choice = building.choices()[0];
    /// building.choose(choice.action)?; // lifts an amazon
    /// assert_ne!(building.board()[choice.square()], play.state().piece(choice.square()));
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    #[must_use]
    pub fn board(&self) -> &IdVec<Square, Piece> {
        self.board.get_or_init(|| {
            let (game, state) = (self.play.game(), self.play.state());
            let squares = game.automaton().board.squares.keys();
            let mut board: IdVec<Square, Piece> = squares.map(|at| state.piece(at)).collect();
            for (number, step) in self.steps.iter().enumerate() {
                if let Some(piece) = self.put_by(step, &self.steps[..number], &board) {
                    board[step.square] = piece;
                }
            }
            board
        })
    }

    /// The piece that a choice puts on its square; `None` if it puts none.
    #[must_use]
    pub fn piece_put(&self, choice: &Choice) -> Option<Piece> {
        self.put_by(&choice.step, &self.steps, self.board())
    }

    /// A choice in words, for a menu: what it puts, takes away or sets.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_game::{Building, Config, Game, Match};
    ///
    /// let game = Game::load("amazons", &Config::default())?;
    /// let play = Match::new(&game)?;
    /// let mut building = Building::new(&play)?;
    /// assert_eq!(building.describe(&building.choices()[0]), "take away"); // lifts an amazon
    /// building.choose(building.choices()[0].action)?;
    /// assert_eq!(building.describe(&building.choices()[0]), "white amazon");
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    #[must_use]
    pub fn describe(&self, choice: &Choice) -> String {
        let game = self.play.game();
        if let Some(piece) = self.piece_put(choice) {
            let look = game.piece_look(piece);
            return if look.is_empty { "take away".to_owned() } else { look.name.clone() };
        }
        match self.action_of(&choice.step) {
            Some(Action::Assign(variable, _)) => {
                let automaton = game.automaton();
                let mut counters = automaton.looks.counters.iter();
                let counter = counters.find(|counter| counter.variable == *variable);
                let name = &automaton.variables[*variable].name;
                counter.map_or(name, |counter| &counter.name).replace('_', " ")
            }
            Some(Action::Turn(_) | Action::Keeper) => "end the move".to_owned(),
            _ => game.notation().square(choice.square()).to_owned(),
        }
    }

    /// The piece that a step puts on its square after the steps before it; `None` if it puts none.
    fn put_by(&self, step: &Step, before: &[Step], board: &IdVec<Square, Piece>) -> Option<Piece> {
        match self.action_of(step)? {
            Action::Put(piece) => Some(*piece),
            Action::PutHeld(register) => board.get(self.remembered(*register, before)).copied(),
            _ => None,
        }
    }

    /// The square that a register remembers after some steps.
    fn remembered(&self, register: Register, steps: &[Step]) -> Square {
        let saved = steps.iter().rev().find(
            |step| matches!(self.action_of(step), Some(Action::Save(saved)) if *saved == register),
        );
        let play = self.play;
        saved.map_or_else(
            || play.state().register(play.game().rules().layout(), register),
            |step| step.square,
        )
    }

    /// What a step does.
    fn action_of(&self, step: &Step) -> Option<&Action> {
        let modifiers = &self.play.game().rules().referee().modifiers;
        modifiers.get(step.modifier)?.as_ref().map(|(action, _)| action)
    }

    fn back_to_last_choice(&mut self) -> bool {
        let Some(before) = self.chosen.pop() else { return false };
        self.steps.truncate(before);
        true
    }

    /// Takes the steps that are forced, and finds the choices after them.
    fn look(&mut self) -> Result<(), Error> {
        let (game, mut next) = (self.play.game(), Vec::new());
        self.board = OnceCell::new();
        let scratch = self.memory.scratch.get_or_insert_with(|| game.take_scratch());
        loop {
            let state = self.play.state();
            let found = game.walk().next_steps(state, &self.steps, scratch, &mut next);
            let found = found.map_err(|fault| game.blame(&fault))?;
            self.is_complete = found == Beginning::IsComplete;
            let choice = |&step: &Step| Some(Choice { action: game.actions().number(step)?, step });
            match next.as_slice() {
                [forced] if choice(forced).is_none() => self.steps.push(*forced),
                steps => {
                    self.choices = steps.iter().filter_map(choice).collect();
                    debug_assert_eq!(self.choices.len(), steps.len(), "choices have numbers");
                    return Ok(());
                }
            }
        }
    }
}

/// Memory that is given back to its game. It does not borrow, so that a building that is not used any more does not either.
#[derive(Debug)]
struct ScratchLoan {
    game: Arc<Game>,
    /// Present until it is given back.
    scratch: Option<walk::Scratch>,
}

impl Drop for ScratchLoan {
    fn drop(&mut self) {
        if let Some(scratch) = self.scratch.take() {
            self.game.give_back(scratch);
        }
    }
}
