//! Random games in METAGAME, as the generator makes them.

use regulus_generate::{Config, Properties, generate};

use crate::choices::Choices;

/// The text of a game in METAGAME made from these bytes, of any size and complexity that the generator knows.
///
/// # Panics
///
/// Never: the properties lie within their bounds.
#[must_use]
pub fn metagame_game(bytes: &[u8]) -> String {
    let choices = &mut Choices::new(bytes);
    let mut config = Config::default();
    let mut part = || {
        let is_set = choices.below(2) == 0;
        is_set.then(|| choices.below(3) as f64 / 2.0)
    };
    let properties = Properties {
        rule_complexity: part(),
        decision_complexity: part(),
        search_complexity: part(),
        locality: part(),
        board_size: part().map(|size| size / 2.0),
    };
    config.apply(&properties).expect("properties are from 0 to 1");
    let mut seed = 0_u64;
    for _ in 0..8 {
        seed = seed << 8 | choices.below(256) as u64;
    }
    generate(seed, &config).text
}
