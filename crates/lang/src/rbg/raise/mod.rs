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
//! squares a direction that leads from each of them to itself. A register becomes two variables, for column and row.

use std::collections::{BTreeMap, BTreeSet};

use regulus_automaton::{
    Action, ActionKind, Automaton, Board, Direction, Edge, Expression, Id as _, IdVec, Modifier,
    Node, Operator, Origin, Pattern, Player, Register, Relation, Shape, Square, Table, Variable,
    VariableInfo, WalkTable,
};

use super::checked::{Checked, Leaf, MAX_SIZE, Step, Value};
use super::paths::{PathExpression, PathGraph, PathJoiner};
use crate::pragma::RepetitionRule;

/// Why an automaton is not written as RBG.
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

/// The rules outside patterns as a graph.
struct RulesGraph {
    /// The edges of each node, with what they do.
    edges: Vec<Vec<(usize, RuleEdge)>>,
    /// How many edges lead to each node.
    degrees: Vec<usize>,
}

/// What an edge of the rules does.
#[derive(Clone)]
enum RuleEdge {
    /// A test or a walk.
    Pure(Action),
    /// A write or a switch.
    Modifier(Action),
    /// No more than that the place is remembered: what follows is shared by several moves.
    Remember,
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
        let rules = self.cut();
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

    /// The edges of the rules. Moves that end alike, and edges that are one step of moves, share a node.
    fn cut(&self) -> RulesGraph {
        let automaton = self.automaton;
        let nodes = automaton.nodes.len();
        let mut edges: Vec<Vec<(usize, RuleEdge)>> = vec![Vec::new(); nodes];
        let mut same: BTreeMap<Modifier, Vec<(Node, &Edge)>> = BTreeMap::new();
        for (from, edge) in self.reachable() {
            match edge.modifier {
                Some(modifier) => same.entry(modifier).or_default().push((from, edge)),
                None => {
                    let pure = RuleEdge::Pure(edge.action.clone());
                    edges[from.index()].push((edge.target.index(), pure));
                }
            }
        }
        let mut ends: BTreeMap<(Action, usize), Vec<usize>> = BTreeMap::new();
        for group in same.into_values() {
            let (mut from, edge) = (group[0].0.index(), group[0].1);
            if group.len() > 1 {
                // Edges with one modifier are one step: they meet in front of it.
                from = edges.len();
                edges.push(Vec::new());
                for (other, _) in &group {
                    edges[other.index()].push((from, RuleEdge::Pure(Action::Skip)));
                }
            }
            let (action, target) = (edge.action.clone(), edge.target.index());
            if action.kind() == ActionKind::Control && !automaton.nodes[edge.target].is_empty() {
                ends.entry((action, target)).or_default().push(from);
            } else {
                edges[from].push((target, RuleEdge::Modifier(action)));
            }
        }
        for ((action, target), sources) in ends {
            let mut last = sources[0];
            if sources.len() > 1 {
                last = edges.len();
                edges.push(Vec::new());
                for from in sources {
                    edges[from].push((last, RuleEdge::Remember));
                }
            }
            edges[last].push((target, RuleEdge::Modifier(action)));
        }
        let mut degrees = vec![0; edges.len()];
        edges.iter().flatten().for_each(|(to, _)| degrees[*to] += 1);
        RulesGraph { edges, degrees }
    }

    /// The edges that can be reached from the start, outside patterns.
    fn reachable(&self) -> Vec<(Node, &'a Edge)> {
        let mut seen = IdVec::<Node, bool>::filled(false, self.automaton.nodes.len());
        let (mut work, mut found) = (vec![self.automaton.start], Vec::new());
        seen[self.automaton.start] = true;
        while let Some(node) = work.pop() {
            for edge in &self.automaton.nodes[node] {
                found.push((node, edge));
                if !std::mem::replace(&mut seen[edge.target], true) {
                    work.push(edge.target);
                }
            }
        }
        found
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

    /// The variables that hold the column and the row of a register.
    fn coordinates(&mut self, register: Register) -> Result<[Variable; 2], NotRaised> {
        if let Some(variables) = self.registers.get(&register) {
            return Ok(*variables);
        }
        let squares = self.automaton.board.squares.values();
        let greatest = squares.clone().map(|square| [square.x, square.y]);
        let greatest = greatest.reduce(|[x, y], [a, b]| [x.max(a), y.max(b)]).unwrap_or([0, 0]);
        if squares.clone().any(|square| square.x < 0 || square.y < 0) {
            return Err(NotRaised::Coordinates);
        }
        let name = &self.automaton.registers[register];
        let mut variable = |what: &str, bound: i32| {
            let name = unused(&mut self.names, &format!("{}{what}", letters(name)));
            self.game.variables.push(VariableInfo { name, bound })
        };
        let variables = [variable("Column", greatest[0]), variable("Row", greatest[1])];
        self.registers.insert(register, variables);
        Ok(variables)
    }

    /// An action for the column that the cursor is in (axis 0), or for the row (1).
    fn on_line(&mut self, axis: usize, act: impl Fn(i32) -> Leaf) -> PathExpression {
        let mut lines: BTreeMap<i32, Vec<Square>> = BTreeMap::new();
        for (square, info) in self.automaton.board.squares.iter() {
            lines.entry([info.x, info.y][axis]).or_default().push(square);
        }
        let mut any = PathExpression::NEVER;
        for (number, squares) in lines {
            let within =
                PathExpression::from(Step::Leaf(Leaf::Shift(self.squares(squares)), NOWHERE));
            let act = PathExpression::from(Step::Leaf(act(number), NOWHERE));
            let line = self.ways.then(&within, &act);
            any = self.ways.or(&any, &line);
        }
        any
    }

    /// An action for the column that the cursor is in, and then one for the row.
    fn on_lines(&mut self, act: impl Fn(usize, i32) -> Leaf) -> PathExpression {
        let [column, row] = [0, 1].map(|axis| self.on_line(axis, |number| act(axis, number)));
        self.ways.then(&column, &row)
    }

    fn assign(
        &mut self,
        variable: Variable,
        value: &Expression,
    ) -> Result<PathExpression, NotRaised> {
        let raised = self.value(value)?;
        if !value.mentions_cursor() {
            return Ok(PathExpression::from(Step::Leaf(Leaf::Assign(variable, raised), NOWHERE)));
        }
        let mut axes = [false; 2];
        value.visit(&mut |part| match part {
            Expression::Column(Register::CURSOR) => axes[0] = true,
            Expression::Row(Register::CURSOR) => axes[1] = true,
            _ => {}
        });
        let axis = match axes {
            [true, true] => return Err(NotRaised::Coordinates),
            [column, _] => usize::from(!column),
        };
        let cursor = self.coordinates(Register::CURSOR)?[axis];
        let assign = |number| Leaf::Assign(variable, with_number(&raised, cursor, number));
        Ok(self.on_line(axis, assign))
    }

    fn save(&mut self, register: Register) -> Result<PathExpression, NotRaised> {
        let variables = self.coordinates(register)?;
        Ok(self.on_lines(|axis, number| Leaf::Assign(variables[axis], Value::Number(number))))
    }

    fn recall(&mut self, register: Register) -> Result<PathExpression, NotRaised> {
        let variables = self.coordinates(register)?;
        let here = self.on_lines(|axis, number| {
            Leaf::Compare(Value::Variable(variables[axis]), Relation::Equal, Value::Number(number))
        });
        let anywhere = self.anywhere();
        Ok(self.ways.then(&anywhere, &here))
    }

    fn put_held(&mut self, register: Register) -> Result<PathExpression, NotRaised> {
        let (recall, mut any) = (self.recall(register)?, PathExpression::NEVER);
        for piece in self.automaton.pieces.keys() {
            let held = Leaf::On(std::iter::once(piece).collect());
            let held = self.ways.then(&recall, &PathExpression::from(Step::Leaf(held, NOWHERE)));
            let held = self.ways.look(true, &held);
            let put = PathExpression::from(Step::Leaf(Leaf::Off(piece), NOWHERE));
            let put = self.ways.then(&held, &put);
            any = self.ways.or(&any, &put);
        }
        Ok(any)
    }

    fn jump(&mut self, column: &Expression, row: &Expression) -> Result<PathExpression, NotRaised> {
        if column.mentions_cursor() || row.mentions_cursor() {
            return Err(NotRaised::Coordinates);
        }
        let mut way = self.anywhere();
        let cursor = self.coordinates(Register::CURSOR)?;
        for (variable, wanted) in cursor.into_iter().zip([column, row]) {
            let wanted = self.value(wanted)?;
            let equal = Leaf::Compare(Value::Variable(variable), Relation::Equal, wanted);
            let there = self.with_cursor(equal)?;
            way = self.ways.then(&way, &there);
        }
        Ok(way)
    }

    /// A test that asks for the coordinates of the cursor.
    fn with_cursor(&mut self, test: Leaf) -> Result<PathExpression, NotRaised> {
        let save = self.save(Register::CURSOR)?;
        let test = self.ways.then(&save, &PathExpression::from(Step::Leaf(test, NOWHERE)));
        Ok(self.ways.look(true, &test))
    }

    /// A direction that leads from each of the squares to itself.
    fn squares(&mut self, squares: Vec<Square>) -> Direction {
        if let Some(&direction) = self.sets.get(&squares) {
            return direction;
        }
        let direction = self
            .direction("within", |square| squares.binary_search(&square).is_ok().then_some(square));
        self.sets.insert(squares, direction);
        direction
    }

    fn walk(&mut self, table: Table) -> PathExpression {
        match &self.automaton.tables[table] {
            WalkTable::Everywhere(squares) => {
                let anywhere = self.anywhere();
                if squares.len() == self.game.board.squares.len() {
                    return anywhere;
                }
                let within = Leaf::Shift(self.squares(squares.clone()));
                self.ways.then(&anywhere, &PathExpression::from(Step::Leaf(within, NOWHERE)))
            }
            WalkTable::PerSquare(rows) => {
                if !self.tables.contains_key(&table) {
                    let count = rows.iter().map(Vec::len).max().unwrap_or(0);
                    let directions = (0..count).map(|number| {
                        self.direction("leap", |square| rows[square.index()].get(number).copied())
                    });
                    let directions = directions.collect();
                    self.tables.insert(table, directions);
                }
                let mut way = PathExpression::NEVER;
                for &direction in &self.tables[&table] {
                    let leap = PathExpression::from(Step::Leaf(Leaf::Shift(direction), NOWHERE));
                    way = self.ways.or(&way, &leap);
                }
                way
            }
        }
    }

    /// From everywhere to everywhere.
    fn anywhere(&mut self) -> PathExpression {
        if let Some(way) = &self.anywhere {
            return way.clone();
        }
        let mut directions: Vec<Direction> = self.automaton.board.directions.keys().collect();
        if !is_connected(&self.automaton.board) {
            let count = self.game.board.squares.len();
            let next = |square: Square| Some(Square::from_index((square.index() + 1) % count));
            directions = vec![self.direction("next", next)];
        }
        let mut way = PathExpression::NEVER;
        for direction in directions {
            let step = PathExpression::from(Step::Leaf(Leaf::Shift(direction), NOWHERE));
            way = self.ways.or(&way, &step);
        }
        way = self.ways.star(&way);
        self.anywhere = Some(way.clone());
        way
    }

    /// A new direction; the same as an old one if that leads to the same squares.
    fn direction(&mut self, name: &str, lead: impl Fn(Square) -> Option<Square>) -> Direction {
        let board = &mut self.game.board;
        let same = |direction: &Direction| {
            board.squares.iter().all(|(at, square)| square.neighbours[*direction] == lead(at))
        };
        if let Some(old) = board.directions.keys().find(same) {
            return old;
        }
        // A board beyond this could not be read again.
        if (board.directions.len() + 1) * board.squares.len() > MAX_ARCS {
            self.ways.give_up();
            return Direction(0);
        }
        let name = unused(&mut self.names, name);
        let direction = board.directions.push(name);
        let squares: Vec<Square> = board.squares.keys().collect();
        for square in squares {
            board.squares[square].neighbours.push(lead(square));
        }
        direction
    }
}

/// A value in which a number takes the place of a variable.
fn with_number(value: &Value, variable: Variable, number: i32) -> Value {
    match value {
        Value::Variable(known) if *known == variable => Value::Number(number),
        Value::Chain(operator, operands) => Value::Chain(
            *operator,
            operands.iter().map(|operand| with_number(operand, variable, number)).collect(),
        ),
        other => other.clone(),
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

/// How many edges are looked at to find out which places need not be remembered.
const MAX_LOOKS: usize = 4_000_000;

impl RulesGraph {
    /// The places that are remembered, numbered from 0; the first is the start. They are the targets of writes and switches,
    /// except those that only one leads to and that share nothing with other places before the next write.
    fn labels(&self, start: usize) -> BTreeMap<usize, usize> {
        let mut labels = BTreeMap::from([(start, 0)]);
        let mut looks = 0;
        for (to, edge) in self.edges.iter().flatten() {
            let is_entry = match edge {
                RuleEdge::Pure(_) => false,
                RuleEdge::Modifier(_) if self.edges[*to].is_empty() => false,
                RuleEdge::Modifier(_) => {
                    looks > MAX_LOOKS || self.degrees[*to] > 1 || !self.is_alone(*to, &mut looks)
                }
                RuleEdge::Remember => true,
            };
            if is_entry {
                let next = labels.len();
                labels.entry(*to).or_insert(next);
            }
        }
        labels
    }

    /// Whether tests and walks from a node lead only to nodes that nothing else leads to.
    fn is_alone(&self, node: usize, looks: &mut usize) -> bool {
        let mut found = BTreeMap::from([(node, 1)]);
        let mut work = vec![node];
        while let Some(at) = work.pop() {
            for (to, edge) in &self.edges[at] {
                *looks += 1;
                if matches!(edge, RuleEdge::Pure(_)) {
                    let times = found.entry(*to).or_insert_with(|| {
                        work.push(*to);
                        0
                    });
                    *times += 1;
                }
            }
        }
        found.into_iter().all(|(node, times)| times == self.degrees[node])
    }
}

/// Whether every square can be reached from every other.
fn is_connected(board: &Board) -> bool {
    let count = board.squares.len();
    let reaches_all = |neighbours: &[Vec<usize>]| {
        let mut seen = vec![false; count];
        let mut work = vec![0];
        seen[0] = true;
        while let Some(at) = work.pop() {
            for &next in &neighbours[at] {
                if !std::mem::replace(&mut seen[next], true) {
                    work.push(next);
                }
            }
        }
        seen.into_iter().all(|seen| seen)
    };
    let (mut forwards, mut backwards) = (vec![Vec::new(); count], vec![Vec::new(); count]);
    for (square, info) in board.squares.iter() {
        for target in info.neighbours.values().flatten() {
            forwards[square.index()].push(target.index());
            backwards[target.index()].push(square.index());
        }
    }
    reaches_all(&forwards) && reaches_all(&backwards)
}

/// Names as RBG writes them: letters and digits, all different.
#[derive(Default)]
struct FreshNames(BTreeSet<String>);

impl FreshNames {
    /// A name like the given one.
    fn fresh(&mut self, name: &str) -> String {
        unused(&mut self.0, &letters(name))
    }
}

/// A name with nothing but letters and digits.
fn letters(name: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let mut wanted = String::new();
    for word in words {
        let (first, rest) = word.split_at(1);
        wanted +=
            if wanted.is_empty() { first.to_owned() } else { first.to_ascii_uppercase() }.as_str();
        wanted += rest;
    }
    if !wanted.starts_with(|c: char| c.is_ascii_alphabetic()) {
        wanted.insert(0, 'n');
    }
    wanted.truncate(MAX_LENGTH);
    wanted
}

/// The longest name, before it is made different from others.
const MAX_LENGTH: usize = 40;

/// A name that is not taken, and is from now on.
fn unused(names: &mut BTreeSet<String>, name: &str) -> String {
    let numbered = (2..).map(|number| format!("{name}x{number}"));
    let mut candidates = std::iter::once(name.to_owned()).chain(numbered);
    let free = candidates.find(|name| !names.contains(name) && !RESERVED.contains(&name.as_str()));
    let free = free.unwrap_or_default();
    names.insert(free.clone());
    free
}

/// The most squares times directions of a board.
const MAX_ARCS: usize = 400_000;

/// Words that mean something else in RBG.
const RESERVED: [&str; 3] = ["rectangle", "hexagon", "cuboid"];
