//! `regulus games`: what the binary carries.

use regulus_game::bundled;
use serde_json::json;

use crate::failure::Failure;
use crate::load::Loader;
use crate::output::say;

pub(crate) fn run(loader: &Loader) -> Result<(), Failure> {
    if loader.json {
        let games: Vec<_> = bundled::names()
            .map(|name| json!({ "name": name, "title": bundled::title(name) }))
            .collect();
        say!("{}", json!({ "games": games }));
    } else {
        for name in bundled::names() {
            say!("{name:28} {}", bundled::title(name));
        }
    }
    Ok(())
}
