//! The folded picture of an automaton: a box for each turn.

use std::collections::BTreeSet;

use super::turns::{TurnFold, TurnFolds};
use super::{Arrow, ArrowRole, NodeSketch, PartKind, Sketch, SketchPart, counted, legend};
use crate::draft::Draft;
use crate::ids::{Id, Node, Variable};
use crate::wording::{ActionWords, Wording, broken};

/// The most characters of a line, and the most lines of one kind in a box.
const LINE: usize = 38;
const MAX_LINES: usize = 3;
/// The most variables that are named.
const MAX_NAMED: usize = 4;

/// The turns of an automaton, with what each of them puts and changes.
pub(super) fn sketch(draft: &Draft, folds: &TurnFolds) -> Sketch {
    let words = ActionWords::of(draft);
    let nodes = (1..).zip(&folds.turns).map(|(number, turn)| node(draft, turn, number, &words));
    let arrows = folds.next().into_iter().enumerate().map(|(from, next)| {
        // Boxes say who acts in them, so that only a loop, which is written rather than drawn, needs a word.
        let word = |turn| (turn == from).then(|| Wording::new("again".to_owned()));
        let arrow = |(turn, actor)| Arrow {
            target: Node::from_index(turn),
            role: ArrowRole::Control(actor),
            labels: word(turn).into_iter().collect(),
        };
        next.into_iter().map(arrow).collect()
    });
    let begins = |turn: &TurnFold| turn.entries.contains(&draft.start);
    let part = SketchPart {
        kind: PartKind::Rules,
        caption: "turns".to_owned(),
        nodes: (0..folds.turns.len()).map(Node::from_index).collect(),
        start: folds.turns.iter().position(begins).map(Node::from_index),
        accepts: BTreeSet::new(),
    };
    let total = counted(draft.nodes.len(), draft.edge_count());
    let mut sketch = Sketch {
        summary: format!("{total}, folded into {} turns", folds.turns.len()),
        parts: vec![part],
        nodes: nodes.collect(),
        arrows: arrows.collect(),
        legend: Vec::new(),
        note: folds.is_cut.then(|| "There are more turns than are drawn.".to_owned()),
    };
    sketch.legend = legend::of_overview(&sketch, &words);
    sketch
}

fn node(draft: &Draft, turn: &TurnFold, number: usize, words: &ActionWords<'_>) -> NodeSketch {
    let edges = turn.nodes.iter().map(|node| draft.nodes[node].len()).sum();
    let mut texts = vec![];
    if !turn.puts.is_empty() {
        texts.push(format!("puts {}", words.piece_list(&turn.puts)));
    }
    texts.extend(changes(turn, words));
    let reasons: BTreeSet<String> = turn.ends.iter().filter_map(|&end| words.reason(end)).collect();
    let is_over = turn.ends.len() == turn.nodes.len();
    texts.extend(reasons.into_iter().map(|reason| match is_over {
        true => reason,
        false => format!("or the end: {reason}"),
    }));
    let acts = if is_over { "the game is over".to_owned() } else { turn.acts(&words.names) };
    let mut lines = vec![format!("{number}: {acts}"), counted(turn.nodes.len(), edges)];
    if turn.entries.len() > 1 && !is_over {
        lines.push(format!("{} similar turns", turn.entries.len()));
    }
    let mut is_short = false;
    for text in &texts {
        let (broken, is_cut) = broken(text, LINE, MAX_LINES);
        lines.extend(broken);
        is_short |= is_cut;
    }
    NodeSketch {
        actor: turn.actor(),
        lines,
        elsewhere: number.to_string(),
        hint: is_short.then(|| texts.join("\n")),
        is_over: !turn.ends.is_empty(),
    }
}

/// The scores and the other variables that a turn changes.
fn changes(turn: &TurnFold, words: &ActionWords<'_>) -> Vec<String> {
    let (scores, others): (Vec<Variable>, Vec<Variable>) =
        turn.changes.iter().partition(|&&variable| words.is_score(variable));
    let list = |verb: &str, variables: Vec<Variable>| {
        let spell = |&variable: &Variable| words.names.variables.spell(variable).to_string();
        let mut names: Vec<String> = variables.iter().map(spell).collect();
        if names.len() > MAX_NAMED {
            names.truncate(MAX_NAMED - 1);
            names.push(format!("{} more", variables.len() - names.len()));
        }
        (!names.is_empty()).then(|| format!("{verb} {}", names.join(", ")))
    };
    list("sets the scores of", scores).into_iter().chain(list("changes", others)).collect()
}
