//! What tables have still to be told of players. An errand is written in the same batch as what it is about and removed when
//! the table has it, so it is run at least once; to every table, told twice is told once.

use super::in_time;
use crate::clock::{Millis, Timestamp};
use crate::game::{PlayerId, TableId};
use serde::Deserialize;
use worker::{D1Database, query};

/// How long an errand that failed waits.
const RETRY: Millis = Millis::from_secs(30);

/// What a table is to be told.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ErrandKind {
    /// A session has ended: its sockets are to be closed.
    SignedOut,
    /// A player is called otherwise.
    Renamed,
    /// A player has deleted himself.
    Left,
    /// Something else holds for a player: blocks, suspensions, whom he wants to hear.
    Conduct,
}

/// Something that a table has still to be told.
#[derive(Clone, Debug, Deserialize)]
pub struct Errand {
    /// Which table.
    pub table_id: TableId,
    /// What, as it stands in the row.
    kind: String,
    /// Of which session or player.
    pub subject: String,
    /// Of which player.
    pub player_id: PlayerId,
    /// Since when. Another time means that there is something newer to tell.
    pub due: Timestamp,
}

impl Errand {
    /// What the table is to be told. Nothing for a kind that newer code has written, which is there while a deployment is rolled back: it
    /// waits, and holds up no other.
    pub fn kind(&self) -> Option<ErrandKind> {
        match self.kind.as_str() {
            "signed_out" => Some(ErrandKind::SignedOut),
            "renamed" => Some(ErrandKind::Renamed),
            "left" => Some(ErrandKind::Left),
            "conduct" => Some(ErrandKind::Conduct),
            _ => None,
        }
    }
}

/// Up to `limit` errands that have become due, the oldest first.
///
/// # Errors
/// When the database is away.
pub async fn due(db: &D1Database, now: Timestamp, limit: u32) -> worker::Result<Vec<Errand>> {
    let select = query!(
        db,
        "select table_id, kind, subject, player_id, due from errands where due <= ?1 order by due limit ?2",
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
) -> worker::Result<Vec<Errand>> {
    let select = query!(
        db,
        "select table_id, kind, subject, player_id, due from errands
         where player_id = ?1 and due <= ?2 order by due limit ?3",
        player.as_str(),
        now.as_millis(),
        limit
    )?;
    in_time(select.all()).await?.results()
}

/// An errand is done. If there is something newer to tell, it stays.
///
/// # Errors
/// When the database is away.
pub async fn done(db: &D1Database, errand: &Errand) -> worker::Result<()> {
    let delete = query!(
        db,
        "delete from errands where kind = ?1 and subject = ?2 and table_id = ?3 and due = ?4",
        errand.kind,
        errand.subject,
        errand.table_id.as_str(),
        errand.due.as_millis()
    )?;
    in_time(delete.run()).await?;
    Ok(())
}

/// An errand could not be run: it waits.
///
/// # Errors
/// When the database is away.
pub async fn postpone(db: &D1Database, errand: &Errand, now: Timestamp) -> worker::Result<()> {
    let update = query!(
        db,
        "update errands set due = ?4 where kind = ?1 and subject = ?2 and table_id = ?3 and due = ?5",
        errand.kind,
        errand.subject,
        errand.table_id.as_str(),
        (now + RETRY).as_millis(),
        errand.due.as_millis()
    )?;
    in_time(update.run()).await?;
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn an_errand_of_a_kind_that_is_not_known_is_read_with_the_others() {
        let row = |kind: &str| json!({"table_id": "0123456789abcdef", "kind": kind, "subject": "s", "player_id": "0123456789abcdef", "due": 1});
        let rows = json!([row("left"), row("of_the_future"), row("signed_out")]);
        let errands: Vec<Errand> = serde_json::from_value(rows).expect("all of them are read");
        let kinds: Vec<Option<ErrandKind>> = errands.iter().map(Errand::kind).collect();
        assert_eq!(kinds, [Some(ErrandKind::Left), None, Some(ErrandKind::SignedOut)]);
    }
}
