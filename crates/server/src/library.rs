//! The games that can be played: bundled ones, and texts that clients bring. Loaded games are shared and kept for a while.

use std::collections::{BTreeMap, HashMap};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use axum::body::Bytes;
use regulus_engine::Limits;
use regulus_game::{CompileThread, Config, EngineKind, Game, Lowered, Match, Theme, bundled};
use regulus_lang::{Language, Source};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

use crate::assets::packed;
use crate::extract::present;
use crate::limits;
use crate::refusal::Refusal;

/// A game as clients name it.
#[derive(Clone, Debug, Deserialize, Serialize)]
#[serde(untagged, try_from = "ReferenceFields")]
pub(crate) enum GameReference {
    /// A bundled game.
    Bundled { name: String },
    /// A text, in a language that it tells or that is given.
    Text {
        text: String,
        #[serde(skip_serializing_if = "Option::is_none")]
        language: Option<String>,
    },
}

/// A game as it is written in JSON.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct ReferenceFields {
    #[serde(default, deserialize_with = "present")]
    name: Option<String>,
    #[serde(default, deserialize_with = "present")]
    text: Option<String>,
    #[serde(default, deserialize_with = "present")]
    language: Option<String>,
}

impl TryFrom<ReferenceFields> for GameReference {
    type Error = &'static str;

    fn try_from(fields: ReferenceFields) -> Result<GameReference, &'static str> {
        match fields {
            ReferenceFields { name: Some(name), text: None, language: None } => {
                Ok(GameReference::Bundled { name })
            }
            ReferenceFields { name: None, text: Some(text), language } => {
                Ok(GameReference::Text { text, language })
            }
            _ => Err("a game has either a `name`, or a `text` and perhaps a `language`"),
        }
    }
}

impl GameReference {
    /// Whether its author is not known.
    pub(crate) fn is_untrusted(&self) -> bool {
        matches!(self, GameReference::Text { .. })
    }

    /// The name of a bundled game; `None` for a text.
    pub(crate) fn name(&self) -> Option<&str> {
        match self {
            GameReference::Bundled { name } => Some(name),
            GameReference::Text { .. } => None,
        }
    }

    /// Its text.
    pub(crate) fn source(&self) -> Result<Source, Refusal> {
        match self {
            GameReference::Bundled { name } => bundled::find(name).ok_or_else(|| missing(name)),
            GameReference::Text { text, language } => source_of(text, language.as_deref()),
        }
    }
}

/// A text in a language that it tells, or that is given.
pub(crate) fn source_of(text: &str, language: Option<&str>) -> Result<Source, Refusal> {
    let source = Source::new("game", text);
    match language {
        None => Ok(source),
        Some(word) => match language_of(word) {
            Some(language) => Ok(source.in_language(language)),
            None => {
                let message =
                    format!("there is no language `{word}`; there are rbg, sbg, abg and metagame");
                Err(Refusal::bad(message))
            }
        },
    }
}

fn language_of(word: &str) -> Option<Language> {
    match word.to_ascii_lowercase().as_str() {
        "rbg" => Some(Language::Rbg),
        "sbg" => Some(Language::Sbg),
        "abg" => Some(Language::Abg),
        "metagame" => Some(Language::Metagame),
        _ => None,
    }
}

fn missing(name: &str) -> Refusal {
    let like =
        bundled::like(name).map_or(String::new(), |like| format!("; did you mean `{like}`?"));
    Refusal::missing(format!("there is no game `{name}`{like}"))
}

/// The games that are loaded.
#[derive(Debug)]
pub(crate) struct GameShelf {
    thread: CompileThread,
    loaded: Mutex<HashMap<ShelfKey, Arc<Game>>>,
}

/// What decides what a game is: its text, and the language that its name and its author say.
type ShelfKey = (String, Option<String>, Option<&'static str>);

fn key_of(source: &Source) -> ShelfKey {
    let extension = source.extension().map(str::to_owned);
    (source.text().to_owned(), extension, source.language().map(Language::name))
}

impl GameShelf {
    pub(crate) fn new() -> GameShelf {
        GameShelf { thread: CompileThread::default(), loaded: Mutex::default() }
    }

    /// Loads a game, unless it is there already.
    pub(crate) fn load(&self, source: Source) -> Result<Arc<Game>, Refusal> {
        let key = key_of(&source);
        let loaded = || self.loaded.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(game) = loaded().get(&key) {
            return Ok(Arc::clone(game));
        }
        let lowered = Lowered::new(source)?;
        // What is too large is refused before any more work is done on it.
        let squares = lowered.automaton().board.squares.len();
        if squares > limits::SQUARES {
            return Err(Refusal::bad(format!(
                "the board has {squares} squares; at most {} can be shown here",
                limits::SQUARES
            )));
        }
        let players = lowered.automaton().players.len();
        if players > limits::SEATS {
            return Err(Refusal::bad(format!(
                "the game has {players} players; at most {} can play here",
                limits::SEATS
            )));
        }
        let config = self.config();
        let game = lowered.optimised(&config)?.ready(&config);
        let mut loaded = loaded();
        if loaded.len() >= limits::LOADED_GAMES {
            // Those that no match uses go; if all are used, the shelf grows with the matches, which are bounded.
            loaded.retain(|_, game| Arc::strong_count(game) > 1);
        }
        loaded.insert(key, Arc::clone(&game));
        Ok(game)
    }

    /// How games are loaded for matches.
    pub(crate) fn config(&self) -> Config {
        Config {
            engine: EngineKind::Auto,
            limits: Limits::for_players(),
            thread: self.thread.clone(),
            ..Config::default()
        }
    }
}

/// How games are loaded of which only the first position is shown.
pub(crate) fn quick_config() -> Config {
    Config {
        engine: EngineKind::Walk,
        limits: Limits::for_players(),
        without_passes: vec!["all".to_owned()],
        ..Config::default()
    }
}

/// The name of the language of a game.
pub(crate) fn language_name(source: &Source) -> &'static str {
    Language::of(source).map_or("", Language::name)
}

/// The bundled games, for the library.
pub(crate) fn cards() -> &'static [Value] {
    static CARDS: OnceLock<Vec<Value>> = OnceLock::new();
    CARDS.get_or_init(|| bundled::names().filter_map(|name| card(name).ok()).collect())
}

/// What the library shows of a bundled game.
pub(crate) fn card(name: &str) -> Result<Value, Refusal> {
    let source = bundled::find(name).ok_or_else(|| missing(name))?;
    let language = language_name(&source);
    let lowered = Lowered::new(source)?;
    let automaton = lowered.automaton();
    let players: Vec<&str> =
        automaton.looks.players.values().map(|look| look.name.as_str()).collect();
    Ok(json!({
        "name": name,
        "title": title(name),
        "about": about(name),
        "language": language,
        "players": players,
        "squares": automaton.board.squares.len(),
        "shape": automaton.board.shape.word(),
    }))
}

/// The title of a bundled game, without what explains it unless another game has the same: `Reversi` of "Reversi (Othello)", but
/// "Breakthrough (5x5)".
pub(crate) fn title(name: &str) -> String {
    let whole = bundled::title(name);
    let short = short_title(whole);
    let is_shared =
        |other: &str| short_title(bundled::title(other)) == short && bundled::title(other) != whole;
    let title = if bundled::names().any(is_shared) { whole.trim_end_matches('.') } else { short };
    title.to_owned()
}

/// A title without what explains it.
fn short_title(title: &str) -> &str {
    title.split([':', ',', '(']).next().unwrap_or(title).trim().trim_end_matches('.')
}

/// The title of a text that is not bundled: what its first comment begins with.
pub(crate) fn title_of_text(source: &Source) -> String {
    /// The longest title, in characters.
    const LONGEST: usize = 60;
    let first = source.text().lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
    let words = first.trim().trim_start_matches(['/', '#', '%', '<', '*']).trim();
    let words = words.trim_end_matches(['>', '*', '/']);
    let is_comment =
        first.trim_start().starts_with(['/', '%', '<']) || first.trim_start().starts_with("# ");
    // What the generator makes has no title but its name.
    if words.starts_with("Made by regulus-generate")
        && let Some(name) = source.text().lines().find_map(|line| line.strip_prefix("GAME "))
    {
        let name = name.trim().replace('_', " ");
        let capital: String = name.chars().take(1).flat_map(char::to_uppercase).collect();
        return capital.chars().chain(name.chars().skip(1)).take(LONGEST).collect();
    }
    let title: String = short_title(words).chars().take(LONGEST).collect();
    if is_comment && !title.is_empty() { title } else { "Your game".to_owned() }
}

/// One line about a game: the rest of its title if it has one, or the first sentence of its text.
fn about(name: &str) -> String {
    match bundled::title(name).split_once(": ") {
        Some((_, rest)) if rest.ends_with('.') => {
            let mut letters = rest.chars();
            letters
                .next()
                .map_or(String::new(), |first| first.to_uppercase().chain(letters).collect())
        }
        _ => bundled::about(name),
    }
}

/// The first position of a bundled game as a picture, compressed; it is drawn once.
pub(crate) fn packed_picture(name: &str, theme: Theme) -> Result<Bytes, Refusal> {
    static PICTURES: Mutex<BTreeMap<(String, bool), Bytes>> = Mutex::new(BTreeMap::new());
    let pictures = || PICTURES.lock().unwrap_or_else(PoisonError::into_inner);
    let key = (name.to_owned(), theme == Theme::Dark);
    if let Some(known) = pictures().get(&key) {
        return Ok(known.clone());
    }
    // There are as many as games that are bundled, for others are refused here.
    let drawn = packed(picture(name, theme)?.as_bytes());
    Ok(pictures().entry(key).or_insert(drawn).clone())
}

/// The first position of a bundled game as a picture.
pub(crate) fn picture(name: &str, theme: Theme) -> Result<String, Refusal> {
    let source = bundled::find(name).ok_or_else(|| missing(name))?;
    let game = Game::new(source, &quick_config())?;
    Ok(Match::new(&game)?.svg(theme))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_bundled_game_has_a_card() {
        assert_eq!(cards().len(), bundled::names().count());
        for card in cards() {
            assert!(card["title"].as_str().is_some_and(|title| !title.is_empty()), "{card}");
            assert!(card["about"].as_str().is_some_and(|about| !about.is_empty()), "{card}");
        }
    }

    #[test]
    fn titles_are_short_and_tell_games_apart() {
        assert_eq!(title("reversi"), "Reversi");
        assert_eq!(title("breakthrough_5x5"), "Breakthrough (5x5)");
        assert_eq!(title("echo_point"), "Echo point");
        let of_text = |text: &str| title_of_text(&Source::new("game", text));
        assert_eq!(of_text("// Last line, a game\n#players = a(1)"), "Last line");
        assert_eq!(of_text("<<Small chess>>\n<BOARD>"), "Small chess");
        assert_eq!(of_text("#players = a(1)"), "Your game");
    }

    #[test]
    fn a_text_is_loaded_once() {
        let shelf = GameShelf::new();
        let load = || shelf.load(bundled::find("tic_tac_toe").expect("bundled")).expect("loads");
        assert!(Arc::ptr_eq(&load(), &load()));
    }
}
