//! A game being played: where it stands, what was played, and what can be played now.

use std::fmt::Write as _;
use std::sync::Arc;

use regulus_lang::abg::{self, Game};
use regulus_lang::{Diagnostic, Source};

use crate::ending;
use crate::fault::{Fault, Limits, TryBudget};
use crate::moves::{Journal, Move};
use crate::registry::Registry;
use crate::rules::AbgRules;
use crate::search;
use crate::state::State;

/// A game being played. A copy goes on by itself.
#[derive(Clone, Debug)]
pub struct Environment {
    rules: Arc<AbgRules>,
    state: State,
    /// The scores, when the game is known to be over.
    result: Option<Vec<i64>>,
    /// The legal moves, when they have been looked for.
    moves: Option<Arc<[Move]>>,
    history: Vec<MadeMove>,
}

/// A move that was made.
#[derive(Clone, Debug)]
struct MadeMove {
    journal: Journal,
    current: usize,
    moves: Option<Arc<[Move]>>,
}

impl Environment {
    /// Loads a game from its text. Names that the text does not define are looked for in the registry.
    ///
    /// # Errors
    ///
    /// What is wrong with the text. A name that is not there is said together with those that are.
    pub fn load(source: &Source, registry: &Registry) -> Result<Environment, Vec<Diagnostic>> {
        Environment::load_with_limits(source, registry, Limits::default())
    }

    /// The same under other limits than the default ones.
    ///
    /// # Errors
    ///
    /// As [`Environment::load`].
    pub fn load_with_limits(
        source: &Source,
        registry: &Registry,
        limits: Limits,
    ) -> Result<Environment, Vec<Diagnostic>> {
        let (game, diagnostics) = abg::check(source, &registry.externals());
        let rules = AbgRules::new(game.ok_or(diagnostics)?, registry.clone(), limits);
        let state = rules.initial();
        let rules = Arc::new(rules);
        Ok(Environment { rules, state, result: None, moves: None, history: Vec::new() })
    }

    /// The checked game.
    #[must_use]
    pub fn game(&self) -> &Game {
        &self.rules.game
    }

    /// Where the game stands.
    #[must_use]
    pub fn state(&self) -> &State {
        &self.state
    }

    /// The names of the variables in the order of [`State::variables`].
    #[must_use]
    pub fn variables(&self) -> &[String] {
        &self.rules.variables
    }

    /// The name of the player whose turn it is.
    #[must_use]
    pub fn current(&self) -> &str {
        &self.rules.game.players[self.state.current]
    }

    /// The name of the piece in this column and row, counted from 0 at the lower left; `None` outside the board.
    #[must_use]
    pub fn piece_at(&self, x: i64, y: i64) -> Option<&str> {
        let square = self.rules.square(x, y)?;
        Some(&self.rules.game.pieces[usize::from(self.state.board[square])].name)
    }

    /// Finds out about moves, and the end of the game when there are none.
    fn look(&mut self) -> Result<(), Fault> {
        if self.result.is_some() || self.moves.is_some() {
            return Ok(());
        }
        let moves: Arc<[Move]> = search::moves(&self.rules, &mut self.state)?.into();
        if moves.is_empty() {
            self.result = Some(ending::stuck(&self.rules, &self.state)?);
        }
        self.moves = Some(moves);
        Ok(())
    }

    /// The legal moves; an empty list if the game is over.
    ///
    /// # Errors
    ///
    /// Returns an error if a limit is reached, or an anti-effect does not put back what its effect changes.
    pub fn moves(&mut self) -> Result<Arc<[Move]>, Fault> {
        self.look()?;
        let moves = self.moves.clone().filter(|_| self.result.is_none());
        Ok(moves.unwrap_or_default())
    }

    /// Plays a legal move.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not legal, or as in [`Environment::moves`]; everything is then as it was.
    pub fn play(&mut self, chosen: &Move) -> Result<(), Fault> {
        self.look()?;
        if self.result.is_some() {
            return Err(Fault::Over);
        }
        let legal = self.moves.as_ref().is_some_and(|moves| moves.contains(chosen));
        if legal { self.make(chosen) } else { Err(Fault::NotAMove) }
    }

    /// Plays a move that is known to be legal.
    pub(crate) fn make(&mut self, chosen: &Move) -> Result<(), Fault> {
        let budget = TryBudget::new(self.rules.limits);
        let (rules, state) = (&self.rules, &mut self.state);
        let mut journal = Journal::default();
        for (letter, squares) in chosen.word.iter().zip(chosen.path.windows(2)) {
            let Some(effect) = letter.effect else { continue };
            let what = (chosen.piece, squares[0], squares[1]);
            if !rules.act(effect, what, state, &mut journal, &budget)? {
                rules.take_back((0, 0), state, &mut journal)?;
                return Err(Fault::NotAMove);
            }
        }
        match budget.check().and_then(|()| ending::after_move(rules, state)) {
            Ok(result) => self.result = result,
            Err(fault) => {
                rules.take_back((0, 0), state, &mut journal)?;
                return Err(fault);
            }
        }
        let (current, moves) = (state.current, self.moves.take());
        self.history.push(MadeMove { journal, current, moves });
        state.current = (current + 1) % rules.game.players.len();
        Ok(())
    }

    /// Takes the last move back; returns whether there was one.
    ///
    /// # Errors
    ///
    /// Returns an error if an anti-effect does not put back what its effect has changed.
    pub fn undo(&mut self) -> Result<bool, Fault> {
        let Some(MadeMove { mut journal, current, moves }) = self.history.pop() else {
            return Ok(false);
        };
        self.state.current = current;
        (self.result, self.moves) = (None, moves);
        self.rules.take_back((0, 0), &mut self.state, &mut journal)?;
        Ok(true)
    }

    /// The scores of the players when the game is over.
    ///
    /// # Errors
    ///
    /// As [`Environment::moves`].
    pub fn result(&mut self) -> Result<Option<&[i64]>, Fault> {
        self.look()?;
        Ok(self.result.as_deref())
    }

    /// Goes back to the beginning.
    pub fn reset(&mut self) {
        self.state = self.rules.initial();
        self.history.clear();
        (self.result, self.moves) = (None, None);
    }

    /// A move for people: the piece and the squares it goes over, as `wPawn (0,1) (0,2)`.
    #[must_use]
    pub fn describe(&self, chosen: &Move) -> String {
        let mut text = self.rules.game.pieces[chosen.piece].name.clone();
        for &square in &chosen.path {
            let (x, y) = self.rules.place(square);
            // Writing to a string cannot fail.
            let _ = write!(text, " ({x},{y})");
        }
        text
    }
}
