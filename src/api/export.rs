//! Everything that is stored about a player, for himself (P6).

use super::Answer;
use super::context::{Asked, database_away};
use super::identity::Identity;
use super::me;
use super::players::with_changes;
use super::tables;
use crate::game::{PlayerId, TableId};
use crate::http::{Problem, json};
use crate::objects::player::{self, PlayerOp};
use crate::objects::{TableCall, TableClient, TableOp};
use crate::store;
use crate::store::games::{Filter, Listed};
use futures_util::future::join_all;
use serde_json::{Map, Value, json};
use worker::{D1Database, Response};

/// How many rows are asked for at a time.
const PAGE: u32 = 100;

/// How many tables are asked for their records at a time.
const RECORDS_AT_A_TIME: usize = 20;

/// `GET /api/v1/me/export`, and with `?format=sgf` the games alone, as records.
pub(super) async fn export(asked: &Asked) -> Answer {
    let identity = asked.known_identity().await?;
    match asked.query("format").as_deref() {
        None | Some("json") => everything(asked, identity).await,
        Some("sgf") => records(asked, identity).await,
        Some(_) => Err(Problem::bad_field("format", "json or sgf")),
    }
}

async fn everything(asked: &Asked, identity: Identity) -> Answer {
    let person = identity.clone().person()?;
    let db = asked.database()?;
    let id = &person.player.id;
    let away = |error: worker::Error| database_away(&error);
    let mut listed = Vec::new();
    for games in pages(&db, id).await? {
        listed.extend(with_changes(&db, id, games).await?);
    }
    let ratings = store::ratings::records(&db, id).await.map_err(away)?;
    let ratings: Map<String, Value> = ratings
        .into_iter()
        .map(|(ruleset, record)| (ruleset, json!(record)))
        .collect();
    let chat = lines(asked, &identity, id).await?;
    let body = json!({
        "player": me::shown(&person, asked.now)?,
        "sessions": store::sessions::list(&db, id).await.map_err(away)?,
        "blocks": store::blocks::list(&db, id, "", store::blocks::MOST).await.map_err(away)?,
        "record": ratings,
        "idempotency_keys": store::idempotency::list(&db, id).await.map_err(away)?,
        "challenges": store::challenges::all_of(&db, id).await.map_err(away)?,
        "games": listed,
        "chat": chat,
        "appeals": store::appeals::of_player(&db, id).await.map_err(away)?,
        "reports": store::reports::by_player(&db, id).await.map_err(away)?,
        "reports_about_me": store::reports::about_player(&db, id).await.map_err(away)?,
        "lines_in_reports": store::reports::lines_of(&db, id).await.map_err(away)?,
        "search": search(asked, id).await?,
        "operators": store::operator_log::of_player(&db, id).await.map_err(away)?,
    });
    let response = json(200, &body).and_then(|response| named(response, &format!("hoshi-{id}.json")));
    response.map_err(|_| Problem::internal())
}

/// What he is looking for at the moment, or has found; `null` if nothing.
async fn search(asked: &Asked, player: &PlayerId) -> Result<Value, Problem> {
    let answered = player::ask(&asked.env, player, PlayerOp::Search).await?;
    match answered {
        mut found if found.status_code() == 200 => found.json().await.map_err(|_| Problem::unavailable()),
        none if none.status_code() == 404 => Ok(Value::Null),
        _ => Err(Problem::unavailable()),
    }
}

/// What a player has said, table by table. None is left out: if a table does not answer, there is no export.
async fn lines(asked: &Asked, identity: &Identity, player: &PlayerId) -> Result<Vec<Value>, Problem> {
    let tables = store::conduct::spoken_at(&asked.database()?, player).await;
    let tables = tables.map_err(|error| database_away(&error))?;
    let mut said = Vec::new();
    for some in tables.chunks(RECORDS_AT_A_TIME) {
        let calls = some.iter().map(|table| lines_at(asked, identity, table));
        for lines in join_all(calls).await {
            said.extend(lines?);
        }
    }
    Ok(said)
}

async fn lines_at(asked: &Asked, identity: &Identity, table: &TableId) -> Result<Option<Value>, Problem> {
    let call = TableCall {
        // They are his own, also where he is not invited any more.
        operator: true,
        ..tables::table_call(asked, Some(identity), None, TableOp::Lines)
    };
    let mut response = TableClient::new(&asked.env).call(table, &call).await?;
    match response.status_code() {
        200 => {
            let lines: Value = response.json().await.map_err(|_| Problem::unavailable())?;
            Ok(Some(json!({"table_id": table, "lines": lines})))
        }
        _ => Err(Problem::unavailable()),
    }
}

/// All games that have begun, one after the other, as SGF's collections have them.
async fn records(asked: &Asked, identity: Identity) -> Answer {
    let pages = pages(&asked.database()?, &identity.player.id).await?;
    let begun = |game: &&Listed| !game.summary["started_at"].is_null();
    let games: Vec<Listed> = pages.into_iter().flatten().collect();
    let begun: Vec<&str> = games
        .iter()
        .filter(begun)
        .map(|game| game.place.id.as_str())
        .collect();
    let mut collection = String::new();
    for some in begun.chunks(RECORDS_AT_A_TIME) {
        let records = join_all(some.iter().map(|game| record(asked, &identity, game))).await;
        for record in records {
            collection.push_str(&record?);
            collection.push('\n');
        }
    }
    let name = format!("hoshi-{}.sgf", identity.player.id);
    let response = Response::builder()
        .with_header("cache-control", "no-store")
        .and_then(|response| response.with_header("content-type", "application/x-go-sgf; charset=utf-8"))
        .and_then(|response| named(response.fixed(collection.into_bytes()), &name));
    response.map_err(|_| Problem::internal())
}

/// All tables of a player, private ones too, page by page.
async fn pages(db: &D1Database, player: &PlayerId) -> Result<Vec<Vec<Listed>>, Problem> {
    let filter = Filter {
        player: Some(player.clone()),
        private_too: true,
        closed_too: true,
        ..Filter::default()
    };
    let mut pages: Vec<Vec<Listed>> = Vec::new();
    loop {
        let after = pages.last().and_then(|page| page.last()).map(|last| &last.place);
        let page = store::games::list(db, &filter, after, PAGE).await;
        let page = page.map_err(|error| database_away(&error))?;
        let last = page.len() < PAGE as usize;
        pages.push(page);
        if last {
            return Ok(pages);
        }
    }
}

/// The record of one game. None is left out: if its table does not answer, there is no export.
async fn record(asked: &Asked, identity: &Identity, game: &str) -> Result<String, Problem> {
    let table = TableId::try_from(game.to_owned()).map_err(|_| Problem::internal())?;
    let mut response = tables::call(asked, &table, Some(identity), None, TableOp::Sgf).await?;
    match response.status_code() {
        200 => response.text().await.map_err(|_| Problem::unavailable()),
        _ => Err(Problem::unavailable()),
    }
}

fn named(mut response: Response, name: &str) -> worker::Result<Response> {
    let disposition = format!("attachment; filename=\"{name}\"");
    response.headers_mut().set("content-disposition", &disposition)?;
    Ok(response)
}
