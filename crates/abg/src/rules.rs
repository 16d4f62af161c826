//! A game made ready: names of the registry resolved, expressions as code, ranges of variables; and what letters mean.

use std::collections::HashSet;

use regulus_lang::abg::{Content, Effect, Game, Letter, Step, Test, Value};
use regulus_lang::regular::Machine;

use crate::code::{ExpressionCode, Facts, Operand};
use crate::fault::{Fault, Limits, TryBudget};
use crate::moves::{Journal, Undo, Write};
use crate::registry::Registry;
use crate::state::{Square, State};
use crate::view::{Change, View};

/// How far variables go that are assigned what is not known beforehand.
const RANGE: i64 = 1_000_000;

/// A game with all it needs to be played.
#[derive(Debug)]
pub(crate) struct AbgRules {
    pub(crate) game: Game,
    pub(crate) registry: Registry,
    pub(crate) limits: Limits,
    /// The names of the variables: those of the text, then those of the registry.
    pub(crate) variables: Vec<String>,
    pub(crate) conditions: Vec<ExpressionCode>,
    /// Whether effects of the text assign scores.
    pub(crate) scoring: bool,
    initial: State,
    tests: Vec<ReadyTest>,
    effects: Vec<ReadyEffect>,
    /// The least and the greatest value of each variable of the text.
    ranges: Vec<(i64, i64)>,
}

#[derive(Debug)]
enum ReadyTest {
    Code(ExpressionCode),
    External(String),
}

#[derive(Debug)]
enum ReadyEffect {
    Steps(Vec<ReadyStep>),
    External(usize),
}

#[derive(Debug)]
enum ReadyStep {
    Move,
    Board(ExpressionCode, ExpressionCode, ExpressionCode),
    Variable(usize, ExpressionCode),
    Score(usize, ExpressionCode),
}

impl AbgRules {
    pub(crate) fn new(game: Game, registry: Registry, limits: Limits) -> AbgRules {
        let mut variables: Vec<String> =
            game.variables.iter().map(|(name, _)| name.clone()).collect();
        let added: Vec<(String, i64)> = registry
            .variables
            .iter()
            .filter(|(name, _)| !variables.contains(name))
            .cloned()
            .collect();
        let all = game.variables.iter().chain(&added);
        let initial = State {
            board: initial_board(&game),
            variables: all.map(|(_, value)| *value).collect(),
            scores: vec![0; game.players.len()],
            current: 0,
        };
        variables.extend(added.into_iter().map(|(name, _)| name));
        let tests = game.tests.iter().map(|test| match test {
            Test::Value(value) => ReadyTest::Code(ExpressionCode::new(value)),
            Test::External(name) => ReadyTest::External(name.clone()),
        });
        let effects = game.effects.iter().map(|effect| match effect {
            Effect::Steps(steps) => ReadyEffect::Steps(steps.iter().map(ready_step).collect()),
            Effect::External(name) => {
                let place = registry.effects.keys().position(|known| known == name);
                // The front-end was given the same names.
                place.map_or(ReadyEffect::Steps(Vec::new()), ReadyEffect::External)
            }
        });
        let scoring = steps(&game).any(|step| matches!(step, Step::Score(..)));
        AbgRules {
            tests: tests.collect(),
            effects: effects.collect(),
            ranges: ranges(&game),
            conditions: game.conditions.iter().map(|c| ExpressionCode::new(&c.when)).collect(),
            scoring,
            variables,
            initial,
            game,
            registry,
            limits,
        }
    }

    pub(crate) fn initial(&self) -> State {
        self.initial.clone()
    }

    /// The square in this column and row.
    pub(crate) fn square(&self, x: i64, y: i64) -> Option<Square> {
        let on = |at: i64, size: u32| (0..i64::from(size)).contains(&at);
        (on(x, self.game.width) && on(y, self.game.height))
            .then(|| (y * i64::from(self.game.width) + x) as usize)
    }

    /// The column and row of a square.
    pub(crate) fn place(&self, square: Square) -> (i64, i64) {
        let width = self.game.width as usize;
        ((square % width) as i64, (square / width) as i64)
    }

    /// Where a letter leads.
    pub(crate) fn step(&self, from: Square, letter: &Letter) -> Option<Square> {
        let (x, y) = self.place(from);
        self.square(x + i64::from(letter.x), y + i64::from(letter.y))
    }

    /// Whether a piece belongs to others and not to this player.
    pub(crate) fn is_opponent(&self, piece: u8, player: usize) -> bool {
        let owners = &self.game.pieces[usize::from(piece)].owners;
        !owners.is_empty() && !owners.contains(&player)
    }

    /// What an effect does when a letter leads the piece of a rule from one square to another. Returns whether it can be
    /// done; if not, everything is as before.
    pub(crate) fn act(
        &self,
        effect: usize,
        (piece, from, this): (usize, Square, Square),
        state: &mut State,
        journal: &mut Journal,
        budget: &TryBudget,
    ) -> Result<bool, Fault> {
        let mark = journal.mark();
        match &self.effects[effect] {
            ReadyEffect::Steps(steps) => {
                for step in steps {
                    let writes = {
                        let evaluation = Evaluation { rules: self, state, stuck: false, budget };
                        evaluation.writes(step, (piece, from, this))
                    };
                    let Some(writes) = writes else {
                        self.take_back(mark, state, journal)?;
                        return Ok(false);
                    };
                    writes.into_iter().flatten().for_each(|write| journal.make(write, state));
                }
                Ok(true)
            }
            ReadyEffect::External(number) => {
                let Some(external) = self.registry.effects.values().nth(*number) else {
                    return Ok(false);
                };
                let before = cfg!(debug_assertions).then(|| Box::new(state.clone()));
                let mut change = Change::new(self, state, (piece, from, this));
                let memo = (external.apply)(&mut change);
                let (writes, refused) = change.finish();
                journal.writes.extend(writes);
                journal.undo.push(Undo::External {
                    effect: *number,
                    piece,
                    from,
                    this,
                    memo,
                    before,
                });
                if refused {
                    self.take_back(mark, state, journal)?;
                }
                Ok(!refused)
            }
        }
    }

    /// Undoes everything since a mark, the last first.
    pub(crate) fn take_back(
        &self,
        (writes, undo): (usize, usize),
        state: &mut State,
        journal: &mut Journal,
    ) -> Result<(), Fault> {
        journal.writes.truncate(writes);
        while journal.undo.len() > undo {
            match journal.undo.pop() {
                Some(Undo::Write(write)) => {
                    write.make(state);
                }
                Some(Undo::External { effect, piece, from, this, memo, before }) => {
                    let Some((name, external)) = self.registry.effects.iter().nth(effect) else {
                        continue;
                    };
                    let mut change = Change::new(self, state, (piece, from, this));
                    (external.undo)(&mut change, &memo);
                    if before.is_some_and(|before| *before != *state) {
                        return Err(Fault::AntiEffect { effect: name.clone() });
                    }
                }
                None => {}
            }
        }
        Ok(())
    }
}

fn ready_step(step: &Step) -> ReadyStep {
    match step {
        Step::Move => ReadyStep::Move,
        Step::Board(x, y, piece, _) => ReadyStep::Board(
            ExpressionCode::new(x),
            ExpressionCode::new(y),
            ExpressionCode::new(piece),
        ),
        Step::Variable(variable, value, _) => {
            ReadyStep::Variable(*variable, ExpressionCode::new(value))
        }
        Step::Score(player, value, _) => ReadyStep::Score(*player, ExpressionCode::new(value)),
    }
}

/// The text has the highest row first.
fn initial_board(game: &Game) -> Vec<u8> {
    let rows = game.board.chunks(game.width.max(1) as usize).rev();
    rows.flatten().map(|piece| u8::try_from(*piece).unwrap_or(0)).collect()
}

/// All steps of effects of the text.
fn steps(game: &Game) -> impl Iterator<Item = &Step> {
    game.effects.iter().flat_map(|effect| match effect {
        Effect::Steps(steps) => steps.as_slice(),
        Effect::External(_) => &[],
    })
}

/// How far each variable of the text may go: where all that is ever assigned is known, from the least to the greatest of that;
/// else a range that is wide enough.
fn ranges(game: &Game) -> Vec<(i64, i64)> {
    let range = |(variable, initial): (usize, i64)| {
        let (mut least, mut most) = (initial.min(0), initial.max(0));
        for step in steps(game) {
            match step {
                Step::Variable(assigned, value, _) if *assigned == variable => {
                    let (low, high) = match value {
                        Value::Number(number) => (*number, *number),
                        _ => (least, RANGE),
                    };
                    (least, most) = (least.min(low), most.max(high));
                }
                _ => {}
            }
        }
        (least, most)
    };
    game.variables.iter().map(|(_, initial)| *initial).enumerate().map(range).collect()
}

/// What expressions are evaluated in: a state, with a player in turn.
#[derive(Clone, Copy)]
pub(crate) struct Evaluation<'a> {
    pub(crate) rules: &'a AbgRules,
    pub(crate) state: &'a State,
    /// Whether the player has no legal move.
    pub(crate) stuck: bool,
    pub(crate) budget: &'a TryBudget,
}

/// An evaluation from a square: where a letter leads to, and where from. Conditions have neither.
struct EvaluationPoint<'a, 'l> {
    evaluation: &'l Evaluation<'a>,
    this: Option<Square>,
    from: Option<Square>,
}

impl Facts for EvaluationPoint<'_, '_> {
    fn leaf(&self, leaf: Operand) -> Option<i64> {
        let Evaluation { rules, state, stuck, .. } = *self.evaluation;
        let place = |square: Option<Square>| square.map(|square| rules.place(square));
        Some(match leaf {
            Operand::Number(number) => number,
            Operand::Variable(variable) => state.variables[variable],
            Operand::Score(player) => state.scores[player],
            Operand::ThisX => place(self.this)?.0,
            Operand::ThisY => place(self.this)?.1,
            Operand::FromX => place(self.from)?.0,
            Operand::FromY => place(self.from)?.1,
            Operand::Count(piece) => {
                state.board.iter().filter(|&&other| usize::from(other) == piece).count() as i64
            }
            Operand::Holds(content) => {
                let piece = state.board[self.this?];
                i64::from(match content {
                    Content::Empty => rules.game.empty == Some(usize::from(piece)),
                    Content::Opponent => rules.is_opponent(piece, state.current),
                    Content::Piece(wanted) => usize::from(piece) == wanted,
                })
            }
            Operand::Current => state.current as i64,
            Operand::Stuck => i64::from(stuck),
            Operand::Match(pattern) => i64::from(self.evaluation.finds(pattern, self.this)?),
        })
    }

    fn piece_at(&self, x: i64, y: i64) -> i64 {
        let square = self.evaluation.rules.square(x, y);
        square.map_or(-1, |square| i64::from(self.evaluation.state.board[square]))
    }
}

impl Evaluation<'_> {
    fn value(
        &self,
        code: &ExpressionCode,
        this: Option<Square>,
        from: Option<Square>,
    ) -> Option<i64> {
        code.value(&EvaluationPoint { evaluation: self, this, from })
    }

    /// Whether a condition of the game holds; it is asked from no square.
    pub(crate) fn holds(&self, code: &ExpressionCode) -> bool {
        self.value(code, None, None).is_some_and(|value| value != 0)
    }

    /// Whether the test of a letter lets it be read.
    pub(crate) fn passes(&self, test: usize, from: Square, this: Square) -> bool {
        match &self.rules.tests[test] {
            ReadyTest::Code(code) => {
                self.value(code, Some(this), Some(from)).is_some_and(|value| value != 0)
            }
            ReadyTest::External(name) => {
                let view = View {
                    rules: self.rules,
                    state: self.state,
                    this: Some(this),
                    from: Some(from),
                    stuck: self.stuck,
                };
                self.rules.registry.predicates.get(name).is_some_and(|holds| holds(&view))
            }
        }
    }

    /// Whether a pattern is found: from a square, or from any square that holds one of its pieces.
    fn finds(&self, pattern: usize, this: Option<Square>) -> Option<bool> {
        let pattern = &self.rules.game.patterns[pattern];
        let machine = &pattern.rule.machines.minimal;
        if pattern.from.is_empty() {
            return Some(self.matches(machine, this?));
        }
        Some(pattern.from.iter().any(|&piece| self.matches_from(machine, piece)))
    }

    /// Whether a sentence matches from any square that holds a piece.
    pub(crate) fn matches_from(&self, machine: &Machine<Letter>, piece: usize) -> bool {
        let board = self.state.board.iter().enumerate();
        board
            .filter(|(_, held)| usize::from(**held) == piece)
            .any(|(square, _)| self.matches(machine, square))
    }

    /// Whether some word matches from a square; effects play no part.
    fn matches(&self, machine: &Machine<Letter>, start: Square) -> bool {
        let mut seen = HashSet::from([(machine.start, start)]);
        let mut waiting = vec![(machine.start, start)];
        while let Some((node, from)) = waiting.pop() {
            if machine.accepts[node] {
                return true;
            }
            for (letter, to) in machine.letters(node) {
                if !self.budget.spend() {
                    return false;
                }
                let Some(this) = self.rules.step(from, letter) else { continue };
                if !seen.contains(&(to, this)) && self.passes(letter.test, from, this) {
                    seen.insert((to, this));
                    waiting.push((to, this));
                }
            }
        }
        false
    }

    /// The changes that one step of an effect makes; `None` if it cannot be done.
    fn writes(
        &self,
        step: &ReadyStep,
        (piece, from, this): (usize, Square, Square),
    ) -> Option<[Option<Write>; 2]> {
        let value = |code: &ExpressionCode| self.value(code, Some(this), Some(from));
        let write = match step {
            ReadyStep::Move => return Some(self.rules.move_writes(piece, from, this)),
            ReadyStep::Board(x, y, piece) => {
                let square = self.rules.square(value(x)?, value(y)?)?;
                let piece = u8::try_from(value(piece)?).ok()?;
                if usize::from(piece) >= self.rules.game.pieces.len() {
                    return None;
                }
                Write::Square(square, piece)
            }
            ReadyStep::Variable(variable, code) => {
                let (least, most) = self.rules.ranges[*variable];
                Write::Variable(*variable, value(code).filter(|v| (least..=most).contains(v))?)
            }
            ReadyStep::Score(player, code) => {
                Write::Score(*player, value(code).filter(|v| (0..=100).contains(v))?)
            }
        };
        Some([Some(write), None])
    }
}

impl AbgRules {
    /// The changes of a piece going from one square to another.
    pub(crate) fn move_writes(
        &self,
        piece: usize,
        from: Square,
        this: Square,
    ) -> [Option<Write>; 2] {
        let number = |piece: usize| u8::try_from(piece).unwrap_or(0);
        let leaving = self.game.empty.filter(|_| from != this);
        [
            leaving.map(|empty| Write::Square(from, number(empty))),
            Some(Write::Square(this, number(piece))),
        ]
    }
}
