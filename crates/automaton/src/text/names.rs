//! How the entities of a draft are spelled: by name where the name means them, else by number.

use std::collections::HashMap;
use std::fmt;

use super::lex::is_word_character;
use crate::draft::Draft;
use crate::ids::{Direction, Id, Piece, Player, Register, Square, Variable};

/// The words that begin a section; a name that is one of them is quoted.
pub(super) const SECTIONS: [&str; 13] = [
    "players",
    "variables",
    "pieces",
    "registers",
    "directions",
    "board",
    "shuffle",
    "tables",
    "patterns",
    "rules",
    "looks",
    "endings",
    "repetition",
];

/// The names of all entities that have names.
pub(crate) struct Vocabulary<'a> {
    pub(crate) players: EntityNames<'a, Player>,
    pub(crate) variables: EntityNames<'a, Variable>,
    pub(crate) pieces: EntityNames<'a, Piece>,
    pub(crate) registers: EntityNames<'a, Register>,
    pub(crate) directions: EntityNames<'a, Direction>,
    pub(crate) squares: EntityNames<'a, Square>,
}

impl<'a> Vocabulary<'a> {
    pub(crate) fn of(draft: &'a Draft) -> Vocabulary<'a> {
        Vocabulary {
            players: draft.players.values().map(String::as_str).collect(),
            variables: draft.variables.values().map(|variable| variable.name.as_str()).collect(),
            pieces: draft.pieces.values().map(String::as_str).collect(),
            registers: draft.registers.values().map(String::as_str).collect(),
            directions: draft.board.directions.values().map(String::as_str).collect(),
            squares: draft.board.squares.values().map(|square| square.name.as_str()).collect(),
        }
    }
}

/// The names of one kind of entity.
pub(crate) struct EntityNames<'a, K> {
    names: Vec<&'a str>,
    /// The first entity of each name, which is the one the name means.
    meanings: HashMap<&'a str, K>,
}

impl<'a, K: Id> EntityNames<'a, K> {
    /// The entity that a name means.
    pub(super) fn find(&self, name: &str) -> Option<K> {
        self.meanings.get(name).copied()
    }

    /// How an entity is written where it is used.
    pub(crate) fn spell(&self, id: K) -> Spelling<'a> {
        match self.names.get(id.index()) {
            Some(name) if self.find(name) == Some(id) => Spelling::Name(name),
            _ => Spelling::Number(id.index()),
        }
    }
}

impl<'a, K: Id> FromIterator<&'a str> for EntityNames<'a, K> {
    fn from_iter<I: IntoIterator<Item = &'a str>>(names: I) -> Self {
        let names: Vec<&str> = names.into_iter().collect();
        let mut meanings = HashMap::with_capacity(names.len());
        for (index, &name) in names.iter().enumerate() {
            meanings.entry(name).or_insert(K::from_index(index));
        }
        EntityNames { names, meanings }
    }
}

/// An entity as it is written.
pub(crate) enum Spelling<'a> {
    /// By name: bare when it is a word, else quoted.
    Name(&'a str),
    /// By number, as `?7`: it does not exist, or its name means another.
    Number(usize),
}

impl fmt::Display for Spelling<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Spelling::Name(name) if is_bare(name) => f.write_str(name),
            Spelling::Name(name) => write_quoted(f, name),
            Spelling::Number(number) => write!(f, "?{number}"),
        }
    }
}

/// Whether a name can be written without quotes.
fn is_bare(name: &str) -> bool {
    name.chars().all(is_word_character)
        && !name.bytes().all(|byte| byte.is_ascii_digit())
        && !SECTIONS.contains(&name)
}

/// Writes a text in quotes.
pub(super) fn write_quoted(f: &mut fmt::Formatter<'_>, name: &str) -> fmt::Result {
    f.write_str("\"")?;
    for character in name.chars() {
        match character {
            '"' | '\\' => write!(f, "\\{character}")?,
            _ if character.is_control() => write!(f, "\\u{{{:x}}}", u32::from(character))?,
            _ => write!(f, "{character}")?,
        }
    }
    f.write_str("\"")
}
