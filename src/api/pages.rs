//! Pages for people: what this is.

use super::Answer;
use super::context::Asked;
use crate::http::Problem;
use worker::Response;

/// `GET /`: what this is, whom to ask, what is stored.
pub(super) fn home(asked: &Asked) -> Answer {
    let contact = match asked.variable("OPERATOR_CONTACT") {
        Some(contact) => escape(&contact),
        None => "not named by the operator yet".to_owned(),
    };
    let origin = escape(&asked.own_origin());
    page(
        "Hoshi",
        &format!(
            "<p>Hoshi is a server for the game of Go (baduk, weiqi, igo), on square and hexagonal boards. It is played
with a client that speaks its interface; this page is only its front door.</p>
<h2>For client authors</h2>
<p>The interface is at <code>{origin}/api/v1</code>. A game begins with <code>POST /api/v1/guests</code>;
<a href=\"/api/v1/rulesets\">the rulesets</a> say what can be played. <a href=\"/healthz\">Health</a>.</p>
<h2>Help and privacy</h2>
<p>Contact: {contact}.</p>
<p>Stored: the name that you choose, for an account a hash of its password, your preferences and whom you have blocked, your sessions (each
ends after 30 days), your ratings, and the games that you play with their moves and times. How often an address has signed up or in is
counted under a keyed hash, never under the address. One cookie, <code>hoshi_session</code>, holds a session. Nothing is passed on. Everything can
be exported, and deleted for good.</p>
<h2>Licences</h2>
<p>Hoshi is free software under the MIT or the Apache 2.0 licence, at your choice. It is built from Rust libraries
under the MIT, Apache 2.0 and BSD licences.</p>"
        ),
    )
}

/// A page with a title and a body of HTML.
pub(super) fn page(title: &str, body: &str) -> Answer {
    let html = format!(
        "<!doctype html>
<html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" content=\"width=device-width\">
<title>{title}</title>
<style>body{{max-width:40rem;margin:2rem auto;padding:0 1rem;font:1rem/1.5 system-ui,sans-serif;color-scheme:light dark}}
code{{overflow-wrap:anywhere}}</style></head>
<body><h1>{title}</h1>
{body}
</body></html>
"
    );
    let response = Response::builder()
        .with_header("content-type", "text/html; charset=utf-8")
        .and_then(|response| response.with_header("cache-control", "no-store"))
        .and_then(|response| {
            response.with_header(
                "content-security-policy",
                "default-src 'none'; style-src 'unsafe-inline'",
            )
        })
        .map(|response| response.fixed(html.into_bytes()));
    response.map_err(|_| Problem::internal())
}

/// Text as HTML shows it.
pub(super) fn escape(text: &str) -> String {
    text.replace('&', "&amp;")
        .replace('<', "&lt;")
        .replace('>', "&gt;")
        .replace('"', "&quot;")
        .replace('\'', "&#39;")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_cannot_leave_their_place_in_a_page() {
        assert_eq!(escape("<b a=\"'&\">"), "&lt;b a=&quot;&#39;&amp;&quot;&gt;");
    }
}
