//! What tables must know of a player: that it has changed, what operators have suspended him from, and where he has spoken.

use super::operator_log::{self, Entry};
use super::{batch, in_time};
use crate::clock::Timestamp;
use crate::game::{PlayerId, TableId};
use serde::Deserialize;
use worker::{D1Database, D1PreparedStatement, query};

/// What a suspension is about.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Suspensions {
    /// Until when he may say nothing; nothing where that stays as it is.
    pub chat: Option<Option<Timestamp>>,
    /// Until when he may begin no game; nothing where that stays as it is.
    pub play: Option<Option<Timestamp>>,
}

/// The statements that go with a change of what holds for two players, or for one twice: the version, and an errand for each table to
/// which one of them is connected. They stand after the change in its batch.
pub(super) fn changed(
    db: &D1Database,
    (one, other): (&PlayerId, &PlayerId),
    now: Timestamp,
) -> worker::Result<Vec<D1PreparedStatement>> {
    Ok(vec![
        query!(
            db,
            "update players set conduct_version = conduct_version + 1 where id in (?1, ?2)",
            one.as_str(),
            other.as_str()
        )?,
        // One that is being run has read what was before: it is to be run again.
        query!(
            db,
            "insert into errands (table_id, kind, subject, player_id, due)
             select distinct table_id, 'conduct', player_id, player_id, ?3 from presence where player_id in (?1, ?2)
             on conflict (kind, subject, table_id) do update set due = max(due + 1, excluded.due)",
            one.as_str(),
            other.as_str(),
            now.as_millis()
        )?,
    ])
}

/// Suspends a player, or lifts that, and logs it; all or nothing.
///
/// # Errors
/// When the database is away.
pub async fn suspend(
    db: &D1Database,
    player: &PlayerId,
    what: Suspensions,
    entry: &Entry,
) -> worker::Result<()> {
    let mut statements = Vec::new();
    let millis = |until: Option<Timestamp>| until.map(Timestamp::as_millis);
    if let Some(until) = what.chat {
        let sql = "update players set chat_suspended_until = ?2 where id = ?1";
        statements.push(query!(db, sql, player.as_str(), millis(until))?);
    }
    if let Some(until) = what.play {
        let sql = "update players set play_suspended_until = ?2 where id = ?1";
        statements.push(query!(db, sql, player.as_str(), millis(until))?);
    }
    statements.extend(changed(db, (player, player), entry.at)?);
    // The tables at which he waits for an opponent, too: no game of his is to begin there.
    statements.push(query!(
        db,
        "insert into errands (table_id, kind, subject, player_id, due)
         select p.game_id, 'conduct', p.player_id, p.player_id, ?2 from game_players p cross join games g on g.id = p.game_id
         where p.player_id = ?1 and g.state = 'waiting'
         on conflict (kind, subject, table_id) do update set due = max(due + 1, excluded.due)",
        player.as_str(),
        entry.at.as_millis()
    )?);
    statements.push(operator_log::insert(db, entry)?);
    batch(db, statements).await?;
    Ok(())
}

/// Notes that a player has said something at a table. One who has deleted himself meanwhile is to be removed from it.
///
/// # Errors
/// When the database is away.
pub async fn spoke(
    db: &D1Database,
    player: &PlayerId,
    table: &TableId,
    now: Timestamp,
) -> worker::Result<()> {
    let statements = vec![
        query!(
            db,
            "insert or ignore into chat_authors (player_id, table_id) values (?1, ?2)",
            player.as_str(),
            table.as_str()
        )?,
        query!(
            db,
            "insert or ignore into errands (table_id, kind, subject, player_id, due)
             select ?2, 'left', id, id, ?3 from players where id = ?1 and deleted_at is not null",
            player.as_str(),
            table.as_str(),
            now.as_millis()
        )?,
    ];
    batch(db, statements).await?;
    Ok(())
}

#[derive(Deserialize)]
struct Place {
    table_id: TableId,
}

/// Where a player has said something.
///
/// # Errors
/// When the database is away.
pub async fn spoken_at(db: &D1Database, player: &PlayerId) -> worker::Result<Vec<TableId>> {
    let select = query!(
        db,
        "select table_id from chat_authors where player_id = ?1 order by table_id",
        player.as_str()
    )?;
    let rows = in_time(select.all()).await?.results::<Place>()?;
    Ok(rows.into_iter().map(|row| row.table_id).collect())
}
