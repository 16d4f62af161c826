//! The options of `regulus uci`.

use clap::Args;

#[derive(Debug, Args)]
pub(crate) struct Uci {
    /// More games to offer as variants, by path or bundled name; their moves have to go from a square to another
    #[arg(value_name = "GAME")]
    pub(crate) games: Vec<String>,

    /// The player that thinks at first; the option `Player` changes it
    #[arg(long, value_name = "KIND", default_value = "auto")]
    pub(crate) player: String,
}
