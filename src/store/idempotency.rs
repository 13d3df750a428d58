//! What was created under which `Idempotency-Key`.

use super::in_time;
use crate::clock::{Millis, Timestamp};
use crate::game::PlayerId;
use serde::{Deserialize, Serialize};
use worker::{D1Database, query};

/// How long a key is remembered.
const REMEMBERED: Millis = Millis::from_secs(24 * 3600);

/// How many old keys are removed with each claim.
const SWEPT: u32 = 10;

/// A key that a client sent, and what it wants to create under it.
#[derive(Clone, Debug)]
pub struct Claim<'a> {
    /// Whose key.
    pub player: &'a PlayerId,
    /// The key.
    pub key: &'a str,
    /// A hash of the request, to tell a repeat from another use.
    pub request_hash: &'a str,
    /// The id that the new thing gets, if the key is new.
    pub resource_id: &'a str,
}

/// What a key stands for.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Claimed {
    /// The hash of the request that first used it.
    pub request_hash: String,
    /// What that request creates, or has created.
    pub resource_id: String,
}

/// Claims a key. The first claim within a day wins; later ones learn what it stands for.
///
/// # Errors
/// When the database is away.
pub async fn claim(db: &D1Database, claim: &Claim<'_>, now: Timestamp) -> worker::Result<Claimed> {
    let forgotten = now.as_millis() - REMEMBERED.get();
    let player = claim.player.as_str();
    // Repeats must come back with the old row, hence the update that changes nothing but a row grown old.
    let upsert = query!(
        db,
        "insert into idempotency_keys (player_id, key, request_hash, resource_id, created_at)
         values (?1, ?2, ?3, ?4, ?5)
         on conflict (player_id, key) do update set
           request_hash = iif(created_at < ?6, excluded.request_hash, request_hash),
           resource_id = iif(created_at < ?6, excluded.resource_id, resource_id),
           created_at = iif(created_at < ?6, excluded.created_at, created_at)
         returning request_hash, resource_id",
        player,
        claim.key,
        claim.request_hash,
        claim.resource_id,
        now.as_millis(),
        forgotten
    )?;
    let row = in_time(upsert.first::<Claimed>(None)).await?;
    sweep(db, forgotten).await;
    row.ok_or_else(|| worker::Error::from("the key was not kept"))
}

/// What a key stands for, if it was used within a day.
///
/// # Errors
/// When the database is away.
pub async fn find(
    db: &D1Database,
    player: &PlayerId,
    key: &str,
    now: Timestamp,
) -> worker::Result<Option<Claimed>> {
    let select = query!(
        db,
        "select request_hash, resource_id from idempotency_keys where player_id = ?1 and key = ?2 and created_at >= ?3",
        player.as_str(),
        key,
        now.as_millis() - REMEMBERED.get()
    )?;
    in_time(select.first(None)).await
}

/// A key that a player has used.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Used {
    /// The key.
    pub key: String,
    /// What was created under it.
    pub resource_id: String,
    /// When.
    pub created_at: Timestamp,
}

/// The keys that a player has used and that are still remembered.
///
/// # Errors
/// When the database is away.
pub async fn list(db: &D1Database, player: &PlayerId) -> worker::Result<Vec<Used>> {
    let select = query!(
        db,
        "select key, resource_id, created_at from idempotency_keys where player_id = ?1 order by key",
        player.as_str()
    )?;
    in_time(select.all()).await?.results()
}

/// Removes some keys that have grown old. Nothing depends on it, so a failure is only noted.
async fn sweep(db: &D1Database, forgotten: i64) {
    let swept = query!(
        db,
        "delete from idempotency_keys where (player_id, key) in
           (select player_id, key from idempotency_keys where created_at < ?1 limit ?2)",
        forgotten,
        SWEPT
    );
    let swept = match swept {
        Ok(statement) => in_time(statement.run()).await.map(|_| ()),
        Err(error) => Err(error),
    };
    if let Err(error) = swept {
        crate::log::error("idempotency.not_swept", &[crate::log::cause(&error)]);
    }
}
