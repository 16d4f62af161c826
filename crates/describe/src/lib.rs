//! Games in plain English: how their pieces move, what wins, and how hard that is to learn.
//!
//! ```text
//! rule of SBG ────────▶ words ─▶ components (find, phrase) ─▶ sentence (english) and score
//! powers of METAGAME ──┘   └▶ diagram (SVG)                              │
//!                                                  text, Markdown, HTML ◀─ guide
//! ```
//!
//! The algorithm and the scores are those of "Evaluating Chess-like Games Using Generated Natural Language Descriptions"
//! by Kowalski, Żarczyński and Kisielewicz; docs/descriptions.md says what the sentences mean and how what the paper leaves
//! open was decided.
//!
//! # Examples
//!
//! ```
//! use regulus_describe::{BoardSize, describe_rule};
//! use regulus_lang::{Source, sbg};
//!
//! let text = "<<Small>> <BOARD> 3 3 |k..| |...| |..K| <PIECES> K (0,1,e)+(0,1,p)+(0,-1,e)+(0,-1,p) & <GOALS> 9 & #K 0 &";
//! let (game, _) = sbg::check(&Source::new("small.sbg", text));
//! let rule = game.as_ref().and_then(|game| game.pieces[0].rule.as_ref()).expect("the king has a rule");
//! let description = describe_rule(rule, BoardSize { width: 3, height: 3 }).expect("few words");
//! assert_eq!(description.sentence, "Leaps 1 vertically.");
//! assert_eq!(description.score, 2);
//! ```

#![forbid(unsafe_code)]

mod diagram;
mod english;
mod find;
mod guide;
mod metagame;
mod opening;
mod phrase;
mod render;
mod sbg;
mod words;

use regulus_lang::sbg::{Game, Kind, Letter, Rule, Side};

pub use diagram::{Diagram, diagram, sheet};
pub use find::{Component, Saying};
pub use guide::{
    Cell, Guide, GuideSection, MAX_CHARACTERS, MAX_SHOWN, PieceCount, PieceGuide, ScorePart,
    Verdict, counted, listed, plural, with_article,
};
pub use phrase::{Heading, Horizontal, Landing, Phrase, Relative, RidePath, Times, Vertical};
pub use words::{BoardSize, MAX_WORDS, TooManyWords};

/// How a piece moves, in words.
#[derive(Clone, Debug)]
pub struct Description {
    /// A sentence that says all.
    pub sentence: String,
    /// How hard it is to learn: the sum of the scores of the components.
    pub score: u64,
    /// What the sentence is made of.
    pub components: Vec<Component>,
    /// How many words the rule has on this board.
    pub words: usize,
}

impl Component {
    /// The component alone as a clause of a sentence.
    #[must_use]
    pub fn clause(&self) -> String {
        english::clause(self)
    }
}

/// The words of a rule on a board: each a way to move that is different from the others.
///
/// # Errors
///
/// Returns an error if there are more than [`MAX_WORDS`].
pub fn words(rule: &Rule, size: BoardSize) -> Result<Vec<Vec<Letter>>, TooManyWords> {
    words::unfold(&rule.machines.minimal, size)
}

/// Describes how a piece moves on a board.
///
/// # Errors
///
/// Returns an error if the rule has more than [`MAX_WORDS`] words.
pub fn describe_rule(rule: &Rule, size: BoardSize) -> Result<Description, TooManyWords> {
    Ok(describe_words(&words(rule, size)?, size))
}

/// Describes words, given in ascending order; without any, the piece does not move.
fn describe_words(words: &[Vec<Letter>], size: BoardSize) -> Description {
    let components = find::describe(words, size);
    Description {
        sentence: english::sentence(&components),
        score: components.iter().map(|component| component.score).fold(0, u64::saturating_add),
        components,
        words: words.len(),
    }
}

/// Describes a type of piece; one without a rule does not move.
///
/// # Errors
///
/// Returns an error if its rule has more than [`MAX_WORDS`] words.
pub fn describe_piece(game: &Game, kind: Kind) -> Result<Description, TooManyWords> {
    Ok(describe_words(&piece_words(game, kind)?, BoardSize::of(game)))
}

/// The words of a type of piece; an empty list if it has no rule.
fn piece_words(game: &Game, kind: Kind) -> Result<Vec<Vec<Letter>>, TooManyWords> {
    let rule = game.pieces[kind].rule.as_ref();
    rule.map_or(Ok(Vec::new()), |rule| words(rule, BoardSize::of(game)))
}

/// The score of a game, given those of its pieces: their average weighted by how many there are at the beginning, times
/// the number of types and ten. `None` if there are no pieces.
#[must_use]
pub fn score_game(game: &Game, scores: &[u64]) -> Option<f64> {
    let mut pieces = 0.0;
    let mut sum = 0.0;
    for (kind, score) in scores.iter().enumerate() {
        let count: usize = Side::BOTH.iter().map(|&side| game.count(side, kind)).sum();
        pieces += count as f64;
        sum += count as f64 * *score as f64;
    }
    let types = (0..game.pieces.len())
        .filter(|&kind| Side::BOTH.iter().any(|&side| game.count(side, kind) > 0));
    (pieces > 0.0).then(|| sum * (10 + types.count()) as f64 / pieces)
}
