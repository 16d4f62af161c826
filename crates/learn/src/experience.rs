//! What the games of a run have shown, whatever the kind of net that learns from it.

use std::io::{self, Read, Write};

use regulus_agents::residual::ResidualShape;

use crate::positions::Positions;
use crate::residual::Examples;

/// Positions with what is to be learnt of them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Experience {
    /// For nets with sums.
    Positions(Positions),
    /// For residual nets.
    Examples(Examples),
}

/// What a net learns from.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum ExperienceKind {
    /// Positions with this number of cells.
    Positions { cells: usize },
    /// Examples for nets of a shape.
    Examples(ResidualShape),
}

/// A game that was played.
#[derive(Debug)]
pub(crate) struct PlayedGame {
    pub(crate) moves: u64,
    /// Points of the first player.
    pub(crate) first: f64,
    pub(crate) experience: Experience,
}

impl ExperienceKind {
    /// Nothing yet.
    pub(crate) fn none(self) -> Experience {
        match self {
            ExperienceKind::Positions { .. } => Experience::Positions(Positions::default()),
            ExperienceKind::Examples(_) => Experience::Examples(Examples::default()),
        }
    }

    /// Reads what [`Experience::write`] has written; nothing may follow.
    pub(crate) fn read(self, file: impl Read) -> io::Result<Experience> {
        Ok(match self {
            ExperienceKind::Positions { cells } => {
                Experience::Positions(Positions::read(file, cells)?)
            }
            ExperienceKind::Examples(shape) => Experience::Examples(Examples::read(file, shape)?),
        })
    }
}

impl Experience {
    /// How many positions there are.
    pub(crate) fn len(&self) -> usize {
        match self {
            Experience::Positions(positions) => positions.len(),
            Experience::Examples(examples) => examples.len(),
        }
    }

    pub(crate) fn positions(&self) -> Option<&Positions> {
        match self {
            Experience::Positions(positions) => Some(positions),
            Experience::Examples(_) => None,
        }
    }

    pub(crate) fn examples(&self) -> Option<&Examples> {
        match self {
            Experience::Positions(_) => None,
            Experience::Examples(examples) => Some(examples),
        }
    }

    /// Adds more, of the same kind; what is of another kind is left out.
    pub(crate) fn append(&mut self, other: Experience) {
        match (self, other) {
            (Experience::Positions(positions), Experience::Positions(other)) => {
                positions.append(other);
            }
            (Experience::Examples(examples), Experience::Examples(other)) => {
                examples.append(&other);
            }
            _ => debug_assert!(false, "a run has one kind of net"),
        }
    }

    /// Takes the first positions out.
    pub(crate) fn take_first(&mut self, count: usize) -> Experience {
        match self {
            Experience::Positions(positions) => Experience::Positions(positions.take_first(count)),
            Experience::Examples(examples) => Experience::Examples(examples.take_first(count)),
        }
    }

    /// Writes it to a file of a run.
    pub(crate) fn write(&self, file: impl Write) -> io::Result<()> {
        match self {
            Experience::Positions(positions) => positions.write(file),
            Experience::Examples(examples) => examples.write(file),
        }
    }
}
