//! Finding a game: searches and whom they are paired with, challenges, and what a player's channel tells him.
//!
//! All of it is pure. [`pair_up`] is matchmaking as a function of the pool and the time; [`Search`] is one who searches.
//! [`Pairing`] is what the lobby has to see through from finding two who fit to their game; [`Agenda`] is what one player is up
//! to: his one search, his tables, and what of it he is told; [`Challenge`] is what one player offers another.

mod agenda;
mod challenge;
mod lease;
mod meeting;
mod notice;
mod pairing;
mod pool;
mod search;

#[cfg(test)]
mod tests;

pub use agenda::{Agenda, Attendance, Duty, Effects, News, SearchError};
pub use challenge::{Challenge, ChallengeEnd, ChallengeError, ChallengeStep, Facts, LIFE as CHALLENGE_LIFE};
pub use lease::{Claim, Pace, Promise};
pub use meeting::{Meeting, meeting};
pub use notice::{Notice, SearchEnd};
pub use pairing::{Heard, Paired, Pairing, PairingStage, Question};
pub use pool::{Avoid, Entry, next_look, pair_up, stand_ins};
pub use search::{LIFE as SEARCH_LIFE, Search, SearchRequest, UNRATED, window};
