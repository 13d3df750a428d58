//! Sessions: one sign-in on one device.
//!
//! A session ends by its row's deletion. In the same batch the tables to which it is connected get an errand each, so that its
//! sockets are closed whatever fails afterwards.

use super::accounts::Credentials;
use super::channel_errands;
use super::people::{Person, PersonRow};
use super::{batch, changes, in_time, within};
use crate::clock::Timestamp;
use crate::game::PlayerId;
use crate::players::SessionId;
use serde::{Deserialize, Serialize};
use std::time::Duration;
use worker::{D1Database, D1PreparedStatement, query};

/// How long a session may be looked up for a game. It is on the way of every call, and a player's clock runs meanwhile; the token's own
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

/// What must be true in the moment in which sessions end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Provided<'a> {
    /// Nothing.
    Always,
    /// The player's password has this hash; without one, he is a guest and has none.
    Password(Option<&'a str>),
}

/// Notes what the tables are to be told of sessions that end: player, the only session, the one that stays, when, whether it depends on
/// the password, its hash.
const TELL_OF_END: &str = "insert or ignore into errands (table_id, kind, subject, player_id, due)
     select table_id, 'signed_out', session_id, player_id, ?4 from presence
     where player_id = ?1 and session_id = coalesce(?2, session_id) and session_id is not ?3
     and (?5 = 0 or (select password_hash from accounts where accounts.player_id = ?1) is ?6)";

/// Forgets where they are connected: the same without the time.
const FORGET_PRESENCE: &str = "delete from presence
     where player_id = ?1 and session_id = coalesce(?2, session_id) and session_id is not ?3
     and (?4 = 0 or (select password_hash from accounts where accounts.player_id = ?1) is ?5)";

/// Ends them: the same.
const END: &str = "delete from sessions where player_id = ?1 and id = coalesce(?2, id) and id is not ?3
     and (?4 = 0 or (select password_hash from accounts where accounts.player_id = ?1) is ?5)";

/// Keeps a session of an account whose password still has the hash that was checked: session, player, made, ends, hash.
const BEGIN: &str = "insert into sessions (id, player_id, created_at, expires_at)
     select ?1, p.id, ?3, ?4 from players p cross join accounts a on a.player_id = p.id
     where p.id = ?2 and p.deleted_at is null and a.password_hash = ?5";

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

/// Keeps a session of an account, unless its password has changed since it was checked, or the account is gone. Says whether it is kept.
///
/// # Errors
/// When the database is away.
pub async fn begin(db: &D1Database, checked: &Credentials, session: &NewSession) -> worker::Result<bool> {
    let insert = query!(
        db,
        BEGIN,
        session.id.0,
        checked.player_id.as_str(),
        session.created_at.as_millis(),
        session.expires_at.as_millis(),
        checked.password_hash
    )?;
    Ok(changes(Some(&in_time(insert.run()).await?))? > 0)
}

/// The player of a session that has not ended at `now`, for a game, which does not wait long.
///
/// # Errors
/// When the database is away or slow.
pub async fn holder_for_a_game(
    db: &D1Database,
    session: &SessionId,
    now: Timestamp,
) -> worker::Result<Option<Person>> {
    within(LOOK_UP_LIMIT, holder(db, session, now)).await
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
    let row = in_time(select.first::<PersonRow>(None)).await?;
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
    batch(db, end_statements(db, player, (ending, Provided::Always), now)?).await?;
    Ok(())
}

/// The statements that end sessions: what the tables and the player's channel are to be told, then the rows.
pub(super) fn end_statements(
    db: &D1Database,
    player: &PlayerId,
    (ending, provided): (Ending<'_>, Provided<'_>),
    now: Timestamp,
) -> worker::Result<Vec<D1PreparedStatement>> {
    // Equal to a column where it may be anything.
    let (only, but) = match ending {
        Ending::One(session) => (Some(&session.0), None),
        Ending::AllBut(session) => (None, Some(&session.0)),
        Ending::All => (None, None),
    };
    let (depends, hash) = match provided {
        Provided::Always => (0u8, None),
        Provided::Password(hash) => (1, hash),
    };
    let whose = (only.map(String::as_str), but.map(String::as_str));
    let of_channel = channel_errands::insert(db, player, (whose, (depends, hash)), now)?;
    let (player, now) = (player.as_str(), now.as_millis());
    Ok(vec![
        of_channel,
        query!(db, TELL_OF_END, player, only, but, now, depends, hash)?,
        query!(db, FORGET_PRESENCE, player, only, but, depends, hash)?,
        query!(db, END, player, only, but, depends, hash)?,
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::schema::migrated;
    use rusqlite::{Connection, params};

    /// Aki has an account with the password `new`; Gen is a guest. Each has two sessions, the first of them at a table.
    fn database() -> Connection {
        let db = migrated();
        db.execute_batch(
            "insert into players (id, kind, name, created_at) values ('aki', 'account', 'Aki', 0), ('gen', 'guest', 'Gen', 0);
             insert into accounts (player_id, name_key, password_hash, created_at) values ('aki', 'aki', 'new', 0);
             insert into sessions (id, player_id, created_at, expires_at)
               values ('a1', 'aki', 0, 9), ('a2', 'aki', 0, 9), ('g1', 'gen', 0, 9), ('g2', 'gen', 0, 9);
             insert into presence (session_id, table_id, player_id) values ('a1', 't', 'aki'), ('g1', 't', 'gen');",
        )
        .expect("kept");
        db
    }

    fn end(db: &Connection, player: &str, but: Option<&str>, provided: Provided<'_>) -> usize {
        let (depends, hash) = match provided {
            Provided::Always => (0, None),
            Provided::Password(hash) => (1, hash),
        };
        let none: Option<&str> = None;
        db.execute(TELL_OF_END, params![player, none, but, 5, depends, hash])
            .expect("runs");
        db.execute(FORGET_PRESENCE, params![player, none, but, depends, hash])
            .expect("runs");
        db.execute(END, params![player, none, but, depends, hash])
            .expect("runs")
    }

    fn errands(db: &Connection) -> i64 {
        db.query_row("select count(*) from errands", [], |row| row.get(0))
            .expect("a row")
    }

    #[test]
    fn p3_a_session_begins_only_with_the_password_that_still_holds() {
        let db = database();
        let begin = |id: &str, player: &str, hash: &str| {
            db.execute(BEGIN, params![id, player, 1, 9, hash]).expect("runs")
        };
        assert_eq!(
            begin("s1", "aki", "old"),
            0,
            "it has been changed since it was checked"
        );
        assert_eq!(begin("s2", "aki", "new"), 1);
        assert_eq!(begin("s3", "gen", "new"), 0, "a guest has none");
        db.execute_batch("update players set deleted_at = 1 where id = 'aki'")
            .expect("runs");
        assert_eq!(begin("s4", "aki", "new"), 0, "he is gone");
    }

    #[test]
    fn p3_sessions_end_only_if_the_password_is_what_it_is_taken_for() {
        let db = database();
        assert_eq!(
            end(&db, "aki", Some("a2"), Provided::Password(Some("lost the race"))),
            0
        );
        assert_eq!(
            end(&db, "aki", Some("a2"), Provided::Password(None)),
            0,
            "he is no guest any more"
        );
        assert_eq!(end(&db, "gen", None, Provided::Password(Some("new"))), 0);
        assert_eq!(errands(&db), 0);
        assert_eq!(end(&db, "aki", Some("a2"), Provided::Password(Some("new"))), 1);
        assert_eq!(errands(&db), 1);
        assert_eq!(end(&db, "gen", None, Provided::Password(None)), 2);
        assert_eq!(end(&db, "aki", None, Provided::Always), 1);
        assert_eq!(errands(&db), 2);
    }
}
