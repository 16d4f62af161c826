//! A checked game as low-level text: no macros, generators, powers or lists of writes.
//!
//! The layout is that of the reference parser, byte for byte, except where its output could not be read again: starred
//! tests and stars get brackets, and a shift along a direction that no square has is the test `{}`, which fails as well.
//!
//! What names do not tell about the game is said by pragma comments, as in the text it comes from.

use std::collections::{BTreeMap, HashSet};
use std::fmt::Write;

use regulus_automaton::{Direction, Operator, PieceLook, Reason, VariableInfo};

use crate::looks::{self, EMPTY_NAME, EMPTY_SYMBOL};
use crate::pragma::{MAX_PRAGMAS, RepetitionRule};

use super::checked::{Checked, Leaf, Step, Value};

/// The game as low-level text; reading and printing that text again gives the same bytes.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, rbg};
///
/// # let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
/// #     #rules = ->one right* {e} [x] ->> {}
/// # ";
/// let (game, _) = rbg::check(&Source::new("solo.rbg", text));
/// let lowered = rbg::lower_to_text(&game.expect("no errors"));
/// assert!(!lowered.contains("rectangle"));
/// let (again, _) = rbg::check(&Source::new("lowered.rbg", lowered.as_str()));
/// assert_eq!(rbg::lower_to_text(&again.expect("no errors")), lowered);
/// ```
#[must_use]
pub fn lower_to_text(game: &Checked) -> String {
    let used = game.board.squares.values().flat_map(|square| {
        let neighbours = square.neighbours.iter().filter(|(_, target)| target.is_some());
        neighbours.map(|(direction, _)| direction)
    });
    let mut printer = Printer { game, used: used.collect(), text: String::new(), pragmas: 0 };
    printer.pragmas();
    printer.board();
    printer.declarations();
    printer.rules();
    printer.text
}

struct Printer<'a> {
    game: &'a Checked,
    /// The directions that lead somewhere; others leave no trace in the text of the board.
    used: HashSet<Direction>,
    text: String,
    /// How many pragma comments were printed.
    pragmas: usize,
}

/// What surrounds a step, which decides on its brackets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Around {
    /// Nothing that could be confused: a whole, an alternative or the content of a look-ahead.
    Whole,
    Factor,
    Star,
}

impl Printer<'_> {
    fn push(&mut self, text: &str) {
        self.text.push_str(text);
    }

    fn list<T>(&mut self, items: impl IntoIterator<Item = T>, mut item: impl FnMut(&mut Self, T)) {
        for (number, content) in items.into_iter().enumerate() {
            if number > 0 {
                self.push(",");
            }
            item(self, content);
        }
    }

    fn board(&mut self) {
        let board = &self.game.board;
        self.push("#board =\n");
        for square in board.squares.values() {
            self.push("    ");
            self.push(&square.name);
            self.push("[");
            self.push(&self.game.pieces[square.piece]);
            self.push("]{");
            let mut edges: Vec<(&str, &str)> = square
                .neighbours
                .iter()
                .filter_map(|(direction, target)| {
                    let target = &board.squares[(*target)?].name;
                    Some((board.directions[direction].as_str(), target.as_str()))
                })
                .collect();
            edges.sort_unstable();
            self.list(edges, |printer, (label, target)| {
                printer.push(label);
                printer.push(":");
                printer.push(target);
            });
            self.push("}\n");
        }
    }

    fn declarations(&mut self) {
        let game = self.game;
        self.push("#players = ");
        self.list(game.players.values(), Self::bounded);
        let mut pieces: Vec<&String> = game.pieces.values().collect();
        pieces.sort_unstable();
        self.push("\n#pieces = ");
        self.list(pieces, |printer, piece| printer.push(piece));
        let mut variables: Vec<&VariableInfo> =
            game.variables.values().skip(game.players.len()).collect();
        variables.sort_unstable_by_key(|variable| &variable.name);
        self.push("\n#variables = ");
        self.list(variables, Self::bounded);
        self.push("\n");
    }

    fn bounded(&mut self, item: &VariableInfo) {
        // Writing to a string cannot fail.
        let _ = write!(self.text, "{}({})", item.name, item.bound);
    }

    fn rules(&mut self) {
        self.push("#rules = \n");
        let game = self.game;
        self.step(&game.rules, Around::Whole);
        self.push("\n");
    }

    fn step(&mut self, step: &Step, around: Around) {
        if self.needs_brackets(step, around) {
            self.push("(");
            self.step(step, Around::Whole);
            return self.push(")");
        }
        match step {
            Step::Sum(parts) => {
                self.push("\n");
                for (number, part) in parts.iter().enumerate() {
                    self.push(if number > 0 { "+ " } else { "" });
                    self.step(part, Around::Whole);
                    self.push("\n");
                }
            }
            Step::Chain(parts) => parts.iter().for_each(|part| self.step(part, Around::Factor)),
            Step::Power(body, count) => (0..*count).for_each(|_| self.step(body, Around::Factor)),
            Step::Star(body, _) => {
                self.step(body, Around::Star);
                self.push("*");
            }
            Step::Look { succeeds, body, .. } => {
                self.push(if *succeeds { "{?" } else { "{!" });
                self.step(body, Around::Whole);
                self.push("}");
            }
            Step::Leaf(leaf, origin) => {
                if matches!(leaf, Leaf::Turn(_) | Leaf::Keeper) {
                    self.end(origin.start);
                }
                self.leaf(leaf);
            }
        }
    }

    /// Why the game may end behind the switch that begins here, if the game says so.
    fn end(&mut self, switch: u32) {
        let game = self.game;
        // More comments are not read again.
        if let Some(reason) = game.ends.get(&switch)
            && self.pragmas < MAX_PRAGMAS
        {
            self.push("\n");
            self.pragma(&format!("end: {}", worded(reason)));
        }
    }

    fn pragma(&mut self, statement: &str) {
        self.pragmas += 1;
        self.push("//! ");
        self.push(statement);
        self.push("\n");
    }

    /// What would be guessed otherwise if only names were known.
    fn pragmas(&mut self) {
        let game = self.game;
        let mut pieces: Vec<(&str, &PieceLook)> =
            game.pieces.values().map(String::as_str).zip(game.looks.pieces.values()).collect();
        pieces.sort_unstable_by_key(|(name, _)| *name);
        let players = game.players.values().map(|player| player.name.as_str());
        let guessed = looks::guess(players.clone(), pieces.iter().map(|(name, _)| *name));
        let mut statements: BTreeMap<(usize, String), Vec<&str>> = BTreeMap::new();
        let mut state = |order: usize, statement: String, name| {
            statements.entry((order, statement)).or_default().push(name);
        };
        for ((name, look), guess) in pieces.into_iter().zip(guessed.pieces.values()) {
            let mut expected = guess.clone();
            if look.is_empty && !guess.is_empty {
                state(0, "empty".to_owned(), name);
                expected.owner = None;
                EMPTY_SYMBOL.clone_into(&mut expected.symbol);
                EMPTY_NAME.clone_into(&mut expected.name);
            }
            if look.owner != expected.owner {
                let owner = look.owner.map_or("none", |owner| game.players[owner].name.as_str());
                state(1, format!("owner {owner}"), name);
            }
            if look.kind != expected.kind {
                state(2, format!("kind {}", look.kind.word()), name);
            }
            if look.name != expected.name {
                state(3, format!("name {}", look.name), name);
            }
            if look.symbol != expected.symbol {
                state(4, format!("symbol {}", look.symbol), name);
            }
        }
        let looks = game.looks.players.values().zip(guessed.players.values());
        for (name, (look, guess)) in players.zip(looks) {
            if look.colour != guess.colour {
                state(5, format!("colour {}", look.colour.word()), name);
            }
            if look.name != guess.name {
                state(6, format!("player {}", look.name), name);
            }
        }
        for ((_, statement), names) in statements {
            self.pragma(&format!("{statement}: {}", names.join(", ")));
        }
        for (word, names) in [("columns", &game.looks.columns), ("rows", &game.looks.rows)] {
            if !names.is_empty() {
                self.pragma(&format!("{word}: {}", names.join(", ")));
            }
        }
        self.board_pragmas();
        self.history();
        if let Some(reason) = &game.stuck {
            self.pragma(&format!("stuck: {}", worded(reason)));
        }
    }

    /// What people are told about the board and what lies beside it.
    fn board_pragmas(&mut self) {
        let game = self.game;
        let variable = |variable| &game.variables[variable].name;
        // In the order of the names, as the variables themselves are printed.
        let mut lines: Vec<String> = Vec::new();
        for hand in &game.looks.hands {
            lines.push(format!("hand {}: {}", game.pieces[hand.piece], variable(hand.variable)));
        }
        for counter in &game.looks.counters {
            lines.push(format!("counter {}: {}", counter.name, variable(counter.variable)));
        }
        for side in &game.looks.sides {
            let player = &game.players[side.player].name;
            lines.push(format!("side {player}: {}", side.border.word()));
        }
        if let Some(surface) = game.looks.surface {
            lines.push(format!("surface: {}", surface.word()));
        }
        lines.iter().for_each(|line| self.pragma(line));
    }

    fn history(&mut self) {
        let game = self.game;
        let Some(RepetitionRule { times, scores, ignored }) = &game.history else { return };
        let scores = game.players.values().zip(scores.values());
        let scores: Vec<String> =
            scores.map(|(player, score)| format!("{}={score}", player.name)).collect();
        let mut ignored: Vec<&str> =
            ignored.iter().map(|&variable| game.variables[variable].name.as_str()).collect();
        // The variables themselves are printed in this order too.
        ignored.sort_unstable();
        let ignoring = if ignored.is_empty() { "" } else { "; ignoring " };
        let ignored = ignored.join(", ");
        self.pragma(&format!("history {times}: {}{ignoring}{ignored}", scores.join(", ")));
    }

    fn needs_brackets(&self, step: &Step, around: Around) -> bool {
        match step {
            Step::Sum(_) => around != Around::Whole,
            Step::Chain(_) | Step::Power(..) | Step::Star(..) | Step::Look { .. } => {
                around == Around::Star
            }
            Step::Leaf(leaf, _) => around == Around::Star && self.is_bracketed(leaf),
        }
    }

    /// Whether the text of an action ends with a bracket, after which the reference reads no star.
    fn is_bracketed(&self, leaf: &Leaf) -> bool {
        match leaf {
            Leaf::On(_) | Leaf::Off(_) | Leaf::Assign(..) | Leaf::Compare(..) => true,
            Leaf::Shift(direction) => !self.used.contains(direction),
            Leaf::Turn(_) | Leaf::Keeper | Leaf::Dot => false,
        }
    }

    fn leaf(&mut self, leaf: &Leaf) {
        let game = self.game;
        match leaf {
            Leaf::Shift(direction) if !self.used.contains(direction) => self.push("{}"),
            Leaf::Shift(direction) => {
                self.push(&game.board.directions[*direction]);
                self.push(" ");
            }
            Leaf::On(pieces) => {
                let mut names: Vec<&String> =
                    pieces.iter().map(|piece| &game.pieces[piece]).collect();
                names.sort_unstable();
                self.push("{");
                self.list(names, |printer, name| printer.push(name));
                self.push("}");
            }
            Leaf::Off(piece) => {
                self.push("[");
                self.push(&game.pieces[*piece]);
                self.push("]");
            }
            Leaf::Assign(variable, value) => {
                self.push("[$ ");
                self.push(&game.variables[*variable].name);
                self.push("=");
                self.value(value);
                self.push("]");
            }
            Leaf::Compare(left, relation, right) => {
                self.push("{$ ");
                self.value(left);
                self.push(relation.symbol());
                self.value(right);
                self.push("}");
            }
            Leaf::Turn(player) => {
                self.push("->");
                self.push(&game.players[*player].name);
                self.push(" ");
            }
            Leaf::Keeper => self.push("->>"),
            Leaf::Dot => self.push("."),
        }
    }

    fn value(&mut self, value: &Value) {
        let game = self.game;
        match value {
            Value::Number(number) => self.push(&number.to_string()),
            Value::Variable(variable) => self.push(&game.variables[*variable].name),
            Value::Count(piece) => self.push(&game.pieces[*piece]),
            Value::Chain(operator, operands) => {
                for (number, operand) in operands.iter().enumerate() {
                    self.push(if number > 0 { operator.symbol() } else { "" });
                    let brackets = value_needs_brackets(*operator, operand);
                    self.push(if brackets { "(" } else { "" });
                    self.value(operand);
                    self.push(if brackets { ")" } else { "" });
                }
            }
        }
    }
}

/// A reason as pragma comments state it.
fn worded(reason: &Reason) -> String {
    match &reason.drawn {
        Some(drawn) => format!("{} | {drawn}", reason.text),
        None => reason.text.clone(),
    }
}

/// For brackets, sums and differences bind equally, and so do products and quotients.
fn value_needs_brackets(operator: Operator, operand: &Value) -> bool {
    let Value::Chain(inner, _) = operand else {
        return false;
    };
    let tight = |operator| matches!(operator, Operator::Multiply | Operator::Divide);
    match operator {
        Operator::Add => false,
        Operator::Subtract | Operator::Multiply => !tight(*inner),
        Operator::Divide => true,
    }
}
