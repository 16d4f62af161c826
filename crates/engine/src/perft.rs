//! Perft: counting the game tree to a depth, the oldest check of a move generator.

use std::num::NonZeroUsize;
use std::ops::ControlFlow;
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use regulus_automaton::Origin;

use crate::fault::{Fault, FaultKind};
use crate::history::History;
use crate::moves::MoveList;
use crate::rules::Rules;
use crate::state::{State, UndoStack};

/// The size of a game tree down to a depth. Depth counts the players' moves; the keeper's are invisible.
///
/// # Examples
///
/// ```
/// use regulus_engine::{Counting, Perft, Rules as _, Walk, perft};
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
/// let rules = Walk::new(automaton);
/// let state = rules.initial(&mut rules.scratch())?;
/// let history = rules.history(&state);
/// let counted = perft(&rules, &state, &history, 1, Counting::Each, &mut |_, _| {})?;
/// assert_eq!(counted, Perft { leaves: 3, states: 4 });
/// # Ok::<(), regulus_engine::Fault>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Perft {
    /// States at exactly that depth.
    pub leaves: u64,
    /// States of the whole tree, the first and the leaves included.
    pub states: u64,
}

/// How the last moves are counted.
///
/// # Examples
///
/// ```
/// use regulus_engine::{Counting, Rules as _, Walk, perft};
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
/// let rules = Walk::new(automaton);
/// let state = rules.initial(&mut rules.scratch())?;
/// let history = rules.history(&state);
/// let count = |counting| perft(&rules, &state, &history, 1, counting, &mut |_, _| {});
/// assert_eq!(count(Counting::Bulk)?, count(Counting::Each)?, "it is only faster");
/// # Ok::<(), regulus_engine::Fault>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Counting {
    /// Every move is made.
    #[default]
    Each,
    /// The last moves are only counted, not made.
    Bulk,
}

/// Counts the tree below a state with several threads; the result is that of [`perft`].
///
/// `watch` is called now and then with how many parts of the work are done, and how many there are.
///
/// # Errors
///
/// Returns an error if the rules fault anywhere in the tree.
///
/// # Examples
///
/// ```
/// use std::num::NonZeroUsize;
///
/// use regulus_engine::{Counting, Rules as _, Walk, perft_threads};
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
/// let rules = Walk::new(automaton);
/// let state = rules.initial(&mut rules.scratch())?;
/// let (history, threads) = (rules.history(&state), NonZeroUsize::new(2).expect("it is not zero"));
/// let counted =
///     perft_threads(&rules, &state, &history, 1, Counting::Each, threads, &mut |_, _| {})?;
/// assert_eq!(counted.leaves, 3);
/// # Ok::<(), regulus_engine::Fault>(())
/// ```
pub fn perft_threads<R: Rules>(
    rules: &R,
    state: &State,
    history: &History,
    depth: u32,
    counting: Counting,
    threads: NonZeroUsize,
    watch: &mut (dyn FnMut(usize, usize) + Send),
) -> Result<Perft, Fault> {
    if threads.get() == 1 {
        return perft(rules, state, history, depth, counting, watch);
    }
    let enough = threads.get() * PARTS_PER_THREAD;
    let (mut total, parts, depth) = split(rules, state, history, depth, enough)?;
    let next = AtomicUsize::new(0);
    let watch = Mutex::new((0, watch));
    let count = || {
        let mut sum = Perft::default();
        while let Some((part, history)) = parts.get(next.fetch_add(1, Ordering::Relaxed)) {
            sum.add(perft(rules, part, history, depth, counting, &mut |_, _| {})?);
            if let Ok(mut watch) = watch.lock() {
                watch.0 += 1;
                let done = watch.0;
                (watch.1)(done, parts.len());
            }
        }
        Ok(sum)
    };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.get()).map(|_| scope.spawn(count)).collect();
        for worker in workers {
            let sum: Result<Perft, Fault> = match worker.join() {
                Ok(sum) => sum,
                Err(panic) => std::panic::resume_unwind(panic),
            };
            total.add(sum?);
        }
        Ok(total)
    })
}

/// How many steps are made at most of all moves of a state together, where they are too many for a list.
const MOST_MADE: usize = 1 << 26;

/// Makes every move of a state without keeping them in a list, which would be too long; returns how many there are.
fn make_each<R: Rules>(
    rules: &R,
    state: &State,
    history: &History,
    scratch: &mut R::Scratch,
    origin: Option<Origin>,
) -> Result<u64, Fault> {
    let mut other_scratch = rules.scratch();
    let (mut next, mut history) = (state.clone(), history.clone());
    let before = history.len();
    let (mut count, mut steps_made, mut made) = (0, 0, Ok(()));
    rules.visit_moves(state, scratch, &mut |steps| {
        next.clone_from(state);
        history.truncate(before);
        made = rules.apply(&mut next, &mut history, steps, &mut other_scratch);
        count += 1;
        steps_made += steps.len();
        let goes_on = made.is_ok() && steps_made <= MOST_MADE;
        if goes_on { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    })?;
    made?;
    if steps_made > MOST_MADE {
        return Err(Fault::new(FaultKind::TooManyTries(MOST_MADE as u64), origin));
    }
    Ok(count)
}

/// So that threads that are done early find something left to do.
const PARTS_PER_THREAD: usize = 16;

/// A state with the positions before it, the tree below which is counted by itself.
type Part = (State, History);

/// Goes down the tree until there are enough states to share out, or half the way; returns what was counted above them,
/// them, and how deep their trees are.
fn split<R: Rules>(
    rules: &R,
    state: &State,
    history: &History,
    depth: u32,
    enough: usize,
) -> Result<(Perft, Vec<Part>, u32), Fault> {
    let mut scratch = rules.scratch();
    let mut list = MoveList::new();
    let (mut above, mut parts) = (Perft::default(), vec![(state.clone(), history.clone())]);
    let mut left = depth;
    while parts.len() < enough && left > depth / 2 {
        let mut below = Vec::new();
        for (state, history) in &parts {
            above.states += 1;
            if rules.player(state).is_none() {
                continue;
            }
            rules.moves(state, &mut scratch, &mut list)?;
            for steps in list.iter() {
                let mut next = (state.clone(), history.clone());
                rules.apply(&mut next.0, &mut next.1, steps, &mut scratch)?;
                below.push(next);
            }
        }
        parts = below;
        left -= 1;
    }
    Ok((above, parts, left))
}

impl Perft {
    fn add(&mut self, other: Perft) {
        self.leaves += other.leaves;
        self.states += other.states;
    }
}

/// Counts the tree below a state.
///
/// `watch` is called now and then with how many parts of the work are done, and how many there are: a part is what lies
/// behind two moves, as far as that is known.
///
/// # Errors
///
/// Returns an error if the rules fault anywhere in the tree.
///
/// # Examples
///
/// ```
/// use regulus_engine::{Counting, Rules as _, Walk, perft};
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
/// let rules = Walk::new(automaton);
/// let state = rules.initial(&mut rules.scratch())?;
/// let history = rules.history(&state);
/// for counting in [Counting::Each, Counting::Bulk] {
///     assert_eq!(perft(&rules, &state, &history, 1, counting, &mut |_, _| {})?.leaves, 3);
/// }
/// # Ok::<(), regulus_engine::Fault>(())
/// ```
pub fn perft<R: Rules>(
    rules: &R,
    state: &State,
    history: &History,
    depth: u32,
    counting: Counting,
    watch: &mut dyn FnMut(usize, usize),
) -> Result<Perft, Fault> {
    let (mut state, mut history) = (state.clone(), history.clone());
    let first = history.len();
    let mut scratch = rules.scratch();
    let mut undo = UndoStack::new();
    let mut total = Perft::default();
    // A list of moves, and how many of them are done, for each state on the way; lists are used again.
    let mut way: Vec<(MoveList, usize)> = Vec::new();
    let mut free: Vec<MoveList> = Vec::new();
    let mut arrived = true;
    loop {
        if arrived {
            total.states += 1;
            let mut list = free.pop().unwrap_or_default();
            list.clear();
            let made = way.len() as u64;
            let last = u64::from(depth.saturating_sub(1));
            let counted = match counting {
                Counting::Bulk if made == last && depth > 0 && rules.player(&state).is_some() => {
                    let leaves = rules.move_count(&state, &mut scratch)?;
                    Some(Perft { leaves, states: leaves + 1 })
                }
                // The first moves are made here, so that there is something to watch; and those after which positions may
                // come again.
                Counting::Each
                    if made == last.min(2) || made > 2 && made <= last && !history.is_empty() =>
                {
                    rules.count(&state, &history, depth - made as u32, &mut scratch)
                }
                _ => None,
            };
            if let Some(counted) = counted {
                total.leaves += counted.leaves;
                total.states += counted.states - 1;
            } else if made == u64::from(depth) {
                total.leaves += 1;
            } else if rules.player(&state).is_some() {
                match rules.moves(&state, &mut scratch, &mut list) {
                    // The last moves need not be kept.
                    Err(fault) if fault.is_too_long_list() && made == last => {
                        list.clear();
                        let leaves =
                            make_each(rules, &state, &history, &mut scratch, fault.origin())?;
                        total.add(Perft { leaves, states: leaves });
                    }
                    listed => listed?,
                }
            }
            way.push((list, 0));
        }
        if let [(first, done_first), (second, done_second)] = way.as_slice()
            && *done_second > 0
        {
            let done = (done_first - 1) * second.len() + done_second;
            watch(done, first.len() * second.len());
        }
        let Some((list, done)) = way.last_mut() else { return Ok(total) };
        arrived = *done < list.len();
        if arrived {
            *done += 1;
            undo.save(&state);
            rules.apply(&mut state, &mut history, list.get(*done - 1), &mut scratch)?;
        } else {
            free.extend(way.pop().map(|(list, _)| list));
            undo.undo(&mut state);
            // Where positions are kept, each move on the way has added one.
            history.truncate(first + undo.len());
        }
    }
}
