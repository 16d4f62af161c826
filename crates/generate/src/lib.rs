//! Random games of METAGAME, Barney Pell's class of symmetric chess-like games.
//!
//! ```text
//! default.toml, a file, properties ─▶ Config ┐
//!                                     seed ──┴▶ draw ─▶ Rules ─▶ print ─▶ text
//!                                                         └────▶ remarks
//! ```
//!
//! The choices, their order and their probabilities are those of Pell's own generator; each probability is a parameter.
//! A seed and a [`Config`] always give the same game, on every machine, until [`VERSION`] changes. The result is source
//! text: this crate does not know the compiler, and whatever reads the language can read its games.
//!
//! # Examples
//!
//! ```
//! use regulus_generate::{Config, generate, seed_of};
//!
//! let config = Config::from_toml("board_width = [6, 8]\nmovement_complexity = 0.4")?;
//! for index in 0..3 {
//!     let game = generate(seed_of(2024, index), &config);
//!     assert!(game.text.ends_with("END GAME.\n"));
//! }
//! # Ok::<(), regulus_generate::ConfigError>(())
//! ```

#![forbid(unsafe_code)]

mod config;
mod draw;
mod names;
mod print;
mod properties;
mod random;
mod remark;
mod rules;
mod value;

use random::Dice;

pub use config::{Config, ConfigError};
pub use properties::Properties;
pub use remark::Remark;
pub use rules::{
    Assigner, Board, BoardType, Capture, Comparison, Count, Description, Effect, Goal, Inversion,
    Movement, MovementKind, Piece, PieceId, Pieces, Promotion, Rules, Setup, Square, Symmetries,
    Who,
};

/// The version of the generator: it changes when a seed gives another game than before.
pub const VERSION: u32 = 1;

/// A game that was generated.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Generated {
    /// The name of the game: `metagame_` and the seed.
    pub name: String,
    /// The seed.
    pub seed: u64,
    /// The source text. Comments at its top have the seed, the version of the generator and the parameters that differ
    /// from the defaults, which together give the same game again.
    pub text: String,
    /// The same rules as data.
    pub rules: Rules,
    /// What is odd about the game. Most games have a few remarks and can be played nevertheless.
    pub remarks: Vec<Remark>,
}

/// Makes the game of a seed.
///
/// # Examples
///
/// ```
/// use regulus_generate::{Config, generate};
///
/// let game = generate(7, &Config::default());
/// assert_eq!(game.name, "metagame_7");
/// assert_eq!(game.text, generate(7, &Config::default()).text);
/// ```
#[must_use]
pub fn generate(seed: u64, config: &Config) -> Generated {
    let name = format!("metagame_{seed}");
    let rules = draw::rules(name.clone(), config, &mut Dice::new(seed));
    let remarks = remark::remarks(&rules);
    let text = format!("{}\n{rules}", heading(seed, config));
    Generated { name, seed, text, rules, remarks }
}

/// The seed of a game of a run: it depends on the seed of the run and on the place of the game, from 0, and not on how
/// many games are made.
///
/// The first game of a run has the seed of the run itself, so each game can be made again alone. The seeds of a run
/// are different from each other, but for the first, which another may equal by a chance of one in 2^64.
///
/// # Examples
///
/// ```
/// use regulus_generate::seed_of;
///
/// assert_eq!(seed_of(5, 0), 5);
/// assert_ne!(seed_of(5, 1), seed_of(6, 0));
/// ```
#[must_use]
pub fn seed_of(run_seed: u64, index: u64) -> u64 {
    // SplitMix64 from a state that depends on all bits of the run's seed, at any place of its sequence.
    const STEP: u64 = 0x9e37_79b9_7f4a_7c15;
    match index {
        0 => run_seed,
        _ => random::mix(random::mix(run_seed).wrapping_add(index.wrapping_mul(STEP))),
    }
}

/// What is needed to make the game again, as comments.
fn heading(seed: u64, config: &Config) -> String {
    let mut heading =
        format!("% Made by regulus-generate, version {VERSION} of the generator, from seed {seed}");
    let differences = config.differences();
    if differences.is_empty() {
        heading.push_str("\n% and the default parameters.\n");
    } else {
        heading.push_str("\n% and the default parameters but for these:\n");
        for (key, value) in differences {
            heading.push_str(&format!("%   {key} = {value}\n"));
        }
    }
    heading
}
