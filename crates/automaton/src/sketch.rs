//! What a drawing of a draft shows, whatever draws it: parts, marked nodes, and arrows with short labels.
//!
//! Any draft can be sketched: an index out of range is shown by its number.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::action::{Action, ActionKind};
use crate::draft::Draft;
use crate::ids::{Id, IdVec, Node, Player};
use crate::text::names::{EntityNames, Vocabulary};

/// The most members of a set that a label names.
const MAX_MEMBERS: usize = 6;
/// The most characters of a label.
const MAX_LABEL: usize = 40;
/// The most labels of one arrow.
const MAX_LABELS: usize = 8;

/// A draft as it is drawn.
pub(crate) struct Sketch {
    /// The rules, every pattern, and what neither can reach; every node is in exactly one part.
    pub(crate) parts: Vec<SketchPart>,
    /// Who acts in a node.
    pub(crate) actors: IdVec<Node, Option<Actor>>,
    /// The arrows that leave each node.
    pub(crate) arrows: IdVec<Node, Vec<Arrow>>,
    /// Why a game is over in a node.
    pub(crate) reasons: BTreeMap<Node, String>,
}

/// A finite automaton to be drawn, whatever its letters are.
#[derive(Clone, Debug)]
pub struct MachineSketch {
    /// What stands above it.
    pub caption: String,
    /// Where it begins.
    pub start: usize,
    /// For every state, whether it accepts.
    pub accepts: Vec<bool>,
    /// For every state, the labels of its steps and where they lead.
    pub steps: Vec<Vec<(String, usize)>>,
}

/// Nodes that belong together.
pub(crate) struct SketchPart {
    pub(crate) kind: PartKind,
    pub(crate) caption: String,
    /// The nodes in breadth-first order, so from the start when it exists.
    pub(crate) nodes: Vec<Node>,
    /// Where it begins.
    pub(crate) start: Option<Node>,
    /// Where it has succeeded.
    pub(crate) accepts: Vec<Node>,
}

/// What a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartKind {
    Rules,
    Pattern,
    Unreachable,
}

/// Who acts in a node: moves begin there.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Actor {
    Player(Player),
    Keeper,
}

/// All edges of one role between two nodes.
pub(crate) struct Arrow {
    pub(crate) target: Node,
    pub(crate) role: ArrowRole,
    /// A line per edge; the last may say how many are not shown.
    pub(crate) labels: Vec<String>,
}

/// How an arrow is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ArrowRole {
    /// A test or a walk.
    Quiet,
    /// A write.
    Write,
    /// The end of a move.
    Control(Actor),
}

impl Sketch {
    pub(crate) fn new(draft: &Draft) -> Sketch {
        let names = Vocabulary::of(draft);
        let reasons = draft.endings.at.iter().map(|(node, reason)| (*node, reason.text.clone()));
        Sketch {
            parts: parts(draft),
            actors: actors(draft),
            arrows: draft.nodes.keys().map(|node| arrows(draft, node, &names)).collect(),
            reasons: reasons.collect(),
        }
    }
}

impl SketchPart {
    pub(crate) fn accepts(&self, node: Node) -> bool {
        self.accepts.contains(&node)
    }
}

impl Sketch {
    /// Finite automata side by side, their nodes numbered one after the other.
    pub(crate) fn of_machines(machines: &[MachineSketch]) -> Sketch {
        let mut sketch = Sketch {
            parts: Vec::new(),
            actors: IdVec::new(),
            arrows: IdVec::new(),
            reasons: BTreeMap::new(),
        };
        for machine in machines {
            let first = sketch.arrows.len();
            let node = |state: usize| Node::from_index(first + state);
            for steps in &machine.steps {
                let edges =
                    steps.iter().map(|(label, to)| (node(*to), ArrowRole::Quiet, label.clone()));
                sketch.arrows.push(joined(edges));
                sketch.actors.push(None);
            }
            let states = 0..machine.steps.len();
            sketch.parts.push(SketchPart {
                kind: PartKind::Pattern,
                caption: machine.caption.clone(),
                nodes: states.clone().map(node).collect(),
                start: Some(node(machine.start)),
                accepts: states.filter(|&state| machine.accepts[state]).map(node).collect(),
            });
        }
        sketch
    }
}

fn parts(draft: &Draft) -> Vec<SketchPart> {
    let mut taken = IdVec::filled(false, draft.nodes.len());
    let mut parts = Vec::new();
    let mut add = |kind, caption, start: Option<Node>, accepts: Vec<Node>, roots: Vec<Node>| {
        let nodes = reached(draft, roots, &mut taken);
        if !nodes.is_empty() {
            parts.push(SketchPart { kind, caption, nodes, start, accepts });
        }
    };
    add(PartKind::Rules, "rules".to_owned(), Some(draft.start), Vec::new(), vec![draft.start]);
    for (pattern, info) in draft.patterns.iter() {
        let caption = format!("pattern {pattern}");
        let roots = vec![info.start, info.accept];
        add(PartKind::Pattern, caption, Some(info.start), vec![info.accept], roots);
    }
    let caption = "unreachable".to_owned();
    add(PartKind::Unreachable, caption, None, Vec::new(), draft.nodes.keys().collect());
    parts
}

/// The nodes reached from the roots, as far as they exist and are not taken yet.
fn reached(draft: &Draft, roots: Vec<Node>, taken: &mut IdVec<Node, bool>) -> Vec<Node> {
    let mut nodes = Vec::new();
    let mut next = 0;
    let mut take = |node: Node, nodes: &mut Vec<Node>| {
        if taken.contains(node) && !std::mem::replace(&mut taken[node], true) {
            nodes.push(node);
        }
    };
    for root in roots {
        take(root, &mut nodes);
        while let Some(&node) = nodes.get(next) {
            next += 1;
            draft.nodes[node].iter().for_each(|edge| take(edge.target, &mut nodes));
        }
    }
    nodes
}

fn actors(draft: &Draft) -> IdVec<Node, Option<Actor>> {
    let mut actors = IdVec::filled(None, draft.nodes.len());
    let mut mark = |node: Node, actor: Actor| {
        if actors.contains(node) {
            actors[node] = Some(actor);
        }
    };
    mark(draft.start, Actor::Keeper);
    for (_, edge) in draft.edges() {
        if let ArrowRole::Control(actor) = role(&edge.action) {
            mark(edge.target, actor);
        }
    }
    actors
}

fn role(action: &Action) -> ArrowRole {
    match action {
        Action::Turn(player) => ArrowRole::Control(Actor::Player(*player)),
        Action::Keeper => ArrowRole::Control(Actor::Keeper),
        _ if action.kind() == ActionKind::Write => ArrowRole::Write,
        _ => ArrowRole::Quiet,
    }
}

/// The arrows of a node in the order of their first edges.
fn arrows(draft: &Draft, node: Node, names: &Vocabulary<'_>) -> Vec<Arrow> {
    let edges = draft.nodes[node].iter();
    joined(edges.map(|edge| (edge.target, role(&edge.action), label(&edge.action, names))))
}

/// Edges of the same target and role as one arrow.
fn joined(edges: impl Iterator<Item = (Node, ArrowRole, String)>) -> Vec<Arrow> {
    let mut places = BTreeMap::new();
    let mut arrows: Vec<(Arrow, usize)> = Vec::new();
    for (target, role, label) in edges {
        let place = *places.entry((target, role)).or_insert(arrows.len());
        if place == arrows.len() {
            arrows.push((Arrow { target, role, labels: Vec::new() }, 0));
        }
        let (arrow, edges) = &mut arrows[place];
        *edges += 1;
        if *edges <= MAX_LABELS {
            arrow.labels.push(label);
        }
    }
    let finish = |(mut arrow, edges): (Arrow, usize)| {
        if edges > MAX_LABELS {
            arrow.labels.pop();
            arrow.labels.push(format!("… {} more", edges - arrow.labels.len()));
        }
        arrow
    };
    arrows.into_iter().map(finish).collect()
}

/// An action in short: `{w}` tests, `up` walks, `[e]` writes, `->white` ends the move.
pub(crate) fn label(action: &Action, names: &Vocabulary<'_>) -> String {
    let label = match action {
        Action::Skip => "ε".to_owned(),
        Action::On(pieces) => set(pieces.iter(), &names.pieces),
        Action::At(squares) => format!("at {}", set(squares.iter(), &names.squares)),
        Action::Compare(left, relation, right) => {
            let (left, right) = (names.expression(left), names.expression(right));
            format!("{left} {} {right}", relation.symbol())
        }
        Action::Check(pattern) => format!("{{? {pattern}}}"),
        Action::CheckNot(pattern) => format!("{{! {pattern}}}"),
        Action::Shift(direction) => names.directions.spell(*direction).to_string(),
        Action::Walk(table) => format!("walk {table}"),
        Action::Recall(register) => format!("recall {}", names.registers.spell(*register)),
        Action::Jump(x, y) => format!("jump ({}, {})", names.expression(x), names.expression(y)),
        Action::Put(piece) => format!("[{}]", names.pieces.spell(*piece)),
        Action::PutHeld(register) => format!("[held {}]", names.registers.spell(*register)),
        Action::Assign(variable, value) => {
            let variable = names.variables.spell(*variable);
            format!("[{variable} = {}]", names.expression(value))
        }
        Action::Save(register) => format!("[save {}]", names.registers.spell(*register)),
        Action::Turn(player) => format!("->{}", names.players.spell(*player)),
        Action::Keeper => "->>".to_owned(),
    };
    shortened(label)
}

fn set<K: Id>(members: impl Iterator<Item = K>, names: &EntityNames<'_, K>) -> String {
    let mut label = "{".to_owned();
    for (index, member) in members.enumerate() {
        if index == MAX_MEMBERS {
            label.push_str(", …");
            break;
        }
        let separator = if index == 0 { "" } else { ", " };
        // Writing to a string does not fail.
        let _ = write!(label, "{separator}{}", names.spell(member));
    }
    label.push('}');
    label
}

fn shortened(mut label: String) -> String {
    if let Some((end, _)) = label.char_indices().nth(MAX_LABEL) {
        label.truncate(end);
        label.push('…');
    }
    label
}
