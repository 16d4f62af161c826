//! Random games in all languages: here in RBG, well-formed by construction.
//!
//! They are small, so that a whole tree of them can be compared, and odd: boards that are not injective, look-aheads
//! that write, stars that may or may not end, keepers with a choice. Most are built as games are, turn by turn; some are
//! any expression at all.

mod abg;
mod board;
mod macros;
mod metagame;
mod nasty;
mod rules;
mod sbg;

use crate::automata::automaton;
use crate::choices::Choices;
use rules::RuleWriter;

pub use abg::abg_game;
pub use metagame::metagame_game;
pub use nasty::{nasty, nasty_abg_game, nasty_game, nasty_metagame_game, nasty_sbg_game};
pub use sbg::sbg_game;

/// The text of a game made from these bytes. It has no errors, but its moves need not come to an end.
#[must_use]
pub fn game(bytes: &[u8]) -> String {
    game_on(&mut Choices::new(bytes), board::board)
}

/// The text of a game in one of the languages, or of an automaton; the first byte says which, the others what it is.
#[must_use]
pub fn any_game(bytes: &[u8]) -> String {
    let (kind, bytes) = bytes.split_first().map_or((0, bytes), |(kind, rest)| (*kind, rest));
    match kind % 8 {
        0..3 => game(bytes),
        3..5 => automaton(bytes),
        5 => abg_game(bytes),
        6 => sbg_game(bytes),
        _ => metagame_game(bytes),
    }
}

/// The text of a game on a board large enough that sets of squares take several words.
#[must_use]
pub fn large_game(bytes: &[u8]) -> String {
    game_on(&mut Choices::new(bytes), board::large_board)
}

/// Makes a board for these pieces: its labels and its text.
type MakeBoard = fn(&mut Choices<'_>, &[String]) -> (Vec<String>, String);

fn game_on(choices: &mut Choices<'_>, board: MakeBoard) -> String {
    let mut scope = NameScope::declared(choices);
    let (labels, board) = board(choices, &scope.pieces);
    scope.directions = labels;
    let definitions = macros::definitions(choices, &mut scope);
    let rules = RuleWriter::new(choices, &scope).rules();
    let mut sections = [
        ("players", bounded(choices, &scope.players, 100)),
        ("pieces", rotated(choices, &scope.pieces).join(", ")),
        ("variables", bounded(choices, &scope.variables, 4)),
        ("board", board),
        ("rules", rules),
    ];
    let first = choices.below(sections.len());
    sections.rotate_left(first);
    let sections = sections.iter().map(|(name, body)| format!("#{name} = {body}"));
    let text: Vec<String> = definitions.into_iter().chain(sections).collect();
    laid_out(choices, &text.join("\n"))
}

/// The names a part of the rules can use.
#[derive(Clone, Debug)]
struct NameScope {
    players: Vec<String>,
    pieces: Vec<String>,
    variables: Vec<String>,
    directions: Vec<String>,
    /// Parameters that stand for a part of the rules.
    steps: Vec<String>,
    /// Parameters that stand for a number from 1.
    numbers: Vec<String>,
    macros: Vec<Signature>,
}

/// A macro as its users see it.
#[derive(Clone, Debug)]
struct Signature {
    name: String,
    parameters: Vec<MacroParameter>,
}

/// What a parameter of a macro stands for.
#[derive(Clone, Copy, Debug)]
enum MacroParameter {
    Piece,
    Direction,
    Variable,
    Step,
    Number,
    /// The end of a piece's name.
    Suffix,
}

impl NameScope {
    fn declared(choices: &mut Choices<'_>) -> NameScope {
        let names = |names: &[&str], count| names.iter().take(count).map(|s| (*s).into()).collect();
        NameScope {
            players: names(&["red", "blue", "green"], choices.pick(&[2, 2, 1, 3]).to_owned()),
            pieces: names(&["p0", "p1", "p2", "p3"], choices.pick(&[3, 3, 2, 4]).to_owned()),
            variables: names(&["x", "y", "z"], choices.between(0, 3)),
            directions: Vec::new(),
            steps: Vec::new(),
            numbers: Vec::new(),
            macros: Vec::new(),
        }
    }
}

fn bounded(choices: &mut Choices<'_>, names: &[String], most: usize) -> String {
    let items: Vec<String> = rotated(choices, names)
        .iter()
        .map(|name| format!("{name}({})", choices.between(1, most)))
        .collect();
    items.join(", ")
}

/// Declared in another order than the alphabet's, which low-level text restores.
fn rotated(choices: &mut Choices<'_>, names: &[String]) -> Vec<String> {
    let mut names = names.to_vec();
    let first = choices.below(names.len());
    names.rotate_left(first);
    names
}

/// The same tokens with other white space and comments between them.
fn laid_out(choices: &mut Choices<'_>, text: &str) -> String {
    if !choices.one_in(4) {
        return text.to_owned();
    }
    let gaps = ["  ", "\n", " /* a + (b */ ", " // #rules = {\n", "\r\n\t"];
    let mut laid_out = String::new();
    for word in text.split_inclusive(' ') {
        match word.strip_suffix(' ').filter(|_| choices.one_in(4)) {
            Some(word) => laid_out.extend([word, *choices.pick(&gaps)]),
            None => laid_out.push_str(word),
        }
    }
    laid_out
}
