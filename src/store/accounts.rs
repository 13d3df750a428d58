//! Guests and accounts: how they come into being, how they sign in, how they go.

use super::sessions::{self, Ending, NewSession};
use super::{batch, in_time};
use crate::clock::Timestamp;
use crate::game::{Player, PlayerId};
use crate::players::{AccountName, DELETED_NAME};
use serde::Deserialize;
use worker::{D1Database, D1PreparedStatement, D1Result, query};

/// Why a player is not kept.
#[derive(Debug, thiserror::Error)]
pub enum Refused {
    /// An account has that name, or one that looks like it.
    #[error("the name is taken")]
    NameTaken,
    /// He is no guest any more.
    #[error("only a guest can become an account")]
    NoGuest,
    /// The database is away.
    #[error(transparent)]
    Away(#[from] worker::Error),
}

/// What an account signs in with.
#[derive(Clone, Debug, Deserialize)]
pub struct Credentials {
    /// Whose.
    pub player_id: PlayerId,
    /// The hash of his password, a PHC string.
    pub password_hash: String,
}

/// Keeps a new guest and his first session, both or neither.
///
/// # Errors
/// When his name looks like an account's, or the database is away.
pub async fn create_guest(
    db: &D1Database,
    player: &Player,
    shapes: &[String],
    session: &NewSession,
) -> Result<(), Refused> {
    let (one, other) = both(shapes);
    let insert = query!(
        db,
        "insert into players (id, kind, name, created_at) select ?1, 'guest', ?2, ?3
         where not exists (select 1 from name_shapes where shape in (?4, ?5))",
        player.id.as_str(),
        player.name,
        session.created_at.as_millis(),
        one,
        other
    )?;
    let statements = vec![insert, sessions::insert(db, &player.id, session)?];
    let results = batch(db, statements).await?;
    match changes(results.first())? {
        0 => Err(Refused::NameTaken),
        _ => Ok(()),
    }
}

/// Keeps a new account and its first session.
///
/// # Errors
/// When the name is taken, or the database is away.
pub async fn create(
    db: &D1Database,
    id: &PlayerId,
    (name, password_hash): (&AccountName, &str),
    session: &NewSession,
) -> Result<(), Refused> {
    let now = session.created_at.as_millis();
    let mut statements = vec![query!(
        db,
        "insert into players (id, kind, name, created_at) values (?1, 'account', ?2, ?3)",
        id.as_str(),
        name.to_string(),
        now
    )?];
    statements.extend(name_statements(db, id, (name, password_hash), now)?);
    statements.push(sessions::insert(db, id, session)?);
    batch(db, statements).await.map_err(refused)?;
    Ok(())
}

/// Makes an account of a guest; he keeps his id and his sessions. The tables of his unfinished games, and those at
/// which he watches, are to be told.
///
/// # Errors
/// When the name is taken, he is no guest any more, or the database is away.
pub async fn upgrade(
    db: &D1Database,
    id: &PlayerId,
    (name, password_hash): (&AccountName, &str),
    now: Timestamp,
) -> Result<(), Refused> {
    let now = now.as_millis();
    let mut statements = vec![query!(
        db,
        "update players set kind = 'account', name = ?2 where id = ?1 and kind = 'guest' and deleted_at is null",
        id.as_str(),
        name.to_string()
    )?];
    statements.extend(name_statements(db, id, (name, password_hash), now)?);
    statements.push(query!(
        db,
        "insert or ignore into errands (table_id, kind, subject, player_id, due)
         select p.game_id, 'renamed', p.player_id, p.player_id, ?2 from game_players p
         cross join games g on g.id = p.game_id
         where p.player_id = ?1 and g.state in ('waiting', 'playing', 'counting')
         union select table_id, 'renamed', player_id, player_id, ?2 from presence where player_id = ?1",
        id.as_str(),
        now
    )?);
    let results = batch(db, statements).await.map_err(refused)?;
    match changes(results.first())? {
        0 => Err(Refused::NoGuest),
        _ => Ok(()),
    }
}

/// The statements that give a player a name and a password. They fail if he has them already or the name is taken.
fn name_statements(
    db: &D1Database,
    id: &PlayerId,
    (name, password_hash): (&AccountName, &str),
    now: i64,
) -> worker::Result<Vec<D1PreparedStatement>> {
    let insert_account = query!(
        db,
        "insert into accounts (player_id, name_key, password_hash, created_at)
         select id, ?2, ?3, ?4 from players where id = ?1 and deleted_at is null",
        id.as_str(),
        name.key(),
        password_hash,
        now
    )?;
    let mut statements = vec![insert_account];
    for shape in name.shapes() {
        statements.push(query!(
            db,
            "insert into name_shapes (shape, player_id) select ?1, player_id from accounts where player_id = ?2",
            shape,
            id.as_str()
        )?);
    }
    Ok(statements)
}

/// What an account signs in with, by its name as `AccountName::key_of` has it.
///
/// # Errors
/// When the database is away.
pub async fn credentials(db: &D1Database, name_key: &str) -> worker::Result<Option<Credentials>> {
    let select = query!(
        db,
        "select player_id, password_hash from accounts where name_key = ?1",
        name_key
    )?;
    in_time(select.first(None)).await
}

/// The same, by the player.
///
/// # Errors
/// When the database is away.
pub async fn credentials_of(db: &D1Database, id: &PlayerId) -> worker::Result<Option<Credentials>> {
    let select = query!(
        db,
        "select player_id, password_hash from accounts where player_id = ?1",
        id.as_str()
    )?;
    in_time(select.first(None)).await
}

/// Replaces an account's hash by another of the same password, unless it has changed meanwhile.
///
/// # Errors
/// When the database is away.
pub async fn rehash(db: &D1Database, old: &Credentials, new: &str) -> worker::Result<()> {
    let update = query!(
        db,
        "update accounts set password_hash = ?3 where player_id = ?1 and password_hash = ?2",
        old.player_id.as_str(),
        old.password_hash,
        new
    )?;
    in_time(update.run()).await?;
    Ok(())
}

/// Changes an account's password, unless it has changed meanwhile, and ends his other sessions. Says whether it was done.
///
/// # Errors
/// When the database is away.
pub async fn change_password(
    db: &D1Database,
    old: &Credentials,
    new: &str,
    (kept, now): (Ending<'_>, Timestamp),
) -> worker::Result<bool> {
    let mut statements = vec![query!(
        db,
        "update accounts set password_hash = ?3 where player_id = ?1 and password_hash = ?2",
        old.player_id.as_str(),
        old.password_hash,
        new
    )?];
    statements.extend(sessions::end_statements(db, &old.player_id, kept, now)?);
    let results = batch(db, statements).await?;
    Ok(changes(results.first())? > 0)
}

/// Deletes a player for good (P4), in one batch: what only he needs is removed, his name is replaced, his sessions end, and
/// every table of his gets an errand. What the ratings of others rest on stays.
///
/// # Errors
/// When the database is away; then nothing has happened.
pub async fn delete(db: &D1Database, id: &PlayerId, now: Timestamp) -> worker::Result<()> {
    let player = id.as_str();
    let mut statements = vec![query!(
        db,
        "insert or ignore into errands (table_id, kind, subject, player_id, due)
         select game_id, 'left', player_id, player_id, ?2 from game_players where player_id = ?1",
        player,
        now.as_millis()
    )?];
    statements.push(query!(
        db,
        "insert or ignore into errands (table_id, kind, subject, player_id, due)
         select table_id, 'left', player_id, player_id, ?2 from chat_authors where player_id = ?1",
        player,
        now.as_millis()
    )?);
    statements.extend(sessions::end_statements(db, id, Ending::All, now)?);
    for sql in [
        // Those who were blocked, either way, have one less.
        "update players set conduct_version = conduct_version + 1
         where id in (select blocked_id from blocks where player_id = ?1 union select player_id from blocks where blocked_id = ?1)",
        "update report_lines set text = '' where author_id = ?1",
        "delete from name_shapes where player_id = ?1",
        "delete from accounts where player_id = ?1",
        "delete from blocks where player_id = ?1",
        "delete from blocks where blocked_id = ?1",
        "delete from idempotency_keys where player_id = ?1",
        "delete from challenges where from_id = ?1",
        "delete from challenges where to_id = ?1",
    ] {
        statements.push(query!(db, sql, player)?);
    }
    statements.push(query!(
        db,
        "update players set name = ?2, deleted_at = ?3, challenges_from = 'anyone', hide_spectator_chat = 0,
           language = null
         where id = ?1",
        player,
        DELETED_NAME,
        now.as_millis()
    )?);
    statements.push(query!(
        db,
        "update games set summary = json_replace(summary,
           '$.creator.name', iif(summary ->> '$.creator.id' = ?1, ?2, summary ->> '$.creator.name'),
           '$.seats.black.name', iif(summary ->> '$.seats.black.id' = ?1, ?2, summary ->> '$.seats.black.name'),
           '$.seats.white.name', iif(summary ->> '$.seats.white.id' = ?1, ?2, summary ->> '$.seats.white.name'))
         where id in (select game_id from game_players where player_id = ?1)",
        player,
        DELETED_NAME
    )?);
    batch(db, statements).await?;
    Ok(())
}

/// The shapes of a name as two parameters.
fn both(shapes: &[String]) -> (&str, &str) {
    let one = shapes.first().map_or("", String::as_str);
    (one, shapes.get(1).map_or(one, String::as_str))
}

/// How many rows a statement has changed.
fn changes(result: Option<&D1Result>) -> worker::Result<usize> {
    let meta = result.map(D1Result::meta).transpose()?.flatten();
    Ok(meta.and_then(|meta| meta.changes).unwrap_or(0))
}

/// What a failed batch means: a row that must be the only one of its kind was there already.
fn refused(error: worker::Error) -> Refused {
    let text = error.to_string();
    if !text.contains("UNIQUE constraint failed") {
        return Refused::Away(error);
    }
    if text.contains("accounts.player_id") {
        return Refused::NoGuest;
    }
    Refused::NameTaken
}
