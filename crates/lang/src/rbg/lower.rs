//! A checked game to an automaton: one edge per action, joined by edges that do nothing.
//!
//! The optimising passes remove those; here they keep every construction independent of what surrounds it. Writes and
//! switches outside look-aheads are numbered from 1 in the order of the text.

use std::collections::BTreeMap;

use regulus_automaton::{
    Action, ActionKind, Automaton, Draft, Edge, Expression, Modifier, Node, Origin, PatternInfo,
    Reason, Violations,
};

use crate::pragma;

use super::checked::{Checked, Leaf, Step, Value};

/// The game as a verified automaton.
///
/// # Errors
///
/// The violated invariants; a checked game made by this crate has none.
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
/// let automaton = rbg::lower(&game.expect("no errors")).expect("a verified automaton");
/// assert_eq!(automaton.pieces.len(), 2);
/// ```
pub fn lower(game: &Checked) -> Result<Automaton, Violations> {
    let players = game.players.as_slice().to_vec();
    let variables = game.variables.as_slice()[players.len()..].to_vec();
    let pieces = game.pieces.as_slice().to_vec();
    let mut draft = Draft::new(players, variables, pieces, game.board.clone());
    draft.looks = game.looks.clone();
    let end = draft.add_node();
    let start = draft.start;
    let mut lowering = Lowering { ends: &game.ends, draft, modifiers: 0, in_pattern: false };
    lowering.step(&game.rules, start, end);
    let mut draft = lowering.draft;
    draft.endings.stuck.clone_from(&game.stuck);
    if let Some(history) = &game.history {
        pragma::add_history(&mut draft, history);
    }
    draft.verify()
}

struct Lowering<'a> {
    /// Why the game may end behind a switch, by where the switch begins.
    ends: &'a BTreeMap<u32, Reason>,
    draft: Draft,
    /// How many modifiers were numbered.
    modifiers: u32,
    in_pattern: bool,
}

impl Lowering<'_> {
    /// Adds all paths of a step between two nodes.
    fn step(&mut self, step: &Step, from: Node, to: Node) {
        match step {
            Step::Sum(parts) => parts.iter().for_each(|part| self.step(part, from, to)),
            Step::Chain(parts) => self.chain(parts.iter(), from, to),
            Step::Power(body, count) => {
                self.chain((0..*count).map(|_| body.as_ref()), from, to);
            }
            Step::Star(body, origin) => {
                // A node of its own, so that repeating cannot lead into what surrounds the star.
                let hub = self.draft.add_node();
                self.edge(from, Action::Skip, hub, *origin);
                self.step(body, hub, hub);
                self.edge(hub, Action::Skip, to, *origin);
            }
            Step::Look { succeeds, body, origin } => {
                let pattern = self.pattern(body);
                let action =
                    if *succeeds { Action::Check(pattern) } else { Action::CheckNot(pattern) };
                self.edge(from, action, to, *origin);
            }
            Step::Leaf(leaf, origin) => self.edge(from, action(leaf), to, *origin),
        }
    }

    fn chain<'a>(
        &mut self,
        mut parts: impl ExactSizeIterator<Item = &'a Step>,
        from: Node,
        to: Node,
    ) {
        let mut at = from;
        while let Some(part) = parts.next() {
            let next = if parts.len() == 0 { to } else { self.draft.add_node() };
            self.step(part, at, next);
            at = next;
        }
    }

    /// A sub-automaton; those inside it come before it.
    fn pattern(&mut self, body: &Step) -> regulus_automaton::Pattern {
        let outside = std::mem::replace(&mut self.in_pattern, true);
        let (start, accept) = (self.draft.add_node(), self.draft.add_node());
        self.step(body, start, accept);
        self.in_pattern = outside;
        self.draft.patterns.push(PatternInfo { start, accept })
    }

    fn edge(&mut self, from: Node, action: Action, target: Node, origin: Origin) {
        let modifier = (action.is_modifier() && !self.in_pattern).then(|| {
            self.modifiers += 1;
            Modifier(self.modifiers)
        });
        if action.kind() == ActionKind::Control
            && let Some(reason) = self.ends.get(&origin.start)
        {
            self.draft.endings.at.entry(target).or_insert_with(|| reason.clone());
        }
        // Most nodes have one edge; a vector's first growth would make room for four.
        self.draft.nodes[from].reserve_exact(1);
        self.draft.add_edge(from, Edge { action, modifier, target, origin: Some(origin) });
    }
}

fn action(leaf: &Leaf) -> Action {
    match leaf {
        Leaf::Shift(direction) => Action::Shift(*direction),
        Leaf::On(pieces) => Action::On(pieces.clone()),
        Leaf::Off(piece) => Action::Put(*piece),
        Leaf::Assign(variable, value) => Action::Assign(*variable, expression(value)),
        Leaf::Compare(left, relation, right) => {
            Action::Compare(expression(left), *relation, expression(right))
        }
        Leaf::Turn(player) => Action::Turn(*player),
        Leaf::Keeper => Action::Keeper,
        Leaf::Dot => Action::Skip,
    }
}

fn expression(value: &Value) -> Expression {
    match value {
        Value::Number(number) => Expression::Constant(*number),
        Value::Variable(variable) => Expression::Variable(*variable),
        Value::Count(piece) => Expression::Count(*piece),
        Value::Chain(operator, operands) => operands
            .iter()
            .map(expression)
            .reduce(|left, right| Expression::binary(*operator, left, right))
            .expect("the parser makes chains of two operands or more"),
    }
}
