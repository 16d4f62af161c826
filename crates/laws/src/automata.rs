//! Random automata: well-formed, and with all the actions that no language of today needs.

use regulus_automaton::{
    Action, Board, Direction, Draft, Edge, Expression, Id as _, IdVec, Modifier, Node, Operator,
    Pattern, PatternInfo, Piece, Player, Register, Relation, Shape, Square, SquareInfo, Table,
    Variable, VariableInfo, WalkTable,
};

use crate::choices::Choices;

/// The text of an automaton made from these bytes. It is well-formed, but its moves need not come to an end.
#[must_use]
pub fn automaton(bytes: &[u8]) -> String {
    automaton_on(&mut Choices::new(bytes), board)
}

/// The text of an automaton on a board large enough that sets of squares take several words.
#[must_use]
pub fn large_automaton(bytes: &[u8]) -> String {
    automaton_on(&mut Choices::new(bytes), large_board)
}

/// Makes a board for this number of pieces.
type MakeBoard = fn(&mut Choices<'_>, usize) -> Board;

fn automaton_on(choices: &mut Choices<'_>, board: MakeBoard) -> String {
    let mut draft = declarations(choices, board);
    for _ in 0..choices.below(3) {
        let table = table(choices, &draft);
        draft.tables.push(table);
    }
    let mut writer = AutomatonWriter { choices, draft, modifiers: 0 };
    for _ in 0..writer.choices.below(3) {
        writer.pattern();
    }
    writer.rules();
    writer.draft.to_string()
}

fn declarations(choices: &mut Choices<'_>, board: MakeBoard) -> Draft {
    let names = |prefix: &str, count: usize| -> Vec<String> {
        (0..count).map(|number| format!("{prefix}{number}")).collect()
    };
    let bounded = |choices: &mut Choices<'_>, names: Vec<String>| -> Vec<VariableInfo> {
        let bound = |choices: &mut Choices<'_>| choices.between(0, 4) as i32;
        names.into_iter().map(|name| VariableInfo { name, bound: bound(choices) }).collect()
    };
    let count = *choices.pick(&[2, 1]);
    let players = bounded(choices, names("player", count));
    let count = *choices.pick(&[1, 0, 2]);
    let variables = bounded(choices, names("x", count));
    let pieces = names("p", choices.between(2, 3));
    let board = board(choices, pieces.len());
    let mut draft = Draft::new(players, variables, pieces, board);
    for name in names("r", choices.below(3)) {
        draft.registers.push(name);
    }
    draft
}

/// Squares in rows of three, joined at random.
fn board(choices: &mut Choices<'_>, pieces: usize) -> Board {
    let (squares, directions) = (choices.between(1, 5), choices.between(1, 3));
    let directions: IdVec<Direction, String> =
        (0..directions).map(|number| format!("d{number}")).collect();
    let squares = (0..squares).map(|number| SquareInfo {
        name: format!("s{number}"),
        piece: Piece::from_index(choices.below(pieces)),
        x: (number % 3) as i32,
        y: (number / 3) as i32,
        neighbours: directions
            .keys()
            .map(|_| {
                choices.below(4).checked_sub(1).map(|_| Square::from_index(choices.below(squares)))
            })
            .collect(),
    });
    Board { shape: Shape::Point, squares: squares.collect(), directions: directions.clone() }
}

/// Two to eight words of squares. A direction leads by one distance, except from some squares, or goes through a few
/// distances in turn.
fn large_board(choices: &mut Choices<'_>, pieces: usize) -> Board {
    let (squares, columns) = *choices.pick(&[(70, 9), (130, 12), (250, 16), (300, 20), (512, 23)]);
    let ways: Vec<(Vec<i32>, usize)> = (0..choices.between(1, 3))
        .map(|_| {
            let distances = (0..*choices.pick(&[1, 1, 2, 3, 20]))
                .map(|_| match choices.below(4) {
                    0 => columns as i32 + choices.below(3) as i32 - 1,
                    1 => 1 - columns as i32 - choices.below(3) as i32,
                    2 => choices.below(2) as i32 * 2 - 1,
                    _ => choices.below(256) as i32 - 128,
                })
                .collect();
            (distances, choices.between(1, 12))
        })
        .collect();
    let period = choices.between(1, 9);
    let first: Vec<usize> = (0..period).map(|_| choices.below(pieces)).collect();
    let neighbour = |number: usize, (distances, holes): &(Vec<i32>, usize)| {
        let to = number as i32 + distances[number % distances.len()];
        let is_there = number % 13 != *holes && (0..squares).contains(&to);
        is_there.then(|| Square::from_index(to as usize))
    };
    let info = |number: usize| SquareInfo {
        name: format!("s{number}"),
        piece: Piece::from_index(first[number % period]),
        x: (number % columns) as i32,
        y: (number / columns) as i32,
        neighbours: ways.iter().map(|way| neighbour(number, way)).collect(),
    };
    Board {
        shape: Shape::Point,
        squares: (0..squares as usize).map(info).collect(),
        directions: (0..ways.len()).map(|number| format!("d{number}")).collect(),
    }
}

fn table(choices: &mut Choices<'_>, draft: &Draft) -> WalkTable {
    let squares: Vec<Square> = draft.board.squares.keys().collect();
    let everywhere = choices.below(2) == 0;
    if squares.len() > 64 {
        return large_table(choices, &squares, everywhere);
    }
    let mut row = || squares.iter().copied().filter(|_| choices.below(2) == 0).collect();
    if everywhere {
        WalkTable::Everywhere(row())
    } else {
        WalkTable::PerSquare(squares.iter().map(|_| row()).collect())
    }
}

/// A table of which not every square needs bytes of its own.
fn large_table(choices: &mut Choices<'_>, squares: &[Square], everywhere: bool) -> WalkTable {
    let (each, other) = (choices.between(1, 60), choices.between(1, 250));
    let row = |from: usize| {
        let is_there = |square: &&Square| {
            square.index() % each == from % each && (square.index() * 7 + from) % 256 < other
        };
        squares.iter().filter(is_there).copied().collect()
    };
    if everywhere {
        WalkTable::Everywhere(row(each))
    } else {
        WalkTable::PerSquare((0..squares.len()).map(row).collect())
    }
}

struct AutomatonWriter<'c, 'b> {
    choices: &'c mut Choices<'b>,
    draft: Draft,
    modifiers: u32,
}

impl AutomatonWriter<'_, '_> {
    /// Nodes of their own, and all edges between them.
    fn pattern(&mut self) {
        let nodes: Vec<Node> =
            (0..self.choices.between(2, 3)).map(|_| self.draft.add_node()).collect();
        for &node in &nodes {
            for _ in 0..self.choices.between(0, 2) {
                let action = self.plain_action();
                let target = *self.choices.pick(&nodes);
                self.draft.add_edge(node, Edge::new(action, target));
            }
        }
        let (start, accept) = (nodes[0], *self.choices.pick(&nodes));
        self.draft.patterns.push(PatternInfo { start, accept });
    }

    /// The rules; a player comes first, so that there is something to see.
    fn rules(&mut self) {
        let nodes: Vec<Node> =
            (0..self.choices.between(2, 6)).map(|_| self.draft.add_node()).collect();
        let (turn, modifier) = (Action::Turn(Player(0)), Some(Modifier(0)));
        let begin = Edge { modifier, ..Edge::new(turn, nodes[0]) };
        self.draft.add_edge(self.draft.start, begin);
        for &node in &nodes {
            for _ in 0..self.choices.between(1, 3) {
                let edge = self.edge(&nodes);
                self.draft.add_edge(node, edge);
            }
        }
    }

    /// An edge of the rules; sometimes one that is already there, from another node.
    fn edge(&mut self, nodes: &[Node]) -> Edge {
        let edges: Vec<Edge> =
            nodes.iter().flat_map(|&node| &self.draft.nodes[node]).cloned().collect();
        if self.choices.one_in(6) && !edges.is_empty() {
            return self.choices.pick(&edges).clone();
        }
        let action = match self.choices.below(4) {
            0 => Action::Turn(Player::from_index(self.choices.below(self.draft.players.len()))),
            1 if self.choices.below(2) == 0 => Action::Keeper,
            _ => self.plain_action(),
        };
        let modifier = action.is_modifier().then(|| {
            self.modifiers += 1;
            Modifier(self.modifiers)
        });
        Edge { modifier, ..Edge::new(action, *self.choices.pick(nodes)) }
    }

    /// Any action that does not end the move.
    fn plain_action(&mut self) -> Action {
        match self.choices.below(16) {
            0 => Action::On(self.pieces()),
            1 => Action::On([self.piece()].into_iter().collect()),
            2 => Action::At(self.squares()),
            3 => Action::Compare(self.value(1), self.relation(), self.value(1)),
            4 | 5 => self.check(),
            6 | 7 => Action::Shift(Direction::from_index(
                self.choices.below(self.draft.board.directions.len()),
            )),
            8 => self.walk(),
            9 => self.memory().map_or(Action::Skip, Action::Recall),
            10 => Action::Jump(self.value(1), self.value(1)),
            11 => Action::Put(self.piece()),
            12 => self.memory().map_or(Action::Skip, Action::PutHeld),
            13 => Action::Assign(self.variable(), self.value(2)),
            14 => self.memory().map_or(Action::Skip, Action::Save),
            _ => Action::Skip,
        }
    }

    fn check(&mut self) -> Action {
        if self.draft.patterns.is_empty() {
            return Action::Skip;
        }
        let pattern = Pattern::from_index(self.choices.below(self.draft.patterns.len()));
        if self.choices.below(2) == 0 { Action::Check(pattern) } else { Action::CheckNot(pattern) }
    }

    fn walk(&mut self) -> Action {
        if self.draft.tables.is_empty() {
            return Action::Skip;
        }
        Action::Walk(Table::from_index(self.choices.below(self.draft.tables.len())))
    }

    /// Any register but the cursor.
    fn memory(&mut self) -> Option<Register> {
        let others = self.draft.registers.len() - 1;
        (others > 0).then(|| Register::from_index(1 + self.choices.below(others)))
    }

    fn piece(&mut self) -> Piece {
        Piece::from_index(self.choices.below(self.draft.pieces.len()))
    }

    fn pieces(&mut self) -> regulus_automaton::PieceSet {
        let choices = &mut self.choices;
        self.draft.pieces.keys().filter(|_| choices.below(2) == 0).collect()
    }

    fn squares(&mut self) -> regulus_automaton::SquareSet {
        let choices = &mut self.choices;
        let squares = self.draft.board.squares.keys();
        if squares.len() > 64 {
            let each = choices.between(2, 9);
            return squares.filter(|square| square.index() % each == 1).collect();
        }
        squares.filter(|_| choices.below(2) == 0).collect()
    }

    fn register(&mut self) -> Register {
        Register::from_index(self.choices.below(self.draft.registers.len()))
    }

    fn variable(&mut self) -> Variable {
        Variable::from_index(self.choices.below(self.draft.variables.len()))
    }

    fn relation(&mut self) -> Relation {
        use Relation::{Equal, Greater, GreaterOrEqual, Less, LessOrEqual, NotEqual};
        *self.choices.pick(&[Less, Equal, NotEqual, LessOrEqual, Greater, GreaterOrEqual])
    }

    fn value(&mut self, depth: usize) -> Expression {
        use Operator::{Add, Divide, Multiply, Subtract};
        match self.choices.below(if depth == 0 { 5 } else { 7 }) {
            0 => Expression::Constant(self.choices.below(5) as i32 - 1),
            1 => Expression::Variable(self.variable()),
            2 => Expression::Count(self.piece()),
            3 => Expression::Column(self.register()),
            4 => Expression::Row(self.register()),
            _ => {
                let operator = *self.choices.pick(&[Add, Subtract, Multiply, Divide]);
                Expression::binary(operator, self.value(depth - 1), self.value(depth - 1))
            }
        }
    }
}
