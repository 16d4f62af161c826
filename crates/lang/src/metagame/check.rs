//! Syntax to a checked game: names are looked up, numbers and squares must make sense.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use regulus_automaton::Origin;

use super::ast::{self, Ast, GoalKind, MovementKind, Name, Names, Placed};
use super::game::{
    BoardRules, Capture, Description, Game, Goal, Kind, Movement, PieceType, Place, Promotion,
    Setup, Side, StepKind,
};
use crate::diagnostics::{Code, Diagnostic, Sink, counted};
use crate::source::Span;
use crate::suggest::nearest;

/// The most squares of a board.
const MAX_SQUARES: u64 = 10_000;
/// The most kinds of pieces: both players' must fit into the pieces of an automaton, also while they are being captured.
const MAX_KINDS: usize = 60;
/// The most movements of all pieces together.
const MAX_MOVEMENTS: usize = 2_000;
/// The most goals.
const MAX_GOALS: usize = 100;
/// After how many turns a game is drawn.
const TURN_LIMIT: u32 = 500;
/// How often a position occurs until the game is drawn.
const REPETITIONS: u32 = 3;

pub(super) fn check(ast: &Ast, sink: &mut Sink) -> Option<Game> {
    let mut checker = Checker { kinds: HashMap::new(), board: None, movements: 0, sink };
    checker.names(ast);
    checker.board = ast.board.as_ref().and_then(|board| checker.board(board));
    let goals: Vec<Goal> = checker.goals(ast);
    let setup = ast.setup.as_ref().and_then(|setup| checker.setup(setup));
    let kinds: Vec<PieceType> =
        ast.pieces.iter().filter_map(|piece| checker.piece(piece, ast)).collect();
    let board = checker.board.clone();
    let game = Game {
        name: ast.name.as_ref()?.value.clone(),
        goals,
        board: board?,
        setup: setup?,
        must_capture: ast.must_capture.is_some(),
        kinds,
        turn_limit: TURN_LIMIT,
        repetitions: REPETITIONS,
    };
    if !sink.has_errors() {
        lint(&game, ast, sink);
    }
    Some(game)
}

fn origin(span: Span) -> Origin {
    Origin { start: span.start, end: span.end }
}

struct Checker<'a> {
    /// The kinds of pieces with the places of their definitions.
    kinds: HashMap<String, (Kind, Span)>,
    /// The board, when it is possible.
    board: Option<BoardRules>,
    /// How many movements there are so far.
    movements: usize,
    sink: &'a mut Sink,
}

impl Checker<'_> {
    fn error(&mut self, code: Code, span: Span, message: impl Into<String>, help: &str) {
        self.sink.push(Diagnostic::error(code, span, message).help(help));
    }

    fn warning(&mut self, code: Code, span: Span, message: impl Into<String>, help: &str) {
        self.sink.push(Diagnostic::warning(code, span, message).help(help));
    }

    /// Makes the kinds of pieces known.
    fn names(&mut self, ast: &Ast) {
        for piece in &ast.pieces {
            let Placed { value: name, span } = &piece.name;
            let number = self.kinds.len();
            if number == MAX_KINDS {
                let message =
                    format!("there are more than {MAX_KINDS} kinds of pieces, the most allowed");
                self.error(Code::MetagameTooMany, *span, message, "use fewer kinds");
                return;
            }
            if let Some((_, first)) = self.kinds.get(name) {
                let message = format!("`{name}` is defined twice");
                let diagnostic = Diagnostic::error(Code::MetagameDuplicatePiece, *span, message)
                    .also(*first, "the first definition is here");
                self.sink.push(diagnostic.help("give one of them another name, or join them"));
            } else {
                self.kinds.insert(name.clone(), (number, *span));
            }
        }
    }

    fn kind(&mut self, name: &Name) -> Option<Kind> {
        let Placed { value, span } = name;
        let found = self.kinds.get(value).map(|(kind, _)| *kind);
        if found.is_none() {
            let message = format!("no piece `{value}` is defined");
            let diagnostic = Diagnostic::error(Code::MetagameUnknownPiece, *span, message);
            let mut known: Vec<&str> = self.kinds.keys().map(String::as_str).collect();
            known.sort_unstable();
            let meant = nearest(value, known.iter().copied());
            let help = format!("the pieces are: {}", known.join(", "));
            self.sink.push(diagnostic.help(help).did_you_mean(meant));
        }
        found
    }

    fn description(&mut self, what: &ast::Description) -> Option<Description> {
        let kinds = match &what.kinds {
            Names::All => None,
            Names::These(names) => {
                let kinds: Vec<Option<Kind>> = names.iter().map(|name| self.kind(name)).collect();
                Some(kinds.into_iter().collect::<Option<BTreeSet<Kind>>>()?)
            }
        };
        Some(Description { owner: what.owner, kinds })
    }

    fn board(&mut self, board: &ast::Board) -> Option<BoardRules> {
        let (width, height) = (board.width.value, board.height.value);
        let squares = u64::from(width) * u64::from(height);
        let span = board.width.span.to(board.height.span);
        let rank = board.promote_rank;
        if rank.value == 0 {
            let help =
                "ranks are counted from 1; a rank beyond the last one means that no piece promotes";
            self.error(Code::MetagamePromoteRank, rank.span, "there is no rank 0", help);
        }
        if squares == 0 {
            let help = "files and ranks are at least 1";
            self.error(Code::MetagameBoardSize, span, "the board has no squares", help);
            return None;
        }
        if squares > MAX_SQUARES {
            let message =
                format!("the board has {squares} squares; at most {MAX_SQUARES} are allowed");
            self.error(Code::MetagameBoardSize, span, message, "make it smaller");
            return None;
        }
        if rank.value > height {
            let message = format!("the board has only {height} ranks, so no piece ever promotes");
            let help = "PROMOTE_RANK is the first rank where white's pieces promote";
            self.warning(Code::MetagamePromoteRank, rank.span, message, help);
        }
        Some(BoardRules {
            width,
            height,
            is_cylinder: board.is_cylinder,
            inversion: board.inversion,
            promote_rank: rank.value,
        })
    }

    /// The squares that are on the board; those that are not are reported.
    fn squares(&mut self, squares: &[ast::Square]) -> Option<Vec<Place>> {
        let board = self.board.clone()?;
        let mut fine = true;
        for Placed { value: (x, y), span } in squares {
            if !(1..=board.width).contains(x) || !(1..=board.height).contains(y) {
                let message = format!("the square ({x},{y}) is not on the board");
                let help =
                    format!("files go from 1 to {}, ranks from 1 to {}", board.width, board.height);
                self.error(Code::MetagameOffBoard, *span, message, &help);
                fine = false;
            }
        }
        fine.then(|| squares.iter().map(|square| square.value).collect())
    }

    fn goals(&mut self, ast: &Ast) -> Vec<Goal> {
        if ast.goals.is_empty() && ast.has_all_goals {
            let span = ast.goals_span.unwrap_or_default();
            let help = "a goal is `STALEMATE opponent`, `ERADICATE [{opponent} any_piece]` or \
                        `ARRIVE [{player} any_piece] AT {(1,8)}`";
            self.error(Code::MetagameNoGoal, span, "the game has no goal", help);
        }
        if let Some(goal) = ast.goals.get(MAX_GOALS) {
            let message =
                format!("there are {} goals; at most {MAX_GOALS} are allowed", ast.goals.len());
            self.error(Code::MetagameTooMany, goal.span, message, "use fewer goals");
            return Vec::new();
        }
        ast.goals.iter().filter_map(|goal| self.goal(goal)).collect()
    }

    fn goal(&mut self, goal: &ast::Goal) -> Option<Goal> {
        let origin = origin(goal.span);
        Some(match &goal.kind {
            GoalKind::Arrive(what, squares) => {
                let (what, squares) = (self.description(what), self.squares(squares));
                let squares: BTreeSet<Place> = squares?.into_iter().collect();
                Goal::Arrive { what: what?, squares: squares.into_iter().collect(), origin }
            }
            GoalKind::Eradicate(what) => Goal::Eradicate { what: self.description(what)?, origin },
            GoalKind::Stalemate(who) => Goal::Stalemate { who: *who, origin },
        })
    }

    fn setup(&mut self, setup: &ast::Setup) -> Option<Setup> {
        match setup {
            ast::Setup::Fixed(pieces) => {
                let mut all = Vec::new();
                let mut squares = Vec::new();
                for (name, places) in pieces {
                    let kind = self.kind(name);
                    let found = self.squares(places);
                    squares.extend(places.iter().copied());
                    if let (Some(kind), Some(found)) = (kind, found) {
                        all.extend(found.into_iter().map(|place| (kind, place)));
                    }
                }
                self.apart(&squares);
                Some(Setup::Fixed(all))
            }
            ast::Setup::Assigned { by, pieces, squares, span } => {
                let places = self.squares(squares);
                self.apart(squares);
                let pieces: Option<Vec<Kind>> = match pieces {
                    Names::All => Some((0..self.kinds.len()).collect()),
                    Names::These(names) => {
                        let kinds: Vec<_> = names.iter().map(|name| self.kind(name)).collect();
                        kinds.into_iter().collect()
                    }
                };
                let (pieces, places) = (pieces?, places?);
                if pieces.len() > places.len() {
                    let message = format!(
                        "{} for {}",
                        counted(pieces.len(), "piece"),
                        counted(places.len(), "square")
                    );
                    let help = "each piece needs a square of its own";
                    self.error(Code::MetagameSetup, *span, message, help);
                }
                Some(Setup::Assigned { by: *by, pieces, squares: places })
            }
        }
    }

    /// Makes sure that no two of these squares, and no two of them and their inversions, are the same.
    fn apart(&mut self, squares: &[ast::Square]) {
        let Some(board) = self.board.clone() else { return };
        let inside =
            |(x, y): Place| (1..=board.width).contains(&x) && (1..=board.height).contains(&y);
        let mut first: BTreeMap<Place, Span> = BTreeMap::new();
        for Placed { value, span } in squares {
            if let Some(earlier) = first.get(value) {
                let message = format!("the square ({},{}) is used twice", value.0, value.1);
                let diagnostic = Diagnostic::error(Code::MetagameSetup, *span, message)
                    .also(*earlier, "it is used here already");
                self.sink.push(diagnostic.help("each piece needs a square of its own"));
            } else {
                first.insert(*value, *span);
            }
        }
        for Placed { value, span } in squares {
            if !inside(*value) {
                continue;
            }
            let seen = board.seen(*value, Side::Black);
            if first.contains_key(&seen) {
                let (x, y) = *value;
                let message = format!("both players use the square ({x},{y})");
                let help = format!(
                    "black's pieces stand on the inverted squares, here ({},{})",
                    seen.0, seen.1
                );
                self.error(Code::MetagameSetup, *span, message, &help);
            }
        }
    }

    fn piece(&mut self, piece: &ast::Piece, ast: &Ast) -> Option<PieceType> {
        let moving: Vec<_> = piece.moving.iter().map(|one| self.movement(one)).collect();
        let capturing: Vec<_> = piece.capturing.iter().map(|one| self.capture(one)).collect();
        let itself = self.kinds.get(&piece.name.value).map(|(kind, _)| *kind);
        let promoting = match &piece.promoting {
            None => itself.map(Promotion::To),
            Some(ast::Promotion::To(name)) => self.kind(name).map(Promotion::To),
            Some(ast::Promotion::Choice(by, options)) => {
                let options = self.description(options);
                options.map(|options| Promotion::Choice { by: *by, options })
            }
        };
        if let (Some(global), Some(own)) = (ast.must_capture, piece.must_capture) {
            let message =
                format!("every piece must capture when it can, so `{}` does too", piece.name.value);
            let diagnostic = Diagnostic::warning(Code::MetagameIdleConstraint, own, message)
                .also(global, "the constraint of the game is here");
            self.sink.push(diagnostic.help("remove one of the two"));
        }
        Some(PieceType {
            name: piece.name.value.clone(),
            moving: moving.into_iter().collect::<Option<_>>()?,
            capturing: capturing.into_iter().collect::<Option<_>>()?,
            promoting: promoting?,
            must_capture: piece.must_capture.is_some(),
            continue_captures: piece.continue_captures.is_some(),
            origin: origin(piece.span),
        })
    }

    fn movement(&mut self, movement: &ast::Movement) -> Option<Movement> {
        self.movements += 1;
        if self.movements > MAX_MOVEMENTS {
            let message =
                format!("there are more than {MAX_MOVEMENTS} movements, the most allowed");
            self.error(Code::MetagameTooMany, movement.span, message, "use fewer movements");
            return None;
        }
        let Placed { value: vector, span } = movement.vector;
        if vector == (0, 0) {
            let help = "a vector has at least one number that is not 0";
            self.error(Code::MetagameZeroVector, span, "<0,0> leads nowhere", help);
        }
        let step = match &movement.kind {
            MovementKind::Leap => StepKind::Leap,
            MovementKind::Ride { min, max, longest } => {
                self.ride(*min, *max, *longest);
                let value = |number: &Placed<u32>| number.value;
                StepKind::Ride {
                    min: min.as_ref().map(value),
                    max: max.as_ref().map(value),
                    longest: longest.is_some(),
                }
            }
            MovementKind::Hop { before, over, after, what } => StepKind::Hop {
                before: *before,
                over: *over,
                after: *after,
                what: self.description(what)?,
            },
        };
        let origin = origin(movement.span);
        let movement = Movement { step, vector, symmetries: movement.symmetries, origin };
        if vector != (0, 0)
            && let Some(board) = &self.board
            && movement.directions(board, Side::White).iter().all(|&way| !fits(board, way))
        {
            let message = format!("<{},{}> always leads off the board", vector.0, vector.1);
            let help = "this movement can never be made";
            self.warning(Code::MetagameLongVector, span, message, help);
        }
        Some(movement)
    }

    fn ride(&mut self, min: Option<Placed<u32>>, max: Option<Placed<u32>>, longest: Option<Span>) {
        for (number, word) in [(min, "MIN"), (max, "MAX")] {
            if let Some(Placed { value: 0, span }) = number {
                let help = "a ride makes at least one leap";
                self.error(Code::MetagameZeroLeaps, span, format!("{word} is 0"), help);
            }
        }
        if let (Some(min), Some(max)) = (min, max)
            && min.value > max.value
        {
            let message =
                format!("a ride of at least {} and at most {} leaps", min.value, max.value);
            let help = "this movement can never be made";
            self.warning(Code::MetagameEmptyRange, min.span.to(max.span), message, help);
        }
        if let Some(span) = longest
            && self.board.as_ref().is_some_and(|board| board.is_cylinder)
        {
            let help = "remove it";
            let message = "LONGEST means nothing on a cylinder";
            self.warning(Code::MetagameLongestOnCylinder, span, message, help);
        }
    }

    fn capture(&mut self, capture: &ast::Capture) -> Option<Capture> {
        let what = self.description(&capture.what);
        let movements: Vec<_> =
            capture.movements.iter().map(|movement| self.movement(movement)).collect();
        let hops = capture
            .movements
            .iter()
            .any(|movement| matches!(movement.kind, MovementKind::Hop { .. }));
        if !capture.retrieve && !capture.clobber && capture.hop.is_none() {
            let help = "name a method: RETRIEVE, CLOBBER or HOP";
            let message = "without a method nothing is captured";
            self.warning(Code::MetagameNoCapture, capture.head, message, help);
        } else if let (Some(span), false) = (capture.hop, hops) {
            let help = "the method HOP takes what a movement of the kind HOP leaps over";
            let message = "none of the movements hops, so nothing is captured by hopping";
            self.warning(Code::MetagameNoCapture, span, message, help);
        }
        Some(Capture {
            retrieve: capture.retrieve,
            clobber: capture.clobber,
            hop: capture.hop.is_some(),
            what: what?,
            effect: capture.effect,
            movements: movements.into_iter().collect::<Option<_>>()?,
            origin: origin(capture.span),
        })
    }
}

/// Whether a leap can stay on the board.
fn fits(board: &BoardRules, (x, y): (i32, i32)) -> bool {
    (board.is_cylinder || x.unsigned_abs() < board.width) && y.unsigned_abs() < board.height
}

/// What is allowed but probably not meant.
fn lint(game: &Game, ast: &Ast, sink: &mut Sink) {
    let mut warn = |code: Code, span: Span, message: String, help: &str| {
        sink.push(Diagnostic::warning(code, span, message).help(help));
    };
    if !game.goals.iter().any(|goal| matches!(goal, Goal::Stalemate { .. })) {
        let message = "no goal says who wins when a player cannot move; it is a draw".to_owned();
        let help = "add `STALEMATE opponent` or `STALEMATE player`, or both for a draw";
        warn(Code::MetagameNoStalemate, ast.goals_span.unwrap_or_default(), message, help);
    }
    let present = reachable(game);
    for (kind, piece) in ast.pieces.iter().enumerate() {
        if !present.contains(&kind) {
            let message =
                format!("`{}` is neither set up nor what a piece promotes to", piece.name.value);
            warn(
                Code::MetagameUnusedPiece,
                piece.name.span,
                message,
                "this piece is never on the board",
            );
        }
    }
    if let Setup::Fixed(pieces) = &game.setup {
        let board: BTreeMap<Place, (Side, Kind)> = Side::BOTH
            .into_iter()
            .flat_map(|side| {
                pieces
                    .iter()
                    .map(move |(kind, place)| (game.board.seen(*place, side), (side, *kind)))
            })
            .collect();
        for (goal, written) in game.goals.iter().zip(&ast.goals) {
            let holds = match goal {
                Goal::Stalemate { .. } => false,
                Goal::Eradicate { what, .. } => {
                    let described: BTreeSet<_> = game.described(what, Side::White).collect();
                    !board.values().any(|piece| described.contains(piece))
                }
                Goal::Arrive { what, squares, .. } => {
                    let described: BTreeSet<_> = game.described(what, Side::White).collect();
                    squares.iter().any(|place| {
                        board.get(place).is_some_and(|piece| described.contains(piece))
                    })
                }
            };
            if holds {
                let message = "this goal is reached before the first move".to_owned();
                warn(Code::MetagameGoalAtStart, written.span, message, "the game is over at once");
            }
        }
    }
}

/// The kinds that can come onto the board.
pub(super) fn reachable(game: &Game) -> BTreeSet<Kind> {
    let mut work: Vec<Kind> = match &game.setup {
        Setup::Fixed(pieces) => pieces.iter().map(|(kind, _)| *kind).collect(),
        Setup::Assigned { pieces, .. } => pieces.clone(),
    };
    let mut found = BTreeSet::new();
    while let Some(kind) = work.pop() {
        if !found.insert(kind) || game.board.promote_rank > game.board.height {
            continue;
        }
        match &game.kinds[kind].promoting {
            Promotion::To(next) => work.push(*next),
            Promotion::Choice { options, .. } => {
                work.extend(game.described(options, Side::White).map(|(_, kind)| kind));
            }
        }
    }
    found
}
