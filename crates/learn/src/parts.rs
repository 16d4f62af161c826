//! The games of an iteration in files, a part for each shard, and how parts become a whole.
//!
//! A process that is alone writes its games in the same way, so that they are not played again if it is killed while it learns.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};

use crate::config::{Shard, TrainConfig};
use crate::error::TrainError;
use crate::folder::RunFolder;
use crate::games::GameCount;
use crate::positions::Positions;
use crate::self_play::PlayedGame;

/// What files with games begin with.
const MARK: [u8; 8] = *b"RGGAMES1";

/// No iteration has more games.
const MOST_GAMES: u64 = 1_000_000;

/// Which games a file has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PartKey {
    /// The number of the game that is played: `Game::fingerprint`.
    pub(crate) fingerprint: u64,
    pub(crate) seed: u64,
    pub(crate) iteration: u64,
    pub(crate) shard: Shard,
}

impl PartKey {
    fn numbers(self) -> [u64; 5] {
        [self.fingerprint, self.seed, self.iteration, self.shard.index, self.shard.count]
    }
}

/// Writes the games of a shard.
pub(crate) fn write_part(
    folder: &RunFolder,
    key: PartKey,
    games: Vec<PlayedGame>,
) -> Result<(), TrainError> {
    folder.write(&folder.games(key.iteration, key.shard), |file| write_games(file, key, games))
}

fn write_games(mut file: impl Write, key: PartKey, games: Vec<PlayedGame>) -> io::Result<()> {
    file.write_all(&MARK)?;
    for number in key.numbers().into_iter().chain([games.len() as u64]) {
        file.write_all(&number.to_le_bytes())?;
    }
    let mut positions = Positions::default();
    for game in games {
        file.write_all(&game.moves.to_le_bytes())?;
        file.write_all(&game.first.to_le_bytes())?;
        file.write_all(&(game.positions.len() as u64).to_le_bytes())?;
        positions.append(game.positions);
    }
    positions.write(file)
}

/// Reads the games of a shard, for a game with so many cells.
pub(crate) fn read_part(
    folder: &RunFolder,
    key: PartKey,
    cells: usize,
) -> Result<Vec<PlayedGame>, TrainError> {
    let path = folder.games(key.iteration, key.shard);
    let read = File::open(&path).and_then(|file| read_games(BufReader::new(file), key, cells));
    read.map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => {
            TrainError::Folder(path, format!("{error}; remove it, and the games are played again"))
        }
        _ => TrainError::File(path, error),
    })
}

fn read_games(mut file: impl Read, key: PartKey, cells: usize) -> io::Result<Vec<PlayedGame>> {
    let bad = || io::Error::new(io::ErrorKind::InvalidData, "these are not games of this run");
    let mut mark = [0; MARK.len()];
    file.read_exact(&mut mark)?;
    let mut number = || -> io::Result<u64> {
        let mut bytes = [0; 8];
        file.read_exact(&mut bytes)?;
        Ok(u64::from_le_bytes(bytes))
    };
    for wanted in key.numbers() {
        if number()? != wanted || mark != MARK {
            return Err(bad());
        }
    }
    let count = Some(number()?).filter(|count| *count <= MOST_GAMES).ok_or_else(bad)?;
    let mut heads = Vec::new();
    for _ in 0..count {
        heads.push((number()?, f64::from_bits(number()?), number()?));
    }
    let mut positions = Positions::read(file, cells)?;
    let all = heads.iter().try_fold(0u64, |sum, (_, _, count)| sum.checked_add(*count));
    let is_sound = heads.iter().all(|(_, first, _)| (0.0..=1.0).contains(first));
    if all != Some(positions.len() as u64) || !is_sound {
        return Err(bad());
    }
    // From behind, so that what is left need not be moved.
    let mut games = Vec::new();
    for (moves, first, count) in heads.into_iter().rev() {
        let rest = positions.take_first(positions.len() - count as usize);
        games.push(PlayedGame { moves, first, positions });
        positions = rest;
    }
    games.reverse();
    Ok(games)
}

/// Puts the games of all shards together, in the order of their numbers.
pub(crate) fn read_all(
    folder: &RunFolder,
    key: PartKey,
    config: &TrainConfig,
    cells: usize,
) -> Result<(Positions, GameCount), TrainError> {
    let mut parts = Vec::new();
    for index in 1..=config.shard.count {
        let shard = Shard { index, ..config.shard };
        parts.push(read_part(folder, PartKey { shard, ..key }, cells)?.into_iter());
    }
    let (mut positions, mut all) = (Positions::default(), GameCount::default());
    for number in 0..config.games {
        let index = number % config.shard.count;
        let Some(game) = parts[index as usize].next() else {
            let path = folder.games(key.iteration, Shard { index: index + 1, ..config.shard });
            let problem = "some games are missing; remove it, and they are played again";
            return Err(TrainError::Folder(path, problem.to_owned()));
        };
        positions.append(game.positions);
        all.add(GameCount { games: 1, moves: game.moves, first: game.first });
    }
    Ok((positions, all))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A game with so many positions of two cells.
    fn game(count: u8) -> PlayedGame {
        let mut positions = Positions::default();
        for number in 0..count {
            positions.add(1, 0.25, |cells| cells.extend([number, count]));
        }
        PlayedGame { moves: u64::from(count) + 2, first: 0.5, positions }
    }

    #[test]
    fn games_are_read_as_they_were_written_and_damage_is_told() {
        let shard = Shard { index: 2, count: 3 };
        let key = PartKey { fingerprint: 5, seed: 6, iteration: 7, shard };
        let mut bytes = Vec::new();
        write_games(&mut bytes, key, vec![game(3), game(0), game(2)]).expect("it is memory");
        let games = read_games(bytes.as_slice(), key, 2).expect("they were written");
        assert_eq!(games.iter().map(|game| game.moves).collect::<Vec<_>>(), [5, 2, 4]);
        for (read, count) in games.iter().zip([3, 0, 2]) {
            assert_eq!(read.positions, game(count).positions);
        }
        assert!(read_games(bytes.as_slice(), PartKey { seed: 1, ..key }, 2).is_err());
        assert!(read_games(bytes.as_slice(), key, 3).is_err());
        for at in 0..bytes.len() {
            assert!(read_games(&bytes[..at], key, 2).is_err());
            // Whatever is changed, it is read or refused.
            let mut changed = bytes.clone();
            changed[at] ^= 0x95;
            let _ = read_games(changed.as_slice(), key, 2);
        }
    }
}
