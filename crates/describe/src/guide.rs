//! "How to play": all that a newcomer must know of a game, in an order that can be read aloud.
//!
//! A [`Guide`] holds sentences; `render` turns it into text, Markdown and HTML. `sbg` and `metagame` make guides from the
//! rules of a game; who knows a game only by playing it can fill one in by hand.

use regulus_game::{Checked, Config, Error};
use regulus_lang::Source;
use regulus_lang::sbg::Letter;

use crate::Description;
use crate::diagram::Diagram;
use crate::opening;

/// The longest description of a piece, in characters.
pub const MAX_CHARACTERS: usize = 1_200;

/// The most squares of a board that is shown.
pub const MAX_SHOWN: usize = 1_600;

/// How a game is played.
#[derive(Clone, Debug, Default)]
pub struct Guide {
    /// The name of the game.
    pub title: String,
    /// Who plays on what.
    pub setting: Vec<String>,
    /// The initial position: rows from the top; `None` where a square is empty.
    pub position: Vec<Vec<Option<Cell>>>,
    /// The initial position in lines of text, where it is not that of a plain rectangle or has names of rows and columns.
    pub drawing: Vec<String>,
    /// The initial position as a picture, an SVG document; `None` if it is to be made of the symbols of the pieces.
    pub picture: Option<String>,
    /// The pieces in the order of the text.
    pub pieces: Vec<PieceGuide>,
    /// What else is to be known, such as how the game is won.
    pub sections: Vec<GuideSection>,
    /// How hard the game is to learn.
    pub verdict: Verdict,
}

impl Guide {
    /// The guide to a game in any of the languages: from its rules in SBG and METAGAME, from playing its first moves in others.
    ///
    /// # Errors
    ///
    /// If the text has errors.
    ///
    /// # Examples
    ///
    /// ```
    /// use regulus_describe::Guide;
    /// use regulus_game::{Config, Game};
    ///
    /// let guide = Guide::new(&Game::read("gardner")?, &Config::default())?;
    /// assert!(guide.pieces.iter().any(|piece| piece.text() == "Rides diagonally."));
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    pub fn new(source: &Source, config: &Config) -> Result<Guide, Error> {
        Ok(match Checked::new(source)? {
            Checked::Sbg(game) => Guide::of_sbg(&game),
            Checked::Metagame(game) => Guide::of_metagame(&game),
            Checked::Rbg(_) | Checked::Abg(_) => opening::guide(source.clone(), config)?,
        })
    }

    /// Leaves out a position that is too large to be looked at, and says so.
    pub(crate) fn with_bounded_picture(mut self) -> Guide {
        if self.position.iter().map(Vec::len).sum::<usize>() > MAX_SHOWN {
            self.position.clear();
            self.setting.push("The board is too large to be shown here.".to_owned());
        }
        self
    }
}

/// A piece on the board.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Cell {
    /// One to three characters.
    pub symbol: String,
    /// The number of the player it belongs to, if any.
    pub owner: Option<usize>,
}

/// Sentences under a heading.
#[derive(Clone, Debug)]
pub struct GuideSection {
    /// The heading: one word.
    pub heading: &'static str,
    /// The sentences.
    pub sentences: Vec<String>,
}

impl GuideSection {
    /// A section.
    #[must_use]
    pub fn new(heading: &'static str, sentences: Vec<String>) -> GuideSection {
        GuideSection { heading, sentences }
    }
}

/// How hard a game is to learn.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Verdict {
    /// Its score.
    Score(f64),
    /// A piece has too many moves to be described.
    BeyondMeasure,
    /// Games of this kind have no score.
    #[default]
    NoScore,
}

/// How a piece moves.
#[derive(Clone, Debug, Default)]
pub struct PieceGuide {
    /// Its symbol on the board, as that of the first player.
    pub symbol: String,
    /// Its name, if the game's text has one.
    pub name: Option<String>,
    /// How many each player begins with.
    pub counts: Vec<PieceCount>,
    /// How it moves, or why that is not said.
    pub sentences: Vec<String>,
    /// How hard it is to learn; `None` if it has no score.
    pub score: Option<u64>,
    /// Where the score comes from.
    pub parts: Vec<ScorePart>,
    /// How many different ways to move it has, if they were counted.
    pub words: Option<usize>,
    /// A picture of its moves; `None` if there are none or too many.
    pub diagram: Option<Diagram>,
}

/// How many pieces a player has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PieceCount {
    /// The player's name; `None` if they belong to no player.
    pub player: Option<String>,
    /// How many.
    pub count: usize,
}

/// A part of a description and of its score.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScorePart {
    /// What is described.
    pub clause: String,
    /// What that costs.
    pub score: u64,
}

impl PieceGuide {
    /// Its name for a heading: `Rook (R)`, or `R`.
    #[must_use]
    pub fn heading(&self) -> String {
        match &self.name {
            Some(name) => {
                let mut letters = name.chars();
                let first = letters.next().map(|c| c.to_uppercase().collect::<String>());
                format!("{}{} ({})", first.unwrap_or_default(), letters.as_str(), self.symbol)
            }
            None => self.symbol.clone(),
        }
    }

    /// How many there are: `2 each`, `8 for white`.
    #[must_use]
    pub fn number(&self) -> String {
        let first = self.counts.first().map_or(0, |count| count.count);
        if self.counts.iter().all(|count| count.count == 0) {
            return "none at the start".to_owned();
        }
        if self.counts.len() > 1 && self.counts.iter().all(|count| count.count == first) {
            return format!("{first} each");
        }
        let some = self.counts.iter().filter(|count| count.count > 0);
        let some = some.map(|PieceCount { player, count }| match player {
            Some(player) => format!("{count} for {player}"),
            None => format!("{count} on the board"),
        });
        some.collect::<Vec<_>>().join(", ")
    }

    /// All that is said about it.
    #[must_use]
    pub fn text(&self) -> String {
        self.sentences.join(" ")
    }

    /// Takes in what the words of a piece are described by.
    pub(crate) fn describe(&mut self, description: &Description, words: &[Vec<Letter>]) {
        self.sentences.push(if description.sentence.chars().count() > MAX_CHARACTERS {
            too_long(words)
        } else {
            description.sentence.clone()
        });
        self.score = Some(description.score);
        self.words = Some(description.words);
        self.parts.extend(
            description.components.iter().map(|c| ScorePart { clause: c.clause(), score: c.score }),
        );
    }

    /// Whether a name, a symbol or a part of a heading means this piece.
    #[must_use]
    pub fn is_called(&self, name: &str) -> bool {
        let plain = |text: &str| text.replace('_', " ").to_lowercase();
        plain(&self.symbol) == plain(name)
            || self.name.as_ref().is_some_and(|own| plain(own) == plain(name))
    }
}

/// What is said of words whose description would be too long.
pub(crate) fn too_long(words: &[Vec<Letter>]) -> String {
    let place = |word: &Vec<Letter>| {
        word.iter().fold((0_i32, 0_i32), |(x, y), letter| (x + letter.x, y + letter.y))
    };
    let far = words.iter().map(place).fold((0, 0), |(x, y), (to_x, to_y)| {
        (to_x.unsigned_abs().max(x), to_y.unsigned_abs().max(y))
    });
    format!(
        "Moves in {} ways, up to {} and {} away; to describe them takes more than {MAX_CHARACTERS} characters.",
        words.len(),
        counted(far.0 as usize, "column"),
        counted(far.1 as usize, "row"),
    )
}

/// A number of things.
#[must_use]
pub fn counted(number: usize, noun: &str) -> String {
    if number == 1 { format!("1 {noun}") } else { format!("{number} {}", plural(noun)) }
}

/// Several of a thing.
#[must_use]
pub fn plural(name: &str) -> String {
    let (before, last) = name.rsplit_once(' ').map_or(("", name), |(before, last)| (before, last));
    let last = match last {
        "sheep" => last.to_owned(),
        "man" => "men".to_owned(),
        "wolf" => "wolves".to_owned(),
        _ if last.ends_with(['s', 'x']) || last.ends_with("ch") || last.ends_with("sh") => {
            format!("{last}es")
        }
        _ => match last.strip_suffix('y') {
            Some(stem) if !stem.ends_with(['a', 'e', 'i', 'o', 'u']) => format!("{stem}ies"),
            _ => format!("{last}s"),
        },
    };
    if before.is_empty() { last } else { format!("{before} {last}") }
}

/// A thing with its article.
#[must_use]
pub fn with_article(name: &str) -> String {
    let vowel = name.starts_with(['a', 'e', 'i', 'o', 'u']);
    format!("{} {name}", if vowel { "an" } else { "a" })
}

/// Things in a row: `a, b or c`.
#[must_use]
pub fn listed(names: &[String], last: &str) -> String {
    match names {
        [] => "nowhere".to_owned(),
        [only] => only.clone(),
        [others @ .., end] => format!("{} {last} {end}", others.join(", ")),
    }
}

/// A square as in chess; column and row count from 0.
pub(crate) fn square_name(x: u32, y: u32) -> String {
    let mut column = String::new();
    let mut rest = i64::from(x);
    while rest >= 0 {
        column.insert(0, char::from(b'a' + (rest % 26) as u8));
        rest = rest / 26 - 1;
    }
    format!("{column}{}", y + 1)
}
