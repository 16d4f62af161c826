//! `regulus translate`: a game in another language.

use regulus_game::Checked;
use regulus_lang::{Source, rbg, sbg};
use serde_json::json;

use crate::args::{self, Language};
use crate::failure::Failure;
use crate::load::Loader;
use crate::output::{say, say_raw};

pub(crate) fn run(loader: &Loader, args: &args::Translate) -> Result<(), Failure> {
    let source = loader.read(&args.game)?;
    let (language, text) = match (loader.checked(&source)?, args.to) {
        (game, Language::Rbg) => ("rbg", to_rbg(loader, game, source)?),
        (Checked::Sbg(game), Language::Sbg) => ("sbg", sbg::to_sbg(&game)),
        (Checked::Rbg(_) | Checked::Abg(_) | Checked::Metagame(_), Language::Sbg) => {
            let name = source.name();
            return Err(Failure::bad_input(format!(
                "{name} cannot be translated to SBG; only games of SBG can, all others to RBG"
            )));
        }
    };
    if loader.json {
        say!("{}", json!({ "language": language, "text": text }));
    } else {
        say_raw!("{text}");
    }
    Ok(())
}

/// A game in RBG.
pub(crate) fn to_rbg(loader: &Loader, game: Checked, source: Source) -> Result<String, Failure> {
    match game {
        Checked::Rbg(game) => Ok(rbg::lower_to_text(&game)),
        Checked::Sbg(game) => Ok(sbg::to_rbg(&game)),
        Checked::Abg(_) | Checked::Metagame(_) => raise(loader, source),
    }
}

/// A game of another language in RBG, from its automaton; comments say what RBG does not know.
fn raise(loader: &Loader, source: Source) -> Result<String, Failure> {
    let name = source.name().to_owned();
    let lowered = loader.lowered(source)?;
    let automaton = lowered.automaton();
    let game = rbg::raise(automaton).map_err(|reason| {
        Failure::bad_input(format!("{name} cannot be translated to RBG: {reason}"))
    })?;
    let mut text = format!("// Translated from {name}: the same moves, the same game tree.\n");
    if automaton.repetition.is_some() {
        text += "// The comment `history` ends the game when a position comes again. Regulus reads it; RBG has no such rule,\n\
                 // so programs that do not read it play on.\n";
    }
    if !automaton.shuffle.is_empty() {
        text += "// Left out: chance arranges the pieces before a play. Here they stand as the game lists them.\n";
    }
    Ok(text + "\n" + &rbg::lower_to_text(&game))
}
