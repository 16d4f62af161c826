//! The guide to RBG: every example is a game, and its tables say what the front-end does.
//!
//! What its examples are shown to do is compared where the program is tested, by `guides.rs` of the crate `cli`.

mod guide;

use std::collections::BTreeSet;

use regulus_lang::rbg;
use regulus_lang::{Severity, Source, compile};

const GUIDE: &str = include_str!("../../../docs/languages/rbg.md");

/// A game around a part of its rules, with the names that the guide uses.
fn frame(part: &str) -> Source {
    let text = format!(
        "#players = white(100), black(100)\n#pieces = e, w, b\n#variables = n(9), m(9)\n\
         #board = rectangle(up, down, left, right, [e, w, b][b, e, e])\n\
         #rules = {{$ n == m}} ->black [$ m = 1] up ->white {part}"
    );
    Source::new("part.rbg", text)
}

/// What is said about a part of rules.
fn messages(part: &str) -> Vec<String> {
    compile(&frame(part)).diagnostics.into_iter().map(|finding| finding.message).collect()
}

/// The text of a cell that is one piece of code.
fn one_code(cell: &'static str) -> &'static str {
    cell.strip_prefix('`').and_then(|cell| cell.strip_suffix('`')).expect("one piece of code")
}

#[test]
fn examples_of_the_guide_are_games() {
    let games = guide::games(GUIDE, "rbg");
    assert!(games.len() >= 18);
    for text in &games {
        let name = text.lines().next().and_then(|line| line.strip_prefix("// "));
        let name = name.unwrap_or_else(|| panic!("no name: {text}"));
        assert!(name.ends_with(".rbg"), "{name}");
        assert_eq!(GUIDE.matches(&format!("\n// {name}\n")).count(), 1, "{name}");
        assert!(GUIDE.contains(&format!(" {name}")), "{name} is used");
        let game = compile(&Source::new("guide.rbg", *text)).automaton.expect("a game");
        assert_eq!(text.contains("//! end: "), !game.endings.at.is_empty(), "{name}");
    }
}

#[test]
fn comments_of_the_guide_have_a_meaning() {
    // For a game that has all these names.
    let rows = guide::table(GUIDE, "comment | meaning");
    assert_eq!(rows.len(), 16);
    for row in rows {
        let pragma = one_code(row[0]).replace("\\|", "|");
        let text = format!(
            "{pragma}\n#players = white(100), black(100), north(1), south(1), hounds(1), red(1)\n\
             #pieces = e, gap, lifted, amazon, archer, wPawn, wHasty, bHasty\n#variables = quiet(1), pawnsHeld(1), rounds(1)\n\
             #board = rectangle(up, down, left, right, [e, e, e][e, e, e][e, e, e])\n\
             #rules = ->white up ->> {{}}"
        );
        let found = compile(&Source::new("game.rbg", text)).diagnostics;
        let codes: Vec<&str> = found.iter().map(|finding| finding.code.id()).collect();
        let wanted = if pragma.contains("history") { "pragma-value" } else { "" };
        let expected = ["rbg-unused-name", "rbg-no-turn", wanted];
        let others = codes.iter().filter(|code| !expected.contains(code));
        assert_eq!(others.count(), 0, "{pragma}: {found:?}");
    }
}

#[test]
fn games_of_the_guide_are_the_bundled_ones() {
    let shown = |name: &str| {
        let title = format!("// {name}.rbg\n");
        let game = guide::blocks(GUIDE, "rbg").into_iter().find(|text| text.starts_with(&title));
        game.unwrap_or_else(|| panic!("no {name}"))
    };
    let words = |text: &'static str| guide::words(text, "//");
    let tic_tac_toe = include_str!("../../../games/rbg/tic_tac_toe.rbg");
    assert_eq!(words(shown("tic_tac_toe")), words(tic_tac_toe));
    let breakthrough = include_str!("../../../games/rbg/breakthrough.rbg");
    assert_eq!(words(shown("breakthrough")), words(breakthrough));
    let rows = guide::table(GUIDE, "part | what it says");
    assert!(rows.len() >= 15);
    for row in rows {
        assert!(shown("tic_tac_toe").contains(one_code(row[0])), "{}", row[0]);
    }

    let chess = words(include_str!("../../../games/rbg/chess.rbg"));
    let parts = guide::blocks(GUIDE, "rbg-part");
    assert!(parts.len() >= 9);
    for part in parts {
        let part = words(part);
        assert!(chess.windows(part.len()).any(|window| window == part), "{part:?}");
    }
}

#[test]
fn expressions_of_the_guide_are_read_as_it_says() {
    let actions = guide::table(GUIDE, "action | what it does | it fails");
    assert_eq!(actions.len(), 10);
    for action in actions.iter().flat_map(|row| guide::code(row[0])) {
        assert_eq!(messages(&format!("{action} ->>")), [""; 0], "{action}");
    }
    let expressions = guide::table(GUIDE, "expression | meaning");
    for expression in expressions.iter().flat_map(|row| guide::code(row[0])) {
        let part = format!("{} ->>", expression.replace('…', "up"));
        assert_eq!(messages(&part), [""; 0], "{expression}");
    }
    let same = guide::table(GUIDE, "written | means the same as");
    assert_eq!(same.len(), 5);
    for row in same {
        let [written, meant] = [row[0], row[1]].map(|cell| {
            let (game, found) = rbg::check(&frame(&format!("({}) ->>", one_code(cell))));
            rbg::lower_to_text(&game.unwrap_or_else(|| panic!("{cell}: {found:?}")))
        });
        assert_eq!(written, meant, "{}", row[0]);
    }
    let values = guide::table(GUIDE, "expression | value | why");
    assert_eq!(values.len(), 6);
    for row in values {
        let (expression, value) = (one_code(row[0]), one_code(row[1]));
        assert_eq!(messages(&format!("{{$ {expression} == {value}}} ->>")), [""; 0]);
        let other = messages(&format!("{{$ {expression} != {value}}} ->>"));
        assert_eq!(other, ["this comparison is never true"], "{expression}");
    }
}

#[test]
fn mistakes_of_the_guide_give_its_messages() {
    let (errors, warnings) =
        (guide::table(GUIDE, "written | message"), guide::table(GUIDE, "written | warning"));
    assert!(errors.len() >= 15 && warnings.len() >= 4);
    for (row, severity) in (errors.iter().map(|row| (row, Severity::Error)))
        .chain(warnings.iter().map(|row| (row, Severity::Warning)))
    {
        let written = one_code(row[0]);
        // A bracket that is not closed takes the end of the rules with it.
        let end =
            if written.matches('(').count() > written.matches(')').count() { "" } else { "->>" };
        let found = compile(&frame(&format!("{written} {end}"))).diagnostics;
        let is_told =
            found.iter().any(|one| (one.message.as_str(), one.severity) == (row[1], severity));
        assert!(is_told, "{written}: {found:?}");
    }
}

#[test]
fn more_is_accepted_where_the_guide_says_so() {
    let rows: Vec<Vec<&str>> = guide::table(GUIDE, "| reference | Regulus");
    let accepted =
        rows.iter().filter(|row| row[2] == "accepted").flat_map(|row| guide::code(row[0]));
    let accepted: Vec<&str> = accepted.collect();
    assert_eq!(accepted, ["{w}*", "up**", "{}"]);
    for part in &accepted[..2] {
        assert_eq!(messages(&format!("{part} ->>")), [""; 0], "{part}");
    }
    let graph = "#players = a(1)\n#pieces = e, w\n#variables =\n\
                 #board = one[e]{on: two} two[e]{}\n#rules = ->a on [w] ->> {}";
    assert!(compile(&Source::new("graph.rbg", graph)).diagnostics.is_empty());
}

#[test]
fn the_grammar_has_the_words_of_the_language() {
    let lines = guide::grammar(GUIDE);
    let quoted = lines.iter().flat_map(|line| line.split('"').skip(1).step_by(2));
    let is_word = |word: &&str| word.chars().all(|c| c.is_ascii_alphabetic());
    let words: BTreeSet<&str> = quoted.filter(is_word).collect();
    assert_eq!(words.len(), 8);
    for word in words {
        let text = frame("up ->>").text().replace("e, w, b\n", &format!("e, w, b, {word}\n"));
        let found = compile(&Source::new("game.rbg", text)).diagnostics;
        let message = format!("expected the name of a piece, found the keyword `{word}`");
        assert!(found.iter().any(|finding| finding.message == message), "{word}: {found:?}");
    }
}
