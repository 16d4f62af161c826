//! Where moves and orders come from: a terminal with completion and history, or a pipe, line by line.

use std::io::{BufRead as _, IsTerminal as _, Read as _};

use rustyline::completion::Completer;
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{CompletionType, Config, Context, Editor, Helper};

use crate::failure::{Failure, visible};
use crate::output::{self, say};

/// Longer lines from a pipe are cut.
const LONGEST_LINE: u64 = 1 << 16;

const SIGN: &str = "> ";

/// Where moves and orders come from.
pub(super) enum Prompt {
    /// A person at a terminal.
    Terminal(Box<Editor<Completion, MemHistory>>),
    /// A pipe or a file; the first line is read already. Lines are shown as if they had been typed, unless data is printed.
    Pipe { next: Option<String>, is_quiet: bool },
}

impl Prompt {
    /// Standard input, which a terminal's screen must belong to if it is a terminal.
    pub(super) fn open(is_quiet: bool) -> Result<Prompt, Failure> {
        if !std::io::stdin().is_terminal() {
            return Ok(Prompt::Pipe { next: read_line()?, is_quiet });
        }
        if is_quiet || !std::io::stdout().is_terminal() {
            return Ok(Prompt::Pipe { next: None, is_quiet });
        }
        let config = Config::builder().completion_type(CompletionType::List).build();
        let history = MemHistory::with_config(&config);
        let editor = Editor::with_history(config, history);
        let mut editor = editor.map_err(cannot_read)?;
        editor.set_helper(Some(Completion::default()));
        Ok(Prompt::Terminal(Box::new(editor)))
    }

    pub(super) fn is_terminal(&self) -> bool {
        matches!(self, Prompt::Terminal(_))
    }

    /// Whether there is nobody to ask.
    pub(super) fn is_at_end(&self) -> bool {
        matches!(self, Prompt::Pipe { next: None, .. })
    }

    /// The next line; `None` at the end of the input or when the user wants to leave. `words` are what can be completed.
    pub(super) fn ask(&mut self, words: Vec<String>) -> Result<Option<String>, Failure> {
        output::flush();
        match self {
            Prompt::Terminal(editor) => {
                editor.set_helper(Some(Completion { words }));
                match editor.readline(SIGN) {
                    Ok(line) => {
                        if !line.trim().is_empty() {
                            // Only that it could not be kept for later: nothing to tell anyone.
                            let _ = editor.add_history_entry(line.trim());
                        }
                        Ok(Some(line))
                    }
                    Err(ReadlineError::Eof | ReadlineError::Interrupted) => Ok(None),
                    Err(error) => Err(cannot_read(error)),
                }
            }
            Prompt::Pipe { next, is_quiet } => {
                let Some(line) = next.take() else { return Ok(None) };
                *next = read_line()?;
                if !*is_quiet {
                    say!("{SIGN}{}", visible(&line));
                }
                Ok(Some(line))
            }
        }
    }
}

/// A line of standard input; `None` at its end.
fn read_line() -> Result<Option<String>, Failure> {
    let mut line = Vec::new();
    let read = std::io::stdin().lock().take(LONGEST_LINE).read_until(b'\n', &mut line);
    let read = read.map_err(cannot_read)?;
    Ok((read > 0).then(|| String::from_utf8_lossy(&line).trim().to_owned()))
}

fn cannot_read(error: impl std::fmt::Display) -> Failure {
    Failure::bad_input(format!("cannot read: {error}"))
}

/// Completes orders and the names of moves, one square at a time.
#[derive(Default)]
pub(super) struct Completion {
    words: Vec<String>,
}

impl Completion {
    /// What the beginning of a line can become: up to the end of the word, or to its next `-`.
    fn continued(&self, typed: &str) -> Vec<String> {
        let typed = typed.trim_start().to_lowercase();
        let plain = |text: &str| text.to_lowercase().replace('-', "");
        let begins: Vec<&String> =
            self.words.iter().filter(|word| word.to_lowercase().starts_with(&typed)).collect();
        let mut found: Vec<String> = if begins.is_empty() {
            // `d2d` for `d2-d3`.
            let like = self.words.iter().filter(|word| plain(word).starts_with(&plain(&typed)));
            like.cloned().collect()
        } else {
            let cut = |word: &&String| match word.get(typed.len()..).and_then(|rest| rest.find('-'))
            {
                Some(at) if at > 0 => word[..typed.len() + at].to_owned(),
                _ => next_square(word, typed.len()),
            };
            begins.iter().map(cut).collect()
        };
        found.sort();
        found.dedup();
        found
    }
}

/// A word up to the end of the square that begins behind the `-` at `at`.
fn next_square(word: &str, at: usize) -> String {
    let rest = word.get(at + 1..).unwrap_or_default();
    let end = rest.find('-').map_or(word.len(), |length| at + 1 + length);
    word[..end].to_owned()
}

impl Completer for Completion {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok((0, self.continued(&line[..at])))
    }
}

impl Hinter for Completion {
    type Hint = String;
}

impl Highlighter for Completion {}

impl Validator for Completion {}

impl Helper for Completion {}

#[cfg(test)]
mod tests {
    use super::Completion;

    #[test]
    fn moves_are_completed_square_by_square() {
        let words = ["d1-d2-a2", "d1-d2-b2", "d1-c1-a1", "undo", "e2-e4"];
        let completion = Completion { words: words.map(str::to_owned).to_vec() };
        assert_eq!(completion.continued("d"), ["d1"]);
        assert_eq!(completion.continued("D1"), ["d1-c1", "d1-d2"]);
        assert_eq!(completion.continued("d1-"), ["d1-c1", "d1-d2"]);
        assert_eq!(completion.continued("d1-d"), ["d1-d2"]);
        assert_eq!(completion.continued("d1-d2-"), ["d1-d2-a2", "d1-d2-b2"]);
        assert_eq!(completion.continued("e2e"), ["e2-e4"]);
        assert_eq!(completion.continued("u"), ["undo"]);
        assert_eq!(completion.continued("ü"), Vec::<String>::new());
    }
}
