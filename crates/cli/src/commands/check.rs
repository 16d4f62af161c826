//! `regulus check`: what is wrong with a description.

use regulus_game::Lowered;
use regulus_lang::{Severity, render};
use serde_json::json;

use crate::failure::{Failure, diagnostic_json};
use crate::load::Loader;
use crate::output::{complain, say};

pub(crate) fn run(loader: &Loader, game: &str) -> Result<(), Failure> {
    let lowered = Lowered::new(loader.read(game)?)?;
    let (diagnostics, source) = (lowered.warnings(), lowered.source());
    if loader.json {
        let diagnostics: Vec<_> = diagnostics.iter().map(|d| diagnostic_json(d, source)).collect();
        say!("{}", json!({ "ok": true, "diagnostics": diagnostics }));
        return Ok(());
    }
    complain!("{}", render(diagnostics, source, loader.colour_errors));
    let warnings = diagnostics.iter().filter(|d| d.severity == Severity::Warning).count();
    let but = match warnings {
        0 => String::new(),
        1 => ", with 1 warning".to_owned(),
        more => format!(", with {more} warnings"),
    };
    say!("{} is well-formed{but}", source.name());
    Ok(())
}
