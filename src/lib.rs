//! Hoshi, an online Go server that lives at the edge: a Cloudflare Worker.
//!
//! The modules in reading order, from the ground up; an import only ever points down (`tests/architecture.rs`):
//!
//! - [`rules`]: boards, positions, legality, superko, counting. [`clock`]: time. [`ruleset`]: ways to play, as data.
//!   [`wire`]: reading JSON strictly.
//! - [`record`]: SGF. [`playout`]: playing positions to their end. [`assess`]: life and death. [`game`]: a table as a pure
//!   state machine.
//! - [`players`]: names, tokens.
//! - [`store`]: D1, the only place with its SQL. [`http`]: errors and JSON bodies. [`log`]: log lines. [`random`]: randomness.
//! - [`objects`]: the Durable Objects around the state machines. [`api`]: the interface over HTTP.
//!
//! Everything up to [`players`] is pure: no worker types, no clock reads, no randomness but what is passed in.

#![cfg_attr(not(test), deny(clippy::unwrap_used, clippy::expect_used, clippy::panic))]

pub mod api;
pub mod assess;
pub mod clock;
pub mod game;
pub mod http;
pub mod log;
pub mod objects;
pub mod players;
pub mod playout;
pub mod random;
pub mod record;
pub mod rules;
pub mod ruleset;
pub mod store;
pub mod wire;

// Files that unit and integration tests share call the crate by its name.
#[cfg(test)]
extern crate self as hoshi;

use worker::{Context, Date, Env, Request, Response, Result, ScheduleContext, ScheduledEvent, event};

/// Prepares a new instance.
#[event(start)]
fn start() {
    objects::install_panic_guard();
}

/// Answers every HTTP request.
#[event(fetch)]
async fn fetch(request: Request, env: Env, context: Context) -> Result<Response> {
    log::configure(&env);
    api::handle(request, env, context).await
}

/// Does what is due from time to time. What time it is says the clock, not the trigger, which may be late.
#[event(scheduled)]
async fn scheduled(_event: ScheduledEvent, env: Env, _context: ScheduleContext) {
    log::configure(&env);
    let now = clock::Timestamp::from_millis(Date::now().as_millis() as i64);
    api::run_upkeep(&env, now).await;
}
