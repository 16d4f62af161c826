//! The page as people use it: in Chromium, by clicks, keys and touches. Nothing here looks into the page's modules.
//!
//! Chromium and chromedriver are found on the path, or by the variables `CHROMIUM` and `CHROMEDRIVER`. Each test has a server, a
//! folder and browsers of its own, so they run beside each other. A test also fails if the console has an error, an
//! exception was not caught, or the page showed a note in red. `REGULUS_SCREENSHOTS=FOLDER` keeps pictures of what was seen.

mod driver;
mod looks;
mod page;
#[path = "../served/mod.rs"]
mod served;

use std::time::{Duration, Instant};

use page::{Arranged, Page, Room, write};
use serde_json::json;

const CONTROL: char = '\u{e009}';
const ENTER: &str = "\u{e007}";
const ESCAPE: &str = "\u{e00c}";
const TAB: &str = "\u{e004}";
const LEFT: &str = "\u{e012}";
const UP: &str = "\u{e013}";
const RIGHT: &str = "\u{e014}";
const DOWN: &str = "\u{e015}";

/// Two persons at one browser.
const BOTH: &[&str] = &["person", "person"];

/// A test that does what a function of the same name does. Browser and driver are programs from outside, and many run at once, so
/// what fails is tried once more; a page that is wrong fails twice.
macro_rules! scenario {
    ($name:ident) => {
        mod $name {
            #[test]
            fn in_the_browser() {
                if std::panic::catch_unwind(super::$name).is_err() {
                    super::$name();
                }
            }
        }
    };
}

/// Waits for the person's turn, or for the end; gives what is said at the end.
fn turn_or_end(page: &Page) -> Option<String> {
    let script = r#"
      const said = document.querySelector(".status p")?.textContent ?? "";
      return said.startsWith("Your move") || document.querySelector(".status.over") ? [said] : null;
    "#;
    let said = page.wait("a turn or the end", script, &json!([]));
    said[0].as_str().filter(|said| !said.starts_with("Your move")).map(str::to_owned)
}

/// Clicks squares until the game is over; gives what is said then, and how many moves the person made.
fn play_to_the_end(page: &Page) -> (String, usize) {
    for own in 0.. {
        if let Some(said) = turn_or_end(page) {
            return (said, own);
        }
        let squares = page.choosable();
        page.choose(&[&squares[0]]);
        page.gone(&squares[0], "empty");
    }
    unreachable!("the board is full at some time")
}

scenario!(a_whole_game_against_the_computer_by_clicks);
fn a_whole_game_against_the_computer_by_clicks() {
    let room = Room::open("tic-tac-toe");
    let page = room.visit();
    page.go("/");
    page.press("Find a game");
    page.keys(&[], "tic-tac");
    page.see(".count", "2 of");
    page.screenshot("found");
    page.press("Tic-tac-toe");
    page.status("Your move: you play crosses.");
    page.screenshot("begins");
    let (said, own) = play_to_the_end(&page);
    assert!((3..=5).contains(&own), "{own} moves of the person");
    assert!(said.contains("three in a row") || said.contains("full"), "{said}");
    page.screenshot("over");
    let first = page.path();
    page.press("Play again");
    page.status("Your move: you play crosses.");
    assert_ne!(page.path(), first, "it is another match");
    assert_eq!(page.choosable().len(), 9);
}

scenario!(a_game_of_three_players);
fn a_game_of_three_players() {
    let room = Room::open("three-players");
    let games = room.served.get("/api/games");
    let mut games = games["games"].as_array().into_iter().flatten();
    let game = games.find(|game| game["players"].as_array().is_some_and(|all| all.len() == 3));
    let game = game.expect("there is a game of three");
    let page = room.visit();
    page.go("/");
    page.press_element("select[aria-label=Players]");
    page.keys(&[], &format!("3{ENTER}"));
    page.see(".count", " of ");
    page.press(game["title"].as_str().expect("a title"));
    page.status("Your move: you play red.");
    page.choose(&["b2"]);
    page.moves(3);
    page.status("Your move: you play red.");
    page.screenshot("round");
    let (said, _) = play_to_the_end(&page);
    assert!(said.contains("three in a row") || said.contains("full"), "{said}");
    page.screenshot("over");
}

scenario!(a_checkers_move_that_takes_two);
fn a_checkers_move_that_takes_two() {
    let room = Room::open("checkers");
    let page = room.visit();
    let moves = "e3-f4 b6-c5 c3-b4 c5-d4 g3-h4 d4-c3 b2-c3-d4 f6-g5 h4-g5-f6";
    let moves: Vec<&str> = moves.split(' ').collect();
    Arranged { game: "english_checkers", seats: BOTH, moves: &moves }.show(&room, &page);
    page.status("White to move.");
    // The man is to jump over f6 to e5, where it may go on to either side.
    page.choose(&["g7"]);
    page.status("Choose how the move goes on.");
    page.screenshot("taken-up");
    page.click(page.place("e5"));
    page.square("f4", "can be chosen");
    page.square("d4", "can be chosen");
    page.screenshot("halfway");
    page.click(page.place("g3"));
    assert_eq!(page.moves(10)[9], "g7-f6-f4-g3");
    for square in ["f6", "f4", "e5", "g7"] {
        page.square(square, "empty");
    }
    page.square("g3", "white");
    page.screenshot("taken");
}

scenario!(a_pawn_becomes_what_the_menu_at_the_square_offers);
fn a_pawn_becomes_what_the_menu_at_the_square_offers() {
    let room = Room::open("promotion");
    let page = room.visit();
    let moves = ["e2-e4", "d7-d5", "e4-d5", "c7-c6", "d5-c6", "a7-a6", "c6-b7", "a6-a5"];
    Arranged { game: "chess", seats: BOTH, moves: &moves }.show(&room, &page);
    page.choose(&["b7", "a8"]);
    page.see("[role=menu]", "");
    let script = r#"
      const items = [...document.querySelectorAll("[role=menuitem]")];
      return items.map((one) => one.getAttribute("aria-label"));
    "#;
    let offered = page.run(script, &json!([]));
    assert_eq!(offered, json!(["white queen", "white rook", "white bishop", "white knight"]));
    page.screenshot("menu");
    // Whoever looks away has chosen nothing.
    page.keys(&[], ESCAPE);
    page.square("a8", "black rook, can be chosen");
    page.choose(&["a8"]);
    page.press("white knight");
    page.square("a8", "white knight");
    assert_eq!(page.moves(9)[8], "b7-a8=wKnight");
    page.screenshot("knight");
}

scenario!(hex_to_its_end);
fn hex_to_its_end() {
    let room = Room::open("hex");
    let page = room.visit();
    let names: Vec<String> =
        (1..=7).flat_map(|row| [format!("a{row}"), format!("c{row}")]).collect();
    let moves: Vec<&str> = names.iter().map(String::as_str).collect();
    Arranged { game: "hex", seats: BOTH, moves: &moves }.show(&room, &page);
    page.screenshot("late");
    page.choose(&["a8", "c8", "a9"]);
    page.status("Blue to move.");
    page.choose(&["c9"]);
    page.status("Blue wins");
    page.square("c9", "blue stone");
    page.screenshot("over");
}

scenario!(the_steps_of_arimaa);
fn the_steps_of_arimaa() {
    let room = Room::open("arimaa");
    let page = room.visit();
    let moves = "a1=gElephant b1=gRabbit c1=gRabbit d1=gCamel e1=gRabbit f1=gRabbit g1=gHorse h1=gRabbit a2=gRabbit \
        b2=gHorse c2=gRabbit d2=gRabbit e2=gDog f2=gCat g2=gCat h2 a8=sRabbit b8=sRabbit c8=sElephant d8=sRabbit \
        e8=sRabbit f8=sCamel g8=sRabbit h8=sRabbit a7=sHorse b7=sRabbit c7=sRabbit d7=sHorse e7=sCat f7=sCat g7";
    let moves: Vec<&str> = moves.split_whitespace().collect();
    Arranged { game: "arimaa", seats: BOTH, moves: &moves }.show(&room, &page);
    // Of what is left to be set up there is one.
    page.status("Silver to move.");
    page.choose(&["h7"]);
    page.status("Gold to move.");
    for (made, step) in [["a2", "a3"], ["a3", "a4"], ["a4", "a5"]].iter().enumerate() {
        page.see(".counters", &format!("Steps made in this turn {made}"));
        page.choose(step);
        page.square(step[1], "gold rabbit");
    }
    page.see(".counters", "Steps made in this turn 3");
    page.screenshot("three-steps");
    page.choose(&["a5", "a6"]);
    page.status("Silver to move.");
    // A horse pushes the rabbit aside, for two steps; the turn may end then.
    page.choose(&["a7", "a6", "b6"]);
    page.square("b6", "gold rabbit");
    page.square("a6", "silver horse");
    page.see(".counters", "Steps made in this turn 2");
    page.screenshot("pushed");
    page.press("Pass");
    page.status("Gold to move.");
    page.moves(38);
}

/// A game with a slip of the pen in its sixth line.
const BROKEN: &str = "// Fill: whoever finds no free square loses.
#players = white(100), black(100)
#pieces = e, w, b
#variables =
#board = rectangle(up, down, left, right, [e, e, e][e, e, e])
#any = ((up* + down*)(left* + rigth*))
#rules =
    ( [$ white=0, black=100] ->white any {e} [w]
      [$ white=100, black=0] ->black any {e} [b] )*
";

scenario!(a_broken_text_is_pasted_mended_and_played);
fn a_broken_text_is_pasted_mended_and_played() {
    let room = Room::open("write");
    let page = room.visit();
    page.go("/");
    page.see(".count", "games");
    page.devtools(
        "Browser.grantPermissions",
        &json!({ "permissions": ["clipboardReadWrite", "clipboardSanitizedWrite"] }),
    );
    page.run("return navigator.clipboard.writeText(arguments[0])", &json!([BROKEN]));
    page.keys(&[CONTROL], "v");
    page.see(".diagnostics", "rigth");
    let said = page.see(".diagnostics .go", "Error");
    assert!(said.contains("6:31"), "{said}");
    let script = r#"
      const root = document.querySelector(".code-holder")?.shadowRoot;
      const marked = root?.querySelector(".cm-lintRange-error");
      const lines = [...(root?.querySelectorAll(".cm-line") ?? [])];
      return marked && [marked.textContent, lines.indexOf(marked.closest(".cm-line")) + 1];
    "#;
    let marked = page.wait("a mark in the editor", script, &json!([]));
    assert_eq!(marked, json!(["rigth", 6]));
    page.see(".hint", "The board appears when the text has no errors.");
    page.screenshot("broken");
    // Pressing what is said puts the cursor there.
    page.press_element(".diagnostics .go");
    let script = r#"
      const root = document.querySelector(".code-holder").shadowRoot;
      return (root.getSelection?.().toString() || getSelection().toString()) === "rigth";
    "#;
    page.wait("the slip to be selected", script, &json!([]));
    page.press("Fix");
    page.see(".diagnostics", "Nothing is wrong with this text.");
    page.see(".tag", "RBG");
    page.screenshot("mended");
    page.press("Play both sides");
    page.status("White to move.");
    page.choose(&["b1"]);
    page.status("Black to move.");
    page.choose(&["c2"]);
    assert_eq!(page.moves(2), ["b1", "c2"]);
    page.screenshot("played");
}

scenario!(two_people_play_and_a_third_looks_on);
fn two_people_play_and_a_third_looks_on() {
    let room = Room::open("two-browsers");
    let first = room.visit();
    first.go("/g/breakthrough_5x5");
    first.press("Start");
    first.status("Your move: you play white.");
    first.press("Change: who plays black");
    first.press("Someone else");
    first.see(".seats", "Free seat");
    first.screenshot("invites");
    let path = first.path();
    let second = room.visit();
    second.go(&path);
    second.press("Sit down");
    second.see(".strip", "you");
    first.see(".seats", "Another person");
    // It is not for the first player any more to say who plays black.
    assert_eq!(
        first.run(r#"return document.querySelectorAll(".seat-form").length"#, &json!([])),
        0
    );
    let third = room.visit();
    third.go(&path);
    third.status("You are watching.");
    first.choose(&["b2", "b3"]);
    second.status("Your move: you play black.");
    // The second player's men are at the bottom.
    let (_, far) = second.place("c1");
    let (_, near) = second.place("c5");
    assert!(near > far, "the board is turned");
    third.square("b3", "white");
    first.status("Black to move: another person thinks.");
    second.choose(&["c4", "c3"]);
    first.status("Your move: you play white.");
    first.square("c3", "black");
    third.square("c3", "black");
    third.see(".hint", "3 browsers look at this match.");
    let label = third.label("b3");
    assert!(!label.contains("can be chosen"), "{label}");
    for page in [&first, &second, &third] {
        assert_eq!(page.moves(2), ["b2-b3", "c4-c3"]);
        page.screenshot("same");
    }
}

scenario!(a_reload_in_the_middle_changes_nothing);
fn a_reload_in_the_middle_changes_nothing() {
    let room = Room::open("reload");
    let page = room.visit();
    page.go("/");
    page.press("Breakthrough (5x5)");
    page.choose(&["c2", "c3"]);
    let moves = page.moves(2);
    page.status("Your move");
    let position = page.position();
    // A piece that is only taken up is put back.
    page.choose(&["a2"]);
    page.square("a2", "selected");
    page.reload();
    page.status("Your move");
    assert_eq!(page.moves(2), moves);
    assert_eq!(page.position(), position);
    page.square("a2", "can be chosen");
    page.choose(&["a2", "b3"]);
    page.moves(4);
    // The way back leads to the library, which offers the match again.
    page.go("/");
    page.press_element(".recent a");
    page.status("Your move");
    page.moves(4);
    // The pages that were left do not count.
    let alone = r#"return [...document.querySelectorAll(".hint")].every((one) => !one.checkVisibility() || !one.textContent.includes("browsers"))"#;
    page.wait("one browser", alone, &json!([]));
    page.screenshot("again");
}

scenario!(the_server_is_killed_and_comes_back);
fn the_server_is_killed_and_comes_back() {
    let mut room = Room::open("killed");
    let mut page = room.visit();
    Arranged { game: "breakthrough_5x5", seats: BOTH, moves: &["c2-c3"] }.show(&room, &page);
    page.status("Black to move.");
    page.choose(&["b4"]);
    page.square("b4", "selected");
    page.expect("failed: Error in connection establishment: net::ERR_CONNECTION_REFUSED");
    room.served.kill();
    page.see(".offline", "The connection was lost");
    page.screenshot("offline");
    let data = room.data();
    room.served.restart(&data);
    let hidden = r#"return document.querySelector(".offline")?.hidden"#;
    page.wait("the connection", hidden, &json!([]));
    page.status("Choose how the move goes on.");
    page.choose(&["b3"]);
    page.status("White to move.");
    page.choose(&["a2", "b3"]);
    assert_eq!(page.moves(3), ["c2-c3", "b4-b3", "a2-b3"]);
    page.screenshot("back");
}

scenario!(a_game_without_a_mouse);
fn a_game_without_a_mouse() {
    let room = Room::open("keyboard");
    let page = room.visit();
    page.go("/");
    page.see(".count", "games");
    let focused = r#"const one = document.activeElement; return one?.getAttribute("aria-label") ?? one?.textContent ?? """#;
    let tab_to = |name: &str| {
        for _ in 0..40 {
            if page.run(focused, &json!([])) == name {
                return;
            }
            page.keys(&[], TAB);
        }
        panic!("the tab key does not lead to {name}");
    };
    tab_to("Find a game");
    page.keys(&[], "tic-tac");
    page.see(".count", "2 of");
    tab_to("Tic-tac-toe");
    page.keys(&[], ENTER);
    page.status("Your move");
    // On the board with the arrows.
    page.keys(&[], "b");
    page.keys(&[], &format!("{RIGHT}{UP}"));
    page.wait(
        "b2 to be focused",
        &format!("return (() => {{ {focused} }})().startsWith('b2')"),
        &json!([]),
    );
    page.screenshot("focus");
    page.keys(&[], ENTER);
    page.square("b2", "cross");
    page.moves(2);
    page.status("Your move");
    // By name, twice: the field keeps the attention while the computer thinks.
    page.keys(&[], "m");
    for number in [4, 6] {
        let free = page.choosable();
        page.keys(&[], &format!("{}{ENTER}", free[0]));
        page.square(&free[0], "cross");
        if turn_or_end(&page).is_some() {
            return;
        }
        page.moves(number);
    }
    page.keys(&[], ESCAPE);
    // The rest on the board again.
    while turn_or_end(&page).is_none() {
        let free = page.choosable();
        let at = page.run(focused, &json!([]));
        let at = at.as_str().expect("a name").as_bytes();
        let to = free[0].as_bytes();
        let steps = |from: u8, to: u8, less: &str, more: &str| {
            if to < from {
                less.repeat((from - to).into())
            } else {
                more.repeat((to - from).into())
            }
        };
        let keys = steps(at[0], to[0], LEFT, RIGHT) + &steps(at[1], to[1], DOWN, UP) + ENTER;
        page.keys(&[], &keys);
        page.gone(&free[0], "empty");
    }
    page.screenshot("over");
}

scenario!(a_small_window_shows_everything_and_is_played_by_touch);
fn a_small_window_shows_everything_and_is_played_by_touch() {
    let room = Room::open("phone");
    let page = room.visit();
    page.phone();
    looks::every_view(&page, |view| {
        page.screenshot(view);
        looks::fits(&page, view);
        looks::readable(&page, view);
    });
    page.press("Match");
    page.status("Your move");
    page.tap(page.place("d2"));
    page.square("d4", "can be chosen");
    page.tap(page.place("d4"));
    page.square("d4", "white pawn");
    page.moves(4);
    looks::fits(&page, "the match after a touch");
    page.screenshot("touched");
    // A move can be typed, too.
    page.status("Your move");
    page.press("Type a move");
    page.keys(&[], &format!("a2-a3{ENTER}"));
    page.square("a3", "white pawn");
    page.moves(6);
    looks::fits(&page, "the match after typing");
    page.screenshot("typed");
}

scenario!(a_menu_stays_within_a_small_window);
fn a_menu_stays_within_a_small_window() {
    let room = Room::open("small-menu");
    let page = room.visit();
    page.phone();
    let to_a_corner =
        ["g2-g4", "h7-h5", "g4-h5", "g7-g6", "h5-g6", "a7-a6", "g6-g7", "a6-a5"].as_slice();
    for (game, moves, squares) in
        [("arimaa", [].as_slice(), ["a1"].as_slice()), ("chess", to_a_corner, &["g7", "h8"])]
    {
        Arranged { game, seats: BOTH, moves }.show(&room, &page);
        for square in squares {
            page.square(square, "can be chosen");
            page.tap(page.place(square));
        }
        page.see("[role=menu]", "");
        let script = r#"
          const { left, right } = document.querySelector("[role=menu]").getBoundingClientRect();
          return left >= 0 && right <= innerWidth;
        "#;
        assert_eq!(page.run(script, &json!([])), true, "the menu of {game}");
        page.screenshot(game);
    }
}

scenario!(a_dark_system_gets_a_dark_page);
fn a_dark_system_gets_a_dark_page() {
    let room = Room::open("dark");
    let page = room.visit();
    page.media("dark");
    looks::every_view(&page, |view| {
        page.screenshot(view);
        looks::becomes(&page, 0..64);
        looks::readable(&page, view);
    });
    // The page follows when the system changes, and keeps to what is chosen on it.
    page.media("light");
    looks::becomes(&page, 200..256);
    page.press("Dark theme");
    looks::becomes(&page, 0..64);
    page.reload();
    page.status("Your move");
    looks::becomes(&page, 0..64);
}

scenario!(a_large_window_can_be_read);
fn a_large_window_can_be_read() {
    let room = Room::open("light");
    let page = room.visit();
    looks::every_view(&page, |view| {
        page.screenshot(view);
        looks::fits(&page, view);
        looks::readable(&page, view);
    });
}

scenario!(a_game_is_invented_and_played);
fn a_game_is_invented_and_played() {
    let room = Room::open("invent");
    let page = room.visit();
    page.go("/invent?seed=11");
    page.see(".guide", "");
    page.screenshot("made");
    let address = page.path();
    page.press("Invent another");
    page.wait(
        "another seed",
        "return location.pathname + location.search !== arguments[0]",
        &json!([address]),
    );
    page.go(&address);
    page.press("Play it");
    page.status("Your move");
    // Whatever the game is, squares that can be chosen lead to a move.
    let shown = r#"
      const squares = [...document.querySelectorAll(".board [data-square]")].map((one) => one.getAttribute("aria-label"));
      return [document.querySelectorAll(".move-list button").length, squares];
    "#;
    for _ in 0..20 {
        let before = page.run(shown, &json!([]));
        if before[0] != 0 {
            break;
        }
        let script = r#"
          const said = [...document.querySelectorAll(".board [data-square]")].map((one) => one.getAttribute("aria-label"));
          const isBegun = said.some((label) => label.endsWith("selected"));
          const can = said.filter((label) => label.endsWith("can be chosen"));
          // What is begun goes on to a free square; other pieces would be taken up instead.
          const free = can.filter((label) => label.includes("empty"));
          const labels = isBegun && free.length > 0 ? free : can;
          return labels.length > 0 && labels[labels.length - 1].split(",")[0];
        "#;
        let square = page.wait("a square that can be chosen", script, &json!([]));
        page.click(page.place(square.as_str().expect("a name")));
        let changed = format!(
            "return JSON.stringify((() => {{ {shown} }})()) !== JSON.stringify(arguments[0])"
        );
        page.wait("a change", &changed, &json!([before]));
    }
    page.see(".move-list", "1.");
    page.screenshot("played");
}

scenario!(moves_are_saved_and_loaded_again);
fn moves_are_saved_and_loaded_again() {
    let room = Room::open("transcript");
    let page = room.visit();
    let moves = ["e2-e4", "e7-e5", "g1-f3", "b8-c6", "f1-b5"];
    let id = Arranged { game: "chess", seats: BOTH, moves: &moves }.show(&room, &page);
    let folder = room.folder.join("saved");
    std::fs::create_dir_all(&folder).expect("a folder");
    let how = json!({ "behavior": "allow", "downloadPath": folder });
    page.devtools("Browser.setDownloadBehavior", &how);
    page.moves(5);
    page.press("Save moves");
    let file = folder.join(format!("chess-{id}.txt"));
    let begun = Instant::now();
    while !file.exists() {
        assert!(begun.elapsed() < Duration::from_secs(60), "no file was saved");
        std::thread::sleep(Duration::from_millis(30));
    }
    let text = std::fs::read_to_string(&file).expect("it can be read");
    assert!(text.starts_with("regulus transcript 1\n"), "{text}");
    assert_eq!(text, room.served.body(&format!("/api/matches/{id}/transcript")));
    page.go("/g/chess");
    page.press("Start");
    page.status("Your move");
    let other = page.path();
    page.choose_file("input[type=file]", &file);
    assert_eq!(page.moves(5), moves);
    assert_ne!(page.path(), other, "the moves are in a match of their own");
    page.square("b5", "white bishop");
    page.screenshot("loaded");
    // A list of moves will do.
    page.choose_file("input[type=file]", &write(&room.folder, "short.txt", "d2-d4\nd7-d5\n"));
    assert_eq!(page.moves(2), ["d2-d4", "d7-d5"]);
}

scenario!(pieces_are_dragged);
fn pieces_are_dragged() {
    let room = Room::open("drag");
    let page = room.visit();
    Arranged { game: "chess", seats: BOTH, moves: &[] }.show(&room, &page);
    page.square("e2", "can be chosen");
    let (from, to) = (page.place("e2"), page.place("e4"));
    let middle = ((from.0 + to.0) / 2.0, (from.1 + to.1) / 2.0);
    page.drag(&[from, middle, to]);
    page.square("e4", "white pawn");
    assert_eq!(page.moves(1), ["e2-e4"]);
    // Where it cannot go, it comes back.
    page.square("e7", "can be chosen");
    let (from, to) = (page.place("e7"), page.place("a3"));
    page.drag(&[from, middle, to]);
    page.square("e7", "black pawn");
    page.status("Choose how the move goes on.");
    page.screenshot("refused");
    let (from, to) = (page.place("e7"), page.place("e5"));
    page.drag(&[from, middle, to]);
    page.square("e5", "black pawn");
    assert_eq!(page.moves(2), ["e2-e4", "e7-e5"]);
    page.screenshot("dragged");
}

scenario!(the_right_button_draws_and_removes_arrows);
fn the_right_button_draws_and_removes_arrows() {
    let room = Room::open("draw");
    let page = room.visit();
    Arranged { game: "chess", seats: BOTH, moves: &[] }.show(&room, &page);
    page.square("e2", "can be chosen");
    let drawn = |arrows: usize, rings: usize| {
        let script = r#"
          const count = (one) => document.querySelectorAll(`.drawing > ${one}`).length;
          return count("g") === arguments[0] && count("circle") === arguments[1];
        "#;
        page.wait(&format!("{arrows} arrows and {rings} rings"), script, &json!([arrows, rings]));
    };
    let (from, to) = (page.place("g1"), page.place("f3"));
    page.draw(&[from, to]);
    drawn(1, 0);
    page.draw(&[page.place("e5")]);
    drawn(1, 1);
    page.screenshot("drawn");
    // No piece is taken up by it.
    page.status("White to move.");
    page.draw(&[from, to]);
    drawn(0, 1);
    page.draw(&[to, from]);
    drawn(1, 1);
    // A move leaves nothing of it.
    page.choose(&["e2"]);
    drawn(0, 0);
    page.draw(&[from, to]);
    drawn(1, 0);
    page.keys(&[], "m");
    page.keys(&[], &format!("e2-e4{ENTER}"));
    page.square("e4", "white pawn");
    drawn(0, 0);
}

scenario!(a_level_is_chosen_and_it_is_shown_what_pieces_are_worth);
fn a_level_is_chosen_and_it_is_shown_what_pieces_are_worth() {
    let room = Room::open("worth");
    let page = room.visit();
    page.go("/g/breakthrough_5x5");
    page.see(".level output", "3 · casual");
    page.press_element(".level input");
    page.keys(&[], &UP.repeat(10));
    page.see(".level output", "10 · as strong as it can");
    page.keys(&[], &LEFT.repeat(4));
    page.see(".level output", "6 · strong club player");
    page.screenshot("level");
    page.press("Start");
    page.status("Your move");
    page.see(".strip .kind", "level 6, strong club player");
    // The seats of a match have the same slider.
    page.press("Change: who plays black");
    page.see(".seats .level output", "6 · strong club player");
    page.screenshot("seat");
    page.press("Close: who plays black");
    page.choose(&["a2", "a3"]);
    page.moves(2);
    page.press("Analyse");
    page.press("Analyse this position");
    page.see(".hint", "points against");
    page.see("table.best td.number", "%");
    page.see(".worth li", ".");
    let pictures =
        r#"return document.querySelectorAll(".worths svg circle[fill-opacity]").length > 20"#;
    page.wait("pictures", pictures, &json!([]));
    page.screenshot("analysis");
    page.run(
        r#"document.querySelector(".worths").scrollIntoView({ block: "center" })"#,
        &json!([]),
    );
    page.screenshot("pictures");
    looks::fits(&page, "the analysis");
    looks::readable(&page, "the analysis");
    page.phone();
    page.media("dark");
    looks::becomes(&page, 0..64);
    page.run(
        r#"document.querySelector(".worths").scrollIntoView({ block: "center" })"#,
        &json!([]),
    );
    page.screenshot("pictures-small");
    looks::fits(&page, "the analysis on a telephone");
    looks::readable(&page, "the analysis on a telephone");
}

scenario!(a_kind_of_player_is_chosen_and_plays);
fn a_kind_of_player_is_chosen_and_plays() {
    let room = Room::open("kind");
    let page = room.visit();
    page.go("/g/breakthrough_5x5");
    let kind = r#"const list = document.querySelector("[aria-label='Kind of player']"); list.focus(); list.click();"#;
    page.press("Own settings");
    page.run(kind, &json!([]));
    page.keys(&[], "gree");
    page.see(".level output", "own settings");
    page.screenshot("settings");
    // A level takes the place of a kind, and the other way round.
    page.press_element(".level input");
    page.keys(&[], &UP.repeat(10));
    page.see(".level output", "10 · as strong as it can");
    let value = r#"return document.querySelector("[aria-label='Kind of player']").value"#;
    assert_eq!(page.run(value, &json!([])), json!("auto"));
    page.run(kind, &json!([]));
    page.keys(&[], "gree");
    page.see(".level output", "own settings");
    page.press("Start");
    page.status("Your move");
    page.see(".strip .kind", "greedy");
    page.choose(&["a2", "a3"]);
    page.moves(2);
}
