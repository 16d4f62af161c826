//! Random games: moves chosen uniformly among the legal ones, to the end.

use rand::{RngExt, SeedableRng};
pub use rand_xoshiro::Xoshiro256PlusPlus as Generator;

use crate::fault::Fault;
use crate::moves::MoveList;
use crate::rules::Rules;
use crate::state::State;

/// A random generator that gives the same numbers on every machine.
#[must_use]
pub fn generator(seed: u64) -> Generator {
    Generator::seed_from_u64(seed)
}

/// Plays random games one after the other in memory of its own.
#[derive(Debug)]
pub struct Playouts<'a, R: Rules> {
    rules: &'a R,
    scratch: R::Scratch,
    list: MoveList,
    generator: Generator,
}

impl<'a, R: Rules> Playouts<'a, R> {
    /// Games of these rules, from this seed.
    pub fn new(rules: &'a R, seed: u64) -> Self {
        Playouts {
            rules,
            scratch: rules.scratch(),
            list: MoveList::new(),
            generator: generator(seed),
        }
    }

    /// Plays on from a state to the end, or until `moves` have been made; says how many were.
    ///
    /// # Errors
    ///
    /// When the rules fault.
    pub fn run(&mut self, state: &mut State, moves: u64) -> Result<u64, Fault> {
        let mut made = 0;
        while made < moves && self.step(state)? {
            made += 1;
        }
        Ok(made)
    }

    /// Makes one random move; says whether there was one.
    ///
    /// # Errors
    ///
    /// When the rules fault.
    pub fn step(&mut self, state: &mut State) -> Result<bool, Fault> {
        if self.rules.player(state).is_none() {
            return Ok(false);
        }
        self.rules.moves(state, &mut self.scratch, &mut self.list)?;
        if self.list.is_empty() {
            return Ok(false);
        }
        let chosen = self.generator.random_range(0..self.list.len());
        self.rules.apply(state, self.list.get(chosen), &mut self.scratch)?;
        Ok(true)
    }
}
