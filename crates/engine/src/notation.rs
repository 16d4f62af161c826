//! Squares and moves as text.
//!
//! Squares have the names that [`SquareNames`] gives them.
//!
//! A move has two spellings. The *exact* one lists square and modifier numbers, both from 1, as RBG programs exchange
//! them: `1 3 2 4`. The *short* one is for people and unique among the moves of one state: the squares the move goes
//! over, `e2-e4`; with what it writes where that is needed to tell moves apart, `e7-e8=whiteQueen`; or `pass`, when the
//! move is nothing but the end of the turn.

use std::collections::{BTreeSet, HashMap};

use regulus_automaton::{
    Action, ActionKind, Automaton, Id, IdVec, Modifier, Node, Piece, Square, SquareNames, WalkTable,
};

use crate::moves::{Move, MoveList, Step};

/// How squares and moves of one game are written.
///
/// # Examples
///
/// ```
/// use regulus_engine::{MoveList, Notation, Rules as _, Walk};
/// # use regulus_lang::{Source, compile};
///
/// # let text = "
/// #     #players = one(1)
/// #     #pieces = e, x
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e, e])
/// #     #rules = ->one right* {e} [x] ->> {}
/// # ";
/// # let automaton = compile(&Source::new("solo.rbg", text)).automaton.expect("no errors");
/// let notation = Notation::new(&automaton);
/// let rules = Walk::new(automaton);
/// let mut scratch = rules.scratch();
/// let mut moves = MoveList::new();
/// rules.moves(&rules.initial(&mut scratch)?, &mut scratch, &mut moves)?;
/// moves.sort();
/// assert_eq!(notation.name_moves(&moves), ["a1", "b1", "c1"]);
/// # Ok::<(), regulus_engine::Fault>(())
/// ```
#[derive(Clone, Debug)]
pub struct Notation {
    labels: IdVec<Square, String>,
    modifiers: IdVec<Modifier, Option<Writes>>,
    /// The modifiers that end a move on a square that no player chose.
    passes: BTreeSet<Modifier>,
    pieces: IdVec<Piece, String>,
}

/// What a modifier does, as far as names of moves care.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Writes {
    Piece(Piece),
    Other,
    Ends,
}

impl Notation {
    /// The notation of a game.
    #[must_use]
    pub fn new(automaton: &Automaton) -> Notation {
        let count = automaton.edges().filter_map(|(_, edge)| edge.modifier).max();
        let mut modifiers = IdVec::filled(None, count.map_or(0, |modifier| modifier.index() + 1));
        for (_, edge) in automaton.edges() {
            if let Some(modifier) = edge.modifier {
                modifiers[modifier] = Some(match (&edge.action, edge.action.kind()) {
                    (Action::Put(piece), _) => Writes::Piece(*piece),
                    (_, ActionKind::Control) => Writes::Ends,
                    _ => Writes::Other,
                });
            }
        }
        let (labels, passes) = (SquareNames::of(automaton).names, passes(automaton));
        Notation { labels, modifiers, passes, pieces: automaton.pieces.clone() }
    }

    /// The name of a square.
    #[must_use]
    pub fn square(&self, square: Square) -> &str {
        &self.labels[square]
    }

    /// The short names of all moves of a state, in the order of the list; each is unique.
    #[must_use]
    pub fn name_moves(&self, moves: &MoveList) -> Vec<String> {
        let mut names: Vec<String> = moves.iter().map(|steps| self.squares_of(steps)).collect();
        tell_apart(&mut names, moves, |steps| self.writes_of(steps));
        tell_apart(&mut names, moves, |steps| format!("({})", exact(steps)));
        names
    }

    /// The squares a move goes over, each once in a row.
    fn squares_of(&self, steps: &[Step]) -> String {
        if let [only] = steps
            && self.passes.contains(&only.modifier)
        {
            return "pass".to_owned();
        }
        let mut squares: Vec<Square> = steps.iter().map(|step| step.square).collect();
        squares.dedup();
        let names: Vec<&str> = squares.iter().map(|&square| self.square(square)).collect();
        names.join("-")
    }

    /// The squares a move goes over with what it writes there; the first square without, when it is left.
    fn writes_of(&self, steps: &[Step]) -> String {
        let leaves = steps.iter().any(|step| step.square != steps[0].square);
        let mut parts: Vec<String> = Vec::new();
        let mut previous = None;
        for (index, step) in steps.iter().enumerate() {
            if previous != Some(step.square) {
                parts.push(self.square(step.square).to_owned());
                previous = Some(step.square);
            }
            let writes = self.modifiers.get(step.modifier).copied().flatten();
            if let (Some(Writes::Piece(piece)), Some(part), true) =
                (writes, parts.last_mut(), index > 0 || !leaves)
            {
                part.push('=');
                part.push_str(&self.pieces[piece]);
            }
        }
        parts.join("-")
    }
}

/// The modifiers that end a move wherever the cursor happens to be, or on one square that is always the same: nothing
/// on the board was chosen.
fn passes(automaton: &Automaton) -> BTreeSet<Modifier> {
    let mut passes = BTreeSet::new();
    let mut chooses = BTreeSet::new();
    let turns = automaton.edges().filter(|(_, edge)| matches!(edge.action, Action::Turn(_)));
    let mut work: Vec<(Node, bool)> = turns.map(|(_, edge)| (edge.target, false)).collect();
    let mut seen = BTreeSet::new();
    while let Some((node, chosen)) = work.pop() {
        if !seen.insert((node, chosen)) {
            continue;
        }
        for edge in &automaton.nodes[node] {
            let walks = match &edge.action {
                Action::Walk(table) => {
                    !matches!(&automaton.tables[*table], WalkTable::Everywhere(row) if row.len() == 1)
                }
                action => action.kind() == ActionKind::Walk,
            };
            match edge.action.kind() {
                ActionKind::Control if chosen => chooses.extend(edge.modifier),
                ActionKind::Control => passes.extend(edge.modifier),
                _ => work.push((edge.target, chosen || walks)),
            }
        }
    }
    &passes - &chooses
}

/// Spells the moves anew whose names are not unique.
fn tell_apart(names: &mut [String], moves: &MoveList, spell: impl Fn(&[Step]) -> String) {
    let mut uses: HashMap<&str, usize> = HashMap::with_capacity(names.len());
    for name in names.iter() {
        *uses.entry(name).or_default() += 1;
    }
    let ambiguous: Vec<bool> = names.iter().map(|name| uses[name.as_str()] > 1).collect();
    for ((name, steps), ambiguous) in names.iter_mut().zip(moves.iter()).zip(ambiguous) {
        if ambiguous {
            *name = spell(steps);
        }
    }
}

/// The exact spelling: square and modifier numbers in turn, both counted from 1.
///
/// # Examples
///
/// ```
/// use regulus_automaton::{Modifier, Square};
/// use regulus_engine::Step;
/// use regulus_engine::notation::{exact, parse_exact};
///
/// let steps = [Step { modifier: Modifier(2), square: Square(48) }];
/// assert_eq!(exact(&steps), "49 2");
/// assert_eq!(parse_exact("49 2").expect("a move").0, steps);
/// ```
#[must_use]
pub fn exact(steps: &[Step]) -> String {
    let pairs: Vec<String> = steps
        .iter()
        .map(|step| format!("{} {}", u64::from(step.square.0) + 1, step.modifier.0))
        .collect();
    pairs.join(" ")
}

/// Parses the exact spelling of a move; `None` if the text is not one. The move need not be legal.
///
/// # Examples
///
/// ```
/// use regulus_engine::notation::parse_exact;
///
/// assert!(parse_exact("49 2 41 3").is_some());
/// assert!(parse_exact("49 2 41").is_none()); // a square without a modifier
/// assert!(parse_exact("0 2").is_none()); // squares are counted from 1
/// ```
#[must_use]
pub fn parse_exact(text: &str) -> Option<Move> {
    let numbers: Option<Vec<u32>> = text.split_whitespace().map(|word| word.parse().ok()).collect();
    let numbers = numbers.filter(|numbers| !numbers.is_empty() && numbers.len() % 2 == 0)?;
    let steps: Option<Vec<Step>> = numbers
        .chunks_exact(2)
        .map(|pair| {
            let square = Square(pair[0].checked_sub(1)?);
            Some(Step { modifier: Modifier(pair[1]), square })
        })
        .collect();
    steps.map(Move)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn squares_are_named_by_the_columns_and_rows_of_the_game() {
        let text = |names: &str| {
            format!(
                "players white 100\npieces e\nboard square\n  p e (0, 0)\n  q e (5, 0)\n  r e (5, 1)\n\
                 {names}\nrules n0\n  n0:"
            )
        };
        let labels = |names: &str| {
            let draft: regulus_automaton::Draft = text(names).parse().expect("it can be read");
            let notation = Notation::new(&draft.verify().expect("it is well-formed"));
            [0, 1, 2].map(|square| notation.square(Square(square)).to_owned())
        };
        assert_eq!(labels(""), ["a2", "f2", "f1"]);
        let names = "looks\n  columns \"x\", \"y\"\n  rows \"top\", \"bottom\"";
        assert_eq!(labels(names), ["xtop", "ytop", "ybottom"]);
        // Names that do not tell squares apart are not used.
        let names = "looks\n  columns \"x\", \"x\"\n  rows \"top\", \"bottom\"";
        assert_eq!(labels(names), ["a2", "f2", "f1"]);
    }

    #[test]
    fn exact_spelling_comes_back() {
        let steps = [
            Step { modifier: Modifier(3), square: Square(0) },
            Step { modifier: Modifier(4), square: Square(1) },
        ];
        assert_eq!(exact(&steps), "1 3 2 4");
        assert_eq!(parse_exact(" 1 3\t2 4"), Some(Move(steps.to_vec())));
        assert_eq!(["", "1", "1 x", "0 1", "-1 1"].map(parse_exact), [const { None }; 5]);
    }
}
