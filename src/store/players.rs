//! Players and their sessions.

use super::{in_time, within};
use crate::clock::Timestamp;
use crate::game::{Player, PlayerId, PlayerKind};
use crate::players::SessionId;
use serde::Deserialize;
use std::collections::BTreeMap;
use std::time::Duration;
use worker::{D1Database, query};

/// How long a session may be looked up. It is on the way of every call, and a player's clock runs meanwhile; the token's own
/// word stands in.
const SESSION_LIMIT: Duration = Duration::from_millis(700);

/// How many sessions that have ended are removed with each that begins.
const SWEPT: u32 = 10;

/// A session to be kept.
#[derive(Clone, Debug)]
pub struct NewSession {
    /// Which.
    pub id: SessionId,
    /// When it was made.
    pub created_at: Timestamp,
    /// From when on it is worth nothing.
    pub expires_at: Timestamp,
}

#[derive(Deserialize)]
struct PlayerRow {
    id: PlayerId,
    name: String,
    kind: PlayerKind,
}

/// Keeps a new guest and his first session, both or neither, and removes some sessions that have ended.
///
/// # Errors
/// When the database is away.
pub async fn create_guest(db: &D1Database, player: &Player, session: &NewSession) -> worker::Result<()> {
    let created_at = session.created_at.as_millis();
    let expires_at = session.expires_at.as_millis();
    let (id, name) = (player.id.as_str(), player.name.as_str());
    let insert_player = query!(
        db,
        "insert into players (id, kind, name, created_at) values (?1, 'guest', ?2, ?3)",
        id,
        name,
        created_at
    )?;
    let insert_session = query!(
        db,
        "insert into sessions (id, player_id, created_at, expires_at) values (?1, ?2, ?3, ?4)",
        session.id.0,
        id,
        created_at,
        expires_at
    )?;
    let sweep = query!(
        db,
        "delete from sessions where id in (select id from sessions where expires_at <= ?1 limit ?2)",
        created_at,
        SWEPT
    )?;
    in_time(db.batch(vec![insert_player, insert_session, sweep])).await?;
    Ok(())
}

/// The player of a session that has not ended at `now`.
///
/// # Errors
/// When the database is away.
pub async fn player_of_session(
    db: &D1Database,
    session: &SessionId,
    now: Timestamp,
) -> worker::Result<Option<Player>> {
    let select = query!(
        db,
        "select players.id, players.name, players.kind from sessions
         join players on players.id = sessions.player_id
         where sessions.id = ?1 and sessions.expires_at > ?2",
        session.0,
        now.as_millis()
    )?;
    let row = within(SESSION_LIMIT, select.first::<PlayerRow>(None)).await?;
    Ok(row.map(|row| Player {
        id: row.id,
        name: row.name,
        kind: row.kind,
        ratings: BTreeMap::new(),
    }))
}
