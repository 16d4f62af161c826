//! Alpha-beta search: one thread of it.

mod root;

use rand::RngExt as _;
use regulus_automaton::{Id as _, Player};
use regulus_engine::{History, Rules as _, State, generator};
use regulus_game::{Error, Match};

use super::ordering::MoveOrder;
use super::table::{Bound, Found, PositionTable, short};
use crate::budget::Clock;
use crate::evaluation::{Evaluation, Features, Mobility, SCALE};
use crate::move_key::move_key;
use crate::net::{Net, NetJudge};
use crate::playouts::effort_of_move;
use crate::position_stack::PositionStack;

pub(crate) use root::RootMove;

/// What a won position is worth, less one for each move that it takes.
pub(crate) const WON: i32 = 1_000_000;

/// Scores beyond this are won, whatever the number of moves.
pub(crate) const NEARLY_WON: i32 = WON - 10_000;

/// How many moves ahead are looked at most.
pub(crate) const DEEPEST: usize = 120;

/// How many moves in a row are followed at most after the full depth.
const LONGEST_EXCHANGE: usize = 12;

/// How near to the full depth positions are left that are much too good.
const DEEPEST_PRUNING: i32 = 5;

/// The number of moves after which a random game that judges a position is broken off.
const LONGEST_GAME: u64 = 400;

/// How many legal moves are looked at between two looks at the clock.
const EFFORT_BETWEEN_LOOKS: u64 = 6_000;

/// How much effort a position is beside its legal moves.
pub(crate) const EFFORT_OF_POSITION: u64 = 8;

/// The salt of what is certain.
const EXACT: u64 = 0xd1b5_4a32_d192_ed03;

/// Why a search ends before it is done.
#[derive(Debug)]
pub(crate) enum Halt {
    /// The budget is used up.
    Over,
    /// The rules fault.
    Fault(Error),
}

impl From<Error> for Halt {
    fn from(error: Error) -> Halt {
        Halt::Fault(error)
    }
}

/// A thread of a search.
#[derive(Debug)]
pub(crate) struct Searcher<'a> {
    stack: PositionStack<'a>,
    evaluation: &'a Evaluation,
    order: MoveOrder<'a>,
    /// Judges positions instead of the evaluation, which then only says what moves are worth trying first.
    net: Option<NetJudge<'a>>,
    /// Whether it matters how many moves players have.
    uses_mobility: bool,
    /// What an average piece is worth.
    unit: i32,
    /// How much gains count that the evaluation tells, in 256ths.
    gain_weight: i32,
    table: &'a PositionTable,
    clock: &'a Clock,
    /// For whom the others are taken together.
    me: Player,
    pub(crate) nodes: u64,
    most_nodes: u64,
    /// How many legal moves were looked at, and when to look at the clock again.
    effort: u64,
    next_look: u64,
    effort_of_move: u64,
    /// How deep it went.
    pub(crate) deepest: usize,
    /// What is done beside plain looking ahead.
    pub(crate) parts: SearchParts,
    /// Whether only certain results count, so that nothing is left out.
    pub(crate) is_exact: bool,
    /// Tells what is certain in the table from what rests on judgement.
    salt: u64,
    /// Whether it has come to positions that it did not look beyond.
    pub(crate) has_judged: bool,
}

/// Parts of the search that can be left out, to see what they bring.
#[derive(Clone, Copy, Debug)]
pub(crate) struct SearchParts {
    /// Whether moves that take or promote are followed beyond the full depth.
    pub(crate) settles: bool,
    /// Whether late moves are looked at with less depth.
    pub(crate) reduces: bool,
    /// Whether positions that are much too good are left near the full depth.
    pub(crate) prunes: bool,
}

impl Default for SearchParts {
    fn default() -> SearchParts {
        SearchParts { settles: true, reduces: true, prunes: true }
    }
}

impl<'a> Searcher<'a> {
    pub(crate) fn new(
        play: &'a Match,
        features: &'a Features,
        evaluation: &'a Evaluation,
        table: &'a PositionTable,
        clock: &'a Clock,
    ) -> Searcher<'a> {
        Searcher {
            stack: PositionStack::new(play),
            evaluation,
            order: MoveOrder::new(features, evaluation, DEEPEST),
            net: None,
            uses_mobility: evaluation.uses_mobility,
            unit: evaluation.unit,
            gain_weight: 256,
            table,
            clock,
            me: play.player().unwrap_or(Player(0)),
            nodes: 0,
            most_nodes: u64::MAX,
            effort: 0,
            next_look: EFFORT_BETWEEN_LOOKS,
            effort_of_move: effort_of_move(play.game()),
            deepest: 0,
            parts: SearchParts::default(),
            is_exact: false,
            salt: 0,
            has_judged: false,
        }
    }

    /// Judges positions by a net from now on, if there is one, with its slope.
    pub(crate) fn judge_by(&mut self, net: Option<(&'a Net, f64)>) {
        let Some((net, slope)) = net else { return };
        self.net = Some(NetJudge::new(net));
        self.uses_mobility = false;
        self.unit = (f64::from(self.evaluation.unit) * slope) as i32;
        self.gain_weight = (256.0 * slope) as i32;
    }

    /// What an average piece is worth, in the scale of what judges positions.
    pub(crate) fn unit(&self) -> i32 {
        self.unit
    }

    /// Ends after `most` positions.
    pub(crate) fn limit_nodes(&mut self, most: u64) {
        self.most_nodes = most;
    }

    /// How many players the game has.
    pub(crate) fn player_count(&self) -> usize {
        self.stack.game.player_count()
    }

    /// Goes to another position, and forgets the line but not what was learnt.
    pub(crate) fn restart(&mut self, state: &State, history: &History) {
        self.stack.restart(state, history);
        self.me = self.stack.game.rules().player(state).unwrap_or(Player(0));
    }

    /// How many legal moves were looked at, about.
    pub(crate) fn effort(&self) -> u64 {
        self.effort
    }

    /// Looks ahead from the position at `ply`; the score is that of `player`, who moved before.
    fn child(
        &mut self,
        ply: usize,
        depth: i32,
        (alpha, beta): (i32, i32),
        player: Player,
        before: u32,
    ) -> Result<i32, Halt> {
        if self.is_ally(self.player(ply), player) {
            self.look(ply, depth, (alpha, beta), before)
        } else {
            Ok(-self.look(ply, depth, (-beta, -alpha), before)?)
        }
    }

    /// Whether scores of a position are those of a player: of more than two players, all but the one who thinks are one.
    #[inline]
    fn is_ally(&self, mover: Option<Player>, player: Player) -> bool {
        match mover {
            Some(mover) => mover == player || (mover != self.me && player != self.me),
            // Positions without a player to move are seen with the eyes of the one who thinks.
            None => player == self.me,
        }
    }

    #[inline]
    fn player(&self, ply: usize) -> Option<Player> {
        self.stack.player(ply)
    }

    /// The key of the position at `ply` in the table.
    #[inline]
    fn key(&self, ply: usize) -> u64 {
        self.stack.key(ply) ^ self.salt
    }

    /// Lists the legal moves of the position at `ply`; returns their number.
    fn list_moves(&mut self, ply: usize) -> Result<u32, Halt> {
        let count = self.stack.list_moves(ply)?;
        self.effort += u64::from(count + 1) * self.effort_of_move;
        Ok(count)
    }

    /// Whether the player to move at `ply` has no move.
    fn is_over(&mut self, ply: usize) -> Result<bool, Halt> {
        self.effort += self.effort_of_move;
        Ok(self.stack.is_over(ply)?)
    }

    /// Counts a position, and looks at the clock now and then.
    #[inline]
    fn count(&mut self, ply: usize) -> Result<(), Halt> {
        self.nodes += 1;
        self.deepest = self.deepest.max(ply);
        self.effort += EFFORT_OF_POSITION;
        if self.nodes >= self.most_nodes {
            return Err(Halt::Over);
        }
        if self.effort >= self.next_look {
            self.next_look = self.effort + EFFORT_BETWEEN_LOOKS;
            if self.clock.is_late() {
                return Err(Halt::Over);
            }
        }
        Ok(())
    }

    /// The result of a game that is over, for `player`.
    fn result(&self, ply: usize, player: Player) -> i32 {
        let state = self.stack.state(ply);
        let players = self.stack.game.player_count();
        let own = self.stack.game.result(state, player);
        let margin = if players == 2 {
            own - self.stack.game.result(state, Player(1 - player.0.min(1)))
        } else if player == self.me {
            2.0 * own - 1.0
        } else {
            1.0 - 2.0 * self.stack.game.result(state, self.me)
        };
        delayed((margin * f64::from(WON)) as i32, ply as i32)
    }

    /// What the position at `ply` is worth to `player` by itself.
    #[inline]
    fn value(&mut self, ply: usize, player: Player, mobility: Mobility) -> Result<i32, Halt> {
        if let Some(net) = &mut self.net {
            // A player is to move at every position that is judged.
            let mover = self.stack.player(ply).unwrap_or(player);
            let value = net.value_at(&self.stack, ply, mover.index());
            return Ok(if mover == player { value } else { -value });
        }
        if self.evaluation.outcome_games > 0 {
            return self.outcome(ply, player);
        }
        let layout = self.stack.game.rules().layout();
        let state = self.stack.state(ply);
        Ok(if player == self.me || self.stack.game.player_count() == 2 {
            self.evaluation.value(layout, state, player, mobility)
        } else {
            -self.evaluation.value(layout, state, self.me, mobility)
        })
    }

    /// The same by the mean result of random games, which depend on nothing but the position.
    fn outcome(&mut self, ply: usize, player: Player) -> Result<i32, Halt> {
        let game = self.stack.game;
        let mut random = generator(self.stack.state(ply).fingerprint());
        let mut state = self.stack.state(ply).clone();
        let mut sum = 0.0;
        let games = self.evaluation.outcome_games;
        for _ in 0..games {
            let mut pick = |count| random.random_range(0..count);
            let made = self.stack.play_out(ply, &mut state, &mut pick, LONGEST_GAME)?;
            self.effort += EFFORT_OF_POSITION * made;
            let own = game.result(&state, player);
            sum += if made == LONGEST_GAME {
                0.5
            } else if game.player_count() == 2 {
                0.5 + (own - game.result(&state, Player(1 - player.0.min(1)))) / 2.0
            } else if player == self.me {
                own
            } else {
                1.0 - game.result(&state, self.me)
            };
        }
        // As if one more game had been drawn, so that nothing is certain.
        let mean = (sum + 0.5) / f64::from(games + 1);
        Ok(((mean / (1.0 - mean)).ln() * SCALE) as i32)
    }

    /// The score of the position at `ply` for the player to move, by looking `depth` moves ahead. `before` is how many moves
    /// the player before had.
    fn look(
        &mut self,
        ply: usize,
        mut depth: i32,
        (mut alpha, mut beta): (i32, i32),
        before: u32,
    ) -> Result<i32, Halt> {
        let Some(player) = self.player(ply) else {
            self.nodes += 1;
            return Ok(self.result(ply, self.me));
        };
        if depth <= 0 || ply + LONGEST_EXCHANGE + 1 >= DEEPEST {
            return self.settle(ply, 0, (alpha, beta), player, before);
        }
        self.count(ply)?;
        // A win that is further away than one that is known is of no use.
        alpha = alpha.max(-WON + ply as i32);
        beta = beta.min(WON - ply as i32);
        if alpha >= beta {
            return Ok(alpha);
        }
        let is_open = beta - alpha > 1;
        let key = self.key(ply);
        let known = self.table.get(key);
        // What was found before may rest on judgement.
        let is_known = |found: &Found| found.depth >= depth && (found.is_new || !self.is_exact);
        if let Some(found) = known.filter(is_known) {
            let score = delayed(found.score, ply as i32);
            let is_enough = match found.bound {
                Bound::Exact => true,
                Bound::AtLeast => score >= beta,
                Bound::AtMost => score <= alpha,
            };
            if is_enough && !is_open {
                return Ok(score);
            }
        }
        let count = self.list_moves(ply)?;
        if count == 0 {
            return Ok(self.result(ply, player));
        }
        if count == 1 {
            depth += 1;
        }
        // So good that the other player would not have allowed it. Who has few moves left may be in danger.
        if count * 4 >= before && self.can_prune(depth, (alpha, beta)) {
            let value = self.value(ply, player, Mobility::default())?;
            if value - depth * self.unit * 3 / 4 >= beta {
                return Ok(value);
            }
        }
        // What was good before is tried first, and often enough: then the others need not be sorted.
        let remembered = known.and_then(|found| self.find_remembered(ply, found.best));
        let sorted_from = usize::from(remembered.is_some());
        let first_alpha = alpha;
        let mut best = (-WON - 1, 0u32);
        for place in 0..count as usize {
            if place == sorted_from {
                self.note_moves(ply, player, remembered);
            }
            let prospect = match remembered {
                Some(index) if place == 0 => {
                    let (state, list) = (self.stack.state(ply), self.stack.list(ply));
                    self.order.note_only(ply, state, list, player, index)
                }
                _ => self.order.choose_next(ply, place),
            };
            let is_quiet = !prospect.is_sharp;
            self.stack.enter_listed(ply, prospect.index)?;
            let mut score;
            if place == 0 {
                score = self.child(ply + 1, depth - 1, (alpha, beta), player, count)?;
            } else {
                let mut less = 0;
                if depth >= 3 && is_quiet && place >= 3 && !self.is_exact && self.parts.reduces {
                    less = reduction(depth, place) - i32::from(is_open);
                    less = less.clamp(0, depth - 2);
                }
                score = self.child(ply + 1, depth - 1 - less, (alpha, alpha + 1), player, count)?;
                if score > alpha && less > 0 {
                    score = self.child(ply + 1, depth - 1, (alpha, alpha + 1), player, count)?;
                }
                if score > alpha && score < beta {
                    score = self.child(ply + 1, depth - 1, (alpha, beta), player, count)?;
                }
            }
            if score > best.0 {
                best = (score, prospect.key);
                if score > alpha {
                    alpha = score;
                    if score >= beta {
                        if is_quiet {
                            self.order.praise(ply, place, depth);
                        }
                        break;
                    }
                }
            }
        }
        let bound = if best.0 >= beta {
            Bound::AtLeast
        } else if best.0 <= first_alpha {
            Bound::AtMost
        } else {
            Bound::Exact
        };
        let score = delayed(best.0, -(ply as i32));
        let best_key = if bound == Bound::AtMost { 0 } else { short(best.1) };
        self.table.put(key, Found { score, depth, bound, best: best_key, is_new: true });
        Ok(best.0)
    }

    /// Whether a position may be left because it is too good for the player to move. Where players must take, what a position
    /// is worth by itself says little.
    #[inline]
    fn can_prune(&self, depth: i32, (alpha, beta): (i32, i32)) -> bool {
        let must_take = self.evaluation.must_take;
        let is_wanted = self.parts.prunes && !self.is_exact && !self.uses_mobility && !must_take;
        is_wanted && beta - alpha == 1 && depth <= DEEPEST_PRUNING && beta.abs() < NEARLY_WON
    }

    /// The score of the position at `ply` for the player to move when only moves that take or promote are followed.
    fn settle(
        &mut self,
        ply: usize,
        exchanged: usize,
        (mut alpha, beta): (i32, i32),
        player: Player,
        before: u32,
    ) -> Result<i32, Halt> {
        self.count(ply)?;
        if self.is_exact {
            self.has_judged = true;
            return Ok(0);
        }
        let Evaluation { follows_captures, follows_promotions, .. } = *self.evaluation;
        let follows = (follows_captures || follows_promotions)
            && self.parts.settles
            && exchanged < LONGEST_EXCHANGE
            && ply + 1 < DEEPEST;
        if !self.uses_mobility && (!follows || !self.evaluation.must_take) {
            let value = self.value(ply, player, Mobility::default())?;
            // Where players need not take, this is what the position is worth at least, unless the game is over.
            if !follows || value >= beta {
                let is_over = follows && self.is_over(ply)?;
                return Ok(if is_over { self.result(ply, player) } else { value });
            }
        }
        let now = self.list_moves(ply)?;
        if now == 0 {
            return Ok(self.result(ply, player));
        }
        let value = self.value(ply, player, Mobility { now, before })?;
        if !follows {
            return Ok(value);
        }
        self.order.note_sharp(ply, self.stack.state(ply), self.stack.list(ply), player);
        let sharp = self.order.prospects(ply).len();
        // Where every move takes, the player cannot leave the position as it is.
        let is_forced = sharp == now as usize;
        let mut best = if is_forced { -WON - 1 } else { value };
        if best >= beta {
            return Ok(best);
        }
        alpha = alpha.max(best);
        let (unit, weight) = (self.unit, self.gain_weight);
        for place in 0..sharp {
            let prospect = self.order.choose_next(ply, place);
            let gain = (i64::from(prospect.gain) * i64::from(weight) / 256) as i32;
            if !is_forced && value + gain + 2 * unit < alpha {
                break;
            }
            self.stack.enter_listed(ply, prospect.index)?;
            let score = match self.player(ply + 1) {
                None => {
                    self.nodes += 1;
                    let score = self.result(ply + 1, self.me);
                    if self.is_ally(None, player) { score } else { -score }
                }
                Some(next) if self.is_ally(Some(next), player) => {
                    self.settle(ply + 1, exchanged + 1, (alpha, beta), next, now)?
                }
                Some(next) => -self.settle(ply + 1, exchanged + 1, (-beta, -alpha), next, now)?,
            };
            if score > best {
                best = score;
                if score > alpha {
                    alpha = score;
                    if score >= beta {
                        break;
                    }
                }
            }
        }
        Ok(best)
    }

    /// Where a move that is kept in the table is in the list at `ply`; `None` if it is not there.
    #[inline]
    fn find_remembered(&self, ply: usize, best: u16) -> Option<usize> {
        if best == 0 {
            return None;
        }
        self.stack.list(ply).iter().position(|steps| short(move_key(steps)) == best)
    }

    /// Notes all moves at `ply` to be sorted. If the one with the index `tried` was looked at before, it stands first.
    fn note_moves(&mut self, ply: usize, player: Player, tried: Option<usize>) {
        let (state, list) = (self.stack.state(ply), self.stack.list(ply));
        self.order.note_all(ply, state, list, player, tried);
    }
}

/// By how much less depth a late move is looked at.
#[inline]
fn reduction(depth: i32, place: usize) -> i32 {
    let logs = (depth as u32).ilog2() * (place as u32 + 1).ilog2();
    (logs as i32 + 1) / 2
}

/// The score when it takes `moves` more, or fewer if that is negative: wins and losses count less the further away they are. In the table they are
/// counted from the position, in a search from the root.
fn delayed(score: i32, moves: i32) -> i32 {
    if score >= NEARLY_WON {
        score - moves
    } else if score <= -NEARLY_WON {
        score + moves
    } else {
        score
    }
}
