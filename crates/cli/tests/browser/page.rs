//! What a person does on the page, in terms of what is seen there: squares and buttons by their names, and sentences.

use std::ops::{Deref, DerefMut};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};

use serde_json::{Value, json};

use crate::driver::Browser;
use crate::served::Served;

/// A server with a folder of its own, where the profiles of its browsers are too. All of it is gone when it is dropped.
pub(crate) struct Room {
    name: &'static str,
    pub(crate) served: Served,
    pub(crate) folder: PathBuf,
    visitors: AtomicUsize,
}

impl Room {
    /// Starts a server. The name is that of the screenshots.
    pub(crate) fn open(name: &'static str) -> Room {
        let folder =
            std::env::temp_dir().join(format!("regulus-browser-{}-{name}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let served = Served::start(Some(&folder.join("matches.sqlite")));
        Room { name, served, folder, visitors: AtomicUsize::new(0) }
    }

    /// Where the server keeps its matches.
    pub(crate) fn data(&self) -> PathBuf {
        self.folder.join("matches.sqlite")
    }

    /// Another person comes, with a browser of their own.
    pub(crate) fn visit(&self) -> Page {
        let number = self.visitors.fetch_add(1, Ordering::Relaxed);
        let name =
            if number == 0 { self.name.to_owned() } else { format!("{}-{number}", self.name) };
        let browser = Browser::start(&name, &self.folder.join(format!("profile{number}")));
        Page { browser, origin: format!("http://{}", self.served.address) }
    }
}

impl Drop for Room {
    fn drop(&mut self) {
        // Files that are still open are gone with their process.
        self.served.kill();
        let _ = std::fs::remove_dir_all(&self.folder);
    }
}

/// A browser at our page.
pub(crate) struct Page {
    browser: Browser,
    origin: String,
}

impl Deref for Page {
    type Target = Browser;

    fn deref(&self) -> &Browser {
        &self.browser
    }
}

impl DerefMut for Page {
    fn deref_mut(&mut self) -> &mut Browser {
        &mut self.browser
    }
}

/// The place of the element `found` in the window, once it is seen, enabled and nothing lies over it.
const PLACE: &str = r#"
  const placeOf = (found) => {
    if (!found || found.disabled) return null;
    const isSeen = () => {
      const box = found.getBoundingClientRect();
      const [x, y] = [box.left + box.width / 2, box.top + box.height / 2];
      const top = document.elementFromPoint(x, y);
      return box.width > 0 && top && (found.contains(top) || top.contains(found) && top.closest("label") === found) ? [x, y] : null;
    };
    const place = isSeen();
    if (!place) found.scrollIntoView({ block: "center", inline: "center" });
    return place ?? isSeen();
  };
"#;

/// Finds what has a role of buttons and links by the name that people read or hear.
const NAMED: &str = r#"
  const [name] = arguments;
  const named = [...document.querySelectorAll("button, a, summary, [role=menuitem], [role=tab], input, select, label.check")].filter((one) => {
    const said = [one.getAttribute("aria-label"), one.textContent.trim(), one.getAttribute("placeholder")];
    return one.checkVisibility() && said.includes(name);
  });
"#;

impl Page {
    /// Opens an address of our server, such as `/invent`.
    pub(crate) fn go(&self, path: &str) {
        self.open(&format!("{}{path}", self.origin));
    }

    /// The part of the address behind the server's name.
    pub(crate) fn path(&self) -> String {
        self.address().trim_start_matches(&self.origin).to_owned()
    }

    /// Waits for the first element of a selector whose text has these words in it, and returns its whole text, with that of
    /// editors in it.
    pub(crate) fn see(&self, selector: &str, words: &str) -> String {
        let script = r#"
          const [selector, words] = arguments;
          const all = [...document.querySelectorAll(selector)].filter((one) => one.checkVisibility());
          const within = (one) => [...one.querySelectorAll(".code-holder")].map((holder) => holder.shadowRoot?.textContent ?? "");
          const whole = (one) => [one.innerText ?? one.textContent, ...within(one)].join("\n");
          return all.map(whole).find((text) => text.includes(words)) ?? null;
        "#;
        let text =
            self.wait(&format!("{selector} with “{words}”"), script, &json!([selector, words]));
        text.as_str().expect("a text").to_owned()
    }

    /// Waits for the sentence below the board to have these words in it, and returns it.
    pub(crate) fn status(&self, words: &str) -> String {
        self.see(".status p", words)
    }

    /// Presses a button, link, tab or field by its name, as soon as that is possible.
    pub(crate) fn press(&self, name: &str) {
        let script = format!("{NAMED} {PLACE} return placeOf(named[0]);");
        let place = self.wait(&format!("“{name}” to press"), &script, &json!([name]));
        self.click(pair(&place));
    }

    /// Presses an element by its selector, as soon as that is possible.
    pub(crate) fn press_element(&self, selector: &str) {
        let script = format!("{PLACE} return placeOf(document.querySelector(arguments[0]));");
        let place = self.wait(&format!("{selector} to press"), &script, &json!([selector]));
        self.click(pair(&place));
    }

    /// What screen readers say of a square.
    pub(crate) fn label(&self, square: &str) -> String {
        let label = self.run(
            &format!("{SQUARE} return squareOf(arguments[0])?.getAttribute('aria-label')"),
            &json!([square]),
        );
        label.as_str().unwrap_or_else(|| panic!("there is no square {square}")).to_owned()
    }

    /// Waits until these words are said of a square.
    pub(crate) fn square(&self, square: &str, words: &str) {
        let script = format!(
            "{SQUARE} return squareOf(arguments[0])?.getAttribute('aria-label').includes(arguments[1])"
        );
        self.wait(&format!("{square} to be “{words}”"), &script, &json!([square, words]));
    }

    /// Waits until these words are no longer said of a square.
    pub(crate) fn gone(&self, square: &str, words: &str) {
        let script = format!(
            "{SQUARE} return !squareOf(arguments[0])?.getAttribute('aria-label').includes(arguments[1])"
        );
        self.wait(&format!("{square} not to be “{words}”"), &script, &json!([square, words]));
    }

    /// Where a square is in the window.
    pub(crate) fn place(&self, square: &str) -> (f64, f64) {
        let script = format!("{SQUARE} {PLACE} return placeOf(squareOf(arguments[0]));");
        pair(&self.wait(&format!("the square {square}"), &script, &json!([square])))
    }

    /// Clicks squares in turn, each as soon as it can be chosen.
    pub(crate) fn choose(&self, squares: &[&str]) {
        for square in squares {
            self.square(square, "can be chosen");
            self.click(self.place(square));
        }
    }

    /// The squares that can be chosen, once there are some.
    pub(crate) fn choosable(&self) -> Vec<String> {
        let script = r#"
          const all = [...document.querySelectorAll(".board [data-square]")].map((one) => one.getAttribute("aria-label"));
          const can = all.filter((label) => label.endsWith("can be chosen")).map((label) => label.split(",")[0]);
          return can.length > 0 && can;
        "#;
        let squares = self.wait("squares that can be chosen", script, &json!([]));
        let squares = squares.as_array().into_iter().flatten().filter_map(Value::as_str);
        squares.map(str::to_owned).collect()
    }

    /// What stands on each square, as screen readers say it.
    pub(crate) fn position(&self) -> Value {
        let script = r#"
          const all = [...document.querySelectorAll(".board [data-square]")].map((one) => one.getAttribute("aria-label"));
          return all.map((label) => label.split(",").slice(0, 2).join());
        "#;
        self.run(script, &json!([]))
    }

    /// Waits until the list has this many moves, and returns them.
    pub(crate) fn moves(&self, number: usize) -> Vec<String> {
        let script = r#"
          const moves = [...document.querySelectorAll(".move-list button")].map((one) => one.textContent);
          return moves.length === arguments[0] ? [moves] : null;
        "#;
        let moves = self.wait(&format!("{number} moves"), script, &json!([number]));
        let moves = moves[0].as_array().into_iter().flatten().filter_map(Value::as_str);
        moves.map(str::to_owned).collect()
    }

    /// From now on the system is `dark` or `light`.
    pub(crate) fn media(&self, scheme: &str) {
        let features = json!([{ "name": "prefers-color-scheme", "value": scheme }]);
        self.devtools("Emulation.setEmulatedMedia", &json!({ "features": features }));
    }

    /// From now on the window is that of a small telephone.
    pub(crate) fn phone(&self) {
        let size = json!({ "width": 360, "height": 740, "deviceScaleFactor": 2, "mobile": false });
        self.devtools("Emulation.setDeviceMetricsOverride", &size);
        self.devtools("Emulation.setTouchEmulationEnabled", &json!({ "enabled": true }));
    }
}

/// A match in which moves were made, on a room's server.
pub(crate) struct Arranged<'a> {
    pub(crate) game: &'a str,
    pub(crate) seats: &'a [&'a str],
    pub(crate) moves: &'a [&'a str],
}

impl Arranged<'_> {
    /// Makes the moves for a browser, and shows it the match.
    pub(crate) fn show(&self, room: &Room, page: &Page) -> String {
        page.go("/about");
        let script = r#"localStorage.setItem("regulus-client", arguments[0])"#;
        let client = crate::served::client(7);
        page.run(script, &json!([client]));
        let id = room.served.create(&json!({ "name": self.game }), self.seats, &client);
        let mut socket = room.served.socket(&id, &client);
        let mut state = socket.next(&["state"]);
        for wanted in self.moves {
            let node = state["node"].clone();
            socket.send(&json!({ "type": "play", "node": node, "move": wanted }));
            state = socket.until(|state| state["node"] != node);
        }
        page.go(&format!("/m/{id}"));
        page.wait(
            "the board",
            r#"return !!document.querySelector(".board [data-square]")"#,
            &json!([]),
        );
        id
    }
}

/// Finds a square by its name.
const SQUARE: &str = r#"
  const squareOf = (name) => [...document.querySelectorAll(".board [data-square]")].find((one) => one.getAttribute("aria-label")?.split(",")[0] === name);
"#;

fn pair(place: &Value) -> (f64, f64) {
    (place[0].as_f64().expect("a number"), place[1].as_f64().expect("a number"))
}

/// Writes a file for a test.
pub(crate) fn write(folder: &Path, name: &str, text: &str) -> PathBuf {
    let path = folder.join(name);
    std::fs::write(&path, text).expect("it can be written");
    path
}
