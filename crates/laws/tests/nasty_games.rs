//! Nasty games are mostly well-formed: a generator whose texts are all refused would try nothing behind the front-ends.

use regulus_lang::{Source, compile};
use regulus_laws::nasty;

/// How many texts are made in each language.
const TEXTS: usize = 40;

/// How many of them must at least be games; a little less than are.
const GAMES: [(&str, usize); 4] = [("rbg", 24), ("sbg", 19), ("abg", 22), ("game", 16)];

#[test]
fn many_nasty_texts_are_games() {
    let mut missing = Vec::new();
    for (index, (language, least)) in GAMES.into_iter().enumerate() {
        let seeds = (0..TEXTS).map(|number| (GAMES.len() * number + index) as u64);
        let games = seeds.filter(|&seed| {
            let (written_in, text) = nasty(seed);
            assert_eq!(written_in, language);
            compile(&Source::new(format!("nasty.{language}"), text)).automaton.is_some()
        });
        let games = games.count();
        eprintln!("{language}: {games} of {TEXTS} texts are games, at least {least} must be");
        missing.extend((games < least).then_some(language));
    }
    assert!(missing.is_empty(), "too few texts are games in {missing:?}");
}

#[test]
fn the_same_seed_makes_the_same_text() {
    assert!((0..30).all(|seed| nasty(seed) == nasty(seed)));
}
