//! Compiles Regulus games to native code, and chooses among the engines.
//!
//! [`Jit`] runs the same segment program as the `plan` engine, as machine code made by Cranelift: one function for each
//! stage, slots in registers, tables and constants in the code. Where a limit is reached, or the machine cannot be
//! compiled for, `plan` takes over, so the answers and the faults are the same. This is the only crate with unsafe code,
//! all of it in `native.rs`.

mod compile;
mod context;
mod engine;
mod jit;
mod native;
mod select;
mod tables;

pub use engine::{Auto, Engine, EngineKind, Scratch};
pub use jit::Jit;
