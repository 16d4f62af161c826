//! `regulus completions`: scripts that let a shell complete the command line.

use clap::CommandFactory as _;
use serde_json::json;

use crate::args::Cli;
use crate::failure::Failure;
use crate::load::Loader;
use crate::output::{say, say_raw};

pub(crate) fn run(loader: &Loader, shell: clap_complete::Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "regulus", &mut script);
    let script = String::from_utf8_lossy(&script);
    if loader.json {
        say!("{}", json!({ "shell": shell.to_string(), "script": script }));
    } else {
        say_raw!("{script}");
    }
    Ok(())
}
