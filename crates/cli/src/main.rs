//! The `regulus` command: every stage of the system, for people at a terminal and for programs.

mod args;
mod colours;
mod commands;
mod failure;
mod interrupt;
mod load;
mod output;
mod progress;

use std::io::IsTerminal as _;
use std::path::PathBuf;
use std::process::ExitCode;

use clap::Parser as _;

use args::{Cli, Command};
use failure::Failure;
use load::Loader;

fn main() -> ExitCode {
    let cli = match Cli::try_parse() {
        Ok(cli) => cli,
        Err(error) => return refuse(&error),
    };
    let status = match run(&cli) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.report(cli.json, cli.color.on(std::io::stderr().is_terminal())),
    };
    output::flush();
    status
}

/// The user's folder for what can be computed again; `None` if there is none.
fn cache_folder() -> Option<PathBuf> {
    let variable =
        |name: &str| std::env::var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let folder = variable("XDG_CACHE_HOME")
        .or_else(|| variable("LOCALAPPDATA"))
        .or_else(|| variable("HOME").map(|home| home.join(".cache")))?;
    Some(folder.join("regulus"))
}

/// Says what is wrong with the command line, or shows the help that was asked for.
fn refuse(error: &clap::Error) -> ExitCode {
    let wants_json = std::env::args().any(|word| word == "--json");
    if error.use_stderr() && wants_json {
        let message = error.render().to_string();
        let message = message.trim_start_matches("error: ").trim();
        return Failure::usage(message).report(true, false);
    }
    // If it cannot be written, it cannot be reported either.
    let _ = error.print();
    ExitCode::from(u8::try_from(error.exit_code()).unwrap_or(2))
}

fn run(cli: &Cli) -> Result<(), Failure> {
    let loader = Loader::new(cli);
    if let Some(folder) = cache_folder() {
        regulus_agents::keep_evaluations_in(&folder.join("evaluations"));
    }
    match &cli.command {
        Command::Play(args) => commands::play::run(&loader, args),
        Command::Games => commands::games::run(&loader),
        Command::Check(args) => commands::check::run(&loader, args),
        Command::Info(args) => commands::info::run(&loader, &args.game),
        Command::Lower(args) => commands::lower::run(&loader, &args.game),
        Command::Describe(args) => commands::describe::run(&loader, args),
        Command::Format(args) => commands::format::run(&loader, args),
        Command::Translate(args) => commands::translate::run(&loader, args),
        Command::Generate(args) => commands::generate::run(&loader, args),
        Command::Graph(args) => commands::graph::run(&loader, args),
        Command::Show(args) => commands::show::run(&loader, args),
        Command::Moves(args) => commands::moves::run(&loader, args),
        Command::Perft(args) => commands::perft::run(&loader, args),
        Command::Match(args) => commands::matches::run(&loader, args),
        Command::Tournament(args) => commands::tournament::run(&loader, args),
        Command::Records(args) => commands::tournament::records(&loader, args),
        Command::Merge(args) => commands::tournament::merge(&loader, args),
        Command::Engine(args) => commands::engine::run(&loader, args),
        Command::Replay(args) => commands::replay::run(&loader, args),
        Command::Analyze(args) => commands::analyze::run(&loader, args),
        Command::Eval(args) => commands::eval::run(&loader, args),
        Command::Tune(args) => commands::tune::run(&loader, args),
        Command::Train(args) => commands::train::run(&loader, args),
        Command::Nets(args) => commands::nets::run(&loader, args),
        Command::Solve(args) => commands::solve::run(&loader, args),
        Command::Bench(args) => commands::bench::run(&loader, args),
        Command::Reproduce(args) => commands::reproduce::run(&loader, args),
        Command::Uci(args) => commands::uci::run(&loader, args),
        Command::Manager(args) => commands::manager::run(&loader, args),
        Command::Serve(args) => commands::serve::run(&loader, args),
        Command::Completions { shell } => commands::completions::run(&loader, *shell),
    }
}
