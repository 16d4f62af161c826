//! `regulus engine`: a player for another program.

use std::sync::Arc;

use regulus_agents::PlayerSpec;
use regulus_game::Game;

use crate::args;
use crate::failure::Failure;
use crate::load::Loader;

pub(crate) fn run(loader: &Loader, args: &args::Engine) -> Result<(), Failure> {
    let game = loader.load_for_players(&args.game)?;
    let spec = player(&args.player, &game)?;
    let (input, output) = (std::io::stdin().lock(), std::io::stdout().lock());
    match regulus_arena::protocol::serve(&game, &spec, args.seed, input, output) {
        Ok(()) => Ok(()),
        // The other side has gone.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::bad_input(format!("cannot talk: {error}"))),
    }
}

/// The player that is named, which must be able to play a game.
pub(crate) fn player(name: &str, game: &Arc<Game>) -> Result<PlayerSpec, Failure> {
    let spec = PlayerSpec::read(name).map_err(|error| Failure::usage(error.to_string()))?;
    spec.check(game).map_err(|error| Failure::bad_input(error.to_string()))?;
    Ok(spec)
}
