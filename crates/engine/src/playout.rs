//! Random games: moves chosen uniformly among the legal ones, to the end.

use rand::{RngExt, SeedableRng};
pub use rand_xoshiro::Xoshiro256PlusPlus as Generator;
use regulus_automaton::Player;

use crate::fault::Fault;
use crate::history::History;
use crate::moves::Step;
use crate::rules::Rules;
use crate::splitmix;
use crate::state::State;

/// A random generator that gives the same numbers on every machine.
///
/// # Examples
///
/// ```
/// use rand::RngExt as _;
/// use regulus_engine::generator;
///
/// let draw = |seed| generator(seed).random_range(0..1_000_000);
/// assert_eq!(draw(7), draw(7));
/// assert_ne!(draw(7), draw(8));
/// ```
#[must_use]
pub fn generator(seed: u64) -> Generator {
    Generator::seed_from_u64(seed)
}

/// Plays random games one after the other in memory of its own.
///
/// # Examples
///
/// ```
/// use regulus_engine::{Playouts, Rules as _, Walk};
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
/// let first = rules.initial(&mut rules.scratch())?;
/// let mut playouts = Playouts::new(&rules, 1);
/// for number in 0..10 {
///     playouts.start_game(1, number);
///     let (mut state, mut history) = (first.clone(), rules.history(&first));
///     assert_eq!(playouts.run(&mut state, &mut history, 1000)?, 1);
/// }
/// # Ok::<(), regulus_engine::Fault>(())
/// ```
#[derive(Debug)]
pub struct Playouts<'a, R: Rules> {
    rules: &'a R,
    scratch: R::Scratch,
    generator: Generator,
}

impl<'a, R: Rules> Playouts<'a, R> {
    /// Games of these rules, from this seed.
    pub fn new(rules: &'a R, seed: u64) -> Self {
        Playouts { rules, scratch: rules.scratch(), generator: generator(seed) }
    }

    /// Begins the game with this number anew: the games of one seed do not depend on which were played before, or by
    /// which thread.
    pub fn start_game(&mut self, seed: u64, number: u64) {
        // Any odd factor keeps the seeds of different games apart; this one spreads them over all 64 bits.
        self.generator = generator(seed ^ number.wrapping_mul(splitmix::STEP));
    }

    /// Plays on from a state to the end, or until `moves` have been made; returns how many were made.
    ///
    /// # Errors
    ///
    /// Returns an error if the rules fault.
    pub fn run(
        &mut self,
        state: &mut State,
        history: &mut History,
        moves: u64,
    ) -> Result<u64, Fault> {
        let generator = &mut self.generator;
        let mut pick = |count| generator.random_range(0..count);
        self.rules.playout(state, history, &mut self.scratch, &mut pick, moves)
    }

    /// The same, and shows each move to `note` with the player who makes it, before it is made.
    ///
    /// # Errors
    ///
    /// Returns an error if the rules fault.
    pub fn run_noting(
        &mut self,
        state: &mut State,
        history: &mut History,
        moves: u64,
        note: &mut dyn FnMut(Player, &[Step]),
    ) -> Result<u64, Fault> {
        let generator = &mut self.generator;
        let mut pick = |count| generator.random_range(0..count);
        self.rules.playout_noting(state, history, &mut self.scratch, &mut pick, moves, note)
    }
}
