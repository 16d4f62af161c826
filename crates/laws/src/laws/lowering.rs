//! Low-level text is the same game, and its own low-level text.

use regulus_engine::{Limits, Rules as _, Walk, perft};
use regulus_lang::rbg::{check, lower_to_text};
use regulus_lang::{Severity, Source, compile, render};

use crate::effort::Effort;
use crate::lockstep::Lockstep;

/// The low-level text of a game compiles; lowering it gives the same bytes; it has the same moves, spelled with the same
/// modifiers, to the same states, and as many of them.
///
/// # Panics
///
/// When the law is broken.
pub fn lowering_keeps_the_game(text: &str, effort: &Effort) {
    let (Some(game), _) = check(&Source::new("high.rbg", text)) else { return };
    let low = Source::new("low.rbg", lower_to_text(&game));
    let (lowered, findings) = check(&low);
    let errors: Vec<_> =
        findings.into_iter().filter(|finding| finding.severity == Severity::Error).collect();
    let Some(lowered) = lowered.filter(|_| errors.is_empty()) else {
        panic!("low-level text is refused:\n{}\n{}", render(&errors, &low, false), low.text());
    };
    assert_eq!(lower_to_text(&lowered), low.text(), "lowering twice is not lowering once");
    assert_eq!(game.sizes().modifiers, lowered.sizes().modifiers, "the number of modifiers");
    let run = |text: &str, limits: Limits| {
        let automaton = compile(&Source::new("game.rbg", text)).automaton;
        Walk::with_limits(automaton.expect("the text was checked"), limits)
    };
    let (high, low) = (run(text, effort.limits), run(low.text(), effort.generous()));
    Lockstep::new(&high, &low, None).compare("low-level text", effort);
    compare_perft(&high, &low, effort);
}

fn compare_perft(high: &Walk, low: &Walk, effort: &Effort) {
    for depth in 0..=effort.depth {
        let count = |walk: &Walk| {
            let state = walk.initial(&mut walk.scratch())?;
            perft(walk, &state, depth, &mut |_, _| {})
        };
        let Ok(counted) = count(high) else { return };
        assert_eq!(count(low), Ok(counted), "perft to depth {depth}");
        if counted.states > effort.states as u64 {
            return;
        }
    }
}
