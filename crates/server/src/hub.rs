//! All matches, and what they share.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use rand::RngExt as _;
use serde::Deserialize;
use tokio::runtime::Runtime;
use tokio::sync::Semaphore;

use crate::archive::Archive;
use crate::extract::{object, whole_or_none};
use crate::library::{GameReference, GameShelf};
use crate::limits;
use crate::live::{LiveMatch, NewMatch, SeatHolder};
use crate::nets::NetShelf;
use crate::rates::{Rates, Wish};
use crate::refusal::Refusal;
use crate::series::{Series, SeriesRequest, SeriesShelf};
use crate::think::{ThinkPool, let_others_go_first};
use crate::tutor::{Thinkers, Tutor};

/// How long the names of matches are.
const ID_LENGTH: usize = 12;
const ID_LETTERS: &[u8] = b"abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ23456789";

/// What all requests share.
#[derive(Debug)]
pub(crate) struct Hub {
    pub(crate) shelf: GameShelf,
    archive: Archive,
    thinkers: Thinkers,
    pub(crate) tutor: Tutor,
    pub(crate) series: SeriesShelf,
    rates: Rates,
    matches: Mutex<HashMap<String, Arc<LiveMatch>>>,
    /// Those that work on texts of unknown authors.
    texts: Semaphore,
    /// How many wait for that.
    waiting: AtomicUsize,
    /// The threads for that, of low priority.
    text_threads: Mutex<Option<Runtime>>,
    pub(crate) sockets: AtomicUsize,
}

/// What a client asks for to begin a match.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct MatchRequest {
    #[serde(deserialize_with = "object")]
    pub(crate) game: GameReference,
    seats: Vec<String>,
    pub(crate) client: String,
    #[serde(default, deserialize_with = "whole_or_none")]
    seed: Option<u64>,
}

impl Hub {
    pub(crate) fn new(archive: Archive, pool: ThinkPool, nets: NetShelf) -> std::io::Result<Hub> {
        let tutor = Tutor::new()?;
        let text_threads = tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .max_blocking_threads(limits::TEXTS_AT_A_TIME)
            .thread_name("texts")
            .on_thread_start(let_others_go_first)
            .build()?;
        Ok(Hub {
            shelf: GameShelf::new(),
            archive,
            thinkers: Thinkers { pool, tutor: tutor.clone(), nets },
            tutor,
            series: SeriesShelf::default(),
            rates: Rates::default(),
            matches: Mutex::default(),
            texts: Semaphore::new(limits::TEXTS_AT_A_TIME),
            waiting: AtomicUsize::new(0),
            text_threads: Mutex::new(Some(text_threads)),
            sockets: AtomicUsize::new(0),
        })
    }

    /// Runs something that may take time on a thread that may wait. What concerns texts of unknown authors gets in line, and
    /// has threads of low priority, so that it cannot take all processors from the others.
    pub(crate) async fn run<T: Send + 'static>(
        self: &Arc<Self>,
        is_untrusted: bool,
        work: impl FnOnce(&Arc<Hub>) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let hub = Arc::clone(self);
        let work = move || work(&hub);
        let done = if is_untrusted {
            let _turn = self.wait_for_turn().await?;
            let threads = self.text_threads().as_ref().map(|threads| threads.handle().clone());
            let threads = threads.ok_or_else(|| Refusal::busy("the server is ending"))?;
            threads.spawn_blocking(work).await
        } else {
            tokio::task::spawn_blocking(work).await
        };
        done.unwrap_or_else(|_| Err(Refusal::broken("the server has failed at this request")))
    }

    async fn wait_for_turn(&self) -> Result<tokio::sync::SemaphorePermit<'_>, Refusal> {
        let busy = || Refusal::busy("too many texts are being read; try again in a moment");
        if self.waiting.fetch_add(1, Ordering::Relaxed) >= limits::TEXTS_WAITING {
            self.waiting.fetch_sub(1, Ordering::Relaxed);
            return Err(busy());
        }
        let turn = self.texts.acquire().await;
        self.waiting.fetch_sub(1, Ordering::Relaxed);
        turn.map_err(|_| busy())
    }

    /// Counts something that a client asks for, or refuses it because it is too much.
    pub(crate) fn admit(
        &self,
        wish: Wish,
        address: IpAddr,
        client: &str,
        game: &GameReference,
    ) -> Result<(), Refusal> {
        check_client(client)?;
        self.rates.admit(wish, address, Some(client))?;
        if game.is_untrusted() { self.admit_text(address) } else { Ok(()) }
    }

    /// The same for work on a text.
    pub(crate) fn admit_text(&self, address: IpAddr) -> Result<(), Refusal> {
        self.rates.admit(Wish::Text, address, None)
    }

    /// Begins a match; returns its name.
    pub(crate) fn create(&self, request: MatchRequest) -> Result<String, Refusal> {
        limits::check_seed(request.seed)?;
        let MatchRequest { game: reference, seats, client, seed } = request;
        if seats.len() > limits::SEATS {
            return Err(Refusal::bad(format!("at most {} can play here", limits::SEATS)));
        }
        let seats: Result<Vec<SeatHolder>, Refusal> =
            seats.iter().map(|seat| SeatHolder::wanted(seat, &client, self.nets())).collect();
        let game = self.shelf.load(reference.source()?)?;
        let new = NewMatch { id: new_id(), reference, seats: seats?, client, seed };
        let live = LiveMatch::create(new, game, &self.archive, &self.thinkers)?;
        let id = live.id.clone();
        self.insert(live)?;
        Ok(id)
    }

    /// The nets that are opponents here.
    pub(crate) fn nets(&self) -> &NetShelf {
        &self.thinkers.nets
    }

    /// Starts a series of games between computers.
    pub(crate) fn start_series(&self, request: SeriesRequest) -> Result<Arc<Series>, Refusal> {
        let game = self.shelf.load(request.game.source()?)?;
        self.series.start(new_id(), request, game, &self.thinkers)
    }

    /// Does something with a match that may take time; see [`Hub::run`].
    pub(crate) async fn on_match<T: Send + 'static>(
        self: &Arc<Self>,
        id: String,
        work: impl FnOnce(&Arc<LiveMatch>) -> Result<T, Refusal> + Send + 'static,
    ) -> Result<T, Refusal> {
        let is_untrusted = self.may_be_untrusted(&id);
        self.run(is_untrusted, move |hub| work(&hub.find(&id)?)).await
    }

    /// A match by its name, from the archive if it is not in memory.
    fn find(&self, id: &str) -> Result<Arc<LiveMatch>, Refusal> {
        if let Some(live) = self.matches().get(id) {
            return Ok(Arc::clone(live));
        }
        let missing = || Refusal::missing("there is no such match");
        if id.len() != ID_LENGTH {
            return Err(missing());
        }
        let stored = self.archive.read(id)?.ok_or_else(missing)?;
        let reference: GameReference = serde_json::from_str(&stored.0.game)
            .map_err(|error| Refusal::broken(format!("the match is damaged: {error}")))?;
        let game = self.shelf.load(reference.source()?)?;
        let live = LiveMatch::restore(stored, reference, game, &self.archive, &self.thinkers)?;
        self.insert(live)
    }

    /// Adds a match, unless another thread was faster; returns the one that is there.
    fn insert(&self, live: Arc<LiveMatch>) -> Result<Arc<LiveMatch>, Refusal> {
        let mut matches = self.matches();
        if matches.len() >= limits::LIVE_MATCHES {
            matches.retain(|_, live| Arc::strong_count(live) > 1 || !live.is_idle());
            if matches.len() >= limits::LIVE_MATCHES {
                return Err(Refusal::busy(format!(
                    "{} matches are being played, and no more fit; try again later",
                    matches.len()
                )));
            }
        }
        Ok(Arc::clone(matches.entry(live.id.clone()).or_insert(live)))
    }

    /// Whether a match is in memory and of a text of an unknown author; those that are not in memory may be.
    fn may_be_untrusted(&self, id: &str) -> bool {
        self.matches().get(id).is_none_or(|live| live.reference.is_untrusted())
    }

    fn matches(&self) -> std::sync::MutexGuard<'_, HashMap<String, Arc<LiveMatch>>> {
        self.matches.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn text_threads(&self) -> std::sync::MutexGuard<'_, Option<Runtime>> {
        self.text_threads.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Ends what is under way.
    pub(crate) fn close(&self) {
        self.thinkers.pool.close();
        self.tutor.close();
        if let Some(threads) = self.text_threads().take() {
            threads.shutdown_background();
        }
    }
}

/// Whether a text can be the secret of a client.
pub(crate) fn check_client(client: &str) -> Result<(), Refusal> {
    let is_good = (16..=64).contains(&client.len())
        && client.bytes().all(|byte| byte.is_ascii_alphanumeric());
    if is_good { Ok(()) } else { Err(Refusal::bad("`client` is 16 to 64 letters and digits")) }
}

fn new_id() -> String {
    let mut generator = rand::rng();
    let letter = |_| char::from(ID_LETTERS[generator.random_range(0..ID_LETTERS.len())]);
    (0..ID_LENGTH).map(letter).collect()
}
