//! `regulus translate`: a game in another language.

use regulus_game::Checked;
use regulus_lang::{rbg, sbg};
use serde_json::json;

use crate::args::{self, Language};
use crate::failure::Failure;
use crate::load::Loader;
use crate::output::{say, say_raw};

pub(crate) fn run(loader: &Loader, args: &args::Translate) -> Result<(), Failure> {
    let source = loader.read(&args.game)?;
    let (language, text) = match (loader.checked(&source)?, args.to) {
        (Checked::Sbg(game), Language::Rbg) => ("rbg", sbg::to_rbg(&game)),
        (Checked::Sbg(game), Language::Sbg) => ("sbg", sbg::to_sbg(&game)),
        (Checked::Rbg(game), Language::Rbg) => ("rbg", rbg::lower_to_text(&game)),
        (Checked::Rbg(_), Language::Sbg) | (Checked::Abg(_) | Checked::Metagame(_), _) => {
            let name = source.name();
            return Err(Failure::bad_input(format!(
                "{name} cannot be translated; games of SBG can, to RBG"
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
