//! Reading the guides of docs/languages: their examples, their tables and what is written in code.

#![allow(dead_code, reason = "every test file uses a part of it")]

use regulus_lang::{Code, Source, compile};

/// The blocks of a guide with this mark.
pub(crate) fn blocks<'a>(guide: &'a str, mark: &str) -> Vec<&'a str> {
    let mark = format!("```{mark}\n");
    let parts = guide.split(&mark).skip(1);
    parts.map(|part| part.split("```").next().unwrap_or_default()).collect()
}

/// The examples of a guide: the blocks of a language, which are games with nothing to be said about,
/// except that some in ABG show pieces and not who wins.
pub(crate) fn games<'a>(guide: &'a str, language: &str) -> Vec<&'a str> {
    let games = blocks(guide, language);
    assert!(!games.is_empty(), "no {language}");
    for text in &games {
        let compilation = compile(&Source::new(format!("guide.{language}"), *text));
        let mut findings = compilation.diagnostics.iter();
        assert!(
            compilation.automaton.is_some() && findings.all(|one| one.code == Code::AbgNoWinner),
            "{text}\n{:?}",
            compilation.diagnostics
        );
    }
    games
}

/// The rows of a guide's table with this head, as the texts of their cells.
pub(crate) fn table<'a>(guide: &'a str, head: &str) -> Vec<Vec<&'a str>> {
    let head = format!("\n| {head} |\n");
    let (_, rest) = guide.split_once(&head).unwrap_or_else(|| panic!("no table {head}"));
    let rows = rest.lines().skip(1).map_while(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
    rows.map(|row| row.split(" | ").map(str::trim).collect()).collect()
}

/// The lines of a guide's grammar.
pub(crate) fn grammar(guide: &str) -> Vec<&str> {
    let (_, rest) = guide.split_once(". Grammar\n").expect("a section with the grammar");
    let section = rest.split("\n## ").next().unwrap_or_default();
    section.lines().filter(|line| line.starts_with("    ")).collect()
}

/// What is written in code in a text.
pub(crate) fn code(text: &str) -> impl Iterator<Item = &str> {
    text.split('`').skip(1).step_by(2)
}

/// The words of a game without its comments, which begin with a sign.
pub(crate) fn words<'a>(text: &'a str, comment: &str) -> Vec<&'a str> {
    let lines = text.lines().map(|line| line.split(comment).next().unwrap_or_default());
    lines.flat_map(str::split_whitespace).collect()
}
