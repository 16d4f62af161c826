//! Reading what was printed gives what was printed.

use regulus_automaton::{Draft, passes};

use crate::load;

/// Whatever can be read as the text form of an automaton is printed in a way that reads as the same. The automata of
/// games, as lowered and as optimised, are printed in a way that reads as the same and is well-formed.
///
/// Returns the number of automata that came back.
///
/// # Panics
///
/// Panics if the law is broken.
pub fn automaton_text_comes_back(text: &str) -> u64 {
    let mut checked = match text.parse::<Draft>() {
        Ok(draft) => {
            comes_back(&draft);
            1
        }
        Err(errors) => {
            assert!(!errors.errors().is_empty(), "refused without an error");
            for error in errors.errors() {
                assert!(error.line() >= 1 && error.column() >= 1, "no place: {error:?}");
                assert!(!error.to_string().is_empty(), "no message: {error:?}");
            }
            0
        }
    };
    if let Some(automaton) = load(text) {
        comes_back(&automaton);
        let optimised = passes::optimise(automaton, &passes::Config::default());
        comes_back(&optimised);
        let again: Draft = optimised.to_string().parse().expect("it has just come back");
        assert!(again.verify().is_ok(), "what comes back is well-formed");
        checked += 2;
    }
    checked
}

fn comes_back(draft: &Draft) {
    let printed = draft.to_string();
    match printed.parse::<Draft>() {
        Ok(read) => {
            assert!(read == *draft, "reads as something else:\n{printed}\nwhich prints as\n{read}");
            assert_eq!(read.to_string(), printed, "printing is not the same twice");
        }
        Err(errors) => panic!("cannot be read:\n{errors}\nin\n{printed}"),
    }
}
