//! `regulus completions`: scripts that let a shell complete the command line.

use clap::CommandFactory as _;

use crate::args::Cli;
use crate::failure::Failure;

pub(crate) fn run(shell: clap_complete::Shell) -> Result<(), Failure> {
    clap_complete::generate(shell, &mut Cli::command(), "regulus", &mut std::io::stdout());
    Ok(())
}
