//! Solves by depth-first proof-number search.
//!
//! It answers questions: can the player to move get at least this result? A position has a proof number, how many positions must
//! still be proven to say yes, at least, and a disproof number for no. The search goes where the smaller of them is smallest, and
//! remembers both in a table.

use std::collections::{BTreeSet, HashSet};

use regulus_automaton::Player;
use regulus_engine::Move;
use regulus_game::{Error, Match};

use super::{Replay, Solution, SolveProgress, SolveTask, Unsolved};
use crate::budget::Clock;
use crate::position_stack::PositionStack;

/// A number that means never.
const NEVER: u32 = u32::MAX / 4;

/// The difference of results between a win and a draw.
const WHOLE: i32 = 1000;

/// How many neighbouring entries a position may be in.
const BUCKET: usize = 4;

/// How many moves a line may have.
const DEEPEST: usize = 400;

/// How many positions are looked at between two looks at the clock.
const BETWEEN_LOOKS: u64 = 512;

/// The numbers of a position.
#[derive(Clone, Copy, Debug, Default)]
struct Numbers {
    proof: u32,
    disproof: u32,
}

/// What is known about a position: its key, and the numbers for the question that is asked.
#[derive(Clone, Copy, Debug, Default)]
struct Entry {
    key: u64,
    numbers: Numbers,
    /// About how much work lies below it.
    work: u32,
}

/// A move and what is known of where it leads.
#[derive(Clone, Copy, Debug)]
struct Child {
    index: u32,
    numbers: Numbers,
}

/// Why a search ends.
enum Halt {
    Over,
    TooLong,
    Fault(Error),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Halt {
        Halt::Fault(error)
    }
}

struct ProofSearch<'a, 'w> {
    stack: PositionStack<'a>,
    clock: &'a Clock,
    task: &'a mut SolveTask<'w>,
    /// The moves of each position on the way.
    children: Vec<Vec<Child>>,
    table: Vec<Entry>,
    /// The player who asks, and the least result, as a difference of results in thousandths.
    me: Player,
    goal: i32,
    /// The differences of results at the ends of games.
    seen: BTreeSet<i32>,
    positions: u64,
    deepest: usize,
}

pub(super) fn solve(
    play: &Match,
    clock: &Clock,
    task: &mut SolveTask<'_>,
) -> Result<Solution, Unsolved> {
    let me = play.player().unwrap_or(Player(0));
    let mut search = ProofSearch::new(play, clock, task, me, 0);
    // Every question tells more about which results there are at all; the last one leaves a single one.
    let (mut low, mut high) = (-WHOLE, WHOLE + 1);
    let mut line = Vec::new();
    search.goal = WHOLE;
    let value = loop {
        search.table.fill(Entry::default());
        let is_reached = match search.ask() {
            Ok(is_reached) => is_reached,
            Err(halt) => return Err(search.unsolved(halt)),
        };
        if let Ok(found) = search.line() {
            line = found;
        }
        if is_reached {
            low = search.goal;
        } else {
            high = search.goal;
        }
        let between: Vec<i32> = search.seen.range(low..high).copied().collect();
        match between.as_slice() {
            [] => break low,
            [only] => break *only,
            several => search.goal = several[several.len() / 2],
        }
    };
    // A proof that no player wins consists of two, and neither has the moves of the other.
    if value.abs() < WHOLE {
        line.clear();
    }
    let own = 0.5 + f64::from(value) / f64::from(WHOLE) / 2.0;
    let results = if me.0 == 0 { [own, 1.0 - own] } else { [1.0 - own, own] };
    Ok(Solution { results, line, positions: search.positions, time: clock.elapsed() })
}

/// Follows a player's moves that lead to at least `goal`, a difference of results from -1 to 1, against every reply.
pub(super) fn replay(
    play: &Match,
    clock: &Clock,
    task: &mut SolveTask<'_>,
    player: Player,
    goal: f64,
) -> Result<Replay, Unsolved> {
    let goal = (goal * f64::from(WHOLE)).round() as i32;
    let mut search = ProofSearch::new(play, clock, task, player, goal);
    let mut replay = Replay { player, positions: 0, ends: 0, holds: true };
    match search.follow(0, &mut HashSet::new(), &mut replay) {
        Ok(()) => Ok(replay),
        Err(halt) => Err(search.unsolved(halt)),
    }
}

impl Numbers {
    const PROVEN: Numbers = Numbers { proof: 0, disproof: NEVER };
    const DISPROVEN: Numbers = Numbers { proof: NEVER, disproof: 0 };
    const NEW: Numbers = Numbers { proof: 1, disproof: 1 };

    fn is_known(self) -> bool {
        self.proof == 0 || self.disproof == 0
    }
}

impl<'a, 'w> ProofSearch<'a, 'w> {
    fn new(
        play: &'a Match,
        clock: &'a Clock,
        task: &'a mut SolveTask<'w>,
        me: Player,
        goal: i32,
    ) -> ProofSearch<'a, 'w> {
        let count = (task.bytes / size_of::<Entry>()).max(1024);
        ProofSearch {
            stack: PositionStack::new(play),
            clock,
            children: vec![Vec::new(); DEEPEST + 1],
            table: vec![Entry::default(); 1 << count.ilog2()],
            me,
            goal,
            seen: BTreeSet::new(),
            positions: 0,
            deepest: 0,
            task,
        }
    }

    /// Why there is no solution.
    fn unsolved(&self, halt: Halt) -> Unsolved {
        match halt {
            Halt::Over => Unsolved::Stopped(self.positions),
            Halt::TooLong => Unsolved::TooLong(DEEPEST),
            Halt::Fault(error) => Unsolved::Game(error),
        }
    }

    /// Follows a move of the player who asks, or all moves of the other one, from the position at `ply` to the ends of the game.
    fn follow(
        &mut self,
        ply: usize,
        met: &mut HashSet<u64>,
        replay: &mut Replay,
    ) -> Result<(), Halt> {
        if let Some(margin) = self.result(ply)? {
            replay.ends += 1;
            replay.holds &= margin >= self.goal;
            return Ok(());
        }
        if !replay.holds || !met.insert(self.stack.state(ply).fingerprint()) {
            return Ok(());
        }
        replay.positions += 1;
        let is_mine = self.stack.player(ply) == Some(self.me);
        if is_mine {
            // A move that keeps the result is looked for again where the table has lost it.
            let unlimited = Numbers { proof: NEVER, disproof: NEVER };
            self.look(ply, unlimited)?;
            let kept = self.children[ply].iter().find(|child| child.numbers.proof == 0);
            let Some(&Child { index, .. }) = kept else {
                replay.holds = false;
                return Ok(());
            };
            self.stack.enter_listed(ply, index)?;
            return self.follow(ply + 1, met, replay);
        }
        self.count(ply)?;
        for index in 0..self.stack.list_moves(ply)? {
            self.stack.enter_listed(ply, index)?;
            self.follow(ply + 1, met, replay)?;
        }
        Ok(())
    }

    /// Whether the player who asks can get at least the goal.
    fn ask(&mut self) -> Result<bool, Halt> {
        let unlimited = Numbers { proof: NEVER, disproof: NEVER };
        let numbers = self.look(0, unlimited)?;
        Ok(numbers.proof == 0)
    }

    /// Works on the position at `ply` until one of its numbers reaches its limit.
    fn look(&mut self, ply: usize, limits: Numbers) -> Result<Numbers, Halt> {
        self.count(ply)?;
        self.expand(ply)?;
        let is_mine = self.stack.player(ply) == Some(self.me);
        let key = self.stack.state(ply).fingerprint();
        let begun = self.positions;
        loop {
            // Seen from the player to move: the best move has the smallest number, and all of the others' numbers add up.
            let mut best = (NEVER, 0);
            let mut second = NEVER;
            let mut sum = 0u32;
            for (place, child) in self.children[ply].iter().enumerate() {
                let (own, other) = child.numbers.seen_by(is_mine);
                sum = sum.saturating_add(other).min(NEVER);
                if own < best.0 {
                    second = best.0;
                    best = (own, place);
                } else if own < second {
                    second = own;
                }
            }
            // A move that is certain needs no others.
            if best.0 == 0 {
                sum = NEVER;
            }
            let now = if is_mine {
                Numbers { proof: best.0, disproof: sum }
            } else {
                Numbers { proof: sum, disproof: best.0 }
            };
            let is_enough = now.proof >= limits.proof || now.disproof >= limits.disproof;
            if is_enough || now.is_known() {
                let work = (self.positions - begun).min(u64::from(u32::MAX)) as u32;
                self.remember(key, now, work);
                return Ok(now);
            }
            let (own_limit, other_limit) = limits.seen_by(is_mine);
            let child = self.children[ply][best.1];
            let (_, other) = child.numbers.seen_by(is_mine);
            // A little more than the second best, so that the search does not jump to and fro.
            let own = own_limit.min(second.saturating_add(second / 4 + 1));
            let rest = sum - other;
            let others = if other_limit >= NEVER { NEVER } else { other_limit - rest };
            let limits = if is_mine {
                Numbers { proof: own, disproof: others }
            } else {
                Numbers { proof: others, disproof: own }
            };
            self.stack.enter_listed(ply, child.index)?;
            let found = self.look(ply + 1, limits)?;
            self.children[ply][best.1].numbers = found;
        }
    }

    /// Lists the moves of the position at `ply` with what is known of where they lead.
    fn expand(&mut self, ply: usize) -> Result<(), Halt> {
        self.children[ply].clear();
        let count = self.stack.list_moves(ply)?;
        let is_mine = self.stack.player(ply) == Some(self.me);
        for index in 0..count {
            self.stack.enter_listed(ply, index)?;
            let key = self.stack.state(ply + 1).fingerprint();
            let numbers = match self.result(ply + 1)? {
                Some(margin) => {
                    self.seen.insert(margin);
                    if margin >= self.goal { Numbers::PROVEN } else { Numbers::DISPROVEN }
                }
                None => self.recall(key),
            };
            self.children[ply].push(Child { index, numbers });
            if numbers.seen_by(is_mine).0 == 0 {
                // The others do not matter.
                break;
            }
        }
        Ok(())
    }

    /// The result for the player who asks if the game is over at `ply`, as a margin; `None` if it goes on.
    fn result(&mut self, ply: usize) -> Result<Option<i32>, Halt> {
        if !self.stack.is_over(ply)? {
            return Ok(None);
        }
        let PositionStack { game, .. } = self.stack;
        let state = self.stack.state(ply);
        let own = game.result(state, self.me);
        let other = game.result(state, Player(1 - self.me.0));
        Ok(Some(((own - other) * f64::from(WHOLE)).round() as i32))
    }

    fn place(&self, key: u64) -> usize {
        (key as usize & (self.table.len() - 1)) & !(BUCKET - 1)
    }

    fn recall(&self, key: u64) -> Numbers {
        let first = self.place(key);
        let found = self.table[first..first + BUCKET].iter().find(|entry| entry.key == key);
        found.filter(|entry| entry.work > 0).map_or(Numbers::NEW, |entry| entry.numbers)
    }

    fn remember(&mut self, key: u64, numbers: Numbers, work: u32) {
        let first = self.place(key);
        let bucket = &mut self.table[first..first + BUCKET];
        let same = bucket.iter().position(|entry| entry.key == key);
        let least = (0..BUCKET).min_by_key(|&place| bucket[place].work).unwrap_or(0);
        let entry = &mut bucket[same.unwrap_or(least)];
        let work = if same.is_some() { entry.work.saturating_add(work) } else { work };
        *entry = Entry { key, numbers, work: work.max(1) };
    }

    /// Counts a position, and looks at the clock now and then.
    fn count(&mut self, ply: usize) -> Result<(), Halt> {
        if ply >= DEEPEST {
            return Err(Halt::TooLong);
        }
        self.positions += 1;
        self.deepest = self.deepest.max(ply);
        if self.task.budget.iterations.is_some_and(|most| self.positions >= most) {
            return Err(Halt::Over);
        }
        if self.positions.is_multiple_of(BETWEEN_LOOKS) {
            if self.clock.is_late() {
                return Err(Halt::Over);
            }
            let progress = SolveProgress { positions: self.positions, depth: self.deepest };
            if let Some(watch) = &mut self.task.watch {
                watch(progress);
            }
        }
        Ok(())
    }

    /// The moves that the proof rests on, as far as they are still known.
    fn line(&mut self) -> Result<Vec<Move>, Halt> {
        let mut line: Vec<Move> = Vec::new();
        while line.len() < DEEPEST {
            let ply = line.len();
            if self.result(ply)?.is_some() {
                break;
            }
            self.expand(ply)?;
            let is_proven = self.recall_root(ply);
            // The player who gets what was asked for follows the proof; the other one has any move.
            let wanted = |child: &&Child| {
                if is_proven { child.numbers.proof == 0 } else { child.numbers.disproof == 0 }
            };
            let Some(child) = self.children[ply].iter().find(wanted) else { break };
            let (index, steps) = (child.index, self.stack.list(ply).get(child.index as usize));
            line.push(Move::from(steps));
            self.stack.enter_listed(ply, index)?;
        }
        Ok(line)
    }

    /// Whether the position at `ply` is proven, by its children.
    fn recall_root(&self, ply: usize) -> bool {
        let is_mine = self.stack.player(ply) == Some(self.me);
        let mut children = self.children[ply].iter();
        if is_mine {
            children.any(|child| child.numbers.proof == 0)
        } else {
            children.all(|child| child.numbers.proof == 0)
        }
    }
}

impl Numbers {
    /// The number that the player to move wants to be small, and the other one.
    fn seen_by(self, is_mine: bool) -> (u32, u32) {
        if is_mine { (self.proof, self.disproof) } else { (self.disproof, self.proof) }
    }
}
