//! `regulus uci`: an engine for programs that speak UCI.

use std::path::Path;

use regulus_agents::KINDS;
use regulus_arena::uci::{MoveText, ServeConfig, serve};

use crate::args;
use crate::failure::Failure;
use crate::load::Loader;

pub(crate) fn run(loader: &Loader, args: &args::Uci) -> Result<(), Failure> {
    if KINDS.iter().all(|kind| kind.name != args.player) {
        let names: Vec<&str> = KINDS.iter().map(|kind| kind.name).collect();
        let (player, names) = (&args.player, names.join(", "));
        return Err(Failure::usage(format!("there is no player `{player}`; there are: {names}")));
    }
    let mut games = Vec::new();
    for name in &args.games {
        let game = loader.load_for_players(name)?;
        MoveText::check(&game).map_err(|reason| {
            Failure::bad_input(format!("`{name}` cannot be played by UCI: {reason}"))
        })?;
        let stem = Path::new(name).file_stem().and_then(|stem| stem.to_str()).unwrap_or(name);
        // A name in the protocol is one word.
        games.push((stem.replace(char::is_whitespace, "_"), game));
    }
    let config = ServeConfig { config: loader.config.clone(), games, player: args.player.clone() };
    serve(std::io::stdin().lock(), std::io::stdout(), config)
        .map_err(|error| Failure::bad_input(format!("cannot read: {error}")))
}
