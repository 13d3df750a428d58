//! Players and their sessions.

use super::in_time;
use crate::clock::Timestamp;
use crate::game::{Player, PlayerId, PlayerKind};
use crate::players::SessionId;
use serde::Deserialize;
use std::collections::BTreeMap;
use worker::{D1Database, query};

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

/// Keeps a new guest and his first session, both or neither.
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
    in_time(db.batch(vec![insert_player, insert_session])).await?;
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
    let row = in_time(select.first::<PlayerRow>(None)).await?;
    Ok(row.map(|row| Player {
        id: row.id,
        name: row.name,
        kind: row.kind,
        ratings: BTreeMap::new(),
    }))
}
