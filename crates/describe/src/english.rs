//! Descriptions as sentences: the repairing run joins what differs in one place only, then everything gets its words.
//!
//! docs/descriptions.md is the grammar, and `tests/reading` reads it back.

use regulus_lang::sbg::{Letter, On};

use crate::find::{Component, Saying};
use crate::phrase::{Heading, Horizontal, Landing, Phrase, Relative, RidePath, Times, Vertical};

/// A clause of a sentence.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Clause {
    Phrases(Vec<Phrase>),
    Listed { to: (i32, i32), landing: Landing, conditions: Vec<((i32, i32), On)> },
    Stays { conditions: Vec<((i32, i32), On)> },
}

/// A sentence that says what all components say.
pub(crate) fn sentence(components: &[Component]) -> String {
    match clauses(components, Clause::words).as_slice() {
        [] => "Does not move.".to_owned(),
        clauses => finished(&joined(clauses)),
    }
}

/// The clauses that say what all components say, in the order of a sentence, each as the function words it.
pub(crate) fn clauses(components: &[Component], words: impl Fn(&Clause) -> String) -> Vec<String> {
    let mut clauses: Vec<Clause> = Vec::new();
    for component in components {
        let clause = Clause::new(&component.saying);
        if !clauses.iter_mut().any(|known| known.join(&clause)) {
            clauses.push(clause);
        }
    }
    // The simple first, and moving before capturing.
    clauses.sort_by_key(Clause::rank);
    clauses.iter().map(words).collect()
}

/// Clauses as one.
pub(crate) fn joined(clauses: &[String]) -> String {
    match clauses {
        [] => String::new(),
        [only] => only.clone(),
        [first, second] if !first.contains(" or ") => format!("{first} or {second}"),
        [others @ .., last] => format!("{}, or {last}", others.join(", ")),
    }
}

/// A text with a capital first and a full stop last.
pub(crate) fn finished(text: &str) -> String {
    let mut letters = text.chars();
    let first = letters.next().map(|letter| letter.to_ascii_uppercase());
    first.into_iter().chain(letters).chain(['.']).collect()
}

/// One component as a clause.
pub(crate) fn clause(component: &Component) -> String {
    Clause::new(&component.saying).words()
}

impl Clause {
    fn new(saying: &Saying) -> Clause {
        match saying {
            Saying::Phrases(phrases) => Clause::Phrases(phrases.clone()),
            Saying::Listed(word) => listed(word),
        }
    }

    /// Takes the other clause in, if the two differ in one place only.
    fn join(&mut self, other: &Clause) -> bool {
        match (self, other) {
            (Clause::Phrases(phrases), Clause::Phrases(others)) => join_phrases(phrases, others),
            (
                Clause::Listed { to, landing, conditions },
                Clause::Listed { to: other_to, landing: other, conditions: others },
            ) if to == other_to && conditions == others => {
                *landing = landing.union(*other);
                true
            }
            (this, other) => this == other,
        }
    }

    /// Where it stands in the sentence.
    fn rank(&self) -> (usize, bool) {
        match self {
            Clause::Phrases(phrases) => {
                let only_captures = phrases.last().is_some_and(|phrase| !phrase.landing.empty);
                (phrases.len(), only_captures)
            }
            Clause::Listed { .. } => (usize::MAX - 1, false),
            Clause::Stays { .. } => (usize::MAX, false),
        }
    }

    pub(crate) fn words(&self) -> String {
        match self {
            Clause::Phrases(phrases) => {
                let last = phrases.len() - 1;
                let words = phrases.iter().enumerate();
                let words = words.map(|(index, phrase)| phrase_words(phrase, index == last));
                words.collect::<Vec<_>>().join(" and then ")
            }
            Clause::Listed { to: (x, y), landing, conditions } => {
                let verb = leap_verb(*landing);
                let preposition = if verb.starts_with("captures") { "at" } else { "to" };
                format!("{verb} {preposition} ({x},{y}){}", conditions_words(conditions))
            }
            Clause::Stays { conditions } => {
                format!("stays where it is{}", conditions_words(conditions))
            }
        }
    }
}

fn join_phrases(phrases: &mut [Phrase], others: &[Phrase]) -> bool {
    if phrases.len() != others.len() {
        return false;
    }
    let same = |a: &Phrase, b: &Phrase| {
        Phrase { steps: Vec::new(), ..a.clone() } == Phrase { steps: Vec::new(), ..b.clone() }
    };
    if !phrases.iter().zip(others).all(|(a, b)| same(a, b)) {
        return false;
    }
    let mut different = phrases.iter_mut().zip(others).filter(|(a, b)| a.steps != b.steps);
    match (different.next(), different.next()) {
        (None, _) => true,
        (Some((phrase, other)), None) => {
            for step in &other.steps {
                if !phrase.steps.contains(step) {
                    phrase.steps.push(*step);
                }
            }
            true
        }
        (Some(_), Some(_)) => false,
    }
}

fn listed(word: &[Letter]) -> Clause {
    let mut at = (0, 0);
    let mut conditions: Vec<((i32, i32), On)> = Vec::new();
    for letter in word {
        at = (at.0 + letter.x, at.1 + letter.y);
        if at != (0, 0) && !conditions.contains(&(at, letter.on)) {
            conditions.push((at, letter.on));
        }
    }
    conditions.retain(|(place, _)| *place != at);
    match word.last() {
        Some(last) if at != (0, 0) => {
            Clause::Listed { to: at, landing: Landing::of(last.on), conditions }
        }
        _ => Clause::Stays { conditions },
    }
}

fn conditions_words(conditions: &[((i32, i32), On)]) -> String {
    let words: Vec<String> = conditions
        .iter()
        .map(|((x, y), on)| {
            let holds = match on {
                On::Empty => "is empty",
                On::Opponent => "holds an enemy",
                On::Own => "holds an own piece",
            };
            format!("({x},{y}) {holds}")
        })
        .collect();
    if words.is_empty() { String::new() } else { format!(" if {}", words.join(" and ")) }
}

fn phrase_words(phrase: &Phrase, is_last: bool) -> String {
    let is_ride = phrase.times != Times::Once;
    let verb = match (is_ride, is_last) {
        (false, true) => leap_verb(phrase.landing).to_owned(),
        (false, false) => match onto(phrase.landing) {
            Some(onto) => format!("passes over {onto}"),
            None => "moves".to_owned(),
        },
        (true, _) => {
            let landing = if is_last {
                ride_landing(phrase.landing).map(str::to_owned)
            } else {
                let onto = onto(phrase.landing).map(|onto| format!("onto {onto}"));
                Some(onto.unwrap_or_else(|| "without capturing".to_owned()))
            };
            let verb = ride_verb(phrase.path).to_owned();
            landing.map_or(verb.clone(), |landing| format!("{verb} {landing}"))
        }
    };
    let parts = [
        Some(verb),
        times_words(phrase.times),
        phrase.heading.relative.map(relative_words).map(str::to_owned),
        Some(places(&phrase.steps, is_ride)),
        absolute_words(phrase.heading),
    ];
    parts.into_iter().flatten().collect::<Vec<_>>().join(" ")
}

pub(crate) fn leap_verb(landing: Landing) -> &'static str {
    match (landing.empty, landing.enemy, landing.own) {
        (true, true, false) => "leaps",
        (true, false, false) => "moves",
        (false, true, false) => "captures",
        (false, false, true) => "captures own",
        (false, true, true) => "captures any",
        (true, false, true) => "leaps capturing own instead",
        (true, true, true) | (false, false, false) => "leaps capturing any",
    }
}

pub(crate) fn ride_landing(landing: Landing) -> Option<&'static str> {
    match (landing.empty, landing.enemy, landing.own) {
        (true, true, false) => None,
        (true, false, false) => Some("without capturing"),
        (false, true, false) => Some("only to capture"),
        (false, false, true) => Some("only to capture own"),
        (false, true, true) => Some("only to capture any"),
        (true, false, true) => Some("capturing own instead"),
        (true, true, true) | (false, false, false) => Some("capturing any"),
    }
}

/// What is passed before "and then", unless it is nothing.
fn onto(landing: Landing) -> Option<&'static str> {
    match (landing.empty, landing.enemy, landing.own) {
        (true, false, false) => None,
        (false, true, false) => Some("an enemy"),
        (false, false, true) => Some("an own piece"),
        (false, true, true) => Some("any piece"),
        (true, true, false) => Some("anything but an own piece"),
        (true, false, true) => Some("anything but an enemy"),
        (true, true, true) | (false, false, false) => Some("anything"),
    }
}

fn ride_verb(path: RidePath) -> &'static str {
    match path {
        RidePath::Clear => "rides",
        RidePath::OwnPieces => "rides over own pieces",
        RidePath::Enemies => "rides over enemy pieces",
        RidePath::Hop { over: None, right: false } => "hops over a piece",
        RidePath::Hop { over: None, right: true } => "hops right over a piece",
        RidePath::Hop { over: Some(On::Own), right: false } => "hops over an own piece",
        RidePath::Hop { over: Some(On::Own), right: true } => "hops right over an own piece",
        RidePath::Hop { over: Some(_), right: false } => "hops over an enemy",
        RidePath::Hop { over: Some(_), right: true } => "hops right over an enemy",
    }
}

pub(crate) fn times_words(times: Times) -> Option<String> {
    Some(match times {
        Times::Once | Times::Any => return None,
        Times::Max(most) => format!("max {most} times"),
        Times::Min(least) => format!("minimum {least} times"),
        Times::Between(least, most) => format!("{least} to {most} times"),
        Times::Exactly(count) => format!("exactly {count} times"),
        Times::Odd => "an odd number of times".to_owned(),
        Times::Even => "an even number of times".to_owned(),
    })
}

fn relative_words(relative: Relative) -> &'static str {
    match relative {
        Relative::Outwards => "outwards",
        Relative::Inwards => "inwards",
        Relative::Sideways => "sideways",
    }
}

pub(crate) fn absolute_words(heading: Heading) -> Option<String> {
    let vertical = heading.vertical.map(|vertical| match vertical {
        Vertical::Forwards => "forwards",
        Vertical::Backwards => "backwards",
    });
    let horizontal = heading.horizontal.map(|horizontal| match horizontal {
        Horizontal::Left => "to the left",
        Horizontal::Right => "to the right",
    });
    let words: Vec<&str> = [vertical, horizontal].into_iter().flatten().collect();
    (!words.is_empty()).then(|| words.join(" "))
}

/// The places of a phrase joined by "or": straight ones first, then vectors.
pub(crate) fn places(steps: &[(u32, u32)], is_ride: bool) -> String {
    let mut places: Vec<String> = Vec::new();
    let mut vectors: Vec<String> = Vec::new();
    let mut done: Vec<(u32, u32)> = Vec::new();
    let mut previous = None;
    let mut sorted = steps.to_vec();
    sorted.sort_by_key(|&(x, y)| (x.max(y), x.min(y), x < y));
    for (x, y) in sorted {
        if done.contains(&(x, y)) {
            continue;
        }
        let size = x.max(y);
        let ways = [(size, 0), (0, size), (size, size)];
        let Some(way) = ways.iter().position(|way| *way == (x, y) && size > 0) else {
            // Both orientations as one.
            let (low, high) = (x.min(y), x.max(y));
            vectors.push(match steps.contains(&(y, x)) && x != y {
                true => format!("({low},{high})/({high},{low})"),
                false => format!("({x},{y})"),
            });
            done.extend([(x, y), (y, x)]);
            continue;
        };
        let everywhere = ways.iter().all(|way| steps.contains(way));
        let word = if everywhere {
            done.extend(ways);
            "in every direction"
        } else {
            done.push((x, y));
            ["horizontally", "vertically", "diagonally"][way]
        };
        let prefix = match is_ride {
            true if size == 1 => String::new(),
            true => format!("by {size} "),
            // Once is enough.
            false if previous == Some(size) => String::new(),
            false => format!("{size} "),
        };
        previous = Some(size);
        places.push(format!("{prefix}{word}"));
    }
    if !vectors.is_empty() {
        places.push(format!("over vector {}", vectors.join(" or ")));
    }
    places.join(" or ")
}
