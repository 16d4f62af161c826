//! Random drafts: everything the text form can express, well-formed or not.

use proptest::collection::vec;
use proptest::prelude::*;
use regulus_automaton::{
    Action, Board, Border, Colour, Counter, Direction, Draft, Edge, Endings, Expression, Hand, Id,
    Looks, Modifier, Node, Operator, Origin, Pattern, PatternInfo, Piece, PieceKind, PieceLook,
    Player, PlayerLook, Reason, Register, Relation, Repetition, Shape, Side, Square, SquareInfo,
    Surface, Table, Variable, VariableInfo, WalkTable,
};

/// How many there are of everything.
#[derive(Clone, Copy, Debug)]
struct EntityCounts {
    players: usize,
    variables: usize,
    pieces: usize,
    registers: usize,
    directions: usize,
    squares: usize,
    tables: usize,
    patterns: usize,
    nodes: usize,
}

/// Any draft that has a text.
pub(crate) fn draft() -> impl Strategy<Value = Draft> {
    let sizes = (0..3usize, 0..3usize, 0..4usize, 0..3usize, 0..3usize, 0..5usize);
    (sizes, (0..3usize, 0..3usize, 0..12usize)).prop_flat_map(
        |(declared, (tables, patterns, nodes))| {
            let (players, variables, pieces, registers, directions, squares) = declared;
            draft_of(EntityCounts {
                players,
                variables,
                pieces,
                registers,
                directions,
                squares,
                tables,
                patterns,
                nodes,
            })
        },
    )
}

fn draft_of(sizes: EntityCounts) -> impl Strategy<Value = Draft> {
    let declarations = (
        vec(variable(), sizes.players),
        vec(variable(), sizes.variables),
        vec(name(), sizes.pieces),
        vec(name(), sizes.registers),
        board(sizes),
    );
    let rules = (
        vec(table(sizes), sizes.tables),
        vec(pattern(sizes), sizes.patterns),
        vec(vec(edge(sizes), 0..4), sizes.nodes),
        id(sizes.nodes).prop_map(Node),
    );
    let people = (looks(sizes), endings(sizes), prop::option::of(repetition(sizes)));
    (declarations, rules, people).prop_map(|(declarations, rules, people)| {
        let (players, variables, pieces, registers, board) = declarations;
        let mut draft = Draft::new(players, variables, pieces, board);
        for register in registers {
            draft.registers.push(register);
        }
        draft.tables = rules.0.into();
        draft.patterns = rules.1.into();
        draft.nodes = rules.2.into();
        draft.start = rules.3;
        let (looks, endings, repetition) = people;
        change_looks(&mut draft.looks, looks);
        draft.endings = endings;
        draft.repetition = repetition;
        draft
    })
}

/// Looks in which what is `None` is to be as in a new draft.
#[derive(Debug)]
struct Changes {
    pieces: Vec<Option<PieceLook>>,
    players: Vec<Option<PlayerLook>>,
    columns: Vec<String>,
    rows: Vec<String>,
    hand: Option<Hand>,
    counter: Option<Counter>,
    side: Option<Side>,
    surface: Option<Surface>,
}

fn looks(sizes: EntityCounts) -> impl Strategy<Value = Changes> {
    let lines = || vec(name(), 0..3);
    let pieces = vec(prop::option::of(piece_look(sizes)), sizes.pieces);
    let players = vec(prop::option::of(player_look()), sizes.players);
    let variable = || id(sizes.players + sizes.variables).prop_map(Variable);
    let hand = (variable(), id(sizes.pieces).prop_map(Piece))
        .prop_map(|(variable, piece)| Hand { variable, piece });
    let counter = (variable(), name()).prop_map(|(variable, name)| Counter { variable, name });
    let side = (id(sizes.players).prop_map(Player), prop::sample::select(Border::ALL))
        .prop_map(|(player, border)| Side { player, border });
    let surface = prop::sample::select(Surface::ALL);
    let beside = (
        prop::option::of(hand),
        prop::option::of(counter),
        prop::option::of(side),
        prop::option::of(surface),
    );
    (pieces, players, lines(), lines(), beside).prop_map(
        |(pieces, players, columns, rows, (hand, counter, side, surface))| Changes {
            pieces,
            players,
            columns,
            rows,
            hand,
            counter,
            side,
            surface,
        },
    )
}

fn change_looks(looks: &mut Looks, changes: Changes) {
    for (look, change) in looks.pieces.values_mut().zip(changes.pieces) {
        if let Some(change) = change {
            *look = change;
        }
    }
    for (look, change) in looks.players.values_mut().zip(changes.players) {
        if let Some(change) = change {
            *look = change;
        }
    }
    looks.columns = changes.columns;
    looks.rows = changes.rows;
    looks.hands.extend(changes.hand);
    looks.counters.extend(changes.counter);
    looks.sides.extend(changes.side);
    looks.surface = changes.surface;
}

fn piece_look(sizes: EntityCounts) -> impl Strategy<Value = PieceLook> {
    let owner = prop::option::of(id(sizes.players).prop_map(Player));
    let kind = prop::sample::select(PieceKind::ALL);
    (owner, any::<bool>(), name(), name(), kind).prop_map(
        |(owner, is_empty, symbol, name, kind)| PieceLook { owner, is_empty, symbol, name, kind },
    )
}

fn player_look() -> impl Strategy<Value = PlayerLook> {
    let colour = prop::sample::select(Colour::ALL);
    (name(), colour).prop_map(|(name, colour)| PlayerLook { name, colour })
}

fn reason() -> impl Strategy<Value = Reason> {
    (name(), prop::option::of(name())).prop_map(|(text, drawn)| Reason { text, drawn })
}

fn endings(sizes: EntityCounts) -> impl Strategy<Value = Endings> {
    let at = prop::collection::btree_map(id(sizes.nodes).prop_map(Node), reason(), 0..3);
    (at, prop::option::of(reason())).prop_map(|(at, stuck)| Endings { at, stuck })
}

fn repetition(sizes: EntityCounts) -> impl Strategy<Value = Repetition> {
    let ignored = vec(id(sizes.players + sizes.variables).prop_map(Variable), 0..3);
    (any::<u32>(), vec(any::<i32>(), sizes.players), ignored, id(sizes.nodes)).prop_map(
        |(times, scores, ignored, over)| {
            let (scores, over) = (scores.into(), Node(over));
            Repetition { times, scores, ignored, over }
        },
    )
}

/// Mostly words, so that names are sometimes equal; also keywords and anything else.
fn name() -> impl Strategy<Value = String> {
    let keyword = prop::sample::select(vec![
        "players",
        "board",
        "rules",
        "tables",
        "held",
        "not",
        "count",
        "row",
        "cursor",
        "each",
        "everywhere",
        "keeper",
        "skip",
        "n0",
        "t0",
        "k0",
        "looks",
        "ignoring",
        "stuck",
        "drawn",
    ]);
    prop_oneof![
        4 => "[a-d]{1,2}",
        1 => keyword.prop_map(str::to_owned),
        1 => "[0-9]{0,2}",
        1 => any::<String>(),
    ]
}

fn variable() -> impl Strategy<Value = VariableInfo> {
    (name(), any::<i32>()).prop_map(|(name, bound)| VariableInfo { name, bound })
}

fn board(sizes: EntityCounts) -> impl Strategy<Value = Board> {
    let shape = prop::sample::select(vec![Shape::Square, Shape::Hexagon, Shape::Point]);
    let square = (
        (name(), id(sizes.pieces), any::<i32>(), any::<i32>()),
        vec(prop::option::of(id(sizes.squares).prop_map(Square)), sizes.directions),
    )
        .prop_map(|((name, piece, x, y), neighbours)| {
            let neighbours = neighbours.into();
            SquareInfo { name, piece: Piece(piece), x, y, neighbours }
        });
    (shape, vec(name(), sizes.directions), vec(square, sizes.squares)).prop_map(
        |(shape, directions, squares)| {
            let (directions, squares) = (directions.into(), squares.into());
            Board { shape, directions, squares }
        },
    )
}

fn table(sizes: EntityCounts) -> impl Strategy<Value = WalkTable> {
    let row = || vec(id(sizes.squares).prop_map(Square), 0..4);
    prop_oneof![
        row().prop_map(WalkTable::Everywhere),
        vec(row(), sizes.squares).prop_map(WalkTable::PerSquare),
    ]
}

fn pattern(sizes: EntityCounts) -> impl Strategy<Value = PatternInfo> {
    (id(sizes.nodes), id(sizes.nodes))
        .prop_map(|(start, accept)| PatternInfo { start: Node(start), accept: Node(accept) })
}

fn edge(sizes: EntityCounts) -> impl Strategy<Value = Edge> {
    let origin = (any::<u32>(), any::<u32>()).prop_map(|(start, end)| Origin { start, end });
    let modifier = any::<u32>().prop_map(Modifier);
    (action(sizes), prop::option::of(modifier), id(sizes.nodes), prop::option::of(origin)).prop_map(
        |(action, modifier, target, origin)| Edge {
            action,
            modifier,
            target: Node(target),
            origin,
        },
    )
}

fn action(sizes: EntityCounts) -> impl Strategy<Value = Action> {
    let register = || id(sizes.registers + 1).prop_map(Register);
    let tests_and_walks = prop_oneof![
        Just(Action::Skip),
        set::<Piece>(sizes.pieces).prop_map(|set| Action::On(set.into_iter().collect())),
        set::<Square>(sizes.squares).prop_map(|set| Action::At(set.into_iter().collect())),
        (expression(sizes), relation(), expression(sizes))
            .prop_map(|(left, relation, right)| Action::Compare(left, relation, right)),
        id(sizes.patterns).prop_map(|pattern| Action::Check(Pattern(pattern))),
        id(sizes.patterns).prop_map(|pattern| Action::CheckNot(Pattern(pattern))),
        id(sizes.directions).prop_map(|direction| Action::Shift(Direction(direction))),
        id(sizes.tables).prop_map(|table| Action::Walk(Table(table))),
        register().prop_map(Action::Recall),
        (expression(sizes), expression(sizes)).prop_map(|(x, y)| Action::Jump(x, y)),
    ];
    let variables = sizes.players + sizes.variables;
    let writes_and_control = prop_oneof![
        id(sizes.pieces).prop_map(|piece| Action::Put(Piece(piece))),
        register().prop_map(Action::PutHeld),
        (id(variables), expression(sizes))
            .prop_map(|(variable, value)| Action::Assign(Variable(variable), value)),
        register().prop_map(Action::Save),
        id(sizes.players).prop_map(|player| Action::Turn(Player(player))),
        Just(Action::Keeper),
    ];
    prop_oneof![3 => tests_and_walks, 2 => writes_and_control]
}

fn relation() -> impl Strategy<Value = Relation> {
    prop::sample::select(vec![
        Relation::Equal,
        Relation::NotEqual,
        Relation::Less,
        Relation::LessOrEqual,
        Relation::Greater,
        Relation::GreaterOrEqual,
    ])
}

fn expression(sizes: EntityCounts) -> impl Strategy<Value = Expression> {
    let register = || id(sizes.registers + 1).prop_map(Register);
    let atom = prop_oneof![
        any::<i32>().prop_map(Expression::Constant),
        (-3..3i32).prop_map(Expression::Constant),
        id(sizes.players + sizes.variables).prop_map(|v| Expression::Variable(Variable(v))),
        id(sizes.pieces).prop_map(|piece| Expression::Count(Piece(piece))),
        register().prop_map(Expression::Column),
        register().prop_map(Expression::Row),
    ];
    let operator = prop::sample::select(vec![
        Operator::Add,
        Operator::Subtract,
        Operator::Multiply,
        Operator::Divide,
    ]);
    atom.prop_recursive(5, 12, 2, move |inner| {
        (operator.clone(), inner.clone(), inner)
            .prop_map(|(operator, left, right)| Expression::binary(operator, left, right))
    })
}

fn set<K: Id>(size: usize) -> impl Strategy<Value = Vec<K>> {
    vec(id(size).prop_map(|index| K::from_index(index as usize)), 0..4)
}

/// An index that is mostly in range.
fn id(size: usize) -> impl Strategy<Value = u32> {
    let size = u32::try_from(size).expect("sizes are small");
    prop_oneof![9 => 0..size.max(1), 1 => size..size + 3]
}
