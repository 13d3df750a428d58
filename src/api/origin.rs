//! Browsers on other origins (X4).
//!
//! A page of another site can make a browser send its user's cookie here. So a call that changes something, or that
//! opens a socket, must come from this origin or from one on the allow-list when it says where it comes from; and from
//! an allowed one the cookie counts for nothing: such clients send a bearer token, or a ticket for a socket.

use super::Answer;
use crate::http::Problem;
use worker::{Response, Result};

/// Where a request comes from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Origin {
    /// From here, or from a client that is no browser.
    Own,
    /// From a site on the allow-list.
    Allowed(String),
    /// From elsewhere.
    Foreign,
}

impl Origin {
    /// Judges an `Origin` header. `own` is this Hoshi's origin, `allowed` the allow-list, separated by spaces or commas.
    pub(super) fn judge(header: Option<&str>, own: &str, allowed: &str) -> Origin {
        match header {
            None => Origin::Own,
            Some(origin) if origin == own => Origin::Own,
            Some(origin)
                if allowed
                    .split([' ', ','])
                    .any(|each| !each.is_empty() && each == origin) =>
            {
                Origin::Allowed(origin.to_owned())
            }
            Some(_) => Origin::Foreign,
        }
    }

    /// The headers that let a browser show the answer to a page of an allowed origin.
    pub(super) fn cors_headers(&self) -> Vec<(&'static str, String)> {
        match self {
            Origin::Own | Origin::Foreign => Vec::new(),
            Origin::Allowed(origin) => vec![
                ("access-control-allow-origin", origin.clone()),
                (
                    "access-control-allow-methods",
                    "GET, POST, PUT, PATCH, DELETE".to_owned(),
                ),
                (
                    "access-control-allow-headers",
                    "authorization, content-type, idempotency-key".to_owned(),
                ),
                ("access-control-expose-headers", "retry-after".to_owned()),
                ("access-control-max-age", "86400".to_owned()),
            ],
        }
    }
}

/// Answers a browser that asks before it calls from another origin.
pub(super) fn preflight() -> Answer {
    Response::empty()
        .map(|response| response.with_status(204))
        .map_err(|_| Problem::internal())
}

/// Adds the headers of every answer: those for the origin, and those that keep browsers from guessing.
pub(super) fn add_headers(response: &mut Response, cors: Vec<(&'static str, String)>) -> Result<()> {
    // An answer that came from an object is read-only as it is.
    let headers = worker::Headers::new();
    for (name, value) in response.headers().entries() {
        headers.append(&name, &value)?;
    }
    headers.append("vary", "origin")?;
    headers.set("x-content-type-options", "nosniff")?;
    headers.set("referrer-policy", "no-referrer")?;
    for (name, value) in cors {
        headers.set(name, &value)?;
    }
    *response.headers_mut() = headers;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn x4_only_this_origin_and_those_on_the_list_are_let_in() {
        let judge = |header| Origin::judge(header, "https://hoshi.test", "https://a.test, https://b.test");
        assert_eq!(judge(None), Origin::Own);
        assert_eq!(judge(Some("https://hoshi.test")), Origin::Own);
        assert_eq!(
            judge(Some("https://b.test")),
            Origin::Allowed("https://b.test".to_owned())
        );
        for foreign in [
            "null",
            "",
            "http://hoshi.test",
            "https://hoshi.test.evil",
            "https://c.test",
            "https://a.test/",
        ] {
            assert_eq!(judge(Some(foreign)), Origin::Foreign, "{foreign}");
        }
    }

    #[test]
    fn x4_no_answer_allows_cookies_from_elsewhere() {
        let headers = Origin::Allowed("https://a.test".to_owned()).cors_headers();
        assert!(
            headers
                .iter()
                .all(|(name, _)| *name != "access-control-allow-credentials")
        );
        assert!(Origin::Foreign.cors_headers().is_empty());
    }
}
