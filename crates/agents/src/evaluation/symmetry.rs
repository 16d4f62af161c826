//! Which exchanges of squares, pieces and players leave the rules as they are.

use std::collections::BTreeMap;

use regulus_automaton::{
    Action, Draft, Id as _, IdVec, Node, Piece, Player, Shape, Square, Variable,
};
use regulus_engine::{History, MoveList, Parts, Rules as _, State};
use regulus_game::Game;
use regulus_jit::Scratch;

use crate::budget::Clock;

/// An exchange of squares, pieces and players under which a game is the same as far as can be seen: positions and the
/// exchanged ones have corresponding moves. The first position and who begins need not be symmetric.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Symmetry {
    /// The square that takes the place of each square.
    pub(crate) squares: IdVec<Square, Square>,
    /// The piece that takes the place of each piece.
    pub(crate) pieces: IdVec<Piece, Piece>,
    /// The player who takes the place of each player.
    pub(crate) players: IdVec<Player, Player>,
    /// The variable that takes the place of each variable.
    pub(crate) variables: IdVec<Variable, Variable>,
}

impl Symmetry {
    /// Whether every player stays the same.
    pub(crate) fn keeps_players(&self) -> bool {
        self.players.iter().all(|(player, &other)| player == other)
    }
}

/// Finds the symmetries among the plausible ones: reflections and rotations of the board, with or without exchanging the two
/// players of a game for two. Each is tried on some positions: it must lead to positions that have corresponding moves.
///
/// What is rare in the positions may break a symmetry without being noticed; for an evaluation that does not matter.
pub(crate) fn symmetries(game: &Game, positions: &[State], clock: &Clock) -> Vec<Symmetry> {
    let automaton = game.automaton();
    let identity = Symmetry {
        squares: automaton.board.squares.keys().collect(),
        pieces: automaton.pieces.keys().collect(),
        players: automaton.players.keys().collect(),
        variables: automaton.variables.keys().collect(),
    };
    let mut exchanges = vec![(identity.pieces.clone(), identity.players.clone())];
    exchanges.extend(exchange(automaton));
    let mut found = Vec::new();
    let mut probe = Probe {
        game,
        scratch: game.rules().scratch(),
        list: MoveList::new(),
        history: History::new(),
        clock,
    };
    for squares in lays(automaton) {
        for (pieces, players) in &exchanges {
            let symmetry = Symmetry {
                squares: squares.clone(),
                pieces: pieces.clone(),
                players: players.clone(),
                variables: variables(automaton, pieces, players),
            };
            if symmetry != identity && probe.holds(&symmetry, positions) {
                found.push(symmetry);
            }
        }
    }
    found
}

/// Tries symmetries.
struct Probe<'a> {
    game: &'a Game,
    clock: &'a Clock,
    scratch: Scratch,
    list: MoveList,
    history: History,
}

/// Positions with more moves than this are not tried.
const MOST_MOVES: usize = 2_000;

/// On fewer positions than this, a symmetry is not believed.
const LEAST_POSITIONS: usize = 3;

impl Probe<'_> {
    fn holds(&mut self, symmetry: &Symmetry, positions: &[State]) -> bool {
        let mut tried = 0;
        for state in positions {
            if self.clock.is_late() {
                return false;
            }
            let Some(image) = self.image(symmetry, state) else { return false };
            let Some(theirs) = self.outcomes(&image, None) else { continue };
            let Some(ours) = self.outcomes(state, Some(symmetry)) else { continue };
            if ours != theirs {
                return false;
            }
            tried += 1;
        }
        tried >= LEAST_POSITIONS
    }

    /// The exchanged state; `None` if the rules know no such state.
    fn image(&self, symmetry: &Symmetry, state: &State) -> Option<State> {
        let referee = self.game.rules().referee();
        let parts = referee.parts(state);
        let mover = parts.mover?;
        let mut image = Parts { mover: Some(symmetry.players[mover]), ..parts.clone() };
        for (square, &piece) in parts.pieces.iter() {
            image.pieces[symmetry.squares[square]] = symmetry.pieces[piece];
        }
        for (variable, &value) in parts.variables.iter() {
            image.variables[symmetry.variables[variable]] = value;
        }
        for (register, &square) in parts.registers.iter() {
            image.registers[register] = symmetry.squares[square];
        }
        if !symmetry.keeps_players() {
            // The places where players are in control correspond in their order.
            let place = places(self.game, mover).iter().position(|&node| node == parts.node)?;
            image.node = *places(self.game, symmetry.players[mover]).get(place)?;
        }
        referee.compose(&image).ok()
    }

    /// Where the moves of a state lead, exchanged if that is asked for; `None` if there are too many of them.
    fn outcomes(&mut self, state: &State, symmetry: Option<&Symmetry>) -> Option<Vec<Vec<u8>>> {
        let Probe { game, scratch, list, history, .. } = self;
        let rules = game.rules();
        if !rules.moves_up_to(state, scratch, MOST_MOVES, list).ok()? {
            return None;
        }
        let squares = game.automaton().board.squares.len();
        let mut outcomes = Vec::with_capacity(list.len());
        let mut next = state.clone();
        for steps in list.iter() {
            next.copy_from(state);
            history.truncate(0);
            rules.apply(&mut next, history, steps, scratch).ok()?;
            let mover = rules.player(&next);
            // The pieces, who is to move, and at the end the results.
            let mut outcome = next.bytes()[..squares].to_vec();
            let mut results = vec![0; game.player_count()];
            for player in game.automaton().players.keys() {
                let image = symmetry.map_or(player, |symmetry| symmetry.players[player]);
                let result = (game.result(&next, player) * 100.0) as u8;
                results[image.index()] = if mover.is_none() { result } else { 0 };
            }
            let mut next_mover = mover.map_or(0, |player| player.index() + 1);
            if let Some(symmetry) = symmetry {
                let old = outcome.clone();
                for (square, &image) in symmetry.squares.iter() {
                    let piece = Piece(u32::from(old[square.index()]));
                    outcome[image.index()] = symmetry.pieces[piece].0 as u8;
                }
                next_mover = mover.map_or(0, |player| symmetry.players[player].index() + 1);
            }
            outcome.push(next_mover as u8);
            outcome.extend(results);
            outcomes.push(outcome);
        }
        outcomes.sort_unstable();
        Some(outcomes)
    }
}

/// The nodes where a player comes into control, in the order of the rules.
fn places(game: &Game, player: Player) -> Vec<Node> {
    let turns = game.automaton().edges().filter_map(|(_, edge)| match edge.action {
        Action::Turn(other) if other == player => Some((edge.modifier, edge.target)),
        _ => None,
    });
    let mut turns: Vec<_> = turns.collect();
    turns.sort_unstable();
    let mut places: Vec<Node> = Vec::new();
    for (_, node) in turns {
        if !places.contains(&node) {
            places.push(node);
        }
    }
    places
}

/// All ways to lay the board on itself.
fn lays(draft: &Draft) -> Vec<IdVec<Square, Square>> {
    let board = &draft.board;
    let point = |x: i32, y: i32| match board.shape {
        // Along the rows and along the diagonals to the lower right.
        Shape::Hexagon => ((i64::from(x) - i64::from(y)) / 2, i64::from(y)),
        _ => (i64::from(x), i64::from(y)),
    };
    let points: Vec<(i64, i64)> =
        board.squares.values().map(|info| point(info.x, info.y)).collect();
    let maps: &[[i64; 4]] = match board.shape {
        Shape::Hexagon => &HEXAGONAL,
        _ => &RECTANGULAR,
    };
    let corner = |points: &[(i64, i64)]| {
        let x = points.iter().map(|point| point.0).min().unwrap_or(0);
        let y = points.iter().map(|point| point.1).min().unwrap_or(0);
        (x, y)
    };
    let places: BTreeMap<(i64, i64), Square> =
        points.iter().copied().zip(board.squares.keys()).collect();
    let (left, top) = corner(&points);
    let mut all = Vec::new();
    for [a, b, c, d] in maps {
        let moved: Vec<(i64, i64)> =
            points.iter().map(|(x, y)| (a * x + b * y, c * x + d * y)).collect();
        let (moved_left, moved_top) = corner(&moved);
        let place = |(x, y): &(i64, i64)| {
            places.get(&(x - moved_left + left, y - moved_top + top)).copied()
        };
        let squares: Option<Vec<Square>> = moved.iter().map(place).collect();
        // Squares that are drawn in the same place cannot be told apart.
        if let Some(squares) = squares.filter(|_| places.len() == points.len()) {
            all.push(IdVec::from(squares));
        }
    }
    all
}

/// The reflections and rotations of a rectangle, as matrices.
const RECTANGULAR: [[i64; 4]; 8] = [
    [1, 0, 0, 1],
    [-1, 0, 0, 1],
    [1, 0, 0, -1],
    [-1, 0, 0, -1],
    [0, 1, 1, 0],
    [0, -1, 1, 0],
    [0, 1, -1, 0],
    [0, -1, -1, 0],
];

/// Those of a hexagon, along two of its three axes.
const HEXAGONAL: [[i64; 4]; 12] = [
    [1, 0, 0, 1],
    [0, -1, 1, 1],
    [-1, -1, 1, 0],
    [-1, 0, 0, -1],
    [0, 1, -1, -1],
    [1, 1, -1, 0],
    [0, 1, 1, 0],
    [0, -1, -1, 0],
    [1, 1, 0, -1],
    [-1, -1, 0, 1],
    [-1, 0, 1, 1],
    [1, 0, -1, -1],
];

/// The exchange of two players with their pieces; `None` if there are not two, or if it is not clear which pieces correspond.
fn exchange(draft: &Draft) -> Option<(IdVec<Piece, Piece>, IdVec<Player, Player>)> {
    if draft.players.len() != 2 {
        return None;
    }
    let looks = &draft.looks.pieces;
    // What a piece is called without its owner.
    let kind = |piece: Piece| {
        let look = &looks[piece];
        let owner = look.owner.map(|owner| draft.looks.players[owner].name.as_str());
        let words = look.name.split(' ').filter(|word| Some(*word) != owner);
        (look.kind, words.collect::<Vec<_>>())
    };
    // Pieces that are called the same correspond in their order.
    let alike = |piece: Piece, owner: Player| {
        let kind_of_piece = kind(piece);
        let alike = move |other: &Piece| {
            looks[*other].owner == Some(owner) && kind(*other) == kind_of_piece
        };
        draft.pieces.keys().filter(alike).collect::<Vec<Piece>>()
    };
    let counterpart = |piece: Piece| {
        let Some(owner) = looks[piece].owner else { return Some(piece) };
        let place = alike(piece, owner).iter().position(|&other| other == piece)?;
        alike(piece, Player(1 - owner.0)).get(place).copied()
    };
    let pieces: Option<Vec<Piece>> = draft.pieces.keys().map(counterpart).collect();
    Some((pieces?.into(), vec![Player(1), Player(0)].into()))
}

/// Which variables correspond: scores and hands by their owners, others by their names.
fn variables(
    draft: &Draft,
    pieces: &IdVec<Piece, Piece>,
    players: &IdVec<Player, Player>,
) -> IdVec<Variable, Variable> {
    let scores = draft.players.len();
    let of = |variable: Variable| {
        if variable.index() < scores {
            return players[Player::from_index(variable.index())].score();
        }
        if let Some(hand) = draft.looks.hands.iter().find(|hand| hand.variable == variable) {
            let wanted = pieces[hand.piece];
            let other = draft.looks.hands.iter().find(|other| other.piece == wanted);
            return other.map_or(variable, |other| other.variable);
        }
        let name = &draft.variables[variable].name;
        let renamed = players.iter().find_map(|(player, &other)| {
            let renamed = name.replace(&*draft.players[player], &draft.players[other]);
            (renamed != *name).then_some(renamed)
        });
        let other = renamed
            .and_then(|renamed| draft.variables.iter().find(|(_, info)| info.name == renamed));
        other.map_or(variable, |(other, _)| other)
    };
    draft.variables.keys().map(of).collect()
}
