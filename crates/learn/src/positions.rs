//! Positions to learn from.

use std::io::{self, Read, Write};

/// Positions with what they were worth, in little memory.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Positions {
    /// What the cells of all positions hold, one position after the other.
    cells: Vec<u8>,
    movers: Vec<u8>,
    /// What the player to move can expect, from 0 to 1.
    targets: Vec<f32>,
}

/// A position to learn from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Position<'a> {
    pub(crate) cells: &'a [u8],
    pub(crate) mover: usize,
    pub(crate) target: f32,
}

impl Positions {
    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.targets.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.targets.is_empty()
    }

    pub(crate) fn get(&self, index: usize) -> Position<'_> {
        let size = self.cells.len() / self.targets.len();
        let cells = &self.cells[index * size..(index + 1) * size];
        Position { cells, mover: usize::from(self.movers[index]), target: self.targets[index] }
    }

    /// Adds a position; `write` adds what its cells hold.
    pub(crate) fn add(&mut self, mover: usize, target: f32, write: impl FnOnce(&mut Vec<u8>)) {
        write(&mut self.cells);
        self.movers.push(mover as u8);
        self.targets.push(target);
    }

    pub(crate) fn set_target(&mut self, index: usize, target: f32) {
        self.targets[index] = target;
    }

    pub(crate) fn append(&mut self, mut other: Positions) {
        self.cells.append(&mut other.cells);
        self.movers.append(&mut other.movers);
        self.targets.append(&mut other.targets);
    }

    /// Takes the first ones out.
    pub(crate) fn take_first(&mut self, count: usize) -> Positions {
        let size = self.cells.len() / self.len().max(1);
        let count = count.min(self.len());
        let rest = Positions {
            cells: self.cells.split_off(count * size),
            movers: self.movers.split_off(count),
            targets: self.targets.split_off(count),
        };
        std::mem::replace(self, rest)
    }

    /// Writes them to a file of a run.
    pub(crate) fn write(&self, mut file: impl Write) -> io::Result<()> {
        file.write_all(&(self.len() as u64).to_le_bytes())?;
        file.write_all(&(self.cells.len() as u64).to_le_bytes())?;
        file.write_all(&self.cells)?;
        file.write_all(&self.movers)?;
        for target in &self.targets {
            file.write_all(&target.to_le_bytes())?;
        }
        Ok(())
    }

    /// Reads what [`Positions::write`] has written for a game with this number of cells.
    pub(crate) fn read(mut file: impl Read, cells: usize) -> io::Result<Positions> {
        let bad =
            || io::Error::new(io::ErrorKind::InvalidData, "these are not positions of this game");
        let mut head = [0; 16];
        file.read_exact(&mut head)?;
        let number = |bytes: &[u8]| u64::from_le_bytes(bytes.try_into().expect("eight bytes"));
        let (count, size) = (number(&head[..8]) as usize, number(&head[8..]) as usize);
        if count > 1 << 28 || count.checked_mul(cells) != Some(size) {
            return Err(bad());
        }
        let mut rest = Vec::new();
        file.take((size + count * 5 + 1) as u64).read_to_end(&mut rest)?;
        if rest.len() != size + count * 5 {
            return Err(bad());
        }
        let targets = rest[size + count..].chunks_exact(4);
        let targets: Vec<f32> = targets
            .map(|bytes| f32::from_le_bytes(bytes.try_into().expect("four bytes")))
            .collect();
        let movers = rest[size..size + count].to_vec();
        if targets.iter().any(|target| !(0.0..=1.0).contains(target))
            || movers.iter().any(|mover| *mover > 1)
        {
            return Err(bad());
        }
        rest.truncate(size);
        Ok(Positions { cells: rest, movers, targets })
    }
}
