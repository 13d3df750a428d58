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
            details: read(self.details),
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

/// What the log says of a player, for himself: not who did it, nor what an operator noted about a report of somebody else.
#[derive(Clone, Debug, Serialize)]
pub struct OfPlayer {
    action: String,
    at: Timestamp,
    table_id: Option<String>,
    subject: Option<String>,
    reason: Option<String>,
    details: Value,
}

#[derive(Deserialize)]
struct OfPlayerRow {
    action: String,
    at: Timestamp,
    table_id: Option<String>,
    subject: Option<String>,
    reason: Option<String>,
    details: Option<String>,
}

/// What the log has about a player, and about the results of his games.
const OF_PLAYER: &str = "select number, action, at, table_id, subject, iif(action = 'close_report', null, reason) as reason, details
     from operator_log where player_id = ?1
     union
     select l.number, l.action, l.at, l.table_id, l.subject, l.reason, l.details
     from game_players g cross join operator_log l on l.table_id = g.game_id
     where g.player_id = ?1 and l.action in ('decide_appeal', 'correct')
     order by number";

/// The entries about a player and about the results of his games, oldest first.
///
/// # Errors
/// When the database is away.
pub async fn of_player(db: &D1Database, player: &PlayerId) -> worker::Result<Vec<OfPlayer>> {
    let select = query!(db, OF_PLAYER, player.as_str())?;
    let rows = in_time(select.all()).await?.results::<OfPlayerRow>()?;
    Ok(rows.into_iter().map(OfPlayerRow::shown).collect())
}

impl OfPlayerRow {
    fn shown(self) -> OfPlayer {
        OfPlayer {
            action: self.action,
            at: self.at,
            table_id: self.table_id,
            subject: self.subject,
            reason: self.reason,
            details: read(self.details),
        }
    }
}

/// What exactly was done, as it stands in a row.
fn read(details: Option<String>) -> Value {
    let read = details.and_then(|text| serde_json::from_str(&text).ok());
    read.unwrap_or(Value::Null)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::store::schema::migrated;

    #[test]
    fn p6_somebody_learns_all_that_operators_did_about_him_and_nothing_else() {
        let db = migrated();
        db.execute_batch(
            r#"insert into games values ('t', 1, 'finished', 'baduk', '9x9', 0, 'public', 0, '{}');
               insert into game_players values ('aki', 't', 0), ('bo', 't', 0);
               insert into operator_log (id, at, operator_id, action, player_id, table_id, subject, reason, details) values
                 ('1', 1, 'op', 'suspend', 'aki', null, null, 'rude', '{"chat": 9}'),
                 ('2', 2, 'op', 'remove_chat', 'aki', 'watched', '7', 'ruder', null),
                 ('3', 3, 'op', 'remove_chat', 'bo', 't', '8', 'not his', null),
                 ('4', 4, 'op', 'decide_appeal', 'bo', 't', 'a', 'seki', '{"uphold": true}'),
                 ('5', 5, 'op', 'correct', null, 't', null, 'dead', '{"dead": {}}'),
                 ('6', 6, 'op', 'close_report', 'aki', null, 'r', 'between us', null),
                 ('7', 7, 'op', 'correct', null, 'elsewhere', null, 'not his', null),
                 ('8', 8, 'op', 'decide_appeal', 'aki', 't', 'b', 'his own', null);"#,
        )
        .expect("kept");
        let mut statement = db.prepare(OF_PLAYER).expect("a query");
        let rows = statement.query_map(["aki"], |row| {
            let text = |name: &str| row.get::<_, Option<String>>(name).map(Option::unwrap_or_default);
            Ok(format!(
                "{} {} {}",
                text("action")?,
                text("reason")?,
                text("details")?
            ))
        });
        let rows: Vec<String> = rows.expect("rows").map(|row| row.expect("a row")).collect();
        assert_eq!(
            rows,
            [
                "suspend rude {\"chat\": 9}",
                "remove_chat ruder ",
                "decide_appeal seki {\"uphold\": true}",
                "correct dead {\"dead\": {}}",
                "close_report  ",
                "decide_appeal his own ",
            ]
        );
    }
}
