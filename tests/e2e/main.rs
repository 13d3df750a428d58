//! End-to-end tests: the real Worker on workerd, and players who talk to it over HTTP and WebSockets. One story a
//! file; a test's name is the fact that it shows, with the tag of SPEC.md that asks for it.
//!
//! `make e2e` builds the Worker and runs them. All stories share one server, but those that break it. A test waits
//! for what it expects and never sleeps for luck. When one fails, the end of the server's log is shown; the whole of
//! it is in `target/logs`.

mod harness;
#[path = "../support/records.rs"]
mod records;
#[path = "../support/scripts.rs"]
mod scripts;

mod accounts;
mod appeals;
mod assessing;
mod bad_input;
mod blocks;
mod by_rest;
mod challenges;
mod channel;
mod chat;
mod clocks;
mod computer;
mod crowd;
mod database_away;
mod deletion;
mod downloads;
mod faults;
mod golden_rulesets;
mod hexagonal;
mod idempotency;
mod identity;
mod invites;
mod limits;
mod lists;
mod lobby;
mod marking;
mod matchmaking;
mod operators;
mod races;
mod ratings;
mod readme_tour;
mod reconnecting;
mod reference;
mod refusals;
mod rematch;
mod replays;
mod reports;
mod requests;
mod restart;
mod security;
mod signing_out;
mod storm;
mod traps;
mod upkeep;
mod whole_game;
