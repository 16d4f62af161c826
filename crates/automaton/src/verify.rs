//! The verifier: every invariant an [`crate::Automaton`] keeps, all violations found in one run.
//!
//! 1. Sizes: 1 to 65,535 squares, 1 to 255 pieces, 1 to 254 players, variable bounds from 0.
//! 2. Names are words of the text form, and unique among pieces, variables, registers, directions, squares.
//! 3. The first variables are the scores, named as the players; the first register is `cursor`.
//! 4. Every index is in range; every square has coordinates of its own and an entry for every direction; a table has
//!    one row or a row for every square, and rows ascend.
//! 5. A modifier stands on writes and control outside patterns and nowhere else; edges that share a modifier have
//!    the same action and the same target, so that a move is one path whichever of them it takes.
//! 6. Patterns hold no control; no node belongs to two patterns, or to a pattern and the rules; no pattern contains
//!    itself. The cursor is not saved, recalled or held.
//! 7. Looks: one entry for each piece and each player; owners exist; symbols have 1 to 3 characters, none of them white
//!    space or a control character; names are not empty and have no control characters; there are no names of columns
//!    (or rows), or at least one for each column (row) of the board, and they are names for people too.
//! 8. Endings: their nodes exist; their texts are not empty and have no control characters.
//! 9. Repetition: 2 to 1,000,000 times; a score for each player, from 0 to its bound; the ignored variables exist and
//!    ascend; the node `over` exists, has no edges and belongs to no pattern.
//! 10. The lists of squares to shuffle have one length, at least 1; their squares exist, each in one list at most.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt;

use crate::action::{Action, ActionKind, Expression};
use crate::components::components;
use crate::draft::{Draft, Edge, WalkTable};
use crate::endings::{Reason, Repetition};
use crate::ids::{IdVec, Node, Pattern, Player, Register, Square};
use crate::lists::Lists;

/// The most patterns within each other. Engines follow them by recursion.
pub const MAX_NESTING: usize = 512;
/// The most squares a board may have.
pub const MAX_SQUARES: usize = 65_535;
/// The most kinds of piece a game may have.
pub const MAX_PIECES: usize = 255;
/// The most players a game may have.
pub const MAX_PLAYERS: usize = 254;
/// The most characters the symbol of a piece may have.
pub const MAX_SYMBOL: usize = 3;
/// The greatest number of times that a position may be allowed to occur.
pub const MAX_TIMES: u32 = 1_000_000;

/// All the invariants that a draft violates; never empty.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Violations {
    messages: Vec<String>,
}

impl Violations {
    /// One sentence for each violation.
    #[must_use]
    pub fn messages(&self) -> &[String] {
        &self.messages
    }
}

impl fmt::Display for Violations {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the automaton is not well-formed: {}", self.messages.join("; "))
    }
}

impl std::error::Error for Violations {}

/// Whether a name can stand in the text form: not empty, no white space, none of `,{}()="` and no leading `#` or `@`.
#[must_use]
pub fn is_name(name: &str) -> bool {
    !name.is_empty()
        && !name.starts_with(['#', '@'])
        && !name.chars().any(|c| c.is_whitespace() || c.is_control() || ",{}()=\"".contains(c))
}

/// Whether a text can be shown to people on one line: not empty and without control characters.
#[must_use]
pub fn is_text(text: &str) -> bool {
    !text.is_empty() && !text.chars().any(char::is_control)
}

/// Whether a text can be the symbol of a piece: 1 to 3 characters, none of them white space or a control character.
#[must_use]
pub fn is_symbol(text: &str) -> bool {
    (1..=MAX_SYMBOL).contains(&text.chars().take(MAX_SYMBOL + 1).count())
        && !text.chars().any(|c| c.is_whitespace() || c.is_control())
}

pub(crate) fn verify(draft: &Draft) -> Result<(), Violations> {
    let mut verifier = Verifier { draft, messages: Vec::new() };
    verifier.declarations();
    verifier.board();
    verifier.shuffle();
    verifier.tables();
    let regions = verifier.edges().then(|| regions(draft));
    if let Some(regions) = &regions {
        verifier.modifiers(regions);
        verifier.patterns(regions);
    }
    verifier.looks();
    verifier.endings();
    if let Some(repetition) = &draft.repetition {
        verifier.repetition(repetition, regions.as_ref());
    }
    if verifier.messages.is_empty() {
        Ok(())
    } else {
        Err(Violations { messages: verifier.messages })
    }
}

struct Verifier<'a> {
    draft: &'a Draft,
    messages: Vec<String>,
}

impl Verifier<'_> {
    fn require(&mut self, holds: bool, message: impl FnOnce() -> String) {
        if !holds {
            self.messages.push(message());
        }
    }

    fn declarations(&mut self) {
        let draft = self.draft;
        self.size("players", draft.players.len(), MAX_PLAYERS);
        self.size("pieces", draft.pieces.len(), MAX_PIECES);
        self.size("squares", draft.board.squares.len(), MAX_SQUARES);
        self.names("piece", draft.pieces.values().map(String::as_str));
        self.names("variable", draft.variables.values().map(|variable| variable.name.as_str()));
        self.names("register", draft.registers.values().map(String::as_str));
        self.names("direction", draft.board.directions.values().map(String::as_str));
        self.names("square", draft.board.squares.values().map(|square| square.name.as_str()));
        for (player, name) in draft.players.iter() {
            let score = draft.variables.get(player.score());
            self.require(score.is_some_and(|score| score.name == *name), || {
                format!("{player} `{name}` has no score variable of its name")
            });
        }
        for (variable, info) in draft.variables.iter() {
            self.require(info.bound >= 0, || {
                format!("{variable} `{}` has the bound {}", info.name, info.bound)
            });
        }
        let first = draft.registers.get(Register::CURSOR);
        self.require(first.is_some_and(|name| name == "cursor"), || {
            "the first register is not `cursor`".to_owned()
        });
    }

    fn size(&mut self, what: &str, size: usize, limit: usize) {
        self.require((1..=limit).contains(&size), || {
            format!("{size} {what}; 1 to {limit} are allowed")
        });
    }

    fn names<'n>(&mut self, what: &str, names: impl Iterator<Item = &'n str>) {
        let mut seen = BTreeMap::new();
        for name in names {
            self.require(is_name(name), || {
                format!("the {what} name {name:?} cannot be written in the text form")
            });
            let before = seen.insert(name, ());
            self.require(before.is_none(), || format!("the {what} name `{name}` is used twice"));
        }
    }

    fn board(&mut self) {
        let board = &self.draft.board;
        let mut places = BTreeMap::new();
        for (square, info) in board.squares.iter() {
            let name = &info.name;
            let known = self.draft.pieces.contains(info.piece);
            self.require(known, || {
                format!("{square} `{name}` holds {}, which does not exist", info.piece)
            });
            self.require(info.neighbours.len() == board.directions.len(), || {
                format!("{square} `{name}` has {} directions", info.neighbours.len())
            });
            let inside =
                info.neighbours.values().flatten().all(|&target| board.squares.contains(target));
            self.require(inside, || {
                format!("{square} `{name}` has a neighbour that does not exist")
            });
            let before = places.insert((info.x, info.y), square);
            self.require(before.is_none(), || format!("{square} `{name}` lies on another square"));
        }
    }

    fn tables(&mut self) {
        let squares = &self.draft.board.squares;
        for (table, walk) in self.draft.tables.iter() {
            let rows: Vec<&Vec<Square>> = match walk {
                WalkTable::Everywhere(row) => vec![row],
                WalkTable::PerSquare(rows) => {
                    self.require(rows.len() == squares.len(), || {
                        format!("{table} has {} rows", rows.len())
                    });
                    rows.iter().collect()
                }
            };
            let good = rows.iter().all(|row| {
                row.is_sorted_by(|a, b| a < b) && row.iter().all(|&s| squares.contains(s))
            });
            self.require(good, || format!("a row of {table} does not ascend or leaves the board"));
        }
    }

    /// Checks the indices of all edges and patterns, and of the start; returns whether they are all in range.
    fn edges(&mut self) -> bool {
        let before = self.messages.len();
        self.require(self.draft.nodes.contains(self.draft.start), || {
            format!("the start {} does not exist", self.draft.start)
        });
        for (from, edge) in self.draft.edges() {
            let target_exists = self.draft.nodes.contains(edge.target);
            self.require(target_exists, || {
                format!("an edge of {from} leads to {}, which does not exist", edge.target)
            });
            let known = self.action_in_range(&edge.action);
            self.require(known, || {
                format!("an edge of {from} refers to what does not exist: {:?}", edge.action)
            });
        }
        for (pattern, info) in self.draft.patterns.iter() {
            let exist =
                self.draft.nodes.contains(info.start) && self.draft.nodes.contains(info.accept);
            self.require(exist, || format!("the start or end of {pattern} does not exist"));
        }
        self.messages.len() == before
    }

    fn action_in_range(&self, action: &Action) -> bool {
        let draft = self.draft;
        match action {
            Action::Skip | Action::Keeper => true,
            Action::On(pieces) => pieces.iter().all(|piece| draft.pieces.contains(piece)),
            Action::At(squares) => {
                squares.iter().all(|square| draft.board.squares.contains(square))
            }
            Action::Compare(left, _, right) | Action::Jump(left, right) => {
                self.in_range(left) && self.in_range(right)
            }
            Action::Check(pattern) | Action::CheckNot(pattern) => draft.patterns.contains(*pattern),
            Action::Shift(direction) => draft.board.directions.contains(*direction),
            Action::Walk(table) => draft.tables.contains(*table),
            Action::Recall(register) | Action::PutHeld(register) | Action::Save(register) => {
                draft.registers.contains(*register)
            }
            Action::Put(piece) => draft.pieces.contains(*piece),
            Action::Assign(variable, value) => {
                draft.variables.contains(*variable) && self.in_range(value)
            }
            Action::Turn(player) => draft.players.contains(*player),
        }
    }

    fn in_range(&self, expression: &Expression) -> bool {
        let mut good = true;
        expression.visit(&mut |part| {
            good &= match part {
                Expression::Constant(_) | Expression::Binary(..) => true,
                Expression::Variable(variable) => self.draft.variables.contains(*variable),
                Expression::Count(piece) => self.draft.pieces.contains(*piece),
                Expression::Column(register) | Expression::Row(register) => {
                    self.draft.registers.contains(*register)
                }
            };
        });
        good
    }

    fn modifiers(&mut self, regions: &IdVec<Node, Regions>) {
        let mut meanings: BTreeMap<_, (&Action, Node)> = BTreeMap::new();
        for (from, edge) in self.draft.edges() {
            let in_rules = regions[from].contains(Region::Rules);
            let expected = edge.action.is_modifier() && in_rules;
            // An unreachable node belongs to no region; nothing is asked of it.
            self.require(
                regions[from] == Regions::None || edge.modifier.is_some() == expected,
                || {
                    format!(
                        "an edge of {from} should {}have a modifier",
                        if expected { "" } else { "not " }
                    )
                },
            );
            if let Some(modifier) = edge.modifier {
                let meaning = (&edge.action, edge.target);
                let first = *meanings.entry(modifier).or_insert(meaning);
                self.require(first == meaning, || {
                    format!("edges that share the modifier {modifier} differ")
                });
            }
        }
    }

    fn patterns(&mut self, regions: &IdVec<Node, Regions>) {
        for (node, regions) in regions.iter() {
            if let Regions::Two(one, other) = regions {
                self.messages.push(format!("{node} belongs to {one} and to {other} at once"));
            }
        }
        for (from, edge) in self.draft.edges() {
            let control_in_pattern =
                edge.action.kind() == ActionKind::Control && regions[from].include_a_pattern();
            self.require(!control_in_pattern, || {
                format!("an edge of {from} ends the move inside a pattern")
            });
            let of_cursor = matches!(
                edge.action,
                Action::Save(Register::CURSOR)
                    | Action::Recall(Register::CURSOR)
                    | Action::PutHeld(Register::CURSOR)
            );
            self.require(!of_cursor, || {
                format!("an edge of {from} uses the cursor as if it were another register")
            });
        }
        let cyclic = pattern_order(self.draft).is_none();
        self.require(!cyclic, || "a pattern contains itself".to_owned());
        let nesting = if cyclic { 0 } else { pattern_nesting(self.draft) };
        self.require(nesting <= MAX_NESTING, || {
            format!("patterns within each other: {nesting}; at most {MAX_NESTING} are allowed")
        });
    }

    fn looks(&mut self) {
        let draft = self.draft;
        let looks = &draft.looks;
        self.require(looks.pieces.len() == draft.pieces.len(), || {
            format!("{} looks for {} pieces", looks.pieces.len(), draft.pieces.len())
        });
        self.require(looks.players.len() == draft.players.len(), || {
            format!("{} looks for {} players", looks.players.len(), draft.players.len())
        });
        for (piece, look) in looks.pieces.iter() {
            let owner = look.owner.unwrap_or(Player(0));
            self.require(look.owner.is_none() || draft.players.contains(owner), || {
                format!("{piece} belongs to {owner}, which does not exist")
            });
            self.require(is_symbol(&look.symbol), || {
                format!("{:?} is not a valid symbol for {piece}", look.symbol)
            });
            self.require(is_text(&look.name), || {
                format!("{:?} is not a valid name for {piece}", look.name)
            });
        }
        for (player, look) in looks.players.iter() {
            self.require(is_text(&look.name), || {
                format!("{:?} is not a valid name for {player}", look.name)
            });
        }
        let squares = draft.board.squares.values();
        self.lines("columns", &looks.columns, &squares.clone().map(|square| square.x).collect());
        self.lines("rows", &looks.rows, &squares.map(|square| square.y).collect());
        let variables = looks.hands.iter().map(|hand| hand.variable);
        for variable in variables.chain(looks.counters.iter().map(|counter| counter.variable)) {
            self.require(draft.variables.contains(variable), || {
                format!("{variable}, which is shown to people, does not exist")
            });
        }
        for hand in &looks.hands {
            let owner = looks.pieces.get(hand.piece).and_then(|look| look.owner);
            self.require(owner.is_some(), || format!("no player can hold {}", hand.piece));
        }
        for counter in &looks.counters {
            self.require(is_text(&counter.name), || {
                format!("{:?} is no name for {}", counter.name, counter.variable)
            });
        }
        for side in &looks.sides {
            self.require(draft.players.contains(side.player), || {
                format!("a side belongs to {}, which does not exist", side.player)
            });
        }
    }

    /// Checks the names of columns or rows, which lie at these coordinates.
    fn lines(&mut self, what: &str, names: &[String], places: &BTreeSet<i32>) {
        self.require(names.is_empty() || names.len() >= places.len(), || {
            format!("{} names for {} {what}", names.len(), places.len())
        });
        for name in names {
            self.require(is_text(name), || {
                format!("{name:?} is not a valid name for one of the {what}")
            });
        }
    }

    fn endings(&mut self) {
        let draft = self.draft;
        for (node, reason) in &draft.endings.at {
            self.require(draft.nodes.contains(*node), || {
                format!("{node}, which has a reason for an end, does not exist")
            });
            self.reason(reason);
        }
        if let Some(reason) = &draft.endings.stuck {
            self.reason(reason);
        }
    }

    fn reason(&mut self, reason: &Reason) {
        for text in std::iter::once(&reason.text).chain(&reason.drawn) {
            self.require(is_text(text), || format!("{text:?} is not a valid reason for an end"));
        }
    }

    fn shuffle(&mut self) {
        let draft = self.draft;
        let Some(first) = draft.shuffle.first() else { return };
        let alike = draft.shuffle.iter().all(|squares| squares.len() == first.len());
        self.require(alike && !first.is_empty(), || {
            "the lists of squares to shuffle are empty or not of one length".to_owned()
        });
        let mut seen = BTreeSet::new();
        for &square in draft.shuffle.iter().flatten() {
            self.require(draft.board.squares.contains(square), || {
                format!("{square}, which is shuffled, does not exist")
            });
            self.require(seen.insert(square), || format!("{square} is shuffled twice"));
        }
    }

    fn repetition(&mut self, repetition: &Repetition, regions: Option<&IdVec<Node, Regions>>) {
        let draft = self.draft;
        let Repetition { times, scores, ignored, over } = repetition;
        self.require((2..=MAX_TIMES).contains(times), || {
            format!(
                "a game ends when a position occurs {times} times; 2 to {MAX_TIMES} are allowed"
            )
        });
        self.require(scores.len() == draft.players.len(), || {
            format!("{} scores after repetition for {} players", scores.len(), draft.players.len())
        });
        for (player, &score) in scores.iter() {
            let bound = draft.variables.get(player.score()).map_or(i32::MAX, |info| info.bound);
            self.require((0..=bound).contains(&score), || {
                format!("{player} gets {score} after repetition; 0 to {bound} are allowed")
            });
        }
        let known = ignored.iter().all(|&variable| draft.variables.contains(variable));
        self.require(known, || "repetition ignores a variable that does not exist".to_owned());
        self.require(ignored.is_sorted_by(|a, b| a < b), || {
            "the variables that repetition ignores do not ascend".to_owned()
        });
        match draft.nodes.get(*over) {
            None => self.messages.push(format!("{over}, where repetition leads, does not exist")),
            Some(edges) => self
                .require(edges.is_empty(), || format!("{over}, where repetition leads, has edges")),
        }
        let in_pattern = regions
            .and_then(|regions| regions.get(*over))
            .is_some_and(|regions| regions.include_a_pattern());
        self.require(!in_pattern, || format!("{over}, where repetition leads, is in a pattern"));
    }
}

/// Where a node belongs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Region {
    /// The rules themselves.
    Rules,
    /// The inside of a check.
    Pattern(Pattern),
}

impl fmt::Display for Region {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Region::Rules => write!(f, "the rules"),
            Region::Pattern(pattern) => write!(f, "{pattern}"),
        }
    }
}

/// The regions that a node can be reached in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Regions {
    /// None: nothing leads to the node.
    None,
    /// One, like all nodes of an automaton that can be reached.
    One(Region),
    /// Two, and perhaps more; following all would take quadratic time.
    Two(Region, Region),
}

impl Regions {
    fn include_a_pattern(self) -> bool {
        !matches!(self, Regions::None | Regions::One(Region::Rules))
    }

    fn contains(self, region: Region) -> bool {
        match self {
            Regions::None => false,
            Regions::One(one) => one == region,
            Regions::Two(one, other) => one == region || other == region,
        }
    }
}

/// For each node the regions it can be reached in.
#[must_use]
pub fn regions(draft: &Draft) -> IdVec<Node, Regions> {
    let mut regions = IdVec::filled(Regions::None, draft.nodes.len());
    let mut roots = vec![(Region::Rules, draft.start)];
    let mut seen_patterns = IdVec::<Pattern, bool>::filled(false, draft.patterns.len());
    while let Some((region, root)) = roots.pop() {
        let mut stack = vec![root];
        if let Region::Pattern(pattern) = region {
            stack.push(draft.patterns[pattern].accept);
        }
        while let Some(node) = stack.pop() {
            match regions[node] {
                Regions::None => regions[node] = Regions::One(region),
                Regions::One(one) if one != region => regions[node] = Regions::Two(one, region),
                Regions::One(_) | Regions::Two(..) => continue,
            }
            for edge in &draft.nodes[node] {
                stack.push(edge.target);
                if let Some(pattern) = edge.action.pattern()
                    && !std::mem::replace(&mut seen_patterns[pattern], true)
                {
                    roots.push((Region::Pattern(pattern), draft.patterns[pattern].start));
                }
            }
        }
    }
    regions
}

/// How many patterns there are within each other, which do not contain themselves.
#[must_use]
pub fn pattern_nesting(draft: &Draft) -> usize {
    let components = components(&successors_and_patterns(draft));
    let mut nodes: Vec<Node> = draft.nodes.keys().collect();
    // Those that others lead to come first.
    nodes.sort_by_key(|&node| components[node]);
    let count = nodes.last().map_or(0, |&last| components[last] as usize + 1);
    let mut nesting = vec![0; count];
    for node in nodes {
        let here = components[node] as usize;
        for edge in &draft.nodes[node] {
            let inside = edge.action.pattern().map_or(0, |pattern| {
                1 + nesting[components[draft.patterns[pattern].start] as usize]
            });
            nesting[here] =
                nesting[here].max(inside).max(nesting[components[edge.target] as usize]);
        }
    }
    nesting.into_iter().max().unwrap_or(0)
}

/// For each node where its edges lead, and where the patterns begin that they ask.
fn successors_and_patterns(draft: &Draft) -> Lists<Node> {
    let inside = |edge: &Edge| edge.action.pattern().map(|pattern| draft.patterns[pattern].start);
    let successors = draft.nodes.values().map(|edges| {
        edges.iter().flat_map(|edge| std::iter::once(edge.target).chain(inside(edge)))
    });
    successors.collect()
}

/// The patterns in an order in which each comes after those it contains; `None` if one contains itself.
#[must_use]
pub fn pattern_order(draft: &Draft) -> Option<Vec<Pattern>> {
    let inside = |edge: &Edge| edge.action.pattern().map(|pattern| draft.patterns[pattern].start);
    let components = components(&successors_and_patterns(draft));
    // A pattern contains itself when a check in it leads back to where it came from.
    let cyclic = draft.edges().any(|(from, edge)| {
        inside(edge).is_some_and(|start| components[start] == components[from])
    });
    let mut order: Vec<Pattern> = draft.patterns.keys().collect();
    order.sort_by_key(|&pattern| components[draft.patterns[pattern].start]);
    (!cyclic).then_some(order)
}
