//! Formatting changes white space only, and a formatted text stays as it is.

use std::fs;
use std::path::Path;

use regulus_lang::{Language, Source, compile, format};

const LANGUAGES: [(&str, Language); 4] = [
    ("rbg", Language::Rbg),
    ("sbg", Language::Sbg),
    ("abg", Language::Abg),
    ("metagame", Language::Metagame),
];

/// All bundled games, with their languages.
fn bundled() -> Vec<(String, String, Language)> {
    let mut games = Vec::new();
    for (folder, language) in LANGUAGES {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../games").join(folder);
        for file in fs::read_dir(folder).expect("games").flatten() {
            let name = file.file_name().to_string_lossy().into_owned();
            games.push((name, fs::read_to_string(file.path()).expect("a game"), language));
        }
    }
    games
}

fn solid(text: &str) -> String {
    text.split_whitespace().collect()
}

#[test]
fn bundled_games_keep_their_layout() {
    let (mut lines, mut moved) = (0, 0);
    for (name, text, language) in bundled() {
        let formatted = format(&text, language);
        assert_eq!(solid(&text), solid(&formatted), "{name}");
        assert_eq!(format(&formatted, language), formatted, "{name} is formatted twice");
        for (before, after) in text.lines().zip(formatted.lines()) {
            lines += 1;
            if before != after {
                moved += 1;
                eprintln!("{name}\n- {before}\n+ {after}");
            }
        }
    }
    assert!(lines > 2_000, "{lines} lines");
    assert!(moved * 100 <= lines, "{moved} of {lines} lines are moved");
}

/// However a game is indented, it is laid out the same way and stays the same game.
#[test]
fn formatting_keeps_the_game() {
    let mut compared = 0;
    for (name, text, language) in bundled() {
        // Comments over several lines and boards stay as they were drawn.
        if text.contains("/*") {
            continue;
        }
        let mangle = |(number, line): (usize, &str)| {
            let line = line.trim();
            let is_code = !line.is_empty() && !line.starts_with(['/', '%', '#']);
            let blanks = if is_code { " ".repeat(number * 7 % 5) } else { String::new() };
            format!("{blanks}{line}  \t\n{}", if line.is_empty() { "\n\n" } else { "" })
        };
        let mangled: String = text.lines().enumerate().map(mangle).collect();
        let formatted = format(&mangled, language);
        assert_eq!(format(&formatted, language), formatted, "{name} is formatted twice");
        assert_eq!(solid(&text), solid(&formatted), "{name}");
        assert!(formatted.lines().all(|line| line == line.trim_end()), "{name}");
        assert!(!formatted.contains("\n\n\n"), "{name}");
        let automaton = |text: &str| {
            let source = Source::new(name.clone(), text).in_language(language);
            let text = compile(&source).automaton.expect("a game").to_string();
            // Without the places in the text.
            let words = text.split_whitespace().filter(|word| !word.starts_with('@'));
            words.collect::<Vec<_>>().join(" ")
        };
        assert!(automaton(&text) == automaton(&formatted), "{name} is another game");
        compared += 1;
    }
    assert!(compared > 50, "{compared} games");
}

/// Half a text, which has brackets and comments that are never closed, is laid out all the same.
#[test]
fn broken_texts_are_formatted() {
    for (name, text, language) in bundled() {
        for part in 1..8 {
            let end = text.floor_char_boundary(text.len() * part / 8);
            for broken in [text[..end].to_owned(), format!("/* {}", &text[end..])] {
                let formatted = format(&broken, language);
                assert_eq!(solid(&broken), solid(&formatted), "{name}");
                assert_eq!(format(&formatted, language), formatted, "{name} is formatted twice");
            }
        }
    }
    let deep = "(".repeat(300_000);
    assert_eq!(format(&deep, Language::Rbg).len(), deep.len() + 1);
    let lines = "(\n".repeat(3_000);
    assert!(format(&lines, Language::Rbg).len() < 100_000_000);
}
