//! `regulus completions`: scripts that let a shell complete the command line.

use clap::CommandFactory as _;

use crate::args::Cli;
use crate::failure::Failure;
use crate::output::say_raw;

pub(crate) fn run(shell: clap_complete::Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "regulus", &mut script);
    say_raw!("{}", String::from_utf8_lossy(&script));
    Ok(())
}
