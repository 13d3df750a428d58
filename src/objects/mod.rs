//! Durable Objects: thin shells around the pure state machines. They decode, load, step, store, send.

mod alarm;
mod call;
pub mod challenges;
pub mod channels;
mod devices;
pub mod errands;
pub mod lobby;
mod outbox;
mod panic_guard;
pub mod player;
mod reach;
mod table;
mod thinker;

pub use call::{Block, Fault, Live, TableCall, TableClient, TableOp};
pub use lobby::LobbyObject;
pub use panic_guard::install as install_panic_guard;
pub use player::PlayerObject;
pub use table::Table;
pub use thinker::Thinker;
