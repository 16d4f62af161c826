//! Runs Regulus games.
