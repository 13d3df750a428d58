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
{STORED}
<h2>Licences</h2>
<p>Hoshi is free software under the MIT or the Apache 2.0 licence, at your choice. <a href=\"/licenses\">The libraries of which it
is built</a> are each under its own.</p>"
        ),
    )
}

/// What is stored (X3), for people.
const STORED: &str = "<p>Stored until you delete yourself: the name that you choose, for an account a hash of its password, your
preferences and whom you have blocked, your sessions (each ends after 30 days), your ratings, the games that you play with their moves and
times, and what you say in chat, at tables that you watch, too. What you are doing at the moment (a search, your open tables, which of
them you are connected to). Challenges, and the keys under which your client repeats a call, for a day.</p>
<p>If you appeal against a result, the appeal with its reason. If somebody is reported, the report, with a copy of the table and of the
last lines of its chat. If an operator suspends somebody, until when; and whatever operators do is in a log with its reason, which is only
ever added to.</p>
<p>How often you have signed up or in, made tables, challenged, searched, reported or spoken is counted, for an address under a
keyed hash, never under the address. The log of what goes wrong holds no name, no address and no text of yours.</p>
<p>One cookie, <code>hoshi_session</code>, holds a session. Nothing is passed on. You can have all that is stored about you, and delete
yourself for good: your name, your account and your words go; your games and their results stay, without your name, and so do
appeals, reports and the operators' log.</p>";

/// The libraries of which the Worker is built, each with its licence. `scripts/licenses.sh` makes the list.
const LICENSES: &str = include_str!("licenses.txt");

/// `GET /licenses`: what is under which licence (X3).
pub(super) fn licenses() -> Answer {
    let text = format!("Hoshi: MIT OR Apache-2.0. The libraries of which it is built:\n\n{LICENSES}");
    let response = Response::builder()
        .with_header("content-type", "text/plain; charset=utf-8")
        .map(|response| response.fixed(text.into_bytes()));
    response.map_err(|_| Problem::internal())
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

    /// For each kind of row that is kept, a word of the page that tells of it.
    const TOLD: &[(&str, &str)] = &[
        ("players", "the name that you choose"),
        ("sessions", "your sessions"),
        ("games", "the games that you play"),
        ("game_players", "the games that you play"),
        ("idempotency_keys", "the keys"),
        ("accounts", "a hash of its password"),
        ("name_shapes", "the name that you choose"),
        ("blocks", "whom you have blocked"),
        ("rate_limits", "is counted"),
        ("ratings", "your ratings"),
        ("rated_games", "your ratings"),
        ("presence", "connected to"),
        ("errands", "connected to"),
        ("channel_errands", "your sessions"),
        ("challenges", "Challenges"),
        ("chat_authors", "what you say in chat"),
        ("appeals", "the appeal with its reason"),
        ("reports", "the report, with a copy"),
        ("report_lines", "lines of its chat"),
        ("operator_log", "is in a log with its reason"),
    ];

    #[test]
    fn x3_the_front_page_tells_of_all_that_is_stored() {
        let told = |table: &str| {
            TOLD.iter()
                .find(|(each, _)| *each == table)
                .map(|(_, word)| *word)
        };
        let page = STORED.replace('\n', " ");
        let migrations = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("migrations");
        let mut seen = 0;
        for file in std::fs::read_dir(migrations).expect("the migrations") {
            let sql = std::fs::read_to_string(file.expect("a file").path()).expect("text");
            for table in sql.split("create table ").skip(1) {
                let table = table.split_whitespace().next().expect("a name");
                let word = told(table).unwrap_or_else(|| panic!("the front page says nothing of {table}"));
                assert!(page.contains(word), "{table}: {word}");
                seen += 1;
            }
        }
        assert!(seen >= 19, "{seen}");
        assert!(page.contains("suspends somebody"), "columns of players");
    }
}
