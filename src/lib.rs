//! Hoshi, an online Go server that lives at the edge.
pub mod record;
pub mod rules;

use worker::{Context, Env, Request, Response, Result, event};

/// Answers every HTTP request.
#[event(fetch)]
async fn fetch(_request: Request, _env: Env, _context: Context) -> Result<Response> {
    Response::ok("Hoshi")
}
