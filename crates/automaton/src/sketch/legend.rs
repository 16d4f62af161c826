//! The legend of a picture: what the shapes, colours and invented names mean that occur in it.

use std::collections::BTreeSet;

use super::{Actor, ArrowRole, Sketch};
use crate::action::Action;
use crate::draft::{Draft, Edge};
use crate::ids::{Id, Node, Pattern, Register, Table};
use crate::wording::{ActionWords, Wording};

/// The most names of one kind that are explained.
const MAX_NAMES: usize = 24;
/// The most players who are explained.
const MAX_PLAYERS: usize = 12;
/// The most characters of an explanation.
const MAX_MEANING: usize = 120;

/// An explanation: something as it is drawn, and what it means.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct LegendEntry {
    pub(crate) sample: LegendSample,
    pub(crate) meaning: Wording,
}

/// Something as it is drawn.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum LegendSample {
    /// The arrow that points at where something begins.
    Start,
    /// A node in which someone acts.
    Acts(Actor),
    /// A node in which neither a player nor the keeper acts.
    Inner,
    /// Where a pattern has succeeded.
    Accept,
    /// Where games end.
    Over,
    /// What stands for a node that is drawn elsewhere.
    Stub,
    /// A turn that is folded.
    Folded(Option<Actor>),
    /// An arrow.
    Arrow(ArrowRole),
    /// A name or a word of a label.
    Name(String),
}

impl LegendSample {
    /// Samples of the same kind stand in one row.
    pub(crate) fn row(&self) -> usize {
        match self {
            LegendSample::Arrow(_) => 1,
            LegendSample::Name(_) => 2,
            _ => 0,
        }
    }
}

/// The legend of nodes and edges.
pub(super) fn of_detail(
    sketch: &Sketch,
    draft: &Draft,
    words: &ActionWords<'_>,
) -> Vec<LegendEntry> {
    let edges = drawn(sketch).flat_map(|node| &draft.nodes[node]);
    let mut entries = explained(node_samples(sketch), sketch, words);
    entries.extend(names(edges, words));
    entries
}

/// The legend of turns.
pub(super) fn of_overview(sketch: &Sketch, words: &ActionWords<'_>) -> Vec<LegendEntry> {
    let mut samples = BTreeSet::from([LegendSample::Start]);
    for node in sketch.nodes.values() {
        if node.actor.is_none_or(is_explained) {
            samples.insert(LegendSample::Folded(node.actor));
        }
        if node.is_over {
            samples.insert(LegendSample::Over);
        }
    }
    explained(samples, sketch, words)
}

/// The legend of finite automata.
pub(super) fn of_machines() -> Vec<LegendEntry> {
    [
        (LegendSample::Start, "start"),
        (LegendSample::Accept, "a word may end here"),
        (LegendSample::Arrow(ArrowRole::Test), "reads a letter; ε reads none"),
    ]
    .map(|(sample, meaning)| LegendEntry { sample, meaning: Wording::new(meaning.to_owned()) })
    .into()
}

impl Sketch {
    /// Adds what stubs mean to the legend, behind the other nodes; only the layout knows whether there are any.
    pub(crate) fn explain_stubs(&mut self) {
        let meaning = Wording::of_length("a node that is drawn elsewhere".to_owned(), MAX_MEANING);
        let entry = LegendEntry { sample: LegendSample::Stub, meaning };
        let nodes = self.legend.iter().take_while(|entry| entry.sample.row() == 0).count();
        self.legend.insert(nodes, entry);
    }
}

/// The nodes of all parts.
fn drawn(sketch: &Sketch) -> impl Iterator<Item = Node> + '_ {
    sketch.parts.iter().flat_map(|part| part.nodes.iter().copied())
}

/// Whether someone is one of the few who are explained.
fn is_explained(actor: Actor) -> bool {
    match actor {
        Actor::Keeper => true,
        Actor::Player(player) => player.index() < MAX_PLAYERS,
    }
}

fn node_samples(sketch: &Sketch) -> BTreeSet<LegendSample> {
    let mut samples = BTreeSet::new();
    for part in &sketch.parts {
        if part.start.is_some() {
            samples.insert(LegendSample::Start);
        }
        if !part.accepts.is_empty() {
            samples.insert(LegendSample::Accept);
        }
    }
    for node in drawn(sketch).map(|node| &sketch.nodes[node]) {
        if node.is_over {
            samples.insert(LegendSample::Over);
        }
        match node.actor {
            None => {
                samples.insert(LegendSample::Inner);
            }
            Some(actor) if is_explained(actor) => {
                samples.insert(LegendSample::Acts(actor));
            }
            Some(_) => {}
        }
    }
    samples
}

/// Explains samples of nodes, and the arrows that are drawn.
fn explained(
    mut samples: BTreeSet<LegendSample>,
    sketch: &Sketch,
    words: &ActionWords<'_>,
) -> Vec<LegendEntry> {
    let roles = drawn(sketch).flat_map(|node| &sketch.arrows[node]).map(|arrow| arrow.role);
    let is_few = |role: &ArrowRole| match role {
        ArrowRole::Control(actor) => is_explained(*actor),
        _ => true,
    };
    samples.extend(roles.filter(is_few).map(LegendSample::Arrow));
    samples.into_iter().map(|sample| entry(sample, words)).collect()
}

fn entry(sample: LegendSample, words: &ActionWords<'_>) -> LegendEntry {
    let name = |actor: &Actor| match actor {
        Actor::Keeper => "the keeper".to_owned(),
        Actor::Player(player) => words.names.players.spell(*player).to_string(),
    };
    let meaning = match &sample {
        LegendSample::Start => "start".to_owned(),
        LegendSample::Acts(Actor::Keeper) => {
            "the keeper acts: the rules go on by themselves".to_owned()
        }
        LegendSample::Acts(actor) => format!("{} to move", name(actor)),
        LegendSample::Inner => "in the middle of a move or check".to_owned(),
        LegendSample::Accept => "the check has succeeded".to_owned(),
        LegendSample::Over => "the game is over".to_owned(),
        LegendSample::Folded(Some(Actor::Keeper)) => {
            "a turn of the keeper: the rules go on by themselves".to_owned()
        }
        LegendSample::Folded(Some(actor)) => format!("a turn of {}", name(actor)),
        LegendSample::Folded(None) => "a turn of more than one".to_owned(),
        LegendSample::Arrow(ArrowRole::Test) => "a condition".to_owned(),
        LegendSample::Arrow(ArrowRole::Walk) => {
            "goes to another square, which is then the current one".to_owned()
        }
        LegendSample::Arrow(ArrowRole::Write) => {
            "changes the board, a score or a variable".to_owned()
        }
        LegendSample::Arrow(ArrowRole::Control(Actor::Keeper)) => {
            "ends the move; next: the keeper".to_owned()
        }
        LegendSample::Arrow(ArrowRole::Control(actor)) => {
            format!("ends the move; next: {}", name(actor))
        }
        LegendSample::Stub | LegendSample::Name(_) => String::new(),
    };
    LegendEntry { sample, meaning: Wording::of_length(meaning, MAX_MEANING) }
}

/// What the words of labels mean that are not the game's.
fn names<'e>(edges: impl Iterator<Item = &'e Edge>, words: &ActionWords<'_>) -> Vec<LegendEntry> {
    let mut tables: BTreeSet<Table> = BTreeSet::new();
    let mut patterns: BTreeSet<Pattern> = BTreeSet::new();
    let mut registers: BTreeSet<Register> = BTreeSet::new();
    let (mut skips, mut tests, mut puts) = (false, false, false);
    for Edge { action, .. } in edges {
        match action {
            Action::Skip => skips = true,
            Action::On(_) => tests = true,
            Action::Put(_) => puts = true,
            Action::Walk(table) => {
                tables.insert(*table);
            }
            Action::Recall(register) | Action::Save(register) | Action::PutHeld(register) => {
                registers.insert(*register);
            }
            _ => {}
        }
        patterns.extend(action.pattern());
    }
    let mut entries = Vec::new();
    let mut explain = |name: String, meaning: String| {
        let meaning = Wording::of_length(meaning, MAX_MEANING);
        entries.push(LegendEntry { sample: LegendSample::Name(name), meaning });
    };
    if tests {
        explain("on x".to_owned(), "the current square holds x".to_owned());
    }
    if puts {
        explain("put x".to_owned(), "puts x on the current square".to_owned());
    }
    if skips {
        explain("ε".to_owned(), "goes on".to_owned());
    }
    if !patterns.is_empty() {
        explain("if k".to_owned(), "the pattern k leads to its end in some way".to_owned());
        explain("unless k".to_owned(), "it does not".to_owned());
    }
    for pattern in patterns.into_iter().take(MAX_NAMES) {
        if let Some(path) = words.path(pattern) {
            explain(pattern.to_string(), path);
        }
    }
    registers.remove(&Register::CURSOR);
    for register in registers.into_iter().take(MAX_NAMES) {
        explain(words.register(register), "a square that is remembered".to_owned());
    }
    let inexact = tables.into_iter().filter_map(|table| Some((table, words.inexact_table(table)?)));
    for (table, rows) in inexact.take(MAX_NAMES) {
        explain(table.to_string(), rows);
    }
    entries
}
