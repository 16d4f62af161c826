//! Every law holds on the texts that once broke one. Each says in its first line how.

mod common;

use std::fs;
use std::path::Path;

use common::{LawCounts, least};
use regulus_laws::{
    Effort, any_automaton_can_be_drawn, any_text_compiles_or_is_refused, automaton_text_comes_back,
    engines_are_consistent, jit_is_plan, limits_hold_alike, lowering_keeps_the_game,
    macros_mean_their_text, passes_keep_the_game, plan_is_walk, repetition_ends_games,
    sbg_is_definition, sbg_translation_keeps_the_game, steps_are_moves, walk_is_the_definition,
};

/// Limits that some of them need: the least that there are, few moves of the keeper, few steps, one move.
const TIGHT: [u64; 5] = [0, 6, 20, 49, 2160];

#[test]
fn do_not_come_back() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/past_failures");
    let effort = Effort::default();
    let mut sum = LawCounts::default();
    for entry in fs::read_dir(folder).expect("the folder of texts") {
        let path = entry.expect("a text").path();
        // Shown when the test fails: the last one named is to blame.
        eprintln!("{}", path.display());
        let text = fs::read_to_string(&path).expect("a text");
        let mut compared = any_text_compiles_or_is_refused(&text);
        compared += automaton_text_comes_back(&text);
        compared += any_automaton_can_be_drawn(&text);
        compared += macros_mean_their_text(&text);
        compared += lowering_keeps_the_game(&text, &effort);
        compared += passes_keep_the_game(&text, &effort);
        compared += engines_are_consistent(&text, 0, &effort);
        compared += walk_is_the_definition(&text, &effort);
        compared += sbg_is_definition(&text, 0, &effort);
        compared += sbg_translation_keeps_the_game(&text, 0, &effort);
        compared += plan_is_walk(&text, &effort);
        compared += steps_are_moves(&text, 0, &effort);
        compared += repetition_ends_games(&text, 0, &effort).comparisons;
        for effort in [effort, Effort::ample()] {
            compared += jit_is_plan(&text, &effort).comparisons;
        }
        for number in TIGHT {
            compared += limits_hold_alike(&text, number, &Effort::tight(number));
        }
        sum.add(compared);
    }
    sum.must_be("past failures", least(24, 84_000));
}
