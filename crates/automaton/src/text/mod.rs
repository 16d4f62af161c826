//! The text form of the automaton: what `Display` prints for a [`Draft`], [`parse`] reads back.
//!
//! ```text
//! players white 100, black 100     // a name and a bound each; the scores are the first variables
//! variables turn 5                 // the further variables
//! pieces e, w, b
//! registers origin                 // the further registers; the first is always `cursor`
//! directions up, down
//! board square                     // or hexagon, or point
//!   a1 w (0, 1) up=a2              // name, piece, coordinates, neighbours; in significant order
//!   a2 e (0, 0) down=a1
//! shuffle                          // the pieces of these lists are exchanged by chance before a play
//!   a1
//!   a2
//! looks
//!   piece w: owner white, symbol "P", name "white pawn", kind pawn
//!   piece e: empty, symbol "·"
//!   player white: name "White", colour white
//!   columns "a"                    // from the left
//!   rows "2", "1"                  // from the top
//!   hand turn: w                   // the variable counts pieces that their owner holds
//!   counter turn: "turns left"     // the variable is shown to people
//!   side top: white                // the upper side of the board belongs to white
//!   surface chequered              // or plain, or lines
//! tables
//!   t0 everywhere: a1, a2          // the same from every square
//!   t1 each                        // a row per square; empty rows are left out
//!     a1: a2
//! patterns
//!   k0 n3 -> n4                    // start and accepting node
//! rules n0                         // the node where the keeper begins
//!   n0: turn white #0 -> n1 @12..20
//!   n1: on {w} -> n2
//!       check k0 -> n2
//!   n2:
//!   n3: shift up -> n4
//!   n4:
//! endings
//!   n2: "white has more pieces" drawn "equal pieces"
//!   stuck: "{stuck} has no move"   // why a game is over when the player in control has no move
//! repetition 3 over n2: white 50, black 50 ignoring turn
//! ```
//!
//! Sections come in any order and may be missing, except `board` and `rules`. Lines belong to the section before them;
//! indentation has no meaning; `//` begins a comment. Nodes, tables and patterns come in any order but without gaps.
//!
//! A line of `looks` is about a piece, a player, the columns, the rows, a hand, a counter, a side or the surface. Properties of a piece are `owner` and a player,
//! `empty`, `symbol` and `name` with a text, and `kind` with a word of [`crate::PieceKind`]; those of a player are `name`
//! with a text and `colour` with a word of [`crate::Colour`]. They come in any order, each at most once; what is not stated
//! is as in [`Draft::new`], and printed is only what differs from it. A reason is a text, and after `drawn` the text for a
//! draw if it has its own. `repetition` states the number of times, the node where the game is over, a score for each
//! player in any order, and after `ignoring` the variables that do not count, if there are any.
//!
//! An edge is an action, the modifier if there is one, `->` and the target, and the origin if there is one:
//!
//! | test | walk | write and control |
//! | --- | --- | --- |
//! | `skip` | `shift up` | `put w` |
//! | `on {e, w}` | `walk t0` | `put held origin` |
//! | `at {a1, a2}` | `recall origin` | `assign turn = turn + 1` |
//! | `compare turn < 2 * (count(w) - 1)` | `jump (column(cursor), 0)` | `save origin` |
//! | `check k0`, `check not k0` | | `turn white`, `keeper` |
//!
//! Expressions know integers, variables, `count(piece)`, `column(register)`, `row(register)`, `+ - * /` with the usual
//! precedence, and parentheses; they mean exactly their structure, `a - (b - c)` is not `a - b - c`.
//!
//! A name is a word of letters, digits and `_` that is neither a number nor begins a section; any other is quoted:
//! `"+p"`, with `\"`, `\\` and `\u{7f}` inside. Wherever an entity is used by its name it may also be written by its
//! number, `?7`. Printing does so only when the name does not mean it: when it does not exist, or is not the first of
//! its name. So nearly every draft has a text, even those that the verifier refuses; what none can express are scores
//! that are not the first variables, a first register that is not `cursor`, lists of neighbours, rows, looks or scores
//! after repetition of wrong length, and empty lists of squares to shuffle.

mod edge;
mod error;
mod lex;
pub(crate) mod names;
mod parse;
mod people;
mod print;
mod read;

use std::str::FromStr;

pub use error::{TextError, TextErrors};
pub use parse::parse;

use crate::draft::Draft;

impl FromStr for Draft {
    type Err = TextErrors;

    fn from_str(text: &str) -> Result<Draft, TextErrors> {
        parse(text)
    }
}
