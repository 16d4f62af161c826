//! What actions say in pictures, in words: pieces, squares, directions, variables and players by the names of the source, walks
//! over tables and sets of squares by what they mean.
//!
//! Any draft has words: an index out of range is shown by its number. The work for them is bounded; where it is used up, plainer
//! words are found.

mod pieces;
mod places;
mod ways;

use std::cell::Cell;

use self::places::BoardPlaces;
use self::ways::BoardWays;
use crate::action::{Action, Expression, Operator, Relation};
use crate::draft::Draft;
use crate::ids::{Id, IdVec, Node, Pattern, PieceSet, Player, Register, Table, Variable};
use crate::text::names::Vocabulary;

/// The most characters of a text that is shown.
const MAX_SHOWN: usize = 44;
/// The most characters of a text that is kept whole, and of all of them together.
const MAX_WHOLE: usize = 1_500;
const MAX_ALL: usize = 3_000_000;
/// The most squares that are looked at to describe sets and tables.
const MAX_WORK: usize = 20_000_000;
/// The most actions of a pattern that is explained by them.
const MAX_PATH: usize = 4;

/// A text for a picture.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Wording {
    /// What is shown.
    pub(crate) shown: String,
    /// The whole text, if more could be said than is shown.
    pub(crate) whole: Option<String>,
}

impl Wording {
    /// A text that is shown whole, or shortened if it is long.
    pub(crate) fn new(text: String) -> Wording {
        Wording::of_length(text, MAX_SHOWN)
    }

    /// A text of which at most `most` characters are shown.
    pub(crate) fn of_length(text: String, most: usize) -> Wording {
        match shortened(&text, most) {
            Some(shown) => Wording { shown, whole: Some(text) },
            None => Wording { shown: text, whole: None },
        }
    }

    /// A text with a longer one behind it.
    fn with_whole(shown: String, whole: String) -> Wording {
        let mut wording = Wording::new(shown);
        wording.whole = Some(whole);
        wording
    }
}

/// The beginning of a text that is too long; `None` if it is not.
pub(crate) fn shortened(text: &str, most: usize) -> Option<String> {
    text.char_indices().nth(most)?;
    let (end, _) = text.char_indices().nth(most.saturating_sub(1))?;
    Some(format!("{}…", text[..end].trim_end()))
}

/// A text in at most `most` lines of at most `width` characters, and whether some of it is left out.
pub(crate) fn broken(text: &str, width: usize, most: usize) -> (Vec<String>, bool) {
    let mut lines: Vec<String> = Vec::new();
    let mut is_cut = false;
    for word in text.split(' ') {
        let word =
            shortened(word, width).inspect(|_| is_cut = true).unwrap_or_else(|| word.to_owned());
        let is_full = lines.len() == most;
        match lines.last_mut() {
            Some(line) if line.chars().count() + word.chars().count() < width => {
                line.push(' ');
                line.push_str(&word);
            }
            _ if is_full => {
                is_cut = true;
                break;
            }
            _ => lines.push(word),
        }
    }
    if let Some(last) = lines.last_mut().filter(|_| is_cut) {
        *last = format!("{}…", last.trim_end_matches(['…', ',']));
    }
    (lines, is_cut)
}

/// How much more may be done for the words of a picture.
struct WordBudget {
    work: Cell<usize>,
    characters: Cell<usize>,
}

impl WordBudget {
    /// Takes this much work; `false` if it is not left.
    fn work(&self, amount: usize) -> bool {
        take(&self.work, amount)
    }
}

fn take(left: &Cell<usize>, amount: usize) -> bool {
    let rest = left.get().checked_sub(amount);
    left.set(rest.unwrap_or(left.get()));
    rest.is_some()
}

/// The words for the actions of a draft.
pub(crate) struct ActionWords<'a> {
    draft: &'a Draft,
    pub(crate) names: Vocabulary<'a>,
    places: BoardPlaces,
    tables: IdVec<Table, TableWords>,
    budget: WordBudget,
}

/// The words for a table.
pub(crate) struct TableWords {
    wording: Wording,
    /// Whether they say all that there is in the table.
    is_exact: bool,
}

impl<'a> ActionWords<'a> {
    pub(crate) fn of(draft: &'a Draft) -> ActionWords<'a> {
        let budget = WordBudget { work: Cell::new(MAX_WORK), characters: Cell::new(MAX_ALL) };
        let names = Vocabulary::of(draft);
        let places = BoardPlaces::of(draft);
        let ways = BoardWays::of(draft, &names);
        let tables = draft
            .tables
            .iter()
            .map(|(table, walk)| ways.table(table, walk, &places, &budget))
            .collect();
        ActionWords { draft, names, places, tables, budget }
    }

    /// What an action does: `on e` tests, `up` walks, `put e` writes, `→ white` ends the move.
    pub(crate) fn action(&self, action: &Action) -> Wording {
        let wording = match action {
            Action::On(pieces) => Wording::new(self.pieces(pieces)),
            Action::At(squares) => self.places.at(squares, &self.budget),
            Action::Walk(table) => match self.tables.get(*table) {
                Some(words) => words.wording.clone(),
                None => Wording::new(format!("walk {table}")),
            },
            _ => Wording::new(self.plain(action)),
        };
        self.within_budget(wording)
    }

    /// Cuts or drops the whole text when all of them become too much.
    fn within_budget(&self, wording: Wording) -> Wording {
        let whole = wording.whole.map(|text| shortened(&text, MAX_WHOLE).unwrap_or(text));
        Wording { whole: whole.filter(|text| take(&self.budget.characters, text.len())), ..wording }
    }

    /// The words for actions that look at no set and no table.
    fn plain(&self, action: &Action) -> String {
        let names = &self.names;
        match action {
            Action::Skip => "ε".to_owned(),
            Action::Compare(left, relation, right) => self.comparison(left, *relation, right),
            Action::Check(pattern) => format!("if {pattern}"),
            Action::CheckNot(pattern) => format!("unless {pattern}"),
            Action::Shift(direction) => names.directions.spell(*direction).to_string(),
            Action::Recall(register) => format!("to {}", names.registers.spell(*register)),
            Action::Jump(x, y) => format!("to ({}, {})", names.expression(x), names.expression(y)),
            Action::Put(piece) => format!("put {}", names.pieces.spell(*piece)),
            Action::PutHeld(register) => {
                format!("put the piece on {}", names.registers.spell(*register))
            }
            Action::Assign(variable, value) => self.assignment(*variable, value),
            Action::Save(register) => format!("save as {}", names.registers.spell(*register)),
            Action::Turn(player) => format!("→ {}", names.players.spell(*player)),
            Action::Keeper => "→ keeper".to_owned(),
            Action::On(_) | Action::At(_) | Action::Walk(_) => String::new(),
        }
    }

    fn comparison(&self, left: &Expression, relation: Relation, right: &Expression) -> String {
        if let (Expression::Count(piece), Expression::Constant(0)) = (left, right) {
            let piece = self.names.pieces.spell(*piece);
            match relation {
                Relation::Equal => return format!("no {piece} on the board"),
                Relation::Greater | Relation::NotEqual => {
                    return format!("some {piece} on the board");
                }
                _ => {}
            }
        }
        let sign = match relation {
            Relation::Equal => "=",
            Relation::NotEqual => "≠",
            Relation::LessOrEqual => "≤",
            Relation::GreaterOrEqual => "≥",
            Relation::Less | Relation::Greater => relation.symbol(),
        };
        format!("{} {sign} {}", self.names.expression(left), self.names.expression(right))
    }

    fn assignment(&self, variable: Variable, value: &Expression) -> String {
        let name = self.names.variables.spell(variable);
        let is_same = |part: &Expression| *part == Expression::Variable(variable);
        match value {
            Expression::Constant(value) if self.is_score(variable) => {
                format!("{name} scores {value}")
            }
            Expression::Binary(Operator::Add, left, right) if is_same(left) => {
                format!("add {} to {name}", self.names.expression(right))
            }
            Expression::Binary(Operator::Subtract, left, right) if is_same(left) => {
                format!("subtract {} from {name}", self.names.expression(right))
            }
            _ => format!("set {name} to {}", self.names.expression(value)),
        }
    }

    /// Whether a variable is the score of a player, and so has that player's name.
    pub(crate) fn is_score(&self, variable: Variable) -> bool {
        self.draft.players.contains(Player(variable.0))
    }

    /// What a table holds, if the words for walks over it do not say it: its name and the beginning of its rows.
    pub(crate) fn inexact_table(&self, table: Table) -> Option<String> {
        let words = self.tables.get(table).filter(|words| !words.is_exact)?;
        words.wording.whole.clone()
    }

    /// The actions of a pattern that is one short path, in their order; `None` if it is not.
    pub(crate) fn path(&self, pattern: Pattern) -> Option<String> {
        let info = self.draft.patterns.get(pattern)?;
        let mut node = info.start;
        let mut path = Vec::new();
        while node != info.accept {
            let [edge] = self.draft.nodes.get(node)?.as_slice() else { return None };
            if path.len() == MAX_PATH {
                return None;
            }
            path.push(self.action(&edge.action).shown);
            node = edge.target;
        }
        Some(path.join(", then "))
    }

    /// The pieces of a set; all pieces of a player are named together.
    pub(crate) fn piece_list(&self, pieces: &PieceSet) -> String {
        self.members(pieces).join(", ")
    }

    /// What a register is called.
    pub(crate) fn register(&self, register: Register) -> String {
        self.names.registers.spell(register).to_string()
    }

    /// Why the game is over in a node, if the game says so.
    pub(crate) fn reason(&self, node: Node) -> Option<String> {
        let text = &self.draft.endings.at.get(&node)?.text;
        let text = text.replace("{winner}", "the winner").replace("{loser}", "the loser");
        Some(text.replace("{stuck}", "the player to move"))
    }
}

/// Words as a list: `a`, `a or b`, `a, b or c`.
fn alternatives(words: &[String]) -> String {
    match words {
        [] => String::new(),
        [word] => word.clone(),
        [first @ .., last] => format!("{} or {last}", first.join(", ")),
    }
}

/// Whether an index is in range of a length.
fn is_in(id: impl Id, len: usize) -> bool {
    id.index() < len
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn long_texts_are_broken_and_cut() {
        let (lines, is_cut) = broken("puts empty, whitePawn, whiteKnight, whiteBishop", 38, 3);
        assert_eq!(lines, ["puts empty, whitePawn, whiteKnight,", "whiteBishop"]);
        assert!(!is_cut);
        let (lines, is_cut) = broken(&"puts 0123456789 ".repeat(20), 38, 3);
        assert_eq!((lines.len(), is_cut), (3, true));
        assert!(lines[2].ends_with('…'));
    }

    #[test]
    fn long_texts_are_shortened() {
        assert_eq!(Wording::new("short".to_owned()).whole, None);
        let long = "on ".repeat(40);
        let wording = Wording::new(long.clone());
        assert_eq!(wording.shown.chars().count(), MAX_SHOWN);
        assert_eq!(wording.whole, Some(long));
    }
}
