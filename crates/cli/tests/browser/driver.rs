//! Chromium, driven through chromedriver as the WebDriver standard says: JSON over HTTP.
//!
//! The crates for this bring about forty others along (an asynchronous HTTP client, cookies, internationalised addresses). The
//! tests need a dozen commands, one after the other, so they are sent from here, with what the project has anyway.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// How long a condition may take to come true, and a command to be answered, before a test has failed.
const PATIENCE: Duration = Duration::from_secs(60);

/// How often a browser and the process that drives it are started before a test has failed.
const STARTS: usize = 5;

/// Between two looks at a condition.
const LOOK: Duration = Duration::from_millis(30);

/// What is noted on every page before its own scripts run: errors that nobody caught, and the notes in red by which the page
/// tells people that something failed. They are kept over reloads.
const WATCH: &str = r##"
  const keep = (text) => sessionStorage.setItem("problems", JSON.stringify([...JSON.parse(sessionStorage.getItem("problems") ?? "[]"), text]));
  addEventListener("error", (event) => keep(`error: ${event.message} (${event.filename}:${event.lineno})`));
  addEventListener("unhandledrejection", (event) => keep(`unhandled rejection: ${event.reason?.stack ?? event.reason}`));
  addEventListener("securitypolicyviolation", (event) => keep(`against the policy: ${event.violatedDirective} ${event.blockedURI}`));
  addEventListener("DOMContentLoaded", () => {
    const look = () => {
      const note = document.querySelector("#notes .note:not(.good)");
      if (note) keep(`note: ${note.textContent}`);
    };
    const notes = document.getElementById("notes");
    if (notes) new MutationObserver(look).observe(notes, { childList: true });
  });
"##;

/// A browser with a profile of its own. It is closed when it is dropped, which fails if something went wrong on its pages.
pub(crate) struct Browser {
    driver: Driver,
    session: String,
    profile: PathBuf,
    /// What its screenshots are called.
    name: String,
    /// Parts of messages that are no failure in this test.
    expected: Vec<&'static str>,
}

impl Browser {
    /// Starts a browser whose profile is kept in a new folder.
    pub(crate) fn start(name: &str, profile: &Path) -> Browser {
        let mut arguments: Vec<String> = [
            "--headless=new",
            // There is no sandbox for root and in many containers; only pages of our own are shown.
            "--no-sandbox",
            "--disable-dev-shm-usage",
            "--disable-gpu",
            "--disable-extensions",
            "--disable-sync",
            "--disable-background-networking",
            "--disable-component-update",
            "--no-first-run",
            "--no-default-browser-check",
            "--hide-scrollbars",
            "--window-size=1280,900",
        ]
        .map(str::to_owned)
        .to_vec();
        arguments.push(format!("--user-data-dir={}", profile.display()));
        let mut options = json!({ "args": arguments });
        // Without a name, the driver looks where Chrome usually is.
        if let Some(program) = std::env::var("CHROMIUM").ok().or_else(chromium) {
            options["binary"] = Value::from(program);
        }
        let wanted = json!({
            "goog:chromeOptions": options,
            "goog:loggingPrefs": { "browser": "ALL" },
            "unhandledPromptBehavior": "dismiss",
        });
        let request = json!({ "capabilities": { "alwaysMatch": wanted } });
        let mut start = 1;
        let (driver, session) = loop {
            let driver = Driver::start();
            match driver.ask("POST", "/session", Some(&request)) {
                Ok(answer) => {
                    break (driver, answer["sessionId"].as_str().expect("a session").to_owned());
                }
                Err(problem) => assert!(
                    start < STARTS,
                    "Chromium does not start (is it installed, or named by CHROMIUM?): {problem}"
                ),
            }
            end_all_with(profile);
            start += 1;
        };
        let browser = Browser {
            driver,
            session,
            profile: profile.to_owned(),
            name: name.to_owned(),
            expected: Vec::new(),
        };
        browser.devtools("Page.addScriptToEvaluateOnNewDocument", &json!({ "source": WATCH }));
        // Several browsers run at once, and only pages that have the focus may use the clipboard.
        browser.devtools("Emulation.setFocusEmulationEnabled", &json!({ "enabled": true }));
        browser
    }

    /// Sends a command; a refusal fails the test.
    pub(crate) fn command(&self, method: &str, path: &str, body: Option<&Value>) -> Value {
        let path = format!("/session/{}{path}", self.session);
        let answer = self.driver.ask(method, &path, body);
        answer.unwrap_or_else(|problem| panic!("{}: {method} {path}: {problem}", self.name))
    }

    /// Sends a command of the developer's tools, which can do what the standard cannot.
    pub(crate) fn devtools(&self, command: &str, parameters: &Value) -> Value {
        let body = json!({ "cmd": command, "params": parameters });
        self.command("POST", "/goog/cdp/execute", Some(&body))
    }

    pub(crate) fn open(&self, address: &str) {
        self.command("POST", "/url", Some(&json!({ "url": address })));
    }

    pub(crate) fn reload(&self) {
        self.command("POST", "/refresh", Some(&json!({})));
    }

    pub(crate) fn address(&self) -> String {
        self.command("GET", "/url", None).as_str().expect("an address").to_owned()
    }

    /// What the body of a function says on the page.
    pub(crate) fn run(&self, script: &str, arguments: &Value) -> Value {
        let body = json!({ "script": script, "args": arguments });
        self.command("POST", "/execute/sync", Some(&body))
    }

    /// Waits until the body of a function gives something that is not null or false, and returns it.
    pub(crate) fn wait(&self, what: &str, script: &str, arguments: &Value) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let value = self.run(script, arguments);
            if !value.is_null() && value != Value::Bool(false) {
                return value;
            }
            assert!(
                Instant::now() < end,
                "{}: waited in vain for {what} at {}; the page says:\n{}",
                self.name,
                self.address(),
                self.run("return document.body.innerText", &json!([])).as_str().unwrap_or_default()
            );
            std::thread::sleep(LOOK);
        }
    }

    /// Moves the mouse to places of the window in turn, with the button held down from the first to the last.
    pub(crate) fn drag(&self, places: &[(f64, f64)]) {
        self.drag_with(0, places);
    }

    /// The same with the right button.
    pub(crate) fn draw(&self, places: &[(f64, f64)]) {
        self.drag_with(2, places);
    }

    fn drag_with(&self, button: u8, places: &[(f64, f64)]) {
        let mut actions = Vec::new();
        for (number, (x, y)) in places.iter().enumerate() {
            let duration = if number == 0 { 0 } else { 60 };
            actions.push(json!({ "type": "pointerMove", "duration": duration, "x": x.round(), "y": y.round() }));
            if number == 0 {
                actions.push(json!({ "type": "pointerDown", "button": button }));
            }
        }
        actions.push(json!({ "type": "pointerUp", "button": button }));
        self.pointer("mouse", &actions);
    }

    /// Presses the mouse at a place of the window.
    pub(crate) fn click(&self, place: (f64, f64)) {
        self.drag(&[place]);
    }

    /// Touches a place of the window.
    pub(crate) fn tap(&self, (x, y): (f64, f64)) {
        self.pointer(
            "touch",
            &[
                json!({ "type": "pointerMove", "duration": 0, "x": x.round(), "y": y.round() }),
                json!({ "type": "pointerDown", "button": 0 }),
                json!({ "type": "pointerUp", "button": 0 }),
            ],
        );
    }

    fn pointer(&self, kind: &str, actions: &[Value]) {
        let source = json!({
            "type": "pointer",
            "id": kind,
            "parameters": { "pointerType": kind },
            "actions": actions,
        });
        self.command("POST", "/actions", Some(&json!({ "actions": [source] })));
    }

    /// Presses keys one after the other; those of `held` are down meanwhile.
    pub(crate) fn keys(&self, held: &[char], keys: &str) {
        let down = |key: char| json!({ "type": "keyDown", "value": key.to_string() });
        let up = |key: char| json!({ "type": "keyUp", "value": key.to_string() });
        let mut actions: Vec<Value> = held.iter().map(|key| down(*key)).collect();
        actions.extend(keys.chars().flat_map(|key| [down(key), up(key)]));
        actions.extend(held.iter().rev().map(|key| up(*key)));
        let source = json!({ "type": "key", "id": "keyboard", "actions": actions });
        self.command("POST", "/actions", Some(&json!({ "actions": [source] })));
    }

    /// Gives a file to the field for files that a selector names, as if a person had chosen it.
    pub(crate) fn choose_file(&self, selector: &str, file: &Path) {
        let wanted = json!({ "using": "css selector", "value": selector });
        let found = self.command("POST", "/element", Some(&wanted));
        let element = found.as_object().and_then(|found| found.values().next());
        let element = element.and_then(Value::as_str).expect("an element");
        let text = json!({ "text": file.to_str().expect("a path") });
        self.command("POST", &format!("/element/{element}/value"), Some(&text));
    }

    /// Writes what the window shows into the folder that `REGULUS_SCREENSHOTS` names, if it does.
    pub(crate) fn screenshot(&self, moment: &str) {
        let Some(folder) = std::env::var_os("REGULUS_SCREENSHOTS") else { return };
        // What fades or slides has arrived.
        let still = "return document.getAnimations().every((one) => one.playState !== 'running' || one.effect.getComputedTiming().endTime === Infinity)";
        self.wait("the end of motion", still, &json!([]));
        let picture = self.command("GET", "/screenshot", None);
        let bytes = base64(picture.as_str().expect("a picture"));
        std::fs::create_dir_all(&folder).expect("a folder");
        let file = Path::new(&folder).join(format!("{}-{moment}.png", self.name));
        std::fs::write(file, bytes).expect("it can be written");
    }

    /// Messages that have this in them are no failure from now on.
    pub(crate) fn expect(&mut self, part: &'static str) {
        self.expected.push(part);
    }

    /// What went wrong so far: errors in the console, and what `WATCH` saw.
    fn problems(&self) -> Vec<String> {
        let log = self.command("POST", "/se/log", Some(&json!({ "type": "browser" })));
        let entries = log.as_array().into_iter().flatten();
        let severe = entries.filter(|entry| entry["level"] == "SEVERE");
        let mut problems: Vec<String> =
            severe.filter_map(|entry| entry["message"].as_str().map(str::to_owned)).collect();
        let seen = self
            .run(r#"return JSON.parse(sessionStorage.getItem("problems") ?? "[]")"#, &json!([]));
        let seen = seen.as_array().into_iter().flatten();
        problems.extend(seen.filter_map(|problem| problem.as_str().map(str::to_owned)));
        problems.retain(|problem| !self.expected.iter().any(|part| problem.contains(part)));
        problems
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        let failed = std::thread::panicking();
        let mut problems = Vec::new();
        if failed {
            // A second failure here would hide the first, so commands are sent without asking how they went.
            let shot = format!("/session/{}/screenshot", self.session);
            if let (Ok(picture), Some(folder)) =
                (self.driver.ask("GET", &shot, None), std::env::var_os("REGULUS_SCREENSHOTS"))
            {
                let bytes = base64(picture.as_str().unwrap_or_default());
                let _ = std::fs::write(
                    Path::new(&folder).join(format!("{}-failed.png", self.name)),
                    bytes,
                );
            }
            let log = format!("/session/{}/se/log", self.session);
            if let Ok(log) = self.driver.ask("POST", &log, Some(&json!({ "type": "browser" }))) {
                eprintln!("the console of {}: {log}", self.name);
            }
        } else {
            problems = self.problems();
        }
        let _ = self.driver.ask("DELETE", &format!("/session/{}", self.session), None);
        end_all_with(&self.profile);
        assert!(problems.is_empty(), "{}: {problems:#?}", self.name);
    }
}

/// Ends the processes that were started with a folder in their arguments: what is left of a browser that did not close.
#[cfg(target_os = "linux")]
fn end_all_with(folder: &Path) {
    let mark = format!("--user-data-dir={}", folder.display());
    let Ok(processes) = std::fs::read_dir("/proc") else { return };
    for process in processes.flatten() {
        let arguments = std::fs::read(process.path().join("cmdline")).unwrap_or_default();
        if arguments.split(|byte| *byte == 0).any(|argument| argument == mark.as_bytes()) {
            let _ = Command::new("kill")
                .arg("-9")
                .arg(process.file_name())
                .stderr(Stdio::null())
                .status();
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn end_all_with(_: &Path) {}

/// The process that drives a browser.
struct Driver {
    process: Child,
    port: u16,
    /// Kept open, since it goes on to write there.
    said: BufReader<ChildStdout>,
}

impl Driver {
    /// Starts chromedriver. It takes a free port of one family of addresses and then wants the same one of the other, which
    /// may be taken, so a process that gives up is started again.
    fn start() -> Driver {
        let program = std::env::var("CHROMEDRIVER").unwrap_or_else(|_| "chromedriver".to_owned());
        (0..STARTS).find_map(|_| Driver::try_start(&program)).unwrap_or_else(|| {
            panic!("{program} ended {STARTS} times without saying where it listens")
        })
    }

    /// Starts chromedriver once; `None` if it ends before it says where it listens.
    fn try_start(program: &str) -> Option<Driver> {
        let started = Command::new(program)
            .arg("--port=0")
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn();
        let mut process = started.unwrap_or_else(|error| {
            panic!("{program} cannot be started: {error}. Install chromium and chromium-driver, or name it by CHROMEDRIVER.")
        });
        let said = BufReader::new(process.stdout.take().expect("it is piped"));
        // From here on it ends with this value, also if it never says where it listens.
        let mut driver = Driver { process, port: 0, said };
        let mut line = String::new();
        while driver.port == 0 {
            line.clear();
            if driver.said.read_line(&mut line).expect("it says where it is") == 0 {
                return None;
            }
            let words = line.trim_end().trim_end_matches('.').rsplit_once("successfully on port ");
            driver.port = words.and_then(|(_, port)| port.parse().ok()).unwrap_or(0);
        }
        Some(driver)
    }

    /// Sends a command and gives its value, or what is wrong with it.
    fn ask(&self, method: &str, path: &str, body: Option<&Value>) -> Result<Value, String> {
        let text = |error: std::io::Error| error.to_string();
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).map_err(text)?;
        stream.set_read_timeout(Some(PATIENCE)).map_err(text)?;
        let body = body.map(Value::to_string).unwrap_or_default();
        let (port, length) = (self.port, body.len());
        let head = format!(
            "{method} {path} HTTP/1.1\r\nhost: 127.0.0.1:{port}\r\nconnection: close\r\ncontent-type: application/json\r\n\
             content-length: {length}\r\n\r\n"
        );
        stream.write_all((head + &body).as_bytes()).map_err(text)?;
        let answer = answer(&mut BufReader::new(stream)).map_err(text)?;
        let mut answer: Value =
            serde_json::from_slice(&answer).map_err(|error| error.to_string())?;
        let value = answer["value"].take();
        match value["error"].as_str() {
            Some(error) => {
                Err(format!("{error}: {}", value["message"].as_str().unwrap_or_default()))
            }
            None => Ok(value),
        }
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The body of an answer, whose length stands in its headers.
fn answer(stream: &mut BufReader<TcpStream>) -> std::io::Result<Vec<u8>> {
    let mut length = 0;
    loop {
        let mut line = String::new();
        stream.read_line(&mut line)?;
        if line.trim_end().is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':')
            && name.eq_ignore_ascii_case("content-length")
        {
            length = value.trim().parse().map_err(std::io::Error::other)?;
        }
    }
    let mut body = vec![0; length];
    stream.read_exact(&mut body)?;
    Ok(body)
}

/// Where Chromium is on the path.
fn chromium() -> Option<String> {
    let path = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let names = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];
    let places = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    places.into_iter().find(|place| place.is_file())?.to_str().map(str::to_owned)
}

/// Reads base64, in which pictures come.
fn base64(text: &str) -> Vec<u8> {
    const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut bytes = Vec::with_capacity(text.len() / 4 * 3);
    let (mut held, mut bits) = (0_u32, 0);
    let values = text.bytes().filter_map(|byte| LETTERS.iter().position(|letter| *letter == byte));
    for value in values {
        held = held << 6 | u32::try_from(value).expect("it is below 64");
        bits += 6;
        if bits >= 8 {
            bits -= 8;
            bytes.push((held >> bits & 0xff).try_into().expect("it is masked"));
        }
    }
    bytes
}
