//! What players report (S3), for operators to look at.

use super::operator_log::{self, Entry};
use super::{batch, changes, in_time};
use crate::clock::Timestamp;
use crate::game::{PlayerId, ReportId, Seq, TableId};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use worker::{D1Database, query};

/// What a table shows of itself for a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Scenery {
    /// The table as it is: state, turn, stones, result. Without names.
    pub table: Value,
    /// The newest lines of chat that the reporter hears, up to the one that he reports if it is one.
    pub chat: Vec<Line>,
}

/// A line of chat around a report.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Line {
    /// The number of its event.
    pub seq: Seq,
    /// Who said it.
    pub author_id: PlayerId,
    /// When.
    pub at: Timestamp,
    /// What.
    pub text: String,
}

/// A report as it comes in.
#[derive(Clone, Debug)]
pub struct NewReport {
    /// Its id.
    pub id: ReportId,
    /// Who reports.
    pub reporter: PlayerId,
    /// Who is reported, if it is about somebody.
    pub player: Option<PlayerId>,
    /// About which table.
    pub table: Option<TableId>,
    /// About which line.
    pub line: Option<Seq>,
    /// Why, in short.
    pub reason: String,
    /// More about it.
    pub text: Option<String>,
    /// What there was to be seen.
    pub scenery: Option<Scenery>,
    /// When.
    pub created_at: Timestamp,
}

/// A report of the queue.
#[derive(Clone, Debug, Deserialize)]
pub struct Row {
    /// Which.
    pub id: String,
    /// When it came, in ms.
    pub created_at: i64,
    reporter_id: String,
    reporter_name: Option<String>,
    player_id: Option<String>,
    player_name: Option<String>,
    table_id: Option<String>,
    line: Option<u32>,
    reason: String,
    text: Option<String>,
    scenery: Option<String>,
    chat: String,
    state: String,
    closed_at: Option<i64>,
    note: Option<String>,
}

/// A place in the queue: after the report with this age and id. Oldest first.
pub use super::appeals::After;

impl Row {
    /// As operators see it.
    ///
    /// # Errors
    /// When a row cannot be read.
    pub fn shown(self) -> worker::Result<Value> {
        let named = |id: Option<String>, name: Option<String>| match id {
            Some(id) => json!({"id": id, "name": name}),
            None => Value::Null,
        };
        let table: Value = match self.scenery {
            Some(scenery) => serde_json::from_str(&scenery)?,
            None => Value::Null,
        };
        let chat: Value = serde_json::from_str(&self.chat)?;
        Ok(json!({
            "id": self.id, "state": self.state, "created_at": self.created_at,
            "reporter": named(Some(self.reporter_id), self.reporter_name),
            "player": named(self.player_id, self.player_name),
            "table_id": self.table_id, "seq": self.line, "reason": self.reason, "text": self.text,
            "context": {"table": table, "chat": chat}, "closed_at": self.closed_at, "note": self.note,
        }))
    }
}

/// A report as its reporter sees it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Receipt {
    id: String,
    state: String,
    player_id: Option<String>,
    table_id: Option<String>,
    seq: Option<u32>,
    reason: String,
    text: Option<String>,
    created_at: i64,
}

/// A report, for its reporter.
///
/// # Errors
/// When the database is away.
pub async fn receipt(db: &D1Database, report: &ReportId) -> worker::Result<Option<Receipt>> {
    let select = query!(
        db,
        "select id, state, player_id, table_id, line as seq, reason, text, created_at from reports where id = ?1",
        report.as_str()
    )?;
    in_time(select.first(None)).await
}

/// Keeps a report with what there was to be seen then; twice is once.
///
/// # Errors
/// When the database is away.
pub async fn add(db: &D1Database, report: &NewReport) -> worker::Result<()> {
    let scenery = report.scenery.as_ref();
    let mut statements = vec![query!(
        db,
        "insert or ignore into reports (id, reporter_id, player_id, table_id, line, reason, text, scenery, state, created_at)
         values (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, 'open', ?9)",
        report.id.as_str(),
        report.reporter.as_str(),
        report.player.as_ref().map(PlayerId::as_str),
        report.table.as_ref().map(TableId::as_str),
        report.line.map(|line| line.0),
        report.reason,
        report.text,
        scenery.map(|scenery| scenery.table.to_string()),
        report.created_at.as_millis()
    )?];
    for line in scenery.into_iter().flat_map(|scenery| &scenery.chat) {
        statements.push(query!(
            db,
            // Not those of a later call: the report is kept as of its time.
            "insert or ignore into report_lines (report_id, seq, author_id, at, text)
             select id, ?2, ?3, ?4, ?5 from reports where id = ?1 and created_at = ?6",
            report.id.as_str(),
            line.seq.0,
            line.author_id.as_str(),
            line.at.as_millis(),
            line.text,
            report.created_at.as_millis()
        )?);
    }
    batch(db, statements).await?;
    Ok(())
}

/// Up to `limit` reports in a state, after a place, oldest first.
///
/// # Errors
/// When the database is away.
pub async fn list(db: &D1Database, state: &str, after: &After, limit: u32) -> worker::Result<Vec<Row>> {
    let select = query!(
        db,
        "select r.id, r.created_at, r.reporter_id, f.name as reporter_name, r.player_id, p.name as player_name, r.table_id,
           r.line, r.reason, r.text, r.scenery, r.state, r.closed_at, r.note,
           (select json_group_array(json_object('seq', l.seq, 'at', l.at, 'text', l.text,
              'player', json_object('id', l.author_id, 'name', (select name from players where players.id = l.author_id))))
            from report_lines l where l.report_id = r.id) as chat
         from reports r left join players f on f.id = r.reporter_id left join players p on p.id = r.player_id
         where r.state = ?1 and (r.created_at, r.id) > (?2, ?3) order by r.created_at, r.id limit ?4",
        state,
        after.created_at,
        after.id,
        limit
    )?;
    in_time(select.all()).await?.results()
}

/// What came of closing a report.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Closing {
    /// It is closed now.
    Closed,
    /// It was closed before.
    Before,
    /// There is none.
    Unknown,
}

#[derive(Deserialize)]
struct State {
    state: String,
}

/// Closes a report and logs it, both or neither.
///
/// # Errors
/// When the database is away.
pub async fn close(db: &D1Database, report: &ReportId, entry: &Entry) -> worker::Result<Closing> {
    let select = query!(db, "select state from reports where id = ?1", report.as_str())?;
    match in_time(select.first::<State>(None)).await? {
        None => return Ok(Closing::Unknown),
        Some(row) if row.state != "open" => return Ok(Closing::Before),
        Some(_) => {}
    }
    let statements = vec![
        // Written only if it is still open, so that of two operators one closes it and one entry says so.
        operator_log::insert_if_report_open(db, report, entry)?,
        query!(
            db,
            "update reports set state = 'closed', closed_at = ?2, note = ?3 where id = ?1 and state = 'open'",
            report.as_str(),
            entry.at.as_millis(),
            entry.reason
        )?,
    ];
    let results = batch(db, statements).await?;
    match changes(results.last())? {
        0 => Ok(Closing::Before),
        _ => Ok(Closing::Closed),
    }
}

/// What a player has reported, and that he was reported, without by whom: for himself.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OfPlayer {
    /// Which.
    id: String,
    player_id: Option<String>,
    table_id: Option<String>,
    seq: Option<u32>,
    reason: String,
    text: Option<String>,
    state: String,
    created_at: i64,
    closed_at: Option<i64>,
}

/// The reports that a player has made.
///
/// # Errors
/// When the database is away.
pub async fn by_player(db: &D1Database, player: &PlayerId) -> worker::Result<Vec<OfPlayer>> {
    let select = query!(
        db,
        "select id, player_id, table_id, line as seq, reason, text, state, created_at, closed_at
         from reports where reporter_id = ?1 order by id",
        player.as_str()
    )?;
    in_time(select.all()).await?.results()
}

/// A line of chat that stands with a report, for whoever said it.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct OwnLine {
    table_id: Option<String>,
    seq: u32,
    at: i64,
    text: String,
}

/// What a player has said that stands with reports, his own or others'.
///
/// # Errors
/// When the database is away.
pub async fn lines_of(db: &D1Database, player: &PlayerId) -> worker::Result<Vec<OwnLine>> {
    let select = query!(
        db,
        "select distinct r.table_id, l.seq, l.at, l.text from report_lines l cross join reports r on r.id = l.report_id
         where l.author_id = ?1 order by l.at, r.table_id, l.seq",
        player.as_str()
    )?;
    in_time(select.all()).await?.results()
}

/// The reports about a player. What the reporter wrote is his own.
///
/// # Errors
/// When the database is away.
pub async fn about_player(db: &D1Database, player: &PlayerId) -> worker::Result<Vec<OfPlayer>> {
    let select = query!(
        db,
        "select id, player_id, table_id, line as seq, reason, null as text, state, created_at, closed_at
         from reports where player_id = ?1 order by id",
        player.as_str()
    )?;
    in_time(select.all()).await?.results()
}
