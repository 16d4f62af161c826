//! From a draft to its text.

use std::fmt;

use super::names::{EntityNames, Spelling, Vocabulary, write_quoted};
use crate::action::{Action, Expression, Operator};
use crate::board::{Shape, SquareInfo};
use crate::draft::{Automaton, Draft, Edge, WalkTable};
use crate::endings::{Reason, Repetition};
use crate::ids::{Id, Piece, Player, Register, Square};
use crate::looks::{Counter, Hand, PieceLook, PlayerLook, Side};

impl fmt::Display for Draft {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let printer = Printer { draft: self, names: Vocabulary::of(self) };
        printer.declarations(f)?;
        printer.board(f)?;
        printer.shuffle(f)?;
        printer.looks(f)?;
        printer.tables(f)?;
        printer.patterns(f)?;
        printer.rules(f)?;
        printer.endings(f)?;
        printer.repetition(f)
    }
}

impl fmt::Display for Automaton {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&**self, f)
    }
}

impl Shape {
    /// The word for it in the text form.
    #[must_use]
    pub fn word(self) -> &'static str {
        match self {
            Shape::Square => "square",
            Shape::Hexagon => "hexagon",
            Shape::Point => "point",
        }
    }
}

impl Operator {
    /// How strongly it binds; all operators associate to the left.
    pub(super) fn precedence(self) -> u8 {
        match self {
            Operator::Add | Operator::Subtract => 1,
            Operator::Multiply | Operator::Divide => 2,
        }
    }
}

struct Printer<'a> {
    draft: &'a Draft,
    names: Vocabulary<'a>,
}

impl Printer<'_> {
    fn declarations(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let draft = self.draft;
        let players = draft.players.len();
        let bounded = |(index, name): (usize, &String)| {
            let bound = draft.variables.as_slice().get(index).map_or(0, |score| score.bound);
            format!("{} {bound}", Spelling::Name(name))
        };
        section(f, "players", draft.players.values().enumerate().map(bounded))?;
        let names = draft.variables.values().map(|variable| &variable.name).enumerate();
        section(f, "variables", names.skip(players).map(bounded))?;
        section(f, "pieces", draft.pieces.values().map(|name| Spelling::Name(name)))?;
        let further = draft.registers.values().skip(Register::CURSOR.index() + 1);
        section(f, "registers", further.map(|name| Spelling::Name(name)))?;
        section(f, "directions", draft.board.directions.values().map(|name| Spelling::Name(name)))
    }

    fn board(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "board {}", self.draft.board.shape.word())?;
        self.draft.board.squares.values().try_for_each(|square| self.square(f, square))
    }

    fn square(&self, f: &mut fmt::Formatter<'_>, square: &SquareInfo) -> fmt::Result {
        let SquareInfo { name, piece, x, y, neighbours } = square;
        write!(f, "  {} {} ({x}, {y})", Spelling::Name(name), self.names.pieces.spell(*piece))?;
        for (direction, target) in neighbours.iter() {
            if let Some(target) = *target {
                let direction = self.names.directions.spell(direction);
                write!(f, " {direction}={}", self.names.squares.spell(target))?;
            }
        }
        writeln!(f)
    }

    /// What differs from the looks that a draft has when only names are known.
    fn looks(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let draft = self.draft;
        let looks = &draft.looks;
        let mut lines = Vec::new();
        for ((piece, name), look) in draft.pieces.iter().zip(looks.pieces.values()) {
            lines.extend(self.piece_look(piece, name, look));
        }
        for ((player, name), look) in draft.players.iter().zip(looks.players.values()) {
            lines.extend(self.player_look(player, name, look));
        }
        for (word, names) in [("columns", &looks.columns), ("rows", &looks.rows)] {
            if !names.is_empty() {
                let names: Vec<String> =
                    names.iter().map(|name| Quoted(name).to_string()).collect();
                lines.push(format!("{word} {}", names.join(", ")));
            }
        }
        for Hand { variable, piece } in &looks.hands {
            let variable = self.names.variables.spell(*variable);
            lines.push(format!("hand {variable}: {}", self.names.pieces.spell(*piece)));
        }
        for Counter { variable, name } in &looks.counters {
            let variable = self.names.variables.spell(*variable);
            lines.push(format!("counter {variable}: {}", Quoted(name)));
        }
        for Side { player, border } in &looks.sides {
            let player = self.names.players.spell(*player);
            lines.push(format!("side {}: {player}", border.word()));
        }
        if let Some(surface) = looks.surface {
            lines.push(format!("surface {}", surface.word()));
        }
        if !lines.is_empty() {
            writeln!(f, "looks")?;
        }
        lines.iter().try_for_each(|line| writeln!(f, "  {line}"))
    }

    fn piece_look(&self, piece: Piece, name: &str, look: &PieceLook) -> Option<String> {
        let plain = PieceLook::plain(name);
        let owner = look.owner.map(|owner| format!("owner {}", self.names.players.spell(owner)));
        let properties = [
            owner,
            look.is_empty.then(|| "empty".to_owned()),
            (look.symbol != plain.symbol).then(|| format!("symbol {}", Quoted(&look.symbol))),
            (look.name != plain.name).then(|| format!("name {}", Quoted(&look.name))),
            (look.kind != plain.kind).then(|| format!("kind {}", look.kind.word())),
        ];
        look_line("piece", &self.names.pieces.spell(piece), properties.into_iter().flatten())
    }

    fn player_look(&self, player: Player, name: &str, look: &PlayerLook) -> Option<String> {
        let plain = PlayerLook::plain(name, player);
        let properties = [
            (look.name != plain.name).then(|| format!("name {}", Quoted(&look.name))),
            (look.colour != plain.colour).then(|| format!("colour {}", look.colour.word())),
        ];
        look_line("player", &self.names.players.spell(player), properties.into_iter().flatten())
    }

    fn endings(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let endings = &self.draft.endings;
        if endings.at.is_empty() && endings.stuck.is_none() {
            return Ok(());
        }
        writeln!(f, "endings")?;
        for (node, reason) in &endings.at {
            writeln!(f, "  {node}: {}", PrintedReason(reason))?;
        }
        endings
            .stuck
            .iter()
            .try_for_each(|reason| writeln!(f, "  stuck: {}", PrintedReason(reason)))
    }

    fn repetition(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Some(Repetition { times, scores, ignored, over }) = &self.draft.repetition else {
            return Ok(());
        };
        write!(f, "repetition {times} over {over}:")?;
        f.write_str(if scores.is_empty() { "" } else { " " })?;
        let spell = |(player, score)| format!("{} {score}", self.names.players.spell(player));
        list(f, scores.iter().map(spell))?;
        f.write_str(if ignored.is_empty() { "" } else { " ignoring " })?;
        list(f, ignored.iter().map(|&variable| self.names.variables.spell(variable)))?;
        writeln!(f)
    }

    fn shuffle(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.draft.shuffle.is_empty() {
            writeln!(f, "shuffle")?;
        }
        self.draft.shuffle.iter().try_for_each(|squares| {
            write!(f, " ")?;
            self.row(f, squares)
        })
    }

    fn tables(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.draft.tables.is_empty() {
            writeln!(f, "tables")?;
        }
        for (table, walk) in self.draft.tables.iter() {
            match walk {
                WalkTable::Everywhere(row) => {
                    write!(f, "  {table} everywhere:")?;
                    self.row(f, row)?;
                }
                WalkTable::PerSquare(rows) => {
                    writeln!(f, "  {table} each")?;
                    for (index, row) in rows.iter().enumerate().filter(|(_, row)| !row.is_empty()) {
                        write!(f, "    {}:", self.names.squares.spell(Square::from_index(index)))?;
                        self.row(f, row)?;
                    }
                }
            }
        }
        Ok(())
    }

    fn row(&self, f: &mut fmt::Formatter<'_>, row: &[Square]) -> fmt::Result {
        f.write_str(if row.is_empty() { "" } else { " " })?;
        list(f, row.iter().map(|&square| self.names.squares.spell(square)))?;
        writeln!(f)
    }

    fn patterns(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.draft.patterns.is_empty() {
            writeln!(f, "patterns")?;
        }
        for (pattern, info) in self.draft.patterns.iter() {
            writeln!(f, "  {pattern} {} -> {}", info.start, info.accept)?;
        }
        Ok(())
    }

    fn rules(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "rules {}", self.draft.start)?;
        for (node, edges) in self.draft.nodes.iter() {
            let head = format!("  {node}:");
            match edges.split_first() {
                None => writeln!(f, "{head}")?,
                Some((first, others)) => {
                    self.edge(f, &head, first)?;
                    let blank = " ".repeat(head.len());
                    others.iter().try_for_each(|edge| self.edge(f, &blank, edge))?;
                }
            }
        }
        Ok(())
    }

    fn edge(&self, f: &mut fmt::Formatter<'_>, head: &str, edge: &Edge) -> fmt::Result {
        write!(f, "{head} ")?;
        self.action(f, &edge.action)?;
        if let Some(modifier) = edge.modifier {
            write!(f, " {modifier}")?;
        }
        write!(f, " -> {}", edge.target)?;
        if let Some(origin) = edge.origin {
            write!(f, " @{}..{}", origin.start, origin.end)?;
        }
        writeln!(f)
    }

    fn action(&self, f: &mut fmt::Formatter<'_>, action: &Action) -> fmt::Result {
        let names = &self.names;
        match action {
            Action::Skip => write!(f, "skip"),
            Action::On(pieces) => {
                write!(f, "on ")?;
                set(f, pieces.iter(), &names.pieces)
            }
            Action::At(squares) => {
                write!(f, "at ")?;
                set(f, squares.iter(), &names.squares)
            }
            Action::Compare(left, relation, right) => {
                let (left, right) = (names.expression(left), names.expression(right));
                write!(f, "compare {left} {} {right}", relation.symbol())
            }
            Action::Check(pattern) => write!(f, "check {pattern}"),
            Action::CheckNot(pattern) => write!(f, "check not {pattern}"),
            Action::Shift(direction) => write!(f, "shift {}", names.directions.spell(*direction)),
            Action::Walk(table) => write!(f, "walk {table}"),
            Action::Recall(register) => write!(f, "recall {}", names.registers.spell(*register)),
            Action::Jump(x, y) => {
                write!(f, "jump ({}, {})", names.expression(x), names.expression(y))
            }
            Action::Put(piece) => write!(f, "put {}", names.pieces.spell(*piece)),
            Action::PutHeld(register) => write!(f, "put held {}", names.registers.spell(*register)),
            Action::Assign(variable, value) => {
                let variable = names.variables.spell(*variable);
                write!(f, "assign {variable} = {}", names.expression(value))
            }
            Action::Save(register) => write!(f, "save {}", names.registers.spell(*register)),
            Action::Turn(player) => write!(f, "turn {}", names.players.spell(*player)),
            Action::Keeper => write!(f, "keeper"),
        }
    }
}

impl<'a> Vocabulary<'a> {
    /// The expression with as few parentheses as its structure allows.
    pub(crate) fn expression<'e>(
        &'e self,
        expression: &'e Expression,
    ) -> PrintedExpression<'e, 'a> {
        PrintedExpression { names: self, expression, loosest: 0 }
    }
}

/// An expression to be printed; in parentheses when it binds more loosely than its surroundings allow.
pub(crate) struct PrintedExpression<'e, 'a> {
    names: &'e Vocabulary<'a>,
    expression: &'e Expression,
    loosest: u8,
}

impl fmt::Display for PrintedExpression<'_, '_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = self.names;
        match self.expression {
            Expression::Constant(value) => write!(f, "{value}"),
            Expression::Variable(variable) => write!(f, "{}", names.variables.spell(*variable)),
            Expression::Count(piece) => write!(f, "count({})", names.pieces.spell(*piece)),
            Expression::Column(register) => {
                write!(f, "column({})", names.registers.spell(*register))
            }
            Expression::Row(register) => write!(f, "row({})", names.registers.spell(*register)),
            Expression::Binary(operator, left, right) => {
                let precedence = operator.precedence();
                let left = PrintedExpression { names, expression: left, loosest: precedence };
                let right = PrintedExpression { names, expression: right, loosest: precedence + 1 };
                if precedence < self.loosest {
                    write!(f, "({left} {} {right})", operator.symbol())
                } else {
                    write!(f, "{left} {} {right}", operator.symbol())
                }
            }
        }
    }
}

/// A text in quotes.
struct Quoted<'a>(&'a str);

impl fmt::Display for Quoted<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_quoted(f, self.0)
    }
}

/// A reason as it is written after its node.
struct PrintedReason<'a>(&'a Reason);

impl fmt::Display for PrintedReason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write_quoted(f, &self.0.text)?;
        self.0.drawn.iter().try_for_each(|drawn| write!(f, " drawn {}", Quoted(drawn)))
    }
}

/// A line of the looks; `None` if there are no properties.
fn look_line(
    what: &str,
    name: &Spelling<'_>,
    properties: impl Iterator<Item = String>,
) -> Option<String> {
    let properties: Vec<String> = properties.collect();
    (!properties.is_empty()).then(|| format!("{what} {name}: {}", properties.join(", ")))
}

/// Writes a section that is one line; writes nothing if it has no items.
fn section<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    keyword: &str,
    items: impl Iterator<Item = T>,
) -> fmt::Result {
    let mut items = items.peekable();
    if items.peek().is_none() {
        return Ok(());
    }
    write!(f, "{keyword} ")?;
    list(f, items)?;
    writeln!(f)
}

fn set<K: Id>(
    f: &mut fmt::Formatter<'_>,
    members: impl Iterator<Item = K>,
    names: &EntityNames<'_, K>,
) -> fmt::Result {
    write!(f, "{{")?;
    list(f, members.map(|member| names.spell(member)))?;
    write!(f, "}}")
}

fn list<T: fmt::Display>(
    f: &mut fmt::Formatter<'_>,
    items: impl Iterator<Item = T>,
) -> fmt::Result {
    for (index, item) in items.enumerate() {
        write!(f, "{}{item}", if index == 0 { "" } else { ", " })?;
    }
    Ok(())
}
