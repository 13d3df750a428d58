//! Hoshi, an online Go server that lives at the edge.
pub mod clock;
pub mod game;
pub mod rules;
pub mod ruleset;
pub mod wire;

use worker::{Context, Env, Request, Response, Result, event};

/// Answers every HTTP request.
#[event(fetch)]
async fn fetch(_request: Request, _env: Env, _context: Context) -> Result<Response> {
    Response::ok("Hoshi")
}
