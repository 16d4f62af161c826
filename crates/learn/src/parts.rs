//! The games of an iteration in files, a part for each shard, and how parts become a whole.
//!
//! A process that is alone writes its games in the same way, so that they are not played again if it is killed while it learns.

use std::fs::File;
use std::io::{self, BufReader, Read, Write};

use crate::config::{Shard, TrainConfig};
use crate::error::TrainError;
use crate::experience::{Experience, ExperienceKind, PlayedGame};
use crate::folder::RunFolder;
use crate::games::GameCount;

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
    kind: ExperienceKind,
    games: Vec<PlayedGame>,
) -> Result<(), TrainError> {
    let path = folder.games(key.iteration, key.shard);
    folder.write(&path, |file| write_games(file, key, kind, games))
}

fn write_games(
    mut file: impl Write,
    key: PartKey,
    kind: ExperienceKind,
    games: Vec<PlayedGame>,
) -> io::Result<()> {
    file.write_all(&MARK)?;
    for number in key.numbers().into_iter().chain([games.len() as u64]) {
        file.write_all(&number.to_le_bytes())?;
    }
    let mut all = kind.none();
    for game in games {
        file.write_all(&game.moves.to_le_bytes())?;
        file.write_all(&game.first.to_le_bytes())?;
        file.write_all(&(game.experience.len() as u64).to_le_bytes())?;
        all.append(game.experience);
    }
    all.write(file)
}

/// Reads the games of a shard.
pub(crate) fn read_part(
    folder: &RunFolder,
    key: PartKey,
    kind: ExperienceKind,
) -> Result<Vec<PlayedGame>, TrainError> {
    let path = folder.games(key.iteration, key.shard);
    let read = File::open(&path).and_then(|file| read_games(BufReader::new(file), key, kind));
    read.map_err(|error| match error.kind() {
        io::ErrorKind::InvalidData | io::ErrorKind::UnexpectedEof => {
            TrainError::Folder(path, format!("{error}; remove it, and the games are played again"))
        }
        _ => TrainError::File(path, error),
    })
}

fn read_games(
    mut file: impl Read,
    key: PartKey,
    kind: ExperienceKind,
) -> io::Result<Vec<PlayedGame>> {
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
    let mut experience = kind.read(file)?;
    let all = heads.iter().try_fold(0u64, |sum, (_, _, count)| sum.checked_add(*count));
    let is_sound = heads.iter().all(|(_, first, _)| (0.0..=1.0).contains(first));
    if all != Some(experience.len() as u64) || !is_sound {
        return Err(bad());
    }
    // From behind, so that what is left need not be moved.
    let mut games = Vec::new();
    for (moves, first, count) in heads.into_iter().rev() {
        let rest = experience.take_first(experience.len() - count as usize);
        games.push(PlayedGame { moves, first, experience });
        experience = rest;
    }
    games.reverse();
    Ok(games)
}

/// Puts the games of all shards together, in the order of their numbers.
pub(crate) fn read_all(
    folder: &RunFolder,
    key: PartKey,
    config: &TrainConfig,
    kind: ExperienceKind,
) -> Result<(Experience, GameCount), TrainError> {
    let mut parts = Vec::new();
    for index in 1..=config.shard.count {
        let shard = Shard { index, ..config.shard };
        parts.push(read_part(folder, PartKey { shard, ..key }, kind)?.into_iter());
    }
    let (mut experience, mut all) = (kind.none(), GameCount::default());
    for number in 0..config.games {
        let index = number % config.shard.count;
        let Some(game) = parts[index as usize].next() else {
            let path = folder.games(key.iteration, Shard { index: index + 1, ..config.shard });
            let problem = "some games are missing; remove it, and they are played again";
            return Err(TrainError::Folder(path, problem.to_owned()));
        };
        experience.append(game.experience);
        all.add(GameCount { games: 1, moves: game.moves, first: game.first });
    }
    Ok((experience, all))
}

#[cfg(test)]
mod tests {
    use regulus_agents::residual::ResidualShape;

    use super::*;
    use crate::positions::Positions;
    use crate::residual::Examples;

    /// A game with `count` positions of two cells.
    fn game(count: u8) -> PlayedGame {
        let mut positions = Positions::default();
        for number in 0..count {
            positions.add(1, 0.25, |cells| cells.extend([number, count]));
        }
        let experience = Experience::Positions(positions);
        PlayedGame { moves: u64::from(count) + 2, first: 0.5, experience }
    }

    /// The shape of nets for boards with two cells, a plane and two choices.
    const SHAPE: ResidualShape = ResidualShape {
        planes: 1,
        height: 1,
        width: 2,
        filters: 1,
        blocks: 1,
        choices: 2,
        is_normed: false,
    };

    /// A game with `count` examples, the first with no moves, the second with one, and so on.
    fn residual_game(count: u8) -> PlayedGame {
        let mut examples = Examples::default();
        for number in 0..count {
            for choice in 0..u32::from(number) {
                examples.add_move([choice, 3].into_iter(), 0.5);
            }
            examples.add(|planes| planes.extend([f32::from(number), f32::from(count)]));
            examples.set_value(usize::from(number), -0.5);
            examples.add_owners([1, -1].into_iter());
        }
        let experience = Experience::Examples(examples);
        PlayedGame { moves: u64::from(count) + 2, first: 0.5, experience }
    }

    fn check(kind: ExperienceKind, other: ExperienceKind, game: fn(u8) -> PlayedGame) {
        let shard = Shard { index: 2, count: 3 };
        let key = PartKey { fingerprint: 5, seed: 6, iteration: 7, shard };
        let mut bytes = Vec::new();
        let games = vec![game(3), game(0), game(2)];
        write_games(&mut bytes, key, kind, games).expect("it is memory");
        let games = read_games(bytes.as_slice(), key, kind).expect("they were written");
        assert_eq!(games.iter().map(|game| game.moves).collect::<Vec<_>>(), [5, 2, 4]);
        for (read, count) in games.iter().zip([3, 0, 2]) {
            assert_eq!(read.experience, game(count).experience);
        }
        assert!(read_games(bytes.as_slice(), PartKey { seed: 1, ..key }, kind).is_err());
        assert!(read_games(bytes.as_slice(), key, other).is_err());
        let more = [bytes.as_slice(), &[0]].concat();
        assert!(read_games(more.as_slice(), key, kind).is_err());
        for at in 0..bytes.len() {
            assert!(read_games(&bytes[..at], key, kind).is_err());
            // Whatever is changed, it is read or refused.
            let mut changed = bytes.clone();
            changed[at] ^= 0x95;
            let _ = read_games(changed.as_slice(), key, kind);
        }
    }

    #[test]
    fn games_are_read_as_they_were_written_and_damage_is_told() {
        let [two, three] = [2, 3].map(|cells| ExperienceKind::Positions { cells });
        check(two, three, game);
        let wider = ResidualShape { width: 3, ..SHAPE };
        check(ExperienceKind::Examples(SHAPE), ExperienceKind::Examples(wider), residual_game);
    }
}
