//! The uniform interface: whatever runs a game answers these questions.

use std::ops::ControlFlow;

use regulus_automaton::{Automaton, Player, Register, Square, Variable};

use crate::fault::{Fault, FaultKind, Limits};
use crate::history::History;
use crate::moves::{MoveList, Step};
use crate::perft::Perft;
use crate::playout::Generator;
use crate::referee::Referee;
use crate::state::{Layout, State};

/// A game ready to be played. Immutable and shareable; memory to work in is the caller's.
///
/// A state handed out is one where a player chooses, or where the game is over: the keeper has done its work.
///
/// # Examples
///
/// ```
/// use regulus_engine::{MoveList, Rules as _, Walk};
/// use regulus_lang::{Source, compile};
///
/// let text = "
///     #players = one(1)
///     #pieces = e, x
///     #variables =
///     #board = rectangle(up, down, left, right, [e, e, e])
///     #rules = ->one right* {e} [x] ->> {}
/// ";
/// let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let rules = Walk::new(automaton);
/// let mut scratch = rules.scratch();
/// let mut state = rules.initial(&mut scratch)?;
/// let mut history = rules.history(&state);
/// let mut moves = MoveList::new();
/// rules.moves(&state, &mut scratch, &mut moves)?;
/// assert_eq!(moves.len(), 3);
/// rules.apply(&mut state, &mut history, moves.get(0), &mut scratch)?;
/// assert!(rules.is_over(&state, &mut scratch)?);
/// # Ok::<(), regulus_engine::Fault>(())
/// ```
pub trait Rules: Send + Sync {
    /// Memory to work in; one for each thread. Methods panic if they are given memory that belongs to other rules, or a state
    /// of another shape ([`Layout::shape`]).
    type Scratch: Send;

    /// New memory to work in.
    fn scratch(&self) -> Self::Scratch;

    /// What all engines share: states, what moves do to them, and repetition.
    fn referee(&self) -> &Referee;

    /// The automaton that is run.
    fn automaton(&self) -> &Automaton {
        &self.referee().automaton
    }

    /// How states are laid out.
    fn layout(&self) -> &Layout {
        &self.referee().layout
    }

    /// What one request may do at most.
    fn limits(&self) -> Limits {
        self.referee().limits
    }

    /// Lets the keeper act until a player is in control or it is stuck.
    ///
    /// # Errors
    ///
    /// Returns an error if it does not come to an end; the state is then unspecified.
    fn run_keeper(&self, state: &mut State, scratch: &mut Self::Scratch) -> Result<(), Fault>;

    /// The first state, with every piece where the game's text has it.
    ///
    /// # Errors
    ///
    /// Returns an error if the keeper does not come to an end.
    fn initial(&self, scratch: &mut Self::Scratch) -> Result<State, Fault> {
        let mut state = self.referee().before_start();
        self.run_keeper(&mut state, scratch)?;
        Ok(state)
    }

    /// The first state after chance has arranged the pieces, in games where it does ([`Referee::shuffled`]).
    ///
    /// # Errors
    ///
    /// Returns an error if the keeper does not come to an end.
    fn initial_shuffled(
        &self,
        generator: &mut Generator,
        scratch: &mut Self::Scratch,
    ) -> Result<State, Fault> {
        let mut state = self.referee().shuffled(generator);
        self.run_keeper(&mut state, scratch)?;
        Ok(state)
    }

    /// The history of a play that begins with this state; it stays empty where repetition does not matter.
    fn history(&self, state: &State) -> History {
        self.referee().history(state)
    }

    /// Shows each legal move once, until the visitor says stop.
    ///
    /// # Errors
    ///
    /// Returns an error if a limit is reached.
    fn visit_moves(
        &self,
        state: &State,
        scratch: &mut Self::Scratch,
        visitor: &mut dyn FnMut(&[Step]) -> ControlFlow<()>,
    ) -> Result<(), Fault>;

    /// Plays a move, and the keeper's part after it, without asking whether it is legal. The position is added to the
    /// history, which may end the game.
    ///
    /// # Errors
    ///
    /// Returns an error if the steps are no move of this game at all, or the keeper does not come to an end; the state
    /// is then unspecified.
    fn apply(
        &self,
        state: &mut State,
        history: &mut History,
        steps: &[Step],
        scratch: &mut Self::Scratch,
    ) -> Result<(), Fault>;

    /// Replaces the list by all legal moves.
    ///
    /// # Errors
    ///
    /// Returns an error if a limit is reached.
    fn moves(
        &self,
        state: &State,
        scratch: &mut Self::Scratch,
        list: &mut MoveList,
    ) -> Result<(), Fault> {
        list.clear();
        let limit = self.limits().stored_steps;
        let mut full = false;
        self.visit_moves(state, scratch, &mut |steps| {
            list.push(steps);
            full = list.step_count() > limit;
            if full { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if full { Err(Fault::new(FaultKind::TooManySteps(limit), None)) } else { Ok(()) }
    }

    /// Replaces the list by all legal moves if there are at most `most` of them; returns whether that is so. Otherwise the
    /// list is unspecified, and the search ends early.
    ///
    /// # Errors
    ///
    /// Returns an error if a limit is reached.
    fn moves_up_to(
        &self,
        state: &State,
        scratch: &mut Self::Scratch,
        most: usize,
        list: &mut MoveList,
    ) -> Result<bool, Fault> {
        list.clear();
        self.visit_moves(state, scratch, &mut |steps| {
            list.push(steps);
            if list.len() > most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        Ok(list.len() <= most)
    }

    /// Puts one of the legal moves into `steps`: `pick` is given their number and returns the one to take. Returns whether
    /// there was a move. For random games this is faster than listing all moves.
    ///
    /// # Errors
    ///
    /// Returns an error if a limit is reached.
    fn choose(
        &self,
        state: &State,
        scratch: &mut Self::Scratch,
        pick: &mut dyn FnMut(u64) -> u64,
        steps: &mut Vec<Step>,
    ) -> Result<bool, Fault>;

    /// Plays one of the legal moves, and the keeper's part after it: `pick` is given the number of moves and returns the
    /// one to play. Returns whether there was a move. Random games consist of such calls.
    ///
    /// # Errors
    ///
    /// Returns an error if a limit is reached or the keeper does not come to an end; the state is then unspecified.
    fn play_chosen(
        &self,
        state: &mut State,
        history: &mut History,
        scratch: &mut Self::Scratch,
        pick: &mut dyn FnMut(u64) -> u64,
    ) -> Result<bool, Fault> {
        Ok(self.playout(state, history, scratch, pick, 1)? == 1)
    }

    /// Plays chosen moves until the game is over or `moves` have been made; returns how many were made. `pick` is told how
    /// many moves there are and chooses one.
    ///
    /// # Errors
    ///
    /// Returns an error if a limit is reached or the keeper does not come to an end; the state is then unspecified.
    fn playout(
        &self,
        state: &mut State,
        history: &mut History,
        scratch: &mut Self::Scratch,
        pick: &mut dyn FnMut(u64) -> u64,
        moves: u64,
    ) -> Result<u64, Fault> {
        self.playout_noting(state, history, scratch, pick, moves, &mut |_, _| {})
    }

    /// The same, and shows each move to `note` with the player who makes it, before it is made.
    ///
    /// # Errors
    ///
    /// Returns an error if a limit is reached or the keeper does not come to an end; the state is then unspecified.
    fn playout_noting(
        &self,
        state: &mut State,
        history: &mut History,
        scratch: &mut Self::Scratch,
        pick: &mut dyn FnMut(u64) -> u64,
        moves: u64,
        note: &mut dyn FnMut(Player, &[Step]),
    ) -> Result<u64, Fault> {
        let mut steps = Vec::new();
        for made in 0..moves {
            let Some(player) = self.player(state) else { return Ok(made) };
            if !self.choose(state, scratch, pick, &mut steps)? {
                return Ok(made);
            }
            note(player, &steps);
            self.apply(state, history, &steps, scratch)?;
        }
        Ok(moves)
    }

    /// How many legal moves there are.
    ///
    /// # Errors
    ///
    /// Returns an error if a limit is reached.
    fn move_count(&self, state: &State, scratch: &mut Self::Scratch) -> Result<u64, Fault> {
        let mut count = 0;
        let mut pick = |all| {
            count = all;
            0
        };
        self.choose(state, scratch, &mut pick, &mut Vec::new())?;
        Ok(count)
    }

    /// Counts the tree of `depth` moves below a state by making every move, faster than by listing them; `None` if the
    /// engine has no such way, a limit is reached in it, or a position may come so often that the game ends.
    fn count(
        &self,
        state: &State,
        history: &History,
        depth: u32,
        scratch: &mut Self::Scratch,
    ) -> Option<Perft> {
        let _ = (state, history, depth, scratch);
        None
    }

    /// Plays a move after making sure that it is legal.
    ///
    /// # Errors
    ///
    /// Returns an error if it is not legal or a limit is reached; the state and the history are then as they were.
    fn play(
        &self,
        state: &mut State,
        history: &mut History,
        steps: &[Step],
        scratch: &mut Self::Scratch,
    ) -> Result<(), Fault> {
        let mut legal = false;
        self.visit_moves(state, scratch, &mut |candidate| {
            legal = candidate == steps;
            if legal { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        })?;
        if !legal {
            return Err(Fault::new(FaultKind::NotAMove, None));
        }
        let mut next = state.clone();
        let before = history.len();
        let played = self.apply(&mut next, history, steps, scratch);
        match played {
            Ok(()) => *state = next,
            Err(_) => history.truncate(before),
        }
        played
    }

    /// Whether the game is over: no player is in control, or the player in control has no move.
    ///
    /// # Errors
    ///
    /// Returns an error if a limit is reached.
    fn is_over(&self, state: &State, scratch: &mut Self::Scratch) -> Result<bool, Fault> {
        let mut over = true;
        if self.player(state).is_some() {
            self.visit_moves(state, scratch, &mut |_| {
                over = false;
                ControlFlow::Break(())
            })?;
        }
        Ok(over)
    }

    /// The player in control; `None` if the keeper is stuck, which ends the game.
    fn player(&self, state: &State) -> Option<Player> {
        state.mover(self.layout())
    }

    /// A player's score.
    fn score(&self, state: &State, player: Player) -> i32 {
        state.variable(self.layout(), player.score())
    }

    /// All scores in the players' order.
    fn scores(&self, state: &State) -> Vec<i32> {
        self.automaton().players.keys().map(|player| self.score(state, player)).collect()
    }

    /// The value of a variable.
    fn variable(&self, state: &State, variable: Variable) -> i32 {
        state.variable(self.layout(), variable)
    }

    /// Where the cursor is, or the first square when that does not matter.
    fn cursor(&self, state: &State) -> Square {
        state.register(self.layout(), Register::CURSOR)
    }
}
