//! The `walk` engine: the automaton run edge by edge. It defines what a game means; other engines are compared with
//! it.

mod program;
mod search;

use std::ops::ControlFlow;

use regulus_automaton::analyses::live_cursor;
use regulus_automaton::{Automaton, IdVec, Node, Register, Square};

use crate::fault::{Fault, FaultKind, Limits};
use crate::moves::Step;
use crate::rules::Rules;
use crate::state::{Layout, State};
use crate::zobrist::Zobrist;
use program::{Code, Program};
pub use search::Scratch;
use search::{Search, evaluate};

/// A game run by walking its automaton.
#[derive(Debug)]
pub struct Walk {
    automaton: Automaton,
    layout: Layout,
    zobrist: Zobrist,
    program: Program,
    live_cursor: IdVec<Node, bool>,
    limits: Limits,
}

impl Walk {
    /// Prepares a game for walking.
    #[must_use]
    pub fn new(automaton: Automaton) -> Walk {
        Walk::with_limits(automaton, Limits::default())
    }

    /// Prepares a game for walking under other limits than the default ones.
    #[must_use]
    pub fn with_limits(automaton: Automaton, limits: Limits) -> Walk {
        Walk {
            layout: Layout::new(&automaton),
            zobrist: Zobrist::new(&automaton),
            program: Program::new(&automaton),
            live_cursor: live_cursor(&automaton),
            automaton,
            limits,
        }
    }

    /// The keys states are fingerprinted with.
    #[must_use]
    pub fn zobrist(&self) -> &Zobrist {
        &self.zobrist
    }

    fn before_start(&self) -> State {
        State::before_start(&self.automaton, &self.layout, &self.zobrist)
    }

    fn search_moves(
        &self,
        state: &State,
        scratch: &mut Scratch,
        visitor: &mut dyn FnMut(&[Step]) -> ControlFlow<()>,
    ) -> Result<bool, Fault> {
        scratch.state.copy_from(state);
        let node = state.node(&self.layout).0;
        let square = state.register(&self.layout, Register::CURSOR).0;
        let search = &mut Search {
            program: &self.program,
            layout: &self.layout,
            limits: self.limits,
            scratch,
        };
        search.moves(node, square, visitor)
    }

    /// Lets the keeper move until a player is in control or the keeper is stuck.
    fn run_keeper(&self, state: &mut State, scratch: &mut Scratch) -> Result<(), Fault> {
        // A position that comes back would come back for ever. It is compared with one that is renewed at ever longer
        // intervals (Brent's method), so any cycle is noticed within three times its length.
        let mut earlier = None;
        let mut renew_at = 16;
        let mut steps = Vec::new();
        for count in 0.. {
            if state.mover(&self.layout).is_some() {
                return Ok(());
            }
            steps.clear();
            let found = self.search_moves(state, scratch, &mut |found| {
                steps.extend_from_slice(found);
                ControlFlow::Break(())
            })?;
            if !found {
                return Ok(());
            }
            self.execute(state, &steps)?;
            if count == renew_at {
                renew_at *= 2;
                earlier = Some(state.clone());
            } else if earlier.as_ref().is_some_and(|earlier| earlier == state) {
                return Err(self.keeper_fault(FaultKind::KeeperRepeats, &steps));
            } else if count >= self.limits.keeper_moves {
                let kind = FaultKind::TooManyKeeperMoves(self.limits.keeper_moves);
                return Err(self.keeper_fault(kind, &steps));
            }
        }
        Ok(())
    }

    fn keeper_fault(&self, kind: FaultKind, steps: &[Step]) -> Fault {
        let last = steps.last().map(|step| step.modifier);
        let origin = self
            .automaton
            .edges()
            .find(|(_, edge)| edge.modifier == last)
            .and_then(|(_, edge)| edge.origin);
        Fault::new(kind, origin)
    }

    /// Performs the steps of one move, without what the keeper does after it.
    fn execute(&self, state: &mut State, steps: &[Step]) -> Result<(), Fault> {
        let not_a_move = || Fault::new(FaultKind::NotAMove, None);
        let mut ended = false;
        for step in steps {
            let in_range = self.automaton.board.squares.contains(step.square) && !ended;
            let modifier = self.program.modifiers.get(step.modifier).copied().flatten();
            let modifier = modifier.filter(|_| in_range).ok_or_else(not_a_move)?;
            ended = match modifier.code {
                Code::Turn(player) => {
                    self.hand_over(state, modifier.target, Some(player), step.square);
                    true
                }
                Code::Keeper => {
                    self.hand_over(state, modifier.target, None, step.square);
                    true
                }
                code => {
                    self.write(state, code, step.square).ok_or_else(not_a_move)?;
                    false
                }
            };
        }
        if ended { Ok(()) } else { Err(not_a_move()) }
    }

    fn write(&self, state: &mut State, code: Code, square: Square) -> Option<()> {
        let (layout, zobrist) = (&self.layout, &self.zobrist);
        let difference = match code {
            Code::Put(_) | Code::PutHeld(_) => {
                let old = state.piece(square);
                let new = match code {
                    Code::PutHeld(register) => state.piece(state.register(layout, register)),
                    Code::Put(piece) => piece,
                    _ => return None,
                };
                state.set_piece(layout, square, new);
                zobrist.piece(square, old) ^ zobrist.piece(square, new)
            }
            Code::Assign(variable, value) => {
                let value = &self.program.expressions[value as usize];
                let value = evaluate(value, state, layout, &self.program, square);
                let new = self.program.fit(variable, value)?;
                let old = state.variable(layout, variable);
                state.set_variable(layout, variable, new);
                zobrist.variable(variable, old) ^ zobrist.variable(variable, new)
            }
            Code::Save(register) => {
                let old = state.register(layout, register);
                state.set_register(layout, register, square);
                zobrist.register(register, old) ^ zobrist.register(register, square)
            }
            _ => return None,
        };
        state.change_hash(difference);
        Some(())
    }

    fn hand_over(
        &self,
        state: &mut State,
        node: Node,
        mover: Option<regulus_automaton::Player>,
        square: Square,
    ) {
        let (layout, zobrist) = (&self.layout, &self.zobrist);
        // Where the cursor no longer matters it is forgotten, so that equal positions have equal bytes.
        let cursor = if self.live_cursor[node] { square } else { Square(0) };
        let old_cursor = state.register(layout, Register::CURSOR);
        let difference = zobrist.register(Register::CURSOR, old_cursor)
            ^ zobrist.register(Register::CURSOR, cursor)
            ^ zobrist.place(state.node(layout), state.mover(layout))
            ^ zobrist.place(node, mover);
        state.set_register(layout, Register::CURSOR, cursor);
        state.set_node(layout, node);
        state.set_mover(layout, mover);
        state.change_hash(difference);
    }
}

impl Rules for Walk {
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        Scratch::new(self.before_start())
    }

    fn automaton(&self) -> &Automaton {
        &self.automaton
    }

    fn layout(&self) -> &Layout {
        &self.layout
    }

    fn limits(&self) -> Limits {
        self.limits
    }

    fn initial(&self, scratch: &mut Scratch) -> Result<State, Fault> {
        let mut state = self.before_start();
        self.run_keeper(&mut state, scratch)?;
        Ok(state)
    }

    fn visit_moves(
        &self,
        state: &State,
        scratch: &mut Scratch,
        visitor: &mut dyn FnMut(&[Step]) -> ControlFlow<()>,
    ) -> Result<(), Fault> {
        self.search_moves(state, scratch, visitor).map(|_| ())
    }

    fn apply(&self, state: &mut State, steps: &[Step], scratch: &mut Scratch) -> Result<(), Fault> {
        self.execute(state, steps)?;
        self.run_keeper(state, scratch)
    }
}
