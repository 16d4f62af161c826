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
