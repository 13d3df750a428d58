//! Who plays: names, tokens, sessions. Pure: time, keys and randomness are arguments.

mod hs256;
mod name;
mod token;

pub use name::{GuestName, NameError};
pub use token::{Claims, KeyError, Purpose, SessionId, TokenError, TokenKeys};

use crate::clock::Millis;

/// How long a session lives, from when it was made; use does not extend it (P1).
pub const SESSION_LIFE: Millis = Millis::from_secs(30 * 24 * 3600);

/// How long a socket ticket lives.
pub const TICKET_LIFE: Millis = Millis::from_secs(60);
