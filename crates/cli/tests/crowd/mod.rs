//! Clients that play random moves, many at a time on few threads. They remember every move that the server has told them of, and
//! hold it to that.

use std::fmt;
use std::time::{Duration, Instant};

use futures_util::{SinkExt as _, StreamExt as _};
use serde_json::{Value, json};
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::net::TcpStream;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message;

/// How long an answer may take before a test has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// Games of different kinds and lengths, all for two.
const GAMES: [&str; 8] = [
    "chess",
    "breakthrough",
    "tic_tac_toe",
    "english_checkers",
    "hex",
    "connect_four",
    "reversi",
    "nine_mens_morris",
];

/// What a client cannot go on after.
#[derive(Debug)]
pub(crate) enum Trouble {
    /// The connection is lost.
    Lost(String),
    /// The server has said something that it must not say.
    Wrong(String),
}

impl fmt::Display for Trouble {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Trouble::Lost(why) => write!(f, "the connection is lost: {why}"),
            Trouble::Wrong(what) => f.write_str(what),
        }
    }
}

#[expect(clippy::needless_pass_by_value, reason = "errors are mapped by it")]
fn lost(error: impl ToString) -> Trouble {
    Trouble::Lost(error.to_string())
}

fn wrong<T>(what: impl Into<String>) -> Result<T, Trouble> {
    Err(Trouble::Wrong(what.into()))
}

/// What a message was answered by.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Answer {
    /// The choices after those that were made.
    Choices,
    /// The state after a move.
    Move,
}

/// Random numbers, the same for the same seed (`SplitMix64`).
#[derive(Clone, Debug)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mixed = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ (mixed >> 31)
    }

    /// A number below another, which is not 0.
    pub(crate) fn below(&mut self, count: usize) -> usize {
        (self.next() % count as u64) as usize
    }

    /// From nothing to twice a time.
    pub(crate) fn around(&mut self, mean: Duration) -> Duration {
        mean.mul_f64(2.0 * (self.next() >> 11) as f64 / (1u64 << 53) as f64)
    }
}

/// The status and the body of an answer over HTTP.
pub(crate) async fn ask(
    address: &str,
    method: &str,
    path: &str,
    body: &str,
) -> Result<(u16, String), Trouble> {
    let asked = async {
        let mut stream = TcpStream::connect(address).await?;
        let length = body.len();
        let request = format!(
            "{method} {path} HTTP/1.1\r\nhost: {address}\r\nconnection: close\r\ncontent-type: application/json\r\n\
            content-length: {length}\r\n\r\n{body}"
        );
        stream.write_all(request.as_bytes()).await?;
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).await?;
        Ok(String::from_utf8_lossy(&answer).into_owned())
    };
    let answer: std::io::Result<String> = tokio::time::timeout(PATIENCE, asked)
        .await
        .map_err(|_| Trouble::Wrong(format!("no answer to {method} {path}")))?;
    let answer = answer.map_err(lost)?;
    let Some((head, body)) = answer.split_once("\r\n\r\n") else {
        return Err(lost("the answer was cut off"));
    };
    let status = head.split(' ').nth(1).and_then(|status| status.parse().ok());
    Ok((status.ok_or_else(|| lost("no status"))?, body.to_owned()))
}

/// A match that a client plays on both seats.
pub(crate) struct Guest {
    /// Where the server is; it may move.
    pub(crate) address: String,
    client: String,
    pub(crate) random: Random,
    pub(crate) id: String,
    /// The node of every move that the server has told of, as it was told.
    pub(crate) nodes: Vec<Value>,
    node: u64,
    pub(crate) is_over: bool,
    socket: Option<WebSocketStream<TcpStream>>,
}

impl Guest {
    /// Begins a match of a random game, and looks at it.
    pub(crate) async fn begin(address: &str, mut random: Random) -> Result<Guest, Trouble> {
        let game = json!({ "name": GAMES[random.below(GAMES.len())] });
        Guest::begin_game(address, &game, 2, random).await
    }

    /// Begins a match of a game for some players, and looks at it.
    pub(crate) async fn begin_game(
        address: &str,
        game: &Value,
        players: usize,
        mut random: Random,
    ) -> Result<Guest, Trouble> {
        let client = format!("guest{:016x}", random.next());
        let seats = vec!["person"; players];
        let request = json!({ "game": game, "seats": seats, "client": client });
        let (status, body) = ask(address, "POST", "/api/matches", &request.to_string()).await?;
        let answer: Value = serde_json::from_str(&body).map_err(lost)?;
        let (201, Some(id)) = (status, answer["id"].as_str()) else {
            return wrong(format!("{status} {body}"));
        };
        let (address, id) = (address.to_owned(), id.to_owned());
        let nodes = Vec::new();
        let mut guest =
            Guest { address, client, random, id, nodes, node: 0, is_over: false, socket: None };
        guest.connect().await?;
        Ok(guest)
    }

    /// Looks at the match, again if it is not the first time. Every move that was told of must be there.
    pub(crate) async fn connect(&mut self) -> Result<(), Trouble> {
        let stream = TcpStream::connect(&self.address).await.map_err(lost)?;
        stream.set_nodelay(true).map_err(lost)?;
        let (address, id, client) = (&self.address, &self.id, &self.client);
        let url = format!("ws://{address}/api/matches/{id}/socket?client={client}");
        let opened = tokio_tungstenite::client_async(url, stream).await;
        self.socket = Some(opened.map_err(lost)?.0);
        let known = std::mem::take(&mut self.nodes);
        let state = self.receive(&["state"]).await?;
        self.learn(&state)?;
        if !self.nodes.starts_with(&known) {
            let (known, told) = (known.len(), self.nodes.len());
            return wrong(format!(
                "{id}: {known} nodes were known, of {told} some differ",
                id = self.id
            ));
        }
        if self.nodes.len() > known.len().max(1) + 1 {
            return wrong("more than one move was not told");
        }
        Ok(())
    }

    /// The moves on the way to the position that is shown, by their names.
    pub(crate) fn line(&self) -> Vec<String> {
        let mut line = Vec::new();
        let mut at = self.node;
        while let Some(node) = self.nodes.get(at as usize).filter(|_| at > 0) {
            line.push(node["move"].as_str().unwrap_or_default().to_owned());
            at = node["parent"].as_u64().unwrap_or_default();
        }
        line.reverse();
        line
    }

    /// Builds a random move and plays it; tells how long each answer took.
    pub(crate) async fn play(
        &mut self,
        mut answered: impl FnMut(Answer, Duration),
    ) -> Result<(), Trouble> {
        let before = self.node;
        let mut actions: Vec<u64> = Vec::new();
        let mut wish = json!({ "type": "choose", "node": before, "actions": actions });
        loop {
            let seq = self.random.next() >> 12;
            wish["seq"] = json!(seq);
            let began = Instant::now();
            self.send(&wish).await?;
            let answer = self.receive(&["choices", "state"]).await?;
            let time = began.elapsed();
            if answer["type"] == "state" {
                answered(Answer::Move, time);
                self.learn(&answer)?;
                let played = self.nodes.last();
                let is_next = played.is_some_and(|node| node["parent"] == before);
                if !is_next || self.node as usize + 1 != self.nodes.len() {
                    return wrong(format!("the state after {wish} is {answer}"));
                }
                return Ok(());
            }
            answered(Answer::Choices, time);
            if answer["seq"] != seq || answer["actions"] != json!(actions) {
                return wrong(format!("{wish} was answered by {answer}"));
            }
            wish = self.next_wish(&mut actions, &answer)?;
        }
    }

    /// What to say to some choices.
    fn next_wish(&mut self, actions: &mut Vec<u64>, answer: &Value) -> Result<Value, Trouble> {
        let node = self.node;
        let choices = answer["choices"].as_array().map_or(&[][..], Vec::as_slice);
        let is_complete = answer["complete"] == true;
        if is_complete && (choices.is_empty() || self.random.below(2) == 0) {
            return Ok(json!({ "type": "play", "node": node, "actions": actions }));
        }
        if choices.is_empty() {
            // Moves that look the same to the end are told apart by their names.
            let landings = answer["landings"].as_array().map_or(&[][..], Vec::as_slice);
            let moves: Vec<&Value> =
                landings.iter().flat_map(|landing| landing["moves"].as_array()).flatten().collect();
            if moves.is_empty() {
                return wrong(format!("a move that cannot go on: {answer}"));
            }
            let name = moves[self.random.below(moves.len())];
            return Ok(json!({ "type": "play", "node": node, "move": name }));
        }
        let choice = &choices[self.random.below(choices.len())];
        let Some(action) = choice["action"].as_u64() else {
            return wrong(format!("not a choice: {choice}"));
        };
        actions.push(action);
        Ok(json!({ "type": "choose", "node": node, "actions": actions }))
    }

    /// Asks for something that must be refused; returns why it is.
    pub(crate) async fn refusal(&mut self, wish: &Value) -> Result<String, Trouble> {
        self.send(wish).await?;
        let refused = self.receive(&["refused"]).await?;
        Ok(refused["message"].as_str().unwrap_or_default().to_owned())
    }

    async fn send(&mut self, message: &Value) -> Result<(), Trouble> {
        let Some(socket) = &mut self.socket else { return Err(lost("not connected")) };
        socket.send(Message::text(message.to_string())).await.map_err(lost)
    }

    /// The next message, which must have one of these types.
    async fn receive(&mut self, types: &[&str]) -> Result<Value, Trouble> {
        let Some(socket) = &mut self.socket else { return Err(lost("not connected")) };
        loop {
            let received = tokio::time::timeout(PATIENCE, socket.next()).await;
            let Ok(received) = received else { return wrong("no answer on the socket") };
            let message = received.ok_or_else(|| lost("closed"))?.map_err(lost)?;
            let text = match message {
                Message::Text(text) => text,
                Message::Close(_) => return Err(lost("closed")),
                _ => continue,
            };
            let Ok(value) = serde_json::from_str::<Value>(text.as_str()) else {
                return wrong(format!("not JSON: {text}"));
            };
            if types.iter().any(|kind| value["type"] == *kind) {
                return Ok(value);
            }
            return wrong(format!("expected one of {types:?}: {value}"));
        }
    }

    /// Remembers what a state tells.
    fn learn(&mut self, state: &Value) -> Result<(), Trouble> {
        for node in state["nodes"].as_array().into_iter().flatten() {
            if node["id"] != self.nodes.len() {
                return wrong(format!(
                    "node {} comes after {} others",
                    node["id"],
                    self.nodes.len()
                ));
            }
            self.nodes.push(node.clone());
        }
        self.node = state["node"].as_u64().unwrap_or(u64::MAX);
        self.is_over = !state["position"]["over"].is_null();
        if self.node >= self.nodes.len() as u64 {
            return wrong(format!("node {} was not told", self.node));
        }
        Ok(())
    }

    /// Reads the match again over HTTP: its transcript has the moves that were told, and no others.
    pub(crate) async fn compare(&self) -> Result<(), Trouble> {
        let path = format!("/api/matches/{}/transcript", self.id);
        let (status, text) = ask(&self.address, "GET", &path, "").await?;
        let transcript = regulus_arena::Transcript::read(&text);
        let Ok(transcript) = transcript else { return wrong(format!("{status} {text}")) };
        let kept: Vec<String> = transcript.moves.into_iter().map(|played| played.name).collect();
        let told = self.line();
        if kept != told {
            return wrong(format!(
                "{}: the transcript has {kept:?}, the socket told {told:?}",
                self.id
            ));
        }
        Ok(())
    }

    /// Closes the socket; the match stays.
    pub(crate) async fn leave(&mut self) {
        if let Some(mut socket) = self.socket.take() {
            // The other side may be gone.
            let _ = socket.close(None).await;
        }
    }
}
