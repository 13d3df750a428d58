//! What every answer over HTTP shares: the one builder of errors, and JSON bodies.

mod problem;

pub use problem::{Code, Problem};

use serde::Serialize;
use worker::Response;

/// A JSON answer with a status.
///
/// # Errors
/// When the value cannot be serialised or the runtime refuses the response.
pub fn json<T: Serialize>(status: u16, value: &T) -> worker::Result<Response> {
    let body = serde_json::to_vec(value)?;
    let response = Response::builder()
        .with_status(status)
        .with_header("content-type", "application/json")?;
    Ok(response.with_header("cache-control", "no-store")?.fixed(body))
}

/// An answer without a body.
///
/// # Errors
/// When the runtime refuses the response.
pub fn no_content() -> Result<Response, Problem> {
    respond(Response::empty().map(|response| response.with_status(204)))
}

/// A response, or the problem that there is none.
///
/// # Errors
/// That one; what it was is logged.
pub fn respond(response: worker::Result<Response>) -> Result<Response, Problem> {
    response.map_err(|error| {
        crate::log::error("response.failed", &[crate::log::cause(&error)]);
        Problem::internal()
    })
}
