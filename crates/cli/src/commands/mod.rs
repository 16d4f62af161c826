//! One file for each command.

pub(crate) mod analyze;
pub(crate) mod bench;
pub(crate) mod check;
pub(crate) mod completions;
pub(crate) mod describe;
pub(crate) mod engine;
pub(crate) mod format;
pub(crate) mod games;
pub(crate) mod generate;
pub(crate) mod graph;
pub(crate) mod info;
pub(crate) mod lower;
pub(crate) mod manager;
pub(crate) mod matches;
pub(crate) mod moves;
pub(crate) mod perft;
pub(crate) mod play;
pub(crate) mod replay;
pub(crate) mod serve;
pub(crate) mod show;
pub(crate) mod suite;
pub(crate) mod tournament;
pub(crate) mod translate;
pub(crate) mod uci;
