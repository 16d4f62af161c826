//! Sets players, people and programs from outside against each other, keeps every game, and speaks the protocols of the field.

pub mod manager;
