//! The page of Regulus: a web server that lets people play, watch, understand, write and invent games in the browser.
//!
//! ```text
//!   browser ──HTTP──▶ http ──▶ library, texts            games and texts, as JSON
//!      │                └────▶ Hub ──▶ LiveMatch         a play with its tree, seats and thinking
//!      └──WebSocket──▶ socket ─────────┘  │    │
//!                        Tutor, ThinkPool     Archive   games are learnt, computers think; every move is kept
//! ```
//!
//! The page itself is in the folder `page`, embedded in the program. It uses nothing but the interface that docs/server.md
//! describes. A description of a game, a message and a client are untrusted: [`limits`] has all bounds.
//!
//! ```no_run
//! use regulus_server::{PageServer, PageServerConfig};
//!
//! let server = PageServer::bind(&PageServerConfig::default())?;
//! println!("open http://{}", server.address());
//! server.run()?;
//! # Ok::<(), regulus_server::PageServerError>(())
//! ```

mod archive;
mod assets;
mod extract;
mod guard;
mod http;
mod hub;
mod library;
pub mod limits;
mod live;
mod nets;
mod rates;
mod refusal;
mod series;
mod server;
mod socket;
mod texts;
mod think;
mod tutor;
mod view;

pub use server::{PageServer, PageServerConfig, PageServerError, told_to_end};
