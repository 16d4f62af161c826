//! What a drawing of a draft shows, whatever draws it: parts, nodes, arrows with words, and the legend that explains them.
//!
//! Any draft can be sketched: an index out of range is shown by its number.

mod legend;
mod overview;
mod parts;
mod turns;

use std::collections::{BTreeMap, BTreeSet};

pub(crate) use self::legend::{LegendEntry, LegendSample};
use self::turns::TurnFolds;
use crate::action::{Action, ActionKind};
use crate::draft::{Draft, Edge};
use crate::ids::{Id, IdVec, Node, Player};
use crate::wording::{ActionWords, Wording, broken};

/// Automata with more nodes are folded, or drawn turn by turn.
const MAX_WHOLE: usize = 64;
/// The most characters of a line that says why games end.
const REASON: usize = 26;
/// The most labels of one arrow.
const MAX_LABELS: usize = 8;

/// How much of an automaton a picture shows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum GraphScope {
    /// All of a small automaton; of a large one the turns, each as one box.
    #[default]
    Folded,
    /// All nodes and edges; of a large automaton turn by turn.
    Unfolded,
    /// One turn in detail, and the patterns that it checks. Turns are numbered from 1, as in the folded picture.
    Turn(usize),
}

/// A draft as it is drawn.
pub(crate) struct Sketch {
    /// What is drawn, in a few words.
    pub(crate) summary: String,
    /// Nodes that are drawn together; a node is in at most one part.
    pub(crate) parts: Vec<SketchPart>,
    pub(crate) nodes: IdVec<Node, NodeSketch>,
    /// The arrows that leave each node.
    pub(crate) arrows: IdVec<Node, Vec<Arrow>>,
    pub(crate) legend: Vec<LegendEntry>,
    /// What is left out, if anything is.
    pub(crate) note: Option<String>,
}

/// A node as it is drawn.
#[derive(Clone, Debug)]
pub(crate) struct NodeSketch {
    /// Who acts in it.
    pub(crate) actor: Option<Actor>,
    /// What stands in it.
    pub(crate) lines: Vec<String>,
    /// What stands for it in another part.
    pub(crate) elsewhere: String,
    /// What more there is to say.
    pub(crate) hint: Option<String>,
    /// Whether games end in it.
    pub(crate) is_over: bool,
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
    pub(crate) accepts: BTreeSet<Node>,
}

/// What a part is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum PartKind {
    Rules,
    Turn,
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
#[derive(Clone, Debug)]
pub(crate) struct Arrow {
    pub(crate) target: Node,
    pub(crate) role: ArrowRole,
    /// A line per edge; the last may say how many are not shown.
    pub(crate) labels: Vec<Wording>,
}

/// How an arrow is drawn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum ArrowRole {
    Test,
    Walk,
    Write,
    /// The end of a move.
    Control(Actor),
}

/// How many turns the folded picture of an automaton has; they are numbered from 1.
///
/// ```
/// let game = "players white 1\npieces e\nboard point\n  a e (0, 0)\nrules n0\n  n0: turn white #0 -> n1\n  n1: keeper #1 -> n0";
/// assert_eq!(regulus_automaton::turn_count(&game.parse()?), 2);
/// # Ok::<(), regulus_automaton::TextErrors>(())
/// ```
#[must_use]
pub fn turn_count(draft: &Draft) -> usize {
    TurnFolds::of(draft).turns.len()
}

impl Sketch {
    pub(crate) fn new(draft: &Draft, scope: GraphScope) -> Sketch {
        match scope {
            GraphScope::Folded if draft.nodes.len() > MAX_WHOLE => {
                let folds = TurnFolds::of(draft);
                // Folding one turn would leave nothing to see.
                if folds.turns.len() > 1 {
                    overview::sketch(draft, &folds)
                } else {
                    unfolded(draft)
                }
            }
            GraphScope::Folded | GraphScope::Unfolded => unfolded(draft),
            GraphScope::Turn(number) => turn(draft, number),
        }
    }

    /// What a node is called where something else stands for it.
    pub(crate) fn elsewhere(&self, node: Node) -> String {
        self.nodes.get(node).map_or_else(|| node.to_string(), |sketch| sketch.elsewhere.clone())
    }
}

/// All of an automaton: the rules in one part if it is small, else by turns.
fn unfolded(draft: &Draft) -> Sketch {
    let summary = counted(draft.nodes.len(), draft.edge_count());
    if draft.nodes.len() <= MAX_WHOLE {
        return detailed(
            draft,
            parts::whole(draft),
            summary,
            &IdVec::filled(None, draft.nodes.len()),
        );
    }
    let folds = TurnFolds::of(draft);
    let summary = format!("{summary}, {} turns", folds.turns.len());
    detailed(draft, parts::by_turn(draft, &folds), summary, &folds.of_node(draft))
}

/// One turn with its patterns.
fn turn(draft: &Draft, number: usize) -> Sketch {
    let folds = TurnFolds::of(draft);
    let parts = match number.checked_sub(1).and_then(|index| folds.turns.get(index)) {
        Some(turn) => parts::of_turn(draft, turn, number),
        None => Vec::new(),
    };
    let nodes = parts.iter().map(|part| part.nodes.len()).sum();
    let edges = parts.iter().flat_map(|part| &part.nodes).map(|&node| draft.nodes[node].len());
    let summary =
        format!("turn {number} of {}: {}", folds.turns.len(), counted(nodes, edges.sum()));
    detailed(draft, parts, summary, &folds.of_node(draft))
}

fn counted(nodes: usize, edges: usize) -> String {
    let plural = |count: usize| if count == 1 { "" } else { "s" };
    format!("{nodes} node{}, {edges} edge{}", plural(nodes), plural(edges))
}

/// Parts with all their nodes and edges; `turns` says in which turn a node is that another part refers to.
fn detailed(
    draft: &Draft,
    parts: Vec<SketchPart>,
    summary: String,
    turns: &IdVec<Node, Option<usize>>,
) -> Sketch {
    let words = ActionWords::of(draft);
    let actors = actors(draft);
    let mut in_rules = IdVec::filled(false, draft.nodes.len());
    for part in parts.iter().filter(|part| matches!(part.kind, PartKind::Rules | PartKind::Turn)) {
        part.nodes.iter().for_each(|&node| in_rules[node] = true);
    }
    let mut drawn = IdVec::filled(false, draft.nodes.len());
    parts.iter().flat_map(|part| &part.nodes).for_each(|&node| drawn[node] = true);
    let nodes = draft.nodes.iter().map(|(node, edges)| {
        let reason = words.reason(node);
        let (reason_lines, is_cut) = match &reason {
            Some(reason) => broken(reason, REASON, MAX_LABELS),
            None => (Vec::new(), false),
        };
        NodeSketch {
            actor: actors[node],
            lines: std::iter::once(node.to_string()).chain(reason_lines).collect(),
            elsewhere: match turns[node] {
                Some(turn) => format!("{node} (turn {turn})"),
                None => node.to_string(),
            },
            hint: reason.filter(|_| is_cut),
            is_over: in_rules[node] && edges.is_empty(),
        }
    });
    let arrows = draft.nodes.iter().map(|(node, edges)| {
        let edges: &[Edge] = if drawn[node] { edges } else { &[] };
        let label = |edge: &Edge| (edge.target, role(&edge.action), words.action(&edge.action));
        joined(edges.iter().map(label))
    });
    let mut sketch = Sketch {
        summary,
        nodes: nodes.collect(),
        arrows: arrows.collect(),
        parts,
        legend: Vec::new(),
        note: None,
    };
    sketch.legend = legend::of_detail(&sketch, draft, &words);
    sketch
}

impl Sketch {
    /// Finite automata side by side, their nodes numbered one after the other.
    pub(crate) fn of_machines(machines: &[MachineSketch]) -> Sketch {
        let mut sketch = Sketch {
            summary: String::new(),
            parts: Vec::new(),
            nodes: IdVec::new(),
            arrows: IdVec::new(),
            legend: Vec::new(),
            note: None,
        };
        for machine in machines {
            let first = sketch.arrows.len();
            let node = |state: usize| Node::from_index(first + state);
            for steps in &machine.steps {
                let label = |(label, to): &(String, usize)| {
                    (node(*to), ArrowRole::Test, Wording::new(label.clone()))
                };
                let name = Node::from_index(sketch.arrows.len()).to_string();
                sketch.arrows.push(joined(steps.iter().map(label)));
                sketch.nodes.push(NodeSketch {
                    actor: None,
                    lines: vec![name.clone()],
                    elsewhere: name,
                    hint: None,
                    is_over: false,
                });
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
        sketch.legend = legend::of_machines();
        sketch
    }
}

impl SketchPart {
    pub(crate) fn accepts(&self, node: Node) -> bool {
        self.accepts.contains(&node)
    }
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
        _ => match action.kind() {
            ActionKind::Walk => ArrowRole::Walk,
            ActionKind::Write => ArrowRole::Write,
            ActionKind::Test | ActionKind::Control => ArrowRole::Test,
        },
    }
}

/// Edges of the same target and role as one arrow.
fn joined(edges: impl Iterator<Item = (Node, ArrowRole, Wording)>) -> Vec<Arrow> {
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
            arrow.labels.push(Wording::new(format!("… {} more", edges - arrow.labels.len())));
        }
        arrow
    };
    arrows.into_iter().map(finish).collect()
}
