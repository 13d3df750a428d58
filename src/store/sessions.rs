//! Sessions: one sign-in on one device.
//!
//! A session ends by its row's deletion. In the same batch the tables to which it is connected get an errand each, so that its
//! sockets are closed whatever fails afterwards.

use super::channel_errands;
use super::people::{Person, PersonRow};
use super::{batch, in_time, within};
use crate::clock::Timestamp;
use crate::game::PlayerId;
use crate::players::SessionId;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use worker::{D1Database, D1PreparedStatement, query};

/// How long a session may be looked up. It is on the way of every call, and a player's clock runs meanwhile; the token's own
/// word stands in.
const LOOK_UP_LIMIT: Duration = Duration::from_millis(700);

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

/// A session as its player sees it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct SessionShown {
    /// When it was made.
    pub created_at: Timestamp,
    /// From when on it is worth nothing.
    pub expires_at: Timestamp,
}

#[derive(Deserialize)]
struct Expiry {
    expires_at: Timestamp,
}

/// Which sessions of a player end.
#[derive(Clone, Copy, Debug)]
pub enum Ending<'a> {
    /// This one.
    One(&'a SessionId),
    /// Every other.
    AllBut(&'a SessionId),
    /// Every one.
    All,
}

/// The statement that keeps a session of a player who is there.
pub(super) fn insert(
    db: &D1Database,
    player: &PlayerId,
    session: &NewSession,
) -> worker::Result<D1PreparedStatement> {
    query!(
        db,
        "insert into sessions (id, player_id, created_at, expires_at)
         select ?1, id, ?3, ?4 from players where id = ?2 and deleted_at is null",
        session.id.0,
        player.as_str(),
        session.created_at.as_millis(),
        session.expires_at.as_millis()
    )
}

/// Keeps a session.
///
/// # Errors
/// When the database is away.
pub async fn begin(db: &D1Database, player: &PlayerId, session: &NewSession) -> worker::Result<()> {
    in_time(insert(db, player, session)?.run()).await?;
    Ok(())
}

/// The player of a session that has not ended at `now`.
///
/// # Errors
/// When the database is away.
pub async fn holder(db: &D1Database, session: &SessionId, now: Timestamp) -> worker::Result<Option<Person>> {
    let select = query!(
        db,
        "select people.* from sessions join people on people.id = sessions.player_id
         where sessions.id = ?1 and sessions.expires_at > ?2",
        session.0,
        now.as_millis()
    )?;
    let row = within(LOOK_UP_LIMIT, select.first::<PersonRow>(None)).await?;
    row.map(PersonRow::read).transpose()
}

/// When a session ends by itself, unless it has ended at `now`.
///
/// # Errors
/// When the database is away.
pub async fn expiry(
    db: &D1Database,
    session: &SessionId,
    now: Timestamp,
) -> worker::Result<Option<Timestamp>> {
    let select = query!(
        db,
        "select expires_at from sessions where id = ?1 and expires_at > ?2",
        session.0,
        now.as_millis()
    )?;
    let row = in_time(select.first::<Expiry>(None)).await?;
    Ok(row.map(|row| row.expires_at))
}

/// A player's sessions, newest first.
///
/// # Errors
/// When the database is away.
pub async fn list(db: &D1Database, player: &PlayerId) -> worker::Result<Vec<SessionShown>> {
    let select = query!(
        db,
        "select created_at, expires_at from sessions where player_id = ?1 order by created_at desc",
        player.as_str()
    )?;
    in_time(select.all()).await?.results()
}

/// Ends sessions of a player.
///
/// # Errors
/// When the database is away; then none has ended.
pub async fn end(
    db: &D1Database,
    player: &PlayerId,
    ending: Ending<'_>,
    now: Timestamp,
) -> worker::Result<()> {
    batch(db, end_statements(db, player, ending, now)?).await?;
    Ok(())
}

/// The statements that end sessions: what the tables and the player's channel are to be told, then the rows.
pub(super) fn end_statements(
    db: &D1Database,
    player: &PlayerId,
    ending: Ending<'_>,
    now: Timestamp,
) -> worker::Result<Vec<D1PreparedStatement>> {
    // Equal to a column where it may be anything.
    let (only, but) = match ending {
        Ending::One(session) => (Some(&session.0), None),
        Ending::AllBut(session) => (None, Some(&session.0)),
        Ending::All => (None, None),
    };
    let of_channel = channel_errands::insert(
        db,
        player,
        (only.map(String::as_str), but.map(String::as_str)),
        now,
    )?;
    let player = player.as_str();
    Ok(vec![
        of_channel,
        query!(
            db,
            "insert or ignore into errands (table_id, kind, subject, player_id, due)
             select table_id, 'signed_out', session_id, player_id, ?4 from presence
             where player_id = ?1 and session_id = coalesce(?2, session_id) and session_id is not ?3",
            player,
            only,
            but,
            now.as_millis()
        )?,
        query!(
            db,
            "delete from presence where player_id = ?1 and session_id = coalesce(?2, session_id) and session_id is not ?3",
            player,
            only,
            but
        )?,
        query!(
            db,
            "delete from sessions where player_id = ?1 and id = coalesce(?2, id) and id is not ?3",
            player,
            only,
            but
        )?,
    ])
}

/// Ends up to `limit` sessions whose time is over. The players' channels know by themselves when that is.
///
/// # Errors
/// When the database is away.
pub async fn sweep(db: &D1Database, now: Timestamp, limit: u32) -> worker::Result<()> {
    let now = now.as_millis();
    let statements = vec![
        query!(
            db,
            "insert or ignore into errands (table_id, kind, subject, player_id, due)
             select table_id, 'signed_out', session_id, player_id, ?1 from presence
             where session_id in (select id from sessions where expires_at <= ?1 order by expires_at limit ?2)",
            now,
            limit
        )?,
        query!(
            db,
            "delete from presence
             where session_id in (select id from sessions where expires_at <= ?1 order by expires_at limit ?2)",
            now,
            limit
        )?,
        query!(
            db,
            "delete from sessions
             where id in (select id from sessions where expires_at <= ?1 order by expires_at limit ?2)",
            now,
            limit
        )?,
    ];
    batch(db, statements).await?;
    Ok(())
}

#[derive(Deserialize)]
struct Lives {
    lives: f64,
}

/// Notes that a session is connected to a table. Says whether there still is such a session.
///
/// # Errors
/// When the database is away.
pub async fn connected(
    db: &D1Database,
    session: &SessionId,
    table: &str,
    now: Timestamp,
) -> worker::Result<bool> {
    let now = now.as_millis();
    let statements = vec![
        query!(
            db,
            "insert or ignore into presence (session_id, table_id, player_id)
             select id, ?2, player_id from sessions where id = ?1 and expires_at > ?3",
            session.0,
            table,
            now
        )?,
        query!(
            db,
            "select count(*) as lives from sessions where id = ?1 and expires_at > ?2",
            session.0,
            now
        )?,
    ];
    let results = batch(db, statements).await?;
    let lives = match results.last() {
        Some(last) => last.results::<Lives>()?,
        None => Vec::new(),
    };
    Ok(lives.first().is_some_and(|row| row.lives > 0.0))
}

/// Notes that a session is not connected to a table any more.
///
/// # Errors
/// When the database is away.
pub async fn disconnected(db: &D1Database, session: &SessionId, table: &str) -> worker::Result<()> {
    let delete = query!(
        db,
        "delete from presence where session_id = ?1 and table_id = ?2",
        session.0,
        table
    )?;
    in_time(delete.run()).await?;
    Ok(())
}
