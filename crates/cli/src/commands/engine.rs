//! `regulus engine`: a player for another program.

use regulus_agents::PlayerSpec;

use crate::args;
use crate::failure::Failure;
use crate::load::Loader;

pub(crate) fn run(loader: &Loader, args: &args::Engine) -> Result<(), Failure> {
    let spec: PlayerSpec =
        args.player.parse().map_err(|error| Failure::usage(format!("{error}")))?;
    let game = loader.load(&args.game)?;
    let (input, output) = (std::io::stdin().lock(), std::io::stdout().lock());
    match regulus_arena::protocol::serve(&game, &spec, args.seed, input, output) {
        Ok(()) => Ok(()),
        // The other side has gone.
        Err(error) if error.kind() == std::io::ErrorKind::BrokenPipe => Ok(()),
        Err(error) => Err(Failure::bad_input(format!("cannot talk: {error}"))),
    }
}
