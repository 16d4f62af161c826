//! Writing to standard output and standard error: the one place, because a reader may go away (as `head` does) and the standard macros
//! panic then.

use std::fmt::Arguments;
use std::io::{ErrorKind, Write as _};
use std::path::Path;

use crate::failure::Failure;

/// Prints a line.
macro_rules! say {
    ($($words:tt)*) => {
        $crate::output::write(format_args!("{}\n", format_args!($($words)*)))
    };
}

/// Prints as it is.
macro_rules! say_raw {
    ($($words:tt)*) => {
        $crate::output::write(format_args!($($words)*))
    };
}

/// Prints to standard error as it is.
macro_rules! complain {
    ($($words:tt)*) => {
        $crate::output::write_error(format_args!($($words)*))
    };
}

pub(crate) use {complain, say, say_raw};

/// Prints; ends the program if the output is closed.
pub(crate) fn write(words: Arguments<'_>) {
    finish(std::io::stdout().write_fmt(words));
}

/// Prints to standard error; a message that cannot be written is lost.
pub(crate) fn write_error(words: Arguments<'_>) {
    let _ = std::io::stderr().write_fmt(words);
}

/// Writes a file.
pub(crate) fn write_file(path: &Path, text: &str) -> Result<(), Failure> {
    std::fs::write(path, text)
        .map_err(|error| Failure::bad_input(format!("cannot write {}: {error}", path.display())))
}

/// A text with its lines broken between words, so that none is wider than a terminal, where that can be.
pub(crate) fn wrapped(text: &str, width: usize) -> String {
    let mut lines: Vec<String> = Vec::new();
    for line in text.split('\n') {
        let indent = line.len() - line.trim_start().len();
        let mut current = line[..indent].to_owned();
        for word in line.split_whitespace() {
            let is_first = current.trim().is_empty();
            let length = console::measure_text_width(&current) + console::measure_text_width(word);
            if !is_first && length >= width {
                lines.push(std::mem::replace(&mut current, " ".repeat(indent)));
            } else if !is_first {
                current.push(' ');
            }
            current.push_str(word);
        }
        lines.push(current);
    }
    lines.join("\n")
}

/// Makes sure that everything printed has arrived.
pub(crate) fn flush() {
    finish(std::io::stdout().flush());
}

fn finish(outcome: std::io::Result<()>) {
    match outcome {
        Ok(()) => {}
        Err(error) if error.kind() == ErrorKind::BrokenPipe => std::process::exit(0),
        Err(error) => {
            complain!("error: cannot write: {error}\n");
            std::process::exit(1);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::wrapped;

    #[test]
    fn long_lines_are_broken_between_words() {
        assert_eq!(wrapped("  one two three\nfour", 10), "  one two\n  three\nfour");
        assert_eq!(wrapped("\x1b[1mone\x1b[0m two", 8), "\x1b[1mone\x1b[0m two");
        assert_eq!(wrapped("unbreakable word", 4), "unbreakable\nword");
        assert_eq!(wrapped("", 4), "");
    }
}
