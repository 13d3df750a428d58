//! The operators' queue of appeals (G10, G11). The tables hold the truth.

use super::{batch, in_time};
use crate::game::{Appeal, AppealId, PlayerId, Seq, Table, TableId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use worker::{D1Database, query};

/// The appeals of one table, as its outbox keeps them until the queue has them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StoredAppeals {
    table: TableId,
    appeals: Vec<(PlayerId, Appeal)>,
}

/// An appeal of the queue.
#[derive(Clone, Debug, Deserialize)]
pub struct Row {
    /// Which.
    pub id: String,
    /// At which table.
    pub table_id: String,
    /// When it came, in ms.
    pub created_at: i64,
    player_id: String,
    name: String,
    kind: String,
    state: String,
    appeal: String,
    summary: Option<String>,
}

/// An appeal, for operators.
#[derive(Clone, Debug, Serialize)]
pub struct Shown {
    id: String,
    table_id: String,
    created_at: i64,
    state: String,
    player: Value,
    appeal: Value,
    /// The game in short, with the result as it stands.
    table: Value,
}

/// A place in the queue: after the appeal with this age and id. Oldest first.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct After {
    /// When the last appeal shown came, in ms.
    pub created_at: i64,
    /// Its id.
    pub id: String,
}

impl StoredAppeals {
    /// The appeals of a table.
    pub fn new(table: &Table) -> StoredAppeals {
        let appeals = table.appeals().iter().filter_map(|appeal| {
            let player = table.seats()?.get(appeal.by);
            Some((player.id.clone(), appeal.clone()))
        });
        StoredAppeals {
            table: table.id().clone(),
            appeals: appeals.collect(),
        }
    }
}

impl Row {
    /// As operators see it.
    pub fn shown(self) -> worker::Result<Shown> {
        Ok(Shown {
            id: self.id,
            table_id: self.table_id,
            created_at: self.created_at,
            state: self.state,
            player: serde_json::json!({"id": self.player_id, "name": self.name, "kind": self.kind}),
            appeal: serde_json::from_str(&self.appeal)?,
            table: match self.summary {
                Some(summary) => serde_json::from_str(&summary)?,
                None => Value::Null,
            },
        })
    }
}

/// Puts a table's appeals into the queue, unless it knows of later ones. Twice is once.
///
/// # Errors
/// When the database is away.
pub async fn put(db: &D1Database, seq: Seq, stored: &StoredAppeals) -> worker::Result<()> {
    let mut statements = Vec::new();
    for (player, appeal) in &stored.appeals {
        let state = match &appeal.decision {
            None => "open".to_owned(),
            Some(decision) => decision.ruling.name().to_owned(),
        };
        statements.push(query!(
            db,
            "insert into appeals (id, table_id, player_id, seq, state, created_at, appeal)
             values (?1, ?2, ?3, ?4, ?5, ?6, ?7)
             on conflict (id) do update set seq = excluded.seq, state = excluded.state, appeal = excluded.appeal
             where excluded.seq > appeals.seq",
            appeal.id.as_str(),
            stored.table.as_str(),
            player.as_str(),
            seq.0,
            state,
            appeal.at.as_millis(),
            serde_json::to_string(appeal)?
        )?);
    }
    batch(db, statements).await?;
    Ok(())
}

/// Up to `limit` appeals in a state, after a place, oldest first.
///
/// # Errors
/// When the database is away.
pub async fn list(db: &D1Database, state: &str, after: &After, limit: u32) -> worker::Result<Vec<Row>> {
    let select = query!(
        db,
        "select a.id, a.table_id, a.created_at, a.player_id, p.name, p.kind, a.state, a.appeal, g.summary
         from appeals a join players p on p.id = a.player_id left join games g on g.id = a.table_id
         where a.state = ?1 and (a.created_at, a.id) > (?2, ?3) order by a.created_at, a.id limit ?4",
        state,
        after.created_at,
        after.id,
        limit
    )?;
    in_time(select.all()).await?.results()
}

/// Whose an appeal is, and where.
#[derive(Clone, Debug, Deserialize)]
pub struct Place {
    /// At which table.
    pub table_id: TableId,
    /// Whose.
    pub player_id: PlayerId,
}

/// The table and the player of an appeal.
///
/// # Errors
/// When the database is away.
pub async fn place_of(db: &D1Database, appeal: &AppealId) -> worker::Result<Option<Place>> {
    let select = query!(
        db,
        "select table_id, player_id from appeals where id = ?1",
        appeal.as_str()
    )?;
    in_time(select.first(None)).await
}

#[derive(Deserialize)]
struct Own {
    table_id: String,
    appeal: String,
}

/// A player's appeals, each with its `table_id`.
///
/// # Errors
/// When the database is away.
pub async fn of_player(db: &D1Database, player: &PlayerId) -> worker::Result<Vec<Value>> {
    let select = query!(
        db,
        "select table_id, appeal from appeals where player_id = ?1 order by id",
        player.as_str()
    )?;
    let rows = in_time(select.all()).await?.results::<Own>()?;
    let shown = rows.into_iter().map(|row| {
        let mut appeal: Value = serde_json::from_str(&row.appeal)?;
        appeal["table_id"] = Value::from(row.table_id);
        Ok(appeal)
    });
    shown.collect()
}
