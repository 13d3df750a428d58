//! What a player asks and says about himself: preferences, and whom he has blocked.

use super::Answer;
use super::context::{Asked, database_away};
use super::tables_list::limit;
use crate::clock::Timestamp;
use crate::game::PlayerId;
use crate::http::{Code, Problem, json, no_content};
use crate::objects::{challenges, errands};
use crate::players::PreferencesChange;
use crate::store;
use crate::store::blocks::MOST;
use crate::store::people::Person;
use serde::Deserialize;
use serde_json::{Value, json};

#[derive(Deserialize)]
struct MeRequest {
    preferences: Option<PreferencesChange>,
}

/// `GET /api/v1/me`.
pub(super) async fn me(asked: &Asked) -> Answer {
    let person = asked.known_identity().await?.person()?;
    json(200, &shown(&person, asked.now)?).map_err(|_| Problem::internal())
}

/// `PATCH /api/v1/me`: changes preferences.
pub(super) async fn change(asked: &mut Asked) -> Answer {
    let person = asked.known_identity().await?.person()?;
    let request: MeRequest = asked.read().await?;
    let Some(change) = request.preferences else {
        return json(200, &shown(&person, asked.now)?).map_err(|_| Problem::internal());
    };
    let (db, id) = (asked.database()?, &person.player.id);
    let kept = store::people::prefer(&db, id, &change, asked.now).await;
    kept.map_err(|error| database_away(&error))?;
    errands::run_for(&asked.env, id, asked.now).await;
    // As it stands now, with what another device has changed meanwhile.
    let person = store::people::by_id(&db, id).await;
    let person = person.map_err(|error| database_away(&error))?;
    let person = person.ok_or_else(Problem::unauthenticated)?;
    json(200, &shown(&person, asked.now)?).map_err(|_| Problem::internal())
}

/// A player as he sees himself.
pub(super) fn shown(person: &Person, now: Timestamp) -> Result<Value, Problem> {
    let mut shown = serde_json::to_value(&person.player).map_err(|_| Problem::internal())?;
    shown["created_at"] = json!(person.created_at);
    shown["preferences"] = json!(person.preferences);
    shown["suspended"] =
        json!({"chat": person.conduct.silent_at(now), "play": person.conduct.barred_at(now)});
    if person.operator {
        shown["operator"] = json!(true);
    }
    Ok(shown)
}

/// `GET /api/v1/me/blocks`: those whom the asker has blocked.
pub(super) async fn blocks(asked: &Asked) -> Answer {
    let player = asked.known_identity().await?.player;
    let limit = limit(asked)?;
    let after = match asked.query("cursor") {
        None => String::new(),
        Some(cursor) => PlayerId::try_from(cursor)
            .map_err(|_| Problem::bad_field("cursor", "a cursor is what next_cursor said"))?
            .to_string(),
    };
    let listed = store::blocks::list(&asked.database()?, &player.id, &after, limit + 1).await;
    let mut listed = listed.map_err(|error| database_away(&error))?;
    let more = listed.len() > limit as usize;
    listed.truncate(limit as usize);
    let next_cursor = listed.last().filter(|_| more).map(|last| last.id.clone());
    json(200, &json!({"items": listed, "next_cursor": next_cursor})).map_err(|_| Problem::internal())
}

/// `PUT /api/v1/me/blocks/{player_id}`. Twice is once.
pub(super) async fn block(asked: &Asked, other: &str) -> Answer {
    let player = asked.known_identity().await?.player;
    let other = PlayerId::try_from(other.to_owned()).map_err(|_| Problem::not_found())?;
    if other == player.id {
        return Err(Problem::new(Code::SamePlayer, "nobody can block himself"));
    }
    let db = asked.database()?;
    let known = store::people::by_id(&db, &other)
        .await
        .map_err(|error| database_away(&error))?;
    known.ok_or_else(Problem::not_found)?;
    let blocked = store::blocks::add(&db, &player.id, &other, asked.now).await;
    match blocked.map_err(|error| database_away(&error))? {
        true => {
            // What is open between the two is no more (T6).
            let two = (&player.id, &other);
            let ended = challenges::block(&asked.env, &db, two, asked.now).await;
            ended.map_err(|error| database_away(&error))?;
            tell_tables(asked, (&player.id, &other)).await;
            no_content()
        }
        false => Err(Problem::new(
            Code::Forbidden,
            format!("nobody can block more than {MOST} players"),
        )),
    }
}

/// Tells the tables to which one of the two is connected that they do not hear each other any more, or do again (S2).
async fn tell_tables(asked: &Asked, (one, other): (&PlayerId, &PlayerId)) {
    errands::run_for(&asked.env, one, asked.now).await;
    errands::run_for(&asked.env, other, asked.now).await;
}

/// `DELETE /api/v1/me/blocks/{player_id}`. One that is not there is removed already.
pub(super) async fn unblock(asked: &Asked, other: &str) -> Answer {
    let player = asked.known_identity().await?.player;
    let other = PlayerId::try_from(other.to_owned()).map_err(|_| Problem::not_found())?;
    let removed = store::blocks::remove(&asked.database()?, &player.id, &other, asked.now).await;
    removed.map_err(|error| database_away(&error))?;
    tell_tables(asked, (&player.id, &other)).await;
    no_content()
}
