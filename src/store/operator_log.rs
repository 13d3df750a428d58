//! What operators have done (S4): an append-only log.

use super::in_time;
use crate::clock::Timestamp;
use crate::game::{EntryId, PlayerId, ReportId, TableId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use worker::{D1Database, D1PreparedStatement, query};

/// What an operator does.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Action {
    /// Decides an appeal.
    DecideAppeal,
    /// Corrects a result of his own accord.
    Correct,
    /// Removes a line of chat.
    RemoveChat,
    /// Suspends a player, or lifts that.
    Suspend,
    /// Closes a report.
    CloseReport,
    /// Becomes an operator, from the command line.
    MakeOperator,
    /// Is an operator no more, from the command line.
    UnmakeOperator,
}

/// An entry of the log. What is done at a table is written by the table, together with what it does.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Entry {
    /// Which. The same entry told twice is there once.
    pub id: EntryId,
    /// When.
    pub at: Timestamp,
    /// Who.
    pub operator_id: PlayerId,
    /// What.
    pub action: Action,
    /// About whom.
    pub player_id: Option<PlayerId>,
    /// At which table.
    pub table_id: Option<TableId>,
    /// About which report, appeal or line of chat.
    pub subject: Option<String>,
    /// Why.
    pub reason: String,
    /// What exactly.
    pub details: Value,
}

/// An entry as it is shown.
#[derive(Clone, Debug, Deserialize)]
pub struct Row {
    /// Its place in the log.
    pub number: u32,
    at: Timestamp,
    operator_id: Option<String>,
    operator_name: Option<String>,
    action: String,
    player_id: Option<String>,
    player_name: Option<String>,
    table_id: Option<String>,
    subject: Option<String>,
    reason: String,
    details: Option<String>,
}

/// A person of whom only id and name are told.
#[derive(Clone, Debug, Serialize)]
pub struct Named {
    /// Which.
    pub id: String,
    /// His name, as it is now.
    pub name: Option<String>,
}

/// An entry, for operators.
#[derive(Clone, Debug, Serialize)]
pub struct Shown {
    number: u32,
    at: Timestamp,
    operator: Option<Named>,
    action: String,
    player: Option<Named>,
    table_id: Option<String>,
    subject: Option<String>,
    reason: String,
    details: Value,
}

impl Action {
    /// The name in rows and on the wire.
    pub fn as_str(self) -> &'static str {
        match self {
            Action::DecideAppeal => "decide_appeal",
            Action::Correct => "correct",
            Action::RemoveChat => "remove_chat",
            Action::Suspend => "suspend",
            Action::CloseReport => "close_report",
            Action::MakeOperator => "make_operator",
            Action::UnmakeOperator => "unmake_operator",
        }
    }
}

impl Row {
    /// As operators see it.
    pub fn shown(self) -> Shown {
        let named = |id: Option<String>, name| id.map(|id| Named { id, name });
        Shown {
            number: self.number,
            at: self.at,
            operator: named(self.operator_id, self.operator_name),
            action: self.action,
            player: named(self.player_id, self.player_name),
            table_id: self.table_id,
            subject: self.subject,
            reason: self.reason,
            details: self
                .details
                .and_then(|text| serde_json::from_str(&text).ok())
                .unwrap_or(Value::Null),
        }
    }
}

/// The statement that adds an entry, to stand in the batch of what it tells.
pub(super) fn insert(db: &D1Database, entry: &Entry) -> worker::Result<D1PreparedStatement> {
    query!(
        db,
        "insert into operator_log (id, at, operator_id, action, player_id, table_id, subject, reason, details)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9) on conflict (id) do nothing",
        entry.id.as_str(),
        entry.at.as_millis(),
        entry.operator_id.as_str(),
        entry.action.as_str(),
        entry.player_id.as_ref().map(PlayerId::as_str),
        entry.table_id.as_ref().map(TableId::as_str),
        entry.subject,
        entry.reason,
        entry.details.to_string()
    )
}

/// The statement that adds an entry about a report, if that is open.
pub(super) fn insert_if_report_open(
    db: &D1Database,
    report: &ReportId,
    entry: &Entry,
) -> worker::Result<D1PreparedStatement> {
    query!(
        db,
        "insert into operator_log (id, at, operator_id, action, player_id, table_id, subject, reason)
         select ?1, ?2, ?3, ?4, player_id, table_id, id, ?5 from reports where id = ?6 and state = 'open'
         on conflict (id) do nothing",
        entry.id.as_str(),
        entry.at.as_millis(),
        entry.operator_id.as_str(),
        entry.action.as_str(),
        entry.reason,
        report.as_str()
    )
}

/// Adds an entry; twice is once.
///
/// # Errors
/// When the database is away.
pub async fn add(db: &D1Database, entry: &Entry) -> worker::Result<()> {
    in_time(insert(db, entry)?.run()).await?;
    Ok(())
}

/// Up to `limit` entries before a number, newest first.
///
/// # Errors
/// When the database is away.
pub async fn list(db: &D1Database, before: u32, limit: u32) -> worker::Result<Vec<Row>> {
    let select = query!(
        db,
        "select l.number, l.at, l.operator_id, o.name as operator_name, l.action, l.player_id, p.name as player_name,
           l.table_id, l.subject, l.reason, l.details
         from operator_log l left join players o on o.id = l.operator_id left join players p on p.id = l.player_id
         where l.number < ?1 order by l.number desc limit ?2",
        before,
        limit
    )?;
    in_time(select.all()).await?.results()
}

/// What the log says of a player, for himself: not who did it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OfPlayer {
    action: String,
    at: Timestamp,
    reason: String,
}

/// The entries about a player, oldest first.
///
/// # Errors
/// When the database is away.
pub async fn of_player(db: &D1Database, player: &PlayerId) -> worker::Result<Vec<OfPlayer>> {
    let select = query!(
        db,
        "select action, at, reason from operator_log where player_id = ?1 order by number",
        player.as_str()
    )?;
    in_time(select.all()).await?.results()
}
