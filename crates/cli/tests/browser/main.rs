//! The page as people use it: in Chromium, by clicks, keys and touches. Nothing here looks into the page's modules.
//!
//! Chromium and chromedriver are found on the path, or by the variables `CHROMIUM` and `CHROMEDRIVER`. Each test has a server, a
//! folder and browsers of its own, so they run beside each other. A test also fails if the console has an error, an
//! exception was not caught, or the page showed a note in red. `REGULUS_SCREENSHOTS=FOLDER` keeps pictures of what was seen.

mod driver;
mod page;
#[path = "../served/mod.rs"]
mod served;

use page::Room;

#[test]
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
    let over = |page: &page::Page| {
        let script = r#"
          const said = document.querySelector(".status p").textContent;
          return said.startsWith("Your move") || document.querySelector(".status.over") ? [said] : null;
        "#;
        let said = page.wait("a turn or the end", script, &serde_json::json!([]));
        said[0].as_str().filter(|said| !said.starts_with("Your move")).map(str::to_owned)
    };
    let mut own = 0;
    let said = loop {
        if let Some(said) = over(&page) {
            break said;
        }
        let squares = page.choosable();
        page.choose(&[&squares[0]]);
        own += 1;
        page.square(&squares[0], "cross");
    };
    assert!((3..=5).contains(&own), "{own} moves of the person");
    assert!(said.contains("three in a row") || said.contains("full"), "{said}");
    page.screenshot("over");
    let match_path = page.path();
    page.press("Play again");
    page.status("Your move: you play crosses.");
    assert_ne!(page.path(), match_path, "another match");
    assert_eq!(page.choosable().len(), 9);
}
