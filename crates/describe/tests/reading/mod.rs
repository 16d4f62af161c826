//! Reads a description back into movements, to compare with the rule it describes.
//!
//! ```text
//! sentence ─▶ words of English ─▶ clauses ─▶ phrases: which steps, how often, over what, onto what ─▶ movements
//! ```
//!
//! Written from docs/descriptions.md alone, and shares nothing with the crate it checks: a mistake would have to be made
//! twice to go unnoticed. Therefore it is also strict. What the grammar does not have is an error, with two exceptions whose
//! meaning is plain: places may be separated by commas as clauses are, and a leap may leave out the number of the place
//! just before ("1 vertically or horizontally").

use std::collections::BTreeSet;
use std::str::FromStr;

use Holds::{Empty, Enemy, Own};

/// What a square must hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Holds {
    Empty,
    Enemy,
    Own,
}

/// To the right and forwards, each possibly negative.
type Offset = (i32, i32);

/// A destination and what squares must hold.
///
/// Offsets are relative to the piece. Conditions are sorted; each square that is visited has one,
/// except the piece's own.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) struct Movement {
    pub(crate) to: Offset,
    pub(crate) conditions: Vec<(Offset, Holds)>,
}

/// The movements a sentence denotes on a board of this size.
///
/// # Errors
///
/// Says which word was not understood, and what could have been there.
pub(crate) fn read(sentence: &str, width: u32, height: u32) -> Result<BTreeSet<Movement>, String> {
    let clauses = Parser::new(sentence)?.sentence()?;
    let board = Board { width, height };
    Ok(clauses.iter().flat_map(|clause| clause.movements(board)).collect())
}

/// The movement of a word, whose letters are steps and what the square they lead to holds.
///
/// Returns `None` if it does not fit the board or contradicts itself.
pub(crate) fn movement(word: &[(i32, i32, Holds)], width: u32, height: u32) -> Option<Movement> {
    let board = Board { width, height };
    word.iter()
        .try_fold(board.start()?, |so_far, &(x, y, holds)| board.step(&so_far, (x, y), holds))
}

#[derive(Clone, Copy, Debug)]
struct Board {
    width: u32,
    height: u32,
}

impl Board {
    /// The empty word.
    fn start(self) -> Option<Movement> {
        let start = Movement { to: (0, 0), conditions: Vec::new() };
        self.fits(&start).then_some(start)
    }

    /// One letter more.
    fn step(self, so_far: &Movement, (x, y): Offset, holds: Holds) -> Option<Movement> {
        let to = (so_far.to.0.checked_add(x)?, so_far.to.1.checked_add(y)?);
        self.require(so_far, to, holds).map(|conditions| Movement { to, ..conditions })
    }

    /// The same movement with one condition more.
    fn require(self, movement: &Movement, square: Offset, holds: Holds) -> Option<Movement> {
        if square == (0, 0) {
            return (holds == Own).then(|| movement.clone());
        }
        let conditions = &movement.conditions;
        match conditions.binary_search_by_key(&square, |(known, _)| *known) {
            Ok(place) => (conditions[place].1 == holds).then(|| movement.clone()),
            Err(place) => {
                let mut longer = movement.clone();
                longer.conditions.insert(place, (square, holds));
                self.fits(&longer).then_some(longer)
            }
        }
    }

    /// Whether the squares with conditions and the piece's own fit together.
    fn fits(self, movement: &Movement) -> bool {
        let extent = |coordinate: fn(&Offset) -> i32| {
            let squares = movement.conditions.iter().map(|(square, _)| coordinate(square));
            let (least, most) =
                squares.fold((0, 0), |(least, most), at| (at.min(least), at.max(most)));
            i64::from(most) - i64::from(least)
        };
        extent(|square| square.0) < i64::from(self.width)
            && extent(|square| square.1) < i64::from(self.height)
    }
}

#[derive(Clone, Debug)]
enum Clause {
    /// One after the other.
    Phrases(Vec<Phrase>),
    /// Also staying, with one's own piece at the destination.
    Listed { to: Offset, last: &'static [Holds], conditions: Vec<(Offset, Holds)> },
}

impl Clause {
    fn movements(&self, board: Board) -> BTreeSet<Movement> {
        match self {
            Self::Phrases(phrases) => {
                phrases.iter().fold(board.start().into_iter().collect(), |reached, phrase| {
                    let mut further = BTreeSet::new();
                    for from in &reached {
                        phrase.movements(from, board, &mut further);
                    }
                    further
                })
            }
            Self::Listed { to, last, conditions } => {
                let listed = board.start().and_then(|start| {
                    conditions.iter().try_fold(start, |so_far, &(square, holds)| {
                        board.require(&so_far, square, holds)
                    })
                });
                listed
                    .iter()
                    .flat_map(|so_far| {
                        last.iter().filter_map(|&holds| board.step(so_far, *to, holds))
                    })
                    .collect()
            }
        }
    }
}

#[derive(Clone, Debug)]
struct Phrase {
    verb: Verb,
    times: Times,
    relative: Option<Relative>,
    /// What places and the absolute direction leave.
    steps: BTreeSet<Offset>,
}

impl Phrase {
    /// All ways to go on from here.
    fn movements(&self, from: &Movement, board: Board, found: &mut BTreeSet<Movement>) {
        for &step in &self.steps {
            if self.relative.is_none_or(|relative| relative.allows(from.to, step)) {
                match self.verb.kind {
                    Kind::Leap => self.end(from, step, board, found),
                    Kind::Ride(path) => self.ride(path, from, step, board, found),
                }
            }
        }
    }

    fn end(&self, from: &Movement, step: Offset, board: Board, found: &mut BTreeSet<Movement>) {
        found.extend(self.verb.last.iter().filter_map(|&holds| board.step(from, step, holds)));
    }

    fn ride(
        &self,
        path: Path,
        from: &Movement,
        step: Offset,
        board: Board,
        found: &mut BTreeSet<Movement>,
    ) {
        // With whether a piece has been hopped over. Ends since steps are not (0,0) and boards have borders.
        let mut paths = vec![(from.clone(), false)];
        for count in 1.. {
            if paths.is_empty() || self.times.are_over(count) {
                break;
            }
            if self.times.allow(count) {
                for (before, hopped) in &paths {
                    if *hopped || matches!(path, Path::Over(_)) {
                        self.end(before, step, board, found);
                    }
                }
            }
            paths = paths
                .iter()
                .flat_map(|(before, hopped)| {
                    path.next(*hopped).into_iter().filter_map(move |(holds, hopped)| {
                        Some((board.step(before, step, holds)?, hopped))
                    })
                })
                .collect();
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Verb {
    kind: Kind,
    last: &'static [Holds],
    stands: Stands,
}

#[derive(Clone, Copy, Debug)]
enum Kind {
    Leap,
    Ride(Path),
}

/// What the squares before the last hold.
#[derive(Clone, Copy, Debug)]
enum Path {
    Over(Holds),
    /// One of these, else empty.
    Hop {
        pieces: &'static [Holds],
        /// It is just before the last square.
        right: bool,
    },
}

impl Path {
    /// What the next square of a path may hold, and whether there is a piece among the squares then.
    fn next(self, hopped: bool) -> Vec<(Holds, bool)> {
        match self {
            Self::Over(holds) => vec![(holds, false)],
            Self::Hop { right: true, .. } if hopped => Vec::new(),
            Self::Hop { .. } if hopped => vec![(Empty, true)],
            Self::Hop { pieces, .. } => {
                pieces.iter().map(|&piece| (piece, true)).chain([(Empty, false)]).collect()
            }
        }
    }
}

/// Where in its clause a verb may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stands {
    Anywhere,
    Last,
    BeforeAndThen,
}

#[derive(Clone, Copy, Debug)]
enum Times {
    /// To the second, if there is one.
    From(u32, Option<u32>),
    Odd,
    Even,
}

impl Times {
    fn allow(self, count: u32) -> bool {
        match self {
            Self::From(least, most) => least <= count && most.is_none_or(|most| count <= most),
            Self::Odd => count % 2 == 1,
            Self::Even => count.is_multiple_of(2),
        }
    }

    /// Neither this many nor more.
    fn are_over(self, count: u32) -> bool {
        matches!(self, Self::From(_, Some(most)) if most < count)
    }
}

#[derive(Clone, Copy, Debug)]
enum Relative {
    Outwards,
    Inwards,
    Sideways,
}

impl Relative {
    fn allows(self, from: Offset, step: Offset) -> bool {
        let product = |a: i32, b: i32| i128::from(a) * i128::from(b);
        let scalar = product(from.0, step.0) + product(from.1, step.1);
        match self {
            Self::Outwards => scalar > 0,
            Self::Inwards => scalar < 0,
            Self::Sideways => scalar == 0,
        }
    }
}

/// What stands between clauses or places.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Separator {
    Or,
    Comma,
    CommaOr,
}

impl Separator {
    /// The one behind a clause, counted from 0.
    fn behind(clause: usize, clauses: usize) -> Self {
        match clauses {
            2 => Self::Or,
            _ if clause + 2 == clauses => Self::CommaOr,
            _ => Self::Comma,
        }
    }

    fn words(self) -> &'static [&'static str] {
        match self {
            Self::Or => &["or"],
            Self::Comma => &[","],
            Self::CommaOr => &[",", "or"],
        }
    }
}

const VERBS: [&str; 7] = ["leaps", "moves", "captures", "rides", "hops", "passes", "stays"];

#[derive(Debug)]
struct Parser {
    /// Commas behind words are words of their own.
    words: Vec<String>,
    at: usize,
}

impl Parser {
    fn new(sentence: &str) -> Result<Self, String> {
        let Some(body) = sentence.strip_suffix('.') else {
            return Err(format!("`{sentence}` has no full stop at its end"));
        };
        let mut letters = body.chars();
        let first = letters.next().filter(char::is_ascii_uppercase);
        let Some(first) = first else {
            return Err(format!("`{sentence}` does not begin with a capital"));
        };
        let lower = format!("{}{}", first.to_ascii_lowercase(), letters.as_str());
        let mut words = Vec::new();
        for word in lower.split(' ') {
            match word.strip_suffix(',') {
                Some(word) => words.extend([word.to_owned(), ",".to_owned()]),
                None => words.push(word.to_owned()),
            }
        }
        Ok(Self { words, at: 0 })
    }

    fn sentence(mut self) -> Result<Vec<Clause>, String> {
        if self.accept(&["does", "not", "move"]) {
            return self.end().map(|()| Vec::new());
        }
        let mut clauses = vec![self.clause()?];
        let mut separators = Vec::new();
        while let Some(separator) = self.separator() {
            separators.push((self.at, separator));
            self.at += separator.words().len();
            clauses.push(self.clause()?);
        }
        self.end()?;
        for (clause, &(at, separator)) in separators.iter().enumerate() {
            let proper = Separator::behind(clause, clauses.len());
            // Two long clauses have a comma between them.
            let long = clauses.len() == 2 && separator == Separator::CommaOr;
            if separator != proper && !long {
                self.at = at;
                return Err(
                    self.expected(&format!("`{}` between the clauses", proper.words().join(" ")))
                );
            }
        }
        Ok(clauses)
    }

    fn clause(&mut self) -> Result<Clause, String> {
        if self.accept(&["stays", "where", "it", "is"]) {
            return Ok(Clause::Listed {
                to: (0, 0),
                last: &[Own],
                conditions: self.optional_conditions()?,
            });
        }
        let mut phrases = Vec::new();
        loop {
            let verb_at = self.at;
            let verb = self.verb()?;
            if phrases.is_empty()
                && let Some(listed) = self.listed(verb_at, verb)?
            {
                return Ok(listed);
            }
            phrases.push(self.phrase(verb)?);
            let last = !self.accept(&["and", "then"]);
            let misplaced = match verb.stands {
                Stands::Anywhere => None,
                Stands::Last => (!last).then_some("a verb that captures nothing before `and then`"),
                Stands::BeforeAndThen => last.then_some("a verb that can be the last"),
            };
            if let Some(instead) = misplaced {
                self.at = verb_at;
                return Err(self.expected(instead));
            }
            if last {
                return Ok(Clause::Phrases(phrases));
            }
        }
    }

    fn verb(&mut self) -> Result<Verb, String> {
        let leap = |last, stands| Ok(Verb { kind: Kind::Leap, last, stands });
        if self.accept(&["moves"]) {
            leap(&[Empty], Stands::Anywhere)
        } else if self.accept(&["leaps"]) {
            leap(self.instead(), Stands::Last)
        } else if self.accept(&["captures"]) {
            leap(self.captured(), Stands::Last)
        } else if self.accept(&["passes", "over"]) {
            leap(self.contents()?, Stands::BeforeAndThen)
        } else if self.accept(&["rides", "over", "own", "pieces"]) {
            self.ride(Path::Over(Own))
        } else if self.accept(&["rides", "over", "enemy", "pieces"]) {
            self.ride(Path::Over(Enemy))
        } else if self.accept(&["rides"]) {
            self.ride(Path::Over(Empty))
        } else if self.accept(&["hops"]) {
            let right = self.accept(&["right"]);
            self.expect(&["over"])?;
            let pieces = if self.accept(&["a", "piece"]) {
                &[Enemy, Own][..]
            } else if self.accept(&["an", "own", "piece"]) {
                &[Own]
            } else if self.accept(&["an", "enemy"]) {
                &[Enemy]
            } else {
                return Err(self.expected("`a piece`, `an own piece` or `an enemy`"));
            };
            self.ride(Path::Hop { pieces, right })
        } else {
            Err(self.expected("a verb"))
        }
    }

    /// What follows a verb of riding.
    fn ride(&mut self, path: Path) -> Result<Verb, String> {
        let (last, stands) = if self.accept(&["without", "capturing"]) {
            (&[Empty][..], Stands::Anywhere)
        } else if self.accept(&["only", "to", "capture"]) {
            (self.captured(), Stands::Last)
        } else if self.accept(&["onto"]) {
            (self.contents()?, Stands::BeforeAndThen)
        } else {
            (self.instead(), Stands::Last)
        };
        Ok(Verb { kind: Kind::Ride(path), last, stands })
    }

    fn captured(&mut self) -> &'static [Holds] {
        if self.accept(&["own"]) {
            &[Own]
        } else if self.accept(&["any"]) {
            &[Enemy, Own]
        } else {
            &[Enemy]
        }
    }

    fn instead(&mut self) -> &'static [Holds] {
        if self.accept(&["capturing", "own", "instead"]) {
            &[Empty, Own]
        } else if self.accept(&["capturing", "any"]) {
            &[Empty, Enemy, Own]
        } else {
            &[Empty, Enemy]
        }
    }

    /// The X of "passes over X".
    fn contents(&mut self) -> Result<&'static [Holds], String> {
        let known: [(&[&str], &[Holds]); 6] = [
            (&["an", "enemy"], &[Enemy]),
            (&["an", "own", "piece"], &[Own]),
            (&["any", "piece"], &[Enemy, Own]),
            (&["anything", "but", "an", "own", "piece"], &[Empty, Enemy]),
            (&["anything", "but", "an", "enemy"], &[Empty, Own]),
            (&["anything"], &[Empty, Enemy, Own]),
        ];
        let found = known.into_iter().find(|(words, _)| self.accept(words));
        found.map(|(_, holds)| holds).ok_or_else(|| self.expected("what a square holds"))
    }

    /// The rest of a listed clause, if this verb opens one.
    fn listed(&mut self, verb_at: usize, verb: Verb) -> Result<Option<Clause>, String> {
        let particle = if self.words[verb_at] == "captures" { "at" } else { "to" };
        if !matches!(verb.kind, Kind::Leap)
            || verb.stands == Stands::BeforeAndThen
            || !self.accept(&[particle])
        {
            return Ok(None);
        }
        let to = self.offset()?;
        let conditions = self.optional_conditions()?;
        Ok(Some(Clause::Listed { to, last: verb.last, conditions }))
    }

    fn optional_conditions(&mut self) -> Result<Vec<(Offset, Holds)>, String> {
        let mut conditions = Vec::new();
        if !self.accept(&["if"]) {
            return Ok(conditions);
        }
        loop {
            let square = self.offset()?;
            let holds = if self.accept(&["is", "empty"]) {
                Empty
            } else if self.accept(&["holds", "an", "enemy"]) {
                Enemy
            } else if self.accept(&["holds", "an", "own", "piece"]) {
                Own
            } else {
                return Err(self.expected("`is empty`, `holds an enemy` or `holds an own piece`"));
            };
            conditions.push((square, holds));
            if !self.accept(&["and"]) {
                return Ok(conditions);
            }
        }
    }

    /// The rest of a phrase.
    fn phrase(&mut self, verb: Verb) -> Result<Phrase, String> {
        let times = match verb.kind {
            Kind::Leap => Times::From(1, Some(1)),
            Kind::Ride(_) => self.times()?,
        };
        let relatives = [
            ("outwards", Relative::Outwards),
            ("inwards", Relative::Inwards),
            ("sideways", Relative::Sideways),
        ];
        let relative = relatives.into_iter().find(|(word, _)| self.accept(&[word]));
        let mut steps = self.places(verb.kind)?;
        self.absolute(&mut steps);
        Ok(Phrase { verb, times, relative: relative.map(|(_, relative)| relative), steps })
    }

    fn times(&mut self) -> Result<Times, String> {
        let times = if self.accept(&["an", "odd", "number", "of"]) {
            Times::Odd
        } else if self.accept(&["an", "even", "number", "of"]) {
            Times::Even
        } else if self.accept(&["max"]) {
            Times::From(1, Some(self.number()?))
        } else if self.accept(&["minimum"]) {
            Times::From(self.number()?, None)
        } else if self.accept(&["exactly"]) {
            let count = self.number()?;
            Times::From(count, Some(count))
        } else if self.word().starts_with(|letter: char| letter.is_ascii_digit()) {
            let least = self.number()?;
            self.expect(&["to"])?;
            Times::From(least, Some(self.number()?))
        } else {
            return Ok(Times::From(1, None));
        };
        self.expect(&["times"])?;
        Ok(times)
    }

    fn places(&mut self, kind: Kind) -> Result<BTreeSet<Offset>, String> {
        let mut steps = BTreeSet::new();
        let mut before = Before::Nothing;
        loop {
            let at = self.at;
            let place = self.place(kind, &mut before)?;
            if matches!(kind, Kind::Ride(_)) && place.contains(&(0, 0)) {
                self.at = at;
                return Err(self.expected("steps that lead somewhere"));
            }
            steps.extend(place);
            match self.separator() {
                Some(Separator::Or) if !self.is_verb(1) => self.at += 1,
                _ => return Ok(steps),
            }
        }
    }

    fn place(&mut self, kind: Kind, before: &mut Before) -> Result<Vec<Offset>, String> {
        if self.accept(&["over", "vector"])
            || (matches!(before, Before::Vector) && self.word().starts_with('('))
        {
            *before = Before::Vector;
            return self.vector();
        }
        let numbered = self.word().starts_with(|letter: char| letter.is_ascii_digit());
        let length = match (kind, &*before) {
            (Kind::Leap, Before::Length(length)) if !numbered => *length,
            (Kind::Leap, _) => self.number()?,
            (Kind::Ride(_), _) if self.accept(&["by"]) => self.number()?,
            (Kind::Ride(_), _) => 1,
        };
        *before = Before::Length(length);
        let straight: [_; 2] = [(length, 0), (0, length)];
        let known: [(&[&str], &[Offset]); 4] = [
            (&["horizontally"], &straight[..1]),
            (&["vertically"], &straight[1..]),
            (&["diagonally"], &[(length, length)]),
            (&["in", "every", "direction"], &[straight[0], straight[1], (length, length)]),
        ];
        let found = known.into_iter().find(|(words, _)| self.accept(words));
        found
            .map(|(_, steps)| steps.iter().copied().flat_map(all_signs).collect())
            .ok_or_else(|| self.expected("a direction"))
    }

    /// The steps of "(x,y)" or "(x,y)/(y,x)".
    fn vector(&mut self) -> Result<Vec<Offset>, String> {
        let word = self.word();
        let (first, second) = match word.split_once('/') {
            Some((first, second)) => (first, Some(second)),
            None => (word, None),
        };
        let vector = pair(first).filter(|&(x, y)| x >= 0 && y >= 0);
        let Some((x, y)) = vector else { return Err(self.expected("a vector")) };
        let mut steps = all_signs((x, y)).to_vec();
        if let Some(second) = second {
            if pair(second) != Some((y, x)) {
                return Err(self.expected(&format!("`({x},{y})/({y},{x})`")));
            }
            steps.extend(all_signs((y, x)));
        }
        self.at += 1;
        Ok(steps)
    }

    /// Keeps the steps that go where the phrase says, if it does.
    fn absolute(&mut self, steps: &mut BTreeSet<Offset>) {
        if self.accept(&["forwards"]) {
            steps.retain(|step| step.1 > 0);
        } else if self.accept(&["backwards"]) {
            steps.retain(|step| step.1 < 0);
        }
        if self.accept(&["to", "the", "left"]) {
            steps.retain(|step| step.0 < 0);
        } else if self.accept(&["to", "the", "right"]) {
            steps.retain(|step| step.0 > 0);
        }
    }

    fn offset(&mut self) -> Result<Offset, String> {
        let offset = pair(self.word()).ok_or_else(|| self.expected("a square such as `(-1,2)`"))?;
        self.at += 1;
        Ok(offset)
    }

    fn number<T: FromStr>(&mut self) -> Result<T, String> {
        let number = plain(self.word()).ok_or_else(|| self.expected("a number"))?;
        self.at += 1;
        Ok(number)
    }

    /// What comes next, if it separates something; it stays there.
    fn separator(&self) -> Option<Separator> {
        // The longest first.
        [Separator::CommaOr, Separator::Comma, Separator::Or]
            .into_iter()
            .find(|separator| self.is_next(separator.words()))
    }

    /// Whether a verb comes after some words more.
    fn is_verb(&self, after: usize) -> bool {
        self.words.get(self.at + after).is_some_and(|word| VERBS.contains(&word.as_str()))
    }

    fn is_next(&self, words: &[&str]) -> bool {
        self.words[self.at..].iter().map(String::as_str).take(words.len()).eq(words.iter().copied())
    }

    fn accept(&mut self, words: &[&str]) -> bool {
        let found = self.is_next(words);
        if found {
            self.at += words.len();
        }
        found
    }

    fn expect(&mut self, words: &[&str]) -> Result<(), String> {
        if self.accept(words) {
            Ok(())
        } else {
            Err(self.expected(&format!("`{}`", words.join(" "))))
        }
    }

    fn end(&self) -> Result<(), String> {
        if self.at == self.words.len() { Ok(()) } else { Err(self.expected("the end")) }
    }

    /// The next word; empty at the end, where nothing fits.
    fn word(&self) -> &str {
        self.words.get(self.at).map_or("", String::as_str)
    }

    fn expected(&self, what: &str) -> String {
        let before = self.words[..self.at].join(" ").replace(" ,", ",");
        match self.words.get(self.at) {
            Some(word) => format!("`{word}` not understood after `{before}`: expected {what}"),
            None => format!("nothing after `{before}`: expected {what}"),
        }
    }
}

/// The place before a place, as far as it matters.
#[derive(Clone, Copy, Debug)]
enum Before {
    Nothing,
    Vector,
    Length(i32),
}

fn all_signs((x, y): Offset) -> [Offset; 4] {
    [(x, y), (-x, y), (x, -y), (-x, -y)]
}

/// A number without sign.
fn plain<T: FromStr>(word: &str) -> Option<T> {
    word.parse().ok().filter(|_| word.bytes().all(|byte| byte.is_ascii_digit()))
}

/// "(x,y)", either with a minus or without.
fn pair(word: &str) -> Option<Offset> {
    let (x, y) = word.strip_prefix('(')?.strip_suffix(')')?.split_once(',')?;
    let number = |text: &str| match text.strip_prefix('-') {
        Some(text) => plain::<i32>(text).map(|number| -number),
        None => plain(text),
    };
    Some((number(x)?, number(y)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    const STRAIGHT: [(i32, i32); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
    const DIAGONAL: [(i32, i32); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
    const KNIGHT: [(i32, i32); 8] =
        [(1, 2), (-1, 2), (1, -2), (-1, -2), (2, 1), (-2, 1), (2, -1), (-2, -1)];

    type Word = Vec<(i32, i32, Holds)>;

    fn on_chess_board(words: impl IntoIterator<Item = Word>) -> BTreeSet<Movement> {
        words.into_iter().filter_map(|word| movement(&word, 8, 8)).collect()
    }

    fn every() -> impl Iterator<Item = (i32, i32)> {
        STRAIGHT.into_iter().chain(DIAGONAL)
    }

    /// The same letter some times and then another.
    fn run((x, y): (i32, i32), path: Holds, before: usize, last: Holds) -> Word {
        let mut word = vec![(x, y, path); before];
        word.push((x, y, last));
        word
    }

    fn joined(mut first: Word, second: &[(i32, i32, Holds)]) -> Word {
        first.extend(second);
        first
    }

    fn scalar(a: (i32, i32), b: (i32, i32)) -> i32 {
        a.0 * b.0 + a.1 * b.1
    }

    #[track_caller]
    fn means(sentence: &str, words: impl IntoIterator<Item = Word>) {
        assert_eq!(read(sentence, 8, 8), Ok(on_chess_board(words)), "{sentence}");
    }

    #[track_caller]
    fn same(one: &str, other: &str) {
        let movements = read(one, 8, 8).expect(one);
        assert!(!movements.is_empty(), "{one}");
        assert_eq!(movements, read(other, 8, 8).expect(other), "{one} {other}");
    }

    #[track_caller]
    fn count(sentence: &str, movements: usize) {
        assert_eq!(read(sentence, 8, 8).expect(sentence).len(), movements, "{sentence}");
    }

    #[track_caller]
    fn refused(sentence: &str, why: &str) {
        assert_eq!(read(sentence, 8, 8), Err(why.to_owned()), "{sentence}");
    }

    #[test]
    fn words_become_movements() {
        let word = [(1, 1, Empty), (-2, 0, Own), (0, 1, Enemy)];
        let conditions = vec![((-1, 1), Own), ((-1, 2), Enemy), ((1, 1), Empty)];
        assert_eq!(movement(&word, 3, 3), Some(Movement { to: (-1, 2), conditions }));
        assert_eq!(movement(&word, 2, 3), None);
        assert_eq!(movement(&word, 3, 2), None);
        // Back on the piece's own square, and on another one for the second time.
        assert_eq!(movement(&[(1, 0, Empty), (-1, 0, Empty)], 8, 8), None);
        assert_eq!(
            movement(&[(1, 0, Empty), (-1, 0, Own)], 8, 8),
            Some(Movement { to: (0, 0), conditions: vec![((1, 0), Empty)] })
        );
        assert_eq!(movement(&[(1, 0, Empty), (0, 1, Empty), (0, -1, Own)], 8, 8), None);
        let conditions = vec![((1, 0), Own), ((1, 1), Empty)];
        assert_eq!(
            movement(&[(1, 0, Own), (0, 1, Empty), (0, -1, Own)], 8, 8),
            Some(Movement { to: (1, 0), conditions })
        );
        assert_eq!(movement(&[], 1, 1), Some(Movement { to: (0, 0), conditions: vec![] }));
        assert_eq!(movement(&[], 0, 1), None);
        assert_eq!(movement(&[(i32::MAX, 0, Own), (1, 0, Own)], u32::MAX, 1), None);
        assert_eq!(movement(&[(i32::MIN, 0, Own), (i32::MAX, 0, Own)], 9, 9), None);
    }

    #[test]
    fn nothing_and_staying() {
        means("Does not move.", []);
        means("Stays where it is.", [vec![]]);
        means(
            "Stays where it is if (0,1) is empty and (0,0) holds an own piece.",
            [vec![(0, 1, Empty), (0, -1, Own)]],
        );
        means("Stays where it is if (0,0) is empty.", []);
        means("Stays where it is or moves 1 vertically forwards.", [vec![], vec![(0, 1, Empty)]]);
    }

    #[test]
    fn leaps() {
        let king_and_knight = every().chain(KNIGHT);
        means(
            "Leaps 1 in every direction or over vector (1,2)/(2,1).",
            king_and_knight.flat_map(|(x, y)| [vec![(x, y, Empty)], vec![(x, y, Enemy)]]),
        );
        means(
            "Moves 1 vertically forwards or captures 1 diagonally forwards.",
            [vec![(0, 1, Empty)], vec![(1, 1, Enemy)], vec![(-1, 1, Enemy)]],
        );
        count("Moves over vector (1,2).", 4);
        count("Moves over vector (1,2)/(2,1).", 8);
        count("Moves over vector (0,2).", 2);
        count("Moves over vector (0,2)/(2,0) or (1,2) or over vector (3,3).", 12);
        count("Captures own 2 diagonally.", 4);
        count("Captures any 2 diagonally.", 8);
        count("Leaps capturing own instead 2 horizontally.", 4);
        count("Leaps capturing any 2 in every direction.", 24);
        // A sentence can be about a larger board.
        count("Moves 7 vertically or 8 horizontally.", 2);
        same("Moves 1 vertically or horizontally.", "Moves 1 vertically or 1 horizontally.");
        means("Captures any 3 vertically backwards.", [vec![(0, -3, Own)], vec![(0, -3, Enemy)]]);
        // Only the own piece can be where the piece is.
        means("Leaps capturing any over vector (0,0).", [vec![]]);
    }

    #[test]
    fn absolute_directions() {
        means(
            "Moves over vector (1,2)/(2,1) forwards to the left.",
            [vec![(-1, 2, Empty)], vec![(-2, 1, Empty)]],
        );
        means(
            "Captures own 1 in every direction to the right.",
            [vec![(1, 1, Own)], vec![(1, 0, Own)], vec![(1, -1, Own)]],
        );
        // They hold for all places.
        same(
            "Moves 1 vertically or 1 diagonally backwards.",
            "Moves 1 vertically backwards or moves 1 diagonally backwards.",
        );
        same("Moves 1 vertically or 2 horizontally backwards.", "Moves 1 vertically backwards.");
    }

    #[test]
    fn rides() {
        let lines = |length| every().flat_map(move |d| (0..length).map(move |before| (d, before)));
        let ends = |(d, before)| [Empty, Enemy].map(|last| run(d, Empty, before, last));
        means("Rides in every direction.", lines(7).flat_map(ends));
        count("Rides in every direction.", 8 * 7 * 2);
        let rook = |&(d, _): &(_, usize)| STRAIGHT.contains(&d);
        let short = lines(4).filter(rook).flat_map(ends);
        means("Rides max 4 times horizontally or vertically.", short);
        // A second step does not fit.
        means(
            "Rides by 4 vertically.",
            [4, -4].into_iter().flat_map(|y| [vec![(0, y, Empty)], vec![(0, y, Enemy)]]),
        );
        means(
            "Rides only to capture any by 3 horizontally to the left.",
            [Enemy, Own]
                .into_iter()
                .flat_map(|last| [vec![(-3, 0, last)], vec![(-3, 0, Empty), (-3, 0, last)]]),
        );
        means(
            "Rides over own pieces only to capture by 3 vertically forwards.",
            [vec![(0, 3, Enemy)], vec![(0, 3, Own), (0, 3, Enemy)]],
        );
        means(
            "Rides over enemy pieces capturing own instead over vector (3,1) to the right.",
            [
                vec![(3, 1, Empty)],
                vec![(3, 1, Own)],
                vec![(3, -1, Empty)],
                vec![(3, -1, Own)],
                vec![(3, 1, Enemy), (3, 1, Empty)],
                vec![(3, 1, Enemy), (3, 1, Own)],
                vec![(3, -1, Enemy), (3, -1, Empty)],
                vec![(3, -1, Enemy), (3, -1, Own)],
            ],
        );
        count("Rides without capturing diagonally.", 28);
        count("Rides only to capture own diagonally.", 28);
        count("Rides capturing any diagonally.", 84);
        count("Rides over vector (1,2)/(2,1) or (1,3).", 2 * (8 * 3 + 4 * 2));
        // Without "by" it is 1.
        same(
            "Rides by 2 horizontally or vertically.",
            "Rides by 2 horizontally or by 1 vertically.",
        );
    }

    #[test]
    fn rides_some_times() {
        let forwards = |times: &str, counts: &[usize]| {
            means(
                &format!("Rides without capturing {times} vertically forwards."),
                counts.iter().map(|count| run((0, 1), Empty, count - 1, Empty)),
            );
        };
        forwards("max 2 times", &[1, 2]);
        forwards("minimum 5 times", &[5, 6, 7]);
        forwards("2 to 4 times", &[2, 3, 4]);
        forwards("exactly 3 times", &[3]);
        forwards("an odd number of times", &[1, 3, 5, 7]);
        forwards("an even number of times", &[2, 4, 6]);
        forwards("exactly 0 times", &[]);
        forwards("max 4000000000 times", &[1, 2, 3, 4, 5, 6, 7]);
    }

    #[test]
    fn hops() {
        let paths = |n: usize, right: bool, pieces: &'static [Holds]| {
            (if right { n - 2 } else { 0 }..n - 1).flat_map(move |hurdle| {
                pieces.iter().map(move |&piece| {
                    let mut word = vec![(0, 1, Empty); n - 1];
                    word[hurdle].2 = piece;
                    word
                })
            })
        };
        let check = |verb: &str, right, pieces, last: &'static [Holds]| {
            let words = (2..=7).flat_map(|n| paths(n, right, pieces)).flat_map(|path| {
                last.iter().map(move |&last| joined(path.clone(), &[(0, 1, last)]))
            });
            means(&format!("Hops {verb} vertically forwards."), words);
        };
        check("over a piece", false, &[Own, Enemy], &[Empty, Enemy]);
        check("over an own piece", false, &[Own], &[Empty, Enemy]);
        check("over an enemy without capturing", false, &[Enemy], &[Empty]);
        check("over an enemy only to capture any", false, &[Enemy], &[Enemy, Own]);
        check("right over a piece only to capture", true, &[Own, Enemy], &[Enemy]);
        check("right over an own piece capturing any", true, &[Own], &[Own, Enemy, Empty]);
        check("right over an enemy capturing own instead", true, &[Enemy], &[Own, Empty]);
        means(
            "Hops over an enemy exactly 2 times diagonally forwards to the left.",
            [vec![(-1, 1, Enemy), (-1, 1, Empty)], vec![(-1, 1, Enemy), (-1, 1, Enemy)]],
        );
        means("Hops over an enemy max 1 times diagonally.", []);
        count(
            "Hops over an enemy without capturing horizontally to the left.",
            1 + 2 + 3 + 4 + 5 + 6,
        );
    }

    #[test]
    fn one_phrase_after_another() {
        let griffon = DIAGONAL.into_iter().flat_map(|(x, y)| {
            let corner = vec![(x, y, Empty)];
            let rides = STRAIGHT
                .into_iter()
                .filter(move |&d| scalar(d, (x, y)) > 0)
                .flat_map(|d| (0..7).map(move |before| (d, before)))
                .flat_map(|(d, n)| [Empty, Enemy].map(|last| run(d, Empty, n, last)))
                .map(move |ride| joined(vec![(x, y, Empty)], &ride));
            [corner].into_iter().chain(rides)
        });
        means(
            "Moves 1 diagonally or moves 1 diagonally and then rides outwards vertically or horizontally.",
            griffon,
        );
        // The ride fits the board together with the step before it: up to 6 squares.
        count(
            "Moves 1 diagonally and then rides outwards vertically or horizontally.",
            4 * 2 * 6 * 2,
        );
        let hook = DIAGONAL.into_iter().flat_map(|(x, y)| {
            (0..7).flat_map(move |before| {
                [(x, 0), (0, y)].into_iter().flat_map(move |(dx, dy)| {
                    [Empty, Enemy]
                        .map(|last| joined(run((x, y), Empty, before, Empty), &[(dx, dy, last)]))
                })
            })
        });
        means(
            "Rides without capturing diagonally and then leaps outwards 1 vertically or horizontally.",
            hook,
        );
        // Sideways and inwards as seen from the piece, not from the phrase before.
        means(
            "Passes over an own piece 1 vertically forwards and then moves sideways 1 in every direction \
             and then captures inwards 1 vertically.",
            [
                vec![(0, 1, Own), (1, 0, Empty), (0, -1, Enemy)],
                vec![(0, 1, Own), (-1, 0, Empty), (0, -1, Enemy)],
            ],
        );
        // The way back can contradict the way there: after two rides (0,2) is empty, so that only (0,3) is left.
        means(
            "Rides onto an enemy by 2 vertically forwards and then rides over enemy pieces \
             only to capture own inwards vertically.",
            [
                vec![(0, 2, Enemy), (0, -1, Own)],
                vec![(0, 2, Empty), (0, 2, Enemy), (0, -1, Own)],
                vec![(0, 2, Enemy), (0, -1, Enemy), (0, -1, Own)],
                vec![(0, 2, Empty), (0, 2, Empty), (0, 2, Enemy), (0, -1, Own)],
            ],
        );
        // Nothing is outwards or inwards of the piece itself.
        means("Moves outwards 1 in every direction.", []);
        means("Moves inwards 1 in every direction.", []);
        same("Moves sideways 1 in every direction.", "Moves 1 in every direction.");
    }

    #[test]
    fn contents_before_and_then() {
        let check = |contents: &str, holds: &[Holds]| {
            let words = || holds.iter().map(|&on| vec![(0, 2, on), (0, 2, Enemy)]);
            let then = "and then captures outwards 2 vertically";
            means(&format!("Passes over {contents} 2 vertically forwards {then}."), words());
            let once = format!("{contents} exactly 1 times by 2 vertically forwards");
            means(&format!("Rides onto {once} {then}."), words());
            means(&format!("Rides over own pieces onto {once} {then}."), words());
        };
        check("an enemy", &[Enemy]);
        check("an own piece", &[Own]);
        check("any piece", &[Enemy, Own]);
        check("anything", &[Empty, Enemy, Own]);
        check("anything but an own piece", &[Empty, Enemy]);
        check("anything but an enemy", &[Empty, Own]);
        means(
            "Hops right over an enemy onto an own piece exactly 2 times vertically forwards and then \
             moves outwards 1 vertically.",
            [vec![(0, 1, Enemy), (0, 1, Own), (0, 1, Empty)]],
        );
    }

    #[test]
    fn the_own_square_holds_an_own_piece() {
        means("Moves 1 vertically and then leaps inwards 1 vertically.", []);
        means(
            "Moves 1 vertically forwards and then captures own inwards 1 vertically.",
            [vec![(0, 1, Empty), (0, -1, Own)]],
        );
        means(
            "Moves 1 vertically forwards and then hops over an own piece without capturing max 2 times \
             inwards vertically.",
            [vec![(0, 1, Empty), (0, -2, Empty)]],
        );
        let through = read(
            "Moves 3 vertically forwards and then rides without capturing inwards vertically.",
            8,
            8,
        );
        assert_eq!(through.map(|found| found.len()), Ok(2));
    }

    #[test]
    fn listed() {
        means("Moves to (1,-2).", [vec![(1, -2, Empty)]]);
        means(
            "Leaps to (1,2) if (0,1) is empty and (1,1) holds an enemy and (-1,1) holds an own piece.",
            [
                vec![(0, 1, Empty), (-1, 0, Own), (2, 0, Enemy), (0, 1, Empty)],
                vec![(0, 1, Empty), (-1, 0, Own), (2, 0, Enemy), (0, 1, Enemy)],
            ],
        );
        means(
            "Captures at (1,1), captures own at (2,2), captures any at (3,3), leaps capturing any to (4,4), \
             or leaps capturing own instead to (5,5) if (5,5) is empty.",
            [
                vec![(1, 1, Enemy)],
                vec![(2, 2, Own)],
                vec![(3, 3, Enemy)],
                vec![(3, 3, Own)],
                vec![(4, 4, Enemy)],
                vec![(4, 4, Own)],
                vec![(4, 4, Empty)],
                vec![(5, 5, Empty)],
            ],
        );
        means("Moves to (1,2) if (1,2) holds an enemy or moves to (0,0).", []);
        // The whole does not fit.
        means("Moves to (4,0) if (-4,0) is empty or moves to (8,0).", []);
        means("Moves to (4,0) if (-3,0) is empty.", [vec![(-3, 0, Empty), (7, 0, Empty)]]);
    }

    #[test]
    fn clauses_are_joined() {
        let one = "oves 1 vertically forwards";
        let two = "captures 1 diagonally or 2 vertically or over vector (1,2) or (1,3)";
        let three = "stays where it is if (0,1) is empty and (0,2) is empty";
        let parts = [format!("M{one}"), format!("C{}", &two[1..]), format!("S{}", &three[1..])];
        let union: BTreeSet<Movement> = parts
            .iter()
            .flat_map(|part| read(&format!("{part}."), 8, 8).expect("a sentence"))
            .collect();
        assert_eq!(union.len(), 1 + (4 + 2 + 4 + 4) + 1);
        assert_eq!(read(&format!("M{one}, {two}, or {three}."), 8, 8), Ok(union.clone()));
        assert_eq!(read(&format!("{}, m{one}, or {two}.", parts[2]), 8, 8), Ok(union));
    }

    #[test]
    fn what_is_not_understood() {
        refused("", "`` has no full stop at its end");
        refused("Rides diagonally", "`Rides diagonally` has no full stop at its end");
        refused("rides diagonally.", "`rides diagonally.` does not begin with a capital");
        refused(".", "`.` does not begin with a capital");
        refused("Walks 1 diagonally.", "`walks` not understood after ``: expected a verb");
        refused("Rides upwards.", "`upwards` not understood after `rides`: expected a direction");
        refused("Rides.", "nothing after `rides`: expected a direction");
        refused("Rides  diagonally.", "`` not understood after `rides`: expected a direction");
        refused(
            "Rides 2 diagonally.",
            "`diagonally` not understood after `rides 2`: expected `to`",
        );
        refused(
            "Leaps max 2 times 1 diagonally.",
            "`max` not understood after `leaps`: expected a number",
        );
        refused(
            "Leaps diagonally.",
            "`diagonally` not understood after `leaps`: expected a number",
        );
        refused("Leaps by 2 diagonally.", "`by` not understood after `leaps`: expected a number");
        refused("Leaps +2 diagonally.", "`+2` not understood after `leaps`: expected a number");
        refused(
            "Moves over vector (1,2) or vertically.",
            "`vertically` not understood after `moves over vector (1,2) or`: expected a number",
        );
        refused(
            "Moves 1 vertically or (1,2).",
            "`(1,2)` not understood after `moves 1 vertically or`: expected a direction",
        );
        refused(
            "Moves over vector (1,2)/(2,3).",
            "`(1,2)/(2,3)` not understood after `moves over vector`: expected `(1,2)/(2,1)`",
        );
        refused(
            "Moves over vector (1,-2).",
            "`(1,-2)` not understood after `moves over vector`: expected a vector",
        );
        refused(
            "Rides over vector (0,0).",
            "`over` not understood after `rides`: expected steps that lead somewhere",
        );
        refused(
            "Moves 1 vertically to the left forwards.",
            "`forwards` not understood after `moves 1 vertically to the left`: expected the end",
        );
        refused(
            "Moves 1 vertically forwards or 1 diagonally.",
            "`1` not understood after `moves 1 vertically forwards or`: expected a verb",
        );
        refused(
            "Leaps 1 diagonally and then moves 1 diagonally.",
            "`leaps` not understood after ``: expected a verb that captures nothing before `and then`",
        );
        refused(
            "Passes over an enemy 1 diagonally.",
            "`passes` not understood after ``: expected a verb that can be the last",
        );
        refused(
            "Moves 1 diagonally and then rides onto an enemy diagonally.",
            "`rides` not understood after `moves 1 diagonally and then`: expected a verb that can be the last",
        );
        refused(
            "Passes over nothing 1 diagonally and then moves 1 diagonally.",
            "`nothing` not understood after `passes over`: expected what a square holds",
        );
        refused(
            "Hops over everything diagonally.",
            "`everything` not understood after `hops over`: expected `a piece`, `an own piece` or `an enemy`",
        );
        refused("Captures to (1,1).", "`to` not understood after `captures`: expected a number");
        refused(
            "Moves to (1,1) if (0,1) is full.",
            "`is` not understood after `moves to (1,1) if (0,1)`: expected `is empty`, `holds an enemy` or \
             `holds an own piece`",
        );
        refused(
            "Moves to 1,1.",
            "`1,1` not understood after `moves to`: expected a square such as `(-1,2)`",
        );
        refused(
            "Does not move or moves 1 diagonally.",
            "`or` not understood after `does not move`: expected the end",
        );
        refused(
            "Moves 1 vertically, captures 1 diagonally.",
            "`,` not understood after `moves 1 vertically`: expected `or` between the clauses",
        );
        refused(
            "Moves 1 vertically or captures 1 diagonally or stays where it is.",
            "`or` not understood after `moves 1 vertically`: expected `,` between the clauses",
        );
        refused(
            "Moves 1 vertically, captures 1 diagonally or stays where it is.",
            "`or` not understood after `moves 1 vertically, captures 1 diagonally`: expected `, or` between the clauses",
        );
        refused(
            "Moves 99999999999 vertically.",
            "`99999999999` not understood after `moves`: expected a number",
        );
    }

    #[test]
    fn large_boards() {
        let sentence =
            "Rides without capturing in every direction and then rides in every direction.";
        assert_eq!(read(sentence, 0, 5), Ok(BTreeSet::new()));
        assert_eq!(read(sentence, 1, 1), Ok(BTreeSet::new()));
        // These two figures come from a program in another language that tries all words.
        assert_eq!(read(sentence, 12, 12).map(|found| found.len()), Ok(9048));
        let third = sentence.replace("then rides", "then rides without capturing outwards");
        let third = third.replace('.', " and then leaps outwards 1 in every direction.");
        assert_eq!(read(&third, 12, 12).map(|found| found.len()), Ok(6512));
        let far = read("Moves 2147483647 in every direction.", u32::MAX, u32::MAX);
        assert_eq!(far.map(|found| found.len()), Ok(8));
    }
}
