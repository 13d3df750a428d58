//! Who plays: names, passwords, tokens, ratings, preferences, and how often somebody may do something. Pure: time, keys
//! and randomness are arguments.

mod blind;
pub mod elo;
mod hs256;
mod language;
mod limit;
mod name;
mod password;
mod preferences;
mod shape;
mod token;

pub use blind::blinded;
pub use language::{is_clean, masked};
pub use limit::{Limit, LimitError, retry_after};
pub use name::{AccountName, DELETED_NAME, GuestName, NameError};
pub use password::{Checked, Password, PasswordError, Salt, Work};
pub use preferences::{ChallengesFrom, Language, LanguageError, Preferences, PreferencesChange};
pub use token::{Claims, KeyError, Purpose, SessionId, TokenError, TokenKeys};

use crate::clock::Millis;

/// How long a session lives, from when it was made; use does not extend it (P1).
pub const SESSION_LIFE: Millis = Millis::from_secs(30 * 24 * 3600);

/// How long a socket ticket lives.
pub const TICKET_LIFE: Millis = Millis::from_secs(60);
