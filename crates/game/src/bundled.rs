//! The games that come with Regulus.

use regulus_lang::{Source, nearest};

/// File name and text of every bundled game, by name.
const GAMES: &[(&str, &str)] = include!(concat!(env!("OUT_DIR"), "/bundled.rs"));

/// The names of all bundled games: file names, without extension unless a game before it is called the same.
///
/// # Examples
///
/// ```
/// assert!(regulus_game::bundled::names().any(|name| name == "chess"));
/// ```
pub fn names() -> impl Iterator<Item = &'static str> {
    GAMES.iter().enumerate().map(|(index, (file, _))| {
        let taken = GAMES[..index].iter().any(|(other, _)| stem(other) == stem(file));
        if taken { *file } else { stem(file) }
    })
}

/// The text of a bundled game; `None` if there is no game of this name. Of several in different languages it is the first,
/// unless the extension is given.
///
/// # Examples
///
/// ```
/// use regulus_game::bundled;
///
/// assert_eq!(bundled::find("chess").expect("it is bundled").name(), "chess.rbg");
/// assert_eq!(bundled::find("chess.abg").expect("it is bundled").name(), "chess.abg");
/// assert!(bundled::find("ludo").is_none());
/// ```
#[must_use]
pub fn find(name: &str) -> Option<Source> {
    entry(name).map(|(file, text)| Source::new(file, text))
}

/// The first line of a game's opening comment: its name for people. Empty if there is no such game.
///
/// # Examples
///
/// ```
/// assert_eq!(regulus_game::bundled::title("gardner"), "Gardner chess (5x5)");
/// ```
#[must_use]
pub fn title(name: &str) -> &'static str {
    let line = entry(name).and_then(|(_, text)| text.lines().next()).unwrap_or_default();
    line.trim_start_matches(['/', '#', '%']).trim()
}

/// What a game is about: the first sentence behind its name in the opening comment. Empty if there is none.
///
/// # Examples
///
/// ```
/// let about = regulus_game::bundled::about("chess");
/// assert_eq!(about, "Two armies of sixteen men on an 8x8 board, white to move first.");
/// ```
#[must_use]
pub fn about(name: &str) -> String {
    let text = entry(name).map_or("", |(_, text)| text);
    let lines = text.lines().map_while(|line| {
        line.starts_with(['/', '#', '%'])
            .then(|| line.trim_start_matches(['/', '#', '%', '!']).trim())
    });
    let paragraph = lines.skip(1).skip_while(|line| line.is_empty());
    let words: Vec<&str> = paragraph.take_while(|line| !line.is_empty()).collect();
    let words = words.join(" ");
    match words.split_once(". ") {
        Some((sentence, _)) => format!("{sentence}."),
        None => words,
    }
}

/// The bundled game whose name is most like this one; `None` if none is like it.
///
/// # Examples
///
/// ```
/// assert_eq!(regulus_game::bundled::like("ches"), Some("chess"));
/// assert_eq!(regulus_game::bundled::like("ludo"), None);
/// ```
#[must_use]
pub fn like(name: &str) -> Option<&'static str> {
    nearest(name, names())
}

fn entry(name: &str) -> Option<(&'static str, &'static str)> {
    GAMES.iter().copied().find(|(file, _)| *file == name || stem(file) == name)
}

fn stem(file: &'static str) -> &'static str {
    file.rsplit_once('.').map_or(file, |(stem, _)| stem)
}
