//! The socket of a client that looks at a match.

use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use axum::extract::ws::{Message, WebSocket};
use serde::Deserialize;
use serde_json::{Value, json};
use tokio::sync::watch;

use crate::hub::Hub;
use crate::limits;
use crate::live::{LiveMatch, SeatHolder};
use crate::rates::Allowance;
use crate::refusal::Refusal;

/// How long a client may take to receive a message.
const PATIENCE: Duration = Duration::from_secs(20);

/// The player that analyses unless another is asked for.
const ANALYST: &str = "auto";

/// What a client asks for.
#[derive(Debug, Deserialize)]
struct ClientWish {
    #[serde(default)]
    seq: Option<u64>,
    #[serde(flatten)]
    kind: WishKind,
}

#[derive(Debug, Deserialize)]
#[serde(tag = "type", rename_all = "lowercase")]
enum WishKind {
    Choose {
        node: usize,
        actions: Vec<u64>,
    },
    Play {
        node: usize,
        #[serde(default, rename = "move")]
        name: Option<String>,
        #[serde(default)]
        actions: Vec<u64>,
    },
    Goto {
        node: usize,
    },
    Go,
    Stop,
    Seat {
        seat: usize,
        player: String,
    },
    Leave {
        seat: usize,
    },
    Take {
        seat: usize,
    },
    Analyze {
        on: bool,
        #[serde(default)]
        player: Option<String>,
    },
}

/// Serves a socket until it is closed.
pub(crate) async fn serve(
    mut socket: WebSocket,
    hub: Arc<Hub>,
    live: Arc<LiveMatch>,
    client: String,
) {
    let mut viewer = Viewer {
        hub,
        live,
        client,
        sent: 0,
        allowance: Allowance::new(limits::MESSAGES, Instant::now()),
    };
    let _presence = Presence::begin(&viewer).await;
    let mut changes = viewer.live.changes();
    changes.mark_changed();
    let mut evaluations = viewer.live.evaluations();
    loop {
        let wait = viewer.allowance.wait(Instant::now());
        tokio::select! {
            changed = changes.changed() => {
                if changed.is_err() || viewer.tell_state(&mut socket, &mut changes).await.is_err() {
                    break;
                }
            }
            changed = evaluations.changed() => {
                let told = evaluations.borrow_and_update().clone();
                let Some(told) = told.filter(|_| changed.is_ok()) else { continue };
                if send(&mut socket, told.to_string()).await.is_err() {
                    break;
                }
            }
            received = receive(&mut socket, wait) => {
                let Some(Ok(message)) = received else { break };
                let answer = match message {
                    Message::Text(text) => viewer.answer(text.as_str()).await,
                    Message::Close(_) => break,
                    Message::Binary(_) | Message::Ping(_) | Message::Pong(_) => continue,
                };
                // What was done is told before the answer.
                if changes.has_changed().unwrap_or(false)
                    && viewer.tell_state(&mut socket, &mut changes).await.is_err()
                {
                    break;
                }
                if let Some(answer) = answer
                    && send(&mut socket, answer.to_string()).await.is_err()
                {
                    break;
                }
            }
        }
    }
}

/// Receives a message, but not before some time has passed: what a client sends too fast waits, and so does the client.
async fn receive(socket: &mut WebSocket, wait: Duration) -> Option<Result<Message, axum::Error>> {
    if !wait.is_zero() {
        tokio::time::sleep(wait).await;
    }
    socket.recv().await
}

/// Sends a message, unless the client does not take it in time.
async fn send(socket: &mut WebSocket, text: String) -> Result<(), ()> {
    let sent = tokio::time::timeout(PATIENCE, socket.send(Message::text(text))).await;
    sent.map_err(|_| ())?.map_err(|_| ())
}

/// A client that looks at a match.
struct Viewer {
    hub: Arc<Hub>,
    live: Arc<LiveMatch>,
    client: String,
    /// How many nodes of the tree it has been sent.
    sent: usize,
    allowance: Allowance,
}

impl Viewer {
    async fn tell_state(
        &mut self,
        socket: &mut WebSocket,
        changes: &mut watch::Receiver<u64>,
    ) -> Result<(), ()> {
        changes.mark_unchanged();
        let (live, client, from) = (Arc::clone(&self.live), self.client.clone(), self.sent);
        // The rules are not asked for this.
        let state = self.hub.run(false, move |_| Ok(live.state(&client, from))).await;
        let (state, sent) = state.map_err(|_| ())?;
        self.sent = sent;
        send(socket, state.to_string()).await
    }

    /// Does what a client asks for; returns what it is told, if anything but the state.
    async fn answer(&mut self, text: &str) -> Option<Value> {
        self.allowance.take();
        let wish: ClientWish = match serde_json::from_str(text) {
            Ok(wish) => wish,
            Err(error) => {
                return Some(refused(None, &Refusal::bad(format!("not understood: {error}"))));
            }
        };
        let (live, client, seq) = (Arc::clone(&self.live), self.client.clone(), wish.seq);
        let is_untrusted = self.live.reference.is_untrusted();
        let done = self.hub.run(is_untrusted, move |_| fulfil(&live, &client, wish.kind)).await;
        match done {
            Ok(None) => None,
            Ok(Some(mut answer)) => {
                answer["seq"] = json!(seq);
                Some(answer)
            }
            Err(refusal) => Some(refused(seq, &refusal)),
        }
    }
}

fn fulfil(live: &Arc<LiveMatch>, client: &str, wish: WishKind) -> Result<Option<Value>, Refusal> {
    match wish {
        WishKind::Choose { node, actions } => return live.choose(client, node, &actions),
        WishKind::Play { node, name: Some(name), .. } => live.play_named(client, node, &name)?,
        WishKind::Play { node, name: None, actions } => {
            live.play_actions(client, node, &actions)?
        }
        WishKind::Goto { node } => live.go_to(client, node)?,
        WishKind::Go => live.go(client)?,
        WishKind::Stop => live.stop(client)?,
        WishKind::Seat { seat, player } => {
            live.seat(client, seat, SeatHolder::wanted(&player, client, live.nets())?)?;
        }
        WishKind::Leave { seat } => live.seat(client, seat, SeatHolder::Free)?,
        WishKind::Take { seat } => {
            live.seat(client, seat, SeatHolder::Person(client.to_owned()))?;
        }
        WishKind::Analyze { on, player } => {
            let player = on.then(|| player.unwrap_or_else(|| ANALYST.to_owned()));
            live.analyze(client, player.as_deref())?;
        }
    }
    Ok(None)
}

fn refused(seq: Option<u64>, refusal: &Refusal) -> Value {
    json!({ "type": "refused", "seq": seq, "id": refusal.id, "message": refusal.message })
}

/// Counts a client among those who look at a match, as long as it lives.
struct Presence {
    hub: Arc<Hub>,
    live: Arc<LiveMatch>,
}

impl Presence {
    async fn begin(viewer: &Viewer) -> Presence {
        let presence = Presence { hub: Arc::clone(&viewer.hub), live: Arc::clone(&viewer.live) };
        let live = Arc::clone(&viewer.live);
        // It does not fail.
        let joined = viewer.hub.run(false, move |_| {
            live.join();
            Ok(())
        });
        let _ = joined.await;
        presence
    }
}

impl Drop for Presence {
    fn drop(&mut self) {
        self.hub.sockets.fetch_sub(1, Ordering::Relaxed);
        let live = Arc::clone(&self.live);
        // A match may be busy, and this thread may not wait. Without a runtime the server is ending anyway.
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn_blocking(move || live.part());
        }
    }
}
