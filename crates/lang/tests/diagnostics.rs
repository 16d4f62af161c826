//! Runs `diagnostics_*.md`: every text in them must give exactly the findings written below it.

use std::collections::BTreeSet;
use std::fmt::Write;

use regulus_lang::{Code, Diagnostic, Language, MAX_SOURCE, Severity, Source, compile, render};

const FILES: [&str; 4] = [
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/diagnostics_rbg.md"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/diagnostics_sbg.md"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/diagnostics_abg.md"),
    concat!(env!("CARGO_MANIFEST_DIR"), "/tests/diagnostics_metagame.md"),
];

/// What needs a name or a size that a block of text does not have; tested further down.
const ELSEWHERE: [Code; 4] =
    [Code::UnknownLanguage, Code::SourceTooLarge, Code::MoreProblems, Code::PragmaLimit];

#[test]
fn texts_give_the_findings_below_them() {
    for file in FILES {
        let written = std::fs::read_to_string(file).expect("the file is there");
        let found = replay(&written);
        if std::env::var_os("REGULUS_UPDATE").is_some() {
            std::fs::write(file, &found).expect("the file can be written");
        } else {
            for (written, found) in written.lines().zip(found.lines()) {
                assert_eq!(written, found);
            }
            assert_eq!(written, found);
        }
    }
}

#[test]
fn every_code_has_a_text_that_causes_it() {
    let files = FILES.map(|file| std::fs::read_to_string(file).expect("the file is there"));
    let written = files.join("\n");
    for code in Code::ALL {
        // Bugs of the front-end have no text, and what happens in play is not found in one.
        let without_text = matches!(code, Code::Internal | Code::RunTime | Code::KeeperChoice);
        if without_text || ELSEWHERE.contains(code) {
            continue;
        }
        let heading = format!("\n## {}\n\n{}\n", code.id(), code.meaning());
        let section = written.split_once(&heading).unwrap_or_else(|| panic!("no {heading}")).1;
        let section = section.split("\n## ").next().expect("there is a first part");
        assert!(section.contains(&format!(" {}: ", code.id())), "no example of {}", code.id());
    }
    let headings = written.lines().filter_map(|line| line.strip_prefix("## "));
    let known: BTreeSet<&str> = Code::ALL.iter().map(|code| code.id()).collect();
    headings.for_each(|heading| assert!(known.contains(heading), "{heading} is no code"));
}

/// The file with every `text` block replaced by what is said about the block of a language before it.
fn replay(file: &str) -> String {
    let mut result = String::new();
    let mut block: Option<(&str, String)> = None;
    let mut findings = String::new();
    for line in file.lines() {
        match &mut block {
            None => {
                block = line.strip_prefix("```").map(|language| (language, String::new()));
                writeln!(result, "{line}").expect("strings take everything");
            }
            Some((language @ ("rbg" | "sbg" | "abg" | "game"), text)) if line == "```" => {
                findings = describe(&Source::new(format!("game.{language}"), text.as_str()));
                writeln!(result, "{text}```").expect("strings take everything");
                block = None;
            }
            Some(("text", _)) if line == "```" => {
                writeln!(result, "{findings}```").expect("strings take everything");
                block = None;
            }
            Some((_, text)) => writeln!(text, "{line}").expect("strings take everything"),
        }
    }
    result
}

fn describe(source: &Source) -> String {
    let compilation = compile(source);
    let errors = compilation.diagnostics.iter().any(|d| d.severity == Severity::Error);
    assert_eq!(compilation.automaton.is_none(), errors, "an automaton exactly without errors");
    // Whatever is found can also be drawn.
    assert!(!render(&compilation.diagnostics, source, true).is_empty(), "{}", source.text());
    compilation.diagnostics.iter().map(|diagnostic| describe_one(diagnostic, source)).collect()
}

fn describe_one(diagnostic: &Diagnostic, source: &Source) -> String {
    let place = |span: regulus_lang::Span| {
        let position = source.position(span.start);
        format!("{}:{}", position.line, position.column)
    };
    let severity = format!("{:?}", diagnostic.severity).to_lowercase();
    let at = place(diagnostic.primary.span);
    let mut text = format!("{severity} {at} {}: {}\n", diagnostic.code.id(), diagnostic.message);
    for label in &diagnostic.secondary {
        text += &format!("    {}: {}\n", place(label.span), label.text);
    }
    if let Some(help) = &diagnostic.help {
        text += &format!("    help: {help}\n");
    }
    text
}

fn codes(source: &Source) -> Vec<Code> {
    compile(source).diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

#[test]
fn languages_are_chosen_by_the_extension() {
    let source = Source::new("chess.xyz", "");
    assert_eq!(codes(&source), [Code::UnknownLanguage]);
    assert!(render(&compile(&source).diagnostics, &source, false).contains(".rbg"));
    assert_eq!(codes(&Source::new("chess.rbg", "")), [Code::EmptyFile]);
    assert_eq!(codes(&Source::new("CHESS.RBG", "")), [Code::EmptyFile]);
    assert_eq!(codes(&Source::new("chess", "")), [Code::EmptyFile]);
}

#[test]
fn byte_order_marks_are_skipped() {
    assert_eq!(codes(&Source::new("chess.rbg", "\u{FEFF}")), [Code::EmptyFile]);
    let source = Source::new("chess.rbg", "\u{FEFF}@");
    let diagnostics = compile(&source).diagnostics;
    assert_eq!(source.position(diagnostics[0].primary.span.start).column, 1);
    assert!(render(&diagnostics, &source, false).contains("chess.rbg:1:1"));
}

#[test]
fn a_comment_that_never_ends_makes_no_empty_file() {
    assert_eq!(codes(&Source::new("chess.rbg", "/* #players")), [Code::UnterminatedComment]);
}

#[test]
fn large_texts_are_refused() {
    let source = Source::new("large.rbg", " ".repeat(MAX_SOURCE + 1));
    assert_eq!(codes(&source), [Code::SourceTooLarge]);
}

#[test]
fn the_number_of_findings_is_bounded() {
    let source = Source::new("bad.rbg", "#rules = ".to_owned() + &") up ".repeat(1000));
    let codes = codes(&source);
    assert_eq!(codes.len(), 101);
    assert_eq!(codes[100], Code::MoreProblems);
}

#[test]
fn pragma_comments_are_bounded() {
    let game = "#players = a(1)\n#pieces = e\n#variables =\n\
                #board = rectangle(u, d, l, r, [e])\n#rules = ->a {e} [e] ->> {}\n";
    let codes = |pragmas: &str| codes(&Source::new("game.rbg", format!("{game}{pragmas}")));
    assert_eq!(codes(&format!("//! stuck: {}", " ".repeat(40_000))), [Code::PragmaValue]);
    assert_eq!(codes(&format!("//! stuck: {}", "a".repeat(40_000))), [Code::PragmaValue]);
    assert_eq!(codes(&format!("//! stuck: {}", "a".repeat(60_000))), [Code::PragmaLimit]);
    assert_eq!(codes(&format!("//! {}", ",".repeat(40_000))), [Code::PragmaUnknown]);
    let many = codes(&"//! empty: e\n".repeat(10_001));
    assert_eq!(many.len(), 101);
    assert_eq!(many[0], Code::PragmaRepeated);
    let quiet = format!("//! empty:{}", " e,".repeat(10_000) + " e");
    assert_eq!(codes(&quiet), []);
}

#[test]
fn texts_without_extension_are_recognised_by_their_words() {
    let games = concat!(env!("CARGO_MANIFEST_DIR"), "/../../games");
    let mut recognised = 0;
    for (folder, language) in [
        ("rbg", Language::Rbg),
        ("sbg", Language::Sbg),
        ("abg", Language::Abg),
        ("metagame", Language::Metagame),
    ] {
        for file in std::fs::read_dir(format!("{games}/{folder}")).expect("the games are there") {
            let path = file.expect("a game").path();
            let text = std::fs::read_to_string(&path).expect("a text");
            let found = Language::of(&Source::new("-", text.as_str()));
            assert_eq!(found, Ok(language), "{}", path.display());
            let said = Source::new("-", text).in_language(Language::Rbg);
            assert_eq!(Language::of(&said), Ok(Language::Rbg));
            recognised += 1;
        }
    }
    assert!(recognised >= 45);
    let both = Source::new("-", "#players = a(1)\n<BOARD>\n");
    assert_eq!(codes(&both), [Code::UnknownLanguage]);
}
