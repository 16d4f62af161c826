//! The games that the binary carries.

use regulus_lang::nearest;

/// File name and text of every bundled game, by name.
const GAMES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/bundled.rs"));

/// The names of all bundled games: file names, without extension unless a game before it is called the same.
pub(crate) fn names() -> impl Iterator<Item = &'static str> {
    GAMES.iter().enumerate().map(|(index, (file, _))| {
        let taken = GAMES[..index].iter().any(|(other, _)| stem(other) == stem(file));
        if taken { *file } else { stem(file) }
    })
}

/// File name and text of a bundled game; of several in different languages the first, unless the extension is given.
pub(crate) fn find(name: &str) -> Option<(&'static str, &'static str)> {
    GAMES.iter().copied().find(|(file, _)| *file == name || stem(file) == name)
}

/// The first line of a game's opening comment: its name for people.
pub(crate) fn title(name: &str) -> &'static str {
    let text = find(name).map_or("", |(_, text)| text);
    let line = text.lines().next().unwrap_or_default();
    line.trim_start_matches(['/', '#']).trim()
}

/// The bundled game whose name is most like this one.
pub(crate) fn like(name: &str) -> Option<&'static str> {
    nearest(name, names())
}

fn stem(file: &'static str) -> &'static str {
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}
