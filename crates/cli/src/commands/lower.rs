//! `regulus lower`: a game without macros and generators.

use regulus_game::Checked;
use regulus_lang::rbg;
use serde_json::json;

use crate::failure::Failure;
use crate::load::Loader;
use crate::output::{say, say_raw};

pub(crate) fn run(loader: &Loader, game: &str) -> Result<(), Failure> {
    let source = loader.read(game)?;
    let Checked::Rbg(checked) = loader.checked(&source)? else {
        let name = source.name();
        return Err(Failure::bad_input(format!(
            "{name} is not an RBG game; `regulus translate` writes it as one"
        )));
    };
    let text = rbg::lower_to_text(&checked);
    if loader.json {
        say!("{}", json!({ "language": "rbg", "text": text }));
    } else {
        say_raw!("{text}");
    }
    Ok(())
}
