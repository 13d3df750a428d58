//! What only operators may ask for (S4, G11). Who is one is looked up with each call.

use super::Answer;
use super::context::{Asked, database_away};
use super::identity::Identity;
use super::tables;
use super::tables_list::{is_exact, limit};
use crate::clock::Timestamp;
use crate::game::{AppealId, Cause, EntryId, Judgment, PlayerId, Reason, ReportId, Seq, TableId};
use crate::http::{Code, Problem, json};
use crate::objects::player::{self, PlayerOp};
use crate::objects::{TableOp, errands};
use crate::random;
use crate::rules::{PerColor, Vertex};
use crate::store;
use crate::store::appeals::After;
use crate::store::conduct::Suspensions;
use crate::store::operator_log::{Action, Entry};
use crate::store::reports::Closing;
use crate::wire;
use serde::Deserialize;
use serde_json::{Map, Value, json};

/// The fields of a decision in which lists stand.
const DEAD: [&str; 2] = ["dead.black", "dead.white"];

/// The latest moment that a date can have, in ms (ECMAScript's time values).
const LATEST_MOMENT: i64 = 8_640_000_000_000_000;

/// The most points that name the dead chains: all of the largest board.
const MOST_DEAD: usize = 625;

#[derive(Deserialize)]
struct NoteRequest {
    note: Reason,
}

#[derive(Deserialize)]
struct DecideRequest {
    uphold: Option<bool>,
    dead: Option<DeadRequest>,
    reason: Reason,
}

#[derive(Deserialize)]
struct CorrectRequest {
    dead: DeadRequest,
    reason: Reason,
}

#[derive(Deserialize)]
struct DeadRequest {
    black: Vec<Vertex>,
    white: Vec<Vertex>,
}

#[derive(Deserialize)]
struct RemoveRequest {
    seq: Seq,
    reason: Reason,
}

#[derive(Deserialize)]
struct SuspendRequest {
    /// Twice optional: left out, and `null`, which lifts it.
    #[serde(default, deserialize_with = "wire::given")]
    chat: Option<Option<Timestamp>>,
    #[serde(default, deserialize_with = "wire::given")]
    play: Option<Option<Timestamp>>,
    reason: Reason,
}

/// Who asks, if he is an operator.
async fn operator(asked: &Asked) -> Result<Identity, Problem> {
    let identity = asked.known_identity().await?;
    if identity.clone().person()?.operator {
        return Ok(identity);
    }
    Err(Problem::new(Code::Forbidden, "this is for operators"))
}

/// The entry of the log for what an operator is about to do.
fn entry(asked: &Asked, operator: &Identity, action: Action, reason: &Reason) -> Result<Entry, Problem> {
    Ok(Entry {
        id: EntryId::from_seed(random::id_seed()?),
        at: asked.now,
        operator_id: operator.player.id.clone(),
        action,
        player_id: None,
        table_id: None,
        subject: None,
        reason: reason.as_str().to_owned(),
        details: Value::Null,
    })
}

/// `GET /api/v1/operator/reports?state=`: the oldest first; open ones if nothing else is asked for.
pub(super) async fn reports(asked: &Asked) -> Answer {
    operator(asked).await?;
    let state = state(asked, &["open", "closed"])?;
    let (limit, after) = (limit(asked)?, after::<ReportId>(asked)?);
    let rows = store::reports::list(&asked.database()?, &state, &after, limit + 1).await;
    let mut rows = rows.map_err(|error| database_away(&error))?;
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let last = rows.last().map(|row| cursor(row.created_at, &row.id));
    let shown: worker::Result<Vec<Value>> = rows.into_iter().map(|row| row.shown()).collect();
    page(
        shown.map_err(|error| database_away(&error))?,
        last.filter(|_| more),
    )
}

/// `POST /api/v1/operator/reports/{id}/close`.
pub(super) async fn close_report(asked: &mut Asked, id: &str) -> Answer {
    let operator = operator(asked).await?;
    let request: NoteRequest = asked.read().await?;
    let report = ReportId::try_from(id.to_owned()).map_err(|_| Problem::not_found())?;
    let entry = entry(asked, &operator, Action::CloseReport, &request.note)?;
    let closed = store::reports::close(&asked.database()?, &report, &entry).await;
    match closed.map_err(|error| database_away(&error))? {
        Closing::Closed => {
            let body = json!({"id": report, "state": "closed", "closed_at": entry.at, "note": entry.reason});
            json(200, &body).map_err(|_| Problem::internal())
        }
        Closing::Before => Err(Problem::new(Code::WrongState, "this report is closed already")),
        Closing::Unknown => Err(Problem::not_found()),
    }
}

/// `GET /api/v1/operator/appeals?state=`: the oldest first; open ones if nothing else is asked for.
pub(super) async fn appeals(asked: &Asked) -> Answer {
    operator(asked).await?;
    let state = state(asked, &["open", "upheld", "corrected"])?;
    let (limit, after) = (limit(asked)?, after::<AppealId>(asked)?);
    let rows = store::appeals::list(&asked.database()?, &state, &after, limit + 1).await;
    let mut rows = rows.map_err(|error| database_away(&error))?;
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let last = rows.last().map(|row| cursor(row.created_at, &row.id));
    let shown: worker::Result<Vec<_>> = rows.into_iter().map(|row| row.shown()).collect();
    page(
        shown.map_err(|error| database_away(&error))?,
        last.filter(|_| more),
    )
}

/// `POST /api/v1/operator/appeals/{id}/decide`: the result stands, or exactly these chains are dead.
pub(super) async fn decide(asked: &mut Asked, id: &str) -> Answer {
    let operator = operator(asked).await?;
    let request: DecideRequest = asked.read_with_lists(&DEAD).await?;
    let judgment = match (request.uphold, request.dead) {
        (Some(true), None) => Judgment::Uphold,
        (None | Some(false), Some(dead)) => correction(dead)?,
        _ => {
            let detail = "either uphold is true, or dead says which chains are dead";
            return Err(Problem::bad_field("uphold", detail));
        }
    };
    let appeal = AppealId::try_from(id.to_owned()).map_err(|_| Problem::not_found())?;
    let place = store::appeals::place_of(&asked.database()?, &appeal).await;
    let place = place.map_err(|error| database_away(&error))?;
    let place = place.ok_or_else(Problem::not_found)?;
    let table = place.table_id;
    let entry = entry(asked, &operator, Action::DecideAppeal, &request.reason)?;
    let entry = Entry {
        player_id: Some(place.player_id),
        table_id: Some(table.clone()),
        subject: Some(appeal.to_string()),
        details: json!(judgment),
        ..entry
    };
    let op = TableOp::Decide {
        cause: Cause::Appeal(appeal),
        judgment,
        reason: request.reason,
        entry: Box::new(entry),
    };
    decided(asked, &operator, &table, op).await
}

/// `POST /api/v1/operator/tables/{id}/correct`: exactly these chains are dead, of the operator's own accord.
pub(super) async fn correct(asked: &mut Asked, id: &str) -> Answer {
    let operator = operator(asked).await?;
    let request: CorrectRequest = asked.read_with_lists(&DEAD).await?;
    let table = tables::table(id)?;
    let judgment = correction(request.dead)?;
    let entry = entry(asked, &operator, Action::Correct, &request.reason)?;
    let entry = Entry {
        table_id: Some(table.clone()),
        details: json!(judgment),
        ..entry
    };
    let op = TableOp::Decide {
        cause: Cause::OwnAccord,
        judgment,
        reason: request.reason,
        entry: Box::new(entry),
    };
    decided(asked, &operator, &table, op).await
}

fn correction(dead: DeadRequest) -> Result<Judgment, Problem> {
    let DeadRequest { black, white } = dead;
    if black.len() + white.len() > MOST_DEAD {
        return Err(Problem::bad_field("dead", format!("at most {MOST_DEAD} points")));
    }
    Ok(Judgment::Correct {
        dead: PerColor { black, white },
    })
}

/// Has the table decide, and adds what has come of it for the ratings: `null` where the game is not rated, or is not yet.
async fn decided(asked: &Asked, operator: &Identity, table: &TableId, op: TableOp) -> Answer {
    let mut response = tables::call(asked, table, Some(operator), None, op).await?;
    if response.status_code() != 200 {
        return Ok(response);
    }
    let mut body: Value = response.json().await.map_err(|_| Problem::internal())?;
    body["table_id"] = json!(table);
    // The decision stands. If the database is away now, what it has changed is found with the game later.
    let changes = match asked.database() {
        Ok(db) => store::ratings::changes_by(&db, table.as_str()).await,
        Err(_) => Ok(Vec::new()),
    };
    let changes = changes.unwrap_or_else(|error| {
        database_away(&error);
        Vec::new()
    });
    let changes: Map<String, Value> = changes
        .into_iter()
        .map(|(player, change)| (player.to_string(), change.shown()))
        .collect();
    body["ratings"] = match changes.is_empty() {
        true => Value::Null,
        false => Value::Object(changes),
    };
    json(200, &body).map_err(|_| Problem::internal())
}

/// `POST /api/v1/operator/tables/{id}/remove_chat`.
pub(super) async fn remove_chat(asked: &mut Asked, id: &str) -> Answer {
    let operator = operator(asked).await?;
    let request: RemoveRequest = asked.read().await?;
    let table = tables::table(id)?;
    let entry = Entry {
        table_id: Some(table.clone()),
        subject: Some(request.seq.0.to_string()),
        ..entry(asked, &operator, Action::RemoveChat, &request.reason)?
    };
    let op = TableOp::RemoveChat {
        line: request.seq,
        entry: Box::new(entry),
    };
    tables::call(asked, &table, Some(&operator), None, op).await
}

/// `POST /api/v1/operator/players/{id}/suspend`: from chat, from play, or from both, until a moment; `null` lifts it.
pub(super) async fn suspend(asked: &mut Asked, id: &str) -> Answer {
    let operator = operator(asked).await?;
    let request: SuspendRequest = asked.read().await?;
    let player = PlayerId::try_from(id.to_owned()).map_err(|_| Problem::not_found())?;
    if request.chat.is_none() && request.play.is_none() {
        return Err(Problem::bad_field(
            "chat",
            "chat, play, or both: until when, or null",
        ));
    }
    for (field, until) in [("chat", request.chat), ("play", request.play)] {
        let to_come = |until: Timestamp| until > asked.now && until.as_millis() <= LATEST_MOMENT;
        if until.flatten().is_some_and(|until| !to_come(until)) {
            return Err(Problem::bad_field(
                field,
                "a moment that is still to come, or null",
            ));
        }
    }
    let db = asked.database()?;
    let known = store::people::by_id(&db, &player).await;
    known
        .map_err(|error| database_away(&error))?
        .ok_or_else(Problem::not_found)?;
    let mut details = Map::new();
    for (name, until) in [("chat", request.chat), ("play", request.play)] {
        if let Some(until) = until {
            details.insert(name.to_owned(), json!(until));
        }
    }
    let entry = Entry {
        player_id: Some(player.clone()),
        details: Value::Object(details),
        ..entry(asked, &operator, Action::Suspend, &request.reason)?
    };
    let what = Suspensions {
        chat: request.chat,
        play: request.play,
    };
    let suspended = store::conduct::suspend(&db, &player, what, &entry).await;
    suspended.map_err(|error| database_away(&error))?;
    errands::run_for(&asked.env, &player, asked.now).await;
    let person = store::people::by_id(&db, &player).await;
    let conduct = person
        .map_err(|error| database_away(&error))?
        .map(|person| person.conduct);
    let conduct = conduct.unwrap_or_default();
    let (chat, play) = (conduct.silent_at(asked.now), conduct.barred_at(asked.now));
    let suspended = json!({"chat": chat, "play": play});
    tell_suspended(asked, &player, &suspended).await;
    let body = json!({"player_id": player, "suspended": suspended});
    json(200, &body).map_err(|_| Problem::internal())
}

/// Tells the player's object: his channel (L4), and of a suspension from play, which ends his search (S4). It stands without; the lobby
/// looks before it gives him a game, and he finds it out when he tries.
async fn tell_suspended(asked: &Asked, player: &PlayerId, suspended: &Value) {
    let frame = json!({"type": "suspended", "suspended": suspended});
    let op = match suspended["play"].is_null() {
        true => PlayerOp::Tell { frame },
        false => PlayerOp::Suspended { frame: Some(frame) },
    };
    if let Err(problem) = player::ask(&asked.env, player, op).await {
        crate::log::error(
            "operator.suspended_untold",
            &[("code", json!(problem.code().as_str()))],
        );
    }
}

/// `GET /api/v1/operator/log`: the newest first.
pub(super) async fn log(asked: &Asked) -> Answer {
    operator(asked).await?;
    let before = match asked.query("cursor") {
        None => u32::MAX,
        Some(cursor) => cursor.parse().map_err(|_| no_cursor())?,
    };
    let limit = limit(asked)?;
    let rows = store::operator_log::list(&asked.database()?, before, limit + 1).await;
    let mut rows = rows.map_err(|error| database_away(&error))?;
    let more = rows.len() > limit as usize;
    rows.truncate(limit as usize);
    let last = rows.last().map(|row| row.number.to_string());
    let shown: Vec<_> = rows.into_iter().map(|row| row.shown()).collect();
    page(shown, last.filter(|_| more))
}

fn page<T: serde::Serialize>(items: Vec<T>, next_cursor: Option<String>) -> Answer {
    json(200, &json!({"items": items, "next_cursor": next_cursor})).map_err(|_| Problem::internal())
}

/// The state that is asked for, the first if none is.
fn state(asked: &Asked, known: &[&str]) -> Result<String, Problem> {
    let wanted = asked.query("state");
    let wanted = wanted.as_deref().or(known.first().copied()).unwrap_or_default();
    match known.contains(&wanted) {
        true => Ok(wanted.to_owned()),
        false => Err(Problem::bad_field("state", known.join(", "))),
    }
}

fn cursor(created_at: i64, id: &str) -> String {
    format!("{created_at}.{id}")
}

/// The place that a cursor names in a queue of things with such ids.
fn after<Id: TryFrom<String>>(asked: &Asked) -> Result<After, Problem> {
    match asked.query("cursor") {
        None => Ok(After::default()),
        Some(cursor) => read_cursor::<Id>(&cursor).ok_or_else(no_cursor),
    }
}

fn read_cursor<Id: TryFrom<String>>(cursor: &str) -> Option<After> {
    let (created_at, id) = cursor.split_once('.')?;
    Id::try_from(id.to_owned()).ok()?;
    Some(After {
        created_at: created_at.parse().ok().filter(|&at| is_exact(at))?,
        id: id.to_owned(),
    })
}

fn no_cursor() -> Problem {
    Problem::bad_field("cursor", "a cursor is what next_cursor said")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn x5_a_cursor_is_what_was_given_out_or_refused() {
        let id = "0123456789abcdef";
        for at in [0, 1_700_000_000_000, 9_007_199_254_740_991] {
            let read = read_cursor::<ReportId>(&cursor(at, id)).expect("its own");
            assert_eq!((read.created_at, read.id.as_str()), (at, id));
        }
        for text in [
            "",
            ".",
            "1",
            "x.0123456789abcdef",
            "1.nobody",
            "1.0123456789abcdef.2",
            "9007199254740992.0123456789abcdef",
            "-9223372036854775808.0123456789abcdef",
            "99999999999999999999.0123456789abcdef",
        ] {
            assert!(read_cursor::<AppealId>(text).is_none(), "{text}");
        }
    }
}
