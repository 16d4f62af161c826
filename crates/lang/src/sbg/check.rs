//! Syntax to a game: what the grammar cannot say.

use std::collections::{HashMap, HashSet};

use regulus_automaton::Origin;

use super::ast::{self, Ast, Expression, GoalKind, PieceRule, Placed};
use super::game::{Game, Goal, Kind, Letter, On, PieceType, Rule};
use crate::diagnostics::{Code, Diagnostic, Sink, counted};
use crate::regular::{MAX_LETTERS, MAX_STATES, Machine, Regular, TooLarge};
use crate::side::Side;
use crate::source::Span;

/// The most squares of a board.
const MAX_SQUARES: u64 = 10_000;
/// The most steps from square to square that the automata of all rules take together.
const MAX_SHIFTS: u64 = 50_000;
/// How long the name of a piece in a comment may be.
const MAX_NAME: usize = 30;
/// How many goals both sides have together.
const MAX_GOALS: usize = 1_000;

pub(super) fn check(ast: &Ast, comments: &[String], sink: &mut Sink) -> Option<Game> {
    let size = ast.board.as_ref().and_then(|board| size(board, sink));
    let mut checker =
        Checker { size, position: None, pieces: Vec::new(), kinds: HashMap::new(), sink };
    checker.rules(&ast.pieces);
    let position = ast.board.as_ref().map(|board| checker.position(board)).unwrap_or_default();
    // What is missing on a faulty board says nothing.
    let complete = size.is_some_and(|(width, height)| position.len() == (width * height) as usize);
    checker.position = complete.then(|| position.clone());
    checker.unused_rules(ast);
    let goals = ast.goals.as_ref().map(|goals| checker.goals(&goals.goals));
    let (width, height) = size?;
    let mut pieces = checker.pieces;
    for piece in &mut pieces {
        piece.name = comments.iter().find_map(|comment| name_in(comment, piece.letter));
    }
    Some(Game {
        name: ast.name.as_ref()?.value.clone(),
        width,
        height,
        pieces,
        position,
        turn_limit: ast.goals.as_ref()?.limit?.value,
        goals: goals?,
    })
}

/// What a comment calls a piece: `R - rook`, alone or among others.
fn name_in(comment: &str, letter: char) -> Option<String> {
    let parts = comment.split(['\n', ',', ';', '.']);
    parts.filter_map(|part| part.split_once(" - ")).find_map(|(before, after)| {
        let before = before.trim_matches(|c: char| c.is_whitespace() || c == '*');
        let name = after.split(['(', ':']).next().unwrap_or_default().trim();
        let plain = |c: char| c.is_alphanumeric() || c == ' ' || c == '-' || c == '\'';
        let fits = before.eq_ignore_ascii_case(letter.encode_utf8(&mut [0; 4]))
            && !name.is_empty()
            && name.len() <= MAX_NAME
            && name.chars().all(plain);
        fits.then(|| name.to_owned())
    })
}

/// The width and height of the board, when they are possible; whether the rows fit is said too.
fn size(board: &ast::Board, sink: &mut Sink) -> Option<(u32, u32)> {
    let (width, height) = (board.width.value, board.height.value);
    let squares = u64::from(width) * u64::from(height);
    let span = board.width.span.to(board.height.span);
    if squares == 0 {
        let diagnostic = Diagnostic::error(Code::SbgBoardSize, span, "the board has no squares");
        sink.push(diagnostic.help("width and height are at least 1"));
        return None;
    }
    if squares > MAX_SQUARES {
        let message = format!("the board has {squares} squares; at most {MAX_SQUARES} are allowed");
        sink.push(Diagnostic::error(Code::SbgBoardSize, span, message));
        return None;
    }
    for row in &board.rows {
        let cells = row.cells.len();
        if cells != width as usize {
            let message = format!(
                "this row has {}, the board has {}",
                counted(cells, "square"),
                columns(width)
            );
            let diagnostic = Diagnostic::error(Code::SbgRowLength, row.span, message);
            sink.push(diagnostic.also(board.width.span, "the width is given here"));
        }
    }
    if board.rows.len() != height as usize {
        let rows = counted(board.rows.len(), "row");
        let message = format!("{rows} given, the board has {height}");
        let span = board.rows.last().map_or(span, |row| row.span);
        let diagnostic = Diagnostic::error(Code::SbgRowCount, span, message)
            .label("the last row")
            .also(board.height.span, "the height is given here");
        sink.push(diagnostic.help("the numbers before the rows are the width and the height"));
    }
    Some((width, height))
}

fn columns(count: u32) -> String {
    counted(count as usize, "column")
}

struct Checker<'a> {
    size: Option<(u32, u32)>,
    /// The initial position, when all of it is known.
    position: Option<Vec<Option<(Side, Kind)>>>,
    pieces: Vec<PieceType>,
    kinds: HashMap<char, (Kind, Span)>,
    sink: &'a mut Sink,
}

impl Checker<'_> {
    fn error(&mut self, code: Code, span: Span, message: impl Into<String>, help: &str) {
        self.sink.push(Diagnostic::error(code, span, message).help(help));
    }

    fn warning(&mut self, code: Code, span: Span, message: impl Into<String>, help: &str) {
        self.sink.push(Diagnostic::warning(code, span, message).help(help));
    }

    fn add(&mut self, letter: char, span: Span) -> Kind {
        let kind = self.pieces.len();
        self.kinds.insert(letter, (kind, span));
        self.pieces.push(PieceType { letter, name: None, rule: None });
        kind
    }

    fn rules(&mut self, rules: &[PieceRule]) {
        let mut shifts = 0_u64;
        for rule in rules {
            let Placed { value: written, span } = rule.letter;
            let letter = written.to_ascii_uppercase();
            if written != letter {
                let message =
                    format!("rules are given for white's pieces: `{letter}`, not `{written}`");
                let help = "black's pieces follow the same rules, seen from the other side";
                self.error(Code::SbgLowercaseRule, span, message, help);
            }
            if let Some((_, first)) = self.kinds.get(&letter) {
                let message = format!("`{letter}` has two rules");
                let diagnostic = Diagnostic::error(Code::SbgDuplicateRule, span, message)
                    .also(*first, "the first is here");
                self.sink.push(diagnostic.help("join them with `+`"));
                continue;
            }
            let kind = self.add(letter, span);
            let Some(written) = &rule.rule else { continue };
            let Some(expression) = self.expression(written) else { continue };
            let Some(rule) = self.rule(letter, expression, span.to(written.span), &mut shifts)
            else {
                continue;
            };
            let machine = &rule.machines.minimal;
            if machine.accepts[machine.start] {
                let message = format!("`{letter}` may stay where it is, and that is a move");
                let help = "the rule allows the empty word; if that is not meant, \
                            repeat something at least once: `(0,1,e)(0,1,e)^*`";
                self.warning(Code::SbgEmptyWord, written.span, message, help);
            }
            self.pieces[kind].rule = Some(rule);
        }
    }

    /// The expression, when all its letters are possible.
    fn expression(&mut self, expression: &Placed<Expression>) -> Option<Regular<Letter>> {
        let mut all = |parts: &[Placed<Expression>]| {
            // All of them, so that everything wrong is found.
            let parts: Vec<_> = parts.iter().map(|part| self.expression(part)).collect();
            parts.into_iter().collect::<Option<Vec<_>>>()
        };
        Some(match &expression.value {
            Expression::Letter { x, y, on } => Regular::Letter(self.letter(*x, *y, *on)?),
            Expression::Sum(parts) => Regular::Sum(all(parts)?),
            Expression::Chain(parts) => Regular::Chain(all(parts)?),
            Expression::Star(body) => Regular::Star(Box::new(self.expression(body)?)),
            Expression::Power(body, count) => {
                Regular::Power(Box::new(self.expression(body)?), *count)
            }
        })
    }

    fn letter(&mut self, x: Placed<i32>, y: Placed<i32>, on: Placed<char>) -> Option<Letter> {
        let content = match on.value {
            'e' => Some(On::Empty),
            'p' => Some(On::Opponent),
            'w' => Some(On::Own),
            other => {
                let message = format!("`{other}` is not a valid content of a square");
                let help = "e is an empty square, p a piece of the opponent, w an own one";
                self.error(Code::SbgBadContent, on.span, message, help);
                None
            }
        };
        let (width, height) = self.size?;
        let mut fits = |step: Placed<i32>, size: u32, what: &str| {
            let fits = step.value.unsigned_abs() < size;
            if !fits {
                let message =
                    format!("no two squares are {} {what} apart", step.value.unsigned_abs());
                let help = format!(
                    "on this board that number goes from {0} to {1}",
                    1 - i64::from(size),
                    size - 1
                );
                self.error(Code::SbgVectorOffBoard, step.span, message, &help);
            }
            fits
        };
        let fits = [fits(x, width, "columns"), fits(y, height, "rows")];
        content.filter(|_| fits == [true; 2]).map(|on| Letter { x: x.value, y: y.value, on })
    }

    /// The rule with its automata, unless they are too large.
    fn rule(
        &mut self,
        letter: char,
        expression: Regular<Letter>,
        span: Span,
        shifts: &mut u64,
    ) -> Option<Rule> {
        let machines = match expression.machines() {
            Ok(machines) => machines,
            Err(reason) => {
                let message = match reason {
                    TooLarge::Letters => format!(
                        "the rule of `{letter}` has {} letters when powers are written out; at most {MAX_LETTERS} are allowed",
                        expression.size()
                    ),
                    TooLarge::States => format!(
                        "the rule of `{letter}` needs more than {MAX_STATES} states to be read letter by letter"
                    ),
                };
                let help = "use smaller powers, or fewer alternatives under a star";
                self.error(Code::SbgRuleTooLarge, span, message, help);
                return None;
            }
        };
        let steps = (0..machines.minimal.len()).flat_map(|state| machines.minimal.letters(state));
        let length = |letter: &Letter| u64::from(letter.x.unsigned_abs() + letter.y.unsigned_abs());
        *shifts += steps.map(|(letter, _)| length(letter) + 1).sum::<u64>();
        if *shifts > MAX_SHIFTS {
            let message = format!(
                "the rules up to that of `{letter}` walk over {shifts} squares; at most {MAX_SHIFTS} are allowed"
            );
            let help = "use smaller powers, or shorter jumps";
            self.error(Code::SbgRuleTooLarge, span, message, help);
            return None;
        }
        let returns = self.size.is_none_or(|size| may_return(&machines.minimal, size));
        Some(Rule { expression, machines, returns, origin: origin(span) })
    }

    /// The initial position; pieces without rules become known here.
    fn position(&mut self, board: &ast::Board) -> Vec<Option<(Side, Kind)>> {
        let cells = board.rows.iter().flat_map(|row| &row.cells);
        cells
            .map(|cell| {
                let letter = cell.value.to_ascii_uppercase();
                let side = if cell.value == letter { Side::White } else { Side::Black };
                (cell.value != '.').then(|| {
                    let known = self.kinds.get(&letter).map(|(kind, _)| *kind);
                    (side, known.unwrap_or_else(|| self.add(letter, cell.span)))
                })
            })
            .collect()
    }

    /// How many pieces a side begins with, when that is known; of either side when none is given.
    fn count(&self, side: Option<Side>, kind: Kind) -> Option<usize> {
        let pieces = self.position.as_ref()?.iter().flatten();
        let fits =
            |piece: &&(Side, Kind)| side.is_none_or(|side| side == piece.0) && piece.1 == kind;
        Some(pieces.filter(fits).count())
    }

    fn unused_rules(&mut self, ast: &Ast) {
        for rule in &ast.pieces {
            let Some(&(kind, span)) = self.kinds.get(&rule.letter.value) else { continue };
            if span == rule.letter.span && self.count(None, kind) == Some(0) {
                let message = format!("no `{}` is on the board", rule.letter.value);
                self.warning(Code::SbgUnusedRule, span, message, "pieces cannot be added in play");
            }
        }
    }

    fn goals(&mut self, goals: &[ast::Goal]) -> Vec<Goal> {
        if let Some(goal) = goals.get(MAX_GOALS) {
            let message =
                format!("there are {} goals; at most {MAX_GOALS} are allowed", goals.len());
            let help = "one goal may name several squares: `@P 0 7, 1 7`";
            self.error(Code::SbgTooManyGoals, goal.span, message, help);
            return Vec::new();
        }
        goals.iter().filter_map(|goal| self.goal(goal)).collect()
    }

    /// Declares a piece that only goals name; no player ever has one.
    fn unknown(&mut self, written: char, span: Span) -> Kind {
        let is_there =
            |kind: Kind| self.pieces[kind].rule.is_some() || self.count(None, kind) != Some(0);
        let known = self.kinds.iter().filter(|(_, (kind, _))| is_there(*kind));
        let mut known: Vec<String> = known.map(|(letter, _)| format!("`{letter}`")).collect();
        known.sort_unstable();
        let help = match known.as_slice() {
            [] => "there are no pieces at all".to_owned(),
            known => format!("the pieces are: {}", known.join(", ")),
        };
        let message = format!("there is no piece `{written}`");
        self.warning(Code::SbgUnknownPiece, span, message, &help);
        self.add(written.to_ascii_uppercase(), span)
    }

    fn goal(&mut self, goal: &ast::Goal) -> Option<Goal> {
        let Placed { value: written, span } = goal.letter;
        let letter = written.to_ascii_uppercase();
        let side = if written == letter { Side::White } else { Side::Black };
        let kind = match self.kinds.get(&letter) {
            Some((kind, _)) => *kind,
            None => self.unknown(written, span),
        };
        let initially = self.count(Some(side), kind);
        let origin = origin(goal.span);
        match &goal.kind {
            GoalKind::Count(count) => {
                let (name, limit) = (side.name(), count.value as usize);
                if let Some(number) = initially.filter(|number| *number < limit) {
                    let message =
                        format!("{name} begins with {number} of `{written}` and never has {limit}");
                    let help = "this goal never ends a game";
                    self.warning(Code::SbgIdleGoal, goal.span, message, help);
                } else if initially == Some(limit) {
                    let message = format!("{name} has {limit} of `{written}` from the beginning");
                    let help = "the first half-move that takes none of them ends the game";
                    self.warning(Code::SbgIdleGoal, goal.span, message, help);
                }
                Some(Goal::Count { side, kind, count: count.value, origin })
            }
            GoalKind::Reach(squares) => {
                if initially == Some(0) {
                    let message = format!("{} has no `{written}`", side.name());
                    self.warning(
                        Code::SbgIdleGoal,
                        goal.span,
                        message,
                        "this goal never ends a game",
                    );
                }
                let (width, height) = self.size?;
                let mut found = Vec::new();
                for Placed { value: (x, y), span } in squares {
                    if *x < width && *y < height {
                        found.push((*x, *y));
                    } else {
                        let message = format!("the square {x} {y} is not on the board");
                        let help = format!(
                            "columns go from 0 to {}, rows from 0 at the bottom to {}",
                            width - 1,
                            height - 1
                        );
                        self.warning(Code::SbgSquareOffBoard, *span, message, &help);
                    }
                }
                if found.is_empty() {
                    let message = "no square of this goal is on the board";
                    let help = "this goal never ends a game";
                    self.warning(Code::SbgIdleGoal, goal.span, message, help);
                    return None;
                }
                found.sort_unstable();
                found.dedup();
                Some(Goal::Reach { side, kind, squares: found, origin })
            }
        }
    }
}

/// Whether a word may lead over the square where its piece stands; when in doubt, it may.
fn may_return(machine: &Machine<Letter>, (width, height): (u32, u32)) -> bool {
    /// How many pairs of state and distance are looked at.
    const MAX_WORK: usize = 100_000;
    let (columns, rows) = (i64::from(width), i64::from(height));
    let mut seen = HashSet::from([(machine.start, 0_i64, 0_i64)]);
    let mut work = vec![(machine.start, 0_i64, 0_i64)];
    while let Some((state, x, y)) = work.pop() {
        for (letter, to) in machine.letters(state) {
            let (x, y) = (x + i64::from(letter.x), y + i64::from(letter.y));
            if (x, y) == (0, 0) || seen.len() > MAX_WORK {
                return true;
            }
            if x.abs() < columns && y.abs() < rows && seen.insert((to, x, y)) {
                work.push((to, x, y));
            }
        }
    }
    false
}

fn origin(span: Span) -> Origin {
    Origin { start: span.start, end: span.end }
}
