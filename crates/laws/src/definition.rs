//! What an RBG game means, written down a second time: slowly, from the language's definition alone.
//!
//! It follows the regular expression of the rules, not the automaton, and shares nothing with the lowering, the passes
//! or the engines. Every situation is a value of its own, nothing is undone, and nothing is cut but repetitions of the
//! very same situation.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use regulus_automaton::{Id, Operator, Piece, Player, Relation, Square, Variable};
use regulus_lang::rbg::{Checked, Leaf, Step, Value};

/// The moves of a position and the positions they lead to. A move is its modifiers, counted from 1, and their squares.
pub(crate) type Moves = BTreeMap<Vec<(u32, Square)>, RbgPosition>;

/// There is too much to look at.
#[derive(Clone, Copy, Debug)]
pub(crate) struct TooMuchWork;

/// A situation: what is on the board, and what is still to be done.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct RbgPosition {
    /// The player in control; `None` if the keeper is.
    pub(crate) player: Option<Player>,
    pub(crate) pieces: Vec<Piece>,
    pub(crate) variables: Vec<i64>,
    pub(crate) square: Square,
    /// The parts of the rules that follow, the next one last.
    rest: Vec<usize>,
}

/// A game as its definition says.
#[derive(Debug)]
pub(crate) struct RbgDefinition<'a> {
    game: &'a Checked,
    parts: Vec<RulePart<'a>>,
    root: usize,
    /// How many situations may still be looked at.
    situations: Cell<usize>,
}

/// A part of the rules with powers written out; other parts are denoted by their numbers.
#[derive(Debug)]
enum RulePart<'a> {
    Sum(Vec<usize>),
    Chain(Vec<usize>),
    Star(usize),
    Look { succeeds: bool, body: usize },
    Act { leaf: &'a Leaf, modifier: u32 },
}

/// How many situations may be looked at, for all moves of all positions together.
const SITUATIONS: usize = 20_000;
/// How long a move may be.
const LENGTH: usize = 14;

impl<'a> RbgDefinition<'a> {
    pub(crate) fn new(game: &'a Checked) -> RbgDefinition<'a> {
        let mut definition =
            RbgDefinition { game, parts: Vec::new(), root: 0, situations: Cell::new(SITUATIONS) };
        definition.root = definition.add(&game.rules, &mut 0);
        definition
    }

    /// Adds a part; modifiers are numbered in the order of the text.
    fn add(&mut self, step: &'a Step, modifiers: &mut u32) -> usize {
        let part = match step {
            Step::Sum(parts) => RulePart::Sum(self.add_all(parts, modifiers)),
            Step::Chain(parts) => RulePart::Chain(self.add_all(parts, modifiers)),
            Step::Power(body, count) => {
                RulePart::Chain((0..*count).map(|_| self.add(body, modifiers)).collect())
            }
            Step::Star(body, _) => RulePart::Star(self.add(body, modifiers)),
            Step::Look { succeeds, body, .. } => {
                RulePart::Look { succeeds: *succeeds, body: self.add(body, &mut 0) }
            }
            Step::Leaf(leaf, _) => {
                *modifiers += u32::from(leaf.is_modifier());
                RulePart::Act { leaf, modifier: *modifiers }
            }
        };
        self.parts.push(part);
        self.parts.len() - 1
    }

    fn add_all(&mut self, steps: &'a [Step], modifiers: &mut u32) -> Vec<usize> {
        steps.iter().map(|step| self.add(step, modifiers)).collect()
    }

    /// The position in which the keeper begins.
    pub(crate) fn initial(&self) -> RbgPosition {
        RbgPosition {
            player: None,
            pieces: self.game.board.squares.values().map(|square| square.piece).collect(),
            variables: vec![0; self.game.variables.len()],
            square: Square(0),
            rest: vec![self.root],
        }
    }

    /// All moves of the player or keeper in control.
    pub(crate) fn moves(&self, position: &RbgPosition) -> Result<Moves, TooMuchWork> {
        let mut moves = Moves::new();
        let mut seen = BTreeSet::new();
        let mut work = vec![(position.clone(), Vec::new())];
        while let Some((mut position, path)) = work.pop() {
            self.look()?;
            if !seen.insert((position.clone(), path.clone())) {
                continue;
            }
            // The end of the rules without a switch is no move.
            let Some(next) = position.rest.pop() else { continue };
            if let RulePart::Act { leaf, modifier } = self.parts[next]
                && leaf.is_modifier()
            {
                let Some(after) = self.act(leaf, position) else { continue };
                let mut path = path;
                path.push((modifier, after.square));
                if path.len() > LENGTH {
                    return Err(TooMuchWork);
                }
                if matches!(leaf, Leaf::Turn(_) | Leaf::Keeper) {
                    moves.insert(path, after);
                } else {
                    work.push((after, path));
                }
            } else {
                let after = self.follow(next, position)?;
                work.extend(after.into_iter().map(|position| (position, path.clone())));
            }
        }
        Ok(moves)
    }

    /// The situations that executing a part which is not recorded may lead to, or that come nearer to it.
    fn follow(&self, part: usize, position: RbgPosition) -> Result<Vec<RbgPosition>, TooMuchWork> {
        let then = |parts: &[usize]| {
            let mut position = position.clone();
            position.rest.extend(parts.iter().rev());
            position
        };
        Ok(match &self.parts[part] {
            RulePart::Sum(parts) => parts.iter().map(|&part| then(&[part])).collect(),
            RulePart::Chain(parts) => vec![then(parts)],
            RulePart::Star(body) => vec![then(&[]), then(&[*body, part])],
            RulePart::Look { succeeds, body } => {
                let found = self.some_word_succeeds(*body, &position)?;
                if found == *succeeds { vec![position] } else { Vec::new() }
            }
            RulePart::Act { leaf, .. } => self.act(leaf, position).into_iter().collect(),
        })
    }

    /// Whether a look-ahead with this content finds something.
    fn some_word_succeeds(&self, body: usize, position: &RbgPosition) -> Result<bool, TooMuchWork> {
        let mut seen = BTreeSet::new();
        let mut work = vec![RbgPosition { rest: vec![body], ..position.clone() }];
        while let Some(mut position) = work.pop() {
            self.look()?;
            if !seen.insert(position.clone()) {
                continue;
            }
            let Some(next) = position.rest.pop() else { return Ok(true) };
            work.extend(self.follow(next, position)?);
        }
        Ok(false)
    }

    /// Counts a situation.
    fn look(&self) -> Result<(), TooMuchWork> {
        self.situations.set(self.situations.get().checked_sub(1).ok_or(TooMuchWork)?);
        Ok(())
    }

    /// The situation after an action, if it succeeds.
    fn act(&self, leaf: &Leaf, mut position: RbgPosition) -> Option<RbgPosition> {
        let here = position.square;
        let holds = match leaf {
            Leaf::Shift(direction) => {
                position.square = self.game.board.squares[here].neighbours[*direction]?;
                true
            }
            Leaf::On(pieces) => pieces.contains(position.pieces[here.index()]),
            Leaf::Off(piece) => {
                position.pieces[here.index()] = *piece;
                true
            }
            Leaf::Assign(variable, value) => {
                let value = evaluate(value, &position)?;
                position.variables[variable.index()] = value;
                (0..=self.bound(*variable)).contains(&value)
            }
            Leaf::Compare(left, relation, right) => {
                let (left, right) = (evaluate(left, &position)?, evaluate(right, &position)?);
                compare(left, *relation, right)
            }
            Leaf::Turn(player) => {
                position.player = Some(*player);
                true
            }
            Leaf::Keeper => {
                position.player = None;
                true
            }
            Leaf::Dot => true,
        };
        holds.then_some(position)
    }

    fn bound(&self, variable: Variable) -> i64 {
        i64::from(self.game.variables[variable].bound)
    }
}

fn evaluate(value: &Value, position: &RbgPosition) -> Option<i64> {
    match value {
        Value::Number(number) => Some(i64::from(*number)),
        Value::Variable(variable) => Some(position.variables[variable.index()]),
        Value::Count(piece) => {
            i64::try_from(position.pieces.iter().filter(|held| *held == piece).count()).ok()
        }
        Value::Chain(operator, operands) => {
            let mut values = operands.iter().map(|operand| evaluate(operand, position));
            let first = values.next()?;
            values.fold(first, |left, right| match operator {
                Operator::Add => left?.checked_add(right?),
                Operator::Subtract => left?.checked_sub(right?),
                Operator::Multiply => left?.checked_mul(right?),
                Operator::Divide => left?.checked_div(right?),
            })
        }
    }
}

fn compare(left: i64, relation: Relation, right: i64) -> bool {
    match relation {
        Relation::Equal => left == right,
        Relation::NotEqual => left != right,
        Relation::Less => left < right,
        Relation::LessOrEqual => left <= right,
        Relation::Greater => left > right,
        Relation::GreaterOrEqual => left >= right,
    }
}
