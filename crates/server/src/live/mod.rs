//! A match that clients look at: a play with its tree of positions, who sits where, and what computers think.
//!
//! Everything that happens is under one lock for each match; who looks on is told by a number that changes ([`LiveMatch::changes`])
//! and asks for what is new. A move is told only after it is kept in the archive. All of this may take time, so it is called on
//! threads that may wait.

mod picking;
mod seats;
mod thinking;
mod tree;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use regulus_arena::{Transcript, TranscriptMove};
use regulus_automaton::{Id as _, Player};
use regulus_engine::notation::exact;
use regulus_engine::{Move, Step};
use regulus_game::{Error, Game, Match};
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::archive::{Archive, ArchiveEntry, MatchRow, MoveRow, StoredMatch};
use crate::library::GameReference;
use crate::limits;
use crate::nets::NetShelf;
use crate::refusal::Refusal;
use crate::tutor::Thinkers;
use crate::view;
use picking::Picking;
pub(crate) use seats::{SeatHolder, levels, player};
use thinking::{Analysis, SeatThinking};
use tree::{MatchTree, TreeMove};

/// A match.
#[derive(Debug)]
pub(crate) struct LiveMatch {
    pub(crate) id: String,
    pub(crate) reference: GameReference,
    pub(crate) game: Arc<Game>,
    archive: Archive,
    thinkers: Thinkers,
    table: Mutex<MatchTable>,
    changed: watch::Sender<u64>,
    evaluation: watch::Sender<Option<Arc<str>>>,
}

/// What changes about a match.
#[derive(Debug)]
struct MatchTable {
    play: Match,
    seed: Option<u64>,
    tree: MatchTree,
    /// The position that is shown, which `play` is at.
    node: usize,
    seats: Vec<SeatHolder>,
    /// The client who made the match.
    host: String,
    version: u64,
    /// Whether computers go on by themselves.
    goes_on: bool,
    viewers: usize,
    thinking: Option<SeatThinking>,
    analysis: Option<Analysis>,
    /// How many jobs there were.
    tickets: u64,
    /// What went wrong when a computer was to move.
    notice: Option<String>,
}

/// What a match is made of.
#[derive(Debug)]
pub(crate) struct NewMatch {
    pub(crate) id: String,
    pub(crate) reference: GameReference,
    pub(crate) seats: Vec<SeatHolder>,
    pub(crate) client: String,
    pub(crate) seed: Option<u64>,
}

impl LiveMatch {
    /// Begins a match.
    pub(crate) fn create(
        new: NewMatch,
        game: Arc<Game>,
        archive: &Archive,
        thinkers: &Thinkers,
    ) -> Result<Arc<LiveMatch>, Refusal> {
        let players = game.player_count();
        if new.seats.len() != players {
            let seats = new.seats.len();
            return Err(Refusal::bad(format!(
                "the game has {players} players, but {seats} seats are given"
            )));
        }
        new.seats.iter().try_for_each(|seat| seat.check(&game))?;
        let draw = || rand::random::<u64>() & limits::LARGEST_SEED;
        let seed = new.seed.or_else(|| game.has_chance().then(draw));
        let live = LiveMatch::assemble(new, seed, game, archive, thinkers)?;
        live.keep(&live.table())?;
        Ok(live)
    }

    /// Goes on with a match that was kept.
    pub(crate) fn restore(
        stored: StoredMatch,
        reference: GameReference,
        game: Arc<Game>,
        archive: &Archive,
        thinkers: &Thinkers,
    ) -> Result<Arc<LiveMatch>, Refusal> {
        let (row, moves) = stored;
        let seats: Vec<String> = serde_json::from_str(&row.seats)
            .map_err(|error| Refusal::broken(format!("the match is damaged: {error}")))?;
        // Nobody sits where a net played that is gone.
        let seat = |text: &String| match SeatHolder::from_text(text, &thinkers.nets) {
            Err(_) if text.starts_with("net:") => Ok(SeatHolder::Free),
            seat => seat,
        };
        let seats: Result<Vec<SeatHolder>, Refusal> = seats.iter().map(seat).collect();
        let (id, client, seed) = (row.id, row.host, row.seed);
        let new = NewMatch { id, reference, seats: seats?, client, seed };
        let live = LiveMatch::assemble(new, seed, game, archive, thinkers)?;
        let mut table = live.table();
        for row in moves {
            if row.node != table.tree.len() || row.parent >= row.node {
                return Err(Refusal::broken("the match is damaged: a move is missing"));
            }
            let player = Player(row.player);
            let (steps, name, value) = (Move::default(), row.name, row.value);
            table.tree.add(row.parent, TreeMove { player, steps, name, value });
        }
        table.show(row.node)?;
        drop(table);
        Ok(live)
    }

    fn assemble(
        new: NewMatch,
        seed: Option<u64>,
        game: Arc<Game>,
        archive: &Archive,
        thinkers: &Thinkers,
    ) -> Result<Arc<LiveMatch>, Refusal> {
        let play = match seed {
            Some(seed) => Match::seeded(&game, seed)?,
            None => Match::new(&game)?,
        };
        let table = MatchTable {
            play,
            seed,
            tree: MatchTree::new(),
            node: 0,
            seats: new.seats,
            host: new.client,
            version: 1,
            goes_on: true,
            viewers: 0,
            thinking: None,
            analysis: None,
            tickets: 0,
            notice: None,
        };
        Ok(Arc::new(LiveMatch {
            id: new.id,
            reference: new.reference,
            game,
            archive: archive.clone(),
            thinkers: thinkers.clone(),
            table: Mutex::new(table),
            changed: watch::Sender::new(1),
            evaluation: watch::Sender::new(None),
        }))
    }

    /// The nets that can sit here.
    pub(crate) fn nets(&self) -> &NetShelf {
        &self.thinkers.nets
    }

    fn table(&self) -> MutexGuard<'_, MatchTable> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// A number that changes whenever the match does.
    pub(crate) fn changes(&self) -> watch::Receiver<u64> {
        self.changed.subscribe()
    }

    /// What a player thinks, as messages.
    pub(crate) fn evaluations(&self) -> watch::Receiver<Option<Arc<str>>> {
        self.evaluation.subscribe()
    }

    /// Whether no client looks at it and no computer thinks, so that it may be forgotten: the archive has all of it.
    pub(crate) fn is_idle(&self) -> bool {
        // A match that is busy is not idle.
        self.table.try_lock().is_ok_and(|table| {
            table.viewers == 0 && table.thinking.is_none() && table.analysis.is_none()
        })
    }

    /// A client begins to look at the match.
    pub(crate) fn join(self: &Arc<Self>) {
        let mut table = self.table();
        table.viewers += 1;
        self.announce(&mut table);
        self.go_on(&mut table);
        self.learn_early(&table);
    }

    /// A client looks at it no more.
    pub(crate) fn part(&self) {
        let mut table = self.table();
        table.viewers = table.viewers.saturating_sub(1);
        if table.viewers == 0 {
            table.stop_analysis();
        }
        self.announce(&mut table);
    }

    /// Where the match stands, with the nodes from a number on. Returns the number of nodes, too.
    pub(crate) fn state(&self, client: &str, from: usize) -> (Value, usize) {
        let table = self.table();
        let seats: Vec<Value> = table.seats.iter().map(|seat| seat.to_json(client)).collect();
        let state = json!({
            "type": "state",
            "version": table.version,
            "node": table.node,
            "nodes": table.tree.to_json(from),
            "position": view::position(&table.play),
            "seats": seats,
            "may_play": table.takes_part(client),
            "thinking": table.thinking.as_ref().map(|thinking| thinking.seat),
            "analyzing": table.analysis.is_some(),
            "learning": table.is_learning(),
            "viewers": table.viewers,
            "notice": table.notice,
        });
        (state, table.tree.len())
    }

    /// What a move can go on with after some choices; `None` if they were a whole move, which was played.
    pub(crate) fn choose(
        self: &Arc<Self>,
        client: &str,
        node: usize,
        actions: &[u64],
    ) -> Result<Option<Value>, Refusal> {
        let mut table = self.table();
        table.check(client, node)?;
        let picking = Picking::new(&table.play, actions)?;
        if let Some(steps) = picking.whole().map(<[Step]>::to_vec) {
            self.make(&mut table, &steps, None)?;
            return Ok(None);
        }
        let mut choices = picking.to_json()?;
        choices["node"] = json!(node);
        choices["actions"] = json!(actions);
        Ok(Some(choices))
    }

    /// Plays a move that is complete, though it could go on.
    pub(crate) fn play_actions(
        self: &Arc<Self>,
        client: &str,
        node: usize,
        actions: &[u64],
    ) -> Result<(), Refusal> {
        let mut table = self.table();
        table.check(client, node)?;
        let picking = Picking::new(&table.play, actions)?;
        let Some(steps) = picking.complete().map(<[Step]>::to_vec) else {
            return Err(Refusal::bad("the move is not complete"));
        };
        self.make(&mut table, &steps, None)
    }

    /// Plays a move by its name.
    pub(crate) fn play_named(
        self: &Arc<Self>,
        client: &str,
        node: usize,
        name: &str,
    ) -> Result<(), Refusal> {
        let mut table = self.table();
        table.check(client, node)?;
        let index = table.play.find(name.trim())?;
        let steps = table.play.moves()?.get(index).to_vec();
        self.make(&mut table, &steps, None)
    }

    /// Shows another position of the tree.
    pub(crate) fn go_to(self: &Arc<Self>, client: &str, node: usize) -> Result<(), Refusal> {
        let mut table = self.table();
        table.check_takes_part(client)?;
        if table.tree.get(node).is_none() {
            return Err(Refusal::bad(format!("the match has no position {node}")));
        }
        table.stop_thinking();
        table.goes_on = false;
        table.show(node)?;
        self.keep(&table)?;
        self.announce(&mut table);
        self.analyse_again(&mut table);
        Ok(())
    }

    /// Lets the computer move, on whosever seat.
    pub(crate) fn go(self: &Arc<Self>, client: &str) -> Result<(), Refusal> {
        let mut table = self.table();
        table.check_takes_part(client)?;
        table.goes_on = true;
        if table.thinking.is_none() {
            self.think(&mut table)?;
        }
        self.announce(&mut table);
        Ok(())
    }

    /// Ends thinking: the computer plays the best move it has.
    pub(crate) fn stop(&self, client: &str) -> Result<(), Refusal> {
        let table = self.table();
        table.check_takes_part(client)?;
        if let Some(thinking) = &table.thinking {
            thinking.stop.stop();
        }
        Ok(())
    }

    /// Gives a seat to someone else.
    pub(crate) fn seat(
        self: &Arc<Self>,
        client: &str,
        seat: usize,
        holder: SeatHolder,
    ) -> Result<(), Refusal> {
        holder.check(&self.game)?;
        let mut table = self.table();
        let count = table.seats.len();
        let Some(now) = table.seats.get(seat) else {
            return Err(Refusal::bad(format!("there is no seat {seat}; there are {count}")));
        };
        let sits_down = matches!(
            (now, &holder),
            (SeatHolder::Free, SeatHolder::Person(person)) if person == client
        );
        let is_taken = matches!(now, SeatHolder::Person(person) if person != client);
        if is_taken {
            return Err(Refusal::forbidden("someone else has this seat"));
        }
        if !sits_down {
            table.check_takes_part(client)?;
        }
        if table.thinking.as_ref().is_some_and(|thinking| thinking.seat == seat) {
            table.stop_thinking();
        }
        table.seats[seat] = holder;
        self.keep(&table)?;
        self.announce(&mut table);
        self.go_on(&mut table);
        self.learn_early(&table);
        Ok(())
    }

    /// Starts or ends the analysis of the position that is shown.
    pub(crate) fn analyze(
        self: &Arc<Self>,
        client: &str,
        spec: Option<&str>,
    ) -> Result<(), Refusal> {
        let mut table = self.table();
        table.check_takes_part(client)?;
        table.stop_analysis();
        if let Some(spec) = spec {
            let spec = player(spec, self.nets())?;
            SeatHolder::Computer(spec.clone()).check(&self.game)?;
            table.analysis = Some(Analysis::new(spec));
            self.analyse_again(&mut table);
        }
        self.announce(&mut table);
        Ok(())
    }

    /// The moves up to the position that is shown, and how the game has ended if it has.
    pub(crate) fn transcript(&self) -> Transcript {
        let table = self.table();
        let seats: Vec<String> =
            self.game.automaton().looks.players.values().map(|look| look.name.clone()).collect();
        let path = table.tree.path(table.node).into_iter();
        let moves = path.filter_map(|node| table.tree.get(node)?.arrival.as_ref());
        let over = table.play.outcome().over();
        Transcript {
            game: self.reference.name().unwrap_or(self.game.source().name()).to_owned(),
            players: seats
                .iter()
                .cloned()
                .zip(table.seats.iter().map(SeatHolder::player))
                .collect(),
            seed: table.seed,
            moves: moves
                .map(|arrival| TranscriptMove {
                    line: 0,
                    seat: seats[arrival.player.index()].clone(),
                    name: arrival.name.clone(),
                    value: arrival.value,
                    time: None,
                })
                .collect(),
            results: over.map_or(Vec::new(), |over| {
                seats.iter().cloned().zip(over.results.iter().copied()).collect()
            }),
            reason: over.map(ToString::to_string),
            ..Transcript::default()
        }
    }

    /// Makes a legal move: in the play, in the archive and in the tree. Then a computer may be to move.
    fn make(
        self: &Arc<Self>,
        table: &mut MatchTable,
        steps: &[Step],
        value: Option<f64>,
    ) -> Result<(), Refusal> {
        let Some(player) = table.play.player() else {
            return Err(Refusal::bad("the game is over"));
        };
        let name = name_of(&table.play, steps)?;
        let (parent, known) = (table.node, table.tree.find(table.node, &name));
        if known.is_none() && table.tree.len() >= limits::NODES {
            return Err(Refusal::bad(format!(
                "the match has {} positions, and no more are kept",
                limits::NODES
            )));
        }
        table.play.play(steps)?;
        let node = known.unwrap_or(table.tree.len());
        table.node = node;
        let kept = match known {
            Some(_) => self.keep(table),
            None => {
                let name = name.clone();
                let row = MoveRow { node, parent, player: player.index() as u32, name, value };
                self.archive.write(ArchiveEntry::Move(self.id.clone(), row))
            }
        };
        if let Err(refusal) = kept {
            table.play.undo();
            table.node = parent;
            return Err(refusal);
        }
        if known.is_none() {
            let steps = Move::from(steps);
            table.tree.add(parent, TreeMove { player, steps, name, value });
        }
        table.stop_thinking();
        table.goes_on = true;
        self.announce(table);
        self.go_on(table);
        Ok(())
    }

    /// Keeps all but the moves in the archive.
    fn keep(&self, table: &MatchTable) -> Result<(), Refusal> {
        let broken = |error: serde_json::Error| Refusal::broken(error.to_string());
        let seats: Vec<String> = table.seats.iter().map(SeatHolder::to_text).collect();
        self.archive.write(ArchiveEntry::Match(MatchRow {
            id: self.id.clone(),
            game: serde_json::to_string(&self.reference).map_err(broken)?,
            seats: serde_json::to_string(&seats).map_err(broken)?,
            host: table.host.clone(),
            seed: table.seed,
            node: table.node,
        }))
    }

    /// Tells everyone that something has changed.
    fn announce(&self, table: &mut MatchTable) {
        table.version += 1;
        self.changed.send_replace(table.version);
    }
}

impl MatchTable {
    /// Whether a client may play, or decide what is shown: who made the match or sits at it.
    fn takes_part(&self, client: &str) -> bool {
        self.host == client || self.seats.iter().any(|seat| seat.is_held_by(client))
    }

    fn check_takes_part(&self, client: &str) -> Result<(), Refusal> {
        if self.takes_part(client) {
            Ok(())
        } else {
            Err(Refusal::forbidden("you are looking on; take a free seat to play"))
        }
    }

    /// Whether a client may move in a position that is shown.
    fn check(&self, client: &str, node: usize) -> Result<(), Refusal> {
        self.check_takes_part(client)?;
        if node != self.node {
            return Err(Refusal::bad("another position is shown now"));
        }
        let Some(player) = self.play.player() else {
            return Err(Refusal::bad("the game is over"));
        };
        match &self.seats[player.index()] {
            SeatHolder::Person(person) if person == client => Ok(()),
            SeatHolder::Person(_) => Err(Refusal::forbidden("it is someone else's turn")),
            SeatHolder::Free => Err(Refusal::forbidden("no one sits on that seat yet")),
            SeatHolder::Computer(_) if self.thinking.is_some() => {
                Err(Refusal::bad("the computer is thinking"))
            }
            SeatHolder::Computer(_) => Ok(()),
        }
    }

    /// Goes to a position of the tree.
    fn show(&mut self, node: usize) -> Result<(), Refusal> {
        let (now, wanted) = (self.tree.path(self.node), self.tree.path(node));
        let common = now.iter().zip(&wanted).take_while(|(one, other)| one == other).count();
        for _ in common..now.len() {
            self.play.undo();
        }
        self.node = now[..common].last().copied().unwrap_or(0);
        for &next in &wanted[common..] {
            let Some(arrival) = self.tree.arrival_mut(next) else { continue };
            if arrival.steps.0.is_empty() {
                self.play.play_named(&arrival.name)?;
                if let Some(ply) = self.play.line().last() {
                    arrival.steps = ply.steps.clone();
                }
            } else {
                self.play.play(&arrival.steps.0)?;
            }
            self.node = next;
        }
        Ok(())
    }
}

/// The name of a legal move for people.
fn name_of(play: &Match, steps: &[Step]) -> Result<String, Error> {
    let written = play.written(steps)?;
    // Where there are too many moves to list they have no shorter names.
    if written == exact(steps) {
        return Ok(written);
    }
    let index = play.moves()?.find(steps);
    Ok(match index {
        Some(index) => play.names()?[index].clone(),
        None => written,
    })
}
