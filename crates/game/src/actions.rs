//! Fixed numbers for the choices in moves: the action space of learners and playout policies.

use regulus_automaton::analyses::{Decisions, decisions};
use regulus_automaton::{Automaton, Id as _};
use regulus_engine::Step;

/// The number of an action: a choice that can come up while a move is put together. It is below [`Actions::count`] and means
/// the same in every state of the game.
///
/// # Examples
///
/// ```
/// use regulus_game::{ActionNumber, Config, Game, Match};
///
/// let game = Game::load("breakthrough", &Config::default())?;
/// let play = Match::new(&game)?;
/// let numbers: Vec<ActionNumber> = game.actions().of(play.moves()?.get(0)).collect();
/// assert!(numbers.iter().all(|number| number.0 < game.actions().count()));
/// # Ok::<(), regulus_game::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct ActionNumber(pub u64);

/// The actions of a game. A step of a move is a modifier and a square; steps that are forced have no number, and of the steps
/// that can come next in a move no two have the same.
///
/// # Examples
///
/// ```
/// use regulus_engine::Playouts;
/// use regulus_game::{Config, Game, Match};
///
/// let game = Game::load("amazons", &Config::default())?;
/// // Leave a square, arrive on a square, shoot at a square.
/// assert_eq!(game.actions().count(), 3 * 100);
/// let play = Match::new(&game)?;
/// let steps = play.moves()?.get(0);
/// assert_eq!(game.actions().of(steps).count(), 3);
///
/// // A random game with all its actions, as playout policies need it.
/// let (mut state, mut history) = (play.state().clone(), play.history().clone());
/// let mut noted = Vec::new();
/// let mut note = |player, steps: &[_]| {
///     noted.extend(game.actions().of(steps).map(|action| (player, action)));
/// };
/// let made = Playouts::new(game.rules(), 1).run_noting(&mut state, &mut history, 1000, &mut note);
/// assert_eq!(noted.len() as u64, 3 * made.map_err(|fault| game.blame(&fault))?);
/// # Ok::<(), regulus_game::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Actions {
    /// For each modifier the number of its action on the first square, or [`FORCED`].
    first: Vec<u64>,
    count: u64,
}

/// Stands for modifiers that are no decisions.
const FORCED: u64 = u64::MAX;

impl Actions {
    /// The actions of a game as it was lowered, before any pass.
    pub(crate) fn new(automaton: &Automaton) -> Actions {
        let squares = automaton.board.squares.len() as u64;
        let Decisions { of, count } = decisions(automaton);
        let first = |decision: &Option<u32>| decision.map_or(FORCED, |at| u64::from(at) * squares);
        Actions { first: of.values().map(first).collect(), count: u64::from(count) * squares }
    }

    /// How many numbers there are.
    #[must_use]
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The number of a step; `None` if it is forced.
    #[must_use]
    #[inline]
    pub fn number(&self, step: Step) -> Option<ActionNumber> {
        let first = *self.first.get(step.modifier.index())?;
        (first != FORCED).then(|| ActionNumber(first + u64::from(step.square.0)))
    }

    /// The numbers of a move's steps, in order, without those that are forced.
    pub fn of<'a>(&'a self, steps: &'a [Step]) -> impl Iterator<Item = ActionNumber> + 'a {
        steps.iter().filter_map(|&step| self.number(step))
    }
}
