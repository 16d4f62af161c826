//! The nets of some bundled games, which were trained before: crates/agents/src/nets, made by `regulus train` (docs/learning.md).

use std::sync::Arc;

use regulus_game::Game;

use super::Net;
use super::NetWeights;
use super::file::is_for;
use super::inputs::NetInputs;
use crate::kept::Kept;

/// The files.
const FILES: &[&[u8]] = &[
    include_bytes!("../nets/breakthrough.safetensors"),
    include_bytes!("../nets/english_checkers.safetensors"),
    include_bytes!("../nets/reversi.safetensors"),
];

/// How many nets are kept in memory.
static NETS: Kept<Option<Arc<Net>>> = Kept::new(16);

/// Whether there is a net for a game.
pub(crate) fn has_shipped(game: &Game) -> bool {
    FILES.iter().any(|file| is_for(file, game.fingerprint()))
}

/// The net that is shipped for a game; `None` if there is none.
pub(crate) fn shipped(game: &Arc<Game>) -> Option<Arc<Net>> {
    let file = FILES.iter().find(|file| is_for(file, game.fingerprint()))?;
    NETS.get((game.fingerprint(), 0), || {
        let inputs = NetInputs::new(game).ok()?;
        let weights = NetWeights::from_bytes(&inputs, file).ok()?;
        Some(Arc::new(Net::new(Arc::new(inputs), &weights)))
    })
}

#[cfg(test)]
mod tests {
    use regulus_game::{Config, EngineKind, bundled};

    use super::*;

    #[test]
    fn every_file_is_the_net_of_a_bundled_game() {
        let config = Config { engine: EngineKind::Plan, ..Config::default() };
        let mut found = 0;
        for name in bundled::names() {
            let game = Game::load(name, &config).expect("it is bundled");
            if has_shipped(&game) {
                assert!(shipped(&game).is_some(), "the net of {name} cannot be read");
                found += 1;
            }
        }
        assert_eq!(found, FILES.len(), "a game has changed: train it again");
    }
}
