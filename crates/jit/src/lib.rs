//! Compiles Regulus games to native code, and chooses among the engines.
//!
//! [`Jit`] runs the same segment program as the `plan` engine, as machine code made by Cranelift: one function for each
//! stage, slots in registers, tables and constants in the code. Where a limit is reached, or the machine cannot be
//! compiled for, `plan` takes over, so the answers and the faults are the same. This is the only crate with unsafe code:
//! `native.rs` says what makes it sound, and `jit.rs` calls it in three places.

mod background;
mod compile;
mod context;
mod engine;
mod jit;
mod native;
mod not_compiled;
mod select;
mod tables;

pub use background::CompileThread;
pub use engine::{Config, Engine, EngineKind, NativeCode, Scratch};
pub use jit::Jit;
pub use not_compiled::NotCompiled;
