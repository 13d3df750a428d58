//! Finding a game: searches and whom they are paired with, challenges, and what a player's channel tells him.
//!
//! All of it is pure. [`pair_up`] is matchmaking as a function of the pool and the time; [`Search`] is one who searches.
//! [`Pairing`] is what the lobby has to see through from finding two who fit to their game; [`Agenda`] is what one player is up
//! to: his one search, his tables, and what of it he is told; [`Challenge`] is what one player offers another.

mod agenda;
mod challenge;
mod pairing;
mod pool;
mod search;

#[cfg(test)]
mod tests;

pub use agenda::{Agenda, Attendance, Claim, Duty, Effects, News, Notice, SearchEnd, SearchError};
pub use challenge::{Challenge, ChallengeEnd, ChallengeError, ChallengeStep, Facts, LIFE as CHALLENGE_LIFE};
pub use pairing::{Decision, Paired, Pairing, PairingStage};
pub use pool::{Avoid, Entry, next_look, pair_up, stand_ins};
pub use search::{LIFE as SEARCH_LIFE, Search, SearchRequest, UNRATED, window};
