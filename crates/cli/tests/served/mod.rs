//! A server in a process of its own, and clients of it.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use serde_json::{Value, json};
use tungstenite::stream::MaybeTlsStream;
use tungstenite::{Message, WebSocket};

/// How long an answer may take before a test has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// The secret of the n-th client.
pub(crate) fn client(number: usize) -> String {
    format!("client{number:026}")
}

/// A running server, which is killed when it is dropped.
pub(crate) struct Served {
    pub(crate) process: Child,
    pub(crate) address: String,
}

impl Served {
    /// Starts a server that keeps its matches in a file, or nowhere.
    pub(crate) fn start(data: Option<&Path>) -> Served {
        Served::start_with(data, &[])
    }

    /// The same with more options.
    pub(crate) fn start_with(data: Option<&Path>, options: &[&str]) -> Served {
        Served::start_at("0", data, options)
    }

    /// Starts it again where it was, after it was killed.
    pub(crate) fn restart(&mut self, data: &Path) {
        let port = self.address.rsplit(':').next().expect("it has a port").to_owned();
        *self = Served::start_at(&port, Some(data), &[]);
    }

    fn start_at(port: &str, data: Option<&Path>, options: &[&str]) -> Served {
        let mut command = Command::new(env!("CARGO_BIN_EXE_regulus"));
        command.args(["serve", "--json", "--no-open", "--port", port]).args(options);
        match data {
            Some(data) => command.arg("--data").arg(data),
            None => command.arg("--no-data"),
        };
        // What servers learn about games is shared by all tests, and leaves the user's own files alone.
        command.env("XDG_CACHE_HOME", Path::new(env!("CARGO_TARGET_TMPDIR")).join("cache"));
        let mut process = command.stdout(Stdio::piped()).spawn().expect("the server starts");
        let mut line = String::new();
        let output = process.stdout.take().expect("it is piped");
        BufReader::new(output).read_line(&mut line).expect("it says where it is");
        let said: Value = serde_json::from_str(&line).expect("JSON");
        let address = said["address"].as_str().expect("an address").to_owned();
        Served { process, address }
    }

    /// Ends it at once, without a chance to do anything.
    pub(crate) fn kill(&mut self) {
        self.process.kill().expect("it runs");
        self.process.wait().expect("it ends");
    }

    /// The whole answer to a request, with its headers.
    pub(crate) fn request(&self, method: &str, path: &str, body: &str, headers: &str) -> String {
        let mut stream = TcpStream::connect(&self.address).expect("it listens");
        stream.set_read_timeout(Some(PATIENCE)).expect("a time");
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nhost: {}\r\nconnection: close\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n{headers}\r\n{body}",
            self.address
        )
        .expect("it reads");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("it answers");
        String::from_utf8_lossy(&answer).into_owned()
    }

    /// The body of an answer that is no JSON.
    pub(crate) fn body(&self, path: &str) -> String {
        let answer = self.request("GET", path, "", "");
        answer.split_once("\r\n\r\n").map_or(String::new(), |(_, body)| body.to_owned())
    }

    pub(crate) fn get(&self, path: &str) -> Value {
        self.json("GET", path, "").1
    }

    /// The status and the answer.
    pub(crate) fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        self.json("POST", path, &body.to_string())
    }

    fn json(&self, method: &str, path: &str, body: &str) -> (u16, Value) {
        let answer = self.request(method, path, body, "");
        let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok());
        let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body);
        let value = serde_json::from_str(body).unwrap_or_else(|error| panic!("{error}: {answer}"));
        (status.expect("a status"), value)
    }

    /// Begins a match; returns its name.
    pub(crate) fn create(&self, game: &Value, seats: &[&str], client: &str) -> String {
        let request = json!({ "game": game, "seats": seats, "client": client });
        let (status, answer) = self.post("/api/matches", &request);
        assert_eq!(status, 201, "{answer}");
        answer["id"].as_str().expect("a name").to_owned()
    }

    pub(crate) fn socket(&self, id: &str, client: &str) -> Socket {
        let url = format!("ws://{}/api/matches/{id}/socket?client={client}", self.address);
        let (socket, _) = tungstenite::connect(url).expect("the socket opens");
        if let MaybeTlsStream::Plain(stream) = socket.get_ref() {
            stream.set_read_timeout(Some(PATIENCE)).expect("a time");
        }
        Socket(socket)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        // It may have been killed already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The socket of a client.
pub(crate) struct Socket(WebSocket<MaybeTlsStream<TcpStream>>);

impl Socket {
    pub(crate) fn send(&mut self, message: &Value) {
        self.0.send(Message::text(message.to_string())).expect("the server reads");
    }

    /// The next message of one of these types; a refusal that is not waited for fails the test.
    pub(crate) fn next(&mut self, types: &[&str]) -> Value {
        loop {
            let message = self.0.read().expect("the server answers");
            let Message::Text(text) = message else { continue };
            let value: Value = serde_json::from_str(text.as_str()).expect("JSON");
            let kind = value["type"].as_str().unwrap_or_default();
            if types.contains(&kind) {
                return value;
            }
            assert_ne!(kind, "refused", "{value}");
        }
    }

    /// The first state for which something holds.
    pub(crate) fn until(&mut self, holds: impl Fn(&Value) -> bool) -> Value {
        loop {
            let state = self.next(&["state"]);
            if holds(&state) {
                return state;
            }
        }
    }
}
