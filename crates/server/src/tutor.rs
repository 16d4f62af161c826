//! Learns games, so that players that judge by what they have learnt can play them, and says what was learnt.
//!
//! Learning takes seconds and cannot be interrupted, so it has threads of its own, of low priority: one for the games that are
//! bundled, and one for all other texts, which therefore cannot keep anyone waiting but each other. What is learnt is kept by
//! `regulus_agents`; a game is learnt once.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use regulus_agents::{Judgement, PieceWorth, can_be_learnt, limit_learning};
use regulus_automaton::Id as _;
use regulus_game::{Game, Theme};
use serde_json::{Value, json};
use tokio::sync::oneshot;

use crate::limits;
use crate::nets::NetShelf;
use crate::refusal::Refusal;
use crate::think::{JobProgress, ThinkLine, ThinkPool};

/// How much is learnt before it is said what pieces are worth: as much as players do.
const LEARNING: u32 = 1;

/// The threads on which games are learnt.
#[derive(Clone, Debug)]
pub(crate) struct Tutor {
    bundled: Lane,
    texts: Lane,
    /// What pieces are worth, by the fingerprints of games.
    worths: Arc<Mutex<BTreeMap<u64, Arc<str>>>>,
}

/// Where computers learn and where they think.
#[derive(Clone, Debug)]
pub(crate) struct Thinkers {
    pub(crate) pool: ThinkPool,
    pub(crate) tutor: Tutor,
    /// The nets that some of them play with.
    pub(crate) nets: NetShelf,
}

/// One of the threads.
#[derive(Clone, Debug)]
struct Lane {
    thread: ThinkPool,
    /// How many jobs wait for each game, by its fingerprint.
    waiting: Arc<Mutex<BTreeMap<u64, usize>>>,
    /// How many games may wait.
    most: usize,
}

impl Lane {
    fn new(name: &str, most: usize) -> std::io::Result<Lane> {
        Ok(Lane { thread: ThinkPool::new(name, 1)?, waiting: Arc::default(), most })
    }

    fn waiting(&self) -> MutexGuard<'_, BTreeMap<u64, usize>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Does something about a game when it is its turn, unless too many other games wait.
    fn add(&self, game: &Arc<Game>, work: impl FnOnce() + Send + 'static) -> Result<(), Refusal> {
        let key = game.fingerprint();
        let mut waiting = self.waiting();
        if waiting.len() > self.most && !waiting.contains_key(&key) {
            return Err(Refusal::busy(
                "many games are being learnt; try again in a moment, or choose a player that learns nothing, such as mcts",
            ));
        }
        *waiting.entry(key).or_default() += 1;
        drop(waiting);
        let (lane, game, mut work) = (self.clone(), Arc::clone(game), Some(work));
        self.thread.add(ThinkLine::Moves, move || {
            if let Some(work) = work.take() {
                // Native code is many times as fast.
                game.rules().wait();
                work();
            }
            let mut waiting = lane.waiting();
            if let Some(count) = waiting.get_mut(&key) {
                *count -= 1;
                if *count == 0 {
                    waiting.remove(&key);
                }
            }
            JobProgress::Done
        });
        Ok(())
    }
}

impl Tutor {
    pub(crate) fn new() -> std::io::Result<Tutor> {
        limit_learning(Duration::from_secs_f64(limits::LEARNING_SECONDS));
        Ok(Tutor {
            bundled: Lane::new("learn", usize::MAX)?,
            texts: Lane::new("learn texts", limits::LEARNING_WAITING)?,
            worths: Arc::default(),
        })
    }

    fn lane(&self, is_untrusted: bool) -> &Lane {
        if is_untrusted { &self.texts } else { &self.bundled }
    }

    /// Does something about a game, such as to prepare an agent for it, when it is its turn.
    ///
    /// # Errors
    ///
    /// If too many other games wait.
    pub(crate) fn learn(
        &self,
        game: &Arc<Game>,
        is_untrusted: bool,
        work: impl FnOnce() + Send + 'static,
    ) -> Result<(), Refusal> {
        self.lane(is_untrusted).add(game, work)
    }

    /// What the pieces of a game are worth, as JSON; learnt now if it was not before.
    ///
    /// # Errors
    ///
    /// If the rules fault, the game is too large, or too many other games wait.
    pub(crate) async fn worth(
        &self,
        game: Arc<Game>,
        is_untrusted: bool,
    ) -> Result<Arc<str>, Refusal> {
        if !can_be_learnt(&game) {
            return Err(Refusal::unplayable(
                "the game is too large to learn what its pieces are worth",
            ));
        }
        if let Some(known) = self.worths().get(&game.fingerprint()) {
            return Ok(Arc::clone(known));
        }
        let (sender, receiver) = oneshot::channel();
        let (tutor, learnt) = (self.clone(), Arc::clone(&game));
        self.learn(&game, is_untrusted, move || {
            // Who asked may be gone.
            if !sender.is_closed() {
                let _ = sender.send(tutor.find_worth(&learnt));
            }
        })?;
        receiver.await.unwrap_or_else(|_| Err(Refusal::busy("the server is ending")))
    }

    /// The same, on this thread.
    fn find_worth(&self, game: &Arc<Game>) -> Result<Arc<str>, Refusal> {
        let key = game.fingerprint();
        if let Some(known) = self.worths().get(&key) {
            return Ok(Arc::clone(known));
        }
        let judgement = Judgement::new(game, LEARNING)?;
        let worth: Arc<str> = worth_json(game, &judgement).to_string().into();
        let mut worths = self.worths();
        if worths.len() >= limits::WORTHS_KEPT {
            worths.clear();
        }
        worths.insert(key, Arc::clone(&worth));
        Ok(worth)
    }

    fn worths(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<str>>> {
        self.worths.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Drops what waits.
    pub(crate) fn close(&self) {
        self.bundled.thread.close();
        self.texts.thread.close();
    }
}

/// What the pieces of a game are worth, as the page is told: in sentences, and as a picture of the board for each piece.
fn worth_json(game: &Game, judgement: &Judgement) -> Value {
    let squares = game.automaton().board.squares.len();
    let pictures = limits::PICTURES.min(limits::PICTURED_SQUARES / squares.max(1));
    let piece = |(number, worth): (usize, &PieceWorth)| {
        let heat = || -> Vec<Option<f64>> {
            worth.squares.iter().map(|square| square.map(|square| square - worth.worth)).collect()
        };
        json!({
            "name": game.piece_look(worth.piece).name,
            "owner": worth.owner.index(),
            "worth": worth.worth,
            "svg": (number < pictures).then(|| game.heat_svg(&heat(), Theme::Page)),
        })
    };
    json!({
        "sentences": judgement.sentences(game),
        "pieces": judgement.pieces.iter().enumerate().map(piece).collect::<Vec<Value>>(),
    })
}
