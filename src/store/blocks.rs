//! Who does not want to meet whom (T6).

use super::{batch, conduct, in_time, within};
use crate::clock::Timestamp;
use crate::game::{PlayerId, TableId};
use serde::{Deserialize, Serialize};
use std::time::Duration;
use worker::{D1Database, query};

/// The most players that one can block.
pub const MOST: u32 = 1000;

/// How long a block may be looked up before a game goes on without: games start while the database is away.
const LOOK_UP_LIMIT: Duration = Duration::from_millis(700);

/// Somebody whom a player has blocked.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Blocked {
    /// Who.
    pub id: PlayerId,
    /// His name.
    pub name: String,
    /// Since when.
    pub blocked_at: Timestamp,
}

#[derive(Deserialize)]
struct Found {
    found: f64,
}

/// Those whom a player has blocked, by id, after `after`.
///
/// # Errors
/// When the database is away.
pub async fn list(
    db: &D1Database,
    player: &PlayerId,
    after: &str,
    limit: u32,
) -> worker::Result<Vec<Blocked>> {
    let select = query!(
        db,
        "select b.blocked_id as id, p.name, b.created_at as blocked_at
         from blocks b join players p on p.id = b.blocked_id
         where b.player_id = ?1 and b.blocked_id > ?2 order by b.blocked_id limit ?3",
        player.as_str(),
        after,
        limit
    )?;
    in_time(select.all()).await?.results()
}

/// Blocks somebody, unless there are too many already. Says whether he is blocked now; twice is once.
///
/// # Errors
/// When the database is away.
pub async fn add(
    db: &D1Database,
    player: &PlayerId,
    other: &PlayerId,
    now: Timestamp,
) -> worker::Result<bool> {
    let mut statements = vec![
        query!(
            db,
            "insert or ignore into blocks (player_id, blocked_id, created_at)
             select ?1, id, ?3 from players where id = ?2 and deleted_at is null
               and (select count(*) from blocks where player_id = ?1) < ?4",
            player.as_str(),
            other.as_str(),
            now.as_millis(),
            MOST
        )?,
        query!(
            db,
            "select count(*) as found from blocks where player_id = ?1 and blocked_id = ?2",
            player.as_str(),
            other.as_str()
        )?,
    ];
    let found = statements.len() - 1;
    statements.extend(conduct::changed(db, (player, other), now)?);
    let results = batch(db, statements).await?;
    let rows = results
        .get(found)
        .map(|found| found.results::<Found>())
        .transpose()?;
    Ok(rows.iter().flatten().any(|row| row.found > 0.0))
}

/// Takes a block back; one that is not there is taken back already.
///
/// # Errors
/// When the database is away.
pub async fn remove(
    db: &D1Database,
    player: &PlayerId,
    other: &PlayerId,
    now: Timestamp,
) -> worker::Result<()> {
    let mut statements = vec![query!(
        db,
        "delete from blocks where player_id = ?1 and blocked_id = ?2",
        player.as_str(),
        other.as_str()
    )?];
    statements.extend(conduct::changed(db, (player, other), now)?);
    batch(db, statements).await?;
    Ok(())
}

/// Whether a block is between a player and somebody who made or plays at a table.
///
/// # Errors
/// When the database is away.
pub async fn at_table(db: &D1Database, player: &PlayerId, table: &TableId) -> worker::Result<bool> {
    let select = query!(
        db,
        "select 1 as found from game_players g where g.game_id = ?2
           and (exists (select 1 from blocks where player_id = ?1 and blocked_id = g.player_id)
             or exists (select 1 from blocks where player_id = g.player_id and blocked_id = ?1)) limit 1",
        player.as_str(),
        table.as_str()
    )?;
    let row = within(LOOK_UP_LIMIT, select.first::<Found>(None)).await?;
    Ok(row.is_some())
}

/// Whether one of two players has blocked the other.
///
/// # Errors
/// When the database is away.
pub async fn between(db: &D1Database, one: &PlayerId, other: &PlayerId) -> worker::Result<bool> {
    let select = query!(
        db,
        "select 1 as found where exists (select 1 from blocks where player_id = ?1 and blocked_id = ?2)
           or exists (select 1 from blocks where player_id = ?2 and blocked_id = ?1)",
        one.as_str(),
        other.as_str()
    )?;
    let row = within(LOOK_UP_LIMIT, select.first::<Found>(None)).await?;
    Ok(row.is_some())
}
