//! Warnings about games that are correct but probably not meant.
//!
//! Stars are looked at while sentences are expanded, since only then their places are known; all else when the game is
//! complete.

use std::collections::BTreeSet;

use regulus_automaton::{Id, Looks, Piece, PieceKind};

use super::ast::{Definition, Placed};
use super::game::{Effect, Game, Letter, Operation, Step, Test, Value};
use super::{Externals, lower};
use crate::diagnostics::{Code, Diagnostic, Sink};
use crate::interval::Interval;
use crate::looks;
use crate::regular::Regular;
use crate::source::Span;

/// The greatest score.
pub(super) const MAX_SCORE: i64 = 100;

/// How many words of a repeated sentence are looked at.
const MAX_WORDS: usize = 64;

/// Adds the warnings about a complete game.
pub(super) fn lint(
    game: &Game,
    definitions: &[Placed<Definition>],
    externals: &Externals,
    sink: &mut Sink,
) {
    scores(game, sink);
    let players = definitions.iter().find(|one| matches!(one.value, Definition::Players(_)));
    if let Some(players) = players.filter(|_| externals.terminals.is_empty()) {
        no_winner(game, players.span, sink);
    }
    let names = game.pieces.iter().map(|piece| piece.name.as_str());
    let pieces = PieceLint {
        game,
        guessed: looks::guess(game.players.iter().map(String::as_str), names),
        put: puts(game, |_| true),
        placed: puts(game, |mover| is_empty_square(game, mover)),
    };
    for definition in definitions {
        if let Definition::Pieces(listed) = &definition.value {
            for (number, (name, _)) in listed.iter().enumerate().take(game.pieces.len()) {
                pieces.look_at(number, name.span, sink);
            }
        }
    }
}

// ---- Scores ----

/// A game that has no condition of its end, and no effect that may assign scores.
fn no_winner(game: &Game, span: Span, sink: &mut Sink) {
    let scores = |effect: &Effect| match effect {
        Effect::Steps(steps) => steps.iter().any(|step| matches!(step, Step::Score(..))),
        Effect::External(_) => true,
    };
    if game.conditions.is_empty() && !game.effects.iter().any(scores) {
        let message = "nothing says who wins, so every game ends in a draw or never";
        let help = format!(
            "define `victory {} {{ return … }};`, or register the ends of games from a program \
             with the crate regulus-abg",
            game.players.first().map_or("white", String::as_str)
        );
        sink.push(Diagnostic::warning(Code::AbgNoWinner, span, message).help(help));
    }
}

/// Effects that assign a score which no player can have.
fn scores(game: &Game, sink: &mut Sink) {
    for effect in &game.effects {
        let Effect::Steps(steps) = effect else { continue };
        for step in steps {
            if let Step::Score(player, value, origin) = step
                && let Some(range) = range(game, value)
                && (range.greatest < 0 || range.least > MAX_SCORE)
            {
                let message = format!(
                    "`{}` can never have this score, so the letter with this effect always fails",
                    game.players[*player]
                );
                let span = Span { start: origin.start, end: origin.end };
                let value = match range.least == range.greatest {
                    true => range.least.to_string(),
                    false => format!("{} to {}", range.least, range.greatest),
                };
                let diagnostic = Diagnostic::warning(Code::AbgScoreRange, span, message)
                    .label(format!("the value is {value}"));
                sink.push(diagnostic.help("scores go from 0 to 100; a win is 100"));
            }
        }
    }
}

/// The values that a value can have, as far as that is easily known.
fn range(game: &Game, value: &Value) -> Option<Interval> {
    let part = |value: &Value| range(game, value);
    Some(match value {
        Value::Number(number) => Interval::only(*number),
        Value::Variable(variable) => {
            let (least, greatest) = lower::range(game, *variable, game.variables[*variable].1);
            Interval { least, greatest }
        }
        Value::Score(_) => Interval { least: 0, greatest: MAX_SCORE },
        Value::ThisX | Value::FromX => Interval::below(game.width as usize),
        Value::ThisY | Value::FromY => Interval::below(game.height as usize),
        Value::Board(..) => Interval { least: -1, ..Interval::below(game.pieces.len()) },
        Value::Count(_) => Interval { least: 0, greatest: game.board.len() as i64 },
        Value::Current => Interval::below(game.players.len()),
        Value::Holds(_) | Value::Stuck | Value::Not(_) | Value::Match(_) => Interval::TRUTH,
        Value::Negate(inner) => {
            let inner = part(inner)?;
            Interval { least: -inner.greatest, greatest: -inner.least }
        }
        Value::Choose(_, yes, no) => part(yes)?.or(part(no)?),
        Value::Binary(operation, left, right) => {
            let (left, right) = (part(left)?, part(right)?);
            match operation {
                Operation::Add | Operation::Subtract | Operation::Multiply => {
                    let corners = [
                        operation.apply(left.least, right.least)?,
                        operation.apply(left.least, right.greatest)?,
                        operation.apply(left.greatest, right.least)?,
                        operation.apply(left.greatest, right.greatest)?,
                    ];
                    Interval { least: *corners.iter().min()?, greatest: *corners.iter().max()? }
                }
                Operation::Divide | Operation::Modulo => return None,
                _ => Interval::TRUTH,
            }
        }
    })
}

// ---- Pieces ----

/// What is needed to say which pieces lack a rule.
struct PieceLint<'a> {
    game: &'a Game,
    /// What the names alone tell.
    guessed: Looks,
    /// The pieces that effects may put on the board.
    put: BTreeSet<usize>,
    /// Those of them that may be put on empty squares, where they usually stay.
    placed: BTreeSet<usize>,
}

impl PieceLint<'_> {
    /// Says whether a piece lacks a rule, or a way to the board.
    fn look_at(&self, piece: usize, span: Span, sink: &mut Sink) {
        if is_empty_square(self.game, piece) {
            return;
        }
        let is_owned = !self.game.pieces[piece].owners.is_empty();
        let appears = self.game.board.contains(&piece) || self.put.contains(&piece);
        if is_owned && !appears {
            self.never_placed(piece, span, sink);
        } else if self.game.rules[piece].is_none() {
            self.without_rule(piece, span, sink);
        }
    }

    /// Warns of a piece that a player owns but that never comes to the board.
    fn never_placed(&self, piece: usize, span: Span, sink: &mut Sink) {
        let game = self.game;
        let name = &game.pieces[piece].name;
        let mut only_moved = false;
        let empty = game.empty.and_then(|empty| game.rules[empty].as_ref());
        if let Some(rule) = empty {
            rule.expression.visit_letters(&mut |letter| only_moved |= letter.effect == Some(0));
        }
        let help = if only_moved {
            // The report leaves such effects to programs.
            format!(
                "letters without an effect only move `empty`; define \
                 `effect Default() {{ Board[this.x][this.y] = {name}; }};`, or register the effect \
                 `Default` from a program with the crate regulus-abg"
            )
        } else {
            "leave it out of the pieces, or put it on the board".to_owned()
        };
        let message = format!("`{name}` is never on the board: no effect puts it there");
        sink.push(Diagnostic::warning(Code::AbgNeverPlaced, span, message).help(help));
    }

    /// Warns of a piece that a player should be able to move, but that has no rule.
    fn without_rule(&self, piece: usize, span: Span, sink: &mut Sink) {
        let game = self.game;
        let (info, look) = (&game.pieces[piece], &game.looks.pieces[Piece::from_index(piece)]);
        if matches!(look.kind, PieceKind::Wall | PieceKind::Blocked) {
            return;
        }
        let name = &info.name;
        let owners: Vec<&str> =
            info.owners.iter().map(|&owner| game.players[owner].as_str()).collect();
        let owners = owners.join(" and ");
        let rule = format!("write `rule {name} = …;`, or `rule {name} = [0, 0, False];`");
        let (message, help) = if info.owners.is_empty() {
            // No player moves it, which may be meant, unless its name says whose it is.
            let Some(owner) = self.guessed.pieces[Piece::from_index(piece)].owner else { return };
            let message = format!("`{name}` has no owner and no rule, so it can never move");
            let owner = &game.players[owner.index()];
            (message, format!("if it is {owner}'s, write `{name}({owner})` and give it a rule"))
        } else if game.board.contains(&piece) {
            let message = format!("`{name}` of {owners} has no rule, so it can never move");
            (message, format!("{rule} if that is meant"))
        } else if self.placed.contains(&piece) {
            return;
        } else {
            let message = format!(
                "`{name}` of {owners} has no rule, so it can never move once it is on the board"
            );
            (message, format!("{rule} if that is meant"))
        };
        sink.push(Diagnostic::warning(Code::AbgNoRule, span, message).help(help));
    }
}

fn is_empty_square(game: &Game, piece: usize) -> bool {
    game.empty == Some(piece) || game.looks.pieces[Piece::from_index(piece)].is_empty
}

/// The pieces that the effects in the rules of some pieces may put on the board.
fn puts(game: &Game, moves: impl Fn(usize) -> bool) -> BTreeSet<usize> {
    let all = || 0..game.pieces.len();
    let mut found = BTreeSet::new();
    let movers = game.rules.iter().enumerate().filter(|(mover, _)| moves(*mover));
    for rule in movers.filter_map(|(_, rule)| rule.as_ref()) {
        rule.expression.visit_letters(&mut |letter| match letter
            .effect
            .map(|effect| &game.effects[effect])
        {
            None => {}
            Some(Effect::External(_)) => found.extend(all()),
            Some(Effect::Steps(steps)) => {
                for step in steps {
                    if let Step::Board(_, _, value, _) = step {
                        put(value, &mut found, all());
                    }
                }
            }
        });
    }
    found
}

/// Adds the pieces that a value may be the number of.
fn put(value: &Value, found: &mut BTreeSet<usize>, all: std::ops::Range<usize>) {
    match value {
        Value::Number(number) => found.extend(usize::try_from(*number)),
        Value::Choose(_, yes, no) => {
            put(yes, found, all.clone());
            put(no, found, all);
        }
        _ => found.extend(all),
    }
}

// ---- Stars ----

/// What a sentence is that a star repeats.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Repeated {
    /// Sometimes nothing.
    MayBeEmpty,
    /// Something that leaves the square and the game as they are.
    Idle,
    /// Something that can come again and again.
    Endless,
}

/// How many parts of sentences are looked at in all, so that stars in stars cost little.
pub(super) const MAX_LOOKS: usize = 2_000_000;

/// The finding about a star over a sentence, if there is one. `size` is that of the board; `looks` is how many parts may
/// still be looked at.
pub(super) fn star(
    game: &Game,
    body: &Regular<Letter>,
    size: Option<(i64, i64)>,
    looks: &mut usize,
    span: Span,
) -> Option<Diagnostic> {
    if !is_small(body, looks) {
        return None;
    }
    let (code, message, help) = match repeated(game, body, size)? {
        Repeated::MayBeEmpty => (
            Code::AbgIdleStar,
            "what is repeated here may be empty",
            "repeat what has at least one letter: `(a | b)*` instead of `(a* | b?)*`",
        ),
        Repeated::Idle => (
            Code::AbgIdleStar,
            "what is repeated here stays on its square and changes nothing",
            "once is as good as often: leave out the `*` or `+`",
        ),
        Repeated::Endless => (
            Code::AbgEndlessStar,
            "a player may repeat this for ever, coming back to the same square",
            "let every repetition go on in one direction, or let something in it fail at last, \
             such as the test `Empty`",
        ),
    };
    Some(Diagnostic::warning(code, span, message).help(help))
}

/// Whether a sentence has no more parts than may be looked at, from which they are subtracted.
fn is_small(expression: &Regular<Letter>, looks: &mut usize) -> bool {
    *looks = looks.saturating_sub(1);
    *looks > 0
        && match expression {
            Regular::Empty | Regular::Letter(_) => true,
            Regular::Sum(parts) | Regular::Chain(parts) => {
                parts.iter().all(|part| is_small(part, looks))
            }
            Regular::Star(body) | Regular::Power(body, _) => is_small(body, looks),
        }
}

fn repeated(game: &Game, body: &Regular<Letter>, size: Option<(i64, i64)>) -> Option<Repeated> {
    let words = words(game, body, size);
    let returns = |word: &FreeWord| word.writes && (word.x, word.y) == (0, 0);
    let pairs = || words.iter().flat_map(|word| words.iter().map(|other| word.then(*other)));
    let fits = |word: &FreeWord| word.fits(size);
    if stays(game, body).1
        || words.iter().copied().chain(pairs()).any(|word| returns(&word) && fits(&word))
    {
        return Some(Repeated::Endless);
    }
    if body.may_be_empty() {
        return Some(Repeated::MayBeEmpty);
    }
    let mut is_idle = true;
    body.visit_letters(&mut |letter| {
        let is_quiet = match letter.effect.map(|effect| &game.effects[effect]) {
            None => true,
            Some(Effect::Steps(steps)) => steps.is_empty(),
            Some(Effect::External(_)) => false,
        };
        is_idle &= is_quiet && (letter.x, letter.y) == (0, 0);
    });
    is_idle.then_some(Repeated::Idle)
}

/// Whether a sentence may be empty, and whether it has a word of letters that only put the piece down where it is.
fn stays(game: &Game, expression: &Regular<Letter>) -> (bool, bool) {
    match expression {
        Regular::Empty => (true, false),
        Regular::Letter(letter) => {
            let puts_down = match letter.effect.map(|effect| &game.effects[effect]) {
                Some(Effect::Steps(steps)) => steps.as_slice() == [Step::Move],
                _ => false,
            };
            (false, puts_down && (letter.x, letter.y) == (0, 0))
        }
        Regular::Sum(parts) => parts.iter().fold((false, false), |(empty, stay), part| {
            let (may_be_empty, may_stay) = stays(game, part);
            (empty | may_be_empty, stay | may_stay)
        }),
        Regular::Chain(parts) => {
            let (mut empty, mut any, mut all) = (true, false, true);
            for part in parts {
                let (may_be_empty, may_stay) = stays(game, part);
                empty &= may_be_empty;
                any |= may_stay;
                all &= may_be_empty | may_stay;
            }
            (empty, any && all)
        }
        Regular::Star(body) => (true, stays(game, body).1),
        Regular::Power(body, _) => stays(game, body),
    }
}

/// A word that can be read whatever the position is, as long as it stays on the board.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FreeWord {
    /// How far it leads.
    x: i64,
    y: i64,
    /// The least and the greatest column and row on its way, seen from where it begins.
    columns: Interval,
    rows: Interval,
    writes: bool,
}

impl FreeWord {
    const EMPTY: FreeWord =
        FreeWord { x: 0, y: 0, columns: Interval::only(0), rows: Interval::only(0), writes: false };

    fn letter(letter: &Letter) -> FreeWord {
        let (x, y) = (i64::from(letter.x), i64::from(letter.y));
        let (columns, rows) = (Interval::only(x), Interval::only(y));
        FreeWord {
            x,
            y,
            columns: columns.or(Interval::only(0)),
            rows: rows.or(Interval::only(0)),
            writes: true,
        }
    }

    fn then(self, next: FreeWord) -> FreeWord {
        let behind = |range: Interval, by: i64| Interval {
            least: range.least + by,
            greatest: range.greatest + by,
        };
        FreeWord {
            x: self.x + next.x,
            y: self.y + next.y,
            columns: self.columns.or(behind(next.columns, self.x)),
            rows: self.rows.or(behind(next.rows, self.y)),
            writes: self.writes | next.writes,
        }
    }

    /// Whether the board has room for its way.
    fn fits(&self, size: Option<(i64, i64)>) -> bool {
        let room = |range: Interval, size: i64| range.greatest - range.least < size;
        size.is_none_or(|(width, height)| room(self.columns, width) && room(self.rows, height))
    }
}

/// Words of a sentence that can be read whatever the position is; not all, if there are many.
fn words(game: &Game, expression: &Regular<Letter>, size: Option<(i64, i64)>) -> Vec<FreeWord> {
    let part = |part: &Regular<Letter>| words(game, part, size);
    let mut found = Vec::new();
    let mut add = |word: FreeWord| {
        if found.len() < MAX_WORDS && word.fits(size) && !found.contains(&word) {
            found.push(word);
        }
    };
    match expression {
        Regular::Empty => add(FreeWord::EMPTY),
        Regular::Letter(letter) if is_certain(game, letter) => add(FreeWord::letter(letter)),
        Regular::Letter(_) => {}
        Regular::Sum(parts) => parts.iter().flat_map(part).for_each(add),
        Regular::Chain(parts) => {
            let chained = parts.iter().try_fold(vec![FreeWord::EMPTY], |before, each| {
                let next = part(each);
                let all = before.iter().flat_map(|word| next.iter().map(|other| word.then(*other)));
                let all: Vec<FreeWord> = all.take(MAX_WORDS).collect();
                (!all.is_empty()).then_some(all)
            });
            chained.into_iter().flatten().for_each(add);
        }
        Regular::Star(body) => {
            add(FreeWord::EMPTY);
            part(body).into_iter().for_each(add);
        }
        // The language has none.
        Regular::Power(..) => {}
    }
    found
}

/// Whether a letter can always be read, and writes something that can always be written.
fn is_certain(game: &Game, letter: &Letter) -> bool {
    let holds =
        matches!(&game.tests[letter.test], Test::Value(Value::Number(number)) if *number != 0);
    let succeeds = |step: &Step| match step {
        Step::Move | Step::Board(Value::ThisX, Value::ThisY, Value::Number(_), _) => true,
        Step::Variable(variable, value, _) => match value {
            Value::Number(_) => true,
            // A count, far from its limit.
            Value::Binary(Operation::Add, count, one) => {
                **count == Value::Variable(*variable) && **one == Value::Number(1)
            }
            _ => false,
        },
        Step::Score(_, Value::Number(number), _) => (0..=MAX_SCORE).contains(number),
        Step::Board(..) | Step::Score(..) => false,
    };
    match letter.effect.map(|effect| &game.effects[effect]) {
        Some(Effect::Steps(steps)) => holds && !steps.is_empty() && steps.iter().all(succeeds),
        _ => false,
    }
}
