//! From the name of a game to its text.

use std::io::Read;
use std::path::Path;

use regulus_lang::{MAX_SOURCE, Source};

use crate::bundled;
use crate::error::Error;

/// The text of a file, or of a bundled game of this name. A file comes first.
pub(crate) fn by_name(name: &str) -> Result<Source, Error> {
    if !Path::new(name).is_dir()
        && let Ok(file) = std::fs::File::open(name)
    {
        return from_reader(name, name, file);
    }
    bundled::find(name).ok_or_else(|| Error::bad_input(not_found(name)))
}

/// The text of a reader. It is called `name` in diagnostics, where the extension tells the language, and `title` in errors.
pub(crate) fn from_reader(name: &str, title: &str, reader: impl Read) -> Result<Source, Error> {
    let mut bytes = Vec::new();
    // One byte more than is allowed, so that the front-end sees and says that there is more.
    let read = reader.take(MAX_SOURCE as u64 + 1).read_to_end(&mut bytes);
    read.map_err(|error| Error::bad_input(format!("cannot read {title}: {error}")))?;
    let text = String::from_utf8(bytes).map_err(|error| {
        let at = error.utf8_error().valid_up_to();
        Error::bad_input(format!("{title} is not text: byte {at} does not belong to UTF-8"))
    })?;
    Ok(Source::new(name, text))
}

fn not_found(name: &str) -> String {
    let problem = match std::fs::metadata(name) {
        Ok(found) if found.is_dir() => format!("`{name}` is a folder, not a game"),
        Ok(_) => format!("the file `{name}` cannot be read"),
        Err(_) => format!("there is no file and no bundled game `{name}`"),
    };
    let advice = match bundled::like(name) {
        Some(like) => format!("did you mean `{like}`?"),
        None => "`regulus games` lists the bundled games".to_owned(),
    };
    format!("{problem}; {advice}")
}
