//! Nasty games in all languages: texts that are mostly well-formed and ask for as much as they can.
//!
//! Other generators here make small games, to be compared in every detail. These make what costs time and memory: great powers, stars
//! and checks in each other, many writes in a move, many pieces, long sums, long work for the keeper, large boards. Sizes are drawn by
//! their order of magnitude, so some are small, and some are near the limits of the languages or beyond. Nothing can be said about
//! these games but that every command comes to an end with them, which `cargo xtask hostile --seed` tries.

mod abg;
mod metagame;
mod rbg;
mod sbg;

use crate::choices::Choices;

pub use abg::nasty_abg_game;
pub use metagame::nasty_metagame_game;
pub use rbg::nasty_game;
pub use sbg::nasty_sbg_game;

/// A nasty game made from this seed, and the extension of its language. Each language comes every fourth time.
#[must_use]
pub fn nasty(seed: u64) -> (&'static str, String) {
    let bytes = crate::bytes(seed);
    match seed % 4 {
        0 => ("rbg", nasty_game(&bytes)),
        1 => ("sbg", nasty_sbg_game(&bytes)),
        2 => ("abg", nasty_abg_game(&bytes)),
        _ => ("game", nasty_metagame_game(&bytes)),
    }
}

/// A number from 1 to `most`; all orders of magnitude are equally likely.
fn amount(choices: &mut Choices<'_>, most: usize) -> usize {
    let most = most.max(1);
    let least = 1 << choices.below(most.ilog2() as usize + 1);
    (least + choices.place(least - 1)).min(most)
}

/// A part of an expression, and how long it is when powers and macros are written out.
#[derive(Clone, Debug)]
struct NastyPart {
    text: String,
    size: usize,
}

impl NastyPart {
    /// A part that is not made of others.
    fn new(text: impl Into<String>) -> NastyPart {
        NastyPart { text: text.into(), size: 1 }
    }

    /// Parts with something between them.
    fn join(parts: &[NastyPart], between: &str) -> NastyPart {
        let texts: Vec<&str> = parts.iter().map(|part| part.text.as_str()).collect();
        NastyPart { text: texts.join(between), size: parts.iter().map(|part| part.size).sum() }
    }

    /// The part between something.
    fn within(self, before: &str, after: &str) -> NastyPart {
        NastyPart { text: format!("{before}{}{after}", self.text), ..self }
    }

    /// The part repeated `times` times, written as this text.
    fn repeated(self, times: usize, text: String) -> NastyPart {
        NastyPart { text, size: self.size.saturating_mul(times) }
    }
}
