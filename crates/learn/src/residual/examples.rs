//! What a residual net learns from.

use std::io::{self, Read, Write};

use regulus_agents::residual::ResidualShape;

/// Positions with what is to be said of them.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Examples {
    /// The planes of all positions, all numbers of a cell one after the other.
    planes: Vec<f32>,
    /// What the player to move can expect, from -1 to 1.
    values: Vec<f32>,
    /// Whose each cell is at the end: 1 if it is of the player to move, -1 of the other; empty if that is not learnt.
    owners: Vec<i8>,
    /// How often each move should be chosen.
    likely: Vec<f32>,
    /// The choices of all moves, as numbers of cells and choices.
    choices: Vec<u32>,
    /// Where the choices of each move end, and the moves of each position.
    move_ends: Vec<u32>,
    position_ends: Vec<u32>,
}

/// A move of an example.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LikelyMove<'a> {
    pub(crate) choices: &'a [u32],
    pub(crate) likely: f32,
}

impl Examples {
    /// How many positions there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.values.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.values.is_empty()
    }

    /// Adds a position, whose value is set later; its moves are added before.
    pub(crate) fn add(&mut self, write: impl FnOnce(&mut Vec<f32>)) {
        write(&mut self.planes);
        self.values.push(0.0);
        self.position_ends.push(self.move_ends.len() as u32);
    }

    /// Adds a move to the next position.
    pub(crate) fn add_move(&mut self, choices: impl Iterator<Item = u32>, likely: f32) {
        self.choices.extend(choices);
        self.move_ends.push(self.choices.len() as u32);
        self.likely.push(likely);
    }

    pub(crate) fn set_value(&mut self, index: usize, value: f32) {
        self.values[index] = value;
    }

    /// Says whose the cells of the next position will be.
    pub(crate) fn add_owners(&mut self, owners: impl Iterator<Item = i8>) {
        self.owners.extend(owners);
    }

    pub(crate) fn planes(&self, index: usize, size: usize) -> &[f32] {
        &self.planes[index * size..(index + 1) * size]
    }

    pub(crate) fn value(&self, index: usize) -> f32 {
        self.values[index]
    }

    pub(crate) fn owners(&self, index: usize, cells: usize) -> &[i8] {
        if self.owners.is_empty() { &[] } else { &self.owners[index * cells..(index + 1) * cells] }
    }

    pub(crate) fn moves(&self, index: usize) -> impl Iterator<Item = LikelyMove<'_>> {
        let begin = |ends: &[u32], index: usize| index.checked_sub(1).map_or(0, |i| ends[i]);
        let first = begin(&self.position_ends, index) as usize;
        (first..self.position_ends[index] as usize).map(move |number| LikelyMove {
            choices: &self.choices
                [begin(&self.move_ends, number) as usize..self.move_ends[number] as usize],
            likely: self.likely[number],
        })
    }

    /// Adds a position of others.
    pub(crate) fn add_from(&mut self, other: &Examples, index: usize) {
        for it in other.moves(index) {
            self.add_move(it.choices.iter().copied(), it.likely);
        }
        let count = other.len();
        let (planes, cells) = (other.planes.len() / count, other.owners.len() / count);
        self.add(|list| list.extend(other.planes(index, planes)));
        self.set_value(self.len() - 1, other.value(index));
        self.add_owners(other.owners(index, cells).iter().copied());
    }

    /// Takes the first positions out.
    pub(crate) fn take_first(&mut self, count: usize) -> Examples {
        let count = count.min(self.len());
        let of_each = |list: usize| list / self.len().max(1) * count;
        let (planes, owners) = (of_each(self.planes.len()), of_each(self.owners.len()));
        let end = |ends: &[u32], count: usize| count.checked_sub(1).map_or(0, |last| ends[last]);
        let moves = end(&self.position_ends, count);
        let choices = end(&self.move_ends, moves as usize);
        let split = |ends: &mut Vec<u32>, count: usize, before: u32| -> Vec<u32> {
            ends.split_off(count).into_iter().map(|end| end - before).collect()
        };
        let rest = Examples {
            planes: self.planes.split_off(planes),
            values: self.values.split_off(count),
            owners: self.owners.split_off(owners),
            likely: self.likely.split_off(moves as usize),
            choices: self.choices.split_off(choices as usize),
            move_ends: split(&mut self.move_ends, moves as usize, choices),
            position_ends: split(&mut self.position_ends, count, moves),
        };
        std::mem::replace(self, rest)
    }

    pub(crate) fn append(&mut self, other: &Examples) {
        let (choices, moves) = (self.choices.len() as u32, self.move_ends.len() as u32);
        self.planes.extend(&other.planes);
        self.values.extend(&other.values);
        self.owners.extend(&other.owners);
        self.likely.extend(&other.likely);
        self.choices.extend(&other.choices);
        self.move_ends.extend(other.move_ends.iter().map(|end| end + choices));
        self.position_ends.extend(other.position_ends.iter().map(|end| end + moves));
    }

    /// Writes them to a file of a run.
    pub(crate) fn write(&self, mut file: impl Write) -> io::Result<()> {
        let mut list = |length: usize, bytes: &mut dyn Iterator<Item = [u8; 4]>| {
            file.write_all(&(length as u64).to_le_bytes())?;
            for bytes in bytes {
                file.write_all(&bytes)?;
            }
            Ok(())
        };
        for numbers in [&self.planes, &self.values, &self.likely] {
            list(numbers.len(), &mut numbers.iter().map(|it| it.to_le_bytes()))?;
        }
        for numbers in [&self.choices, &self.move_ends, &self.position_ends] {
            list(numbers.len(), &mut numbers.iter().map(|it| it.to_le_bytes()))?;
        }
        list(self.owners.len(), &mut self.owners.iter().map(|it| i32::from(*it).to_le_bytes()))
    }

    /// Reads what [`Examples::write`] has written for a net of this shape.
    pub(crate) fn read(mut file: impl Read, shape: ResidualShape) -> io::Result<Examples> {
        let bad =
            || io::Error::new(io::ErrorKind::InvalidData, "these are not examples of this game");
        let mut list = || -> io::Result<Vec<[u8; 4]>> {
            let mut length = [0; 8];
            file.read_exact(&mut length)?;
            let length = u64::from_le_bytes(length);
            if length > 1 << 31 {
                return Err(bad());
            }
            let mut bytes = Vec::new();
            file.by_ref().take(4 * length).read_to_end(&mut bytes)?;
            if bytes.len() as u64 != 4 * length {
                return Err(bad());
            }
            Ok(bytes.as_chunks().0.to_vec())
        };
        let floats =
            |list: Vec<[u8; 4]>| list.into_iter().map(f32::from_le_bytes).collect::<Vec<f32>>();
        let whole =
            |list: Vec<[u8; 4]>| list.into_iter().map(u32::from_le_bytes).collect::<Vec<u32>>();
        let examples = Examples {
            planes: floats(list()?),
            values: floats(list()?),
            likely: floats(list()?),
            choices: whole(list()?),
            move_ends: whole(list()?),
            position_ends: whole(list()?),
            owners: list()?.into_iter().map(|it| i32::from_le_bytes(it) as i8).collect(),
        };
        let is_all = file.read(&mut [0])? == 0;
        if is_all && examples.fits(shape) { Ok(examples) } else { Err(bad()) }
    }

    /// Whether the lists fit together and to a net.
    fn fits(&self, shape: ResidualShape) -> bool {
        let (count, cells) = (self.len(), shape.cells());
        let ends_fit = |ends: &[u32], count: usize| {
            ends.is_sorted() && ends.last().map_or(0, |end| *end as usize) == count
        };
        self.planes.len() == count * cells * shape.planes
            && self.owners.len() == if shape.choices > 0 { count * cells } else { 0 }
            && self.position_ends.len() == count
            && self.likely.len() == self.move_ends.len()
            && ends_fit(&self.move_ends, self.choices.len())
            && ends_fit(&self.position_ends, self.move_ends.len())
            && self.choices.iter().all(|choice| (*choice as usize) < cells * shape.choices)
            && [&self.planes, &self.values, &self.likely]
                .iter()
                .all(|list| list.iter().all(|number| number.abs() <= 1e3))
    }
}
