//! What is said about a piece of METAGAME, and what that costs.
//!
//! docs/descriptions.md has the table of costs.

use std::collections::BTreeSet;

use regulus_lang::metagame::{
    Amount, Effect, Game, Kind, PieceType, Promotion, Side, StepKind, Who,
};
use regulus_lang::sbg::{Letter, On};

use super::nouns::{amount_of, kinds_of, name, several_of};
use super::powers::{CaptureGroup, Methods, MoveWays, Powers, Special, board_of};
use crate::diagram;
use crate::english::{self, Clause};
use crate::find::{self, Component, Saying};
use crate::guide::{MAX_CHARACTERS, PieceCount, PieceGuide, ScorePart, too_long, with_article};
use crate::phrase::{Landing, Phrase, Times, step_score};
use crate::words::BoardSize;

/// Costs of what Simplified Boardgames have no operators for. Those of operators count for each class of steps.
mod cost {
    pub(super) const LONGEST: u64 = 2;
    pub(super) const HOP: u64 = 3;
    pub(super) const HOP_OVER_ONE_SIDE: u64 = 4;
    pub(super) const AMOUNT: u64 = 2;
    pub(super) const NAMED_HURDLES: u64 = 2;
    pub(super) const TAKES_HURDLES: u64 = 2;
    pub(super) const RETRIEVES: u64 = 3;
    // Once for each piece or sentence:
    pub(super) const NAMED_PREY: u64 = 2;
    pub(super) const POSSESSES: u64 = 2;
    pub(super) const PROMOTES: u64 = 2;
    pub(super) const CHOOSES: u64 = 3;
    pub(super) const OPPONENT_CHOOSES: u64 = 4;
    pub(super) const CHANGES_SIDES: u64 = 2;
    pub(super) const MUST_CAPTURE: u64 = 2;
    pub(super) const CONTINUES: u64 = 3;
}

/// All about one kind of piece. `same_effect` is what becomes of everything that is captured in this game, if that is said
/// once for all.
pub(super) fn piece_guide(
    game: &Game,
    kind: Kind,
    symbol: &str,
    same_effect: Option<Effect>,
) -> PieceGuide {
    let piece = &game.kinds[kind];
    let counts = Side::BOTH.map(|side| PieceCount {
        player: Some(side.name().to_owned()),
        count: super::count(game, kind),
    });
    let mut guide = PieceGuide {
        symbol: symbol.to_uppercase(),
        name: Some(name(game, kind)),
        counts: counts.to_vec(),
        ..PieceGuide::default()
    };
    let mut telling = Telling::new(game, piece);
    let powers = Powers::new(game, piece);
    if let Ok(powers) = &powers {
        telling.powers(powers, same_effect);
        guide.words = Some(telling.words);
        guide.diagram = picture(powers, &guide.symbol);
    }
    let of_powers = std::mem::take(&mut telling.sentences);
    // What is not known is taken as it is written.
    let captures = powers.as_ref().map_or(!piece.capturing.is_empty(), Powers::can_capture);
    telling.end(kind, captures);
    let length = |sentences: &[String]| -> usize {
        sentences.iter().map(|sentence| sentence.chars().count() + 1).sum()
    };
    guide.sentences = match &powers {
        Ok(_) if length(&of_powers) <= MAX_CHARACTERS => of_powers,
        Ok(powers) => vec![too_long(&shown(powers).into_iter().collect::<Vec<_>>())],
        Err(too_much) => vec![format!("{too_much}.")],
    };
    if length(&guide.sentences) + length(&telling.sentences) <= MAX_CHARACTERS {
        guide.sentences.append(&mut telling.sentences);
    } else {
        guide.sentences.push(format!(
            "What else is to be said of it takes more than {MAX_CHARACTERS} characters."
        ));
    }
    if powers.is_ok() {
        let scores = telling.parts.iter().map(|part| part.score);
        guide.score = Some(scores.fold(0, u64::saturating_add));
        guide.parts = telling.parts;
    }
    guide
}

/// What has been said so far.
struct Telling<'a> {
    game: &'a Game,
    piece: &'a PieceType,
    size: BoardSize,
    sentences: Vec<String>,
    parts: Vec<ScorePart>,
    words: usize,
}

impl<'a> Telling<'a> {
    fn new(game: &'a Game, piece: &'a PieceType) -> Telling<'a> {
        let size = board_of(game, piece);
        Telling { game, piece, size, sentences: Vec::new(), parts: Vec::new(), words: 0 }
    }

    /// How it moves and captures.
    fn powers(&mut self, powers: &Powers, same_effect: Option<Effect>) {
        let clauses = self.ways(&powers.plain, None);
        self.sentences.push(match clauses.as_slice() {
            [] if powers.captures.is_empty() => "Does not move.".to_owned(),
            [] => "Moves only to capture.".to_owned(),
            clauses => english::finished(&english::joined(clauses)),
        });
        let is_only = powers.captures.is_empty();
        if let Some(taking) = powers.taking.as_ref().filter(|_| !clauses.is_empty()) {
            let so = if is_only { "" } else { " so" };
            if let Some(kinds) = &taking.kinds {
                let kinds = kinds_of(self.game, Some(kinds), true);
                self.say(&format!("Captures only {kinds}{so}"), cost::NAMED_PREY);
            }
            if taking.effect != Effect::Remove {
                let clause = format!("What it captures{so} {}", fate(taking.effect));
                self.say_unless(&clause, cost::POSSESSES, same_effect == Some(taking.effect));
            }
        }
        let also = if powers.taking.is_some() { "Also captures" } else { "Captures" };
        for captures in &powers.captures {
            self.captures(captures, also, same_effect);
        }
        if powers.is_idle {
            self.sentences.push("Its rules have a capture that can never happen.".to_owned());
        }
    }

    /// Captures that need a sentence of their own.
    fn captures(&mut self, captures: &CaptureGroup, verb: &str, same_effect: Option<Effect>) {
        let CaptureGroup { methods, what, effect, ways } = captures;
        let clauses = self.ways(ways, Some(*methods));
        if clauses.is_empty() {
            return;
        }
        if what.kinds.is_some() {
            self.score("captures only some kinds", cost::NAMED_PREY);
        }
        if *effect != Effect::Remove {
            self.score(&format!("what it captures {}", fate(*effect)), cost::POSSESSES);
        }
        let reached = [
            (methods.hop, "that it hops over"),
            (methods.clobber, "that it lands on"),
            (methods.retrieve, "that stand one step behind where it starts"),
        ];
        let reached: Vec<&str> =
            reached.iter().filter(|(is_reached, _)| *is_reached).map(|(_, text)| *text).collect();
        let together = match reached.len() {
            0 | 1 => "",
            2 => " (or both)",
            _ => " (or several of these)",
        };
        let mut sentence = format!(
            "{verb} {} {}{together}: {}",
            several_of(self.game, what),
            reached.join(" or "),
            english::joined(&clauses)
        );
        if same_effect.is_none() && *effect != Effect::Remove {
            sentence += &format!("; what it captures so {}", fate(*effect));
        }
        self.sentences.push(sentence + ".");
    }

    /// The clauses of ways to move, or to capture by methods that are said before.
    fn ways(&mut self, ways: &MoveWays, methods: Option<Methods>) -> Vec<String> {
        let words: Vec<Vec<Letter>> = ways.words.iter().cloned().collect();
        self.words += words.len();
        let components = find::describe(&words, self.size);
        let word_it = |clause: &Clause| match methods {
            Some(_) => neutral(clause),
            None => clause.words(),
        };
        let extra = methods.map_or(0, |methods| if methods.retrieve { cost::RETRIEVES } else { 0 });
        for component in &components {
            let score = component.score.saturating_add(first_step(component) * extra);
            let clause = english::clauses(std::slice::from_ref(component), word_it).concat();
            self.parts.push(ScorePart { clause, score });
        }
        let mut clauses = english::clauses(&components, word_it);
        for special in &ways.specials {
            clauses.extend(self.special(special, methods));
        }
        clauses
    }

    /// The clauses of a way that has no words.
    fn special(&mut self, special: &Special, methods: Option<Methods>) -> Vec<String> {
        let game = self.game;
        let is_ride = matches!(special.step, StepKind::Ride { .. });
        // Only the directions are looked for.
        let leap = |&(x, y): &(i32, i32)| vec![Letter { x, y, on: On::Empty }];
        let words: Vec<Vec<Letter>> = special.directions.iter().map(leap).collect();
        self.words += words.len();
        let mut components = find::describe(&words, self.size);
        for component in &mut components {
            if let Saying::Phrases(phrases) = &mut component.saying {
                phrases.iter_mut().for_each(|phrase| phrase.times = times(special, self.size));
            }
        }
        let mut extra = match &special.step {
            StepKind::Leap | StepKind::Ride { .. } => cost::LONGEST,
            StepKind::Hop { before, over, after, what } => {
                let usual = [Amount::AtLeast(0), Amount::Exactly(1), Amount::AtLeast(0)];
                let unusual = [before, over, after].into_iter().zip(&usual).filter(|(a, b)| a != b);
                let owner = if what.owner.is_some() { cost::HOP_OVER_ONE_SIDE } else { cost::HOP };
                let named = if what.kinds.is_some() { cost::NAMED_HURDLES } else { 0 };
                owner + named + cost::AMOUNT * unusual.count() as u64
            }
        };
        if let Some(methods) = methods {
            extra += if methods.retrieve { cost::RETRIEVES } else { 0 };
            extra += if methods.hop { cost::TAKES_HURDLES } else { 0 };
        }
        let word_it = |clause: &Clause| match (clause, is_ride) {
            (Clause::Phrases(phrases), true) if phrases.len() == 1 => {
                let text = if methods.is_some() { neutral(clause) } else { clause.words() };
                format!("{text} as far as it can")
            }
            (Clause::Phrases(phrases), false) if phrases.len() == 1 => {
                let landing = ride_landing(special.landing, methods);
                hop_words(game, &phrases[0], landing, &special.step)
            }
            (clause, _) => clause.words(),
        };
        for component in &components {
            let score = match &component.saying {
                Saying::Phrases(phrases) if phrases.len() == 1 => {
                    Phrase { landing: special.landing, ..phrases[0].clone() }.score()
                }
                _ => component.score,
            };
            let score = score.saturating_add(first_step(component) * extra);
            let clause = english::clauses(std::slice::from_ref(component), word_it).concat();
            self.parts.push(ScorePart { clause, score });
        }
        english::clauses(&components, word_it)
    }

    /// What holds for it whatever it does: promotion and constraints.
    fn end(&mut self, kind: Kind, captures: bool) {
        let (game, piece) = (self.game, self.piece);
        if game.board.promote_rank <= game.board.height {
            self.promotion(kind, &piece.promoting);
        }
        let must = piece.must_capture || game.must_capture;
        if piece.must_capture && !game.must_capture && captures {
            self.say("Must capture when it can", cost::MUST_CAPTURE);
        }
        if piece.continue_captures && captures {
            let text = match must {
                true => "After a capture it must capture again from where it is, as long as it can",
                false => "After a capture it may capture again from where it is",
            };
            self.say(text, cost::CONTINUES);
        }
    }

    fn promotion(&mut self, kind: Kind, promotion: &Promotion) {
        let game = self.game;
        let (rank, height) = (game.board.promote_rank, game.board.height);
        let place = match height - rank {
            0 => "the last row".to_owned(),
            _ if rank == 1 => "any row".to_owned(),
            rows => format!("one of the last {} rows", rows + 1),
        };
        let when = format!("when its move ends on {place}");
        match promotion {
            Promotion::To(other) if *other == kind => {}
            Promotion::To(other) => {
                let other = with_article(&name(game, *other));
                self.say(&format!("Becomes {other} {when}"), cost::PROMOTES);
            }
            Promotion::Choice { by, options } => {
                let kinds = match &options.kinds {
                    Some(kinds) if kinds.len() < game.kinds.len() => {
                        with_article(&kinds_of(game, Some(kinds), false))
                    }
                    _ => "any kind of piece".to_owned(),
                };
                let side = match options.owner {
                    Some(Who::Player) => "",
                    Some(Who::Opponent) => ", which then belongs to the opponent",
                    None => ", of either side",
                };
                let (chooser, score) = match by {
                    Who::Player => ("the player who moved it chooses", cost::CHOOSES),
                    Who::Opponent => {
                        ("the opponent, before the next move, chooses", cost::OPPONENT_CHOOSES)
                    }
                };
                let score = score + if side.is_empty() { 0 } else { cost::CHANGES_SIDES };
                let text = format!("W{}, {chooser} what it becomes: {kinds}{side}", &when[1..]);
                self.say(&text, score);
            }
        }
    }

    fn say(&mut self, clause: &str, score: u64) {
        self.say_unless(clause, score, false);
    }

    /// What counts, and is said unless it is said elsewhere.
    fn say_unless(&mut self, clause: &str, score: u64, is_known: bool) {
        if !is_known {
            self.sentences.push(format!("{clause}."));
        }
        let mut letters = clause.chars();
        let first = letters.next().map(|letter| letter.to_ascii_lowercase());
        self.score(&first.into_iter().chain(letters).collect::<String>(), score);
    }

    fn score(&mut self, clause: &str, score: u64) {
        self.parts.push(ScorePart { clause: clause.to_owned(), score });
    }
}

/// What becomes of captured pieces.
pub(super) fn fate(effect: Effect) -> &'static str {
    match effect {
        Effect::Remove => "leaves the game",
        Effect::Possess(Who::Player) => "goes into the capturing player's hand",
        Effect::Possess(Who::Opponent) => "goes into the other player's hand",
    }
}

/// The cost of the step of a component's only phrase.
fn first_step(component: &Component) -> u64 {
    match &component.saying {
        Saying::Phrases(phrases) => {
            phrases.first().and_then(|p| p.steps.first()).map_or(1, |&(x, y)| step_score(x, y))
        }
        Saying::Listed(_) => 1,
    }
}

/// A clause that says how a piece goes, but not what it takes.
fn neutral(clause: &Clause) -> String {
    match clause {
        Clause::Phrases(phrases) if phrases.len() == 1 => {
            let usual = Landing { empty: true, enemy: true, own: false };
            Clause::Phrases(vec![Phrase { landing: usual, ..phrases[0].clone() }]).words()
        }
        clause => clause.words(),
    }
}

/// What is said of the square where a special way ends, unless methods have said it.
fn ride_landing(landing: Landing, methods: Option<Methods>) -> Option<&'static str> {
    if methods.is_some() { None } else { english::ride_landing(landing) }
}

/// How often the step of a ride is made, as far as the board leaves a choice.
fn times(special: &Special, size: BoardSize) -> Times {
    let StepKind::Ride { min, max, .. } = special.step else { return Times::Once };
    let room = |&(x, y): &(i32, i32)| {
        let room = |step: i32, side: u32| match step.unsigned_abs() {
            0 => u32::MAX,
            step => (side - 1) / step,
        };
        room(x, size.width).min(room(y, size.height))
    };
    let room = special.directions.iter().map(room).max().unwrap_or(1);
    match (min.unwrap_or(1).max(1), max.filter(|max| *max < room)) {
        (_, Some(1)) => Times::Once,
        (1, None) if room == 1 => Times::Once,
        (1, None) => Times::Any,
        (1, Some(max)) => Times::Max(max),
        (min, None) => Times::Min(min),
        (min, Some(max)) if min == max => Times::Exactly(min),
        (min, Some(max)) => Times::Between(min, max),
    }
}

/// A hop along the steps of a phrase.
fn hop_words(game: &Game, phrase: &Phrase, landing: Option<&str>, step: &StepKind) -> String {
    let StepKind::Hop { before, over, after, what } = step else { return String::new() };
    let places = english::places(&phrase.steps, true).replace("over vector", "by vector");
    let mut words = vec!["hops".to_owned()];
    words.extend(landing.map(str::to_owned));
    words.push(places);
    words.extend(english::absolute_words(phrase.heading));
    words.push(format!("over {}", amount_of(game, *over, what)));
    words.push(match before {
        Amount::Exactly(0) => "next to it".to_owned(),
        Amount::AtLeast(0) => "at any distance".to_owned(),
        amount => format!("behind {}", empty_squares(*amount)),
    });
    words.push(match after {
        Amount::Exactly(0) => "to the square right behind".to_owned(),
        amount => format!("and then over {}", empty_squares(*amount)),
    });
    words.join(" ")
}

fn empty_squares(amount: Amount) -> String {
    let squares = |count: u32| if count == 1 { "1 empty square" } else { "empty squares" };
    match amount {
        Amount::AtLeast(0) => "any number of empty squares".to_owned(),
        Amount::Exactly(1) => "exactly 1 empty square".to_owned(),
        Amount::AtLeast(1) => "at least 1 empty square".to_owned(),
        Amount::AtMost(1) => "at most 1 empty square".to_owned(),
        Amount::Exactly(count) => format!("exactly {count} {}", squares(count)),
        Amount::AtLeast(count) => format!("at least {count} {}", squares(count)),
        Amount::AtMost(count) => format!("at most {count} {}", squares(count)),
    }
}

/// The words that show what a piece can do, those of special ways among them.
fn shown(powers: &Powers) -> BTreeSet<Vec<Letter>> {
    let mut words = powers.plain.words.clone();
    let captures = powers.captures.iter();
    let ways = captures.map(|captures| &captures.ways);
    for ways in std::iter::once(&powers.plain).chain(ways) {
        words.extend(ways.words.iter().cloned());
        for special in &ways.specials {
            words.extend(examples(special));
        }
    }
    words
}

/// A few words like a special way.
fn examples(special: &Special) -> Vec<Vec<Letter>> {
    /// How far pictures reach.
    const REACH: u32 = 4;
    let mut words = Vec::new();
    for &(x, y) in &special.directions {
        let letter = |on: On| Letter { x, y, on };
        let mut paths: Vec<Vec<Letter>> = Vec::new();
        match &special.step {
            StepKind::Leap => paths.push(Vec::new()),
            StepKind::Ride { min, max, .. } => {
                let least = min.unwrap_or(1);
                let most = max.unwrap_or(u32::MAX).min(least.max(REACH));
                paths.extend((least..=most).map(|n| vec![letter(On::Empty); n as usize - 1]));
            }
            StepKind::Hop { before, over, after, what } => {
                let hurdle = if what.owner == Some(Who::Player) { On::Own } else { On::Opponent };
                let range = |amount: Amount, most: u32| match amount {
                    Amount::Exactly(n) => n..=n,
                    Amount::AtLeast(n) => n..=n.max(most),
                    Amount::AtMost(n) => 0..=n.min(most),
                };
                for before in range(*before, 1).take(2) {
                    for over in range(*over, 1).filter(|n| *n > 0).take(1) {
                        for after in range(*after, 1).take(2) {
                            let path = [(before, On::Empty), (over, hurdle), (after, On::Empty)];
                            // What lies outside the picture need not be drawn.
                            let path = path
                                .iter()
                                .flat_map(|(n, on)| vec![letter(*on); (*n).min(9) as usize]);
                            paths.push(path.collect());
                        }
                    }
                }
            }
        }
        for path in paths {
            for on in [On::Empty, On::Opponent, On::Own] {
                if special.landing.contains(on) {
                    let mut word = path.clone();
                    word.push(letter(on));
                    words.push(word);
                }
            }
        }
    }
    words
}

/// The picture of a piece.
fn picture(powers: &Powers, symbol: &str) -> Option<diagram::Diagram> {
    let words: Vec<Vec<Letter>> = shown(powers).into_iter().collect();
    let mut taken = Vec::new();
    for captures in &powers.captures {
        let ways = &captures.ways;
        if captures.methods.retrieve {
            let steps = ways.words.iter().filter_map(|word| word.first()).map(|l| (l.x, l.y));
            let specials =
                ways.specials.iter().flat_map(|special| special.directions.iter().copied());
            taken.extend(steps.chain(specials).map(|(x, y)| (-x, -y)));
        }
        if captures.methods.hop {
            for word in ways.specials.iter().flat_map(examples) {
                let mut at = (0, 0);
                for letter in word.iter().take(word.len() - 1) {
                    at = (at.0 + letter.x, at.1 + letter.y);
                    if letter.on != On::Empty {
                        taken.push(at);
                    }
                }
            }
        }
    }
    diagram::with_taken(&words, &taken, symbol)
}
