//! `regulus format`: a text laid out evenly.

use regulus_lang::{Language, format, render};
use serde_json::json;

use crate::args;
use crate::failure::Failure;
use crate::load::Loader;
use crate::output::{say, say_raw};

pub(crate) fn run(loader: &Loader, args: &args::Format) -> Result<(), Failure> {
    let source = loader.read(&args.game)?;
    let language = Language::of(&source)
        .map_err(|finding| Failure::bad_input(render(&[*finding], &source, false)))?;
    let text = format(source.text(), language);
    let is_formatted = text == source.text();
    if args.check {
        if loader.json {
            say!("{}", json!({ "formatted": is_formatted }));
        }
        let name = source.name();
        return if is_formatted {
            Ok(())
        } else {
            let advice = format!("regulus format {name} --write");
            Err(Failure::bad_input(format!("{name} is not formatted; `{advice}` does it")))
        };
    }
    if args.write {
        let path = std::path::Path::new(&args.game);
        if !path.is_file() {
            let message = format!("{} is no file that could be written", args.game);
            return Err(Failure::bad_input(message));
        }
        if !is_formatted {
            std::fs::write(path, &text).map_err(|error| {
                Failure::bad_input(format!("{} cannot be written: {error}", args.game))
            })?;
        }
        return Ok(());
    }
    if loader.json {
        say!("{}", json!({ "text": text, "formatted": is_formatted }));
    } else {
        say_raw!("{text}");
    }
    Ok(())
}
