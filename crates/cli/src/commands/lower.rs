//! `regulus lower`: a game without macros and generators.

use regulus_lang::rbg;
use serde_json::json;

use crate::failure::Failure;
use crate::load::Loader;

pub(crate) fn run(loader: &Loader, game: &str) -> Result<(), Failure> {
    let source = loader.read(game)?;
    let checked = loader.checked_rbg(&source)?;
    let text = rbg::lower_to_text(&checked);
    if loader.json {
        println!("{}", json!({ "language": "rbg", "text": text }));
    } else {
        print!("{text}");
    }
    Ok(())
}
