//! What the stories stand on: servers to talk to, and clients that talk as players' devices do.

mod answer;
mod game;
mod guest;
mod server;
mod socket;
mod stored;
mod wrangler;

pub use answer::Answer;
pub use game::{Game, play_all, points, wait_until_listed};
pub use guest::{Client, Guest, PASSWORD, unique};
pub use server::{FRIEND, SECRET, Server, breakable, server};
pub use socket::{NoSocket, Socket};
pub use stored::{Stored, wait_for, wait_until, wait_until_present};

use std::time::Duration;

/// How long a test waits for an event before it fails. Never reached when all is well, so it can be long enough for
/// a machine that is busy with other things.
pub const PATIENCE: Duration = Duration::from_secs(30);
