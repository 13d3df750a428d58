//! Durable Objects: thin shells around the pure state machines. They decode, load, step, store, send.

mod call;
pub mod errands;
mod outbox;
mod panic_guard;
mod table;

pub use call::{Block, Fault, Live, TableCall, TableClient, TableOp};
pub use panic_guard::install as install_panic_guard;
pub use table::Table;
