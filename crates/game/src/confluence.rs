//! Whether it matters what the keeper does first.
//!
//! The rules say what the keeper may do, not in which order; engines do what they find first. So whatever way it takes after
//! a move, it must come to the same position, or else a game means what one engine happens to do. Here, in positions of
//! random games, all ways of the keeper are followed, with the interpreter that defines what a game means.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::ops::ControlFlow;
use std::sync::Arc;

use rand::RngExt as _;
use regulus_automaton::analyses::components;
use regulus_automaton::passes::PASSES;
use regulus_automaton::{Id as _, Lists, Modifier, Node, Origin, Piece, Player};
use regulus_engine::{
    Fault, Generator, Move, Referee, Rules as _, State, Step, Walk, generator, walk,
};
use regulus_jit::EngineKind;
use regulus_lang::{Code, Diagnostic, Span};

use crate::config::Config;
use crate::error::Error;
use crate::game::Game;
use crate::lowered::Lowered;
use crate::play::Match;

/// The passes that keep every way of the keeper; others might leave out some, since engines take only one.
const PASSES_THAT_KEEP_ALL: [&str; 6] = [
    "contract-skips",
    "decide-tests",
    "prune-dead-nodes",
    "merge-equal-nodes",
    "share-prefixes",
    "fold-walks",
];

/// How many different places are reported.
const MAX_PARTINGS: usize = 20;
/// How many outcomes of one move are told.
const MAX_OUTCOMES: usize = 4;
/// How many squares and variables of an outcome are told.
const MAX_DIFFERENCES: usize = 8;

/// How much [`Lowered::check_keeper`] looks at.
///
/// # Examples
///
/// ```
/// use std::ops::ControlFlow;
///
/// use regulus_game::{KeeperCheck, Lowered, bundled};
///
/// let game = Lowered::new(bundled::find("tic_tac_toe").expect("it is bundled"))?;
/// let check = KeeperCheck { positions: 10, ..KeeperCheck::default() };
/// let report = game.check_keeper(&check, &mut |_, _| ControlFlow::Continue(()))?;
/// assert_eq!(report.positions, 10);
/// assert!(report.partings.is_empty());
/// # Ok::<(), regulus_game::Error>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeeperCheck {
    /// Positions of random games.
    pub positions: u64,
    /// The seed of the games.
    pub seed: u64,
    /// Moves followed in one position; if there are more, this number of them is chosen at random.
    pub moves: usize,
    /// States of the keeper looked at after one move.
    pub states: usize,
}

impl Default for KeeperCheck {
    fn default() -> KeeperCheck {
        KeeperCheck { positions: 100, seed: 1, moves: 1000, states: 10_000 }
    }
}

/// What came of following the keeper.
///
/// # Examples
///
/// ```
/// use std::ops::ControlFlow;
///
/// use regulus_game::{KeeperCheck, Lowered, bundled};
///
/// let game = Lowered::new(bundled::find("tic_tac_toe").expect("it is bundled"))?;
/// let check = KeeperCheck { positions: 5, ..KeeperCheck::default() };
/// let report = game.check_keeper(&check, &mut |_, _| ControlFlow::Continue(()))?;
/// assert!(report.moves > 0 && report.states >= report.moves, "the keeper acts after each move");
/// assert_eq!((report.cut_short, report.partings.len()), (0, 0));
/// # Ok::<(), regulus_game::Error>(())
/// ```
#[derive(Clone, Debug, Default)]
pub struct KeeperReport {
    /// Positions looked at; fewer than wanted if it was stopped, or if the game is over before it has begun.
    pub positions: u64,
    /// Moves after which the keeper was followed.
    pub moves: u64,
    /// States in which the keeper was in control.
    pub states: u64,
    /// Moves after which the keeper had more states than were to be looked at.
    pub cut_short: u64,
    /// Where ways of the keeper part that come to different ends, each place once.
    pub partings: Vec<Parting>,
}

/// A place where the keeper has several ways that come to different ends.
///
/// # Examples
///
/// ```
/// use std::ops::ControlFlow;
///
/// use regulus_game::{KeeperCheck, Lowered};
/// use regulus_lang::{Code, Source};
///
/// let text = "
/// #     #players = one(1)
/// #     #pieces = e, w, b
/// #     #variables =
/// #     #board = rectangle(up, down, left, right, [e, e])
///     #rules = ->one right* {e} ->> ([w] + [b]) ->one {w} ->> {}
/// ";
/// let game = Lowered::new(Source::new("solo.rbg", text))?;
/// let report = game.check_keeper(&KeeperCheck::default(), &mut |_, _| ControlFlow::Continue(()))?;
/// let parting = &report.partings[0];
/// assert_eq!(parting.diagnostic.code, Code::KeeperChoice);
/// assert_eq!(parting.after.as_deref(), Some("a1"));
/// assert_eq!(parting.outcomes.len(), 2);
/// # Ok::<(), regulus_game::Error>(())
/// ```
#[derive(Clone, Debug)]
pub struct Parting {
    /// The finding, with the places in the text where two of the ways begin to differ.
    pub diagnostic: Diagnostic,
    /// The position in which it happens, as [`Match::position`] writes it; `None` before the first move.
    pub position: Option<String>,
    /// The move after which it happens; `None` before the first move.
    pub after: Option<String>,
    /// How the ways end, in words: only what is not the same in all of them. There are at least two; no more than a few
    /// are given.
    pub outcomes: Vec<String>,
}

impl Lowered {
    /// Follows, in positions of random games, all ways that the keeper may take after each move. `watch` is told how many
    /// positions of how many are done, after each move, and may stop.
    ///
    /// # Errors
    ///
    /// When the rules fault.
    ///
    /// # Examples
    ///
    /// ```
    /// use std::ops::ControlFlow;
    /// use regulus_game::{KeeperCheck, Lowered};
    /// use regulus_lang::Source;
    ///
    /// // The keeper may make the square a w or a b: nothing tells it which.
    /// let text = "
    ///     #players = one(1)
    ///     #pieces = e, w, b
    ///     #variables =
    ///     #board = rectangle(up, down, left, right, [e, e])
    ///     #rules = ->one right* {e} ->> ([w] + [b]) ->one {w} ->> {}
    /// ";
    /// let game = Lowered::new(Source::new("solo.rbg", text))?;
    /// let report = game.check_keeper(&KeeperCheck::default(), &mut |_, _| ControlFlow::Continue(()))?;
    /// assert_eq!(report.partings[0].outcomes, ["one to move, a1 holds w", "one to move, a1 holds b"]);
    /// # Ok::<(), regulus_game::Error>(())
    /// ```
    pub fn check_keeper(
        &self,
        check: &KeeperCheck,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<KeeperReport, Error> {
        let others = PASSES.iter().filter(|pass| !PASSES_THAT_KEEP_ALL.contains(&pass.name));
        let config = Config {
            engine: EngineKind::Walk,
            without_passes: others.map(|pass| pass.name.to_owned()).collect(),
            ..Config::default()
        };
        let lowered = self.clone().optimised(&config)?;
        let game = lowered.ready(&config);
        let follower = Follower {
            check: *check,
            scratch: game.walk().scratch(),
            game: &game,
            report: KeeperReport::default(),
        };
        follower.run(watch)
    }
}

/// Follows the keeper through random games.
struct Follower<'a> {
    check: KeeperCheck,
    game: &'a Arc<Game>,
    scratch: walk::Scratch,
    report: KeeperReport,
}

/// Where the keeper comes after a move, by all its ways.
struct Ways {
    /// The states in the order in which they were found; the first is that after the move.
    states: Vec<State>,
    /// The keeper's moves in each state, with the number of the state that each leads to.
    moves: Vec<Vec<(Move, usize)>>,
    /// Whether a player is in control in each state, or the keeper has nothing to do.
    is_final: Vec<bool>,
    /// Whether there are more states than were looked at.
    is_cut_short: bool,
}

/// The ends that can be reached from a state of the keeper.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Ends {
    /// None that was found.
    None,
    /// This one, by its number.
    One(usize),
    /// More than one.
    Many,
}

/// The number of the end that never comes.
const ENDLESS: usize = usize::MAX;

impl Follower<'_> {
    fn run(
        mut self,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<KeeperReport, Error> {
        let mut random = generator(self.check.seed);
        self.follow(self.game.rules().referee().before_start(), None)?;
        while self.report.positions < self.check.positions {
            let seed = if self.game.has_chance() { random.random() } else { 0 };
            let mut play = Match::seeded(self.game, seed)?;
            if play.outcome().over().is_some() {
                break;
            }
            while play.outcome().over().is_none() && self.report.positions < self.check.positions {
                if self.position(&play, &mut random, watch)?.is_break() {
                    return Ok(self.report);
                }
                self.report.positions += 1;
                play.play_random(&mut random)?;
            }
        }
        Ok(self.report)
    }

    /// Follows the keeper after every move of a position, or after some if there are too many.
    fn position(
        &mut self,
        play: &Match,
        random: &mut Generator,
        watch: &mut dyn FnMut(u64, u64) -> ControlFlow<()>,
    ) -> Result<ControlFlow<()>, Error> {
        let count = play.moves()?.len();
        let mut chosen: Vec<usize> = (0..count).collect();
        if count > self.check.moves {
            for index in 0..self.check.moves {
                chosen.swap(index, random.random_range(index..count));
            }
            chosen.truncate(self.check.moves);
        }
        for index in chosen {
            let mut state = play.state().clone();
            let steps = play.moves()?.get(index);
            let done = self.game.rules().referee().execute(&mut state, steps);
            done.map_err(|fault| self.game.blame(&fault))?;
            self.follow(state, Some((play, index)))?;
            self.report.moves += 1;
            let enough = self.report.partings.len() >= MAX_PARTINGS;
            if enough || watch(self.report.positions, self.check.positions).is_break() {
                return Ok(ControlFlow::Break(()));
            }
        }
        Ok(ControlFlow::Continue(()))
    }

    /// Follows the keeper from a state, and notes it if two of its ways come to different ends.
    fn follow(&mut self, state: State, after: Option<(&Match, usize)>) -> Result<(), Error> {
        let rules = self.game.rules();
        if rules.player(&state).is_some() {
            return Ok(());
        }
        let ways = Ways::find(self.game.walk(), state, self.check.states, &mut self.scratch);
        let ways = ways.map_err(|fault| self.game.blame(&fault))?;
        let of_keeper = ways.states.iter().filter(|state| rules.player(state).is_none());
        self.report.states += of_keeper.count() as u64;
        self.report.cut_short += u64::from(ways.is_cut_short);
        let (finals, ends) = ways.ends(rules.referee());
        match (ends[0], after) {
            (Ends::Many, _) => self.part(&ways, &finals, &ends, after),
            // Whatever it does: then playing the move says why, or beginning the game, which comes next.
            (Ends::One(ENDLESS), Some((play, index))) => {
                let (mut state, mut history) = (play.state().clone(), play.history().clone());
                let (steps, mut scratch) = (play.moves()?.get(index), rules.scratch());
                let applied = rules.apply(&mut state, &mut history, steps, &mut scratch);
                applied.map_err(|fault| self.game.blame(&fault))
            }
            _ => Ok(()),
        }
    }

    /// Notes where two ways part, unless that is known.
    fn part(
        &mut self,
        ways: &Ways,
        finals: &[usize],
        ends: &[Ends],
        after: Option<(&Match, usize)>,
    ) -> Result<(), Error> {
        let Some([(one, first), (other, second)]) = ways.parting(ends) else { return Ok(()) };
        let automaton = self.game.automaton();
        let place = |step: Option<Step>| {
            let modifier: Option<Modifier> = step.map(|step| step.modifier);
            let mut edges = automaton.edges().map(|(_, edge)| edge);
            let origin = edges.find(|edge| modifier.is_some() && edge.modifier == modifier)?.origin;
            origin.map(|Origin { start, end }| Span { start, end })
        };
        let same = one.0.iter().zip(&other.0).take_while(|(one, other)| one == other).count();
        let steps = [one, other].map(|way| way.0.get(same).copied());
        // A step that no text stands for begins where the one before it or behind it does.
        let near = [one, other].map(|way| {
            let behind = way.0[same.min(way.0.len())..].iter().chain(way.0[..same].iter().rev());
            behind.copied().find_map(|step| place(Some(step))).unwrap_or_default()
        });
        let known = |parting: &Parting| {
            let second = parting.diagnostic.secondary.first().map(|label| label.span);
            parting.diagnostic.primary.span == near[0] && second == Some(near[1])
        };
        if self.report.partings.iter().any(known) {
            return Ok(());
        }
        let notation = self.game.notation();
        let on = |step: Option<Step>| {
            step.map_or(String::new(), |step| format!(", on {}", notation.square(step.square)))
        };
        let message = "it matters what the keeper does first";
        let diagnostic = Diagnostic::error(Code::KeeperChoice, near[0], message)
            .label(format!("one way goes on here{}", on(steps[0])))
            .also(near[1], format!("another way goes on here{}", on(steps[1])))
            .help(
                "let tests exclude all ways but one, or let the player choose; \
                 only where all ways come to the same may the keeper have several",
            );
        // The ends of these two ways first.
        let mut order: Vec<usize> = (0..finals.len()).collect();
        order.sort_by_key(|&end| (ends[*first] != Ends::One(end), ends[*second] != Ends::One(end)));
        let finals: Vec<usize> = order.into_iter().map(|end| finals[end]).collect();
        let outcomes = self.outcomes(ways, &finals);
        let (position, after) = match after {
            Some((play, index)) => (Some(play.position()), play.names()?.get(index).cloned()),
            None => (None, None),
        };
        self.report.partings.push(Parting { diagnostic, position, after, outcomes });
        Ok(())
    }

    /// The different ends in words.
    fn outcomes(&self, ways: &Ways, finals: &[usize]) -> Vec<String> {
        let referee = self.game.rules().referee();
        let (automaton, notation) = (self.game.automaton(), self.game.notation());
        let states: Vec<&State> =
            finals.iter().take(MAX_OUTCOMES).map(|&number| &ways.states[number]).collect();
        let parts: Vec<_> = states.iter().map(|state| referee.parts(state)).collect();
        let differ =
            |value: &dyn Fn(usize) -> i64| (1..parts.len()).any(|index| value(index) != value(0));
        let mut words: Vec<Vec<String>> = states
            .iter()
            .map(|state| {
                let who = match self.game.rules().player(state) {
                    Some(player) => format!("{} to move", self.name(player)),
                    None => "the game is over".to_owned(),
                };
                vec![who]
            })
            .collect();
        let mut left_out = 0;
        let mut tell = |value: &dyn Fn(usize) -> i64, word: &dyn Fn(usize) -> String| {
            if !differ(value) {
                return;
            }
            if words[0].len() > MAX_DIFFERENCES {
                left_out += 1;
                return;
            }
            words.iter_mut().enumerate().for_each(|(index, words)| words.push(word(index)));
        };
        for square in automaton.board.squares.keys() {
            let piece = |index: usize| parts[index].pieces[square];
            tell(&|index| i64::from(piece(index).0), &|index| {
                format!("{} holds {}", notation.square(square), automaton.pieces[piece(index)])
            });
        }
        for (variable, info) in automaton.variables.iter() {
            let value = |index: usize| parts[index].variables[variable];
            tell(&|index| i64::from(value(index)), &|index| {
                format!("{} = {}", info.name, value(index))
            });
        }
        for (register, name) in automaton.registers.iter() {
            let square = |index: usize| parts[index].registers[register];
            tell(&|index| i64::from(square(index).0), &|index| {
                format!("{name} on {}", notation.square(square(index)))
            });
        }
        let alike = words.len() > 1 && words.iter().all(|each| *each == words[0]);
        let mut told: Vec<String> = words.iter().map(|words| words.join(", ")).collect();
        if alike {
            // Only the place in the rules is another one.
            for (words, parts) in told.iter_mut().zip(&parts) {
                *words = format!("{words}, at node {} of the rules", parts.node);
            }
        } else if left_out > 0 {
            told.iter_mut().for_each(|words| words.push_str(", …"));
        }
        if !ways.loops().is_empty() {
            told.push("the keeper may go round for ever".to_owned());
        }
        if finals.len() > MAX_OUTCOMES {
            told.push(format!("… {} in all", finals.len()));
        }
        told
    }

    fn name(&self, player: Player) -> &str {
        &self.game.player_look(player).name
    }
}

impl Ends {
    fn and(self, other: Ends) -> Ends {
        match (self, other) {
            (Ends::None, ends) | (ends, Ends::None) => ends,
            (one, other) if one == other => one,
            _ => Ends::Many,
        }
    }
}

impl Ways {
    /// All ways from a state, as far as `most` states allow, depth first, so that ends come soon.
    fn find(
        walk: &Walk,
        first: State,
        most: usize,
        scratch: &mut walk::Scratch,
    ) -> Result<Ways, Fault> {
        let mut ways = Ways {
            states: vec![first],
            moves: vec![Vec::new()],
            is_final: vec![false],
            is_cut_short: false,
        };
        let mut numbers: HashMap<State, usize> = HashMap::from([(ways.states[0].clone(), 0)]);
        let mut open = vec![0];
        while let Some(number) = open.pop() {
            let mut found: Vec<Move> = Vec::new();
            if walk.player(&ways.states[number]).is_none() {
                walk.visit_moves(&ways.states[number], scratch, &mut |steps| {
                    if found.len() == most {
                        ways.is_cut_short = true;
                        return ControlFlow::Break(());
                    }
                    found.push(Move::from(steps));
                    ControlFlow::Continue(())
                })?;
            }
            ways.is_final[number] = found.is_empty();
            let mut new = Vec::new();
            for steps in found {
                let mut state = ways.states[number].clone();
                walk.referee().execute(&mut state, &steps.0)?;
                let count = ways.states.len();
                let target = match numbers.entry(state) {
                    Entry::Occupied(known) => *known.get(),
                    Entry::Vacant(_) if count >= most => {
                        ways.is_cut_short = true;
                        continue;
                    }
                    Entry::Vacant(entry) => {
                        ways.states.push(entry.key().clone());
                        ways.moves.push(Vec::new());
                        ways.is_final.push(false);
                        new.push(count);
                        *entry.insert(count)
                    }
                };
                ways.moves[number].push((steps, target));
            }
            // What the keeper finds first is followed first.
            open.extend(new.into_iter().rev());
        }
        Ok(ways)
    }

    /// The different ends, each by the number of a state, and which of them, by its place in this list, each state leads to.
    fn ends(&self, referee: &Referee) -> (Vec<usize>, Vec<Ends>) {
        let mut finals: Vec<usize> = Vec::new();
        let mut over: HashMap<(Vec<Piece>, Vec<i32>), usize> = HashMap::new();
        let mut ends = vec![Ends::None; self.states.len()];
        for number in (0..self.states.len()).filter(|&number| self.is_final[number]) {
            let parts = referee.parts(&self.states[number]);
            let new = finals.len();
            let end = match parts.mover {
                Some(_) => new,
                // Where in the rules and where the cursor is means nothing any more.
                None => {
                    let key =
                        (parts.pieces.as_slice().to_vec(), parts.variables.as_slice().to_vec());
                    *over.entry(key).or_insert(new)
                }
            };
            if end == new {
                finals.push(number);
            }
            ends[number] = Ends::One(end);
        }
        for number in self.loops() {
            ends[number] = ends[number].and(Ends::One(ENDLESS));
        }
        // Until nothing changes: what a state leads to, the states before it lead to.
        let mut changed = true;
        while changed {
            changed = false;
            for number in (0..self.states.len()).rev() {
                let behind = self.moves[number].iter().map(|(_, target)| ends[*target]);
                let all = behind.fold(ends[number], Ends::and);
                changed |= all != ends[number];
                ends[number] = all;
            }
        }
        (finals, ends)
    }

    /// The states to which the keeper can come back.
    fn loops(&self) -> Vec<usize> {
        let targets = self
            .moves
            .iter()
            .map(|moves| moves.iter().map(|(_, target)| Node::from_index(*target)));
        let successors: Lists<Node> = targets.collect();
        let components = components(&successors);
        let returns = |number: usize| {
            let node = Node::from_index(number);
            successors[number].iter().any(|&target| components[target] == components[node])
        };
        (0..self.states.len()).filter(|&number| returns(number)).collect()
    }

    /// Two moves of the keeper in one state, as late as possible, after which different ends can be reached, with the
    /// states they lead to.
    fn parting(&self, ends: &[Ends]) -> Option<[&(Move, usize); 2]> {
        let (mut at, mut found) = (0, None);
        let mut seen = vec![false; self.states.len()];
        while !std::mem::replace(&mut seen[at], true) {
            let moves = &self.moves[at];
            let differs =
                |way: &&(Move, usize)| ends[way.1] == Ends::Many || ends[way.1] != ends[moves[0].1];
            found = match moves.iter().skip(1).find(differs) {
                Some(other) => Some([&moves[0], other]),
                None => found,
            };
            let open = |way: &&(Move, usize)| ends[way.1] == Ends::Many && !seen[way.1];
            match moves.iter().find(open) {
                Some((_, next)) => at = *next,
                None => break,
            }
        }
        found
    }
}
