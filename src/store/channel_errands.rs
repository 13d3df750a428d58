//! Which sessions have ended whose players' channels have still to be told. An errand is written in the batch that ends the session,
//! and removed when the player's object has heard of it; told twice is told once.

use super::in_time;
use crate::clock::{Millis, Timestamp};
use crate::game::PlayerId;
use crate::players::SessionId;
use serde::Deserialize;
use worker::{D1Database, D1PreparedStatement, query};

/// How long an errand that failed waits.
const RETRY: Millis = Millis::from_secs(30);

/// Which sessions: the only one, and all but one, where these are given; and whether that depends on a password's hash, and on which.
pub(super) type Sessions<'a> = ((Option<&'a str>, Option<&'a str>), (u8, Option<&'a str>));

/// A session whose end a player's channel has still to be told.
#[derive(Clone, Debug, Deserialize)]
pub struct ChannelErrand {
    /// Which.
    pub session_id: SessionId,
    /// Whose.
    pub player_id: PlayerId,
}

/// The statement that writes errands for sessions that are about to end: of this player, equal to `only` and other than `but` where these
/// are given; if `depends` is 1, only where the account has this password hash. It stands in a batch before the one that deletes them.
pub(super) fn insert(
    db: &D1Database,
    player: &PlayerId,
    ((only, but), (depends, hash)): Sessions<'_>,
    now: Timestamp,
) -> worker::Result<D1PreparedStatement> {
    query!(
        db,
        "insert or ignore into channel_errands (session_id, player_id, due)
         select id, player_id, ?4 from sessions
         where player_id = ?1 and id = coalesce(?2, id) and id is not ?3
         and (?5 = 0 or (select password_hash from accounts where accounts.player_id = ?1) is ?6)",
        player.as_str(),
        only,
        but,
        now.as_millis(),
        depends,
        hash
    )
}

/// Up to `limit` errands that have become due, the oldest first.
///
/// # Errors
/// When the database is away.
pub async fn due(db: &D1Database, now: Timestamp, limit: u32) -> worker::Result<Vec<ChannelErrand>> {
    let select = query!(
        db,
        "select session_id, player_id from channel_errands where due <= ?1 order by due limit ?2",
        now.as_millis(),
        limit
    )?;
    in_time(select.all()).await?.results()
}

/// Up to `limit` errands about one player that have become due.
///
/// # Errors
/// When the database is away.
pub async fn due_of(
    db: &D1Database,
    player: &PlayerId,
    now: Timestamp,
    limit: u32,
) -> worker::Result<Vec<ChannelErrand>> {
    let select = query!(
        db,
        "select session_id, player_id from channel_errands where player_id = ?1 and due <= ?2 order by due limit ?3",
        player.as_str(),
        now.as_millis(),
        limit
    )?;
    in_time(select.all()).await?.results()
}

/// These errands are done.
///
/// # Errors
/// When the database is away.
pub async fn done(db: &D1Database, sessions: &[SessionId]) -> worker::Result<()> {
    let delete = query!(
        db,
        "delete from channel_errands where session_id in (select value from json_each(?1))",
        serde_json::to_string(sessions)?
    )?;
    in_time(delete.run()).await?;
    Ok(())
}

/// These errands could not be run: they wait.
///
/// # Errors
/// When the database is away.
pub async fn postpone(db: &D1Database, sessions: &[SessionId], now: Timestamp) -> worker::Result<()> {
    let update = query!(
        db,
        "update channel_errands set due = ?2 where session_id in (select value from json_each(?1))",
        serde_json::to_string(sessions)?,
        (now + RETRY).as_millis()
    )?;
    in_time(update.run()).await?;
    Ok(())
}
