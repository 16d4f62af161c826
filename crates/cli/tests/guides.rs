//! What the README and the guides show of the program is what it says about their examples.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

#[test]
fn outputs_of_the_readme_are_true() {
    assert_eq!(compare("README.md"), 1);
}

#[test]
fn outputs_of_the_metagame_guide_are_true() {
    assert!(compare("docs/languages/metagame.md") >= 8);
}

#[test]
fn outputs_of_the_rbg_guide_are_true() {
    assert!(compare("docs/languages/rbg.md") >= 30);
}

/// The pictures of docs/pictures.md are what its commands draw. With `REGULUS_UPDATE=1` they are drawn anew.
#[test]
fn pictures_of_the_documents_are_true() {
    let folder = Path::new(ROOT).join("docs/pictures");
    let text = fs::read_to_string(Path::new(ROOT).join("docs/pictures.md")).expect("it is there");
    let commands: Vec<&str> = text
        .split('`')
        .filter(|code| code.starts_with("regulus show ") || code.starts_with("regulus graph "))
        .filter(|code| !code.contains("GAME"))
        .collect();
    assert_eq!(commands.len(), text.matches("](pictures/").count());
    let drawn = std::env::temp_dir().join(format!("regulus-pictures-{}", std::process::id()));
    fs::create_dir_all(&drawn).expect("a place for the pictures");
    for command in &commands {
        let mut words = command.split(' ').skip(1).collect::<Vec<_>>();
        let name = words.pop().expect("the name of a file");
        let path = drawn.join(name);
        let run = Command::new(env!("CARGO_BIN_EXE_regulus")).args(words).arg(&path).output();
        assert!(run.expect("it runs").status.success(), "{command}");
        let picture = fs::read_to_string(&path).expect("it was drawn");
        assert!(text.contains(&format!("](pictures/{name})")), "{name}");
        if std::env::var_os("REGULUS_UPDATE").is_some() {
            fs::write(folder.join(name), picture).expect("it can be written");
        } else {
            let known = fs::read_to_string(folder.join(name)).expect("it is in the folder");
            assert!(known == picture, "{name} is not what `{command}` draws");
        }
    }
    fs::remove_dir_all(&drawn).expect("it was made");
    assert!(commands.len() >= 10);
}

/// Runs the commands of a document and compares what it shows; answers how many they are.
///
/// With `REGULUS_UPDATE=1` what is said now is written to the document.
fn compare(document: &str) -> usize {
    let path = Path::new(ROOT).join(document);
    let written = fs::read_to_string(&path).expect("the document is there");
    let name = format!("regulus-guide-{}-{}", document.replace('/', "-"), std::process::id());
    let mut replay = Replay { folder: std::env::temp_dir().join(name), commands: 0 };
    fs::create_dir_all(&replay.folder).expect("a place for the examples");
    let found = replay.document(&written);
    fs::remove_dir_all(&replay.folder).expect("it was made");
    if std::env::var_os("REGULUS_UPDATE").is_some() {
        fs::write(path, found).expect("the document can be written");
    } else {
        for (number, (written, found)) in (1..).zip(written.lines().zip(found.lines())) {
            assert_eq!(written, found, "{document}:{number}");
        }
        assert_eq!(written, found);
    }
    replay.commands
}

struct Replay {
    /// Where the examples are files.
    folder: PathBuf,
    /// How many commands were run.
    commands: usize,
}

impl Replay {
    /// The document with everything that the program is shown to say replaced by what it says.
    fn document(&mut self, document: &str) -> String {
        let mut blocks = document.split("```");
        let mut result = blocks.next().unwrap_or_default().to_owned();
        while let (Some(block), prose) = (blocks.next(), blocks.next().unwrap_or_default()) {
            let (mark, text) = block.split_once('\n').expect("a mark and a text");
            let text = match mark {
                "text" => self.answers(text),
                _ => {
                    self.example(mark, text);
                    text.to_owned()
                }
            };
            let _ = write!(result, "```{mark}\n{text}```{prose}");
        }
        result
    }

    /// Makes a file of an example, named by the last word of its first line: `GAME corridor` or `// walk.rbg`.
    fn example(&self, mark: &str, text: &str) {
        let extension = mark.split('-').next().unwrap_or_default();
        let title = text.lines().next().and_then(|line| line.split(' ').next_back());
        let name = title.unwrap_or_default().trim_end_matches(&format!(".{extension}"));
        if !name.is_empty() && name.chars().all(|c| c.is_alphanumeric() || c == '_') {
            let file = self.folder.join(format!("{name}.{extension}"));
            fs::write(file, text).expect("the folder is there");
        }
    }

    /// A block in which commands stand above what they say; what comes before the first stays as it is.
    fn answers(&mut self, text: &str) -> String {
        let mut parts = text.split("$ regulus ");
        let mut result = parts.next().unwrap_or_default().to_owned();
        for part in parts {
            let (command, written) = part.split_once('\n').expect("a command is a line");
            // A game needs a person to play it.
            let said = if command.starts_with("play ") {
                written.to_owned()
            } else {
                self.commands += 1;
                abridged(&self.run(command), written)
            };
            let _ = write!(result, "$ regulus {command}\n{said}");
        }
        result
    }

    /// What the program says, complaints first.
    fn run(&self, command: &str) -> String {
        let mut words = Vec::new();
        for (number, part) in command.split(['"', '\'']).enumerate() {
            if number % 2 == 0 {
                words.extend(part.split_whitespace());
            } else {
                words.push(part);
            }
        }
        let mut program = Command::new(env!("CARGO_BIN_EXE_regulus"));
        let output = program.args(words).current_dir(&self.folder).output();
        let output = output.expect("the program starts");
        let said = [output.stderr, output.stdout].concat();
        String::from_utf8(said).expect("UTF-8")
    }
}

/// What is said, cut where the document cuts it: a line that ends with `…` goes on, and after a line `…` others follow.
/// Spaces at the ends of lines are left out.
fn abridged(said: &str, written: &str) -> String {
    let mut written = written.lines();
    let mut result = String::new();
    for said in said.lines().map(str::trim_end) {
        let written = written.next().unwrap_or_default();
        let is_cut = written.strip_suffix('…').is_some_and(|start| said.starts_with(start));
        let _ = writeln!(result, "{}", if is_cut { written } else { said });
        if written == "…" {
            break;
        }
    }
    result
}
