//! An automaton as the rules of an RBG game: the reverse of [`super::lower`].
//!
//! A move is identified by its writes and switches, so each of them must stand in the rules exactly once; tests and walks
//! may be repeated. Where several writes lead to the same place, or a place is one of a round, the rules remember it in a
//! variable instead, and their outermost star goes on from there:
//!
//! ```text
//! #rules = ( {$ place==0} ->white any {rook} [empty] ride {empty} [rook] [$ place=1] + {$ place==1} ->> … )*
//! ```
//!
//! Between such places the automaton becomes an expression along its dominator tree, by [`super::paths`].
//!
//! A board of RBG knows nothing but squares, directions and pieces. So a table of walks becomes a direction, and a test for
//! squares a direction that leads from each of them to itself ([`directions`]). A register becomes two variables, for column
//! and row ([`registers`]).

mod directions;
mod graph;
mod names;
mod registers;

use std::collections::{BTreeMap, BTreeSet};

use regulus_automaton::{
    Action, Automaton, Board, Direction, Expression, Id as _, IdVec, Node, Operator, Origin,
    Pattern, Player, Register, Relation, Shape, Square, Table, Variable, VariableInfo,
};

use self::graph::{RuleEdge, RulesGraph};
use self::names::FreshNames;
use super::checked::{Checked, Leaf, MAX_SIZE, Step, Value};
use super::paths::{PathExpression, PathGraph, PathJoiner};
use crate::pragma::RepetitionRule;

/// Why an automaton is not written as RBG.
///
/// # Examples
///
/// ```
/// use regulus_lang::rbg::NotRaised;
///
/// assert!(NotRaised::TooLarge.to_string().contains("actions"));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NotRaised {
    /// It computes with coordinates in a way for which RBG has no words.
    Coordinates,
    /// The rules would have more than [`MAX_SIZE`] actions or too many brackets within each other, or the board too many
    /// directions.
    TooLarge,
}

impl std::fmt::Display for NotRaised {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            NotRaised::Coordinates => {
                f.write_str("its rules compute with rows and columns, and RBG cannot")
            }
            NotRaised::TooLarge => {
                write!(
                    f,
                    "its rules would need more than {MAX_SIZE} actions, too many brackets or directions, or too much work"
                )
            }
        }
    }
}

impl std::error::Error for NotRaised {}

/// The game as RBG, with the same moves, states and reasons. Chance is left out: pieces begin where the automaton has them.
///
/// # Errors
///
/// Returns an error if RBG cannot say what the automaton does, or only at length.
///
/// # Examples
///
/// ```
/// use regulus_lang::{Source, metagame, rbg};
///
/// let text = "GAME walk GOALS STALEMATE opponent BOARD_SIZE 3 BY 4 BOARD_TYPE planar PROMOTE_RANK 4
///     SETUP ant AT {(1,1) (2,1)}
///     DEFINE ant MOVING MOVEMENT RIDE <0,1> SYMMETRY {} END MOVEMENT END MOVING END DEFINE END GAME.";
/// let (lowered, _) = metagame::compile(&Source::new("walk.game", text));
/// let (automaton, _) = lowered.expect("a game");
/// let translated = rbg::lower_to_text(&rbg::raise(&automaton).expect("a small game"));
/// let (again, _) = rbg::compile(&Source::new("walk.rbg", &*translated));
/// assert!(again.is_some());
/// ```
pub fn raise(automaton: &Automaton) -> Result<Checked, NotRaised> {
    let mut raising = Raising::new(automaton);
    let rules = raising.rules()?;
    let Raising { game, ends, .. } = raising;
    Ok(Checked { rules, ends, ..game })
}

struct Raising<'a> {
    automaton: &'a Automaton,
    ways: PathJoiner,
    game: Checked,
    /// Names that are taken.
    names: BTreeSet<String>,
    /// The directions for tables, by table and number of the target; and for sets of squares.
    tables: BTreeMap<Table, Vec<Direction>>,
    sets: BTreeMap<Vec<Square>, Direction>,
    anywhere: Option<PathExpression>,
    patterns: BTreeMap<Pattern, PathExpression>,
    ends: BTreeMap<u32, regulus_automaton::Reason>,
    /// The variable for places in the rules.
    place: Variable,
    /// The variables for column and row of registers; those of the cursor are written in look-ahead only.
    registers: BTreeMap<Register, [Variable; 2]>,
}

impl<'a> Raising<'a> {
    fn new(automaton: &'a Automaton) -> Raising<'a> {
        let mut names = FreshNames::default();
        let mut renamed = |name: &String| names.fresh(name);
        let players: Vec<String> = automaton.players.values().map(&mut renamed).collect();
        let pieces: IdVec<_, String> = automaton.pieces.values().map(&mut renamed).collect();
        let directions = automaton.board.directions.values().map(&mut renamed).collect();
        let squares = automaton.board.squares.values();
        let squares: Vec<String> = squares
            .map(|square| match automaton.board.shape {
                // As the generator of rectangles names them, so that the board is drawn as one.
                Shape::Square => renamed(&format!("rx{}y{}", square.x, square.y)),
                Shape::Hexagon | Shape::Point => renamed(&square.name),
            })
            .collect();
        let mut board = Board { directions, ..automaton.board.clone() };
        for (square, name) in board.squares.keys().collect::<Vec<_>>().into_iter().zip(squares) {
            board.squares[square].name = name;
        }
        let mut variables: IdVec<Variable, VariableInfo> = IdVec::new();
        for (variable, info) in automaton.variables.iter() {
            let name = players.get(variable.index()).cloned();
            let name = name.unwrap_or_else(|| renamed(&info.name));
            variables.push(VariableInfo { name, bound: info.bound });
        }
        let place = variables.push(VariableInfo { name: renamed(&"place".to_owned()), bound: 0 });
        let history = automaton.repetition.as_ref().map(|rule| RepetitionRule {
            times: rule.times,
            scores: rule.scores.clone(),
            ignored: rule.ignored.clone(),
        });
        let game = Checked {
            players: players
                .into_iter()
                .zip(automaton.variables.values())
                .map(|(name, info)| VariableInfo { name, bound: info.bound })
                .collect(),
            variables,
            pieces,
            board,
            rules: nothing(),
            looks: automaton.looks.clone(),
            ends: BTreeMap::new(),
            stuck: automaton.endings.stuck.clone(),
            history,
        };
        Raising {
            automaton,
            ways: PathJoiner::default(),
            game,
            names: names.0,
            tables: BTreeMap::new(),
            sets: BTreeMap::new(),
            anywhere: None,
            patterns: BTreeMap::new(),
            ends: BTreeMap::new(),
            place,
            registers: BTreeMap::new(),
        }
    }

    fn rules(&mut self) -> Result<Step, NotRaised> {
        let rules = RulesGraph::new(self.automaton);
        let labels = rules.labels(self.automaton.start.index());
        self.game.variables[self.place].bound = labels.len().saturating_sub(1) as i32;
        // The places that are remembered are alternatives; the first is where the game begins.
        let mut graph = PathGraph::new(rules.edges.len() + 1);
        let root = rules.edges.len();
        for (&node, &number) in &labels {
            graph.edges[root].push((node, self.at_place(number)));
        }
        for (from, edges) in rules.edges.iter().enumerate() {
            for (to, edge) in edges {
                self.must_fit()?;
                let way = match edge {
                    RuleEdge::Pure(action) => self.pure(action)?,
                    RuleEdge::Modifier(action) => self.modifier(action, *to, &rules)?,
                    RuleEdge::Remember => PathExpression::HERE,
                };
                let is_pure = matches!(edge, RuleEdge::Pure(_));
                let is_switch =
                    matches!(edge, RuleEdge::Modifier(Action::Turn(_) | Action::Keeper));
                let tail = match labels.get(to).filter(|_| !is_pure) {
                    Some(&number) if is_switch => self.ways.then(&self.remember(number), &way),
                    Some(&number) => self.ways.then(&way, &self.remember(number)),
                    // Where the game is over nothing can follow.
                    None if is_switch && rules.edges[*to].is_empty() => {
                        self.ways.then(&way, &PathExpression::from(nothing()))
                    }
                    None => {
                        graph.edges[from].push((*to, way));
                        continue;
                    }
                };
                graph.add_tail(from, &tail, &mut self.ways);
            }
        }
        let whole = graph.paths(root, &mut self.ways);
        let whole = self.ways.star(&whole);
        self.must_fit()?;
        Ok(whole.to_step())
    }

    fn must_fit(&self) -> Result<(), NotRaised> {
        if self.ways.is_too_large() { Err(NotRaised::TooLarge) } else { Ok(()) }
    }

    fn at_place(&self, number: usize) -> PathExpression {
        let (place, number) = (Value::Variable(self.place), Value::Number(number as i32));
        let equal = Relation::Equal;
        PathExpression::from(Step::Leaf(Leaf::Compare(place, equal, number), NOWHERE))
    }

    fn remember(&self, number: usize) -> PathExpression {
        let number = Value::Number(number as i32);
        PathExpression::from(Step::Leaf(Leaf::Assign(self.place, number), NOWHERE))
    }

    fn modifier(
        &mut self,
        action: &Action,
        to: usize,
        rules: &RulesGraph,
    ) -> Result<PathExpression, NotRaised> {
        let mut origin = NOWHERE;
        let leaf = match action {
            Action::Put(piece) => Leaf::Off(*piece),
            Action::Turn(player) => Leaf::Turn(Player(player.0)),
            Action::Keeper => Leaf::Keeper,
            other => return self.pure(other),
        };
        let reason = self.automaton.endings.at.get(&Node::from_index(to));
        if let Some(reason) = reason.filter(|_| to < self.automaton.nodes.len())
            && rules.edges[to].is_empty()
        {
            origin.start = self.ends.len() as u32 + 1;
            self.ends.insert(origin.start, reason.clone());
        }
        Ok(PathExpression::from(Step::Leaf(leaf, origin)))
    }

    fn pure(&mut self, action: &Action) -> Result<PathExpression, NotRaised> {
        let leaf = match action {
            Action::Skip => return Ok(PathExpression::HERE),
            Action::On(set) => Leaf::On(set.clone()),
            Action::At(set) => Leaf::Shift(self.squares(set.iter().collect())),
            Action::Compare(left, relation, right) => {
                let compare = Leaf::Compare(self.value(left)?, *relation, self.value(right)?);
                if left.mentions_cursor() || right.mentions_cursor() {
                    return self.with_cursor(compare);
                }
                compare
            }
            Action::Check(pattern) => return self.check(*pattern, true),
            Action::CheckNot(pattern) => return self.check(*pattern, false),
            Action::Shift(direction) => Leaf::Shift(*direction),
            Action::Walk(table) => return Ok(self.walk(*table)),
            Action::Recall(register) => return self.recall(*register),
            Action::PutHeld(register) => return self.put_held(*register),
            Action::Save(register) => return self.save(*register),
            Action::Jump(column, row) => return self.jump(column, row),
            Action::Put(piece) => Leaf::Off(*piece),
            Action::Assign(variable, value) => return self.assign(*variable, value),
            Action::Turn(_) | Action::Keeper => never(),
        };
        Ok(PathExpression::from(Step::Leaf(leaf, NOWHERE)))
    }

    /// A look-ahead. Patterns do not contain themselves, and the verifier bounds how deep they lie in each other.
    fn check(&mut self, pattern: Pattern, succeeds: bool) -> Result<PathExpression, NotRaised> {
        let body = match self.patterns.get(&pattern) {
            Some(body) => body.clone(),
            None => {
                let body = self.pattern(pattern)?;
                self.patterns.insert(pattern, body.clone());
                body
            }
        };
        Ok(self.ways.look(succeeds, &body))
    }

    fn pattern(&mut self, pattern: Pattern) -> Result<PathExpression, NotRaised> {
        let info = self.automaton.patterns[pattern];
        let mut numbers = BTreeMap::from([(info.start, 0)]);
        let mut order = vec![info.start];
        let mut graph = PathGraph::new(1);
        let mut at = 0;
        while at < order.len() {
            for edge in &self.automaton.nodes[order[at]] {
                let to = *numbers.entry(edge.target).or_insert_with(|| {
                    order.push(edge.target);
                    graph.edges.push(Vec::new());
                    graph.tails.push(PathExpression::NEVER);
                    order.len() - 1
                });
                self.must_fit()?;
                let way = self.pure(&edge.action)?;
                graph.edges[at].push((to, way));
            }
            at += 1;
        }
        if let Some(&accept) = numbers.get(&info.accept) {
            graph.add_tail(accept, &PathExpression::HERE, &mut self.ways);
        }
        Ok(graph.paths(0, &mut self.ways))
    }

    fn value(&mut self, value: &Expression) -> Result<Value, NotRaised> {
        Ok(match value {
            Expression::Constant(number) if *number < 0 => Value::Chain(
                Operator::Subtract,
                vec![Value::Number(0), Value::Number(number.saturating_neg())],
            ),
            Expression::Constant(number) => Value::Number(*number),
            Expression::Variable(variable) => Value::Variable(*variable),
            Expression::Count(piece) => Value::Count(*piece),
            Expression::Column(register) => Value::Variable(self.coordinates(*register)?[0]),
            Expression::Row(register) => Value::Variable(self.coordinates(*register)?[1]),
            Expression::Binary(operator, left, right) => {
                let mut operands = match self.value(left)? {
                    Value::Chain(inner, operands) if inner == *operator => operands,
                    other => vec![other],
                };
                match self.value(right)? {
                    Value::Chain(Operator::Add, more) if *operator == Operator::Add => {
                        operands.extend(more);
                    }
                    other => operands.push(other),
                }
                Value::Chain(*operator, operands)
            }
        })
    }
}

const NOWHERE: Origin = Origin { start: 0, end: 0 };

/// `{}`, which always fails.
fn never() -> Leaf {
    Leaf::On(std::iter::empty().collect())
}

fn nothing() -> Step {
    Step::Leaf(never(), NOWHERE)
}
