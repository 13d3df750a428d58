//! Playing a position to its end, fast and at random with some sense: what the judge and the computer are made of.
//!
//! It works on any board, since all it knows of one is which points touch, and it is a pure function of a position
//! and a seed. Start reading with [`FastBoard`], then [`Player`].
//!
//! A [`Position`](crate::rules::Position) is the authority on the rules; a [`FastBoard`] follows the same rules but
//! superko, knows the liberties of each chain, and can be copied without allocating.

mod board;
mod chance;
mod eyes;
mod outcome;
mod player;
mod shapes;
mod terrain;

pub use board::{FastBoard, Outlook};
pub use chance::Chance;
pub use outcome::Owners;
pub use player::Player;
pub use terrain::Terrain;
