//! The `jit` engine: the rules of a game by native code, and by `plan` where that gives up.

mod records;

use std::ops::ControlFlow;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, OnceLock};

use regulus_automaton::{Automaton, Player};
use regulus_engine::plan::{self, Plan};
use regulus_engine::{
    Fault, History, Limits, MoveList, Perft, Referee, Rules, State, Step, Visitor,
};

use self::records::{RecordView, squares, to_step};
use crate::compile::{CodePurpose, Machine, compile};
use crate::context::step_word;
use crate::native::{
    CountMemory, Counter, Native, NativeMemory, NativeSession, PlayResult, SearchResult,
};
use crate::not_compiled::NotCompiled;
use crate::tables::Tables;

/// How many words of data a search may need before it is left to `plan`, which need not keep all moves.
const MAX_DATA: usize = 1 << 22;

/// From this many moves on it takes longer to keep a fingerprint than to compute it once.
const WORTH_A_FRESH_HASH: u64 = 32;

/// A game as native code.
///
/// # Examples
///
/// ```
/// use regulus_engine::Rules as _;
/// use regulus_jit::Jit;
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
/// let jit = Jit::new(automaton).expect("this machine runs native code");
/// let mut scratch = jit.scratch();
/// let state = jit.initial(&mut scratch)?;
/// assert_eq!(jit.move_count(&state, &mut scratch)?, 3);
/// assert!(jit.code_size() > 0);
/// # Ok::<(), regulus_engine::Fault>(())
/// ```
#[derive(Debug)]
pub struct Jit {
    plan: Arc<Plan>,
    native: Native,
    /// Compiled when it is first asked for.
    counter: OnceLock<Result<Counter, NotCompiled>>,
    machine: Machine,
    /// How many moves a state may have.
    most_moves: u64,
    /// How much effort trees may take in each state. Moves are not counted by state there, so there must not be time to find
    /// too many; `None` if that takes none at all.
    tries_in_trees: Option<i64>,
    words: usize,
    longest_finish: usize,
}

/// Memory for a compiled game to work in.
///
/// # Examples
///
/// ```
/// use regulus_engine::Rules;
/// use regulus_jit::Jit;
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
/// let jit = Jit::new(automaton).expect("this machine runs native code");
/// let mut scratch: <Jit as Rules>::Scratch = jit.scratch();
/// let mut state = jit.initial(&mut scratch)?;
/// let mut history = jit.history(&state);
/// assert!(jit.play_chosen(&mut state, &mut history, &mut scratch, &mut |moves| moves - 1)?);
/// assert!(jit.is_over(&state, &mut scratch)?);
/// # Ok::<(), regulus_engine::Fault>(())
/// ```
#[derive(Debug)]
pub struct Scratch {
    state: State,
    memory: NativeMemory,
    steps: Vec<u64>,
    /// Made when a tree is first counted.
    counting: Option<CountMemory>,
    plan: plan::Scratch,
}

impl Jit {
    /// Compiles a game.
    ///
    /// # Errors
    ///
    /// Returns an error if this machine, the board or the rules cannot be compiled for.
    pub fn new(automaton: impl Into<Arc<Automaton>>) -> Result<Jit, NotCompiled> {
        Jit::with_limits(automaton, Limits::default())
    }

    /// Compiles a game under other limits than the default ones.
    ///
    /// # Errors
    ///
    /// As for [`Jit::new`].
    pub fn with_limits(
        automaton: impl Into<Arc<Automaton>>,
        limits: Limits,
    ) -> Result<Jit, NotCompiled> {
        Jit::from_plan(Arc::new(Plan::with_limits(automaton, limits)?))
    }

    /// Compiles a plan.
    ///
    /// # Errors
    ///
    /// As for [`Jit::new`].
    ///
    /// # Examples
    ///
    /// ```
    /// use std::sync::Arc;
    ///
    /// use regulus_engine::{Plan, Rules as _};
    /// use regulus_jit::Jit;
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
    /// let plan = Arc::new(Plan::new(automaton).expect("a small board"));
    /// let jit = Jit::from_plan(Arc::clone(&plan)).expect("this machine runs native code");
    /// let state = jit.initial(&mut jit.scratch())?;
    /// assert_eq!(state, plan.initial(&mut plan.scratch())?);
    /// # Ok::<(), regulus_engine::Fault>(())
    /// ```
    pub fn from_plan(plan: Arc<Plan>) -> Result<Jit, NotCompiled> {
        Jit::from_plan_unless(plan, &AtomicBool::new(false))
    }

    /// Compiles a plan, unless it is told to stop before it is done.
    pub(crate) fn from_plan_unless(plan: Arc<Plan>, stop: &AtomicBool) -> Result<Jit, NotCompiled> {
        Jit::on(Machine::Host, plan, stop)
    }

    fn on(machine: Machine, plan: Arc<Plan>, stop: &AtomicBool) -> Result<Jit, NotCompiled> {
        let words = plan.automaton().board.squares.len().div_ceil(64).max(1);
        let tables = Arc::new(Tables::new(plan.referee(), plan.segments(), words));
        let code = compile(&plan, &tables, words, CodePurpose::Play, machine, stop)?;
        let native = Native::new(code, tables, plan.deepest(), plan.layout().shape());
        let longest_finish = plan.segments().finishes.iter().map(Vec::len).max().unwrap_or(0);
        let most_moves = plan.limits().moves;
        let tries = plan.segments().costs.effort_within(most_moves);
        let tries = tries.map(|tries| tries.min(plan.limits().tries));
        Ok(Jit {
            plan,
            native,
            counter: OnceLock::new(),
            machine,
            most_moves,
            tries_in_trees: tries.map(|tries| i64::try_from(tries).unwrap_or(i64::MAX)),
            words,
            longest_finish,
        })
    }

    /// How many bytes of machine code there are.
    #[must_use]
    pub fn code_size(&self) -> usize {
        self.native.size
    }

    fn tries(&self) -> i64 {
        i64::try_from(self.plan.limits().tries).unwrap_or(i64::MAX)
    }

    #[inline]
    fn session<'a>(
        &'a self,
        state: &'a mut State,
        memory: &'a mut NativeMemory,
    ) -> NativeSession<'a> {
        self.native.session(state, memory, self.plan.layout(), self.tries())
    }

    /// Plays chosen moves until the game is over or `moves` have been made; returns how many were made. If asked to, shows each
    /// move before it is made.
    #[expect(
        clippy::too_many_arguments,
        reason = "what a playout is given, and the memory it works in"
    )]
    fn play_on<const NOTES: bool>(
        &self,
        session: &mut NativeSession<'_>,
        history: &mut History,
        steps: &mut [u64],
        plan: &mut plan::Scratch,
        pick: &mut dyn FnMut(u64) -> u64,
        moves: u64,
        note: &mut dyn FnMut(Player, &[Step]),
    ) -> Result<u64, Fault> {
        let referee = self.plan.referee();
        let keeps_history = referee.keeps_history();
        let mut noted: Vec<Step> = Vec::new();
        for made in 0..moves {
            let Some(player) = session.player() else { return Ok(made) };
            let Some((count, records)) = self.search(session, u64::MAX) else {
                session.forget();
                referee.refresh(session.state);
                let state = &mut *session.state;
                if self.plan.playout_noting(state, history, plan, pick, 1, note)? == 0 {
                    return Ok(made);
                }
                continue;
            };
            if count == 0 {
                return Ok(made);
            }
            let (record, square) = self.find_nth(session.memory, records, pick(count));
            if NOTES {
                let found = RecordView::new(self, session.memory, &session.memory.records[record]);
                noted.clear();
                found.steps(self, square, |word| noted.push(to_step(word)));
                note(player, &noted);
            }
            let played = if session.is_quick() {
                // SAFETY: the search found this record, and the square is one of it.
                unsafe { session.finish(record, square) }
            } else {
                let length = self.steps_of(session.memory, record, square, steps);
                // SAFETY: the search found this move.
                unsafe { session.execute(&steps[..length]) }
            };
            self.look_after_keeper(session, played, plan)?;
            if keeps_history {
                referee.remember(session.state, history);
            }
        }
        Ok(moves)
    }

    fn playout_of<const NOTES: bool>(
        &self,
        state: &mut State,
        history: &mut History,
        scratch: &mut Scratch,
        pick: &mut dyn FnMut(u64) -> u64,
        moves: u64,
        note: &mut dyn FnMut(Player, &[Step]),
    ) -> Result<u64, Fault> {
        let Scratch { memory, steps, plan, .. } = scratch;
        let mut session = self.session(state, memory);
        // PERF: in a long game nothing needs fingerprints on the way.
        let referee = self.plan.referee();
        let is_quick = moves >= WORTH_A_FRESH_HASH;
        if is_quick {
            session.be_quick();
        }
        let made = self.play_on::<NOTES>(&mut session, history, steps, plan, pick, moves, note);
        if is_quick {
            referee.refresh(session.state);
        }
        made
    }

    /// After a move: when the keeper has not come to an end, it is watched.
    #[inline]
    fn look_after_keeper(
        &self,
        session: &mut NativeSession<'_>,
        played: PlayResult,
        plan_scratch: &mut plan::Scratch,
    ) -> Result<(), Fault> {
        match played {
            PlayResult::Done => Ok(()),
            PlayResult::NotAMove => Err(Fault::not_a_move()),
            PlayResult::KeeperGoesOn { made } => {
                self.plan.referee().refresh(session.state);
                session.forget();
                self.plan.run_keeper_after(session.state, made, plan_scratch)
            }
        }
    }

    /// Whether the same pieces stand on the board, and variables have the same values.
    fn is_same_position(&self, one: &State, other: &State) -> bool {
        let (automaton, layout) = (self.automaton(), self.layout());
        let mut squares = automaton.board.squares.keys();
        let mut pieces = automaton.pieces.keys();
        let mut variables = automaton.variables.keys();
        squares.all(|square| one.piece(square) == other.piece(square))
            && pieces.all(|piece| one.squares_of(layout, piece) == other.squares_of(layout, piece))
            && variables.all(|name| one.variable(layout, name) == other.variable(layout, name))
    }

    /// Finds the moves of a state; `None` if that is left to `plan`.
    fn find(&self, state: &State, scratch: &mut Scratch, wanted: u64) -> Option<(u64, usize)> {
        scratch.state.copy_from(state);
        self.search(&mut self.session(&mut scratch.state, &mut scratch.memory), wanted)
    }

    /// Finds the moves of a session's state; `None` if that is left to `plan`.
    #[inline]
    fn search(&self, session: &mut NativeSession<'_>, wanted: u64) -> Option<(u64, usize)> {
        loop {
            match session.search(wanted) {
                SearchResult::Moves { count, .. } if count > self.most_moves => return None,
                SearchResult::Moves { count, records } => return Some((count, records)),
                SearchResult::GivesUp => return None,
                SearchResult::Full if session.memory.data.len() >= MAX_DATA => return None,
                SearchResult::Full => session.grow(),
            }
        }
    }
}

impl Rules for Jit {
    type Scratch = Scratch;

    fn scratch(&self) -> Scratch {
        Scratch {
            state: self.plan.referee().before_start(),
            memory: self.native.memory(),
            // Writes, one step that is only looked at, and what ends a move.
            steps: vec![0; self.native.longest_path() + self.longest_finish],
            counting: None,
            plan: self.plan.scratch(),
        }
    }

    fn referee(&self) -> &Referee {
        self.plan.referee()
    }

    fn run_keeper(&self, state: &mut State, scratch: &mut Scratch) -> Result<(), Fault> {
        self.plan.run_keeper(state, &mut scratch.plan)
    }

    fn visit_moves(
        &self,
        state: &State,
        scratch: &mut Scratch,
        visitor: &mut Visitor<'_>,
    ) -> Result<(), Fault> {
        let Some((_, records)) = self.find(state, scratch, u64::MAX) else {
            return self.plan.visit_moves(state, &mut scratch.plan, visitor);
        };
        let mut steps = Vec::new();
        for record in &scratch.memory.records[..records] {
            let found = RecordView::new(self, &scratch.memory, record);
            for square in squares(found.squares) {
                steps.clear();
                found.steps(self, square, |word| steps.push(to_step(word)));
                if let ControlFlow::Break(()) = visitor(&steps) {
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    fn moves(
        &self,
        state: &State,
        scratch: &mut Scratch,
        list: &mut MoveList,
    ) -> Result<(), Fault> {
        list.clear();
        let found = self.find(state, scratch, u64::MAX);
        match found.filter(|&(_, records)| self.list(&scratch.memory, records, list)) {
            Some(_) => Ok(()),
            None => self.plan.moves(state, &mut scratch.plan, list),
        }
    }

    fn moves_up_to(
        &self,
        state: &State,
        scratch: &mut Scratch,
        most: usize,
        list: &mut MoveList,
    ) -> Result<bool, Fault> {
        list.clear();
        let Some((count, records)) = self.find(state, scratch, most as u64 + 1) else {
            return self.plan.moves_up_to(state, &mut scratch.plan, most, list);
        };
        if count > most as u64 {
            return Ok(false);
        }
        if !self.list(&scratch.memory, records, list) {
            return self.plan.moves_up_to(state, &mut scratch.plan, most, list);
        }
        Ok(true)
    }

    fn choose(
        &self,
        state: &State,
        scratch: &mut Scratch,
        pick: &mut dyn FnMut(u64) -> u64,
        steps: &mut Vec<Step>,
    ) -> Result<bool, Fault> {
        let Some((count, records)) = self.find(state, scratch, u64::MAX) else {
            return self.plan.choose(state, &mut scratch.plan, pick, steps);
        };
        steps.clear();
        if count > 0 {
            let Scratch { memory, steps: words, .. } = scratch;
            let (record, square) = self.find_nth(memory, records, pick(count));
            let length = self.steps_of(memory, record, square, words);
            steps.extend(scratch.steps[..length].iter().map(|&word| to_step(word)));
        }
        Ok(count > 0)
    }

    fn playout(
        &self,
        state: &mut State,
        history: &mut History,
        scratch: &mut Scratch,
        pick: &mut dyn FnMut(u64) -> u64,
        moves: u64,
    ) -> Result<u64, Fault> {
        self.playout_of::<false>(state, history, scratch, pick, moves, &mut |_, _| {})
    }

    fn playout_noting(
        &self,
        state: &mut State,
        history: &mut History,
        scratch: &mut Scratch,
        pick: &mut dyn FnMut(u64) -> u64,
        moves: u64,
        note: &mut dyn FnMut(Player, &[Step]),
    ) -> Result<u64, Fault> {
        self.playout_of::<true>(state, history, scratch, pick, moves, note)
    }

    fn move_count(&self, state: &State, scratch: &mut Scratch) -> Result<u64, Fault> {
        match self.find(state, scratch, u64::MAX) {
            Some((count, _)) => Ok(count),
            None => self.plan.move_count(state, &mut scratch.plan),
        }
    }

    fn count(
        &self,
        state: &State,
        history: &History,
        depth: u32,
        scratch: &mut Scratch,
    ) -> Option<Perft> {
        // Positions at the leaves may occur as often as they like.
        if !self.plan.referee().cannot_repeat(history, depth.saturating_sub(1)) {
            return None;
        }
        let tries = self.tries_in_trees?;
        let counter = self.counter.get_or_init(|| {
            let tables = Arc::clone(&self.native.tables);
            let never = AtomicBool::new(false);
            let code =
                compile(&self.plan, &tables, self.words, CodePurpose::Count, self.machine, &never)?;
            Ok(Counter::new(code, tables, self.plan.deepest(), self.plan.layout().shape()))
        });
        let counter = counter.as_ref().ok()?;
        scratch.state.copy_from(state);
        let memory = scratch.counting.get_or_insert_with(|| counter.memory(self.plan.layout()));
        let counted = counter.count(&mut scratch.state, memory, depth, tries);
        debug_assert!(
            counted.is_none() || self.is_same_position(state, &scratch.state),
            "whatever is made is taken back"
        );
        counted.map(|(leaves, above)| Perft { leaves, states: above + leaves })
    }

    fn is_over(&self, state: &State, scratch: &mut Scratch) -> Result<bool, Fault> {
        if self.player(state).is_none() {
            return Ok(true);
        }
        match self.find(state, scratch, 1) {
            Some((count, _)) => Ok(count == 0),
            None => self.plan.is_over(state, &mut scratch.plan),
        }
    }

    fn apply(
        &self,
        state: &mut State,
        history: &mut History,
        steps: &[Step],
        scratch: &mut Scratch,
    ) -> Result<(), Fault> {
        let referee = self.plan.referee();
        referee.must_be_steps(steps)?;
        let words = |step: &Step| step_word(step.modifier.0, step.square.0);
        let mut session = self.session(state, &mut scratch.memory);
        if steps.len() > scratch.steps.len() {
            scratch.steps.resize(steps.len(), 0);
        }
        for (place, step) in scratch.steps.iter_mut().zip(steps) {
            *place = words(step);
        }
        // SAFETY: they passed `must_be_steps`.
        let played = unsafe { session.execute(&scratch.steps[..steps.len()]) };
        self.look_after_keeper(&mut session, played, &mut scratch.plan)?;
        referee.remember(state, history);
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use regulus_automaton::passes;
    use regulus_engine::{Counting, generator, perft};
    use regulus_lang::{Source, compile};

    use super::*;

    const CHESS: &str = include_str!("../../../games/rbg/chess.rbg");

    fn plan() -> Arc<Plan> {
        let compiled = compile(&Source::new("chess.rbg", CHESS));
        let automaton = compiled.automaton.expect("no errors");
        let automaton = passes::optimise(automaton, &passes::Config::default());
        Arc::new(Plan::new(automaton).expect("a plan"))
    }

    #[test]
    fn code_needs_no_new_instructions() {
        let plan = plan();
        let jit = Jit::on(Machine::Oldest, Arc::clone(&plan), &AtomicBool::new(false));
        let jit = jit.expect("native code");
        let (mut scratch, mut other) = (plan.scratch(), jit.scratch());
        let state = plan.initial(&mut scratch).expect("a state");
        let history = plan.history(&state);
        let count = |depth| {
            perft(&jit, &state, &history, depth, Counting::Each, &mut |_, _| {}).expect("a count")
        };
        assert_eq!([1, 2, 3].map(|depth| count(depth).leaves), [20, 400, 8902]);
        for seed in 0..20 {
            let pick = || {
                let mut generator = generator(seed);
                move |count: u64| rand::RngExt::random_range(&mut generator, 0..count)
            };
            let mut after = (state.clone(), history.clone());
            let mut other_after = after.clone();
            let made = plan.playout(&mut after.0, &mut after.1, &mut scratch, &mut pick(), 200);
            let (state, history) = &mut other_after;
            let other_made = jit.playout(state, history, &mut other, &mut pick(), 200);
            assert_eq!(made, other_made);
            assert_eq!(after, other_after);
        }
    }

    #[test]
    fn memory_that_cannot_be_executed_is_a_reason() {
        let refused = Jit::on(Machine::WithoutCode, plan(), &AtomicBool::new(false));
        let reason = refused.expect_err("no native code").to_string();
        assert!(reason.starts_with("this machine does not run native code: "), "{reason}");
        assert!(reason.contains("ermission denied"), "{reason}");
    }
}
