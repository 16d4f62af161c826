//! The automaton laid out for walking: edges of a node side by side, boards and sets as flat tables.
//!
//! Edge for edge it is the automaton, with two additions: where a search must remember that it has been, see
//! [`crossings`]; and tests for the piece on the square that an edge leads to, see [`WalkProgram::add_guards`].

use std::collections::{BTreeMap, BTreeSet};

use regulus_automaton::{
    Action, ActionKind, Automaton, Direction, Expression, Id, IdVec, Node, Origin, Piece, Register,
    Relation, Square, Table, Variable, WalkTable,
};

/// No square, no slot, no node.
pub(super) const NONE: u32 = u32::MAX;

#[derive(Debug)]
pub(super) struct WalkProgram {
    pub(super) nodes: Vec<NodeCode>,
    pub(super) edges: Vec<EdgeCode>,
    pub(super) squares: usize,
    /// How many slots there are for remembering visits; each takes one mark per square.
    pub(super) slots: usize,
    pieces: usize,
    neighbours: Vec<u16>,
    piece_sets: Vec<bool>,
    square_sets: Vec<bool>,
    rows: Vec<(u32, u32)>,
    row_squares: Vec<u16>,
    pub(super) expressions: Vec<Expression>,
    square_at: BTreeMap<(i32, i32), Square>,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct NodeCode {
    pub(super) first: u32,
    pub(super) end: u32,
    /// Where visits are remembered, or [`NONE`].
    pub(super) slot: u32,
}

#[derive(Clone, Copy, Debug)]
pub(super) struct EdgeCode {
    pub(super) code: Instruction,
    pub(super) target: u32,
    /// [`NONE`] inside patterns and on tests and walks.
    pub(super) modifier: u32,
    /// Where visits of this write are remembered when several edges share its modifier, or [`NONE`].
    pub(super) slot: u32,
    /// The pieces one of which must stand where the edge leads, or [`NONE`].
    pub(super) guard: u32,
    pub(super) origin: Option<Origin>,
}

/// An action with its tables resolved.
#[derive(Clone, Copy, Debug)]
pub(super) enum Instruction {
    Skip,
    On(u32),
    At(u32),
    Compare(u32, Relation, u32),
    Check { start: u32, accept: u32, expected: bool },
    Shift(u32),
    Walk(u32),
    Recall(Register),
    Jump(u32, u32),
    Put(Piece),
    PutHeld(Register),
    Assign(Variable, u32),
    Save(Register),
    End,
}

impl WalkProgram {
    pub(super) fn new(automaton: &Automaton) -> WalkProgram {
        let board = &automaton.board;
        let mut program = WalkProgram {
            nodes: Vec::with_capacity(automaton.nodes.len()),
            edges: Vec::with_capacity(automaton.edge_count()),
            squares: board.squares.len(),
            slots: 0,
            pieces: automaton.pieces.len(),
            neighbours: Vec::new(),
            piece_sets: Vec::new(),
            square_sets: Vec::new(),
            rows: Vec::new(),
            row_squares: Vec::new(),
            expressions: Vec::new(),
            square_at: board
                .squares
                .iter()
                .map(|(square, info)| ((info.x, info.y), square))
                .collect(),
        };
        for direction in board.directions.keys() {
            let targets = board.squares.values().map(|square| square.neighbours[direction]);
            program
                .neighbours
                .extend(targets.map(|target| target.map_or(u16::MAX, |t| t.0 as u16)));
        }
        for table in automaton.tables.values() {
            program.add_table(table);
        }
        program.add_edges(automaton);
        program.add_slots(automaton);
        program.add_guards(automaton);
        program
    }

    fn add_table(&mut self, table: &WalkTable) {
        let mut row = |squares: &[Square]| {
            let start = self.row_squares.len() as u32;
            self.row_squares.extend(squares.iter().map(|square| square.0 as u16));
            (start, self.row_squares.len() as u32)
        };
        match table {
            WalkTable::Everywhere(squares) => {
                let row = row(squares);
                self.rows.extend(std::iter::repeat_n(row, self.squares));
            }
            WalkTable::PerSquare(rows) => {
                for squares in rows {
                    let row = row(squares);
                    self.rows.push(row);
                }
            }
        }
    }

    fn add_edges(&mut self, automaton: &Automaton) {
        for edges in automaton.nodes.values() {
            let first = self.edges.len() as u32;
            for edge in edges {
                let code = self.code(automaton, &edge.action);
                self.edges.push(EdgeCode {
                    code,
                    target: edge.target.0,
                    modifier: edge.modifier.map_or(NONE, |modifier| modifier.0),
                    slot: NONE,
                    guard: NONE,
                    origin: edge.origin,
                });
            }
            self.nodes.push(NodeCode { first, end: self.edges.len() as u32, slot: NONE });
        }
    }

    fn code(&mut self, automaton: &Automaton, action: &Action) -> Instruction {
        match action {
            Action::Skip => Instruction::Skip,
            Action::On(set) => {
                let first = self.piece_sets.len() as u32;
                self.piece_sets.extend(automaton.pieces.keys().map(|piece| set.contains(piece)));
                Instruction::On(first)
            }
            Action::At(set) => {
                let first = self.square_sets.len() as u32;
                self.square_sets.extend(automaton.board.squares.keys().map(|s| set.contains(s)));
                Instruction::At(first)
            }
            Action::Compare(left, relation, right) => {
                Instruction::Compare(self.expression(left), *relation, self.expression(right))
            }
            Action::Check(pattern) | Action::CheckNot(pattern) => {
                let info = automaton.patterns[*pattern];
                let expected = matches!(action, Action::Check(_));
                Instruction::Check { start: info.start.0, accept: info.accept.0, expected }
            }
            Action::Shift(direction) => Instruction::Shift(direction.0 * self.squares as u32),
            Action::Walk(table) => Instruction::Walk(table.0 * self.squares as u32),
            Action::Recall(register) => Instruction::Recall(*register),
            Action::Jump(x, y) => Instruction::Jump(self.expression(x), self.expression(y)),
            Action::Put(piece) => Instruction::Put(*piece),
            Action::PutHeld(register) => Instruction::PutHeld(*register),
            Action::Assign(variable, value) => {
                Instruction::Assign(*variable, self.expression(value))
            }
            Action::Save(register) => Instruction::Save(*register),
            Action::Turn(_) | Action::Keeper => Instruction::End,
        }
    }

    fn expression(&mut self, expression: &Expression) -> u32 {
        self.expressions.push(expression.clone());
        self.expressions.len() as u32 - 1
    }

    fn add_slots(&mut self, automaton: &Automaton) {
        let crossings = crossings(automaton);
        for (node, code) in self.nodes.iter_mut().enumerate() {
            if crossings[Node::from_index(node)] {
                code.slot = self.slots as u32;
                self.slots += 1;
            }
        }
        let mut edges_of: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for (index, edge) in self.edges.iter().enumerate() {
            if edge.modifier != NONE {
                edges_of.entry(edge.modifier).or_default().push(index);
            }
        }
        for edges in edges_of.values().filter(|edges| edges.len() > 1) {
            for &edge in edges {
                self.edges[edge].slot = self.slots as u32;
            }
            self.slots += 1;
        }
    }

    /// Joins an edge that tests or walks with the test for a piece that follows it, when nothing else can: `up {e}`
    /// is by far the most common thing rules say, and the search need not stop at the node in between.
    ///
    /// A node that remembers visits, or that accepts, is not passed over.
    fn add_guards(&mut self, automaton: &Automaton) {
        let accepts: BTreeSet<u32> =
            automaton.patterns.values().map(|pattern| pattern.accept.0).collect();
        for index in 0..self.edges.len() {
            let edge = self.edges[index];
            let next = self.nodes[edge.target as usize];
            if next.first == next.end {
                continue;
            }
            let joins = edge.modifier == NONE
                && !matches!(
                    edge.code,
                    Instruction::Put(_)
                        | Instruction::PutHeld(_)
                        | Instruction::Assign(..)
                        | Instruction::Save(_)
                )
                && next.slot == NONE
                && next.first + 1 == next.end
                && !accepts.contains(&edge.target);
            let test = self.edges[next.first as usize];
            // A test that has taken over the one behind it already is more than a test.
            if joins
                && test.guard == NONE
                && let Instruction::On(set) = test.code
            {
                self.edges[index] = EdgeCode { guard: set, target: test.target, ..edge };
            }
        }
    }

    pub(super) fn square_at(&self, (x, y): (i64, i64)) -> Option<Square> {
        let place = (i32::try_from(x).ok()?, i32::try_from(y).ok()?);
        self.square_at.get(&place).copied()
    }

    #[inline]
    pub(super) fn neighbour(&self, shift: u32, square: u32) -> u32 {
        match self.neighbours[(shift + square) as usize] {
            u16::MAX => NONE,
            target => u32::from(target),
        }
    }

    #[inline]
    pub(super) fn row(&self, walk: u32, square: u32) -> &[u16] {
        let (start, end) = self.rows[(walk + square) as usize];
        &self.row_squares[start as usize..end as usize]
    }

    #[inline]
    pub(super) fn piece_in(&self, set: u32, piece: Piece) -> bool {
        debug_assert!(piece.index() < self.pieces);
        self.piece_sets[set as usize + piece.index()]
    }

    #[inline]
    pub(super) fn square_in(&self, set: u32, square: u32) -> bool {
        self.square_sets[(set + square) as usize]
    }
}

/// The nodes that a search may reach twice on the same square without a write in between.
///
/// Between two writes nothing changes but the cursor, so such a second visit can find nothing new; cutting it keeps
/// moves unique and loops finite. A node can be reached twice only when
///
/// 1. two ways lead to it: edges that do not write, and the beginning of a stretch (after a write, or at the start of
///    a move or pattern), which counts once; or
/// 2. its one way may lead from several squares to the same one, from a node that may be visited on several squares.
fn crossings(automaton: &Automaton) -> IdVec<Node, bool> {
    let mut begins = IdVec::<Node, bool>::filled(false, automaton.nodes.len());
    let mut ways = IdVec::<Node, Vec<(Node, &Action)>>::filled(Vec::new(), automaton.nodes.len());
    begins[automaton.start] = true;
    for pattern in automaton.patterns.values() {
        begins[pattern.start] = true;
    }
    for (from, edge) in automaton.edges() {
        match edge.action.kind() {
            ActionKind::Write | ActionKind::Control => begins[edge.target] = true,
            ActionKind::Test | ActionKind::Walk => ways[edge.target].push((from, &edge.action)),
        }
    }
    let crossing: IdVec<Node, bool> =
        ways.iter().map(|(node, ways)| ways.len() + usize::from(begins[node]) > 1).collect();
    let steps = CursorSteps::new(automaton);
    let on_many_squares = on_many_squares(&steps, &ways, &crossing);
    ways.iter()
        .map(|(node, ways)| {
            let joins = |&(from, action): &(Node, &Action)| {
                on_many_squares[from] && !steps.is_injective(action)
            };
            crossing[node] || ways.iter().any(joins)
        })
        .collect()
}

/// The nodes that may be visited on several squares without a write in between; too many rather than too few.
fn on_many_squares(
    steps: &CursorSteps,
    ways: &IdVec<Node, Vec<(Node, &Action)>>,
    crossing: &IdVec<Node, bool>,
) -> IdVec<Node, bool> {
    let mut onward = IdVec::<Node, Vec<Node>>::filled(Vec::new(), ways.len());
    let mut many = crossing.clone();
    for (node, ways) in ways.iter() {
        for &(from, action) in ways {
            onward[from].push(node);
            many[node] |= steps.branches(action);
        }
    }
    let mut reached: Vec<Node> =
        many.iter().filter(|(_, is_many)| **is_many).map(|(node, _)| node).collect();
    while let Some(node) = reached.pop() {
        for &next in &onward[node] {
            if !many[next] {
                many[next] = true;
                reached.push(next);
            }
        }
    }
    many
}

/// What matters about steps of the cursor: found once, since there may be many edges on large boards.
struct CursorSteps {
    /// Directions and tables that never lead from two squares to one.
    injective_directions: IdVec<Direction, bool>,
    injective_tables: IdVec<Table, bool>,
    /// Tables that lead from a square to several.
    branching_tables: IdVec<Table, bool>,
}

impl CursorSteps {
    fn new(automaton: &Automaton) -> CursorSteps {
        let board = &automaton.board;
        let squares = || board.squares.keys();
        let is_injective = |table: &WalkTable| {
            let mut reached = IdVec::<Square, bool>::filled(false, board.squares.len());
            let mut targets = squares().flat_map(|square| table.targets(square));
            targets.all(|&target| !std::mem::replace(&mut reached[target], true))
        };
        let branches = |table: &WalkTable| squares().any(|square| table.targets(square).len() > 1);
        let directions = board.directions.keys();
        CursorSteps {
            injective_directions: directions.map(|it| board.is_injective(it)).collect(),
            injective_tables: automaton.tables.values().map(is_injective).collect(),
            branching_tables: automaton.tables.values().map(branches).collect(),
        }
    }

    /// Whether an action never leads from two squares to one.
    fn is_injective(&self, action: &Action) -> bool {
        match action {
            Action::Shift(direction) => self.injective_directions[*direction],
            Action::Walk(table) => self.injective_tables[*table],
            Action::Recall(_) | Action::Jump(..) => false,
            _ => true,
        }
    }

    /// Whether an action may lead from a square to several.
    fn branches(&self, action: &Action) -> bool {
        matches!(action, Action::Walk(table) if self.branching_tables[*table])
    }
}
