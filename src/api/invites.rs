//! `GET /i/{code}`: what an invite link opens (T2), for people and for clients.

use super::Answer;
use super::context::Asked;
use super::pages::{escape, page};
use super::tables;
use crate::game::InviteCode;
use crate::http::{Problem, json};
use crate::objects::TableOp;
use serde_json::{Value, json};

/// A page for people, `{table_id, invite}` for clients that ask for JSON.
pub(super) async fn invite(asked: &Asked, code: String) -> Answer {
    let accept = asked.header("accept").unwrap_or_default();
    // A client that names nothing is shown the page, as a person would be, but learns of a refusal as any client does.
    let browser = accept.contains("text/html");
    let for_people = browser || !accept.contains("application/json");
    let Ok(code) = InviteCode::try_from(code) else {
        return refused(Err(Problem::not_found()), browser);
    };
    let opened = tables::call(asked, code.table(), None, Some(code.clone()), TableOp::Invited).await;
    let mut response = match opened {
        Ok(response) if response.status_code() == 200 => response,
        other => return refused(other, browser),
    };
    if !for_people {
        let body = json!({"table_id": code.table(), "invite": code});
        return json(200, &body).map_err(|_| Problem::internal());
    }
    let table: Value = response.json().await.map_err(|_| Problem::internal())?;
    page("An invitation to a game of Go", &invitation(&table, &code))
}

/// What a link that opens nothing leads to: the same status for people, in words.
fn refused(answer: Answer, browser: bool) -> Answer {
    let status = match &answer {
        Ok(response) => response.status_code(),
        Err(problem) => problem.code().status(),
    };
    let words = match status {
        410 => "The table was closed before the game began. Ask whoever invited you for a new link.",
        404 => "This link opens nothing here. Perhaps a part of it was lost on the way.",
        _ => return answer,
    };
    if !browser {
        return answer;
    }
    let page = page("No game here", &format!("<p>{words}</p>"))?;
    Ok(page.with_status(status))
}

/// What the table is, and what can be done there now.
fn invitation(table: &Value, code: &InviteCode) -> String {
    let text = |value: &Value| match value {
        Value::String(text) => escape(text),
        other => escape(&other.to_string()),
    };
    let name = |player: &Value| escape(player["name"].as_str().unwrap_or_default());
    let id = code.table();
    let handicap = match &table["handicap"] {
        Value::Number(stones) if stones.as_u64() != Some(0) => format!(", handicap {stones}"),
        _ => String::new(),
    };
    let rated = if table["ranked"] == true {
        "rated"
    } else {
        "friendly"
    };
    let what = format!(
        "<p>{creator} invites you to a table: a {rated} game of {ruleset} on {board}, komi {komi}{handicap}.</p>",
        creator = name(&table["creator"]),
        ruleset = text(&table["ruleset"]),
        board = text(&table["board"]),
        komi = text(&table["komi"]),
    );
    let players = || {
        format!(
            "{} (Black) and {} (White)",
            name(&table["seats"]["black"]),
            name(&table["seats"]["white"])
        )
    };
    let client = format!(
        "<p>Open this link in a Hoshi client, or give the client this code:</p><p><code>{code}</code></p>"
    );
    let now = match table["state"].as_str() {
        Some("waiting") => format!(
            "<p>A seat is free. Whoever comes first takes it; everybody else with this link can watch.</p>{client}
<p>By hand: <code>POST /api/v1/guests</code>, then <code>POST /api/v1/tables/{id}/join</code> with
<code>{{\"invite\": \"{code}\"}}</code>.</p>"
        ),
        Some("finished") => format!(
            "<p>The game between {} is over: {}. <a href=\"/api/v1/tables/{id}/sgf?invite={code}\">Its record</a>
stays open to you.</p>{client}",
            players(),
            text(&table["result"]["sgf"])
        ),
        _ => format!("<p>Both seats are taken, by {}; with this link you can watch.</p>{client}", players()),
    };
    what + &now
}
