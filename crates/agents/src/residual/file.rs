//! Residual nets as files in the format safetensors. Files are not trusted.

use std::path::Path;

use regulus_game::Game;

use super::weights::{ResidualShape, ResidualWeights};
use crate::net::BadNet;
use crate::net::file::{check_note, read_bytes, read_lists, read_note, write_lists};

/// The version of the files. It changes when the same weights would mean something else.
const VERSION: &str = "1";

/// What files are known by: version, game, shape and name.
const NOTE: &str = "regulus_residual_net";

/// The largest net that is read.
const MOST_FILTERS: usize = 512;
const MOST_BLOCKS: usize = 64;

impl ResidualWeights {
    /// The bytes of a file with these weights. The same weights give the same bytes.
    ///
    /// # Errors
    ///
    /// If the format cannot hold them.
    pub fn to_bytes(&self, game: &Game, name: &str) -> Result<Vec<u8>, BadNet> {
        let ResidualShape { planes, height, width, filters, blocks, choices, is_normed } =
            self.shape;
        let note = format!(
            "{VERSION} {:016x} {planes} {height} {width} {filters} {blocks} {choices} {} {name}",
            game.fingerprint(),
            u8::from(is_normed)
        );
        let layers = self.layers();
        let lists: Vec<(String, &[f32])> = layers
            .iter()
            .flat_map(|(layer, weights)| {
                let lists = weights.lists().into_iter().filter(|(_, list)| !list.is_empty());
                lists.map(move |(name, list)| (format!("{layer}.{name}"), &list[..]))
            })
            .collect();
        write_lists(NOTE, note, &lists)
    }

    /// Reads the weights of a net of a game from a file; `None` if the file has a net of another kind, or none.
    ///
    /// # Errors
    ///
    /// If it cannot be read, or is the net of another game.
    pub fn read(game: &Game, path: &Path) -> Result<Option<ResidualWeights>, BadNet> {
        let bytes = read_bytes(path)?;
        ResidualWeights::from_bytes(game, &bytes)
            .map_err(|problem| BadNet::new(path, &problem.to_string()))
    }

    /// The weights of a net of a game that the bytes of a file hold; `None` if it has a net of another kind, or none.
    ///
    /// # Errors
    ///
    /// If it is damaged, or the net of another game.
    pub fn from_bytes(game: &Game, bytes: &[u8]) -> Result<Option<ResidualWeights>, BadNet> {
        let Some(note) = read_note(bytes, NOTE)? else { return Ok(None) };
        let (numbers, _) = check_note(&note, VERSION, game.fingerprint(), 7)?;
        let bad = |problem: &str| Err(BadNet::of(problem));
        let Ok(small) = ResidualShape::small(game) else {
            return bad("the game cannot have such a net");
        };
        let &[planes, height, width, filters, blocks, choices, normed] = numbers.as_slice() else {
            return bad("the note of the net is damaged");
        };
        if [planes, height, width] != [small.planes, small.height, small.width] {
            return bad("the net sees other planes than positions of this game have");
        }
        if choices != 0 && choices != small.choices {
            return bad("the net knows other choices than the moves of this game have");
        }
        if !(1..=MOST_FILTERS).contains(&filters) || !(1..=MOST_BLOCKS).contains(&blocks) {
            return bad("a net has 1 to 512 filters and 1 to 64 blocks");
        }
        let shape = ResidualShape { filters, blocks, choices, is_normed: normed == 1, ..small };
        let mut weights = ResidualWeights::zero(shape);
        let names: Vec<String> = weights.layers().into_iter().map(|(name, _)| name).collect();
        let mut lists = Vec::new();
        for (layer, weights) in names.iter().zip(weights.layers_mut()) {
            let names = weights.lists().map(|(name, _)| format!("{layer}.{name}"));
            let both = names.into_iter().zip(weights.lists_mut());
            lists.extend(both.filter(|(_, list)| !list.is_empty()));
        }
        read_lists(bytes, lists)?;
        let layers = weights.layers();
        if layers.iter().any(|(_, layer)| layer.variance.iter().any(|variance| *variance < 0.0)) {
            return bad("the net has a negative variance");
        }
        Ok(Some(weights))
    }
}

#[cfg(test)]
mod tests {
    use regulus_game::{Config, EngineKind};

    use super::*;

    #[test]
    fn what_is_written_can_be_read_and_nothing_else() {
        let config = Config { engine: EngineKind::Plan, ..Config::default() };
        let load = |name: &str| Game::load(name, &config).expect("it is bundled");
        let game = load("tic_tac_toe");
        let shape = ResidualShape::small(&game).expect("for two");
        for shape in [shape, ResidualShape { choices: 0, is_normed: true, ..shape }] {
            let shape = ResidualShape { filters: 2, blocks: 1, ..shape };
            let weights = ResidualWeights::random(shape, 1);
            let bytes = weights.to_bytes(&game, "tic_tac_toe").expect("it can be written");
            assert_eq!(ResidualWeights::from_bytes(&game, &bytes), Ok(Some(weights.clone())));
            let error = ResidualWeights::from_bytes(&load("connect_four"), &bytes);
            let error = error.expect_err("another game").to_string();
            assert!(error.contains("another game, \"tic_tac_toe\""), "{error}");
            // Whatever is changed, it is read or refused.
            for at in (0..bytes.len()).step_by(7) {
                let mut changed = bytes.clone();
                changed[at] ^= 0x15;
                let _ = ResidualWeights::from_bytes(&game, &changed);
            }
        }
    }
}
